//! Construction of a model.
//!
//! Most parts of a node are the same for all nodes of its type. So a *kind* is built once per type: a node without a
//! template, whose properties, capabilities and so on are shared by all nodes that don't assign them. A node is a copy
//! of the kind with the assignments of its template. Nodes do not depend on each other, so the nodes of a model are
//! built in parallel.

mod builder;
mod built_in;
mod clause;
mod interface;
mod kind;
mod merge;
mod node;
mod process;
mod property;
mod requirement;
mod shared;
mod substitution;
mod types;
mod value;

use std::sync::Arc;

use rayon::prelude::*;

pub(super) use self::builder::Builder;
use self::builder::MAX_SEQUENTIAL;
use super::{DataType, Function, Map, Name, Node, Options, OverlayMap, Property, Service, Types, VERSION, Value};
use crate::entity::{Entity, Id, Reference, Text};
use crate::grammar::Metadata;
use crate::grammar::template::NodeTemplate;
use crate::phase::Program;
use crate::phase::inheritance::Complete;
use crate::symbol::Symbol;

/// The number of nodes that are built in parallel before they are added to the model, so that a large model is not in
/// memory twice.
const PARALLEL: usize = 4096;

/// The functions and data types that the rest of a model mentions.
pub(super) struct Mentioned {
    pub(super) functions: Vec<Function>,
    pub(super) data_types: Vec<DataType>,
}

impl Service {
    /// Builds the complete and self-contained model of the service that the entry of a program describes. Returns
    /// `None` if the entry has no service template, as in a profile.
    ///
    /// An invalid service has a model too, with invalid parts unchanged or missing; see
    /// [`Outcome::is_valid`](crate::Outcome::is_valid).
    pub fn of(program: &Program<Complete>) -> Option<Self> {
        Self::with(program, Options::default())
    }

    /// Builds a model like [`of`](Self::of), with options.
    pub fn with(program: &Program<Complete>, options: Options<'_>) -> Option<Self> {
        Some(Builder::new(program, options)?.service())
    }

    /// Builds a model like [`with`](Self::with), but without the nodes, for callers that only need the rest, such as the
    /// inputs.
    pub fn without_nodes(program: &Program<Complete>, options: Options<'_>) -> Option<Self> {
        let builder = Builder::new(program, options)?;
        let service = builder.frame();
        let Mentioned { functions, data_types } = builder.mentioned();
        Some(Self { functions, data_types, ..service })
    }
}

impl Builder<'_> {
    /// Returns the whole model.
    pub(super) fn service(&self) -> Service {
        let mut service = self.frame();
        service.nodes = if self.node_count() <= MAX_SEQUENTIAL {
            self.nodes().collect()
        } else {
            let templates: Vec<_> = self.template.node_templates.iter().enumerate().collect();
            let mut nodes = Map::with_capacity(templates.len());
            for templates in templates.chunks(PARALLEL) {
                let built: Vec<_> = templates.par_iter().map(|template| self.named_node(*template)).collect();
                nodes.extend(built);
            }
            nodes
        };
        Mentioned { functions: service.functions, data_types: service.data_types } = self.mentioned();
        service
    }

    /// Returns the number of nodes.
    pub(super) fn node_count(&self) -> usize {
        self.template.node_templates.len()
    }

    /// Returns the nodes with their names, in order. Each is built when the iterator reaches it.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (Name, Node)> {
        self.template.node_templates.iter().enumerate().map(|template| self.named_node(template))
    }

    fn named_node(&self, (number, (name, id)): (usize, (Symbol, Id<NodeTemplate>))) -> (Name, Node) {
        (self.name(name), self.node(id, self.share(number)))
    }

    /// Returns the model without nodes, and without the functions and data types that nodes may mention.
    pub(super) fn frame(&self) -> Service {
        let Self { file, template, .. } = self;
        let unit = &self.context.program.list[0];
        let mut metadata = self.metadata(file.metadata);
        metadata.extend(self.metadata(template.metadata));
        let relationships = self.node_count();
        let groups = relationships + template.relationship_templates.len();
        let policies = groups + template.groups.len();
        Service {
            model: VERSION,
            language: unit.language.version_title(unit.version).into(),
            file: self.files[0].clone(),
            description: self.text(template.description.or(file.description)),
            metadata,
            inputs: self.inputs(),
            outputs: self.outputs(&template.outputs),
            nodes: Map::new(),
            relationships: self.shared_out(&template.relationship_templates, relationships, |id, share| {
                Arc::new(self.relationship_template(id, share))
            }),
            groups: self.shared_out(&template.groups, groups, |id, share| self.group(id, share)),
            policies: self.shared_out(&template.policies, policies, |id, share| self.policy(id, share)),
            workflows: self.named(&template.workflows, |id| self.workflow(id)),
            substitution: template.substitution_mappings.and_then(|id| self.substitution(id)),
            functions: Vec::new(),
            data_types: Vec::new(),
        }
    }

    /// Returns the inputs of the service, with the values given to the parser.
    fn inputs(&self) -> OverlayMap<Property> {
        let mut inputs = self.definitions(&self.template.inputs);
        for (name, id) in self.template.inputs.iter() {
            let given = self.context.program.given_input(self.context.text(name));
            let Some((_, value)) = given else { continue };
            if let Some(input) = inputs.get_mut(self.context.text(name)) {
                let schema = input.schema.clone();
                *input = Arc::new(self.assigned(value, self.expected(id).as_ref(), schema));
            }
        }
        inputs
    }

    /// Returns metadata, which is data without types and without calls.
    fn metadata(&self, metadata: Metadata) -> Map<Value> {
        let Some(node) = self.data(metadata.position) else { return Map::new() };
        let entries = node.entries().filter(|entry| !entry.duplicate);
        entries.map(|entry| (entry.key.label().into(), value::literal(entry.value))).collect()
    }

    /// Replaces the description and metadata with those of an assignment, if the assignment has any.
    fn say(&self, description: &mut Option<Name>, metadata: &mut Map<Value>, own: (Option<Text>, Metadata)) {
        if own.0.is_some() {
            *description = self.text(own.0);
        }
        if own.1.position.is_some() {
            *metadata = self.metadata(own.1);
        }
    }

    /// Returns the referenced type and its ancestors.
    fn types_of<T: Entity>(&self, reference: Option<Reference<T>>) -> Types {
        self.context.target_of(reference).map_or_else(Types::default, |id| self.types(id.any()))
    }
}
