//! Collects pages from programs.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::rc::Rc;

use foldhash::{HashMap, HashSet};
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use tosca_parse::ard::Node;
use tosca_parse::diagnostic::Secrets;
use tosca_parse::entity::{
    AnyId, EntityDescription, FieldDescription, Keyname, Kind, LanguageVersion, MemberNote, Reference, Role, Shape,
};
use tosca_parse::phase::hierarchy::Lineage;
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::namespace::ReferenceResolver as _;
use tosca_parse::phase::{Program, Unit};
use tosca_parse::reference_docs::plural;
use tosca_parse::source::{BUILTIN, ImportTarget};

use crate::model::{
    Brief, Contents, Documentation, Fact, FactValue, Inherited, KindOfPage, Limits, Link, Member, Page, Section, Usage,
};
use crate::paths::{Paths, anchor};
use crate::{prose, yaml};

/// The maximum number of ancestors that a page shows, and whose members it lists.
const MAX_ANCESTORS: usize = 20;

/// The maximum number of inherited members that a section lists.
const MAX_INHERITED: usize = 300;

/// The maximum number of members of the type of a member that the member lists.
const MAX_OF_TYPE: usize = 100;

/// The maximum number of values of a keyname.
const MAX_VALUES: usize = 200;

/// The maximum number of usages that a page lists.
const MAX_USAGES: usize = 500;

/// The maximum nesting of entities on a page.
const MAX_DEPTH: usize = 12;

/// The estimated size of an item in addition to its strings, in bytes.
const ITEM: usize = 160;

/// An entity, in all programs: the number of its file, its kind and its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key(usize, Kind, u32);

/// A documentation that is being collected.
#[derive(Debug)]
pub struct Builder {
    limits: Limits,
    documentation: Documentation,
    /// The numbers of files, by name.
    files: HashMap<String, usize>,
    /// The files whose references have been collected.
    scanned: FxHashSet<usize>,
    kinds: IndexMap<(&'static str, &'static str), KindOfPage>,
    /// The pages by entity.
    numbers: FxHashMap<Key, usize>,
    /// The entities without a page, because there are too many.
    refused: FxHashSet<Key>,
    /// Parents and the types that are directly derived from them.
    derivations: Vec<(Key, Key)>,
    usages: Vec<RawUsage>,
    /// The members of types in short, by type and field.
    briefs: FxHashMap<(Key, &'static str), Rc<Briefs>>,
    /// The remaining bytes.
    room: usize,
}

/// Members in short, and the number of further ones.
type Briefs = (Vec<Brief>, usize);

#[derive(Debug)]
struct RawUsage {
    target: Key,
    user: Key,
    noun: &'static str,
    name: String,
    anchor: String,
}

impl Builder {
    /// Creates a documentation without pages.
    pub fn new(title: impl Into<String>, limits: Limits) -> Self {
        Self {
            limits,
            documentation: Documentation { title: title.into(), ..Documentation::default() },
            files: HashMap::default(),
            scanned: FxHashSet::default(),
            kinds: IndexMap::new(),
            numbers: FxHashMap::default(),
            refused: FxHashSet::default(),
            derivations: Vec::new(),
            usages: Vec::new(),
            briefs: FxHashMap::default(),
            room: limits.bytes,
        }
    }

    /// Adds the types of the entry of a program, and of the files that it directly or indirectly imports by path. Types
    /// of other files, such as imported profiles and built-in types, are added if pages mention them.
    pub fn add(&mut self, program: &Program<Complete>) {
        self.add_units(program, &own_units(program));
    }

    /// Adds the types that the entry of a program can use without importing them.
    pub fn add_implicit(&mut self, program: &Program<Complete>) {
        let mut is_own = vec![false; program.list.len()];
        for unit in program.implicit.first().into_iter().flatten() {
            is_own[*unit] = true;
        }
        self.add_units(program, &is_own);
    }

    /// Makes the root entity of the entry of a program the introduction.
    pub fn introduce(&mut self, program: &Program<Complete>) {
        let Some(root) = program.list.first().and_then(|unit| unit.root) else { return };
        let mut about = Collector::new(self, program).contents(root, MAX_DEPTH, "");
        about.facts.retain(|fact| matches!(fact.value, FactValue::Data(_)));
        self.documentation.about = about;
    }

