//! Lookup of the template of an archive.

use std::ops::Range;

use foldhash::{HashSet, HashSetExt};

use super::describe::{is_of_system, listed, templates};
use super::head::{MANDATORY, TemplateHead, is_2_0};
use super::meta::{Meta, PLACES, names};
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{Help, Rule};
use crate::rules;
use crate::source::archive::{ArchiveTree, EntryPoints, at_root};
use crate::source::{Address, ReadError, SharedText, SourceProblem, SourceRange, escape_control_chars};

/// Returns the files of an archive that are templates (2.0, chapter 18; 1.3, chapter 6).
pub(super) fn start(tree: &dyn ArchiveTree) -> EntryPoints {
    let mut begin = Beginning(EntryPoints::default());
    begin.read(tree);
    begin.0
}

/// The result so far.
struct Beginning(EntryPoints);

impl Beginning {
    fn read(&mut self, tree: &dyn ArchiveTree) {
        let metas: Vec<&str> = PLACES.into_iter().filter(|place| tree.has(place)).collect();
        if let [first, second] = metas[..] {
            let message = format!("there is a `{second}` in addition to the `{first}`");
            let place = SourceRange::whole(&tree.address(second));
            self.add(&rules::TWO_METAS, message, "remove one of the files; the one at the root is read", place);
        }
        let Some(path) = metas.first() else {
            self.at_root(tree, None);
            self.without_meta(tree);
            return;
        };
        let address = tree.address(path);
        let is_small = |bytes: &Vec<u8>| bytes.len() as u64 <= MAX_META;
        let read = tree
            .read(path)
            .and_then(|bytes| Some(bytes).filter(is_small).ok_or(ReadError::TooLarge { limit: MAX_META }));
        match read {
            Ok(bytes) => {
                let text: SharedText = String::from_utf8_lossy(&bytes).into_owned().into();
                self.by_meta(tree, &MetaText { meta: Meta::of(&text), address, text });
            }
            Err(error) => {
                let help = error.help().unwrap_or("pack the archive again").into();
                let message = format!("can't read `{path}`: {error}");
                self.0.reason = Some(SourceProblem {
                    rule: error.rule(),
                    message,
                    help: Some(help),
                    place: SourceRange::whole(&address),
                });
            }
        }
    }

    fn add(&mut self, rule: &'static Rule, message: impl Into<String>, help: impl Into<Help>, place: SourceRange) {
        self.0.findings.push(SourceProblem { rule, message: message.into(), help: Some(help.into()), place });
    }

    /// Uses the only YAML file at the root if there is no `TOSCA.meta` or if the `TOSCA.meta` has no
    /// `Entry-Definitions`.
    fn at_root(&mut self, tree: &dyn ArchiveTree, meta: Option<&MetaText>) {
        let mut found = at_root(tree);
        if found.len() == 1 {
            self.0.entry = found.pop();
            return;
        }
        let folder = if found.is_empty() && meta.is_none() { only_folder(tree) } else { None };
        if let Some(folder) = &folder
            && self.in_folder(tree, folder)
        {
            return;
        }
        let candidates = templates(tree);
        let first = candidates.first().map(|first| escape_control_chars(first.into()));
        let files = match &found[..] {
            [] => "there is no YAML file at the root".to_owned(),
            _ => {
                // The candidates don't include hidden files, which count, too.
                let shown = if candidates.len() > 1 { &candidates } else { &found };
                format!("there are several YAML files at the root, such as {}", listed(shown))
            }
        };
        let (message, help) = match (meta, folder) {
            (None, Some(folder)) => superfluous(&folder),
            (None, None) => {
                let help = match &first {
                    Some(first) => format!(
                        "add a `TOSCA.meta` with `Entry-Definitions: {first}`, or pack the folder with `tosca-parse csar create FOLDER --entry {first}`"
                    ),
                    None => "add a `TOSCA.meta` with `Entry-Definitions: ` and the path of the template".to_owned(),
                };
                (format!("no `TOSCA.meta` names the template, and {files}"), help)
            }
            (Some(_), _) => {
                let help = match &first {
                    Some(first) => format!("add a line such as `Entry-Definitions: {first}`"),
                    None => "add a line with `Entry-Definitions: ` and the path of the template".to_owned(),
                };
                (format!("`Entry-Definitions` is missing from the first block, and {files}"), help)
            }
        };
        let place = meta.map_or_else(|| SourceRange::whole(&tree.whole()), |meta| meta.place(&(0..0)));
        self.0.reason =
            Some(SourceProblem { rule: &rules::NO_ENTRY_DEFINITIONS, message, help: Some(help.into()), place });
    }

