//! Entities that entities hold: one, a list, or named ones.

use std::fmt;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::super::{AnyId, Entity, Field, FieldDescription, Id, Inherit, Local, Role, Shape, Shaped, downcast};
use super::scalar::{copy, overwrite};
use crate::ard::{Kind as NodeKind, Node};
use crate::phase::Context;
use crate::phase::inheritance::{Candidate, Completion, FEW_SOURCES, Giver, Inherited, Site};
use crate::phase::read::Reader;
use crate::phase::rendering::Assigning;
use crate::rules;
use crate::shared_map::SharedMap;
use crate::symbol::Symbol;

/// At most one entity.
pub struct Child<E>(pub Option<Id<E>>);

/// Entities without names.
pub struct Children<E> {
    /// The entities.
    pub items: ThinVec<Id<E>>,
    given: bool,
}

/// Named entities; each name once.
pub struct Members<E> {
    entries: Entries<E>,
    given: bool,
}

/// Named entities in their order; a name may occur more than once. Where keys may be lists, those that are have no name.
pub struct Sequence<E> {
    /// The names and entities.
    pub items: ThinVec<(Symbol, Id<E>)>,
    given: bool,
}

/// Few members are searched and copied faster than any tree would be; a type with a long ancestry shares a tree with
/// its parent instead.
enum Entries<E> {
    List(Vec<Member<E>>),
    /// In a box, since nearly all members are a list, and every entity has some.
    Tree(Box<Tree<E>>),
}

/// Many members.
struct Tree<E> {
    members: SharedMap<(u32, Id<E>)>,
    /// The names in order, once somebody has asked. In a long ancestry this is the only thing that each type has
    /// for itself, so it must be small.
    ordered: OnceLock<Box<[Symbol]>>,
}

type Member<E> = (Symbol, Id<E>);

/// How many members are read to find out how much there is to come of many.
const SAMPLE: usize = 1000;

/// The number of members above which they are shared rather than copied.
const FEW: usize = 32;

impl<E> Members<E> {
    /// The member with the given name.
    pub fn get(&self, name: Symbol) -> Option<Id<E>> {
        match &self.entries {
            Entries::List(list) => list.iter().find(|(member, _)| *member == name).map(|(_, id)| *id),
            Entries::Tree(tree) => tree.members.get(key(name)).map(|(_, id)| *id),
        }
    }

    /// The members in order: inherited ones first, then one's own as they are written.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, Id<E>)> {
        let (list, tree) = match &self.entries {
            Entries::List(list) => (&list[..], None),
            Entries::Tree(tree) => (&[][..], Some(&**tree)),
        };
        let of_tree = tree.into_iter().flat_map(|tree| {
            let member = |name: &Symbol| Some((*name, tree.members.get(key(*name))?.1));
            tree.ordered.get_or_init(|| in_order(&tree.members)).iter().filter_map(member)
        });
        list.iter().copied().chain(of_tree)
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        match &self.entries {
            Entries::List(list) => list.len(),
            Entries::Tree(tree) => tree.members.len(),
        }
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A copy with room for more members.
    fn clone_for(&self, more: usize) -> Self {
        match &self.entries {
            Entries::List(list) => {
                let mut copy = Vec::with_capacity(list.len() + more);
                copy.extend_from_slice(list);
                Self { entries: Entries::List(copy), given: self.given }
            }
            Entries::Tree(_) => self.clone(),
        }
    }

    /// Adds a member, or replaces the one of the same name in its place.
    fn insert(&mut self, name: Symbol, id: Id<E>) {
        match &mut self.entries {
            Entries::List(list) => {
                if let Some(entry) = list.iter_mut().find(|(member, _)| *member == name) {
                    entry.1 = id;
                    return;
                }
                list.push((name, id));
                self.settle();
            }
            Entries::Tree(tree) => {
                let Tree { members, ordered } = &mut **tree;
                let order = members.get(key(name)).map_or(members.len() as u32, |(order, _)| *order);
                members.insert(key(name), (order, id));
                *ordered = OnceLock::new();
            }
        }
    }

    /// Chooses the representation that fits the number of members.
    fn settle(&mut self) {
        if let Entries::List(list) = &self.entries
            && list.len() > FEW
        {
            let members = list.iter().zip(0..).map(|((name, id), order)| (key(*name), (order, *id)));
            let members = SharedMap::from_entries(members.collect());
            self.entries = Entries::Tree(Box::new(Tree { members, ordered: OnceLock::new() }));
        }
    }

