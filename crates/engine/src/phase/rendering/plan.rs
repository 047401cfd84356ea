//! Plans for rendering, which are computed once per definition.
//!
//! Thousands of templates may have the same type. The members of the type, their names, and whether a template may omit
//! them are the same for all templates, so a plan is created for the first template and reused.
//!
//! Measured 2026-11-25: without plans, a whole parse with 400 node templates takes 46 % more instructions.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};
use thin_vec::ThinVec;

use super::RenderedEntity;
use crate::ard::Node;
use crate::entity::{AnyId, AssignmentSpec, Described, Field, FieldDescription, Kind, LanguageVersion, MaybeId};
use crate::phase::Context;
use crate::symbol::Symbol;

/// The key of a plan. When a definition checks for missing members, the result may depend on nothing else, except for
/// the position at which a problem is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::phase) struct Subject {
    assigning: Kind,
    definition: MaybeId,
    further: MaybeId,
    owner: (LanguageVersion, Kind),
    template: (LanguageVersion, Kind),
}

impl Subject {
    /// Returns the key; `None` if there is no definition, because kinds and versions are numbers whose language the
    /// definition determines.
    pub(super) fn of(context: &Context<'_>, assigning: Kind, rendered: &RenderedEntity) -> Option<Self> {
        let RenderedEntity { definition, further, template, .. } = *rendered;
        definition.or(further)?;
        let owner = rendered.owner();
        let version = context.version(template);
        let owner_version = if owner.unit == template.unit { version } else { context.version(owner) };
        let (owner, template) = ((owner_version, owner.kind), (version, template.kind));
        Some(Self { assigning, definition: definition.into(), further: further.into(), owner, template })
    }
}

/// The plan for rendering entities of one kind with a definition.
pub(in crate::phase) struct Plan {
    pub(super) fields: Vec<FieldPlan>,
}

/// The plan for an assigning field.
pub(super) struct FieldPlan {
    pub(super) index: usize,
    pub(super) field: &'static FieldDescription,
    pub(super) assigns: &'static AssignmentSpec,
    /// The members of the definition.
    pub(super) defined: Defined,
    /// The members of an additional field that can be assigned here too.
    pub(super) also: SparseFields,
    /// The members of the second definition.
    pub(super) further: SparseFields,
}

impl Plan {
    pub(super) fn new(context: &Context<'_>, assigning: &dyn Described, rendered: &RenderedEntity) -> Self {
        Self::with(context, assigning, rendered, |_| None)
    }

    /// Creates a plan that has only the members that an entity assigns.
    pub(super) fn of_assigned(context: &Context<'_>, assigning: &dyn Described, rendered: &RenderedEntity) -> Self {
        Self::with(context, assigning, rendered, |field| {
            let mut names: Vec<Symbol> = Vec::new();
            field.visit_children(&mut |child| names.extend(context.header(child).map(|header| header.name)));
            field.visit_data(&mut |position| {
                let entries = context.node(position).into_iter().flat_map(Node::entries);
                names.extend(entries.filter_map(|entry| entry.key.symbol()));
            });
            let mut seen = FxHashSet::default();
            names.retain(|name| seen.insert(*name));
            Some(names)
        })
    }

    /// Creates a plan with those members that `names` returns for a field; with all members if it returns `None`.
    fn with(
        context: &Context<'_>,
        assigning: &dyn Described,
        rendered: &RenderedEntity,
        names: impl Fn(&dyn Field) -> Option<Vec<Symbol>>,
    ) -> Self {
        let definition = rendered.definition.and_then(|id| context.program.entity(id));
        let further = rendered.further.and_then(|id| context.program.entity(id));
        let fields = assigning.description().fields.iter().enumerate().filter_map(|(index, field)| {
            let assigns = field.assigns.as_ref()?;
            let names = names(assigning.field(index));
            let defining = assigns.field.unwrap_or(field.ident);
            let defined = Defined::by(context, field_of(definition, Some(defining)), names.as_deref());
            let also = SparseFields::by(context, field_of(definition, assigns.also), names.as_deref());
            let further = SparseFields::by(context, field_of(further, Some(defining)), names.as_deref());
            Some(FieldPlan { index, field, assigns, defined, also, further })
        });
        Self { fields: fields.collect() }
    }

    /// Returns the weight in a [cache](crate::phase::cache): the number of members, plus fifty for the plan itself.
    pub(super) fn weight(&self) -> usize {
        let members =
            |field: &FieldPlan| field.defined.list.len() + field.also.list().len() + field.further.list().len();
        50 + self.fields.iter().map(members).sum::<usize>()
    }
}

impl FieldPlan {
    /// Returns whether it is known that a template may omit all members.
    pub(super) fn may_be_missing(&self, is_checked: bool) -> bool {
        self.defined.doubtful[usize::from(is_checked)].get().is_some_and(ThinVec::is_empty)
    }
}