    /// Reports that all files are in one folder, and uses the template in the folder. Returns whether there is one.
    fn in_folder(&mut self, tree: &dyn ArchiveTree, folder: &str) -> bool {
        let tree = Subfolder { tree, folder };
        let mut inner = Self(EntryPoints::default());
        let has_meta = PLACES.into_iter().any(|place| tree.has(place));
        if has_meta || at_root(&tree).len() == 1 {
            inner.read(&tree);
        }
        let Some(entry) = inner.0.entry else { return false };
        let (message, help) = superfluous(folder);
        self.add(&rules::NO_ENTRY_DEFINITIONS, message, help, SourceRange::whole(&tree.whole()));
        self.0.entry = Some(tree.path(&entry));
        self.0.others.extend(inner.0.others.iter().map(|other| tree.path(other)));
        self.0.findings.append(&mut inner.0.findings);
        true
    }

    /// Checks an archive without a `TOSCA.meta` against the rules of the template's version.
    fn without_meta(&mut self, tree: &dyn ArchiveTree) {
        let Some(path) = &self.0.entry else { return };
        let Ok(text) = tree.read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()) else { return };
        let head = TemplateHead::of(&text);
        let (minor, message) = match head.version.strip_prefix("tosca_simple_yaml_1_") {
            // Since 1.1, a template at the root can replace the `TOSCA.meta`.
            Some("0") => ("0", "archives of TOSCA 1.0 must have a `TOSCA.meta`".to_owned()),
            Some(minor @ ("1" | "2" | "3")) => {
                let missing: Vec<_> = MANDATORY.iter().filter(|key| !head.metadata.contains(**key)).collect();
                let names = match missing[..] {
                    [] => return,
                    [one] => format!("`{one}`"),
                    _ => format!("`{}` and `{}`", MANDATORY[0], MANDATORY[1]),
                };
                let what = format!("the metadata of the template must have {names}");
                (minor, format!("in an archive without `TOSCA.meta`, {what}"))
            }
            _ => return,
        };
        let mut paths = tree.paths();
        paths.sort_unstable();
        let near = paths
            .iter()
            .find(|path| path.rsplit('/').next().is_some_and(|name| name.eq_ignore_ascii_case("TOSCA.meta")));
        let help = match near {
            Some(near) => format!("call `{}` `{}` instead", escape_control_chars(near.as_str().into()), PLACES[1]),
            None if minor == "0" => "add a `TOSCA.meta`, as `tosca-parse csar create` does".to_owned(),
            None => "add a `TOSCA.meta`, or name and version the template in its `metadata`".to_owned(),
        };
        let start = text.find(&head.version).unwrap_or(0);
        let range = start as u32..(start + head.version.len()) as u32;
        let place =
            SourceRange { address: tree.address(path), text: text.as_str().into(), range: (range.start, range.end) };
        self.add(&rules::MISSING_META, message, help, place);
    }

    fn by_meta(&mut self, tree: &dyn ArchiveTree, meta: &MetaText) {
        for (range, what) in meta.meta.malformed.iter().take(MAX_PROBLEMS) {
            let help = "write a key, a colon, a space and a value";
            self.add(&rules::MALFORMED_META, format!("the line can't be read: {what}"), help, meta.place(range));
        }
        let version = meta.meta.get("CSAR-Version");
        let text = version.map(|version| &*version.value);
        match (version, text) {
            (Some(_), Some("2.0" | "1.1" | "1.0")) => {}
            (Some(version), Some(text)) => {
                let message = format!("`{}` is not an archive version", escape_control_chars(text.into()));
                let help = "the versions are `2.0`, `1.1` and `1.0`";
                self.add(&rules::UNKNOWN_CSAR_VERSION, message, help, meta.place(&version.range));
            }
            _ => {
                let help = "add `CSAR-Version: 2.0`, or `1.1` for templates before TOSCA 2.0";
                let message = "`CSAR-Version` is missing from the first block";
                self.add(&rules::MISSING_CSAR_VERSION, message, help, meta.place(&(0..0)));
            }
        }
        let is_old = matches!(text, Some("1.0" | "1.1"));
        match meta.meta.get("TOSCA-Meta-File-Version") {
            None if is_old => {
                let message = "`TOSCA-Meta-File-Version` is missing, but mandatory in archives before version 2.0";
                let help = "add `TOSCA-Meta-File-Version: 1.1`";
                self.add(&rules::TOLERATED_CSAR_VERSION, message, help, meta.place(&(0..0)));
            }
            Some(entry) if !matches!(&*entry.value, "1.0" | "1.1") => {
                let message =
                    format!("`{}` is not a version of `TOSCA.meta`", escape_control_chars((&*entry.value).into()));
                let help = "the versions are `1.0` and `1.1`; remove the line for archives of version 2.0";
                self.add(&rules::UNKNOWN_CSAR_VERSION, message, help, meta.place(&entry.range));
            }
            _ => {}
        }
        if let Some(others) = meta.meta.get("Other-Definitions") {
            let (mut known, mut missing) = (HashSet::new(), 0);
            for (range, name) in names(&meta.text[others.range.clone()]) {
                let range = others.range.start + range.start..others.range.start + range.end;
                match definitions(tree, name, missing < MAX_SUGGESTIONS) {
                    Ok(_) if self.0.others.len() == MAX_OTHERS => {
                        let message = format!("`Other-Definitions` names more than {MAX_OTHERS} templates");
                        let help = "import the other templates, or pack several archives";
                        self.add(&rules::ARCHIVE_TOO_LARGE, message, help, meta.place(&range));
                        break;
                    }
                    Ok(path) if known.insert(path.clone()) => self.0.others.push(path),
                    Ok(_) => {}
                    Err((message, help)) => {
                        missing += 1;
                        if missing <= MAX_PROBLEMS {
                            self.add(&rules::MISSING_DEFINITIONS, message, help, meta.place(&range));
                        }
                    }
                }
            }
        }
        let Some(entry) = meta.meta.get("Entry-Definitions").filter(|entry| !entry.value.is_empty()) else {
            self.at_root(tree, Some(meta));
            return;
        };
        match definitions(tree, entry.value.trim_matches('"'), true) {
            Ok(path) => {
                self.0.others.retain(|other| *other != path);
                if is_old && tree.read(&path).is_ok_and(|bytes| is_2_0(&bytes) == Some(true)) {
                    let message = "the archive is of a version before 2.0, but its template is written in TOSCA 2.0";
                    let range = version.map_or(0..0, |version| version.range.clone());
                    let help = "write `CSAR-Version: 2.0`";
                    self.add(&rules::TOLERATED_CSAR_VERSION, message, help, meta.place(&range));
                }
                self.0.entry = Some(path);
            }
            Err((message, help)) => {
                let place = meta.place(&entry.range);
                self.0.reason =
                    Some(SourceProblem { rule: &rules::MISSING_DEFINITIONS, message, help: Some(help), place });
            }
        }
    }
}

