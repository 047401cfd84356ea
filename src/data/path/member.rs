//! The ends of paths: properties, attributes, and parts of their values (2.0, 10.2.1).

use super::graph::Graph as _;
use super::place::{CapabilityContext, NodeContext, PathContext};
use super::templates::{lacks, rule_of_lost};
use super::walk::lead;
use super::{PathError, StepEvaluator};
use crate::ard::{Kind, Layout, Node, Style};
use crate::data::call::function::PathTarget;
use crate::data::call::result_type::StaticResult;
use crate::data::call::{Call, Shape, is_literal_name, shape, version};
use crate::data::schema::{Schema, Typed};
use crate::data::typed::kind::DataKind;
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{Edit, Help};
use crate::entity::{AnyId, Members};
use crate::grammar::version::V1_3;
use crate::phase::Context;
use crate::rules;

/// Follows a path to a property or attribute and returns the known type of its value.
pub(crate) fn follow<'a>(
    follower: &mut impl StepEvaluator<'a>,
    call: Call<'a>,
    arguments: &[Node<'a>],
    sought: PathTarget,
) -> Result<StaticResult<'a>, PathError<'a>> {
    expect_steps(follower, arguments)?;
    let Some(led) = lead(follower, arguments)? else { return Ok(StaticResult::Nothing) };
    let unknown = if led.is_all { StaticResult::Kind(DataKind::List) } else { StaticResult::Nothing };
    let mut missing: Option<(AnyId, Vec<&'a str>, PathContext, usize)> = None;
    for (here, steps) in led.places {
        let Some(name) = arguments.get(steps).copied() else {
            let message = format!("the path does not end with the name of {}", sought.with_article());
            return Err(PathError { rule: &rules::ARGUMENT_COUNT, step: call.node, message, help: None, edit: None });
        };
        if matches!(here, PathContext::Unknown) || !is_literal_name(follower.context(), name) {
            return Ok(unknown);
        }
        if sought == PathTarget::Allocation && !matches!(here, PathContext::Capability(_)) {
            let help = "write `CAPABILITY` and the name of a capability before the property".into();
            return Err(PathError::at(name, "the path must lead to a capability", Some(help)));
        }
        match property(follower.context(), &here, name.text(), sought) {
            Member::Found(schema) => {
                if sought == PathTarget::Allocation {
                    expect_amount(follower.context(), name, &schema)?;
                }
                return Ok(match nested(follower, schema, &arguments[steps + 1..])? {
                    StaticResult::Schema(schema) if led.is_all => StaticResult::ListOf(schema),
                    StaticResult::Schema(schema) => StaticResult::Schema(schema),
                    _ if led.is_all => StaticResult::Kind(DataKind::List),
                    known => known,
                });
            }
            Member::Unknowable => return Ok(unknown),
            // The target with the longest path to it is probably the intended one.
            Member::Missing { names: others, .. } if missing.as_ref().is_some_and(|(_, _, _, most)| *most >= steps) => {
                // The same name is looked up in all of these targets.
                missing
                    .iter_mut()
                    .filter(|(_, _, _, most)| *most == steps)
                    .for_each(|(_, names, ..)| names.extend(&others));
            }
            Member::Missing { owner, names } => missing = Some((owner, names, here, steps)),
        }
    }
    let Some((owner, names, here, steps)) = missing else { return Ok(unknown) };
    let name = arguments[steps];
    let missing_of = owner;
    let owner = follower.context().describe(owner);
    let message = match here {
        PathContext::Node(node) => lacks(follower.context(), node, sought.what(), name.text()),
        _ => format!("{owner} has no {} `{}`", sought.what(), name.text()),
    };
    let by_way =
        if follower.is_simple(name) { None } else { by_way_of_capability(follower.context(), &here, arguments, steps) };
    let edit = by_way.as_ref().and_then(|_| with_capability(call, name));
    // A step that is followed by others is more likely the name of a capability or requirement.
    let step = || {
        let PathContext::Node(node) = here else { return None };
        let node_type = follower.context().get(node.node_type?)?;
        let steps = node_type.capabilities.iter().map(|(name, _)| name);
        let steps = steps.chain(node_type.requirements.iter().map(|(name, _)| name));
        nearest(name.text(), steps.map(|name| follower.context().text(name))).map(Help::did_you_mean)
    };
    let by_way = by_way.or_else(|| if arguments.len() > steps + 1 { step() } else { None });
    let declared = || declaration(follower.context(), missing_of, name.text(), sought);
    let help = by_way.or_else(|| {
        if names.is_empty() { declared() } else { follower.context().did_you_mean(name.text(), &names, "it has") }
    });
    let rule = match here {
        PathContext::Node(node) | PathContext::Capability(CapabilityContext { node, .. }) => rule_of_lost(node),
        _ => &rules::UNRESOLVED_PATH,
    };
    Err(PathError { rule, edit, ..PathError::at(name, message, help) })
}

/// Returns help with the declaration to add to a type that has neither properties nor attributes; `None` for built-in
/// types, which can't be changed.
fn declaration(context: &Context<'_>, of_type: AnyId, name: &str, sought: PathTarget) -> Option<Help> {
    context.program.unit(of_type.unit).filter(|unit| unit.implicit.is_none())?;
    let (section, owner) = match sought {
        PathTarget::Attribute => ("attributes", context.describe(of_type)),
        PathTarget::Property | PathTarget::Allocation => ("properties", context.describe(of_type)),
    };
    Some(format!("it has none; add `{section}: {{ {name}: {{ type: … }} }}` to {owner}").into())
}

/// Returns the edit that inserts the missing `CAPABILITY` before the name of a capability.
fn with_capability(call: Call<'_>, name: Node<'_>) -> Option<Edit> {
    let list = call.arguments.filter(|list| list.kind() == Kind::List && !list.is_alias())?;
    let layout = Layout::around(name)?;
    let start = name.span().start;
    if list.style() == Style::Flow {
        return Some(layout.insert(start, "CAPABILITY, "));
    }
    // If items are on separate lines, so is the new one.
    let dash = layout.before(start);
    dash.strip_suffix("- ").filter(|rest| rest.trim().is_empty())?;
    Some(layout.insert(start, format!("CAPABILITY{}{dash}", layout.line_break(start))))
}

/// Returns the path to write if the name of a capability is in place of a property.
fn by_way_of_capability(
    context: &Context<'_>,
    here: &PathContext,
    arguments: &[Node<'_>],
    steps: usize,
) -> Option<Help> {
    let PathContext::Node(node) = here else { return None };
    let node_type = context.get(node.node_type?)?;
    let name = context.program.interner.get(arguments.get(steps)?.text())?;
    node_type.capabilities.get(name)?;
    let mut path: Vec<&str> = arguments
        .iter()
        .map(|step| if matches!(step.kind(), Kind::Map | Kind::List) { "…" } else { step.text() })
        .collect();
    path.insert(steps, "CAPABILITY");
    if path.len() == steps + 2 {
        path.push("…");
    }
    Some(format!("for a member of a capability, write `[ {} ]`", path.join(", ")).into())
}

/// Checks that the steps of a path are names, indexes, or calls that return one of them. The first must be a name.
pub(crate) fn expect_steps<'a>(follower: &impl StepEvaluator<'a>, arguments: &[Node<'a>]) -> Result<(), PathError<'a>> {
    if arguments.first().is_some_and(|head| follower.is_simple(*head)) {
        return arguments.first().map_or(Ok(()), |head| expect_entity(*head));
    }
    for (index, step) in arguments.iter().enumerate() {
        let is_step = match step.kind() {
            Kind::String => true,
            Kind::Integer => index > 0,
            _ => matches!(shape(follower.context(), *step), Shape::Call(_)) || step.is_placeholder(),
        };
        if !is_step {
            let what = if index == 0 {
                "the first step of a path must be a name"
            } else {
                "a step of a path must be a name or an index"
            };
            let message = format!("{what}, not {}", crate::phase::read::with_article(*step));
            return Err(PathError::no_step(*step, message, Some("write `[ SELF, address ]`, for example")));
        }
    }
    Ok(())
}

/// Checks that the start of a path before 2.0 is a name, or may be one.
pub(crate) fn expect_entity(head: Node<'_>) -> Result<(), PathError<'_>> {
    if matches!(head.kind(), Kind::String | Kind::Map) {
        return Ok(());
    }
    let message = format!("the entity must be a name, not {}", crate::phase::read::with_article(head));
    Err(PathError::no_step(head, message, Some("write `SELF`, or the name of a node template")))
}

/// Checks that a property is an amount, which can be allocated (2.0, 10.2.1.8).
fn expect_amount<'a>(context: &Context<'a>, name: Node<'a>, schema: &Schema<'a>) -> Result<(), PathError<'a>> {
    let is_amount = |kind| matches!(kind, DataKind::Integer | DataKind::Float | DataKind::Scalar);
    if schema.kind(context).is_none_or(is_amount) {
        return Ok(());
    }
    let message = format!("property `{}` is not an amount, so it can't be allocated", name.text());
    let help = Some("only integers, floats and scalars can be allocated".into());
    Err(PathError { rule: &rules::WRONG_ALLOCATION, step: name, message, help, edit: None })
}

/// Follows names, keys and indexes into a value.
pub(crate) fn nested<'a>(
    follower: &mut impl StepEvaluator<'a>,
    schema: Schema<'a>,
    steps: &[Node<'a>],
) -> Result<StaticResult<'a>, PathError<'a>> {
    let mut within = Some(schema);
    for step in steps {
        // A step can be computed. Calls are checked even if the value that the path leads into is already unknown.
        let computed = match shape(follower.context(), *step) {
            Shape::Call(call) => Some(follower.kind_of(call)),
            _ => None,
        };
        let context = follower.context();
        let Some(schema) = within else { continue };
        let Some(kind) = schema.kind(context) else {
            within = None;
            continue;
        };
        let (step_kind, wanted) = match kind {
            DataKind::List => (DataKind::Integer, "an index"),
            DataKind::Map | DataKind::Complex => (DataKind::String, "a name"),
            _ => return Err(PathError::at(*step, format!("a path can't lead into {}", kind.with_article()), None)),
        };
        if let Some(found) = computed {
            if let Some(found) = found.filter(|found| *found != step_kind) {
                let message = format!("{wanted} is required here, not {}", found.with_article());
                return Err(PathError::no_step(*step, message, None));
            }
        } else if kind == DataKind::List && step.text() == "INDEX" && version(context, *step) == V1_3 {
            // The index of the node among the nodes that one template creates (1.3, example 26; decision B 29).
        } else if kind == DataKind::List && step.as_integer().is_none_or(|index| index < 0) {
            return Err(PathError::bad_index(*step));
        }
        within = match kind {
            DataKind::Complex if computed.is_some() => None,
            DataKind::Complex => {
                Some(schema.member(context, step.text()).ok_or_else(|| unknown_member(context, &schema, *step))?)
            }
            _ => schema.entries(context),
        };
    }
    Ok(within.map_or(StaticResult::Nothing, StaticResult::Schema))
}

fn unknown_member<'a>(context: &Context<'a>, schema: &Schema<'a>, step: Node<'a>) -> PathError<'a> {
    let members = schema.data_type.and_then(|data_type| context.get(data_type)).map(|data_type| &data_type.properties);
    let names = members.into_iter().flat_map(Members::iter).map(|(name, _)| context.text(name));
    let help = context.did_you_mean(step.text(), names, "it has");
    let message = format!("data type `{}` has no property `{}`", schema.type_name(context), step.text());
    PathError::at(step, message, help)
}

