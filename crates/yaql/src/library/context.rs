//! Variables, functions that expressions define, and calls by name.

use std::rc::Rc;

use super::Table;
use crate::context::Context;
use crate::dispatch::{Actual, call as call_function};
use crate::error::{Result, value_error};
use crate::evaluate::call_method;
use crate::function::{Body, Call, Library};
use crate::syntax::Name;
use crate::value::Value;

pub(super) const TABLE: Table = &[
    ("let(*args: any, **kwargs: any)", |call| {
        let context = numbered(call, call.rest_values())?;
        for (name, value) in call.named.drain(..) {
            set(&context, Name::new(&name), value)?;
        }
        Ok(Value::Context(context))
    }),
    ("with(*args: any)", |call| numbered(call, call.rest_values()).map(Value::Context)),
    (".unpack(sequence: Iterable, *args: String)", |call| {
        let (items, names) = (call.collected(0)?, call.rest_values());
        if names.is_empty() {
            return numbered(call, items).map(Value::Context);
        }
        if items.len() != names.len() {
            return Err(value_error(format!("Cannot unpack {} elements into {}", items.len(), names.len())));
        }
        let context = call.context.child();
        for (name, item) in names.iter().zip(items) {
            set(&context, Name::new(name.as_str().unwrap_or_default()), item)?;
        }
        Ok(Value::Context(context))
    }),
    ("def(name: String, func: Lambda)", |call| {
        let mut library = Library::new();
        let lambda = Rc::new(call.demanded_lambda(1)?);
        library.define(&call.text(0), lambda);
        Ok(Value::Context(call.context.with_library(Rc::new(library))))
    }),
    ("call(name: String, args: Sequence, kwargs: dict, receiver: any=∅)", |call| {
        let mut actuals: Vec<_> = call.collected(1)?.into_iter().map(Actual::Value).collect();
        let named = |(key, value): (&Value, &Value)| Actual::Named(key.to_text().into(), value.clone());
        actuals.extend(call.dict(2).iter().map(named));
        match call.optional_value(3) {
            Some(receiver) => call_method(call.context, &receiver, &call.text(0), &actuals),
            None => call_function(call.context, &call.text(0), None, &actuals),
        }
    }),
];

/// Returns a context with `$1`, `$2` and so on.
fn numbered(call: &Call<'_>, values: Vec<Value>) -> Result<Context> {
    let context = call.context.child();
    for (number, value) in (1..).zip(values) {
        set(&context, Name::Position(number), value)?;
    }
    Ok(context)
}

/// Sets a variable. This costs a step, because there may be many variables to search.
fn set(context: &Context, name: Name, value: Value) -> Result<()> {
    context.set(name, value);
    context.meter().spend(1)
}

impl Library {
    fn define(&mut self, name: &str, lambda: Rc<crate::lambda::Lambda>) {
        let signature = crate::function::Signature {
            name: name.into(),
            shape: crate::function::Shape::Extension,
            parameters: Vec::new(),
            rest: Some(crate::function::Type::Any),
            named: Some(crate::function::Type::Any),
        };
        self.insert_function(signature, Body::Defined(lambda));
    }
}
