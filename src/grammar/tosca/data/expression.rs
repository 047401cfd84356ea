//! What can be known of calls of functions before anything is run.

use super::super::definition::ParameterDefinition;
use super::super::section::INPUTS;
use super::super::version::V2_0;
use super::arguments::check_arguments;
use super::call::{Call, Shape};
use super::custom::{check_custom, check_extension};
use super::function::{self, Function, Outcome};
use super::judge::Judge;
use super::{DataKind, Schema, Typed, path, simple};
use crate::ard::{Kind, Node};
use crate::entity::{AnyId, Id, Members};
use crate::phase::Explain;
use crate::rules;

/// What is known of the result of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known<'a> {
    /// Nothing.
    Nothing,
    /// It is of a kind.
    Kind(DataKind),
    /// It is what a definition says.
    Schema(Schema<'a>),
    /// It is a list of what a definition says.
    ListOf(Schema<'a>),
}

impl<'a> Known<'a> {
    pub(super) fn kind(&self, judge: &Judge<'_, '_>) -> Option<DataKind> {
        match self {
            Self::Nothing => None,
            Self::Kind(kind) => Some(*kind),
            Self::Schema(schema) => schema.kind(judge.context),
            Self::ListOf(_) => Some(DataKind::List),
        }
    }

    /// What it is, with an article.
    pub(super) fn phrase(&self, judge: &Judge<'_, 'a>) -> Option<String> {
        match self {
            Self::Schema(schema) => schema.phrase(judge.context),
            Self::ListOf(schema) => Some(format!("a list of `{}`", schema.type_name(judge.context))),
            _ => Some(self.kind(judge)?.with_article().to_owned()),
        }
    }

    /// What is known of the entries of a list or map.
    pub(super) fn entries(&self, judge: &Judge<'_, 'a>) -> Option<Self> {
        match self {
            Self::Nothing | Self::Kind(_) => None,
            Self::Schema(schema) => schema.entries(judge.context).map(Self::Schema),
            Self::ListOf(schema) => Some(Self::Schema(*schema)),
        }
    }
}

/// Checks a call, and says what is known of its result.
pub(super) fn check_call<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) -> Known<'a> {
    if judge.version(call.node) < V2_0 {
        return simple::check_call(judge, call);
    }
    match function::find(call.name) {
        Some(function) => check_extension(judge, call).unwrap_or_else(|| check_built_in(judge, call, function)),
        None => check_custom(judge, call),
    }
}

/// Compares what is known of a result with what is wanted in its place.
pub(super) fn check_result<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, known: &Known<'a>, wanted: &Schema<'a>) {
    let (Some(kind), Some(found_kind)) = (wanted.kind(judge.context), known.kind(judge)) else { return };
    // Before 2.0, what is used as a string is made one.
    let is_collection = matches!(found_kind, DataKind::List | DataKind::Map);
    if judge.version(call.node) < V2_0 && kind == DataKind::String && !is_collection {
        return;
    }
    let fits = match known {
        Known::Schema(schema) => wanted.may_hold(judge.context, schema),
        Known::ListOf(schema) => {
            let entries = wanted.entries(judge.context);
            kind == DataKind::List && entries.is_none_or(|entries| entries.may_hold(judge.context, schema))
        }
        _ => kind == found_kind || kind == DataKind::Float && found_kind == DataKind::Integer,
    };
    if !fits {
        let found = match known {
            Known::Schema(schema) => format!("a value of type `{}`", schema.type_name(judge.context)),
            Known::ListOf(schema) => format!("a list of `{}`", schema.type_name(judge.context)),
            _ => found_kind.with_article().to_owned(),
        };
        let message = format!(
            "{} is of type `{}`, but `{}` gives {found}",
            wanted.title(judge.context),
            wanted.type_name(judge.context),
            call.written_name()
        );
        let program = judge.context.program;
        let defined = wanted.definition.and_then(|definition| program.name_span(definition));
        let source = match known {
            Known::Schema(Schema { definition: Some(definition), .. }) => program.name_span(*definition),
            _ => None,
        };
        // Before 2.0, what is written as text may come from a string.
        let is_text = matches!(kind, DataKind::Version | DataKind::Timestamp | DataKind::ScalarUnit);
        let is_put_up_with = is_text && found_kind == DataKind::String && judge.version(call.node) < V2_0;
        let rule = if is_put_up_with { &rules::STRING_RESULT } else { &rules::RESULT_TYPE };
        judge
            .problem(rule, call.node, message)
            .related(defined, "defined here")
            .related(source, "this is what the function gives")
            .help(match source {
                Some(_) => "make both of the same type",
                None => "write a value of the type, or a function that gives one",
            });
    }
}

