//! A summary of a service that fits on one screen.

use std::fmt;
use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::columns;
use tosca_parse::PhaseTime;
use tosca_parse::diagnostic::color::{CODE, GOOD, STRONG, paint};
use tosca_parse::diagnostic::{Secrets, is_secret, render};
use tosca_parse::entity::Kind;
use tosca_parse::grammar::File;
use tosca_parse::normal::{Name, Node, Options, Property, Service, ServiceStream, TargetConstraints, Types, Value};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::{Program, Unit, Units};
use tosca_parse::resolve::Resolution;

/// The maximum number of rows per list.
const ROWS: usize = 8;

/// The maximum number of rows per list of requested results.
const CONNECTIONS: usize = 100;

/// The maximum width of a value, in columns.
const VALUE: usize = 40;

/// The overview of a valid file; one line in its alternate form (`{:#}`).
pub(super) struct Overview<'a> {
    program: &'a Program<Complete>,
    resolution: Option<&'a Resolution>,
    service: Option<ServiceStream<'a>>,
    secrets: Secrets<'a>,
    color: bool,
}

impl<'a> Overview<'a> {
    /// Creates an overview; with a resolution, it includes the nodes that fulfill open requirements.
    pub(super) fn of(program: &'a Program<Complete>, resolution: Option<&'a Resolution>) -> Self {
        let service = Service::stream(program, Options { resolution, ..Options::default() });
        Self { program, resolution, service, secrets: program.secrets(), color: false }
    }

    /// Sets whether to use color.
    pub(super) fn color(mut self, color: bool) -> Self {
        self.color = color;
        self
    }

    fn headline(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(unit) = self.program.list.first() else { return Ok(()) };
        let version = unit.language.version_title(unit.version);
        let what = match (&self.service, profile(self.program, unit)) {
            (Some(service), _) => format!("{version} service, {}", counts(service)),
            (None, Some(profile)) => format!("{version} profile {profile}, {}", types(unit)),
            (None, None) => format!("{version} file, {}", contents(unit)),
        };
        let file = paint(render::sanitize(unit.source.name()), STRONG, self.color);
        let is_fulfilled = self.resolution.is_none_or(Resolution::is_possible);
        let verdict =
            if is_fulfilled { paint("valid", GOOD, self.color) } else { "not deployable by itself,".to_owned() };
        write!(f, "{file}: {verdict} {}", render::sanitize(&what))
    }

    /// Returns a string for display: nonprintable characters are escaped and secrets are redacted.
    fn shown(&self, text: &str) -> String {
        let shown = render::sanitize(text);
        if self.secrets.is_empty() { shown.into_owned() } else { self.secrets.masked(&shown) }
    }

    /// Prints rows in columns under a title. Surplus rows are counted.
    fn list(
        &self,
        title: &str,
        (all, rows): (usize, impl Iterator<Item = Vec<String>>),
        most: usize,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        if all == 0 {
            return Ok(());
        }
        writeln!(f, "\n{}", paint(title, STRONG, self.color))?;
        // A row with the number of further rows takes as much space as one more row.
        let shown = if all <= most + 1 { all } else { most };
        let printable = |row: Vec<String>| row.iter().map(|cell| self.shown(cell)).collect();
        let rows: Vec<Vec<String>> = rows.take(shown).map(printable).collect();
        let number = rows.iter().map(Vec::len).max().unwrap_or(0);
        let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column).map(|cell| &**cell));
        let widths: Vec<usize> = (0..number).map(|column| columns::width(cells(column))).collect();
        for row in &rows {
            let mut line = String::from(" ");
            for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
                line.push(' ');
                line.push_str(&if index == 0 { paint(cell, CODE, self.color) } else { cell.clone() });
                line.push_str(&columns::padding(cell, *width));
                line.push(' ');
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        if shown < all {
            writeln!(f, "  … and {} more", grouped(all - shown))?;
        }
        Ok(())
    }

    /// Prints the fulfilled and the open requirements.
    fn resolution(&self, resolution: &Resolution, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Resolution { connections, open, .. } = resolution;
        if connections.is_empty() && open.is_empty() {
            return writeln!(f, "\nAll requirements name the nodes that fulfill them.");
        }
        let fulfilled = connections.iter().map(|connection| {
            let target = match &connection.capability {
                Some(capability) => format!("{}.{capability}", connection.target),
                None => connection.target.to_string(),
            };
            let others = match connection.others {
                0 => String::new(),
                1 => "1 other would also fit".to_owned(),
                others => format!("{} others would also fit", grouped(others)),
            };
            vec![format!("{}.{}", connection.node, connection.requirement), format!("→ {target}"), others]
        });
        self.list("Requirements that have been fulfilled", (fulfilled.len(), fulfilled), CONNECTIONS, f)?;
        let open = open
            .iter()
            .map(|open| vec![format!("{}.{}", open.node, open.requirement), open.reason.describe().to_owned()]);
        self.list("Requirements that stay open", (open.len(), open), CONNECTIONS, f)
    }
}

