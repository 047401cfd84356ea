//! What can be known of calls of functions before anything is run.

use super::super::definition::{FunctionDefinition, ParameterDefinition, SchemaDefinition};
use super::super::section::{FUNCTIONS, INPUTS, SERVICE_FUNCTIONS};
use super::super::version::V2_0;
use super::call::{Call, Shape};
use super::function::{self, Function, Outcome, Parameter};
use super::judge::Judge;
use super::{DataKind, Schema, Typed, path};
use crate::ard::{Kind, Node};
use crate::diagnostic::suggest::nearest;
use crate::entity::{AnyId, Id, Members};
use crate::phase::Explain;
use crate::phase::namespace::Resolution;
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
}

impl Known<'_> {
    pub(super) fn kind(&self, judge: &Judge<'_, '_>) -> Option<DataKind> {
        match self {
            Self::Nothing => None,
            Self::Kind(kind) => Some(*kind),
            Self::Schema(schema) => schema.kind(judge.context),
        }
    }
}

/// Checks a call, and says what is known of its result.
pub(super) fn check_call<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) -> Known<'a> {
    if judge.version(call.node) < V2_0 {
        return Known::Nothing;
    }
    match function::find(call.name) {
        Some(function) => check_built_in(judge, call, function),
        None => check_custom(judge, call),
    }
}

/// Compares what is known of a result with what is wanted in its place.
pub(super) fn check_result<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, known: &Known<'a>, wanted: &Schema<'a>) {
    let (Some(wanted_type), Some(found)) = (wanted.data_type, known.kind(judge)) else { return };
    let kind = DataKind::of(judge.context, wanted_type);
    let fits = match (kind, found) {
        (DataKind::Float, DataKind::Integer) => true,
        (DataKind::Complex, DataKind::Complex) => match known {
            Known::Schema(Schema { data_type: Some(found), .. }) => {
                let program = judge.context.program;
                program.may_be_a(found.any(), wanted_type.any()) || program.may_be_a(wanted_type.any(), found.any())
            }
            _ => true,
        },
        (wanted, found) => wanted == found,
    };
    if !fits {
        let found = match known {
            Known::Schema(schema) => format!("a `{}`", schema.type_name(judge.context)),
            _ => found.with_article().to_owned(),
        };
        let message = format!(
            "{} is of type `{}`, but `${}` gives {found}",
            wanted.title(judge.context),
            wanted.type_name(judge.context),
            call.name
        );
        let defined = wanted.definition.and_then(|definition| judge.context.program.name_span(definition));
        judge.problem(&rules::RESULT_TYPE, call.node, message).related(defined, "defined here");
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
        _ if function.name == "get_artifact" => {
            path::check_artifact(judge, call, &arguments);
            return Known::Kind(DataKind::String);
        }
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

fn count(arguments: usize) -> String {
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

/// Checks the arguments of a function one by one and against each other.
fn check_arguments<'a>(
    judge: &mut Judge<'_, 'a>,
    call: Call<'a>,
    function: &'static Function,
    arguments: &[Node<'a>],
) -> Vec<Known<'a>> {
    let parameters = function.parameters.iter().chain(function.optional).copied();
    let parameters = parameters.chain(std::iter::repeat(function.rest.unwrap_or(Parameter::Any)));
    let calls: Vec<Option<Known<'a>>> =
        arguments.iter().map(|argument| check_argument_call(judge, *argument)).collect();
    // Literals take their meaning from the calls that they are compared with: `15 cm` is a length if `$value` is one.
    let model = calls.iter().flatten().find(|known| known.kind(judge).is_some()).copied();
    let is_comparison = matches!(function.parameters.first(), Some(Parameter::Comparable))
        || matches!(function.name, "equal" | "valid_values");
    let mut known = Vec::with_capacity(arguments.len());
    for ((argument, of_call), parameter) in arguments.iter().zip(calls).zip(parameters) {
        let of_argument = match of_call {
            Some(known) => known,
            None if is_comparison => check_compared_literal(judge, *argument, model.as_ref(), parameter),
            None => check_literal(judge, *argument),
        };
        let kind = of_argument.kind(judge);
        // A literal that is compared with a call has been checked as one of its type.
        let is_checked = is_comparison && of_call.is_none() && model.is_some();
        if let Some(kind) = kind.filter(|kind| !is_checked && !parameter.accepts(*kind)) {
            let message =
                format!("`${}` needs {} here, not {}", call.name, parameter.with_article(), kind.with_article());
            judge
                .problem(&rules::ARGUMENT_TYPE, *argument, message)
                .help(format!("`${}` takes {}", call.name, function.usage));
        }
        known.push(of_argument);
    }
    if is_comparison && function.name != "valid_values" {
        check_compared_calls(judge, call, &known);
    }
    known
}

/// What is known of an argument that is a call; nothing if it is a literal.
fn check_argument_call<'a>(judge: &mut Judge<'_, 'a>, argument: Node<'a>) -> Option<Known<'a>> {
    match judge.shape(argument) {
        Shape::Call(call) => Some(check_call(judge, call)),
        Shape::Malformed(_) => {
            judge.check(argument, &Schema::of_type(None));
            Some(Known::Nothing)
        }
        Shape::Literal => None,
    }
}

