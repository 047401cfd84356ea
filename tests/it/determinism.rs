//! Checks that the output depends only on the templates: not on the number of threads, their timing, or earlier parses.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::entity::AnyId;
use tosca_parse::normal::Service;
use tosca_parse::source::{Address, MemoryProvider};
use tosca_parse::{Entry, Parser, TOSCA};

fn templates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("tests/chapters"), root.join("examples/templates")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn parser(threads: usize, remembered: u64) -> Parser {
    let root = env!("CARGO_MANIFEST_DIR");
    Parser::builder(&TOSCA).directory(root).threads(threads).remembered_bytes(remembered).build().unwrap()
}

/// Returns everything that users see of a template: its problems, its sources, and the model.
fn shown(parser: &Parser, file: &Path) -> String {
    let outcome = parser.parse(file.to_str().unwrap()).unwrap();
    let problems = Terminal::new(&outcome.diagnostics, &outcome.sources);
    let sources: Vec<&str> = outcome.sources.iter().map(|source| source.name()).collect();
    let model = serde_json::to_string(&Service::of(&outcome.program)).unwrap();
    format!("{problems}\n{sources:?}\n{model}")
}

#[test]
fn output_depends_only_on_templates() {
    let files = templates();
    assert!(files.len() > 100, "{} templates", files.len());
    let first = parser(1, 1 << 30);
    let expected: Vec<String> = files.iter().map(|file| shown(&first, file)).collect();
    assert!(
        expected.iter().any(|shown| shown.contains("error[")) && expected.iter().any(|shown| shown.contains("web"))
    );
    for (threads, remembered, times) in [(1, 0, 1), (8, 0, 1), (8, 1 << 30, 2), (3, 64 << 10, 1)] {
        let parser = parser(threads, remembered);
        // In the opposite order, so that something else has been parsed before; and again, when everything is cached.
        for _ in 0..times {
            for (file, expected) in files.iter().zip(&expected).rev() {
                assert_eq!(shown(&parser, file), *expected, "{}: {threads} threads", file.display());
            }
        }
    }
}

#[test]
fn templates_parsed_in_parallel_do_not_affect_each_other() {
    let files = templates();
    let first = parser(1, 1 << 30);
    let expected: Vec<String> = files.iter().map(|file| shown(&first, file)).collect();
    let shared = parser(2, 256 << 10);
    std::thread::scope(|scope| {
        for start in 0..4 {
            let (shared, files, expected) = (&shared, &files, &expected);
            scope.spawn(move || {
                for offset in 0..files.len() {
                    let index = (offset + start * files.len() / 4) % files.len();
                    assert_eq!(shown(shared, &files[index]), expected[index], "{}", files[index].display());
                }
            });
        }
    });
}

/// Returns types, each with the index of its parent: trees, long chains, loops, and types that are derived from loops.
fn derivations() -> Vec<Option<usize>> {
    let mut state = 7_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let parent = |number: usize, below: &mut dyn FnMut(usize) -> usize| match number {
        0..300 => number.checked_sub(1),
        300..600 => Some(number + 1),
        600..603 => Some(600 + (number + 1) % 3),
        603..800 => below(4).checked_sub(1).map(|_| below(number)),
        _ => Some(below(1000)),
    };
    (0..1000).map(|number| parent(number, &mut below)).collect()
}

