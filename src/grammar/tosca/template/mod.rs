//! What a service consists of (2.0, 6.9).

mod capability;
mod capacity;
mod course;
mod directive;
mod fulfilment;
mod group;
mod hosting;
mod interface;
mod mapping;
mod node;
mod policy;
mod relationship;
mod requirement;
mod service;
mod substitution;
mod trigger;
mod turn;
mod weight;
mod workflow;

pub use capability::CapabilityAssignment;
pub use directive::{NodeDirectives, ScopeDirectives};
pub(crate) use fulfilment::missing_relationships;
pub(super) use fulfilment::{choose_capability, target_capability};
pub use group::GroupDefinition;
pub use interface::{InterfaceAssignment, NotificationAssignment, OperationAssignment};
pub use node::NodeTemplate;
pub use policy::PolicyDefinition;
pub use relationship::{RelationshipAssignment, RelationshipTemplate};
pub use requirement::{RequirementAssignment, TargetNode};
pub use service::ServiceTemplate;
pub use substitution::{
    AttributeMapping, CapabilityMapping, InterfaceMapping, MappedCapability, MappedInterface, OperationMapping,
    PropertyMapping, RequirementMapping, SubstitutionMapping,
};
pub use trigger::{EventFilter, Trigger, TriggerCondition};
pub(crate) use weight::{first_bare, first_bare_data_type, is_bare_data_type, needed};
pub use workflow::{Activity, OperationCall, Precondition, WorkflowCall, WorkflowDefinition, WorkflowStep};

use crate::diagnostic::Span;
use crate::diagnostic::suggest::and_list;
use crate::entity::{AnyId, Entity, References};
use crate::phase::{Context, Explain};
use crate::rules;

/// Reports a member of a group, or a target of a policy, that is not of a type that is allowed there.
fn check_allowed<T: Entity>(
    context: &mut Context<'_>,
    at: Option<Span>,
    (who, member): (&str, &str),
    allowed: &References<T>,
    found: Option<AnyId>,
) {
    check_allowed_among(
        context,
        at,
        (who, member),
        &allowed.items.iter().map(|reference| reference.erased()).collect::<Vec<_>>(),
        found,
    );
}

fn check_allowed_among(
    context: &mut Context<'_>,
    at: Option<Span>,
    (who, member): (&str, &str),
    allowed: &[crate::entity::Reference<()>],
    found: Option<AnyId>,
) {
    let Some(found) = found.filter(|_| !allowed.is_empty()) else { return };
    let targets: Vec<Option<AnyId>> = allowed.iter().map(|reference| context.any_target(*reference)).collect();
    if targets.iter().any(|allowed| allowed.is_none_or(|allowed| context.program.is_a(found, allowed))) {
        return;
    }
    let names: Vec<&str> = allowed.iter().map(|reference| context.text(reference.name)).collect();
    let message = format!("{who} is only for {}, but `{member}` is of {}", and_list(&names), context.describe(found));
    let listed = allowed.first().and_then(|reference| context.reference_span(*reference));
    context
        .problem(&rules::NOT_ALLOWED_HERE, at, message)
        .related(listed, "what is allowed is listed here")
        .help(format!("leave `{member}` out, or choose another type for {who}"));
}
