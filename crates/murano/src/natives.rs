//! Native methods: those of the core library and those of the host.

mod cloud;

use std::rc::Rc;
use std::sync::Arc;

use tosca_parse_yaql::{Error, ErrorKind, Result, Value};

use crate::class::{Class, Method, MethodUsage};
use crate::error::value_error;
use crate::frame::Frame;
use crate::invoke::Arguments;
use crate::model;
use crate::object::{as_object, object_value};
use crate::runtime::Runtime;

/// Methods of the host, such as those that access files, agents or clouds.
///
/// A class of a package may declare such a method without statements or not at all. The method of the host is called
/// instead of the declared one and instead of a native method of the core library.
///
/// ```
/// use tosca_parse_murano::{Access, Arguments, NativeCall, Natives, PackageSource, Runtime};
/// use tosca_parse_yaql::{Result, Value};
///
/// struct Clock;
///
/// impl Natives for Clock {
///     fn has(&self, class: &str, method: &str) -> bool {
///         (class, method) == ("t.Clock", "hour")
///     }
///
///     fn call(&self, _call: &NativeCall<'_>) -> Result<Value> {
///         Ok(Value::from(12_i64))
///     }
/// }
///
/// let package = PackageSource::from_text("t", "1.4", &[], "Name: t.Clock\nMethods: {noon: {Body: {Return: $.hour() = 12}}}")?;
/// let runtime = Runtime::builder().package(package).natives(Clock).build()?;
/// let header = Value::dict([("type".into(), "t.Clock".into()), ("id".into(), "c".into())]);
/// runtime.load_object(&Value::dict([("?".into(), header)]))?;
/// assert_eq!(runtime.call_object("c", "noon", Arguments::default(), Access::Session)?, Value::from(true));
/// # Ok::<(), tosca_parse_yaql::Error>(())
/// ```
pub trait Natives {
    /// Returns whether the host has a method of a class, which may be declared by one of its ancestors.
    fn has(&self, class: &str, method: &str) -> bool;

    /// Calls a method of the host.
    ///
    /// # Errors
    ///
    /// Returns any error; statements can catch it.
    fn call(&self, call: &NativeCall<'_>) -> Result<Value>;
}

/// A call to a method that the host implements.
pub struct NativeCall<'c> {
    /// The runtime whose code calls it.
    pub runtime: &'c Rc<Runtime>,
    /// The class that has the method.
    pub class: &'c str,
    /// The method.
    pub method: &'c str,
    /// The object that it is called on, see [`object_of`](crate::object_of), or the type.
    pub this: &'c Value,
    /// The arguments.
    pub arguments: &'c Arguments,
}

/// A method of the core library, called with the calling frame, the receiver, and the arguments.
type OfCore = fn(&Frame, &Value, &Arguments) -> Result<Value>;

/// A method without statements.
pub(crate) enum Native {
    OfCore(OfCore),
    OfHost(Rc<dyn Natives>, Rc<Class>, String),
}

impl Native {
    pub(crate) fn call(&self, frame: &Frame, this: &Value, arguments: &Arguments) -> Result<Value> {
        match self {
            Native::OfCore(method) => method(frame, this, arguments),
            Native::OfHost(natives, class, method) => {
                frame.runtime.meter().spend(1)?;
                natives.call(&NativeCall { runtime: &frame.runtime, class: &class.name, method, this, arguments })
            }
        }
    }
}

/// Returns the native method with the given name that a class has itself.
pub(crate) fn find(runtime: &Runtime, class: &Rc<Class>, name: &str) -> Option<Native> {
    match runtime.natives.iter().find(|natives| natives.has(&class.name, name)) {
        Some(natives) => Some(Native::OfHost(natives.clone(), class.clone(), name.to_owned())),
        None => of_core(class, name).map(Native::OfCore),
    }
}

fn of_core(class: &Rc<Class>, name: &str) -> Option<OfCore> {
    Some(match (class.name.as_str(), name) {
        ("io.murano.Object", "getAttr") => get_attribute,
        ("io.murano.Object", "setAttr") => set_attribute,
        ("io.murano.system.GC", "subscribeDestruction") => subscribe,
        ("io.murano.system.GC", "unsubscribeDestruction") => |_, _, arguments| Ok(unsubscribe(arguments)),
        ("io.murano.system.GC", "isDoomed" | "isDestroyed") => |_, _, _| Ok(false.into()),
        ("io.murano.system.GC", "collect") => |_, _, _| Ok(Value::Null),
        ("io.murano.system.Logger", _) => |_, _, _| Ok(Value::Null),
        ("io.murano.StackTrace", "toString") => |_, _, _| Ok("".into()),
        ("io.murano.test.TestFixture", "assertEqual") => assert_equal,
        ("io.murano.test.TestFixture", "assertTrue") => |_, _, arguments| assert(arguments, Value::is_truthy),
        ("io.murano.test.TestFixture", "assertFalse") => {
            |_, _, arguments| assert(arguments, |value| !value.is_truthy())
        }
        ("io.murano.test.TestFixture", "assertIn") => |_, _, arguments| assert_in(arguments, true),
        ("io.murano.test.TestFixture", "assertNotIn") => |_, _, arguments| assert_in(arguments, false),
        ("io.murano.test.TestFixture", "load") => |frame, _, arguments| {
            let model = arguments.get(0, "model");
            let data = model.get("Objects").cloned().unwrap_or(model);
            Ok(object_value(&model::create(frame, &data, None)?))
        },
        (class, name) => return cloud::find(class, name).or_else(|| cloud::find_in_root(class, name)),
    })
}

