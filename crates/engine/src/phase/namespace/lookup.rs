//! Looks up names.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{LookupResult, NameBinding, Namespace, Spaces, key, name_of, section_of};
use crate::diagnostic::suggest::{Suggestions, or_list};
use crate::diagnostic::{Diagnostic, Diagnostics, Edit, Help, Rule, SourceId, Span};
use crate::entity::{AnyId, MaybeId, Merging, Precedence, Quirk, Role, Section, position_context, with_article};
use crate::phase::Unit;
use crate::phase::read::ReferenceSite;
use crate::rules;
use crate::symbol::Symbol;

/// The maximum number of different unknown names per unit for which a similar name is suggested. A unit with more
/// unknown names probably lacks a whole import, and comparing thousands of unknown names with all known ones would take
/// longer than the rest of the run.
const SUGGESTIONS: usize = 100;

/// The maximum number of names that are compared for suggestions in all units, in equal shares.
const SUGGESTION_BUDGET: usize = 1_500_000;

/// The maximum number of prefixes that a name can have. Imports don't limit this number, because a unit can import
/// itself.
const MAX_PREFIXES: usize = 32;

/// The intermediate results of one lookup, by unit and remaining name. They are cached because, if imports share
/// prefixes, the number of paths to a unit grows exponentially with the number of prefixes.
type Met = FxHashMap<(usize, Symbol), LookupResult>;

/// The unknown names in a unit.
struct Unknown {
    /// The hints, by name and the sections in which the name was looked up.
    hints: FxHashMap<(Symbol, &'static [Section]), Hint>,
    suggestions: Suggestions,
}

impl Unknown {
    fn with_share(units: usize) -> Self {
        let looks = SUGGESTION_BUDGET / units.max(1);
        Self { hints: FxHashMap::default(), suggestions: Suggestions::new(looks) }
    }

    /// Returns the number of comparisons with the given number of known names, without regard to the share, which
    /// depends on the program.
    fn compared(&self, names: usize) -> usize {
        self.hints.len().saturating_mul(names).min(SUGGESTION_BUDGET)
    }
}

/// Help for an unknown name.
#[derive(Clone, Default)]
struct Hint {
    /// The help that names the intended name.
    help: Option<Help>,
    /// Whether the help names the same name with a prefix, and the language has a quirk that accepts it without the
    /// prefix.
    lacks_prefix: bool,
    /// An entity of a different kind with the same name and its span.
    other: Option<(String, Span)>,
    /// The item to add to the list of imports and the name that the entity has after that.
    import: Option<(String, String)>,
}

impl<'a, F: Fn(usize) -> &'a Namespace> Spaces<'a, F> {
    /// Resolves a name in a unit.
    pub(super) fn resolve(&self, unit: usize, section: Section, name: Symbol) -> LookupResult {
        let of_unit = &self.units.list[unit];
        if let Some(id) = (self.space)(unit).local.get(of_unit, section, name) {
            return LookupResult::Found(id.of(of_unit.id));
        }
        match self.found(unit, section, name) {
            Some(id) => LookupResult::Found(id),
            None => self.resolve_exported(unit, section, name, &mut Met::default()),
        }
    }

    /// Resolves a name in the source that the finder found for it.
    fn found(&self, unit: usize, section: Section, name: Symbol) -> Option<AnyId> {
        let source = *(self.space)(unit).found.get(&name)?;
        let unit = self.units.index(source)?;
        let local = (self.space)(unit).local.get(&self.units.list[unit], section, name)?;
        Some(local.of(source))
    }

    fn resolve_exported(&self, unit: usize, section: Section, name: Symbol, met: &mut Met) -> LookupResult {
        let found = self.resolve_own(unit, section, name, met);
        if found.id().is_some() {
            return found;
        }
        if let Some(merging) = self.units.list[unit].language.merging {
            return self.resolve_merged(unit, merging, section, name, found);
        }
        if !self.units.quirks.has(Quirk::SHARED_NAMES) {
            return found;
        }
        // The entry's names include those of all files that it imports.
        match if unit == 0 { found } else { self.resolve_own(0, section, name, met) } {
            LookupResult::Unknown if self.is_part() => LookupResult::Unreadable,
            found => found,
        }
    }

