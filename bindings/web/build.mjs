// Builds the package and the playground into dist/: the modules, their JavaScript, the types, and the page. `--dev`
// builds faster, but larger modules; `--page` builds only the page.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { compileFromFile } from "json-schema-to-typescript";

process.chdir(import.meta.dirname);

const RESET = `/**
 * Restarts the module, with empty memory. It can then be used again after a \`RangeError\` or a \`WebAssembly.RuntimeError\`,
 * such as for exhausted memory. Objects that were created before can't be used anymore.
 */
export function reset(): void;`;

const isDev = process.argv.includes("--dev");
const target = process.env.CARGO_TARGET_DIR ?? JSON.parse(run("cargo", "metadata", "--format-version=1", "--no-deps")).target_directory;

if (!process.argv.includes("--page")) {
  rmSync("dist", { recursive: true, force: true });
  mkdirSync("dist");
  compile("tosca_parse", "templates");
  compile("murano", "murano");
}
for (const name of ["model", "problems"]) {
  writeFileSync(`dist/${name}.d.ts`, await compileFromFile(`../../docs/${name}.schema.json`, { bannerComment: "" }));
}
const { script, packages } = await bundle();
writeFileSync("dist/playground.html", page());
const murano = gzipSync(readFileSync("dist/murano_bg.wasm"), { level: 9 }).toString("base64");
writeFileSync("dist/playground-murano.js", `toscaParseModule("${murano}");\n`);
report();

function run(command, ...args) {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 1 << 28 });
}

// Compiles a module with a feature, and writes its JavaScript and types.
function compile(name, feature) {
  const profile = isDev ? [] : ["--release"];
  run("cargo", "build", ...profile, "--locked", "--target", "wasm32-unknown-unknown", "--no-default-features", "--features", feature);
  const folder = `${target}/wasm32-unknown-unknown/${isDev ? "debug" : "release"}`;
  mkdirSync(`${folder}/modules`, { recursive: true });
  copyFileSync(`${folder}/tosca_parse.wasm`, `${folder}/modules/${name}.wasm`);
  run("cargo", "run", "--locked", "--quiet", "-p", "bindgen", `${folder}/modules/${name}.wasm`, "dist");
  // `wasm-opt -Oz` would make the modules 7 % smaller, but not their compressed form.
  // The types for `using` are not in TypeScript's default libraries.
  const types = readFileSync(`dist/${name}.d.ts`, "utf8").replace("export function __wbg_reset_state(): void;", RESET);
  writeFileSync(`dist/${name}.d.ts`, `/// <reference lib="esnext.disposable" />\n${types}`);
  const script = readFileSync(`dist/${name}.js`, "utf8");
  writeFileSync(`dist/${name}.js`, script.replaceAll(/\b__wbg_reset_state\b/g, "reset"));
  const node = readFileSync("node.js", "utf8").replaceAll("tosca_parse", name);
  writeFileSync(name === "murano" ? "dist/node-murano.js" : "dist/node.js", node);
}

async function bundle() {
  const { outputFiles, metafile } = await build({
    entryPoints: ["playground/main.js"],
    bundle: true,
    format: "esm",
    metafile: true,
    minify: true,
    target: ["chrome123", "firefox121", "safari17.5"],
    write: false,
    legalComments: "none",
  });
  const names = Object.keys(metafile.inputs).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return { script: outputFiles[0].text, packages: [...new Set(names.filter(Boolean))].sort() };
}

// Returns the licenses of the packages in the page.
function licenses() {
  const texts = packages.map((name) => {
    const folder = `node_modules/${name}`;
    const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const files = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file));
    return `${name} ${version}: ${license}\n\n${files.map((file) => readFileSync(`${folder}/${file}`, "utf8")).join("\n")}`;
  });
  return texts.join("\n");
}

// The page works offline, even from a file, where module scripts can't be loaded. So it contains everything but MuranoPL.
function page() {
  const inline = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const examples = JSON.parse(readFileSync("playground/examples.json", "utf8"));
  const texts = Object.entries(examples).map(([title, files]) => {
    const named = Object.entries(files).map(([name, path]) => [name, readFileSync(`../../${path}`, "utf8")]);
    return [title, Object.fromEntries(named)];
  });
  const parts = {
    style: readFileSync("playground/playground.css", "utf8"),
    script: inline(script),
    licenses: inline(licenses()),
    examples: JSON.stringify(Object.fromEntries(texts)).replaceAll("<", "\\u003c"),
    module: gzipSync(readFileSync("dist/tosca_parse_bg.wasm"), { level: 9 }).toString("base64"),
  };
  return readFileSync("playground/playground.html", "utf8").replace(/<!-- (\w+) -->/g, (whole, name) => parts[name] ?? whole);
}

// Prints the sizes of downloads.
function report() {
  for (const name of ["tosca_parse_bg.wasm", "murano_bg.wasm", "playground.html", "playground-murano.js"]) {
    const size = gzipSync(readFileSync(`dist/${name}`), { level: 9 }).length;
    console.log(`dist/${name}: ${(size / 1e6).toFixed(2)} MB compressed, ${(statSync(`dist/${name}`).size / 1e6).toFixed(2)} MB`);
  }
  console.log(`playground script: ${(gzipSync(script, { level: 9 }).length / 1e6).toFixed(2)} MB compressed`);
}