/// Returns descriptions of the native methods of a class that it does not declare.
pub(crate) fn methods(class: &Rc<Class>) -> Vec<(Rc<Method>, Rc<Class>)> {
    const OF_OBJECTS: [&str; 2] = ["getAttr", "setAttr"];
    let names = OF_OBJECTS.iter().filter(|name| of_core(class, name).is_some() && !class.methods.contains_key(**name));
    let method = |name: &&str| Method {
        name: (**name).to_owned(),
        usage: MethodUsage::Runtime,
        scope: "Session".to_owned(),
        arguments: Vec::new(),
        body: Arc::default(),
        meta: Vec::new(),
    };
    names.map(|name| (Rc::new(method(name)), class.clone())).collect()
}

impl Arguments {
    /// Returns an argument by position or name; null if there is none.
    pub fn get(&self, index: usize, name: &str) -> Value {
        let by_name = || self.named.iter().find(|(other, _)| **other == *name).map(|(_, value)| value.clone());
        self.positional.get(index).cloned().flatten().or_else(by_name).unwrap_or(Value::Null)
    }
}

/// Returns the key of an attribute; attributes of different classes have different keys.
fn attribute_key(frame: &Frame, this: &Value, key: &Value, owner: &Value) -> Result<(String, String, String)> {
    let object = as_object(this).ok_or_else(|| value_error("only objects have attributes"))?;
    let class = if owner.is_null() { frame.class.clone() } else { frame.resolve(owner)? };
    Ok((object.id.clone(), class.name.clone(), key.to_python()))
}

fn get_attribute(frame: &Frame, this: &Value, arguments: &Arguments) -> Result<Value> {
    let key = attribute_key(frame, this, &arguments.get(0, "name"), &arguments.get(2, "owner"))?;
    let value = frame.runtime.attributes.borrow().get(&key).cloned();
    Ok(value.unwrap_or_else(|| arguments.get(1, "default")))
}

fn set_attribute(frame: &Frame, this: &Value, arguments: &Arguments) -> Result<Value> {
    let key = attribute_key(frame, this, &arguments.get(0, "name"), &arguments.get(2, "owner"))?;
    let value = arguments.get(1, "value");
    let mut attributes = frame.runtime.attributes.borrow_mut();
    if value.is_null() {
        attributes.shift_remove(&key);
    } else {
        attributes.insert(key, value);
    }
    Ok(Value::Null)
}

fn subscribe(_: &Frame, _: &Value, arguments: &Arguments) -> Result<Value> {
    let (publisher, subscriber) = (arguments.get(0, "publisher"), arguments.get(1, "subscriber"));
    let (Some(publisher), Some(subscriber)) = (as_object(&publisher), as_object(&subscriber)) else {
        return Err(value_error("only objects take part in garbage collection"));
    };
    let entry = (subscriber.clone(), arguments.get(2, "handler"));
    let mut subscribers = publisher.subscribers.borrow_mut();
    if !subscribers.iter().any(|(other, handler)| Rc::ptr_eq(other, subscriber) && *handler == entry.1) {
        subscribers.push(entry);
    }
    Ok(Value::Null)
}

fn unsubscribe(arguments: &Arguments) -> Value {
    let (publisher, subscriber) = (arguments.get(0, "publisher"), arguments.get(1, "subscriber"));
    let handler = arguments.get(2, "handler");
    if let (Some(publisher), Some(subscriber)) = (as_object(&publisher), as_object(&subscriber)) {
        publisher.subscribers.borrow_mut().retain(|(other, by)| !Rc::ptr_eq(other, subscriber) || *by != handler);
    }
    Value::Null
}

fn failed(message: &Value, otherwise: String) -> Error {
    Error::new(ErrorKind::Assertion, if message.is_null() { otherwise } else { message.to_python() })
}

fn assert_equal(_: &Frame, _: &Value, arguments: &Arguments) -> Result<Value> {
    let (expected, observed) = (arguments.get(0, "expected"), arguments.get(1, "observed"));
    if expected == observed {
        return Ok(Value::Null);
    }
    let otherwise = format!("{} instead of {}", observed.shown_repr(), expected.shown_repr());
    Err(failed(&arguments.get(2, "message"), otherwise))
}

fn assert(arguments: &Arguments, holds: fn(&Value) -> bool) -> Result<Value> {
    let value = arguments.get(0, "expr");
    if holds(&value) { Ok(Value::Null) } else { Err(failed(&arguments.get(1, "message"), value.repr())) }
}

fn assert_in(arguments: &Arguments, is_in: bool) -> Result<Value> {
    let (needle, haystack) = (arguments.get(0, "needle"), arguments.get(1, "haystack"));
    let found = match &haystack {
        Value::List(items) => items.contains(&needle),
        Value::Dict(entries) => entries.contains_key(&needle),
        Value::String(text) => needle.as_str().is_some_and(|part| text.contains(part)),
        _ => false,
    };
    let otherwise = format!("{} in {}", needle.shown_repr(), haystack.shown_repr());
    if found == is_in { Ok(Value::Null) } else { Err(failed(&arguments.get(2, "message"), otherwise)) }
}
