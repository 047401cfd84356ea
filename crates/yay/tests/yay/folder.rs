//! Documents in a folder, for tests.

use std::path::PathBuf;

use tosca_parse_yay::{LoadedDocument, OpenError, Opener};

pub(crate) struct Folder(pub(crate) PathBuf);

impl Opener for Folder {
    fn locate(&self, name: &str, base: &str) -> Option<String> {
        let base = base.rsplit_once('/').map_or("", |(folder, _)| folder);
        let whole = if base.is_empty() || name.starts_with('/') { name.to_owned() } else { format!("{base}/{name}") };
        (!name.is_empty()).then(|| whole.split('/').filter(|part| *part != ".").collect::<Vec<_>>().join("/"))
    }

    fn is_local(&self, _address: &str) -> bool {
        true
    }

    fn open(&mut self, address: &str) -> Result<LoadedDocument, OpenError> {
        let path = self.0.join(address);
        if !path.is_file() {
            return Err(OpenError::Missing);
        }
        let text = std::fs::read(path).map_err(|error| OpenError::Failed(error.to_string()))?;
        Ok(LoadedDocument {
            name: address.to_owned(),
            address: address.to_owned(),
            text,
            labels: Vec::new(),
            remote: false,
            hidden: false,
        })
    }
}
