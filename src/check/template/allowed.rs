//! Types that are allowed as members of groups and targets of policies.

use crate::diagnostic::Span;
use crate::diagnostic::suggest::and_list;
use crate::entity::{AnyId, Reference};
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

/// Reports a member of a group, or a target of a policy, whose type is not allowed.
pub(super) fn check_allowed<T>(
    context: &mut Context<'_>,
    at: Option<Span>,
    (who, member): (&str, &str),
    allowed: &[Reference<T>],
    found: Option<AnyId>,
) {
    let Some(found) = found.filter(|_| !allowed.is_empty()) else { return };
    if context.is_listed(found, allowed) {
        return;
    }
    let names: Vec<&str> = allowed.iter().map(|reference| context.text(reference.name)).collect();
    let message = format!("{who} is only for {}, but `{member}` is of {}", and_list(&names), context.describe(found));
    let listed = allowed.first().and_then(|reference| context.reference_span(*reference));
    context
        .problem(&rules::NOT_ALLOWED_HERE, at, message)
        .related(listed, "allowed types")
        .help(format!("remove `{member}`, or choose a different type for {who}"));
}
