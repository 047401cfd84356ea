//! Object models as sources: objects, their classes, and the values of their properties.

use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use indexmap::map::Entry as MapEntry;
use rustc_hash::FxHashSet;
use tosca_parse::Entity;
use tosca_parse::ard::{Entry, Kind as NodeKind, Node, NodeId};
use tosca_parse::diagnostic::{Rule, Span};
use tosca_parse::entity::{
    Checked, Checks, Child, Children, Field, FieldDescription, Id, LocalId, NodeRef, Reference, Shape, Shaped, Value,
    downcast,
};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::read::{ImportRequest, Reader};
use tosca_parse::phase::{Context, DiagnosticExt as _, Program};
use tosca_parse::source::ImportTarget;
use tosca_parse_yaql::{Argument, Error, ErrorKind, Expr, Kind as ExprKind, Value as Data};

use super::class::Class;
use super::code::Code;
use super::finder::OWNER;
use super::heritage::initializers;
use super::manifest::packages;
use super::runtime_problem::parts;
use super::{CLASSES, rules};
use crate::class::PropertyUsage;
use crate::error::{Kind, failure, is, steps};
use crate::model::{self, Failed, PLACE};
use crate::name::TypeName;
use crate::object::Object;
use crate::runtime::Runtime;
use crate::template::{Content, Template, is_plain};
use crate::trace::Step;

/// A file with an object model.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "file of an object model")]
#[non_exhaustive]
pub struct ModelFile {
    /// The root object or a map that has it as `Objects`.
    #[field(short(list))]
    pub models: Children<ModelObject>,
}

/// An object of a model and the objects in it.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "object")]
#[non_exhaustive]
pub struct ModelObject {
    /// The header.
    #[field(keyname = "?")]
    pub header: Child<ModelHeader>,
    /// The values of its properties.
    #[field(keyname = "*")]
    pub properties: Contents,
}

/// The header of an object in a model.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "header of an object")]
#[non_exhaustive]
pub struct ModelHeader {
    /// The class of the object, optionally with a version and a package.
    #[field(keyname = "type", lookup(CLASSES))]
    pub class: ClassOf,
    /// The id that other objects use to refer to it.
    pub id: Option<Value>,
    /// The display name.
    pub name: Option<Value>,
    /// Metadata about the object.
    pub metadata: Option<Value>,
    /// Data of other programs.
    #[field(keyname = "*")]
    pub others: Contents,
}

/// The class of an object.
#[derive(Clone, Debug, Default)]
pub struct ClassOf(pub Option<Reference<Class>>);

impl Shaped for ClassOf {
    const SHAPE: Shape = Shape::Reference;
}

impl Field for ClassOf {
    fn is_set(&self) -> bool {
        self.0.is_some()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        match TypeName::parse(node.text()).filter(|_| node.kind() == NodeKind::String) {
            Some(name) => self.0 = reader.reference_within(&name.name, node, field),
            None => {
                let message = format!("`{}` is not a class", node.text());
                reader
                    .problem(&rules::INVALID_NAME_OF_TYPE, node, message)
                    .help("write `name/version@package`; version and package are optional");
            }
        }
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            self.clone_from(other);
        }
    }

    fn visit_references(&self, visit: &mut dyn FnMut(Reference<()>)) {
        self.0.iter().for_each(|reference| visit(reference.erased()));
    }
}

/// Names with values, and the objects in the values.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The names.
    pub keys: Vec<NodeRef>,
    /// The objects in the values.
    pub objects: Vec<Id<ModelObject>>,
}

impl Contents {
    fn add(&mut self, reader: &mut Reader<'_>, node: Node<'_>) {
        if node.find("?").is_some_and(|header| header.value.kind() == NodeKind::Map) {
            self.objects.push(reader.entity::<ModelObject>(None, node, None));
            return;
        }
        node.entries().for_each(|entry| self.add(reader, entry.value));
        node.items().for_each(|item| self.add(reader, item));
    }
}

