import assert from "node:assert/strict";
import { test } from "node:test";
import { filesOf } from "../src/archive";
import { detect, version } from "../src/languages";
import { option, toArguments, type Value } from "../src/options";
import { edgeOf, nodeOf } from "../src/views/browser/names";
import { places } from "../src/views/diagram";
import { formBody } from "../src/views/form";
import { html, link, page, withNonce } from "../src/views/html";
import { differencesBody, planBody } from "../src/views/plan";
import { Diagnostic, DiagnosticSeverity, DocumentSymbol, Range } from "./vscode";

test("languages are detected by content", () => {
  assert.equal(detect("a.yaml", "# a comment\ntosca_definitions_version: tosca_2_0\n"), "tosca");
  assert.equal(detect("a.yaml", '"tosca_definitions_version": cloudify_dsl_1_3\n'), "tosca");
  assert.equal(detect("a.yaml", "{ tosca_definitions_version: tosca_2_0 }"), "tosca");
  assert.equal(detect("a.yaml", "heat_template_version: 2018-08-31\n"), "heat");
  assert.equal(detect("shop_test.yaml", "cases:\n"), "tosca");
  assert.equal(detect("a/manifest.yaml", "Format: 1.0\nFullName: a.B\n"), "murano");
  assert.equal(detect("B.yaml", "Namespaces:\n  =: a\nName: B\n"), "murano");
});

test("other YAML keeps its language", () => {
  for (const text of ["", "services:\n  web: {}\n", "cases:\n", "FullName: a\n", "Name: B\n", "note: tosca_definitions_version: no\n", "  indented_tosca_definitions_version: 1\n"]) {
    assert.equal(detect("docker-compose.yaml", text), undefined, text);
  }
});

test("versions have the names that users know", () => {
  assert.equal(version("# x\ntosca_definitions_version: tosca_2_0\n"), "TOSCA 2.0");
  assert.equal(version("tosca_definitions_version: 'tosca_simple_yaml_1_3'\n"), "TOSCA 1.3");
  assert.equal(version("tosca_definitions_version: cloudify_dsl_1_3\n"), "cloudify_dsl_1_3");
  assert.equal(version("heat_template_version: 2018-08-31\n"), "2018-08-31");
  assert.equal(version("a: b\n"), undefined);
});

test("settings become options", () => {
  const values: Record<string, Value> = {
    profilePath: ["a", "--b"],
    offline: true,
    gpg: false,
    config: "",
    input: { port: 80, name: "x=y", wide: false },
    properties: 0,
  };
  assert.equal(option("allowPrivateNetwork"), "--allow-private-network");
  assert.deepEqual(
    toArguments([...Object.keys(values), "missing"], (name) => values[name]),
    ["--profile-path=a", "--profile-path=--b", "--offline", "--input=port=80", "--input=name=x=y", "--input=wide=false", "--properties=0"],
  );
});

test("files of archives are listed", () => {
  const output = "a.csar: 2 files, zip\n  71  TOSCA.meta\n1233  a b/shop.yaml  (entry)\n";
  assert.deepEqual(filesOf(output), [
    { size: 71, name: "TOSCA.meta", isEntry: false },
    { size: 1233, name: "a b/shop.yaml", isEntry: true },
  ]);
});

test("tooltips of diagrams name nodes and requirements", () => {
  const names = ["a", "a: b", "front"];
  assert.equal(nodeOf("front: Shop", names), "front");
  assert.equal(nodeOf("a: b: Type", names), "a: b");
  assert.equal(nodeOf("other: Shop", names), undefined);
  assert.equal(nodeOf("a\nfirst\nsecond", names), "a");
  assert.deepEqual(edgeOf("front → a: host (HostedOn)", names), { node: "front", requirement: "host" });
  assert.deepEqual(edgeOf("front → elsewhere", names), { node: "front", requirement: "" });
  assert.equal(edgeOf("front: Shop", names), undefined);
});

test("nodes of diagrams have positions and problems", () => {
  const symbol = (name: string, detail: string, first: number, last: number, children: DocumentSymbol[] = []) => {
    const range = new Range(first, 4, last, 20);
    return Object.assign(new DocumentSymbol(name, detail, 1, range, range), { children });
  };
  const host = symbol("host", "requirement assignment", 3, 3);
  const service = symbol("service_template", "service template", 0, 9, [symbol("front", "node template", 1, 4, [host]), symbol("__proto__", "resource", 5, 6)]);
  const problems = [new Diagnostic(new Range(3, 10, 3, 12), "unknown", DiagnosticSeverity.Error), new Diagnostic(new Range(9, 0, 9, 1), "elsewhere")];
  const found = places("file:///a", [service] as never, problems as never);
  assert.deepEqual(Object.keys(found), ["front", "__proto__"]);
  assert.equal(found.front?.severity, "error");
  assert.deepEqual(found.front?.at, { file: "file:///a", line: 2, column: 5 });
  assert.deepEqual(found.front?.requirements?.host?.problems, ["unknown"]);
  assert.deepEqual(Object.entries(found)[1]?.[1].problems, []);
});

const EVIL = `</script><img src=x onerror=alert(1)>"'&`;

test("pages escape what comes from templates", () => {
  assert.equal(html`<p title="${EVIL}">${EVIL}</p>`.text.includes("<img"), false);
  assert.equal(link(EVIL, { file: EVIL, line: 1, column: 1 }).text.includes("<img"), false);
  const plan = planBody({
    deployment: [{ steps: [{ node: EVIL, action: "add", types: [{ name: EVIL }], after: [EVIL], operations: [{ interface: EVIL, operation: EVIL, implementation: { primary: { file: EVIL } } }] }] }],
    undeployment: [],
    loops: [[EVIL]],
  });
  assert.equal(plan.text.includes("<img"), false);
  assert.equal(differencesBody([{ at: EVIL, kind: "changed", old: EVIL, new: { [EVIL]: EVIL } }]).text.includes("<img"), false);
  const whole = page({ title: EVIL, nonce: "N", style: "", script: "", body: () => html`${EVIL}`, data: { [EVIL]: EVIL } });
  assert.equal(whole.includes("<img"), false);
  assert.equal(whole.match(/<\/script>/g)?.length, 2);
});

test("pages allow only their own scripts and styles", () => {
  const whole = page({ title: "t", nonce: "N", style: "", script: "", body: () => html``, data: null });
  assert.match(whole, /content="default-src 'none'; style-src 'nonce-N'; script-src 'nonce-N'; form-action 'none'; base-uri 'none'"/);
  assert.doesNotMatch(whole, /unsafe/);
  assert.equal(withNonce("<style>a</style><script>b</script>", "N"), '<style nonce="N">a</style><script>b</script>');
  const form = formBody('<head><style>a</style></head><body><script type="x">1</script><script>2</script></body>', "N").text;
  assert.equal(form, '<style nonce="N">a</style><script nonce="N" type="x">1</script><script nonce="N">2</script>');
});
