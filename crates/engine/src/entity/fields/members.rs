//! Child entities: a single one, a list, or named ones.

use std::fmt;
use std::sync::OnceLock;

use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use triomphe::ThinArc;

use super::super::{AnyId, Entity, Field, FieldDescription, Id, Inherit, LocalId, Role, Shape, Shaped, downcast};
use super::List;
use super::scalar::{copy, overwrite};
use crate::ard::{Kind as NodeKind, Node};
use crate::phase::Context;
use crate::phase::inheritance::{
    Candidate, Completion, FEW_SOURCES, InheritanceSource, InheritedField, InheritingField,
};
use crate::phase::read::Reader;
use crate::phase::rendering::RenderedField;
use crate::rules;
use crate::shared_map::SharedMap;
use crate::symbol::Symbol;

/// At most one entity.
pub type Child<E> = Option<Id<E>>;

/// Unnamed entities.
pub type Children<E> = List<Id<E>>;

/// Named entities with distinct names.
///
/// Copies share their members, so an entity that inherits members without adding any shares them with its parent. The
/// content is `None` if the field is not given, as in most cases, and empty if the source contains an empty map.
pub struct Members<E>(Option<Held<E>>);

/// The members: a list, or a tree in its place if there are many.
type Held<E> = ThinArc<Option<Box<Tree<E>>>, Member<E>>;

/// Named entities in order; names may be repeated. An entity whose key is a list has no name.
pub type Sequence<E> = List<(Symbol, Id<E>)>;

/// Members under construction. A short list is searched and copied faster than any tree. With many members, a tree is
/// used instead, most of which a type can share with its parent.
enum Draft<E> {
    List(Vec<Member<E>>),
    Tree(Tree<E>),
}

/// A large number of members.
struct Tree<E> {
    members: SharedMap<(u32, Id<E>)>,
    /// The members in order, computed on demand.
    ordered: OnceLock<Ordered<E>>,
}

/// A large number of members, in order.
enum Ordered<E> {
    /// The members as they were read. The size of the source limits their number.
    Read(Box<[Member<E>]>),
    /// The names of the members. In a long ancestry, only this list is not shared between types, so it must be small.
    Made(Box<[Symbol]>),
}

impl<E> Ordered<E> {
    fn of(members: &SharedMap<(u32, Id<E>)>) -> Self {
        let mut names: Vec<(u32, Symbol)> = members.iter().map(|(key, (order, _))| (*order, symbol(key))).collect();
        names.sort_unstable_by_key(|(order, _)| *order);
        Self::Made(names.into_iter().map(|(_, name)| name).collect())
    }
}

type Member<E> = (Symbol, Id<E>);

/// The maximum number of members that are copied; more members are shared.
const MAX_LIST: usize = 32;

impl<E> Draft<E> {
    /// Adds a member, or replaces the member with the same name, keeping its position.
    fn insert(&mut self, name: Symbol, id: Id<E>) {
        match self {
            Self::List(list) => match list.iter_mut().find(|(member, _)| *member == name) {
                Some(entry) => entry.1 = id,
                None => self.push(name, id),
            },
            Self::Tree(tree) => tree.insert(name, id),
        }
    }

    fn has(&self, name: Symbol) -> bool {
        match self {
            Self::List(list) => list.iter().any(|(member, _)| *member == name),
            Self::Tree(tree) => tree.members.contains(key(name)),
        }
    }

    /// Adds a member with a new name.
    fn push(&mut self, name: Symbol, id: Id<E>) {
        match self {
            Self::List(list) if list.len() < MAX_LIST => list.push((name, id)),
            Self::List(list) => {
                let mut tree = Tree::of(list);
                tree.insert(name, id);
                *self = Self::Tree(tree);
            }
            Self::Tree(tree) => tree.insert(name, id),
        }
    }

    fn into_tree(self) -> Tree<E> {
        match self {
            Self::List(list) => Tree::of(&list),
            Self::Tree(tree) => tree,
        }
    }

