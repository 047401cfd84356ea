//! Values that need themselves: those of properties and attributes whose functions lead back to them.
//!
//! Each value by itself may be all right, and each call may lead to something that there is, and still nothing of it
//! could ever be computed. So the calls of a service are followed from value to value. What is followed is data, not
//! definitions: a part of a value may well need another part of it.

use rustc_hash::FxHashMap;

use super::super::template::{NodeTemplate, ServiceTemplate};
use super::super::version::V2_0;
use super::call::{Call, Shape};
use super::judge::Judge;
use super::path::{self, Member, Sought};
use super::place::{Here, Place};
use super::{simple, walk};
use crate::ard::{Kind, Node};
use crate::diagnostic::Span;
use crate::entity::{AnyId, Id, Position, Value, Values};
use crate::phase::{Context, Explain};
use crate::rules;

/// A value, and the template that it is a value of: a default is another value in every template.
#[derive(Clone, Copy)]
struct Spot<'a> {
    node: Node<'a>,
    at: AnyId,
}

impl Spot<'_> {
    fn key(&self) -> (Position, AnyId) {
        (Position { unit: self.node.document().source(), node: self.node.id() }, self.at)
    }
}

/// A value on the way, and the calls within it that are still to be followed.
struct Step<'a> {
    spot: Spot<'a>,
    calls: Vec<(Span, Spot<'a>)>,
    /// The call that was followed last.
    at: Option<Span>,
}

/// Reports values of a service that need themselves, once for each loop.
pub(crate) fn check(context: &mut Context<'_>, service: &ServiceTemplate) {
    // Whether all that a value needs has been followed.
    let mut met: FxHashMap<(Position, AnyId), bool> = FxHashMap::default();
    for (_, id) in service.node_templates.iter() {
        for start in values(context, id) {
            follow(context, start, &mut met);
        }
    }
}

/// The values of a template that may have calls in them.
fn values<'a>(context: &Context<'a>, id: Id<NodeTemplate>) -> Vec<Spot<'a>> {
    let Some(template) = context.get(id) else { return Vec::new() };
    let mut spots = Vec::new();
    let mut add = |values: Values, at: AnyId| {
        let map = values.position.and_then(|position| context.node(position));
        spots.extend(map.into_iter().flat_map(Node::entries).map(|entry| Spot { node: entry.value, at }));
    };
    add(template.properties, id.any());
    add(template.attributes, id.any());
    for (_, capability) in template.capabilities.iter() {
        if let Some(assignment) = context.get(capability) {
            add(assignment.properties, capability.any());
            add(assignment.attributes, capability.any());
        }
    }
    if let Some(node_type) = context.target_of(template.r#type).and_then(|node_type| context.get(node_type)) {
        let properties = node_type.properties.iter().filter_map(|(_, id)| context.get(id)?.default);
        let attributes = node_type.attributes.iter().filter_map(|(_, id)| context.get(id)?.default);
        let defaults = properties.chain(attributes).filter_map(|Value(position)| context.node(position));
        spots.extend(defaults.map(|node| Spot { node, at: id.any() }));
    }
    spots.retain(|spot| matches!(spot.node.kind(), Kind::Map | Kind::List));
    spots
}

/// How many calls of a loop are shown besides the first one.
const SHOWN: usize = 8;

fn follow<'a>(context: &mut Context<'a>, start: Spot<'a>, met: &mut FxHashMap<(Position, AnyId), bool>) {
    if met.contains_key(&start.key()) {
        return;
    }
    let mut way = vec![begin(context, start, met)];
    while let Some(step) = way.last_mut() {
        let Some((span, next)) = step.calls.pop() else {
            met.insert(step.spot.key(), true);
            way.pop();
            continue;
        };
        step.at = Some(span);
        match met.get(&next.key()) {
            Some(true) => {}
            Some(false) => report(context, &way, next),
            None => way.push(begin(context, next, met)),
        }
    }
}

