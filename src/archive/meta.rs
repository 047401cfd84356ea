//! `TOSCA.meta`: keys and values in blocks.

use std::ops::Range;

use foldhash::{HashSet, HashSetExt};

/// The possible paths relative to the root; the first one takes precedence.
pub(super) const PLACES: [&str; 2] = ["TOSCA.meta", "TOSCA-Metadata/TOSCA.meta"];

/// The content of a `TOSCA.meta`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Meta {
    /// The entries of the first block, which describes the archive.
    pub(super) entries: Vec<Entry>,
    /// The lines that can't be read, each with the reason.
    pub(super) malformed: Vec<(Range<usize>, &'static str)>,
    /// The range of the other blocks: signatures and digests of files, and additions by tools.
    pub(super) others: Range<usize>,
}

/// A key and its value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) value: String,
    /// The range of the value.
    pub(super) range: Range<usize>,
}

impl Meta {
    /// Parses the text of a `TOSCA.meta`.
    pub(super) fn of(text: &str) -> Self {
        let mut meta = Self { others: text.len()..text.len(), ..Self::default() };
        // The keys of the block so far, and whether the previous line can be continued.
        let mut keys: HashSet<&str> = HashSet::new();
        let (mut continues, mut is_first, mut has_content) = (false, true, false);
        let mut offset = if text.starts_with('\u{feff}') { 3 } else { 0 };
        for line in text[offset..].split_inclusive('\n') {
            let start = offset;
            offset += line.len();
            let content = line.trim_end();
            let range = start..start + content.len();
            if content.is_empty() {
                if has_content {
                    is_first = false;
                }
                continues = false;
                keys.clear();
                continue;
            }
            if !is_first && meta.others.start == text.len() {
                meta.others.start = start;
            }
            has_content = true;
            if content.starts_with([' ', '\t']) {
                match meta.entries.last_mut() {
                    _ if !continues => {
                        meta.malformed.push((range, "it begins with a space, but there is no line to continue"));
                    }
                    Some(entry) if is_first => {
                        if !entry.value.is_empty() {
                            entry.value.push(' ');
                        }
                        entry.value.push_str(content.trim());
                        entry.range.end = range.end;
                    }
                    _ => {}
                }
                continue;
            }
            let Some((key, value)) = content.split_once(':') else {
                meta.malformed.push((range, "there is no colon after a key"));
                continues = false;
                continue;
            };
            continues = true;
            if !value.is_empty() && !value.starts_with([' ', '\t']) {
                meta.malformed.push((range, "there is no space after the colon, and a key must not contain a colon"));
                continues = false;
                continue;
            }
            if key.is_empty() {
                meta.malformed.push((range, "there is nothing before the colon"));
                continue;
            }
            if !keys.insert(key) {
                meta.malformed.push((range, "the key occurs twice in the block"));
                continue;
            }
            if is_first {
                let value_start = start + content.len() - value.trim_start().len();
                let entry =
                    Entry { key: key.to_owned(), value: value.trim().to_owned(), range: value_start..range.end };
                meta.entries.push(entry);
            }
        }
        meta
    }

    /// Returns the entry with the given key.
    pub(super) fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}

/// Returns the names in a space-separated list, each with its range in the text. Names with spaces are quoted.
pub(super) fn names(list: &str) -> Vec<(Range<usize>, &str)> {
    let mut names = Vec::new();
    let mut rest = 0;
    while let Some(start) = list[rest..].find(|char: char| !char.is_whitespace()).map(|at| rest + at) {
        let (range, next) = if let Some(quoted) = list[start..].strip_prefix('"') {
            let length = quoted.find('"').unwrap_or(quoted.len());
            (start + 1..start + 1 + length, (start + length + 2).min(list.len()))
        } else {
            let end = list[start..].find(char::is_whitespace).map_or(list.len(), |at| start + at);
            (start..end, end)
        };
        if !range.is_empty() {
            names.push((range.clone(), &list[range]));
        }
        rest = next;
    }
    names
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn blocks_and_continuations_are_read() {
        let text = "CSAR-Version: 2.0\r\nCreated-By: Ada\r\n  and Grace\r\nEntry-Definitions:\r\n a.yaml\r\n\r\n\r\nName: x\r\nDigest: y\r\n";
        let meta = Meta::of(text);
        let pairs: Vec<_> = meta.entries.iter().map(|entry| (&*entry.key, &*entry.value)).collect();
        assert_eq!(pairs, [("CSAR-Version", "2.0"), ("Created-By", "Ada and Grace"), ("Entry-Definitions", "a.yaml")]);
        assert_eq!(&text[meta.get("CSAR-Version").unwrap().range.clone()], "2.0");
        assert_eq!(&text[meta.others.clone()], "Name: x\r\nDigest: y\r\n");
        assert!(meta.malformed.is_empty());
    }

    #[test]
    fn invalid_lines_are_reported() {
        let meta = Meta::of(" lost\nno key\nA:b\nA: 1\nA: 2\n: x\n\nA: 3\nB\n");
        let lines: Vec<_> = meta.malformed.iter().map(|(range, _)| range.clone()).collect();
        assert_eq!(lines, [0..5, 6..12, 13..16, 22..26, 27..30, 37..38]);
        assert_eq!(meta.entries.len(), 1);
        assert_eq!(Meta::of("").entries, []);
        assert_eq!(Meta::of("\u{feff}A: 1").get("A").unwrap().range, 6..7);
    }

    #[test]
    fn many_keys_take_time_in_proportion() {
        // Comparing each key with all others would take minutes.
        let lines: Vec<String> = (0..200_000).map(|number| format!("key{number}: value\n")).collect();
        let meta = Meta::of(&lines.concat());
        assert_eq!((meta.entries.len(), meta.malformed.len()), (200_000, 0));
    }

    #[test]
    fn names_may_be_quoted() {
        let list = "  a.yaml \"b c.yaml\"\td \"\" \"open e";
        let found: Vec<&str> = names(list).into_iter().map(|(_, name)| name).collect();
        assert_eq!(found, ["a.yaml", "b c.yaml", "d", "open e"]);
        assert!(names(list).into_iter().all(|(range, name)| &list[range] == name));
        assert_eq!(names(""), []);
    }
}
