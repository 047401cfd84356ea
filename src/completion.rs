//! Completions of values, for editors.
//!
//! Keynames, names and enum values are known from their descriptions; this module adds the rest: versions, functions
//! and their paths, the values that a definition allows, and suitable targets for requirements.

mod attribute_mapping;
mod constraint;
mod custom_function;
mod mapping;
mod member_note;
mod members;
mod operation_output;
mod path;
mod schema;
mod workflow;

use indexmap::IndexMap;

use crate::ard::{Dialect, Kind, Node, write_scalar};
use crate::data::DataKind::Boolean;
use crate::data::{FUNCTIONS, Function, Parameter, Schema, lists_values};
use crate::entity::{
    AnyId, CandidateFilter, Clauses, CompletionProposal, CompletionRequest, CompletionResponse, Entity,
    FieldDescription, FieldKey, Id, ProposalKind, Shape, ValueType,
};
use crate::field_key;
use crate::grammar::definition::RequirementDefinition;
use crate::grammar::section::{NODE_TEMPLATES, NODE_TYPES};
use crate::grammar::template::{NodeTemplate, RequirementAssignment, SubstitutionMapping};
use crate::grammar::types::NodeType;
use crate::grammar::version;
use crate::grammar::version::V2_0;
use crate::grammar::{File, Import};
use crate::phase::inheritance::Complete;
use crate::phase::namespace::ReferenceResolver as _;
use crate::phase::{Context, Program};
use crate::position_context::{EnclosingValue, PositionPart};
pub(super) use member_note::describe_member;
use members::{named, type_of};
use schema::schema;

const VERSION: FieldKey = field_key!(File.tosca_definitions_version);
const IMPORT_PROFILE: FieldKey = field_key!(Import.profile);
const REQUIREMENT_NODE: FieldKey = field_key!(RequirementAssignment.node);
const REQUIREMENT_CAPABILITY: FieldKey = field_key!(RequirementAssignment.capability);
const DEFINITION_NODE: FieldKey = field_key!(RequirementDefinition.node);
const DEFINITION_CAPABILITY: FieldKey = field_key!(RequirementDefinition.capability);

