//! Runs cases.

use std::borrow::Cow;
use std::collections::VecDeque;

use foldhash::HashMap;
use serde_json::Value as Json;

use tosca_parse::diagnostic::{Diagnostic, Secrets, Severity, is_secret};
use tosca_parse::normal::{self, Options, Service};
use tosca_parse::phase::Units;
use tosca_parse::resolve::resolve_entry;
use tosca_parse::source::Sources;
use tosca_parse::{Outcome, Parser};

use super::super::overview::plural;
use super::super::total_imports::TotalImports;
use super::compare::{self, Found};
use super::load::{Expected, ExpectedProblem, Plan, Position, TestCase, TestFile};

/// The maximum number of failures per case.
const MAX_FAILURES: usize = 20;

/// The maximum length of a value in a report, in characters.
const MAX_VALUE: usize = 200;

/// An expectation that is not met.
pub(super) struct Failure {
    pub(super) at: Position,
    pub(super) subject: String,
    pub(super) expected: String,
    pub(super) actual: String,
}

impl Failure {
    fn new(at: Position, subject: impl Into<String>, expected: impl Into<String>, actual: impl Into<String>) -> Self {
        Self { at, subject: subject.into(), expected: expected.into(), actual: actual.into() }
    }
}

/// The size of a template, in bytes, that counts as one import.
const BYTES_PER_IMPORT: usize = 256;

/// Runs the cases of a file, until they and the files before it exceed the limit on imports. Returns their failures,
/// which are empty if they succeed, and the imports that count: those beyond what the size of the test file allows.
pub(super) fn run_all(file: &TestFile, parsers: &[Parser], total: &TotalImports) -> (Vec<Vec<Failure>>, usize) {
    let size = file.sources.iter().next().map_or(0, |source| source.text().len());
    let (mut all, mut read) = (Vec::with_capacity(file.cases.len()), 0);
    let counting = |read: usize| read.saturating_sub(Units::free_imports_of(size));
    for (number, case) in file.cases.iter().enumerate() {
        if total.is_exceeded_by(counting(read)) {
            all.push(vec![not_run(case, file.cases.len() - number, total)]);
            break;
        }
        let (failures, of_case) = run(case, &parsers[case.entry.0]);
        read += of_case;
        all.push(failures);
    }
    (all, counting(read))
}

/// Returns the failure of the first of several cases that are not run.
pub(super) fn not_run(case: &TestCase, count: usize, total: &TotalImports) -> Failure {
    let cases = plural(count, "case");
    Failure {
        at: case.at,
        subject: "case".to_owned(),
        expected: "templates and imports within the limit".to_owned(),
        actual: format!("{cases} not run, because those before exceed it ({})", total.limit()),
    }
}

/// Runs a case. Returns its failures, and the number of its imports, with the size of the template.
fn run(case: &TestCase, parser: &Parser) -> (Vec<Failure>, usize) {
    let entry = case.entry.1.clone();
    let (mut outcome, resolution) =
        if case.resolves { resolve_entry(parser, entry) } else { (parser.parse_entry(entry), None) };
    let attributes = (!case.attributes.is_empty()).then_some(&case.attributes);
    let options = Options { resolution: resolution.as_ref(), positions: true, attributes };
    // As in the command `plan`, open requirements don't prevent a model.
    let is_valid = outcome.is_valid() || resolution.is_some();
    let evaluated = if is_valid { Service::evaluated(&outcome.program, options) } else { None };
    let service = evaluated.map(|(service, problems)| {
        outcome.diagnostics.extend(problems);
        service
    });
    let own = outcome.program.list.first().map_or(0, |unit| unit.source.text().len());
    let read = 1 + outcome.import_cost + own / BYTES_PER_IMPORT;
    let secrets = outcome.program.secrets();
    let mut checking = Checking { case, outcome: &outcome, secrets, failures: Vec::new(), further: 0 };
    checking.problems();
    checking.results(service.as_ref(), is_valid);
    (checking.into_failures(), read)
}

struct Checking<'a> {
    case: &'a TestCase,
    outcome: &'a Outcome,
    secrets: Secrets<'a>,
    failures: Vec<Failure>,
    /// The number of failures that are not kept.
    further: usize,
}

