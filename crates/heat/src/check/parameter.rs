//! Parameters: their constraints and defaults.

use fancy_regex::Regex;
use tosca_parse::ard::{Kind, Node};
use tosca_parse::entity::{Checked, Checks, Id, Position, Text, Value};
use tosca_parse::phase::{Context, Explain as _};

use crate::grammar::{Bounds, Constraint, Modulo, Parameter, ParameterType};
use crate::rules;
use crate::shape::Shapes;

impl Checked for Parameter {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(parameter);
}

/// The constraints that the service implements and that need no cloud, with those whose values are checked here.
const CUSTOM: [&str; 13] = [
    "ip_addr",
    "ip_or_cidr",
    "net_cidr",
    "mac_addr",
    "dns_name",
    "rel_dns_name",
    "dns_domain",
    "cron_expression",
    "timezone",
    "iso_8601",
    "expiration",
    "json_string",
    "test_constr",
];

/// The constraints whose values only a cloud can check.
const CLOUD: [&str; 57] = [
    "barbican.container",
    "barbican.secret",
    "blazar.reservation",
    "cinder.backup",
    "cinder.qos_specs",
    "cinder.snapshot",
    "cinder.volume",
    "cinder.vtype",
    "designate.zone",
    "glance.image",
    "ironic.node",
    "ironic.portgroup",
    "keystone.domain",
    "keystone.group",
    "keystone.project",
    "keystone.region",
    "keystone.role",
    "keystone.service",
    "keystone.user",
    "magnum.cluster_template",
    "manila.share_network",
    "manila.share_snapshot",
    "manila.share_type",
    "mistral.workflow",
    "neutron.address_scope",
    "neutron.flow_classifier",
    "neutron.lbaas.listener",
    "neutron.lbaas.loadbalancer",
    "neutron.lbaas.pool",
    "neutron.lbaas.provider",
    "neutron.network",
    "neutron.port",
    "neutron.port_pair",
    "neutron.port_pair_group",
    "neutron.qos_policy",
    "neutron.router",
    "neutron.security_group",
    "neutron.segment",
    "neutron.subnet",
    "neutron.subnetpool",
    "neutron.taas.tap_flow",
    "neutron.taas.tap_service",
    "nova.flavor",
    "nova.host",
    "nova.keypair",
    "nova.network",
    "nova.server",
    "octavia.availabilityzone",
    "octavia.availabilityzoneprofile",
    "octavia.flavor",
    "octavia.flavorprofile",
    "octavia.l7policy",
    "octavia.listener",
    "octavia.loadbalancer",
    "octavia.pool",
    "trove.flavor",
    "zaqar.queue",
];

fn parameter(parameter: &Parameter, context: &mut Context<'_>, id: Id<Parameter>) {
    let Some(ty) = parameter.r#type.map(|ty| ty.value) else { return };
    let before = context.problems();
    for id in &parameter.constraints.items {
        if let Some(constraint) = context.get(*id) {
            declared(constraint, ty, context);
        }
    }
    let Some(default) = parameter.default.and_then(|Value(position)| context.node(position)) else { return };
    if context.problems() == before
        && let Some(fault) = misfit(parameter, default, context)
    {
        let message = format!("the default of {} {fault}", context.describe(id.any()));
        context.problem(&rules::INVALID_DEFAULT, Some(default.span()), message).help("correct the default");
    }
}

fn invalid(context: &mut Context<'_>, at: Position, message: String, help: &str) {
    let at = context.span(at);
    context.problem(&rules::INVALID_CONSTRAINT, at, message).help(help);
}

fn number(context: &Context<'_>, value: Option<Value>) -> Option<f64> {
    to_number(context.node(value?.0)?)
}

