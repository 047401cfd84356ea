//! Templates with many entries of a kind, most of them wrong.

use tosca_parse::form::Form;
use tosca_parse::normal::{Map, Service, Value};
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

use super::{Comparison, lines, size};

/// Makes a template with the given number of entries of a kind.
type Shape = fn(usize) -> String;

pub(super) const HEAD: &str = "tosca_definitions_version: tosca_2_0\n";

/// Shapes by name, each with the number of entries of the smaller template.
const SHAPES: &[(&str, usize, Shape)] = &[
    ("inputs that there are not", 500, |n| {
        let inputs = lines(n, |i| format!("    input_{i:06}: {{ type: string }}"));
        let calls = lines(n, |i| format!("        - {{ $get_input: inputs_{i:06} }}"));
        format!(
            "{HEAD}node_types: {{ A: {{ properties: {{ p: {{ type: list, entry_schema: string }} }} }} }}\n\
             service_template:\n  inputs:\n{inputs}  node_templates:\n    a:\n      type: A\n      properties:\n        p:\n{calls}"
        )
    }),
    ("node templates whose names have the same hash in `rustc-hash`", 1_000, |n| {
        let templates =
            lines(n, |i| format!("    sfcrljVRcujaxYJnxxxxxxxxxxxxxxxxkbeKX5gz{i:08}yyyyyyyyyyyyyyyy: {{ type: A }}"));
        format!("{HEAD}node_types: {{ A: {{}} }}\nservice_template:\n  node_templates:\n{templates}")
    }),
    ("keynames at the level of names", 1_000, |n| {
        let templates = lines(n, |i| format!("    n{i:06}:\n    type: A"));
        format!("{HEAD}node_types: {{ A: {{}} }}\nservice_template:\n  node_templates:\n{templates}")
    }),
    ("properties that there are not", 500, |n| {
        let defined = lines(n, |i| format!("      property_{i:06}: {{ type: string }}"));
        let given = lines(n, |i| format!("        propertys_{i:06}: x"));
        format!("{HEAD}node_types:\n  A:\n    properties:\n{defined}{}{given}", node_template("properties"))
    }),
    ("targets of policies whose type lists many types", 300, |n| {
        let types = lines(n, |i| format!("  T{i:06}: {{}}"));
        let listed = (0..n).map(|i| format!("T{i:06}")).collect::<Vec<_>>().join(", ");
        let nodes = lines(n, |i| format!("    n{i:06}: {{ type: T{:06} }}", n - 1 - i));
        let policies = lines(n, |i| format!("  - p{i:06}: {{ type: P, targets: [ n{i:06} ] }}"));
        format!(
            "{HEAD}node_types:\n{types}policy_types: {{ P: {{ targets: [ {listed} ] }} }}\n\
             service_template:\n  node_templates:\n{nodes}  policies:\n{policies}"
        )
    }),
    ("properties that capabilities of derived types add", 500, |n| {
        let types = lines(n, |i| {
            let parent = if i == 0 { String::new() } else { format!("derived_from: T{:06}, ", i - 1) };
            let added = format!("properties: {{ property_{i:06}: {{ type: string }} }}");
            format!("  T{i:06}: {{ {parent}capabilities: {{ c: {{ type: C, {added} }} }} }}")
        });
        format!("{HEAD}capability_types: {{ C: {{}} }}\nnode_types:\n{types}")
    }),
    ("types with a capability whose type lists many types", 300, |n| {
        let types = lines(n, |i| format!("  T{i:06}: {{ capabilities: {{ c: C }} }}"));
        let listed = (0..n).map(|i| format!("T{i:06}")).collect::<Vec<_>>().join(", ");
        format!("{HEAD}capability_types: {{ C: {{ valid_source_node_types: [ {listed} ] }} }}\nnode_types:\n{types}")
    }),
    ("relationship types that a capability type lists", 300, |n| {
        let types = lines(n, |i| format!("  R{i:06}: {{}}"));
        let listed = (0..n).map(|i| format!("R{i:06}")).collect::<Vec<_>>().join(", ");
        let nodes =
            lines(n, |i| format!("  T{i:06}: {{ requirements: [ r: {{ capability: C, relationship: R{i:06} }} ] }}"));
        format!(
            "{HEAD}relationship_types:\n{types}\
             capability_types: {{ C: {{ valid_relationship_types: [ {listed} ] }} }}\nnode_types:\n{nodes}"
        )
    }),
    ("clauses of one very long line", 2000, |n| {
        let property = |i| {
            format!("p{i:06}: {{ type: integer, default: {}, validation: {{ $greater_than: [ $value, 4 ] }} }}", i % 9)
        };
        let properties = (0..n).map(property).collect::<Vec<_>>().join(", ");
        format!("{HEAD}node_types: {{ A: {{ properties: {{ {properties} }} }} }}\n")
    }),
    ("keys that begin like a function", 1000, |n| {
        let given = lines(n, |i| format!("        - {{ get_property_{i:06}: x }}"));
        format!(
            "{HEAD}node_types: {{ A: {{ properties: {{ p: {{ type: list, entry_schema: {{ type: map, entry_schema: string }} }} }} }} }}\n{}        p:\n{given}",
            node_template("properties").trim_start_matches('\n')
        )
    }),
    ("members of a value that there are not", 500, |n| {
        let defined = lines(n, |i| format!("      member_{i:06}: {{ type: string }}"));
        let given = lines(n, |i| format!("          members_{i:06}: x"));
        format!(
            "{HEAD}data_types:\n  D:\n    properties:\n{defined}node_types: {{ A: {{ properties: {{ d: {{ type: D }} }} }} }}\n{}        d:\n{given}",
            node_template("properties").trim_start_matches('\n')
        )
    }),
    ("requirements that there are not", 500, |n| {
        let defined =
            lines(n, |i| format!("    - need_{i:06}: {{ capability: C, relationship: R, count_range: [ 0, 1 ] }}"));
        let given = lines(n, |i| format!("      - needs_{i:06}: a"));
        format!(
            "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\nnode_types:\n  A:\n    requirements:\n{defined}\
             service_template:\n  node_templates:\n    a:\n      type: A\n      requirements:\n{given}"
        )
    }),
    ("requirements", 500, |n| {
        let defined = lines(n, |i| format!("    - need_{i:06}: {{ capability: C, relationship: R, node: B }}"));
        let given = lines(n, |i| format!("      - need_{i:06}: b"));
        format!(
            "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\nnode_types:\n  B: {{ capabilities: {{ c: C }} }}\n  A:\n    requirements:\n{defined}\
             service_template:\n  node_templates:\n    b: {{ type: B }}\n    a:\n      type: A\n      requirements:\n{given}"
        )
    }),
    ("hosts on each other, pairs of them in loops", 500, |n| {
        let nodes = lines(n, |i| {
            let other = if i % 2 == 0 { i + 1 } else { i - 1 };
            format!("    n{i:06}: {{ type: A, requirements: [ host: n{other:06}, host: n{:06} ] }}", (i + 2).min(n - 1))
        });
        format!(
            "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ HostedOn: {{}} }}\n\
             node_types: {{ A: {{ capabilities: {{ c: C }}, requirements: [ host: {{ capability: C, relationship: HostedOn, count_range: [ 0, UNBOUNDED ] }} ] }} }}\n\
             service_template:\n  node_templates:\n{nodes}"
        )
    }),
    ("types that there are not", 200, |n| {
        let types = lines(n, |i| format!("  Type{i:06}: {{}}"));
        let nodes = lines(n, |i| format!("    node_{i:06}: {{ type: Types{i:06} }}"));
        format!("{HEAD}node_types:\n{types}service_template:\n  node_templates:\n{nodes}")
    }),
    ("capability types of requirements that there are not", 300, |n| {
        let types = lines(n, |i| format!("  Plug_{i:06}: {{}}"));
        let requirements = lines(n, |i| format!("    - r{i}: {{ capability: Plugs_{i:06}, node: A }}"));
        format!("{HEAD}capability_types:\n{types}node_types:\n  A:\n    requirements:\n{requirements}")
    }),
    ("node templates of event filters that there are not", 300, |n| {
        let nodes = lines(n, |i| format!("    node_{i:06}: {{ type: A }}"));
        let trigger = "event: e, action: [ { inline: w } ], target_filter: { node: nodes";
        let policies = lines(n, |i| format!("  - p{i}: {{ type: P, triggers: {{ t: {{ {trigger}_{i:06} }} }} }} }}"));
        format!(
            "tosca_definitions_version: tosca_simple_yaml_1_3\nnode_types: {{ A: {{ derived_from: tosca.nodes.Root }} }}\n\
             policy_types: {{ P: {{ derived_from: tosca.policies.Root }} }}\ntopology_template:\n  workflows: {{ w: {{}} }}\n  \
             node_templates:\n{nodes}  policies:\n{policies}"
        )
    }),
    ("node templates that there are not", 200, |n| {
        let nodes = lines(n, |i| format!("    node_{i:06}: {{ type: A, requirements: [ r: nodes_{i:06} ] }}"));
        format!(
            "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\n\
             node_types: {{ A: {{ requirements: [ r: {{ capability: C, relationship: R }} ] }} }}\nservice_template:\n  node_templates:\n{nodes}"
        )
    }),
    ("properties that lack a type, though there are similar ones", 500, |n| {
        let parent = lines(n, |i| format!("      property_{i:06}: {{ type: string }}"));
        let own = lines(n, |i| format!("      propertys_{i:06}: {{ required: false }}"));
        format!("{HEAD}node_types:\n  A:\n    properties:\n{parent}  B:\n    derived_from: A\n    properties:\n{own}")
    }),
    ("capabilities of which there is nothing to refine", 500, |n| {
        let types = lines(n, |i| format!("      property_{i:06}: {{ type: string }}"));
        let own = lines(n, |i| format!("          propertys_{i:06}: {{ required: false }}"));
        format!(
            "{HEAD}capability_types:\n  C:\n    properties:\n{types}node_types:\n  A:\n    capabilities:\n      c:\n        type: C\n        properties:\n{own}"
        )
    }),
    ("operations that there are not", 500, |n| {
        let defined = lines(n, |i| format!("      operation_{i:06}: {{}}"));
        let given = lines(n, |i| format!("            operations_{i:06}: run.sh"));
        format!(
            "{HEAD}interface_types:\n  I:\n    operations:\n{defined}node_types: {{ A: {{ interfaces: {{ i: {{ type: I }} }} }} }}\n\
             service_template:\n  node_templates:\n    a:\n      type: A\n      interfaces:\n        i:\n          operations:\n{given}"
        )
    }),
    ("paths to properties that there are not", 300, |n| {
        let defined = lines(n, |i| format!("      property_{i:06}: {{ type: string, required: false }}"));
        let calls =
            lines(n, |i| format!("    output_{i:06}: {{ value: {{ $get_property: [ a, propertys_{i:06} ] }} }}"));
        format!(
            "{HEAD}node_types:\n  A:\n    properties:\n{defined}service_template:\n  node_templates: {{ a: {{ type: A }} }}\n  outputs:\n{calls}"
        )
    }),
    ("repositories that there are not", 300, |n| {
        let defined = lines(n, |i| format!("  repository_{i:06}: {{ url: 'https://example.com' }}"));
        let imports = lines(n, |i| format!("- {{ url: x.yaml, repository: repositorys_{i:06} }}"));
        format!("{HEAD}repositories:\n{defined}imports:\n{imports}")
    }),
    ("steps that there are not", 500, |n| {
        workflow(n, |i| format!("        step_{i:06}: {{ activities: [], on_success: [ steps_{i:06} ] }}"))
    }),
    ("steps one after the other", 500, |n| {
        workflow(n, |i| format!("        step_{i:06}: {{ activities: [], on_success: [ step_{:06} ] }}", i + 1))
    }),
    ("workflows in each other", 500, |n| {
        let workflows = lines(n, |i| {
            let next = (i + 1) % n;
            format!("    w{i:06}: {{ steps: {{ a: {{ activities: [ inline: w{next:06} ] }} }} }}")
        });
        format!("{HEAD}service_template:\n  node_templates: {{}}\n  workflows:\n{workflows}")
    }),
    ("calls that lack the inputs of an operation", 300, |n| {
        let inputs = lines(n, |i| format!("          input_{i:06}: {{ type: string }}"));
        let calls =
            lines(n, |i| format!("        s{i:06}: {{ target: a, activities: [ {{ call_operation: I.create }} ] }}"));
        format!(
            "{HEAD}interface_types: {{ I: {{ operations: {{ create: {{}} }} }} }}\n\
             node_types:\n  A:\n    interfaces:\n      I:\n        type: I\n        inputs:\n{inputs}\
             service_template:\n  node_templates: {{ a: {{ type: A }} }}\n  workflows:\n    w:\n      steps:\n{calls}"
        )
    }),
    ("mapped capabilities that there are not", 300, |n| {
        let defined = lines(n, |i| format!("      capability_{i:06}: C"));
        let mapped = lines(n, |i| format!("      capabilitys_{i:06}: [ a, c ]"));
        format!(
            "{HEAD}capability_types: {{ C: {{}} }}\nnode_types:\n  A:\n    capabilities:\n{defined}  B: {{ capabilities: {{ c: C }} }}\n\
             service_template:\n  node_templates: {{ a: {{ type: B }} }}\n  substitution_mappings:\n    node_type: A\n    capabilities:\n{mapped}"
        )
    }),
    ("mapped requirements", 300, |n| {
        let defined = lines(n, |i| format!("    - requirement_{i:06}: {{ capability: C, relationship: R }}"));
        let mapped = lines(n, |i| format!("    - requirement_{i:06}: [ a, requirement_{i:06} ]"));
        format!(
            "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\nnode_types:\n  A:\n    requirements:\n{defined}\
             service_template:\n  node_templates: {{ a: {{ type: A }} }}\n  substitution_mappings:\n    node_type: A\n    requirements:\n{mapped}"
        )
    }),
    ("mapped requirements that there are not", 300, |n| {
        let defined = lines(n, |i| format!("    - requirement_{i:06}: {{ capability: C, relationship: R }}"));
        let mapped = lines(n, |i| format!("    - requirements_{i:06}: [ a, requirement{i:06} ]"));
        format!(
            "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\nnode_types:\n  A:\n    requirements:\n{defined}\
             service_template:\n  node_templates: {{ a: {{ type: A }} }}\n  substitution_mappings:\n    node_type: A\n    requirements:\n{mapped}"
        )
    }),
    ("members of a group that there are not", 200, |n| {
        let nodes = lines(n, |i| format!("    node_{i:06}: {{ type: A }}"));
        let members = lines(n, |i| format!("      - nodes_{i:06}"));
        format!(
            "{HEAD}node_types: {{ A: {{}} }}\ngroup_types: {{ G: {{}} }}\nservice_template:\n  node_templates:\n{nodes}  groups:\n    g:\n      type: G\n      members:\n{members}"
        )
    }),
    ("keynames that there are not", 500, |n| {
        let keys = lines(n, |i| format!("      descriptions{i:06}: x"));
        format!("{HEAD}node_types: {{ A: {{}} }}\nservice_template:\n  node_templates:\n    a:\n      type: A\n{keys}")
    }),
    ("keys that occur twice", 500, |n| {
        let keys = lines(2 * n, |i| format!("    node_{:06}: {{ type: A }}", i % n));
        format!("{HEAD}node_types: {{ A: {{}} }}\nservice_template:\n  node_templates:\n{keys}")
    }),
    ("data types that each add a condition", 100, |n| {
        let types = lines(n, |i| {
            let parent = if i == 0 { "integer".to_owned() } else { format!("D{:06}", i - 1) };
            format!("  D{i:06}: {{ derived_from: {parent}, validation: {{ $less_than: [ $value, {} ] }} }}", 9000 - i)
        });
        format!("{HEAD}data_types:\n{types}")
    }),
    ("paths in a relationship type that lists many types", 200, |n| {
        let types = lines(n, |i| format!("  T{i:06}: {{}}"));
        let listed = (0..n).map(|i| format!("T{i:06}")).collect::<Vec<_>>().join(", ");
        let properties = lines(n, |i| {
            format!("      p{i:06}: {{ type: string, default: {{ $get_property: [ SELF, TARGET, x{i:06} ] }} }}")
        });
        format!(
            "{HEAD}node_types:\n{types}relationship_types:\n  R:\n    valid_target_node_types: [ {listed} ]\n    \
             properties:\n{properties}"
        )
    }),
    // More than 1000 units are reported, so only the number of scalars grows.
    ("scalars of a type with many units", 300, |n| {
        let units = lines(900, |i| format!("      u{i:06}: {}", i + 1));
        let values = lines(n, |i| format!("        - {i} u{:06}", 7 * i % 900));
        format!(
            "{HEAD}data_types:\n  S:\n    derived_from: scalar\n    units:\n{units}\
             node_types: {{ A: {{ properties: {{ d: {{ type: list, entry_schema: S }} }} }} }}\n{}        d:\n{values}",
            node_template("properties").trim_start_matches('\n')
        )
    }),
    ("fixed maps that are the same again", 500, |n| {
        let value = (0..n).map(|i| format!("k{i:06}: x")).collect::<Vec<_>>().join(", ");
        format!(
            "{HEAD}node_types:\n  A: {{ properties: {{ p: {{ type: map, entry_schema: string, value: {{ {value} }} }} }} }}\n  \
             B: {{ derived_from: A, properties: {{ p: {{ type: map, value: {{ {value} }} }} }} }}\n"
        )
    }),
    ("values of a large type", 500, |n| {
        let defined = lines(n, |i| format!("      member_{i:06}: {{ type: string }}"));
        let given = lines(n, |i| format!("          member_{i:06}: x"));
        format!(
            "{HEAD}data_types:\n  D:\n    properties:\n{defined}node_types: {{ A: {{ properties: {{ d: {{ type: D }} }} }} }}\n{}        d:\n{given}",
            node_template("properties").trim_start_matches('\n')
        )
    }),
    ("texts that match a pattern", 200, |n| {
        let texts = lines(n, |i| format!("        - text{i}x"));
        format!(
            "{HEAD}data_types: {{ T: {{ derived_from: string, validation: {{ $matches: [ $value, '[a-z]+[0-9]+x' ] }} }} }}\n\
             node_types: {{ A: {{ properties: {{ p: {{ type: list, entry_schema: T }} }} }} }}\n{}        p:\n{texts}",
            node_template("properties").trim_start_matches('\n')
        )
    }),
    ("values that need each other", 200, |n| {
        let defined = lines(n, |i| format!("      p{i:06}: {{ type: string }}"));
        let given = lines(n, |i| {
            let next = (i + 1) % n;
            format!(
                "        p{i:06}: {{ $concat: [ {{ $get_property: [ SELF, p000000 ] }}, {{ $get_property: [ SELF, p{next:06} ] }} ] }}"
            )
        });
        format!("{HEAD}node_types:\n  A:\n    properties:\n{defined}{}{given}", node_template("properties"))
    }),
    ("paths with the indexes of relationships", 300, indexes),
    ("paths to the host of a node with many requirements", 150, |n| {
        let properties = lines(n, |i| format!("      p{i:06}: {{ type: string }}"));
        let capability = "{ capability: tosca.capabilities.Node, occurrences: [ 0, 1 ] }";
        let requirements = lines(n, |i| format!("    - r{i:06}: {capability}"));
        let values = lines(n, |i| format!("        p{i:06}: {{ get_property: [ HOST, x ] }}"));
        let assigned = lines(n, |i| format!("      - r{i:06}: h"));
        format!(
            "tosca_definitions_version: tosca_simple_yaml_1_3\nnode_types:\n  \
             H: {{ derived_from: tosca.nodes.Compute, properties: {{ x: {{ type: string }} }} }}\n  \
             A:\n    derived_from: tosca.nodes.SoftwareComponent\n    properties:\n{properties}    \
             requirements:\n{requirements}topology_template:\n  node_templates:\n    \
             h: {{ type: H, properties: {{ x: v }} }}\n    a:\n      type: A\n      \
             properties:\n{values}      requirements:\n{assigned}      - host: h\n"
        )
    }),
];

