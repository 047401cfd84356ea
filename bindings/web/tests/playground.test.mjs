// The playground in a real browser, opened from a file, offline. Skipped without chromedriver.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { packTar } from "modern-tar";
import { pack, read, unpack } from "../playground/files.js";

const web = join(import.meta.dirname, "..");
const unoptimized = process.env.WEB_BUILD === "dev" && "the modules are not optimized";
const page = pathToFileURL(join(web, "dist/playground.html")).href;
const absent = spawnSync("chromedriver", ["--version"]).error && "there is no chromedriver";
let driver, profile, session;

async function ask(method, path, body) {
  const answer = await fetch(`${session}${path}`, { method, body: body && JSON.stringify(body) });
  const { value } = await answer.json();
  if (value?.error) throw new Error(value.message);
  return value;
}

const run = (script, ...args) => ask("POST", "/execute/sync", { script, args });
const shown = () => run("return document.getElementById('view').innerText");
const press = (view) => run("document.querySelector(`[data-view=${arguments[0]}]`).click()", view);
const click = (selector) => run("document.querySelector(arguments[0]).click()", selector);
const text = () => run("return document.querySelector('.cm-content').cmTile.view.state.doc.toString()");

async function until(what, holds) {
  for (const start = Date.now(); Date.now() - start < 20_000; ) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`${what}: it shows ${await shown()}`);
}

async function load(url) {
  await ask("POST", "/url", { url: "about:blank" });
  await ask("POST", "/url", { url });
  await until("the page is ready", () => run("return document.body.dataset.ready === 'true'"));
}

// Opens the page without saved files.
async function open(url) {
  await load(url);
  await run("addEventListener('pagehide', () => localStorage.clear())");
  await load(url);
}

const size = (width, height = 900) => ask("POST", "/window/rect", { width, height });
const type = (content) => run("const { view } = document.querySelector('.cm-content').cmTile; view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: arguments[0] } })", content);
const place = (at) => run("const { view } = document.querySelector('.cm-content').cmTile; view.focus(); view.dispatch({ selection: { anchor: arguments[0] } })", at);
const choose = (name) => run("const list = document.getElementById('examples'); list.value = arguments[0]; list.dispatchEvent(new Event('change'))", name);

// Presses keys of the keyboard, as a user does.
function keys(...pressed) {
  const actions = pressed.flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]);
  return ask("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
}

const [TAB, ESCAPE, ENTER] = ["\uE004", "\uE00C", "\uE007"];

before(async () => {
  if (absent) return;
  profile = mkdtempSync(join(tmpdir(), "playground-"));
  driver = spawn("chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of createInterface({ input: driver.stdout })) {
    const [, port] = /on port (\d+)/.exec(line) ?? [];
    if (port > 0) {
      session = `http://127.0.0.1:${port}/session`;
      break;
    }
  }
  const args = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
  args.push("--disable-background-networking", "--disable-component-update", "--disable-sync", `--user-data-dir=${profile}`);
  const made = await ask("POST", "", { capabilities: { alwaysMatch: { "goog:chromeOptions": { args } } } });
  session += `/${made.sessionId}`;
  await size(1300);
});

after(async () => {
  if (absent) return;
  await ask("DELETE", "").catch(() => {});
  driver.kill();
  rmSync(profile, { recursive: true, force: true });
});

const VALID = `tosca_definitions_version: tosca_2_0
node_types: { Server: {} }
service_template:
  inputs: { size: { type: integer, description: How many. } }
  node_templates: { web: { type: Server } }
`;

