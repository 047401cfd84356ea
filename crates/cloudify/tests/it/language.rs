//! Small blueprints with the problems expected of them, and the examples of rule pages.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value as Json;
use tosca_parse_cloudify::rules::EXPLAINED;
use tosca_parse_cloudify::{CLOUDIFY, plan};
use tosca_parse_engine::entity::ModelLimits;
use tosca_parse_engine::{Entry, Parser, rules};

fn problems(text: &str) -> Vec<String> {
    let parser = Parser::builder(&CLOUDIFY).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("main.yaml").unwrap(), text));
    outcome.diagnostics.iter().map(|problem| format!("{} {}", problem.rule.code, problem.message)).collect()
}

fn blueprint(rest: &str) -> String {
    format!("tosca_definitions_version: cloudify_dsl_1_5\n{rest}")
}

/// Returns the problems of `main.yaml`, which is one of the files. Each file is a path and its text.
fn problems_of(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = if path.ends_with("main.yaml") { blueprint(text) } else { (*text).to_owned() };
        std::fs::write(path, text).unwrap();
    }
    problems_in(folder.path())
}

fn problems_in(folder: &Path) -> Vec<String> {
    let parser = Parser::builder(&CLOUDIFY).directory(folder).build().unwrap();
    let outcome = parser.parse_entry(Entry::at(parser.address("main.yaml").unwrap()));
    outcome.diagnostics.iter().map(|problem| format!("{} {}", problem.rule.code, problem.message)).collect()
}

#[test]
fn descriptions_fit_together() {
    assert_eq!(CLOUDIFY.check(), [""; 0]);
    assert_eq!(rules::check(&CLOUDIFY.explained()), [""; 0]);
}

#[test]
fn types_of_other_languages_and_versions_are_suggested() {
    let parser = Parser::builder(&CLOUDIFY).build().unwrap();
    let help = |text: &str| {
        let outcome = parser.parse_entry(Entry::text(parser.address("main.yaml").unwrap(), text));
        outcome.diagnostics.iter().map(|problem| problem.help[0].clone()).collect::<Vec<_>>()
    };
    assert_eq!(help(&blueprint("inputs: { a: { type: int } }\n")), ["here it is called `integer`"]);
    let range = "write a version from `cloudify_dsl_1_0` to `cloudify_dsl_1_5`";
    assert_eq!(help("tosca_definitions_version: cloudify_dsl_1_6\n"), [range]);
    assert_eq!(help("tosca_definitions_version: cloudify_ds_1_5\n"), ["did you mean `cloudify_dsl_1_5`?"]);
}

const RELATIONSHIPS: &str = "\
relationships:
  cloudify.relationships.depends_on: { properties: { connection_type: { default: all_to_all } } }
  cloudify.relationships.contained_in: { derived_from: cloudify.relationships.depends_on }
";

#[test]
fn examples_of_rules_are_wrong_and_right() {
    for explained in EXPLAINED {
        let code = explained.rule.code;
        for (is_wrong, part) in
            ["```yaml wrong\n", "```yaml right\n"].iter().enumerate().map(|(at, part)| (at == 0, part))
        {
            let Some((_, example)) = explained.text.split_once(part) else { continue };
            let found = problems(example.split("```").next().unwrap());
            assert_eq!(found.iter().any(|problem| problem.starts_with(code)), is_wrong, "{code}: {found:?}");
            assert!(is_wrong || found.is_empty(), "{code}: {found:?}");
        }
    }
}

#[test]
fn standard_types_are_built_in() {
    for version in ["1_3", "1_4", "1_5"] {
        let text = format!(
            "tosca_definitions_version: cloudify_dsl_{version}\nimports: [cloudify/types/types.yaml]\nnode_templates:\n  \
             host: {{ type: cloudify.nodes.Compute }}\n"
        );
        assert_eq!(problems(&text), [""; 0]);
    }
    let text = blueprint("imports: [cloudify/types/types.yaml]\nnode_templates: { a: { type: cloudify.nodes.Rot } }\n");
    assert_eq!(problems(&text), ["T2001 there is no node type `cloudify.nodes.Rot`"]);
    let types = "imports: [cloudify/types/types.yaml]\n";
    let text = blueprint(&format!("{types}node_templates: {{ a: {{ type: cloudify.nodes.CloudifyManager }} }}\n"));
    assert_eq!(problems(&text), ["T5106 node template `a` lacks `cloudify_packages`"]);
}