/// A length as a number that bounds can be compared with.
pub(crate) fn measure(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// The number that a node or its text is.
#[expect(clippy::cast_precision_loss, reason = "bounds are compared as the service compares them")]
pub(crate) fn to_number(node: Node<'_>) -> Option<f64> {
    match node.kind() {
        Kind::Integer => node.as_integer().map(|number| number as f64),
        Kind::Float => node.as_float(),
        Kind::String => node.text().trim().replace('_', "").parse().ok().filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

fn declared(constraint: &Constraint, ty: ParameterType, context: &mut Context<'_>) {
    use ParameterType::{Boolean, CommaDelimitedList, Json, Number, String};
    let mut takes = |name: &str, at: Option<Position>, types: &[ParameterType]| {
        let Some(at) = at else { return };
        if !types.contains(&ty) {
            invalid(
                context,
                at,
                format!("`{name}` does not constrain parameters of this type"),
                "remove the constraint",
            );
        }
    };
    takes(
        "allowed_values",
        constraint.allowed_values.map(|value| value.0),
        &[String, Number, Boolean, CommaDelimitedList],
    );
    takes("allowed_pattern", constraint.allowed_pattern.map(|text| text.0), &[String]);
    takes(
        "custom_constraint",
        constraint.custom_constraint.map(|text| text.0),
        &[String, Number, Boolean, CommaDelimitedList],
    );
    bounds_declared("range", constraint.range.0, &[Number], ty, context);
    bounds_declared("length", constraint.length.0, &[String, CommaDelimitedList, Json], ty, context);
    if let Some(id) = constraint.modulo.0
        && let Some(modulo) = context.get(id)
    {
        let at = context.program.name_span(id.any());
        let (step, offset) = (number(context, modulo.step), number(context, modulo.offset));
        let fault = match (step, offset) {
            _ if ty != Number => Some("`modulo` constrains numbers only"),
            (Some(0.0), _) => Some("the step of `modulo` is zero"),
            (Some(step), Some(_)) if step.fract() != 0.0 => Some("the step of `modulo` is not whole"),
            (Some(step), Some(offset)) if offset.abs() >= step.abs() => {
                Some("the offset of `modulo` is not less than the step")
            }
            (Some(step), Some(offset)) if step * offset < 0.0 => {
                Some("the step and the offset of `modulo` have different signs")
            }
            (None, _) | (_, None) if modulo.step.is_some() && modulo.offset.is_some() => {
                Some("the step and the offset of `modulo` must be integers")
            }
            _ => None,
        };
        if let Some(fault) = fault {
            context.problem(&rules::INVALID_CONSTRAINT, at, fault).help("write `{ step: 2, offset: 0 }`, for instance");
        }
    }
    if let Some(Value(at)) = constraint.allowed_values
        && let Some(values) = context.node(at)
    {
        if values.kind() != Kind::List {
            invalid(
                context,
                at,
                format!("`allowed_values` must be a list, not {}", Shapes::of(values).title()),
                "write a list",
            );
        } else if values.is_empty() {
            invalid(context, at, "`allowed_values` allows no value".to_owned(), "add the values that are allowed");
        }
    }
    if let Some(Text(at)) = constraint.allowed_pattern
        && let Some(fault) = context.node(at).and_then(|pattern| Regex::new(pattern.text()).err())
    {
        let fault = fault.to_string();
        invalid(
            context,
            at,
            format!("invalid pattern: {}", fault.lines().next().unwrap_or_default()),
            "correct the regular expression",
        );
    }
    if let Some(Text(at)) = constraint.custom_constraint
        && let Some(name) = context.node(at).map(Node::text)
        && !CUSTOM.contains(&name)
        && !CLOUD.contains(&name)
    {
        let help = context
            .did_you_mean(name, CUSTOM.iter().chain(&CLOUD), "there are")
            .unwrap_or_else(|| "write the name of a constraint such as `nova.flavor`".to_owned());
        invalid(context, at, format!("there is no custom constraint `{name}`"), &help);
    }
}

fn bounds_declared(
    name: &str,
    id: Option<Id<Bounds>>,
    types: &[ParameterType],
    ty: ParameterType,
    context: &mut Context<'_>,
) {
    let Some((id, bounds)) = id.and_then(|id| Some((id, context.get(id)?))) else { return };
    if !types.contains(&ty) {
        let at = context.program.name_span(id.any());
        let message = format!("`{name}` does not constrain parameters of this type");
        context.problem(&rules::INVALID_CONSTRAINT, at, message).help("remove the constraint");
        return;
    }
    let (min, max) = (number(context, bounds.min), number(context, bounds.max));
    for (value, number) in [(bounds.min, min), (bounds.max, max)] {
        if let Some(Value(at)) = value
            && !number.is_some_and(|number| name == "range" || number.fract() == 0.0)
        {
            invalid(context, at, format!("a bound of `{name}` must be a number"), "write a number");
        }
    }
    if let (Some(Value(at)), Some(min), Some(max)) = (bounds.min, min, max)
        && min > max
    {
        invalid(context, at, "the minimum is greater than the maximum".to_owned(), "swap the bounds");
    }
}

/// The boolean that a value of a parameter is.
pub(crate) fn boolean(node: Node<'_>) -> Option<bool> {
    match node.kind() {
        Kind::Boolean => node.as_bool(),
        Kind::Integer | Kind::String => match node.text().trim().to_lowercase().as_str() {
            "t" | "true" | "on" | "y" | "yes" | "1" => Some(true),
            "f" | "false" | "off" | "n" | "no" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// The reason why a literal is not a value of a parameter, as the end of a sentence.
pub(crate) fn misfit(parameter: &Parameter, value: Node<'_>, context: &Context<'_>) -> Option<String> {
    let ty = parameter.r#type?.value;
    let shape = Shapes::of(value);
    let fits = match ty {
        ParameterType::String => shape.meets(Shapes::SCALAR),
        ParameterType::Number => to_number(value).is_some(),
        ParameterType::Boolean => boolean(value).is_some(),
        ParameterType::CommaDelimitedList => shape.meets(Shapes::STRING.or(Shapes::LIST)),
        ParameterType::Json => {
            shape.meets(Shapes::MAP.or(Shapes::LIST))
                || shape == Shapes::STRING && serde_json::from_str::<serde_json::Value>(value.text()).is_ok()
        }
    };
    if !fits {
        let expected = match ty {
            ParameterType::String => "a string",
            ParameterType::Number => "a number",
            ParameterType::Boolean => "a boolean",
            ParameterType::CommaDelimitedList => "a list",
            ParameterType::Json => "a map or a list",
        };
        return Some(format!("must be {expected}"));
    }
    parameter
        .constraints
        .items
        .iter()
        .filter_map(|id| context.get(*id))
        .find_map(|one| violation(one, ty, value, context))
}

fn violation(constraint: &Constraint, ty: ParameterType, value: Node<'_>, context: &Context<'_>) -> Option<String> {
    if let Some(bounds) = constraint.range.0.and_then(|id| context.get(id)) {
        let found = to_number(value)?;
        return outside(bounds, found, context).then(|| format!("is out of range: `{}`", value.text()));
    }
    if let Some(bounds) = constraint.length.0.and_then(|id| context.get(id)) {
        let length = match value.kind() {
            Kind::List | Kind::Map => value.len(),
            Kind::String if ty == ParameterType::CommaDelimitedList && value.text().is_empty() => 0,
            Kind::String if ty == ParameterType::CommaDelimitedList => value.text().split(',').count(),
            Kind::String => value.text().chars().count(),
            _ => return Some("must be a string, since its length is constrained".to_owned()),
        };
        return outside(bounds, measure(length), context)
            .then(|| format!("has the length {length}, which is out of range"));
    }
    if let Some(modulo) = constraint.modulo.0.and_then(|id| context.get::<Modulo>(id)) {
        let (step, offset) = (number(context, modulo.step)?, number(context, modulo.offset)?);
        let found = to_number(value)?;
        let rest = found - step * (found / step).floor();
        return ((rest - offset).abs() > f64::EPSILON).then(|| "violates `modulo`".to_owned());
    }
    if let Some(Value(at)) = constraint.allowed_values {
        let values = context.node(at)?;
        let same = |allowed: Node<'_>, found: Node<'_>| match ty {
            ParameterType::Number => to_number(allowed) == to_number(found),
            ParameterType::Boolean => boolean(allowed) == boolean(found),
            ParameterType::CommaDelimitedList => allowed.kind() == Kind::String && allowed.text() == found.text(),
            _ => allowed.text() == found.text(),
        };
        let has = |found: Node<'_>| values.items().any(|allowed| same(allowed, found));
        let text_has =
            |found: &str| values.items().any(|allowed| allowed.kind() == Kind::String && allowed.text() == found);
        let fits = match (ty, value.kind()) {
            (ParameterType::CommaDelimitedList, Kind::List) => value.items().all(has),
            (ParameterType::CommaDelimitedList, _) => value.text().split(',').all(text_has),
            _ => has(value),
        };
        return (!fits).then(|| "is not one of the allowed values".to_owned());
    }
    if let Some(Text(at)) = constraint.allowed_pattern {
        if value.kind() != Kind::String {
            return Some("must be a string, since a pattern constrains it".to_owned());
        }
        return (!matches_start(context.node(at)?.text(), value.text())?)
            .then(|| "does not match the pattern".to_owned());
    }
    let name = context.node(constraint.custom_constraint?.0)?.text();
    (!fulfills(name, value)?).then(|| format!("violates the constraint `{name}`"))
}

fn outside(bounds: &Bounds, found: f64, context: &Context<'_>) -> bool {
    number(context, bounds.min).is_some_and(|min| found < min)
        || number(context, bounds.max).is_some_and(|max| found > max)
}

/// Whether the first match from the start ends at the end of a text, as the service looks for it.
pub(crate) fn matches_start(pattern: &str, text: &str) -> Option<bool> {
    let pattern = Regex::new(&format!("\\A(?:{pattern})")).ok()?;
    Some(pattern.find(text).ok()?.is_some_and(|found| found.end() == text.len()))
}

/// Whether a value fulfills a constraint that the service implements; `None` if only a cloud can tell.
pub(crate) fn fulfills(name: &str, value: Node<'_>) -> Option<bool> {
    let text = value.text();
    let is_address = |text: &str| text.parse::<std::net::IpAddr>().is_ok();
    let is_network = |text: &str| {
        text.split_once('/').is_some_and(|(address, bits)| {
            let most = if address.contains(':') { 128 } else { 32 };
            is_address(address) && bits.parse::<u8>().is_ok_and(|bits| bits <= most)
        })
    };
    let is_name = |text: &str| {
        let is_label = |label: &str| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        text.len() <= 255 && text.strip_suffix('.').unwrap_or(text).split('.').all(is_label)
    };
    let is_empty = text.is_empty() && value.kind() != Kind::Map && value.kind() != Kind::List;
    Some(match name {
        "ip_addr" => value.kind() == Kind::String && is_address(text),
        "ip_or_cidr" => is_address(text) || is_network(text),
        "net_cidr" => is_network(text),
        "mac_addr" => {
            let mut parts = text.split([':', '-']);
            parts.clone().count() == 6
                && parts.all(|part| part.len() == 2 && part.bytes().all(|digit| digit.is_ascii_hexdigit()))
        }
        "dns_name" => is_empty || is_name(text),
        "rel_dns_name" => is_empty || is_name(text) && !text.ends_with('.'),
        "dns_domain" => is_empty || is_name(text) && text.ends_with('.'),
        "json_string" => is_empty || serde_json::from_str::<serde_json::Value>(text).is_ok(),
        "cron_expression" => is_empty || (5..=6).contains(&text.split_whitespace().count()),
        "iso_8601" => text.starts_with(|letter: char| letter.is_ascii_digit()),
        _ => return None,
    })
}