test("problems are shown as one types, with line, place, explanation and fix", { skip: absent }, async () => {
  await open(page);
  await type(VALID.replace("{ type: Server }", "{ type: Sérver }"));
  await until("the problem is there", async () => (await shown()).includes("there is no node type `Sérver`"));
  assert.match(await shown(), /broken\.yaml:5:34/);
  assert.equal(await run("return document.querySelector('.problem mark').textContent"), "Sérver");
  assert.equal(await run("return document.querySelector('.cm-lintRange-error').textContent"), "Sérver");
  await click(".problem .title");
  assert.equal(await run("const { state } = document.querySelector('.cm-content').cmTile.view; const { from, to } = state.selection.main; return state.sliceDoc(from, to)"), "Sérver");
  await click(".problem summary");
  await until("the rule is explained", () => run("return document.querySelector('.problem .prose pre') !== null"));
  await click(".problem .fix");
  assert.equal(await text(), VALID);
  await until("the problem is gone", async () => (await shown()).includes("No problems."));
});

test("all problems are fixed at once, and related places lead to other files", { skip: absent }, async () => {
  await open(page);
  const broken = VALID.replace("{ web: { type: Server } }", "{ web: { type: Sever }, db: { type: Servr } }");
  await type(broken);
  await until("both are there", () => run("return document.querySelectorAll('.problem').length === 2"));
  await click("#fix-all");
  assert.equal(await text(), VALID.replace("{ web: { type: Server } }", "{ web: { type: Server }, db: { type: Server } }"));
  await choose("TOSCA 2.0: mistakes and fixes");
  await until("a related place is there", () => run("return document.querySelector('.related .link') !== null"));
  const related = await run("return document.querySelector('.related .link').textContent");
  await click(".related .link");
  assert.equal(await run("return document.querySelector('#files [aria-selected=true]').textContent"), related.replace(/:\d+:\d+$/, ""));
});

test("the language server completes, explains and leads to definitions", { skip: absent }, async () => {
  await open(page);
  const described = VALID.replace("Server: {}", 'Server: { description: "<img src=x><style>p{}</style><b id=view>bold</b>" }');
  await type(described);
  const at = described.indexOf("type: Server") + "type: S".length;
  await place(at);
  await until("there are completions", async () => {
    await run("const { view } = document.querySelector('.cm-content').cmTile; view.contentDOM.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', code: 'Space', keyCode: 32, ctrlKey: true, bubbles: true }))");
    return run("return [...document.querySelectorAll('.cm-completionLabel')].some((label) => label.textContent === 'Server')");
  });
  await keys(ESCAPE);
  await keys("\uE03C");
  await until("the definition is selected", () => run("return document.querySelector('.cm-content').cmTile.view.state.selection.main.from === arguments[0]", described.indexOf("Server: {")));
  const box = await run("const { view } = document.querySelector('.cm-content').cmTile; const { left, top } = view.coordsAtPos(arguments[0]); return { x: Math.round(left) + 2, y: Math.round(top) + 5 }", at);
  const move = { type: "pointerMove", duration: 50, origin: "viewport" };
  await ask("POST", "/actions", { actions: [{ type: "pointer", id: "mouse", actions: [{ ...move, x: box.x + 40, y: box.y + 2 }, { ...move, ...box }] }] });
  await until("the type is explained", () => run("return document.querySelector('.cm-tooltip-hover .cm-lsp-documentation')?.textContent.includes('bold') ?? false"));
  // Descriptions can't load images or change the page.
  assert.ok(await run("const { innerHTML } = document.querySelector('.cm-tooltip-hover .cm-lsp-documentation'); return innerHTML.includes('<b>bold</b>') && !/<img|<style|id=/.test(innerHTML)"));
});

test("Tab indents, and Escape leaves the editor", { skip: absent }, async () => {
  await open(page);
  await type("a: 1\n");
  await place(0);
  await keys(TAB);
  assert.equal(await text(), "  a: 1\n");
  await place(6);
  await keys(ENTER, "[");
  assert.equal(await text(), "  a: 1\n  []\n");
  // The first one closes the list of completions if there is one.
  await until("the editor is left", async () => {
    await keys(ESCAPE);
    return (await run("return document.activeElement.id")) === "tab-problems";
  });
});

