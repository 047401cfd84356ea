//! Options that don't apply to the type of the field.

/// A thing.
#[derive(Entity)]
#[entity(title = "thing")]
struct Thing {
    /// Only members can be sequenced.
    #[field(sequenced)]
    sequenced: Option<Text>,
    /// Only members can have a section.
    #[field(section = THINGS)]
    section: Child<Thing>,
    /// Only names can be narrowed.
    #[field(inherit = narrow)]
    narrow: Option<Value>,
    /// Only clauses accumulate.
    #[field(inherit = accumulate)]
    accumulate: Members<Thing>,
    /// Only entities are refined.
    #[field(inherit = refine)]
    refine: Values,
    /// Only members are replaced.
    #[field(inherit = replace)]
    replace: Child<Thing>,
    /// Only scalars have bounds.
    #[field(inherit = within)]
    within: Option<Reference<Thing>>,
    /// Only members can be closed, and only if they are refined.
    #[field(closed)]
    closed: Child<Thing>,
    /// Only refined members can be closed.
    #[field(closed, inherit = extend)]
    open: Members<Thing>,
    /// Only sequenced members can also be a map.
    #[field(map_too)]
    map: Members<Thing>,
    /// Only lists can be written as a single item.
    #[field(one_too)]
    one: Members<Thing>,
    /// Only members and values are assigned.
    #[field(assigns)]
    assigns: Option<Value>,
    /// Only members can have the keyname `*`.
    #[field(keyname = "*")]
    entries: Values,
    /// Assigned values need a title.
    #[field(assigns)]
    values: Values,
}
