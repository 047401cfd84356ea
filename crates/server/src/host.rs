//! The interface between the server and the command that runs it.

use std::path::{Path, PathBuf};

use tosca_parse::ard::{Document, NodeId};
use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::entity::Language;
use tosca_parse::source::{Address, Source};
use tosca_parse::{Entry, Outcome, Parser};

/// A configuration file.
#[derive(Debug)]
pub struct Configuration {
    /// Its path.
    pub path: PathBuf,
    /// Its current text.
    pub source: Source,
    /// The content, in the dialect [`Dialect::CORE`](tosca_parse::ard::Dialect::CORE).
    pub document: Document,
    /// The scalars that are paths of files or folders, relative to the folder of the file.
    pub paths: Vec<NodeId>,
    /// The scalars that are patterns of paths in the folder of the file. A pattern without a slash is not a path.
    pub patterns: Vec<NodeId>,
}

/// A command that runs a language server.
pub trait Host {
    /// Returns the name that editors show.
    fn name(&self) -> &'static str;

    /// Returns the version that editors show.
    fn version(&self) -> &'static str {
        ""
    }

    /// Chooses the parser and the inputs for a file. The parser must ask the [`Overlay`](crate::Overlay) first.
    ///
    /// # Errors
    ///
    /// Returns an error if the configuration of the file is invalid: one line for the user.
    fn entry(&mut self, file: &Address) -> Result<(Parser, Entry), String>;

    /// Returns the problems of an entry that its parser does not find. They have positions in the entry.
    ///
    /// # Errors
    ///
    /// Returns an error if a configuration is invalid: one line for the user.
    fn examine(&mut self, file: &Address) -> Result<Vec<Diagnostic>, String> {
        let _ = file;
        Ok(Vec::new())
    }

    /// Returns whether `text` is in one of the host's languages. Files in other languages are ignored.
    fn is_ours(&self, file: &Address, text: &str) -> bool;

    /// Returns whether a file is a configuration file. If it changes, everything is parsed again.
    fn is_configuration(&self, file: &Path) -> bool {
        let _ = file;
        false
    }

    /// Returns the configuration files in a folder and its subfolders that could be read.
    fn configurations(&self, folder: &Path) -> Vec<Configuration> {
        let _ = folder;
        Vec::new()
    }

    /// Returns the maximum work for the imports of all entries that are not open, as a number of imported sources (see
    /// [`Outcome::import_cost`]).
    fn max_imports(&mut self) -> usize {
        30_000
    }

    /// Drops cached configurations.
    fn forget(&mut self) {}

    /// Returns the extensions of files that can be entries, without dots. Editors report changes to such files.
    fn extensions(&self) -> &'static [&'static str] {
        &["yaml", "yml"]
    }

    /// Returns the entry that a file in a workspace folder belongs to when it is not open: the file itself, or the path
    /// that represents a folder that is read as a whole. Returns `None` if the file is not in the workspace. An entry
    /// belongs to itself exactly if [`find`](Self::find) finds it.
    fn entry_of(&mut self, folder: &Path, file: &Path) -> Option<PathBuf> {
        self.find(folder).into_iter().find(|found| found == file)
    }

    /// Returns the files in a folder and its subfolders that are entries.
    fn find(&mut self, folder: &Path) -> Vec<PathBuf> {
        let _ = folder;
        Vec::new()
    }

    /// Returns a folder for copies of built-in sources, so that editors can show them.
    fn copies(&self) -> Option<PathBuf> {
        None
    }

    /// Returns the style in which a file is formatted.
    fn style(&mut self, file: &Address) -> tosca_parse_fmt::Options {
        let _ = file;
        tosca_parse_fmt::Options::default()
    }

    /// Returns the language that determines the order of keynames in `text`; `None` if they keep their order.
    fn language(&self, file: &Address, text: &str) -> Option<&'static Language> {
        let _ = (file, text);
        None
    }

    /// Draws a diagram of the content of a file, as SVG.
    ///
    /// # Errors
    ///
    /// Returns an error if there is nothing to draw: one line for the user.
    fn diagram(&self, outcome: &Outcome) -> Result<String, String> {
        let _ = outcome;
        Err("there is nothing to draw".to_owned())
    }

    /// Plans the deployment of the content of a file, as text.
    ///
    /// # Errors
    ///
    /// Returns an error if there is nothing to plan: one line for the user.
    fn plan(&self, outcome: &Outcome) -> Result<String, String> {
        let _ = outcome;
        Err("there is nothing to plan".to_owned())
    }
}
