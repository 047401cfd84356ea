//! Phase 5: types applied to templates.
//!
//! An assigning entity has a definition: a node template its node type, a capability assignment the capability
//! definition of the same name. Rendering pairs the members of the one with the members of the other, down to the
//! values, and lets the definition of each value judge it; what is particular to an entity is a function of its own.
//! Templates do not depend on each other's results, so all are rendered in parallel.
//!
//! # Problems
//!
//! Members that the definition does not have ([`UNDECLARED`](rules::UNDECLARED)), and whatever the entities' own
//! functions find.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Program;
use super::context::{Context, Explain};
use super::inheritance::Complete;
use crate::ard::{Entry, Node};
use crate::diagnostic::{Diagnostic, SourceId};
use crate::entity::{
    AnyId, Assigns, Described, Entity, EntityDescription, Field, FieldDescription, Kind, Local, Members, Position,
    Role, Undeclared,
};
use crate::rules;
use crate::symbol::Symbol;

/// How many names may be looked at in a unit to find those that were meant.
const LOOKS: usize = 50_000;

/// How many of these there are for every handful of entities at least.
const LOOKS_OF_A_HANDFUL: usize = 2_000;

/// The number of entities that one thread takes at once.
const HANDFUL: usize = 64;

/// A value that is assigned, or not assigned, to what a definition defines.
#[derive(Clone, Copy, Debug)]
pub struct Assignment {
    /// The value; nothing if none is assigned.
    pub value: Option<Position>,
    /// The key of the value; nothing if none is assigned.
    pub key: Option<Position>,
    /// The entity that assigns, or fails to.
    pub owner: AnyId,
    /// The definition that the owner is applied to.
    pub definition: Option<AnyId>,
    /// What is rendered as a whole: the template.
    pub template: AnyId,
    /// Whether a value that is missing matters.
    pub is_checked: bool,
    /// Whether the value is assigned to what the definition is reflected in, not to what it defines.
    pub is_reflected: bool,
}

/// An entity being rendered against its definition.
#[derive(Clone, Copy, Debug)]
pub struct Application {
    /// The assigning entity; nothing if the template leaves it out.
    pub assigning: Option<AnyId>,
    /// The definition that it is applied to; nothing if that is unknown.
    pub definition: Option<AnyId>,
    /// What is rendered as a whole: the template.
    pub template: AnyId,
    /// Whether values that are missing matter.
    pub is_checked: bool,
}

impl Application {
    /// The entity to blame for what is missing: the assigning one, or else the template.
    pub fn owner(&self) -> AnyId {
        self.assigning.unwrap_or(self.template)
    }
}

/// Runs the functions that entities of a unit have for what they have inherited.
pub fn check(program: &Program<Complete>, unit: SourceId) -> Vec<Diagnostic> {
    each(
        program,
        unit,
        |entity| entity.hooks.after_inheritance,
        |context, entity, id| {
            entity.after_inheritance(context, id);
        },
    )
}

/// Renders the templates of a unit.
pub fn run(program: &Program<Complete>, unit: SourceId) -> Vec<Diagnostic> {
    each(program, unit, |entity| entity.hooks.render, |context, entity, id| entity.render(context, id))
}

/// Runs the functions that entities of a unit have for what surrounds it. What they find does not depend on texts
/// alone, so it is never remembered.
pub fn look_around(program: &Program<Complete>, unit: SourceId) -> Vec<Diagnostic> {
    if program.surroundings(unit).is_none() {
        return Vec::new();
    }
    each(program, unit, |entity| entity.hooks.look_around, |context, entity, id| entity.look_around(context, id))
}

