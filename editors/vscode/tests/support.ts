/** What tests share. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

/** The command under test. */
export const COMMAND = path.resolve(process.env.TOSCA_PARSE ?? "../../target/debug/tosca-parse");

if (!existsSync(COMMAND)) throw new Error(`${COMMAND} does not exist: build it, or set TOSCA_PARSE`);

// The configuration of the user who runs the tests has no effect.
process.env.XDG_CONFIG_HOME = temporary();
// Each option, with its values, is on one line of the help.
process.env.COLUMNS = "1000";

export function temporary(): string {
  return realpathSync(mkdtempSync(path.join(tmpdir(), "tosca-parse-vscode-")));
}

/** Runs the command and returns its standard output, whatever its exit code is. */
export function run(parameters: readonly string[], input = "", cwd?: string): string {
  try {
    return execFileSync(COMMAND, parameters, { input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"], ...(cwd ? { cwd } : {}) });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

/** Waits until a condition holds. */
export async function until<T>(what: string, condition: () => T | undefined | false): Promise<T> {
  const end = Date.now() + 10_000;
  while (Date.now() < end) {
    const found = condition();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited for ${what} in vain`);
}

export const SHOP = `tosca_definitions_version: tosca_2_0
node_types:
  Server: { capabilities: { host: { type: Endpoint } } }
  Shop:
    properties:
      title: { type: string, default: Flowers }
    requirements:
      - host: { capability: Endpoint, relationship: Uses, node: Server, count_range: [ 0, 1 ] }
relationship_types:
  Uses: {}
capability_types:
  Endpoint: {}
service_template:
  inputs:
    owner: { type: string }
  node_templates:
    front:
      type: Shop
      requirements:
        - host: server
    server: { type: Server }
`;
