//! The builder of a model, with the parts that it builds only once.

use std::sync::Arc;

use foldhash::HashMap;
use rustc_hash::FxHashMap;

use super::shared::{Mentions, Shared, Threads};
use crate::ard::Node as Data;
use crate::data::{DataKind, Schema};
use crate::diagnostic::{SourceId, Span};
use crate::entity::{AnyId, Entity, Id, Members, NodeRef, Precedence, References, Text};
use crate::grammar::File;
use crate::grammar::definition::{RelationshipDefinition, RequirementDefinition};
use crate::grammar::template::ServiceTemplate;
use crate::grammar::types::{ArtifactType, DataType as TypeOfData, GroupType, NodeType, PolicyType, RelationshipType};
use crate::grammar::version::V2_0;
use crate::member_limit::{MAX_DEFAULT_MEMBERS, first_data_type_over_limit, first_over_limit};
use crate::normal::{
    Group, Name, Node, Options, Policy, Property, Relationship, Requirement, Source, TargetConstraints, Types, Units,
    ValueKind,
};
use crate::phase::inheritance::Complete;
use crate::phase::{Context, Program};
use crate::symbol::Symbol;
use crate::value::Number;

/// The maximum number of members in the defaults that are added to complex values in a model, divided among its nodes and
/// the values with maps. Without this limit, types whose defaults contain values of each other could expand a small file to an
/// endless model. Omitted members are reported at the types (`large-default`).
const MAX_FILLED: usize = 200_000;

/// The maximum number of nodes that are built sequentially, because building them takes less time than starting
/// threads.
pub(super) const MAX_SEQUENTIAL: usize = 16;

/// The minimum and maximum number of these members per value.
const MAX_PER_VALUE: (usize, usize) = (50, MAX_DEFAULT_MEMBERS);

/// A relationship type, and the relationship definition in a requirement that refines it, if any.
pub(super) type OfRelationship = (Id<RelationshipType>, Option<Id<RelationshipDefinition>>);

/// The part of the type that a template gets in the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Share {
    /// Everything.
    #[default]
    All,
    /// Nothing, because the size limit is exceeded: only assignments are shown.
    Nothing,
}

/// The parts that all nodes of a type have in common.
#[derive(Default)]
pub(super) struct NodeKind {
    /// A node without assignments of a template. It has no requirements.
    pub(super) node: Node,
    /// The requirements of the type that nodes have even if the template does not assign them, in order.
    pub(super) requirements: Vec<Symbol>,
    /// The unassigned form of each requirement, by name.
    pub(super) needs: FxHashMap<Symbol, Need>,
}

/// The content of a requirement definition.
pub(super) struct Need {
    /// The definition.
    pub(super) definition: Id<RequirementDefinition>,
    /// The implicit requirement, without constraints on its target.
    pub(super) requirement: Requirement,
    /// The constraints on the target node if no node is named.
    pub(super) asked: Option<TargetConstraints>,
}

/// The expected type of a value.
#[derive(Clone, Copy)]
pub(super) struct Expected<'a> {
    /// The schema from the grammar.
    pub(super) schema: Schema<'a>,
    /// The kind; `None` if the type is unknown.
    pub(super) kind: Option<DataKind>,
}

impl Expected<'_> {
    /// Returns whether the value may contain numbers with units.
    pub(super) fn may_have_scalars(&self) -> bool {
        use DataKind::{Complex, List, Map, Scalar, ScalarUnit};
        self.kind.is_none_or(|kind| matches!(kind, Scalar | ScalarUnit | List | Map | Complex))
    }
}

/// Artifact types by file extension.
pub(super) type Extensions = HashMap<Name, Option<Id<ArtifactType>>>;

/// The builder of the model of one program.
pub(in crate::normal) struct Builder<'a> {
    pub(super) context: Context<'a>,
    pub(super) options: Options<'a>,
    pub(super) file: &'a File,
    pub(super) template: &'a ServiceTemplate,
    /// The index of the first template beyond the size limit.
    pub(super) first_over_limit: Option<usize>,
    /// The first data type beyond the size limit.
    pub(super) first_data_type_over_limit: Option<AnyId>,
    /// The names of the units' files.
    pub(super) files: Vec<Name>,
    /// The qualifiers of the type and function names of each unit.
    pub(super) origins: Vec<Option<Name>>,
    /// The names of entities. The same names occur repeatedly.
    names: Shared<Symbol, Name>,
    pub(super) types: Shared<AnyId, Types>,
    pub(super) kinds: Shared<Id<NodeType>, Arc<NodeKind>>,
    pub(super) definitions: Shared<AnyId, Arc<Property>>,
    pub(super) relationships: Shared<OfRelationship, Arc<Relationship>>,
    pub(super) groups: Shared<Id<GroupType>, Arc<Group>>,
    pub(super) policies: Shared<Id<PolicyType>, Arc<Policy>>,
    pub(super) units: Shared<Id<TypeOfData>, Option<Arc<Units>>>,
    /// The artifact types that are visible in each unit, by file extension; `None` if there are several.
    pub(super) extensions: Shared<SourceId, Arc<Extensions>>,
    /// The types that definitions expect of values.
    pub(super) expected: Shared<AnyId, Option<Expected<'a>>>,
    /// The functions that have been called so far.
    pub(super) functions: Mentions,
    /// The data types that schemas have named so far.
    pub(super) data_types: Mentions,
    /// The maximum number of members in the defaults that are added to a value.
    pub(super) most_filled: usize,
}

