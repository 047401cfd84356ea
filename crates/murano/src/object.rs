//! Objects and the values for objects and classes in expressions.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use indexmap::IndexMap;
use tosca_parse_yaql::{Error, Object as YaqlObject, Value};

use crate::class::Class;
use crate::error;
use crate::trace;

/// An object.
pub struct Object {
    /// Its id, unique in its model.
    pub id: String,
    /// Its class.
    pub class: Rc<Class>,
    pub(crate) name: RefCell<Value>,
    pub(crate) metadata: RefCell<Value>,
    pub(crate) owner: RefCell<Weak<Object>>,
    /// The values of declared properties.
    pub(crate) properties: RefCell<IndexMap<String, Value>>,
    /// The values of undeclared properties, by the name of the class that they belong to.
    pub(crate) private: RefCell<IndexMap<(String, String), Value>>,
    /// Whether properties that become fixed later can still be written.
    pub(crate) initializing: Cell<bool>,
    /// The objects that are notified of the object's destruction.
    pub(crate) subscribers: RefCell<Vec<(Rc<Object>, Value)>>,
}

impl Object {
    /// Returns the object that owns this one.
    pub fn owner(&self) -> Option<Rc<Self>> {
        self.owner.borrow().upgrade()
    }

    /// Returns the name of the object; null if it has none.
    pub fn name(&self) -> Value {
        self.name.borrow().clone()
    }

    /// Returns the declared properties that have values.
    pub fn properties(&self) -> Vec<(String, Value)> {
        self.properties.borrow().iter().map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Returns the value of a declared property.
    pub fn property(&self, name: &str) -> Option<Value> {
        self.properties.borrow().get(name).cloned()
    }

    /// Returns the owners of the object, the nearest first.
    pub(crate) fn owners(&self) -> impl Iterator<Item = Rc<Self>> {
        // Models are trees, but nothing prevents a method from creating loops.
        const MAX_OWNERS: usize = 10_000;
        std::iter::successors(self.owner(), |object| object.owner()).take(MAX_OWNERS)
    }
}

/// An object in an expression, perhaps viewed as an instance of an ancestor of its class.
pub(crate) struct Handle {
    pub(crate) object: Rc<Object>,
    pub(crate) view: Option<Rc<Class>>,
}

impl Handle {
    /// Returns the class that members are looked up in.
    pub(crate) fn class(&self) -> &Rc<Class> {
        self.view.as_ref().unwrap_or(&self.object.class)
    }
}

impl YaqlObject for Handle {
    fn describe(&self) -> String {
        format!("<MuranoObject {} ({})>", self.object.class.name, self.object.id)
    }

    fn type_name(&self) -> &'static str {
        "MuranoObject"
    }

    fn identity(&self) -> usize {
        Rc::as_ptr(&self.object) as usize
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A class in an expression.
pub(crate) struct TypeHandle(pub(crate) Rc<Class>);

impl YaqlObject for TypeHandle {
    fn describe(&self) -> String {
        self.0.describe()
    }

    fn type_name(&self) -> &'static str {
        "MuranoType"
    }

    fn identity(&self) -> usize {
        Rc::as_ptr(&self.0) as usize
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A placeholder for an object that the first pass has not read yet.
pub(crate) struct Placeholder(pub(crate) String);

impl YaqlObject for Placeholder {
    fn describe(&self) -> String {
        format!("<object {}>", self.0)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// An exception that was caught.
pub(crate) struct Exception {
    pub(crate) error: Error,
    /// The name by which it was caught.
    pub(crate) name: String,
}

impl Exception {
    pub(crate) fn attribute(&self, name: &str) -> Option<Value> {
        let thrown = error::failure(&self.error).and_then(|failure| failure.thrown.as_ref());
        Some(match name {
            "name" => Value::from(self.name.as_str()),
            "message" => Value::from(self.error.to_string()),
            "extra" => thrown.map_or_else(|| Value::dict([]), |thrown| thrown.extra.clone()),
            "cause" => thrown.map_or(Value::Null, |thrown| thrown.cause.clone()),
            "stackTrace" => Value::Object(Rc::new(StackTrace(trace::frames(&self.error)))),
            "nativeException" => Value::Null,
            _ => return None,
        })
    }
}

/// The calls that an exception passed, the outermost first.
pub(crate) struct StackTrace(pub(crate) Vec<trace::CodeFrame>);

impl StackTrace {
    pub(crate) fn attribute(&self, name: &str) -> Option<Value> {
        let entry = |key: &str, value: Value| (Value::from(key), value);
        let frame = |frame: &trace::CodeFrame| {
            Value::dict([
                entry("instruction", frame.instruction.as_str().into()),
                entry("location", frame.location.as_str().into()),
                entry("methodName", frame.method.as_deref().map_or(Value::Null, Value::from)),
                entry("typeName", frame.class.as_str().into()),
            ])
        };
        (name == "frames").then(|| Value::list(self.0.iter().map(frame).collect()))
    }

    /// Returns the text of the trace, a line for each call, with a prefix.
    pub(crate) fn text(&self, prefix: &str) -> String {
        let line = |frame: &trace::CodeFrame| {
            let method = frame.method.as_deref().map(|method| format!("::{method}")).unwrap_or_default();
            format!("{prefix}{} in {}{method}: {}", frame.location, frame.class, frame.instruction)
        };
        self.0.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl YaqlObject for StackTrace {
    fn describe(&self) -> String {
        self.text("")
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl YaqlObject for Exception {
    fn describe(&self) -> String {
        format!("{}: {}", self.name, self.error)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Returns the object as a value.
pub(crate) fn object_value(object: &Rc<Object>) -> Value {
    Value::Object(Rc::new(Handle { object: object.clone(), view: None }))
}

pub(crate) fn view_value(object: &Rc<Object>, class: &Rc<Class>) -> Value {
    Value::Object(Rc::new(Handle { object: object.clone(), view: Some(class.clone()) }))
}

pub(crate) fn type_value(class: &Rc<Class>) -> Value {
    Value::Object(Rc::new(TypeHandle(class.clone())))
}

pub(crate) fn downcast<T: 'static>(value: &Value) -> Option<&T> {
    match value {
        Value::Object(object) => object.as_any().downcast_ref(),
        _ => None,
    }
}

/// Returns the object that a value stands for.
pub fn object_of(value: &Value) -> Option<Rc<Object>> {
    as_object(value).cloned()
}

/// Returns the class that a value stands for.
pub fn class_of(value: &Value) -> Option<Rc<Class>> {
    as_type(value).cloned()
}

/// Returns the object that a value stands for.
pub(crate) fn as_object(value: &Value) -> Option<&Rc<Object>> {
    downcast::<Handle>(value).map(|handle| &handle.object)
}

/// Returns the class that a value stands for.
pub(crate) fn as_type(value: &Value) -> Option<&Rc<Class>> {
    downcast::<TypeHandle>(value).map(|handle| &handle.0)
}
