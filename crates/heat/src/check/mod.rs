//! Checks that annotations can't express.

pub(crate) mod arguments;
pub(crate) mod constraint;
mod cycle;
mod parameter;
mod pattern;
mod property;
pub(crate) mod registry;
pub(crate) mod value;

use std::cell::{Cell, RefCell};

use foldhash::HashMap;
use rustc_hash::FxHashMap;
use tosca_parse::ard::{Entry, Kind, Node};
use tosca_parse::diagnostic::Span;
use tosca_parse::entity::{AnyId, Checked, Checks, Described as _, Id, LocalId, Value};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::read::{ImportRequest, Reader};
use tosca_parse::phase::{Context, DiagnosticExt as _, NamedFile, Program};
use tosca_parse::source::ImportTarget;

use self::registry::{Meaning, Registry, facade};
use self::value::{Checker, Declared, Known, MAX_CONSTANTS, Made, PSEUDO_PARAMETERS, Place, Scope};
use crate::TYPES;
use crate::environment::Environment;
use crate::grammar::{NEWTON, Parameter, Resource, Template};
use crate::rules;
use crate::shape::Shapes;
use crate::types::{ResourceType, TypeLibrary};

impl Checked for Template {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(no_null_conditions).after_inheritance(template);
}

impl Checked for Resource {
    const CHECKS: Checks<Self> = Checks::NEW.import(nested).after_read(|_, reader, id| no_nulls(reader, id));
}

impl Checked for ResourceType {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(declare);
}

/// Declares a type that is a whole source.
fn declare(ty: &ResourceType, reader: &mut Reader<'_>, id: LocalId) {
    if let Some(name) = ty.resource_type.filter(|_| reader.header(id).is_some_and(|header| header.owner.is_none())) {
        let node = reader.document().node(name.0.node);
        reader.declare_itself(TYPES, id, node);
    }
}

pub(crate) fn is_path(name: &str) -> bool {
    [".yaml", ".template"].iter().any(|ending| name.ends_with(ending))
}

/// Returns the import of a template whose path is a type, or the type of the members of a group.
fn nested(resource: &Resource, reader: &mut Reader<'_>, id: LocalId) -> Option<ImportRequest> {
    let name = reader.interner().text(resource.r#type?.name);
    let node = reader.document().node(reader.header(id)?.node);
    let ty = match inner_key(name) {
        Some(key) => node.find("properties")?.value.find(key)?.value.find("type")?.value,
        None => node.find("type")?.value,
    };
    if !is_path(ty.text()) {
        return None;
    }
    let target = Some(ImportTarget::Url { url: ty.text().to_owned(), repository: None });
    Some(ImportRequest { entity: id, node: ty.id(), target, prefix: None, is_reference: true })
}

/// Reports nulls. Only in sections of a template do they count as absent.
fn no_nulls(reader: &mut Reader<'_>, id: LocalId) {
    let Some(header) = reader.header(id) else { return };
    let node = reader.document().node(header.node);
    for entry in node.entries().filter(|entry| entry.value.kind() == Kind::Null) {
        if reader.is_incomplete(entry.value.id()) {
            continue;
        }
        let name = entry.key.text().to_owned();
        let message = format!("`{name}` is empty");
        reader
            .problem(&tosca_parse::rules::NULL_VALUE, entry.value, message)
            .help(format!("remove `{name}`, or write a value"));
    }
}

/// Reports an empty section of conditions. Other sections may be empty.
fn no_null_conditions(_: &Template, reader: &mut Reader<'_>, id: LocalId) {
    let Some(header) = reader.header(id).filter(|_| reader.version() >= NEWTON) else { return };
    let node = reader.document().node(header.node);
    let Some(entry) = node.find("conditions").filter(|entry| entry.value.kind() == Kind::Null) else { return };
    if !reader.is_incomplete(entry.value.id()) {
        let problem = reader.problem(&tosca_parse::rules::NULL_VALUE, entry.key, "`conditions` is empty".to_owned());
        problem.help("remove `conditions`, or write a condition");
    }
}

/// Returns whether a unit is imported.
fn is_used(program: &Program<Complete>, place: usize) -> bool {
    program.units.links.iter().flatten().any(|link| link.unit == place)
}

/// A template that a different template or an environment imports.
#[derive(Clone, Copy)]
pub(crate) struct Nested<'a> {
    pub(crate) unit: usize,
    pub(crate) id: Id<Template>,
    pub(crate) template: &'a Template,
}

