//! Node templates and their relationships, one by one. `blueprint` compares them with each other.

use tosca_parse::ard::{Kind, Node};
use tosca_parse::entity::{AnyId, Checked, Checks, Id, Members};
use tosca_parse::phase::rendering::RenderedEntity;
use tosca_parse::phase::{Check, Context, DiagnosticExt as _};

use super::call::{Place, check, evaluate, failure};
use super::evaluate::Here;
use super::value::{Type, type_of};
use super::{entities, get, node_of, not_null, report, value_of};
use crate::function::{call, has_call};
use crate::grammar::{NodeTemplate, NodeType, Relationship, RelationshipType, TemplateInterface};
use crate::rules::{FAILED_CALL, INVALID_RELATIONSHIP, INVALID_SCALING, TOLERATED_VALUE};

impl Checked for NodeType {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(not_null);
}

impl Checked for RelationshipType {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(not_null);
}

impl Checked for NodeTemplate {
    const CHECKS: Checks<Self> = Checks::NEW.render(render);
}

fn render(template: &NodeTemplate, context: &mut Context<'_>, id: Id<NodeTemplate>) {
    let definition = context.definition(id.any());
    context.apply::<NodeTemplate>(&RenderedEntity::of(id.any(), definition));
    let place = Place::Node(id.any());
    let of_type = context.target_of(template.r#type).and_then(|of_type| context.get(of_type));
    let properties = template.properties.position.and_then(|position| context.node(position));
    for entry in properties.into_iter().flat_map(Node::entries) {
        let is_fine = check(context, place, entry.value);
        let definition = of_type.and_then(|of_type| of_type.properties.get(entry.key.symbol()?));
        let Some(definition) = definition.and_then(|definition| context.get(definition)).filter(|_| is_fine) else {
            continue;
        };
        if let (Some(call), Type::Primitive(primitive)) = (call(entry.value), type_of(context, definition.r#type)) {
            let data = evaluate(context, place, call);
            if !data.fits(primitive) {
                let message = format!("the function returns {}, but the property has type `{primitive}`", data.kind());
                report(
                    context,
                    &TOLERATED_VALUE,
                    entry.value,
                    message,
                    "use a function that returns a value of this type",
                );
            }
        }
    }
    inputs(context, place, &template.interfaces);
    if let Some(of_type) = context.target_of(template.r#type) {
        defaults(context, id, template, of_type);
    }
    let node = node_of(context, id.any());
    if let (Some(instances), true) = (
        node.and_then(|node| node.find("instances")).filter(|entry| entry.value.kind() != Kind::Null),
        node.is_some_and(|node| node.find("capabilities").is_some()),
    ) {
        let message = "a node template can't have both `instances` and `capabilities`";
        report(context, &INVALID_SCALING, instances.key, message, "remove `instances`");
    }
}

/// The number that identifies the check for calls in the defaults of a type.
const HAS_NO_CALLS: u8 = 1;

/// Reports calls that fail in the defaults that a template takes from its type.
fn defaults(context: &mut Context<'_>, id: Id<NodeTemplate>, template: &NodeTemplate, of_type: Id<NodeType>) {
    let no_calls = Check::new(HAS_NO_CALLS, context.version(of_type.any()), of_type.any());
    let Some(ty) = context.get(of_type).filter(|_| !context.has_passed(&no_calls)) else { return };
    let assigned = template.properties.position.and_then(|position| context.node(position));
    let (mut calls, mut count) = (Vec::new(), 0);
    for (name, definition) in ty.properties.iter() {
        count += 1;
        let default = context.get(definition).and_then(|definition| value_of(context, definition.default));
        if let Some(default) = default.filter(|default| has_call(*default)) {
            calls.push((name, "property", default, assigned.is_some_and(|assigned| assigned.get(name).is_some())));
        }
    }
    for (name, interface) in ty.interfaces.iter() {
        let own = template.interfaces.get(name).and_then(|id| context.get(id));
        let Some(interface) = context.get(interface) else { continue };
        for (operation, definition) in interface.operations.iter() {
            let Some(definition) = context.get(definition) else { continue };
            let is_own = own.is_some_and(|own| own.operations.get(operation).is_some());
            count += 1 + definition.inputs.len();
            for (name, input) in definition.inputs.iter() {
                let default = context.get(input).and_then(|input| value_of(context, input.default));
                calls.extend(default.filter(|default| has_call(*default)).map(|value| (name, "input", value, is_own)));
            }
        }
    }
    if calls.is_empty() {
        context.remember(no_calls);
        return;
    }
    if !context.has_room_for_uses(count, of_type.any()) {
        return;
    }
    for (name, what, value, _) in calls.into_iter().filter(|(.., is_overridden)| !is_overridden) {
        if let Some(failure) = failure(context, Place::Node(id.any()), value) {
            let message = format!("the default of {what} `{}` can't be used: {failure}", context.text(name));
            let at = context.program.name_span(id.any());
            let problem = context.problem(&FAILED_CALL, at, message);
            problem.help(format!("assign a value to the {what}")).related(Some(value.span()), "the default");
        }
    }
}

/// Checks the values of the inputs of operations.
fn inputs(context: &mut Context<'_>, place: Place, interfaces: &Members<TemplateInterface>) {
    for interface in entities(context, interfaces.iter().map(|(_, id)| id)) {
        for operation in entities(context, interface.operations.iter().map(|(_, id)| id)) {
            let values = operation.inputs.position.and_then(|position| context.node(position));
            for entry in values.into_iter().flat_map(Node::entries) {
                check(context, place, entry.value);
            }
        }
    }
}

impl Checked for Relationship {
    const CHECKS: Checks<Self> = Checks::NEW.render(relationship);
}

fn relationship(relationship: &Relationship, context: &mut Context<'_>, id: Id<Relationship>) {
    let definition = context.definition(id.any());
    context.apply::<Relationship>(&RenderedEntity::of(id.any(), definition));
    let source = context.program.owners(id.any()).find(|owner| get::<NodeTemplate>(context, *owner).is_some());
    let target = relationship.target.and_then(|target| context.any_target(target));
    let place = Place::Relationship(Here { itself: None, source, target });
    let properties = relationship.properties.position.and_then(|position| context.node(position));
    for entry in properties.into_iter().flat_map(Node::entries) {
        super::call::check_definition(context, entry.value);
    }
    inputs(context, place, &relationship.source_interfaces);
    inputs(context, place, &relationship.target_interfaces);
    let Some(of_type) = definition else { return };
    if !is_supported(context, of_type) {
        let at = node_of(context, id.any()).and_then(|node| node.find("type"));
        let Some(at) = at else { return };
        let message = format!("{} is not derived from a standard relationship", context.describe(of_type));
        let help = "derive the type from `cloudify.relationships.depends_on`, `connected_to` or `contained_in`";
        report(context, &INVALID_RELATIONSHIP, at.value, message, help);
    }
    connection(context, id.any(), of_type);
}

/// The standard relationship types, from which all relationship types that templates use must be derived.
const STANDARD: [&str; 3] = ["cloudify.relationships.depends_on", "cloudify.relationships.connected_to", CONTAINED_IN];

pub(crate) const CONTAINED_IN: &str = "cloudify.relationships.contained_in";

fn is_supported(context: &Context<'_>, of_type: AnyId) -> bool {
    !context.is_complete(of_type) || STANDARD.iter().any(|name| descends(context, of_type, name))
}

/// Returns whether a relationship type is the one with the given name or is derived from it.
pub(crate) fn descends(context: &Context<'_>, of_type: AnyId, name: &str) -> bool {
    let base = context.program.interner.get(name);
    let base = base.and_then(|name| context.resolve(of_type, crate::grammar::RELATIONSHIPS, name).id());
    base.is_some_and(|base| context.program.is_a(of_type, base))
}

/// Checks the connection type of a relationship.
fn connection(context: &mut Context<'_>, id: AnyId, of_type: AnyId) {
    let properties = node_of(context, id).and_then(|node| node.find("properties"));
    let assigned = properties.and_then(|properties| properties.value.find("connection_type")).map(|entry| entry.value);
    let default = get::<RelationshipType>(context, of_type).and_then(|of_type| {
        let definition = of_type.properties.get(context.program.interner.get("connection_type")?)?;
        value_of(context, context.get(definition)?.default)
    });
    let Some(value) = assigned.or(default) else { return };
    let is_valid = ["all_to_all", "all_to_one"].contains(&value.text()) || call(value).is_some();
    if !is_valid && !descends(context, of_type, CONTAINED_IN) {
        let message = format!("there is no connection type `{}`", value.text());
        let at = assigned.or_else(|| node_of(context, id)).map(Node::span);
        let within = properties.map(|properties| properties.key.span());
        let problem = context.problem(&INVALID_RELATIONSHIP, at, message);
        problem.help("write `all_to_all` or `all_to_one`").related(within, "the properties of the relationship");
    }
}
