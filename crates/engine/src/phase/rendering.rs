//! Phase 5: applies types to templates.
//!
//! An entity with assignments has a definition: a node template has its node type, and a capability assignment has the
//! capability definition with the same name. Rendering matches the members of the entity with those of the definition,
//! down to the values, and lets the definition of each value check the value. Rules for particular kinds of entities
//! are in the render functions of these kinds. Templates do not depend on each other's results, so all of them are
//! rendered in parallel.
//!
//! # Problems
//!
//! This phase reports members that the definition does not declare ([`UNDECLARED`](rules::UNDECLARED)), and the
//! problems that the render functions find.

mod large_types;
mod plan;

use std::ops::{AddAssign, Range};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::context::{Context, DiagnosticExt};
use super::inheritance::Complete;
use super::{Program, Unit, relations};
use crate::ard::{Entry, Node, NodeId};
use crate::diagnostic::{Diagnostic, Diagnostics, SourceId};
use crate::entity::{
    AnyCheck, AnyId, AnyKind, Described, Entity, Kind, LocalId, Members, NodeRef, Role, Undeclared, Values,
};
use crate::parallel;
use crate::rules;
use crate::symbol::Symbol;
use large_types::TypesOfTemplates;
use plan::{FieldPlan, Member};
pub(super) use plan::{Plan, Subject};

/// The maximum number of names that are compared for suggestions in a unit.
const SUGGESTION_BUDGET: usize = 50_000;

/// The minimum share of [`SUGGESTION_BUDGET`] for one batch of entities.
const LOOKS_OF_A_HANDFUL: usize = 2_000;

/// The number of value nodes in types that are checked again for the templates of a unit, in addition to one for each
/// byte of its source.
const USES: usize = 500_000;

/// The weight of the large conditions that the values of a unit are compared with, in addition to one for each two bytes
/// of its source.
const CONDITIONS: usize = 500_000;

/// The number of entities that one thread processes in a batch.
const BATCH: usize = 64;

/// The number of batches that are processed before the problems are counted.
const BATCHES_PER_ROUND: usize = 64;

/// The value that is assigned to a declared member, or the lack of one.
#[derive(Clone, Copy, Debug)]
pub struct Assignment {
    /// The value; `None` if no value is assigned.
    pub value: Option<NodeRef>,
    /// The key of the value; `None` if no value is assigned.
    pub key: Option<NodeRef>,
    /// The entity that assigns the value or should assign it.
    pub owner: AnyId,
    /// The definition of the owner.
    pub definition: Option<AnyId>,
    /// The template that contains the assignment.
    pub template: AnyId,
    /// Whether a missing value is reported.
    pub is_checked: bool,
    /// Whether the value is assigned to a member that an additional field of the definition declares (see
    /// [`also`](crate::entity::AssignmentSpec::also)).
    pub is_reflected: bool,
}

/// An entity that is being rendered with its definition.
#[derive(Clone, Copy, Debug)]
pub struct RenderedEntity {
    /// The assigning entity; `None` if the template omits it.
    pub assigning: Option<AnyId>,
    /// The definition that applies to the entity; `None` if it is unknown.
    pub definition: Option<AnyId>,
    /// A second definition whose rules apply too; it may lack some of the members.
    pub further: Option<AnyId>,
    /// The template that contains the entity, or is the entity itself.
    pub template: AnyId,
    /// Whether missing values are reported.
    pub is_checked: bool,
}

impl RenderedEntity {
    /// Creates the description of a template that is rendered with its definition.
    pub const fn of(template: AnyId, definition: Option<AnyId>) -> Self {
        Self { assigning: Some(template), definition, further: None, template, is_checked: true }
    }

    /// Returns the entity at which missing values are reported: the assigning entity if there is one, otherwise the
    /// template.
    pub fn owner(&self) -> AnyId {
        self.assigning.unwrap_or(self.template)
    }
}

