#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Write;
use std::path::Path;

use super::{Draft, replace_all};

fn draft(path: &Path, content: &str) -> Draft {
    let mut draft = Draft::new(path).unwrap();
    draft.write_all(content.as_bytes()).unwrap();
    draft
}

/// Returns the names of all files in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

#[test]
fn a_file_is_created_or_replaced_completely() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.yaml");
    draft(&path, "old").replace().unwrap();
    let new = draft(&path, "new");
    assert_eq!(fs::read_to_string(&path).unwrap(), "old", "before the draft takes its place");
    new.expecting("old").replace().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    drop(draft(&path, "dropped"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(names(folder.path()), ["a.yaml"]);
}

#[test]
fn all_files_are_replaced_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.yaml", "b.yaml", "c.yaml"].map(|name| folder.path().join(name));
    for path in &paths {
        fs::write(path, "old").unwrap();
    }
    let drafts = || paths.iter().map(|path| draft(path, "new").expecting("old")).collect::<Vec<_>>();
    let pending = drafts();
    fs::write(&paths[2], "edited").unwrap();
    let error = replace_all(pending).unwrap_err().to_string();
    assert!(error.contains("c.yaml: the file has changed in the meantime"), "{error}");
    assert_eq!(paths.each_ref().map(|path| fs::read_to_string(path).unwrap()), ["old", "old", "edited"]);
    fs::write(&paths[2], "old").unwrap();
    replace_all(drafts()).unwrap();
    assert_eq!(paths.each_ref().map(|path| fs::read_to_string(path).unwrap()), ["new"; 3]);
    assert_eq!(names(folder.path()), ["a.yaml", "b.yaml", "c.yaml"]);
}

#[cfg(unix)]
#[test]
fn links_and_modes_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("a.yaml"), folder.path().join("link.yaml"));
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o751)).unwrap();
    symlink("a.yaml", &link).unwrap();
    draft(&link, "new").replace().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o751);

    let mut instead = Draft::in_place_of_link(&link).unwrap();
    instead.write_all(b"other").unwrap();
    instead.replace().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_file());
    assert_eq!(fs::read_to_string(&path).unwrap(), "new", "the target of the link");
}

#[cfg(unix)]
#[test]
fn new_files_have_the_usual_mode() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    fs::write(folder.path().join("usual"), "").unwrap();
    let usual = mode(&folder.path().join("usual"));
    draft(&folder.path().join("new"), "").replace().unwrap();
    draft(&folder.path().join("run"), "").executable(true).replace().unwrap();
    assert_eq!(mode(&folder.path().join("new")), usual);
    assert_eq!(mode(&folder.path().join("run")), usual | (usual & 0o444) >> 2);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_directly() {
    draft(Path::new("/dev/null"), "gone").replace().unwrap();
    let mut full = Draft::new(Path::new("/dev/full")).unwrap();
    full.write_all(b"lost").unwrap();
    assert!(full.replace().is_err());
}
