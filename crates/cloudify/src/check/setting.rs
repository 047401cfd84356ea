//! Outputs, labels and deployment settings.

use tosca_parse::ard::{Kind, Node, Style};
use tosca_parse::diagnostic::Help;
use tosca_parse::entity::{Checked, Checks, Id};
use tosca_parse::phase::namespace::LookupResult;
use tosca_parse::phase::{Context, DiagnosticExt as _};
use tosca_parse::rules::{NULL_VALUE, WRONG_KIND};

use super::call::{Place, check};
use super::{kind, report, text_of, value_of};
use crate::function::call;
use crate::grammar::{DeploymentSettings, Label, Output, Schedule, WORKFLOWS};
use crate::rules::{INVALID_LABEL, INVALID_SCHEDULE, TOLERATED_VALUE};

/// The functions whose results exist only in a running deployment.
const OF_ATTRIBUTES: [&str; 3] = ["get_attribute", "get_attributes_list", "get_attributes_dict"];

/// Returns whether a node is a call of an attribute function.
fn is_of_attributes(node: Node<'_>) -> bool {
    call(node).is_some_and(|call| OF_ATTRIBUTES.contains(&call.function.name))
}

fn contains(node: Node<'_>, is_it: &dyn Fn(Node<'_>) -> bool) -> bool {
    is_it(node)
        || node.items().any(|item| contains(item, is_it))
        || node.entries().any(|entry| contains(entry.value, is_it))
}

impl Checked for Output {
    const CHECKS: Checks<Self> = Checks::NEW.render(output);
}

fn output(output: &Output, context: &mut Context<'_>, _: Id<Output>) {
    let Some(value) = value_of(context, output.value) else { return };
    if value.kind() == Kind::Null {
        report(context, &NULL_VALUE, value, "`value` is empty", "write a value");
    }
    check(context, Place::Service, value);
}

impl Checked for Label {
    const CHECKS: Checks<Self> = Checks::NEW.render(label);
}

fn label(label: &Label, context: &mut Context<'_>, id: Id<Label>) {
    let Some(values) = value_of(context, label.values) else { return };
    if values.kind() != Kind::List {
        let message = format!("`values` must be a list, not {}", kind(values));
        report(context, &WRONG_KIND, values, message, "put brackets around the value");
        return;
    }
    let at = context.program.name_span(id.any());
    for value in values.items() {
        if !matches!(value.kind(), Kind::String | Kind::Map) {
            let message = format!("the value of a label must be a string or a function, not {}", kind(value));
            report(context, &INVALID_LABEL, value, message, "put the value in quotes");
        } else if is_of_attributes(value) {
            let message = "the value of a label can't be an attribute, which only a running deployment has";
            let problem = context.problem(&INVALID_LABEL, Some(value.span()), message);
            problem.help("use `get_input` or `get_property`").related(at, "the label");
        } else if contains(value, &is_of_attributes) {
            let message = "the value of a label must not contain an attribute, although the manager accepts it";
            report(context, &TOLERATED_VALUE, value, message, "use `get_input` or `get_property`");
        }
        check(context, Place::Service, value);
    }
}

impl Checked for DeploymentSettings {
    const CHECKS: Checks<Self> = Checks::NEW.render(settings);
}

fn settings(settings: &DeploymentSettings, context: &mut Context<'_>, _: Id<DeploymentSettings>) {
    let Some(name) = value_of(context, settings.display_name) else { return };
    if !matches!(name.kind(), Kind::String | Kind::Map | Kind::Null) {
        let message = format!("`display_name` must be a string or a function, not {}", kind(name));
        report(context, &WRONG_KIND, name, message, "put the name in quotes");
    }
    check(context, Place::Service, name);
}

impl Checked for Schedule {
    const CHECKS: Checks<Self> = Checks::NEW.render(schedule);
}

