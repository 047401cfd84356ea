//! Conversion of objects to data.

use std::cell::RefCell;
use std::rc::Rc;

use foldhash::{HashMap, HashSet};
use tosca_parse_yaql::{Dict, Result, Value};

use crate::class::{Class, Method, MethodUsage, PropertyUsage};
use crate::meta;
use crate::model::is_excluded;
use crate::object::{Object, as_object, as_type, type_value};
use crate::runtime::Runtime;

/// The notation of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Headers contain the names of types.
    Serializable,
    /// Headers contain the types themselves.
    Mixed,
    /// `{type: {properties}, id: …}`
    Inline,
}

impl Runtime {
    /// Returns the model of an object, with and without its actions, and the attributes of the objects in it.
    ///
    /// # Errors
    ///
    /// Returns an error if metadata can't be evaluated.
    pub fn save(self: &Rc<Self>, root: Option<&Rc<Object>>) -> Result<Value> {
        let entry = |key: &str, value: Value| (Value::from(key), value);
        let Some(root) = root else {
            let nothing = [entry("Objects", Value::Null), entry("ObjectsCopy", Value::Null)];
            return Ok(Value::dict(nothing.into_iter().chain([entry("Attributes", Value::list(Vec::new()))])));
        };
        let places = Places::of(root, None)?;
        let written = |actions| Writer {
            runtime: self,
            format: Format::Serializable,
            actions,
            places: &places,
            excluded: &[],
            path: RefCell::default(),
            done: RefCell::default(),
        };
        let attributes = self.attributes.borrow();
        let known = attributes.iter().filter(|((object, _, _), _)| places.ids.contains_key(object));
        let row = |((object, class, key), value): (&(String, String, String), &Value)| {
            Value::list(vec![object.as_str().into(), class.as_str().into(), key.as_str().into(), value.clone()])
        };
        Ok(Value::dict([
            entry("Objects", written(true).object(root)?),
            entry("ObjectsCopy", written(false).object(root)?),
            entry("Attributes", Value::list(known.map(row).collect())),
        ]))
    }

    /// Returns the data of an object and of those that it refers to.
    ///
    /// # Errors
    ///
    /// Returns an error if metadata can't be evaluated.
    pub fn dump(self: &Rc<Self>, root: &Rc<Object>, format: Format) -> Result<Value> {
        self.dump_as(root, &root.class, format)
    }

    /// Like [`dump`](Self::dump), but as an object of the given class, which is its class or an ancestor.
    pub(crate) fn dump_as(self: &Rc<Self>, root: &Rc<Object>, class: &Rc<Class>, format: Format) -> Result<Value> {
        let places = Places::of(root, Some(self))?;
        Writer {
            runtime: self,
            format,
            actions: false,
            places: &places,
            excluded: &[],
            path: RefCell::default(),
            done: RefCell::default(),
        }
        .object_as(root, class)
    }
}

/// Returns the data of a model that a method has created. Classes are replaced by their names, objects by their data.
pub(crate) fn model(runtime: &Rc<Runtime>, value: &Value) -> Result<Value> {
    if let Some(class) = as_type(value) {
        return Ok(format!("{}/{}@{}", class.name, class.origin.version, class.origin.name).into());
    }
    if let Some(object) = as_object(value) {
        return model(runtime, &template(runtime, object, &[])?);
    }
    match value {
        Value::List(items) => items.iter().map(|item| model(runtime, item)).collect::<Result<_>>().map(Value::list),
        Value::Dict(entries) => {
            let pair = |(key, value): (&Value, &Value)| Ok((key.clone(), model(runtime, value)?));
            entries.iter().map(pair).collect::<Result<Vec<_>>>().map(Value::dict)
        }
        _ => Ok(value.clone()),
    }
}

pub(crate) fn template(runtime: &Rc<Runtime>, object: &Rc<Object>, excluded: &[String]) -> Result<Value> {
    // Other values stay unchanged.
    let mut places = Places { ids: HashMap::default(), metadata: None };
    places.ids.insert(object.id.clone(), None);
    places.descend(object)?;
    let places = &places;
    Writer {
        runtime,
        format: Format::Mixed,
        actions: false,
        places,
        excluded,
        path: RefCell::default(),
        done: RefCell::default(),
    }
    .object(object)
}

