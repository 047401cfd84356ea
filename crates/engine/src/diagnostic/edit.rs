//! Edits that fix problems.
//!
//! Help that names the exact text to write describes a fix. The edit replaces the text at the position of the problem,
//! but only if that text is a single scalar. A name is replaced only if the message contains it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Diagnostic, Fix, SourceId, Span};
use crate::text::Sources;

/// Whether an edit needs review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Safety {
    /// The intended change is certain.
    Safe,
    /// A different change may have been intended.
    Unsafe,
}

/// A replacement of text in a source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edit {
    /// The replaced span; empty for an insertion.
    pub span: Span,
    /// The new text.
    pub text: String,
    /// Whether the edit needs review.
    pub safety: Safety,
}

impl PartialOrd for Span {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Span {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.source, self.start, self.end).cmp(&(other.source, other.start, other.end))
    }
}

/// Rules about fixed words in the language. For these, the most similar word is almost certainly the intended one,
/// while names that authors choose may be similar to each other.
const WORDS: [&str; 5] = ["T1201", "T1202", "T1203", "T1313", "T1314"];

impl Edit {
    /// Returns an edit that inserts text and needs review.
    pub fn insertion(source: SourceId, at: u32, text: impl Into<String>) -> Self {
        Self { span: Span { source, start: at, end: at }, text: text.into(), safety: Safety::Unsafe }
    }

    /// Returns an edit that replaces the scalar `written` with `word`, keeping the quotes.
    pub fn word(span: Span, written: &str, word: &str) -> Option<Self> {
        let text = Token::of(written)?.with(word)?;
        Some(Self { span, text, safety: Safety::Unsafe })
    }

    /// Returns the edit that the help of a problem describes.
    pub(crate) fn of(problem: &Diagnostic, sources: &Sources) -> Option<Self> {
        let fix = problem.fix.as_deref()?;
        let text = sources.get(problem.span.source)?.text();
        let written = text.get(problem.span.start as usize..problem.span.end as usize)?;
        let token = Token::of(written)?;
        let (text, safety) = match fix {
            Fix::Name(name) => {
                // The edit requires that the message contains exactly the name at the position.
                problem.message.contains(&format!("`{}`", token.content)).then_some(())?;
                let safety = if WORDS.contains(&problem.rule.code) { Safety::Safe } else { Safety::Unsafe };
                (token.with(name)?, safety)
            }
            Fix::Text(text) => {
                let is_same = text.eq_ignore_ascii_case(token.content);
                (text.to_string(), if is_same { Safety::Safe } else { Safety::Unsafe })
            }
            Fix::Quoted(quoted) => {
                let is_same = token.quote.is_none() && quoted.trim_matches('"') == token.content;
                (quoted.to_string(), if is_same { Safety::Safe } else { Safety::Unsafe })
            }
            Fix::Unquoted => {
                token.quote.filter(|_| is_plain(token.content))?;
                (token.content.to_owned(), Safety::Safe)
            }
        };
        (text != written).then_some(Self { span: problem.span, text, safety })
    }
}

/// A scalar on one line.
struct Token<'a> {
    quote: Option<char>,
    content: &'a str,
}

impl<'a> Token<'a> {
    fn of(written: &'a str) -> Option<Self> {
        if written.is_empty() || written.contains(['\n', '\r', '\\']) {
            return None;
        }
        let quote = written.chars().next().filter(|first| ['"', '\''].contains(first));
        let content = match quote {
            Some(quote) => written.strip_prefix(quote)?.strip_suffix(quote)?,
            None => written,
        };
        let is_one = match quote {
            Some(quote) => !content.contains(quote),
            None => {
                let is_marked = written.starts_with(['{', '[', '&', '*', '!', '|', '>', '-']);
                (!is_marked || written.parse::<i64>().is_ok()) && !written.contains(": ")
            }
        };
        is_one.then_some(Self { quote, content })
    }

    /// Returns the given content in the quotes of the scalar; `None` if it would need escapes.
    fn with(&self, content: &str) -> Option<String> {
        match self.quote {
            Some(quote) => (!content.contains([quote, '\\'])).then(|| format!("{quote}{content}{quote}")),
            None if is_plain(content) => Some(content.to_owned()),
            None => (!content.contains(['"', '\\'])).then(|| format!("\"{content}\"")),
        }
    }
}

/// Returns whether `text` can be written unquoted anywhere, even between brackets.
pub(crate) fn is_plain(text: &str) -> bool {
    let is_inner = |character: char| character.is_alphanumeric() || "_-./$+:".contains(character);
    text.starts_with(|first: char| first.is_alphanumeric() || "_$+-.".contains(first))
        && text.chars().all(is_inner)
        && !text.ends_with(':')
        && !text.starts_with("---")
        && !matches!(text, "-" | "...")
}

/// The spans that groups of edits replace, so that several groups can be applied together. A group is applied as a
/// whole or not at all: a group that overlaps an earlier one is left for the next parse.
#[derive(Clone, Debug, Default)]
pub struct AppliedEdits {
    /// The start and end of each span. The spans do not overlap.
    places: BTreeMap<(SourceId, u32), u32>,
}

