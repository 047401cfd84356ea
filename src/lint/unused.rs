//! Unused declarations, imports and inputs of a template.

use foldhash::HashSet;
use rustc_hash::FxHashSet;

use super::walk::{Found, each};
use crate::ard::{Kind, Node};
use crate::diagnostic::Rule;
use crate::entity::{AnyId, Id};
use crate::grammar::template::ServiceTemplate;
use crate::grammar::{File, Repository};
use crate::phase::{Context, DiagnosticExt, Lint, Unit};
use crate::rules;

/// Inputs that are never used.
pub(super) struct Inputs;

/// Unused types in a file with a service. Types in other files are for importers.
pub(super) struct Types;

/// Imports in a file with a service whose declarations are not used.
pub(super) struct Imports;

/// Repositories that are never used.
pub(super) struct Repositories;

/// Returns the entry and its service template.
pub(super) fn service<'a>(context: &Context<'a>) -> Option<(&'a Unit, Id<ServiceTemplate>)> {
    let entry = context.program.list.first()?;
    let file: Id<File> = entry.root?.cast()?;
    Some((entry, context.get(file)?.service_template?))
}

/// Returns the targets of all references in the entry, except references of entities to themselves.
fn named(context: &Context<'_>, entry: &Unit) -> FxHashSet<AnyId> {
    let references = entry.references();
    let targets = references.filter_map(|(reference, _, _, owner)| Some((context.any_target(reference)?, owner)));
    let others = targets
        .filter(|(target, owner)| target != owner && !context.program.owners(*owner).any(|around| around == *target));
    others.map(|(target, _)| target).collect()
}

impl Lint for Inputs {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![&rules::UNUSED_INPUT]
    }

    fn look(&self, context: &mut Context<'_>) {
        let Some((_, id)) = service(context) else { return };
        let Some(template) = context.get(id).filter(|template| !template.inputs.is_empty()) else { return };
        let mut gotten: HashSet<&str> = HashSet::default();
        let program = context.program;
        let written = program.list.iter().filter(|unit| unit.implicit.is_none());
        for root in written.filter_map(|unit| unit.document.root()) {
            each(root, &mut |Found { key, node, .. }| match key.map(Node::text) {
                Some("get_input" | "$get_input") => {
                    let name = if node.kind() == Kind::List { node.items().next() } else { Some(node) };
                    gotten.extend(name.map(Node::text));
                }
                // A mapping names inputs in lists.
                Some("substitution_mappings") => each(node, &mut |found| gotten.extend([found.node.text()])),
                _ => {}
            });
        }
        for (name, input) in template.inputs.iter() {
            let name = context.text(name);
            if !gotten.contains(name) {
                let at = context.program.name_span(input.any());
                context
                    .problem(&rules::UNUSED_INPUT, at, format!("input `{name}` is never used"))
                    .help("remove the input");
            }
        }
    }
}

impl Lint for Types {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![&rules::UNUSED_TYPE]
    }

    fn look(&self, context: &mut Context<'_>) {
        let Some((entry, _)) = service(context) else { return };
        let named = named(context, entry);
        for id in entry.types().filter(|id| !named.contains(id)) {
            let message = format!("nothing uses {}", context.describe(id));
            let at = context.program.name_span(id);
            context
                .problem(&rules::UNUSED_TYPE, at, message)
                .help("remove the type, or move it to a file that only defines types");
        }
    }
}

impl Lint for Imports {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![&rules::UNUSED_IMPORT]
    }

    fn look(&self, context: &mut Context<'_>) {
        let Some((entry, _)) = service(context) else { return };
        let program = context.program;
        let used: FxHashSet<usize> =
            named(context, entry).into_iter().filter_map(|id| program.index(id.unit)).collect();
        for link in program.links.first().into_iter().flatten() {
            let Some(request) = entry.imports.get(link.import) else { continue };
            let brought = reachable(context, link.unit);
            // Function calls are not followed.
            let has_functions = |unit: &usize| {
                let file: Option<Id<File>> = program.list[*unit].root.and_then(AnyId::cast);
                file.and_then(|file| context.get(file)).is_some_and(|file| !file.functions.is_empty())
            };
            if brought.iter().any(|unit| used.contains(unit) || has_functions(unit)) {
                continue;
            }
            let name = program.list[link.unit].source.name();
            let message = format!("import `{name}` is never used");
            context
                .problem(&rules::UNUSED_IMPORT, Some(entry.document.node(request.node).span()), message)
                .help("remove the import");
        }
    }
}

/// Returns a unit and its direct and indirect imports.
fn reachable(context: &Context<'_>, unit: usize) -> FxHashSet<usize> {
    let (mut met, mut waiting) = (FxHashSet::default(), vec![unit]);
    while let Some(unit) = waiting.pop() {
        if met.insert(unit) {
            waiting.extend(context.program.links.get(unit).into_iter().flatten().map(|link| link.unit));
        }
    }
    met
}

impl Lint for Repositories {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![&rules::UNUSED_REPOSITORY]
    }

    fn look(&self, context: &mut Context<'_>) {
        let Some((entry, _)) = service(context) else { return };
        let named = named(context, entry);
        let file = entry.root.and_then(AnyId::cast::<File>).and_then(|id| context.get(id));
        let mut by_name: HashSet<&str> = HashSet::default();
        if let Some(root) = entry.document.root() {
            each(root, &mut |Found { key, node, .. }| {
                if key.is_some_and(|key| key.text() == "repository") {
                    by_name.insert(node.text());
                }
            });
        }
        for (name, id) in file.into_iter().flat_map(|file| file.repositories.iter()) {
            let (id, name): (Id<Repository>, &str) = (id, context.text(name));
            if !named.contains(&id.any()) && !by_name.contains(name) {
                let at = context.program.name_span(id.any());
                let message = format!("repository `{name}` is never used");
                context.problem(&rules::UNUSED_REPOSITORY, at, message).help("remove the repository");
            }
        }
    }
}
