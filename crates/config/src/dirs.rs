//! The user's folders.

use std::path::PathBuf;

/// Returns the folder for the user's configuration.
pub fn config() -> Option<PathBuf> {
    let folder = folder("XDG_CONFIG_HOME").or_else(|| match std::env::consts::OS {
        "windows" => folder("APPDATA"),
        "macos" => home().map(|home| home.join("Library/Application Support")),
        _ => home().map(|home| home.join(".config")),
    });
    folder.map(|folder| folder.join("tosca-parse"))
}

/// Returns the folder for data that can be fetched again.
pub fn cache() -> Option<PathBuf> {
    let folder = folder("XDG_CACHE_HOME").or_else(|| match std::env::consts::OS {
        "windows" => folder("LOCALAPPDATA"),
        "macos" => home().map(|home| home.join("Library/Caches")),
        _ => home().map(|home| home.join(".cache")),
    });
    folder.map(|folder| folder.join("tosca-parse"))
}

/// Returns the home folder.
pub fn home() -> Option<PathBuf> {
    folder(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
}

/// Returns the absolute path in an environment variable. The XDG standard requires relative paths to be ignored.
fn folder(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}
