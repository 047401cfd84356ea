//! The resources of a template and their dependencies, for diagrams.

use rustc_hash::{FxHashMap, FxHashSet};
use tosca_parse::entity::{AnyId, Topology, TopologyEdge, TopologyNode};
use tosca_parse::phase::Program;
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::namespace::ReferenceResolver as _;

use crate::grammar::Template;

/// Returns the resources of the entry. Each depends on the resources that its `depends_on` and its functions name.
pub(crate) fn topology(program: &Program<Complete>) -> Option<Topology> {
    let unit = program.list.first()?;
    let template = program.get(unit.root?.cast::<Template>()?)?;
    let mut topology = Topology::default();
    let mut numbers: FxHashMap<AnyId, usize> = FxHashMap::default();
    for (name, id) in template.resources.iter() {
        let ty = program.get(id)?.r#type.map_or("", |ty| program.text(ty.name));
        let node = unit.document.node(program.header(id.any())?.node);
        let properties = node.find("properties").map(|entry| entry.value);
        let rows = TopologyNode::rows_of(properties);
        numbers.insert(id.any(), topology.nodes.len());
        topology.nodes.push(TopologyNode { name: program.text(name).to_owned(), kind: ty.to_owned(), rows });
    }
    let mut known = FxHashSet::default();
    for (reference, _, field, owner) in unit.references() {
        let target = program.target(reference).and_then(|target| numbers.get(&target));
        if let (Some(&from), Some(&to)) = (numbers.get(&owner), target)
            && known.insert((from, to, field.ident))
        {
            topology.edges.push(TopologyEdge { from, to, name: field.keyname(unit.version).to_owned() });
        }
    }
    Some(topology)
}
