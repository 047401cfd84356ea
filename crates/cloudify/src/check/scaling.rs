//! Numbers of instances.

use tosca_parse::ard::{Kind, Node};
use tosca_parse::entity::{Checked, Checks, Entity as _, Id};
use tosca_parse::phase::Context;
use tosca_parse::rules::WRONG_KIND;

use super::call::{Place, check, evaluate};
use super::{kind, node_of, report, value_of};
use crate::function::call;
use crate::grammar::{Instances, NodeTemplate, ScalingProperties};
use crate::rules::{FAILED_CALL, INVALID_SCALING};

/// The number and the word for a maximum without limit.
const UNBOUNDED: (i128, &str) = (-1, "UNBOUNDED");

impl Checked for Instances {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(instances);
}

fn instances(instances: &Instances, context: &mut Context<'_>, _: Id<Instances>) {
    let Some(deploy) = value_of(context, instances.deploy) else { return };
    match deploy.kind() {
        Kind::Integer if deploy.as_integer().is_some_and(|number| number < 0) => {
            report(context, &INVALID_SCALING, deploy, "`deploy` must not be negative", "write 0 or a larger number");
        }
        Kind::Integer | Kind::Null => {}
        Kind::Boolean => boolean(context, deploy, "deploy"),
        _ => {
            let message = format!("`deploy` must be an integer, not {}", kind(deploy));
            report(
                context,
                &WRONG_KIND,
                deploy,
                message,
                "write an integer, or use the capability `scalable` if the number comes from a function",
            );
        }
    }
}

fn boolean(context: &mut Context<'_>, node: Node<'_>, name: &str) {
    let message = format!("`{name}` must be an integer, not a boolean");
    report(context, &INVALID_SCALING, node, message, "write an integer; the manager treats `true` as 1");
}

impl Checked for ScalingProperties {
    const CHECKS: Checks<Self> = Checks::NEW.render(properties);
}

fn properties(properties: &ScalingProperties, context: &mut Context<'_>, id: Id<ScalingProperties>) {
    let template = context.program.owners(id.any()).find(|owner| owner.kind == NodeTemplate::KIND);
    let place = template.map_or(Place::Service, Place::Node);
    let node = |value| value_of(context, value).filter(|node| node.kind() != Kind::Null);
    let nodes = [node(properties.default_instances), node(properties.min_instances), node(properties.max_instances)];
    let names = ["default_instances", "min_instances", "max_instances"];
    let mut numbers = [Some(1), Some(0), Some(UNBOUNDED.0)];
    for ((node, name), number) in nodes.into_iter().zip(names).zip(&mut numbers) {
        if let Some(node) = node {
            *number = bound(context, place, node, name);
        }
    }
    let [Some(default), Some(min), Some(max)] = numbers else { return };
    let first = nodes.into_iter().flatten().min_by_key(|node| node.id());
    let Some(at) = first.or_else(|| node_of(context, id.any())) else { return };
    if min > default {
        let message = format!("`min_instances` is greater than `default_instances`: {min} > {default}");
        report(context, &INVALID_SCALING, at, message, "raise `default_instances`, which is 1 if it is not given");
    } else if max != UNBOUNDED.0 && default > max {
        let message = format!("`default_instances` is greater than `max_instances`: {default} > {max}");
        report(context, &INVALID_SCALING, at, message, "raise `max_instances`");
    }
}

/// Returns the value of a bound as a number; `None` if it is unknown, or wrong, which is reported.
fn bound<'a>(context: &mut Context<'a>, place: Place, node: Node<'a>, name: &str) -> Option<i128> {
    let is_max = name == "max_instances";
    let number = if let Some(call) = call(node) {
        if !check(context, place, node) {
            return None;
        }
        let data = evaluate(context, place, call);
        if !data.fits("integer") {
            let message = format!("the function returns {}, but `{name}` must be an integer", data.kind());
            report(context, &FAILED_CALL, node, message, "use a function that returns an integer");
            return None;
        }
        data.node()?.as_integer()?
    } else {
        match node.kind() {
            Kind::Integer => node.as_integer()?,
            Kind::Boolean => {
                boolean(context, node, name);
                return None;
            }
            Kind::String if is_max && node.text() == UNBOUNDED.1 => return Some(UNBOUNDED.0),
            _ => {
                let message = format!("`{name}` must be an integer, not {}", kind(node));
                report(context, &INVALID_SCALING, node, message, "write an integer");
                return None;
            }
        }
    };
    let is_valid = if is_max { number >= 1 || number == UNBOUNDED.0 } else { number >= 0 };
    if !is_valid {
        let message = format!("`{name}` can't be {number}");
        let help = if is_max { "write 1 or a larger number, or `UNBOUNDED`" } else { "write 0 or a larger number" };
        report(context, &INVALID_SCALING, node, message, help);
        return None;
    }
    Some(number)
}
