//! Notifications: changes of documents, files, folders and configurations.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use lsp_server::Notification;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tosca_parse::source::Address;

use super::{File, Server, concerns};
use crate::place;
use crate::protocol::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, Uri,
};

/// The maximum number of closed files per folder to parse.
const MOST_FILES: usize = 500;

/// The maximum size of a new file that is read to see what it is, in bytes.
const LARGEST: u64 = 1 << 20;

/// Files that are not open can wait.
const LATER: Duration = Duration::from_millis(300);

/// The maximum pause after a keystroke; a shorter pause is as long as parsing takes.
const LONGEST_PAUSE: Duration = Duration::from_millis(150);

/// Parses that take less time need no pause.
const FAST: Duration = Duration::from_millis(20);

impl Server<'_> {
    pub(super) fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            "textDocument/didOpen" => with(params, |params| self.did_open(params)),
            "textDocument/didChange" => with(params, |params| self.did_change(params)),
            "textDocument/didClose" => with(params, |params| self.did_close(&params)),
            "workspace/didChangeWatchedFiles" => with(params, |params| self.did_change_files(&params)),
            "workspace/didChangeWorkspaceFolders" => with(params, |params| self.did_change_folders(&params)),
            "$/cancelRequest" => self.cancel(&params),
            _ => {}
        }
    }

    fn did_open(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        let Some(address) = place::address(&item.uri) else { return };
        self.documents.open(&address, item.uri, item.version, item.text);
        self.touch(&address);
    }

    fn did_change(&mut self, params: DidChangeTextDocumentParams) {
        let document = params.text_document;
        let Some(address) = place::address(&document.text_document_identifier.uri) else { return };
        if self.documents.change(&address, document.version, params.content_changes) {
            self.touch(&address);
        }
    }

    fn did_close(&mut self, params: &DidCloseTextDocumentParams) {
        let Some(address) = place::address(&params.text_document.uri) else { return };
        let name = address.to_string();
        let Some(document) = self.documents.close(&address) else { return };
        self.files.remove(&name);
        // In a workspace folder, the document continues as a file.
        let path = address.to_path().unwrap_or_default();
        if self.folders.iter().any(|folder| path.starts_with(folder)) {
            self.take_up_file(&address);
        }
        self.answer_pending();
        if !self.files.contains_key(&name) && self.shown.remove(&name).is_some() {
            self.publish(document.uri, None, Vec::new());
        }
        self.note_change(&address);
        self.show();
    }

    fn did_change_files(&mut self, params: &DidChangeWatchedFilesParams) {
        for change in &params.changes {
            let Some(address) = place::address(&change.uri) else { continue };
            if address.to_path().is_some_and(|path| self.host.is_configuration(&path)) {
                return self.forget();
            }
            // For an open document, the editor's text counts.
            if self.documents.get(&address).is_none() {
                let is_there = address.to_path().is_some_and(|path| path.is_file());
                if is_there {
                    self.take_up_file(&address);
                } else {
                    self.files.remove(&address.to_string());
                    self.answer_pending();
                }
                self.note_change(&address);
                self.show();
            }
        }
    }

    fn did_change_folders(&mut self, params: &DidChangeWorkspaceFoldersParams) {
        let path = |uri: &Uri| place::address(uri)?.to_path();
        let removed: Vec<_> = params.event.removed.iter().filter_map(|folder| path(&folder.uri)).collect();
        self.folders.retain(|folder| !removed.contains(folder));
        let is_left = |address: &Address| {
            let path = address.to_path().unwrap_or_default();
            removed.iter().any(|folder| path.starts_with(folder)) && self.documents.get(address).is_none()
        };
        self.files.retain(|_, file| !is_left(&file.address));
        let added: Vec<_> = params.event.added.iter().filter_map(|folder| path(&folder.uri)).collect();
        self.look_around(&added);
        self.folders.extend(added);
        self.answer_pending();
        self.show();
    }

    /// Adds the entry files of folders, so that their names and the files affected by a change are known.
    pub(super) fn look_around(&mut self, folders: &[PathBuf]) {
        for folder in folders {
            for path in self.host.find(folder).into_iter().take(MOST_FILES) {
                let address = Address::from_path(&path, folder);
                self.take_up(&address, LATER);
            }
        }
    }

    /// Adds a file that is not open, if it is an entry.
    fn take_up_file(&mut self, address: &Address) {
        let text = address.to_path().and_then(|path| {
            let is_small = path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() <= LARGEST);
            std::fs::read(path).ok().filter(|_| is_small)
        });
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
        if text.is_some_and(|text| self.host.is_ours(address, &text)) {
            self.take_up(address, LATER);
        }
    }

    /// Adds a file as an entry, to be parsed after a pause.
    fn take_up(&mut self, address: &Address, pause: Duration) {
        let due = Some(Instant::now() + pause);
        let file = File { address: address.clone(), parsed: None, due, problems: BTreeMap::new() };
        self.files.entry(address.to_string()).or_insert(file);
    }

    /// Parses everything again, because a configuration has changed.
    fn forget(&mut self) {
        self.host.forget();
        self.complaints.clear();
        let now = Instant::now();
        self.changed.extend(self.files.values().map(|file| file.address.clone()));
        self.files.values_mut().for_each(|file| file.due = Some(now));
    }

    /// The text of an open document has changed.
    fn touch(&mut self, address: &Address) {
        let name = address.to_string();
        let Some(document) = self.documents.get(address) else { return };
        let is_ours = self.host.is_ours(address, document.source.text());
        if is_ours {
            self.take_up(address, Duration::ZERO);
        } else if self.files.remove(&name).is_some() {
            self.answer_pending();
        }
        self.note_change(address);
        if let Some(file) = self.files.get_mut(&name) {
            let took = file.parsed.as_ref().map_or(Duration::ZERO, |parsed| parsed.took);
            let pause = if took < FAST { Duration::ZERO } else { took.min(LONGEST_PAUSE) };
            file.due = Some(Instant::now() + pause);
        }
        if !is_ours {
            self.show();
        }
    }

    /// Schedules all programs that a change affects.
    fn note_change(&mut self, address: &Address) {
        if self.running.is_some() {
            self.changed.push(address.clone());
        }
        let now = Instant::now();
        for file in self.files.values_mut().filter(|file| file.due.is_none()) {
            if file.parsed.as_ref().is_none_or(|parsed| concerns(parsed, address)) {
                file.due = Some(now);
            }
        }
    }
}

fn with<P: DeserializeOwned>(params: Value, run: impl FnOnce(P)) {
    // Parameters that violate the protocol are ignored.
    if let Ok(params) = serde_json::from_value(params) {
        run(params);
    }
}