    /// Resolves a name in a merged unit: in the program that the unit is merged into, with the prefix of its import.
    fn resolve_merged(
        &self,
        unit: usize,
        merging: Merging,
        section: Section,
        name: Symbol,
        own: LookupResult,
    ) -> LookupResult {
        let text = self.units.text(name);
        if let Some(id) = (self.space)(0).global.get(&key(section, name)) {
            return LookupResult::Found(*id);
        }
        let found = match (self.space)(unit).outer {
            _ if unit == 0 => own,
            Some(prefix) if !(merging.is_global)(text) => {
                let full = format!("{}{}{text}", self.units.text(prefix), merging.separator);
                self.resolve_own(0, section, self.units.interner.intern(&full), &mut Met::default())
            }
            _ => self.resolve_own(0, section, name, &mut Met::default()),
        };
        if found == LookupResult::Unknown { own } else { found }
    }

    /// Returns whether the entry is a library without imports, which relies on the imports of the file that imports it.
    pub(super) fn is_part(&self) -> bool {
        self.units.list.first().is_some_and(|entry| {
            let root = entry.document.root();
            let has = |keyname: &&str| root.is_some_and(|root| root.find(keyname).is_some());
            entry.imports.is_empty() && !entry.language.services.iter().any(has)
        })
    }

    fn resolve_own(&self, unit: usize, section: Section, name: Symbol, met: &mut Met) -> LookupResult {
        let space = (self.space)(unit);
        if let Some(meaning) = space.exported.get(key(section, name)) {
            return meaning.resolution();
        }
        let (text, separator) = (self.units.text(name), self.separator(unit));
        let prefixed = match text.split_once(separator) {
            Some((prefix, rest)) if text.matches(separator).nth(MAX_PREFIXES).is_none() => {
                self.resolve_prefixed(space, section, prefix, rest, met)
            }
            _ => LookupResult::Unknown,
        };
        if prefixed.id().is_some() {
            return prefixed;
        }
        for implicit in &self.units.implicit[unit] {
            let Some(meaning) = (self.space)(*implicit).exported.get(key(section, name)) else { continue };
            // If an entity is declared again, its alternative names refer to the new declaration.
            let declared = self.units.symbol(meaning.id).filter(|declared| *declared != name);
            if let Some(own) = declared.and_then(|declared| space.exported.get(key(section, declared))) {
                return own.resolution();
            }
            return LookupResult::Found(meaning.id);
        }
        if prefixed == LookupResult::Unknown && self.units.quirks.has(Quirk::UNPREFIXED_NAMES) {
            let found = self.resolve_below_prefixes(space, section, name);
            if found.id().is_some() {
                return found;
            }
        }
        // A failed import can declare names only in exported sections.
        let is_exported = self.units.list[unit].language.sections[usize::from(section.0)].exported;
        let may_be_missing = if is_exported { space.is_open } else { space.is_partial };
        match prefixed {
            LookupResult::Unknown if may_be_missing || space.lost_sections.has(section) => LookupResult::Unreadable,
            resolution => resolution,
        }
    }

    /// Resolves a name, written without a prefix, in the imports that have a prefix.
    fn resolve_below_prefixes(&self, space: &Namespace, section: Section, name: Symbol) -> LookupResult {
        let mut found = LookupResult::Unknown;
        #[allow(clippy::iter_over_hash_type, reason = "the order does not matter")]
        for unit in space.scopes.iter().flat_map(|(_, units)| units.iter()).filter_map(|unit| self.units.index(*unit)) {
            let meaning = (self.space)(unit).exported.get(key(section, name));
            found = match (found, meaning.map(NameBinding::resolution)) {
                (LookupResult::Found(one), Some(LookupResult::Found(other))) if one != other => {
                    return LookupResult::Ambiguous(one.min(other), one.max(other));
                }
                (LookupResult::Unknown, Some(resolution)) => resolution,
                (found, _) => found,
            };
        }
        found
    }

