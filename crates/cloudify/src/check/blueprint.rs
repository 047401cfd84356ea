//! A blueprint with its imports: names that several files declare, and the relationships between node templates.

use std::collections::VecDeque;

use foldhash::HashSet;
use rustc_hash::{FxHashMap, FxHashSet};
use tosca_parse::ard::{Kind, Node, NodeId};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::{AnyId, Checked, Checks, Id, LocalId, Members};
use tosca_parse::phase::read::Reader;
use tosca_parse::phase::{Context, DiagnosticExt as _};
use tosca_parse::rules::{MISSING_KEYNAME, NULL_VALUE, WRONG_KIND};
use tosca_parse::symbol::Symbol;

use super::evaluate::{Evaluator, Here};
use super::node::{CONTAINED_IN, descends};
use super::operation::{Operations, Owner};
use super::{entities, find, get, graph, group, import, loops, node_of, report_loop, report_loops, value_of};
use crate::function::{call, has_call};
use crate::grammar::{
    Blueprint, DataType, NodeTemplate, NodeType, Relationship, RelationshipType, ScalingPolicy, V1_3,
};
use crate::rules::{
    DECLARED_AGAIN, FIELD_LOOP, INVALID_RELATIONSHIP, NAMESPACE_NOT_ALLOWED, RELATIONSHIP_LOOP, SECTION_AGAIN,
    TOO_MANY_NAMESPACES, VALUE_LOOP,
};

/// The maximum number of pairs of a file and a namespace.
const MAX_COPIES: usize = 1_000;

/// The maximum length that namespaces add to the names of files, in bytes.
const MAX_NAMES: usize = 10_000_000;

/// The minimum length that a name counts as in each further namespace of its file, in bytes, because the name is stored
/// again.
const NAME_LENGTH: usize = 100;

/// The maximum number of values that are followed to find loops.
const MAX_VALUES: usize = 100_000;

/// The string that the name of a host type, or of one of its ancestors, contains.
const HOST: &str = "cloudify.nodes.Compute";

/// The relationship type that needs an operation of its target.
const OF_OPERATION: &str = "cloudify.relationships.depends_on_lifecycle_operation";

/// The interface of such operations.
const LIFECYCLE: &str = "cloudify.interfaces.lifecycle";

/// The rule for a section that several files have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Merge {
    /// No two files may define the same name.
    Names,
    /// As for `Names`, but before version 1.3 only one file may have the section.
    Later,
    /// The first file takes precedence, but before version 1.3 only one file may have the section.
    First,
    /// Only one file may have the section.
    Never,
}

impl Checked for Blueprint {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(read).render(blueprint);
}

fn read(_: &Blueprint, reader: &mut Reader<'_>, id: LocalId) {
    let Some(header) = reader.header(id) else { return };
    let node = reader.document().node(header.node);
    import::list(node, reader);
    let definitions = node.find("dsl_definitions").map(|entry| entry.value);
    if let Some(value) = definitions.filter(|value| !matches!(value.kind(), Kind::Map | Kind::List | Kind::Null)) {
        let message = format!("`dsl_definitions` must be a map or a list, not {}", super::kind(value));
        reader.problem(&WRONG_KIND, value, message).help("write a map of the values to reuse");
    }
    let tags = node.find("resource_tags").map(|tags| tags.value);
    for entry in tags.into_iter().flat_map(Node::entries).filter(|entry| entry.value.kind() == Kind::Null) {
        let message = format!("tag `{}` has no value", entry.key.text());
        reader.problem(&NULL_VALUE, entry.key, message).help("write a value");
    }
}