/// Returns the possible values at the position of a request.
pub(super) fn complete_value(request: &CompletionRequest<'_>) -> CompletionResponse {
    let mut response = CompletionResponse::default();
    let enclosing = request.position.innermost();
    let (field, path, key) = match &request.position.part {
        PositionPart::Value { field, path, key, .. } => (*field, &path[..], *key),
        // A value in place of an entity.
        PositionPart::Keyname { .. } => {
            match enclosing.entity.find(|field| field.short.scalar && field.exists_in(request.version)) {
                Some((_, field)) => (field, &[][..], None),
                None => return response,
            }
        }
        PositionPart::Name { field, .. } => {
            let word = request.position.node().map(Node::text);
            mapping::names(request, FieldKey::of(enclosing.entity, field), word, &mut response);
            return response;
        }
    };
    let word = path.last().map(|step| step.node.text()).filter(|word| !word.is_empty());
    match FieldKey::of(enclosing.entity, field) {
        VERSION => {
            let title = |word: &str| version::VERSIONS.get(usize::from(version::of_word(word)?.0)).map(|of| of.title);
            let proposal = |word: &'static str| {
                let docs = title(word).unwrap_or_default().to_owned();
                CompletionProposal { docs, ..CompletionProposal::new(word, ProposalKind::Value) }
            };
            response.proposals = version::words().map(proposal).collect();
        }
        IMPORT_PROFILE => response.profiles = true,
        REQUIREMENT_NODE => response.fits = request.definitions.last().copied().flatten().and_then(fitting),
        REQUIREMENT_CAPABILITY => name_capability(request, REQUIREMENT_NODE, word, &mut response),
        DEFINITION_CAPABILITY => name_capability(request, DEFINITION_NODE, word, &mut response),
        field => {
            workflow::complete(request, field, word, &mut response);
            workflow::inputs(request, field, path, key, &mut response);
            mapping::complete(request, field, path, &mut response);
            attribute_mapping::complete(request, field, path, key.is_some(), &mut response);
            constraint::complete(request, field, path, &mut response);
        }
    }
    if response.is_exclusive {
    } else if let Some(call) = Call::around(request, path, key) {
        response.proposals = call.arguments(request);
        response.target = path.last().and_then(|step| call.target(request, step.node.text()));
    } else if key.is_none() && operation_output::complete(request, path, &mut response).is_some() {
    } else if request.value.is_some() && holds_value(field) {
        let context = Context::new(request.program, 0);
        // In a map of names, the first step is the map itself, and the next step is the value of the name.
        let start = if matches!(field.shape, Shape::Values) { 2 } else { 1 };
        let whole = request.value.and_then(|id| schema(&context, id)).filter(|_| key.is_none() || path.len() >= start);
        if let Some(schema) = whole {
            let inner = inner(&context, schema, path.get(start..).unwrap_or_default());
            let data_type = || context.get(inner?.data_type?);
            response.target = key.zip(data_type()).and_then(|(key, data_type)| {
                let mut members = data_type.properties.iter().map(|(name, id)| (context.text(name), id));
                members.find(|(name, _)| *name == key.text()).map(|(_, id)| id.any())
            });
            // The type of a list is not complete without the schema of its entries.
            response.value_type = match inner.filter(|schema| schema.entry_schema.is_none()) {
                Some(schema) => schema.data_type.map_or(ValueType::Unknown, |id| ValueType::Declared(id.any())),
                None => ValueType::Undeclared,
            };
            let proposals = inner.map(|schema| values(&context, request, schema, path, key.is_some()));
            response.proposals.extend(proposals.into_iter().flatten());
        }
    }
    if let Some(key) = key {
        // The keys of a map of names are not calls.
        let is_name = matches!(field.shape, Shape::Values) && path.len() < 2;
        let function = || custom_function::called(request, path.last()?.node, key);
        response.target = response.target.or_else(|| if is_name { None } else { function() });
    }
    response
}

/// Returns whether a template must assign the required members of its type: a selected node has its own values, and a
/// substitution mapping assigns nothing.
pub(super) fn must_assign(program: &Program<Complete>, id: AnyId) -> bool {
    let template = id.cast::<NodeTemplate>().and_then(|id| program.get(id));
    id.kind != SubstitutionMapping::KIND && !template.is_some_and(|template| template.directives.only_selects())
}

/// Returns whether a field contains values with definitions.
fn holds_value(field: &FieldDescription) -> bool {
    matches!(field.shape, Shape::Value | Shape::Values) && field.value.is_some()
}

/// Returns the schema of a value inside a larger one.
fn inner<'a>(context: &Context<'a>, whole: Schema<'a>, path: &[EnclosingValue<'_>]) -> Option<Schema<'a>> {
    path.iter().try_fold(whole, |schema, step| match step.key {
        Some(key) => schema.member(context, key.text()).or_else(|| schema.entries(context)),
        None => schema.entries(context),
    })
}