    /// The names for which another field has another member.
    fn differing(&self, other: &Self) -> Vec<Symbol> {
        if let (Entries::Tree(tree), Entries::Tree(others)) = (&self.entries, &other.entries) {
            let differing =
                tree.members.differing_from(&others.members).filter(|(_, (_, one), (_, other))| one != other);
            return differing.map(|(key, ..)| symbol(key)).collect();
        }
        let differs = |(name, id): &(Symbol, Id<E>)| other.get(*name).is_some_and(|other| other != *id);
        self.iter().filter(differs).map(|(name, _)| name).collect()
    }

    /// Adds the members of another field that this one does not have.
    fn extend(&mut self, other: &Self) {
        if let (Entries::Tree(tree), Entries::Tree(others)) = (&self.entries, &other.entries) {
            let mut missing: Vec<_> =
                others.members.missing_in(&tree.members).map(|(key, (order, id))| (*order, symbol(key), *id)).collect();
            missing.sort_unstable_by_key(|(order, ..)| *order);
            missing.into_iter().for_each(|(_, name, id)| self.insert(name, id));
        } else {
            for (name, id) in other.iter() {
                if self.get(name).is_none() {
                    self.insert(name, id);
                }
            }
        }
    }
}

fn in_order<E>(members: &SharedMap<(u32, Id<E>)>) -> Box<[Symbol]> {
    let mut names: Vec<(u32, Symbol)> = members.iter().map(|(key, (order, _))| (*order, symbol(key))).collect();
    names.sort_unstable_by_key(|(order, _)| *order);
    names.into_iter().map(|(_, name)| name).collect()
}

fn key(name: Symbol) -> u64 {
    u64::from(name.number())
}

fn symbol(key: u64) -> Symbol {
    Symbol::from_number(key as u32)
}

impl<E: Entity> Members<E> {
    fn read_member(
        &mut self,
        reader: &mut Reader<'_>,
        key: Node<'_>,
        value: Node<'_>,
        field: &'static FieldDescription,
    ) {
        let Some(name) = reader.name(key) else { return };
        let language = reader.language();
        let known_as = (language.member_name)(E::KIND, reader.version(), key.text());
        let name = known_as.map_or(name, |known_as| reader.interner().intern(known_as));
        let id = reader.entity::<E>(Some((name, key)), value, field.members_short);
        if let Some(section) = field.section {
            reader.declare(section, name, id.any());
        }
        // While it is read, a field is a list however long it is: nothing searches it.
        match &mut self.entries {
            Entries::List(list) => list.push((name, id)),
            Entries::Tree(_) => self.insert(name, id),
        }
    }

