//! The entities that enclose a position, as the program knows them.
//!
//! The text may have changed since the program was built. So entities are found by name rather than by position, and
//! type names are read from the current text.

use foldhash::{HashMap, HashSet};
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::{
    AnyId, CompletionRequest, CompletionResponse, FieldDescription, LanguageVersion, MemberNote, Role, Shape, Text,
    Values, field_of,
};
use tosca_parse::phase::Program;
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::position_context::{EnclosingEntity, PositionContext, PositionPart};

/// The maximum number of assignments to one member that are added.
const MAX_ASSIGNMENTS: u64 = 20;

/// The entities that enclose a position, outermost first.
#[derive(Debug, Default)]
pub(crate) struct EnclosingEntities {
    /// The entities themselves, as of the last parse.
    pub(crate) entities: Vec<Option<AnyId>>,
    /// The definition of each entity.
    pub(crate) definitions: Vec<Option<AnyId>>,
    /// The parents of each entity.
    pub(crate) parents: Vec<Vec<AnyId>>,
    /// The entities that the innermost one copies.
    copied: Vec<AnyId>,
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
        if let Some(innermost) = entities.last() {
            all.copied = named(program, unit, version, innermost, Role::Copy);
        }
        all
    }

    /// Returns the inheritance sources of an entity: its definition and its parents.
    pub(crate) fn sources(&self, number: usize) -> Vec<AnyId> {
        let definition = self.definitions.get(number).copied().flatten();
        definition.into_iter().chain(self.parents.get(number).into_iter().flatten().copied()).collect()
    }

    /// Returns the definition of the innermost entity.
    pub(crate) fn definition(&self) -> Option<AnyId> {
        self.definitions.last().copied().flatten()
    }

    /// Returns the names that a field of the innermost entity can contain, with the entities that declare them.
    pub(crate) fn members<'p>(
        &self,
        program: &'p Program<Complete>,
        field: &FieldDescription,
    ) -> Vec<(&'p str, AnyId)> {
        let mut known = HashSet::default();
        let sources = self.sources(self.definitions.len().saturating_sub(1)).into_iter();
        let ids = sources.flat_map(|id| idents(field).flat_map(move |ident| program.children(id, ident)));
        ids.map(|id| (program.name(id), id)).filter(|(name, _)| known.insert(*name)).collect()
    }

    /// Returns the entity that declares `name`, if a field of the innermost entity can contain that name.
    pub(crate) fn member(&self, program: &Program<Complete>, field: &FieldDescription, name: &str) -> Option<AnyId> {
        let sources = self.sources(self.definitions.len().saturating_sub(1));
        sources.into_iter().find_map(|id| idents(field).find_map(|ident| program.child(id, ident, name)))
    }

    /// Returns whether the innermost entity must assign the required members of its definition. Otherwise, its values
    /// describe an existing entity.
    pub(crate) fn must_assign(&self, program: &Program<Complete>) -> bool {
        let must_assign = |id: &AnyId| {
            let language = program.unit(id.unit).map(|unit| unit.language);
            language.is_none_or(|language| (language.must_assign)(program, *id))
        };
        self.entities.iter().flatten().all(must_assign)
    }

    /// Returns the names that the innermost entity must still assign in a field: members of its definition, each once
    /// per missing assignment. `given` is the current value of the field.
    pub(crate) fn missing<'p>(
        &self,
        program: &'p Program<Complete>,
        field: &FieldDescription,
        given: Option<Node<'_>>,
    ) -> Vec<&'p str> {
        let is_assigned = is_assigning(field) && self.must_assign(program);
        let Some(definition) = self.definitions.last().copied().flatten().filter(|_| is_assigned) else {
            return Vec::new();
        };
        let mut counts: HashMap<&str, u64> = HashMap::default();
        let keys = given.into_iter().flat_map(keys);
        let copied = self.copied.iter().flat_map(|id| copied_names(program, *id, field, given.is_some()));
        keys.chain(copied).for_each(|name| *counts.entry(name).or_default() += 1);
        let mut missing = required(program, definition, field);
        missing.retain(|name| match counts.get_mut(name) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        });
        missing
    }

    /// Returns the member with the given name that the innermost entity itself declares in the given field.
    pub(crate) fn own(&self, program: &Program<Complete>, field: &FieldDescription, name: &str) -> Option<AnyId> {
        let id = self.entities.last().copied().flatten()?;
        let entity = program.raw(id)?;
        let (index, _) = entity.description().field(field.ident)?;
        let mut own = entity.field(index).member(program.interner.get(name)?);
        if own.is_none() {
            entity.field(index).visit_children(&mut |child| {
                if own.is_none() && program.name(child) == name {
                    own = Some(child);
                }
            });
        }
        own
    }

    /// Returns the language's completions for the position.
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
            entities: &self.entities,
            definitions: &self.definitions,
            value,
        })
    }

    /// Returns the definition of the value at the given position: the member with the name that the value belongs to,
    /// or the entity whose default it is.
    pub(crate) fn value(&self, program: &Program<Complete>, part: &PositionPart<'_>) -> Option<AnyId> {
        let PositionPart::Value { field, path, key, .. } = part else { return None };
        if !is_named(field) {
            return self.entities.last().copied().flatten();
        }
        let name = match (path.get(1), key) {
            (Some(step), _) => step.key?,
            (None, Some(key)) => *key,
            // This is the map of all values, not one of the values.
            (None, None) => return None,
        };
        self.member(program, field, name.text())
    }
}

