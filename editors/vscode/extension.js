// Starts the server and shows its diagrams. The language client handles everything else.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;
const panels = new Map();

async function start() {
  const settings = vscode.workspace.getConfiguration("tosca-parse");
  const server = { command: settings.get("path"), args: ["server", ...settings.get("arguments")] };
  client = new LanguageClient("tosca-parse", "TOSCA", server, {
    documentSelector: [{ scheme: "file", language: "yaml" }],
    middleware: { executeCommand: execute },
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`can't start \`${server.command}\`: ${error.message}`);
  }
}

// Shows the results of the commands of code lenses.
async function execute(command, parameters, next) {
  const uri = vscode.Uri.parse(parameters[0]);
  if (command === "tosca-parse.diagram") {
    return show(uri);
  }
  const answer = await next(command, parameters);
  if (command === "tosca-parse.plan") {
    const content = answer?.text ?? answer?.message ?? "no plan available";
    const document = await vscode.workspace.openTextDocument({ content });
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  } else if (command === "tosca-parse.uses") {
    const position = client.protocol2CodeConverter.asPosition(parameters[1]);
    const locations = await client.protocol2CodeConverter.asReferences(answer ?? []);
    await vscode.commands.executeCommand("editor.action.showReferences", uri, position, locations);
  }
  return answer;
}

async function restart() {
  await client?.stop();
  await start();
}

// The page with the diagram of a file. It needs no scripts.
async function page(uri) {
  const answer = await client.sendRequest("workspace/executeCommand", {
    command: "tosca-parse.diagram",
    arguments: [uri.toString()],
  });
  const text = (answer?.message ?? "no diagram available").replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`);
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return `<!doctype html><html><head>${head}</head><body style="background: white; color: black">${answer?.svg ?? text}</body></html>`;
}

async function showDiagram() {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri && client) {
    await show(uri);
  }
}

async function show(uri) {
  const key = uri.toString();
  let panel = panels.get(key);
  if (!panel) {
    const title = `${uri.path.split("/").pop()} (diagram)`;
    panel = vscode.window.createWebviewPanel("tosca-parse.diagram", title, vscode.ViewColumn.Beside, {});
    panels.set(key, panel);
    panel.onDidDispose(() => panels.delete(key));
  }
  panel.webview.html = await page(uri);
  panel.reveal(undefined, true);
}

async function renew(document) {
  const panel = panels.get(document.uri.toString());
  if (panel) {
    panel.webview.html = await page(document.uri);
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("tosca-parse.showDiagram", showDiagram),
    vscode.commands.registerCommand("tosca-parse.restart", restart),
    vscode.workspace.onDidSaveTextDocument(renew),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("tosca-parse") && restart()),
  );
  await start();
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
