//! Descendants of classes in all packages.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use foldhash::HashMap;
use rustc_hash::FxHashMap;
use tosca_parse_yaql::Result;

use crate::class::{Class, PropertyUsage};
use crate::runtime::Runtime;

/// An index of classes by their ancestors, made on first use.
#[derive(Default)]
pub(crate) struct Below {
    classes: OnceCell<FxHashMap<*const Class, Vec<Rc<Class>>>>,
    optional: RefCell<HashMap<(*const Class, String), bool>>,
}

impl Below {
    /// Returns the class and its descendants.
    fn classes(&self, runtime: &Runtime, class: &Class) -> Result<&[Rc<Class>]> {
        if self.classes.get().is_none() {
            let mut classes: FxHashMap<_, Vec<_>> = FxHashMap::default();
            for package in runtime.packages() {
                for name in package.class_names() {
                    runtime.meter().spend(1)?;
                    let Ok(descendant) = runtime.find_class(package.origin.index, name) else { continue };
                    for ancestor in descendant.lineage().chain(descendant.replaced()) {
                        classes.entry(Rc::as_ptr(&ancestor)).or_default().push(descendant.clone());
                    }
                }
            }
            let _ = self.classes.set(classes);
        }
        let found = self.classes.get().and_then(|classes| classes.get(&std::ptr::from_ref(class)));
        Ok(found.map_or(&[], Vec::as_slice))
    }

    /// Returns whether objects of a class or of a descendant need no value for a property, because the descendant has a
    /// default for it or does not read it.
    pub(super) fn is_optional(&self, runtime: &Runtime, class: &Rc<Class>, name: &str) -> Result<bool> {
        let key = (Rc::as_ptr(class), name.to_owned());
        if let Some(known) = self.optional.borrow().get(&key) {
            return Ok(*known);
        }
        let mut is_optional = false;
        for descendant in self.classes(runtime, class)? {
            runtime.meter().spend(1)?;
            let Ok(Some((_, property))) = descendant.find_property(name) else { continue };
            let is_read = matches!(property.usage, PropertyUsage::In | PropertyUsage::InOut | PropertyUsage::Const);
            is_optional = !is_read || property.default.as_ref().is_some_and(|default| !default.is_null());
            if is_optional {
                break;
            }
        }
        self.optional.borrow_mut().insert(key, is_optional);
        Ok(is_optional)
    }
}
