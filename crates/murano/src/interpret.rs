//! Running statements.

use std::ops::Range;
use std::rc::Rc;

use tosca_parse_yaql::{Argument, Context, Error, ErrorKind, Expr, Kind as NodeKind, Name, Result, Value};

use crate::error::{Kind, Thrown, exception_names, fail, thrown, value_error};
use crate::frame::Frame;
use crate::object::{Exception, Handle, as_type, downcast};
use crate::property;
use crate::statement::{Block, Catch, Statement, StatementKind, Throw, Try};
use crate::template::Template;
use crate::trace;

/// How a statement ends. Statements that leave a loop include their position.
enum Flow {
    Next,
    Return(Value),
    Break(Range<u32>),
    Continue(Range<u32>),
}

/// Runs the body of a method.
pub(crate) fn run(context: &Context, body: &Block) -> Result<Value> {
    let (keyword, span) = match block(context, body)? {
        Flow::Next => return Ok(Value::Null),
        Flow::Return(value) => return Ok(value),
        Flow::Break(span) => ("Break", span),
        Flow::Continue(span) => ("Continue", span),
    };
    let error = fail(Kind::InvalidOperation, format!("`{keyword}` cannot be used on method level"));
    Err(trace::at(context, &span, None, error))
}

fn block(context: &Context, statements: &Block) -> Result<Flow> {
    for statement in statements {
        match run_statement(context, statement)? {
            Flow::Next => {}
            flow => return Ok(flow),
        }
    }
    Ok(Flow::Next)
}

fn run_statement(context: &Context, statement: &Statement) -> Result<Flow> {
    perform(context, statement).map_err(|error| trace::at(context, &statement.span, None, error))
}

fn perform(context: &Context, statement: &Statement) -> Result<Flow> {
    const STEPS: u64 = 4;
    context.meter().spend(STEPS)?;
    match &statement.kind {
        StatementKind::Expression(expression) => expression.evaluate(context).map(|_| Flow::Next),
        StatementKind::Assign(target, value) => {
            assign(context, target.root(), value.evaluate(context)?).map(|()| Flow::Next)
        }
        StatementKind::Return(value) => value.evaluate(context).map(Flow::Return),
        StatementKind::If(condition, then, otherwise) => {
            block(context, if condition.evaluate(context)?.is_truthy() { then } else { otherwise })
        }
        StatementKind::While(condition, body) => repeat(context, body, || Ok(condition.evaluate(context)?.is_truthy())),
        StatementKind::For(name, items, body) => {
            let mut items = iterable(context, &items.evaluate(context)?)?.into_iter();
            repeat(context, body, || match items.next() {
                Some(item) => {
                    context.set(Name::new(name), item);
                    Ok(true)
                }
                None => Ok(false),
            })
        }
        StatementKind::Repeat(times, body) => {
            let mut left = times.evaluate(context)?.as_i64().unwrap_or(0);
            repeat(context, body, || {
                left = left.saturating_sub(1);
                Ok(left >= 0)
            })
        }
        StatementKind::Break => Ok(Flow::Break(statement.span.clone())),
        StatementKind::Continue => Ok(Flow::Continue(statement.span.clone())),
        StatementKind::Match(cases, value, default) => {
            let value = value.evaluate(context)?;
            for (case, body) in cases {
                if case.evaluate(context)? == value {
                    return block(context, body);
                }
            }
            block(context, default)
        }
        StatementKind::Switch(cases, default) => {
            let mut matched = false;
            for (case, body) in cases {
                if case.evaluate(context)?.is_truthy() {
                    matched = true;
                    match block(context, body)? {
                        Flow::Next => {}
                        flow => return Ok(flow),
                    }
                }
            }
            if matched { Ok(Flow::Next) } else { block(context, default) }
        }
        StatementKind::Do(body) => block(context, body),
        StatementKind::Parallel(body) => parallel(context, body),
        StatementKind::Try(attempt) => run_try(context, attempt),
        StatementKind::Throw(throw) => Err(exception(context, throw)?),
        StatementKind::Rethrow => match Frame::of(context)?.handled.borrow().last() {
            Some(error) => Err(error.clone()),
            None => Err(Error::new(ErrorKind::Type, "there is no exception to throw again")),
        },
    }
}

fn repeat(context: &Context, body: &Block, mut again: impl FnMut() -> Result<bool>) -> Result<Flow> {
    while again()? {
        context.meter().spend(1)?;
        match block(context, body)? {
            Flow::Next | Flow::Continue(_) => {}
            Flow::Break(_) => break,
            flow @ Flow::Return(_) => return Ok(flow),
        }
    }
    Ok(Flow::Next)
}

