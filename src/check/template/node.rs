//! Node templates (2.0, 7.2).

use super::interface::check_interfaces;
use super::requirement_check::{check_requirements, check_undefined};
use crate::ard::Kind;
use crate::check::definition::filter::check_node_filter;
use crate::data::check_count;
use crate::entity::{AnyId, Checked, Checks, Entity, Id, LocalId, Reference, Value};
use crate::grammar::template::NodeTemplate;
use crate::grammar::types::NodeType;
use crate::grammar::version::V2_0;
use crate::phase::inheritance::IncompleteReason;
use crate::phase::read::Reader;
use crate::phase::rendering::RenderedEntity;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for NodeTemplate {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_type).render(render);
}

fn check_type(template: &NodeTemplate, reader: &mut Reader<'_>, id: LocalId) {
    let is_given = template.r#type.is_some() || template.copy.is_some();
    missing_type(reader, id, "node template", is_given);
}

/// Reports a template without a type, unless it copies another template. An unreadable type has been reported.
pub(super) fn missing_type(reader: &mut Reader<'_>, id: LocalId, title: &str, is_given: bool) {
    let document = reader.document();
    let Some(header) = reader.header(id).filter(|_| !is_given && document.is_complete()) else { return };
    let node = document.node(header.node);
    if reader.is_incomplete(node.id()) {
        return;
    }
    let is_empty = node.kind() == Kind::Null
        && !node.is_placeholder()
        && reader.language().leniency.null_is_empty.contains(reader.version());
    if (node.kind() == Kind::Map || is_empty) && node.find("type").is_none() && node.find("copy").is_none() {
        let name = reader.interner().text(header.name);
        let message = format!("{title} `{name}` lacks the mandatory keyname `type`");
        reader.problem(&rules::MISSING_KEYNAME, document.node(header.key), message).help("add `type: …`");
    }
}

fn render(template: &NodeTemplate, context: &mut Context<'_>, id: Id<NodeTemplate>) {
    check_copy(context, id, |template| template.copy);
    let id = id.any();
    let definition = context.definition(id);
    // A selected node has its own values (2.0, 7.2.1).
    let is_checked = !template.directives.only_selects();
    context.apply::<NodeTemplate>(&RenderedEntity { is_checked, ..RenderedEntity::of(id, definition) });
    if let Some(filter) = template.node_filter {
        check_filter(template, context, id, filter);
    }
    for Value(count) in template.count.iter().chain(&template.instance_count) {
        check_count(context, id, *count);
    }
    let node_type = definition.and_then(AnyId::cast);
    let defined = node_type.and_then(|id| context.get::<NodeType>(id)).map(|node_type| &node_type.interfaces);
    check_interfaces(context, &template.interfaces, defined.as_slice());
    match node_type {
        Some(node_type) => check_requirements(context, template, id, node_type),
        None => template.requirements.iter().for_each(|(_, id)| check_undefined(context, *id)),
    }
}

fn check_filter(template: &NodeTemplate, context: &mut Context<'_>, id: AnyId, filter: Value) {
    if context.version(id) >= V2_0 && !template.directives.selects() {
        // Decision A 36.
        let at = context.program.keyname_span(id, "node_filter");
        context
            .problem(
                &rules::POINTLESS_FILTER,
                at,
                "a node filter has no effect in a node template that does not select a node",
            )
            .help("add `directives: [ select ]`, or remove the filter");
    }
    let node_type = context.definition(id).and_then(AnyId::cast);
    check_node_filter(context, id, filter, node_type);
}

/// Checks that the copied template is not a copy itself (2.0, 7.2 and 7.4).
pub(super) fn check_copy<E: Entity>(
    context: &mut Context<'_>,
    id: Id<E>,
    copy_of: impl Fn(&E) -> Option<Reference<E>>,
) {
    let Some(copy) = context.program.raw_as(id).and_then(&copy_of) else { return };
    // Templates that copy each other in a loop have been reported.
    let is_loop = context.program.gap(id.any()) == Some(IncompleteReason::Loop);
    let Some(source) = context.target(copy).filter(|_| !is_loop) else { return };
    if context.program.raw_as(source).and_then(copy_of).is_some() {
        let message = format!("{} is itself a copy and can't be copied", context.describe(source.any()));
        let at = context.reference_span(copy);
        let source = context.program.keyname_span(source.any(), "copy");
        context
            .problem(&rules::COPY_OF_COPY, at, message)
            .related(source, "copies another template")
            .help("copy the original template");
    }
}
