//! Small templates with the problems expected of them, and the examples of rule pages.

use tosca_parse_engine::diagnostic::{Level, Levels, Override, edit};
use tosca_parse_engine::entity::LanguageVersion;
use tosca_parse_engine::{Entry, Parser};
use tosca_parse_heat::HEAT;
use tosca_parse_heat::rules::EXPLAINED;

fn problems(text: &str) -> Vec<String> {
    problems_with(text, Levels::new())
}

fn problems_with(text: &str, levels: Levels) -> Vec<String> {
    let parser = Parser::builder(&HEAT).levels(levels).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("main.yaml").unwrap(), text));
    outcome.diagnostics.iter().map(|problem| format!("{} {}", problem.rule.code, problem.message)).collect()
}

fn template(rest: &str) -> String {
    format!("heat_template_version: 2021-04-16\n{rest}")
}

#[test]
fn valid_template_has_no_problems() {
    let text = template(
        "parameters: { size: { type: number, default: 8 } }\nresources:\n  text:\n    type: OS::Heat::RandomString\n    \
         properties: { length: { get_param: size } }\noutputs: { text: { value: { get_attr: [text, value] } } }\n",
    );
    assert_eq!(problems(&text), [""; 0]);
}

#[test]
fn misspelt_names_are_suggested() {
    let text = template("resources:\n  text: { type: OS::Heat::RandomStrin }\n");
    assert_eq!(problems(&text), ["H2005 there is no resource type `OS::Heat::RandomStrin`"]);
    let text = template("resources:\n  text: { type: OS::Heat::RandomString, properties: { lenght: 4 } }\n");
    assert_eq!(problems(&text), ["H5001 there is no property `lenght`"]);
}

#[test]
fn misspelt_names_are_not_missing_too() {
    let text = template("resources:\n  net: { type: OS::Neutron::FloatingIP, properties: { floating_networks: a } }\n");
    assert_eq!(problems(&text), ["H5001 there is no property `floating_networks`"]);
    let text = template("outputs: { a: { value: { str_replace: { template: a, parms: { a: b } } } } }\n");
    assert_eq!(problems(&text), ["H1004 `str_replace` has no argument `parms`"]);
    let text = template("outputs: { a: { value: { str_replace: { template: a, other: { a: b } } } } }\n");
    assert_eq!(
        problems(&text),
        ["H1004 `str_replace` lacks the argument `params`", "H1004 `str_replace` has no argument `other`"]
    );
}

#[test]
fn misspelt_functions_of_conditions_are_suggested() {
    let parser = Parser::builder(&HEAT).build().unwrap();
    let text = template("conditions: { a: { equal: [ 1, 2 ] }, b: { and: [ a, a ], or: [ a, a ] } }\n");
    let outcome = parser.parse_entry(Entry::text(parser.address("main.yaml").unwrap(), text));
    let help: Vec<_> = outcome.diagnostics.iter().map(|problem| problem.help[0].clone()).collect();
    assert_eq!(help, ["did you mean `equals`?", "write `true`, `false` or a function such as `{ equals: […, …] }`"]);
}

#[test]
fn dependency_cycles_show_their_path() {
    let text = template(
        "resources:\n  a: { type: OS::Heat::None, depends_on: b }\n  b: { type: OS::Heat::None, depends_on: c }\n  \
         c: { type: OS::Heat::None, depends_on: a }\n",
    );
    assert_eq!(problems(&text), ["H3001 resource `a` depends on itself: `a` → `b` → `c` → `a`"]);
}

#[test]
fn examples_of_rules_are_wrong_and_right() {
    for explained in EXPLAINED {
        let code = explained.rule.code;
        for (is_wrong, part) in
            ["```yaml wrong\n", "```yaml right\n"].iter().enumerate().map(|(at, part)| (at == 0, part))
        {
            let Some((_, example)) = explained.text.split_once(part) else { continue };
            let mut levels = Levels::new();
            if explained.rule.level == Level::Optional {
                levels.set(explained.rule, Override::Warn);
            }
            let found = problems_with(example.split("```").next().unwrap(), levels);
            assert_eq!(found.iter().any(|problem| problem.starts_with(code)), is_wrong, "{code}: {found:?}");
            assert!(is_wrong || found.is_empty(), "{code}: {found:?}");
        }
    }
}

