//! Checks of fulfilled requirements: nodes, capabilities and relationships must be compatible (2.0, 8.4 and 8.5).

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::ard::{Kind, Node};
use crate::check::definition::filter::check_node_filter;
use crate::check::definition::requirement::{check_valid, check_valid_source, check_valid_target};
use crate::data::checks;
use crate::data::{
    DataKind, Judge, PathContext, RelationshipContext, Schema, Typed, ValueContext, check_count,
    check_filter_of_derived, choose_capability, fitting_capabilities,
};
use crate::diagnostic::Help;
use crate::diagnostic::suggest::or_list;
use crate::entity::{AnyId, Entity as _, Id, NodeRef, Reference, References, Value};
use crate::grammar::CountRange;
use crate::grammar::definition::{CapabilityDefinition, RequirementDefinition};
use crate::grammar::section::NODE_TEMPLATES;
use crate::grammar::template::{NodeTemplate, RelationshipAssignment, RelationshipTemplate, RequirementAssignment};
use crate::grammar::types::{CapabilityType, NodeType, RelationshipType};
use crate::grammar::version::V2_0;
use crate::phase::rendering::RenderedEntity;
use crate::phase::{Check, Context, DiagnosticExt};
use crate::rules;
use crate::symbol::Symbol;

/// Checks the requirement assignments of a node template.
pub(super) fn check_requirements(
    context: &mut Context<'_>,
    template: &NodeTemplate,
    id: AnyId,
    node_type_id: Id<NodeType>,
) {
    let Some(node_type) = context.get(node_type_id) else { return };
    for (name, assignment) in &template.requirements {
        match node_type.requirements.get(*name) {
            Some(definition) => {
                Fulfilment { source: id, source_type: node_type_id, assignment: *assignment, definition }
                    .check(context);
            }
            // An unreadable assignment has been reported and may not be a requirement at all.
            None if is_unread(context, *assignment) => {}
            None => {
                undeclared(context, node_type, node_type_id, *name, *assignment);
                check_undefined(context, *assignment);
            }
        }
    }
    let mut by_name: IndexMap<Symbol, Vec<Id<RequirementAssignment>>, FxBuildHasher> = IndexMap::default();
    for (name, assignment) in &template.requirements {
        by_name.entry(*name).or_default().push(*assignment);
    }
    for (name, assignments) in by_name {
        if let Some(definition) = node_type.requirements.get(name) {
            check_counts(context, name, &assignments, definition);
        }
    }
}

/// Checks the values of a requirement assignment without a definition.
pub(super) fn check_undefined(context: &mut Context<'_>, id: Id<RequirementAssignment>) {
    let Some(assignment) = context.get(id) else { return };
    if let Some(relationship) = assignment.relationship.map(Id::any) {
        let definition = context.definition(relationship).filter(|id| id.kind == RelationshipType::KIND);
        context.apply::<RelationshipAssignment>(&RenderedEntity {
            is_checked: false,
            ..RenderedEntity::of(relationship, definition)
        });
    }
    for Value(count) in assignment.count.iter().copied().chain(assignment.node.index.map(Value)) {
        check_count(context, id.any(), count);
    }
    if let Some(filter) = assignment.node_filter {
        check_node_filter(context, id.any(), filter, None);
    }
}

/// Returns whether an assignment is in the short form but names nothing.
fn is_unread(context: &Context<'_>, id: Id<RequirementAssignment>) -> bool {
    let node = context.header(id.any()).and_then(|header| context.node(NodeRef { unit: id.unit, node: header.node }));
    let is_short = node.is_some_and(|node| !matches!(node.kind(), Kind::Map | Kind::Null));
    is_short && context.get(id).is_some_and(|assignment| assignment.node.reference.is_none())
}

fn undeclared(
    context: &mut Context<'_>,
    node_type: &NodeType,
    id: Id<NodeType>,
    name: Symbol,
    assignment: Id<RequirementAssignment>,
) {
    let header = context.header(assignment.any());
    let unit = context.program.unit(assignment.unit);
    if header.zip(unit).is_some_and(|(header, unit)| unit.is_nameless(header.key)) {
        return;
    }
    let names = node_type.requirements.iter().map(|(name, _)| context.text(name));
    let help = context.did_you_mean(context.text(name), names, "it has");
    let message = format!("{} has no requirement `{}`", context.describe(id.any()), context.text(name));
    let (at, defined) = (context.program.name_span(assignment.any()), context.program.name_span(id.any()));
    context.problem(&rules::UNDECLARED, at, message).help_if(help).related(defined, "defined here");
}

