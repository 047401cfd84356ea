//! The arguments of built-in functions: one by one, and against each other (2.0, 10.2.2 to 10.2.5).

use super::call::{Call, Shape};
use super::expression::{Known, check_call};
use super::function::{Function, Parameter};
use super::judge::Judge;
use super::{DataKind, Schema};
use crate::ard::{Kind, Node};
use crate::phase::Explain;
use crate::phase::read::with_article;
use crate::rules;
use crate::value::parse_number;
use bigdecimal::Zero;

/// Checks the arguments of a function, and says what is known of each.
pub(super) fn check_arguments<'a>(
    judge: &mut Judge<'_, 'a>,
    call: Call<'a>,
    function: &'static Function,
    arguments: &[Node<'a>],
) -> Vec<Known<'a>> {
    let calls: Vec<Option<Known<'a>>> =
        arguments.iter().map(|argument| check_argument_call(judge, *argument)).collect();
    // What the function does not take at all is a mistake of its own, and says nothing about the other arguments.
    let is_model = |known: &&Known<'a>| known.kind(judge).is_some_and(|kind| function.parameter(0).accepts(kind));
    let model = calls.iter().flatten().find(is_model).copied();
    let model = model.filter(|_| function.is_relation());
    let mut known: Vec<Known<'a>> = Vec::with_capacity(arguments.len());
    for (index, (argument, of_call)) in arguments.iter().zip(calls).enumerate() {
        let parameter = function.parameter(index);
        let first = known.first().copied();
        let relation = Relation::of(judge, parameter, first.as_ref(), model.as_ref());
        let of_argument = match (of_call, &relation, &model) {
            (Some(of_call), Some(relation), _) => {
                relation.check_call(judge, call, *argument, &of_call);
                of_call
            }
            (Some(of_call), None, _) => of_call,
            (None, Some(relation), _) => relation.check_literal(judge, call, *argument),
            // The first of several that are compared takes its meaning from the others.
            (None, None, Some(model)) if index == 0 => {
                Relation::of_first(function, *model).check_literal(judge, call, *argument)
            }
            (None, None, _) => check_literal(judge, *argument),
        };
        let kind = of_argument.kind(judge);
        let is_literal_like = of_call.is_none() && relation.is_some_and(|relation| !relation.is_list);
        if let Some(kind) = kind.filter(|kind| !is_literal_like && !parameter.accepts(*kind)) {
            let needed = parameter.with_article();
            let message = format!("`${}` needs {needed} here, not {}", call.name, kind.with_article());
            wrong_argument(judge, call, function, *argument, message);
        }
        known.push(of_argument);
    }
    check_particular(judge, call, function, arguments, &known);
    known
}

fn wrong_argument<'a>(
    judge: &mut Judge<'_, 'a>,
    call: Call<'a>,
    function: &'static Function,
    argument: Node<'a>,
    message: String,
) {
    judge.problem(&rules::ARGUMENT_TYPE, argument, message).help(format!("`${}` takes {}", call.name, function.usage));
}

/// What is known of an argument that is a call; nothing if it is a literal.
pub(super) fn check_argument_call<'a>(judge: &mut Judge<'_, 'a>, argument: Node<'a>) -> Option<Known<'a>> {
    match judge.shape(argument) {
        Shape::Call(call) => Some(check_call(judge, call)),
        Shape::Malformed(_) => {
            judge.check(argument, &Schema::of_type(None));
            Some(Known::Nothing)
        }
        Shape::Literal => None,
    }
}

/// What is known of a literal by itself.
pub(super) fn check_literal<'a>(judge: &mut Judge<'_, 'a>, argument: Node<'a>) -> Known<'a> {
    judge.check(argument, &Schema::of_type(None));
    if argument.kind() == Kind::Boolean && !judge.is_spelt_right(argument) {
        let message = format!("`{}` is not how a boolean is spelt", argument.text());
        judge
            .problem(&rules::ARGUMENT_TYPE, argument, message)
            .help(format!("write `{}`", argument.text().to_ascii_lowercase()));
    }
    Known::Kind(literal_kind(argument))
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

/// What an argument must be like because of another one.
#[derive(Clone, Copy)]
struct Relation<'a> {
    /// What it must be like.
    like: Known<'a>,
    /// Whether that is about the items of a list.
    is_list: bool,
    /// Whether it is only compared, so that another type is no error but never equal (decision A 51).
    is_comparison: bool,
}

impl<'a> Relation<'a> {
    fn of(
        judge: &Judge<'_, 'a>,
        parameter: Parameter,
        first: Option<&Known<'a>>,
        model: Option<&Known<'a>>,
    ) -> Option<Self> {
        let first = first?;
        let (like, is_list, is_comparison) = match parameter {
            Parameter::Like => (model.copied()?, false, true),
            Parameter::Same => (model.copied().unwrap_or(*first), false, false),
            Parameter::Values => (model.copied()?, true, true),
            Parameter::Entry => (first.entries(judge)?, false, true),
            Parameter::Entries => (first.entries(judge)?, true, true),
            Parameter::Key => (Known::Kind(DataKind::String), false, true),
            Parameter::Keys => (Known::Kind(DataKind::String), true, true),
            _ => return None,
        };
        Some(Self { like, is_list, is_comparison })
    }

    fn of_first(function: &Function, like: Known<'a>) -> Self {
        let is_comparison = !matches!(function.parameter(1), Parameter::Same);
        Self { like, is_list: false, is_comparison }
    }

