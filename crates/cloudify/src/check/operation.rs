//! Operations: those of types, overridden by those of templates, and the plugins and scripts that implement them.

use std::marker::PhantomData;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::{AnyId, Checked, Checks, Id, Members, Text};
use tosca_parse::phase::namespace::LookupResult;
use tosca_parse::phase::{Context, DiagnosticExt as _, NamedFile};
use tosca_parse::symbol::Symbol;

use super::{key_of, node_of, report, text_of};
use crate::grammar::{
    Blueprint, Executor, Input, Interface, NodeType, Operation, OperationDefinition, PLUGINS, Plugin, RelationshipType,
    TemplateInterface, Workflow,
};
use crate::rules::{MISSING_OPERATION_INPUT, NO_HOST, TOLERATED_VALUE, UNKNOWN_IMPLEMENTATION, UNUSED_OPERATION};

/// The maximum number of dots in an implementation at which the name of a plugin may end.
const MAX_POINTS: usize = 32;

/// The maximum number of operations of a type that are reported for one template.
const MAX_OPERATIONS: usize = 20;

/// The inputs through which a script is passed to its plugin.
const SCRIPT_INPUTS: [&str; 2] = ["script_path", "script_source"];

/// The implementation of an operation.
enum Implementation<'a> {
    Plugin(&'a Plugin),
    Script,
    /// Neither a plugin nor a script. The string is the reason, as the end of a sentence.
    None(String),
    /// The files or the plugins are unknown.
    Unknown,
}

/// A defect of an operation in a type, which affects templates that don't override the operation.
#[derive(Clone)]
struct Defect {
    interface: Symbol,
    operation: Symbol,
    kind: DefectKind,
    at: AnyId,
}

#[derive(Clone)]
enum DefectKind {
    Unresolved(String),
    LacksInput(String),
    OnHost,
}

/// The place of the operations of a template: a node or a side of a relationship.
#[derive(Clone, Copy)]
pub(super) struct Owner<'a> {
    /// The entity that is reported.
    pub(super) id: AnyId,
    /// The interfaces of the template.
    pub(super) own: &'a Members<TemplateInterface>,
    /// The type and its interfaces.
    pub(super) of_type: Option<(AnyId, &'a Members<Interface>)>,
    /// The number of the side in a relationship; 0 for a node.
    pub(super) side: u8,
    /// Whether the node on which the operations run has a host.
    pub(super) has_host: bool,
}

/// The checks of the operations of a blueprint.
pub(super) struct Operations<'a> {
    entry: SourceId,
    /// Whether there is a plugin for scripts.
    runs_scripts: bool,
    /// The defects of the operations of types, by side.
    types: FxHashMap<(AnyId, u8), Rc<Vec<Defect>>>,
    /// The types that are used, with those that they are derived from.
    used: FxHashSet<AnyId>,
    plugins: FxHashMap<(SourceId, Symbol), LookupResult>,
    program: PhantomData<&'a ()>,
}

/// Returns the script that an implementation names, if the implementation is in the main file: scripts are relative to
/// that file, even those of imported files.
pub(crate) fn named_file(context: &Context<'_>, owner: AnyId, node: Node<'_>) -> Option<NamedFile> {
    let is_main = context.program.list.first()?.id == owner.unit;
    let path = Some(node.text()).filter(|text| is_main && !text.contains(['\n', ':']))?;
    let is_file = context.program.surroundings(owner.unit)?.has(path) == Some(true);
    is_file.then(|| NamedFile::at(path))
}