/// The result of checking a unit by itself, or of rendering its templates.
#[derive(Debug, Default)]
pub struct CheckedUnit {
    /// The problems that were found.
    pub diagnostics: Vec<Diagnostic>,
    /// Those values that may contain calls and have been checked.
    judged: FxHashSet<NodeId>,
    pub(crate) work: CheckWork,
}

/// The work in the checks of a unit that the size of the unit does not limit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CheckWork {
    /// The number of names that were compared to suggest one.
    pub(crate) compared: usize,
    /// The number of nodes of types that were checked again for templates.
    pub(crate) nodes: usize,
    /// The weight of the large conditions that values were compared with.
    pub(crate) conditions: usize,
    /// The number of members of the types that the unit defines or uses for templates.
    pub(crate) members: usize,
}

impl AddAssign for CheckWork {
    fn add_assign(&mut self, other: Self) {
        self.compared = self.compared.saturating_add(other.compared);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.conditions = self.conditions.saturating_add(other.conditions);
        self.members = self.members.saturating_add(other.members);
    }
}

/// Checks the completed entities of a unit.
pub fn check(program: &Program<Complete>, unit: SourceId) -> CheckedUnit {
    let mut checked = CheckedUnit::default();
    checked.work.members = program.unit(unit).map_or(0, |unit| large_types::members(program, unit));
    checked.each(program, unit, None, relations::inherited);
    checked.matching(program, unit, AnyKind::after_inheritance);
    checked.rest(program, unit, false);
    checked
}

/// Returns the number of templates in a unit that [`run`] renders.
pub(crate) fn count(unit: &Unit) -> usize {
    OfKinds::new(unit, AnyKind::render).count
}

/// Renders the templates of a unit that has been checked. Returns the problems that this finds.
pub fn run(program: &Program<Complete>, unit: SourceId) -> CheckedUnit {
    let checked = program.index(unit).and_then(|index| program.stage.checked.get(index));
    let judged = checked.map(|checked| checked.judged.clone()).unwrap_or_default();
    let mut rendered = CheckedUnit { judged, ..CheckedUnit::default() };
    rendered.matching(program, unit, AnyKind::render);
    rendered.rest(program, unit, true);
    rendered
}

