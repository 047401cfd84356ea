//! Checks that annotations can't express.

pub(crate) mod arguments;
mod cycle;
pub(crate) mod parameter;
mod property;
pub(crate) mod value;

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::Span;
use tosca_parse::entity::{Checked, Checks, Id, Local, Value};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::read::{ImportRequest, Reader};
use tosca_parse::phase::{Context, Explain as _, Program};
use tosca_parse::source::ImportTarget;

use self::value::{Checker, Known, Made, PSEUDO_PARAMETERS, Place, Scope};
use crate::TYPES;
use crate::grammar::{NEWTON, Resource, Template};
use crate::rules;
use crate::shape::Shapes;
use crate::types::{ResourceType, TypeLibrary};

impl Checked for Template {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(template).look_around(files);
}

impl Checked for Resource {
    const CHECKS: Checks<Self> = Checks::NEW.import(nested).after_read(resource_read);
}

fn is_path(name: &str) -> bool {
    [".yaml", ".template"].iter().any(|ending| name.ends_with(ending))
}

/// A type that is the path of a template is an import.
fn nested(resource: &Resource, reader: &mut Reader<'_>, id: Local) -> Option<ImportRequest> {
    let name = reader.interner().text(resource.r#type?.name).to_owned();
    let node = reader.document().node(reader.header(id)?.node).find("type")?.value.id();
    let target = Some(ImportTarget::Url { url: name.clone(), repository: None });
    is_path(&name).then_some(ImportRequest { entity: id, node, target, prefix: None, is_reference: false })
}

/// Nulls are as good as absent in sections only.
fn resource_read(_: &Resource, reader: &mut Reader<'_>, id: Local) {
    let Some(header) = reader.header(id) else { return };
    let node = reader.document().node(header.node);
    for entry in node.entries().filter(|entry| entry.value.kind() == Kind::Null) {
        let name = entry.key.text().to_owned();
        let message = format!("`{name}` is empty");
        reader
            .problem(&tosca_parse::rules::NULL_VALUE, entry.value, message)
            .help(format!("remove `{name}`, or write a value"));
    }
}

/// Whether a unit is imported.
fn is_used(program: &Program<Complete>, place: usize) -> bool {
    program.units.links.iter().flatten().any(|link| link.unit == place)
}

/// The templates that resources import, by the number of the resource.
fn imported<'a>(context: &Context<'a>, id: Id<Template>) -> FxHashMap<u32, &'a Template> {
    let program = context.program;
    let Some(place) = program.index(id.any().unit) else { return FxHashMap::default() };
    let unit = &program.units.list[place];
    let links = program.units.links[place].iter().filter_map(|link| {
        let request = unit.imports.get(link.import)?;
        let target = program.units.list.get(link.unit)?.root?.cast::<Template>()?;
        Some((request.entity.index, context.get(target)?))
    });
    links.collect()
}

fn template(_: &Template, context: &mut Context<'_>, id: Id<Template>) {
    let Some(template) = context.get(id) else { return };
    let scope = scope(template, context, id);
    let nodes = |id| {
        context.header(id).and_then(|header| context.program.unit(id.unit).map(|unit| unit.document.node(header.node)))
    };
    let mut checker = Checker {
        place: Place::Output,
        is_conditional: false,
        edges: vec![Vec::new(); scope.resources.len()],
        results: RefCell::default(),
        scope: &scope,
        context: &mut Context::new(context.program, 10_000),
    };
    for (_, parameter) in template.parameters.iter() {
        let name = checker.context.program.name(parameter.any());
        let at = checker.context.program.name_span(parameter.any());
        if PSEUDO_PARAMETERS.contains(&name) {
            let message = format!("`{name}` is a pseudo parameter, which every template has");
            checker.context.problem(&rules::MISUSED_NAME, at, message).help("use another name");
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
    let found = std::mem::replace(checker.context, Context::new(context.program, 0)).into_diagnostics();
    for problem in found {
        context.report(Some(problem));
    }
}

/// Reports parameters that groups name more than once.
fn groups(template: &Template, context: &mut Context<'_>) {
    let mut named = FxHashMap::default();
    for group in &template.parameter_groups.items {
        let Some(group) = context.get(*group) else { continue };
        for reference in &group.parameters.items {
            let at = context.reference_span(*reference);
            let Some(first) = named.insert(reference.name, at) else { continue };
            let message = format!("groups name parameter `{}` twice", context.text(reference.name));
            let problem = context.problem(&rules::MISUSED_NAME, at, message);
            problem.related(first, "first use").help("remove one of the names");
        }
    }
}

fn scope<'a>(template: &'a Template, context: &mut Context<'a>, id: Id<Template>) -> Scope<'a> {
    let program = context.program;
    let node =
        |id| program.header(id).and_then(|header| program.unit(id.unit).map(|unit| unit.document.node(header.node)));
    let imported = imported(context, id);
    let mut resources = Vec::new();
    for (name, id) in template.resources.iter() {
        let Some(resource) = context.get(id) else { continue };
        let name = context.text(name);
        let made = made(resource, id, &imported, context);
        let condition = resource.condition.and_then(|value| context.node(value.0));
        resources.push(Known { name, id, resource, made, condition });
    }
    let parameters = template.parameters.iter().filter_map(|(name, id)| Some((context.text(name), context.get(id)?)));
    let conditions = template.conditions.iter().filter_map(|(name, id)| Some((context.text(name), node(id.any())?)));
    Scope {
        version: context.version(id.any()),
        parameters: parameters.collect(),
        conditions: conditions.collect(),
        by_name: resources.iter().enumerate().map(|(number, known)| (known.name, number)).collect(),
        resources,
        is_entry: program.index(id.any().unit) == Some(0) && !is_used(program, 0),
    }
}

fn made<'a>(
    resource: &Resource,
    id: Id<Resource>,
    imported: &FxHashMap<u32, &'a Template>,
    context: &mut Context<'a>,
) -> Made<'a> {
    let Some(reference) = resource.r#type else { return Made::Unknown };
    let name = context.text(reference.name);
    if is_path(name) {
        return imported.get(&id.any().local().index).map_or(Made::Unknown, |template| Made::Nested(template));
    }
    match context.target(reference).and_then(|target| context.get(target)) {
        Some(ty) => Made::Type(ty),
        None => {
            let at = context.reference_span(reference);
            unknown_type(context, at, name);
            Made::Unknown
        }
    }
}