#[test]
fn hierarchies_do_not_depend_on_threads() {
    const OF_A_FILE: usize = 20;
    let parents = derivations();
    let address = |name: &str| Address::parse(&format!("memory:{name}")).unwrap();
    let memory = MemoryProvider::new();
    let files = parents.chunks(OF_A_FILE).count();
    for (file, types) in parents.chunks(OF_A_FILE).enumerate() {
        let others = (0..files).filter(|other| *other != file);
        let imports: Vec<String> = others.map(|other| format!("- f{other}.yaml\n")).collect();
        let types = types.iter().zip(file * OF_A_FILE..).map(|(parent, number)| match parent {
            Some(parent) => format!("  T{number}: {{ derived_from: T{parent} }}\n"),
            None => format!("  T{number}: {{}}\n"),
        });
        // Files that import each other can use all types.
        let (imports, types) = (imports.concat(), types.collect::<String>());
        let text = format!("tosca_definitions_version: tosca_2_0\nimports:\n{imports}node_types:\n{types}");
        memory.insert(address(&format!("f{file}.yaml")), text);
    }
    let way = |number: usize| {
        let mut way = vec![number];
        while let Some(parent) = parents[way[way.len() - 1]] {
            if way.contains(&parent) {
                return (way, false);
            }
            way.push(parent);
        }
        (way, true)
    };
    let ways: Vec<(Vec<usize>, bool)> = (0..parents.len()).map(way).collect();
    assert!(ways.iter().filter(|(_, is_acyclic)| !is_acyclic).count() > 100);
    assert!(ways.iter().filter(|(way, is_acyclic)| *is_acyclic && way.len() > 200).count() > 100);
    let mut problems = None;
    for threads in [1, 2, 8, 8, 8] {
        let parser = Parser::builder(&TOSCA).threads(threads).provider(Arc::new(memory.clone())).build().unwrap();
        let outcome = parser.parse_entry(Entry::at(address("f0.yaml")));
        let program = &outcome.program;
        let types = program.list.iter().flat_map(|unit| unit.types());
        let ids: HashMap<String, AnyId> = types.map(|id| (program.name(id).to_owned(), id)).collect();
        let id = |number: usize| ids[&format!("T{number}")];
        for (number, (way, is_acyclic)) in ways.iter().enumerate() {
            assert_eq!(program.is_acyclic(id(number)), *is_acyclic, "T{number}, {threads} threads");
            assert_eq!(program.is_known(id(number)), *is_acyclic, "T{number}, {threads} threads");
            if *is_acyclic {
                assert!(program.ancestry(id(number)).eq(way.iter().map(|number| id(*number))), "T{number}");
                assert!(way.iter().all(|base| program.is_a(id(number), id(*base))), "T{number}");
                let of_all = (0..parents.len()).filter(|base| program.is_a(id(number), id(*base))).count();
                assert_eq!(of_all, way.len(), "T{number}, {threads} threads");
            }
        }
        let found = Terminal::new(&outcome.diagnostics, &outcome.sources).to_string();
        assert!(found.contains("is derived from itself: `T600` → `T601` → `T602` → `T600`"), "{found}");
        assert_eq!(*problems.get_or_insert_with(|| found.clone()), found, "{threads} threads");
    }
}

#[test]
fn cached_results_are_dropped_when_imports_change() {
    let base = |validation: &str, required: bool| {
        format!(
            "tosca_definitions_version: tosca_2_0
data_types:
  BasePort: {{ derived_from: integer{validation} }}
node_types:
  Base:
    properties:
      name: {{ type: string, required: {required} }}
    capabilities:
      feature: Feature
capability_types:
  Feature:
    properties:
      size: {{ type: integer, required: {required} }}
"
        )
    };
    let profile = "tosca_definitions_version: tosca_2_0
imports: [ base.yaml ]
data_types:
  Port: { derived_from: BasePort }
node_types:
  Web:
    derived_from: Base
    properties:
      port: { type: Port }
";
    let service = "tosca_definitions_version: tosca_2_0
imports: [ profile.yaml ]
node_types:
  Own: { derived_from: Web }
service_template:
  node_templates:
    first: { type: Web, properties: { port: 80 } }
    second: { type: Web, properties: { port: 80 } }
    third: { type: Own, properties: { port: 80 } }
";
    let address = |name: &str| Address::parse(&format!("memory:{name}")).unwrap();
    let memory = MemoryProvider::new();
    let set = |text: String| memory.insert(address("base.yaml"), text);
    memory.insert(address("profile.yaml"), profile);
    memory.insert(address("service.yaml"), service);
    let parser = Parser::builder(&TOSCA).provider(Arc::new(memory.clone())).build().unwrap();
    let codes = || -> Vec<&str> {
        let outcome = parser.parse_entry(Entry::at(address("service.yaml")));
        outcome.diagnostics.iter().map(|problem| problem.rule.code).collect()
    };
    let lacks = ["T5106"; 6];
    for _ in 0..3 {
        set(base("", false));
        assert_eq!(codes(), [""; 0]);
        assert_eq!(codes(), [""; 0]);
        set(base(", validation: { $greater_than: [ $value, 1000 ] }", false));
        assert_eq!(codes(), ["T5108"; 3]);
        set(base("", true));
        assert_eq!(codes(), lacks);
    }
}

/// Returns the codes of the problems of sources that one parser parses in sequence.
fn codes_in_turn(profile: &str, texts: &[(&str, &[(&str, &str)])]) -> Vec<Vec<&'static str>> {
    let address = |name: &str| Address::parse(&format!("memory:{name}")).unwrap();
    let memory = MemoryProvider::new();
    memory.insert(address("types.yaml"), profile);
    let parser = Parser::builder(&TOSCA).provider(Arc::new(memory)).build().unwrap();
    let codes = |(text, inputs): &(&str, &[(&str, &str)])| {
        let mut entry = Entry::text(address("service.yaml"), *text);
        for (name, value) in *inputs {
            entry = entry.inputs("inputs.yaml", format!("{name}: {value}"));
        }
        parser.parse_entry(entry).diagnostics.iter().map(|problem| problem.rule.code).collect()
    };
    texts.iter().map(codes).collect()
}

