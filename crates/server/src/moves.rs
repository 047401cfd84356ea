//! Moved files and folders: the imports that must change with them.

use serde_json::Value;
use tosca_parse::ard::{Style, write_scalar};
use tosca_parse::phase::Unit;
use tosca_parse::source::Address;

use crate::completion::unimported::relative;
use crate::index::Record;
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{TextEdit, Uri};

/// Files and folders, each with its new address.
#[derive(Clone, Debug)]
pub(crate) struct Moves(Vec<(Address, Address)>);

impl Moves {
    /// Returns the moves that the parameters of a request contain.
    pub(crate) fn of(params: &Value) -> Self {
        let address = |file: &Value, key: &str| place::address(&Uri(file.get(key)?.as_str()?.to_owned()));
        let files = params.get("files").and_then(Value::as_array).into_iter().flatten();
        Self(files.filter_map(|file| Some((address(file, "oldUri")?, address(file, "newUri")?))).collect())
    }

    /// Returns the new address of a file; `None` if it does not move.
    fn moved(&self, file: &Address) -> Option<Address> {
        let path = file.to_path()?;
        self.0.iter().find_map(|(old, new)| {
            let rest = path.strip_prefix(old.to_path()?).ok()?;
            if rest.as_os_str().is_empty() {
                Some(new.clone())
            } else {
                Some(Address::from_path(rest, &new.to_path()?))
            }
        })
    }

    /// Returns whether a file or one of its imports moves.
    pub(crate) fn concern(&self, record: &Record) -> bool {
        record.sources.iter().any(|source| Address::parse(source).is_ok_and(|source| self.moved(&source).is_some()))
    }

    /// Returns the edits to the imports of a unit.
    pub(crate) fn edits(&self, parsed: &Parsed, unit: &Unit) -> Vec<TextEdit> {
        let program = &parsed.outcome.program;
        let Some(file) = parsed.address(unit.id) else { return Vec::new() };
        let links = program.index(unit.id).and_then(|index| program.links.get(index));
        let edit = |link: &tosca_parse::phase::ResolvedImport| {
            let import = unit.imports.get(link.import)?;
            let node = unit.document.node(import.node);
            let target = parsed.address(program.list.get(link.unit)?.id)?;
            // Only relative paths are edited: URLs, absolute paths and names of profiles remain valid.
            let leads = |file: &Address, target: &Address| file.join(node.text()).is_ok_and(|found| found == *target);
            let is_relative = !node.text().starts_with('/') && !node.text().contains("://") && leads(file, target);
            let new_file = self.moved(file).unwrap_or_else(|| file.clone());
            let new_target = self.moved(target).unwrap_or_else(|| target.clone());
            let span = node.span();
            if !is_relative || leads(&new_file, &new_target) || span.source != unit.id {
                return None;
            }
            let path = relative(&new_file, &new_target)?;
            let dot = if node.text().starts_with("./") && !path.starts_with('.') { "./" } else { "" };
            let path = format!("{dot}{path}");
            let new_text = match node.style() {
                Style::Plain => write_scalar(&path, unit.language.yaml).into_owned(),
                Style::SingleQuoted => format!("'{}'", path.replace('\'', "''")),
                _ => Value::from(path).to_string(),
            };
            Some(TextEdit { range: place::range(&unit.source, span.start, span.end), new_text })
        };
        links.into_iter().flatten().filter_map(edit).collect()
    }
}
