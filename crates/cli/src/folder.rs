//! Finds everything in a folder that can be validated.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use walkdir::WalkDir;

use super::Refusal;
use super::result_cache::Walked;
use tosca_parse::source::regular;
use tosca_parse_config::{is_configuration, languages, path_patterns};

/// The extensions of templates, followed by those of archives and of descriptions of archives.
pub(super) const EXTENSIONS: &[&str] = &["yaml", "yml", "tosca", "hot", "yay", "csar", "zip", "meta"];

/// The extensions of templates.
const TEMPLATES: &[&str] = EXTENSIONS.split_at(5).0;

/// The size of the start of a file from which its language is recognized, in bytes.
pub(super) const HEAD: u64 = 64 << 10;

/// A file or folder that can be validated.
pub(super) struct Found {
    pub(super) path: PathBuf,
    /// Whether it represents a whole folder.
    pub(super) is_whole: bool,
    /// Whether it is known not to be a link.
    is_plain: bool,
}

/// Returns the templates and archives in a folder and its subfolders, sorted by path, without hidden and excluded ones.
/// A folder that is treated as an archive counts as one. Files that are in `walked` unchanged are not read.
pub(super) fn find(folder: &Path, walked: Option<&Walked>, is_excluded: &mut dyn FnMut(&Path) -> bool) -> Vec<Found> {
    let is_template = |Found { path, is_plain, .. }: &Found| {
        let look = || is_claimed(path);
        is_named_as_template(path)
            && walked.filter(|_| *is_plain).map_or_else(look, |known| known.is_template(path, look))
    };
    let is_wanted = |found: &Found| found.is_whole || is_template(found) || is_archive(&found.path);
    walk(folder, is_excluded, whole, is_wanted)
}

/// Returns everything that [`find`] finds, and the files that may be templates but can't be read.
pub(super) fn find_with_unreadable(folder: &Path, is_excluded: &mut dyn FnMut(&Path) -> bool) -> Vec<Found> {
    walk(folder, is_excluded, whole, is_readable_or_not)
}

/// Returns the result of [`find_with_unreadable`] that a file in the folder belongs to.
pub(super) fn found_with(folder: &Path, file: &Path, is_excluded: &mut dyn FnMut(&Path) -> bool) -> Option<Found> {
    let below = file.strip_prefix(folder).ok()?;
    let mut path = folder.to_owned();
    for part in std::iter::once(OsStr::new("")).chain(below) {
        if !part.is_empty() {
            path.push(part);
            if is_hidden(part) || is_excluded(&path) {
                return None;
            }
        }
        if path.is_dir() {
            // As in a search, links to folders are not followed.
            if path != folder && path.is_symlink() {
                return None;
            }
            if let Some(path) = whole(&path) {
                return Some(Found { path, is_whole: true, is_plain: false });
            }
        }
    }
    let found = Found { path, is_whole: false, is_plain: false };
    (found.path.is_file() && !is_configuration(&found.path) && is_readable_or_not(&found)).then_some(found)
}

/// Returns whether a file in a folder is neither hidden nor excluded.
pub(super) fn is_visible(folder: &Path, file: &Path, is_excluded: &mut dyn FnMut(&Path) -> bool) -> bool {
    let Ok(below) = file.strip_prefix(folder) else { return false };
    let mut path = folder.to_owned();
    !below.iter().any(|part| {
        path.push(part);
        is_hidden(part) || is_excluded(&path)
    })
}

/// Returns the path that represents a folder that is treated as an archive or is a package.
fn whole(path: &Path) -> Option<PathBuf> {
    is_archive_folder(path).then(|| path.to_owned())
}