test("model, diagram, plan and inputs are shown", { skip: absent }, async () => {
  await open(page);
  await type(VALID);
  await press("model");
  await until("the model is there", async () => (await shown()).includes("web"));
  const before = await run("return document.querySelectorAll('.tree li').length");
  await click(".tree .head button");
  await until("the model is open", async () => (await run("return document.querySelectorAll('.tree li').length")) > before);
  await press("plan");
  await until("the plan is there", () => run("return document.querySelector('#view iframe')?.srcdoc.includes('<svg') ?? false"));
  await click("#view .head button:last-of-type");
  await until("the plan is text", async () => /web/.test(await run("return document.querySelector('pre.text')?.textContent ?? ''")));
  await press("diagram");
  await until("the diagram is there", () => run("return document.querySelector('#view iframe')?.srcdoc.includes('data-node') ?? false"));
  await press("form");
  await until("the form is there", () => run("return document.querySelector('#view iframe')?.srcdoc.includes('How many.') ?? false"));
});

test("a box of the diagram leads to its source", { skip: absent }, async () => {
  await open(page);
  await type(VALID);
  await press("diagram");
  await until("the diagram is there", () => run("return document.querySelector('#view iframe')?.srcdoc.includes('broken.yaml:5:') ?? false"));
  const frame = await run("return document.querySelector('#view iframe')");
  await ask("POST", "/frame", { id: frame });
  await until("the boxes are there", () => run("return document.querySelector('[data-node]') !== null"));
  await run("document.querySelector('[data-node]').dispatchEvent(new MouseEvent('click', { bubbles: true }))");
  assert.match(await run("return document.getElementById('details').innerText"), /broken\.yaml:5:\d+/);
  const scale = () => run("return document.getElementById('scale').textContent");
  const first = await scale();
  await run("document.getElementById('in').click()");
  assert.notEqual(await scale(), first);
  await ask("POST", "/frame", { id: null });
  await until("the source is selected", () => run("return document.querySelector('.cm-content').cmTile.view.state.doc.lineAt(document.querySelector('.cm-content').cmTile.view.state.selection.main.head).number === 5"));
});

test("much is shown in part", { skip: absent }, async () => {
  await open(page);
  const nodes = Array.from({ length: 3000 }, (_, number) => `    é${number}: { type: Nowhere }\n`).join("");
  await type(`tosca_definitions_version: tosca_2_0\nservice_template:\n  node_templates:\n${nodes}`);
  await until("the rest is counted", async () => (await shown()).includes("501 more problems are not shown."));
  assert.equal(await run("return document.querySelectorAll('.problem').length"), 500);
  await type(VALID.replace("{ web:", `{ web2: { type: Server, metadata: { a: ${"x".repeat(1_100_000)} } }, web:`));
  await press("model");
  await click(".tree .head button");
  await until("the model is cut", async () => {
    await click(".tree .head button");
    return (await run("return document.querySelector('.tree').textContent")).includes("… truncated");
  });
});

test("all examples are read, in all languages", { skip: absent }, async () => {
  await open(page);
  const names = await run("return [...document.getElementById('examples').options].map((option) => option.value).filter(Boolean)");
  for (const language of ["TOSCA 1.3", "TOSCA 2.0", "NFV", "Heat", "Yay", "MuranoPL"]) assert.ok(names.some((name) => name.startsWith(language)), language);
  for (const name of names) {
    await run("document.body.dataset.before = document.querySelector('#files button').textContent");
    await choose(name);
    const entry = JSON.parse(readFileSync(join(web, "playground/examples.json"), "utf8"))[name];
    await until(`${name} is shown`, () => run("return document.querySelector('#files button').textContent === arguments[0]", Object.keys(entry)[0]));
    await press("problems");
    const errors = await run("return document.querySelectorAll('.problem.error').length");
    assert.equal(errors > 0, name.includes("mistakes"), `${name}: ${await shown()}`);
    await press("diagram");
    if (!errors) assert.ok(await run("return document.querySelector('#view iframe') !== null"), `${name}: ${await shown()}`);
  }
  const language = await run("return document.getElementById('language').textContent");
  assert.equal(language, "MuranoPL", "the last example needs the other module");
  await press("form");
  await until("the form of a class is there", () => run("return document.querySelector('#view iframe')?.srcdoc.includes('<form') ?? false"));
});

