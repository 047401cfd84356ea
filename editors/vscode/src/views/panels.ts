/** The panels of views: one for each view of a file. */

import { randomBytes } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Command, Result, Source } from "../command";
import { folder, settings } from "../command";
import { editorUri, sourceOf } from "../documents";
import script from "browser:page";
import style from "./page.css";
import { type Content, html, page, type Position } from "./html";

/** The file of a view, and the one that it is compared with. */
export interface Subject {
  readonly uri: vscode.Uri;
  readonly older?: vscode.Uri;
}

export interface View {
  readonly name: string;
  readonly content: (subject: Subject, source: Source, command: Command) => Promise<Content>;
}

/** A message from the page of a view. */
type Message = { readonly type: "open"; readonly at: Position } | { readonly type: "save"; readonly name: string; readonly text: string };

/** The pause after a change before views are updated, in milliseconds. */
const PAUSE = 400;

/** Returns a page that shows why the command has no result. */
export function failure({ stderr }: Result): Content {
  return { body: () => html`<pre class="failure">${stderr.trim() || "no result"}</pre>` };
}

interface Entry {
  readonly panel: vscode.WebviewPanel;
  readonly update: () => Promise<void>;
}

export class Panels implements vscode.Disposable {
  private readonly entries = new Map<string, Entry>();
  private timer: NodeJS.Timeout | undefined;
  private readonly registrations = vscode.Disposable.from(
    vscode.workspace.onDidSaveTextDocument(() => this.schedule()),
    vscode.workspace.onDidChangeTextDocument(() => this.schedule()),
    vscode.languages.onDidChangeDiagnostics(() => this.schedule()),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("tosca-parse") && this.schedule()),
  );

  constructor(private readonly command: Command) {}

  /** Shows a view of a file beside the editor. */
  async show(view: View, subject: Subject): Promise<void> {
    const key = [view.name, subject.uri, subject.older].join(" ");
    let entry = this.entries.get(key);
    if (!entry) {
      entry = this.open(view, subject);
      this.entries.set(key, entry);
      entry.panel.onDidDispose(() => this.entries.delete(key));
    }
    entry.panel.reveal(undefined, true);
    await entry.update();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.registrations.dispose();
    for (const { panel } of this.entries.values()) panel.dispose();
  }

  private open(view: View, subject: Subject): Entry {
    const title = `${path.posix.basename(subject.uri.path)} (${view.name})`;
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    // Hidden pages are kept, because forms have the values of the user.
    const options = { enableScripts: true, localResourceRoots: [], retainContextWhenHidden: true };
    const panel = vscode.window.createWebviewPanel(`tosca-parse.${view.name}`, title, place, options);
    receive(panel.webview);
    let shown: string | undefined;
    let last = 0;
    const update = async () => {
      const number = ++last;
      const content = await this.content(view, subject);
      // The page stays if its content has not changed: a reload would lose what the user has typed.
      const comparable = JSON.stringify([content.body("").text, content.data]);
      if (number !== last || comparable === shown) return;
      shown = comparable;
      panel.webview.html = render(title, content);
    };
    panel.onDidDispose(() => last++);
    return { panel, update };
  }

  private async content(view: View, subject: Subject): Promise<Content> {
    try {
      return await view.content(subject, sourceOf(subject.uri), this.command);
    } catch (error) {
      return failure({ stdout: "", stderr: error instanceof Error ? error.message : String(error) });
    }
  }

  private schedule(): void {
    if (!this.entries.size) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.entries.forEach((entry) => void entry.update()), PAUSE);
  }
}

/** Returns the page for a content, with a new nonce. */
export function render(title: string, content: Content): string {
  return page({ ...content, title, nonce: randomBytes(16).toString("base64url"), style, script });
}

/** Handles the messages of a page. */
export function receive(webview: vscode.Webview, open = openPosition): void {
  webview.onDidReceiveMessage(async (message: Message) => {
    if (message.type === "open") await open(message.at);
    if (message.type === "save") await save(message.name, message.text);
  });
}

/** Opens a position in the first column of editors. */
export async function openPosition({ file, line, column }: Position): Promise<void> {
  const uri = /^[a-z][a-z+.-]+:/i.test(file) ? vscode.Uri.parse(file) : vscode.Uri.file(path.resolve(folder() ?? "", file));
  const known = editorUri(uri.toString());
  const visible = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === known.toString());
  const at = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  const viewColumn = visible?.viewColumn ?? vscode.ViewColumn.One;
  const editor = await vscode.window.showTextDocument(known, { viewColumn, selection: new vscode.Range(at, at) });
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function save(name: string, text: string): Promise<void> {
  const defaultUri = vscode.Uri.file(path.join(folder() ?? "", path.basename(name)));
  const uri = await vscode.window.showSaveDialog({ defaultUri });
  if (!uri) return;
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text, "utf8"));
  if (!name.endsWith(".yaml")) return;
  const use = "Use These Inputs";
  const choice = await vscode.window.showInformationMessage(`${vscode.workspace.asRelativePath(uri)} is saved.`, use);
  if (choice === use) await settings().update("inputs", [uri.fsPath], vscode.ConfigurationTarget.Workspace);
}
