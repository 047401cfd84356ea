//! The plan of a blueprint: what a deployment of it consists of, with the defaults of types filled in.
//!
//! Functions are kept as written, except that names in them get the namespaces of their files.

use std::cell::Cell;
use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::{AnyId, Id, Members, Reference};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::{Context, Program};

use crate::check::blueprint::{Copy, copies, is_host};
use crate::check::node::{CONTAINED_IN, descends};
use crate::check::value::{Type, defaults, type_of};
use crate::check::{find, get, node_of, text_of, value_of};
use crate::function::call;
use crate::grammar::{
    DataType, Executor, Group, Interface, NodeTemplate, NodeType, Operation as OperationAssignment,
    OperationDefinition, PLUGINS, Plugin, PropertyDefinition, RelationshipType, TemplateInterface,
};

/// The maximum depth of values.
const MAX_DEPTH: usize = 100;

/// The maximum number of values in a plan.
const MAX_VALUES: usize = 10_000_000;

/// The plan of a blueprint.
#[derive(Debug, Serialize)]
pub struct Plan {
    /// The definitions of inputs, as they are written.
    pub inputs: BTreeMap<String, Json>,
    /// The nodes.
    pub nodes: BTreeMap<String, PlanNode>,
    /// The outputs, as they are written.
    pub outputs: BTreeMap<String, Json>,
    /// The capabilities, as they are written.
    pub capabilities: BTreeMap<String, Json>,
    /// The groups.
    pub groups: BTreeMap<String, PlanGroup>,
}

/// A node.
#[derive(Debug, Serialize)]
pub struct PlanNode {
    /// The type.
    pub r#type: String,
    /// The type and those that it is derived from, the root first.
    pub type_hierarchy: Vec<String>,
    /// The properties. Optional properties without a value are absent.
    pub properties: Map<String, Json>,
    /// The number of instances and its bounds; -1 means without limit.
    pub scalable: Map<String, Json>,
    /// The node on whose host operations run; `None` if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The operations that have an implementation, by `INTERFACE.OPERATION`.
    pub operations: BTreeMap<String, PlanOperation>,
    /// The relationships, in order.
    pub relationships: Vec<PlanRelationship>,
}

/// An operation.
#[derive(Debug, Serialize)]
pub struct PlanOperation {
    /// The plugin.
    pub plugin: String,
    /// The task of the plugin.
    pub operation: String,
    /// The place where the operation runs.
    pub executor: String,
    /// The inputs.
    pub inputs: Map<String, Json>,
    /// The retries and the timeout, as far as they are given.
    #[serde(flatten)]
    pub limits: Map<String, Json>,
}

/// A relationship.
#[derive(Debug, Serialize)]
pub struct PlanRelationship {
    /// The type.
    pub r#type: String,
    /// The type and those that it is derived from, the root first.
    pub type_hierarchy: Vec<String>,
    /// The target.
    pub target: String,
    /// The properties.
    pub properties: Map<String, Json>,
    /// The operations of the source.
    pub source_operations: BTreeMap<String, PlanOperation>,
    /// The operations of the target.
    pub target_operations: BTreeMap<String, PlanOperation>,
}

/// A group.
#[derive(Debug, Serialize)]
pub struct PlanGroup {
    /// The members.
    pub members: Vec<String>,
}

