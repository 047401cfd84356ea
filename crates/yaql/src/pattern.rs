//! Regular expressions with the syntax and meaning of Python's `re`.
//!
//! [`parse`] parses one, [`native`] writes it for the engine that runs it, and [`ecma`] writes it for JSON Schemas.

pub mod ecma;
mod native;
mod parse;
mod syntax;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use fancy_regex::{Captures, Regex, RegexBuilder};
use tosca_parse_budget::pattern::Cost;

use self::native::Difference;
use self::syntax::{Part, Tree};
use crate::error::{Error, ErrorKind, Result, regex_error};
use crate::meter::Meter;
use crate::value::Value;

/// The memory for one group in a match, in bytes.
const MATCH: u64 = 64;

/// A compiled regular expression with Python syntax.
pub struct Pattern {
    text: String,
    /// The names of groups and their numbers.
    names: Vec<(Arc<str>, usize)>,
    plain: Program,
    exact: Exact,
}

/// A pattern for the engine.
#[derive(Clone)]
struct Program {
    source: String,
    regex: Regex,
    effort: Effort,
    cost: Cost,
}

/// The program for the few texts in which the plain one differs from Python. It is compiled for the first of them.
struct Exact {
    difference: Difference,
    source: String,
    is_linear: bool,
    program: OnceCell<Result<Program>>,
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Pattern").field(&self.text).finish()
    }
}

/// The cost of a search. It is spent beforehand, because a search can't be stopped.
#[derive(Clone, Copy, Debug)]
enum Effort {
    /// Every character of the text is compared with each position of the pattern at most once.
    Linear,
    /// The pattern has look-around or back-references, so a search may try the same characters repeatedly, each time
    /// with this number of repetitions.
    Backtracking(u64),
}

impl Effort {
    /// Returns the effort of a search and the cost of compiling the pattern.
    fn of(text: &str) -> (Self, Cost) {
        /// The number of states of a class such as `\w`, which may occur anywhere in the pattern.
        const CLASS: u64 = 16;
        if let Ok(hir) = regex_syntax::parse(text) {
            return (Self::Linear, Cost::of(&hir));
        }
        let repetitions = repetitions(text);
        let places = (text.len() as u64).saturating_mul(repetitions);
        (Self::Backtracking(repetitions), Cost { places, states: places.saturating_mul(CLASS) })
    }

    /// Returns the number of steps that a search takes in text of the given length, in bytes.
    fn steps(self, cost: Cost, length: usize) -> u64 {
        const ATTEMPTS: u64 = 64;
        let bytes = length as u64;
        match self {
            Self::Linear => cost.search_steps(length),
            Self::Backtracking(repetitions) => {
                let work = (Self::attempts(length) as u64).saturating_mul(bytes).saturating_mul(repetitions);
                cost.steps().saturating_add(work / ATTEMPTS)
            }
        }
    }

