/** The commands of the extension. */

import * as path from "node:path";
import * as vscode from "vscode";
import { argumentsOf, type Command, type Result } from "./command";
import type { Client } from "./client";
import { type Reports, sourceOf } from "./documents";
import { diagram } from "./views/diagram";
import { form } from "./views/form";
import type { Panels, View } from "./views/panels";
import { differences, plan } from "./views/plan";

/** The versions that files can be migrated to, newest first. */
export const VERSIONS: Readonly<Record<string, string>> = {
  "TOSCA 2.0": "tosca_2_0",
  "TOSCA 1.3": "tosca_simple_yaml_1_3",
  "TOSCA 1.2": "tosca_simple_yaml_1_2",
  "TOSCA 1.1": "tosca_simple_yaml_1_1",
};

/** The commands of the menu of the status bar, with their titles. */
const MENU: Record<string, string> = {
  "tosca-parse.showDiagram": "Show Diagram",
  "tosca-parse.showPlan": "Show Plan",
  "tosca-parse.showUpgradePlan": "Show Upgrade Plan from…",
  "tosca-parse.showDifferences": "Compare with…",
  "tosca-parse.showForm": "Fill in Inputs",
  "tosca-parse.resolve": "Resolve Requirements",
  "tosca-parse.fixAll": "Fix All Problems",
  "tosca-parse.migrate": "Migrate to…",
  "tosca-parse.showOutput": "Show Output",
  "tosca-parse.restart": "Restart Server",
};

export interface Parts {
  readonly command: Command;
  readonly client: Client;
  readonly panels: Panels;
  readonly reports: Reports;
}

export function registerCommands({ command, client, panels, reports }: Parts): vscode.Disposable {
  const show = (view: View) => (uri: vscode.Uri) => panels.show(view, { uri });
  const compare = (view: View) => async (uri: vscode.Uri, selected?: readonly vscode.Uri[]) => {
    // In the explorer, two files may be selected.
    const older = selected?.find((other) => other.toString() !== uri.toString()) ?? (await pickOlder(uri));
    if (older) await panels.show(view, { uri, older });
  };
  const ofFiles: Record<string, (uri: vscode.Uri, selected?: readonly vscode.Uri[]) => Promise<unknown>> = {
    showDiagram: show(diagram),
    showPlan: show(plan),
    showForm: show(form),
    showUpgradePlan: compare(plan),
    showDifferences: compare(differences),
    resolve: (uri) => resolve(command, reports, uri),
    migrate: (uri) => migrate(command, reports, uri),
  };
  const others: Record<string, () => unknown> = {
    fixAll: () => vscode.commands.executeCommand("editor.action.fixAll"),
    restart: () => client.restart(),
    showOutput: () => client.showOutput(),
    menu,
  };
  const registrations = Object.entries(ofFiles).map(([name, run]) =>
    vscode.commands.registerCommand(`tosca-parse.${name}`, async (uri?: vscode.Uri, selected?: readonly vscode.Uri[]) => {
      const file = uri ?? vscode.window.activeTextEditor?.document.uri;
      if (file) await run(file, selected);
    }),
  );
  registrations.push(...Object.entries(others).map(([name, run]) => vscode.commands.registerCommand(`tosca-parse.${name}`, run)));
  return vscode.Disposable.from(...registrations);
}

async function menu(): Promise<void> {
  const items = Object.entries(MENU).map(([command, label]) => ({ command, label }));
  const chosen = await vscode.window.showQuickPick(items, { title: "TOSCA" });
  if (chosen) await vscode.commands.executeCommand(chosen.command);
}

async function pickOlder(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  const options = { title: "Older Template", defaultUri: vscode.Uri.joinPath(uri, ".."), filters: { TOSCA: ["yaml", "yml", "csar", "yay"] } };
  return (await vscode.window.showOpenDialog(options))?.[0];
}

async function resolve(command: Command, reports: Reports, uri: vscode.Uri): Promise<void> {
  const result = await command.read("resolve", sourceOf(uri), ["--color=never"]);
  await reports.show(`${path.basename(uri.path)} (requirements)`, both(result));
}

async function migrate(command: Command, reports: Reports, uri: vscode.Uri): Promise<void> {
  const version = await vscode.window.showQuickPick(Object.keys(VERSIONS), { title: "Migrate to" });
  const word = version && VERSIONS[version];
  if (!word) return;
  if (uri.scheme !== "file" || !(await vscode.workspace.saveAll(false))) {
    return void vscode.window.showErrorMessage("Save the file before it is migrated: its imports are migrated with it.");
  }
  const parameters = (...more: string[]) => ["migrate", `--to=${word}`, "--color=never", ...more, ...argumentsOf(), "--", uri.fsPath];
  const preview = await command.run(parameters("--diff"));
  await reports.show(`${path.basename(uri.path)} (${version})`, both(preview), "diff");
  if (!preview.stdout) return void vscode.window.showInformationMessage(`Nothing to migrate to ${version}.`);
  const question = `Migrate the file and its imports to ${version}?`;
  if ((await vscode.window.showInformationMessage(question, "Migrate")) === "Migrate") {
    const { stderr } = await command.run(parameters("--quiet"));
    if (stderr) await reports.show(`${path.basename(uri.path)} (${version})`, stderr);
  }
}

function both({ stdout, stderr }: Result): string {
  return [stdout, stderr].filter(Boolean).join("\n");
}
