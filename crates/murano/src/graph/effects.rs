//! Diagrams of recorded deployments: a box for each effect, with arrows in their order.

use tosca_parse_graph::{Edge, Graph, Node, Options, ToGraph, text};
use tosca_parse_yaql::Value;

use crate::effect::{Effect, EffectKind};

/// The effects of a call, in order.
#[derive(Clone, Copy, Debug)]
pub struct Deployment<'e> {
    /// The title of the diagram.
    pub title: &'e str,
    /// The effects.
    pub effects: &'e [Effect],
}

impl ToGraph for Deployment<'_> {
    fn to_graph(&self, options: Options) -> Graph {
        let mut graph = Graph::new(self.title);
        for (number, effect) in (1..).zip(self.effects) {
            let kind = format!("{} {}", effect.kind.as_str(), effect.action);
            let mut node = Node::new(&format!("{number}. {}", effect.target), &kind);
            node.rows = rows(effect).into_iter().take(options.properties).collect();
            graph.nodes.push(node);
        }
        graph.edges = (1..graph.nodes.len()).map(|number| Edge::new(number - 1, number, "then", "")).collect();
        graph
    }
}

/// Returns the rows in the box of an effect.
fn rows(effect: &Effect) -> Vec<(String, String)> {
    let detail = |name: &str| effect.details.get(&Value::from(name));
    match effect.kind {
        EffectKind::Stack => {
            let resources = detail("template").and_then(|template| template.get("resources")).and_then(Value::as_dict);
            let ty = |resource: &Value| resource.get("type").map(Value::to_python).unwrap_or_default();
            let resources = resources.into_iter().flat_map(|resources| resources.iter());
            resources.map(|(name, resource)| (text::line(&name.to_python()), text::line(&ty(resource)))).collect()
        }
        EffectKind::Agent => {
            let name = detail("plan").and_then(|plan| plan.get("Name")).filter(|name| !name.is_null());
            name.map(|name| ("plan".to_owned(), text::line(&name.to_python()))).into_iter().collect()
        }
        _ => {
            let row = |(key, value): (&Value, &Value)| {
                let key = key.to_python();
                let shown = text::value(&key, &value.to_python());
                (text::line(&key), shown)
            };
            effect.details.iter().map(row).collect()
        }
    }
}