/// Returns the values that `For` iterates over: items of collections, keys of dictionaries, characters of strings.
fn iterable(context: &Context, value: &Value) -> Result<Vec<Value>> {
    match value {
        Value::List(items) => Ok(items.to_vec()),
        Value::Set(elements) => Ok(elements.iter().cloned().collect()),
        Value::Dict(entries) => Ok(entries.keys().cloned().collect()),
        Value::String(text) => Ok(text.chars().map(|character| Value::from(character.to_string())).collect()),
        _ => match value.clone().finalize(context)? {
            Value::List(items) => Ok(items.to_vec()),
            other => Err(Error::new(ErrorKind::Type, format!("'{}' object is not iterable", other.type_name()))),
        },
    }
}

/// Runs all statements, one after the other, and then raises the first error.
fn parallel(context: &Context, body: &Block) -> Result<Flow> {
    let mut first = Ok(Flow::Next);
    for statement in body {
        let result = run_statement(context, statement);
        let limit = matches!(&result, Err(error) if exception_names(error).is_empty());
        if matches!(first, Ok(Flow::Next)) || limit {
            first = result;
        }
        if limit {
            break;
        }
    }
    first
}

fn run_try(context: &Context, attempt: &Try) -> Result<Flow> {
    let result = match block(context, &attempt.block) {
        Ok(Flow::Next) => block(context, &attempt.otherwise),
        Ok(flow) => Ok(flow),
        Err(error) => handle(context, attempt, error),
    };
    match block(context, &attempt.finally)? {
        Flow::Next => result,
        flow => Ok(flow),
    }
}

fn handle(context: &Context, attempt: &Try, error: Error) -> Result<Flow> {
    const STEPS: u64 = 16;
    context.meter().spend(STEPS)?;
    let frame = Frame::of(context)?;
    let names = exception_names(&error);
    for catch in &attempt.catches {
        let Some(name) = caught_as(frame, catch, &names)? else { continue };
        frame.handled.borrow_mut().push(error.clone());
        if let Some(variable) = &catch.name {
            let exception = Exception { error: error.clone(), name };
            context.set(Name::new(variable), Value::Object(Rc::new(exception)));
        }
        let result = block(context, &catch.block);
        frame.handled.borrow_mut().pop();
        return result;
    }
    Err(error)
}

