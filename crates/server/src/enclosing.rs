//! The enclosing entities of a position, as the program knows them.
//!
//! The text may have changed since the program was built. So entities are found by name rather than by position, and
//! type names are read from the current text.

use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::{
    AnyId, CompletionRequest, CompletionResponse, FieldDescription, LanguageVersion, MemberNote, Role, Shape, Text,
    field_of,
};
use tosca_parse::phase::Program;
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::namespace::ReferenceResolver as _;
use tosca_parse::position_context::{EnclosingEntity, PositionContext, PositionPart};

use crate::rename::is_plain;

/// The enclosing entities of a position, outermost first.
#[derive(Debug, Default)]
pub(crate) struct EnclosingEntities {
    /// The entities themselves, as of the last parse.
    pub(crate) entities: Vec<Option<AnyId>>,
    /// The definition of each entity.
    pub(crate) definitions: Vec<Option<AnyId>>,
    /// The parents of each entity.
    pub(crate) parents: Vec<Vec<AnyId>>,
}

impl EnclosingEntities {
    pub(crate) fn new(
        program: &Program<Complete>,
        unit: SourceId,
        version: LanguageVersion,
        entities: &[EnclosingEntity<'_>],
    ) -> Self {
        let mut all = Self::default();
        for (number, enclosing) in entities.iter().enumerate() {
            let before = number.checked_sub(1);
            let entity = match (before, enclosing.field) {
                (None, _) => program.unit(unit).and_then(|unit| unit.root),
                (Some(before), Some(field)) => {
                    all.entities[before].and_then(|id| member(program, id, field, enclosing))
                }
                _ => None,
            };
            let inherited = before.zip(enclosing.field).and_then(|(before, field)| {
                let sources = all.sources(before);
                sources.into_iter().find_map(|id| member(program, id, field, enclosing))
            });
            let of_type = named(program, unit, version, enclosing, Role::Definition).into_iter().next();
            all.entities.push(entity);
            all.definitions.push(of_type.or(inherited));
            let mut parents = named(program, unit, version, enclosing, Role::Parent);
            // Within a type, a refinement inherits from the definition that it refines.
            parents.extend(inherited.filter(|_| of_type.is_some()));
            all.parents.push(parents);
        }
        all
    }

    /// Returns the inheritance sources of an entity: its definition and its parents.
    pub(crate) fn sources(&self, number: usize) -> Vec<AnyId> {
        let definition = self.definitions.get(number).copied().flatten();
        definition.into_iter().chain(self.parents.get(number).into_iter().flatten().copied()).collect()
    }

    /// Returns the names that a field of the innermost entity can have, with the entities that declare them.
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

    /// Returns the members of its definition that the innermost entity must assign in a field, without names that need
    /// quotes.
    pub(crate) fn required<'p>(&self, program: &'p Program<Complete>, field: &FieldDescription) -> Vec<&'p str> {
        let definition = self.definitions.last().copied().flatten().filter(|_| is_assigning(field));
        let ident = field.assigns.and_then(|assigns| assigns.field).unwrap_or(field.ident);
        let members = definition.into_iter().flat_map(|id| children(program, id, ident));
        let is_required = |(name, id): &(&str, AnyId)| is_plain(name) && note(program, *id).is_required;
        members.filter(is_required).map(|(name, _)| name).collect()
    }

    /// Returns the member that the innermost entity itself declares under a name.
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

    /// Returns the completions of the language for the position.
    pub(crate) fn complete_value(
        &self,
        program: &Program<Complete>,
        (unit, version): (SourceId, LanguageVersion),
        position: &PositionContext<'_>,
    ) -> CompletionResponse {
        let Some(language) = program.unit(unit).map(|unit| unit.language) else { return CompletionResponse::default() };
        let value = self.value(program, &position.part);
        (language.complete_value)(&CompletionRequest {
            program,
            unit,
            version,
            position,
            definitions: &self.definitions,
            value,
        })
    }

    /// Returns the definition of the value at a position: the member with the name that the value belongs to, or the
    /// entity whose default it is.
    fn value(&self, program: &Program<Complete>, part: &PositionPart<'_>) -> Option<AnyId> {
        let PositionPart::Value { field, path, key, .. } = part else { return None };
        let name = match (path.get(1), key) {
            (Some(step), _) => step.key?,
            (None, Some(key)) => *key,
            // The map of all values, not one of them.
            (None, None) if is_named(field) => return None,
            (None, None) => return self.entities.last().copied().flatten(),
        };
        if !is_named(field) {
            return self.entities.last().copied().flatten();
        }
        self.members(program, field).into_iter().find(|(known, _)| *known == name.text()).map(|(_, id)| id)
    }
}

