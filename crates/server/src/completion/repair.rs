//! Repair of the line that is being typed.
//!
//! The text at the cursor is unfinished: a key without a colon or an unclosed bracket. It is unknown whether the word
//! will be a key or a value, so there can be a reading for each. A reading is the whole text with this line changed so
//! that it can be parsed.

use std::ops::Range;

/// A reading of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// The repaired text.
    pub(super) text: String,
    /// The offset of the typed word.
    pub(super) offset: u32,
    /// Whether the word is read as a key.
    pub(super) is_key: bool,
}

/// The word that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Typed {
    /// Its range in the original text.
    pub(super) place: Range<usize>,
    /// The part before the cursor.
    pub(super) word: String,
    /// Whether it is between brackets.
    pub(super) in_flow: bool,
    /// Whether it is an item of a list between brackets.
    pub(super) is_item: bool,
    /// Whether a colon follows.
    pub(super) has_colon: bool,
    /// The quote that it begins with. The range contains the quotes.
    pub(super) quote: Option<char>,
    /// The column of its start.
    pub(super) column: usize,
    /// Whether it directly follows a colon, so that a space is missing.
    pub(super) needs_space: bool,
}

/// The token before the typed word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Start,
    Dash,
    Colon,
    Open,
    Comma,
    /// A closing bracket, after which there is no word.
    Close,
}

/// The state after scanning a line.
struct Scan {
    before: Before,
    /// The open brackets.
    open: Vec<char>,
    /// The start of the token.
    start: usize,
    quote: Option<char>,
    is_comment: bool,
    /// Whether the token follows a colon that needs no space after it, because its key has quotes.
    is_adjacent: bool,
}

/// Scans a line that begins after the given token, with the given open brackets.
fn scan(line: &str, before: Before, open: Vec<char>) -> Scan {
    let mut scan = Scan { before, open, start: 0, quote: None, is_comment: false, is_adjacent: false };
    let mut previous = ' ';
    let mut letters = line.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let is_at_start = line[scan.start..at].trim().is_empty();
        let is_quoted = line[scan.start..at].trim_start().starts_with(['"', '\'']);
        let begin = |scan: &mut Scan, before: Before| {
            scan.is_adjacent = before == Before::Colon && is_quoted && !scan.open.is_empty();
            (scan.before, scan.start) = (before, at + letter.len_utf8());
        };
        if let Some(quote) = scan.quote {
            if letter == '\\' && quote == '"' {
                letters.next();
            } else if letter == quote {
                scan.quote = None;
            }
            previous = letter;
            continue;
        }
        match letter {
            '"' | '\'' if is_at_start => scan.quote = Some(letter),
            '#' if previous.is_whitespace() => {
                scan.is_comment = true;
                return scan;
            }
            '{' | '[' if is_at_start => {
                scan.open.push(letter);
                begin(&mut scan, Before::Open);
            }
            '}' | ']' if !scan.open.is_empty() => {
                scan.open.pop();
                begin(&mut scan, Before::Close);
            }
            ',' if !scan.open.is_empty() => begin(&mut scan, Before::Comma),
            '-' if is_at_start
                && scan.open.is_empty()
                && matches!(scan.before, Before::Start | Before::Dash)
                && next.is_none_or(char::is_whitespace) =>
            {
                begin(&mut scan, Before::Dash);
            }
            // A value can't be a key, so it only contains the colon, like the beginning of `OS::Nova::Server`.
            ':' if (next.is_none_or(char::is_whitespace) || is_quoted && !scan.open.is_empty())
                && scan.before != Before::Colon =>
            {
                begin(&mut scan, Before::Colon);
            }
            _ => {}
        }
        previous = letter;
    }
    scan
}

/// Returns the end of the current token in the rest of a line, and whether its quote is closed there.
fn end(rest: &str, in_flow: bool, quote: Option<char>) -> (usize, bool) {
    if let Some(end) = quote.and_then(|quote| closing(rest, quote)) {
        return (end, true);
    }
    let mut letters = rest.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let is_end = letter == ':' && next.is_none_or(char::is_whitespace)
            || in_flow && matches!(letter, ',' | '}' | ']')
            || letter.is_whitespace() && next == Some('#');
        if is_end {
            return (at, false);
        }
    }
    (rest.len(), false)
}

