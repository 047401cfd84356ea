/** The extension against the real server, with a stand-in for the editor. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { activate, deactivate } from "../src/extension";
import { COMMAND, run, SHOP, temporary, until } from "./support";
import { CancellationTokenSource, editor, emitters, Position, TextDocument, Uri, window } from "./vscode";

const folder = temporary();
const subscriptions: { dispose(): unknown }[] = [];
const token = new CancellationTokenSource().token;

function write(name: string, text: string) {
  writeFileSync(path.join(folder, name), text);
  return Uri.file(path.join(folder, name));
}

const problemsOf = (document: TextDocument) => editor.problems.get(document.uri.toString()) ?? [];
const page = (title: string): string => editor.panels.findLast((panel) => panel.title === title)?.webview.html ?? "";

/** Waits until a page matches. A change during a request replaces it by a later one. */
const shows = (title: string, pattern: RegExp) => until(`${title}: ${pattern}`, () => pattern.test(page(title)));

const command = (name: string, ...parameters: unknown[]) => editor.commands.get(`tosca-parse.${name}`)?.(...parameters);

before(async () => {
  editor.folder = folder;
  editor.settings.set("tosca-parse.path", COMMAND);
  editor.settings.set("tosca-parse.detectLanguage", true);
  await activate({ extensionPath: folder, subscriptions } as never);
});

after(async () => {
  await deactivate();
  for (const one of subscriptions.reverse()) one.dispose();
});

test("other YAML starts no server and keeps its language", async () => {
  const document = editor.open(write("compose.yaml", "services: {}\n"), "yaml");
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(document.languageId, "yaml");
  assert.equal(editor.providers.has("Hover"), false);
  assert.equal(editor.status.isVisible, false);
});

test("a template gets its language, problems and a status", async () => {
  const document = editor.open(write("broken.yaml", SHOP.replace("type: Shop", "type: Shoop")), "yaml");
  const problems = await until("problems", () => problemsOf(document).length ? problemsOf(document) : undefined);
  assert.equal(document.languageId, "tosca");
  assert.match(problems.map(({ message }) => message).join(), /no node type `Shoop`/);
  await until("an error in the status bar", () => editor.status.text === "$(error) TOSCA 2.0");
  document.replace(SHOP);
  await until("no problems", () => !problemsOf(document).length);
  await until("a sound status", () => editor.status.text === "$(check) TOSCA 2.0");
});

test("completion, formatting and code lenses work", async () => {
  const document = editor.open(write("shop.yaml", SHOP), "tosca");
  await until("problems to be known", () => editor.problems.has(document.uri.toString()));
  const line = SHOP.split("\n").findIndex((text) => text.includes("type: Shop"));
  const list = await editor.providers.get("CompletionItem").provideCompletionItems(document, new Position(line, 12), token, { triggerKind: 0 });
  const labels = list.items.map(({ label }: { label: string }) => label);
  assert.ok(labels.includes("Shop"), labels.join());
  const edits = await editor.providers.get("DocumentFormattingEdit").provideDocumentFormattingEdits(document, { tabSize: 2, insertSpaces: true }, token);
  assert.deepEqual(edits ?? [], []);
});

test("an untitled document is checked, with imports from the folder", async () => {
  write("types.yaml", "tosca_definitions_version: tosca_2_0\nnode_types: { Far: {} }\n");
  const document = editor.open(Uri.from({ scheme: "untitled", path: "Untitled-1" }), "plaintext", "");
  document.replace("tosca_definitions_version: tosca_2_0\nimports: [ types.yaml ]\nservice_template:\n  node_templates:\n    far: { type: Far }\n    no: { type: Nothing }\n");
  const problems = await until("problems", () => problemsOf(document).length ? problemsOf(document) : undefined);
  assert.equal(document.languageId, "tosca");
  assert.deepEqual(problems.map(({ message }) => message.includes("Nothing")), [true]);
  await command("showDiagram", document.uri);
  await shows("Untitled-1 (diagram)", /<title>far: Far/);
});

test("a template in Yay is checked", async () => {
  const document = editor.open(write("shop.yay", `tosca_definitions_version: tosca_2_0
service_template:
  node_templates:
    front:
      type: Shoop
`), "yay");
  await until("problems", () => problemsOf(document).length);
});

test("the diagram shows the current text, links and problems", async () => {
  const document = editor.documents.find(({ uri }) => uri.path.endsWith("/shop.yaml")) as TextDocument;
  await command("showDiagram", document.uri);
  await shows("shop.yaml (diagram)", /<title>front → server: host/);
  assert.doesNotMatch(page("shop.yaml (diagram)"), /"severity":"error"/);
  document.replace(SHOP.replace("host: server", "host: nowhere"));
  await shows("shop.yaml (diagram)", /"front":\{"at":\{[^}]*"line":17[^}]*\},"severity":"error"/);
  // The code lens shows the same panel.
  const panels = editor.panels.length;
  await editor.commands.get("tosca-parse.diagram")?.(document.uri.toString());
  assert.equal(editor.panels.length, panels);
  document.replace(SHOP);
});

test("a click opens the line", async () => {
  const panel = editor.panels.find(({ title }) => title === "shop.yaml (diagram)");
  panel.send({ type: "open", at: { file: path.join(folder, "shop.yaml"), line: 17, column: 5 } });
  const { document, options } = await until("an editor", () => editor.shown.at(-1));
  assert.ok(document.uri.path.endsWith("/shop.yaml"));
  assert.deepEqual([options.selection.start.line, options.selection.start.character], [16, 4]);
});

