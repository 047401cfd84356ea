//! Folders that are treated as unpacked archives because they contain a file that describes an archive.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::{Address, FetchedSource, FileProvider, Provider, ReadError, SourceProblem, Stamp};
use super::is_file;
use super::layout::{ArchiveTree, EntryPoints, Layout, Layouts};

/// A file provider that, for a folder with an archive description, reads the template in it.
pub(crate) struct Folders(Layouts);

impl Folders {
    pub(crate) fn new(layouts: impl IntoIterator<Item = &'static Layout>) -> Self {
        Self(Layouts(layouts.into_iter().collect()))
    }

    /// Returns the folder at an address, if the folder has an archive description.
    fn at(&self, address: &Address) -> Option<Folder> {
        let path = address.to_path().filter(|path| is_file(address) && self.0.describes(path))?;
        let mut folder = Folder { path, address: address.as_directory(), start: EntryPoints::default() };
        folder.start = self.0.start(&folder);
        Some(folder)
    }
}

impl Provider for Folders {
    fn serves(&self, address: &Address) -> bool {
        FileProvider.serves(address)
    }

    fn identity(&self, address: &Address) -> Address {
        FileProvider.identity(address)
    }

    fn identity_in(&self, directory: &Address, address: &Address) -> Option<Address> {
        FileProvider.identity_in(directory, address)
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        FileProvider.read(address, limit)
    }

    fn stamp(&self, address: &Address) -> Option<Stamp> {
        FileProvider.stamp(address)
    }

    fn exists(&self, address: &Address) -> bool {
        FileProvider.exists(address)
    }

    fn fetch(&self, address: &Address, limit: u64) -> Result<FetchedSource, ReadError> {
        match FileProvider.fetch(address, limit) {
            Err(error @ ReadError::NotAFile { .. }) => match self.at(address) {
                Some(folder) => folder.fetch(limit),
                None => Err(error),
            },
            fetched => fetched,
        }
    }

    fn additional_templates(&self, address: &Address) -> Vec<Address> {
        self.at(address).map(|folder| folder.others().collect()).unwrap_or_default()
    }

    fn file(&self, address: &Address) -> Option<PathBuf> {
        FileProvider.file(address)
    }

    fn list(&self, directory: &Address) -> Option<Vec<String>> {
        FileProvider.list(directory)
    }
}

/// A folder that is treated as an archive.
struct Folder {
    path: PathBuf,
    address: Address,
    start: EntryPoints,
}

impl Folder {
    /// Reads the template of the folder.
    fn fetch(&self, limit: u64) -> Result<FetchedSource, ReadError> {
        let mut findings: Vec<SourceProblem> = self.start.findings.clone();
        let Some(entry) = &self.start.entry else {
            findings.splice(..0, self.start.reason.clone());
            return Err(ReadError::Found(findings));
        };
        let address = self.file(entry);
        let fetched = FileProvider.fetch(&address, limit)?;
        // There is no stamp, because the metadata of a folder does not reflect changes to the files in it.
        Ok(FetchedSource { root: Some(self.address.clone()), findings, stamp: None, ..fetched })
    }

    /// Returns the addresses of the other templates.
    fn others(&self) -> impl Iterator<Item = Address> {
        self.start.others.iter().map(|path| self.file(path))
    }

    fn file(&self, path: &str) -> Address {
        Address::from_path(&self.path.join(path), Path::new("/"))
    }
}

impl ArchiveTree for Folder {
    fn has(&self, path: &str) -> bool {
        self.path.join(path).is_file()
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        FileProvider.read(&self.file(path), 64 << 20)
    }

    fn paths(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let files = entries.filter(|entry| entry.path().is_file());
        let mut names: Vec<String> = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort_unstable();
        names
    }

    fn address(&self, path: &str) -> Address {
        self.file(path)
    }

    fn whole(&self) -> Address {
        self.address.clone()
    }
}
