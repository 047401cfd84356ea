//! Reading enum values.

use super::Reader;
use crate::ard::{Kind, Node};
use crate::diagnostic::suggest::{nearest, or_list};
use crate::entity::{Word, Words};
use crate::rules;

impl Reader<'_> {
    /// Reads an enum value. Reports a problem and returns `None` if it is none of the values in the version of the
    /// source.
    pub fn word<W: Words>(&mut self, node: Node<'_>) -> Option<W> {
        if matches!(node.kind(), Kind::Map | Kind::List | Kind::Null) {
            self.wrong_kind(node, &format!("the {}", W::TITLE), "a string");
            return None;
        }
        let (version, text) = (self.version(), node.text());
        let is_it = |word: &Word| word.name == text || W::ANY_CASE && word.name.eq_ignore_ascii_case(text);
        let is_of_version = |word: &Word| word.versions.contains(version);
        if let Some(found) = W::WORDS.iter().position(|word| is_it(word) && is_of_version(word)) {
            return W::VALUES.get(found).copied();
        }
        let names: Vec<&str> = W::WORDS.iter().filter(|word| is_of_version(word)).map(|word| word.name).collect();
        let what = crate::entity::with_article(W::TITLE);
        let help = match nearest(text, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("{what} is {}", or_list(&names)),
        };
        let mut message = format!("`{text}` is not {what}");
        if W::WORDS.iter().any(is_it) {
            message = format!("{message} in {}", self.language().version_title(version));
        }
        self.problem(&rules::INVALID_WORD, node, message).help(help);
        None
    }
}
