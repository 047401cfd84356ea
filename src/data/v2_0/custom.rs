//! Checks of calls to custom functions (2.0, 10.4).

use super::arguments::{check_argument_call, check_literal};
use super::signature;
use crate::ard::{Kind, Node, Style};
use crate::data::call::result_type::StaticResult;
use crate::data::call::{Call, Shape, count, function, is_function_name, own, text};
use crate::data::clause::constraint::{OPERATORS, Operand};
use crate::data::judge::Judge;
use crate::data::schema::{Schema, Typed};
use crate::data::typed::kind::DataKind;
use crate::diagnostic::Help;
use crate::diagnostic::suggest::nearest;
use crate::entity::{AnyId, Id};
use crate::grammar::definition::{FunctionDefinition, SchemaDefinition, Signature};
use crate::grammar::section::FUNCTIONS;
use crate::grammar::version::V2_0;
use crate::phase::namespace::LookupResult;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

/// An argument with its known type.
struct Argument<'a> {
    node: Node<'a>,
    known: StaticResult<'a>,
    /// Whether the argument is wrong for every possible parameter.
    is_broken: bool,
}

/// Checks a call to a function that is not built in.
pub(crate) fn check_custom<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) -> StaticResult<'a> {
    let arguments = arguments(judge, call);
    match own::resolve(judge.context, judge.place.at, call) {
        LookupResult::Unknown => {
            if !judge.context.program.allows_function(call.name) {
                unknown_function(judge, call);
            }
            StaticResult::Nothing
        }
        LookupResult::Unreadable => StaticResult::Nothing,
        LookupResult::Ambiguous(one, other) => {
            ambiguous_function(judge, call, one, other);
            StaticResult::Nothing
        }
        found @ LookupResult::Found(_) => {
            let id = found.id().and_then(AnyId::cast::<FunctionDefinition>);
            id.map_or(StaticResult::Nothing, |id| check_signatures(judge, call, &arguments, id))
        }
    }
}

/// Checks a call to a built-in function against a custom function of the same name; `None` if there is no such
/// function, or if the call matches none of its signatures.
pub(crate) fn check_extension<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) -> Option<StaticResult<'a>> {
    let id = own::extension(judge.context, judge.place.at, call)?;
    let is_fit = judge.silently(|judge| {
        let arguments = arguments(judge, call);
        fitting(judge, &arguments, &signatures(judge, id)).is_some()
    });
    is_fit.then(|| check_custom(judge, call))
}

fn arguments<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) -> Vec<Argument<'a>> {
    let argument = |node| match check_argument_call(judge, node) {
        Some(known) => Argument { node, known, is_broken: false },
        None => {
            let known = check_literal(judge, node);
            let is_broken = !judge.is_fit(node, &Schema::of_type(None));
            Argument { node, known, is_broken }
        }
    };
    call.arguments().into_iter().map(argument).collect()
}

/// Reports that two imports provide functions with the same name, which is not allowed (2.0, 10.4).
fn ambiguous_function(judge: &mut Judge<'_, '_>, call: Call<'_>, one: AnyId, other: AnyId) {
    let message = format!("function `${}` is ambiguous: two imports declare this name", call.name);
    let program = judge.context.program;
    let (one, other) = (program.name_span(one), program.name_span(other));
    judge
        .problem(&rules::AMBIGUOUS_NAME, call.name_node, message)
        .related(one, "first one")
        .related(other, "second one")
        .help("import at least one of the files under a different namespace");
}