fn blueprint(_: &Blueprint, context: &mut Context<'_>, id: Id<Blueprint>) {
    if context.program.index(id.any().unit) != Some(0) {
        return;
    }
    import::targets(context);
    let copies = copies(context);
    let merged = Merged::new(context, &copies);
    let nodes = Nodes::new(context, &merged);
    nodes.check(context);
    let mut units = FxHashSet::default();
    let blueprints: Vec<&Blueprint> =
        copies.iter().filter(|copy| units.insert(copy.unit)).map(|copy| copy.blueprint).collect();
    fields(context, &blueprints);
    values(context, &blueprints, &merged);
    let policies: Vec<Id<ScalingPolicy>> =
        blueprints.iter().flat_map(|blueprint| blueprint.policies.iter()).map(|(_, id)| id).collect();
    group::targeted(context, &policies, &nodes);
    operations(context, &blueprints, &nodes);
    crate::plan::check(context, &copies);
}

/// A file under one of the namespaces that it is imported with.
pub(crate) struct Copy<'a> {
    unit: usize,
    /// The namespace with its separator.
    pub(crate) namespace: String,
    pub(crate) blueprint: &'a Blueprint,
    id: AnyId,
    /// The import in the entry that includes this file.
    import: Option<NodeId>,
    /// Whether the file contains the standard types, which other files may declare again.
    is_standard: bool,
}

/// Returns all files of a blueprint, in the order in which they are read: level by level.
pub(crate) fn copies<'a>(context: &mut Context<'a>) -> Vec<Copy<'a>> {
    let program = context.program;
    let (mut copies, mut added, mut omitted) = (Vec::new(), 0, None);
    let (mut met, mut units) = (HashSet::from_iter([(0, String::new())]), FxHashSet::default());
    let mut waiting = VecDeque::from([(0, String::new(), None)]);
    while let Some((unit, namespace, import)) = waiting.pop_front() {
        let list = &program.list[unit];
        let root = list.root.and_then(|root| Some((root, get::<Blueprint>(context, root)?)));
        let Some((id, blueprint)) = root else { continue };
        let names = list.references().count() + blueprint.node_templates.len() + blueprint.inputs.len();
        let length = if units.insert(unit) { namespace.len() } else { namespace.len().max(NAME_LENGTH) };
        added += names.saturating_mul(length);
        if added > MAX_NAMES {
            omitted = omitted.or(import);
            break;
        }
        for link in &program.links[unit] {
            let Some(request) = list.imports.get(link.import) else { continue };
            let import = import.or(Some(request.node));
            if met.len() >= MAX_COPIES || added > MAX_NAMES {
                omitted = omitted.or(import);
                break;
            }
            let inner = match link.prefix {
                Some(prefix) => format!("{namespace}{}--", program.text(prefix)),
                None => namespace.clone(),
            };
            if met.insert((link.unit, inner.clone())) {
                added += inner.len();
                waiting.push_back((link.unit, inner, import));
            }
        }
        let metadata = blueprint.metadata.position.and_then(|position| context.node(position));
        let is_standard = metadata.and_then(|metadata| metadata.find("cloudify_types"));
        let is_standard = is_standard.is_some_and(|entry| entry.value.as_bool() == Some(true));
        copies.push(Copy { unit, namespace, blueprint, id, import, is_standard });
    }
    if let Some(import) = omitted {
        let at = program.list[0].document.node(import).span();
        let message = "files are imported under too many namespaces";
        let help = "import files under fewer or shorter namespaces; names in the remaining files are not compared";
        context.problem(&TOO_MANY_NAMESPACES, Some(at), message).help(help);
    }
    copies
}

/// The declarations of all files.
struct Merged {
    /// The first node template with the same name, for each node template.
    canonical: FxHashMap<AnyId, AnyId>,
    /// The node templates, in order; if several have the same name, the first one.
    templates: Vec<AnyId>,
    /// All node templates with the same name, by the first one.
    parts: FxHashMap<AnyId, Vec<AnyId>>,
}

