//! Service templates (2.0, 6.9).

use super::capacity::check_allocations;
use super::hosting::check_hosts;
use super::member_limit::check_weight;
use super::relationship::check_unused;
use super::workflow_loops::check_workflows;
use crate::ard::Node;
use crate::data::{Judge, Typed, ValueContext, check_loops};
use crate::entity::{AnyId, Checked, Checks, Id};
use crate::grammar::template::ServiceTemplate;
use crate::grammar::version::V2_0;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;
use foldhash::HashSet;

impl Checked for ServiceTemplate {
    const CHECKS: Checks<Self> = Checks::NEW.render(render);
}

fn render(service: &ServiceTemplate, context: &mut Context<'_>, id: Id<ServiceTemplate>) {
    if context.version(id.any()) >= V2_0 {
        check_names(service, context);
    } else {
        check_reserved(service, context);
    }
    check_given_inputs(service, context, id.any());
    check_unused(context, service);
    check_workflows(context, service);
    // Each of these traverses all templates.
    context.run_parallel(&[
        &|context| check_loops(context, service, id),
        &|context| check_hosts(context, service),
        &|context| check_allocations(context, service),
        &|context| check_weight(id, context),
    ]);
}

/// Checks that names are unique among the kinds of entities that one keyname, or the start of a path, can refer to.
fn check_names(service: &ServiceTemplate, context: &mut Context<'_>) {
    let nodes = &service.node_templates;
    let relationships = &service.relationship_templates;
    // The entity of a different kind that has the same name and takes precedence. Duplicate names in one list are
    // reported elsewhere.
    let node = |name| nodes.get(name).map(Id::any);
    let earlier = |name| node(name).or_else(|| relationships.get(name).map(Id::any));
    let own = context.program.interner.get("SELF");
    let of_node = own.and_then(|own| Some((own, node(own)?, None)));
    let of_relationship = relationships.iter().map(|(name, id)| (name, id.any(), node(name)));
    let of_group = service.groups.iter().map(|(name, id)| (name, id.any(), earlier(name)));
    for (name, id, other) in of_node.into_iter().chain(of_relationship).chain(of_group) {
        let (message, related) = if Some(name) == own {
            (format!("{} can't be referred to: `SELF` means the current entity in paths", context.describe(id)), None)
        } else if let Some(other) = other {
            let message = format!("{} has the same name as {}", context.describe(id), context.describe(other));
            (message, context.program.name_span(other))
        } else {
            continue;
        };
        let at = context.program.name_span(id);
        context
            .problem(&rules::CLASHING_NAME, at, message)
            .related(related, "takes precedence")
            .help("give it another name");
    }
}

/// Reports templates named like a keyword that paths can start with, which is not allowed before 2.0 (decision B 25).
fn check_reserved(service: &ServiceTemplate, context: &mut Context<'_>) {
    let nodes = service.node_templates.iter().map(|(name, id)| (name, id.any()));
    let relationships = service.relationship_templates.iter().map(|(name, id)| (name, id.any()));
    for (name, id) in nodes.chain(relationships) {
        if matches!(context.text(name), "SELF" | "SOURCE" | "TARGET" | "HOST") {
            let message = format!("{} can't be referred to: its name is a keyword in paths", context.describe(id));
            let at = context.program.name_span(id);
            context.problem(&rules::RESERVED_NAME, at, message).help("give it another name");
        }
    }
}

/// The maximum number of unknown inputs that are reported each: the inputs of a configuration are for all its templates.
const MAX_UNKNOWN_INPUTS: usize = 20;

/// Checks that required inputs have values. A deployment needs them, but a template alone does not (6.4).
fn check_missing_inputs(service: &ServiceTemplate, context: &mut Context<'_>, given: &[Node<'_>]) {
    let given: HashSet<&str> = given.iter().flat_map(|map| map.entries()).map(|entry| entry.key.text()).collect();
    for (name, id) in service.inputs.iter() {
        let name = context.text(name);
        let needs_value = context.get(id).is_some_and(|input| input.is_required() && !input.has_value());
        if needs_value && !given.contains(name) {
            let message = format!("input `{name}` has no value");
            let at = context.program.name_span(id.any());
            context.problem(&rules::MISSING_INPUT, at, message).help("set the input, or give it a default");
        }
    }
}

/// Checks the given values against the input definitions.
fn check_given_inputs(service: &ServiceTemplate, context: &mut Context<'_>, id: AnyId) {
    let maps = context.program.inputs.iter().filter_map(|position| context.node(*position));
    // If a syntax error has cut off the text, the remaining values are unknown.
    let (maps, damaged): (Vec<_>, Vec<_>) = maps.partition(|map| map.document().is_complete());
    if damaged.is_empty() {
        check_missing_inputs(service, context, &maps);
    }
    let mut unknown: Vec<Node<'_>> = Vec::new();
    for entry in maps.into_iter().flat_map(Node::entries) {
        let input = context.program.interner.get(entry.key.text()).and_then(|name| service.inputs.get(name));
        match input.and_then(|id| Some((id, context.get(id)?))) {
            Some((input_id, input)) => {
                let schema = input.schema(context, input_id);
                Judge::new(context, ValueContext::of(id)).check(entry.value, &schema);
            }
            // A computed template may take inputs that it does not declare.
            None if context.program.list.iter().any(|unit| unit.document.takes_input(entry.key.text())) => {}
            None => unknown.push(entry.key),
        }
    }
    for (number, key) in unknown.iter().enumerate().take(MAX_UNKNOWN_INPUTS) {
        let names = service.inputs.iter().map(|(name, _)| context.text(name));
        let help = context.did_you_mean(key.text(), names, "the inputs are");
        let rest = unknown.len() - number;
        let message = match rest {
            2.. if number + 1 == MAX_UNKNOWN_INPUTS => {
                format!("the service has no input `{}`, nor {} others that are given", key.text(), rest - 1)
            }
            _ => format!("the service has no input `{}`", key.text()),
        };
        context.problem(&rules::UNKNOWN_INPUT, Some(key.span()), message).help_if(help);
    }
}
