//! References to a symbol: for navigation, lists, and renaming.

use std::collections::BTreeSet;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use rustc_hash::{FxHashMap, FxHashSet};
use tosca_parse::ard::{Kind as NodeKind, Node, NodeId};
use tosca_parse::diagnostic::Span;
use tosca_parse::entity::{AnyId, Kind, Role, Section};
use tosca_parse::phase::Unit;
use tosca_parse::phase::namespace::ReferenceResolver as _;
use tosca_parse::rules;
use tosca_parse::source::Address;

use crate::calls::{self, Call};
use crate::index::{self, Name, Record, word};
use crate::moves::Moves;
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{Position, Range, TextEdit};
use crate::symbol_at::{SymbolAt, Symbols};

/// The identity of a symbol across programs: the file and offset of its name and the kind of entity.
pub(crate) type Identity = (String, u32, Kind);

/// The symbol at a position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subject {
    /// The name.
    pub(crate) name: String,
    /// The name as written at the position, without prefix and quotes: it may lack its first words.
    pub(crate) written: String,
    /// The entities with this name that the symbol refers to.
    pub(crate) identities: Vec<Identity>,
    /// The range of the name at the position.
    pub(crate) range: Range,
    /// The kind of entity and its name, for messages.
    pub(crate) title: String,
    /// Whether it is a member of another entity, rather than a name that a file declares.
    pub(crate) is_member: bool,
}

/// A search for a symbol.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) subject: Subject,
    pub(crate) goal: Goal,
}

/// The results that a search collects.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    /// The occurrences of the name.
    Mentions,
    /// The occurrences of the name, or of its given last part, and the reasons why the name can't be replaced by a new
    /// one. `text` replaces each occurrence.
    Rename { new_name: String, part: Option<String>, text: String },
    /// The entities that refer to the symbol in one of the given roles: as their type or as their parent.
    Referrers(&'static [Role]),
    /// The calls of the symbol.
    Calls,
    /// The edits to imports of moved files. Such a search has no symbol.
    Moves(Moves),
}

impl Goal {
    /// Returns the text that replaces each occurrence; empty if none is replaced.
    pub(crate) fn replacement(&self) -> &str {
        if let Self::Rename { text, .. } = self { text } else { "" }
    }
}

/// An entity in a list of results.
#[derive(Clone, Debug)]
pub(crate) struct EntityItem {
    pub(crate) name: String,
    /// The kind of entity.
    pub(crate) title: &'static str,
    /// The range of the whole entity.
    pub(crate) range: Range,
    /// The range of its name.
    pub(crate) selection: Range,
    pub(crate) identity: Identity,
}

/// An occurrence of a name, without prefix and quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Occurrence {
    pub(crate) range: Range,
    pub(crate) is_declaration: bool,
}

/// The result of a search in a file.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) file: String,
    pub(crate) occurrences: Vec<Occurrence>,
    /// The reason why the symbol can't be given the new name.
    pub(crate) obstacle: Option<String>,
    /// The entities that refer to the symbol.
    pub(crate) referrers: Vec<EntityItem>,
    /// The edits to the imports of the file.
    pub(crate) edits: Vec<TextEdit>,
    /// The calls of the symbol.
    pub(crate) calls: Vec<Call>,
    /// Whether the symbol also occurs in other forms: shortened, or with escapes.
    pub(crate) has_other_forms: bool,
    /// The text of the file after the rename.
    pub(crate) renamed: Option<String>,
}

impl Found {
    /// Returns whether the symbol occurs in the file.
    pub(crate) fn is_mentioned(&self) -> bool {
        !self.occurrences.is_empty() || self.has_other_forms
    }

    /// Returns an empty result for a file.
    pub(crate) fn nothing(file: String) -> Self {
        Self {
            file,
            occurrences: Vec::new(),
            obstacle: None,
            referrers: Vec::new(),
            edits: Vec::new(),
            calls: Vec::new(),
            has_other_forms: false,
            renamed: None,
        }
    }
}

fn identity(parsed: &Parsed, id: AnyId) -> Option<Identity> {
    let span = parsed.outcome.program.name_span(id)?;
    Some((parsed.address(span.source)?.to_string(), span.start, id.kind))
}