/// Returns the profile that each unit belongs to: its own, or the profile of a file that imports the unit directly or
/// indirectly (2.0, 6.7.1). If there are several, the first one found along the imports is used.
fn profiles(program: &Program<Complete>) -> Vec<Option<Name>> {
    let own = |unit: &Arc<crate::phase::Unit>| {
        let root = unit.root.and_then(AnyId::cast::<File>).and_then(|id| program.get(id));
        root.and_then(|file| program.node(file.profile?.0)).map(|profile| Name::from(profile.text()))
    };
    let mut profiles: Vec<Option<Name>> = program.list.iter().map(own).collect();
    // Before 2.0, a namespace only covers one file.
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
    pub(in crate::normal) fn new(program: &'a Program<Complete>, options: Options<'a>) -> Option<Self> {
        let context = Context::new(program, 0);
        let file = context.get(program.list.first()?.root.and_then(AnyId::cast::<File>)?)?;
        let id = file.service_template?;
        let template = context.get(id)?;
        let is_sequential = template.node_templates.len() <= MAX_SEQUENTIAL;
        let threads = if is_sequential { Threads::One } else { Threads::Many };
        Some(Self {
            options,
            first_over_limit: first_over_limit(&context, id),
            first_data_type_over_limit: first_data_type_over_limit(&context),
            most_filled: most_filled(context.program, template.node_templates.len()),
            ..Self::unlimited(context, file, template, threads)
        })
    }

    /// Creates a builder for the same program that has not built anything. The parts that it builds do not depend on
    /// the limits and options of this model.
    pub(super) fn separate(&self) -> Self {
        Self::unlimited(Context::new(self.context.program, 0), self.file, self.template, Threads::One)
    }

    fn unlimited(context: Context<'a>, file: &'a File, template: &'a ServiceTemplate, threads: Threads) -> Self {
        let program = context.program;
        let files: Vec<Name> = program.list.iter().map(|unit| unit.source.name().into()).collect();
        let named = program.list.iter().zip(&files).zip(profiles(program));
        let origins = named
            .map(|((unit, file), profile)| unit.implicit.is_none().then(|| profile.unwrap_or_else(|| file.clone())))
            .collect();
        Self {
            options: Options::default(),
            file,
            template,
            first_over_limit: None,
            first_data_type_over_limit: None,
            files,
            origins,
            names: Shared::new(threads),
            types: Shared::new(threads),
            kinds: Shared::new(threads),
            definitions: Shared::new(threads),
            relationships: Shared::new(threads),
            groups: Shared::new(threads),
            policies: Shared::new(threads),
            units: Shared::new(threads),
            extensions: Shared::new(threads),
            expected: Shared::new(threads),
            functions: Mentions::new(threads),
            data_types: Mentions::new(threads),
            most_filled: MAX_PER_VALUE.0,
            context,
        }
    }

    /// Returns the part of the type that the template at the given index gets.
    pub(super) fn share(&self, number: usize) -> Share {
        if self.first_over_limit.is_some_and(|first| number >= first) { Share::Nothing } else { Share::All }
    }

    /// Builds named templates, the first of which has the index `first`.
    pub(super) fn shared_out<E: Entity, T, M: FromIterator<(Name, T)>>(
        &self,
        templates: &Members<E>,
        first: usize,
        make: impl Fn(Id<E>, Share) -> T,
    ) -> M {
        let templates = templates.iter().enumerate();
        templates.map(|(at, (name, id))| (self.name(name), make(id, self.share(first + at)))).collect()
    }

    /// Returns a template or type, without copied and inherited parts if it is beyond the size limit.
    pub(super) fn template<E: Entity>(&self, id: Id<E>, share: Share) -> Option<&'a E> {
        if share == Share::Nothing { self.context.program.raw_as(id) } else { self.get(id) }
    }

    /// Returns the types of a template; only the first type if the template is beyond the size limit.
    pub(super) fn types_for(&self, id: AnyId, share: Share) -> Types {
        if share == Share::Nothing { std::iter::once(self.type_name(id)).collect() } else { self.types(id) }
    }

    pub(super) fn get<E: Entity>(&self, id: Id<E>) -> Option<&'a E> {
        self.context.get(id)
    }

    /// Returns the YAML node at the given position.
    pub(super) fn data(&self, position: Option<NodeRef>) -> Option<Data<'a>> {
        self.context.node(position?)
    }

    pub(super) fn name(&self, symbol: Symbol) -> Name {
        self.names.get(symbol, || self.context.text(symbol).into())
    }

    /// Returns the name of an entity.
    pub(super) fn name_of(&self, id: AnyId) -> Name {
        self.context.header(id).map(|header| self.name(header.name)).unwrap_or_default()
    }

    pub(super) fn text(&self, text: Option<Text>) -> Option<Name> {
        Some(self.data(Some(text?.0))?.text().into())
    }

    pub(super) fn texts<'t>(&self, texts: impl IntoIterator<Item = &'t Text>) -> Vec<Name> {
        texts.into_iter().filter_map(|text| self.text(Some(*text))).collect()
    }

    /// Builds named entities.
    pub(super) fn named<E: Entity, T, M: FromIterator<(Name, T)>>(
        &self,
        members: &Members<E>,
        make: impl Fn(Id<E>) -> T,
    ) -> M {
        members.iter().map(|(name, id)| (self.name(name), make(id))).collect()
    }

    /// Returns the names of the referenced entities of type `E`.
    pub(super) fn targets<E: Entity>(&self, references: &References<()>) -> Vec<Name> {
        let targets = references.iter().filter_map(|reference| self.context.any_target(*reference));
        targets.filter_map(AnyId::cast::<E>).map(|id| self.name_of(id.any())).collect()
    }

    /// Returns the name of a unit's file.
    pub(super) fn file_of(&self, unit: SourceId) -> Name {
        self.context.program.index(unit).map_or_else(Name::default, |unit| self.files[unit].clone())
    }

    /// Returns the position of an entity, if positions are enabled.
    pub(super) fn source(&self, id: AnyId) -> Option<Source> {
        if !self.options.positions {
            return None;
        }
        self.source_at(self.context.program.name_span(id)?)
    }

    /// Returns the position of a span, if positions are enabled.
    pub(super) fn source_at(&self, span: Span) -> Option<Source> {
        let unit = self.options.positions.then(|| self.context.program.unit(span.source)).flatten()?;
        let position = unit.source.line_column(span.start);
        Some(Source { file: self.file_of(unit.id), line: position.line, column: position.column })
    }
}