fn check_built_in<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, function: &'static Function) -> Known<'a> {
    let arguments = call.arguments();
    let least = function.parameters.len();
    let most = least + function.optional.len();
    let is_short_path = matches!(function.outcome_is_path(), Some(least) if arguments.len() < least);
    if is_short_path || arguments.len() < least || function.rest.is_none() && arguments.len() > most {
        let message = format!("`${}` is given {}", call.name, count(arguments.len()));
        judge
            .problem(&rules::ARGUMENT_COUNT, call.node, message)
            .help(format!("`${}` takes {}", call.name, function.usage));
        return result_kind(function);
    }
    match function.result {
        Outcome::Looked => return check_look_up(judge, call, &arguments),
        Outcome::Value => return check_value(judge, call, &arguments),
        _ => {}
    }
    match function.name {
        "get_artifact" => {
            path::check_artifact(judge, call, &arguments);
            return Known::Kind(DataKind::String);
        }
        "node_index" | "relationship_index" => check_index(judge, call),
        _ => {}
    }
    let known = check_arguments(judge, call, function, &arguments);
    match function.result {
        Outcome::Kind(kind) => Known::Kind(kind),
        Outcome::First => known.first().copied().unwrap_or(Known::Nothing),
        Outcome::Arithmetic => arithmetic(judge, &known),
        Outcome::Quotient => match known.first().and_then(|first| first.kind(judge)) {
            Some(DataKind::Scalar) => known[0],
            Some(_) => Known::Kind(DataKind::Float),
            None => Known::Nothing,
        },
        Outcome::Looked | Outcome::Value => Known::Nothing,
    }
}

/// An index is one of a node or relationship (2.0, 10.2.1.6 and 10.2.1.7).
fn check_index<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) {
    let (has_meaning, where_else) = match call.name {
        "node_index" => (judge.place.is_in_node(judge.context), "in node types and node templates"),
        _ => (
            judge.place.is_in_relationship(judge.context),
            "in relationship types, relationship templates, and requirements",
        ),
    };
    if !has_meaning {
        let message = format!("`${}` has no meaning here", call.name);
        judge.problem(&rules::NO_SUCH_INDEX, call.node, message).help(format!("it can be used {where_else}"));
    }
}

fn result_kind<'a>(function: &Function) -> Known<'a> {
    match function.result {
        Outcome::Kind(kind) => Known::Kind(kind),
        _ => Known::Nothing,
    }
}

impl Function {
    /// The least number of arguments, for functions that are given a path.
    fn outcome_is_path(&self) -> Option<usize> {
        (self.result == Outcome::Looked && self.name != "get_input").then_some(2)
    }
}

pub(super) fn count(arguments: usize) -> String {
    match arguments {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        more => format!("{more} arguments"),
    }
}

fn arithmetic<'a>(judge: &Judge<'_, 'a>, known: &[Known<'a>]) -> Known<'a> {
    let kinds: Option<Vec<DataKind>> = known.iter().map(|known| known.kind(judge)).collect();
    match kinds {
        Some(kinds) if kinds.contains(&DataKind::Scalar) => known[0],
        Some(kinds) if kinds.iter().all(|kind| *kind == DataKind::Integer) => Known::Kind(DataKind::Integer),
        Some(_) => Known::Kind(DataKind::Float),
        None => Known::Nothing,
    }
}