    fn resolve_prefixed(
        &self,
        space: &Namespace,
        section: Section,
        prefix: &str,
        rest: &str,
        met: &mut Met,
    ) -> LookupResult {
        let Some(prefix) = self.units.interner.get(prefix) else { return LookupResult::Unknown };
        let units = space.scopes.get(u64::from(prefix.number())).map_or(&[][..], |units| units);
        // A name that no source has ever used is not declared anywhere, except possibly in a source that could not be
        // read.
        let rest = self.units.interner.intern(rest);
        let mut found = LookupResult::Unknown;
        for unit in units.iter().filter_map(|unit| self.units.index(*unit)) {
            let is_merged = self.units.list[unit].language.merging.is_some();
            // The prefix has already been resolved in the program that a merged unit is part of.
            let below = if is_merged { Self::resolve_own } else { Self::resolve_exported };
            let resolved = match met.get(&(unit, rest)) {
                Some(known) => *known,
                None => below(self, unit, section, rest, met),
            };
            met.insert((unit, rest), resolved);
            found = match (found, resolved) {
                (LookupResult::Found(a), LookupResult::Found(b)) if a != b && !is_merged => {
                    return LookupResult::Ambiguous(a, b);
                }
                (
                    LookupResult::Unknown | LookupResult::Unreadable,
                    resolution @ (LookupResult::Found(_) | LookupResult::Ambiguous(..)),
                ) => resolution,
                (LookupResult::Unknown, LookupResult::Unreadable) => LookupResult::Unreadable,
                (found, _) => found,
            };
        }
        if found == LookupResult::Unknown && space.open_scopes.contains(&prefix.number()) {
            return LookupResult::Unreadable;
        }
        found
    }

    /// Returns the names in a section that a unit can use without a prefix, with their entities, sorted.
    pub(super) fn visible(&self, unit: usize, section: Section) -> Vec<(&'a str, AnyId)> {
        let of_unit = &self.units.list[unit];
        let space = (self.space)(unit);
        let local = space.local.of_section(of_unit, section).map(|(name, local)| (name, local.of(of_unit.id)));
        let is_tolerated = |key: u64| space.tolerated.contains(&key);
        let exported = space.exported.iter().filter(|(key, _)| section_of(*key) == section && !is_tolerated(*key));
        let mut names: Vec<_> = local
            .chain(exported.map(|(key, meaning)| (name_of(key), meaning.id)))
            .map(|(name, id)| (self.units.text(name), id))
            .collect();
        names.sort_unstable_by_key(|(name, _)| *name);
        names
    }

    /// Returns the names that a unit declares, with their sections and entities, sorted.
    pub(super) fn declared(&self, unit: usize) -> Vec<(Section, &'a str, AnyId)> {
        let of_unit = &self.units.list[unit];
        let space = (self.space)(unit);
        let sections = (0..of_unit.language.sections.len() as u8).map(Section);
        let local = sections.flat_map(|section| {
            let local = space.local.of_section(of_unit, section);
            local.map(move |(name, local)| (section, name, local.of(of_unit.id)))
        });
        let is_own = |key: u64, id: AnyId| id.unit == of_unit.id && !space.tolerated.contains(&key);
        let exported = space.exported.iter().filter(|(key, meaning)| is_own(*key, meaning.id));
        let mut names: Vec<_> = local
            .chain(exported.map(|(key, meaning)| (section_of(key), name_of(key), meaning.id)))
            .map(|(section, name, id)| (section, self.units.text(name), id))
            .collect();
        names.sort_unstable_by_key(|(section, name, _)| (section.0, *name));
        names
    }

