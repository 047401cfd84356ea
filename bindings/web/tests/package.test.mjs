// The package in Node.js.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";

const web = join(import.meta.dirname, "..");
const unoptimized = process.env.WEB_BUILD === "dev" && "the modules are not optimized";
let folder;

// Installed as from the registry, so that missing files of the package are noticed.
before(() => {
  folder = mkdtempSync(join(tmpdir(), "tosca-parse-"));
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: web, encoding: "utf8" });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  run("npm", ["install", "--silent", "--no-audit", "--no-fund", join(folder, packed.trim())]);
});
after(() => rmSync(folder, { recursive: true, force: true }));

function run(command, args) {
  return execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function program(text) {
  writeFileSync(join(folder, "program.mjs"), text);
  return run("node", ["program.mjs"]);
}

test("the example of the README does what it says", () => {
  const readme = readFileSync(join(web, "README.md"), "utf8");
  const [, code] = /```js\n([\s\S]*?)```/.exec(readme);
  const [, expected] = /```text\n([\s\S]*?)```/.exec(readme);
  assert.equal(program(code), expected);
});

test("the other examples of the README run", () => {
  const readme = readFileSync(join(web, "README.md"), "utf8");
  const [, ...codes] = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);
  assert.deepEqual(codes.map(program), ["tosca-parse\n", "http://web0:8000/ web1 30\n", "[ 'Ada' ]\n6 6 object\n", "false\n"]);
});

test("files import each other, profiles by name, and inputs have values", () => {
  const out = program(`
    import { Parser } from "tosca-parse";
    const parser = new Parser();
    parser.write("lib/types.yaml", "tosca_definitions_version: tosca_2_0\\nnode_types: { Server: { properties: { size: { type: integer } } } }\\n");
    parser.writeProfile("org.example:1", "tosca_definitions_version: tosca_2_0\\nprofile: org.example:1\\nnode_types: { Disk: {} }\\n");
    parser.write("service.yaml", \`
tosca_definitions_version: tosca_2_0
imports: [ lib/types.yaml, { profile: "org.example:1", namespace: ex } ]
service_template:
  inputs: { size: { type: integer } }
  node_templates:
    web: { type: Server, properties: { size: { $get_input: size } } }
    disk: { type: ex:Disk }
\`);
    const outcome = parser.parse("service.yaml", { size: 4 });
    console.log(outcome.isValid, outcome.render().trim());
    console.log(Object.keys(outcome.model().nodes).join());
    console.log(JSON.stringify(outcome.evaluate({ size: 4 }).service.nodes.web.properties.size.value));
    console.log(outcome.plan().deployment.length, outcome.graph("dot").startsWith("digraph"));
    console.log(outcome.formPage().includes("<form"));
  `);
  assert.equal(out, 'true no problems\nweb,disk\n4\n1 true\ntrue\n');
});

test("what is wrong is thrown, or a problem", () => {
  const out = program(`
    import { Parser } from "tosca-parse";
    const said = (wrong) => { try { wrong(); return "nothing"; } catch (error) { return error.message; } };
    console.log(said(() => new Parser({ quirks: ["none"] })));
    console.log(said(() => new Parser({ colour: true })));
    const parser = new Parser({ limits: { depth: 20 } });
    console.log(said(() => parser.parse("")));
    console.log(parser.parse("absent.yaml").diagnostics[0].code);
    parser.write("profile.yaml", "tosca_definitions_version: tosca_2_0\\n");
    const outcome = parser.parse("profile.yaml");
    console.log(outcome.hasService, said(() => outcome.model()), said(() => outcome.graph("png")));
    parser.write("deep.yaml", "[".repeat(30));
    console.log(parser.parse("deep.yaml").diagnostics[0].code);
  `);
  const lines = out.trimEnd().split("\n");
  assert.equal(lines[0], "there is no quirk `none`");
  assert.match(lines[1], /unknown field `colour`/);
  assert.notEqual(lines[2], "nothing");
  assert.match(lines[3], /^T1001$/);
  assert.equal(lines[4], "false the template has no service; it may be a profile the template has no service; it may be a profile");
  assert.match(lines[5], /^T1\d+$/);
});

