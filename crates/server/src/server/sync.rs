//! Notifications: changes to documents, files, folders and configurations.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use foldhash::HashSet;
use lsp_server::Notification;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tosca_parse::source::Address;
use web_time::Instant;

use super::Server;
use crate::index::stamp;
use crate::place;
use crate::protocol::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, Uri,
};

/// The pause before a file that is not open is parsed.
const LATER: Duration = Duration::from_millis(300);

/// The maximum pause after a keystroke. If the last parse took less time, the pause is as long as that parse.
const LONGEST_PAUSE: Duration = Duration::from_millis(150);

/// The duration below which a parse needs no pause.
const FAST: Duration = Duration::from_millis(50);

impl Server<'_> {
    pub(super) fn notification(&mut self, notification: Notification) {
        let Notification { method, mut params } = notification;
        if let Some(uri) = params.pointer("/textDocument/uri").filter(|_| method == "textDocument/didOpen") {
            let folder = self.folders.first().cloned().or_else(|| std::env::current_dir().ok());
            self.untitled.open(uri.as_str().unwrap_or_default(), &folder.unwrap_or_default());
        }
        self.untitled.to_files(&mut params);
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
        self.tokens.get_mut().forget(&name);
        let affected = self.files.remove(&name);
        // If the file is in the workspace, it remains an entry, with its content on disk.
        self.classify(&address);
        if !self.files.contains(&name) && self.shown.remove(&name).is_some() {
            self.publish(document.uri, None, Vec::new());
        }
        self.note_change(&address.to_string());
        self.answer_pending();
        self.show(affected);
        self.untitled.close(&params.text_document.uri.0);
    }

    fn did_change_files(&mut self, params: &DidChangeWatchedFilesParams) {
        let mut is_configured = false;
        for change in &params.changes {
            let Some(address) = place::address(&change.uri) else { continue };
            if address.to_path().is_some_and(|path| self.host.is_configuration(&path)) {
                is_configured = true;
                continue;
            }
            let Some(path) = address.to_path() else { continue };
            let name = address.to_string();
            let is_open = self.documents.get(&address).is_some();
            let affected = if path.is_dir() {
                let found: Vec<PathBuf> =
                    self.within_workspace(&path).iter().flat_map(|folder| self.host.find(folder)).collect();
                found.iter().flat_map(|found| self.classify(&Address::from_path(found, &path))).collect()
            } else if path.is_file() || is_open {
                self.classify(&address)
            } else {
                let mut affected = self.remove_below(&path);
                affected.append(&mut self.classify(&address));
                affected
            };
            // For an open document, the editor's text counts.
            if !is_open {
                self.note_change(&name);
            }
            if !path.is_file() {
                self.files.read_below(&name).iter().for_each(|file| self.note_change(file));
            }
            self.answer_pending();
            self.show(affected);
        }
        if is_configured {
            self.forget();
        }
        self.begin_progress();
    }

    fn did_change_folders(&mut self, params: &DidChangeWorkspaceFoldersParams) {
        let path = |uri: &Uri| place::address(uri)?.to_path();
        let removed: Vec<_> = params.event.removed.iter().filter_map(|folder| path(&folder.uri)).collect();
        self.folders.retain(|folder| !removed.contains(folder));
        let affected: BTreeSet<String> = removed.iter().flat_map(|folder| self.remove_below(folder)).collect();
        // The remaining folders may contain the removed ones.
        self.look_around(&self.folders.clone());
        let added: Vec<_> = params.event.added.iter().filter_map(|folder| path(&folder.uri)).collect();
        self.look_around(&added);
        self.folders.extend(added);
        self.restart_searches();
        self.answer_pending();
        self.show(affected);
        self.begin_progress();
    }

    /// Returns the parts of a folder that belong to the workspace: all of it, or the folders of the workspace below it.
    fn within_workspace(&self, path: &Path) -> Vec<PathBuf> {
        if self.folders.iter().any(|folder| path.starts_with(folder)) {
            return vec![path.to_owned()];
        }
        self.folders.iter().filter(|folder| folder.starts_with(path)).cloned().collect()
    }

    /// Removes a file or the files in a folder, except open ones; returns the files whose problems may have changed.
    fn remove_below(&mut self, path: &Path) -> BTreeSet<String> {
        let is_below = |address: &Address| address.to_path().is_some_and(|file| file.starts_with(path));
        let below = self.files.iter().map(|(_, file)| &file.address).filter(|address| is_below(address));
        let removed: Vec<Address> = below.filter(|address| self.documents.get(address).is_none()).cloned().collect();
        let mut affected = BTreeSet::new();
        for address in &removed {
            affected.append(&mut self.files.remove(&address.to_string()));
            self.note_change(&address.to_string());
        }
        affected
    }

    /// Adds the entry files of folders, so that their names and the files affected by a change are known.
    pub(super) fn look_around(&mut self, folders: &[PathBuf]) {
        for folder in folders {
            for path in self.host.find(folder) {
                let address = Address::from_path(&path, folder);
                self.take_up(&address, LATER);
            }
        }
    }

    /// Looks for changed files if the editor does not report changes.
    pub(super) fn look_for_changes(&mut self) {
        if self.client.watches {
            return;
        }
        let is_open = |address: &Address| self.documents.get(address).is_some();
        let closed = self.files.iter().filter(|(_, file)| !is_open(&file.address));
        let files: Vec<(Address, bool)> = closed
            .filter_map(|(_, file)| {
                let known = file.record.as_ref()?.stamp;
                let stamp = stamp(&file.address);
                (stamp != known).then(|| (file.address.clone(), stamp.is_some()))
            })
            .collect();
        let mut affected = BTreeSet::new();
        for (address, is_there) in files {
            if !is_there {
                affected.append(&mut self.files.remove(&address.to_string()));
            }
            self.note_change(&address.to_string());
        }
        affected.append(&mut self.find_again());
        self.show(affected);
    }

    /// Adds the entry that a file belongs to, or removes the file if it is no entry; returns the files whose problems
    /// may have changed. Open documents are not changed, because they are classified by their text.
    fn classify(&mut self, address: &Address) -> BTreeSet<String> {
        let Some(path) = address.to_path() else { return BTreeSet::new() };
        let folders: Vec<PathBuf> = self.folders.iter().filter(|folder| path.starts_with(folder)).cloned().collect();
        let entry = folders.iter().find_map(|folder| self.host.entry_of(folder, &path));
        if self.is_regrouped(&path, entry.as_deref()) {
            let affected = self.find_again();
            self.restart_searches();
            return affected;
        }
        if self.documents.get(address).is_some() {
            return BTreeSet::new();
        }
        if entry.as_ref() != Some(&path) {
            let affected = self.files.remove(&address.to_string());
            let Some(entry) = entry else { return affected };
            // The entry may consist of other files than before.
            let whole = Address::from_path(&entry, &entry);
            self.take_up(&whole, LATER);
            self.note_change(&whole.to_string());
            return affected;
        }
        self.take_up(address, LATER);
        BTreeSet::new()
    }

    /// Returns whether a file shows that a folder around it is now read as a whole, or no longer.
    fn is_regrouped(&self, path: &Path, entry: Option<&Path>) -> bool {
        let is_known = |path: &Path| self.files.contains(&Address::from_path(path, path).to_string());
        let is_inside = || path.ancestors().skip(1).any(is_known);
        match entry {
            Some(entry) => !is_known(entry) && (entry != path || is_inside()),
            None => is_inside(),
        }
    }

    /// Adds the entry files of all folders and removes the others that are not open; returns the files whose problems
    /// may have changed.
    fn find_again(&mut self) -> BTreeSet<String> {
        let mut found = HashSet::default();
        for folder in self.folders.clone() {
            for path in self.host.find(&folder) {
                let address = Address::from_path(&path, &folder);
                found.insert(address.to_string());
                self.take_up(&address, LATER);
            }
        }
        let files = self.files.iter().map(|(_, file)| &file.address);
        let is_gone =
            |address: &&Address| !found.contains(&address.to_string()) && self.documents.get(address).is_none();
        let gone: Vec<Address> = files.filter(is_gone).cloned().collect();
        gone.iter().flat_map(|address| self.files.remove(&address.to_string())).collect()
    }

    /// Adds a file as an entry, to be parsed after a pause.
    fn take_up(&mut self, address: &Address, pause: Duration) {
        self.files.add(address, self.later(pause));
    }

    /// Returns the time after a pause.
    fn later(&self, pause: Duration) -> Instant {
        Instant::now() + if self.has_pauses { pause } else { Duration::ZERO }
    }

    /// Finds and parses everything again, because a configuration has changed.
    fn forget(&mut self) {
        self.host.forget();
        self.complaints.clear();
        let affected = self.find_again();
        if self.is_parsing() {
            self.changes.extend(self.files.iter().map(|(name, _)| name.to_string()));
        }
        self.files.schedule_all();
        self.restart_searches();
        self.answer_pending();
        self.show(affected);
    }

    /// Updates the entries after a change to the text of an open document.
    fn touch(&mut self, address: &Address) {
        let name = address.to_string();
        let Some(document) = self.documents.get(address) else { return };
        let is_ours = self.host.is_ours(address, document.source.text());
        let affected = if is_ours {
            self.take_up(address, Duration::ZERO);
            BTreeSet::new()
        } else {
            self.files.remove(&name)
        };
        let took = self.files.get(&name).map(|file| file.took);
        let pause = took.filter(|took| *took >= FAST).unwrap_or_default().min(LONGEST_PAUSE);
        let due = self.later(pause);
        self.note_change_until(&name, due);
        if took.is_some() {
            self.files.schedule(&name, due);
        } else {
            self.answer_pending();
            self.show(affected);
        }
    }
}

fn with<P: DeserializeOwned>(params: Value, run: impl FnOnce(P)) {
    // Parameters that violate the protocol are ignored.
    if let Ok(params) = serde_json::from_value(params) {
        run(params);
    }
}