#[test]
fn imports_share_their_names_with_the_blueprint() {
    let main = "imports: [types.yaml]\nnode_types: { base: {} }\nnode_templates: { a: { type: server } }\n";
    assert_eq!(
        problems_of(&[("main.yaml", main), ("types.yaml", "node_types: { server: { derived_from: base } }\n")]),
        [""; 0]
    );
    let types = "node_types: { server: { derived_from: bass } }\n";
    let found = problems_of(&[("main.yaml", main), ("types.yaml", types)]);
    assert_eq!(found, ["T2001 there is no node type `bass`"]);
}

#[test]
fn names_of_imports_have_their_namespaces() {
    let library = "\
inputs: { size: { default: 3 } }
node_types: { server: { properties: { size: {} } }, cloudify.own: {} }
node_templates: { a: { type: server, properties: { size: { get_input: size } } }, b: { type: cloudify.own } }
";
    let main = "\
imports: [x--library.yaml]
node_templates: { c: { type: x--server, properties: { size: { get_property: [x--a, size] } } }, d: { type: cloudify.own } }
";
    assert_eq!(problems_of(&[("main.yaml", main), ("library.yaml", library)]), [""; 0]);
    let main = "imports: [x--library.yaml]\nnode_templates: { c: { type: server } }\n";
    let found = problems_of(&[("main.yaml", main), ("library.yaml", library)]);
    assert_eq!(found, ["T2001 there is no node type `server`"]);
}

#[test]
fn files_with_one_namespace_see_each_other() {
    let main = "imports: [x--types.yaml, x--nodes.yaml]\n";
    let types = "node_types: { server: {} }\n";
    let nodes = "node_templates: { a: { type: server } }\n";
    assert_eq!(problems_of(&[("main.yaml", main), ("types.yaml", types), ("nodes.yaml", nodes)]), [""; 0]);
    let main = "imports: [types.yaml, x--nodes.yaml]\n";
    let found = problems_of(&[("main.yaml", main), ("types.yaml", types), ("nodes.yaml", nodes)]);
    assert_eq!(found, ["T2001 there is no node type `server`"]);
}

#[test]
fn imported_templates_are_checked() {
    let main = "imports: [nodes.yaml]\n";
    let nodes = "node_types: { server: { properties: { size: { type: integer } } } }\n\
                 node_templates: { a: { type: server, properties: { size: large } } }\n";
    let found = problems_of(&[("main.yaml", main), ("nodes.yaml", nodes)]);
    assert_eq!(found, ["T5101 property `size` must have type `integer`, not a string"]);
}

#[test]
fn declarations_of_several_files_are_compared() {
    let main = "imports: [other.yaml]\ninputs: { size: {} }\noutputs: { size: { value: 1 } }\n";
    let found = problems_of(&[("main.yaml", main), ("other.yaml", "inputs: { size: {} }\n")]);
    assert_eq!(found, ["C2001 `size` is declared by several files, in `inputs`"]);
    assert_eq!(problems_of(&[("main.yaml", main), ("other.yaml", "inputs: { speed: {} }\n")]), [""; 0]);
    let main = "imports: [x--other.yaml]\ninputs: { size: {} }\n";
    assert_eq!(problems_of(&[("main.yaml", main), ("other.yaml", "inputs: { size: {} }\n")]), [""; 0]);
}

#[test]
fn some_sections_are_in_one_file() {
    let other = "node_types: { server: {} }\nnode_templates: { b: { type: server } }\ngroups: { h: { members: [b] } }\n\
                 policies: { t: { type: cloudify.policies.scaling, targets: [h] } }\n";
    let main = "imports: [other.yaml]\nnode_templates: { a: { type: server } }\ngroups: { g: { members: [a] } }\n";
    assert_eq!(problems_of(&[("main.yaml", main), ("other.yaml", other)]), [""; 0]);
    let main = format!("{main}policies: {{ s: {{ type: cloudify.policies.scaling, targets: [g] }} }}\n");
    let found = problems_of(&[("main.yaml", &main), ("other.yaml", other)]);
    assert_eq!(found, ["C2002 only one file of the blueprint may have `policies`"]);
}

#[test]
fn templates_are_extended_by_relationships() {
    let other = format!(
        "{RELATIONSHIPS}node_types: {{ server: {{}} }}\nnode_templates: {{ b: {{ type: server }}, a: {{ type: server }} }}\n"
    );
    let main = "imports: [other.yaml]\nnode_templates:\n  \
                a: { relationships: [{ type: cloudify.relationships.depends_on, target: b }] }\n";
    assert_eq!(problems_of(&[("main.yaml", main), ("other.yaml", &other)]), [""; 0]);
    let main = "imports: [other.yaml]\nnode_templates: { a: { type: server } }\n";
    let found = problems_of(&[("main.yaml", main), ("other.yaml", &other)]);
    assert_eq!(found, ["C2001 `a` is declared by several files, in `node_templates`"]);
    let main = "imports: [other.yaml]\nnode_templates:\n  \
                c: { relationships: [{ type: cloudify.relationships.depends_on, target: b }] }\n";
    let found = problems_of(&[("main.yaml", main), ("other.yaml", &other)]);
    assert_eq!(found, ["T1204 node template `c` lacks the mandatory keyname `type`"]);
}

