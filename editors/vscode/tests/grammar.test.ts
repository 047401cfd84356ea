/** The grammar, with the YAML grammar of VS Code. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import { before, test } from "node:test";
import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { type IGrammar, INITIAL, parseRawGrammar, Registry } from "vscode-textmate";
import { run } from "./support";

const require = createRequire(`${process.cwd()}/package.json`);
const YAML = "node_modules/@codingame/monaco-vscode-yaml-default-extension";
let grammar: IGrammar;

before(async () => {
  await loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")));
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async (scope) => {
      // The YAML grammar of VS Code: `source.yaml` and one for each version, such as `source.yaml.1.2`.
      const name = scope.replace("source.", "").replace("yaml.", "yaml-");
      const folder = name.startsWith("yaml") ? path.join(YAML, "resources") : "syntaxes";
      return parseRawGrammar(readFileSync(path.join(folder, `${name}.tmLanguage.json`), "utf8"), "grammar.json");
    },
  });
  const loaded = await registry.loadGrammar("source.tosca");
  assert.ok(loaded);
  grammar = loaded;
});

/** Returns the parts of a text that have a scope. */
function scoped(text: string, scope: string): string[] {
  let state = INITIAL;
  return text.split("\n").flatMap((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    return tokens.filter(({ scopes }) => scopes.some((one) => one.startsWith(scope))).map(({ startIndex, endIndex }) => line.slice(startIndex, endIndex));
  });
}

const FUNCTION = "support.function.tosca";

test("functions of TOSCA 2.0 are marked wherever they are", () => {
  const text = `a: { $get_input: x }
b: { v: { $concat: [ "a", { $get_property: [ SELF, port ] } ] } }
c:
  $join:
    - [ { $my.function: 1 } ]
d: $node_index
e: [ $node_index, "$relationship_index" ]`;
  assert.deepEqual(scoped(text, FUNCTION), ["$get_input", "$concat", "$get_property", "$join", "$my.function", "$node_index", "$node_index", "$relationship_index"]);
});

test("functions of TOSCA 1.3 and Heat are marked as keys only", () => {
  const text = `a: { get_input: x }
b:
  get_attribute: [ SELF, concat ]
c: { token: [ a, b, 0 ] }
token: x
filter: get_input
d: { list_join: [ ",", { get_param: p } ] }`;
  assert.deepEqual(scoped(text, FUNCTION), ["get_input", "get_attribute", "token", "list_join", "get_param"]);
});

test("text, comments and escapes are not functions", () => {
  const text = `# $get_input: x
a: costs $5 and $get_input
b: "a $get_input b"
c: { $$literal: 1 }
d: |
  $get_input: x
  get_input: y`;
  assert.deepEqual(scoped(text, FUNCTION), []);
  assert.deepEqual(scoped(text, "constant.character.escape.tosca"), ["$$"]);
});

test("versions, reserved names and YAML are marked", () => {
  const text = `tosca_definitions_version: tosca_2_0 # comment
a: [ SELF, host, SELFISH ]
b: "text"`;
  assert.deepEqual(scoped(text, "keyword.control.version.tosca"), ["tosca_definitions_version"]);
  assert.deepEqual(scoped(text, "variable.language.tosca"), ["SELF"]);
  assert.ok(scoped(text, "comment").join("").includes("comment"));
  assert.ok(scoped(text, "string.quoted").join("").includes("text"));
  assert.ok(scoped(text, "entity.name.tag.yaml").includes("a"));
});

test("the grammar of YAML is undisturbed", () => {
  const text = `tosca_definitions_version: tosca_2_0
a:
  $get_input: x
b: [ SELF, $node_index, { get_input: y }, HOST ]
c: { $concat: [ a, b ], $$d: 1 }`;
  assert.deepEqual(scoped(text, "invalid"), []);
  assert.deepEqual(scoped(text, "entity.name.tag.yaml"), ["tosca_definitions_version", "a", "$get_input", "b", "get_input", "c", "$concat", "$$", "d"]);
});

test("the functions of the standard are known", () => {
  // The older functions are those that the schema of TOSCA 1.3 describes.
  const schema = run(["schema", "tosca-1.3"]);
  const older = [...new Set([...schema.matchAll(/"(get_[a-z_]+|concat|token|join)"/g)].map((match) => match[1] ?? ""))];
  for (const name of ["get_input", "get_operation_output", "get_nodes_of_type", "concat", "token", "join", ...older]) {
    assert.deepEqual(scoped(`a: { ${name}: [ x ] }`, FUNCTION), [name]);
  }
});
