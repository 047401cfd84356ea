//! How a YAML text is laid out, for changes that keep it so.
//!
//! A change of a word needs nothing but its place. One that adds brackets, dashes or lines must know that the text is
//! YAML, and where its lines begin and end. What another syntax has made of a text is written in a way that nobody here
//! knows, and a node may be written in another source than the one that is to be changed.

use super::document::Document;
use super::node::Node;
use crate::diagnostic::{Edit, SourceId, Span};

/// The text of a document that is written in YAML.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'d> {
    source: SourceId,
    text: &'d str,
}

impl<'d> Layout<'d> {
    /// That of a document; none if its text is of another syntax.
    pub fn of(document: &'d Document) -> Option<Self> {
        (!document.assembled).then(|| Self { source: document.source(), text: document.text() })
    }

    /// That of the text that a node is written in; none if the node is an alias, or as [`of`](Self::of) says.
    pub fn around(node: Node<'d>) -> Option<Self> {
        Self::of(node.document()).filter(|_| !node.is_alias() && node.written().is_some())
    }

    /// The indentation of what stands at an offset: how far into its line, in blanks.
    pub fn indentation(self, offset: u32) -> String {
        " ".repeat(self.before(offset).chars().count())
    }

    /// What stands before an offset on its line.
    pub fn before(self, offset: u32) -> &'d str {
        let before = self.text.get(..offset as usize).unwrap_or_default();
        &before[before.rfind('\n').map_or(0, |at| at + 1)..]
    }

    /// What stands from an offset to the end of its line.
    pub fn after(self, offset: u32) -> &'d str {
        let after = self.text.get(offset as usize..).unwrap_or_default();
        after.lines().next().unwrap_or_default()
    }

    /// The change that puts something in at an offset.
    pub fn insert(self, at: u32, text: impl Into<String>) -> Edit {
        Edit::insertion(self.source, at, text)
    }

    /// The change that writes something in the place of what stands from one offset to another.
    pub fn replace(self, start: u32, end: u32, text: impl Into<String>) -> Edit {
        Edit { span: Span { source: self.source, start, end }, ..self.insert(start, text) }
    }

    /// What ends the line on which something ends.
    pub fn line_break(self, end: u32) -> &'static str {
        let rest = self.text.get(self.end_of_line(end) as usize..).unwrap_or_default();
        if rest.starts_with("\r\n") { "\r\n" } else { "\n" }
    }

    /// The change that puts a line in below the one on which something ends.
    pub fn insert_below(self, end: u32, line: &str) -> Edit {
        self.insert(self.end_of_line(end), format!("{}{line}", self.line_break(end)))
    }

    /// Where the line ends on which something ends; what is written in lines of its own ends where the next one begins.
    fn end_of_line(self, end: u32) -> u32 {
        let written = self.text.get(..end as usize).unwrap_or_default().trim_end().len() as u32;
        written + self.after(written).len() as u32
    }
}

impl Node<'_> {
    /// The change that writes a word in the place of the one that stands at the node, in the quotes that it has.
    pub fn reworded(self, word: &str) -> Option<Edit> {
        Edit::word(self.span(), self.written()?, word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ard::{self, Assembler, Kind, Options};
    use crate::symbol::Interner;

    fn read(text: &str) -> Document {
        ard::read(SourceId(0), text.into(), &Interner::new(), &Options::default()).0
    }

    fn changed(text: &str, edit: &Edit) -> String {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        [&text[..start], &edit.text, &text[end..]].concat()
    }

    #[test]
    fn lines_are_put_in_below_what_is_there() {
        for (text, expected) in [
            ("a: 1", "a: 1\nb: 2"),
            ("a: 1 # one\nc: 3\n", "a: 1 # one\nb: 2\nc: 3\n"),
            ("a: 1\r\nc: 3\r\n", "a: 1\r\nb: 2\r\nc: 3\r\n"),
            ("a: |\n  text\n\nc: 3\n", "a: |\n  text\nb: 2\n\nc: 3\n"),
        ] {
            let document = read(text);
            let layout = Layout::of(&document).expect("it is YAML");
            let first = document.root().and_then(|root| root.entries().next()).expect("it has an entry");
            assert_eq!(changed(text, &layout.insert_below(first.value.span().end, "b: 2")), expected);
        }
    }

    #[test]
    fn what_stands_around_a_place() {
        let document = read("a:\n  - ü: 1 # one\n");
        let layout = Layout::of(&document).expect("it is YAML");
        assert_eq!((layout.before(7), layout.after(7)), ("  - ", "ü: 1 # one"));
        assert_eq!(layout.indentation(7), "    ");
    }

    #[test]
    fn what_is_written_elsewhere_has_no_layout() {
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
    fn what_is_written_is_that_of_the_own_source() {
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
