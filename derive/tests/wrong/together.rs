//! What can't be said together.

#[path = "types/mod.rs"]
mod types;

use tosca_parse_derive::Entity;
use types::{Reference, Section, Text, Value};

const THINGS: Section = Section(0);

/// A thing.
#[derive(Entity)]
#[entity(title = "thing")]
struct Thing {
    /// Both are a bare scalar.
    #[field(short(scalar))]
    one: Option<Text>,
    /// Both are a bare scalar.
    #[field(short(list, scalar))]
    other: Option<Value>,
    /// It has the keyname of another.
    #[field(keyname = "one")]
    again: Option<Text>,
    /// Versions of which keyname?
    #[field(keyname = "versions", tolerated)]
    versions: Option<Text>,
    /// Two definitions.
    #[field(definition, lookup(THINGS))]
    r#type: Option<Reference<Thing>>,
    /// Two definitions.
    #[field(definition, lookup(THINGS))]
    kind: Option<Reference<Thing>>,
    /// A role without names.
    #[field(parent)]
    parent: Option<Text>,
}

/// A thing.
#[derive(Entity)]
#[entity(title = "thing")]
struct Other {
    /// Two roles.
    #[field(parent, copy, lookup(THINGS))]
    roles: Option<Reference<Thing>>,
    /// Two rules.
    #[field(inherit = fixed, inherit = overwrite)]
    rules: Option<Text>,
    /// Seen or not?
    #[field(skip, mandatory)]
    skipped: Option<Text>,
    /// Once more.
    #[field(early)]
    #[field(early)]
    early: Option<Text>,
}

fn main() {}
