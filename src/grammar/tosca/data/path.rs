//! What stands at the ends of paths: properties, attributes, artifacts, and what is within their values (2.0, 10.2.1).

use super::super::section::DATA_TYPES;
use super::call::{Call, Shape};
use super::expression::{Known, check_call};
use super::judge::Judge;
use super::place::Here;
use super::walk::{Lost, bad_index, is_literal_name, walk};
use super::{DataKind, Schema, Typed};
use crate::ard::{Kind, Node};
use crate::entity::{AnyId, Members, Position};
use crate::phase::{Context, Explain};
use crate::rules;

/// What stands at the end of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sought {
    /// A property.
    Property,
    /// An attribute, or the property that it reflects.
    Attribute,
    /// A property of a capability that can be allocated.
    Allocation,
}

/// Follows a path to a property or attribute, and says what is known of its value.
pub(super) fn check<'a>(
    judge: &mut Judge<'_, 'a>,
    call: Call<'a>,
    arguments: &[Node<'a>],
    sought: Sought,
) -> Known<'a> {
    if !are_steps(judge, arguments) {
        return Known::Nothing;
    }
    let walk = match walk(judge, arguments) {
        Ok(Some(walk)) => walk,
        Ok(None) => return Known::Nothing,
        Err(lost) => {
            report(judge, lost);
            return Known::Nothing;
        }
    };
    let what = if sought == Sought::Attribute { "attribute" } else { "property" };
    let Some(name) = arguments.get(walk.steps).copied() else {
        let article = if sought == Sought::Attribute { "an" } else { "a" };
        let message = format!("the path does not end with the name of {article} {what}");
        judge.problem(&rules::ARGUMENT_COUNT, call.node, message);
        return Known::Nothing;
    };
    let unknown = if walk.is_all { Known::Kind(DataKind::List) } else { Known::Nothing };
    if matches!(walk.here, Here::Unknown) || !is_literal_name(judge, name) {
        return unknown;
    }
    if sought == Sought::Allocation && !matches!(walk.here, Here::Capability(_)) {
        let message = "the path must lead to a capability".to_owned();
        let help = Some("write `CAPABILITY` and the name of a capability before it".to_owned());
        report(judge, Lost { step: name, message, help });
        return Known::Nothing;
    }
    match property(judge.context, &walk.here, name.text(), sought) {
        Member::Found(schema) => {
            if sought == Sought::Allocation {
                check_amount(judge, name, &schema);
            }
            match nested(judge, schema, &arguments[walk.steps + 1..]) {
                Known::Schema(schema) if walk.is_all => Known::ListOf(schema),
                Known::Schema(schema) => Known::Schema(schema),
                _ if walk.is_all => Known::Kind(DataKind::List),
                known => known,
            }
        }
        Member::Unknowable => unknown,
        Member::Missing { owner, names } => {
            let message = format!("{owner} has no {what} `{}`", name.text());
            let help = judge.context.did_you_mean(name.text(), &names, "it has");
            report(judge, Lost { step: name, message, help });
            Known::Nothing
        }
    }
}

/// Whether the steps of a path are what steps can be: names, indexes, and calls that give one; the first is a name. The
/// others are reported.
fn are_steps<'a>(judge: &mut Judge<'_, 'a>, arguments: &[Node<'a>]) -> bool {
    for (index, step) in arguments.iter().enumerate() {
        let is_step = match step.kind() {
            Kind::String => true,
            Kind::Integer => index > 0,
            _ => matches!(judge.shape(*step), Shape::Call(_)) || step.is_substitute(),
        };
        if !is_step {
            let what = if index == 0 {
                "the first step of a path must be a name"
            } else {
                "a step of a path must be a name or an index"
            };
            let message = format!("{what}, not {}", crate::phase::read::with_article(*step));
            judge.problem(&rules::ARGUMENT_TYPE, *step, message).help("write for example `[ SELF, address ]`");
            return false;
        }
    }
    true
}

/// What can be allocated is an amount (2.0, 10.2.1.8).
fn check_amount<'a>(judge: &mut Judge<'_, 'a>, name: Node<'a>, schema: &Schema<'a>) {
    let is_amount = |kind| matches!(kind, DataKind::Integer | DataKind::Float | DataKind::Scalar);
    if schema.kind(judge.context).is_some_and(|kind| !is_amount(kind)) {
        let message = format!("property `{}` is not an amount that could be allocated", name.text());
        judge
            .problem(&rules::WRONG_ALLOCATION, name, message)
            .help("what can be allocated is an integer, a float or a scalar");
    }
}

