//! Help for problems whose most likely cause is a different mistake than the one that the rule describes.

use tosca_parse::{Entry, Parser, TOSCA};

const PORT: &str = "node_types: { Server: { properties: { port: { type: integer } } } }";

/// Returns the help of the only problem of a template.
fn help(text: &str) -> String {
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").unwrap(), text));
    let [problem] = &outcome.diagnostics[..] else { panic!("{text}\n{:?}", outcome.diagnostics) };
    problem.help.join("; ")
}

fn of_2_0(rest: &str) -> String {
    help(&format!("tosca_definitions_version: tosca_2_0\n{rest}\n"))
}

fn of_1_3(rest: &str) -> String {
    help(&format!("tosca_definitions_version: tosca_simple_yaml_1_3\n{rest}\n"))
}

#[test]
fn calls_that_are_written_as_in_another_version() {
    let service = |keyname: &str, value: &str| {
        format!(
            "{}\n{keyname}:\n  inputs: {{ port: {{ type: integer }} }}\n  node_templates:\n    server: {{ type: Server, properties: {{ port: {value} }} }}",
            PORT.replace("Server: {", "Server: { derived_from: ROOT,")
        )
    };
    let new = |value| of_2_0(&service("service_template", value).replace(" derived_from: ROOT,", ""));
    assert_eq!(new("{ get_input: port }"), "did you mean the function `$get_input`?");
    assert_eq!(new("{ get_inputs: port }"), "did you mean the function `$get_input`?");
    assert_eq!(new("{ value: 80 }"), "write `80`", "a plain word is not a misspelled function");
    let old = |value| of_1_3(&service("topology_template", value).replace("ROOT", "tosca.nodes.Root"));
    assert_eq!(old("{ $get_input: port }"), "did you mean the function `get_input`?");
    assert_eq!(old("{ get_inputs: port }"), "did you mean the function `get_input`?");
}

#[test]
fn types_where_definitions_are_due() {
    assert_eq!(of_2_0("node_types: { A: { properties: { port: integer } } }"), "write `port: { type: integer }`");
    assert_eq!(
        of_2_0("service_template: { inputs: { port: integer }, node_templates: {} }"),
        "write `{ type: integer }`"
    );
    assert_eq!(
        of_2_0("node_types: { A: { properties: { port: { typ: integer } } } }"),
        "add `type: …`, which can't be inherited; did you mean `type` where it says `typ`?"
    );
}

#[test]
fn profiles_that_are_there_in_another_version() {
    assert_eq!(
        of_2_0("imports: [ { profile: org.oasis-open.simple:2.1 } ]"),
        "did you mean `org.oasis-open.simple:2.0`?"
    );
}

#[test]
fn paths_into_capabilities() {
    let types = "capability_types: { Db: { properties: { port: { type: integer, default: 1 } } } }
node_types: { Database: { capabilities: { sql: Db } } }";
    let of = |path: &str| {
        of_2_0(&format!(
            "{types}\nservice_template:\n  node_templates: {{ db: {{ type: Database }} }}\n  outputs: {{ o: {{ value: {{ $get_property: {path} }} }} }}"
        ))
    };
    assert_eq!(of("[ db, sql, port ]"), "for a member of a capability, write `[ db, CAPABILITY, sql, port ]`");
    assert_eq!(of("[ db, sql ]"), "for a member of a capability, write `[ db, CAPABILITY, sql, … ]`");
}

/// The import of the built-in profile.
const IMPORT: &str = "imports: [ { profile: org.oasis-open.simple:2.0 } ]";

#[test]
fn names_that_are_elsewhere() {
    let node = |head: &str, name: &str| {
        of_2_0(&format!("{head}service_template: {{ node_templates: {{ a: {{ type: {name} }} }} }}"))
    };
    assert_eq!(node("", "Compute"), format!("import the profile that declares it: `{IMPORT}`"));
    assert_eq!(
        node("", "tosca.nodes.Compute"),
        format!("import the profile that declares it, where it is called `Compute`: `{IMPORT}`")
    );
    assert_eq!(node(&format!("{IMPORT}\n"), "tosca.nodes.Compute"), "here it is called `Compute`");
    let below_a_prefix = "imports: [ { profile: org.oasis-open.simple:2.0, namespace: s } ]\n";
    assert_eq!(
        node(below_a_prefix, "Compute"),
        "did you mean `s:Compute`?; to accept it, add `--quirk unprefixed-names`"
    );
    assert_eq!(node(below_a_prefix, "tosca.nodes.Compute"), "here it is called `s:Compute`");
    assert_eq!(
        node("capability_types: { Server: {} }\n", "Server"),
        "`Server` is a capability type; name a node type here"
    );
}

