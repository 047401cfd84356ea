// The playground: files on the left, results on the right.

import { Editor } from "./editor.js";
import { Engine, kind } from "./engine.js";
import { archive, edited, first, normalized, pack, read, save, saved, unpack } from "./files.js";
import { element, frame, paragraph, problems, sendTheme, text, tree } from "./views.js";

const find = (id) => document.getElementById(id);
const examples = JSON.parse(find("texts").textContent);

// Pauses after a change, in milliseconds.
const PAUSE = 60;
const SAVING = 300;

let files = new Map();
let engine;
let engineKind;
let result;
let view = "problems";
let asText = false;
let shownPage;
let waiting;
let saving;
let isFromLink = false;

const editor = new Editor(find("editor"), {
  change: (name, content) => {
    files.set(name, content);
    forgetLink();
    clearTimeout(waiting);
    waiting = setTimeout(update, PAUSE);
  },
  leave: () => document.querySelector("#views [aria-selected=true]").focus(),
  show: (name) => files.has(name) && (show(name), true),
});

// A reload shows the edited files, not those of the link.
function forgetLink() {
  if (!isFromLink) return;
  isFromLink = false;
  history.replaceState(null, "", location.pathname + location.search);
}

async function open(named) {
  files = named;
  await connect();
  show(files.keys().next().value);
  update();
}

// Uses the module and the server for the kind of the first file.
async function connect() {
  const wanted = kind(files) === "murano" ? "murano" : "templates";
  if (engine && wanted === engineKind) {
    editor.update(files);
    return;
  }
  let next;
  try {
    next = await Engine.of(wanted);
  } catch (error) {
    say(error.message);
    next = await Engine.of("templates");
  }
  engine?.free();
  [engine, engineKind, result] = [next, wanted, undefined];
  await editor.connect(engine.server, files);
}

function show(name) {
  editor.show(name, files.get(name));
  listFiles();
  if (!result) return;
  editor.mark(result.problems, (problem) => fix([problem]));
  editor.color();
}

async function update() {
  clearTimeout(waiting);
  waiting = undefined;
  if ((kind(files) === "murano") !== (engineKind === "murano")) {
    await connect();
    show(editor.name);
  }
  try {
    result = engine.analyze(files, kind(files));
  } catch (error) {
    result = undefined;
    find("view").replaceChildren(paragraph(error.message, "error"));
    return;
  }
  clearTimeout(saving);
  saving = setTimeout(keep, SAVING);
  editor.mark(result.problems, (problem) => fix([problem]));
  editor.color();
  const errors = result.problems.filter((problem) => problem.severity === "error").length;
  find("count").textContent = result.problems.length || "";
  find("count").className = errors ? "error" : "warning";
  find("language").textContent = result.language;
  draw();
}

// Saves the files, unless they are those of a link: then the saved ones stay until the first edit.
function keep() {
  if (isFromLink || save(files) || keep.hasFailed) return;
  keep.hasFailed = true;
  say("The files can't be saved, so they will not survive a reload.");
}

// Selects the place of a problem.
function go({ file, start, end }, focus = true) {
  if (!files.has(file)) return;
  if (file !== editor.name) show(file);
  pane("source");
  editor.select(start, end, focus);
}

function fix(list) {
  for (const [name, changes] of edited(files, list)) {
    if (name === editor.name) {
      editor.apply(changes);
    } else {
      let content = files.get(name);
      for (const { from, to, insert } of changes.toSorted((one, other) => other.from - one.from)) {
        content = content.slice(0, from) + insert + content.slice(to);
      }
      files.set(name, content);
    }
  }
  forgetLink();
  editor.update(files);
  update();
}

const VIEWS = {
  problems: () => problems({ problems: result.problems, files, go, fix, explain: (code) => engine.explain(code) }),
  diagram: () => page("Diagram", result.diagram()),
  plan: () => {
    const choice = (label, value) => element("button", { type: "button", "aria-pressed": String(asText === value), click: () => ((asText = value), draw()) }, label);
    const content = asText ? [text(result.planText())] : page("Plan", result.plan());
    return [element("div", { class: "head", role: "group", "aria-label": "Format" }, choice("Diagram", false), choice("Text", true)), ...content];
  },
  model: () => [tree(result.model())],
  form: () => page("Inputs", result.form()),
};

// Keeps a frame that shows the same page, so that its zoom and its fields stay.
function page(title, content) {
  if (shownPage?.content === content && shownPage.title === title) return [shownPage.frame];
  shownPage = { title, content, frame: frame(title, content) };
  return [shownPage.frame];
}

function draw() {
  for (const tab of find("views").children) {
    const isShown = tab.dataset.view === view;
    tab.ariaSelected = String(isShown);
    tab.tabIndex = isShown ? 0 : -1;
    if (isShown) find("view").setAttribute("aria-labelledby", tab.id);
  }
  if (!result) return;
  let shown;
  try {
    shown = VIEWS[view]();
  } catch (error) {
    const hint = result.problems.some((problem) => problem.severity === "error") ? " Fix the errors first." : "";
    shown = [paragraph(error.message[0].toUpperCase() + error.message.slice(1).replace(/\.?$/, ".") + hint)];
  }
  // A frame that moves would be loaded again.
  const holder = find("view");
  const kept = shown.find((child) => child.parentNode === holder);
  if (!kept) return holder.replaceChildren(...shown);
  for (const child of [...holder.children]) if (child !== kept) child.remove();
  kept.before(...shown.slice(0, shown.indexOf(kept)));
}

