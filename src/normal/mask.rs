//! Masking of secrets in models that are displayed.

use serde_json::{Map, Value as Json};

use super::{Service, State};
use crate::diagnostic::Secrets;

/// The fields with values from the source, as opposed to names in the model.
const WRITTEN: &[&str] = &["arguments", "default", "description", "expression", "metadata", "value"];

impl Service {
    /// Replaces each secret in values from the source with `*****`.
    #[must_use]
    pub fn masked(self, secrets: &Secrets<'_>) -> Self {
        if secrets.is_empty() {
            return self;
        }
        let Ok(mut json) = serde_json::to_value(&self) else { return self };
        fields(&mut json, secrets);
        serde_json::from_value(json).unwrap_or(self)
    }

    /// Removes the defaults of inputs that are secrets.
    #[must_use]
    pub fn without_secret_defaults(mut self, secrets: &Secrets<'_>) -> Self {
        let masked = self.clone().masked(secrets);
        for (name, input) in &mut self.inputs {
            if masked.inputs.get(name).is_some_and(|masked| masked.value != input.value) {
                let input = std::sync::Arc::make_mut(input);
                (input.value, input.state) = (None, State::Default);
            }
        }
        self
    }
}

fn fields(json: &mut Json, secrets: &Secrets<'_>) {
    match json {
        Json::Object(members) => members_of(members, secrets),
        Json::Array(items) => items.iter_mut().for_each(|item| fields(item, secrets)),
        _ => {}
    }
}

fn members_of(members: &mut Map<String, Json>, secrets: &Secrets<'_>) {
    let mut changed = false;
    for (name, member) in members.iter_mut() {
        if WRITTEN.contains(&name.as_str()) {
            changed |= data(member, secrets);
        } else {
            fields(member, secrets);
        }
    }
    if changed {
        // The numbers were computed from the value before it was masked.
        members.remove("scalars");
    }
}

/// Masks secrets in data and returns whether there were any.
fn data(json: &mut Json, secrets: &Secrets<'_>) -> bool {
    let text = match json {
        Json::Object(members) => {
            return members.iter_mut().fold(false, |changed, (_, member)| data(member, secrets) | changed);
        }
        Json::Array(items) => {
            return items.iter_mut().fold(false, |changed, item| data(item, secrets) | changed);
        }
        Json::String(text) => text.clone(),
        Json::Number(number) => number.to_string(),
        _ => return false,
    };
    let shown = secrets.masked(&text);
    let changed = shown != text;
    if changed {
        *json = Json::String(shown);
    }
    changed
}