/// Checks the number of relationships. Without any assignment, the processor establishes all relationships (decisions A
/// 40 and B 2).
fn check_counts(
    context: &mut Context<'_>,
    name: Symbol,
    assignments: &[Id<RequirementAssignment>],
    definition: Id<RequirementDefinition>,
) {
    let Some(requirement) = context.get(definition) else { return };
    let version = context.version(definition.any());
    let range = requirement.count_range.as_ref().map_or(CountRange::default_of(version), |range| range.value);
    let (mut all, mut needed) = (0u64, 0u64);
    for id in assignments {
        let Some(assignment) = context.get(*id) else { return };
        let count = match assignment.count {
            None => 1,
            // A computed count is unknown.
            Some(Value(count)) => match context.node(count).and_then(|node| u64::try_from(node.as_integer()?).ok()) {
                Some(count) => count,
                None => return,
            },
        };
        all = all.saturating_add(count);
        if !assignment.optional.as_ref().is_some_and(|optional| optional.value) {
            needed = needed.saturating_add(count);
        }
    }
    let name = context.text(name);
    let (defined, label) = match &requirement.count_range {
        Some(range) => (context.span(range.position), "the range is given here"),
        None => (context.program.name_span(definition.any()), "defined here, without a range"),
    };
    for id in assignments {
        let Some(own) = context.get(*id).and_then(|assignment| assignment.occurrences.as_ref()) else { continue };
        if !own.value.overlaps(range) {
            let message = format!("the occurrences {} of requirement `{name}` are outside of {range}", own.value);
            let at = context.span(own.position);
            let help = "write a narrower range, or widen the range in the type";
            context.problem(&rules::REQUIREMENT_COUNT, at, message).related(defined, label).help(help);
        }
    }
    let too_many = range.upper.is_some_and(|upper| all > upper);
    // Before 2.0, missing relationships are left to the processor.
    let too_few = needed < range.lower && version >= V2_0;
    if !too_many && !too_few {
        return;
    }
    let (message, help) = if too_many {
        let most = range.upper.unwrap_or(u64::MAX);
        (
            format!("requirement `{name}` has {}, but may have at most {most}", relationships(all)),
            "remove assignments, or widen the range",
        )
    } else {
        let has = relationships(needed);
        (
            format!("requirement `{name}` has {has} that must be fulfilled, but needs at least {}", range.lower),
            "add assignments, or widen the range; assignments with `optional: true` don't count",
        )
    };
    let excess = if too_many { assignments.last() } else { assignments.first() };
    let at = excess.and_then(|id| context.program.name_span(id.any()));
    context.problem(&rules::REQUIREMENT_COUNT, at, message).related(defined, label).help(help);
}

/// Formats a number of relationships.
pub(super) fn relationships(count: u64) -> String {
    if count == 1 { "1 relationship".to_owned() } else { format!("{count} relationships") }
}

/// A requirement assignment, with the entities that it must be compatible with.
struct Fulfilment {
    source: AnyId,
    source_type: Id<NodeType>,
    assignment: Id<RequirementAssignment>,
    definition: Id<RequirementDefinition>,
}

/// The target that an assignment names.
#[derive(Clone, Copy)]
struct Target {
    reference: Reference<()>,
    id: AnyId,
    /// The named node type, or the type of the named node template.
    node_type: Option<Id<NodeType>>,
}

/// The type of a relationship and the types at its ends; `None` for those that are open.
#[derive(Clone, Copy, Default)]
struct RelationshipTypes {
    source: Option<AnyId>,
    relationship: Option<AnyId>,
    capability: Option<AnyId>,
    target: Option<AnyId>,
}

