//! Computing calls.

use std::sync::Arc;

use super::super::{Call, Schema, Value, ValueKind};
use super::path::Standing;
use super::typed::{as_text, value};
use super::{Evaluator, Found};
use crate::grammar::tosca::data::{Computed, Datum, FUNCTIONS, apply, compute};
use crate::value::Number;

impl Evaluator<'_> {
    /// What a call gives, as far as it can be computed. `wanted` is what it should give.
    pub(super) fn call(&mut self, call: &Call, place: Standing, wanted: Option<&Schema>) -> Found {
        let arguments: Vec<Found> = call.arguments.iter().map(|argument| self.argument(argument, place)).collect();
        let found = self.result(call, &arguments, place, wanted);
        found.unwrap_or_else(|| {
            let arguments = arguments.into_iter().map(|argument| argument.value).collect();
            let call = Call { name: call.name.clone(), origin: call.origin.clone(), arguments };
            Found { value: Value::Call(Box::new(call)), schema: None }
        })
    }

    fn argument(&mut self, argument: &Value, place: Standing) -> Found {
        match argument {
            Value::Call(call) => self.call(call, place, None),
            literal => Found { value: self.value(literal, place, None), schema: None },
        }
    }

    fn result(&mut self, call: &Call, arguments: &[Found], place: Standing, wanted: Option<&Schema>) -> Option<Found> {
        let is_known = self.is_simple || FUNCTIONS.iter().any(|function| function.name == &*call.name);
        if call.origin.is_some() || !is_known {
            return None;
        }
        let found = |value| Some(Found { value, schema: None });
        match &*call.name {
            "get_input" | "get_property" => return self.looked_up(call, arguments, place),
            "node_index" => return self.index(place).and_then(found),
            "and" | "or" => {
                let decides = Value::Boolean(&*call.name == "or");
                if arguments.iter().any(|argument| argument.value == decides) {
                    return found(decides);
                }
                let other = Value::Boolean(decides != Value::Boolean(true));
                return arguments.iter().all(|argument| argument.value == other).then_some(other).and_then(found);
            }
            _ => {}
        }
        if !arguments.iter().all(|argument| argument.value.is_data()) {
            return None;
        }
        let model = model(call, arguments, wanted);
        let typed = self.typed(call, arguments, model.as_deref());
        if !self.spend(typed.iter().map(Datum::size).sum()) {
            return None;
        }
        let datum = self.computed(call, typed, model.as_deref())?;
        let schema = model.filter(|_| matches!(datum, Datum::Scalar { .. }));
        Some(Found { value: value(&datum)?, schema })
    }

    /// What an input or a property is, or a part of it.
    fn looked_up(&mut self, call: &Call, arguments: &[Found], place: Standing) -> Option<Found> {
        let arguments: Vec<Value> = arguments.iter().map(|argument| argument.value.clone()).collect();
        let (spot, steps) = self.spot_of(call, &arguments, place)?;
        let schema = self.property_at(&spot)?.schema.clone();
        let mut value = self.found_at(&spot)?;
        for step in steps {
            let part = match (&value, step) {
                (Value::Map(entries), Value::String(name)) => entries.get(name),
                (Value::List(items), Value::Integer(index)) => {
                    usize::try_from(*index).ok().and_then(|index| items.get(index))
                }
                _ => return None,
            };
            let Some(part) = part.cloned() else {
                let what = if matches!(value, Value::Map(_)) { "key" } else { "index" };
                let message = format!("`{}` leads to a value that has no {what} {step}", call.name);
                self.fail(message, "give the value such an entry, or get another one");
                return None;
            };
            value = part;
        }
        if !value.is_data() {
            return None;
        }
        let schema = self.schema_within(&schema, steps);
        Some(Found { value, schema })
    }

    /// The index of a node of which only one is made.
    fn index(&self, place: Standing) -> Option<Value> {
        match place {
            Standing::Node(node) => self.service.nodes[node].count.is_none().then_some(Value::Integer(0)),
            _ => None,
        }
    }

    fn typed(&self, call: &Call, arguments: &[Found], model: Option<&Schema>) -> Vec<Datum> {
        let of_literal = |index: usize, literal: &Value| match (&*call.name, literal) {
            ("valid_values", Value::List(items)) if index == 1 => {
                Datum::List(items.iter().map(|item| self.datum(item, model)).collect())
            }
            (
                "equal" | "valid_values" | "greater_than" | "greater_or_equal" | "less_than" | "less_or_equal",
                literal,
            ) if !is_bare(literal, model) => self.datum(literal, model),
            ("has_entry" | "has_any_entry" | "has_all_entries", Value::List(items)) if index == 1 => {
                Datum::List(items.iter().map(|item| self.datum(item, self.entries(model))).collect())
            }
            ("has_entry", literal) if index == 1 => self.datum(literal, self.entries(model)),
            (name, Value::String(_)) if is_arithmetic(name) => self.datum(literal, model),
            _ => self.datum(literal, None),
        };
        let argument = |(index, argument): (usize, &Found)| match &argument.schema {
            Some(schema) => self.datum(&argument.value, Some(schema)),
            None => of_literal(index, &argument.value),
        };
        arguments.iter().enumerate().map(argument).collect()
    }

    fn computed(&mut self, call: &Call, mut typed: Vec<Datum>, model: Option<&Schema>) -> Option<Datum> {
        self.make_texts(&call.name, &mut typed);
        let computed = if is_arithmetic(&call.name) {
            let unit = model.and_then(|model| self.canonical_unit(model));
            compute(&call.name, &typed, |_, number: &Number| {
                let number = number.normalized().to_plain_string();
                unit.as_ref().map_or_else(|| number.clone(), |unit| format!("{number} {unit}"))
            })
        } else {
            Computed::Value(apply(&call.name, &typed))
        };
        let is_computable = is_arithmetic(&call.name) || is_pure(&call.name);
        match computed {
            Computed::Overflow => {
                let message = format!("what `{}` gives does not fit into the 64 bits of an integer", call.name);
                self.fail(message, "compute with smaller numbers, or with floats");
                None
            }
            Computed::Value(Datum::Unknown) if is_computable => {
                self.fail_to_compute(call, &typed);
                None
            }
            Computed::Value(datum) => Some(datum).filter(|datum| *datum != Datum::Unknown),
        }
    }

    /// Before 2.0, what is put together as text is made one. An example of 2.0 joins a number with strings as well.
    fn make_texts(&self, name: &str, typed: &mut [Datum]) {
        let make = |datum: &mut Datum| *datum = as_text(std::mem::replace(datum, Datum::Nil));
        match (name, typed) {
            ("concat", typed) if self.is_simple => typed.iter_mut().for_each(make),
            ("token", [text, ..]) if self.is_simple => make(text),
            ("join", [Datum::List(items), ..]) => items.iter_mut().for_each(make),
            _ => {}
        }
    }

    fn fail_to_compute(&mut self, call: &Call, typed: &[Datum]) {
        let is_zero = |datum: Option<&Datum>| match datum {
            Some(Datum::Integer(number)) => *number == 0,
            Some(Datum::Float(number)) => *number == 0.0,
            _ => false,
        };
        if matches!(&*call.name, "quotient" | "remainder") && is_zero(typed.get(1)) {
            return self.fail("this is a division by zero".to_owned(), "divide by another number");
        }
        let given: Vec<String> = typed.iter().map(Datum::to_string).map(shortened).collect();
        let usage = FUNCTIONS.iter().find(|function| function.name == &*call.name).map(|function| function.usage);
        let message = format!("`{}` gives nothing for {}", call.name, given.join(", "));
        self.fail(message, format!("it takes {}", usage.unwrap_or("other arguments")));
    }
}

