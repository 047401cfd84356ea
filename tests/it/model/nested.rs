//! Services that substitute nodes of other services.

use serde_json::json;
use tosca_parse::normal::{Map, NestedService, NestingError, Service, Value};
use tosca_parse::{Entry, Parser, TOSCA};

const TYPES: &str = "
capability_types: { Host: { properties: { cpus: { type: integer, required: false } } } }
node_types:
  Database:
    properties: { size: { type: integer }, owner: { type: string, required: false } }
    attributes: { url: { type: string }, state: { type: string } }
    capabilities: { host: Host }
  Postgres: { derived_from: Database }
";

/// Returns the models of service templates that share their types.
fn services<const N: usize>(version: &str, types: &str, templates: [&str; N]) -> [Service; N] {
    let parser = Parser::builder(&TOSCA).build().unwrap();
    templates.map(|template| {
        let text = format!("tosca_definitions_version: {version}\n{types}\n{template}");
        let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").unwrap(), text));
        let errors: Vec<_> = outcome.diagnostics.iter().map(|problem| &problem.message).collect();
        assert!(outcome.is_valid(), "{errors:?}");
        Service::of(&outcome.program).unwrap()
    })
}

fn nested(outer: &Service, services: &[Service]) -> Map<NestedService> {
    outer.evaluate(&Map::new()).service.nested(services).unwrap()
}

fn shop(properties: &str) -> String {
    format!(
        "service_template:
  inputs: {{ owner: {{ type: string, required: false }} }}
  node_templates:
    db:
      type: Database
      directives: [ substitute ]
      properties: {properties}
      capabilities: {{ host: {{ properties: {{ cpus: {{ $sum: [ 2, 2 ] }} }} }} }}
    other: {{ type: Database, properties: {{ size: 1 }} }}
"
    )
}

const SMALL: &str = "service_template:
  node_templates: {}
  substitution_mappings:
    node_type: Database
    substitution_filter: { $less_than: [ { $get_property: [ SELF, size ] }, 10 ] }
";

const LARGE: &str = "service_template:
  inputs:
    gigabytes: { type: integer }
    cores: { type: integer }
    user: { type: string, required: false }
  node_templates:
    disk: { type: Database, directives: [ substitute ], properties: { size: 1 } }
  substitution_mappings:
    node_type: Postgres
    properties: { size: gigabytes, owner: user, [ CAPABILITY, host, cpus ]: cores }
    attributes: { url: address, state: health, [ CAPABILITY, host, cpus ]: count }
  outputs:
    address: { value: { $concat: [ 'db://', { $get_input: user } ] } }
    health: { value: { $get_attribute: [ disk, state ] } }
    count: { value: 1 }
";

/// Returns the services that are nested in a shop: a large one, with a small one in it.
pub(super) fn example() -> Map<NestedService> {
    let [shop, small, large] =
        services("tosca_2_0", TYPES, [&shop("{ size: { $sum: [ 9, 1 ] }, owner: me }"), SMALL, LARGE]);
    nested(&shop, &[small, large])
}

#[test]
fn properties_become_inputs_and_outputs_become_attributes() {
    let nested = example();
    // `other` is not a substituted node. The filter of the small service excludes it.
    assert_eq!(nested.keys().map(|name| &**name).collect::<Vec<_>>(), ["db"]);
    let db = &nested["db"];
    assert_eq!(json!(db.inputs), json!({ "gigabytes": 10, "user": "me", "cores": 4 }));
    assert_eq!(db.service.inputs["cores"].value, Some(Value::Integer(4)));
    // The state is known after deployment, and the model has the mapping to `count`.
    assert_eq!(json!(db.attributes), json!({ "url": "db://me" }));
    assert_eq!(db.service.substitution.as_ref().unwrap().attributes.len(), 3);
    assert_eq!((&db.filter, db.problems.len()), (&None, 0));
    // The small service substitutes a node of the large one.
    let disk = &db.nested["disk"];
    assert_eq!((disk.inputs.len(), disk.nested.len()), (0, 0));
}

