//! Templates that are valid by construction, and the same templates with one mistake that breaks exactly one rule.

use std::fmt::Write as _;
use tosca_parse::normal::Service;

use proptest::prelude::*;

use super::{cases, parse};

/// The kinds of properties: the type, and one of its values.
const KINDS: &[(&str, &str)] = &[
    ("string", "some text"),
    ("string", "\"1\""),
    ("integer", "-7"),
    ("integer", "0x1F"),
    ("float", "1.5e3"),
    ("float", "2"),
    ("boolean", "true"),
    ("timestamp", "'2026-11-21T10:00:00Z'"),
    ("version", "'1.2.3'"),
    ("bytes", "aGFsbG8="),
    ("Port", "8080"),
    ("Size", "4 kB"),
    ("Address", "{ street: Main, number: 1 }"),
];

#[derive(Clone, Debug)]
struct Property {
    kind: usize,
    is_required: bool,
    has_default: bool,
    /// Whether the property is a list or map of its kind.
    is_list: bool,
    is_map: bool,
}

#[derive(Clone, Debug)]
struct Type {
    /// A number that represents an earlier type, or the base.
    parent: usize,
    properties: Vec<Property>,
}

#[derive(Clone, Debug)]
struct Template {
    node_type: usize,
    /// Numbers that represent any templates.
    peers: Vec<usize>,
    has_optional: bool,
}

#[derive(Clone, Debug)]
struct Model {
    types: Vec<Type>,
    templates: Vec<Template>,
}

/// A mistake, and the rule that it breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    None,
    Keyname,
    MissingProperty,
    WrongType,
    Validation,
    UnknownType,
    UnknownParent,
    DerivationLoop,
    UnknownProperty,
    UnknownRequirement,
    UnknownTarget,
    UnknownInput,
    UnknownFunction,
    DuplicateKey,
    WrongKind,
    Null,
    Count,
    Word,
    Member,
}

const MISTAKES: &[(Mistake, &str)] = &[
    (Mistake::Keyname, "T1201"),
    (Mistake::MissingProperty, "T5106"),
    (Mistake::WrongType, "T5101"),
    (Mistake::Validation, "T5108"),
    (Mistake::UnknownType, "T2001"),
    (Mistake::UnknownParent, "T2001"),
    (Mistake::DerivationLoop, "T3001"),
    (Mistake::UnknownProperty, "T5001"),
    (Mistake::UnknownRequirement, "T5001"),
    (Mistake::UnknownTarget, "T2001"),
    (Mistake::UnknownInput, "T5211"),
    (Mistake::UnknownFunction, "T5201"),
    (Mistake::DuplicateKey, "T1102"),
    (Mistake::WrongKind, "T1205"),
    (Mistake::Null, "T1206"),
    (Mistake::Count, "T5307"),
    (Mistake::Word, "T1313"),
    (Mistake::Member, "T2001"),
];

fn model() -> impl Strategy<Value = Model> {
    let property = (0..KINDS.len(), any::<[bool; 4]>()).prop_map(|(kind, [required, default, list, map])| Property {
        kind,
        is_required: required,
        has_default: required && default,
        is_list: list && !map,
        is_map: map && !list,
    });
    let types = prop::collection::vec(
        (any::<usize>(), prop::collection::vec(property, 0..4))
            .prop_map(|(parent, properties)| Type { parent, properties }),
        1..6,
    );
    let templates = prop::collection::vec(
        (any::<usize>(), prop::collection::vec(any::<usize>(), 0..4), any::<bool>())
            .prop_map(|(node_type, peers, has_optional)| Template { node_type, peers, has_optional }),
        1..6,
    );
    (types, templates).prop_map(|(types, templates)| Model { types, templates })
}

