//! Code actions that declare unknown names.

use foldhash::HashSet;
use serde_json::{Value, json};
use tosca_parse::ard::Kind;
use tosca_parse::diagnostic::Edit;
use tosca_parse::entity::{AnyId, FieldDescription, Parameter, Role, Section, Shape, ValueType};
use tosca_parse::phase::Unit;
use tosca_parse::phase::namespace::ReferenceResolver as _;
use tosca_parse::position_context::{EnclosingEntity, PositionContext, PositionContexts, PositionPart};

use super::required::{NewEntry, addition};
use super::{changes, is_near};
use crate::completion::names;
use crate::completion::snippet::{self, Slot};
use crate::enclosing::{self, EnclosingEntities};
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::Range;
use crate::syntax::Syntax;

/// The maximum number of types that are offered for a new entity.
const MAX_TYPES: usize = 5;

/// The maximum number of names whose declarations are offered: more than an editor shows. Each takes time in proportion
/// to the map that declares it.
const MAX_DECLARED: usize = 100;

/// Returns the actions that declare the unknown names in the given range, in the innermost entity that can declare
/// them.
pub(super) fn actions(parsed: &Parsed, unit: &Unit, range: Range) -> Vec<Value> {
    let Some(root) = unit.description() else { return Vec::new() };
    let mut contexts = PositionContexts::new(&unit.document, root, unit.version);
    let (mut known, mut actions) = (HashSet::default(), Vec::new());
    for (reference, node, ..) in unit.references() {
        let node = unit.document.node(node);
        let is_here = node.span().source == unit.id && is_near(unit, node.span(), range);
        // A name with a prefix is declared elsewhere.
        if !is_here || node.text().contains(':') || parsed.outcome.program.target(reference).is_some() {
            continue;
        }
        let Some(position) = contexts.at(node.span().start) else { continue };
        let (sections, words) = sections(unit, &position);
        if words.contains(&node.text()) || !known.insert((sections, node.text())) {
            continue;
        }
        if known.len() > MAX_DECLARED {
            break;
        }
        // A later section, such as types in place of templates, rarely makes the file valid.
        let sections = sections.iter();
        let mut possible = sections.map(|section| declarations(parsed, unit, &position, (*section, node.text())));
        actions.extend(possible.find(|actions| !actions.is_empty()).unwrap_or_default());
    }
    actions
}

/// Returns the action that declares the unknown member that is assigned at the start of a range, in the type.
pub(super) fn member(parsed: &Parsed, unit: &Unit, range: Range) -> Option<Value> {
    let program = &parsed.outcome.program;
    let offset = place::offset(&unit.source, range.start);
    let position = PositionContext::at(&unit.document, unit.description()?, unit.version, offset)?;
    let PositionPart::Value { field, path, key, .. } = &position.part else { return None };
    let name = key.or_else(|| path.get(1)?.key).filter(|_| path.len() < 3)?;
    let assigns = field.assigns.filter(|_| matches!(field.shape, Shape::Values))?;
    let enclosing = EnclosingEntities::new(program, unit.id, unit.version, &position.entities);
    let definition = enclosing.definitions.last().copied().flatten()?;
    let is_known = enclosing.member(program, field, name.text()).is_some();
    // Only types can add members, and those of an incomplete type are unknown.
    if is_known || program.lineage(definition).is_none() || program.gap(definition).is_some() {
        return None;
    }
    let declaring = program.unit(definition.unit).filter(|unit| unit.implicit.is_none())?;
    let entity = program.raw(definition)?.description();
    let (_, field) = entity.field(assigns.field.unwrap_or(field.ident))?;
    let is_open = field.exists_in(declaring.version) && matches!(field.shape, Shape::Named(_));
    let node = declaring.document.node(program.header(definition)?.node);
    let owner = EnclosingEntity { entity, node, key: None, field: None };
    let value = path.first()?.node.find(name.text())?.value;
    let member = field.entity(declaring.version).filter(|_| is_open)?;
    let fields = member.fields.iter().filter(|field| field.exists_in(declaring.version));
    let mut names = fields.flat_map(|field| kind_names(value.kind()).iter().map(move |name| (field, *name)));
    let of_kind = names.find_map(|(field, name)| enclosing::resolve(program, declaring.id, field, name))?;
    let keynames = keynames(parsed, declaring, Some(of_kind), field);
    let edit = insertion(parsed, declaring, &owner, field, (name.text(), &keynames, &[]))?;
    let of = program.describe(definition);
    Some(json!({
        "title": format!("Create {} `{}` in {of}", member.title, name.text()),
        "kind": "quickfix",
        "edit": changes(parsed, std::iter::once(&edit)),
    }))
}

