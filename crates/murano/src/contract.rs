//! Contracts: checks and conversions of values.

use std::rc::Rc;

use tosca_parse_yaql::{Argument, Call, Error, ErrorKind, Kind as NodeKind, Library, Node, Result, Value};

use crate::class::Class;
use crate::error::{Kind, fail, failure, steps, violation, within};
use crate::frame::Frame;
use crate::model::{self, Loading};
use crate::object::{Object, Placeholder, as_object, downcast, object_value};
use crate::runtime::Runtime;
use crate::template::{Content, Template};
use crate::trace;
use crate::version::Requirement;

/// The purpose of applying a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Values are converted if possible.
    Transform,
    /// Values must be valid without conversion.
    Validate,
    /// Like [`Validate`](Self::Validate), but to find the method that accepts a value.
    Check,
}

/// The scope in which a contract is applied.
#[derive(Clone)]
pub(crate) struct Scope {
    pub(crate) mode: Mode,
    /// The owner of new objects.
    pub(crate) owner: Option<Rc<Object>>,
    /// The model that is being loaded.
    pub(crate) loading: Option<Rc<Loading>>,
}

impl Scope {
    pub(crate) fn new(mode: Mode) -> Self {
        Self { mode, owner: None, loading: None }
    }
}

const NAMES: [&str; 9] = ["notNull", "int", "string", "bool", "check", "class", "template", "owned", "notOwned"];

/// Returns whether a contract function has this name.
pub(crate) fn is_contract(name: &str) -> bool {
    NAMES.contains(&name)
}

thread_local! {
    /// The functions for contracts.
    pub(crate) static LIBRARY: Rc<Library> = Rc::new(assemble());
}

fn assemble() -> Library {
    let mut library = Library::new();
    library
        .add(".notNull(value: any)", |call| match call.value(0) {
            Value::Null => Err(violation("null value violates notNull() contract")),
            value => Ok(value),
        })
        .add(".int(value: any)", |call| unless_null(call, integer))
        .add(".string(value: any)", |call| unless_null(call, string))
        .add(".bool(value: any)", |call| unless_null(call, boolean))
        .add(".check(value: any, predicate: Lambda, msg: any=null)", check)
        .add(".class(value: any, name: any, defaultName: any=null, versionSpec: any=null)", |call| of_class(call, class))
        .add(
            ".template(value: any, name: any, defaultName: any=null, versionSpec: any=null, excludeProperties: any=null)",
            |call| of_class(call, template),
        )
        .add(".owned(value: any)", |call| ownership(call, true))
        .add(".notOwned(value: any)", |call| ownership(call, false));
    library
}

/// Applies a contract of a class to a value.
pub(crate) fn apply(
    runtime: &Rc<Runtime>,
    class: &Rc<Class>,
    this: &Value,
    contract: &Template,
    value: Value,
    scope: Scope,
) -> Result<Value> {
    let mode = scope.mode;
    let context = Frame::enter(runtime, class, this, Some(scope));
    let apply = || Contract { context: &context, mode }.apply(contract, value)?.finalize(&context);
    let value = runtime.meter().nested(apply);
    value.map_err(|error| trace::leave(trace::at(&context, &contract.span, None, error)))
}

/// Returns whether a contract accepts a value unchanged.
pub(crate) fn accepts(runtime: &Rc<Runtime>, class: &Rc<Class>, contract: &Template, value: &Value) -> bool {
    let this = crate::object::type_value(class);
    apply(runtime, class, &this, contract, value.clone(), Scope::new(Mode::Check)).is_ok()
}

struct Contract<'c> {
    context: &'c tosca_parse_yaql::Context,
    mode: Mode,
}