#[test]
fn absent_files_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("motd.txt"), "hello").unwrap();
    let text = template("outputs: { a: { value: { get_file: motd.txt } }, b: { value: { get_file: mtd.txt } } }\n");
    std::fs::write(folder.path().join("main.yaml"), text).unwrap();
    let parser = Parser::builder(&HEAT).directory(folder.path()).build().unwrap();
    let outcome = parser.parse_entry(Entry::at(parser.address("main.yaml").unwrap()));
    let found: Vec<_> = outcome.diagnostics.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(found, ["there is no file `mtd.txt`"]);
}

#[test]
fn nested_templates_declare_properties_and_attributes() {
    let folder = tempfile::tempdir().unwrap();
    let inner = template("parameters: { size: { type: number } }\noutputs: { id: { value: 1 } }\n");
    std::fs::write(folder.path().join("inner.yaml"), inner).unwrap();
    let check = |properties: &str, attribute: &str| {
        let main = template(&format!(
            "resources: {{ a: {{ type: inner.yaml, properties: {properties} }} }}\n\
             outputs: {{ id: {{ value: {{ get_attr: [a, {attribute}] }} }} }}\n"
        ));
        std::fs::write(folder.path().join("main.yaml"), main).unwrap();
        let parser = Parser::builder(&HEAT).directory(folder.path()).build().unwrap();
        let outcome = parser.parse_entry(Entry::at(parser.address("main.yaml").unwrap()));
        outcome.diagnostics.iter().map(|problem| problem.rule.code).collect::<Vec<_>>()
    };
    assert_eq!(check("{ size: 1 }", "id"), [""; 0]);
    assert_eq!(check("{}", "id"), ["H5002"]);
    assert_eq!(check("{ size: large }", "id"), ["H5003"]);
    assert_eq!(check("{ size: 1, sice: 2 }", "ib"), ["H5001", "H2004"]);
}

#[test]
fn hostile_loops_of_dependencies_stay_linear() {
    let mut text = template("resources:\n  r0: { type: OS::Heat::None }\n");
    for number in 1..5_000 {
        use std::fmt::Write as _;
        writeln!(text, "  r{number}: {{ type: OS::Heat::None, depends_on: [r{}, r{number}] }}", number - 1).unwrap();
    }
    assert!(problems(&text).len() <= 1_001);
}

/// Conditions and parameters that use another one twice would take forever if each use were followed.
#[test]
fn conditions_and_defaults_are_evaluated_once() {
    let condition = |index: usize| format!("  c{index}: {{ and: [c{0}, c{0}] }}\n", index - 1);
    let conditions = (1..60).map(condition).collect::<Vec<_>>().concat();
    let text = template(&format!(
        "parameters: {{ p: {{ type: string }} }}\nconditions:\n  c0: {{ equals: [{{ get_param: p }}, a] }}\n{conditions}\
         resources: {{ r: {{ type: OS::Heat::Value, condition: c59, properties: {{ value: 1 }} }} }}\n\
         outputs: {{ o: {{ value: {{ get_attr: [r, value] }} }} }}\n"
    ));
    assert_eq!(problems(&text), [""; 0]);

    let parameter = |index: usize| {
        let call = format!("{{ get_param: p{} }}", index - 1);
        format!("  p{index}: {{ type: json, default: {{ a: {call}, b: {call} }} }}\n")
    };
    let parameters = (1..60).map(parameter).collect::<Vec<_>>().concat();
    let text = template(&format!(
        "parameters:\n  p0: {{ type: json, default: {{}} }}\n{parameters}outputs:\n  \
         o: {{ value: {{ yaql: {{ expression: $.data, data: {{ get_param: p59 }} }} }} }}\n"
    ));
    assert_eq!(problems(&text), [""; 0]);
}

#[test]
fn parameters_that_name_themselves_are_data() {
    let text = template(
        "parameters: { p: { type: json, default: { a: { get_param: p } } } }\nconditions:\n  \
         is_one: { equals: [{ get_param: p }, 1] }\nresources:\n  \
         r: { type: OS::Heat::Value, condition: is_one, properties: { value: 1 } }\noutputs:\n  \
         o: { value: { get_attr: [r, value] } }\n",
    );
    assert_eq!(problems(&text), ["H2002 resource `r` does not exist, because its condition is false"]);
}

