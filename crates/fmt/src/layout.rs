//! Arrangement of tokens on lines.

use std::ops::Range;

use super::Options;
use super::lex::{Kind, column, line_start};
use super::scalar;
use super::walk::Token;

/// A line or several lines of one scalar, with their range in the source.
pub(crate) struct Line {
    /// The text, without the line break at its end.
    pub(crate) text: String,
    pub(crate) source: Range<usize>,
    /// The comment, if one follows other tokens.
    comment: Option<Comment>,
}

struct Comment {
    /// Its offset in [`Line::text`].
    at: usize,
    /// Its column in the source.
    from: usize,
}

/// Arranges the tokens of `text` in lines, and calls `each` with them in order. They are not kept, because a line takes
/// many times as much memory as its text.
pub(crate) fn lines(text: &str, tokens: &[Token], options: &Options, mut each: impl FnMut(Line)) {
    // Neighboring lines whose comments are in the same column.
    let mut group: Vec<Line> = Vec::new();
    let mut add = |line: Line| {
        let from = |line: &Line| line.comment.as_ref().map(|comment| comment.from);
        if group.first().is_some_and(|first| from(first) != from(&line)) {
            align(&mut group);
            group.drain(..).for_each(&mut each);
        }
        if line.comment.is_some() {
            group.push(line);
        } else {
            each(line);
        }
    };
    let mut start = 0;
    for line in tokens.split_inclusive(|token| token.kind == Kind::Break) {
        let (content, line_break) = match line.split_last() {
            Some((last, content)) if last.kind == Kind::Break => (content, Some(last)),
            _ => (line, None),
        };
        let end = line_break.map_or(text.len(), |line_break| line_break.start);
        add(line_of(text, content, start..end, options));
        start = line_break.map_or(end, |line_break| line_break.end);
    }
    if start < text.len() {
        add(line_of(text, &[], start..text.len(), options));
    }
    align(&mut group);
    group.into_iter().for_each(each);
}

fn line_of(text: &str, tokens: &[Token], source: Range<usize>, options: &Options) -> Line {
    let mut line = Line { text: String::new(), source: source.clone(), comment: None };
    let Some(first) = tokens.first() else { return line };
    if let Some(delta) = first.kept {
        line.text = kept(text, source, delta);
        return line;
    }
    line.text.push_str(&" ".repeat(first.indent));
    let mut previous: Option<&Token> = None;
    for token in tokens {
        if let Some(previous) = previous {
            let mut space = space(previous, token, options);
            if token.at_least > 0 {
                let width = last_line(&line.text).chars().count();
                space = space.max(token.at_least.saturating_sub(width));
            }
            line.text.push_str(&" ".repeat(space));
            if token.kind == Kind::Comment {
                line.comment = Some(Comment { at: line.text.len(), from: column(text, token.start) });
            }
        }
        let source = &text[token.start..token.end];
        match token.kind {
            Kind::Scalar => append(&mut line.text, scalar::flow(source, token.inner, options)),
            Kind::Block => {
                let rewritten = scalar::block(source, token.inner_before, token.inner, options.indent());
                append(&mut line.text, rewritten);
            }
            _ => line.text.push_str(source),
        }
        previous = Some(token);
    }
    line
}

fn append(text: &mut String, lines: Vec<(String, &str)>) {
    for (line, line_break) in lines {
        text.push_str(&line);
        text.push_str(line_break);
    }
}

fn last_line(text: &str) -> &str {
    &text[line_start(text, text.len())..]
}

/// Returns lines that are not formatted but moved by `delta` columns.
fn kept(text: &str, source: Range<usize>, delta: isize) -> String {
    let moved = super::lex::lines(&text[source]).map(|(line, line_break)| scalar::moved(line, delta) + line_break);
    moved.collect()
}

/// Returns the number of spaces between two tokens on a line.
fn space(left: &Token, right: &Token, options: &Options) -> usize {
    match (left.kind, right.kind) {
        (Kind::Open, Kind::Close) => 0,
        (Kind::Open, _) | (_, Kind::Close) => usize::from(options.bracket_spacing),
        // Tags, anchors and aliases can end in a colon, and not all YAML readers accept the colon in `:,`.
        (Kind::Scalar | Kind::Close, Kind::Colon) => 0,
        (Kind::Scalar | Kind::Close | Kind::Alias, Kind::Comma) => 0,
        _ => 1,
    }
}

/// Aligns the comments of lines.
fn align(lines: &mut [Line]) {
    let width = |line: &Line| {
        let before = line.comment.as_ref().map_or("", |comment| &line.text[..comment.at]);
        last_line(before).chars().count()
    };
    let most = lines.iter().map(width).max().unwrap_or(0);
    for line in lines {
        let missing = most - width(line);
        if let Some(comment) = &line.comment {
            line.text.insert_str(comment.at, &" ".repeat(missing));
        }
    }
}
