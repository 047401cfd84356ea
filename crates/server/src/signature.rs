//! Signature help: the arguments of a function while they are typed.

use serde_json::{Value, json};
use tosca_parse::entity::CallArgument;

use crate::protocol::Client;

/// Returns the signature of a called function; the argument being typed is the active parameter.
pub(crate) fn help(argument: &CallArgument, client: Client) -> Value {
    let CallArgument { functions, function, index } = argument;
    let start = format!("{}{}: ", functions.prefix, function.name);
    let label = format!("{start}{}", function.usage);
    let parts = function.usages();
    let mut from = start.len();
    let parameter = |part: &&'static str| {
        let at = label[from..].find(part).map_or(from, |at| from + at);
        from = at + part.len();
        // The label is ASCII, so its offsets in bytes and in UTF-16 units are equal.
        json!({ "label": if client.offset_labels { json!([at, from]) } else { json!(part) } })
    };
    let parameters: Vec<Value> = parts.iter().map(parameter).collect();
    let is_known = function.parameter(*index).is_some();
    // Beyond the last parameter, none is active.
    let active = if is_known { (*index).min(parts.len() - 1) } else { parts.len() };
    json!({
        "signatures": [{ "label": label, "parameters": parameters }],
        "activeSignature": 0,
        "activeParameter": active,
    })
}
