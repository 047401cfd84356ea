//! What can't be said together.

#[path = "types/mod.rs"]
mod types;

use tosca_parse_derive::Entity;
use types::{Members, Reference, Section, Sequence, Text, Value};

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

/// Another thing.
#[derive(Entity)]
#[entity(title = "shape")]
struct Shape {
    /// Never given.
    #[field(keyname = "")]
    never: Option<Text>,
    /// A list twice.
    #[field(sequenced, list_too)]
    twice: Sequence<Thing>,
    /// A text is a text.
    #[field(read_as(Thing))]
    text: Option<Text>,
    /// Names are names.
    #[field(list_keys)]
    members: Members<Thing>,
}

/// A pair.
#[derive(Entity)]
#[entity(title = "pair", tuple)]
struct Pair {
    /// It may be missing.
    first: Option<Text>,
    /// It may not.
    #[field(mandatory)]
    second: Option<Text>,
    /// It is an item.
    #[field(keyname = "last")]
    third: Option<Text>,
}

fn main() {}