impl Checking<'_> {
    /// Adds a failure, which is only described if it is kept.
    fn fail(&mut self, describe: impl FnOnce() -> Failure) {
        if self.failures.len() == MAX_FAILURES {
            self.further += 1;
            return;
        }
        let mut failure = describe();
        if !self.secrets.is_empty() {
            failure.actual = self.secrets.masked(&failure.actual);
        }
        self.failures.push(failure);
    }

    fn into_failures(mut self) -> Vec<Failure> {
        if self.further > 0 {
            self.failures.push(Failure {
                at: self.case.at,
                subject: "further expectations".to_owned(),
                expected: "as in the file".to_owned(),
                actual: format!("{} more are not met", self.further),
            });
        }
        self.failures
    }

    /// Compares the problems.
    fn problems(&mut self) {
        let (case, outcome) = (self.case, self.outcome);
        let sources = &outcome.sources;
        let Some(expected) = &case.problems else {
            let errors = outcome.diagnostics.iter().filter(|problem| problem.severity == Severity::Error);
            for error in errors {
                self.fail(|| Failure::new(case.at, "problems", "no errors", shown(error, sources)));
            }
            return;
        };
        let mut found = FoundProblems::new(outcome, expected.len());
        // A vague expectation must not use up the problem that a precise one describes.
        let mut order: Vec<&ExpectedProblem> = expected.iter().collect();
        order.sort_by_key(|expected| std::cmp::Reverse(precision(expected)));
        let mut missing: Vec<&ExpectedProblem> = order.into_iter().filter(|expected| !found.take(expected)).collect();
        if found.are_too_many {
            let actual = format!("{} problems, too many to compare; list fewer", outcome.diagnostics.len());
            return self.fail(|| Failure::new(case.at, "problems", "those listed", actual));
        }
        missing.sort_by_key(|expected| expected.at);
        for expected in missing {
            let similar = found.take_any(&expected.code);
            self.fail(|| {
                let actual =
                    similar.map_or_else(|| format!("no such {}", expected.code), |found| shown(found, sources));
                Failure::new(expected.at, "problem", described(expected), actual)
            });
        }
        for problem in found.into_rest() {
            self.fail(|| Failure::new(case.at, "problem", "none besides those listed", shown(problem, sources)));
        }
    }

    /// Compares the outputs, the plan and the model with the expected ones.
    fn results(&mut self, service: Option<&Service>, is_valid: bool) {
        let case = self.case;
        let first = [case.outputs.first(), case.model.first()].into_iter().flatten().map(|expected| expected.at);
        let Some(first) = first.chain(case.plan.as_ref().map(|plan| plan.at)).min() else { return };
        let language = self.outcome.program.list.first().map(|unit| unit.language);
        let program = &self.outcome.program;
        match (service, language) {
            _ if !is_valid => {
                // If the case doesn't list problems, the errors have already been reported.
                if case.problems.is_some() {
                    let actual = "the template has errors";
                    self.fail(|| Failure::new(first, "outputs, plan and model", "a valid template", actual));
                }
            }
            (Some(service), _) => {
                self.outputs(service);
                if !case.model.is_empty() {
                    self.model(&serde_json::to_value(service).unwrap_or_default());
                }
                self.plan(|| Some(service.plan()));
            }
            (None, Some(language)) => {
                if let Some(output) = case.outputs.first() {
                    let actual = "there is none; use `model`";
                    self.fail(|| Failure::new(output.at, "outputs", "a service with outputs", actual));
                }
                if !case.model.is_empty() {
                    let model = (language.model)(program).and_then(Result::ok);
                    self.model(&serde_json::to_value(model).unwrap_or_default());
                }
                self.plan(|| (language.topology)(program).map(|topology| normal::Plan::of_topology("", &topology)));
            }
            (None, None) => self.fail(|| Failure::new(first, "template", "a template", "it can't be read")),
        }
    }

    fn outputs(&mut self, service: &Service) {
        for Expected { name, value, at } in &self.case.outputs {
            let failure = |actual: String| Failure::new(*at, format!("output `{name}`"), text(name, value), actual);
            let Some(output) = service.outputs.get(name) else {
                self.fail(|| failure("there is no such output".to_owned()));
                continue;
            };
            let actual = output.value.as_ref().map(serde_json::to_value).and_then(Result::ok).unwrap_or_default();
            if !compare::equals(value, &actual) {
                self.fail(|| {
                    let source = output.source.as_ref();
                    let source = source.map(|source| format!("{}:{}:{}", source.file, source.line, source.column));
                    failure(placed(&text(name, &actual), source.as_deref()))
                });
            }
        }
    }

    fn model(&mut self, model: &Json) {
        let mut model = compare::Model::new(model);
        for Expected { name: path, value, at } in &self.case.model {
            let found = model.at(path);
            let actual = found.as_ref().map_or(&Json::Null, |found| found.value);
            if !compare::matches(value, actual) {
                self.fail(|| {
                    let source = found.as_ref().and_then(Found::source);
                    let actual = if found.is_some() { text(path, actual) } else { Cow::Borrowed("nothing") };
                    Failure::new(*at, format!("model at `{path}`"), text(path, value), placed(&actual, source))
                });
            }
        }
    }

    fn plan(&mut self, plan: impl FnOnce() -> Option<normal::Plan>) {
        let Some(expected) = &self.case.plan else { return };
        let Some(plan) = plan() else {
            let actual = "the template describes nothing that is deployed";
            return self.fail(|| Failure::new(expected.at, "plan", "a plan", actual));
        };
        self.stages(expected, &plan);
        self.order(expected, &plan);
        let steps = plan.deployment.iter().flat_map(|stage| &stage.steps).map(|step| (&*step.node, step));
        let steps: HashMap<&str, &normal::PlanStep> = steps.collect();
        for Expected { name: node, value: operations, at } in &expected.operations {
            let failure =
                |actual: String| Failure::new(*at, format!("operations of `{node}`"), list(operations), actual);
            let Some(step) = steps.get(&**node) else {
                self.fail(|| failure("it is not deployed".to_owned()));
                continue;
            };
            let actual: Vec<&str> = step.operations.iter().map(|call| &*call.operation).collect();
            if *operations != actual {
                self.fail(|| {
                    let source = step.source.as_ref();
                    let source = source.map(|source| format!("{}:{}:{}", source.file, source.line, source.column));
                    failure(placed(&list(&actual), source.as_deref()))
                });
            }
        }
    }

    fn stages(&mut self, expected: &Plan, plan: &normal::Plan) {
        let Some(stages) = &expected.stages else { return };
        let sorted = |mut nodes: Vec<String>| {
            nodes.sort_unstable();
            nodes
        };
        let nodes = |stage: &normal::Stage| stage.steps.iter().map(|step| step.node.to_string()).collect();
        let actual: Vec<Vec<String>> = plan.deployment.iter().map(|stage| sorted(nodes(stage))).collect();
        let stages: Vec<Vec<String>> = stages.iter().cloned().map(sorted).collect();
        if stages != actual {
            let shown = |stages: &[Vec<String>]| {
                let stages: Vec<String> = stages.iter().map(|stage| list(stage)).collect();
                cut(&format!("[ {} ]", stages.join(", "))).into_owned()
            };
            self.fail(|| Failure::new(expected.at, "stages of the plan", shown(&stages), shown(&actual)));
        }
    }

    fn order(&mut self, expected: &Plan, plan: &normal::Plan) {
        let stages = plan.deployment.iter().zip(1..);
        let stages = stages.flat_map(|(stage, number)| stage.steps.iter().map(move |step| (&*step.node, number)));
        let stages: HashMap<&str, usize> = stages.collect();
        let mut previous: Option<(&str, usize)> = None;
        for Expected { name: node, at, .. } in &expected.order {
            let subject = || format!("order of `{node}`");
            let Some(stage) = stages.get(&**node) else {
                self.fail(|| Failure::new(*at, subject(), "a deployed node", "it is not deployed"));
                continue;
            };
            if let Some((earlier, earlier_stage)) = previous.filter(|(_, earlier)| earlier >= stage) {
                self.fail(|| {
                    let actual = format!("`{node}` is in stage {stage}, `{earlier}` in stage {earlier_stage}");
                    Failure::new(*at, subject(), format!("after `{earlier}`"), actual)
                });
            }
            previous = Some((node, *stage));
        }
    }
}