#[test]
fn plugins_and_blueprints_are_in_folders() {
    let plugin = "plugins: { p: { executor: central_deployment_agent, install: false } }\n";
    let main = "imports: [\"plugin:tool?version=>=1.0\", x--blueprint:base]\nworkflows: { w: p.run }\n\
                node_templates: { a: { type: x--server } }\n";
    let files = [
        ("main.yaml", main),
        ("plugins/tool/plugin.yaml", "plugins: broken\n"),
        ("plugins/tool/plugin_1_5.yaml", plugin),
        ("blueprints/base/blueprint.yaml", "node_types: { server: {} }\n"),
    ];
    assert_eq!(problems_of(&files), [""; 0]);
    let main = "imports: [\"plugin:tol\", \"plugin:../tool\", \"x--blueprint:base\"]\n";
    assert_eq!(problems_of(&[("main.yaml", main), ("plugins/tool/plugin.yaml", plugin)]).len(), 3);
}

#[cfg(unix)]
#[test]
fn links_of_plugins_stay_in_the_folder() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::create_dir(folder.path().join("plugins")).unwrap();
    std::fs::write(other.path().join("plugin.yaml"), "plugins: {}\n").unwrap();
    std::fs::write(folder.path().join("main.yaml"), blueprint("imports: [\"plugin:tool\"]\n")).unwrap();
    std::os::unix::fs::symlink(other.path(), folder.path().join("plugins/tool")).unwrap();
    assert_eq!(problems_in(folder.path()), ["T1402 profile `plugin:tool` is unknown"]);
}

#[test]
fn scripts_are_files_beside_the_blueprint() {
    let main =
        "plugins: { script: { executor: central_deployment_agent, install: false } }\nworkflows: { w: run.sh }\n";
    assert_eq!(problems_of(&[("main.yaml", main), ("run.sh", "")]), [""; 0]);
    let found = problems_of(&[("main.yaml", main), ("other.sh", "")]);
    assert_eq!(found, ["C2006 `run.sh`, which implements the workflow, names neither a declared plugin nor a script"]);
}

#[test]
fn imports_are_read_in_the_version_of_the_blueprint() {
    let folder = tempfile::tempdir().unwrap();
    let check = |main: &str, other: &str| {
        let main = format!("tosca_definitions_version: cloudify_dsl_{main}\nimports: [other.yaml]\n");
        std::fs::write(folder.path().join("main.yaml"), main).unwrap();
        std::fs::write(folder.path().join("other.yaml"), other).unwrap();
        problems_in(folder.path())
    };
    let tags = "resource_tags: { team: a }\n";
    assert_eq!(check("1_3", tags), [""; 0]);
    assert_eq!(check("1_3", &format!("tosca_definitions_version: cloudify_dsl_1_2\n{tags}")), [""; 0]);
    assert_eq!(check("1_2", tags), ["T1202 `resource_tags` is not a keyname of a blueprint in Cloudify DSL 1.2"]);
    let newer = check("1_2", "tosca_definitions_version: cloudify_dsl_1_3\n");
    assert_eq!(
        newer,
        ["C2003 the imported file has version `cloudify_dsl_1_3`, which is later than that of the blueprint"]
    );
}

#[test]
fn loops_of_values_are_reported_with_their_path() {
    let text = blueprint(
        "node_types: { t: { properties: { p: {}, q: { default: { get_property: [SELF, p] } } } } }\nnode_templates:\n  \
         a: { type: t, properties: { p: { concat: [x, { get_property: [b, q] }] } } }\n  \
         b: { type: t, properties: { p: { get_property: [a, p] } } }\n",
    );
    let found = problems(&text);
    assert_eq!(found, ["C3003 `a.p` depends on itself: `a.p` → `b.q` → `b.p` → `a.p`"]);
    let text = blueprint(
        "node_types: { t: { properties: { p: {} } } }\nnode_templates:\n  \
         a: { type: t, properties: { p: { x: { get_property: [SELF, p, y] }, y: 1 } } }\n",
    );
    assert_eq!(problems(&text), [""; 0]);
}