#[test]
fn unknown_values_stay_open() {
    let [shop, small] = services("tosca_2_0", TYPES, [&shop("{ size: 3, owner: { $get_input: owner } }"), SMALL]);
    assert!(nested(&shop, &[]).is_empty());
    assert_eq!(nested(&shop, std::slice::from_ref(&small))["db"].filter, None);

    let by_owner = SMALL.replace("size", "owner").replace("less_than", "equal").replace("10", "me");
    let [shop, by_owner, large] =
        services("tosca_2_0", TYPES, [&self::shop("{ size: 3, owner: { $get_input: owner } }"), &by_owner, LARGE]);
    assert!(matches!(nested(&shop, &[by_owner])["db"].filter, Some(Value::Call(_))));
    let nested = nested(&shop, &[large]);
    assert_eq!(json!(nested["db"].inputs), json!({ "gigabytes": 3, "cores": 4 }));
    assert!(nested["db"].attributes.is_empty());
    // An input of the outer service makes it known.
    let owner: Map<Value> = [("owner".into(), "you".into())].into_iter().collect();
    let [large] = services("tosca_2_0", TYPES, [LARGE]);
    let nested = shop.evaluate(&owner).service.nested(&[large]).unwrap();
    assert_eq!(json!(nested["db"].attributes), json!({ "url": "db://you" }));
}

#[test]
fn values_that_do_not_fit_are_problems_of_the_nested_service() {
    let validated = "service_template:
  inputs: { n: { type: integer, validation: { $less_than: [ $value, { $length: abc } ] } } }
  node_templates: {}
  outputs: { first: { value: { $token: [ 'a,b', ',', { $get_input: n } ] } } }
  substitution_mappings: { node_type: Database, properties: { size: n } }
";
    let [shop, validated] = services("tosca_2_0", TYPES, [&shop("{ size: 7 }"), validated]);
    let problems = &nested(&shop, &[validated])["db"].problems;
    assert!(!problems.is_empty());
    assert!(problems.iter().any(|problem| problem.at == "/outputs/first"), "{problems:?}");
}

#[test]
fn earlier_versions_map_by_list_or_by_name() {
    let types = "node_types:
  Database:
    derived_from: tosca.nodes.Root
    properties: { size: { type: integer } }
    attributes: { url: { type: string } }
";
    let outer = "topology_template:
  node_templates: { db: { type: Database, directives: [ substitutable ], properties: { size: 3 } } }
";
    let by_list = "topology_template:
  inputs: { n: { type: integer } }
  outputs: { address: { value: { concat: [ a, { get_input: n } ] } } }
  substitution_mappings:
    node_type: Database
    substitution_filter: { properties: [ size: { greater_than: 2 } ] }
    properties: { size: [ n ] }
    attributes: { url: [ address ] }
";
    let version = "tosca_simple_yaml_1_3";
    let [shop, cluster] = services(version, types, [outer, by_list]);
    let found = nested(&shop, &[cluster]);
    assert_eq!(json!([found["db"].inputs, found["db"].attributes]), json!([{ "n": 3 }, { "url": "a3" }]));
    assert!(matches!(found["db"].filter, Some(Value::Map(_))), "the notation of 1.x is not computed");

    let by_name = "topology_template:
  inputs: { size: { type: integer }, other: { type: integer, default: 1 } }
  outputs: { url: { value: { concat: [ a, { get_input: size } ] } }, port: { value: 1 } }
  substitution_mappings: { node_type: Database }
";
    for version in ["tosca_simple_yaml_1_0", "tosca_simple_yaml_1_1"] {
        let [shop, cluster] = services(version, types, [outer, by_name]);
        let found = nested(&shop, &[cluster]);
        assert_eq!(json!([found["db"].inputs, found["db"].attributes]), json!([{ "size": 3 }, { "url": "a3" }]));
    }
    // Since 1.2, mappings are explicit.
    let [shop, cluster] =
        services(version, types, [outer, &by_name.replace("{ type: integer }", "{ type: integer, default: 5 }")]);
    assert!(nested(&shop, &[cluster])["db"].inputs.is_empty());
}