impl Contract<'_> {
    fn apply(&self, contract: &Template, value: Value) -> Result<Value> {
        match &contract.content {
            Content::Yaql(expression) => {
                let context = self.context.child();
                context.set_data(value);
                let value = context.evaluate(expression.root());
                value.map_err(|error| trace::at(&context, &contract.span, Some(expression), error))
            }
            Content::List(contracts) => self.list(contracts, value),
            Content::Map(contracts) => self.dict(contracts, value),
            _ => {
                let literal = contract.raw_value();
                if value == literal {
                    return Ok(value);
                }
                Err(violation(format!("Value {} violates fixed contract {}", value.shown_repr(), literal.shown_repr())))
            }
        }
    }

    fn list(&self, contracts: &[Template], value: Value) -> Result<Value> {
        let items = match &value {
            Value::List(items) => items.to_vec(),
            Value::Iterator(_) | Value::View(..) | Value::Set(_) => match value.finalize(self.context)? {
                Value::List(items) => items.to_vec(),
                Value::Set(elements) => elements.iter().cloned().collect(),
                value => vec![value],
            },
            Value::Null => Vec::new(),
            _ if self.mode != Mode::Transform => return Err(violation("Value is not a list")),
            _ => vec![value],
        };
        let bounds =
            contracts.iter().rev().take_while(|contract| matches!(contract.content, Content::Integer(_))).count();
        let (contracts, bounds) = contracts.split_at(contracts.len() - bounds.min(2));
        let bound = |index: usize| match bounds.get(index).map(|bound| &bound.content) {
            Some(Content::Integer(number)) => number.to_i64().and_then(|number| usize::try_from(number).ok()),
            _ => None,
        };
        if items.len() < bound(0).unwrap_or(0) || items.len() > bound(1).unwrap_or(usize::MAX) {
            return Err(violation(format!("Array length {} is not within range", items.len())));
        }
        if contracts.is_empty() {
            return Ok(Value::list(items));
        }
        let item = |(index, item)| {
            let contract = &contracts[usize::min(index, contracts.len() - 1)];
            self.apply(contract, item).map_err(|error| within(error, &format!("[{index}]")))
        };
        items.into_iter().enumerate().map(item).collect::<Result<_>>().map(Value::list)
    }

    fn dict(&self, contracts: &[(Template, Template)], value: Value) -> Result<Value> {
        let entries = match value {
            Value::Null => tosca_parse_yaql::Dict::default(),
            Value::Dict(entries) => entries.content().clone(),
            _ => return Err(violation("Value is not a dictionary")),
        };
        if contracts.is_empty() {
            return Ok(Value::dict(entries));
        }
        let mut expressions = contracts.iter().filter(|(key, _)| key.as_yaql().is_some());
        let others = expressions.next();
        if expressions.next().is_some() {
            return Err(fail(Kind::ContractSyntax, "Dictionary contract cannot have more than one expression key"));
        }
        let step = |key: &Value| format!("[{}]", key.shown_repr());
        let mut result = tosca_parse_yaql::Dict::default();
        let mut known = Vec::new();
        for (key, contract) in contracts.iter().filter(|(key, _)| key.as_yaql().is_none()) {
            let key = key.raw_value();
            let value = entries.get(&key).cloned().unwrap_or(Value::Null);
            result.insert(key.clone(), self.apply(contract, value).map_err(|error| within(error, &step(&key)))?);
            known.push(key);
        }
        if let Some((key_contract, contract)) = others {
            for (key, value) in entries.into_iter().filter(|(key, _)| !known.contains(key)) {
                let new_key = self.apply(key_contract, key.clone()).map_err(|error| within(error, &step(&key)))?;
                result.insert(new_key, self.apply(contract, value).map_err(|error| within(error, &step(&key)))?);
            }
        }
        Ok(Value::dict(result))
    }
}

/// The part of a contract that a value violates.
pub(crate) struct Violated<'t> {
    /// The part.
    pub(crate) contract: &'t Template,
    /// The key that has it as its contract in a map, if that is a name.
    pub(crate) key: Option<&'t Template>,
    /// Whether it is the contract for keys of a map.
    pub(crate) is_of_keys: bool,
}

/// Returns the part of a contract that an error is about.
pub(crate) fn violated<'t>(contract: &'t Template, error: &Error) -> Violated<'t> {
    let mut part = Violated { contract, key: None, is_of_keys: false };
    let innermost = trace::steps(error).into_iter().next().filter(|step| step.is_contract);
    let is_failing = |key: &Template| innermost.as_ref().is_some_and(|step| key.span.contains(&step.span.start));
    for step in steps(failure(error).map_or("", |failure| &failure.path)) {
        let found = match &part.contract.content {
            Content::List(items) => {
                let index = step.parse().unwrap_or(usize::MAX);
                let is_contract = |item: &&Template| !matches!(item.content, Content::Integer(_));
                items
                    .get(index)
                    .filter(is_contract)
                    .or_else(|| items.iter().rfind(is_contract))
                    .map(|item| (None, item))
            }
            Content::Map(entries) => {
                let is_named = |key: &Template| key.as_yaql().is_none() && *key.raw_value().shown_repr() == *step;
                let named = entries.iter().find(|(key, _)| is_named(key));
                let others = || entries.iter().find(|(key, _)| key.as_yaql().is_some());
                named.or_else(others).map(|(key, contract)| (Some(key), contract))
            }
            _ => None,
        };
        part = match found {
            Some((Some(key), _)) if key.as_yaql().is_some() && is_failing(key) => {
                return Violated { contract: key, key: None, is_of_keys: true };
            }
            Some((key, contract)) => {
                Violated { contract, key: key.filter(|key| key.as_yaql().is_none()), is_of_keys: false }
            }
            None => break,
        };
    }
    part
}