/// Calls a function for every entity of some kinds, in parallel, and returns the problems in the order of entities.
fn each(
    program: &Program<Complete>,
    unit: SourceId,
    which: impl Fn(&EntityDescription) -> bool,
    call: impl Fn(&mut Context<'_>, &dyn Described, AnyId) + Sync,
) -> Vec<Diagnostic> {
    let Some(unit) = program.unit(unit) else { return Vec::new() };
    let kinds = unit.language.kinds.iter().enumerate().filter(|(_, kind)| which(kind.description()));
    let entities: Vec<AnyId> = kinds
        .flat_map(|(kind, _)| {
            let kind = Kind(kind as u8);
            (0..unit.arenas.count(kind)).map(move |index| Local { kind, index }.of(unit.id))
        })
        .collect();
    let looks = (LOOKS / entities.len().div_ceil(HANDFUL).max(1)).max(LOOKS_OF_A_HANDFUL);
    let found: Vec<Vec<Diagnostic>> = entities
        .par_chunks(HANDFUL)
        .map(|entities| {
            let mut context = Context::new(program, looks);
            for id in entities {
                if let Some(entity) = program.entity(*id) {
                    call(&mut context, entity, *id);
                }
            }
            context.into_diagnostics()
        })
        .collect();
    found.into_iter().flatten().collect()
}

impl Context<'_> {
    /// The entity that defines another: what its reference with the role of a definition stands for.
    pub fn definition(&self, id: AnyId) -> Option<AnyId> {
        let entity = self.program.entity(id)?;
        let (index, _) = entity.description().find(|field| field.role == Role::Definition)?;
        let mut definition = None;
        entity.field(index).visit_references(&mut |reference| definition = self.any_target(reference));
        definition
    }

    /// Renders an entity of type `E` against its definition: pairs the members of its assigning fields with those
    /// that the definition has.
    pub fn apply<E: Entity>(&mut self, application: &Application) {
        let assigning = application.assigning.and_then(|id| self.program.entity(id));
        let absent = E::default();
        let entity = assigning.unwrap_or(&absent);
        let definition = application.definition.and_then(|id| self.program.entity(id));
        // What is missing may be in what it would have been completed from.
        let is_complete = application.assigning.is_none_or(|id| self.is_complete(id));
        for (index, field) in entity.description().fields.iter().enumerate() {
            let Some(assigns) = &field.assigns else { continue };
            let of_definition = definition.and_then(|definition| {
                let (index, _) = definition.description().field(assigns.field.unwrap_or(field.ident))?;
                Some(definition.field(index))
            });
            let also = definition.zip(assigns.also).and_then(|(definition, also)| {
                let (index, _) = definition.description().field(also)?;
                Some(definition.field(index))
            });
            // What could not be read has been reported, and nothing of it is missing.
            let was_read = assigning.is_none()
                || entity.field(index).is_set()
                || !application.assigning.is_some_and(|id| self.program.gives(id, field.keyname(self.version(id))));
            let is_checked = application.is_checked && was_read && is_complete;
            let application = &Application { is_checked, ..*application };
            let site = Assigning { application, field, assigns, also };
            entity.field(index).assign(self, &site, of_definition);
        }
    }

    /// Reports a member that the definition does not have, and returns the name that was probably meant.
    fn undeclared(&mut self, site: &Assigning<'_>, key: Position, defined: &[&Defined], title: &str) -> Option<Symbol> {
        let rule = match site.assigns.undeclared {
            Undeclared::Error => &rules::UNDECLARED,
            Undeclared::Warning => &rules::UNDECLARED_TOLERATED,
            Undeclared::Allowed => return None,
        };
        // Without a definition there is nothing to compare with; that it is missing has been reported.
        let definition = site.application.definition.filter(|id| self.is_complete(*id))?;
        let node = self.node(key)?;
        let title = title.trim_end_matches(" definition");
        let name = node.text();
        let message = format!("{} has no {title} `{name}`", self.describe(definition));
        let names = defined.iter().flat_map(|defined| &defined.list).map(|(name, _)| self.text(*name));
        let (meant, help) = self.suggestions.search(name, names, "it has");
        let meant = meant.map(|meant| self.intern(meant));
        let help = help.unwrap_or_else(|| format!("declare it in {}, or leave it out", self.describe(definition)));
        let place = self.program.name_span(definition);
        self.problem(rule, Some(node.span()), message).help_if(Some(help)).related(place, "defined here");
        meant
    }
}

/// An assigning field being rendered.
pub struct Assigning<'a> {
    /// The entity that has it, and its definition.
    pub application: &'a Application,
    /// The field.
    pub field: &'static FieldDescription,
    /// How it assigns.
    pub assigns: &'a Assigns,
    /// Another field of the definition, the members of which can be assigned here too.
    pub also: Option<&'a dyn Field>,
}