impl Shaped for Contents {
    const SHAPE: Shape = Shape::Value;
    const NULLABLE: bool = true;
}

impl Field for Contents {
    fn is_set(&self) -> bool {
        !self.keys.is_empty()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, _: &'static FieldDescription) {
        self.add(reader, node);
    }

    fn read_entry(&mut self, reader: &mut Reader<'_>, key: Node<'_>, value: Node<'_>, _: &'static FieldDescription) {
        self.keys.push(reader.position(key));
        self.add(reader, value);
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            self.clone_from(other);
        }
    }

    fn visit_children(&self, visit: &mut dyn FnMut(tosca_parse::entity::AnyId)) {
        self.objects.iter().for_each(|object| visit(object.any()));
    }
}

impl Checked for ModelHeader {
    const CHECKS: Checks<Self> = Checks::NEW.import(package);
}

/// Imports the whole package of an object's class, because the class may need all of it to create objects.
fn package(header: &ModelHeader, reader: &mut Reader<'_>, id: LocalId) -> Option<ImportRequest> {
    let class = header.class.0?;
    let node = reader.header(id)?.node;
    let target = Some(ImportTarget::Profile(format!("{OWNER}{}", reader.interner().text(class.name))));
    Some(ImportRequest { entity: id, node, target, prefix: None, is_reference: true })
}

impl Checked for ModelObject {
    const CHECKS: Checks<Self> = Checks::NEW.render(render);
}

/// Checks an object. The outermost one creates all objects.
fn render(object: &ModelObject, context: &mut Context<'_>, id: Id<ModelObject>) {
    ignored(object, context, id);
    let is_root = context
        .header(id.any())
        .and_then(|header| header.owner)
        .is_some_and(|owner| owner.of(id.unit).cast::<ModelFile>().is_some());
    if !is_root || !knows_classes(context.program) {
        return;
    }
    let root = context.header(id.any()).and_then(|header| context.node(NodeRef { unit: id.unit, node: header.node }));
    let (ids, repeated) = root.map(|root| repeated(root, context)).unwrap_or_default();
    let Some(Err(mut faults)) = load(context.program) else { return };
    // Files with invalid YAML have been reported, and so have objects that replace others with the same id.
    let is_reported = |fault: &Fault| {
        is(&fault.error, Kind::Yaml) || is(&fault.error, Kind::ContractViolation) && repeated.contains(&fault.value)
    };
    faults.retain(|fault| !is_reported(fault));
    let root = root.map(Node::span);
    for Fault { error, at, contract, expected, given, missing, .. } in faults {
        let (rule, help) = remedy(&error, expected.as_deref(), missing.as_deref());
        let known = given.filter(|_| std::ptr::eq(rule, &raw const rules::UNKNOWN_OBJECT));
        let known = known.and_then(|given| context.did_you_mean(&given, ids.iter(), "the model has the ids"));
        let help = known.unwrap_or_else(|| help.into());
        let code = code(context.program, &error);
        let mut problem =
            context.problem(rule, at.or(root), sentence(error.message())).related(contract, "declared here");
        for (span, label) in code {
            problem = problem.related(span, label);
        }
        problem.help(help);
    }
}

/// Returns the positions of the failing code and its callers. Violated contracts of the model are reported anyway.
fn code(program: &Program<Complete>, error: &Error) -> Vec<(Option<Span>, &'static str)> {
    let parts = parts(error).into_iter();
    parts.filter(|part| !part.step.is_contract).map(|part| (span(program, &part.step), part.label)).collect()
}

/// Returns the position of a step. The core library of runtimes has a separate unit.
fn span(program: &Program<Complete>, step: &Step) -> Option<Span> {
    let units = || program.list.iter();
    let same = units().find(|unit| Arc::ptr_eq(&unit.source, &step.file));
    let source = same.or_else(|| units().find(|unit| unit.source.text() == step.file.text()))?.source.id();
    Some(Span { source, start: step.span.start, end: step.span.end })
}