test("a link holds the files, and an edit takes its place", { skip: absent }, async () => {
  await open(page);
  await type(VALID);
  await click("#link");
  await until("the link is there", () => run("return location.hash.length > 10"));
  const url = await run("return location.href");
  await open(url);
  assert.equal(await text(), VALID);
  await type(VALID.replace("web:", "www:"));
  await until("the link is gone", () => run("return location.hash === ''"));
  await load(`${page}#wrong`);
  assert.match(await run("return document.getElementById('note').textContent"), /contains no files/);
});

test("a link does not replace the saved files, and its line breaks are those of the editor", { skip: absent }, async () => {
  await open(page);
  await type(VALID.replace("web:", "mine:"));
  await until("it is saved", () => run("return localStorage.getItem('tosca-parse.playground')?.includes('mine') ?? false"));
  const linked = VALID.replace("type: Server", "type: Servr").replaceAll("\n", "\r\n");
  await load(`${page}#${await pack(new Map([["a.yaml", linked]]))}`);
  await until("the problem is shown", () => run("return Boolean(document.querySelector('.fix'))"));
  assert.match(await run("return localStorage.getItem('tosca-parse.playground')"), /mine/);
  await click(".fix");
  assert.equal(await text(), VALID);
  // A link that is pasted into the open page.
  await run("location.hash = arguments[0]", await pack(new Map([["b.yaml", "a: b"]])));
  await until("the other files are shown", async () => (await text()) === "a: b");
});

test("names and sizes of files are checked", async () => {
  const unpacked = async (files) => unpack(await pack(new Map(Object.entries(files))));
  assert.deepEqual([...(await unpacked({ "a/b.yaml": "x: 1\r\ny: 2\r" }))], [["a/b.yaml", "x: 1\ny: 2\n"]]);
  for (const name of ["", "../a.yaml", "./a.yaml", "/a.yaml", "a//b", "\ud800.yaml", "a\\b", "a\nb"]) {
    assert.equal(await unpacked({ [name]: "x: 1" }), undefined, name);
  }
  await assert.rejects(pack(new Map([["a.yaml", "x".repeat(5e6)]])), /too large/);
  const zip = (files) => [new File([zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))], "a.zip")];
  const meta = `Entry-Definitions:  b.yaml \r\n`;
  const read_ = await read(zip({ "./a.yaml": "a: 1\r\n", "../c.yaml": "c: 1", "b.yaml": "b: 1", "TOSCA.meta": meta }));
  assert.deepEqual([...read_.keys()], ["b.yaml", "a.yaml", "TOSCA.meta"]);
  assert.equal(read_.get("a.yaml"), "a: 1\n");
});

test("tar archives are unpacked, and limited", async () => {
  const member = (name, body) => ({ header: { name, size: body.length, type: "file" }, body });
  const long = `${"folder/".repeat(30)}b.yaml`;
  const tar = await packTar([member("x/a.yaml", "a: 1\r\n"), member(`x/${long}`, "b: 1"), member("../c.yaml", "c: 1"), member("x/empty.yaml", ""), { header: { name: "x/link.yaml", size: 0, type: "symlink", linkname: "a.yaml" } }]);
  const content = [["a.yaml", "a: 1\n"], [long, "b: 1"], ["empty.yaml", ""]];
  for (const [name, bytes] of [["a.tar", tar], ["a.tar.gz", gzipSync(tar)], ["a.tgz", gzipSync(tar)]]) {
    assert.deepEqual([...(await read([new File([bytes], name)]))], content, name);
  }
  const large = await packTar([member("a.yaml", "a".repeat(20_000_000))]);
  await assert.rejects(read([new File([gzipSync(large)], "large.tgz")]), /too large/);
  await assert.rejects(read([new File(["no archive".repeat(100)], "a.tar")]), /a\.tar/);
  await assert.rejects(read([new File([gzipSync(tar).subarray(0, 60)], "a.tgz")]), /a\.tgz/);
});

