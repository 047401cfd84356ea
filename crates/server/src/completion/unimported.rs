//! Completion of names in known files that are not imported, together with the import.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use tosca_parse::ard::Document;
use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::{EntityDescription, FieldDescription, LanguageVersion};
use tosca_parse::source::{Address, Source};
use tosca_parse::spot;

use super::item::{Items, closeness};
use super::names::note;
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

/// Proposes names for a field from files of other programs.
pub(super) fn propose<'p>(
    importer: &Importer<'_>,
    others: impl Iterator<Item = &'p Parsed>,
    field: &FieldDescription,
    items: &mut Items,
) {
    let Some(unit) = importer.parsed.unit().filter(|_| !items.word_typed().is_empty()) else { return };
    let mut known: BTreeSet<String> = importer.parsed.sources().map(|(address, _)| address.to_string()).collect();
    known.insert(importer.file.to_string());
    let sections = field.lookup.as_ref().map_or(&[][..], |lookup| lookup.sections);
    let exported: Vec<_> =
        sections.iter().filter(|section| unit.language.sections[usize::from(section.0)].exported).collect();
    for other in others {
        let program = &other.outcome.program;
        for of_other in program.list.iter().filter(|of_other| of_other.implicit.is_none() && !of_other.is_data) {
            let Some(address) = other.address(of_other.id).filter(|address| address.to_path().is_some()) else {
                continue;
            };
            if !std::ptr::eq(of_other.language, unit.language) || !known.insert(address.to_string()) {
                continue;
            }
            let Some(path) = relative(importer.file, address) else { continue };
            for section in &exported {
                let names =
                    program.visible(of_other.id, **section).into_iter().filter(|(_, id)| id.unit == of_other.id);
                for (name, id) in names {
                    if closeness(items.word_typed(), name).is_none() {
                        continue;
                    }
                    let detail = format!("imports {path}");
                    items
                        .imported(name, CompletionItemKind::Class, detail, edit(importer, &path), || note(program, id));
                }
            }
        }
    }
}

/// Returns the path under which one file would import another.
fn relative(from: &Address, to: &Address) -> Option<String> {
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