/// Returns the names of the required members that a field assigns to, each once per required assignment.
pub(crate) fn required<'p>(
    program: &'p Program<Complete>,
    definition: AnyId,
    field: &FieldDescription,
) -> Vec<&'p str> {
    let ident = field.assigns.and_then(|assigns| assigns.field).unwrap_or(field.ident);
    let members = program.children(definition, ident).into_iter();
    let required = members.flat_map(|id| {
        let count = note(program, id).min_count.min(MAX_ASSIGNMENTS);
        (0..count).map(move |_| program.name(id))
    });
    required.collect()
}

/// Describes a member of a definition.
pub(crate) fn note(program: &Program<Complete>, id: AnyId) -> MemberNote {
    program.unit(id.unit).map(|unit| (unit.language.describe_member)(program, id)).unwrap_or_default()
}

/// Returns whether the members of a field assign values to the members of the entity's definition, rather than refine
/// them.
pub(crate) fn is_assigning(field: &FieldDescription) -> bool {
    let is_named = matches!(field.shape, Shape::Named(_) | Shape::Sequence(_));
    field.assigns.is_some() || is_named && field.inherit.is_none()
}

/// Returns whether a field is a map of named values.
fn is_named(field: &FieldDescription) -> bool {
    matches!(field.shape, Shape::Values)
}

/// Returns the fields of a definition that a field assigns to or refines.
pub(crate) fn idents(field: &FieldDescription) -> impl Iterator<Item = &'static str> {
    let own = field.assigns.and_then(|assigns| assigns.field).unwrap_or(field.ident);
    std::iter::once(own).chain(field.assigns.and_then(|assigns| assigns.also))
}

/// Returns the keys of a map or of the maps in a list.
pub(crate) fn keys(node: Node<'_>) -> Vec<&str> {
    let maps = if node.kind() == Kind::List { node.items().collect() } else { vec![node] };
    maps.into_iter().flat_map(Node::entries).map(|entry| entry.key.text()).collect()
}

/// Returns the names that a field inherits from a copied entity.
fn copied_names<'p>(
    program: &'p Program<Complete>,
    copied: AnyId,
    field: &FieldDescription,
    is_given: bool,
) -> Vec<&'p str> {
    // Maps are merged, but a list replaces the copied one.
    if is_given && matches!(field.shape, Shape::Sequence(_)) {
        return Vec::new();
    }
    let values = program.entity(copied).and_then(|entity| field_of::<Values>(entity, field.ident));
    let maps = values.into_iter().flat_map(|values| values.positions()).filter_map(|position| program.node(position));
    let members = program.children(copied, field.ident).into_iter().map(|id| program.name(id));
    maps.flat_map(keys).chain(members).collect()
}

/// Returns the child of the entity `id` that has the name of `enclosing`, in the fields that `field` assigns to or
/// refines.
fn member(
    program: &Program<Complete>,
    id: AnyId,
    field: &FieldDescription,
    enclosing: &EnclosingEntity<'_>,
) -> Option<AnyId> {
    idents(field).find_map(|ident| match enclosing.key {
        Some(key) => program.child(id, ident, key.text()),
        None => program.children(id, ident).into_iter().next(),
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

/// Returns the targets of an entity's references with the given role, according to the current text.
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