/// Returns the templates that a unit imports, by the entity that names them.
pub(crate) fn imported_by(program: &Program<Complete>, place: usize) -> impl Iterator<Item = (AnyId, Nested<'_>)> {
    let unit = &program.units.list[place];
    program.units.links[place].iter().filter_map(move |link| {
        let request = unit.imports.get(link.import)?;
        let id = program.units.list.get(link.unit)?.root?.cast::<Template>()?;
        Some((request.entity.of(unit.id), Nested { unit: link.unit, id, template: program.get(id)? }))
    })
}

fn template(_: &Template, context: &mut Context<'_>, id: Id<Template>) {
    let Some(template) = context.get(id) else { return };
    let nodes = |id| {
        context.header(id).and_then(|header| context.program.unit(id.unit).map(|unit| unit.document.node(header.node)))
    };
    let mut own = Context::new(context.program, 10_000);
    let scope = scope(template, &mut own, id);
    let mut checker = Checker {
        place: Place::Output,
        is_conditional: false,
        edges: vec![Vec::new(); scope.resources.len()],
        results: RefCell::default(),
        room: Cell::new(MAX_CONSTANTS),
        scope: &scope,
        context: &mut own,
    };
    for (_, parameter) in template.parameters.iter() {
        let name = checker.context.program.name(parameter.any());
        let at = checker.context.program.name_span(parameter.any());
        if PSEUDO_PARAMETERS.contains(&name) {
            let message = format!("`{name}` is a pseudo parameter, which every template has");
            checker.context.problem(&rules::MISUSED_NAME, at, message).help("use a different name");
        }
    }
    groups(template, checker.context);
    for (_, condition) in template.conditions.iter() {
        if let Some(node) = nodes(condition.any()) {
            checker.condition(node, false);
        }
    }
    for number in 0..scope.resources.len() {
        resource(&mut checker, number, nodes(scope.resources[number].id.any()));
    }
    for (_, output) in template.outputs.iter() {
        checker.place = Place::Output;
        let Some(output) = checker.context.get(output) else { continue };
        let condition = value(output.condition, &checker).filter(|node| node.kind() != Kind::Null);
        if let Some(condition) = condition {
            checker.condition(condition, true);
        }
        checker.is_conditional = condition.is_some();
        if let Some(value) = output.value.and_then(|value| checker.context.node(value.0)) {
            checker.walk(value);
        }
    }
    cycle::resources(&mut checker);
    cycle::conditions(&mut checker);
    if context.program.index(id.any().unit) == Some(0) {
        cycle::templates(&mut checker);
    }
    context.include(own);
}

/// Reports parameters that groups name more than once.
fn groups(template: &Template, context: &mut Context<'_>) {
    let mut named = HashMap::default();
    for group in &template.parameter_groups {
        let Some(group) = context.get(*group) else { continue };
        for reference in &group.parameters {
            let at = context.reference_span(*reference);
            let Some(first) = named.insert(reference.name, at) else { continue };
            let message = format!("groups name parameter `{}` twice", context.text(reference.name));
            let problem = context.problem(&rules::MISUSED_NAME, at, message);
            problem.related(first, "first use").help("remove one of the names");
        }
    }
}

/// Returns the default of a parameter. Null means that there is none.
pub(crate) fn default_of<'a>(parameter: &Parameter, context: &Context<'a>) -> Option<Node<'a>> {
    context.node(parameter.default?.0).filter(|default| default.kind() != Kind::Null)
}

