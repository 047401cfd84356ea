//! The plan of a blueprint: what a deployment of it consists of, with the defaults of types filled in.
//!
//! Functions are kept as written, except that names in them get the namespaces of their files.

mod size;
mod value;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use tosca_parse::ard::{Kind, Node};
use tosca_parse::entity::{AnyId, Entity, Id, Members, Model, Reference, VisitEntry};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::{Context, DiagnosticExt as _, Program};

use self::value::{Value, Values, Written};
use crate::check::blueprint::{Copy, copies, is_host};
use crate::check::node::{CONTAINED_IN, descends};
use crate::check::value::{Type, defaults, type_of};
use crate::check::{find, get, node_of, text_of, value_of};
use crate::function::call;
use crate::grammar::{
    DataType, Executor, Group, Interface, NodeTemplate, NodeType, Operation as OperationAssignment,
    OperationDefinition, PLUGINS, Plugin, PropertyDefinition, RelationshipType, TemplateInterface,
};
use crate::rules::LARGE_PLAN;

/// The maximum depth of values that are merged with the defaults of data types.
const MAX_DEPTH: usize = 100;

/// A node.
#[derive(Serialize)]
struct PlanNode<'p> {
    /// The type.
    r#type: String,
    /// The type and those that it is derived from, the root first.
    type_hierarchy: Vec<String>,
    /// The properties. Optional properties without a value are absent.
    properties: Values<'p>,
    /// The number of instances and its bounds; -1 means without limit.
    scalable: Values<'p>,
    /// The node on whose host operations run; `None` if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<&'p str>,
    /// The operations that have an implementation, by `INTERFACE.OPERATION`.
    operations: BTreeMap<String, PlanOperation<'p>>,
    /// The relationships, in order.
    relationships: Vec<PlanRelationship<'p>>,
}

/// An operation.
#[derive(Serialize)]
struct PlanOperation<'p> {
    /// The plugin.
    plugin: String,
    /// The task of the plugin.
    operation: &'p str,
    /// The place where the operation runs.
    executor: &'static str,
    /// The inputs.
    inputs: Values<'p>,
    /// The retries and the timeout, as far as they are given.
    #[serde(flatten)]
    limits: Values<'p>,
}

/// A relationship.
#[derive(Serialize)]
struct PlanRelationship<'p> {
    /// The type.
    r#type: String,
    /// The type and those that it is derived from, the root first.
    type_hierarchy: Vec<String>,
    /// The target.
    target: String,
    /// The properties.
    properties: Values<'p>,
    /// The operations of the source.
    source_operations: BTreeMap<String, PlanOperation<'p>>,
    /// The operations of the target.
    target_operations: BTreeMap<String, PlanOperation<'p>>,
}

/// A group.
#[derive(Serialize)]
struct PlanGroup {
    /// The members.
    members: Vec<String>,
}

/// A declaration, and the namespace of the file that contains it.
#[derive(Clone)]
struct Part {
    id: AnyId,
    prefix: Rc<str>,
}

/// The declarations of a blueprint by full name, in the order of names.
#[derive(Default)]
struct Parts {
    inputs: Vec<(String, Part)>,
    outputs: Vec<(String, Part)>,
    capabilities: Vec<(String, Part)>,
    groups: Vec<(String, Part)>,
    /// A node template can be declared by several files.
    templates: Vec<(String, Vec<Part>)>,
}

