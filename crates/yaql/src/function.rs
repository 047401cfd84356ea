//! Functions, their signatures and implementations, and libraries.

mod signature;

use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashMap;

pub use self::signature::{Default, Parameter, Shape, Signature, Type};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::integer::Integer;
use crate::iterate::Items;
use crate::lambda::Lambda;
use crate::meter::Gathered;
use crate::value::{Dict, NestedCollection, Value};

/// A function in a library.
pub struct Function {
    pub(crate) signature: Signature,
    pub(crate) body: Body,
}

type Closure = dyn Fn(&mut Call<'_>) -> Result<Value>;

pub(crate) enum Body {
    Native(fn(&mut Call<'_>) -> Result<Value>),
    Closure(Box<Closure>),
    Defined(Rc<Lambda>),
}

impl Function {
    /// Returns the signature, which determines how the function is called.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }
}

/// Functions by name. A library is a layer. If it has no matching function, the next layer is searched.
#[derive(Default)]
pub struct Library {
    functions: HashMap<Arc<str>, Vec<Rc<Function>>>,
}

impl Library {
    /// Creates a library without functions.
    pub fn new() -> Self {
        <Self as std::default::Default>::default()
    }

    /// Adds a function with its signature as in the documentation: `name(parameter: Type=default, *rest: Type, **named:
    /// Type)`. The signature of a method starts with `.`, and the receiver is its first parameter; the signature of a
    /// function that is also a method starts with `±`.
    ///
    /// # Panics
    ///
    /// Panics if the signature is malformed.
    pub fn add(&mut self, signature: &str, body: fn(&mut Call<'_>) -> Result<Value>) -> &mut Self {
        self.insert(signature, Body::Native(body))
    }

    /// Adds a function that captures state besides its arguments.
    ///
    /// # Panics
    ///
    /// Panics if the signature is malformed.
    pub fn add_closure(
        &mut self,
        signature: &str,
        body: impl Fn(&mut Call<'_>) -> Result<Value> + 'static,
    ) -> &mut Self {
        self.insert(signature, Body::Closure(Box::new(body)))
    }

    pub(crate) fn insert(&mut self, signature: &str, body: Body) -> &mut Self {
        self.insert_function(Signature::parse(signature), body)
    }

    pub(crate) fn insert_function(&mut self, signature: Signature, body: Body) -> &mut Self {
        let overloads = self.functions.entry(signature.name.clone()).or_default();
        overloads.push(Rc::new(Function { signature, body }));
        self
    }

    /// Adds a function from a different library.
    pub(crate) fn share(&mut self, function: Rc<Function>) {
        self.functions.entry(function.signature.name.clone()).or_default().push(function);
    }

    /// Returns the functions with the given name.
    pub fn overloads(&self, name: &str) -> &[Rc<Function>] {
        self.functions.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the names of all functions, in no particular order.
    pub fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.functions.keys()
    }
}

/// An argument that is bound to a parameter.
#[derive(Clone, Debug)]
pub enum BoundArgument {
    /// Nothing, and there is no default.
    Nothing,
    /// A value.
    Value(Value),
    /// An expression.
    Lambda(Lambda),
    /// `key => value`
    Mapping(Lambda, Lambda),
}

/// A function call: its arguments, by the position of their parameters.
pub struct Call<'c> {
    /// The context of the call.
    pub context: &'c Context,
    /// The name that was called.
    pub name: &'c str,
    /// The arguments of the parameters before `*`.
    pub fixed: Vec<BoundArgument>,
    /// The arguments of the parameter with `*`.
    pub rest: Vec<BoundArgument>,
    /// The arguments of the parameter with `**`.
    pub named: Vec<(Arc<str>, Value)>,
}

impl Call<'_> {
    /// Returns the value of a parameter; null if there is none.
    pub fn value(&self, index: usize) -> Value {
        self.optional_value(index).unwrap_or(Value::Null)
    }

    /// Returns the value of a parameter, if there is one.
    pub fn optional_value(&self, index: usize) -> Option<Value> {
        match self.fixed.get(index) {
            Some(BoundArgument::Value(value)) => Some(value.clone()),
            _ => None,
        }
    }

    /// Returns the string that was passed for a parameter of type `String`; empty for null.
    pub fn text(&self, index: usize) -> Arc<str> {
        self.optional_text(index).unwrap_or_default()
    }

    /// Returns the string that was passed for a parameter of type `String`, if it is not null.
    pub fn optional_text(&self, index: usize) -> Option<Arc<str>> {
        match self.fixed.get(index) {
            Some(BoundArgument::Value(Value::String(text))) => Some(text.clone()),
            _ => None,
        }
    }

    /// Returns the whole number that was passed for a parameter.
    pub fn whole(&self, index: usize) -> Integer {
        match self.fixed.get(index) {
            Some(BoundArgument::Value(Value::Integer(number))) => number.clone(),
            Some(BoundArgument::Value(Value::Boolean(truth))) => i64::from(*truth).into(),
            _ => 0.into(),
        }
    }

    /// Returns the whole number that was passed for a parameter, or the nearest one that fits into 64 bits.
    pub fn number(&self, index: usize) -> i64 {
        self.whole(index).saturated()
    }

    /// Returns whether a truthy value was passed for a parameter.
    pub fn flag(&self, index: usize) -> bool {
        matches!(self.fixed.get(index), Some(BoundArgument::Value(value)) if value.is_truthy())
    }

    /// Returns the expression that was passed for a parameter, unless it is null.
    pub fn lambda(&self, index: usize) -> Option<Lambda> {
        match self.fixed.get(index) {
            Some(BoundArgument::Lambda(lambda)) => Some(lambda.clone()),
            _ => None,
        }
    }

    /// Returns the expression that was passed for a mandatory parameter.
    ///
    /// # Errors
    ///
    /// Never fails if the parameter is declared as an expression.
    pub fn demanded_lambda(&self, index: usize) -> Result<Lambda> {
        self.lambda(index).ok_or_else(|| Error::new(ErrorKind::Runtime, format!("{} needs an expression", self.name)))
    }

    /// Returns the collection that was passed for a parameter.
    pub fn items(&self, index: usize) -> Items {
        let nothing = || Items::new(|| Ok(None));
        self.optional_value(index).and_then(|value| value.items(self.context)).unwrap_or_else(nothing)
    }

    /// Returns all items of the collection that was passed for a parameter.
    ///
    /// # Errors
    ///
    /// Returns an error if computing the items fails.
    pub fn collected(&self, index: usize) -> Result<Vec<Value>> {
        collect(self.context, &self.items(index))
    }

    /// Returns the dictionary that was passed for a parameter.
    pub fn dict(&self, index: usize) -> Rc<NestedCollection<Dict>> {
        match self.fixed.get(index) {
            Some(BoundArgument::Value(Value::Dict(entries))) => entries.clone(),
            _ => Rc::default(),
        }
    }

    /// Returns items that are computed on demand from the arguments of the call.
    pub fn lazily(&self, next: impl FnMut() -> Result<Option<Value>> + 'static) -> Items {
        let depth = |argument: &BoundArgument| match argument {
            BoundArgument::Nothing => 0,
            BoundArgument::Value(value) => value.depth(),
            BoundArgument::Lambda(lambda) => lambda.context().depth(),
            BoundArgument::Mapping(key, value) => key.context().depth().max(value.context().depth()),
        };
        let depth = self.fixed.iter().chain(&self.rest).map(depth).max();
        let items = Items::nested(depth.unwrap_or(0).max(self.context.depth()), next);
        items.reading(self.fixed.len() + self.rest.len())
    }

    /// Returns an iterator of items that have been computed.
    pub(crate) fn computed(&self, items: Vec<Value>) -> Result<Value> {
        Items::computed(items, self.context.meter()).map(Value::from)
    }

    /// Returns the weight of the values that were passed.
    pub(crate) fn weight(&self) -> u64 {
        let given = self.fixed.iter().chain(&self.rest).filter_map(|argument| match argument {
            BoundArgument::Value(value) => Some(value),
            _ => None,
        });
        let values = given.chain(self.named.iter().map(|(_, value)| value));
        values.map(Value::weight).fold(0, u64::saturating_add)
    }

    /// Returns the values that were passed for the parameter with `*`.
    pub fn rest_values(&self) -> Vec<Value> {
        let value = |argument: &BoundArgument| match argument {
            BoundArgument::Value(value) => Some(value.clone()),
            _ => None,
        };
        self.rest.iter().filter_map(value).collect()
    }

    /// Returns the expressions that were passed for the parameter with `*`.
    pub fn rest_lambdas(&self) -> Vec<Lambda> {
        let lambda = |argument: &BoundArgument| match argument {
            BoundArgument::Lambda(lambda) => Some(lambda.clone()),
            _ => None,
        };
        self.rest.iter().filter_map(lambda).collect()
    }

    /// Returns the pairs of expressions that were passed for the parameter with `*`.
    pub fn rest_mappings(&self) -> Vec<(Lambda, Lambda)> {
        let mapping = |argument: &BoundArgument| match argument {
            BoundArgument::Mapping(key, value) => Some((key.clone(), value.clone())),
            _ => None,
        };
        self.rest.iter().filter_map(mapping).collect()
    }
}

/// Returns all items of a collection.
///
/// # Errors
///
/// Returns an error if computing the items fails or a limit is exceeded.
pub(crate) fn collect(context: &Context, items: &Items) -> Result<Vec<Value>> {
    let mut list = Gathered::new(context.meter());
    while let Some(item) = items.next()? {
        list.push(item)?;
    }
    list.items()
}
