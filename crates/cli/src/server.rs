//! The language server command.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tosca_parse_server::{Configuration, Host, Overlay};

use super::ExitStatus;
use super::args::{RuleOverrides, Server};
use super::parsers::Readers;
use super::streams::Streams;
use super::{config, folder, plan, test};
use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::entity::Language;
use tosca_parse::graph::{Graph, Options, Subject};
use tosca_parse::source::{Address, Provider as _, regular};
use tosca_parse::{Entry, Outcome, Parser, ard};
use tosca_parse_config::{dirs, here, is_configuration, languages};

/// Serves an editor over standard input and output.
pub(super) fn run(arguments: &Server, wishes: &RuleOverrides, streams: &mut Streams) -> io::Result<ExitStatus> {
    let overlay = Overlay::default();
    let readers = Readers::new(&arguments.reading, wishes, None).with_overlay(overlay.clone());
    let tests = test::builder().provider(Arc::new(overlay.clone())).build().map_err(io::Error::other)?;
    let host = Command { readers, overlay: overlay.clone(), tests };
    // A separate thread writes to standard output.
    streams.leave_out();
    let (connection, threads) = tosca_parse_server::stdio();
    let served = tosca_parse_server::run(Box::new(host), overlay, &connection);
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
    overlay: Overlay,
    /// The parser of test files.
    tests: Parser,
}

impl Command<'_> {
    /// Returns whether a file that no language claims is a test file.
    fn is_test(file: &Address, text: &str) -> bool {
        let path = file.to_path().unwrap_or_default();
        test::is_test(&path, text) && !languages().claim(file.file_name(), text)
    }

    /// Returns whether a file is a test file, according to its current text.
    fn is_test_now(&self, file: &Address) -> bool {
        let path = file.to_path().filter(|path| test::is_test_file(path));
        let read = |path: &Path| {
            let opened = self.overlay.read(file, u64::MAX).ok();
            opened.or_else(|| regular::read(path, ard::Limits::default().bytes).ok())
        };
        let text = path.and_then(|path| String::from_utf8(read(&path)?).ok());
        text.is_some_and(|text| Self::is_test(file, &text))
    }
}

impl Host for Command<'_> {
    fn name(&self) -> &'static str {
        "tosca-parse"
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn entry(&mut self, file: &Address) -> Result<(Parser, Entry), String> {
        if self.is_test_now(file) {
            return Ok((self.tests.clone(), Entry::at(file.clone())));
        }
        let (number, entry) = self.readers.entry(Entry::at(file.clone()))?;
        self.readers.check_wishes()?;
        Ok((self.readers.parser(number).clone(), entry))
    }

    fn examine(&mut self, file: &Address) -> Result<Vec<Diagnostic>, String> {
        if !self.is_test_now(file) {
            return Ok(Vec::new());
        }
        let outcome = self.tests.parse_entry(Entry::at(file.clone()));
        test::problems(file, &outcome, &mut self.readers)
    }

    fn is_ours(&self, file: &Address, text: &str) -> bool {
        let path = file.to_path().unwrap_or_default();
        let is_copy = self.copies().is_some_and(|copies| path.starts_with(copies));
        let is_ours = languages().claim(file.file_name(), text);
        let is_ours = is_ours || super::murano::is_of_package(&path, text) || Self::is_test(file, text);
        is_ours && !self.is_configuration(&path) && !is_copy
    }

    fn is_configuration(&self, file: &Path) -> bool {
        is_configuration(file)
    }

    fn configurations(&self, folder: &Path) -> Vec<Configuration> {
        let read = |path: PathBuf| {
            let opened = self.overlay.read(&Address::from_path(&path, folder), u64::MAX).ok();
            config::configuration(&path, opened)
        };
        folder::configurations(folder).into_iter().filter_map(read).collect()
    }

    fn max_imports(&mut self) -> usize {
        // An invalid configuration is reported for the files to which it applies.
        let settings = self.readers.settings(&here());
        let limits = settings.map(|settings| settings.bounds.run).unwrap_or_default();
        usize::try_from(limits.imports).unwrap_or(usize::MAX)
    }

    fn forget(&mut self) {
        self.readers.forget();
    }

    fn extensions(&self) -> &'static [&'static str] {
        folder::EXTENSIONS
    }

    fn entry_of(&mut self, folder: &Path, file: &Path) -> Option<PathBuf> {
        let is_test = self.is_test_now(&Address::from_path(file, folder));
        let mut is_excluded = |path: &Path| self.readers.settings(path).is_ok_and(|settings| settings.excludes(path));
        if is_test && folder::is_visible(folder, file, &mut is_excluded) {
            return Some(file.to_owned());
        }
        folder::found_with(folder, file, &mut is_excluded).map(|found| found.path)
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
        let mut is_excluded = |path: &Path| self.readers.settings(path).is_ok_and(|settings| settings.excludes(path));
        let tests = folder::files(folder, test::is_test_file, &mut is_excluded);
        let mut paths: BTreeSet<PathBuf> = found.into_iter().map(|found| found.path).collect();
        paths.extend(tests.into_iter().filter(|path| self.is_test_now(&Address::from_path(path, folder))));
        paths.into_iter().collect()
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

    fn diagram(&self, outcome: &Outcome) -> Result<String, String> {
        let subject =
            Subject::of(&outcome.program).ok_or("there is no service template, so there is nothing to draw")?;
        let graph = Graph::of(&subject, Options::default()).masked(&outcome.program.secrets());
        graph.svg().map_err(|error| error.to_string())
    }

    fn plan(&self, outcome: &Outcome) -> Result<String, String> {
        plan::of_outcome(outcome)
    }
}
