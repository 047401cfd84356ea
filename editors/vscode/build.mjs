// Bundles the extension into one file; with `--tests`, bundles the tests, too.

import { build } from "esbuild";
import { readdirSync } from "node:fs";

const isTest = process.argv.includes("--tests");
const minify = process.argv.includes("--minify");

/** Includes the script of the pages as text. */
const browser = {
  name: "browser",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^browser:/ }, ({ path }) => ({ path: path.slice("browser:".length), namespace: "browser" }));
    onLoad({ filter: /.*/, namespace: "browser" }, async ({ path }) => {
      const entryPoints = [`src/views/browser/${path}.ts`];
      const { outputFiles } = await build({ entryPoints, bundle: true, write: false, minify, format: "iife", target: "es2022" });
      return { contents: outputFiles[0].text, loader: "text" };
    });
  },
};

const common = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node18",
  mainFields: ["module", "main"],
  loader: { ".css": "text" },
  plugins: [browser],
};

await build({ ...common, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", external: ["vscode"], minify });
if (isTest) {
  const entryPoints = readdirSync("tests").filter((name) => name.endsWith(".test.ts")).map((name) => `tests/${name}`);
  const alias = { vscode: "./tests/api.cjs" };
  await build({ ...common, entryPoints, outdir: "out", alias, external: ["vscode-oniguruma", "vscode-textmate"] });
}
