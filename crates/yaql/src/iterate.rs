//! Collections that are made while they are gone through.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::machine::grow;
use crate::value::{Value, View};

type Next = dyn Step;

trait Step {
    fn step(&mut self) -> Result<Option<Value>>;
}

/// Iterators hold on to iterators: going through them, and dropping them, goes down a nest.
struct Growing<F>(F);

impl<F: FnMut() -> Result<Option<Value>>> Step for Growing<F> {
    fn step(&mut self) -> Result<Option<Value>> {
        grow(&mut self.0)
    }
}

/// Items that are made when they are asked for. Copies share the position: what one has taken the others don't get.
#[derive(Clone)]
pub struct Items {
    next: Rc<RefCell<Next>>,
    depth: u32,
    /// The order that `thenBy` refines.
    pub(crate) ordering: Option<Rc<crate::library::Ordering>>,
}

impl Items {
    /// Items that a function gives one after the other, until it gives none. It holds on to nothing that is nested.
    pub(crate) fn new(next: impl FnMut() -> Result<Option<Value>> + 'static) -> Self {
        Self::nested(0, next)
    }

    /// Items that a function gives which holds on to values and contexts that are nested so deeply.
    pub(crate) fn nested(depth: u32, next: impl FnMut() -> Result<Option<Value>> + 'static) -> Self {
        Self { next: Rc::new(RefCell::new(Growing(next))), depth: depth + 1, ordering: None }
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    pub(crate) fn ordered(self, ordering: crate::library::Ordering) -> Self {
        Self { ordering: Some(Rc::new(ordering)), ..self }
    }

    /// The next item.
    ///
    /// # Errors
    ///
    /// What making the item fails with; and [`ErrorKind::Value`] if it is asked for while it is being made.
    pub fn next(&self) -> Result<Option<Value>> {
        match self.next.try_borrow_mut() {
            Ok(mut next) => next.step(),
            Err(_) => Err(Error::new(ErrorKind::Value, "generator already executing")),
        }
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.next, &other.next)
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
    /// Goes through a collection; nothing for what is none. Dictionaries are collections of keys in the legacy dialect.
    pub fn items(&self, context: &Context) -> Option<Items> {
        let limit = context.machine().limits().items;
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
            Self::Iterator(items) => items.clone(),
            _ => return None,
        };
        Some(limited(items, limit))
    }

    /// The value with every iterator in it turned into a list, sets and views included if asked for.
    ///
    /// # Errors
    ///
    /// What making the items fails with.
    pub fn finalize(self, context: &Context) -> Result<Self> {
        finalize(self, context)
    }
}

fn finalize(value: Value, context: &Context) -> Result<Value> {
    context.machine().check_value(&value)?;
    if value.is_final() {
        return Ok(value);
    }
    let part = |value: &Value| grow(|| finalize(value.clone(), context));
    match &value {
        Value::List(items) => {
            context.machine().spend(items.len() as u64)?;
            items.iter().map(part).collect::<Result<Vec<_>>>().map(Value::list)
        }
        Value::Dict(entries) => {
            context.machine().spend(entries.len() as u64)?;
            let entries = entries.iter().map(|(key, value)| Ok((part(key)?, part(value)?)));
            entries.collect::<Result<Vec<_>>>().map(Value::dict)
        }
        _ => {
            let mut list = Vec::new();
            let items = value.items(context);
            while let Some(item) = items.as_ref().map_or(Ok(None), Items::next)? {
                context.machine().spend(1)?;
                list.push(part(&item)?);
            }
            context.machine().check_memory(list.len() as u64 * 8)?;
            Ok(Value::list(list))
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

fn limited(items: Items, limit: Option<usize>) -> Items {
    let Some(limit) = limit else {
        return items;
    };
    let ordering = items.ordering.clone();
    let mut count = 0;
    let limited = Items::nested(items.depth, move || {
        let item = items.next()?;
        count += usize::from(item.is_some());
        if count > limit {
            let message = format!("Collection length exceeds {limit} elements");
            return Err(Error::new(ErrorKind::CollectionTooLarge, message));
        }
        Ok(item)
    });
    Items { ordering, ..limited }
}
