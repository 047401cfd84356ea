/** Running `tosca-parse`. */

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { READING, toArguments, type Value } from "./options";

/** The maximum size of the output of a command, in bytes. */
const MAX_OUTPUT = 64 << 20;

/** The maximum duration of a command, in milliseconds. */
const MAX_DURATION = 60_000;

export interface Result {
  readonly stdout: string;
  readonly stderr: string;
}

/** A template that is given to the command: a file, or the current text of a document. */
export interface Source {
  readonly path: string;
  readonly text?: string;
}

export function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("tosca-parse");
}

/** Returns the folder in which commands run: relative paths in settings are relative to it. */
export function folder(): string | undefined {
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri.fsPath;
}

/** Returns the path of the command: that of the settings, or the one in the extension, or the one in `PATH`. */
export function executable(extension: string): string {
  const name = process.platform === "win32" ? "tosca-parse.exe" : "tosca-parse";
  const bundled = path.join(extension, "server", name);
  return settings().get<string>("path") || (existsSync(bundled) ? bundled : name);
}

/** Returns the arguments for settings. In an untrusted workspace, templates have access to their folder only. */
export function argumentsOf(names: readonly string[] = READING): string[] {
  const config = settings();
  const untrusted = ["offline", "sandbox"].filter((name) => !vscode.workspace.isTrusted && names.includes(name));
  const get = (name: string) => untrusted.includes(name) || config.get<Value>(name);
  return toArguments(names, get);
}

/** Runs the command with arguments and a standard input, and returns its output whatever its exit code is. */
export function run(executable: string, parameters: readonly string[], input?: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(executable, parameters, { cwd: folder(), timeout: MAX_DURATION, windowsHide: true });
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let size = 0;
    for (const name of ["stdout", "stderr"] as const) {
      child[name].on("data", (data: Buffer) => {
        output[name].push(data);
        size += data.length;
        if (size > MAX_OUTPUT) child.kill();
      });
    }
    child.on("error", reject);
    child.on("close", (_, signal) => {
      if (signal) return reject(new Error(`\`tosca-parse ${parameters[0]}\` took too long or wrote too much`));
      const text = (name: keyof Result) => Buffer.concat(output[name]).toString("utf8");
      resolve({ stdout: text("stdout"), stderr: text("stderr") });
    });
    // The command may end without reading its input.
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
  });
}

/** The command, with the settings of the user. */
export class Command {
  constructor(private readonly extension: string) {}

  get executable(): string {
    return executable(this.extension);
  }

  /** Runs a command that reads a template. Other files come before it. */
  read(command: string, source: Source, parameters: readonly string[] = [], others: readonly string[] = []): Promise<Result> {
    const isOpen = source.text !== undefined;
    const name = isOpen ? [`--stdin-name=${source.path}`] : [];
    const files = ["--", ...others, isOpen ? "-" : source.path];
    return this.run([command, ...parameters, ...argumentsOf(), ...name, ...files], source.text);
  }

  run(parameters: readonly string[], input?: string): Promise<Result> {
    return run(this.executable, parameters, input);
  }
}
