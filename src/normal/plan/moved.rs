//! Versions of a service in different files, whose own types and scripts are the same nevertheless.

use std::borrow::Cow;

use serde_json::Value as Json;

use super::super::Service;

/// The members that name files.
const NAMES: [&str; 3] = ["origin", "type_origin", "base"];

/// The members that hold data, in which a name may mean anything.
const DATA: [&str; 6] = ["value", "expression", "metadata", "arguments", "validation", "source"];

/// The members that are maps of what authors have named: `value` may be a node there.
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

/// A service as if it stood where another version of it does, with what is beside it: to have another path is no
/// difference.
pub(super) fn beside<'s>(old: &'s Service, new: &Service) -> Cow<'s, Service> {
    if old.file == new.file {
        return Cow::Borrowed(old);
    }
    let mut json = serde_json::to_value(old).unwrap_or_default();
    rename(&mut json, &|name| moved(name, &old.file, &new.file));
    // What has been written can be read.
    serde_json::from_value(json).map_or(Cow::Borrowed(old), Cow::Owned)
}

fn rename(json: &mut Json, moved: &dyn Fn(&str) -> Option<String>) {
    match json {
        Json::Object(members) => {
            for (name, member) in members.iter_mut().filter(|(name, _)| !DATA.contains(&name.as_str())) {
                match member {
                    Json::String(text) if NAMES.contains(&name.as_str()) => {
                        if let Some(other) = moved(text) {
                            *text = other;
                        }
                    }
                    Json::Object(entries) if MAPS.contains(&name.as_str()) => {
                        entries.values_mut().for_each(|entry| rename(entry, moved));
                    }
                    _ => rename(member, moved),
                }
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|item| rename(item, moved)),
        _ => {}
    }
}

/// The name of a file that stands with the entry, if it did so with another one; nothing for what is elsewhere, such as
/// a profile.
fn moved(name: &str, from: &str, to: &str) -> Option<String> {
    if name == from {
        return Some(to.to_owned());
    }
    let (from, to) = (folder(from), folder(to));
    let is_file =
        !name.contains(':') && !name.starts_with('/') && [".yaml", ".yml"].iter().any(|ending| name.ends_with(ending));
    let rest = name.strip_prefix(from).filter(|_| !from.is_empty() || is_file)?;
    Some(format!("{to}{rest}"))
}

/// The part of a path before the name, with the slash.
fn folder(path: &str) -> &str {
    &path[..path.rfind('/').map_or(0, |slash| slash + 1)]
}

#[cfg(test)]
mod tests {
    use super::{MAPS, moved};

    /// The members of the objects of a schema that are maps of names to something else than data.
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
    fn what_is_beside_an_entry_moves_with_it() {
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
            assert_eq!(moved(name, from, to).as_deref(), expected, "{name} from {from} to {to}");
        }
    }
}