fn check_literal<'a>(judge: &mut Judge<'_, 'a>, argument: Node<'a>) -> Known<'a> {
    judge.check(argument, &Schema::of_type(None));
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

/// A literal that is compared with something known must be one of its type (decision A 51).
fn check_compared_literal<'a>(
    judge: &mut Judge<'_, 'a>,
    argument: Node<'a>,
    model: Option<&Known<'a>>,
    parameter: Parameter,
) -> Known<'a> {
    let Some(model) = model else { return check_literal(judge, argument) };
    let is_list = parameter == Parameter::List;
    let literals: Vec<Node<'a>> = if is_list { argument.items().collect() } else { vec![argument] };
    for literal in literals {
        if check_argument_call(judge, literal).is_some() {
            continue;
        }
        let Some(wanted) = model.kind(judge) else { continue };
        let fits = match (wanted, literal_kind(literal)) {
            (DataKind::Float, DataKind::Integer) | (DataKind::Integer, DataKind::Float) => true,
            (DataKind::Complex, DataKind::Map) => true,
            // Texts with a grammar are checked as such.
            (DataKind::Scalar | DataKind::Version | DataKind::Timestamp | DataKind::Bytes, DataKind::String) => {
                if let Known::Schema(schema) = model {
                    judge.check(literal, &Schema::of_type(schema.data_type));
                }
                true
            }
            (wanted, found) => found == wanted,
        };
        if !fits {
            let message =
                format!("{} is compared with {}", wanted.with_article(), crate::phase::read::with_article(literal));
            judge.problem(&rules::COMPARED_TYPES, literal, message);
        }
    }
    if is_list { Known::Kind(DataKind::List) } else { *model }
}

fn check_compared_calls<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, known: &[Known<'a>]) {
    let kinds: Vec<DataKind> = known.iter().filter_map(|known| known.kind(judge)).collect();
    if let [first, second] = kinds[..] {
        let are_numbers = [first, second].iter().all(|kind| matches!(kind, DataKind::Integer | DataKind::Float));
        if first != second && !are_numbers {
            let message = format!("{} is compared with {}", first.with_article(), second.with_article());
            judge.problem(&rules::COMPARED_TYPES, call.node, message);
        }
    }
}