impl<'a> Operations<'a> {
    pub(super) fn new(context: &Context<'a>, blueprints: &[&'a Blueprint]) -> Self {
        let names = || blueprints.iter().flat_map(|blueprint| blueprint.plugins.iter());
        Self {
            entry: context.program.list[0].id,
            runs_scripts: names().any(|(name, _)| context.text(name).ends_with("script")),
            types: FxHashMap::default(),
            used: FxHashSet::default(),
            plugins: FxHashMap::default(),
            program: PhantomData,
        }
    }

    /// Returns the implementation that a string stands for in a unit.
    fn resolve(&mut self, context: &Context<'a>, unit: SourceId, text: &str) -> Implementation<'a> {
        let is_url = text.split_once(':').is_some_and(|(scheme, _)| {
            scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
                && scheme.bytes().all(|letter| letter.is_ascii_alphanumeric() || b"+-.".contains(&letter))
        });
        if is_url || text.contains('\n') {
            return self.script();
        }
        let mut found: Option<AnyId> = None;
        for (end, _) in text.match_indices('.').take(MAX_POINTS) {
            let Some(name) = context.program.interner.get(&text[..end]) else { continue };
            let plugin = self.plugins.entry((unit, name));
            match *plugin.or_insert_with(|| context.program.resolve(unit, PLUGINS, name)) {
                LookupResult::Found(id) | LookupResult::Ambiguous(id, _) if found.is_none_or(|known| known == id) => {
                    found = Some(id);
                }
                LookupResult::Found(_) | LookupResult::Ambiguous(..) => {
                    return Implementation::None("matches several plugins".to_owned());
                }
                LookupResult::Unreadable => return Implementation::Unknown,
                LookupResult::Unknown => {}
            }
        }
        if let Some(plugin) = found {
            return match super::get::<Plugin>(context, plugin) {
                Some(plugin) => Implementation::Plugin(plugin),
                None => Implementation::Unknown,
            };
        }
        if context.program.is_open(unit) {
            return Implementation::Unknown;
        }
        let is_file = context.program.surroundings(self.entry).map(|files| files.has(text));
        match is_file {
            Some(Some(true)) => self.script(),
            // The files are unknown, but the task of a plugin has no slash.
            None | Some(None) if text.contains('/') => Implementation::Unknown,
            _ => Implementation::None("names neither a declared plugin nor a script".to_owned()),
        }
    }

    fn script(&self) -> Implementation<'a> {
        if self.runs_scripts {
            Implementation::Script
        } else {
            Implementation::None("is a script, but no plugin for scripts is declared".to_owned())
        }
    }

    /// Checks an implementation. Returns whether it runs on the host.
    fn implementation(
        &mut self,
        context: &mut Context<'a>,
        node: Node<'_>,
        given: &dyn Fn(&str) -> Option<Node<'a>>,
        executor: Option<Executor>,
        (key, what): (Node<'_>, &str),
    ) -> bool {
        let text = node.text();
        let found = self.resolve(context, node.document().source(), text);
        let is_of_host = |executor: Option<Executor>| executor == Some(Executor::HostAgent);
        match found {
            Implementation::None(reason) => {
                let message = format!("`{text}`, which implements {what}, {reason}");
                context.problem(&UNKNOWN_IMPLEMENTATION, Some(node.span()), message).help(remedy());
                false
            }
            Implementation::Script => {
                for name in SCRIPT_INPUTS {
                    if let Some(input) = given(name) {
                        let message = format!("{what} has the input `{name}`, which is reserved for its script");
                        let problem = context.problem(&UNKNOWN_IMPLEMENTATION, Some(key.span()), message);
                        problem.help(format!("remove `{name}`")).related(Some(input.span()), "the input");
                    }
                }
                is_of_host(executor)
            }
            Implementation::Plugin(plugin) => {
                has_task(context, node);
                is_of_host(executor.or_else(|| plugin.executor.map(|executor| executor.value)))
            }
            Implementation::Unknown => false,
        }
    }

    /// Checks the mapping of a workflow.
    pub(super) fn workflow(&mut self, context: &mut Context<'a>, workflow: &'a Workflow) {
        let Some(node) = text_of(context, workflow.mapping) else { return };
        let parameters = &workflow.parameters;
        let find = |name: &str, context: &Context<'a>| {
            key_of(context, parameters.get(context.program.interner.get(name)?)?.any())
        };
        let found: Vec<_> = SCRIPT_INPUTS.iter().map(|name| (*name, find(name, context))).collect();
        let given = |name: &str| found.iter().find(|(known, _)| *known == name).and_then(|(_, node)| *node);
        self.implementation(context, node, &given, None, (node, "the workflow"));
    }

    /// Returns the defects of the operations of a type. They are computed once.
    fn defects(
        &mut self,
        context: &Context<'a>,
        of_type: AnyId,
        side: u8,
        all: &'a Members<Interface>,
    ) -> Rc<Vec<Defect>> {
        if let Some(known) = self.types.get(&(of_type, side)) {
            return known.clone();
        }
        let mut found = Vec::new();
        for (interface, id) in all.iter() {
            let Some(operations) = context.get(id) else { continue };
            for (name, id) in operations.operations.iter() {
                let Some(operation) = context.get(id) else { continue };
                let mut add = |kind| found.push(Defect { interface, operation: name, kind, at: id.any() });
                let Some(node) = implementation(context, operation.implementation) else { continue };
                let executor = operation.executor.map(|executor| executor.value);
                match self.resolve(context, node.document().source(), node.text()) {
                    Implementation::None(reason) => add(DefectKind::Unresolved(format!("`{}` {reason}", node.text()))),
                    Implementation::Plugin(plugin)
                        if executor.or_else(|| plugin.executor.map(|executor| executor.value))
                            == Some(Executor::HostAgent) =>
                    {
                        add(DefectKind::OnHost);
                    }
                    Implementation::Script if executor == Some(Executor::HostAgent) => add(DefectKind::OnHost),
                    _ => {}
                }
                if let Some(input) = lacking(context, operation, |_| false) {
                    add(DefectKind::LacksInput(input.to_owned()));
                }
            }
        }
        let found = Rc::new(found);
        self.types.insert((of_type, side), found.clone());
        found
    }

    /// Records that a type is used.
    pub(super) fn use_type(&mut self, context: &Context<'a>, of_type: AnyId) {
        let mut next = Some(of_type);
        while let Some(id) = next.filter(|id| self.used.insert(*id)) {
            next = context.program.lineage(id).and_then(|lineage| lineage.parents().first().copied());
        }
    }

    /// Checks the operations of a template.
    pub(super) fn template(&mut self, context: &mut Context<'a>, owner: Owner<'a>) {
        let find = |context: &Context<'a>, interface: Symbol, operation: Symbol| {
            let interface = context.get(owner.own.get(interface)?)?;
            interface.operations.get(operation)
        };
        if let Some((of_type, interfaces)) = owner.of_type {
            let defects = self.defects(context, of_type, owner.side, interfaces);
            let inherited = defects.iter().filter(|defect| match &defect.kind {
                DefectKind::OnHost => !owner.has_host,
                _ => true,
            });
            let inherited: Vec<&Defect> = inherited
                .filter(|defect| find(context, defect.interface, defect.operation).is_none())
                .take(MAX_OPERATIONS)
                .collect();
            for defect in inherited {
                Self::inherited(context, owner, defect);
            }
        }
        for (interface, id) in owner.own.iter() {
            let Some(own) = context.get(id) else { continue };
            for (name, id) in own.operations.iter() {
                let base = owner.of_type.and_then(|(_, interfaces)| {
                    let operations = &context.get(interfaces.get(interface)?)?.operations;
                    context.get(operations.get(name)?)
                });
                self.own(context, owner, id, base);
            }
        }
    }

    /// Reports a defect of an operation of the type.
    fn inherited(context: &mut Context<'a>, owner: Owner<'a>, defect: &Defect) {
        let at = key_of(context, owner.id).map(Node::span);
        let place = key_of(context, defect.at).map(Node::span);
        let name = format!("{}.{}", context.text(defect.interface), context.text(defect.operation));
        let problem = match &defect.kind {
            DefectKind::Unresolved(reason) => {
                let message = format!("operation `{name}` can't run: {reason}");
                context.problem(&UNKNOWN_IMPLEMENTATION, at, message).help(remedy())
            }
            DefectKind::LacksInput(input) => {
                let message = format!("operation `{name}` lacks the input `{input}`");
                let help = format!("add the operation with `inputs: {{ {input}: … }}`, or a default in the type");
                context.problem(&MISSING_OPERATION_INPUT, at, message).help(help)
            }
            DefectKind::OnHost => no_host(context, at, &name),
        };
        problem.related(place, "defined here");
    }

    /// Checks an operation of a template, which may override an operation of the type.
    fn own(
        &mut self,
        context: &mut Context<'a>,
        owner: Owner<'a>,
        id: Id<Operation>,
        base: Option<&'a OperationDefinition>,
    ) {
        let Some(operation) = context.get(id) else { return };
        let (Some(node), Some(key)) = (node_of(context, id.any()), key_of(context, id.any())) else { return };
        let is_cleared = match node.kind() {
            Kind::String => node.text().is_empty(),
            _ => node.is_empty(),
        };
        if is_cleared || node.kind() == Kind::Null {
            return;
        }
        // An implementation of the wrong kind has been reported.
        let written = node.find("implementation").map(|entry| entry.value.kind());
        if written.is_some_and(|kind| !matches!(kind, Kind::String | Kind::Null)) {
            return;
        }
        let own = implementation(context, operation.implementation);
        let of_base = base.and_then(|base| implementation(context, base.implementation));
        let is_same = match (own, of_base) {
            (Some(own), Some(of_base)) => own.text() == of_base.text(),
            (None, Some(_)) => true,
            _ => false,
        };
        let Some(implementation) = own.or(of_base) else { return };
        let inputs = operation.inputs.position.and_then(|position| context.node(position));
        let given = |name: &str| inputs.and_then(|inputs| inputs.find(name)).map(|entry| entry.key);
        let name = key.text().to_owned();
        let inherited = base.filter(|_| is_same);
        let executor = operation.executor.or_else(|| inherited?.executor).map(|executor| executor.value);
        // Names in the type are looked up in the context of the type, but reported here.
        let runs_on_host = if own.is_some() {
            let what = format!("operation `{name}`");
            self.implementation(context, implementation, &given, executor, (key, &what))
        } else {
            match self.resolve(context, implementation.document().source(), implementation.text()) {
                Implementation::None(reason) => {
                    let message = format!("operation `{name}` can't run: `{}` {reason}", implementation.text());
                    context.problem(&UNKNOWN_IMPLEMENTATION, Some(key.span()), message).help(remedy());
                    false
                }
                Implementation::Plugin(plugin) => {
                    executor.or_else(|| plugin.executor.map(|executor| executor.value)) == Some(Executor::HostAgent)
                }
                Implementation::Script | Implementation::Unknown => executor == Some(Executor::HostAgent),
            }
        };
        if runs_on_host && !owner.has_host {
            no_host(context, Some(key.span()), &name);
        }
        let Some(base) = inherited else { return };
        if let Some(input) = lacking(context, base, |name| given(name).is_some()) {
            let at = key_of(context, owner.id).map(Node::span).filter(|_| inputs.is_none());
            let message = format!("operation `{name}` lacks the input `{input}`");
            let at = at.or(Some(key.span()));
            context
                .problem(&MISSING_OPERATION_INPUT, at, message)
                .help(format!("add `{input}: …` to the inputs of the operation"));
        }
        for entry in inputs.into_iter().flat_map(Node::entries) {
            let input = entry.key.symbol().and_then(|name| base.inputs.get(name)).and_then(|id| context.get(id));
            if let Some(input) = input {
                given_input(context, input, entry.value);
            }
        }
    }

    /// Reports operations of node types that no template uses.
    pub(super) fn unused(&mut self, context: &mut Context<'a>, id: Id<NodeType>) {
        let Some(of_type) = context.program.raw_as(id).filter(|_| !self.used.contains(&id.any())) else { return };
        for (_, interface) in of_type.interfaces.iter() {
            let Some(interface) = context.program.raw_as(interface) else { continue };
            for (_, operation) in interface.operations.iter() {
                let Some(operation) = context.get(operation) else { continue };
                let Some(node) = implementation(context, operation.implementation) else { continue };
                if let Implementation::None(reason) = self.resolve(context, id.any().unit, node.text()) {
                    let message = format!("`{}` {reason}; no node template uses it", node.text());
                    context.problem(&UNUSED_OPERATION, Some(node.span()), message).help(remedy());
                }
            }
        }
    }

    /// Reports operations of a relationship type, whether it is used or not.
    pub(super) fn relationship_type(&mut self, context: &mut Context<'a>, id: Id<RelationshipType>) {
        let Some(of_type) = context.program.raw_as(id) else { return };
        for interface in [&of_type.source_interfaces, &of_type.target_interfaces].into_iter().flat_map(Members::iter) {
            let Some(interface) = context.program.raw_as(interface.1) else { continue };
            for (name, operation) in interface.operations.iter() {
                let Some(operation) = context.get(operation) else { continue };
                let Some(node) = implementation(context, operation.implementation) else { continue };
                if let Implementation::None(reason) = self.resolve(context, id.any().unit, node.text()) {
                    let at = key_of(context, id.any()).map(Node::span);
                    let name = context.text(name);
                    let message = format!("operation `{name}` can't run: `{}` {reason}", node.text());
                    let problem = context.problem(&UNKNOWN_IMPLEMENTATION, at, message).help(remedy());
                    problem.related(Some(node.span()), "implementation");
                }
            }
        }
    }
}