/// Follows a path to an artifact.
pub(super) fn check_artifact<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, arguments: &[Node<'a>]) {
    if !are_steps(judge, arguments) {
        return;
    }
    let walk = match walk(judge, arguments) {
        Ok(Some(walk)) => walk,
        Ok(None) => return,
        Err(lost) => return report(judge, lost),
    };
    let Some(name) = arguments.get(walk.steps).copied() else {
        let message = "the path does not end with the name of an artifact";
        judge.problem(&rules::ARGUMENT_COUNT, call.node, message);
        return;
    };
    if walk.steps + 1 < arguments.len() {
        judge
            .problem(&rules::ARGUMENT_COUNT, call.node, "there is nothing within an artifact that could be got")
            .help("`$get_artifact` takes a path and the name of an artifact");
        return;
    }
    let node = match walk.here {
        Here::Node(node) => node,
        Here::Unknown | Here::Nowhere => return,
        Here::Relationship(_) | Here::Capability(_) => {
            let message = "only nodes have artifacts".to_owned();
            return report(judge, Lost { step: name, message, help: None });
        }
    };
    if !is_literal_name(judge, name) {
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
        report(judge, Lost { step: name, message, help });
    }
}

/// Goes into a value by names, keys and indexes.
pub(super) fn nested<'a>(judge: &mut Judge<'_, 'a>, schema: Schema<'a>, steps: &[Node<'a>]) -> Known<'a> {
    let mut within = Some(schema);
    for step in steps {
        // A step can be computed; calls are looked at even if it is no longer known what they are within.
        let computed = match judge.shape(*step) {
            Shape::Call(call) => Some(check_call(judge, call)),
            _ => None,
        };
        let Some(schema) = within else { continue };
        let Some(kind) = schema.kind(judge.context) else {
            within = None;
            continue;
        };
        let (step_kind, wanted) = match kind {
            DataKind::List => (DataKind::Integer, "an index"),
            DataKind::Map | DataKind::Complex => (DataKind::String, "a name"),
            _ => {
                let message = format!("there is nothing within {}", kind.with_article());
                report(judge, Lost { step: *step, message, help: None });
                return Known::Nothing;
            }
        };
        if let Some(found) = computed {
            if let Some(found) = found.kind(judge).filter(|found| *found != step_kind) {
                let message = format!("{wanted} is needed here, not {}", found.with_article());
                judge.problem(&rules::ARGUMENT_TYPE, *step, message);
                return Known::Nothing;
            }
        } else if kind == DataKind::List && step.as_integer().is_none_or(|index| index < 0) {
            report(judge, bad_index(*step));
            return Known::Nothing;
        }
        within = match kind {
            DataKind::Complex if computed.is_some() => None,
            DataKind::Complex => match schema.member(judge.context, step.text()) {
                Some(member) => Some(member),
                None => {
                    unknown_member(judge, &schema, *step);
                    return Known::Nothing;
                }
            },
            _ => schema.entries(judge.context),
        };
    }
    within.map_or(Known::Nothing, Known::Schema)
}

fn unknown_member<'a>(judge: &mut Judge<'_, 'a>, schema: &Schema<'a>, step: Node<'a>) {
    let context = &judge.context;
    let members = schema.data_type.and_then(|data_type| context.get(data_type)).map(|data_type| &data_type.properties);
    let names: Vec<&str> = members.into_iter().flat_map(Members::iter).map(|(name, _)| context.text(name)).collect();
    let help = context.did_you_mean(step.text(), &names, "it has");
    let message = format!("data type `{}` has no property `{}`", schema.type_name(context), step.text());
    report(judge, Lost { step, message, help });
}

fn report(judge: &mut Judge<'_, '_>, lost: Lost<'_>) {
    // Of nodes that are looked for little is known (decision A 35).
    let rule = if judge.place.is_filter { &rules::UNRESOLVED_FILTER_PATH } else { &rules::UNRESOLVED_PATH };
    judge.problem(rule, lost.step, lost.message).help_if(lost.help);
}