    /// Looks up all references in a unit. Returns their targets, the references to parents that mean that there is no
    /// parent, and the problems.
    pub(super) fn look_up(&self, unit: usize) -> (Vec<MaybeId>, FxHashSet<u32>, Diagnostics, usize) {
        let mut diagnostics = Diagnostics::up_to(self.units.most_of_a_rule);
        let mut roots = FxHashSet::default();
        let mut unknown = Unknown::with_share(self.units.list.len());
        let names = (self.space)(unit).exported.len();
        let references = &self.units.list[unit].references;
        let mut targets = Vec::with_capacity(references.len());
        targets.extend(references.iter().zip(0..).map(|(reference, number)| {
            let target = self
                .in_scope(unit, reference)
                .or_else(|| self.look_up_reference(unit, reference, &mut unknown, &mut diagnostics));
            let is_root = target.is_some_and(|target| self.is_root(unit, reference, target));
            MaybeId::from(target.filter(|_| !is_root || !roots.insert(number)))
        }));
        (targets, roots, diagnostics, unknown.compared(names))
    }

    /// Returns the target of a name in a value, if an entity around the value declares the name for itself only.
    fn in_scope(&self, unit: usize, reference: &ReferenceSite) -> Option<AnyId> {
        let sections = reference.field.value.and(reference.lookup)?.sections;
        let unit = &self.units.list[unit];
        unit.with_owners(reference.owner).find_map(|owner| {
            let entity = unit.arenas.entity(owner)?;
            let fields = entity.description().fields.iter().enumerate();
            let here = fields
                .filter(|(_, field)| field.scoped && field.section.is_some_and(|section| sections.contains(&section)));
            here.into_iter().find_map(|(index, _)| entity.field(index).member(reference.name))
        })
    }

    /// Returns whether an entity names itself as its parent by an alternative name of the built-in entity that it
    /// hides. Such an entity has no parent.
    fn is_root(&self, unit: usize, reference: &ReferenceSite, target: AnyId) -> bool {
        reference.field.role == Role::Parent
            && target == reference.owner.of(self.units.list[unit].id)
            && self.units.symbol(target).is_some_and(|name| name != reference.name)
    }

    fn look_up_reference(
        &self,
        index: usize,
        reference: &ReferenceSite,
        unknown: &mut Unknown,
        diagnostics: &mut Diagnostics,
    ) -> Option<AnyId> {
        let unit = &*self.units.list[index];
        let lookup = reference.lookup?;
        // The value was not a valid name, which has been reported.
        if reference.name == Symbol::EMPTY {
            return None;
        }
        let is_known = || lookup.known.contains(&self.units.text(reference.name));
        if !lookup.known.is_empty() && is_known() {
            return None;
        }
        let mut unreadable = false;
        for section in lookup.sections.iter().chain(lookup.accepted) {
            match self.resolve(index, *section, reference.name) {
                LookupResult::Found(id) => {
                    diagnostics.extend(self.tolerated(index, reference, *section, id));
                    return Some(id);
                }
                LookupResult::Ambiguous(id, rival) => {
                    diagnostics.push(self.ambiguous(unit, reference, *section, id, rival));
                    return Some(id);
                }
                LookupResult::Unreadable if lookup.sections.contains(section) => unreadable = true,
                LookupResult::Unreadable | LookupResult::Unknown => {}
            }
        }
        if !unreadable && !lookup.optional {
            diagnostics.push(self.unknown(index, reference, lookup.sections, unknown));
        }
        None
    }

    fn problem(rule: &'static Rule, unit: &Unit, reference: &ReferenceSite, message: String) -> Diagnostic {
        unit.document.node(reference.node).problem(rule, message)
    }