/// Returns a message of the runtime in the style of problems.
pub(super) fn sentence(message: &str) -> String {
    let mut characters = message.chars();
    characters.next().map(|first| first.to_lowercase().chain(characters).collect()).unwrap_or_default()
}

/// Returns the rule and the help for a failure.
fn remedy(error: &Error, expected: Option<&str>, missing: Option<&str>) -> (&'static Rule, String) {
    match failure(error).map(|failure| failure.kind) {
        Some(Kind::ContractViolation) => {
            let help = match (missing, expected) {
                (Some(key), Some(expected)) => format!("add the key `{key}`: its contract takes {expected}"),
                (Some(key), None) => format!("add the key `{key}` with a value that its contract allows"),
                (None, Some(expected)) => format!("the contract takes {expected}"),
                (None, None) => "write a value that the contract allows".to_owned(),
            };
            (&rules::CONTRACT_VIOLATION, help)
        }
        Some(Kind::NoPackage | Kind::NoPackageForClass) => {
            (&rules::UNFIT_MODEL, "correct the version, or leave it out".to_owned())
        }
        Some(Kind::NoObject) => (&rules::UNKNOWN_OBJECT, "correct the id, or add the object".to_owned()),
        _ => (&rules::UNFIT_MODEL, "correct the value or the class".to_owned()),
    }
}

