// The results: problems, diagram, plan, model, and form for inputs.

import { marked } from "marked";
import { sanitize } from "./sanitize.js";

// Limits on the output, because an untrusted link can contain very large files.
const MAX_PROBLEMS = 500;
const MAX_ENTRIES = 500;
const MAX_LINE = 300;
const MAX_SEARCHED_LINE = 100_000;
const MAX_VALUE = 10_000;

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== null && child !== false));
  return made;
}

const button = (label, action, attributes = {}) => element("button", { type: "button", click: action, ...attributes }, label);
export const paragraph = (text, kind) => element("p", { class: kind ?? "" }, text);

// `state` has the problems, the files, and the functions `go`, `fix` and `explain`.
export function problems(state) {
  const { problems: all } = state;
  if (!all.length) return [paragraph("No problems.", "good")];
  const errors = all.filter((problem) => problem.severity === "error").length;
  const count = (number, name) => (number ? `${number} ${name}${number > 1 ? "s" : ""}` : "");
  const fixable = all.filter((problem) => problem.edits.length && problem.edits.every((edit) => state.files.has(edit.file)));
  const head = element("div", { class: "head" }, paragraph([count(errors, "error"), count(all.length - errors, "warning")].filter(Boolean).join(", ")));
  if (fixable.length) head.append(button(`Fix all (${fixable.length})`, () => state.fix(fixable), { id: "fix-all" }));
  const lines = new Map();
  const line = ({ file, start }) => {
    if (!lines.has(file)) lines.set(file, state.files.get(file)?.split("\n") ?? []);
    return lines.get(file)[start.line - 1];
  };
  const shown = all.slice(0, MAX_PROBLEMS).map((problem) => one(problem, line(problem), state));
  const more = all.length - MAX_PROBLEMS;
  return [head, ...shown, more > 0 && paragraph(`${more} more problems are not shown.`)].filter(Boolean);
}

function one(problem, line, state) {
  const title = `${problem.severity}[${problem.code}]: ${problem.message}`;
  const made = element("article", { class: `problem ${problem.severity}` });
  made.append(button(title, () => state.go(problem), { class: "title" }));
  made.append(element("p", { class: "place" }, `${problem.file}:${problem.start.line}:${problem.start.column}`));
  if (line !== undefined && line.length <= MAX_SEARCHED_LINE) made.append(excerpt(line, problem));
  for (const help of problem.help) made.append(element("p", { class: "help" }, help));
  for (const related of problem.related) {
    const place = `${related.file}:${related.start.line}:${related.start.column}`;
    const link = state.files.has(related.file) ? button(place, () => state.go(related), { class: "link" }) : place;
    made.append(element("p", { class: "related" }, `${related.message}: `, link));
  }
  const row = element("div", { class: "actions" });
  if (problem.edits.length && problem.edits.every((edit) => state.files.has(edit.file))) row.append(button("Fix", () => state.fix([problem]), { class: "fix" }));
  if (problem.url) {
    const details = element("details", {}, element("summary", {}, `Explain ${problem.code}`));
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) details.append(prose(state.explain(problem.code) ?? ""));
    });
    row.append(details);
  }
  made.append(row);
  return made;
}

// Shows the line of a problem, with the problem underlined.
function excerpt(line, { start, end }) {
  const characters = [...line];
  const from = Math.min(start.column - 1, characters.length);
  const to = end.line === start.line ? Math.min(end.column - 1, characters.length) : characters.length;
  const first = Math.max(0, from - MAX_LINE / 2);
  const part = (one, other) => characters.slice(one, other).join("");
  const text = element("code", {}, part(first, from), element("mark", {}, part(from, Math.min(to, first + MAX_LINE)) || " "), part(to, first + MAX_LINE));
  return element("pre", { class: "line", tabindex: "0", "aria-label": `Line ${start.line}` }, element("span", { class: "number", "aria-hidden": "true" }, `${start.line} `), text);
}

