/** The form for the inputs of a service. */

import type { Command, Source } from "../command";
import { type Content, Html, withNonce } from "./html";
import { failure, type Subject } from "./panels";

/** Returns the styles and the body of the page that the command writes. The policy of the view applies to them. */
export function formBody(page: string, nonce: string): Html {
  const style = /<style>[^]*?<\/style>/.exec(page)?.[0] ?? "";
  const body = page.slice(page.indexOf("<body>") + "<body>".length, page.lastIndexOf("</body>"));
  return new Html(withNonce(style + body, nonce, true));
}

export const form = {
  name: "inputs",
  content: async (_: Subject, source: Source, command: Command): Promise<Content> => {
    const result = await command.read("form", source, ["--format=html", "--quiet"]);
    return result.stdout ? { body: (nonce) => formBody(result.stdout, nonce) } : failure(result);
  },
};