/// Collects the names that are in scope in a template.
pub(crate) fn scope<'a>(template: &'a Template, context: &mut Context<'a>, id: Id<Template>) -> Scope<'a> {
    let program = context.program;
    let node =
        |id| program.header(id).and_then(|header| program.unit(id.unit).map(|unit| unit.document.node(header.node)));
    let place = program.index(id.any().unit).unwrap_or_default();
    let registry = Registry::new(program);
    let imported: FxHashMap<_, _> = imported_by(program, place).collect();
    let is_entry = place == 0 && !is_used(program, 0);
    let declared = |(name, id): (_, Id<_>)| {
        let parameter: &Parameter = context.get(id)?;
        // In a nested template, the values of parameters come from the properties of a resource.
        let value = default_of(parameter, context).filter(|_| is_entry);
        Some((context.text(name), Declared { id, parameter, value }))
    };
    let mut parameters = template.parameters.iter().filter_map(declared).collect();
    if is_entry {
        registry.set(&mut parameters, context);
    }
    let mut resources = Vec::new();
    for (name, id) in template.resources.iter() {
        let Some(resource) = context.get(id) else { continue };
        let name = context.text(name);
        let own_name = is_entry.then_some(name);
        let reference = resource.r#type;
        let ty = reference.map(|reference| (context.text(reference.name), context.reference_span(reference)));
        let lookup = Lookup { registry: &registry, template: id.any(), nested: imported.get(&id.any()).copied() };
        let made = ty.map_or(Made::Unknown, |(ty, at)| find(&lookup, ty, own_name, at, context));
        let inner = node(id.any()).and_then(|node| members(ty?.0, node));
        let of_members = inner.and_then(|inner| inner.find("type")).map(|entry| entry.value);
        let member = of_members
            .filter(|ty| ty.kind() == Kind::String)
            .map(|ty| find(&lookup, context.text(context.intern(ty.text())), None, Some(ty.span()), context));
        if let Some(chained) = node(id.any()).and_then(|node| chained(ty?.0, node)) {
            for ty in chained.items().filter(|item| item.kind() == Kind::String && !is_path(item.text())) {
                find(&lookup, context.text(context.intern(ty.text())), None, Some(ty.span()), context);
            }
        }
        let condition = resource.condition.and_then(|value| context.node(value.0));
        let condition = condition.filter(|node| node.kind() != Kind::Null);
        resources.push(Known { name, id, resource, made, member, condition });
    }
    let conditions = template.conditions.iter().filter_map(|(name, id)| Some((context.text(name), node(id.any())?)));
    Scope {
        version: context.version(id.any()),
        parameters,
        conditions: conditions.collect(),
        by_name: resources.iter().enumerate().map(|(number, known)| (known.name, number)).collect(),
        resources,
        is_entry,
        registry,
    }
}

/// Returns the named conditions whose results do not depend on parameters, with their results; literals are left out.
pub(crate) fn constant_conditions<'a>(
    template: &'a Template,
    context: &Context<'a>,
    id: Id<Template>,
) -> Vec<(&'a str, Span, bool)> {
    let mut own = Context::new(context.program, 0);
    let mut scope = scope(template, &mut own, id);
    scope.parameters.values_mut().for_each(|declared| declared.value = None);
    let checker = Checker {
        place: Place::Condition,
        is_conditional: false,
        edges: Vec::new(),
        results: RefCell::default(),
        room: Cell::new(MAX_CONSTANTS),
        scope: &scope,
        context: &mut own,
    };
    let conditions =
        template.conditions.iter().filter_map(|(name, _)| scope.conditions.get_key_value(context.text(name)));
    let computed = conditions.filter(|(_, node)| node.kind() != Kind::Boolean);
    computed.filter_map(|(name, node)| Some((*name, node.span(), checker.holds(*node)?))).collect()
}

/// Returns the map of properties of a resource.
pub(crate) fn properties_of<'a>(context: &Context<'a>, id: AnyId) -> Option<Node<'a>> {
    let node = context.program.unit(id.unit)?.document.node(context.header(id)?.node);
    Some(node.find("properties")?.value).filter(|node| node.kind() == Kind::Map)
}

/// The scope in which the type of a resource is looked up.
struct Lookup<'l, 'a> {
    registry: &'l Registry<'a>,
    /// An entity of the unit.
    template: AnyId,
    /// The template that the resource imports.
    nested: Option<Nested<'a>>,
}

/// Resolves the name of a type and reports an unknown one.
fn find<'a>(
    lookup: &Lookup<'_, 'a>,
    name: &'a str,
    resource: Option<&'a str>,
    at: Option<Span>,
    context: &mut Context<'a>,
) -> Made<'a> {
    if is_path(name) {
        return lookup.nested.map_or(Made::Unknown, |nested| Made::Nested(nested.id, nested.template));
    }
    match lookup.registry.meaning(context, lookup.template, name, resource) {
        Meaning::Type(ty) => Made::Type(ty),
        Meaning::Template(None, _) => Made::Unknown,
        Meaning::Template(Some(nested), replaces) => {
            let lacks = replaces.map(|replaces| facade(nested.template, replaces, name, at, context));
            lacks.into_iter().flatten().for_each(|problem| context.report(Some(problem)));
            Made::Nested(nested.id, nested.template)
        }
        Meaning::Unknown(_) if lookup.registry.is_partial() => Made::Unknown,
        Meaning::Unknown(last) => {
            unknown_type(context, at, name, &last);
            Made::Unknown
        }
        Meaning::Loop => {
            let message = format!("resource type `{name}` is replaced in a loop");
            let problem = context.problem(&rules::DEPENDENCY_CYCLE, at, message);
            problem.help("remove one of the entries of the resource registry");
            Made::Unknown
        }
    }
}

