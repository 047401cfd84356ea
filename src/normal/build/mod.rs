//! Building of a model.
//!
//! Most parts of a node are the same for all nodes of its type. So a *kind* is built once per type: a node without a
//! template, whose properties, capabilities and so on are shared by all nodes that don't assign them. A node is a copy
//! of the kind with the assignments of its template. Nodes do not depend on each other, so the nodes of a whole model
//! are built in parallel.

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

use dashmap::DashSet;
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{
    DataType, Function, Group, Map, Name, Node, Options, Parts, Policy, Property, Relationship, Service, Source, Types,
    Units, VERSION, Value,
};
use crate::ard::Node as Data;
use crate::check::{first_bare, first_bare_data_type};
use crate::diagnostic::{SourceId, Span};
use crate::entity::{AnyId, Entity, Id, Position, Reference, References, Text};
use crate::grammar::File;
use crate::grammar::Metadata;
use crate::grammar::definition::RelationshipDefinition;
use crate::grammar::template::{NodeTemplate, ServiceTemplate};
use crate::grammar::types::{ArtifactType, DataType as TypeOfData, GroupType, NodeType, PolicyType, RelationshipType};
use crate::grammar::version::V2_0;
use crate::phase::inheritance::Complete;
use crate::phase::{Context, Program};
use crate::symbol::Symbol;
use kind::NodeKind;
use shared::Shared;
use value::{Expected, most_filled};

/// Up to this number of nodes, building them takes less time than starting threads.
const FEW: usize = 16;

/// A relationship type, and the requirement definition that refines it, if any.
type OfRelationship = (Id<RelationshipType>, Option<Id<RelationshipDefinition>>);

/// The part of its type that a template gets in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Share {
    /// Everything.
    All,
    /// Nothing, because the size limit is exceeded: only assignments are shown.
    Nothing,
}

/// The functions and data types that the rest of a model mentions.
pub(super) struct Mentioned {
    pub(super) functions: Vec<Function>,
    pub(super) data_types: Vec<DataType>,
}

/// Artifact types by file extension.
type Extensions = FxHashMap<Name, Option<Id<ArtifactType>>>;

/// Builds the model of one program.
pub(super) struct Builder<'a> {
    context: Context<'a>,
    options: Options<'a>,
    file: &'a File,
    template: &'a ServiceTemplate,
    /// The index of the first template beyond the size limit.
    first_bare: Option<usize>,
    /// The first data type beyond the size limit.
    first_bare_data_type: Option<AnyId>,
    /// The names of the units' files.
    files: Vec<Name>,
    /// The qualifiers of the type and function names of each unit.
    origins: Vec<Option<Name>>,
    types: Shared<AnyId, Types>,
    kinds: Shared<Id<NodeType>, Arc<NodeKind>>,
    definitions: Shared<AnyId, Arc<Property>>,
    relationships: Shared<OfRelationship, Arc<Relationship>>,
    groups: Shared<Id<GroupType>, Arc<Group>>,
    policies: Shared<Id<PolicyType>, Arc<Policy>>,
    units: Shared<Id<TypeOfData>, Option<Arc<Units>>>,
    /// The artifact types that are visible in each unit, by file extension; `None` where there are several.
    extensions: Shared<SourceId, Arc<Extensions>>,
    /// The types that definitions expect of values.
    expected: Shared<AnyId, Option<Expected<'a>>>,
    /// The functions that have been called, and the data types that schemas have named.
    functions: DashSet<AnyId, FxBuildHasher>,
    data_types: DashSet<AnyId, FxBuildHasher>,
    /// The maximum number of defaults that are added to a value.
    most_filled: usize,
}