/// Returns services that each substitute two nodes of the previous one.
fn chain(length: usize, nodes: &str) -> Vec<Service> {
    let types = (0..=length).map(|number| format!("  T{number}: {{}}\n")).collect::<Vec<_>>().concat();
    let link = |number: usize| {
        let node = |name| format!("    {name}: {{ type: T{}, directives: [ substitute ] }}\n", number + 1);
        let nodes = nodes.split_whitespace().map(node).collect::<Vec<_>>().concat();
        format!("service_template:\n  node_templates:\n{nodes}  substitution_mappings: {{ node_type: T{number} }}\n")
    };
    let link = |number| services("tosca_2_0", &format!("node_types:\n{types}"), [&link(number)]);
    (0..length).flat_map(link).collect()
}

/// Returns a service whose nodes are all substituted.
fn substituted(nodes: usize) -> String {
    let node = |number| format!("    n{number}: {{ type: Database, directives: [ substitute ] }}\n");
    let nodes = (0..nodes).map(node).collect::<Vec<_>>().concat();
    format!("service_template:\n  node_templates:\n{nodes}")
}

#[test]
fn number_levels_and_size_are_limited() {
    let levels = |chain: &[Service]| chain[0].nested(&chain[1..]).map(|nested| json!(nested).to_string().len());
    assert!(levels(&chain(9, "a b")).is_ok());
    assert_eq!(levels(&chain(11, "a b")), Err(NestingError::TooMany));
    assert!(levels(&chain(17, "a")).is_ok());
    assert_eq!(levels(&chain(18, "a")), Err(NestingError::TooDeep));

    // 300 copies of a service with 1 MB, and of one that computes as much but shows little of it.
    let types = "node_types: { Database: {} }";
    let outer = substituted(300);
    let text = "x".repeat(500_000);
    let large = |value: &str| {
        format!(
            "service_template:
  inputs: {{ text: {{ type: string, default: {text} }} }}
  node_templates: {{}}
  outputs: {{ size: {{ value: {value} }} }}
  substitution_mappings: {{ node_type: Database }}
"
        )
    };
    let both = large("{ $concat: [ { $get_input: text }, a ] }");
    let [outer, small, both] = services("tosca_2_0", types, [&outer, &large("1").replace(&text, "x"), &both]);
    assert_eq!(outer.nested(&[small]).unwrap().len(), 300);
    assert_eq!(outer.nested(&[both]), Err(NestingError::TooLarge));
    assert_eq!(NestingError::TooLarge.to_string(), "the services that substitute nodes are larger than 64 MiB");
}

#[test]
fn computations_for_nested_services_share_a_limit() {
    let types = "node_types: { Database: {} }";
    let outer = substituted(400);
    let text = "x".repeat(1000);
    let inner = format!(
        "service_template:
  inputs: {{ text: {{ type: string, default: {text} }} }}
  node_templates: {{}}
  outputs: {{ size: {{ value: {{ $length: {{ $concat: [ {} ] }} }} }} }}
  substitution_mappings: {{ node_type: Database }}
",
        "{ $get_input: text }, ".repeat(300)
    );
    let [outer, inner] = services("tosca_2_0", types, [&outer, &inner]);
    assert_eq!(inner.evaluate(&Map::new()).service.outputs["size"].value, Some(Value::Integer(300_000)));
    assert_eq!(outer.nested(&[inner]), Err(NestingError::TooLarge));
}

#[test]
fn loops_end() {
    let recursive = "service_template:
  node_templates:
    self: { type: Database, directives: [ substitute ], properties: { size: 1 } }
    other: { type: Postgres, directives: [ substitute ], properties: { size: 1 } }
  substitution_mappings: { node_type: Database }
";
    let back = recursive.replace("Postgres", "Database").replace("{ node_type: Database }", "{ node_type: Postgres }");
    let [shop, recursive, back] = services("tosca_2_0", TYPES, [&shop("{ size: 1 }"), recursive, &back]);
    let nested = nested(&shop, &[recursive, back]);
    let db = &nested["db"];
    assert_eq!(db.nested.keys().map(|name| &**name).collect::<Vec<_>>(), ["self", "other"]);
    assert!(db.nested["self"].nested.is_empty() && db.nested["other"].nested.is_empty());
}
