//! Values that look like something else, and values that should not be in a file.

use super::walk::{Found, each};
use crate::ard::{Kind, Node, Style};
use crate::diagnostic::{Help, Rule};
use crate::phase::{Context, DiagnosticExt, Lint};
use crate::rules;

/// Unquoted words that other YAML readers don't read as strings.
pub(super) struct Seeming;

/// Passwords, tokens and keys in the file.
pub(super) struct Secrets;

impl Lint for Seeming {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![&rules::SEEMING_TYPE]
    }

    fn look(&self, context: &mut Context<'_>) {
        for Found { node: value, .. } in scalars(context) {
            let text = value.text();
            let is_plain = value.kind() == Kind::String && value.style() == Style::Plain;
            if let Some(what) = seems(text).filter(|_| is_plain) {
                let message = format!("`{text}` is a string, but {what} for YAML 1.1 parsers");
                context.problem(&rules::SEEMING_TYPE, Some(value.span()), message).help(Help::quote(text));
            }
        }
    }
}

/// Returns the meaning of a word in YAML 1.1, if it is not a string.
fn seems(text: &str) -> Option<&'static str> {
    let is_boolean = ["y", "n", "yes", "no", "on", "off"].iter().any(|word| text.eq_ignore_ascii_case(word));
    let mut parts = text.split(':').peekable();
    let digits = |part: &str| !part.is_empty() && part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_sexagesimal = text.contains(':')
        && parts.next().is_some_and(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
        && parts.all(|part| digits(part) && part.parse::<u8>().is_ok_and(|number| number < 60));
    match () {
        () if is_boolean => Some("a boolean"),
        () if is_sexagesimal => Some("a number"),
        () => None,
    }
}

/// Words in the names of secrets.
const WORDS: [&str; 7] = ["password", "passwd", "passphrase", "secret", "token", "api_key", "private_key"];

/// Endings of names whose values relate to a secret but are not secret themselves.
const ABOUT: [&str; 9] = ["_type", "_url", "_uri", "_length", "_name", "_path", "_file", "_policy", "_id"];

impl Lint for Secrets {
    fn rules(&self) -> Vec<&'static Rule> {
        vec![&rules::LITERAL_SECRET]
    }

    fn look(&self, context: &mut Context<'_>) {
        for Found { top, around, key, node: value } in scalars(context) {
            let Some(key) = key else { continue };
            let is_in_types = top.is_some_and(|top| top.text().ends_with("_types"));
            // A default belongs to the enclosing name. Other keys in types are names of members, with their types as
            // values.
            let name = match key.text() {
                "default" | "value" => around,
                _ => Some(key).filter(|_| !is_in_types),
            };
            let is_literal = matches!(value.kind(), Kind::String | Kind::Integer) && !value.text().is_empty();
            if let Some(name) = name.map(Node::text).filter(|name| is_literal && is_secret(name)) {
                let message = format!("`{name}` has a literal secret as its value");
                let help = "move the secret to an input without a default";
                context.problem(&rules::LITERAL_SECRET, Some(value.span()), message).help(help);
            }
        }
    }
}

/// Returns whether a value with this name is probably secret.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('-', "_");
    let is_one = WORDS.iter().any(|word| name.ends_with(word) || name.contains(&format!("{word}_")));
    is_one && !ABOUT.iter().any(|ending| name.ends_with(ending))
}

/// Returns the scalars of the entry.
fn scalars<'a>(context: &Context<'a>) -> Vec<Found<'a>> {
    let mut scalars = Vec::new();
    if let Some(root) = context.program.list.first().and_then(|entry| entry.document.root()) {
        each(root, &mut |found| {
            if !matches!(found.node.kind(), Kind::Map | Kind::List) {
                scalars.push(found);
            }
        });
    }
    scalars
}