/// Returns the names that languages have for the type of a scalar.
pub(super) fn kind_names(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Boolean => &["boolean"],
        Kind::Integer => &["integer", "number"],
        Kind::Float => &["float", "number"],
        Kind::String => &["string"],
        Kind::Null | Kind::Map | Kind::List => &[],
    }
}

/// Returns the sections in which the name at the given position is looked up, and the words that need no declaration.
fn sections(unit: &Unit, position: &PositionContext<'_>) -> (&'static [Section], &'static [&'static str]) {
    let PositionPart::Value { field, path, .. } = &position.part else { return (&[], &[]) };
    if let (Shape::Reference | Shape::References, Some(lookup)) = (field.shape, &field.lookup) {
        return (lookup.sections, lookup.known);
    }
    let functions = (unit.language.functions)(unit.version);
    match functions.and_then(|functions| functions.parameter_at(path, field.argument, unit.version).0) {
        Some(Parameter::Name(lookup) | Parameter::Other { name: Some(lookup), .. }) => (lookup.sections, lookup.known),
        _ => (&[], &[]),
    }
}

/// Returns the actions that declare a name in a section: one for each of the first types that fit, if the new entity
/// needs a type.
fn declarations(
    parsed: &Parsed,
    unit: &Unit,
    position: &PositionContext<'_>,
    (section, name): (Section, &str),
) -> Vec<Value> {
    let declares = |field: &FieldDescription| {
        field.section == Some(section) && matches!(field.shape, Shape::Named(_)) && field.exists_in(unit.version)
    };
    let mut around = position.entities.iter().rev();
    let found = around.find_map(|owner| Some((owner, owner.entity.find(declares)?.1)));
    let Some((owner, field)) = found else { return Vec::new() };
    let syntax = Syntax::of_unit(parsed.address(unit.id), unit);
    let section = unit.language.sections[usize::from(section.0)].title;
    let action = |of_type: Option<(&str, String, AnyId)>| {
        let mut keynames = keynames(parsed, unit, called_type(parsed, unit, position), field);
        let mut title = format!("Create {section} `{name}`");
        let mut members = Vec::new();
        if let Some((keyname, of_type, id)) = of_type {
            title = format!("{title} of type `{of_type}`");
            let value = syntax.string(&of_type).into_owned();
            keynames.iter_mut().filter(|(name, _)| *name == keyname).for_each(|(_, empty)| empty.clone_from(&value));
            let entity = field.entity(unit.version)?;
            members = snippet::template(&parsed.outcome.program, entity, unit.version, (id, &of_type)).0;
            members.retain(|slot| slot.key != keyname);
        }
        let edit = insertion(parsed, unit, owner, field, (name, &keynames, &members))?;
        Some(json!({
            "title": title,
            "kind": "quickfix",
            "edit": changes(parsed, std::iter::once(&edit)),
        }))
    };
    let mut types = fitting_types(parsed, unit, position, field);
    let is_any = types.is_empty() || types.len() > MAX_TYPES;
    types.truncate(MAX_TYPES);
    let types = types.into_iter().map(Some).chain(is_any.then_some(None));
    types.filter_map(action).collect()
}

