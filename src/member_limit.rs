//! A limit on the members that templates get from their types: a thousand nodes of a type with a thousand properties
//! take one page of source, but their model has a million members.
//!
//! Members are all named entities in a definition and all entries of values in definitions; long strings count as
//! several members. Assignments in a template count if they get members from a type, such as artifacts.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::ard::{Kind, Node};
use crate::entity::{AnyId, Entity as _, Id, Members, Role, Shape};
use crate::grammar::definition::{ArtifactDefinition, RequirementDefinition};
use crate::grammar::template::{
    GroupDefinition, InterfaceAssignment, NodeTemplate, RelationshipTemplate, ServiceTemplate,
};
use crate::grammar::types::{ArtifactType, DataType, NodeType};
use crate::phase::{Context, Unit};
use crate::relationships::mandatory;

/// The maximum number of members with defaults in a value, including nested ones, for a model to show all of them. A long
/// string counts as several members.
pub(crate) const MAX_DEFAULT_MEMBERS: usize = 1000;

/// The number of values that a member counts as: it has a schema, a state and a value.
const VALUES_OF_A_MEMBER: usize = 10;

/// The number of additional members per byte of the service template: a node of a normative type has up to a hundred.
const MEMBERS_OF_A_BYTE: usize = 2;

/// The number of bytes of a string that count as a member.
const BYTES_OF_A_MEMBER: usize = 64;

/// Returns the index of the first template beyond the limit, in the order of [`templates`]. This template and all later
/// ones get only their assigned members.
pub(crate) fn first_over_limit(context: &Context<'_>, id: Id<ServiceTemplate>) -> Option<usize> {
    const WEIGHT: &str = "weight";
    let most = most(context);
    if context.program.noted(WEIGHT, id.any()).is_some_and(|weight| weight <= most) {
        return None;
    }
    let templates: Vec<AnyId> = context.get(id).map(|service| templates(service).collect()).unwrap_or_default();
    let shares = context.map_chunks(&templates, |share| {
        let mut weights = MemberCounter::new(context);
        // Beyond the limit, the exact sum does not matter.
        share
            .iter()
            .fold(0_usize, |sum, id| if sum > most { sum } else { sum.saturating_add(weights.of_template(*id)) })
    });
    // Services nearly always observe the limit, so the individual weights are not needed.
    let weight = shares.into_iter().fold(0, usize::saturating_add);
    if weight <= most {
        context.program.note(WEIGHT, id.any(), weight);
        return None;
    }
    let mut weights = MemberCounter::new(context);
    first_too_many(most, templates.iter().map(|id| weights.of_template(*id)))
}

/// Returns the first data type beyond the limit for the list of data types in a model. This type and all later ones
/// have only the properties that they define themselves. Types are ordered by unit, then by position in the source.
pub(crate) fn first_data_type_over_limit(context: &Context<'_>) -> Option<AnyId> {
    let mut weights = MemberCounter::new(context);
    let units = context.program.list.iter().filter(|unit| unit.implicit.is_none());
    first_too_many(weights.most, units.map(|unit| weights.of_data_types(unit)))?;
    let first = first_too_many(weights.most, data_types(context).map(|id| weights.noted(id, |weights| weights.of(id))));
    data_types(context).nth(first?)
}

/// Returns whether a data type is beyond the limit.
pub(crate) fn is_bare_data_type(context: &Context<'_>, first_bare: Option<AnyId>, id: AnyId) -> bool {
    let is_imported = context.program.unit(id.unit).is_some_and(|unit| unit.implicit.is_none());
    let place = |id: AnyId| (context.program.index(id.unit), id.index);
    first_bare.is_some_and(|first| is_imported && place(first) <= place(id))
}

/// Returns the data types of a program that count toward the limit: all but those of implicit units.
pub(crate) fn data_types(context: &Context<'_>) -> impl Iterator<Item = AnyId> {
    let kind = DataType::KIND;
    let of_unit = move |unit: &Arc<Unit>| {
        let unit_id = unit.id;
        (0..unit.arenas.count(kind)).map(move |index| AnyId { unit: unit_id, kind, index })
    };
    context.program.list.iter().filter(|unit| unit.implicit.is_none()).flat_map(of_unit)
}