/// Returns the maximum number of members in defaults per value in a model with the given number of nodes.
fn most_filled(program: &Program<Complete>, nodes: usize) -> usize {
    let own = program.list.iter().filter(|unit| unit.implicit.is_none());
    let values: usize = own.map(|unit| unit.value_count()).sum();
    (MAX_FILLED / (nodes + values).max(1)).clamp(MAX_PER_VALUE.0, MAX_PER_VALUE.1)
}

/// Returns whether a data type is built into the language.
pub(super) fn is_primitive(builder: &Builder<'_>, id: AnyId) -> bool {
    let program = builder.context.program;
    let is_built_in =
        program.unit(id.unit).is_some_and(|unit| unit.implicit.is_some_and(|kind| kind == Precedence::Reserved));
    is_built_in && program.lineage(id).is_some_and(|lineage| lineage.parents().is_empty())
}

pub(super) fn kind(kind: DataKind) -> ValueKind {
    match kind {
        DataKind::String => ValueKind::String,
        DataKind::Integer => ValueKind::Integer,
        DataKind::Float => ValueKind::Float,
        DataKind::Boolean => ValueKind::Boolean,
        DataKind::Bytes => ValueKind::Bytes,
        DataKind::Nil => ValueKind::Nil,
        DataKind::Timestamp => ValueKind::Timestamp,
        DataKind::Version => ValueKind::Version,
        DataKind::Scalar | DataKind::ScalarUnit => ValueKind::Scalar,
        DataKind::Range => ValueKind::Range,
        DataKind::List => ValueKind::List,
        DataKind::Map => ValueKind::Map,
        DataKind::Complex => ValueKind::Complex,
    }
}

/// Formats a number in decimal notation.
pub(super) fn plain(number: &Number) -> String {
    number.normalized().to_plain_string()
}