impl Parts {
    fn new(context: &Context<'_>, copies: &[Copy<'_>]) -> Self {
        let mut sections: [BTreeMap<String, Part>; 4] = Default::default();
        let mut templates: BTreeMap<String, Vec<Part>> = BTreeMap::new();
        for copy in copies {
            let prefix: Rc<str> = copy.namespace.as_str().into();
            let part = |id| Part { id, prefix: prefix.clone() };
            let name = |name| full_name(&prefix, context.text(name));
            let blueprint = copy.blueprint;
            let [inputs, outputs, capabilities, groups] = &mut sections;
            for (symbol, id) in blueprint.inputs.iter() {
                inputs.entry(name(symbol)).or_insert_with(|| part(id.any()));
            }
            for (symbol, id) in blueprint.outputs.iter() {
                outputs.entry(name(symbol)).or_insert_with(|| part(id.any()));
            }
            for (symbol, id) in blueprint.capabilities.iter() {
                capabilities.entry(name(symbol)).or_insert_with(|| part(id.any()));
            }
            for (symbol, id) in blueprint.groups.iter() {
                groups.entry(name(symbol)).or_insert_with(|| part(id.any()));
            }
            for (symbol, id) in blueprint.node_templates.iter() {
                templates.entry(name(symbol)).or_default().push(part(id.any()));
            }
        }
        // A declaration that only adds relationships makes no node.
        let has_type = |part: &Part| get::<NodeTemplate>(context, part.id).is_some_and(|part| part.r#type.is_some());
        let [inputs, outputs, capabilities, groups] = sections.map(|section| section.into_iter().collect());
        let templates = templates.into_iter().filter(|(_, parts)| parts.iter().any(has_type)).collect();
        Self { inputs, outputs, capabilities, groups, templates }
    }

    /// Returns the declarations that are in the plan as they are written, more or less.
    fn written(&self) -> impl Iterator<Item = &Part> {
        let sections = [&self.inputs, &self.outputs, &self.capabilities, &self.groups];
        sections.into_iter().flatten().map(|(_, part)| part)
    }
}

/// Returns the plan of a complete program without errors; `None` if its entry is not a blueprint.
///
/// # Errors
///
/// Returns an error if the plan is too large.
pub fn plan<'p>(program: &'p Program<Complete>) -> Option<Result<Model<'p>, String>> {
    let mut context = Context::new(program, 0);
    let copies = copies(&mut context);
    copies.first()?;
    let parts = Parts::new(&context, &copies);
    if size::first_over_limit(&context, &parts).is_some() {
        return Some(Err(too_large(&context)));
    }
    let script = script(&context, &copies);
    let mut builder = Builder { context, script, parts, hosts: Vec::new(), defaults: RefCell::default() };
    builder.hosts = builder.find_hosts();
    let builder = Rc::new(builder);
    let names = |section: &[(String, Part)]| section.iter().map(|(name, _)| name.clone()).collect();
    let Parts { inputs, outputs, capabilities, groups, templates } = &builder.parts;
    let templates = templates.iter().map(|(name, _)| name.clone()).collect();
    let (inputs, outputs, capabilities, groups) = (names(inputs), names(outputs), names(capabilities), names(groups));
    let with = |visit: fn(&Builder<'p>, usize, VisitEntry<'_>)| {
        let builder = builder.clone();
        move |index: usize, then: VisitEntry<'_>| visit(&builder, index, then)
    };
    Some(Ok(Model::default()
        .entries("inputs", inputs, with(|builder, index, then| builder.written(&builder.parts.inputs[index].1, then)))
        .entries(
            "nodes",
            templates,
            with(|builder, index, then| {
                if let Some(node) = builder.template(index) {
                    then(&node);
                }
            }),
        )
        .entries(
            "outputs",
            outputs,
            with(|builder, index, then| builder.written(&builder.parts.outputs[index].1, then)),
        )
        .entries(
            "capabilities",
            capabilities,
            with(|builder, index, then| builder.written(&builder.parts.capabilities[index].1, then)),
        )
        .entries("groups", groups, with(|builder, index, then| then(&builder.group(&builder.parts.groups[index].1))))))
}

fn too_large(context: &Context<'_>) -> String {
    format!("the plan of the blueprint has more than {} values", size::most(context))
}

/// Reports a blueprint whose plan would be too large.
pub(crate) fn check(context: &mut Context<'_>, copies: &[Copy<'_>]) {
    let parts = Parts::new(context, copies);
    let Some(part) = size::first_over_limit(context, &parts) else { return };
    let message = format!("{}, so there is no plan", too_large(context));
    let at = context.program.name_span(part.id);
    let help = "define fewer properties and operations in types that have many templates, or raise the limit \
                `model-values`";
    context.problem(&LARGE_PLAN, at, message).help(help);
}

