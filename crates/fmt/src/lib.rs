//! A formatter for YAML that keeps data, comments and line breaks.
//!
//! [`format()`] rewrites indentation, spaces and quotes. Nothing else changes: lines are neither joined nor split,
//! except that the first line after a lone dash is moved to the dash. [`format_in`] can also order keynames.
//!
//! The nodes of the engine have the positions of scalars. The text between them is split into tokens. Each token is
//! assigned a column, and the tokens are put on lines again.
//!
//! The formatted text is read again and must have the same nodes and comments. Otherwise, formatting fails.
//!
//! ```
//! use tosca_parse_fmt::{Options, format};
//!
//! let text = "node_types:\n    Server :  # a host\n        derived_from: 'Root'\n";
//! let formatted = format(text, &Options::default())?;
//! assert_eq!(formatted.apply(text), "node_types:\n  Server: # a host\n    derived_from: \"Root\"\n");
//! # Ok::<(), tosca_parse_fmt::Failure>(())
//! ```

mod layout;
mod lex;
mod new_line;
mod order;
mod same;
mod scalar;
mod switch;
mod walk;

use std::fmt;
use std::ops::Range;

use tosca_parse_engine::ard::{self, Dialect, Document, Documents, Tags};
use tosca_parse_engine::diagnostic::{Diagnostic, Level, SourceId};
use tosca_parse_engine::entity::{Language, VersionWords};
use tosca_parse_engine::symbol::Interner;

use lex::Kind;

/// The style of formatted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The number of spaces by which the values of a map are indented: 2 to 9.
    pub indent: u8,
    /// The quotes of quoted strings.
    pub quotes: Quotes,
    /// The indentation of lists in maps.
    pub lists: Lists,
    /// Whether there are spaces inside brackets: `[ a ]`.
    pub bracket_spacing: bool,
    /// The order of keynames.
    pub keynames: Keynames,
    /// The declared version identifiers of the languages.
    pub versions: VersionWords,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            indent: 2,
            quotes: Quotes::default(),
            lists: Lists::default(),
            bracket_spacing: true,
            keynames: Keynames::default(),
            versions: VersionWords::default(),
        }
    }
}

impl Options {
    fn indent(&self) -> usize {
        usize::from(self.indent.clamp(2, 9))
    }
}

/// The quotes of quoted strings. Strings that would need an escape in other quotes are not changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Quotes {
    /// Double quotes.
    #[default]
    Double,
    /// Single quotes.
    Single,
    /// The quotes of the source.
    Keep,
}

/// The indentation of lists in maps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Lists {
    /// Dashes are to the right of the key.
    #[default]
    Indented,
    /// Dashes are in the column of the key.
    Flush,
}

/// The order of keynames in entities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Keynames {
    /// The order of the source.
    #[default]
    Source,
    /// The order of the language's reference, followed by keys that are not keynames.
    Standard,
}

/// The changes that format a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formatted {
    /// Ranges of the text with their replacements, in order. Each range is one line, the lines of one scalar, or the
    /// blank lines at the beginning or the end. If keynames move, a single range covers all lines that change.
    pub edits: Vec<(Range<usize>, String)>,
}

impl Formatted {
    /// Returns whether the text was already formatted.
    pub fn is_unchanged(&self) -> bool {
        self.edits.is_empty()
    }

    /// Returns the text with all edits applied.
    pub fn apply(&self, text: &str) -> String {
        let mut changed = String::with_capacity(text.len() + text.len() / 8);
        let mut at = 0;
        for (range, new) in &self.edits {
            changed.push_str(&text[at..range.start]);
            changed.push_str(new);
            at = range.end;
        }
        changed.push_str(&text[at..]);
        changed
    }
}

/// The reason why a text can't be formatted.
#[derive(Debug)]
pub enum Failure {
    /// The text is not valid YAML. There is at least one problem. The source of the problems is [`SourceId`] 0.
    Invalid(Vec<Diagnostic>),
    /// The text has a construct that the formatter does not know or would not preserve.
    Unsupported,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(problems) => {
                let first = problems.first().map_or("it can't be read", |problem| &problem.message);
                write!(f, "invalid YAML: {first}")
            }
            Self::Unsupported => f.write_str("formatting would change the data or the comments"),
        }
    }
}

impl std::error::Error for Failure {}

/// Formats YAML text.
///
/// # Errors
///
/// Returns an error if the text is not valid YAML, or if formatting would change its data or comments.
pub fn format(text: &str, options: &Options) -> Result<Formatted, Failure> {
    format_in(None, text, options)
}