test("deep nesting and a large template do not overflow the stack", () => {
  const out = program(`
    import { Parser } from "tosca-parse";
    const parser = new Parser();
    const head = "tosca_definitions_version: tosca_2_0\\nmetadata: { a: ";
    for (const text of ["[".repeat(100000), head + "[".repeat(250) + "]".repeat(250) + " }", head + "{a: ".repeat(120) + "}".repeat(120) + " }"]) {
      parser.write("deep.yaml", text);
      parser.parse("deep.yaml").render();
    }
    const nodes = Array.from({ length: 5000 }, (_, number) => \`    n\${number}: { type: Node }\\n\`).join("");
    parser.write("wide.yaml", \`tosca_definitions_version: tosca_2_0\\nnode_types: { Node: {} }\\nservice_template:\\n  node_templates:\\n\${nodes}\`);
    console.log(Object.keys(parser.parse("wide.yaml").model().nodes).length);
  `);
  assert.equal(out, "5000\n");
});

test("the types fit", () => {
  writeFileSync(join(folder, "program.ts"), `
    import { LanguageServer, Parser, YayConfig, type Diagnostic, type Service } from "tosca-parse";
    import { Classes, Package, evaluate, type Effect } from "tosca-parse/murano";
    const outcome = new Parser({ strict: true, deny: ["warnings"] }).parse("service.yaml", { size: 1 });
    const first: Diagnostic | undefined = outcome.diagnostics[0];
    const line: number | undefined = first?.start.line;
    const service: Service = outcome.model();
    const stages: number = outcome.plan().deployment.length;
    console.log(line, service.nodes, stages, outcome.graph("mermaid", { nest: true }));
    const config = new YayConfig({ steps: 1000 });
    const port: number = config.get(["servers", 0, "port"]).asInt(80);
    const messages: string[] = new LanguageServer().handle("{}");
    const classes = new Classes([new Package({ "manifest.yaml": "" }), Package.fromText("t", "Name: T")]);
    const effects: Effect[] = classes.load({ "?": { type: "t.T" } }, true).effects();
    console.log(port, messages, effects[0]?.action, evaluate("$ + 1", 1), classes.call("t.T", "m", [1]));
  `);
  const compiler = join(web, "node_modules", "typescript", "bin", "tsc");
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom"];
  run("node", [compiler, ...options, "program.ts"]);
  writeFileSync(join(folder, "wrong.ts"), `import { Parser } from "tosca-parse"; new Parser({ colour: 1 });`);
  assert.throws(() => run("node", [compiler, ...options, "wrong.ts"]));
});

test("the modules stay as small as the README says", { skip: unoptimized }, () => {
  const readme = readFileSync(join(web, "README.md"), "utf8");
  for (const [file, name] of [["tosca_parse_bg.wasm", "tosca-parse"], ["murano_bg.wasm", "tosca-parse/murano"]]) {
    const [, stated] = new RegExp(`\\| \`${name}\` \\| ([\\d.]+) MB`).exec(readme);
    const size = gzipSync(readFileSync(join(web, "dist", file)), { level: 9 }).length;
    assert.ok(size < Number(stated) * 1e6, `${file} has ${size} bytes`);
  }
});

test("templates in other languages have models, plans and diagrams", () => {
  const out = program(`
    import { Parser } from "tosca-parse";
    const parser = new Parser({ options: { environment: ["live.yaml"] } });
    parser.write("live.yaml", "parameters: { size: 5 }\\n");
    parser.write("stack.yaml", \`heat_template_version: 2021-04-16
parameters: { size: { type: number } }
resources:
  a: { type: "OS::Heat::None" }
  b: { type: "OS::Heat::None", depends_on: a }
\`);
    const outcome = parser.parse("stack.yaml");
    console.log(outcome.language, outcome.isValid, outcome.hasService, outcome.model().parameters.size.value);
    console.log(outcome.plan().deployment.length, outcome.graph("mermaid").includes("OS::Heat::None"), outcome.formPage().includes("size"));
    parser.write("blueprint.yaml", "tosca_definitions_version: cloudify_dsl_1_5\\n");
    console.log(parser.parse("blueprint.yaml").language);
  `);
  assert.equal(out, "Heat true true 5\n2 true true\nCloudify\n");
});

