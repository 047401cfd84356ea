//! Reads enum values.

use super::Reader;
use crate::ard::{Kind, Node};
use crate::diagnostic::Help;
use crate::diagnostic::suggest::{nearest, or_list};
use crate::entity::{EnumValue, Enumerated};
use crate::rules;

impl Reader<'_> {
    /// Reads an enum value. Reports a problem and returns `None` if it is not an allowed value in the source's version.
    pub fn enum_value<E: Enumerated>(&mut self, node: Node<'_>) -> Option<E> {
        if matches!(node.kind(), Kind::Map | Kind::List | Kind::Null) {
            self.wrong_kind(node, &format!("the {}", E::TITLE), "a string");
            return None;
        }
        let (version, text) = (self.version(), node.text());
        let is_it = |value: &EnumValue| value.name == text || E::ANY_CASE && value.name.eq_ignore_ascii_case(text);
        let is_of_version = |value: &EnumValue| value.versions.contains(version);
        if let Some(found) = E::VALUES.iter().position(|value| is_it(value) && is_of_version(value)) {
            return E::VARIANTS.get(found).copied();
        }
        let names: Vec<&str> = E::VALUES.iter().filter(|value| is_of_version(value)).map(|value| value.name).collect();
        let what = crate::entity::with_article(E::TITLE);
        let help = match nearest(text, names.iter().copied()) {
            Some(near) => Help::did_you_mean(near),
            None => format!("{what} is {}", or_list(&names)).into(),
        };
        let mut message = format!("`{text}` is not {what}");
        if E::VALUES.iter().any(is_it) {
            message = format!("{message} in {}", self.language().version_title(version));
        }
        self.problem(&rules::INVALID_WORD, node, message).help(help);
        None
    }
}