/// Formats YAML text and, if the options require it, puts its keynames in the order of the language's descriptions.
///
/// All maps keep their order if the text has several documents, or if it is not certain that it is valid YAML in a
/// known version of the language. A single map keeps its order if reordering could change data or detach a comment:
///
/// - it may be a value rather than a map of keynames;
/// - an alias would come before its anchor, or after another anchor with the same name;
/// - it has a merge key, an explicit key, a key that is not a string, or a string that includes the blank lines after
///   it;
/// - its brackets contain a comment or an entry without a value, or it begins or ends on a line whose comment would end
///   up at a different entry;
/// - an entry with a comment above it would move to the line of a dash, or another entry would move away from the
///   `ignore` comment above a dash;
/// - a part of it is excluded from formatting.
///
/// # Errors
///
/// Returns an error as [`format()`] does.
pub fn format_in(language: Option<&Language>, text: &str, options: &Options) -> Result<Formatted, Failure> {
    without_mark(text, |text| {
        let formatted = run(text, options, None)?;
        match language.filter(|_| options.keynames == Keynames::Standard) {
            Some(language) => order_keynames(formatted, language, text, options),
            None => Ok(formatted),
        }
    })
}

/// Formats text without its byte order mark, if it has one.
fn without_mark(text: &str, format: impl FnOnce(&str) -> Result<Formatted, Failure>) -> Result<Formatted, Failure> {
    let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mark = text.len() - rest.len();
    let mut formatted = format(rest)?;
    for (range, _) in &mut formatted.edits {
        *range = range.start + mark..range.end + mark;
    }
    Ok(formatted)
}

fn order_keynames(
    formatted: Formatted,
    language: &Language,
    text: &str,
    options: &Options,
) -> Result<Formatted, Failure> {
    let once = formatted.apply(text);
    let document = read(&once)?;
    let (tokens, maps) = walk::tokens(&document, options, None).map_err(|_| Failure::Unsupported)?;
    let Some((ordered, orders)) = order::ordered(&document, (&tokens, &maps), language, options) else {
        return Ok(formatted);
    };
    if !order::is_same(&document, &read(&ordered).map_err(|_| Failure::Unsupported)?, &orders) {
        return Err(Failure::Unsupported);
    }
    // Comments that were aligned may no longer be on neighboring lines.
    let new = run(&ordered, options, None)?.apply(&ordered);
    Ok(Formatted { edits: changed_lines(text, &new).into_iter().collect() })
}

/// Returns the change from `old` to `new`, without the lines that both have in common at the beginning and at the end;
/// `None` if they are equal.
fn changed_lines(old: &str, new: &str) -> Option<(Range<usize>, String)> {
    let length = |(line, line_break): &(&str, &str)| line.len() + line_break.len();
    let (before, after): (Vec<_>, Vec<_>) = (lex::lines(old).collect(), lex::lines(new).collect());
    let first = before.iter().zip(&after).take_while(|(old, new)| old == new).count();
    let (rest, new_rest) = (&before[first..], &after[first..]);
    let last = rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    let start: usize = before[..first].iter().map(length).sum();
    let same: usize = rest[rest.len() - last..].iter().map(length).sum();
    (old != new).then(|| (start..old.len() - same, new[start..new.len() - same].to_owned()))
}

/// Formats the lines that the given range of bytes touches. A map or list that continues after the range keeps its
/// column.
///
/// # Errors
///
/// Returns an error as [`format()`] does.
pub fn format_range(text: &str, range: Range<usize>, options: &Options) -> Result<Formatted, Failure> {
    let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (start, end) = (boundary(range.start), boundary(range.end));
    let start = lex::line_start(text, start);
    // A range that ends at the beginning of a line does not touch it.
    let end = if end > start && lex::line_start(text, end) == end { end - 1 } else { end };
    let end = lex::line_end(text, end.max(start));
    let end = end + lex::break_at(&text[end..]);
    without_mark(text, |rest| {
        let mark = text.len() - rest.len();
        run(rest, options, Some(&(start.saturating_sub(mark)..end.saturating_sub(mark))))
    })
}