    /// Which member of each name wins, where several parents have different ones.
    fn winners(
        &self,
        completion: &mut Completion<'_>,
        site: &Site<'_>,
        sources: &[(&Giver<'_>, &Self)],
    ) -> FxHashMap<Symbol, Id<E>> {
        let mut winners = FxHashMap::default();
        if sources.len() < 2 {
            return winners;
        }
        let parents: Vec<_> = sources.iter().filter(|(source, _)| source.role == Role::Parent).collect();
        for (number, (_, later)) in parents.iter().enumerate() {
            for name in parents[..number].iter().flat_map(|(_, earlier)| later.differing(earlier)) {
                if winners.contains_key(&name) {
                    continue;
                }
                let mut members: Vec<Id<E>> = Vec::new();
                let mut candidates: Vec<Candidate> = Vec::new();
                for (source, id) in parents.iter().filter_map(|(source, members)| Some((source, members.get(name)?))) {
                    if !members.contains(&id) {
                        let declared_in = completion.type_of(id.any());
                        members.push(id);
                        candidates.push(Candidate { parent: source.id, member: id.any(), declared_in });
                    }
                }
                let winner = completion.winner(site, name, &candidates, self.get(name).is_some());
                winners.insert(name, members[winner]);
            }
        }
        winners
    }

    /// Reports names that a list gives twice. In a map they are duplicate keys, which have been reported.
    fn check_unique(&self, reader: &mut Reader<'_>) {
        let mut seen = FxHashMap::default();
        for (name, id) in self.iter() {
            if let Some(first) = seen.insert(name, id) {
                reader.duplicate_name(id.any().local(), first.any().local());
                seen.insert(name, first);
            }
        }
    }
}

impl<E: Entity> Shaped for Members<E> {
    const SHAPE: Shape = Shape::Named(|| E::default().description());
}

impl<E: Entity> Field for Members<E> {
    fn is_set(&self) -> bool {
        self.given
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        self.given = true;
        let named = reader.named(node, field);
        let has_duplicates = named.len() < node.len();
        if let Entries::List(list) = &mut self.entries {
            list.reserve_exact(named.len());
        }
        let progress = (named.len() > 2 * SAMPLE).then(|| reader.progress(node));
        let last = named.last().map(|(key, _)| *key);
        for (number, (key, value)) in named.into_iter().enumerate() {
            if let (SAMPLE, Some(progress), Some(last)) = (number, &progress, last) {
                reader.make_room(progress, key, last);
            }
            self.read_member(reader, key, value, field);
        }
        if field.sequenced {
            self.check_unique(reader);
        }
        self.settle();
        if !has_duplicates {
            return;
        }
        // What is said of a name for the second time is lost.
        for key in node.entries().filter(|entry| entry.duplicate).map(|entry| entry.key) {
            if let Some(member) = key.symbol().and_then(|name| self.get(name)) {
                reader.lose_part(member.any());
            }
        }
    }

    fn read_entry(
        &mut self,
        reader: &mut Reader<'_>,
        key: Node<'_>,
        value: Node<'_>,
        field: &'static FieldDescription,
    ) {
        self.given = true;
        self.read_member(reader, key, value, field);
        self.settle();
    }

    fn inherit(&mut self, completion: &mut Completion<'_>, site: &Site<'_>, sources: &[Inherited<'_>]) {
        let mut sources: SmallVec<[(&Giver<'_>, &Self); FEW_SOURCES]> =
            sources.iter().filter_map(|source| Some((source.source, downcast::<Self>(source.field)?))).collect();
        let winners = self.winners(completion, site, &sources);
        for (name, own) in self.iter() {
            let mut inherited: SmallVec<[(&Giver<'_>, Id<E>); FEW_SOURCES]> =
                sources.iter().filter_map(|(source, members)| Some((*source, members.get(name)?))).collect();
            if let Some(winner) = winners.get(&name) {
                let number = inherited.iter().position(|(_, id)| id == winner).unwrap_or_default();
                inherited[..=number].rotate_right(1);
            }
            match site.inherit {
                Inherit::Refine if inherited.is_empty() && !sources.is_empty() && completion.is_closed(site) => {
                    let names = sources.iter().flat_map(|(_, members)| members.iter().map(|(name, _)| name));
                    let of_type = sources.iter().find(|(source, _)| source.role == Role::Definition);
                    let of_type = of_type.or(sources.first()).map(|(source, _)| source.id);
                    completion.not_in_definition(site, own.any(), of_type, || names.collect());
                    // What it lacks it would have from what it refines.
                    continue;
                }
                Inherit::Extend => {
                    if let Some((_, inherited)) = inherited.first() {
                        completion.given_again(site, own.any(), inherited.any());
                    }
                }
                _ => {}
            }
            if site.inherit == Inherit::Refine {
                completion.complete_child(own, &inherited);
            }
        }
        sources.retain(|(_, members)| !members.is_empty());
        let Some(((_, nearest), others)) = sources.split_first() else { return };
        let mut members = nearest.clone_for(self.len());
        others.iter().for_each(|(_, members_of)| members.extend(members_of));
        winners.iter().for_each(|(name, id)| members.insert(*name, *id));
        self.iter().for_each(|(name, id)| members.insert(name, id));
        members.given |= self.given;
        *self = members;
    }

    fn assign(&self, context: &mut Context<'_>, site: &Assigning<'_>) {
        site.members(context, self);
    }

    fn copy_from(&mut self, other: &dyn Field) {
        match downcast::<Self>(other) {
            Some(other) if self.is_set() => self.extend(other),
            _ => copy(self, other),
        }
    }

    fn visit_children(&self, visit: &mut dyn FnMut(AnyId)) {
        self.iter().for_each(|(_, id)| visit(id.any()));
    }
}

impl<E: Entity> Shaped for Sequence<E> {
    const SHAPE: Shape = Shape::Sequence(|| E::default().description());
}

impl<E: Entity> Field for Sequence<E> {
    fn is_set(&self) -> bool {
        self.given
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        self.given = true;
        let named = reader.named(node, field);
        self.items.reserve_exact(named.len());
        for (key, value) in named {
            let is_list = field.list_keys && key.kind() == NodeKind::List;
            let Some(name) = Some(Symbol::EMPTY).filter(|_| is_list).or_else(|| reader.name(key)) else { continue };
            let id = reader.entity::<E>(Some((name, key)), value, field.members_short);
            if let Some(section) = field.section {
                reader.declare(section, name, id.any());
            }
            self.items.push((name, id));
        }
    }

    fn inherit(&mut self, _: &mut Completion<'_>, _: &Site<'_>, sources: &[Inherited<'_>]) {
        overwrite(self, sources);
    }

    fn copy_from(&mut self, other: &dyn Field) {
        copy(self, other);
    }

    fn visit_children(&self, visit: &mut dyn FnMut(AnyId)) {
        self.items.iter().for_each(|(_, id)| visit(id.any()));
    }
}

impl<E: Entity> Shaped for Child<E> {
    const SHAPE: Shape = Shape::One(|| E::default().description());
}

impl<E: Entity> Field for Child<E> {
    fn is_set(&self) -> bool {
        self.0.is_some()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        self.0 = Some(reader.entity::<E>(None, node, field.members_short));
    }

    fn inherit(&mut self, completion: &mut Completion<'_>, site: &Site<'_>, sources: &[Inherited<'_>]) {
        let inherited: Vec<(&Giver<'_>, Id<E>)> =
            sources.iter().filter_map(|source| Some((source.source, downcast::<Self>(source.field)?.0?))).collect();
        match self.0 {
            Some(own) if site.inherit == Inherit::Refine => completion.complete_child(own, &inherited),
            Some(_) => {}
            None => self.0 = inherited.first().map(|(_, id)| *id),
        }
    }

    fn copy_from(&mut self, other: &dyn Field) {
        copy(self, other);
    }

    fn visit_children(&self, visit: &mut dyn FnMut(AnyId)) {
        self.0.iter().for_each(|id| visit(id.any()));
    }
}

impl<E> Children<E> {
    /// Whether there is no entity.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<E: Entity> Shaped for Children<E> {
    const SHAPE: Shape = Shape::List(|| E::default().description());
}

impl<E: Entity> Field for Children<E> {
    fn is_set(&self) -> bool {
        self.given
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        self.given = true;
        let items = reader.items(node, field);
        self.items.reserve_exact(items.len());
        for item in items {
            self.items.push(reader.entity::<E>(None, item, field.members_short));
        }
    }

    fn inherit(&mut self, _: &mut Completion<'_>, _: &Site<'_>, sources: &[Inherited<'_>]) {
        overwrite(self, sources);
    }

    fn copy_from(&mut self, other: &dyn Field) {
        copy(self, other);
    }

    fn visit_children(&self, visit: &mut dyn FnMut(AnyId)) {
        self.items.iter().for_each(|id| visit(id.any()));
    }
}

impl<E> Default for Child<E> {
    fn default() -> Self {
        Self(None)
    }
}

impl<E> Clone for Child<E> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<E> fmt::Debug for Child<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<E> Default for Children<E> {
    fn default() -> Self {
        Self { items: ThinVec::new(), given: false }
    }
}

impl<E> Clone for Children<E> {
    fn clone(&self) -> Self {
        Self { items: self.items.clone(), given: self.given }
    }
}

impl<E> fmt::Debug for Children<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}

impl<E> Default for Members<E> {
    fn default() -> Self {
        Self { entries: Entries::List(Vec::new()), given: false }
    }
}

impl<E> Clone for Members<E> {
    fn clone(&self) -> Self {
        let entries = match &self.entries {
            Entries::List(list) => Entries::List(list.clone()),
            Entries::Tree(tree) => {
                let Tree { members, ordered } = &**tree;
                Entries::Tree(Box::new(Tree { members: members.clone(), ordered: ordered.clone() }))
            }
        };
        Self { entries, given: self.given }
    }
}

impl<E> fmt::Debug for Members<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<E> Default for Sequence<E> {
    fn default() -> Self {
        Self { items: ThinVec::new(), given: false }
    }
}

impl<E> Clone for Sequence<E> {
    fn clone(&self) -> Self {
        Self { items: self.items.clone(), given: self.given }
    }
}

impl<E> fmt::Debug for Sequence<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}

impl Reader<'_> {
    /// Reports a name that a list of named entities gives twice.
    fn duplicate_name(&mut self, second: Local, first: Local) {
        let title = self.language().kinds[usize::from(second.kind.0)].description().title;
        let (Some(second), Some(first)) = (self.header(second), self.header(first)) else { return };
        let message = format!("{title} `{}` is given twice", self.interner().text(second.name));
        self.problem(&rules::DUPLICATE_NAME, self.document().node(second.key), message)
            .related_node(first.key, "first given here")
            .help("give one of them another name, or make one entry of both");
    }
}
