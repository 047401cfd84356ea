//! Object models: conversion of data to objects.
//!
//! A model is read twice. The first pass creates objects, with placeholders for objects that are referenced before they
//! are created; in the second pass, all objects exist. Only then are they initialized.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use foldhash::{HashMap, HashSet};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use tosca_parse_yaql::{Dict, Error, Result, Value};

use crate::class::{Class, Property, PropertyUsage};
use crate::contract::{self, Mode, Scope, Violated, Wanted};
use crate::error::{Kind, exception_names, fail, is, value_error, violation};
use crate::frame::Frame;
use crate::invoke::{Arguments, Callee};
use crate::name::TypeName;
use crate::object::{Object, Placeholder, as_object, as_type, object_value};
use crate::property;
use crate::runtime::Runtime;
use crate::serialize;
use crate::trace::{self, Step};

/// The state of a model during loading.
pub(crate) struct Loading {
    /// Whether objects keep the ids that the model gives them.
    keeps_ids: bool,
    /// Whether the objects are discarded after loading.
    dry: bool,
    complete: Cell<bool>,
    objects: RefCell<HashMap<String, Rc<Object>>>,
    /// The generated ids of objects without ids, by their data.
    generated: RefCell<FxHashMap<usize, (Value, String)>>,
    /// Objects with complete properties, and their data, in this order.
    done: RefCell<IndexMap<String, (Rc<Object>, Value)>>,
    /// The paths of the properties that a template leaves out.
    excluded: RefCell<Vec<String>>,
    /// The properties whose values are being read, from the outermost object to the innermost.
    path: RefCell<Vec<String>>,
    /// The problems with properties, if they don't end the loading.
    faults: Option<RefCell<Faults>>,
    /// Whether a property lacks a value that only the configuration of the host has.
    lacks_config: Cell<bool>,
}

/// The problems with properties, by the number of the object.
type Faults = IndexMap<(usize, String), Fault>;

/// A problem with a property of an object.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// The error.
    pub(crate) error: Error,
    /// The number that the header of the object has as its [`PLACE`].
    pub(crate) object: usize,
    /// The property.
    pub(crate) property: String,
    /// The part of its contract that the value violates.
    pub(crate) contract: Step,
    /// Whether this part is about keys of a map.
    pub(crate) is_of_keys: bool,
    /// A description of the values that the contract accepts.
    pub(crate) expected: Option<String>,
}

/// The reason why no objects could be created.
pub(crate) enum Failed {
    /// An error without a property, or one that ends the loading.
    Entirely(Error),
    /// Properties that could not be set; there is at least one.
    In(Vec<Fault>),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Entirely(error)
    }
}

impl Loading {
    fn new(keeps_ids: bool, dry: bool) -> Rc<Self> {
        Rc::new(Self::empty(keeps_ids, dry))
    }

    fn empty(keeps_ids: bool, dry: bool) -> Self {
        Self {
            keeps_ids,
            dry,
            complete: Cell::new(false),
            objects: RefCell::default(),
            generated: RefCell::default(),
            done: RefCell::default(),
            excluded: RefCell::default(),
            path: RefCell::default(),
            faults: None,
            lacks_config: Cell::new(false),
        }
    }

    /// Loads a model to find all its problems.
    fn tolerant() -> Rc<Self> {
        Rc::new(Self { faults: Some(RefCell::default()), ..Self::empty(true, false) })
    }

    /// Records an error in a property, which then stays without a value. If errors are not recorded, returns the error.
    fn excuse(&self, fault: Fault) -> Result<()> {
        match &self.faults {
            // A reached limit ends the evaluation.
            Some(faults) if !exception_names(&fault.error).is_empty() => {
                faults.borrow_mut().entry((fault.object, fault.property.clone())).or_insert(fault);
                Ok(())
            }
            _ => Err(fault.error),
        }
    }

