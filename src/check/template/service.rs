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

/// The maximum number of unknown inputs that are counted.
const MAX_COUNTED_INPUTS: usize = 1_000;

/// Checks that required inputs have values. A deployment needs them, but a template alone does not (6.4).
fn check_missing_inputs(service: &ServiceTemplate, context: &mut Context<'_>) {
    for (name, id) in service.inputs.iter() {
        let name = context.text(name);
        let needs_value = context.get(id).is_some_and(|input| input.is_required() && !input.has_value());
        if needs_value && context.program.given_input(name).is_none() {
            let message = format!("input `{name}` has no value");
            let at = context.program.name_span(id.any());
            context.problem(&rules::MISSING_INPUT, at, message).help("set the input, or give it a default");
        }
    }
}

/// Checks the given values against the input definitions. There may be many more values than inputs, because they may be
/// for all templates of a project, so their number must not matter.
fn check_given_inputs(service: &ServiceTemplate, context: &mut Context<'_>, id: AnyId) {
    let maps = context.program.inputs.iter().filter_map(|position| context.node(*position));
    // If a syntax error has cut off the text, the remaining values are unknown.
    let (maps, damaged): (Vec<_>, Vec<_>) = maps.partition(|map| map.document().is_complete());
    if damaged.is_empty() {
        check_missing_inputs(service, context);
    }
    for map in &maps {
        for (name, input_id) in service.inputs.iter() {
            let given = map.get(name).and_then(|entry| Some((entry.value, context.get(input_id)?)));
            if let Some((value, input)) = given {
                let schema = input.schema(context, input_id);
                Judge::new(context, ValueContext::of(id)).check(value, &schema);
            }
        }
    }
    check_unknown_inputs(service, context, &maps);
}

fn check_unknown_inputs(service: &ServiceTemplate, context: &mut Context<'_>, maps: &[Node<'_>]) {
    // A computed template may take inputs that it does not declare.
    let taken = context.program.list.iter().flat_map(|unit| unit.document.inputs());
    let taken: HashSet<&str> = taken.collect();
    let is_unknown = |key: &Node<'_>| {
        let name = context.program.interner.get(key.text());
        name.is_none_or(|name| service.inputs.get(name).is_none()) && !taken.contains(key.text())
    };
    let keys = maps.iter().flat_map(|map| map.entries()).map(|entry| entry.key);
    let unknown: Vec<Node<'_>> = keys.filter(is_unknown).take(MAX_COUNTED_INPUTS).collect();
    for (number, key) in unknown.iter().enumerate().take(MAX_UNKNOWN_INPUTS) {
        let names = service.inputs.iter().map(|(name, _)| context.text(name));
        let help = context.did_you_mean(key.text(), names, "the inputs are");
        let rest = if number + 1 == MAX_UNKNOWN_INPUTS { rest(unknown.len()) } else { String::new() };
        let message = format!("the service has no input `{}`{rest}", key.text());
        context.problem(&rules::UNKNOWN_INPUT, Some(key.span()), message).help_if(help);
    }
}

/// Returns the end of the message about the last unknown input that is reported.
fn rest(unknown: usize) -> String {
    match unknown - MAX_UNKNOWN_INPUTS {
        0 => String::new(),
        rest if unknown == MAX_COUNTED_INPUTS => format!(", nor at least {rest} others that are given"),
        rest => format!(", nor {rest} others that are given"),
    }
}
