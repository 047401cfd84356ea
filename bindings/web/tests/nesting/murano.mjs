// Expressions, packages and models with more and more levels: prints the kinds of errors by the number of levels.

import { Classes, Package, Parser, evaluate } from "tosca-parse/murano";
const ended = (call) => { try { call(); return "done"; } catch (error) { return error.kind ?? error.name + ": " + error.message; } };
const kinds = new Map();
const note = (name, levels, call) => { const k = ended(call); kinds.set(name, (kinds.get(name) ?? "") + " " + levels + "=" + k); };
const nest = (open, inner, close, levels) => open.repeat(levels) + inner + close.repeat(levels);
const base = `Namespaces: { =: t }
Name: N
Properties:
  inner: { Contract: $.class(N) }
  any: { Contract: $ }
  size: { Contract: $.int(), Default: 1 }
Methods:
  call: { Usage: Static, Arguments: [ { n: { Contract: $.int() } } ], Body: [ { If: $n > 0, Then: [ { Return: :N.call($n - 1) } ] }, { Return: 0 } ] }
  build:
    Usage: Static
    Arguments: [ { n: { Contract: $.int() } } ]
    Body:
      - If: $n > 0
        Then:
          - Return: new(N, inner => :N.build($n - 1))
      - Return: new(N)
  depth: { Body: [ { If: $.inner != null, Then: [ { Return: $.inner.depth() + 1 } ] }, { Return: 1 } ] }
  data: { Usage: Static, Arguments: [ { n: { Contract: $ } } ], Body: [ { Return: $n } ] }
  walk: { Usage: Static, Arguments: [ { n: { Contract: $.int() } } ], Body: [ { $x: [ 1 ] }, { While: $n > 0, Do: [ { $x: [ $x ] }, { $n: $n - 1 } ] }, { Return: $x } ] }
  each:
    Usage: Static
    Arguments: [ { n: { Contract: $.int() } } ]
    Body:
      - If: $n = 0
        Then: [ { Return: 1 } ]
      - For: i
        In: [ 1 ]
        Do:
          - Try:
              - Match: { 1: [ { Return: list(1).select(:N.each($n - 1)).first() } ] }
                Value: $i
            Finally: [ { $y: 1 } ]
`;
const classes = new Classes([Package.fromText("t", base)]);
for (const levels of [20, 60, 100, 140, 170, 200, 300, 450, 600, 2000]) {
  note("call", levels, () => classes.call("t.N", "call", [levels]));
  note("build", levels, () => classes.call("t.N", "build", [levels]));
  note("each", levels, () => classes.call("t.N", "each", [levels]));
  note("walk", levels, () => classes.call("t.N", "walk", [levels]));
  let model = { "?": { type: "t.N", id: "n0" } };
  for (let n = 1; n < levels; n++) model = { "?": { type: "t.N", id: "n" + n }, inner: model };
  note("load", levels, () => { const loaded = classes.load(model); loaded.save(); });
  note("depth", levels, () => { const loaded = classes.load(model); loaded.call("n" + (levels - 1), "depth"); });
  let data = 1; for (let n = 0; n < levels; n++) data = n % 2 ? [data] : { a: data };
  note("data", levels, () => classes.call("t.N", "data", [data]));
  note("any", levels, () => classes.load({ "?": { type: "t.N", id: "n" }, any: data }).save());
  const own = (text) => new Classes([Package.fromText("u", text)]);
  const checked = (text) => { own(text).check(); return own(text).call("u.U", "m", []); };
  const body = (code) => "Namespaces: { =: u }\nName: U\nMethods:\n  m:\n    Usage: Static\n    Body: [ " + code + " ]\n";
  note("if", levels, () => checked(body(nest("{ If: 1 = 1, Then: [ ", "{ Return: 1 }", " ] }", levels))));
  note("for", levels, () => checked(body(nest("{ For: i, In: [ 1 ], Do: [ ", "{ Return: 1 }", " ] }", levels))));
  note("list", levels, () => checked(body("{ Return: " + nest("[ ", "$.x", " ]", levels) + " }")));
  note("expression", levels, () => checked(body('{ Return: "' + nest("list(", "1", ")", levels) + '" }')));
  note("contract", levels, () => { const c = own("Name: U\nProperties: { p: { Contract: " + nest("{ a: ", "$.int()", " }", levels) + " } }\n"); c.check(); c.schemas("U"); c.formPage("U"); let d = 1; for (let n = 0; n < levels; n++) d = { a: d }; return c.load({ "?": { type: "U", id: "u" }, p: d }).save(); });
  note("chain", levels, () => { const c = own(Array.from({ length: levels }, (_, n) => "Name: C" + n + "\n" + (n ? "Extends: C" + (n - 1) + "\n" : "") + "Properties: { p: { Contract: $.int(), Default: 1 } }\nMethods: { m: { Body: [ { Return: 1 } ] } }\n").join("---\n")); c.check(); const m = c.load({ "?": { type: "C" + (levels - 1), id: "c" } }); m.call("c", "m"); c.schemas("C" + (levels - 1)); return m.save(); });
  note("defaults", levels, () => { const c = own(Array.from({ length: levels }, (_, n) => "Name: C" + n + "\nProperties: { p: { " + (n ? "Contract: $.class(C" + (n - 1) + "), Default: { '?': { type: C" + (n - 1) + " } }" : "Contract: $.int(), Default: 1") + " } }\n").join("---\n")); c.check(); c.schemas("C" + (levels - 1)); return c.load({ "?": { type: "C" + (levels - 1), id: "c" } }).save(); });
  note("parse", levels, () => { const p = new Parser(); p.write("manifest.yaml", "Format: 1.4\nType: Library\nFullName: t\nClasses: { t.N: N.yaml }\n"); p.write("Classes/N.yaml", base); p.write("model.yaml", JSON.stringify(model)); const o = p.parse("model.yaml"); o.render(); p.write("Classes/N.yaml", body(nest("{ If: 1 = 1, Then: [ ", "{ Return: 1 }", " ] }", levels))); p.parse("manifest.yaml").render(); });
  note("yaql", levels, () => evaluate("def(f, switch($ = 0 => 7, true => f($ - 1))) -> f(" + levels + ")"));
  note("yaqlparens", levels, () => evaluate(nest("(", "1", ")", levels)));
  note("yaqlselect", levels, () => evaluate(nest("[1].select(", "1", ")", levels)));
  note("yaqldict", levels, () => evaluate(nest("{a => ", "1", "}", levels)));
  note("yaqllet", levels, () => evaluate(nest("let(a => 1) -> (", "1", ")", levels)));
  note("yaqldata", levels, () => { let d = 1; for (let n = 0; n < levels; n++) d = n % 2 ? [d] : { a: d }; return [evaluate("$", d), evaluate("$ = $", d), evaluate("str($)", d), evaluate("[$].toSet()", d), evaluate("$.flatten()", [d])]; });
}
for (const [name, text] of kinds) console.log(name + ":" + text);