    /// Returns whether some properties lack a required value.
    fn has_gaps(&self) -> bool {
        self.lacks_config.get() || self.faults.as_ref().is_some_and(|faults| !faults.borrow().is_empty())
    }

    fn take_faults(&self) -> Vec<Fault> {
        self.faults.as_ref().map_or_else(Vec::new, |faults| faults.take().into_values().collect())
    }

    fn id(&self, runtime: &Runtime, header: &Header, data: &Value) -> String {
        let address = match data {
            Value::Dict(entries) => Rc::as_ptr(entries) as usize,
            _ => 0,
        };
        match &header.id {
            Some(id) if self.keeps_ids => id.clone(),
            _ => {
                // The data is kept alive so that nothing else gets its address.
                let fresh = || (data.clone(), runtime.new_id());
                self.generated.borrow_mut().entry(address).or_insert_with(fresh).1.clone()
            }
        }
    }
}

/// A header key by which the producer of the data recognizes an object.
pub(crate) const PLACE: &str = "_place";

/// Returns the origin of an object from its header.
fn place(data: &Value) -> Option<usize> {
    match data.get("?")?.get(PLACE)? {
        Value::Integer(number) => usize::try_from(number.to_i64()?).ok(),
        _ => None,
    }
}

/// The header of an object.
struct Header {
    class: Rc<Class>,
    id: Option<String>,
    name: Value,
    metadata: Value,
}

impl Runtime {
    /// Loads an object model with its attributes: `{"Objects": …, "Attributes": …}`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`load_object`](Self::load_object).
    pub fn load(self: &Rc<Self>, model: &Value) -> Result<Option<Rc<Object>>> {
        self.objects_of(model).map(|data| self.load_object(data)).transpose()
    }

    /// Returns the data of the root of a model and stores its attributes in the runtime.
    pub(crate) fn objects_of<'m>(&self, model: &'m Value) -> Option<&'m Value> {
        for attribute in model.get("Attributes").and_then(Value::as_list).unwrap_or_default() {
            if let Some([object, class, key, value]) = attribute.as_list() {
                let key = (object.to_python(), class.to_python(), key.to_python());
                self.attributes.borrow_mut().insert(key, value.clone());
            }
        }
        model.get("Objects").filter(|data| !data.is_null())
    }

    /// Loads an object and the objects in it.
    ///
    /// # Errors
    ///
    /// Returns an error if the model is invalid or its initialization fails. As in Murano, of several objects with the
    /// same id, the last one counts; [`load_model`](Self::load_model) refuses them.
    pub fn load_object(self: &Rc<Self>, data: &Value) -> Result<Rc<Object>> {
        self.meter().budget().add_input(data.weight());
        load_all(self, data, None, None, None, &Loading::new(true, false))
    }

    /// Like [`load_object`](Self::load_object), but finds all problems with properties.
    pub(crate) fn load_tolerantly(self: &Rc<Self>, data: &Value) -> std::result::Result<Rc<Object>, Failed> {
        let loading = Loading::tolerant();
        let result = load_all(self, data, None, None, None, &loading);
        match loading.take_faults() {
            faults if faults.is_empty() => Ok(result?),
            faults => Err(Failed::In(faults)),
        }
    }
}

/// Checks that no two objects have the same id.
pub(crate) fn check_ids(objects: &Value) -> Result<()> {
    let mut ids = HashSet::default();
    // A part that is met again is the same object.
    let mut met = HashSet::default();
    let mut stack = vec![objects];
    while let Some(value) = stack.pop() {
        match value {
            Value::Dict(entries) if met.insert(Rc::as_ptr(entries).cast::<()>()) => {
                let header = if inline(entries).is_some() { Some(value) } else { value.get("?") };
                let id = header.and_then(|header| header.get("id"));
                let id = id.filter(|id| matches!(id, Value::String(_) | Value::Integer(_))).map(Value::to_python);
                if let Some(id) = id.filter(|id| !ids.insert(id.clone())) {
                    return Err(value_error(format!("two objects have the id `{id}`")));
                }
                stack.extend(entries.values());
            }
            Value::List(items) if met.insert(Rc::as_ptr(items).cast::<()>()) => stack.extend(items.iter()),
            _ => {}
        }
    }
    Ok(())
}