    fn add_units(&mut self, program: &Program<Complete>, is_own: &[bool]) {
        let mut collector = Collector::new(self, program);
        let own = program.list.iter().zip(is_own).filter(|(_, is_own)| **is_own);
        for (unit, _) in own {
            for id in documented(program, unit) {
                if let Some(page) = collector.page(id) {
                    collector.builder.documentation.pages[page].is_own = true;
                }
            }
        }
        while let Some((id, number)) = collector.queue.pop_front() {
            collector.fill(id, number);
        }
        for (number, unit) in program.list.iter().enumerate() {
            if collector.builder.scanned.insert(collector.files[number]) {
                collector.scan(unit);
            }
        }
    }

    /// Adds the links between pages that are only known now.
    pub fn finish(mut self) -> Documentation {
        let mut documentation = std::mem::take(&mut self.documentation);
        let pages = &mut documentation.pages;
        let page = |key: &Key| self.numbers.get(key).copied();
        let link = |pages: &[Page], number: usize| Link {
            text: pages[number].name.clone(),
            page: Some(number),
            anchor: String::new(),
        };
        for (parent, child) in &self.derivations {
            if let (Some(parent), Some(child)) = (page(parent), page(child)) {
                let child = link(pages, child);
                pages[parent].derived.push(child);
            }
        }
        for RawUsage { target, user, noun, name, anchor } in self.usages {
            if let (Some(target), Some(user)) = (page(&target), page(&user)) {
                let user = link(pages, user);
                pages[target].usages.push(Usage { user, noun, name, anchor });
            }
        }
        for page in pages {
            page.derived.sort_by_cached_key(|link| (link.text.to_lowercase(), link.page));
            page.derived.dedup();
            page.usages.sort_by_cached_key(|usage| (usage.user.text.to_lowercase(), usage.user.page));
            page.usages.dedup();
            page.more_usages = page.usages.len().saturating_sub(MAX_USAGES);
            page.usages.truncate(MAX_USAGES);
        }
        documentation.kinds = self.kinds.into_values().collect();
        documentation.left_out.pages = self.refused.len();
        if documentation.left_out.members > 0 {
            let pages = documentation.pages.iter().enumerate();
            let members = pages.flat_map(|(number, page)| {
                let members = page.contents.sections.iter().flat_map(|section| &section.own);
                members.map(move |member| (number, member.anchor.clone()))
            });
            documentation.anchors = Some(members.collect());
        }
        documentation.paths = Paths::new(&documentation.kinds, &documentation.pages);
        documentation
    }
}

/// Returns whether each unit of a program is the entry or is imported from it by path.
fn own_units(program: &Program<Complete>) -> Vec<bool> {
    let mut is_own = vec![false; program.list.len()];
    let is_built_in = |unit: &Unit| unit.source.name().strip_prefix(BUILTIN).is_some_and(|rest| rest.starts_with(':'));
    let mut waiting = vec![0];
    while let Some(number) = waiting.pop() {
        let Some(unit) = program.list.get(number) else { continue };
        if std::mem::replace(&mut is_own[number], true) {
            continue;
        }
        for link in &program.links[number] {
            let import = unit.imports.get(link.import);
            let is_part = import.is_some_and(|import| {
                // Files that are found by a name in them belong to the same package.
                import.is_reference || matches!(import.target, Some(ImportTarget::Url { .. }))
            });
            if is_part && !is_built_in(&program.list[link.unit]) {
                waiting.push(link.unit);
            }
        }
    }
    is_own
}

/// Returns the types of a unit, and the other entities that importing units can name.
fn documented(program: &Program<Complete>, unit: &Unit) -> Vec<AnyId> {
    let mut all: Vec<AnyId> = unit.types().collect();
    if let (Some(root), Some(description)) = (unit.root, unit.description()) {
        let fields = description.fields.iter().filter(|field| is_exported(unit, field));
        let named = fields.flat_map(|field| program.children(root, field.ident));
        all.extend(named.filter(|id| program.lineage(*id).is_none()));
    }
    all
}

/// Returns whether importing units can name the entities of a field.
fn is_exported(unit: &Unit, field: &FieldDescription) -> bool {
    let section = field.section.filter(|_| !field.scoped);
    let is_service = unit.language.services.contains(&field.keyname(unit.version));
    section.is_some_and(|section| unit.language.sections[usize::from(section.0)].exported) && !is_service
}

/// The pages of one program.
struct Collector<'b, 'p> {
    builder: &'b mut Builder,
    program: &'p Program<Complete>,
    secrets: Secrets<'p>,
    /// The number of the file of each unit.
    files: Vec<usize>,
    /// The pages to fill.
    queue: VecDeque<(AnyId, usize)>,
    /// The members that types themselves declare, by field.
    own: FxHashMap<(AnyId, &'static str), Rc<[AnyId]>>,
}

impl<'b, 'p> Collector<'b, 'p> {
    fn new(builder: &'b mut Builder, program: &'p Program<Complete>) -> Self {
        let mut files = Vec::with_capacity(program.list.len());
        for unit in &program.list {
            let next = builder.files.len();
            files.push(*builder.files.entry(unit.source.name().to_owned()).or_insert(next));
        }
        let (secrets, queue, own) = (program.secrets(), VecDeque::new(), FxHashMap::default());
        Self { builder, program, secrets, files, queue, own }
    }

