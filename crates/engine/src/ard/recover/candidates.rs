//! Candidates for repairs: the lines that the author may have intended in place of invalid YAML.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use super::{brackets, flow, joined, stray};
use crate::ard::quote::ticked;

/// A replacement of some lines.
#[derive(Debug, Default)]
pub(super) struct Candidate {
    /// The indexes of the lines to replace, with their replacements. Sorted before they are applied. A replacement with line breaks divides the line.
    pub(super) lines: Vec<(usize, String)>,
    /// The indexes of lines that are left out. They are replaced by empty lines.
    pub(super) omitted: Range<usize>,
    /// Help for the author, used if there is no better help.
    pub(super) help: Option<String>,
    /// Whether the replacement omits content.
    pub(super) is_shortened: bool,
    /// The mistake, reported in place of the error if that is on a different line.
    pub(super) mistake: Option<Mistake>,
    /// The lines and columns whose intended meaning is unknown.
    pub(super) unclear: Vec<(usize, Range<usize>)>,
    /// The column at which the only replaced line is divided.
    pub(super) divided_at: Option<usize>,
    /// The number of problems that the repair hides.
    pub(super) hidden: usize,
}

/// A mistake and its place.
#[derive(Debug)]
pub(super) struct Mistake {
    pub(super) line: usize,
    pub(super) columns: Range<usize>,
    pub(super) message: String,
    /// Whether it is reported even if the error is on the same line.
    pub(super) is_certain: bool,
}

impl Candidate {
    pub(super) fn line(number: usize, line: String, help: impl Into<String>) -> Self {
        Self { lines: vec![(number, line)], help: Some(help.into()), ..Self::default() }
    }

    /// Sets the mistake.
    pub(super) fn about(self, line: usize, columns: Range<usize>, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { mistake: Some(Mistake { line, columns, message, is_certain: false }), ..self }
    }

    /// Reports the mistake even if the error is on the same line.
    pub(super) fn certain(mut self) -> Self {
        self.mistake.iter_mut().for_each(|mistake| mistake.is_certain = true);
        self
    }

    /// Marks columns of a line as unclear.
    pub(super) fn unclear(mut self, line: usize, columns: Range<usize>) -> Self {
        self.unclear.push((line, columns));
        self
    }

    /// Returns the number of lines that the replacement adds.
    pub(super) fn added_lines(&self) -> usize {
        usize::from(self.divided_at.is_some())
    }
}

/// The maximum distance between a mistake and the line on which the error is noticed, in lines.
const FAR: usize = 40;

