//! The scalars of a source that name files: imports, references to other templates, and other files, such as scripts.
//!
//! Links, moved files and the index rely on them; the language determines what they mean (`Language::named_file`).

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use tosca_parse::ard::{Node, NodeId};
use tosca_parse::phase::{NamedFile, Unit};
use tosca_parse::source::{Address, ImportTarget, candidates};

use crate::parsed::Parsed;

/// A scalar that names a file.
pub(crate) struct FileReference<'p> {
    pub(crate) node: Node<'p>,
    /// The address in the scalar, as written; it may follow a prefix.
    pub(crate) written: &'p str,
    /// The folder that the address is relative to, if it is not that of the file. The scalar does not contain it.
    pub(crate) folder: Cow<'p, str>,
    /// The file. A source in an archive is part of the archive.
    pub(crate) target: Address,
    pub(crate) kind: FileKind<'p>,
}

/// The kind of file that a scalar names.
pub(crate) enum FileKind<'p> {
    /// A source, imported from a repository if its URL is given.
    Source { unit: &'p Unit, repository: Option<&'p str> },
    /// A file that is not read, or a folder.
    Other(NamedFile),
}

impl FileReference<'_> {
    /// Returns whether the source that has been read is a different file with the same content.
    pub(crate) fn is_copy(&self, parsed: &Parsed) -> bool {
        let FileKind::Source { unit, .. } = &self.kind else { return false };
        let read = parsed.address(unit.id).map(|address| address.archive().unwrap_or(address));
        read != Some(&self.target)
    }
}

/// Returns the scalars of a unit that name existing files, in any order.
pub(crate) fn of<'p>(parsed: &'p Parsed, unit: &'p Unit) -> Vec<FileReference<'p>> {
    let mut all: Vec<FileReference<'p>> = sources(parsed, unit).collect();
    let sources: FxHashSet<NodeId> = all.iter().map(|reference| reference.node.id()).collect();
    all.extend(others(parsed, unit).filter(|reference| !sources.contains(&reference.node.id())));
    all
}

/// Returns the sources that a unit imports or refers to by their addresses.
fn sources<'p>(parsed: &'p Parsed, unit: &'p Unit) -> impl Iterator<Item = FileReference<'p>> {
    let program = &parsed.outcome.program;
    let links = program.index(unit.id).and_then(|index| program.links.get(index)).into_iter().flatten();
    let root = root(parsed, unit);
    links.filter_map(move |link| {
        let import = unit.imports.get(link.import)?;
        let Some(ImportTarget::Url { url, repository }) = &import.target else { return None };
        let node = unit.document.node(import.node);
        let (text, start) = (node.text(), node.text().len().saturating_sub(url.len()));
        let (written, folder) = match text.get(start..).filter(|written| written == url) {
            Some(written) => (written, ""),
            None => (text, url.strip_suffix(text).filter(|_| !text.is_empty())?),
        };
        let source = program.list.get(link.unit)?;
        let address = parsed.address(source.id)?;
        let address = address.archive().unwrap_or(address);
        // Files with the same content are one source.
        let possible =
            candidates(parsed.address(unit.id)?, root.as_ref()?, url, repository.as_deref()).unwrap_or_default();
        let is_there = |address: &Address| address.to_path().is_some_and(|path| path.exists());
        let other = if possible.contains(address) { None } else { possible.into_iter().find(is_there) };
        let target = other.unwrap_or_else(|| address.clone());
        let kind = FileKind::Source { unit: source, repository: repository.as_deref() };
        Some(FileReference { node, written, folder: folder.into(), target, kind })
    })
}

fn others<'p>(parsed: &'p Parsed, unit: &'p Unit) -> impl Iterator<Item = FileReference<'p>> {
    let program = &parsed.outcome.program;
    let around = program.surroundings(unit.id);
    let named = around.map(|_| program.named_files(unit.id)).unwrap_or_default().into_iter();
    named.filter_map(move |(node, named)| {
        let (path, target) = named.paths.iter().find_map(|path| Some((path, around?.find(path)?)))?;
        let node = unit.document.node(node);
        let written = node.text();
        let folder = path.strip_suffix(written).filter(|folder| folder.ends_with('/') && !folder.starts_with('/'));
        let folder = folder.unwrap_or_default().to_owned().into();
        Some(FileReference { node, written, folder, target, kind: FileKind::Other(named) })
    })
}

/// Returns the folder to which addresses that begin with a slash are relative.
pub(crate) fn root(parsed: &Parsed, unit: &Unit) -> Option<Address> {
    let around = parsed.outcome.program.surroundings(unit.id);
    around.map(|around| around.root().clone()).or_else(|| Some(parsed.address(unit.id)?.directory()))
}

/// Returns the existing files that a unit names and that its program has not looked for.
pub(crate) fn unchecked<'p>(parsed: &'p Parsed, unit: &'p Unit) -> impl Iterator<Item = Address> + use<'p> {
    let is_checked = |kind: &FileKind<'_>| matches!(kind, FileKind::Other(named) if named.report_missing.is_some());
    let all = of(parsed, unit).into_iter().filter(move |reference| !is_checked(&reference.kind));
    all.map(|reference| reference.target)
}
