//! Code actions that extract values.

use foldhash::HashSet;
use serde_json::{Value, json};
use tosca_parse::ard::{Kind, Layout, Node, Style};
use tosca_parse::entity::{FieldDescription, Function, Parameter, Section, Shape, ValueType};
use tosca_parse::phase::Unit;
use tosca_parse::position_context::{EnclosingEntity, PositionContext, PositionPart};
use tosca_parse::reference_docs::enum_values;

use super::changes;
use super::declare::{expected_type, insertion, keynames, kind_names};
use super::notation::{is_unmarked, one_line};
use crate::enclosing::{self, EnclosingEntities};
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::Range;
use crate::rename::is_plain;
use crate::syntax::Syntax;

/// The maximum number of names that are tried.
const MAX_NAMES: usize = 100;

/// A place for a parameter that a function can read.
struct Declaration<'p, 'd> {
    function: &'static Function,
    section: Section,
    owner: &'p EnclosingEntity<'d>,
    field: &'static FieldDescription,
    /// The field of the parameter for the value that it has if none is given.
    default: &'static FieldDescription,
}

/// Returns the action that replaces the value at the start of a range with a call that reads a new parameter, such as
/// an input, with the value as its default.
pub(super) fn to_parameter(parsed: &Parsed, unit: &Unit, range: Range) -> Option<Value> {
    let offset = place::offset(&unit.source, range.start);
    let position = PositionContext::at(&unit.document, unit.description()?, unit.version, offset)?;
    let PositionPart::Value { field, path, key: None, .. } = &position.part else { return None };
    let node = path.last()?.node;
    let functions = (unit.language.functions)(unit.version)?;
    let takes_calls = field.value.is_some_and(|versions| versions.contains(unit.version)) && field.argument.is_none();
    let is_called =
        functions.argument_at(path, field.argument, unit.version).is_some() || functions.call(node).is_some();
    let span = node.span();
    let is_here = span.source == unit.id && span.start <= offset && offset <= span.end;
    let is_scalar = !matches!(node.kind(), Kind::Map | Kind::List | Kind::Null);
    let layout = Layout::around(node).filter(|_| takes_calls && !is_called && is_here && is_scalar)?;
    let value = one_line(unit, node).filter(|_| is_unmarked(layout, node))?;
    let program = &parsed.outcome.program;
    let enclosing = EnclosingEntities::new(program, unit.id, unit.version, &position.entities);
    let declaration = declaration(unit, &position, functions.list).filter(|_| enclosing.must_assign(program))?;
    let Declaration { function, section, owner, field, default } = declaration;
    let name = free_name(parsed, unit, &position, &declaration)?;
    let keynames = parameter(parsed, unit, &position, node, (field, default, value))?;
    let syntax = Syntax::of_unit(parsed.address(unit.id), unit);
    let called = format!("{}{}", functions.prefix, function.name);
    let call = format!("{{ {}: {} }}", syntax.keyname(&called), syntax.string(&name));
    let declared = insertion(parsed, unit, owner, field, (&name, &keynames, &[]))?;
    let edits = [layout.replace(span.start, span.end, call), declared];
    let title = unit.language.sections[usize::from(section.0)].title;
    Some(json!({
        "title": format!("Extract to {title} `{name}`"),
        "kind": "refactor.extract",
        "edit": changes(parsed, edits.iter()),
    }))
}

