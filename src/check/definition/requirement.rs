//! Requirement definitions and the relationship definitions in them (2.0, 8.4).

use super::filter::check_node_filter;
use crate::diagnostic::suggest::{and_list, or_list};
use crate::diagnostic::{Help, Span};
use crate::entity::{AnyId, Checked, Checks, Id, Reference, References};
use crate::grammar::definition::{CapabilityDefinition, RequirementDefinition};
use crate::grammar::section::CAPABILITY_TYPES;
use crate::grammar::types::{NodeType, RelationshipType};
use crate::grammar::version::V2_0;
use crate::phase::namespace::LookupResult;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for RequirementDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(check);
}

fn check(_: &RequirementDefinition, context: &mut Context<'_>, id: Id<RequirementDefinition>) {
    let any = id.any();
    let (Some(own), Some(complete)) = (context.program.raw_as(id), context.get(id)) else { return };
    if context.version(any) >= V2_0 {
        // Decision A 7.
        if complete.relationship.is_none() && context.is_complete(any) {
            let message = format!("requirement `{}` names no relationship type", context.program.name(any));
            let at = context.program.name_span(any);
            context.problem(&rules::MISSING_RELATIONSHIP, at, message).help("add `relationship: …`");
        }
    }
    for filter in own.node_filter.iter() {
        check_node_filter(context, any, filter, context.target_of(complete.node));
    }
    if changes_symbol(own, context, any) {
        // Further problems are consequences of the change.
        return;
    }
    // If the refinement names an invalid node type, capabilities that this type lacks are a consequence.
    let node = own.node.and_then(|node| context.reference_span(node));
    if node.is_some_and(|node| context.program.reports(&rules::NOT_NARROWER, node)) {
        return;
    }
    check_capability(own, complete, context, any);
    if own.relationship.is_some() || own.capability.is_some() || own.node.is_some() {
        check_validity(complete, context, any);
    }
}

/// Reports a refinement that changes the name of a capability, which is not allowed (2.0, 8.4.1). Returns whether the
/// name is changed. Capability types may be changed.
fn changes_symbol(own: &RequirementDefinition, context: &mut Context<'_>, id: AnyId) -> bool {
    let Some(capability) = own.capability else { return false };
    let refined = context.program.owners(id).find_map(AnyId::cast::<NodeType>).and_then(|owner| {
        let parent = context.target_of(context.get(owner)?.derived_from)?;
        let refined = context.get(parent)?.requirements.get(context.header(id)?.name)?;
        context.get(refined)?.capability
    });
    let Some(refined) = refined.filter(|refined| refined.target(context.program).is_none()) else { return false };
    let is_changed = refined.name != capability.name && !context.program.may_lack_names(refined.unit);
    if is_changed {
        let message = format!(
            "`capability` of {} is `{}` and can't be changed to `{}`",
            context.describe(id),
            context.text(refined.name),
            context.text(capability.name),
        );
        let (at, fixed) = (context.reference_span(capability), context.reference_span(refined));
        context
            .problem(&rules::CHANGED_FIXED, at, message)
            .related(fixed, "named capability")
            .help("remove `capability`");
    }
    is_changed
}

