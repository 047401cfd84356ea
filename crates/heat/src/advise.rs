//! Completions of values besides functions and names, for editors.

use tosca_parse::ard::{Kind, Node};
use tosca_parse::entity::spot::{Part, Step};
use tosca_parse::entity::{Advice, Asked, Proposal, Sort};

use crate::check::imported_by;
use crate::function::of_values;
use crate::grammar::{Resource, Template};
use crate::types::{PropertyDefinition, PropertyType};

/// The attributes of a resource in `get_attr`, and the values that a property allows.
pub(crate) fn advise(asked: &Asked<'_>) -> Advice {
    let Part::Value { path, key: None, .. } = &asked.spot.part else { return Advice::default() };
    let mut advice = Advice::default();
    if let Some(resource) = resource_before(asked, path) {
        let names = attributes(asked, resource).unwrap_or_default();
        advice.proposals = names.into_iter().map(|name| Proposal::new(name, Sort::Name).detail("attribute")).collect();
    } else if path.len() == 2 {
        let definition = asked.value.and_then(|id| asked.program.get(id.cast::<PropertyDefinition>()?));
        let values = definition.map(|definition| allowed(asked, definition)).unwrap_or_default();
        advice.proposals = values.into_iter().map(|value| Proposal::new(value, Sort::Value)).collect();
    }
    advice
}

/// The name of the resource in a call of `get_attr`, if the place is the attribute.
fn resource_before<'n>(asked: &Asked<'_>, path: &[Step<'n>]) -> Option<&'n str> {
    let [.., call, list, item] = path else { return None };
    let called = of_values(asked.version)?.call(call.node).filter(|called| called.name == "get_attr")?;
    let is_attribute = called.given().is_some_and(|given| given.id() == list.node.id()) && item.index == Some(1);
    list.node.items().next().filter(|_| is_attribute).map(Node::text)
}

fn attributes(asked: &Asked<'_>, resource: &str) -> Option<Vec<String>> {
    let program = asked.program;
    let unit = program.unit(asked.unit)?;
    let template = program.get(unit.root?.cast::<Template>()?)?;
    let id = template.resources.get(program.interner.get(resource)?)?;
    let known: &Resource = program.get(id)?;
    let ty = known.r#type?.target(program).and_then(|target| program.get(target));
    let names: Vec<_> = match ty {
        Some(ty) => ty.attributes.iter().map(|(name, _)| name).collect(),
        None => {
            let mut nested = imported_by(program, program.index(asked.unit)?);
            let (_, nested) = nested.find(|(entity, _)| *entity == id.any())?;
            nested.template.outputs.iter().map(|(name, _)| name).collect()
        }
    };
    Some(names.into_iter().map(|name| program.text(name).to_owned()).collect())
}

fn allowed(asked: &Asked<'_>, definition: &PropertyDefinition) -> Vec<String> {
    let program = asked.program;
    if definition.r#type.is_some_and(|ty| ty.value == PropertyType::Boolean) {
        return vec!["true".to_owned(), "false".to_owned()];
    }
    let constraints = definition.constraints.iter().filter_map(|id| program.get(*id));
    let lists = constraints.filter_map(|constraint| program.node(constraint.allowed_values?.0));
    let values = lists.flat_map(Node::items).filter(|value| !matches!(value.kind(), Kind::Map | Kind::List));
    values.map(|value| value.text().to_owned()).collect()
}
