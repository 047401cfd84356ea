//! What a language says of archives: how they are called, and which of their files are templates.

use std::path::Path;

use super::super::names::{has_ending, is_archive};
use super::super::{Address, Finding, Passage, ReadError};
use super::Format;
use super::pack::{PackError, Plan};
use crate::rules;

/// How the archives of a language are laid out, as [`Language::archives`](crate::entity::Language::archives) says.
#[derive(Debug)]
pub struct Layout {
    /// The endings of names, besides those of the [formats](Format), that zip files of the language have.
    pub endings: &'static [&'static str],
    /// Where the file may be that describes an archive, relative to the root, first the place that wins. A folder that
    /// has one is treated as an archive that has not been packed yet.
    pub descriptions: &'static [&'static str],
    /// Which files are templates.
    pub start: fn(&dyn Tree) -> Start,
    /// The text of the file that describes an archive which is to be packed, where it is not there or says something
    /// else; the last argument is its place. It is not asked if there are no `descriptions`.
    pub describe: fn(&Plan, &dyn Tree, &str) -> Result<String, PackError>,
}

impl Layout {
    /// Nothing describes an archive; its template is the only YAML file at its root.
    pub const PLAIN: Self = Self {
        endings: &[],
        descriptions: &[],
        start: |tree| match &mut at_root(tree)[..] {
            [only] => Start { entry: Some(std::mem::take(only)), ..Start::default() },
            several => {
                let how_many = if several.is_empty() { "no YAML file" } else { "more than one YAML file" };
                Start {
                    reason: Some(Finding {
                        rule: &rules::NO_ENTRY_DEFINITIONS,
                        message: format!("there is {how_many} at the root of the archive"),
                        help: Some("put the template, and no other YAML file, at the root".to_owned()),
                        place: Passage::whole(&tree.whole()),
                    }),
                    ..Start::default()
                }
            }
        },
        describe: |_, _, _| Ok(String::new()),
    };

    /// The format that an archive with a name should have.
    pub fn format(&self, name: &str) -> Option<Format> {
        Format::of_name(name).or_else(|| has_ending(name, self.endings).then_some(Format::Zip))
    }

    /// Whether a folder of the file system is to be treated as an archive.
    pub fn describes(&self, folder: &Path) -> bool {
        folder.is_dir() && self.is_described_in(folder)
    }

    fn is_described_in(&self, folder: &Path) -> bool {
        self.descriptions.iter().any(|place| folder.join(place).is_file())
    }

    /// Whether a tree has a file that describes it.
    fn fits(&self, tree: &dyn Tree) -> bool {
        self.descriptions.iter().any(|place| tree.has(place))
    }
}

/// The layouts of the languages that are spoken.
#[derive(Clone, Debug)]
pub(super) struct Layouts(pub(super) Vec<&'static Layout>);

impl Layouts {
    /// Whether a name is that of an archive.
    pub(super) fn is_archive(&self, name: &str) -> bool {
        is_archive(name) || self.0.iter().any(|layout| has_ending(name, layout.endings))
    }

    pub(super) fn format(&self, name: &str) -> Option<Format> {
        self.0.iter().find_map(|layout| layout.format(name)).or_else(|| Format::of_name(name))
    }

    pub(super) fn describes(&self, folder: &Path) -> bool {
        folder.is_dir() && self.0.iter().any(|layout| layout.is_described_in(folder))
    }

    /// Which files of a tree are templates: as the language says that describes it, or else the first one.
    pub(super) fn start(&self, tree: &dyn Tree) -> Start {
        let layout = self.0.iter().find(|layout| layout.fits(tree)).or(self.0.first());
        (layout.map_or(Layout::PLAIN.start, |layout| layout.start))(tree)
    }
}

/// What files there are: in an archive, or in a folder that is, or becomes, one.
pub trait Tree {
    /// Whether there is a file.
    fn has(&self, path: &str) -> bool;

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// There is none, or it can't be read.
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError>;

    /// The paths of files, all of them or at least those at the root.
    fn paths(&self) -> Vec<String>;

    /// The address of a file.
    fn address(&self, path: &str) -> Address;

    /// What all this is, as problems name it.
    fn whole(&self) -> Address;
}

/// Which files of an archive are templates.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// The path of the template.
    pub entry: Option<String>,
    /// The paths of further templates.
    pub others: Vec<String>,
    /// Why there is no template.
    pub reason: Option<Finding>,
    /// What is wrong with the archive, besides that.
    pub findings: Vec<Finding>,
}

/// The paths of the YAML files at the root.
pub fn at_root(tree: &dyn Tree) -> Vec<String> {
    let is_yaml = |path: &String| !path.contains('/') && has_ending(path, &[".yaml", ".yml"]);
    tree.paths().into_iter().filter(is_yaml).collect()
}
