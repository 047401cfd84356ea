//! The command `fmt`.

use std::path::{Path, PathBuf};

use tosca_parse::normal::Service;
use tosca_parse::source::{Address, MemoryProvider};
use tosca_parse::{Entry, Parser, TOSCA};
use tosca_parse_fmt::{Keynames, Options, format_in};

use super::Folder;

const UGLY: &str = "tosca_definitions_version: tosca_2_0\nnode_types:\n    Shop :   {}   # one\n";
const PRETTY: &str = "tosca_definitions_version: tosca_2_0\nnode_types:\n  Shop: {} # one\n";

#[test]
fn files_are_formatted_once() {
    let folder = Folder::new(&[("a.yaml", UGLY), ("b.yaml", PRETTY)]);
    let run = folder.run("fmt a.yaml b.yaml");
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", "1 file formatted, 1 file unchanged\n"));
    assert_eq!(std::fs::read_to_string(folder.path().join("a.yaml")).unwrap(), PRETTY);
    let run = folder.run("fmt . --quiet");
    assert!(run.code == 0 && run.is_quiet(), "{}", run.all());
}

#[test]
fn checks_and_diffs_change_nothing() {
    let folder = Folder::new(&[("a.yaml", UGLY), ("b.yaml", PRETTY)]);
    let run = folder.run("fmt --check a.yaml b.yaml");
    let expected = (1, "a.yaml\n", "1 file would be formatted, 1 file unchanged\n");
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), expected);
    let run = folder.run("fmt --diff a.yaml b.yaml");
    assert!(run.code == 1 && run.out.contains("\n-    Shop :   {}   # one\n+  Shop: {} # one\n"), "{}", run.all());
    assert_eq!(std::fs::read_to_string(folder.path().join("a.yaml")).unwrap(), UGLY);
    assert_eq!(folder.run("fmt --check b.yaml").code, 0);
    assert_eq!(folder.run("fmt --diff b.yaml").code, 0);
}

#[test]
fn diffs_match_files_with_carriage_returns() {
    let text = UGLY.replace('\n', "\r\n");
    let folder = Folder::new(&[("a.yaml", &text)]);
    let run = folder.run("fmt --diff a.yaml");
    assert!(run.out.contains("\r\n+  Shop: {} # one\r\n"), "{:?}", run.out);
    assert!(!run.out.contains('␍'), "{:?}", run.out);
    let text = format!("# \u{202e}a\r\n{text}");
    let run = Folder::new(&[("a.yaml", &text)]).run("fmt --diff a.yaml");
    assert!(run.out.contains(" # \u{fffd}a\r\n"), "{:?}", run.out);
}

#[test]
fn standard_input_is_formatted_to_standard_output() {
    let folder = Folder::new(&[]);
    for text in [UGLY, PRETTY] {
        let run = folder.run_with_input("fmt -", text.as_bytes());
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, PRETTY, ""));
    }
    assert_eq!(folder.run_with_input("fmt --check -", UGLY.as_bytes()).code, 1);
    let run = folder.run_with_input("fmt -", b"a: [1\n");
    assert!(run.code == 1 && run.out.is_empty() && run.err.contains("error[T1101]"), "{}", run.all());
}

#[test]
fn ranges_are_lines_of_one_file() {
    let folder = Folder::new(&[("a.yaml", "a:   1\nb:   2\nc:   3\n")]);
    assert_eq!(folder.run("fmt --range 2 a.yaml").code, 0);
    assert_eq!(std::fs::read_to_string(folder.path().join("a.yaml")).unwrap(), "a:   1\nb: 2\nc:   3\n");
    assert_eq!(folder.run("fmt --range 3-9 a.yaml").code, 0);
    assert_eq!(std::fs::read_to_string(folder.path().join("a.yaml")).unwrap(), "a:   1\nb: 2\nc: 3\n");
    for wrong in ["fmt --range 0 a.yaml", "fmt --range 3-2 a.yaml", "fmt --range x a.yaml", "fmt --range 1 a.yaml -"] {
        assert_eq!(folder.run(wrong).code, 2, "{wrong}");
    }
}

#[test]
fn invalid_files_are_reported_and_kept() {
    let folder = Folder::new(&[("a.yaml", UGLY), ("bad.yaml", "a:   [1\nb: 2\n")]);
    std::fs::write(folder.path().join("latin.yaml"), b"a:   \xe9\n").unwrap();
    let run = folder.run("fmt a.yaml bad.yaml latin.yaml none.yaml --format concise");
    assert_eq!(run.code, 1, "{}", run.all());
    assert!(run.out.contains("bad.yaml:1:6: error[T1101]"), "{}", run.all());
    assert!(run.err.contains("error: latin.yaml: not formatted: it is not UTF-8\n"), "{}", run.all());
    assert!(run.err.contains("error: none.yaml: not formatted: "), "{}", run.all());
    assert!(run.err.contains("1 file formatted, 3 files can't be formatted\n"), "{}", run.all());
    assert_eq!(std::fs::read_to_string(folder.path().join("bad.yaml")).unwrap(), "a:   [1\nb: 2\n");
    assert_eq!(std::fs::read(folder.path().join("latin.yaml")).unwrap(), b"a:   \xe9\n");
}

