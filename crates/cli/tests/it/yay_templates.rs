//! Templates that compute parts of themselves, on the command line.

use std::fmt::Write as _;
use std::path::Path;

use super::Folder;

/// A cluster of nodes from a loop.
const CLUSTER: &str = "\
tosca_definitions_version: tosca_2_0
node_types:
  Server:
    properties:
      port:
        type: integer
      name:
        type: string
service_template:
  node_templates:
    include \"nodes.yay\"
";

#[test]
fn every_format_tells_what_brought_a_value() {
    let folder = tempfile::tempdir().unwrap();
    let nodes = "\
macro all:
  for i in range(1):
    - type: Server
      properties:
        port: p{{ i }}
        name: web
set made = all()
web: {{ made[0] }}
";
    std::fs::write(folder.path().join("service.yay"), CLUSTER).unwrap();
    std::fs::write(folder.path().join("nodes.yay"), nodes).unwrap();
    let shown = |format: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tosca-parse"));
        let output = command.current_dir(folder.path()).args(["--format", format, "service.yay"]).output().unwrap();
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat()
    };
    let stops = [
        ("nodes.yay", 2, 3, "in this loop"),
        ("nodes.yay", 7, 12, "called here"),
        ("service.yay", 11, 5, "included here"),
    ];
    for format in ["github", "gitlab", "junit"] {
        let shown = shown(format);
        assert!(shown.contains("T5101"), "{format}: {shown}");
        for (file, line, column, what) in stops {
            let stop = format!("{file}:{line}:{column}: {what}");
            assert!(shown.contains(&stop), "{format}: {stop} is not in {shown}");
        }
    }
    let full = shown("full");
    assert!(full.contains("--> nodes.yay:5:15"), "{full}");
    for (_, line, _, what) in stops {
        assert!(full.contains(&format!("\n{line:2} |")) && full.contains(&format!("- {what}\n")), "{full}");
    }
    assert!(shown("concise").starts_with("nodes.yay:5:15: error[T5101]: "));
    for format in ["json", "jsonl"] {
        let document: serde_json::Value = serde_json::from_str(&shown(format)).unwrap();
        let problem = document.pointer("/diagnostics/0").unwrap_or(&document);
        assert_eq!((&problem["file"], &problem["start"]["line"]), (&"nodes.yay".into(), &5.into()));
        for (file, line, column, what) in stops {
            let related =
                problem["related"].as_array().unwrap().iter().find(|related| related["message"] == what).unwrap();
            let start = &related["start"];
            let place = (&related["file"], &start["line"], &start["column"]);
            assert_eq!(place, (&file.into(), &line.into(), &column.into()), "{format}");
        }
    }
    let document: serde_json::Value = serde_json::from_str(&shown("sarif")).unwrap();
    let related = document.pointer("/runs/0/results/0/relatedLocations").unwrap().as_array().unwrap();
    for (file, line, column, what) in stops {
        let stop = related.iter().find(|location| location["message"]["text"] == what).unwrap();
        let place = &stop["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], file);
        assert_eq!((&place["region"]["startLine"], &place["region"]["startColumn"]), (&line.into(), &column.into()));
    }
}

/// If a value is used often, the use that fails is shown first.
#[test]
fn the_use_that_fails_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let text = "\
tosca_definitions_version: tosca_2_0
set t = \"Nope\"
description: {{ t }}
metadata:
  a: {{ t }}
  b: {{ t }}
  c: {{ t }}
service_template:
  node_templates:
    web:
      type: {{ t }}
";
    std::fs::write(folder.path().join("service.yay"), text).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tosca-parse"));
    let output = command.current_dir(folder.path()).args(["--format", "json", "service.yay"]).output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let problem = &document["diagnostics"][0];
    let used = problem["related"].as_array().unwrap().iter().filter(|related| related["message"] == "used here");
    let lines: Vec<_> = used.map(|related| related["start"]["line"].as_u64().unwrap()).collect();
    assert_eq!((&problem["code"], &*lines), (&"T2001".into(), &[11, 3, 5][..]), "{document}");
}

/// Messages and excerpts do not show the length of credentials.
#[test]
fn masks_of_credentials_have_one_length() {
    let folder = tempfile::tempdir().unwrap();
    let shown = |user: &str| {
        let text = format!("include \"http://{user}@127.0.0.1:1/b.yay\"\n");
        std::fs::write(folder.path().join("a.yay"), text).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tosca-parse"));
        command.current_dir(folder.path()).args(["yay", "json", "--offline", "a.yay"]);
        let output = command.output().unwrap();
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat()
    };
    let short = shown("u:p");
    assert!(short.contains("http://*****@127.0.0.1:1/b.yay"), "{short}");
    assert_eq!(short, shown("user:pppppppppppppppppppp"));
}