/// The result of the lookup of a property or attribute.
pub(crate) enum Member<'a> {
    Found(Schema<'a>),
    Missing { owner: AnyId, names: Vec<&'a str> },
    Unknowable,
}

/// Looks a member up in all possible types of a node whose type is not known.
fn missing_in_all<'a>(context: &Context<'a>, node: NodeContext, name: &str, sought: PathTarget) -> Member<'a> {
    let mut all = Vec::new();
    let types = node.types(context);
    for node_type in &types {
        let here = PathContext::Node(NodeContext { node_type: Some(*node_type), ..node });
        let Member::Missing { names, .. } = property(context, &here, name, sought) else { return Member::Unknowable };
        all.extend(names);
    }
    types.first().map_or(Member::Unknowable, |owner| Member::Missing { owner: owner.any(), names: all })
}

pub(crate) fn property<'a>(context: &Context<'a>, here: &PathContext, name: &str, sought: PathTarget) -> Member<'a> {
    let (owner, properties, attributes) = match here {
        PathContext::Node(node) => match node.node_type.and_then(|id| Some((id, context.get(id)?))) {
            Some((id, node_type)) => (id.any(), &node_type.properties, &node_type.attributes),
            None => return missing_in_all(context, *node, name, sought),
        },
        PathContext::Relationship(relationship) => {
            match relationship.relationship_type.and_then(|id| Some((id, context.get(id)?))) {
                Some((id, of_type)) => (id.any(), &of_type.properties, &of_type.attributes),
                None => return Member::Unknowable,
            }
        }
        PathContext::Capability(capability) => {
            match capability.definition.and_then(|id| Some((id, context.get(id)?))) {
                // If the type of the capability is unknown, so are its members.
                Some((_, definition)) if context.target_of(definition.r#type).is_none() => return Member::Unknowable,
                Some((id, definition)) => (id.any(), &definition.properties, &definition.attributes),
                None => match capability.capability_type.and_then(|id| Some((id, context.get(id)?))) {
                    Some((id, of_type)) => (id.any(), &of_type.properties, &of_type.attributes),
                    None => return Member::Unknowable,
                },
            }
        }
        PathContext::Unknown | PathContext::Nowhere => return Member::Unknowable,
    };
    let symbol = context.program.interner.get(name);
    if sought == PathTarget::Attribute {
        let id = symbol.and_then(|symbol| match here {
            PathContext::Relationship(relationship) => relationship.attribute(context, symbol),
            _ => attributes.get(symbol),
        });
        if let Some((id, attribute)) = id.and_then(|id| Some((id, context.get(id)?))) {
            return Member::Found(attribute.schema(context, id));
        }
    }
    let id = symbol.and_then(|symbol| match here {
        PathContext::Relationship(relationship) => relationship.property(context, symbol),
        _ => properties.get(symbol),
    });
    if let Some((id, property)) = id.and_then(|id| Some((id, context.get(id)?))) {
        return Member::Found(property.schema(context, id));
    }
    if !context.is_complete(owner) {
        return Member::Unknowable;
    }
    let properties = properties.iter().map(|(name, _)| name);
    let attributes = attributes.iter().map(|(name, _)| name).filter(|_| sought == PathTarget::Attribute);
    Member::Missing { owner, names: properties.chain(attributes).map(|name| context.text(name)).collect() }
}