/// Returns the name by which a handler catches an exception; `None` if it does not catch it.
fn caught_as(frame: &Frame, catch: &Catch, names: &[String]) -> Result<Option<String>> {
    let Some(with) = &catch.with else {
        return Ok(names.first().cloned());
    };
    for name in with {
        let name = frame.class.namespaces.resolve(name)?;
        if names.contains(&name) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// Returns the exception that a `Throw` throws.
fn exception(context: &Context, throw: &Throw) -> Result<Error> {
    let frame = Frame::of(context)?;
    let evaluate = |template: &Option<Template>| match template {
        Some(template) => template.evaluate(context),
        None => Ok(Value::Null),
    };
    let names = match throw.names.evaluate(context)? {
        Value::List(names) => names.to_vec(),
        name => vec![name],
    };
    let name = |name: &Value| match (as_type(name), name.as_str()) {
        (Some(class), _) => Ok(class.name.clone()),
        (None, Some(name)) => frame.class.namespaces.resolve(name),
        _ => Err(value_error(format!("{} is not the name of an exception", name.shown_repr()))),
    };
    let extra = match evaluate(&throw.extra)? {
        Value::Null => Value::dict([]),
        extra => extra,
    };
    Ok(thrown(Thrown {
        names: names.iter().map(name).collect::<Result<_>>()?,
        message: evaluate(&throw.message)?,
        extra,
        cause: evaluate(&throw.cause)?,
    }))
}

/// Assigns a value to a target expression. Lists and dictionaries are replaced, not changed.
fn assign(context: &Context, target: &Expr, value: Value) -> Result<()> {
    context.meter().check_value(&value)?;
    match &target.kind {
        NodeKind::Variable(name) => match name {
            Name::Position(1) => Err(value_error("Cannot assign to $")),
            Name::Named(name) if **name == *"this" => Err(value_error("Cannot assign to $this")),
            _ => {
                context.set(name.clone(), value);
                Ok(())
            }
        },
        NodeKind::Attribute { receiver, name, .. } => {
            let holder = read(context, receiver)?;
            if let Some(handle) = downcast::<Handle>(&holder) {
                return property::write(Frame::of(context)?, handle, name, value);
            }
            if let Some(class) = as_type(&holder) {
                return property::write_static(&Frame::of(context)?.runtime, class, name, value);
            }
            let message = "attribution may only be applied to objects and dictionaries";
            let entries = holder.as_dict().ok_or_else(|| value_error(message))?;
            assign(context, receiver, with_entry(context, entries, Value::string(name.clone()), value)?)
        }
        NodeKind::Index { collection, arguments } => {
            let [Argument::Positional(index)] = arguments.as_slice() else {
                return Err(fail(Kind::InvalidAssignmentTarget, "Invalid assignment target"));
            };
            let (holder, index) = (read(context, collection)?, context.evaluate(index)?);
            match &holder {
                Value::List(items) => assign(context, collection, with_item(context, items, &index, value)?),
                Value::Dict(entries) => assign(context, collection, with_entry(context, entries, index, value)?),
                _ => Err(value_error("indexation may only be applied to lists and dictionaries")),
            }
        }
        NodeKind::Method { receiver, name, arguments, .. } if is_growth(context, name, arguments)? => {
            let (holder, position) = (read(context, receiver)?, arguments.iter().flat_map(Argument::parts).next());
            let position = position.map(|position| context.evaluate(position)).transpose()?;
            let items = holder.as_list().ok_or_else(|| value_error("only lists can grow"))?;
            assign(context, receiver, with_new_item(context, items, position.as_ref(), value)?)
        }
        NodeKind::Call { name, .. } | NodeKind::Method { name, .. } => {
            let message = format!("can't assign to the result of `{name}`");
            Err(Error::new(ErrorKind::NoMatchingFunction, message))
        }
        _ => Err(fail(Kind::InvalidAssignmentTarget, "Invalid assignment target")),
    }
    .map_err(|error| error.at(&target.span))
}

/// Returns whether an assignment to a call adds an item to a list: `$list.append(): x` and `$list.insert(1): x` in early
/// formats of packages.
fn is_growth(context: &Context, name: &str, arguments: &[Argument]) -> Result<bool> {
    let is_growth = matches!((name, arguments), ("append", []) | ("insert", [Argument::Positional(_)]));
    Ok(is_growth && Frame::of(context)?.class.origin.is_legacy())
}

/// Returns the current value or an empty dictionary to assign to.
fn read(context: &Context, target: &Expr) -> Result<Value> {
    let nothing = || Ok(Value::dict([]));
    match &target.kind {
        NodeKind::Attribute { receiver, name, .. } => {
            let holder = read(context, receiver)?;
            match holder.as_dict() {
                Some(entries) if entries.get(&Value::string(name.clone())).is_none() => nothing(),
                _ => match read_attribute(context, &holder, name) {
                    Err(error) if crate::error::is(&error, Kind::UninitializedProperty) => nothing(),
                    result => result,
                },
            }
        }
        NodeKind::Index { collection, arguments } => {
            let holder = read(context, collection)?;
            match (arguments.as_slice(), holder.as_dict()) {
                ([Argument::Positional(key)], Some(entries)) => {
                    Ok(entries.get(&context.evaluate(key)?).cloned().unwrap_or_else(|| Value::dict([])))
                }
                _ => context.evaluate(target),
            }
        }
        _ => context.evaluate(target),
    }
}

fn read_attribute(context: &Context, holder: &Value, name: &str) -> Result<Value> {
    if let Some(value) = holder.get(name) {
        return Ok(value.clone());
    }
    let host = context.host().ok_or_else(|| value_error("there is no object"))?;
    let message = "attribution may only be applied to objects and dictionaries";
    host.attribute(context, holder, name)?.ok_or_else(|| value_error(message))
}

/// Charges for copying the given number of items.
fn copied(context: &Context, items: usize) -> Result<()> {
    const STEP: usize = 8;
    context.meter().spend((items / STEP) as u64)
}

fn with_entry(context: &Context, entries: &tosca_parse_yaql::Dict, key: Value, value: Value) -> Result<Value> {
    copied(context, entries.len())?;
    let mut entries = entries.clone();
    entries.insert(key, value);
    Ok(Value::dict(entries))
}

/// Returns the list with an item replaced. An index past the end appends the item.
fn with_item(context: &Context, items: &[Value], index: &Value, value: Value) -> Result<Value> {
    let index = index.as_i64().ok_or_else(|| value_error("the index of a list must be a whole number"))?;
    copied(context, items.len())?;
    let mut items = items.to_vec();
    let distance = usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX);
    let at = if index < 0 { items.len().checked_sub(distance) } else { Some(distance) };
    match at {
        Some(at) if at < items.len() => items[at] = value,
        Some(_) => items.push(value),
        None => return Err(Error::new(ErrorKind::Index, "list assignment index out of range")),
    }
    Ok(Value::list(items))
}

/// Returns the list with an item added before a position, or at the end. Positions are those of Python's `insert`.
fn with_new_item(context: &Context, items: &[Value], position: Option<&Value>, value: Value) -> Result<Value> {
    copied(context, items.len())?;
    let position = match position.map(Value::as_i64) {
        None => items.len(),
        Some(Some(position)) => {
            let distance = usize::try_from(position.unsigned_abs()).unwrap_or(usize::MAX);
            if position < 0 { items.len().saturating_sub(distance) } else { usize::min(distance, items.len()) }
        }
        Some(None) => return Err(value_error("the position in a list must be a whole number")),
    };
    let mut items = items.to_vec();
    items.insert(position, value);
    Ok(Value::list(items))
}
