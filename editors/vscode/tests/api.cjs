// The module `vscode` in tests. The language client derives classes from many others and reads their constants; it gets
// empty classes for those that the tests do not need.

const known = require("./vscode.ts");
const others = new Map();

function placeholder() {
  const constants = {};
  class Placeholder {
    constructor(...parameters) {
      this.parameters = parameters;
    }
    append() {
      return this;
    }
  }
  return new Proxy(Placeholder, { get: (target, name) => target[name] ?? (constants[name] ??= name === "prototype" ? target.prototype : new Placeholder()) });
}

module.exports = new Proxy(known, {
  get(_, name) {
    if (name in known || typeof name === "symbol") return known[name];
    if (!others.has(name)) others.set(name, placeholder());
    return others.get(name);
  },
});
