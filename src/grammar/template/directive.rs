//! Directives for the processor.

use crate::Enumerated;
use crate::ard::{Kind, Node};
use crate::diagnostic::Help;
use crate::diagnostic::suggest::and_list;
use crate::diagnostic::suggest::nearest;
use crate::entity::{
    EnumValue, Enumerated as _, Field, FieldDescription, Form, LanguageVersion, List, Scalar, Shape, Shaped, Text,
    downcast,
};
use crate::grammar::version::{V1_3, V2_0};
use crate::phase::read::Reader;
use crate::rules;

/// How a node is provided (2.0, 7.2.1).
#[derive(Clone, Debug, Default)]
pub struct NodeDirectives(Option<Box<NodeWords>>);

#[derive(Clone, Debug)]
struct NodeWords {
    words: Vec<Text>,
    selects: bool,
    creates: bool,
}

/// The location of the other end of a relationship (2.0, 8.3 and 8.5).
#[derive(Clone, Debug, Default)]
pub struct ScopeDirectives {
    /// The directives, in order of preference.
    pub words: List<Text>,
}

impl NodeDirectives {
    /// Returns the directives, in order of preference.
    pub fn words(&self) -> &[Text] {
        self.0.as_ref().map_or(&[], |given| &given.words)
    }

    /// Returns whether an existing node may be selected.
    pub fn selects(&self) -> bool {
        self.0.as_ref().is_some_and(|given| given.selects)
    }

    /// Returns whether an existing node is selected and none is created.
    pub fn only_selects(&self) -> bool {
        self.0.as_ref().is_some_and(|given| given.selects && !given.creates)
    }
}

/// The ways in which a node can be provided.
#[derive(Enumerated, Clone, Copy, Debug, PartialEq, Eq)]
#[enumerated(title = "directive")]
enum NodeDirective {
    /// A new node is created.
    #[value(since = V2_0)]
    Create,
    /// An existing node is selected.
    #[value(since = V1_3)]
    Select,
    /// Another service substitutes the node.
    #[value(since = V1_3)]
    Substitute,
    /// An existing node is selected.
    #[value(until = V1_3)]
    Selectable,
    /// Another service substitutes the node.
    #[value(until = V1_3)]
    Substitutable,
}

/// The possible locations of the other end of a relationship.
#[derive(Enumerated, Clone, Copy, Debug, PartialEq, Eq)]
#[enumerated(title = "directive")]
enum ScopeDirective {
    /// In this service.
    #[value(since = V2_0)]
    Internal,
    /// In another service.
    #[value(since = V2_0)]
    External,
}

/// Reads a list of directives.
fn read(
    reader: &mut Reader<'_>,
    node: Node<'_>,
    field: &'static FieldDescription,
    known: &'static [EnumValue],
) -> Vec<Text> {
    let mut words = Vec::new();
    for item in reader.items(node, field) {
        if item.kind() == Kind::String {
            words.push(Text(reader.position(item)));
            check(reader, item, known);
        } else {
            reader.wrong_kind(item, "a directive", "a string");
        }
    }
    words
}

fn check(reader: &mut Reader<'_>, node: Node<'_>, known: &'static [EnumValue]) {
    let version: LanguageVersion = reader.version();
    let word = node.text();
    match known.iter().find(|known| known.name == word) {
        Some(word) if word.versions.contains(version) => {}
        Some(old) => {
            let message = format!("`{word}` is not a directive in {}", reader.language().version_title(version));
            let problem = reader.problem(&rules::TOLERATED_WORD, node, message);
            // `selectable` in one version is `select` in another.
            let stem = |word: &'static str| word.trim_end_matches("able").trim_end_matches('e');
            let mut current = known.iter().filter(|known| known.versions.contains(version));
            if let Some(current) = current.find(|current| stem(current.name) == stem(old.name)) {
                problem.help(Help::write(current.name));
            }
        }
        // In 1.x, processors may agree on further directives.
        None if version < V2_0 => {
            let words = known.iter().filter(|known| known.versions.contains(version)).map(|known| known.name);
            if let Some(near) = nearest(word, words) {
                let message = format!("`{word}` is not a directive of {}", reader.language().version_title(version));
                reader.problem(&rules::TOLERATED_WORD, node, message).help(Help::did_you_mean(near));
            }
        }
        None => {
            let words: Vec<&str> =
                known.iter().filter(|known| known.versions.contains(version)).map(|known| known.name).collect();
            let help = match nearest(word, words.iter().copied()) {
                Some(near) => Help::did_you_mean(near),
                None => format!("the directives are {}", and_list(&words)).into(),
            };
            reader.problem(&rules::INVALID_WORD, node, format!("`{word}` is not a directive")).help(help);
        }
    }
}

impl Shaped for NodeDirectives {
    const SHAPE: Shape = Shape::Scalar(
        "list of directives",
        Form::List(&Form::Either(&[<NodeDirective as Scalar>::FORM, Form::String])),
    );
}

impl Field for NodeDirectives {
    fn is_set(&self) -> bool {
        self.0.is_some()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        let words = read(reader, node, field, NodeDirective::VALUES);
        let is_select = |word: &Text| matches!(reader.document().node(word.0.node).text(), "select" | "selectable");
        let (selects, creates) = (words.iter().any(is_select), !words.iter().all(is_select));
        self.0 = Some(Box::new(NodeWords { words, selects, creates }));
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            self.clone_from(other);
        }
    }
}

impl Shaped for ScopeDirectives {
    const SHAPE: Shape = Shape::Scalar("list of directives", Form::List(&<ScopeDirective as Scalar>::FORM));
}

impl Field for ScopeDirectives {
    fn is_set(&self) -> bool {
        self.words.is_given()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        self.words = read(reader, node, field, ScopeDirective::VALUES).into_iter().collect();
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            self.clone_from(other);
        }
    }
}
