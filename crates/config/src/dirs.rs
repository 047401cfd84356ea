//! The user's folders.

use std::path::PathBuf;

/// Returns the folder for the user's configuration.
pub fn config() -> Option<PathBuf> {
    own("XDG_CONFIG_HOME", "APPDATA", "Library/Application Support", ".config")
}

/// Returns the folder for data that can be fetched again.
pub fn cache() -> Option<PathBuf> {
    own("XDG_CACHE_HOME", "LOCALAPPDATA", "Library/Caches", ".cache")
}

/// Returns the program's folder in the first folder that applies: the one in the variable `xdg`, or else the one that the
/// operating system provides, by a variable or below the home folder.
fn own(xdg: &str, windows: &str, macos: &str, unix: &str) -> Option<PathBuf> {
    let folder = folder(xdg).or_else(|| match std::env::consts::OS {
        "windows" => folder(windows),
        "macos" => home().map(|home| home.join(macos)),
        _ => home().map(|home| home.join(unix)),
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