    fn unit(&self, id: AnyId) -> Option<&'p Unit> {
        self.program.unit(id.unit)
    }

    fn version(&self, id: AnyId) -> LanguageVersion {
        self.unit(id).map_or(LanguageVersion::FIRST, |unit| unit.version)
    }

    fn description(&self, id: AnyId) -> Option<&'static EntityDescription> {
        Some(self.program.raw(id)?.description())
    }

    fn key(&self, id: AnyId) -> Option<Key> {
        Some(Key(self.files[self.program.index(id.unit)?], id.kind, id.index))
    }

    /// Returns whether an entity has a page.
    fn is_documented(&self, id: AnyId) -> bool {
        if self.program.lineage(id).is_some() {
            return true;
        }
        let (Some(unit), Some(description)) = (self.unit(id), self.description(id)) else { return false };
        let is_top = self.program.owners(id).next().is_some_and(|owner| Some(owner) == unit.root);
        let mut fields = unit.description().into_iter().flat_map(|root| root.fields);
        is_top
            && fields.any(|field| {
                is_exported(unit, field) && field.shape.entity().is_some_and(|held| held.name == description.name)
            })
    }

    /// Returns the page of an entity, which is filled later; `None` if it has none.
    fn page(&mut self, id: AnyId) -> Option<usize> {
        let key = self.key(id)?;
        if let Some(page) = self.builder.numbers.get(&key) {
            return Some(*page);
        }
        if !self.is_documented(id) {
            return None;
        }
        let name = prose::short_name(&self.shown(self.program.name(id)));
        let pages = &mut self.builder.documentation.pages;
        if pages.len() >= self.builder.limits.pages {
            self.builder.refused.insert(key);
            return None;
        }
        let (unit, description) = (self.program.unit(id.unit)?, self.program.raw(id)?.description());
        let entry = self.builder.kinds.entry((unit.language.name, description.title));
        let kind = entry.index();
        entry.or_insert_with(|| KindOfPage {
            title: description.noun().to_owned(),
            plural: plural_of(description.noun()),
            docs: description.docs,
        });
        let number = pages.len();
        pages.push(Page { kind, name, file: prose::line(unit.source.name()), ..Page::default() });
        self.builder.numbers.insert(key, number);
        self.queue.push_back((id, number));
        Some(number)
    }

    /// Fills a page.
    fn fill(&mut self, id: AnyId, number: usize) {
        let (ancestors, has_more_ancestors) = self.ancestors(id);
        let mut contents = self.contents(id, 0, "");
        contents.sections = self.sections(id, &ancestors, has_more_ancestors);
        let parents = self.program.lineage(id).map_or(0, |lineage| lineage.parents().len()).min(ancestors.len());
        let ancestors = ancestors.into_iter().map(|ancestor| self.link_to(ancestor)).collect();
        let page = &mut self.builder.documentation.pages[number];
        page.contents = contents;
        page.ancestors = ancestors;
        page.parents = parents;
        page.has_more_ancestors = has_more_ancestors;
    }