/// Checks that the capability is a capability type, or the name of a capability of the node type.
fn check_capability(
    own: &RequirementDefinition,
    complete: &RequirementDefinition,
    context: &mut Context<'_>,
    id: AnyId,
) {
    let Some(capability) = complete.capability else { return };
    // Inherited references have been checked where they are written.
    let at = own.capability.map(Reference::erased).or(own.node.map(Reference::erased));
    let Some(at) = at.and_then(|given| context.reference_span(given)) else { return };
    let node = complete.node.and_then(|node| Some((node, context.target(node)?)));
    let node_type = node.and_then(|(reference, id)| Some((reference, id, context.get(id)?)));
    match (context.target(capability), node_type) {
        (Some(wanted), Some((reference, node, node_type))) => {
            let has = node_type.capabilities.iter().any(|(_, id)| {
                let of_type = context.get(id).and_then(|capability| context.target_of(capability.r#type));
                of_type.is_none_or(|of_type| context.program.is_a(of_type.any(), wanted.any()))
            });
            if !has {
                let message = format!(
                    "node type `{}` has no capability of type `{}`",
                    context.program.name(node.any()),
                    context.text(capability.name)
                );
                let node = context.reference_span(reference);
                let types = node_type.capabilities.iter().filter_map(|(_, id)| context.get(id)?.r#type);
                let has: Vec<&str> = types.map(|of_type| context.text(of_type.name)).collect();
                let help = match has[..] {
                    [] => "it has no capabilities".to_owned(),
                    [only] => format!("it only has a capability of type `{only}`"),
                    _ => format!("it has capabilities of the types {}", and_list(&has)),
                };
                context.problem(&rules::NODE_LACKS_CAPABILITY, Some(at), message).related(node, "node type").help(help);
            }
        }
        (Some(_), None) => {}
        (None, _) if context.names_incomplete(capability) => {}
        (None, Some((_, _, node_type))) if node_type.capabilities.get(capability.name).is_some() => {}
        (None, node_type) => {
            let has_unknown_node = complete.node.is_some() && node_type.is_none();
            let found = context.program.resolve(capability.unit, CAPABILITY_TYPES, capability.name);
            if found == LookupResult::Unreadable || has_unknown_node {
                return;
            }
            let name = context.text(capability.name);
            let message = match node_type {
                Some((_, node, _)) => format!(
                    "there is no capability type `{name}`, and node type `{}` has no capability of that name",
                    context.program.name(node.any())
                ),
                None => format!("there is no capability type `{name}`"),
            };
            let of_node = node_type.into_iter().flat_map(|(_, _, node_type)| node_type.capabilities.iter());
            let of_node = of_node.map(|(name, _)| context.text(name));
            let help = context.suggestions().nearest(name, of_node).map(Help::did_you_mean);
            let help = help.or_else(|| context.suggest(id.unit, &[CAPABILITY_TYPES], name));
            let help = help.unwrap_or_else(|| "define it, or import a file or profile that defines it".into());
            context.problem(&rules::UNKNOWN_NAME, Some(at), message).help(help);
        }
    }
}

/// Checks that the types in the requirement are valid for each other (2.0, 7.3 and 8.1).
fn check_validity(complete: &RequirementDefinition, context: &mut Context<'_>, id: AnyId) {
    let relationship =
        complete.relationship.and_then(|id| context.get(id)).and_then(|relationship| relationship.r#type);
    let relationship_type = relationship.and_then(|reference| Some((reference, context.target(reference)?)));
    let node = complete.node.and_then(|node| context.target(node));
    let symbolic = symbolic_capability(complete, context, id);
    let capability_type = complete.capability.and_then(|capability| context.target(capability));
    let capability_type = capability_type.or_else(|| context.target_of(symbolic?.r#type));
    let owner = context.program.owners(id).find_map(AnyId::cast::<NodeType>);
    if let Some((reference, of_type)) =
        relationship_type.and_then(|(reference, id)| Some((reference, context.get(id)?)))
    {
        let name = context.text(reference.name).to_owned();
        let who = format!("relationship type `{name}`");
        let at = place_within(context, reference.erased(), id);
        check_valid(context, at, &who, &of_type.valid_capability_types, capability_type.map(Id::any));
        check_valid(context, at, &who, &of_type.valid_target_node_types, node.map(Id::any));
        check_valid(context, at, &who, &of_type.valid_source_node_types, owner.map(Id::any));
        check_valid_target(context, at, &who, of_type, (capability_type.map(Id::any), node.map(Id::any)), false);
    }
    if let (Some(reference), Some(of_type)) = (complete.capability, capability_type.and_then(|id| context.get(id))) {
        let name = context.text(reference.name).to_owned();
        let (who, sources, relationships) = match symbolic {
            Some(own) => ("capability", &own.valid_source_node_types, &own.valid_relationship_types),
            None => ("capability type", &of_type.valid_source_node_types, &of_type.valid_relationship_types),
        };
        let who = format!("{who} `{name}`");
        let at = place_within(context, reference.erased(), id);
        check_valid_source(context, at, &who, sources, owner.map(Id::any));
        check_valid(context, at, &who, relationships, relationship_type.map(|(_, id)| id.any()));
    }
}

/// Returns the capability of the node type that a requirement names, if it does not name a capability type (2.0, 8.4).
fn symbolic_capability<'a>(
    complete: &RequirementDefinition,
    context: &Context<'a>,
    id: AnyId,
) -> Option<&'a CapabilityDefinition> {
    let capability = complete.capability.filter(|_| context.version(id) >= V2_0)?;
    if context.target(capability).is_some() {
        return None;
    }
    context.get(context.get(context.target_of(complete.node)?)?.capabilities.get(capability.name)?)
}

/// Returns the position of a reference within an entity; for an inherited reference, the position of the entity's name.
fn place_within(context: &Context<'_>, reference: Reference<()>, id: AnyId) -> Option<Span> {
    let program = context.program;
    let holder = program.reference_owner(reference)?;
    if holder == id || program.owners(holder).any(|owner| owner == id) {
        context.reference_span(reference)
    } else {
        program.name_span(id)
    }
}

/// Reports a node type that is not a valid source of relationships to a capability. Before 2.0, hardly any template
/// observes the restrictions of the normative capabilities.
pub(crate) fn check_valid_source(
    context: &mut Context<'_>,
    at: Option<Span>,
    who: &str,
    valid: &References<NodeType>,
    found: Option<AnyId>,
) {
    let is_simple = at.and_then(|at| context.program.unit(at.source)).is_some_and(|unit| unit.version < V2_0);
    let rule = if is_simple { &rules::INVALID_SOURCE } else { &rules::INVALID_RELATIONSHIP };
    check_valid_as(rule, context, at, who, valid, found);
}

/// Reports a relationship to a target that its type does not list. Before 2.0, a single list contained capability types
/// and, in examples, node types (decision B 10). A target that is not final may get a derived type later.
pub(crate) fn check_valid_target(
    context: &mut Context<'_>,
    at: Option<Span>,
    who: &str,
    relationship: &RelationshipType,
    (capability, node): (Option<AnyId>, Option<AnyId>),
    is_final: bool,
) {
    let list = &relationship.valid_target_types;
    let is_node = |id: AnyId| id.kind == <NodeType as crate::entity::Entity>::KIND;
    let of_nodes = list.iter().filter_map(|reference| context.any_target(*reference)).all(is_node);
    // The node type only counts if there is no capability, or if only node types are listed.
    let (found, other) = if of_nodes { (node, capability) } else { (capability, node) };
    let is_valid = |found: AnyId| {
        let mut valid = list.iter().map(|reference| context.any_target(*reference));
        // The type of the final capability may be derived from the required type.
        let is_related = |valid| context.program.is_a(found, valid) || !is_final && context.program.is_a(valid, found);
        valid.any(|valid| valid.is_none_or(is_related))
    };
    if found.is_some_and(|found| !is_valid(found)) && !other.is_some_and(is_valid) {
        check_valid_as(&rules::INVALID_TARGET, context, at, who, list, found);
    }
}

/// Reports a type that is not in the list of valid types.
pub(crate) fn check_valid<T: crate::entity::Entity>(
    context: &mut Context<'_>,
    at: Option<Span>,
    who: &str,
    valid: &References<T>,
    found: Option<AnyId>,
) {
    check_valid_as(&rules::INVALID_RELATIONSHIP, context, at, who, valid, found);
}

fn check_valid_as<T>(
    rule: &'static crate::diagnostic::Rule,
    context: &mut Context<'_>,
    at: Option<Span>,
    who: &str,
    valid: &References<T>,
    found: Option<AnyId>,
) {
    let Some(found) = found.filter(|_| !valid.is_empty()) else { return };
    if context.is_listed(found, valid) {
        return;
    }
    let names: Vec<&str> = valid.iter().map(|reference| context.text(reference.name)).collect();
    let message = format!("{who} is only valid with {}, not with {}", or_list(&names), context.describe(found));
    let help = format!("use a different type, or add `{}` to the valid types", context.program.name(found));
    let listed = valid.first().and_then(|reference| context.reference_span(*reference));
    context.problem(rule, at, message).related(listed, "valid types").help(help);
}
