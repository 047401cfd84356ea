//! Evaluation of programs, with problems at their source positions.

use foldhash::HashMap;

use super::super::{Map, Options, Service, Source};
use super::Evaluation;
use super::evaluator::{EvaluationProblem, ProblemKind};
use crate::diagnostic::{Diagnostic, Span};
use crate::phase::inheritance::Complete;
use crate::phase::{Program, Unit};
use crate::rules;
use crate::source::{self, LineColumn};

impl Service {
    /// Returns the [model](Self::with) of a program, [evaluated](Self::evaluate) with the inputs given to the parser,
    /// and the problems of values that can't be computed.
    pub fn evaluated(program: &Program<Complete>, options: Options<'_>) -> Option<(Self, Vec<Diagnostic>)> {
        let none = Map::new();
        let attributes = options.attributes.unwrap_or(&none);
        let limits = program.model_limits.evaluation;
        let evaluate = |options| Some(Self::with(program, options)?.into_evaluated(limits, &Map::new(), attributes));
        let mut evaluation = evaluate(options)?;
        if !evaluation.problems.is_empty() && !options.positions {
            // Positions are only needed if there are problems. A large service should not be in memory twice.
            drop(evaluation);
            let Evaluation { problems, .. } = evaluate(Options { positions: true, ..options })?;
            evaluation = Evaluation { problems, ..evaluate(options)? };
        }
        let Evaluation { service, problems } = evaluation;
        let units: HashMap<&str, &Unit> = program.list.iter().rev().map(|unit| (unit.source.name(), &**unit)).collect();
        let diagnostics = problems.iter().filter_map(|problem| diagnostic(program, &units, problem)).collect();
        Some((service, program.bounded(diagnostics)))
    }
}

fn diagnostic(
    program: &Program<Complete>,
    units: &HashMap<&str, &Unit>,
    problem: &EvaluationProblem,
) -> Option<Diagnostic> {
    let place = problem.source.as_ref();
    let found = place.and_then(|place| Some(span(&units.get(&*place.file)?.source, place)));
    let span = match found {
        Some(span) => span,
        None => Span { source: program.list.first()?.id, start: 0, end: 0 },
    };
    let message = format!("{} (`{}`)", problem.message, problem.at);
    let rule = match problem.kind {
        ProblemKind::NotComputable => &rules::NOT_COMPUTABLE,
        ProblemKind::ValidationFailed => &rules::VALIDATION_FAILED,
    };
    Some(Diagnostic::new(rule, span, message).with_help(problem.help.clone()))
}

/// Returns the span from a position to the end of the line.
fn span(source: &source::Source, place: &Source) -> Span {
    let start = source.offset(LineColumn { line: place.line, column: place.column });
    let rest = source.text()[start as usize..source.line_range(place.line).end].trim_end();
    Span { source: source.id(), start, end: start + rest.len() as u32 }
}