fn check_look_up<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, arguments: &[Node<'a>]) -> Known<'a> {
    match call.name {
        "get_input" => check_input(judge, arguments),
        "get_property" => path::check(judge, call, arguments, path::Sought::Property),
        "get_attribute" => path::check(judge, call, arguments, path::Sought::Attribute),
        _ => path::check(judge, call, arguments, path::Sought::Allocation),
    }
}

/// An input of the workflow or of the service (decision A 24).
pub(super) fn check_input<'a>(judge: &mut Judge<'_, 'a>, arguments: &[Node<'a>]) -> Known<'a> {
    let name = arguments[0];
    if !matches!(judge.shape(name), Shape::Literal) {
        return Known::Nothing;
    }
    if name.kind() != Kind::String {
        let message = format!("the name of an input must be a string, not {}", crate::phase::read::with_article(name));
        judge.problem(&rules::ARGUMENT_TYPE, name, message);
        return Known::Nothing;
    }
    match input(judge, name.text()) {
        Some(schema) => path::nested(judge, schema, &arguments[1..]),
        None => {
            let place = judge.place;
            let is_workflow = place.workflow(judge.context).is_some();
            let message = format!("there is no input `{}`", name.text());
            // The names are only put together if there is anybody who looks at them.
            let names = std::iter::once_with(|| input_names(judge)).flatten();
            let help = judge.context.did_you_mean(name.text(), names, "the inputs are");
            let help = help.or_else(|| Some(format!("declare it: `inputs: {{ {}: {{ type: … }} }}`", name.text())));
            let rule = if is_workflow { &rules::UNKNOWN_WORKFLOW_INPUT } else { &rules::UNKNOWN_INPUT };
            // Types do not know in which service they will be used.
            if place.is_in_service(judge.context) {
                judge.problem(rule, name, message).help_if(help);
            }
            Known::Nothing
        }
    }
}

/// What an input is like; nothing if there is none of the name.
pub(super) fn input<'a>(judge: &Judge<'_, 'a>, name: &str) -> Option<Schema<'a>> {
    let context = &judge.context;
    let symbol = context.program.interner.get(name);
    let workflow = judge.place.workflow(context).and_then(|workflow| context.get(workflow));
    let of_workflow: Option<&'a Members<ParameterDefinition>> = workflow.map(|workflow| &workflow.inputs);
    let id: Id<ParameterDefinition> = symbol.and_then(|symbol| {
        of_workflow
            .and_then(|inputs| inputs.get(symbol))
            .or_else(|| context.resolve(judge.place.at, INPUTS, symbol).id()?.cast())
    })?;
    Some(context.get(id)?.schema(context, id))
}

/// The names of the inputs that there are, sorted.
fn input_names<'a>(judge: &Judge<'_, 'a>) -> Vec<&'a str> {
    let context = &judge.context;
    let workflow = judge.place.workflow(context).and_then(|workflow| context.get(workflow));
    let of_workflow = workflow.into_iter().flat_map(|workflow| workflow.inputs.iter());
    let of_service = context.program.visible(judge.place.at.unit, INPUTS).into_iter().map(|(name, _)| name);
    let mut names: Vec<&str> = of_service.chain(of_workflow.map(|(name, _)| context.text(name))).collect();
    names.sort_unstable();
    names
}

/// The input that a call of `$get_input` gets, if it may have no value.
pub(super) fn optional_input(judge: &Judge<'_, '_>, call: Call<'_>) -> Option<AnyId> {
    let name = call.arguments().first().copied().filter(|_| call.name == "get_input")?;
    let definition = input(judge, name.text())?.definition?;
    let parameter = judge.context.get(definition.cast::<ParameterDefinition>()?)?;
    (!parameter.is_required() && !parameter.has_value()).then_some(definition)
}

fn check_value<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, arguments: &[Node<'a>]) -> Known<'a> {
    match judge.place.value {
        Some(schema) => path::nested(judge, schema, arguments),
        None => {
            judge
                .problem(
                    &rules::VALUE_OUTSIDE_VALIDATION,
                    call.node,
                    "`$value` has no meaning outside validation clauses",
                )
                .help("use `$get_property` or `$get_attribute`");
            Known::Nothing
        }
    }
}

/// Checks a condition: an expression that is true or false.
pub(crate) fn check_condition<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>) {
    match judge.shape(node) {
        Shape::Call(call) => {
            let known = check_call(judge, call);
            if let Some(kind) = known.kind(judge).filter(|kind| *kind != DataKind::Boolean) {
                let message =
                    format!("a condition must be true or false, but `${}` gives {}", call.name, kind.with_article());
                judge.problem(&rules::NOT_A_CONDITION, node, message).help("compare it, for example by `$equal`");
            }
        }
        Shape::Malformed(_) => judge.check(node, &Schema::of_type(None)),
        Shape::Literal if node.kind() == Kind::Boolean => {}
        Shape::Literal => {
            let message =
                format!("a condition must be a call of a function, not {}", crate::phase::read::with_article(node));
            judge
                .problem(&rules::NOT_A_CONDITION, node, message)
                .help("write for example `{ $greater_or_equal: [ $value, 1 ] }`");
        }
    }
}