/// Returns whether an assignment contains nothing to check but the node that it names.
fn is_plain(assignment: &RequirementAssignment) -> bool {
    let RequirementAssignment { node, capability, relationship, allocation, count, node_filter, .. } = assignment;
    node.index.is_none()
        && capability.is_none()
        && relationship.is_none()
        && allocation.position.is_none()
        && count.is_none()
        && node_filter.is_none()
}

impl Fulfilment {
    fn check(&self, context: &mut Context<'_>) {
        let (Some(assignment), Some(definition)) = (context.get(self.assignment), context.get(self.definition)) else {
            return;
        };
        let target = assignment.node.reference.and_then(|reference| {
            let id = context.any_target(reference)?;
            Some(Target { reference, id, node_type: node_type_of(context, id) })
        });
        let plain = target.filter(|target| target.id.kind == NodeTemplate::KIND && is_plain(assignment));
        let check = plain.and_then(|target| Some(self.cached(context, target.node_type?)));
        if check.is_some_and(|check| context.has_passed(&check)) {
            return;
        }
        let before = context.problems();
        self.check_all(context, assignment, definition, target);
        // If names may be missing, some problems are not reported, so passing proves nothing.
        let is_certain = context.problems() == before && !context.program.may_lack_names(self.source.unit);
        if let Some(check) = check.filter(|_| is_certain) {
            context.remember(check);
        }
    }

    /// Returns the cache key of the check that a node of a type fulfills the requirement, which is the only check of a
    /// plain assignment. Caching the check saves work if, for example, a thousand applications have hosts of one type.
    fn cached(&self, context: &Context<'_>, target_type: Id<NodeType>) -> Check {
        let Self { source, source_type, definition, .. } = *self;
        let entities = [definition.any(), source_type.any(), target_type.any()].map(Some);
        Check { entities, ..Check::new(checks::FULFILLMENT, context.version(source), definition.any()) }
    }

    fn check_all(
        &self,
        context: &mut Context<'_>,
        assignment: &RequirementAssignment,
        definition: &RequirementDefinition,
        target: Option<Target>,
    ) {
        let here = match ValueContext::of(self.assignment.any()).here(context) {
            PathContext::Relationship(here) => here,
            _ => RelationshipContext::default(),
        };
        let target_type = target.and_then(|target| target.node_type);
        let is_wrong_target = target.is_some_and(|target| self.check_target(context, definition, target));
        // If the target has the wrong type, its missing members are a consequence.
        let known = target.filter(|_| !is_wrong_target);
        let capability = self.check_capability(context, assignment, definition, known);
        self.check_relationship(context, assignment, definition);
        if !is_wrong_target {
            self.check_validity(context, &here, capability, target_type);
        }
        self.check_allocation(context, assignment, capability);
        let id = self.assignment.any();
        if let Some(Value(count)) = assignment.count {
            check_count(context, id, count);
        }
        if let Some(index) = assignment.node.index {
            check_count(context, id, index);
            if let Some(target) = target.filter(|target| target.id.kind == NodeType::KIND) {
                indexed_type(context, target.reference, target.id);
            }
        }
        match assignment.node_filter {
            Some(Value(filter)) if target_type.is_none() && context.version(id) < V2_0 => {
                let Some(node) = context.node(filter) else { return };
                let node_type = context.target_of(definition.node);
                check_filter_of_derived(&mut Judge::new(context, ValueContext::of_filter(id)), node, node_type);
            }
            Some(filter) => check_node_filter(context, id, filter, target_type),
            None => {}
        }
    }

    /// Reports a target node that does not have the type that the definition requires. Returns whether its type is
    /// wrong.
    fn check_target(
        &self,
        context: &mut Context<'_>,
        definition: &RequirementDefinition,
        Target { reference, node_type, .. }: Target,
    ) -> bool {
        let wanted = definition.node.and_then(|node| Some((node, context.target(node)?)));
        let (Some((wanted_reference, wanted)), Some(target_type)) = (wanted, node_type) else { return false };
        let is_wrong = !context.program.is_a(target_type.any(), wanted.any());
        if is_wrong {
            let message = format!(
                "requirement `{}` needs a node of type `{}`, but `{}` is of type `{}`",
                context.program.name(self.definition.any()),
                context.program.name(wanted.any()),
                context.text(reference.name),
                context.program.name(target_type.any()),
            );
            let (at, asked) = (context.reference_span(reference), context.reference_span(wanted_reference));
            let fitting = self.nodes_of(context, wanted);
            let help = match fitting[..] {
                [] => "there is no node template of such a type".to_owned(),
                _ => format!("name {}, for example", or_list(&fitting)),
            };
            context.problem(&rules::WRONG_TARGET, at, message).related(asked, "required type").help(help);
        }
        is_wrong
    }