/// Describes a member of a definition.
pub(crate) fn note(program: &Program<Complete>, id: AnyId) -> MemberNote {
    program.unit(id.unit).map(|unit| (unit.language.describe_member)(program, id)).unwrap_or_default()
}

/// Returns whether the members of a field give values to those of the entity's definition, rather than refine them.
fn is_assigning(field: &FieldDescription) -> bool {
    let is_named = matches!(field.shape, Shape::Named(_) | Shape::Sequence(_));
    field.assigns.is_some() || is_named && field.inherit.is_none()
}

/// Returns whether a field is a map of named values.
fn is_named(field: &FieldDescription) -> bool {
    matches!(field.shape, Shape::Values)
}

/// Returns the fields of a definition that a field assigns to or refines.
fn idents(field: &FieldDescription) -> impl Iterator<Item = &'static str> {
    let own = field.assigns.and_then(|assigns| assigns.field).unwrap_or(field.ident);
    std::iter::once(own).chain(field.assigns.and_then(|assigns| assigns.also))
}

/// Returns the named children in a field of an entity.
pub(crate) fn children<'p>(program: &'p Program<Complete>, id: AnyId, ident: &str) -> Vec<(&'p str, AnyId)> {
    let Some(entity) = program.entity(id) else { return Vec::new() };
    let Some((index, _)) = entity.description().field(ident) else { return Vec::new() };
    let mut children = Vec::new();
    entity.field(index).visit_children(&mut |child| children.push((program.name(child), child)));
    children
}

/// Returns the child in a field of an entity, or in the same field of its definition, that has the name of an enclosing
/// entity.
fn member(
    program: &Program<Complete>,
    id: AnyId,
    field: &FieldDescription,
    enclosing: &EnclosingEntity<'_>,
) -> Option<AnyId> {
    idents(field).find_map(|ident| {
        let mut children = children(program, id, ident).into_iter();
        match enclosing.key {
            Some(key) => children.find(|(name, _)| *name == key.text()),
            None => children.next(),
        }
        .map(|(_, id)| id)
    })
}

/// Returns the entity that a name in a field refers to.
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

/// Returns the targets of an entity's references with a role, according to the current text.
fn named(
    program: &Program<Complete>,
    unit: SourceId,
    version: LanguageVersion,
    enclosing: &EnclosingEntity<'_>,
    role: Role,
) -> Vec<AnyId> {
    let fields = enclosing.entity.fields.iter().filter(|field| field.role == role);
    let values = fields.filter_map(|field| Some((field, written(enclosing, field, version)?)));
    let names = values.flat_map(|(field, node)| names(node).into_iter().map(move |name| (field, name)));
    names.filter_map(|(field, name)| resolve(program, unit, field, name.text())).collect()
}

/// Returns the value of a field, even if it is written in place of the entity.
fn written<'d>(
    enclosing: &EnclosingEntity<'d>,
    field: &FieldDescription,
    version: LanguageVersion,
) -> Option<Node<'d>> {
    let is_scalar = !matches!(enclosing.node.kind(), Kind::Map | Kind::List | Kind::Null);
    let short = Some(enclosing.node).filter(|_| field.short.scalar && is_scalar);
    enclosing.value(field.ident, version).or(short)
}

fn names(node: Node<'_>) -> Vec<Node<'_>> {
    if node.kind() == Kind::List { node.items().collect() } else { vec![node] }
}

/// Returns the description of an entity.
pub(crate) fn description(program: &Program<Complete>, id: AnyId) -> Option<&str> {
    let text = *field_of::<Option<Text>>(program.entity(id)?, "description")?;
    Some(program.node(text?.0)?.text())
}

/// Returns the definition that an entity names.
pub(crate) fn definition(program: &Program<Complete>, id: AnyId) -> Vec<AnyId> {
    let Some(entity) = program.entity(id) else { return Vec::new() };
    let Some((index, _)) = entity.description().find(|field| field.role == Role::Definition) else { return Vec::new() };
    let mut found = Vec::new();
    entity.field(index).visit_references(&mut |reference| found.extend(program.target(reference)));
    found
}
