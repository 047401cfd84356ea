//! Regular expressions with the syntax and meaning of Python's `re`.
//!
//! [`parse`] parses one, [`native`] writes it for the engine that runs it, and [`ecma`] writes it for JSON Schemas.

pub mod ecma;
mod native;
mod parse;
mod program;
mod reach;
mod syntax;
mod work;

#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use tosca_parse_budget::pattern::{Matches, Search};

use self::native::{Difference, Variant};
use self::program::{MAX_SIZE, Program};
use self::syntax::{Manner, Part, Tree};
use crate::error::{Error, ErrorKind, Result, regex_error};
use crate::meter::Meter;
use crate::value::Value;

/// The memory for one group in a match, in bytes.
const GROUP: u64 = 64;

/// A match in a text.
#[derive(Debug)]
pub(crate) struct Match<'t> {
    text: &'t str,
    /// The range of the whole match, and those of its groups; `None` for groups that take no part in it.
    groups: Vec<Option<Range<usize>>>,
}

impl<'t> Match<'t> {
    /// Returns the range of the whole match.
    fn whole(&self) -> Range<usize> {
        self.groups.first().cloned().flatten().unwrap_or_default()
    }

    /// Returns the text of the whole match.
    pub(crate) fn text(&self) -> &'t str {
        &self.text[self.whole()]
    }

    /// Returns the text of a group; `None` if it takes no part in the match.
    fn group(&self, number: usize) -> Option<&'t str> {
        self.groups.get(number)?.clone().map(|range| &self.text[range])
    }

    /// Returns the number of groups and the whole.
    pub(crate) fn len(&self) -> usize {
        self.groups.len()
    }
}

/// A compiled regular expression with Python syntax.
pub struct Pattern {
    text: String,
    tree: Tree,
    difference: Difference,
    /// Whether an empty match may be preferred to another at the same position.
    prefers_empty: bool,
    /// Whether a program for all characters is too large unless it counts its repetitions.
    is_large: bool,
    /// The programs by [`Variant::index`], each compiled for the first text that needs it. Most of them never are.
    programs: [OnceCell<Result<Program>>; Variant::COUNT],
    names: Vec<(Arc<str>, usize)>,
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Pattern").field(&self.text).finish()
    }
}

/// The flags of a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Flags {
    pub(crate) ignore_case: bool,
    pub(crate) multi_line: bool,
    pub(crate) dot_all: bool,
    /// Whether whitespace and comments in the pattern have no meaning.
    pub(crate) verbose: bool,
    /// Whether `\w`, `\d`, `\s` and `\b` are limited to ASCII.
    pub(crate) ascii: bool,
}

impl Pattern {
    /// Compiles a regular expression.
    pub(crate) fn new(meter: &Meter, text: &str, flags: Flags) -> Result<Self> {
        meter.spend(text.len() as u64)?;
        let mut tree = parse::parse(text, flags).map_err(|problem| invalid(text, &problem))?;
        let names = std::mem::take(&mut tree.names).into_iter().map(|(name, number)| (name.into(), number)).collect();
        let difference = Difference::of(&tree);
        let prefers_empty = tree.root.has(&|part| match part {
            Part::Alternation(_) | Part::Conditional { .. } => true,
            Part::Repeat(repetition, _) => repetition.manner == Manner::Lazy,
            _ => false,
        });
        let is_large = reach::size(&tree.root, Variant::default()) > MAX_SIZE;
        let programs = std::array::from_fn(|_| OnceCell::new());
        let pattern = Self { text: text.to_owned(), tree, difference, prefers_empty, is_large, programs, names };
        pattern.program(meter, Variant { is_ascii: true, ..Variant::default() })?;
        Ok(pattern)
    }

    /// Checks a regular expression.
    ///
    /// # Errors
    ///
    /// Returns an error if Python refuses it or if it is too large.
    pub fn check(text: &str) -> Result<()> {
        let tree = parse::parse(text, Flags::default()).map_err(|problem| invalid(text, &problem))?;
        let smallest = Variant { is_ascii: true, ..Variant::default() };
        program::check_size(&tree, smallest).map_err(|error| named(text, &error))?;
        Ok(())
    }