    fn finish(self) -> Members<E> {
        match self {
            Self::List(list) => Members::of_list(&list),
            Self::Tree(tree) => Members(Some(ThinArc::from_header_and_slice(Some(Box::new(tree)), &[]))),
        }
    }
}

impl<E> Tree<E> {
    fn of(list: &[Member<E>]) -> Self {
        let members = list.iter().zip(0..).map(|((name, id), order)| (key(*name), (order, *id)));
        Self { members: SharedMap::from_entries(members.collect()), ordered: OnceLock::new() }
    }

    /// Adds the members that have new names.
    fn add(&mut self, members: &[Member<E>]) {
        let first = self.members.len() as u32;
        let entries = members.iter().zip(first..).map(|((name, id), order)| (key(*name), (order, *id)));
        self.members.merge(&SharedMap::from_entries(entries.collect()), &mut |_, known, _| *known);
        self.ordered = OnceLock::new();
    }

    fn insert(&mut self, name: Symbol, id: Id<E>) {
        let order = self.members.get(key(name)).map_or(self.members.len() as u32, |(order, _)| *order);
        self.members.insert(key(name), (order, id));
        self.ordered = OnceLock::new();
    }
}

impl<E> Members<E> {
    /// Creates members from a list, without a tree.
    fn of_list(list: &[Member<E>]) -> Self {
        Self(Some(ThinArc::from_header_and_slice(None, list)))
    }

    /// Creates members from the given ones, which were read: a tree if there are many.
    fn of_read(members: impl ExactSizeIterator<Item = Member<E>>) -> Self {
        if members.len() > MAX_LIST {
            let list: Vec<Member<E>> = members.collect();
            let mut tree = Tree::of(&list);
            // The list may contain a name twice.
            if tree.members.len() == list.len() {
                tree.ordered = Ordered::Read(list.into()).into();
            }
            return Draft::Tree(tree).finish();
        }
        Self(Some(ThinArc::from_header_and_iter(None, members)))
    }

    /// Returns the members, where `winners` replace members with the same name, and `own` members replace both.
    fn laid_over(&self, winners: &FxHashMap<Symbol, Id<E>>, own: &Self) -> Self {
        let mut draft = self.draft_for(own.len());
        winners.iter().for_each(|(name, id)| draft.insert(*name, *id));
        own.iter().for_each(|(name, id)| draft.insert(name, id));
        draft.finish()
    }

    /// Returns the list, if there is one.
    fn list(&self) -> &[Member<E>] {
        self.0.as_ref().map_or(&[], |held| &held.slice)
    }

    /// Returns the tree, if there is one.
    fn tree(&self) -> Option<&Tree<E>> {
        self.0.as_ref()?.header.header.as_deref()
    }

    /// Returns a copy that has capacity for `more` members.
    fn draft_for(&self, more: usize) -> Draft<E> {
        if let Some(tree) = self.tree() {
            return Draft::Tree(Tree { members: tree.members.clone(), ordered: OnceLock::new() });
        }
        let mut list = Vec::with_capacity(self.list().len() + more);
        list.extend_from_slice(self.list());
        Draft::List(list)
    }

    /// Returns the member with the given name.
    pub fn get(&self, name: Symbol) -> Option<Id<E>> {
        match self.tree() {
            Some(tree) => tree.members.get(key(name)).map(|(_, id)| *id),
            None => self.list().iter().find(|(member, _)| *member == name).map(|(_, id)| *id),
        }
    }