/// Returns the symbol at the given position in the entry.
pub(crate) fn subject(parsed: &Parsed, at: Position) -> Option<Subject> {
    let unit = parsed.unit()?;
    let program = &parsed.outcome.program;
    let symbol = SymbolAt::at(program, unit, place::offset(&unit.source, at))?;
    let targets = symbol.targets(program);
    let first = *targets.first()?;
    let name = program.name(first).to_owned();
    let written = unit.source.text().get(symbol.span.start as usize..symbol.span.end as usize)?;
    let spelled = spelled(&name, written.trim_matches(['"', '\'']));
    let span = bare(unit, symbol.span, spelled.unwrap_or(&name))?;
    Some(Subject {
        written: spelled.unwrap_or(&name).to_owned(),
        identities: targets.iter().filter_map(|id| identity(parsed, *id)).collect(),
        range: place::range(&unit.source, span.start, span.end),
        title: program.describe(first),
        is_member: is_member(parsed, unit, first, &name),
        name,
    })
}

/// Returns whether no section of a file declares an entity.
fn is_member(parsed: &Parsed, unit: &Unit, id: AnyId, name: &str) -> bool {
    let program = &parsed.outcome.program;
    let Some(name) = program.interner.get(name) else { return true };
    let sections = (0..unit.language.sections.len() as u8).map(Section);
    !sections.into_iter().any(|section| program.resolve(unit.id, section, name).id() == Some(id))
}

/// The characters that end the prefix of a name: of a namespace, a path, or a call.
const BEFORE_NAME: [char; 3] = [':', '.', '$'];

/// The characters that begin the version and the package after the name of a class.
const AFTER_NAME: [char; 2] = ['/', '@'];

/// Returns the part of `text` that spells `name`: `text` may have a prefix, be a path that ends with the name, omit the
/// first words of a dotted name, or continue with a version and a package.
pub(crate) fn spelled<'t>(name: &str, text: &'t str) -> Option<&'t str> {
    spelled_at_end(name, text).or_else(|| spelled_at_end(name, before_version(text)?))
}

/// Returns the part of a text before a version and a package, if it has them.
pub(crate) fn before_version(text: &str) -> Option<&str> {
    text.find(AFTER_NAME).map(|end| &text[..end])
}

fn spelled_at_end<'t>(name: &str, text: &'t str) -> Option<&'t str> {
    if let Some(rest) = text.strip_suffix(name) {
        return (rest.is_empty() || rest.ends_with(BEFORE_NAME)).then(|| &text[rest.len()..]);
    }
    let last = text.rsplit(':').next().filter(|last| !last.is_empty())?;
    name.strip_suffix(last).filter(|rest| rest.ends_with('.')).map(|_| last)
}

/// Returns the span of a name within a key or value that may have a prefix and quotes.
pub(crate) fn bare(unit: &Unit, span: Span, name: &str) -> Option<Span> {
    let text = unit.source.text().get(span.start as usize..span.end as usize)?;
    // The package may have the same name.
    let end = text.find(AFTER_NAME).filter(|_| !name.contains(AFTER_NAME)).unwrap_or(text.len());
    let at = text[..end].rfind(name).or_else(|| text.rfind(name)).filter(|_| !name.is_empty())?;
    Some(Span { start: span.start + at as u32, end: span.start + (at + name.len()) as u32, ..span })
}