#[test]
fn names_that_imported_services_do_not_export() {
    let memory = std::sync::Arc::new(tosca_parse::source::MemoryProvider::new());
    let address = |name: &str| tosca_parse::source::Address::parse(&format!("memory:///{name}")).unwrap();
    let head = "tosca_definitions_version: tosca_simple_yaml_1_3\n";
    memory.insert(
        address("other.yaml"),
        format!("{head}node_types: {{ A: {{ derived_from: tosca.nodes.Root }} }}\ntopology_template: {{ inputs: {{ i: {{ type: string, default: x }} }}, node_templates: {{ db: {{ type: A }} }} }}\n"),
    );
    memory.insert(
        address("service.yaml"),
        format!("{head}imports: [ other.yaml ]\ntopology_template:\n  node_templates: {{ a: {{ type: A, requirements: [ dependency: db ] }} }}\n  outputs: {{ o: {{ value: {{ get_input: i }} }}, p: {{ value: {{ get_attribute: [ db, a ] }} }} }}\n"),
    );
    let parser = Parser::builder(&TOSCA).provider(memory).build().unwrap();
    let outcome = parser.parse_entry(Entry::at(address("service.yaml")));
    let help: Vec<String> = outcome.diagnostics.iter().map(|problem| problem.help.join("; ")).collect();
    assert_eq!(help.len(), 3, "{:?}", outcome.diagnostics);
    assert!(
        help.iter()
            .all(|help| help.contains("other.yaml` declares one, but the content of its service is not imported")),
        "{help:?}"
    );
}

#[test]
fn keynames_with_a_dash_too_many() {
    let types = "capability_types: { C: {} }\nrelationship_types: { R: {} }\n";
    let type_of = |range: &str| {
        format!(
            "{types}node_types: {{ A: {{ requirements: [ host: {{ capability: C, relationship: R }}, {range} ] }} }}"
        )
    };
    assert_eq!(
        of_2_0(&type_of("count_range: [ 0, 1 ]")),
        "if this is meant to be the keyname `count_range` of the requirement definition above, remove the dash and indent the line"
    );
    let service = |range: &str| {
        format!(
            "{types}node_types: {{ A: {{ capabilities: {{ c: C }}, requirements: [ link: {{ capability: C, relationship: R }} ] }} }}
service_template: {{ node_templates: {{ b: {{ type: A, requirements: [ link: b, {range} ] }} }} }}"
        )
    };
    for range in ["occurrences: [ 0, 1 ]", "count: 2"] {
        let name = range.split(':').next().unwrap();
        let help = format!(
            "if this is meant to be the keyname `{name}` of the requirement assignment above, remove the dash and indent the line"
        );
        assert_eq!(of_2_0(&service(range)), help);
    }
}

#[test]
fn numbers_without_units_and_text_of_numbers() {
    let scalar = "data_types: { Size: { derived_from: scalar, data_type: integer, units: { B: 1, kB: 1000 }, canonical_unit: B } }
node_types: { A: { properties: { s: { type: Size } } } }
service_template: { node_templates: { a: { type: A, properties: { s: 5 } } } }";
    assert_eq!(of_2_0(scalar), "write a number, a space and one of the units `B` or `kB`");
    let simple = "node_types: { A: { derived_from: tosca.nodes.Root, properties: { s: { type: scalar-unit.time } } } }
topology_template: { node_templates: { a: { type: A, properties: { s: 5 } } } }";
    assert!(of_1_3(simple).starts_with("write a number and one of the units `d`"), "{}", of_1_3(simple));
    let text = of_2_0("service_template: { node_templates: {}, outputs: { o: { value: { $concat: [ a, 5 ] } } } }");
    assert_eq!(text, "`$concat` takes strings or lists; write the number as a string: `\"5\"`");
    let input = of_2_0(
        "service_template: { inputs: { i: { type: integer, default: 1 } }, node_templates: {}, outputs: { o: { value: { $concat: [ a, { $get_input: i } ] } } } }",
    );
    assert_eq!(
        input,
        "`$concat` takes strings or lists; no function converts numbers to strings: declare its result as `string`"
    );
}