/// The object in which each object is saved: its owner, if it contains the object, or else the first that refers to it.
struct Places<'r> {
    ids: HashMap<String, Option<*const Object>>,
    /// The runtime, if the metadata `Serialize` counts.
    metadata: Option<&'r Rc<Runtime>>,
}

impl<'r> Places<'r> {
    fn of(root: &Rc<Object>, metadata: Option<&'r Rc<Runtime>>) -> Result<Self> {
        let mut places = Self { ids: HashMap::default(), metadata };
        places.ids.insert(root.id.clone(), None);
        places.descend(root)?;
        let mut queue = vec![root.clone()];
        let mut queued = HashSet::from_iter([Rc::as_ptr(root)]);
        let mut at = 0;
        while let Some(object) = queue.get(at).cloned() {
            at += 1;
            for reference in places.references(&object)? {
                if !places.ids.contains_key(&reference.id) {
                    places.ids.insert(reference.id.clone(), Some(Rc::as_ptr(&object)));
                    places.descend(&reference)?;
                }
                if queued.insert(Rc::as_ptr(&reference)) {
                    queue.push(reference);
                }
            }
        }
        Ok(places)
    }

    /// Visits the objects that an object owns and holds, recursively.
    fn descend(&mut self, object: &Rc<Object>) -> Result<()> {
        let mut stack = vec![object.clone()];
        while let Some(object) = stack.pop() {
            for reference in self.references(&object)? {
                let owned = reference.owner().is_some_and(|owner| Rc::ptr_eq(&owner, &object));
                if owned && !self.ids.contains_key(&reference.id) {
                    self.ids.insert(reference.id.clone(), Some(Rc::as_ptr(&object)));
                    stack.push(reference);
                }
            }
        }
        Ok(())
    }

    /// Returns the objects that the properties of an object contain.
    fn references(&self, object: &Rc<Object>) -> Result<Vec<Rc<Object>>> {
        let properties = object.properties.borrow().clone();
        let mut found = Vec::new();
        for (name, value) in &properties {
            if is_written(object, name) && !self.has_ids(object, name)? {
                collect(value, &mut found);
            }
        }
        Ok(found)
    }

    /// Returns whether the metadata of a property requires the ids of its objects.
    fn has_ids(&self, object: &Rc<Object>, name: &str) -> Result<bool> {
        let Some(runtime) = self.metadata else { return Ok(false) };
        if object.class.declarations(name).iter().all(|(_, property)| property.meta.is_empty()) {
            return Ok(false);
        }
        let attached = meta::of_property(runtime, &object.class, name)?;
        let serialize = attached.iter().find(|attached| attached.object.class.name == SERIALIZE);
        Ok(serialize.and_then(|attached| attached.object.property("as")) == Some(Value::from("reference")))
    }
}

fn collect(value: &Value, found: &mut Vec<Rc<Object>>) {
    match value {
        Value::List(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Dict(entries) => entries.iter().for_each(|(key, value)| {
            collect(key, found);
            collect(value, found);
        }),
        _ => found.extend(as_object(value).cloned()),
    }
}

fn is_written(object: &Rc<Object>, name: &str) -> bool {
    let declarations = object.class.declarations(name);
    !declarations.iter().any(|(_, property)| {
        matches!(property.usage, PropertyUsage::Runtime | PropertyUsage::Config | PropertyUsage::Static)
    })
}

/// The metadata that says how a property is written.
const SERIALIZE: &str = "io.murano.metadata.engine.Serialize";

struct Writer<'w> {
    runtime: &'w Rc<Runtime>,
    format: Format,
    actions: bool,
    places: &'w Places<'w>,
    excluded: &'w [String],
    /// The properties that are being written, from the outermost object to the innermost.
    path: RefCell<Vec<String>>,
    /// The objects that were written before.
    done: RefCell<HashSet<String>>,
}

