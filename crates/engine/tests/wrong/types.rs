//! Options that fields of a type have no use for.

#[path = "types/mod.rs"]
mod types;

use tosca_parse_derive::Entity;
use types::{Child, Members, Reference, Section, Text, Value, Values};

const THINGS: Section = Section(0);

/// A thing.
#[derive(Entity)]
#[entity(title = "thing")]
struct Thing {
    /// Only named entities have an order.
    #[field(sequenced)]
    sequenced: Option<Text>,
    /// Only named entities are declared.
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
    /// Only what is refined can be closed.
    #[field(closed, inherit = extend)]
    open: Members<Thing>,
    /// Only what stands in a list can stand in a map, too.
    #[field(map_too)]
    map: Members<Thing>,
    /// Only of a list one item can stand there.
    #[field(one_too)]
    one: Members<Thing>,
    /// Only members and values are assigned.
    #[field(assigns)]
    assigns: Option<Value>,
    /// Values have no room for what stands below other names.
    #[field(keyname = "*")]
    entries: Values,
    /// Values must be called something.
    #[field(assigns)]
    values: Values,
}

fn main() {}
