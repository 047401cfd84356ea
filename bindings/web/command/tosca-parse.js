#!/usr/bin/env node
// Runs the command that is in the package for this system.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const system = `${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "tosca-parse.exe" : "tosca-parse";

function find() {
  try {
    return createRequire(import.meta.url).resolve(`tosca-parse-command-${system}/${program}`);
  } catch {
    console.error(`error: there is no package tosca-parse-command-${system}, so there is no command to run`);
    console.error("help: it is an optional dependency; on other systems, build the command with cargo");
    process.exit(1);
  }
}

const { error, signal, status } = spawnSync(find(), process.argv.slice(2), { stdio: "inherit" });
if (error) console.error(`error: ${error.message}`);
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 1);
