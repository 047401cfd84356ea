//! Differences between two models.

use std::borrow::Cow;
use std::sync::Arc;

use foldhash::HashMap;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::super::{Map, Name, Node, OverlayMap, Relationship, Requirement, Service, Source};
use super::rebase::{Moved, Part};
use crate::entity::{Model, ModelEntries, ModelPart};

/// A difference between two models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Difference {
    /// The position in the model: a JSON pointer (RFC 6901), with names in place of indexes for requirements and data
    /// types: `/nodes/shop/requirements/host/target`. If several requirements have the same name, the second one is
    /// `host#2`. The whole model (an empty string) for the differences that are omitted because there are more than
    /// 100,000.
    pub at: String,
    /// The kind of difference.
    pub kind: DifferenceKind,
    /// The old value, as in the model. Missing if the entry was added or is not a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<Json>,
    /// The new value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<Json>,
    /// Whether a value is missing because the differences have more than 400,000 values, or differences are missing
    /// because there are more than 100,000.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub omitted: bool,
    /// The old position of the value, or of the entity that contains it, if the model has positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_source: Option<Source>,
    /// The new position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_source: Option<Source>,
}

impl Difference {
    /// Returns the last of too many differences, which stands for the rest.
    fn of_the_rest() -> Self {
        Self {
            at: String::new(),
            kind: DifferenceKind::Changed,
            old: None,
            new: None,
            omitted: true,
            old_source: None,
            new_source: None,
        }
    }
}

/// The kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum DifferenceKind {
    /// Added.
    Added,
    /// Removed.
    Removed,
    /// Changed.
    Changed,
}

/// The maximum number of values in all differences, including those in lists and maps.
const MAX_VALUES: usize = 400_000;

/// The maximum number of differences between two models. Finding that many takes about a second.
const MAX_DIFFERENCES: usize = 100_000;

/// Calls a function with each difference between the models of two services, in order.
pub(super) fn of_services(old: &Service, new: &Service, call: &mut dyn FnMut(Difference)) {
    let moved = Moved::new(old, new);
    let mut comparison = Comparison { call: Some(call), ..Comparison::new(Some(&moved)) };
    comparison.whole(&without_maps(old), &without_maps(new), Inner::Maps(old, new));
    comparison.pass_on();
}

/// Calls a function with each difference between two models of any language, in order.
pub(super) fn of_models(old: &Model<'_>, new: &Model<'_>, call: &mut dyn FnMut(Difference)) {
    let mut comparison = Comparison { call: Some(call), ..Comparison::new(None) };
    for (name, old) in old.parts() {
        comparison.inside(name, |comparison| match new.part(name) {
            Some(new) => comparison.parts(old, new),
            None => comparison.only(DifferenceKind::Removed, &old.to_data(), Part::Data),
        });
    }
    for (name, new) in new.parts().filter(|(name, _)| old.part(name).is_none()) {
        comparison.inside(name, |comparison| comparison.only(DifferenceKind::Added, &new.to_data(), Part::Data));
    }
    comparison.pass_on();
}

/// Returns the differences in the nodes that both services have, for nodes with differences.
pub(super) fn of_nodes(old: &Service, new: &Service, moved: &Moved<'_>) -> Map<Vec<Difference>> {
    let both = new.nodes.iter().filter_map(|(name, node)| Some((name, old.nodes.get(name)?, node)));
    let mut comparison = Comparison::new(Some(moved));
    let differences = both.filter(|(_, old, new)| moved.is_any() || old != new).map(|(name, old, new)| {
        comparison.at = super::super::evaluate::pointer(["nodes", name]);
        comparison.node(old, new);
        let mut list = std::mem::take(&mut comparison.list);
        list.shrink_to_fit();
        (name.clone(), list)
    });
    differences.filter(|(_, list)| !list.is_empty()).collect()
}

/// Returns a service without the maps of its frame.
fn without_maps(service: &Service) -> Service {
    Service {
        inputs: OverlayMap::default(),
        outputs: OverlayMap::default(),
        relationships: OverlayMap::default(),
        groups: Map::new(),
        policies: Map::new(),
        workflows: Map::new(),
        ..service.frame()
    }
}

