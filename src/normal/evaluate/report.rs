//! Evaluation of programs, with problems at their source positions.

use super::super::{Map, Options, Service};
use super::Evaluation;
use super::evaluator::{EvaluationProblem, ProblemKind};
use crate::diagnostic::{Diagnostic, Span};
use crate::phase::Program;
use crate::phase::inheritance::Complete;
use crate::rules;

impl Service {
    /// Returns the [model](Self::with) of a program, [evaluated](Self::evaluate) with the inputs given to the parser,
    /// and the problems of values that can't be computed.
    pub fn evaluated(program: &Program<Complete>, options: Options<'_>) -> Option<(Self, Vec<Diagnostic>)> {
        let none = Map::new();
        let attributes = options.attributes.unwrap_or(&none);
        let evaluate = |options| Some(Self::with(program, options)?.into_evaluated(&Map::new(), attributes));
        let mut evaluation = evaluate(options)?;
        if !evaluation.problems.is_empty() && !options.positions {
            // Positions are only needed if there are problems. A large service should not be in memory twice.
            drop(evaluation);
            let Evaluation { problems, .. } = evaluate(Options { positions: true, ..options })?;
            evaluation = Evaluation { problems, ..evaluate(options)? };
        }
        let Evaluation { service, problems } = evaluation;
        let diagnostics = problems.iter().filter_map(|problem| diagnostic(program, problem)).collect();
        Some((service, diagnostics))
    }
}

fn diagnostic(program: &Program<Complete>, problem: &EvaluationProblem) -> Option<Diagnostic> {
    let place = problem.source.as_ref();
    let found = place.and_then(|place| {
        let unit = program.list.iter().find(|unit| unit.source.name() == &*place.file)?;
        Some((unit, span(&unit.source, place.line, place.column)?))
    });
    let span = match found {
        Some((_, span)) => span,
        None => Span { source: program.list.first()?.id, start: 0, end: 0 },
    };
    let message = format!("{} (`{}`)", problem.message, problem.at);
    let rule = match problem.kind {
        ProblemKind::NotComputable => &rules::NOT_COMPUTABLE,
        ProblemKind::ValidationFailed => &rules::VALIDATION_FAILED,
    };
    Some(Diagnostic::new(rule, span, message).with_help(problem.help.clone()))
}

/// Returns the span from the given position to the end of the line.
fn span(source: &crate::source::Source, line: u32, column: u32) -> Option<Span> {
    let range = source.line_range(line);
    let text = source.text().get(range.clone())?;
    let before: usize = text.chars().take(usize::try_from(column).ok()?.checked_sub(1)?).map(char::len_utf8).sum();
    let rest = text.get(before..)?.trim_end();
    let start = range.start + before;
    Some(Span { source: source.id(), start: u32::try_from(start).ok()?, end: u32::try_from(start + rest.len()).ok()? })
}