/// Reports ids that several objects have. Returns all ids, and the positions of the objects that share one.
fn repeated(root: Node<'_>, context: &mut Context<'_>) -> (Vec<String>, FxHashSet<Option<Span>>) {
    let mut ids: IndexMap<&str, (Node<'_>, Span)> = IndexMap::new();
    let mut repeated = FxHashSet::default();
    let objects = root.find("Objects").filter(|_| root.find("?").is_none()).map_or(root, |objects| objects.value);
    let mut stack = vec![objects];
    while let Some(node) = stack.pop() {
        let header = node.find("?").map(|header| header.value).or_else(|| is_inline(node).then_some(node));
        let id = header.and_then(|header| header.find("id")).map(|id| id.value);
        if let Some(id) = id.filter(|id| !matches!(id.kind(), NodeKind::Null | NodeKind::Map | NodeKind::List)) {
            match ids.entry(id.text()) {
                MapEntry::Vacant(entry) => drop(entry.insert((id, node.span()))),
                MapEntry::Occupied(entry) if entry.get().0.span() != id.span() => {
                    let (first, object) = *entry.get();
                    let (first, message) = (first.span(), format!("two objects have the id `{}`", id.text()));
                    repeated.extend([Some(object), Some(node.span())]);
                    context
                        .problem(&rules::REPEATED_ID, Some(id.span()), message)
                        .related(Some(first), "first object")
                        .help("give the object its own id, or write the id alone to refer to the first object");
                }
                // An alias repeats the object itself.
                MapEntry::Occupied(_) => {}
            }
        }
        let before = stack.len();
        stack.extend(node.entries().map(|entry| entry.value).chain(node.items()));
        stack[before..].reverse();
    }
    (ids.keys().map(|id| (*id).to_owned()).collect(), repeated)
}

/// Returns whether an object has the form `{class: {…}, id: …}`.
fn is_inline(node: Node<'_>) -> bool {
    let is_content = |value: Node<'_>| matches!(value.kind(), NodeKind::Map | NodeKind::Null);
    node.entries().any(|entry| TypeName::is_prefixed(entry.key.text()) && is_content(entry.value))
}

/// Reports values that the class of an object ignores: it does not declare the property or never reads it from models.
fn ignored(object: &ModelObject, context: &mut Context<'_>, id: Id<ModelObject>) {
    let header = object.header.and_then(|header| context.get(header));
    let Some(class) = header.and_then(|header| context.target(header.class.0?)) else { return };
    let node = context.header(id.any()).and_then(|header| context.node(NodeRef { unit: id.unit, node: header.node }));
    if let Some(node) = node {
        ignored_values(class, node, context);
    }
}

fn ignored_values(id: Id<Class>, object: Node<'_>, context: &mut Context<'_>) {
    let Some(class) = context.get(id) else { return };
    let Some(initializers) = initializers(context, id, object.len()) else { return };
    for (key, value) in object.entries().map(|entry| (entry.key, entry.value)) {
        let name = key.text();
        let is_argument = key.symbol().is_some_and(|name| initializers.iter().any(|init| init.has(name)));
        if name == "?" || is_argument {
            continue;
        }
        let property = key.symbol().and_then(|symbol| context.get(class.properties.get(symbol)?));
        if let Some(property) = property {
            never_read(property, name, key.span(), context);
            if let Some(contract) = property.contract.template() {
                untyped(&property.contract, contract, value, context);
            }
            continue;
        }
        let known = class.properties.iter().map(|(name, _)| context.text(name));
        let help = context.did_you_mean(name, known, "its properties are");
        let message = format!("{} has no property `{name}`: the value is ignored", context.describe(id.any()));
        context.problem(&rules::IGNORED_PROPERTY, Some(key.span()), message).help_if(help);
    }
}

/// Finds the objects in a value that take their class from a part of a contract.
fn untyped(code: &Code, contract: &Template, value: Node<'_>, context: &mut Context<'_>) {
    match &contract.content {
        Content::List(items) => {
            let is_bound = |item: &&Template| matches!(item.content, Content::Integer(_));
            let contracts: Vec<&Template> = items.iter().filter(|item| !is_bound(item)).collect();
            for (at, item) in value.items().enumerate() {
                let Some(contract) = contracts.get(at).or(contracts.last()) else { break };
                untyped(code, contract, item, context);
            }
        }
        Content::Map(entries) => {
            for entry in value.entries() {
                let named = entries.iter().find(|(key, _)| key.as_str() == Some(entry.key.text()));
                let other = || entries.iter().find(|(key, _)| key.as_yaql().is_some());
                if let Some((_, contract)) = named.or_else(other) {
                    untyped(code, contract, entry.value, context);
                }
            }
        }
        Content::Yaql(expression) => {
            let is_typed = value.find("?").is_some_and(|header| header.value.find("type").is_some());
            if is_typed || value.kind() != NodeKind::Map || is_inline(value) {
                return;
            }
            let Some(class) = default_class(code, contract, expression.root(), context) else { return };
            ignored_values(class, value, context);
        }
        _ => {}
    }
}

/// Returns the class of objects without a class in their header, according to a contract: the second class of
/// `$.class(One, Other)`, or else the first.
fn default_class(code: &Code, part: &Template, link: &Expr, context: &Context<'_>) -> Option<Id<Class>> {
    match &link.kind {
        ExprKind::Method { name, arguments, .. } if &**name == "class" => {
            let named =
                code.types().iter().filter(|named| (part.span.start..part.span.end).contains(&named.span.start));
            // Other arguments, and the contracts that follow, may contain names of classes, too.
            let is_null = |expr: &Expr| matches!(&expr.kind, ExprKind::Constant(value) if value.is_null());
            let is_class = |argument: &&Argument| matches!(argument, Argument::Positional(expr) if !is_null(expr));
            let named: Vec<_> = named.take(arguments.iter().take(2).filter(is_class).count()).collect();
            context.target(named.last()?.class).filter(|class| context.is_complete(class.any()))
        }
        ExprKind::Method { receiver, .. } => default_class(code, part, receiver, context),
        _ => None,
    }
}

/// Reports a value for a property that is never read from models.
pub(super) fn never_read(property: &super::Property, name: &str, at: Span, context: &mut Context<'_>) {
    let Some(usage) = property.usage else { return };
    let source = match usage.value {
        PropertyUsage::Runtime => "only code sets it",
        PropertyUsage::Config => "the configuration of the class sets it",
        PropertyUsage::Static => "it belongs to the class",
        _ => return,
    };
    let message = format!("property `{name}` has the usage `{}`: the value is ignored", usage.value.as_str());
    let declared = context.span(usage.position);
    context
        .problem(&rules::IGNORED_PROPERTY, Some(at), message)
        .related(declared, "declared here")
        .help(format!("remove the value: {source}"));
}

/// Returns whether all classes that a program names are known. Missing classes and malformed headers have been
/// reported.
fn knows_classes(program: &Program<Complete>) -> bool {
    let Some(entry) = program.list.first() else { return false };
    let header = entry.document.root().and_then(|root| root.items().next()?.find("?"));
    if header.is_some_and(|header| header.value.kind() != NodeKind::Map) {
        return false;
    }
    let headers = (0..).map_while(|index| entry.arenas.get::<ModelHeader>(index));
    entry.document.is_complete()
        && headers.into_iter().all(|header| header.class.0.is_none_or(|class| class.target(program).is_some()))
}

/// The input size that each key and value of a model counts as, in bytes. It exceeds the actual size, because an object
/// has many parts.
const SHARE: u64 = 10;

/// The objects of a model.
pub struct Objects {
    /// Their runtime.
    pub runtime: Rc<Runtime>,
    /// The root, if there is one.
    pub root: Option<Rc<Object>>,
}

/// A problem in a model.
#[derive(Debug)]
pub struct Fault {
    /// The error.
    pub error: Error,
    /// The position of the value or of the object that lacks one; `None` if the problem concerns neither.
    pub at: Option<Span>,
    /// The whole value, unless it is missing.
    value: Option<Span>,
    /// The contract that it violates.
    pub contract: Option<Span>,
    /// A description of the values that the contract accepts.
    pub expected: Option<String>,
    /// The value, if it is a scalar.
    pub given: Option<String>,
    /// The key that a map lacks, if this is the problem.
    pub missing: Option<String>,
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self { error, at: None, value: None, contract: None, expected: None, given: None, missing: None }
    }
}