    fn mismatch(&self, judge: &mut Judge<'_, 'a>, call: Call<'a>, node: Node<'a>, wanted: DataKind, found: &str) {
        if self.is_comparison {
            let message = format!("{} is compared with {found}", wanted.with_article());
            let is_number = matches!(node.kind(), Kind::Integer | Kind::Float);
            judge.problem(&rules::COMPARED_TYPES, node, message).help(match wanted {
                DataKind::String if is_number => {
                    format!("put it in quotes, \"{}\", or compare `{{ $length: … }}` with it", node.text())
                }
                _ => "compare values of the same type".to_owned(),
            });
        } else {
            let message = format!("`${}` can't put {} and {found} together", call.name, wanted.with_article());
            judge.problem(&rules::ARGUMENT_TYPE, node, message).help("give it values of the same type");
        }
    }

    /// Checks a call whose result takes part in the relation.
    fn check_call(&self, judge: &mut Judge<'_, 'a>, call: Call<'a>, node: Node<'a>, found: &Known<'a>) {
        let found = if self.is_list { found.entries(judge).unwrap_or(Known::Nothing) } else { *found };
        let (Some(wanted), Some(kind)) = (self.like.kind(judge), found.kind(judge)) else { return };
        let fits = match (&self.like, &found) {
            (Known::Schema(wanted), Known::Schema(found)) => {
                wanted.may_hold(judge.context, found) || found.may_hold(judge.context, wanted)
            }
            _ => wanted == kind || is_number(wanted) && is_number(kind),
        };
        if !fits {
            let what = match &found {
                Known::Schema(schema) => format!("a `{}`", schema.type_name(judge.context)),
                _ => kind.with_article().to_owned(),
            };
            self.mismatch(judge, call, node, wanted, &what);
        }
    }

    /// Checks a literal, and says what it is: what it must be like.
    fn check_literal(&self, judge: &mut Judge<'_, 'a>, call: Call<'a>, node: Node<'a>) -> Known<'a> {
        if !self.is_list {
            self.check_one(judge, call, node);
            return self.like;
        }
        for item in node.items() {
            match check_argument_call(judge, item) {
                Some(found) => Self { is_list: false, ..*self }.check_call(judge, call, item, &found),
                None => self.check_one(judge, call, item),
            }
        }
        Known::Kind(literal_kind(node))
    }

    fn check_one(&self, judge: &mut Judge<'_, 'a>, call: Call<'a>, literal: Node<'a>) {
        let Some(wanted) = self.like.kind(judge) else {
            check_literal(judge, literal);
            return;
        };
        let found = literal_kind(literal);
        let fits = match (wanted, found) {
            // A bare number is one in the canonical unit, as in the examples of 9.1.2.2.2.
            (DataKind::Scalar, DataKind::Integer | DataKind::Float) => self.is_comparison,
            // Texts with a grammar are checked as such.
            (DataKind::Scalar | DataKind::Version | DataKind::Timestamp | DataKind::Bytes, DataKind::String) => {
                if let Known::Schema(schema) = self.like {
                    judge.check_bound(literal, &Schema::of_type(schema.data_type));
                }
                true
            }
            (DataKind::Complex, DataKind::Map) => true,
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

/// What is particular to one function.
fn check_particular<'a>(
    judge: &mut Judge<'_, 'a>,
    call: Call<'a>,
    function: &'static Function,
    arguments: &[Node<'a>],
    known: &[Known<'a>],
) {
    match (function.name, arguments) {
        // Decision A 28.
        ("and" | "or", [_]) => {
            let message = format!("`${}` has nothing to do with only one argument", call.name);
            judge.problem(&rules::ODD_ARGUMENTS, call.node, message).help("write the argument without it");
        }
        ("quotient" | "remainder", [_, divisor]) => {
            let is_number = matches!(divisor.kind(), Kind::Integer | Kind::Float);
            if is_number && parse_number(divisor.text()).is_some_and(|divisor| divisor.is_zero()) {
                judge
                    .problem(&rules::ARGUMENT_TYPE, *divisor, "this is a division by zero")
                    .help("divide by another number");
            }
        }
        ("product", [_, _, _, ..]) if known[0].kind(judge) == Some(DataKind::Scalar) => {
            judge
                .problem(&rules::ARGUMENT_COUNT, call.node, "a scalar can be multiplied with one number only")
                .help("multiply the numbers first");
        }
        ("token", [.., index]) if index.as_integer().is_some_and(|index| index < 0) => {
            judge.problem(&rules::ARGUMENT_TYPE, *index, "an index can't be negative").help("count from 0");
        }
        ("matches", [_, pattern]) if pattern.kind() == Kind::String => check_pattern(judge, *pattern),
        ("join", [list, ..]) => check_joined(judge, *list),
        _ => {}
    }
}

/// The standard does not say what a regular expression is. What the library finds wrong is, but what it does not know
/// may be all right elsewhere.
fn check_pattern<'a>(judge: &mut Judge<'_, 'a>, pattern: Node<'a>) {
    if !matches!(judge.shape(pattern), Shape::Literal) {
        return;
    }
    if let Err(regex::Error::Syntax(reason)) = regex::Regex::new(pattern.text())
        && !reason.contains("not supported")
    {
        let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        let message = format!("`{}` is not a regular expression: {reason}", pattern.text());
        judge
            .problem(&rules::ARGUMENT_TYPE, pattern, message)
            .help("correct it, or escape what is meant as it is by `\\`");
    }
}

/// What is joined are strings, although an example of the text joins a number with strings.
fn check_joined<'a>(judge: &mut Judge<'_, 'a>, list: Node<'a>) {
    for item in list.items().filter(|item| item.kind() != Kind::String) {
        if matches!(judge.shape(item), Shape::Literal) {
            let message = format!("`$join` takes a list of strings, and this is {}", with_article(item));
            judge.problem(&rules::ODD_ARGUMENTS, item, message).help(format!("put it in quotes: \"{}\"", item.text()));
        }
    }
}
