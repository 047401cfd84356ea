//! Moved files and folders: the references to files that must change with them.

use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use serde_json::Value;
use tosca_parse::ard::{Dialect, Node, NodeId, Style, write_scalar};
use tosca_parse::phase::Unit;
use tosca_parse::source::{Address, Source, candidates};

use crate::Configuration;
use crate::completion::unimported::path_from;
use crate::file_references::{self, FileKind, FileReference};
use crate::index::Record;
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{TextEdit, Uri};

/// The scheme of addresses that are relative and percent-encoded.
const FILE: &str = "file:";

/// Files and folders, each with its new path.
#[derive(Clone, Debug)]
pub(crate) struct Moves(Vec<(PathBuf, PathBuf)>);

/// A way to read an address.
struct Reading<'a> {
    /// The folder to which the path is relative.
    folder: PathBuf,
    /// The part of the address before the path: a slash, or a scheme.
    lead: &'static str,
    path: &'a str,
    is_encoded: bool,
}

impl Moves {
    /// Returns the moves that the parameters of a request contain.
    pub(crate) fn of(params: &Value) -> Self {
        let path = |file: &Value, key: &str| place::address(&Uri(file.get(key)?.as_str()?.to_owned()))?.to_path();
        let files = params.get("files").and_then(Value::as_array).into_iter().flatten();
        Self(files.filter_map(|file| Some((path(file, "oldUri")?, path(file, "newUri")?))).collect())
    }

    /// Returns the new path of a file or folder, or the same path if it does not move.
    fn moved(&self, path: &Path) -> PathBuf {
        let new = self.0.iter().find_map(|(old, new)| {
            let rest = path.strip_prefix(old).ok()?;
            Some(if rest.as_os_str().is_empty() { new.clone() } else { new.join(rest) })
        });
        new.unwrap_or_else(|| path.to_owned())
    }

    /// Returns whether a file moves.
    fn concerns(&self, path: &Path) -> bool {
        self.0.iter().any(|(old, _)| path.starts_with(old))
    }

    /// Returns whether a different file replaces a file.
    fn replaces(&self, path: &Path) -> bool {
        !self.concerns(path) && self.0.iter().any(|(_, new)| new == path)
    }

    /// Returns whether a file moves, or a file that it names.
    pub(crate) fn concern(&self, record: &Record) -> bool {
        record.files().any(|file| {
            let address = Address::parse(file).ok();
            let file = address.as_ref().map(|address| address.archive().unwrap_or(address));
            file.and_then(Address::to_path).is_some_and(|path| self.concerns(&path))
        })
    }

    /// Returns the edits to the references of a unit.
    pub(crate) fn edits(&self, parsed: &Parsed, unit: &Unit) -> Vec<TextEdit> {
        let Some(file) = parsed.address(unit.id) else { return Vec::new() };
        if file.to_path().is_none_or(|path| self.replaces(&path)) {
            return Vec::new();
        }
        let Some(root) = file_references::root(parsed, unit) else { return Vec::new() };
        let edit = |reference: &FileReference<'_>| {
            let node = reference.node;
            let span = node.span();
            let written = self.written(reference, file, &root).filter(|_| span.source == unit.id)?;
            let prefix = node.text().strip_suffix(reference.written).unwrap_or_default();
            Some(replacement(&unit.source, node, &format!("{prefix}{written}"), unit.language.yaml))
        };
        let mut edits: Vec<TextEdit> = file_references::of(parsed, unit).iter().filter_map(edit).collect();
        edits.sort_by_key(|edit| edit.range.start);
        edits.dedup_by_key(|edit| edit.range);
        edits
    }

    /// Returns the edits to the paths in a configuration file, and to the patterns that are paths.
    pub(crate) fn configuration_edits(&self, file: &Configuration) -> Vec<TextEdit> {
        let node = |id: &NodeId| file.document.node(*id);
        let paths = file.paths.iter().map(node).map(|node| (node, self.configured(node.text(), &file.path)));
        let patterns = file.patterns.iter().map(node).map(|node| (node, self.pattern(node.text(), &file.path)));
        let edit = |(node, written): (Node<'_>, Option<String>)| {
            Some(replacement(&file.source, node, &written?, Dialect::CORE))
        };
        paths.chain(patterns).filter_map(edit).collect()
    }

    /// Returns the new form of a pattern in a configuration file that is a path; `None` if the old one remains valid, or
    /// if no pattern can express the new path.
    fn pattern(&self, written: &str, file: &Path) -> Option<String> {
        const SPECIAL: [char; 7] = ['*', '?', '[', ']', '{', '}', '\\'];
        let path = written.trim_start_matches('/');
        if written.contains(SPECIAL)
            || !path.trim_start_matches("./").trim_end_matches('/').contains('/') && path == written
        {
            return None;
        }
        let new = self.configured(path, file)?;
        if new.starts_with("..") || new.contains(SPECIAL) {
            return None;
        }
        // A pattern without a slash would match this name in every folder.
        let is_name = !new.trim_start_matches("./").trim_end_matches('/').contains('/');
        let lead = if path != written || is_name { "/" } else { "" };
        let new = if lead.is_empty() { &new } else { new.trim_start_matches("./") };
        Some(format!("{lead}{new}"))
    }

    /// Returns the new form of a path in a configuration file; `None` if the old one remains valid.
    fn configured(&self, written: &str, file: &Path) -> Option<String> {
        let (folder, new_folder) = (file.parent()?, self.moved(file).parent()?.to_owned());
        let path = written.trim_end_matches('/');
        let target = joined(folder, path);
        let new_target = self.moved(&target);
        // A path in the home folder and a URL do not change with the file.
        if path.is_empty() || path.starts_with('~') || path.contains("://") || joined(&new_folder, path) == new_target {
            return None;
        }
        let new = if Path::new(path).is_absolute() {
            new_target.to_str()?.to_owned()
        } else {
            path_from(&new_folder, &new_target)?
        };
        let start = if written.starts_with("./") && !new.starts_with('.') { "./" } else { "" };
        Some(format!("{start}{new}{}", &written[path.len()..]))
    }

    /// Returns the new address of a reference in a file; `None` if the old one remains valid.
    fn written(&self, reference: &FileReference<'_>, file: &Address, root: &Address) -> Option<String> {
        let (path, target) = (file.to_path()?, reference.target.to_path()?);
        let (new_path, new_target) = (self.moved(&path), self.moved(&target));
        let is_still_there = new_path == path && new_target == target;
        // A file that replaces its own import would import itself.
        if is_still_there || new_path == new_target && path != target {
            return None;
        }
        let written = reference.written;
        if Address::parse(written).is_ok_and(|address| address == reference.target) {
            return if new_target == target { None } else { Some(place::uri(&of_path(&new_target))?.0) };
        }
        let folder = path.parent()?;
        let new_folder = new_path.parent()?;
        let moved = |old: &Path| match &*reference.folder {
            "" if old == folder => new_folder.to_owned(),
            "" => self.moved(old),
            below => joined(new_folder, below),
        };
        let is_url = matches!(&reference.kind, FileKind::Other(named) if named.is_url);
        let end = if written.ends_with('/') { "/" } else { "" };
        let from = |folder: &Path, reading: Option<&Reading<'_>>| {
            let path = format!("{}{end}", path_from(folder, &new_target)?);
            let is_encoded = is_url || reading.is_some_and(|reading| reading.is_encoded);
            let path = if is_encoded { place::encoded(&path) } else { path };
            let dot = if written.starts_with("./") && !path.starts_with('.') { "./" } else { "" };
            Some(format!("{dot}{path}"))
        };
        let Some(reading) = readings(reference, file, root).into_iter().find(|reading| reading.leads_to(&target))
        else {
            // A path above the root is relative to the root.
            let is_path = candidates(file, root, written, None).is_ok_and(|all| all.contains(&reference.target));
            return if is_path { from(new_folder, None) } else { None };
        };
        let base = moved(&reading.folder);
        let moved = Reading { folder: base.clone(), ..reading };
        if moved.leads_to(&new_target) {
            return None;
        }
        let path = from(&base, Some(&moved))?;
        if moved.lead == "/" && path.starts_with("..") {
            return from(new_folder, Some(&moved));
        }
        Some(format!("{}{path}", moved.lead))
    }
}

