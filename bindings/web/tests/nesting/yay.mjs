// Documents of Yay with more and more levels: prints the kinds of errors by the number of levels.

import { YayConfig, Parser } from "tosca-parse";
const ended = (call) => { try { call(); return "done"; } catch (error) { return error.kind ?? error.name + ": " + error.message; } };
const kinds = new Map();
const note = (name, levels, call) => { const k = ended(call); kinds.set(name, (kinds.get(name) ?? "") + " " + levels + "=" + k); };
const yay = (text) => { const config = new YayConfig(); config.loads(text); config.check(); config.root.resolve(); config.graph("dot"); return config.fold(); };
const nest = (open, inner, close, levels) => open.repeat(levels) + inner + close.repeat(levels);
const indented = (line, levels, last = "x: 1") => Array.from({ length: levels }, (_, level) => "  ".repeat(level) + line(level) + "\n").join("") + "  ".repeat(levels) + last + "\n";
for (const levels of [20, 60, 100, 120, 130, 170, 200, 255, 260, 400, 2000]) {
  note("parens", levels, () => yay("a: {{ " + nest("(", "1", ")", levels) + " }}\n"));
  note("list", levels, () => yay("a: {{ " + nest("[", "1", "]", levels) + " }}\n"));
  note("not", levels, () => yay("a: {{ " + nest("not ", "1", "", levels) + " }}\n"));
  note("minus", levels, () => yay("a: {{ " + nest("- ", "1", "", levels) + " }}\n"));
  note("dict", levels, () => yay("a: {{ " + nest("{'a': ", "1", "}", levels) + " }}\n"));
  note("links", levels, () => yay("a: {{ b" + ".b".repeat(levels) + " else 1 }}\n"));
  note("calls", levels, () => yay("a: {{ " + nest("str(", "1", ")", levels) + " }}\n"));
  note("index", levels, () => yay("a: {{ " + nest("[1][", "0", "]", levels) + " }}\n"));
  note("ifelse", levels, () => yay("a: {{ " + nest("1 if 1 else (", "1", ")", levels) + " }}\n"));
  note("pow", levels, () => yay("a: {{ 1" + " ** 1".repeat(levels) + " }}\n"));
  note("plus", levels, () => yay("a: {{ 1" + " + 1".repeat(levels) + " }}\n"));
  note("comp", levels, () => yay("a: {{ " + nest("[i for i in ", "[1]", "]", levels) + " }}\n"));
  note("keys", levels, () => yay(indented((level) => "k" + level + ":", levels)));
  note("ifs", levels, () => yay(indented(() => "if 1:", levels)));
  note("fors", levels, () => yay("a:\n" + indented(() => "  for i in [1]:", levels, "  - 1")));
  note("lists", levels, () => yay("a:\n" + indented(() => "  -", levels, "  - 1")));
  note("flow", levels, () => yay("a: " + nest("[", "1", "]", levels) + "\n"));
  note("chain", levels, () => yay(Array.from({ length: levels }, (_, n) => "k" + n + ": {{ k" + (n + 1) + " }}\n").join("") + "k" + levels + ": 7\n"));
  note("macros", levels, () => yay(Array.from({ length: levels }, (_, n) => "macro m" + n + ":\n  call m" + (n + 1) + ":\n    x: {{ x }}\n").join("") + "macro m" + levels + ":\n  a: {{ x }}\nz:\n  call m0:\n    x: 1\n"));
  note("protos", levels, () => yay(Array.from({ length: levels }, (_, n) => "prototype P" + n + ":\n  x:\n    new P" + (n + 1) + "\n").join("") + "prototype P" + levels + ":\n  a: 1\nz:\n  new P0\n"));
  note("data", levels, () => { let d = 1; for (let n = 0; n < levels; n++) d = n % 2 ? [d] : { a: d }; const c = new YayConfig(); c.add({ d }); c.loads("e: {{ d }}\nf: {{ d == e }}\n"); c.check(); c.root.resolve(); c.fold(); });
  note("include", levels, () => { const c = new YayConfig(); for (let n = 0; n < levels; n++) c.write("f" + n + ".yay", 'include "f' + (n + 1) + '.yay"\n'); c.write("f" + levels + ".yay", "a: 1\n"); c.load("f0.yay"); c.check(); c.root.resolve(); });
  note("template", levels, () => { const p = new Parser(); p.write("s.yay", "tosca_definitions_version: tosca_2_0\nmetadata:\n" + indented((l) => "  k" + l + ":", levels, "  x: 1")); p.parse("s.yay").render(); });
}
for (const [name, text] of kinds) console.log(name + ":" + text);
