// The modules: that of templates is in the page, that of MuranoPL is loaded when a file needs it.

import initTemplates, * as templates from "../dist/tosca_parse.js";
import initMurano, * as murano from "../dist/murano.js";
import { decode, gunzip } from "./files.js";

const loaded = {};

async function load(name) {
  loaded[name] ??= (async () => {
    const init = name === "murano" ? initMurano : initTemplates;
    const text = name === "murano" ? await script("playground-murano.js") : document.getElementById("module").textContent;
    // Browsers load modules of more than 8 MiB only asynchronously.
    await init({ module_or_path: await gunzip(decode(text)) });
  })();
  try {
    await loaded[name];
  } catch (error) {
    delete loaded[name];
    throw error;
  }
}

// Loads text from a script next to the page, which works from files, too, unlike requests.
function script(name) {
  return new Promise((done, failed) => {
    globalThis.toscaParseModule = done;
    const element = document.createElement("script");
    element.src = name;
    element.addEventListener("error", () => failed(new Error(`MuranoPL is in the file \`${name}\`, which must be in the folder of this page`)));
    document.head.append(element);
  });
}

// Returns the kind of the first file, which decides how all files are read.
export function kind(files) {
  const [name, text] = files.entries().next().value;
  const isTemplate = /^["']?(tosca_definitions_version|heat_template_version|heat_template)["']?[ \t]*:/m.test(text);
  if (isTemplate) return "template";
  if (/\.yay$/i.test(name)) return "yay";
  return /^(FullName|Namespaces|Methods|Extends|"?\?"?):/m.test(text) || /^ +"?\?"?:/m.test(text) ? "murano" : "template";
}

const PROFILE = /^profile:[ \t]*["']?([^\s"'#]+)/m;

// A language server and parsers for the files, which it keeps up to date.
export class Engine {
  constructor(module) {
    this.module = module;
    this.parser = new module.Parser();
    this.server = new module.LanguageServer();
    this.written = new Map();
    // The names of files, by profile.
    this.profiles = new Map();
  }

  static async of(kind) {
    await load("templates");
    if (kind !== "murano") return new Engine(templates);
    await load("murano");
    return new Engine(murano);
  }

  analyze(files, wanted) {
    // The module of MuranoPL could not be loaded.
    const kind = wanted === "murano" && this.module !== murano ? "template" : wanted;
    const profiles = new Map([...files].map(([name, text]) => [PROFILE.exec(text)?.[1], name]).filter(([profile]) => profile));
    // A parser can't forget a profile.
    if ([...this.profiles.keys()].some((profile) => !profiles.has(profile))) {
      this.parser.free();
      this.parser = new this.module.Parser();
      this.written.clear();
      this.profiles.clear();
    }
    for (const [profile, name] of profiles) {
      if (this.profiles.get(profile) === name) continue;
      this.parser.setProfile(profile, name);
      this.server.setProfile(profile, name);
    }
    this.profiles = profiles;
    for (const name of this.written.keys()) {
      if (!files.has(name)) this.parser.remove(name);
    }
    for (const [name, text] of files) {
      if (this.written.get(name) !== text) this.parser.write(name, text);
    }
    this.written = new Map(files);
    this.result?.free();
    this.result = kind === "yay" ? new YayResult(files) : new Result(this.parser, files, kind);
    return this.result;
  }

  free() {
    this.result?.free();
    this.parser.free();
    this.server.free();
  }

  explain(code) {
    return this.module.explain(code);
  }
}

const diagram = (draw) => () => draw("html", { legend: false });

class Result {
  constructor(parser, files, kind) {
    const entry = kind === "murano" && files.has("manifest.yaml") ? "manifest.yaml" : files.keys().next().value;
    this.outcome = parser.parse(entry);
    this.problems = this.outcome.diagnostics;
    this.language = this.outcome.language;
    const { outcome } = this;
    const isNothing = kind !== "murano" && !outcome.hasService;
    const refuse = () => {
      throw new Error("The file describes no service.");
    };
    this.diagram = isNothing ? refuse : diagram((...how) => outcome.graph(...how));
    this.plan = isNothing || kind === "murano" ? refuse : diagram((...how) => outcome.planGraph(...how));
    this.planText = isNothing || kind === "murano" ? refuse : () => outcome.planText();
    this.model = isNothing ? refuse : () => (kind === "murano" ? schemas(files, outcome) : outcome.model(true));
    this.form = isNothing ? refuse : () => (kind === "murano" ? form(files) : outcome.formPage());
  }

  free() {
    this.outcome.free();
  }
}

// Returns what the classes of a package accept, or an object model.
function schemas(files, outcome) {
  if (outcome.hasService) return outcome.model();
  const classes = packaged(files);
  return Object.fromEntries(classes.names().map((name) => [name, classes.schemas(name)]));
}

function form(files) {
  const classes = packaged(files);
  return classes.formPage(classes.names()[0]);
}

function packaged(files) {
  const package_ = files.has("manifest.yaml")
    ? new murano.Package(Object.fromEntries(files))
    : murano.Package.fromText("package", files.values().next().value);
  return new murano.Classes([package_]);
}

class YayResult {
  constructor(files) {
    this.config = new templates.YayConfig();
    for (const [name, text] of files) this.config.write(name, text);
    this.config.load(files.keys().next().value);
    this.language = "Yay";
    // Documents are named by their paths.
    const named = (place) => ({ ...place, file: place.file.replace(/^\//, "") });
    const whole = (problem) => ({ ...named(problem), related: problem.related.map(named), edits: problem.edits.map(named) });
    this.problems = this.config.check().map(whole);
    this.diagram = () => this.config.graph("html");
    this.model = () => this.config.root.resolve(true);
    const refuse = () => {
      throw new Error("A configuration has no plan and no inputs.");
    };
    this.plan = this.planText = this.form = refuse;
  }

  free() {
    this.config.free();
  }
}
