//! Attached metadata.

use std::cell::RefCell;
use std::rc::Rc;

use foldhash::HashMap;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use tosca_parse_yaql::{Dict, Result, Value};

use crate::class::{Class, MetaSpec};
use crate::error::value_error;
use crate::frame::Frame;
use crate::model;
use crate::object::{Object, object_value, type_value};
use crate::runtime::Runtime;
use crate::trace;

/// Cached results.
#[derive(Default)]
pub(crate) struct Cache {
    texts: RefCell<HashMap<(usize, String), Texts>>,
    checked: RefCell<FxHashMap<*const Class, Checked>>,
}

/// The result of a check of the metadata of a class.
#[derive(Clone)]
struct Checked {
    of_class: Result<()>,
    /// The result for the metadata that descendants inherit; `None` if their own metadata can replace invalid metadata.
    handed_on: Option<Result<()>>,
}

/// The title and description of a declaration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    pub(crate) title: Option<Value>,
    pub(crate) description: Option<Value>,
    pub(crate) help_text: Option<Value>,
}

/// Attached metadata and the class that attaches it.
pub(crate) struct Attached {
    pub(crate) by: Rc<Class>,
    pub(crate) object: Rc<Object>,
}

/// The metadata of a declaration, and of its repetitions in descendants, by class.
pub(crate) type Declarations<'d> = Vec<(Rc<Class>, &'d [MetaSpec])>;

struct Item<'d> {
    by: Rc<Class>,
    meta: Rc<Class>,
    many: bool,
    spec: &'d MetaSpec,
}

/// Returns the metadata of a declaration in a class, nearest first: the metadata of the nearest declaration, and the
/// inherited metadata of the others.
pub(crate) fn merged(
    runtime: &Rc<Runtime>,
    class: &Rc<Class>,
    declarations: &Declarations<'_>,
    target: &str,
) -> Result<Vec<Attached>> {
    let own = declarations.first().map_or(class, |(own, _)| own);
    let items = items(runtime, declarations, own, target)?;
    nearest(class, items)?.into_iter().map(|item| instance(runtime, &item)).collect()
}

/// Returns the metadata of declarations: that of the nearest one, and the inherited metadata of the others.
fn items<'d>(
    runtime: &Rc<Runtime>,
    declarations: &Declarations<'d>,
    own: &Rc<Class>,
    target: &str,
) -> Result<Vec<Item<'d>>> {
    let mut items: Vec<Item<'d>> = Vec::new();
    for (by, specs) in declarations {
        let first = items.len();
        for spec in *specs {
            let meta = runtime.find_class(by.origin.index, &spec.name)?;
            if !meta.declared.is_meta() {
                return Err(value_error("Only Meta classes can be attached"));
            }
            if !meta.declared.targets().has(target) {
                return Err(value_error(format!("Meta class {} is not applicable here", meta.name)));
            }
            let many = meta.declared.is_many();
            if !many && items[first..].iter().any(|other| Rc::ptr_eq(&other.meta, &meta)) {
                return Err(value_error(format!("Cannot attach several Meta instances of {}", meta.name)));
            }
            if meta.declared.is_handed_on() || Rc::ptr_eq(by, own) {
                items.push(Item { by: by.clone(), meta, many, spec });
            }
        }
    }
    Ok(items)
}

/// Keeps only the nearest metadata of each meta class that is allowed only once.
fn nearest<'d>(class: &Rc<Class>, mut items: Vec<Item<'d>>) -> Result<Vec<Item<'d>>> {
    let mut attached: IndexMap<*const Class, Vec<Rc<Class>>> = IndexMap::new();
    for item in items.iter().filter(|item| !item.many) {
        attached.entry(Rc::as_ptr(&item.meta)).or_default().push(item.by.clone());
    }
    attached.retain(|_, by| by.len() > 1);
    for (meta, by) in &attached {
        let overridden = class.above(by.iter());
        items.retain(|item| Rc::as_ptr(&item.meta) != *meta || !overridden.contains(&Rc::as_ptr(&item.by)));
        let mut left = items.iter().filter(|item| Rc::as_ptr(&item.meta) == *meta);
        if let (Some(item), Some(_)) = (left.next(), left.next()) {
            let message = format!("Found more than one instance of Meta {} with Cardinality One", item.meta.name);
            return Err(value_error(message));
        }
    }
    Ok(items)
}

fn instance(runtime: &Rc<Runtime>, item: &Item<'_>) -> Result<Attached> {
    let context = Frame::enter(runtime, &item.by, &type_value(&item.by), None);
    let mut data = Dict::default();
    data.insert("?".into(), Value::dict([("type".into(), type_value(&item.meta))]));
    for (key, value) in &item.spec.properties {
        data.insert(key.raw_value(), value.evaluate(&context).map_err(trace::leave)?);
    }
    let object = model::create(Frame::of(&context)?, &Value::dict(data), None)?;
    Ok(Attached { by: item.by.clone(), object })
}

/// Returns the metadata of a class.
pub(crate) fn of_type(runtime: &Rc<Runtime>, class: &Rc<Class>) -> Result<Vec<Attached>> {
    let lineage: Vec<_> = if class.has_meta { class.lineage().collect() } else { Vec::new() };
    let declarations = lineage.iter().map(|class| (class.clone(), class.meta.as_slice())).collect();
    merged(runtime, class, &declarations, "Type")
}

