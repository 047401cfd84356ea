//! Making a model.
//!
//! Most of what a node has is the same for all nodes of its type. So each type is made into a *kind* once: a node
//! without a template, whose properties, capabilities and so on are shared by all nodes that say nothing of them. A
//! template then copies the kind and replaces what it assigns. Nodes do not depend on each other and are made in
//! parallel.

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

use dashmap::{DashMap, DashSet};
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::Serialize;

use super::{
    DataType, Function, Group, Map, Name, Options, Parts, Policy, Property, Relationship, Service, Source, Types,
    Units, VERSION, Value,
};
use crate::ard::Node as Data;
use crate::diagnostic::{SourceId, Span};
use crate::entity::{AnyId, Entity, Id, Position, Reference, References, Text};
use crate::grammar::tosca::Metadata;
use crate::grammar::tosca::definition::RelationshipDefinition;
use crate::grammar::tosca::file::File;
use crate::grammar::tosca::template::{NodeTemplate, ServiceTemplate, first_bare, first_bare_data_type};
use crate::grammar::tosca::types::{GroupType, NodeType, PolicyType, RelationshipType};
use crate::grammar::tosca::version::V2_0;
use crate::phase::inheritance::Complete;
use crate::phase::{Context, Program};
use crate::symbol::Symbol;
pub(super) use kind::NodeKind;
use shared::Shared;
use value::{Expected, most_filled};

/// How many nodes are so few that they are made before threads have been started.
pub(super) const FEW: usize = 16;

/// The kinds of nodes by their types.
pub(super) type Kinds = FxHashMap<AnyId, NodeKind>;

/// The type of relationships, and what the definition of a requirement says besides.
type OfRelationship = (Id<RelationshipType>, Option<Id<RelationshipDefinition>>);

/// A node of which nothing is made yet.
pub(super) struct NodeOf {
    name: Symbol,
    id: Id<NodeTemplate>,
    /// What it has of its type.
    share: Share,
}

/// What a template has of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Share {
    /// All of it.
    All,
    /// What the template assigns, and which requirements there are.
    Outline,
    /// What the template assigns: there is no room for more.
    Nothing,
}

/// A model without its nodes, and what they are made of.
pub(super) struct Frame<'a> {
    pub(super) service: Service,
    pub(super) template: &'a ServiceTemplate,
    pub(super) nodes: Vec<NodeOf>,
    pub(super) kinds: Kinds,
}

/// The functions and data types that the rest of a model mentions.
#[derive(Default, Serialize)]
pub(super) struct Mentioned {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) functions: Vec<Function>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) data_types: Vec<DataType>,
}

/// What makes the model of one program.
pub(super) struct Builder<'a> {
    context: Context<'a>,
    options: Options<'a>,
    /// Whether all templates have nothing of their types that is not assigned.
    pub(super) is_outline: bool,
    /// The number of the first template for which there is no room.
    first_bare: Option<usize>,
    /// The first data type for which there is none.
    first_bare_data_type: Option<AnyId>,
    /// The names of the units' files.
    files: Vec<Name>,
    /// What the names of types and functions of each unit are qualified with.
    origins: Vec<Option<Name>>,
    types: DashMap<AnyId, Types, FxBuildHasher>,
    definitions: Shared<AnyId, Property>,
    relationships: Shared<OfRelationship, Relationship>,
    groups: Shared<Id<GroupType>, Group>,
    policies: Shared<Id<PolicyType>, Policy>,
    /// The functions that have been called, and the data types that schemas have named.
    functions: DashSet<AnyId, FxBuildHasher>,
    data_types: DashSet<AnyId, FxBuildHasher>,
    units: DashMap<AnyId, Option<Arc<Units>>, FxBuildHasher>,
    /// What values must be like, by their definitions.
    expected: DashMap<AnyId, Expected<'a>, FxBuildHasher>,
    /// How many members may be added to a value since they have defaults.
    most_filled: usize,
}

