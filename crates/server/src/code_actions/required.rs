//! Code actions that add required members.

use serde_json::{Value, json};
use tosca_parse::ard::{Entry, Kind, Layout, Node, Style};
use tosca_parse::diagnostic::Edit;
use tosca_parse::entity::FieldDescription;
use tosca_parse::phase::Unit;
use tosca_parse::position_context::{PositionContext, PositionPart};

use super::changes;
use crate::completion::snippet::{self, OpenValues, Slot};
use crate::enclosing::EnclosingEntities;
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::Position;
use crate::syntax::Syntax;

/// The maximum number of names in a title.
const MAX_NAMES: usize = 5;

/// Returns the actions that add the required members to the entity at the given position, or to the entity whose name
/// is at that position.
pub(super) fn actions(parsed: &Parsed, unit: &Unit, at: Position) -> Vec<Value> {
    let program = &parsed.outcome.program;
    let Some(position) = entity_at(unit, at) else { return Vec::new() };
    let enclosing = EnclosingEntities::new(program, unit.id, unit.version, &position.entities);
    let innermost = position.innermost();
    let syntax = Syntax::of_unit(parsed.address(unit.id), unit);
    let fields = innermost.entity.fields.iter().filter(|field| field.exists_in(unit.version));
    let action = |field: &'static FieldDescription| {
        let given = innermost.value(field.ident, unit.version);
        let names = enclosing.missing(program, field, given);
        let keyname = field.keyname(unit.version);
        let entry = |name: &&str| NewEntry::without_value(syntax, name);
        let entries: Vec<NewEntry> = names.iter().map(entry).collect();
        let edit = addition(syntax, innermost.node, given, (keyname, field.sequenced), &entries)?;
        let mut list: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect();
        if names.len() > MAX_NAMES {
            list.push("…".to_owned());
        }
        Some(json!({
            "title": format!("Add required {keyname}: {}", list.join(", ")),
            "kind": "quickfix",
            "edit": changes(parsed, std::iter::once(&edit)),
        }))
    };
    fields.filter_map(action).collect()
}

/// Returns the context of a position, or of the entity with the name at the position.
pub(super) fn entity_at(unit: &Unit, at: Position) -> Option<PositionContext<'_>> {
    let root = unit.description()?;
    let position_at = |offset| PositionContext::at(&unit.document, root, unit.version, offset);
    let position = position_at(place::offset(&unit.source, at))?;
    match position.part {
        PositionPart::Name { key: Some(key), map, .. } => position_at(map.find(key.text())?.value.span().start),
        _ => Some(position),
    }
}

/// A new entry of a map, or of a list of maps with one key each.
pub(super) struct NewEntry {
    /// The lines of the entry in block style.
    block: String,
    /// The entry between brackets.
    flow: String,
}

impl NewEntry {
    /// Returns an entry whose value is to be typed.
    fn without_value(syntax: Syntax, key: &str) -> Self {
        let key = syntax.string(key);
        Self { block: format!("{key}:"), flow: syntax.entry(&key, "") }
    }

    /// Returns an entry with a map of scalars and of required members. Empty scalars are to be typed.
    pub(super) fn with_map(syntax: Syntax, key: &str, map: &[(&str, String)], members: &[Slot]) -> Self {
        let key = syntax.string(key);
        if map.is_empty() && members.is_empty() {
            let text = format!("{key}: {{}}");
            return Self { block: text.clone(), flow: text };
        }
        let lines = map.iter().map(|(key, value)| format!("\n{}", format!("  {key}: {value}").trim_end()));
        let mut entries: Vec<String> =
            map.iter().map(|(key, value)| syntax.entry(&syntax.keyname(key), value)).collect();
        let mut open = OpenValues::Text(if matches!(syntax, Syntax::Json) { " null" } else { "" });
        let written = |name: &str| syntax.string(name).into_owned();
        if !members.is_empty() {
            entries.push(snippet::write_entries(members, &mut open, &written));
        }
        let members = snippet::write(members, 2, "", &mut open, &written);
        Self {
            block: format!("{key}:{}{members}", lines.collect::<String>()),
            flow: format!("{key}: {{ {} }}", entries.join(", ").trim_end()),
        }
    }

    /// Returns the lines of entries in block style.
    fn lines(entries: &[Self], is_list: bool, indentation: &str, line_break: &str) -> String {
        let indented = |entry: &Self| {
            let lines = entry.block.lines().enumerate().map(|(number, line)| match (is_list, number) {
                (false, _) => format!("{indentation}{line}"),
                (true, 0) => format!("{indentation}- {line}"),
                (true, _) => format!("{indentation}  {line}"),
            });
            lines.collect::<Vec<_>>().join(line_break)
        };
        entries.iter().map(indented).collect::<Vec<_>>().join(line_break)
    }

    /// Returns entries as they are written between brackets.
    fn items(entries: &[Self], is_list: bool) -> String {
        let item = |entry: &Self| {
            if is_list { format!("{{ {} }}", entry.flow.trim_end()) } else { entry.flow.clone() }
        };
        entries.iter().map(item).collect::<Vec<_>>().join(", ").trim_end().to_owned()
    }