#[test]
fn defaults_of_types_are_followed_for_each_template() {
    let types = "node_types:\n  t: { properties: { p: { default: { get_property: [SELF, q] } }, \
                 q: { default: { get_property: [SELF, p] } } } }\n";
    let check = |templates: &str| problems(&blueprint(&format!("{types}node_templates: {{ {templates} }}\n")));
    let a = "a: { type: t, properties: { p: 1 } }";
    assert_eq!(check(a), [""; 0]);
    let found = check(&format!("{a}, b: {{ type: t }}, c: {{ type: t }}"));
    assert_eq!(found, ["C3003 `b.p` depends on itself: `b.p` → `b.q` → `b.p`"]);
}

#[test]
fn allowed_values_are_compared_as_data() {
    let check = |default: &str| {
        problems(&blueprint(&format!(
            "inputs: {{ i: {{ type: dict, default: {default}, constraints: [{{ valid_values: [{{ a: 1, b: [x, 0] }}] }}] }} }}\n"
        )))
    };
    assert_eq!(check("{ b: [x, -0.0], a: 1.0 }"), [""; 0]);
    for other in ["{ a: 1 }", "{ a: 1, b: [x] }", "{ a: '1', b: [x, 0] }", "{ a: 1, b: { x: 0 } }"] {
        assert_eq!(check(other), ["C5002 the value violates the constraint `valid_values`"], "{other}");
    }
}

/// Values that use another value twice would take forever if each use were followed.
#[test]
fn chains_of_values_are_bounded() {
    let mut text = blueprint("inputs:\n  i0: { default: a }\n");
    for number in 1..200 {
        let call = format!("{{ get_input: i{} }}", number - 1);
        writeln!(text, "  i{number}: {{ default: {{ concat: [{call}, {call}] }} }}").unwrap();
    }
    text.push_str("outputs: { o: { value: { get_input: i199 } } }\n");
    assert_eq!(problems(&text), [""; 0]);
}

#[test]
fn data_types_with_many_fields_of_others_are_bounded() {
    for default in ["", ", default: {}", ", default: { c: 1 }"] {
        let mut text = blueprint("data_types:\n  d0: { properties: { a: { default: 1 }, c: { default: 2 } } }\n");
        for number in 1..60 {
            let field = format!("{{ type: d{}{default} }}", number - 1);
            writeln!(text, "  d{number}: {{ properties: {{ a: {field}, b: {field}, c: {{ default: 2 }} }} }}").unwrap();
        }
        text.push_str("node_types: { t: { properties: { p: { type: d59 } } } }\nnode_templates: { n: { type: t } }\n");
        let most = 4_000_000 + text.len();
        let message = format!("C5010 the plan of the blueprint has more than {most} values, so there is no plan");
        assert_eq!(problems(&text), [message]);
    }
}

#[test]
fn namespaces_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..24 {
        let next = number + 1;
        let text = blueprint(&format!("imports: [x--f{next}.yaml, y--f{next}.yaml]\n"));
        std::fs::write(folder.path().join(format!("f{number}.yaml")), text).unwrap();
    }
    std::fs::write(folder.path().join("f24.yaml"), "inputs: { a: {} }\n").unwrap();
    std::fs::write(folder.path().join("main.yaml"), blueprint("imports: [f0.yaml]\n")).unwrap();
    assert_eq!(problems_in(folder.path()), ["C2005 files are imported under too many namespaces"]);
}

/// The number of import paths to the last files grows exponentially.
#[test]
fn shared_namespaces_are_looked_up_once() {
    let mut files: Vec<(String, String)> = Vec::new();
    for (level, name) in (0..40).flat_map(|level| ["a", "b"].map(|name| (level, name))) {
        let next = level + 1;
        files.push((format!("{name}{level}.yaml"), format!("imports: [x--a{next}.yaml, x--b{next}.yaml]\n")));
    }
    files.extend(["a", "b"].map(|name| (format!("{name}40.yaml"), "inputs: {}\n".to_owned())));
    let of_type = format!("{}t", "x--".repeat(31));
    let main = format!("imports: [x--a0.yaml, x--b0.yaml]\nnode_templates: {{ n: {{ type: {of_type} }} }}\n");
    let mut files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    files.push(("main.yaml", &main));
    let found = problems_of(&files);
    assert!(found.contains(&format!("T2001 there is no node type `{of_type}`")), "{found:?}");
}

#[test]
fn names_with_many_namespaces_are_unknown() {
    let of_type = |count: usize| format!("{}t", "x--".repeat(count));
    let check = |count: usize| {
        let templates = format!("node_types: {{ t: {{}} }}\nnode_templates: {{ n: {{ type: {} }} }}\n", of_type(count));
        problems_of(&[("main.yaml", &format!("imports: [x--main.yaml]\n{templates}"))])
    };
    let is_unknown = |found: &[String]| found.iter().any(|found| found.starts_with("T2001"));
    assert!(!is_unknown(&check(3)));
    assert!(is_unknown(&check(20_000)));
}

