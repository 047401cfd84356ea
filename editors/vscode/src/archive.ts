/** The read-only editor of archives (CSAR): files, problems and the diagram. */

import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { ACCESS } from "./options";
import { argumentsOf, type Command } from "./command";
import type { Reports } from "./documents";
import { canvas, draw } from "./views/diagram";
import { type Content, html, link, type Position } from "./views/html";
import { openPosition, receive, render } from "./views/panels";

/** A file of an archive. */
export interface File {
  readonly name: string;
  readonly size: number;
  readonly isEntry: boolean;
}

/** A problem of `problems.schema.json`. */
interface Problem {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly file?: string;
  readonly start?: { readonly line: number; readonly column: number };
}

/** Returns the files in the output of `tosca-parse csar list`. */
export function filesOf(output: string): File[] {
  const lines = output.split("\n").map((line) => /^ *(\d+)  (.+?)(  \(entry\))?$/.exec(line));
  return lines.flatMap((match) => (match ? [{ size: Number(match[1]), name: match[2] ?? "", isEntry: Boolean(match[3]) }] : []));
}

/** The separator between the path of an archive and that of a file in it. */
const INSIDE = "!/";

class Editor implements vscode.CustomReadonlyEditorProvider {
  constructor(
    private readonly command: Command,
    private readonly reports: Reports,
  ) {}

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => void rm(this.unpacked(uri), { recursive: true, force: true }) };
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const name = path.basename(uri.fsPath);
    panel.webview.options = { enableScripts: true, localResourceRoots: [] };
    receive(panel.webview, (at) => this.open(uri, at));
    panel.webview.html = render(name, await this.content(uri));
  }

  private async content(uri: vscode.Uri): Promise<Content> {
    const archive = uri.fsPath;
    const [list, validated, svg] = await Promise.all([
      this.command.run(["csar", "list", ...argumentsOf(ACCESS), "--", archive]),
      this.command.read("validate", { path: archive }, ["--format=json"]),
      draw(this.command, { path: archive }),
    ]);
    const problems = parse(validated.stdout);
    const at = (file: string): Position => ({ file: archive + INSIDE + file, line: 1, column: 1 });
    const files = filesOf(list.stdout).map(
      ({ name, size, isEntry }) => html`<li>${link(name, at(name))} <span class="pale">${size} bytes${isEntry ? ", entry" : ""}</span></li>`,
    );
    const found = problems.map(
      ({ code, severity, message, file, start }) => html`<li class="${severity}">${link(code, file && start ? { file, ...start } : undefined)}: ${message}</li>`,
    );
    const failed = [list, validated].map(({ stdout, stderr }) => (stdout ? "" : stderr.trim())).filter(Boolean);
    return {
      body: (nonce) => html`<main><h1>${path.basename(archive)}</h1>
${failed.length ? html`<pre class="failure">${failed.join("\n")}</pre>` : undefined}
<h2>Problems</h2>${found.length ? html`<ul>${found}</ul>` : html`<p>None</p>`}
<h2>Files</h2><ul>${files}</ul></main>
${svg.stdout ? canvas(svg.stdout, nonce, "diagram.svg") : undefined}`,
    };
  }

  private unpacked({ fsPath }: vscode.Uri): string {
    return path.join(tmpdir(), "tosca-parse-vscode", createHash("sha256").update(fsPath).digest("hex").slice(0, 16), String(process.pid));
  }

  /** Opens a file of an archive as a read-only document, or a position elsewhere. */
  private async open(uri: vscode.Uri, at: Position): Promise<void> {
    const [archive, name] = split(at.file);
    if (name === undefined || archive !== uri.fsPath) return openPosition(at);
    const folder = this.unpacked(uri);
    const file = path.join(folder, name);
    if (!file.startsWith(folder + path.sep)) return;
    const { stderr } = await this.command.run(["csar", "extract", "--force", ...argumentsOf(ACCESS), "--", archive, folder]);
    const text = await readFile(file, "utf8").catch(() => stderr);
    const editor = await this.reports.show(`${path.basename(archive)}/${name}`, text);
    const start = new vscode.Position(at.line - 1, at.column - 1);
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(new vscode.Range(start, start));
  }
}

function split(file: string): [string, string?] {
  const end = file.indexOf(INSIDE);
  return end < 0 ? [file] : [file.slice(0, end), file.slice(end + INSIDE.length)];
}

function parse(output: string): readonly Problem[] {
  return output ? (JSON.parse(output) as { diagnostics: readonly Problem[] }).diagnostics : [];
}

export function archiveEditor(command: Command, reports: Reports): vscode.Disposable {
  return vscode.window.registerCustomEditorProvider("tosca-parse.archive", new Editor(command, reports));
}