test("plans and diagrams have their formats, and rules are explained", () => {
  const out = program(`
    import { Parser, explain } from "tosca-parse";
    const parser = new Parser();
    parser.write("a.yaml", \`tosca_definitions_version: tosca_2_0
node_types: { Server: {} }
service_template: { node_templates: { web: { type: Server } } }
\`);
    const outcome = parser.parse("a.yaml");
    console.log(outcome.planText().includes("web"), outcome.planGraph("svg").startsWith("<svg"), outcome.graph("html").includes("a.yaml:3:"));
    for (const format of ["d2", "plantuml", "graphml", "mermaid"]) console.log(format, outcome.graph(format, { direction: "right" }).includes("web"));
    try { outcome.graph("svg", { direction: "inward" }); } catch (error) { console.log(error.message); }
    console.log(explain("T2001").includes("yaml wrong"), explain("T0000"));
  `);
  assert.equal(out, "true true true\nd2 true\nplantuml true\ngraphml true\nmermaid true\nthere is no direction `inward`\ntrue undefined\n");
});

test("the language server answers at once", () => {
  const out = program(`
    import { LanguageServer } from "tosca-parse";
    const server = new LanguageServer();
    const send = (message) => server.handle(JSON.stringify({ jsonrpc: "2.0", ...message })).map((answer) => JSON.parse(answer));
    const early = send({ id: 0, method: "textDocument/hover", params: {} });
    console.log(early[0].error.code, early[0].jsonrpc);
    const [{ result }] = send({ id: 1, method: "initialize", params: { capabilities: {} } });
    console.log(result.serverInfo.name, result.capabilities.hoverProvider);
    send({ method: "initialized", params: {} });
    server.write("types.yaml", "tosca_definitions_version: tosca_2_0\\nnode_types: { Server: { description: A machine. } }\\n");
    const uri = "file:///a.yaml";
    const text = "tosca_definitions_version: tosca_2_0\\nimports: [ types.yaml ]\\nservice_template: { node_templates: { web: { type: Server } } }\\n";
    const shown = send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "yaml", version: 1, text } } });
    console.log(shown.map(({ method, params }) => [method, params.diagnostics.length].join()).join());
    const at = { textDocument: { uri }, position: { line: 2, character: 56 } };
    console.log(JSON.stringify(send({ id: 2, method: "textDocument/hover", params: at })[0].result).includes("A machine."));
    console.log(send({ id: 3, method: "textDocument/completion", params: at })[0].result.items.some(({ label }) => label === "Server"));
    console.log(send({ id: 4, method: "textDocument/definition", params: at })[0].result[0]?.uri ?? send({ id: 5, method: "textDocument/definition", params: at })[0].result.uri);
    try { server.handle("no message"); } catch (error) { console.log("thrown"); }
  `);
  assert.equal(out, "-32002 2.0\ntosca-parse true\ntextDocument/publishDiagnostics,0\ntrue\ntrue\nfile:///types.yaml\nthrown\n");
});

