//! Hovers.

use tosca_parse::diagnostic::Span;
use tosca_parse::entity::AnyId;
use tosca_parse::handbook;
use tosca_parse::phase::Program;
use tosca_parse::phase::inheritance::Complete;

use crate::around::description;
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{Contents, Hover, MarkupContent, MarkupKind, Position};
use crate::thing::{Meaning, Thing};

/// The maximum number of lines of a definition that a hover shows.
const LINES: usize = 15;

/// Returns the hover for a position in the entry.
pub(crate) fn hover(parsed: &Parsed, at: Position) -> Option<Hover> {
    let unit = parsed.unit()?;
    let offset = place::offset(&unit.source, at);
    let program = &parsed.outcome.program;
    let thing = Thing::at(program, unit, offset)?;
    let text = match &thing.meaning {
        Meaning::Keyname(entity, field) => handbook::keyname_hover(unit.language, unit.version, entity, field),
        Meaning::Name(targets) => {
            let notes: Vec<String> = targets.iter().take(3).map(|id| note(parsed, *id)).collect();
            notes.join("\n\n---\n\n")
        }
    };
    let secrets = program.secrets();
    let text = if secrets.is_empty() { text } else { secrets.masked(&text) };
    let contents = Contents::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: text });
    Some(Hover { contents, range: Some(place::range(&unit.source, thing.span.start, thing.span.end)) })
}

/// Describes an entity: its kind, its description, its origin, and its source text.
fn note(parsed: &Parsed, id: AnyId) -> String {
    let program = &parsed.outcome.program;
    let owner = program.owners(id).next().filter(|owner| program.lineage(*owner).is_some());
    let of_owner = owner.map(|owner| format!(" of {}", program.describe(owner))).unwrap_or_default();
    let mut parts = vec![format!("{}{of_owner}", program.mention(id))];
    parts.extend(description(program, id).map(str::to_owned));
    let ancestors: Vec<String> = program.ancestry(id).skip(1).map(|id| format!("`{}`", program.name(id))).collect();
    let is_type = program.lineage(id).is_some();
    if is_type && !ancestors.is_empty() {
        parts.push(format!("derived from {}", ancestors.join(" ← ")));
    }
    if !is_type {
        parts.extend(code(program, id));
    }
    let unit = program.unit(id.unit).filter(|unit| Some(unit.id) != parsed.unit().map(|unit| unit.id));
    parts.extend(unit.map(|unit| format!("*in {}*", unit.source.name())));
    parts.join("\n\n")
}

/// Returns the source text of an entity.
fn code(program: &Program<Complete>, id: AnyId) -> Option<String> {
    let unit = program.unit(id.unit)?;
    let header = program.header(id)?;
    let (key, value) = (unit.document.node(header.key).span(), unit.document.node(header.node).span());
    let span = Span { end: value.end.max(key.end), ..key };
    let start = unit.source.line_range(unit.source.line_column(key.start).line).start;
    let indent = unit.source.text().get(start..span.start as usize)?.chars().count();
    let text = unit.source.text().get(span.start as usize..span.end as usize)?;
    let mut lines: Vec<&str> = text
        .lines()
        .map(|line| line.get(..indent).filter(|start| start.trim().is_empty()).map_or(line, |_| &line[indent..]))
        .collect();
    if lines.len() > LINES {
        lines.truncate(LINES);
        lines.push("…");
    }
    Some(format!("```yaml\n{}\n```", lines.join("\n")))
}