impl CheckedUnit {
    /// Runs the check of every entity whose kind has one. The check may match the entity with its definition.
    fn matching(
        &mut self,
        program: &Program<Complete>,
        unit: SourceId,
        which: impl Fn(&'static dyn AnyKind) -> Option<AnyCheck> + Copy,
    ) {
        let types = program.unit(unit).map(|unit| TypesOfTemplates::new(program, unit, which)).unwrap_or_default();
        self.work.members = self.work.members.saturating_add(types.members);
        self.diagnostics.extend(types.problem);
        self.each(program, unit, Some(&types.beyond), which);
    }

    fn each(
        &mut self,
        program: &Program<Complete>,
        unit: SourceId,
        beyond: Option<&FxHashSet<AnyId>>,
        which: impl Fn(&'static dyn AnyKind) -> Option<AnyCheck>,
    ) {
        let (judged, work, found) = each(program, unit, beyond, which);
        self.work += work;
        self.judged.extend(judged.into_iter().filter(|value| value.unit == unit).map(|value| value.node));
        self.diagnostics.extend(found);
    }

    /// Checks the values that no check has processed, either those in templates or all others. Their definitions may be
    /// unknown, or the check of an entity may have stopped before it reached them.
    fn rest(&mut self, program: &Program<Complete>, unit: SourceId, of_templates: bool) {
        let Some(unit) = program.unit(unit).filter(|unit| !unit.values.is_empty()) else { return };
        let is_rendered = |id: LocalId| {
            unit.with_owners(id).any(|id| unit.language.kinds[usize::from(id.kind.0)].render().is_some())
                == of_templates
        };
        let mut context = Context::new(program, LOOKS_OF_A_HANDFUL);
        for (node, owner) in unit.values.iter().filter(|(node, _)| !self.judged.contains(node)) {
            if is_rendered(*owner) {
                let value = NodeRef { unit: unit.id, node: *node };
                (unit.language.check_undescribed)(&mut context, owner.of(unit.id), value);
            }
        }
        self.work += context.work();
        self.diagnostics.extend(context.into_diagnostics());
    }
}

/// Runs the check of every entity whose kind has one, in parallel. Returns the values that have been checked, the
/// repeated work, and the problems in the order of the entities.
fn each(
    program: &Program<Complete>,
    unit: SourceId,
    beyond: Option<&FxHashSet<AnyId>>,
    which: impl Fn(&'static dyn AnyKind) -> Option<AnyCheck>,
) -> (Vec<NodeRef>, CheckWork, Vec<Diagnostic>) {
    let Some(unit) = program.unit(unit) else { return Default::default() };
    let entities = OfKinds::new(unit, which);
    let batches = entities.count.div_ceil(BATCH).max(1);
    let looks = (SUGGESTION_BUDGET / batches).max(LOOKS_OF_A_HANDFUL);
    let uses = (USES + unit.source.text().len()) / batches;
    let conditions = (CONDITIONS + unit.source.text().len() / 2) / batches;
    let (mut judged, mut work) = (Vec::new(), CheckWork::default());
    let mut diagnostics = Diagnostics::up_to(program.most_of_a_rule);
    for first in (0..entities.count).step_by(BATCH * BATCHES_PER_ROUND) {
        let until = entities.count.min(first + BATCH * BATCHES_PER_ROUND);
        let handfuls: Vec<usize> = (first..until).step_by(BATCH).collect();
        let found = parallel::map(&handfuls, |first| {
            let mut context = Context::new(program, looks);
            context.limit(uses, conditions);
            context.beyond = beyond.filter(|beyond| !beyond.is_empty());
            for (check, id) in entities.some(*first..until.min(first + BATCH)) {
                check(&mut context, id);
            }
            (std::mem::take(&mut context.judged), context.work(), context.into_diagnostics())
        });
        for (of_some, of_these, found) in found {
            judged.extend(of_some);
            work += of_these;
            diagnostics.extend(found);
        }
    }
    (judged, work, diagnostics.into_list())
}

/// The entities of some kinds in a unit, with consecutive indexes.
struct OfKinds {
    unit: SourceId,
    /// For each kind, its check and the index range of its entities.
    kinds: Vec<(Kind, AnyCheck, Range<usize>)>,
    count: usize,
}

impl OfKinds {
    fn new(unit: &Unit, which: impl Fn(&'static dyn AnyKind) -> Option<AnyCheck>) -> Self {
        let (mut kinds, mut count) = (Vec::new(), 0);
        for (any, number) in unit.language.kinds.iter().zip(0..) {
            let kind = Kind(number);
            let of_kind = unit.arenas.count(kind) as usize;
            if let Some(check) = which(*any).filter(|_| of_kind > 0) {
                kinds.push((kind, check, count..count + of_kind));
                count += of_kind;
            }
        }
        Self { unit: unit.id, kinds, count }
    }

    /// Returns the entities in a range of indexes.
    fn some(&self, numbers: Range<usize>) -> impl Iterator<Item = (AnyCheck, AnyId)> + '_ {
        self.kinds.iter().flat_map(move |(kind, check, of_kind)| {
            let some = numbers.start.max(of_kind.start)..numbers.end.min(of_kind.end);
            let id = |number| AnyId { unit: self.unit, kind: *kind, index: (number - of_kind.start) as u32 };
            some.map(move |number| (*check, id(number)))
        })
    }
}

impl Context<'_> {
    /// Returns the definition of an entity: the target of the reference with the role [`Role::Definition`].
    pub fn definition(&self, id: AnyId) -> Option<AnyId> {
        let entity = self.program.entity(id)?;
        let (index, _) = entity.description().find(|field| field.role == Role::Definition)?;
        let mut definition = None;
        entity.field(index).visit_references(&mut |reference| definition = self.any_target(reference));
        definition
    }

    /// Checks that a member may be omitted, unless it is already known that any template may omit it.
    fn leave_out(&mut self, member: &Member, is_checked: bool, judge: impl FnOnce(&mut Self)) {
        if member.may_be_missing(is_checked) {
            return;
        }
        let before = self.problems();
        let depended = std::mem::take(&mut self.depends_on_template);
        judge(self);
        if self.problems() > before {
            self.room_for_missing = self.room_for_missing.saturating_sub(1);
        } else if !self.depends_on_template {
            member.let_be_missing(is_checked);
        }
        self.depends_on_template |= depended;
    }

    /// Renders an entity of type `E` with its definition: matches the members of fields with assignments with those of
    /// the definition.
    pub fn apply<E: Entity>(&mut self, rendered: &RenderedEntity) {
        let assigning = rendered.assigning.and_then(|id| self.program.entity(id));
        let absent = E::default();
        let entity = assigning.unwrap_or(&absent);
        let Some(plan) = self.plan::<E>(entity, rendered) else { return };
        // If an ancestor is incomplete, a missing value may be in the part that is missing.
        let is_complete = rendered.assigning.is_none_or(|id| self.is_complete(id));
        for plan in &plan.fields {
            let field = entity.field(plan.index);
            if !field.is_set() && plan.may_be_missing(rendered.is_checked) {
                continue;
            }
            // A value that could not be read has been reported and is not missing.
            let was_read = assigning.is_none()
                || field.is_set()
                || !rendered.assigning.is_some_and(|id| self.program.gives(id, plan.field.keyname(self.version(id))));
            let is_checked = rendered.is_checked && was_read && is_complete;
            let rendered = &RenderedEntity { is_checked, ..*rendered };
            field.assign(self, &RenderedField { rendered, plan });
        }
    }

    /// Returns the plan for rendering an entity with a definition; `None` if there is nothing to do.
    fn plan<E: Entity>(&mut self, entity: &dyn Described, rendered: &RenderedEntity) -> Option<Arc<Plan>> {
        if let Some(beyond) = self.beyond
            && (beyond.contains(&rendered.template)
                || self.program.owners(rendered.template).any(|owner| beyond.contains(&owner)))
        {
            rendered.assigning?;
            return Some(Arc::new(Plan::of_assigned(self, entity, rendered)));
        }
        let subject = Subject::of(self, E::KIND, rendered);
        if let Some(plan) = subject.as_ref().and_then(|subject| self.lent.cached.plans.get(subject)) {
            return Some(plan.clone());
        }
        let absent = E::default();
        if plan::is_empty(self, &absent, rendered) {
            return None;
        }
        let plan = Arc::new(Plan::new(self, &absent, rendered));
        if let Some(subject) = subject {
            self.lent.cached.plans.insert(subject, plan.clone(), plan.weight());
        }
        Some(plan)
    }

    /// Returns whether a value that is not an entity is written in place of a member, which has been reported. The name
    /// may be that of something within a member.
    fn is_misfit(&self, member: AnyId) -> bool {
        let node = self.header(member).and_then(|header| self.node(NodeRef { unit: member.unit, node: header.node }));
        node.is_some_and(|node| node.kind() != crate::ard::Kind::Null) && !self.program.was_read(member)
    }

    /// Reports a member that the definition does not declare, and returns the name that was probably meant.
    fn undeclared(
        &mut self,
        site: &RenderedField<'_>,
        key: NodeRef,
        defined: &[&[Member]],
        title: &str,
    ) -> Option<Symbol> {
        let (rule, is_error) = match site.plan.assigns.undeclared {
            Undeclared::Error => (&rules::UNDECLARED, true),
            Undeclared::Warning => (&rules::UNDECLARED_TOLERATED, false),
            Undeclared::Allowed => return None,
        };
        // Without a complete definition, members can't be checked; this has been reported.
        let definition = site.rendered.definition.filter(|id| self.is_complete(*id))?;
        if self.program.unit(key.unit).is_some_and(|unit| unit.is_nameless(key.node)) {
            return None;
        }
        let node = self.node(key)?;
        let name = node.text();
        let message = format!("{} has no {title} `{name}`", self.describe(definition));
        let names = defined.iter().copied().flatten().map(|member| self.text(member.name));
        let (meant, help) = self.suggestions.search(name, names, "it has");
        let meant = meant.map(|meant| self.intern(meant));
        let is_built_in = self.program.unit(definition.unit).is_some_and(|unit| unit.implicit.is_some());
        let help = help.unwrap_or_else(|| match self.describe(definition) {
            built_in if is_built_in => format!("remove it, or declare it in a type derived from {built_in}").into(),
            definition => format!("declare it in {definition}, or remove it").into(),
        });
        let place = self.program.name_span(definition);
        self.problem(rule, Some(node.span()), message).help_if(Some(help)).related(place, "defined here");
        // If this is not an error, the member that was probably meant still counts as missing.
        meant.filter(|_| is_error)
    }
}

/// A field with assignments that is being rendered.
pub struct RenderedField<'a> {
    /// The entity that has the field, and its definition.
    pub rendered: &'a RenderedEntity,
    plan: &'a FieldPlan,
}

impl RenderedField<'_> {
    /// Matches the assigned entities with their definitions.
    pub(crate) fn members<A: Entity>(&self, context: &mut Context<'_>, assigned: &Members<A>) {
        let FieldPlan { defined, further, .. } = self.plan;
        let mut meant = FxHashSet::default();
        for (name, id) in assigned.iter() {
            let (of_name, of_further) = (defined.get(name), further.get(name));
            if of_name.is_none()
                && of_further.is_none()
                && let Some(header) = context.header(id.any())
                && !context.is_misfit(id.any())
            {
                let first = defined.list.first().and_then(|member| context.program.entity(member.id));
                let title = match first {
                    Some(first) => first.description().noun(),
                    None => A::default().description().noun(),
                };
                let key = NodeRef { unit: id.unit, node: header.key };
                meant.extend(context.undeclared(self, key, &[&defined.list], title));
            }
            let rendered = RenderedEntity {
                assigning: Some(id.any()),
                definition: of_name,
                further: of_further.filter(|further| Some(*further) != of_name),
                is_checked: self.rendered.is_checked && context.program.was_read(id.any()),
                ..*self.rendered
            };
            context.apply::<A>(&rendered);
        }
        let doubtful = defined.doubtful(self.rendered.is_checked).map(|number| &defined.list[number]);
        for member in doubtful.filter(|member| assigned.get(member.name).is_none()) {
            if context.room_for_missing == 0 {
                return;
            }
            // A misspelled member is not additionally reported as missing.
            let is_checked = self.rendered.is_checked && !meant.contains(&member.name);
            let further = further.get(member.name).filter(|further| *further != member.id);
            let rendered =
                RenderedEntity { assigning: None, definition: Some(member.id), further, is_checked, ..*self.rendered };
            context.leave_out(member, is_checked, |context| context.apply::<A>(&rendered));
        }
        defined.settle(self.rendered.is_checked);
    }