test("Yay configurations have lazy values, and limits", () => {
  const out = program(`
    import { YayConfig } from "tosca-parse";
    const config = new YayConfig();
    config.write("base.yay", "port: 8000\\nhosts:\\n  for i in range(3):\\n    - web{{ i }}\\n");
    config.write("main.yay", "include \\"base.yay\\"\\nurl: http://{{ hosts[0] }}:{{ port }}/\\nbroken: {{ nowhere }}\\n");
    config.load("main.yay");
    console.log(config.get("url").asString(), config.get(["hosts", -1]).asString(), config.get("hosts").length);
    console.log(config.get("port").asInt(), config.get("prot").asInt(80), config.expression("port + 1").asInt());
    const { source, line, column } = config.get("port").anchor;
    console.log(source, line, column, config.root.keys().join());
    try { config.get("broken").asInt(); } catch (error) { console.log(error.name, error.kind, error.places[0].line); }
    console.log(config.check().map(({ code, file, start }) => [code, file, start.line].join()).join());
    const secret = new YayConfig();
    secret.loads("password: abc\\n", "secret.yay", ["secret"]);
    secret.add({ user: "ada" });
    console.log(JSON.stringify(secret.root.resolve(true)), JSON.stringify(secret.root.resolve()), secret.get("password").labels.join());
    console.log(secret.fold().includes("abc"), secret.graph("svg").includes("abc"));
    const small = new YayConfig({ steps: 10_000 });
    small.loads("x: {{ [i for i in range(100000)] }}\\n");
    try { small.get("x").asList(); } catch (error) { console.log(error.kind); }
    const variable = new YayConfig();
    variable.loads("x: {{ env.HOME }}\\n");
    try { variable.get("x").asString(); } catch (error) { console.log(error.kind); }
  `);
  const lines = out.trimEnd().split("\n");
  assert.equal(lines[0], "http://web0:8000/ web2 3");
  assert.equal(lines[1], "8000 80 8001");
  assert.match(lines[2], /base\.yay 1 7 port,hosts,url,broken/);
  assert.equal(lines[3], "YayError NoMatching 3");
  assert.match(lines[4], /^Y2001,.*main\.yay,3$/);
  assert.equal(lines[5], '{"password":"*****","user":"ada"} {"password":"abc","user":"ada"} secret');
  assert.equal(lines[6], "false false");
  assert.deepEqual(lines.slice(7), ["LimitError", "Denied"]);
});

test("documents include files in memory", () => {
  const out = program(`
    import { Parser, YayConfig } from "tosca-parse";
    const files = { "conf.d/b.yay": "b: 2\\n", "conf.d/a.yay": "a: 1\\n", "conf.d/in/c.yay": "c: 3\\n", "top.yay": "t: 4\\n" };
    const configured = (text, name) => {
      const config = new YayConfig();
      for (const [path, text] of Object.entries(files)) config.write(path, text);
      config.loads(text, name);
      try { return JSON.stringify(config.root.resolve()); } catch (error) { return error.kind; }
    };
    console.log(configured('include "conf.d/*.yay"\\nx: {{ a + b }}\\n'));
    console.log(configured('include "top.yay"\\n'), configured('include "*.yay"\\n'), configured('include "*.yay"\\n', "conf.d/main.yay"));
    console.log(configured('include "../top.yay"\\n', "conf.d/main.yay"), configured('include "*.yml"\\n'), configured('include "none/*.yay"\\n'));
    const parser = new Parser();
    parser.write("service.yay", 'tosca_definitions_version: tosca_2_0\\ninclude "parts/*.yay"\\n');
    parser.write("parts/types.yay", "node_types:\\n  A:\\n    unknown: 1\\n");
    console.log(parser.parse("service.yay").diagnostics.map(({ code, file }) => code + " " + file).join());
  `);
  const lines = out.trimEnd().split("\n");
  assert.equal(lines[0], '{"a":1,"b":2,"x":3}');
  assert.equal(lines[1], '{"t":4} {"t":4} {"a":1,"b":2}');
  assert.equal(lines[2], '{"t":4} {} NotFound');
  assert.equal(lines[3], "T1201 parts/types.yay");
});

test("configurations are checked as the command does", () => {
  const cases = JSON.parse(readFileSync(join(web, "..", "yay-checks.json"), "utf8"));
  const out = program(`
    import { YayConfig } from "tosca-parse";
    for (const { text } of ${JSON.stringify(cases)}) {
      const config = new YayConfig();
      config.loads(text, "a.yay");
      console.log(JSON.stringify(config.check().map(({ severity, code, start }) => [severity, code, start.line].join(" "))));
    }
  `);
  assert.deepEqual(out.trimEnd().split("\n").map((line) => JSON.parse(line)), cases.map(({ problems }) => problems));
});

