//! Code actions that add required members.

use serde_json::{Value, json};
use tosca_parse::ard::{Kind, Layout, Node, Style, write_scalar};
use tosca_parse::diagnostic::Edit;
use tosca_parse::entity::FieldDescription;
use tosca_parse::phase::Unit;
use tosca_parse::position_context::{PositionContext, PositionPart};

use super::changes;
use crate::enclosing::EnclosingEntities;
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::Position;

/// The maximum number of names in a title.
const MAX_NAMES: usize = 5;

/// Returns the actions that add the required members to the entity at the given position, or to the entity whose name
/// is at that position.
pub(super) fn actions(parsed: &Parsed, unit: &Unit, at: Position) -> Vec<Value> {
    let program = &parsed.outcome.program;
    let Some(position) = entity_at(unit, at) else { return Vec::new() };
    let enclosing = EnclosingEntities::new(program, unit.id, unit.version, &position.entities);
    let innermost = position.innermost();
    let fields = innermost.entity.fields.iter().filter(|field| field.exists_in(unit.version));
    let action = |field: &'static FieldDescription| {
        let given = innermost.value(field.ident, unit.version);
        let names = enclosing.missing(program, field, given);
        let keyname = field.keyname(unit.version);
        let dash = if field.sequenced { "- " } else { "" };
        let entry = |name: &&str| format!("{dash}{}:", write_scalar(name, unit.language.yaml));
        let entries: Vec<String> = names.iter().map(entry).collect();
        let edit = addition(innermost.node, given, (keyname, field.sequenced), &entries)?;
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

/// Returns the edit that adds entries in block style to a field of an entity, whose current value is `given`. Returns
/// `None` if there are no entries or if the entity or the current value is not in block style.
pub(super) fn addition(
    entity: Node<'_>,
    given: Option<Node<'_>>,
    (keyname, is_list): (&str, bool),
    entries: &[String],
) -> Option<Edit> {
    let is_block = |node: Node<'_>, kind| node.kind() == kind && node.style() == Style::Block && !node.is_alias();
    let layout = Layout::around(entity).filter(|_| is_block(entity, Kind::Map) && !entries.is_empty())?;
    let line_break = layout.line_break(entity.span().start);
    let lines = |indentation: &str| {
        let lines = entries.iter().flat_map(|entry| entry.lines()).map(|line| format!("{indentation}{line}"));
        lines.collect::<Vec<_>>().join(line_break)
    };
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
    let kind = if is_list { Kind::List } else { Kind::Map };
    if is_block(given, kind) {
        return Some(layout.insert_below(span.end, &lines(&layout.indentation(span.start))));
    }
    let below = lines(&format!("{indentation}  "));
    match (given.kind(), given.written()) {
        (Kind::Null, None | Some("")) => Some(layout.insert_below(key.end, &below)),
        // `{}`, `[]`, `~` or `null`, with nothing but a colon before it.
        (Kind::Null | Kind::Map | Kind::List, Some(_))
            if given.written_nodes() == 0 && given.style() != Style::Block =>
        {
            let between = layout.after(key.end).trim_start().strip_prefix(':')?.trim_start();
            let is_next = layout.after(span.start) == between;
            is_next.then(|| layout.replace(key.end, span.end, format!(":{line_break}{below}")))
        }
        _ => None,
    }
}
