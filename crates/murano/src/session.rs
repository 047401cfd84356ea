//! Calls by name and with JSON, for programs in other programming languages.

use std::rc::Rc;

use serde_json::Value as Json;
use tosca_parse_yaql::{Error, ErrorKind, Result, Value};

use crate::class::Class;
use crate::invoke::Arguments;
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
    /// Returns the errors of [`Runtime::load`] and [`Runtime::load_object`], and those of [`Value::from_json`].
    pub fn load_json(self: &Rc<Self>, model: &Json) -> Result<Option<Rc<Object>>> {
        let model = Value::from_json(model)?;
        if model.get("?").is_none() && model.get("Objects").is_some() {
            return self.load(&model);
        }
        self.load_object(&model).map(Some)
    }
}

impl Arguments {
    /// Creates arguments from JSON values by position and by name.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Value::from_json`].
    pub fn from_json<'j>(positional: &[Json], named: impl IntoIterator<Item = (&'j String, &'j Json)>) -> Result<Self> {
        let named = named.into_iter().map(|(name, value)| Ok((name.as_str().into(), Value::from_json(value)?)));
        let positional = positional.iter().map(Value::from_json).collect::<Result<_>>()?;
        Ok(Self::new(positional, named.collect::<Result<_>>()?))
    }
}