fn is_readable_or_not(found: &Found) -> bool {
    let is_unreadable = |path: &Path| is_named_as_template(path) && std::fs::File::open(path).is_err();
    found.is_whole || is_template(&found.path) || is_archive(&found.path) || is_unreadable(&found.path)
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Returns the templates in a folder and its subfolders, sorted by path, without hidden and excluded ones.
pub(super) fn templates(folder: &Path, is_excluded: &mut dyn FnMut(&Path) -> bool) -> Vec<PathBuf> {
    let found = walk(folder, is_excluded, |_| None, |found| is_template(&found.path));
    found.into_iter().map(|found| found.path).collect()
}

/// Returns the matching files in a folder and its subfolders, sorted by path, without hidden and excluded ones.
pub(super) fn files(
    folder: &Path,
    is_wanted: fn(&Path) -> bool,
    is_excluded: &mut dyn FnMut(&Path) -> bool,
) -> Vec<PathBuf> {
    let found = walk(folder, is_excluded, |_| None, |found| is_wanted(&found.path));
    found.into_iter().map(|found| found.path).collect()
}

/// Returns the configuration files in a folder and its subfolders, sorted by path, without those in hidden folders.
pub(super) fn configurations(folder: &Path) -> Vec<PathBuf> {
    let walk = WalkDir::new(folder).sort_by_file_name().into_iter();
    let walk =
        walk.filter_entry(|entry| entry.depth() == 0 || !entry.file_type().is_dir() || !is_hidden(entry.file_name()));
    let files = walk.filter_map(Result::ok).map(walkdir::DirEntry::into_path);
    files.filter(|path| is_configuration(path) && path.is_file()).collect()
}

/// Returns the files and folders that an argument names. If it is a pattern, they are sorted by path, as a shell would
/// expand it. A pattern that matches nothing is an error if it is the only argument; otherwise, it is the name of a
/// missing file, so that the other files are read.
pub(super) fn matching(argument: &OsStr, is_only: bool) -> Result<Vec<OsString>, Refusal> {
    const SPECIAL: [char; 4] = ['*', '?', '[', '{'];
    let is_pattern = |text: &&str| text.contains(SPECIAL) && !text.contains("://") && !Path::new(text).exists();
    let pattern = argument.to_str().filter(is_pattern);
    let glob = pattern.and_then(|pattern| path_patterns::compile([pattern]).ok());
    let (Some(pattern), Some(glob)) = (pattern, glob) else { return Ok(vec![argument.to_owned()]) };
    let path = Path::new(pattern);
    let is_fixed = |part: &Component<'_>| part.as_os_str().to_str().is_none_or(|part| !part.contains(SPECIAL));
    let base: PathBuf = path.components().take_while(is_fixed).collect();
    let is_here = base.as_os_str().is_empty();
    let mut found = Vec::new();
    // Without `**`, a pattern matches only in a certain depth.
    let depth = path.components().count() - base.components().count();
    let depth = if pattern.contains("**") { usize::MAX } else { depth };
    let walk = WalkDir::new(if is_here { Path::new(".") } else { &base }).max_depth(depth);
    let mut walk = walk.sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        let Ok(entry) = entry else { continue };
        let path = if is_here { entry.path().strip_prefix(".").unwrap_or(entry.path()) } else { entry.path() };
        let is_hidden = entry.depth() > 0 && is_hidden(entry.file_name());
        let is_match = !is_hidden && glob.is_match(path);
        if is_match {
            found.push(path.as_os_str().to_owned());
        }
        // A matching folder is validated as a whole.
        if (is_match || is_hidden) && entry.file_type().is_dir() {
            walk.skip_current_dir();
        }
    }
    match (found.is_empty(), is_only) {
        (false, _) => Ok(found),
        (true, false) => Ok(vec![argument.to_owned()]),
        (true, true) => Err(Refusal::unavailable(format!("no file matches the pattern `{pattern}`"))),
    }
}

