//! Completion of names in known files that are not imported, together with the import.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use tosca_parse::ard::Document;
use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::{EntityDescription, FieldDescription, LanguageVersion, Section};
use tosca_parse::source::{Address, Source};
use tosca_parse::spot;

use super::item::{Items, closeness};
use crate::index::{Declared, Symbol};
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{CompletionItemKind, Range, TextEdit};

/// The document that is to import a name.
pub(super) struct Importer<'a> {
    pub(super) file: &'a Address,
    pub(super) parsed: &'a Parsed,
    pub(super) document: &'a Document,
    /// The repaired text, which has the same lines as the original.
    pub(super) text: &'a str,
    pub(super) root: &'static EntityDescription,
    pub(super) version: LanguageVersion,
}

/// Proposes names for a field from other files.
pub(super) fn propose<'p>(
    importer: &Importer<'_>,
    others: impl Iterator<Item = &'p Declared>,
    field: &FieldDescription,
    items: &mut Items,
) {
    let Some(unit) = importer.parsed.unit().filter(|_| !items.word_typed().is_empty()) else { return };
    let known: BTreeSet<&Address> = importer.parsed.sources().map(|(address, _)| address).collect();
    let sections = field.lookup.as_ref().map_or(&[][..], |lookup| lookup.sections);
    let is_exported = |section: &&Section| unit.language.sections[usize::from(section.0)].exported;
    let exported: Vec<&Section> = sections.iter().filter(is_exported).collect();
    for other in others.filter(|other| !other.is_data && std::ptr::eq(other.language, unit.language)) {
        if known.contains(&other.address) || *importer.file == other.address {
            continue;
        }
        let is_near = |symbol: &&Symbol| {
            exported.contains(&&symbol.section) && closeness(items.word_typed(), &symbol.name).is_some()
        };
        let near: Vec<&Symbol> = other.names.iter().filter(is_near).collect();
        let Some(path) = relative(importer.file, &other.address).filter(|_| !near.is_empty()) else { continue };
        for symbol in near {
            if items.is_full() {
                return items.cut();
            }
            let detail = format!("imports {path}");
            let note = || symbol.note.to_string();
            items.imported(&symbol.name, CompletionItemKind::Class, detail, edit(importer, &path), note);
        }
    }
}

/// Returns the path under which one file would import another.
pub(crate) fn relative(from: &Address, to: &Address) -> Option<String> {
    let (from, to) = (from.to_path()?, to.to_path()?);
    let (from, to): (Vec<Component<'_>>, Vec<_>) = (from.parent()?.components().collect(), to.components().collect());
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = from[common..].iter().map(|_| Component::ParentDir);
    let path: std::path::PathBuf = up.chain(to[common..].iter().copied()).collect();
    Path::new(&path).to_str().map(|path| path.replace('\\', "/"))
}

/// Returns the edit that imports a path: a new item in the list of imports.
fn edit(importer: &Importer<'_>, path: &str) -> Option<TextEdit> {
    let change = spot::import(importer.document, importer.root, importer.version, path)?;
    let source = Source::new(SourceId(0), "", importer.text);
    let position = |offset| place::position(&source, offset);
    Some(TextEdit {
        range: Range { start: position(change.span.start), end: position(change.span.end) },
        new_text: change.text,
    })
}