    /// Returns the maximum number of backtracking steps.
    fn attempts(length: usize) -> usize {
        const LEAST: usize = 1000;
        length.saturating_mul(4).saturating_add(LEAST)
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

/// Returns the maximum number of repetitions of a part of a pattern, assuming that all counts in it are nested.
fn repetitions(text: &str) -> u64 {
    let counts = text.split('{').skip(1).filter_map(|rest| {
        let (count, _) = rest.split_once('}')?;
        count.rsplit(',').find(|number| !number.is_empty())?.parse::<u64>().ok()
    });
    counts.fold(1, |product, count| product.saturating_mul(count.max(1)))
}

impl Program {
    fn new(meter: &Meter, source: String, is_linear: bool) -> Result<Self> {
        let (effort, cost) = Effort::of(&source);
        let effort = if is_linear { Effort::Linear } else { effort };
        meter.spend(cost.steps())?;
        meter.budget().bytes(cost.bytes().min(2 * BYTES as u64))?;
        let regex = compile(&source, Effort::attempts(0))?;
        Ok(Self { source, regex, effort, cost })
    }
}

impl Pattern {
    /// Compiles a regular expression.
    pub(crate) fn new(meter: &Meter, text: &str, flags: Flags) -> Result<Self> {
        meter.spend(text.len() as u64)?;
        let tree = parse::parse(text, flags).map_err(|problem| invalid(text, &problem))?;
        let plain = Program::new(meter, native::translate(&tree, false), false)
            .map_err(|error| if error.kind() == ErrorKind::Regex { invalid(text, error.message()) } else { error })?;
        let is_linear = matches!(plain.effort, Effort::Linear) && only_looks_at_end(&tree);
        let exact = Exact {
            difference: Difference::of(&tree),
            source: native::translate(&tree, true),
            is_linear,
            program: OnceCell::new(),
        };
        let names = tree.names.into_iter().map(|(name, number)| (name.into(), number)).collect();
        Ok(Self { text: text.to_owned(), names, plain, exact })
    }

    /// Checks the syntax of a regular expression.
    ///
    /// # Errors
    ///
    /// Returns an error if Python refuses it.
    pub fn check(text: &str) -> Result<()> {
        parse::parse(text, Flags::default()).map(drop).map_err(|problem| invalid(text, &problem))
    }

    /// Returns the pattern as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the group with the given name.
    fn number(&self, name: &str) -> Option<usize> {
        self.names.iter().find(|(other, _)| **other == *name).map(|(_, number)| *number)
    }

    /// Returns the program for a text.
    fn program(&self, meter: &Meter, text: &str) -> Result<&Program> {
        if !self.exact.difference.applies_to(text) {
            return Ok(&self.plain);
        }
        let Exact { source, is_linear, .. } = &self.exact;
        let program = self.exact.program.get_or_init(|| Program::new(meter, source.clone(), *is_linear));
        program.as_ref().map_err(Clone::clone)
    }

    /// Returns the compiled pattern for a text, after charging the steps of one search.
    fn prepared(&self, meter: &Meter, text: &str) -> Result<Cow<'_, Regex>> {
        let program = self.program(meter, text)?;
        meter.spend(program.effort.steps(program.cost, text.len()))?;
        match program.effort {
            Effort::Linear => Ok(Cow::Borrowed(&program.regex)),
            Effort::Backtracking(_) => compile(&program.source, Effort::attempts(text.len())).map(Cow::Owned),
        }
    }

    /// Returns whether the pattern matches anywhere in the text.
    pub(crate) fn is_match(&self, meter: &Meter, text: &str) -> Result<bool> {
        self.prepared(meter, text)?.is_match(text).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &fancy_regex::Error) -> Error {
        regex_error(format!("matching `{}` failed: {error}", self.text))
    }

    /// Returns the first match.
    pub(crate) fn first<'t>(&self, meter: &Meter, text: &'t str) -> Result<Option<Captures<'t, str>>> {
        self.prepared(meter, text)?.captures(text).map_err(|error| self.failed(&error))
    }

    /// Returns successive matches, at most `count` (0: all).
    pub(crate) fn all<'t>(&self, meter: &Meter, text: &'t str, count: usize) -> Result<Vec<Captures<'t, str>>> {
        let limit = if count == 0 { usize::MAX } else { count };
        let regex = self.prepared(meter, text)?;
        let Program { effort, cost, .. } = self.program(meter, text)?;
        let mut found = Vec::new();
        for captures in regex.captures_iter(text).take(limit) {
            let captures = captures.map_err(|error| self.failed(&error))?;
            let end = captures.get(0).map_or(text.len(), |whole| whole.end());
            // Each match keeps its groups in memory.
            meter.budget().has_room(found.len() as u64 * MATCH * self.plain.regex.captures_len() as u64)?;
            found.push(captures);
            meter.spend(effort.steps(*cost, text.len() - end))?;
        }
        Ok(found)
    }

    /// Returns the variables of a match: the whole and its groups by position, and its groups by name.
    pub(crate) fn groups(&self, text: &str, captures: &Captures<'_, str>) -> (Vec<Value>, Vec<(Arc<str>, Value)>) {
        let group = |found: Option<fancy_regex::Match<'_>>| {
            let position = |byte: usize| Value::integer(text[..byte].chars().count());
            let entry = |name: &str, value: Value| (Value::string(name), value);
            match found {
                Some(found) => Value::dict([
                    entry("value", found.as_str().into()),
                    entry("start", position(found.start())),
                    entry("end", position(found.end())),
                ]),
                None => Value::dict([
                    entry("value", Value::Null),
                    entry("start", Value::from(-1_i64)),
                    entry("end", Value::from(-1_i64)),
                ]),
            }
        };
        let positional = captures.iter().map(group).collect();
        let named = self.names.iter().map(|(name, number)| (name.clone(), group(captures.get(*number)))).collect();
        (positional, named)
    }

    /// Splits the text at `count` matches (0: all). The text of groups is kept, as in Python.
    pub(crate) fn split(&self, meter: &Meter, text: &str, count: usize) -> Result<Vec<Value>> {
        let mut parts = Vec::new();
        let mut end = 0;
        for captures in self.all(meter, text, count)? {
            let Some(whole) = captures.get(0) else { continue };
            parts.push(Value::from(&text[end..whole.start()]));
            parts.extend(captures.iter().skip(1).map(|group| group.map_or(Value::Null, |group| group.as_str().into())));
            end = whole.end();
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
        count: usize,
        mut by: impl FnMut(&Captures<'_, str>) -> Result<String>,
    ) -> Result<String> {
        let mut replaced = String::new();
        let mut end = 0;
        for captures in self.all(meter, text, count)? {
            let Some(whole) = captures.get(0) else { continue };
            replaced.push_str(&text[end..whole.start()]);
            replaced.push_str(&by(&captures)?);
            meter.fits(replaced.len() as u64)?;
            end = whole.end();
        }
        replaced.push_str(&text[end..]);
        Ok(replaced)
    }
}

/// The maximum number of bytes of a compiled pattern.
const BYTES: usize = 1 << 20;

fn compile(source: &str, attempts: usize) -> Result<Regex> {
    const CACHE: usize = 256 << 10;
    RegexBuilder::new(source)
        .backtrack_limit(attempts)
        .delegate_size_limit(BYTES)
        .delegate_dfa_size_limit(CACHE)
        .build()
        .map_err(|error| regex_error(error.to_string()))
}

fn invalid(text: &str, problem: &str) -> Error {
    regex_error(format!("`{text}` is not a regular expression: {problem}"))
}

/// Returns whether the exact pattern has no other look-around than one at its end, which takes no backtracking.
fn only_looks_at_end(tree: &Tree) -> bool {
    let looks = |part: &Part| matches!(part, Part::End { multi_line: false } | Part::Boundary { .. });
    match &tree.root {
        Part::Sequence(parts) => match parts.split_last() {
            Some((Part::End { .. }, before)) => !before.iter().any(|part| part.has(&looks)),
            _ => false,
        },
        root => matches!(root, Part::End { .. }),
    }
}

/// Expands a Python template, in which `\1` and `\g<name>` are groups.
pub(crate) fn expand(template: &str, pattern: &Pattern, captures: &Captures<'_, str>) -> Result<String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let (piece, length) = escape(&rest[at + 1..], pattern, captures)?;
        text.push_str(&piece);
        rest = &rest[at + 1 + length..];
    }
    text.push_str(rest);
    Ok(text)
}

fn escape(text: &str, pattern: &Pattern, captures: &Captures<'_, str>) -> Result<(String, usize)> {
    let group =
        |group: Option<fancy_regex::Match<'_>>| group.map_or_else(String::new, |group| group.as_str().to_owned());
    let digits = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
    if let Ok(number) = text[..digits].parse::<usize>() {
        if number >= captures.len() {
            return Err(regex_error(format!("invalid group reference {number}")));
        }
        return Ok((group(captures.get(number)), digits));
    }
    if let Some(name) = text.strip_prefix("g<").and_then(|rest| rest.split_once('>')).map(|(name, _)| name) {
        let number = name.parse().ok().or_else(|| pattern.number(name)).filter(|number| *number < captures.len());
        let number = number.ok_or_else(|| regex_error(format!("there is no group `{name}`")))?;
        return Ok((group(captures.get(number)), name.len() + 3));
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
