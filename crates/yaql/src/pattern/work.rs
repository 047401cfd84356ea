//! The work of a search with backtracking.
//!
//! The engine stops after a number of attempts. An attempt follows the pattern up to the point where it fails, and then
//! goes back to the latest alternative. Each repetition is such an alternative, so that the number of attempts limits
//! how many there are. The rest of the work is done without leaving an alternative behind: minimum repetitions,
//! look-around, atomic groups, comparisons with other groups, and the end of the pattern, which another engine searches.

use super::native::Variant;
use super::syntax::{Group, Manner, Part, Repetition, Tree};

/// The parts of a step, about 50 picoseconds each.
const STEP: u64 = 2048;
/// The parts of a step that an attempt takes at least.
const ATTEMPT: u64 = 512;
/// The parts of a step for one repetition.
const REPETITION: u64 = 256;
/// The parts of a step for a character that another engine searches, for each of the states that it compares.
const CHARACTER: u64 = 8;
/// The parts of a step for comparing a character with one of another group.
const COMPARISON: u64 = 1;
/// The same if the case is ignored.
const FOLDED: u64 = 256;

/// The maximum work of an attempt, as a polynomial of the length of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Work([u64; 4]);

impl Work {
    fn constant(work: u64) -> Self {
        Self([work, 0, 0, 0])
    }

    fn map(self, function: impl Fn(u64) -> u64) -> Self {
        Self(self.0.map(function))
    }

    fn combine(self, other: Self, function: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|power| function(self.0[power], other.0[power])))
    }

    fn plus(self, other: Self) -> Self {
        self.combine(other, u64::saturating_add)
    }

    fn times(self, factor: u64) -> Self {
        self.map(|work| work.saturating_mul(factor))
    }

    /// Returns this work, but at most that of comparing each character with a number of states.
    fn at_most_linear(self, states: u64) -> Self {
        let [constant, linear, square, cube] = self.0;
        let most = states.saturating_mul(CHARACTER);
        Self([constant, if square == 0 && cube == 0 { linear.min(most) } else { most }, 0, 0])
    }

    /// Returns the work of doing this for each character of the text.
    fn for_each_character(self) -> Self {
        let [constant, linear, square, cube] = self.0;
        // Higher powers are more than any budget.
        Self([0, constant, linear, if cube > 0 { u64::MAX } else { square }])
    }

    /// Returns the number of steps of some attempts in text of a length.
    pub(super) fn steps(self, attempts: u64, length: u64) -> u64 {
        let work = self.0.into_iter().rev().fold(0, |sum: u64, work| sum.saturating_mul(length).saturating_add(work));
        1 + attempts.saturating_mul(ATTEMPT.saturating_add(work)) / STEP
    }
}

/// Returns the maximum work of an attempt.
pub(super) fn of(tree: &Tree, variant: Variant) -> Work {
    let mut walk = Walk { variant, ignore_case: tree.ignore_case, groups: Vec::new() };
    // A repetition at the end has the work of the text that it matches.
    walk.work(&tree.root, Place { is_atomic: false, is_end: !variant.not_empty, is_delegated: false })
}

#[derive(Clone, Copy)]
struct Place {
    /// Whether no alternatives are left behind.
    is_atomic: bool,
    /// Whether the match ends after the part.
    is_end: bool,
    /// Whether the part is in one that another engine searches as a whole, in time in proportion to the text.
    is_delegated: bool,
}

struct Walk {
    variant: Variant,
    ignore_case: bool,
    /// The maximum length of groups by their numbers.
    groups: Vec<(usize, Work)>,
}

impl Walk {
    fn work(&mut self, part: &Part, place: Place) -> Work {
        let work = self.work_in_parts(part, place);
        if place.is_delegated { work.at_most_linear(all_states(part)) } else { work }
    }

