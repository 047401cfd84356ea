// The playground: files on the left, results on the right. The library defines `Parser` and `__wbg_init`, its
// default export.

const element = (id) => document.getElementById(id);
const examples = JSON.parse(element("texts").textContent);
const ENTRIES = ["hello.yaml", "broken.yaml", "cluster.yaml", "database-cluster.yaml", "shop.yaml", "open.yaml"];
const text = element("text");

// The first file is the template; it can import the others.
let files = new Map();
let active;
let view = "problems";
let outcome;
let problems;

// Limits on the output, because an untrusted link can contain very large files.
const MAX_PROBLEMS = 500;
const MAX_TEXT = 1e6;

function bytes(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function open(named) {
  files = new Map(Object.entries(named));
  show(files.keys().next().value);
}

function openExample(name) {
  const others = Object.keys(examples).filter((other) => other !== name && !ENTRIES.includes(other));
  open(Object.fromEntries([name, ...others].map((file) => [file, examples[file]])));
}

function show(name) {
  active = name;
  text.value = files.get(name);
  text.scrollTop = text.scrollLeft = 0;
  listFiles();
  parse();
}

function listFiles() {
  const tabs = [...files.keys()].map((name) => tab(name, name === active, () => show(name)));
  const add = button("+", () => {
    const name = prompt("File name", "types.yaml");
    if (name) {
      files.set(name, files.get(name) ?? "tosca_definitions_version: tosca_2_0\n");
      show(name);
    }
  });
  add.title = "Add a file";
  element("files").replaceChildren(...tabs, add);
}

function button(label, action) {
  const made = document.createElement("button");
  made.textContent = label;
  made.addEventListener("click", action);
  return made;
}

function tab(label, selected, action) {
  const made = button(label, action);
  made.role = "tab";
  made.ariaSelected = String(selected);
  return made;
}

function parse() {
  // A parser caches sources, and here any file can change, so each parse has a new one.
  const parser = new Parser();
  for (const [name, content] of files) {
    parser.write(name, content);
    const profile = /^profile:\s*["']?([^\s"'#]+)/m.exec(content);
    if (profile) {
      parser.writeProfile(profile[1], content);
    }
  }
  outcome?.free();
  outcome = parser.parse(files.keys().next().value);
  parser.free();
  problems = outcome.diagnostics;
  mark();
  draw();
}

// Converts the UTF-8 offsets of problems to indexes in the text area, in one pass.
function indexes(content, offsets) {
  const encoded = new TextEncoder().encode(content);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const found = new Map();
  let [done, length] = [0, 0];
  for (const offset of [...new Set(offsets)].sort((one, other) => one - other)) {
    length += decoder.decode(encoded.subarray(done, offset)).length;
    done = offset;
    found.set(offset, length);
  }
  return found;
}

function mark() {
  const content = text.value;
  const here = problems.filter((problem) => problem.file === active && problem.end.offset > problem.start.offset);
  const at = indexes(content, here.flatMap(({ start, end }) => [start.offset, end.offset]));
  const spans = here
    .map(({ severity, start, end }) => ({ severity, start: at.get(start.offset), end: at.get(end.offset) }))
    .sort((one, other) => one.start - other.start);
  const parts = [];
  let done = 0;
  for (const { severity, start, end } of spans) {
    if (start < done) continue;
    const marked = document.createElement("mark");
    marked.className = severity;
    marked.textContent = content.slice(start, end);
    parts.push(content.slice(done, start), marked);
    done = end;
  }
  element("marks").replaceChildren(...parts, content.slice(done), "\n");
  element("numbers").textContent = Array.from(content.split("\n"), (_, line) => line + 1).join("\n");
  scroll();
}

function scroll() {
  for (const pane of [element("marks"), element("numbers")]) pane.scrollTop = text.scrollTop;
  element("marks").scrollLeft = text.scrollLeft;
}

const VIEWS = {
  problems: () => {
    if (!problems.length) return [paragraph("No problems.", "good")];
    const more = problems.length - MAX_PROBLEMS;
    const rest = more > 0 ? [paragraph(`${more} more problems are not shown.`)] : [];
    const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => {
      const made = document.createElement("div");
      made.className = `problem ${problem.severity}`;
      const place = `${problem.file}:${problem.start.line}:${problem.start.column}`;
      made.append(button(`${problem.severity}[${problem.code}]: ${problem.message}`, () => go(problem)));
      for (const line of [place, ...problem.help]) {
        const small = document.createElement("small");
        small.textContent = line;
        made.append(small);
      }
      if (problem.edits.length && problem.edits.every((edit) => files.has(edit.file))) {
        made.append(button("Fix", () => fix(problem.edits)));
      }
      return made;
    });
    return [...shown, ...rest];
  },
  picture: () => {
    const picture = document.createElement("img");
    picture.alt = "The topology of the service";
    picture.src = `data:image/svg+xml,${encodeURIComponent(outcome.graph("svg"))}`;
    return [picture];
  },
  model: () => [preformatted(outcome.model())],
  plan: () => [preformatted(outcome.plan())],
  form: () => {
    const frame = document.createElement("iframe");
    frame.title = "Inputs";
    frame.sandbox = "allow-scripts allow-downloads";
    frame.srcdoc = outcome.formPage();
    return [frame];
  },
};

function draw() {
  for (const tab of document.querySelectorAll("[data-view]")) tab.ariaSelected = String(tab.dataset.view === view);
  let shown;
  try {
    shown = view === "problems" || outcome.hasService ? VIEWS[view]() : [paragraph("The template has no service.")];
  } catch (error) {
    shown = [paragraph(error.message)];
  }
  element("view").replaceChildren(...shown);
}

function paragraph(content, kind = "") {
  const made = document.createElement("p");
  made.className = kind;
  made.textContent = content;
  return made;
}

function preformatted(value) {
  const made = document.createElement("pre");
  const written = JSON.stringify(value, null, 2);
  made.textContent = written.length > MAX_TEXT ? `${written.slice(0, MAX_TEXT)}\n… truncated` : written;
  return made;
}

function go({ file, start, end }) {
  if (!files.has(file)) return;
  if (file !== active) show(file);
  text.focus();
  const at = indexes(text.value, [start.offset, end.offset]);
  text.setSelectionRange(at.get(start.offset), at.get(end.offset));
  const height = text.scrollHeight / Math.max(1, text.value.split("\n").length);
  text.scrollTop = Math.max(0, (start.line - 8) * height);
}

// Limits the output, because a short link can contain very large files.
async function through(stream, data, limit = 4e6) {
  const parts = [];
  let length = 0;
  for await (const part of new Blob([data]).stream().pipeThrough(stream)) {
    parts.push(part);
    length += part.length;
    if (length > limit) throw new Error("too large");
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// Applies the last edit first, so that the other offsets stay valid.
function fix(edits) {
  for (const { file, start, end, text } of edits.toSorted((one, other) => other.start.offset - one.start.offset)) {
    const content = files.get(file);
    const at = indexes(content, [start.offset, end.offset]);
    files.set(file, content.slice(0, at.get(start.offset)) + text + content.slice(at.get(end.offset)));
  }
  show(active);
}

async function link() {
  const packed = await through(new CompressionStream("deflate-raw"), JSON.stringify(Object.fromEntries(files)));
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  location.hash = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  try {
    await navigator.clipboard.writeText(location.href);
    element("note").textContent = "Link copied.";
  } catch {
    element("note").textContent = "The link is in the address bar.";
  }
}

async function fromLink() {
  const packed = location.hash.slice(1).replaceAll("-", "+").replaceAll("_", "/");
  if (!packed) return false;
  try {
    const unpacked = await through(new DecompressionStream("deflate-raw"), bytes(packed));
    const named = JSON.parse(new TextDecoder().decode(unpacked));
    if (!Object.keys(named).length || !Object.values(named).every((content) => typeof content === "string")) return false;
    open(named);
    return true;
  } catch {
    element("note").textContent = "The link contains no files.";
    return false;
  }
}

let waiting;
text.addEventListener("input", () => {
  files.set(active, text.value);
  clearTimeout(waiting);
  waiting = setTimeout(parse, 50);
});
text.addEventListener("scroll", scroll);
for (const tab of document.querySelectorAll("[data-view]")) {
  tab.addEventListener("click", () => {
    view = tab.dataset.view;
    draw();
  });
}
element("link").addEventListener("click", link);
element("examples").append(...ENTRIES.map((name) => new Option(name, name)));
element("examples").addEventListener("change", ({ target }) => target.value && openExample(target.value));

// Browsers load modules of more than 8 MiB only asynchronously.
await __wbg_init({ module_or_path: bytes(element("module").textContent) });
if (!(await fromLink())) openExample("broken.yaml");
document.body.dataset.ready = "true";
