//! Parsing: choosing the next file and handling the results.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use lsp_server::Response;
use serde_json::{Value, json};
use tosca_parse::diagnostic::{self, SourceId, Span};
use tosca_parse::rules;
use tosca_parse::source::Address;
use web_time::Instant;

use super::{Server, Shown, Started};
use crate::diagnostics;
use crate::index::Record;
use crate::place;
use crate::protocol::{Diagnostic, PublishDiagnosticsParams, Uri};
use crate::worker::{Job, Parse, ParseResult};

impl Server<'_> {
    /// Starts the next parses. Files that requests wait for come first, then open documents. The others are parsed in
    /// parallel when there are no such files.
    pub(super) fn parse_next(&mut self) {
        while self.urgent.is_none()
            && let Some(name) = self.next_urgent()
        {
            self.parse(name, true);
        }
        self.workers.pause(self.urgent.is_some());
        while self.urgent.is_none()
            && self.others.len() < self.workers.capacity()
            && let Some(name) = self.next_other()
        {
            self.parse(name, false);
        }
    }

    /// Returns the time of the next parse, if it need not wait for a running one.
    pub(super) fn next_parse(&self) -> Option<Instant> {
        if self.urgent.is_some() {
            return None;
        }
        let has_room = self.others.len() < self.workers.capacity();
        let may_start = |name: &str| self.documents.contains(name) || has_room && !self.is_running(name);
        self.files.scheduled().find(|(_, name)| may_start(name)).map(|(due, _)| due)
    }

    fn next_urgent(&self) -> Option<String> {
        // If a file is due, the result of a parse that has been started is out of date.
        let due = |name: &str| self.files.get(name)?.due;
        let mut awaited = self.pending.iter().map(|pending| &*pending.file);
        let (now, needs_all) = (Instant::now(), self.needs_all());
        let open = || {
            let due = self.documents.names().filter_map(|name| Some((due(name)?, name)));
            let due = due.filter(|(due, _)| *due <= now || needs_all);
            // A document that has changed comes before those that it affects.
            due.min_by_key(|(due, name)| (self.documents.has_parsed(name), *due, *name)).map(|(_, name)| name)
        };
        awaited.find(|name| due(name).is_some()).or_else(open).map(str::to_owned)
    }

    fn next_other(&self) -> Option<String> {
        let is_free = |name: &str| !self.is_running(name);
        let searched = || self.searches.values().find_map(|running| running.todo.iter().find(|name| is_free(name)));
        let (now, needs_all) = (Instant::now(), self.needs_all());
        let due = || {
            let due = self.files.scheduled().take_while(|(due, _)| *due <= now || needs_all);
            due.map(|(_, name)| name).find(|name| is_free(name))
        };
        searched().or_else(due).map(ToString::to_string)
    }

    fn needs_all(&self) -> bool {
        self.pending.iter().any(|pending| pending.needs_all)
    }

    /// Returns whether any file is being parsed.
    pub(super) fn is_parsing(&self) -> bool {
        self.urgent.is_some() || !self.others.is_empty()
    }

    /// Returns whether a file is being parsed.
    fn is_running(&self, name: &str) -> bool {
        self.urgent.iter().chain(&self.others).any(|started| started.name == name)
    }

    /// Starts parsing a file.
    fn parse(&mut self, name: String, is_urgent: bool) {
        self.files.unschedule(&name);
        let Some(address) = self.files.get(&name).map(|file| file.address.clone()) else {
            return self.search_has_failed(&name, "it has been removed");
        };
        if self.must_leave_out(&name) {
            return self.leave_out(&name, &address);
        }
        let found = self.host.entry(&address).and_then(|found| Ok((found, self.host.examine(&address)?)));
        let ((parser, entry), problems) = match found {
            Ok(found) => found,
            Err(message) => return self.fail(&name, &message),
        };
        let is_open = self.documents.get(&address).is_some();
        let is_awaited = self.pending.iter().any(|pending| pending.file == name);
        let searches = self.searches.iter().filter(|(_, running)| running.todo.contains(&*name));
        self.started += 1;
        let job = Job {
            number: self.started,
            file: address.clone(),
            parser,
            entry,
            problems,
            is_kept: is_awaited || is_open,
            is_open,
            entries: self.files.names().clone(),
            searches: searches.map(|(number, running)| (*number, running.search.clone())).collect(),
        };
        let started = Started { number: job.number, name, changes: self.changes.len(), result: None };
        if is_urgent {
            // This result replaces one that may have to wait for those of other files.
            self.others.retain(|other| other.name != started.name);
            self.urgent = Some(started);
            self.workers.parse_now(job);
            self.store_finished();
        } else {
            self.others.push_back(started);
            self.workers.parse_later(job);
        }
    }

    /// Returns whether a file that nobody waits for must not be parsed, because the imports of the others exceed the limit.
    fn must_leave_out(&mut self, name: &str) -> bool {
        let is_awaited = self.documents.contains(name) || self.pending.iter().any(|pending| pending.file == name);
        !is_awaited && self.files.imports_apart_from(name) > self.host.max_imports()
    }

    /// Notes that a file is not parsed.
    fn leave_out(&mut self, name: &str, address: &Address) {
        let reason = format!(
            "the imports of other files in the workspace, and what counts as imports, exceed the limit ({} in all)",
            self.host.max_imports()
        );
        let start = Span { source: SourceId(0), start: 0, end: 0 };
        let problem =
            diagnostic::Diagnostic::new(&rules::TOO_MANY_IMPORTS, start, format!("not checked, because {reason}"))
                .with_help("open the file, or raise the limit `import-total` in your own configuration");
        let record = Record::left_out(address, diagnostics::at_start(&problem, self.host.name()));
        let affected = self.files.set(name, record, None);
        let message = format!("some files are not checked, because {reason}");
        if self.complaints.insert(message.clone()) {
            self.notify("window/showMessage", json!({ "type": 2, "message": message }));
        }
        self.search_has_failed(name, &reason);
        self.show(affected);
        self.answer_pending();
    }

    /// Notes that a file can't be parsed, because its configuration is invalid or the parser has failed.
    fn fail(&mut self, name: &str, message: &str) {
        let affected = self.files.fail(name);
        // There will be no result, so pending requests get an empty answer.
        let (none, waiting) = std::mem::take(&mut self.pending).into_iter().partition(|pending| pending.file == name);
        self.pending = waiting;
        let none: Vec<super::Pending> = none;
        none.into_iter().for_each(|pending| self.respond(Response::new_ok(pending.id, pending.default)));
        if self.complaints.insert(message.to_owned()) {
            self.notify("window/showMessage", json!({ "type": 1, "message": message }));
        }
        self.search_has_failed(name, message);
        self.show(affected);
        self.answer_pending();
    }

    /// Stores the result for a file. Those of files that are not urgent are stored in the order in which the files were
    /// started.
    pub(super) fn take(&mut self, done: ParseResult) {
        if let Some(started) = self.urgent.take_if(|started| started.number == done.number) {
            self.store(started.changes, done);
        } else if let Some(started) = self.others.iter_mut().find(|started| started.number == done.number) {
            started.result = Some(done);
            self.store_finished();
        }
        if !self.is_parsing() {
            self.changes.clear();
        }
        self.watch_more();
        self.report_progress();
        self.request_refreshes();
    }

    /// Stores the results that need not wait for others.
    fn store_finished(&mut self) {
        while let Some(result) = self.others.front_mut().and_then(|started| started.result.take()) {
            let started = self.others.pop_front();
            self.store(started.map_or(0, |started| started.changes), result);
        }
    }

    /// Stores the result for a file, unless a source has changed since the parse started.
    fn store(&mut self, changes: usize, done: ParseResult) {
        let name = done.file.to_string();
        let Some(file) = self.files.get(&name) else { return };
        let analysis = match done.result {
            Parse::Done(analysis) => *analysis,
            Parse::Failed => return self.fail(&name, &format!("the parser has failed for {name}")),
            Parse::Skipped => return self.files.schedule(&name, file.due.unwrap_or_else(Instant::now)),
        };
        let has_changed = |changed: &String| *changed == name || analysis.record.concerns(changed);
        if self.changes.get(changes..).into_iter().flatten().any(has_changed) {
            let now = Instant::now();
            return self.files.schedule(&name, file.due.map_or(now, |due| due.max(now)));
        }
        // The results for files are stored in order, so this does not depend on the number of threads.
        if self.must_leave_out(&name) {
            return self.leave_out(&name, &done.file);
        }
        let Some(file) = self.files.get(&name) else { return };
        // The first parse also reads all imports, so its time does not predict that of the next.
        let uses = file.record.as_ref().map_or(&[][..], |record| &record.uses);
        self.has_new_uses |= *uses != *analysis.record.uses;
        let took = if file.record.is_some() { analysis.took } else { Duration::ZERO };
        self.files.set_took(&name, took);
        self.note_looked_for(&analysis.record);
        let imports = (self.files.imports(), self.host.max_imports());
        let affected = self.files.set(&name, analysis.record, analysis.parsed);
        if self.files.imports() < imports.0 {
            self.files.schedule_left_out(imports.1, Instant::now());
        }
        self.has_new_context |= self.documents.note_parsed(&done.file);
        self.show(affected);
        self.note_found(&name, analysis.found);
        self.answer_pending();
        if self.documents.get(&done.file).is_none() && !self.pending.iter().any(|pending| pending.file == name) {
            self.files.drop_program(&name);
        }
    }

    /// Asks the editor to request again what depends on other files than the document.
    fn request_refreshes(&mut self) {
        if self.has_new_uses && self.is_settled() {
            self.has_new_uses = false;
            if self.client.refreshes_lenses {
                self.ask("workspace/codeLens/refresh", &Value::Null);
            }
        }
        let is_due = |name: &str| self.files.get(name).is_some_and(|file| file.due.is_some());
        if self.has_new_context && !self.documents.names().any(is_due) {
            self.has_new_context = false;
            if self.client.refreshes_tokens {
                self.ask("workspace/semanticTokens/refresh", &Value::Null);
            }
            if self.client.refreshes_hints {
                self.ask("workspace/inlayHint/refresh", &Value::Null);
            }
        }
    }

    /// Publishes the problems of the given files, if they have changed.
    pub(super) fn show(&mut self, names: BTreeSet<String>) {
        let mut is_surprise = false;
        for name in names {
            // Problems of files that are about to be parsed are published afterward.
            if self.files.get(&name).is_some_and(|file| file.due.is_some() || file.record.is_none()) {
                continue;
            }
            let Ok(address) = Address::parse(&name) else { continue };
            let problems = self.files.problems(&name);
            let shown = self.shown.get(&name);
            let document = self.documents.get(&address);
            // A newly opened document is reported even if it has no problems.
            let is_new = shown.is_none() && document.is_some() && self.files.contains(&name);
            if !is_new && shown.map_or(&[][..], |shown| &shown.problems) == problems {
                continue;
            }
            let version = document.map(|document| document.version);
            is_surprise |= version.is_some() && shown.is_some_and(|shown| shown.version == version);
            if let Some(uri) = document.map(|document| document.uri.clone()).or_else(|| place::uri(&address)) {
                self.publish(uri, version, problems.clone());
            }
            if problems.is_empty() && document.is_none() {
                self.shown.remove(&name);
            } else {
                self.shown.insert(name, Shown { version, problems });
            }
        }
        // An editor that has changed a document pulls its problems again anyway.
        if is_surprise && self.client.pulls && self.client.refreshes {
            self.ask("workspace/diagnostic/refresh", &Value::Null);
        }
    }

    pub(super) fn publish(&self, uri: Uri, version: Option<i32>, diagnostics: Vec<Diagnostic>) {
        if !self.client.pulls {
            self.notify("textDocument/publishDiagnostics", PublishDiagnosticsParams { uri, version, diagnostics });
        }
    }

    /// Schedules all programs that a change to a file affects.
    pub(super) fn note_change(&mut self, file: &str) {
        self.note_change_until(file, Instant::now());
    }

    /// Schedules all programs that a change to a file affects, to be parsed at the given time.
    pub(super) fn note_change_until(&mut self, file: &str, due: Instant) {
        if self.is_parsing() {
            self.changes.push(file.to_owned());
        }
        for name in self.files.affect(file) {
            self.files.schedule(&name, due);
        }
        let max_imports = self.host.max_imports();
        self.files.schedule_left_out(max_imports, due);
        self.restart_searches();
    }

    /// Answers the requests whose programs are available now or never will be available.
    pub(super) fn answer_pending(&mut self) {
        let waiting = std::mem::take(&mut self.pending);
        for pending in waiting {
            let is_fresh = self.is_fresh(&pending.file) && (!pending.needs_all || self.is_settled());
            let is_running = self.is_running(&pending.file);
            match self.files.get(&pending.file).map(|file| (file.address.clone(), file.has_failed() && !is_running)) {
                None | Some((_, true)) => self.respond(Response::new_ok(pending.id, pending.default)),
                Some((address, _)) if is_fresh => {
                    let reply = (pending.answer)(self, &address);
                    self.reply(pending, reply);
                }
                Some(_) => {
                    self.want_program(&pending.file);
                    self.pending.push(pending);
                }
            }
        }
    }

    /// Schedules a file for parsing if it is up to date but its program has not been kept.
    fn want_program(&mut self, name: &str) {
        let is_running = self.is_running(name);
        let file = self.files.get(name).filter(|file| file.due.is_none() && file.parsed.is_none());
        if file.is_some_and(|file| file.record.is_some()) && !is_running {
            self.files.schedule(name, Instant::now());
        }
    }

    /// Returns whether no file is being parsed or waiting to be parsed.
    fn is_settled(&self) -> bool {
        self.to_parse() == 0
    }

    /// Returns the number of files that are being parsed or waiting to be parsed.
    pub(super) fn to_parse(&self) -> usize {
        self.files.to_parse() + self.others.len() + usize::from(self.urgent.is_some())
    }

    pub(crate) fn is_fresh(&self, name: &str) -> bool {
        !self.is_running(name) && self.files.has_program(name)
    }

    /// Returns the names of all entries.
    pub(super) fn entries(&self) -> Arc<foldhash::HashSet<crate::index::Name>> {
        self.files.names().clone()
    }
}
