//! Clauses that say between which others an integer lies, and nothing else of it.
//!
//! That is what nearly all clauses of ports, sizes and counts say. Once it is known of a clause, no integer has to be
//! remembered that fulfils it, and none has to be evaluated: two comparisons will do.

use super::super::super::version::V2_0;
use super::super::call::literal::integer;
use super::super::call::{Call, Shape, version};
use super::super::clause::constraint::{self, Argument, Clause, Condition, Subject};
use crate::ard::{Kind, Node};
use crate::entity::Position;
use crate::phase::Context;

/// The least and the greatest integer that fulfil some clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    least: i64,
    greatest: i64,
}

impl Bounds {
    /// What clauses say of an integer, if that is all they say.
    pub(super) fn of(context: &Context<'_>, mut clauses: impl Iterator<Item = Position>) -> Option<Self> {
        let all = Self { least: i64::MIN, greatest: i64::MAX };
        clauses.try_fold(all, |bounds, clause| {
            let node = context.node(clause)?;
            if version(context, node) >= V2_0 {
                bounds.and_of_call(context, node)
            } else {
                constraint::clauses(context, node).try_fold(bounds, |bounds, clause| {
                    let clause = clause.ok().filter(Clause::has_conditions)?;
                    clause.conditions(false).try_fold(bounds, |bounds, condition| match condition {
                        Condition { function, subject: Subject::Value, argument: Argument::Node(operand) } => {
                            bounds.and(function, operand)
                        }
                        _ => None,
                    })
                })
            }
        })
    }

    /// Whether an integer that is written in the usual way fulfils the clauses. One that is not may do so, too.
    pub(super) fn has(self, text: &str) -> bool {
        let digits = text.strip_prefix('-').unwrap_or(text);
        // In YAML 1.1, zeros at the front make another number.
        let is_usual = digits == "0" || digits.starts_with(|first: char| matches!(first, '1'..='9'));
        is_usual && text.parse().is_ok_and(|number: i64| self.least <= number && number <= self.greatest)
    }

    fn and_of_call(self, context: &Context<'_>, node: Node<'_>) -> Option<Self> {
        let call = |node| match Call::shape(node, version(context, node)) {
            Shape::Call(call) => Some(call),
            Shape::Malformed(_) | Shape::Literal => None,
        };
        let clause = call(node)?;
        match (clause.name, &clause.arguments()[..]) {
            ("and", clauses) => clauses.iter().try_fold(self, |bounds, clause| bounds.and_of_call(context, *clause)),
            (name, [value, operand]) => {
                call(*value).filter(|value| value.name == "value" && value.arguments().is_empty())?;
                self.and(name, *operand)
            }
            _ => None,
        }
    }

    fn and(self, function: &str, operand: Node<'_>) -> Option<Self> {
        let operand = integer(operand).filter(|_| operand.kind() == Kind::Integer)?;
        let Self { least, greatest } = self;
        Some(match function {
            "greater_or_equal" => Self { least: least.max(operand), greatest },
            "greater_than" => Self { least: least.max(operand.checked_add(1)?), greatest },
            "less_or_equal" => Self { least, greatest: greatest.min(operand) },
            "less_than" => Self { least, greatest: greatest.min(operand.checked_sub(1)?) },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Bounds;

    #[test]
    fn integers_are_known_if_they_are_written_in_the_usual_way() {
        let bounds = Bounds { least: -10, greatest: 100 };
        for text in ["0", "1", "100", "-10"] {
            assert!(bounds.has(text), "{text}");
        }
        for text in ["", "-", "-11", "101", "010", "00", "+5", "-0x1", "0x10", "1_0", "1.0", "99999999999999999999"] {
            assert!(!bounds.has(text), "{text}");
        }
    }
}
