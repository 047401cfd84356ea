// For Node.js, where `fetch` can't read files: importing this file loads the module.
import { readFileSync } from "node:fs";
import { initSync } from "./tosca_parse.js";

initSync({ module: readFileSync(new URL("tosca_parse_bg.wasm", import.meta.url)) });

export * from "./tosca_parse.js";
