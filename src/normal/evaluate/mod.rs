//! Evaluation: the computation of values in a model that are known before deployment.
//!
//! A model contains the function calls of its service. Most of them can be computed as soon as the inputs are given. A
//! value that depends on attributes, or on functions that are not built in, remains a call, with its known parts
//! computed. Evaluation does not run, read or fetch anything.
//!
//! Values depend on each other. Each is computed once, after its dependencies, however long the chain. So the time that
//! evaluation takes is proportional to the size of the model and of the computed values, which are limited.

mod call;
mod evaluator;
mod nested;
mod owner;
mod path;
mod reference;
mod report;
mod targets;
mod typed;
mod walk;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use foldhash::HashSet;
use serde::Serialize;

pub use evaluator::{EvaluationProblem, ProblemKind};
#[cfg(feature = "graph")]
pub(crate) use nested::Substitutes;
#[cfg(feature = "schema")]
pub use nested::nested_json_schema;
pub use nested::{NestedService, NestingError};
pub(super) use owner::pointer;
pub(crate) use path::is_hosting;

use self::call::copied_bytes;
use self::evaluator::{Allowance, CHANGED_PROPERTY, DEPTH, Evaluator, KnownValue, MAX_ITEMS, Progress};
use self::owner::{Owner, PropertyId, Standing};
use super::{Map, Property, Schema, Service, State, Value, ValueKind};
use crate::budget::Limits;

/// The result of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Evaluation {
    /// The service, with all values that can be computed.
    pub service: Service,
    /// The values that can't be computed although all their dependencies are known.
    pub problems: Vec<EvaluationProblem>,
}

impl Service {
    /// Computes everything that is known before deployment. `inputs` override the input values in the model.
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

    /// Computes everything that is known, with given values for inputs and, after deployment, for attributes, by node
    /// and attribute name. Attribute values are checked against their definitions.
    #[must_use]
    pub fn evaluate_with(&self, inputs: &Map<Value>, attributes: &Map<Map<Value>>) -> Evaluation {
        self.evaluate_within(Limits::default(), inputs, attributes)
    }

    /// Like [`evaluate_with`](Self::evaluate_with), with other limits: the results for a model may take three eighths of
    /// their bytes, plus 2 KiB for each node and output, and those for one value an eighth.
    #[must_use]
    pub fn evaluate_within(&self, limits: Limits, inputs: &Map<Value>, attributes: &Map<Map<Value>>) -> Evaluation {
        self.clone().into_evaluated(limits, inputs, attributes)
    }

    /// Evaluates the service in place, because a large service should not be in memory twice.
    fn into_evaluated(self, limits: Limits, inputs: &Map<Value>, attributes: &Map<Map<Value>>) -> Evaluation {
        let allowance = Allowance::of(&self, limits);
        evaluate(self, inputs, attributes, &allowance)
    }
}

/// Returns the JSON Schema of a serialized [`Evaluation`], which is published as `docs/evaluation.schema.json`.
#[cfg(feature = "schema")]
pub fn evaluation_json_schema() -> serde_json::Value {
    crate::json_schema::of::<Evaluation>()
}

/// Evaluates a service.
fn evaluate(
    mut service: Service,
    inputs: &Map<Value>,
    attributes: &Map<Map<Value>>,
    allowance: &Allowance,
) -> Evaluation {
    let mut problems = Vec::new();
    let mut ids = HashSet::default();
    for (node, values) in attributes {
        for (name, value) in values {
            match give_attribute(&mut service, node, name, value) {
                Ok(id) => {
                    ids.insert(id);
                }
                Err((message, help)) => problems.push(EvaluationProblem {
                    kind: ProblemKind::NotComputable,
                    at: pointer(["nodes", node, "attributes", name]),
                    source: None,
                    message,
                    help,
                }),
            }
        }
    }
    for (name, value) in inputs {
        match service.inputs.get_mut(name) {
            Some(input) => give(Arc::make_mut(input), value),
            None => problems.push(EvaluationProblem {
                kind: ProblemKind::NotComputable,
                at: pointer(["inputs", name]),
                source: None,
                message: format!("there is no input `{name}`"),
                help: "remove the value, or declare the input in the service template".to_owned(),
            }),
        }
    }
    let mut evaluator = Evaluator::new(&service, allowance);
    evaluator.problems = problems;
    evaluator.attributes = ids;
    let evaluated = evaluator.service();
    let problems = evaluator.problems;
    evaluated.apply(&mut service);
    Evaluation { service, problems }
}

