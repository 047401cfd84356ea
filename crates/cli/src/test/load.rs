//! Reads test files.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use foldhash::{HashMap, HashSet};
use serde_json::Value as Json;

use tosca_parse::ard::{Limits, Node};
use tosca_parse::diagnostic::{Diagnostic, Diagnostics, Rule, Severity, Span};
use tosca_parse::entity::{Id, NodeRef, Text, Values};
use tosca_parse::normal::{Map, Value};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::{Program, Unit};
use tosca_parse::rules::test_file as rules;
use tosca_parse::source::{Address, InputValues, Source, Sources};
use tosca_parse::symbol::Symbol;
use tosca_parse::{BuildError, Entry, Outcome, Parser, ParserBuilder};

use super::super::parsers::Readers;
use super::language::{self, ExpectedPlan, TESTS};
use tosca_parse_config::Settings;

/// The maximum size of a test file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The maximum number of cases of a file.
const MAX_CASES: usize = 10_000;

/// The number of problems after which no further cases are read.
const MAX_PROBLEMS: usize = 1000;

/// The suffix of test file names, before the extension.
const SUFFIX: &str = "_test";

/// Returns whether a path is named like a test file.
pub(in super::super) fn is_test_file(path: &Path) -> bool {
    is_yaml(path) && path.file_stem().is_some_and(|stem| stem.as_encoded_bytes().ends_with(SUFFIX.as_bytes()))
}

pub(in super::super) fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["yaml", "yml"].iter().any(|yaml| extension.eq_ignore_ascii_case(yaml)))
}

/// Returns whether a text is that of a test file: it has cases, or the template that the file is named after exists.
pub(in super::super) fn is_test(path: &Path, text: &str) -> bool {
    let has_key = || text.lines().any(|line| line.starts_with("cases:") || line.starts_with("template:"));
    is_test_file(path) && (has_key() || path.with_file_name(template_of(path)).exists())
}

/// Returns the path of the test file for a template.
pub(in super::super) fn test_file_of(template: &Path) -> PathBuf {
    let mut name = template.file_stem().unwrap_or_default().to_owned();
    name.push(SUFFIX);
    name.push(".");
    name.push(template.extension().unwrap_or_default());
    template.with_file_name(name)
}

/// Returns the name of the template that a test file is named after.
fn template_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    format!("{}.{extension}", stem.strip_suffix(SUFFIX).unwrap_or(&stem))
}

/// A test file.
pub(super) struct TestFile {
    pub(super) name: String,
    /// The cases; empty if the file is invalid.
    pub(super) cases: Vec<TestCase>,
    pub(super) problems: Vec<Diagnostic>,
    pub(super) sources: Sources,
}

impl TestFile {
    pub(super) fn is_invalid(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == Severity::Error)
    }
}

/// A case of a test file.
pub(super) struct TestCase {
    pub(super) name: String,
    pub(super) at: Position,
    /// The index of the parser and the template with its inputs.
    pub(super) entry: (usize, Entry),
    pub(super) attributes: Map<Map<Value>>,
    pub(super) resolves: bool,
    /// All errors and warnings; `None` if any warnings are allowed, but no errors.
    pub(super) problems: Option<Vec<ExpectedProblem>>,
    pub(super) outputs: Vec<Expected<Json>>,
    pub(super) plan: Option<Plan>,
    pub(super) model: Vec<Expected<Json>>,
}

/// A position in the test file: line and column, both from 1.
pub(super) type Position = (u32, u32);

/// The expected value for an output or a path in the model, or the expectation for a node.
pub(super) struct Expected<T> {
    pub(super) name: String,
    pub(super) value: T,
    pub(super) at: Position,
}

pub(super) struct ExpectedProblem {
    pub(super) code: String,
    pub(super) line: Option<u32>,
    pub(super) file: Option<String>,
    pub(super) message: Option<String>,
    pub(super) at: Position,
}

/// An expected plan.
pub(super) struct Plan {
    pub(super) at: Position,
    pub(super) stages: Option<Vec<Vec<String>>>,
    pub(super) order: Vec<Expected<()>>,
    pub(super) operations: Vec<Expected<Vec<String>>>,
}

