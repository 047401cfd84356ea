//! Values for deprecated properties.

use crate::diagnostic::Rule;
use crate::entity::{AnyId, Entity, Id, Members, Values};
use crate::grammar::definition::{PropertyDefinition, Status};
use crate::grammar::template::{GroupDefinition, NodeTemplate, PolicyDefinition, RelationshipTemplate};
use crate::grammar::types::{GroupType, NodeType, PolicyType, RelationshipType};
use crate::phase::{Context, DiagnosticExt, Lint};
use crate::rules;

/// Values for properties whose definitions are deprecated (1.3, 3.6.10.2).
pub(super) struct Deprecated;

impl Lint for Deprecated {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![&rules::DEPRECATED_PROPERTY]
    }

    fn look(&self, context: &mut Context<'_>) {
        all(context, |template: &NodeTemplate| template.properties, |of_type: &NodeType| &of_type.properties);
        all(
            context,
            |template: &RelationshipTemplate| template.properties,
            |of_type: &RelationshipType| &of_type.properties,
        );
        all(context, |group: &GroupDefinition| group.properties, |of_type: &GroupType| &of_type.properties);
        all(context, |policy: &PolicyDefinition| policy.properties, |of_type: &PolicyType| &of_type.properties);
    }
}

/// Checks all templates of the given kind in the entry.
fn all<A: Entity, T: Entity>(
    context: &mut Context<'_>,
    given: fn(&A) -> Values,
    defined: fn(&T) -> &Members<PropertyDefinition>,
) {
    let Some(entry) = context.program.list.first() else { return };
    for index in 0..entry.arenas.count(A::KIND) {
        let id = AnyId { unit: entry.id, kind: A::KIND, index };
        let Some(values) = id.cast::<A>().and_then(|id| context.program.raw_as(id)).map(given) else { continue };
        let of_type: Option<Id<T>> = context.definition(id).and_then(AnyId::cast);
        let (Some(of_type), Some(map)) =
            (of_type.and_then(|id| context.get(id)), values.position.and_then(|position| context.node(position)))
        else {
            continue;
        };
        for entry in map.entries() {
            let definition = entry.key.symbol().and_then(|name| defined(of_type).get(name));
            let status = definition.and_then(|id| context.get(id)?.status.as_ref());
            if let (Some(definition), Some(Status::Deprecated)) = (definition, status.map(|status| status.value)) {
                let message = format!("property `{}` is deprecated", entry.key.text());
                let place = context.program.name_span(definition.any());
                context
                    .problem(&rules::DEPRECATED_PROPERTY, Some(entry.key.span()), message)
                    .related(place, "defined here")
                    .help("the description of the property may name a replacement");
            }
        }
    }
}
