//! Progress reports while the server reads the files of the workspace.

use lsp_server::{RequestId, Response};
use serde_json::{Value, json};

use super::Server;

/// The minimum number of files for which progress is reported.
const MIN_FILES: usize = 50;

/// The state of a progress report.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// The number of reports that have been requested. A token is only used for one report.
    number: u64,
    /// The request to show a report, if the editor has not answered it yet.
    asked: Option<RequestId>,
    /// Whether the editor shows a report.
    is_shown: bool,
    /// The number of files to parse when the report was requested.
    total: usize,
    /// The last reported percentage.
    percentage: usize,
}

impl Progress {
    fn token(&self) -> String {
        format!("tosca-parse/workspace/{}", self.number)
    }
}

impl Server<'_> {
    /// Asks the editor to show a report if there are many files to parse.
    pub(super) fn begin_progress(&mut self) {
        let total = self.to_parse();
        if self.client.shows_progress && total >= MIN_FILES && !self.progress.is_shown && self.progress.asked.is_none()
        {
            self.progress.number += 1;
            let asked = self.ask("window/workDoneProgress/create", &json!({ "token": self.progress.token() }));
            self.progress = Progress { number: self.progress.number, asked: Some(asked), total, ..Progress::default() };
        }
    }

    /// Begins the report once the editor has agreed to show it.
    pub(super) fn start_progress(&mut self, response: &Response) {
        if self.progress.asked.as_ref() != Some(&response.id) {
            return;
        }
        self.progress.asked = None;
        if response.response_result.is_ok() && self.to_parse() > 0 {
            self.progress.is_shown = true;
            self.send_progress(&json!({ "kind": "begin", "title": "Reading templates", "percentage": 0 }));
        }
    }

    /// Updates the report or, if no files are left, ends it.
    pub(super) fn report_progress(&mut self) {
        if !self.progress.is_shown {
            return;
        }
        let (left, total) = (self.to_parse(), self.progress.total);
        if left == 0 {
            self.send_progress(&json!({ "kind": "end", "message": format!("{} files", self.files.len()) }));
            self.progress = Progress { number: self.progress.number, ..Progress::default() };
            return;
        }
        let done = total.saturating_sub(left);
        let percentage = done * 100 / total.max(1);
        if percentage > self.progress.percentage {
            self.progress.percentage = percentage;
            let message = format!("{done} of {total} files");
            self.send_progress(&json!({ "kind": "report", "message": message, "percentage": percentage }));
        }
    }

    fn send_progress(&self, value: &Value) {
        self.notify("$/progress", json!({ "token": self.progress.token(), "value": value }));
    }
}
