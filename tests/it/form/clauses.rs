//! Checks that the validator, the evaluated model, `migrate` and the form agree on the values that fulfill a clause.
//!
//! For every value, the validator and the conditions of the evaluated model give the same result. The conditions that
//! `migrate` writes are those of the model. A form accepts each value that the validator accepts. It rejects all other
//! values if JSON Schema has keywords for the clause.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value as Json, json};
use tosca_parse::diagnostic::{Severity, edit};
use tosca_parse::form::Form;
use tosca_parse::grammar::version;
use tosca_parse::migrate::migrate;
use tosca_parse::normal::{Service, Value};
use tosca_parse::rules::VALIDATION_FAILED;
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    V1_3,
    V2_0,
}
use Version::{V1_3, V2_0};

/// A type, and some of its values.
#[derive(Clone, Debug)]
struct Type {
    definition: &'static str,
    versions: &'static [Version],
    kind: Kind,
    values: Vec<Json>,
    /// Whether values are only equal if they are written in the same way.
    is_exact: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    String,
    Number,
    Other,
    /// A type with an order that JSON Schema does not have.
    Ordered,
    Range,
    List,
    Map,
    Complex,
}

fn types() -> Vec<Type> {
    let of = |definition, versions, kind, is_exact, values: Json| {
        let Json::Array(values) = values else { panic!("a list") };
        Type { definition, versions, kind, values, is_exact }
    };
    let (both, old, new): (&[_], &[_], &[_]) = (&[V1_3, V2_0], &[V1_3], &[V2_0]);
    let sizes = || json!(["1 GB", "1000 MB", "1.0 GB", "2 GB", "1 MB"]);
    let lists = || json!([["1 GB"], ["1000 MB"], [], ["2 GB", "1 GB"]]);
    vec![
        of("string", both, Kind::String, true, json!(["", "a", "b", "ab", "xaby", "abab", "é", "a\nb", "b\na"])),
        of("integer", both, Kind::Number, true, json!([-1, 0, 1, 2, 5, i64::MAX])),
        of("float", both, Kind::Number, true, json!([-0.5, 0, 0.0, 0.1, 1, 1.5, 2, 1e30])),
        of("boolean", both, Kind::Other, true, json!([true, false])),
        of("version", both, Kind::Ordered, false, json!(["1.0", "1.0.0", "1.1", "2.0.0.beta-1", "2.0"])),
        of("timestamp", both, Kind::Ordered, false, {
            json!([
                "2020-01-01T00:00:00Z",
                "2020-01-01T01:00:00+01:00",
                "2020-01-01T00:00:00.0Z",
                "2021-06-01T00:00:00Z"
            ])
        }),
        of("bytes", new, Kind::Other, false, json!(["", "YQ==", "YWI=", "YQ =="])),
        of("scalar-unit.size", old, Kind::Ordered, false, sizes()),
        of("Size", new, Kind::Ordered, false, sizes()),
        of("range", old, Kind::Range, true, json!([[1, 2], [1, "UNBOUNDED"], [0, 5], [2, 3]])),
        of("list, entry_schema: string", both, Kind::List, true, json!([[], ["a"], ["a", "b"], ["b", "a"]])),
        of("list, entry_schema: scalar-unit.size", old, Kind::List, false, lists()),
        of("list, entry_schema: Size", new, Kind::List, false, lists()),
        of(
            "list, entry_schema: { type: list, entry_schema: Size }",
            new,
            Kind::List,
            false,
            json!([[["1 GB"]], [["1000 MB"]]]),
        ),
        of(
            "map, entry_schema: integer",
            both,
            Kind::Map,
            true,
            json!([{}, { "a": 1 }, { "a": 1, "b": 2 }, { "b": 2, "a": 1 }]),
        ),
        of("Point", both, Kind::Complex, false, json!([{ "x": 1 }, { "x": 1, "y": 0 }, { "y": 0, "x": 1 }])),
    ]
}

