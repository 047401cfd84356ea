//! Options and words that the macro does not know.

/// Options of the entity.
#[derive(Entity)]
#[entity(titel = "thing")]
struct Misspelt {
    /// A field.
    text: Option<Text>,
}

/// Options of fields.
#[derive(Entity)]
#[entity(title = "thing")]
struct Thing {
    /// An option.
    #[field(inherits = overwrite)]
    option: Option<Text>,
    /// A path.
    #[field(some::option)]
    path: Option<Text>,
    /// A rule.
    #[field(inherit = override_)]
    rule: Option<Text>,
    /// A short form.
    #[field(short(number))]
    short: Option<Text>,
    /// An option of a keyname.
    #[field(keyname("key", from = V1))]
    keyname: Option<Text>,
    /// An option of being mandatory.
    #[field(mandatory(always))]
    mandatory: Option<Text>,
    /// An option of being closed.
    #[field(inherit = refine, closed(always), section = THINGS)]
    closed: Members<Thing>,
    /// A choice.
    #[field(assigns(title = "value", undeclared = ignored))]
    assigns: Values,
}
