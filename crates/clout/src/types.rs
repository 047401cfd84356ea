//! Types, with the names that Puccini gives to them.

use std::borrow::Cow;

use foldhash::HashSet;
use serde_json::{Map, Value, json};
use tosca_parse::normal::TypeName;

/// The sections of the normative types of TOSCA 1.x, longest first. Each name begins with `tosca.` and its section.
const SECTIONS: &[&str] = &[
    "nodes.network",
    "nodes",
    "capabilities.network",
    "capabilities",
    "relationships.network",
    "relationships",
    "datatypes.network",
    "datatypes",
    "interfaces.node.lifecycle",
    "interfaces.relationship",
    "interfaces",
    "artifacts",
    "policies",
    "groups",
];

/// Returns the name of a type: `tosca::Compute` for the normative type `tosca.nodes.Compute`.
pub(super) fn type_name<'n>(name: &'n str, origin: Option<&str>) -> Cow<'n, str> {
    let Some(rest) = name.strip_prefix("tosca.").filter(|_| origin.is_none()) else { return Cow::Borrowed(name) };
    let short = SECTIONS.iter().find_map(|section| rest.strip_prefix(section)?.strip_prefix('.'));
    short.map_or(Cow::Borrowed(name), |short| Cow::Owned(format!("tosca::{short}")))
}

/// Returns a type and its ancestors by name, each with its parent.
pub(super) fn types(types: &[TypeName]) -> Value {
    let mut seen = HashSet::default();
    let names: Vec<String> = types
        .iter()
        .map(|of_type| {
            let name = type_name(&of_type.name, of_type.origin.as_deref()).into_owned();
            if seen.insert(name.clone()) {
                return name;
            }
            // Types of different files may have the same name.
            let name = format!("{}::{name}", of_type.origin.as_deref().unwrap_or_default());
            seen.insert(name.clone());
            name
        })
        .collect();
    let mut all = Map::new();
    for (index, of_type) in types.iter().enumerate() {
        let mut entry = Map::new();
        if let Some(version) = &of_type.version {
            entry.insert("version".to_owned(), json!(version));
        }
        if let Some(parent) = names.get(index + 1) {
            entry.insert("parent".to_owned(), json!(parent));
        }
        all.insert(names[index].clone(), Value::Object(entry));
    }
    Value::Object(all)
}