    /// Matches the assigned values with their definitions.
    pub(crate) fn values(&self, context: &mut Context<'_>, values: Values) {
        let FieldPlan { defined, also, further, .. } = self.plan;
        let node = values.position.and_then(|position| context.node(position));
        let mut given: Vec<(usize, Option<Entry<'_>>)> = Vec::new();
        let mut meant = FxHashSet::default();
        for entry in node.iter().flat_map(|node| node.entries()).filter(|entry| !entry.duplicate) {
            let symbol = entry.key.symbol();
            if let Some(number) = symbol.and_then(|symbol| defined.number(symbol)) {
                given.push((number, Some(entry)));
            } else if let Some(id) = symbol.and_then(|symbol| also.get(symbol)) {
                self.judge(context, id, Some(&entry), true);
            } else if let Some(id) = symbol.and_then(|symbol| further.get(symbol)) {
                self.judge(context, id, Some(&entry), false);
            } else {
                let title = self.plan.assigns.title;
                meant.extend(context.undeclared(self, at(entry.key), &[&defined.list, also.list()], title));
                let owner = self.rendered.owner();
                if let Some(unit) = context.program.unit(owner.unit) {
                    (unit.language.check_undescribed)(context, owner, at(entry.value));
                }
            }
        }
        // Apart from these, copied values have been checked where they are written.
        let copied = values.copied.and_then(|position| context.node(position));
        for entry in copied.iter().flat_map(|node| node.entries()) {
            if let Some(number) = entry.key.symbol().and_then(|symbol| defined.number(symbol)) {
                given.push((number, Some(entry)));
            }
        }
        // Missing values beyond the number that can be shown are not even collected: many templates may lack many
        // members.
        if context.room_for_missing > 0 {
            given.extend(defined.doubtful(self.rendered.is_checked).map(|number| (number, None)));
        }
        // Values, including missing ones, are checked in the order of their definitions.
        given.sort_by_key(|(number, _)| *number);
        given.dedup_by_key(|(number, _)| *number);
        for (member, entry) in given.into_iter().map(|(number, entry)| (&defined.list[number], entry)) {
            let further = further.get(member.name).filter(|further| *further != member.id);
            let judge = |context: &mut Context<'_>| match further {
                Some(further) => self.judge_both(context, member.id, further, entry.as_ref()),
                None => self.judge(context, member.id, entry.as_ref(), false),
            };
            if entry.is_some() {
                judge(context);
            } else if context.room_for_missing > 0 && !meant.contains(&member.name) {
                // A misspelled member is not additionally reported as missing.
                context.leave_out(member, self.rendered.is_checked, judge);
            }
        }
        if context.room_for_missing > 0 {
            defined.settle(self.rendered.is_checked);
        }
    }

