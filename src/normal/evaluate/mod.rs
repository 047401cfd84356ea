//! Evaluation: computes the values of a model that are known before deployment.
//!
//! A model contains the function calls of its service. Most of them can be computed as soon as the inputs are given. A
//! value that depends on attributes, or on functions that are not built in, remains a call, with its known parts
//! computed. Evaluation does not run, read or fetch anything.
//!
//! Values depend on each other. Each is computed once, after its dependencies, however long the chain. So evaluation
//! takes time in proportion to the model and to the computed values, which are bounded.

mod call;
mod path;
mod report;
mod typed;
mod walk;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::budget::{Budget, Limits};

use super::{DataType, Map, Property, Schema, Service, Source, State, Value, ValueKind};
use path::{Spot, Standing};
pub(super) use path::{is_hosting, pointer};

/// The result of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Evaluation {
    /// The service, with everything computed that can be.
    pub service: Service,
    /// The values that can't be computed although all their dependencies are known.
    pub problems: Vec<Problem>,
}

/// A value that can't be computed, or is not valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Problem {
    /// The kind of problem.
    pub kind: ProblemKind,
    /// The position of the value in the model, as a JSON pointer (RFC 6901).
    pub at: String,
    /// The position in the source, if the model has positions.
    pub source: Option<Source>,
    /// The problem.
    pub message: String,
    /// A suggestion for a fix.
    pub help: String,
}

/// A kind of [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ProblemKind {
    /// The value can't be computed.
    NotComputable,
    /// The value does not fulfill a validation clause.
    ValidationFailed,
}

/// The maximum size of the values computed for one model, in bytes.
const MOST_COMPUTED: u64 = 64 << 20;

/// The maximum effort for one value.
const MOST_FOR_ONE: usize = 4 << 20;

impl Service {
    /// Computes everything that is known before deployment. `inputs` override the values that the model has.
    ///
    /// A property whose value has been computed, even partly, keeps its source value as its
    /// [expression](Property::expression). Calls in conditions and filters are replaced by their results where
    /// possible.
    ///
    /// ```
    /// use tosca_parse::normal::{Map, Service, Value};
    /// use tosca_parse::{Entry, Parser, TOSCA};
    ///
    /// let parser = Parser::builder(&TOSCA).build()?;
    /// let text = "
    /// tosca_definitions_version: tosca_2_0
    /// service_template:
    ///   inputs:
    ///     name: { type: string }
    ///   node_templates: {}
    ///   outputs:
    ///     greeting: { value: { $concat: [ 'Hello, ', { $get_input: name } ] } }
    /// ";
    /// let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml")?, text));
    /// let service = Service::of(&outcome.program).expect("there is a service template");
    /// let inputs: Map<Value> = [("name".into(), Value::from("world"))].into_iter().collect();
    /// let evaluated = service.evaluate(&inputs).service;
    /// assert_eq!(evaluated.outputs["greeting"].value, Some("Hello, world".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn evaluate(&self, inputs: &Map<Value>) -> Evaluation {
        self.evaluate_with(inputs, &Map::new())
    }

    /// Computes everything that is known, with values for inputs and, after deployment, for attributes, by node and
    /// attribute name. Attribute values are checked against their definitions.
    #[must_use]
    pub fn evaluate_with(&self, inputs: &Map<Value>, attributes: &Map<Map<Value>>) -> Evaluation {
        let mut given = self.clone();
        let mut problems = Vec::new();
        let mut spots = FxHashSet::default();
        for (node, values) in attributes {
            for (name, value) in values {
                match give_attribute(&mut given, node, name, value) {
                    Ok(spot) => {
                        spots.insert(spot);
                    }
                    Err((message, help)) => problems.push(Problem {
                        kind: ProblemKind::NotComputable,
                        at: path::pointer(["nodes", node, "attributes", name]),
                        source: None,
                        message,
                        help,
                    }),
                }
            }
        }
        for (name, value) in inputs {
            match given.inputs.get_mut(name) {
                Some(input) => give(Arc::make_mut(input), value),
                None => problems.push(Problem {
                    kind: ProblemKind::NotComputable,
                    at: path::pointer(["inputs", name]),
                    source: None,
                    message: format!("there is no input `{name}`"),
                    help: "leave it out, or declare it in the service template".to_owned(),
                }),
            }
        }
        let mut evaluator = Evaluator::new(&given);
        evaluator.problems = problems;
        evaluator.attributes = spots;
        let service = evaluator.service();
        Evaluation { service, problems: evaluator.problems }
    }
}

