//! Everything in a folder that can be validated.

use std::io::Read;
use std::path::{Path, PathBuf};
#[cfg(feature = "archive")]
use std::sync::Arc;

use rayon::prelude::*;
use walkdir::WalkDir;

use super::config::is_configuration;
use crate::source::regular;

/// Something in a folder that can be validated.
pub(super) struct Found {
    pub(super) path: PathBuf,
    /// Whether it stands for a whole folder.
    pub(super) is_whole: bool,
}

/// The templates and archives in a folder and below it, sorted by path, but for hidden and excluded ones. A folder that is treated
/// as an archive counts as one.
pub(super) fn find(folder: &Path, is_excluded: &mut dyn FnMut(&Path) -> bool) -> Vec<Found> {
    let mut found = Vec::new();
    let is_hidden = |entry: &walkdir::DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
    let mut walk = WalkDir::new(folder).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        // What can't be searched has nothing that could be validated.
        let Ok(entry) = entry else { continue };
        let is_folder = entry.file_type().is_dir();
        if entry.depth() > 0 && (is_hidden(&entry) || is_excluded(entry.path())) {
            if is_folder {
                walk.skip_current_dir();
            }
            continue;
        }
        let path = entry.path();
        if is_folder {
            let whole = if is_archive_folder(path) { Some(path.to_owned()) } else { manifest(path) };
            if let Some(path) = whole {
                found.push(Found { path, is_whole: true });
                walk.skip_current_dir();
            }
        } else if (entry.file_type().is_file() || path.is_file()) && !is_configuration(path) {
            found.push(Found { path: entry.into_path(), is_whole: false });
        }
    }
    // What a file is, it has to be asked itself.
    let is_wanted = |found: &Found| found.is_whole || is_template(&found.path) || is_archive(&found.path);
    if found.len() <= A_FEW {
        found.retain(is_wanted);
        found
    } else {
        found.into_par_iter().filter(is_wanted).collect()
    }
}

/// How many files are looked into before threads are started.
const A_FEW: usize = 16;

#[cfg(feature = "archive")]
pub(super) fn is_archive_folder(path: &Path) -> bool {
    crate::grammar::tosca::archive::LAYOUT.describes(path) || manifest(path).is_some()
}

/// The manifest of a folder that is a package of another language, which stands for it where folders are no archives.
#[cfg(feature = "murano")]
fn manifest(path: &Path) -> Option<PathBuf> {
    super::murano::is_package(path).then(|| path.join(super::murano::MANIFEST))
}

#[cfg(not(feature = "murano"))]
fn manifest(_: &Path) -> Option<PathBuf> {
    None
}

#[cfg(not(feature = "archive"))]
pub(super) fn is_archive_folder(_: &Path) -> bool {
    false
}

/// Only what is called an archive of templates or might as well be one: a tape of something else is common.
#[cfg(feature = "archive")]
fn is_archive(path: &Path) -> bool {
    use crate::TOSCA;
    use crate::source::{Address, ArchiveLimits, Archives, Files};
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csar")) {
        return true;
    }
    let address = Address::from_path(path, Path::new("/"));
    let archives = Archives::new(vec![Arc::new(Files)], ArchiveLimits::default(), [TOSCA.archives]);
    archives.is_archive(&address)
        && archives.open(&address).is_ok_and(|archive| {
            TOSCA.archives.descriptions.iter().any(|place| archive.size(place).is_some()) || {
                let text = archive.entry_definitions().and_then(|entry| archive.read(entry, 4 << 20).ok());
                text.is_some_and(|text| (TOSCA.claims)(address.file_name(), &String::from_utf8_lossy(&text)))
            }
        })
}

#[cfg(not(feature = "archive"))]
fn is_archive(_: &Path) -> bool {
    false
}

/// Whether a file is in YAML or Yay, and says a version of TOSCA near its beginning. What templates in Yay include does
/// not, so that it is no template of its own.
fn is_template(path: &Path) -> bool {
    let is_yaml =
        |extension: &std::ffi::OsStr| ["yaml", "yml", "yay"].iter().any(|yaml| extension.eq_ignore_ascii_case(yaml));
    path.extension().is_some_and(is_yaml) && says_version(path)
}

/// Whether a file that has been named is neither an archive nor says a version of TOSCA.
pub(super) fn is_unversioned(path: &Path) -> bool {
    path.is_file() && !is_archive(path) && !says_version(path)
}

/// Whether a file says a version of TOSCA near its beginning.
fn says_version(path: &Path) -> bool {
    const HEAD: u64 = 64 << 10;
    const KEYNAME: &str = "tosca_definitions_version";
    let Ok((file, _)) = regular::open(path) else { return false };
    let mut head = Vec::with_capacity(HEAD as usize);
    if file.take(HEAD).read_to_end(&mut head).is_err() {
        return false;
    }
    // Without the zeros, UTF-16 looks like ASCII.
    if head.contains(&0) {
        head.retain(|byte| *byte != 0);
    }
    String::from_utf8_lossy(&head).contains(KEYNAME)
}
