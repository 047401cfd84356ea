// The editor: CodeMirror, connected to the language server in the module.

import { indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { LSPClient, LSPPlugin, Workspace, findReferencesKeymap, formatKeymap, hoverTooltips, jumpToDefinitionKeymap, renameKeymap, serverCompletion, signatureHelp } from "@codemirror/lsp-client";
import { EditorState, Prec, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { indexes } from "./files.js";
import { sanitize } from "./sanitize.js";

const COLORS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.literal], color: "var(--number)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.typeName, tags.labelName, tags.meta], color: "var(--keyword)" },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.squareBracket, tags.brace], color: "var(--soft)" },
]);

const THEME = EditorView.theme({
  "&": { height: "100%", background: "var(--back)", color: "var(--text)", fontSize: "13px" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { background: "var(--panel)", color: "var(--soft)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { background: "var(--active)" },
  ".cm-activeLineGutter": { background: "var(--active)", color: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--selection) !important" },
  ".cm-tooltip": { background: "var(--panel)", color: "var(--text)", border: "1px solid var(--line)", borderRadius: "4px", maxWidth: "min(40rem, 92vw)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--chosen)", color: "var(--text)" },
  ".cm-completionDetail": { color: "var(--soft)" },
  ".cm-lsp-documentation": { padding: ".2rem .6rem", maxHeight: "20rem", overflow: "auto" },
  ".cm-panels": { background: "var(--panel)", color: "var(--text)" },
  ".cm-diagnosticAction": { background: "var(--link)", color: "var(--back)" },
  ".cm-matchingBracket": { background: "var(--chosen) !important" },
  ".token-keyword, .token-keyword *": { color: "var(--keyword)" },
  ".token-class, .token-class *": { color: "var(--type)" },
  ".token-variable, .token-variable *, .token-property, .token-property *": { color: "var(--key)" },
  ".token-declaration": { fontWeight: "600" },
  ".token-defaultLibrary": { fontStyle: "italic" },
  ".token-deprecated": { textDecoration: "line-through" },
});

const setTokens = StateEffect.define();

// The semantic tokens of the server, which stay in place until the next ones arrive.
const TOKENS = StateField.define({
  create: () => Decoration.none,
  update: (tokens, { changes, effects }) => effects.reduce((_, effect) => (effect.is(setTokens) ? effect.value : _), tokens.map(changes)),
  provide: (field) => EditorView.decorations.from(field),
});

// Decodes semantic tokens: five numbers each, the first two relative to the previous token.
function decorations(doc, data, { tokenTypes, tokenModifiers }) {
  const builder = new RangeSetBuilder();
  let [line, character] = [1, 0];
  for (let at = 0; at + 5 <= data.length; at += 5) {
    const [lines, characters, length, type, modifiers] = data.slice(at, at + 5);
    [line, character] = [line + lines, lines ? characters : character + characters];
    if (line > doc.lines) break;
    const from = doc.line(line).from + character;
    const names = [tokenTypes[type], ...tokenModifiers.filter((_, bit) => modifiers & (1 << bit))];
    const value = Decoration.mark({ class: names.map((name) => `token-${name}`).join(" ") });
    if (from + length <= doc.length) builder.add(from, from + length, value);
  }
  return builder.finish();
}

const uri = (name) => `file:///${name.split("/").map(encodeURIComponent).join("/")}`;
const path = (uri) => decodeURIComponent(uri.replace(/^file:\/\/\//, ""));

class File {
  constructor(name, text) {
    this.name = name;
    this.uri = uri(name);
    this.languageId = "yaml";
    this.version = 0;
    this.doc = EditorState.create({ doc: text }).doc;
    this.view = null;
    this.waiting = null;
  }

  getView() {
    return this.view;
  }
}

// All files are open in the server, and one of them in the editor.
class Files extends Workspace {
  files = [];
  show = async () => null;

  syncFiles() {
    const updates = [];
    for (const file of this.files) {
      const plugin = file.view && LSPPlugin.get(file.view);
      const changes = file.waiting ?? plugin?.unsyncedChanges;
      if (!changes || changes.empty) continue;
      updates.push({ file, prevDoc: file.doc, changes });
      file.doc = changes.apply(file.doc);
      file.version += 1;
      if (file.waiting) file.waiting = null;
      else plugin.clear();
    }
    return updates;
  }

  openFile(uri, _language, view) {
    const file = this.getFile(uri);
    if (file) file.view = view;
  }

  closeFile(uri) {
    const file = this.getFile(uri);
    if (file) file.view = null;
  }

  updateFile(uri, update) {
    const file = this.getFile(uri);
    if (file?.view) file.view.dispatch(update);
    else if (file) this.change(file.name, EditorState.create({ doc: file.doc }).update(update).state.doc.toString());
  }

  change() {}

  async displayFile(uri) {
    return this.show(path(uri));
  }
}

export class Editor {
  #states = new Map();
  #client = null;
  #name = null;

  // `on` has the functions `change(name, text)`, `leave()` and `show(name)`.
  constructor(parent, on) {
    this.on = on;
    // Without a name until a file is open, the editor would be a text field that screen readers can't announce.
    this.view = new EditorView({ parent, extensions: EditorView.contentAttributes.of({ "aria-label": "Text" }) });
  }

  get name() {
    return this.#name;
  }

  // Connects to another server, which gets all files.
  async connect(server, files) {
    this.#client?.disconnect();
    this.view.setState(EditorState.create());
    const handlers = new Set();
    const send = (message) => {
      // Answers come after the request is registered.
      queueMicrotask(() => {
        for (const answer of server.handle(message)) handlers.forEach((handler) => handler(answer));
      });
    };
    const transport = { send, subscribe: (handler) => handlers.add(handler), unsubscribe: (handler) => handlers.delete(handler) };
    this.#client = new LSPClient({
      rootUri: "file:///",
      workspace: (client) => {
        const workspace = new Files(client);
        workspace.files = [...files].map(([name, text]) => new File(name, text));
        workspace.show = async (name) => (this.on.show(name) ? this.view : null);
        workspace.change = (name, text) => this.on.change(name, text);
        return workspace;
      },
      sanitizeHTML: sanitize,
      extensions: [serverCompletion(), hoverTooltips({ hoverTime: 300 }), signatureHelp(), keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap])],
    });
    this.#client.connect(transport);
    this.#states.clear();
    this.#name = null;
    await this.#client.initializing;
  }

  // Replaces the files and their content, as far as they differ.
  update(files) {
    const { workspace } = this.#client;
    for (const file of workspace.files.filter((file) => !files.has(file.name))) {
      this.#client.didClose(file.uri);
      this.#states.delete(file.name);
      workspace.files = workspace.files.filter((other) => other !== file);
    }
    for (const [name, text] of files) {
      const file = workspace.files.find((file) => file.name === name);
      if (!file) {
        const made = new File(name, text);
        workspace.files.push(made);
        this.#client.didOpen(made);
      } else if (name !== this.#name) {
        this.#replace(file, text);
      }
    }
    this.#client.sync();
  }

  // Sends another text of a file that is not in the editor.
  #replace(file, text) {
    const doc = file.doc.toString();
    if (doc === text) return;
    const state = EditorState.create({ doc });
    file.waiting = state.changes({ from: 0, to: state.doc.length, insert: text });
    this.#states.delete(file.name);
  }

  show(name, text) {
    this.#client.sync();
    if (this.#name) this.#states.set(this.#name, this.view.state);
    // The server has to know the text before the file is in the editor, which sends later changes.
    this.view.setState(EditorState.create());
    const file = this.#client.workspace.getFile(uri(name));
    if (file) this.#replace(file, text);
    this.#client.sync();
    this.#name = name;
    const known = this.#states.get(name);
    this.view.setState(known?.doc.toString() === text ? known : this.#state(name, text));
    this.view.scrollDOM.scrollTop = 0;
  }

  #state(name, text) {
    return EditorState.create({
      doc: text,
      extensions: [
        basicSetup,
        /\.(ya?ml|yay)$/i.test(name) ? yaml() : [],
        indentUnit.of("  "),
        syntaxHighlighting(COLORS),
        THEME,
        lintGutter(),
        TOKENS,
        this.#client.plugin(uri(name), "yaml"),
        keymap.of([indentWithTab]),
        // Other bindings of Escape close lists and panels.
        Prec.lowest(keymap.of([{ key: "Escape", run: () => (this.on.leave(), true) }])),
        EditorView.contentAttributes.of({ "aria-label": `Text of ${name}. Tab indents, Escape leaves the editor.`, spellcheck: "false", tabindex: "0" }),
        EditorView.updateListener.of((update) => update.docChanged && this.on.change(this.#name, update.state.doc.toString())),
      ],
    });
  }

  // Marks the problems of the file. `fix` applies the edits of one.
  mark(problems, fix) {
    const content = this.view.state.doc.toString();
    const here = problems.filter((problem) => problem.file === this.#name);
    const at = indexes(content, here.flatMap(({ start, end }) => [start.offset, end.offset]));
    const diagnostics = here.map((problem) => ({
      from: at.get(problem.start.offset),
      to: at.get(problem.end.offset),
      severity: problem.severity,
      source: `${problem.code} ${problem.name}`,
      message: [problem.message, ...problem.help].join("\n"),
      actions: problem.edits.length ? [{ name: "Fix", apply: () => fix(problem) }] : [],
    }));
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  // Colors the names of the file by their meaning.
  async color() {
    const { serverCapabilities } = this.#client;
    const { state } = this.view;
    this.#client.sync();
    const answer = await this.#client.request("textDocument/semanticTokens/full", { textDocument: { uri: uri(this.#name) } });
    // The text has changed in the meantime, so that the next colors are on their way.
    if (!answer || !this.view.state.doc.eq(state.doc)) return;
    const tokens = decorations(state.doc, answer.data, serverCapabilities.semanticTokensProvider.legend);
    this.view.dispatch({ effects: setTokens.of(tokens) });
  }

  apply(changes) {
    this.view.dispatch({ changes, userEvent: "input.fix" });
  }

  // Selects a range of lines and columns, which are counted from 1, in characters.
  select(start, end, focus) {
    const { doc } = this.view.state;
    const index = ({ line, column }) => {
      const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
      return Math.min(at.from + [...at.text].slice(0, column - 1).join("").length, at.to);
    };
    const [anchor, head] = [index(start), index(end ?? start)];
    this.view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    if (focus) this.view.focus();
  }
}
