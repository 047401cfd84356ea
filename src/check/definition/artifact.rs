//! Artifact definitions (2.0, 12.2), and the implementations that use them (2.0, 11.8).

use crate::ard::{Kind, Node};
use crate::data::{PathContext, ValueContext};
use crate::diagnostic::Help;
use crate::entity::{AnyId, Checked, Checks, Entity as _, Id, LocalId, Text, Value};
use crate::grammar::definition::{ArtifactDefinition, Implementation};
use crate::grammar::template::NodeTemplate;
use crate::grammar::types::NodeType;
use crate::grammar::version::V2_0;
use crate::named_file::{artifacts, is_path, names_artifact};
use crate::phase::read::Reader;
use crate::phase::rendering::RenderedEntity;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for ArtifactDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(check);
}

fn check(artifact: &ArtifactDefinition, context: &mut Context<'_>, id: Id<ArtifactDefinition>) {
    let id = id.any();
    if context.version(id) < V2_0 {
        check_deduced(artifact, context, id);
    }
    check_name(artifact, context, id);
    let definition = context.definition(id);
    context.apply::<ArtifactDefinition>(&RenderedEntity::of(id, definition));
}

/// Checks that an omitted type of an artifact can be inferred from the extension of its file. Only versions before 2.0
/// allow the omission (1.3, 3.6.7.2.1). The file of an implementation may be the name of another artifact.
fn check_deduced(artifact: &ArtifactDefinition, context: &mut Context<'_>, id: AnyId) {
    let Some(Text(file)) = artifact.file.filter(|_| artifact.r#type.is_none()) else { return };
    let Some(node) = context.node(file).filter(|node| node.kind() == Kind::String) else { return };
    let Some(owner) = context.program.owners(id).next() else { return };
    let is_defined = context.header(id).is_some_and(|header| {
        let node_type = context.definition(owner).and_then(AnyId::cast::<NodeType>).and_then(|id| context.get(id));
        node_type.is_some_and(|node_type| node_type.artifacts.get(header.name).is_some())
    });
    let is_of_node = owner.kind == NodeType::KIND || owner.kind == NodeTemplate::KIND && !is_defined;
    let has_extension = node.text().rsplit('/').next().is_some_and(|name| name.contains('.'));
    if is_of_node && !has_extension {
        let message = format!(
            "artifact `{}` needs a type: it can't be inferred from `{}`, which has no extension",
            context.program.name(id),
            node.text()
        );
        context
            .problem(&rules::MISSING_KEYNAME_OR_INHERITED, Some(node.span()), message)
            .help("write `{ file: …, type: … }`");
    }
}

/// Checks a name in an implementation that is similar to that of an artifact of the node. Other names may have a
/// meaning for the processor.
fn check_name(artifact: &ArtifactDefinition, context: &mut Context<'_>, id: AnyId) {
    let Some(Text(file)) = artifact.file.filter(|_| artifact.repository.is_none()) else { return };
    let Some(node) = context.node(file).filter(|node| node.kind() == Kind::String) else { return };
    let is_used = context.program.owners(id).next().is_some_and(|owner| owner.kind == Implementation::KIND);
    if !is_used || is_path(node.text()) || names_artifact(context, id, node.text()) {
        return;
    }
    let known = artifacts(context, id);
    let names = known.iter().flat_map(|artifacts| artifacts.iter()).map(|(name, _)| context.text(name));
    if let Some(name) = context.suggestions().nearest(node.text(), names) {
        let message = format!("the node has no artifact `{}`", node.text());
        context.problem(&rules::ABSENT_FILE, Some(node.span()), message).help(Help::did_you_mean(name));
    }
}

impl Checked for Implementation {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_timeout).after_inheritance(check_operation_host);
}

fn check_timeout(implementation: &Implementation, reader: &mut Reader<'_>, _: LocalId) {
    let Some(Value(timeout)) = implementation.timeout else { return };
    let node = reader.document().node(timeout.node);
    if node.kind() != Kind::Map && node.as_integer().is_none_or(|seconds| seconds < 0) && !node.is_placeholder() {
        let problem = reader.wrong_kind(node, "`timeout`", "a number of seconds");
        problem.help("write a whole number, `60` for example");
    }
}

/// Checks the host on which an operation runs; the entity that has the operation determines the allowed hosts (1.3,
/// 3.6.15).
fn check_operation_host(implementation: &Implementation, context: &mut Context<'_>, id: Id<Implementation>) {
    let Some(node) = implementation.operation_host.and_then(|Text(host)| context.node(host)) else { return };
    let allowed: &[&str] = match ValueContext::of(id.any()).here(context) {
        PathContext::Node(_) => &["SELF", "HOST", "ORCHESTRATOR"],
        PathContext::Relationship(_) => &["SOURCE", "TARGET", "ORCHESTRATOR"],
        PathContext::Capability(_) | PathContext::Unknown | PathContext::Nowhere => {
            &["SELF", "HOST", "SOURCE", "TARGET", "ORCHESTRATOR"]
        }
    };
    check_host(context, node, allowed);
}

/// Reports an operation host that is not allowed.
pub(in crate::check) fn check_host(context: &mut Context<'_>, node: Node<'_>, allowed: &[&str]) {
    if !allowed.contains(&node.text()) && !node.is_placeholder() {
        let help = context.did_you_mean(node.text(), allowed, "write one of");
        let message = format!("an operation can't run on `{}` here", node.text());
        context.problem(&rules::INVALID_WORD, Some(node.span()), message).help_if(help);
    }
}
