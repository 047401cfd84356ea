//! Naming conventions: types like `WebServer`, everything else like `web_server` or `web-server`.

use crate::diagnostic::Rule;
use crate::entity::AnyId;
use crate::phase::{Context, Explain, Lint};
use crate::rules;

/// Names of types that do not start with an uppercase letter, and names of properties, templates and the like that
/// contain one.
pub(super) struct Naming;

impl Lint for Naming {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![&rules::TYPE_NAME, &rules::MEMBER_NAME]
    }

    fn look(&self, context: &mut Context<'_>) {
        let Some(entry) = context.program.list.first() else { return };
        let kinds =
            entry.language.kinds.iter().zip(0..).flat_map(|(_, kind)| entry.arenas.of_kind(crate::entity::Kind(kind)));
        let ids: Vec<AnyId> = kinds.map(|(id, _)| id.of(entry.id)).collect();
        for id in ids {
            let is_type = entry.language.types().any(|kind| kind == id.kind);
            let (Some(at), name) = (context.program.name_span(id), context.program.name(id).to_owned()) else {
                continue;
            };
            // A name may have a namespace: `org.example.Server`, `prefix:Server`.
            let last = name.rsplit(['.', ':']).next().unwrap_or_default();
            if is_type && last.starts_with(|first: char| first.is_lowercase()) {
                let message = format!("the name of the type `{name}` begins with a small letter");
                let capital: String =
                    last.chars().take(1).flat_map(char::to_uppercase).chain(last.chars().skip(1)).collect();
                context.problem(&rules::TYPE_NAME, Some(at), message).help(format!("call it `{capital}`"));
            } else if !is_type && last.contains(char::is_uppercase) {
                let message = format!("the name `{name}` has capital letters, as names of types have");
                context.problem(&rules::MEMBER_NAME, Some(at), message).help(format!("call it `{}`", snake(last)));
            }
        }
    }
}

/// Converts a name to lowercase, with `_` between words.
fn snake(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    let mut before: Option<char> = None;
    for char in name.chars() {
        if char.is_uppercase() && before.is_some_and(|before| before.is_lowercase() || before.is_ascii_digit()) {
            text.push('_');
        }
        text.extend(char.to_lowercase());
        before = Some(char);
    }
    text
}
