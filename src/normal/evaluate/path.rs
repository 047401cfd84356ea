//! Following paths through a model: from where a value stands to the property that it gets.

use super::super::{Call, Name, Property, Relationship, Requirement, Value};
use super::Evaluator;

/// Something that has properties: the numbers of a node, and of its capability or requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Owner {
    /// The inputs of the service.
    Inputs,
    /// A node.
    Node(usize),
    /// A capability of a node.
    Capability(usize, usize),
    /// The relationship of a requirement of a node.
    Relationship(usize, usize),
}

impl Owner {
    /// Where its values stand. In those of a capability, `SELF` is the node that has it.
    fn place(self) -> Standing {
        match self {
            Self::Inputs => Standing::Service,
            Self::Node(node) | Self::Capability(node, _) => Standing::Node(node),
            Self::Relationship(node, requirement) => Standing::Relationship(node, requirement),
        }
    }
}

/// A property of something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Spot {
    pub(super) owner: Owner,
    pub(super) name: Name,
}

/// Where a value stands: what `SELF` is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// In a node.
    Node(usize),
    /// In a relationship.
    Relationship(usize, usize),
    /// In a relationship template, which may be used by any.
    Template,
    /// In the service itself.
    Service,
    /// In a workflow, whose inputs are not known.
    Workflow(usize),
}

/// Where a path has led.
#[derive(Clone, Copy, Debug)]
enum Here {
    Node(usize),
    Capability(usize, usize),
    Relationship(usize, usize),
}

impl Here {
    fn owner(self) -> Owner {
        match self {
            Self::Node(node) => Owner::Node(node),
            Self::Capability(node, capability) => Owner::Capability(node, capability),
            Self::Relationship(node, requirement) => Owner::Relationship(node, requirement),
        }
    }
}

