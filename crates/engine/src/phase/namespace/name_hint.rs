//! Hints about unknown names that exist elsewhere: in a profile that is not imported, without the prefix that the name
//! has in a different version, or in the service of an imported file, which contributes only its types.

use super::Namespace;
use super::Spaces;
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{Help, Span};
use crate::entity::{AnyId, Language, LanguageVersion, Section, position_context};
use crate::symbol::Symbol;

/// A suggestion for an unknown name.
pub(super) struct NameHint {
    pub(super) help: Help,
    /// The item to add to the list of imports and the name that the entity has after that.
    pub(super) import: Option<(String, String)>,
}

impl<'a, F: Fn(usize) -> &'a Namespace> Spaces<'a, F> {
    /// Returns the help for a name whose last part `stem` leads to an entity. That entity may have a full name as well.
    fn short_name(&self, name: &str, stem: &str, found: AnyId) -> Option<Help> {
        let Some(declared) = self.declared_name(found).filter(|declared| *declared != stem) else {
            return Some(Help::called(stem));
        };
        if nearest(name, [declared]).is_some() {
            return Some(Help::did_you_mean(declared));
        }
        // A short form of a different full name is a different type.
        (declared == name || !declared.contains('.')).then(|| Help::called(stem))
    }

    /// Returns a suggestion for a name that exists in this version in a shorter form, or that an import would declare.
    pub(super) fn elsewhere(&self, index: usize, name: &str, sections: &[Section]) -> Option<NameHint> {
        let unit = &*self.units.list[index];
        // The name without the prefix that type names have in other versions.
        let stem = name.rsplit_once('.').map(|(_, stem)| stem);
        if let Some(stem) = stem
            && let Some(symbol) = self.units.interner.get(stem)
            && let Some(help) = sections
                .iter()
                .filter_map(|section| self.resolve(index, *section, symbol).id())
                .find_map(|found| self.short_name(name, stem, found))
        {
            return Some(NameHint { help, import: None });
        }
        // Names that are already imported with a prefix need no additional import.
        if let Some(prefixed) = stem.and_then(|stem| self.below_a_prefix(index, stem, sections)) {
            return Some(NameHint { help: Help::called(prefixed), import: None });
        }
        if !is_latest(unit.language, unit.version) {
            return None;
        }
        let declares = |text: &str, name: &str| {
            let titles = sections.iter().map(|section| unit.language.sections[usize::from(section.0)].title);
            titles.into_iter().any(|title| declares(text, title, name))
        };
        let keyname = position_context::imports(unit.description()?)?.keyname(unit.version);
        let written = unit.language.profile_import?;
        let synonym = unit.language.synonyms.iter().find(|(other, _)| *other == name).map(|(_, name)| *name);
        unit.language.profiles.iter().find_map(|profile| {
            let import = profile.names.first()?;
            let found = [Some(name), stem, synonym].into_iter().flatten().find(|name| declares(profile.text, name))?;
            let called = if found == name { String::new() } else { format!(", where it is called `{found}`") };
            let item = written(import);
            let help = format!("import the profile that declares it{called}: `{keyname}: [ {item} ]`");
            Some(NameHint { help: help.into(), import: Some((item, found.to_owned())) })
        })
    }

    fn declared_name(&self, id: AnyId) -> Option<&'a str> {
        let unit = &self.units.list[self.units.index(id.unit)?];
        Some(self.units.text(unit.arenas.header(id.local())?.name))
    }

    /// Returns a label and the position for a declaration of the name in a file that does not export it.
    pub(super) fn kept_by_others(&self, index: usize, name: Symbol, sections: &[Section]) -> Option<(String, Span)> {
        let units = self.units;
        let is_found = |section: &Section| units.list[index].language.sections[usize::from(section.0)].found;
        if sections.iter().any(is_found) {
            return None;
        }
        units.list.iter().enumerate().filter(|(other, _)| *other != index).find_map(|(other, unit)| {
            let local = sections
                .iter()
                .find_map(|section| (self.space)(other).local.get(&self.units.list[other], *section, name))?;
            let span = units.name_span(local.of(unit.id))?;
            Some((
                format!("`{}` declares one, but the content of its service is not imported", unit.source.name()),
                span,
            ))
        })
    }
}

fn is_latest(language: &Language, version: LanguageVersion) -> bool {
    usize::from(version.0) + 1 >= language.versions.len()
}

/// Returns whether the text of a profile declares a name, as a key in the section for its kind.
fn declares(text: &str, title: &str, name: &str) -> bool {
    let section = format!("{}s:", title.replace(' ', "_"));
    let mut is_within = false;
    text.lines().any(|line| {
        if line.starts_with(|first: char| first.is_ascii_lowercase()) {
            is_within = line.starts_with(&section);
        }
        let key = line.strip_prefix("  ").and_then(|line| line.strip_prefix(name));
        is_within && key.is_some_and(|rest| rest.starts_with(':'))
    })
}

#[cfg(test)]
mod tests {
    use super::declares;

    #[test]
    fn names_declared_by_a_profile() {
        let text = "node_types:\n  A:\n    B: {}\ncapability_types:\n  C: {}\n";
        let found = |title, name| declares(text, title, name);
        assert!(found("node type", "A") && found("capability type", "C"));
        assert!(!found("node type", "B") && !found("node type", "C") && !found("node type", ""));
    }
}