/// Returns the place of the quote that closes the current token; `None` if the next quote opens another token.
fn closing(rest: &str, quote: char) -> Option<usize> {
    let at = rest.find(quote)?;
    let (before, after) = (&rest[..at], &rest[at + quote.len_utf8()..]);
    let is_one = !before.contains([',', '{', '}', '[', ']']) && !before.contains(": ");
    let is_end = after.chars().next().is_none_or(|next| next.is_whitespace() || ":,}]".contains(next));
    (is_one && is_end).then_some(at)
}

/// Returns the last line that has text, without comments.
fn last_line(text: &str) -> &str {
    let end = |line: &str| line.find(" #").or_else(|| line.find("\t#")).unwrap_or(line.len());
    let lines = text.lines().rev().map(|line| line[..end(line)].trim_end());
    lines.filter(|line| !line.trim_start().starts_with('#')).find(|line| !line.is_empty()).unwrap_or_default()
}

/// Returns the word at the given offset and the readings of the text; `None` in a comment.
pub(super) fn repair(text: &str, offset: usize) -> Option<(Typed, Vec<Reading>)> {
    let line_start = text[..offset].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let line_end = text[offset..].find(['\n', '\r']).map_or(text.len(), |at| offset + at);
    let (before, after) = (&text[line_start..offset], &text[offset..line_end]);
    let above = last_line(&text[..line_start]);
    let open_above = if above.ends_with([',', '[', '{']) { open_bracket(&text[..line_start]) } else { None };
    let scanned = match open_above {
        Some(open) => scan(before, if above.ends_with(',') { Before::Comma } else { Before::Open }, vec![open]),
        None => scan(before, Before::Start, Vec::new()),
    };
    if scanned.is_comment {
        return None;
    }
    let raw = &before[scanned.start..];
    let blank = raw.len() - raw.trim_start().len();
    let first = scanned.start + blank;
    let start = first + scanned.quote.map_or(0, char::len_utf8);
    let in_flow = !scanned.open.is_empty();
    let (length, is_closed) = end(after, in_flow, scanned.quote);
    let (tail, rest) = after.split_at(length);
    let tail = tail.trim_end();
    let word = before[start..].to_owned();
    let rest_of_line = if is_closed { &rest[1..] } else { rest };
    let has_colon = rest_of_line.trim_start().starts_with(':');
    let typed = Typed {
        place: line_start + first..offset + if is_closed { length + 1 } else { tail.len() },
        in_flow,
        is_item: scanned.open.last() == Some(&'['),
        has_colon,
        quote: scanned.quote,
        column: before[..first].chars().count(),
        needs_space: scanned.before == Before::Colon && blank == 0 && !scanned.is_adjacent,
        word,
    };
    let whole = format!("{}{tail}", &before[start..]);
    let quote = scanned.quote.map(String::from).unwrap_or_default();
    // A quote that is not closed is closed right after the word.
    let rest_after = if quote.is_empty() || is_closed { rest.to_owned() } else { format!("{quote}{rest}") };
    let space = if typed.needs_space { " " } else { "" };
    let is_map = scanned.open.last() != Some(&'[');
    let may_be_key = match scanned.before {
        Before::Start | Before::Dash => true,
        // In a list, a key begins a map with one entry.
        Before::Open | Before::Comma => true,
        Before::Colon | Before::Close => false,
    };
    let may_be_value = !has_colon
        && match scanned.before {
            Before::Start => above.ends_with(':') && !is_above_key(&text[line_end..], typed.column),
            Before::Dash => !is_above_key(&text[line_end..], typed.column),
            Before::Colon => in_flow || !is_above_block(&text[line_end..], before),
            Before::Open | Before::Comma => !is_map,
            Before::Close => false,
        };
    let mut readings = Vec::new();
    let mut add = |is_key: bool| {
        let head = &before[..start];
        // After or before a comma, an empty value would not be an item.
        let is_missing = quote.is_empty() && (scanned.before == Before::Comma || rest.starts_with(','));
        let word = match is_key {
            true if whole.is_empty() => "x",
            false if whole.is_empty() && is_missing => "\"\"",
            false if quote.is_empty() && whole.ends_with(':') => &format!("'{}'", whole.replace('\'', "''")),
            _ => &whole,
        };
        let colon = if is_key && !has_colon { ": " } else { "" };
        let line = if is_key {
            // The colon goes after the quote.
            let (closed, rest) = rest_after.split_at(usize::from(!quote.is_empty()));
            format!("{head}{space}{word}{closed}{colon}{rest}")
        } else {
            format!("{head}{space}{word}{rest_after}")
        };
        let line = closed(line, &text[line_end..]);
        let offset = (line_start + start + space.len()) as u32;
        let text = format!("{}{line}{}", &text[..line_start], &text[line_end..]);
        readings.push(Reading { text, offset, is_key });
    };
    // Most items of lists between brackets are values.
    let is_item = typed.is_item && may_be_value;
    if is_item {
        add(false);
    }
    if may_be_key {
        add(true);
    }
    if may_be_value && !is_item {
        add(false);
    }
    Some((typed, readings))
}

