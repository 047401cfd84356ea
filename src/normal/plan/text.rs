//! Human-readable text for plans and differences.

use std::fmt::{self, Write as _};

use serde_json::Value as Json;

use super::super::Value;
use super::difference::{Difference, DifferenceKind};
use super::step::{Action, Plan, PlannedCall, Stage, Step};
use crate::diagnostic::is_secret;
use crate::diagnostic::render::sanitize;

/// The replacement for a value that is probably secret.
const HIDDEN: &str = "•••";

/// The maximum length of the part of a value that is shown, in characters.
const SHOWN: usize = 60;

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.changes())?;
        writeln!(f, "Undeployment")?;
        stages(f, &self.undeployment)
    }
}

impl Plan {
    /// Returns the plan as text without the undeployment of the whole service.
    pub fn changes(&self) -> impl fmt::Display + '_ {
        Changes(self)
    }
}

struct Changes<'p>(&'p Plan);

impl fmt::Display for Changes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(plan) = self;
        for nodes in &plan.loops {
            let line = format!("These nodes depend on each other, so they have no order: {}", nodes.join(", "));
            writeln!(f, "{}\n", sanitize(&line))?;
        }
        if !plan.removal.is_empty() {
            writeln!(f, "Removal")?;
            stages(f, &plan.removal)?;
        }
        writeln!(f, "Deployment")?;
        stages(f, &plan.deployment)
    }
}

fn stages(f: &mut fmt::Formatter<'_>, stages: &[Stage]) -> fmt::Result {
    for (number, stage) in stages.iter().enumerate() {
        writeln!(f, "  stage {}", number + 1)?;
        stage.steps.iter().try_for_each(|step| self::step(f, step))?;
    }
    if stages.is_empty() {
        writeln!(f, "  nothing")?;
    }
    writeln!(f)
}

fn step(f: &mut fmt::Formatter<'_>, step: &Step) -> fmt::Result {
    let of_type = step.types.first().map_or("", |of_type| &*of_type.name);
    let mut line = format!("    {} {} ({of_type})", step.action.sign(), step.node);
    if let Some(directive) = &step.directive {
        write!(line, " [{directive}]")?;
    }
    if let Some(count) = &step.count {
        write!(line, " × {count}")?;
    }
    if !step.after.is_empty() {
        write!(line, " after {}", step.after.join(", "))?;
    }
    writeln!(f, "{}", sanitize(&line))?;
    step.differences.iter().try_for_each(|difference| writeln!(f, "        {difference}"))?;
    step.operations.iter().try_for_each(|called| {
        let call = CallText(called, step).to_string();
        writeln!(f, "        {}", sanitize(&call))
    })
}

/// A call within a step.
struct CallText<'p>(&'p PlannedCall, &'p Step);

impl fmt::Display for CallText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(called, step) = self;
        write!(f, "{}.{}", called.interface, called.operation)?;
        if let Some(related) = &called.relationship {
            write!(f, " of {} → {} ({})", related.source, related.target, related.requirement)?;
        }
        if called.node != step.node {
            write!(f, " on {}", called.node)?;
        }
        if let Some(file) = called.implementation.primary.as_ref().and_then(|primary| primary.file.as_ref()) {
            write!(f, ": {file}")?;
        }
        for (name, value) in &called.inputs {
            let shown = if is_secret(name) { HIDDEN.to_owned() } else { shortened(&written(value), SHOWN) };
            write!(f, " {name}={shown}")?;
        }
        Ok(())
    }
}

impl Action {
    /// Returns the sign of the action: `+`, `~`, `±`, `-`.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Self::Add => '+',
            Self::Change => '~',
            Self::Replace => '±',
            Self::Remove => '-',
        }
    }
}

/// Writes one line: ``~ node `web`, property `size`: "small" → "large"``.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.kind {
            DifferenceKind::Added => '+',
            DifferenceKind::Removed => '-',
            DifferenceKind::Changed => '~',
        };
        let mut line = format!("{sign} {}", shortened(&described(&self.at), usize::MAX));
        let is_secret = self.at.split('/').any(is_secret);
        let value = |json: &Option<Json>| {
            let text = json.as_ref().map(|json| shortened(&json.to_string(), SHOWN));
            text.map(|text| if is_secret { HIDDEN.to_owned() } else { text })
        };
        match (value(&self.old), value(&self.new)) {
            (Some(old), Some(new)) => write!(line, ": {old} → {new}"),
            (Some(only), None) | (None, Some(only)) => write!(line, ": {only}"),
            (None, None) if self.at.is_empty() => line.write_str(": (omitted, because there are too many differences)"),
            (None, None) if self.omitted => line.write_str(": (omitted, because there are too many values)"),
            (None, None) => Ok(()),
        }?;
        let source = self.new_source.as_ref().or(self.old_source.as_ref());
        if let Some(source) = source {
            write!(line, "  ({}:{}:{})", source.file, source.line, source.column)?;
        }
        f.write_str(&sanitize(&line))
    }
}

/// Describes the entity that a pointer into a model leads to, such as ``node `web`, property `size` ``.
fn described(at: &str) -> String {
    if at.is_empty() {
        return "the model".to_owned();
    }
    let mut words = Vec::new();
    let mut segments = at.split('/').skip(1).map(|segment| segment.replace("~1", "/").replace("~0", "~"));
    while let Some(segment) = segments.next() {
        let of_one = OF_ONE.iter().find(|(many, _)| *many == segment).map(|(_, one)| *one);
        match (of_one, segment.as_str()) {
            (Some(one), _) => match segments.next() {
                Some(name) => words.push(format!("{one} `{name}`")),
                None => words.push(segment),
            },
            // A value is described by its property; names within a value are names of data.
            (None, "value" | "expression") => {
                words.extend(segments.by_ref().map(|name| format!("`{name}`")));
            }
            (None, name) => words.push(name.replace('_', " ")),
        }
    }
    words.join(", ")
}

/// The members of the model that are maps of named entities, with the term for one entity.
const OF_ONE: [(&str, &str); 19] = [
    ("artifacts", "artifact"),
    ("attributes", "attribute"),
    ("capabilities", "capability"),
    ("data_types", "data type"),
    ("groups", "group"),
    ("inputs", "input"),
    ("interfaces", "interface"),
    ("metadata", "metadata"),
    ("nodes", "node"),
    ("notifications", "notification"),
    ("operations", "operation"),
    ("outputs", "output"),
    ("policies", "policy"),
    ("properties", "property"),
    ("relationships", "relationship"),
    ("requirements", "requirement"),
    ("steps", "step"),
    ("triggers", "trigger"),
    ("workflows", "workflow"),
];

/// Formats a value, with calls as `name(arguments)`.
fn written(value: &Value) -> String {
    match value {
        Value::Call(call) => {
            let arguments: Vec<String> = call.arguments.iter().map(written).collect();
            format!("{}({})", call.name, arguments.join(", "))
        }
        Value::String(text) => text.to_string(),
        Value::List(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", ")),
        data => data.to_string(),
    }
}

/// Returns the beginning of a long string, without characters that would move the cursor of a terminal.
fn shortened(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().filter(|letter| !letter.is_control()).take(most).collect();
    if text.chars().nth(most).is_some() {
        shown.push('…');
    }
    shown
}