function listFiles() {
  const tabs = [...files.keys()].map((name) =>
    element("button", { type: "button", role: "tab", "aria-selected": String(name === editor.name), tabindex: name === editor.name ? 0 : -1, "aria-controls": "editor", click: () => show(name) }, name),
  );
  find("files").replaceChildren(...tabs);
  const isEntry = files.keys().next().value === editor.name;
  find("entry").hidden = isEntry;
  find("delete").disabled = files.size < 2;
}

function addFile() {
  const wanted = prompt("Name of the new file", "types.yaml")?.trim();
  if (!wanted) return;
  const name = normalized(wanted);
  if (!name) return say("The name must be a path without `..`.");
  if (!files.has(name)) files.set(name, /\.ya?ml$/.test(name) ? "tosca_definitions_version: tosca_2_0\n" : "");
  editor.update(files);
  show(name);
  update();
}

function deleteFile() {
  files.delete(editor.name);
  open(files);
}

function download() {
  const isOne = files.size === 1;
  const blob = new Blob([isOne ? files.values().next().value : archive(files)]);
  const link = element("a", { href: URL.createObjectURL(blob), download: isOne ? editor.name.replace(/.*\//, "") : "files.zip" });
  link.click();
  URL.revokeObjectURL(link.href);
}

async function take(items) {
  try {
    const found = await read(items);
    if (!found.size) return say("There is no text file.");
    forgetLink();
    await open(found);
    say(found.size === 1 ? "1 file opened." : `${found.size} files opened.`);
  } catch (error) {
    say(error.message);
  }
}

async function link() {
  try {
    history.replaceState(null, "", `#${await pack(files)}`);
  } catch (error) {
    return say(error.message);
  }
  keep();
  isFromLink = true;
  try {
    await navigator.clipboard.writeText(location.href);
    say("Link copied.");
  } catch {
    say("The link is in the address bar.");
  }
}

function say(message) {
  find("note").textContent = message;
  clearTimeout(say.end);
  say.end = setTimeout(() => (find("note").textContent = ""), 8000);
}

// On phones, one of the two panes is shown.
function pane(name) {
  document.body.dataset.pane = name;
  for (const choice of find("panes").children) choice.ariaPressed = String(choice.dataset.pane === name);
}

const THEMES = ["system", "light", "dark"];

function theme(name) {
  const shown = THEMES.includes(name) ? name : "system";
  find("theme").value = shown;
  if (shown === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = shown;
  if (shownPage) sendTheme(shownPage.frame);
}

// Arrow keys choose among tabs.
function choose(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...event.currentTarget.children];
  const next = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
  event.preventDefault();
  tabs[next].click();
  event.currentTarget.children[next].focus();
}

// The page of a diagram sends the place of the chosen box.
function hear(event) {
  const isOurs = event.source === shownPage?.frame.contentWindow && typeof event.data?.location === "string";
  const [, file, line, column] = (isOurs && /^(.*):(\d+):(\d+)$/.exec(event.data.location)) || [];
  if (!file || !files.has(file)) return;
  const isPhone = getComputedStyle(find("panes")).display !== "none";
  if (!isPhone || event.data.open) go({ file, start: { line: Number(line), column: Number(column) } }, Boolean(event.data.open));
}

find("add").addEventListener("click", addFile);
find("delete").addEventListener("click", deleteFile);
find("entry").addEventListener("click", () => open(first(files, editor.name)));
find("link").addEventListener("click", link);
find("download").addEventListener("click", download);
find("open").addEventListener("click", () => find("chosen").click());
find("chosen").addEventListener("change", ({ target }) => take([...target.files]).finally(() => (target.value = "")));
find("examples").append(...Object.keys(examples).map((name) => new Option(name, name)));
find("examples").addEventListener("change", async ({ target }) => {
  if (!target.value) return;
  forgetLink();
  await open(new Map(Object.entries(examples[target.value])));
  target.value = "";
});
find("theme").addEventListener("change", ({ target }) => {
  theme(target.value);
  try {
    if (target.value === "system") delete localStorage.theme;
    else localStorage.theme = target.value;
  } catch {
    // The choice lasts for this page if storage is blocked.
  }
});
for (const choice of find("panes").children) choice.addEventListener("click", () => pane(choice.dataset.pane));
for (const tab of find("views").children) {
  tab.addEventListener("click", () => {
    view = tab.dataset.view;
    tab.scrollIntoView({ inline: "nearest", block: "nearest" });
    draw();
  });
}
for (const tabs of [find("files"), find("views")]) tabs.addEventListener("keydown", choose);
addEventListener("message", hear);
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
addEventListener("dragleave", (event) => event.relatedTarget ?? document.body.classList.remove("dropping"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile()).filter(Boolean);
  take(entries.length ? entries : [...event.dataTransfer.files]);
});

addEventListener("pagehide", keep);
addEventListener("hashchange", async () => {
  const linked = await unpack(location.hash.slice(1));
  if (!linked) return say("The link contains no files.");
  isFromLink = true;
  await open(linked);
});
// The site around this page has the same setting.
addEventListener("storage", ({ key, newValue }) => key === "theme" && theme(newValue));

try {
  theme(new URLSearchParams(location.search).get("theme") ?? localStorage.theme);
} catch {
  theme("system");
}
const hash = location.hash.slice(1);
const linked = hash && (await unpack(hash));
isFromLink = Boolean(linked);
pane("source");
await open(linked || saved() || new Map(Object.entries(Object.values(examples)[0])));
if (hash && !linked) say("The link contains no files.");
document.body.dataset.ready = "true";