/// The maximum number of bytes that are searched for an open bracket.
const MAX_FLOW: usize = 1 << 16;

/// Returns the innermost bracket that is open at the end of `text`.
fn open_bracket(text: &str) -> Option<char> {
    let mut closed = 0_usize;
    for letter in text.bytes().rev().take(MAX_FLOW) {
        match letter {
            b']' | b'}' => closed += 1,
            b'[' | b'{' if closed == 0 => return Some(char::from(letter)),
            b'[' | b'{' => closed -= 1,
            _ => {}
        }
    }
    None
}

/// Returns whether a key follows at this column or further to the right, so that the typed word must be a key too.
/// Reading the word as a value too would produce a text that can't be parsed, and finding that out takes time.
fn is_above_key(after: &str, column: usize) -> bool {
    let is_skipped = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let Some(next) = after.lines().find(|line| !is_skipped(line)) else { return false };
    let indentation = next.chars().take_while(|letter| *letter == ' ').count();
    indentation >= column && (next.contains(": ") || next.trim_end().ends_with(':'))
}

/// Returns whether the value of the last key before the cursor in a line is the block below the line.
fn is_above_block(after: &str, before: &str) -> bool {
    let is_skipped = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let Some(next) = after.lines().find(|line| !is_skipped(line)) else { return false };
    let indentation = next.chars().take_while(|letter| *letter == ' ').count();
    let column = before.chars().take_while(|letter| " -".contains(*letter)).count();
    indentation > column || indentation == column && next[indentation..].starts_with("- ")
}

