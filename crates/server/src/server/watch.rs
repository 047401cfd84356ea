//! The files whose changes the editor reports, including changes by other programs.
//!
//! Files that can be entries are watched from the start. The existence of any other file can matter, too, such as that
//! of a script that a template names. So their names or extensions are watched once a program has looked for them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Server, glob};
use crate::index::Record;

/// The maximum number of patterns for files that are not entries. Beyond it, all files are watched.
const MAX_PATTERNS: usize = 64;

/// The pattern of all files.
const ALL: &str = "**/*";

/// The patterns of files that are not entries.
#[derive(Debug, Default)]
pub(super) struct WatchedFiles {
    known: BTreeSet<String>,
    /// Those that the editor does not know yet.
    new: Vec<String>,
}

impl WatchedFiles {
    fn add(&mut self, pattern: String) {
        if self.known.contains(ALL) || self.known.contains(&pattern) {
            return;
        }
        let pattern = if self.known.len() < MAX_PATTERNS { pattern } else { ALL.to_owned() };
        self.known.insert(pattern.clone());
        self.new.push(pattern);
    }
}

/// Returns the pattern of the files with the extension of a file, or with its name if it has none. `None` if such files
/// can be entries.
fn pattern(file: &str, extensions: &[&str]) -> Option<String> {
    let name = file.trim_end_matches('/').rsplit('/').next().filter(|name| !name.is_empty())?;
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    if extensions.contains(&extension) {
        return None;
    }
    let part = if stem.is_empty() || extension.is_empty() { name } else { extension };
    // A pattern has no escapes. In an address, other letters than these are encoded.
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    Some(match part.chars().all(is_plain) {
        true if part == name => format!("**/{name}"),
        true => format!("**/*.{part}"),
        false => ALL.to_owned(),
    })
}

impl Server<'_> {
    /// Asks the editor to report changes to files that can be entries.
    pub(super) fn watch(&mut self) {
        self.register_watchers("files", &[glob(&*self.host)]);
    }

    /// Notes the files that a program has looked for.
    pub(super) fn note_looked_for(&mut self, record: &Record) {
        if self.client.watches {
            let extensions = self.host.extensions();
            record.looked_for.iter().filter_map(|file| pattern(file, extensions)).for_each(|new| self.watched.add(new));
        }
    }

    /// Asks the editor to report changes to further files, once there is nothing else to do.
    pub(super) fn watch_more(&mut self) {
        if !self.watched.new.is_empty() && !self.is_parsing() {
            let new = std::mem::take(&mut self.watched.new);
            self.register_watchers(&format!("files-{}", self.watched.known.len()), &new);
        }
    }

    fn register_watchers(&mut self, id: &str, patterns: &[String]) {
        if self.client.watches {
            let watchers: Vec<Value> = patterns.iter().map(|pattern| json!({ "globPattern": pattern })).collect();
            let registration = json!({
                "id": id,
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": { "watchers": watchers },
            });
            self.ask("client/registerCapability", &json!({ "registrations": [registration] }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_watched_by_extension_or_name() {
        let of = |file| pattern(file, &["yaml"]);
        for (file, expected) in [
            ("file:///a/boot.sh", Some("**/*.sh")),
            ("file:///a/boot", Some("**/boot")),
            ("file:///a/.profile", Some("**/.profile")),
            ("file:///a/scripts/", Some("**/scripts")),
            ("file:///a/%5Bb%5D", Some(ALL)),
            ("file:///a/b.yaml", None),
        ] {
            assert_eq!(of(file).as_deref(), expected, "{file}");
        }
    }

    #[test]
    fn patterns_are_limited() {
        let mut watched = WatchedFiles::default();
        (0..100).for_each(|number| watched.add(format!("**/{number}")));
        watched.add("**/0".to_owned());
        assert_eq!((watched.new.len(), watched.new.last().map(String::as_str)), (MAX_PATTERNS + 1, Some(ALL)));
    }
}
