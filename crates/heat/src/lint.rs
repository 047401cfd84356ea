//! Optional checks of complete templates.

use rustc_hash::FxHashSet;
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::{Help, Rule};
use tosca_parse::entity::{AnyId, Entity as _, Id};
use tosca_parse::phase::namespace::ReferenceResolver as _;
use tosca_parse::phase::{Context, DiagnosticExt as _, Lint};

use crate::check::registry::{Meaning, Registry};
use crate::check::{constant_conditions, properties_of};
use crate::grammar::{Parameter, Template};
use crate::rules;
use crate::types::ResourceType;

/// All lints.
pub(crate) static LINTS: &[&dyn Lint] = &[&Deprecated, &UnusedParameters, &ConstantConditions];

fn entry<'a>(context: &Context<'a>) -> Option<(Id<Template>, &'a Template)> {
    let id = context.program.list.first()?.root?.cast::<Template>()?;
    Some((id, context.get(id)?))
}

/// Resource types and properties that the service no longer supports.
struct Deprecated;

impl Lint for Deprecated {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![&rules::DEPRECATED_TYPE, &rules::DEPRECATED_PROPERTY]
    }

    fn look(&self, context: &mut Context<'_>) {
        let Some((_, template)) = entry(context) else { return };
        let registry = Registry::new(context.program);
        for (resource_name, id) in template.resources.iter() {
            let Some(reference) = context.get(id).and_then(|resource| resource.r#type) else { continue };
            let (name, own_name) = (context.text(reference.name), context.text(resource_name));
            let Meaning::Type(ty) = registry.meaning(context, id.any(), name, Some(own_name)) else { continue };
            let at = context.reference_span(reference);
            if let Some(status) = status(ty, context) {
                let message = format!("resource type `{name}` is {status}");
                context.problem(&rules::DEPRECATED_TYPE, at, message).help("use a different resource type");
            }
            let properties = properties_of(context, id.any());
            for entry in properties.into_iter().flat_map(Node::entries) {
                let property = ty.properties.get(context.intern(entry.key.text()));
                let release = property.and_then(|id| context.node(context.get(id)?.deprecated?.0)).map(Node::text);
                let Some(release) = release else { continue };
                let message = format!("property `{}` has been deprecated since release {release}", entry.key.text());
                let newer = ty.renamed.get(context.intern(entry.key.text())).and_then(|id| context.get(id)?.to);
                let help = newer.and_then(|to| context.node(to.0)).map(|to| Help::write(to.text()));
                let problem = context.problem(&rules::DEPRECATED_PROPERTY, Some(entry.key.span()), message);
                problem.help(help.unwrap_or_else(|| "use a different property".into()));
            }
        }
    }
}

/// Returns the status of a type that is not supported, as the end of a sentence.
fn status(ty: &ResourceType, context: &Context<'_>) -> Option<String> {
    let node = context.node(ty.support_status?.0)?;
    let text = |key: &str| node.find(key).map_or("", |entry| entry.value.text());
    let status = match text("status") {
        "DEPRECATED" => "deprecated",
        "HIDDEN" => "hidden",
        "UNSUPPORTED" => "unsupported",
        _ => return None,
    };
    Some(match text("version") {
        "" => status.to_owned(),
        version => format!("{status} since release {version}"),
    })
}

/// Parameters that no function names.
struct UnusedParameters;

impl Lint for UnusedParameters {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![&rules::UNUSED_PARAMETER]
    }

    fn look(&self, context: &mut Context<'_>) {
        let program = context.program;
        let (Some((id, template)), Some(unit)) = (entry(context), program.list.first()) else { return };
        // A computed name may be any name.
        let is_computed = |node: Node<'_>| {
            let given = node.find("get_param").map(|entry| entry.value);
            let name =
                given.and_then(|given| if given.kind() == Kind::List { given.items().next() } else { Some(given) });
            node.kind() == Kind::Map && name.is_some_and(|name| name.kind() == Kind::Map)
        };
        if context.program.unit(id.any().unit).is_none_or(|unit| unit.document.nodes().any(is_computed)) {
            return;
        }
        let in_values = unit.references().filter(|(_, _, field, _)| field.value.is_some());
        let used: FxHashSet<AnyId> = in_values.filter_map(|(reference, ..)| program.target(reference)).collect();
        let unused = template.parameters.iter().map(|(_, id)| id.any()).filter(|id| !used.contains(id));
        for id in unused.filter(|id| id.kind == Parameter::KIND) {
            let message = format!("{} is not used", context.describe(id));
            context
                .problem(&rules::UNUSED_PARAMETER, program.name_span(id), message)
                .help("remove the parameter, or use it");
        }
    }
}

/// Conditions that have the same result whatever the parameters are.
struct ConstantConditions;

impl Lint for ConstantConditions {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![&rules::CONSTANT_CONDITION]
    }

    fn look(&self, context: &mut Context<'_>) {
        let Some((id, template)) = entry(context) else { return };
        for (name, at, holds) in constant_conditions(template, context, id) {
            let message = format!("condition `{name}` is {}", if holds { "always true" } else { "never true" });
            context.problem(&rules::CONSTANT_CONDITION, Some(at), message).help("correct or remove the condition");
        }
    }
}