/// Returns the candidates for an error at the given line and column, most likely first.
pub(super) fn candidates<'a>(lines: &'a [&'a str], at: usize, column: usize) -> impl Iterator<Item = Candidate> + 'a {
    let at = at.min(lines.len().saturating_sub(1));
    let before = (0..at).rev().filter(|number| !is_blank(lines[*number]));
    let near: Vec<usize> = std::iter::once(at).chain(before.take(2)).collect();
    let previous = near.get(1).copied();
    let above = (at.saturating_sub(FAR)..=at).rev();
    let stray = stray::candidates(lines, at).into_iter();
    // A tab may be noticed at the start of a block scalar.
    let below = (at + 1..lines.len()).find(|number| !is_blank(lines[*number]));
    let mut further = (at.saturating_sub(FAR * FAR)..at).rev();
    let no_break = further.find(|line| leading(lines[*line]).contains(NO_BREAK));
    let no_break = no_break.filter(|line| !near.contains(line));
    let invisible = near.clone().into_iter().chain(below).chain(no_break);
    let invisible = invisible.flat_map(move |line| no_breaks(lines, line).into_iter().chain(tabs(lines, line)));
    let reserved = begins_with_reserved(lines[at]).then(|| quoted(lines, at)).into_iter().flatten();
    let colons = near.clone().into_iter().flat_map(move |line| colons(lines, line));
    let item =
        above.clone().find(|line| !is_blank(lines[*line]) && depth(lines[*line]) <= depth(lines[at]) && *line < at);
    let item = item.filter(|item| !near.contains(item));
    let dashes = near.clone().into_iter().chain(item).flat_map(move |line| dashes(lines, line));
    let nothing = previous.into_iter().filter_map(move |line| superfluous(lines, line, at, true));
    let comma = previous.and_then(|line| comma(lines, line));
    let brackets = std::iter::once_with(move || brackets::candidates(lines, at, column)).flatten();
    let joined = std::iter::once_with(move || joined::candidates(lines, at, column, true)).flatten();
    let perhaps_joined = std::iter::once_with(move || joined::candidates(lines, at, column, false)).flatten();
    let indented = std::iter::once_with(move || indentations(lines, at)).flatten();
    let superfluous = previous.into_iter().filter_map(move |line| superfluous(lines, line, at, false));
    let open = above.flat_map(move |line| open(lines, line));
    let inner = flow::value(lines[at], column).map(|value| inner(lines, at, value));
    let quoted = near.into_iter().flat_map(move |line| quoted(lines, line));
    let dropped = std::iter::once_with(move || dropped(lines, at)).flatten();
    stray
        .chain(invisible)
        .chain(reserved)
        .chain(colons)
        .chain(dashes)
        .chain(nothing)
        .chain(comma)
        .chain(brackets)
        .chain(joined)
        .chain(indented)
        .chain(superfluous)
        .chain(open)
        .chain(inner)
        .chain(quoted)
        .chain(perhaps_joined)
        .chain(dropped)
}

/// Returns repairs for no-break spaces that should be ordinary spaces.
fn no_breaks(lines: &[&str], number: usize) -> Vec<Candidate> {
    let line = lines[number];
    let Some(column) = line.find(NO_BREAK) else { return Vec::new() };
    let help = format!("line {} has a no-break space (U+00A0): write an ordinary space in its place", number + 1);
    let recovered = lines.iter().enumerate().filter(|(_, line)| line.contains(NO_BREAK));
    let lines = recovered.map(|(number, line)| (number, line.replace(NO_BREAK, " "))).collect();
    let place = column..column + NO_BREAK.len_utf8();
    let message = "a no-break space is used in place of an ordinary one";
    let all = Candidate { lines, help: Some(help.clone()), ..Candidate::default() };
    let one = Candidate::line(number, line.replace(NO_BREAK, " "), help);
    vec![all.about(number, place.clone(), message), one.about(number, place, message)]
}

/// Returns repairs for tabs that should be spaces.
fn tabs<'a>(lines: &'a [&'a str], number: usize) -> impl Iterator<Item = Candidate> + 'a {
    let line = lines[number];
    let tab = indentation(line).find('\t');
    tab.into_iter().flat_map(move |tab| {
        let all = |width: usize| {
            let tabbed = lines.iter().enumerate().filter(|(_, line)| indentation(line).contains('\t'));
            tabbed.map(|(number, line)| (number, without_tabs(line, &" ".repeat(width)))).collect()
        };
        let previous = lines[..number].iter().rev().find(|line| !is_blank(line)).copied().unwrap_or_default();
        let likeliest = depth(previous) + if previous.trim_end().ends_with(':') { 2 } else { 0 };
        let depths = std::iter::once(likeliest).chain(depths(lines, number).into_iter().rev());
        let others = depths.map(move |depth| vec![(number, indented(line, depth))]);
        others.chain([2, 4, 8, 1, 0].into_iter().map(all)).map(move |lines| {
            let help = Some(format!("indent line {} with spaces, not with tabs", number + 1));
            let candidate = Candidate { lines, help, ..Candidate::default() };
            candidate.about(number, tab..tab + 1, "a tab may not be used for indentation")
        })
    })
}

const NO_BREAK: char = '\u{a0}';

/// Returns repairs for missing colons and for colons without a space.
fn colons(lines: &[&str], number: usize) -> Vec<Candidate> {
    let line = lines[number];
    let start = line.len() - content(line).len();
    let rest = &line[start..];
    let length = rest.find(|char: char| !(char.is_alphanumeric() || "_.-".contains(char))).unwrap_or(rest.len());
    let (word, after) = rest.split_at(length);
    if word.is_empty() || !word.starts_with(char::is_alphabetic) {
        return Vec::new();
    }
    let end = start + length;
    let with = |text: &str, at: usize| format!("{}{text}{}", &line[..at], &line[at..]);
    if let Some(value) = after.strip_prefix(':') {
        let is_glued = value.starts_with(|char: char| !char.is_whitespace() && char != ':');
        let pair = format!("{word}:{}", value.split_whitespace().next().unwrap_or_default());
        let help = format!("write a space after the colon of `{pair}` on line {}", number + 1);
        let message = "a space is missing after the colon";
        let spaced = || Candidate::line(number, with(" ", end + 1), help).about(number, end..end + 1, message);
        return is_glued.then(spaced).into_iter().collect();
    }
    // A colon as it is used in Chinese and Japanese text.
    if let Some(value) = after.strip_prefix(WIDE_COLON) {
        let help = format!("put `: ` in place of `{WIDE_COLON}` after `{word}` on line {}", number + 1);
        let repaired = Candidate::line(number, format!("{}: {}", &line[..end], value.trim_start()), help);
        let place = end..end + WIDE_COLON.len_utf8();
        return vec![repaired.about(number, place, format!("`{WIDE_COLON}` is not a colon"))];
    }
    // A different character in place of the colon: `port; 80`, `port = 80`.
    let other = after.trim_start();
    if let Some(value) = other.strip_prefix([';', '=']).filter(|value| value.is_empty() || value.starts_with(' ')) {
        let help = format!("put `:` in place of `{}` after `{word}` on line {}", &other[..1], number + 1);
        let place = line.len() - other.len()..line.len() - other.len() + 1;
        let repaired = Candidate::line(number, format!("{}:{value}", &line[..end]), help);
        return vec![repaired.about(number, place, format!("`{}` is not a colon", &other[..1]))];
    }
    let is_word = after.trim_start().is_empty() || after.starts_with([' ', '\t']);
    let help = format!("put `:` after `{word}` on line {}", number + 1);
    let message = format!("`:` is missing after `{word}`");
    is_word
        .then(|| Candidate::line(number, with(":", end), help).about(number, start..end, message))
        .into_iter()
        .collect()
}

const WIDE_COLON: char = '\u{ff1a}';

/// Returns repairs for dashes without a space, and for dashes before the keys of a map.
fn dashes(lines: &[&str], number: usize) -> Vec<Candidate> {
    let line = lines[number];
    let start = depth(line);
    let Some(rest) = line[start..].strip_prefix('-') else { return Vec::new() };
    let place = start..start + 1;
    if rest.starts_with(char::is_alphanumeric) {
        let name = rest.split(|char: char| char.is_whitespace() || char == ':').next().unwrap_or_default();
        let help = format!("write a space after the dash of `-{name}` on line {}", number + 1);
        let spaced = Candidate::line(number, format!("{}- {rest}", &line[..start]), help);
        let help = format!("remove the dash before `{name}` on line {}", number + 1);
        let without = Candidate::line(number, format!("{}{rest}", &line[..start]), help);
        return vec![
            spaced.about(number, place.clone(), "a space is missing after the dash"),
            without.about(number, place, "a dash begins the key of a map"),
        ];
    }
    if let Some(content) = rest.strip_prefix("- ") {
        let help = format!("write one dash on line {}", number + 1);
        let single = Candidate::line(number, format!("{}- {content}", &line[..start]), help);
        return vec![single.about(number, start..start + 2, "two dashes begin an item of a list")];
    }
    if !rest.starts_with(' ') {
        return Vec::new();
    }
    let rest = rest.trim_start();
    let help = format!("remove the dash on line {}", number + 1);
    let without = Candidate::line(number, format!("{}{rest}", &line[..start]), help);
    vec![without.about(number, place, "a dash begins an item of a list, but this is a map")]
}

/// Returns a repair that adds a comma to an entry of a list or map in brackets that were opened on a line above.
fn comma(lines: &[&str], number: usize) -> Option<Candidate> {
    let line = lines[number].trim_end();
    let is_entry = !line.ends_with([',', '[', '{', ':']) && !line.contains(" #");
    let is_open = |line: &&str| !is_blank(line) && line.trim_end().ends_with(['[', '{', ',']);
    let is_inside = is_entry && lines[number.saturating_sub(FAR)..number].iter().any(is_open);
    let help = format!("put `,` at the end of line {}", number + 1);
    let repaired = || Candidate::line(number, format!("{line},"), help);
    is_inside.then(|| repaired().about(number, line.len()..line.len(), "`,` is missing at the end of the line"))
}

/// Returns a repair that removes a value before a block. The value is removed if it is a word that means "no value", as
/// in `properties: none`, or if the key has a block in all other places. If the key occurs only once, the value is
/// removed if several lines have the same indentation as the next line.
fn superfluous(lines: &[&str], number: usize, at: usize, only_words: bool) -> Option<Candidate> {
    let line = lines[number].trim_end();
    let colon = line.find(": ")? + 1;
    let value = line[colon..].trim();
    if depth(lines[at]) <= depth(line) {
        return None;
    }
    let is_nothing =
        ["none", "null", "nil", "nothing", "empty", "~", "{}", "[]", "todo"].contains(&&*value.to_lowercase());
    // A flow map or list is already a collection, like the blocks elsewhere, so only a scalar can be superfluous.
    let is_scalar = !value.starts_with(['{', '[']);
    let is_meant = || match blocks_elsewhere(lines, number, content(&line[..colon])) {
        Some(has_blocks) => has_blocks,
        None => {
            let is_first = lines[..number].iter().all(|line| is_blank(line));
            let block = lines[at..below(lines, at, depth(lines[at]))].iter();
            !is_first && block.filter(|line| !is_blank(line) && depth(line) == depth(lines[at])).count() > 1
        }
    };
    let help = format!("remove `{value}` on line {}, or the lines below that are indented further", number + 1);
    let start = colon + line[colon..].len() - line[colon..].trim_start().len();
    let repaired = || Candidate::line(number, line[..colon].to_owned(), help);
    (is_nothing == only_words && (is_nothing || is_scalar && is_meant()))
        .then(|| repaired().about(number, start..line.len(), "a value precedes a block, which is a value, too"))
}

/// Returns whether the key has maps or lists as values on all other lines where it occurs; `None` if it occurs on no
/// other line.
fn blocks_elsewhere(lines: &[&str], number: usize, key: &str) -> Option<bool> {
    let others = lines.iter().enumerate().filter(|(other, line)| *other != number && !is_blank(line));
    let mut values = others
        .flat_map(|(_, line)| {
            let places = line.match_indices(key);
            let places = places.filter(|(place, _)| *place == 0 || line[..*place].ends_with([' ', '{', ',']));
            places.map(|(place, key)| line[place + key.len()..].trim_start())
        })
        .peekable();
    values.peek()?;
    Some(values.all(|value| value.is_empty() || value.starts_with(['{', '[', '#', '&', '*'])))
}

/// Returns repairs for quotes and brackets that are not closed on their line.
fn open(lines: &[&str], number: usize) -> Vec<Candidate> {
    let line = lines[number].trim_end();
    let body = match line.find(" #") {
        Some(comment) if !line[..comment].contains(['"', '\'']) => line[..comment].trim_end(),
        _ => line,
    };
    let mut found = Vec::new();
    for quote in ['"', '\''] {
        if body.matches(quote).count() % 2 == 1 {
            let open = open_quote(body, quote);
            let start = open.or_else(|| body.rfind(quote)).unwrap_or_default();
            // The next quote may begin a text, and not end the first one.
            let mut quotes = body.match_indices(quote).map(|(at, _)| at);
            let first = open.or_else(|| quotes.find(|at| may_open(body, *at))).unwrap_or(start);
            found.extend(without_quote(lines, number, body));
            found.extend(without_second_quote(number, body, first));
            found.extend(closed_inside(number, body, first));
            found.extend(closed_before_brackets(number, body, quote));
            let help = close_quote(number, &body[start..], quote);
            let closed = Candidate::line(number, format!("{body}{quote}"), help).unclear(number, start..line.len());
            found.push(closed.about(number, start..start + 1, QUOTE_OPEN));
            found.extend(closed_below(lines, number, start));
        }
    }
    let mut missing = Vec::new();
    let mut superfluous = false;
    for (at, char) in body.char_indices() {
        match char {
            '[' => missing.push((']', at)),
            '{' => missing.push(('}', at)),
            ']' | '}' => superfluous |= missing.pop().is_none_or(|(closing, _)| closing != char),
            _ => {}
        }
    }
    if let Some((_, first)) = missing.first().copied().filter(|_| !superfluous) {
        let last = missing.last().map_or(first, |(_, last)| *last);
        found.extend(without_brackets(lines, number, body));
        let closing: String = missing.iter().rev().map(|(closing, _)| *closing).collect();
        let help = format!("close the bracket on line {} with `{closing}`", number + 1);
        let message = format!("`{}` is never closed", &body[last..=last]);
        let closed = Candidate::line(number, format!("{body} {closing}"), help);
        found.push(closed.about(number, last..last + 1, message.clone()).unclear(number, first..line.len()));
        // The bracket may be the mistake.
        if missing.len() == 1 && body[..first].ends_with(": ") {
            let help = format!("remove the bracket on line {}, or close it with `{closing}`", number + 1);
            let without = format!("{}{}", &body[..first], body[first + 1..].trim_start());
            let without = Candidate::line(number, without, help).unclear(number, first..line.len());
            found.push(without.about(number, first..first + 1, message));
        }
    } else if superfluous && body.ends_with([']', '}']) {
        let help = format!("remove the bracket at the end of line {}, or open it", number + 1);
        found.push(Candidate::line(number, body[..body.len() - 1].to_owned(), help));
    }
    found
}

const QUOTE_OPEN: &str = "the quote is never closed";

fn close_quote(number: usize, quoted: &str, quote: char) -> String {
    format!("close the quote on line {}: {}", number + 1, ticked(&format!("{quoted}{quote}")))
}

/// Returns whether a quote may begin a text.
fn may_open(line: &str, at: usize) -> bool {
    at == 0 || line[..at].ends_with([' ', '[', '{', ','])
}

/// Returns the start of the text in quotes that is still open at the end of a line.
fn open_quote(body: &str, quote: char) -> Option<usize> {
    let mut open = None;
    let mut characters = body.char_indices().peekable();
    while let Some((at, char)) = characters.next() {
        let is_quote = char == quote;
        match open {
            // An escaped quote.
            Some(_) if is_quote && quote == '\'' && characters.next_if(|(_, next)| *next == quote).is_some() => {}
            Some(_) if is_quote => open = None,
            Some(_) if char == '\\' && quote == '"' => drop(characters.next()),
            None if is_quote && may_open(body, at) => open = Some(at),
            _ => {}
        }
    }
    open
}

/// Returns a repair for a quote that is closed twice: it removes the second one.
fn without_second_quote(number: usize, body: &str, start: usize) -> Option<Candidate> {
    let quote = body[start..].chars().next()?;
    let head = body.strip_suffix(quote).filter(|head| head.len() > start + 1 && head.ends_with(quote))?;
    let help = format!("remove the last quote on line {}: {}", number + 1, ticked(&head[start..]));
    let repaired = Candidate::line(number, head.to_owned(), help).unclear(number, start..body.len());
    Some(repaired.about(number, head.len()..body.len(), "the quote is closed twice").certain())
}

/// Returns repairs that close a quote before the end of its line: before the colon after a key, the next entry of a list
/// or map in brackets, or a comment.
fn closed_inside(number: usize, body: &str, start: usize) -> Vec<Candidate> {
    let Some(quote) = body[start..].chars().next() else { return Vec::new() };
    let after = start + quote.len_utf8();
    let is_key = body[..start].trim_start_matches([' ', '-']).is_empty();
    let colon = body[after..].find(": ").filter(|_| is_key);
    let in_brackets = body[..start].contains(['[', '{']);
    // Otherwise, the comma may be part of the text.
    let begins_entry = |comma: &usize| {
        let rest = &body[after + comma + 2..];
        rest.starts_with(quote) || rest.split([' ', ',']).next().is_some_and(|word| word.ends_with(':'))
    };
    let entry = body[after..].match_indices(", ").map(|(comma, _)| comma).find(begins_entry).filter(|_| in_brackets);
    let comment = body[after..].find(" # ");
    let ends = [colon, entry, comment].into_iter().flatten().map(|length| after + length);
    let closed = |end: usize| {
        let end = body[..end].trim_end().len();
        let help = close_quote(number, &body[start..end], quote);
        let closed = Candidate::line(number, format!("{}{quote}{}", &body[..end], &body[end..]), help);
        closed.about(number, start..start + 1, QUOTE_OPEN).certain().unclear(number, start..body.len())
    };
    ends.filter(|end| *end > after).map(closed).collect()
}

/// Returns a repair that closes a quote at the end of the more indented lines below it.
fn closed_below(lines: &[&str], number: usize, start: usize) -> Option<Candidate> {
    let quote = lines[number][start..].chars().next()?;
    let end = below(lines, number, depth(lines[number]) + 1);
    let last = (number + 1..end).rev().find(|line| !is_blank(lines[*line]))?;
    let text = lines[last].trim_end();
    let help = format!("close the quote of line {} at the end of line {}, or earlier", number + 1, last + 1);
    let closed = Candidate::line(last, format!("{text}{quote}"), help).about(number, start..start + 1, QUOTE_OPEN);
    Some(closed.unclear(number, start..lines[number].len()).unclear(last, 0..text.len()))
}

/// Returns a repair for a quote at the end of a line above a block: it removes the quote.
fn without_quote(lines: &[&str], number: usize, body: &str) -> Option<Candidate> {
    let head = body.strip_suffix(['"', '\'']).filter(|head| head.ends_with(": "))?;
    let next = lines[number + 1..].iter().find(|line| !is_blank(line))?;
    let help = format!("remove the quote at the end of line {}", number + 1);
    let repaired = || Candidate::line(number, head.to_owned(), help);
    (depth(next) > depth(body)).then(|| repaired().about(number, head.len()..body.len(), QUOTE_OPEN))
}

/// Returns a repair for a bracket at the end of a line above a block: it removes the bracket and, if it is on a line of
/// its own below the block, its counterpart.
fn without_brackets(lines: &[&str], number: usize, body: &str) -> Option<Candidate> {
    let head = body.strip_suffix(['[', '{'])?;
    let mut below = (number + 1..lines.len()).filter(|below| !is_blank(lines[*below])).take(FAR).peekable();
    below.next_if(|first| depth(lines[*first]) > depth(body) && !lines[*first].trim_end().ends_with(','))?;
    let end = below.find(|below| depth(lines[*below]) <= depth(body));
    let mut replaced = vec![(number, head.to_owned())];
    if let Some(end) = end.filter(|end| matches!(lines[*end].trim(), "]" | "}")) {
        replaced.push((end, String::new()));
        return Some(Candidate { lines: replaced, ..Candidate::default() });
    }
    let help = format!("remove the bracket at the end of line {}, or close it below the block", number + 1);
    let repaired = Candidate { lines: replaced, help: Some(help), ..Candidate::default() };
    let message = format!("`{}` is never closed", &body[head.len()..]);
    Some(repaired.about(number, head.len()..body.len(), message))
}

/// Returns a repair that closes a quote before the brackets at the end of its line.
fn closed_before_brackets(number: usize, body: &str, quote: char) -> Option<Candidate> {
    let start = body.rfind(quote)?;
    let is_inner = body[..start].contains(['[', '{']);
    // If the brackets before the quote are closed again on the line, the string ends before the first of these.
    let closing = body[start..].find([']', '}']).map(|length| start + length);
    let closing = closing.filter(|closing| is_balanced(&body[..start], &body[*closing..]));
    let end = match closing {
        Some(closing) => body[..closing].trim_end().len(),
        None => start + body[start..].trim_end_matches([']', '}', ' ']).len(),
    };
    let quoted = &body[start..end];
    (is_inner && end < body.len() && quoted.len() > 1).then(|| {
        let help = format!("close the quote on line {}: {}", number + 1, ticked(&format!("{quoted}{quote}")));
        let closed = Candidate::line(number, format!("{}{quote}{}", &body[..end], &body[end..]), help);
        closed.about(number, start..start + 1, QUOTE_OPEN).unclear(number, start..end)
    })
}

/// Returns whether all brackets are closed in a text of two parts.
fn is_balanced(head: &str, tail: &str) -> bool {
    let mut open = Vec::new();
    let is_in_order = head.chars().chain(tail.chars()).all(|char| match char {
        '[' | '{' => {
            open.push(char);
            true
        }
        ']' => open.pop() == Some('['),
        '}' => open.pop() == Some('{'),
        _ => true,
    });
    is_in_order && open.is_empty()
}

/// A change of the indentation of a line and the lines of its block.
struct Move {
    number: usize,
    /// The end of the moved lines.
    end: usize,
    depth: usize,
    is_text: bool,
}

/// Returns repairs that give lines the indentation of other lines. They are created one by one, because blocks may be
/// long.
fn indentations<'a>(lines: &'a [&'a str], at: usize) -> impl Iterator<Item = Candidate> + 'a {
    let mut moves = Vec::new();
    let previous = (0..at).rev().find(|number| !is_blank(lines[*number]));
    let siblings = siblings(lines, at).into_iter().filter(|sibling| Some(*sibling) != previous);
    for number in std::iter::once(at).chain(previous).chain(siblings) {
        let own = depth(lines[number]);
        let mut depths = depths(lines, number);
        if number != at {
            depths.insert(depth(lines[at]));
        }
        let next = (number + 1..lines.len()).find(|number| !is_blank(lines[*number]));
        depths.extend(next.map(|next| depth(lines[next])));
        depths.remove(&own);
        for depth in depths {
            // A key above the error does not become the text of a block scalar.
            let is_text = is_text(lines, number, depth);
            if is_text && number != at {
                continue;
            }
            // Text other than a key does belong there.
            let is_text = is_text && (lines[number].contains(": ") || lines[number].trim_end().ends_with(':'));
            moves.push(Move { number, end: number + 1, depth, is_text });
            let end = block(lines, number, own.max(depth) + 1);
            if end > number + 1 {
                moves.push(Move { number, end, depth, is_text });
            }
        }
    }
    // The smallest change comes first, regardless of its line. Of two equal ones, the one that keeps the line in the
    // block above comes first.
    moves.sort_by_key(|moved| {
        let distance = moved.depth.abs_diff(depth(lines[moved.number]));
        (distance, moved.is_text, moved.number != at, Reverse(moved.depth), moved.end > moved.number + 1)
    });
    moves.into_iter().map(|moved| moved.candidate(lines))
}

impl Move {
    fn candidate(&self, lines: &[&str]) -> Candidate {
        let Self { number, end, depth, is_text } = *self;
        let text = lines[number];
        let own = self::depth(text);
        let help = match depth {
            0 => format!("don't indent line {}", number + 1),
            _ => format!("indent line {} by {}, not by {own}", number + 1, blanks(depth)),
        };
        let moved = (number..end).filter(|number| !is_blank(lines[*number]));
        let moved = moved.map(|number| (number, shifted(lines[number], own, depth))).collect();
        let moved = Candidate { lines: moved, help: Some(help), hidden: usize::from(is_text), ..Candidate::default() };
        let key = own..key_end(text);
        moved
            .about(number, key.clone(), format!("the indentation by {} does not fit", blanks(own)))
            .unclear(number, key)
    }
}

/// Returns lines of the blocks above that are open at the given line and whose indentation is so similar that it may be
/// meant to be the same: the last and the first line of each block.
fn siblings(lines: &[&str], at: usize) -> Vec<usize> {
    let own = depth(lines[at]);
    let (mut found, mut least) = (Vec::new(), usize::MAX);
    for number in (at.saturating_sub(FAR)..at).rev().filter(|number| !is_blank(lines[*number])) {
        let depth = depth(lines[number]);
        let is_first = depth == least && found.last().is_some_and(|last| self::depth(lines[*last]) == depth);
        if depth < least && (1..=2).contains(&depth.abs_diff(own)) {
            found.push(number);
        } else if is_first {
            // The first line found so far, in place of a later one, but not of the last one.
            let has_both = found.len() > 1 && self::depth(lines[found[found.len() - 2]]) == depth;
            if has_both {
                found.pop();
            }
            found.push(number);
        }
        least = least.min(depth);
    }
    found
}

/// Returns whether a line with the given indentation would continue a block scalar above.
fn is_text(lines: &[&str], number: usize, depth: usize) -> bool {
    let mut least = depth;
    lines[number.saturating_sub(FAR)..number].iter().rev().filter(|line| !line.trim().is_empty()).any(|line| {
        let is_around = self::depth(line) < least;
        least = least.min(self::depth(line));
        is_around && line.trim_end().trim_end_matches(['+', '-']).ends_with(['|', '>'])
    })
}

/// Returns the end of the block that begins at the given line; the lines below it are indented by at least `least`. A
/// list may have the same indentation as its key.
fn block(lines: &[&str], number: usize, least: usize) -> usize {
    let is_item = |line: &str| line.trim_start().starts_with("- ");
    let mut end = below(lines, number, least);
    while let Some(line) = lines.get(end)
        && !is_item(lines[number])
        && is_item(line)
        && depth(line) == depth(lines[number])
    {
        end = below(lines, end, least);
    }
    end
}

/// Returns the number of keys near the given line that have neither a value nor a block.
pub(super) fn empty_keys(text: &str, at: usize) -> usize {
    let near: Vec<&str> = text.split('\n').skip(at.saturating_sub(NEAR)).take(2 * NEAR).collect();
    let near: Vec<&str> = near.into_iter().filter(|line| !is_blank(line)).collect();
    let is_empty = |pair: &&[&str]| {
        let (own, next) = (depth(pair[0]), depth(pair[1]));
        // Content after a dash is indented further than the dash.
        let own_key = pair[0].len() - content(pair[0]).len();
        let is_list = next == own && pair[1].trim_start().starts_with("- ") && !pair[0].trim_start().starts_with("- ");
        pair[0].trim_end().ends_with(':') && next <= own_key && !is_list
    };
    near.windows(2).filter(is_empty).count()
}

/// The number of lines before and after an error in which [`empty_keys`] are counted.
const NEAR: usize = 4;

fn blanks(number: usize) -> String {
    if number == 1 { "1 space".to_owned() } else { format!("{number} spaces") }
}

/// Returns repairs for values that need quotes.
fn quoted(all: &[&str], number: usize) -> Vec<Candidate> {
    let line = all[number].trim_end();
    let start = line.len() - content(line).len();
    let value = line[start..].find(": ").map(|colon| start + colon + 2).or_else(|| (start > 0).then_some(start));
    let Some(value) = value.filter(|value| !line[*value..].trim().is_empty()) else { return Vec::new() };
    let text = line[value..].trim().replace('\'', "''");
    let has_quotes = line[value..].trim().starts_with(['"', '\'']);
    let help = (!has_quotes)
        .then(|| format!("put the value on line {} in quotes: {}", number + 1, ticked(&format!("'{text}'"))));
    let lines = vec![(number, format!("{}'{text}'", &line[..value]))];
    // Text in quotes hides the problems in a list or map.
    let hidden = usize::from(line[value..].starts_with(['[', '{']));
    let quoted = Candidate { lines, help, hidden, ..Candidate::default() };
    let whole = quoted_lines(all, number, value);
    let described = |quoted: Candidate| {
        quoted
            .about(number, value..line.len(), "the value can't be read without quotes")
            .unclear(number, value..line.len())
    };
    whole.into_iter().chain([quoted]).map(described).collect()
}

/// Returns a repair that quotes a value that begins at the given column and continues on the lines below.
fn quoted_lines(lines: &[&str], number: usize, value: usize) -> Option<Candidate> {
    let end = below(lines, number, depth(lines[number]) + 1);
    let is_text =
        |line: &&str| !line.contains(": ") && !line.trim_end().ends_with(':') && !content(line).starts_with("- ");
    let (first, rest) = (lines[number].trim_end(), lines.get(number + 1..end)?);
    if rest.is_empty() || first[value..].starts_with(['"', '\'', '|', '>']) || !rest.iter().all(is_text) {
        return None;
    }
    let is_doubled = first[value..].contains('\'') || rest.iter().any(|line| line.contains('\''));
    let mut repaired = vec![(number, format!("{}'{}", &first[..value], first[value..].replace('\'', "''")))];
    repaired.extend((number + 1..end).map(|at| (at, lines[at].trim_end().replace('\'', "''"))));
    repaired.last_mut()?.1.push('\'');
    let start = first[value..].split_whitespace().next().unwrap_or_default();
    let help = format!(
        "put a single quote before {} on line {} and at the end of line {end}{}",
        ticked(start),
        number + 1,
        if is_doubled { ", and double those between them" } else { "" },
    );
    Some(Candidate { lines: repaired, help: Some(help), ..Candidate::default() })
}

/// Returns a repair that quotes a value that is invalid in a flow list or map, but may be valid on a separate line.
fn inner(lines: &[&str], number: usize, value: Range<usize>) -> Candidate {
    let line = lines[number];
    let text = line[value.clone()].replace('\'', "''");
    let help = "write the list or map in several lines, without brackets, or put the value in quotes if it is text";
    let quoted = Candidate::line(number, format!("{}'{text}'{}", &line[..value.start], &line[value.end..]), help);
    quoted.unclear(number, value)
}

/// Returns whether a value begins with a reserved character.
fn begins_with_reserved(line: &str) -> bool {
    let content = content(line);
    let value = content.split_once(": ").map_or(content, |(_, value)| value.trim_start());
    value.starts_with(['@', '`', '%'])
}

/// Returns repairs that omit the block that begins at the given line, the block above or an enclosing block.
fn dropped<'a>(lines: &'a [&'a str], at: usize) -> impl Iterator<Item = Candidate> + 'a {
    let previous = (0..at).rev().find(|number| !is_blank(lines[*number])).unwrap_or(at);
    let end = |number: usize| below(lines, number, depth(lines[number]) + 1);
    let outer = |inner: usize| {
        let is_around = |line: &str| !is_blank(line) && depth(line) < depth(lines[inner]);
        (0..inner).rev().find(|number| is_around(lines[*number]))
    };
    // Any of the enclosing blocks may be the cause.
    let around = std::iter::successors(outer(previous), move |inner| outer(*inner));
    [at..at + 1, at..end(at), previous..at + 1, previous..end(at)]
        .into_iter()
        .chain(around.map(move |outer| outer + 1..end(outer).max(at + 1)))
        .map(|omitted| Candidate { omitted, is_shortened: true, ..Candidate::default() })
}

/// Returns the first line after a block, which consists of the given line and the lines below it that are indented by
/// at least `least`.
fn below(lines: &[&str], number: usize, least: usize) -> usize {
    let mut end = number + 1;
    for (next, line) in lines.iter().enumerate().skip(number + 1) {
        if !is_blank(line) && depth(line) < least {
            break;
        }
        if !is_blank(line) {
            end = next + 1;
        }
    }
    end
}

/// Returns the possible indentations for a line: those of enclosing and neighboring lines and of their children.
pub(super) fn depths(lines: &[&str], number: usize) -> BTreeSet<usize> {
    let mut depths = BTreeSet::new();
    let mut least = usize::MAX;
    for line in lines[..number].iter().rev().filter(|line| !is_blank(line) && !indentation(line).contains('\t')) {
        let depth = depth(line);
        if depth >= least {
            continue;
        }
        if least == usize::MAX {
            depths.insert(depth + 2);
        }
        depths.insert(depth);
        // Content after a dash has its own indentation.
        depths.extend((content(line).len() < line.trim_start().len()).then(|| line.len() - content(line).len()));
        least = depth;
        if depth == 0 {
            break;
        }
    }
    depths
}

/// Returns the end of the key on a line, without its colon.
fn key_end(line: &str) -> usize {
    line.find(": ").unwrap_or(line.trim_end().trim_end_matches(':').len()).max(depth(line))
}

pub(super) fn depth(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Returns the white space at the start of a line.
fn leading(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Returns the content of a line, without its indentation and a dash.
pub(super) fn content(line: &str) -> &str {
    let rest = line.trim_start_matches([' ', '\t', NO_BREAK]);
    rest.strip_prefix("- ").map_or(rest, |rest| rest.trim_start_matches(' '))
}

pub(super) fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

fn indented(line: &str, depth: usize) -> String {
    format!("{}{}", " ".repeat(depth), line.trim_start_matches([' ', '\t']))
}

fn shifted(line: &str, from: usize, to: usize) -> String {
    let own = depth(line);
    let depth = if to > from { own + (to - from) } else { own.saturating_sub(from - to) };
    format!("{}{}", " ".repeat(depth), &line[own..])
}

fn without_tabs(line: &str, blanks: &str) -> String {
    let own = indentation(line);
    format!("{}{}", own.replace('\t', blanks), &line[own.len()..])
}