impl fmt::Display for Overview<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.headline(f)?;
        if f.alternate() {
            return Ok(());
        }
        writeln!(f)?;
        let Some(stream) = &self.service else { return Ok(()) };
        let service = stream.service();
        if let Some(description) = &service.description {
            let description: String = description.lines().next().unwrap_or_default().trim().to_owned();
            writeln!(f, "{}", self.shown(&cut(&description, 2 * VALUE)))?;
        }
        if let Some(resolution) = self.resolution {
            return self.resolution(resolution, f);
        }
        let parameter = |(name, parameter): (&Name, &std::sync::Arc<Property>)| {
            vec![name.to_string(), type_of(parameter), value_of(name, parameter)]
        };
        let inputs = service.inputs.iter().map(parameter);
        self.list("Inputs", (inputs.len(), inputs), ROWS, f)?;
        let Seen { nodes, dangling, all_dangling } = Seen::of(stream);
        self.list("Nodes", (stream.node_count(), nodes.into_iter()), ROWS, f)?;
        self.list("Open requirements", (all_dangling, dangling.into_iter()), ROWS, f)?;
        let outputs = service.outputs.iter().map(parameter);
        self.list("Outputs", (outputs.len(), outputs), ROWS, f)
    }
}

/// The nodes that are shown. Nodes are visited one by one, because together they would take a lot of memory.
#[derive(Default)]
struct Seen {
    nodes: Vec<Vec<String>>,
    dangling: Vec<Vec<String>>,
    all_dangling: usize,
}

impl Seen {
    fn of(stream: &ServiceStream<'_>) -> Self {
        let mut seen = Self::default();
        stream.each_node(|name, node| {
            if seen.nodes.len() <= ROWS {
                seen.nodes.push(vec![name.to_string(), node_type(node), made(node)]);
            }
            for requirement in &node.requirements {
                let Some(asked) = &requirement.dangling else { continue };
                seen.all_dangling += 1;
                if seen.dangling.len() <= ROWS {
                    seen.dangling.push(vec![format!("{name}.{}", requirement.name), needs(asked)]);
                }
            }
        });
        seen
    }
}

pub(super) fn profile<'a>(program: &'a Program<Complete>, unit: &Unit) -> Option<&'a str> {
    let file = program.get(unit.root?.cast::<File>()?)?;
    Some(program.node(file.profile?.0)?.text())
}

/// Returns the number of types of each kind that a file defines.
fn types(unit: &Unit) -> String {
    enumerate(type_counts(unit))
}

fn type_counts(unit: &Unit) -> impl Iterator<Item = (usize, &'static str)> {
    unit.language.types().map(|kind| {
        let title = unit.language.kinds[usize::from(kind.0)].description().title;
        (unit.arenas.count(kind) as usize, title)
    })
}

/// Returns the number of types, and of other names by section, that a file declares.
fn contents(unit: &Unit) -> String {
    let language = unit.language;
    let types: Vec<(usize, &str)> = type_counts(unit).collect();
    let sections = unit.declared_names().into_iter().zip(language.sections.iter().map(|section| section.title));
    let is_type = |title: &str| types.iter().any(|(_, known)| *known == title);
    enumerate(types.iter().copied().chain(sections.filter(|(_, title)| !is_type(title))))
}

/// Returns the number of nodes, relationships and other elements of a service.
fn counts(stream: &ServiceStream<'_>) -> String {
    let service = stream.service();
    let counts = [
        (stream.node_count(), "node"),
        (service.relationships.len(), "relationship template"),
        (service.groups.len(), "group"),
        (service.policies.len(), "policy"),
        (service.workflows.len(), "workflow"),
    ];
    let counts = enumerate(counts.into_iter());
    match service.substitution.as_ref().and_then(|substitution| substitution.types.first()) {
        Some(of) => format!("{counts}, can stand for a `{}`", of.name),
        None => counts,
    }
}

