//! Lazy collections.

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::rc::Rc;

use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::meter::{Gathered, Meter};
use crate::value::{Charge, Value, View};

/// The bytes of an iterator, or of reading a collection, with the contexts that it creates.
const LAZY: u32 = 256;

type Next = dyn Step;

trait Step {
    fn step(&mut self) -> Result<Option<Value>>;
}

impl<F: FnMut() -> Result<Option<Value>>> Step for F {
    fn step(&mut self) -> Result<Option<Value>> {
        self()
    }
}

/// The state that copies of an iterator share.
struct Shared<S: ?Sized> {
    charge: OnceCell<Charge>,
    step: RefCell<S>,
}

/// Lazy items. Copies share the position: an item that one copy has taken is gone for the others.
#[derive(Clone)]
pub struct Items {
    next: Rc<Shared<Next>>,
    depth: u32,
    /// The bytes that the iterator keeps besides charged values.
    bytes: u32,
    /// The order that `thenBy` refines.
    pub(crate) ordering: Option<Rc<crate::library::Ordering>>,
}

impl Items {
    /// Creates items that a function returns one after the other, until it returns `None`. The function keeps no nested
    /// values alive.
    pub(crate) fn new(next: impl FnMut() -> Result<Option<Value>> + 'static) -> Self {
        Self::nested(0, next)
    }

    /// Returns the items of a function that keeps values and contexts of a given depth alive.
    pub(crate) fn nested(depth: u32, next: impl FnMut() -> Result<Option<Value>> + 'static) -> Self {
        Self {
            next: Rc::new(Shared { charge: OnceCell::new(), step: RefCell::new(next) }),
            depth: depth + 1,
            bytes: LAZY,
            ordering: None,
        }
    }

    /// Returns items that have been computed. The iterator keeps them, so they are charged like a list.
    pub(crate) fn computed(items: Vec<Value>, meter: &Meter) -> Result<Self> {
        let depth = items.iter().map(Value::depth).max().unwrap_or(0);
        let items = meter.kept(items)?;
        Ok(by_index(depth, move |index| items.get(index).cloned()))
    }

    /// Charges the iterator for a number of collections that it reads from.
    pub(crate) fn reading(self, collections: usize) -> Self {
        let collections = u32::try_from(collections).unwrap_or(u32::MAX);
        Self { bytes: collections.saturating_mul(LAZY).saturating_add(LAZY), ..self }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.into()
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    pub(crate) fn sorted(ordering: crate::library::Ordering) -> Self {
        Self::from_start(&Rc::new(ordering))
    }

    fn from_start(ordering: &Rc<crate::library::Ordering>) -> Self {
        let items = ordering.clone();
        Self { ordering: Some(ordering.clone()), ..by_index(ordering.depth(), move |index| items.get(index)) }
    }

    /// Returns the next item.
    ///
    /// # Errors
    ///
    /// Returns the errors of the item, or [`ErrorKind::Value`] if the item depends on itself.
    pub fn next(&self) -> Result<Option<Value>> {
        match self.next.step.try_borrow_mut() {
            Ok(mut next) => next.step(),
            Err(_) => Err(Error::new(ErrorKind::Value, "generator already executing")),
        }
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.next, &other.next)
    }

    pub(crate) fn charge(&self) -> &OnceCell<Charge> {
        &self.next.charge
    }

    pub(crate) fn identity(&self) -> usize {
        Rc::as_ptr(&self.next).cast::<u8>() as usize
    }
}

impl From<Items> for Value {
    fn from(items: Items) -> Self {
        Self::Iterator(items)
    }
}

impl fmt::Debug for Items {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Items")
    }
}

impl Value {
    /// Returns the items of a collection; `None` for other values. Dictionaries are collections of keys in the legacy
    /// dialect.
    pub fn items(&self, context: &Context) -> Option<Items> {
        let items = match self {
            Self::List(items) => {
                let items = items.clone();
                by_index(self.depth(), move |index| items.get(index).cloned())
            }
            Self::Set(elements) => {
                let elements = elements.clone();
                by_index(self.depth(), move |index| elements.get_index(index).cloned())
            }
            Self::View(view, entries) => {
                let (view, entries) = (*view, entries.clone());
                by_index(self.depth(), move |index| {
                    entries.get_index(index).map(|(key, value)| match view {
                        View::Keys => key.clone(),
                        View::Values => value.clone(),
                        View::Items => Value::list(vec![key.clone(), value.clone()]),
                    })
                })
            }
            Self::Dict(entries) if context.is_legacy() => {
                let entries = entries.clone();
                by_index(self.depth(), move |index| entries.get_index(index).map(|(key, _)| key.clone()))
            }
            Self::Iterator(items) => items.ordering.as_ref().map_or_else(|| items.clone(), Items::from_start),
            _ => return None,
        };
        Some(metered(items, context.meter()))
    }

    /// Converts every iterator in the value to a list, optionally sets and views too.
    ///
    /// # Errors
    ///
    /// Returns the errors of the items.
    pub fn finalize(self, context: &Context) -> Result<Self> {
        finalize(self, context)
    }
}

fn finalize(value: Value, context: &Context) -> Result<Value> {
    context.meter().check_value(&value)?;
    if value.is_final() {
        return Ok(value);
    }
    let part = |value: &Value| context.meter().deeper(|| finalize(value.clone(), context));
    match &value {
        Value::List(items) => {
            context.meter().spend(items.len() as u64)?;
            items.iter().map(part).collect::<Result<Vec<_>>>().map(Value::list)
        }
        Value::Dict(entries) => {
            context.meter().spend(entries.len() as u64)?;
            let entries = entries.iter().map(|(key, value)| Ok((part(key)?, part(value)?)));
            entries.collect::<Result<Vec<_>>>().map(Value::dict)
        }
        _ => {
            let mut list = Gathered::new(context.meter());
            let items = value.items(context);
            while let Some(item) = items.as_ref().map_or(Ok(None), Items::next)? {
                list.push(part(&item)?)?;
            }
            list.value()
        }
    }
}

fn by_index(depth: u32, get: impl Fn(usize) -> Option<Value> + 'static) -> Items {
    let mut index = 0;
    Items::nested(depth, move || {
        let item = get(index);
        index += 1;
        Ok(item)
    })
}

/// Returns the same items, each of which costs a step. Their number is limited, and none follows the end. Iterators keep
/// other iterators alive, so iterating descends into nested ones.
fn metered(items: Items, meter: &Rc<Meter>) -> Items {
    let limit = meter.limits().items.unwrap_or(usize::MAX);
    let (ordering, meter) = (items.ordering.clone(), meter.clone());
    let (mut count, mut has_ended) = (0, false);
    let metered = Items::nested(items.depth, move || {
        meter.spend(1)?;
        if has_ended {
            return Ok(None);
        }
        let item = meter.deeper(|| items.next())?;
        count += usize::from(item.is_some());
        has_ended = item.is_none();
        if count > limit {
            let message = format!("Collection length exceeds {limit} elements");
            return Err(Error::new(ErrorKind::CollectionTooLarge, message));
        }
        Ok(item)
    });
    Items { ordering, ..metered }
}