/// Returns the possible values: enum values, and names of members.
fn values(
    context: &Context<'_>,
    request: &CompletionRequest<'_>,
    schema: Schema<'_>,
    path: &[EnclosingValue<'_>],
    is_key: bool,
) -> Vec<CompletionProposal> {
    let data_type = schema.data_type.and_then(|id| context.get(id));
    if is_key {
        let given = path.last().map(|step| step.node);
        let own = request.position.node().map(Node::id);
        let is_given =
            |name: &str| given.and_then(|map| map.find(name)).is_some_and(|entry| Some(entry.key.id()) != own);
        let members = data_type.into_iter().flat_map(|data_type| data_type.properties.iter());
        let names = members.map(|(name, id)| (context.text(name), id)).filter(|(name, _)| !is_given(name));
        return names
            .map(|(name, id)| {
                let of_type = schema_of_member(context, id.any());
                CompletionProposal {
                    text: Some(format!("{}: ", write_scalar(name, dialect(request)))),
                    ..CompletionProposal::new(name, ProposalKind::Name).detail(of_type)
                }
            })
            .collect();
    }
    let mut values: IndexMap<String, Kind> = IndexMap::new();
    if schema.kind(context) == Some(Boolean) {
        values.extend(["true", "false"].map(|word| (word.to_owned(), Kind::Boolean)));
    }
    let clauses = [schema.validation, data_type.map(|data_type| &data_type.validation)];
    for (value, kind) in clauses.into_iter().flatten().flat_map(|clauses| valid_values(context, clauses)) {
        values.entry(value).or_insert(kind);
    }
    let dialect = dialect(request);
    let proposals = values.into_iter().map(|(value, kind)| {
        let text = (kind == Kind::String).then(|| write_scalar(&value, dialect).into_owned());
        CompletionProposal { text, ..CompletionProposal::new(value, ProposalKind::Value) }
    });
    proposals.collect()
}

fn dialect(request: &CompletionRequest<'_>) -> Dialect {
    request.program.unit(request.unit).map_or(Dialect::CORE, |unit| unit.language.yaml)
}

fn schema_of_member(context: &Context<'_>, id: AnyId) -> String {
    schema(context, id).and_then(|schema| schema.phrase(context)).unwrap_or_default()
}

/// Returns the values that clauses list, with their kinds.
fn valid_values(context: &Context<'_>, clauses: &Clauses) -> Vec<(String, Kind)> {
    let nodes = clauses.iter().filter_map(|clause| context.node(clause.0));
    let maps = nodes.flat_map(|node| if node.kind() == Kind::List { node.items().collect() } else { vec![node] });
    let lists = maps.flat_map(Node::entries).filter(|entry| lists_values(entry.key.text().trim_start_matches('$')));
    let mut values = Vec::new();
    for entry in lists {
        // Since 2.0, the first argument is the validated value.
        let list = entry.value.items().find(|item| item.kind() == Kind::List).unwrap_or(entry.value);
        let scalars = list.items().filter(|item| !matches!(item.kind(), Kind::Map | Kind::List));
        let values_of = scalars.filter(|item| !item.text().starts_with('$'));
        values.extend(values_of.map(|item| (item.text().to_owned(), item.kind())));
    }
    values
}

/// A function call around a position.
struct Call<'a> {
    function: &'static Function,
    /// The index of the argument.
    argument: usize,
    /// The arguments.
    given: Vec<Node<'a>>,
}

impl<'a> Call<'a> {
    fn around(request: &CompletionRequest<'_>, path: &[EnclosingValue<'a>], key: Option<Node<'a>>) -> Option<Self> {
        if key.is_some() {
            return None;
        }
        let number = path.iter().rposition(|step| step.key.is_some())?;
        let step = path[number];
        let name = step.key?.text();
        let name = if request.version >= V2_0 { name.strip_prefix('$')? } else { name };
        let function = FUNCTIONS.iter().find(|function| function.name == name)?;
        // A key with the name of a function may be a property: a call is the only entry of its map.
        path.get(number.checked_sub(1)?).filter(|map| map.node.len() == 1)?;
        let argument = path.get(number + 1).and_then(|step| step.index);
        let argument = argument.unwrap_or(if step.node.kind() == Kind::List { step.node.len() } else { 0 });
        Some(Self { function, argument, given: step.node.items().collect() })
    }

    fn arguments(&self, request: &CompletionRequest<'_>) -> Vec<CompletionProposal> {
        if self.argument > 0 {
            let steps = self.steps(request);
            let names = steps.names.into_iter().map(|(name, _)| CompletionProposal::new(name, ProposalKind::Name));
            let keywords = steps.keywords.into_iter();
            return names.chain(keywords.map(|word| CompletionProposal::new(word, ProposalKind::Value))).collect();
        }
        if self.function.parameter(0) != Parameter::Start {
            return Vec::new();
        }
        let words = path::starts(request);
        words.iter().map(|word| CompletionProposal::new(*word, ProposalKind::Value)).collect()
    }

    /// Returns the entity that a word in the arguments names.
    fn target(&self, request: &CompletionRequest<'_>, word: &str) -> Option<AnyId> {
        let mut members = if self.argument > 0 { self.steps(request).names } else { return None }.into_iter();
        members.find(|(name, _)| *name == word).map(|(_, id)| id)
    }

    /// Returns the steps that an argument can be.
    fn steps<'p>(&self, request: &CompletionRequest<'p>) -> path::Steps<'p> {
        match self.function.parameter(1) {
            member @ (Parameter::Property | Parameter::Attribute | Parameter::Artifact) => {
                path::next(request, &self.given[..self.argument.min(self.given.len())], member)
            }
            _ => path::Steps::default(),
        }
    }
}