/// What literals among arguments are like: as the first of the others whose type is known.
fn model(call: &Call, arguments: &[Found], wanted: Option<&Schema>) -> Option<Arc<Schema>> {
    let known = arguments.iter().find_map(|argument| argument.schema.clone());
    if is_arithmetic(&call.name) {
        let is_scalar = |schema: &Arc<Schema>| schema.kind == Some(ValueKind::Scalar);
        return known.filter(is_scalar).or_else(|| wanted.cloned().map(Arc::new).filter(is_scalar));
    }
    known
}

/// Whether a number is compared with a scalar: it is then one in the canonical unit.
fn is_bare(literal: &Value, model: Option<&Schema>) -> bool {
    let is_number = matches!(literal, Value::Integer(_) | Value::Float(_));
    is_number && model.is_some_and(|model| model.kind == Some(ValueKind::Scalar))
}

/// What a long text begins with.
fn shortened(text: String) -> String {
    /// How much of a value is shown.
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn is_arithmetic(name: &str) -> bool {
    matches!(name, "sum" | "difference" | "product" | "quotient" | "remainder" | "round" | "floor" | "ceil")
}

/// Whether what a function gives depends on its arguments alone, so that it must give something once they are known.
fn is_pure(name: &str) -> bool {
    let function = FUNCTIONS.iter().find(|function| function.name == name);
    function.is_some_and(|function| !function.is_about_the_graph())
}