fn check_look_up<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, arguments: &[Node<'a>]) -> Known<'a> {
    match call.name {
        "get_input" => check_input(judge, call, arguments),
        "get_property" => path::check(judge, call, arguments, path::Sought::Property),
        "get_attribute" => path::check(judge, call, arguments, path::Sought::Attribute),
        _ => path::check(judge, call, arguments, path::Sought::Allocation),
    }
}

/// An input of the workflow or of the service (decision A 24).
fn check_input<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, arguments: &[Node<'a>]) -> Known<'a> {
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
        Ok(schema) => path::nested(judge, schema, &arguments[1..]),
        Err(names) => {
            let place = judge.place;
            let is_workflow = place.workflow(judge.context).is_some();
            let message = format!("there is no input `{}`", name.text());
            let help = match nearest(name.text(), names.iter().copied()) {
                Some(near) => Some(format!("did you mean `{near}`?")),
                None if names.is_empty() => Some(format!("declare it: `inputs: {{ {}: {{ type: … }} }}`", name.text())),
                None => Some(format!("the inputs are {}", crate::phase::read::quoted_list(&names))),
            };
            let rule = if is_workflow { &rules::UNKNOWN_WORKFLOW_INPUT } else { &rules::UNKNOWN_INPUT };
            // Types do not know in which service they will be used.
            if place.is_in_service(judge.context) {
                judge.problem(rule, name, message).help_if(help);
            }
            let _ = call;
            Known::Nothing
        }
    }
}

/// What an input is like; or the names of those that there are.
pub(super) fn input<'a>(judge: &Judge<'_, 'a>, name: &str) -> Result<Schema<'a>, Vec<&'a str>> {
    let context = &judge.context;
    let symbol = context.program.interner.get(name);
    let workflow = judge.place.workflow(context).and_then(|workflow| context.get(workflow));
    let of_workflow: Option<&'a Members<ParameterDefinition>> = workflow.map(|workflow| &workflow.inputs);
    let id = symbol.and_then(|symbol| {
        of_workflow
            .and_then(|inputs| inputs.get(symbol))
            .or_else(|| context.resolve(judge.place.at, INPUTS, symbol).id()?.cast())
    });
    if let Some((id, definition)) = id.and_then(|id: Id<ParameterDefinition>| Some((id, context.get(id)?))) {
        return Ok(definition.schema(context, id));
    }
    let mut names: Vec<&str> =
        context.program.visible(judge.place.at.unit, INPUTS).into_iter().map(|(name, _)| name).collect();
    names.extend(of_workflow.into_iter().flat_map(Members::iter).map(|(name, _)| context.text(name)));
    names.sort_unstable();
    Err(names)
}

/// The input that a call of `$get_input` gets, if it may have no value.
pub(super) fn optional_input(judge: &Judge<'_, '_>, call: Call<'_>) -> Option<AnyId> {
    let name = call.arguments().first().copied().filter(|_| call.name == "get_input")?;
    let definition = input(judge, name.text()).ok()?.definition?;
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

/// A function that the service, the file or an import defines (2.0, 10.4).
fn check_custom<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) -> Known<'a> {
    let arguments = call.arguments();
    let known: Vec<Known<'a>> = arguments
        .iter()
        .map(|argument| match check_argument_call(judge, *argument) {
            Some(known) => known,
            None => check_literal(judge, *argument),
        })
        .collect();
    let symbol = judge.context.intern(call.name);
    let at = judge.place.at;
    // Refinements within the service come first, but the results are those of what they refine.
    let mut found = Resolution::Unknown;
    for section in [FUNCTIONS, SERVICE_FUNCTIONS] {
        let resolution = judge.context.program.resolve(call.node.document().source(), section, symbol);
        let resolution = match resolution {
            Resolution::Unknown => judge.context.resolve(at, section, symbol),
            found => found,
        };
        match resolution {
            Resolution::Unknown => {}
            Resolution::Unreadable if found == Resolution::Unknown => found = resolution,
            Resolution::Unreadable => {}
            resolution => {
                let id = resolution.id().and_then(AnyId::cast::<FunctionDefinition>);
                return match id {
                    Some(id) => check_signatures(judge, call, &arguments, &known, id),
                    None => Known::Nothing,
                };
            }
        }
    }
    if found == Resolution::Unknown {
        unknown_function(judge, call);
    }
    Known::Nothing
}

