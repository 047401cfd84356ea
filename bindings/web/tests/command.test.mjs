// The packages of the command, installed as from the registry.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const web = join(import.meta.dirname, "..");
const system = `${process.platform}-${process.arch}`;
const name = process.platform === "win32" ? "tosca-parse.exe" : "tosca-parse";
// The build of the project's tests: an optimized one takes longer and tests nothing more.
const program = join(process.env.CARGO_TARGET_DIR ?? join(web, "../../target"), "debug", name);

test("the packages have the command", { skip: existsSync(program) ? false : `${program} has not been built` }, () => {
  const folder = mkdtempSync(join(tmpdir(), "tosca-parse-"));
  const run = (command, ...args) =>
    execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  try {
    run("node", join(web, "command/build.mjs"), program, system, "made");
    const packages = ["tosca-parse-command", `tosca-parse-command-${system}`];
    const packed = packages.map((name) => run("npm", "pack", "--silent", `./made/${name}`).trim());
    writeFileSync(join(folder, "package.json"), "{}");
    // The packages of other systems exist only in the registry.
    run("npm", "install", "--silent", "--no-audit", "--no-fund", "--omit=optional", ...packed.map((file) => `./${file}`));
    const { version } = JSON.parse(readFileSync(join(web, "package.json"), "utf8"));
    assert.equal(run("npx", "tosca-parse", "--version").trim(), `tosca-parse ${version}`);

    // The package passes on the output and the exit code of the command.
    writeFileSync(join(folder, "wrong.yaml"), "tosca_definitions_version: tosca_2_0\nnode_type: {}\n");
    const wrong = spawnSync("npx", ["tosca-parse", "wrong.yaml"], { cwd: folder, encoding: "utf8" });
    assert.equal(wrong.status, 1);
    assert.match(wrong.stdout, /did you mean `node_types`/);

    rmSync(join(folder, "node_modules", packages[1]), { recursive: true });
    const missing = spawnSync("npx", ["tosca-parse", "--version"], { cwd: folder, encoding: "utf8" });
    assert.equal(missing.status, 1);
    assert.match(missing.stderr, /the package tosca-parse-command-\S+ is not installed/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
