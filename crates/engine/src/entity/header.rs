//! Where entities stand and what they are called.

use std::num::NonZeroU32;

use rustc_hash::FxHashMap;

use super::{Kind, Local};
use crate::ard::NodeId;
use crate::chunks::Chunks;
use crate::symbol::Symbol;

/// Where an entity stands and what it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Its name; [`Symbol::EMPTY`] if it has none.
    pub name: Symbol,
    /// The node of its name; if it has none, of the keyname that it is the value of; or else of its value.
    pub key: NodeId,
    /// The node of its value.
    pub node: NodeId,
    /// The entity that holds it; none for the root of a unit.
    pub owner: Option<Local>,
}

/// The headers of the entities of one kind of one unit.
#[derive(Debug, Default)]
pub(super) struct Headers {
    list: Chunks<Packed>,
    /// The keys that do not stand shortly before their values, by the numbers of the entities.
    far: FxHashMap<u32, NodeId>,
}

/// There are as many headers as entities, so they are packed.
#[derive(Clone, Copy, Debug)]
struct Packed {
    name: Symbol,
    node: NodeId,
    /// One more than the number of the owner among those of its kind.
    owner: Option<NonZeroU32>,
    kind_of_owner: Kind,
    /// How many nodes the key comes before the value, or [`FAR`](Self::FAR).
    key: u8,
}

const _: () = assert!(size_of::<Packed>() == 16, "there are as many as entities");

impl Packed {
    const FAR: u8 = u8::MAX;

    #[inline]
    fn owner(&self) -> Option<Local> {
        self.owner.map(|owner| Local { kind: self.kind_of_owner, index: owner.get() - 1 })
    }
}

impl Headers {
    pub(super) fn push(&mut self, header: Header) {
        let Header { name, key, node, owner } = header;
        let kind_of_owner = owner.map_or(Kind(0), |owner| owner.kind);
        let owner = owner.map(|owner| NonZeroU32::MIN.saturating_add(owner.index));
        let number = self.list.push(Packed { name, node, owner, kind_of_owner, key: 0 });
        self.set_key(number as u32, key);
    }

    fn set_key(&mut self, number: u32, key: NodeId) {
        let Some(packed) = self.list.get_mut(number as usize) else { return };
        let before = packed.node.index().checked_sub(key.index()).and_then(|before| u8::try_from(before).ok());
        packed.key = before.unwrap_or(Packed::FAR);
        if packed.key == Packed::FAR {
            self.far.insert(number, key);
        }
    }

    /// Gives an entity another name, which stands at a node.
    pub(super) fn rename(&mut self, number: u32, name: Symbol, key: NodeId) {
        if let Some(packed) = self.list.get_mut(number as usize) {
            packed.name = name;
            self.set_key(number, key);
        }
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> Option<Header> {
        let packed = self.list.get(number as usize)?;
        let Packed { name, node, key, .. } = *packed;
        let key = if key == Packed::FAR { *self.far.get(&number)? } else { node.before(u32::from(key)) };
        Some(Header { name, key, node, owner: packed.owner() })
    }

    /// The name of an entity alone.
    #[inline]
    pub(super) fn name(&self, number: u32) -> Option<Symbol> {
        Some(self.list.get(number as usize)?.name)
    }

    /// The owner of an entity alone.
    #[inline]
    pub(super) fn owner(&self, number: u32) -> Option<Local> {
        self.list.get(number as usize)?.owner()
    }

    pub(super) fn trim(&mut self) {
        self.list.trim();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_what_it_was() {
        let mut headers = Headers::default();
        let owner = |kind: u8, index: u32| Some(Local { kind: Kind(kind), index });
        let cases =
            [(0, 0, None), (1, 0, owner(0, 0)), (254, 0, owner(255, 7)), (255, 0, None), (9, 10, owner(3, 70_000))];
        let header = |(node, key, owner): (u32, u32, Option<Local>)| {
            let [node, key] = [node, key].map(NodeId::new);
            Header { name: Symbol::from_number(node.index() as u32), key, node, owner }
        };
        cases.into_iter().for_each(|case| headers.push(header(case)));
        for (case, number) in cases.into_iter().zip(0..) {
            let expected = header(case);
            assert_eq!(headers.get(number), Some(expected));
            assert_eq!((headers.name(number), headers.owner(number)), (Some(expected.name), expected.owner));
        }
        headers.rename(1, Symbol::EMPTY, NodeId::new(300));
        let renamed = Header { name: Symbol::EMPTY, key: NodeId::new(300), ..header(cases[1]) };
        assert_eq!((headers.get(1), headers.get(5)), (Some(renamed), None));
    }
}