test("integers keep their digits", () => {
  const out = program(`
    import { YayConfig } from "tosca-parse";
    import { Classes, Package, evaluate } from "tosca-parse/murano";
    const show = (value) => console.log(JSON.stringify(value, (_, inner) => typeof inner === "bigint" ? inner + "n" : inner));
    show([evaluate("9007199254740991"), evaluate("9007199254740992"), evaluate("-9007199254740993"), evaluate("$ * 1.0", 10n ** 20n)]);
    show(evaluate("$ + 1", 2n ** 64n));
    show(evaluate("$", [2n ** 200n, -(2n ** 63n), 7n, 1.5, "12345678901234567890", "\ue000", { "12345678901234567890": "a\\"1234567890123456789" }]));
    console.log(evaluate("$", 10n ** 19_000n) === 10n ** 19_000n, evaluate("$.a", { a: 5n }), evaluate("$", "9".repeat(20)));
    const wrong = (call) => { try { return call(); } catch (error) { return error.name + " " + error.kind; } };
    console.log(wrong(() => evaluate("$", 10n ** 30_000n)));
    const config = new YayConfig();
    config.add({ large: 2n ** 62n, list: [1n] });
    config.loads("next: {{ large + 1 }}\\nsmall: 3\\n");
    show([config.root.resolve(), config.get("next").asInt(), config.get("small").asInt()]);
    console.log(wrong(() => config.add({ larger: 2n ** 64n })));
    const text = "Name: A\\nProperties: { n: { Contract: $.int(), Usage: InOut } }\\nMethods:\\n  m: { Usage: Static, Arguments: [ { n: { Contract: $.int() } } ], Body: [ { Return: $n + 1 } ] }\\n";
    const classes = new Classes([Package.fromText("t", text)]);
    show([classes.call("A", "m", [2n ** 70n]), classes.call("A", "m", { n: 1n })]);
    const model = classes.load({ "?": { type: "A", id: "a" }, n: 2n ** 65n });
    show([model.save().Objects.n, model.evaluate("a", "$ + 1", 2n ** 66n)]);
  `);
  const lines = out.trimEnd().split("\n");
  assert.deepEqual(JSON.parse(lines[0]), [9007199254740991, "9007199254740992n", "-9007199254740993n", 1e20]);
  assert.equal(lines[1], `"${2n ** 64n + 1n}n"`);
  assert.deepEqual(JSON.parse(lines[2]), [`${2n ** 200n}n`, `${-(2n ** 63n)}n`, 7, 1.5, "12345678901234567890", "\ue000", { "12345678901234567890": 'a"1234567890123456789' }]);
  assert.equal(lines[3], "true 5 99999999999999999999");
  assert.equal(lines[4], "EvaluationError invalid value");
  assert.deepEqual(JSON.parse(lines[5]), [{ large: `${2n ** 62n}n`, list: [1], next: `${2n ** 62n + 1n}n`, small: 3 }, `${2n ** 62n + 1n}n`, 3]);
  assert.equal(lines[6], "YayError LimitError");
  assert.deepEqual(JSON.parse(lines[7]), [`${2n ** 70n + 1n}n`, 2]);
  assert.deepEqual(JSON.parse(lines[8]), [`${2n ** 65n}n`, `${2n ** 66n + 1n}n`]);
});