fn unknown_type(context: &mut Context<'_>, at: Option<Span>, name: &str, last: &str) {
    let program = context.program;
    let roots = || program.list.iter().filter_map(|unit| unit.root);
    let libraries = roots().filter_map(|root| program.get(root.cast::<TypeLibrary>()?));
    let registries =
        roots().filter_map(|root| program.get(program.get(root.cast::<Environment>()?)?.resource_registry?));
    let whole = roots().filter_map(AnyId::cast::<ResourceType>).map(|id| program.name(id.any()));
    let names = libraries.flat_map(|library| library.resource_types.iter()).map(|(name, _)| program.text(name));
    let names = names.chain(registries.flat_map(|registry| registry.types.iter()).map(|(name, _)| program.text(name)));
    let names = names.chain(whole);
    let help = context.did_you_mean(last, names, "there are");
    let help = help.unwrap_or_else(|| {
        "write a resource type of OpenStack, or the path of a template that ends in `.yaml` or `.template`".into()
    });
    let message = if name == last {
        format!("there is no resource type `{name}`")
    } else {
        format!("resource type `{last}`, which replaces `{name}`, does not exist")
    };
    context.problem(&rules::UNKNOWN_RESOURCE_TYPE, at, message).help(help);
}

fn resource(checker: &mut Checker<'_, '_>, number: usize, node: Option<Node<'_>>) {
    let scope = checker.scope;
    let known = &scope.resources[number];
    let resource = known.resource;
    let at = checker.context.program.name_span(known.id.any());
    if known.name.contains('/') {
        let message = format!("the name of resource `{}` contains a slash", known.name);
        checker.context.problem(&rules::MISUSED_NAME, at, message).help("use a different character");
    }
    if scope.parameters.contains_key(known.name) {
        let message = format!("resource `{}` has the name of a parameter", known.name);
        checker.context.problem(&rules::MISUSED_NAME, at, message).help("rename the resource or the parameter");
    }
    if let Some(condition) = known.condition {
        checker.condition(condition, true);
    }
    checker.is_conditional = known.condition.is_some();
    checker.place = Place::Resource(number);
    let written = node.and_then(|node| node.find("properties")).map(|entry| entry.value);
    let properties = written.filter(|node| node.kind() == Kind::Map);
    // Properties of another kind, or in the place of keynames, have been reported.
    let is_lost = written.is_some() && properties.is_none() || node.is_some_and(|node| is_flat(checker, known, node));
    if let Some(properties) = properties {
        properties.entries().for_each(|entry| checker.walk(entry.value));
    }
    if let Some(metadata) = value(resource.metadata, checker) {
        checker.walk(metadata);
        map_only(checker, "metadata", metadata);
    }
    for dependency in &resource.depends_on {
        let name = checker.context.text(dependency.name);
        if let (Some(found), Some(span)) = (scope.by_name.get(name), checker.context.reference_span(*dependency)) {
            checker.edges[number].push((*found, span));
        }
    }
    let has_external = resource.external_id.is_some();
    if let Some(external) = value(resource.external_id, checker) {
        checker.walk(external);
    }
    let type_name = resource.r#type.map_or("", |reference| checker.context.text(reference.name));
    if !has_external && !is_lost && !properties.is_some_and(|properties| checker.no_call(properties)) {
        checker.properties(known.made, type_name, properties, at);
    }
    if let Some(definition) = node.and_then(|node| members(type_name, node)) {
        let properties = definition.find("properties").map(|entry| entry.value);
        let properties = properties.filter(|node| node.kind() == Kind::Map);
        let ty = definition.find("type").map_or("", |entry| entry.value.text());
        checker.properties(known.member.unwrap_or(Made::Unknown), ty, properties, Some(definition.span()));
    }
    if let Some(policy) = value(resource.deletion_policy, checker) {
        deletion_policy(checker, known, policy);
    }
    checker.place = Place::UpdatePolicy(number);
    if let Some(policy) = value(resource.update_policy, checker) {
        checker.walk(policy);
        map_only(checker, "update_policy", policy);
        if let Made::Type(ty) = known.made
            && policy.kind() == Kind::Map
            && checker.call(policy).is_none()
            && !ty.any_property.is_some_and(|any| any.value)
        {
            let policies = &ty.update_policy;
            for entry in policy.entries() {
                let name = entry.key.text();
                let definition = policies.get(checker.context.intern(name)).and_then(|id| checker.context.get(id));
                if let Some(definition) = definition {
                    checker.value(definition, entry.value, name);
                } else {
                    let message = format!("the resource type has no update policy `{name}`");
                    checker.report(&rules::INVALID_POLICY, entry.key, message, "remove the policy");
                }
            }
        }
    }
}

