//! Checks of the arguments of built-in functions, alone and in relation to each other (2.0, 10.2.2 to 10.2.5).

use crate::ard::{Kind, Node};
use crate::data::call::function::{Function, Parameter};
use crate::data::call::result_type::StaticResult;
use crate::data::call::{Call, Shape};
use crate::data::evaluation::{Failure, Reason};
use crate::data::judge::Judge;
use crate::data::schema::Schema;
use crate::data::typed::kind::DataKind;
use crate::data::typed::pattern;
use crate::data::typed::pattern::Fault;
use crate::diagnostic::Help;
use crate::phase::DiagnosticExt;
use crate::phase::read::with_article;
use crate::rules;
use crate::value::parse_number;
use bigdecimal::Zero;

/// Checks the arguments of a function and returns the known type of each.
pub(crate) fn check_arguments<'a>(
    judge: &mut Judge<'_, 'a>,
    call: Call<'a>,
    function: &'static Function,
    arguments: &[Node<'a>],
) -> Vec<StaticResult<'a>> {
    let calls: Vec<Option<StaticResult<'a>>> =
        arguments.iter().map(|argument| check_argument_call(judge, *argument)).collect();
    let model = model(judge, function, &calls);
    if function.parameter(1) == Parameter::Like && calls.iter().all(Option::is_none) {
        check_words(judge, arguments);
    }
    let mut known: Vec<StaticResult<'a>> = Vec::with_capacity(arguments.len());
    let mut reported = None;
    for (index, (argument, of_call)) in arguments.iter().zip(calls).enumerate() {
        let needed = function.needed(index);
        let relation = match Relation::of(judge, function.parameter(index), known.first(), model.as_ref()) {
            // If arguments are compared, the meaning of the first one depends on the others.
            None if index == 0 => model.map(|model| Relation::of_first(function, model)),
            relation => relation,
        };
        let kind = match &of_call {
            Some(of_call) => of_call.kind(judge.context),
            None => kind_of(judge, *argument, needed, relation.as_ref()),
        };
        if let Some(kind) = kind.filter(|kind| !needed.accepts(*kind)) {
            // Repeated problems of the same kind have the same cause.
            if reported != Some(kind) {
                let given = of_call.as_ref().and_then(|known| known.phrase(judge.context));
                let given = given.unwrap_or_else(|| kind.with_article().to_owned());
                let message = format!("`${}` needs {} here, not {given}", call.name, needed.with_article());
                wrong_argument(judge, call, function, *argument, message);
            }
            reported = Some(kind);
            known.push(StaticResult::Nothing);
            continue;
        }
        known.push(match (of_call, relation) {
            (Some(of_call), Some(relation)) if index > 0 => {
                relation.check_call(judge, call, *argument, &of_call);
                of_call
            }
            (Some(of_call), _) => of_call,
            (None, Some(relation)) => relation.check_literal(judge, call, *argument),
            (None, None) => {
                let literal = check_literal(judge, *argument);
                // A value with a unit is a scalar of any type.
                if kind.is_some() { literal } else { StaticResult::Kind(DataKind::Scalar) }
            }
        });
    }
    check_particular(judge, call, function, arguments, &known);
    known
}

/// Checks that a word is not compared with a number, such as `value` without the dollar sign.
fn check_words<'a>(judge: &mut Judge<'_, 'a>, arguments: &[Node<'a>]) {
    let is_word = |node: &Node<'_>| {
        node.kind() == Kind::String && node.text().starts_with(|char: char| char.is_ascii_alphabetic())
    };
    let is_other = |node: &Node<'_>| matches!(node.kind(), Kind::Integer | Kind::Float | Kind::Boolean);
    let word = arguments.iter().copied().find(is_word);
    let other = arguments.iter().copied().find(is_other);
    if let (Some(word), Some(other)) = (word, other) {
        let message = format!("a string is compared with {}", crate::phase::read::with_article(other));
        let help = match word.text() {
            "value" => Help::write("$value"),
            _ => "compare values of the same type".into(),
        };
        judge.problem(&rules::COMPARED_TYPES, word, message).help(help);
    }
}

/// Returns the first argument with a known type, which determines the meaning of literals among the arguments.
fn model<'a>(
    judge: &Judge<'_, 'a>,
    function: &'static Function,
    calls: &[Option<StaticResult<'a>>],
) -> Option<StaticResult<'a>> {
    if !function.is_relation() {
        return None;
    }
    calls.iter().enumerate().find_map(|(index, known)| {
        let known = match function.parameter(index) {
            Parameter::Values => known.as_ref()?.entries(judge.context)?,
            _ => (*known)?,
        };
        known.kind(judge.context).is_some_and(|kind| function.needed(0).accepts(kind)).then_some(known)
    })
}

