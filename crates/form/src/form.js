"use strict";

// A form for a JSON Schema, with the keywords that this project writes. A widget has an element, returns its value
// (undefined if nothing is filled in), and shows the problems with its value once the widget has been touched.

const root = JSON.parse(document.getElementById("schema").textContent);
const MAX_DEPTH = 20;
let unique = 0;
// After an attempt to save, all problems are shown.
let isAttempted = false;

function resolved(schema) {
  const seen = new Set();
  while (schema.$ref && !seen.has(schema.$ref)) {
    seen.add(schema.$ref);
    const { $ref, ...own } = schema;
    const target = $ref.replace(/^#\//, "").split("/").reduce((at, part) => at[part], root);
    const all = [...(target.allOf ?? []), ...(own.allOf ?? [])];
    // If both schemas have a keyword, both of its values apply.
    const both = Object.keys(own).filter((key) => has(target, key) && !["description", "default", "title", "allOf"].includes(key));
    if (both.length) all.push(Object.fromEntries(both.map((key) => [key, own[key]])));
    schema = { ...target, ...Object.fromEntries(Object.entries(own).filter(([key]) => !both.includes(key))) };
    if (all.length) schema.allOf = all;
  }
  return schema;
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function button(text, attributes, act) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", act);
  return made;
}

// Names come from templates, so they may be those that every object has.
function has(object, name) {
  return (object ?? undefined) !== undefined && Object.hasOwn(object, name);
}

function isOf(type, value) {
  const own = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return [type].flat().some((one) => (one === "integer" ? Number.isInteger(value) : one === own));
}

function equal(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

const TYPE_NAMES = { integer: "an integer", array: "a list", object: "a map" };
const LENGTHS = { string: ["minLength", "maxLength", "character"], array: ["minItems", "maxItems", "entry"],
  object: ["minProperties", "maxProperties", "entry"] };

function counted(count, unit) {
  return `${count} ${count === 1 ? unit : unit === "entry" ? "entries" : `${unit}s`}`;
}

// The problems with a value, as pairs of a path and a sentence. The text of a schema explains all of its conditions.
function problems(schema, value, path = []) {
  const { type, errorMessage } = resolved(schema);
  const found = unexplained(schema, value, path);
  const isOwn = ([place]) => place === path;
  if (!errorMessage || type && !isOf(type, value) || !found.some(isOwn)) return found;
  return [[path, errorMessage], ...found.filter((problem) => !isOwn(problem))];
}

function unexplained(schema, value, path) {
  schema = resolved(schema);
  const found = [];
  const say = (sentence) => found.push([path, sentence]);
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  // An empty entry of a list or map.
  if (value === null && schema.type && !isOf(schema.type, value)) {
    say("Required");
    return found;
  }
  if (schema.type && !isOf(schema.type, value)) {
    say(`Must be ${[schema.type].flat().map((one) => TYPE_NAMES[one] ?? `a ${one}`).join(" or ")}`);
    return found;
  }
  if (type === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    say("Too large for a browser: write this number into the saved file");
  }
  if ("const" in schema && !equal(value, schema.const)) say(`Must be ${JSON.stringify(schema.const)}`);
  if (schema.enum && !schema.enum.some((one) => equal(one, value))) {
    say(`Must be one of ${schema.enum.map((one) => JSON.stringify(one)).join(", ")}`);
  }
  if (type === "number") {
    if (value < schema.minimum) say(`Must be at least ${schema.minimum}`);
    if (value > schema.maximum) say(`Must be at most ${schema.maximum}`);
    if (value <= schema.exclusiveMinimum) say(`Must be greater than ${schema.exclusiveMinimum}`);
    if (value >= schema.exclusiveMaximum) say(`Must be less than ${schema.exclusiveMaximum}`);
  }
  if (has(LENGTHS, type)) {
    const [least, most, unit] = LENGTHS[type];
    const length = type === "object" ? Object.keys(value).length : [...value].length;
    if (length < schema[least]) say(`Must have at least ${counted(schema[least], unit)}`);
    if (length > schema[most]) say(`Must have at most ${counted(schema[most], unit)}`);
  }
  if (type === "string" && schema.pattern && !matches(schema.pattern, value)) {
    say(schema.patternDescription ? `Must be ${schema.patternDescription}` : `Must match ${schema.pattern}`);
  };
  if (type === "array") {
    value.forEach((item, index) => {
      const items = schema.prefixItems?.[index] ?? schema.items;
      if (items) found.push(...problems(items, item, [...path, index]));
    });
  }
  if (type === "object") {
    for (const name of schema.required ?? []) {
      if (!has(value, name)) found.push([[...path, name], "Required"]);
    }
    for (const [name, item] of Object.entries(value)) {
      const known = has(schema.properties, name) ? schema.properties[name] : undefined;
      if (known) found.push(...problems(known, item, [...path, name]));
      else if (schema.additionalProperties === false) found.push([[...path, name], "Unknown name"]);
      else if (schema.additionalProperties) found.push(...problems(schema.additionalProperties, item, [...path, name]));
      if (schema.propertyNames) {
        found.push(...problems(schema.propertyNames, name).map(([, sentence]) => [path, `Name ${name}: ${sentence}`]));
      }
    }
  }
  for (const part of schema.allOf ?? []) found.push(...problems({ type: schema.type, ...part }, value, path));
  const chosen = kindOf(schema, value);
  if (chosen) return found.concat(problems(chosen, value, path));
  const holds = (part) => problems(part, value, path).length === 0;
  if (schema.anyOf && !schema.anyOf.some(holds)) say(`Must fulfill one of: ${schema.anyOf.map(alternative).join("; ")}`);
  if (schema.oneOf && schema.oneOf.filter(holds).length !== 1) {
    say(`Must fulfill exactly one of: ${schema.oneOf.map(alternative).join("; ")}`);
  }
  if (schema.not && holds({ type: schema.type, ...resolved(schema.not) })) say(`Must not be ${alternative(schema.not)}`);
  return found;
}

function alternative(schema) {
  const all = resolved(schema);
  const own = "const" in all ? JSON.stringify(all.const) : all.enum?.map((one) => JSON.stringify(one)).join(", ");
  return own ?? (limits(all) || all.title || (all.type ? [all.type].flat().join(" or ") : "another value"));
}

// The limits of values in words. They are shown next to a field.
function limits(schema) {
  const said = [];
  const all = [schema, ...(schema.allOf ?? []).map(resolved)];
  for (const part of all) {
    const { minimum, maximum } = part;
    if (minimum !== undefined && maximum !== undefined) {
      said.push(minimum === maximum ? `exactly ${minimum}` : `${minimum} to ${maximum}`);
    } else if (minimum !== undefined) said.push(`at least ${minimum}`);
    else if (maximum !== undefined) said.push(`at most ${maximum}`);
    if (part.exclusiveMinimum !== undefined) said.push(`greater than ${part.exclusiveMinimum}`);
    if (part.exclusiveMaximum !== undefined) said.push(`less than ${part.exclusiveMaximum}`);
    for (const [least, most, unit] of new Set(Object.values(LENGTHS))) {
      if (part[least] === undefined && part[most] === undefined) continue;
      if (part[least] === part[most]) said.push(`exactly ${counted(part[least], unit)}`);
      else if (part[most] === undefined) said.push(`at least ${counted(part[least], unit)}`);
      else if (part[least] === undefined) said.push(`at most ${counted(part[most], unit)}`);
      else said.push(`${part[least]} to ${counted(part[most], unit)}`);
    }
    if (part.pattern !== undefined) said.push(part.patternDescription ?? `matching ${part.pattern}`);
    if (part.not) said.push(`not ${alternative(part.not)}`);
    for (const [key, word] of [["anyOf", "or"], ["oneOf", "or"]]) {
      if (part[key]?.every((one) => !one.$ref && !one.properties)) said.push(part[key].map(alternative).join(` ${word} `));
    }
  }
  return [...new Set(said)].join(", ");
}

function hint(schema) {
  const words = { integer: "an integer", number: "a number" };
  const said = limits(schema);
  const type = has(words, schema.type) ? words[schema.type] : "";
  const text = [type, said].filter(Boolean).join(", ");
  return text && text[0].toUpperCase() + text.slice(1);
}

function matches(pattern, text) {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true; // A different dialect: the program that reads the values checks the pattern.
  }
}

// Returns the kind of map that a value is, if there are several: a constant member distinguishes them.
function kindOf(schema, value) {
  return schema.anyOf?.map(resolved).find((kind) => {
    const constants = Object.entries(kind.properties ?? {}).filter(([, member]) => "const" in member);
    return constants.length && constants.every(([name, member]) => has(value, name) && equal(value[name], member.const));
  });
}

// The words to choose from, if there are any.
function choices(schema) {
  return schema.enum ?? (schema.allOf ?? []).map((part) => part.enum).find(Boolean);
}

function widget(schema, value, depth = 0, name = "value") {
  schema = resolved(schema);
  if (value === undefined) value = schema.default;
  if (choices(schema)) return choice(schema, value);
  if (depth > MAX_DEPTH) return line(schema, value, name);
  if (schema.anyOf?.every((kind) => resolved(kind).properties)) return kinds(schema, depth, name);
  if (schema.type === "object" && schema.properties) return members(schema, value, depth);
  if (schema.type === "object") return entries(schema, value, depth, name);
  if (schema.type === "array") return list(schema, value, depth, name);
  if (schema.type === "boolean" && typeof value === "boolean") return checkbox(value);
  if (schema.type === "boolean") return choice({ ...schema, enum: [true, false] }, value);
  return line(schema, value, name);
}

function checkbox(value) {
  const input = element("input", { type: "checkbox", id: `field-${unique++}` });
  input.checked = value;
  return leaf(input, () => input.checked);
}

function choice(schema, value) {
  const words = choices(schema);
  const select = element("select", { id: `field-${unique++}` }, element("option", { value: "" }, "Choose…"));
  words.forEach((word, index) => {
    select.append(element("option", { value: index }, typeof word === "string" ? word : JSON.stringify(word)));
  });
  const known = words.findIndex((word) => equal(word, value));
  select.value = known < 0 ? "" : String(known);
  return leaf(select, () => (select.value === "" ? undefined : words[Number(select.value)]));
}

function line(schema, value, name) {
  const isText = [schema.type].flat().includes("string");
  const isSecret = schema.format === "password" || schema.writeOnly === true;
  const type = isSecret ? "password" : "text";
  const input = element("input", { type, id: `field-${unique++}`, spellcheck: "false",
    autocomplete: isSecret ? "new-password" : "off" });
  if (schema.type === "integer") input.inputMode = "numeric";
  if (schema.type === "number") input.inputMode = "decimal";
  if (value !== undefined) input.value = isText ? value : JSON.stringify(value);
  const get = () => {
    if (input.value === "") return undefined;
    if (isText) return input.value;
    try {
      return JSON.parse(input.value);
    } catch {
      return input.value;
    }
  };
  if (!isSecret) return leaf(input, get, hint(schema));
  const reveal = button("Show", { class: "reveal", "aria-label": `Show ${name}`, "aria-pressed": "false",
    "aria-controls": input.id }, () => {
    const isShown = input.type === "text";
    input.type = isShown ? "password" : "text";
    reveal.setAttribute("aria-pressed", !isShown);
  });
  return leaf(input, get, hint(schema), element("div", { class: "secret" }, input, reveal), true);
}

// While a pointer is down, messages wait: a button that they move would miss its click.
let isPointerDown = false;
addEventListener("pointerdown", () => { isPointerDown = true; }, true);
for (const event of ["pointerup", "pointercancel"]) {
  addEventListener(event, () => { isPointerDown = false; setTimeout(update); }, true);
}

function leaf(control, get, limits = "", box = control, isSecret = false) {
  const problem = element("p", { class: "problem", id: `${control.id}-problem` });
  const hint = limits ? [element("p", { class: "hint", id: `${control.id}-hint` }, limits)] : [];
  let isTouched = false;
  const described = [...hint.map((one) => one.id), problem.id];
  control.setAttribute("aria-describedby", described.join(" "));
  control.addEventListener("input", update);
  for (const event of ["change", "blur"]) {
    control.addEventListener(event, () => { isTouched = true; if (!isPointerDown) update(); });
  }
  return {
    id: control.id,
    element: element("div", {}, ...hint, box, problem),
    get,
    isSecret,
    describe: (id) => control.setAttribute("aria-describedby", [id, ...described].join(" ")),
    name: (label) => control.setAttribute("aria-label", label),
    require: () => control.setAttribute("aria-required", "true"),
    show(path, sentence) {
      if (sentence !== undefined && !isTouched && !isAttempted) return;
      problem.textContent = sentence ?? "";
      control.setAttribute("aria-invalid", sentence !== undefined);
    },
    clear() { this.show([], undefined); },
    parts: () => [],
  };
}

// Connects a group with the texts that describe it.
function connect(group, ids) {
  const all = ids.filter(Boolean).join(" ");
  if (all) group.setAttribute("aria-describedby", all);
  else group.removeAttribute("aria-describedby");
}

// Makes an element a group with a name.
function grouped(box, label) {
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", label);
}

// A widget with parts. Problems belong to a part, or else to the whole.
function whole(box, parts, get, schema = {}) {
  const problem = element("p", { class: "problem", tabindex: "-1", id: `problem-${unique++}` });
  const said = limits(schema);
  const hint = said ? [element("p", { class: "hint", id: `hint-${unique++}` }, said[0].toUpperCase() + said.slice(1))] : [];
  const described = [...hint.map((one) => one.id), problem.id];
  let isTouched = false;
  box.prepend(...hint);
  box.append(problem);
  box.addEventListener("focusout", (event) => {
    if (box.contains(event.relatedTarget)) return;
    isTouched = true;
    if (!isPointerDown) update();
  });
  return {
    element: box,
    get,
    parts,
    // The field around it is its group, or else the element itself.
    describeGroup: (group, id) => connect(group, [id, ...described]),
    name: (label) => {
      grouped(box, label);
      connect(box, described);
    },
    show([step, ...rest], sentence) {
      const part = parts().find(([name]) => name === step);
      if (part) part[1].show(rest, sentence);
      else if (isTouched || isAttempted) problem.textContent = sentence;
    },
    clear() {
      problem.textContent = "";
      for (const [, part] of parts()) part.clear();
    },
  };
}

function members(schema, value, depth) {
  const box = element("div");
  const parts = [];
  let section;
  for (const [name, member] of Object.entries(schema.properties)) {
    const about = resolved(member);
    if (about.visible === false) {
      if ("const" in about) parts.push([name, fixed(about.const)]);
      continue;
    }
    if (about.section !== undefined && about.section !== section) box.append(element("h2", {}, about.section));
    section = about.section;
    const isRequired = schema.required?.includes(name);
    const given = has(value ?? undefined, name) ? value[name] : undefined;
    // An optional map may contain a map of the same kind, and so on, so it is created on demand.
    const isLater = !isRequired && about.properties && (given ?? about.default) === undefined;
    const title = about.title ?? name;
    const part = isLater ? later(member, depth + 1, title) : widget(member, given, depth + 1, title);
    const mark = isRequired || about.default !== undefined ? [] : [element("span", { class: "optional" }, " (optional)")];
    const label = element(part.id ? "label" : "legend", { for: part.id }, title, ...mark);
    const id = `about-${unique++}`;
    const description = about.description ? [element("p", { class: "about", id }, about.description)] : [];
    if (isRequired) part.require?.();
    const field = element(part.id ? "div" : "fieldset", { class: "field", "data-name": name }, label, ...description,
      part.element);
    if (!part.id) part.describeGroup(field, description[0]?.id);
    else if (about.description) part.describe(id);
    box.append(field);
    parts.push([name, part]);
  }
  return whole(box, () => parts, () => {
    const values = parts.map(([name, part]) => [name, part.get()]).filter(([, value]) => value !== undefined);
    // An optional map without values is omitted.
    return values.length || depth === 0 ? Object.fromEntries(values) : undefined;
  });
}

// A constant that is not shown.
function fixed(value) {
  return { get: () => value, show() {}, clear() {}, parts: () => [] };
}

// Moves the focus to the first control in an element.
function focusIn(box) {
  box?.querySelector("input, select, button")?.focus();
}

function later(schema, depth, name) {
  const box = element("div");
  let part;
  let group;
  const connectGroup = () => (part?.describeGroup ? part.describeGroup(...group) : connect(group[0], [group[1]]));
  const show = (made) => {
    part = made;
    connectGroup();
    box.replaceChildren(...(part ? [part.element, remove] : [make]));
    focusIn(box);
    update();
  };
  const make = button("Fill in", { class: "add", "aria-label": `Fill in ${name}` }, () => show(widget(schema, {}, depth)));
  const remove = button("Leave out", { class: "remove", "aria-label": `Leave out ${name}` }, () => show(undefined));
  box.append(make);
  return {
    element: box,
    describeGroup: (...around) => {
      group = around;
      connectGroup();
    },
    get: () => part && (part.get() ?? {}),
    show: (path, sentence) => part?.show(path, sentence),
    clear: () => part?.clear(),
    parts: () => (part ? [["", part]] : []),
  };
}

// One of several kinds of maps: the kind is chosen first.
function kinds(schema, depth, name) {
  const all = schema.anyOf.map(resolved);
  const select = element("select", { class: "kind", "aria-label": `Kind of ${name}` }, element("option", { value: "" }, "Choose…"));
  all.forEach((kind, index) => select.append(element("option", { value: index }, kind.title ?? `${index + 1}`)));
  const place = element("div");
  const problem = element("p", { class: "problem", id: `kind-${unique++}` });
  select.setAttribute("aria-describedby", problem.id);
  let part;
  let group;
  const connectGroup = () => {
    if (!group) return;
    if (part?.describeGroup) part.describeGroup(...group);
    else connect(group[0], [group[1]]);
  };
  let isTouched = false;
  select.addEventListener("blur", () => { isTouched = true; if (!isPointerDown) update(); });
  select.addEventListener("change", () => {
    part = select.value === "" ? undefined : widget(all[Number(select.value)], {}, depth + 1, name);
    place.replaceChildren(...(part ? [part.element] : []));
    connectGroup();
    update();
  });
  const box = element("div", {}, select, problem, place);
  return {
    element: box,
    describeGroup: (...around) => {
      group = around;
      connectGroup();
    },
    name: (label) => {
      grouped(box, label);
      group = [box];
      connectGroup();
    },
    get: () => part?.get(),
    show(path, sentence) {
      if (part) return part.show(path, sentence);
      if (!isTouched && !isAttempted) return;
      problem.textContent = sentence;
      select.setAttribute("aria-invalid", "true");
    },
    clear() {
      problem.textContent = "";
      select.setAttribute("aria-invalid", "false");
      part?.clear();
    },
    parts: () => (part ? [["", part]] : []),
  };
}

// Returns whether an entry may be empty.
function takesNull(schema) {
  return !problems(resolved(schema ?? {}), null).length;
}

// Rows that can be added and removed, each with an optional key.
function rows(make, name) {
  const box = element("div");
  const lines = element("div");
  let parts = [];
  let count = 0;
  const add = (...given) => {
    // A number names only one entry, even if others were removed.
    const number = ++count;
    const { cells, own } = make(number, ...given);
    const remove = button("−", { class: "remove", "aria-label": `Remove entry ${number} of ${name}` }, () => {
      parts = parts.filter((other) => other !== own);
      row.remove();
      more.focus();
      update();
    });
    const row = element("div", { class: "row" }, ...cells, remove);
    parts.push(own);
    lines.append(row);
    return row;
  };
  const more = button("Add an entry", { class: "add", "aria-label": `Add an entry to ${name}` }, () => {
    focusIn(add());
    update();
  });
  box.append(lines, more);
  return { box, add, parts: () => parts };
}

function list(schema, value, depth, name) {
  const made = rows((number, item) => {
    const own = widget(schema.prefixItems?.[made.parts().length] ?? schema.items ?? {}, item, depth + 1, `${name} ${number}`);
    own.name?.(`${name} ${number}`);
    if (!takesNull(schema.items)) own.require?.();
    own.element.classList.add("value");
    return { cells: [own.element], own };
  }, name);
  (Array.isArray(value) ? value : Array(schema.prefixItems && value !== undefined ? schema.prefixItems.length : 0).fill())
    .forEach((item) => made.add(item));
  return whole(made.box, () => made.parts().map((part, index) => [index, part]), () => {
    const items = made.parts().map((part) => part.get() ?? null);
    return items.length || schema.default !== undefined ? items : undefined;
  }, schema);
}

function entries(schema, value, depth, name) {
  const items = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
  const made = rows((number, text = "", item = undefined) => {
    const key = element("input", { type: "text", class: "key", "aria-label": `Name of entry ${number} of ${name}`,
      autocomplete: "off", spellcheck: "false", placeholder: "name" });
    key.value = text;
    key.addEventListener("input", update);
    const part = widget(items, item, depth + 1, `${name} ${number}`);
    part.name?.(`Value of entry ${number} of ${name}`);
    if (!takesNull(items)) part.require?.();
    part.element.classList.add("value");
    return { cells: [key, part.element], own: [key, part] };
  }, name);
  for (const [key, item] of Object.entries(value ?? {})) made.add(key, item);
  return whole(made.box, () => made.parts().map(([key, part]) => [key.value, part]), () => {
    const named = made.parts().filter(([key]) => key.value !== "").map(([key, part]) => [key.value, part.get() ?? null]);
    return named.length || schema.default !== undefined ? Object.fromEntries(named) : undefined;
  }, schema);
}

// Plain scalars that every YAML reader takes for strings.
const PLAIN = /^[A-Za-z_][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*$/;
const RESERVED = /^(true|false|null|yes|no|on|off|y|n)$/i;

function scalar(value) {
  if (typeof value === "string" && PLAIN.test(value) && !RESERVED.test(value)) return value;
  return JSON.stringify(value).replace(/[\x7f-\x9f\u2028\u2029\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function yaml(value, indent = "") {
  const isEmpty = typeof value !== "object" || value === null || Object.keys(value).length === 0;
  if (isEmpty) return `${indent}${scalar(value)}\n`;
  const inner = `${indent}  `;
  const nested = (item) => typeof item === "object" && item !== null && Object.keys(item).length > 0;
  if (Array.isArray(value)) {
    return value.map((item) => `${indent}- ${yaml(item, inner).trimStart()}`).join("");
  }
  return Object.entries(value).map(([key, item]) =>
    (nested(item) ? `${indent}${scalar(key)}:\n${yaml(item, inner)}` : `${indent}${scalar(key)}: ${yaml(item)}`)).join("");
}

// A value without its secrets, as the page shows it.
function masked(part, value) {
  if (part.isSecret && value !== undefined && value !== null) return "*****";
  if (typeof value !== "object" || value === null) return value;
  const copy = Array.isArray(value) ? [...value] : Object.fromEntries(Object.entries(value));
  for (const [name, inner] of part.parts()) {
    if (name === "") return masked(inner, value);
    if (has(copy, name)) Object.defineProperty(copy, name, { value: masked(inner, value[name]), enumerable: true });
  }
  return copy;
}

const form = widget(root, undefined);
const isEmpty = root.type === "object" && !root.additionalProperties && !Object.keys(root.properties ?? {}).length;
document.getElementById("description").textContent = root.description ?? "";
document.getElementById("form").append(form.element);
document.getElementById("form").addEventListener("submit", (event) => event.preventDefault());

function current() {
  const value = form.get() ?? {};
  return { value, found: problems(root, value) };
}

function update() {
  const { value, found } = current();
  form.clear();
  // The first problem of a field explains the others.
  for (const [path, sentence] of [...found].reverse()) form.show(path, sentence);
  const status = document.getElementById("status");
  const count = new Set(found.map(([path]) => JSON.stringify(path))).size;
  status.className = isAttempted && count ? "wrong" : "";
  const text = count ? `${count === 1 ? "1 value is" : `${count} values are`} missing or invalid` : isEmpty ? "There are no inputs" : "All values are valid";
  if (status.textContent !== text) status.textContent = text;
  document.getElementById("result").textContent = yaml(masked(form, value));
}

// Returns the YAML of the values. If there are problems, shows these instead.
function finished() {
  isAttempted = true;
  update();
  const { value, found } = current();
  if (!found.length) return yaml(value);
  const wrong = document.querySelector("[aria-invalid=true]") ?? document.querySelector(".problem:not(:empty)");
  wrong?.focus();
  return undefined;
}

// Shows what has become of the values, also to users who don't see the page.
function report(text) {
  document.getElementById("status").textContent = text;
}

document.getElementById("copy").addEventListener("click", async () => {
  const text = finished();
  if (text === undefined) return;
  try {
    await navigator.clipboard.writeText(text);
    report("Copied");
  } catch {
    report("The browser does not allow copying: save the file");
  }
});
document.getElementById("save").addEventListener("click", (event) => {
  const text = finished();
  if (text === undefined) return;
  const blob = new Blob([text], { type: "application/yaml" });
  const link = element("a", { href: URL.createObjectURL(blob), download: event.currentTarget.dataset.file });
  link.click();
  URL.revokeObjectURL(link.href);
  report(`Saved as ${link.download}`);
});
update();
