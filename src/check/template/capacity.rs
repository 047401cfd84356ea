//! Allocations of requirements, and the capacity of capabilities (2.0, 8.5.5).

use bigdecimal::Zero;
use foldhash::HashMap;

use crate::ard::Node;
use crate::data::{
    Amount, Evaluator, NodeContext, PathContext, RelationshipContext, ValueContext, amounts, computed_integer,
};
use crate::entity::{AnyId, Id, Value};
use crate::grammar::template::{NodeTemplate, RequirementAssignment, ServiceTemplate};
use crate::phase::{Context, DiagnosticExt};
use crate::rules;
use crate::value::Number;

/// The allocated amounts, by node template, capability and property.
type Allocated<'a> = HashMap<(AnyId, AnyId, &'a str), Number>;

/// Reports allocations that exceed the capacity of a capability, as far as the amounts are known.
pub(super) fn check_allocations(context: &mut Context<'_>, service: &ServiceTemplate) {
    let mut taken = Allocated::default();
    for (_, id) in service.node_templates.iter() {
        let Some(template) = context.get(id).filter(|template| !template.directives.only_selects()) else { continue };
        for (_, assignment) in &template.requirements {
            check_allocation(context, &mut taken, id, *assignment);
        }
    }
}

fn check_allocation<'a>(
    context: &mut Context<'a>,
    taken: &mut Allocated<'a>,
    source: Id<NodeTemplate>,
    id: Id<RequirementAssignment>,
) -> Option<()> {
    let assignment = context.get(id)?;
    let allocation = context.node(assignment.allocation.position?)?;
    let relationship = RelationshipContext::of_assignment(context, id, NodeContext::of_template(context, source));
    let (capability, target) = (relationship.capability, relationship.target.template?);
    let definition = capability.definition?.any();
    let made = count(context, id.any(), assignment.count)?;
    let sources = count(context, source.any(), context.get(source)?.count)?;
    let targets = count(context, target.any(), context.get(target)?.count)?;
    let mut evaluator =
        Evaluator::of_values(context, ValueContext::about(id.any(), PathContext::Relationship(relationship)));
    for Amount { name, wanted, capacity } in amounts(&mut evaluator, allocation, capability) {
        let (Some(wanted), Some(capacity)) = (wanted, capacity) else { continue };
        let used = taken.entry((target.any(), definition, name)).or_default();
        let left = capacity * Number::from(targets) - &*used;
        let wanted = wanted * Number::from(made.saturating_mul(sources));
        *used += &wanted;
        if wanted > left {
            report(context, allocation.find(name)?.value, (target.any(), definition), name, (&wanted, &left));
        }
    }
    Some(())
}

/// Returns the number of nodes or relationships; `None` if it is unknown.
fn count(context: &mut Context<'_>, at: AnyId, count: Option<Value>) -> Option<u64> {
    let Some(Value(count)) = count else { return Some(1) };
    computed_integer(&mut Evaluator::of_values(context, ValueContext::of(at)), count)
}

fn report(
    context: &mut Context<'_>,
    at: Node<'_>,
    (target, capability): (AnyId, AnyId),
    name: &str,
    (wanted, left): (&Number, &Number),
) {
    let plain = |number: &Number| number.normalized().to_plain_string();
    let has = if *left <= Number::zero() { "none left".to_owned() } else { format!("only {} left", plain(left)) };
    let message = format!(
        "{} of `{name}` is allocated, but capability `{}` of `{}` has {has}",
        plain(wanted),
        context.program.name(capability),
        context.program.name(target),
    );
    let node = context.program.name_span(target);
    context
        .problem(&rules::EXCESSIVE_ALLOCATION, Some(at.span()), message)
        .related(node, "node")
        .help("allocate less, raise the capacity of the node, or name a different node");
}
