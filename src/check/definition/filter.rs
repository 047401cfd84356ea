//! What node filters and conditions looked like before TOSCA 2.0, when they were no calls of functions.
//!
//! Fields hold them as values of both kinds, and say that earlier versions read them as these entities. What they mean
//! is in `data`, which goes through the values.

use crate::ard::Kind;
use crate::entity::{Checked, Checks, Described as _, Local};
use crate::grammar::definition::CapabilityFilter;
use crate::phase::read::Reader;

impl Checked for CapabilityFilter {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_capability);
}

/// Unlike other entities before 2.0, one of which nothing is said makes no sense.
fn check_capability(_: &CapabilityFilter, reader: &mut Reader<'_>, id: Local) {
    let Some(node) = reader.header(id).map(|header| reader.document().node(header.node)) else { return };
    if node.kind() == Kind::Null {
        let what = reader.title(CapabilityFilter::default().description(), id);
        reader.wrong_kind(node, &what, "a map").help("write `properties: [ … ]` in it");
    }
}
