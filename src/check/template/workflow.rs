//! Workflows, their steps and activities (2.0, chapter 13).

use super::course;
use crate::ard::Kind;
use crate::entity::{Checked, Checks, Local};
use crate::grammar::template::{Activity, WorkflowDefinition};
use crate::phase::read::Reader;

impl Checked for WorkflowDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.render(course::render);
}

impl Checked for Activity {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_activity);
}

fn check_activity(_: &Activity, reader: &mut Reader<'_>, id: Local) {
    let Some(node) = reader.header(id).map(|header| reader.document().node(header.node)) else { return };
    if node.kind() == Kind::Map && node.len() != 1 {
        let help = "write one of `delegate`, `set_state`, `call_operation` and `inline` in each entry of the list";
        reader.not_one_entry(node, "an activity", help);
    }
}
