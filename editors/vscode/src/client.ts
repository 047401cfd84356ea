/** The language client. */

import * as vscode from "vscode";
import { type ExecuteCommandSignature, LanguageClient, type Location, type Position, State } from "vscode-languageclient/node";
import { argumentsOf, type Command, folder, settings } from "./command";
import { editorUri } from "./documents";
import { LANGUAGES } from "./languages";
import { READING, RULES } from "./options";

/** What shows the results of code lenses. */
export type Show = (view: "diagram" | "plan", uri: vscode.Uri) => Promise<void>;

export class Client implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly changed = new vscode.EventEmitter<State>();
  readonly onDidChangeState = this.changed.event;
  private readonly output = vscode.window.createOutputChannel("TOSCA");

  constructor(
    private readonly command: Command,
    private readonly show: Show,
  ) {}

  get state(): State {
    return this.client?.state ?? State.Stopped;
  }

  get isStarted(): boolean {
    return this.client !== undefined;
  }

  async start(): Promise<void> {
    const cwd = folder();
    const server = {
      command: this.command.executable,
      args: ["server", ...argumentsOf([...READING, ...RULES]), ...(settings().get<string[]>("arguments") ?? [])],
      options: cwd === undefined ? {} : { cwd },
    };
    const client = new LanguageClient("tosca-parse", "TOSCA", server, {
      documentSelector: LANGUAGES.flatMap((language) => ["file", "untitled"].map((scheme) => ({ language, scheme }))),
      outputChannel: this.output,
      middleware: { executeCommand: (command, parameters, next) => this.execute(command, parameters, next) },
    });
    this.client = client;
    client.onDidChangeState(({ newState }) => this.changed.fire(newState));
    try {
      await client.start();
    } catch (error) {
      this.changed.fire(State.Stopped);
      void this.complain(server.command, error);
    }
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.needsStop()) await client.stop();
  }

  showOutput(): void {
    this.output.show(true);
  }

  dispose(): void {
    this.changed.dispose();
    this.output.dispose();
  }

  /** Shows the results of the commands of code lenses. */
  private async execute(command: string, parameters: unknown[], next: ExecuteCommandSignature): Promise<unknown> {
    const uri = editorUri(String(parameters[0]));
    if (command === "tosca-parse.diagram" || command === "tosca-parse.plan") {
      return this.show(command === "tosca-parse.plan" ? "plan" : "diagram", uri);
    }
    const answer: unknown = await next(command, parameters);
    const converter = this.client?.protocol2CodeConverter;
    if (command === "tosca-parse.uses" && converter) {
      const position = converter.asPosition(parameters[1] as Position);
      const locations = await converter.asReferences((answer ?? []) as Location[]);
      await vscode.commands.executeCommand("editor.action.showReferences", uri, position, locations);
    }
    return answer;
  }

  private async complain(command: string, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    const [open, output] = ["Open Settings", "Show Output"];
    const choice = await vscode.window.showErrorMessage(`can't start \`${command}\`: ${reason}`, open, output);
    if (choice === open) await vscode.commands.executeCommand("workbench.action.openSettings", "tosca-parse.path");
    if (choice === output) this.showOutput();
  }
}
