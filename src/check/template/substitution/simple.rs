//! Substitution mappings before TOSCA 2.0, whose targets are pairs of a node template and a name (1.3, 3.8.12).

use super::{Check, Kind, Node, names, rules};
use crate::entity::{AnyId, Id, Value};
use crate::grammar::definition::RequirementDefinition;
use crate::grammar::quirk;
use crate::grammar::section::{INPUTS, OUTPUTS};
use crate::grammar::template::RequirementMapping;
use crate::grammar::template::SubstitutionMapping;
use crate::grammar::types::CapabilityType;
use crate::phase::DiagnosticExt;
use crate::relationships::requirement_targets;

impl<'a> Check<'_, 'a> {
    /// Checks the mappings of properties and attributes.
    pub(super) fn simple_values(&mut self, mapping: &SubstitutionMapping) {
        for (_, id) in &mapping.properties {
            let list = self.context.get(*id).and_then(|mapping| mapping.mapping);
            self.simple_value(id.any(), list, false);
        }
        for (_, id) in &mapping.attributes {
            let list = self.context.get(*id).and_then(|mapping| mapping.mapping);
            self.simple_value(id.any(), list, true);
        }
    }

    /// Checks the mapping of a property, which is either a list with one input or a value (decision B 8).
    fn simple_value(&mut self, id: AnyId, mapping: Option<Value>, is_attribute: bool) {
        let Some((node, key)) = self.nodes(id) else { return };
        let source = self.key(key, is_attribute);
        let section = if is_attribute { OUTPUTS } else { INPUTS };
        let list = mapping.and_then(|Value(list)| self.context.node(list));
        if let Some(list) = list.filter(|list| list.len() == 1) {
            for name in list.items().filter(|item| item.kind() == Kind::String) {
                if let (Some(source), Some(found)) = (&source, self.find(name, section)) {
                    self.check_type(source, found, name, is_attribute);
                }
            }
        } else if node.find("mapping").is_none() {
            let what = if is_attribute { "an output" } else { "an input" };
            let message = format!("expected the name of {what} in a list, not a value");
            let help = Some("write `[ name ]`".into());
            self.problem(&rules::VALUE_FOR_MAPPING, node, message, help);
            // A longer list may be the path to a mapping target.
            if let Some(source) = source.filter(|_| !is_attribute && node.kind() != Kind::List) {
                self.check_value(&source, node);
            }
        }
    }

    pub(super) fn simple_requirement(&mut self, id: Id<RequirementMapping>) {
        let Some((_, key)) = self.nodes(id.any()) else { return };
        let is_free = self.context.program.quirks.has(quirk::FREE_MAPPINGS);
        if let Some(node_type) = self.of_type()
            && self.named(key, &node_type.requirements).is_none()
            && !is_free
            && let Some(id) = self.node_type
        {
            let is_capability = self.named(key, &node_type.capabilities).is_some();
            let problem = self.not_in(id.any(), key, "requirement", names(&node_type.requirements));
            if is_capability {
                return;
            }
            problem.help(quirk::FREE_MAPPINGS.help());
        }
        let targets =
            self.context.get(id).map(|mapping| requirement_targets(mapping, self.context, self.id)).unwrap_or_default();
        for target in
            targets.into_iter().filter(|target| !(is_free && target.kind() == Kind::List && target.is_empty()))
        {
            let Some((template, member)) = self.pair(target, "requirement") else { continue };
            let Some((id, node_type)) = self.type_of(template) else { continue };
            match self.named(member, &node_type.requirements) {
                Some((found, _)) => self.requirement_types(key, member, found),
                None => {
                    self.not_in(id.any(), member, "requirement", names(&node_type.requirements));
                }
            }
        }
    }

    /// Checks that the target of the substituted node's requirement can fulfill the mapped requirement, so that one of
    /// the two capability types is derived from the other.
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