/// Returns the ways to read the address of a reference, in order.
fn readings<'a>(reference: &FileReference<'a>, file: &Address, root: &Address) -> Vec<Reading<'a>> {
    let written = reference.written;
    let (lead, path) = match written.strip_prefix(FILE) {
        Some(path) => (FILE, path),
        None => ("", written),
    };
    let is_rooted = path.starts_with('/');
    let lead = if is_rooted { "/" } else { lead };
    let folders: Vec<Address> = match &reference.kind {
        FileKind::Source { repository: Some(url), .. } => candidates(file, root, url, None).unwrap_or_default(),
        FileKind::Source { repository: None, .. } if is_rooted => vec![root.clone()],
        FileKind::Source { repository: None, .. } => {
            let folder = file.directory();
            vec![folder.join(&reference.folder).unwrap_or(folder)]
        }
        FileKind::Other(named) => {
            let folder = |path: &String| match &*reference.folder {
                _ if path.starts_with('/') => root.clone(),
                "" => file.directory(),
                below => file.directory().join(below).unwrap_or_else(|_| file.directory()),
            };
            named.paths.iter().map(folder).collect()
        }
    };
    let path = path.trim_start_matches('/');
    let folders = folders.into_iter().filter_map(|folder| folder.as_directory().to_path());
    let mut readings: Vec<Reading<'_>> = Vec::new();
    for folder in folders {
        let is_encoded = lead == FILE;
        readings.push(Reading { folder: folder.clone(), lead, path, is_encoded });
        readings.push(Reading { folder, lead, path, is_encoded: !is_encoded });
    }
    if is_rooted {
        readings.push(Reading { folder: PathBuf::from("/"), lead: "/", path, is_encoded: false });
    }
    readings
}

impl Reading<'_> {
    /// Returns whether the address is that of a file.
    fn leads_to(&self, target: &Path) -> bool {
        let path = if self.is_encoded {
            percent_decode_str(self.path).decode_utf8().ok().map(std::borrow::Cow::into_owned)
        } else {
            Some(self.path.to_owned())
        };
        path.is_some_and(|path| joined(&self.folder, &path) == target)
    }
}

/// Returns the edit that replaces the text of a scalar and keeps its quotes.
fn replacement(source: &Source, node: Node<'_>, text: &str, dialect: Dialect) -> TextEdit {
    let new_text = match node.style() {
        Style::Plain => write_scalar(text, dialect).into_owned(),
        Style::SingleQuoted => format!("'{}'", text.replace('\'', "''")),
        _ => Value::from(text).to_string(),
    };
    let span = node.span();
    TextEdit { range: place::range(source, span.start, span.end), new_text }
}

/// Returns a path that is relative to a folder.
fn joined(folder: &Path, path: &str) -> PathBuf {
    Address::from_path(path.as_ref(), folder).to_path().unwrap_or_default()
}

fn of_path(path: &Path) -> Address {
    Address::from_path(path, path)
}