    /// Returns the ancestors of a type, nearest first, and whether there are more.
    fn ancestors(&self, id: AnyId) -> (Vec<AnyId>, bool) {
        let parents = |id: AnyId| self.program.lineage(id).map(Lineage::parents).unwrap_or_default();
        let mut ancestors: Vec<AnyId> = Vec::new();
        let mut waiting: VecDeque<AnyId> = parents(id).iter().copied().collect();
        while let Some(ancestor) = waiting.pop_front() {
            if ancestor == id || ancestors.contains(&ancestor) {
                continue;
            }
            if ancestors.len() == MAX_ANCESTORS {
                return (ancestors, true);
            }
            ancestors.push(ancestor);
            waiting.extend(parents(ancestor));
        }
        (ancestors, false)
    }

    /// Returns the description and the keynames of an entity. `of_type` is its type, which is shown elsewhere.
    fn contents(&mut self, id: AnyId, depth: usize, of_type: &str) -> Contents {
        let mut contents = Contents::default();
        let Some(entity) = self.program.entity(id) else { return contents };
        let version = self.version(id);
        for (index, field) in entity.description().fields.iter().enumerate() {
            let is_known = field.keynames.iter().any(|keyname| keyname.is_read_in(version));
            if field.role == Role::Parent || !is_known || !entity.field(index).is_set() {
                continue;
            }
            let value = match field.shape {
                Shape::Scalar(..) | Shape::Value | Shape::Values => {
                    let nodes = self.data(id, field, index);
                    contents.is_deprecated |= nodes.iter().any(|node| is_deprecated(field, *node));
                    if field.ident == "description" {
                        contents.description =
                            nodes.first().map(|node| self.keep(prose::cut(node.text(), prose::LONGEST)));
                        continue;
                    }
                    let texts = nodes.into_iter().map(|node| self.keep(&yaml::value(node))).collect();
                    FactValue::Data(texts)
                }
                Shape::Reference | Shape::References => {
                    let mut references = Vec::new();
                    entity.field(index).visit_references(&mut |reference| references.push(reference));
                    references.truncate(MAX_VALUES);
                    let mut links: Vec<Link> = references.into_iter().map(|name| self.link(name)).collect();
                    if field.ident == "type" {
                        // `list of string` has the type `list`.
                        links.retain(|link| of_type.split(" of ").next() != Some(&*link.text));
                    }
                    FactValue::Links(links)
                }
                Shape::One(_) | Shape::List(_) if depth < MAX_DEPTH => {
                    let mut children = self.program.children(id, field.ident);
                    children.truncate(MAX_VALUES);
                    FactValue::Entities(children.into_iter().map(|child| self.unnamed(child, depth + 1)).collect())
                }
                _ => continue,
            };
            if !value.is_empty() {
                contents.facts.push(Fact {
                    keyname: label(field, version),
                    docs: field.docs,
                    value,
                    is_short: field.short.scalar,
                });
            }
        }
        contents
    }

