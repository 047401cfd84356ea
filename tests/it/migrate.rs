//! Migration of files to a later version.

use std::path::{Path, PathBuf};

use tosca_parse::diagnostic::render::Concise;
use tosca_parse::diagnostic::{Edit, edit};
use tosca_parse::grammar::version::{V1_3, V2_0};
use tosca_parse::migrate::{clashes, migrate};
use tosca_parse::source::MemoryProvider;
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

/// Returns a parser that reads from memory first.
fn parser(memory: &MemoryProvider) -> Parser {
    Parser::builder(&TOSCA).provider(std::sync::Arc::new(memory.clone())).offline(true).build().unwrap()
}

/// Returns the names of the files of an outcome, with their contents before and after a migration.
fn texts(outcome: &Outcome, edits: &[Edit]) -> Vec<(String, String, String)> {
    let changed = edits.chunk_by(|one, other| one.span.source == other.span.source);
    let text = |edits: &[Edit]| {
        let source = outcome.sources.get(edits[0].span.source).unwrap();
        (source.name().to_owned(), source.text().to_string(), edit::apply(source.text(), edits))
    };
    changed.map(text).collect()
}

/// Migrates files that are given by name; the first one is the entry. Returns the new contents and the messages.
fn migrated(files: &[(&str, &str)]) -> (Vec<String>, String) {
    let memory = MemoryProvider::new();
    let parser = parser(&memory);
    for (name, text) in files {
        memory.insert(parser.address(name).unwrap(), *text);
    }
    let entry = Entry::at(parser.address(files[0].0).unwrap());
    let outcome = parser.parse_entry(entry);
    assert!(outcome.is_valid(), "{}", Concise::new(&outcome.diagnostics, &outcome.sources));
    let migration = migrate(&outcome.program, V2_0, clashes(&outcome.program));
    let told = migration.problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("\n");
    (texts(&outcome, &migration.edits).into_iter().map(|(_, _, after)| after).collect(), told)
}

/// Migrates the rest of a file with a service.
fn service(rest: &str) -> String {
    let text = format!("tosca_definitions_version: tosca_simple_yaml_1_3\n{rest}");
    let (texts, _) = migrated(&[("service.yaml", &text)]);
    let head = "tosca_definitions_version: tosca_2_0\n";
    texts[0].strip_prefix(head).unwrap_or_else(|| panic!("{}", texts[0])).to_owned()
}

const TYPES: &str = include_str!("../migrate/types.yaml");
const SERVICE: &str = include_str!("../migrate/service.yaml");

#[test]
fn everything_is_written_as_it_is_in_2_0() {
    let (texts, told) = migrated(&[("service.yaml", SERVICE), ("types.yaml", TYPES)]);
    insta::assert_snapshot!(texts.join("\n=======\n"));
    insta::assert_snapshot!(told);
}

#[test]
fn features_without_counterpart_are_kept_as_metadata() {
    let rest = "\
node_types:
  A:
    derived_from: tosca.nodes.Root
    capabilities:
      one: { type: tosca.capabilities.Node, occurrences: [ 1, 2 ] }
      two:
        type: tosca.capabilities.Node
        # Not more.
        occurrences: [ 1, 3 ]   # three
";
    let expected = "\
imports:
  - profile: org.oasis-open.tosca.simple:2.0
node_types:
  A:
    derived_from: Root
    capabilities:
      one: { type: Node, metadata: { occurrences: [ 1, 2 ] } }
      two:
        type: Node
        # Not more.
        metadata:
          occurrences: [ 1, 3 ]   # three
";
    assert_eq!(service(rest), expected);
}

#[test]
fn indentation_and_brackets_are_kept() {
    let lists = [
        ("constraints:\n      - length: 2", "validation:\n        $equal: [ { $length: $value }, 2 ]"),
        ("constraints:\n        - length: 2", "validation:\n        $equal: [ { $length: $value }, 2 ]"),
        (
            "constraints:\n      # at least\n      - min_length: 2\n      - max_length: 3 # a\n      # b",
            "validation:\n      # at least\n        $and:\n        - $greater_or_equal: [ { $length: $value }, 2 ]\n        - $less_or_equal: [ { $length: $value }, 3 ] # a\n      # b",
        ),
        ("constraints: [length: 2]", "validation: { $equal: [ { $length: $value }, 2 ] }"),
        ("constraints: [ { pattern: \"a|b\" } ]", "validation: { $matches: [ $value, '^(?:a|b)$' ] }"),
        (
            "constraints:\n        - valid_values:\n          - a, b\n          - c",
            "validation:\n        $valid_values:\n        - $value\n        - - a, b\n          - c",
        ),
    ];
    for (before, after) in lists {
        let text = |clause: &str| {
            format!("data_types:\n  A:\n    derived_from: string\n    description: Words.\n    {clause}\n")
        };
        let before = before.replace("\n  ", "\n");
        let after = after.replace("\n  ", "\n");
        assert_eq!(service(&text(&before)), text(&after));
    }
}

#[test]
fn types_of_the_same_name_get_a_prefix() {
    let rest = "\
node_types:
  Compute: { derived_from: tosca.nodes.Root }
topology_template:
  node_templates: { a: { type: Compute }, b: { type: tosca.nodes.Compute } }
";
    let expected = "\
imports:
  - profile: org.oasis-open.tosca.simple:2.0
    namespace: tosca
node_types:
  Compute: { derived_from: tosca:Root }
service_template:
  node_templates: { a: { type: Compute }, b: { type: tosca:Compute } }
";
    assert_eq!(service(rest), expected);
}

