//! Selection of the function for a call.
//!
//! Candidates are the functions with the called name whose parameters accept the arguments. They must agree on which
//! arguments are lazy; the other arguments are evaluated once. The first layer of libraries with a candidate for the
//! types of the values wins, and in this layer the candidate with the most specific types.

use std::rc::Rc;
use std::sync::Arc;

use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::function::{Body, BoundArgument, Call, Function, Library, Shape, Signature, Type};
use crate::lambda::Lambda;
use crate::suggest;
use crate::syntax::{Argument, Constant, Expr, Kind};
use crate::value::Value;

/// Layers of libraries, the nearest first.
pub(crate) struct Functions {
    library: Rc<Library>,
    next: Option<Rc<Functions>>,
}

impl Functions {
    pub(crate) fn new(library: Rc<Library>, next: Option<Rc<Self>>) -> Self {
        Self { library, next }
    }

    pub(crate) fn has_method(&self, name: &str) -> bool {
        let is_method = |function: &Rc<Function>| function.signature().shape != Shape::Function;
        self.layers().any(|library| library.overloads(name).iter().any(is_method))
    }

    fn layers(&self) -> impl Iterator<Item = &Library> {
        std::iter::successors(Some(self), |functions| functions.next.as_deref()).map(|functions| &*functions.library)
    }
}

/// An argument of a call, before its parameter is known.
#[derive(Clone, Debug)]
pub enum Actual {
    /// No argument: the parameter gets its default.
    Omitted,
    /// An expression.
    Expression(Expr),
    /// A value that is already known.
    Value(Value),
    /// `key => value`
    Mapping(Expr, Expr),
    /// A value whose name is already known.
    Named(Arc<str>, Value),
}

impl From<&Argument> for Actual {
    fn from(argument: &Argument) -> Self {
        match argument {
            Argument::Omitted => Self::Omitted,
            Argument::Positional(value) => Self::Expression(value.clone()),
            Argument::Mapping(key, value) => Self::Mapping(key.clone(), value.clone()),
        }
    }
}

/// Returns the arguments of a call as they are written.
pub(crate) fn actuals(arguments: &[Argument]) -> Vec<Actual> {
    arguments.iter().map(Actual::from).collect()
}

/// The values of arguments.
#[derive(Clone, Debug, Default)]
pub struct Evaluated {
    /// The values by position; `None` for an omitted argument.
    pub positional: Vec<Option<Value>>,
    /// The values by name.
    pub named: Vec<(Arc<str>, Value)>,
}

/// Evaluates all arguments, those by position and those by name.
///
/// # Errors
///
/// Returns the errors of the evaluation, or [`ErrorKind::MappingTranslation`] for names that are not words.
pub fn evaluate_arguments(context: &Context, actuals: &[Actual]) -> Result<Evaluated> {
    let (mut positional, mut named) = (Vec::new(), Vec::new());
    for actual in actuals {
        match actual {
            Actual::Omitted => positional.push(None),
            Actual::Value(value) => positional.push(Some(value.clone())),
            Actual::Expression(expression) => positional.push(Some(context.evaluate(expression)?)),
            Actual::Mapping(key, value) => named.push((word(key)?, context.evaluate(value)?)),
            Actual::Named(name, value) => named.push((name.clone(), value.clone())),
        }
    }
    Ok(Evaluated { positional, named })
}

/// Returns the name of an argument.
fn word(key: &Expr) -> Result<Arc<str>> {
    match &key.kind {
        Kind::Word(name) => Ok(name.clone()),
        _ => Err(Error::new(ErrorKind::MappingTranslation, "Cannot convert mapping to keyword argument").at(&key.span)),
    }
}

/// Calls the function, or the method if there is a receiver, that has the given name and accepts the arguments.
pub(crate) fn call(context: &Context, name: &str, receiver: Option<&Value>, actuals: &[Actual]) -> Result<Value> {
    /// The steps of a call, apart from those of its arguments.
    const CALL: u64 = 8;
    /// The number of libraries that are searched per step.
    const SEARCHED_PER_STEP: usize = 8;
    let functions = context.functions().clone();
    context.meter().spend(CALL + (functions.layers().count() / SEARCHED_PER_STEP) as u64)?;
    let dispatch = Dispatch { context, name, receiver };
    let overloads = |library: &Library| -> Vec<Rc<Function>> {
        let fits = |function: &&Rc<Function>| dispatch.fits(function.signature().shape);
        library.overloads(name).iter().filter(fits).cloned().collect()
    };
    let layers: Vec<_> = functions.layers().map(overloads).filter(|layer| !layer.is_empty()).collect();
    if layers.is_empty() {
        return Err(dispatch.unknown());
    }
    let arguments = dispatch.arguments(&layers, actuals)?;
    dispatch.choose(&layers, arguments)
}