impl Property {
    fn definition(&self) -> String {
        let (kind, value) = KINDS[self.kind];
        let of_type = match (self.is_list, self.is_map) {
            (true, _) => format!("type: list, entry_schema: {kind}"),
            (_, true) => format!("type: map, entry_schema: {kind}"),
            _ => format!("type: {kind}"),
        };
        let default = if self.has_default { format!(", default: {}", self.around(value)) } else { String::new() };
        format!("{{ {of_type}, required: {}{default} }}", self.is_required)
    }

    fn around(&self, value: &str) -> String {
        match (self.is_list, self.is_map) {
            (true, _) => format!("[ {value}, {value} ]"),
            (_, true) => format!("{{ a: {value} }}"),
            _ => value.to_owned(),
        }
    }
}

impl Model {
    fn parent(&self, number: usize) -> Option<usize> {
        // The first one is derived from the base, as some others are.
        match self.types[number].parent % (number + 1) {
            0 => None,
            parent => Some(parent - 1),
        }
    }

    /// Returns the template as text, with a mistake in one of its templates or types.
    fn text(&self, mistake: Mistake, place: usize) -> String {
        let mut text = "tosca_definitions_version: tosca_2_0\n\
            capability_types:\n  Link: {}\n\
            relationship_types:\n  LinksTo: { valid_capability_types: [ Link ] }\n\
            data_types:\n\
            \x20 Port: { derived_from: integer, validation: { $less_or_equal: [ $value, 65535 ] } }\n\
            \x20 Size: { derived_from: scalar, data_type: float, units: { B: 1 }, prefixes: { '': 1, k: 1000 } }\n\
            \x20 Address: { properties: { street: { type: string }, number: { type: integer, required: false } } }\n\
            node_types:\n\
            \x20 Base:\n"
            .to_owned();
        let mut add = |line: &str| text = std::mem::take(&mut text) + line + "\n";
        if mistake == Mistake::DerivationLoop {
            add("    derived_from: T0");
        }
        let least = if mistake == Mistake::Count { "[ 5, 9 ]" } else { "[ 0, UNBOUNDED ]" };
        add("    properties:");
        add("      id: { type: integer, validation: { $greater_or_equal: [ $value, 1 ] } }");
        add("    capabilities: { link: Link }");
        add("    requirements:");
        add(&format!("      - peer: {{ capability: Link, node: Base, relationship: LinksTo, count_range: {least} }}"));
        for (number, Type { properties, .. }) in self.types.iter().enumerate() {
            add(&format!("  T{number}:"));
            match self.parent(number) {
                _ if mistake == Mistake::UnknownParent && number == place % self.types.len() => {
                    add("    derived_from: Bass");
                }
                Some(parent) => add(&format!("    derived_from: T{parent}")),
                None => add("    derived_from: Base"),
            }
            if !properties.is_empty() {
                add("    properties:");
            }
            for (index, property) in properties.iter().enumerate() {
                add(&format!("      p{number}_{index}: {}", property.definition()));
            }
        }
        add("service_template:");
        add("  inputs: { id: { type: integer, default: 3 } }");
        add("  node_templates:");
        for number in 0..self.templates.len() {
            let is_here = number == place % self.templates.len();
            add(&self.template(number, if is_here { mistake } else { Mistake::None }));
        }
        if mistake == Mistake::Member {
            add("  workflows: { w: { steps: { s: { target: nobody, activities: [ { set_state: started } ] } } } }");
        }
        text
    }