#[test]
fn shared_values_are_written_once() {
    let rest = "\
dsl_definitions:
  positive: &positive { greater_than: 0 }
  port: &port
    type: integer
    constraints: [ *positive, { less_than: 9 } ]
  home: &home { get_input: home }
data_types:
  A: { properties: { a: *port, b: { <<: *port, default: 5 } } }
topology_template:
  inputs: { home: { type: string } }
  outputs: { a: { value: *home }, b: { value: *home } }
";
    let expected = "\
dsl_definitions:
  positive: &positive { $greater_than: [ $value, 0 ] }
  port: &port
    type: integer
    validation: { $and: [ *positive, { $less_than: [ $value, 9 ] } ] }
  home: &home { $get_input: home }
data_types:
  A: { properties: { a: *port, b: { <<: *port, default: 5 } } }
service_template:
  node_templates: {}
  inputs: { home: { type: string } }
  outputs: { a: { value: *home }, b: { value: *home } }
";
    assert_eq!(service(rest), expected);
}

#[test]
fn later_versions_of_1_x_have_the_same_types() {
    let text = "\
tosca_definitions_version: tosca_simple_yaml_1_1
node_types:
  A:
    derived_from: tosca.nodes.Root
    interfaces:
      Standard:
        create: a.sh
policy_types:
  P: { derived_from: tosca.policies.Root, triggers: { t: { event_type: e, action: { a: { implementation: b.sh } } } } }
";
    let parser = parser(&MemoryProvider::new());
    let outcome = parser.parse_entry(Entry::text(parser.address("a.yaml").unwrap(), text));
    let migration = migrate(&outcome.program, V1_3, false);
    let after = edit::apply(text, &migration.edits);
    let expected = text
        .replace("yaml_1_1", "yaml_1_3")
        .replace("        create:", "        operations:\n          create:")
        .replace("event_type", "event");
    assert_eq!(after, expected);
}

#[test]
fn line_breaks_are_kept() {
    let text = "tosca_definitions_version: tosca_simple_yaml_1_3\r\nnode_types:\r\n  A: { derived_from: tosca.nodes.Root }\r\n";
    let (texts, _) = migrated(&[("a.yaml", text)]);
    let expected = "tosca_definitions_version: tosca_2_0\r\nimports:\r\n  - profile: org.oasis-open.tosca.simple:2.0\r\nnode_types:\r\n  A: { derived_from: Root }\r\n";
    assert_eq!(texts[0], expected);
}

/// Returns the comments of a text, in order.
fn comments(outcome: &Outcome, name: &str) -> Vec<String> {
    let unit = outcome.program.list.iter().find(|unit| unit.source.name() == name).unwrap();
    unit.document.tool_comments().map(|(_, text)| text.trim_end().to_owned()).collect()
}

/// Returns third-party templates in a version of 1.x that have no errors.
fn files(shared: &Path, folders: &[&str]) -> Vec<PathBuf> {
    let walk = |folder: &&str| walkdir::WalkDir::new(shared.join("conformance").join(folder)).sort_by_file_name();
    let files = folders.iter().flat_map(walk).map(|entry| entry.unwrap().into_path());
    let is_yaml = |path: &PathBuf| path.extension().is_some_and(|it| it == "yaml" || it == "yml");
    let is_simple = |path: &PathBuf| {
        std::fs::read_to_string(path).is_ok_and(|text| {
            text.contains("\ntosca_definitions_version: tosca_simple")
                || text.starts_with("tosca_definitions_version: tosca_simple")
        })
    };
    files.filter(is_yaml).filter(is_simple).collect()
}

#[test]
fn third_party_files_are_complete_and_keep_their_comments() {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("skipped: TOSCA_PARSE_SHARED does not name the folder that holds the conformance files");
        return;
    };
    let memory = MemoryProvider::new();
    let reader = parser(&MemoryProvider::new());
    let writer = parser(&memory);
    let (mut count, mut failures) = (0, Vec::new());
    for path in files(Path::new(&shared), &["simple-1.x", "oasis-examples"]).into_iter().step_by(3) {
        let entry = || Entry::at(reader.address(path.to_str().unwrap()).unwrap());
        let outcome = reader.parse_entry(entry());
        if !outcome.is_valid() {
            continue;
        }
        let migration = migrate(&outcome.program, V2_0, clashes(&outcome.program));
        let texts = texts(&outcome, &migration.edits);
        for (name, _, text) in &texts {
            memory.insert(writer.address(name).unwrap(), text.clone());
        }
        let after = writer.parse_entry(entry());
        for (name, _, text) in &texts {
            count += 1;
            if comments(&outcome, name) != comments(&after, name) {
                failures.push(format!("{name}: comments are not what they were\n{text}"));
            }
            memory.remove(&writer.address(name).unwrap());
        }
        // Only the edits could cause problems of the YAML itself.
        let broken = after.diagnostics.iter().filter(|problem| problem.rule.code < "T1103");
        failures.extend(broken.map(|problem| format!("{}: {}", path.display(), problem.message)));
        let again = migrate(&after.program, V2_0, false);
        assert!(again.edits.is_empty(), "{}", path.display());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count > 170, "only {count} files");
}