/// Returns a template with two requirements, each assigned many times, and outputs with paths through each assignment.
fn indexes(n: usize) -> String {
    let assigned = lines(n, |i| format!("      - {}: target", ["q", "r"][i % 2]));
    let outputs = lines(n, |i| {
        let (name, index) = (["q", "r"][i % 2], i / 2);
        format!("    o{i:06}: {{ value: {{ $get_property: [ a, RELATIONSHIP, {name}, {index}, TARGET, p ] }} }}")
    });
    let defined = ["q", "r"]
        .map(|name| format!("{name}: {{ capability: C, relationship: R, count_range: [ 0, UNBOUNDED ] }}"))
        .join(", ");
    format!(
        "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\n\
         node_types:\n  A: {{ requirements: [ {defined} ] }}\n  \
         T: {{ capabilities: {{ c: C }}, properties: {{ p: {{ type: string, default: x }} }} }}\n\
         service_template:\n  outputs:\n{outputs}  node_templates:\n    target: {{ type: T }}\n    \
         a:\n      type: A\n      requirements:\n{assigned}"
    )
}

fn evaluation(outputs: usize) -> usize {
    let outcome = parse(&indexes(outputs));
    let service = Service::of(&outcome.program).expect("there is a service template");
    let evaluation = service.evaluate(&Map::new());
    assert!(evaluation.service.outputs.values().all(|output| output.value == Some("x".into())));
    evaluation.problems.len()
}

