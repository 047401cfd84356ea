//! Evaluation of function calls.

use std::borrow::Cow;
use std::sync::Arc;

use super::super::{Call, Schema, Value, ValueKind};
use super::evaluator::{Evaluator, Found, MAX_ITEMS};
use super::owner::{PropertyId, Standing};
use super::typed::{as_text, value};
use crate::data::{Computed, Datum, Function, Parameter, apply, comparisons, compute, effort, find_function};
use crate::value::Number;

impl Evaluator<'_> {
    /// Computes a call as far as possible. `wanted` is the schema of the expected result.
    pub(super) fn call(&mut self, call: &Call, place: Standing, wanted: Option<&Schema>) -> Found<'static> {
        let arguments: Vec<Found<'_>> = call.arguments.iter().map(|argument| self.argument(argument, place)).collect();
        let found = if self.is_spent() { None } else { self.result(call, &arguments, place, wanted) };
        found.unwrap_or_else(|| {
            let arguments = arguments.into_iter().map(|argument| argument.value.into_owned()).collect();
            let call = Call { name: call.name.clone(), origin: call.origin.clone(), arguments };
            Found::new(Value::Call(Box::new(call)), None)
        })
    }

    fn argument<'v>(&mut self, argument: &'v Value, place: Standing) -> Found<'v> {
        match argument {
            Value::Call(call) => self.call(call, place, None),
            data if data.is_data() => Found { value: Cow::Borrowed(data), schema: None },
            literal => Found::new(self.value(literal, place, None), None),
        }
    }

    fn result(
        &mut self,
        call: &Call,
        arguments: &[Found<'_>],
        place: Standing,
        wanted: Option<&Schema>,
    ) -> Option<Found<'static>> {
        let function = find_function(&call.name).filter(|_| call.origin.is_none())?;
        let found = |value| Some(Found::new(value, None));
        match &*call.name {
            "get_input" | "get_property" | "get_attribute" if self.is_known(call) => {
                return self.looked_up(call, arguments, place);
            }
            "value" => return self.value_under_validation(arguments),
            "node_index" => return self.index(place).and_then(found),
            "and" | "or" => {
                let conditions: Vec<Datum> = arguments.iter().map(|part| self.datum(&part.value, None)).collect();
                return value(apply(&call.name, &conditions)).and_then(found);
            }
            _ => {}
        }
        if !arguments.iter().all(|argument| argument.value.is_data()) {
            return None;
        }
        let model = model(function, arguments, wanted);
        let typed = self.typed(function, arguments, model.as_deref());
        let compared = match (&*call.name, &typed[..]) {
            ("matches", [_, pattern]) if !self.spend_compiling(pattern) => return None,
            ("matches", [text, pattern]) => effort(pattern, text),
            _ => comparisons(&call.name, &typed),
        };
        if !self.spend(compared.saturating_add(typed.iter().map(Datum::size).sum())) {
            return None;
        }
        let datum = self.computed(function, typed, model.as_deref())?;
        let schema = model.filter(|_| matches!(datum, Datum::Scalar(_)));
        Some(Found::new(value(datum)?, schema))
    }

    /// Looks up an input or a property, or a part of its value.
    fn looked_up(&mut self, call: &Call, arguments: &[Found<'_>], place: Standing) -> Option<Found<'static>> {
        let arguments: Vec<Value> = arguments.iter().map(|argument| argument.value.clone().into_owned()).collect();
        if let Some((id, steps)) = self.id_of(call, &arguments, place) {
            return self.value_within(call, &id, steps);
        }
        let Some(ids) = self.ids_of_all(call, &arguments, place, &mut MAX_ITEMS.clone()) else {
            // Reports a used up budget.
            self.spend(0);
            return None;
        };
        let mut values = Vec::new();
        for (id, within) in ids {
            let found = self.value_within(call, &id, &arguments[arguments.len() - within..])?;
            if !self.spend(self.datum(&found.value, None).size()) {
                return None;
            }
            values.push(found.value.into_owned());
        }
        Some(Found::new(Value::List(values), None))
    }

    /// Returns the value under validation, or the part of it that steps lead to.
    fn value_under_validation(&mut self, steps: &[Found<'_>]) -> Option<Found<'static>> {
        let (value, schema) = self.under_validation.clone()?;
        let steps: Vec<Value> = steps.iter().map(|step| step.value.clone().into_owned()).collect();
        self.within("value", &value, &schema, &steps)
    }

    /// Returns the value with the given id, or the part of it that steps lead to.
    fn value_within(&mut self, call: &Call, id: &PropertyId, steps: &[Value]) -> Option<Found<'static>> {
        let schema = self.property_at(id)?.schema.clone();
        let value = self.found_at(id)?;
        self.within(&call.name, &value, &schema, steps)
    }

    /// Returns a copy of the part of a value that steps lead to, if enough effort is left.
    fn within(&mut self, name: &str, value: &Value, schema: &Arc<Schema>, steps: &[Value]) -> Option<Found<'static>> {
        let mut part = value;
        for step in steps {
            let next = match (part, step) {
                (Value::Map(entries), Value::String(name)) => entries.get(name),
                (Value::List(items), Value::Integer(index)) => {
                    usize::try_from(*index).ok().and_then(|index| items.get(index))
                }
                _ => return None,
            };
            let Some(next) = next else {
                let what = if matches!(part, Value::Map(_)) { "key" } else { "index" };
                let message = format!("`{name}` leads to a value without {what} {step}");
                self.fail(message, "add the entry to the value, or read a different one");
                return None;
            };
            part = next;
        }
        if self.is_spent() || !part.is_data() || !self.spend(copied_bytes(part)) {
            return None;
        }
        let schema = self.schema_within(schema, steps);
        Some(Found::new(part.clone(), schema))
    }

    /// Returns the index of a node, if the template creates only one.
    fn index(&self, place: Standing) -> Option<Value> {
        match place {
            Standing::Node(node) => self.service.nodes[node].count.is_none().then_some(Value::Integer(0)),
            _ => None,
        }
    }

    fn typed(&self, function: &Function, arguments: &[Found<'_>], model: Option<&Schema>) -> Vec<Datum> {
        let of_list = |items: &[Value], like| Datum::List(items.iter().map(|item| self.datum(item, like)).collect());
        let of_literal = |index: usize, literal: &Value| match (function.parameter(index), literal) {
            (Parameter::Values, Value::List(items)) => of_list(items, model),
            (Parameter::Entries, Value::List(items)) => of_list(items, self.entries(model)),
            (Parameter::Entry, literal) => self.datum(literal, self.entries(model)),
            (_, literal) if function.is_comparison() && !is_bare(literal, model) => self.datum(literal, model),
            (_, Value::String(_)) if function.is_arithmetic() => self.datum(literal, model),
            _ => self.datum(literal, None),
        };
        let argument = |(index, argument): (usize, &Found<'_>)| match &argument.schema {
            Some(schema) => self.datum(&argument.value, Some(schema)),
            None => of_literal(index, &argument.value),
        };
        arguments.iter().enumerate().map(argument).collect()
    }

    fn computed(&mut self, function: &Function, mut typed: Vec<Datum>, model: Option<&Schema>) -> Option<Datum> {
        let name = function.name;
        self.make_texts(name, &mut typed);
        let written = |_, number: &Number| {
            let number = number.normalized().to_plain_string();
            let unit = model.and_then(|model| self.canonical_unit(model));
            unit.map_or_else(|| number.clone(), |unit| format!("{number} {unit}"))
        };
        match compute(name, &typed, written) {
            Computed::Value(Datum::Unknown) if function.is_about_the_graph() => {}
            // Values of different types are never equal (decision A 51).
            Computed::Value(Datum::Unknown) if name == "equal" => return Some(Datum::Boolean(false)),
            Computed::Value(Datum::Unknown) => {
                let given: Vec<String> = typed.iter().map(Datum::to_string).map(shortened).collect();
                let message = format!("`{name}` has no result for {}", given.join(", "));
                self.fail(message, format!("it takes {}", function.usage));
            }
            Computed::Value(datum) => return Some(datum),
            Computed::Overflow => {
                let message = format!("the result of `{name}` does not fit into a 64-bit integer");
                self.fail(message, "compute with smaller numbers, or with floats");
            }
            Computed::DivisionByZero => {
                self.fail("division by zero".to_owned(), "divide by a different number");
            }
        }
        None
    }

    /// Converts the arguments of functions on strings to strings, because versions before 2.0 concatenate any values,
    /// and an example in 2.0 joins a number with strings.
    fn make_texts(&self, name: &str, typed: &mut [Datum]) {
        let make = |datum: &mut Datum| *datum = as_text(std::mem::replace(datum, Datum::Nil));
        match (name, typed) {
            ("concat", typed) if self.is_simple => typed.iter_mut().for_each(make),
            ("token", [text, ..]) if self.is_simple => make(text),
            ("join", [Datum::List(items), ..]) => items.iter_mut().for_each(make),
            _ => {}
        }
    }
}

/// Returns the schema for literals among the arguments, which is the schema of the first argument with a known type.
fn model(function: &Function, arguments: &[Found<'_>], wanted: Option<&Schema>) -> Option<Arc<Schema>> {
    let known = arguments.iter().find_map(|argument| argument.schema.clone());
    if function.is_arithmetic() {
        let is_scalar = |schema: &Arc<Schema>| schema.kind == Some(ValueKind::Scalar);
        return known.filter(is_scalar).or_else(|| wanted.cloned().map(Arc::new).filter(is_scalar));
    }
    known
}

/// Returns whether a number is compared with a scalar and is therefore in the canonical unit.
fn is_bare(literal: &Value, model: Option<&Schema>) -> bool {
    let is_number = matches!(literal, Value::Integer(_) | Value::Float(_));
    is_number && model.is_some_and(|model| model.kind == Some(ValueKind::Scalar))
}

/// Returns the beginning of a long string.
fn shortened(text: String) -> String {
    /// The length of the part that is shown, in characters.
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Returns the size of a copy of a value, in bytes. Strings are shared in memory, but not where the model is written.
pub(super) fn copied_bytes(value: &Value) -> usize {
    /// The size of an entry of a map, and of a map.
    const ENTRY: usize = 64;
    size_of::<Value>()
        + match value {
            Value::List(items) => items.iter().map(copied_bytes).sum(),
            Value::Map(entries) => ENTRY + entries.values().map(|value| ENTRY + copied_bytes(value)).sum::<usize>(),
            Value::Call(call) => ENTRY + call.arguments.iter().map(copied_bytes).sum::<usize>(),
            Value::String(text) => text.len(),
            _ => 0,
        }
}
