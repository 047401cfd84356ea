//! Requirements, and the relationships that fulfill them.

use std::sync::Arc;

use super::super::{OverlayMap, Property, Relationship, Requirement, Target, TargetConstraints, Value};
use super::builder::{Builder, Expected, Need, NodeKind, Share};
use super::interface::ArtifactScope;
use super::merge;
use crate::data::{RelationshipContext, Schema};
use crate::entity::{AnyId, Id, NodeRef, Reference, Values};
use crate::grammar::definition::{
    CapabilityDefinition, PropertyDefinition, RelationshipDefinition, RequirementDefinition,
};
use crate::grammar::template::{NodeTemplate, RelationshipAssignment, RelationshipTemplate, RequirementAssignment};
use crate::grammar::types::{CapabilityType, NodeType, RelationshipType};
use crate::relationships::missing_relationships;
use crate::resolve::Slot;
use crate::symbol::Symbol;

impl Builder<'_> {
    /// Returns the content of a requirement definition.
    pub(super) fn need(&self, name: Symbol, definition: Id<RequirementDefinition>) -> Need {
        let mut requirement = Requirement { name: self.name(name), implicit: true, ..Requirement::default() };
        let mut asked = None;
        if let Some(asks) = self.get(definition) {
            asked = Some(TargetConstraints {
                node_types: self.types_of(asks.node),
                ..self.asked_capability(asks.capability.map(Reference::erased))
            });
            requirement.node_filter = self.clauses(&asks.node_filter);
            if let Some(id) = asks.relationship {
                requirement.relationship = Arc::new(self.relationship_defined(id));
            }
            requirement.description = self.text(asks.description);
            requirement.metadata = self.metadata(asks.metadata);
            requirement.source = self.source(definition.any());
        }
        Need { definition, requirement, asked }
    }

    /// Returns the required capability: a type, or else a name.
    fn asked_capability(&self, capability: Option<Reference<()>>) -> TargetConstraints {
        let Some(capability) = capability else { return TargetConstraints::default() };
        match self.context.any_target(capability).and_then(AnyId::cast::<CapabilityType>) {
            Some(id) => TargetConstraints { capability_types: self.types(id.any()), ..TargetConstraints::default() },
            None => TargetConstraints { capability: Some(self.name(capability.name)), ..TargetConstraints::default() },
        }
    }

    /// Returns the requirements of a node: those that the template assigns, then the remaining ones of its type.
    pub(super) fn requirements(
        &self,
        node: Id<NodeTemplate>,
        template: &NodeTemplate,
        kind: Option<&NodeKind>,
        share: Share,
    ) -> Vec<Requirement> {
        let assigned = &template.requirements;
        let mut requirements: Vec<Requirement> = Vec::with_capacity(assigned.len());
        for (name, id) in assigned {
            let need = kind.and_then(|kind| kind.needs.get(name));
            let requirement = self.requirement(node, *id, *name, need, share);
            self.resolve(&mut requirements, requirement, node, Slot::Assigned(*id));
        }
        let Some(kind) = kind.filter(|_| !template.directives.only_selects()) else { return requirements };
        for name in &kind.requirements {
            let Some(need) = kind.needs.get(name) else { continue };
            let missing = missing_relationships(&self.context, node.any(), template, *name, need.definition);
            if missing > 0 {
                let requirement = Requirement {
                    dangling: need.asked.clone().map(Box::new),
                    count: (missing > 1).then(|| integer(missing)),
                    ..need.requirement.clone()
                };
                self.resolve(&mut requirements, requirement, node, Slot::Implied(*name));
            }
        }
        requirements
    }

    /// Adds a requirement once for each found target, and once more, open, for the relationships without a target.
    fn resolve(
        &self,
        requirements: &mut Vec<Requirement>,
        requirement: Requirement,
        node: Id<NodeTemplate>,
        slot: Slot,
    ) {
        let Some(resolution) = self.options.resolution else { return requirements.push(requirement) };
        let links = resolution.links(node, slot);
        for link in links {
            let mut fulfilled = requirement.clone();
            fulfilled.dangling = None;
            fulfilled.resolved = true;
            fulfilled.count = (link.count > 1).then(|| integer(link.count));
            fulfilled.target = Some(Target {
                node: self.name_of(link.node.any()),
                index: None,
                capability: link.capability.map(|id| self.name_of(id.any())),
            });
            if let Slot::Assigned(id) = slot
                && let Some(assignment) = self.get(id)
            {
                fulfilled.allocation = self.allocation(assignment.allocation, link.capability);
            }
            requirements.push(fulfilled);
        }
        let found: u64 = links.iter().map(|link| link.count).sum();
        match &requirement.count {
            _ if found == 0 => requirements.push(requirement),
            Some(Value::Integer(count)) if u64::try_from(*count).is_ok_and(|count| count > found) => {
                let left = u64::try_from(*count).unwrap_or_default() - found;
                let count = (left > 1).then(|| integer(left));
                requirements.push(Requirement { count, ..requirement });
            }
            _ => {}
        }
    }

    fn requirement(
        &self,
        node: Id<NodeTemplate>,
        id: Id<RequirementAssignment>,
        name: Symbol,
        need: Option<&Need>,
        share: Share,
    ) -> Requirement {
        let blank = need.map(|need| need.requirement.clone());
        let mut requirement = blank.unwrap_or_else(|| Requirement { name: self.name(name), ..Requirement::default() });
        requirement.implicit = false;
        requirement.source = self.source(id.any());
        let Some(assignment) = self.get(id) else { return requirement };
        self.say(
            &mut requirement.description,
            &mut requirement.metadata,
            (assignment.description, assignment.metadata),
        );
        let capability = match need.and_then(|need| self.get(need.definition)) {
            Some(definition) => RelationshipContext::capability_asked(&self.context, assignment, definition),
            None => RelationshipContext::capability_of_assignment(&self.context, id, node),
        };
        self.aim(&mut requirement, assignment, capability, need.and_then(|need| need.asked.as_ref()));
        if let Some(filter) = assignment.node_filter.and_then(|filter| self.data(Some(filter.0))) {
            requirement.node_filter.insert(0, self.value(filter));
        }
        let value = |position: Option<NodeRef>| self.data(position).map(|node| self.value(node));
        requirement.count = value(assignment.count.map(|count| count.0));
        requirement.occurrences = value(assignment.occurrences.as_ref().map(|range| range.position));
        requirement.optional = assignment.optional.as_ref().is_some_and(|optional| optional.value);
        requirement.directives = self.texts(&assignment.directives.words);
        requirement.allocation = self.allocation(assignment.allocation, capability);
        if let Some(id) = assignment.relationship {
            let defined = need.and_then(|need| self.get(need.definition)).and_then(|asks| asks.relationship);
            requirement.relationship = match share {
                Share::All => self.relationship(id, defined, &requirement.relationship),
                Share::Nothing => self.relationship_alone(id, share),
            };
        }
        requirement
    }

    /// Sets the target of a requirement, or else the constraints on the target.
    fn aim(
        &self,
        requirement: &mut Requirement,
        assignment: &RequirementAssignment,
        capability: Option<Id<CapabilityDefinition>>,
        asked: Option<&TargetConstraints>,
    ) {
        let target = assignment.node.reference.and_then(|reference| self.context.any_target(reference));
        if let Some(template) = target.and_then(AnyId::cast::<NodeTemplate>) {
            requirement.target = Some(Target {
                node: self.name_of(template.any()),
                index: self.data(assignment.node.index).map(|index| self.value(index)),
                capability: capability.map(|id| self.name_of(id.any())),
            });
            return;
        }
        let asked = requirement.dangling.insert(Box::new(asked.cloned().unwrap_or_default()));
        if let Some(node_type) = target.and_then(AnyId::cast::<NodeType>) {
            asked.node_types = self.types(node_type.any());
        }
        if assignment.capability.is_some() {
            **asked = TargetConstraints {
                node_types: asked.node_types.clone(),
                ..self.asked_capability(assignment.capability)
            };
        }
    }

    /// Returns the allocation of the target capability's properties. The properties limit the sum of all allocations,
    /// so an allocation has only their types.
    fn allocation(&self, values: Values, capability: Option<Id<CapabilityDefinition>>) -> OverlayMap<Property> {
        let mut allocation = OverlayMap::default();
        let definitions = capability.and_then(|id| self.get(id)).map(|capability| &capability.properties);
        self.assign_among(&mut allocation, values, &|name| {
            let Expected { schema, kind } = self.expected(definitions?.get(name)?)?;
            Some(Expected { schema: Schema::of_type(schema.data_type), kind })
        });
        allocation
    }

    /// Returns the relationship that a requirement definition describes.
    fn relationship_defined(&self, id: Id<RelationshipDefinition>) -> Relationship {
        let Some(relationship) = self.get(id) else { return Relationship::default() };
        Relationship {
            description: self.text(relationship.description),
            metadata: self.metadata(relationship.metadata),
            properties: self.definitions(&relationship.properties),
            attributes: self.definitions(&relationship.attributes),
            interfaces: self.interfaces(&relationship.interfaces, ArtifactScope::default()),
            source: self.source(id.any()),
            ..self.relationship_of(self.context.target_of(relationship.r#type))
        }
    }

    /// Returns the relationship for a requirement assignment: from a template, of an assigned type, or of the
    /// definition's type.
    fn relationship(
        &self,
        id: Id<RelationshipAssignment>,
        defined: Option<Id<RelationshipDefinition>>,
        blank: &Arc<Relationship>,
    ) -> Arc<Relationship> {
        let Some(assignment) = self.get(id) else { return blank.clone() };
        let target = assignment.r#type.and_then(|reference| self.context.any_target(reference));
        if let Some(template) = target.and_then(AnyId::cast::<RelationshipTemplate>) {
            return Arc::new(self.relationship_from(template, defined.map(|id| (id, &**blank))));
        }
        let of_definition = defined.and_then(|id| self.get(id));
        let type_defined = of_definition.and_then(|definition| self.context.target_of(definition.r#type));
        let own_type = target.and_then(AnyId::cast::<RelationshipType>).filter(|own| Some(*own) != type_defined);
        let of_type = own_type.and_then(|id| self.get(id));
        let mut relationship = match own_type {
            Some(id) => self.relationship_of_type(id, defined.map(|id| (id, &**blank))),
            None => (**blank).clone(),
        };
        let (properties, attributes, interfaces) = match (of_type, of_definition) {
            (Some(of_type), _) => (Some(&of_type.properties), Some(&of_type.attributes), Some(&of_type.interfaces)),
            (None, Some(defined)) => (Some(&defined.properties), Some(&defined.attributes), Some(&defined.interfaces)),
            (None, None) => (None, None, None),
        };
        self.assign(&mut relationship.properties, assignment.properties, properties);
        self.assign_attributes(&mut relationship.attributes, assignment.attributes, attributes, properties);
        self.assign_interfaces(
            &mut relationship.interfaces,
            &assignment.interfaces,
            interfaces,
            ArtifactScope::default(),
        );
        self.say(
            &mut relationship.description,
            &mut relationship.metadata,
            (assignment.description, assignment.metadata),
        );
        relationship.source = self.source(id.any());
        Arc::new(relationship)
    }

    /// Returns a relationship with only the assigned parts.
    fn relationship_alone(&self, id: Id<RelationshipAssignment>, share: Share) -> Arc<Relationship> {
        let Some(assignment) = self.get(id) else { return Arc::default() };
        let target = assignment.r#type.and_then(|reference| self.context.any_target(reference));
        let template = target.and_then(AnyId::cast::<RelationshipTemplate>);
        let of_type = target.and_then(AnyId::cast::<RelationshipType>);
        let mut relationship = Relationship {
            template: template.map(|id| self.name_of(id.any())),
            types: of_type.map_or_else(Default::default, |id| self.types_for(id.any(), share)),
            source: self.source(id.any()),
            ..Relationship::default()
        };
        self.assign::<PropertyDefinition>(&mut relationship.properties, assignment.properties, None);
        self.assign_attributes(&mut relationship.attributes, assignment.attributes, None, None);
        self.assign_interfaces(
            &mut relationship.interfaces,
            &assignment.interfaces,
            None,
            ArtifactScope::unnamed(share),
        );
        let said = (assignment.description, assignment.metadata);
        self.say(&mut relationship.description, &mut relationship.metadata, said);
        Arc::new(relationship)
    }

    /// Returns a relationship of the given type, with the refinements that a requirement definition makes to an
    /// ancestor of the type.
    fn relationship_of_type(
        &self,
        id: Id<RelationshipType>,
        defined: Option<(Id<RelationshipDefinition>, &Relationship)>,
    ) -> Relationship {
        let bare = |id| self.relationships.get((id, None), || Arc::new(self.bare_relationship(id)));
        let base = defined.and_then(|(definition, refined)| {
            let base = self.context.target_of(self.get(definition)?.r#type)?;
            Some((definition, base, refined))
        });
        let made = match base {
            Some((definition, base, refined)) => self.relationships.get((id, Some(definition)), || {
                let mut relationship = (*bare(id)).clone();
                merge::lay_over(&mut relationship, &bare(base), refined);
                Arc::new(relationship)
            }),
            None => bare(id),
        };
        (*made).clone()
    }

    /// Returns a relationship with only the members of its type.
    fn bare_relationship(&self, id: Id<RelationshipType>) -> Relationship {
        let relationship = self.relationship_of(Some(id));
        let Some(of_type) = self.get(id) else { return relationship };
        Relationship {
            properties: self.definitions(&of_type.properties),
            attributes: self.definitions(&of_type.attributes),
            interfaces: self.interfaces(&of_type.interfaces, ArtifactScope::default()),
            ..relationship
        }
    }

    /// Returns a relationship with only its type.
    fn relationship_of(&self, id: Option<Id<RelationshipType>>) -> Relationship {
        let Some((id, of_type)) = id.and_then(|id| Some((id, self.get(id)?))) else { return Relationship::default() };
        let (mut capabilities, mut nodes) =
            (self.listed(&of_type.valid_capability_types), self.listed(&of_type.valid_target_node_types));
        // Before 2.0, a single list contains both kinds of types.
        capabilities.extend(self.listed_as::<CapabilityType>(&of_type.valid_target_types));
        nodes.extend(self.listed_as::<NodeType>(&of_type.valid_target_types));
        Relationship {
            types: self.types(id.any()),
            valid_capability_types: capabilities,
            valid_target_node_types: nodes,
            valid_source_node_types: self.listed(&of_type.valid_source_node_types),
            ..Relationship::default()
        }
    }

    /// Returns a relationship template.
    pub(super) fn relationship_template(&self, id: Id<RelationshipTemplate>, share: Share) -> Relationship {
        if share == Share::All {
            return self.relationship_from(id, None);
        }
        let Some(template) = self.template(id, share) else { return Relationship::default() };
        let of_type = self.get(id).and_then(|template| self.context.target_of(template.r#type));
        let mut relationship = Relationship {
            template: Some(self.name_of(id.any())),
            types: of_type.map_or_else(Default::default, |id| self.types_for(id.any(), share)),
            source: self.source(id.any()),
            ..Relationship::default()
        };
        self.say(&mut relationship.description, &mut relationship.metadata, (template.description, template.metadata));
        self.assign::<PropertyDefinition>(&mut relationship.properties, template.properties, None);
        self.assign_attributes(&mut relationship.attributes, template.attributes, None, None);
        self.assign_interfaces(&mut relationship.interfaces, &template.interfaces, None, ArtifactScope::unnamed(share));
        relationship
    }

    /// Returns a relationship from a template, for a requirement if one is given.
    fn relationship_from(
        &self,
        id: Id<RelationshipTemplate>,
        defined: Option<(Id<RelationshipDefinition>, &Relationship)>,
    ) -> Relationship {
        let Some(template) = self.get(id) else { return Relationship::default() };
        let type_id = self.context.target_of(template.r#type);
        let of_type = type_id.and_then(|id| self.get(id));
        let properties = of_type.map(|of_type| &of_type.properties);
        let attributes = of_type.map(|of_type| &of_type.attributes);
        let interfaces = of_type.map(|of_type| &of_type.interfaces);
        let mut relationship = Relationship {
            template: Some(self.name_of(id.any())),
            source: self.source(id.any()),
            ..type_id.map_or_else(Relationship::default, |id| self.relationship_of_type(id, defined))
        };
        self.say(&mut relationship.description, &mut relationship.metadata, (template.description, template.metadata));
        self.assign(&mut relationship.properties, template.properties, properties);
        self.assign_attributes(&mut relationship.attributes, template.attributes, attributes, properties);
        self.assign_interfaces(
            &mut relationship.interfaces,
            &template.interfaces,
            interfaces,
            ArtifactScope::default(),
        );
        relationship
    }
}

/// Returns a count as a value.
fn integer(count: u64) -> Value {
    Value::Integer(i64::try_from(count).unwrap_or(i64::MAX))
}