/// Sets an attribute of a node; on failure, returns the problem and a suggestion.
fn give_attribute(service: &mut Service, node: &str, name: &str, value: &Value) -> Result<Spot, (String, String)> {
    let Some((number, _, template)) = service.nodes.get_full_mut(node) else {
        let help = "leave it out, or name a node template".to_owned();
        return Err((format!("there is no node template `{node}`"), help));
    };
    let Some(attribute) = template.attributes.get_mut(name) else {
        let help = "leave it out, or define it in the node type".to_owned();
        return Err((format!("node template `{node}` has no attribute `{name}`"), help));
    };
    if let Some(expected) = misfit(value, &attribute.schema) {
        let message = format!("the value of attribute `{name}` of node template `{node}` does not have its type");
        return Err((message, format!("write {expected}")));
    }
    give(Arc::make_mut(attribute), value);
    Ok(Spot { owner: path::Owner::Attributes(number), name: name.into() })
}

/// Returns the kind of value that a schema demands; `None` if a value is of this kind.
fn misfit(value: &Value, schema: &Schema) -> Option<&'static str> {
    let (is_fit, expected) = match schema.kind? {
        ValueKind::String => (matches!(value, Value::String(_)), "a string"),
        ValueKind::Integer => (matches!(value, Value::Integer(_)), "an integer"),
        ValueKind::Float => (matches!(value, Value::Integer(_) | Value::Float(_)), "a number"),
        ValueKind::Boolean => (matches!(value, Value::Boolean(_)), "`true` or `false`"),
        ValueKind::Bytes => (matches!(value, Value::String(_)), "a string in Base64"),
        ValueKind::Nil => (matches!(value, Value::Null), "null"),
        ValueKind::Timestamp => (matches!(value, Value::String(_)), "a timestamp"),
        ValueKind::Version => (matches!(value, Value::String(_)), "a version in quotes"),
        ValueKind::Scalar => (matches!(value, Value::String(_)), "a number with a unit"),
        ValueKind::Range => (matches!(value, Value::List(bounds) if bounds.len() == 2), "a list of two bounds"),
        ValueKind::List => (matches!(value, Value::List(_)), "a list"),
        ValueKind::Map | ValueKind::Complex => (matches!(value, Value::Map(_)), "a map"),
    };
    if !is_fit {
        return Some(expected);
    }
    let entries = schema.entry_schema.as_deref()?;
    match value {
        Value::List(items) => items.iter().find_map(|item| misfit(item, entries)),
        Value::Map(items) => items.values().find_map(|item| misfit(item, entries)),
        _ => None,
    }
}

fn give(input: &mut Property, value: &Value) {
    input.value = Some(value.clone());
    input.state = State::Assigned;
    input.scalars = Vec::new();
}

/// Computes the values of a model.
struct Evaluator<'s> {
    service: &'s Service,
    /// Whether the model is of a version before 2.0.
    is_simple: bool,
    data_types: FxHashMap<(&'s str, Option<&'s str>), &'s DataType>,
    known: FxHashMap<Spot, Progress>,
    /// The attributes with given values.
    attributes: FxHashSet<Spot>,
    /// The remaining bytes of arguments and results for the model. Without it, values that concatenate two others each
    /// would grow exponentially.
    budget: Budget,
    /// The remaining effort for the current value.
    effort: usize,
    /// The depth of values whose dependencies were only discovered while computing another value.
    depth: u8,
    /// The position of the current value.
    at: (String, Option<Source>),
    /// The value whose validation clauses are being computed, and what it is like.
    under_validation: Option<(Value, Arc<Schema>)>,
    problems: Vec<Problem>,
}

