//! The paths of 2.0 that lead where those of older versions do.
//!
//! What an older path leaves to be found out (whether its second step is a capability or a requirement, and which of what
//! a requirement leads to has the property) a path of 2.0 says.

use super::Follower;
use super::graph::{Found, Graph, Step, start};
use super::member::{Member, Sought, property};
use super::place::{Here, NodeHere};
use super::simple::MOST_HOSTS;
use crate::ard::{Kind, Node};

/// Steps of 2.0.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Modern {
    /// The steps.
    pub(crate) steps: Vec<String>,
    /// In the place of how many older ones they stand, from the first one on.
    pub(crate) taken: usize,
}

/// How a path begins in 2.0; nothing if its first step is computed.
pub(crate) fn modern<'a>(follower: &impl Follower<'a>, arguments: &[Node<'a>], sought: Sought) -> Option<Modern> {
    let Step::Name(head) = follower.read(*arguments.first()?) else { return None };
    let (mut steps, node) = match head {
        "HOST" => host_steps(follower, arguments, sought),
        _ => {
            let steps = if matches!(head, "SOURCE" | "TARGET") { vec!["SELF", head] } else { vec![head] };
            let node = match start(follower, arguments[0]) {
                Ok(Some(Here::Node(node))) => Some(node),
                _ => None,
            };
            (steps.into_iter().map(str::to_owned).collect(), node)
        }
    };
    let within = node.and_then(|node| within(follower, node, arguments, sought));
    let taken = within.as_ref().map_or(1, |(_, taken)| *taken);
    steps.extend(within.into_iter().flat_map(|(steps, _)| steps));
    Some(Modern { steps, taken })
}

/// The steps to the nearest host that has what is sought.
fn host_steps<'a>(
    follower: &impl Follower<'a>,
    arguments: &[Node<'a>],
    sought: Sought,
) -> (Vec<String>, Option<NodeHere>) {
    let mut steps = vec!["SELF".to_owned()];
    let mut node = match follower.here() {
        Here::Node(node) => Some(node),
        _ => None,
    };
    for number in 0..MOST_HOSTS {
        let host = node.and_then(|node| host(follower, node));
        if host.is_none() && number > 0 {
            break;
        }
        let name = host.map_or("host", |(name, _)| name);
        steps.extend(["RELATIONSHIP", name, "TARGET"].map(str::to_owned));
        node = host.map(|(_, node)| node);
        let Some(node) = node.filter(|node| follower.is_particular(*node)) else { break };
        let has_it = arguments.get(1).is_some_and(|name| {
            !matches!(property(follower.context(), &Here::Node(node), name.text(), sought), Member::Missing { .. })
        });
        if has_it || within(follower, node, arguments, sought).is_some() {
            break;
        }
    }
    (steps, node)
}

/// The requirement for the host of a node, and the host.
fn host<'a>(follower: &impl Follower<'a>, node: NodeHere) -> Option<(&'a str, NodeHere)> {
    let Found::Is(relationships) = follower.relationships(node) else { return None };
    let mut hosting = relationships.into_iter().filter(|(_, found)| follower.is_hosting(*found) == Some(true));
    hosting.next().map(|(name, relationship)| (name, relationship.target))
}

/// The steps into a capability or along a requirement of a node, if the second argument names one; and how many arguments
/// they stand for, the first one included.
fn within<'a>(
    follower: &impl Follower<'a>,
    node: NodeHere,
    arguments: &[Node<'a>],
    sought: Sought,
) -> Option<(Vec<String>, usize)> {
    let read = |number: usize| arguments.get(number).map(|step| follower.read(*step));
    let Some(Step::Name(name)) = read(1) else { return None };
    let index = arguments.get(2).filter(|index| index.kind() == Kind::Integer && arguments.len() > 3);
    let taken = if index.is_some() { 3 } else { 2 };
    let Some(Step::Name(last)) = read(taken) else { return None };
    let relationship = match follower.relationship(node, name, Some(0)) {
        Found::Is(relationship) => Some(relationship),
        _ => None,
    };
    if let Found::Is(capability) = follower.capability(node, name) {
        let here = Here::Capability(capability);
        let has_it = !matches!(property(follower.context(), &here, last, sought), Member::Missing { .. });
        if has_it || relationship.is_none() {
            return Some((vec!["CAPABILITY".to_owned(), name.to_owned()], taken));
        }
    }
    let relationship = relationship?;
    let mut steps = vec!["RELATIONSHIP".to_owned(), name.to_owned()];
    steps.extend(index.map(|index| index.text().to_owned()));
    let has_it = |here: Here| matches!(property(follower.context(), &here, last, sought), Member::Found(_));
    if has_it(Here::Capability(relationship.capability)) {
        steps.push("CAPABILITY".to_owned());
    } else if has_it(Here::Node(relationship.target)) || !has_it(Here::Relationship(relationship)) {
        steps.push("TARGET".to_owned());
    }
    Some((steps, taken))
}