#[test]
fn secrets_are_not_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let keys = "set port = \"hunter2\"\n";
    let text = CLUSTER.replace("include \"nodes.yay\"", "include \"keys.yay.gpg\"\n    web:\n      type: Server\n      properties:\n        port: 80\n        name: web\n    db:\n      type: {{ port }}");
    let Some(home) = Gnupg::new() else { return println!("skipped: there is no program gpg") };
    home.encrypt(keys, &folder.path().join("keys.yay.gpg"));
    std::fs::write(folder.path().join("service.yay"), text).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tosca-parse"));
        command.current_dir(folder.path()).env("GNUPGHOME", home.folder.path()).args(arguments);
        let output = command.output().unwrap();
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat()
    };
    let shown = run(&["--gpg", "service.yay"]);
    assert!(shown.contains("`*****`") && shown.contains("service.yay:18:13") && !shown.contains("hunter2"), "{shown}");
    let shown = run(&["service.yay"]);
    assert!(shown.contains("Y1003") && shown.contains("not enabled"), "{shown}");
    let shown = run(&["yay", "expr", "--gpg", "port + '!'", "keys.yay.gpg"]);
    assert!(shown.contains("*****") && !shown.contains("hunter2"), "{shown}");
    let shown = run(&["yay", "expr", "--gpg", "--reveal", "port", "keys.yay.gpg"]);
    assert!(shown.contains("hunter2"), "{shown}");
    let shown = run(&["yay", "dot", "--gpg", "keys.yay.gpg"]);
    assert!(shown.contains("*****") && !shown.contains("hunter2"), "{shown}");
}

/// A service with secrets in every place for a value.
const SECRETIVE: &str = "\
tosca_definitions_version: tosca_2_0
include \"keys.yay.gpg\"
node_types:
  Server:
    properties:
      code:
        type: string
      link:
        type: string
service_template:
  description: for {{ code }}
  inputs:
    code:
      type: string
      default: {{ code }}
  node_templates:
    web:
      type: Server
      properties:
        code: {{ code }}
        link: see {{ code }}
  outputs:
    code:
      value: {{ code }}
";

#[test]
fn what_is_shown_of_a_service_has_no_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let Some(home) = Gnupg::new() else { return println!("skipped: there is no program gpg") };
    home.encrypt("set code = \"hunter2\"\n", &folder.path().join("keys.yay.gpg"));
    std::fs::write(folder.path().join("service.yay"), SECRETIVE).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tosca-parse"));
        command.current_dir(folder.path()).env("GNUPGHOME", home.folder.path()).args(arguments).args(["--gpg"]);
        let output = command.output().unwrap();
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat()
    };
    for arguments in [&["service.yay"][..], &["graph", "service.yay"], &["plan", "service.yay"]] {
        let shown = run(arguments);
        let is_plan = arguments[0] == "plan";
        assert!(!shown.contains("hunter2") && (is_plan || shown.contains("*****")), "{arguments:?}: {shown}");
    }
    let shown = run(&["form", "service.yay"]);
    assert!(shown.contains("\"code\"") && !shown.contains("hunter2") && !shown.contains("required"), "{shown}");
    // Programs need the values to deploy the service.
    assert!(run(&["service.yay", "--emit", "json"]).contains("hunter2"));
}

/// Values that are derived from secrets by every operator and function.
const DERIVED: &str = include_str!("../../../yay/tests/yay/secret_expressions.txt");

/// The strings that no output may contain.
const SECRETS: &[&str] = &["topsecret", "TOPSECRET", "terces", "psecr", "opsecre", "zweites", "31337", "4711"];

/// Returns a service with a type for each derived value. The value is part of the description of the type, a property
/// value of the wrong type, and part of the name of an unknown type.
pub(crate) fn derived() -> String {
    // Tests have this variable. No secret occurs in the text of these lines.
    let mut text = "\
tosca_definitions_version: tosca_2_0
set e = env.CARGO_MANIFEST_DIR[:0]
set k = e + 'top' + 'secret'
set n = len(e) + 31000 + 337
set f = len(e) + 4700.0 + 11.25
set l = [k, e + 'zwei' + 'tes']
set m = {'pw': k, 'pin': n}
node_types:
"
    .to_owned();
    let expressions: Vec<&str> = DERIVED.lines().filter(|line| !line.starts_with("# ")).collect();
    for (number, expression) in expressions.iter().enumerate() {
        let _ = writeln!(
            text,
            "  T{number}:\n    description: is {{{{ str({expression}) }}}}\n    properties:\n      p:\n        type: integer"
        );
    }
    text += "service_template:\n  node_templates:\n";
    for (number, expression) in expressions.iter().enumerate() {
        let _ = writeln!(
            text,
            "    n{number}:\n      type: T{number}\n      properties:\n        p: {{{{ {expression} }}}}\n\
             \x20   u{number}:\n      type: is {{{{ str({expression}) }}}}"
        );
    }
    text
}