/// Describes the values that a contract accepts; `None` if it accepts any.
pub(crate) fn described(contract: &Template) -> Option<String> {
    match &contract.content {
        Content::Yaql(expression) => {
            let described = described_chain(expression.root(), expression.text());
            match (described, refuses_null(expression.root())) {
                (Some(values), true) => Some(format!("{values}, not null")),
                (None, true) => Some("any value but null".to_owned()),
                (described, false) => described,
            }
        }
        Content::List(_) => Some("a list".to_owned()),
        Content::Map(_) => Some("a map".to_owned()),
        _ => Some(format!("only {}", contract.raw_value().repr())),
    }
}

/// Returns whether a chain of contracts has `notNull`.
pub(crate) fn refuses_null(link: &Node) -> bool {
    match &link.kind {
        NodeKind::Method { receiver, name, .. } => &**name == "notNull" || refuses_null(receiver),
        _ => false,
    }
}

fn described_chain(link: &Node, text: &str) -> Option<String> {
    let NodeKind::Method { receiver, name, arguments, .. } = &link.kind else { return None };
    let inner = described_chain(receiver, text);
    let part = |argument: &Argument| {
        let Argument::Positional(node) = argument else { return None };
        text.get(node.span.start as usize..node.span.end as usize)
    };
    let value = |inner: Option<String>| inner.unwrap_or_else(|| "a value".to_owned());
    match &**name {
        "int" => Some("an integer".to_owned()),
        "string" => Some("a string".to_owned()),
        "bool" => Some("a boolean".to_owned()),
        "class" => {
            let class = arguments.first().and_then(part).unwrap_or_default();
            Some(format!("an object of class `{class}`, or its id"))
        }
        "template" => Some(format!("a template of class `{}`", arguments.first().and_then(part).unwrap_or_default())),
        "check" => match arguments.first().and_then(part) {
            Some(condition) => Some(format!("{} that fulfills `{condition}`", value(inner))),
            None => inner,
        },
        "owned" => Some(format!("{} that belongs to the object", value(inner))),
        "notOwned" => Some(format!("{} that does not belong to the object", value(inner))),
        _ => inner,
    }
}

fn unless_null(call: &mut Call<'_>, contract: fn(&Call<'_>, &Scope, &Value) -> Result<Value>) -> Result<Value> {
    match call.value(0) {
        Value::Null => Ok(Value::Null),
        value => contract(call, &scope(call)?, &value.finalize(call.context)?),
    }
}

/// Applies a contract that requires a class. The class must exist even if the value is null.
fn of_class(call: &mut Call<'_>, contract: fn(&Call<'_>, &Scope, &Value, &Wanted) -> Result<Value>) -> Result<Value> {
    let wanted = wanted(call)?;
    match call.value(0) {
        Value::Null => Ok(Value::Null),
        value => contract(call, &scope(call)?, &value.finalize(call.context)?, &wanted),
    }
}

fn scope(call: &Call<'_>) -> Result<Scope> {
    let scope = Frame::of(call.context)?.contract.clone();
    scope.ok_or_else(|| Error::new(ErrorKind::Runtime, "there is no contract"))
}

fn violates(value: &Value, contract: &str) -> Error {
    violation(format!("Value {} violates {contract}() contract", value.shown_repr()))
}

fn integer(_: &Call<'_>, scope: &Scope, value: &Value) -> Result<Value> {
    let number = match value {
        Value::Integer(_) => return Ok(value.clone()),
        _ if scope.mode != Mode::Transform => None,
        Value::Boolean(truth) => Some(tosca_parse_yaql::Integer::from(i64::from(*truth))),
        Value::Float(number) => tosca_parse_yaql::Integer::truncated(*number),
        Value::String(text) => tosca_parse_yaql::Integer::parse(text.trim()),
        _ => None,
    };
    let is_number = |text: &str| text.contains(|c: char| c.is_ascii_digit()) && text.trim().parse::<f64>().is_ok();
    number.map(Value::Integer).ok_or_else(|| match value {
        Value::String(text) if scope.mode == Mode::Transform && is_number(text) => not_an_integer(value),
        Value::Float(_) if scope.mode == Mode::Transform => not_an_integer(value),
        _ => violates(value, "int"),
    })
}

fn not_an_integer(value: &Value) -> Error {
    violation(format!("Value {} violates int() contract: it is too large or not an integer", value.shown_repr()))
}

fn string(_: &Call<'_>, scope: &Scope, value: &Value) -> Result<Value> {
    match value {
        Value::String(_) => Ok(value.clone()),
        _ if scope.mode != Mode::Transform => Err(violates(value, "string")),
        Value::Integer(_) | Value::Boolean(_) => Ok(value.to_python().into()),
        _ => match as_object(value) {
            Some(object) => Ok(object.id.as_str().into()),
            None => match downcast::<Placeholder>(value) {
                Some(placeholder) => Ok(placeholder.0.as_str().into()),
                None => Err(violates(value, "string")),
            },
        },
    }
}

