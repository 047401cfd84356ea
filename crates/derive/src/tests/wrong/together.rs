//! Options that exclude or need each other.

/// A thing.
#[derive(Entity)]
#[entity(title = "thing")]
struct Thing {
    /// The first field for a bare scalar.
    #[field(short(scalar))]
    one: Option<Text>,
    /// The second field for a bare scalar.
    #[field(short(list, scalar))]
    other: Option<Value>,
    /// The keyname of another field.
    #[field(keyname = "one")]
    again: Option<Text>,
    /// Options of the keyname outside `keyname(…)`.
    #[field(keyname = "versions", tolerated)]
    versions: Option<Text>,
    /// Two definitions.
    #[field(definition, lookup(THINGS))]
    r#type: Option<Reference<Thing>>,
    /// Two definitions.
    #[field(definition, lookup(THINGS))]
    kind: Option<Reference<Thing>>,
    /// A role without `lookup`.
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
    /// An option without effect.
    #[field(skip, mandatory)]
    skipped: Option<Text>,
    /// The same option twice.
    #[field(early)]
    #[field(early)]
    early: Option<Text>,
}

/// Another thing.
#[derive(Entity)]
#[entity(title = "shape")]
struct Shape {
    /// Neither a keyname nor a short form.
    #[field(keyname = "")]
    never: Option<Text>,
    /// A field that is a list anyway.
    #[field(sequenced, list_too)]
    twice: Sequence<Thing>,
    /// `read_as` for a text.
    #[field(read_as(Thing))]
    text: Option<Text>,
    /// `list_keys` for members without an order.
    #[field(list_keys)]
    members: Members<Thing>,
}

/// A pair.
#[derive(Entity)]
#[entity(title = "pair", tuple)]
struct Pair {
    /// An optional item.
    first: Option<Text>,
    /// A mandatory item.
    #[field(mandatory)]
    second: Option<Text>,
    /// An item with a keyname.
    #[field(keyname = "last")]
    third: Option<Text>,
}
