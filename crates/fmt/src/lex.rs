//! Tokens between the scalars of a text.
//!
//! The reader knows exactly where scalars and aliases are. The rest is indicators, properties, comments, markers and
//! line breaks, which can be told apart without knowing the structure.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A line break.
    Break,
    /// A comment, without trailing spaces.
    Comment,
    /// The `-` of a list item.
    Dash,
    /// The `?` of an explicit key.
    Question,
    /// The `:` before a value.
    Colon,
    Comma,
    /// `[` or `{`.
    Open,
    /// `]` or `}`.
    Close,
    /// A tag or an anchor.
    Property,
    Alias,
    /// A scalar that is neither literal nor folded.
    Scalar,
    /// A literal or folded scalar with its header.
    Block,
    /// `---` or `...`.
    Marker,
    /// A line that begins with `%`.
    Directive,
}

/// A token without its layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Returns the first token at or after `from`, which must not be inside a scalar; `None` at the end of the text or if
/// the text there is not a token.
pub(crate) fn next(text: &str, from: usize, in_brackets: bool) -> Option<Lexeme> {
    let start = from + text.get(from..)?.bytes().take_while(|byte| is_blank(*byte)).count();
    let rest = &text[start..];
    let is_at_start = start == 0 || text[..start].ends_with(['\n', '\r']);
    let (kind, length) = match rest.bytes().next()? {
        b'\n' | b'\r' => (Kind::Break, break_at(rest)),
        b'#' => (Kind::Comment, line(rest).len()),
        b'%' if is_at_start => (Kind::Directive, line(rest).len()),
        b'-' | b'.' if is_at_start && is_marker(rest) => (Kind::Marker, 3),
        b'-' if is_separate(rest) => (Kind::Dash, 1),
        b'?' if is_separate(rest) => (Kind::Question, 1),
        b':' if in_brackets || is_separate(rest) => (Kind::Colon, 1),
        b',' => (Kind::Comma, 1),
        b'[' | b'{' => (Kind::Open, 1),
        b']' | b'}' => (Kind::Close, 1),
        b'!' if rest.starts_with("!<") => (Kind::Property, rest.find('>')? + 1),
        b'&' | b'!' => {
            let ends = |next: char| next.is_ascii_whitespace() || in_brackets && ",[]{}".contains(next);
            (Kind::Property, rest.find(ends).unwrap_or(rest.len()))
        }
        _ => return None,
    };
    Some(Lexeme { kind, start, end: start + length })
}

/// Returns whether the first byte of `text` is followed by a space, a bracket, a comma or the end of the line.
fn is_separate(text: &str) -> bool {
    text.as_bytes().get(1).is_none_or(|next| next.is_ascii_whitespace() || b",[]{}".contains(next))
}

/// Returns whether a line begins with a document marker.
pub(crate) fn is_marker(line: &str) -> bool {
    let after = line.strip_prefix("---").or_else(|| line.strip_prefix("..."));
    after.is_some_and(|after| after.is_empty() || after.starts_with([' ', '\t', '\n', '\r']))
}

/// Returns the first line of `text`, without trailing spaces and tabs.
fn line(text: &str) -> &str {
    text.split(['\n', '\r']).next().unwrap_or_default().trim_end_matches([' ', '\t'])
}

/// Returns the length of the line break at the start of `text`.
pub(crate) fn break_at(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Returns the beginning of the line that contains the given offset.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1)
}

/// Returns the beginning of the line before the one that begins at `start`; `None` if that is the first line.
pub(crate) fn line_before(text: &str, start: usize) -> Option<usize> {
    let end = start.checked_sub(if text[..start].ends_with("\r\n") { 2 } else { 1 })?;
    Some(line_start(text, end))
}

/// Returns the end of the line that contains the given offset, before its line break.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    text[at..].find(['\n', '\r']).map_or(text.len(), |length| at + length)
}

/// Returns the number of characters before the given offset on its line.
pub(crate) fn column(text: &str, at: usize) -> usize {
    text[line_start(text, at)..at].chars().count()
}

pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns the lines of `text`, each with its line break.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.find(['\n', '\r']).unwrap_or(text.len());
        let length = break_at(&text[end..]);
        rest = (length > 0).then(|| &text[end + length..]);
        Some((&text[..end], &text[end..end + length]))
    })
}
