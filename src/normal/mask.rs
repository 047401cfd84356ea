//! Masking of secrets in models that are displayed.

use std::sync::Arc;

use foldhash::HashMap;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use super::plan::{Part, Step};
use super::{Difference, Map as Named, Name, Node, Plan, Service, State};
use crate::diagnostic::Secrets;

/// The fields with data from the source, as opposed to names in the model.
const WRITTEN: &[&str] = &[
    "arguments",
    "artifact_version",
    "checksum",
    "checksum_algorithm",
    "condition",
    "count",
    "credential",
    "default",
    "deploy_path",
    "description",
    "directives",
    "event",
    "expression",
    "file",
    "file_ext",
    "filter",
    "index",
    "mapping",
    "metadata",
    "mime_type",
    "node_filter",
    "occurrences",
    "operation",
    "operation_host",
    "path",
    "preconditions",
    "schedule",
    "set_state",
    "target_filter",
    "timeout",
    "url",
    "validation",
    "value",
    "workflow",
];

impl Service {
    /// Replaces each secret in values from the source with `*****`.
    #[must_use]
    pub fn masked(mut self, secrets: &Secrets<'_>) -> Self {
        if secrets.is_empty() {
            return self;
        }
        // Serialized models take much memory, and parts without secrets remain shared.
        let mut nodes = std::mem::take(&mut self.nodes);
        part(&mut self, secrets);
        nodes.values_mut().for_each(|node| node.mask(secrets));
        Self { nodes, ..self }
    }

    /// Removes the defaults of inputs that are secrets.
    #[must_use]
    pub fn without_secret_defaults(mut self, secrets: &Secrets<'_>) -> Self {
        if secrets.is_empty() {
            return self;
        }
        let masked = self.frame().masked(secrets);
        for (name, input) in &mut self.inputs {
            if masked.inputs.get(name).is_some_and(|masked| masked.value != input.value) {
                let input = std::sync::Arc::make_mut(input);
                (input.value, input.state) = (None, State::Default);
            }
        }
        self
    }
}

impl Node {
    /// Replaces each secret in values from the source.
    pub(super) fn mask(&mut self, secrets: &Secrets<'_>) {
        if secrets.is_empty() {
            return;
        }
        let mut requirements = std::mem::take(&mut self.requirements);
        part(self, secrets);
        requirements.iter_mut().for_each(|requirement| part(requirement, secrets));
        self.requirements = requirements;
    }
}

impl Plan {
    /// Replaces each secret in names and values with `*****`.
    #[must_use]
    pub fn masked(mut self, secrets: &Secrets<'_>) -> Self {
        if secrets.is_empty() {
            return self;
        }
        let stages = [&mut self.removal, &mut self.deployment, &mut self.undeployment];
        stages.into_iter().flatten().flat_map(|stage| &mut stage.steps).for_each(|step| step.mask(secrets));
        self.loops.iter_mut().flatten().for_each(|node| mask_name(node, secrets));
        self
    }
}

impl Step {
    fn mask(&mut self, secrets: &Secrets<'_>) {
        mask_name(&mut self.node, secrets);
        self.after.iter_mut().for_each(|node| mask_name(node, secrets));
        self.directive.iter_mut().for_each(|directive| mask_name(directive, secrets));
        let mut types = self.types.to_vec();
        for of_type in &mut types {
            mask_name(&mut of_type.name, secrets);
            of_type.origin.iter_mut().for_each(|origin| mask_name(origin, secrets));
        }
        self.types = types.into();
        for call in &mut self.operations {
            [&mut call.node, &mut call.interface, &mut call.operation]
                .into_iter()
                .for_each(|name| mask_name(name, secrets));
            if let Some(related) = &mut call.relationship {
                [&mut related.source, &mut related.requirement, &mut related.target]
                    .into_iter()
                    .for_each(|name| mask_name(name, secrets));
            }
            let named = call.implementation.primary.iter().chain(&call.implementation.dependencies);
            // Implementations are shared.
            if named.flat_map(|artifact| &artifact.name).any(|name| *secrets.masked(name) != **name) {
                let implementation = Arc::make_mut(&mut call.implementation);
                for artifact in implementation.primary.iter_mut().chain(&mut implementation.dependencies) {
                    Arc::make_mut(artifact).name.iter_mut().for_each(|name| mask_name(name, secrets));
                }
            }
            let inputs: Named<_> = std::mem::take(&mut call.inputs);
            let masked = inputs.into_iter().map(|(mut name, value)| {
                mask_name(&mut name, secrets);
                (name, value)
            });
            call.inputs = masked.collect();
        }
        for difference in &mut self.differences {
            *difference = difference.clone().masked(secrets);
        }
    }
}

