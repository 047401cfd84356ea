/** The diagram of a service. */

import * as path from "node:path";
import * as vscode from "vscode";
import { type Command, settings, type Source } from "../command";
import { DIAGRAM, toArguments, type Value } from "../options";
import { type Content, Html, html, type Position, withNonce } from "./html";
import { failure, type Subject } from "./panels";

/** A node of a diagram, or a requirement of a node: its position and problems. */
export interface Place {
  readonly at: Position;
  readonly severity?: "error" | "warning";
  readonly problems: readonly string[];
  readonly requirements?: Readonly<Record<string, Place>>;
}

/** The kinds of symbols that diagrams show as boxes. */
const NODES = ["node template", "resource"];

/** Returns the places of the nodes of a file, by name. */
export function places(file: string, symbols: readonly vscode.DocumentSymbol[], problems: readonly vscode.Diagnostic[]): Record<string, Place> {
  const placeOf = (symbol: vscode.DocumentSymbol): Place => {
    const within = problems.filter(({ range }) => symbol.range.contains(range.start) && range.start.isAfterOrEqual(symbol.range.start));
    const isError = within.some(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
    const isWarning = within.some(({ severity }) => severity === vscode.DiagnosticSeverity.Warning);
    const { line, character } = symbol.selectionRange.start;
    return {
      at: { file, line: line + 1, column: character + 1 },
      ...(isError ? { severity: "error" } : isWarning ? { severity: "warning" } : {}),
      problems: within.map(({ message }) => message),
    };
  };
  const found: [string, Place][] = [];
  const visit = (symbol: vscode.DocumentSymbol) => {
    if (NODES.includes(symbol.detail)) {
      const requirements = symbol.children.filter(({ detail }) => detail === "requirement assignment");
      const all = Object.fromEntries(requirements.map((child) => [child.name, placeOf(child)]));
      found.push([symbol.name, { ...placeOf(symbol), requirements: all }]);
    }
    symbol.children.forEach(visit);
  };
  symbols.forEach(visit);
  return Object.fromEntries(found);
}

/** Returns the diagram of a template as SVG. */
export function draw(command: Command, source: Source) {
  const config = settings();
  const options = toArguments(DIAGRAM, (name) => config.get<Value>(`diagram.${name}`));
  return command.read("graph", source, ["--format=svg", "--quiet", ...options]);
}

/** Returns a page body with a diagram and its buttons. */
export function canvas(svg: string, nonce: string, name: string): Html {
  return html`<div class="bar" role="toolbar" aria-label="Diagram">
<button data-zoom="1.25" title="Zoom in">+</button><button data-zoom="0.8" title="Zoom out">−</button>
<button data-zoom="fit" title="Fit to the window">Fit</button><button data-zoom="1" title="Original size">100 %</button>
<button data-save="${name}">Save SVG</button></div>
<div class="canvas">${new Html(withNonce(svg, nonce))}</div>`;
}

async function content({ uri }: Subject, source: Source, command: Command): Promise<Content> {
  const [result, symbols] = await Promise.all([
    draw(command, source),
    vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>("vscode.executeDocumentSymbolProvider", uri),
  ]);
  if (!result.stdout) return failure(result);
  const name = path.basename(source.path).replace(/(\.ya?ml)?$/, ".svg");
  return {
    body: (nonce) => canvas(result.stdout, nonce, name),
    data: places(uri.toString(), symbols ?? [], vscode.languages.getDiagnostics(uri)),
  };
}

export const diagram = { name: "diagram", content };