    /// Returns the members in order: first the inherited members, then the entity's own members in source order.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, Id<E>)> {
        let tree = self.tree();
        let (read, made): (&[Member<E>], &[Symbol]) =
            match tree.map(|tree| tree.ordered.get_or_init(|| Ordered::of(&tree.members))) {
                Some(Ordered::Read(members)) => (members, &[]),
                Some(Ordered::Made(names)) => (&[], names),
                None => (self.list(), &[]),
            };
        let member = move |name: &Symbol| Some((*name, tree?.members.get(key(*name))?.1));
        read.iter().copied().chain(made.iter().filter_map(member))
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.tree().map_or(self.list().len(), |tree| tree.members.len())
    }

    /// Returns whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether `other` shares these members.
    fn is_shared_with(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(held), Some(others)) => held.ptr() == others.ptr(),
            _ => false,
        }
    }

    /// Returns the names for which `other` has a different member.
    fn differing(&self, other: &Self) -> Vec<Symbol> {
        if self.is_shared_with(other) {
            return Vec::new();
        }
        if other.len() < self.len() && other.tree().is_none() {
            return other.differing(self);
        }
        if let (Some(tree), Some(others)) = (self.tree(), other.tree()) {
            let differing =
                tree.members.differing_from(&others.members).filter(|(_, (_, one), (_, other))| one != other);
            return differing.map(|(key, ..)| symbol(key)).collect();
        }
        let differs = |(name, id): &(Symbol, Id<E>)| other.get(*name).is_some_and(|other| other != *id);
        self.iter().filter(differs).map(|(name, _)| name).collect()
    }

    /// Returns the members, plus the members in `other` that have new names.
    fn extended(&self, other: &Self) -> Self {
        let mut missing: Vec<Member<E>> = Vec::new();
        if let (Some(tree), Some(others)) = (self.tree(), other.tree()) {
            let mut ordered: Vec<_> =
                others.members.missing_in(&tree.members).map(|(key, (order, id))| (*order, symbol(key), *id)).collect();
            ordered.sort_unstable_by_key(|(order, ..)| *order);
            missing.extend(ordered.into_iter().map(|(_, name, id)| (name, id)));
        } else if !self.is_shared_with(other) {
            missing.extend(other.iter().filter(|(name, _)| self.get(*name).is_none()));
        }
        if missing.is_empty() {
            return self.clone();
        }
        // A list may contain a name twice, which has been reported. The first member counts.
        let mut draft = self.draft_for(missing.len());
        if self.len() + missing.len() > MAX_LIST {
            let mut tree = draft.into_tree();
            tree.add(&missing);
            return Draft::Tree(tree).finish();
        }
        for (name, id) in missing {
            if !draft.has(name) {
                draft.push(name, id);
            }
        }
        draft.finish()
    }
}

fn key(name: Symbol) -> u64 {
    u64::from(name.number())
}

fn symbol(key: u64) -> Symbol {
    Symbol::from_number(key as u32)
}

impl<E: Entity> Members<E> {
    fn read_member(
        reader: &mut Reader<'_>,
        key: Node<'_>,
        value: Node<'_>,
        field: &'static FieldDescription,
    ) -> Option<Member<E>> {
        let name = reader.name(key)?;
        let language = reader.language();
        let known_as = (language.member_name)(E::KIND, reader.version(), key.text());
        let name = known_as.map_or(name, |known_as| reader.interner().intern(known_as));
        let id = reader.entity::<E>(Some((name, key)), value, field.members_short);
        if let Some(section) = field.declares() {
            reader.declare(section, name, id.any());
        }
        Some((name, id))
    }

