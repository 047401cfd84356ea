//! Small templates with the problems expected of them, and the examples of rule pages.

use tosca_parse_engine::diagnostic::{Level, Levels, Override, edit};
use tosca_parse_engine::entity::LanguageVersion;
use tosca_parse_engine::{Entry, Parser, rules};
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
fn descriptions_fit_together() {
    assert_eq!(HEAT.check(), [""; 0]);
    assert_eq!(rules::check(&HEAT.explained()), [""; 0]);
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

#[test]
fn templates_without_a_version_are_recognized() {
    let is_claimed = |text: &str| (HEAT.claims)("main.yaml", text);
    assert!(is_claimed("resources:\n  a: { type: OS::Heat::None }\n"));
    assert!(is_claimed("parameters: {}\nresources:\n  a: { type: a.yaml, properties: { b: { get_param: c } } }\n"));
    assert!(is_claimed("{\n  \"resources\": { \"a\": { \"type\": \"OS::Heat::None\" } }\n}\n"));
    assert!(!is_claimed("resources:\n  - deployment.yaml\n"));
    assert!(!is_claimed("a:\n  resources:\n    a: { type: OS::Heat::None }\n"));
    assert!(!is_claimed("AWSTemplateFormatVersion: a\nresources:\n  a: { type: OS::Heat::None }\n"));
    assert_eq!(
        problems("resources:\n  a: { type: OS::Heat::None }\n"),
        ["T1204 the template lacks the mandatory keyname `heat_template_version`"]
    );
    assert_eq!(
        problems("heat_template_version: 2018\n"),
        ["T1205 `heat_template_version` must be a string, not an integer"]
    );
}

#[test]
fn content_at_the_wrong_level_is_one_problem() {
    let server = |rest: &str| problems(&template(&format!("resources:\n  a:\n    type: OS::Nova::Server\n{rest}")));
    assert_eq!(server("    properties:\n      flavor: a\n"), [""; 0]);
    assert_eq!(
        server("    properties:\n    flavor: a\n    image: b\n"),
        ["T1206 `properties` has no value: `flavor` and `image` are not indented below it"]
    );
    assert_eq!(server("    flavor: a\n"), ["T1201 `flavor` is not a keyname of resource `a`"]);
    assert_eq!(server("    properties:\n      - flavor: a\n"), ["T1205 `properties` must be a map, not a list"]);
    assert_eq!(server("    properties:\n"), ["T1206 `properties` is empty"]);
    assert_eq!(
        server("    colour: a\n"),
        ["H5002 required property `flavor` is missing", "T1201 `colour` is not a keyname of resource `a`"]
    );
    let uses = "outputs: { a: { value: { get_param: p } } }\n";
    assert_eq!(
        problems(&template(&format!("parameters:\np: {{ type: string }}\n{uses}"))),
        ["T1206 `parameters` has no value: `p` is not indented below it"]
    );
    assert_eq!(problems(&template("parameters:\nresources:\noutputs:\n")), [""; 0]);
    assert_eq!(
        problems(&template("resources:\nmappings: { a: b }\n")),
        ["T1201 `mappings` is not a keyname of the template"]
    );
}

#[test]
fn null_is_reported_once() {
    assert_eq!(problems(&template("conditions:\n")), ["T1206 `conditions` is empty"]);
    assert_eq!(problems(&template("conditions: {}\n")), [""; 0]);
    for keyname in ["metadata", "condition", "update_policy"] {
        let text = template(&format!("resources: {{ a: {{ type: OS::Heat::None, {keyname}: }} }}\n"));
        assert_eq!(problems(&text), [format!("T1206 `{keyname}` is empty")]);
    }
    // The default null means that there is none.
    assert_eq!(problems(&template("parameters: { a: { type: number, default: } }\n")), [""; 0]);
    assert_eq!(
        problems(&template("parameters: { a: { type: number, default: b } }\n")),
        ["H4001 the default of parameter `a` must be a number"]
    );
}

#[test]
fn unknown_constraints_are_one_problem() {
    let constrained = |text: &str| {
        problems(&template(&format!("parameters: {{ a: {{ type: number, constraints: [ {text} ] }} }}\n")))
    };
    assert_eq!(constrained("{ minimum: 1 }"), ["T1201 `minimum` is not a keyname of the constraint"]);
    assert_eq!(
        constrained("{ description: a }"),
        [
            "H1001 the constraint needs `modulo`, `range`, `length`, `allowed_values`, `allowed_pattern` or `custom_constraint`"
        ]
    );
    let text = "parameters: { a: { type: number, constraints: [ { modulo: { step: 2, offset: 0 } } ] } }\n";
    assert_eq!(
        problems(&format!("heat_template_version: 2016-10-14\n{text}")),
        ["T1202 `modulo` is not a keyname of a constraint in Heat 2016-10-14"]
    );
}

#[test]
fn functions_of_cloudformation_are_checked() {
    let output = |value: &str| {
        let names = "parameters: { p: { type: string } }\nresources: { r: { type: OS::Heat::None } }\n";
        problems(&format!("heat_template_version: 2013-05-23\n{names}outputs: {{ a: {{ value: {value} }} }}\n"))
    };
    for valid in [
        "{ Ref: p }",
        "{ Ref: r }",
        "{ Ref: 'OS::stack_name' }",
        "{ 'Fn::Join': [ '-', [ a, { Ref: p } ] ] }",
        "{ 'Fn::Split': [ ',', 'a,b' ] }",
        "{ 'Fn::Select': [ 0, [ a ] ] }",
        "{ 'Fn::Replace': [ { a: b }, c ] }",
        "{ 'Fn::Base64': a }",
        "{ 'Fn::GetAZs': '' }",
        "{ 'Fn::MemberListToMap': [ Name, Value, [ '.member.0.Name=a' ] ] }",
    ] {
        assert_eq!(output(valid), [""; 0], "{valid}");
    }
    assert_eq!(output("{ Ref: q }"), ["T2001 there is no resource or parameter `q`"]);
    assert_eq!(output("{ 'Fn::Join': [ '-' ] }"), ["H1004 `Fn::Join` does not take 1 argument"]);
    assert_eq!(output("{ 'Fn::Split': ',' }"), ["H1004 the arguments of `Fn::Split` must be a list, not a string"]);
    assert_eq!(output("{ 'Fn::Select': [ 0 ] }"), ["H1004 `Fn::Select` does not take 1 argument"]);
    assert_eq!(
        output("{ 'Fn::Replace': [ a, c ] }"),
        ["H1004 an argument of `Fn::Replace` must be a map, not a string"]
    );
    assert_eq!(output("{ 'Fn::Base64': [ a ] }"), ["H1004 the argument of `Fn::Base64` must be a string, not a list"]);
    assert_eq!(
        output("{ 'Fn::ResourceFacade': Metadata }"),
        ["H1004 `Fn::ResourceFacade` only has a value in nested templates"]
    );
    assert_eq!(output("{ 'Fn::ResourceFacade': metadata }"), ["H1004 `Fn::ResourceFacade` has no part `metadata`"]);
}

#[test]
fn constant_arguments_are_compared() {
    let output = |value: &str| problems(&template(&format!("outputs: {{ a: {{ value: {value} }} }}\n")));
    assert_eq!(output("{ map_replace: [ { a: 1, b: 2 }, { keys: { a: c } } ] }"), [""; 0]);
    assert_eq!(output("{ map_replace: [ { a: 1, b: 2 }, { keys: { a: b, b: a } } ] }"), [""; 0]);
    assert_eq!(
        output("{ map_replace: [ { a: 1, b: 2 }, { keys: { a: b } } ] }"),
        ["H1004 `map_replace` gives two keys the name `b`"]
    );
    let repeat =
        |each: &str| output(&format!("{{ repeat: {{ template: x, for_each: {each}, permutations: false }} }}"));
    assert_eq!(repeat("{ x: [ a, b ], y: [ c, d ] }"), [""; 0]);
    assert_eq!(repeat("{ x: [ a, b ], y: [ c ] }"), ["H1004 the lists of `repeat` have different lengths: 2 and 1"]);
    assert_eq!(output("{ yaql: { expression: $.data.a, dat: { a: 1 } } }"), ["H1004 `yaql` has no argument `dat`"]);
    let old = |value: &str| {
        let value = format!("{{ str_replace: {{ template: a, params: {{ a: {value} }} }} }}");
        problems(&format!("heat_template_version: 2015-04-30\noutputs: {{ a: {{ value: {value} }} }}\n"))
    };
    assert_eq!(old("{ get_file: 'http://a' }"), [""; 0]);
    assert_eq!(old("{ b: c }"), ["H1004 the value of `a` must be a scalar in this version"]);
}

#[test]
fn values_of_parameters_fit_their_properties() {
    let random = |parameter: &str| {
        problems(&template(&format!(
            "parameters: {{ p: {{ {parameter} }} }}\n\
             resources: {{ a: {{ type: OS::Heat::RandomString, properties: {{ length: {{ get_param: p }} }} }} }}\n"
        )))
    };
    assert_eq!(random("type: number, default: 8"), [""; 0]);
    assert_eq!(random("type: string, default: '8'"), [""; 0]);
    assert_eq!(random("type: string, default: ''"), [""; 0]);
    assert_eq!(random("type: number"), [""; 0]);
    assert_eq!(random("type: number, default: 600"), ["H5003 property `length` is out of range: `600`"]);
    assert_eq!(random("type: string, default: a"), ["H5003 property `length` must be an integer"]);
}

#[test]
fn properties_and_policies_are_checked() {
    let text =
        "parameters: { p: { type: json } }\nresources: { a: { type: OS::Heat::None, properties: { get_param: p } } }\n";
    assert_eq!(problems(&template(text)), ["H5003 `properties` can't be the result of `get_param`"]);
    let group = |policy: &str| {
        let properties = "properties: { resource_def: { type: OS::Heat::None } }";
        problems(&template(&format!(
            "resources: {{ a: {{ type: OS::Heat::ResourceGroup, {properties}, update_policy: {{ {policy} }} }} }}\n"
        )))
    };
    assert_eq!(group("rolling_update: { max_batch_size: 2 }"), [""; 0]);
    assert_eq!(
        group("rolling_update: { max_batch_size: 0 }"),
        ["H5003 property `max_batch_size` is out of range: `0`"]
    );
    assert_eq!(group("rolling_update: { batch: 1 }"), ["H5001 there is no property `batch`"]);
}

#[test]
fn times_fulfill_custom_constraints() {
    let default = |name: &str, value: &str| {
        let constraint = format!("constraints: [ {{ custom_constraint: {name} }} ]");
        let text = format!("parameters: {{ a: {{ type: string, {constraint}, default: '{value}' }} }}\n");
        problems(&template(&text)).is_empty()
    };
    for valid in ["", "0 23 * * *", "*/5 1-3,7 1 jan mon-fri", "* * * * * 30", "@daily"] {
        assert!(default("cron_expression", valid), "{valid}");
    }
    for invalid in ["0 25 * * *", "* * *", "*/0 * * * *", "a * * * ?!"] {
        assert!(!default("cron_expression", invalid), "{invalid}");
    }
    assert!(default("timezone", "America/Port-au-Prince") && !default("timezone", "Central Europe"));
    assert!(default("expiration", "2999-01-01T00:00:00Z") && !default("expiration", "2001-01-01T00:00:00Z"));
    assert!(!default("expiration", "soon"));
}

#[test]
fn patterns_have_a_common_limit() {
    use std::fmt::Write;
    let template = |patterns: &[usize]| {
        let mut text = "heat_template_version: 2018-08-31\nparameters:\n".to_owned();
        for (number, pattern) in patterns.iter().enumerate() {
            let constraint = format!("allowed_pattern: 'a{pattern}\\w{{1,15}}'");
            writeln!(text, "  p{number}: {{ type: string, default: x, constraints: [ {constraint} ] }}").unwrap();
        }
        text
    };
    // Equal patterns count once, and each pattern is run if it fits.
    let count = |found: &[String], code| found.iter().filter(|problem| problem.starts_with(code)).count();
    let found = problems(&template(&[0; 60]));
    assert_eq!((count(&found, "H4001"), found.len()), (60, 60), "{found:?}");
    let found = problems(&template(&(0..60).collect::<Vec<_>>()));
    let skipped = count(&found, "T5803");
    assert!(skipped > 0 && skipped < 60, "{found:?}");
    assert_eq!((count(&found, "H4001"), found.len()), (60 - skipped, 60), "{found:?}");
}