/// Returns the kind of a literal; `None` if it depends on the expected type.
fn kind_of<'a>(
    judge: &Judge<'_, 'a>,
    literal: Node<'a>,
    needed: Parameter,
    relation: Option<&Relation<'a>>,
) -> Option<DataKind> {
    let kind = literal_kind(literal);
    if kind != DataKind::String {
        return Some(kind);
    }
    let is_text_of_type = relation.is_some_and(|relation| {
        !relation.is_list
            && matches!(
                relation.like.kind(judge.context),
                Some(DataKind::Scalar | DataKind::Version | DataKind::Timestamp | DataKind::Bytes)
            )
    });
    let has_unit = || literal.text().split_once(' ').is_some_and(|(number, _)| parse_number(number).is_some());
    let may_be_scalar = !needed.accepts(DataKind::String) && needed.accepts(DataKind::Scalar) && has_unit();
    (!is_text_of_type && !may_be_scalar).then_some(kind)
}

fn wrong_argument<'a>(
    judge: &mut Judge<'_, 'a>,
    call: Call<'a>,
    function: &'static Function,
    argument: Node<'a>,
    message: String,
) {
    let is_number = matches!(argument.kind(), Kind::Integer | Kind::Float | Kind::Boolean);
    let is_text = matches!(call.name, "concat" | "join" | "token");
    let text = (is_text && is_number).then(|| format!("write the number as a string: `\"{}\"`", argument.text()));
    let is_call = is_text && argument.kind() == Kind::Map;
    let text = text.or_else(|| {
        is_call.then(|| "no function converts numbers to strings: declare its result as `string`".to_owned())
    });
    judge
        .problem(&rules::ARGUMENT_TYPE, argument, message)
        .help(format!("`${}` takes {}", call.name, function.usage))
        .help_if(text);
}

/// Checks an argument that is a call and returns its known type; `None` if it is a literal.
pub(crate) fn check_argument_call<'a>(judge: &mut Judge<'_, 'a>, argument: Node<'a>) -> Option<StaticResult<'a>> {
    match judge.shape(argument) {
        Shape::Call(call) => Some(judge.check_call(call)),
        Shape::Malformed(_) => {
            judge.check(argument, &Schema::of_type(None));
            Some(StaticResult::Nothing)
        }
        Shape::Literal => None,
    }
}

/// Checks a literal without a declared type and returns its known type.
pub(crate) fn check_literal<'a>(judge: &mut Judge<'_, 'a>, argument: Node<'a>) -> StaticResult<'a> {
    judge.check(argument, &Schema::of_type(None));
    if argument.kind() == Kind::Boolean && !judge.is_spelt_right(argument) {
        let message = format!("boolean `{}` is not spelled `true` or `false`", argument.text());
        judge.problem(&rules::ARGUMENT_TYPE, argument, message).help(Help::write(argument.text().to_ascii_lowercase()));
    }
    let kind = literal_kind(argument);
    if kind == DataKind::Integer {
        judge.check_size(argument);
    }
    StaticResult::Kind(kind)
}

fn literal_kind(node: Node<'_>) -> DataKind {
    match node.kind() {
        Kind::Null => DataKind::Nil,
        Kind::Boolean => DataKind::Boolean,
        Kind::Integer => DataKind::Integer,
        Kind::Float => DataKind::Float,
        Kind::String => DataKind::String,
        Kind::List => DataKind::List,
        Kind::Map => DataKind::Map,
    }
}

/// A requirement that one argument imposes on another one.
#[derive(Clone, Copy)]
struct Relation<'a> {
    /// The required type.
    like: StaticResult<'a>,
    /// Whether the items of a list must have the type, rather than the argument itself.
    is_list: bool,
    /// Whether the argument is only compared, so that a value of a different type is never equal, but not an error
    /// (decision A 51).
    is_comparison: bool,
}

impl<'a> Relation<'a> {
    fn of(
        judge: &Judge<'_, 'a>,
        parameter: Parameter,
        first: Option<&StaticResult<'a>>,
        model: Option<&StaticResult<'a>>,
    ) -> Option<Self> {
        let first = first?;
        let (like, is_list, is_comparison) = match parameter {
            Parameter::Like => (model.copied()?, false, true),
            Parameter::Same => (model.copied().unwrap_or(*first), false, false),
            Parameter::Values => (model.copied()?, true, true),
            Parameter::Entry => (first.entries(judge.context)?, false, true),
            Parameter::Entries => (first.entries(judge.context)?, true, true),
            Parameter::Key => (StaticResult::Kind(DataKind::String), false, true),
            Parameter::Keys => (StaticResult::Kind(DataKind::String), true, true),
            _ => return None,
        };
        Some(Self { like, is_list, is_comparison })
    }