/// Formats the line before a line that has just been begun, and indents the new line, which contains the given byte, if
/// it is blank. Blank lines before the new line are kept.
///
/// # Errors
///
/// Returns an error as [`format()`] does.
pub fn format_new_line(text: &str, at: usize, options: &Options) -> Result<Formatted, Failure> {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let boundary = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0).max(mark);
    let (start, end) = (lex::line_start(text, boundary), lex::line_end(text, boundary));
    let before = lex::line_before(text, start)
        .filter(|before| !text[*before..start].trim_start_matches('\u{feff}').trim().is_empty());
    let Some(before) = before else { return Ok(Formatted { edits: Vec::new() }) };
    let mut formatted = format_range(text, before..before, options)?;
    // A scalar that continues on the new line keeps its lines, because the user is typing there.
    if formatted.edits.iter().any(|(range, _)| range.end > start) {
        return Ok(Formatted { edits: Vec::new() });
    }
    // The columns depend on the formatted line.
    let length: isize =
        formatted.edits.iter().map(|(range, new)| new.len().cast_signed() - range.len().cast_signed()).sum();
    let new = formatted.apply(text);
    let document = read(&new[mark..])?;
    let at = start.checked_add_signed(length).and_then(|at| at.checked_sub(mark)).unwrap_or(0);
    if let Some(column) = new_line::indentation(&document, at, options)
        && text[start..end] != *" ".repeat(column)
    {
        let edits = formatted.edits.iter().cloned().chain([(start..end, " ".repeat(column))]).collect();
        let indented = Formatted { edits };
        let again = read(&indented.apply(text)[mark..]);
        if again.is_ok_and(|again| same::is_same(&document, &again)) {
            formatted = indented;
        }
    }
    Ok(formatted)
}

fn run(text: &str, options: &Options, range: Option<&Range<usize>>) -> Result<Formatted, Failure> {
    let document = read(text)?;
    let edits = edits(&document, options, range).ok_or(Failure::Unsupported)?;
    let formatted = Formatted { edits };
    if !formatted.is_unchanged() {
        let again = read(&formatted.apply(text)).map_err(|_| Failure::Unsupported)?;
        if !same::is_same(&document, &again) {
            return Err(Failure::Unsupported);
        }
    }
    Ok(formatted)
}

/// Reads a text, which must have no errors.
fn read(text: &str) -> Result<Document, Failure> {
    let dialect = Dialect { tags: Tags::Any, documents: Documents::All, ..Dialect::CORE };
    let limits = ard::Limits { repairs: ard::Limits::FEW_REPAIRS, ..ard::Limits::default() };
    let options = ard::Options { limits, dialect, ..ard::Options::default() };
    let (document, mut problems) = ard::read(SourceId(0), text.into(), &Interner::new(), &options);
    problems.retain(|problem| problem.rule.level == Level::Error);
    if problems.is_empty() && document.is_complete() { Ok(document) } else { Err(Failure::Invalid(problems)) }
}

/// Returns the edits that format a document; `None` if it contains an unknown construct.
fn edits(document: &Document, options: &Options, range: Option<&Range<usize>>) -> Option<Vec<(Range<usize>, String)>> {
    let text = document.text();
    let (tokens, _) = walk::tokens(document, options, range).ok()?;
    let is_in_range = |at: usize| range.is_none_or(|range| range.contains(&at) || at == range.end && at == text.len());
    let mut content = tokens.iter().filter(|token| !token.is_break()).map(|token| token.start);
    let first = content.next().unwrap_or(text.len() + 1);
    let last = content.next_back().unwrap_or(first);
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    layout::lines(text, &tokens, options, |line| {
        let source = line.source;
        if !is_in_range(source.start) {
            return;
        }
        if source.end < first || last < source.start {
            let end = source.end + lex::break_at(&text[source.end..]);
            match edits.last_mut() {
                Some((before, new)) if before.end == source.start && new.is_empty() => before.end = end,
                _ if source.start < end => edits.push((source.start..end, String::new())),
                _ => {}
            }
        } else if text[source.clone()] != line.text {
            edits.push((source, line.text));
        }
    });
    if tokens.last().is_some_and(|last| lacks_break(last, text)) && is_in_range(text.len()) {
        let first_break = text.find(['\n', '\r']).unwrap_or(text.len());
        let line_break = match lex::break_at(&text[first_break..]) {
            0 => "\n",
            length => &text[first_break..first_break + length],
        };
        match edits.last_mut() {
            Some((range, new)) if range.end == text.len() => new.push_str(line_break),
            _ => edits.push((text.len()..text.len(), line_break.to_owned())),
        }
    }
    Some(edits)
}

/// Returns whether a line break should follow the last token of `text`.
fn lacks_break(last: &walk::Token, text: &str) -> bool {
    !(last.is_break() || last.kind == Kind::Block && scalar::lacks_break(&text[last.start..last.end]))
}