/// The profile that each unit belongs to: its own, or that of a file that imports it, or of one that imports that one
/// (2.0, 6.7.1). Where there are several, the first one on the way through imports.
fn profiles(program: &Program<Complete>) -> Vec<Option<Name>> {
    let own = |unit: &Arc<crate::phase::Unit>| {
        let root = unit.root.and_then(AnyId::cast::<File>).and_then(|id| program.get(id));
        root.and_then(|file| program.node(file.profile?.0)).map(|profile| Name::from(profile.text()))
    };
    let mut profiles: Vec<Option<Name>> = program.list.iter().map(own).collect();
    // Before 2.0, a namespace is that of one file.
    let passes_on = |unit: &usize| profiles[*unit].is_some() && program.list[*unit].version >= V2_0;
    let named: Vec<usize> = (0..profiles.len()).filter(passes_on).collect();
    for unit in named {
        let profile = profiles[unit].clone();
        let mut importers = vec![unit];
        while let Some(importer) = importers.pop() {
            for link in &program.links[importer] {
                if profiles[link.unit].is_none() {
                    profiles[link.unit].clone_from(&profile);
                    importers.push(link.unit);
                }
            }
        }
    }
    profiles
}

impl<'a> Builder<'a> {
    pub(super) fn new(program: &'a Program<Complete>, options: Options<'a>) -> Self {
        let files: Vec<Name> = program.list.iter().map(|unit| unit.source.name().into()).collect();
        let profiles = profiles(program);
        let named = program.list.iter().zip(&files).zip(profiles);
        let origins = named
            .map(|((unit, file), profile)| unit.implicit.is_none().then(|| profile.unwrap_or_else(|| file.clone())))
            .collect();
        let mut builder = Self {
            context: Context::new(program, 0),
            options,
            is_outline: false,
            first_bare: None,
            first_bare_data_type: None,
            files,
            origins,
            types: DashMap::default(),
            definitions: Shared::default(),
            relationships: Shared::default(),
            groups: Shared::default(),
            policies: Shared::default(),
            functions: DashSet::default(),
            data_types: DashSet::default(),
            units: DashMap::default(),
            expected: DashMap::default(),
            most_filled: 0,
        };
        builder.most_filled = most_filled(builder.node_count());
        builder
    }

    /// Another one that makes the same, for another thread: who counts references to the same things, or looks into the same
    /// tables, has to take turns with the others. It brings the kinds of which there are as many nodes.
    pub(super) fn twin(&self, kinds: &Kinds, nodes: usize) -> (Self, Kinds) {
        let mut twin = Self::new(self.context.program, self.options);
        twin.is_outline = self.is_outline;
        (twin.first_bare, twin.first_bare_data_type) = (self.first_bare, self.first_bare_data_type);
        let share = if self.is_outline { Share::Outline } else { Share::All };
        let of_many = kinds.iter().filter(|(_, kind)| kind.count >= nodes);
        let kinds =
            of_many.map(|(id, kind)| (*id, NodeKind { count: kind.count, ..twin.kind(kind.id, share) })).collect();
        (twin, kinds)
    }

    /// Takes over what another one has found that the model mentions.
    pub(super) fn note_mentioned(&self, other: &Self) {
        other.functions.iter().for_each(|id| _ = self.functions.insert(*id));
        other.data_types.iter().for_each(|id| _ = self.data_types.insert(*id));
    }

    /// How many nodes the model has.
    pub(super) fn node_count(&self) -> usize {
        let entry = self.context.program.list.first();
        entry.map_or(0, |unit| unit.arenas.count(NodeTemplate::KIND) as usize)
    }

    /// The whole model.
    pub(super) fn service(mut self) -> Option<Service> {
        let Frame { mut service, template, nodes, kinds } = self.frame()?;
        service.nodes = self.nodes(&nodes, &kinds).into_iter().collect();
        Mentioned { functions: service.functions, data_types: service.data_types } = self.mentioned(template);
        Some(service)
    }