    /// Returns the nodes of the values in a field.
    fn data(&self, id: AnyId, field: &FieldDescription, index: usize) -> Vec<Node<'p>> {
        let Some(entity) = self.program.entity(id) else { return Vec::new() };
        let mut positions = Vec::new();
        entity.field(index).visit_data(&mut |position| {
            if positions.len() < MAX_VALUES {
                positions.push(position);
            }
        });
        if positions.is_empty() && matches!(field.shape, Shape::Scalar(..)) {
            // A type of fields that only its language knows.
            let node = self.unit(id).zip(self.program.header(id)).map(|(unit, header)| unit.document.node(header.node));
            return node
                .and_then(|node| node.find(field.keyname(self.version(id))))
                .map(|entry| entry.value)
                .into_iter()
                .collect();
        }
        positions.into_iter().filter_map(|position| self.program.node(position)).collect()
    }

    /// Returns the content of an unnamed entity within another one. The page of its type has the rest.
    fn unnamed(&mut self, id: AnyId, depth: usize) -> Contents {
        let is_described = self.program.raw(id).is_some_and(|entity| {
            let description = entity.description().field("description");
            description.is_some_and(|(index, _)| entity.field(index).is_set())
        });
        let contents = self.nested(id, depth, "", None);
        Contents { description: contents.description.filter(|_| is_described), ..contents }
    }

    /// Returns the content of an entity within another one, with its members and those of its definition.
    fn nested(&mut self, id: AnyId, depth: usize, of_type: &str, definition: Option<AnyId>) -> Contents {
        let mut contents = self.contents(id, depth, of_type);
        for field in self.member_fields(id) {
            if depth >= MAX_DEPTH {
                break;
            }
            let own = self.own(id, field.ident);
            let own: Vec<Member> = own.iter().filter_map(|child| self.member(*child, None, depth + 1)).collect();
            let mut inherited = Vec::new();
            if let Some(definition) = definition {
                let briefs = self.briefs(definition, field.ident);
                let is_own = |brief: &Brief| own.iter().any(|member| member.name == brief.link.text);
                let others: Vec<&Brief> = briefs.0.iter().filter(|brief| !is_own(brief)).collect();
                let has_room = |brief: &&&Brief| spend(&mut self.builder.room, size(brief));
                let members: Vec<Brief> = others.iter().take_while(has_room).map(|brief| (*brief).clone()).collect();
                let omitted = others.len() - members.len();
                self.builder.documentation.left_out.members += omitted;
                if !members.is_empty() {
                    inherited.push(Inherited { from: self.link_to(definition), members, more: briefs.1 + omitted });
                }
            }
            if !own.is_empty() || !inherited.is_empty() {
                let keyname = label(field, self.version(id));
                contents.sections.push(Section { keyname, docs: field.docs, own, inherited, has_more: false });
            }
        }
        contents
    }

    /// Returns the sections of a page.
    fn sections(&mut self, id: AnyId, ancestors: &[AnyId], has_more: bool) -> Vec<Section> {
        let mut sections = Vec::new();
        for field in self.member_fields(id) {
            let ids = self.own(id, field.ident);
            let mut names: HashSet<&str> = ids.iter().map(|member| self.program.name(*member)).collect();
            let own: Vec<Member> = ids.iter().filter_map(|child| self.member(*child, Some((id, field)), 1)).collect();
            let mut inherited: Vec<Inherited> = Vec::new();
            let mut room = MAX_INHERITED;
            for ancestor in ancestors.iter().filter(|_| field.inherit.is_some()) {
                let all = self.own(*ancestor, field.ident);
                let shown: Vec<AnyId> =
                    all.iter().take(room).copied().filter(|member| names.insert(self.program.name(*member))).collect();
                let more = all.len().saturating_sub(room);
                room = room.saturating_sub(all.len());
                let members: Vec<Brief> =
                    shown.into_iter().filter_map(|member| self.brief(member, field.ident)).collect();
                if !members.is_empty() || more > 0 {
                    inherited.push(Inherited { from: self.link_to(*ancestor), members, more });
                }
            }
            let has_more = has_more && field.inherit.is_some();
            if !own.is_empty() || !inherited.is_empty() {
                let keyname = label(field, self.version(id));
                sections.push(Section { keyname, docs: field.docs, own, inherited, has_more });
            }
        }
        sections
    }

    /// Returns the fields of an entity with named members.
    fn member_fields(&self, id: AnyId) -> Vec<&'static FieldDescription> {
        let version = self.version(id);
        let is_wanted = |field: &&FieldDescription| {
            let is_known = field.keynames.iter().any(|keyname| keyname.is_read_in(version));
            matches!(field.shape, Shape::Named(_) | Shape::Sequence(_)) && is_known
        };
        self.description(id).into_iter().flat_map(|description| description.fields).filter(is_wanted).collect()
    }

    /// Returns the members that an entity itself declares in a field.
    fn own(&mut self, id: AnyId, ident: &'static str) -> Rc<[AnyId]> {
        let program = self.program;
        let find = || -> Rc<[AnyId]> {
            let mut children = Vec::new();
            if let Some(entity) = program.raw(id)
                && let Some((index, _)) = entity.description().field(ident)
            {
                entity.field(index).visit_children(&mut |child| children.push(child));
            }
            children.into()
        };
        // Members of members are only needed once.
        if program.lineage(id).is_none() {
            return find();
        }
        self.own.entry((id, ident)).or_insert_with(find).clone()
    }

    /// Returns a member, or `None` if there is no room for it. `of` is the type and the field that declare it, if it is
    /// a member of a type.
    fn member(&mut self, id: AnyId, of: Option<(AnyId, &'static FieldDescription)>, depth: usize) -> Option<Member> {
        if self.builder.room == 0 {
            self.builder.documentation.left_out.members += 1;
            return None;
        }
        let note = self.note(id);
        let name = self.program.name(id);
        let refines = of.and_then(|(owner, field)| self.refined(owner, field, name));
        Some(Member {
            anchor: of.map(|(_, field)| anchor(field.ident, &self.shown(name))).unwrap_or_default(),
            name: self.keep(&prose::short_name(name)),
            of_type: self.type_of(&note),
            is_required: note.is_required(),
            refines,
            contents: self.nested(id, depth, &note.type_name, self.program.definition(id)),
        })
    }

    /// Returns the declaration that a member of a type refines.
    fn refined(&mut self, owner: AnyId, field: &'static FieldDescription, name: &str) -> Option<Link> {
        field.inherit?;
        let symbol = self.program.interner.get(name)?;
        let parents = self.program.lineage(owner)?.parents();
        let refined = parents.iter().find_map(|parent| {
            let entity = self.program.entity(*parent)?;
            let (index, _) = entity.description().field(field.ident)?;
            entity.field(index).member(symbol)
        })?;
        let of_type = self.type_with(refined)?;
        let link = self.link_to(of_type);
        Some(Link { anchor: anchor(field.ident, &self.shown(name)), ..link })
    }

    /// Returns the type that declares a member.
    fn type_with(&self, id: AnyId) -> Option<AnyId> {
        self.program.owners(id).find(|owner| self.program.lineage(*owner).is_some())
    }

    fn brief(&mut self, id: AnyId, ident: &str) -> Option<Brief> {
        if self.builder.room == 0 {
            self.builder.documentation.left_out.members += 1;
            return None;
        }
        let note = self.note(id);
        let name = self.program.name(id);
        let page = self.type_with(id).and_then(|of_type| self.page(of_type));
        let link = Link { text: self.keep(&prose::short_name(name)), page, anchor: anchor(ident, &self.shown(name)) };
        let description = self.description_of(id).map(prose::summary).unwrap_or_default();
        let summary = self.keep(&description);
        Some(Brief { link, of_type: self.type_of(&note), is_required: note.is_required(), summary })
    }

    /// Returns the members of a type in a field, and the number of further ones.
    fn briefs(&mut self, id: AnyId, ident: &'static str) -> Rc<Briefs> {
        let Some(key) = self.key(id) else { return Rc::default() };
        if let Some(known) = self.builder.briefs.get(&(key, ident)) {
            return known.clone();
        }
        let children = self.program.children(id, ident);
        let more = children.len().saturating_sub(MAX_OF_TYPE);
        let briefs = children.into_iter().take(MAX_OF_TYPE).filter_map(|child| self.brief(child, ident)).collect();
        let briefs = Rc::new((briefs, more));
        self.builder.briefs.insert((key, ident), briefs.clone());
        briefs
    }

    fn note(&self, id: AnyId) -> MemberNote {
        self.unit(id).map(|unit| (unit.language.describe_member)(self.program, id)).unwrap_or_default()
    }

    fn type_of(&mut self, note: &MemberNote) -> Option<Link> {
        if note.type_name.is_empty() {
            return None;
        }
        let page = note.of_type.and_then(|of_type| self.page(of_type));
        Some(Link { text: self.keep(&prose::short_name(&note.type_name)), page, anchor: String::new() })
    }

    fn description_of(&self, id: AnyId) -> Option<&'p str> {
        let entity = self.program.entity(id)?;
        let (index, field) = entity.description().field("description")?;
        Some(self.data(id, field, index).first()?.text())
    }

    fn link_to(&mut self, id: AnyId) -> Link {
        Link { text: self.keep(&prose::short_name(self.program.name(id))), page: self.page(id), anchor: String::new() }
    }

    /// Returns the link of a reference: the name of its target or, if it is unknown, the name as written.
    fn link(&mut self, reference: Reference<()>) -> Link {
        match self.program.target(reference) {
            Some(target) if !self.program.name(target).is_empty() => self.link_to(target),
            _ => Link { text: self.keep(&prose::short_name(self.program.text(reference.name))), ..Link::default() },
        }
    }

    /// Returns a text without secrets, if there is room for it.
    fn keep(&mut self, text: &str) -> String {
        let text = prose::cut(text, self.builder.room);
        self.builder.room = self.builder.room.saturating_sub(text.len() + ITEM);
        self.shown(text).into_owned()
    }

    /// Returns a text without secrets.
    fn shown<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.secrets.is_empty() { text.into() } else { self.secrets.masked(text).into() }
    }

    /// Collects the references of a unit.
    fn scan(&mut self, unit: &Unit) {
        for (reference, _, field, owner) in unit.references() {
            let Some(target) = self.program.target(reference).filter(|target| self.is_documented(*target)) else {
                continue;
            };
            let chain: Vec<AnyId> = std::iter::once(owner).chain(self.program.owners(owner)).collect();
            let Some(position) = chain.iter().position(|id| self.is_documented(*id)) else { continue };
            let user = chain[position];
            let (Some(target_key), Some(user_key)) = (self.key(target), self.key(user)) else { continue };
            if field.role == Role::Parent && position == 0 {
                self.builder.derivations.push((target_key, user_key));
            } else if target != user {
                let member = position.checked_sub(1).map(|position| chain[position]);
                let (noun, name, anchor) = self.place(user, member, field);
                self.builder.usages.push(RawUsage { target: target_key, user: user_key, noun, name, anchor });
            }
        }
    }

    /// Returns the place of a reference in a type: the term for the member that has it, its name, and its id.
    fn place(&self, user: AnyId, member: Option<AnyId>, field: &FieldDescription) -> (&'static str, String, String) {
        let version = self.version(user);
        let keyname = |field| ("", label(field, version).to_owned(), String::new());
        let member = member.and_then(|member| Some((member, self.description(member)?)));
        let Some((member, of_member)) = member else { return keyname(field) };
        let holds = |field: &&FieldDescription| field.shape.entity().is_some_and(|held| held.name == of_member.name);
        let fields = self.description(user).into_iter().flat_map(|description| description.fields);
        let Some(holder) = fields.into_iter().find(holds) else { return keyname(field) };
        let name = self.program.name(member);
        if !matches!(holder.shape, Shape::Named(_) | Shape::Sequence(_)) || name.is_empty() {
            return keyname(holder);
        }
        let name = self.shown(name);
        (of_member.noun(), prose::short_name(&name), anchor(holder.ident, &name))
    }
}

