//! The judge of values: its state, and the common parts of its checks.

use crate::ard::Node;
use crate::data::call::function::PathTarget;
use crate::data::call::result_type::StaticResult;
use crate::data::call::{self, Call, Shape};
use crate::data::evaluation::Evaluator;
use crate::data::path::PathError;
use crate::data::path::member::follow;
use crate::data::path::place::ValueContext;
use crate::diagnostic::{Rule, Span};
use crate::entity::LanguageVersion;
use crate::grammar::version::V2_0;
use crate::phase::{Context, DiagnosticBuilder, DiagnosticExt};
use crate::rules;

/// A comparison of values at one place with their schemas.
pub struct Judge<'c, 'a> {
    /// The program.
    pub context: &'c mut Context<'a>,
    /// The place of the values.
    pub place: ValueContext<'a>,
    /// Whether to suppress problems, for values that have been checked before.
    pub(super) is_silent: bool,
    /// Whether to accept invalid values, for bounds that valid values are compared with.
    pub(super) is_lenient: bool,
    /// Whether a clause has been evaluated whose result depends on the place.
    pub(super) has_looked_around: bool,
    /// The template that uses the value of a definition. An invalid value is reported there, and so are all problems if
    /// the definition is in another file.
    pub(super) user: Option<Span>,
    /// The function to check calls with.
    pub(super) check_call: CheckCall,
}

/// A function that checks a call and returns the known type of its result. There is one for each generation of the
/// language.
pub(in crate::data) type CheckCall = for<'j, 'c, 'a> fn(&'j mut Judge<'c, 'a>, Call<'a>) -> StaticResult<'a>;

impl<'c, 'a> Judge<'c, 'a> {
    /// Creates a judge for the values at a place, with the function that checks calls.
    pub(in crate::data) fn with(context: &'c mut Context<'a>, place: ValueContext<'a>, check_call: CheckCall) -> Self {
        Self { context, place, is_silent: false, is_lenient: false, has_looked_around: false, user: None, check_call }
    }

    /// Sets the template that uses the value of a definition.
    pub(crate) fn used_by(self, user: Option<Span>) -> Self {
        Self { user, ..self }
    }

    /// Returns an evaluator for the place.
    pub(in crate::data) fn evaluator(&self) -> Evaluator<'_, 'a> {
        Evaluator::new(self.context, self.place)
    }

    /// Returns the version in which a node is written.
    pub(in crate::data) fn version(&self, node: Node<'_>) -> LanguageVersion {
        call::version(self.context, node)
    }

    /// Returns the shape of a node.
    pub(in crate::data) fn shape(&self, node: Node<'a>) -> Shape<'a> {
        call::shape(self.context, node)
    }

    /// Checks a call and returns the known type of its result.
    pub(in crate::data) fn check_call(&mut self, call: Call<'a>) -> StaticResult<'a> {
        (self.check_call)(self, call)
    }

    /// Follows a path to a property or attribute and returns the known type of its value.
    pub(in crate::data) fn follow(
        &mut self,
        call: Call<'a>,
        arguments: &[Node<'a>],
        sought: PathTarget,
    ) -> StaticResult<'a> {
        follow(self, call, arguments, sought).unwrap_or_else(|lost| {
            self.report(lost);
            StaticResult::Nothing
        })
    }

    /// Reports that a path can't be followed.
    pub(in crate::data) fn report(&mut self, lost: PathError<'_>) {
        let is_rule = |rule: &'static Rule| std::ptr::eq(lost.rule, rule);
        // Templates of the same file are checked with the actual target, except for conditions.
        let is_of_type = self.place.subject.is_none() && self.place.value.is_none();
        let user = self.user_elsewhere(lost.step);
        if is_rule(&rules::NEEDS_DERIVED_TYPE)
            && (user.is_some() || is_of_type && self.place.has_templates(self.context))
        {
            return;
        }
        // Since 2.0, filters apply to nodes about which little is known at this point (decision A 35).
        let is_unresolved = is_rule(&rules::UNRESOLVED_PATH) || is_rule(&rules::NEEDS_DERIVED_TYPE);
        let is_tolerated = is_unresolved && self.place.is_filter && call::version(self.context, lost.step) >= V2_0;
        let rule = if is_tolerated { &rules::UNRESOLVED_FILTER_PATH } else { lost.rule };
        let problem = self.problem(rule, lost.step, lost.message);
        if user.is_some() {
            problem.help("assign a value here, or use a target that has it");
        } else {
            problem.help_if(lost.help).edit_if(lost.edit);
        }
    }

    /// Returns the template that uses the value of a definition in another file.
    pub(super) fn user_elsewhere(&self, node: Node<'_>) -> Option<Span> {
        self.user.filter(|user| user.source != node.span().source)
    }

    /// Reports a problem with a node.
    pub(crate) fn problem(
        &mut self,
        rule: &'static Rule,
        node: Node<'_>,
        message: impl Into<String>,
    ) -> Option<DiagnosticBuilder<'_>> {
        let is_invalid = std::ptr::eq(rule, &raw const rules::VALIDATION_FAILED);
        let user = if is_invalid { self.user } else { self.user_elsewhere(node) };
        let span = (!self.is_silent && !node.is_placeholder()).then(|| user.unwrap_or(node.span()));
        self.context.problem(rule, span, message).related(user.map(|_| node.span()), "its value is given here")
    }
}