#[test]
fn yay_documents_are_formatted_if_they_are_yaml() {
    let head = "tosca_definitions_version: tosca_2_0\n";
    let folder = Folder::new(&[
        ("set.yay", &*format!("set size = 3\n{head}metadata:   {{ size: {{{{ size }}}} }}\n")),
        ("plain.yay", &format!("{head}description:   plain\n")),
    ]);
    let run = folder.run("fmt --check .");
    assert_eq!(run.code, 1, "{}", run.all());
    assert!(run.all().contains("plain.yay") && !run.all().contains("set.yay"), "{}", run.all());
    let run = folder.run("fmt set.yay plain.yay");
    assert_eq!(run.code, 1, "{}", run.all());
    assert!(run.err.contains("error: set.yay: not formatted: it has the syntax of Yay"), "{}", run.all());
    assert!(run.err.contains("1 file formatted, 1 file can't be formatted"), "{}", run.all());
    assert_eq!(folder.run("fmt --check .").code, 0);
}

#[test]
fn configurations_set_the_style() {
    let style = "format: { indent: 4, quotes: single, lists: flush, bracket_spacing: false }\nexclude: [ out.yaml ]\n";
    let text = "tosca_definitions_version: tosca_2_0\nmetadata:\n  a: \"b\"\n";
    let folder = Folder::new(&[("tosca-parse.yaml", style), ("in.yaml", text), ("out.yaml", text)]);
    assert_eq!(folder.run("fmt .").code, 0);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("in.yaml"), "tosca_definitions_version: tosca_2_0\nmetadata:\n    a: 'b'\n");
    assert_eq!(read("out.yaml"), text);
    assert_eq!(read("tosca-parse.yaml"), style);
    let shown = folder.run("config show in.yaml").out;
    assert!(shown.contains("format:\n  indent: 4  # tosca-parse.yaml\n  quotes: single"), "{shown}");
    folder.write("tosca-parse.yaml", "format: { indent: 1 }\n");
    let run = folder.run("fmt in.yaml");
    assert!(run.code == 2 && run.err.contains("from 2 to 9"), "{}", run.all());
    assert_eq!(folder.run("fmt in.yaml --no-config").code, 0);
    assert_eq!(read("in.yaml"), text);
}

#[test]
fn keynames_are_ordered_by_option_or_configuration() {
    let source = "tosca_definitions_version: tosca_2_0\nmetadata: {}\ndescription: shop\n";
    let ordered = "tosca_definitions_version: tosca_2_0\ndescription: shop\nmetadata: {}\n";
    let folder = Folder::new(&[("a.yaml", source), ("a.yay", source)]);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(folder.run("fmt --check a.yaml").code, 0);
    assert_eq!(folder.run("fmt --check --keynames standard a.yaml").code, 1);
    assert_eq!(folder.run("fmt --keynames standard --range 1-3 a.yaml").code, 2);
    folder.write("tosca-parse.yaml", "format: { keynames: standard }\nversions: { shop_1: tosca_2_0 }\n");
    assert_eq!(folder.run("fmt --check --keynames source a.yaml").code, 0);
    assert_eq!(folder.run("fmt --check --range 1-3 a.yaml").code, 0);
    assert!(folder.run("config show a.yaml").out.contains("format:\n  keynames: standard"));
    assert_eq!(folder.run("fmt a.yaml a.yay").code, 0);
    assert_eq!((read("a.yaml").as_str(), read("a.yay").as_str()), (ordered, source));
    // A version that is not first becomes the first key.
    let run = folder.run_with_input("fmt -", b"metadata: {}\ntosca_definitions_version: tosca_2_0\n");
    assert_eq!(run.out, "tosca_definitions_version: tosca_2_0\nmetadata: {}\n");
    let unknown = "metadata: {}\ntosca_definitions_version: tosca_9_9\n";
    assert_eq!(folder.run_with_input("fmt -", unknown.as_bytes()).out, unknown);
    let vendor = |text: &str| text.replace("tosca_2_0", "shop_1");
    let run = folder.run_with_input("fmt -", vendor(source).as_bytes());
    assert_eq!(run.out, vendor(ordered));
    let run = folder.run_with_input("fmt - --no-config --keynames standard", vendor(source).as_bytes());
    assert_eq!(run.out, vendor(source));
}