/// Returns the types that a new entity of a field may have, each with the keyname for the type and its name, if the
/// language knows which ones fit at a position.
fn fitting_types<'f>(
    parsed: &Parsed,
    unit: &Unit,
    position: &PositionContext<'_>,
    field: &'f FieldDescription,
) -> Vec<(&'f str, String, AnyId)> {
    let program = &parsed.outcome.program;
    let enclosing = EnclosingEntities::new(program, unit.id, unit.version, &position.entities);
    let fits = enclosing.complete_value(program, (unit.id, unit.version), position).fits;
    let is_type = |field: &&FieldDescription| field.role == Role::Definition && field.exists_in(unit.version);
    let of_type = field.entity(unit.version).and_then(|entity| entity.fields.iter().find(is_type));
    let Some((fits, of_type)) = fits.zip(of_type) else { return Vec::new() };
    let sections = of_type.lookup.map_or(&[][..], |lookup| lookup.sections);
    let types = names::best_of(program, unit.id, sections, "").into_iter().filter(|(_, id)| fits(program, *id));
    types.map(|(name, id)| (of_type.keyname(unit.version), name, id)).collect()
}

/// Returns the keynames that a new entity of a field needs, with values as far as they are known.
pub(super) fn keynames(
    parsed: &Parsed,
    unit: &Unit,
    expected: Option<AnyId>,
    field: &FieldDescription,
) -> Vec<(&'static str, String)> {
    let Some(entity) = field.entity(unit.version) else { return Vec::new() };
    let program = &parsed.outcome.program;
    let syntax = Syntax::of_unit(parsed.address(unit.id), unit);
    let value = |field: &FieldDescription| {
        let name = program.name(expected?);
        let found = enclosing::resolve(program, unit.id, field, name);
        (found == expected).then(|| syntax.string(name).into_owned())
    };
    let fields = entity.fields.iter().filter(|field| field.exists_in(unit.version));
    let needed = fields.filter_map(|field| {
        let value = value(field);
        let is_needed = value.is_some() || field.is_mandatory(unit.version) || field.role == Role::Definition;
        is_needed.then(|| (field.keyname(unit.version), value.unwrap_or_default()))
    });
    needed.collect()
}

/// Returns the type of the value whose only argument is at the given position.
fn called_type(parsed: &Parsed, unit: &Unit, position: &PositionContext<'_>) -> Option<AnyId> {
    let PositionPart::Value { path, .. } = &position.part else { return None };
    let arguments = match &path[..] {
        [_, .., last] if last.key.is_some() => 1,
        [_, .., list, _] if list.key.is_some() && list.node.len() == 1 => 2,
        _ => return None,
    };
    let mut call = position.clone();
    if let PositionPart::Value { path, .. } = &mut call.part {
        path.truncate(path.len() - arguments);
    }
    match expected_type(parsed, unit, &call) {
        ValueType::Declared(id) => Some(id),
        ValueType::Unknown | ValueType::Undeclared => None,
    }
}

/// Returns the type of the value at a position.
pub(super) fn expected_type(parsed: &Parsed, unit: &Unit, position: &PositionContext<'_>) -> ValueType {
    let program = &parsed.outcome.program;
    let enclosing = EnclosingEntities::new(program, unit.id, unit.version, &position.entities);
    let of_value = enclosing.complete_value(program, (unit.id, unit.version), position).value_type;
    let of_whole = || {
        let PositionPart::Value { field, path, .. } = &position.part else { return None };
        let is_whole = path.len() == 1 + usize::from(matches!(field.shape, Shape::Values));
        let note = enclosing::note(program, enclosing.value(program, &position.part).filter(|_| is_whole)?);
        // For a list or a map, `of_type` is the type of its entries rather than of the value.
        note.of_type.filter(|of_type| program.name(*of_type) == note.type_name)
    };
    match of_value {
        ValueType::Unknown => of_whole().map_or(ValueType::Unknown, ValueType::Declared),
        known => known,
    }
}

/// Returns the edit that adds a named entity, with keynames and required members, to a field of a different entity.
pub(super) fn insertion(
    parsed: &Parsed,
    unit: &Unit,
    owner: &EnclosingEntity<'_>,
    field: &FieldDescription,
    (name, keynames, members): (&str, &[(&str, String)], &[Slot]),
) -> Option<Edit> {
    let syntax = Syntax::of_unit(parsed.address(unit.id), unit);
    let given = owner.value(field.ident, unit.version);
    let entry = NewEntry::with_map(syntax, name, keynames, members);
    addition(syntax, owner.node, given, (field.keyname(unit.version), field.sequenced), &[entry])
}
