//! The documents that the editor has open.

use std::collections::BTreeMap;
use std::sync::Arc;

use ropey::Rope;
use tosca_parse::diagnostic::SourceId;
use tosca_parse::source::{Address, Source};

use crate::Overlay;
use crate::protocol::{Position, TextDocumentContentChangeEvent as Change, Uri};

/// An open document.
#[derive(Debug)]
pub(crate) struct Document {
    /// Its URI, as sent by the editor.
    pub(crate) uri: Uri,
    /// The editor's version number of the current text.
    pub(crate) version: i32,
    /// The current text.
    pub(crate) source: Arc<Source>,
    /// Whether the whole text has been replaced since the last parse.
    pub(crate) is_replaced: bool,
    /// Whether the current text has been parsed.
    is_parsed: bool,
}

/// All open documents.
#[derive(Debug)]
pub(crate) struct Documents {
    list: BTreeMap<String, Document>,
    overlay: Overlay,
}

impl Documents {
    pub(crate) fn new(overlay: Overlay) -> Self {
        Self { list: BTreeMap::new(), overlay }
    }

    pub(crate) fn get(&self, file: &Address) -> Option<&Document> {
        self.list.get(&file.to_string())
    }

    /// Returns whether the document with the given address is open.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.list.contains_key(name)
    }

    /// Returns the addresses of all open documents.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.list.keys().map(String::as_str)
    }

    /// Returns whether the current text of a document has been parsed.
    pub(crate) fn has_parsed(&self, name: &str) -> bool {
        self.list.get(name).is_some_and(|document| document.is_parsed)
    }

    /// Notes that the current text of a document has been parsed; returns whether it had been parsed before.
    pub(crate) fn note_parsed(&mut self, file: &Address) -> bool {
        let Some(document) = self.list.get_mut(&file.to_string()) else { return false };
        document.is_replaced = false;
        std::mem::replace(&mut document.is_parsed, true)
    }

    pub(crate) fn open(&mut self, file: &Address, uri: Uri, version: i32, text: String) {
        let source = source(text);
        self.overlay.set(file, source.text());
        self.list.insert(file.to_string(), Document { uri, version, source, is_replaced: false, is_parsed: false });
    }

    /// Applies changes to a document in order; returns false if the document is not open.
    pub(crate) fn change(&mut self, file: &Address, version: i32, changes: Vec<Change>) -> bool {
        let Some(document) = self.list.get_mut(&file.to_string()) else { return false };
        document.version = version;
        document.is_parsed = false;
        let mut text = Rope::from_str(document.source.text());
        for change in changes {
            match change {
                Change::TextDocumentContentChangeWholeDocument(whole) => {
                    document.is_replaced = true;
                    text = Rope::from_str(&whole.text);
                }
                Change::TextDocumentContentChangePartial(part) => {
                    let (start, end) = (offset(&text, part.range.start), offset(&text, part.range.end));
                    text.remove(start..end.max(start));
                    text.insert(start, &part.text);
                }
            }
        }
        document.source = source(text.into());
        self.overlay.set(file, document.source.text());
        true
    }

    pub(crate) fn close(&mut self, file: &Address) -> Option<Document> {
        self.overlay.remove(file);
        self.list.remove(&file.to_string())
    }
}

/// Returns the offset of a position, in characters. A position beyond the end of a line counts as the end of that line.
fn offset(text: &Rope, position: Position) -> usize {
    let Some(line) = text.get_line(position.line as usize) else { return text.len_chars() };
    let mut length = line.len_chars();
    // A line ends with a line feed, a carriage return, or both.
    for end in ['\n', '\r'] {
        if length > 0 && line.char(length - 1) == end {
            length -= 1;
        }
    }
    let units = line.char_to_utf16_cu(length).min(position.character as usize);
    text.line_to_char(position.line as usize) + line.utf16_cu_to_char(units)
}

fn source(text: String) -> Arc<Source> {
    Arc::new(Source::new(SourceId(0), "", text))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::path::Path;

    use super::*;

    #[test]
    fn edits_apply_in_order() {
        let file = Address::from_path(Path::new("a.yaml"), Path::new("/"));
        let mut documents = Documents::new(Overlay::default());
        documents.open(&file, Uri("file:///a.yaml".to_owned()), 1, "\u{feff}a: 😀b\r\nüc: d\re\n".to_owned());
        let mut change = |(from, to): ((u32, u32), (u32, u32)), text: &str| {
            let place = |(line, character)| serde_json::json!({ "line": line, "character": character });
            let range = serde_json::json!({ "start": place(from), "end": place(to) });
            let change = serde_json::from_value(serde_json::json!({ "range": range, "text": text })).unwrap();
            assert!(documents.change(&file, 2, vec![change]));
            documents.get(&file).unwrap().source.text().to_string()
        };
        assert_eq!(change(((0, 0), (0, 1)), ""), "a: 😀b\r\nüc: d\re\n");
        assert_eq!(change(((0, 4), (0, 4)), "x"), "a: x😀b\r\nüc: d\re\n", "within a letter");
        assert_eq!(change(((0, 6), (1, 1)), ""), "a: x😀c: d\re\n");
        assert_eq!(change(((0, 99), (0, 99)), "!"), "a: x😀c: d!\re\n", "the end of the line");
        assert_eq!(change(((9, 9), (9, 9)), "f\n"), "a: x😀c: d!\re\nf\n", "the end of the text");
        assert_eq!(change(((1, 1), (1, 0)), "g"), "a: x😀c: d!\reg\nf\n", "an end before the start");
    }
}