/// Evaluates the union of a list of versions with itself.
fn union(versions: usize) -> usize {
    let listed: Vec<String> = (0..versions).map(|i| format!("\"1.{i}\"")).collect();
    let call = "{ $get_property: [ a, p ] }";
    let outcome = parse(&format!(
        "{HEAD}node_types: {{ A: {{ properties: {{ p: {{ type: list, entry_schema: version }} }} }} }}\n\
         service_template:\n  node_templates: {{ a: {{ type: A, properties: {{ p: [ {} ] }} }} }}\n  \
         outputs: {{ o: {{ value: {{ $union: [ {call}, {call} ] }} }} }}\n",
        listed.join(", ")
    ));
    let service = Service::of(&outcome.program).expect("there is a service template");
    let evaluation = service.evaluate(&Map::new());
    assert!(matches!(&evaluation.service.outputs["o"].value, Some(Value::List(items)) if items.len() == versions));
    evaluation.problems.len()
}

fn node_template(keyname: &str) -> String {
    format!("service_template:\n  node_templates:\n    a:\n      type: A\n      {keyname}:\n")
}

fn workflow(n: usize, step: impl Fn(usize) -> String) -> String {
    let steps = lines(n - 1, step);
    format!(
        "{HEAD}service_template:\n  node_templates: {{}}\n  workflows:\n    w:\n      steps:\n{steps}        step_{:06}: {{ activities: [] }}\n",
        n - 1
    )
}

