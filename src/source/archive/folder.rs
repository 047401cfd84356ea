//! Folders with a `TOSCA.meta`, which are archives that have not been packed yet.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::{Address, Fetched, Files, Finding, Provider, ReadError};
use super::start::{Start, Tree};
use super::{is_archive_folder, is_file};

/// A folder that is treated as an archive.
pub(crate) struct Folder {
    path: PathBuf,
    address: Address,
    start: Start,
}

impl Folder {
    /// The folder at an address, if it has a `TOSCA.meta`.
    pub(crate) fn at(address: &Address) -> Option<Self> {
        let path = address.to_path().filter(|path| is_file(address) && is_archive_folder(path))?;
        let mut folder = Self { path, address: address.as_directory(), start: Start::default() };
        folder.start = Start::of(&folder);
        Some(folder)
    }

    /// The template of the folder.
    pub(crate) fn fetch(&self, limit: u64) -> Result<Fetched, ReadError> {
        let mut findings: Vec<Finding> = self.start.findings.clone();
        let Some(entry) = &self.start.entry else {
            findings.splice(..0, self.start.reason.clone());
            return Err(ReadError::Found(findings));
        };
        let address = self.file(entry);
        Ok(Fetched { bytes: Files.read(&address, limit)?, address, root: Some(self.address.clone()), findings })
    }

    /// The further templates that `TOSCA.meta` names.
    pub(crate) fn others(&self) -> impl Iterator<Item = Address> {
        self.start.others.iter().map(|path| self.file(path))
    }

    fn file(&self, path: &str) -> Address {
        Address::from_path(&self.path.join(path), Path::new("/"))
    }
}

impl Tree for Folder {
    fn has(&self, path: &str) -> bool {
        self.path.join(path).is_file()
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        Files.read(&self.file(path), 64 << 20)
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