/// Returns whether a resource has properties of its type in place of keynames.
fn is_flat(checker: &Checker<'_, '_>, known: &Known<'_>, node: Node<'_>) -> bool {
    let symbol = |entry: Entry<'_>| checker.context.program.interner.get(entry.key.text());
    let is_property = |name| match known.made {
        Made::Type(ty) => ty.properties.get(name).is_some(),
        Made::Nested(_, template) => template.parameters.get(name).is_some(),
        Made::Unknown => false,
    };
    let is_keyname = |key: &str| known.resource.description().keynames(checker.scope.version).any(|name| name == key);
    node.entries().any(|entry| !is_keyname(entry.key.text()) && symbol(entry).is_some_and(is_property))
}

/// Returns the types of the members of a chain.
fn chained<'n>(type_name: &str, resource: Node<'n>) -> Option<Node<'n>> {
    let types = resource.find("properties")?.value.find("resources")?.value;
    (type_name == "OS::Heat::ResourceChain" && types.kind() == Kind::List).then_some(types)
}

/// Returns the property that defines the members of a group.
fn inner_key(type_name: &str) -> Option<&'static str> {
    match type_name {
        "OS::Heat::ResourceGroup" => Some("resource_def"),
        "OS::Heat::AutoScalingGroup" => Some("resource"),
        _ => None,
    }
}

/// Returns the definition of the members of a group.
fn members<'n>(type_name: &str, resource: Node<'n>) -> Option<Node<'n>> {
    let properties = resource.find("properties")?.value;
    let is_empty = properties.find("count").is_some_and(|count| count.value.as_integer() == Some(0));
    properties.find(inner_key(type_name)?).map(|entry| entry.value).filter(|_| !is_empty)
}

fn value<'a>(value: Option<Value>, checker: &Checker<'_, 'a>) -> Option<Node<'a>> {
    // Null has been reported.
    value.and_then(|value| checker.context.node(value.0)).filter(|node| node.kind() != Kind::Null)
}

fn map_only(checker: &mut Checker<'_, '_>, name: &str, node: Node<'_>) {
    let shapes = checker.shapes(node);
    if !shapes.meets(Shapes::MAP) {
        let message = format!("`{name}` must be a map, not {}", shapes.title());
        checker.report(&tosca_parse::rules::WRONG_KIND, node, message, "write a map");
    }
}

fn deletion_policy(checker: &mut Checker<'_, '_>, known: &Known<'_>, node: Node<'_>) {
    if checker.call(node).is_some() {
        checker.walk(node);
        return;
    }
    let text = node.text();
    let is_lower = text.chars().all(char::is_lowercase);
    let name = if is_lower && checker.scope.version >= NEWTON { text.to_owned() } else { text.to_lowercase() };
    let is_capital = text.starts_with(char::is_uppercase) && text.chars().skip(1).all(char::is_lowercase);
    let is_known = ["delete", "retain", "snapshot"].contains(&name.as_str())
        && (is_capital || is_lower && checker.scope.version >= NEWTON);
    if node.kind() != Kind::String || !is_known {
        let message = format!("`{text}` is not a deletion policy");
        checker.report(&rules::INVALID_POLICY, node, message, "write `Delete`, `Retain` or `Snapshot`");
        return;
    }
    if let Made::Type(ty) = known.made
        && name == "snapshot"
        && !ty.snapshot.is_some_and(|snapshot| snapshot.value)
    {
        let message = "the resource type does not support snapshots".to_owned();
        checker.report(&rules::INVALID_POLICY, node, message, "write `Delete` or `Retain`");
    }
}

/// Returns the file that `get_file` names; `None` if it is on the network.
pub(crate) fn named_file(_: &Context<'_>, _: AnyId, node: Node<'_>) -> Option<NamedFile> {
    let path = Some(node.text()).filter(|path| !path.contains("://"))?;
    Some(NamedFile { report_missing: Some(missing), ..NamedFile::at(path) })
}

fn missing(context: &mut Context<'_>, node: Node<'_>) {
    let message = format!("there is no file `{}`", node.text());
    let problem = context.problem(&rules::UNKNOWN_FILE, Some(node.span()), message);
    problem.help("correct the path, which is relative to the template");
}
