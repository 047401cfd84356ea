//! Snippets: members with placeholders for their values.

use std::fmt::Write as _;

use tosca_parse::entity::{AnyId, EntityDescription, FieldDescription, LanguageVersion, Role, Shape};
use tosca_parse::phase::Program;
use tosca_parse::phase::inheritance::Complete;

use crate::enclosing::{self, is_assigning, note};

/// The maximum number of placeholders in a snippet.
pub(crate) const MAX_PLACEHOLDERS: usize = 30;

/// The maximum depth of members with required members.
const MAX_DEPTH: usize = 4;

/// The maximum number of members that are looked at for one snippet.
const MAX_VISITED: usize = 100;

/// A key in a snippet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) key: String,
    pub(crate) value: SlotValue,
}

/// The value of a key in a snippet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SlotValue {
    /// A placeholder.
    Open,
    /// A placeholder with the values to choose from.
    Choice(Vec<String>),
    /// A fixed scalar.
    Fixed(String),
    Map(Vec<Slot>),
    /// A list of maps with one key each.
    List(Vec<Slot>),
}

/// The values of keys that are to be typed.
#[derive(Debug)]
pub(crate) enum OpenValues {
    /// Placeholders of a snippet; the number of the next one.
    Placeholders(usize),
    /// The same text after each colon.
    Text(&'static str),
}

impl OpenValues {
    /// Returns whether there are too many placeholders.
    fn are_too_many(&self) -> bool {
        matches!(self, Self::Placeholders(number) if *number > MAX_PLACEHOLDERS)
    }

    /// Returns the next value. A placeholder has some content.
    fn next(&mut self, content: &str) -> String {
        match self {
            Self::Placeholders(number) => {
                *number += 1;
                format!(" ${{{}{content}}}", *number - 1)
            }
            Self::Text(text) => (*text).to_owned(),
        }
    }
}

impl Slot {
    /// Returns the slot of a field with members.
    pub(crate) fn of_field(keyname: &str, field: &FieldDescription, members: Vec<Self>) -> Self {
        let value = if field.sequenced { SlotValue::List(members) } else { SlotValue::Map(members) };
        Self { key: keyname.to_owned(), value }
    }
}

/// Returns the slots of members in a field of a definition. The value of a member with a complex type has slots for its
/// required fields.
pub(crate) fn members(
    program: &Program<Complete>,
    definition: AnyId,
    field: &FieldDescription,
    names: &[&str],
) -> Vec<Slot> {
    let mut room = MAX_VISITED;
    let slot = |name: &&str| {
        let id = enclosing::idents(field).find_map(|ident| program.child(definition, ident, name));
        let is_value = matches!(field.shape, Shape::Values);
        let value = id.filter(|_| is_value).map_or(SlotValue::Open, |id| within(program, id, MAX_DEPTH, &mut room));
        Slot { key: (*name).to_owned(), value }
    };
    names.iter().take(MAX_PLACEHOLDERS).map(slot).collect()
}

/// Returns the value of a member: slots for the required fields of its type, or a placeholder.
pub(crate) fn value(program: &Program<Complete>, id: AnyId) -> SlotValue {
    within(program, id, MAX_DEPTH, &mut MAX_VISITED.clone())
}

/// Returns the value of a member at the given number of levels above the deepest. `room` is the number of members that
/// can still be looked at; beyond it, values are placeholders.
fn within(program: &Program<Complete>, id: AnyId, depth: usize, room: &mut usize) -> SlotValue {
    let member = note(program, id);
    // For a list or a map, `of_type` is the type of its entries.
    let is_complex = |of_type: &AnyId| depth > 0 && *room > 0 && program.name(*of_type) == member.type_name;
    let of_type = member.of_type.filter(is_complex);
    let Some((of_type, entity)) = of_type.and_then(|of_type| Some((of_type, program.raw(of_type)?))) else {
        return SlotValue::Open;
    };
    let fields = entity.description().fields.iter().filter(|field| matches!(field.shape, Shape::Named(_)));
    let members = fields.flat_map(|field| program.children(of_type, field.ident));
    let required = members.filter(|member| note(program, *member).is_required());
    let slot = |member| {
        *room = room.saturating_sub(1);
        Slot { key: program.name(member).to_owned(), value: within(program, member, depth - 1, room) }
    };
    let slots: Vec<Slot> = required.take(MAX_PLACEHOLDERS).map(slot).collect();
    if slots.is_empty() { SlotValue::Open } else { SlotValue::Map(slots) }
}

/// Returns the slots of a new template with the given type, and the names of its required members.
pub(crate) fn template<'p>(
    program: &'p Program<Complete>,
    entity: &'static EntityDescription,
    version: LanguageVersion,
    (of_type, type_name): (AnyId, &str),
) -> (Vec<Slot>, Vec<&'p str>) {
    let (mut slots, mut all) = (Vec::new(), Vec::new());
    for field in entity.fields.iter().filter(|field| field.exists_in(version)) {
        let key = field.keyname(version);
        if field.role == Role::Definition {
            slots.insert(0, Slot { key: key.to_owned(), value: SlotValue::Fixed(type_name.to_owned()) });
        } else if is_assigning(field) {
            let names = enclosing::required(program, of_type, field);
            if !names.is_empty() {
                slots.push(Slot::of_field(key, field, members(program, of_type, field, &names)));
                all.extend(names);
            }
        }
    }
    (slots, all)
}

