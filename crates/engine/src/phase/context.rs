//! The context of check functions, which gives access to the complete program and reports problems.

use rustc_hash::{FxHashMap, FxHashSet};

use super::cache::{CacheGuard, Check};
use super::inheritance::Complete;
use super::namespace::{LookupResult, ReferenceResolver};
use super::rendering::CheckWork;
use super::{DiagnosticBuilder, Program, Unit};
use crate::ard::{self, Node};
use crate::diagnostic::suggest::Suggestions;
use crate::diagnostic::{Diagnostic, Diagnostics, Edit, Help, Rule, SourceId, Span};
use crate::entity::{AnyId, Entity, Header, Id, Kind, LanguageVersion, NodeRef, Reference, Section};
use crate::parallel;
use crate::rules;
use crate::symbol::Symbol;

/// The maximum number of candidates that each task in [`Context::run_parallel`] may compare for suggestions.
const LOOKS_AT_ONCE: usize = 2_000;

/// The maximum number of value nodes in types that are checked again for the templates in one context.
const ROOM_FOR_TEMPLATES: usize = 20_000;

/// The maximum weight of the large conditions that values in one context are compared with.
const ROOM_FOR_CONDITIONS: usize = 500_000;

/// The maximum number of items that are not worth [dividing](Context::map_chunks) among threads.
const A_FEW: usize = 256;

/// A complete program and the problems found so far in some of its entities.
pub struct Context<'a> {
    /// The program.
    pub program: &'a Program<Complete>,
    pub(super) diagnostics: Diagnostics,
    pub(super) suggestions: Suggestions,
    pub(super) lent: CacheGuard<'a>,
    /// Whether the result for a missing value depends on the template; see [`Self::depends_on_template`].
    pub(super) depends_on_template: bool,
    /// The number of nodes in types that can still be checked again for templates.
    room_for_templates: usize,
    /// The weight of large conditions that values can still be compared with.
    room_for_conditions: usize,
    /// The nodes and the weight that have been counted toward these limits, and the work of other contexts.
    work: CheckWork,
    /// The number of missing values that can still be reported.
    pub(super) room_for_missing: usize,
    /// The templates that are matched only with the members that they assign.
    pub(super) beyond: Option<&'a FxHashSet<AnyId>>,
    /// Those values that may contain calls and have been checked.
    pub(super) judged: Vec<NodeRef>,
    /// The parts of types that were not checked again because the limit was exceeded.
    without_room: FxHashSet<AnyId>,
    /// Lists of types, by the first reference and the length. A list can have as many users as entries, so users are not
    /// compared with each entry.
    type_lists: FxHashMap<(Option<(SourceId, u32)>, usize), TypeList>,
}

/// The types in a list.
#[derive(Default)]
struct TypeList {
    types: FxHashSet<AnyId>,
    kinds: Vec<Kind>,
    /// Whether a listed type is unknown or not complete.
    has_unknown: bool,
}

impl<'a> Context<'a> {
    /// Creates a context. `looks` limits the number of candidates for [suggestions](Suggestions).
    pub fn new(program: &'a Program<Complete>, looks: usize) -> Self {
        Self {
            program,
            diagnostics: Diagnostics::up_to(program.most_of_a_rule),
            suggestions: Suggestions::new(looks),
            lent: program.stage.caches.lend(),
            depends_on_template: false,
            room_for_templates: ROOM_FOR_TEMPLATES,
            room_for_conditions: ROOM_FOR_CONDITIONS,
            work: CheckWork::default(),
            room_for_missing: 2 * program.most_of_a_rule,
            beyond: None,
            judged: Vec::new(),
            without_room: FxHashSet::default(),
            type_lists: FxHashMap::default(),
        }
    }

    /// Lowers the limits on checking nodes of types for templates, and on the weight of conditions.
    pub(super) fn limit(&mut self, nodes: usize, weight: usize) {
        self.room_for_templates = self.room_for_templates.min(nodes);
        self.room_for_conditions = self.room_for_conditions.min(weight);
    }

    /// Returns the work so far that is repeated for each use of a type.
    pub(super) fn work(&self) -> CheckWork {
        let mut work = self.work;
        work.compared += self.suggestions.spent();
        work
    }

