//! Paths in 2.0: to properties, attributes and artifacts, and in the mappings of outputs (2.0, 10.2.1).

use crate::ard::{Kind, Node};
use crate::data::call::function::PathTarget;
use crate::data::call::result_type::StaticResult;
use crate::data::call::{self, Call, is_literal_name};
use crate::data::judge::Judge;
use crate::data::path::PathError;
use crate::data::path::member::expect_steps;
use crate::data::path::place::{NodeContext, PathContext};
use crate::data::path::walk::lead;
use crate::data::schema::Schema;
use crate::diagnostic::Help;
use crate::entity::{Members, NodeRef};
use crate::grammar::section::DATA_TYPES;
use crate::grammar::version::V2_0;
use crate::phase::DiagnosticExt;
use crate::rules;

/// Follows a path to an artifact.
pub(crate) fn check_artifact<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, arguments: &[Node<'a>]) {
    let (here, steps) = match expect_steps(judge, arguments).and_then(|()| lead(judge, arguments)) {
        Ok(Some(led)) => led.places[0],
        Ok(None) => return,
        Err(lost) => return judge.report(lost),
    };
    let Some(name) = arguments.get(steps).copied() else {
        let message = "the path does not end with the name of an artifact";
        judge.problem(&rules::ARGUMENT_COUNT, call.node, message);
        return;
    };
    if steps + 1 < arguments.len() {
        judge
            .problem(&rules::ARGUMENT_COUNT, call.node, "a path can't lead into an artifact")
            .help("`$get_artifact` takes a path and the name of an artifact");
        return;
    }
    let node = match here {
        PathContext::Node(node) => node,
        PathContext::Unknown | PathContext::Nowhere => return,
        PathContext::Relationship(_) | PathContext::Capability(_) => {
            return judge.report(PathError::at(name, "only nodes have artifacts", None));
        }
    };
    if !is_literal_name(judge.context, name) {
        return;
    }
    let context = &judge.context;
    let of_template = node.template.and_then(|template| context.get(template)).map(|template| &template.artifacts);
    let Some(of_type) =
        node.node_type.and_then(|node_type| context.get(node_type)).map(|node_type| &node_type.artifacts)
    else {
        return;
    };
    let all: Vec<&str> =
        of_template.into_iter().chain([of_type]).flat_map(Members::iter).map(|(name, _)| context.text(name)).collect();
    if !all.contains(&name.text()) {
        let message = format!("there is no artifact `{}`", name.text());
        let help = context.did_you_mean(name.text(), &all, "the artifacts are");
        judge.report(PathError::at(name, message, help));
    }
}

/// Checks that an output is mapped to an existing attribute with a suitable type (2.0, 9.9).
pub(crate) fn check_mapping<'a>(judge: &mut Judge<'_, 'a>, mapping: NodeRef, output: Option<&Schema<'a>>) {
    let context = &judge.context;
    let Some(node) = context.node(mapping).filter(|node| !node.is_placeholder()) else { return };
    if node.kind() != Kind::List && call::version(context, node) < V2_0 {
        // Only an example shows the form of a mapping (1.3, 3.6.15).
        return;
    }
    if node.kind() != Kind::List {
        let message = format!(
            "a mapping must be a list of a path and an attribute, not {}",
            crate::phase::read::with_article(node)
        );
        let is_type = context.resolve(judge.place.at, DATA_TYPES, context.intern(node.text())).id().is_some();
        let help = match node.kind() {
            Kind::String if is_type => Help::write(format!("{{ type: {} }}", node.text())),
            _ => "write `[ SELF, address ]`, for example".into(),
        };
        judge.problem(&rules::WRONG_KIND, node, message).help(help);
        return;
    }
    let arguments: Vec<Node<'_>> = node.items().collect();
    if call::version(context, node) < V2_0 && !check_simple_mapping(judge, node, &arguments) {
        return;
    }
    let call = Call { name: "get_attribute", name_node: node, arguments: Some(node), node };
    let attribute = judge.follow(call, &arguments, PathTarget::Attribute);
    if let (StaticResult::Schema(attribute), Some(output)) = (attribute, output)
        && !attribute.may_hold(judge.context, output)
    {
        let message = format!(
            "{} has type `{}`, but {} has type `{}`",
            output.title(judge.context),
            output.type_name(judge.context),
            attribute.title(judge.context),
            attribute.type_name(judge.context)
        );
        let defined = attribute.definition.and_then(|definition| judge.context.program.name_span(definition));
        judge
            .problem(&rules::MAPPED_TYPE, node, message)
            .related(defined, "attribute defined here")
            .help("give both the same type, or choose a different attribute");
    }
}

/// Checks the start and the end of a mapping before 2.0. Returns whether the mapping can be followed.
fn check_simple_mapping<'a>(judge: &mut Judge<'_, 'a>, mapping: Node<'a>, steps: &[Node<'a>]) -> bool {
    let (Some(head), Some(last)) = (steps.first(), steps.last()) else { return true };
    if steps.len() == 1 {
        let message = "the mapping does not end with the name of an attribute";
        judge.problem(&rules::ARGUMENT_COUNT, mapping, message).help("write `[ SELF, state ]`, for example");
        return false;
    }
    let is_keyword = matches!(head.text(), "SELF" | "SOURCE" | "TARGET" | "HOST");
    if !is_keyword && head.kind() == Kind::String && !judge.place.is_in_service(judge.context) {
        let message = format!("`{}` has no meaning in a type", head.text());
        let help = "a mapping in a type starts with `SELF`, `SOURCE`, `TARGET` or `HOST`";
        judge.problem(&rules::UNRESOLVED_PATH, *head, message).help(help);
        return false;
    }
    let PathContext::Node(NodeContext { node_type: Some(id), .. }) = judge.place.here(judge.context) else {
        return true;
    };
    let of_type = judge.context.program.interner.get(last.text()).zip(judge.context.get(id));
    let is_property = of_type.is_some_and(|(name, of_type)| {
        of_type.properties.get(name).is_some() && of_type.attributes.get(name).is_none()
    });
    if steps.len() == 2 && head.text() == "SELF" && is_property {
        let message = format!("`{}` is a property, and an output can only set an attribute", last.text());
        judge.problem(&rules::UNRESOLVED_PATH, *last, message).help("define an attribute for the output");
        return false;
    }
    true
}
