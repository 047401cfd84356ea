//! Node templates (2.0, 7.2).

use super::super::data::{self, Here, Judge, NodeHere, Place, Typed as _, check_condition, check_count};
use super::super::definition::{ArtifactDefinition, InterfaceDefinition, NodeFilter};
use super::super::scalar::{CountRange, Metadata};
use super::super::section::{NODE_TEMPLATES, NODE_TYPES};
use super::super::types::NodeType;
use super::super::version::{V1_1, V1_3, V2_0};
use super::fulfilment::check_requirements;
use super::interface::check_interfaces;
use super::{CapabilityAssignment, InterfaceAssignment, NodeDirectives, RequirementAssignment};
use crate::Entity;
use crate::ard::Kind;
use crate::entity::{AnyId, Given, Id, Local, Members, Reference, Sequence, Text, Value, Values};
use crate::phase::inheritance::Gap;
use crate::phase::read::Reader;
use crate::phase::rendering::Application;
use crate::phase::{Context, Explain};
use crate::rules;

/// A component of a service, from which one node or several are made.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "node template", spec = "7.2", after_read = check_type, render = render)]
pub struct NodeTemplate {
    /// The node type.
    #[field(definition, lookup(NODE_TYPES))]
    pub r#type: Option<Reference<NodeType>>,
    /// What the node is for.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// How the node comes about: made, selected or substituted.
    pub directives: NodeDirectives,
    /// What is wanted of the node.
    #[field(assigns(title = "property"))]
    pub properties: Values,
    /// What the node is like to begin with.
    #[field(assigns(title = "attribute", also = "properties"))]
    pub attributes: Values,
    /// What the node needs of others, and which others.
    #[field(sequenced)]
    pub requirements: Sequence<RequirementAssignment>,
    /// What is wanted of the node's capabilities.
    #[field(assigns)]
    pub capabilities: Members<CapabilityAssignment>,
    /// What is run when operations are called on the node.
    #[field(assigns)]
    pub interfaces: Members<InterfaceAssignment>,
    /// The files that come with the node, besides those of its type.
    pub artifacts: Members<ArtifactDefinition>,
    /// How many nodes are made.
    #[field(since = V2_0, default = "1")]
    pub count: Option<Value>,
    // Examples 25 and 26 of 1.3, decision B 29.
    /// How many nodes may be made; before 2.0.
    #[field(since = V1_3, until = V1_3)]
    pub occurrences: Option<Box<Given<CountRange>>>,
    /// How many nodes are made to begin with; before 2.0.
    #[field(since = V1_3, until = V1_3)]
    pub instance_count: Option<Value>,
    /// What must be true of a node that is selected.
    #[field(read_as(NodeFilter, until = V1_3))]
    pub node_filter: Option<Value>,
    /// The node template from which everything is taken that is not given here; maps are laid over (decision A 63).
    #[field(copy, lookup(NODE_TEMPLATES))]
    pub copy: Option<Reference<NodeTemplate>>,
}

fn check_type(template: &NodeTemplate, reader: &mut Reader<'_>, id: Local) {
    let is_given = template.r#type.is_some() || template.copy.is_some();
    missing_type(reader, id, "node template", is_given);
}

/// A template needs a type unless it copies another. A type that could not be read has been reported.
pub(super) fn missing_type(reader: &mut Reader<'_>, id: Local, title: &str, is_given: bool) {
    let document = reader.document();
    let Some(header) = reader.header(id).filter(|_| !is_given && document.is_complete()) else { return };
    let node = document.node(header.node);
    let is_empty = node.kind() == Kind::Null
        && !node.is_substitute()
        && reader.language().leniency.null_is_empty.contains(reader.version());
    if (node.kind() == Kind::Map || is_empty) && node.find("type").is_none() && node.find("copy").is_none() {
        let name = reader.interner().text(header.name);
        let message = format!("{title} `{name}` lacks the mandatory keyname `type`");
        reader.problem(&rules::MISSING_KEYNAME, document.node(header.key), message).help("add `type: …`");
    }
}