/// Returns the object that a reference refers to.
pub(crate) fn reference(runtime: &Runtime, scope: &Scope, id: &str) -> Result<Value> {
    let loaded = scope.loading.as_ref().and_then(|loading| loading.objects.borrow().get(id).cloned());
    if let Some(object) = loaded.or_else(|| runtime.object(id)) {
        return Ok(object_value(&object));
    }
    match &scope.loading {
        Some(loading) if !loading.complete.get() => Ok(Value::Object(Rc::new(Placeholder(id.to_owned())))),
        _ => Err(fail(Kind::NoObject, format!("Object \"{id}\" is not found"))),
    }
}

/// Creates an object from the data that a contract received.
pub(crate) fn instantiate(frame: &Frame, data: &Value, scope: &Scope, wanted: &Wanted) -> Result<Rc<Object>> {
    let default = Some(&wanted.default);
    let header = header(&frame.runtime, data, default, Some(frame))?;
    wanted.check(frame, &header.class)?;
    match &scope.loading {
        Some(loading) => build(&frame.runtime, data, header, scope.owner.as_ref(), loading),
        None => load_all(&frame.runtime, data, default, scope.owner.as_ref(), Some(frame), &Loading::new(false, false)),
    }
}

/// Creates an object for `new`.
pub(crate) fn create(frame: &Frame, data: &Value, owner: Option<&Rc<Object>>) -> Result<Rc<Object>> {
    load_all(&frame.runtime, data, None, owner, Some(frame), &Loading::new(false, false))
}

/// Returns the data of an object with all properties, for a contract that does not create the object.
pub(crate) fn template(
    frame: &Frame,
    value: &Value,
    scope: &Scope,
    wanted: &Wanted,
    excluded: &[String],
) -> Result<Value> {
    let object = match (value, as_object(value)) {
        (_, Some(object)) => object.clone(),
        (Value::Dict(_), None) => {
            let keeps_ids = scope.loading.as_ref().is_some_and(|loading| loading.keeps_ids);
            let loading = Loading::new(keeps_ids, true);
            loading.excluded.borrow_mut().extend_from_slice(excluded);
            let header = header(&frame.runtime, value, Some(&wanted.default), Some(frame))?;
            wanted.check(frame, &header.class)?;
            if let Some(outer) = &scope.loading {
                loading.objects.borrow_mut().extend(outer.objects.borrow().clone());
                let known = outer.generated.borrow().clone();
                loading.generated.borrow_mut().extend(known);
            }
            let object = build(&frame.runtime, value, header, None, &loading)?;
            if let Some(outer) = &scope.loading {
                // Data that is read twice keeps its id.
                let known = loading.generated.borrow().clone();
                outer.generated.borrow_mut().extend(known);
            }
            object
        }
        _ => {
            return Err(violation(format!(
                "Value {} cannot be represented as template of {}",
                value.shown_repr(),
                wanted.class.name
            )));
        }
    };
    wanted.check(frame, &object.class)?;
    serialize::template(&frame.runtime, &object, excluded)
}

/// Returns whether a property of an object is among excluded ones, such as `network` or `network.name`. The path leads to
/// the object.
pub(crate) fn is_excluded(excluded: &[String], path: &[String], name: &str) -> bool {
    let parts = || path.iter().map(String::as_str).chain([name]);
    excluded.iter().any(|excluded| excluded.split('.').eq(parts()))
}

