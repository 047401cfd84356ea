//! Node filters and conditions before TOSCA 2.0. In 2.0, they are function calls.
//!
//! Fields store both forms as values; annotations declare that earlier versions read them as these entities. The
//! module `data` implements their meaning by traversing the values.

use crate::ard::Kind;
use crate::entity::{Checked, Checks, Described as _, LocalId};
use crate::grammar::definition::CapabilityFilter;
use crate::phase::read::Reader;

impl Checked for CapabilityFilter {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_capability);
}

/// Reports a capability filter without a map. Unlike with other entities before 2.0, an empty one makes no sense.
fn check_capability(_: &CapabilityFilter, reader: &mut Reader<'_>, id: LocalId) {
    let Some(node) = reader.header(id).map(|header| reader.document().node(header.node)) else { return };
    if node.kind() == Kind::Null {
        let what = reader.title(CapabilityFilter::default().description(), id);
        reader.wrong_kind(node, &what, "a map").help("write `properties: [ … ]` in it");
    }
}
