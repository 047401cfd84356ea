//! Function calls in values.

use tosca_parse::ard::{Kind, Node};
use tosca_parse::entity::AnyId;
use tosca_parse::phase::namespace::LookupResult;
use tosca_parse::phase::{Context, DiagnosticExt as _};
use tosca_parse::rules::UNKNOWN_NAME;

use super::evaluate::{Data, Evaluator, Here};
use super::report;
use crate::function::{Call, call};
use crate::grammar::{INPUTS, NODE_TEMPLATES, V1_0, V1_1, V1_3};
use crate::rules::{EARLY_FUNCTION, FAILED_CALL, INVALID_CALL, MISPLACED_WORD, UNKNOWN_NODE};

/// The place of a value.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// In a node template.
    Node(AnyId),
    /// In an operation of a relationship.
    Relationship(Here),
    /// A place without a node, such as an output.
    Service,
    /// In a type or a default, where nothing is evaluated.
    Definition,
}

impl Place {
    fn here(self) -> Here {
        match self {
            Self::Node(id) => Here { itself: Some(id), ..Here::default() },
            Self::Relationship(here) => here,
            Self::Service | Self::Definition => Here::default(),
        }
    }

    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Node(_) => &["SELF"],
            Self::Relationship(_) => &["SOURCE", "TARGET"],
            Self::Service => &[],
            Self::Definition => &["SELF", "SOURCE", "TARGET"],
        }
    }
}

/// Checks the calls in a default, without evaluating them.
pub(super) fn check_definition(context: &mut Context<'_>, node: Node<'_>) {
    walk(context, Place::Definition, node);
}

/// Checks the calls in a value. Returns whether they are valid.
pub(super) fn check<'a>(context: &mut Context<'a>, place: Place, node: Node<'a>) -> bool {
    let mut is_fine = true;
    match call(node) {
        Some(call) => {
            is_fine &= walk(context, place, node);
            if is_fine && let Err(fault) = Evaluator::new(context).call(call, place.here()) {
                let message = format!("`{}` fails: {}", call.function.name, fault.0);
                report(context, &FAILED_CALL, node, message, "correct the arguments, or the values that they name");
                is_fine = false;
            }
        }
        None => match node.kind() {
            Kind::Map => node.entries().for_each(|entry| is_fine &= check(context, place, entry.value)),
            Kind::List => node.items().for_each(|item| is_fine &= check(context, place, item)),
            _ => {}
        },
    }
    is_fine
}

/// Returns why a call in the default of a type fails for a template, if one does. Calls with wrong arguments have been
/// reported at the default.
pub(super) fn failure<'a>(context: &Context<'a>, place: Place, node: Node<'a>) -> Option<String> {
    if let Some(call) = call(node) {
        let failed = Evaluator::new(context).call(call, place.here()).err().filter(|_| fault(call).is_none());
        return failed.map(|fault| format!("`{}` fails: {}", call.function.name, fault.0));
    }
    let mut inner = node.items().chain(node.entries().map(|entry| entry.value));
    inner.find_map(|node| failure(context, place, node))
}

/// Returns the value of a valid call.
pub(super) fn evaluate<'a>(context: &Context<'a>, place: Place, call: Call<'a>) -> Data<'a> {
    Evaluator::new(context).call(call, place.here()).unwrap_or(Data::Unknown)
}

/// Checks the shapes of all calls in a value.
fn walk(context: &mut Context<'_>, place: Place, node: Node<'_>) -> bool {
    let mut is_fine = true;
    match call(node) {
        Some(call) => is_fine = shape(context, place, call) && walk(context, place, call.argument),
        None => match node.kind() {
            Kind::Map => node.entries().for_each(|entry| is_fine &= walk(context, place, entry.value)),
            Kind::List => node.items().for_each(|item| is_fine &= walk(context, place, item)),
            _ => {}
        },
    }
    is_fine
}

