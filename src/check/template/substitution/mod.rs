//! Substitution mappings (2.0, chapter 15).

mod simple;
mod values;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::requirement_check::relationships;
use crate::ard::{Kind, Node};
use crate::check::definition::filter::check_node_filter;
use crate::diagnostic::{Help, Rule, Span};
use crate::entity::{AnyId, Checked, Checks, Entity, Id, Members, NodeRef, Reference, Section, Text};
use crate::grammar::quirk;
use crate::grammar::section::{NODE_TEMPLATES, SECTIONS, WORKFLOWS};
use crate::grammar::template::{CapabilityMapping, InterfaceMapping, RequirementMapping};
use crate::grammar::template::{NodeTemplate, RequirementAssignment, SubstitutionMapping};
use crate::grammar::types::NodeType;
use crate::grammar::version::V2_0;
use crate::phase::rendering::RenderedEntity;
use crate::phase::{Context, DiagnosticBuilder, DiagnosticExt};
use crate::relationships::requirement_targets;
use crate::rules;
use crate::symbol::Symbol;

impl Checked for SubstitutionMapping {
    const CHECKS: Checks<Self> = Checks::NEW.render(render);
}

fn render(mapping: &SubstitutionMapping, context: &mut Context<'_>, id: Id<SubstitutionMapping>) {
    let id = id.any();
    let is_simple = context.version(id) < V2_0;
    let node_type = mapping.node_type.and_then(|reference| context.target(reference));
    if let Some(filter) = mapping.substitution_filter {
        check_node_filter(context, id, filter, node_type);
    }
    let mut check = Check { context, id, node_type, fulfilled: FxHashMap::default() };
    if is_simple {
        check.simple_values(mapping);
    } else {
        check.properties(&mapping.properties);
        check.attributes(&mapping.attributes);
    }
    for (_, id) in mapping.capabilities.iter() {
        check.capability(id);
    }
    if is_simple {
        mapping.requirements().for_each(|id| check.simple_requirement(id));
    } else {
        let mapped: Vec<Mapped<'_>> = mapping.requirements().filter_map(|id| check.requirement(id)).collect();
        check.check_counts(&mapped);
    }
    for (_, id) in mapping.interfaces.iter() {
        check.interface(id);
    }
}

struct Check<'c, 'a> {
    context: &'c mut Context<'a>,
    id: AnyId,
    node_type: Option<Id<NodeType>>,
    /// The nodes that fulfill requirements, by the name of the requirement, of each mapped node template.
    fulfilled: FxHashMap<Id<NodeTemplate>, FxHashMap<Symbol, Reference<()>>>,
}

/// The mapping of a requirement.
struct Mapped<'a> {
    name: Node<'a>,
    /// The number of mapped assignments; `None` for all that remain.
    count: Option<u64>,
    targets: Vec<Node<'a>>,
}

