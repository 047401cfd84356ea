//! The layout of YAML text, for edits that preserve it.
//!
//! Replacing a word requires only its position. An edit that adds brackets, dashes or lines requires that the text is
//! YAML, and depends on its line ends. Other syntaxes have a different notation, and a node may be written in a source
//! other than the one to be edited.

use std::borrow::Cow;

use super::document::{Document, Kind};
use super::node::Node;
use super::{Dialect, Documents, Options};
use crate::diagnostic::edit::is_plain;
use crate::diagnostic::{Edit, SourceId, Span};
use crate::symbol::Interner;

/// Returns a string as a YAML scalar: plain if it would be read as the same string anywhere, even as a key or between
/// brackets; otherwise in double quotes.
pub fn write_scalar(text: &str, dialect: Dialect) -> Cow<'_, str> {
    let is_string = dialect.schema.resolve(text) == Kind::String;
    if is_string && (is_plain(text) || is_read_back(text, dialect)) {
        text.into()
    } else {
        serde_json::Value::from(text).to_string().into()
    }
}

/// Returns whether plain `text` is read as a string with the same characters.
fn is_read_back(text: &str, dialect: Dialect) -> bool {
    let dialect = Dialect { documents: Documents::First, ..dialect };
    let options = Options { dialect, ..Options::default() };
    let (document, problems) =
        super::read(SourceId(0), format!("{text}: [ {text} ]").into(), &Interner::new(), &options);
    let is_same = |node: Node<'_>| node.kind() == Kind::String && node.text() == text;
    let entries: Vec<_> = document.root().into_iter().flat_map(Node::entries).collect();
    let [entry] = &entries[..] else { return false };
    let items: Vec<Node<'_>> = entry.value.items().collect();
    problems.is_empty() && is_same(entry.key) && matches!(items[..], [item] if is_same(item))
}

/// The characters that end a line.
const LINE_BREAKS: [char; 2] = ['\n', '\r'];

/// The YAML text of a document.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'d> {
    source: SourceId,
    text: &'d str,
}

impl<'d> Layout<'d> {
    /// Returns the layout of a document; `None` if its text has a syntax other than YAML.
    pub fn of(document: &'d Document) -> Option<Self> {
        (!document.assembled).then(|| Self { source: document.source(), text: document.text() })
    }

    /// Returns the layout of the text that contains the given node; `None` if the node is an alias or comes from a
    /// different source, or if [`of`](Self::of) returns `None`.
    pub fn around(node: Node<'d>) -> Option<Self> {
        Self::of(node.document()).filter(|_| !node.is_alias() && node.written().is_some())
    }

    /// Returns as many spaces as there are characters between the start of the line and the given offset.
    pub fn indentation(self, offset: u32) -> String {
        // A byte order mark has no width.
        " ".repeat(self.before(offset).trim_start_matches('\u{feff}').chars().count())
    }

    /// Returns the text of the line before the given offset.
    pub fn before(self, offset: u32) -> &'d str {
        let before = self.text.get(..offset as usize).unwrap_or_default();
        &before[before.rfind(LINE_BREAKS).map_or(0, |at| at + 1)..]
    }

    /// Returns the text of the line after the given offset.
    pub fn after(self, offset: u32) -> &'d str {
        let after = self.text.get(offset as usize..).unwrap_or_default();
        &after[..after.find(LINE_BREAKS).unwrap_or(after.len())]
    }

    /// Returns the edit that inserts `text` at the given offset.
    pub fn insert(self, at: u32, text: impl Into<String>) -> Edit {
        Edit::insertion(self.source, at, text)
    }

    /// Returns the edit that replaces the source text from `start` to `end` with `text`.
    pub fn replace(self, start: u32, end: u32, text: impl Into<String>) -> Edit {
        Edit { span: Span { source: self.source, start, end }, ..self.insert(start, text) }
    }

    /// Returns the line break that ends the line containing `end`.
    pub fn line_break(self, end: u32) -> &'static str {
        let rest = self.text.get(self.end_of_line(end) as usize..).unwrap_or_default();
        // The last line has no line break of its own.
        let rest =
            if rest.is_empty() { self.text.get(self.text.find(LINE_BREAKS).unwrap_or_default()..) } else { Some(rest) };
        ["\r\n", "\r"]
            .into_iter()
            .find(|line_break| rest.is_some_and(|rest| rest.starts_with(line_break)))
            .unwrap_or("\n")
    }

    /// Returns the edit that inserts `line` below the line that contains `end`.
    pub fn insert_below(self, end: u32, line: &str) -> Edit {
        self.insert(self.end_of_line(end), format!("{}{line}", self.line_break(end)))
    }

    /// Returns the end of the line that contains the last nonblank character before `end`, because a block scalar ends
    /// at the start of the next line.
    fn end_of_line(self, end: u32) -> u32 {
        let written = self.text.get(..end as usize).unwrap_or_default().trim_end().len() as u32;
        written + self.after(written).len() as u32
    }
}