/// Creates the objects of the entry of a program; `None` if it is not a model.
///
/// # Errors
///
/// Returns all problems in the model, with their positions.
pub fn load(program: &Program<Complete>) -> Option<Result<Objects, Vec<Fault>>> {
    let entry = program.list.first()?;
    entry.root?.cast::<ModelFile>()?;
    let root = entry.document.root()?.items().next()?;
    let limits = program.model_limits.evaluation;
    let mut builder = Runtime::builder().budget(limits).for_input(SHARE * entry.document.len() as u64);
    for package in packages(program) {
        builder = builder.package(package);
    }
    let runtime = match builder.build() {
        Ok(runtime) => runtime,
        Err(error) => return Some(Err(vec![error.into()])),
    };
    let mut nodes = Vec::new();
    let is_json = serde_json::from_str::<serde_json::Value>(entry.document.text()).is_ok();
    let data = data(root, is_json, &mut nodes);
    let is_envelope = root.find("?").is_none() && root.find("Objects").is_some();
    let objects = if is_envelope { runtime.objects_of(&data) } else { Some(&data) };
    Some(match objects.map(|data| runtime.load_tolerantly(data)).transpose() {
        Ok(root) => Ok(Objects { runtime, root }),
        Err(failed) => {
            let mut faults = match failed {
                Failed::Entirely(error) => vec![error.into()],
                Failed::In(faults) => faults.into_iter().map(|wrong| fault(program, &nodes, wrong)).collect(),
            };
            for fault in &mut faults {
                let objects = nodes.iter().map(|node| entry.document.node(*node));
                fault.at = header_of(&runtime, objects, fault).map(Node::span).or(fault.at);
            }
            Err(faults)
        }
    })
}

