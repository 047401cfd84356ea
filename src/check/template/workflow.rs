//! Workflows, their steps and activities (2.0, chapter 13).

use super::course;
use crate::ard::Kind;
use crate::entity::{Checked, Checks, Field as _, Local};
use crate::grammar::template::{Activity, WorkflowDefinition};
use crate::phase::read::Reader;
use crate::rules;

impl Checked for WorkflowDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_workflow).render(course::render);
}

fn check_workflow(workflow: &WorkflowDefinition, reader: &mut Reader<'_>, id: Local) {
    if !(workflow.steps.is_set() && workflow.implementation.is_set()) {
        return;
    }
    let Some(node) = reader.header(id).map(|header| reader.document().node(header.node)) else { return };
    if let Some(entry) = node.find("implementation") {
        let problem = reader
            .problem(
                &rules::STEPS_XOR_IMPLEMENTATION,
                entry.key,
                "a workflow has either `steps` or an `implementation`, not both",
            )
            .help("remove one of them");
        if let Some(steps) = node.find("steps") {
            problem.related(steps.key.span(), "the steps are here");
        }
    }
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