impl Difference {
    /// Replaces each secret in the position and the values with `*****`.
    #[must_use]
    pub fn masked(mut self, secrets: &Secrets<'_>) -> Self {
        if !secrets.is_empty() {
            self.at = secrets.masked(&self.at);
            for value in [&mut self.old, &mut self.new].into_iter().flatten() {
                data(value, secrets);
            }
        }
        self
    }
}

fn mask_name(name: &mut Name, secrets: &Secrets<'_>) {
    let shown = secrets.masked(name);
    if *shown != **name {
        *name = shown.into();
    }
}

/// Masks secrets in a part of a model.
fn part<T: Serialize + DeserializeOwned>(part: &mut T, secrets: &Secrets<'_>) {
    let Ok(mut json) = serde_json::to_value(&*part) else { return };
    if fields(&mut json, Part::Entity, secrets)
        && let Ok(masked) = serde_json::from_value(json)
    {
        *part = masked;
    }
}

/// Masks secrets in a part of a serialized model and returns whether there were any.
fn fields(json: &mut Json, part: Part, secrets: &Secrets<'_>) -> bool {
    match json {
        Json::Object(members) => members_of(members, part, secrets),
        Json::Array(items) => items.iter_mut().fold(false, |changed, item| fields(item, part, secrets) | changed),
        _ => false,
    }
}

fn members_of(members: &mut Map<String, Json>, part: Part, secrets: &Secrets<'_>) -> bool {
    let has_text = |names: [&str; 2]| names.iter().any(|name| members.get(*name).is_some_and(Json::is_string));
    let (is_call, is_mapping) = (has_text(["workflow", "operation"]), has_text(["capability", "requirement"]));
    let (mut changed, mut changed_within) = (false, false);
    for (name, member) in members.iter_mut() {
        // Elsewhere, the fields with the first names contain definitions.
        let is_data = match name.as_str() {
            "inputs" => is_call,
            "properties" | "attributes" => is_mapping,
            "relationship" => member.is_string(),
            name => WRITTEN.contains(&name),
        };
        if is_data && part == Part::Entity {
            changed |= data(member, secrets);
        } else {
            changed_within |= fields(member, part.member(name, member), secrets);
        }
    }
    if changed {
        // They were computed from the value before it was masked.
        members.remove("scalars");
        members.remove("references");
    }
    changed || changed_within
}

/// Masks secrets in data and returns whether there were any.
pub(crate) fn data(json: &mut Json, secrets: &Secrets<'_>) -> bool {
    let text = match json {
        Json::Object(members) => {
            let changed = members.iter_mut().fold(false, |changed, (_, member)| data(member, secrets) | changed);
            return keys(members, secrets) | changed;
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

/// Masks secrets in the keys of a map and returns whether there were any. Equal keys get numbers.
pub(crate) fn keys(members: &mut Map<String, Json>, secrets: &Secrets<'_>) -> bool {
    if members.keys().all(|key| secrets.masked(key) == *key) {
        return false;
    }
    let (mut shown, mut numbers) = (Map::new(), HashMap::<String, usize>::default());
    for (key, member) in std::mem::take(members) {
        let masked = secrets.masked(&key);
        let number = numbers.entry(masked.clone()).or_default();
        *number += 1;
        let mut unique = if *number == 1 { masked.clone() } else { format!("{masked} {number}") };
        while shown.contains_key(&unique) {
            *number += 1;
            unique = format!("{masked} {number}");
        }
        shown.insert(unique, member);
    }
    *members = shown;
    true
}
