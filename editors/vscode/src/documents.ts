/** Documents: their files, and read-only ones with the output of commands. */

import { tmpdir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { folder, type Source } from "./command";

/** Returns the path that an untitled document would have. Its relative imports start there. */
export function untitledPath(uri: vscode.Uri): string {
  return uri.path.startsWith("/") ? uri.with({ scheme: "file" }).fsPath : path.join(folder() ?? tmpdir(), uri.path);
}

/** Returns the URI of a document in the editor. */
export function editorUri(uri: string): vscode.Uri {
  const parsed = vscode.Uri.parse(uri);
  const isIt = (open: vscode.Uri) => open.scheme === "untitled" && untitledPath(open) === parsed.fsPath;
  return vscode.workspace.textDocuments.find((document) => isIt(document.uri))?.uri ?? parsed;
}

/** Returns the current text of an open document, or the file. */
export function sourceOf(uri: vscode.Uri): Source {
  const document = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  const file = uri.scheme === "untitled" ? untitledPath(uri) : uri.fsPath;
  return document && (document.isDirty || document.isUntitled) ? { path: file, text: document.getText() } : { path: file };
}

/** Read-only documents, whose content is kept while they are open. */
export class Reports implements vscode.TextDocumentContentProvider, vscode.Disposable {
  static readonly SCHEME = "tosca-parse";
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registrations = vscode.Disposable.from(
    this.changed,
    vscode.workspace.registerTextDocumentContentProvider(Reports.SCHEME, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
  );

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Shows a text beside the editor. A later text with the same name replaces it. */
  async show(name: string, text: string, language?: string): Promise<vscode.TextEditor> {
    const uri = vscode.Uri.from({ scheme: Reports.SCHEME, path: `/${name}` });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    if (language) await vscode.languages.setTextDocumentLanguage(document, language);
    return vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }

  dispose(): void {
    this.registrations.dispose();
  }
}
