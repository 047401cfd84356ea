//! Validates an archive's table of contents.
//!
//! The table of contents is untrusted: its names may lead anywhere, and its numbers may be wrong. Every entry is
//! validated before it is used.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization as _;

use super::super::gunzip::is_bomb;
use super::super::names::escape_control_chars;
use super::super::{Address, SourceProblem, SourceRange};
use super::{ArchiveEntry, ArchiveLimits, Content};
use crate::diagnostic::Rule;
use crate::rules;

/// The maximum number of problems of the same kind that are reported individually.
const MAX_REPORTED: usize = 20;

/// The maximum length of an entry's name, in bytes: the longest path that Linux accepts.
const MAX_NAME: usize = 4 << 10;

/// The maximum length of the names of all entries together, in bytes.
const MAX_NAMES: usize = 16 << 20;

/// The kind of an entry.
pub(super) enum Kind {
    File {
        source: Content,
        is_executable: bool,
    },
    Directory,
    /// A forbidden kind of entry, described with an article.
    Special(&'static str),
    /// An unsupported kind of entry, described with an article.
    Unsupported(&'static str),
}

/// The entries of an archive that have been collected so far.
pub(super) struct Members<'a> {
    pub(super) address: &'a Address,
    pub(super) limits: &'a ArchiveLimits,
    pub(super) list: BTreeMap<String, ArchiveEntry>,
    pub(super) findings: Vec<SourceProblem>,
    /// The number of problems of each kind so far.
    counts: BTreeMap<&'static str, usize>,
    number: u64,
    total: u64,
    /// The total length of all names, in bytes.
    names: usize,
}

impl<'a> Members<'a> {
    pub(super) fn new(address: &'a Address, limits: &'a ArchiveLimits) -> Self {
        Self {
            address,
            limits,
            list: BTreeMap::new(),
            findings: Vec::new(),
            counts: BTreeMap::new(),
            number: 0,
            total: 0,
            names: 0,
        }
    }

    /// Validates and adds an entry of `size` bytes that takes `packed` bytes in an archive of `archive` bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is exceeded. Reading should then stop.
    pub(super) fn add(
        &mut self,
        name: &[u8],
        kind: Kind,
        size: u64,
        packed: u64,
        archive: u64,
    ) -> Result<(), Box<SourceProblem>> {
        self.number += 1;
        self.check_number(self.number)?;
        self.total = self.total.saturating_add(size);
        self.check_total(self.total, archive)?;
        if name.len() > MAX_NAME {
            let message = format!("the name of an entry is longer than {MAX_NAME} bytes");
            self.report(&rules::ARCHIVE_TOO_LARGE, message, "shorten the names of the file and its folders");
            return Ok(());
        }
        self.names += name.len();
        if self.names > MAX_NAMES {
            let message = format!("the names of its entries are longer than {MAX_NAMES} bytes together");
            return Err(Box::new(self.finding(&rules::ARCHIVE_TOO_LARGE, message)));
        }
        let shown = escape_control_chars(String::from_utf8_lossy(name));
        let path = match path(name) {
            Ok(path) => path,
            Err((rule, what)) => {
                self.report(rule, format!("the name of the entry `{shown}` {what}"), "pack the archive again");
                return Ok(());
            }
        };
        if path.split('/').count() > self.limits.depth {
            let message = format!("the entry `{shown}` is nested more than {} levels deep", self.limits.depth);
            self.report(&rules::ARCHIVE_TOO_LARGE, message, "raise the limit if the archive is trusted");
            return Ok(());
        }
        let (source, is_executable) = match kind {
            Kind::File { source, is_executable } if !path.is_empty() => (source, is_executable),
            Kind::File { .. } | Kind::Directory => return Ok(()),
            Kind::Special(what) => {
                let help = "pack the file itself instead";
                self.report(&rules::LINKED_ENTRY, format!("the entry `{shown}` is {what}, not a file"), help);
                return Ok(());
            }
            Kind::Unsupported(what) => {
                let message = format!("the entry `{shown}` is {what}, which is not supported");
                self.report(&rules::UNSUPPORTED_ARCHIVE, message, "pack the entry as an ordinary file");
                return Ok(());
            }
        };
        if is_bomb(size, packed, self.limits.ratio) {
            let message =
                format!("the entry `{shown}` unpacks to more than {} times its packed size", self.limits.ratio);
            self.report(&rules::ARCHIVE_BOMB, message, "raise the limit if the archive is trusted");
            return Ok(());
        }
        if self.list.contains_key(&path) {
            self.duplicate(&path);
            return Ok(());
        }
        if let Some(name) = reserved_on_windows(&path) {
            let name = escape_control_chars(name.into());
            let message =
                format!("the entry `{shown}` can't be unpacked on Windows, which does not accept the name `{name}`");
            self.report(&rules::UNPORTABLE_ENTRY, message, "rename the entry");
        }
        self.list.insert(path, ArchiveEntry { size, packed, is_executable, source });
        Ok(())
    }