impl FactValue {
    fn is_empty(&self) -> bool {
        match self {
            Self::Links(links) => links.is_empty(),
            Self::Data(texts) => texts.is_empty(),
            Self::Entities(entities) => entities.is_empty(),
        }
    }
}

/// Returns the keyname of a field, or its name if it has none that can be written.
fn label(field: &FieldDescription, version: LanguageVersion) -> &'static str {
    let keyname = field.keyname(version);
    if keyname == Keyname::ANY || keyname == Keyname::NONE { field.ident } else { keyname }
}

/// Takes bytes from the remaining ones. Returns whether there are enough.
fn spend(room: &mut usize, bytes: usize) -> bool {
    let rest = room.checked_sub(bytes);
    *room = rest.unwrap_or(0);
    rest.is_some()
}

/// Returns the size of a member in short, in bytes.
fn size(brief: &Brief) -> usize {
    let link = |link: &Link| link.text.len() + link.anchor.len() + ITEM;
    link(&brief.link) + brief.of_type.as_ref().map_or(0, link) + brief.summary.len()
}

/// Returns the term for several entities.
fn plural_of(title: &str) -> String {
    if title.ends_with('s') { format!("{title}es") } else { plural(title) }
}

/// Returns whether a value says that an entity is deprecated.
fn is_deprecated(field: &FieldDescription, node: Node<'_>) -> bool {
    let says_so = |text: &str| text.eq_ignore_ascii_case("deprecated");
    match field.ident {
        "status" => says_so(node.text()),
        "metadata" => node.entries().any(|entry| {
            says_so(entry.key.text()) && entry.value.text() != "false"
                || entry.key.text().eq_ignore_ascii_case("status") && says_so(entry.value.text())
        }),
        _ => false,
    }
}