/// Reports an unknown function. The processor may have functions without a definition, but a name that is similar to a
/// known one or has the prefix of an import is a mistake (decision A 27).
fn unknown_function(judge: &mut Judge<'_, '_>, call: Call<'_>) {
    let context = &judge.context;
    let built_in = function::FUNCTIONS.iter().map(|function| function.name);
    let custom = || context.program.visible(call.node.document().source(), FUNCTIONS).into_iter().map(|(name, _)| name);
    let near = prefixed_function(context, call).or_else(|| nearest(call.name, built_in).map(str::to_owned));
    let near = near.or_else(|| context.suggestions().nearest(call.name, custom()).map(str::to_owned));
    let clause = Some(call.name).filter(|name| OPERATORS.iter().any(|operator| operator.name == *name));
    let clause = clause.or_else(|| {
        let names = OPERATORS.iter().map(|operator| operator.name);
        nearest(call.name, names).filter(|_| near.is_none())
    });
    let of_clause = clause.and_then(|name| replacement(call, name));
    let meant = text::meant(call.node, V2_0);
    let placeholder = text::placeholder(call.node.text()).filter(|_| meant.is_some());
    let is_mistake = near.is_some()
        || of_clause.is_some()
        || meant.is_some() && placeholder.is_none()
        || call.name.contains(':')
        || function::is_reserved_in_1_x(call.name);
    let rule = if is_mistake { &rules::UNKNOWN_FUNCTION } else { &rules::UNDEFINED_FUNCTION };
    let written = call.name_node.text();
    let message = match (placeholder, &meant) {
        (Some(_), _) => format!("`{written}` is not replaced: TOSCA has no placeholders"),
        (None, Some(_)) => format!("`{written}` is not a function call: a call is a map"),
        (None, None) => format!("there is no function `${}`", call.name),
    };
    let is_name = is_function_name(call.name);
    let help = match (of_clause, near) {
        _ if meant.is_some() => None,
        (Some(help), _) => Some(help.into()),
        (None, Some(near)) => Some(Help::did_you_mean(format!("${near}"))),
        (None, None) if is_name => {
            Some(format!("define it under `functions`, or write `$${}` if it is a string", call.name).into())
        }
        (None, None) => None,
    };
    let as_text = (!is_name && (placeholder.is_some() || meant.is_none()))
        .then(|| format!("if it is a string, double the dollar sign: `${written}`"));
    let allowed = is_name.then(|| format!("if the processor provides it, allow it: `--allow-function {}`", call.name));
    judge
        .problem(rule, call.name_node, message)
        .help_if(meant.map(Help::write))
        .help_if(help)
        .help_if(as_text)
        .help_if(allowed);
}

/// Checks the arguments of a condition that is written as a 1.x constraint clause although its name is another function
/// in 2.0, and returns the help for it: `$length: [ $value, 5 ]`. `None` for other calls.
pub(super) fn check_clause<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) -> Option<String> {
    let is_clause = OPERATORS.iter().any(|operator| operator.name == call.name && operator.operand == Operand::Length);
    if !is_clause || call.arguments().len() != 2 || function::find(call.name).is_none() {
        return None;
    }
    let is_extended = own::extension(judge.context, judge.place.at, call).is_some();
    let help = replacement(call, call.name).filter(|_| !is_extended)?;
    arguments(judge, call);
    Some(help)
}

/// Returns the condition to write instead of a call with the name of a 1.x constraint clause that is not a function in
/// 2.0 (decision A 25).
fn replacement(call: Call<'_>, name: &str) -> Option<String> {
    let operator = OPERATORS.iter().find(|operator| operator.name == name)?;
    let arguments = call.arguments();
    let shown = |node: Option<Node<'_>>| match node {
        Some(node) if matches!(node.kind(), Kind::Map | Kind::List) || node.text().is_empty() => "…".to_owned(),
        Some(node) if node.style() == Style::Plain => node.text().to_owned(),
        Some(node) => format!("'{}'", node.text().replace('\'', "''")),
        None => "…".to_owned(),
    };
    let (subject, operand) = (shown(arguments.first().copied()), arguments.get(1).copied());
    let condition = match (operator.operand, operator.functions) {
        (Operand::Bounds, [lower, upper]) => {
            let mut bounds = operand.into_iter().flat_map(Node::items);
            let (least, most) = (shown(bounds.next()), shown(bounds.next()));
            format!("$and: [ {{ ${lower}: [ {subject}, {least} ] }}, {{ ${upper}: [ {subject}, {most} ] }} ]")
        }
        (Operand::Length, [function]) => format!("${function}: [ {{ $length: [ {subject} ] }}, {} ]", shown(operand)),
        (_, [function]) => format!("${function}: [ {subject}, {} ]", shown(operand)),
        _ => return Some(format!("TOSCA 2.0 has no counterpart to the constraint `{}`", operator.name)),
    };
    Some(format!("write `{condition}`"))
}

/// Returns the name with the prefix of an import, if there is a function of this name.
fn prefixed_function(context: &Context<'_>, call: Call<'_>) -> Option<String> {
    let (program, unit) = (context.program, call.node.document().source());
    let mut names = program.prefixes(unit).into_iter().map(|(prefix, _)| format!("{prefix}:{}", call.name));
    names.find(|name| program.resolve(unit, FUNCTIONS, program.interner.intern(name)).id().is_some())
}

fn signatures<'a>(judge: &Judge<'_, 'a>, id: Id<FunctionDefinition>) -> Vec<&'a Signature> {
    let signatures = signature::signatures(judge.context, id);
    signatures.into_iter().filter_map(|id| judge.context.get(id)).collect()
}

/// Returns the first signature that the arguments match.
fn fitting<'a>(
    judge: &mut Judge<'_, 'a>,
    arguments: &[Argument<'a>],
    signatures: &[&'a Signature],
) -> Option<&'a Signature> {
    signatures.iter().find(|signature| fits_signature(judge, arguments, signature)).copied()
}

