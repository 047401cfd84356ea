// Reports the problems of a Containerfile, one per line.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, file] = process.argv.slice(2);
const { validate } = createRequire(join(modules, "_"))("dockerfile-utils");
for (const { message, range } of validate(readFileSync(file, "utf8"))) {
  console.log(`${range.start.line + 1}: ${message}`);
}