/// What became of the search for a property or attribute.
pub(super) enum Member<'a> {
    Found(Schema<'a>),
    Missing { owner: String, names: Vec<&'a str> },
    Unknowable,
}

pub(super) fn property<'a>(context: &Context<'a>, here: &Here, name: &str, sought: Sought) -> Member<'a> {
    let (owner, properties, attributes) = match here {
        Here::Node(node) => match node.node_type.and_then(|id| Some((id, context.get(id)?))) {
            Some((id, node_type)) => (id.any(), &node_type.properties, &node_type.attributes),
            None => return Member::Unknowable,
        },
        Here::Relationship(relationship) => {
            match relationship.relationship_type.and_then(|id| Some((id, context.get(id)?))) {
                Some((id, of_type)) => (id.any(), &of_type.properties, &of_type.attributes),
                None => return Member::Unknowable,
            }
        }
        Here::Capability(capability) => match capability.definition.and_then(|id| Some((id, context.get(id)?))) {
            // What the type of the capability has is unknown if the type is.
            Some((_, definition)) if context.target_of(definition.r#type).is_none() => return Member::Unknowable,
            Some((id, definition)) => (id.any(), &definition.properties, &definition.attributes),
            None => match capability.capability_type.and_then(|id| Some((id, context.get(id)?))) {
                Some((id, of_type)) => (id.any(), &of_type.properties, &of_type.attributes),
                None => return Member::Unknowable,
            },
        },
        Here::Unknown | Here::Nowhere => return Member::Unknowable,
    };
    let symbol = context.program.interner.get(name);
    if sought == Sought::Attribute {
        let id = symbol.and_then(|symbol| attributes.get(symbol));
        if let Some((id, attribute)) = id.and_then(|id| Some((id, context.get(id)?))) {
            return Member::Found(attribute.schema(context, id));
        }
    }
    let id = symbol.and_then(|symbol| properties.get(symbol));
    if let Some((id, property)) = id.and_then(|id| Some((id, context.get(id)?))) {
        return Member::Found(property.schema(context, id));
    }
    if !context.is_complete(owner) {
        return Member::Unknowable;
    }
    let mut names: Vec<&str> = properties.iter().map(|(name, _)| context.text(name)).collect();
    if sought == Sought::Attribute {
        names.extend(attributes.iter().map(|(name, _)| context.text(name)));
    }
    Member::Missing { owner: context.describe(owner), names }
}

/// Checks that what comes in is mapped to an attribute that there is, and that can hold it (2.0, 9.9).
pub(crate) fn check_mapping<'a>(context: &mut Context<'a>, at: AnyId, mapping: Position, output: Option<&Schema<'a>>) {
    let Some(node) = context.node(mapping).filter(|node| !node.is_substitute()) else { return };
    if node.kind() != Kind::List {
        let message = format!(
            "a mapping must be a list of a path and an attribute, not {}",
            crate::phase::read::with_article(node)
        );
        let is_type = context.resolve(at, DATA_TYPES, context.intern(node.text())).id().is_some();
        let help = match node.kind() {
            Kind::String if is_type => format!("write `{{ type: {} }}`", node.text()),
            _ => "write for example `[ SELF, address ]`".to_owned(),
        };
        context.problem(&rules::WRONG_KIND, Some(node.span()), message).help(help);
        return;
    }
    let arguments: Vec<Node<'_>> = node.items().collect();
    let call = Call { name: "get_attribute", name_node: node, arguments: Some(node), node };
    let mut judge = Judge::new(context, super::Place::of(at));
    let attribute = check(&mut judge, call, &arguments, Sought::Attribute);
    if let (Known::Schema(attribute), Some(output)) = (attribute, output)
        && !attribute.may_hold(judge.context, output)
    {
        let message = format!(
            "{} is a `{}`, but {} is a `{}`",
            output.title(judge.context),
            output.type_name(judge.context),
            attribute.title(judge.context),
            attribute.type_name(judge.context)
        );
        let defined = attribute.definition.and_then(|definition| judge.context.program.name_span(definition));
        judge
            .problem(&rules::MAPPED_TYPE, node, message)
            .related(defined, "the attribute is defined here")
            .help("make both of the same type, or choose another attribute");
    }
}