#[test]
fn long_namespaces_are_bounded() {
    let mut inputs = "inputs:\n".to_owned();
    (0..300).for_each(|number| writeln!(inputs, "  i{number}: {{}}").unwrap());
    let check = |length: usize| {
        let main = format!("imports: [{}--inputs.yaml]\n", "x".repeat(length));
        problems_of(&[("main.yaml", &main), ("inputs.yaml", &inputs)])
    };
    assert_eq!(check(100), [""; 0]);
    assert_eq!(check(50_000), ["C2005 files are imported under too many namespaces"]);
}

#[test]
fn many_templates_stay_linear() {
    let mut text = blueprint(RELATIONSHIPS);
    text.push_str(
        "node_types: { t: { properties: { p: {} } } }\nnode_templates:\n  n0: { type: t, properties: { p: 1 } }\n",
    );
    for number in 1..3_000 {
        let other = number - 1;
        writeln!(
            text,
            "  n{number}: {{ type: t, properties: {{ p: {{ get_property: [n{other}, p] }} }}, relationships: \
             [{{ type: cloudify.relationships.contained_in, target: n{other} }}] }}"
        )
        .unwrap();
    }
    assert_eq!(problems(&text), [""; 0]);
}

#[test]
fn plans_have_the_defaults_of_types() {
    let folder = tempfile::tempdir().unwrap();
    let library = format!(
        "{RELATIONSHIPS}plugins: {{ p: {{ executor: central_deployment_agent, install: false }} }}\n\
         data_types: {{ point: {{ properties: {{ x: {{ default: 1 }}, y: {{ default: 2 }} }} }} }}\n\
         node_types:\n  cloudify.nodes.Compute: {{}}\n  program:\n    \
         properties: {{ at: {{ type: point, default: {{ y: 3 }} }}, size: {{ default: {{ get_input: size }} }}, none: {{ required: false }} }}\n    \
         interfaces: {{ life: {{ start: {{ implementation: p.run, inputs: {{ a: {{ default: 1 }}, b: {{ default: 2 }} }} }}, stop: {{}} }} }}\n\
         inputs: {{ size: {{ default: 5 }} }}\n"
    );
    let main = "\
imports: [x--library.yaml]
node_templates:
  host: { type: cloudify.nodes.Compute }
  web:
    type: x--program
    properties: { at: { x: 7 } }
    relationships: [{ type: cloudify.relationships.contained_in, target: host }]
    interfaces: { life: { start: { inputs: { b: 4 } } } }
";
    std::fs::write(folder.path().join("library.yaml"), library).unwrap();
    std::fs::write(folder.path().join("main.yaml"), blueprint(main)).unwrap();
    let parser = Parser::builder(&CLOUDIFY).directory(folder.path()).build().unwrap();
    let outcome = parser.parse_entry(Entry::at(parser.address("main.yaml").unwrap()));
    assert!(outcome.is_valid(), "{:?}", outcome.diagnostics);
    let plan = serde_json::to_value(tosca_parse_cloudify::plan::plan(&outcome.program).unwrap().unwrap()).unwrap();
    let web = serde_json::json!({
        "type": "x--program",
        "type_hierarchy": ["x--program"],
        "properties": { "at": { "x": 7, "y": 3 }, "size": { "get_input": "x--size" } },
        "scalable": { "default_instances": 1, "min_instances": 0, "max_instances": -1 },
        "host": "host",
        "operations": {
            "life.start": {
                "plugin": "x--p",
                "operation": "run",
                "executor": "central_deployment_agent",
                "inputs": { "a": 1, "b": 4 },
            },
        },
        "relationships": [{
            "type": "cloudify.relationships.contained_in",
            "type_hierarchy": ["cloudify.relationships.depends_on", "cloudify.relationships.contained_in"],
            "target": "host",
            "properties": { "connection_type": "all_to_all" },
            "source_operations": {},
            "target_operations": {},
        }],
    });
    assert_eq!(plan["nodes"]["web"], web);
    assert_eq!(plan["inputs"], serde_json::json!({ "x--size": { "default": 5 } }));
}

/// Returns the codes of problems, and the plan as text, with a limit on the values that nodes get from their types.
fn limited(files: &[(&str, &str)], values: usize) -> (Vec<&'static str>, Result<String, String>) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        std::fs::write(folder.path().join(path), text).unwrap();
    }
    let mut limits = ModelLimits::default();
    limits.values = values;
    let parser = Parser::builder(&CLOUDIFY).directory(folder.path()).model_limits(limits).build().unwrap();
    let outcome = parser.parse_entry(Entry::at(parser.address("main.yaml").unwrap()));
    let codes = outcome.diagnostics.iter().map(|problem| problem.rule.code).collect();
    let plan = plan::plan(&outcome.program).unwrap();
    (codes, plan.map(|plan| serde_json::to_string(&plan).unwrap()))
}

