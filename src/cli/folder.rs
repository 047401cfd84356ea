//! Everything in a folder that can be validated.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// The templates and archives in a folder and below it, sorted by path, but for hidden ones. A folder that is treated
/// as an archive counts as one.
pub(super) fn find(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let is_hidden = |entry: &walkdir::DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
    let mut walk = WalkDir::new(folder).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        // What can't be searched has nothing that could be validated.
        let Ok(entry) = entry else { continue };
        let is_folder = entry.file_type().is_dir();
        if entry.depth() > 0 && is_hidden(&entry) {
            if is_folder {
                walk.skip_current_dir();
            }
            continue;
        }
        let path = entry.path();
        if is_folder {
            if is_archive_folder(path) {
                found.push(path.to_owned());
                walk.skip_current_dir();
            }
        } else if path.is_file() && (is_archive(path) || is_template(path)) {
            found.push(path.to_owned());
        }
    }
    found
}

#[cfg(feature = "archive")]
pub(super) fn is_archive_folder(path: &Path) -> bool {
    crate::source::archive::is_archive_folder(path)
}

#[cfg(not(feature = "archive"))]
pub(super) fn is_archive_folder(_: &Path) -> bool {
    false
}

/// Only what is called an archive of templates or might as well be one: a tape of something else is common.
#[cfg(feature = "archive")]
fn is_archive(path: &Path) -> bool {
    use crate::source::archive::Archive;
    use crate::source::{Address, Archives};
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csar")) {
        return true;
    }
    let address = Address::from_path(path, Path::new("/"));
    Archives::is_archive(&address) && Archive::is_of_templates(path)
}

#[cfg(not(feature = "archive"))]
fn is_archive(_: &Path) -> bool {
    false
}

/// Whether a file is a YAML file that says a version of TOSCA near its beginning.
fn is_template(path: &Path) -> bool {
    const HEAD: u64 = 64 << 10;
    const KEYNAME: &str = "tosca_definitions_version";
    if !path
        .extension()
        .is_some_and(|extension| ["yaml", "yml"].iter().any(|yaml| extension.eq_ignore_ascii_case(yaml)))
    {
        return false;
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    // Without the zeros, UTF-16 looks like ASCII.
    head.retain(|byte| *byte != 0);
    read.is_ok() && String::from_utf8_lossy(&head).contains(KEYNAME)
}