impl<'s> Evaluator<'s> {
    /// The property at a spot.
    pub(super) fn property_at(&self, spot: &Spot) -> Option<&'s Property> {
        let service = self.service;
        let properties = match spot.owner {
            Owner::Inputs => &service.inputs,
            Owner::Node(node) => &service.nodes[node].properties,
            Owner::Capability(node, capability) => {
                &service.nodes[node].capabilities.get_index(capability)?.1.properties
            }
            Owner::Relationship(node, requirement) => {
                &service.nodes[node].requirements[requirement].relationship.properties
            }
        };
        properties.get(&spot.name).map(|property| &**property)
    }

    /// The value of the property at a spot, and where it stands. Nothing if it has none.
    pub(super) fn value_at(&self, spot: &Spot) -> Option<(&'s Value, Standing)> {
        let value = self.property_at(spot)?.value.as_ref()?;
        Some((value, spot.owner.place()))
    }

    /// Where a spot is in the model.
    pub(super) fn pointer_of(&self, spot: &Spot) -> String {
        let nodes = &self.service.nodes;
        let name = |node: usize| nodes.get_index(node).map_or("", |(name, _)| &**name);
        match spot.owner {
            Owner::Inputs => pointer(["inputs", &spot.name]),
            Owner::Node(node) => pointer(["nodes", name(node), "properties", &spot.name]),
            Owner::Capability(node, capability) => {
                let capability = nodes[node].capabilities.get_index(capability).map_or("", |(name, _)| &**name);
                pointer(["nodes", name(node), "capabilities", capability, "properties", &spot.name])
            }
            Owner::Relationship(node, requirement) => {
                let number = requirement.to_string();
                let way = ["nodes", name(node), "requirements", &number, "relationship", "properties", &spot.name];
                pointer(way)
            }
        }
    }

    /// The spot that a call gets a value from, and the arguments that lead into the value. Nothing if the call gets
    /// none, or if that is not known.
    pub(super) fn spot_of<'v>(
        &self,
        call: &Call,
        arguments: &'v [Value],
        place: Standing,
    ) -> Option<(Spot, &'v [Value])> {
        match (&*call.name, arguments) {
            ("get_input", [name, steps @ ..]) => {
                let name = name.as_str()?;
                if self.is_of_workflow(place, name) {
                    return None;
                }
                let (name, _) = self.service.inputs.get_key_value(name)?;
                Some((Spot { owner: Owner::Inputs, name: name.clone() }, steps))
            }
            ("get_property", _) if self.is_simple => self.simple_path(arguments, place),
            ("get_property", _) => self.path(arguments, place),
            _ => None,
        }
    }

    fn is_of_workflow(&self, place: Standing, name: &str) -> bool {
        matches!(place, Standing::Workflow(number) if self.service.workflows[number].inputs.contains_key(name))
    }

    fn spot<'v>(&self, here: Here, arguments: &'v [Value]) -> Option<(Spot, &'v [Value])> {
        let (name, steps) = arguments.split_first()?;
        let spot = Spot { owner: here.owner(), name: name.as_str()?.into() };
        self.property_at(&spot).map(|_| (spot, steps))
    }

    fn start(&self, head: &Value, place: Standing) -> Option<Here> {
        match (head.as_str()?, place) {
            ("SELF", Standing::Node(node)) => Some(Here::Node(node)),
            ("SELF", Standing::Relationship(node, requirement)) => Some(Here::Relationship(node, requirement)),
            ("SELF", _) => None,
            (name, _) => self.node_named(name).map(Here::Node),
        }
    }

    fn node_named(&self, name: &str) -> Option<usize> {
        let node = self.service.nodes.get_index_of(name)?;
        // What a node is like that is taken from elsewhere is not known.
        let directives = &self.service.nodes[node].directives;
        directives.first().is_none_or(|first| &**first == "create").then_some(node)
    }

    /// A path of 2.0 (2.0, 10.3).
    fn path<'v>(&self, arguments: &'v [Value], place: Standing) -> Option<(Spot, &'v [Value])> {
        let (head, mut rest) = arguments.split_first()?;
        let mut here = self.start(head, place)?;
        if head.as_str() != Some("SELF") {
            rest = without_index(rest)?.1;
        }
        // The last argument is what is sought, whatever it is called.
        while rest.len() > 1 {
            let keyword = rest[0].as_str()?;
            (here, rest) = match (here, keyword) {
                (Here::Node(node), "RELATIONSHIP") => {
                    let name = rest.get(1)?.as_str()?;
                    let (index, after) = without_index(rest.get(2..)?)?;
                    (Here::Relationship(node, self.requirement_named(node, name, index)?), after)
                }
                (Here::Node(node), "CAPABILITY") => {
                    let capability = self.service.nodes[node].capabilities.get_index_of(rest.get(1)?.as_str()?)?;
                    (Here::Capability(node, capability), rest.get(2..)?)
                }
                (Here::Relationship(node, _), "SOURCE") => (Here::Node(node), &rest[1..]),
                (Here::Relationship(node, number), "TARGET") => {
                    (Here::Node(self.target(&self.service.nodes[node].requirements[number])?), &rest[1..])
                }
                (Here::Relationship(node, number), "CAPABILITY") => {
                    (self.target_capability(&self.service.nodes[node].requirements[number])?, &rest[1..])
                }
                _ => break,
            };
        }
        self.spot(here, rest)
    }

    /// The number of a requirement of a node, among those that have a name.
    fn requirement_named(&self, node: usize, name: &str, index: usize) -> Option<usize> {
        let requirements = self.service.nodes[node].requirements.iter().enumerate();
        let mut of_name = requirements.filter(|(_, requirement)| &*requirement.name == name);
        // Requirements of which several relationships are made shift the numbers of the others.
        let mut skipped = of_name.clone().take(index);
        let are_single = skipped.all(|(_, requirement)| requirement.count.is_none());
        of_name.nth(index).filter(|_| are_single).map(|(number, _)| number)
    }

    fn target(&self, requirement: &Requirement) -> Option<usize> {
        self.node_named(&requirement.target.as_ref()?.node)
    }

    fn target_capability(&self, requirement: &Requirement) -> Option<Here> {
        let (node, target) = (self.target(requirement)?, requirement.target.as_ref()?);
        let capability = self.service.nodes[node].capabilities.get_index_of(target.capability.as_deref()?)?;
        Some(Here::Capability(node, capability))
    }

    /// A short path of a version before 2.0: an entity, a requirement or capability if need be, and a property.
    fn simple_path<'v>(&self, arguments: &'v [Value], place: Standing) -> Option<(Spot, &'v [Value])> {
        let (head, rest) = arguments.split_first()?;
        let here = match (head.as_str()?, place) {
            ("SOURCE", Standing::Relationship(node, _)) => Here::Node(node),
            ("TARGET", Standing::Relationship(node, number)) => {
                Here::Node(self.target(&self.service.nodes[node].requirements[number])?)
            }
            ("HOST", Standing::Node(node)) => return self.of_hosts(node, rest),
            ("SOURCE" | "TARGET" | "HOST" | "ORCHESTRATOR", _) => return None,
            _ => self.start(head, place)?,
        };
        self.simple_within(here, rest).or_else(|| self.spot(here, rest))
    }

    /// A requirement leads to whatever is at its other end that has the property.
    fn simple_within<'v>(&self, here: Here, rest: &'v [Value]) -> Option<(Spot, &'v [Value])> {
        let (Here::Node(node), [name, after @ ..]) = (here, rest) else { return None };
        let name = name.as_str().filter(|_| !after.is_empty())?;
        if let Some(capability) = self.service.nodes[node].capabilities.get_index_of(name) {
            return self.spot(Here::Capability(node, capability), after);
        }
        let (index, after) = without_index(after)?;
        let number = self.requirement_named(node, name, index)?;
        let requirement = &self.service.nodes[node].requirements[number];
        let places = [
            self.target_capability(requirement),
            self.target(requirement).map(Here::Node),
            Some(Here::Relationship(node, number)),
        ];
        places.into_iter().flatten().find_map(|here| self.spot(here, after))
    }

    /// What the nearest of the hosts below each other has.
    fn of_hosts<'v>(&self, start: usize, rest: &'v [Value]) -> Option<(Spot, &'v [Value])> {
        /// More hosts than are ever below each other.
        const MANY: usize = 64;
        let mut node = start;
        for _ in 0..MANY {
            let is_host = |requirement: &&Requirement| is_hosting(&requirement.relationship);
            let host = self.service.nodes[node].requirements.iter().find(is_host)?;
            node = self.target(host)?;
            let here = Here::Node(node);
            if let Some(found) = self.spot(here, rest).or_else(|| self.simple_within(here, rest)) {
                return Some(found);
            }
        }
        None
    }
}

/// Whether a relationship says what a node runs on.
pub(crate) fn is_hosting(relationship: &Relationship) -> bool {
    let names = relationship.types.iter().map(|of_type| &*of_type.name);
    names.into_iter().any(|name| matches!(name, "tosca.relationships.HostedOn" | "HostedOn"))
}

/// An index, if there is one at the start, and what follows it. Nothing if it can't be known.
fn without_index(steps: &[Value]) -> Option<(usize, &[Value])> {
    match steps {
        [Value::Integer(index), rest @ ..] => Some((usize::try_from(*index).ok()?, rest)),
        [Value::String(_), ..] if steps[0].as_str() == Some("ALL") => None,
        [Value::Call(_), _, ..] => None,
        _ => Some((0, steps)),
    }
}

/// A JSON pointer (RFC 6901).
pub(crate) fn pointer<'p>(steps: impl IntoIterator<Item = &'p str>) -> String {
    let mut pointer = String::new();
    for step in steps {
        pointer.push('/');
        pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
    }
    pointer
}