/// Returns a blueprint with nodes of a type.
fn uniform(of_type: &str, nodes: usize) -> String {
    let mut text = blueprint(of_type);
    text.push_str("node_templates:\n");
    (0..nodes).for_each(|number| writeln!(text, "  n{number}: {{ type: t }}").unwrap());
    text
}

#[test]
fn large_plans_are_reported() {
    let properties = (0..50).fold(String::new(), |text, number| text + &format!("p{number}: {{ default: 1 }}, "));
    let of_type = format!("node_types: {{ t: {{ properties: {{ {properties} }} }} }}\n");
    let text = uniform(&of_type, 40);
    let (codes, plan) = limited(&[("main.yaml", &text)], 40 * 150);
    assert_eq!((codes, plan.unwrap().matches("\"p49\":1").count()), (vec![], 40));
    let (codes, plan) = limited(&[("main.yaml", &text)], 40 * 25);
    let most = 40 * 25 + text.len();
    assert_eq!(codes, ["C5010"]);
    assert_eq!(plan.unwrap_err(), format!("the plan of the blueprint has more than {most} values"));
}

#[test]
fn plans_of_thousands_of_large_nodes_are_allowed() {
    let properties = (0..1000).fold(String::new(), |text, number| text + &format!("p{number}: {{ default: 1 }}, "));
    let text = uniform(&format!("node_types: {{ t: {{ properties: {{ {properties} }} }} }}\n"), 2000);
    let parser = Parser::builder(&CLOUDIFY).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("main.yaml").unwrap(), text));
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
    assert!(plan::plan(&outcome.program).unwrap().is_ok());
}

/// Returns the number of values; long strings count as several.
fn values_of(json: &Json) -> usize {
    let within = match json {
        Json::Array(items) => items.iter().map(values_of).sum(),
        Json::Object(members) => members.iter().map(|(name, value)| name.len() / 64 + values_of(value)).sum(),
        Json::String(text) => text.len() / 64,
        _ => 0,
    };
    1 + within
}

#[test]
fn sizes_of_plans_are_not_underestimated() {
    let mut data = "data_types:\n  d0: { properties: { a: { default: 1 } } }\n".to_owned();
    for number in 1..8 {
        let field = format!("{{ type: d{} }}", number - 1);
        writeln!(data, "  d{number}: {{ properties: {{ a: {field}, b: {field} }} }}").unwrap();
    }
    let of_fields = format!("{data}node_types: {{ t: {{ properties: {{ p: {{ type: d7 }} }} }} }}\n");
    // Only a value in the template makes an optional property have fields.
    let optional = format!("{data}node_types: {{ t: {{ properties: {{ p: {{ type: d7, required: false }} }} }} }}\n");
    let optional = uniform(&optional, 20).replace("type: t }", "type: t, properties: { p: {} } }");
    // A value in the template replaces a call with fields.
    let called = format!(
        "{data}inputs: {{ i: {{}} }}\nnode_types: {{ t: {{ properties: {{ p: {{ type: d7, default: {{ get_input: i }} }} }} }} }}\n"
    );
    let called = uniform(&called, 20).replace("type: t }", "type: t, properties: { p: { a: {} } } }");
    let inputs = (0..30).fold(String::new(), |text, number| text + &format!("i{number}: {{ default: [1, 2] }}, "));
    let operations = format!(
        "plugins: {{ p: {{ executor: central_deployment_agent, install: false }} }}\n\
         node_types: {{ t: {{ interfaces: {{ i: {{ o: {{ implementation: p.run, inputs: {{ {inputs} }} }} }} }} }} }}\n"
    );
    let mut chain = format!("{RELATIONSHIPS}  r0: {{ derived_from: cloudify.relationships.depends_on }}\n");
    (1..130).for_each(|number| writeln!(chain, "  r{number}: {{ derived_from: r{} }}", number - 1).unwrap());
    let chain = uniform(&format!("{chain}node_types: {{ t: {{}} }}\n"), 130);
    let chain =
        chain.replace("type: t }", "type: t, relationships: [ { type: r129, target: n } ] }") + "  n: { type: t }\n";
    let long = "x".repeat(2000);
    let calls = "{ get_input: i }, ".repeat(300);
    let library =
        format!("inputs: {{ i: {{}} }}\nnode_types: {{ t: {{ properties: {{ p: {{ default: [ {calls} ] }} }} }} }}\n");
    let library = blueprint(&library);
    let named = blueprint(&format!("imports: [ {long}--library.yaml ]\nnode_templates:\n  n: {{ type: {long}--t }}\n"))
        + uniform("", 9).replace("type: t", &format!("type: {long}--t")).split_once("templates:\n").unwrap().1;
    let files = |text: &str| vec![("main.yaml".to_owned(), text.to_owned())];
    let with_library = [("main.yaml".to_owned(), named), ("library.yaml".to_owned(), library)].to_vec();
    for (shape, files) in [
        ("fields", files(&uniform(&of_fields, 20))),
        ("optional", files(&optional)),
        ("called", files(&called)),
        ("operations", files(&uniform(&operations, 40))),
        ("chain", files(&chain)),
        ("names", with_library),
    ] {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
        let text: usize = files.iter().map(|(_, text)| text.len()).sum();
        let (codes, plan) = limited(&files, 1_000_000);
        assert_eq!(codes, [""; 0], "{shape}");
        let values = values_of(&serde_json::from_str(&plan.unwrap()).unwrap());
        assert!(values > text, "{shape}: {values} values, {text} bytes");
        assert_eq!(limited(&files, values - 1 - text).0, ["C5010"], "{shape}");
    }
}