    /// Lets two definitions check a value. A missing value is a problem only if both definitions require one.
    fn judge_both(&self, context: &mut Context<'_>, id: AnyId, further: AnyId, entry: Option<&Entry<'_>>) {
        if entry.is_none() {
            if !context.is_free_of_errors(|context| self.judge(context, further, None, false)) {
                self.judge(context, id, None, false);
            }
        } else if context.is_free_of_errors(|context| self.judge(context, further, entry, false)) {
            self.judge(context, id, entry, false);
        } else {
            self.judge(context, further, entry, false);
        }
    }

    fn judge(&self, context: &mut Context<'_>, id: AnyId, entry: Option<&Entry<'_>>, is_reflected: bool) {
        let assignment = Assignment {
            value: entry.map(|entry| at(entry.value)),
            key: entry.map(|entry| at(entry.key)),
            owner: self.rendered.owner(),
            definition: self.rendered.definition,
            template: self.rendered.template,
            // A missing value may be in a part that the definition could not inherit.
            is_checked: self.rendered.is_checked && (entry.is_some() || context.is_complete(id)),
            is_reflected,
        };
        let kinds = context.program.unit(id.unit).map(|unit| unit.language.kinds);
        if let Some(kind) = kinds.and_then(|kinds| kinds.get(usize::from(id.kind.0))) {
            kind.judge(context, id, &assignment);
        }
    }
}

fn at(node: Node<'_>) -> NodeRef {
    NodeRef { unit: node.document().source(), node: node.id() }
}