/// Returns a function that checks whether nodes can fulfill a requirement, judging by their types.
fn fitting(definition: AnyId) -> Option<Box<CandidateFilter>> {
    let id: Id<RequirementDefinition> = definition.cast()?;
    Some(Box::new(move |program, candidate| {
        let Some(wanted) = program.get(id) else { return true };
        let node_type = match candidate.cast::<NodeTemplate>() {
            Some(template) => type_of(program, template).map(Id::any),
            None => Some(candidate),
        };
        let Some(node_type) = node_type else { return true };
        let node = wanted.node.and_then(|node| node.target(program));
        let capability = wanted.capability.and_then(|capability| program.target(capability.erased()));
        let has_capability = |wanted: AnyId| {
            let of_type = node_type.cast::<NodeType>().and_then(|id| program.get(id));
            of_type.is_none_or(|of_type| {
                let types = of_type.capabilities.iter().filter_map(|(_, id)| program.get(id)?.r#type?.target(program));
                types.into_iter().any(|of_type| program.may_be_a(of_type.any(), wanted))
            })
        };
        node.is_none_or(|wanted| program.may_be_a(node_type, wanted.any())) && capability.is_none_or(has_capability)
    }))
}

/// Adds the capabilities that a requirement can name, among them the one with the name at the position.
fn name_capability(
    request: &CompletionRequest<'_>,
    node: FieldKey,
    word: Option<&str>,
    response: &mut CompletionResponse,
) {
    let capabilities = capabilities(request, node);
    response.target = capabilities.iter().find(|(name, _)| Some(*name) == word).map(|(_, id)| *id);
    let proposal = |(name, _): (&str, AnyId)| CompletionProposal::new(name, ProposalKind::Name);
    response.proposals = capabilities.into_iter().map(proposal).collect();
}

/// Returns the capabilities that a requirement can name: those of the node or node type in the field `node` or, without
/// that, of the node type that the definition of the requirement names.
fn capabilities<'p>(request: &CompletionRequest<'p>, node: FieldKey) -> Vec<(&'p str, AnyId)> {
    let program = request.program;
    let type_named = |name: &str| {
        let symbol = program.interner.get(name)?;
        let find = |section| program.resolve(request.unit, section, symbol).id();
        let template = find(NODE_TEMPLATES).filter(|_| node == REQUIREMENT_NODE);
        template.map_or_else(|| find(NODE_TYPES)?.cast(), |template| type_of(program, template.cast()?))
    };
    let of_type = match request.position.innermost().value(node.ident(), request.version) {
        Some(node) => type_named(node.text()),
        None => {
            let definition = request.definitions.last().copied().flatten().and_then(AnyId::cast);
            definition.and_then(|id| program.get::<RequirementDefinition>(id)?.node?.target(program))
        }
    };
    of_type.and_then(|id| program.get(id)).map(|of| named(program, &of.capabilities)).unwrap_or_default()
}
