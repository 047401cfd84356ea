//! Completion of file names.

use std::path::Path;

use tosca_parse::source::Address;

use super::item::Items;
use crate::protocol::CompletionItemKind;

/// The maximum number of directory entries to examine.
const MAX: usize = 2000;

/// The extensions of files that can be imported.
const ENDINGS: [&str; 8] = ["yaml", "yml", "tosca", "hot", "yay", "csar", "zip", "json"];

/// Proposes the files and folders next to a file or in the folder that has been typed.
pub(super) fn propose(file: &Address, is_import: bool, items: &mut Items) {
    let Some(path) = file.to_path() else { return };
    let Some(here) = path.parent() else { return };
    let folder = items.word_typed().rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
    let Ok(entries) = std::fs::read_dir(here.join(&folder)) else { return };
    let mut names: Vec<(String, bool)> = entries
        .take(MAX)
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().to_str()?.to_owned();
            let is_folder = entry.path().is_dir();
            let is_hidden = name.starts_with('.');
            (!is_hidden && entry.path() != path && (is_folder || !is_import || has_ending(&name)))
                .then_some((name, is_folder))
        })
        .collect();
    names.sort();
    for (name, is_folder) in names {
        let slash = if is_folder { "/" } else { "" };
        let kind = if is_folder { CompletionItemKind::Folder } else { CompletionItemKind::File };
        items.name(&format!("{folder}{name}{slash}"), kind, u8::from(is_folder), String::new(), String::new);
    }
}

fn has_ending(name: &str) -> bool {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}