test("plan, upgrade, differences and form are shown", async () => {
  const older = write("old.yaml", SHOP);
  const document = editor.open(write("new.yaml", SHOP.replace("type: Shop\n", "type: Shop\n      properties: { title: Roses }\n")), "tosca");
  await command("showPlan", document.uri);
  await shows("new.yaml (plan)", /<h2>Deployment<\/h2>[^]*>front<\/button>[^]*after server[^]*<h2>Later undeployment/);
  editor.answers = [[older]];
  await command("showUpgradePlan", document.uri);
  await until("an upgrade", () => /<h1>Upgrade from [^]*>front<\/button>[^]*&quot;Roses&quot;/.test(editor.panels.at(-1).webview.html));
  await command("showDifferences", document.uri, [document.uri, older]);
  await shows("new.yaml (differences)", /changed <code>&quot;Flowers&quot;<\/code> → <code>&quot;Roses&quot;/);
  await command("showForm", document.uri);
  await shows("new.yaml (inputs)", /<form id="form"/);
});

test("the form saves its values as inputs", async () => {
  const file = Uri.file(path.join(folder, "saved.yaml"));
  editor.answers = [file, "Use These Inputs"];
  editor.panels.at(-1).send({ type: "save", name: "inputs.yaml", text: "owner: ada\n" });
  await until("the setting", () => editor.settings.has("tosca-parse.inputs"));
  assert.equal(readFileSync(file.fsPath, "utf8"), "owner: ada\n");
  editor.settings.delete("tosca-parse.inputs");
});

test("what a template says is no markup", async () => {
  const evil = `</script><img src=x onerror=alert(1)>`;
  const text = SHOP.replace("owner: {", `owner: { description: '${evil}', `).replaceAll("front", `'${evil}'`);
  const document = editor.open(write("evil.yaml", text), "tosca");
  for (const name of ["showDiagram", "showPlan", "showForm"]) {
    await command(name, document.uri);
    const html: string = await until(name, () => /onerror/.test(editor.panels.at(-1).webview.html) && editor.panels.at(-1).webview.html);
    assert.doesNotMatch(html, /<img/, name);
    assert.equal(html.match(/<script/g)?.length, html.match(/<script nonce=/g)?.length, name);
  }
});

test("a view of an invalid template says why", async () => {
  const document = editor.open(write("wrong.yaml", SHOP.replace("type: Shop\n", "type: Shoop\n")), "tosca");
  await command("showPlan", document.uri);
  await shows("wrong.yaml (plan)", /class="failure"[^]*no node type `Shoop`/);
});

test("requirements are resolved", async () => {
  const document = editor.open(write("open.yaml", SHOP), "tosca");
  await command("resolve", document.uri);
  assert.match(editor.shown.at(-1)?.document.getText() ?? "", /valid TOSCA 2.0 service/);
});

test("a file is migrated after a preview", async () => {
  const uri = write("older.yaml", "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n    vm: { type: tosca.nodes.Compute }\n");
  editor.answers = ["TOSCA 2.0", undefined];
  await command("migrate", uri);
  assert.match(editor.shown.at(-1)?.document.getText() ?? "", /\+tosca_definitions_version: tosca_2_0/);
  assert.match(readFileSync(uri.fsPath, "utf8"), /tosca_simple_yaml_1_3/);
  editor.answers = ["TOSCA 2.0", "Migrate"];
  await command("migrate", uri);
  assert.match(readFileSync(uri.fsPath, "utf8"), /^tosca_definitions_version: tosca_2_0/);
});

test("an archive is shown, and its files are opened", async () => {
  write("TOSCA.meta", "");
  const packed = temporary();
  writeFileSync(path.join(packed, "shop.yaml"), SHOP);
  const archive = path.join(folder, "shop.csar");
  run(["csar", "create", packed, `--output=${archive}`]);
  const uri = Uri.file(archive);
  window.createWebviewPanel("archive", "shop.csar", {}, {});
  const panel = editor.panels.at(-1);
  const provider = editor.providers.get("CustomEditor");
  const document = provider.openCustomDocument(uri);
  await provider.resolveCustomEditor(document, panel);
  assert.match(panel.webview.html, /<h2>Problems<\/h2><p>None<\/p>[^]*>shop.yaml<\/button>[^]*<title>front: Shop/);
  panel.send({ type: "open", at: { file: `${archive}!/shop.yaml`, line: 3, column: 1 } });
  await until("the file", () => editor.shown.some(({ document }) => document.uri.path === "/shop.csar/shop.yaml" && document.getText() === SHOP));
  const shown = editor.shown.length;
  panel.send({ type: "open", at: { file: `${archive}!/../../../../etc/passwd`, line: 1, column: 1 } });
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(editor.shown.length, shown);
  document.dispose();
});

test("settings reach the server, and change restarts it", async () => {
  const document = editor.open(write("quirk.yaml", SHOP.replace("tosca_2_0", "tosca_9_9")), "tosca");
  await until("an unknown version", () => problemsOf(document).length);
  editor.settings.set("tosca-parse.readVersion", ["tosca_9_9=tosca_2_0"]);
  emitters.onDidChangeConfiguration.fire({ affectsConfiguration: (name: string) => name === "tosca-parse" });
  await until("a known version", () => !problemsOf(document).some(({ message }) => message.includes("tosca_9_9`")));
  editor.settings.delete("tosca-parse.readVersion");
});

test("a missing server is reported", async () => {
  editor.settings.set("tosca-parse.path", path.join(folder, "missing"));
  editor.messages.length = 0;
  await command("restart");
  await until("a message", () => editor.messages.some((message) => message.includes("can't start")));
  assert.equal(editor.status.text, "$(error) TOSCA 9.9");
});
