// The playground in a real browser, opened from a file, offline. Skipped without chromedriver.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const page = pathToFileURL(join(import.meta.dirname, "../dist/playground.html")).href;
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

async function until(what, holds) {
  for (const start = Date.now(); Date.now() - start < 20_000; ) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`${what}: it shows ${await shown()}`);
}

async function open(url) {
  await ask("POST", "/url", { url: "about:blank" });
  await ask("POST", "/url", { url });
  await until("the page is ready", () => run("return document.body.dataset.ready === 'true'"));
}

const type = (text) =>
  run("const text = document.getElementById('text'); text.value = arguments[0]; text.dispatchEvent(new Event('input'))", text);

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

test("problems are shown as one types, with the place", { skip: absent }, async () => {
  await open(page);
  await type(VALID.replace("{ type: Server }", "{ type: Sérver }"));
  await until("the problem is there", async () => (await shown()).includes("there is no node type `Sérver`"));
  assert.match(await shown(), /broken\.yaml:5:34/);
  assert.equal(await run("return document.querySelector('mark').textContent"), "Sérver");
  await run("document.querySelector('.problem button').click()");
  assert.equal(await run("const text = document.getElementById('text'); return text.value.slice(text.selectionStart, text.selectionEnd)"), "Sérver");
  await run("document.querySelector('.problem button:last-of-type').click()");
  assert.equal(await run("return document.getElementById('text').value"), VALID);
  await until("the problem is gone", async () => (await shown()).includes("No problems."));
});

test("model, picture, plan and inputs are shown", { skip: absent }, async () => {
  await open(page);
  await type(VALID);
  await press("model");
  await until("the model is there", async () => (await shown()).includes('"web"'));
  await press("plan");
  await until("the plan is there", async () => (await shown()).includes('"deployment"'));
  await press("picture");
  await until("the picture is there", () => run("return document.querySelector('#view img')?.naturalWidth > 0"));
  await press("form");
  await until("the form is there", () => run("return document.querySelector('#view iframe')?.srcdoc.includes('How many.')"));
});

test("much is shown in part", { skip: absent }, async () => {
  await open(page);
  const nodes = Array.from({ length: 3000 }, (_, number) => `    é${number}: { type: Nowhere }\n`).join("");
  await type(`tosca_definitions_version: tosca_2_0\nservice_template:\n  node_templates:\n${nodes}`);
  await until("what is left out is told", async () => (await shown()).includes("501 more problems are not shown."));
  assert.equal(await run("return document.querySelectorAll('.problem').length"), 500);
  assert.equal(await run("return [...document.querySelectorAll('mark')].at(-1).textContent"), "Nowhere");
  await type(VALID.replace("{ web:", `{ web2: { type: Server, metadata: { a: ${"x".repeat(1_100_000)} } }, web:`));
  await press("model");
  await until("the model is cut", async () => (await shown()).includes("… truncated"));
});

test("all examples are read, and import each other", { skip: absent }, async () => {
  await open(page);
  const names = await run("return [...document.getElementById('examples').options].map((option) => option.value).filter(Boolean)");
  assert.ok(names.length >= 5);
  for (const name of names) {
    await run("const list = document.getElementById('examples'); list.value = arguments[0]; list.dispatchEvent(new Event('change'))", name);
    const errors = await run("return document.querySelectorAll('.problem.error').length");
    assert.equal(errors > 0, name === "broken.yaml", `${name}: ${await shown()}`);
  }
});

test("a link holds the files", { skip: absent }, async () => {
  await open(page);
  await type(VALID);
  await run("document.getElementById('link').click()");
  await until("the link is there", () => run("return location.hash.length > 10"));
  const url = await run("return location.href");
  await open(url);
  assert.equal(await run("return document.getElementById('text').value"), VALID);
  await open(`${page}#wrong`);
  assert.match(await run("return document.getElementById('note').textContent"), /contains no files/);
});