#[test]
fn hosts_are_found_at_any_depth() {
    let mut text = blueprint(RELATIONSHIPS);
    text.push_str("node_types: { t: {}, cloudify.nodes.Compute: {} }\nnode_templates:\n");
    for number in 0..150 {
        let container = if number < 149 { format!("n{}", number + 1) } else { "host".to_owned() };
        let relationship = format!("{{ type: cloudify.relationships.contained_in, target: {container} }}");
        writeln!(text, "  n{number}: {{ type: t, relationships: [{relationship}] }}").unwrap();
    }
    text.push_str("  host: { type: cloudify.nodes.Compute }\n");
    let parser = Parser::builder(&CLOUDIFY).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("main.yaml").unwrap(), text));
    assert!(outcome.is_valid(), "{:?}", outcome.diagnostics);
    let plan = tosca_parse_cloudify::plan::plan(&outcome.program).unwrap().unwrap();
    assert_eq!(serde_json::to_value(plan).unwrap()["nodes"]["n0"]["host"], "host");
}

#[test]
fn blueprints_without_a_version_are_recognized() {
    let is_claimed = |text: &str| (CLOUDIFY.claims)("main.yaml", text);
    let text = "imports: [ cloudify/types/types.yaml ]\nnode_templates: { a: { type: cloudify.nodes.Root } }\n";
    assert!(is_claimed(text));
    assert!(is_claimed("tosca_definition_version: cloudify_dsl_1_3\ninputs: {}\n"));
    assert!(!is_claimed("node_types: { a: {} }\nnode_templates: { b: { type: a } }\n"));
    assert!(!is_claimed("tosca_definitions_version: tosca_2_0\nnode_types: { cloudify.nodes.Root: {} }\n"));
    assert_eq!(
        problems(text),
        ["T1301 the blueprint does not declare its version: `tosca_definitions_version` is missing"]
    );
    assert_eq!(
        problems("tosca_definition_version: cloudify_dsl_1_3\ninputs: {}\n"),
        ["T1201 `tosca_definition_version` is not a keyname of the blueprint"]
    );
}

#[test]
fn mistakes_are_reported_once() {
    let input =
        |text: &str| problems(&blueprint(&format!("inputs: {{ a: {{ default: 5, constraints: [ {text} ] }} }}\n")));
    assert_eq!(input("{ greater_than: 1 }"), [""; 0]);
    assert_eq!(input("{ in_range: [ 1 ] }"), ["C1005 `in_range` must be a list of two numbers, not a list"]);
    assert_eq!(input("{ equal: '5' }"), ["C1005 `equal` must be a number, not `5`"]);
    assert_eq!(input("{ equals: 5 }"), ["T1201 `equals` is not a keyname of the constraint"]);
    assert_eq!(input("{ equal: 4 }"), ["C5002 the value violates the constraint `equal`"]);
    let template =
        |text: &str| problems(&blueprint(&format!("node_types: {{ a: {{}} }}\nnode_templates: {{ b: {text} }}\n")));
    assert_eq!(template("{ type: a }"), [""; 0]);
    assert_eq!(template(""), ["T1204 node template `b` lacks the mandatory keyname `type`"]);
    let operation = |text: &str| {
        problems(&blueprint(&format!(
            "plugins: {{ p: {{ executor: central_deployment_agent, install: false }} }}\n\
             node_types: {{ a: {{ interfaces: {{ i: {{ o: {{ implementation: p.a, inputs: {{ b: {{}} }} }} }} }} }} }}\n\
             node_templates: {{ n: {{ type: a, interfaces: {{ i: {{ o: {{ {text} }} }} }} }} }}\n"
        )))
    };
    assert_eq!(operation("implementation: p.b"), [""; 0]);
    assert_eq!(operation("implementation: 5"), ["T1205 `implementation` must be a string, not an integer"]);
}

