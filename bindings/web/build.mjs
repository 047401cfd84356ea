// Builds the package and the playground into dist/: the module, its JavaScript, the types, and the page.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { compileFromFile } from "json-schema-to-typescript";

process.chdir(import.meta.dirname);
const target = process.env.CARGO_TARGET_DIR ?? JSON.parse(run("cargo", "metadata", "--format-version=1", "--no-deps")).target_directory;

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
run("cargo", "build", "--release", "--locked", "--target", "wasm32-unknown-unknown");
run("cargo", "run", "--locked", "--quiet", "-p", "bindgen", `${target}/wasm32-unknown-unknown/release/tosca_parse.wasm`, "dist");
const types = readFileSync("dist/tosca_parse.d.ts", "utf8");
// The types for `using` are not in TypeScript's default libraries.
writeFileSync("dist/tosca_parse.d.ts", `/// <reference lib="esnext.disposable" />\n${types}`);
writeFileSync("dist/node.js", readFileSync("node.js"));
for (const name of ["model", "problems"]) {
  writeFileSync(`dist/${name}.d.ts`, await compileFromFile(`../../docs/${name}.schema.json`, { bannerComment: "" }));
}
writeFileSync("dist/playground.html", page());
const size = gzipSync(readFileSync("dist/tosca_parse_bg.wasm")).length;
console.log(`dist/tosca_parse_bg.wasm: ${(size / 1e6).toFixed(2)} MB compressed`);

function run(command, ...args) {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 1 << 28 });
}

// The playground works offline, even from a file, where module scripts can't be loaded. So the page contains everything.
function page() {
  const inline = (text) => text.replaceAll("</script", "<\\/script");
  const examples = readdirSync("../../examples/templates").filter((name) => name.endsWith(".yaml"));
  const texts = Object.fromEntries(examples.map((name) => [name, readFileSync(`../../examples/templates/${name}`, "utf8")]));
  const parts = {
    style: readFileSync("playground/playground.css", "utf8"),
    library: inline(readFileSync("dist/tosca_parse.js", "utf8")),
    script: inline(readFileSync("playground/playground.js", "utf8")),
    examples: JSON.stringify(texts).replaceAll("<", "\\u003c"),
    module: readFileSync("dist/tosca_parse_bg.wasm").toString("base64"),
  };
  return readFileSync("playground/playground.html", "utf8").replace(/<!-- (\w+) -->/g, (whole, name) => parts[name] ?? whole);
}
