//! Regular expressions.

use fancy_regex::{Captures, Regex, RegexBuilder};

use crate::error::{Error, Result, regex_error};
use crate::value::Value;

/// A compiled regular expression, with the syntax of Python.
pub struct Pattern {
    text: String,
    regex: Regex,
}

/// How a pattern matches.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flags {
    pub(crate) ignore_case: bool,
    pub(crate) multi_line: bool,
    pub(crate) dot_all: bool,
}

impl Pattern {
    /// Compiles a regular expression.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Regex`](crate::ErrorKind::Regex) if it is none.
    pub fn new(text: &str) -> Result<Self> {
        Self::with_flags(text, Flags::default())
    }

    pub(crate) fn with_flags(text: &str, flags: Flags) -> Result<Self> {
        const STEPS: usize = 100_000;
        const BYTES: usize = 1 << 20;
        let regex = RegexBuilder::new(&text.replace("\\Z", "\\z"))
            .case_insensitive(flags.ignore_case)
            .multi_line(flags.multi_line)
            .dot_matches_new_line(flags.dot_all)
            .backtrack_limit(STEPS)
            .delegate_size_limit(BYTES)
            .build()
            .map_err(|error| regex_error(format!("`{text}` is no regular expression: {error}")))?;
        Ok(Self { text: text.to_owned(), regex })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it matches a part of the text.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Regex`](crate::ErrorKind::Regex) if that takes too many steps.
    pub fn is_match(&self, text: &str) -> Result<bool> {
        self.regex.is_match(text).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &fancy_regex::Error) -> Error {
        regex_error(format!("matching `{}` failed: {error}", self.text))
    }

    /// The first match.
    pub(crate) fn first<'t>(&self, text: &'t str) -> Result<Option<Captures<'t, str>>> {
        self.regex.captures(text).map_err(|error| self.failed(&error))
    }

    /// Matches one after the other, at most so many (0: all).
    pub(crate) fn all<'t>(&self, text: &'t str, count: usize) -> Result<Vec<Captures<'t, str>>> {
        let limit = if count == 0 { usize::MAX } else { count };
        let captures = self.regex.captures_iter(text).take(limit);
        captures.collect::<std::result::Result<_, _>>().map_err(|error| self.failed(&error))
    }

    /// What expressions see of a match: all of it and its groups by position, and its groups by name.
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

    /// Splits a text at all matches, or so many (0: all). What groups match stays, as in Python.
    pub(crate) fn split(&self, text: &str, count: usize) -> Result<Vec<Value>> {
        let mut parts = Vec::new();
        let mut end = 0;
        for captures in self.all(text, count)? {
            let Some(whole) = captures.get(0) else { continue };
            parts.push(Value::from(&text[end..whole.start()]));
            parts.extend(captures.iter().skip(1).map(|group| group.map_or(Value::Null, |group| group.as_str().into())));
            end = whole.end();
        }
        parts.push(Value::from(&text[end..]));
        Ok(parts)
    }

    /// Replaces all matches, or so many (0: all).
    pub(crate) fn replace(
        &self,
        text: &str,
        count: usize,
        mut by: impl FnMut(&Captures<'_, str>) -> Result<String>,
    ) -> Result<String> {
        let mut replaced = String::new();
        let mut end = 0;
        for captures in self.all(text, count)? {
            let Some(whole) = captures.get(0) else { continue };
            replaced.push_str(&text[end..whole.start()]);
            replaced.push_str(&by(&captures)?);
            end = whole.end();
        }
        replaced.push_str(&text[end..]);
        Ok(replaced)
    }
}

/// What a template of Python stands for: `\1` and `\g<name>` are groups.
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

/// The text with everything escaped that has a meaning in regular expressions.
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