#[test]
fn operations_without_their_keyname() {
    let text = "interface_types: { I: { operations: { create: {} } } }
node_types: { A: { interfaces: { i: { type: I } } } }
service_template: { node_templates: { a: { type: A, interfaces: { i: { create: a.sh } } } } }";
    assert_eq!(of_2_0(text), "write it below `operations`: `operations: { create: … }`");
}

#[test]
fn constraints_outside_their_keyname() {
    let input = |definition: &str| of_1_3(&format!("topology_template: {{ inputs: {{ a: {definition} }} }}"));
    let below = "write it below `constraints`: `constraints: [ min_length: … ]`";
    assert_eq!(input("{ type: string, min_length: 1 }"), below);
    assert_eq!(input("{ default: x, min_length: 1 }"), below, "an input has no short form");
    assert_eq!(input("{ type: list, entry_schema: { type: string, min_length: 1 } }"), below);
    let keynames = input("{ default: x, vendor: 1 }");
    assert!(keynames.starts_with("a parameter definition has the keynames `type`"), "{keynames}");
    let workflow = |definition: &str| {
        of_1_3(&format!("topology_template: {{ workflows: {{ w: {{ inputs: {{ a: {definition} }} }} }} }}"))
    };
    assert_eq!(workflow("{ type: string, min_length: 1 }"), below);
    assert_eq!(of_1_3("topology_template: { outputs: { a: { value: x, min_length: 1 } } }"), below);
    let modern = |keyname: &str| {
        let service = "service_template: { node_templates: {}, inputs: { a: { type: string, KEY: 1 } } }";
        of_2_0(&service.replace("KEY", keyname))
    };
    let validation = |clause: &str| format!("write it below `validation`: `validation: {clause}`");
    assert_eq!(modern("pattern"), validation("{ $matches: [ $value, … ] }"));
    assert_eq!(modern("$matches"), validation("{ $matches: [ $value, … ] }"));
    assert_eq!(modern("max_length"), validation("{ $less_or_equal: [ { $length: [ $value ] }, … ] }"));
    let bounds = "{ $and: [ { $greater_or_equal: [ $value, … ] }, { $less_or_equal: [ $value, … ] } ] }";
    assert_eq!(modern("in_range"), validation(bounds));
}

#[test]
fn values_of_outputs_can_be_maps() {
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let text = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template: { outputs: { a: { min_length: 1, b: 2 } } }\n";
    let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").unwrap(), text));
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
}

#[test]
fn computed_operands_of_constraints() {
    let of = |clause: &str| {
        let high = format!("high: {{ type: integer, constraints: [ {clause} ] }}");
        of_1_3(&format!(
            "node_types: {{ A: {{ derived_from: tosca.nodes.Root, properties: {{ low: {{ type: integer }}, {high} }} }} }}
topology_template: {{ node_templates: {{ a: {{ type: A, properties: {{ low: 4, high: 3 }} }} }} }}"
        ))
    };
    assert_eq!(of("{ greater_or_equal: { get_property: [ SELF, low ] } }"), "it must be 4 or greater");
    assert_eq!(of("{ in_range: [ { get_property: [ SELF, low ] }, 9 ] }"), "it must be between 4 and 9");
    assert_eq!(of("{ valid_values: [ { get_property: [ SELF, low ] }, 9 ] }"), "it must be `4` or `9`");
}

#[test]
fn misspelled_capabilities_of_requirements() {
    let of = |capability: &str| {
        of_1_3(&format!(
            "topology_template: {{ node_templates: {{ c: {{ type: tosca.nodes.Compute }}, s: {{ type: \
             tosca.nodes.SoftwareComponent, requirements: [ host: {{ node: c, capability: {capability} }} ] }} }} }}"
        ))
    };
    assert_eq!(of("hst"), "did you mean `host`?");
    assert!(of("unlike").starts_with("it has the capabilities `feature` (of type"), "{}", of("unlike"));
}