    /// Returns the problem about a name that is known but should not be used.
    fn tolerated(&self, index: usize, reference: &ReferenceSite, section: Section, id: AnyId) -> Option<Diagnostic> {
        let unit = &*self.units.list[index];
        let implicit = self.units.index(id.unit)?;
        let precedence = self.units.list[implicit].implicit?;
        if unit.implicit.is_some() {
            return None;
        }
        let title = unit.language.sections[usize::from(section.0)].title;
        let name = self.units.text(reference.name);
        let version = unit.language.version_title(unit.version);
        let (message, help) = if precedence == Precedence::Tolerated {
            let message = format!("{title} `{name}` does not exist in {version}");
            let elsewhere = self.elsewhere(index, name, &[section]).map(|elsewhere| elsewhere.help);
            (message, elsewhere.unwrap_or_else(|| format!("define {} in its place", with_article(title)).into()))
        } else if (self.space)(implicit).tolerated.contains(&key(section, reference.name)) {
            let declared = self.units.name(id);
            (format!("{title} `{name}` is called `{declared}` in {version}"), Help::write(declared))
        } else {
            return None;
        };
        Some(Self::problem(&rules::TOLERATED_NAME, unit, reference, message).with_help(help))
    }

    fn ambiguous(
        &self,
        unit: &Unit,
        reference: &ReferenceSite,
        section: Section,
        id: AnyId,
        rival: AnyId,
    ) -> Diagnostic {
        let title = unit.language.sections[usize::from(section.0)].title;
        let name = self.units.text(reference.name);
        let message = format!("{title} `{name}` is ambiguous: two imports declare this name");
        let mut diagnostic = Self::problem(&rules::AMBIGUOUS_NAME, unit, reference, message)
            .with_help("import at least one of the files under a different namespace");
        for (id, label) in [(id, "first one"), (rival, "second one")] {
            if let Some(span) = self.units.name_span(id) {
                diagnostic = diagnostic.with_related(span, label);
            }
        }
        diagnostic
    }

    /// Returns the edits that add an item to the list of imports and replace the reference with the new name. Neither
    /// edit is useful without the other.
    fn import(unit: &Unit, reference: &ReferenceSite, item: &str, called: &str) -> Option<Vec<Edit>> {
        let import = position_context::import(&unit.document, unit.description()?, unit.version, item)?;
        let node = unit.document.node(reference.node);
        if node.text() == called {
            return Some(vec![import]);
        }
        Some(vec![import, node.reworded(called)?])
    }

    fn unknown(
        &self,
        index: usize,
        reference: &ReferenceSite,
        sections: &'static [Section],
        unknown: &mut Unknown,
    ) -> Diagnostic {
        let unit = &*self.units.list[index];
        let titles: Vec<&str> =
            sections.iter().map(|section| unit.language.sections[usize::from(section.0)].title).collect();
        let name = self.units.text(reference.name);
        let message = format!("there is no {} `{name}`", titles.join(" or "));
        let mut diagnostic = Self::problem(&rules::UNKNOWN_NAME, unit, reference, message);
        let Unknown { hints, suggestions } = unknown;
        let may_search = hints.len() < SUGGESTIONS;
        let hint = match hints.entry((reference.name, sections)) {
            Entry::Occupied(hint) => Some(&*hint.into_mut()),
            Entry::Vacant(vacant) if may_search => {
                Some(&*vacant.insert(self.hint(index, reference.name, sections, suggestions)))
            }
            Entry::Vacant(_) => None,
        };
        if let Some((message, span)) = hint.and_then(|hint| hint.other.as_ref()) {
            diagnostic = diagnostic.with_related(*span, message.clone());
        }
        if let Some((item, called)) = hint.and_then(|hint| hint.import.as_ref()) {
            diagnostic.edits = Self::import(unit, reference, item, called).unwrap_or_default();
        }
        let is_exported = |section: &Section| unit.language.sections[usize::from(section.0)].exported;
        match hint.and_then(|hint| hint.help.clone()) {
            Some(help) => {
                let lacks_prefix = hint.is_some_and(|hint| hint.lacks_prefix);
                let quirk = lacks_prefix.then(|| Quirk::UNPREFIXED_NAMES.help());
                let diagnostic = diagnostic.with_help(help);
                match quirk {
                    Some(quirk) => diagnostic.with_help(quirk),
                    None => diagnostic,
                }
            }
            None if sections.iter().any(is_exported) => {
                diagnostic.with_help("define it, or import a file or profile that defines it")
            }
            None => diagnostic.with_help("define it, or correct the name"),
        }
    }

