//! Completion of names from known files that are not imported yet. Accepting one also adds the import.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use tosca_parse::ard::Document;
use tosca_parse::entity::{EntityDescription, FieldDescription, LanguageVersion};
use tosca_parse::position_context;
use tosca_parse::source::{Address, Source};

use super::item::{Items, closeness};
use crate::index::{Declared, Symbol};
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{CompletionItemKind, TextEdit};
use crate::syntax::Syntax;

/// The document that is to import a name.
pub(super) struct Importer<'a> {
    pub(super) file: &'a Address,
    pub(super) parsed: &'a Parsed,
    pub(super) document: &'a Document,
    /// The repaired text.
    pub(super) text: &'a str,
    /// The original.
    pub(super) source: &'a Source,
    pub(super) root: &'static EntityDescription,
    pub(super) version: LanguageVersion,
}

/// Proposes names from other files for a field.
pub(super) fn propose<'p>(
    importer: &Importer<'_>,
    others: impl Iterator<Item = &'p Declared>,
    field: &FieldDescription,
    items: &mut Items,
) {
    if items.word_typed().is_empty() {
        return;
    }
    let word = items.word_typed().to_owned();
    let near = |other: &'p Declared| {
        let is_near = |symbol: &&Symbol| closeness(&word, &symbol.name).is_some() && exports(other, symbol, field);
        other.names.iter().filter(is_near).collect::<Vec<_>>()
    };
    let others = others.filter(|other| !near(other).is_empty());
    for (other, path) in importable(importer.parsed, importer.file, others) {
        for symbol in near(other) {
            if items.is_full() {
                return items.cut();
            }
            let detail = format!("imports {path}");
            let note = || symbol.note.to_string();
            items.imported(&symbol.name, CompletionItemKind::Class, detail, edit(importer, &path), note);
        }
    }
}

/// Returns the files that a file could import and does not read yet, each with the path of the import. An import must
/// not lead back to the file.
pub(crate) fn importable<'p>(
    parsed: &Parsed,
    file: &Address,
    others: impl Iterator<Item = &'p Declared>,
) -> impl Iterator<Item = (&'p Declared, String)> {
    let language = parsed.unit().map(|unit| unit.language);
    let known: BTreeSet<&Address> = parsed.sources().map(|(address, _)| address).collect();
    let own = file.to_string();
    others.filter_map(move |other| {
        let is_source = !other.is_data && language.is_some_and(|language| std::ptr::eq(other.language, language));
        let is_new = is_source && !known.contains(&other.address) && *file != other.address;
        let is_loop = || other.sources.iter().any(|source| **source == *own);
        (is_new && !is_loop()).then(|| Some((other, relative(file, &other.address)?)))?
    })
}

/// Returns whether importing files can use a declared name in a field.
pub(crate) fn exports(declared: &Declared, symbol: &Symbol, field: &FieldDescription) -> bool {
    let sections = field.lookup.as_ref().map_or(&[][..], |lookup| lookup.sections);
    sections.contains(&symbol.section) && declared.language.sections[usize::from(symbol.section.0)].exported
}

/// Returns the path under which one file would import another.
pub(crate) fn relative(from: &Address, to: &Address) -> Option<String> {
    path_from(from.to_path()?.parent()?, &to.to_path()?)
}

/// Returns the path of a file relative to a folder.
pub(crate) fn path_from(folder: &Path, to: &Path) -> Option<String> {
    let (from, to): (Vec<Component<'_>>, Vec<_>) = (folder.components().collect(), to.components().collect());
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    if common == 0 {
        return None;
    }
    let up = from[common..].iter().map(|_| Some(".."));
    let names: Option<Vec<&str>> = up.chain(to[common..].iter().map(|name| name.as_os_str().to_str())).collect();
    let path = names?.join("/");
    // A part before a colon would be read as the scheme of a URL.
    let has_scheme = path.split('/').next().is_some_and(|first| first.contains(':'));
    Some(if has_scheme { format!("./{path}") } else { path })
}

/// Returns the edit that imports a path: a new item in the list of imports. `None` if it would touch the word that is
/// being typed.
fn edit(importer: &Importer<'_>, path: &str) -> Option<TextEdit> {
    let dialect = importer.parsed.unit()?.language.yaml;
    let item = Syntax::of(Some(importer.file), importer.source.text(), dialect).string(path);
    let change = position_context::import(importer.document, importer.root, importer.version, &item)?;
    let start = importer.offset(change.span.start)?;
    let end = importer.offset(change.span.end)?;
    Some(TextEdit { range: place::range(importer.source, start, end), new_text: change.text })
}

impl Importer<'_> {
    /// Returns the offset in the original text of an offset in the repaired one, outside the part that differs.
    fn offset(&self, offset: u32) -> Option<u32> {
        let (text, original) = (self.text.as_bytes(), self.source.text().as_bytes());
        let before = text.iter().zip(original).take_while(|(one, other)| one == other).count();
        let after = text[before..].iter().rev().zip(original[before..].iter().rev());
        let after = after.take_while(|(one, other)| one == other).count();
        let offset = offset as usize;
        let offset = if offset < before || offset == before && before == text.len() {
            offset
        } else if text.len() - after < offset {
            offset + original.len() - text.len()
        } else {
            return None;
        };
        u32::try_from(offset).ok()
    }
}
