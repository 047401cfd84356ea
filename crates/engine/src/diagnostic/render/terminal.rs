//! Source excerpts with carets, for users at a terminal.

use std::fmt;

use annotate_snippets::{Group, Level, Origin, Renderer};
use foldhash::HashMap;

use super::excerpt::{Mark, Picture};
use super::name;
use super::printable::sanitize;
use crate::diagnostic::{Diagnostic, Severity, Span, Summary, rule_url};
use crate::text::{LineColumn, Sources};

/// The default width of excerpts, in columns.
const WIDTH: usize = 100;

/// The number of columns that an excerpt needs for line numbers and for the marks on shortened lines.
const FRAME: usize = 24;

/// The maximum number of related positions that are shown; the others are only counted.
const SHOWN: usize = 8;

/// A placeholder for a position in text that the library draws.
///
/// The library would compute the column from the excerpt that it receives, but all renderers must show the same column.
/// This character is never printed unchanged (see [`sanitize`]), so it can't occur elsewhere in the text.
const PLACEHOLDER: char = '\u{fdd0}';

/// Problems for users at a terminal, with a summary on the last line.
#[derive(Clone, Copy, Debug)]
pub struct Terminal<'a> {
    diagnostics: &'a [Diagnostic],
    sources: &'a Sources,
    color: bool,
    links: bool,
    command: Option<&'a str>,
    width: usize,
    max_same: usize,
    remarks: &'a [String],
}

impl<'a> Terminal<'a> {
    /// Creates a report of problems in the given order, without color and with 100 columns.
    pub fn new(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Self {
        Self {
            diagnostics,
            sources,
            color: false,
            links: false,
            command: None,
            width: WIDTH,
            max_same: usize::MAX,
            remarks: &[],
        }
    }

    /// Sets whether to use color; see [`Color::enabled`](crate::diagnostic::Color::enabled).
    #[must_use]
    pub fn color(mut self, color: bool) -> Self {
        self.color = color;
        self
    }

    /// Sets whether rule codes are links to their documentation. They are links only if color is used; see
    /// [`links`](crate::diagnostic::color::links).
    #[must_use]
    pub fn links(mut self, links: bool) -> Self {
        self.links = links;
        self
    }

    /// Sets the name of the command, so that the report mentions its options: `[*]` marks problems that `--fix` fixes,
    /// and the last lines show how many of them there are and how to get an explanation of a rule.
    #[must_use]
    pub fn command(mut self, name: &'a str) -> Self {
        self.command = Some(name);
        self
    }

    /// Sets the number of columns for source lines, at least 40. Messages are not wrapped, because terminals do that
    /// better.
    #[must_use]
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.clamp(40, 1000);
        self
    }

    /// Sets the maximum number of problems of the same rule with the same message that are shown, at least 1; the others
    /// are only counted. No maximum by default.
    #[must_use]
    pub fn max_same(mut self, number: usize) -> Self {
        self.max_same = number.max(1);
        self
    }

    /// Sets lines that are shown before the last one.
    #[must_use]
    pub fn remarks(mut self, lines: &'a [String]) -> Self {
        self.remarks = lines;
        self
    }

    /// Returns the shown problems, each with the number of equal ones that are not shown after it.
    fn shown(&self) -> impl Iterator<Item = (&'a Diagnostic, usize)> {
        let max_same = self.max_same;
        let key = |diagnostic: &'a Diagnostic| (diagnostic.rule.code, diagnostic.severity, &*diagnostic.message);
        let mut totals: HashMap<_, usize> = HashMap::default();
        if max_same < self.diagnostics.len() {
            self.diagnostics.iter().for_each(|diagnostic| *totals.entry(key(diagnostic)).or_default() += 1);
        }
        let mut numbers: HashMap<_, usize> = HashMap::default();
        self.diagnostics.iter().filter_map(move |diagnostic| {
            let Some(total) = totals.get(&key(diagnostic)) else { return Some((diagnostic, 0)) };
            let number = numbers.entry(key(diagnostic)).or_default();
            *number += 1;
            let hidden = if *number == max_same { total - max_same } else { 0 };
            (*number <= max_same).then_some((diagnostic, hidden))
        })
    }

    fn renderer(&self) -> Renderer {
        let renderer = if self.color { Renderer::styled() } else { Renderer::plain() };
        renderer.term_width(self.width)
    }

    /// Returns a position as text, for a problem that is shown without its source line.
    fn bare_place(&self, span: Span) -> String {
        let name = name(self.sources, span.source);
        match self.sources.get(span.source).filter(|source| !source.text().is_empty()) {
            Some(source) => {
                let LineColumn { line, column } = source.line_column(span.start);
                format!("{name}:{line}:{column}")
            }
            None => name.to_owned(),
        }
    }

