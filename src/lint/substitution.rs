//! Services that ignore the properties of the nodes that they substitute.

use rustc_hash::FxHashSet;

use super::unused::service;
use crate::diagnostic::Rule;
use crate::diagnostic::suggest::and_list;
use crate::entity::Id;
use crate::grammar::definition::PropertyDefinition;
use crate::grammar::template::SubstitutionMapping;
use crate::grammar::types::NodeType;
use crate::grammar::version::V2_0;
use crate::phase::{Context, DiagnosticExt, Lint};
use crate::rules;
use crate::symbol::Symbol;

/// Required properties of the substituted node, none of which reaches the service.
pub(super) struct Untaken;

impl Lint for Untaken {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![&rules::UNTAKEN_PROPERTIES]
    }

    fn look(&self, context: &mut Context<'_>) {
        let Some(service) = service(context).and_then(|(_, id)| context.get(id)) else { return };
        let Some(id) = service.substitution_mappings else { return };
        let Some(mapping) = context.get::<SubstitutionMapping>(id) else { return };
        let Some(of_type) = context.target_of(mapping.node_type) else { return };
        let required = required(context, of_type);
        let is_simple = context.version(id.any()) < V2_0;
        let mapped: FxHashSet<Symbol> = mapping.properties.iter().map(|(key, _)| *key).collect();
        // Before 2.0, an input takes the property with its name.
        let taken = |name: &Symbol| mapped.contains(name) || is_simple && service.inputs.get(*name).is_some();
        let Some(first) = required.first().filter(|_| !required.iter().any(taken)) else { return };
        let names: Vec<&str> = required.iter().map(|name| context.text(*name)).collect();
        let what = if names.len() == 1 { "the required property" } else { "any of the required properties" };
        let message =
            format!("the service does not take {what} {} of {}", and_list(&names), context.describe(of_type.any()));
        let target = if is_simple { "[ … ]" } else { "…" };
        let help = format!("map them to inputs: `properties: {{ {}: {target} }}`", context.text(*first));
        let at = context.program.keyname_span(id.any(), "node_type");
        context.problem(&rules::UNTAKEN_PROPERTIES, at, message).help(help);
    }
}

/// Returns the names of the properties that need a value.
fn required(context: &Context<'_>, of_type: Id<NodeType>) -> Vec<Symbol> {
    let properties = context.get(of_type).into_iter().flat_map(|of_type| of_type.properties.iter());
    let is_required = |id| context.get(id).is_some_and(PropertyDefinition::needs_value);
    properties.filter(|(_, id)| is_required(*id)).map(|(name, _)| name).collect()
}