    fn work_in_parts(&mut self, part: &Part, place: Place) -> Work {
        let inner = Place { is_end: false, ..place };
        match part {
            Part::Repeat(repetition, body) => {
                let is_delegated = (place.is_atomic || place.is_end) && !self.backtracks(part);
                let is_unlimited = repetition.most.is_none() && repetition.manner == Manner::Greedy;
                if is_delegated && place.is_end && is_unlimited && body.is_character() {
                    return Work::constant(CHARACTER);
                }
                let is_atomic = is_delegated || place.is_atomic || repetition.manner == Manner::Possessive;
                let inner = Place { is_atomic, is_end: false, is_delegated: place.is_delegated };
                let inner = self.work(body, inner);
                if is_delegated {
                    return repeat(*repetition, inner.times(states(body)), true);
                }
                repeat(*repetition, inner.plus(Work::constant(REPETITION)), is_atomic)
            }
            Part::Group(Group::Capture(number), body) => {
                let length = self.length(body);
                self.groups.push((*number, length));
                self.work(body, place).plus(Work::constant(CHARACTER))
            }
            Part::Group(Group::Plain(_), body) => self.work(body, place),
            Part::Group(Group::Atomic | Group::Look { .. }, body) => {
                let atomic = Place { is_atomic: true, is_end: false, is_delegated: !self.backtracks(body) };
                self.work(body, atomic).plus(Work::constant(ATTEMPT))
            }
            Part::Backreference(number) => {
                let cost = if self.ignore_case { FOLDED } else { COMPARISON };
                self.group_length(*number).times(cost).plus(Work::constant(CHARACTER))
            }
            Part::Conditional { yes, no, .. } => self.work(yes, inner).plus(self.work(no, inner)),
            Part::Sequence(parts) => {
                // Another engine searches for all that follows the last part that needs backtracking.
                let after = parts.iter().rposition(|part| self.backtracks(part)).map_or(0, |last| last + 1);
                let mut sum = Work::default();
                for (index, part) in parts.iter().enumerate() {
                    let is_delegated = place.is_end && index >= after;
                    let is_end = place.is_end && index + 1 == parts.len();
                    let is_atomic = place.is_atomic || is_delegated && !is_end;
                    let is_delegated = place.is_delegated || is_delegated;
                    sum = sum.plus(self.work(part, Place { is_atomic, is_end, is_delegated }));
                }
                sum
            }
            Part::Alternation(branches) if place.is_atomic => {
                branches.iter().map(|branch| self.work(branch, place)).fold(Work::default(), Work::plus)
            }
            // Each other branch is left behind as an alternative.
            Part::Alternation(branches) => branches
                .iter()
                .map(|branch| self.work(branch, place))
                .fold(Work::default(), |sum, work| sum.combine(work, u64::max)),
            _ => Work::constant(CHARACTER),
        }
    }

    /// Returns whether a part needs backtracking.
    fn backtracks(&self, part: &Part) -> bool {
        part.has(&|part| match part {
            Part::Group(Group::Atomic | Group::Look { .. }, _) | Part::Backreference(_) | Part::Conditional { .. } => {
                true
            }
            Part::Boundary { .. } => true,
            Part::End { multi_line: false } => self.variant.is_exact,
            Part::Repeat(repetition, _) => repetition.manner == Manner::Possessive,
            part => self.variant.is_counted && part.is_character(),
        })
    }

    /// Returns the maximum number of characters that a part matches.
    fn length(&self, part: &Part) -> Work {
        match part {
            Part::Group(Group::Look { .. }, _) => Work::default(),
            Part::Backreference(number) => self.group_length(*number),
            part if part.is_character() => Work::constant(1),
            Part::Repeat(repetition, body) => match (self.length(body), repetition.most) {
                (body, Some(most)) => body.times(most.into()),
                // Even in nested repetitions, a match isn't longer than the text.
                (_, None) => Work([0, 1, 0, 0]),
            },
            part => part.children().into_iter().map(|child| self.length(child)).fold(Work::default(), Work::plus),
        }
    }

    fn group_length(&self, number: usize) -> Work {
        self.groups.iter().find(|(other, _)| *other == number).map_or(Work::default(), |(_, length)| *length)
    }
}

/// Returns the number of states in which a repetition of a part may be at a character.
fn states(part: &Part) -> u64 {
    let inner = part.children().into_iter().map(states).max().unwrap_or(1);
    match part {
        Part::Repeat(Repetition { most: Some(most), .. }, _) => inner.saturating_mul(u64::from(*most).max(1)),
        Part::Repeat(repetition, _) => inner.saturating_mul(u64::from(repetition.least).max(1)),
        _ => inner,
    }
}

/// Returns the number of states of a part, with the copies in its repetitions.
fn all_states(part: &Part) -> u64 {
    let inner = part.children().into_iter().map(all_states).fold(u64::from(part.is_character()), u64::saturating_add);
    match part {
        Part::Repeat(repetition, _) => {
            inner.saturating_mul(u64::from(repetition.most.unwrap_or(repetition.least)).max(1))
        }
        _ => inner,
    }
}

/// Returns the work of repetitions.
fn repeat(repetition: Repetition, body: Work, is_atomic: bool) -> Work {
    match repetition.most {
        // The others are alternatives.
        _ if !is_atomic => body.times(u64::from(repetition.least).max(1)),
        Some(most) => body.times(most.into()),
        None => body.times(u64::from(repetition.least)).plus(body.for_each_character()),
    }
}
