//! Comparison of two versions of a service in different folders: the types and scripts in each folder count as the
//! same.

use std::cell::{OnceCell, RefCell};

use foldhash::{HashMap, HashSet};
use serde_json::Value as Json;

use super::super::{Service, TypeName};

/// The members that name files.
const NAMES: [&str; 3] = ["origin", "type_origin", "base"];

/// The members that hold data, where names can have any meaning.
const DATA: [&str; 7] = ["value", "expression", "references", "metadata", "$call", "validation", "source"];

/// The members that are maps with names chosen by authors, so that a node may be called `value`, for example.
const MAPS: [&str; 19] = [
    "allocation",
    "artifacts",
    "attributes",
    "capabilities",
    "groups",
    "inputs",
    "interfaces",
    "mapped_interfaces",
    "multipliers",
    "nodes",
    "notifications",
    "operations",
    "outputs",
    "policies",
    "properties",
    "relationships",
    "steps",
    "triggers",
    "workflows",
];

/// The kind of a part of a serialized model.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::normal) enum Part {
    /// An object with fields of the model, or a list of them.
    Entity,
    /// A map of entities with names chosen by authors.
    Names,
    /// A value.
    Data,
}

impl Part {
    /// Returns the kind of a member.
    pub(in crate::normal) fn member(self, name: &str, member: &Json) -> Self {
        match self {
            Self::Names => Self::Entity,
            Self::Entity if !DATA.contains(&name) => {
                if member.is_object() && MAPS.contains(&name) {
                    Self::Names
                } else {
                    Self::Entity
                }
            }
            Self::Entity | Self::Data => Self::Data,
        }
    }
}

/// The files of an old version of a service that is in a different folder than the new one. A different path should not
/// count as a difference, so the files move to the folder of the new version.
pub(super) struct Moved<'s> {
    from: &'s str,
    to: &'s str,
    new: &'s Service,
    /// The files of the new version.
    known: OnceCell<HashSet<String>>,
    /// The new names of files, as far as they have been needed.
    names: RefCell<HashMap<String, Option<String>>>,
}

impl<'s> Moved<'s> {
    pub(super) fn new(old: &'s Service, new: &'s Service) -> Self {
        let (known, names) = (OnceCell::new(), RefCell::default());
        Self { from: &old.file, to: &new.file, new, known, names }
    }

    /// Returns whether any file may have a different name.
    pub(super) fn is_any(&self) -> bool {
        self.from != self.to
    }

    /// Moves the files in a serialized part of the old version.
    pub(super) fn apply(&self, json: &mut Json) {
        if self.is_any() {
            files(json, Part::Entity, &mut |name| {
                if let Some(other) = self.name(name) {
                    *name = other;
                }
            });
        }
    }

    /// Returns the identity of a type of the old version.
    pub(super) fn type_name(&self, of_type: &TypeName) -> TypeName {
        let origin = of_type.origin.as_deref().filter(|_| self.is_any()).and_then(|origin| self.name(origin));
        TypeName { origin: origin.map(Into::into).or_else(|| of_type.origin.clone()), ..of_type.clone() }
    }

    /// Returns the new name of a file, if it is different.
    fn name(&self, name: &str) -> Option<String> {
        if let Some(known) = self.names.borrow().get(name) {
            return known.clone();
        }
        let is_known = |name: &str| self.known.get_or_init(|| files_of(self.new)).contains(name);
        let other = moved(name, self.from, self.to, is_known);
        self.names.borrow_mut().insert(name.to_owned(), other.clone());
        other
    }
}

/// Returns the names of all files that a service refers to.
fn files_of(service: &Service) -> HashSet<String> {
    let mut known = HashSet::default();
    let mut add = |entity: &dyn Fn() -> serde_json::Result<Json>| {
        files(&mut entity().unwrap_or_default(), Part::Entity, &mut |name| {
            known.insert(std::mem::take(name));
        });
    };
    add(&|| serde_json::to_value(service.frame()));
    for node in service.nodes.values() {
        add(&|| serde_json::to_value(node.frame()));
        node.requirements.iter().for_each(|requirement| add(&|| serde_json::to_value(requirement)));
    }
    known
}