impl Assigning<'_> {
    /// Pairs entities with definitions.
    pub(crate) fn members<A: Entity>(
        &self,
        context: &mut Context<'_>,
        assigned: &Members<A>,
        definition: Option<&dyn Field>,
    ) {
        let defined = Defined::by(context, definition);
        let mut meant = FxHashSet::default();
        for (name, id) in assigned.iter() {
            let of_name = defined.get(name);
            if of_name.is_none()
                && let Some(header) = context.header(id.any())
            {
                let first = defined.list.first().and_then(|(_, id)| context.program.entity(*id));
                let title = match first {
                    Some(first) => first.description().title,
                    None => A::default().description().title.trim_end_matches(" assignment"),
                };
                let key = Position { unit: id.unit, node: header.key };
                meant.extend(context.undeclared(self, key, &[&defined], title));
            }
            let application = Application {
                assigning: Some(id.any()),
                definition: of_name,
                is_checked: self.application.is_checked && context.program.was_read(id.any()),
                ..*self.application
            };
            context.apply::<A>(&application);
        }
        for (name, id) in defined.list {
            if assigned.get(name).is_none() {
                // What was misspelt is not missing as well.
                let is_checked = self.application.is_checked && !meant.contains(&name);
                let application =
                    Application { assigning: None, definition: Some(id), is_checked, ..*self.application };
                context.apply::<A>(&application);
            }
        }
    }

    /// Pairs values with definitions.
    pub(crate) fn values(&self, context: &mut Context<'_>, values: Option<Position>, definition: Option<&dyn Field>) {
        let defined = Defined::by(context, definition);
        let also = Defined::by(context, self.also);
        let node = values.and_then(|position| context.node(position));
        // Values are judged in the order of their definitions, those that are missing among them.
        let mut given: Vec<Option<Entry<'_>>> = vec![None; defined.list.len()];
        let mut meant = FxHashSet::default();
        for entry in node.iter().flat_map(|node| node.entries()).filter(|entry| !entry.duplicate) {
            let symbol = entry.key.symbol();
            if let Some(number) = symbol.and_then(|symbol| defined.number(symbol)) {
                given[number] = Some(entry);
            } else if let Some(id) = symbol.and_then(|symbol| also.get(symbol)) {
                self.judge(context, id, Some(&entry), true);
            } else {
                let title = self.assigns.title;
                meant.extend(context.undeclared(self, at(entry.key), &[&defined, &also], title));
            }
        }
        for ((name, id), entry) in defined.list.iter().zip(given) {
            // What was misspelt is not missing as well.
            if entry.is_some() || !meant.contains(name) {
                self.judge(context, *id, entry.as_ref(), false);
            }
        }
    }

    fn judge(&self, context: &mut Context<'_>, id: AnyId, entry: Option<&Entry<'_>>, is_reflected: bool) {
        let assignment = Assignment {
            value: entry.map(|entry| at(entry.value)),
            key: entry.map(|entry| at(entry.key)),
            owner: self.application.owner(),
            definition: self.application.definition,
            template: self.application.template,
            // A value that is missing may be in what the definition could not inherit.
            is_checked: self.application.is_checked && (entry.is_some() || context.is_complete(id)),
            is_reflected,
        };
        if let Some(definition) = context.program.entity(id) {
            definition.judge(context, id, &assignment);
        }
    }
}

/// What a field of a definition defines, by name.
struct Defined {
    list: Vec<(Symbol, AnyId)>,
    /// The places of the names in the list, if they are too many to look through.
    numbers: Option<FxHashMap<Symbol, usize>>,
}

impl Defined {
    /// The number of names that are found faster by looking at all of them.
    const FEW: usize = 16;

    fn by(context: &Context<'_>, field: Option<&dyn Field>) -> Self {
        let mut list = Vec::new();
        if let Some(field) = field {
            field.visit_children(&mut |child| {
                if let Some(header) = context.header(child) {
                    list.push((header.name, child));
                }
            });
        }
        let numbers = (list.len() > Self::FEW)
            .then(|| list.iter().enumerate().map(|(number, (name, _))| (*name, number)).collect());
        Self { list, numbers }
    }

    fn number(&self, name: Symbol) -> Option<usize> {
        match &self.numbers {
            Some(numbers) => numbers.get(&name).copied(),
            None => self.list.iter().position(|(defined, _)| *defined == name),
        }
    }

    fn get(&self, name: Symbol) -> Option<AnyId> {
        self.number(name).map(|number| self.list[number].1)
    }
}

fn at(node: Node<'_>) -> Position {
    Position { unit: node.document().source(), node: node.id() }
}
