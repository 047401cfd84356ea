"use strict";

// A form for a JSON Schema, with the keywords that the page's maker writes. A widget has an element, gives its value
// (undefined: nothing is filled in), and shows problems that are found at its place.

const root = JSON.parse(document.getElementById("schema").textContent);
const MOST_DEPTH = 20;
let unique = 0;

function resolved(schema) {
  const seen = new Set();
  while (schema.$ref && !seen.has(schema.$ref)) {
    seen.add(schema.$ref);
    const { $ref, ...own } = schema;
    const target = $ref.replace(/^#\//, "").split("/").reduce((at, part) => at[part], root);
    const all = [...(target.allOf ?? []), ...(own.allOf ?? [])];
    // What both demand must hold both times.
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

// Names come from templates, and may be those that every object has.
function has(object, name) {
  return (object ?? undefined) !== undefined && Object.hasOwn(object, name);
}

// Whether a value is of a type, or of one of some types.
function isOf(type, value) {
  const own = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return [type].flat().some((one) => (one === "integer" ? Number.isInteger(value) : one === own));
}

function equal(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

// What is wrong with a value, as [path, sentence] pairs.
function problems(schema, value, path = []) {
  schema = resolved(schema);
  const found = [];
  const say = (sentence) => found.push([path, sentence]);
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  if (schema.type && !isOf(schema.type, value)) {
    const words = { integer: "an integer", array: "a list", object: "a map" };
    say(`this must be ${[schema.type].flat().map((one) => words[one] ?? `a ${one}`).join(" or ")}`);
    return found;
  }
  if (type === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    say("a page can't hold a number as large as this exactly: write it into the file by hand");
  }
  if ("const" in schema && !equal(value, schema.const)) say(`this must be ${JSON.stringify(schema.const)}`);
  if (schema.enum && !schema.enum.some((one) => equal(one, value))) {
    say(`this must be one of ${schema.enum.map((one) => JSON.stringify(one)).join(", ")}`);
  }
  if (type === "number") {
    if (value < schema.minimum) say(`this must be at least ${schema.minimum}`);
    if (value > schema.maximum) say(`this must be at most ${schema.maximum}`);
    if (value <= schema.exclusiveMinimum) say(`this must be greater than ${schema.exclusiveMinimum}`);
    if (value >= schema.exclusiveMaximum) say(`this must be less than ${schema.exclusiveMaximum}`);
  }
  const length = { string: [...(type === "string" ? value : "")].length, array: value?.length,
    object: type === "object" ? Object.keys(value).length : 0 }[type];
  const [least, most, what] = { string: [schema.minLength, schema.maxLength, "characters"],
    array: [schema.minItems, schema.maxItems, "entries"],
    object: [schema.minProperties, schema.maxProperties, "entries"] }[type] ?? [];
  if (length < least) say(`this must have at least ${least} ${what}`);
  if (length > most) say(`this must have at most ${most} ${what}`);
  if (type === "string" && schema.pattern && !matches(schema.pattern, value)) {
    say(`this must match ${schema.pattern}`);
  }
  if (type === "array") {
    value.forEach((item, index) => {
      const items = schema.prefixItems?.[index] ?? schema.items;
      if (items) found.push(...problems(items, item, [...path, index]));
    });
  }
  if (type === "object") {
    for (const name of schema.required ?? []) {
      if (!has(value, name)) found.push([[...path, name], "a value is missing"]);
    }
    for (const [name, item] of Object.entries(value)) {
      const known = has(schema.properties, name) ? schema.properties[name] : undefined;
      if (known) found.push(...problems(known, item, [...path, name]));
      else if (schema.additionalProperties === false) found.push([[...path, name], "there is no such name here"]);
      else if (schema.additionalProperties) found.push(...problems(schema.additionalProperties, item, [...path, name]));
      if (schema.propertyNames) found.push(...problems(schema.propertyNames, name, path));
    }
  }
  for (const part of schema.allOf ?? []) found.push(...problems({ type: schema.type, ...part }, value, path));
  const chosen = kindOf(schema, value);
  if (chosen) return found.concat(problems(chosen, value, path));
  const holds = (part) => problems(part, value, path).length === 0;
  if (schema.anyOf && !schema.anyOf.some(holds)) say("this is none of what it may be");
  if (schema.oneOf && schema.oneOf.filter(holds).length !== 1) say("this is not exactly one of what it may be");
  return found;
}

function matches(pattern, text) {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true; // Another dialect: whoever reads the values knows it.
  }
}

// Of several kinds of maps, that of a value: a member that is always the same tells it apart.
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

function widget(schema, value, depth = 0) {
  schema = resolved(schema);
  if (value === undefined) value = schema.default;
  if (choices(schema)) return choice(schema, value);
  if (depth > MOST_DEPTH) return line(schema, value);
  if (schema.anyOf?.every((kind) => resolved(kind).properties)) return kinds(schema, depth);
  if (schema.type === "object" && schema.properties) return members(schema, value, depth);
  if (schema.type === "object") return entries(schema, value, depth);
  if (schema.type === "array") return list(schema, value, depth);
  if (schema.type === "boolean") return choice({ ...schema, enum: [true, false] }, value);
  return line(schema, value);
}

function choice(schema, value) {
  const words = choices(schema);
  const select = element("select", { id: `field-${unique++}` }, element("option", { value: "" }, ""));
  words.forEach((word, index) => {
    select.append(element("option", { value: index }, typeof word === "string" ? word : JSON.stringify(word)));
  });
  const known = words.findIndex((word) => equal(word, value));
  select.value = known < 0 ? "" : String(known);
  return leaf(select, () => (select.value === "" ? undefined : words[Number(select.value)]));
}

function line(schema, value) {
  const isText = [schema.type].flat().includes("string");
  const input = element("input", { type: "text", id: `field-${unique++}`, autocomplete: "off", spellcheck: "false" });
  if (schema.type === "integer" || schema.type === "number") input.inputMode = "decimal";
  if (value !== undefined) input.value = isText ? value : JSON.stringify(value);
  return leaf(input, () => {
    if (input.value === "") return undefined;
    if (isText) return input.value;
    try {
      return JSON.parse(input.value);
    } catch {
      return input.value;
    }
  });
}

function leaf(control, get) {
  const problem = element("p", { class: "problem", id: `${control.id}-problem` });
  control.setAttribute("aria-describedby", problem.id);
  for (const event of ["input", "change"]) control.addEventListener(event, update);
  return {
    id: control.id,
    element: element("div", {}, control, problem),
    get,
    show(path, sentence) {
      problem.textContent = sentence ?? "";
      control.setAttribute("aria-invalid", sentence !== undefined);
    },
    clear() { this.show([], undefined); },
  };
}

// What has parts: problems go to the part that they are of, or else above.
function whole(box, parts, get) {
  const problem = element("p", { class: "problem" });
  box.append(problem);
  return {
    element: box,
    get,
    show([step, ...rest], sentence) {
      const part = parts().find(([name]) => name === step);
      if (part) part[1].show(rest, sentence);
      else problem.textContent = sentence;
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
    // An optional map may have one of its own kind in it, and so on: it is made when it is wanted.
    const isLater = !isRequired && about.properties && (given ?? about.default) === undefined;
    const part = isLater ? later(member, depth + 1) : widget(member, given, depth + 1);
    const title = element(part.id ? "label" : "legend", { for: part.id, class: isRequired ? "required" : undefined },
      about.title ?? name);
    const description = about.description ? [element("p", { class: "about" }, about.description)] : [];
    const field = element(part.id ? "div" : "fieldset", { class: "field", "data-name": name }, title, ...description,
      part.element);
    box.append(field);
    parts.push([name, part]);
  }
  return whole(box, () => parts, () => {
    const values = parts.map(([name, part]) => [name, part.get()]).filter(([, value]) => value !== undefined);
    // An optional map of which nothing is filled in is not there.
    return values.length || depth === 0 ? Object.fromEntries(values) : undefined;
  });
}

// What is always the same, and not shown.
function fixed(value) {
  return { get: () => value, show() {}, clear() {} };
}

function later(schema, depth) {
  const box = element("div");
  const make = element("button", { type: "button", class: "add" }, "Fill in");
  const remove = element("button", { type: "button", class: "remove" }, "Leave out");
  let part;
  const show = (made) => {
    part = made;
    box.replaceChildren(...(part ? [part.element, remove] : [make]));
  };
  make.addEventListener("click", () => { show(widget(schema, {}, depth)); update(); });
  remove.addEventListener("click", () => { show(undefined); update(); });
  show(undefined);
  return {
    element: box,
    get: () => part && (part.get() ?? {}),
    show: (path, sentence) => part?.show(path, sentence),
    clear: () => part?.clear(),
  };
}

// One of several kinds of maps: first the kind is chosen, then the map is filled in.
function kinds(schema, depth) {
  const all = schema.anyOf.map(resolved);
  const select = element("select", { class: "kind", "aria-label": "kind" }, element("option", { value: "" }, ""));
  all.forEach((kind, index) => select.append(element("option", { value: index }, kind.title ?? `${index + 1}`)));
  const place = element("div");
  const problem = element("p", { class: "problem" });
  let part;
  select.addEventListener("change", () => {
    part = select.value === "" ? undefined : widget(all[Number(select.value)], {}, depth + 1);
    place.replaceChildren(...(part ? [part.element] : []));
    update();
  });
  return {
    element: element("div", {}, select, problem, place),
    get: () => part?.get(),
    show(path, sentence) {
      if (part) part.show(path, sentence);
      else problem.textContent = sentence;
    },
    clear() {
      problem.textContent = "";
      part?.clear();
    },
  };
}

function list(schema, value, depth) {
  const box = element("div");
  const rows = element("div");
  let parts = [];
  const add = (item) => {
    const index = parts.length;
    const part = widget(schema.prefixItems?.[index] ?? schema.items ?? {}, item, depth + 1);
    const remove = element("button", { type: "button", "aria-label": "remove" }, "−");
    const row = element("div", { class: "row" }, part.element, remove);
    remove.addEventListener("click", () => {
      parts = parts.filter((other) => other !== part);
      row.remove();
      update();
    });
    parts.push(part);
    rows.append(row);
  };
  const more = element("button", { type: "button", class: "add" }, "Add an entry");
  more.addEventListener("click", () => { add(); update(); });
  (Array.isArray(value) ? value : Array(schema.prefixItems && value !== undefined ? schema.prefixItems.length : 0).fill())
    .forEach((item) => add(item));
  box.append(rows, more);
  return whole(box, () => parts.map((part, index) => [index, part]), () => {
    const items = parts.map((part) => part.get() ?? null);
    return items.length || schema.default !== undefined ? items : undefined;
  });
}

function entries(schema, value, depth) {
  const box = element("div");
  const rows = element("div");
  let parts = [];
  const add = (name = "", item = undefined) => {
    const key = element("input", { type: "text", class: "key", "aria-label": "name", autocomplete: "off" });
    key.value = name;
    key.addEventListener("input", update);
    const part = widget(typeof schema.additionalProperties === "object" ? schema.additionalProperties : {}, item, depth + 1);
    part.element.classList.add("value");
    const remove = element("button", { type: "button", "aria-label": "remove" }, "−");
    const row = element("div", { class: "row" }, key, part.element, remove);
    const own = [key, part];
    remove.addEventListener("click", () => {
      parts = parts.filter((other) => other !== own);
      row.remove();
      update();
    });
    parts.push(own);
    rows.append(row);
  };
  const more = element("button", { type: "button", class: "add" }, "Add an entry");
  more.addEventListener("click", () => { add(); update(); });
  for (const [name, item] of Object.entries(value ?? {})) add(name, item);
  box.append(rows, more);
  return whole(box, () => parts.map(([key, part]) => [key.value, part]), () => {
    const named = parts.filter(([key]) => key.value !== "").map(([key, part]) => [key.value, part.get() ?? null]);
    return named.length || schema.default !== undefined ? Object.fromEntries(named) : undefined;
  });
}

const form = widget(root, undefined);
document.getElementById("description").textContent = root.description ?? "";
document.getElementById("form").append(form.element);
document.getElementById("form").addEventListener("submit", (event) => event.preventDefault());

function update() {
  const value = form.get() ?? {};
  const found = problems(root, value);
  form.clear();
  for (const [path, sentence] of found) form.show(path, sentence);
  const status = document.getElementById("status");
  status.className = found.length ? "bad" : "";
  const count = found.length === 1 ? "1 value has" : `${found.length} values have`;
  status.textContent = found.length ? `${count} to be mended` : "Everything is as it must be";
  document.getElementById("result").textContent = JSON.stringify(value, null, 2) + "\n";
  document.getElementById("copy").disabled = document.getElementById("save").disabled = found.length > 0;
}

document.getElementById("copy").addEventListener("click", () => {
  navigator.clipboard?.writeText(document.getElementById("result").textContent);
});
document.getElementById("save").addEventListener("click", () => {
  const blob = new Blob([document.getElementById("result").textContent], { type: "application/yaml" });
  const link = element("a", { href: URL.createObjectURL(blob), download: document.getElementById("save").dataset.file });
  link.click();
  URL.revokeObjectURL(link.href);
});
update();