/// Checks a call, except for the calls in its arguments.
fn shape(context: &mut Context<'_>, place: Place, call: Call<'_>) -> bool {
    let name = call.function.name;
    let version = context.program.unit(call.node.document().source()).map_or(V1_3, |unit| unit.version);
    let since = match name {
        "concat" => V1_1,
        "merge" => V1_3,
        _ => V1_0,
    };
    if version < since {
        let title = context.program.list[0].language.version_title(since);
        let message = format!("there is no function `{name}` in this version");
        report(context, &EARLY_FUNCTION, call.node, message, format!("use {title} or later"));
        return false;
    }
    if let Some(fault) = fault(call) {
        let help = format!("`{name}` takes {}", call.function.usage);
        report(context, &INVALID_CALL, call.node, format!("`{name}` {fault}"), help);
        return false;
    }
    match name {
        "get_input" => input(context, call),
        "get_property" | "get_attribute" | "get_attributes_list" | "get_attributes_dict" => {
            call.argument.items().next().is_none_or(|node| template(context, place, node))
        }
        _ => true,
    }
}

/// Checks the name of an input. The engine looks these names up, except in calls with a type.
fn input(context: &mut Context<'_>, call: Call<'_>) -> bool {
    let node = if call.argument.kind() == Kind::List { call.argument.items().next() } else { Some(call.argument) };
    let Some(node) = node.filter(|node| node.kind() == Kind::String) else { return true };
    let name = context.intern(node.text());
    let found = context.program.resolve(node.document().source(), INPUTS, name);
    if found == LookupResult::Unknown && call.r#type.is_some() {
        let message = format!("there is no input `{}`", node.text());
        report(context, &UNKNOWN_NAME, node, message, "declare the input in `inputs`, or correct the name");
    }
    found != LookupResult::Unknown
}

/// Checks the name of a node template.
fn template(context: &mut Context<'_>, place: Place, node: Node<'_>) -> bool {
    if node.kind() != Kind::String {
        return true;
    }
    let name = node.text();
    if ["SELF", "SOURCE", "TARGET"].contains(&name) {
        let is_allowed = place.words().contains(&name);
        if !is_allowed {
            let help = match place {
                Place::Node(_) => "write `SELF`, or the name of a node template",
                Place::Relationship(_) => "write `SOURCE`, `TARGET`, or the name of a node template",
                _ => "write the name of a node template",
            };
            report(context, &MISPLACED_WORD, node, format!("`{name}` has no meaning here"), help);
        }
        return is_allowed;
    }
    let unit = node.document().source();
    let found = context.program.resolve(unit, NODE_TEMPLATES, context.intern(name));
    if found == LookupResult::Unknown {
        let names = std::iter::once_with(|| context.program.visible(unit, NODE_TEMPLATES));
        let help = context.did_you_mean(name, names.flatten().map(|(name, _)| name), "there are");
        let help = help.unwrap_or_else(|| "declare the node template in `node_templates`, or correct the name".into());
        context.problem(&UNKNOWN_NODE, Some(node.span()), format!("there is no node template `{name}`")).help(help);
        return false;
    }
    true
}