struct Dispatch<'d> {
    context: &'d Context,
    name: &'d str,
    receiver: Option<&'d Value>,
}

/// An argument that is being bound to its parameter.
#[derive(Clone)]
enum Operand {
    Omitted,
    Value(Value),
    Expression(Expr),
    Mapping(Expr, Expr),
}

struct Arguments {
    positional: Vec<Operand>,
    named: Vec<(Arc<str>, Operand)>,
}

/// The parameter of an argument.
#[derive(Clone, Copy)]
enum Slot {
    Fixed(usize),
    Rest,
    Named,
}

impl Dispatch<'_> {
    fn fits(&self, shape: Shape) -> bool {
        match shape {
            Shape::Extension => true,
            Shape::Method => self.receiver.is_some(),
            Shape::Function => self.receiver.is_none(),
        }
    }

    fn unknown(&self) -> Error {
        let (kind, message) = match self.receiver {
            None => (ErrorKind::NoFunction, format!("there is no function `{}`", self.name)),
            Some(receiver) => (ErrorKind::NoMethod, format!("{} has no method `{}`", receiver.described(), self.name)),
        };
        let error = Error::new(kind, message);
        if let Some(hint) = self.other_form() {
            return error.with_hint(&hint);
        }
        match self.similar() {
            Ok(Some(near)) => error.with_hint(&format!("did you mean `{near}`?")),
            Ok(None) => error,
            Err(exceeded) => exceeded,
        }
    }

    /// Returns the hint to call a method as one, or a function as one.
    fn other_form(&self) -> Option<String> {
        let name = self.name;
        let mut named = self.context.functions().layers().flat_map(|library| library.overloads(name));
        Some(match self.receiver {
            None if named.next().is_some() => format!("it is a method: write `value.{name}()`"),
            Some(receiver) if named.any(|function| self.takes_first(function.signature(), receiver)) => {
                format!("it is a function: write `{name}(value)`")
            }
            _ => return None,
        })
    }

    /// Returns whether a value can be the first argument of a function.
    fn takes_first(&self, signature: &Signature, value: &Value) -> bool {
        match signature.parameters.first() {
            Some(first) => first.accepts(value, self.context),
            None => signature.rest.is_some_and(|rest| rest.accepts(value, self.context)),
        }
    }

    /// Returns the most similar name of a function that can be called in the same way, and on the same receiver.
    fn similar(&self) -> Result<Option<Arc<str>>> {
        let libraries: Vec<_> = self.context.functions().layers().collect();
        // Code that catches the error may repeat the call.
        let count: usize = libraries.iter().map(|library| library.names().count()).sum();
        self.context.meter().spend(count as u64)?;
        let callable = |library: &&Library, name: &Arc<str>| {
            library.overloads(name).iter().any(|function| {
                let signature = function.signature();
                self.fits(signature.shape) && self.receiver.is_none_or(|receiver| self.takes_first(signature, receiver))
            })
        };
        let names = libraries.iter().flat_map(|library| library.names().filter(|name| callable(library, name)));
        Ok(suggest::nearest(self.name, names).cloned())
    }

    fn no_match(&self) -> Error {
        let name = self.name;
        let (kind, message) = match self.receiver {
            None => (ErrorKind::NoMatchingFunction, format!("the function `{name}` does not accept these arguments")),
            Some(receiver) => {
                let message =
                    format!("the method `{name}` does not accept these arguments for {}", receiver.described());
                (ErrorKind::NoMatchingMethod, message)
            }
        };
        Error::new(kind, message)
    }

    fn ambiguous(&self) -> Error {
        let name = self.name;
        let (kind, what) = match self.receiver {
            None => (ErrorKind::AmbiguousFunction, "functions"),
            Some(_) => (ErrorKind::AmbiguousMethod, "methods"),
        };
        Error::new(kind, format!("several {what} `{name}` accept these arguments"))
    }

    /// Returns the arguments, evaluated except for those that are lazy in every candidate.
    fn arguments(&self, layers: &[Vec<Rc<Function>>], actuals: &[Actual]) -> Result<Arguments> {
        let all = || layers.iter().flatten();
        let mappings = all().any(|function| function.signature().takes_mappings());
        let mut arguments = self.translate(actuals, mappings)?;
        let candidates: Vec<_> = all()
            .filter_map(|function| self.bind(function.signature(), &arguments).map(|slots| (function, slots)))
            .collect();
        if candidates.is_empty() {
            return Err(self.no_match());
        }
        let own = arguments.positional.len();
        for index in 0..own + arguments.named.len() {
            let lazy = |(function, slots): &(&Rc<Function>, Vec<Slot>)| function.signature().ty(slots[index]).is_lazy();
            let is_lazy = lazy(&candidates[0]);
            if candidates.iter().any(|candidate| lazy(candidate) != is_lazy) {
                return Err(self.ambiguous());
            }
            let operand = match index.checked_sub(own) {
                None => &mut arguments.positional[index],
                Some(index) => &mut arguments.named[index].1,
            };
            if let (Operand::Expression(expression), false) = (&*operand, is_lazy) {
                *operand = Operand::Value(self.context.evaluate_lazily(expression)?);
            }
        }
        Ok(arguments)
    }

    fn translate(&self, actuals: &[Actual], mappings: bool) -> Result<Arguments> {
        let mut positional: Vec<_> = self.receiver.cloned().map(Operand::Value).into_iter().collect();
        let mut named = Vec::new();
        for actual in actuals {
            match actual {
                Actual::Omitted => positional.push(Operand::Omitted),
                Actual::Value(value) => positional.push(Operand::Value(value.clone())),
                Actual::Expression(expression) => positional.push(Operand::Expression(expression.clone())),
                Actual::Mapping(key, value) if mappings => {
                    positional.push(Operand::Mapping(key.clone(), value.clone()));
                }
                Actual::Mapping(key, value) => named.push((word(key)?, Operand::Expression(value.clone()))),
                Actual::Named(name, value) => named.push((name.clone(), Operand::Value(value.clone()))),
            }
        }
        Ok(Arguments { positional, named })
    }

    /// Returns the parameter of each argument; `None` if there are too many or too few, or constants of wrong types.
    fn bind(&self, signature: &Signature, arguments: &Arguments) -> Option<Vec<Slot>> {
        let mut slots = Vec::with_capacity(arguments.positional.len() + arguments.named.len());
        let mut given = vec![false; signature.parameters.len()];
        for (index, operand) in arguments.positional.iter().enumerate() {
            let slot = match given.get_mut(index) {
                Some(given) => {
                    *given = !matches!(operand, Operand::Omitted);
                    Slot::Fixed(index)
                }
                None if signature.rest.is_some() => Slot::Rest,
                None => return None,
            };
            self.constant_fits(signature, slot, operand).then(|| slots.push(slot))?;
        }
        for (name, operand) in &arguments.named {
            let position = signature.parameters.iter().position(|parameter| parameter.name == *name);
            let slot = match position {
                Some(index) if !std::mem::replace(&mut given[index], true) => Slot::Fixed(index),
                Some(_) => return None,
                None if signature.named.is_some() => Slot::Named,
                None => return None,
            };
            self.constant_fits(signature, slot, operand).then(|| slots.push(slot))?;
        }
        let complete =
            given.iter().zip(&signature.parameters).all(|(given, parameter)| *given || parameter.default.is_some());
        complete.then_some(slots)
    }

    fn constant_fits(&self, signature: &Signature, slot: Slot, operand: &Operand) -> bool {
        match (operand, signature.ty(slot)) {
            (Operand::Mapping(..), ty) => ty == Type::Mapping,
            (Operand::Omitted, _) => true,
            (_, Type::Mapping) => false,
            (_, Type::Lambda) => true,
            (Operand::Expression(expression), _) => match &expression.kind {
                Kind::Constant(constant) => self.accepts(signature, slot, &Value::from(constant)),
                Kind::Word(text) => self.accepts(signature, slot, &Value::String(text.clone())),
                _ => true,
            },
            (Operand::Value(value), _) => self.accepts(signature, slot, value),
        }
    }

    fn accepts(&self, signature: &Signature, slot: Slot, value: &Value) -> bool {
        match slot {
            Slot::Fixed(index) => signature.parameters[index].accepts(value, self.context),
            Slot::Rest | Slot::Named => signature.ty(slot).accepts(value, self.context),
        }
    }

    fn choose(&self, layers: &[Vec<Rc<Function>>], arguments: Arguments) -> Result<Value> {
        for layer in layers {
            let fits = |function: &&Rc<Function>| self.bind(function.signature(), &arguments).is_some();
            let mut matching = layer.iter().filter(fits);
            let Some(first) = matching.next() else { continue };
            let others: Vec<_> = matching.collect();
            let chosen = if others.is_empty() {
                first
            } else {
                let all: Vec<_> = std::iter::once(first).chain(others).collect();
                most_specific(&all, arguments.positional.len()).ok_or_else(|| self.ambiguous())?
            };
            return self.invoke(chosen, arguments);
        }
        Err(self.no_match())
    }

    fn invoke(&self, function: &Rc<Function>, arguments: Arguments) -> Result<Value> {
        let signature = function.signature();
        let slots = self.bind(signature, &arguments).ok_or_else(|| self.no_match())?;
        let defaults = signature.parameters.iter().map(|parameter| {
            let default = parameter.default.as_ref().and_then(crate::function::Default::value);
            default.filter(|_| !parameter.ty.is_lazy()).map_or(BoundArgument::Nothing, BoundArgument::Value)
        });
        let mut call = Call {
            context: self.context,
            name: self.name,
            fixed: defaults.collect(),
            rest: Vec::new(),
            named: Vec::new(),
        };
        let count = arguments.positional.len();
        let names: Vec<_> = arguments.named.iter().map(|(name, _)| name.clone()).collect();
        let operands = arguments.positional.into_iter().chain(arguments.named.into_iter().map(|(_, operand)| operand));
        for (index, (slot, operand)) in slots.into_iter().zip(operands).enumerate() {
            let Some(argument) = self.argument(operand) else { continue };
            match (slot, argument) {
                // For an optional expression, null counts as omitted.
                (Slot::Fixed(index), BoundArgument::Lambda(lambda))
                    if signature.parameters[index].default.is_some() && is_null(lambda.expression()) => {}
                (Slot::Fixed(index), argument) => call.fixed[index] = argument,
                (Slot::Rest, argument) => call.rest.push(argument),
                (Slot::Named, BoundArgument::Value(value)) => call.named.push((names[index - count].clone(), value)),
                (Slot::Named, _) => {}
            }
        }
        self.context.meter().look_through(call.weight())?;
        let value = match &function.body {
            Body::Native(body) => body(&mut call),
            Body::Closure(body) => body(&mut call),
            Body::Defined(lambda) => {
                let arguments = call.rest_values();
                // The function can also be called in its own expression.
                let mut library = Library::new();
                library.share(function.clone());
                let context = lambda.context().with_library(Rc::new(library));
                let lambda = Lambda::new(lambda.expression().clone(), context);
                self.context.meter().nested(|| lambda.call_with(arguments, call.named))
            }
        }?;
        self.context.meter().check_value(&value)?;
        self.check_memory(&value)?;
        Ok(value)
    }

    fn argument(&self, operand: Operand) -> Option<BoundArgument> {
        let lambda = |expression| Lambda::new(expression, self.context.clone());
        Some(match operand {
            Operand::Omitted => return None,
            Operand::Value(value) => BoundArgument::Value(value),
            Operand::Expression(expression) => BoundArgument::Lambda(lambda(expression)),
            Operand::Mapping(key, value) => BoundArgument::Mapping(lambda(key), lambda(value)),
        })
    }

    fn check_memory(&self, value: &Value) -> Result<()> {
        let bytes = match value {
            Value::String(text) => text.len(),
            Value::List(items) => items.len() * 8,
            Value::Dict(entries) => entries.len() * 16,
            Value::Set(elements) => elements.len() * 16,
            _ => return Ok(()),
        };
        self.context.meter().check_memory(bytes as u64)?;
        self.context.meter().look_through(value.weight())
    }
}