impl Merged {
    fn new(context: &mut Context<'_>, copies: &[Copy<'_>]) -> Self {
        let mut merged = Self { canonical: FxHashMap::default(), templates: Vec::new(), parts: FxHashMap::default() };
        let standard = copies.iter().filter(|copy| copy.is_standard).map(|copy| copy.id.unit).collect();
        let mut names = Names { first: FxHashMap::default(), standard, sections: FxHashMap::default() };
        for copy in copies {
            let blueprint = copy.blueprint;
            names.section(context, copy, "inputs", Merge::Later, &blueprint.inputs);
            names.section(context, copy, "data_types", Merge::Names, &blueprint.data_types);
            names.section(context, copy, "node_types", Merge::Names, &blueprint.node_types);
            names.section(context, copy, "relationships", Merge::Names, &blueprint.relationships);
            names.section(context, copy, "plugins", Merge::Names, &blueprint.plugins);
            names.section(context, copy, "policy_types", Merge::Names, &blueprint.policy_types);
            names.section(context, copy, "policy_triggers", Merge::Names, &blueprint.policy_triggers);
            names.section(context, copy, "groups", Merge::Names, &blueprint.groups);
            names.section(context, copy, "workflows", Merge::Names, &blueprint.workflows);
            names.section(context, copy, "node_templates", Merge::Later, &blueprint.node_templates);
            names.section(context, copy, "outputs", Merge::Later, &blueprint.outputs);
            names.section(context, copy, "capabilities", Merge::Later, &blueprint.capabilities);
            names.section(context, copy, "labels", Merge::First, &blueprint.labels);
            names.section(context, copy, "blueprint_labels", Merge::First, &blueprint.blueprint_labels);
            names.section(context, copy, "policies", Merge::Never, &blueprint.policies);
            if let Some(settings) = blueprint.deployment_settings {
                names.settings(context, copy, settings.any());
            }
            for (name, id) in blueprint.node_templates.iter() {
                let full = Names::full(context, copy, name);
                let first = names.first.get(&("node_templates", full)).copied().unwrap_or(id.any());
                if *merged.canonical.entry(id.any()).or_insert(first) == first {
                    let parts = merged.parts.entry(first).or_default();
                    if parts.is_empty() {
                        merged.templates.push(first);
                    }
                    if !parts.contains(&id.any()) {
                        parts.push(id.any());
                    }
                }
            }
        }
        merged
    }
}

/// The declarations found so far.
struct Names {
    first: FxHashMap<(&'static str, Symbol), AnyId>,
    /// The units of standard types.
    standard: FxHashSet<SourceId>,
    /// The first file that has each section.
    sections: FxHashMap<&'static str, usize>,
}

impl Names {
    /// Returns the name of a declaration in the blueprint.
    fn full(context: &Context<'_>, copy: &Copy<'_>, name: Symbol) -> Symbol {
        let text = context.text(name);
        if copy.namespace.is_empty() || text.starts_with("cloudify.") {
            return name;
        }
        context.intern(&format!("{}{text}", copy.namespace))
    }

    fn section<E: tosca_parse::entity::Entity>(
        &mut self,
        context: &mut Context<'_>,
        copy: &Copy<'_>,
        section: &'static str,
        merge: Merge,
        members: &Members<E>,
    ) {
        if members.is_empty() || !self.may_have(context, copy, section, merge) {
            return;
        }
        for (name, id) in members.iter() {
            let full = Names::full(context, copy, name);
            let Some(first) = self.first.get(&(section, full)).copied() else {
                self.first.insert((section, full), id.any());
                continue;
            };
            let is_allowed = first == id.any()
                || merge == Merge::First
                || copy.is_standard
                || self.standard.contains(&first.unit)
                || context.text(full).starts_with("cloudify.")
                || is_mergeable(context, section, first, id.any());
            if is_allowed {
                continue;
            }
            let entry = context.program.list[0].id;
            // The position in the entry, if there is one, else the import that contributes the second declaration.
            let import = copy.import.map(|import| context.program.list[0].document.node(import).span());
            let (at, other) = if first.unit == entry {
                (context.program.name_span(first), context.program.name_span(id.any()))
            } else {
                (import, context.program.name_span(id.any()))
            };
            let message = format!("`{}` is declared by several files, in `{section}`", context.text(full));
            let help = "rename one of the declarations, or import one of the files with a namespace";
            context.problem(&DECLARED_AGAIN, at, message).help(help).related(other, "other declaration");
        }
    }