#[test]
fn early_and_free_sections_are_checked() {
    let types = "node_types: { a: { runtime_properties: { b: {} } } }\n";
    assert_eq!(problems(&blueprint(types)), [""; 0]);
    assert_eq!(
        problems(&format!("tosca_definitions_version: cloudify_dsl_1_4\n{types}")),
        ["T1202 `runtime_properties` is not a keyname of a node type in Cloudify DSL 1.4"]
    );
    assert_eq!(problems(&blueprint("dsl_definitions: [ a ]\n")), [""; 0]);
    assert_eq!(
        problems(&blueprint("dsl_definitions: a\n")),
        ["T1205 `dsl_definitions` must be a map or a list, not a string"]
    );
}

#[test]
fn calls_in_defaults_of_types_are_checked_for_templates() {
    let template = |type_text: &str, rest: &str| {
        problems(&blueprint(&format!(
            "plugins: {{ p: {{ executor: central_deployment_agent, install: false }} }}\n\
             node_types: {{ a: {{ {type_text} }} }}\nnode_templates: {{ n: {{ type: a{rest} }} }}\n"
        )))
    };
    let property = |key: &str| {
        format!("properties: {{ x: {{ default: 1 }}, y: {{ default: {{ get_property: [ SELF, {key} ] }} }} }}")
    };
    assert_eq!(template(&property("x"), ""), [""; 0]);
    assert_eq!(template(&property("z"), ", properties: { y: 1 }"), [""; 0]);
    let [problem] = &template(&property("z"), "")[..] else { panic!("one problem is expected") };
    assert!(problem.starts_with("C5007 the default of property `y` can't be used: `get_property` fails"), "{problem}");
    let input = |key: &str| {
        let input = format!("b: {{ default: {{ get_property: [ SELF, {key} ] }} }}");
        format!(
            "properties: {{ x: {{ default: 1 }} }}, interfaces: {{ i: {{ o: {{ implementation: p.a, inputs: {{ {input} }} }} }} }}"
        )
    };
    assert_eq!(template(&input("x"), ""), [""; 0]);
    assert_eq!(template(&input("z"), ", interfaces: { i: { o: p.b } }"), [""; 0]);
    let [problem] = &template(&input("z"), "")[..] else { panic!("one problem is expected") };
    assert!(problem.starts_with("C5007 the default of input `b` can't be used: `get_property` fails"), "{problem}");
}

#[test]
fn partial_defaults_lack_inner_fields() {
    let template = |default: &str| {
        problems(&blueprint(&format!(
            "data_types: {{ a: {{ properties: {{ x: {{ type: integer }} }} }}, b: {{ properties: {{ y: {{ type: a }} }} }} }}\n\
             node_types: {{ t: {{ properties: {{ p: {{ type: b, default: {default} }} }} }} }}\n\
             node_templates: {{ n: {{ type: t }} }}\n"
        )))
    };
    assert_eq!(template("{ y: { x: 1 } }"), [""; 0]);
    assert_eq!(template("{ y: {} }"), ["T5106 node template `n` lacks `p`"]);
    assert_eq!(template("{}"), ["T5106 node template `n` lacks `p`"]);
}

#[test]
fn patterns_have_a_common_limit() {
    let blueprint = |patterns: &[usize]| {
        let mut text = "tosca_definitions_version: cloudify_dsl_1_3\ninputs:\n".to_owned();
        for (number, pattern) in patterns.iter().enumerate() {
            let constraint = format!("pattern: 'a{pattern}\\w{{1,15}}'");
            writeln!(text, "  p{number}: {{ type: string, default: x, constraints: [ {constraint} ] }}").unwrap();
        }
        text
    };
    // Equal patterns count once, and each pattern is run if it fits.
    let ran = |found: &[String]| found.iter().filter(|problem| problem.contains("violates the constraint")).count();
    let found = problems(&blueprint(&[0; 40]));
    assert!(ran(&found) == 40 && found.iter().all(|problem| !problem.starts_with("T5803")), "{found:?}");
    let found = problems(&blueprint(&(0..40).collect::<Vec<_>>()));
    let skipped = found.iter().filter(|problem| problem.starts_with("T5803")).count();
    assert!(skipped > 0 && skipped < 40 && ran(&found) == 40 - skipped, "{found:?}");
}
