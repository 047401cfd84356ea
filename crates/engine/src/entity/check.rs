//! Consistency checks for a language.
//!
//! The derive macro sees only one struct at a time. Mistakes in the interaction of a language's entities are found by
//! the checks in this module, which a test of the language runs, so that the phases can rely on the absence of such
//! mistakes.

use rustc_hash::FxHashSet;

use super::{FieldDescription, Language, LanguageVersion, Section, Versions};
use crate::source::Address;

impl Language {
    /// Returns the inconsistencies in the language, one sentence each; empty if there are none. Call this in a test of
    /// the language.
    pub fn check(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (number, kind) in self.kinds.iter().enumerate() {
            let entity = kind.description();
            if usize::from(kind.number().0) != number {
                found.push(format!("`{}` is listed as kind {number}, but is {}", entity.name, kind.number().0));
            }
            let new = kind.new_entity();
            for (index, field) in entity.fields.iter().enumerate() {
                let at = format!("`{}` of `{}`", field.ident, entity.name);
                if new.field(index).is_set() {
                    found.push(format!("{at} is set in a new entity"));
                }
                found.extend(self.check_field(field).map(|what| format!("{at} {what}")));
            }
        }
        found.extend(self.check_holders());
        for profile in self.profiles {
            let address =
                Address::parse(profile.address).map(|address| (address.scheme().to_owned(), address.to_string()));
            if address.ok().is_none_or(|(scheme, shown)| scheme != "builtin" || shown != profile.address) {
                found.push(format!("`{}` is not a normalized address of the scheme `builtin`", profile.address));
            }
        }
        found
    }

    fn check_field(&self, field: &FieldDescription) -> impl Iterator<Item = String> {
        let mut found = Vec::new();
        let sections = field.section.iter().chain(field.lookup.iter().flat_map(|lookup| lookup.sections));
        for Section(section) in sections.filter(|section| usize::from(section.0) >= self.sections.len()) {
            found.push(format!("names section {section}, which the language does not have"));
        }
        let held = field.shape.entity().into_iter().chain(field.read_as.map(|read_as| (read_as.entity)()));
        for entity in held.filter(|held| !self.kinds.iter().any(|kind| std::ptr::eq(kind.description(), *held))) {
            found.push(format!("holds `{}`, which is not among the kinds of the language", entity.name));
        }
        if let Some(short) = field.members_short
            && field.shape.entity().is_none_or(|entity| entity.field(short).is_none())
        {
            found.push(format!("has short forms for the field `{short}`, which its entities do not have"));
        }
        let assigned = field.assigns.iter().flat_map(|assigns| [assigns.field, assigns.also]).flatten();
        for other in assigned.filter(|other| !self.kinds.iter().any(|kind| kind.description().field(other).is_some())) {
            found.push(format!("assigns to the field `{other}`, which no entity has"));
        }
        let ranges = field.keynames.iter().map(|keyname| keyname.versions);
        let ranges = ranges.chain(field.mandatory.map(|mandatory| mandatory.versions)).chain(field.closed);
        let is_odd = |versions: &Versions| versions.since > versions.until || !self.has(versions.since);
        for _ in ranges.filter(is_odd).take(1) {
            found.push("has an empty range of versions".to_owned());
        }
        found.into_iter()
    }

    fn has(&self, version: LanguageVersion) -> bool {
        usize::from(version.0) < self.versions.len().max(1)
    }

    /// Finds kinds that can never have an entity, because no field can hold one.
    fn check_holders(&self) -> Vec<String> {
        let roots: Option<Vec<_>> = self.roots.iter().map(|root| self.kinds.get(usize::from(root.0))).collect();
        let Some(roots) = roots.filter(|roots| !roots.is_empty()) else {
            return vec!["the kind of the root is not among the kinds of the language".to_owned()];
        };
        let mut waiting: Vec<_> = roots.into_iter().map(|root| root.description()).collect();
        let mut met: FxHashSet<_> = waiting.iter().map(|root| root.name).collect();
        while let Some(entity) = waiting.pop() {
            let read_as = entity.fields.iter().filter_map(|field| Some((field.read_as?.entity)()));
            let held = entity.fields.iter().filter_map(|field| field.shape.entity()).chain(read_as);
            waiting.extend(held.filter(|held| met.insert(held.name)));
        }
        let kinds = self.kinds.iter().map(|kind| kind.description().name).filter(|name| !met.contains(name));
        kinds.map(|name| format!("nothing holds `{name}`")).collect()
    }
}
