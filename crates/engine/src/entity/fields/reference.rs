//! References: names that the namespace phase looks up.

use std::fmt;
use std::marker::PhantomData;

use super::super::{Entity, Field, FieldDescription, Id, Inherit, Shape, Shaped, downcast};
use super::List;
use super::scalar::{copy, overwrite};
use crate::ard::{Kind, Node};
use crate::diagnostic::SourceId;
use crate::phase::inheritance::{Completion, InheritedField, InheritingField};
use crate::phase::namespace::ReferenceResolver;
use crate::phase::read::Reader;
use crate::symbol::Symbol;

/// A name with its position. Its target is known after the namespace phase; see [`ReferenceResolver`].
///
/// `T` is the type of the target; `()` if it can be of several kinds.
pub struct Reference<T> {
    /// The unit that contains the name.
    pub unit: SourceId,
    /// The index of the reference among those in the unit.
    pub number: u32,
    /// The name.
    pub name: Symbol,
    target: PhantomData<fn() -> T>,
}

impl<T> Clone for Reference<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Reference<T> {}

impl<T> PartialEq for Reference<T> {
    fn eq(&self, other: &Self) -> bool {
        self.unit == other.unit && self.number == other.number
    }
}

impl<T> Eq for Reference<T> {}

impl<T> fmt::Debug for Reference<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reference({}:{})", self.unit.0, self.number)
    }
}

impl<T> Reference<T> {
    pub(crate) const fn new(unit: SourceId, number: u32, name: Symbol) -> Self {
        Self { unit, number, name, target: PhantomData }
    }

    /// Returns the reference without the type of its target.
    pub const fn erased(self) -> Reference<()> {
        Reference::new(self.unit, self.number, self.name)
    }
}

impl<T: Entity> Reference<T> {
    /// Returns the target; `None` if the name is unknown.
    pub fn target(self, targets: &impl ReferenceResolver) -> Option<Id<T>> {
        targets.target(self.erased())?.cast()
    }
}

impl<T: 'static> Shaped for Option<Reference<T>> {
    const SHAPE: Shape = Shape::Reference;
}

impl<T: 'static> Field for Option<Reference<T>> {
    fn is_set(&self) -> bool {
        self.is_some()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        *self = reader.reference(node, field);
    }

    fn inherit(&mut self, completion: &mut Completion<'_>, site: &InheritingField<'_>, sources: &[InheritedField<'_>]) {
        let Some(own) = self else {
            *self = sources.iter().find_map(|source| *downcast::<Self>(source.field)?);
            return;
        };
        for source in InheritedField::measures(sources) {
            let Some(base) = downcast::<Self>(source.field).and_then(|base| *base) else { continue };
            match site.inherit {
                Inherit::Narrow => completion.check_narrower(site, own.erased(), &[base.erased()], source),
                Inherit::Fixed => completion.check_same_target(site, own.erased(), base.erased()),
                _ => {}
            }
        }
    }

    fn copy_from(&mut self, other: &dyn Field) {
        copy(self, other);
    }

    fn visit_references(&self, visit: &mut dyn FnMut(Reference<()>)) {
        self.iter().for_each(|reference| visit(reference.erased()));
    }
}

/// A list of names with their positions.
pub type References<T> = List<Reference<T>>;

impl<T: 'static> Shaped for References<T> {
    const SHAPE: Shape = Shape::References;
}

impl<T: 'static> Field for References<T> {
    fn is_set(&self) -> bool {
        self.is_given()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        let is_given = node.kind() == Kind::List || field.takes_one(reader.version());
        let items = reader.items(node, field);
        if is_given {
            *self = items.into_iter().filter_map(|item| reader.reference(item, field)).collect();
        }
    }

    fn inherit(&mut self, completion: &mut Completion<'_>, site: &InheritingField<'_>, sources: &[InheritedField<'_>]) {
        if self.is_set() && site.inherit == Inherit::Narrow {
            for source in InheritedField::measures(sources) {
                let Some(base) = downcast::<Self>(source.field).filter(|base| base.is_set()) else { continue };
                let bases: Vec<_> = base.iter().map(|item| item.erased()).collect();
                for own in &*self {
                    completion.check_narrower(site, own.erased(), &bases, source);
                }
            }
        }
        overwrite(self, sources);
    }

    fn copy_from(&mut self, other: &dyn Field) {
        copy(self, other);
    }

    fn visit_references(&self, visit: &mut dyn FnMut(Reference<()>)) {
        self.iter().for_each(|reference| visit(reference.erased()));
    }
}