/// Finds the signature that a call matches, or reports a call without a matching signature.
fn check_signatures<'a>(
    judge: &mut Judge<'_, 'a>,
    call: Call<'a>,
    arguments: &[Argument<'a>],
    id: Id<FunctionDefinition>,
) -> StaticResult<'a> {
    let signatures = signatures(judge, id);
    if let Some(signature) = fitting(judge, arguments, &signatures) {
        let result = signature.result.and_then(|id| Some((id, judge.context.get(id)?)));
        return result
            .map_or(StaticResult::Nothing, |(id, result)| StaticResult::Schema(result.schema(judge.context, id)));
    }
    if signatures.is_empty() {
        return StaticResult::Nothing;
    }
    // Types only matter if the number of arguments is correct.
    let is_of_number = |signature: &&Signature| {
        let needed = signature.arguments.len();
        let most = needed + signature.optional_arguments.len();
        arguments.len() >= needed && (arguments.len() <= most || signature.variadic.is_some())
    };
    let what = if signatures.iter().any(is_of_number) { given(judge, arguments) } else { count(arguments.len()) };
    let message = format!("no signature of `${}` fits {what}", call.name);
    let defined = judge.context.program.name_span(id.any());
    let forms: Vec<String> = signatures.iter().map(|signature| form(judge, signature)).collect();
    judge
        .problem(&rules::NO_SIGNATURE, call.node, message)
        .related(defined, "signatures")
        .help(format!("it takes {}", forms.join(", or ")));
    StaticResult::Nothing
}

/// Returns the given arguments, as text.
fn given(judge: &Judge<'_, '_>, arguments: &[Argument<'_>]) -> String {
    let kinds = arguments.iter().map(|argument| argument.known.kind(judge.context).map(DataKind::with_article));
    match kinds.collect::<Option<Vec<&str>>>().as_deref() {
        Some([only]) => (*only).to_owned(),
        Some([first @ .., last]) => format!("{} and {last}", first.join(", ")),
        _ => count(arguments.len()),
    }
}

/// Returns the parameters of a signature, as text.
fn form(judge: &Judge<'_, '_>, signature: &Signature) -> String {
    let context = &judge.context;
    let name = |id: &Id<SchemaDefinition>| {
        let of_type = context.get(*id).and_then(|definition| definition.r#type);
        of_type.map_or_else(|| "anything".to_owned(), |of_type| format!("`{}`", context.text(of_type.name)))
    };
    let needed = signature.arguments.iter().map(name);
    let optional = signature.optional_arguments.iter().map(|id| format!("optionally {}", name(id)));
    let mut takes: Vec<String> = needed.chain(optional).collect();
    if signature.variadic.as_ref().is_some_and(|variadic| variadic.value) {
        takes.push(if takes.is_empty() { "anything" } else { "any number of the last" }.to_owned());
    }
    if takes.is_empty() { "nothing".to_owned() } else { takes.join(", ") }
}

fn fits_signature<'a>(judge: &mut Judge<'_, 'a>, arguments: &[Argument<'a>], signature: &Signature) -> bool {
    let (needed, optional) = (&signature.arguments, &signature.optional_arguments);
    let is_variadic = signature.variadic.as_ref().is_some_and(|variadic| variadic.value);
    let parameters: Vec<Id<SchemaDefinition>> = needed.iter().chain(optional).copied().collect();
    if parameters.is_empty() {
        return is_variadic || arguments.is_empty();
    }
    arguments.len() >= needed.len()
        && (is_variadic || arguments.len() <= parameters.len())
        && arguments.iter().enumerate().all(|(index, argument)| {
            let parameter = parameters.get(index).or(parameters.last());
            parameter.is_none_or(|parameter| fits_parameter(judge, argument, *parameter))
        })
}

fn fits_parameter<'a>(judge: &mut Judge<'_, 'a>, argument: &Argument<'a>, parameter: Id<SchemaDefinition>) -> bool {
    let Some(definition) = judge.context.get(parameter) else { return true };
    let wanted = definition.schema(judge.context, parameter);
    if matches!(judge.shape(argument.node), Shape::Literal) {
        return argument.is_broken || judge.is_fit(argument.node, &wanted);
    }
    match &argument.known {
        StaticResult::Schema(found) => wanted.may_hold(judge.context, found),
        known => match (wanted.kind(judge.context), known.kind(judge.context)) {
            (Some(wanted), Some(found)) => wanted == found || wanted == DataKind::Float && found == DataKind::Integer,
            _ => true,
        },
    }
}
