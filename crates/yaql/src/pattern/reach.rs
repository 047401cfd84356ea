//! Estimates how large a compiled pattern is and how far it looks.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind};

use super::native::Variant;
use super::syntax::{self, Category, Item, Part};

/// The maximum number of bytes of a character.
const CHARACTER: u64 = 4;

/// Returns the approximate size of a program, in bytes.
pub(super) fn size(part: &Part, variant: Variant) -> u64 {
    const PART: u64 = 64;
    /// The sequences of bytes for almost all characters.
    const ALL: u64 = 1536;
    let all = if variant.is_ascii { PART } else { ALL };
    match part {
        Part::Any { .. } => all,
        Part::Class(syntax::Class { is_negated, items }) => {
            let others = if *is_negated { all } else { PART };
            items.iter().map(|item| item_size(*item, variant.is_ascii)).fold(others, u64::saturating_add)
        }
        Part::Repeat(repetition, body) if !variant.is_counted => {
            size(body, variant).saturating_mul(times(repetition.least, repetition.most))
        }
        part => part.children().into_iter().map(|child| size(child, variant)).fold(PART, u64::saturating_add),
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

/// Returns the maximum number of bytes that matter for whether there is a match at a position, apart from those of the
/// match itself; `None` if any may.
///
/// A search for the next match may look far behind its end, such as one for `a(?:.*b)?`, so that the same text is searched
/// for each match. It doesn't if the pattern is a sequence of characters and repetitions of a character that end where the
/// next part begins, such as `"[^"]*"`.
pub(super) fn reach(pattern: &Hir) -> Option<u64> {
    let mut parts = Vec::new();
    flatten(pattern, &mut parts);
    let is_distinct = parts.iter().enumerate().all(|(index, part)| is_distinct(part, &parts[index + 1..]));
    if is_distinct {
        return Some(parts.len() as u64 * CHARACTER);
    }
    let looks = parts.iter().rev().take_while(|part| matches!(part.kind(), HirKind::Look(_))).count();
    parts.truncate(parts.len() - looks);
    // A repetition of a character at the end is the last part of the match.
    let is_repeated =
        |part: &&&Hir| matches!(part.kind(), HirKind::Repetition(repeated) if class(&repeated.sub).is_some());
    let last = parts.last().filter(is_repeated).map(|_| CHARACTER);
    let before = &parts[..parts.len() - usize::from(last.is_some())];
    before.iter().map(|part| length(part)).try_fold(last.unwrap_or(0) + CHARACTER, |sum, part| sum.checked_add(part?))
}

/// Gathers the parts of a sequence. Groups have no effect on a search.
fn flatten<'p>(pattern: &'p Hir, parts: &mut Vec<&'p Hir>) {
    match pattern.kind() {
        HirKind::Concat(inner) => inner.iter().for_each(|part| flatten(part, parts)),
        HirKind::Capture(group) => flatten(&group.sub, parts),
        _ => parts.push(pattern),
    }
}

/// Returns whether a part is a text or repeated character that ends at a single position, whatever follows.
fn is_distinct(part: &Hir, after: &[&Hir]) -> bool {
    match part.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Literal(_) | HirKind::Class(_) => true,
        HirKind::Repetition(repeated) if repeated.max.is_none() || repeated.max <= Some(1) => {
            class(&repeated.sub).is_some_and(|class| after_is_other(&class, after))
        }
        _ => false,
    }
}

/// Returns whether no character of a class can begin the next parts.
fn after_is_other(class: &ClassUnicode, after: &[&Hir]) -> bool {
    for part in after {
        let (first, is_optional) = match part.kind() {
            HirKind::Empty | HirKind::Look(_) => continue,
            HirKind::Repetition(repeated) => (self::class(&repeated.sub), repeated.min == 0),
            _ => (self::class(part), false),
        };
        let Some(mut common) = first else { return false };
        common.intersect(class);
        if !common.ranges().is_empty() {
            return false;
        }
        if !is_optional {
            return true;
        }
    }
    true
}

/// Returns the characters with which a text or a class begins; `None` for others.
fn class(part: &Hir) -> Option<ClassUnicode> {
    match part.kind() {
        HirKind::Class(Class::Unicode(class)) => Some(class.clone()),
        HirKind::Class(Class::Bytes(class)) => class.to_unicode_class(),
        HirKind::Literal(literal) => {
            let first = std::str::from_utf8(&literal.0).ok()?.chars().next()?;
            Some(ClassUnicode::new([ClassUnicodeRange::new(first, first)]))
        }
        _ => None,
    }
}

/// Returns the maximum number of bytes that a part matches or compares; `None` if there is none.
fn length(part: &Hir) -> Option<u64> {
    let sum = |parts: &[Hir]| parts.iter().try_fold(CHARACTER, |sum: u64, part| sum.checked_add(length(part)?));
    match part.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) => Some(CHARACTER),
        HirKind::Literal(literal) => Some(literal.0.len() as u64),
        HirKind::Capture(group) => length(&group.sub),
        HirKind::Repetition(repeated) => length(&repeated.sub)?.checked_mul(u64::from(repeated.max?).max(1)),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => sum(parts),
    }
}