    fn hint(&self, index: usize, name: Symbol, sections: &[Section], suggestions: &Suggestions) -> Hint {
        let unit = &*self.units.list[index];
        let mut others = (0..unit.language.sections.len() as u8).map(Section).filter(|other| !sections.contains(other));
        let other = others.find_map(|other| Some((other, self.resolve(index, other, name).id()?)));
        let other = other.and_then(|(section, id)| {
            let title = unit.language.sections[usize::from(section.0)].title;
            Some((format!("this is {}", with_article(title)), self.units.name_span(id)?))
        });
        let text = self.units.text(name);
        // A missing prefix is the most likely mistake.
        if let Some(prefixed) = self.below_a_prefix(index, text, sections) {
            let help = Some(Help::did_you_mean(prefixed));
            let lacks_prefix = unit.language.has_quirk(Quirk::UNPREFIXED_NAMES);
            return Hint { help, lacks_prefix, other, import: None };
        }
        if let Some(synonym) = self.synonym(index, text, sections) {
            return Hint { help: Some(Help::called(synonym)), lacks_prefix: false, other, import: None };
        }
        let elsewhere = self.elsewhere(index, text, sections);
        let import = elsewhere.as_ref().and_then(|elsewhere| elsewhere.import.clone());
        let help =
            elsewhere.map(|elsewhere| elsewhere.help).or_else(|| self.suggestion(index, text, sections, suggestions));
        let other = other.or_else(|| self.kept_by_others(index, name, sections));
        let help = help.or_else(|| {
            let other = other.as_ref()?.0.replacen("this", &format!("`{text}`"), 1);
            Some(format!("{other}; {}", self.instead(index, sections)).into())
        });
        let help = help.or_else(|| self.parent(index, text, sections)).or_else(|| self.listed(index, sections));
        Hint { help, lacks_prefix: false, other, import }
    }

