//! Attached metadata: whether it is applicable and how often.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use tosca_parse::diagnostic::Span;
use tosca_parse::entity::{AnyId, Id};
use tosca_parse::phase::hierarchy::Lineage;
use tosca_parse::phase::{Context, DiagnosticExt as _};

use super::super::attachment::Attachments;
use super::super::class::{Class, Targets};
use super::super::heritage::Heritage;
use super::super::{ancestors, rules};

/// Checks the metadata that is attached to a declaration; `to` is the language's word for the declaration.
pub(super) fn check(attachments: &Attachments, context: &mut Context<'_>, to: &str) {
    let mut once: IndexMap<Id<Class>, Option<Span>> = IndexMap::new();
    for attachment in attachments.iter() {
        let Some(id) = attachment.class.target(context.program) else { continue };
        let Some(class) = context.get(id) else { continue };
        let (at, name) = (context.reference_span(attachment.class), context.program.name(id.any()));
        if !class.is_meta() {
            let declared = context.program.name_span(id.any());
            let message = format!("only meta classes can be attached, and `{name}` is not one");
            let problem = context.problem(&rules::INVALID_ATTACHMENT, at, message);
            problem.related(declared, "declared here").help("declare the class with `Usage: Meta`");
        } else if !class.targets().has(to) {
            let applies = class.applies.and_then(|applies| context.span(applies.position));
            let message = format!("`{name}` can't be attached to {}", thing(to));
            context
                .problem(&rules::INVALID_ATTACHMENT, at, message)
                .related(applies, "declared here")
                .help("remove the attachment, or attach the meta class to a different declaration");
        } else if let Some(first) = once.insert(id, at).filter(|_| !class.is_many()) {
            let message = format!("`{name}` is attached twice, but its cardinality is `One`");
            context
                .problem(&rules::INVALID_ATTACHMENT, at, message)
                .related(first, "first attachment")
                .help("remove one of the attachments");
        }
    }
}

/// Returns the noun for a keyword of the language, with its article.
fn thing(target: &str) -> &'static str {
    const THINGS: [&str; Targets::NAMES.len()] = ["a package", "a class", "a property", "a method", "an argument"];
    Targets::NAMES.iter().position(|known| *known == target).map_or("it", |place| THINGS[place])
}

/// Checks that metadata that is allowed only once is inherited only from related ancestors.
pub(super) fn inherited(class: &Class, context: &mut Context<'_>, id: Id<Class>) {
    if class.extends.len() < 2 || !Heritage::of(context, id).has_meta {
        return;
    }
    let count = context.program.lineage(id.any()).map_or(0, Lineage::ancestor_count);
    if !context.has_room_for_ancestors(count, id.any()) {
        return;
    }
    let own: FxHashSet<_> = class.meta.iter().filter_map(|item| item.class.target(context.program)).collect();
    let mut declared: IndexMap<Id<Class>, Vec<(AnyId, Option<Span>)>> = IndexMap::new();
    for ancestor in ancestors(context.program, id.any()) {
        let Some(attachments) = ancestor.cast::<Class>().and_then(|id| context.get(id)).map(|class| &class.meta) else {
            continue;
        };
        for attachment in attachments.iter() {
            let Some(meta) = attachment.class.target(context.program).filter(|meta| !own.contains(meta)) else {
                continue;
            };
            if context.get(meta).is_some_and(|meta| meta.is_handed_on() && !meta.is_many()) {
                declared.entry(meta).or_default().push((ancestor, context.reference_span(attachment.class)));
            }
        }
    }
    for (meta, places) in declared {
        if !context.has_room_for_ancestors(places.len() * places.len(), id.any()) {
            return;
        }
        let is_nearest =
            |class: AnyId| places.iter().all(|(other, _)| *other == class || !context.program.is_a(*other, class));
        let nearest: Vec<_> = places.iter().filter(|(class, _)| is_nearest(*class)).collect();
        let [(_, first), (_, second), ..] = nearest.as_slice() else { continue };
        let message = format!(
            "{} inherits `{}` twice, but its cardinality is `One`",
            context.describe(id.any()),
            context.program.name(meta.any())
        );
        let at = context.program.name_span(id.any());
        context
            .problem(&rules::INVALID_ATTACHMENT, at, message)
            .related(*first, "first attachment")
            .related(*second, "second attachment")
            .help("attach the meta class to the class itself");
    }
}
