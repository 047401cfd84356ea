//! Parameter definitions (2.0, 9.7).

use super::property;
use super::schema::check_schema;
use super::used::{check_between, check_used, report_fixed};
use crate::ard::{Kind as NodeKind, Node};
use crate::data::{Call, CallShape, Judge, Typed, ValueContext, check_mapping, misplaced_clause};
use crate::diagnostic::Help;
use crate::diagnostic::suggest::{and_list, nearest};
use crate::entity::{
    AnyId, Checked, Checks, Described as _, Entity as _, Header, Id, Kind, LocalId, Members, NodeRef, Value,
};
use crate::grammar::definition::{
    InterfaceDefinition, NotificationDefinition, OperationDefinition, ParameterDefinition,
};
use crate::grammar::section::DATA_TYPES;
use crate::grammar::template::{ServiceTemplate, WorkflowDefinition};
use crate::grammar::types::InterfaceType;
use crate::grammar::version::{V1_2, V2_0};
use crate::phase::read::{Reader, with_article};
use crate::phase::rendering::Assignment;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for ParameterDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_keynames).after_inheritance(check).judge(judge);
}

fn check(parameter: &ParameterDefinition, context: &mut Context<'_>, id: Id<ParameterDefinition>) {
    let any = id.any();
    let (Some(own), Some(complete)) = (context.program.raw_as(id), context.get(id)) else { return };
    let schema = complete.schema(context, id);
    check_schema(context, any, &schema, &own.validation);
    if context.version(any) >= V2_0 {
        check_direction(own, parameter, context, id);
        if is_in_interface_type(context, any) {
            check_short(own, parameter, context, id);
        }
        property::check_default(context, any, own.default, parameter.is_required());
        if parameter.r#type.is_some() {
            property::check_fixed(context, any, own.value, parameter.value);
        }
    } else {
        check_simple(own, parameter, context, id);
    }
    let mut judge = Judge::new(context, ValueContext::of(any));
    for Value(value) in own.default.iter().chain(&own.value) {
        judge.check_at(*value, &schema);
    }
    // The check of the interface type reports a mapping in it.
    if let Some(Value(mapping)) = own.mapping.filter(|_| !is_in_interface_type(context, any))
        && !lacks_name(context, any)
    {
        check_mapping(&mut Judge::new(context, ValueContext::of(any)), mapping, Some(&schema));
    }
}

/// The direction of a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// From outside: it can be mapped to an attribute.
    Incoming,
    /// To the outside: it can have a value.
    Outgoing,
}

/// Returns the direction of a parameter and its description for messages; `None` for inputs of workflows, which have
/// both directions.
fn direction(context: &Context<'_>, id: Id<ParameterDefinition>) -> Option<(Direction, &'static str)> {
    let owner = context.program.owners(id.any()).next()?;
    let name = context.header(id.any())?.name;
    let is_in = |members: &Members<ParameterDefinition>| members.get(name) == Some(id);
    let of_operation = |inputs: &Members<ParameterDefinition>, what| {
        if is_in(inputs) { (Direction::Outgoing, what) } else { (Direction::Incoming, "an output of an operation") }
    };
    if let Some(service) = owner.cast::<ServiceTemplate>() {
        let is_input = is_in(&context.program.raw_as(service)?.inputs);
        return Some(if is_input {
            (Direction::Incoming, "an input of the service")
        } else {
            (Direction::Outgoing, "an output of the service")
        });
    }
    if let Some(operation) = owner.cast::<OperationDefinition>() {
        return Some(of_operation(&context.program.raw_as(operation)?.inputs, "an input of an operation"));
    }
    if let Some(notification) = owner.cast::<NotificationDefinition>() {
        return Some(of_operation(&context.program.raw_as(notification)?.inputs, "an input of a notification"));
    }
    let is_interface = owner.cast::<InterfaceDefinition>().is_some() || owner.cast::<InterfaceType>().is_some();
    is_interface.then_some((Direction::Outgoing, "an input of an interface"))
}

fn is_incoming(context: &Context<'_>, id: Id<ParameterDefinition>) -> bool {
    direction(context, id).is_some_and(|(direction, _)| direction == Direction::Incoming)
}

