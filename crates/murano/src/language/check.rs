//! What is checked when all classes are complete: what classes extend, what is attached to declarations, which classes
//! expressions name, and whether manifests name what there is.

mod attached;
mod body;
mod call;
mod chain;
mod contract;
mod expression;
mod functions;
mod listed;
mod named;
mod overriding;
mod versions;
mod view;

pub(super) use listed::{listing, required};

use tosca_parse::entity::Id;
use tosca_parse::phase::{Context, Explain as _};

use super::class::Class;
use super::manifest::Manifest;
use super::member::{Argument, Method, Property};
use super::rules;
use view::{View, own_methods};

/// Checks a class.
pub(super) fn class(class: &Class, context: &mut Context<'_>, id: Id<Class>) {
    for reference in class.extends.items.iter().filter(|_| !class.is_meta()) {
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
            .related(usage, "it is one because of this")
            .help("extend a class, or attach it with `Meta`");
    }
    attached::check(&class.meta, context, "Type");
    attached::inherited(class, context, id);
    contract::redeclared(class, context, id);
    overriding::check(class, context, id);
    let Some(view) = View::of(context, id) else { return };
    for method in own_methods(context, id) {
        body::check(&view, context, method);
    }
}

/// Checks a manifest.
pub(super) fn manifest(manifest: &Manifest, context: &mut Context<'_>, id: Id<Manifest>) {
    attached::check(&manifest.meta, context, "Package");
    versions::check(context, id);
}

/// Checks a property.
pub(super) fn property(property: &Property, context: &mut Context<'_>, _: Id<Property>) {
    attached::check(&property.meta, context, "Property");
    named::check(&property.contract, context);
    named::check(&property.default, context);
    contract::check(&property.contract, &property.default, context);
}

/// Checks a method.
pub(super) fn method(method: &Method, context: &mut Context<'_>, _: Id<Method>) {
    attached::check(&method.meta, context, "Method");
    named::check(&method.body, context);
}

/// Checks an argument.
pub(super) fn argument(argument: &Argument, context: &mut Context<'_>, _: Id<Argument>) {
    attached::check(&argument.meta, context, "Argument");
    named::check(&argument.contract, context);
    named::check(&argument.default, context);
    contract::check(&argument.contract, &argument.default, context);
}