/// Reads data twice and initializes the resulting objects.
fn load_all(
    runtime: &Rc<Runtime>,
    data: &Value,
    default: Option<&Rc<Class>>,
    owner: Option<&Rc<Object>>,
    frame: Option<&Frame>,
    loading: &Rc<Loading>,
) -> Result<Rc<Object>> {
    let build = || build(runtime, data, header(runtime, data, default, frame)?, owner, loading);
    build()?;
    loading.complete.set(true);
    loading.done.borrow_mut().clear();
    let root = build()?;
    if loading.has_gaps() {
        return Ok(root);
    }
    let done: Vec<_> = loading.done.borrow().values().cloned().collect();
    for (object, _) in &done {
        runtime.objects.borrow_mut().insert(object.id.clone(), object.clone());
    }
    for (object, data) in &done {
        initialize(runtime, object, data)?;
    }
    for (object, _) in done {
        object.initializing.set(false);
    }
    Ok(root)
}

/// Creates an object and sets its properties.
fn build(
    runtime: &Rc<Runtime>,
    data: &Value,
    header: Header,
    owner: Option<&Rc<Object>>,
    loading: &Rc<Loading>,
) -> Result<Rc<Object>> {
    // Creating an object costs as much as creating many values.
    const STEPS: u64 = 30;
    const BYTES: u64 = 512;
    runtime.meter().spend(STEPS)?;
    let id = loading.id(runtime, &header, data);
    let known = loading.objects.borrow().get(&id).cloned();
    if known.is_none() {
        runtime.meter().budget().bytes(BYTES)?;
    }
    let object = known.unwrap_or_else(|| {
        Rc::new(Object {
            id: id.clone(),
            class: header.class.clone(),
            name: RefCell::new(Value::Null),
            metadata: RefCell::new(Value::Null),
            owner: RefCell::new(Weak::new()),
            properties: RefCell::default(),
            private: RefCell::default(),
            initializing: Cell::new(true),
            subscribers: RefCell::default(),
        })
    });
    if !Rc::ptr_eq(&object.class, &header.class) {
        let (actual, wanted) = (object.class.describe(), header.class.describe());
        return Err(violation(format!("Object \"{id}\" has type {actual} already, and can't have type {wanted} too")));
    }
    *object.name.borrow_mut() = header.name;
    *object.metadata.borrow_mut() = header.metadata;
    if let Some(owner) = owner {
        *object.owner.borrow_mut() = Rc::downgrade(owner);
    }
    loading.objects.borrow_mut().insert(id.clone(), object.clone());
    if let Some(given) = header.id.filter(|given| *given != id) {
        // Within the model, other objects refer to it by the id in the model.
        loading.objects.borrow_mut().insert(given, object.clone());
    }
    runtime.meter().nested(|| set_properties(runtime, &object, data, loading))?;
    if loading.complete.get() && !loading.dry {
        loading.done.borrow_mut().insert(id, (object.clone(), data.clone()));
    }
    Ok(object)
}

/// Returns the classes whose methods initialize objects of a class, ancestors first.
fn initializers(class: &Rc<Class>) -> Vec<Rc<Class>> {
    let mut all: Vec<_> = class.lineage().filter(|class| class.methods.contains_key(".init")).collect();
    all.reverse();
    all
}

/// Returns the names of the arguments of the initializers. They receive the values in a model, rather than the properties
/// of these names.
fn init_arguments(class: &Rc<Class>) -> HashSet<String> {
    let initializers = class.lineage().filter_map(|class| class.methods.get(".init").cloned());
    initializers
        .flat_map(|init| init.arguments.iter().map(|argument| argument.name.clone()).collect::<Vec<_>>())
        .collect()
}

fn set_properties(runtime: &Rc<Runtime>, object: &Rc<Object>, data: &Value, loading: &Rc<Loading>) -> Result<()> {
    let arguments = init_arguments(&object.class);
    let filling = Filling { runtime, object, place: place(data), data: properties_of(data), arguments, loading };
    let mut seen = HashSet::default();
    let config = |usage| usage == PropertyUsage::Config;
    for configured in [true, false] {
        for class in object.class.lineage() {
            let wanted = |property: &&Rc<Property>| {
                property.usage != PropertyUsage::Static && config(property.usage) == configured
            };
            let mut pending: Vec<_> = class.properties.values().filter(wanted).cloned().collect();
            pending.retain(|property| !seen.contains(&property.name));
            seen.extend(pending.iter().map(|property| property.name.clone()));
            filling.fill(pending)?;
        }
    }
    Ok(())
}

