//! The layout of a language's archives: the names of archives, and which of their files are templates.

use std::path::Path;

use super::super::names::{has_ending, is_archive};
use super::super::{Address, ReadError, SourceProblem, SourceRange};
use super::Format;
use super::pack::{PackError, PackOptions};
use crate::rules;

/// The layout of a language's archives; see [`Language::archives`](crate::entity::Language::archives).
#[derive(Debug)]
pub struct Layout {
    /// The file extensions of zip archives in the language, in addition to those of the [formats](Format).
    pub endings: &'static [&'static str],
    /// The possible paths of the file that describes an archive, relative to the root, in order of precedence. A
    /// folder with such a file is treated as an unpacked archive.
    pub descriptions: &'static [&'static str],
    /// Finds the templates in an archive.
    pub start: fn(&dyn ArchiveTree) -> EntryPoints,
    /// Creates the file that describes an archive to be packed, if the file is missing or must be changed. The last
    /// argument is the path of the file. Not called if there are no `descriptions`.
    pub describe: fn(&PackOptions, &dyn ArchiveTree, &str) -> Result<String, PackError>,
}

impl Layout {
    /// A layout without descriptions: the template is the only YAML file at the root.
    pub const PLAIN: Self = Self {
        endings: &[],
        descriptions: &[],
        start: |tree| match &mut at_root(tree)[..] {
            [only] => EntryPoints { entry: Some(std::mem::take(only)), ..EntryPoints::default() },
            several => {
                let how_many = if several.is_empty() { "no YAML file" } else { "more than one YAML file" };
                EntryPoints {
                    reason: Some(SourceProblem {
                        rule: &rules::NO_ENTRY_DEFINITIONS,
                        message: format!("there is {how_many} at the root of the archive"),
                        help: Some("put only the template, and no other YAML file, at the root".into()),
                        place: SourceRange::whole(&tree.whole()),
                    }),
                    ..EntryPoints::default()
                }
            }
        },
        describe: |_, _, _| Ok(String::new()),
    };

    /// Returns the format of an archive with the given name.
    pub fn format(&self, name: &str) -> Option<Format> {
        Format::of_name(name).or_else(|| has_ending(name, self.endings).then_some(Format::Zip))
    }

    /// Returns whether a folder in the file system is treated as an archive.
    pub fn describes(&self, folder: &Path) -> bool {
        folder.is_dir() && self.is_described_in(folder)
    }

    fn is_described_in(&self, folder: &Path) -> bool {
        self.descriptions.iter().any(|place| folder.join(place).is_file())
    }

    /// Returns whether a tree contains a file that describes it as an archive.
    fn fits(&self, tree: &dyn ArchiveTree) -> bool {
        self.descriptions.iter().any(|place| tree.has(place))
    }
}

/// The archive layouts of a parser's languages.
#[derive(Clone, Debug)]
pub(super) struct Layouts(pub(super) Vec<&'static Layout>);

impl Layouts {
    /// Returns whether a file with the given name is an archive.
    pub(super) fn is_archive(&self, name: &str) -> bool {
        is_archive(name) || self.0.iter().any(|layout| has_ending(name, layout.endings))
    }

    pub(super) fn format(&self, name: &str) -> Option<Format> {
        self.0.iter().find_map(|layout| layout.format(name)).or_else(|| Format::of_name(name))
    }

    pub(super) fn describes(&self, folder: &Path) -> bool {
        folder.is_dir() && self.0.iter().any(|layout| layout.is_described_in(folder))
    }

    /// Returns the templates in a tree, as determined by the first language whose archive description the tree contains
    /// or, if there is none, by the first language.
    pub(super) fn start(&self, tree: &dyn ArchiveTree) -> EntryPoints {
        let layout = self.0.iter().find(|layout| layout.fits(tree)).or(self.0.first());
        (layout.map_or(Layout::PLAIN.start, |layout| layout.start))(tree)
    }
}

/// The files in an archive or in a folder that is treated as an archive or packed into one.
pub trait ArchiveTree {
    /// Returns whether there is a file at the given path.
    fn has(&self, path: &str) -> bool;

    /// Reads the file at the given path.
    ///
    /// # Errors
    ///
    /// Returns an error if the file does not exist or can't be read.
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError>;

    /// Returns the paths of all files or at least of those at the root.
    fn paths(&self) -> Vec<String>;

    /// Returns the address of a file.
    fn address(&self, path: &str) -> Address;

    /// Returns the address of the whole archive or folder, for problems.
    fn whole(&self) -> Address;
}

/// The templates in an archive.
#[derive(Clone, Debug, Default)]
pub struct EntryPoints {
    /// The path of the entry template.
    pub entry: Option<String>,
    /// The paths of the other templates.
    pub others: Vec<String>,
    /// The reason why there is no template.
    pub reason: Option<SourceProblem>,
    /// Other problems with the archive.
    pub findings: Vec<SourceProblem>,
}

/// Returns the paths of the YAML files at the root.
pub fn at_root(tree: &dyn ArchiveTree) -> Vec<String> {
    let is_yaml = |path: &String| !path.contains('/') && has_ending(path, &[".yaml", ".yml"]);
    tree.paths().into_iter().filter(is_yaml).collect()
}