fn precision(expected: &ExpectedProblem) -> usize {
    let ExpectedProblem { line, file, message, .. } = expected;
    [line.is_some(), file.is_some(), message.is_some()].into_iter().filter(|is_given| *is_given).count()
}

/// The problems of a template, in order, that no expectation describes so far.
struct FoundProblems<'a> {
    sources: &'a Sources,
    problems: &'a [Diagnostic],
    are_taken: Vec<bool>,
    /// For each code, the indices of its problems: of all, and of those in each line.
    of_codes: HashMap<&'a str, OfCode>,
    /// The number of comparisons that are still allowed. A long message counts as several.
    left_to_compare: usize,
    are_too_many: bool,
}

#[derive(Default)]
struct OfCode {
    all: VecDeque<usize>,
    in_lines: HashMap<u32, VecDeque<usize>>,
}

impl<'a> FoundProblems<'a> {
    /// The number of comparisons for each problem and each expectation.
    const COMPARED: usize = 500;

    fn new(outcome: &'a Outcome, expected: usize) -> Self {
        let (sources, problems) = (&outcome.sources, &outcome.diagnostics[..]);
        let mut of_codes: HashMap<&str, OfCode> = HashMap::default();
        for (number, problem) in problems.iter().enumerate() {
            let of_code = of_codes.entry(problem.rule.code).or_default();
            of_code.all.push_back(number);
            if let Some(source) = sources.get(problem.span.source) {
                let line = source.line_column(problem.span.start).line;
                of_code.in_lines.entry(line).or_default().push_back(number);
            }
        }
        let are_taken = vec![false; problems.len()];
        let left_to_compare = Self::COMPARED * (problems.len() + expected);
        Self { sources, problems, are_taken, of_codes, left_to_compare, are_too_many: false }
    }