    /// Returns whether a file may repeat a section that another file already has. Reports the section if not.
    fn may_have(&mut self, context: &mut Context<'_>, copy: &Copy<'_>, section: &'static str, merge: Merge) -> bool {
        let first = *self.sections.entry(section).or_insert(copy.unit);
        let version = context.program.list[0].version;
        let is_single = match merge {
            Merge::Names => false,
            Merge::Later | Merge::First => version < V1_3,
            Merge::Never => true,
        };
        if !is_single || first == copy.unit {
            return true;
        }
        let at = copy.import.map(|import| context.program.list[0].document.node(import).span());
        let other = context.program.keyname_span(copy.id, section);
        let message = format!("only one file of the blueprint may have `{section}`");
        let help = match merge {
            Merge::Never => "move the section to one file",
            _ => "move the section to one file, or use version 1.3 or later",
        };
        context.problem(&SECTION_AGAIN, at, message).help(help).related(other, "second section");
        false
    }

    fn settings(&mut self, context: &mut Context<'_>, copy: &Copy<'_>, id: AnyId) {
        if !copy.namespace.is_empty() {
            let at = copy.import.map(|import| context.program.list[0].document.node(import).span());
            let other = context.program.name_span(id);
            let message = "a file with `deployment_settings` can't be imported with a namespace";
            let problem = context.problem(&NAMESPACE_NOT_ALLOWED, at, message);
            problem.help("import the file without a namespace").related(other, "the settings");
            return;
        }
        self.may_have(context, copy, "deployment_settings", Merge::Never);
    }
}

/// Returns whether two declarations of the same name can be merged into one.
fn is_mergeable(context: &Context<'_>, section: &str, first: AnyId, second: AnyId) -> bool {
    let (Some(first), Some(second)) = (node_of(context, first), node_of(context, second)) else { return true };
    match section {
        "workflows" => first.kind() == Kind::Map && second.kind() == Kind::Map,
        "node_templates" => {
            let has = |node: Node<'_>, name: &str| node.find(name).is_some();
            let is_extension = |node: Node<'_>| node.len() == 1 && has(node, "relationships");
            is_extension(first) && (has(second, "type") || is_extension(second))
                || has(first, "relationships") && is_extension(second)
        }
        _ => false,
    }
}

/// A relationship between nodes.
struct Edge<'a> {
    id: Id<Relationship>,
    relationship: &'a Relationship,
    of_type: Option<AnyId>,
    target: Option<AnyId>,
    is_containment: bool,
    /// Whether all instances have the same target.
    is_all_to_one: bool,
}

/// The node templates of a blueprint, with their relationships.
pub(super) struct Nodes<'a> {
    canonical: FxHashMap<AnyId, AnyId>,
    order: Vec<AnyId>,
    types: FxHashMap<AnyId, (AnyId, &'a NodeType)>,
    parts: FxHashMap<AnyId, Vec<&'a NodeTemplate>>,
    edges: FxHashMap<AnyId, Vec<Edge<'a>>>,
    /// The nodes that are hosts or are contained in a host.
    hosted: FxHashSet<AnyId>,
    roots: FxHashMap<AnyId, AnyId>,
}

