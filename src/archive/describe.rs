//! The `TOSCA.meta` of an archive that is being packed.

use std::path::PathBuf;

use super::head::is_2_0;
use super::meta::Meta;
use crate::source::archive::pack::{PackError, PackOptions};
use crate::source::archive::{ArchiveTree, at_root};
use crate::source::{ReadError, escape_control_chars};

/// Returns the text of a `TOSCA.meta`. If there is one already, all blocks except the first are copied unchanged, and
/// the first is updated where the plan differs from it.
pub(super) fn describe(plan: &PackOptions, tree: &dyn ArchiveTree, place: &str) -> Result<String, PackError> {
    let failed = |error: ReadError| PackError::Io(PathBuf::from(place), std::io::Error::other(error.to_string()));
    let old = if tree.has(place) { Some(tree.read(place).map_err(failed)?) } else { None };
    let old = old.map_or_else(String::new, |bytes| String::from_utf8_lossy(&bytes).into_owned());
    let known = Meta::of(&old);
    let mut lines: Vec<(String, String)> =
        known.entries.iter().map(|entry| (entry.key.clone(), entry.value.clone())).collect();
    let entry = plan.entry.clone().or_else(|| known.get("Entry-Definitions").map(|entry| entry.value.clone()));
    let entry = entry.map_or_else(|| only(tree), Ok)?;
    if !tree.has(entry.trim_start_matches("./").trim_start_matches('/')) {
        return Err(PackError::LostEntry { entry, templates: templates(tree) });
    }
    let is_2_0 = tree.read(&entry).map_or(true, |bytes| is_2_0(&bytes).unwrap_or(true));
    let mut set = |key: &str, value: Option<String>, default: Option<&str>| match (
        lines.iter_mut().find(|(known, _)| known == key),
        value,
        default,
    ) {
        (Some(line), Some(value), _) => line.1 = value,
        (None, Some(value), _) => lines.push((key.to_owned(), value)),
        (None, None, Some(default)) => lines.push((key.to_owned(), default.to_owned())),
        _ => {}
    };
    if !is_2_0 {
        set("TOSCA-Meta-File-Version", None, Some("1.1"));
    }
    set("CSAR-Version", None, Some(if is_2_0 { "2.0" } else { "1.1" }));
    set("Created-By", plan.created_by.clone().map(|by| by.replace(['\r', '\n'], " ")), Some("tosca-parse"));
    set("Entry-Definitions", Some(entry), None);
    let quoted = |name: &String| if name.contains(' ') { format!("\"{name}\"") } else { name.clone() };
    let others: Vec<String> = plan.others.iter().map(quoted).collect();
    set("Other-Definitions", (!others.is_empty()).then(|| others.join(" ")), None);
    let mut text = String::new();
    for (key, value) in &lines {
        text.extend([key, ": ", value, "\n"]);
    }
    if !known.others.is_empty() {
        text.push('\n');
        text.push_str(&old[known.others.clone()]);
    }
    Ok(text)
}

/// Returns the only YAML file at the root.
fn only(tree: &dyn ArchiveTree) -> Result<String, PackError> {
    match &mut at_root(tree)[..] {
        [only] => Ok(std::mem::take(only)),
        _ => Err(PackError::NoEntry(templates(tree))),
    }
}

/// Returns the files that may be the template of an archive: YAML files, starting with those that have a service.
pub(super) fn templates(tree: &dyn ArchiveTree) -> Vec<String> {
    let at_root = at_root(tree);
    let mut paths = if at_root.is_empty() { tree.paths() } else { at_root };
    paths.retain(|path| [".yaml", ".yml"].iter().any(|ending| path.ends_with(ending)) && !is_of_system(path));
    paths.sort_unstable();
    let has_service = |path: &String| {
        let text = tree.read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        text.lines().any(|line| ["service_template:", "topology_template:"].iter().any(|key| line.starts_with(key)))
    };
    // Reading many files would take too long for a help text.
    let services: Vec<bool> = paths.iter().take(READ).map(has_service).collect();
    let mut ranked: Vec<(bool, String)> = services.into_iter().chain(std::iter::repeat(false)).zip(paths).collect();
    ranked.sort_by_key(|(has_service, _)| !has_service);
    ranked.into_iter().map(|(_, path)| path).collect()
}

/// Returns whether a file was added by an operating system, such as `.DS_Store` and `__MACOSX/._a.yaml`.
pub(super) fn is_of_system(path: &str) -> bool {
    path.starts_with("__MACOSX/") || path.split('/').any(|name| name.starts_with('.'))
}

/// The maximum number of files to search for a service.
const READ: usize = 20;

/// Formats up to three paths for a message.
pub(super) fn listed(paths: &[String]) -> String {
    let shown: Vec<String> =
        paths.iter().take(3).map(|path| format!("`{}`", escape_control_chars(path.into()))).collect();
    shown.join(", ")
}