    /// Returns the names of up to four node templates of the given type.
    fn nodes_of<'a>(&self, context: &Context<'a>, wanted: Id<NodeType>) -> Vec<&'a str> {
        let visible = context.program.visible(self.source.unit, NODE_TEMPLATES);
        let is_of_type = |id| node_type_of(context, id).is_some_and(|id| context.program.is_a(id.any(), wanted.any()));
        visible.into_iter().filter(|(_, id)| is_of_type(*id)).map(|(name, _)| name).take(4).collect()
    }

    /// Checks that the target node has a capability of the type that the definition requires.
    fn check_capability(
        &self,
        context: &mut Context<'_>,
        assignment: &RequirementAssignment,
        definition: &RequirementDefinition,
        target: Option<Target>,
    ) -> Option<Id<CapabilityDefinition>> {
        let wanted = definition.capability?;
        let asked = assignment.capability.unwrap_or(wanted.erased());
        if context.names_incomplete(wanted) || context.names_incomplete(asked) {
            return None;
        }
        let wanted_type = context.target(wanted);
        let target_type = target.and_then(|target| target.node_type);
        if let Some(own) = assignment.capability {
            self.check_own_capability(context, own, wanted, wanted_type, target_type)?;
        }
        let named = || context.get(context.target_of(definition.node)?)?.capabilities.get(wanted.name);
        if assignment.capability.is_none() && wanted_type.is_none() && named().is_none() {
            // A definition that requires a capability that does not exist has been reported.
            return None;
        }
        let reference = target?.reference;
        let chosen = choose_capability(context, asked, target_type?);
        if chosen.is_none() && (wanted_type.is_some() || !context.program.may_lack_names(self.source.unit)) {
            let message = format!(
                "requirement `{}` needs a capability `{}`, but node type `{}` of `{}` has none",
                context.program.name(self.definition.any()),
                context.text(asked.name),
                context.program.name(target_type?.any()),
                context.text(reference.name),
            );
            let node_type = context.get(target_type?)?;
            let has: Vec<String> = node_type
                .capabilities
                .iter()
                .filter_map(|(name, id)| {
                    let of_type = context.get(id)?.r#type?;
                    Some(format!("`{}` (of type `{}`)", context.text(name), context.text(of_type.name)))
                })
                .collect();
            let help = match &has[..] {
                [] => None,
                [only] => Some(format!("it has the capability {only}")),
                [first @ .., last] => Some(format!("it has the capabilities {} and {last}", first.join(", "))),
            };
            let near = assignment.capability.and_then(|own| {
                let names = node_type.capabilities.iter().map(|(name, _)| context.text(name));
                context.suggestions().nearest(context.text(own.name), names).map(Help::did_you_mean)
            });
            let help = near.or_else(|| help.map(Help::from));
            let at = context.reference_span(assignment.capability.unwrap_or(reference));
            let defined = context.reference_span(wanted);
            context.problem(&rules::NO_CAPABILITY, at, message).related(defined, "required capability").help_if(help);
        }
        if let (Some(chosen), Some(wanted)) = (chosen, context.any_target(asked)) {
            self.check_choice(context, reference, target_type?, (chosen, wanted));
        }
        chosen
    }

    /// Reports an assignment for which several capabilities of the target node are suitable, because another processor
    /// may choose a different one.
    fn check_choice(
        &self,
        context: &mut Context<'_>,
        reference: Reference<()>,
        target_type: Id<NodeType>,
        (chosen, wanted): (Id<CapabilityDefinition>, AnyId),
    ) {
        if context.version(self.assignment.any()) < V2_0 {
            return;
        }
        let others: Vec<&str> = fitting_capabilities(context, target_type, wanted)
            .filter(|id| *id != chosen && context.is_complete(id.any()))
            .map(|id| context.program.name(id.any()))
            .take(4)
            .collect();
        if others.is_empty() {
            return;
        }
        let name = context.program.name(chosen.any());
        let message = format!(
            "requirement `{}` takes capability `{name}` of `{}`, but {} would also fit",
            context.program.name(self.definition.any()),
            context.text(reference.name),
            or_list(&others),
        );
        let (at, defined) = (context.reference_span(reference), context.program.name_span(target_type.any()));
        context
            .problem(&rules::CHOSEN_CAPABILITY, at, message)
            .related(defined, "node type")
            .help(format!("name the intended one: `capability: {name}`"));
    }

    /// Checks that the definition allows the capability that an assignment names. Returns `None` if it does not.
    fn check_own_capability(
        &self,
        context: &mut Context<'_>,
        own: Reference<()>,
        wanted: Reference<CapabilityType>,
        wanted_type: Option<Id<CapabilityType>>,
        target_type: Option<Id<NodeType>>,
    ) -> Option<()> {
        let own_type = context.any_target(own).and_then(AnyId::cast::<CapabilityType>);
        let fits = match (own_type, wanted_type) {
            (Some(own), Some(wanted)) => context.program.is_a(own.any(), wanted.any()),
            // The definition names a capability, which the assignment must not change.
            (_, None) => own.name == wanted.name || context.program.may_lack_names(self.source.unit),
            // The assignment names a capability of the target node.
            (None, Some(wanted)) => {
                let node_type = target_type.and_then(|target| context.get(target));
                let Some(node_type) = node_type else { return Some(()) };
                match node_type.capabilities.get(own.name).and_then(|id| context.get(id)) {
                    Some(capability) => context
                        .target_of(capability.r#type)
                        .is_none_or(|of_type| context.program.is_a(of_type.any(), wanted.any())),
                    // A missing capability is reported when the node is checked.
                    None => return Some(()),
                }
            }
        };
        if fits {
            return Some(());
        }
        let message = format!(
            "capability `{}` does not fit requirement `{}`, which needs `{}`",
            context.text(own.name),
            context.program.name(self.definition.any()),
            context.text(wanted.name),
        );
        let (at, asked) = (context.reference_span(own), context.reference_span(wanted));
        context
            .problem(&rules::WRONG_CAPABILITY, at, message)
            .related(asked, "required capability")
            .help("remove `capability`, or name one that fits");
        None
    }

    /// Checks that the relationship has the type that the definition names, and that its values are valid.
    fn check_relationship(
        &self,
        context: &mut Context<'_>,
        assignment: &RequirementAssignment,
        definition: &RequirementDefinition,
    ) {
        let of_definition = definition.relationship;
        let wanted = of_definition.and_then(|id| context.get(id)).and_then(|relationship| relationship.r#type);
        let own = assignment.relationship.and_then(|id| Some((id, context.get(id)?)));
        let own_type = own.and_then(|(_, own)| own.r#type);
        let target = own_type.and_then(|reference| context.any_target(reference));
        let of_template = |id: Id<RelationshipTemplate>| context.target_of(context.get(id)?.r#type);
        let template = target.and_then(AnyId::cast::<RelationshipTemplate>);
        let relationship_type: Option<Id<RelationshipType>> =
            target.and_then(AnyId::cast).or_else(|| template.and_then(of_template));
        if let (Some(own_type), Some(found), Some((reference, wanted))) =
            (own_type, relationship_type, wanted.and_then(|reference| Some((reference, context.target(reference)?))))
            && !context.program.is_a(found.any(), wanted.any())
        {
            let message = format!(
                "requirement `{}` needs a relationship of type `{}`, and `{}` is not derived from it",
                context.program.name(self.definition.any()),
                context.text(reference.name),
                context.program.name(found.any()),
            );
            let (at, asked) = (context.reference_span(own_type), context.reference_span(reference));
            let help = format!(
                "remove `relationship`, or name a type that is derived from `{}`",
                context.text(reference.name)
            );
            context.problem(&rules::WRONG_RELATIONSHIP, at, message).related(asked, "required type").help(help);
        }
        // The refinements of the requirement definition apply to relationships of derived types too.
        let changed = relationship_type.filter(|own| wanted.and_then(|wanted| context.target(wanted)) != Some(*own));
        let further = of_definition.map(Id::any).filter(|_| changed.is_some());
        let id = self.assignment.any();
        if let Some(template) = template {
            // The definition of the requirement may supply values that the template lacks.
            let of_type = relationship_type.map(Id::any);
            let further = of_definition.map(Id::any);
            let rendered = RenderedEntity { further, template: id, ..RenderedEntity::of(template.any(), of_type) };
            context.apply::<RelationshipTemplate>(&rendered);
            return;
        }
        let applied = changed.map(Id::any).or(of_definition.map(Id::any));
        let assigning = own.map(|(id, _)| id.any());
        context.apply::<RelationshipAssignment>(&RenderedEntity {
            assigning,
            further,
            ..RenderedEntity::of(id, applied)
        });
        if let Some((_, own)) = own {
            let of_type = changed.and_then(|id| Some(&context.get(id)?.interfaces));
            let of_definition = of_definition.and_then(|id| Some(&context.get(id)?.interfaces));
            let defined: Vec<_> = of_definition.into_iter().chain(of_type).collect();
            super::interface::check_interfaces(context, &own.interfaces, &defined);
        }
    }

    /// Checks the restrictions that relationship types and capability types put on each other and on the nodes at both
    /// ends.
    fn check_validity(
        &self,
        context: &mut Context<'_>,
        here: &RelationshipContext,
        capability: Option<Id<CapabilityDefinition>>,
        target_type: Option<Id<NodeType>>,
    ) {
        let at = context.program.name_span(self.assignment.any());
        let capability = capability.and_then(|id| context.get(id));
        let actual = RelationshipTypes {
            source: Some(self.source_type.any()),
            relationship: here.relationship_type.map(Id::any),
            capability: capability.and_then(|capability| context.target_of(capability.r#type)).map(Id::any),
            target: target_type.map(Id::any),
        };
        let declared = self.declared(context);
        // A definition is only checked with the relationship type that it names.
        let of_same =
            if declared.relationship == actual.relationship { declared } else { RelationshipTypes::default() };
        if let Some(of_type) = here.relationship_type.and_then(|id| context.get(id)) {
            let name = actual.relationship.map_or("", |id| context.program.name(id));
            let who = format!("relationship type `{name}`");
            let RelationshipType { valid_capability_types: capabilities, .. } = of_type;
            let (sources, targets) = (&of_type.valid_source_node_types, &of_type.valid_target_node_types);
            if allows(context, capabilities, of_same.capability) {
                check_valid(context, at, &who, capabilities, actual.capability);
            }
            if allows(context, targets, of_same.target) {
                check_valid(context, at, &who, targets, actual.target);
            }
            if allows(context, sources, of_same.source) {
                check_valid(context, at, &who, sources, actual.source);
            }
            let target = (actual.capability, actual.target);
            check_valid_target(context, at, &who, of_type, target, target_type.is_some());
        }
        if let Some(capability) = capability {
            let who = "target capability";
            let of_type = |id: AnyId| context.get(id.cast::<CapabilityType>()?);
            let (in_any, in_same) = (declared.capability.and_then(of_type), of_same.capability.and_then(of_type));
            if in_any.is_none_or(|of| allows(context, &of.valid_source_node_types, declared.source)) {
                check_valid_source(context, at, who, &capability.valid_source_node_types, actual.source);
            }
            if in_same.is_none_or(|of| allows(context, &of.valid_relationship_types, of_same.relationship)) {
                check_valid(context, at, who, &capability.valid_relationship_types, actual.relationship);
            }
        }
    }

    /// Returns the types that the requirement definition names. Restrictions that rule them out have been reported there,
    /// except in built-in types.
    fn declared(&self, context: &Context<'_>) -> RelationshipTypes {
        let program = context.program;
        let id = self.definition.any();
        let is_reported = program.unit(id.unit).is_some_and(|unit| unit.implicit.is_none());
        let Some(definition) = context.get(self.definition).filter(|_| is_reported) else {
            return RelationshipTypes::default();
        };
        let relationship = definition.relationship.and_then(|id| context.get(id));
        RelationshipTypes {
            source: program.owners(id).find(|owner| owner.kind == NodeType::KIND),
            relationship: relationship.and_then(|of| context.target_of(of.r#type)).map(Id::any),
            capability: context.target_of(definition.capability).map(Id::any),
            target: context.target_of(definition.node).map(Id::any),
        }
    }

    /// Checks that allocations are amounts of properties that the capability has (decision A 12).
    fn check_allocation(
        &self,
        context: &mut Context<'_>,
        assignment: &RequirementAssignment,
        capability: Option<Id<CapabilityDefinition>>,
    ) {
        let Some(map) = assignment.allocation.position.and_then(|position| context.node(position)) else { return };
        let Some((id, definition)) = capability.and_then(|id| Some((id, context.get(id)?))) else { return };
        for entry in map.entries() {
            let property = entry.key.symbol().and_then(|name| definition.properties.get(name));
            let Some((property_id, property)) = property.and_then(|id| Some((id, context.get(id)?))) else {
                let message =
                    format!("{} has no property `{}` to allocate", context.describe(id.any()), entry.key.text());
                let names = definition.properties.iter().map(|(name, _)| context.text(name));
                let help = context.did_you_mean(entry.key.text(), names, "it has");
                let defined = context.program.name_span(id.any());
                context
                    .problem(&rules::UNKNOWN_ALLOCATION, Some(entry.key.span()), message)
                    .related(defined, "capability")
                    .help_if(help);
                continue;
            };
            let schema = property.schema(context, property_id);
            let is_amount = |kind| matches!(kind, DataKind::Integer | DataKind::Float | DataKind::Scalar);
            if schema.kind(context).is_some_and(|kind| !is_amount(kind)) {
                let message = format!("property `{}` is not an amount, so it can't be allocated", entry.key.text());
                let defined = context.program.name_span(property_id.any());
                context
                    .problem(&rules::WRONG_ALLOCATION, Some(entry.key.span()), message)
                    .related(defined, "defined here")
                    .help("remove the allocation; only integers, floats and scalars can be allocated");
                continue;
            }
            // The property's validation applies to the sum of all allocations, not to each one.
            let of_type = Schema::of_type(schema.data_type);
            check_amount(context, self.assignment.any(), entry.value, &of_type);
        }
    }
}

/// Returns whether a list of valid types contains a type or one of its ancestors.
fn allows<T>(context: &mut Context<'_>, valid: &References<T>, declared: Option<AnyId>) -> bool {
    valid.is_empty() || declared.is_none_or(|declared| context.is_listed(declared, valid))
}

/// Reports an index on a node type; only nodes of a template have indexes (2.0, 8.5.1).
fn indexed_type(context: &mut Context<'_>, reference: Reference<()>, of_type: AnyId) {
    let name = context.text(reference.name);
    let visible = context.program.visible(reference.unit, NODE_TEMPLATES);
    let of_the_type = |id| node_type_of(context, id).is_some_and(|id| context.program.is_a(id.any(), of_type));
    let fitting: Vec<&str> = visible.into_iter().filter(|(_, id)| of_the_type(*id)).map(|(name, _)| name).collect();
    let help = match fitting[..] {
        [] => "remove the index to accept any node of the type".to_owned(),
        [..] => format!("name a node template, for example {}", or_list(&fitting[..fitting.len().min(4)])),
    };
    let (at, defined) = (context.reference_span(reference), context.program.name_span(of_type));
    context
        .problem(&rules::UNKNOWN_NAME, at, format!("there is no node template `{name}` that could have an index"))
        .related(defined, "node type")
        .help(help);
}

fn check_amount<'a>(context: &mut Context<'a>, at: AnyId, value: Node<'a>, schema: &Schema<'a>) {
    Judge::new(context, ValueContext::of(at)).check(value, schema);
}

fn node_type_of(context: &Context<'_>, target: AnyId) -> Option<Id<NodeType>> {
    match target.cast::<NodeTemplate>() {
        Some(template) => context.target_of(context.get(template)?.r#type),
        None => target.cast(),
    }
}
