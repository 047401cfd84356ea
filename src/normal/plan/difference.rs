//! Differences between two models.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::super::{Map, Service, Source};
use super::rebase::Part;

/// A difference between two models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Difference {
    /// The position in the model: a JSON pointer (RFC 6901), with names in place of indexes for requirements and data
    /// types: `/nodes/shop/requirements/host/target`. If several requirements have the same name, the second one is
    /// `host#2`.
    pub at: String,
    /// The kind of difference.
    pub kind: DifferenceKind,
    /// The old value, as in the model. Missing if the entry was added or is not a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<Json>,
    /// The new value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<Json>,
    /// The old position of the value, or of the entity that contains it, if the model has positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_source: Option<Source>,
    /// The new position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_source: Option<Source>,
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

/// Returns the differences between the models of two services.
pub(super) fn of_services(old: &Service, new: &Service) -> Vec<Difference> {
    let mut comparison = Comparison::default();
    comparison.compare(&json(old), &json(new), Part::Entity);
    comparison.list
}

/// Returns the differences between two models that are given as data.
pub(super) fn of_data(old: &Json, new: &Json) -> Vec<Difference> {
    let mut comparison = Comparison::default();
    comparison.compare(old, new, Part::Data);
    comparison.list
}

/// Returns the differences in the nodes that both services have, for nodes with differences.
pub(super) fn of_nodes(old: &Service, new: &Service) -> Map<Vec<Difference>> {
    let both = new.nodes.iter().filter_map(|(name, node)| Some((name, old.nodes.get(name)?, node)));
    let differences = both.filter(|(_, old, new)| old != new).map(|(name, old, new)| {
        let mut comparison =
            Comparison { at: super::super::evaluate::pointer(["nodes", name]), ..Comparison::default() };
        comparison.compare(&json(old), &json(new), Part::Entity);
        (name.clone(), comparison.list)
    });
    differences.filter(|(_, list)| !list.is_empty()).collect()
}

/// Serializes a model, which never fails.
fn json(model: &impl Serialize) -> Json {
    serde_json::to_value(model).unwrap_or_default()
}

#[derive(Default)]
struct Comparison {
    at: String,
    sources: (Option<Source>, Option<Source>),
    list: Vec<Difference>,
}

impl Comparison {
    fn compare(&mut self, old: &Json, new: &Json, part: Part) {
        match (members(old, part), members(new, part)) {
            (Some(old), Some(new)) => {
                let sources = self.sources.clone();
                note(&mut self.sources.0, &old);
                note(&mut self.sources.1, &new);
                self.members(&old, &new, part);
                self.sources = sources;
            }
            _ if bare(old, part) != bare(new, part) => {
                self.note(DifferenceKind::Changed, Some((old, part)), Some((new, part)));
            }
            _ => {}
        }
    }

    fn members(&mut self, old: &Members<'_>, new: &Members<'_>, part: Part) {
        let start = self.list.len();
        // The positions of entities and the name of the file do not affect the meaning of a model.
        let is_service = self.at.is_empty();
        let counts = |name: &str, json: &Json| !(is_position(name, json, part) || is_service && name == "file");
        for (name, old) in old.iter().filter(|(name, old)| counts(name, old)) {
            let part = part.member(name, old);
            match new.get(name) {
                Some(new) => self.inside(name, |comparison| comparison.compare(old, new, part)),
                None => self.inside(name, |comparison| comparison.only(DifferenceKind::Removed, old, part)),
            }
        }
        for (name, new) in new.iter().filter(|(name, new)| counts(name, new) && !old.contains_key(*name)) {
            let part = part.member(name, new);
            self.inside(name, |comparison| comparison.only(DifferenceKind::Added, new, part));
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
        let of_value: FxHashMap<&str, &Difference> =
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
        if let Some(own) = old.and_then(|(old, _)| source(old)) {
            old_source = Some(own);
        }
        if let Some(own) = new.and_then(|(new, _)| source(new)) {
            new_source = Some(own);
        }
        let shown = |(json, part): (&Json, Part)| {
            let is_whole = json.get("source").is_none() && json.get("types").is_none();
            is_whole.then(|| bare(json, part))
        };
        self.list.push(Difference {
            at: self.at.clone(),
            kind,
            old: old.and_then(shown),
            new: new.and_then(shown),
            old_source: old_source.filter(|_| kind != DifferenceKind::Added),
            new_source: new_source.filter(|_| kind != DifferenceKind::Removed),
        });
    }
}

/// Returns whether a member of an entity is its position.
fn is_position(name: &str, json: &Json, part: Part) -> bool {
    part == Part::Entity && name == "source" && source_of(json).is_some()
}

/// Returns a part of a model without positions.
fn bare(json: &Json, part: Part) -> Json {
    match json {
        Json::Object(members) if part != Part::Data => {
            let members = members.iter().filter(|(name, member)| !is_position(name, member, part));
            members.map(|(name, member)| (name.clone(), bare(member, part.member(name, member)))).collect()
        }
        Json::Array(items) if part != Part::Data => items.iter().map(|item| bare(item, part)).collect(),
        json => json.clone(),
    }
}

type Members<'j> = indexmap::IndexMap<String, &'j Json>;

/// Returns the parts that can be compared by name: the members of an object, or the items of a list that have names.
fn members(json: &Json, part: Part) -> Option<Members<'_>> {
    match json {
        Json::Object(object) if !object.contains_key("$call") => {
            Some(object.iter().map(|(name, value)| (name.clone(), value)).collect())
        }
        Json::Array(items) if !items.is_empty() && part == Part::Entity => {
            let mut members = Members::with_capacity(items.len());
            let mut numbers = FxHashMap::default();
            for item in items {
                let name = name(item)?;
                let number = numbers.entry(name).and_modify(|number| *number += 1).or_insert(1);
                let name = if *number == 1 { name.to_owned() } else { format!("{name}#{number}") };
                members.insert(name, item);
            }
            Some(members)
        }
        _ => None,
    }
}

/// Returns the name of a requirement or of a data type in a list.
fn name(item: &Json) -> Option<&str> {
    if item.get("relationship").is_some() {
        return item.get("name")?.as_str();
    }
    item.get("types")?.get(0)?.get("name")?.as_str()
}

fn note(known: &mut Option<Source>, members: &Members<'_>) {
    let own = members.get("source").and_then(|source| source_of(source));
    *known = own.or_else(|| known.take());
}

fn source(json: &Json) -> Option<Source> {
    source_of(json.get("source")?)
}

fn source_of(json: &Json) -> Option<Source> {
    Source::deserialize(json).ok()
}