    fn template(&self, number: usize, mistake: Mistake) -> String {
        let Template { node_type, peers, has_optional } = &self.templates[number];
        let node_type = node_type % self.types.len();
        let mut lines = Vec::new();
        lines.push(format!("    n{number}:"));
        lines.push(match mistake {
            Mistake::UnknownType => "      type: Tea".to_owned(),
            _ => format!("      type: T{node_type}"),
        });
        match mistake {
            Mistake::Keyname => lines.push("      descripton: a node".to_owned()),
            Mistake::Null => lines.push("      description:".to_owned()),
            Mistake::Word => lines.push("      directives: [ make ]".to_owned()),
            Mistake::WrongKind => lines.push("      artifacts: [ a ]".to_owned()),
            _ => lines.push("      description: a node".to_owned()),
        }
        let id = match mistake {
            Mistake::MissingProperty => None,
            Mistake::WrongType => Some("one"),
            Mistake::Validation => Some("0"),
            Mistake::UnknownInput => Some("{ $get_input: ib }"),
            Mistake::UnknownFunction => Some("{ $get_inputs: id }"),
            _ if number.is_multiple_of(2) => Some("{ $get_input: id }"),
            _ => Some("1"),
        };
        let mut properties: Vec<String> = id.map(|id| format!("        id: {id}")).into_iter().collect();
        if mistake == Mistake::DuplicateKey {
            properties.push("        id: 7".to_owned());
        }
        if mistake == Mistake::UnknownProperty {
            properties.push("        ib: 7".to_owned());
        }
        let mut lineage = Some(node_type);
        while let Some(of_type) = lineage {
            for (index, property) in self.types[of_type].properties.iter().enumerate() {
                if property.is_required && !property.has_default || *has_optional {
                    let value = property.around(KINDS[property.kind].1);
                    properties.push(format!("        p{of_type}_{index}: {value}"));
                }
            }
            lineage = self.parent(of_type);
        }
        if !properties.is_empty() {
            lines.push("      properties:".to_owned());
            lines.extend(properties);
        }
        let mut requirements: Vec<String> =
            peers.iter().map(|peer| format!("        - peer: n{}", peer % self.templates.len())).collect();
        match mistake {
            Mistake::UnknownRequirement => requirements.push("        - pear: n0".to_owned()),
            Mistake::UnknownTarget => requirements.push("        - peer: nobody".to_owned()),
            Mistake::Count if requirements.is_empty() => requirements.push("        - peer: n0".to_owned()),
            _ => {}
        }
        if !requirements.is_empty() {
            lines.push("      requirements:".to_owned());
            lines.extend(requirements);
        }
        lines.join("\n")
    }
}

/// Returns the problems of a text, one per line.
fn problems(text: &str) -> String {
    parse(text).diagnostics.iter().fold(String::new(), |mut lines, problem| {
        writeln!(lines, "{} {}", problem.rule.code, problem.message).unwrap();
        lines
    })
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn models_without_mistakes_are_valid(model in model()) {
        let text = model.text(Mistake::None, 0);
        let outcome = parse(text.clone());
        prop_assert_eq!(&outcome.diagnostics, &[], "{}", text);
        prop_assert_eq!(Service::of(&outcome.program).unwrap().nodes.len(), model.templates.len());
    }

    #[test]
    fn one_mistake_breaks_one_rule(
        (model, place) in (model(), any::<usize>()),
        (mistake, code) in prop::sample::select(MISTAKES),
    ) {
        let mut model = model;
        if mistake == Mistake::Count {
            // The template with the requirement would have too few connections.
            model.templates.truncate(1);
            model.templates[0].peers.truncate(3);
        }
        if mistake == Mistake::DerivationLoop {
            // Types outside the loop that are derived from one within it would also be reported.
            model.types.truncate(1);
        }
        let text = model.text(mistake, place);
        let found = problems(&text);
        let is_it = found.lines().count() == 1 && found.starts_with(code);
        prop_assert!(is_it, "{mistake:?} should be {code} alone, but is:\n{found}{text}");
    }
}

#[test]
fn every_mistake_is_found() {
    let property = Property { kind: 0, is_required: true, has_default: false, is_list: false, is_map: false };
    let model = Model {
        types: vec![Type { parent: 0, properties: vec![property] }],
        templates: vec![Template { node_type: 0, peers: vec![0], has_optional: true }],
    };
    assert_eq!(problems(&model.text(Mistake::None, 0)), "");
    for (mistake, code) in MISTAKES {
        let found = problems(&model.text(*mistake, 0));
        assert!(found.lines().count() == 1 && found.starts_with(code), "{mistake:?} should be {code}:\n{found}");
    }
}
