//! Estimates how large a compiled pattern is and how far it looks.

use super::syntax::{Category, Class, Group, Item, Manner, Part, Tree};

/// The maximum number of bytes of a character.
const CHARACTER: u64 = 4;

/// Returns the approximate size of the compiled pattern, in bytes. One that is only for texts of ASCII is smaller.
pub(super) fn size(part: &Part, is_ascii: bool) -> u64 {
    const PART: u64 = 64;
    /// The sequences of bytes for almost all characters.
    const ALL: u64 = 1536;
    let all = if is_ascii { PART } else { ALL };
    match part {
        Part::Any { .. } => all,
        Part::Class(Class { is_negated, items }) => {
            let others = if *is_negated { all } else { PART };
            items.iter().map(|item| item_size(*item, is_ascii)).fold(others, u64::saturating_add)
        }
        Part::Repeat(repetition, body) => size(body, is_ascii).saturating_mul(times(repetition.least, repetition.most)),
        part => part.children().into_iter().map(|child| size(child, is_ascii)).fold(PART, u64::saturating_add),
    }
}

fn item_size(item: Item, is_ascii: bool) -> u64 {
    const ASCII: u64 = 64;
    match item {
        _ if is_ascii => ASCII,
        Item::Range(_, last) if last.is_ascii() => ASCII,
        Item::Range(..) => 1 << 10,
        Item::Category { is_ascii: true, is_negated: false, .. } => ASCII,
        Item::Category { is_ascii: true, .. } | Item::Category { category: Category::Space, .. } => 2 << 10,
        Item::Category { category: Category::Digit, .. } => 8 << 10,
        Item::Category { category: Category::Word, .. } => 48 << 10,
    }
}

fn times(least: u32, most: Option<u32>) -> u64 {
    most.map_or(u64::from(least) + 1, u64::from).max(1)
}

/// Returns the maximum number of repetitions of a part in a pattern.
pub(super) fn repetitions(part: &Part) -> u64 {
    let inner = part.children().into_iter().map(repetitions).max().unwrap_or(1);
    match part {
        Part::Repeat(repetition, _) => inner.saturating_mul(times(repetition.least, repetition.most)),
        _ => inner,
    }
}

/// Returns the maximum number of bytes that matter for whether a pattern matches at a position, apart from those of the
/// match itself; `None` if any may.
///
/// An engine that `backtracks` goes back over the characters of a repetition before look-around, one step for each.
pub(super) fn reach(tree: &Tree, backtracks: bool) -> Option<u64> {
    Walk { backtracks, groups: Vec::new() }.reach(&tree.root, true)
}

struct Walk {
    backtracks: bool,
    /// The reach of groups by their numbers.
    groups: Vec<(usize, Option<u64>)>,
}

impl Walk {
    fn reach(&mut self, part: &Part, is_last: bool) -> Option<u64> {
        match part {
            Part::Repeat(repetition, body) => {
                let inner = self.reach(body, false);
                match repetition.most {
                    Some(most) => inner?.checked_mul(u64::from(most).max(1)),
                    // The match ends where no more characters follow that can be part of it.
                    None if is_last && repetition.manner == Manner::Greedy && is_character(body) => Some(CHARACTER),
                    None => None,
                }
            }
            Part::Group(Group::Capture(number), body) => {
                let reach = self.reach(body, is_last);
                // A repetition at the end has its reach only there.
                let referred = if is_last { self.reach(body, false) } else { reach };
                self.groups.push((*number, referred));
                reach
            }
            Part::Backreference(number) => {
                self.groups.iter().find(|(other, _)| other == number).and_then(|(_, reach)| *reach)
            }
            Part::Sequence(parts) => {
                let looks = |part: &Part| matches!(part, Part::Group(Group::Look { .. }, _) | Part::Boundary { .. });
                let is_after = |part: &&Part| self.backtracks && looks(part);
                let last = parts.len() - parts.iter().rev().take_while(is_after).count();
                self.sum(parts.iter().enumerate().map(|(index, part)| (part, is_last && index + 1 == last)))
            }
            Part::Alternation(branches) => self.sum(branches.iter().map(|branch| (branch, is_last))),
            Part::Group(Group::Plain(_), body) => self.reach(body, is_last),
            part => self.sum(part.children().into_iter().map(|child| (child, false))),
        }
    }

    fn sum<'p>(&mut self, parts: impl Iterator<Item = (&'p Part, bool)>) -> Option<u64> {
        let mut sum = CHARACTER;
        for (part, is_last) in parts {
            sum = sum.checked_add(self.reach(part, is_last)?)?;
        }
        Some(sum)
    }
}

fn is_character(part: &Part) -> bool {
    matches!(part, Part::Literal(_) | Part::Any { .. } | Part::Class(_))
}
