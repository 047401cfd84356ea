//! Directives: words that tell a processor how something comes about.

use super::super::version::{V1_0, V1_3, V2_0};
use crate::ard::{Kind, Node};
use crate::diagnostic::suggest::and_list;
use crate::diagnostic::suggest::nearest;
use crate::entity::{Field, FieldDescription, LanguageVersion, Shape, Shaped, Text, Versions, downcast};
use crate::phase::inheritance::{Completion, Inherited, Site};
use crate::phase::read::Reader;
use crate::rules;

/// How a node comes about (2.0, 7.2.1).
#[derive(Clone, Debug, Default)]
pub struct NodeDirectives {
    /// The words, in order of preference.
    pub words: Vec<Text>,
    given: bool,
    selects: bool,
    creates: bool,
}

/// Where the other end of a relationship may be (2.0, 8.3 and 8.5).
#[derive(Clone, Debug, Default)]
pub struct ScopeDirectives {
    /// The words, in order of preference.
    pub words: Vec<Text>,
    given: bool,
}

impl NodeDirectives {
    /// Whether an existing node may be selected.
    pub fn selects(&self) -> bool {
        self.selects
    }

    /// Whether selecting an existing node is all that happens.
    pub fn only_selects(&self) -> bool {
        self.selects && !self.creates
    }
}

const UNTIL_1_3: Versions = Versions { since: V1_0, until: V1_3 };
const SINCE_1_3: Versions = Versions { since: V1_3, until: V2_0 };
const SINCE_2_0: Versions = Versions { since: V2_0, until: V2_0 };

const NODE_WORDS: &[(&str, Versions)] = &[
    ("create", SINCE_2_0),
    ("select", SINCE_1_3),
    ("substitute", SINCE_1_3),
    ("selectable", UNTIL_1_3),
    ("substitutable", UNTIL_1_3),
];

const SCOPE_WORDS: &[(&str, Versions)] = &[("internal", SINCE_2_0), ("external", SINCE_2_0)];

/// Reads a list of words.
fn read(
    reader: &mut Reader<'_>,
    node: Node<'_>,
    field: &'static FieldDescription,
    known: &[(&'static str, Versions)],
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

fn check(reader: &mut Reader<'_>, node: Node<'_>, known: &[(&'static str, Versions)]) {
    let version: LanguageVersion = reader.version();
    let word = node.text();
    match known.iter().find(|(known, _)| *known == word) {
        Some((_, versions)) if versions.contains(version) => {}
        Some((old, _)) => {
            let message = format!("`{word}` is not a directive in {}", reader.language().version_title(version));
            let problem = reader.problem(&rules::TOLERATED_WORD, node, message);
            // What is `selectable` in one version is `select` in another.
            let stem = |word: &'static str| word.trim_end_matches("able").trim_end_matches('e');
            let mut current = known.iter().filter(|(_, versions)| versions.contains(version));
            if let Some((current, _)) = current.find(|(current, _)| stem(current) == stem(old)) {
                problem.help(format!("write `{current}`"));
            }
        }
        // The directives of 1.x are words that processors agree on among themselves.
        None if version < V2_0 => {}
        None => {
            let words: Vec<&str> =
                known.iter().filter(|(_, versions)| versions.contains(version)).map(|(word, _)| *word).collect();
            let help = match nearest(word, words.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the directives are {}", and_list(&words)),
            };
            reader.problem(&rules::INVALID_WORD, node, format!("`{word}` is not a directive")).help(help);
        }
    }
}

impl Shaped for NodeDirectives {
    const SHAPE: Shape = Shape::Scalar("list of directives");
}

impl Field for NodeDirectives {
    fn is_set(&self) -> bool {
        self.given
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        self.given = true;
        self.words = read(reader, node, field, NODE_WORDS);
        let is_select = |word: &Text| matches!(reader.document().node(word.0.node).text(), "select" | "selectable");
        self.selects = self.words.iter().any(is_select);
        self.creates = !self.words.iter().all(is_select);
    }

    fn inherit(&mut self, _: &mut Completion<'_>, _: &Site<'_>, _: &[Inherited<'_>]) {}

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            self.clone_from(other);
        }
    }
}

impl Shaped for ScopeDirectives {
    const SHAPE: Shape = Shape::Scalar("list of directives");
}

impl Field for ScopeDirectives {
    fn is_set(&self) -> bool {
        self.given
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        self.given = true;
        self.words = read(reader, node, field, SCOPE_WORDS);
    }

    fn inherit(&mut self, _: &mut Completion<'_>, _: &Site<'_>, _: &[Inherited<'_>]) {}

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            self.clone_from(other);
        }
    }
}
