//! The names of a unit that must be looked up.

use crate::ard::NodeId;
use crate::chunks::Chunks;
use crate::entity::{FieldDescription, Kind, Local};
use crate::symbol::Symbol;

/// A name that must be looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReferenceSite {
    pub(crate) name: Symbol,
    pub(crate) node: NodeId,
    pub(crate) field: &'static FieldDescription,
    pub(crate) owner: Local,
}

/// All names of a unit that must be looked up, in the order in which they were read.
#[derive(Debug, Default)]
pub(crate) struct ReferenceSites {
    list: Chunks<Packed>,
    /// The fields that hold them, each once.
    fields: Vec<&'static FieldDescription>,
}

/// There may be more names than entities, so they are packed.
#[derive(Clone, Copy, Debug)]
struct Packed {
    name: Symbol,
    node: NodeId,
    owner: u32,
    kind_of_owner: Kind,
    /// The place of the field among those of the unit.
    field: u16,
}

const _: () = assert!(size_of::<Packed>() == 16, "there may be more than entities");

impl ReferenceSites {
    /// Adds a name, and returns its number.
    pub(super) fn push(&mut self, site: ReferenceSite) -> u32 {
        let ReferenceSite { name, node, field, owner: Local { kind: kind_of_owner, index: owner } } = site;
        let field = self.number_of_field(field);
        self.list.push(Packed { name, node, owner, kind_of_owner, field }) as u32
    }

    fn number_of_field(&mut self, field: &'static FieldDescription) -> u16 {
        // A language has some hundred fields at most.
        let known = self.fields.iter().position(|known| std::ptr::eq(*known, field));
        known.unwrap_or_else(|| {
            self.fields.push(field);
            self.fields.len() - 1
        }) as u16
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn get(&self, number: u32) -> Option<ReferenceSite> {
        self.list.get(number as usize).map(|packed| self.unpacked(packed))
    }

    /// The names by their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ReferenceSite> {
        self.list.iter().map(|packed| self.unpacked(packed))
    }

    fn unpacked(&self, packed: &Packed) -> ReferenceSite {
        let Packed { name, node, owner: index, kind_of_owner: kind, field } = *packed;
        ReferenceSite { name, node, field: self.fields[usize::from(field)], owner: Local { kind, index } }
    }

    pub(super) fn trim(&mut self) {
        self.list.trim();
    }
}
