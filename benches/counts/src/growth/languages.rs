//! Templates of Heat and blueprints of Cloudify in which one count might multiply another.

use std::sync::Arc;

use tosca_parse::cloudify::CLOUDIFY;
use tosca_parse::entity::{Language, ModelLimits};
use tosca_parse::heat::HEAT;
use tosca_parse::source::{Address, MemoryProvider};
use tosca_parse::{Entry, Outcome, Parser};

use super::{Comparison, lines, size};

/// Files by path. The entry is `main.yaml`, and `e.yaml` is an environment.
type Files = Vec<(String, String)>;

const HEAT_HEAD: &str = "heat_template_version: 2021-04-16\n";
const CLOUDIFY_HEAD: &str = "tosca_definitions_version: cloudify_dsl_1_5\nrelationships:\n  \
                             cloudify.relationships.depends_on: {}\n  \
                             cloudify.relationships.contained_in: { derived_from: cloudify.relationships.depends_on }\n";

/// A shape: its name, the count of the smaller input, and a function that makes the files for a count.
type Shape = (&'static str, usize, fn(usize) -> Files);

const SHAPES: &[Shape] = &[
    ("Heat resources that depend on the next one", 300, |n| {
        heat(&format!("resources:\n{}", lines(n, |i| resource(i, &format!("depends_on: r{}", (i + 1).min(n - 1))))))
    }),
    ("Heat resources in loops", 300, |n| {
        heat(&format!(
            "resources:\n{}",
            lines(n, |i| resource(i, &format!("depends_on: [ r{}, r{} ]", i ^ 1, (i + 2) % n)))
        ))
    }),
    ("Heat parameters and environments that do not agree", 300, |n| {
        let mut files = heat(&format!("parameters:\n{}", lines(n, |i| format!("  name{i:06}: {{ type: string }}"))));
        files.push(("e.yaml".to_owned(), format!("parameters:\n{}", lines(n, |i| format!("  names{i:06}: a")))));
        files
    }),
    ("Heat types that patterns replace", 300, |n| {
        let mut files = heat(&format!("resources:\n{}", lines(n, |i| format!("  r{i}: {{ type: A{i} }}"))));
        files.push(("e.yaml".to_owned(), format!("resource_registry: {{ 'A*': 'A{}*' }}\n", "A".repeat(n))));
        files
    }),
    ("Heat parameters of a nested template without values", 200, |n| {
        let mut files = heat(&format!("resources:\n{}", lines(n, |i| format!("  r{i}: {{ type: nested.yaml }}"))));
        let parameters = lines(n, |i| format!("  p{i}: {{ type: string }}"));
        files.push(("nested.yaml".to_owned(), format!("{HEAT_HEAD}parameters:\n{parameters}")));
        files
    }),
    ("Heat attributes that a nested template lacks", 200, |n| {
        let outputs = lines(n, |i| format!("  o{i}: {{ value: {{ get_attr: [ a, outputs{i:06} ] }} }}"));
        let mut files = heat(&format!("resources: {{ a: {{ type: nested.yaml }} }}\noutputs:\n{outputs}"));
        let outputs = lines(n, |i| format!("  output{i:06}: {{ value: 1 }}"));
        files.push(("nested.yaml".to_owned(), format!("{HEAT_HEAD}outputs:\n{outputs}")));
        files
    }),
    ("Heat conditions that use the one before twice", 300, |n| {
        let conditions = lines(n, |i| format!("  c{}: {{ and: [ c{i}, c{i} ] }}", i + 1));
        heat(&format!(
            "conditions:\n  c0: true\n{conditions}resources: {{ a: {{ type: OS::Heat::None, condition: c{n} }} }}\n"
        ))
    }),
    ("Heat conditions that compare a long value", 200, |n| {
        let items = lines(n, |i| format!("    - {i}"));
        let conditions = lines(n, |i| format!("  c{i}: {{ equals: [ {{ get_param: p }}, {i} ] }}"));
        heat(&format!(
            "parameters:\n  p:\n    type: json\n    default:\n{}conditions:\n{conditions}",
            items.replace("    -", "      -")
        ))
    }),
    ("Heat values of a list that are all allowed", 500, |n| {
        let values = (0..n).map(|i| format!("v{i}")).collect::<Vec<_>>().join(",");
        heat(&format!(
            "parameters:\n  p: {{ type: comma_delimited_list, default: '{values}', constraints: [ allowed_values: [ {values} ] ] }}\n"
        ))
    }),
    ("Cloudify nodes in the next one", 200, |n| {
        cloudify(&nodes(n, |i| {
            let next = if i + 1 < n { format!("n{}", i + 1) } else { "n0".to_owned() };
            let kind = if i + 1 < n { "contained_in" } else { "depends_on" };
            format!("relationships: [ {{ type: cloudify.relationships.{kind}, target: {next} }} ]")
        }))
    }),
    ("Cloudify values of the node before", 200, |n| {
        cloudify(&nodes(n, |i| format!("properties: {{ p: {{ get_property: [ n{}, p ] }} }}", i.saturating_sub(1))))
    }),
    ("Cloudify nodes that there are not", 200, |n| {
        let outputs = lines(n, |i| format!("  o{i}: {{ value: {{ get_property: [ nodes{i:06}, p ] }} }}"));
        cloudify(&format!("{}outputs:\n{outputs}", nodes(n, |_| "properties: {}".to_owned())))
    }),
    ("Cloudify properties of nodes without values", 100, |n| {
        let properties = lines(n, |i| format!("      p{i}: {{}}"));
        cloudify(&format!(
            "node_types:\n  u:\n    properties:\n{properties}node_templates:\n{}",
            lines(n, |i| format!("  n{i}: {{ type: u }}"))
        ))
    }),
    ("Cloudify operations of nodes without a plugin", 100, |n| {
        let operations = lines(n, |i| format!("        o{i}: q.run"));
        cloudify(&format!(
            "node_types:\n  u:\n    interfaces:\n      i:\n{operations}node_templates:\n{}",
            lines(n, |i| format!("  n{i}: {{ type: u }}"))
        ))
    }),
    ("Cloudify relationship types of the one before", 200, |n| {
        let types = lines(n, |i| format!("  r{}: {{ derived_from: r{i} }}", i + 1));
        let base = "  r0: { derived_from: cloudify.relationships.depends_on }\n";
        let nodes = nodes(n, |i| format!("relationships: [ {{ type: r{n}, target: n{} }} ]", i.saturating_sub(1)));
        cloudify(&format!("{base}{types}{nodes}"))
    }),
    ("Cloudify groups in the next one", 200, |n| {
        let groups = lines(n, |i| format!("  g{i}: {{ members: [ n{i}, g{} ] }}", i + 1));
        let policies = lines(n, |i| format!("  s{i}: {{ type: cloudify.policies.scaling, targets: [ g{i} ] }}"));
        let nodes = nodes(n, |_| "properties: {}".to_owned());
        cloudify(&format!("{nodes}groups:\n{groups}  g{n}: {{ members: [ n0 ] }}\npolicies:\n{policies}"))
    }),
    ("Cloudify files under namespaces of their own", 12, |n| {
        let imports = lines(n, |i| format!("- x{i}--f{i}.yaml"));
        let file = nodes(12, |_| "properties: {}".to_owned());
        let files = (0..n).map(|i| (format!("f{i}.yaml"), file.clone()));
        files.chain(cloudify(&format!("imports:\n{imports}"))).collect()
    }),
    ("Cloudify strings of one long string", 100, |n| {
        let calls = lines(n, |_| "      - { string_upper: { get_input: a } }".to_owned());
        let input = format!("inputs: {{ a: {{ default: {} }} }}\n", "x".repeat(100 * n));
        cloudify(&format!("{input}outputs:\n  o:\n    value:\n      concat:\n{calls}"))
    }),
    ("Cloudify items that match a pattern", 200, |n| {
        let items = lines(n, |i| format!("    - item{i}"));
        cloudify(&format!(
            "inputs:\n  a:\n    type: list\n    item_type: string\n    constraints: [ pattern: 'item[0-9]+' ]\n    default:\n{items}"
        ))
    }),
    ("Cloudify items that are all allowed", 200, |n| {
        let items = lines(n, |i| format!("    - {{ a: [ {i} ] }}"));
        cloudify(&format!(
            "inputs:\n  a:\n    type: list\n    item_type: dict\n    default:\n{items}    constraints:\n    - valid_values:\n{}",
            items.replace("    -", "      -")
        ))
    }),
];

fn heat(rest: &str) -> Files {
    vec![("main.yaml".to_owned(), format!("{HEAT_HEAD}{rest}"))]
}

fn resource(number: usize, rest: &str) -> String {
    format!("  r{number}: {{ type: OS::Heat::None, {rest} }}")
}

/// A blueprint. The rest can begin with relationship types.
fn cloudify(rest: &str) -> Files {
    vec![("main.yaml".to_owned(), format!("{CLOUDIFY_HEAD}{rest}"))]
}

fn nodes(n: usize, rest: impl Fn(usize) -> String) -> String {
    let types = "node_types: { t: { properties: { p: { required: false } } } }\n";
    format!("{types}node_templates:\n{}", lines(n, |i| format!("  n{i}: {{ type: t, {} }}", rest(i))))
}

fn parse(name: &str, files: Files) -> Outcome {
    let language: &'static Language = if name.starts_with("Heat") { &HEAT } else { &CLOUDIFY };
    let address = |path: &str| Address::parse(&format!("memory:/{path}")).expect("the path is valid");
    let memory = MemoryProvider::new();
    let has_environment = files.iter().any(|(path, _)| path == "e.yaml");
    for (path, text) in files {
        memory.insert(address(&path), text);
    }
    // A plan may be larger than its blueprint, up to a limit. Without values that are allowed in any case, the limit is
    // proportional to the text.
    let mut limits = ModelLimits::default();
    limits.values = 0;
    let parser = Parser::builder(language).provider(Arc::new(memory)).model_limits(limits).threads(1);
    let parser = parser.build().expect("there is a thread");
    let entry = Entry::at(address("main.yaml"));
    parser.parse_entry(if has_environment { entry.option("environment", address("e.yaml")) } else { entry })
}

pub(super) fn comparisons() -> impl Iterator<Item = Comparison> {
    SHAPES.iter().map(|(name, n, shape)| {
        Comparison::growth(name, *n, move |n| {
            let outcome = parse(name, shape(n));
            if let Some(Ok(model)) = (outcome.program.language().expect("there is a file").model)(&outcome.program) {
                serde_json::to_writer(std::io::sink(), &model).expect("a model is data");
            }
            size(&outcome)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_languages_have_no_other_problems() {
        for (name, n, shape) in SHAPES {
            let outcome = parse(name, shape(*n));
            let codes: Vec<&str> = outcome.diagnostics.iter().map(|problem| problem.rule.code).collect();
            let is_syntax = |code: &&&str| code.starts_with("T1") || **code == "T2004";
            assert!(!codes.iter().any(|code| is_syntax(&code)), "{name}: {:?}", outcome.diagnostics.first());
        }
    }
}