    /// Returns the problems that have been reported.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics.into_list()
    }

    /// Returns a completed entity.
    pub fn get<E: Entity>(&self, id: Id<E>) -> Option<&'a E> {
        self.program.get(id)
    }

    /// Returns the target of a reference; `None` for a type that is not [complete](Self::is_complete), because the
    /// reason has been reported and the missing part of the type may declare any member.
    pub fn target<T: Entity>(&self, reference: Reference<T>) -> Option<Id<T>> {
        self.any_target(reference)?.cast()
    }

    /// Returns the target of an optional reference.
    pub fn target_of<T: Entity>(&self, reference: Option<Reference<T>>) -> Option<Id<T>> {
        self.target(reference?)
    }

    /// Returns the target of a reference to entities of several kinds; see [`target`](Self::target).
    pub fn any_target<T>(&self, reference: Reference<T>) -> Option<AnyId> {
        let is_type = |id: AnyId| self.program.lineage(id).is_some();
        self.program.target(reference.erased()).filter(|id| self.is_complete(*id) || !is_type(*id))
    }

    /// Returns whether a type is in a list of types or derived from a type in it. Also true if a listed type is unknown.
    pub fn is_listed<T>(&mut self, id: AnyId, list: &[Reference<T>]) -> bool {
        const SHORT: usize = 16;
        let program = self.program;
        if list.len() <= SHORT {
            let mut targets = list.iter().map(|reference| self.any_target(*reference));
            return targets.any(|target| target.is_none_or(|target| program.is_a(id, target)));
        }
        let list = self.type_list(list);
        let (mut open, mut visited) = (vec![id], FxHashSet::default());
        while let Some(id) = open.pop() {
            if list.has_unknown || list.types.contains(&id) {
                return true;
            }
            if visited.insert(id) {
                open.extend(program.lineage(id).into_iter().flat_map(|lineage| lineage.parents().iter().copied()));
            }
        }
        false
    }

    /// Returns the kinds of the known types in a list.
    pub fn listed_kinds<T>(&mut self, list: &[Reference<T>]) -> &[Kind] {
        &self.type_list(list).kinds
    }

    fn type_list<T>(&mut self, list: &[Reference<T>]) -> &TypeList {
        let key = (list.first().map(|first| (first.unit, first.number)), list.len());
        if !self.type_lists.contains_key(&key) {
            let mut found = TypeList::default();
            for reference in list {
                let Some(id) = self.any_target(*reference) else {
                    found.has_unknown = true;
                    continue;
                };
                found.types.insert(id);
                found.types.extend(self.program.counterparts(id));
                if !found.kinds.contains(&id.kind) {
                    found.kinds.push(id.kind);
                }
            }
            self.type_lists.insert(key, found);
        }
        &self.type_lists[&key]
    }

    /// Returns whether a name refers to a type that is not [complete](Self::is_complete), so that there is no
    /// [target](Self::target) although the name is declared.
    pub fn names_incomplete<T>(&self, reference: Reference<T>) -> bool {
        self.program.target(reference.erased()).is_some() && self.any_target(reference).is_none()
    }

    /// Returns whether an entity is complete. This is false for an entity that inherits from something unknown or
    /// depends on itself. The cause has been reported, so checks should not report anything as missing from such an
    /// entity.
    pub fn is_complete(&self, id: AnyId) -> bool {
        self.program.gap(id).is_none()
    }

    /// Resolves a name in the unit of the entity `at`.
    pub fn resolve(&self, at: AnyId, section: Section, name: Symbol) -> LookupResult {
        self.program.resolve(at.unit, section, name)
    }

    /// Returns the header of an entity.
    pub fn header(&self, id: AnyId) -> Option<Header> {
        self.program.header(id)
    }

    /// Returns the version of the language in which an entity is written.
    pub fn version(&self, id: AnyId) -> LanguageVersion {
        self.program.unit(id.unit).map_or(LanguageVersion::LAST, |unit| unit.version)
    }

    /// Returns the raw data at a position.
    pub fn node(&self, position: NodeRef) -> Option<Node<'a>> {
        self.program.node(position)
    }

    /// Returns the text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &'a str {
        self.program.text(symbol)
    }

    /// Returns the symbol of a string, which may be new.
    pub fn intern(&self, text: &str) -> Symbol {
        self.program.interner.intern(text)
    }

    /// Describes an entity, for messages.
    pub fn describe(&self, id: AnyId) -> String {
        self.program.describe(id)
    }

    /// Returns a short description of an entity, with the term that authors use ("property" rather than "property
    /// definition") and the name.
    pub fn mention(&self, id: AnyId) -> String {
        self.program.mention(id)
    }

    /// Returns the span of a position.
    pub fn span(&self, position: NodeRef) -> Option<Span> {
        self.node(position).map(Node::span)
    }

    /// Returns the span of a reference.
    pub fn reference_span<T>(&self, reference: Reference<T>) -> Option<Span> {
        self.program.reference_span(reference.erased())
    }

    /// Reports a problem at a span. Without a span, nothing is reported, because an entity without a source can't have
    /// problems.
    pub fn problem(
        &mut self,
        rule: &'static Rule,
        at: Option<Span>,
        message: impl Into<String>,
    ) -> Option<DiagnosticBuilder<'_>> {
        let diagnostic = Diagnostic::new(rule, at?, message);
        Some(DiagnosticBuilder::report(&mut self.diagnostics, diagnostic, None))
    }

    /// Adds the problems that another context has reported, and its work.
    pub fn include(&mut self, other: Self) {
        self.work += other.work();
        self.diagnostics.extend(other.into_diagnostics());
    }

    /// Reports a problem that was created elsewhere.
    pub fn report(&mut self, problem: Option<Diagnostic>) {
        self.diagnostics.extend(problem);
    }

    /// Records that a value has been checked. Unchecked values are checked [as undescribed
    /// values](crate::entity::Language::check_undescribed).
    pub fn record_judged(&mut self, value: Node<'_>) {
        let (unit, node) = (value.document().source(), value.id());
        let is_one = |unit: &Unit| unit.values.binary_search_by_key(&node, |(value, _)| *value).is_ok();
        if matches!(value.kind(), ard::Kind::Map | ard::Kind::List) && self.program.unit(unit).is_some_and(is_one) {
            self.judged.push(NodeRef { unit, node });
        }
    }

    /// Runs `attempt`, discards the problems that it reports, and returns whether none of them was an error.
    pub fn is_free_of_errors(&mut self, attempt: impl FnOnce(&mut Self)) -> bool {
        let before = std::mem::take(&mut self.diagnostics);
        let without_room = std::mem::take(&mut self.without_room);
        attempt(self);
        let found = std::mem::replace(&mut self.diagnostics, before);
        self.without_room = without_room;
        !found.has_errors()
    }

    /// Records that the result for a missing value depends on the template, so that the result is not cached for other
    /// templates.
    pub fn depends_on_template(&mut self) {
        self.depends_on_template = true;
    }

    /// Returns whether one more missing value should be reported, and counts it. Many templates may each lack many
    /// values, but far fewer problems are shown per rule.
    pub fn has_room_for_missing(&mut self) -> bool {
        let has_room = self.room_for_missing > 0;
        self.room_for_missing = self.room_for_missing.saturating_sub(1);
        has_room
    }

    /// Returns whether the limit allows checking `nodes` more nodes of a type for a template, and counts them. If the
    /// limit is exceeded, reports this at the type that contains `part`.
    ///
    /// Each context covers a batch of templates and has a separate limit, because there may be many templates as well
    /// as many values in their types.
    pub fn has_room_for_uses(&mut self, nodes: usize, part: AnyId) -> bool {
        let has_room = nodes <= self.room_for_templates;
        self.spend_room_for_uses(nodes);
        if !has_room {
            self.report_unchecked(part);
        }
        has_room
    }

    /// Returns whether the limit allows comparing a value with a condition of the given weight, and counts it. If the limit
    /// is exceeded, reports this, once, at the type that contains `part`, which has the condition.
    ///
    /// The result of such a comparison must not be cached: whether the limit is exceeded must not depend on the cache.
    pub fn has_room_for_condition(&mut self, weight: usize, part: AnyId) -> bool {
        let has_room = weight <= self.room_for_conditions;
        self.spend_room_for_conditions(weight);
        if !has_room {
            self.report_without_room(
                part,
                |name| format!("not all values are compared with the conditions of {name}"),
                "the comparisons would take too long; use smaller conditions, or fewer values",
            );
        }
        has_room
    }

    /// Returns whether the limit on checking types for their uses allows following `count` ancestors of a type, and
    /// counts them. If the limit is exceeded, reports this at the type.
    pub fn has_room_for_ancestors(&mut self, count: usize, id: AnyId) -> bool {
        let has_room = count <= self.room_for_templates;
        self.spend_room_for_uses(count);
        if !has_room {
            self.report_without_room(
                id,
                |name| format!("{name} is not checked for all of its uses"),
                "the checks would take too long, because it has too many ancestors; derive it from fewer types",
            );
        }
        has_room
    }

    /// Returns the weight of large conditions that values can still be compared with.
    pub fn room_for_conditions(&self) -> usize {
        self.room_for_conditions
    }

    /// Counts weight toward the limit on conditions.
    pub fn spend_room_for_conditions(&mut self, weight: usize) {
        self.work.conditions = self.work.conditions.saturating_add(weight);
        self.room_for_conditions = self.room_for_conditions.saturating_sub(weight);
    }

    /// Returns whether the limit on checking types for templates is used up, which has been reported for `part`.
    pub fn is_left_unchecked(&self, part: AnyId) -> bool {
        self.room_for_templates == 0 && self.without_room.contains(&part)
    }

    /// Counts `nodes` toward the limit on checking types for templates.
    pub fn spend_room_for_uses(&mut self, nodes: usize) {
        self.count_repeated(nodes);
        self.room_for_templates = self.room_for_templates.saturating_sub(nodes);
    }

    /// Counts nodes of types that are processed again for templates, apart from the limit on checking them.
    pub fn count_repeated(&mut self, nodes: usize) {
        self.work.nodes = self.work.nodes.saturating_add(nodes);
    }

    /// Reports, once, that `part` of a type is not checked for all templates.
    pub fn report_unchecked(&mut self, part: AnyId) {
        self.report_without_room(
            part,
            |name| format!("{name} is not checked for all of its uses"),
            "the checks would take too long; assign the values in the templates that need them",
        );
    }

    fn report_without_room(&mut self, part: AnyId, message: impl Fn(&str) -> String, help: &'static str) {
        if self.without_room.insert(part) {
            let of = self.type_with(part);
            let (at, name) = (self.program.name_span(of), self.describe(of));
            self.problem(&rules::UNCHECKED_USES, at, message(&name)).help(help);
        }
    }

    /// Returns the type that contains a part, or the part itself if there is none.
    fn type_with(&self, part: AnyId) -> AnyId {
        let is_type = |id: &AnyId| self.program.unit(id.unit).is_some_and(|unit| unit.language.is_type(id.kind));
        self.program.owners(part).filter(is_type).last().unwrap_or(part)
    }

    /// Returns help for an unknown name: names the most similar candidate or, if there is none, lists the candidates.
    pub fn did_you_mean<S: AsRef<str>>(
        &self,
        name: &str,
        candidates: impl IntoIterator<Item = S>,
        what: &str,
    ) -> Option<Help> {
        self.suggestions.help(name, candidates, what)
    }

    /// Returns help with the name in one of the sections that resembles an unknown name.
    pub fn suggest(&self, unit: SourceId, sections: &[Section], name: &str) -> Option<Help> {
        self.program.suggest(unit, sections, name, &self.suggestions)
    }

    /// Runs several tasks, in parallel if there are threads for them. Their problems are reported in the order of the
    /// tasks.
    pub fn run_parallel(&mut self, works: &[&(dyn Fn(&mut Context<'a>) + Sync)]) {
        let program = self.program;
        let run = |work: &&(dyn Fn(&mut Context<'a>) + Sync)| {
            let mut context = Context::new(program, LOOKS_AT_ONCE);
            work(&mut context);
            (std::mem::take(&mut context.judged), context.work(), context.into_diagnostics())
        };
        for (judged, work, found) in parallel::map(works, run) {
            self.judged.extend(judged);
            self.work += work;
            self.diagnostics.extend(found);
        }
    }

    /// Maps items in one chunk per thread, so that the results for one item can be reused for the next. A small number
    /// of items forms a single chunk.
    pub fn map_chunks<I: Sync, T: Send>(&self, things: &[I], share: impl Fn(&[I]) -> T + Sync + Send) -> Vec<T> {
        parallel::map_chunks(things, A_FEW, share)
    }

    /// Returns the number of problems that have been reported.
    pub fn problems(&self) -> usize {
        self.diagnostics.added()
    }

    /// Returns whether it is known that a check finds no problem. The result depends on the thread, so use it only to
    /// decide whether to skip the check.
    pub fn has_passed(&self, check: &Check) -> bool {
        self.lent.cached.has(check)
    }

    /// Caches the fact that a check found no problem, for further entities and further programs in the session.
    pub fn remember(&mut self, check: Check) {
        self.lent.cached.add(check);
    }

    /// Returns the search for similar names, with its remaining budget.
    pub fn suggestions(&self) -> &Suggestions {
        &self.suggestions
    }
}

/// Adds details to a problem, unless it was not reported because it has no span.
pub trait DiagnosticExt: Sized {
    /// Adds help.
    fn help(self, help: impl Into<Help>) -> Self;
    /// Adds help, if there is any.
    fn help_if(self, help: Option<impl Into<Help>>) -> Self;
    /// Adds an edit that fixes the problem, if there is one.
    fn edit_if(self, edit: Option<Edit>) -> Self;
    /// Adds a related span that explains the problem, if there is one.
    fn related(self, span: Option<Span>, message: impl Into<String>) -> Self;
}

impl DiagnosticExt for Option<DiagnosticBuilder<'_>> {
    fn help(self, help: impl Into<Help>) -> Self {
        self.map(|problem| problem.help(help))
    }

    fn help_if(self, help: Option<impl Into<Help>>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    fn edit_if(self, edit: Option<Edit>) -> Self {
        match edit {
            Some(edit) => self.map(|problem| problem.edit(edit)),
            None => self,
        }
    }

    fn related(self, span: Option<Span>, message: impl Into<String>) -> Self {
        match span {
            Some(span) => self.map(|problem| problem.related(span, message)),
            None => self,
        }
    }
}