/// Returns the plugin that runs scripts.
fn script(context: &Context<'_>, copies: &[Copy<'_>]) -> Option<String> {
    let names = copies.iter().flat_map(|copy| copy.blueprint.plugins.iter().map(move |(name, _)| (copy, name)));
    let names = names.map(|(copy, name)| format!("{}{}", copy.namespace, context.text(name)));
    names.into_iter().find(|name| name.ends_with("script"))
}

/// The type of a node or a relationship: its full name and the prefix of names in it.
struct Named {
    id: AnyId,
    name: String,
    prefix: Rc<str>,
}

/// Returns the full form of a name below a namespace.
pub(crate) fn full_name(namespace: &str, name: &str) -> String {
    if namespace.is_empty() || name.starts_with("cloudify.") { name.to_owned() } else { format!("{namespace}{name}") }
}

/// The defaults that types and their parents give a property, nearest first.
type Layers<'p> = Rc<[Node<'p>]>;

struct Builder<'p> {
    context: Context<'p>,
    script: Option<String>,
    parts: Parts,
    /// The index of the host of each node.
    hosts: Vec<Option<usize>>,
    /// The defaults of properties with data types.
    defaults: RefCell<FxHashMap<AnyId, Layers<'p>>>,
}

impl<'p> Builder<'p> {
    fn node(&self, id: AnyId) -> Option<Node<'p>> {
        node_of(&self.context, id)
    }

    /// Passes on a declaration as it is written.
    fn written(&self, part: &Part, visit: VisitEntry<'_>) {
        match self.node(part.id) {
            Some(node) => visit(&Written::new(node, &part.prefix)),
            None => visit(&()),
        }
    }

    /// Returns the type that a reference names.
    fn named<T: Entity>(&self, reference: Option<Reference<T>>, prefix: &str) -> Option<Named> {
        let reference = reference?;
        let id = self.context.target(reference)?.any();
        let name = full_name(prefix, self.context.text(reference.name));
        let prefix = name.strip_suffix(self.context.program.name(id)).unwrap_or_default().into();
        Some(Named { id, name, prefix })
    }

    /// Returns the names of a type and those that it is derived from, the root first.
    fn hierarchy(&self, of_type: &Named) -> Vec<String> {
        let mut names = vec![of_type.name.clone()];
        let (mut id, mut prefix) = (of_type.id, of_type.prefix.to_string());
        let mut met = FxHashSet::default();
        while met.insert(id) {
            let parent = self.context.program.lineage(id).and_then(|lineage| lineage.parents().first().copied());
            let written = self.node(id).and_then(|node| node.find("derived_from"));
            let (Some(parent), Some(written)) = (parent, written) else { break };
            let name = full_name(&prefix, written.value.text());
            name.strip_suffix(self.context.program.name(parent)).unwrap_or_default().clone_into(&mut prefix);
            names.push(name);
            id = parent;
        }
        names.reverse();
        names
    }

    fn group(&self, Part { id, prefix }: &Part) -> PlanGroup {
        let group = get::<Group>(&self.context, *id);
        let members = group.into_iter().flat_map(|group| group.members.iter());
        let mut members: Vec<String> =
            members.map(|member| full_name(prefix, self.context.text(member.name))).collect();
        members.sort_unstable();
        members.dedup();
        PlanGroup { members }
    }

    /// Builds the node with the given index.
    fn template(&self, index: usize) -> Option<PlanNode<'_>> {
        let parts = &self.parts.templates[index].1;
        let templates = || {
            parts.iter().filter_map(|part| Some((part.id, get::<NodeTemplate>(&self.context, part.id)?, &part.prefix)))
        };
        let (id, template, prefix) = templates().find(|(_, template, _)| template.r#type.is_some())?;
        let of_type = self.named(template.r#type, prefix)?;
        let entity = get::<NodeType>(&self.context, of_type.id)?;
        let assigned = template.properties.position.and_then(|position| self.context.node(position));
        let relationships = templates().flat_map(|(_, template, prefix)| {
            template.relationships.iter().filter_map(move |id| self.relationship(id.any(), prefix))
        });
        let prefixes = (prefix, &of_type.prefix);
        Some(PlanNode {
            type_hierarchy: self.hierarchy(&of_type),
            properties: self.properties(&entity.properties, assigned, prefixes),
            scalable: Self::scalable(self.node(id)?, prefix),
            host: self.hosts[index].map(|host| &*self.parts.templates[host].0),
            operations: self.operations(&entity.interfaces, &template.interfaces, prefixes),
            relationships: relationships.collect(),
            r#type: of_type.name,
        })
    }

    fn relationship(&self, id: AnyId, prefix: &Rc<str>) -> Option<PlanRelationship<'p>> {
        let relationship = get::<crate::grammar::Relationship>(&self.context, id)?;
        let of_type = self.named(relationship.r#type, prefix)?;
        let entity = get::<RelationshipType>(&self.context, of_type.id)?;
        let assigned = relationship.properties.position.and_then(|position| self.context.node(position));
        let prefixes = (prefix, &of_type.prefix);
        Some(PlanRelationship {
            type_hierarchy: self.hierarchy(&of_type),
            target: full_name(prefix, self.context.text(relationship.target?.name)),
            properties: self.properties(&entity.properties, assigned, prefixes),
            source_operations: self.operations(&entity.source_interfaces, &relationship.source_interfaces, prefixes),
            target_operations: self.operations(&entity.target_interfaces, &relationship.target_interfaces, prefixes),
            r#type: of_type.name,
        })
    }

    fn scalable(template: Node<'p>, prefix: &Rc<str>) -> Values<'p> {
        let deploy = template.find("instances").and_then(|instances| instances.value.find("deploy"));
        let scalable = template.find("capabilities").and_then(|capabilities| capabilities.value.find("scalable"));
        let given = scalable.and_then(|scalable| scalable.value.find("properties"));
        let mut numbers = Values::default();
        for (name, default) in [("default_instances", 1), ("min_instances", 0), ("max_instances", -1)] {
            let number = given.and_then(|given| given.value.find(name));
            let number = number.or_else(|| deploy.filter(|_| name == "default_instances"));
            let number = match number.map(|number| number.value) {
                Some(number) if number.text() == "UNBOUNDED" => Value::Number(-1),
                Some(number) => Value::Written(number, prefix.clone()),
                None => Value::Number(default),
            };
            numbers.insert(name, number);
        }
        numbers
    }

    /// Returns the index of the host of each node.
    fn find_hosts(&self) -> Vec<Option<usize>> {
        let templates = &self.parts.templates;
        let mut types = FxHashMap::default();
        let mut hosts: Vec<Option<Option<usize>>> = vec![None; templates.len()];
        for start in 0..templates.len() {
            let (mut path, mut next) = (Vec::new(), Some(start));
            let host = loop {
                let Some(index) = next else { break None };
                if let Some(known) = hosts[index] {
                    break known;
                }
                hosts[index] = Some(None);
                path.push(index);
                let (is_host, container) = self.containment(&templates[index].1, &mut types);
                if is_host {
                    break Some(index);
                }
                next = container.and_then(|name| templates.binary_search_by(|(other, _)| other.cmp(&name)).ok());
            };
            path.into_iter().for_each(|index| hosts[index] = Some(host));
        }
        hosts.into_iter().map(Option::flatten).collect()
    }

    /// Returns whether a node is a host, and the name of the node that contains it.
    fn containment(&self, parts: &[Part], types: &mut FxHashMap<AnyId, bool>) -> (bool, Option<String>) {
        let mut container = None;
        for Part { id, prefix } in parts {
            let Some(template) = get::<NodeTemplate>(&self.context, *id) else { continue };
            let of_type = self.context.target_of(template.r#type);
            if of_type.is_some_and(|of_type| is_host(&self.context, of_type.any(), types)) {
                return (true, None);
            }
            for relationship in template.relationships.iter().filter_map(|id| self.context.get(*id)) {
                let of_type = self.context.target_of(relationship.r#type);
                if of_type.is_some_and(|of_type| descends(&self.context, of_type.any(), CONTAINED_IN))
                    && let Some(target) = relationship.target
                {
                    container = Some(full_name(prefix, self.context.text(target.name)));
                }
            }
        }
        (false, container)
    }

    /// Returns the values of properties: those of the template, which override the defaults of the type. The prefixes
    /// apply to names in the template and in the type.
    fn properties(
        &self,
        definitions: &Members<PropertyDefinition>,
        assigned: Option<Node<'p>>,
        (own, of_type): (&Rc<str>, &Rc<str>),
    ) -> Values<'p> {
        let mut values = Values::default();
        for (name, id) in definitions.iter() {
            let name = self.context.text(name);
            let Some(definition) = self.context.get(id) else { continue };
            let own = assigned.and_then(|assigned| Some((find(&self.context, assigned, name)?, own)));
            let value = match type_of(&self.context, definition.r#type) {
                Type::Data(data) => {
                    let defaults = self.defaults(id, data);
                    let layers = own.into_iter().chain(defaults.iter().map(|layer| (*layer, of_type)));
                    let layers: Vec<_> = layers.collect();
                    let is_optional = definition.required.is_some_and(|required| !required.value);
                    if layers.is_empty() && is_optional { None } else { self.merged(data, &layers, of_type, 0) }
                }
                _ => own
                    .or_else(|| Some((value_of(&self.context, definition.default)?, of_type)))
                    .map(|(node, prefix)| Value::Written(node, prefix.clone())),
            };
            values.extend(value.map(|value| (name, value)));
        }
        values
    }

    fn defaults(&self, id: Id<PropertyDefinition>, data: Id<DataType>) -> Layers<'p> {
        let mut known = self.defaults.borrow_mut();
        known.entry(id.any()).or_insert_with(|| defaults(&self.context, id, data).into()).clone()
    }

    /// Returns a value of a data type that overrides others. Only maps are merged.
    fn merged(
        &self,
        data: Id<DataType>,
        layers: &[(Node<'p>, &Rc<str>)],
        of_type: &Rc<str>,
        depth: usize,
    ) -> Option<Value<'p>> {
        let is_map = |node: Node<'_>| node.kind() == Kind::Map && call(node).is_none();
        if let Some((first, prefix)) = layers.first()
            && (depth > MAX_DEPTH || !is_map(*first))
        {
            return Some(Value::Written(*first, (*prefix).clone()));
        }
        let data = self.context.get(data).filter(|_| depth <= MAX_DEPTH)?;
        let mut values = Values::default();
        for (name, id) in data.properties.iter() {
            let name = self.context.text(name);
            let field = self.context.get(id)?;
            let given = layers.iter().filter_map(|(layer, prefix)| Some((find(&self.context, *layer, name)?, *prefix)));
            let default = value_of(&self.context, field.default).map(|default| (default, of_type));
            let mut given = given.chain(default);
            let value = match type_of(&self.context, field.r#type) {
                Type::Data(data) => self.merged(data, &given.collect::<Vec<_>>(), of_type, depth + 1),
                _ => given.next().map(|(node, prefix)| Value::Written(node, prefix.clone())),
            };
            values.extend(value.map(|value| (name, value)));
        }
        (!values.is_empty() || !layers.is_empty()).then_some(Value::Fields(values))
    }

    /// Returns the operations of a type, overridden by those of a template.
    fn operations(
        &self,
        of_type: &Members<Interface>,
        own: &Members<TemplateInterface>,
        prefixes: (&Rc<str>, &Rc<str>),
    ) -> BTreeMap<String, PlanOperation<'p>> {
        let mut operations = BTreeMap::new();
        let mut add = |interface: &str, name: &str, operation: Option<PlanOperation<'p>>| {
            if let Some(operation) = operation {
                operations.insert(format!("{interface}.{name}"), operation);
            }
        };
        for (interface, id) in of_type.iter() {
            let Some(definitions) = self.context.get(id) else { continue };
            let own = own.get(interface).and_then(|id| self.context.get(id));
            for (name, id) in definitions.operations.iter() {
                let own = own.and_then(|own| own.operations.get(name));
                let operation = self.operation(own, Some(id), prefixes);
                add(self.context.text(interface), self.context.text(name), operation);
            }
        }
        for (interface, id) in own.iter() {
            let Some(assigned) = self.context.get(id) else { continue };
            let definitions = of_type.get(interface).and_then(|id| self.context.get(id));
            for (name, id) in assigned.operations.iter() {
                if definitions.is_none_or(|definitions| definitions.operations.get(name).is_none()) {
                    let operation = self.operation(Some(id), None, prefixes);
                    add(self.context.text(interface), self.context.text(name), operation);
                }
            }
        }
        operations
    }

    fn operation(
        &self,
        own: Option<Id<OperationAssignment>>,
        base: Option<Id<OperationDefinition>>,
        (own_prefix, of_type): (&Rc<str>, &Rc<str>),
    ) -> Option<PlanOperation<'p>> {
        let base_node = base.and_then(|base| self.node(base.any()));
        let base = base.and_then(|base| self.context.get(base));
        let own_node = own.and_then(|own| self.node(own.any()));
        let own = own.and_then(|own| self.context.get(own));
        let is_cleared = own_node.is_some_and(|node| match node.kind() {
            Kind::String => node.text().is_empty(),
            _ => node.is_empty() && node.kind() == Kind::Map,
        });
        if is_cleared {
            return None;
        }
        let written = |text| text_of(&self.context, text).filter(|node| !node.text().is_empty());
        let of_own = own.and_then(|own| written(own.implementation));
        let of_base = base.and_then(|base| written(base.implementation));
        let is_same = of_own.is_none_or(|own| of_base.is_some_and(|base| base.text() == own.text()));
        let base = base.filter(|_| is_same && of_base.is_some());
        let (implementation, prefix) = match (of_own, of_base) {
            (Some(own), _) => (own, own_prefix),
            (None, base) => (base?, of_type),
        };
        let mut inputs = Values::default();
        for (name, id) in base.into_iter().flat_map(|base| base.inputs.iter()) {
            let default = self.context.get(id).and_then(|input| value_of(&self.context, input.default));
            if let Some(default) = default {
                inputs.insert(self.context.text(name), Value::Written(default, of_type.clone()));
            }
        }
        let given = own.and_then(|own| own.inputs.position).and_then(|position| self.context.node(position));
        for entry in given.into_iter().flat_map(Node::entries) {
            inputs.insert(entry.key.text(), Value::Written(entry.value, own_prefix.clone()));
        }
        let executor = own.and_then(|own| own.executor).or_else(|| base?.executor).map(|executor| executor.value);
        let (plugin, operation, executor) = match self.plugin(implementation, prefix) {
            Some((name, task, plugin)) => {
                (name, task, word(executor.or_else(|| plugin.executor.map(|executor| executor.value))))
            }
            None => {
                let text = implementation.text();
                let key = if text.contains('\n') { "script_source" } else { "script_path" };
                inputs.insert(key, Value::Text(text));
                let executor = executor.map_or("auto", |executor| word(Some(executor)));
                (self.script.clone()?, "script_runner.tasks.run", executor)
            }
        };
        let mut limits = Values::default();
        for name in ["max_retries", "retry_interval", "timeout", "timeout_recoverable"] {
            let find = |node: Option<Node<'p>>| node.and_then(|node| node.find(name)).map(|entry| entry.value);
            if let Some(value) = find(own_node).or_else(|| find(base_node.filter(|_| base.is_some()))) {
                limits.insert(name, Value::Written(value, Rc::default()));
            }
        }
        Some(PlanOperation { plugin, operation, executor, inputs, limits })
    }

    /// Returns the plugin, its full name and the task that an implementation names; `None` if it is a script.
    fn plugin(&self, node: Node<'p>, prefix: &str) -> Option<(String, &'p str, &'p Plugin)> {
        let (text, unit) = (node.text(), node.document().source());
        if text.contains('\n') {
            return None;
        }
        text.match_indices('.').take(32).find_map(|(end, _)| {
            let name = self.context.program.interner.get(&text[..end])?;
            let id = self.context.program.resolve(unit, PLUGINS, name).id()?;
            let plugin = get::<Plugin>(&self.context, id)?;
            Some((full_name(prefix, &text[..end]), &text[end + 1..], plugin))
        })
    }
}

fn word(executor: Option<Executor>) -> &'static str {
    match executor {
        Some(Executor::HostAgent) => "host_agent",
        _ => "central_deployment_agent",
    }
}