#[test]
#[cfg(unix)]
fn files_outside_of_the_project_are_kept() {
    let (outer, folder) = (Folder::new(&[("other.yaml", UGLY)]), Folder::new(&[("a.yaml", PRETTY)]));
    std::os::unix::fs::symlink(outer.path().join("other.yaml"), folder.path().join("link.yaml")).unwrap();
    let run = folder.run("fmt .");
    assert!(run.code == 1 && run.err.contains("link.yaml: not formatted: it is outside the project"), "{}", run.all());
    assert_eq!(std::fs::read_to_string(outer.path().join("other.yaml")).unwrap(), UGLY);
    assert_eq!(folder.run("fmt link.yaml").code, 0);
    assert_eq!(std::fs::read_to_string(outer.path().join("other.yaml")).unwrap(), PRETTY);
}

/// Returns the model of a service, if it is valid.
fn model(parser: &Parser, entry: Entry) -> Option<serde_json::Value> {
    let outcome = parser.parse_entry(entry);
    let service = Service::of(&outcome.program).filter(|_| outcome.is_valid())?;
    Some(serde_json::to_value(&service).unwrap())
}

/// Returns the YAML files below a folder.
fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries
        .flat_map(|path| if path.is_dir() { yaml_files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml"))
        .collect();
    files.sort();
    files
}

#[test]
fn models_of_shared_templates_are_kept() {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("skipped: the templates of others, as TOSCA_PARSE_SHARED does not name the folder that holds them");
        return;
    };
    let memory = MemoryProvider::new();
    let directory = Path::new(&shared).join("conformance");
    let parser = Parser::builder(&TOSCA).directory(&directory).provider(std::sync::Arc::new(memory.clone()));
    let parser = parser.offline(true).build().unwrap();
    let (mut compared, mut different) = (0, Vec::new());
    for folder in ["oasis-2.0", "oasis-examples", "simple-1.0", "simple-1.x", "spec-1.x", "spec-2.0"] {
        // The same data results in the same model, and the formatter's own tests compare the data of all files.
        for path in yaml_files(&directory.join(folder)).into_iter().step_by(40) {
            let address = Address::from_path(&path, Path::new("/"));
            let Some(before) = model(&parser, Entry::at(address.clone())) else { continue };
            let text = std::fs::read_to_string(&path).unwrap();
            let formatted = tosca_parse_fmt::format(&text, &tosca_parse_fmt::Options::default()).unwrap();
            memory.insert(address.clone(), formatted.apply(&text));
            if model(&parser, Entry::at(address.clone())).as_ref() != Some(&before) {
                different.push(path.display().to_string());
            }
            memory.remove(&address);
            compared += 1;
        }
    }
    assert!(different.is_empty(), "{} of {compared}:\n{}", different.len(), different.join("\n"));
    assert!(compared > 20, "only {compared} models");
}

/// Returns the content of a file without positions: its model, if it is valid, and its problems.
fn content(parser: &Parser, entry: Entry) -> (Option<serde_json::Value>, Vec<String>) {
    let outcome = parser.parse_entry(entry);
    let service = Service::of(&outcome.program).filter(|_| outcome.is_valid());
    let mut problems: Vec<String> =
        outcome.diagnostics.iter().map(|problem| format!("{} {}", problem.rule.code, problem.message)).collect();
    problems.sort();
    (service.map(|service| serde_json::to_value(&service).unwrap()), problems)
}

#[test]
fn models_do_not_depend_on_the_order_of_keynames() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let memory = MemoryProvider::new();
    let parser = Parser::builder(&TOSCA).directory(&root).provider(std::sync::Arc::new(memory.clone()));
    let parser = parser.offline(true).build().unwrap();
    let options = Options { keynames: Keynames::Standard, ..Options::default() };
    let (mut changed, mut models, mut different) = (0, 0, Vec::new());
    let chapters = yaml_files(&root.join("tests/chapters")).into_iter().step_by(2);
    for path in yaml_files(&root.join("examples/templates")).into_iter().chain(chapters) {
        let text = std::fs::read_to_string(&path).unwrap();
        let Ok(formatted) = tosca_parse_fmt::format(&text, &Options::default()) else { continue };
        let ordered = match format_in(Some(&TOSCA), &text, &options) {
            Ok(ordered) => ordered.apply(&text),
            Err(error) => {
                different.push(format!("{}: {error}", path.display()));
                continue;
            }
        };
        if !format_in(Some(&TOSCA), &ordered, &options).is_ok_and(|again| again.is_unchanged()) {
            different.push(format!("{}: not stable", path.display()));
        }
        if ordered == formatted.apply(&text) {
            continue;
        }
        changed += 1;
        let address = Address::from_path(&path, Path::new("/"));
        let before = content(&parser, Entry::at(address.clone()));
        memory.insert(address.clone(), ordered);
        let after = content(&parser, Entry::at(address.clone()));
        memory.remove(&address);
        models += usize::from(before.0.is_some());
        if before.0 != after.0 {
            different.push(format!("{}: another model", path.display()));
        } else if before.1 != after.1 {
            different.push(format!("{}: {:?} {:?}", path.display(), before.1, after.1));
        }
    }
    assert!(different.is_empty(), "{} of {changed}:\n{}", different.len(), different.join("\n"));
    assert!(changed > 40 && models > 5, "only {models} models of {changed} files");
}
