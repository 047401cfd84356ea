//! The functions that only `MuranoPL` adds to expressions.

mod bind;
mod patch;

use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tosca_parse_yaql::{Call, Dict, Error, ErrorKind, Library, Result, Value};

use crate::error::value_error;
use crate::frame::Frame;
use crate::model;
use crate::object::{Handle, as_object, as_type, downcast, object_value, type_value, view_value};
use crate::reflect::{self, Reflection};
use crate::runtime::CORE;
use crate::serialize::Format;

thread_local! {
    /// The functions of all formats.
    pub(crate) static LIBRARY: Rc<Library> = Rc::new(assemble());
    /// Functions that are also methods in formats 1.0 and 1.1.
    pub(crate) static LEGACY: Rc<Library> = Rc::new(assemble_legacy());
}

fn assemble() -> Library {
    let mut library = Library::new();
    library
        .add("new(*args: any, **kwargs: any)", |call| new(call))
        .add("cast(object: any, type: any, versionSpec: any=null)", |call| cast(call))
        .add("super(object: any)", |call| Ok(Value::list(views(call)?)))
        .add("super(object: any, func: Lambda)", |call| mapped(call))
        .add("psuper(object: any)", |call| Ok(Value::list(views(call)?)))
        .add("psuper(object: any, func: Lambda)", |call| mapped(call))
        .add("id(object: any)", |call| Ok(identity(call)))
        .add("name(object: any)", |call| {
            let value = call.value(0);
            Ok(as_object(&value).map_or(Value::Null, |object| object.name.borrow().clone()))
        })
        .add("metadata(object: any)", |call| {
            let value = call.value(0);
            Ok(as_object(&value).map_or(Value::Null, |object| object.metadata.borrow().clone()))
        })
        .add("type(object: any)", |call| type_of(call))
        .add("typeinfo(object: any)", |call| reflect::typeinfo(Frame::of(call.context)?, &call.value(0)))
        .add("±find(object: any, type: any)", |call| find(call))
        .add("±require(value: any)", |call| match call.value(0) {
            Value::Null => Err(value_error("Required value is missing")),
            value => Ok(value),
        })
        .add("isObject(value: any)", |call| {
            let value = call.value(0);
            Ok((as_object(&value).is_some() || as_type(&value).is_some()).into())
        })
        .add("dump(object: any, serializationType: any=null, ignoreUpcasts: bool=true)", |call| dump(call))
        .add("sleep(seconds: any)", |_| Ok(Value::Null))
        .add("config(group: String, setting: String, isFile: any=false)", |call| {
            config(call, &call.text(0), Some(&call.text(1)))
        })
        .add("config(setting: String)", |call| config(call, &call.text(0), None))
        .add("±pselect(collection: Iterable, func: Lambda)", |call| {
            let lambda = call.demanded_lambda(1)?;
            let items = call.collected(0)?.into_iter().map(|item| lambda.call([item])?.finalize(call.context));
            items.collect::<Result<Vec<_>>>().map(Value::list)
        })
        .add("±base64encode(value: String)", |call| Ok(STANDARD.encode(call.text(0).as_bytes()).into()))
        .add("±base64decode(value: String)", |call| {
            let invalid = |_| value_error("the string is not valid Base64");
            let bytes = STANDARD.decode(call.text(0).as_bytes()).map_err(invalid)?;
            String::from_utf8(bytes).map(Value::from).map_err(|_| value_error("the decoded bytes are not valid UTF-8"))
        })
        .add("±bind(value: any, bindings: dict)", |call| bind::bind(&call.value(0), &call.dict(1)))
        .add("±patch(value: any, patch: any)", |call| patch::patch(call.value(0), &call.value(1)))
        .add("randomName()", |call| Ok(format!("rnd{}", Frame::of(call.context)?.runtime.new_id()).into()))
        .add("logger(name: String)", |_| Ok(Reflection::Logger.value()))
        .add("±decryptData(value: any)", |call| Ok(call.value(0)));
    library
}

fn assemble_legacy() -> Library {
    let mut library = Library::new();
    library
        .add(".cast(object: any, type: any, versionSpec: any=null)", |call| cast(call))
        .add(".super(object: any)", |call| Ok(Value::list(views(call)?)))
        .add(".super(object: any, func: Lambda)", |call| mapped(call))
        .add(".psuper(object: any)", |call| Ok(Value::list(views(call)?)))
        .add(".psuper(object: any, func: Lambda)", |call| mapped(call))
        .add(".id(object: any)", |call| Ok(identity(call)))
        .add(".type(object: any)", |call| type_of(call));
    library
}

