//! Properties: access control and the contracts for their values.

use std::rc::Rc;

use tosca_parse_yaql::{Result, Value};

use crate::class::{Class, Property, PropertyUsage};
use crate::contract::{self, Mode, Scope};
use crate::error::{Kind, fail, place};
use crate::frame::Frame;
use crate::object::{Handle, Object, object_value, type_value};
use crate::runtime::Runtime;
use crate::template::Template;
use crate::trace;

/// Reads a property of an object for code of the frame's class.
pub(crate) fn read(frame: &Frame, handle: &Handle, name: &str) -> Result<Value> {
    let object = &handle.object;
    match handle.class().find_property(name)? {
        Some((class, property)) if property.usage == PropertyUsage::Static => {
            static_value(&frame.runtime, &class, &property)
        }
        Some(_) => object.property(name).ok_or_else(|| uninitialized(name, &object.class)),
        None if object.class.is_a(&frame.class) => {
            let key = (frame.class.name.clone(), name.to_owned());
            object.private.borrow().get(&key).cloned().ok_or_else(|| uninitialized(name, &frame.class))
        }
        None => {
            let message = format!("Property \"{name}\" in class \"{}\" cannot be read", object.class.name);
            Err(fail(Kind::PropertyRead, message))
        }
    }
}

fn uninitialized(name: &str, class: &Class) -> tosca_parse_yaql::Error {
    let message = format!("Access to uninitialized property \"{name}\" in class \"{}\" is forbidden", class.name);
    fail(Kind::UninitializedProperty, message)
}

fn no_property(name: &str) -> tosca_parse_yaql::Error {
    fail(Kind::NoProperty, format!("Property \"{name}\" is not found"))
}

/// Returns the value of a static property of a class.
pub(crate) fn read_static(runtime: &Rc<Runtime>, class: &Rc<Class>, name: &str) -> Result<Value> {
    match class.find_property(name)? {
        Some((class, property)) if property.usage == PropertyUsage::Static => static_value(runtime, &class, &property),
        _ => Err(no_property(name)),
    }
}

fn static_value(runtime: &Rc<Runtime>, class: &Rc<Class>, property: &Property) -> Result<Value> {
    let _computing = Computing::begin(class, &property.name)?;
    let this = type_value(class);
    let known = class.statics.borrow().get(&property.name).cloned();
    let evaluate = |default: &Template| {
        let context = Frame::enter(runtime, class, &this, None);
        runtime.meter().nested(|| default.evaluate(&context)).map_err(trace::leave)
    };
    let value = match (known, &property.default) {
        (Some(value), _) => value,
        (None, Some(default)) => evaluate(default)?,
        (None, None) => Value::Null,
    };
    transform(runtime, class, property, &this, value, Scope::new(Mode::Transform))
}

/// A static property whose value is being computed. It must not be needed in the meantime.
struct Computing<'c>(&'c Class);

impl<'c> Computing<'c> {
    fn begin(class: &'c Class, name: &str) -> Result<Self> {
        let mut computing = class.computing.borrow_mut();
        if computing.iter().any(|other| other == name) {
            let message = format!("the value of the static property {name} of {} depends on itself", class.name);
            return Err(fail(Kind::CircularDependency, message));
        }
        computing.push(name.to_owned());
        Ok(Self(class))
    }
}

impl Drop for Computing<'_> {
    fn drop(&mut self) {
        self.0.computing.borrow_mut().pop();
    }
}

/// Writes a static property.
pub(crate) fn write_static(runtime: &Rc<Runtime>, class: &Rc<Class>, name: &str, value: Value) -> Result<()> {
    match class.find_property(name)? {
        Some((class, property)) if property.usage == PropertyUsage::Static => {
            let value = transform(runtime, &class, &property, &type_value(&class), value, Scope::new(Mode::Transform))?;
            class.statics.borrow_mut().insert(name.to_owned(), value);
            Ok(())
        }
        _ => Err(no_property(name)),
    }
}

/// Writes a property of an object for code of a class.
pub(crate) fn write(frame: &Frame, handle: &Handle, name: &str, value: Value) -> Result<()> {
    let object = &handle.object;
    let Some((class, property)) = handle.class().find_property(name)? else {
        if !object.class.is_a(&frame.class) {
            let message = format!("Property \"{name}\" in class \"{}\" cannot be written", object.class.name);
            return Err(fail(Kind::PropertyWrite, message));
        }
        object.private.borrow_mut().insert((frame.class.name.clone(), name.to_owned()), value);
        return Ok(());
    };
    if property.usage == PropertyUsage::Static {
        return write_static(&frame.runtime, &class, name, value);
    }
    let is_fixed =
        |(_, property): &(Rc<Class>, Rc<Property>)| matches!(property.usage, PropertyUsage::In | PropertyUsage::Const);
    let fixed = !object.initializing.get() && object.class.declarations(name).iter().any(is_fixed);
    if fixed || !object.class.is_a(&frame.class) {
        return Err(fail(Kind::NoWriteAccess, format!("Property \"{name}\" is immutable to the caller")));
    }
    let scope = Scope { owner: Some(object.clone()), ..Scope::new(Mode::Transform) };
    set(&frame.runtime, object, name, value, &scope)
}

/// Gives a declared property a value, which must fulfill all of its declarations.
pub(crate) fn set(runtime: &Rc<Runtime>, object: &Rc<Object>, name: &str, value: Value, scope: &Scope) -> Result<()> {
    let (class, property) = object.class.find_property(name)?.ok_or_else(|| no_property(name))?;
    let this = object_value(object);
    let value = transform(runtime, &class, &property, &this, value, scope.clone())?;
    for (other, declaration) in object.class.declarations(name) {
        if !Rc::ptr_eq(&other, &class) {
            let scope = Scope { mode: Mode::Validate, ..scope.clone() };
            transform(runtime, &other, &declaration, &this, value.clone(), scope)?;
        }
    }
    object.properties.borrow_mut().insert(name.to_owned(), value);
    Ok(())
}

fn transform(
    runtime: &Rc<Runtime>,
    class: &Rc<Class>,
    property: &Property,
    this: &Value,
    value: Value,
    scope: Scope,
) -> Result<Value> {
    const STEPS: u64 = 8;
    runtime.meter().spend(STEPS)?;
    let open = format!("{}.{}", class.name, property.name);
    contract::apply(runtime, class, this, &property.contract, value, scope).map_err(|error| place(error, &open, ""))
}