/// Returns the entries of the data that are properties.
fn properties_of(data: &Value) -> Dict {
    let entries = data.as_dict().cloned().unwrap_or_default();
    match inline(&entries) {
        Some((_, properties)) => properties.as_dict().cloned().unwrap_or_default(),
        None => entries,
    }
}

struct Filling<'f> {
    runtime: &'f Rc<Runtime>,
    object: &'f Rc<Object>,
    /// The origin of the data.
    place: Option<usize>,
    data: Dict,
    /// The names of the initializers' arguments.
    arguments: HashSet<String>,
    loading: &'f Rc<Loading>,
}

impl Filling<'_> {
    /// Sets the properties of one class. A property that depends on another one waits for it.
    fn fill(&self, mut pending: Vec<Rc<Property>>) -> Result<()> {
        while !pending.is_empty() {
            let before = pending.len();
            let mut waiting = Vec::new();
            for property in pending {
                match self.set(&property) {
                    Err(error) if is(&error, Kind::UninitializedProperty) => waiting.push(property),
                    result => result?,
                }
            }
            // A property that depends on an invalid one is not reported.
            if waiting.len() == before && self.loading.has_gaps() {
                return Ok(());
            }
            if waiting.len() == before {
                let names: Vec<_> = waiting.iter().map(|property| property.name.as_str()).collect();
                let message = format!("the values of {} depend on each other", names.join(", "));
                return Err(fail(Kind::CircularDependency, message));
            }
            pending = waiting;
        }
        Ok(())
    }

    fn set(&self, declared: &Property) -> Result<()> {
        // Each object of a class has all of its properties.
        const STEPS: u64 = 50;
        const BYTES: u64 = 32;
        let name = &declared.name;
        self.runtime.meter().spend(STEPS)?;
        if self.object.property(name).is_none() {
            self.runtime.meter().budget().bytes(BYTES)?;
        }
        if is_excluded(&self.loading.excluded.borrow(), &self.loading.path.borrow(), name) {
            return Ok(());
        }
        self.loading.path.borrow_mut().push(name.clone());
        let result = self.set_from_input(declared);
        self.loading.path.borrow_mut().pop();
        result
    }

    fn set_from_input(&self, declared: &Property) -> Result<()> {
        let name = &declared.name;
        let Some((class, property)) = self.object.class.find_property(name)? else { return Ok(()) };
        let scope =
            Scope { mode: Mode::Transform, owner: Some(self.object.clone()), loading: Some(self.loading.clone()) };
        let given = match property.usage {
            PropertyUsage::Runtime => None,
            PropertyUsage::Config => self.object.class.lineage().find_map(|class| {
                self.runtime.class_config.get(&class.name).and_then(|values| values.get(name).cloned())
            }),
            _ if self.arguments.contains(name) => None,
            _ => self.data.get(&Value::string(name.as_str())).cloned(),
        };
        let needs_config = property.usage == PropertyUsage::Config && given.is_none() && property.default.is_none();
        let value = match (given, &property.default) {
            (Some(value), _) => value,
            (None, Some(default)) => {
                let context = Frame::enter(self.runtime, &class, &object_value(self.object), None);
                default.evaluate(&context).map_err(trace::leave)?
            }
            (None, None) if property.usage == PropertyUsage::Runtime => return Ok(()),
            (None, None) => Value::Null,
        };
        match property::set(self.runtime, self.object, name, value, &scope) {
            Err(error) if property.usage == PropertyUsage::Runtime && is(&error, Kind::ContractViolation) => Ok(()),
            Err(error) if is(&error, Kind::UninitializedProperty) => Err(error),
            Err(_) if needs_config && self.loading.faults.is_some() => {
                self.loading.lacks_config.set(true);
                Ok(())
            }
            Err(error) => match self.place {
                Some(object) => {
                    let Violated { contract, key, is_of_keys } = contract::violated(&property.contract, &error);
                    let (file, span) = (class.file.clone(), key.unwrap_or(contract).span.clone());
                    let expected = contract::described(contract);
                    let contract = Step { file, span, is_contract: true, code: None };
                    self.loading.excuse(Fault { error, object, property: name.clone(), contract, is_of_keys, expected })
                }
                None => Err(error),
            },
            Ok(()) => Ok(()),
        }
    }
}

