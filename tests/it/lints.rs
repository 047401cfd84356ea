//! Optional checks, with larger templates than the examples of rules.

use tosca_parse::diagnostic::{Level, Levels, Override, Rule};
use tosca_parse::phase::{Context, DiagnosticExt, Lint};
use tosca_parse::source::Address;
use tosca_parse::{Entry, Parser, TOSCA, rules};

/// Returns the problems of lints in a text, by line and rule.
fn found(text: &str) -> Vec<String> {
    let mut levels = Levels::new();
    for explained in rules::ALL.iter().filter(|explained| explained.rule.code.starts_with("T7")) {
        levels.set(explained.rule, Override::Warn);
    }
    let parser = Parser::builder(&TOSCA).levels(levels).threads(1).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(Address::parse("memory:a.yaml").unwrap(), text));
    let line = |problem: &tosca_parse::diagnostic::Diagnostic| {
        outcome.sources.get(problem.span.source).unwrap().line_column(problem.span.start).line
    };
    outcome.diagnostics.iter().map(|problem| format!("{} {}", line(problem), problem.rule.name)).collect()
}

#[test]
fn exactly_the_problems_are_reported() {
    let text = "\
tosca_definitions_version: tosca_2_0
repositories:
  unused: { url: \"https://example.org\" }
data_types:
  Login: { properties: { password: { type: string }, token: { type: string, default: abc } } }
node_types:
  tosca.server:
    properties:
      userName: { type: string, default: off }
      old: { type: integer, required: false }
      login: { type: Login }
  Recursive: { derived_from: tosca.server }
service_template:
  inputs:
    zone: { type: string }
    used: { type: string, default: \"12:30\" }
    db_password: { type: string, default: hunter2 }
  node_templates:
    server:
      type: tosca.server
      properties:
        userName: { $get_input: [ used ] }
        old: 1
        login: { password: { $get_input: db_password }, token: t }
";
    let expected = [
        "3 unused-repository",
        "5 literal-secret",
        "7 type-name",
        "9 member-name",
        "9 seeming-type",
        "12 unused-type",
        "15 unused-input",
        "17 literal-secret",
        "24 literal-secret",
    ];
    assert_eq!(found(text), expected);
    let quiet = Parser::builder(&TOSCA).threads(1).build().unwrap();
    let outcome = quiet.parse_entry(Entry::text(Address::parse("memory:a.yaml").unwrap(), text));
    assert!(outcome.diagnostics.is_empty());
}

#[test]
fn a_file_of_types_declares_for_others() {
    let text = "tosca_definitions_version: tosca_2_0\nnode_types: { Server: {} }\n";
    assert!(found(text).is_empty());
}

#[test]
fn users_have_custom_rules() {
    static OWNERLESS: Rule =
        Rule { code: "OWN1", name: "ownerless", level: Level::Warning, summary: "a node has no owner" };
    struct Owners;
    impl Lint for Owners {
        fn rules(&self) -> Vec<&'static Rule> {
            vec![&OWNERLESS]
        }
        fn look(&self, context: &mut Context<'_>) {
            let Some(entry) = context.program.list.first() else { return };
            let nodes =
                entry.document.root().and_then(|root| root.find("service_template")?.value.find("node_templates"));
            for node in nodes.into_iter().flat_map(|nodes| nodes.value.entries()) {
                if node.value.find("metadata").is_none_or(|metadata| metadata.value.find("owner").is_none()) {
                    let message = format!("`{}` has no owner", node.key.text());
                    context.problem(&OWNERLESS, Some(node.key.span()), message).help("name one in its metadata");
                }
            }
        }
    }
    let text = "tosca_definitions_version: tosca_2_0
node_types: { A: {} }
service_template:
  node_templates:
    a: { type: A }
    b: { type: A, metadata: { owner: me } }
";
    let problems = |levels: Levels| {
        let parser = Parser::builder(&TOSCA).lint(Owners).levels(levels).threads(1).build().unwrap();
        let outcome = parser.parse_entry(Entry::text(Address::parse("memory:a.yaml").unwrap(), text));
        outcome.diagnostics.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(problems(Levels::new()), ["`a` has no owner"]);
    let mut allowed = Levels::new();
    allowed.set(&OWNERLESS, Override::Allow);
    assert!(problems(allowed).is_empty());
}

#[test]
fn required_properties_that_no_input_takes() {
    let template = |version: &str, root: &str, service: &str, rest: &str| {
        format!(
            "tosca_definitions_version: {version}
node_types:
  a: {{ {root}properties: {{ one: {{ type: integer }}, two: {{ type: integer }}, three: {{ type: integer, default: 3 }} }} }}
{service}:
  node_templates: {{}}
  substitution_mappings:
    node_type: a
{rest}"
        )
    };
    let simple =
        |rest| template("tosca_simple_yaml_1_3", "derived_from: tosca.nodes.Root, ", "topology_template", rest);
    let latest = |rest: &str| template("tosca_2_0", "", "service_template", rest);
    let untaken = |text: String| found(&text).into_iter().filter(|found| found.contains("untaken")).collect::<Vec<_>>();
    assert_eq!(untaken(simple("")), ["7 untaken-properties"]);
    assert_eq!(untaken(latest("")), ["7 untaken-properties"]);
    assert!(untaken(simple("  inputs: { one: { type: integer } }\n")).is_empty(), "taken by name");
    let mapped = "    properties: { two: [ b ] }\n  inputs: { b: { type: integer } }\n";
    assert!(untaken(simple(mapped)).is_empty());
    assert!(untaken(latest(&mapped.replace("[ b ]", "b"))).is_empty());
    let other = "    properties: { three: b }\n  inputs: { b: { type: integer } }\n";
    assert_eq!(untaken(latest(other)), ["7 untaken-properties"]);
}
