//! Clauses that are worded alike.
//!
//! Files of types say the same of hundreds of properties: that a size is not negative, that a name is not empty. What is
//! worded alike in one unit means the same, so it need not be found out for each definition whether such a clause is one
//! at all, and whether a default does.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::super::definition::FunctionDefinition;
use super::super::super::types::DataType;
use super::super::call::{Call, Shape, function};
use super::super::schema::Schema;
use crate::ard::{Layout, Node};
use crate::diagnostic::SourceId;
use crate::entity::{Entity as _, Id, LanguageVersion, Position};
use crate::phase::Context;

/// How many wordings are remembered, and how long each may be.
const MOST: usize = 4_000;
const LONGEST: usize = 256;

/// The number of a wording. None is used twice, since who has one may still ask for it when all is forgotten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Wording(u64);

/// The clauses that have been met.
#[derive(Default)]
struct Wordings {
    /// By the unit, and where there are several lines by the column that they begin in: the indentation of further lines
    /// means something else in another.
    by_place: FxHashMap<(SourceId, usize), FxHashMap<Box<str>, Wording>>,
    count: usize,
    last: Wording,
    /// Those that nothing is wrong with.
    sound: FxHashSet<WordedClause>,
}

impl Wordings {
    /// The wording of a clause that is worded like one that has been met.
    fn find(&self, place: (SourceId, usize), text: &str) -> Option<Wording> {
        self.by_place.get(&place)?.get(text).copied()
    }

    fn add(&mut self, place: (SourceId, usize), text: &str) -> Wording {
        if self.count >= MOST {
            *self = Self { last: self.last, ..Self::default() };
        }
        self.count += 1;
        self.last.0 += 1;
        self.by_place.entry(place).or_default().insert(text.into(), self.last);
        self.last
    }
}

impl Wording {
    /// How a clause is worded, if that says all of it.
    pub(super) fn of(context: &mut Context<'_>, clause: Position) -> Option<Self> {
        let unit = context.program.unit(clause.unit)?;
        let node = unit.document.node(clause.node);
        Layout::of(&unit.document).filter(|_| unit.document.is_complete() && !unit.document.is_mended())?;
        let text = node.written().filter(|text| text.len() <= LONGEST && node.tag().is_none())?;
        let has_lines = text.contains('\n') || text.contains('\r');
        let column = if has_lines { column(unit.document.text(), node.span().start)? } else { 0 };
        let place = (clause.unit, column);
        let wordings = context.memory::<Wordings>()?;
        if let Some(wording) = wordings.find(place, text) {
            return Some(wording);
        }
        // What an alias stands for is written elsewhere, a tag is no part of what it is for, and how much of the indentation
        // of a text belongs to it may depend on what is around.
        let is_block = has_lines && text.contains(['|', '>']);
        (!is_block && !text.contains('*')).then(|| wordings.add(place, text))
    }
}

/// The bytes before an offset on its line, unless there are many: a template may be one long line.
fn column(text: &str, offset: u32) -> Option<usize> {
    let before = &text.as_bytes()[..offset as usize];
    let near = &before[before.len().saturating_sub(LONGEST)..];
    let break_at = near.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
    let column = near.len() - break_at.map_or(0, |at| at + 1);
    (break_at.is_some() || near.len() == before.len()).then_some(column)
}

/// What a clause says of values of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in super::super::super) struct WordedClause {
    wording: Wording,
    data_type: Id<DataType>,
    version: LanguageVersion,
}

impl WordedClause {
    /// What a clause of a definition says, if that follows from how it is worded and from the type.
    pub(in super::super::super) fn of(
        context: &mut Context<'_>,
        schema: &Schema<'_>,
        clause: Position,
        version: LanguageVersion,
    ) -> Option<Self> {
        let data_type = schema.data_type.filter(|_| schema.key_schema.is_none() && schema.entry_schema.is_none())?;
        Some(Self { wording: Wording::of(context, clause)?, data_type, version })
    }

    /// Whether it is known that nothing is wrong with the clause.
    pub(in super::super::super) fn is_sound(self, context: &mut Context<'_>) -> bool {
        context.memory::<Wordings>().is_some_and(|wordings| wordings.sound.contains(&self))
    }

    /// Remembers that nothing is wrong with the clause, unless that is so here only.
    pub(in super::super::super) fn remember(self, context: &mut Context<'_>, clause: Position) {
        if context.program.has_any(FunctionDefinition::KIND) || looks_around(context, clause) {
            return;
        }
        if let Some(wordings) = context.memory::<Wordings>().filter(|wordings| wordings.sound.len() < MOST) {
            wordings.sound.insert(self);
        }
    }
}

/// Whether a clause calls a function that gives different results at different places.
pub(super) fn looks_around(context: &Context<'_>, clause: Position) -> bool {
    let Some(unit) = context.program.unit(clause.unit) else { return true };
    within(unit.document.node(clause.node), unit.version)
}

fn within(node: Node<'_>, version: LanguageVersion) -> bool {
    match Call::shape(node, version) {
        Shape::Call(call) => {
            let is_known = call.name == "value"
                || function::find(call.name).is_some_and(|function| !function.is_about_the_graph());
            !is_known || call.arguments.is_some_and(|arguments| within(arguments, version))
        }
        Shape::Malformed(_) => true,
        Shape::Literal => {
            node.items().any(|item| within(item, version))
                || node.entries().any(|entry| within(entry.key, version) || within(entry.value, version))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, column};

    #[test]
    fn columns_are_counted_from_the_last_break() {
        for (text, expected) in [("", 0), ("ab", 2), ("a\n", 0), ("a\n  ", 2), ("a\r  ", 2), ("a\r\n é", 3)] {
            assert_eq!(column(text, text.len() as u32), Some(expected), "{text:?}");
        }
        for length in [LONGEST - 1, LONGEST, LONGEST + 1] {
            let line = "x".repeat(length);
            assert_eq!(column(&line, length as u32), (length <= LONGEST).then_some(length));
            let after = format!("\n{line}");
            assert_eq!(column(&after, after.len() as u32), (length < LONGEST).then_some(length));
        }
    }
}