#[track_caller]
pub(crate) fn has_no_secrets(what: &str, shown: &str) {
    for secret in SECRETS {
        let line = shown.lines().find(|line| line.contains(secret)).unwrap_or_default();
        assert!(line.is_empty(), "{what}: `{secret}` in {}", line.chars().take(1_000).collect::<String>());
    }
}

#[test]
fn derived_secrets_are_not_in_dumps_diagrams_and_reports() {
    let folder = Folder::new(&[("service.yay", &derived())]);
    let run = folder.run("--dump service.yay");
    assert!(run.out.contains("*****") && !run.out.contains("Y2001"), "{}", run.err);
    has_no_secrets("dump", &run.out);
    for format in ["dot", "html", "svg"] {
        let run = folder.run(&format!("graph --format {format} service.yay"));
        assert!(run.out.contains("*****"), "{format}: {}", run.err);
        has_no_secrets(format, &run.out);
    }
    let run = folder.run("--format json service.yay");
    assert!(run.out.contains("*****"), "{}{}", run.out, run.err);
    // Offsets may contain the same digits.
    let words: Vec<&str> = run.out.lines().filter(|line| !line.contains("\"offset\"")).collect();
    has_no_secrets("report", &words.join("\n"));
}

/// Templates of several languages with a secret as name, type and value of everything that has these.
const SECRET_NAMES: [&str; 4] = [
    "\
tosca_definitions_version: tosca_2_0
node_types: {{ {'app': {'properties': {k: {'type': 'string', 'default': k}}, 'requirements': [{'r': {'capability': 'c',
  'relationship': 'rel', 'count_range': [0, 1]}}], 'capabilities': {'c': 'c'}}} }}
capability_types: {{ {'c': {}} }}
relationship_types: {{ {'rel': {}} }}
group_types: {{ {'g': {}} }}
service_template:
  inputs: {{ {k: {'type': 'string', 'default': k, 'description': k}, 'n': {'type': 'integer', 'default': n}} }}
  node_templates: {{ {k: {'type': 'app'}, 'b': {'type': 'app', 'properties': {k: k}, 'requirements': [{'r': k}]}} }}
  groups: {{ {'top': {'type': 'g', 'members': [k]}} }}
  outputs: {{ {k: {'type': 'string', 'value': k}} }}
",
    "\
heat_template_version: 2018-08-31
parameters: {{ {'p': {'type': 'string', 'default': k, 'description': k, 'constraints': [{'allowed_values': [k, 'b']}]}} }}
resources: {{ {'r': {'type': 'OS::Heat::Value', 'properties': {'value': k}},
  k: {'type': 'OS::Heat::Value', 'properties': {'value': {'get_param': 'p'}}, 'depends_on': 'r'}} }}
",
    "\
tosca_definitions_version: cloudify_dsl_1_3
node_types: {{ {'a': {'properties': {'p': {'default': k}, k: {'default': k}}}} }}
relationships: {{ {'cloudify.relationships.depends_on': {}} }}
node_templates: {{ {'n': {'type': 'a', 'properties': {'p': k}},
  k: {'type': 'a', 'relationships': [{'type': 'cloudify.relationships.depends_on', 'target': 'n'}]}} }}
inputs: {{ {k: {'default': k}, 'i': {'default': 'a', 'constraints': [{'valid_values': [k, 'a']}]}} }}
",
    "\
tosca_definitions_version: tosca_simple_yaml_1_3
namespace: {{ k }}
repositories: {{ {k: {'url': 'http://example.com/'}} }}
node_types: {{ {k: {'derived_from': 'tosca.nodes.Root', 'properties': {k: {'type': 'string', 'default': k}}},
  'other': {'derived_from': k, 'properties': {k: {'type': 'string', 'default': 'p'}}}} }}
topology_template:
  inputs: {{ {'n': {'type': 'integer', 'default': 1}} }}
  node_templates: {{ {k: {'type': k}, 'b': {'type': 'other', 'directives': [k], 'requirements': [{'dependency': k}]}} }}
  workflows: {{ {k: {'steps': {k: {'target': k, 'activities': [{'call_operation': 'Standard.create'}]}}}} }}
",
];

