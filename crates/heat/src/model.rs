//! The model of a template: its content, with the values of environments and all dependencies.

use rustc_hash::FxHashSet;
use serde_json::{Map, Value as Json, json};
use tosca_parse::ard::Node;
use tosca_parse::entity::{AnyId, Entity, Members};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::{Context, Program};

use crate::check::scope;
use crate::grammar::Template;
use crate::topology::topology;

/// The sections that are in the model as they are written.
const WRITTEN: [&str; 4] = ["heat_template_version", "description", "parameter_groups", "conditions"];

/// Returns the model of the entry, without the values of hidden parameters.
pub(crate) fn model(program: &Program<Complete>) -> Option<Json> {
    let unit = program.list.first()?;
    let id = unit.root?.cast::<Template>()?;
    let template = program.get(id)?;
    let root = unit.document.root()?;
    let written = |node: Node<'_>| serde_json::to_value(node).unwrap_or_default();
    let mut model = Map::new();
    for name in WRITTEN {
        model.extend(root.find(name).map(|entry| (name.to_owned(), written(entry.value))));
    }
    let mut context = Context::new(program, 0);
    let values = scope(template, &mut context, id).parameters;
    let mut parameters = entities(program, &template.parameters);
    for (name, parameter) in &mut parameters {
        let declared = values.get(name.as_str());
        let is_hidden = declared.is_some_and(|declared| declared.parameter.hidden.is_some_and(|hidden| hidden.value));
        let value = declared.and_then(|declared| declared.value).filter(|_| !is_hidden);
        if let Json::Object(parameter) = parameter {
            parameter.extend(value.map(|value| ("value".to_owned(), written(value))));
            if is_hidden {
                parameter.remove("default");
            }
        }
    }
    let mut resources = entities(program, &template.resources);
    let topology = topology(program)?;
    let (mut needed, mut met) = (vec![Vec::new(); topology.nodes.len()], FxHashSet::default());
    for edge in topology.edges.iter().filter(|edge| edge.from != edge.to) {
        if met.insert((edge.from, edge.to)) {
            needed[edge.from].push(&topology.nodes[edge.to].name);
        }
    }
    for (resource, needed) in topology.nodes.iter().zip(needed).filter(|(_, needed)| !needed.is_empty()) {
        if let Some(Json::Object(resource)) = resources.get_mut(&resource.name) {
            resource.insert("depends_on".to_owned(), json!(needed));
        }
    }
    model.insert("parameters".to_owned(), Json::Object(parameters));
    model.insert("resources".to_owned(), Json::Object(resources));
    model.insert("outputs".to_owned(), Json::Object(entities(program, &template.outputs)));
    Some(Json::Object(model))
}

/// Returns the entities of a section, as they are written.
fn entities<E: Entity>(program: &Program<Complete>, members: &Members<E>) -> Map<String, Json> {
    let written = |id: AnyId| {
        let node = program.unit(id.unit)?.document.node(program.header(id)?.node);
        serde_json::to_value(node).ok()
    };
    members.iter().filter_map(|(name, id)| Some((program.text(name).to_owned(), written(id.any())?))).collect()
}
