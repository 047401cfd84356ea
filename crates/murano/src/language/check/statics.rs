//! Members of classes themselves: their static properties and methods.

use tosca_parse::diagnostic::Span;
use tosca_parse::entity::Id;
use tosca_parse::phase::{Context, DiagnosticExt as _};

use super::super::class::Class;
use super::super::heritage::Heritage;
use super::super::member::Method;
use super::super::rules;
use crate::class::MethodUsage;

/// Returns whether a method can be called on its class.
pub(super) fn is_static(method: &Method) -> bool {
    method.usage.is_some_and(|usage| matches!(usage.value, MethodUsage::Static | MethodUsage::Extension))
}

/// Reports a property that a class itself does not have.
pub(super) fn property(context: &mut Context<'_>, class: Id<Class>, name: &str, at: Span) {
    let Some(declared) = context.get(class) else { return };
    let is_whole = context.is_complete(class.any()) && !context.program.is_open(class.unit);
    if !is_whole || Heritage::of(context, class).is_native {
        return;
    }
    let id = context.program.interner.get(name).and_then(|name| declared.properties.get(name));
    let property = id.and_then(|id| context.get(id));
    if property.is_some_and(super::super::Property::is_static) {
        return;
    }
    let (message, help) = match property {
        Some(_) => (
            format!("property `{name}` needs an object"),
            "read the property from an object, or give it the usage `Static`",
        ),
        None => {
            let class = context.describe(class.any());
            (format!("{class} has no static property `{name}`"), "correct the name, or declare the property")
        }
    };
    let declared = id.and_then(|id| context.program.name_span(id.any()));
    context.problem(&rules::UNKNOWN_PROPERTY, Some(at), message).related(declared, "declared here").help(help);
}