/// Returns the innermost entity around a position that can declare a parameter, and the function that reads it. The
/// position is not in such a parameter.
fn declaration<'p, 'd>(
    unit: &Unit,
    position: &'p PositionContext<'d>,
    functions: &'static [Function],
) -> Option<Declaration<'p, 'd>> {
    let of_name = functions.iter().filter_map(|function| match function.parameters {
        [Parameter::Name(lookup)] if function.takes(1) => Some((function, lookup.sections)),
        _ => None,
    });
    let mut sections =
        of_name.flat_map(|(function, sections)| sections.iter().map(move |section| (function, *section)));
    sections.find_map(|(function, section)| {
        let declares = |field: &FieldDescription| {
            field.section == Some(section) && matches!(field.shape, Shape::Named(_)) && field.exists_in(unit.version)
        };
        let is_within = position.entities.iter().any(|enclosing| enclosing.field.is_some_and(declares));
        let mut around = position.entities.iter().rev();
        let (owner, field) = around.find_map(|owner| Some((owner, owner.entity.find(declares)?.1)))?;
        let is_default =
            |field: &FieldDescription| unit.language.defaults.contains(&field.ident) && field.exists_in(unit.version);
        let (_, default) = field.entity(unit.version)?.find(is_default).filter(|_| !is_within)?;
        Some(Declaration { function, section, owner, field, default })
    })
}

/// Returns an unused name for a parameter, after the name of the value.
fn free_name(
    parsed: &Parsed,
    unit: &Unit,
    position: &PositionContext<'_>,
    declaration: &Declaration<'_, '_>,
) -> Option<String> {
    let PositionPart::Value { field, path, .. } = &position.part else { return None };
    let first = usize::from(matches!(field.shape, Shape::Values));
    let key = path.get(first..)?.iter().rev().filter(|_| first > 0 || path.len() > 1).find_map(|step| step.key);
    let name = match key {
        Some(key) if first > 0 || path.len() > 1 => key.text(),
        _ => position.entities.iter().rev().find_map(|enclosing| enclosing.key).map_or("", Node::text),
    };
    let name: String = name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect();
    let name = if is_plain(&name) { name } else { "value".to_owned() };
    let given = declaration.owner.value(declaration.field.ident, unit.version);
    let written: HashSet<&str> = given.into_iter().flat_map(enclosing::keys).collect();
    let program = &parsed.outcome.program;
    let is_known = |name: &str| {
        let symbol = program.interner.get(name);
        symbol.is_some_and(|symbol| program.resolve(unit.id, declaration.section, symbol).id().is_some())
    };
    let names = std::iter::once(name.clone()).chain((2..MAX_NAMES).map(|number| format!("{name}_{number}")));
    names.into_iter().find(|name| !written.contains(&**name) && !is_known(name))
}

/// Returns the keynames of a new parameter with the type of a value; `None` if a keyname that it needs is not known.
fn parameter(
    parsed: &Parsed,
    unit: &Unit,
    position: &PositionContext<'_>,
    node: Node<'_>,
    (field, default, value): (&FieldDescription, &FieldDescription, String),
) -> Option<Vec<(&'static str, String)>> {
    let entity = field.entity(unit.version)?;
    let of_kind = || {
        let fields = entity.fields.iter().filter(|field| field.exists_in(unit.version));
        let mut names = fields.flat_map(|field| kind_names(node.kind()).iter().map(move |name| (field, *name)));
        names.find_map(|(field, name)| enclosing::resolve(&parsed.outcome.program, unit.id, field, name))
    };
    let expected = match expected_type(parsed, unit, position) {
        ValueType::Declared(id) => Some(id),
        // The word `UNBOUNDED` of a range is not a string.
        ValueType::Undeclared if node.kind() == Kind::String && node.style() == Style::Plain => return None,
        ValueType::Undeclared | ValueType::Unknown => of_kind(),
    };
    let syntax = Syntax::of_unit(parsed.address(unit.id), unit);
    let mut keynames = keynames(parsed, unit, expected, field);
    for (keyname, text) in keynames.iter_mut().filter(|(_, text)| text.is_empty()) {
        let field = entity.fields.iter().find(|field| field.keyname(unit.version) == *keyname)?;
        let values = enum_values(field, unit.version);
        let is_value = |name: &&&str| values.iter().any(|value| value.name == **name);
        text.push_str(&syntax.string(kind_names(node.kind()).iter().find(is_value)?));
    }
    keynames.push((default.keyname(unit.version), value));
    Some(keynames)
}