/// Sets an attribute of a node. The error consists of the message and the help.
fn give_attribute(
    service: &mut Service,
    node: &str,
    name: &str,
    value: &Value,
) -> Result<PropertyId, (String, String)> {
    let Some(number) = service.nodes.get_index_of(node) else {
        let help = "remove the entry, or name an existing node template".to_owned();
        return Err((format!("there is no node template `{node}`"), help));
    };
    let Some(attribute) = service.nodes[number].attributes.get_mut(name) else {
        let help = "remove the value, or define the attribute in the node type".to_owned();
        return Err((format!("node template `{node}` has no attribute `{name}`"), help));
    };
    if let Some(expected) = misfit(value, &attribute.schema) {
        let message = format!("the value of attribute `{name}` of node template `{node}` has the wrong type");
        return Err((message, format!("write {expected}")));
    }
    give(Arc::make_mut(attribute), value);
    Ok(PropertyId { owner: Owner::Attributes(number), name: name.into() })
}

/// Returns the kind of value that a schema requires, if the given value is of a different kind.
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
    (input.scalars, input.references) = (Vec::new(), Vec::new());
}

impl<'s> Evaluator<'s> {
    /// Computes the value with the given id after its dependencies.
    fn prepare(&mut self, id: PropertyId) {
        enum Step {
            Begin(PropertyId),
            End(PropertyId),
        }
        let mut steps = vec![Step::Begin(id)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Begin(id) if self.known.contains_key(&id) => {}
                Step::Begin(id) => {
                    let Some((value, place)) = self.value_at(&id) else { continue };
                    if value.is_data() {
                        self.known.insert(id, Progress::Unchanged);
                        continue;
                    }
                    self.known.insert(id.clone(), Progress::Begun);
                    steps.push(Step::End(id));
                    let mut needed = Vec::new();
                    self.needs(value, place, &mut needed);
                    steps.extend(needed.into_iter().map(Step::Begin));
                }
                Step::End(id) => {
                    let computed = self.compute(&id);
                    self.known.insert(id, computed);
                }
            }
        }
    }

    /// Collects the values that a value depends on through literal paths.
    fn needs(&self, value: &Value, place: Standing, needed: &mut Vec<PropertyId>) {
        match value {
            Value::List(items) => items.iter().for_each(|item| self.needs(item, place, needed)),
            Value::Map(entries) => entries.values().for_each(|value| self.needs(value, place, needed)),
            Value::Call(call) => {
                match self.id_of(call, &call.arguments, place) {
                    Some((id, _)) => needed.push(id),
                    None => {
                        let ids = self.ids_of_all(call, &call.arguments, place, &mut MAX_ITEMS.clone());
                        needed.extend(ids.into_iter().flatten().map(|(id, _)| id));
                    }
                }
                call.arguments.iter().for_each(|argument| self.needs(argument, place, needed));
            }
            _ => {}
        }
    }

    fn compute(&mut self, id: &PropertyId) -> Progress {
        let Some(property) = self.property_at(id) else { return Progress::Unchanged };
        let Some((value, place)) = self.value_at(id) else { return Progress::Unchanged };
        let at = (self.pointer_of(id), property.source.clone());
        let before = std::mem::replace(&mut self.at, at);
        let computed = self.one(value, place, Some(&property.schema));
        let is_unchanged = computed == *value;
        if !is_unchanged {
            self.spend(CHANGED_PROPERTY);
        }
        self.at = before;
        if is_unchanged { Progress::Unchanged } else { Progress::Computed(Arc::new(computed)) }
    }

    /// Computes a whole value, within the limit of effort for one value.
    fn one(&mut self, value: &Value, place: Standing, schema: Option<&Schema>) -> Value {
        let before = std::mem::replace(&mut self.effort, self.per_value);
        let computed = self.value(value, place, schema);
        self.effort = before;
        if self.is_simple { self.with_texts(computed, schema) } else { computed }
    }

    /// Converts the parts of a value that are used as strings to strings, as versions before 2.0 do.
    fn with_texts(&self, value: Value, schema: Option<&Schema>) -> Value {
        match (value, schema) {
            (value @ (Value::Boolean(_) | Value::Integer(_) | Value::Float(_)), Some(schema))
                if schema.kind == Some(ValueKind::String) =>
            {
                Value::from(&*value.to_string())
            }
            (Value::List(items), Some(schema)) => {
                let of_items = self.entries(Some(schema));
                Value::List(items.into_iter().map(|item| self.with_texts(item, of_items)).collect())
            }
            (Value::Map(entries), Some(schema)) => {
                let entries = entries.into_iter().map(|(key, value)| {
                    let of_entry = self.member(Some(schema), &key);
                    (key, self.with_texts(value, of_entry))
                });
                Value::Map(Box::new(entries.collect()))
            }
            (value, _) => value,
        }
    }

    /// Computes a value that no path can refer to, after its dependencies.
    fn one_with(&mut self, value: &Value, place: Standing, schema: Option<&Schema>) -> Value {
        let mut needed = Vec::new();
        self.needs(value, place, &mut needed);
        needed.into_iter().for_each(|id| self.prepare(id));
        self.one(value, place, schema)
    }

    /// Returns the value with the given id, if its computation has ended.
    fn found_at(&mut self, id: &PropertyId) -> Option<KnownValue<'s>> {
        if !self.known.contains_key(id) {
            if self.depth == DEPTH {
                return None;
            }
            self.depth += 1;
            self.prepare(id.clone());
            self.depth -= 1;
        }
        match self.known.get(id)? {
            Progress::Begun => None,
            Progress::Unchanged => self.property_at(id)?.value.as_ref().map(KnownValue::Unchanged),
            Progress::Computed(value) => Some(KnownValue::Computed(Arc::clone(value))),
        }
    }

    /// Computes a value as far as possible.
    fn value(&mut self, value: &Value, place: Standing, schema: Option<&Schema>) -> Value {
        match value {
            Value::Call(call) => self.call(call, place, schema).value.into_owned(),
            Value::List(items) => {
                let of_items = self.entries(schema);
                Value::List(items.iter().map(|item| self.value(item, place, of_items)).collect())
            }
            Value::Map(entries) => {
                let entries = entries
                    .iter()
                    .map(|(key, value)| (key.clone(), self.value(value, place, self.member(schema, key))));
                Value::Map(Box::new(entries.collect()))
            }
            data => data.clone(),
        }
    }

    /// Checks a value and its parts against their validation clauses.
    fn validate(&mut self, value: &Value, schema: &Arc<Schema>, place: Standing) {
        if !value.is_data() {
            return;
        }
        let of_type = self.data_type(schema).map_or(&[][..], |data_type| &data_type.validation);
        let mut clauses = schema.validation.iter().chain(of_type).peekable();
        let before = std::mem::replace(&mut self.effort, self.per_value);
        let copied = (clauses.peek().is_some() && self.spend(copied_bytes(value))).then(|| Arc::new(value.clone()));
        self.effort = before;
        for (clause, copied) in clauses.zip(copied.iter().cycle()) {
            let outer = self.under_validation.replace((Arc::clone(copied), schema.clone()));
            if self.one_with(clause, place, None) == Value::Boolean(false) {
                let help = self.sides(clause, place).unwrap_or_else(|| "write a different value".to_owned());
                let message = format!("{value} does not fulfill a validation clause");
                self.report(ProblemKind::ValidationFailed, message, help);
            }
            self.under_validation = outer;
        }
        match value {
            Value::List(items) => {
                let Some(of_items) = self.schema_within(schema, &[Value::Integer(0)]) else { return };
                items.iter().for_each(|item| self.validate(item, &of_items, place));
            }
            Value::Map(entries) => {
                for (key, value) in &**entries {
                    if let Some(schema) = self.schema_within(schema, &[Value::String(key.clone())]) {
                        self.validate(value, &schema, place);
                    }
                }
            }
            _ => {}
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
}
