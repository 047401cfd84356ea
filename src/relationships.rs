//! Relationships that a service has beyond its assignments, the targets of mapped requirements, and the nodes of groups
//! and policies.

use crate::ard::{Kind, Node};
use crate::entity::{AnyId, Id, Members, Value};
use crate::grammar::CountRange;
use crate::grammar::definition::RequirementDefinition;
use crate::grammar::section::NODE_TEMPLATES;
use crate::grammar::template::{
    GroupDefinition, NodeTemplate, PolicyDefinition, RequirementAssignment, RequirementMapping,
};
use crate::grammar::version::V2_0;
use crate::phase::Context;
use crate::symbol::Symbol;

/// Returns the requirements of a type that need a relationship even if the template does not assign them.
pub(crate) fn mandatory<'a>(
    context: &'a Context<'_>,
    requirements: &'a Members<RequirementDefinition>,
) -> impl Iterator<Item = (Symbol, Id<RequirementDefinition>)> + 'a {
    requirements.iter().filter(|(_, id)| {
        let range = context.get(*id).and_then(|definition| definition.count_range.as_ref());
        range.map_or(CountRange::default_of(context.version(id.any())), |range| range.value).lower > 0
    })
}

/// Returns the number of mandatory relationships that a node template does not assign.
///
/// In 2.0, a template that assigns a requirement too few times is invalid; before 2.0, the processor adds the rest.
pub(crate) fn missing_relationships(
    context: &Context<'_>,
    node: AnyId,
    template: &NodeTemplate,
    name: Symbol,
    definition: Id<RequirementDefinition>,
) -> u64 {
    let range = context.get(definition).and_then(|definition| definition.count_range.as_ref());
    let least = range.map_or(CountRange::default_of(context.version(definition.any())), |range| range.value).lower;
    let mut assigned = template.requirements.iter().filter(|(of, _)| *of == name).peekable();
    if assigned.peek().is_some() && context.version(node) >= V2_0 {
        return 0;
    }
    let count = |id: Id<RequirementAssignment>| match context.get(id)?.count {
        None => Some(1),
        Some(Value(count)) => u64::try_from(context.node(count)?.as_integer()?).ok(),
    };
    assigned.map(|(_, id)| count(*id)).sum::<Option<u64>>().map_or(0, |sum| least.saturating_sub(sum))
}

/// Returns the targets of a requirement mapping. Two names in a list mean a node template and its requirement, unless
/// the second name is a node template as well (2.0, 15.5). No annotation can express this.
pub(crate) fn requirement_targets<'a>(mapping: &RequirementMapping, context: &Context<'a>, at: AnyId) -> Vec<Node<'a>> {
    let Some(node) = mapping.targets.and_then(|Value(targets)| context.node(targets)) else { return Vec::new() };
    let is_template = |node: Node<'_>| {
        let symbol = context.program.interner.get(node.text());
        symbol.is_some_and(|symbol| context.resolve(at, NODE_TEMPLATES, symbol).id().is_some())
    };
    let is_pair = node.len() == 2
        && node.items().all(|item| item.kind() == Kind::String)
        && node.items().nth(1).is_some_and(|second| !is_template(second));
    if node.kind() == Kind::List && !is_pair && context.version(at) >= V2_0 {
        node.items().collect()
    } else {
        vec![node]
    }
}

/// Returns the node templates that a group or policy applies to, directly or through groups; `None` if some are
/// unknown.
pub(crate) fn templates_of(context: &Context<'_>, several: AnyId) -> Option<Vec<Id<NodeTemplate>>> {
    let mut templates = Vec::new();
    let mut owners = vec![several];
    let mut next = 0;
    while let Some(owner) = owners.get(next).copied() {
        next += 1;
        let references = match owner.cast::<GroupDefinition>() {
            Some(group) => &context.get(group)?.members,
            None => &context.get(owner.cast::<PolicyDefinition>()?)?.targets,
        };
        for reference in references {
            let target = context.any_target(*reference)?;
            match target.cast() {
                Some(template) => templates.push(template),
                None if owners.contains(&target) => {}
                None => owners.push(target),
            }
        }
    }
    Some(templates)
}