impl Writer<'_> {
    fn object(&self, object: &Rc<Object>) -> Result<Value> {
        self.object_as(object, &object.class)
    }

    fn object_as(&self, object: &Rc<Object>, class: &Rc<Class>) -> Result<Value> {
        let entry = |key: &str, value: Value| (Value::from(key), value);
        let mut properties = Dict::default();
        // Properties of ancestors come first.
        let lineage: Vec<_> = class.lineage().collect();
        for class in lineage.iter().rev() {
            for name in class.properties.keys() {
                if is_excluded(self.excluded, &self.path.borrow(), name) {
                    continue;
                }
                if let Some(value) = object.property(name).filter(|_| is_written(object, name)) {
                    self.path.borrow_mut().push(name.clone());
                    let by_id = self.places.has_ids(object, name);
                    let written = by_id.and_then(|by_id| self.value(object, &value, by_id));
                    self.path.borrow_mut().pop();
                    properties.insert(Value::from(name.as_str()), written?);
                }
            }
        }
        let identity = [
            entry("id", object.id.as_str().into()),
            entry("name", object.name.borrow().clone()),
            entry("metadata", object.metadata.borrow().clone()),
        ];
        if self.format == Format::Inline {
            let inner = (type_value(class), Value::dict(properties));
            return Ok(Value::dict([inner].into_iter().chain(identity)));
        }
        let ty = match self.format {
            Format::Serializable => {
                Value::from(format!("{}/{}@{}", class.name, class.origin.version, class.origin.name))
            }
            _ => type_value(class),
        };
        let mut header: Dict = [entry("type", ty)].into_iter().chain(identity).collect();
        if let Some(dependencies) = dependencies(object) {
            header.insert(Value::from("dependencies"), dependencies);
        }
        if self.actions {
            header.insert(Value::from("_actions"), self.actions_of(object)?);
        }
        let header = entry("?", Value::dict(header));
        Ok(Value::dict(std::iter::once(header).chain(properties)))
    }

    fn value(&self, holder: &Rc<Object>, value: &Value, by_id: bool) -> Result<Value> {
        let part = |value: &Value| self.value(holder, value, by_id);
        Ok(match value {
            Value::List(items) => Value::list(items.iter().map(part).collect::<Result<_>>()?),
            Value::Dict(entries) => {
                let entry = |(key, value): (&Value, &Value)| Ok((part(key)?, part(value)?));
                Value::dict(entries.iter().map(entry).collect::<Result<Vec<_>>>()?)
            }
            _ => match (as_object(value), as_type(value)) {
                (Some(object), _) => {
                    let here = self.places.ids.get(&object.id) == Some(&Some(Rc::as_ptr(holder)));
                    if here && !by_id && self.done.borrow_mut().insert(object.id.clone()) {
                        self.runtime.meter().nested(|| self.object(object))?
                    } else {
                        object.id.as_str().into()
                    }
                }
                (None, Some(class)) if self.format == Format::Serializable => class.name.as_str().into(),
                _ => value.clone(),
            },
        })
    }

    fn actions_of(&self, object: &Rc<Object>) -> Result<Value> {
        let mut actions = Dict::default();
        for class in object.class.lineage() {
            for method in class.methods.values().filter(|method| is_action(method)) {
                let key = Value::from(format!("{}_{}", object.id, method.name));
                if !actions.contains_key(&key) {
                    let texts = meta::texts_of_method(self.runtime, &object.class, &method.name)?;
                    actions.insert(key, action(method, &texts));
                }
            }
        }
        Ok(Value::dict(actions))
    }
}

fn dependencies(object: &Rc<Object>) -> Option<Value> {
    let subscribers = object.subscribers.borrow();
    let entry = |key: &str, value: Value| (Value::from(key), value);
    let row = |(subscriber, handler): &(Rc<Object>, Value)| {
        Value::dict([entry("subscriber", subscriber.id.as_str().into()), entry("handler", handler.clone())])
    };
    let rows: Vec<_> = subscribers.iter().map(row).collect();
    (!rows.is_empty()).then(|| Value::dict([entry("onDestruction", Value::list(rows))]))
}

fn is_action(method: &Method) -> bool {
    method.is_public() && method.usage != MethodUsage::Static && !method.name.starts_with('.')
}

fn action(method: &Method, texts: &meta::Texts) -> Value {
    let entry = |key: &str, value: Value| (Value::from(key), value);
    let title = texts.title.clone().unwrap_or_else(|| method.name.as_str().into());
    let mut action: Dict =
        [entry("enabled", true.into()), entry("name", method.name.as_str().into()), entry("title", title)]
            .into_iter()
            .collect();
    action.extend(texts.description.clone().map(|text| entry("description", text)));
    action.extend(texts.help_text.clone().map(|text| entry("helpText", text)));
    Value::dict(action)
}
