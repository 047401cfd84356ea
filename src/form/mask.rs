//! Masking of secrets in the schema of a form.

use serde_json::Value as Json;
use tosca_parse_form::Form;

use crate::diagnostic::Secrets;
use crate::normal::mask::{data, keys};

/// Keywords with text for users, or with the values to choose from.
const SHOWN: &[&str] = &["title", "description", "errorMessage", "helpText", "enum", "examples"];

/// Replaces each secret in names and in text for users with `*****`, and removes the other keywords with secrets, such
/// as defaults.
pub(super) fn masked(mut form: Form, secrets: &Secrets<'_>) -> Form {
    if !secrets.is_empty() {
        schema(&mut form.schema, secrets);
    }
    form
}

fn schema(json: &mut Json, secrets: &Secrets<'_>) {
    let members = match json {
        Json::Object(members) => members,
        Json::Array(items) => return items.iter_mut().for_each(|item| schema(item, secrets)),
        _ => return,
    };
    members.retain(|keyword, member| match keyword.as_str() {
        "properties" | "$defs" => {
            if let Json::Object(named) = member {
                named.values_mut().for_each(|member| schema(member, secrets));
                keys(named, secrets);
            }
            true
        }
        "type" | "format" | "$schema" | "$ref" => true,
        keyword if keyword == "required" || SHOWN.contains(&keyword) => {
            data(member, secrets);
            true
        }
        "default" | "const" => !data(member, secrets),
        _ if member.is_object() || member.is_array() => {
            schema(member, secrets);
            true
        }
        _ => !data(member, secrets),
    });
}