/// Closes the brackets that a line opens, unless the next line closes them.
fn closed(mut line: String, after: &str) -> String {
    let scanned = scan(&line, Before::Start, Vec::new());
    let next = after.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim_start();
    if scanned.is_comment || next.starts_with(['}', ']']) {
        return line;
    }
    for open in scanned.open.iter().rev() {
        line.push_str(if *open == '{' { " }" } else { " ]" });
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the readings of a text with a `|` at the cursor, each with a `^` at the start of the typed word; keys
    /// come first.
    fn readings(text: &str) -> Vec<String> {
        let offset = text.find('|').unwrap_or_default();
        let Some((_, readings)) = repair(&text.replace('|', ""), offset) else { return Vec::new() };
        let marked = |reading: Reading| {
            let (before, after) = reading.text.split_at(reading.offset as usize);
            format!("{before}^{after}")
        };
        readings.into_iter().map(marked).collect()
    }

    #[test]
    fn keys_get_colons() {
        assert_eq!(readings("a:\n  de|\nb: c"), ["a:\n  ^de: \nb: c", "a:\n  ^de\nb: c"]);
        assert_eq!(readings("a: b\nd|"), ["a: b\n^d: "]);
        assert_eq!(readings("a: b\n|"), ["a: b\n^x: "]);
        assert_eq!(readings("d|e: 1"), ["^de: 1"]);
        assert_eq!(readings("a: { d| }"), ["a: { ^d: }"]);
        assert_eq!(readings("a: { b: c, |"), ["a: { b: c, ^x:  }"]);
        assert_eq!(readings("\"d|"), ["\"^d\": "]);
        assert_eq!(readings("a: {\n  b: c, \"d|\n}"), ["a: {\n  b: c, \"^d\": \n}"]);
        assert_eq!(readings("a: { # why\n  # more\n  d|\n}"), ["a: { # why\n  # more\n  ^d: \n}"]);
    }

    #[test]
    fn values_are_not_changed() {
        assert_eq!(readings("type: |"), ["type: ^"]);
        assert_eq!(readings("type:|"), ["type: ^"]);
        assert_eq!(readings("type: Se|rv # why"), ["type: ^Serv # why"]);
        assert_eq!(readings("type: OS::|"), ["type: ^'OS::'"]);
        assert_eq!(readings("a: { type: OS:| }"), ["a: { type: ^'OS:'}"]);
        assert_eq!(readings("a: \"b|"), ["a: \"^b\""]);
        assert_eq!(readings("a: b|\t# why"), ["a: ^b\t# why"]);
        assert_eq!(readings("{\"a\":{\"b\":\"c|\"}}"), ["{\"a\":{\"b\":\"^c\"}}"]);
        assert_eq!(readings("{\"a\":{\"b|\"}}"), ["{\"a\":{\"^b\": }}"]);
        assert_eq!(readings("a: {\n  b: [],\n  |\n}"), ["a: {\n  b: [],\n  ^x: \n}"]);
    }

    #[test]
    fn item_between_brackets_may_be_value_or_key() {
        assert_eq!(readings("a: { b: [ c, d|"), ["a: { b: [ c, ^d ] }", "a: { b: [ c, ^d:  ] }"]);
        assert_eq!(readings("a: { b: [ c, | ] }"), ["a: { b: [ c, ^\"\"] }", "a: { b: [ c, ^x: ] }"]);
        assert_eq!(readings("a: { b: [ |, c ] }"), ["a: { b: [ ^\"\", c ] }", "a: { b: [ ^x: , c ] }"]);
        assert_eq!(readings("a: [\n  b,\n  c|\n]"), ["a: [\n  b,\n  ^c\n]", "a: [\n  b,\n  ^c: \n]"]);
        assert_eq!(readings("a: [ b|: c ]"), ["a: [ ^b: c ]"]);
    }

    #[test]
    fn word_after_a_dash_may_be_key_or_value() {
        assert_eq!(readings("a:\n- b|"), ["a:\n- ^b: ", "a:\n- ^b"]);
        assert_eq!(readings("- - |"), ["- - ^x: ", "- - ^"]);
    }

    #[test]
    fn word_above_a_key_is_a_key() {
        assert_eq!(readings("a:\n  b|\n\n  # why\n  c: 1"), ["a:\n  ^b: \n\n  # why\n  c: 1"]);
        assert_eq!(readings("- b|\n  c:\n"), ["- ^b: \n  c:\n"]);
        assert_eq!(readings("a:\n  b|\n  c"), ["a:\n  ^b: \n  c", "a:\n  ^b\n  c"]);
        assert_eq!(readings("- b|\n- c: 1"), ["- ^b: \n- c: 1", "- ^b\n- c: 1"]);
    }

    #[test]
    fn there_is_no_word_between_a_value_and_its_end() {
        for text in ["a: { b: c }|", "a: { b: [ c ] | }", "a:|\n  - b", "a: |\n- b", "- a:|\n    b: c"] {
            assert_eq!(readings(text), [""; 0], "{text}");
        }
        assert_eq!(readings("- a:|\n  b: c"), ["- a: ^\n  b: c"]);
    }

    #[test]
    fn quotes_belong_to_the_word() {
        let place = |text: &str| {
            let text = text.replace('|', "");
            let (typed, _) = repair(&text, text.find('d').unwrap_or_default() + 1).expect("it is no comment");
            (text[typed.place].to_owned(), typed.in_flow, typed.has_colon)
        };
        for (text, expected) in [
            ("a: { \"d|", ("\"d", true, false)),
            ("a: { \"d|, e: \"f\" }", ("\"d", true, false)),
            ("a: { \"d|e\": f }", ("\"de\"", true, true)),
            ("a: { 'd|', 'e': f }", ("'d'", true, false)),
            ("'d|'", ("'d'", false, false)),
            ("a: b,\nd|", ("d", false, false)),
            ("a: {\n  b: c, d|\n}", ("d", true, false)),
        ] {
            assert_eq!(place(text), (expected.0.to_owned(), expected.1, expected.2), "{text}");
        }
    }

    #[test]
    fn comments_have_no_readings() {
        assert_eq!(readings("a: b # c|"), [""; 0]);
        assert_eq!(readings("a: b#c|"), ["a: ^b#c"]);
    }
}
