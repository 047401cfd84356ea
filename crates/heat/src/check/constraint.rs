//! Values of parameters and properties, compared with their types and constraints.

use foldhash::HashSet;
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::Help;
use tosca_parse::entity::{Text, Value};
use tosca_parse::phase::Context;

use super::pattern::{is_excess, matches_start};
use crate::grammar::{Bounds, Constraint, Modulo, Parameter, ParameterType};
use crate::shape::Shapes;

/// The reason why a value is not allowed, as the end of a sentence, and the remedy.
pub(crate) struct Fault {
    pub(crate) what: String,
    pub(crate) help: Help,
}

impl Fault {
    pub(crate) fn new(what: impl Into<String>, help: impl Into<Help>) -> Self {
        Self { what: what.into(), help: help.into() }
    }

    /// Returns the fault for a value that must have a certain shape, such as `a number`.
    pub(crate) fn shape(expected: &str) -> Self {
        Self::new(format!("must be {expected}"), format!("write {expected}"))
    }
}

/// The constraints that the service implements without a cloud, including those whose values are checked here.
pub(crate) const CUSTOM: [&str; 13] = [
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
pub(crate) const CLOUD: [&str; 57] = [
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

pub(crate) fn number(context: &Context<'_>, value: Option<Value>) -> Option<f64> {
    to_number(context.node(value?.0)?)
}

/// Returns a length as a number that bounds can be compared with.
pub(crate) fn measure(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Returns a node or its text as a number.
#[expect(clippy::cast_precision_loss, reason = "bounds are compared as the service compares them")]
pub(crate) fn to_number(node: Node<'_>) -> Option<f64> {
    match node.kind() {
        Kind::Integer => node.as_integer().map(|number| number as f64),
        Kind::Float => node.as_float(),
        Kind::String => node.text().trim().replace('_', "").parse().ok().filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

/// Returns the value of a parameter as a boolean.
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

/// Returns the reason why a literal does not have the type of a parameter.
pub(crate) fn mistyped(parameter: &Parameter, value: Node<'_>) -> Option<Fault> {
    let shape = Shapes::of(value);
    let (fits, expected) = match parameter.r#type?.value {
        ParameterType::String => (shape.meets(Shapes::SCALAR), "a string"),
        ParameterType::Number => (to_number(value).is_some(), "a number"),
        ParameterType::Boolean => (boolean(value).is_some(), "a boolean"),
        ParameterType::CommaDelimitedList => (shape.meets(Shapes::STRING.or(Shapes::LIST)), "a list"),
        ParameterType::Json => {
            let is_json = || serde_json::from_str::<serde_json::Value>(value.text()).is_ok();
            (shape.meets(Shapes::MAP.or(Shapes::LIST)) || shape == Shapes::STRING && is_json(), "a map or a list")
        }
    };
    (!fits).then(|| Fault::shape(expected))
}

/// Returns the reason why a literal can't be the value of a parameter.
pub(crate) fn misfit(parameter: &Parameter, value: Node<'_>, context: &Context<'_>) -> Option<Fault> {
    if let Some(fault) = mistyped(parameter, value) {
        return Some(fault);
    }
    let ty = parameter.r#type?.value;
    let constraints = || parameter.constraints.iter().filter_map(|id| context.get(*id));
    if ty == ParameterType::String && value.kind() != Kind::String {
        let needs_text = |one: &Constraint| one.allowed_pattern.is_some() || one.length.is_some();
        if constraints().any(needs_text) {
            let help = Help::quote(value.text());
            return Some(Fault::new("must be a string, because a constraint applies to its text", help));
        }
    }
    constraints().find_map(|one| violation(one, Constrained::Parameter(ty), value, context))
}

/// The subject of a constraint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Constrained {
    Parameter(ParameterType),
    /// A property, which may be a boolean.
    Property {
        is_boolean: bool,
    },
}

impl Constrained {
    /// Returns whether a string stands for a list.
    fn is_list(self) -> bool {
        self == Self::Parameter(ParameterType::CommaDelimitedList)
    }

    /// Returns whether a value equals an allowed one.
    fn is_same(self, allowed: Node<'_>, found: Node<'_>) -> bool {
        match self {
            Self::Parameter(ParameterType::Number) => to_number(allowed) == to_number(found),
            Self::Parameter(ParameterType::Boolean) => boolean(allowed) == boolean(found),
            Self::Property { is_boolean: true } => allowed.text().eq_ignore_ascii_case(found.text()),
            _ => allowed.text() == found.text(),
        }
    }
}

/// Returns the reason why a literal violates a constraint.
pub(crate) fn violation(
    constraint: &Constraint,
    of: Constrained,
    value: Node<'_>,
    context: &Context<'_>,
) -> Option<Fault> {
    if let Some(bounds) = constraint.range.and_then(|id| context.get(id)) {
        let found = to_number(value)?;
        let fault = || Fault::new(format!("is out of range: `{}`", value.text()), within("a number", bounds, context));
        return outside(bounds, found, context).then(fault);
    }
    if let Some(bounds) = constraint.length.and_then(|id| context.get(id)) {
        let (length, things) = match value.kind() {
            Kind::List | Kind::Map => (value.len(), "entries"),
            _ if of.is_list() && value.text().is_empty() => (0, "entries"),
            _ if of.is_list() => (value.text().split(',').count(), "entries"),
            _ => (value.text().chars().count(), "characters"),
        };
        let help = || within("a value", bounds, context) + " " + things;
        let fault = || Fault::new(format!("has the length {length}, which is out of range"), help());
        return outside(bounds, measure(length), context).then(fault);
    }
    if let Some(modulo) = constraint.modulo.and_then(|id| context.get::<Modulo>(id)) {
        let (step, offset) = (number(context, modulo.step)?, number(context, modulo.offset)?);
        let found = to_number(value)?;
        let rest = found - step * (found / step).floor();
        let help = || format!("write a multiple of {step}, plus {offset}");
        return ((rest - offset).abs() > f64::EPSILON).then(|| Fault::new("violates `modulo`", help()));
    }
    if let Some(Value(at)) = constraint.allowed_values {
        return not_allowed(context.node(at)?, of, value, context);
    }
    if let Some(Text(at)) = constraint.allowed_pattern {
        let pattern = context.node(at).filter(|pattern| !is_excess(context, *pattern))?.text();
        let fault = || Fault::new("does not match the pattern", format!("write text that matches `{pattern}`"));
        return (!matches_start(pattern, value.text())?).then(fault);
    }
    let name = context.node(constraint.custom_constraint?.0)?.text();
    let help = || match name {
        "ip_addr" => "write an IP address".to_owned(),
        "ip_or_cidr" => "write an IP address or a network such as `10.0.0.0/24`".to_owned(),
        "net_cidr" => "write a network such as `10.0.0.0/24`".to_owned(),
        "mac_addr" => "write a MAC address".to_owned(),
        _ => format!("write a value for `{name}`"),
    };
    (!fulfills(name, value)?).then(|| Fault::new(format!("violates the constraint `{name}`"), help()))
}

fn not_allowed(allowed: Node<'_>, of: Constrained, value: Node<'_>, context: &Context<'_>) -> Option<Fault> {
    let texts = || -> HashSet<&str> {
        let items = allowed.items().filter(|item| item.kind() == Kind::String || !of.is_list());
        items.map(Node::text).collect()
    };
    let fits = match value.kind() {
        Kind::List => {
            let texts = texts();
            value.items().all(|item| item.kind() == Kind::Map || texts.contains(item.text()))
        }
        _ if of.is_list() => {
            let texts = texts();
            value.text().split(',').all(|text| texts.contains(text))
        }
        _ => allowed.items().any(|allowed| of.is_same(allowed, value)),
    };
    if fits {
        return None;
    }
    let help = context.did_you_mean(value.text(), allowed.items().map(Node::text), "allowed are");
    let what = match value.kind() {
        Kind::List | Kind::Map => "has a value that is not allowed".to_owned(),
        _ => format!("must be one of the allowed values, not `{}`", value.text()),
    };
    Some(Fault::new(what, help.unwrap_or_else(|| "write one of the allowed values".into())))
}

/// Returns the help for a value outside bounds.
fn within(what: &str, bounds: &Bounds, context: &Context<'_>) -> String {
    let text = |value: Option<Value>| value.and_then(|value| context.node(value.0)).map(Node::text);
    match (text(bounds.min), text(bounds.max)) {
        (Some(min), Some(max)) => format!("write {what} from {min} to {max}"),
        (Some(min), None) => format!("write {what} of at least {min}"),
        (None, Some(max)) => format!("write {what} of at most {max}"),
        (None, None) => format!("write {what}"),
    }
}

fn outside(bounds: &Bounds, found: f64, context: &Context<'_>) -> bool {
    number(context, bounds.min).is_some_and(|min| found < min)
        || number(context, bounds.max).is_some_and(|max| found > max)
}

/// The first year in which expirations may be in the future.
const EXPIRED: u32 = 2026;

/// Returns the year of a date.
fn year(text: &str) -> Option<u32> {
    text.get(..4).filter(|year| year.bytes().all(|digit| digit.is_ascii_digit()))?.parse().ok()
}

/// Returns whether a text is a cron expression: minutes, hours, days, months, days of the week, and perhaps seconds.
fn is_schedule(text: &str) -> bool {
    const RANGES: [(u32, u32); 6] = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7), (0, 59)];
    const ALIASES: [&str; 7] = ["@annually", "@daily", "@hourly", "@midnight", "@monthly", "@weekly", "@yearly"];
    let is_part = |part: &str, (least, most): (u32, u32)| {
        let (range, step) = part.split_once('/').unwrap_or((part, "1"));
        let is_number = |text: &str| text.parse::<u32>().is_ok_and(|number| (least..=most).contains(&number));
        // Names and the last day of the month are not looked up.
        let is_name = |text: &str| text.contains(|letter: char| letter.is_ascii_alphabetic() || letter == '#');
        step.parse::<u32>().is_ok_and(|step| step > 0)
            && (matches!(range, "*" | "?") || range.split('-').all(|end| is_number(end) || is_name(end)))
    };
    let fields: Vec<&str> = text.split_whitespace().collect();
    ALIASES.contains(&text)
        || (5..=6).contains(&fields.len())
            && fields.iter().zip(RANGES).all(|(field, range)| field.split(',').all(|part| is_part(part, range)))
}

/// Returns whether a value fulfills a constraint that the service implements; `None` if only a cloud can tell.
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
        "cron_expression" => is_empty || is_schedule(text),
        "expiration" => is_empty || year(text).is_some_and(|year| year >= EXPIRED),
        "timezone" => is_empty || text.chars().all(|letter| letter.is_ascii_alphanumeric() || "/_+-".contains(letter)),
        "iso_8601" => year(text).is_some(),
        _ => return None,
    })
}