/// Returns a parser for test files.
pub(super) fn parser() -> Result<Parser, BuildError> {
    builder().build()
}

/// Returns a builder of parsers of test files.
pub(in super::super) fn builder() -> ParserBuilder {
    let limits = Limits { bytes: MAX_BYTES, ..Limits::default() };
    Parser::builder(&TESTS).offline(true).limits(limits)
}

/// Reads the cases of a parsed test file and finds their templates.
///
/// # Errors
///
/// Returns an error, as one line for the user, if a configuration is invalid.
pub(super) fn load(
    address: &Address,
    outcome: Outcome,
    filter: Option<&str>,
    readers: &mut Readers<'_>,
) -> Result<TestFile, String> {
    let name = outcome.sources.iter().next().map_or_else(|| address.to_string(), |source| source.name().to_owned());
    let Outcome { diagnostics, sources, program, .. } = outcome;
    let mut file = TestFile { name, cases: Vec::new(), problems: diagnostics, sources };
    let unit = program.list.first();
    let root = unit.and_then(|unit| program.get(unit.root?.cast::<language::TestFile>()?));
    if let Some((unit, root)) = unit.zip(root) {
        let mut loading = Loading::new(address, unit, &program, root, readers);
        for (name, id) in root.cases.iter().take(MAX_CASES) {
            if loading.problems.len() >= MAX_PROBLEMS {
                break;
            }
            if let Some(case) = loading.case(root, name, id)? {
                file.cases.push(case);
            }
        }
        let problems = file.problems.into_iter().chain(loading.problems);
        file.problems = problems.collect::<Diagnostics>().into_sorted(&file.sources);
    }
    if file.is_invalid() {
        file.cases.clear();
    }
    file.cases.retain(|case| filter.is_none_or(|filter| case.name.contains(filter)));
    Ok(file)
}

/// Returns the problems of a test file that has been parsed, except those that the parser has found.
///
/// # Errors
///
/// Returns an error, as one line for the user, if a configuration is invalid.
pub(in super::super) fn problems(
    address: &Address,
    outcome: &Outcome,
    readers: &mut Readers<'_>,
) -> Result<Vec<Diagnostic>, String> {
    let program = &outcome.program;
    let unit = program.list.first();
    let root = unit.and_then(|unit| program.get(unit.root?.cast::<language::TestFile>()?));
    let Some((unit, root)) = unit.zip(root) else { return Ok(Vec::new()) };
    let mut loading = Loading::new(address, unit, program, root, readers);
    for (_, id) in root.cases.iter().take(MAX_CASES) {
        if loading.problems.len() >= MAX_PROBLEMS {
            break;
        }
        loading.check(root, id)?;
    }
    Ok(loading.problems)
}

struct Loading<'a, 'r> {
    address: &'a Address,
    unit: &'a Unit,
    source: &'a Source,
    /// The text as the source of values for inputs.
    values: InputValues,
    program: &'a Program<Complete>,
    readers: &'a mut Readers<'r>,
    /// The names of templates that don't exist. Each is reported once.
    missing: HashSet<String>,
    /// The rules by settings and name, or a message for each name without a rule. This is a cache, because the search
    /// for similar names takes long.
    rules: HashMap<(*const Settings, &'a str), Result<&'static Rule, String>>,
    problems: Vec<Diagnostic>,
}

impl<'a, 'r> Loading<'a, 'r> {
    fn new(
        address: &'a Address,
        unit: &'a Unit,
        program: &'a Program<Complete>,
        root: &language::TestFile,
        readers: &'a mut Readers<'r>,
    ) -> Self {
        let (missing, rules_by_name) = (HashSet::default(), HashMap::default());
        let mut problems = Vec::new();
        if let Some(span) = root.cases.iter().nth(MAX_CASES).and_then(|(_, id)| program.name_span(id.any())) {
            let message = format!("a test file has at most {MAX_CASES} cases");
            let problem = Diagnostic::new(&rules::TOO_MANY_CASES, span, message);
            problems.push(problem.with_help("move this case and those below it to a different test file"));
        }
        let source = &*unit.source;
        let values = InputValues::new(source.name(), source.text().as_bytes());
        Self { address, unit, source, values, program, readers, missing, rules: rules_by_name, problems }
    }

