//! Traversal of paths in a model, from a value to the property that the value refers to.

use super::super::{Call, Property, Relationship, Requirement, Service, Value};
use super::evaluator::Evaluator;
use super::owner::{Here, Owner, PropertyId, Standing, pointer};
use super::targets::{LazyTargets, number_of};
use crate::data::{Fault, Found, Graph, Step, is_hosting_name, lead, pick};

impl<'s> Evaluator<'s> {
    /// Returns the property with the given id.
    pub(super) fn property_at(&self, id: &PropertyId) -> Option<&'s Property> {
        let service = self.service;
        let properties = match id.owner {
            Owner::Inputs => &service.inputs,
            Owner::Node(node) => &service.nodes[node].properties,
            Owner::Attributes(node) => &service.nodes[node].attributes,
            Owner::Capability(node, capability) => {
                &service.nodes[node].capabilities.get_index(capability)?.1.properties
            }
            Owner::Relationship(node, requirement) => {
                &service.nodes[node].requirements[requirement].relationship.properties
            }
        };
        properties.get(&id.name).map(|property| &**property)
    }

    /// Returns the value of the property with the given id, and its place; `None` if the property has no value.
    pub(super) fn value_at(&self, id: &PropertyId) -> Option<(&'s Value, Standing)> {
        let value = self.property_at(id)?.value.as_ref()?;
        Some((value, id.owner.place()))
    }

    /// Returns the JSON pointer of the property with the given id.
    pub(super) fn pointer_of(&self, id: &PropertyId) -> String {
        let nodes = &self.service.nodes;
        let name = |node: usize| nodes.get_index(node).map_or("", |(name, _)| &**name);
        match id.owner {
            Owner::Inputs => pointer(["inputs", &id.name]),
            Owner::Node(node) => pointer(["nodes", name(node), "properties", &id.name]),
            Owner::Attributes(node) => pointer(["nodes", name(node), "attributes", &id.name]),
            Owner::Capability(node, capability) => {
                let capability = nodes[node].capabilities.get_index(capability).map_or("", |(name, _)| &**name);
                pointer(["nodes", name(node), "capabilities", capability, "properties", &id.name])
            }
            Owner::Relationship(node, requirement) => {
                let number = requirement.to_string();
                let way = ["nodes", name(node), "requirements", &number, "relationship", "properties", &id.name];
                pointer(way)
            }
        }
    }

    /// Returns the id that a call refers to, and the remaining arguments, which lead into the value at the id.
    /// `None` if the call refers to no id or to an unknown one.
    pub(super) fn id_of<'v>(
        &self,
        call: &Call,
        arguments: &'v [Value],
        place: Standing,
    ) -> Option<(PropertyId, &'v [Value])> {
        match (&*call.name, arguments) {
            ("get_input", [name, steps @ ..]) => {
                let name = name.as_str()?;
                if self.is_of_workflow(place, name) {
                    return None;
                }
                let (name, _) = self.service.inputs.get_key_value(name)?;
                Some((PropertyId { owner: Owner::Inputs, name: name.clone() }, steps))
            }
            ("get_property" | "get_attribute", _) if self.is_known(call) => {
                self.owners(arguments, place)?.find_map(|(owner, rest)| {
                    let (name, within) = rest.split_first()?;
                    let id = PropertyId { owner, name: name.as_str()?.into() };
                    let id = if &*call.name == "get_attribute" { self.attribute(id)? } else { id };
                    self.property_at(&id).map(|_| (id, within))
                })
            }
            _ => None,
        }
    }

    /// Returns the owners that a path may lead to, in order of preference, each with the rest of the path. `None` if the
    /// path leads to no owner, or to an unknown one.
    pub(super) fn owners<'v>(
        &self,
        path: &'v [Value],
        place: Standing,
    ) -> Option<impl Iterator<Item = (Owner, &'v [Value])>> {
        let steps: Vec<&Value> = path.iter().collect();
        let led = lead(&mut self.paths(place), &steps).ok()??;
        let places = led.places.into_iter().filter(move |_| !led.is_all);
        Some(places.map_while(move |(here, taken)| Some((Owner::of(here)?, &path[taken..]))))
    }

    fn paths(&self, place: Standing) -> Paths<'_> {
        Paths { service: self.service, is_simple: self.is_simple, place, incoming: &self.incoming }
    }

    /// Returns whether a call can be computed. Attributes can be read only if some attributes have values.
    pub(super) fn is_known(&self, call: &Call) -> bool {
        match &*call.name {
            "get_input" | "get_property" => true,
            "get_attribute" => !self.attributes.is_empty(),
            _ => false,
        }
    }

    /// Returns the id of a node's attribute, if the attribute has a value or is computed from others. A property is
    /// an attribute too.
    fn attribute(&self, id: PropertyId) -> Option<PropertyId> {
        let Owner::Node(node) = id.owner else { return None };
        let attribute = PropertyId { owner: Owner::Attributes(node), name: id.name.clone() };
        let Some(property) = self.property_at(&attribute) else { return Some(id) };
        let is_computed = property.value.as_ref().is_some_and(|value| !value.is_data());
        (is_computed || self.attributes.contains(&attribute)).then_some(attribute)
    }

    /// Returns the ids that a call with `ALL` in its path refers to, and the number of arguments at the end that lead
    /// into each value. `None` if one of the ids is unknown, if there are more than `left`, or if the budget is used up.
    pub(super) fn ids_of_all(
        &self,
        call: &Call,
        arguments: &[Value],
        place: Standing,
        left: &mut usize,
    ) -> Option<Vec<(PropertyId, usize)>> {
        /// The cost of looking at a requirement, in bytes of values that take as long to compute.
        const LOOKED_AT: u64 = 8;
        if &*call.name == "get_input" || !self.is_known(call) {
            return None;
        }
        if let Some((id, within)) = self.id_of(call, arguments, place) {
            return Some(vec![(id, within.len())]);
        }
        let inner = arguments.get(1..arguments.len().saturating_sub(1))?;
        let at = inner.iter().position(|step| step.as_str() == Some("ALL"))? + 1;
        let mut found = Vec::new();
        for (looked_at, index) in (1..).zip(0..) {
            *left = left.checked_sub(1)?;
            // A path with an index looks at all requirements before it, and is a copy of the whole path.
            let copied = size_of_val(arguments) as u64;
            self.budget.bytes(LOOKED_AT.saturating_mul(looked_at).saturating_add(copied)).ok()?;
            let mut expanded = arguments.to_vec();
            expanded[at] = Value::Integer(index);
            let steps: Vec<&Value> = expanded.iter().collect();
            if let Err(Some(step)) = lead(&mut self.paths(place), &steps)
                && expanded[at - 1..=at].iter().any(|this| std::ptr::eq(this, step))
            {
                return Some(found);
            }
            found.extend(self.ids_of_all(call, &expanded, place, left)?);
        }
        Some(found)
    }

    fn is_of_workflow(&self, place: Standing, name: &str) -> bool {
        matches!(place, Standing::Workflow(number) if self.service.workflows[number].inputs.contains_key(name))
    }
}