test("names have colors by their meaning", { skip: absent }, async () => {
  await open(page);
  await type(VALID);
  const marked = (kind) => run("return [...document.querySelectorAll(`.cm-content .token-${arguments[0]}`)].map((found) => found.textContent)", kind);
  await until("types have a color", async () => (await marked("class")).join() === "Server,integer,Server");
  assert.deepEqual(await marked("declaration"), ["Server", "size", "web"]);
  const color = (kind) => run("return getComputedStyle(document.querySelector(`.token-${arguments[0]} *, .token-${arguments[0]}`)).color", kind);
  assert.notEqual(await color("class"), await color("keyword"));
  await place(0);
  await keys(ENTER);
  assert.equal((await marked("class")).join(), "Server,integer,Server");
});

test("the text survives a reload", { skip: absent }, async () => {
  await open(page);
  const content = VALID.replace("web:", "kept:");
  await type(content);
  await until("it is saved", () => run("return localStorage.getItem('tosca-parse.playground')?.includes('kept') ?? false"));
  await load(page);
  assert.equal(await text(), content);
});

test("archives and files are opened", { skip: absent }, async () => {
  await open(page);
  const files = {
    "TOSCA-Metadata/TOSCA.meta": "CSAR-Version: 2.0\nCreated-By: a test\nEntry-Definitions: defs/main.yaml\n",
    "defs/main.yaml": VALID.replace("node_types: { Server: {} }", "imports: [ types.yaml ]"),
    "defs/types.yaml": "tosca_definitions_version: tosca_2_0\nnode_types: { Server: {} }\n",
    "image.bin": "\0",
  };
  const folder = mkdtempSync(join(tmpdir(), "archive-"));
  const path = join(folder, "service.csar");
  writeFileSync(path, zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strToU8(content)]))));
  await run("document.getElementById('chosen').hidden = false");
  const input = await ask("POST", "/element", { using: "css selector", value: "#chosen" });
  await ask("POST", `/element/${Object.values(input)[0]}/value`, { text: path });
  await until("the entry is shown", () => run("return document.querySelector('#files button').textContent === 'defs/main.yaml'"));
  await until("it is valid", async () => (await shown()).includes("No problems."));
  assert.equal(await run("return document.querySelectorAll('#files button').length"), 3);
  rmSync(folder, { recursive: true });
  // A file that is dropped.
  await run(`const data = new DataTransfer();
    data.items.add(new File([arguments[0]], "dropped.yaml"));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))`, VALID);
  await until("the dropped file is shown", () => run("return document.querySelector('#files button').textContent === 'dropped.yaml'"));
  // An archive that expands to too much.
  await run(`const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(arguments[0])], "bomb.zip"));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))`, [...zipSync({ "a.yaml": new Uint8Array(20_000_000).fill(97) })]);
  await until("the bomb is refused", async () => /too large/.test(await run("return document.getElementById('note').textContent")));
});