/// Returns the plan of a complete program without errors; `None` if its entry is not a blueprint.
///
/// # Errors
///
/// Returns an error if the plan is too large.
pub fn plan(program: &Program<Complete>) -> Option<Result<Plan, String>> {
    let mut context = Context::new(program, 0);
    let copies = copies(&mut context);
    copies.first()?;
    let builder = Builder { context: &context, script: script(&context, &copies), room: Cell::new(MAX_VALUES) };
    let mut plan = Plan {
        inputs: BTreeMap::new(),
        nodes: BTreeMap::new(),
        outputs: BTreeMap::new(),
        capabilities: BTreeMap::new(),
        groups: BTreeMap::new(),
    };
    let mut templates: BTreeMap<String, Vec<(AnyId, &str)>> = BTreeMap::new();
    for copy in &copies {
        let prefix = &*copy.namespace;
        let blueprint = copy.blueprint;
        let written = |id: AnyId| builder.node(id).map_or(Json::Null, |node| builder.json(node, prefix, 0));
        for (name, id) in blueprint.inputs.iter() {
            plan.inputs.entry(full_name(prefix, context.text(name))).or_insert_with(|| written(id.any()));
        }
        for (name, id) in blueprint.outputs.iter() {
            plan.outputs.entry(full_name(prefix, context.text(name))).or_insert_with(|| written(id.any()));
        }
        for (name, id) in blueprint.capabilities.iter() {
            plan.capabilities.entry(full_name(prefix, context.text(name))).or_insert_with(|| written(id.any()));
        }
        for (name, id) in blueprint.groups.iter() {
            let group = builder.group(id, prefix);
            plan.groups.entry(full_name(prefix, context.text(name))).or_insert(group);
        }
        for (name, id) in blueprint.node_templates.iter() {
            templates.entry(full_name(prefix, context.text(name))).or_default().push((id.any(), prefix));
        }
    }
    let mut hosts = builder.hosts(&templates);
    for (name, parts) in &templates {
        if let Some(mut node) = builder.template(parts) {
            node.host = hosts.remove(&**name).flatten().map(str::to_owned);
            plan.nodes.insert(name.clone(), node);
        }
    }
    let is_too_large = || format!("the plan of the blueprint has more than {MAX_VALUES} values");
    Some(if builder.room.get() > 0 { Ok(plan) } else { Err(is_too_large()) })
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
    prefix: String,
}

/// Returns the full form of a name below a namespace.
pub(crate) fn full_name(namespace: &str, name: &str) -> String {
    if namespace.is_empty() || name.starts_with("cloudify.") { name.to_owned() } else { format!("{namespace}{name}") }
}

struct Builder<'c, 'a> {
    context: &'c Context<'a>,
    script: Option<String>,
    /// The number of values that the plan can still have.
    room: Cell<usize>,
}

