//! Tags of nodes.

use std::ops::Range;
use std::sync::Arc;

use super::Builder;
use crate::ard::Tags;
use crate::ard::document::{Kind, NodeId, Style};
use crate::ard::event::{Properties, Tag};
use crate::ard::quote::ticked;
use crate::diagnostic::Diagnostic;
use crate::rules;

/// The prefix of YAML's own tags.
const YAML: &str = "tag:yaml.org,2002:";

/// The tag that only prevents a scalar's type from being derived from its text.
const NON_SPECIFIC: &str = "!";

impl<'a> Builder<'a> {
    /// Returns the kind of a scalar, determined by its tag if it has one.
    pub(super) fn scalar_kind(
        &mut self,
        text: &str,
        style: Style,
        place: &Range<u32>,
        properties: Option<&Properties<'a>>,
    ) -> Kind {
        let schema = self.options.dialect.schema;
        let untagged = if style == Style::Plain { schema.resolve(text) } else { Kind::String };
        let Some(tag) = properties.and_then(|properties| properties.tag.as_ref()) else { return untagged };
        if tag.name == NON_SPECIFIC {
            return Kind::String;
        }
        let Some((wanted, name)) = core_kind(&tag.name) else {
            self.refuse_tag(tag);
            return untagged;
        };
        let by_text = schema.resolve(text);
        let fits = match wanted {
            Kind::String => true,
            Kind::Float => schema.is_float(text),
            _ => by_text == wanted,
        };
        if fits {
            return wanted;
        }
        let message = format!("{} is not {name}, although its tag is {}", ticked(text), self.written(tag));
        let diagnostic = Diagnostic::new(&rules::REFUSED_TAG, self.document.span(place.clone()), message)
            .with_related(self.document.span(tag.place.clone()), "the tag")
            .with_help("correct the value, or remove the tag");
        self.report(diagnostic);
        untagged
    }

    /// Checks that the tag of a map or list matches its kind.
    pub(super) fn check_collection_tag(&mut self, kind: Kind, properties: Option<&Properties<'a>>) {
        let Some(tag) = properties.and_then(|properties| properties.tag.as_ref()) else { return };
        if tag.name == NON_SPECIFIC {
            return;
        }
        match core_kind(&tag.name) {
            None => self.refuse_tag(tag),
            Some((wanted, _)) if wanted == kind => {}
            Some((_, name)) => {
                let found = if kind == Kind::Map { "a map" } else { "a list" };
                let message = format!("the tag {} requires {name}, but {found} follows", self.written(tag));
                self.report(
                    Diagnostic::new(&rules::REFUSED_TAG, self.document.span(tag.place.clone()), message)
                        .with_help("remove the tag"),
                );
            }
        }
    }

    /// Returns whether the properties contain a tag that is not allowed.
    pub(super) fn is_refused(&self, properties: Option<&Properties<'a>>) -> bool {
        let tag = properties.and_then(|properties| properties.tag.as_ref());
        tag.is_some_and(|tag| tag.name != NON_SPECIFIC && core_kind(&tag.name).is_none() && !self.is_allowed(tag))
    }

    /// Returns whether a tag outside the core schema is allowed.
    fn is_allowed(&self, tag: &Tag) -> bool {
        match self.options.dialect.tags {
            Tags::Any => true,
            Tags::Also(others) => others.contains(&&*tag.name),
            Tags::Core => false,
        }
    }

    fn refuse_tag(&mut self, tag: &Tag) {
        if self.is_allowed(tag) {
            return;
        }
        let message = match self.options.dialect.tags {
            Tags::Any | Tags::Also(_) => format!("unknown tag {}", self.written(tag)),
            Tags::Core => format!("the tag {} is not in YAML's core schema", self.written(tag)),
        };
        let help = if self.text[tag.place.start as usize..].starts_with("!!") {
            "remove the tag"
        } else {
            "remove the tag, or put the text in quotes if it should begin with `!`"
        };
        let span = self.document.span(tag.place.clone());
        self.report(Diagnostic::new(&rules::REFUSED_TAG, span, message).with_help(help));
    }

    /// Returns the tag as written in the source.
    fn written(&self, tag: &Tag) -> String {
        ticked(self.text.get(tag.place.start as usize..tag.place.end as usize).unwrap_or(&tag.name))
    }

    /// Stores the tag of a node. Must be called for nodes in order.
    pub(super) fn remember_tag(&mut self, node: NodeId, name: &str) {
        // Sources usually repeat the same few tags.
        let recent = self.document.tags.iter().rev().take(8).find(|(_, known)| **known == *name);
        let name = recent.map_or_else(|| Arc::from(name), |(_, known)| Arc::clone(known));
        self.document.tags.push((node, name));
    }
}

/// Returns the kind for a core-schema tag and the kind's name with an article.
fn core_kind(tag: &str) -> Option<(Kind, &'static str)> {
    Some(match tag.strip_prefix(YAML)? {
        "null" => (Kind::Null, "a null"),
        "bool" => (Kind::Boolean, "a boolean"),
        "int" => (Kind::Integer, "an integer"),
        "float" => (Kind::Float, "a float"),
        "str" => (Kind::String, "a string"),
        "map" => (Kind::Map, "a map"),
        "seq" => (Kind::List, "a list"),
        _ => return None,
    })
}