    /// Checks the number of entries against the limit.
    pub(super) fn check_number(&self, number: u64) -> Result<(), Box<SourceProblem>> {
        if number > self.limits.entries as u64 {
            let message = format!("it has more than {} entries", self.limits.entries);
            return Err(Box::new(self.finding(&rules::ARCHIVE_TOO_LARGE, message)));
        }
        Ok(())
    }

    /// Checks the total unpacked size of an archive of `archive` bytes against the limits.
    fn check_total(&self, total: u64, archive: u64) -> Result<(), Box<SourceProblem>> {
        if total > self.limits.total {
            let message = format!("it unpacks to more than the limit of {} bytes", self.limits.total);
            return Err(Box::new(self.finding(&rules::ARCHIVE_TOO_LARGE, message)));
        }
        if is_bomb(total, archive, self.limits.ratio) {
            let message = format!("it unpacks to more than {} times its own size", self.limits.ratio);
            return Err(Box::new(self.finding(&rules::ARCHIVE_BOMB, message)));
        }
        Ok(())
    }

    /// Reports a duplicate name.
    pub(super) fn duplicate(&mut self, path: &str) {
        let message = format!("the archive has two entries `{}`", escape_control_chars(path.into()));
        self.report(
            &rules::DUPLICATE_ENTRY,
            message,
            "remove one of the entries, because tools differ in which one they use",
        );
    }

    /// Checks the number of folders against the limit.
    pub(super) fn check_folders(&self) -> Result<(), Box<SourceProblem>> {
        let mut previous = "";
        let mut number = 0;
        for path in self.list.keys() {
            number += new_folders(previous, path).count();
            previous = path;
        }
        if number > self.limits.entries {
            let message = format!("it has more than {} folders", self.limits.entries);
            return Err(Box::new(self.finding(&rules::ARCHIVE_TOO_LARGE, message)));
        }
        Ok(())
    }

    /// Reports entries that can't be unpacked together, either on some systems or on any system.
    fn compare(&mut self) {
        let list = std::mem::take(&mut self.list);
        let mut folded: BTreeMap<String, &str> = BTreeMap::new();
        let mut previous = "";
        for path in list.keys() {
            for folder in new_folders(previous, path).filter(|folder| list.contains_key(*folder)) {
                let message =
                    format!("`{}` is both a file and a folder in the archive", escape_control_chars(folder.into()));
                self.report(
                    &rules::DUPLICATE_ENTRY,
                    message,
                    "remove one of the two, because no file system can have both",
                );
            }
            previous = path;
            if let Some(other) = folded.insert(fold(path), path) {
                let (one, other) = (escape_control_chars(other.into()), escape_control_chars(path.into()));
                let message =
                    format!("the entries `{one}` and `{other}` differ only in case or in Unicode normalization");
                self.report(
                    &rules::SIMILAR_ENTRIES,
                    message,
                    "rename one of the entries, because not every file system can have both",
                );
            }
        }
        self.list = list;
    }

