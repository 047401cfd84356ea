//! Substitution mappings before TOSCA 2.0: everything is mapped to a pair of a node template and a name (1.3, 3.8.12).

use super::super::super::definition::RequirementDefinition;
use super::super::super::quirk;
use super::super::super::section::{INPUTS, NODE_TEMPLATES, OUTPUTS, WORKFLOWS};
use super::super::super::types::CapabilityType;
use crate::entity::Id;
use crate::phase::Explain;

use super::values::MappedValue;
use super::{Check, Entry, Kind, Node, names, rules};

impl<'a> Check<'_, 'a> {
    /// Checks a mapping in its form before 2.0.
    pub(super) fn simple(&mut self, nodes: [Option<Node<'a>>; 5]) {
        let [properties, attributes, capabilities, requirements, interfaces] = nodes;
        for entry in self.entries(properties, "properties") {
            let source = self.key(entry.key, false);
            self.simple_value(entry.value, source, false);
        }
        for entry in self.entries(attributes, "attributes") {
            let source = self.key(entry.key, true);
            self.simple_value(entry.value, source, true);
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
                    self.find(template, NODE_TEMPLATES);
                }
                continue;
            }
            if !self.context.program.quirks.has(quirk::FREE_MAPPINGS) {
                self.interface(entry);
            }
            for operation in self.entries(Some(entry.value), entry.key.text()) {
                if operation.value.kind() == Kind::String {
                    self.find(operation.value, WORKFLOWS);
                }
            }
        }
    }

    /// A property is mapped to an input, in a list of one, or has a value of its own (decision B 8).
    fn simple_value(&mut self, node: Node<'a>, source: Option<MappedValue<'a>>, is_attribute: bool) {
        let section = if is_attribute { OUTPUTS } else { INPUTS };
        let is_long = node.find("mapping").is_some();
        let node = mapped(node);
        if node.kind() == Kind::List && node.len() == 1 {
            for name in node.items().filter(|item| item.kind() == Kind::String) {
                if let (Some(source), Some(found)) = (&source, self.find(name, section)) {
                    self.check_type(source, found, name, is_attribute);
                }
            }
        } else if !is_long {
            let what = if is_attribute { "an output" } else { "an input" };
            let message = format!("a value stands where the name of {what} is expected, in a list of one");
            let help = Some("write `[ name ]`".to_owned());
            self.problem(&rules::VALUE_FOR_MAPPING, node, message, help);
            // A longer list may be the path of what it is mapped to.
            if let Some(source) = source.filter(|_| !is_attribute && node.kind() != Kind::List) {
                self.check_value(&source, node);
            }
        }
    }

    /// Requirements are mapped in a map or in a list of maps with one entry each (decision B 7).
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
            && !self.context.program.quirks.has(quirk::FREE_MAPPINGS)
            && let Some(id) = self.node_type
        {
            self.not_in(id.any(), entry.key, "requirement", names(&node_type.requirements))
                .help(quirk::FREE_MAPPINGS.help());
        }
        let is_free = self.context.program.quirks.has(quirk::FREE_MAPPINGS);
        let target = mapped(entry.value);
        if is_free && target.kind() == Kind::List && target.is_empty() {
            return;
        }
        let Some((template, member)) = self.pair(target, "requirement") else { return };
        let Some((id, node_type)) = self.type_of(template) else { return };
        let symbol = self.context.program.interner.get(member.text());
        match symbol.and_then(|symbol| node_type.requirements.get(symbol)) {
            Some(found) => self.requirement_types(entry.key, member, found),
            None => {
                self.not_in(id.any(), member, "requirement", names(&node_type.requirements));
            }
        }
    }

    /// What fulfils the requirement of the substituted node must be able to fulfil the one that it is mapped to, so one
    /// of their capability types must be derived from the other.
    pub(super) fn requirement_types(&mut self, key: Node<'a>, member: Node<'a>, found: Id<RequirementDefinition>) {
        let capability = |id: Id<RequirementDefinition>| self.context.get(id)?.capability;
        let wanted =
            self.of_type().and_then(|of_type| of_type.requirements.get(self.context.program.interner.get(key.text())?));
        let types = wanted.and_then(|wanted| {
            let of = |id| self.context.any_target(capability(id)?)?.cast::<CapabilityType>();
            Some((of(wanted)?, of(found)?))
        });
        let Some((wanted_type, found_type)) = types else { return };
        let program = self.context.program;
        if program.is_a(found_type.any(), wanted_type.any()) || program.is_a(wanted_type.any(), found_type.any()) {
            return;
        }
        let message = format!(
            "requirement `{}` needs a capability of type `{}`, but `{}` needs one of type `{}`",
            member.text(),
            program.name(found_type.any()),
            key.text(),
            program.name(wanted_type.any())
        );
        let defined = wanted.and_then(|wanted| program.name_span(wanted.any()));
        let help = format!("map a requirement that needs a `{}`", program.name(wanted_type.any()));
        self.context
            .problem(&rules::WRONG_MAPPED_TYPE, Some(member.span()), message)
            .related(defined, "defined here")
            .help(help);
    }
}

/// What is mapped to: in the long form it stands beside values that are assigned.
fn mapped(node: Node<'_>) -> Node<'_> {
    node.find("mapping").map_or(node, |entry| entry.value)
}