    /// Returns the pattern as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the group with the given name.
    fn number(&self, name: &str) -> Option<usize> {
        self.names.iter().find(|(other, _)| **other == *name).map(|(_, number)| *number)
    }

    /// Returns the program for texts of a kind.
    fn program(&self, meter: &Meter, variant: Variant) -> Result<&Program> {
        let program = self.programs[variant.index()].get_or_init(|| {
            Program::new(meter, &self.tree, variant).map_err(|error| match error.kind() {
                ErrorKind::Regex => named(&self.text, &error),
                _ => error,
            })
        });
        program.as_ref().map_err(Clone::clone)
    }

    /// Returns the kind of a text.
    fn variant(&self, text: &str) -> Variant {
        let is_ascii = text.is_ascii();
        let is_exact = self.difference.applies_to(text);
        Variant { is_exact, is_ascii, is_counted: self.is_large && !is_ascii, not_empty: false }
    }

    /// Returns whether the pattern matches anywhere in the text.
    pub(crate) fn is_match(&self, meter: &Meter, text: &str) -> Result<bool> {
        self.program(meter, self.variant(text))?.is_match(meter, text)
    }

    /// Returns the first match.
    pub(crate) fn first<'t>(&self, meter: &Meter, text: &'t str) -> Result<Option<Match<'t>>> {
        self.program(meter, self.variant(text))?.find(meter, text, 0)
    }

    /// Returns successive matches, at most `count` (0: all). A negative count is none, as in Python.
    pub(crate) fn all<'t>(&self, meter: &Meter, text: &'t str, count: i64) -> Result<Vec<Match<'t>>> {
        let limit = if count == 0 { usize::MAX } else { usize::try_from(count).unwrap_or(0) };
        let variant = self.variant(text);
        let program = self.program(meter, variant)?;
        let mut found = Vec::new();
        let mut matches = Matches::new(text);
        while found.len() < limit {
            let next = matches.next(|search| {
                let next = match search {
                    Search::From(from) => program.find(meter, text, from),
                    Search::NotEmptyAt(from) if self.prefers_empty => {
                        let program = self.program(meter, Variant { not_empty: true, ..variant })?;
                        program.find_at(meter, text, from)
                    }
                    Search::NotEmptyAt(_) => Ok(None),
                };
                Ok::<_, Error>(next?.map(|next| {
                    let whole = next.whole();
                    (next, whole)
                }))
            })?;
            let Some(next) = next else { break };
            // Each match keeps its groups in memory.
            meter.budget().has_room(found.len() as u64 * GROUP * next.groups.len() as u64)?;
            found.push(next);
        }
        Ok(found)
    }

    /// Returns the variables of a match: the whole and its groups by position, and its groups by name.
    pub(crate) fn groups(&self, found: &Match<'_>) -> (Vec<Value>, Vec<(Arc<str>, Value)>) {
        let group = |range: Option<&Range<usize>>| {
            let position = |byte: usize| Value::integer(found.text[..byte].chars().count());
            let entry = |name: &str, value: Value| (Value::string(name), value);
            match range {
                Some(range) => Value::dict([
                    entry("value", found.text[range.clone()].into()),
                    entry("start", position(range.start)),
                    entry("end", position(range.end)),
                ]),
                None => Value::dict([
                    entry("value", Value::Null),
                    entry("start", Value::from(-1_i64)),
                    entry("end", Value::from(-1_i64)),
                ]),
            }
        };
        let positional = found.groups.iter().map(|range| group(range.as_ref())).collect();
        let range = |number: usize| found.groups.get(number).and_then(Option::as_ref);
        let named = self.names.iter().map(|(name, number)| (name.clone(), group(range(*number)))).collect();
        (positional, named)
    }

    /// Splits the text at `count` matches (0: all). The text of groups is kept, as in Python.
    pub(crate) fn split(&self, meter: &Meter, text: &str, count: i64) -> Result<Vec<Value>> {
        let mut parts = Vec::new();
        let mut end = 0;
        for found in self.all(meter, text, count)? {
            let whole = found.whole();
            parts.push(Value::from(&text[end..whole.start]));
            parts.extend((1..found.len()).map(|number| found.group(number).map_or(Value::Null, Value::from)));
            end = whole.end;
        }
        parts.push(Value::from(&text[end..]));
        meter.check_parts(parts.len())?;
        Ok(parts)
    }

    /// Replaces `count` matches (0: all).
    pub(crate) fn replace(
        &self,
        meter: &Meter,
        text: &str,
        count: i64,
        mut by: impl FnMut(&Match<'_>) -> Result<String>,
    ) -> Result<String> {
        let mut replaced = String::new();
        let mut end = 0;
        for found in self.all(meter, text, count)? {
            let whole = found.whole();
            replaced.push_str(&text[end..whole.start]);
            replaced.push_str(&by(&found)?);
            meter.fits(replaced.len() as u64)?;
            end = whole.end;
        }
        replaced.push_str(&text[end..]);
        Ok(replaced)
    }
}