    /// Returns the members of all sources, where the first source that has a member counts, and the winning member for
    /// each name for which parents have different members.
    fn merged(
        &self,
        completion: &mut Completion<'_>,
        site: &InheritingField<'_>,
        sources: &[(&InheritanceSource<'_>, &Self)],
    ) -> (Self, FxHashMap<Symbol, Id<E>>) {
        let mut winners = FxHashMap::default();
        let mut given = sources.iter().filter(|(_, members)| !members.is_empty());
        let Some((_, nearest)) = given.next() else { return (Self::default(), winners) };
        let mut merged = (*nearest).clone();
        let mut others = given.peekable();
        if others.peek().is_none() {
            return (merged, winners);
        }
        let parents: Vec<_> = sources.iter().filter(|(source, _)| source.role == Role::Parent).collect();
        for (source, members) in others {
            if source.role == Role::Parent {
                let more = if merged.is_shared_with(members) { 0 } else { members.len() };
                let differing = members.differing(&merged);
                if !completion.has_room_to_merge(site, more + differing.len() * parents.len()) {
                    break;
                }
                for name in differing {
                    self.resolve(completion, (site, name), &parents, &mut winners);
                }
            }
            merged = merged.extended(members);
        }
        // The definition may be derived from the one that the parent used, and then its members refine the parent's.
        let definition = sources.iter().find(|(source, _)| source.role == Role::Definition);
        let Some((_, defined)) = definition.filter(|(_, defined)| !defined.is_empty()) else {
            return (merged, winners);
        };
        for name in parents.iter().flat_map(|(_, members)| defined.differing(members)) {
            let first = || parents.iter().find_map(|(_, members)| members.get(name));
            let inherited = winners.get(&name).copied().or_else(first);
            if let (Some(id), Some(inherited)) = (defined.get(name), inherited)
                && completion.is_more_derived(id.any(), inherited.any(), parents.iter().map(|(source, _)| *source))
            {
                winners.insert(name, id);
            }
        }
        (merged, winners)
    }

    /// Chooses between the members with the given name in several parents.
    fn resolve(
        &self,
        completion: &mut Completion<'_>,
        (site, name): (&InheritingField<'_>, Symbol),
        parents: &[&(&InheritanceSource<'_>, &Self)],
        winners: &mut FxHashMap<Symbol, Id<E>>,
    ) {
        if winners.contains_key(&name) {
            return;
        }
        let mut members: IndexSet<Id<E>> = IndexSet::new();
        let mut candidates: Vec<Candidate> = Vec::new();
        for (source, id) in parents.iter().filter_map(|(source, members)| Some((source, members.get(name)?))) {
            if members.insert(id) {
                let declared_in = completion.type_of(id.any());
                candidates.push(Candidate { parent: source.id, member: id.any(), declared_in });
            }
        }
        // Each candidate may be compared with each other one.
        if completion.has_room_to_merge(site, candidates.len() * candidates.len()) {
            let winner = completion.resolve_conflict(site, name, &candidates, self.get(name).is_some());
            winners.insert(name, members[winner]);
        }
    }

    /// Reports duplicate names in a list. In a map, these are duplicate keys, which have already been reported.
    fn check_unique(members: &[Member<E>], reader: &mut Reader<'_>) {
        let mut seen = FxHashMap::default();
        for (name, id) in members.iter().copied() {
            if reader.header(id.any().local()).is_some_and(|header| reader.is_nameless(header.key)) {
                continue;
            }
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
        self.0.is_some()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        let named = reader.named(node, field, E::KIND);
        let has_duplicates = named.len() < node.len();
        let unit = reader.unit();
        let first = reader.gathered.len();
        reader.gathered.extend(self.iter().map(|(name, id)| (name, id.index())));
        for (key, value) in named {
            if let Some(member) = Self::read_member(reader, key, value, field) {
                reader.gathered.push((member.0, member.1.index()));
            }
        }
        let members = reader.gathered[first..].iter().map(|(name, index)| (*name, Id::at(unit, *index)));
        *self = Self::of_read(members.clone());
        if field.sequenced {
            let members: Vec<Member<E>> = members.collect();
            Self::check_unique(&members, reader);
        }
        reader.gathered.truncate(first);
        if !has_duplicates {
            return;
        }
        // The value of a duplicate key is lost.
        for key in node.entries().filter(|entry| entry.duplicate).map(|entry| entry.key) {
            if let Some(member) = key.symbol().and_then(|name| self.get(name)) {
                reader.mark_incomplete(member.any());
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
        let mut draft = self.draft_for(1);
        if let Some((name, id)) = Self::read_member(reader, key, value, field) {
            draft.push(name, id);
        }
        *self = draft.finish();
    }

    fn inherit(&mut self, completion: &mut Completion<'_>, site: &InheritingField<'_>, sources: &[InheritedField<'_>]) {
        if self.is_empty() && sources.len() < 2 {
            // This is the common case: one source, and no own members to refine.
            let only = sources.first().and_then(|source| downcast::<Self>(source.field));
            if let Some(members) = only.filter(|members| !members.is_empty()) {
                *self = members.clone();
            }
            return;
        }
        let sources: SmallVec<[(&InheritanceSource<'_>, &Self); FEW_SOURCES]> =
            sources.iter().filter_map(|source| Some((source.source, downcast::<Self>(source.field)?))).collect();
        let (members, winners) = self.merged(completion, site, &sources);
        for (name, own) in self.iter() {
            let mut inherited: SmallVec<[(&InheritanceSource<'_>, Id<E>); FEW_SOURCES]> =
                sources.iter().filter_map(|(source, members)| Some((*source, members.get(name)?))).collect();
            if let Some(winner) = winners.get(&name) {
                let number = inherited.iter().position(|(_, id)| id == winner).unwrap_or_default();
                inherited[..=number].rotate_right(1);
            }
            match site.inherit {
                Inherit::Refine if inherited.is_empty() && !sources.is_empty() && completion.is_closed(site) => {
                    let count = sources.iter().map(|(_, members)| members.len()).sum();
                    let names = sources.iter().flat_map(|(_, members)| members.iter().map(|(name, _)| name));
                    let of_type = sources.iter().find(|(source, _)| source.role == Role::Definition);
                    let of_type = of_type.or(sources.first()).map(|(source, _)| source.id);
                    completion.not_in_definition(site, own.any(), of_type, (count, names));
                    // The keynames that are missing here would come from the refined member, so they are not reported.
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
        if members.is_empty() {
            return;
        }
        let adds_nothing = self.is_empty() && winners.is_empty();
        *self = if adds_nothing { members } else { members.laid_over(&winners, self) };
    }

    fn assign(&self, context: &mut Context<'_>, site: &RenderedField<'_>) {
        site.members(context, self);
    }

    fn copy_from(&mut self, other: &dyn Field) {
        match downcast::<Self>(other) {
            Some(other) if self.is_set() => *self = self.extended(other),
            _ => copy(self, other),
        }
    }

    fn member(&self, name: Symbol) -> Option<AnyId> {
        self.get(name).map(Id::any)
    }

    fn child_count(&self) -> usize {
        self.len()
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
        self.is_given()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        let named = reader.named(node, field, E::KIND);
        let mut items = Vec::with_capacity(named.len());
        for (key, value) in named {
            let is_list = field.list_keys && key.kind() == NodeKind::List;
            let Some(name) = Some(Symbol::EMPTY).filter(|_| is_list).or_else(|| reader.name(key)) else { continue };
            let id = reader.entity::<E>(Some((name, key)), value, field.members_short);
            if let Some(section) = field.declares() {
                reader.declare(section, name, id.any());
            }
            items.push((name, id));
        }
        *self = items.into_iter().collect();
    }

    fn inherit(&mut self, _: &mut Completion<'_>, _: &InheritingField<'_>, sources: &[InheritedField<'_>]) {
        overwrite(self, sources);
    }

    fn copy_from(&mut self, other: &dyn Field) {
        copy(self, other);
    }

    fn visit_children(&self, visit: &mut dyn FnMut(AnyId)) {
        self.iter().for_each(|(_, id)| visit(id.any()));
    }
}

impl<E: Entity> Shaped for Child<E> {
    const SHAPE: Shape = Shape::One(|| E::default().description());
}

impl<E: Entity> Field for Child<E> {
    fn is_set(&self) -> bool {
        self.is_some()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        *self = Some(reader.entity::<E>(None, node, field.members_short));
    }

    fn inherit(&mut self, completion: &mut Completion<'_>, site: &InheritingField<'_>, sources: &[InheritedField<'_>]) {
        let inherited: Vec<(&InheritanceSource<'_>, Id<E>)> =
            sources.iter().filter_map(|source| Some((source.source, (*downcast::<Self>(source.field)?)?))).collect();
        match *self {
            Some(own) if site.inherit == Inherit::Refine => completion.complete_child(own, &inherited),
            Some(_) => {}
            None => *self = inherited.first().map(|(_, id)| *id),
        }
    }

    fn copy_from(&mut self, other: &dyn Field) {
        copy(self, other);
    }

    fn visit_children(&self, visit: &mut dyn FnMut(AnyId)) {
        self.iter().for_each(|id| visit(id.any()));
    }
}

impl<E: Entity> Shaped for Children<E> {
    const SHAPE: Shape = Shape::List(|| E::default().description());
}

impl<E: Entity> Field for Children<E> {
    fn is_set(&self) -> bool {
        self.is_given()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        let nodes = reader.items(node, field);
        *self = nodes.into_iter().map(|node| reader.entity::<E>(None, node, field.members_short)).collect();
    }

    fn inherit(&mut self, _: &mut Completion<'_>, _: &InheritingField<'_>, sources: &[InheritedField<'_>]) {
        overwrite(self, sources);
    }

    fn copy_from(&mut self, other: &dyn Field) {
        copy(self, other);
    }

    fn visit_children(&self, visit: &mut dyn FnMut(AnyId)) {
        self.iter().for_each(|id| visit(id.any()));
    }
}

impl<E> Default for Members<E> {
    fn default() -> Self {
        Self(None)
    }
}

impl<E> Clone for Members<E> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<E> fmt::Debug for Members<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl Reader<'_> {
    /// Reports a duplicate name in a list of named entities.
    fn duplicate_name(&mut self, second: LocalId, first: LocalId) {
        let title = self.language().kinds[usize::from(second.kind.0)].description().title;
        let (Some(second), Some(first)) = (self.header(second), self.header(first)) else { return };
        let message = format!("{title} `{}` is given twice", self.interner().text(second.name));
        self.problem(&rules::DUPLICATE_NAME, self.document().node(second.key), message)
            .related_node(first.key, "first given here")
            .help("rename one of the entries, or merge both into one entry");
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::collection::btree_map;
    use proptest::prelude::*;
    use rustc_hash::FxHashMap;

    use super::{Id, Member, Members, Symbol};
    use crate::diagnostic::SourceId;

    type Numbers = BTreeMap<u32, u32>;

    fn listed(numbers: Numbers) -> Vec<Member<()>> {
        let member = |(name, index)| (Symbol::from_number(name), Id::new(SourceId(0), index));
        numbers.into_iter().map(member).collect()
    }

    fn read(list: &[Member<()>]) -> Members<()> {
        Members::of_read(list.iter().copied())
    }

    /// Generates maps with a few or many members.
    fn numbers() -> impl Strategy<Value = Numbers> {
        btree_map(0..60_u32, 0..9_u32, 0..50)
    }

    proptest! {
        #[test]
        fn overriding_members_keep_the_position_of_replaced_ones(base in numbers(), own in numbers()) {
            let (base, own) = (listed(base), listed(own));
            let laid_over = read(&base).laid_over(&FxHashMap::default(), &read(&own));
            let mut expected = base;
            for (name, id) in own {
                match expected.iter_mut().find(|(known, _)| *known == name) {
                    Some(known) => known.1 = id,
                    None => expected.push((name, id)),
                }
            }
            prop_assert_eq!(laid_over.len(), expected.len());
            for (name, id) in &expected {
                prop_assert_eq!(laid_over.get(*name), Some(*id));
            }
            prop_assert_eq!(laid_over.get(Symbol::from_number(60)), None);
            prop_assert_eq!(laid_over.iter().collect::<Vec<_>>(), expected);
        }

        #[test]
        fn added_members_come_last(one in numbers(), other in numbers()) {
            let (one, other) = (listed(one), listed(other));
            let extended = read(&one).extended(&read(&other));
            let missing = other.iter().filter(|(name, _)| one.iter().all(|(known, _)| known != name));
            let expected: Vec<_> = one.iter().chain(missing).copied().collect();
            prop_assert_eq!(extended.iter().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn copies_share_their_members() {
        let few = read(&listed((0..3).map(|number| (number, number)).collect()));
        let many = read(&listed((0..60).map(|number| (number, number)).collect()));
        for members in [few, many] {
            assert!(members.clone().is_shared_with(&members));
            assert!(members.extended(&members.clone()).is_shared_with(&members));
        }
        assert!(!Members::<()>::default().is_shared_with(&Members::default()));
    }
}