impl Checked for OperationDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(definition);
}

fn definition(operation: &OperationDefinition, context: &mut Context<'_>, _: Id<OperationDefinition>) {
    if let Some(node) = implementation(context, operation.implementation) {
        has_task(context, node);
    }
}

/// Reports an implementation that names a plugin but no task.
fn has_task(context: &mut Context<'_>, node: Node<'_>) {
    if node.text().ends_with('.') {
        let message = format!("`{}` has no task", node.text());
        report(context, &UNKNOWN_IMPLEMENTATION, node, message, "add the path of a task");
    }
}

fn remedy() -> &'static str {
    "declare the plugin in `plugins`, or write the path of a script next to the blueprint"
}

fn no_host<'p>(
    context: &'p mut Context<'_>,
    at: Option<tosca_parse::diagnostic::Span>,
    name: &str,
) -> Option<tosca_parse::phase::DiagnosticBuilder<'p>> {
    let message = format!("operation `{name}` runs on the host of its node, which has none");
    let help = "put the node into a `cloudify.nodes.Compute`, or use the executor `central_deployment_agent`";
    context.problem(&NO_HOST, at, message).help(help)
}

/// Returns the node of an implementation; `None` if it is empty.
fn implementation<'a>(context: &Context<'a>, text: Option<Text>) -> Option<Node<'a>> {
    text_of(context, text).filter(|node| !node.text().is_empty())
}

/// Returns the first input of an operation that has neither a default nor a value.
fn lacking<'a>(
    context: &Context<'a>,
    operation: &OperationDefinition,
    is_given: impl Fn(&str) -> bool,
) -> Option<&'a str> {
    operation.inputs.iter().find_map(|(name, input)| {
        let name = context.text(name);
        let input = context.get(input)?;
        (input.default.is_none() && !is_given(name)).then_some(name)
    })
}

/// Compares the value of an input of an operation with its type, which the manager does not do.
fn given_input(context: &mut Context<'_>, input: &Input, value: Node<'_>) {
    use super::value::{Type, fits, type_of};
    if let Type::Primitive(primitive) = type_of(context, input.r#type)
        && crate::function::call(value).is_none()
        && value.kind() != Kind::Null
        && (!fits(primitive, value) || primitive == "string" && value.kind() != Kind::String)
    {
        let message = format!("the input has type `{primitive}`, but the value is {}", super::kind(value));
        report(context, &TOLERATED_VALUE, value, message, "correct the value; the manager accepts any value");
    }
}