fn enumerate<'t>(counts: impl Iterator<Item = (usize, &'t str)>) -> String {
    let counts: Vec<String> = counts.filter(|(count, _)| *count > 0).map(|(count, noun)| plural(count, noun)).collect();
    if counts.is_empty() { "empty".to_owned() } else { counts.join(", ") }
}

pub(super) fn plural(count: usize, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{} {stem}ies", grouped(count)),
        (_, None) if noun.ends_with('s') => format!("{} {noun}es", grouped(count)),
        (_, None) => format!("{} {noun}s", grouped(count)),
    }
}

/// Returns a number with spaces between groups of three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

fn first(types: &Types) -> String {
    types.first().map_or_else(String::new, |of| of.name.to_string())
}

fn node_type(node: &Node) -> String {
    first(&node.types)
}

/// Returns the directives and the count of a node.
fn made(node: &Node) -> String {
    let mut words: Vec<String> = node.directives.iter().map(ToString::to_string).collect();
    words.extend(node.count.as_ref().map(|count| format!("× {}", shown(count))));
    words.join(", ")
}

fn type_of(property: &Property) -> String {
    property.schema.type_name.as_deref().unwrap_or_default().to_owned()
}

fn value_of(name: &str, property: &Property) -> String {
    match &property.value {
        Some(value) if is_secret(name) && !matches!(value, Value::Call(_)) => "*****".to_owned(),
        Some(value) => shown(value),
        None if property.schema.required && property.mapping.is_empty() => "must be given".to_owned(),
        None => String::new(),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => cut(text.lines().next().unwrap_or_default(), VALUE),
        value => cut(&call(value), VALUE),
    }
}

/// Returns a value as its author would write it.
fn call(value: &Value) -> String {
    match value {
        Value::Call(called) => {
            let arguments: Vec<String> = called.arguments.iter().map(call).collect();
            format!("${}({})", called.name, arguments.join(", "))
        }
        Value::String(text) => text.to_string(),
        value => value.to_string(),
    }
}

fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut cut = String::new();
    for character in text.chars() {
        if cut.width() + 2 > columns {
            break;
        }
        cut.push(character);
    }
    cut + "…"
}

/// Returns the kind of node that a requirement needs.
fn needs(asked: &TargetConstraints) -> String {
    let node = asked.node_types.first().map(|of| of.name.to_string());
    let named = asked.capability.as_ref().map(|name| format!("capability `{name}`"));
    let capability = asked.capability_types.first().map(|of| of.name.to_string()).or(named);
    match (node, capability) {
        (Some(node), Some(capability)) => format!("{node} with {capability}"),
        (Some(node), None) => node,
        (None, Some(capability)) => format!("any node with {capability}"),
        (None, None) => "any node".to_owned(),
    }
}

/// Returns the size of all sources, in bytes.
pub(super) fn text_size(units: &Units) -> usize {
    units.list.iter().map(|unit| unit.source.text().len()).sum()
}

/// Prints the amount of source text and the time of each phase.
pub(super) fn times(out: &mut dyn Write, units: &Units, times: &[PhaseTime]) -> io::Result<()> {
    let name = units.list.first().map_or("", |unit| unit.source.name());
    let entities: usize = units
        .list
        .iter()
        .map(|unit| {
            (0..unit.language.kinds.len()).map(|kind| unit.arenas.count(Kind(kind as u8)) as usize).sum::<usize>()
        })
        .sum();
    writeln!(
        out,
        "{name}: {}, {} of text, {}",
        plural(units.list.len(), "file"),
        plural(text_size(units), "byte"),
        plural(entities, "entity")
    )?;
    for time in times {
        writeln!(out, "  {:<12}{:>9.1} ms", time.phase, time.duration.as_secs_f64() * 1000.0)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_nouns_agree() {
        assert_eq!(plural(1, "policy"), "1 policy");
        assert_eq!(plural(0, "policy"), "0 policies");
        assert_eq!(plural(9_990, "node"), "9 990 nodes");
        assert_eq!(grouped(1_234_567), "1 234 567");
        assert_eq!(grouped(123), "123");
    }

    #[test]
    fn long_values_are_cut() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("longer", 5), "long…");
        assert_eq!(cut("日本語", 5), "日本…");
        assert_eq!(shown(&Value::List(vec![Value::Integer(1), "a".into()])), "[1,\"a\"]");
    }
}
