#!/usr/bin/env node
// Runs the command from the package for this system.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const system = `${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "tosca-parse.exe" : "tosca-parse";

function find() {
  try {
    return createRequire(import.meta.url).resolve(`tosca-parse-command-${system}/${program}`);
  } catch {
    console.error(`error: the package tosca-parse-command-${system} is not installed`);
    console.error("help: it is an optional dependency; for systems without a package, build the command with cargo");
    process.exit(1);
  }
}

const { error, signal, status } = spawnSync(find(), process.argv.slice(2), { stdio: "inherit" });
if (error) console.error(`error: ${error.message}`);
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 1);