impl AppliedEdits {
    /// Adds the spans of a group unless it overlaps an earlier group. Returns whether they were added.
    pub fn take(&mut self, group: &[Edit]) -> bool {
        let is_free = |Span { source, start, end }: Span| {
            let before = self.places.range((source, 0)..=(source, end)).next_back();
            before.is_none_or(|(_, taken_to)| *taken_to < start)
        };
        if !group.iter().all(|edit| is_free(edit.span)) {
            return false;
        }
        for Span { source, start, end } in group.iter().map(|edit| edit.span) {
            let taken_to = self.places.entry((source, start)).or_default();
            *taken_to = end.max(*taken_to);
        }
        true
    }
}

/// Applies edits to `text`. If edits overlap, only the first one is applied.
pub fn apply<'e>(text: &str, edits: impl IntoIterator<Item = &'e Edit>) -> String {
    let mut edits: Vec<&Edit> = edits.into_iter().collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut changed = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        let Some(before) = text.get(done..start) else { continue };
        if start > end || !text.is_char_boundary(end) {
            continue;
        }
        changed.push_str(before);
        changed.push_str(&edit.text);
        done = end;
    }
    changed + &text[done..]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::diagnostic::Help;
    use crate::rules::{UNKNOWN_KEYNAME, UNKNOWN_NAME};
    use crate::text::Source;

    fn fixed(text: &str, part: &str, message: &str, help: Help) -> Option<(String, Safety)> {
        let sources: Sources = [Source::new(SourceId(0), "a.yaml", text)].into_iter().collect();
        let start = text.find(part).unwrap() as u32;
        let span = Span { source: SourceId(0), start, end: start + part.len() as u32 };
        let rule = if help.text().ends_with('?') { &UNKNOWN_KEYNAME } else { &UNKNOWN_NAME };
        let problem = Diagnostic::new(rule, span, message).with_help("look").with_help(help);
        let edit = Edit::of(&problem, &sources)?;
        Some((apply(text, [&edit]), edit.safety))
    }

    #[test]
    fn help_with_a_text_becomes_an_edit() {
        use Safety::{Safe, Unsafe};
        for (text, part, message, help, expected) in [
            ("tpye: A", "tpye", "keyname `tpye`", Help::did_you_mean("type"), Some(("type: A", Safe))),
            ("\"tpye\": A", "\"tpye\"", "keyname `tpye`", Help::did_you_mean("type"), Some(("\"type\": A", Safe))),
            ("a: [ b ]", "b", "`b` is no c", Help::did_you_mean("c d"), Some(("a: [ \"c d\" ]", Safe))),
            ("a: yes", "yes", "not a boolean", Help::write("true"), Some(("a: true", Unsafe))),
            ("a: 1.10", "1.10", "a number", Help::quote("1.10"), Some(("a: \"1.10\"", Safe))),
            ("a: '80'", "'80'", "a string", Help::unquote(), Some(("a: 80", Safe))),
            ("a: '8 : 0'", "'8 : 0'", "a string", Help::unquote(), None),
            ("a: { b: c }", "{ b: c }", "`b`", Help::did_you_mean("c"), None),
            ("tpye: A", "tpye", "something else", Help::did_you_mean("type"), None),
            ("a: b", "b", "`b`", Help::write("c: …"), None),
            ("a: b", "b", "`b`", Help::write("b"), None),
            ("a: b", "b", "`b`", "write `c`".into(), None),
            ("a: x.B", "x.B", "no `x.B`", Help::called("B"), Some(("a: B", Unsafe))),
        ] {
            let fixed = fixed(text, part, message, help.clone());
            assert_eq!(fixed.as_ref().map(|(text, safety)| (&**text, *safety)), expected, "{text}: {help}");
        }
    }

    fn edit(start: u32, end: u32, text: &str) -> Edit {
        let span = Span { source: SourceId(0), start, end };
        Edit { span, text: text.to_owned(), safety: Safety::Safe }
    }

    #[test]
    fn groups_are_applied_as_a_whole_or_wait() {
        let groups = [
            vec![edit(0, 0, "import"), edit(8, 9, "A")],
            vec![edit(0, 0, "import"), edit(5, 6, "B")],
            vec![edit(2, 2, "[ "), edit(4, 4, " ]")],
            vec![edit(9, 10, "touches")],
            vec![edit(5, 6, "C")],
        ];
        let mut taken = AppliedEdits::default();
        assert_eq!(groups.map(|group| taken.take(&group)), [true, false, true, false, true]);
    }

    #[test]
    fn overlapping_edits_are_not_all_applied() {
        let edits = [edit(4, 6, "X"), edit(0, 2, "ü"), edit(5, 7, "Y"), edit(9, 9, "!"), edit(40, 41, "?")];
        assert_eq!(apply("012345678", &edits), "ü23X678!");
    }
}