test("data that is too deep or not data is an error with a kind", () => {
  const out = program(`
    import { YayConfig } from "tosca-parse";
    import { Classes, Package, evaluate } from "tosca-parse/murano";
    const nested = (levels) => { let data = 1; for (let level = 0; level < levels; level++) data = [data]; return data; };
    const cyclic = {};
    cyclic.self = cyclic;
    const classes = new Classes([Package.fromText("t", "Name: A\\nMethods:\\n  m: { Usage: Static, Arguments: [ { n: { Contract: $ } } ], Body: [ { Return: 1 } ] }\\n")]);
    const wrong = (call) => { try { return call() ?? "nothing"; } catch (error) { return error.name + " " + error.kind; } };
    for (const data of [nested(140), nested(600), nested(100_000), cyclic]) {
      console.log([
        wrong(() => evaluate("1", data)),
        wrong(() => new YayConfig().add({ data })),
        wrong(() => classes.call("A", "m", [data])),
      ].join(", "));
    }
  `);
  assert.deepEqual(out.trimEnd().split("\n"), [
    "1, nothing, 1",
    "EvaluationError nested too deeply, YayError LimitError, EvaluationError Depth",
    "EvaluationError nested too deeply, YayError LimitError, EvaluationError Depth",
    "EvaluationError invalid value, YayError TypeError, EvaluationError Value",
  ]);
});

// Each program runs with the default stack of Node.js, and with half of it.
function onSmallStacks(text) {
  writeFileSync(join(folder, "program.mjs"), text);
  return [[], ["--stack-size=492"]].map((options) => run("node", [...options, "program.mjs"]));
}

test("nesting beyond the limits is an error of the package on small stacks, too", () => {
  for (const name of ["yay", "murano"]) {
    for (const outputs of onSmallStacks(readFileSync(join(web, "tests", "nesting", `${name}.mjs`), "utf8"))) {
      const kinds = outputs.trimEnd().split("\n");
      assert.ok(kinds.some((kind) => kind.includes("done")) && kinds.length > 20, outputs);
      assert.deepEqual(kinds.filter((kind) => kind.includes("Error: ")), []);
    }
  }
});

test("deep evaluations are errors that the module survives", () => {
  const out = program(`
    import { YayConfig } from "tosca-parse";
    import { evaluate } from "tosca-parse/murano";
    const wrong = (call) => { try { return call(); } catch (error) { return error.name + " " + error.kind; } };
    const chain = (length) => {
      const lines = Array.from({ length }, (_, index) => \`k\${index}: {{ k\${index + 1} }}\\n\`).join("");
      const config = new YayConfig();
      config.loads(lines + \`k\${length}: 7\\n\`);
      return config.get("k0").asInt();
    };
    console.log(chain(20), wrong(() => chain(700)), wrong(() => chain(20_000)), chain(20));
    const recursive = (depth) => evaluate(\`def(f, switch($ = 0 => 7, true => f($ - 1))) -> f(\${depth})\`);
    console.log(recursive(15), wrong(() => recursive(400)), wrong(() => recursive(100_000)), recursive(15));
    const lazy = (depth) => evaluate(\`range(\${depth}).aggregate($1.where(true).skip(0), [1])\`);
    console.log(JSON.stringify(lazy(20)), wrong(() => lazy(1500)), wrong(() => lazy(9000)), JSON.stringify(lazy(20)));
    let deep = 1;
    for (let level = 0; level < 1000; level++) deep = [deep];
    console.log(wrong(() => evaluate("$.flatten()", deep)), evaluate("$ + 1", 6));
  `);
  const lines = out.trimEnd().split("\n");
  assert.equal(lines[0], "7 YayError LimitError YayError LimitError 7");
  assert.match(lines[1], /^7 EvaluationError nested too deeply EvaluationError nested too deeply 7$/);
  assert.match(lines[2], /^\[1\] EvaluationError nested too deeply EvaluationError nested too deeply \[1\]$/);
  assert.match(lines[3], /^EvaluationError nested too deeply 7$/);
});

