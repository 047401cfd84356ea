//! Substitution mappings before TOSCA 2.0: everything is mapped to a pair of a node template and a name (1.3, 3.8.12).

use super::super::super::section::{INPUTS, NODE_TEMPLATES, OUTPUTS, WORKFLOWS};
use crate::entity::Quirk;

use super::{Check, Entry, Kind, Node, rules};

impl<'a> Check<'_, 'a> {
    /// Checks a mapping in its form before 2.0.
    pub(super) fn simple(&mut self, nodes: [Option<Node<'a>>; 5]) {
        let [properties, attributes, capabilities, requirements, interfaces] = nodes;
        for entry in self.entries(properties, "properties") {
            self.check_key(entry.key, false);
            self.simple_value(entry.value, INPUTS, "an input");
        }
        for entry in self.entries(attributes, "attributes") {
            self.check_key(entry.key, true);
            self.simple_value(entry.value, OUTPUTS, "an output");
        }
        for entry in self.entries(capabilities, "capabilities") {
            self.capability(Entry { value: mapped(entry.value), ..entry });
        }
        for entry in self.simple_requirements(requirements) {
            self.simple_requirement(entry);
        }
        for entry in self.entries(interfaces, "interfaces") {
            if entry.value.kind() == Kind::List {
                // The interface of a node template.
                if let Some(template) = entry.value.items().next() {
                    self.find(template, NODE_TEMPLATES, "a node template");
                }
                continue;
            }
            for operation in self.entries(Some(entry.value), entry.key.text()) {
                if operation.value.kind() == Kind::String {
                    self.find(operation.value, WORKFLOWS, "a workflow");
                }
            }
        }
    }

    /// A property is mapped to an input, in a list of one, or has a value of its own (decision B8).
    fn simple_value(&mut self, node: Node<'a>, section: crate::entity::Section, what: &str) {
        let node = mapped(node);
        if node.kind() == Kind::List && node.len() == 1 {
            node.items().filter(|item| item.kind() == Kind::String).for_each(|name| {
                self.find(name, section, what);
            });
        }
    }

    /// Requirements are mapped in a map or in a list of maps with one entry each (decision B7).
    fn simple_requirements(&mut self, node: Option<Node<'a>>) -> Vec<Entry<'a>> {
        let Some(list) = node.filter(|node| node.kind() == Kind::List) else {
            return self.entries(node, "requirements");
        };
        let mut entries = Vec::new();
        for item in list.items() {
            if item.kind() == Kind::Map && item.len() == 1 {
                entries.extend(item.entries());
            } else {
                let message = "a requirement mapping must be a map with one entry".to_owned();
                let help = Some("write `- name: [ node template, requirement ]`".to_owned());
                self.problem(&rules::NOT_ONE_ENTRY, item, message, help);
            }
        }
        entries
    }

    fn simple_requirement(&mut self, entry: Entry<'a>) {
        let name = |symbol| self.context.program.interner.get(symbol);
        if let Some(node_type) = self.of_type()
            && name(entry.key.text()).and_then(|symbol| node_type.requirements.get(symbol)).is_none()
            && !self.context.program.quirks.has(Quirk::FreeMappings)
        {
            let names: Vec<&str> = node_type.requirements.iter().map(|(name, _)| self.context.text(name)).collect();
            self.not_of_type(entry.key, "requirement", &names);
        }
        let Some((template, member)) = self.pair(mapped(entry.value), "requirement") else { return };
        let Some((id, node_type)) = self.type_of(template) else { return };
        let symbol = self.context.program.interner.get(member.text());
        if symbol.and_then(|symbol| node_type.requirements.get(symbol)).is_none() {
            let names: Vec<&str> = node_type.requirements.iter().map(|(name, _)| self.context.text(name)).collect();
            self.not_in(id.any(), member, "requirement", &names);
        }
    }
}

/// What is mapped to: in the long form it stands beside values that are assigned.
fn mapped(node: Node<'_>) -> Node<'_> {
    node.find("mapping").map_or(node, |entry| entry.value)
}