/// A model as a graph for paths.
struct Paths<'s> {
    service: &'s Service,
    is_simple: bool,
    place: Standing,
    incoming: &'s LazyTargets,
}

impl<'s> Paths<'s> {
    fn node_named(&self, name: &str) -> Option<usize> {
        let node = self.service.nodes.get_index_of(name)?;
        self.is_created(node).then_some(node)
    }

    /// Returns whether a node is created here. The properties and relationships of other nodes are unknown.
    fn is_created(&self, node: usize) -> bool {
        self.service.nodes[node].directives.first().is_none_or(|first| &**first == "create")
    }

    fn requirement(&self, (node, number): (usize, usize)) -> &'s Requirement {
        &self.service.nodes[node].requirements[number]
    }
}

impl<'s> Graph<'s> for Paths<'s> {
    type Step = &'s Value;
    type Node = usize;
    type Relationship = (usize, usize);
    type Capability = (usize, usize);
    /// The step with an index that is out of range, or the name of a requirement that the node does not have.
    type Error = Option<&'s Value>;

    fn read(&self, step: &'s Value) -> Step<'s> {
        match step {
            Value::String(name) => Step::Name(name),
            Value::Integer(index) => Step::Index(usize::try_from(*index).ok()),
            Value::Call(_) => Step::Call,
            _ => Step::Other,
        }
    }

    fn is_simple(&self, _: &'s Value) -> bool {
        self.is_simple
    }

    fn is_index(&mut self, _: &'s Value) -> Option<bool> {
        None
    }

    fn lost(&self, step: &'s Value, fault: Fault<usize>) -> Option<&'s Value> {
        matches!(fault, Fault::Only(..) | Fault::NoRequirement(_)).then_some(step)
    }

    fn here(&self) -> Here {
        match self.place {
            Standing::Node(node) => Here::Node(node),
            Standing::Relationship(node, requirement) => Here::Relationship((node, requirement)),
            Standing::Service => Here::Nowhere,
            Standing::Template | Standing::Workflow(_) => Here::Unknown,
        }
    }

    fn template(&self, name: &str) -> Found<Here> {
        self.node_named(name).map_or(Found::Unknown, |node| Found::Is(Here::Node(node)))
    }

    fn count(&self, node: usize) -> Option<u64> {
        number_of(self.service.nodes[node].count.as_ref())
    }

    fn is_particular(&self, _: usize) -> bool {
        true
    }

    fn capability(&self, node: usize, name: &str) -> Found<(usize, usize)> {
        let capability = self.service.nodes[node].capabilities.get_index_of(name);
        capability.map_or(Found::Missing, |capability| Found::Is((node, capability)))
    }

    fn relationship(&self, node: usize, name: &str, index: Option<usize>) -> Found<(usize, usize)> {
        match (self.incoming.of(self.service).named(node, name), index) {
            (None, _) if self.is_created(node) => Found::Missing,
            (Some(requirements), Some(index)) => requirements.pick(index).and_then(|number| Some((node, number))),
            (None, _) | (_, None) => Found::Unknown,
        }
    }

    fn relationships(&self, node: usize) -> Found<Vec<(&'s str, (usize, usize))>> {
        let requirements = self.service.nodes[node].requirements.iter().enumerate();
        Found::Is(requirements.map(|(number, requirement)| (&*requirement.name, (node, number))).collect())
    }

    fn is_hosting(&self, relationship: (usize, usize)) -> Option<bool> {
        Some(is_hosting(&self.requirement(relationship).relationship))
    }

    fn host(&self, node: usize, find: impl FnOnce() -> Found<(&'s str, usize)>) -> Found<(&'s str, usize)> {
        let requirements = &self.service.nodes[node].requirements;
        let number = |name| requirements.iter().position(|requirement| &*requirement.name == name);
        let find = || find().and_then(|(name, host)| Some((number(name)?, host)));
        self.incoming.host(node, find).and_then(|(number, host)| Some((&*requirements[number].name, host)))
    }

    fn source(&self, (node, _): (usize, usize)) -> Option<usize> {
        Some(node)
    }

    fn target(&self, relationship: (usize, usize)) -> Option<usize> {
        self.node_named(&self.requirement(relationship).target.as_ref()?.node)
    }

    fn target_capability(&self, relationship: (usize, usize)) -> Option<(usize, usize)> {
        let node = self.target(relationship)?;
        let name = self.requirement(relationship).target.as_ref()?.capability.as_deref()?;
        Some((node, self.service.nodes[node].capabilities.get_index_of(name)?))
    }

    fn incoming(&self, node: usize, capability: Option<(usize, usize)>, index: Option<usize>) -> Found<(usize, usize)> {
        let targets = self.incoming.of(self.service);
        let (Some(capability), Some(index)) = (capability, index) else { return Found::Unknown };
        let Some((_, target)) = self.service.nodes[capability.0].capabilities.get_index(capability.1) else {
            return Found::Unknown;
        };
        let relationships = targets.relationships(capability);
        let is_one = |node: usize| self.count(node) == Some(1);
        if targets.is_open(&target.types) || !is_one(node) || !relationships.iter().all(|(source, _)| is_one(*source)) {
            return Found::Unknown;
        }
        pick(relationships.iter().map(|found| (*found, number_of(self.requirement(*found).count.as_ref()))), index)
    }
}

/// Returns whether a relationship connects a node to its host.
pub(crate) fn is_hosting(relationship: &Relationship) -> bool {
    relationship.types.iter().any(|of_type| is_hosting_name(&of_type.name))
}