fn unknown_function(judge: &mut Judge<'_, '_>, call: Call<'_>) {
    let context = &judge.context;
    let custom = context.program.visible(call.node.document().source(), FUNCTIONS).into_iter().map(|(name, _)| name);
    let names: Vec<&str> = function::FUNCTIONS.iter().map(|function| function.name).chain(custom).collect();
    let help = match nearest(call.name, names.iter().copied()) {
        Some(near) => format!("did you mean `${near}`?"),
        None => match call.name {
            "in_range" => "write `$and` of `$greater_or_equal` and `$less_or_equal`".to_owned(),
            name => format!("define it under `functions`, or write `$${name}` if it is just a text"),
        },
    };
    judge
        .problem(&rules::UNKNOWN_FUNCTION, call.name_node, format!("there is no function `${}`", call.name))
        .help(help);
}

/// Finds the signature that a call fits.
fn check_signatures<'a>(
    judge: &mut Judge<'_, 'a>,
    call: Call<'a>,
    arguments: &[Node<'a>],
    known: &[Known<'a>],
    id: Id<FunctionDefinition>,
) -> Known<'a> {
    let Some(function) = judge.context.get(id) else { return Known::Nothing };
    let signatures: Vec<_> = function.signatures.items.iter().filter_map(|id| judge.context.get(*id)).collect();
    for signature in &signatures {
        let (needed, optional) = (&signature.arguments.items, &signature.optional_arguments.items);
        let is_variadic = signature.variadic.as_ref().is_some_and(|variadic| variadic.value);
        let is_free = needed.is_empty() && optional.is_empty() && is_variadic;
        let parameters: Vec<Id<SchemaDefinition>> = needed.iter().chain(optional).copied().collect();
        let fits_in_number = arguments.len() >= needed.len() && (is_variadic || arguments.len() <= parameters.len());
        let fits = is_free
            || fits_in_number
                && arguments.iter().zip(known).enumerate().all(|(index, (argument, known))| {
                    let parameter = parameters.get(index).or(parameters.last());
                    parameter.is_none_or(|parameter| fits_parameter(judge, *argument, known, *parameter))
                });
        if fits {
            let result = signature.result.0.and_then(|id| Some((id, judge.context.get(id)?)));
            return result.map_or(Known::Nothing, |(id, result)| Known::Schema(result.schema(judge.context, id)));
        }
    }
    if signatures.is_empty() {
        return Known::Nothing;
    }
    let message = format!("no signature of `${}` fits {}", call.name, count(arguments.len()));
    let defined = judge.context.program.name_span(id.any());
    judge.problem(&rules::NO_SIGNATURE, call.node, message).related(defined, "the signatures are here");
    Known::Nothing
}

fn fits_parameter<'a>(
    judge: &Judge<'_, 'a>,
    argument: Node<'a>,
    known: &Known<'a>,
    parameter: Id<SchemaDefinition>,
) -> bool {
    let Some(definition) = judge.context.get(parameter) else { return true };
    let wanted = definition.schema(judge.context, parameter);
    let (Some(wanted), Some(found)) = (wanted.kind(judge.context), known.kind(judge)) else { return true };
    let is_literal = matches!(judge.shape(argument), Shape::Literal);
    match (wanted, found) {
        (DataKind::Float, DataKind::Integer) => true,
        // Texts with a grammar, and maps, are literals that nothing is known of yet.
        (DataKind::Complex, DataKind::Map)
        | (DataKind::Scalar | DataKind::Version | DataKind::Timestamp | DataKind::Bytes, DataKind::String) => {
            is_literal
        }
        (wanted, found) => wanted == found,
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
                judge.problem(&rules::NOT_A_CONDITION, node, message);
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