    /// Finds the problems of a case.
    fn check(&mut self, file: &language::TestFile, id: Id<language::Case>) -> Result<(), String> {
        let Some(case) = self.program.get(id) else { return Ok(()) };
        let Some(span) = self.program.name_span(id.any()) else { return Ok(()) };
        if let Some(template) = self.template(case.template.or(file.template), span) {
            self.expected_problems(case, &template)?;
        }
        self.model(case.model);
        Ok(())
    }

    /// Reads a case; returns `None` if there is a problem with its template.
    fn case(
        &mut self,
        file: &language::TestFile,
        name: Symbol,
        id: Id<language::Case>,
    ) -> Result<Option<TestCase>, String> {
        let Some(case) = self.program.get(id) else { return Ok(None) };
        let Some(span) = self.program.name_span(id.any()) else { return Ok(None) };
        let named = case.template.or(file.template);
        let Some(template) = self.template(named, span) else { return Ok(None) };
        let (reader, mut entry) = self.readers.entry(Entry::at(template.clone()).named(false))?;
        if let Some(node) = case.inputs.position.and_then(|inputs| self.program.node(inputs)) {
            entry = entry.input_values(self.values.at([node.span().start]));
        }
        let problems = if case.problems.is_given() { Some(self.expected_problems(case, &template)?) } else { None };
        let plan = case.plan.and_then(|plan| self.plan(plan));
        Ok(Some(TestCase {
            name: self.program.text(name).to_owned(),
            at: self.position(span),
            entry: (reader, entry),
            attributes: self.attributes(case),
            resolves: case.resolve.map_or(plan.is_some(), |resolve| resolve.value),
            problems,
            outputs: self.values(case.outputs),
            plan,
            model: self.model(case.model),
        }))
    }

    /// Returns the template of a case; reports a problem and returns `None` if it does not exist.
    fn template(&mut self, named: Option<Text>, case: Span) -> Option<Address> {
        let place = named.and_then(|named| self.program.node(named.0)).map_or(case, Node::span);
        let path = self.address.to_path().unwrap_or_default();
        let name = named.map_or_else(|| template_of(&path), |named| self.text(named).to_owned());
        let target = path.parent().unwrap_or(Path::new("")).join(&name);
        let is_reachable = !self.readers.reading.sandbox || is_below(&target, path.parent());
        if is_reachable && target.exists() {
            return Some(Address::from_path(&target, Path::new("/")));
        }
        let (message, help) = if !is_reachable {
            let message = format!("`{name}` is outside the folder of the test file");
            (message, "move the template into that folder, or test it without `--sandbox`")
        } else if named.is_some() {
            (format!("there is no template `{name}`"), "write its path relative to the test file")
        } else {
            let help = "move the test file next to its template, or add `template: …`";
            (format!("there is no template `{name}`"), help)
        };
        if self.missing.insert(name) {
            self.problems.push(Diagnostic::new(&rules::NO_TESTED_TEMPLATE, place, message).with_help(help));
        }
        None
    }

    fn attributes(&self, case: &language::Case) -> Map<Map<Value>> {
        let nodes = case.attributes.iter().filter_map(|(node, id)| {
            let values = self.program.get(id)?.values.position.and_then(|values| self.program.node(values))?;
            Some((self.program.text(node).into(), serde_json::from_value(json(values)).ok()?))
        });
        nodes.collect()
    }