/// A condition for a value.
#[derive(Clone, Debug)]
enum Clause {
    /// A comparison with a value.
    Compare(&'static str, Json),
    /// A comparison of the length.
    Length(&'static str, u32),
    InRange(Json, Option<Json>),
    ValidValues(Vec<Json>),
    Matches(&'static str),
    /// A call of another function of 2.0 with the value and another argument.
    Call(&'static str, Json),
    Junction(&'static str, Vec<Clause>),
}

const PATTERNS: &[&str] = &["ab", "a*", "a|b", "^a", "b$", "^ab$", "^a|b$", "^(a|b)$", "", ".", "[a-z]+", "^.$"];

impl Type {
    fn has_order(&self, version: Version) -> bool {
        matches!(self.kind, Kind::Number | Kind::Ordered) || self.kind == Kind::String && version == V1_3
    }

    /// Returns simple clauses that exist in both versions.
    fn clause(&self, version: Version) -> BoxedStrategy<Clause> {
        let value = || select(self.values.clone());
        let mut clauses = vec![
            value().prop_map(|value| Clause::Compare("equal", value)).boxed(),
            prop::collection::vec(value(), 1..4).prop_map(Clause::ValidValues).boxed(),
        ];
        if self.has_order(version) {
            let function = select(vec!["greater_than", "greater_or_equal", "less_than", "less_or_equal"]);
            clauses.push((function, value()).prop_map(|(function, value)| Clause::Compare(function, value)).boxed());
        }
        if self.kind == Kind::Number {
            let bounds = (value(), prop::option::of(value()));
            let ordered = |(one, other): (Json, Option<Json>)| match other {
                Some(other) if one.as_f64() > other.as_f64() => Clause::InRange(other, Some(one)),
                other => Clause::InRange(one, other),
            };
            clauses.push(bounds.prop_map(ordered).boxed());
        }
        if self.kind == Kind::Range {
            let bounds = (0..3, prop::option::of(3..6));
            clauses
                .push(bounds.prop_map(|(lower, upper)| Clause::InRange(json!(lower), upper.map(Json::from))).boxed());
        }
        if matches!(self.kind, Kind::String | Kind::List | Kind::Map | Kind::Complex) {
            let functions: &[_] = match version {
                V1_3 => &["equal", "greater_or_equal", "less_or_equal"],
                V2_0 => &["equal", "greater_or_equal", "less_or_equal", "greater_than", "less_than"],
            };
            let length = (select(functions), 0..4_u32);
            clauses.push(length.prop_map(|(function, length)| Clause::Length(function, length)).boxed());
        }
        if self.kind == Kind::String {
            clauses.push(select(PATTERNS).prop_map(Clause::Matches).boxed());
        }
        prop::strategy::Union::new(clauses).boxed()
    }

    /// Returns clauses of 2.0, with nested ones.
    fn condition(&self) -> BoxedStrategy<Clause> {
        let mut leaf = self.clause(V2_0);
        let function: &[_] = match self.kind {
            Kind::String => &["has_prefix", "has_suffix", "contains"],
            Kind::List if self.is_exact => &["has_prefix", "has_suffix", "contains"],
            _ => &[],
        };
        if !function.is_empty() {
            let call = (select(function), select(self.values.clone()));
            leaf =
                prop_oneof![3 => leaf, 1 => call.prop_map(|(function, value)| Clause::Call(function, value))].boxed();
        }
        let junction = |inner: BoxedStrategy<Clause>| {
            let several = || prop::collection::vec(inner.clone(), 2..4);
            prop_oneof![
                (select(vec!["and", "or"]), several()).prop_map(|(name, parts)| Clause::Junction(name, parts)),
                prop::collection::vec(inner.clone(), 2..3).prop_map(|parts| Clause::Junction("xor", parts)),
                inner.prop_map(|part| Clause::Junction("not", vec![part])),
            ]
        };
        leaf.prop_recursive(2, 8, 3, junction).boxed()
    }
}

impl Clause {
    fn to_1_3(&self) -> Json {
        let (name, operand) = match self {
            Self::Compare(function, value) => (*function, value.clone()),
            Self::Length("equal", length) => ("length", json!(length)),
            Self::Length("greater_or_equal", length) => ("min_length", json!(length)),
            Self::Length(_, length) => ("max_length", json!(length)),
            Self::InRange(lower, upper) => ("in_range", json!([lower, upper.clone().unwrap_or(json!("UNBOUNDED"))])),
            Self::ValidValues(values) => ("valid_values", json!(values)),
            Self::Matches(pattern) => ("pattern", json!(pattern)),
            Self::Call(..) | Self::Junction(..) => panic!("1.3 has no such clause"),
        };
        json!({ name: operand })
    }

    fn to_2_0(&self) -> Json {
        let call = |name: &str, arguments: Json| json!({ (format!("${name}")): arguments });
        match self {
            Self::Compare(function, value) | Self::Call(function, value) => call(function, json!(["$value", value])),
            Self::Length(function, length) => call(function, json!([{ "$length": ["$value"] }, length])),
            Self::InRange(lower, None) => call("greater_or_equal", json!(["$value", lower])),
            Self::InRange(lower, Some(upper)) => {
                let (lower, upper) = (json!(["$value", lower]), json!(["$value", upper]));
                call("and", json!([call("greater_or_equal", lower), call("less_or_equal", upper)]))
            }
            Self::ValidValues(values) => call("valid_values", json!(["$value", values])),
            Self::Matches(pattern) => call("matches", json!(["$value", pattern])),
            Self::Junction(name, parts) => call(name, parts.iter().map(Self::to_2_0).collect()),
        }
    }

    /// Returns whether JSON Schema has keywords for the clause and values of a type.
    fn has_keywords(&self, of_type: &Type) -> bool {
        match self {
            Self::Compare("equal", _) | Self::ValidValues(_) => of_type.is_exact,
            Self::Compare(..) | Self::InRange(..) => of_type.kind == Kind::Number,
            // No length is less than 0, and missing members may have defaults.
            Self::Length(function, length) => (*function, *length) != ("less_than", 0) && of_type.kind != Kind::Complex,
            Self::Matches(_) => true,
            Self::Call(..) | Self::Junction("not", _) => false,
            Self::Junction(_, parts) => parts.iter().all(|part| part.has_keywords(of_type)),
        }
    }
}

static PARSER: LazyLock<Parser> = LazyLock::new(|| Parser::builder(&TOSCA).offline(true).build().unwrap());

fn parse(text: &str, inputs: Option<&Json>) -> Outcome {
    let entry = Entry::text(PARSER.address("memory:service.yaml").unwrap(), text);
    PARSER.parse_entry(match inputs {
        Some(inputs) => entry.inputs("inputs", inputs.to_string()),
        None => entry,
    })
}

fn template(version: Version, of_type: &Type, clauses: &[Clause]) -> String {
    let point = "Point: { properties: { x: { type: integer }, y: { type: integer, required: false } } }";
    let definition = of_type.definition;
    match version {
        V1_3 => {
            let clauses: Json = clauses.iter().map(Clause::to_1_3).collect();
            let data_types = point.replace("properties", "derived_from: tosca.datatypes.Root, properties");
            format!(
                "tosca_definitions_version: tosca_simple_yaml_1_3
data_types: {{ {data_types} }}
topology_template:
  inputs: {{ it: {{ type: {definition}, constraints: {clauses} }} }}
  outputs: {{ fits: {{ value: true }} }}
"
            )
        }
        V2_0 => {
            let clauses: Vec<Json> = clauses.iter().map(Clause::to_2_0).collect();
            let clause = if let [only] = &clauses[..] { only.clone() } else { json!({ "$and": clauses }) };
            let size =
                "Size: { derived_from: scalar, data_type: float, units: { GB: 1000, MB: 1 }, canonical_unit: MB }";
            format!(
                "tosca_definitions_version: tosca_2_0
data_types: {{ {point}, {size} }}
service_template:
  inputs: {{ it: {{ type: {definition}, validation: {clause} }} }}
  outputs: {{ fits: {{ value: true }} }}
  node_templates: {{}}
"
            )
        }
    }
}

/// Returns whether a value is valid.
fn is_valid(text: &str, inputs: &Json) -> bool {
    let outcome = parse(text, Some(inputs));
    let errors: Vec<_> = outcome.diagnostics.iter().filter(|problem| problem.severity == Severity::Error).collect();
    assert!(errors.iter().all(|problem| problem.rule.code == VALIDATION_FAILED.code), "{text}{inputs}\n{errors:?}");
    errors.is_empty()
}

/// Returns the conditions of a model that must all be true.
fn conditions(service: &Service) -> Vec<Value> {
    fn flat(condition: &Value) -> Vec<Value> {
        match condition {
            Value::Call(call) if &*call.name == "and" => call.arguments.iter().flat_map(flat).collect(),
            other => vec![other.clone()],
        }
    }
    service.inputs["it"].schema.validation.iter().flat_map(flat).collect()
}

/// Returns the result of the conditions of the model for a value; `None` if they can't be evaluated.
fn evaluated(service: &Service, inputs: &Json) -> Option<bool> {
    let conditions = json!(service.inputs["it"].schema.validation).to_string();
    let it = json!({ "$call": { "name": "get_input", "arguments": ["it"] } });
    let value = json!({ "$call": { "name": "value", "arguments": [] } });
    let conditions: Json = serde_json::from_str(&conditions.replace(&value.to_string(), &it.to_string())).unwrap();
    let mut model = json!(service);
    model["outputs"]["fits"]["value"] = json!({ "$call": { "name": "and", "arguments": conditions } });
    let service: Service = serde_json::from_value(model).unwrap();
    let evaluation = service.evaluate(&serde_json::from_value(inputs.clone()).unwrap());
    assert!(evaluation.problems.is_empty(), "{:?}", evaluation.problems);
    match evaluation.service.outputs["fits"].value {
        Some(Value::Boolean(fits)) => Some(fits),
        _ => None,
    }
}

fn example(version: Version) -> impl Strategy<Value = (Type, Vec<Clause>, Json)> {
    let types = types().into_iter().filter(|of_type| of_type.versions.contains(&version));
    select(types.collect::<Vec<_>>()).prop_flat_map(move |of_type| {
        let clause = if version == V1_3 { of_type.clause(version) } else { of_type.condition() };
        (Just(of_type.clone()), prop::collection::vec(clause, 1..3), select(of_type.values))
    })
}

fn agree(of_version: Version, (of_type, clauses, value): (Type, Vec<Clause>, Json)) -> Result<(), TestCaseError> {
    let text = template(of_version, &of_type, &clauses);
    let outcome = parse(&text, None);
    assert!(outcome.is_valid(), "{text}{:?}", outcome.diagnostics);
    let service = Service::of(&outcome.program).unwrap();
    let inputs = json!({ "it": value });

    let is_valid = is_valid(&text, &inputs);
    let evaluated = evaluated(&service, &inputs);
    // There is no function of 2.0 that compares ranges.
    let is_open = of_type.kind == Kind::Range && clauses.iter().any(|clause| matches!(clause, Clause::InRange(..)));
    prop_assert!(evaluated == Some(is_valid) || is_open && evaluated.is_none(), "{}{} {:?}", text, inputs, evaluated);

    // A range becomes a list, with a condition for its length.
    if of_version == V1_3 && of_type.kind != Kind::Range {
        let migrated = edit::apply(&text, &migrate(&outcome.program, version::V2_0, false).edits);
        let after = Service::of(&parse(&migrated, None).program).unwrap();
        prop_assert_eq!(conditions(&after), conditions(&service), "{}{}", text, migrated);
    }

    let form = Form::of(&service).schema;
    let is_accepted = jsonschema::validator_for(&form).unwrap().is_valid(&inputs);
    prop_assert!(is_accepted || !is_valid, "the form refuses {}\n{}{}", inputs, text, form);
    let has_keywords = clauses.iter().all(|clause| clause.has_keywords(&of_type));
    prop_assert!(!has_keywords || is_accepted == is_valid, "the form accepts {}\n{}{}", inputs, text, form);
    Ok(())
}

#[test]
fn defaults_of_members_count() {
    let text = "\
tosca_definitions_version: tosca_2_0
data_types:
  Point: { properties: { x: { type: integer }, y: { type: integer, default: 0 } } }
service_template:
  inputs: { it: { type: Point, validation: { $equal: [ { $length: [ $value ] }, 2 ] } } }
  node_templates: {}
";
    let inputs = json!({ "it": { "x": 1 } });
    assert!(is_valid(text, &inputs));
    let form = Form::of(&Service::of(&parse(text, None).program).unwrap()).schema;
    assert!(jsonschema::validator_for(&form).unwrap().is_valid(&inputs), "{form}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn clauses_of_1_3_mean_the_same_everywhere(example in example(V1_3)) {
        agree(V1_3, example)?;
    }

    #[test]
    fn clauses_of_2_0_mean_the_same_everywhere(example in example(V2_0)) {
        agree(V2_0, example)?;
    }
}