#[test]
fn resources_and_their_dependencies_are_drawn() {
    let text = template(
        "parameters: { size: { type: number, default: 4 } }\nresources:\n  \
         a: { type: OS::Heat::RandomString, properties: { length: 4, salt: s3cret } }\n  \
         b: { type: OS::Heat::Value, depends_on: a, properties: { value: { list_join: [ '', [ { get_attr: [ a, value ] } ] ] } } }\n",
    );
    let parser = Parser::builder(&HEAT).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("main.yaml").unwrap(), text));
    let topology = (HEAT.topology)(&outcome.program).unwrap();
    let nodes: Vec<_> = topology.nodes.iter().map(|node| (node.name.as_str(), node.kind.as_str())).collect();
    assert_eq!(nodes, [("a", "OS::Heat::RandomString"), ("b", "OS::Heat::Value")]);
    assert_eq!(topology.nodes[0].rows[0], ("length".to_owned(), "4".to_owned()));
    let mut edges: Vec<_> = topology.edges.iter().map(|edge| (edge.from, edge.to, edge.name.as_str())).collect();
    edges.sort_unstable();
    assert_eq!(edges, [(1, 0, "depends_on"), (1, 0, "properties")]);
}

/// Migrates a template to a version, and returns the new text.
fn migrated(text: &str, to: u8) -> String {
    let parser = Parser::builder(&HEAT).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("main.yaml").unwrap(), text));
    assert!(outcome.is_valid(), "{:?}", outcome.diagnostics);
    let migrate = HEAT.migrate.unwrap();
    let migration = migrate(&[&outcome.program], LanguageVersion(to)).pop().unwrap();
    edit::apply(text, &migration.edits)
}

#[test]
fn templates_are_migrated_to_later_versions() {
    let old = "\
heat_template_version: '2013-05-23' # the first one
parameters: { zone: { type: json, default: { Ref: a } } }
resources:
  net: { type: OS::Quantum::Net, metadata: { a: { Ref: zone }, b: &b { Ref: net2 }, c: *b } }
  net2: { type: OS::Neutron::Net, properties: { name: { \"Fn::Join\": [ '-', [ { Ref: 'OS::stack_name' }, a ] ] } } }
outputs:
  parts: { value: { Fn::Split: [ ',', { Fn::Base64: 'a,b' } ] } }
";
    let new = old
        .replace("2013-05-23", "2015-10-15")
        .replace("OS::Quantum::Net", "OS::Neutron::Net")
        .replace("{ Ref: zone }", "{ get_param: zone }")
        .replace("{ Ref: net2 }", "{ get_resource: net2 }")
        .replace("{ Ref: 'OS", "{ get_param: 'OS")
        .replace("\"Fn::Join\"", "\"list_join\"")
        .replace("Fn::Split", "str_split");
    assert_eq!(migrated(old, 3), new);
    // This version has no `str_split`.
    assert_eq!(migrated(old, 1), new.replace("2015-10-15", "2014-10-16").replace("str_split", "Fn::Split"));
    // A later or equal version is not changed.
    assert_eq!(
        migrated(&new.replace("{ Fn::Base64: 'a,b' }", "'a,b'"), 3),
        new.replace("{ Fn::Base64: 'a,b' }", "'a,b'")
    );
}

#[test]
fn nested_functions_are_checked_once() {
    // Each level doubled the time.
    let nested = |inner: &str, (before, after): (&str, &str)| {
        let value = format!("{}{inner}{}", before.repeat(40), after.repeat(40));
        problems(&template(&format!("outputs: {{ a: {{ value: {value} }} }}\n")))
    };
    let wrong = "{ get_file: [] }";
    for around in [
        ("{ list_join: [ '', [ ", " ] ] }"),
        ("{ repeat: { template: a, for_each: { b: [ ", " ] } } }"),
        ("{ map_replace: [ {}, { values: { a: ", " } } ] }"),
    ] {
        assert_eq!(nested("a", around), [""; 0]);
        assert_eq!(nested(wrong, around), ["H1004 the path of `get_file` must be a string, not a list"], "{around:?}");
    }
}