/// Implements `new(type, owner, name, extra, property => value…)`, `new(type, {properties}, owner, name, extra)`, or
/// `new(model, owner)`.
fn new(call: &Call<'_>) -> Result<Value> {
    let frame = Frame::of(call.context)?;
    let mut arguments = call.rest_values();
    let mut named = call.named.clone();
    let mut take_named = |name: &str| {
        let index = named.iter().position(|(other, _)| **other == *name);
        index.map(|index| named.remove(index).1)
    };
    let no_match = || Error::new(ErrorKind::NoMatchingFunction, "the function `new` needs a class");
    if arguments.is_empty() {
        return Err(no_match());
    }
    let first = arguments.remove(0);
    let mut next = |name: &str, arguments: &mut Vec<Value>| {
        if arguments.is_empty() { take_named(name).unwrap_or(Value::Null) } else { arguments.remove(0) }
    };
    if first.as_dict().is_some() {
        let owner = next("owner", &mut arguments);
        let object = model::create(frame, &first.finalize(call.context)?, as_object(&owner))?;
        return Ok(object_value(&object));
    }
    let class = frame.resolve(&first)?;
    let mut properties = match arguments.first() {
        Some(Value::Dict(entries)) => {
            let entries = entries.content().clone();
            arguments.remove(0);
            entries
        }
        _ => Dict::default(),
    };
    let owner = next("owner", &mut arguments);
    let name = next("name_", &mut arguments);
    let extra = next("extra", &mut arguments);
    properties.extend(named.into_iter().map(|(name, value)| (Value::String(name), value)));
    let mut header: Dict = [("type".into(), type_value(&class)), ("name".into(), name)].into_iter().collect();
    header.extend(extra.as_dict().cloned().unwrap_or_default());
    let header = (Value::from("?"), Value::dict(header));
    let data = Value::dict(std::iter::once(header).chain(properties)).finalize(call.context)?;
    let object = model::create(frame, &data, as_object(&owner))?;
    Ok(object_value(&object))
}

/// Returns a setting of the host. Settings include passwords, so only the core library can read them.
fn config(call: &Call<'_>, group: &str, setting: Option<&str>) -> Result<Value> {
    let frame = Frame::of(call.context)?;
    if frame.class.origin.name != CORE {
        return Err(Error::new(ErrorKind::NoFunction, "there is no function `config` outside the core library"));
    }
    Ok((frame.runtime.config)(group, setting))
}

fn cast(call: &Call<'_>) -> Result<Value> {
    let value = call.value(0);
    let frame = Frame::of(call.context)?;
    let class = frame.resolve(&call.value(1))?;
    match as_object(&value) {
        Some(object) => {
            if let Some(class) = frame.seen_as(&object.class, &class, None) {
                return Ok(view_value(object, &class));
            }
            let message = format!("Cannot cast {} to {}", object.class.describe(), class.describe());
            Err(Error::new(ErrorKind::Type, message))
        }
        None => Ok(value),
    }
}

/// Returns the object as an instance of each parent of the calling class.
fn views(call: &Call<'_>) -> Result<Vec<Value>> {
    let frame = Frame::of(call.context)?;
    let value = call.value(0);
    if let Some(object) = as_object(&value) {
        return Ok(object.class.parents_of(&frame.class).iter().map(|parent| view_value(object, parent)).collect());
    }
    let parents = as_type(&value).map_or_else(Vec::new, |class| class.parents_of(&frame.class));
    Ok(parents.iter().map(type_value).collect())
}

fn mapped(call: &Call<'_>) -> Result<Value> {
    let lambda = call.demanded_lambda(1)?;
    let results = views(call)?.into_iter().map(|view| lambda.call([view])?.finalize(call.context));
    results.collect::<Result<Vec<_>>>().map(Value::list)
}

fn identity(call: &Call<'_>) -> Value {
    let value = call.value(0);
    as_object(&value).map_or(Value::Null, |object| object.id.as_str().into())
}

fn type_of(call: &Call<'_>) -> Result<Value> {
    let frame = Frame::of(call.context)?;
    let value = call.value(0);
    match (&value, as_object(&value)) {
        (_, Some(object)) if frame.class.origin.format < (1, 4) => Ok(object.class.name.as_str().into()),
        (_, Some(object)) => Ok(type_value(&object.class)),
        (Value::String(_), None) => frame.resolve(&value).map(|class| type_value(&class)),
        _ if as_type(&value).is_some() => Ok(value),
        _ => Ok(Value::Null),
    }
}

fn find(call: &Call<'_>) -> Result<Value> {
    let value = call.value(0);
    let frame = Frame::of(call.context)?;
    let class = frame.resolve(&call.value(1))?;
    let Some(object) = as_object(&value) else { return Ok(Value::Null) };
    let found = object.owners().find(|owner| frame.seen_as(&owner.class, &class, None).is_some());
    Ok(found.map_or(Value::Null, |owner| object_value(&owner)))
}

fn dump(call: &Call<'_>) -> Result<Value> {
    let format = match call.optional_text(1).as_deref() {
        None | Some("Serializable") => Format::Serializable,
        Some("Mixed") => Format::Mixed,
        Some("Inline") => Format::Inline,
        Some(other) => return Err(value_error(format!("Invalid dump format {other}"))),
    };
    let value = call.value(0);
    match downcast::<Handle>(&value) {
        Some(handle) => {
            let class = if call.flag(2) { &handle.object.class } else { handle.class() };
            Frame::of(call.context)?.runtime.dump_as(&handle.object, class, format)
        }
        None => Ok(value),
    }
}