/// Returns the wanted files in a folder and its subfolders. `whole` returns the path that represents a whole subfolder.
fn walk(
    folder: &Path,
    is_excluded: &mut dyn FnMut(&Path) -> bool,
    whole: impl Fn(&Path) -> Option<PathBuf>,
    is_wanted: impl Fn(&Found) -> bool + Send + Sync,
) -> Vec<Found> {
    let mut found = Vec::new();
    let mut walk = WalkDir::new(folder).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        // Unreadable folders contain nothing to validate.
        let Ok(entry) = entry else { continue };
        let is_folder = entry.file_type().is_dir();
        if entry.depth() > 0 && (is_hidden(entry.file_name()) || is_excluded(entry.path())) {
            if is_folder {
                walk.skip_current_dir();
            }
            continue;
        }
        let path = entry.path();
        if is_folder {
            if let Some(path) = whole(path) {
                found.push(Found { path, is_whole: true, is_plain: false });
                walk.skip_current_dir();
            }
        } else if (entry.file_type().is_file() || path.is_file()) && !is_configuration(path) {
            let is_plain = entry.file_type().is_file();
            found.push(Found { path: entry.into_path(), is_whole: false, is_plain });
        }
    }
    // The kind of a file is only known after reading it.
    if found.len() <= A_FEW {
        found.retain(is_wanted);
        found
    } else {
        found.into_par_iter().filter(is_wanted).collect()
    }
}

/// The maximum number of files that are inspected on a single thread.
const A_FEW: usize = 16;

/// Returns whether a folder is treated as an archive or is a Murano package.
pub(super) fn is_archive_folder(path: &Path) -> bool {
    languages().main().archives.describes(path) || super::murano::is_package(path)
}

/// Returns whether a file is named `.csar` or is an archive with a template, because unrelated archives, such as tar
/// files, are common.
fn is_archive(path: &Path) -> bool {
    use tosca_parse::source::{Address, ArchiveLimits, Archives, FileProvider};
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csar")) {
        return true;
    }
    let address = Address::from_path(path, Path::new("/"));
    let layout = languages().main().archives;
    let archives = Archives::new(vec![Arc::new(FileProvider)], ArchiveLimits::default(), [layout]);
    archives.is_archive(&address)
        && archives.open(&address).is_ok_and(|archive| {
            layout.descriptions.iter().any(|place| archive.size(place).is_some()) || {
                let text = archive.entry_definitions().and_then(|entry| archive.read(entry, 4 << 20).ok());
                text.is_some_and(|text| languages().claim(address.file_name(), &String::from_utf8_lossy(&text)))
            }
        })
}

/// Returns whether a file is YAML or Yay and is claimed by a language. Files that Yay templates include are not
/// claimed, so they are not treated as templates.
fn is_template(path: &Path) -> bool {
    is_named_as_template(path) && is_claimed(path)
}

pub(super) fn is_named_as_template(path: &Path) -> bool {
    path.extension().is_some_and(|extension| TEMPLATES.iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// Returns whether a file named by the user is neither an archive nor claimed by a language.
pub(super) fn is_unversioned(path: &Path) -> bool {
    path.is_file() && !is_archive(path) && !is_claimed(path)
}

/// Returns whether a file is a template, judging by its name and its content, or an archive.
pub(super) fn is_input(path: &Path) -> bool {
    path.is_file() && (is_template(path) || is_archive(path))
}

/// Returns whether a language claims the start of a file.
fn is_claimed(path: &Path) -> bool {
    let Ok((file, _)) = regular::open(path) else { return false };
    let mut head = Vec::with_capacity(HEAD as usize);
    if file.take(HEAD).read_to_end(&mut head).is_err() {
        return false;
    }
    claims(&path.file_name().unwrap_or_default().to_string_lossy(), head)
}

/// Returns whether a language claims the start of a file with the given name.
pub(super) fn claims(name: &str, mut head: Vec<u8>) -> bool {
    // Without its zero bytes, UTF-16 looks like ASCII.
    if head.contains(&0) {
        head.retain(|byte| *byte != 0);
    }
    languages().claim(name, &String::from_utf8_lossy(&head))
}