fn first_too_many(most: usize, mut weights: impl Iterator<Item = usize>) -> Option<usize> {
    let mut sum = 0_usize;
    weights.position(|weight| {
        sum = sum.saturating_add(weight);
        sum > most
    })
}

/// Returns the templates of a service that get members from their types, in the order of counting.
pub(crate) fn templates(service: &ServiceTemplate) -> impl Iterator<Item = AnyId> {
    let nodes = service.node_templates.iter().map(|(_, id)| id.any());
    let relationships = service.relationship_templates.iter().map(|(_, id)| id.any());
    let groups = service.groups.iter().map(|(_, id)| id.any());
    let policies = service.policies.iter().map(|(_, id)| id.any());
    nodes.chain(relationships).chain(groups).chain(policies)
}

/// Returns the maximum number of members.
fn most(context: &Context<'_>) -> usize {
    let text = context.program.list.first().map_or(0, |unit| unit.source.text().len());
    let members = context.program.model_limits.values / VALUES_OF_A_MEMBER;
    members.saturating_add(text.saturating_mul(MEMBERS_OF_A_BYTE))
}

/// The weights of definitions in a model, in members.
struct MemberCounter<'c, 'a> {
    context: &'c Context<'a>,
    /// The limit; counting stops there.
    most: usize,
    known: FxHashMap<AnyId, u32>,
    /// The weights of type names, each with the names of its ancestors.
    ancestries: FxHashMap<AnyId, u32>,
    /// The numbers of artifacts that may be names of others.
    names: FxHashMap<AnyId, u32>,
    of_extensions: Option<usize>,
}

impl<'c, 'a> MemberCounter<'c, 'a> {
    fn new(context: &'c Context<'a>) -> Self {
        Self {
            context,
            most: most(context),
            known: FxHashMap::default(),
            ancestries: FxHashMap::default(),
            names: FxHashMap::default(),
            of_extensions: None,
        }
    }

    fn of_template(&mut self, id: AnyId) -> usize {
        let program = self.context.program;
        // The copied template counts again.
        let mut copied = None;
        if let Some(entity) = program.raw(id)
            && let Some((field, _)) = entity.description().find(|field| field.role == Role::Copy)
        {
            entity.field(field).visit_references(&mut |reference| copied = self.context.any_target(reference));
        }
        let copied = copied.map_or(0, |copied| self.of(copied));
        let of_type = match id.cast::<NodeTemplate>() {
            Some(id) => self.of_node(id),
            None => {
                let of_type = self.context.definition(id);
                let of_type = of_type.map_or(0, |of_type| self.noted(of_type, |weights| weights.of(of_type)));
                let context = self.context;
                let relationship = id.cast::<RelationshipTemplate>().and_then(|id| context.get(id));
                let group = id.cast::<GroupDefinition>().and_then(|id| context.get(id));
                let interfaces = relationship.map(|it| &it.interfaces).or(group.map(|it| &it.interfaces));
                of_type.saturating_add(interfaces.map_or(0, |interfaces| self.of_assigned(interfaces).0))
            }
        };
        copied.saturating_add(of_type)
    }