fn schedule(schedule: &Schedule, context: &mut Context<'_>, id: Id<Schedule>) {
    let at = context.program.name_span(id.any());
    for (name, text) in [("since", schedule.since), ("until", schedule.until)] {
        let Some(node) = text_of(context, text) else { continue };
        if node.style() == Style::Plain && is_timestamp(node.text()) {
            let message = format!("`{name}` must be a string, not a timestamp");
            report(context, &WRONG_KIND, node, message, Help::quote(node.text()));
        } else if !is_time(node.text()) {
            let message = format!("`{}` is neither a date nor a delay", node.text());
            let problem = context.problem(&INVALID_SCHEDULE, Some(node.span()), message);
            problem.help("write a time such as `2030-01-01 12:00`, or `+2 hours`").related(at, "the schedule");
        }
    }
    if let Some(node) = text_of(context, schedule.recurrence)
        && !is_delay(node.text())
    {
        let message = format!("`{}` is not a time between executions", node.text());
        report(context, &INVALID_SCHEDULE, node, message, "write a number and a unit, such as `1 days`");
    }
    for day in &schedule.weekdays {
        let Some(node) = text_of(context, Some(*day)) else { continue };
        let is_day = ["su", "mo", "tu", "we", "th", "fr", "sa"].iter().any(|day| node.text().ends_with(day));
        if !is_day {
            let message = format!("`{}` is not a weekday", node.text());
            report(context, &INVALID_SCHEDULE, node, message, "write a day such as `mo`, `2mo` or `l-mo`");
        }
    }
    if let Some(node) = text_of(context, schedule.workflow) {
        let name = context.intern(node.text());
        if context.resolve(id.any(), WORKFLOWS, name) == LookupResult::Unknown {
            let message = format!("there is no workflow `{}`", node.text());
            report(
                context,
                &TOLERATED_VALUE,
                node,
                message,
                "declare the workflow in `workflows`, or correct the name",
            );
        }
    }
    let Some(parameters) = value_of(context, schedule.workflow_parameters) else { return };
    if parameters.kind() != Kind::Map && parameters.kind() != Kind::Null {
        let message = format!("`workflow_parameters` must be a map, not {}", kind(parameters));
        report(context, &WRONG_KIND, parameters, message, "write `name: value`");
    }
    for entry in parameters.entries().filter(|entry| is_of_attributes(entry.value)) {
        let message = "a parameter of a schedule can't be an attribute, which only a running deployment has";
        let section = context.program.keyname_span(id.any(), "workflow_parameters");
        let problem = context.problem(&INVALID_SCHEDULE, Some(entry.value.span()), message);
        problem.help("use `get_input` or `get_property`").related(section, "the parameters");
    }
    check(context, Place::Service, parameters);
}

/// Returns whether YAML interprets a plain scalar as a timestamp.
fn is_timestamp(text: &str) -> bool {
    let (date, time) = text.split_once(['T', 't', ' ']).unwrap_or((text, ""));
    let parts: Vec<_> = date.split('-').collect();
    let is_number =
        |part: &&str, length: usize| part.len() == length && part.bytes().all(|digit| digit.is_ascii_digit());
    let is_date =
        matches!(&parts[..], [year, month, day] if is_number(year, 4) && is_number(month, 2) && is_number(day, 2));
    let has_seconds = time.split(':').count() == 3 && time.starts_with(|digit: char| digit.is_ascii_digit());
    is_date && (time.is_empty() || has_seconds)
}

/// Returns whether a string is a date, with or without a time, or a delay from now.
fn is_time(text: &str) -> bool {
    let text = text.trim();
    let is_date = text.starts_with(|digit: char| digit.is_ascii_digit()) && text.contains(['-', '/', ':']);
    is_date || text.strip_prefix('+').is_some_and(is_delay)
}

/// Returns whether a string is a number and a unit, or several such pairs.
fn is_delay(text: &str) -> bool {
    let mut rest = text.trim();
    let mut count = 0;
    while !rest.is_empty() {
        rest = rest.trim_start_matches(['+', ' ', ',']);
        let unit = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
        if unit.len() == rest.len() {
            return false;
        }
        let unit = unit.trim_start();
        let end = unit.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(unit.len());
        let name = unit[..end].trim_end_matches('s');
        if !["sec", "second", "min", "minute", "hour", "h", "day", "d", "week", "w", "month", "year"].contains(&name) {
            return false;
        }
        rest = unit[end..].trim_start();
        count += 1;
    }
    count > 0
}