/// Returns the profile that each unit belongs to: its own, or that of a file that imports it directly or indirectly
/// (2.0, 6.7.1). If there are several, the first one found along the imports.
fn profiles(program: &Program<Complete>) -> Vec<Option<Name>> {
    let own = |unit: &Arc<crate::phase::Unit>| {
        let root = unit.root.and_then(AnyId::cast::<File>).and_then(|id| program.get(id));
        root.and_then(|file| program.node(file.profile?.0)).map(|profile| Name::from(profile.text()))
    };
    let mut profiles: Vec<Option<Name>> = program.list.iter().map(own).collect();
    // Before 2.0, a namespace covers one file only.
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
    /// Creates a builder; `None` if the program describes no service.
    pub(super) fn new(program: &'a Program<Complete>, options: Options<'a>) -> Option<Self> {
        let context = Context::new(program, 0);
        let file = context.get(program.list.first()?.root.and_then(AnyId::cast::<File>)?)?;
        let id = file.service_template.0?;
        let template = context.get(id)?;
        let files: Vec<Name> = program.list.iter().map(|unit| unit.source.name().into()).collect();
        let profiles = profiles(program);
        let named = program.list.iter().zip(&files).zip(profiles);
        let origins = named
            .map(|((unit, file), profile)| unit.implicit.is_none().then(|| profile.unwrap_or_else(|| file.clone())))
            .collect();
        Some(Self {
            options,
            file,
            template,
            first_bare: first_bare(&context, id),
            first_bare_data_type: first_bare_data_type(&context),
            files,
            origins,
            types: Shared::default(),
            kinds: Shared::default(),
            definitions: Shared::default(),
            relationships: Shared::default(),
            groups: Shared::default(),
            policies: Shared::default(),
            units: Shared::default(),
            extensions: Shared::default(),
            expected: Shared::default(),
            functions: DashSet::default(),
            data_types: DashSet::default(),
            most_filled: most_filled(template.node_templates.len()),
            context,
        })
    }

    /// Returns the whole model.
    pub(super) fn service(&self) -> Service {
        let mut service = self.frame();
        service.nodes = if self.node_count() <= FEW {
            self.nodes().collect()
        } else {
            let templates: Vec<_> = self.template.node_templates.iter().enumerate().collect();
            let nodes: Vec<_> = templates.into_par_iter().map(|template| self.named_node(template)).collect();
            nodes.into_iter().collect()
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
            substitution: template.substitution_mappings.0.and_then(|id| self.substitution(id)),
            functions: Vec::new(),
            data_types: Vec::new(),
        }
    }

    /// Returns the part of its type that the template with an index gets.
    fn share(&self, number: usize) -> Share {
        if self.first_bare.is_some_and(|first| number >= first) { Share::Nothing } else { Share::All }
    }

    /// Builds named templates, the first of which has the index `first`.
    fn shared_out<E: Entity, T, M: FromIterator<(Name, T)>>(
        &self,
        templates: &crate::entity::Members<E>,
        first: usize,
        make: impl Fn(Id<E>, Share) -> T,
    ) -> M {
        let templates = templates.iter().enumerate();
        templates.map(|(at, (name, id))| (self.name(name), make(id, self.share(first + at)))).collect()
    }

    /// Returns a template or type, without copied and inherited parts if it is beyond the size limit.
    fn template<E: Entity>(&self, id: Id<E>, share: Share) -> Option<&'a E> {
        if share == Share::Nothing { self.context.program.raw_as(id) } else { self.get(id) }
    }

    /// Returns the types of a template; only the first one if it is beyond the size limit.
    fn types_for(&self, id: AnyId, share: Share) -> Types {
        if share == Share::Nothing { std::iter::once(self.type_name(id)).collect() } else { self.types(id) }
    }

    /// Returns the functions and data types that the rest of the model mentions.
    pub(super) fn mentioned(&self) -> Mentioned {
        // The signatures of called functions name data types, and data types call functions.
        loop {
            let known = (self.functions.len(), self.data_types.len());
            let mentioned = Mentioned { functions: self.functions_called(), data_types: self.data_types_named() };
            if known == (self.functions.len(), self.data_types.len()) {
                return mentioned;
            }
        }
    }

    /// Returns the inputs of the service, with the values given to the parser.
    fn inputs(&self) -> Parts<Property> {
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

    fn get<E: Entity>(&self, id: Id<E>) -> Option<&'a E> {
        self.context.get(id)
    }

    /// Returns the node at a position.
    fn data(&self, position: Option<Position>) -> Option<Data<'a>> {
        self.context.node(position?)
    }

    fn name(&self, symbol: Symbol) -> Name {
        self.context.text(symbol).into()
    }

    /// Returns the name of an entity.
    fn name_of(&self, id: AnyId) -> Name {
        self.context.program.name(id).into()
    }

    fn text(&self, text: Option<Text>) -> Option<Name> {
        Some(self.data(Some(text?.0))?.text().into())
    }

    fn texts<'t>(&self, texts: impl IntoIterator<Item = &'t Text>) -> Vec<Name> {
        texts.into_iter().filter_map(|text| self.text(Some(*text))).collect()
    }

    /// Metadata: data without types and without calls.
    fn metadata(&self, metadata: Metadata) -> Map<Value> {
        let Some(node) = self.data(metadata.position) else { return Map::new() };
        let entries = node.entries().filter(|entry| !entry.duplicate);
        entries.map(|entry| (entry.key.label().into(), value::literal(entry.value))).collect()
    }

    /// Replaces description and metadata by those that are given.
    fn say(&self, description: &mut Option<Name>, metadata: &mut Map<Value>, own: (Option<Text>, Metadata)) {
        if own.0.is_some() {
            *description = self.text(own.0);
        }
        if own.1.position.is_some() {
            *metadata = self.metadata(own.1);
        }
    }

    /// Builds named entities.
    fn named<E: Entity, T, M: FromIterator<(Name, T)>>(
        &self,
        members: &crate::entity::Members<E>,
        make: impl Fn(Id<E>) -> T,
    ) -> M {
        members.iter().map(|(name, id)| (self.name(name), make(id))).collect()
    }

    /// Returns the names of the referenced entities of type `E`.
    fn targets<E: Entity>(&self, references: &References<()>) -> Vec<Name> {
        let targets = references.items.iter().filter_map(|reference| self.context.any_target(*reference));
        targets.filter_map(AnyId::cast::<E>).map(|id| self.name_of(id.any())).collect()
    }

    /// Returns the file that contains an entity.
    fn file_of(&self, unit: SourceId) -> Name {
        self.context.program.index(unit).map_or_else(Name::default, |unit| self.files[unit].clone())
    }

    /// Returns the position of an entity, if positions are enabled.
    fn source(&self, id: AnyId) -> Option<Source> {
        if !self.options.positions {
            return None;
        }
        self.source_at(self.context.program.name_span(id)?)
    }

    /// Returns the position of a span, if positions are enabled.
    fn source_at(&self, span: Span) -> Option<Source> {
        let unit = self.options.positions.then(|| self.context.program.unit(span.source)).flatten()?;
        let position = unit.source.line_column(span.start);
        Some(Source { file: self.file_of(unit.id), line: position.line, column: position.column })
    }

    /// Returns the referenced type and its ancestors.
    fn types_of<T: Entity>(&self, reference: Option<Reference<T>>) -> Types {
        self.context.target_of(reference).map_or_else(Types::default, |id| self.types(id.any()))
    }
}