pub(super) fn parse(text: &str) -> Outcome {
    let parser = Parser::builder(&TOSCA).threads(1).build().expect("there is a thread");
    parser.parse_entry(Entry::text(parser.address("service.yaml").expect("the path is valid"), text))
}

pub(super) fn comparisons() -> impl Iterator<Item = Comparison> {
    let work = |shape: &Shape| {
        let shape = *shape;
        move |n| size(&parse(&shape(n)))
    };
    let form = Comparison::growth("form of data types that each name the next one", 300, form);
    let evaluation = Comparison::growth("evaluation of paths with the indexes of relationships", 300, evaluation);
    let union = Comparison::growth("evaluation of a set of versions", 1_000, union);
    let parsed = SHAPES.iter().map(move |(name, n, shape)| Comparison::growth(name, *n, work(shape)));
    parsed.chain([form, evaluation, union])
}

fn form(types: usize) -> usize {
    let chain = lines(types, |i| format!("  t{i}: {{ properties: {{ p: {{ type: t{} }} }} }}", i + 1));
    let outcome = parse(&format!(
        "tosca_definitions_version: tosca_2_0\ndata_types:\n{chain}  t{types}: {{ derived_from: string }}\n\
         service_template:\n  inputs: {{ i: {{ type: t0 }} }}\n  node_templates: {{}}\n"
    ));
    assert!(outcome.is_valid(), "{:?}", outcome.diagnostics);
    Service::of(&outcome.program).map_or(0, |service| Form::of(&service).schema.to_string().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_the_problems_in_their_names() {
        for (what, n, shape) in SHAPES {
            let outcome = parse(&shape(*n));
            let codes: Vec<&str> = outcome.diagnostics.iter().map(|problem| problem.rule.code).collect();
            let is_syntax = codes.iter().any(|code| code.starts_with("T11") && *code != "T1102");
            assert!(!is_syntax && !codes.contains(&"T1205"), "{what}: {:?}", outcome.diagnostics.first());
            if what.ends_with("there are not") {
                assert!(codes.len() >= *n, "{what}: {} problems", codes.len());
            }
        }
    }
}
