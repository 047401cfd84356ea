/** The status bar: the version of the current file, and the state of the server. */

import * as vscode from "vscode";
import { State } from "vscode-languageclient/node";
import type { Client } from "./client";
import { LANGUAGES, MAX_LINES, version } from "./languages";

export function isOurs(document: vscode.TextDocument | undefined): document is vscode.TextDocument {
  return LANGUAGES.some((language) => language === document?.languageId);
}

export function statusBar(client: Client): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("tosca-parse.status", vscode.StatusBarAlignment.Right, 100);
  item.name = "TOSCA";
  item.command = "tosca-parse.menu";

  const update = () => {
    const document = vscode.window.activeTextEditor?.document;
    if (!isOurs(document)) return item.hide();
    const label = version(document.getText(new vscode.Range(0, 0, MAX_LINES, 0))) ?? "TOSCA";
    const isStopped = client.state === State.Stopped;
    const icon = isStopped ? "error" : client.state === State.Starting ? "loading~spin" : symbol(document.uri);
    item.text = `$(${icon}) ${label}`;
    item.tooltip = isStopped ? "The TOSCA server is not running" : summary(document.uri);
    item.backgroundColor = isStopped ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
    item.show();
  };

  update();
  return vscode.Disposable.from(
    item,
    client.onDidChangeState(update),
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.languages.onDidChangeDiagnostics(update),
    vscode.workspace.onDidOpenTextDocument(update),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === vscode.window.activeTextEditor?.document) update();
    }),
  );
}

function count(uri: vscode.Uri, severity: vscode.DiagnosticSeverity): number {
  return vscode.languages.getDiagnostics(uri).filter((problem) => problem.severity === severity).length;
}

function symbol(uri: vscode.Uri): string {
  if (count(uri, vscode.DiagnosticSeverity.Error)) return "error";
  return count(uri, vscode.DiagnosticSeverity.Warning) ? "warning" : "check";
}

function summary(uri: vscode.Uri): string {
  const [errors, warnings] = [vscode.DiagnosticSeverity.Error, vscode.DiagnosticSeverity.Warning].map((severity) => count(uri, severity));
  return `${errors} errors, ${warnings} warnings in this file. Click for commands`;
}