    /// Creates a problem with the archive as a whole.
    pub(super) fn finding(&self, rule: &'static Rule, message: impl Into<String>) -> SourceProblem {
        let help = match rule.code {
            "T1508" | "T1509" => "raise the limit if the archive is trusted",
            _ => "download or pack the archive again",
        };
        SourceProblem {
            rule,
            message: message.into(),
            help: Some(help.into()),
            place: SourceRange::whole(self.address),
        }
    }

    /// Reports a problem, unless too many problems of the same kind have been reported.
    pub(super) fn report(&mut self, rule: &'static Rule, message: String, help: &str) {
        let count = self.counts.entry(rule.code).or_default();
        *count += 1;
        if *count <= MAX_REPORTED {
            let finding = SourceProblem { help: Some(help.into()), ..self.finding(rule, message) };
            self.findings.push(finding);
        }
    }

    /// Returns all entries and the problems with them.
    pub(super) fn finish(mut self) -> (BTreeMap<String, ArchiveEntry>, Vec<SourceProblem>) {
        self.compare();
        let many: Vec<_> =
            self.counts.iter().filter(|(_, count)| **count > MAX_REPORTED).map(|it| (*it.0, *it.1)).collect();
        for (code, count) in many {
            if let Some(rule) = rules::ALL.iter().find(|rule| rule.code == code) {
                let message = format!("the archive has {} more problems of this kind", count - MAX_REPORTED);
                self.findings.push(self.finding(rule, message));
            }
        }
        (self.list, self.findings)
    }
}

/// Returns the folders of a path that are not folders of the previous path in alphabetical order.
fn new_folders<'p>(previous: &str, path: &'p str) -> impl Iterator<Item = &'p str> {
    let common = previous.bytes().zip(path.bytes()).take_while(|(one, other)| one == other).count();
    path.match_indices('/').filter(move |(at, _)| *at >= common).map(|(at, _)| &path[..at])
}

/// Returns a name as file systems compare it that ignore case and normalization.
fn fold(name: &str) -> String {
    // Lowercase alone does not fold letters such as the German sharp s.
    name.nfc().collect::<String>().to_uppercase().to_lowercase()
}

/// Returns the part of a path that Windows does not accept as a name.
fn reserved_on_windows(path: &str) -> Option<&str> {
    let is_device = |stem: &str| {
        let upper = stem.trim_end().to_ascii_uppercase();
        matches!(&*upper, "CON" | "PRN" | "AUX" | "NUL")
            || matches!(upper.as_bytes(), [b'C', b'O', b'M', b'1'..=b'9'] | [b'L', b'P', b'T', b'1'..=b'9'])
    };
    path.split('/').find(|name| {
        name.ends_with(['.', ' '])
            || name.contains(['<', '>', ':', '"', '|', '?', '*'])
            || is_device(name.split('.').next().unwrap_or_default())
    })
}

/// Returns the path of an entry, without leading and trailing slashes, or the problem with its name.
fn path(name: &[u8]) -> Result<String, (&'static Rule, &'static str)> {
    let Ok(name) = std::str::from_utf8(name) else {
        return Err((&rules::UNSUPPORTED_ARCHIVE, "is not text"));
    };
    if name.contains('\0') {
        return Err((&rules::ESCAPING_ENTRY, "contains a NUL character"));
    }
    if name.contains(char::is_control) {
        return Err((&rules::UNSUPPORTED_ARCHIVE, "contains a control character"));
    }
    // Some Windows tools write backslashes and treat any backslash as a separator.
    let name = name.replace('\\', "/");
    let has_drive = name.as_bytes().get(1) == Some(&b':') && name.as_bytes()[0].is_ascii_alphabetic();
    if name.starts_with('/') || has_drive {
        return Err((&rules::ABSOLUTE_ENTRY, "is an absolute path"));
    }
    let mut names = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => return Err((&rules::ESCAPING_ENTRY, "leads upwards with `..`")),
            _ => names.push(part),
        }
    }
    Ok(names.join("/"))
}