#[test]
fn functions_of_one_service_do_not_affect_another() {
    let types = "tosca_definitions_version: tosca_2_0
node_types:
  Server:
    properties:
      name: { type: string, validation: { $less_or_equal: [ { $length: [ $value ] }, 3 ] } }
";
    let servers = "service_template:
  node_templates:
    a: { type: Server, properties: { name: toolong } }
    b: { type: Server, properties: { name: toolong } }
    c: { type: Server, properties: { name: toolong } }
    d: { type: Server, properties: { name: toolong } }
";
    let head = "tosca_definitions_version: tosca_2_0\nimports: [ types.yaml ]\n";
    let functions = "functions:
  length: { signatures: [ { arguments: [ { type: string } ], result: { type: integer } } ] }
";
    let (plain, with_functions) = (format!("{head}{servers}"), format!("{head}{functions}{servers}"));
    let found = codes_in_turn(types, &[(&with_functions, &[]), (&plain, &[]), (&with_functions, &[]), (&plain, &[])]);
    assert!(!found[0].contains(&"T5108"), "{:?}", found[0]);
    assert_eq!(found[1], ["T5108"; 4]);
    assert_eq!(found[2..], found[..2]);
}

#[test]
fn inputs_of_one_parse_do_not_affect_another() {
    let service = "tosca_definitions_version: tosca_2_0
data_types:
  Amount: { derived_from: float, validation: { $less_or_equal: [ $value, { $get_input: most } ] } }
  Size: { derived_from: scalar, data_type: Amount, units: { GB: 1 }, canonical_unit: GB }
node_types:
  Disk:
    properties:
      size: { type: Size }
service_template:
  inputs:
    most: { type: float, default: 100.0 }
  node_templates:
    a: { type: Disk, properties: { size: 50 GB } }
    b: { type: Disk, properties: { size: 50 GB } }
    c: { type: Disk, properties: { size: 50 GB } }
    d: { type: Disk, properties: { size: 50 GB } }
";
    let found = codes_in_turn("", &[(service, &[("most", "100.0")]), (service, &[("most", "10.0")])]);
    assert_eq!(found[0], [""; 0]);
    assert_eq!(found[1], ["T5108"; 4]);
}

#[test]
fn the_same_problems_of_many_are_shown_on_any_number_of_threads() {
    let types: String =
        (0..3000).map(|number| format!("  T{number}: {{ properties: {{ p: {{ required: false }} }} }}\n")).collect();
    let text = format!("tosca_definitions_version: tosca_2_0\nnode_types:\n{types}");
    let found = |threads| {
        let parser = Parser::builder(&TOSCA).threads(threads).build().unwrap();
        parser.parse_entry(Entry::text(Address::parse("memory:types.yaml").unwrap(), text.as_str())).diagnostics
    };
    let alone = found(1);
    assert_eq!(alone.iter().filter(|problem| problem.rule.code == "T4006").count(), 1000);
    for threads in [2, 4, 4] {
        assert!(found(threads) == alone, "{threads} threads show other problems");
    }
}

/// Returns the codes of the problems of a service, with the line numbers.
fn codes_by_line(text: &str) -> Vec<(&'static str, u32)> {
    let parser = Parser::builder(&TOSCA).threads(1).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(Address::parse("memory:service.yaml").unwrap(), text));
    let line = |offset: u32| text[..offset as usize].matches('\n').count() as u32 + 1;
    outcome.diagnostics.iter().map(|problem| (problem.rule.code, line(problem.span.start))).collect()
}

#[test]
fn equal_clauses_are_compared_with_each_default() {
    let clause = "validation: { $greater_or_equal: [ $value, 0 ] }";
    let text = format!(
        "tosca_definitions_version: tosca_2_0
node_types:
  Disk:
    properties:
      a: {{ type: integer, default: 1, {clause} }}
      b: {{ type: integer, default: 2, {clause} }}
      c: {{ type: integer, default: 2, {clause} }}
      d: {{ type: integer, default: -3, {clause} }}
      e: {{ type: integer, default: 2, {clause} }}
      f: {{ type: integer, default: -3, {clause} }}
      g: {{ type: float, default: -3.5, {clause} }}
"
    );
    assert_eq!(codes_by_line(&text), [("T5108", 8), ("T5108", 10), ("T5108", 11)]);
}

