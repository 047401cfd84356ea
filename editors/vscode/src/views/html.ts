/** Pages of views. Everything that comes from a template is escaped here. */

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** HTML that needs no escaping. */
export class Html {
  constructor(readonly text: string) {}
}

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}

type Part = Html | string | number | undefined | readonly Part[];

function write(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  return typeof part === "object" ? part.map(write).join("") : escape(String(part));
}

/** A template tag that escapes all values except HTML. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + write(parts[index - 1]) + string));
}

/** A position that a click opens. Lines and columns start at 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A button that opens a position. Without a position, only the text. */
export function link(text: string, at: Position | undefined): Html {
  if (!at) return html`${text}`;
  return html`<button class="link" data-open="${JSON.stringify(at)}" title="${at.file}:${at.line}">${text}</button>`;
}

/** JSON in a script element, for the script of the page. */
function island(data: unknown): string {
  return JSON.stringify(data ?? null).replace(/</g, "\\u003c");
}

/**
 * Returns HTML from the command with the nonce of the page on its styles and, optionally, its scripts. The command
 * escapes the content of templates, so only its own elements match.
 */
export function withNonce(text: string, nonce: string, allowsScripts = false): string {
  const styled = text.replaceAll("<style>", `<style nonce="${nonce}">`);
  return allowsScripts ? styled.replace(/<script(?=[ >])/g, `<script nonce="${nonce}"`) : styled;
}

/** What a view shows. */
export interface Content {
  readonly body: (nonce: string) => Html;
  readonly data?: unknown;
}

export interface PageParts extends Content {
  readonly title: string;
  readonly nonce: string;
  readonly style: string;
  readonly script: string;
}

export function page({ title, nonce, style, script, body, data }: PageParts): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; form-action 'none'; base-uri 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escape(title)}</title>
<style nonce="${nonce}">${style}</style>
<script nonce="${nonce}" type="application/json" id="view-data">${island(data)}</script>
<script nonce="${nonce}">${script}</script>
</head>
<body>${body(nonce).text}</body>
</html>`;
}
