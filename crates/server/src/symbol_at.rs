//! The symbol at a position in a parsed text: a keyname, or a name with its targets.

use tosca_parse::ard::Node;
use tosca_parse::diagnostic::Span;
use tosca_parse::entity::{AnyId, EntityDescription, FieldDescription, Shape};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::namespace::ReferenceResolver as _;
use tosca_parse::phase::{Program, Unit};
use tosca_parse::position_context::{PositionContext, PositionPart};

use crate::enclosing::EnclosingEntities;

/// The symbol at a position.
#[derive(Debug)]
pub(crate) struct SymbolAt {
    /// The span of its key or value.
    pub(crate) span: Span,
    /// Its meaning.
    pub(crate) meaning: Meaning,
}

/// The meaning of a word.
#[derive(Debug)]
pub(crate) enum Meaning {
    /// A keyname of an entity.
    Keyname(&'static EntityDescription, &'static FieldDescription),
    /// A name and its targets: first the entity that it declares, then the entities that this one refines.
    Name(Vec<AnyId>),
}

impl SymbolAt {
    /// Returns the symbol at an offset of a unit.
    pub(crate) fn at(program: &Program<Complete>, unit: &Unit, offset: u32) -> Option<Self> {
        Self::of_reference(program, unit, offset).or_else(|| Self::of_position(program, unit, offset))
    }

    /// Returns the entities that the name refers to.
    pub(crate) fn targets(&self) -> &[AnyId] {
        match &self.meaning {
            Meaning::Keyname(..) => &[],
            Meaning::Name(targets) => targets,
        }
    }

    fn name(span: Span, targets: Vec<AnyId>) -> Option<Self> {
        (!targets.is_empty()).then_some(Self { span, meaning: Meaning::Name(targets) })
    }

    /// References are found wherever they are written, even if no descriptions lead to them.
    fn of_reference(program: &Program<Complete>, unit: &Unit, offset: u32) -> Option<Self> {
        let (reference, node, ..) = unit.references().find(|(_, node, ..)| {
            let span = unit.document.node(*node).span();
            span.source == unit.id && span.start <= offset && offset <= span.end
        })?;
        Self::name(unit.document.node(node).span(), program.target(reference).into_iter().collect())
    }

    fn of_position(program: &Program<Complete>, unit: &Unit, offset: u32) -> Option<Self> {
        let root = unit.language.kinds[usize::from(unit.root?.kind.0)].description();
        let position = PositionContext::at(&unit.document, root, unit.version, offset)?;
        let node = position.node()?;
        let span = node.span();
        if span.source != unit.id || !(span.start <= offset && offset <= span.end) {
            return None;
        }
        match &position.part {
            PositionPart::Keyname { field, .. } => {
                let (entity, field) = (position.innermost().entity, (*field)?);
                Some(Self { span, meaning: Meaning::Keyname(entity, field) })
            }
            PositionPart::Name { field, .. } => {
                let enclosing = EnclosingEntities::new(program, unit.id, unit.version, &position.entities);
                let own = enclosing.own(program, field, node.text());
                let known = defined(&enclosing, program, field, node);
                // An assigned member is that of the type; a refinement is a separate entity, of the same kind.
                let is_of_kind = |own: AnyId| known.first().is_none_or(|known| known.kind == own.kind);
                let is_assigned = !known.is_empty() && (field.assigns.is_some() || !own.is_some_and(is_of_kind));
                let own = own.filter(|_| !is_assigned);
                Self::name(span, own.into_iter().chain(known).collect())
            }
            PositionPart::Value { field, path, key: Some(key), .. }
                if matches!(field.shape, Shape::Values) && path.len() == 1 =>
            {
                let enclosing = EnclosingEntities::new(program, unit.id, unit.version, &position.entities);
                Self::name(span, defined(&enclosing, program, field, *key))
            }
            PositionPart::Value { .. } => {
                let enclosing = EnclosingEntities::new(program, unit.id, unit.version, &position.entities);
                let response = enclosing.complete_value(program, (unit.id, unit.version), &position);
                Self::name(span, response.target.into_iter().collect())
            }
        }
    }
}

/// Returns the member with the given name among those that a field assigns to or refines, followed by the members that
/// it refines in turn.
fn defined(
    enclosing: &EnclosingEntities,
    program: &Program<Complete>,
    field: &FieldDescription,
    name: Node<'_>,
) -> Vec<AnyId> {
    let mut found: Vec<AnyId> = Vec::new();
    let members = enclosing.members(program, field).into_iter();
    let mut next = members.filter(|(known, _)| *known == name.text()).map(|(_, id)| id).next();
    while let Some(id) = next.filter(|id| !found.contains(id)) {
        found.push(id);
        next = refined(program, field, id);
    }
    found
}

/// Returns the definition that a definition within a type refines: the one of the same name in a parent of the type.
fn refined(program: &Program<Complete>, field: &FieldDescription, id: AnyId) -> Option<AnyId> {
    let owner = program.owners(id).next()?;
    let parents = program.lineage(owner)?.parents();
    let ident = field.assigns.and_then(|assigns| assigns.field).unwrap_or(field.ident);
    let members = parents.iter().flat_map(|parent| crate::enclosing::children(program, *parent, ident));
    members.into_iter().find(|(name, _)| *name == program.name(id)).map(|(_, id)| id)
}