fn render(template: &NodeTemplate, context: &mut Context<'_>, id: Id<NodeTemplate>) {
    let id = id.any();
    check_copy(context, id);
    let definition = context.definition(id);
    // A node that is selected brings its own values (2.0, 7.2.1).
    let is_checked = !template.directives.only_selects();
    context.apply::<NodeTemplate>(&Application { is_checked, ..Application::of(id, definition) });
    if let Some(Value(filter)) = template.node_filter {
        check_filter(template, context, id, filter);
    }
    for Value(count) in template.count.iter().chain(&template.instance_count) {
        check_count(context, id, *count);
    }
    let node_type = definition.and_then(AnyId::cast);
    let defined = node_type.and_then(|id| context.get::<NodeType>(id)).map(|node_type| &node_type.interfaces);
    check_interfaces(context, &template.interfaces, defined.as_slice());
    if let Some(defined) = defined.filter(|_| context.version(id) < V2_0) {
        check_defined(context, id, template, defined);
    }
    if let Some(node_type) = node_type {
        check_requirements(context, template, id, node_type);
    }
}

fn check_filter(template: &NodeTemplate, context: &mut Context<'_>, id: AnyId, filter: crate::entity::Position) {
    let Some(node) = context.node(filter) else { return };
    if context.version(id) < V2_0 {
        let node_type = context.definition(id).and_then(AnyId::cast);
        data::check_filter(&mut Judge::new(context, Place::of_filter(id)), node, node_type);
        return;
    }
    if !template.directives.selects() {
        // Decision A 36.
        let at = context.program.keyname_span(id, "node_filter");
        context
            .problem(
                &rules::POINTLESS_FILTER,
                at,
                "a node filter is of no use in a node template that does not select a node",
            )
            .help("add `directives: [ select ]`, or leave the filter out");
    }
    check_condition(&mut Judge::new(context, Place::of_filter(id)), node);
}

/// Before 2.0, where the paths in operations of a type lead can only be known for each node: requirements lead to nodes
/// of derived types, and artifacts come with templates.
fn check_defined(
    context: &mut Context<'_>,
    id: AnyId,
    template: &NodeTemplate,
    defined: &Members<InterfaceDefinition>,
) {
    let Some(here) = id.cast().map(|id| Here::Node(NodeHere::of_template(context, id))) else { return };
    for (interface, definition) in defined.iter() {
        let assigned = template.interfaces.get(interface).and_then(|id| context.get(id));
        let Some(definition) = context.get(definition) else { continue };
        for (operation, id) in definition.operations.iter() {
            let assigned = assigned.and_then(|assigned| context.get(assigned.operations.get(operation)?));
            let given = assigned.and_then(|assigned| context.node(assigned.inputs.position?));
            for (name, id) in context.get(id).into_iter().flat_map(|operation| operation.inputs.iter()) {
                let Some(input) = context.get(id) else { continue };
                // What the template gives is checked there.
                let is_given = given.is_some_and(|given| given.get(name).is_some());
                let value = input.value.or(input.default).filter(|_| !is_given);
                let Some(Value(value)) = value.filter(|value| value.0.unit == id.any().unit) else { continue };
                let schema = input.schema(context, id);
                let place = Place { is_filter: false, ..Place::about(id.any(), here) };
                Judge::new(context, place).check_call_at(value, &schema);
            }
        }
    }
}

/// What is copied must not itself be a copy (2.0, 7.2).
fn check_copy(context: &mut Context<'_>, id: AnyId) {
    let own = id.cast::<NodeTemplate>().and_then(|id| context.program.raw_as(id));
    let Some(copy) = own.and_then(|own| own.copy) else { return };
    // Templates that copy each other in a loop have been reported.
    let Some(source) = context.target(copy).filter(|_| context.program.gap(id) != Some(Gap::Loop)) else { return };
    if context.program.raw_as(source).is_some_and(|source| source.copy.is_some()) {
        let name = context.program.name(source.any());
        let at = context.reference_span(copy);
        let source = context.program.keyname_span(source.any(), "copy");
        context
            .problem(&rules::COPY_OF_COPY, at, format!("node template `{name}` is itself a copy, and can't be copied"))
            .related(source, "it copies another one here")
            .help("copy what it copies");
    }
}
