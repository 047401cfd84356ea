//! Parts of nodes and relationships, other than properties, that functions refer to: artifacts and outputs of
//! operations.

use crate::ard::{Kind, Node};
use crate::data::call::function::PathTarget;
use crate::data::call::result_type::StaticResult;
use crate::data::judge::Judge;
use crate::data::path::member::{Member, property};
use crate::data::path::place::{NodeContext, PathContext, RelationshipContext};
use crate::data::schema::{Schema, Typed};
use crate::entity::{AnyId, Members};
use crate::grammar::definition::InterfaceDefinition;
use crate::grammar::template::InterfaceAssignment;
use crate::normative::interface_of_type;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

/// Checks that a node has an artifact.
pub(crate) fn check_artifact<'a>(judge: &mut Judge<'_, 'a>, here: &PathContext, name: Node<'a>) {
    let PathContext::Node(node) = here else { return };
    if name.kind() != Kind::String {
        return;
    }
    let context = &judge.context;
    let of_type = node.node_type.filter(|id| context.program.is_known(id.any())).and_then(|id| context.get(id));
    let Some(of_type) = of_type else { return };
    let of_template = node.template.and_then(|id| context.get(id)).map(|template| &template.artifacts);
    // In a type, the artifact may be added by the template.
    let Some(of_template) = of_template else { return };
    let names: Vec<&str> = [of_template, &of_type.artifacts]
        .into_iter()
        .flat_map(Members::iter)
        .map(|(name, _)| context.text(name))
        .collect();
    if !names.contains(&name.text()) {
        let message = format!("there is no artifact `{}`", name.text());
        let help = context.did_you_mean(name.text(), &names, "the artifacts are");
        let help = help.unwrap_or_else(|| "add the artifact to the `artifacts` of the node template".into());
        judge.problem(&rules::UNRESOLVED_PATH, name, message).help(help);
    }
}

/// Checks that a node or relationship has an operation.
pub(crate) fn check_operation<'a>(
    judge: &mut Judge<'_, 'a>,
    here: &PathContext,
    interface: Node<'a>,
    operation: Node<'a>,
) {
    let context = &judge.context;
    let Some(Interfaces { owner, defined, assigned }) = interfaces(context, here) else { return };
    let find = |node: Node<'_>| {
        let name = interface_of_type(node.text()).unwrap_or(node.text());
        (node.kind() == Kind::String).then(|| context.program.interner.get(name))
    };
    let (Some(interface_name), Some(operation_name)) = (find(interface), find(operation)) else { return };
    let definition = interface_name.and_then(|name| defined.get(name)).and_then(|id| context.get(id));
    let assignment =
        interface_name.and_then(|name| assigned?.get(name)).and_then(|id| context.get::<InterfaceAssignment>(id));
    if definition.is_none() && assignment.is_none() {
        let names = defined.iter().map(|(name, _)| context.text(name));
        let help = context.did_you_mean(interface.text(), names, "it has");
        let message = format!("{owner} has no interface `{}`", interface.text());
        judge.problem(&rules::UNRESOLVED_PATH, interface, message).help_if(help);
        return;
    }
    let of_definition =
        definition.into_iter().flat_map(|definition| definition.operations.iter().map(|(name, _)| name));
    let of_assignment = assignment.into_iter().flat_map(|assigned| assigned.operations.iter().map(|(name, _)| name));
    let names: Vec<&str> = of_definition.chain(of_assignment).map(|name| context.text(name)).collect();
    if operation_name.is_none_or(|_| !names.contains(&operation.text())) {
        let help = context.did_you_mean(operation.text(), &names, "it has");
        let message = format!("interface `{}` has no operation `{}`", interface.text(), operation.text());
        judge.problem(&rules::UNRESOLVED_PATH, operation, message).help_if(help);
    }
}

/// Returns the known type of the output of an operation: that of its definition, or else of the attribute that stores
/// it.
pub(crate) fn output<'a>(context: &Context<'a>, here: &PathContext, names: [Node<'a>; 3]) -> StaticResult<'a> {
    find_output(context, here, names).map_or(StaticResult::Nothing, StaticResult::Schema)
}

fn find_output<'a>(
    context: &Context<'a>,
    here: &PathContext,
    [interface, operation, name]: [Node<'a>; 3],
) -> Option<Schema<'a>> {
    let interner = &context.program.interner;
    let interface = interner.get(interface_of_type(interface.text()).unwrap_or(interface.text()))?;
    let (operation, name) = (interner.get(operation.text())?, interner.get(name.text())?);
    let Interfaces { defined, assigned, .. } = interfaces(context, here)?;
    let assigned = assigned
        .and_then(|assigned| context.get(assigned.get(interface)?))
        .and_then(|interface| context.get(interface.operations.get(operation)?))
        .and_then(|operation| context.node(operation.outputs.position?)?.get(name));
    let definition = defined
        .get(interface)
        .and_then(|id| context.get(context.get(id)?.operations.get(operation)?)?.outputs.get(name))
        .and_then(|id| Some((id, context.get(id)?)));
    let schema = definition.map(|(id, definition)| definition.schema(context, id));
    if let Some(schema) = schema.filter(|schema| schema.data_type.is_some()) {
        return Some(schema);
    }
    let mapping = assigned.map(|entry| entry.value).or_else(|| context.node(definition?.1.value?.0))?;
    let steps: Vec<&str> = mapping.items().map(Node::text).collect();
    let ["SELF", attribute] = steps[..] else { return None };
    match property(context, here, attribute, PathTarget::Attribute) {
        Member::Found(schema) => Some(schema),
        Member::Missing { .. } | Member::Unknowable => None,
    }
}

/// The interfaces of a node or relationship.
struct Interfaces<'a> {
    owner: String,
    defined: &'a Members<InterfaceDefinition>,
    assigned: Option<&'a Members<InterfaceAssignment>>,
}

/// Returns the interfaces of a node or relationship, as far as they are known: those of its type, and those that its
/// template or requirement assigns.
fn interfaces<'a>(context: &Context<'a>, here: &PathContext) -> Option<Interfaces<'a>> {
    let is_known = |id: AnyId| context.program.is_known(id) && context.is_complete(id);
    match here {
        PathContext::Node(NodeContext { template: Some(template), node_type: Some(id), .. }) if is_known(id.any()) => {
            let assigned = context.get(*template).map(|template| &template.interfaces);
            Some(Interfaces { owner: context.describe(id.any()), defined: &context.get(*id)?.interfaces, assigned })
        }
        PathContext::Relationship(RelationshipContext {
            relationship_type: Some(id), template, assignment, ..
        }) if is_known(id.any()) && (template.is_some() || assignment.is_some()) => {
            let of_template = template.and_then(|id| Some(&context.get(id)?.interfaces));
            let assigned = of_template.or_else(|| Some(&context.get((*assignment)?)?.interfaces));
            Some(Interfaces { owner: context.describe(id.any()), defined: &context.get(*id)?.interfaces, assigned })
        }
        _ => None,
    }
}