    /// Takes the first problem that an expectation describes. Returns whether there is one.
    fn take(&mut self, expected: &ExpectedProblem) -> bool {
        let Some(of_code) = self.of_codes.get_mut(&*expected.code) else { return false };
        let candidates = match expected.line {
            Some(line) => of_code.in_lines.get_mut(&line),
            None => Some(&mut of_code.all),
        };
        let Some(candidates) = candidates else { return false };
        while candidates.front().is_some_and(|number| self.are_taken[*number]) {
            candidates.pop_front();
        }
        for number in candidates.iter().copied() {
            let problem = &self.problems[number];
            let cost = 1 + expected.message.as_ref().map_or(0, |_| problem.message.len() / 64);
            self.are_too_many |= cost > self.left_to_compare;
            if self.are_too_many {
                return false;
            }
            self.left_to_compare -= cost;
            if !self.are_taken[number] && is_expected(expected, problem, self.sources) {
                self.are_taken[number] = true;
                return true;
            }
        }
        false
    }

    /// Takes the first problem with a code.
    fn take_any(&mut self, code: &str) -> Option<&'a Diagnostic> {
        let candidates = &mut self.of_codes.get_mut(code)?.all;
        while let Some(number) = candidates.pop_front() {
            if !std::mem::replace(&mut self.are_taken[number], true) {
                return Some(&self.problems[number]);
            }
        }
        None
    }

    fn into_rest(self) -> impl Iterator<Item = &'a Diagnostic> {
        self.problems.iter().zip(self.are_taken).filter(|(_, is_taken)| !is_taken).map(|(problem, _)| problem)
    }
}

/// Returns whether an expectation describes a problem in its line.
fn is_expected(expected: &ExpectedProblem, problem: &Diagnostic, sources: &Sources) -> bool {
    let is_in = |file: &str| sources.get(problem.span.source).is_some_and(|source| ends_with(source.name(), file));
    expected.file.as_deref().is_none_or(is_in)
        && expected.message.as_ref().is_none_or(|message| problem.message.contains(&**message))
}

/// Returns whether the last components of a path are `end`.
fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with(['/', '\\']))
}

fn described(expected: &ExpectedProblem) -> String {
    let file = expected.file.as_ref().map(|file| format!(" in {file}"));
    let line = expected.line.map(|line| format!(" in line {line}"));
    let message = expected.message.as_ref().map(|message| format!(" with `{message}`"));
    [file, line, message].into_iter().flatten().fold(expected.code.clone(), |text, part| text + &part)
}

fn shown(problem: &Diagnostic, sources: &Sources) -> String {
    let place = sources.get(problem.span.source).map_or_else(String::new, |source| {
        let place = source.line_column(problem.span.start);
        format!("{}:{}:{}", source.name(), place.line, place.column)
    });
    placed(&format!("{}: {}", problem.rule.code, problem.message), Some(&place).filter(|place| !place.is_empty()))
}

fn placed(text: &str, place: Option<impl AsRef<str>>) -> String {
    place.map_or_else(|| text.to_owned(), |place| format!("{text}, at {}", place.as_ref()))
}

/// Returns a value as text, unless the last part of its path is probably the name of a secret.
fn text(path: &str, value: &Json) -> Cow<'static, str> {
    let names = path.rsplit('/').filter(|name| *name != "value");
    if names.take(1).any(is_secret) && !value.is_null() {
        return Cow::Borrowed("a secret value");
    }
    Cow::Owned(cut(&value.to_string()).into_owned())
}

fn list(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    if names.is_empty() { "[]".to_owned() } else { cut(&format!("[ {} ]", names.join(", "))).into_owned() }
}

/// Shortens a long string.
fn cut(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_are_recognized_by_the_end_of_their_paths() {
        assert!(ends_with("a/b.yaml", "b.yaml") && ends_with("b.yaml", "b.yaml"));
        assert!(!ends_with("a/bb.yaml", "b.yaml") && !ends_with("b.yaml", "a/b.yaml"));
    }

    #[test]
    fn secrets_and_long_values_are_not_shown() {
        assert_eq!(text("/nodes/db/properties/password/value", &json!("x")), "a secret value");
        assert_eq!(text("port", &json!(80)), "80");
        assert_eq!(text("name", &json!("x".repeat(300))).chars().count(), MAX_VALUE + 1);
    }
}