    /// The model without nodes, and without what nodes may mention.
    pub(super) fn frame(&mut self) -> Option<Frame<'a>> {
        let program = self.context.program;
        let unit = program.list.first()?;
        let file = self.get(unit.root.and_then(AnyId::cast::<File>)?)?;
        let id = file.service_template.0?;
        let template = self.get(id)?;
        self.first_bare = first_bare(&self.context, id);
        self.first_bare_data_type = first_bare_data_type(&self.context);
        let nodes = self.nodes_of(template);
        let mut metadata = self.metadata(file.metadata);
        metadata.extend(self.metadata(template.metadata));
        let kinds = self.kinds(&nodes);
        let relationships = nodes.len();
        let groups = relationships + template.relationship_templates.len();
        let policies = groups + template.groups.len();
        let service = Service {
            model: VERSION,
            language: unit.language.version_title(unit.version).into(),
            file: self.files[0].clone(),
            description: self.text(template.description.or(file.description)),
            metadata,
            inputs: self.inputs(template),
            outputs: self.outputs(&template.outputs),
            nodes: Map::new(),
            relationships: self.shared_out(&template.relationship_templates, relationships, |id, share| {
                Arc::new(self.relationship_template(id, share))
            }),
            groups: self.shared_out(&template.groups, groups, |id, share| self.group(id, share)),
            policies: self.shared_out(&template.policies, policies, |id, share| self.policy(id, share)),
            workflows: self.named(&template.workflows, |id| self.workflow(id)),
            substitution: template.substitution_mappings.0.and_then(|id| self.substitution(id)),
            functions: Vec::new(),
            data_types: Vec::new(),
        };
        Some(Frame { service, template, nodes, kinds })
    }

    fn nodes_of(&self, template: &ServiceTemplate) -> Vec<NodeOf> {
        let nodes = template.node_templates.iter().enumerate();
        nodes.map(|(number, (name, id))| NodeOf { name, id, share: self.share(number) }).collect()
    }

    /// What the template with a number has of its type.
    fn share(&self, number: usize) -> Share {
        if self.first_bare.is_some_and(|first| number >= first) {
            Share::Nothing
        } else if self.is_outline {
            Share::Outline
        } else {
            Share::All
        }
    }

    /// Templates with names, the first of which has a number, each made into something.
    fn shared_out<E: Entity, T, M: FromIterator<(Name, T)>>(
        &self,
        templates: &crate::entity::Members<E>,
        first: usize,
        make: impl Fn(Id<E>, Share) -> T,
    ) -> M {
        let templates = templates.iter().enumerate();
        templates.map(|(at, (name, id))| (self.name(name), make(id, self.share(first + at)))).collect()
    }

    /// A template or type as far as it is shown: without what it copies or inherits if there is no room for that.
    fn template<E: Entity>(&self, id: Id<E>, share: Share) -> Option<&'a E> {
        if share == Share::Nothing { self.context.program.raw_as(id) } else { self.get(id) }
    }

    /// The types of a template, of which there may be room for the first one only.
    fn types_for(&self, id: AnyId, share: Share) -> Types {
        if share == Share::Nothing { std::iter::once(self.type_name(id)).collect() } else { self.types(id) }
    }

    /// Some of the nodes.
    pub(super) fn nodes(&self, nodes: &[NodeOf], kinds: &Kinds) -> Vec<(Name, super::Node)> {
        let named = |node: &NodeOf| (self.name(node.name), self.node(node, &[kinds]));
        if nodes.len() <= FEW { nodes.iter().map(named).collect() } else { nodes.par_iter().map(named).collect() }
    }

    /// The name of a node.
    pub(super) fn name_of_node(&self, node: &NodeOf) -> &'a str {
        self.context.text(node.name)
    }

    /// The functions and data types that the rest of the model mentions.
    pub(super) fn mentioned(&self, template: &ServiceTemplate) -> Mentioned {
        // Functions that the rest has called name data types in their signatures, and data types call functions.
        loop {
            let known = (self.functions.len(), self.data_types.len());
            let mentioned =
                Mentioned { functions: self.functions_called(template), data_types: self.data_types_named() };
            if known == (self.functions.len(), self.data_types.len()) {
                return mentioned;
            }
        }
    }

    /// The kinds of all nodes of the service.
    fn kinds(&self, nodes: &[NodeOf]) -> Kinds {
        // Nodes for which there is no room come last.
        let with_room = nodes.partition_point(|node| node.share != Share::Nothing);
        let Some(share) = nodes.first().map(|node| node.share) else { return Kinds::default() };
        let counts = self.context.in_shares(&nodes[..with_room], |nodes| {
            let mut counts: FxHashMap<Id<NodeType>, usize> = FxHashMap::default();
            let types = nodes.iter().filter_map(|node| self.context.target_of(self.get(node.id)?.r#type));
            types.for_each(|node_type| *counts.entry(node_type).or_default() += 1);
            counts
        });
        let mut kinds = Kinds::default();
        for (node_type, count) in counts.into_iter().flatten() {
            kinds.entry(node_type.any()).or_insert_with(|| self.kind(node_type, share)).count += count;
        }
        kinds
    }

    /// The inputs of the service, with the values that are given to them.
    fn inputs(&self, template: &ServiceTemplate) -> Parts<Property> {
        let mut inputs = self.definitions(&template.inputs);
        for (name, id) in template.inputs.iter() {
            let given = self.context.program.given_input(self.context.text(name));
            let Some((_, value)) = given else { continue };
            if let Some(input) = inputs.get_mut(self.context.text(name)) {
                let schema = input.schema.clone();
                *input = Arc::new(self.assigned(value, self.expected(id).as_ref(), schema));
            }
        }
        inputs
    }

    fn get<E: Entity>(&self, id: Id<E>) -> Option<&'a E> {
        self.context.get(id)
    }

    /// The data at a position.
    fn data(&self, position: Option<Position>) -> Option<Data<'a>> {
        self.context.node(position?)
    }

    fn name(&self, symbol: Symbol) -> Name {
        self.context.text(symbol).into()
    }

    /// The name of an entity.
    fn name_of(&self, id: AnyId) -> Name {
        self.context.program.name(id).into()
    }

    fn text(&self, text: Option<Text>) -> Option<Name> {
        Some(self.data(Some(text?.0))?.text().into())
    }

    fn texts<'t>(&self, texts: impl IntoIterator<Item = &'t Text>) -> Vec<Name> {
        texts.into_iter().filter_map(|text| self.text(Some(*text))).collect()
    }

    /// Data that nothing is known of, and in which nothing is a call.
    fn metadata(&self, metadata: Metadata) -> Map<Value> {
        let Some(node) = self.data(metadata.position) else { return Map::new() };
        let entries = node.entries().filter(|entry| !entry.duplicate);
        entries.map(|entry| (entry.key.label().into(), value::literal(entry.value))).collect()
    }

    /// Replaces what is said of a thing, as far as something is.
    fn say(&self, description: &mut Option<Name>, metadata: &mut Map<Value>, own: (Option<Text>, Metadata)) {
        if own.0.is_some() {
            *description = self.text(own.0);
        }
        if own.1.position.is_some() {
            *metadata = self.metadata(own.1);
        }
    }

    /// Entities with names, each made into something.
    fn named<E: Entity, T, M: FromIterator<(Name, T)>>(
        &self,
        members: &crate::entity::Members<E>,
        make: impl Fn(Id<E>) -> T,
    ) -> M {
        members.iter().map(|(name, id)| (self.name(name), make(id))).collect()
    }

    /// The names of what references stand for, if it is of type `E`.
    fn targets<E: Entity>(&self, references: &References<()>) -> Vec<Name> {
        let targets = references.items.iter().filter_map(|reference| self.context.any_target(*reference));
        targets.filter_map(AnyId::cast::<E>).map(|id| self.name_of(id.any())).collect()
    }

    /// The file in which an entity is written.
    fn file_of(&self, unit: SourceId) -> Name {
        self.context.program.index(unit).map_or_else(Name::default, |unit| self.files[unit].clone())
    }

    /// Where an entity is written, if that is wanted.
    fn source(&self, id: AnyId) -> Option<Source> {
        if !self.options.positions {
            return None;
        }
        self.source_at(self.context.program.name_span(id)?)
    }

    /// A place, if places are wanted.
    fn source_at(&self, span: Span) -> Option<Source> {
        let unit = self.options.positions.then(|| self.context.program.unit(span.source)).flatten()?;
        let position = unit.source.line_column(span.start);
        Some(Source { file: self.file_of(unit.id), line: position.line, column: position.column })
    }

    /// What a reference stands for, as a type and what that is derived from.
    fn types_of<T: Entity>(&self, reference: Option<Reference<T>>) -> Types {
        self.context.target_of(reference).map_or_else(Types::default, |id| self.types(id.any()))
    }
}