/// Calls the methods that initialize an object, those of ancestors first.
fn initialize(runtime: &Rc<Runtime>, object: &Rc<Object>, data: &Value) -> Result<()> {
    let properties = properties_of(data);
    for class in initializers(&object.class) {
        let Some(method) = class.methods.get(".init").cloned() else { continue };
        let given = method.arguments.iter().filter_map(|argument| {
            let value = properties.get(&Value::string(argument.name.as_str()))?;
            Some((argument.name.as_str().into(), value.clone()))
        });
        let arguments = Arguments { positional: Vec::new(), named: given.collect() };
        Callee { runtime, class: &class, method: &method, this: &object_value(object) }.call(arguments)?;
    }
    Ok(())
}

/// Returns the type and the properties, if the data has the form `{type: {…}, id: …}`.
fn inline(entries: &Dict) -> Option<(&Value, &Value)> {
    if entries.contains_key(&Value::from("?")) {
        return None;
    }
    let is_type = |key: &Value| as_type(key).is_some() || key.as_str().is_some_and(TypeName::is_prefixed);
    entries.iter().find(|(key, value)| is_type(key) && matches!(value, Value::Dict(_) | Value::Null))
}

fn header(runtime: &Runtime, data: &Value, default: Option<&Rc<Class>>, frame: Option<&Frame>) -> Result<Header> {
    let untyped = || value_error("Invalid object representation: no type information was provided");
    let entries = data.as_dict().ok_or_else(|| value_error("Invalid object representation: it is not a dictionary"))?;
    let text = |value: Option<&Value>| value.filter(|value| !value.is_null()).map(Value::to_python);
    if let Some((ty, _)) = inline(entries) {
        let get = |key: &str| data.get(key).cloned();
        return Ok(Header {
            class: class_named(runtime, ty, None, None, frame)?,
            id: text(data.get("id")),
            name: get("name").unwrap_or(Value::Null),
            metadata: get("metadata").unwrap_or(Value::Null),
        });
    }
    let header = data.get("?").cloned().unwrap_or_else(|| Value::dict([]));
    let class = match header.get("type").filter(|ty| !ty.is_null()) {
        Some(ty) => class_named(runtime, ty, text(header.get("classVersion")), text(header.get("package")), frame)?,
        None => default.cloned().ok_or_else(untyped)?,
    };
    Ok(Header {
        class,
        id: text(header.get("id")),
        name: header.get("name").cloned().unwrap_or(Value::Null),
        metadata: header.get("metadata").cloned().unwrap_or(Value::Null),
    })
}

fn class_named(
    runtime: &Runtime,
    ty: &Value,
    version: Option<String>,
    package: Option<String>,
    frame: Option<&Frame>,
) -> Result<Rc<Class>> {
    if let Some(class) = as_type(ty) {
        return Ok(class.clone());
    }
    let text = ty.to_python();
    let invalid = || -> Error { value_error(format!("Invalid type {text}")) };
    let mut name = TypeName::parse(&text).ok_or_else(invalid)?;
    if let (true, Some(frame)) = (name.name.contains(':'), frame) {
        name.name = frame.class.namespaces.resolve(&name.name)?;
    }
    name.version = name.version.or(version);
    name.package = name.package.or(package);
    runtime.find_type(&name)
}