impl Node<'_> {
    /// Returns the edit that replaces the node's text with `word`, keeping the quotes.
    pub fn reworded(self, word: &str) -> Option<Edit> {
        Edit::word(self.span(), self.written()?, word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ard::{self, Assembler};

    fn read(text: &str) -> Document {
        ard::read(SourceId(0), text.into(), &Interner::new(), &Options::default()).0
    }

    fn changed(text: &str, edit: &Edit) -> String {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        [&text[..start], &edit.text, &text[end..]].concat()
    }

    #[test]
    fn strings_are_quoted_where_yaml_needs_it() {
        let plain = [
            "Server",
            "a.yaml",
            "../lib/a b.yaml",
            "./a:b.yaml",
            "a#b",
            "it's",
            "größe",
            "-a",
            "+",
            "yes",
            "a\\b",
            "=",
            "a=b",
            "x(1)",
            "/a",
            "1.2.3",
        ];
        for text in plain {
            assert_eq!(write_scalar(text, Dialect::CORE), text);
        }
        let quoted = [
            "", " a", "a ", "a: b", "a:", "a #b", "#a", "- a", "-", "[a]", "a, b", "{", "*a", "&a", "!a", "|", ">",
            "%a", "@a", "`a", "'a'", "\"a\"", "true", "null", "~", "1", "1.10", "0x1f", ".inf", "<<", "a\nb", "? a",
            "a]", ": a", "a\tb #c",
        ];
        for text in quoted {
            let written = write_scalar(text, Dialect::CORE);
            assert_ne!(written, text);
            let document = read(&format!("- {{ {written}: {written} }}\n- {written}: {written}\n"));
            for item in document.root().into_iter().flat_map(Node::items) {
                let entry = item.entries().next().expect(text);
                assert_eq!((entry.key.text(), entry.value.text(), entry.value.kind()), (text, text, Kind::String));
            }
        }
        let older = Dialect { schema: ard::Schema::Yaml11, ..Dialect::CORE };
        assert_eq!((write_scalar("yes", older), write_scalar("1:30", older)), ("\"yes\"".into(), "\"1:30\"".into()));
    }

    #[test]
    fn lines_are_inserted_below_existing_ones() {
        for (text, expected) in [
            ("a: 1", "a: 1\nb: 2"),
            ("a: 1 # one\nc: 3\n", "a: 1 # one\nb: 2\nc: 3\n"),
            ("a: 1\r\nc: 3\r\n", "a: 1\r\nb: 2\r\nc: 3\r\n"),
            ("a: 1 # one\rc: 3\r", "a: 1 # one\rb: 2\rc: 3\r"),
            ("# one\r\na: 1", "# one\r\na: 1\r\nb: 2"),
            ("a: |\n  text\n\nc: 3\n", "a: |\n  text\nb: 2\n\nc: 3\n"),
        ] {
            let document = read(text);
            let layout = Layout::of(&document).expect("it is YAML");
            let first = document.root().and_then(|root| root.entries().next()).expect("it has an entry");
            assert_eq!(changed(text, &layout.insert_below(first.value.span().end, "b: 2")), expected);
        }
    }

    #[test]
    fn text_around_an_offset_is_found() {
        let document = read("a:\n  - ü: 1 # one\n");
        let layout = Layout::of(&document).expect("it is YAML");
        assert_eq!((layout.before(7), layout.after(7)), ("  - ", "ü: 1 # one"));
        assert_eq!(layout.indentation(7), "    ");
        let document = read("\u{feff}a: 1\r  b: 2\r");
        let layout = Layout::of(&document).expect("it is YAML");
        assert_eq!((layout.indentation(3), layout.before(10), layout.after(10)), (String::new(), "  ", "b: 2"));
    }

    #[test]
    fn nodes_of_other_sources_have_no_layout() {
        let document = read("a: &a 1\nb: *a\n");
        let items: Vec<_> =
            document.root().into_iter().flat_map(|root| root.entries().map(|entry| entry.value)).collect();
        assert!(Layout::around(items[0]).is_some() && Layout::around(items[1]).is_none());

        let interner = Interner::new();
        let mut assembler = Assembler::new(SourceId(0), "a".into(), &interner, &Options::default());
        assembler.scalar(Kind::String, "a", Span { source: SourceId(0), start: 0, end: 1 });
        let made = assembler.finish();
        assert!(Layout::of(&made).is_none() && made.root().is_some_and(|root| Layout::around(root).is_none()));
    }

    #[test]
    fn written_text_is_that_of_the_own_source() {
        let interner = Interner::new();
        let mut assembler = Assembler::new(SourceId(0), "a".into(), &interner, &Options::default());
        assert!(assembler.open(Kind::List, Span { source: SourceId(0), start: 0, end: 1 }));
        assembler.scalar(Kind::String, "far", Span { source: SourceId(1), start: 400, end: 403 });
        assembler.scalar(Kind::String, "a", Span { source: SourceId(0), start: 0, end: 1 });
        assembler.close();
        let document = assembler.finish();
        let written: Vec<_> = document.root().into_iter().flat_map(|root| root.items().map(Node::written)).collect();
        assert_eq!(written, [None, Some("a")]);
    }
}
