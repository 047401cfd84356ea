//! Untitled documents.
//!
//! An untitled document is read as a file that does not exist yet: `untitled:Untitled-1` is a file in a workspace
//! folder, so its relative imports start there. URIs are replaced in messages, and no other part of the server knows
//! this scheme.

use std::collections::BTreeMap;
use std::path::Path;

use percent_encoding::percent_decode_str;
use serde_json::Value;
use tosca_parse::source::Address;

use crate::place;
use crate::protocol::Uri;

const SCHEME: &str = "untitled:";

/// The open untitled documents.
#[derive(Debug, Default)]
pub(crate) struct UntitledDocuments {
    /// The URIs of the files, by the URI of the document.
    list: BTreeMap<String, String>,
}

impl UntitledDocuments {
    /// Returns whether a file is an untitled document.
    pub(crate) fn contains(&self, file: &Address) -> bool {
        !self.list.is_empty() && place::uri(file).is_some_and(|uri| self.list.values().any(|known| *known == uri.0))
    }

    /// Notes that the editor opens a document. `folder` is the folder of documents whose URI has no absolute path.
    pub(crate) fn open(&mut self, uri: &str, folder: &Path) {
        let file = file(uri, folder);
        // Once a file has been opened, the document with its path has a title.
        if let Some(opened) = file.as_deref().or(Some(uri)) {
            self.list.retain(|_, known| known != opened);
        }
        if let Some(file) = file {
            self.list.insert(uri.to_owned(), file);
        }
    }

    pub(crate) fn close(&mut self, file: &str) {
        self.list.retain(|_, known| known != file);
    }

    /// Replaces the URIs of documents in a message from the editor by those of files.
    pub(crate) fn to_files(&self, message: &mut Value) {
        if !self.list.is_empty() {
            replace(message, &|uri| self.list.get(uri).cloned());
        }
    }

    /// Replaces the URIs of files in a message to the editor by those of documents.
    pub(crate) fn to_documents(&self, message: &mut Value) {
        if !self.list.is_empty() {
            replace(message, &|uri| self.list.iter().find(|(_, file)| *file == uri).map(|(uri, _)| uri.clone()));
        }
    }
}

/// Returns the URI of the file for an untitled document; `None` for other documents.
fn file(uri: &str, folder: &Path) -> Option<String> {
    let path = uri.strip_prefix(SCHEME)?;
    let address = match path {
        _ if path.starts_with("//") => place::address(&Uri(format!("file:{path}")))?,
        _ if path.starts_with('/') => place::address(&Uri(format!("file://{path}")))?,
        _ => Address::from_path(percent_decode_str(path).decode_utf8_lossy().as_ref().as_ref(), folder),
    };
    place::uri(&address).map(|uri| uri.0)
}

/// Replaces whole strings in a value, including keys.
fn replace(value: &mut Value, new: &dyn Fn(&str) -> Option<String>) {
    match value {
        Value::String(text) => {
            if let Some(new) = new(text) {
                *text = new;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, new)),
        Value::Object(entries) => {
            entries.values_mut().for_each(|value| replace(value, new));
            if entries.keys().any(|key| new(key).is_some()) {
                let old = std::mem::take(entries);
                entries.extend(old.into_iter().map(|(key, value)| (new(&key).unwrap_or(key), value)));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    #[cfg(not(windows))]
    fn untitled_documents_are_files_in_messages() {
        let folder = Path::new("/work");
        let mut documents = UntitledDocuments::default();
        for (document, file) in [
            ("untitled:Untitled-1", "file:///work/Untitled-1"),
            ("untitled:a%20b.yaml", "file:///work/a%20b.yaml"),
            ("untitled:/far/c.yaml", "file:///far/c.yaml"),
            ("untitled:///far/d%2B.yaml", "file:///far/d+.yaml"),
        ] {
            documents.open(document, folder);
            let sent = json!({ "uri": document, "text": format!("{document} "), "changes": { document: [document] } });
            let mut message = sent.clone();
            documents.to_files(&mut message);
            let read = json!({ "uri": file, "text": format!("{document} "), "changes": { file: [file] } });
            assert_eq!(message, read);
            documents.to_documents(&mut message);
            assert_eq!(message, sent);
        }
        documents.open("file:///work/Untitled-1", folder);
        documents.close("file:///work/a%20b.yaml");
        for (uri, is_known) in
            [("untitled:Untitled-1", false), ("untitled:a%20b.yaml", false), ("untitled:/far/c.yaml", true)]
        {
            let mut message = json!(uri);
            documents.to_files(&mut message);
            assert_eq!(message != json!(uri), is_known, "{uri}");
        }
    }
}
