//! What is different between two models.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::super::{Map, Service, Source};

/// Something that is different.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Difference {
    /// Where it is in the model: a JSON pointer (RFC 6901), with names instead of numbers for requirements:
    /// `/nodes/shop/requirements/host/target`. Of several requirements of a name, the second is `host#2`.
    pub at: String,
    /// What has become of it.
    pub kind: Kind,
    /// What it was, as it is written in the model; nothing for what has been added, or is no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<Json>,
    /// What it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<Json>,
    /// Where it was written, or the thing that it belongs to, if the model has positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_source: Option<Source>,
    /// Where it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_source: Option<Source>,
}

/// What has become of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Kind {
    /// It is new.
    Added,
    /// It is not there any more.
    Removed,
    /// It is another one.
    Changed,
}

/// What is different between the models of two services.
pub(super) fn of_services(old: &Service, new: &Service) -> Vec<Difference> {
    let mut comparison = Comparison::default();
    comparison.compare(&json(old), &json(new), true);
    comparison.list
}

/// What is different in the nodes that both services have, for those of which something is.
pub(super) fn of_nodes(old: &Service, new: &Service) -> Map<Vec<Difference>> {
    let both = new.nodes.iter().filter_map(|(name, node)| Some((name, old.nodes.get(name)?, node)));
    let differences = both.filter(|(_, old, new)| old != new).map(|(name, old, new)| {
        let mut comparison =
            Comparison { at: super::super::evaluate::pointer(["nodes", name]), ..Comparison::default() };
        comparison.compare(&json(old), &json(new), false);
        (name.clone(), comparison.list)
    });
    differences.filter(|(_, list)| !list.is_empty()).collect()
}

/// A model can always be written.
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
    fn compare(&mut self, old: &Json, new: &Json, is_service: bool) {
        match (members(old), members(new)) {
            (Some(old), Some(new)) => {
                let sources = self.sources.clone();
                note(&mut self.sources.0, &old);
                note(&mut self.sources.1, &new);
                self.members(&old, &new, is_service);
                self.sources = sources;
            }
            _ if old != new => self.note(Kind::Changed, Some(old), Some(new)),
            _ => {}
        }
    }

    fn members(&mut self, old: &Members<'_>, new: &Members<'_>, is_service: bool) {
        // Where things are written, and in which file, says nothing about them.
        let counts = |name: &str| name != "source" && !(is_service && name == "file");
        for (name, old) in old.iter().filter(|(name, _)| counts(name)) {
            match new.get(name) {
                Some(new) => self.inside(name, |comparison| comparison.compare(old, new, false)),
                None => self.inside(name, |comparison| comparison.note(Kind::Removed, Some(old), None)),
            }
        }
        for (name, new) in new.iter().filter(|(name, _)| counts(name) && !old.contains_key(*name)) {
            self.inside(name, |comparison| comparison.note(Kind::Added, None, Some(new)));
        }
    }

    fn inside(&mut self, name: &str, work: impl FnOnce(&mut Self)) {
        let length = self.at.len();
        self.at.push_str(&super::super::evaluate::pointer([name]));
        work(self);
        self.at.truncate(length);
    }

    fn note(&mut self, kind: Kind, old: Option<&Json>, new: Option<&Json>) {
        let (mut old_source, mut new_source) = self.sources.clone();
        // What was added or removed has a place of its own, or else that of what it belongs to.
        if let Some(own) = old.and_then(source) {
            old_source = Some(own);
        }
        if let Some(own) = new.and_then(source) {
            new_source = Some(own);
        }
        let is_whole = |json: &&Json| json.get("source").is_none() && json.get("types").is_none();
        self.list.push(Difference {
            at: self.at.clone(),
            kind,
            old: old.filter(is_whole).cloned(),
            new: new.filter(is_whole).cloned(),
            old_source: old_source.filter(|_| kind != Kind::Added),
            new_source: new_source.filter(|_| kind != Kind::Removed),
        });
    }
}

type Members<'j> = indexmap::IndexMap<String, &'j Json>;

/// What can be compared by name: the members of an object, and the items of a list that have names.
fn members(json: &Json) -> Option<Members<'_>> {
    match json {
        Json::Object(object) if !object.contains_key("$call") => {
            Some(object.iter().map(|(name, value)| (name.clone(), value)).collect())
        }
        Json::Array(items) if !items.is_empty() => {
            let mut members = Members::with_capacity(items.len());
            let mut numbers = rustc_hash::FxHashMap::default();
            for item in items {
                item.get("relationship")?;
                let name = item.get("name")?.as_str()?;
                let number = numbers.entry(name).and_modify(|number| *number += 1).or_insert(1);
                let name = if *number == 1 { name.to_owned() } else { format!("{name}#{number}") };
                members.insert(name, item);
            }
            Some(members)
        }
        _ => None,
    }
}

fn note(known: &mut Option<Source>, members: &Members<'_>) {
    let own = members.get("source").and_then(|source| Source::deserialize(*source).ok());
    *known = own.or_else(|| known.take());
}

fn source(json: &Json) -> Option<Source> {
    Source::deserialize(json.get("source")?).ok()
}
