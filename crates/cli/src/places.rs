//! Where programs of this user keep their things, and how places are shown.

use std::path::{Path, PathBuf};

/// The folder of what this user has set up.
pub(super) fn config() -> Option<PathBuf> {
    let folder = folder("XDG_CONFIG_HOME").or_else(|| match std::env::consts::OS {
        "windows" => folder("APPDATA"),
        "macos" => home().map(|home| home.join("Library/Application Support")),
        _ => home().map(|home| home.join(".config")),
    });
    folder.map(|folder| folder.join("tosca-parse"))
}

/// The folder of what can be got again.
pub(super) fn cache() -> Option<PathBuf> {
    let folder = folder("XDG_CACHE_HOME").or_else(|| match std::env::consts::OS {
        "windows" => folder("LOCALAPPDATA"),
        "macos" => home().map(|home| home.join("Library/Caches")),
        _ => home().map(|home| home.join(".cache")),
    });
    folder.map(|folder| folder.join("tosca-parse"))
}

/// The folder of the user.
pub(super) fn home() -> Option<PathBuf> {
    folder(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
}

/// The standard says of relative paths in these variables that they are to be ignored.
fn folder(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// A path as it is shown: relative to the current directory, if it is in it.
pub(super) fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.components().collect::<PathBuf>();
    path.strip_prefix(&here).unwrap_or(&path).display().to_string()
}
