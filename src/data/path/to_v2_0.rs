//! Conversion of paths of older versions to 2.0.
//!
//! An older path does not say whether its second step is a capability or a requirement, nor whether the target node or
//! its capability has the property. A path in 2.0 is explicit about both.

use super::StepEvaluator;
use super::graph::{Graph, Step};
use super::member::{Member, property};
use super::place::PathContext;
use super::simple::{Way, ways};
use crate::ard::Node;
use crate::data::call::function::PathTarget;

/// The start of a path of 2.0.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Modern {
    /// The steps.
    pub(crate) steps: Vec<String>,
    /// The number of older steps at the start of the path that the new steps replace.
    pub(crate) taken: usize,
}

/// Returns the start of a path in 2.0; `None` if its first step is computed.
pub(crate) fn modern<'a>(
    follower: &impl StepEvaluator<'a>,
    arguments: &[Node<'a>],
    sought: PathTarget,
) -> Option<Modern> {
    let Step::Name(head) = follower.read(*arguments.first()?) else { return None };
    let (mut hosts, all) = match ways(follower, arguments, true) {
        Ok(Some(ways)) => (ways.hosts, ways.all),
        _ => (Vec::new(), Vec::new()),
    };
    let member = |way: &Way<PathContext>| property(follower.context(), &way.here, arguments[way.taken].text(), sought);
    let known = || all.iter().filter(|way| !matches!(way.here, PathContext::Unknown));
    let way = known()
        .find(|way| matches!(member(way), Member::Found(_)))
        .or_else(|| known().find(|way| !matches!(member(way), Member::Missing { .. })))
        .or_else(|| known().find(|way| way.keywords == ["RELATIONSHIP", "TARGET"]))
        .or_else(|| known().next());
    let mut steps = match head {
        "SOURCE" | "TARGET" => vec!["SELF", head],
        "HOST" => vec!["SELF"],
        name => vec![name],
    };
    if head == "HOST" {
        if hosts.is_empty() {
            hosts.push("host");
        }
        hosts.truncate(way.map_or(1, |way| way.hosts));
        steps.extend(hosts.into_iter().flat_map(|name| ["RELATIONSHIP", name, "TARGET"]));
    }
    let taken = way.map_or(1, |way| way.taken);
    if let Some(Way { keywords: [before, after], .. }) = way.filter(|way| way.taken > 1) {
        steps.push(before);
        // The name, and the index of a relationship.
        let written = if *before == "RELATIONSHIP" { taken } else { 2 };
        steps.extend(arguments[1..written].iter().map(|step| step.text()));
        steps.extend(Some(*after).filter(|after| !after.is_empty()));
    }
    Some(Modern { steps: steps.into_iter().map(str::to_owned).collect(), taken })
}