fn boolean(_: &Call<'_>, scope: &Scope, value: &Value) -> Result<Value> {
    match value {
        Value::Boolean(_) => Ok(value.clone()),
        _ if scope.mode != Mode::Transform => Err(violates(value, "bool")),
        _ => Ok(value.is_truthy().into()),
    }
}

fn check(call: &mut Call<'_>) -> Result<Value> {
    let value = call.value(0);
    if downcast::<Placeholder>(&value).is_some() || call.demanded_lambda(1)?.call([value.clone()])?.is_truthy() {
        return Ok(value);
    }
    let message = match call.value(2) {
        Value::Null => format!("Value {} doesn't match predicate", value.shown_repr()),
        message => message.to_python(),
    };
    Err(violation(message))
}

/// The class that a contract requires of an object.
pub(crate) struct Wanted {
    /// The required class.
    pub(crate) class: Rc<Class>,
    /// The default class.
    pub(crate) default: Rc<Class>,
    /// The accepted versions of the class, if different from those that the package requires.
    pub(crate) versions: Option<Requirement>,
}

impl Wanted {
    /// Fails unless the contract accepts objects of a class.
    pub(crate) fn check(&self, frame: &Frame, actual: &Rc<Class>) -> Result<()> {
        if frame.seen_as(actual, &self.class, self.versions.as_ref()).is_some() {
            return Ok(());
        }
        let is_same = actual.name == self.class.name;
        let shown = |class: &Class| {
            if is_same { format!("{} {}", class.name, class.origin.version) } else { class.name.clone() }
        };
        let (actual, wanted) = (shown(actual), shown(&self.class));
        Err(violation(format!("Object of type {actual} is not compatible with requested type {wanted}")))
    }

    /// Fails if the value is an object that the contract does not accept.
    fn compatible(&self, frame: &Frame, value: Value) -> Result<Value> {
        as_object(&value).map_or(Ok(()), |object| self.check(frame, &object.class))?;
        Ok(value)
    }
}

/// Returns the class that a contract requires.
fn wanted(call: &Call<'_>) -> Result<Wanted> {
    let frame = Frame::of(call.context)?;
    let class = frame.resolve(&call.value(1))?;
    let default = match call.value(2) {
        Value::Null => class.clone(),
        name => frame.resolve(&name)?,
    };
    let versions = match call.value(3) {
        Value::Null => None,
        versions => Some(Requirement::parse(&versions.to_python())?),
    };
    Ok(Wanted { class, default, versions })
}

fn class(call: &Call<'_>, scope: &Scope, value: &Value, wanted: &Wanted) -> Result<Value> {
    let frame = Frame::of(call.context)?;
    if as_object(value).is_some() || downcast::<Placeholder>(value).is_some() {
        return wanted.compatible(frame, value.clone());
    }
    if downcast::<crate::object::Exception>(value).is_some() || downcast::<crate::object::StackTrace>(value).is_some() {
        return Ok(value.clone());
    }
    if scope.mode != Mode::Transform {
        return Err(violates(value, "class"));
    }
    match value {
        Value::Dict(_) => {
            let object = model::instantiate(frame, value, scope, wanted)?;
            Ok(object_value(&object))
        }
        Value::String(id) => wanted.compatible(frame, model::reference(&frame.runtime, scope, id)?),
        _ => {
            Err(violation(format!("Value {} cannot be represented as class {}", value.shown_repr(), wanted.class.name)))
        }
    }
}

fn template(call: &Call<'_>, scope: &Scope, value: &Value, wanted: &Wanted) -> Result<Value> {
    let frame = Frame::of(call.context)?;
    let excluded = call.value(4);
    let excluded: Vec<String> = match &excluded {
        Value::Null => Vec::new(),
        Value::String(name) => vec![name.as_ref().to_owned()],
        _ => excluded.as_list().unwrap_or_default().iter().map(Value::to_python).collect(),
    };
    model::template(frame, value, scope, wanted, &excluded)
}

fn ownership(call: &mut Call<'_>, owned: bool) -> Result<Value> {
    let value = call.value(0);
    if value.is_null() || downcast::<Placeholder>(&value).is_some() || value.as_dict().is_some() {
        return Ok(value);
    }
    let frame = Frame::of(call.context)?;
    let name = if owned { "owned" } else { "notOwned" };
    let object = as_object(&value).ok_or_else(|| violates(&value, name))?;
    let this = as_object(&frame.this);
    let is_owned = this.is_some_and(|this| object.owners().any(|owner| Rc::ptr_eq(&owner, this)));
    if is_owned == owned { Ok(value) } else { Err(violation(format!("Object {} violates {name} contract", object.id))) }
}