/// Calls a function with the names of all files that entities refer to.
fn files(json: &mut Json, part: Part, visit: &mut dyn FnMut(&mut String)) {
    match json {
        Json::Object(members) => {
            for (name, member) in members.iter_mut() {
                let inner = part.member(name, member);
                match member {
                    Json::String(text) if part == Part::Entity && NAMES.contains(&name.as_str()) => visit(text),
                    member if inner != Part::Data => files(member, inner, visit),
                    _ => {}
                }
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|item| files(item, part, visit)),
        _ => {}
    }
}

/// Returns the new name of a file next to the entry when the entry moves; `None` for a file elsewhere, such as a
/// profile. `is_known` says whether the new version has a file, because a file above the folder of the entry may have moved or
/// not.
fn moved(name: &str, from: &str, to: &str, is_known: impl Fn(&str) -> bool) -> Option<String> {
    if name == from {
        return Some(to.to_owned());
    }
    let (from, to) = (folder(from), folder(to));
    let is_file = !name.contains(':') && [".yaml", ".yml"].iter().any(|ending| name.ends_with(ending));
    if let Some(rest) = name.strip_prefix(from).filter(|_| !from.is_empty() || is_file && !name.starts_with('/')) {
        return Some(format!("{to}{rest}"));
    }
    let (mut from, mut to) = (from, to);
    while is_file && !is_known(name) && !from.is_empty() && !to.is_empty() {
        (from, to) = (folder(&from[..from.len() - 1]), folder(&to[..to.len() - 1]));
        let other = name.strip_prefix(from).map(|rest| format!("{to}{rest}"));
        if other.as_ref().is_some_and(|other| is_known(other)) {
            return other;
        }
    }
    None
}

/// Returns a path up to its last slash, including the slash.
fn folder(path: &str) -> &str {
    &path[..path.rfind('/').map_or(0, |slash| slash + 1)]
}

#[cfg(test)]
mod tests {
    use foldhash::HashSet;

    #[cfg(feature = "schema")]
    use super::MAPS;
    use super::moved;

    /// Collects the members of the objects in a schema that map names to anything but data.
    #[cfg(feature = "schema")]
    fn maps(schema: &serde_json::Value, found: &mut std::collections::BTreeSet<String>) {
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            let entry = &member["additionalProperties"];
            if entry.is_object() && entry["$ref"] != "#/$defs/Value" {
                found.insert(name.clone());
            }
        }
        let members = schema.as_object().into_iter().flat_map(|members| members.values());
        members.chain(schema.as_array().into_iter().flatten()).for_each(|part| maps(part, found));
    }

    #[cfg(feature = "schema")]
    #[test]
    fn all_maps_of_the_model_are_known() {
        let mut found = std::collections::BTreeSet::new();
        maps(&crate::normal::json_schema(), &mut found);
        assert_eq!(found, MAPS.map(str::to_owned).into());
    }

    #[test]
    fn files_next_to_an_entry_move_with_it() {
        for (name, from, to, expected) in [
            ("a.yaml", "a.yaml", "b.yaml", Some("b.yaml")),
            ("types.yaml", "a.yaml", "b.yaml", Some("types.yaml")),
            ("old/lib/t.yaml", "old/a.yaml", "new/b.yaml", Some("new/lib/t.yaml")),
            ("lib/t.yaml", "a.yaml", "new/a.yaml", Some("new/lib/t.yaml")),
            ("old/lib/t.yaml", "old/a.yaml", "a.yaml", Some("lib/t.yaml")),
            ("tosca.simple:2.0", "a.yaml", "new/a.yaml", None),
            ("builtin:t.yaml", "old/a.yaml", "new/a.yaml", None),
            ("/shared/t.yaml", "old/a.yaml", "new/a.yaml", None),
            ("/shared/t.yaml", "a.yaml", "new/a.yaml", None),
        ] {
            assert_eq!(moved(name, from, to, |_| false).as_deref(), expected, "{name} from {from} to {to}");
        }
    }

    #[test]
    fn file_above_an_entry_moves_if_it_is_known() {
        let known: HashSet<String> = ["new/lib/t.yaml", "shared.yaml"].map(str::to_owned).into_iter().collect();
        for (name, expected) in
            [("old/lib/t.yaml", Some("new/lib/t.yaml")), ("old/lib/u.yaml", None), ("shared.yaml", None)]
        {
            assert_eq!(
                moved(name, "old/x/a.yaml", "new/x/a.yaml", |name| known.contains(name)).as_deref(),
                expected,
                "{name}"
            );
        }
    }
}
