/** The names in the tooltips of a diagram. */

/** Returns the node that a tooltip like `shop: Shop` names. Names may contain colons. */
export function nodeOf(tooltip: string, names: readonly string[]): string | undefined {
  const line = tooltip.split("\n", 1)[0] ?? "";
  const matching = names.filter((name) => line === name || line.startsWith(`${name}: `));
  return longest(matching);
}

/** Returns the source node and the requirement that a tooltip like `shop → server: host (HostedOn)` names. */
export function edgeOf(tooltip: string, names: readonly string[]): { node: string; requirement: string } | undefined {
  const node = longest(names.filter((name) => tooltip.startsWith(`${name} → `)));
  if (node === undefined) return undefined;
  const target = tooltip.slice(node.length + " → ".length);
  const name = longest(names.filter((name) => target.startsWith(`${name}: `)));
  const requirement = name === undefined ? "" : target.slice(name.length + 2).replace(/ \(.*\)$/, "");
  return { node, requirement };
}

function longest(names: readonly string[]): string | undefined {
  return names.reduce<string | undefined>((best, name) => (best !== undefined && best.length >= name.length ? best : name), undefined);
}