    /// Writes a problem without a blank line after it.
    fn show(&self, renderer: &Renderer, diagnostic: &Diagnostic, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.width - FRAME;
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mark = if self.command.is_some() && diagnostic.is_fixable() { "[*] " } else { "" };
        let message = format!("{mark}{}", sanitize(&diagnostic.message));
        let mut title = level.primary_title(message).id(diagnostic.rule.code);
        if let Some(url) = rule_url(diagnostic.rule).filter(|_| self.links && self.color) {
            title = title.id_url(url);
        }
        let mut group = Group::with_title(title);
        let mut places = Vec::new();
        let mut notes = Vec::new();

        let text_of = |source| {
            let source = self.sources.get(source)?;
            (source.is_shown() && !source.text().is_empty()).then_some(source)
        };
        let primary = text_of(diagnostic.span.source).map(|source| Mark::primary(source, diagnostic.span, columns));
        if primary.is_none() {
            places.push(sanitize(&self.bare_place(diagnostic.span)).into_owned());
            group = group.element(Origin::path(PLACEHOLDER.to_string()));
        }
        let mut marks: Vec<Mark> = primary.into_iter().collect();
        for related in diagnostic.related.iter().take(SHOWN) {
            match text_of(related.span.source) {
                Some(source) => marks.push(Mark::context(source, related.span, columns, &related.message)),
                None => notes.push(format!("{}: {}", related.message, self.bare_place(related.span))),
            }
        }
        match diagnostic.related.len().saturating_sub(SHOWN) {
            0 => {}
            1 => notes.push("1 more place is not shown".to_owned()),
            more => notes.push(format!("{more} more places are not shown")),
        }

        let pictures = Picture::arrange(marks, columns);
        let without_picture = pictures.is_empty();
        for picture in pictures {
            let (source, LineColumn { line, column }) = picture.place();
            places.push(format!("{}:{line}:{column}", sanitize(source.name())));
            group = group.element(picture.snippet(columns).path(PLACEHOLDER.to_string()));
        }
        for note in &notes {
            group = group.element(Level::NOTE.message(sanitize(note)));
        }
        for help in &diagnostic.help {
            let lines: Vec<_> = help.lines().map(sanitize).collect();
            group = group.element(Level::HELP.message(lines.join("\n")));
        }
        let mut drawn = renderer.render(&[group]);
        if without_picture {
            // In this case, the library reserves no space for line numbers, but the arrow must still be indented.
            drawn = drawn.replace('\n', "\n ");
        }
        insert_places(&drawn, &places, f)
    }
}

impl fmt::Display for Terminal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let renderer = self.renderer();
        for (diagnostic, hidden) in self.shown() {
            self.show(&renderer, diagnostic, f)?;
            f.write_str("\n")?;
            if hidden > 0 {
                let (noun, them) = if hidden == 1 { ("problem", "it") } else { ("problems", "them") };
                let option = self.command.map(|_| format!("; `--max-same 0` shows {them}")).unwrap_or_default();
                writeln!(f, "{hidden} more {noun} like this{option}")?;
            }
            f.write_str("\n")?;
        }
        for line in self.remarks {
            writeln!(f, "{}", sanitize(line))?;
        }
        let Some(command) = self.command else {
            return writeln!(f, "{}", Summary::of(self.diagnostics).line(self.color));
        };
        let explained = self.diagnostics.iter().map(|diagnostic| diagnostic.rule).find(|rule| rule.has_code());
        if let Some(rule) = explained {
            writeln!(f, "run `{command} explain {}` for more about this kind of problem", rule.code)?;
        }
        writeln!(f, "{}{}", Summary::of(self.diagnostics).line(self.color), self.fixes())
    }
}

impl Terminal<'_> {
    /// Returns the text about fixable problems for the last line.
    fn fixes(&self) -> String {
        let safe = self.diagnostics.iter().filter(|diagnostic| diagnostic.is_fixable()).count();
        let all = self.diagnostics.iter().filter(|diagnostic| !diagnostic.edits.is_empty()).count();
        match (safe, all - safe) {
            (0, 0) => String::new(),
            (0, others) => format!(", {others} fixable with `--unsafe-fixes`"),
            (safe, 0) => format!(", [*] {safe} fixable with `--fix`"),
            (safe, others) => format!(", [*] {safe} fixable with `--fix` and {others} more with `--unsafe-fixes`"),
        }
    }
}

/// Replaces the placeholders with the positions, in order. The line and column that the library has added to each
/// placeholder are removed.
fn insert_places(drawn: &str, places: &[String], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut pieces = drawn.split(PLACEHOLDER);
    f.write_str(pieces.next().unwrap_or_default())?;
    for (piece, place) in pieces.zip(places) {
        f.write_str(place)?;
        f.write_str(piece.trim_start_matches(|character: char| character == ':' || character.is_ascii_digit()))?;
    }
    Ok(())
}
