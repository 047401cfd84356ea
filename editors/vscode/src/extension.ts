/** The extension: it starts the server, and shows what the command can tell about a template. */

import * as vscode from "vscode";
import { archiveEditor } from "./archive";
import { Client } from "./client";
import { Command } from "./command";
import { registerCommands } from "./commands";
import { detectLanguages } from "./detection";
import { Reports } from "./documents";
import { isOurs, statusBar } from "./status";
import { diagram } from "./views/diagram";
import { Panels } from "./views/panels";
import { plan } from "./views/plan";

let client: Client | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const command = new Command(context.extensionPath);
  const panels = new Panels(command);
  const reports = new Reports();
  const views = { diagram, plan };
  const started = new Client(command, (view, uri) => panels.show(views[view], { uri }));
  client = started;
  const restartServer = async () => {
    if (started.isStarted) await started.restart();
  };
  const restart = (event: vscode.ConfigurationChangeEvent) => {
    const isOnlyView = event.affectsConfiguration("tosca-parse.diagram") || event.affectsConfiguration("tosca-parse.trace");
    if (event.affectsConfiguration("tosca-parse") && !isOnlyView) void restartServer();
  };
  // Other YAML needs no server.
  const startIfNeeded = async () => {
    if (!started.isStarted && vscode.workspace.textDocuments.some(isOurs)) await started.start();
  };
  context.subscriptions.push(
    panels,
    reports,
    started,
    registerCommands({ command, client: started, panels, reports }),
    archiveEditor(command, reports),
    detectLanguages(),
    statusBar(started),
    vscode.workspace.onDidChangeConfiguration(restart),
    vscode.workspace.onDidGrantWorkspaceTrust(restartServer),
    vscode.workspace.onDidOpenTextDocument(startIfNeeded),
  );
  await startIfNeeded();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
