/** The manifest, the snippets and the settings, compared with the code and with the command. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { VERSIONS } from "../src/commands";
import { LANGUAGES } from "../src/languages";
import { ACCESS, DIAGRAM, option, READING, RULES } from "../src/options";
import { run } from "./support";

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const manifest = read("package.json");
const settings = Object.keys(manifest.contributes.configuration.properties).map((name) => name.replace("tosca-parse.", ""));

/** The settings that are not options. */
const OTHERS = ["path", "arguments", "detectLanguage", "trace.server"];

function optionsOf(...command: string[]): string[] {
  return [...run([...command, "--help"]).matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map((match) => match[1] ?? "");
}

test("settings are those that the code reads", () => {
  assert.deepEqual(settings.toSorted(), [...OTHERS, ...READING, ...RULES, ...DIAGRAM.map((name) => `diagram.${name}`)].toSorted());
});

test("the command has an option for each setting", () => {
  for (const command of [["server"], ["graph"], ["plan"], ["diff"], ["form"], ["resolve"], ["migrate"], ["validate"]]) {
    const options = optionsOf(...command);
    assert.deepEqual(READING.map(option).filter((name) => !options.includes(name)), [], command.join(" "));
  }
  for (const command of [["csar", "list"], ["csar", "extract"]]) {
    const options = optionsOf(...command);
    assert.deepEqual(ACCESS.map(option).filter((name) => !options.includes(name)), [], command.join(" "));
  }
  const graph = optionsOf("graph");
  assert.deepEqual(DIAGRAM.map(option).filter((name) => !graph.includes(name)), []);
});

test("there is a setting for each option of the server", () => {
  const known = [...[...READING, ...RULES].map(option), "--help", "--stdin-name"];
  assert.deepEqual(optionsOf("server").filter((name) => !known.includes(name)), []);
});

test("the command migrates to the versions of the menu", () => {
  const help = run(["migrate", "--help"]);
  for (const version of Object.values(VERSIONS)) assert.match(help, new RegExp(`possible values: .*\\b${version}\\b`));
});

test("menus and keys refer to declared commands and languages", () => {
  const { commands, menus, languages, grammars, snippets } = manifest.contributes;
  const declared = commands.map(({ command }: { command: string }) => command);
  for (const item of Object.values<{ command: string }[]>(menus).flat()) assert.ok(declared.includes(item.command), item.command);
  assert.deepEqual(languages.map(({ id }: { id: string }) => id), [...LANGUAGES]);
  for (const { path } of [...grammars, ...snippets, ...languages.map((one: { configuration: string }) => ({ path: one.configuration }))]) read(path);
});

test("no menu applies to other YAML", () => {
  for (const [menu, items] of Object.entries<{ command: string; when?: string }[]>(manifest.contributes.menus)) {
    for (const { command, when } of items) assert.match(when ?? "", /tosca/, `${menu}: ${command}`);
  }
  const extensions = manifest.contributes.languages.flatMap((one: { extensions?: string[] }) => one.extensions ?? []);
  assert.ok(!extensions.some((extension: string) => /^\.ya?ml$/.test(extension)));
});

test("languages are recognized by their first lines", () => {
  for (const { id, firstLine } of manifest.contributes.languages) {
    const line = { tosca: "tosca_definitions_version: tosca_2_0", heat: "heat_template_version: rocky" }[id as string];
    assert.equal(firstLine !== undefined, line !== undefined, id);
    if (line) assert.match(line, new RegExp(firstLine));
  }
});

/** Returns the text that a snippet inserts with its defaults. */
function expand(body: readonly string[]): string {
  const text = body.join("\n").replace(/\$0/g, "");
  const defaults = new Map<string, string>();
  const filled = text.replace(/\$\{(\d+)(?::([^}]*)|\|([^,|]*)[^}]*)\}/g, (_, number, first, choice) => {
    defaults.set(number, first ?? choice);
    return first ?? choice;
  });
  return filled.replace(/(?<!\\)\$(\d+)/g, (_, number) => defaults.get(number) ?? "").replaceAll("\\$", "$");
}

/** Templates into which snippets fit. */
const FRAMES: Record<string, (snippet: string) => string> = {
  "TOSCA 2.0 template": (snippet) => snippet,
  "TOSCA 1.3 template": (snippet) => snippet,
  Input: (snippet) => frame("", "", `  node_templates: {}\n  inputs:\n${indent(snippet, 4)}`),
  "Node template": (snippet) => frame("", "", `  node_templates:\n    server: { type: Host }\n${indent(snippet, 4)}`),
  "Node type": (snippet) => frame("", indent(snippet, 2), ""),
  Interface: (snippet) => frame("", "", `  node_templates:\n    node:\n      type: Type\n${indent(snippet, 6)}`),
  Policy: (snippet) => frame("policy_types: { Type: {} }\n", "", `  node_templates:\n    node: { type: Host }\n  policies:\n${indent(snippet, 4)}`),
  Output: (snippet) => frame("", "", `  node_templates:\n    node: { type: Host }\n  outputs:\n${indent(snippet, 4)}`),
  "Output (1.x)": (snippet) =>
    `tosca_definitions_version: tosca_simple_yaml_1_3\nnode_types: { Host: { attributes: { attribute: { type: string } } } }\ntopology_template:\n  node_templates:\n    node: { type: Host }\n  outputs:\n${indent(snippet, 4)}`,
};

function indent(text: string, by: number): string {
  return text.trimEnd().replace(/^/gm, " ".repeat(by));
}

function frame(head: string, type: string, service: string): string {
  const types = type.includes("Type:") ? "  Parent: {}" : "  Type: { requirements: [ host: { capability: Capability, relationship: Relationship, count_range: [ 0, 1 ] } ], interfaces: { Standard: { type: Life } } }";
  return `tosca_definitions_version: tosca_2_0
${head}capability_types: { Capability: {} }
relationship_types: { Relationship: {} }
interface_types: { Life: { operations: { create: {} } } }
node_types:
${types}
  Host: { capabilities: { host: { type: Capability } }, attributes: { attribute: { type: string } } }
${type}
${service ? `service_template:\n${service}` : ""}
`;
}

test("snippets are valid", () => {
  for (const { path } of manifest.contributes.snippets) {
    const snippets = read(path);
    assert.deepEqual(Object.keys(snippets), Object.keys(FRAMES));
    for (const [name, { body }] of Object.entries<{ body: string[] }>(snippets)) {
      const text = FRAMES[name]?.(expand(body)) ?? "";
      const { diagnostics } = JSON.parse(run(["-", "--format=json", "--no-config"], text));
      const errors = diagnostics.filter(({ severity, name }: { severity: string; name: string }) => severity === "error" && !/missing-file|artifact/.test(name));
      assert.deepEqual(errors, [], `${name}:\n${text}`);
    }
  }
});