/// The progress of a value.
enum Progress {
    /// The computation has begun, or the value depends on itself.
    Begun,
    /// The value is the same as in the model.
    Unchanged,
    /// The computed value.
    Computed(Value),
}

/// The maximum number of values that a path with `ALL` gets.
const MOST_ITEMS: usize = 4096;

/// The maximum nesting of values through computed paths. Literal paths are followed in advance, however long they are.
const DEPTH: u8 = 16;

/// A value, computed as far as possible, and its schema, if known.
struct Found {
    value: Value,
    schema: Option<Arc<Schema>>,
}

impl<'s> Evaluator<'s> {
    fn new(service: &'s Service) -> Self {
        let data_types = service.data_types.iter().filter_map(|data_type| {
            let name = data_type.types.first()?;
            Some(((&*name.name, name.origin.as_deref()), data_type))
        });
        Self {
            service,
            is_simple: !service.language.contains("2.0"),
            data_types: data_types.collect(),
            known: FxHashMap::default(),
            attributes: FxHashSet::default(),
            budget: Budget::new(Limits { bytes: MOST_COMPUTED, ..Limits::default() }),
            effort: MOST_FOR_ONE,
            depth: 0,
            at: (String::new(), None),
            under_validation: None,
            problems: Vec::new(),
        }
    }