    fn of_first(function: &Function, like: StaticResult<'a>) -> Self {
        let is_comparison = !matches!(function.parameter(1), Parameter::Same);
        Self { like, is_list: false, is_comparison }
    }

    fn mismatch(&self, judge: &mut Judge<'_, 'a>, call: Call<'a>, node: Node<'a>, wanted: DataKind, found: &str) {
        let what = self.like.phrase(judge.context).unwrap_or_default();
        if self.is_comparison {
            let message = format!("{what} is compared with {found}");
            let is_number = matches!(node.kind(), Kind::Integer | Kind::Float);
            judge.problem(&rules::COMPARED_TYPES, node, message).help(match wanted {
                DataKind::String if is_number => {
                    format!("put the number in quotes, \"{}\", or compare `{{ $length: … }}` with it", node.text())
                }
                _ => "compare values of the same type".to_owned(),
            });
        } else {
            let message = format!("`${}` can't combine {what} and {found}", call.name);
            judge.problem(&rules::ARGUMENT_TYPE, node, message).help("pass values of the same type");
        }
    }

    /// Checks a call whose result must satisfy the requirement.
    fn check_call(&self, judge: &mut Judge<'_, 'a>, call: Call<'a>, node: Node<'a>, found: &StaticResult<'a>) {
        let found = if self.is_list { found.entries(judge.context).unwrap_or(StaticResult::Nothing) } else { *found };
        let (Some(wanted), Some(kind)) = (self.like.kind(judge.context), found.kind(judge.context)) else { return };
        let fits = match (&self.like, &found) {
            (StaticResult::Schema(wanted), StaticResult::Schema(found)) => {
                wanted.may_hold(judge.context, found) || found.may_hold(judge.context, wanted)
            }
            _ => wanted == kind || is_number(wanted) && is_number(kind),
        };
        if !fits {
            let what = found.phrase(judge.context).unwrap_or_default();
            self.mismatch(judge, call, node, wanted, &what);
        }
    }

    /// Checks a literal and returns the required type as its type.
    fn check_literal(&self, judge: &mut Judge<'_, 'a>, call: Call<'a>, node: Node<'a>) -> StaticResult<'a> {
        if !self.is_list {
            self.check_one(judge, call, node);
            // An integer and a float can be combined and keep their types.
            let own = literal_kind(node);
            let are_numbers = is_number(own) && self.like.kind(judge.context).is_some_and(is_number);
            return if are_numbers { StaticResult::Kind(own) } else { self.like };
        }
        for item in node.items() {
            match check_argument_call(judge, item) {
                Some(found) => Self { is_list: false, ..*self }.check_call(judge, call, item, &found),
                None => self.check_one(judge, call, item),
            }
        }
        StaticResult::Kind(literal_kind(node))
    }

    fn check_one(&self, judge: &mut Judge<'_, 'a>, call: Call<'a>, literal: Node<'a>) {
        let Some(wanted) = self.like.kind(judge.context) else {
            check_literal(judge, literal);
            return;
        };
        let found = literal_kind(literal);
        let fits = match (wanted, found) {
            // A bare number is in the canonical unit, as in the examples of 9.1.2.2.2.
            (DataKind::Scalar, DataKind::Integer | DataKind::Float) => self.is_comparison,
            // Strings are checked against the grammar of the type.
            (DataKind::Scalar | DataKind::Version | DataKind::Timestamp | DataKind::Bytes, DataKind::String) => {
                if let StaticResult::Schema(schema) = self.like {
                    judge.check_bound(literal, &Schema::of_type(schema.data_type));
                }
                true
            }
            (DataKind::Complex, DataKind::Map) => true,
            (DataKind::Integer, DataKind::Integer) => {
                judge.check_size(literal);
                true
            }
            (DataKind::List, DataKind::List) => {
                if let Some(like) = self.like.entries(judge.context) {
                    Self { like, is_list: true, ..*self }.check_literal(judge, call, literal);
                    return;
                }
                true
            }
            (wanted, found) => wanted == found || is_number(wanted) && is_number(found),
        };
        if fits {
            judge.check(literal, &Schema::of_type(None));
        } else {
            self.mismatch(judge, call, literal, wanted, with_article(literal));
        }
    }
}

fn is_number(kind: DataKind) -> bool {
    matches!(kind, DataKind::Integer | DataKind::Float)
}

