//! Comparison of two versions of a service in different folders: the types and scripts in each folder count as the
//! same.

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use serde_json::Value as Json;

use super::super::Service;

/// The members that name files.
const NAMES: [&str; 3] = ["origin", "type_origin", "base"];

/// The members that hold data, where names can have any meaning.
const DATA: [&str; 6] = ["value", "expression", "metadata", "$call", "validation", "source"];

/// The members that are maps with names chosen by authors, so that a node may be called `value`, for example.
const MAPS: [&str; 18] = [
    "allocation",
    "artifacts",
    "attributes",
    "capabilities",
    "groups",
    "inputs",
    "interfaces",
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
pub(super) enum Part {
    /// An object with fields of the model, or a list of them.
    Entity,
    /// A map of entities with names chosen by authors.
    Names,
    /// A value.
    Data,
}

impl Part {
    /// Returns the kind of a member.
    pub(super) fn member(self, name: &str, member: &Json) -> Self {
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

/// Moves a service and the files next to it to the path of the other version, because a different path should not count
/// as a difference.
pub(super) fn beside<'s>(old: &'s Service, new: &Service) -> Cow<'s, Service> {
    if old.file == new.file {
        return Cow::Borrowed(old);
    }
    let mut known = FxHashSet::default();
    let mut visit = |name: &mut String| {
        known.insert(name.clone());
    };
    files(&mut serde_json::to_value(new).unwrap_or_default(), Part::Entity, &mut visit);
    let mut json = serde_json::to_value(old).unwrap_or_default();
    files(&mut json, Part::Entity, &mut |name| {
        if let Some(other) = moved(name, &old.file, &new.file, &known) {
            *name = other;
        }
    });
    // A serialized model can be deserialized.
    serde_json::from_value(json).map_or(Cow::Borrowed(old), Cow::Owned)
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
/// profile. `known` has the files of the new version, because a file above the folder of the entry may have moved or
/// not.
fn moved(name: &str, from: &str, to: &str, known: &FxHashSet<String>) -> Option<String> {
    if name == from {
        return Some(to.to_owned());
    }
    let (from, to) = (folder(from), folder(to));
    let is_file = !name.contains(':') && [".yaml", ".yml"].iter().any(|ending| name.ends_with(ending));
    if let Some(rest) = name.strip_prefix(from).filter(|_| !from.is_empty() || is_file && !name.starts_with('/')) {
        return Some(format!("{to}{rest}"));
    }
    let (mut from, mut to) = (from, to);
    while is_file && !known.contains(name) && !from.is_empty() && !to.is_empty() {
        (from, to) = (folder(&from[..from.len() - 1]), folder(&to[..to.len() - 1]));
        let other = name.strip_prefix(from).map(|rest| format!("{to}{rest}"));
        if other.as_ref().is_some_and(|other| known.contains(other)) {
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
    use rustc_hash::FxHashSet;

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
            let known = FxHashSet::default();
            assert_eq!(moved(name, from, to, &known).as_deref(), expected, "{name} from {from} to {to}");
        }
    }

    #[test]
    fn file_above_an_entry_moves_if_it_is_known() {
        let known: FxHashSet<String> = ["new/lib/t.yaml", "shared.yaml"].map(str::to_owned).into_iter().collect();
        for (name, expected) in
            [("old/lib/t.yaml", Some("new/lib/t.yaml")), ("old/lib/u.yaml", None), ("shared.yaml", None)]
        {
            assert_eq!(moved(name, "old/x/a.yaml", "new/x/a.yaml", &known).as_deref(), expected, "{name}");
        }
    }
}