    fn expected_problems(&mut self, case: &language::Case, template: &Address) -> Result<Vec<ExpectedProblem>, String> {
        let settings = self.readers.settings(&template.to_path().unwrap_or_default())?;
        let mut expected = Vec::with_capacity(case.problems.len());
        for id in &case.problems {
            let Some((problem, code)) = self.program.get(*id).and_then(|problem| Some((problem, problem.code?))) else {
                continue;
            };
            let Some(span) = self.program.node(code.0).map(Node::span) else { continue };
            let name = self.text(code);
            let find = || settings.rule(name).map(|known| known.rule).map_err(|unknown| unknown.to_string());
            let rule = match self.rules.entry((Rc::as_ptr(&settings), name)).or_insert_with(find) {
                Ok(known) => *known,
                Err(unknown) => {
                    let problem = Diagnostic::new(&rules::UNKNOWN_EXPECTED_RULE, span, unknown.clone());
                    self.problems.push(problem.with_help("`tosca-parse rules` lists all rules"));
                    continue;
                }
            };
            expected.push(ExpectedProblem {
                code: rule.code.to_owned(),
                line: problem.line.map(|line| line.value.0),
                file: problem.file.map(|file| self.text(file).to_owned()),
                message: problem.message.map(|message| self.text(message).to_owned()),
                at: self.position(span),
            });
        }
        Ok(expected)
    }

    fn plan(&self, id: Id<ExpectedPlan>) -> Option<Plan> {
        let plan = self.program.get(id)?;
        let names = |texts: &[Text]| texts.iter().map(|text| self.text(*text).to_owned()).collect::<Vec<String>>();
        let stages = plan.stages.iter().filter_map(|stage| Some(names(&self.program.get(*stage)?.nodes)));
        let order = plan.order.iter().map(|node| Expected {
            name: self.text(*node).to_owned(),
            value: (),
            at: self.place(node.0),
        });
        let operations = plan.operations.iter().filter_map(|(node, id)| {
            Some(Expected {
                name: self.program.text(node).to_owned(),
                value: names(&self.program.get(id)?.names),
                at: self.program.name_span(id.any()).map(|span| self.position(span))?,
            })
        });
        let node = self.program.header(id.any()).map(|header| self.unit.document.node(header.node));
        Some(Plan {
            at: node.map(|node| self.position(node.span())).unwrap_or_default(),
            stages: plan.stages.is_given().then(|| stages.collect()),
            order: order.collect(),
            operations: operations.collect(),
        })
    }

    fn values(&self, values: Values) -> Vec<Expected<Json>> {
        let map = values.position.and_then(|map| self.program.node(map));
        let entries = map.into_iter().flat_map(|map| map.entries().filter(|entry| !entry.duplicate));
        let expected = |entry: tosca_parse::ard::Entry<'_>| Expected {
            name: entry.key.text().to_owned(),
            value: json(entry.value),
            at: self.position(entry.key.span()),
        };
        entries.map(expected).collect()
    }

    fn model(&mut self, values: Values) -> Vec<Expected<Json>> {
        let map = values.position.and_then(|map| self.program.node(map));
        for entry in map.into_iter().flat_map(Node::entries) {
            let path = entry.key.text();
            if !path.starts_with('/') {
                let message = format!("`{path}` is not a JSON pointer");
                let help = "write a path such as `/nodes/server/properties/port/value`";
                let problem = Diagnostic::new(&rules::INVALID_MODEL_PATH, entry.key.span(), message);
                self.problems.push(problem.with_help(help));
            }
        }
        self.values(values)
    }

    fn text(&self, text: Text) -> &'a str {
        self.program.node(text.0).map_or("", Node::text)
    }

    fn place(&self, node: NodeRef) -> Position {
        self.program.node(node).map(|node| self.position(node.span())).unwrap_or_default()
    }

    fn position(&self, span: Span) -> Position {
        let place = self.source.line_column(span.start);
        (place.line, place.column)
    }
}

/// Returns whether a path, or the part of it that exists, is inside a folder, with links resolved.
fn is_below(path: &Path, folder: Option<&Path>) -> bool {
    let existing = path.ancestors().find_map(|part| part.canonicalize().ok());
    let folder = folder.and_then(|folder| folder.canonicalize().ok());
    existing.zip(folder).is_some_and(|(path, folder)| path.starts_with(folder))
}

/// Returns data as JSON.
fn json(node: Node<'_>) -> Json {
    tosca_parse_config::json(node).unwrap_or_else(|_| Json::String(node.text().to_owned()))
}