/// Checks that only outgoing parameters have a value, and only incoming ones a mapping (2.0, 9.7).
fn check_direction(
    own: &ParameterDefinition,
    complete: &ParameterDefinition,
    context: &mut Context<'_>,
    id: Id<ParameterDefinition>,
) {
    let name = context.program.name(id.any());
    if own.value.is_none() && own.mapping.is_none() || complete.value.is_some() && complete.mapping.is_some() {
        return;
    }
    let Some((direction, what)) = direction(context, id) else { return };
    let (misplaced, keyname, belongs, remedy) = match direction {
        Direction::Incoming => (own.value, "value", "outgoing", "give it a `default` instead"),
        Direction::Outgoing => (own.mapping, "mapping", "incoming", "give it a `value` instead"),
    };
    if let Some(Value(misplaced)) = misplaced {
        let message = format!("`{name}` is {what}, but `{keyname}` is only for {belongs} parameters");
        let at = context.span(misplaced);
        context.problem(&rules::WRONG_DIRECTION, at, message).help(remedy);
    }
}

/// Checks that an input in an interface type refines an existing input if it consists only of a value (decision A 15).
/// In a node type or relationship type, such an input may be new; it has the type of the value.
fn check_short(
    own: &ParameterDefinition,
    complete: &ParameterDefinition,
    context: &mut Context<'_>,
    id: Id<ParameterDefinition>,
) {
    if complete.r#type.is_some()
        || !is_short(own, context.header(id.any()))
        || direction(context, id).is_none_or(|(direction, _)| direction == Direction::Incoming)
    {
        return;
    }
    let name = context.program.name(id.any());
    let message = format!("`{name}` has only a value, but there is no input `{name}` to refine");
    let at = context.program.name_span(id.any());
    context
        .problem(&rules::NOTHING_TO_REFINE, at, message)
        .help(format!("add its type: `{name}: {{ type: …, value: … }}`"));
}

fn is_in_interface_type(context: &Context<'_>, id: AnyId) -> bool {
    context.program.owners(id).any(|owner| owner.kind == InterfaceType::KIND)
}

/// Returns whether a definition consists only of a value.
fn is_short(own: &ParameterDefinition, header: Option<Header>) -> bool {
    own.value.zip(header).is_some_and(|(Value(value), header)| header.node == value.node)
}

/// Checks parameters before 2.0, where the inputs of operations in types are defined like properties. A refinement may
/// be a value instead, but an interface type has nothing to refine (1.0, 3.6.4; decision B 21).
fn check_simple(
    own: &ParameterDefinition,
    complete: &ParameterDefinition,
    context: &mut Context<'_>,
    id: Id<ParameterDefinition>,
) {
    let Some(owner) = context.program.owners(id.any()).next() else { return };
    if let Some(Value(value)) = own.value.filter(|_| is_incoming(context, id)) {
        match owner.kind {
            ServiceTemplate::KIND => check_input_of_service(context, id, value),
            // The outputs of an operation are mapped to attributes (1.3, 3.6.15).
            _ => check_mapping(&mut Judge::new(context, ValueContext::of(id.any())), value, None),
        }
    }
    if !is_of_type(owner.kind) {
        return;
    }
    if is_in_interface_type(context, id.any()) {
        check_short(own, complete, context, id);
    }
    if complete.r#type.is_none() && !complete.has_value() && context.version(id.any()) <= V1_2 {
        let message = format!("input `{}` lacks the mandatory keyname `type`", context.program.name(id.any()));
        let at = context.program.name_span(id.any());
        context.problem(&rules::MISSING_KEYNAME_OR_INHERITED, at, message).help("add `type: …`");
    }
}

/// Reports a parameter whose name is a keyname, because the name of the actual parameter was omitted. Returns whether
/// this is the case.
fn lacks_name(context: &mut Context<'_>, id: AnyId) -> bool {
    let unit = context.program.unit(id.unit);
    unit.is_some_and(|unit| unit.lacks_name(id.local(), |problem| context.report(Some(problem))))
}

/// Reports a value in place of the definition of a service input: only outputs have a short form (1.3, 3.6.14).
fn check_input_of_service(context: &mut Context<'_>, id: Id<ParameterDefinition>, value: NodeRef) {
    let is_short = context.header(id.any()).is_some_and(|header| header.node == value.node);
    let Some(node) = context.node(value).filter(|node| is_short && node.kind() != NodeKind::Map) else { return };
    if lacks_name(context, id.any()) {
        return;
    }
    let name = context.program.name(id.any());
    let message = format!("input `{name}` must be a map, not {}", with_article(node));
    let is_type = context.resolve(id.any(), DATA_TYPES, context.intern(node.text())).id().is_some();
    let help = match node.kind() {
        NodeKind::String if is_type => format!("write `{name}: {{ type: {} }}`", node.text()),
        NodeKind::List => "give it a `type`, and the list as `default`".to_owned(),
        _ => format!("write `{name}: {{ type: …, default: {} }}`", node.text()),
    };
    context.problem(&rules::WRONG_KIND, Some(node.span()), message).help(help);
}