/// Returns what is wrong with the arguments, as the end of a sentence.
fn fault(Call { function, argument, .. }: Call<'_>) -> Option<String> {
    let is_call = |node: Node<'_>| call(node).is_some();
    let is_text = |node: Node<'_>| node.kind() == Kind::String || call(node).is_some();
    let is_step = |node: Node<'_>| node.kind() == Kind::Integer || is_text(node);
    let is_number = |node: Node<'_>| node.kind() == Kind::Integer || call(node).is_some();
    let is_list = argument.kind() == Kind::List;
    let items: Vec<Node<'_>> = argument.items().collect();
    let at_least = |count: usize| {
        if is_list && items.len() >= count { None } else { Some(format!("needs a list of at least {count} arguments")) }
    };
    let steps = || {
        if items.iter().all(|item| is_step(*item)) {
            None
        } else {
            Some("takes strings, integers and functions only".to_owned())
        }
    };
    match function.name {
        "get_input" if is_list => match items.first() {
            Some(name) if is_text(*name) => steps(),
            Some(_) => Some("needs the name of an input".to_owned()),
            None => at_least(1),
        },
        "get_input" => (!is_text(argument)).then(|| "needs the name of an input".to_owned()),
        "get_property" | "get_attribute" | "get_attributes_list" => at_least(2)
            .or_else(|| {
                items.first().filter(|name| !is_text(**name)).map(|_| "needs the name of a node template".to_owned())
            })
            .or_else(steps),
        "get_attributes_dict" => at_least(2).or_else(|| {
            let is_path = |node: Node<'_>| {
                is_text(node) || node.kind() == Kind::List && node.items().all(|item| item.kind() == Kind::String)
            };
            if !items.iter().skip(1).all(|item| is_path(*item)) {
                return Some("takes attributes and lists of strings only".to_owned());
            }
            let paths: Vec<String> = items.iter().skip(1).map(|item| path(*item)).collect();
            let mut sorted = paths.clone();
            sorted.sort_unstable();
            sorted.dedup();
            (sorted.len() < paths.len()).then(|| "has the same attribute twice".to_owned())
        }),
        "get_secret" | "get_environment_capability" if is_list => at_least(2).or_else(steps),
        "get_secret" => (!is_text(argument)).then(|| "needs the name of a secret".to_owned()),
        "get_environment_capability" => {
            (argument.kind() != Kind::String).then(|| "needs the name of a capability".to_owned())
        }
        "get_capability" => at_least(2).or_else(steps),
        "get_group_capability" => at_least(2),
        "get_label" if is_list => {
            let is_index = |node: Node<'_>| {
                is_number(node) || !node.text().is_empty() && node.text().bytes().all(|digit| digit.is_ascii_digit())
            };
            match items[..] {
                [key, index] if is_text(key) && is_index(index) => None,
                _ => Some("needs a key and an index".to_owned()),
            }
        }
        "get_label" => (!is_text(argument)).then(|| "needs a key".to_owned()),
        "get_sys" => at_least(2).or_else(|| system(&items)),
        "get_consumers" => {
            let is_known = ["ids", "names", "count"].contains(&argument.text()) && argument.kind() == Kind::String;
            (!is_known && !is_call(argument)).then(|| "takes `ids`, `names` or `count`".to_owned())
        }
        "concat" | "merge" if !is_list => Some("needs a list".to_owned()),
        "concat" => None,
        "merge" => {
            let other = items.iter().find(|item| item.kind() != Kind::Map);
            other.map(|item| format!("takes maps, not {}", super::kind(*item)))
        }
        "string_find" => texts(&items, 2, false, is_text, is_number),
        "string_replace" => texts(&items, 3, true, is_text, is_number),
        "string_split" => texts(&items, 2, true, is_text, is_number),
        "string_lower" | "string_upper" => (!is_text(argument)).then(|| "takes a string".to_owned()),
        _ => None,
    }
}

/// Returns a path as one string.
fn path(node: Node<'_>) -> String {
    match node.kind() {
        Kind::List => node.items().map(Node::text).collect::<Vec<_>>().join("\0"),
        _ => node.text().to_owned(),
    }
}

fn texts(
    items: &[Node<'_>],
    count: usize,
    takes_number: bool,
    is_text: impl Fn(Node<'_>) -> bool,
    is_number: impl Fn(Node<'_>) -> bool,
) -> Option<String> {
    let has_texts = items.iter().take(count).all(|item| is_text(*item));
    match &items[count.min(items.len())..] {
        _ if items.len() < count || !has_texts => Some(format!("takes {count} strings")),
        [] => None,
        [number] if takes_number && is_number(*number) => None,
        [_] if takes_number => Some("takes an integer at the end".to_owned()),
        _ => Some("has too many arguments".to_owned()),
    }
}

/// Returns what is wrong with an entity of the system or its property, as the end of a sentence.
fn system(items: &[Node<'_>]) -> Option<String> {
    let [entity, property, ..] = items else { return None };
    if call(*entity).is_some() || call(*property).is_some() {
        return None;
    }
    let properties: &[&str] = match entity.text() {
        "tenant" => &["name"],
        "deployment" => &["id", "name", "blueprint", "owner"],
        other => return Some(format!("has no entity `{other}`")),
    };
    (!properties.contains(&property.text()))
        .then(|| format!("has no property `{}` of `{}`", property.text(), entity.text()))
}
