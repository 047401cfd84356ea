//! The display of paths.

use std::path::{Path, PathBuf};

/// Returns a path for display: relative to the current directory if it is inside.
pub(super) fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.components().collect::<PathBuf>();
    path.strip_prefix(&here).unwrap_or(&path).display().to_string()
}