test("phones show one pane, and themes are light and dark", { skip: absent }, async () => {
  await size(500, 800);
  await open(page);
  const isShown = (id) => run("return document.getElementById(arguments[0]).offsetWidth > 0", id);
  assert.deepEqual([await isShown("source"), await isShown("result")], [true, false]);
  await click("#panes [data-pane=result]");
  assert.deepEqual([await isShown("source"), await isShown("result")], [false, true]);
  for (const width of [500, 390, 360]) {
    await size(width, 800);
    assert.ok(await run("return document.documentElement.scrollWidth <= innerWidth"), `it is too wide for ${width}`);
    assert.ok(await run("return document.querySelector('header').offsetHeight < 90"), `the header has more than two rows at ${width}`);
  }
  await click(".problem .title");
  assert.deepEqual([await isShown("source"), await isShown("result")], [true, false]);
  await size(1300);
  const background = () => run("return getComputedStyle(document.body).backgroundColor");
  const theme = (name) => run("const list = document.getElementById('theme'); list.value = arguments[0]; list.dispatchEvent(new Event('change'))", name);
  await theme("light");
  const light = await background();
  await theme("dark");
  assert.notEqual(await background(), light);
});

test("open diagrams and forms follow the theme at once", { skip: absent }, async () => {
  await size(1300);
  await open(page);
  await type(VALID);
  const theme = (name) => run("const list = document.getElementById('theme'); list.value = arguments[0]; list.dispatchEvent(new Event('change'))", name);
  // The colors of text: those of the page, and of a box in a diagram.
  const colors = () => run("const of = (element) => element && getComputedStyle(element); return [of(document.body).color, of(document.querySelector('.name'))?.fill ?? null]");
  const inFrame = async (action) => {
    await ask("POST", "/frame", { id: await run("return document.querySelector('#view iframe')") });
    const found = await action();
    await ask("POST", "/frame", { id: null });
    return found;
  };
  for (const [view, content] of [["diagram", "data-node"], ["form", "How many."]]) {
    await theme("light");
    await press(view);
    await until("the page is there", () => run("return document.querySelector('#view iframe')?.srcdoc.includes(arguments[0]) ?? false", content));
    const light = await inFrame(colors);
    // What was entered is kept.
    await inFrame(() => run("const field = document.querySelector('input'); if (field) field.value = '7'"));
    await theme("dark");
    await until("the page is dark", async () => (await inFrame(colors)).every((color, index) => color === null || color !== light[index]));
    assert.equal(await inFrame(() => run("return document.querySelector('input').value")), "7");
    await theme("light");
    await until("the page is light", async () => JSON.stringify(await inFrame(colors)) === JSON.stringify(light));
    await theme("dark");
    await press("problems");
    await press(view);
    await until("the page is dark when it is shown again", async () => (await inFrame(colors))[0] !== light[0]);
  }
  await theme("system");
});

test("the page is accessible", { skip: absent }, async () => {
  const axe = readFileSync(join(web, "node_modules/axe-core/axe.min.js"), "utf8");
  for (const [width, theme, views] of [[1300, "light", ["problems", "model", "plan"]], [1300, "dark", ["problems", "diagram", "model"]], [500, "light", ["problems", "form"]], [500, "dark", ["problems"]]]) {
    await size(width);
    await open(`${page}?theme=${theme}`);
    for (const view of views) {
      if (view === "model") await choose("TOSCA 1.3: a web application");
      await press(view);
      await run(axe);
      const found = await ask("POST", "/execute/async", { script: "const done = arguments[0]; axe.run(document, { iframes: false }).then(({ violations }) => done(violations.map((one) => [one.id, one.nodes.map((node) => node.html)])))", args: [] });
      assert.deepEqual(found, [], `${width} ${theme} ${view}`);
    }
  }
  await size(1300);
});

test("the page is as small as the README says", { skip: unoptimized }, () => {
  const readme = readFileSync(join(web, "README.md"), "utf8");
  for (const [file, row] of [["playground.html", "Playground"], ["playground-murano.js", "MuranoPL for the playground"]]) {
    const [, stated] = new RegExp(`\\| ${row} \\| ([\\d.]+) MB`).exec(readme);
    const bytes = gzipSync(readFileSync(join(web, "dist", file)), { level: 9 }).length;
    assert.ok(bytes < Number(stated) * 1e6, `${file} has ${bytes} bytes`);
  }
});
