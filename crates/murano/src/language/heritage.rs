//! What a class has from all of its ancestors, unlike members, which replace each other.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use tosca_parse::entity::{AnyId, Id};
use tosca_parse::phase::Context;

use super::class::Class;
use super::signature::Signature;

/// Classes with native methods.
const NATIVE: [&str; 15] = [
    "io.murano.Exception",
    "io.murano.StackTrace",
    "io.murano.User",
    "io.murano.Project",
    "io.murano.system.Agent",
    "io.murano.system.AgentListener",
    "io.murano.system.GC",
    "io.murano.system.HeatStack",
    "io.murano.system.InstanceNotifier",
    "io.murano.system.Logger",
    "io.murano.system.MetadefBrowser",
    "io.murano.system.MistralClient",
    "io.murano.system.NetworkExplorer",
    "io.murano.system.Resources",
    "io.murano.system.StatusReporter",
];

/// The class of tests, and a native method of it. The built-in core library declares all of its methods.
const FIXTURE: (&str, &str) = ("io.murano.test.TestFixture", "assertEqual");

/// What a class has from itself and all of its ancestors. Each class takes it from its parents, because there may be
/// many classes with many ancestors.
pub(super) struct Heritage {
    /// Whether it has methods that are not written in the language.
    pub(super) is_native: bool,
    /// Whether metadata is attached to it.
    pub(super) has_meta: bool,
    /// The nearest class with `.init` or with several parents that have `.init`: the class itself or an ancestor.
    initialized: Option<AnyId>,
}

impl Heritage {
    pub(super) fn of(context: &Context<'_>, id: Id<Class>) -> Arc<Self> {
        Self::of_any(context, id.any())
    }

    fn of_any(context: &Context<'_>, id: AnyId) -> Arc<Self> {
        context.program.table_of_type("heritage", id, |id, parents: &[Arc<Self>]| {
            let mut initialized = parents.iter().filter_map(|parent| parent.initialized);
            let first = initialized.next();
            let is_joint = own_signature(context, id).is_some() || initialized.any(|other| Some(other) != first);
            Self {
                is_native: is_native(context, id) || parents.iter().any(|parent| parent.is_native),
                has_meta: has_meta(context, id) || parents.iter().any(|parent| parent.has_meta),
                initialized: if is_joint { Some(id) } else { first },
            }
        })
    }
}

/// Returns the signatures of the `.init` methods of a class and its ancestors, whose arguments take the given number of
/// values for properties; `None` if there are too many to look for all values, which is reported.
pub(super) fn initializers(context: &mut Context<'_>, id: Id<Class>, values: usize) -> Option<Vec<Arc<Signature>>> {
    let mut next: Vec<AnyId> = Heritage::of(context, id).initialized.into_iter().collect();
    let (mut visited, mut found) = (FxHashSet::default(), Vec::new());
    while let Some(class) = next.pop() {
        if !visited.insert(class) {
            continue;
        }
        let parents = context.program.lineage(class).map_or(&[][..], |lineage| lineage.parents());
        if !context.has_room_for_ancestors(1 + values + parents.len(), id.any()) {
            return None;
        }
        found.extend(own_signature(context, class));
        next.extend(parents.iter().filter_map(|parent| Heritage::of_any(context, *parent).initialized));
    }
    Some(found)
}

fn own_signature(context: &Context<'_>, id: AnyId) -> Option<Arc<Signature>> {
    let init = context.program.interner.get(".init")?;
    let class = context.program.raw_as(id.cast::<Class>()?)?;
    Some(Signature::of(context, class.methods.get(init)?))
}

/// Returns whether metadata is attached to a class itself.
fn has_meta(context: &Context<'_>, id: AnyId) -> bool {
    id.cast::<Class>().and_then(|id| context.program.raw_as(id)).is_some_and(|class| class.meta.iter().next().is_some())
}

/// Returns whether a class itself has methods that are not written in the language.
fn is_native(context: &Context<'_>, id: AnyId) -> bool {
    let name = context.program.name(id);
    let declares = |method: &str| {
        let class = id.cast::<Class>().and_then(|id| context.program.raw_as(id));
        context
            .program
            .interner
            .get(method)
            .zip(class)
            .is_some_and(|(method, class)| class.methods.get(method).is_some())
    };
    if name == FIXTURE.0 { !declares(FIXTURE.1) } else { NATIVE.contains(&name) }
}