/// Serializes a part of a model, which never fails.
fn json(part: &impl Serialize) -> Json {
    serde_json::to_value(part).unwrap_or_default()
}

/// The members of an entity that are compared one at a time, because serialized models take much memory.
#[derive(Clone, Copy)]
enum Inner<'s> {
    Maps(&'s Service, &'s Service),
    Requirements(&'s [Requirement], &'s [Requirement]),
}

impl Inner<'_> {
    /// Returns the names of the members, and for each entity whether it has them. They follow each other in a serialized
    /// entity.
    fn names(self) -> Vec<(&'static str, [bool; 2])> {
        macro_rules! maps {
            ($old:ident, $new:ident: $($name:ident),*) => {
                vec![$((stringify!($name), [$old, $new].map(|service| !service.$name.is_empty()))),*]
            };
        }
        match self {
            Self::Maps(old, new) => {
                maps!(old, new: inputs, outputs, nodes, relationships, groups, policies, workflows)
            }
            Self::Requirements(old, new) => vec![("requirements", [old, new].map(|list| !list.is_empty()))],
        }
    }

    /// Returns the names of the members that come after them in a serialized entity.
    fn names_after(self) -> &'static [&'static str] {
        match self {
            Self::Maps(..) => &["substitution", "functions", "data_types"],
            Self::Requirements(..) => &["source"],
        }
    }
}

/// An old and a new entity with the same name. One of them may be missing.
type Pair<'s, T> = (Option<&'s T>, Option<&'s T>);

/// The names of entities, and the entities.
type Named<'s, T> = (IndexSet<String>, Vec<&'s T>);

fn named<'s, T: 's>(entities: impl IntoIterator<Item = (&'s Name, &'s T)>) -> Named<'s, T> {
    entities.into_iter().map(|(name, entity)| (name.to_string(), entity)).unzip()
}

struct Comparison<'m> {
    at: String,
    sources: (Option<Source>, Option<Source>),
    list: Vec<Difference>,
    /// The function to call with the differences in `list`, node by node.
    call: Option<&'m mut dyn FnMut(Difference)>,
    /// The files that the old version has elsewhere.
    moved: Option<&'m Moved<'m>>,
    /// The number of values that differences can still have.
    room: usize,
    /// The number of differences that can still be passed on; `None` if there were more.
    left: Option<usize>,
    /// Whether two relationships have no differences. Requirements share them, and they are larger than the rest.
    equal: FxHashMap<(*const Relationship, *const Relationship), bool>,
}

impl<'m> Comparison<'m> {
    fn new(moved: Option<&'m Moved<'m>>) -> Self {
        Self {
            at: String::new(),
            sources: (None, None),
            list: Vec::new(),
            call: None,
            moved,
            room: MAX_VALUES,
            left: Some(MAX_DIFFERENCES),
            equal: FxHashMap::default(),
        }
    }

    /// Passes on the differences that were found since the last time. None of them is merged later, because only members
    /// of entities with expressions are.
    fn pass_on(&mut self) {
        let Some(call) = &mut self.call else { return };
        for difference in self.list.drain(..) {
            let Some(left) = self.left else { break };
            self.left = left.checked_sub(1);
            call(if self.left.is_some() { difference } else { Difference::of_the_rest() });
        }
    }

    /// Serializes an entity of the old version, which never fails.
    fn old(&self, entity: &impl Serialize) -> Json {
        let mut old = json(entity);
        if let Some(moved) = self.moved {
            moved.apply(&mut old);
        }
        old
    }

    /// Compares two entities whose inner members were taken out.
    fn whole<T: Serialize>(&mut self, old: &T, new: &T, inner: Inner<'_>) {
        let (old, new) = (self.old(old), json(new));
        let (Some(mut old), Some(mut new)) = (members(&old, Part::Entity), members(&new, Part::Entity)) else { return };
        for (side, members) in [&mut old, &mut new].into_iter().enumerate() {
            let after = members.keys().position(|name| inner.names_after().contains(&&**name));
            let names = inner.names().into_iter().filter(|(_, are_there)| are_there[side]);
            for (index, (name, _)) in (after.unwrap_or(members.len())..).zip(names) {
                members.shift_insert(index, name.into(), &Json::Null);
            }
        }
        let sources = self.sources.clone();
        replace(&mut self.sources.0, old.get("source").copied());
        replace(&mut self.sources.1, new.get("source").copied());
        self.members(&old, &new, Part::Entity, Some(inner));
        self.sources = sources;
    }

