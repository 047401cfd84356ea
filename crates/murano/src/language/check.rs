//! Checks of complete classes: extended classes, attached metadata, classes that expressions name, and the contents of
//! manifests.

mod attached;
mod body;
mod call;
mod chain;
mod class_names;
mod contract;
mod convert;
mod expression;
mod format;
mod functions;
mod manifest;
mod overriding;
mod statics;
mod versions;
mod view;

use rustc_hash::FxHashMap;
use tosca_parse::ard::NodeId;
use tosca_parse::entity::{Checked, Checks, Id, LocalId, Text};
use tosca_parse::phase::read::Reader;
use tosca_parse::phase::{Context, DiagnosticExt as _};
use tosca_parse::symbol::Symbol;

use super::class::Class;
use super::manifest::Manifest;
use super::member::{Argument, Method, Property, Scope};
use super::{CLASSES, rules};
use crate::class::{ArgumentUsage, MethodUsage};
use view::{View, own_methods};

impl Checked for Class {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(declare).after_inheritance(class);
}

/// Declares a class by its own name. A document with only namespaces is not a class.
fn declare(class: &Class, reader: &mut Reader<'_>, id: LocalId) {
    if let Some(Text(name)) = class.name {
        let node = reader.document().node(name.node);
        reader.declare_itself(CLASSES, id, node);
        return;
    }
    let nameless = |class: &Class| class.name.is_none() && class.is_declared();
    let Some(node) = reader.header(id).map(|header| reader.document().node(header.node)) else { return };
    if nameless(class) && reader.entities::<Class>().any(|(_, other)| nameless(other)) {
        reader
            .problem(&rules::INVALID_DECLARATION, node, "several classes of the file have no name")
            .help("add `Name: …` to each class");
    }
}

fn class(class: &Class, context: &mut Context<'_>, id: Id<Class>) {
    for reference in class.extends.iter().filter(|_| !class.is_meta()) {
        let Some(parent) = reference.target(context.program) else { continue };
        let Some(usage) = context.get(parent).filter(|parent| parent.is_meta()).map(|parent| parent.usage) else {
            continue;
        };
        let message = format!(
            "{} can't extend `{}`, which is a meta class",
            context.describe(id.any()),
            context.program.name(parent.any())
        );
        let usage = usage.and_then(|usage| context.span(usage.position));
        let at = context.reference_span(*reference);
        context
            .problem(&rules::INVALID_INHERITANCE, at, message)
            .related(usage, "declared as a meta class here")
            .help("extend a class, or attach the meta class with `Meta`");
    }
    attached::check(&class.meta, context, "Type");
    attached::inherited(class, context, id);
    contract::redeclared(class, context, id);
    overriding::check(class, context, id);
    let Some(view) = View::of(context, id) else { return };
    contract::code(&view, context, id);
    for method in own_methods(context, id) {
        body::check(&view, context, method);
    }
}

impl Checked for Manifest {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(manifest);
}

fn manifest(manifest: &Manifest, context: &mut Context<'_>, id: Id<Manifest>) {
    attached::check(&manifest.meta, context, "Package");
    versions::check(context, id);
    format::check(manifest, context, id);
}

impl Checked for Property {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(property);
}

fn property(property: &Property, context: &mut Context<'_>, _: Id<Property>) {
    attached::check(&property.meta, context, "Property");
    class_names::check(&property.contract, context);
    class_names::check(&property.default, context);
    contract::check(&property.contract, &property.default, context);
}

impl Checked for Method {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(signature).after_inheritance(method);
}

fn signature(method: &Method, reader: &mut Reader<'_>, id: LocalId) {
    let name = reader.header(id).map_or("", |header| reader.interner().text(header.name)).to_owned();
    if let (Some(usage), Some(scope)) = (method.usage, method.scope)
        && (usage.value, scope.value) == (MethodUsage::Action, Scope::Session)
    {
        let node = reader.document().node(scope.position.node);
        let message = format!("method `{name}` is an action, which users call, but has the scope `Session`");
        reader
            .problem(&rules::INVALID_DECLARATION, node, message)
            .related_node(usage.position.node, "declared as an action here")
            .help("remove `Scope: Session` or `Usage: Action`");
    }
    let mut last = ArgumentUsage::Standard;
    let mut known: FxHashMap<Symbol, NodeId> = FxHashMap::default();
    for (argument, id) in &method.arguments {
        if let Some(key) = reader.header(id.any().local()).map(|header| header.key)
            && let Some(first) = known.insert(*argument, key)
        {
            let message =
                format!("method `{name}` declares the argument `{}` twice", reader.interner().text(*argument));
            let node = reader.document().node(key);
            reader
                .problem(&rules::REPEATED_ARGUMENT, node, message)
                .related_node(first, "first declaration")
                .help("remove or rename one of the arguments");
        }
        let usage = reader.entity_of(*id).and_then(|argument| argument.usage).map(|usage| usage.value);
        let usage = usage.unwrap_or(ArgumentUsage::Standard);
        if rank(usage) < rank(last) || usage == last && usage != ArgumentUsage::Standard {
            let argument = reader.interner().text(*argument).to_owned();
            let Some(key) = reader.header(id.any().local()).map(|header| header.key) else { continue };
            let node = reader.document().node(key);
            let message =
                format!("argument `{argument}` of method `{name}` follows one that takes all remaining arguments");
            reader
                .problem(&rules::INVALID_DECLARATION, node, message)
                .help("write single arguments first, then one `VarArgs`, then one `KwArgs`");
        }
        last = usage;
    }
}

fn rank(usage: ArgumentUsage) -> u8 {
    match usage {
        ArgumentUsage::Standard => 0,
        ArgumentUsage::VarArgs => 1,
        ArgumentUsage::KwArgs => 2,
    }
}

fn method(method: &Method, context: &mut Context<'_>, _: Id<Method>) {
    attached::check(&method.meta, context, "Method");
    class_names::check(&method.body, context);
}

impl Checked for Argument {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(argument);
}

fn argument(argument: &Argument, context: &mut Context<'_>, _: Id<Argument>) {
    attached::check(&argument.meta, context, "Argument");
    class_names::check(&argument.contract, context);
    class_names::check(&argument.default, context);
    contract::check(&argument.contract, &argument.default, context);
}