impl<'a> Builder<'_, 'a> {
    fn node(&self, id: AnyId) -> Option<Node<'a>> {
        node_of(self.context, id)
    }

    /// Counts a value. Returns whether the limit allows it.
    fn takes_room(&self) -> bool {
        self.room.set(self.room.get().saturating_sub(1));
        self.room.get() > 0
    }

    /// Returns a value as it is written, with the namespaces of names in functions.
    fn json(&self, node: Node<'a>, prefix: &str, depth: usize) -> Json {
        if depth > MAX_DEPTH || !self.takes_room() {
            return Json::Null;
        }
        if let Some(call) = call(node).filter(|_| !prefix.is_empty()) {
            let (is_named, words): (bool, &[&str]) = match call.function.name {
                "get_input" => (true, &[]),
                "get_property" | "get_attribute" => (true, &["SELF", "SOURCE", "TARGET"]),
                _ => (false, &[]),
            };
            let named = |node: Node<'a>| match node.kind() {
                Kind::String if is_named && !words.contains(&node.text()) => Json::from(full_name(prefix, node.text())),
                _ => self.json(node, prefix, depth + 1),
            };
            let argument = if call.argument.kind() == Kind::List {
                let mut items = call.argument.items();
                let first = items.next().map(named);
                first.into_iter().chain(items.map(|item| self.json(item, prefix, depth + 1))).collect()
            } else {
                named(call.argument)
            };
            let mut map = Map::new();
            map.insert(call.function.name.to_owned(), argument);
            if let Some(ty) = call.r#type {
                map.insert("type".to_owned(), self.json(ty, prefix, depth + 1));
            }
            return Json::Object(map);
        }
        match node.kind() {
            Kind::Null => Json::Null,
            Kind::Boolean => node.as_bool().map_or(Json::Null, Json::from),
            Kind::Integer => {
                let integer = node.as_integer().and_then(|integer| i64::try_from(integer).ok());
                integer.map_or_else(|| node.as_float().map_or(Json::Null, Json::from), Json::from)
            }
            Kind::Float => node.as_float().map_or(Json::Null, Json::from),
            Kind::String => Json::from(node.text()),
            Kind::List => node.items().map(|item| self.json(item, prefix, depth + 1)).collect(),
            Kind::Map => {
                let entries = node.entries().filter(|entry| !entry.duplicate);
                let entries =
                    entries.map(|entry| (entry.key.text().to_owned(), self.json(entry.value, prefix, depth + 1)));
                Json::Object(entries.collect())
            }
        }
    }

    /// Returns the type that a reference names.
    fn named<T: tosca_parse::entity::Entity>(&self, reference: Option<Reference<T>>, prefix: &str) -> Option<Named> {
        let reference = reference?;
        let id = self.context.target(reference)?.any();
        let name = full_name(prefix, self.context.text(reference.name));
        let prefix = name.strip_suffix(self.context.program.name(id)).unwrap_or_default().to_owned();
        Some(Named { id, name, prefix })
    }

    /// Returns the names of a type and those that it is derived from, the root first.
    fn hierarchy(&self, of_type: &Named) -> Vec<String> {
        let mut names = vec![of_type.name.clone()];
        let (mut id, mut prefix) = (of_type.id, of_type.prefix.clone());
        let mut met = FxHashSet::default();
        while met.insert(id) && self.takes_room() {
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

    fn group(&self, id: Id<Group>, prefix: &str) -> PlanGroup {
        let group = self.context.get(id);
        let members = group.into_iter().flat_map(|group| group.members.iter());
        let mut members: Vec<String> =
            members.map(|member| full_name(prefix, self.context.text(member.name))).collect();
        members.sort_unstable();
        members.dedup();
        PlanGroup { members }
    }

    fn template(&self, parts: &[(AnyId, &str)]) -> Option<PlanNode> {
        let templates =
            || parts.iter().filter_map(|(id, prefix)| Some((*id, get::<NodeTemplate>(self.context, *id)?, *prefix)));
        let (id, template, prefix) = templates().find(|(_, template, _)| template.r#type.is_some())?;
        let of_type = self.named(template.r#type, prefix)?;
        let entity = get::<NodeType>(self.context, of_type.id)?;
        let assigned = template.properties.position.and_then(|position| self.context.node(position));
        let relationships = templates().flat_map(|(_, template, prefix)| {
            template.relationships.iter().filter_map(move |id| self.relationship(id.any(), prefix))
        });
        Some(PlanNode {
            type_hierarchy: self.hierarchy(&of_type),
            properties: self.properties(&entity.properties, assigned, (prefix, &of_type.prefix)),
            scalable: self.scalable(self.node(id)?, prefix),
            host: None,
            operations: self.operations(&entity.interfaces, &template.interfaces, (prefix, &of_type.prefix)),
            relationships: relationships.collect(),
            r#type: of_type.name,
        })
    }

    fn relationship(&self, id: AnyId, prefix: &str) -> Option<PlanRelationship> {
        let relationship = get::<crate::grammar::Relationship>(self.context, id)?;
        let of_type = self.named(relationship.r#type, prefix)?;
        let entity = get::<RelationshipType>(self.context, of_type.id)?;
        let assigned = relationship.properties.position.and_then(|position| self.context.node(position));
        let prefixes = (prefix, &*of_type.prefix);
        Some(PlanRelationship {
            type_hierarchy: self.hierarchy(&of_type),
            target: full_name(prefix, self.context.text(relationship.target?.name)),
            properties: self.properties(&entity.properties, assigned, prefixes),
            source_operations: self.operations(&entity.source_interfaces, &relationship.source_interfaces, prefixes),
            target_operations: self.operations(&entity.target_interfaces, &relationship.target_interfaces, prefixes),
            r#type: of_type.name,
        })
    }

    fn scalable(&self, template: Node<'a>, prefix: &str) -> Map<String, Json> {
        let deploy = template.find("instances").and_then(|instances| instances.value.find("deploy"));
        let scalable = template.find("capabilities").and_then(|capabilities| capabilities.value.find("scalable"));
        let given = scalable.and_then(|scalable| scalable.value.find("properties"));
        let mut numbers = Map::new();
        for (name, default) in [("default_instances", 1), ("min_instances", 0), ("max_instances", -1)] {
            let number = given.and_then(|given| given.value.find(name));
            let number = number.or_else(|| deploy.filter(|_| name == "default_instances"));
            let number = match number.map(|number| number.value) {
                Some(number) if number.text() == "UNBOUNDED" => Json::from(-1),
                Some(number) => self.json(number, prefix, 0),
                None => Json::from(default),
            };
            numbers.insert(name.to_owned(), number);
        }
        numbers
    }

    /// Returns the hosts of nodes, by name.
    fn hosts<'t>(&self, templates: &'t BTreeMap<String, Vec<(AnyId, &str)>>) -> BTreeMap<&'t str, Option<&'t str>> {
        let (mut types, mut hosts) = (FxHashMap::default(), BTreeMap::new());
        for start in templates.keys() {
            let (mut path, mut next) = (Vec::new(), Some(&**start));
            let host = loop {
                let Some(name) = next else { break None };
                if let Some(known) = hosts.get(name) {
                    break *known;
                }
                hosts.insert(name, None);
                path.push(name);
                let (is_host, container) = self.containment(&templates[name], &mut types);
                if is_host {
                    break Some(name);
                }
                next = container.and_then(|container| templates.get_key_value(&container)).map(|(name, _)| &**name);
            };
            hosts.extend(path.into_iter().map(|name| (name, host)));
        }
        hosts
    }

    /// Returns whether a node is a host, and the name of the node that contains it.
    fn containment(&self, parts: &[(AnyId, &str)], types: &mut FxHashMap<AnyId, bool>) -> (bool, Option<String>) {
        let mut container = None;
        for (id, prefix) in parts {
            let Some(template) = get::<NodeTemplate>(self.context, *id) else { continue };
            let of_type = self.context.target_of(template.r#type);
            if of_type.is_some_and(|of_type| is_host(self.context, of_type.any(), types)) {
                return (true, None);
            }
            for relationship in template.relationships.iter().filter_map(|id| self.context.get(*id)) {
                let of_type = self.context.target_of(relationship.r#type);
                if of_type.is_some_and(|of_type| descends(self.context, of_type.any(), CONTAINED_IN))
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
        assigned: Option<Node<'a>>,
        (own, of_type): (&str, &str),
    ) -> Map<String, Json> {
        let mut values = Map::new();
        for (name, id) in definitions.iter() {
            let name = self.context.text(name);
            let Some(definition) = self.context.get(id) else { continue };
            let own = assigned.and_then(|assigned| Some((find(self.context, assigned, name)?, own)));
            let ty = type_of(self.context, definition.r#type);
            let layers: Vec<_> = match ty {
                Type::Data(data) => defaults(self.context, id, data),
                _ => value_of(self.context, definition.default).into_iter().collect(),
            };
            let layers: Vec<_> = own.into_iter().chain(layers.into_iter().map(|layer| (layer, of_type))).collect();
            let is_optional = definition.required.is_some_and(|required| !required.value);
            if layers.is_empty() && is_optional {
                continue;
            }
            if let Some(value) = self.layered(ty, &layers, of_type, 0) {
                values.insert(name.to_owned(), value);
            }
        }
        values
    }

    /// Returns a value that overrides others. Only maps of data types are merged.
    fn layered(&self, ty: Type<'_>, layers: &[(Node<'a>, &str)], of_type: &str, depth: usize) -> Option<Json> {
        let first = layers.first().map(|(node, prefix)| self.json(*node, prefix, 0));
        let Type::Data(data) = ty else { return first };
        if !self.takes_room() {
            return None;
        }
        let is_map = |node: Node<'_>| node.kind() == Kind::Map && call(node).is_none();
        if depth > MAX_DEPTH || layers.first().is_some_and(|(node, _)| !is_map(*node)) {
            return first;
        }
        let data: &DataType = self.context.get(data)?;
        let mut values = Map::new();
        for (name, id) in data.properties.iter() {
            let name = self.context.text(name);
            let field = self.context.get(id)?;
            let given = layers.iter().filter_map(|(layer, prefix)| Some((find(self.context, *layer, name)?, *prefix)));
            let default = value_of(self.context, field.default).map(|default| (default, of_type));
            let given: Vec<_> = given.chain(default).collect();
            if let Some(value) = self.layered(type_of(self.context, field.r#type), &given, of_type, depth + 1) {
                values.insert(name.to_owned(), value);
            }
        }
        (!values.is_empty() || !layers.is_empty()).then_some(Json::Object(values))
    }

    /// Returns the operations of a type, overridden by those of a template.
    fn operations(
        &self,
        of_type: &Members<Interface>,
        own: &Members<TemplateInterface>,
        prefixes: (&str, &str),
    ) -> BTreeMap<String, PlanOperation> {
        let mut operations = BTreeMap::new();
        let mut add = |interface: &str, name: &str, operation: Option<PlanOperation>| {
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
        (own_prefix, of_type): (&str, &str),
    ) -> Option<PlanOperation> {
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
        let written = |text| text_of(self.context, text).filter(|node| !node.text().is_empty());
        let of_own = own.and_then(|own| written(own.implementation));
        let of_base = base.and_then(|base| written(base.implementation));
        let is_same = of_own.is_none_or(|own| of_base.is_some_and(|base| base.text() == own.text()));
        let base = base.filter(|_| is_same && of_base.is_some());
        let (implementation, prefix) = match (of_own, of_base) {
            (Some(own), _) => (own, own_prefix),
            (None, base) => (base?, of_type),
        };
        let mut inputs = Map::new();
        for (name, id) in base.into_iter().flat_map(|base| base.inputs.iter()) {
            let default = self.context.get(id).and_then(|input| value_of(self.context, input.default));
            if let Some(default) = default {
                inputs.insert(self.context.text(name).to_owned(), self.json(default, of_type, 0));
            }
        }
        let given = own.and_then(|own| own.inputs.position).and_then(|position| self.context.node(position));
        for entry in given.into_iter().flat_map(Node::entries) {
            inputs.insert(entry.key.text().to_owned(), self.json(entry.value, own_prefix, 0));
        }
        let executor = own.and_then(|own| own.executor).or_else(|| base?.executor).map(|executor| executor.value);
        let (plugin, operation, executor) = match self.plugin(implementation, prefix) {
            Some((name, task, plugin)) => {
                (name, task, word(executor.or_else(|| plugin.executor.map(|executor| executor.value))))
            }
            None => {
                let text = implementation.text();
                let key = if text.contains('\n') { "script_source" } else { "script_path" };
                inputs.insert(key.to_owned(), Json::from(text));
                let executor = executor.map_or_else(|| "auto".to_owned(), |executor| word(Some(executor)));
                (self.script.clone()?, "script_runner.tasks.run".to_owned(), executor)
            }
        };
        let mut limits = Map::new();
        for name in ["max_retries", "retry_interval", "timeout", "timeout_recoverable"] {
            let find = |node: Option<Node<'a>>| node.and_then(|node| node.find(name)).map(|entry| entry.value);
            if let Some(value) = find(own_node).or_else(|| find(base_node.filter(|_| base.is_some()))) {
                limits.insert(name.to_owned(), self.json(value, "", 0));
            }
        }
        Some(PlanOperation { plugin, operation, executor, inputs, limits })
    }

    /// Returns the plugin, its full name and the task that an implementation names; `None` if it is a script.
    fn plugin(&self, node: Node<'a>, prefix: &str) -> Option<(String, String, &'a Plugin)> {
        let (text, unit): (&str, SourceId) = (node.text(), node.document().source());
        if text.contains('\n') {
            return None;
        }
        text.match_indices('.').take(32).find_map(|(end, _)| {
            let name = self.context.program.interner.get(&text[..end])?;
            let id = self.context.program.resolve(unit, PLUGINS, name).id()?;
            let plugin = get::<Plugin>(self.context, id)?;
            Some((full_name(prefix, &text[..end]), text[end + 1..].to_owned(), plugin))
        })
    }
}

fn word(executor: Option<Executor>) -> String {
    match executor {
        Some(Executor::HostAgent) => "host_agent".to_owned(),
        _ => "central_deployment_agent".to_owned(),
    }
}