/// Returns the class in the header of the object that can't be created because there is no such class.
fn header_of<'n>(runtime: &Runtime, objects: impl Iterator<Item = Node<'n>>, fault: &Fault) -> Option<Node<'n>> {
    let wanted = [Kind::NoPackage, Kind::NoPackageForClass].into_iter().any(|kind| is(&fault.error, kind));
    if !wanted && fault.error.kind() != ErrorKind::Value {
        return None;
    }
    let is_inside =
        |node: &Node<'_>| fault.value.is_none_or(|value| (value.start..value.end).contains(&node.span().start));
    objects.filter(is_inside).find_map(|object| {
        let header = object.find("?")?.value;
        let text = |key: &str| Some(header.find(key)?.value.text().to_owned());
        let class = header.find("type")?.value;
        let mut name = TypeName::parse(class.text())?;
        name.version = name.version.or_else(|| text("classVersion"));
        name.package = name.package.or_else(|| text("package"));
        let error = runtime.find_type(&name).err()?;
        (error.message() == fault.error.message()).then_some(class)
    })
}

/// Returns the data of a node. Every header contains the number of its object among the collected nodes.
fn data(node: Node<'_>, is_json: bool, objects: &mut Vec<NodeId>) -> Data {
    match node.kind() {
        NodeKind::List => Data::list(node.items().map(|item| data(item, is_json, objects)).collect()),
        NodeKind::Map => {
            let mut entries = Vec::with_capacity(node.len());
            for entry in node.entries() {
                let key = Template::of(entry.key, &mut Vec::new()).raw_value();
                let mut value = data(entry.value, is_json, objects);
                if entry.key.text() == "?" {
                    let place = (PLACE.into(), Data::Integer(objects.len().into()));
                    let header = value.as_dict().cloned().unwrap_or_default();
                    value = Data::dict(header.into_iter().chain([place]).collect::<Vec<_>>());
                    objects.push(node.id());
                }
                entries.push((key, value));
            }
            Data::dict(entries)
        }
        // In YAML, numbers such as `1e3` are text.
        NodeKind::String if is_json && is_plain(node) => match node.text().parse::<f64>() {
            Ok(number) => Data::Float(number),
            Err(_) => Data::from(node.text()),
        },
        _ => Template::of(node, &mut Vec::new()).raw_value(),
    }
}

/// Returns the position of the value that could not be set.
fn fault(program: &Program<Complete>, nodes: &[NodeId], wrong: model::Fault) -> Fault {
    let object = program.list.first().zip(nodes.get(wrong.object)).map(|(entry, node)| entry.document.node(*node));
    let path = failure(&wrong.error).map_or("", |failure| failure.path.as_str());
    let (mut missing, mut value) = (None, None);
    let at = object.map(|object| match object.find(&wrong.property) {
        Some(entry) => {
            let (found, rest) = step(entry, path);
            value = Some(found.value.span());
            missing = rest.filter(|_| found.value.kind() == NodeKind::Map).map(str::to_owned);
            let is_long = || found.value.written().is_some_and(|text| text.contains('\n'));
            if wrong.is_of_keys || missing.is_some() || is_long() { found.key } else { found.value }
        }
        None => object.find("?").map_or(object, |header| header.key),
    });
    let contract = span(program, &wrong.contract);
    let given = at.filter(|at| at.kind() == NodeKind::String).map(|at| at.text().to_owned());
    Fault { error: wrong.error, at: at.map(Node::span), value, contract, expected: wrong.expected, given, missing }
}

/// Returns the part of a value that a path such as `['ports'][0]` leads to, as far as it exists, with its key, and the
/// first step to a part that does not exist. Items of lists have the key of the list.
fn step<'n, 'p>(entry: Entry<'n>, path: &'p str) -> (Entry<'n>, Option<&'p str>) {
    let mut found = entry;
    for step in steps(path) {
        let name = step.trim_matches(['\'', '"']);
        let next = match step.parse::<usize>() {
            Ok(index) if found.value.kind() == NodeKind::List => {
                found.value.items().nth(index).map(|value| Entry { value, ..found })
            }
            _ => found.value.find(name),
        };
        match next {
            Some(next) => found = next,
            None => return (found, Some(name)),
        }
    }
    (found, None)
}