fn unknown_type(context: &mut Context<'_>, at: Option<Span>, name: &str) {
    let program = context.program;
    let libraries = program.units.list.iter().filter_map(|unit| unit.root?.cast::<TypeLibrary>());
    let types = libraries.filter_map(|library| program.get(library)).flat_map(|library| library.resource_types.iter());
    let names = types.map(|(name, _)| program.text(name));
    let help = context.did_you_mean(name, names, "there are");
    let help = help.unwrap_or_else(|| {
        "write a resource type of OpenStack, or the path of a template that ends in `.yaml`".to_owned()
    });
    let message = format!("there is no resource type `{name}`");
    context.problem(&rules::UNKNOWN_RESOURCE_TYPE, at, message).help(help);
}

fn resource(checker: &mut Checker<'_, '_>, number: usize, node: Option<Node<'_>>) {
    let scope = checker.scope;
    let known = &scope.resources[number];
    let resource = known.resource;
    let at = checker.context.program.name_span(known.id.any());
    if known.name.contains('/') {
        let message = format!("the name of resource `{}` contains a slash", known.name);
        checker.context.problem(&rules::MISUSED_NAME, at, message).help("use another character");
    }
    if scope.parameters.contains_key(known.name) {
        let message = format!("resource `{}` has the name of a parameter", known.name);
        checker.context.problem(&rules::MISUSED_NAME, at, message).help("rename one of them");
    }
    if let Some(condition) = known.condition {
        checker.condition(condition, true);
    }
    checker.is_conditional = known.condition.is_some();
    checker.place = Place::Resource(number);
    let properties =
        node.and_then(|node| node.find("properties")).map(|entry| entry.value).filter(|node| node.kind() == Kind::Map);
    if let Some(properties) = properties {
        properties.entries().for_each(|entry| checker.walk(entry.value));
    }
    if let Some(metadata) = value(resource.metadata, checker) {
        checker.walk(metadata);
        map_only(checker, "metadata", metadata);
    }
    for dependency in &resource.depends_on.items {
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
    if !has_external {
        checker.properties(known.made, type_name, properties, at);
    }
    if let Some(definition) = properties.and_then(|node| node.find(inner_key(type_name)?)) {
        inner(checker, definition.value);
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
                if policies.get(checker.context.intern(entry.key.text())).is_none() {
                    let message = format!("the resource type has no update policy `{}`", entry.key.text());
                    checker.report(&rules::INVALID_POLICY, entry.key, message, "remove it");
                }
            }
        }
    }
}

/// The property that defines the members of a group.
fn inner_key(type_name: &str) -> Option<&'static str> {
    match type_name {
        "OS::Heat::ResourceGroup" => Some("resource_def"),
        "OS::Heat::AutoScalingGroup" => Some("resource"),
        _ => None,
    }
}

/// Checks the type and the properties of the members of a group.
fn inner(checker: &mut Checker<'_, '_>, node: Node<'_>) {
    let Some(ty) = node.find("type").map(|entry| entry.value).filter(|ty| ty.kind() == Kind::String) else { return };
    let Some(at) = checker.scope.resources.first().map(|known| known.id.any()) else { return };
    let name = ty.text();
    if is_path(name) {
        return;
    }
    let found = checker.context.resolve(at, TYPES, checker.context.intern(name));
    match found.id().and_then(|id| checker.context.get(id.cast::<ResourceType>()?)) {
        Some(made) => {
            let properties = node.find("properties").map(|entry| entry.value).filter(|node| node.kind() == Kind::Map);
            checker.properties(Made::Type(made), name, properties, Some(node.span()));
        }
        None => unknown_type(checker.context, Some(ty.span()), name),
    }
}

fn value<'a>(value: Option<Value>, checker: &Checker<'_, 'a>) -> Option<Node<'a>> {
    value.and_then(|value| checker.context.node(value.0))
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

/// Looks for the files that `get_file` names.
fn files(_: &Template, context: &mut Context<'_>, id: Id<Template>) {
    let unit = id.any().unit;
    let Some(document) = context.program.unit(unit).map(|unit| &unit.document) else { return };
    let version = context.version(id.any());
    for node in document.nodes() {
        let Some((function, path)) = crate::function::call(node, version) else { continue };
        if function.name != "get_file" || path.kind() != Kind::String || path.text().contains("://") {
            continue;
        }
        let known = context.program.surroundings(unit).and_then(|around| around.has(&around.from_root(path.text())));
        if known == Some(false) {
            let message = format!("there is no file `{}`", path.text());
            context
                .problem(&rules::UNKNOWN_FILE, Some(path.span()), message)
                .help("correct the path, which is relative to the template");
        }
    }
}
