//! The language of test files.

use tosca_parse::Entity;
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::RuleDocs;
use tosca_parse::entity::{
    Child, Children, CompletionProposal, CompletionRequest, CompletionResponse, FieldKey, Form, Language, Located,
    Members, ProposalKind, Scalar, Text, Texts, Values,
};
use tosca_parse::field_key;
use tosca_parse::phase::read::Reader;
use tosca_parse::position_context::PositionPart;
use tosca_parse::rules::test_file;
use tosca_parse_config::languages;

tosca_parse::kinds! {
    static KINDS = [TestFile, Case, Attributes, ExpectedProblem, ExpectedPlan, ExpectedStage, ExpectedCalls];
}

/// The language of test files.
pub(super) static TESTS: Language =
    Language { rules: &[test_file::EXPLAINED], complete_value, ..Language::new("Test file", KINDS) };

const EXPECTED_CODE: FieldKey = field_key!(ExpectedProblem.code);

/// Completes the codes of problems.
fn complete_value(request: &CompletionRequest<'_>) -> CompletionResponse {
    let mut response = CompletionResponse::default();
    let enclosing = request.position.innermost().entity;
    let field = match &request.position.part {
        PositionPart::Value { field, .. } => Some(FieldKey::of(enclosing, field)),
        PositionPart::Keyname { .. } => {
            let short = enclosing.find(|field| field.short.scalar);
            short.map(|(_, field)| FieldKey::of(enclosing, field))
        }
        PositionPart::Name { .. } => None,
    };
    if field == Some(EXPECTED_CODE) {
        let proposal =
            |rule: &RuleDocs| CompletionProposal::new(rule.rule.code, ProposalKind::Value).detail(rule.rule.name);
        response.proposals = languages().rules().iter().map(proposal).collect();
    }
    response
}

/// A test file.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "test file")]
pub(super) struct TestFile {
    /// The template, relative to the test file. By default, the template that the test file is named after.
    #[field(file)]
    pub(super) template: Option<Text>,
    /// The cases.
    #[field(mandatory)]
    pub(super) cases: Members<Case>,
}

/// A case: inputs and the expected results.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "case")]
pub(super) struct Case {
    /// The template, if it differs from the template of the file.
    #[field(file)]
    pub(super) template: Option<Text>,
    /// The values of inputs.
    pub(super) inputs: Values,
    /// The values of attributes after deployment, by node.
    pub(super) attributes: Members<Attributes>,
    /// Whether to resolve open requirements.
    pub(super) resolve: Option<Located<bool>>,
    /// All expected errors and warnings.
    pub(super) problems: Children<ExpectedProblem>,
    /// The expected values of outputs, by name.
    pub(super) outputs: Values,
    /// The expected deployment.
    pub(super) plan: Child<ExpectedPlan>,
    /// Expected parts of the model: paths and their values.
    pub(super) model: Values,
}

/// The attributes of a node.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "attributes of node")]
pub(super) struct Attributes {
    /// The values of the attributes, by name.
    #[field(keyname = "", short(map))]
    pub(super) values: Values,
}

/// An expected problem.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "expected problem")]
pub(super) struct ExpectedProblem {
    /// The code or the name of the rule.
    #[field(mandatory, short(scalar))]
    pub(super) code: Option<Text>,
    /// The line number.
    pub(super) line: Option<Located<Line>>,
    /// The file or the end of its path.
    pub(super) file: Option<Text>,
    /// A substring of the message.
    pub(super) message: Option<Text>,
}

/// The expected deployment.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "expected plan")]
pub(super) struct ExpectedPlan {
    /// All stages.
    #[field(short(list))]
    pub(super) stages: Children<ExpectedStage>,
    /// Nodes that are deployed one after the other.
    pub(super) order: Texts,
    /// The operations that are called for nodes.
    pub(super) operations: Members<ExpectedCalls>,
}

/// An expected stage.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "expected stage")]
pub(super) struct ExpectedStage {
    /// Its nodes, in any order.
    #[field(keyname = "", short(list))]
    pub(super) nodes: Texts,
}

/// The expected operations of a node.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "expected operations of node")]
pub(super) struct ExpectedCalls {
    /// The names of the operations, in order.
    #[field(keyname = "", short(list))]
    pub(super) names: Texts,
}

/// The number of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line(pub(super) u32);

impl Scalar for Line {
    const WHAT: &'static str = "a line number";
    const FORM: Form = Form::Count;

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        let number = node.as_integer().filter(|_| node.kind() == Kind::Integer);
        let number = number.and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0);
        if number.is_none() {
            reader.wrong_kind(node, "keyname `line`", Self::WHAT).help("the first line is 1");
        }
        number.map(Self)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use tosca_parse::{Entry, Parser};

    use super::*;

    #[test]
    fn language_is_consistent() {
        assert_eq!(TESTS.check(), [""; 0]);
    }

    /// Returns the codes and messages of the problems in a test file.
    fn problems(text: &str) -> Vec<String> {
        let parser = Parser::builder(&TESTS).build().unwrap();
        let outcome = parser.parse_entry(Entry::text(parser.address("a_test.yaml").unwrap(), text));
        outcome.diagnostics.iter().map(|problem| format!("{} {}", problem.rule.code, problem.message)).collect()
    }

    #[test]
    fn all_keynames_are_read() {
        let valid = "template: a.yaml\ncases:\n  a:\n    template: b.yaml\n    inputs: { a: [ 1 ] }\n    \
                     attributes: { node: { a: 1, values: 2 } }\n    resolve: true\n    \
                     problems: [ T1001, { code: T1201, line: 3, file: a.yaml, message: x } ]\n    \
                     outputs: { a: null }\n    plan: { stages: [ [ a ], [ b ] ], order: [ a, b ], operations: { a: [ c ] } }\n    \
                     model: { /a: 1 }\n  b:\n    plan: [ [ a, b ] ]\n    problems: []\n";
        assert_eq!(problems(valid), [""; 0]);
    }

    #[test]
    fn mistakes_are_reported() {
        for (text, code) in [
            ("template: a.yaml\n", "T1204"),
            ("cases: { a: { input: { a: 1 } } }\n", "T1201"),
            ("cases: { a: { inputs: [ 1 ] } }\n", "T1205"),
            ("cases: { a: { attributes: { a: 1 } } }\n", "T1205"),
            ("cases: { a: { problems: [ { line: 1 } ] } }\n", "T1204"),
            ("cases: { a: { problems: [ { code: T1001, line: 0 } ] } }\n", "T1205"),
            ("cases: { a: { problems: T1001 } }\n", "T1205"),
            ("cases: { a: { plan: [ a ] } }\n", "T1205"),
            ("cases: { a: { plan: { order: [ 1 ] } } }\n", "T1205"),
            ("cases: { a: {}, a: {} }\n", "T1102"),
            ("cases: {\n", "T1101"),
        ] {
            let found = problems(text);
            assert!(found.len() == 1 && found[0].starts_with(code), "{text}: {found:?}");
        }
    }
}
