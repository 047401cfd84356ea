//! Calls by name and with JSON, for programs in other programming languages.

use std::rc::Rc;

use tosca_parse_yaql::{Error, ErrorKind, Result, Value};

use crate::class::Class;
use crate::invoke::Arguments;
use crate::model::check_ids;
use crate::name::TypeName;
use crate::object::Object;
use crate::runtime::{CORE, Runtime};

impl Runtime {
    /// Returns the class that a name such as `com.example.Shop` or `com.example.Shop/1.0@package` denotes.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is malformed, and the errors of [`Runtime::find_type`].
    pub fn find_named(&self, name: &str) -> Result<Rc<Class>> {
        let invalid = || Error::new(ErrorKind::Value, format!("`{name}` is not the name of a class"));
        self.find_type(&TypeName::parse(name).ok_or_else(invalid)?)
    }

    /// Returns the names of all classes, except those of the core library.
    pub fn own_class_names(&self) -> Vec<String> {
        let own = self.packages().iter().filter(|package| package.origin.name != CORE);
        own.flat_map(|package| package.class_names().map(str::to_owned)).collect()
    }

    /// Loads all classes; returns the names of those that can't be loaded, with their errors.
    pub fn check_classes(self: &Rc<Self>) -> Vec<(String, Error)> {
        let mut found = Vec::new();
        for package in self.packages() {
            for name in package.class_names() {
                let loaded = self.find_class(package.origin.index, name);
                if let Err(error) = loaded.and_then(|class| self.check_meta(&class)) {
                    found.push((name.to_owned(), error));
                }
            }
        }
        found
    }

    /// Loads a model: an object, or a mapping with `Objects` and `Attributes`. Returns its root.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Runtime::load`] and [`Runtime::load_object`], and an error if several objects have the
    /// same id.
    pub fn load_model(self: &Rc<Self>, model: &Value) -> Result<Option<Rc<Object>>> {
        check_ids(model.get("Objects").filter(|_| is_envelope(model)).unwrap_or(model))?;
        self.load_with_repeated_ids(model)
    }

    /// Like [`load_model`](Self::load_model), but of several objects with the same id, the last one counts.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Runtime::load`] and [`Runtime::load_object`].
    pub fn load_with_repeated_ids(self: &Rc<Self>, model: &Value) -> Result<Option<Rc<Object>>> {
        if is_envelope(model) { self.load(model) } else { self.load_object(model).map(Some) }
    }
}

/// Returns whether a model is a mapping with `Objects`, rather than an object.
fn is_envelope(model: &Value) -> bool {
    model.get("?").is_none() && model.get("Objects").is_some()
}

impl Arguments {
    /// Reads arguments from JSON text: by position if it is a list, by name if it is an object, none if it is null.
    ///
    /// # Errors
    ///
    /// Returns an error for other data, and the errors of [`Value::read_json`].
    pub fn read_json(text: &str) -> Result<Self> {
        match Value::read_json(text)? {
            Value::Null => Ok(Self::default()),
            Value::List(values) => Ok(Self::new(values.content().clone(), Vec::new())),
            Value::Dict(values) => {
                let named = values.iter().map(|(name, value)| (name.to_python().into(), value.clone()));
                Ok(Self::new(Vec::new(), named.collect()))
            }
            _ => Err(Error::new(ErrorKind::Value, "arguments are a list or an object")),
        }
    }
}