    fn node(&mut self, old: &Node, new: &Node) {
        let inner = Inner::Requirements(&old.requirements, &new.requirements);
        self.whole(&old.frame(), &new.frame(), inner);
    }

    fn inner(&mut self, inner: Inner<'_>, name: &str) {
        match inner {
            Inner::Maps(old, new) => match name {
                "inputs" => self.map(&old.inputs, &new.inputs),
                "outputs" => self.map(&old.outputs, &new.outputs),
                "relationships" => self.map(&old.relationships, &new.relationships),
                "groups" => self.map(&old.groups, &new.groups),
                "policies" => self.map(&old.policies, &new.policies),
                "workflows" => self.map(&old.workflows, &new.workflows),
                _ => self.pairs(named(&old.nodes), named(&new.nodes), |comparison, pair: Pair<'_, Node>| match pair {
                    (Some(old), Some(new)) => comparison.node(old, new),
                    (old, new) => comparison.pair((old.map(Node::frame).as_ref(), new.map(Node::frame).as_ref())),
                }),
            },
            Inner::Requirements(old, new) => {
                let names = |list: &[Requirement]| numbered(list.iter().map(|requirement| &*requirement.name));
                let (old, new) = ((names(old), old.iter().collect()), (names(new), new.iter().collect()));
                self.pairs(old, new, |comparison, pair| match pair {
                    (Some(old), Some(new)) => comparison.requirement(old, new),
                    pair => comparison.pair(pair),
                });
            }
        }
    }

    /// Compares the entities in two maps.
    fn map<'s, T: PartialEq + Serialize + 's>(
        &mut self,
        old: impl IntoIterator<Item = (&'s Name, &'s T)>,
        new: impl IntoIterator<Item = (&'s Name, &'s T)>,
    ) {
        self.pairs(named(old), named(new), Self::pair);
    }

    /// Calls a function with each pair of entities with the same name that are not equal, at its position.
    fn pairs<'s, T: PartialEq>(
        &mut self,
        (old_names, old): Named<'s, T>,
        (new_names, new): Named<'s, T>,
        mut compare: impl FnMut(&mut Self, Pair<'s, T>),
    ) {
        let is_moved = self.moved.is_some_and(Moved::is_any);
        self.entries(&old_names, &new_names, |comparison, (before, after)| {
            let (old, new) = (before.map(|before| old[before]), after.map(|after| new[after]));
            if is_moved || old != new {
                compare(comparison, (old, new));
            }
        });
    }

    /// Compares two entities, or records the only one.
    fn pair<T: Serialize>(&mut self, pair: Pair<'_, T>) {
        match pair {
            (Some(old), Some(new)) => {
                let (old, new) = (self.old(old), json(new));
                self.compare(&old, &new, Part::Entity);
            }
            (Some(old), None) => {
                let old = self.old(old);
                self.only(DifferenceKind::Removed, &old, Part::Entity);
            }
            (None, new) => self.only(DifferenceKind::Added, &json(&new), Part::Entity),
        }
    }

    fn requirement(&mut self, old: &Requirement, new: &Requirement) {
        if self.are_equal(&old.relationship, &new.relationship) {
            self.pair((Some(&old.frame()), Some(&new.frame())));
        } else {
            self.pair((Some(old), Some(new)));
        }
    }

    /// Returns whether two relationships have no differences.
    fn are_equal(&mut self, old: &Arc<Relationship>, new: &Arc<Relationship>) -> bool {
        let pair = (Arc::as_ptr(old), Arc::as_ptr(new));
        if let Some(known) = self.equal.get(&pair) {
            return *known;
        }
        let mut comparison = Self::new(self.moved);
        let (old, new) = (self.old(old), json(new));
        comparison.compare(&old, &new, Part::Entity);
        let is_equal = comparison.list.is_empty();
        self.equal.insert(pair, is_equal);
        is_equal
    }

    fn parts(&mut self, old: &ModelPart<'_>, new: &ModelPart<'_>) {
        let (ModelPart::Entries(old), ModelPart::Entries(new)) = (old, new) else {
            return self.compare(&old.to_data(), &new.to_data(), Part::Data);
        };
        let names = |entries: &ModelEntries<'_>| entries.names().iter().cloned().collect();
        self.entries(&names(old), &names(new), |comparison, pair| match pair {
            (Some(before), Some(after)) => comparison.compare(&old.data(before), &new.data(after), Part::Data),
            (Some(before), None) => comparison.only(DifferenceKind::Removed, &old.data(before), Part::Data),
            (None, after) => {
                let data = after.map(|after| new.data(after)).unwrap_or_default();
                comparison.only(DifferenceKind::Added, &data, Part::Data);
            }
        });
    }

    /// Calls a function with the indexes of each entry that one of two maps has, at its position. Passes on the
    /// differences after each.
    fn entries(
        &mut self,
        old: &IndexSet<String>,
        new: &IndexSet<String>,
        mut compare: impl FnMut(&mut Self, (Option<usize>, Option<usize>)),
    ) {
        let kept = old.iter().enumerate().map(|(before, name)| (name, (Some(before), new.get_index_of(name))));
        let added = new.iter().enumerate().filter(|(_, name)| !old.contains(*name));
        for (name, pair) in kept.chain(added.map(|(after, name)| (name, (None, Some(after))))) {
            self.inside(name, |comparison| compare(comparison, pair));
            self.pass_on();
            if self.left.is_none() {
                return;
            }
        }
    }

    fn compare(&mut self, old: &Json, new: &Json, part: Part) {
        if old == new {
            return;
        }
        match (members(old, part), members(new, part)) {
            (Some(old), Some(new)) => {
                let sources = self.sources.clone();
                replace(&mut self.sources.0, old.get("source").copied());
                replace(&mut self.sources.1, new.get("source").copied());
                self.members(&old, &new, part, None);
                self.sources = sources;
            }
            _ if part == Part::Data || bare(old, part) != bare(new, part) => {
                self.note(DifferenceKind::Changed, Some((old, part)), Some((new, part)));
            }
            _ => {}
        }
    }

    fn members(&mut self, old: &Members<'_>, new: &Members<'_>, part: Part, inner: Option<Inner<'_>>) {
        let start = self.list.len();
        // The positions of entities, references of calls and the name of the file do not affect the meaning of a model.
        let is_service = self.at.is_empty();
        let counts = |name: &str, json: &Json| !(is_derived(name, json, part) || is_service && name == "file");
        let names = inner.map(Inner::names).unwrap_or_default();
        let inner = |name: &str| inner.filter(|_| names.iter().any(|(inner, _)| *inner == name));
        for (name, old) in old.iter().filter(|(name, old)| counts(name, old)) {
            if let Some(inner) = inner(name) {
                self.inside(name, |comparison| comparison.inner(inner, name));
                continue;
            }
            let part = part.member(name, old);
            match new.get(name) {
                Some(new) => self.inside(name, |comparison| comparison.compare(old, new, part)),
                None => self.inside(name, |comparison| comparison.only(DifferenceKind::Removed, old, part)),
            }
        }
        for (name, new) in new.iter().filter(|(name, new)| counts(name, new) && !old.contains_key(*name)) {
            let part = part.member(name, new);
            self.inside(name, |comparison| match inner(name) {
                Some(inner) => comparison.inner(inner, name),
                None => comparison.only(DifferenceKind::Added, new, part),
            });
        }
        if part == Part::Entity && old.contains_key("expression") && new.contains_key("expression") {
            self.merge_expression(start);
        }
    }

    /// Removes the differences between two expressions, from an index on, that their values have too.
    fn merge_expression(&mut self, start: usize) {
        let [value, expression] =
            ["value", "expression"].map(|name| self.at.clone() + &super::super::evaluate::pointer([name]));
        let found = self.list.split_off(start);
        let of_value: HashMap<&str, &Difference> =
            found.iter().filter_map(|difference| Some((difference.at.strip_prefix(&*value)?, difference))).collect();
        let is_repeated = |difference: &&Difference| {
            let at = difference.at.strip_prefix(&*expression);
            let known = at.and_then(|at| of_value.get(at));
            known.is_some_and(|known| known.old == difference.old && known.new == difference.new)
        };
        let kept = found.iter().filter(|difference| !is_repeated(difference)).cloned();
        self.list.extend(kept);
    }

    /// Records an entry that only one of the models has; for a list of named items, records each item.
    fn only(&mut self, kind: DifferenceKind, json: &Json, part: Part) {
        match members(json, part) {
            Some(items) if json.is_array() => {
                items.iter().for_each(|(name, item)| self.inside(name, |comparison| comparison.only(kind, item, part)));
            }
            _ if kind == DifferenceKind::Added => self.note(kind, None, Some((json, part))),
            _ => self.note(kind, Some((json, part)), None),
        }
    }

    fn inside(&mut self, name: &str, work: impl FnOnce(&mut Self)) {
        let length = self.at.len();
        self.at.push_str(&super::super::evaluate::pointer([name]));
        work(self);
        self.at.truncate(length);
    }

    fn note(&mut self, kind: DifferenceKind, old: Option<(&Json, Part)>, new: Option<(&Json, Part)>) {
        let (mut old_source, mut new_source) = self.sources.clone();
        // An added or removed entry without a position has the position of the entity that contains it.
        replace(&mut old_source, old.and_then(|(old, _)| old.get("source")));
        replace(&mut new_source, new.and_then(|(new, _)| new.get("source")));
        let mut omitted = false;
        let mut shown = |(json, part): (&Json, Part)| {
            let is_value = json.get("source").is_none() && json.get("types").is_none();
            let room = is_value.then(|| self.room.checked_sub(count(json, self.room)))?;
            omitted |= room.is_none();
            self.room = room?;
            Some(bare(json, part))
        };
        let (old, new) = (old.and_then(&mut shown), new.and_then(&mut shown));
        self.list.push(Difference {
            at: self.at.clone(),
            kind,
            old,
            new,
            omitted,
            old_source: old_source.filter(|_| kind != DifferenceKind::Added),
            new_source: new_source.filter(|_| kind != DifferenceKind::Removed),
        });
    }
}