impl Search {
    /// Returns a function that checks whether a file may have results.
    pub(crate) fn filter(&self) -> impl Fn(&Record) -> bool + '_ {
        let words = self.words();
        move |record| match &self.goal {
            Goal::Moves(moves) => moves.concern(record),
            Goal::Mentions | Goal::Rename { .. } | Goal::Referrers(_) | Goal::Calls => record.may_contain(&words),
        }
    }

    /// Returns the words to look for: the name, its short forms, and the new name. A file is searched if it contains at
    /// least one of them.
    fn words(&self) -> Vec<u32> {
        let name = self.subject.name.as_str();
        let short = name.match_indices('.').map(|(at, _)| &name[at + 1..]);
        let new_name = if let Goal::Rename { new_name, .. } = &self.goal { Some(new_name.as_str()) } else { None };
        std::iter::once(name).chain(short).chain(new_name).map(word).collect()
    }

    /// Returns whether the text of a program's entry, or of its other sources that are not entries, contains one of the
    /// words to look for, whatever they refer to.
    pub(crate) fn may_occur(&self, parsed: &Parsed, entries: &HashSet<Name>) -> bool {
        index::may_contain(parsed, entries, &self.words())
    }

    /// Searches the entry of a program and its other sources that are not entries.
    pub(crate) fn of_program(&self, parsed: &Parsed, entries: &HashSet<Name>) -> Vec<Found> {
        let ids = find(parsed, &self.subject.identities);
        let units = index::own(parsed, entries).filter(|(unit, _)| !unit.is_data);
        units.map(|(unit, file)| self.of_unit(parsed, unit, file, &ids)).collect()
    }

    /// Searches the entry of a program.
    pub(crate) fn of_entry(&self, parsed: &Parsed) -> Option<Found> {
        let unit = parsed.unit()?;
        Some(self.of_unit(parsed, unit, parsed.address(unit.id)?.to_string(), &find(parsed, &self.subject.identities)))
    }

    fn of_unit(&self, parsed: &Parsed, unit: &Unit, file: String, ids: &FxHashSet<AnyId>) -> Found {
        match &self.goal {
            Goal::Referrers(roles) => Found { referrers: referrers(parsed, unit, ids, roles), ..Found::nothing(file) },
            Goal::Calls => {
                Found { calls: calls::incoming(parsed, unit, &self.subject.name, ids), ..Found::nothing(file) }
            }
            Goal::Moves(moves) => Found { edits: moves.edits(parsed, unit), ..Found::nothing(file) },
            Goal::Mentions | Goal::Rename { .. } => self.occurrences(parsed, unit, file, ids),
        }
    }

    fn occurrences(&self, parsed: &Parsed, unit: &Unit, file: String, ids: &FxHashSet<AnyId>) -> Found {
        let name = self.subject.name.as_str();
        let (new_name, part, new_text) = match &self.goal {
            Goal::Rename { new_name, part, text } => (Some(new_name), part.as_deref(), Some(text)),
            _ => (None, None, None),
        };
        let mut symbols = Symbols::new(&parsed.outcome.program, unit, ids);
        let identities = self.subject.identities.iter().filter(|(of, ..)| *of == file);
        let declared: FxHashSet<u32> = identities.map(|(_, start, _)| *start).collect();
        let mut occurrences: Vec<(Span, NodeId, bool)> = Vec::new();
        let (mut is_escaped, mut is_short) = (false, false);
        for node in unit.document.nodes().filter(|node| !node.is_alias()) {
            let spelled = spelled(name, node.text());
            let is_qualifier = node.text().rsplit_once('.').is_some_and(|(before, _)| before == name);
            let span = node.span();
            if span.source != unit.id || spelled.is_none() && !is_qualifier {
                continue;
            }
            let Some(symbol) = symbols.of_node(node) else { continue };
            let is_searched = symbols.is_searched(&symbol);
            if let Some(spelled) = spelled.filter(|_| is_searched) {
                let rest = spelled.strip_suffix(part.unwrap_or(name));
                is_short |= !rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
                match bare(unit, span, part.filter(|_| !is_short).unwrap_or(spelled)) {
                    Some(place) => occurrences.push((place, node.id(), declared.contains(&span.start))),
                    None => is_escaped = true,
                }
            }
            if let Some(span) = symbols.searched_qualifier(&symbol).filter(|_| is_qualifier) {
                match bare(unit, span, name).filter(|place| *place == span) {
                    Some(place) => {
                        let start = part.map_or(place.start, |part| place.end - part.len() as u32);
                        occurrences.push((Span { start, ..place }, node.id(), false));
                    }
                    None => is_escaped = true,
                }
            }
        }
        occurrences.sort_by_key(|(span, ..)| (span.start, span.end));
        occurrences.dedup_by_key(|(span, ..)| (span.start, span.end));
        let obstacle = new_name.and_then(|new_name| {
            if is_escaped {
                return Some(format!("{} contains `{name}` with escapes", shown(&file)));
            }
            if is_short {
                return Some(format!("{} contains a short form of `{name}`", shown(&file)));
            }
            let nodes: FxHashSet<NodeId> = occurrences.iter().map(|(_, node, _)| *node).collect();
            Rename { search: self, new_name, parsed, unit, file: &file, ids }.obstacle(&nodes)
        });
        let occurrence = |(span, _, is_declaration): &(Span, NodeId, bool)| Occurrence {
            range: place::range(&unit.source, span.start, span.end),
            is_declaration: *is_declaration,
        };
        let spans = || occurrences.iter().map(|(span, ..)| span.start as usize..span.end as usize);
        let renamed = new_text.filter(|_| !occurrences.is_empty() && obstacle.is_none());
        Found {
            occurrences: occurrences.iter().map(occurrence).collect(),
            renamed: renamed.map(|new| replaced(unit.source.text(), spans(), new)),
            obstacle,
            has_other_forms: is_escaped || is_short,
            ..Found::nothing(file)
        }
    }
}

