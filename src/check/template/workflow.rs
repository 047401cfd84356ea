//! Workflows, their steps and activities (2.0, chapter 13).

use super::workflow_check;
use crate::ard::{Kind, Node};
use crate::diagnostic::Help;
use crate::diagnostic::suggest::nearest;
use crate::entity::{Checked, Checks, LocalId, Text};
use crate::grammar::template::{Activity, NODE_STATES, WorkflowDefinition};
use crate::phase::read::Reader;
use crate::rules;

impl Checked for WorkflowDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.render(workflow_check::render);
}

impl Checked for Activity {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_activity);
}

fn check_activity(activity: &Activity, reader: &mut Reader<'_>, id: LocalId) {
    let Some(node) = reader.header(id).map(|header| reader.document().node(header.node)) else { return };
    if node.kind() == Kind::Map && node.len() != 1 {
        let help = "write one of `delegate`, `set_state`, `call_operation` and `inline` in each entry of the list";
        reader.not_one_entry(node, "an activity", help);
    }
    if let Some(Text(state)) = activity.set_state {
        check_state(reader, reader.document().node(state.node));
    }
}

/// Reports a state that is probably a misspelling of a standard one. A name that contains a standard state, such as
/// `restarted`, is not a misspelling.
fn check_state(reader: &mut Reader<'_>, node: Node<'_>) {
    let state = node.text();
    let Some(near) = nearest(state, NODE_STATES).filter(|_| !NODE_STATES.contains(&state)) else { return };
    if state.contains(near) || near.contains(state) {
        return;
    }
    let message = format!("`{state}` is not a standard node state");
    reader.problem(&rules::LIKELY_STATE, node, message).help(Help::did_you_mean(near));
}