/// Returns whether a member of an entity is its position, or follows from other members and from other entities.
fn is_derived(name: &str, json: &Json, part: Part) -> bool {
    part == Part::Entity && (name == "source" && source_of(json).is_some() || name == "references")
}

/// Returns a part of a model without positions.
fn bare(json: &Json, part: Part) -> Json {
    match json {
        Json::Object(members) if part != Part::Data => {
            let members = members.iter().filter(|(name, member)| !is_derived(name, member, part));
            members.map(|(name, member)| (name.clone(), bare(member, part.member(name, member)))).collect()
        }
        Json::Array(items) if part != Part::Data => items.iter().map(|item| bare(item, part)).collect(),
        json => json.clone(),
    }
}

type Members<'j> = IndexMap<Cow<'j, str>, &'j Json>;

/// Returns the parts that can be compared by name: the members of an object, or the items of a list that have names.
fn members(json: &Json, part: Part) -> Option<Members<'_>> {
    match json {
        Json::Object(object) if !object.contains_key("$call") => {
            Some(object.iter().map(|(name, value)| (name.as_str().into(), value)).collect())
        }
        Json::Array(items) if !items.is_empty() && part == Part::Entity => {
            let names: Option<Vec<&str>> = items.iter().map(name).collect();
            Some(numbered(names?.into_iter()).into_iter().map(Cow::Owned).zip(items).collect())
        }
        _ => None,
    }
}

