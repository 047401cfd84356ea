// For Node.js, which has no `fetch` for files: the module is there as soon as this is imported.
import { readFileSync } from "node:fs";
import { initSync } from "./tosca_parse.js";

initSync({ module: readFileSync(new URL("tosca_parse_bg.wasm", import.meta.url)) });

export * from "./tosca_parse.js";