test("long rows of operators are values or errors that the module survives", () => {
  const out = program(`
    import { YayConfig } from "tosca-parse";
    import { Classes, Package, evaluate } from "tosca-parse/murano";
    const result = (call) => { try { return String(call()).length; } catch (error) { return error.name + " " + error.kind; } };
    const rows = [["1", "+1"], ["1", " and 1"], ["2", "*1"], ["$", ".len()"], ["$", ".a"], ["$", "[0]"], ["1", " -> 1"]];
    const yay = (text) => { const config = new YayConfig(); config.loads("a: {{ " + text + " }}\\n"); return config.get("a").asInt(); };
    const method = (text) => {
      const source = "Name: A\\nMethods:\\n  m: { Usage: Static, Body: [ { Return: !yaql '" + text + "' } ] }\\n";
      return new Classes([Package.fromText("t", source)]).call("A", "m", []);
    };
    const kinds = new Set();
    for (const terms of [100, 1000, 20_000]) {
      for (const [first, next] of rows) {
        const text = first + next.repeat(terms);
        for (const call of [() => evaluate(text, 1), () => method(text), () => yay(text)]) kinds.add(result(call));
        if (evaluate("1 + 1") !== 2 || yay("1 + 1") !== 2) throw new Error("the module has failed");
      }
    }
    console.log([...kinds].map(String).filter((kind) => !/^(\\d+|(Evaluation|Yay)Error .+)$/.test(kind)).join());
    console.log(result(() => evaluate("1" + "+1".repeat(20_000))), result(() => yay("1" + "+1".repeat(20_000))));
    console.log(evaluate("1" + "+1".repeat(99)), yay("1" + "+1".repeat(99)));
  `);
  const lines = out.trimEnd().split("\n");
  assert.deepEqual(lines, ["", "EvaluationError nested too deeply YayError LimitError", "100 100"]);
});

test("a module that has failed can be restarted", () => {
  const out = program(`
    import { Parser, YayConfig, reset } from "tosca-parse";
    import { evaluate, reset as resetMurano } from "tosca-parse/murano";
    const old = new Parser();
    // Without stack, calls of the module leave it in any state.
    const low = (call) => { try { low(call); } catch { try { call(); } catch {} } };
    low(() => new Parser().parse("a.yaml"));
    low(() => evaluate("1 + 1"));
    reset();
    resetMurano();
    const parser = new Parser();
    parser.write("a.yaml", "tosca_definitions_version: tosca_2_0\\n");
    const config = new YayConfig();
    config.loads("a: 1\\n");
    console.log(parser.parse("a.yaml").isValid, config.get("a").asInt(), evaluate("1 + 1"));
    try { old.parse("a.yaml"); } catch (error) { console.log(error.message); }
  `);
  const lines = out.trimEnd().split("\n");
  assert.deepEqual(lines, ["true 1 2", "Invalid stale object from previous Wasm instance"]);
});

test("YAQL expressions are evaluated within limits", () => {
  const out = program(`
    import { evaluate } from "tosca-parse/murano";
    console.log(JSON.stringify(evaluate("$.where($.age > 26).name", [{ name: "Ada", age: 36 }, { name: "Bob", age: 20 }])));
    console.log(evaluate("2 * 3"), evaluate("$.len()", "abc"), JSON.stringify(evaluate("dict($)", [["a", 1]])));
    console.log(evaluate("now().year > 2000"), evaluate("random() < 1"));
    const wrong = (expression) => { try { return evaluate(expression); } catch (error) { return error.name; } };
    console.log(wrong("$ +"), wrong("1 + foo()"), wrong("range(1000000000).sum()"), wrong("'a' * 1000000000"));
    console.log(wrong("(".repeat(100_000)), wrong("def(f, f($)) -> f(1)"));
  `);
  const lines = out.trimEnd().split("\n");
  assert.equal(lines[0], '["Ada"]');
  assert.equal(lines[1], '6 3 {"a":1}');
  assert.equal(lines[2], "true true");
  assert.deepEqual(new Set(lines.slice(3).join(" ").split(" ")), new Set(["EvaluationError"]));
});