/// Returns a text in which each of the given ranges, which are sorted, is replaced.
fn replaced(text: &str, ranges: impl Iterator<Item = std::ops::Range<usize>>, new: &str) -> String {
    let (mut result, mut end) = (String::with_capacity(text.len()), 0);
    for range in ranges {
        result.push_str(text.get(end..range.start).unwrap_or_default());
        result.push_str(new);
        end = range.end;
    }
    result + text.get(end..).unwrap_or_default()
}

/// Returns the entities of a program that have one of the given identities.
fn find(parsed: &Parsed, identities: &[Identity]) -> FxHashSet<AnyId> {
    let program = &parsed.outcome.program;
    let mut by_file: HashMap<&str, FxHashMap<Kind, FxHashSet<u32>>> = HashMap::default();
    for (file, start, kind) in identities {
        by_file.entry(file).or_default().entry(*kind).or_default().insert(*start);
    }
    let mut ids = FxHashSet::default();
    for unit in &program.list {
        let Some(file) = parsed.address(unit.id).map(ToString::to_string) else { continue };
        for (kind, starts) in by_file.get(&*file).into_iter().flatten() {
            let entities = unit.arenas.of_kind(*kind).map(|(id, _)| id.of(unit.id));
            ids.extend(entities.filter(|id| program.name_span(*id).is_some_and(|span| starts.contains(&span.start))));
        }
    }
    ids
}

/// Returns the type with the given kind and name that a file declares.
pub(crate) fn type_named(parsed: &Parsed, file: &str, kind: Kind, name: &str) -> Option<AnyId> {
    let program = &parsed.outcome.program;
    let is_file = |unit: &&Arc<Unit>| parsed.address(unit.id).is_some_and(|address| address.to_string() == file);
    let unit = program.list.iter().find(is_file)?;
    unit.types().find(|id| id.kind == kind && program.name(*id) == name)
}

/// Returns an entity as the subject of a search.
pub(crate) fn subject_of(parsed: &Parsed, id: AnyId) -> Option<Subject> {
    let program = &parsed.outcome.program;
    Some(Subject {
        name: program.name(id).to_owned(),
        written: program.name(id).to_owned(),
        identities: vec![identity(parsed, id)?],
        range: Range::default(),
        title: program.describe(id),
        is_member: false,
    })
}

/// Returns the entities of a unit that refer to one of the given entities in one of some roles.
fn referrers(parsed: &Parsed, unit: &Unit, ids: &FxHashSet<AnyId>, roles: &[Role]) -> Vec<EntityItem> {
    let program = &parsed.outcome.program;
    let references = unit.references().filter(|(reference, _, field, _)| {
        roles.contains(&field.role) && program.target(*reference).is_some_and(|id| ids.contains(&id))
    });
    let mut items: Vec<EntityItem> = references.filter_map(|(.., owner)| item(parsed, unit, owner)).collect();
    items.sort_by_key(|item| item.selection.start);
    items.dedup_by_key(|item| item.selection.start);
    items
}