#[test]
fn equal_clauses_are_wrong_everywhere_or_for_a_type() {
    let text = "tosca_definitions_version: tosca_2_0
node_types:
  Disk:
    properties:
      a: { type: integer, validation: { $greater_or_equal: [ $value, 0 ] } }
      b: { type: integer, validation: { $greater_or_equal: [ $value, 0 ] } }
      c: { type: boolean, validation: { $greater_or_equal: [ $value, 0 ] } }
      d: { type: integer, validation: { $greater_or_equal: [ $value, x ] } }
      e: { type: integer, validation: { $greater_or_equal: [ $value, x ] } }
      f: { type: integer, validation: { $greater_or_equal: [ $value, 0 ] } }
      g: { type: list, entry_schema: integer, validation: { $has_entry: [ $value, 1 ] } }
      h: { type: list, entry_schema: boolean, validation: { $has_entry: [ $value, 1 ] } }
";
    let found = codes_by_line(text);
    let lines: Vec<u32> = found.iter().map(|(_, line)| *line).collect();
    assert_eq!(lines, [7, 8, 9, 12], "{found:?}");
}

#[test]
fn equal_aliases_may_be_different_clauses() {
    let property = "{ type: integer, default: 5, validation: { $greater_or_equal: [ $value, *least ] } }";
    let text = format!(
        "tosca_definitions_version: tosca_2_0
node_types:
  Disk:
    metadata: {{ least: &least 0 }}
    properties:
      a: {property}
      b: {property}
      c: {property}
  Tape:
    metadata: {{ least: &least 10 }}
    properties:
      a: {property}
"
    );
    assert_eq!(codes_by_line(&text), [("T5108", 12)]);
}

#[test]
fn equal_text_in_another_column_may_be_another_clause() {
    let constraints = "tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  N:
    derived_from: tosca.nodes.Root
    properties:
      a:
        type: integer
        constraints:
        - in_range:
          - 1
          - 2
      b:
        type: integer
        constraints:
          - in_range:
          - 1
          - 2
";
    let lines = codes_by_line(constraints).into_iter().map(|(_, line)| line);
    assert_eq!(lines.collect::<Vec<_>>(), [15, 16, 17]);
    let validation = "tosca_definitions_version: tosca_2_0
node_types:
  N:
    properties:
      a:
        type: boolean
        validation:
          $not:
            $value: []
      b:
          type: boolean
          validation:
            $not:
            $value: []
";
    let lines = codes_by_line(validation).into_iter().map(|(_, line)| line);
    assert_eq!(lines.collect::<Vec<_>>(), [13]);
}

#[test]
fn a_tag_is_a_part_of_a_clause() {
    let text = "tosca_definitions_version: tosca_2_0
node_types:
  N:
    properties:
      a: { type: integer, validation: true }
      b: { type: integer, validation: !!str true }
";
    let found = codes_by_line(text);
    assert!(found.iter().any(|(_, line)| *line == 6), "{found:?}");
}

/// The entry determines the order of files that import each other.
#[test]
fn loops_of_imports_depend_on_the_entry() {
    let head = "tosca_definitions_version: tosca_2_0\n";
    let files = [
        ("a.yaml", format!("{head}imports: [ b.yaml ]\nnode_types: {{ X: {{}} }}\n")),
        ("b.yaml", format!("{head}imports: [ a.yaml ]\nnode_types: {{ X: {{}} }}\n")),
        ("first.yaml", format!("{head}imports: [ a.yaml ]\n")),
        ("second.yaml", format!("{head}imports: [ b.yaml ]\n")),
    ];
    let memory = MemoryProvider::new();
    for (name, text) in &files {
        memory.insert(Address::parse(&format!("memory:{name}")).unwrap(), text.as_str());
    }
    let parsed = |parser: &Parser, name: &str| -> Vec<(String, &'static str)> {
        let outcome = parser.parse_entry(Entry::at(Address::parse(&format!("memory:{name}")).unwrap()));
        let name = |source| outcome.sources.get(source).unwrap().name().to_owned();
        outcome.diagnostics.iter().map(|problem| (name(problem.span.source), problem.rule.code)).collect()
    };
    let parser = || Parser::builder(&TOSCA).provider(Arc::new(memory.clone())).build().unwrap();
    let expected = |hiding: &str| ["T1403", "T2003"].map(|code| (format!("memory:/{hiding}"), code));
    for order in [["first.yaml", "second.yaml"], ["second.yaml", "first.yaml"]] {
        let parser = parser();
        for name in order.into_iter().chain(order) {
            let hiding = if name == "first.yaml" { "b.yaml" } else { "a.yaml" };
            assert_eq!(parsed(&parser, name), expected(hiding), "{name} in {order:?}");
        }
    }
}