const MURANO = `
    import { Classes, Package, Parser } from "tosca-parse/murano";
    const files = {
      "manifest.yaml": "Format: 1.4\\nType: Library\\nFullName: com.example.t\\nClasses: { com.example.t.Counter: Counter.yaml }\\n",
      "Classes/Counter.yaml": \`Namespaces: { =: com.example.t, sys: io.murano.system }
Name: Counter
Properties:
  count: { Contract: $.int().notNull(), Usage: InOut, Default: 1 }
Methods:
  next:
    Scope: Public
    Arguments: [ { by: { Contract: $.int(), Default: 1 } } ]
    Body:
      - $.count: $.count + $by
      - Return: $.count
  double: { Usage: Static, Arguments: [ { x: { Contract: $.int() } } ], Body: [ { Return: $x * 2 } ] }
  loop: { Body: [ { While: 1 = 1, Do: [ { $a: 1 } ] } ] }
  read: { Body: [ { Return: new(sys:Resources).string('text.txt') } ] }
\`,
      "Resources/text.txt": "hello",
    };
    const classes = new Classes([new Package(files)]);
    const model = { "?": { type: "com.example.t.Counter", id: "c" }, count: 5 };
    const wrong = (call) => { try { return call(); } catch (error) { return error.name; } };
`;

test("MuranoPL packages have schemas, models and calls", () => {
  const out = program(`${MURANO}
    console.log(classes.names().join(), classes.check().length);
    console.log(classes.schemas("com.example.t.Counter")[""].properties.count.type, classes.formPage("com.example.t.Counter").includes("<form"));
    console.log(classes.call("com.example.t.Counter", "double", [21]), classes.call("com.example.t.Counter", "double", { x: 4 }));
    const loaded = classes.load(model);
    console.log(loaded.root, loaded.ids().join(), loaded.call("c", "next"), loaded.call("c", "next", { by: 10 }), loaded.evaluate("c", "$this.count + $", 1));
    console.log(loaded.save().Objects.count, loaded.call("c", "read"), wrong(() => classes.schemas("com.example.t.Counter", ["nothing"])));
    console.log(wrong(() => classes.load({ ...model, count: "many" })), wrong(() => loaded.call("c", "nothing")), wrong(() => new Package({})));
    console.log(wrong(() => loaded.call("c", "loop")), loaded.call("c", "next"));
    const broken = new Classes([Package.fromText("u", "Name: u.A\\nExtends: u.None\\n")]);
    console.log(broken.check().map(({ name }) => name).join());
  `);
  const lines = out.trimEnd().split("\n");
  assert.deepEqual(lines.slice(0, 5), ["com.example.t.Counter 0", "integer true", "42 8", "c c 6 16 17", "16 hello EvaluationError"]);
  assert.deepEqual(lines.slice(5, 7), ["EvaluationError EvaluationError EvaluationError", "EvaluationError 17"]);
  assert.equal(lines[7], "u.A");
});

test("a deployment is recorded, and packages are parsed", () => {
  const out = program(`${MURANO}
    const environment = { "?": { type: "io.murano.Environment", id: "e" }, name: "test", applications: [ { "?": { type: "com.example.d.App", id: "a" } } ] };
    const app = "Namespaces: { =: com.example.d, std: io.murano }\\nName: App\\nExtends: std:Application\\nMethods:\\n  deploy:\\n    Body:\\n      - $.find(std:Environment).reporter.report($this, 'deployed')\\n";
    const deployed = new Classes([Package.fromText("com.example.d", app)]).load(environment, true);
    deployed.call("e", "deploy");
    console.log(deployed.effects().some(({ kind }) => kind === "report"));
    const parser = new Parser();
    for (const [name, text] of Object.entries(files)) parser.write(name, text);
    const outcome = parser.parse("manifest.yaml");
    console.log(outcome.language, outcome.isValid, outcome.graph("mermaid").includes("Counter"));
    parser.write("Classes/Counter.yaml", files["Classes/Counter.yaml"].replace("$.int()", "$.itn()"));
    console.log(parser.parse("manifest.yaml").diagnostics.length > 0);
  `);
  assert.equal(out, "true\nMuranoPL true true\ntrue\n");
});