/// Returns whether a plan would be useless, because nothing can be assigned, or nothing is assigned and nothing can be
/// missing. This is the case for most things that templates omit, such as operations without inputs.
pub(super) fn is_empty(context: &Context<'_>, assigning: &dyn Described, rendered: &RenderedEntity) -> bool {
    let definition = rendered.definition.and_then(|id| context.program.entity(id));
    let further = rendered.further.and_then(|id| context.program.entity(id));
    let fields = || assigning.description().fields.iter().filter_map(|field| Some((field, field.assigns.as_ref()?)));
    let defines_nothing = |field: Option<&dyn Field>| {
        let mut is_empty = true;
        field.into_iter().for_each(|field| field.visit_children(&mut |_| is_empty = false));
        is_empty
    };
    let is_nothing_defined = |(field, assigns): (&FieldDescription, &AssignmentSpec)| {
        let defining = Some(assigns.field.unwrap_or(field.ident));
        defines_nothing(field_of(definition, defining))
            && defines_nothing(field_of(definition, assigns.also))
            && defines_nothing(field_of(further, defining))
    };
    if rendered.assigning.is_none() { fields().all(is_nothing_defined) } else { fields().next().is_none() }
}

/// Returns the field of an entity with the given name in the struct.
fn field_of<'a>(entity: Option<&'a dyn Described>, ident: Option<&str>) -> Option<&'a dyn Field> {
    let entity = entity?;
    let (index, _) = entity.description().field(ident?)?;
    Some(entity.field(index))
}

/// The members that a definition declares in a field, by name.
pub(super) struct Defined {
    pub(super) list: Box<[Member]>,
    /// The indexes of the names in the list, if there are too many for a linear search.
    numbers: Option<Box<FxHashMap<Symbol, u32>>>,
    /// The indexes of the members that must be checked if they are not assigned, once they are known. With them,
    /// templates need not check each of the thousands of optional members that a type may have. The array is indexed as
    /// in [`Member`].
    doubtful: [OnceLock<ThinVec<u32>>; 2],
}

/// Members of fields that most definitions do not have.
pub(super) struct SparseFields(Option<Box<Defined>>);

/// A member of a definition.
pub(super) struct Member {
    pub(super) name: Symbol,
    pub(super) id: AnyId,
    /// Whether the member may be omitted: first for the case that missing members are not reported, then for the case
    /// that they are.
    may_be_missing: [AtomicBool; 2],
}

impl Member {
    /// Returns whether it is known that the member may be omitted.
    pub(super) fn may_be_missing(&self, is_checked: bool) -> bool {
        self.may_be_missing[usize::from(is_checked)].load(Ordering::Relaxed)
    }

    /// Records that the member may be omitted.
    pub(super) fn let_be_missing(&self, is_checked: bool) {
        self.may_be_missing[usize::from(is_checked)].store(true, Ordering::Relaxed);
    }
}

impl Defined {
    /// The maximum number of names for which a linear search is used, because it is faster.
    const MAX_LINEAR: usize = 16;

    fn by(context: &Context<'_>, field: Option<&dyn Field>, names: Option<&[Symbol]>) -> Self {
        let count = names.map_or_else(|| field.map_or(0, Field::child_count), <[Symbol]>::len);
        let mut list: Vec<Member> = Vec::with_capacity(count);
        let mut add = |id| {
            if let Some(header) = context.header(id) {
                list.push(Member { name: header.name, id, may_be_missing: <[AtomicBool; 2]>::default() });
            }
        };
        match (field, names) {
            (Some(field), Some(names)) => names.iter().filter_map(|name| field.member(*name)).for_each(add),
            (Some(field), None) => field.visit_children(&mut add),
            (None, _) => {}
        }
        let numbers = (list.len() > Self::MAX_LINEAR)
            .then(|| Box::new(list.iter().zip(0..).map(|(member, number)| (member.name, number)).collect()));
        Self { list: list.into(), numbers, doubtful: Default::default() }
    }

    /// Returns the indexes of the members that are not known to be optional, in order.
    pub(super) fn doubtful(&self, is_checked: bool) -> impl Iterator<Item = usize> {
        let known = self.doubtful[usize::from(is_checked)].get();
        let all = if known.is_none() { 0..self.list.len() } else { 0..0 };
        known.into_iter().flatten().map(|number| *number as usize).chain(all)
    }

    /// Records which members may be required, after the first template has been checked for all members.
    pub(super) fn settle(&self, is_checked: bool) {
        self.doubtful[usize::from(is_checked)].get_or_init(|| {
            let members = self.list.iter().zip(0..);
            members.filter(|(member, _)| !member.may_be_missing(is_checked)).map(|(_, number)| number).collect()
        });
    }

    pub(super) fn number(&self, name: Symbol) -> Option<usize> {
        match &self.numbers {
            Some(numbers) => numbers.get(&name).map(|number| *number as usize),
            None => self.list.iter().position(|member| member.name == name),
        }
    }

    pub(super) fn get(&self, name: Symbol) -> Option<AnyId> {
        self.number(name).map(|number| self.list[number].id)
    }
}

impl SparseFields {
    fn by(context: &Context<'_>, field: Option<&dyn Field>, names: Option<&[Symbol]>) -> Self {
        let defined = field.map(|field| Defined::by(context, Some(field), names));
        Self(defined.filter(|defined| !defined.list.is_empty()).map(Box::new))
    }

    pub(super) fn list(&self) -> &[Member] {
        self.0.as_ref().map_or(&[], |defined| &defined.list)
    }

    pub(super) fn get(&self, name: Symbol) -> Option<AnyId> {
        self.0.as_ref()?.get(name)
    }
}
