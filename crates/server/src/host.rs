//! What the server is told by the command that runs it.

use std::path::{Path, PathBuf};

use tosca_parse::source::Address;
use tosca_parse::{Entry, Outcome, Parser};

/// A command that has a language server.
pub trait Host {
    /// The name by which editors know it.
    fn name(&self) -> &'static str;

    /// Its version.
    fn version(&self) -> &'static str {
        ""
    }

    /// How a file is read: by a parser that asks the [`Overlay`](crate::Overlay) first, with the values for its inputs.
    ///
    /// # Errors
    ///
    /// The configuration of the file is not as it must be: one line for the user.
    fn entry(&mut self, file: &Address) -> Result<(Parser, Entry), String>;

    /// Whether a text is written in one of its languages. Of other texts nothing is said.
    fn is_ours(&self, file: &Address, text: &str) -> bool;

    /// Whether a file is a configuration, so that everything is read anew when it changes.
    fn is_configuration(&self, file: &Path) -> bool {
        let _ = file;
        false
    }

    /// Forgets what configurations said.
    fn forget(&mut self) {}

    /// The files in a folder and below it that are entries of their own.
    fn find(&mut self, folder: &Path) -> Vec<PathBuf> {
        let _ = folder;
        Vec::new()
    }

    /// A folder for copies of texts that come with the command, so that editors can show them.
    fn copies(&self) -> Option<PathBuf> {
        None
    }

    /// The style in which a file is formatted.
    fn style(&mut self, file: &Address) -> tosca_parse_fmt::Options {
        let _ = file;
        tosca_parse_fmt::Options::default()
    }

    /// A picture of what a file describes, as SVG; or why there is none.
    ///
    /// # Errors
    ///
    /// There is nothing to be drawn: one line for the user.
    fn picture(&self, outcome: &Outcome) -> Result<String, String> {
        let _ = outcome;
        Err("there is nothing to be drawn".to_owned())
    }
}
