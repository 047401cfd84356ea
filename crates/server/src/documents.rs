//! The documents that the editor has open.

use std::collections::BTreeMap;
use std::sync::Arc;

use tosca_parse::diagnostic::SourceId;
use tosca_parse::source::{Address, Source};

use crate::Overlay;
use crate::place;
use crate::protocol::{TextDocumentContentChangeEvent as Change, Uri};

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
        for change in changes {
            let text = match change {
                Change::TextDocumentContentChangeWholeDocument(whole) => {
                    document.is_replaced = true;
                    whole.text
                }
                Change::TextDocumentContentChangePartial(part) => {
                    let start = place::offset(&document.source, part.range.start) as usize;
                    let end = place::offset(&document.source, part.range.end) as usize;
                    let mut text = document.source.text().to_string();
                    text.replace_range(start..end.max(start), &part.text);
                    text
                }
            };
            document.source = source(text);
        }
        self.overlay.set(file, document.source.text());
        true
    }

    pub(crate) fn close(&mut self, file: &Address) -> Option<Document> {
        self.overlay.remove(file);
        self.list.remove(&file.to_string())
    }
}

fn source(text: String) -> Arc<Source> {
    Arc::new(Source::new(SourceId(0), "", text))
}
