//! Mappings of properties to inputs, and of outputs to attributes (2.0, 15.2 and 15.3).

use super::{Check, names};
use crate::ard::{Kind, Node};
use crate::data::{DataKind, Judge, Schema, Typed, ValueContext};
use crate::diagnostic::suggest::nearest;
use crate::entity::{AnyId, Id, Members, Sequence, Value};
use crate::grammar::definition::{AttributeDefinition, ParameterDefinition, PropertyDefinition};
use crate::grammar::section::{INPUTS, OUTPUTS};
use crate::grammar::template::ServiceTemplate;
use crate::grammar::template::{AttributeMapping, PropertyMapping};
use crate::grammar::version::V2_0;
use crate::phase::DiagnosticExt;
use crate::rules;

/// A mapped property or attribute.
pub(super) struct MappedValue<'a> {
    title: String,
    schema: Schema<'a>,
    /// Whether the mapping refers to all relationships of a requirement, so that the value is a list.
    is_all: bool,
}

impl<'a> Check<'_, 'a> {
    /// Finds the property or attribute that a key refers to by its name, or by a list that leads to it.
    pub(super) fn key(&mut self, key: Node<'a>, is_attribute: bool) -> Option<MappedValue<'a>> {
        let node_type = self.of_type()?;
        let what = if is_attribute { "attribute" } else { "property" };
        if key.kind() == Kind::String {
            let owner = self.node_type.map(Id::any)?;
            return self.member(owner, key, (&node_type.properties, &node_type.attributes), is_attribute);
        }
        let steps: Vec<Node<'a>> = key.items().collect();
        match (steps.first().map(|step| step.text()), &steps[..]) {
            (Some("CAPABILITY"), [_, name, member]) => {
                let symbol = self.context.program.interner.get(name.text());
                let capability = symbol.and_then(|name| node_type.capabilities.get(name));
                let Some((id, capability)) = capability.and_then(|id| Some((id, self.context.get(id)?))) else {
                    self.not_of_type(*name, "capability", names(&node_type.capabilities));
                    return None;
                };
                self.member(id.any(), *member, (&capability.properties, &capability.attributes), is_attribute)
            }
            (Some("RELATIONSHIP"), [_, name, index @ .., member]) if index.len() <= 1 => {
                let symbol = self.context.program.interner.get(name.text());
                let Some(requirement) = symbol.and_then(|name| node_type.requirements.get(name)) else {
                    self.not_of_type(*name, "requirement", names(&node_type.requirements));
                    return None;
                };
                let is_all = index.iter().any(|index| index.kind() == Kind::String && index.text() == "ALL");
                if let Some(index) = index.iter().find(|index| !is_all && index.as_integer().is_none_or(|it| it < 0)) {
                    let help = Some("an index is a non-negative integer or `ALL`".into());
                    self.problem(&rules::UNRESOLVED_PATH, *index, format!("`{}` is not an index", index.text()), help);
                    return None;
                }
                let definition = self.context.get(self.context.get(requirement)?.relationship?)?;
                let id = self.context.target_of(definition.r#type)?;
                let of_type = self.context.get(id)?;
                let found = self.member(id.any(), *member, (&of_type.properties, &of_type.attributes), is_attribute)?;
                Some(MappedValue { is_all, ..found })
            }
            _ => {
                let expected = format!(
                    "the name of the {what}, `[ CAPABILITY, capability, {what} ]` or `[ RELATIONSHIP, requirement, index, {what} ]`"
                );
                self.wrong_kind(key, "the key of a mapping", &expected);
                None
            }
        }
    }

    /// Finds a property or an attribute. An attribute may be the reflection of a property.
    fn member(
        &mut self,
        owner: AnyId,
        name: Node<'a>,
        (properties, attributes): (&'a Members<PropertyDefinition>, &'a Members<AttributeDefinition>),
        is_attribute: bool,
    ) -> Option<MappedValue<'a>> {
        let context = &*self.context;
        let symbol = context.program.interner.get(name.text());
        let attribute = symbol.filter(|_| is_attribute).and_then(|name| attributes.get(name));
        let attribute = attribute.and_then(|id| Some(context.get(id)?.schema(context, id)));
        let property = symbol.and_then(|name| properties.get(name));
        let schema = attribute.or_else(|| property.and_then(|id| Some(context.get(id)?.schema(context, id))));
        let what = if is_attribute { "attribute" } else { "property" };
        if schema.is_none() {
            let attributes = Some(attributes).filter(|_| is_attribute).into_iter().flat_map(names);
            self.not_in(owner, name, what, names(properties).chain(attributes));
        }
        Some(MappedValue { title: format!("{what} `{}`", name.text()), schema: schema?, is_all: false })
    }

    /// Checks that mapped values have the same type (2.0, 15.2 and 15.3).
    pub(super) fn check_type(&mut self, source: &MappedValue<'a>, parameter: AnyId, at: Node<'a>, is_attribute: bool) {
        let context = &*self.context;
        let definition = parameter.cast::<ParameterDefinition>().and_then(|id| Some((id, context.get(id)?)));
        let Some((id, definition)) = definition else { return };
        if is_attribute && definition.r#type.is_none() && !source.is_all {
            if let Some(value) = definition.value.and_then(|Value(value)| context.node(value)) {
                self.check_untyped(source, id, value);
            }
            return;
        }
        let schema = definition.schema(context, id);
        let mapped = if source.is_all { schema.entries(context) } else { Some(schema) };
        // Before 2.0, a type may be mapped to one of its ancestors or descendants.
        let holds = if context.version(self.id) < V2_0 { Schema::may_hold } else { Schema::holds_all };
        let fits = match mapped {
            Some(mapped) if is_attribute => holds(&source.schema, context, &mapped),
            Some(mapped) => holds(&mapped, context, &source.schema),
            None => schema.kind(context).is_none_or(|kind| kind == DataKind::List),
        };
        if fits {
            return;
        }
        let of_source = if source.is_all {
            format!("a list of `{}`", source.schema.type_name(context))
        } else {
            source.schema.phrase(context).unwrap_or_default()
        };
        let of_parameter = schema.phrase(context).unwrap_or_default();
        let message = if is_attribute {
            format!("output `{}` is {of_parameter}, but {} is {of_source}", at.text(), source.title)
        } else {
            format!("{} is {of_source}, but input `{}` is {of_parameter}", source.title, at.text())
        };
        let defined = source.schema.definition.and_then(|id| context.program.name_span(id));
        let declared = context.program.name_span(parameter);
        self.context
            .problem(&rules::WRONG_MAPPED_TYPE, Some(at.span()), message)
            .related(defined, "first one")
            .related(declared, "second one")
            .help("give both the same type");
    }

    /// Checks the value of an output without a type, which is valid by itself.
    fn check_untyped(&mut self, source: &MappedValue<'a>, output: Id<ParameterDefinition>, value: Node<'a>) {
        let mut judge = Judge::new(self.context, ValueContext::of(output.any()));
        if judge.is_fit(value, &Schema::of_type(None)) {
            judge.check(value, &source.schema);
        }
    }

    /// Checks a value in place of a mapping. In the long form, the value is under the keyname `value`.
    pub(super) fn check_value(&mut self, source: &MappedValue<'a>, node: Node<'a>) {
        let value = node.find("value").filter(|_| node.len() == 1).map_or(node, |entry| entry.value);
        Judge::new(self.context, ValueContext::of(self.id)).check(value, &source.schema);
    }

    pub(super) fn properties(&mut self, mappings: &Sequence<PropertyMapping>) {
        let (mut mapped, mut meant) = (Vec::new(), Vec::new());
        for (_, id) in mappings {
            let Some((node, key)) = self.nodes(id.any()) else { continue };
            let source = self.key(key, false);
            let input = self.target(self.context.get(*id).and_then(|mapping| mapping.input), INPUTS);
            if let (Some(source), Some(input)) = (source, input) {
                self.check_type(&source, input.any(), node, false);
            }
            if input.is_none() {
                meant.extend([node.text(), key.text()]);
            }
            mapped.extend(input.map(Id::any));
        }
        self.check_unmapped(&mapped, &meant);
    }

    /// Checks that every required input is mapped to a property of the node (2.0, 15.2). An input also counts as mapped
    /// if a reported mapping probably refers to it: its name is similar to the name in the mapping or is the name of
    /// the property.
    fn check_unmapped(&mut self, mapped: &[AnyId], meant: &[&str]) {
        // Without a node type, there is nothing to map; a missing one has been reported.
        let owner =
            self.node_type.and_then(|_| self.context.program.owners(self.id).find_map(AnyId::cast::<ServiceTemplate>));
        let Some(service) = owner.and_then(|id| self.context.get(id)) else { return };
        for (name, id) in service.inputs.iter() {
            let Some(input): Option<&ParameterDefinition> = self.context.get(id) else { continue };
            let text = self.context.text(name);
            let is_meant = || meant.iter().any(|meant| *meant == text || nearest(meant, [text]).is_some());
            if input.is_required() && !input.has_value() && !mapped.contains(&id.any()) && !is_meant() {
                let message =
                    format!("no property is mapped to input `{}`, which needs a value", self.context.text(name));
                let at = self.context.program.keyname_span(self.id, "node_type");
                let input = self.context.program.name_span(id.any());
                self.context
                    .problem(&rules::UNMAPPED_INPUT, at, message)
                    .related(input, "input declared here")
                    .help("map a property to the input, or give the input a default");
            }
        }
    }

    pub(super) fn attributes(&mut self, mappings: &Sequence<AttributeMapping>) {
        for (_, id) in mappings {
            let Some((node, key)) = self.nodes(id.any()) else { continue };
            let source = self.key(key, true);
            let output = self.target(self.context.get(*id).and_then(|mapping| mapping.output), OUTPUTS);
            if let (Some(source), Some(output)) = (source, output) {
                self.check_type(&source, output.any(), node, true);
            }
        }
    }
}