fn is_null(expression: &Expr) -> bool {
    matches!(&expression.kind, Kind::Constant(Constant::Null))
}

impl Signature {
    fn ty(&self, slot: Slot) -> Type {
        match slot {
            Slot::Fixed(index) => self.parameters[index].ty,
            Slot::Rest => self.rest.unwrap_or(Type::Any),
            Slot::Named => self.named.unwrap_or(Type::Any),
        }
    }

    fn ty_at(&self, index: usize) -> Type {
        self.parameters.get(index).map_or(self.rest.unwrap_or(Type::Any), |parameter| parameter.ty)
    }
}

/// Returns the only function whose parameter types are within those of all others.
fn most_specific<'f>(functions: &[&'f Rc<Function>], arguments: usize) -> Option<&'f Rc<Function>> {
    let types = |function: &Rc<Function>| -> Vec<Type> {
        (0..arguments).map(|index| function.signature().ty_at(index)).collect()
    };
    let within = |one: &Rc<Function>, other: &Rc<Function>| {
        types(one).iter().zip(types(other)).all(|(one, other)| one.is_within(other))
    };
    let mut best = functions.iter().filter(|one| functions.iter().all(|other| within(one, other)));
    match (best.next(), best.next()) {
        (Some(best), None) => Some(*best),
        _ => None,
    }
}
