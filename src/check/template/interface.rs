//! Interface, operation and notification assignments (2.0, 11.3, 11.5 and 11.7).

use crate::ard::{Kind, Node};
use crate::data::{Judge, Typed, ValueContext, check_mapping};
use crate::entity::{AnyId, Checked, Checks, Id, LocalId, Members, NodeRef, Quirk, Value, Values};
use crate::grammar::definition::{InterfaceDefinition, ParameterDefinition};
use crate::grammar::template::{InterfaceAssignment, NotificationAssignment, OperationAssignment};
use crate::grammar::version::V2_0;
use crate::phase::read::Reader;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for InterfaceAssignment {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_empty);
}

/// Reports an interface assignment without a body, because it assigns nothing. In types and definitions, an empty body
/// may be sufficient (1.0, 3.6.4).
fn check_empty(_: &InterfaceAssignment, reader: &mut Reader<'_>, id: LocalId) {
    missing_body(reader, id, "interface", "assign operations, or remove the interface");
}

impl Checked for OperationAssignment {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_empty_operation);
}

fn check_empty_operation(_: &OperationAssignment, reader: &mut Reader<'_>, id: LocalId) {
    missing_body(reader, id, "operation", "give it an implementation, or remove the operation");
}

impl Checked for NotificationAssignment {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_empty_notification);
}

fn check_empty_notification(_: &NotificationAssignment, reader: &mut Reader<'_>, id: LocalId) {
    missing_body(reader, id, "notification", "give it an implementation, or remove the notification");
}

fn missing_body(reader: &mut Reader<'_>, id: LocalId, title: &str, help: &str) {
    let document = reader.document();
    let Some(header) = reader.header(id).filter(|_| reader.version() < V2_0) else { return };
    let node = document.node(header.node);
    if node.kind() == Kind::Null && !node.is_placeholder() && !reader.has(Quirk::NULL_SECTIONS) {
        let name = reader.interner().text(header.name);
        reader
            .problem(&rules::NULL_VALUE, document.node(header.key), format!("{title} assignment `{name}` has no value"))
            .help(help)
            .help(Quirk::NULL_SECTIONS.help());
    }
}

/// Checks the outputs of operations and notifications. A relationship may have two definitions: one in its type and one
/// in the requirement.
pub(super) fn check_interfaces(
    context: &mut Context<'_>,
    assigned: &Members<InterfaceAssignment>,
    defined: &[&Members<InterfaceDefinition>],
) {
    for (name, id) in assigned.iter() {
        let Some(interface) = context.get(id) else { continue };
        let defined: Vec<_> = defined.iter().filter_map(|defined| context.get(defined.get(name)?)).collect();
        for (name, id) in interface.operations.iter() {
            let Some(operation) = context.get(id) else { continue };
            let of_name = defined.iter().filter_map(|defined| context.get(defined.operations.get(name)?));
            let outputs: Vec<_> = of_name.map(|defined| &defined.outputs).collect();
            check_outputs(context, id.any(), operation.outputs, &outputs);
        }
        for (name, id) in interface.notifications.iter() {
            let Some(notification) = context.get(id) else { continue };
            let of_name = defined.iter().filter_map(|defined| context.get(defined.notifications.get(name)?));
            let outputs: Vec<_> = of_name.map(|defined| &defined.outputs).collect();
            check_outputs(context, id.any(), notification.outputs, &outputs);
        }
    }
}

/// Returns the first definition with the given name.
fn declared_as(declared: &[&Members<ParameterDefinition>], name: Node<'_>) -> Option<Id<ParameterDefinition>> {
    let name = name.symbol()?;
    declared.iter().find_map(|declared| declared.get(name))
}

/// Checks that outputs are mapped to existing attributes with suitable types.
fn check_outputs(context: &mut Context<'_>, id: AnyId, outputs: Values, declared: &[&Members<ParameterDefinition>]) {
    let Some(node) = outputs.position.and_then(|position| context.node(position)) else { return };
    for entry in node.entries() {
        let definition = declared_as(declared, entry.key).and_then(|id| Some((id, context.get(id)?)));
        if let Some((declared, ParameterDefinition { mapping: Some(Value(mapping)), .. })) = definition {
            let message =
                format!("output `{}` is already mapped to an attribute", context.program.name(declared.any()));
            let mapped = context.span(*mapping);
            context
                .problem(&rules::FIXED_VALUE_ASSIGNED, Some(entry.key.span()), message)
                .related(mapped, "mapped here")
                .help("remove the mapping");
            continue;
        }
        let schema = definition.map(|(id, definition)| definition.schema(context, id));
        let mapping = NodeRef { unit: id.unit, node: entry.value.id() };
        check_mapping(&mut Judge::new(context, ValueContext::of(id)), mapping, schema.as_ref());
    }
}