/// Returns an error with the pattern in its message.
fn named(text: &str, error: &Error) -> Error {
    regex_error(format!("`{text}` {}", error.message()))
}

fn invalid(text: &str, problem: &str) -> Error {
    regex_error(format!("`{text}` is not a regular expression: {problem}"))
}

/// Expands a Python template, in which `\1` and `\g<name>` are groups.
pub(crate) fn expand(template: &str, pattern: &Pattern, found: &Match<'_>) -> Result<String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let (piece, length) = escape(&rest[at + 1..], pattern, found)?;
        text.push_str(&piece);
        rest = &rest[at + 1 + length..];
    }
    text.push_str(rest);
    Ok(text)
}

fn escape(text: &str, pattern: &Pattern, found: &Match<'_>) -> Result<(String, usize)> {
    let group = |number: usize| found.group(number).unwrap_or_default().to_owned();
    let octals = text.bytes().take(3).take_while(|digit| matches!(digit, b'0'..=b'7')).count();
    if text.starts_with('0') || octals == 3 {
        let number = u32::from_str_radix(&text[..octals], 8).ok().filter(|number| *number <= 0o377);
        let character = number.and_then(char::from_u32);
        let character = character
            .ok_or_else(|| regex_error(format!("the octal number `\\{}` is greater than `\\377`", &text[..octals])))?;
        return Ok((character.to_string(), octals));
    }
    let digits = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
    if let Ok(number) = text[..digits].parse::<usize>() {
        if number >= found.len() {
            return Err(regex_error(format!("invalid group reference {number}")));
        }
        return Ok((group(number), digits));
    }
    if let Some(name) = text.strip_prefix("g<").and_then(|rest| rest.split_once('>')).map(|(name, _)| name) {
        let number = name.parse().ok().or_else(|| pattern.number(name)).filter(|number| *number < found.len());
        let number = number.ok_or_else(|| regex_error(format!("there is no group `{name}`")))?;
        return Ok((group(number), name.len() + 3));
    }
    let Some(character) = text.chars().next() else {
        return Err(regex_error("bad escape (end of pattern)"));
    };
    let meaning = match character {
        'n' => "\n".to_owned(),
        't' => "\t".to_owned(),
        'r' => "\r".to_owned(),
        '\\' => "\\".to_owned(),
        'a' => "\x07".to_owned(),
        'f' => "\x0c".to_owned(),
        'v' => "\x0b".to_owned(),
        _ if character.is_ascii_alphabetic() => return Err(regex_error(format!("unknown escape `\\{character}`"))),
        _ => format!("\\{character}"),
    };
    Ok((meaning, character.len_utf8()))
}

/// Escapes all characters that have a meaning in regular expressions.
pub(crate) fn escape_all(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if "()[]{}?*+-|^$\\.&~# \t\n\r\x0b\x0c".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
