//! The nodes of a blueprint and their relationships, for diagrams and plans.

use foldhash::HashMap;
use tosca_parse::entity::{AnyId, Topology, TopologyEdge, TopologyNode};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::{Context, Program};

use crate::check::blueprint::copies;
use crate::check::get;
use crate::grammar::NodeTemplate;
use crate::plan::full_name;

/// Returns the node templates of the entry and of the files that it imports. Each depends on the targets of its
/// relationships.
pub(crate) fn topology(program: &Program<Complete>) -> Option<Topology> {
    let mut context = Context::new(program, 0);
    let copies = copies(&mut context);
    copies.first()?;
    let mut topology = Topology::default();
    let mut numbers: HashMap<String, usize> = HashMap::default();
    let mut relationships: Vec<(usize, &str, AnyId)> = Vec::new();
    for copy in &copies {
        for (name, id) in copy.blueprint.node_templates.iter() {
            let Some(template) = get::<NodeTemplate>(&context, id.any()) else { continue };
            let name = full_name(&copy.namespace, context.text(name));
            let number = *numbers.entry(name.clone()).or_insert_with(|| {
                topology.nodes.push(TopologyNode { name, ..TopologyNode::default() });
                topology.nodes.len() - 1
            });
            let node = &mut topology.nodes[number];
            if let Some(of_type) = template.r#type {
                node.kind = full_name(&copy.namespace, context.text(of_type.name));
                let properties = template.properties.position.and_then(|position| context.node(position));
                node.rows = TopologyNode::rows_of(properties);
            }
            relationships.extend(template.relationships.iter().map(|id| (number, &*copy.namespace, id.any())));
        }
    }
    for (from, namespace, id) in relationships {
        let Some(relationship) = get::<crate::grammar::Relationship>(&context, id) else { continue };
        let target = relationship.target.map(|target| full_name(namespace, context.text(target.name)));
        if let Some(to) = target.and_then(|target| numbers.get(&target)) {
            let of_type = relationship.r#type.map_or("", |of_type| context.text(of_type.name));
            let name = of_type.rsplit('.').next().unwrap_or_default().to_owned();
            topology.edges.push(TopologyEdge { from, to: *to, name });
        }
    }
    Some(topology)
}
