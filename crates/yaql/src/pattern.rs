//! Regular expressions.

use std::borrow::Cow;

use fancy_regex::{Captures, Regex, RegexBuilder};
use tosca_parse_budget::pattern::Cost;

use crate::error::{Error, Result, regex_error};
use crate::meter::Meter;
use crate::value::Value;

/// The memory for one group in a match, in bytes.
const MATCH: u64 = 64;

/// A compiled regular expression with Python syntax.
pub struct Pattern {
    text: String,
    flags: Flags,
    regex: Regex,
    effort: Effort,
    cost: Cost,
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
    fn of(text: &str, flags: Flags) -> (Self, Cost) {
        /// The number of states of a class such as `\w`, which may occur anywhere in the pattern.
        const CLASS: u64 = 16;
        let parsed = regex_syntax::ParserBuilder::new()
            .case_insensitive(flags.ignore_case)
            .multi_line(flags.multi_line)
            .dot_matches_new_line(flags.dot_all)
            .build()
            .parse(text);
        if let Ok(hir) = parsed {
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
}

/// Returns the maximum number of repetitions of a part of a pattern, assuming that all counts in it are nested.
fn repetitions(text: &str) -> u64 {
    let counts = text.split('{').skip(1).filter_map(|rest| {
        let (count, _) = rest.split_once('}')?;
        count.rsplit(',').find(|number| !number.is_empty())?.parse::<u64>().ok()
    });
    counts.fold(1, |product, count| product.saturating_mul(count.max(1)))
}

impl Pattern {
    /// Compiles a regular expression.
    pub(crate) fn new(meter: &Meter, text: &str, flags: Flags) -> Result<Self> {
        meter.spend(text.len() as u64)?;
        let (effort, cost) = Effort::of(text, flags);
        meter.spend(cost.steps())?;
        meter.budget().bytes(cost.bytes().min(2 * BYTES as u64))?;
        let regex = compile(text, flags, Effort::attempts(0))?;
        Ok(Self { text: text.to_owned(), flags, regex, effort, cost })
    }

    /// Returns the pattern as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the compiled pattern, after charging the steps of one search.
    fn prepared(&self, meter: &Meter, length: usize) -> Result<Cow<'_, Regex>> {
        meter.spend(self.effort.steps(self.cost, length))?;
        match self.effort {
            Effort::Linear => Ok(Cow::Borrowed(&self.regex)),
            Effort::Backtracking(_) => compile(&self.text, self.flags, Effort::attempts(length)).map(Cow::Owned),
        }
    }

    /// Returns whether the pattern matches anywhere in the text.
    pub(crate) fn is_match(&self, meter: &Meter, text: &str) -> Result<bool> {
        self.prepared(meter, text.len())?.is_match(text).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &fancy_regex::Error) -> Error {
        regex_error(format!("matching `{}` failed: {error}", self.text))
    }

    /// Returns the first match.
    pub(crate) fn first<'t>(&self, meter: &Meter, text: &'t str) -> Result<Option<Captures<'t, str>>> {
        self.prepared(meter, text.len())?.captures(text).map_err(|error| self.failed(&error))
    }

    /// Returns successive matches, at most `count` (0: all).
    pub(crate) fn all<'t>(&self, meter: &Meter, text: &'t str, count: usize) -> Result<Vec<Captures<'t, str>>> {
        let limit = if count == 0 { usize::MAX } else { count };
        let regex = self.prepared(meter, text.len())?;
        let mut found = Vec::new();
        for captures in regex.captures_iter(text).take(limit) {
            let captures = captures.map_err(|error| self.failed(&error))?;
            let end = captures.get(0).map_or(text.len(), |whole| whole.end());
            // Each match keeps its groups in memory.
            meter.budget().has_room(found.len() as u64 * MATCH * self.regex.captures_len() as u64)?;
            found.push(captures);
            meter.spend(self.effort.steps(self.cost, text.len() - end))?;
        }
        Ok(found)
    }

    /// Returns the variables of a match: the whole and its groups by position, and its groups by name.
    pub(crate) fn groups(
        &self,
        text: &str,
        captures: &Captures<'_, str>,
    ) -> (Vec<Value>, Vec<(std::sync::Arc<str>, Value)>) {
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
        let names = self.regex.capture_names().enumerate();
        let named = names.filter_map(|(index, name)| Some((name?.into(), group(captures.get(index))))).collect();
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

fn compile(text: &str, flags: Flags, attempts: usize) -> Result<Regex> {
    const CACHE: usize = 256 << 10;
    RegexBuilder::new(&text.replace("\\Z", "\\z"))
        .case_insensitive(flags.ignore_case)
        .multi_line(flags.multi_line)
        .dot_matches_new_line(flags.dot_all)
        .backtrack_limit(attempts)
        .delegate_size_limit(BYTES)
        .delegate_dfa_size_limit(CACHE)
        .build()
        .map_err(|error| regex_error(format!("`{text}` is not a regular expression: {error}")))
}

/// Expands a Python template, in which `\1` and `\g<name>` are groups.
pub(crate) fn expand(template: &str, captures: &Captures<'_, str>) -> Result<String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let (piece, length) = escape(&rest[at + 1..], captures)?;
        text.push_str(&piece);
        rest = &rest[at + 1 + length..];
    }
    text.push_str(rest);
    Ok(text)
}

fn escape(text: &str, captures: &Captures<'_, str>) -> Result<(String, usize)> {
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
        let found = name.parse().map_or_else(|_| captures.name(name), |number: usize| captures.get(number));
        return Ok((group(found), name.len() + 3));
    }
    let Some(character) = text.chars().next() else {
        return Err(regex_error("bad escape (end of pattern)"));
    };
    let meaning = match character {
        'n' => "\n".to_owned(),
        't' => "\t".to_owned(),
        'r' => "\r".to_owned(),
        '\\' => "\\".to_owned(),
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
