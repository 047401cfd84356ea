//! Calls of methods.

use std::rc::Rc;
use std::sync::Arc;

use tosca_parse_yaql::{Context, Error, ErrorKind, Result, Value};

use crate::class::{Argument, ArgumentUsage, Class, Method, MethodUsage};
use crate::contract::{self, Mode, Scope};
use crate::error::{Kind, fail, place};
use crate::frame::{Frame, not_static};
use crate::interpret;
use crate::natives;
use crate::object::{object_value, type_value};
use crate::runtime::Runtime;
use crate::trace;

/// The arguments of a call.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// Values by position; `None` for an omitted one.
    pub positional: Vec<Option<Value>>,
    /// Values by name.
    pub named: Vec<(Arc<str>, Value)>,
}

impl Arguments {
    /// Creates arguments from values by position and values by name.
    pub fn new(positional: Vec<Value>, named: Vec<(Arc<str>, Value)>) -> Self {
        Self { positional: positional.into_iter().map(Some).collect(), named }
    }
}

/// A method, the class that declares it, and the object or type that it is called for.
pub(crate) struct Callee<'a> {
    pub(crate) runtime: &'a Rc<Runtime>,
    pub(crate) class: &'a Rc<Class>,
    pub(crate) method: &'a Method,
    pub(crate) this: &'a Value,
}

impl Callee<'_> {
    pub(crate) fn call(&self, arguments: Arguments) -> Result<Value> {
        self.call_in(&Frame::enter_method(self.runtime, self.class, self.this, &self.method.name), arguments)
    }

    /// Calls the method in a frame that has been entered.
    pub(crate) fn call_in(&self, context: &Context, arguments: Arguments) -> Result<Value> {
        // A call costs as much as a few statements.
        const STEPS: u64 = 8;
        self.runtime.meter().spend(STEPS)?;
        let run = || {
            for (name, value) in self.bind(arguments, context)? {
                context.set_named(name, value);
            }
            interpret::run(context, &self.method.body)
        };
        self.runtime.meter().nested(run).map_err(trace::leave)
    }

    /// Returns the values of the variables for the arguments.
    pub(crate) fn bind(&self, arguments: Arguments, context: &Context) -> Result<Vec<(String, Value)>> {
        let mismatch = || {
            let (name, class) = (&self.method.name, &self.class.name);
            let message = format!("the method `{name}` of class `{class}` does not accept these arguments");
            Error::new(ErrorKind::NoMatchingMethod, message)
        };
        let mut positional = arguments.positional.into_iter();
        let mut named = arguments.named;
        let mut bound = Vec::new();
        for argument in &self.method.arguments {
            let check = |value| self.check(argument, value);
            let value = match argument.usage {
                ArgumentUsage::Standard => {
                    let by_name = named.iter().position(|(name, _)| **name == *argument.name);
                    let by_name = by_name.map(|index| named.remove(index).1);
                    match (positional.next(), by_name) {
                        (Some(_), Some(_)) => return Err(mismatch()),
                        (Some(Some(value)), None) | (None, Some(value)) => check(value)?,
                        (Some(None) | None, None) => match &argument.default {
                            Some(default) => check(default.evaluate(context)?)?,
                            None => check(Value::Null)?,
                        },
                    }
                }
                ArgumentUsage::VarArgs => {
                    let values = positional.by_ref().map(|value| check(value.unwrap_or(Value::Null)));
                    Value::list(values.collect::<Result<_>>()?)
                }
                ArgumentUsage::KwArgs => {
                    let entries = named.drain(..).map(|(name, value)| Ok((Value::String(name), check(value)?)));
                    Value::dict(entries.collect::<Result<Vec<_>>>()?)
                }
            };
            bound.push((argument.name.clone(), value));
        }
        if positional.next().is_some() || !named.is_empty() {
            return Err(mismatch());
        }
        Ok(bound)
    }

    fn check(&self, argument: &Argument, value: Value) -> Result<Value> {
        let Self { runtime, class, method, this } = *self;
        let scope = Scope::new(Mode::Transform);
        let place_name = format!("{}::{}({}", class.name, method.name, argument.name);
        contract::apply(runtime, class, this, &argument.contract, value, scope)
            .map_err(|error| place(error, &place_name, ")"))
    }
}

/// The methods that can be called from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Any method.
    Session,
    /// Only public methods.
    Action,
}

impl Runtime {
    /// Calls a method of an object.
    ///
    /// # Errors
    ///
    /// Returns the error of the method, and [`Kind::NoMethod`] or [`Kind::MethodNotExposed`] if it can't be called.
    pub fn call_object(self: &Rc<Self>, id: &str, method: &str, arguments: Arguments, access: Access) -> Result<Value> {
        let object = self.object(id).ok_or_else(|| fail(Kind::NoObject, format!("Object \"{id}\" is not found")))?;
        let this = object_value(&object);
        let Some((declaring, found)) = object.class.find_method(method)? else {
            let native = object.class.lineage().find_map(|class| natives::find(self, &class, method));
            let native = native.ok_or_else(|| no_method(method))?;
            let context = Frame::enter(self, &object.class, &this, None);
            return native.call(Frame::of(&context)?, &this, &arguments);
        };
        check_exposed(&found, access)?;
        let this = if found.usage == MethodUsage::Static { type_value(&object.class) } else { this };
        Callee { runtime: self, class: &declaring, method: &found, this: &this }.call(arguments)
    }

    /// Evaluates an expression as code of the class of an object would, with a value for `$`.
    ///
    /// # Errors
    ///
    /// Returns any error, with its position in the text.
    pub fn evaluate(self: &Rc<Self>, id: &str, text: &str, data: Value) -> Result<Value> {
        let object = self.object(id).ok_or_else(|| fail(Kind::NoObject, format!("Object \"{id}\" is not found")))?;
        let expression = tosca_parse_yaql::Expression::parse(text, tosca_parse_yaql::Syntax::Murano)?;
        let context = Frame::enter(self, &object.class, &object_value(&object), None);
        context.set_data(data);
        context.evaluate(expression.root())
    }

    /// Calls a static method of a class.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Runtime::call_object`].
    pub fn call_class(
        self: &Rc<Self>,
        class: &Rc<Class>,
        method: &str,
        arguments: Arguments,
        access: Access,
    ) -> Result<Value> {
        let (declaring, found) = class.find_method(method)?.ok_or_else(|| no_method(method))?;
        check_exposed(&found, access)?;
        if !matches!(found.usage, MethodUsage::Static | MethodUsage::Extension) {
            return Err(not_static(&declaring, method, class));
        }
        Callee { runtime: self, class: &declaring, method: &found, this: &type_value(class) }.call(arguments)
    }
}

fn no_method(method: &str) -> Error {
    fail(Kind::NoMethod, format!("Method \"{method}\" is not found"))
}

fn check_exposed(method: &Method, access: Access) -> Result<()> {
    if access == Access::Action && !method.is_public() {
        return Err(fail(Kind::MethodNotExposed, format!("{} is not an action", method.name)));
    }
    Ok(())
}