impl<'a> Check<'_, 'a> {
    fn of_type(&self) -> Option<&'a NodeType> {
        self.context.get(self.node_type?)
    }

    /// Returns the YAML nodes of an entity's body and name.
    fn nodes(&self, id: AnyId) -> Option<(Node<'a>, Node<'a>)> {
        let header = self.context.header(id)?;
        let node = |node| self.context.node(NodeRef { unit: id.unit, node });
        Some((node(header.node)?, node(header.key)?))
    }

    /// Returns the member with the name in a YAML node.
    fn named<E: Entity>(&self, node: Node<'_>, members: &Members<E>) -> Option<(Id<E>, &'a E)> {
        let id = members.get(self.context.program.interner.get(node.text())?)?;
        Some((id, self.context.get(id)?))
    }

    fn problem(&mut self, rule: &'static Rule, node: Node<'_>, message: String, help: Option<Help>) {
        self.context.problem(rule, Some(node.span()), message).help_if(help);
    }

    fn wrong_kind(&mut self, node: Node<'_>, what: &str, expected: &str) {
        let message = format!("{what} must be {expected}, not {}", crate::phase::read::with_article(node));
        self.problem(&rules::WRONG_KIND, node, message, None);
    }

    /// Returns the target of a reference. Reports a reference without a target.
    fn target<T: Entity>(&mut self, reference: Option<Reference<T>>, section: Section) -> Option<Id<T>> {
        let reference = reference?;
        let found = self.context.target(reference);
        if found.is_none()
            && !self.context.names_incomplete(reference)
            && let Some(at) = self.context.reference_span(reference)
        {
            self.unknown(self.context.text(reference.name), at, section);
        }
        found
    }

    fn unknown(&mut self, name: &str, at: Span, section: Section) {
        let title = SECTIONS[usize::from(section.0)].title;
        let visible = self.context.program.visible(self.id.unit, section);
        let names = visible.into_iter().map(|(name, _)| name);
        let help = self.context.did_you_mean(name, names, "there are");
        let message = format!("there is no {title} `{name}`");
        self.context.problem(&rules::UNKNOWN_MAPPED, Some(at), message).help_if(help);
    }

    /// Looks up a name in the given section.
    fn find(&mut self, node: Node<'a>, section: Section) -> Option<AnyId> {
        let what = &SECTIONS[usize::from(section.0)];
        if node.kind() != Kind::String {
            self.wrong_kind(node, &format!("the name of {}", what.with_article()), "a string");
            return None;
        }
        let symbol = self.context.intern(node.text());
        let found = self.context.resolve(self.id, section, symbol).id();
        if found.is_none() {
            self.unknown(node.text(), node.span(), section);
        }
        found
    }

    /// Reports a name that the node type does not declare.
    fn not_of_type(&mut self, node: Node<'a>, what: &str, names: impl Iterator<Item = Symbol>) {
        if let Some(node_type) = self.node_type {
            self.not_in(node_type.any(), node, what, names);
        }
    }

    /// Reports a name that an entity does not declare.
    fn not_in(
        &mut self,
        owner: AnyId,
        node: Node<'a>,
        what: &str,
        names: impl Iterator<Item = Symbol>,
    ) -> Option<DiagnosticBuilder<'_>> {
        let context = &mut *self.context;
        let mut names = names.map(|name| context.text(name)).peekable();
        let message = format!("{} has no {what} `{}`", context.describe(owner), node.text());
        let other = other_section(context, owner, node.text(), what);
        let is_implicit = context.program.unit(owner.unit).is_none_or(|unit| unit.implicit.is_some());
        let help = match (other, names.peek()) {
            (Some(other), _) => Some(other.into()),
            (None, Some(_)) => context.did_you_mean(node.text(), names, "it has"),
            (None, None) if is_implicit => Some("it has none; remove the mapping".into()),
            (None, None) => {
                Some(format!("it has none; remove the mapping, or add one to {}", context.describe(owner)).into())
            }
        };
        let defined = context.program.name_span(owner);
        context
            .problem(&rules::UNKNOWN_MAPPED, Some(node.span()), message)
            .related(defined, "defined here")
            .help_if(help)
    }

    /// Returns a node template and the name of one of its members.
    fn pair(&mut self, node: Node<'a>, what: &str) -> Option<(Id<NodeTemplate>, Node<'a>)> {
        let mut items = node.items();
        let (Some(template), Some(member), None) = (items.next(), items.next(), items.next()) else {
            self.wrong_kind(node, &format!("the target of a {what} mapping"), &format!("`[ node template, {what} ]`"));
            return None;
        };
        let template = self.find(template, NODE_TEMPLATES)?.cast::<NodeTemplate>()?;
        Some((template, member))
    }

    fn type_of(&self, template: Id<NodeTemplate>) -> Option<(Id<NodeType>, &'a NodeType)> {
        let id = self.context.target_of(self.context.get(template)?.r#type)?;
        Some((id, self.context.get(id)?))
    }

    fn capability(&mut self, id: Id<CapabilityMapping>) {
        let (Some((_, key)), Some(mapping)) = (self.nodes(id.any()), self.context.get(id)) else { return };
        let wanted = self.of_type().and_then(|node_type| self.named(key, &node_type.capabilities));
        if let (None, Some(node_type)) = (wanted, self.of_type()) {
            self.not_of_type(key, "capability", names(&node_type.capabilities));
            if self.named(key, &node_type.requirements).is_some() {
                return;
            }
        }
        let defined = wanted.map(|(id, _)| id.any());
        self.context
            .apply::<CapabilityMapping>(&RenderedEntity { is_checked: false, ..RenderedEntity::of(id.any(), defined) });
        let Some(mapped) = mapping.mapping.and_then(|id| self.context.get(id)) else { return };
        let template = self.target(mapped.node_template, NODE_TEMPLATES);
        let Some(member) = mapped.capability.and_then(|Text(name)| self.context.node(name)) else { return };
        let Some((id, node_type)) = template.and_then(|template| self.type_of(template)) else { return };
        let Some((_, found)) = self.named(member, &node_type.capabilities) else {
            self.not_in(id.any(), member, "capability", names(&node_type.capabilities));
            return;
        };
        let types = wanted.and_then(|(_, wanted)| {
            Some((self.context.target_of(wanted.r#type)?, self.context.target_of(found.r#type)?))
        });
        let defined = wanted.map(|(id, _)| id);
        if let Some((wanted, found)) = types
            && !self.context.program.is_a(found.any(), wanted.any())
        {
            let message = format!(
                "capability `{}` is of type `{}`, but `{}` must be of type `{}`",
                member.text(),
                self.context.program.name(found.any()),
                key.text(),
                self.context.program.name(wanted.any())
            );
            let defined = defined.and_then(|id| self.context.program.name_span(id.any()));
            let help = format!("map a capability of type `{}`", self.context.program.name(wanted.any()));
            self.context
                .problem(&rules::WRONG_MAPPED_TYPE, Some(member.span()), message)
                .related(defined, "defined here")
                .help(help);
        }
    }

    fn requirement(&mut self, id: Id<RequirementMapping>) -> Option<Mapped<'a>> {
        let (_, key) = self.nodes(id.any())?;
        let (name, count) = self.requirement_key(key)?;
        if let Some(node_type) = self.of_type()
            && self.named(name, &node_type.requirements).is_none()
        {
            self.not_of_type(name, "requirement", names(&node_type.requirements));
            if self.named(name, &node_type.capabilities).is_some() {
                return None;
            }
        }
        let definition = self.of_type().and_then(|node_type| self.named(name, &node_type.requirements));
        let relationship = definition.and_then(|(_, definition)| definition.relationship).map(Id::any);
        self.context.apply::<RequirementMapping>(&RenderedEntity {
            is_checked: false,
            ..RenderedEntity::of(id.any(), relationship)
        });
        let targets = requirement_targets(self.context.get(id)?, self.context, self.id);
        for target in &targets {
            self.requirement_target(name, *target);
        }
        Some(Mapped { name, count, targets })
    }

    /// Returns the key of a requirement mapping: a name, or a name and the number of mapped assignments.
    fn requirement_key(&mut self, key: Node<'a>) -> Option<(Node<'a>, Option<u64>)> {
        if key.kind() == Kind::String {
            return Some((key, Some(1)));
        }
        let mut items = key.items();
        let (Some(name), Some(count), None) = (items.next(), items.next(), items.next()) else {
            self.wrong_kind(key, "the key of a requirement mapping", "the name of a requirement, or `[ name, count ]`");
            return None;
        };
        let is_unbounded = count.kind() == Kind::String && count.text() == "UNBOUNDED";
        match count.as_integer().and_then(|count| u64::try_from(count).ok()) {
            Some(count) => Some((name, Some(count))),
            None if is_unbounded => Some((name, None)),
            None => {
                let message = format!("`{}` is not a count", count.text());
                let help = Some("a count is a non-negative integer or `UNBOUNDED`".into());
                self.problem(&rules::INVALID_COUNT_RANGE, count, message, help);
                None
            }
        }
    }

    /// Checks the target of a requirement mapping: a requirement of a node template, or a node template that selects a
    /// node.
    fn requirement_target(&mut self, name: Node<'a>, target: Node<'a>) {
        if target.kind() == Kind::String {
            let Some(template) = self.find(target, NODE_TEMPLATES).and_then(AnyId::cast::<NodeTemplate>) else {
                return;
            };
            if self.context.get(template).is_some_and(|template| !template.directives.selects()) {
                let message =
                    format!("node template `{}` is not selected, so no node can be mapped to it", target.text());
                let help =
                    Some("add `directives: [ select ]` to the node template, or name one of its requirements".into());
                self.problem(&rules::NOT_SELECTABLE, target, message, help);
            }
            return;
        }
        let Some((template, member)) = self.pair(target, "requirement") else { return };
        let Some((id, node_type)) = self.type_of(template) else { return };
        let symbol = self.context.program.interner.get(member.text());
        let Some(found) = symbol.and_then(|symbol| node_type.requirements.get(symbol)) else {
            self.not_in(id.any(), member, "requirement", names(&node_type.requirements));
            return;
        };
        self.requirement_types(name, member, found);
        if let Some(node) = symbol.and_then(|symbol| self.fulfilled_by(template, symbol)) {
            // Rule 1 of 15.5.4.
            let message = format!("requirement `{}` is already fulfilled within the service", member.text());
            let fulfilled = self.context.reference_span(node);
            self.context
                .problem(&rules::MAPPED_FULFILLED, Some(member.span()), message)
                .related(fulfilled, "fulfilled by this node")
                .help("only a requirement that has no node yet can be mapped");
        }
    }

    /// Returns the first node that fulfills a requirement of a node template within the service.
    fn fulfilled_by(&mut self, id: Id<NodeTemplate>, requirement: Symbol) -> Option<Reference<()>> {
        let context = &*self.context;
        let fulfilled = self.fulfilled.entry(id).or_insert_with(|| {
            let assigned = context.get(id).map_or(&[][..], |template| &template.requirements);
            let node =
                |(name, id): &(Symbol, Id<RequirementAssignment>)| Some((*name, context.get(*id)?.node.reference?));
            // The first one wins, because later entries replace earlier ones.
            assigned.iter().rev().filter_map(node).collect()
        });
        fulfilled.get(&requirement).copied()
    }

    /// Checks rules 2 and 3 of 15.5.4, which even examples in the standard violate (decision A 26).
    fn check_counts(&mut self, all: &[Mapped<'a>]) {
        let Some(node_type) = self.of_type() else { return };
        let mut by_name: IndexMap<&str, Vec<&Mapped<'_>>> = IndexMap::new();
        for mapped in all {
            by_name.entry(mapped.name.text()).or_default().push(mapped);
        }
        for (name, of_name) in by_name {
            self.check_remaining(&of_name, name);
            let symbol = self.context.program.interner.get(name);
            let definition =
                symbol.and_then(|symbol| node_type.requirements.get(symbol)).and_then(|id| self.context.get(id));
            let Some(range) = definition.and_then(|definition| definition.count_range) else { continue };
            let sum = |total: u64, mapped: &&Mapped<'_>| total.saturating_add(mapped.count.unwrap_or_default());
            let total = of_name.iter().fold(0, sum);
            let is_mandatory = |mapped: &&&Mapped<'a>| mapped.targets.iter().any(|target| self.is_mandatory(*target));
            let needed = of_name.iter().filter(is_mandatory).fold(0, sum);
            let (message, help) = match range.value.upper.filter(|upper| total > *upper) {
                Some(upper) => (
                    format!("requirement `{name}` is mapped {total} times, but has at most {}", relationships(upper)),
                    "remove mappings, or widen the range",
                ),
                None if needed > range.value.lower => (
                    format!(
                        "the mandatory mappings of `{name}` need {}, but its range only guarantees {}",
                        relationships(needed),
                        range.value.lower
                    ),
                    "raise the lower bound of the range, or make the requirements of the node templates optional",
                ),
                None => continue,
            };
            let given = self.context.span(range.position);
            self.context
                .problem(&rules::MAPPING_COUNT, Some(of_name[0].name.span()), message)
                .related(given, "the range is given here")
                .help(help);
        }
    }

    /// Reports a mapping after one that takes all remaining assignments, because no assignments are left for it (2.0,
    /// 15.5).
    fn check_remaining(&mut self, of_name: &[&Mapped<'a>], name: &str) {
        let mut of_name = of_name.iter();
        let Some(last) = of_name.find(|mapped| mapped.count.is_none()).map(|mapped| mapped.name.span()) else { return };
        if let Some(superfluous) = of_name.next() {
            let message = format!("`{name}` has no relationship left to map");
            self.context
                .problem(&rules::MAPPING_COUNT, Some(superfluous.name.span()), message)
                .related(Some(last), "maps all that remain")
                .help("put the mapping with `UNBOUNDED` last");
        }
    }

    /// Returns whether the requirement of a node template must be fulfilled.
    fn is_mandatory(&self, target: Node<'a>) -> bool {
        let mut items = target.items();
        let (Some(template), Some(member)) = (items.next(), items.next()) else { return false };
        let symbol = |node: Node<'_>| self.context.program.interner.get(node.text());
        let template = symbol(template)
            .and_then(|symbol| self.context.resolve(self.id, NODE_TEMPLATES, symbol).id())
            .and_then(AnyId::cast::<NodeTemplate>);
        let definition = template
            .and_then(|template| self.type_of(template))
            .and_then(|(_, node_type)| self.context.get(node_type.requirements.get(symbol(member)?)?));
        definition.and_then(|definition| definition.count_range).is_some_and(|range| range.value.lower > 0)
    }

    fn interface(&mut self, id: Id<InterfaceMapping>) {
        let Some(mapping) = self.context.get(id) else { return };
        // Before 2.0, the target may be the interface of a node template.
        if let Some(mapped) = mapping.interface.and_then(|id| self.context.get(id)) {
            self.target(mapped.node_template, NODE_TEMPLATES);
            return;
        }
        if !self.context.program.quirks.has(quirk::FREE_MAPPINGS) || self.context.version(self.id) >= V2_0 {
            self.check_interface(id, mapping);
        }
        for (_, id) in mapping.operations.iter() {
            let workflow = self.context.get(id).and_then(|operation| operation.workflow);
            self.target(workflow, WORKFLOWS);
        }
    }

    /// Checks that the node type has the interface and its operations.
    fn check_interface(&mut self, id: Id<InterfaceMapping>, mapping: &InterfaceMapping) {
        let (Some((_, key)), Some(node_type)) = (self.nodes(id.any()), self.of_type()) else { return };
        let Some((interface_id, interface)) = self.named(key, &node_type.interfaces) else {
            self.not_of_type(key, "interface", names(&node_type.interfaces));
            return;
        };
        for (_, id) in mapping.operations.iter().filter(|(name, _)| interface.operations.get(*name).is_none()) {
            if let Some((_, key)) = self.nodes(id.any()) {
                self.not_in(interface_id.any(), key, "operation", names(&interface.operations));
            }
        }
    }
}

/// Returns the names of members.
fn names<E>(members: &Members<E>) -> impl Iterator<Item = Symbol> {
    members.iter().map(|(name, _)| name)
}

/// Returns the help for a requirement that is mapped as a capability, or vice versa.
fn other_section(context: &Context<'_>, owner: AnyId, name: &str, what: &str) -> Option<String> {
    let node_type = context.get(owner.cast::<NodeType>()?)?;
    let symbol = context.program.interner.get(name)?;
    let other = match what {
        "capability" => node_type.requirements.get(symbol).map(|_| ("a requirement", "requirements")),
        "requirement" => node_type.capabilities.get(symbol).map(|_| ("a capability", "capabilities")),
        _ => None,
    };
    other.map(|(is, section)| format!("`{name}` is {is}: map it under `{section}`"))
}