fn begin<'a>(context: &mut Context<'a>, spot: Spot<'a>, met: &mut FxHashMap<(Position, AnyId), bool>) -> Step<'a> {
    met.insert(spot.key(), false);
    let mut judge = Judge::new(context, Place::of(spot.at));
    let mut calls = Vec::new();
    let mut waiting = vec![spot.node];
    while let Some(node) = waiting.pop() {
        if let Shape::Call(call) = judge.shape(node) {
            let found = judge.silently(|judge| target(judge, call));
            calls.extend(found.map(|found| (node.span(), found)));
        }
        match node.kind() {
            Kind::Map => waiting.extend(node.entries().map(|entry| entry.value)),
            Kind::List => waiting.extend(node.items()),
            _ => {}
        }
    }
    Step { spot, calls, at: None }
}

fn report<'a>(context: &mut Context<'a>, way: &[Step<'a>], first: Spot<'a>) {
    let start = way.iter().position(|step| step.spot.key() == first.key()).unwrap_or_default();
    let mut calls = way[start..].iter().filter_map(|step| step.at);
    let at = calls.next();
    let mut problem = context.problem(&rules::VALUE_LOOP, at, "this value needs itself before it can be known");
    for call in calls.take(SHOWN) {
        problem = problem.related(Some(call), "by way of this one");
    }
    problem.help("give one of the values as it is, or take it from somewhere else");
}

/// The value that a call gets, if it is known.
fn target<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) -> Option<Spot<'a>> {
    let sought = match call.name {
        "get_property" => Sought::Property,
        "get_attribute" => Sought::Attribute,
        _ => return None,
    };
    let arguments = call.arguments();
    if arguments.len() < 2 {
        return None;
    }
    let (places, steps) = if judge.version(call.node) < V2_0 {
        simple::places(judge, &arguments)?
    } else {
        let walk = walk::walk(judge, &arguments).ok().flatten().filter(|walk| !walk.is_all)?;
        (vec![walk.here], walk.steps)
    };
    let name = *arguments.get(steps)?;
    let has_it = |here: &&Here| matches!(path::property(judge.context, here, name.text(), sought), Member::Found(_));
    let mut spot = value(judge.context, places.iter().find(has_it)?, name.text(), sought)?;
    for step in &arguments[steps + 1..] {
        if matches!(judge.shape(spot.node), Shape::Call(_)) {
            break;
        }
        spot.node = match (spot.node.kind(), step.as_integer()) {
            (Kind::List, Some(index)) => spot.node.items().nth(usize::try_from(index).ok()?)?,
            (Kind::Map, _) => spot.node.find(step.text())?.value,
            _ => return None,
        };
    }
    Some(spot)
}

/// The value that a property or attribute has: the one that is assigned, or else the default.
fn value<'a>(context: &Context<'a>, here: &Here, name: &str, sought: Sought) -> Option<Spot<'a>> {
    let symbol = context.program.interner.get(name)?;
    let assigned = |values: Values| Some(context.node(values.position?)?.find(name)?.value);
    match here {
        Here::Node(here) => {
            let (template, of_type) = (context.get(here.template?)?, context.get(here.node_type?)?);
            let attribute = of_type.attributes.get(symbol).filter(|_| sought == Sought::Attribute);
            let default = match attribute {
                Some(id) => context.get(id)?.default,
                None => context.get(of_type.properties.get(symbol)?)?.default,
            };
            let own = attribute.and_then(|_| assigned(template.attributes)).or_else(|| assigned(template.properties));
            let node = own.or_else(|| context.node(default?.0))?;
            Some(Spot { node, at: here.template?.any() })
        }
        Here::Capability(here) => {
            let assignment = context.get(here.assignment?)?;
            let attribute = (sought == Sought::Attribute).then(|| assigned(assignment.attributes)).flatten();
            let node = attribute.or_else(|| assigned(assignment.properties))?;
            Some(Spot { node, at: here.assignment?.any() })
        }
        Here::Unknown | Here::Nowhere | Here::Relationship(_) => None,
    }
}