    /// Returns the map or list of entries, in one line.
    fn collection(entries: &[Self], is_list: bool) -> String {
        let items = Self::items(entries, is_list);
        if is_list { format!("[ {items} ]") } else { format!("{{ {items} }}") }
    }
}

/// Returns the edit that adds entries to a field of an entity, whose current value is `given`. They are in block style
/// unless the entity or the current value is written between brackets. Returns `None` if there are no entries or no
/// place for them.
pub(super) fn addition(
    syntax: Syntax,
    entity: Node<'_>,
    given: Option<Node<'_>>,
    (keyname, is_list): (&str, bool),
    entries: &[NewEntry],
) -> Option<Edit> {
    let is_map = entity.kind() == Kind::Map && !entity.is_alias();
    let layout = Layout::around(entity).filter(|_| is_map && !entries.is_empty())?;
    let kind = if is_list { Kind::List } else { Kind::Map };
    let is_part = |node: &Node<'_>| node.kind() == kind && !node.is_alias() && node.written_nodes() > 0;
    if let Some(given) = given.filter(|given| is_part(given) && given.style() == Style::Flow) {
        let end = match kind {
            Kind::List => given.items().last()?.span().end,
            _ => end_of_entry(given.entries().filter(|entry| !entry.merged).last()?)?,
        };
        return Some(layout.insert(end, format!(", {}", NewEntry::items(entries, is_list))));
    }
    if entity.style() == Style::Flow {
        return flow_addition((layout, syntax), entity, given, (keyname, is_list), entries);
    }
    let line_break = layout.line_break(entity.span().start);
    let lines = |indentation: &str| NewEntry::lines(entries, is_list, indentation, line_break);
    let own = || entity.entries().filter(|entry| !entry.merged);
    let first = own().next()?;
    let indentation = layout.indentation(first.key.span().start);
    let Some(given) = given else {
        let last = own().last()?;
        let text = format!("{indentation}{keyname}:{line_break}{}", lines(&format!("{indentation}  ")));
        return Some(layout.insert_below(last.value.span().end.max(last.key.span().end), &text));
    };
    let key = own().find(|entry| entry.value.id() == given.id())?.key.span();
    let span = given.span();
    if is_part(&given) {
        return Some(layout.insert_below(span.end, &lines(&layout.indentation(span.start))));
    }
    let below = lines(&format!("{indentation}  "));
    match (given.kind(), given.written()) {
        (Kind::Null, None | Some("")) => Some(layout.insert_below(key.end, &below)),
        _ => {
            let between = layout.after(key.end).trim_start().strip_prefix(':')?.trim_start();
            let is_next = is_empty(given) && layout.after(span.start) == between;
            // A comment stays on its line.
            let comment = layout.after(span.end);
            let end = span.end + comment.len() as u32;
            is_next.then(|| layout.replace(key.end, end, format!(":{}{line_break}{below}", comment.trim_end())))
        }
    }
}

/// Returns the edit that adds entries to a field of an entity between brackets. The field has no entries yet.
fn flow_addition(
    (layout, syntax): (Layout<'_>, Syntax),
    entity: Node<'_>,
    given: Option<Node<'_>>,
    (keyname, is_list): (&str, bool),
    entries: &[NewEntry],
) -> Option<Edit> {
    let collection = NewEntry::collection(entries, is_list);
    let mut own = entity.entries().filter(|entry| !entry.merged);
    let Some(given) = given else {
        let text = format!("{}: {collection}", syntax.keyname(keyname));
        if let Some(last) = own.last() {
            return Some(layout.insert(end_of_entry(last)?, format!(", {text}")));
        }
        let is_bare = entity.written()?.strip_prefix('{')?.strip_suffix('}')?.trim().is_empty();
        let span = entity.span();
        return is_bare.then(|| layout.replace(span.start, span.end, format!("{{ {text} }}")));
    };
    let entry = own.find(|entry| entry.value.id() == given.id())?;
    match (given.kind(), given.written()) {
        (Kind::Null, None | Some("")) => {
            let end = end_of_entry(entry)?;
            let colon = if layout.before(end).ends_with(':') { "" } else { ":" };
            Some(layout.insert(end, format!("{colon} {collection}")))
        }
        _ => {
            let span = given.span();
            is_empty(given).then(|| layout.replace(span.start, span.end, collection))
        }
    }
}

/// Returns whether a node is `{}`, `[]`, `~` or `null`.
fn is_empty(node: Node<'_>) -> bool {
    let is_kind = matches!(node.kind(), Kind::Null | Kind::Map | Kind::List);
    is_kind && !node.is_alias() && node.written_nodes() == 0 && node.style() != Style::Block
}

/// Returns the end of an entry, whose value may be missing.
fn end_of_entry(entry: Entry<'_>) -> Option<u32> {
    let (key, value) = (entry.key.span(), entry.value.span());
    (key.source == value.source).then(|| value.end.max(key.end))
}