/// Returns the metadata of a property of a class.
pub(crate) fn of_property(runtime: &Rc<Runtime>, class: &Rc<Class>, name: &str) -> Result<Vec<Attached>> {
    let all = class.declarations(name);
    let declarations = all.iter().map(|(class, property)| (class.clone(), property.meta.as_slice())).collect();
    merged(runtime, class, &declarations, "Property")
}

/// Returns the metadata of a method of a class.
pub(crate) fn of_method(runtime: &Rc<Runtime>, class: &Rc<Class>, name: &str) -> Result<Vec<Attached>> {
    let method = |class: Rc<Class>| class.methods.get(name).cloned().map(|method| (class, method));
    let all: Vec<_> = class.lineage().filter_map(method).collect();
    let declarations = all.iter().map(|(class, method)| (class.clone(), method.meta.as_slice())).collect();
    merged(runtime, class, &declarations, "Method")
}

/// Returns the metadata of an argument of a method.
pub(crate) fn of_argument(runtime: &Rc<Runtime>, class: &Rc<Class>, specs: &[MetaSpec]) -> Result<Vec<Attached>> {
    merged(runtime, class, &vec![(class.clone(), specs)], "Argument")
}

/// Returns the objects as a list.
pub(crate) fn list(attached: &[Attached]) -> Value {
    Value::list(attached.iter().map(|attached| object_value(&attached.object)).collect())
}

/// Returns the titles and descriptions in metadata.
pub(crate) fn texts(attached: &[Attached]) -> Texts {
    let text = |class: &str| {
        let found = attached.iter().find(|attached| attached.object.class.name == class);
        found.and_then(|attached| attached.object.property("text"))
    };
    Texts {
        title: text("io.murano.metadata.Title"),
        description: text("io.murano.metadata.Description"),
        help_text: text("io.murano.metadata.HelpText"),
    }
}

pub(crate) fn texts_of_method(runtime: &Rc<Runtime>, class: &Rc<Class>, name: &str) -> Result<Texts> {
    let key = (Rc::as_ptr(class) as usize, name.to_owned());
    if let Some(texts) = runtime.metas.texts.borrow().get(&key) {
        return Ok(texts.clone());
    }
    let texts = texts(&of_method(runtime, class, name)?);
    runtime.metas.texts.borrow_mut().insert(key, texts.clone());
    Ok(texts)
}

impl Runtime {
    /// Checks the metadata of a class.
    ///
    /// # Errors
    ///
    /// Returns an error for metadata that is not applicable, not a meta class, or attached too often.
    pub fn check_meta(self: &Rc<Self>, class: &Rc<Class>) -> Result<()> {
        // With a single parent, only the class's own metadata must be checked.
        let (mut chain, mut next) = (Vec::new(), Some(class.clone()));
        while let Some(class) = next.filter(|class| class.has_meta && self.checked_meta(class).is_none()) {
            next = single_parent(&class).cloned();
            chain.push(class);
        }
        for class in chain.iter().rev() {
            let above = single_parent(class).map(|parent| match self.checked_meta(parent) {
                Some(checked) => checked.handed_on,
                None => Some(Ok(())),
            });
            let own = above.flatten().map(|above| (check_own(self, class), above));
            let checked = match own {
                Some((own, above)) if above.is_ok() || !own.replaces => {
                    Checked { of_class: own.all.and(above.clone()), handed_on: Some(own.handed_on.and(above)) }
                }
                _ => {
                    let of_class = of_type(self, class).map(|_| ());
                    Checked { handed_on: of_class.is_ok().then_some(Ok(())), of_class }
                }
            };
            self.metas.checked.borrow_mut().insert(Rc::as_ptr(class), checked);
        }
        self.checked_meta(class).map_or(Ok(()), |checked| checked.of_class)
    }

    fn checked_meta(&self, class: &Rc<Class>) -> Option<Checked> {
        self.metas.checked.borrow().get(&Rc::as_ptr(class)).cloned()
    }
}

/// Returns the parent of a class that has no other.
fn single_parent(class: &Class) -> Option<&Rc<Class>> {
    match class.parents.as_slice() {
        [parent] if class.unified.is_empty() => Some(parent),
        _ => None,
    }
}

/// The results for the metadata that a class attaches itself.
struct Own {
    all: Result<()>,
    /// The result for the part that descendants inherit.
    handed_on: Result<()>,
    /// Whether some of it replaces inherited metadata.
    replaces: bool,
}

fn check_own(runtime: &Rc<Runtime>, class: &Rc<Class>) -> Own {
    let items = match items(runtime, &vec![(class.clone(), class.meta.as_slice())], class, "Type") {
        Ok(items) => items,
        Err(error) => return Own { all: Err(error.clone()), handed_on: Err(error), replaces: false },
    };
    let mut own = Own { all: Ok(()), handed_on: Ok(()), replaces: false };
    for item in &items {
        let made = instance(runtime, item).map(|_| ());
        if item.meta.declared.is_handed_on() {
            own.handed_on = own.handed_on.and(made.clone());
        }
        own.all = own.all.and(made);
        own.replaces |= !item.many;
    }
    own
}
