//! Failures of running code as problems: the code that fails and the calls that led to it.

use std::sync::Arc;

use tosca_parse::diagnostic::{Diagnostic, SourceId, Span, hide_foreign_text};
use tosca_parse::text::Sources;
use tosca_parse_yaql::{Error, Value};

use super::model::sentence;
use super::rules;
use crate::error::{exception_names, failure};
use crate::trace::{Step, steps};

/// A position in code and its relation to a failure.
pub(super) struct Part {
    pub(super) step: Step,
    pub(super) label: &'static str,
}

/// The maximum number of positions that explain a failure. Recursion has many.
const MAX_PARTS: usize = 8;

/// Returns the failing code, and then the calls that explain it, each position once; empty if no code is involved.
///
/// A violated contract is not the failing code, unless no code produced the value.
pub(super) fn parts(error: &Error) -> Vec<Part> {
    let mut steps = steps(error);
    let failing = steps.iter().position(|step| !step.is_contract).unwrap_or_default();
    if failing >= steps.len() {
        return Vec::new();
    }
    let mut parts = vec![Part { step: steps.remove(failing), label: "this fails" }];
    for step in steps {
        let is_known = |part: &Part| Arc::ptr_eq(&part.step.file, &step.file) && part.step.span == step.span;
        if parts.len() <= MAX_PARTS && !parts.iter().any(is_known) {
            let label = if step.is_contract { "declared here" } else { "called here" };
            parts.push(Part { step, label });
        }
    }
    parts
}

/// Returns a failure of code as a problem, with its files; `None` if it is in no file.
///
/// ```
/// use tosca_parse_murano::{Access, Arguments, PackageSource, Runtime, TypeName, language};
///
/// let text = "Name: t.Sums\nMethods:\n  half:\n    Usage: Static\n    Body:\n      - Return: 1 / 0\n";
/// let runtime = Runtime::builder().package(PackageSource::from_text("t", "1.4", &[], text)?).build()?;
/// let class = runtime.find_type(&TypeName::parse("t.Sums").expect("this is a name"))?;
/// let error = runtime.call_class(&class, "half", Arguments::default(), Access::Session).unwrap_err();
/// let (problem, sources) = language::problem(&error).expect("this fails in code");
/// let source = sources.get(problem.span.source).expect("the file is there");
/// assert_eq!(source.line_column(problem.span.start).line, 6);
/// # Ok::<(), tosca_parse_yaql::Error>(())
/// ```
pub fn problem(error: &Error) -> Option<(Diagnostic, Sources)> {
    let mut sources = Sources::new();
    let mut files = Vec::new();
    let mut place = |step: &Step| {
        let number = files.iter().position(|file| Arc::ptr_eq(file, &step.file)).unwrap_or_else(|| {
            files.push(step.file.clone());
            files.len() - 1
        });
        let source = SourceId(number as u32);
        sources.add(step.file.renumbered(source));
        Span { source, start: step.span.start, end: step.span.end }
    };
    let mut parts = parts(error).into_iter();
    let main = place(&parts.next()?.step);
    let mut problem = Diagnostic::new(&rules::FAILED_CODE, main, message(error)).with_help(help(error));
    for part in parts {
        problem = problem.with_related(place(&part.step), part.label);
    }
    hide_foreign_text(std::slice::from_mut(&mut problem), &sources);
    Some((problem, sources))
}

fn message(error: &Error) -> String {
    let thrown = failure(error).and_then(|failure| failure.thrown.as_ref());
    match thrown.and_then(|thrown| Some((thrown.names.first()?, &thrown.message))) {
        Some((name, Value::Null)) => format!("exception `{name}` is not caught"),
        Some((name, message)) => format!("exception `{name}` is not caught: {}", message.to_python()),
        None => sentence(&error.to_string()),
    }
}

fn help(error: &Error) -> String {
    match exception_names(error).first() {
        Some(name) => format!("correct the cause, or catch the exception as `{name}`"),
        None => "look for a loop or calls that do not end; code can't catch this error".to_owned(),
    }
}
