//! Code actions that convert entities between their short and long notation.

use serde_json::{Value, json};
use tosca_parse::ard::{Kind, Layout, Node, Style, write_scalar};
use tosca_parse::diagnostic::Edit;
use tosca_parse::entity::{FieldDescription, Keyname};
use tosca_parse::phase::Unit;
use tosca_parse::position_context::{EnclosingEntity, field_of_key};

use super::required::entity_at;
use super::{changes, is_near};
use crate::parsed::Parsed;
use crate::protocol::Range;
use crate::syntax::Syntax;

/// The maximum length of a value in a title, in characters.
const MAX_TITLE: usize = 40;

/// Returns the action that converts the entity at a position, or the one with the name at the position.
pub(super) fn action(parsed: &Parsed, unit: &Unit, range: Range) -> Option<Value> {
    let position = entity_at(unit, range.start)?;
    let innermost = position.innermost();
    // A value in place of several nested entities belongs to the outermost of them.
    let same = |enclosing: &&EnclosingEntity<'_>| enclosing.node.id() == innermost.node.id();
    let outermost = position.entities.iter().find(same)?;
    let is_here = |enclosing: &EnclosingEntity<'_>| {
        let nodes = [Some(enclosing.node), enclosing.key];
        let mut spans = nodes.into_iter().flatten().map(Node::span).filter(|span| span.source == unit.id);
        spans.any(|span| is_near(unit, span, range))
    };
    let syntax = Syntax::of_unit(parsed.address(unit.id), unit);
    let longer = Some(outermost).filter(|it| is_here(it)).and_then(|it| longer(unit, syntax, it));
    let (title, edit) = longer.or_else(|| shorter(unit, innermost).filter(|_| is_here(innermost)))?;
    Some(json!({
        "title": title,
        "kind": "refactor.rewrite",
        "edit": changes(parsed, std::iter::once(&edit)),
    }))
}

/// Returns the field that the short form of an entity sets, if it is written as a value of a kind.
fn short_field(unit: &Unit, enclosing: &EnclosingEntity<'_>, kind: Kind) -> Option<&'static FieldDescription> {
    let entity = enclosing.entity;
    let field = match enclosing.field.and_then(|field| field.members_short) {
        Some(ident) => entity.field(ident),
        None => entity.find(|field| {
            let is_short = match kind {
                Kind::Null | Kind::Map => false,
                Kind::List => field.short.list,
                _ => field.short.scalar,
            };
            is_short && field.exists_in(unit.version)
        }),
    };
    let is_other = matches!(kind, Kind::Null | Kind::Map) || kind == Kind::List && entity.tuple;
    field.map(|(_, field)| field).filter(|_| !is_other)
}

fn longer(unit: &Unit, syntax: Syntax, enclosing: &EnclosingEntity<'_>) -> Option<(String, Edit)> {
    let node = enclosing.node;
    let layout = Layout::around(node)?;
    let field = short_field(unit, enclosing, node.kind()).filter(|field| field.exists_in(unit.version))?;
    let keyname = field.keyname(unit.version);
    let is_map = enclosing.entity.is_map(unit.version) && keyname != Keyname::ANY && keyname != Keyname::NONE;
    let value = one_line(unit, node).filter(|_| is_map && is_unmarked(layout, node))?;
    let text = format!("{{ {}: {value} }}", syntax.keyname(keyname));
    let shown = if text.chars().count() > MAX_TITLE { format!("{{ {keyname}: … }}") } else { text.clone() };
    let span = node.span();
    Some((format!("Write in long notation: `{shown}`"), layout.replace(span.start, span.end, text)))
}

fn shorter(unit: &Unit, enclosing: &EnclosingEntity<'_>) -> Option<(String, Edit)> {
    let node = enclosing.node;
    let layout = Layout::around(node).filter(|_| node.kind() == Kind::Map && node.len() == 1)?;
    let entry = node.entries().next().filter(|entry| !entry.merged)?;
    let (field, keyname) = field_of_key(enclosing.entity, unit.version, entry.key.text())?;
    let short = short_field(unit, enclosing, entry.value.kind())?;
    let value = one_line(unit, entry.value).filter(|_| {
        keyname.name != Keyname::ANY && std::ptr::eq(field, short) && keyname.versions.contains(unit.version)
    })?;
    let (whole, key, inner) = (node.span(), entry.key.span(), entry.value.span());
    let text = |start: u32, end: u32| unit.source.text().get(start as usize..end as usize);
    if text(key.end, inner.start)?.trim() != ":" {
        return None;
    }
    let edit = match node.style() {
        Style::Flow => {
            let is_bare = text(whole.start, key.start)?.trim() == "{" && text(inner.end, whole.end)?.trim() == "}";
            (is_bare && is_unmarked(layout, node)).then(|| layout.replace(whole.start, whole.end, value.clone()))?
        }
        _ => {
            // The value takes the place after the name of the entity, unless there is a comment between them.
            let name = enclosing.key.map(|key| key.span().end);
            match name.filter(|end| text(*end, key.start).is_some_and(|between| between.trim() == ":")) {
                Some(end) => layout.replace(end, inner.start, ": "),
                None if layout.before(key.start).trim_end().ends_with('-') => {
                    layout.replace(key.start, inner.start, "")
                }
                None => return None,
            }
        }
    };
    let shown = if value.chars().count() > MAX_TITLE { "…".to_owned() } else { value };
    Some((format!("Write in short notation: `{shown}`"), edit))
}

/// Returns the text of a value as it can be written between brackets, if that is one line.
pub(super) fn one_line(unit: &Unit, node: Node<'_>) -> Option<String> {
    let written =
        node.written().filter(|written| !node.is_alias() && !written.contains('\n') && !written.is_empty())?;
    match (node.kind(), node.style()) {
        (Kind::Null | Kind::Map, _) | (_, Style::Literal | Style::Folded | Style::Block) => None,
        (Kind::String, Style::Plain) => Some(write_scalar(node.text(), unit.language.yaml).into_owned()),
        _ => Some(written.to_owned()),
    }
}

/// Returns whether a node directly follows its key or the start of its item, without a tag or an anchor.
pub(super) fn is_unmarked(layout: Layout<'_>, node: Node<'_>) -> bool {
    layout.before(node.span().start).trim_end().ends_with([':', '-', '[', ',', '{']) && node.tag().is_none()
}