#[test]
fn keynames_in_place_of_names() {
    let name = |section: &str| {
        let help = of_1_3(section);
        assert!(help.starts_with("write a name above: `NAME: { "), "{section}: {help}");
    };
    let node_type = |content: &str| format!("node_types: {{ A: {{ derived_from: tosca.nodes.Root, {content} }} }}");
    name(&node_type("capabilities: { type: tosca.capabilities.Node, occurrences: [ 1, 2 ] }"));
    name(&node_type("requirements: { capability: tosca.capabilities.Node, node: tosca.nodes.Root }"));
    let node = "topology_template: { node_templates: { a: { type: tosca.nodes.Root, CONTENT } } }";
    name(&node.replace("CONTENT", "interfaces: { operations: { create: { description: Creates it } } }"));
    name(&node.replace("CONTENT", "interfaces: { create: { implementation: a.sh } }"));
    let short = of_1_3(&node.replace("CONTENT", "interfaces: { create: a.sh }"));
    assert_eq!(short, "if it is one of the operations, write a name above: `NAME: { operations: { create: … } }`");
    // A capability can have the name of a keyname.
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let text = node_type(
        "capabilities: { properties: { type: tosca.capabilities.Node }, description: tosca.capabilities.Node }",
    );
    let text = format!("tosca_definitions_version: tosca_simple_yaml_1_3\n{text}\n");
    let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").unwrap(), text));
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
}

#[test]
fn unknown_profiles_are_read_as_the_known_one() {
    let of_word = |word: &str| help(&format!("tosca_definitions_version: {word}\ntopology_template: {{}}\n"));
    let read_as = of_word("tosca_simple_profile_for_mec_1_0_0");
    assert!(
        read_as.contains("versions: { tosca_simple_profile_for_mec_1_0_0: tosca_simple_profile_for_nfv_1_0 }"),
        "{read_as}"
    );
    assert_eq!(of_word("tosca_simple_profile_for_nfv_1_1"), "did you mean `tosca_simple_profile_for_nfv_1_0`?");
    let word = "node_types: { A: { derived_from: tosca.nodes.nfv.VDU.Compute } }";
    assert!(!of_1_3(word).contains("`Compute`"), "the short form of another name");
}

#[test]
fn ranges_of_counts_in_other_forms() {
    let range = |range: &str| {
        let requirement = format!("{{ capability: tosca.capabilities.Node, occurrences: {range} }}");
        of_1_3(&format!(
            "node_types: {{ A: {{ derived_from: tosca.nodes.Root, requirements: [ a: {requirement} ] }} }}"
        ))
    };
    assert_eq!(range("[ 0, unbounded ]"), "write `UNBOUNDED`");
    assert_eq!(range("[ 0, UNBOUNDDED ]"), "did you mean `UNBOUNDED`?");
    assert_eq!(range("2"), "write `[ 2, 2 ]`");
    assert_eq!(range("'[ 0, 1 ]'"), "leave the quotes out");
}

#[test]
fn names_of_normative_types() {
    assert_eq!(
        of_1_3("topology_template: { node_templates: { a: { type: tosca.node.Compute } } }"),
        "did you mean `tosca.nodes.Compute`?"
    );
    let requirement = |capability: &str| {
        let requirements = format!("requirements: [ host: {{ capability: {capability} }} ]");
        of_1_3(&format!("node_types: {{ A: {{ derived_from: tosca.nodes.Root, {requirements} }} }}"))
    };
    assert_eq!(requirement("tosca.capabilities.Comput"), "did you mean `tosca.capabilities.Compute`?");
    assert_eq!(requirement("my.Plug"), "define it, or import a file or profile that defines it");
}

#[test]
fn operations_below_an_empty_section() {
    let text = "interface_types:
  A:
    derived_from: tosca.interfaces.Root
    operations:
    run: {}
    halt: {}";
    assert_eq!(of_1_3(text), "indent `run` and `halt` below `operations`");
}