/// Makes names of items in a list distinct.
fn numbered<'n>(names: impl Iterator<Item = &'n str>) -> IndexSet<String> {
    let mut numbers = HashMap::default();
    let numbered = names.map(|name| {
        let number = numbers.entry(name).and_modify(|number| *number += 1).or_insert(1);
        if *number == 1 { name.to_owned() } else { format!("{name}#{number}") }
    });
    numbered.collect()
}

/// Returns the number of values in a value, including itself, as far as it is at most the given number.
fn count(json: &Json, most: usize) -> usize {
    let (mut open, mut count) = (vec![json], 0);
    while let Some(json) = open.pop().filter(|_| count <= most) {
        count += 1;
        match json {
            Json::Array(items) => open.extend(items),
            Json::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    count
}

/// Returns the name of a requirement or of a data type in a list.
fn name(item: &Json) -> Option<&str> {
    if item.get("relationship").is_some() {
        return item.get("name")?.as_str();
    }
    item.get("types")?.get(0)?.get("name")?.as_str()
}

/// Replaces the position of an entity by that of one inside of it, if that has one. Their file is usually the same.
fn replace(outer: &mut Option<Source>, inner: Option<&Json>) {
    let Some(mut inner) = inner.and_then(source_of) else { return };
    if let Some(outer) = outer.as_ref().filter(|outer| outer.file == inner.file) {
        inner.file = outer.file.clone();
    }
    *outer = Some(inner);
}

fn source_of(json: &Json) -> Option<Source> {
    Source::deserialize(json).ok()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde_json::json;

    use super::*;
    use crate::normal::{Property, Target, Value};

    fn models(old: &Model<'_>, new: &Model<'_>) -> Vec<Difference> {
        let mut list = Vec::new();
        of_models(old, new, &mut |difference| list.push(difference));
        list
    }

    fn services(old: &Service, new: &Service) -> Vec<Difference> {
        let mut list = Vec::new();
        of_services(old, new, &mut |difference| list.push(difference));
        list
    }

    /// Returns a model with numbered nodes, which are counted when they are built.
    fn model(nodes: std::ops::Range<usize>, value: usize, built: &Cell<usize>) -> Model<'_> {
        let names = nodes.clone().map(|number| format!("n{number}")).collect();
        Model::default().data("version", json!(1)).entries("nodes", names, move |index, visit| {
            built.set(built.get() + 1);
            let number = nodes.start + index;
            visit(&json!({ "number": if number == 5 { value } else { number } }));
        })
    }

    #[test]
    fn entries_of_models_are_built_once() {
        let (old, new) = (Cell::new(0), Cell::new(0));
        let found = models(&model(0..100, 5, &old), &model(1..101, 7, &new));
        assert_eq!((old.get(), new.get()), (100, 100));
        let at: Vec<(&str, DifferenceKind)> = found.iter().map(|found| (&*found.at, found.kind)).collect();
        let (removed, changed) = (DifferenceKind::Removed, DifferenceKind::Changed);
        let added = DifferenceKind::Added;
        assert_eq!(at, [("/nodes/n0", removed), ("/nodes/n5/number", changed), ("/nodes/n100", added)]);
        assert_eq!((found[1].old.clone(), found[1].new.clone()), (Some(json!(5)), Some(json!(7))));
        assert_eq!(models(&model(0..9, 5, &old), &model(0..9, 5, &new)), []);
    }

    #[test]
    fn differences_are_passed_on_before_the_next_entry_is_built() {
        let (old, new) = (Cell::new(0), Cell::new(0));
        let mut built = Vec::new();
        of_models(&model(0..5, 0, &old), &model(5..8, 0, &new), &mut |_| built.push((old.get(), new.get())));
        assert_eq!(built, [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (5, 1), (5, 2), (5, 3)]);
    }

    #[test]
    fn values_of_differences_are_limited() {
        let model = |entries: usize| {
            let names = (0..entries).map(|number| number.to_string()).collect();
            Model::default().entries("nodes", names, |_, visit| visit(&vec![0; MAX_VALUES / 4]))
        };
        let found = models(&model(0), &model(6));
        let omitted: Vec<bool> = found.iter().map(|found| found.omitted).collect();
        assert_eq!(omitted, [false, false, false, true, true, true]);
        assert!(found.iter().all(|found| found.new.is_none() == found.omitted));
        assert_eq!(found[5].to_string(), "+ node `5`: (omitted, because there are too many values)");
    }

    #[test]
    fn differences_are_limited() {
        let model = |entries: usize, value: usize| {
            let names = (0..entries).map(|number| number.to_string()).collect();
            Model::default().entries("nodes", names, move |_, visit| visit(&vec![value; 3]))
        };
        assert_eq!(models(&model(MAX_DIFFERENCES, 0), &model(MAX_DIFFERENCES, 1)).len(), MAX_DIFFERENCES);
        let (old, new) = (model(MAX_DIFFERENCES + 10, 0), model(MAX_DIFFERENCES + 10, 1));
        let found = models(&old, &new);
        let last = &found[MAX_DIFFERENCES];
        assert_eq!((found.len(), &*last.at, last.omitted), (MAX_DIFFERENCES + 1, "", true));
        assert_eq!(last.to_string(), "~ the model: (omitted, because there are too many differences)");
    }

    /// Returns a service with a node that requires others.
    fn service(file: &str, targets: &[&str]) -> Service {
        let requirement = |target: &&str| Requirement {
            name: "host".into(),
            target: Some(Target { node: (*target).into(), ..Target::default() }),
            relationship: Relationship::default().into(),
            ..Requirement::default()
        };
        let size = Property { value: Some(Value::Integer(1)), ..Property::default() };
        let properties: OverlayMap<Property> = [(Name::from("size"), size.into())].into_iter().collect();
        let origin = Some(file.into());
        let types = [crate::normal::TypeName { name: "T".into(), origin, version: None }].into();
        let requirements = targets.iter().map(requirement).collect();
        let node = Node { types, properties, requirements, ..Node::default() };
        let nodes = [(Name::from("a"), node)].into_iter().collect();
        Service { file: file.into(), nodes, ..Service::default() }
    }

    #[test]
    fn shared_relationships_are_compared_once() {
        let (old, mut new) = (service("s.yaml", &["b", "c", "d"]), service("t.yaml", &["b", "c", "e"]));
        let shared = Arc::new(Relationship { description: Some("new".into()), ..Relationship::default() });
        new.nodes[0].requirements[1..].iter_mut().for_each(|requirement| requirement.relationship = shared.clone());
        let found = services(&old, &new);
        let at: Vec<&str> = found.iter().filter_map(|found| found.at.strip_prefix("/nodes/a/requirements/")).collect();
        assert_eq!(at, ["host#2/relationship/description", "host#3/target/node", "host#3/relationship/description"]);
        let shared = Arc::new(Relationship::default());
        let (mut old, mut new) = (service("s.yaml", &["b", "c"]), service("t.yaml", &["x", "y"]));
        for service in [&mut old, &mut new] {
            service.nodes[0].requirements.iter_mut().for_each(|it| it.relationship = shared.clone());
        }
        let moved = Moved::new(&old, &new);
        let mut comparison = Comparison::new(Some(&moved));
        comparison.whole(&without_maps(&old), &without_maps(&new), Inner::Maps(&old, &new));
        assert_eq!((comparison.list.len(), comparison.equal.len()), (2, 1));
    }

    #[test]
    fn entities_of_maps_are_compared_one_at_a_time() {
        let (old, mut new) = (service("s.yaml", &["b"]), service("s.yaml", &["b"]));
        new.inputs.insert("port".into(), Arc::default());
        new.groups.insert("zone".into(), crate::normal::Group::default());
        let at = |list: Vec<Difference>| -> Vec<(String, DifferenceKind)> {
            list.into_iter().map(|found| (found.at, found.kind)).collect()
        };
        let expected = |kind| ["/inputs/port", "/groups/zone"].map(|at| (at.to_owned(), kind));
        assert_eq!(at(services(&old, &new)), expected(DifferenceKind::Added));
        assert_eq!(at(services(&new, &old)), expected(DifferenceKind::Removed));
        assert_eq!(services(&new, &new), []);
    }

    #[test]
    fn requirements_are_compared_by_name_and_number() {
        let (old, new) = (service("x/s.yaml", &["b", "c"]), service("y/s.yaml", &["b", "d", "e"]));
        let found = services(&old, &new);
        let at: Vec<&str> = found.iter().map(|found| &*found.at).collect();
        assert_eq!(at, ["/nodes/a/requirements/host#2/target/node", "/nodes/a/requirements/host#3"]);
        // The type is in a file that moved together with the service.
        assert_eq!(services(&old, &service("y/s.yaml", &["b", "c"])), []);
        assert_eq!(services(&service("s.yaml", &[]), &service("s.yaml", &["b"]))[0].at, "/nodes/a/requirements/host");
    }
}
