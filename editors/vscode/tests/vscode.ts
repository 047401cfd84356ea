/**
 * A stand-in for the parts of the API of VS Code that the extension and the language client use. Events are fired, and
 * dialogs answered, by tests.
 */

import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { URI, Utils } from "vscode-uri";

export const version = "1.100.0";
export const Uri = Object.assign(URI, Utils);

export class EventEmitter<T> {
  private listeners = new Set<(event: T) => unknown>();
  event = (listener: (event: T) => unknown, self?: unknown, disposables?: Disposable[]) => {
    const bound = self ? listener.bind(self) : listener;
    this.listeners.add(bound);
    const registration = new Disposable(() => this.listeners.delete(bound));
    disposables?.push(registration);
    return registration;
  };
  fire(event: T): void {
    for (const listener of [...this.listeners]) listener(event);
  }
  dispose(): void {
    this.listeners.clear();
  }
}

export class Disposable {
  constructor(private readonly call: () => unknown) {}
  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }
  dispose(): void {
    this.call();
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
  compareTo(other: Position): number {
    return this.line - other.line || this.character - other.character;
  }
  isAfterOrEqual(other: Position): boolean {
    return this.compareTo(other) >= 0;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(start: Position | number, end: Position | number, endLine?: number, endCharacter?: number) {
    this.start = typeof start === "number" ? new Position(start, end as number) : start;
    this.end = typeof end === "number" ? new Position(endLine ?? 0, endCharacter ?? 0) : end;
  }
  contains(at: Position): boolean {
    return at.compareTo(this.start) >= 0 && at.compareTo(this.end) <= 0;
  }
}

export class Selection extends Range {}

export class Diagnostic {
  constructor(
    readonly range: Range,
    readonly message: string,
    readonly severity = DiagnosticSeverity.Error,
  ) {}
}

export class DocumentSymbol {
  children: DocumentSymbol[] = [];
  constructor(
    readonly name: string,
    readonly detail: string,
    readonly kind: number,
    readonly range: Range,
    readonly selectionRange: Range,
  ) {}
}

export class CompletionItem {
  constructor(readonly label: string) {}
}

export class CompletionList {
  constructor(readonly items: CompletionItem[]) {}
}

export class CancellationTokenSource {
  private readonly emitter = new EventEmitter<void>();
  token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  cancel(): void {}
  dispose(): void {}
}

export enum StatusBarAlignment {
  Left = 1,
  Right,
}

export enum ViewColumn {
  Beside = -2,
  One = 1,
}

export enum ConfigurationTarget {
  Global = 1,
  Workspace,
}

export enum TextEditorRevealType {
  InCenterIfOutsideViewport = 2,
}

export class TabInputText {
  constructor(readonly uri: URI) {}
}

export class ThemeColor {
  constructor(readonly id: string) {}
}

export enum DiagnosticSeverity {
  Error,
  Warning,
  Information,
  Hint,
}

export class TextDocument {
  version = 1;
  isDirty = false;
  isClosed = false;
  constructor(
    readonly uri: URI,
    public languageId: string,
    private text: string,
  ) {}
  get isUntitled(): boolean {
    return this.uri.scheme === "untitled";
  }
  get fileName(): string {
    return this.uri.fsPath;
  }
  getText(range?: Range): string {
    if (!range) return this.text;
    return this.text.split("\n").slice(range.start.line, range.end.line).join("\n");
  }
  /** Replaces the whole text. */
  replace(text: string): void {
    const lines = this.text.split("\n");
    const range = new Range(0, 0, lines.length - 1, lines.at(-1)?.length ?? 0);
    const change = { range, rangeOffset: 0, rangeLength: this.text.length, text };
    this.text = text;
    this.version++;
    this.isDirty = true;
    emitters.onDidChangeTextDocument.fire({ document: this, contentChanges: [change] });
  }
}

/** The events of `workspace`, `window` and `languages`, created on first use. */
export const emitters = new Proxy({} as Record<string, EventEmitter<unknown>>, {
  get: (known, name: string) => (known[name] ??= new EventEmitter()),
}) as Record<string, EventEmitter<any>> & { onDidChangeTextDocument: EventEmitter<unknown>; onDidOpenTextDocument: EventEmitter<unknown>; onDidCloseTextDocument: EventEmitter<unknown>; onDidChangeDiagnostics: EventEmitter<unknown>; onDidChangeConfiguration: EventEmitter<unknown>; onDidChangeActiveTextEditor: EventEmitter<unknown> };

/** The state of the editor, which tests set and examine. */
export const editor = {
  settings: new Map<string, unknown>(),
  documents: [] as TextDocument[],
  tabs: [] as URI[],
  commands: new Map<string, (...args: any[]) => any>(),
  /** The providers of `languages.register…Provider`, by the name between. */
  providers: new Map<string, any>(),
  problems: new Map<string, Diagnostic[]>(),
  panels: [] as any[],
  shown: [] as { document: TextDocument; options?: any }[],
  messages: [] as string[],
  log: "",
  /** The answers to dialogs, in order. */
  answers: [] as unknown[],
  status: undefined as any,
  folder: "",
  isTrusted: true,
  /** Opens a document as the user does. */
  open(uri: URI, languageId: string, text?: string): TextDocument {
    const document = new TextDocument(uri, languageId, text ?? readFileSync(uri.fsPath, "utf8"));
    // The tab comes first, as in VS Code.
    this.tabs.push(uri);
    emitters.onDidChangeTabs?.fire({ opened: [uri], closed: [], changed: [] });
    this.documents.push(document);
    window.activeTextEditor = { document };
    emitters.onDidOpenTextDocument.fire(document);
    emitters.onDidChangeActiveTextEditor.fire(window.activeTextEditor);
    return document;
  },
};

/** Members that are not defined: events, registrations of providers, and functions that do nothing. */
function withDefaults<T extends object>(known: T): T & Record<string, any> {
  return new Proxy(known, {
    get(target: any, name) {
      if (name in target || typeof name === "symbol") return target[name];
      if (name.startsWith("on")) return emitters[name]?.event;
      const kind = /^register(.+)Provider$/.exec(name)?.[1];
      if (!kind) return () => new Disposable(() => {});
      return (...parameters: any[]) => {
        const provider = parameters.find((one) => typeof one === "object" && !Array.isArray(one) && !("scheme" in one));
        editor.providers.set(kind, provider);
        return new Disposable(() => editor.providers.delete(kind));
      };
    },
  });
}

export const workspace = withDefaults({
  notebookDocuments: [],
  fs: {
    writeFile: async (uri: URI, content: Uint8Array) => {
      await mkdir(path.dirname(uri.fsPath), { recursive: true });
      await writeFile(uri.fsPath, content);
    },
  },
  get textDocuments() {
    return editor.documents;
  },
  get workspaceFolders() {
    return editor.folder ? [{ uri: Uri.file(editor.folder), name: "folder", index: 0 }] : undefined;
  },
  get isTrusted() {
    return editor.isTrusted;
  },
  getWorkspaceFolder: () => workspace.workspaceFolders?.[0],
  asRelativePath: (uri: URI) => path.basename(uri.fsPath),
  saveAll: async () => true,
  getConfiguration: (section?: string) => {
    const key = (name: string) => (section ? `${section}.${name}` : name);
    return {
      get: (name: string, standard?: unknown) => editor.settings.get(key(name)) ?? standard,
      update: async (name: string, value: unknown) => void editor.settings.set(key(name), value),
    };
  },
  openTextDocument: async (uri: URI) => {
    const text = editor.providers.get("TextDocumentContent")?.provideTextDocumentContent(uri) ?? readFileSync(uri.fsPath, "utf8");
    return new TextDocument(uri, "plaintext", text);
  },
  createFileSystemWatcher: () => withDefaults({ dispose() {} }),
});

async function answer(message: string): Promise<unknown> {
  editor.messages.push(message);
  return editor.answers.shift();
}

export const window = withDefaults({
  activeTextEditor: undefined as { document: TextDocument } | undefined,
  visibleTextEditors: [] as any[],
  tabGroups: withDefaults({
    get all() {
      return [{ tabs: editor.tabs.map((uri) => ({ input: new TabInputText(uri) })) }];
    },
  }),
  showErrorMessage: answer,
  showInformationMessage: answer,
  showWarningMessage: answer,
  showQuickPick: async (_: unknown, options: { title: string }) => answer(options.title),
  showOpenDialog: async () => answer("open"),
  showSaveDialog: async () => answer("save"),
  showTextDocument: async (document: TextDocument | URI, options?: any) => {
    const shown = document instanceof TextDocument ? document : ((editor.documents.find(({ uri }) => uri.toString() === document.toString())) ?? (await workspace.openTextDocument(document)));
    editor.shown.push({ document: shown, options });
    return { document: shown, selection: undefined, revealRange() {} };
  },
  withProgress: (_: unknown, run: any) => run({ report() {} }, new CancellationTokenSource().token),
  createOutputChannel: () => ({ append(text: string) { editor.log += text; }, appendLine(text: string) { editor.log += `${text}\n`; }, clear() {}, show() {}, dispose() {} }),
  createStatusBarItem: () => (editor.status = { isVisible: false, show() { this.isVisible = true; }, hide() { this.isVisible = false; }, dispose() {} }),
  createWebviewPanel: (kind: string, title: string, _: unknown, options: unknown) => {
    const [messages, disposed] = [new EventEmitter<unknown>(), new EventEmitter<void>()];
    const webview = { html: "", options, onDidReceiveMessage: messages.event };
    const panel = { kind, title, webview, send: (message: unknown) => messages.fire(message), reveal() {}, onDidDispose: disposed.event, dispose: () => disposed.fire() };
    editor.panels.push(panel);
    return panel;
  },
});

export const languages = withDefaults({
  match: (selector: any, document: TextDocument) => {
    const matches = (one: any) => one.language === document.languageId && (!one.scheme || one.scheme === document.uri.scheme);
    return [selector].flat().some(matches) ? 10 : 0;
  },
  setTextDocumentLanguage: async (document: TextDocument, language: string) => {
    // The listeners of the current event see the old language.
    await Promise.resolve();
    emitters.onDidCloseTextDocument.fire(document);
    document.languageId = language;
    emitters.onDidOpenTextDocument.fire(document);
    return document;
  },
  getDiagnostics: (uri: URI) => editor.problems.get(uri.toString()) ?? [],
  createDiagnosticCollection: () => ({
    set: (uri: URI, problems: Diagnostic[] | undefined) => {
      editor.problems.set(uri.toString(), problems ?? []);
      emitters.onDidChangeDiagnostics.fire({ uris: [uri] });
    },
    delete: (uri: URI) => editor.problems.delete(uri.toString()),
    clear: () => editor.problems.clear(),
    has: (uri: URI) => editor.problems.has(uri.toString()),
    dispose() {},
  }),
});

export const commands = {
  registerCommand: (name: string, run: (...args: any[]) => any) => {
    if (editor.commands.has(name)) throw new Error(`command ${name} already exists`);
    editor.commands.set(name, run);
    return new Disposable(() => editor.commands.delete(name));
  },
  executeCommand: async (name: string, ...parameters: any[]) => {
    if (name === "vscode.executeDocumentSymbolProvider") {
      const document = editor.documents.find(({ uri }) => uri.toString() === parameters[0].toString());
      return editor.providers.get("DocumentSymbol")?.provideDocumentSymbols(document, new CancellationTokenSource().token);
    }
    return editor.commands.get(name)?.(...parameters);
  },
};

export const env = { appName: "test", language: "en", openExternal: async () => true };
export const extensions = { getExtension: () => undefined };
