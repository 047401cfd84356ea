//! Completes entities. Fields call the functions in this module to inherit.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Candidate, ConflictResolution, IncompleteReason, MemberConflict, View};
use crate::ard::{Kind as NodeKind, Layout, Node, Style};
use crate::diagnostic::suggest::Suggestions;
use crate::diagnostic::{Diagnostic, Diagnostics, Edit, Help, Rule, Span};
use crate::entity::{
    AnyId, Described, Entity, Field, FieldDescription, Id, Inherit, NodeRef, Quirk, Reference, Role, Shape,
};
use crate::phase::hierarchy::{parents, references};
use crate::phase::namespace::ReferenceResolver;
use crate::rules;
use crate::symbol::Symbol;

/// The maximum number of sources from which most entities inherit: a parent, the refined member and a type.
pub(crate) const FEW_SOURCES: usize = 3;

/// The maximum number of names per task that are compared for suggestions.
const SUGGESTION_BUDGET: usize = 10_000;

/// The maximum number of names that the tasks of one unit compare for suggestions. Each task has the same share, which
/// does not depend on threads and caches.
const SUGGESTION_BUDGET_OF_UNIT: usize = 1_000_000;

/// A completed entity from which another entity inherits.
#[derive(Clone, Copy)]
pub struct InheritanceSource<'a> {
    /// The ID of the entity.
    pub id: AnyId,
    /// The entity.
    pub entity: &'a dyn Described,
    /// The role of the source for the inheriting entity.
    pub role: Role,
}

/// The same field in an entity from which another entity inherits.
#[derive(Clone, Copy)]
pub struct InheritedField<'a> {
    /// The field.
    pub field: &'a dyn Field,
    /// The entity that has the field.
    pub source: &'a InheritanceSource<'a>,
}

impl<'a> InheritedField<'a> {
    /// Returns the sources against which the members of an entity are checked: the type that defines the entity,
    /// because the members are declared there; without such a type, all sources.
    pub fn measures(sources: &'a [Self]) -> impl Iterator<Item = &'a Self> {
        let has_definition = sources.iter().any(|inherited| inherited.source.role == Role::Definition);
        sources.iter().filter(move |inherited| !has_definition || inherited.source.role == Role::Definition)
    }
}

/// The field that inherits.
pub struct InheritingField<'a> {
    /// The entity that has the field.
    pub owner: AnyId,
    /// The description of the field.
    pub field: &'a FieldDescription,
    /// How the field inherits.
    pub inherit: Inherit,
}

/// A task: the completion of one type or template and everything that it contains.
pub struct Completion<'a> {
    view: &'a View<'a>,
    pub(super) diagnostics: Diagnostics,
    suggestions: Suggestions,
}

/// The maximum number of conflicting definitions that a problem shows.
const MOST_SHOWN: usize = 10;

impl<'a> Completion<'a> {
    /// Creates the task of an entity.
    pub(super) fn new(view: &'a View<'a>, id: AnyId) -> Self {
        let diagnostics = Diagnostics::up_to(view.units().most_of_a_rule);
        let declared = view.units().unit(id.unit).map_or(1, |unit| unit.declarations.len().max(1));
        let looks = SUGGESTION_BUDGET.min(SUGGESTION_BUDGET_OF_UNIT / declared);
        Self { view, diagnostics, suggestions: Suggestions::new(looks) }
    }

    /// Completes the entity of the task.
    pub(super) fn run(&mut self, id: AnyId) {
        let view = self.view;
        let copied = references(view.units(), id, Role::Copy);
        let copied = copied.into_iter().filter_map(|reference| view.program.target(reference));
        let most = if view.program.stage.has_only_first_parents { 1 } else { usize::MAX };
        let sources: Vec<InheritanceSource<'a>> = parents(view.units(), view.program, id)
            .into_iter()
            .take(most)
            .map(|parent| (parent, Role::Parent))
            .chain(copied.map(|source| (source, Role::Copy)))
            .filter_map(|(id, role)| Some(InheritanceSource { id, entity: view.entity(id)?, role }))
            .collect();
        self.complete_any(id, &sources);
    }

