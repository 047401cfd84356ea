/** Assigns the languages of the extension to YAML documents according to their content. */

import * as vscode from "vscode";
import { settings } from "./command";
import { detect, MAX_LINES } from "./languages";

export function detectLanguages(): vscode.Disposable {
  // A document is assigned once, so that the user can choose another language.
  const assigned = new Set<string>();

  const examine = async (document: vscode.TextDocument) => {
    const isCandidate = document.languageId === "yaml" || (document.isUntitled && document.languageId === "plaintext");
    const key = document.uri.toString();
    if (!isCandidate || assigned.has(key) || !settings().get<boolean>("detectLanguage")) return;
    const language = detect(document.uri.path, document.getText(new vscode.Range(0, 0, MAX_LINES, 0)));
    if (language) {
      assigned.add(key);
      await vscode.languages.setTextDocumentLanguage(document, language);
    }
  };

  vscode.workspace.textDocuments.forEach(examine);
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(examine),
    vscode.workspace.onDidChangeTextDocument(({ document }) => examine(document)),
  );
}