impl<'a> Nodes<'a> {
    fn new(context: &mut Context<'a>, merged: &Merged) -> Self {
        let mut nodes = Self {
            canonical: merged.canonical.clone(),
            order: merged.templates.clone(),
            types: FxHashMap::default(),
            parts: FxHashMap::default(),
            edges: FxHashMap::default(),
            hosted: FxHashSet::default(),
            roots: FxHashMap::default(),
        };
        for first in &merged.templates {
            let parts = merged.parts.get(first).map_or(&[][..], Vec::as_slice);
            let mut edges = Vec::new();
            let mut has_type = false;
            for part in parts {
                let Some(template) = get::<NodeTemplate>(context, *part) else { continue };
                has_type |= template.r#type.is_some() || !context.program.was_read(*part);
                if let Some(of_type) = context.target_of(template.r#type)
                    && let Some(entity) = context.get(of_type)
                {
                    nodes.types.insert(*first, (of_type.any(), entity));
                }
                for id in &template.relationships {
                    let Some(relationship) = context.get(*id) else { continue };
                    let of_type = context.target_of(relationship.r#type).map(Id::any);
                    let target = relationship.target.and_then(|target| context.any_target(target));
                    let target = target.map(|target| nodes.canonical(target));
                    let is_containment = of_type.is_some_and(|of_type| descends(context, of_type, CONTAINED_IN));
                    let properties = relationship.properties.position.and_then(|position| context.node(position));
                    let connection = properties.and_then(|properties| properties.find("connection_type"));
                    let is_all_to_one = connection.is_some_and(|connection| connection.value.text() == "all_to_one");
                    edges.push(Edge { id: *id, relationship, of_type, target, is_containment, is_all_to_one });
                }
                nodes.parts.entry(*first).or_default().push(template);
            }
            let at = context.program.name_span(*first);
            if !has_type && node_of(context, *first).is_some_and(|node| matches!(node.kind(), Kind::Map | Kind::Null)) {
                let message = format!("{} lacks the mandatory keyname `type`", context.describe(*first));
                context.problem(&MISSING_KEYNAME, at, message).help("add `type: …`");
            }
            nodes.edges.insert(*first, edges);
        }
        nodes.find_hosts(context);
        nodes
    }

    /// Returns the first node template with the same name as the given one.
    pub(super) fn canonical(&self, id: AnyId) -> AnyId {
        self.canonical.get(&id).copied().unwrap_or(id)
    }

    fn container(&self, id: AnyId) -> Option<AnyId> {
        self.edges.get(&id)?.iter().find(|edge| edge.is_containment)?.target
    }

    /// Returns the outermost node that contains a node, and whether it is a different node.
    pub(super) fn root(&self, id: AnyId) -> (AnyId, bool) {
        let root = self.roots.get(&id).copied().unwrap_or(id);
        (root, root != id)
    }

    /// Returns whether all instances have the same target in any relationship.
    pub(super) fn has_all_to_one(&self) -> bool {
        self.edges.values().flatten().any(|edge| edge.is_all_to_one)
    }

    /// Returns the relationships of a node in which all instances have the same target.
    pub(super) fn all_to_one(&self, id: AnyId) -> Vec<(AnyId, AnyId)> {
        let edges = self.edges.get(&id).map_or(&[][..], Vec::as_slice);
        edges.iter().filter(|edge| edge.is_all_to_one).filter_map(|edge| Some((edge.id.any(), edge.target?))).collect()
    }

    /// Finds the nodes that have a host, and the outermost node around each node.
    fn find_hosts(&mut self, context: &Context<'a>) {
        let mut types: FxHashMap<AnyId, bool> = FxHashMap::default();
        let mut hosted: FxHashMap<AnyId, bool> = FxHashMap::default();
        for start in &self.order {
            let mut path = Vec::new();
            let mut next = *start;
            let found = loop {
                if let (Some(known), Some(root)) = (hosted.get(&next), self.roots.get(&next)) {
                    break (*known, *root);
                }
                path.push(next);
                // In a loop, which is reported, there is no outermost node.
                hosted.insert(next, false);
                self.roots.insert(next, next);
                let is_host = self.types.get(&next).is_some_and(|(of_type, _)| is_host(context, *of_type, &mut types));
                match self.container(next) {
                    Some(container) if !is_host => next = container,
                    Some(container) => {
                        let root = self.roots.get(&container).copied().unwrap_or(container);
                        break (true, root);
                    }
                    None => break (is_host, next),
                }
            };
            for id in path {
                hosted.insert(id, found.0);
                self.roots.insert(id, found.1);
            }
        }
        self.hosted = hosted.into_iter().filter(|(_, is_hosted)| *is_hosted).map(|(id, _)| id).collect();
    }

    fn check(&self, context: &mut Context<'a>) {
        let numbers: FxHashMap<AnyId, usize> =
            self.order.iter().enumerate().map(|(number, id)| (*id, number)).collect();
        let mut pairs = Vec::new();
        for id in &self.order {
            let edges = self.edges.get(id).map_or(&[][..], Vec::as_slice);
            let mut containers = edges.iter().filter(|edge| edge.is_containment).skip(1);
            if let Some(second) = containers.next() {
                let at = context.program.keyname_span(*id, "relationships");
                let place = context.program.name_span(second.id.any());
                let message = format!("node template `{}` is contained in several nodes", context.program.name(*id));
                let problem = context.problem(&INVALID_RELATIONSHIP, at, message);
                problem.help("remove one of the relationships").related(place, "second relationship");
            }
            for edge in edges {
                let Some(target) = edge.target else { continue };
                if target == *id {
                    let at = edge.relationship.target.and_then(|target| context.reference_span(target));
                    let message = format!("node template `{}` is its own target", context.program.name(*id));
                    context.problem(&INVALID_RELATIONSHIP, at, message).help("name a different node template");
                } else if let (Some(from), Some(to)) = (numbers.get(id), numbers.get(&target)) {
                    pairs.push((*from, *to));
                }
                self.operation_of_target(context, edge, target);
            }
        }
        let names = self.order.iter().map(|id| (context.program.name_span(*id), context.program.name(*id).to_owned()));
        let graph = graph(names.collect(), pairs);
        report_loops(context, &RELATIONSHIP_LOOP, &graph, |name, path| {
            (format!("relationships of node template `{name}` form a loop: {path}"), "remove one of the relationships")
        });
    }

    /// Checks that the target of a relationship has the operation that the relationship names.
    fn operation_of_target(&self, context: &mut Context<'a>, edge: &Edge<'a>, target: AnyId) {
        let is_it = edge.of_type.is_some_and(|of_type| descends(context, of_type, OF_OPERATION));
        let properties = edge.relationship.properties.position.filter(|_| is_it);
        let properties = properties.and_then(|position| context.node(position));
        let Some(name) = properties.and_then(|properties| properties.find("operation")).map(|entry| entry.value) else {
            return;
        };
        if name.kind() != Kind::String {
            return;
        }
        let parts = self.parts.get(&target).map_or(&[][..], Vec::as_slice);
        let has_it = parts.iter().any(|part| {
            let interface = part.interfaces.get(context.intern(LIFECYCLE)).and_then(|id| context.get(id));
            interface.is_some_and(|interface| interface.operations.get(context.intern(name.text())).is_some())
        });
        if !has_it {
            let target = context.program.name(target);
            let message = format!("node template `{target}` has no operation `{}` in `{LIFECYCLE}`", name.text());
            let help = format!("add the operation to `{target}` itself, not to its type");
            context.problem(&INVALID_RELATIONSHIP, Some(name.span()), message).help(help);
        }
    }
}

/// Returns whether a type, or one of its ancestors, is named like the host type.
pub(crate) fn is_host(context: &Context<'_>, of_type: AnyId, known: &mut FxHashMap<AnyId, bool>) -> bool {
    let mut path = Vec::new();
    let mut next = Some(of_type);
    let found = loop {
        let Some(id) = next else { break false };
        if let Some(known) = known.get(&id) {
            break *known;
        }
        path.push(id);
        known.insert(id, false);
        if context.program.name(id).contains(HOST) {
            break true;
        }
        next = context.program.lineage(id).and_then(|lineage| lineage.parents().first().copied());
    };
    for id in path {
        known.insert(id, found);
    }
    found
}

/// Reports data types that contain themselves.
fn fields(context: &mut Context<'_>, blueprints: &[&Blueprint]) {
    let types: Vec<Id<DataType>> =
        blueprints.iter().flat_map(|blueprint| blueprint.data_types.iter()).map(|(_, id)| id).collect();
    let numbers: FxHashMap<AnyId, usize> = types.iter().enumerate().map(|(number, id)| (id.any(), number)).collect();
    let mut pairs = Vec::new();
    for (number, id) in types.iter().enumerate() {
        let Some(of_type) = context.program.raw_as(*id) else { continue };
        for field in entities(context, of_type.properties.iter().map(|(_, id)| id)) {
            let target = context.target_of(field.r#type).and_then(|target| numbers.get(&target.any()));
            pairs.extend(target.map(|target| (number, *target)));
        }
    }
    let names = types.iter().map(|id| (context.program.name_span(id.any()), context.program.name(id.any()).to_owned()));
    let graph = graph(names.collect(), pairs);
    report_loops(context, &FIELD_LOOP, &graph, |name, path| {
        (format!("data type `{name}` contains itself: {path}"), "give one of the fields the type `dict`")
    });
}

/// Values that depend on each other.
struct Values<'a> {
    /// The numbers of values; `None` for those that call nothing and so depend on nothing.
    numbers: FxHashMap<(Here, NodeId, u32), Option<usize>>,
    list: Vec<(Here, Node<'a>, String)>,
}

impl<'a> Values<'a> {
    fn number(&mut self, here: Here, node: Node<'a>, name: impl FnOnce() -> String) -> Option<usize> {
        let key = (here, node.id(), node.document().source().0);
        if let Some(known) = self.numbers.get(&key) {
            return *known;
        }
        let number = (self.list.len() < MAX_VALUES && has_call(node)).then_some(self.list.len());
        self.numbers.insert(key, number);
        if number.is_some() {
            self.list.push((here, node, name()));
        }
        number
    }
}

/// Reports values that depend on themselves.
fn values<'a>(context: &mut Context<'a>, blueprints: &[&'a Blueprint], merged: &Merged) {
    let mut values = Values { numbers: FxHashMap::default(), list: Vec::new() };
    for (name, id) in blueprints.iter().flat_map(|blueprint| blueprint.inputs.iter()) {
        let default = context.get(id).and_then(|input| value_of(context, input.default));
        if let Some(default) = default {
            values.number(Here::default(), default, || context.text(name).to_owned());
        }
    }
    let mut defaults = FxHashMap::default();
    for id in &merged.templates {
        let Some(template) = get::<NodeTemplate>(context, *id) else { continue };
        let here = Here { itself: Some(*id), ..Here::default() };
        let name = |property: &str| format!("{}.{property}", context.program.name(*id));
        let assigned = template.properties.position.and_then(|position| context.node(position));
        for entry in assigned.into_iter().flat_map(Node::entries) {
            values.number(here, entry.value, || name(entry.key.text()));
        }
        let Some(of_type) = context.target_of(template.r#type) else { continue };
        for (property, default) in defaults.entry(of_type).or_insert_with(|| computed_defaults(context, of_type)) {
            if assigned.is_none_or(|assigned| assigned.get(*property).is_none()) {
                values.number(here, *default, || name(context.text(*property)));
            }
        }
    }
    let mut pairs = Vec::new();
    let mut next = 0;
    while let Some((here, node, _)) = values.list.get(next) {
        let (here, node) = (*here, *node);
        let mut calls = Vec::new();
        collect(node, &mut calls);
        for call in calls {
            if let Some((here, target, name)) = target(context, call, here)
                && let Some(target) = values.number(here, target, || name)
            {
                pairs.push((next, target));
            }
        }
        next += 1;
    }
    let nodes = values.list.into_iter().map(|(_, node, name)| (Some(node.span()), name)).collect();
    let graph = graph(nodes, pairs);
    let mut reported = FxHashSet::default();
    for found in loops(&graph) {
        // Defaults of a type are reported for its first template.
        let mut places: Vec<_> =
            found.iter().filter_map(|value| graph[*value].0).map(|at| (at.source.0, at.start)).collect();
        places.sort_unstable();
        if reported.insert(places) {
            report_loop(context, &VALUE_LOOP, &graph, &found, |name, path| {
                (format!("`{name}` depends on itself: {path}"), "write a value in place of one of the functions")
            });
        }
    }
}

/// Returns the defaults of a type that call functions.
fn computed_defaults<'a>(context: &Context<'a>, of_type: Id<NodeType>) -> Vec<(Symbol, Node<'a>)> {
    let properties = context.get(of_type).into_iter().flat_map(|of_type| of_type.properties.iter());
    let defaults = properties.filter_map(|(name, id)| Some((name, value_of(context, context.get(id)?.default)?)));
    defaults.filter(|(_, default)| has_call(*default)).collect()
}

/// Collects the calls in a value.
fn collect<'a>(node: Node<'a>, calls: &mut Vec<Node<'a>>) {
    if call(node).is_some() {
        calls.push(node);
    }
    node.items().for_each(|item| collect(item, calls));
    node.entries().for_each(|entry| collect(entry.value, calls));
}

/// Returns the value that a call refers to, with its name, as far as the arguments of the call show it.
fn target<'a>(context: &Context<'a>, node: Node<'a>, here: Here) -> Option<(Here, Node<'a>, String)> {
    let call = call(node)?;
    let arguments: Vec<Node<'a>> =
        if call.argument.kind() == Kind::List { call.argument.items().collect() } else { vec![call.argument] };
    let evaluator = Evaluator::new(context);
    let unit = node.document().source();
    let literal =
        |index: usize| arguments.get(index).filter(|node| node.kind() == Kind::String).map(|node| node.text());
    let (written, name, rest) = match call.function.name {
        "get_input" => (evaluator.input(unit, literal(0)?)?, literal(0)?.to_owned(), 1),
        "get_property" => {
            let template = evaluator.template(unit, literal(0)?, here)?;
            let written = evaluator.property(template, literal(1)?).ok()??;
            (written, format!("{}.{}", context.program.name(template), literal(1)?), 2)
        }
        _ => return None,
    };
    let mut value = written.value?;
    for key in arguments.iter().skip(rest) {
        if super::is_call(value) {
            break;
        }
        let next = match value.kind() {
            Kind::Map => find(context, value, key.text()),
            Kind::List => key.as_integer().and_then(|index| value.items().nth(usize::try_from(index).ok()?)),
            _ => None,
        };
        value = next?;
    }
    Some((written.here, value, name))
}

/// Checks operations and workflows.
fn operations<'a>(context: &mut Context<'a>, blueprints: &[&'a Blueprint], nodes: &Nodes<'a>) {
    let mut operations = Operations::new(context, blueprints);
    for id in &nodes.order {
        let of_type = nodes.types.get(id).copied();
        if let Some((of_type, _)) = of_type {
            operations.use_type(context, of_type);
        }
        let has_host = nodes.hosted.contains(id);
        for part in nodes.parts.get(id).map_or(&[][..], Vec::as_slice) {
            // A declaration that only adds relationships has no operations.
            let of_type = of_type.filter(|_| part.r#type.is_some()).map(|(id, of_type)| (id, &of_type.interfaces));
            let owner = Owner { id: *id, own: &part.interfaces, of_type, side: 0, has_host };
            operations.template(context, owner);
        }
        for edge in nodes.edges.get(id).map_or(&[][..], Vec::as_slice) {
            let of_type = edge.of_type.and_then(|id| Some((id, get::<RelationshipType>(context, id)?)));
            let target_has_host = edge.target.is_some_and(|target| nodes.hosted.contains(&target));
            let sides = [
                (
                    1,
                    &edge.relationship.source_interfaces,
                    of_type.map(|(id, ty)| (id, &ty.source_interfaces)),
                    has_host,
                ),
                (
                    2,
                    &edge.relationship.target_interfaces,
                    of_type.map(|(id, ty)| (id, &ty.target_interfaces)),
                    target_has_host,
                ),
            ];
            for (side, own, of_type, has_host) in sides {
                operations.template(context, Owner { id: edge.id.any(), own, of_type, side, has_host });
            }
        }
    }
    for blueprint in blueprints {
        for (_, id) in blueprint.node_types.iter() {
            operations.unused(context, id);
        }
        for (_, id) in blueprint.relationships.iter() {
            operations.relationship_type(context, id);
        }
        for workflow in entities(context, blueprint.workflows.iter().map(|(_, id)| id)) {
            operations.workflow(context, workflow);
        }
    }
}