function prose(markdown) {
  const made = element("div", { class: "prose" });
  made.innerHTML = sanitize(marked.parse(labelled(markdown), { async: false }));
  for (const code of made.querySelectorAll("pre")) code.tabIndex = 0;
  return made;
}

// Says above each example whether it is wrong or right, and the name of its file.
function labelled(markdown) {
  const label = (_, fence, language, verdict, name) =>
    `*${verdict === "wrong" ? "Wrong" : "Right"}${name ? `, \`${name}\`` : ""}:*\n\n${fence}${language}`;
  return markdown.replace(/^(`{3,})(\w+) (wrong|right)(?: (\S+))?$/gm, label);
}

// Runs in a generated page, whose colors follow the system: shows a theme, then those that this page sends.
function follow(initial) {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const dark = rules.filter((rule) => rule.media?.mediaText.includes("prefers-color-scheme")).map((rule) => [rule, rule.media.mediaText]);
  const show = (theme) => {
    document.documentElement.style.colorScheme = theme;
    for (const [rule, media] of dark) rule.media.mediaText = { light: "not all", dark: "all" }[theme] ?? media;
  };
  show(initial);
  addEventListener("message", ({ source, data }) => source === parent && typeof data?.theme === "string" && show(data.theme));
}

const theme = () => document.documentElement.dataset.theme ?? "";

// Sends the theme to the generated page in a frame.
export function sendTheme(frame) {
  frame.contentWindow?.postMessage({ theme: theme() }, "*");
}

// Returns a frame for a generated page. It has no access to this page.
export function frame(title, page) {
  const made = element("iframe", { title, sandbox: "allow-scripts allow-downloads allow-forms" });
  const end = page.lastIndexOf("</body>");
  made.srcdoc = `${page.slice(0, end)}<script>(${follow})(${JSON.stringify(theme())})</script>${page.slice(end)}`;
  // A frame that is shown again is loaded again.
  made.addEventListener("load", () => sendTheme(made));
  return made;
}

export function text(content) {
  return element("pre", { class: "text", tabindex: "0" }, content);
}

// Shows data as a tree whose parts are opened on request.
export function tree(value) {
  const all = (open) => () => {
    for (const details of [...made.querySelectorAll("details")]) details.open = open;
  };
  const made = element("div", { class: "tree" });
  made.append(element("div", { class: "head" }, button("Expand", all(true)), button("Collapse", all(false)), button("Copy as JSON", () => navigator.clipboard?.writeText(JSON.stringify(value, null, 2)))));
  made.append(entries(value, 0));
  return made;
}

function entries(value, depth) {
  const list = element("ul");
  const all = Array.isArray(value) ? value.map((item, index) => [String(index), item]) : Object.entries(value ?? {});
  for (const [key, item] of all.slice(0, MAX_ENTRIES)) list.append(element("li", {}, ...entry(key, item, depth)));
  if (all.length > MAX_ENTRIES) list.append(element("li", {}, `${all.length - MAX_ENTRIES} more are not shown.`));
  return list;
}

function entry(key, item, depth) {
  const name = element("span", { class: "key" }, key);
  if (item === null || typeof item !== "object") return [name, ": ", scalar(item)];
  const size = Array.isArray(item) ? item.length : Object.keys(item).length;
  if (!size) return [name, ": ", Array.isArray(item) ? "[]" : "{}"];
  const details = element("details", {}, element("summary", {}, name, element("span", { class: "soft" }, Array.isArray(item) ? ` [${size}]` : ` {${size}}`)));
  const fill = () => details.open && details.children.length === 1 && details.append(entries(item, depth + 1));
  details.addEventListener("toggle", fill);
  if (depth < 2 && size <= 40) {
    details.open = true;
    fill();
  }
  return [details];
}

function scalar(value) {
  const shown = JSON.stringify(value) ?? "";
  const kind = typeof value === "string" ? "string" : "number";
  return element("span", { class: kind }, shown.length > MAX_VALUE ? `${shown.slice(0, MAX_VALUE)}… truncated` : shown);
}
