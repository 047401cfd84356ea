/** The plan of a service, and the differences between two services. */

import type { Command, Source } from "../command";
import { canvas } from "./diagram";
import { type Content, type Html, html, link, type Position } from "./html";
import { failure, type Subject } from "./panels";

/** The parts of `plan.schema.json` that are shown. */
export interface Plan {
  readonly removal?: readonly Stage[];
  readonly deployment: readonly Stage[];
  readonly undeployment: readonly Stage[];
  readonly loops?: readonly (readonly string[])[];
}

interface Stage {
  readonly steps: readonly Step[];
}

interface Step {
  readonly node: string;
  readonly action: "add" | "change" | "replace" | "remove";
  readonly types: readonly { readonly name: string }[];
  readonly after?: readonly string[];
  readonly operations?: readonly Call[];
  readonly differences?: readonly Difference[];
  readonly source?: Position;
}

interface Call {
  readonly interface: string;
  readonly operation: string;
  readonly implementation: { readonly primary?: { readonly file?: string; readonly source?: Position } };
}

/** A difference of `differences.schema.json`. */
export interface Difference {
  readonly at: string;
  readonly kind: "added" | "removed" | "changed";
  readonly old?: unknown;
  readonly new?: unknown;
  readonly old_source?: Position;
  readonly new_source?: Position;
}

const SIGNS = { add: "+", change: "~", replace: "±", remove: "−" };

/** The maximum length of a value in a list of differences. */
const MAX_LENGTH = 200;

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function differenceItem({ at, kind, old, new: value, old_source, new_source }: Difference): Html {
  const change = [old, value].filter((one) => one !== undefined).map((one) => html`<code>${shorten(one)}</code>`);
  const values = change.length === 2 ? html`${change[0]} → ${change[1]}` : html`${change}`;
  return html`<li class="${kind}">${link(at, new_source ?? old_source)}: ${kind} ${values}</li>`;
}

function callItem(call: Call): Html {
  const { primary } = call.implementation;
  return html`<li><code>${call.interface}.${call.operation}</code> ${primary ? link(primary.file ?? "inline", primary.source) : undefined}</li>`;
}

function stepItem(step: Step): Html {
  const after = step.after?.length ? ` after ${step.after.join(", ")}` : "";
  const details = [...(step.operations ?? []).map(callItem), ...(step.differences ?? []).map(differenceItem)];
  return html`<li class="${step.action}"><span class="sign" aria-label="${step.action}">${SIGNS[step.action]}</span>
${link(step.node, step.source)} <span class="pale">${step.types[0]?.name}${after}</span>${details.length ? html`<ul>${details}</ul>` : undefined}</li>`;
}

function stages(title: string, list: readonly Stage[] | undefined): Html | undefined {
  if (!list?.length) return undefined;
  const items = list.map(({ steps }) => html`<li><ul class="steps">${steps.map(stepItem)}</ul></li>`);
  return html`<h2>${title}</h2><ol class="stages">${items}</ol>`;
}

export function planBody(plan: Plan): Html {
  const loops = plan.loops?.map((loop) => html`<p class="warning">No order: ${loop.join(", ")} depend on each other.</p>`);
  return html`${loops}${stages("Removal", plan.removal)}${stages("Deployment", plan.deployment)}${stages("Later undeployment", plan.undeployment)}`;
}

export function differencesBody(differences: readonly Difference[]): Html {
  if (!differences.length) return html`<p>The services do not differ.</p>`;
  return html`<ul class="differences">${differences.map(differenceItem)}</ul>`;
}

/** Runs a command that has results as JSON and as a diagram, and returns a page with both. */
async function both(
  run: (format: string) => ReturnType<Command["run"]>,
  title: string,
  render: (json: string) => Html,
): Promise<Content> {
  const [json, svg] = await Promise.all([run("json"), run("svg")]);
  if (!json.stdout) return failure(json);
  const list = render(json.stdout);
  return {
    body: (nonce) => html`<main><h1>${title}</h1>${list}</main>${svg.stdout ? canvas(svg.stdout, nonce, "plan.svg") : undefined}`,
  };
}

export const plan = {
  name: "plan",
  content: ({ older }: Subject, source: Source, command: Command): Promise<Content> => {
    const from = older ? [`--from=${older.fsPath}`] : [];
    const run = (format: string) => command.read("plan", source, [`--format=${format}`, "--quiet", ...from]);
    const title = older ? `Upgrade from ${older.fsPath}` : "Plan";
    return both(run, title, (json) => planBody(JSON.parse(json) as Plan));
  },
};

export const differences = {
  name: "differences",
  content: ({ older }: Subject, source: Source, command: Command): Promise<Content> => {
    const others = older ? [older.fsPath] : [];
    const run = (format: string) => command.read("diff", source, [`--format=${format}`, "--quiet"], others);
    const title = `Differences from ${older?.fsPath ?? ""}`;
    return both(run, title, (json) => differencesBody(JSON.parse(json) as Difference[]));
  },
};
