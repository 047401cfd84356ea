//! The names of custom functions in calls (2.0, 10.4).

use crate::ard::Node;
use crate::entity::{AnyId, CompletionRequest};
use crate::grammar::section::{FUNCTIONS, SERVICE_FUNCTIONS};
use crate::grammar::version::V2_0;

/// Returns the custom function that a key calls; `map` contains the key.
pub(super) fn called(request: &CompletionRequest<'_>, map: Node<'_>, key: Node<'_>) -> Option<AnyId> {
    let name = key.text().strip_prefix('$').filter(|_| request.version >= V2_0 && map.len() == 1)?;
    let symbol = request.program.interner.get(name)?;
    let find = |section| request.program.resolve(request.unit, section, symbol).id();
    find(SERVICE_FUNCTIONS).or_else(|| find(FUNCTIONS))
}