    /// Computes the value at a spot after its dependencies.
    fn prepare(&mut self, spot: Spot) {
        enum Step {
            Begin(Spot),
            End(Spot),
        }
        let mut steps = vec![Step::Begin(spot)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Begin(spot) if self.known.contains_key(&spot) => {}
                Step::Begin(spot) => {
                    let Some((value, place)) = self.value_at(&spot) else { continue };
                    if value.is_data() {
                        self.known.insert(spot, Progress::Unchanged);
                        continue;
                    }
                    self.known.insert(spot.clone(), Progress::Begun);
                    steps.push(Step::End(spot));
                    let mut needed = Vec::new();
                    self.needs(value, place, &mut needed);
                    steps.extend(needed.into_iter().map(Step::Begin));
                }
                Step::End(spot) => {
                    let computed = self.compute(&spot);
                    self.known.insert(spot, computed);
                }
            }
        }
    }

    /// Collects the values that a value depends on through literal paths.
    fn needs(&self, value: &Value, place: Standing, needed: &mut Vec<Spot>) {
        match value {
            Value::List(items) => items.iter().for_each(|item| self.needs(item, place, needed)),
            Value::Map(entries) => entries.values().for_each(|value| self.needs(value, place, needed)),
            Value::Call(call) => {
                match self.spot_of(call, &call.arguments, place) {
                    Some((spot, _)) => needed.push(spot),
                    None => {
                        let spots = self.spots_of_all(call, &call.arguments, place, &mut MOST_ITEMS.clone());
                        needed.extend(spots.into_iter().flatten().map(|(spot, _)| spot));
                    }
                }
                call.arguments.iter().for_each(|argument| self.needs(argument, place, needed));
            }
            _ => {}
        }
    }

    fn compute(&mut self, spot: &Spot) -> Progress {
        let Some(property) = self.property_at(spot) else { return Progress::Unchanged };
        let Some((value, place)) = self.value_at(spot) else { return Progress::Unchanged };
        let at = (self.pointer_of(spot), property.source.clone());
        let before = std::mem::replace(&mut self.at, at);
        let computed = self.one(value, place, Some(&property.schema));
        self.at = before;
        if computed == *value { Progress::Unchanged } else { Progress::Computed(computed) }
    }

    /// Computes a whole value with the effort of one value.
    fn one(&mut self, value: &Value, place: Standing, schema: Option<&Schema>) -> Value {
        let before = std::mem::replace(&mut self.effort, MOST_FOR_ONE);
        let computed = self.value(value, place, schema);
        self.effort = before;
        let is_text = self.is_simple && schema.is_some_and(|schema| schema.kind == Some(ValueKind::String));
        match computed {
            // Before 2.0, what is used as a string is made one.
            Value::Boolean(_) | Value::Integer(_) | Value::Float(_) if is_text => Value::from(&*computed.to_string()),
            computed => computed,
        }
    }

    /// Computes a value that no path can refer to, after its dependencies.
    fn one_with(&mut self, value: &Value, place: Standing, schema: Option<&Schema>) -> Value {
        let mut needed = Vec::new();
        self.needs(value, place, &mut needed);
        needed.into_iter().for_each(|spot| self.prepare(spot));
        self.one(value, place, schema)
    }

    /// Returns the value at a spot, if all of it is known.
    fn found_at(&mut self, spot: &Spot) -> Option<Value> {
        if !self.known.contains_key(spot) {
            if self.depth == DEPTH {
                return None;
            }
            self.depth += 1;
            self.prepare(spot.clone());
            self.depth -= 1;
        }
        match self.known.get(spot)? {
            Progress::Begun => None,
            Progress::Unchanged => self.property_at(spot)?.value.clone(),
            Progress::Computed(value) => Some(value.clone()),
        }
    }

    /// Computes a value as far as possible.
    fn value(&mut self, value: &Value, place: Standing, schema: Option<&Schema>) -> Value {
        match value {
            Value::Call(call) => self.call(call, place, schema).value,
            Value::List(items) => Value::List(items.iter().map(|item| self.value(item, place, None)).collect()),
            Value::Map(entries) => {
                let entries = entries.iter().map(|(key, value)| (key.clone(), self.value(value, place, None)));
                Value::Map(Box::new(entries.collect()))
            }
            data => data.clone(),
        }
    }

    /// Uses up effort; returns whether enough was left.
    fn spend(&mut self, effort: usize) -> bool {
        let exceeded = self.budget.bytes(effort as u64).err();
        if exceeded.is_none() && effort <= self.effort {
            self.effort -= effort;
            return true;
        }
        if self.effort > 0 {
            let message = "there is too much to compute for this value".to_owned();
            self.fail(message, "make it of fewer parts; what is left of it is not computed");
        }
        self.effort = 0;
        false
    }

    /// Checks a value against its validation clauses.
    fn validate(&mut self, value: &Value, schema: &Arc<Schema>, place: Standing) {
        if !value.is_data() {
            return;
        }
        let of_type = self.data_type(schema).map_or(&[][..], |data_type| &data_type.validation);
        for clause in schema.validation.iter().chain(of_type) {
            let outer = self.under_validation.replace((value.clone(), schema.clone()));
            if self.one_with(clause, place, None) == Value::Boolean(false) {
                let help = self.sides(clause, place).unwrap_or_else(|| "write another value".to_owned());
                let message = format!("{value} does not fulfill a validation clause");
                self.report(ProblemKind::ValidationFailed, message, help);
            }
            self.under_validation = outer;
        }
    }

    /// Describes the computed arguments of a clause that does not hold.
    fn sides(&mut self, clause: &Value, place: Standing) -> Option<String> {
        let Value::Call(call) = clause else { return None };
        let sides: Vec<Value> = call.arguments.iter().map(|side| self.one_with(side, place, None)).collect();
        let texts: Vec<String> = sides.iter().map(Value::to_string).collect();
        let is_data = sides.iter().all(Value::is_data);
        is_data.then(|| format!("`${}: [ {} ]` is not true", call.name, texts.join(", ")))
    }

    fn fail(&mut self, message: String, help: impl Into<String>) {
        self.report(ProblemKind::NotComputable, message, help);
    }

    fn report(&mut self, kind: ProblemKind, message: String, help: impl Into<String>) {
        let (at, source) = self.at.clone();
        self.problems.push(Problem { kind, at, source, message, help: help.into() });
    }
}