/// Describes an entity of a unit for a list.
pub(crate) fn item(parsed: &Parsed, unit: &Unit, id: AnyId) -> Option<EntityItem> {
    let program = &parsed.outcome.program;
    let header = unit.arenas.header(id.local()).filter(|_| id.unit == unit.id)?;
    let (key, value) = (unit.document.node(header.key).span(), unit.document.node(header.node).span());
    let is_here = key.source == unit.id && value.source == unit.id;
    if !is_here {
        return None;
    }
    Some(EntityItem {
        name: program.secrets().masked(program.name(id)),
        title: unit.language.kinds[usize::from(id.kind.0)].description().title,
        range: place::range(&unit.source, key.start, value.end.max(key.end)),
        selection: place::range(&unit.source, key.start, key.end),
        identity: identity(parsed, id)?,
    })
}

/// A new name for a symbol, checked in a unit.
struct Rename<'a> {
    search: &'a Search,
    new_name: &'a str,
    parsed: &'a Parsed,
    unit: &'a Unit,
    file: &'a str,
    ids: &'a FxHashSet<AnyId>,
}

impl Rename<'_> {
    /// Returns the reason why the symbol can't be given the new name; `occurrences` are the nodes with the old name.
    fn obstacle(&self, occurrences: &FxHashSet<NodeId>) -> Option<String> {
        self.unread()
            .or_else(|| self.expression())
            .or_else(|| self.lookup())
            .or_else(|| self.sibling(occurrences))
            .or_else(|| self.member())
    }

    /// Returns the reason for a refusal if a part of the file that can't be read may contain the name.
    fn unread(&self) -> Option<String> {
        let (unit, name, program) = (self.unit, &*self.search.subject.name, &self.parsed.outcome.program);
        let unreadable = [&rules::NOT_FOUND, &rules::UNREADABLE];
        let is_unreadable = self.parsed.outcome.diagnostics.iter().any(|problem| {
            problem.span.source == unit.id && unreadable.iter().any(|rule| rule.code == problem.rule.code)
        });
        if is_unreadable && unit.source.text().is_empty() {
            return Some(format!("{} can't be read", shown(self.file)));
        }
        if !unit.document.is_complete() && unit.source.text().contains(name) {
            return Some(format!("{} contains `{name}` and is not valid YAML", shown(self.file)));
        }
        let mut references = unit.references();
        let is_open = program.is_open(unit.id);
        references.find_map(|(reference, node, ..)| {
            let node = unit.document.node(node);
            let target = program.target(reference);
            if target.is_some_and(|id| self.ids.contains(&id)) && node.span().source != unit.id {
                return Some(format!("{} computes a reference to `{name}`", shown(self.file)));
            }
            if target.is_some_and(|id| self.ids.contains(&id)) && is_in_expression(name, node) {
                return Some(format!("{} uses `{name}` in an expression", shown(self.file)));
            }
            let is_unknown = is_open && target.is_none() && spelled(name, node.text()).is_some();
            is_unknown.then(|| format!("{} contains `{name}`, and one of its imports can't be read", shown(self.file)))
        })
    }

    /// Returns the reason for a refusal if an expression contains the name of a member: the class of its object may be
    /// known only at run time.
    fn expression(&self) -> Option<String> {
        let Subject { name, is_member, .. } = &self.search.subject;
        let mut nodes = self.unit.document.nodes().filter(|node| is_expression(self.unit, *node));
        let is_used = *is_member && nodes.any(|node| has_word(node.text(), name));
        is_used.then(|| format!("{} uses `{name}` in an expression", shown(self.file)))
    }

    /// Returns the reason for a refusal if the new name already refers to a different entity.
    fn lookup(&self) -> Option<String> {
        let program = &self.parsed.outcome.program;
        let [old, new] = [&*self.search.subject.name, self.new_name].map(|name| program.interner.get(name));
        let (old, new) = (old?, new?);
        (0..self.unit.language.sections.len() as u8).map(Section).find_map(|section| {
            let is_visible = program.resolve(self.unit.id, section, old).id().is_some_and(|id| self.ids.contains(&id));
            let other = program.resolve(self.unit.id, section, new).id().filter(|_| is_visible)?;
            (!self.ids.contains(&other))
                .then(|| format!("{} is already known in {}", program.describe(other), shown(self.file)))
        })
    }

    /// Returns the reason for a refusal if a map would contain the new name twice.
    fn sibling(&self, occurrences: &FxHashSet<NodeId>) -> Option<String> {
        if occurrences.is_empty() {
            return None;
        }
        let maps = self.unit.document.nodes().filter(|node| node.kind() == NodeKind::Map && !node.is_alias());
        let has_both = |map: &Node<'_>| {
            let is_renamed = || map.entries().any(|entry| occurrences.contains(&entry.key.id()));
            map.find(self.new_name).is_some() && is_renamed()
        };
        maps.into_iter().find(has_both).map(|map| {
            let line = map.find(self.new_name).map(|entry| self.unit.source.line_column(entry.key.span().start).line);
            format!("line {} of {} already has `{}`", line.unwrap_or(1), shown(self.file), self.new_name)
        })
    }

    /// Returns the reason for a refusal if the type, an ancestor or a descendant has a member with the new name.
    fn member(&self) -> Option<String> {
        let program = &self.parsed.outcome.program;
        let owner = |id: AnyId| program.owners(id).next();
        let owned = || self.ids.iter().filter_map(|id| Some((*id, owner(*id)?)));
        let kinds: BTreeSet<Kind> = owned().map(|(id, _)| id.kind).collect();
        let own: FxHashSet<AnyId> = owned().map(|(_, owner)| owner).collect();
        let above = self.ancestors(&own);
        // Other files with such members contain the new name, so they are searched too.
        let declares = self.ids.iter().any(|id| id.unit == self.unit.id);
        let is_searched = |unit: &&Arc<Unit>| {
            (unit.id == self.unit.id || declares && unit.implicit.is_some())
                && std::ptr::eq(unit.language, self.unit.language)
        };
        for unit in program.list.iter().filter(is_searched) {
            for kind in &kinds {
                for (other, _) in unit.arenas.of_kind(*kind) {
                    let other = other.of(unit.id);
                    let Some(of_other) = owner(other).filter(|_| program.name(other) == self.new_name) else {
                        continue;
                    };
                    // A built-in type stands for the types with the same name in other versions.
                    let is_related = above.contains(&of_other)
                        || !self.ancestors(&FxHashSet::from_iter([of_other])).is_disjoint(&own)
                        || unit.implicit.is_some() && own.iter().any(|of| program.is_a(*of, of_other));
                    if is_related {
                        let owner = program.describe(of_other);
                        return Some(format!("{owner} already has {}", program.mention(other)));
                    }
                }
            }
        }
        None
    }

    /// Returns types and all their ancestors.
    fn ancestors(&self, types: &FxHashSet<AnyId>) -> FxHashSet<AnyId> {
        let program = &self.parsed.outcome.program;
        let (mut all, mut open) = (types.clone(), types.iter().copied().collect::<Vec<_>>());
        while let Some(id) = open.pop() {
            let parents = program.lineage(id).map_or(&[][..], |lineage| lineage.parents());
            open.extend(parents.iter().filter(|parent| all.insert(**parent)));
        }
        all
    }
}

/// Returns whether a node that refers to a name contains it, or its last part, in an expression.
fn is_in_expression(name: &str, node: Node<'_>) -> bool {
    let (text, last) = (node.text(), name.rsplit(['.', ':']).next().unwrap_or(name));
    let is_collection = matches!(node.kind(), NodeKind::List | NodeKind::Map);
    spelled(name, text).is_none() && (is_collection || text.contains(last) && text.contains(['(', '$', ' ']))
}

/// Returns whether a scalar is, or may be, an expression, in a language whose scalars can be expressions.
pub(crate) fn is_expression(unit: &Unit, node: Node<'_>) -> bool {
    let is_scalar = !matches!(node.kind(), NodeKind::List | NodeKind::Map);
    unit.language.yaml.expression_tag.is_some() && is_scalar && node.text().contains(['$', '('])
}

/// Returns whether a text contains a whole word.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}

/// Returns the path of a file.
pub(crate) fn shown(file: &str) -> String {
    let path = Address::parse(file).ok().and_then(|address| address.to_path());
    path.map_or_else(|| file.to_owned(), |path| path.display().to_string())
}
