//! Indexes profiles in archives.

use super::{HEAD, Index, LARGE, Remaining};
use crate::source::{Address, Archives};

/// Adds the names that files in an archive declare. Problems with the archive are reported when something is imported
/// from it.
pub(super) fn add(index: &mut Index, archives: &Archives, address: &Address) {
    let Ok(archive) = archives.open(address) else { return };
    // The templates in the archive come before its other files.
    let main = archive.entry_definitions().into_iter();
    let main: Vec<&str> = main.chain(archive.other_definitions().iter().map(String::as_str)).collect();
    let rest = archive.members().map(|(path, _)| path).filter(|path| !main.contains(path));
    let small = |path: &&str| archive.size(path).is_some_and(|size| size < LARGE);
    for path in main.iter().copied().chain(rest).filter(small).take(Remaining::ALL.files) {
        if let Ok(bytes) = archive.read(path, LARGE) {
            let mut head = &bytes[..bytes.len().min(HEAD as usize)];
            if head.len() < bytes.len() {
                let end = head.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
                head = &head[..end];
            }
            let by_another_name = !main.contains(&path) && !path.ends_with(index.labels.file);
            index.add_head(|| address.inside(path), by_another_name, head);
        }
    }
}