    fn of_node(&mut self, id: Id<NodeTemplate>) -> usize {
        let Some(template) = self.context.get(id) else { return 0 };
        let Some((type_id, node_type)) =
            self.context.target_of(template.r#type).and_then(|id| Some((id, self.context.get(id)?)))
        else {
            return 0;
        };
        let mut weight = self.noted(type_id.any(), |weights| weights.of_node_type(type_id, node_type));
        weight = weight.saturating_add(self.of_implementations(node_type, template));
        for (name, assignment) in &template.requirements {
            let definition = node_type.requirements.get(*name);
            let definition = definition.map_or(0, |id| self.noted(id.any(), |weights| weights.of(id.any())));
            let own = self.context.get(*assignment).and_then(|assignment| self.context.get(assignment.relationship?));
            let assigned = own.map_or(0, |own| self.of_assigned(&own.interfaces).0);
            weight = weight.saturating_add(assigned);
            let own = own.and_then(|own| self.context.any_target(own.r#type?));
            let own = own.map_or(0, |own| match self.context.definition(own) {
                // The relationship uses a template, which has a type.
                Some(of_type) => self.of(own).saturating_add(self.of(of_type)),
                None => self.of(own),
            });
            weight = weight.saturating_add(definition).saturating_add(own);
            if weight > self.most {
                break;
            }
        }
        weight
    }

    /// Returns the weight of the artifacts that a template assigns, and of those in its implementations.
    fn of_implementations(&mut self, node_type: &NodeType, template: &NodeTemplate) -> usize {
        if template.artifacts.is_empty() && template.interfaces.is_empty() {
            return 0;
        }
        let (mut assigned, names) = self.of_assigned(&template.interfaces);
        let mut heaviest = 0;
        for (_, id) in template.artifacts.iter() {
            let weight = self.of_artifact(id);
            assigned = assigned.saturating_add(weight);
            heaviest = heaviest.max(weight);
            if assigned > self.most {
                return assigned;
            }
        }
        // Names in the implementations of the type may refer to different artifacts now.
        let of_type = if heaviest > 0 { self.names_in(node_type) } else { 0 };
        let heaviest_of_type = if names > 0 { self.heaviest_artifact(node_type) } else { 0 };
        let named =
            names.saturating_mul(heaviest.max(heaviest_of_type)).saturating_add(of_type.saturating_mul(heaviest));
        assigned.saturating_add(named)
    }

    /// Returns the weight of the artifacts in the implementations that a template assigns, and the number of those that
    /// may be names of others.
    fn of_assigned(&mut self, interfaces: &Members<InterfaceAssignment>) -> (usize, usize) {
        let context = self.context;
        let (mut weight, mut names) = (0_usize, 0);
        for interface in interfaces.iter().filter_map(|(_, id)| context.get(id)) {
            let operations = interface.operations.iter().filter_map(|(_, id)| context.get(id)?.implementation);
            let notifications = interface.notifications.iter().filter_map(|(_, id)| context.get(id)?.implementation);
            for implementation in operations.chain(notifications).filter_map(|id| context.get(id)) {
                for id in implementation.primary.iter().chain(&implementation.dependencies) {
                    weight = weight.saturating_add(self.of_artifact(*id));
                    names += usize::from(context.get(*id).is_some_and(|artifact| artifact.r#type.is_none()));
                    if weight > self.most {
                        return (weight, names);
                    }
                }
            }
        }
        (weight, names)
    }

    /// Returns the weight of an artifact in a template.
    fn of_artifact(&mut self, id: Id<ArtifactDefinition>) -> usize {
        let Some(artifact) = self.context.get(id) else { return 0 };
        match self.context.target_of(artifact.r#type) {
            Some(of_type) => 1 + self.noted(of_type.any(), |weights| weights.of(of_type.any())),
            None => 1 + self.of_extensions(),
        }
    }

    /// Returns the number of artifacts in the implementations of a type that may be names of others.
    fn names_in(&mut self, node_type: &NodeType) -> usize {
        node_type.interfaces.iter().map(|(_, id)| self.names(id.any())).fold(0, usize::saturating_add)
    }

    /// Returns the weight of the heaviest artifact of a type.
    fn heaviest_artifact(&mut self, node_type: &NodeType) -> usize {
        node_type.artifacts.iter().map(|(_, id)| self.of(id.any())).max().unwrap_or(0)
    }

    /// Returns the number of artifacts in an entity that have no type, so that they may be names of others.
    fn names(&mut self, id: AnyId) -> usize {
        if let Some(count) = self.names.get(&id) {
            return *count as usize;
        }
        if id.kind == ArtifactDefinition::KIND {
            return usize::from(self.context.definition(id).is_none());
        }
        let mut children = Vec::new();
        if let Some(entity) = self.context.program.entity(id) {
            for (index, _) in entity.description().fields.iter().enumerate() {
                entity.field(index).visit_children(&mut |child| children.push(child));
            }
        }
        let count = children.into_iter().map(|child| self.names(child)).fold(0, usize::saturating_add);
        self.names.insert(id, kept(count));
        count
    }

    /// Returns the weight of the heaviest artifact type that a file can have because of its extension.
    fn of_extensions(&mut self) -> usize {
        if let Some(weight) = self.of_extensions {
            return weight;
        }
        let program = self.context.program;
        let types = program.list.iter().flat_map(|unit| unit.types()).filter_map(AnyId::cast::<ArtifactType>);
        let types = types.filter(|id| self.context.get(*id).is_some_and(|of_type| !of_type.file_ext.is_empty()));
        let types: Vec<AnyId> = types.map(Id::any).collect();
        let weight = types.into_iter().map(|id| self.noted(id, |weights| weights.of(id))).max().unwrap_or(0);
        self.of_extensions = Some(weight);
        weight
    }

    /// Returns a weight, which may be cached from another program, because types recur with every template.
    fn noted(&mut self, id: AnyId, weigh: impl FnOnce(&mut Self) -> usize) -> usize {
        const WEIGHT: &str = "weight";
        // Threads compete for the shared cache, so each thread also has its own.
        if let Some(weight) = self.known.get(&id) {
            return *weight as usize;
        }
        let program = self.context.program;
        // Entities of the entry template do not recur.
        let is_of_entry = program.index(id.unit) == Some(0);
        let weight = program.noted(WEIGHT, id).filter(|weight| *weight <= self.most).unwrap_or_else(|| {
            let weight = weigh(self);
            // A weight beyond the limit is not exact.
            if weight <= self.most && !is_of_entry {
                program.note(WEIGHT, id, weight);
            }
            weight
        });
        self.known.insert(id, kept(weight));
        weight
    }

    /// Returns the weight of all data types in a unit, which is cached if the unit is imported.
    fn of_data_types(&mut self, unit: &Unit) -> usize {
        const WEIGHT: &str = "data types";
        let program = self.context.program;
        let first = AnyId { unit: unit.id, kind: DataType::KIND, index: 0 };
        program.noted(WEIGHT, first).filter(|weight| *weight <= self.most).unwrap_or_else(|| {
            let mut weight = 0_usize;
            for index in 0..unit.arenas.count(DataType::KIND) {
                let id = AnyId { index, ..first };
                weight = weight.saturating_add(self.noted(id, |weights| weights.of(id)));
                if weight > self.most {
                    break;
                }
            }
            if weight <= self.most && program.index(unit.id) != Some(0) {
                program.note(WEIGHT, first, weight);
            }
            weight
        })
    }

    /// Returns the weight of a node of a type, with the requirements that exist even if the template does not assign
    /// them.
    fn of_node_type(&mut self, id: Id<NodeType>, node_type: &NodeType) -> usize {
        let context = self.context;
        let mut all: Vec<AnyId> = Vec::new();
        all.extend(node_type.properties.iter().map(|(_, id)| id.any()));
        all.extend(node_type.attributes.iter().map(|(_, id)| id.any()));
        all.extend(node_type.capabilities.iter().map(|(_, id)| id.any()));
        all.extend(node_type.interfaces.iter().map(|(_, id)| id.any()));
        all.extend(node_type.artifacts.iter().map(|(_, id)| id.any()));
        all.extend(mandatory(context, &node_type.requirements).map(|(_, id)| id.any()));
        // A model repeats a named artifact in each implementation.
        let named = self.names_in(node_type).saturating_mul(self.heaviest_artifact(node_type));
        let mut weight = self.ancestors(id.any()).saturating_add(named);
        for id in all {
            weight = weight.saturating_add(self.of(id));
            if weight > self.most {
                break;
            }
        }
        weight
    }

    /// Returns the weight of an entity with all its members, including inherited ones.
    fn of(&mut self, id: AnyId) -> usize {
        if let Some(weight) = self.known.get(&id) {
            return *weight as usize;
        }
        let program = self.context.program;
        let Some(entity) = program.entity(id) else { return 0 };
        let is_type = program.lineage(id).is_some();
        let mut weight = 1 + program.name(id).len() / BYTES_OF_A_MEMBER;
        if is_type {
            weight = weight.saturating_add(self.ancestors(id));
        } else if id.kind == ArtifactDefinition::KIND && self.context.definition(id).is_none() {
            weight = weight.saturating_add(self.of_extensions());
        } else if let Some(definition) = self.context.definition(id) {
            weight = weight.saturating_add(self.ancestors(definition));
            // An artifact has the properties of its type, although it does not inherit them.
            if id.kind == ArtifactDefinition::KIND {
                weight = weight.saturating_add(self.of(definition));
            }
        }
        let mut children = Vec::new();
        let is_requirement = id.kind == RequirementDefinition::KIND;
        for (index, description) in entity.description().fields.iter().enumerate() {
            let is_listed = matches!(description.shape, Shape::References);
            match description.shape {
                Shape::Scalar(..) | Shape::Value | Shape::Values => entity.field(index).visit_data(&mut |position| {
                    let size = self.context.node(position).map_or(0, |node| size(node, self.most));
                    weight = weight.saturating_add(size);
                }),
                Shape::Reference | Shape::References if is_listed || is_requirement => {
                    entity.field(index).visit_references(&mut |reference| {
                        // The required types of a requirement are listed with their ancestors.
                        let asked = is_requirement.then(|| self.context.any_target(reference)).flatten();
                        let asked = asked.map_or(usize::from(is_listed), |asked| self.ancestors(asked));
                        weight = weight.saturating_add(asked);
                    });
                }
                Shape::Reference | Shape::References => {}
                Shape::One(_) | Shape::List(_) | Shape::Named(_) | Shape::Sequence(_) => {
                    entity.field(index).visit_children(&mut |child| children.push(child));
                }
            }
        }
        for child in children {
            if weight > self.most {
                break;
            }
            weight = weight.saturating_add(self.of(child));
        }
        self.known.insert(id, kept(weight));
        weight
    }

    /// Returns the weight of a type name with its ancestors.
    fn ancestors(&mut self, id: AnyId) -> usize {
        if let Some(weight) = self.ancestries.get(&id) {
            return *weight as usize;
        }
        let program = self.context.program;
        let mut sum = 0;
        for id in program.ancestry(id) {
            sum += 1 + program.name(id).len() / BYTES_OF_A_MEMBER;
            if sum > self.most {
                break;
            }
        }
        self.ancestries.insert(id, kept(sum));
        sum
    }
}

/// Returns a weight in compact form. A weight that does not fit is beyond the limit anyway.
fn kept(weight: usize) -> u32 {
    u32::try_from(weight).unwrap_or(u32::MAX)
}

/// Returns the weight of a string, or of a value with its entries, in members. Counting stops at `most`.
pub(crate) fn size(node: Node<'_>, most: usize) -> usize {
    if !matches!(node.kind(), Kind::Map | Kind::List) {
        return node.text().len() / BYTES_OF_A_MEMBER;
    }
    let mut open = Vec::with_capacity(16);
    open.push(node);
    let mut size = 0;
    while let Some(node) = open.pop() {
        size += node.text().len() / BYTES_OF_A_MEMBER;
        for item in node.items() {
            size += 1;
            open.push(item);
        }
        for entry in node.entries() {
            size += 1 + entry.key.text().len() / BYTES_OF_A_MEMBER;
            open.push(entry.value);
        }
        if size > most {
            break;
        }
    }
    size
}
