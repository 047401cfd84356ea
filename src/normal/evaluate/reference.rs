//! References: the inputs, properties and attributes that remaining calls read.

use super::super::{Call, CallReference, Name, Value};
use super::evaluator::Evaluator;
use super::owner::{Owner, Standing, pointer};

impl Evaluator<'_> {
    /// Returns the references of the calls in a value, as far as they are known before deployment.
    pub(super) fn references(&self, value: &Value, place: Standing) -> Vec<CallReference> {
        let mut references = Vec::new();
        self.note_references(value, place, &mut String::new(), &mut references);
        references
    }

    fn note_references(&self, value: &Value, place: Standing, at: &mut String, references: &mut Vec<CallReference>) {
        let length = at.len();
        let mut note = |step: &str, value: &Value| {
            at.push_str(step);
            self.note_references(value, place, at, references);
            at.truncate(length);
        };
        match value {
            Value::List(items) => {
                items.iter().enumerate().for_each(|(index, item)| note(&format!("/{index}"), item));
            }
            Value::Map(entries) => {
                for (key, value) in entries.iter() {
                    // The serialized form of the key.
                    let escape = if key.starts_with('$') { "$" } else { "" };
                    note(&pointer([&*format!("{escape}{key}")]), value);
                }
            }
            Value::Call(call) => {
                for (index, argument) in call.arguments.iter().enumerate() {
                    note(&format!("/$call/arguments/{index}"), argument);
                }
                if let Some(reference) = self.reference(call, place) {
                    references.push(CallReference { at: at.clone(), ..reference });
                }
            }
            _ => {}
        }
    }

    fn reference(&self, call: &Call, place: Standing) -> Option<CallReference> {
        if call.origin.is_some() {
            return None;
        }
        match &*call.name {
            "get_input" => {
                let (id, path) = self.id_of(call, &call.arguments, place)?;
                Some(CallReference { input: Some(id.name), path: path.to_vec(), ..CallReference::default() })
            }
            "get_property" | "get_attribute" => {
                let is_attribute = &*call.name == "get_attribute";
                self.owners(&call.arguments, place)?.find_map(|(owner, rest)| {
                    let (name, path) = rest.split_first()?;
                    self.reference_to(owner, name.as_str()?, is_attribute, path)
                })
            }
            _ => None,
        }
    }

    /// Returns the reference to a property, or to an attribute if `is_attribute` is set. A property is an attribute, too.
    fn reference_to(&self, owner: Owner, name: &str, is_attribute: bool, path: &[Value]) -> Option<CallReference> {
        let (index, capability, requirement) = match owner {
            Owner::Inputs => return None,
            Owner::Node(node) | Owner::Attributes(node) => (node, None, None),
            Owner::Capability(node, capability) => (node, Some(capability), None),
            Owner::Relationship(node, requirement) => (node, None, Some(requirement)),
        };
        let (node_name, node) = self.service.nodes.get_index(index)?;
        let capability = capability.and_then(|capability| node.capabilities.get_index(capability));
        let (properties, attributes) = match (capability, requirement) {
            (Some((_, capability)), _) => (&capability.properties, &capability.attributes),
            (None, Some(requirement)) => {
                let relationship = &node.requirements[requirement].relationship;
                (&relationship.properties, &relationship.attributes)
            }
            (None, None) => (&node.properties, &node.attributes),
        };
        let has_attribute = is_attribute && attributes.contains_key(name);
        if !has_attribute && !properties.contains_key(name) {
            return None;
        }
        let name = Some(Name::from(name));
        let (property, attribute) = if has_attribute { (None, name) } else { (name, None) };
        Some(CallReference {
            at: String::new(),
            input: None,
            node: Some(node_name.clone()),
            capability: capability.map(|(name, _)| name.clone()),
            requirement,
            property,
            attribute,
            path: path.to_vec(),
        })
    }
}
