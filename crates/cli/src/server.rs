//! The language server command.

use std::io;
use std::path::{Path, PathBuf};

use tosca_parse_server::{Host, Overlay};

use super::ExitStatus;
use super::args::{RuleOverrides, Server};
use super::graph::Chart;
use super::languages::languages;
use super::parsers::Readers;
use super::streams::Streams;
use super::{config, dirs, folder};
use tosca_parse::entity::Language;
use tosca_parse::graph::{Graph, Options};
use tosca_parse::normal::Service;
use tosca_parse::source::Address;
use tosca_parse::{Entry, Outcome, Parser};

/// Serves an editor over standard input and output.
pub(super) fn run(arguments: &Server, streams: &mut Streams) -> io::Result<ExitStatus> {
    let wishes = RuleOverrides::default();
    let overlay = Overlay::default();
    let mut host = Command { readers: Readers::new(&arguments.reading, &wishes, None).with_overlay(overlay.clone()) };
    // A separate thread writes to standard output.
    streams.leave_out();
    let (connection, threads) = tosca_parse_server::stdio();
    let served = tosca_parse_server::run(&mut host, overlay, &connection);
    // The threads end when the connection is dropped, because it holds the last sender.
    drop(connection);
    match served {
        Ok(()) => threads.join().map(|()| ExitStatus::Valid),
        Err(error) => {
            writeln!(streams.err(), "error: {error}")?;
            Ok(ExitStatus::Invalid)
        }
    }
}

/// The command, from the point of view of the server.
struct Command<'a> {
    readers: Readers<'a>,
}

impl Host for Command<'_> {
    fn name(&self) -> &'static str {
        "tosca-parse"
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn entry(&mut self, file: &Address) -> Result<(Parser, Entry), String> {
        let (number, entry) = self.readers.entry(Entry::at(file.clone()))?;
        Ok((self.readers.parser(number).clone(), entry))
    }

    fn is_ours(&self, file: &Address, text: &str) -> bool {
        let path = file.to_path().unwrap_or_default();
        let is_copy = self.copies().is_some_and(|copies| path.starts_with(copies));
        let is_ours = languages().claim(file.file_name(), text);
        let is_ours = is_ours || super::murano::is_of_package(&path, text);
        is_ours && !self.is_configuration(&path) && !is_copy
    }

    fn is_configuration(&self, file: &Path) -> bool {
        config::is_configuration(file)
    }

    fn forget(&mut self) {
        self.readers.forget();
    }

    fn find(&mut self, folder: &Path) -> Vec<PathBuf> {
        let mut is_excluded = |path: &Path| self.readers.settings(path).is_ok_and(|settings| settings.excludes(path));
        let found = folder::find_with_unreadable(folder, &mut is_excluded);
        // Packages in the same folder can refer to each other.
        for package in found.iter().filter_map(super::murano::package_of) {
            if !self.readers.folders.iter().any(|known| known == package) {
                self.readers.folders.push(package.to_owned());
                self.readers.forget();
            }
        }
        found.into_iter().map(|found| found.path).collect()
    }

    fn copies(&self) -> Option<PathBuf> {
        dirs::cache().map(|cache| cache.join("texts"))
    }

    fn style(&mut self, file: &Address) -> tosca_parse_fmt::Options {
        let path = file.to_path().unwrap_or_default();
        self.readers.settings(&path).map(|settings| settings.formatting()).unwrap_or_default()
    }

    fn language(&self, file: &Address, text: &str) -> Option<&'static Language> {
        languages().of_plain_file(file.file_name(), text)
    }

    fn picture(&self, outcome: &Outcome) -> Result<String, String> {
        if let Some(chart) = Chart::of(&outcome.program) {
            return Graph::of(&chart, Options::default()).svg().map_err(|error| error.to_string());
        }
        let service =
            Service::of(&outcome.program).ok_or("there is no service template, so there is nothing to draw")?;
        Graph::of(&service, Options::default()).svg().map_err(|error| error.to_string())
    }
}