/// Returns the folder that contains all files of an archive.
fn only_folder(tree: &dyn ArchiveTree) -> Option<String> {
    let mut paths = tree.paths();
    paths.retain(|path| !is_of_system(path));
    let (folder, _) = paths.first()?.split_once('/')?;
    let is_inside = |path: &String| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    paths.iter().all(is_inside).then(|| folder.to_owned())
}

/// Returns the message and the help for a folder that contains all files of an archive.
fn superfluous(folder: &str) -> (String, String) {
    let folder = escape_control_chars(folder.into());
    (
        format!("everything in the archive is in the folder `{folder}`, so there is no template at the root"),
        format!("pack the content of `{folder}` without the folder, as `tosca-parse csar create {folder}` does"),
    )
}

/// The files in a folder of an archive.
struct Subfolder<'t> {
    tree: &'t dyn ArchiveTree,
    folder: &'t str,
}

impl Subfolder<'_> {
    fn path(&self, path: &str) -> String {
        format!("{}/{path}", self.folder)
    }
}

impl ArchiveTree for Subfolder<'_> {
    fn has(&self, path: &str) -> bool {
        self.tree.has(&self.path(path))
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.tree.read(&self.path(path))
    }

    fn paths(&self) -> Vec<String> {
        let inside = |path: String| Some(path.strip_prefix(self.folder)?.strip_prefix('/')?.to_owned());
        self.tree.paths().into_iter().filter_map(inside).collect()
    }

    fn address(&self, path: &str) -> Address {
        self.tree.address(&self.path(path))
    }

    fn whole(&self) -> Address {
        self.tree.whole()
    }
}

struct MetaText {
    meta: Meta,
    address: Address,
    text: SharedText,
}

impl MetaText {
    fn place(&self, range: &Range<usize>) -> SourceRange {
        SourceRange {
            address: self.address.clone(),
            text: self.text.clone(),
            range: (range.start as u32, range.end as u32),
        }
    }
}

/// The maximum size of a `TOSCA.meta`, in bytes.
const MAX_META: u64 = 1 << 20;

/// The maximum number of templates that `Other-Definitions` can name. Each is validated on its own.
const MAX_OTHERS: usize = 10_000;

/// The maximum number of problems of one rule in a `TOSCA.meta`: one more than are shown.
const MAX_PROBLEMS: usize = 1_001;

/// The maximum number of missing files that are compared with all others.
const MAX_SUGGESTIONS: usize = 20;

/// Returns the path of the template that a `TOSCA.meta` names, or an error message with its help, which may suggest a
/// similar path.
fn definitions(tree: &dyn ArchiveTree, name: &str, suggests: bool) -> Result<String, (String, Help)> {
    let shown = escape_control_chars(name.into());
    let path: Vec<&str> = name.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if path.contains(&"..") {
        let message = format!("`{shown}` leads out of the archive");
        return Err((message, "write the path from the root of the archive".into()));
    }
    let path = path.join("/");
    if tree.has(&path) {
        return Ok(path);
    }
    let paths = if suggests { tree.paths() } else { Vec::new() };
    let help = match nearest(&path, paths.iter().map(String::as_str)) {
        Some(near) => Help::did_you_mean(escape_control_chars(near.into())),
        None => "add the file, or write its path from the root of the archive".into(),
    };
    Err((format!("there is no file `{shown}` in the archive"), help))
}
