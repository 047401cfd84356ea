// The package in Node.js.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";

const web = join(import.meta.dirname, "..");
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
    import { Parser, type Diagnostic, type Service } from "tosca-parse";
    const outcome = new Parser({ strict: true, deny: ["warnings"] }).parse("service.yaml", { size: 1 });
    const first: Diagnostic | undefined = outcome.diagnostics[0];
    const line: number | undefined = first?.start.line;
    const service: Service = outcome.model();
    const stages: number = outcome.plan().deployment.length;
    console.log(line, service.nodes, stages, outcome.graph("mermaid"));
  `);
  const compiler = join(web, "node_modules", "typescript", "bin", "tsc");
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom"];
  run("node", [compiler, ...options, "program.ts"]);
  writeFileSync(join(folder, "wrong.ts"), `import { Parser } from "tosca-parse"; new Parser({ colour: 1 });`);
  assert.throws(() => run("node", [compiler, ...options, "wrong.ts"]));
});

test("the module stays as small as the README says", () => {
  const [, stated] = /([\d.]+) MB compressed/.exec(readFileSync(join(web, "README.md"), "utf8"));
  const size = gzipSync(readFileSync(join(web, "dist/tosca_parse_bg.wasm"))).length;
  assert.ok(size < Number(stated) * 1e6, `it has ${size} bytes`);
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