#[test]
fn secret_names_are_not_in_diagrams_plans_forms_and_differences() {
    for template in SECRET_NAMES {
        // Expressions are on one line.
        let text = template.replace(",\n  ", ", ");
        let derived = derived();
        let secrets: Vec<&str> = derived.lines().filter(|line| line.starts_with("set ")).collect();
        let secrets = secrets.join("\n") + "\n";
        let folder = Folder::new(&[
            ("service.yay", &format!("{secrets}{text}")),
            ("other.yay", &format!("{secrets}{}", text.replace("'b'", "'b2'").replace("'p': k", "'p': k + k"))),
        ]);
        let run = folder.run("service.yay");
        assert_eq!(run.code, 0, "{}", run.all());
        for (arguments, has_result) in [
            ("graph service.yay --properties 9", true),
            ("graph service.yay --properties 9 --format html", true),
            ("graph service.yay --properties 9 --format graphml --collapse types", true),
            ("graph service.yay --show types", true),
            ("graph service.yay --show plan", true),
            ("plan service.yay", true),
            ("plan service.yay --format json", true),
            ("plan service.yay --format svg", true),
            ("plan other.yay --from service.yay --format json", false),
            ("diff service.yay other.yay", true),
            ("diff service.yay other.yay --format json", true),
            ("form service.yay", true),
            ("form service.yay --format html", true),
        ] {
            let run = folder.run(arguments);
            has_no_secrets(arguments, &run.all());
            assert!(!has_result || run.code == 0 && !run.out.is_empty(), "{arguments}: {}", run.all());
        }
        for format in ["html", "markdown"] {
            let run = folder.run(&format!("doc service.yay --format {format} --output {format}"));
            if template.contains("tosca") && !template.contains("cloudify") {
                assert_eq!(run.code, 0, "{}", run.all());
            }
            has_no_secrets("doc", &run.all());
            for page in pages(&folder.path().join(format)) {
                has_no_secrets("the name of a page", &page.display().to_string());
                has_no_secrets(&page.display().to_string(), &std::fs::read_to_string(&page).unwrap());
            }
        }
    }
}

/// Returns the files in a folder and in its subfolders.
fn pages(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { pages(&path) } else { vec![path] }).collect()
}

/// A migrated text would contain computed values.
#[test]
fn documents_with_computed_values_are_not_migrated() {
    let text = "\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  A:
    derived_from: tosca.nodes.Root
topology_template:
  node_templates:
    a:
      type: A
      directives: {{ ['select'] }}
      node_filter: {{ {'properties': [{'p': {'equal': env.CARGO_MANIFEST_DIR}}]} }}
";
    let folder = Folder::new(&[("service.yay", text)]);
    let run = folder.run("migrate service.yay");
    assert!(run.all().contains("T8002") && run.all().contains("computes its values"), "{}", run.all());
    let read = |folder: &Folder, name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read(&folder, "service.yay"), text);
    // The same text without expressions is migrated.
    let plain = text.lines().filter(|line| !line.contains("{{")).collect::<Vec<_>>().join("\n");
    let folder = Folder::new(&[("service.yaml", &plain)]);
    let run = folder.run("migrate service.yaml");
    assert_eq!(run.code, 0, "{}", run.all());
    assert!(read(&folder, "service.yaml").starts_with("tosca_definitions_version: tosca_2_0"));
}

/// A key ring with a key created for the test.
struct Gnupg {
    folder: tempfile::TempDir,
}

impl Gnupg {
    fn new() -> Option<Self> {
        let home = Self { folder: tempfile::tempdir().unwrap() };
        let made = home.run(&[
            "--quick-generate-key",
            "--passphrase",
            "",
            "test@example.com",
            "future-default",
            "default",
            "never",
        ]);
        made.then_some(home)
    }

    fn run(&self, arguments: &[&str]) -> bool {
        let mut command = std::process::Command::new("gpg");
        command.env("GNUPGHOME", self.folder.path()).args([
            "--batch",
            "--quiet",
            "--yes",
            "--pinentry-mode",
            "loopback",
        ]);
        let nobody = std::process::Stdio::null;
        command.args(arguments).stdout(nobody()).stderr(nobody()).status().is_ok_and(|status| status.success())
    }

    fn encrypt(&self, text: &str, to: &Path) {
        let plain = self.folder.path().join("plain");
        std::fs::write(&plain, text).unwrap();
        let (to, plain) = (to.to_str().unwrap(), plain.to_str().unwrap());
        assert!(self.run(&["--trust-model", "always", "-r", "test@example.com", "-o", to, "--encrypt", plain]));
    }
}

/// The agent that the program has started ends with its folder.
impl Drop for Gnupg {
    fn drop(&mut self) {
        let mut command = std::process::Command::new("gpgconf");
        let _ = command.env("GNUPGHOME", self.folder.path()).args(["--kill", "all"]).status();
    }
}
