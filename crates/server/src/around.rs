//! What a program knows of the entities around a place.
//!
//! The text has perhaps changed since the program was made, so entities are found by their names rather than by where
//! they stand, and the names of types are read where they are written now.

use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::{AnyId, FieldDescription, LanguageVersion, Role, Shape, Text, field_of};
use tosca_parse::phase::Program;
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::spot::{Level, Part};

/// What is known of the entities around a place, in their order.
#[derive(Debug, Default)]
pub(crate) struct Around {
    /// The entities themselves, as they were.
    pub(crate) entities: Vec<Option<AnyId>>,
    /// What defines each of them.
    pub(crate) definitions: Vec<Option<AnyId>>,
    /// The types from which each of them is derived.
    pub(crate) parents: Vec<Vec<AnyId>>,
}

impl Around {
    pub(crate) fn new(
        program: &Program<Complete>,
        unit: SourceId,
        version: LanguageVersion,
        levels: &[Level<'_>],
    ) -> Self {
        let mut around = Self::default();
        for (number, level) in levels.iter().enumerate() {
            let before = number.checked_sub(1);
            let entity = match (before, level.field) {
                (None, _) => program.unit(unit).and_then(|unit| unit.root),
                (Some(before), Some(field)) => around.entities[before].and_then(|id| member(program, id, field, level)),
                _ => None,
            };
            let inherited = before.zip(level.field).and_then(|(before, field)| {
                let sources = around.sources(before);
                sources.into_iter().find_map(|id| member(program, id, field, level))
            });
            let of_type = named(program, unit, version, level, Role::Definition).into_iter().next();
            around.entities.push(entity);
            around.definitions.push(of_type.or(inherited));
            let mut parents = named(program, unit, version, level, Role::Parent);
            // Within a type, what refines something has what it refines.
            parents.extend(inherited.filter(|_| of_type.is_some()));
            around.parents.push(parents);
        }
        around
    }

    /// What an entity takes from: what defines it, and what it is derived from.
    pub(crate) fn sources(&self, number: usize) -> Vec<AnyId> {
        let definition = self.definitions.get(number).copied().flatten();
        definition.into_iter().chain(self.parents.get(number).into_iter().flatten().copied()).collect()
    }

    /// The names that a field of the innermost entity may give, with what has them.
    pub(crate) fn members<'p>(
        &self,
        program: &'p Program<Complete>,
        field: &FieldDescription,
    ) -> Vec<(&'p str, AnyId)> {
        let mut members: Vec<(&str, AnyId)> = Vec::new();
        for id in self.sources(self.definitions.len().saturating_sub(1)) {
            for ident in idents(field) {
                for member in children(program, id, ident) {
                    if !members.iter().any(|(name, _)| *name == member.0) {
                        members.push(member);
                    }
                }
            }
        }
        members
    }

    /// What the innermost entity itself has by a name.
    pub(crate) fn own(&self, program: &Program<Complete>, field: &FieldDescription, name: &str) -> Option<AnyId> {
        let id = self.entities.last().copied().flatten()?;
        let entity = program.raw(id)?;
        let (index, _) = entity.description().field(field.ident)?;
        let mut own = None;
        entity.field(index).visit_children(&mut |child| {
            if program.name(child) == name {
                own = own.or(Some(child));
            }
        });
        own
    }

    /// What defines the value at a place: the member of the name below which it stands, or the entity of which it is the
    /// default.
    pub(crate) fn value(&self, program: &Program<Complete>, part: &Part<'_>) -> Option<AnyId> {
        let Part::Value { field, path, key, .. } = part else { return None };
        let name = match (path.get(1), key) {
            (Some(step), _) => step.key?,
            (None, Some(key)) => *key,
            // Not the values, but all of them.
            (None, None) if is_named(field) => return None,
            (None, None) => return self.entities.last().copied().flatten(),
        };
        if !is_named(field) {
            return self.entities.last().copied().flatten();
        }
        self.members(program, field).into_iter().find(|(known, _)| *known == name.text()).map(|(_, id)| id)
    }
}

/// Whether a field gives values to names.
fn is_named(field: &FieldDescription) -> bool {
    matches!(field.shape, Shape::Values)
}

/// The fields of a definition that a field assigns to, or refines.
fn idents(field: &FieldDescription) -> impl Iterator<Item = &'static str> {
    let own = field.assigns.and_then(|assigns| assigns.field).unwrap_or(field.ident);
    std::iter::once(own).chain(field.assigns.and_then(|assigns| assigns.also))
}

/// What a field of an entity holds, with names.
pub(crate) fn children<'p>(program: &'p Program<Complete>, id: AnyId, ident: &str) -> Vec<(&'p str, AnyId)> {
    let Some(entity) = program.entity(id) else { return Vec::new() };
    let Some((index, _)) = entity.description().field(ident) else { return Vec::new() };
    let mut children = Vec::new();
    entity.field(index).visit_children(&mut |child| children.push((program.name(child), child)));
    children
}

/// What a field of an entity, or the same field of what defines it, has by the name of a level.
fn member(program: &Program<Complete>, id: AnyId, field: &FieldDescription, level: &Level<'_>) -> Option<AnyId> {
    idents(field).find_map(|ident| {
        let mut children = children(program, id, ident).into_iter();
        match level.key {
            Some(key) => children.find(|(name, _)| *name == key.text()),
            None => children.next(),
        }
        .map(|(_, id)| id)
    })
}

/// What a name stands for where a field holds it.
pub(crate) fn resolve(
    program: &Program<Complete>,
    unit: SourceId,
    field: &FieldDescription,
    name: &str,
) -> Option<AnyId> {
    let symbol = program.interner.get(name)?;
    let sections = field.lookup.as_ref()?.sections;
    sections.iter().find_map(|section| program.resolve(unit, *section, symbol).id())
}

/// What the references of an entity with a role stand for, as they are written now.
fn named(
    program: &Program<Complete>,
    unit: SourceId,
    version: LanguageVersion,
    level: &Level<'_>,
    role: Role,
) -> Vec<AnyId> {
    let fields = level.entity.fields.iter().filter(|field| field.role == role);
    let values = fields.filter_map(|field| Some((field, written(level, field, version)?)));
    let names = values.flat_map(|(field, node)| names(node).into_iter().map(move |name| (field, name)));
    names.filter_map(|(field, name)| resolve(program, unit, field, name.text())).collect()
}

/// The value of a field, also where it stands in the place of the entity.
fn written<'d>(level: &Level<'d>, field: &FieldDescription, version: LanguageVersion) -> Option<Node<'d>> {
    let is_scalar = !matches!(level.node.kind(), Kind::Map | Kind::List | Kind::Null);
    let short = Some(level.node).filter(|_| field.short.scalar && is_scalar);
    level.value(field.ident, version).or(short)
}

fn names(node: Node<'_>) -> Vec<Node<'_>> {
    if node.kind() == Kind::List { node.items().collect() } else { vec![node] }
}

/// What an entity says that it is for.
pub(crate) fn description(program: &Program<Complete>, id: AnyId) -> Option<&str> {
    let text = *field_of::<Option<Text>>(program.entity(id)?, "description")?;
    Some(program.node(text?.0)?.text())
}