    /// Returns the name in this language that corresponds to a name from a different language.
    fn synonym(&self, index: usize, name: &str, sections: &[Section]) -> Option<&'static str> {
        let language = self.units.list[index].language;
        let (_, synonym) = language.synonyms.iter().find(|(other, _)| other.eq_ignore_ascii_case(name))?;
        let symbol = self.units.interner.get(synonym)?;
        sections.iter().any(|section| self.resolve(index, *section, symbol).id().is_some()).then_some(*synonym)
    }

    /// Returns help for an unknown dotted name whose beginning is a declared name, which may be the name of the parent
    /// type.
    fn parent(&self, index: usize, name: &str, sections: &[Section]) -> Option<Help> {
        const MAX_PARTS: usize = 16;
        let is_exported =
            |section: &&Section| self.units.list[index].language.sections[usize::from(section.0)].exported;
        let mut ends = name.match_indices('.').rev().take(MAX_PARTS).map(|(end, _)| &name[..end]);
        let is_known = |name: &&str| {
            let symbol = self.units.interner.get(name);
            let mut sections = sections.iter().filter(is_exported);
            symbol.is_some_and(|symbol| sections.any(|section| self.resolve(index, *section, symbol).id().is_some()))
        };
        let parent = ends.find(is_known)?;
        Some(format!("there is `{parent}`; define the type, or import a file or profile that defines it").into())
    }

    /// Returns help that lists the possible names, if there are only a few and they can be declared only in the same
    /// unit.
    fn listed(&self, index: usize, sections: &[Section]) -> Option<Help> {
        const MAX_LISTED: usize = 8;
        let is_exported = |section: &Section| self.units.list[index].language.sections[usize::from(section.0)].exported;
        if sections.iter().any(is_exported) {
            return None;
        }
        let mut names = self.candidates(std::iter::once(index), sections);
        names.sort_unstable();
        names.dedup();
        (1..=MAX_LISTED).contains(&names.len()).then(|| format!("define it, or name {}", or_list(&names)).into())
    }

    /// Returns help for a name that is declared, but for an entity of a different kind.
    fn instead(&self, index: usize, sections: &[Section]) -> String {
        let titles =
            sections.iter().map(|section| self.units.list[index].language.sections[usize::from(section.0)].title);
        format!("name {} here", titles.map(with_article).collect::<Vec<_>>().join(" or "))
    }

    /// Returns help with the name that the author may have meant, within a budget.
    pub(super) fn suggestion(
        &self,
        index: usize,
        name: &str,
        sections: &[Section],
        suggestions: &Suggestions,
    ) -> Option<Help> {
        if suggestions.is_spent() {
            return None;
        }
        let nearest = |name: &str, names: Vec<&'a str>| suggestions.nearest(name, names);
        let space = (self.space)(index);
        let implicit = self.units.implicit[index].iter().copied();
        let separator = self.separator(index);
        let (prefix, rest) = match name.split_once(separator) {
            Some((prefix, rest)) => (Some(prefix), rest),
            None => (None, name),
        };
        if let Some(prefix) = prefix {
            let scope = self.units.interner.get(prefix).and_then(|symbol| space.scopes.get(u64::from(symbol.number())));
            let Some(scope) = scope else {
                // The language itself may declare names with a prefix.
                let mut names = self.candidates(implicit, sections);
                names.retain(|known| known.split_once(separator).is_some_and(|(known, _)| known == prefix));
                if !names.is_empty() {
                    return nearest(name, names).map(Help::did_you_mean);
                }
                let prefixes: Vec<&str> = space.scopes.iter().map(|(key, _)| self.units.text(name_of(key))).collect();
                let meant = nearest(prefix, prefixes)
                    .map_or(String::new(), |known| format!("; did you mean `{known}{separator}{rest}`?"));
                return Some(format!("no import has the namespace `{prefix}`{meant}").into());
            };
            let names = self.candidates(scope.iter().filter_map(|unit| self.units.index(*unit)), sections);
            return nearest(rest, names).map(|rest| Help::did_you_mean(format!("{prefix}{separator}{rest}")));
        }
        let names = self.candidates(std::iter::once(index).chain(implicit), sections);
        nearest(name, names).map(Help::did_you_mean)
    }

    /// Returns the given name with the prefix of an import that declares it; the first one in alphabetical order.
    pub(super) fn below_a_prefix(&self, index: usize, name: &str, sections: &[Section]) -> Option<String> {
        let symbol = self.units.interner.get(name)?;
        let has_it = |units: &[SourceId]| {
            units.iter().filter_map(|unit| self.units.index(*unit)).any(|unit| {
                sections
                    .iter()
                    .any(|section| self.resolve_exported(unit, *section, symbol, &mut Met::default()).id().is_some())
            })
        };
        let scopes = (self.space)(index).scopes.iter().filter(|(_, units)| has_it(units));
        let prefix = scopes.map(|(key, _)| self.units.text(name_of(key))).min()?;
        Some(format!("{prefix}{}{name}", self.separator(index)))
    }

    fn separator(&self, unit: usize) -> &'static str {
        self.units.list[unit].language.separator()
    }

    fn candidates(&self, units: impl Iterator<Item = usize>, sections: &[Section]) -> Vec<&'a str> {
        units
            .flat_map(|unit| sections.iter().flat_map(move |section| self.visible(unit, *section)))
            .map(|(name, _)| name)
            .collect()
    }
}