/// Checks that are specific to a function.
fn check_particular<'a>(
    judge: &mut Judge<'_, 'a>,
    call: Call<'a>,
    function: &'static Function,
    arguments: &[Node<'a>],
    known: &[StaticResult<'a>],
) {
    match (function.name, arguments) {
        // Decision A 28.
        ("and" | "or", [_]) => {
            let message = format!("`${}` has no effect on a single argument", call.name);
            judge.problem(&rules::ODD_ARGUMENTS, call.node, message).help("write the argument without the function");
        }
        ("quotient" | "remainder", [_, divisor]) => {
            let divisor_is = judge.evaluator().evaluate(*divisor, None);
            if divisor_is.number().is_some_and(|divisor| divisor.is_zero()) {
                judge.problem(&rules::ARGUMENT_TYPE, *divisor, "division by zero").help("divide by a different number");
            }
        }
        ("product", [_, _, _, ..]) if known[0].kind(judge.context) == Some(DataKind::Scalar) => {
            judge
                .problem(&rules::ARGUMENT_COUNT, call.node, "a scalar can be multiplied by only one number")
                .help("multiply the numbers first");
        }
        ("token", [.., index]) if index.as_integer().is_some_and(|index| index < 0) => {
            judge.problem(&rules::ARGUMENT_TYPE, *index, "an index can't be negative").help("count from 0");
        }
        ("matches", [_, pattern]) if pattern.kind() == Kind::String => check_pattern(judge, *pattern),
        ("join", [list, ..]) => check_joined(judge, call, *list, &known[0]),
        _ if function.is_arithmetic() => check_overflow(judge, call),
        _ => {}
    }
}

/// Reports an integer result that does not fit into 64 bits, if it can be computed.
fn check_overflow<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) {
    let mut evaluator = judge.evaluator();
    evaluator.evaluate(call.node, None);
    let is_it = |failure: &Failure<'_>| failure.reason == Reason::Overflow && failure.node.id() == call.node.id();
    if evaluator.failures().iter().any(is_it) {
        let message = format!("the result of `${}` does not fit into a 64-bit integer", call.name);
        judge.problem(&rules::INTEGER_OVERFLOW, call.node, message).help(format!(
            "an integer is between {} and {}; write `.0` after a number to compute with floats",
            i64::MIN,
            i64::MAX
        ));
    }
}

/// Checks a regular expression. The standard does not specify a dialect, so only expressions that no common dialect
/// accepts are errors.
fn check_pattern<'a>(judge: &mut Judge<'_, 'a>, pattern: Node<'a>) {
    if !matches!(judge.shape(pattern), Shape::Literal) {
        return;
    }
    match pattern::fault(judge.context.program, pattern, pattern.text()) {
        None => {}
        Some(Fault::Unused(reason)) => judge.unused_pattern(pattern, &reason),
        Some(Fault::Wrong(reason)) => {
            let message = format!("`{}` is not a regular expression: {reason}", pattern.text());
            judge
                .problem(&rules::ARGUMENT_TYPE, pattern, message)
                .help("correct the expression, or escape literal characters with `\\`");
        }
    }
}

/// Checks that joined values are strings, although an example in the standard joins a number with strings.
fn check_joined<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, list: Node<'a>, known: &StaticResult<'a>) {
    if let Some(entries) = known.entries(judge.context) {
        return check_joined_result(judge, call, list, &entries);
    }
    for item in list.items() {
        match judge.shape(item) {
            Shape::Literal if item.kind() != Kind::String => {
                let message = format!("`$join` takes a list of strings, not {}", with_article(item));
                judge.problem(&rules::ODD_ARGUMENTS, item, message).help(Help::quote(item.text()));
            }
            Shape::Call(part) => {
                let known = judge.silently(|judge| judge.check_call(part));
                check_joined_result(judge, call, item, &known);
            }
            Shape::Literal | Shape::Malformed(_) => {}
        }
    }
}

/// Checks that the result of a call can be joined.
fn check_joined_result<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, node: Node<'a>, known: &StaticResult<'a>) {
    let Some(kind) = known.kind(judge.context).filter(|kind| *kind != DataKind::String) else { return };
    let phrase = known.phrase(judge.context).unwrap_or_default();
    let message = format!("`${}` joins strings, not {phrase}", call.name);
    let is_collection = matches!(kind, DataKind::List | DataKind::Map | DataKind::Complex);
    let rule = if is_collection { &rules::ARGUMENT_TYPE } else { &rules::ODD_ARGUMENTS };
    judge.problem(rule, node, message).help("declare the values as `string`");
}