/// Returns whether parameters with an owner of the given kind are part of a type.
fn is_of_type(kind: Kind) -> bool {
    matches!(kind, InterfaceType::KIND | InterfaceDefinition::KIND | OperationDefinition::KIND)
}

/// Reports unknown keynames. Before 2.0, a map with a type is a definition. A map without a type is nearly always a
/// call in an input or output of a service, so typos of keynames are reported there too. Since 2.0, the value of an
/// outgoing parameter may be any map; but a map that looks like a definition and refines nothing is treated as a
/// definition.
fn check_keynames(parameter: &ParameterDefinition, reader: &mut Reader<'_>, id: LocalId) {
    let header = reader.header(id);
    let owner = header.and_then(|header| header.owner);
    let (Some(header), Some(owner), true) = (header, owner, is_short(parameter, header)) else { return };
    let node = reader.document().node(header.node);
    let has_type = node.find("type").is_some_and(|entry| entry.value.kind() == NodeKind::String);
    let names: Vec<&str> = parameter
        .description()
        .fields
        .iter()
        .filter(|field| field.exists_in(reader.version()))
        .map(|field| field.keyname(reader.version()))
        .collect();
    let is_like_one = |key: Node<'_>| match key.text() {
        "type" => false,
        text => names.contains(&text) || nearest(text, names.iter().copied()).is_some(),
    };
    let is_simple = reader.version() < V2_0;
    let is_of_service = matches!(owner.kind, ServiceTemplate::KIND | WorkflowDefinition::KIND);
    let only_near = is_simple && is_of_service && !has_type;
    let is_definition = match owner.kind {
        _ if only_near => !matches!(Call::shape(node, reader.version()), CallShape::Call(_)),
        kind if is_simple => has_type && (is_of_service || is_of_type(kind)),
        ServiceTemplate::KIND | WorkflowDefinition::KIND => {
            has_type && node.entries().any(|entry| is_like_one(entry.key))
        }
        _ => false,
    };
    if !is_definition {
        return;
    }
    let has_keyname = node.entries().any(|entry| names.contains(&entry.key.text()));
    for key in node.entries().map(|entry| entry.key).filter(|key| !names.contains(&key.text())) {
        let near = nearest(key.text(), names.iter().copied());
        let misplaced = misplaced_clause(parameter.description(), reader.version(), key.text());
        if only_near && near.is_none() && (misplaced.is_none() || !has_keyname) {
            continue;
        }
        let what = reader.title(parameter.description(), id);
        let message = format!("`{}` is not a keyname of {what}", key.text());
        let help = misplaced.map_or_else(
            || match near {
                Some(near) => Help::did_you_mean(near),
                None => format!("a parameter definition has the keynames {}", and_list(&names)).into(),
            },
            Help::from,
        );
        reader.problem(&rules::UNKNOWN_KEYNAME, key, message).help(help);
    }
}

/// Checks a value that is assigned to the parameter (2.0, 9.8).
fn judge(
    parameter: &ParameterDefinition,
    context: &mut Context<'_>,
    id: Id<ParameterDefinition>,
    assignment: &Assignment,
) {
    let any = id.any();
    let Some(value) = assignment.value else {
        return check_used(context, id, parameter.value.or(parameter.default), assignment);
    };
    // A value that refines nothing has been reported.
    if parameter.r#type.is_none() && is_short(parameter, context.header(any)) && is_in_interface_type(context, any) {
        return;
    }
    if let Some(Value(fixed)) = parameter.value {
        let what = format!("input `{}`", context.program.name(any));
        let at = assignment.key.and_then(|key| context.span(key));
        return report_fixed(context, &what, at, fixed);
    }
    if let Some(complete) = context.get(id) {
        let schema = complete.schema(context, id);
        Judge::new(context, ValueContext::of(assignment.owner)).check_at(value, &schema);
        check_between(context, Value(value), &schema, assignment);
    }
}
