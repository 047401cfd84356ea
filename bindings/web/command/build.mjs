// Creates the npm packages of the command: one for the system that it is built for, and one that depends on those of all
// systems; npm installs the suitable one.
//
//     node build.mjs PROGRAM SYSTEM FOLDER        SYSTEM as in Node.js, such as linux-x64

import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const SYSTEMS = ["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64", "win32-x64"];
const NAME = "tosca-parse-command";

const [program, system, folder] = process.argv.slice(2);
if (!SYSTEMS.includes(system) || !folder) {
  console.error(`usage: node build.mjs PROGRAM SYSTEM FOLDER\nsystems: ${SYSTEMS.join(", ")}`);
  process.exit(2);
}
const here = import.meta.dirname;
const { version, license } = JSON.parse(readFileSync(join(here, "../package.json"), "utf8"));
const description = "Command that validates TOSCA service templates and writes their complete models";

const [os, cpu] = system.split("-");
const own = make(`${NAME}-${system}`, { description: `${description}, for ${system}`, os: [os], cpu: [cpu] });
copyFileSync(program, join(own, basename(program)));
chmodSync(join(own, basename(program)), 0o755);

const whole = make(NAME, {
  description,
  type: "module",
  bin: { "tosca-parse": "tosca-parse.js" },
  optionalDependencies: Object.fromEntries(SYSTEMS.map((system) => [`${NAME}-${system}`, version])),
  engines: { node: ">=20" },
});
for (const file of ["tosca-parse.js", "README.md"]) copyFileSync(join(here, file), join(whole, file));

// Creates the folder of a package with only its manifest.
function make(name, manifest) {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "package.json"), `${JSON.stringify({ name, version, license, ...manifest }, null, 2)}\n`);
  return path;
}
