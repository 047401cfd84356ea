//! Positions of errors in the code of classes and the calls that led to them.
//!
//! On its way out, a problem gets a position in each frame: that of the innermost code that contains it.

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use tosca_parse::source::Source;
use tosca_parse_yaql::{Context, Error, Expression};

use crate::class::Class;
use crate::frame::Frame;
use crate::place::within;

/// A position in the code of a class that an error has passed on its way to the caller.
#[derive(Clone, Debug)]
pub struct Step {
    /// The file.
    pub file: Arc<Source>,
    /// The part of its text, in bytes.
    pub span: Range<u32>,
    /// Whether it is a contract that is violated by a value from elsewhere.
    pub is_contract: bool,
    /// The class and the method that the code belongs to, if the error has left their frame.
    pub(crate) code: Option<Code>,
}

/// The class and method of a step.
#[derive(Clone)]
pub(crate) struct Code {
    pub(crate) class: Rc<Class>,
    pub(crate) method: Option<Rc<str>>,
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}::{:?}", self.class.name, self.method)
    }
}

/// A call in a stack trace.
pub(crate) struct CodeFrame {
    /// The file and the position in it.
    pub(crate) location: String,
    pub(crate) class: String,
    pub(crate) method: Option<String>,
    /// The first line of the statement or expression.
    pub(crate) instruction: String,
}

/// Returns the calls that an error passed, the outermost first.
pub(crate) fn frames(error: &Error) -> Vec<CodeFrame> {
    let frame = |step: Step| {
        let Code { class, method } = step.code?;
        let place = step.file.line_column(step.span.start);
        let written = step.file.text().get(step.span.start as usize..step.span.end as usize).unwrap_or_default();
        Some(CodeFrame {
            location: format!("{}:{}:{}", step.file.name(), place.line, place.column),
            class: class.name.clone(),
            method: method.as_deref().map(str::to_owned),
            instruction: written.lines().next().unwrap_or_default().trim_end().to_owned(),
        })
    };
    let mut frames: Vec<CodeFrame> = steps(error).into_iter().filter_map(frame).collect();
    frames.reverse();
    frames
}

/// The steps so far. Errors may be kept and thrown again, so shared parts are not copied.
struct Trace {
    step: Step,
    inner: Option<Rc<Trace>>,
    /// Whether the problem has left the frame that the step is in.
    is_left: bool,
}

/// Returns the positions in code that an error passed through, innermost first.
pub fn steps(error: &Error) -> Vec<Step> {
    let traces = std::iter::successors(of(error), |trace| trace.inner.clone());
    let mut steps: Vec<Step> = traces.map(|trace| trace.step.clone()).collect();
    steps.reverse();
    steps
}

fn of(error: &Error) -> Option<Rc<Trace>> {
    error.trace().cloned()?.downcast().ok()
}

/// Adds the position of a statement to an error, unless a more exact one is known. The position of the error itself is
/// within the expression, if one was evaluated.
pub(crate) fn at(context: &Context, span: &Range<u32>, expression: Option<&Expression>, error: Error) -> Error {
    let Ok(frame) = Frame::of(context) else { return error };
    if of(&error).is_some_and(|trace| !trace.is_left) {
        return error;
    }
    let file = &frame.class.file;
    let written = file.text().get(span.start as usize..span.end as usize).unwrap_or_default();
    let part = expression.zip(error.span()).map(|(expression, part)| within(written, expression.text(), &part));
    let span = part.map_or_else(|| span.clone(), |part| span.start + part.start..span.start + part.end);
    let code = Some(Code { class: frame.class.clone(), method: frame.method.clone() });
    let step = Step { file: file.clone(), span, is_contract: frame.contract.is_some(), code };
    add(error, step, false)
}

/// Returns the error with its own position in a file, if no other is known.
pub(crate) fn in_file(file: &Arc<Source>, error: Error) -> Error {
    match error.span() {
        Some(span) if error.trace().is_none() => {
            add(error, Step { file: file.clone(), span, is_contract: false, code: None }, true).elsewhere()
        }
        _ => error,
    }
}

/// Returns the error for the caller of a frame, without its position in the expression, because the calling expression
/// is a different one.
pub(crate) fn leave(error: Error) -> Error {
    let error = error.elsewhere();
    match of(&error).filter(|trace| !trace.is_left) {
        Some(trace) => {
            let (step, inner) = (trace.step.clone(), trace.inner.clone());
            error.with_trace(Rc::new(Trace { step, inner, is_left: true }))
        }
        None => error,
    }
}

fn add(error: Error, step: Step, is_left: bool) -> Error {
    let inner = of(&error);
    error.with_trace(Rc::new(Trace { step, inner, is_left }))
}
