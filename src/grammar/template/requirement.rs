//! Requirement assignments (2.0, 8.5).

use super::{RelationshipAssignment, ScopeDirectives};
use crate::Entity;
use crate::ard::{Kind, Layout, Node, Style};
use crate::diagnostic::{Edit, Safety};
use crate::entity::{
    Child, Field, FieldDescription, Form, LocalId, Located, Lookup, NodeRef, Reference, Shape, Shaped, Text, Value,
    Values, downcast,
};
use crate::grammar::CONDITION;
use crate::grammar::definition::NodeFilter;
use crate::grammar::section::{CAPABILITY_TYPES, NODE_TEMPLATES, NODE_TYPES};
use crate::grammar::version::{V1_3, V2_0};
use crate::grammar::{CountRange, Metadata};
use crate::phase::DiagnosticBuilder;
use crate::phase::read::Reader;

/// How a requirement of a node is fulfilled.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "requirement assignment", spec = "8.5")]
#[non_exhaustive]
pub struct RequirementAssignment {
    /// The description of the requirement.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The target node: a node template, or the type of a node that is found by the processor.
    #[field(short(scalar, list), lookup(NODE_TEMPLATES, NODE_TYPES))]
    pub node: TargetNode,
    /// The target capability: its name, or a capability type.
    #[field(lookup(CAPABILITY_TYPES, optional))]
    pub capability: Option<Reference<()>>,
    /// The type of the relationship with its assignments, or the name of a relationship template.
    pub relationship: Child<RelationshipAssignment>,
    /// The amounts of the capability's properties that the relationship allocates.
    #[field(since = V2_0, value)]
    pub allocation: Values,
    /// The number of relationships.
    #[field(since = V2_0, default = "1", value)]
    pub count: Option<Value>,
    /// The condition that the target node must fulfill.
    #[field(read_as(NodeFilter, until = V1_3), value(since = V2_0), argument = CONDITION)]
    pub node_filter: Option<Value>,
    /// Whether the node may be in this service, in another, or in either.
    #[field(since = V2_0)]
    pub directives: ScopeDirectives,
    /// Whether the relationship may be missing.
    #[field(since = V2_0, default = "false")]
    pub optional: Option<Located<bool>>,
    /// The possible number of relationships.
    #[field(since = V1_3, until = V1_3)]
    pub occurrences: Option<Box<Located<CountRange>>>,
}

/// The target node of a requirement: a name, or since 2.0 a list of a name and an index.
#[derive(Clone, Copy, Debug, Default)]
pub struct TargetNode {
    /// The name of a node template or node type.
    pub reference: Option<Reference<()>>,
    /// The index among the nodes that are created from the template.
    pub index: Option<NodeRef>,
}

/// The lookup of the short form, which names a node template (2.0, 8.5). Node types are accepted.
static SHORT: Lookup = Lookup { accepted: &[NODE_TYPES], ..Lookup::of(&[NODE_TEMPLATES]) };

impl Shaped for TargetNode {
    const SHAPE: Shape = Shape::Reference;
    const ALSO: Option<Form> = Some(Form::List(&Form::Any));
}

impl Field for TargetNode {
    fn is_set(&self) -> bool {
        self.reference.is_some()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        let is_misfit = |requirement: &LocalId| {
            let is_short = reader.header(*requirement).is_some_and(|header| header.node == node.id());
            is_short && node.kind() != Kind::String
        };
        if let Some(requirement) = reader.owner().filter(is_misfit)
            && let Some(slip) = reader.slip(requirement)
        {
            reader.wrong_kind(node, "a requirement assignment", "a map, or a name").help(slip);
            return;
        }
        let is_list = node.kind() == Kind::List;
        // A function without arguments may be a string.
        let is_text = |item: &Node<'_>| item.kind() == Kind::String && !item.text().starts_with('$');
        let is_name =
            |item: Option<Node<'_>>| item.filter(is_text).is_some_and(|item| item.text().parse::<u64>().is_err());
        if is_list && (reader.version() < V2_0 || node.len() != 2 || is_name(node.items().nth(1))) {
            several(reader, node);
            return;
        }
        if !is_list {
            let owner = reader.owner().and_then(|owner| reader.header(owner));
            let is_short = owner.is_some_and(|owner| owner.node == node.id());
            self.reference =
                reader.reference_in(node, field, if is_short { Some(&SHORT) } else { field.lookup.as_ref() });
            return;
        }
        let mut items = node.items();
        if let (Some(name), Some(index)) = (items.next(), items.next()) {
            self.reference = reader.reference(name, field);
            self.index = Some(reader.position(index));
        }
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            *self = *other;
        }
    }

    fn visit_references(&self, visit: &mut dyn FnMut(Reference<()>)) {
        self.reference.iter().for_each(|reference| visit(*reference));
    }
}

/// Reports a list where the name of one node is expected.
fn several(reader: &mut Reader<'_>, node: Node<'_>) {
    let owner = reader.owner().and_then(|owner| reader.header(owner));
    let is_short = owner.is_some_and(|owner| owner.node == node.id());
    let name = owner.map_or("node", |owner| reader.interner().text(owner.name));
    let what = if is_short { format!("the node of requirement `{name}`") } else { "`node`".to_owned() };
    let keyname = if is_short { name } else { "node" };
    let items: Vec<&str> = node.items().filter(|item| item.kind() == Kind::String).map(Node::text).collect();
    let help = match items[..] {
        [] => "give the name of a node template".to_owned(),
        [item] => format!("write `{keyname}: {item}`"),
        _ => format!("write an entry for each node: `- {name}: {}`", items.join(&format!("` and `- {name}: "))),
    };
    let edit = match items[..] {
        [item] if node.len() == 1 => Layout::around(node).map(|layout| {
            let span = node.span();
            Edit { safety: Safety::Safe, ..layout.replace(span.start, span.end, item) }
        }),
        _ => None,
    };
    let is_block = node.style() != Style::Flow;
    let is_indexed = reader.version() >= V2_0;
    let expected = if is_indexed { "a name, or a list of a name and an index" } else { "a name (a string)" };
    let problem = reader.wrong_kind(node, &what, expected).help(help);
    edit.into_iter().filter(|_| !is_block).fold(problem, DiagnosticBuilder::edit);
}