/// Writes slots as lines of a snippet, each after a line break. `written` returns the text of a name.
pub(crate) fn write(
    slots: &[Slot],
    indentation: usize,
    dash: &str,
    open: &mut OpenValues,
    written: &dyn Fn(&str) -> String,
) -> String {
    let indent = " ".repeat(indentation);
    let mut text = String::new();
    for Slot { key, value } in slots {
        let key = written(key);
        let below = indentation + dash.len() + 2;
        let is_full = open.are_too_many();
        let value = match value {
            SlotValue::Map(slots) if !is_full => write(slots, below, "", open, written),
            SlotValue::List(slots) if !is_full => write(slots, below, "- ", open, written),
            _ => scalar(value, open, written),
        };
        let _ = write!(text, "\n{indent}{dash}{key}:{value}");
    }
    text
}

/// Writes slots as the entries of a map between brackets, in one line.
pub(crate) fn write_entries(slots: &[Slot], open: &mut OpenValues, written: &dyn Fn(&str) -> String) -> String {
    let entry = |Slot { key, value }: &Slot| {
        let key = written(key);
        let is_full = open.are_too_many();
        let value = match value {
            SlotValue::Map(slots) if !is_full => format!(" {{ {} }}", write_entries(slots, open, written)),
            SlotValue::List(slots) if !is_full => {
                let items = slots.iter().map(std::slice::from_ref);
                let items = items.map(|slot| format!("{{ {} }}", write_entries(slot, open, written)));
                format!(" [ {} ]", items.collect::<Vec<_>>().join(", "))
            }
            _ => scalar(value, open, written),
        };
        format!("{key}:{value}")
    };
    slots.iter().map(entry).collect::<Vec<_>>().join(", ")
}

/// Writes a scalar after its colon; nothing if there are too many placeholders.
fn scalar(value: &SlotValue, open: &mut OpenValues, written: &dyn Fn(&str) -> String) -> String {
    match value {
        SlotValue::Fixed(value) => format!(" {}", written(value)),
        _ if open.are_too_many() => String::new(),
        SlotValue::Choice(words) => {
            let words = words.iter().map(|word| choice(&written(word))).collect::<Vec<_>>().join(",");
            open.next(&format!("|{words}|"))
        }
        SlotValue::Open | SlotValue::Map(_) | SlotValue::List(_) => open.next(""),
    }
}

/// Escapes a word for the list of a choice.
fn choice(word: &str) -> String {
    word.replace(',', "\\,").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_numbered_and_indented() {
        let open = |key: &str| Slot { key: key.to_owned(), value: SlotValue::Open };
        let slots = [
            Slot { key: "type".to_owned(), value: SlotValue::Choice(vec!["A".to_owned(), "B,C".to_owned()]) },
            Slot {
                key: "properties".to_owned(),
                value: SlotValue::Map(vec![
                    Slot { key: "address".to_owned(), value: SlotValue::Map(vec![open("street")]) },
                    open("size"),
                ]),
            },
            Slot { key: "requirements".to_owned(), value: SlotValue::List(vec![open("host")]) },
        ];
        let text = write(&slots, 2, "", &mut OpenValues::Placeholders(2), &str::to_owned);
        let properties = "\n  properties:\n    address:\n      street: ${3}\n    size: ${4}";
        let expected = format!("\n  type: ${{2|A,B\\,C|}}{properties}\n  requirements:\n    - host: ${{5}}");
        assert_eq!(text, expected);
        let text = write(&slots[..1], 0, "", &mut OpenValues::Placeholders(MAX_PLACEHOLDERS + 1), &str::to_owned);
        assert_eq!(text, "\ntype:");
        let text = write_entries(&slots[1..], &mut OpenValues::Placeholders(1), &str::to_owned);
        let expected = "properties: { address: { street: ${1} }, size: ${2} }, requirements: [ { host: ${3} } ]";
        assert_eq!(text, expected);
        let text = write_entries(&slots[1..], &mut OpenValues::Text(" null"), &str::to_owned);
        let expected = "properties: { address: { street: null }, size: null }, requirements: [ { host: null } ]";
        assert_eq!(text, expected);
    }
}
