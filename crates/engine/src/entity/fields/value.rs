//! Values: raw data that a language interprets when their purpose is known.

use super::super::{Field, FieldDescription, Inherit, NodeRef, Shape, Shaped, downcast};
use super::scalar::{copy, overwrite};
use crate::ard::{Kind as NodeKind, Node};
use crate::phase::Context;
use crate::phase::inheritance::{Completion, InheritedField, InheritingField};
use crate::phase::read::Reader;
use crate::phase::rendering::RenderedField;

/// Any value. Only its position is stored; the value remains in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value(pub NodeRef);

impl Shaped for Option<Value> {
    const SHAPE: Shape = Shape::Value;
    const NULLABLE: bool = true;
}

impl Field for Option<Value> {
    fn is_set(&self) -> bool {
        self.is_some()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        *self = Some(Value(reader.position(node)));
        reader.read_value(node, field);
        reader.read_as(node, field);
    }

    fn inherit(&mut self, completion: &mut Completion<'_>, site: &InheritingField<'_>, sources: &[InheritedField<'_>]) {
        let mut inherited = sources.iter().filter_map(|source| *downcast::<Self>(source.field)?);
        let Some(own) = *self else {
            *self = inherited.next();
            return;
        };
        if site.inherit == Inherit::Fixed
            && let Some(inherited) = inherited.find(|inherited| !completion.same_data(own.0, inherited.0))
        {
            completion.changed_fixed(site, own.0, inherited.0);
        }
    }

    fn visit_data(&self, visit: &mut dyn FnMut(NodeRef)) {
        self.iter().for_each(|value| visit(value.0));
    }

    fn copy_from(&mut self, other: &dyn Field) {
        copy(self, other);
    }
}

/// A map of names to values. Only its position is stored; the map remains in the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// The position of the map.
    pub position: Option<NodeRef>,
    /// The position of the copied map, which supplies the names that this map does not have.
    pub copied: Option<NodeRef>,
}

impl Values {
    /// Returns the positions of both maps, nearest first.
    pub fn positions(self) -> impl DoubleEndedIterator<Item = NodeRef> {
        [self.position, self.copied].into_iter().flatten()
    }
}

impl Shaped for Values {
    const SHAPE: Shape = Shape::Values;
}

impl Field for Values {
    fn is_set(&self) -> bool {
        self.position.is_some()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        if node.kind() != NodeKind::Map {
            reader.wrong_kind(node, &field.title(reader.version()), "a map");
            return;
        }
        for entry in node.entries() {
            reader.name(entry.key);
            reader.read_value(entry.value, field);
        }
        self.position = Some(reader.position(node));
    }

    fn inherit(&mut self, _: &mut Completion<'_>, _: &InheritingField<'_>, sources: &[InheritedField<'_>]) {
        overwrite(self, sources);
    }

    fn assign(&self, context: &mut Context<'_>, site: &RenderedField<'_>) {
        site.values(context, *self);
    }

    fn visit_data(&self, visit: &mut dyn FnMut(NodeRef)) {
        self.positions().for_each(visit);
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if self.is_set() {
            self.copied = downcast::<Self>(other).and_then(|other| other.position);
        } else {
            copy(self, other);
        }
    }
}