    fn complete_any(&mut self, id: AnyId, sources: &[InheritanceSource<'_>]) {
        if let Some(unit) = self.view.units().unit(id.unit) {
            unit.language.kinds[usize::from(id.kind.0)].complete(self, id, sources);
        }
    }

    /// Completes an entity from `sources`, nearest first, and from the type that defines the entity.
    pub(crate) fn complete<E: Entity>(&mut self, id: Id<E>, sources: &[InheritanceSource<'_>]) {
        let view = self.view;
        let Some(raw) = view.units().raw_as(id) else { return };
        let description = raw.description();
        let definition = description.find(|field| field.role == Role::Definition);
        if sources.is_empty() && definition.is_none() {
            for (index, field) in description.fields.iter().enumerate() {
                self.complete_children(id.any(), (field, raw.field(index)), None);
            }
            self.check_mandatory(id.any(), raw, &[]);
            return;
        }
        let mut own = raw.clone();
        let mut sources: SmallVec<[InheritanceSource<'_>; FEW_SOURCES]> = sources.into();
        if let Some((index, field)) = definition {
            self.inherit(id.any(), &mut own, (index, field), &sources);
            sources.extend(self.definition(own.field(index)));
        }
        let copied = sources.iter().find(|source| source.role == Role::Copy).copied();
        for (index, field) in description.fields.iter().enumerate() {
            if field.role == Role::None || field.role == Role::Definition && field.inherit.is_none() {
                self.inherit(id.any(), &mut own, (index, field), &sources);
            }
            // A field that refines completes its members itself, from the refined ones.
            if field.inherit != Some(Inherit::Refine) {
                let copied = copied.filter(|_| matches!(field.shape, Shape::Named(_)));
                let copied = copied.map(|copied| copied.entity.field(index));
                self.complete_children(id.any(), (field, raw.field(index)), copied);
            }
        }
        self.check_mandatory(id.any(), &own, &sources);
        if let Some(unit) = view.units().index(id.unit) {
            view.completed[unit].slots.set(id.index(), own);
        }
    }

    /// Completes a member from the members of the same name in its owner's inheritance sources.
    pub(crate) fn complete_child<E: Entity>(&mut self, id: Id<E>, inherited: &[(&InheritanceSource<'_>, Id<E>)]) {
        let view = self.view;
        let sources: SmallVec<[InheritanceSource<'_>; FEW_SOURCES]> = inherited
            .iter()
            .filter_map(|(source, id)| {
                Some(InheritanceSource { id: id.any(), entity: view.entity(id.any())?, role: source.role })
            })
            .collect();
        self.complete(id, &sources);
    }

    /// Completes members that refine nothing. A member is merged with the copied member of the same name.
    fn complete_children(
        &mut self,
        owner: AnyId,
        (description, field): (&FieldDescription, &dyn Field),
        copied: Option<&dyn Field>,
    ) {
        if matches!(description.shape, Shape::Scalar(..) | Shape::Values | Shape::Reference | Shape::References) {
            return;
        }
        let view = self.view;
        let name = |id: AnyId| view.units().symbol(id);
        let mut originals = FxHashMap::default();
        if let Some(copied) = copied {
            copied.visit_children(&mut |original| {
                originals.insert(name(original), original);
            });
        }
        let mut children: SmallVec<[AnyId; 4]> = SmallVec::new();
        field.visit_children(&mut |child| children.push(child));
        for child in children.into_iter().filter(|child| child.unit == owner.unit) {
            let original = if originals.is_empty() { None } else { originals.get(&name(child)).copied() };
            let source =
                original.and_then(|id| Some(InheritanceSource { id, entity: view.entity(id)?, role: Role::Copy }));
            self.complete_any(child, source.as_slice());
        }
    }

    /// Returns the completed type that defines an entity, given the field that refers to it. A type that can't be
    /// completed is not used; this is reported elsewhere.
    fn definition(&self, field: &dyn Field) -> Option<InheritanceSource<'a>> {
        let view = self.view;
        let mut target = None;
        field.visit_references(&mut |reference| target = target.or_else(|| view.program.target(reference)));
        let id = target.filter(|id| view.gap(*id) != Some(IncompleteReason::Loop))?;
        Some(InheritanceSource { id, entity: view.entity(id)?, role: Role::Definition })
    }

    fn inherit(
        &mut self,
        owner: AnyId,
        own: &mut dyn Described,
        (index, field): (usize, &'static FieldDescription),
        sources: &[InheritanceSource<'_>],
    ) {
        let copied = sources.iter().find(|source| source.role == Role::Copy);
        let copied = copied.map(|copied| copied.entity.field(index));
        if let Some(copied) = copied.filter(|copied| copied.is_set()) {
            own.field_mut(index).copy_from(copied);
        }
        let Some(inherit) = field.inherit else { return };
        let description = own.description();
        let mut inherited: SmallVec<[InheritedField<'_>; FEW_SOURCES]> = SmallVec::new();
        for source in sources.iter().filter(|source| source.role != Role::Copy) {
            let other = source.entity.description();
            // Most entities inherit from entities of the same kind.
            let index =
                if std::ptr::eq(description, other) { Some(index) } else { other.field(field.ident).map(|it| it.0) };
            if let Some(index) = index {
                inherited.push(InheritedField { field: source.entity.field(index), source });
            }
        }
        own.field_mut(index).inherit(self, &InheritingField { owner, field, inherit }, &inherited);
    }

    /// Counts members that an entity takes over from its second and further parents. Returns whether the limit allows
    /// more; if not, the result will not be used.
    pub(crate) fn has_room_to_merge(&self, site: &InheritingField<'_>, count: usize) -> bool {
        self.view.count_merged(site.owner, count)
    }

    /// Returns the index of the candidate that wins a conflict. If none wins, reports this unless the inheriting entity
    /// declares the member itself.
    pub(crate) fn resolve_conflict(
        &mut self,
        site: &InheritingField<'_>,
        name: Symbol,
        candidates: &[Candidate],
        has_own: bool,
    ) -> usize {
        let units = self.view.units();
        let Some(unit) = units.unit(site.owner.unit) else { return 0 };
        let program = self.view.program;
        let conflict = MemberConflict { program, inheriting: site.owner, field: site.field, name, candidates };
        let rule = match (unit.language.resolve_conflict)(&conflict) {
            ConflictResolution::Candidate(number) => return number.min(candidates.len().saturating_sub(1)),
            ConflictResolution::Unresolved(rule) => rule,
        };
        if !has_own {
            let message = format!(
                "{} inherits {} from parents that define it differently",
                units.describe(site.owner),
                candidates.first().map_or_else(String::new, |candidate| units.describe(candidate.member)),
            );
            let mut diagnostic = Diagnostic::new(
                rule,
                match units.name_span(site.owner) {
                    Some(span) => span,
                    None => return 0,
                },
                message,
            )
            .with_help(format!("redefine `{}`", units.text(name)));
            for span in candidates.iter().take(MOST_SHOWN).filter_map(|candidate| units.name_span(candidate.member)) {
                diagnostic = diagnostic.with_related(span, "one of the definitions");
            }
            self.diagnostics.push(diagnostic);
        }
        0
    }

    /// Returns the type that contains an entity; the entity itself if it is a type or not inside a type.
    pub(crate) fn type_of(&self, id: AnyId) -> AnyId {
        let program = self.view.program;
        let is_type = |id: &AnyId| program.lineage(*id).is_some();
        std::iter::once(id).chain(program.owners(id)).find(is_type).unwrap_or(id)
    }

    /// Returns whether a member of the type that defines an entity replaces the member inherited from the parents. If
    /// both refine the same member, the one with a value is used, so that no default is lost.
    pub(crate) fn is_more_derived<'s>(
        &self,
        member: AnyId,
        inherited: AnyId,
        mut parents: impl Iterator<Item = &'s InheritanceSource<'s>>,
    ) -> bool {
        let (of, of_inherited) = (self.type_of(member), self.type_of(inherited));
        let is_below = |other: AnyId| of != other && self.view.program.is_a(of, other);
        if is_below(of_inherited) {
            return true;
        }
        let mut is_refined = || {
            parents.any(|parent| {
                let definition = parent.entity.description().find(|field| field.role == Role::Definition);
                let definition = definition.and_then(|(index, _)| self.definition(parent.entity.field(index)));
                definition.is_some_and(|base| is_below(base.id))
            })
        };
        of != of_inherited && is_refined() && (self.has_value(member) || !self.has_value(inherited))
    }

    /// Returns whether a member has a value, such as a default.
    fn has_value(&self, id: AnyId) -> bool {
        self.view.entity(id).is_some_and(|entity| {
            entity.description().fields.iter().enumerate().any(|(index, field)| {
                let is_value = matches!(field.inherit, Some(Inherit::Overwrite | Inherit::Fixed));
                is_value && field.value.is_some() && entity.field(index).is_set()
            })
        })
    }

    fn check_mandatory(&mut self, id: AnyId, entity: &dyn Described, sources: &[InheritanceSource<'_>]) {
        // The entity inherits the keyname from the entity that it refines; if that has none, the missing keyname is
        // reported there.
        if sources.iter().any(|source| source.id.kind == id.kind && source.role != Role::Copy) {
            return;
        }
        let units = self.view.units();
        let Some(unit) = units.unit(id.unit) else { return };
        for (index, field) in entity.description().fields.iter().enumerate() {
            let Some(mandatory) = field.mandatory.filter(|mandatory| mandatory.inheritable) else { continue };
            if entity.field(index).is_set() || !mandatory.versions.contains(unit.version) {
                continue;
            }
            let keyname = field.keyname(unit.version);
            let written = units.header(id).map(|header| unit.document.node(header.node));
            // If a value or an entity could not be read, this has been reported.
            let is_reported = written.is_none_or(|node| node.find(keyname).is_some()) || !units.was_read(id);
            let Some(span) = units.name_span(id).filter(|_| !is_reported && unit.document.is_complete()) else {
                continue;
            };
            // The keyname may be in content that could not be inherited. Without unknown parents, only content of the
            // type itself is unknown.
            let lineage = self.view.program.lineage(self.type_of(id));
            let may_inherit = lineage.is_some_and(|lineage| !lineage.is_known || lineage.cycle.is_some());
            if may_inherit || unit.lacks_name(id.local(), |problem| self.diagnostics.extend([problem])) {
                return;
            }
            if self.view.gap(id).is_some() {
                return;
            }
            let message = format!("{} lacks the mandatory keyname `{keyname}`", units.describe(id));
            let meant = written.filter(|node| self.names_a_target(id, field, *node));
            let help = match meant {
                Some(node) => format!("write `{}: {{ {keyname}: {} }}`", units.name(id), node.text()),
                None => format!("add `{keyname}: …`, which can't be inherited"),
            };
            let mut diagnostic = Diagnostic::new(&rules::MISSING_KEYNAME_OR_INHERITED, span, message).with_help(help);
            diagnostic.edits = meant.map(|node| wrapped(node, keyname)).unwrap_or_default();
            // A map without keynames may be a value, so its keys may be misspelled keynames.
            let misspelt = written.and_then(|node| entity.description().misspelt(node, keyname, unit.version));
            if let Some(key) = misspelt {
                diagnostic = diagnostic.with_help(format!("did you mean `{keyname}` where it says `{}`?", key.text()));
            }
            if let Some(near) = self.likely_refined(id) {
                diagnostic =
                    diagnostic.with_help(format!("did you mean `{near}`, which is inherited and can be refined?"));
            }
            self.diagnostics.push(diagnostic);
        }
    }

    /// Returns whether a value is a name that the field could refer to, as in `port: integer`, where a definition is
    /// expected.
    fn names_a_target(&self, id: AnyId, field: &FieldDescription, node: Node<'_>) -> bool {
        let program = self.view.program;
        let sections = field.lookup.as_ref().map_or(&[][..], |lookup| lookup.sections);
        let name = program.interner.get(node.text()).filter(|_| node.kind() == NodeKind::String);
        name.is_some_and(|name| sections.iter().any(|section| program.resolve(id.unit, *section, name).id().is_some()))
    }

    /// Returns the name of the inherited member that the given member was probably meant to refine.
    fn likely_refined(&self, id: AnyId) -> Option<&'a str> {
        if self.suggestions.is_spent() {
            return None;
        }
        let units = self.view.units();
        let owner = units.owners(id).next()?;
        let parents = parents(units, self.view.program, owner);
        if parents.is_empty() {
            return None;
        }
        let mut members = 0;
        let (index, _) = units.raw(owner)?.description().fields.iter().enumerate().find(|(index, _)| {
            let mut has = false;
            let field = units.raw(owner).map(|owner| owner.field(*index));
            field.into_iter().for_each(|field| {
                field.visit_children(&mut |child| {
                    has |= child == id;
                    members += 1;
                });
            });
            has
        })?;
        // The search for the field has visited all members, so it counts toward the budget.
        self.suggestions.spend(members);
        let mut names = Vec::new();
        for parent in parents {
            let field = self.view.entity(parent).map(|parent| parent.field(index));
            field.into_iter().for_each(|field| field.visit_children(&mut |child| names.push(units.name(child))));
        }
        self.suggestions.nearest(units.name(id), names)
    }

    /// Returns the text of a scalar.
    pub fn text(&self, position: NodeRef) -> &'a str {
        self.node(position).map_or("", Node::text)
    }

    /// Returns whether two positions hold equal data.
    pub fn same_data(&self, a: NodeRef, b: NodeRef) -> bool {
        match (self.node(a), self.node(b)) {
            (Some(a), Some(b)) => same_data(a, b),
            _ => false,
        }
    }

    fn node(&self, position: NodeRef) -> Option<Node<'a>> {
        self.view.units().node(position)
    }

    fn span(&self, position: NodeRef) -> Option<Span> {
        self.node(position).map(Node::span)
    }

    fn report(
        &mut self,
        rule: &'static Rule,
        at: Option<Span>,
        message: String,
        related: Option<(Span, &str)>,
        help: impl Into<Help>,
    ) -> Option<&mut Diagnostic> {
        let mut diagnostic = Diagnostic::new(rule, at?, message);
        if let Some((span, label)) = related {
            diagnostic = diagnostic.with_related(span, label);
        }
        self.diagnostics.push(diagnostic.with_help(help))
    }

    fn keyname(&self, site: &InheritingField<'_>) -> &'static str {
        self.view.units().unit(site.owner.unit).map_or("", |unit| site.field.keyname(unit.version))
    }

    /// Reports that a value differs from an inherited value that is fixed.
    pub fn changed_fixed(&mut self, site: &InheritingField<'_>, own: NodeRef, inherited: NodeRef) {
        let message = format!(
            "`{}` of {} is fixed and can't be changed",
            self.keyname(site),
            self.view.units().describe(site.owner)
        );
        let related = self.span(inherited).map(|span| (span, "fixed here"));
        self.report(&rules::CHANGED_FIXED, self.span(own), message, related, "remove the value");
    }

    /// Reports that a value violates the refined one, which is the inherited value or the default.
    pub fn breaks_contract(
        &mut self,
        site: &InheritingField<'_>,
        own: NodeRef,
        base: Option<NodeRef>,
        source: &InheritedField<'_>,
        reason: &str,
    ) {
        let units = self.view.units();
        let keyname = self.keyname(site);
        let message =
            format!("`{keyname}` of {} must stay within the inherited one: {reason}", units.describe(site.owner));
        let related = match base {
            Some(base) => self.span(base).map(|span| (span, "inherited value")),
            None => units.name_span(source.source.id).map(|span| (span, "refined definition")),
        };
        self.report(
            &rules::NOT_WITHIN,
            self.span(own),
            message,
            related,
            "narrow the value, or widen the inherited one",
        );
    }

    /// Checks that a name refers to one of the types that the inherited names refer to, or to a type that is derived
    /// from one of them.
    pub fn check_narrower(
        &mut self,
        site: &InheritingField<'_>,
        own: Reference<()>,
        bases: &[Reference<()>],
        source: &InheritedField<'_>,
    ) {
        let program = self.view.program;
        let Some(target) = program.target(own) else { return };
        let targets: Vec<Option<AnyId>> = bases.iter().map(|base| program.target(*base)).collect();
        if targets.iter().any(|base| base.is_none_or(|base| program.may_be_a(target, base))) {
            return;
        }
        let is_list = matches!(site.field.shape, crate::entity::Shape::References);
        if is_list && program.quirks.has(Quirk::WIDER_LISTS) {
            return;
        }
        let units = self.view.units();
        let names: Vec<&str> = bases.iter().map(|base| units.text(base.name)).collect();
        let bases = crate::diagnostic::suggest::or_list(&names);
        let help = format!("name {bases}, or derive `{}` from {}", units.text(own.name), one_of(&names));
        let message = format!(
            "`{}` of {} must be {bases} or derived from {}, but `{}` is not",
            self.keyname(site),
            units.describe(site.owner),
            one_of(&names),
            units.text(own.name),
        );
        let keyname = self.keyname(site);
        let related = units.keyname_span(source.source.id, keyname).map(|span| (span, "inherited definition"));
        let problem = self.report(&rules::NOT_NARROWER, self.reference_span(own), message, related, help);
        if let Some(problem) = problem.filter(|_| is_list) {
            problem.help.push(Quirk::WIDER_LISTS.help());
        }
    }

    /// Checks that two names refer to the same entity.
    pub fn check_same_target(&mut self, site: &InheritingField<'_>, own: Reference<()>, base: Reference<()>) {
        let program = self.view.program;
        let (Some(target), Some(expected)) = (program.target(own), program.target(base)) else { return };
        if target != expected {
            let units = self.view.units();
            let message = format!(
                "`{}` of {} is `{}` and can't be changed to `{}`",
                self.keyname(site),
                units.describe(site.owner),
                units.text(base.name),
                units.text(own.name),
            );
            let related = self.reference_span(base).map(|span| (span, "fixed here"));
            self.report(&rules::CHANGED_FIXED, self.reference_span(own), message, related, "remove the value");
        }
    }

    fn reference_span(&self, reference: Reference<()>) -> Option<Span> {
        self.view.units().reference_span(reference)
    }

    /// Returns whether members can only be refined, not added, in the version of the entity.
    pub fn is_closed(&self, site: &InheritingField<'_>) -> bool {
        let version = self.view.units().unit(site.owner.unit).map(|unit| unit.version);
        site.field.closed.zip(version).is_some_and(|(closed, version)| closed.contains(version))
    }

    /// Reports a member that the type of its owner does not declare, given the number and the names of those that it
    /// declares.
    pub fn not_in_definition(
        &mut self,
        site: &InheritingField<'_>,
        own: AnyId,
        of_type: Option<AnyId>,
        (count, names): (usize, impl Iterator<Item = Symbol>),
    ) {
        let units = self.view.units();
        let owner = of_type.unwrap_or(site.owner);
        // The member may be in content that could not be inherited.
        if self.view.gap(owner).is_some() {
            return;
        }
        let message = format!("{} has no {} to refine", units.describe(owner), units.describe(own));
        let name = units.name(own);
        let help = self.suggestions.has_room_for(count).then(|| {
            let mut names: Vec<&str> = names.map(|name| units.text(name)).collect();
            names.sort_unstable();
            self.suggestions.help(name, names, "it has")
        });
        let help = help.flatten().unwrap_or_else(|| format!("define it in {} first", units.describe(owner)).into());
        let related = units.name_span(owner).map(|span| (span, "defined here"));
        self.report(&rules::NOTHING_TO_REFINE, units.name_span(own), message, related, help);
    }

    /// Reports a member that must not be defined again.
    pub fn given_again(&mut self, site: &InheritingField<'_>, own: AnyId, inherited: AnyId) {
        let units = self.view.units();
        let message =
            format!("{} is inherited by {} and can't be given again", units.describe(own), units.describe(site.owner));
        let related = units.name_span(inherited).map(|span| (span, "inherited from here"));
        self.report(
            &rules::GIVEN_AGAIN,
            units.name_span(own),
            message,
            related,
            "remove the definition, or choose another name",
        );
    }
}

/// Returns the phrase that refers to a list of names: `it` or `one of these`.
fn one_of(names: &[&str]) -> &'static str {
    if names.len() == 1 { "it" } else { "one of these" }
}

/// Returns whether two nodes hold equal data. The comparison is iterative, because aliases may nest data deeply.
pub fn same_data(a: Node<'_>, b: Node<'_>) -> bool {
    let mut pairs = vec![(a, b)];
    while let Some((a, b)) = pairs.pop() {
        let is_equal = match (a.kind(), b.kind()) {
            (NodeKind::Map, NodeKind::Map) => {
                a.len() == b.len()
                    && a.entries().all(|entry| match entry.key.symbol().and_then(|key| b.get(key)) {
                        Some(other) => {
                            pairs.push((entry.value, other.value));
                            true
                        }
                        None => false,
                    })
            }
            (NodeKind::List, NodeKind::List) => {
                pairs.extend(a.items().zip(b.items()));
                a.len() == b.len()
            }
            (a_kind, b_kind) => a_kind == b_kind && a.text() == b.text(),
        };
        if !is_equal {
            return false;
        }
    }
    true
}

/// Returns the edits that turn a scalar into a map with one keyname.
fn wrapped(node: Node<'_>, keyname: &str) -> Vec<Edit> {
    let is_inline = matches!(node.style(), Style::Plain | Style::SingleQuoted | Style::DoubleQuoted);
    let Some(layout) = Layout::around(node).filter(|_| is_inline) else { return Vec::new() };
    let Span { start, end, .. } = node.span();
    vec![layout.insert(start, format!("{{ {keyname}: ")), layout.insert(end, " }")]
}
