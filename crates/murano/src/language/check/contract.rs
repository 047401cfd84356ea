//! Contracts: whether a value can fulfill them and whether defaults do.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use tosca_parse::diagnostic::{Help, Span};
use tosca_parse::entity::Id;
use tosca_parse::phase::{Context, DiagnosticExt as _};
use tosca_parse_yaql::{Argument, Expr, Kind, Name, Operator, Value};

use foldhash::{HashMap, HashSet};

use super::super::class::Class;
use super::super::code::{Code, dotted, each_expression, part_of};
use super::super::member::{Argument as Parameter, Property};
use super::super::model::never_read;
use super::super::rules;
use super::super::signature::is_demanded;
use super::body::{always_set, named_by_functions};
use super::call::Place;
use super::chain::wanted;
use super::expression::{Dollar, Expressions, This};
use super::functions::Functions;
use super::statics::is_static;
use super::view::{View, own_methods};
use crate::class::PropertyUsage;
use crate::contract::{self, Mode, Scope};
use crate::error::{Kind as Failure, failure};
use crate::object::type_value;
use crate::runtime::Runtime;
use crate::template::{Content, Template};

/// Checks a contract and the default that belongs to it.
pub(super) fn check(contract: &Code, default: &Code, context: &mut Context<'_>) {
    let (Some(template), Some(position)) = (contract.template(), contract.position()) else { return };
    let Some(unit) = context.program.unit(position.unit) else { return };
    let functions = Functions::all();
    each_expression(template, &mut |written, expression| {
        let mut links = vec![expression.root()];
        while let Some(link) = links.pop() {
            match &link.kind {
                Kind::Attribute { receiver, name, name_span, .. } => {
                    if is_value(receiver) && contract::is_contract(name) {
                        let at = part_of(unit.document.text(), unit.id, written, expression, name_span);
                        let message = format!("`{name}` reads a property of the value: the contract lacks parentheses");
                        let help = Help::write(format!("{name}()"));
                        context.problem(&rules::INVALID_CONTRACT, Some(at), message).help(help);
                    }
                    links.push(receiver);
                }
                Kind::Method { receiver, name, name_span, arguments, .. } => {
                    let at = part_of(unit.document.text(), unit.id, written, expression, name_span);
                    if is_value(receiver) {
                        counted(context, name, arguments, at);
                    }
                    if &**name == "template" && is_value(receiver) {
                        let place =
                            |span: &Range<u32>| part_of(unit.document.text(), unit.id, written, expression, span);
                        let mut named = contract.types().iter();
                        let named = named.find(|named| (written.start..written.end).contains(&named.span.start));
                        if let Some(class) = named.and_then(|named| context.target(named.class)) {
                            excluded(context, class, arguments, &place);
                        }
                    }
                    if !functions.has_method(name) && is_value(receiver) {
                        let methods = kind_of(receiver).map(|kind| functions.methods_of(kind)).unwrap_or_default();
                        let names = methods.into_iter().chain(ARGUMENTS.iter().map(|(name, ..)| *name));
                        let near = context.suggestions().nearest(name, names);
                        let help = near.map_or_else(|| "correct the name".into(), Help::did_you_mean);
                        let message = format!("there is no contract `{name}`");
                        context.problem(&rules::UNKNOWN_METHOD, Some(at), message).help(help);
                    }
                    links.push(receiver);
                }
                // Alternatives, such as `$.int() or 5`.
                Kind::Binary(_, left, right) => links.extend([right, left]),
                _ => {}
            }
        }
    });
    let place = |part: &Template| Span { source: unit.id, start: part.span.start, end: part.span.end };
    template.each(&mut |part| match &part.content {
        Content::Map(entries) => {
            let mut expressions = entries.iter().map(|(key, _)| key).filter(|key| key.as_yaql().is_some());
            if let (Some(first), Some(second)) = (expressions.next(), expressions.next()) {
                let message = "a contract for maps can have only one key that is an expression";
                context
                    .problem(&rules::INVALID_CONTRACT, Some(place(second)), message)
                    .related(Some(place(first)), "first expression")
                    .help("remove one of the expressions");
            }
        }
        Content::List(items) => {
            if let [.., Template { content: Content::Integer(least), .. }, last] = items.as_slice()
                && let Content::Integer(most) = &last.content
                && least > most
            {
                let message = format!("no list has at least {least} and at most {most} items");
                context
                    .problem(&rules::INVALID_CONTRACT, Some(place(last)), message)
                    .help("write the smaller number first");
            }
        }
        _ => {}
    });
    each_expression(template, &mut |at, expression| {
        if let Some((part, message)) = impossible(expression.root()) {
            let at = part_of(unit.document.text(), unit.id, at, expression, part);
            context.problem(&rules::INVALID_CONTRACT, Some(at), message).help("correct the bounds");
        }
    });
    if let Some(name) = template.as_str().filter(|text| contract::is_contract(text)) {
        let message = format!("`{name}` is text, so the contract accepts no other value");
        context
            .problem(&rules::INVALID_CONTRACT, Some(place(template)), message)
            .help(Help::write(format!("$.{name}()")));
    }
    // A contract in quotes has been reported.
    let is_quoted = template.as_str().is_some_and(|text| text.starts_with('$'));
    let reason = |default| {
        let simple = broken(template, default).or_else(|| not_an_object(contract.template()?, default));
        simple.or_else(|| broken_object(context, contract, default, OBJECTS))
    };
    if let Some(reason) = default.template().filter(|_| !is_quoted).and_then(reason) {
        let at = default.position().and_then(|position| context.span(position));
        let contract = context.span(position);
        context
            .problem(&rules::BROKEN_DEFAULT, at, format!("the default breaks its contract: {reason}"))
            .related(contract, "violated contract")
            .help("correct or remove the default");
    }
    if let (Some(object), Some(position), false) = (default.template(), default.position(), is_quoted) {
        let Some(source) = context.program.unit(position.unit).map(|unit| unit.id) else { return };
        for (key, class) in ignored(context, contract, object, OBJECTS) {
            let name = key.as_str().unwrap_or_default();
            let Some(declared) = context.get(class) else { continue };
            let at = Span { source, start: key.span.start, end: key.span.end };
            let property = context.program.interner.get(name).and_then(|name| declared.properties.get(name));
            if let Some(property) = property.and_then(|property| context.get(property)) {
                never_read(property, name, at, context);
                continue;
            }
            let known = declared.properties.iter().map(|(name, _)| context.text(name));
            let help = context.did_you_mean(name, known, "its properties are");
            let message = format!("{} has no property `{name}`: the value is ignored", context.describe(class.any()));
            context.problem(&rules::IGNORED_PROPERTY, Some(at), message).help_if(help);
        }
    }
}

/// The contract functions, each with its minimum and maximum number of arguments.
const ARGUMENTS: [(&str, usize, usize); 9] = [
    ("notNull", 0, 0),
    ("int", 0, 0),
    ("string", 0, 0),
    ("bool", 0, 0),
    ("owned", 0, 0),
    ("notOwned", 0, 0),
    ("check", 1, 2),
    ("class", 1, 3),
    ("template", 1, 4),
];

/// Reports a contract with too few or too many arguments.
fn counted(context: &mut Context<'_>, name: &str, arguments: &[Argument], at: Span) {
    let Some((_, least, most)) = ARGUMENTS.iter().find(|(known, ..)| *known == name) else { return };
    if (*least..=*most).contains(&arguments.len()) {
        return;
    }
    let takes = match (least, most) {
        (0, 0) => "no arguments".to_owned(),
        _ => format!("{least} to {most} arguments"),
    };
    let message = format!("contract `{name}` takes {takes}, but has {}", arguments.len());
    let help = if arguments.len() > *most { "remove the surplus arguments" } else { "add the missing arguments" };
    context.problem(&rules::WRONG_ARGUMENTS, Some(at), message).help(help);
}

/// Reports names in `excludeProperties` that no property of the class has.
fn excluded(context: &mut Context<'_>, class: Id<Class>, arguments: &[Argument], place: Place<'_>) {
    let list = arguments.iter().find_map(|argument| match argument {
        Argument::Mapping(key, value) if key.as_text().is_some_and(|key| **key == *"excludeProperties") => Some(value),
        _ => None,
    });
    let Some(Kind::List(items)) = list.map(|list| &list.kind) else { return };
    for item in items {
        let Argument::Positional(item) = item else { continue };
        if let Some(path) = dotted(item) {
            let message = format!("`{path}` lacks quotes, so it is read as properties of a string");
            let help = Help::write(format!("'{path}'"));
            context.problem(&rules::UNKNOWN_PROPERTY, Some(place(&item.span)), message).help(help);
        } else if let Some(path) = item.as_text() {
            excluded_path(context, class, path, place(&item.span));
        }
    }
}

/// Reports the first name on a path of properties, such as `network.name`, that its class does not have.
fn excluded_path(context: &mut Context<'_>, class: Id<Class>, path: &str, at: Span) {
    let mut class = class;
    for name in path.split('.') {
        let is_whole = context.is_complete(class.any()) && !context.program.is_open(class.unit);
        let Some(declared) = context.get(class).filter(|_| is_whole) else { return };
        let property = context.program.interner.get(name).and_then(|name| declared.properties.get(name));
        if let Some(property) = property.and_then(|property| context.get(property)) {
            match wanted(&property.contract).and_then(|wanted| context.target(wanted)) {
                Some(next) => class = next,
                None => return,
            }
            continue;
        }
        let known = declared.properties.iter().map(|(name, _)| context.text(name));
        let help = context.did_you_mean(name, known, "its properties are");
        let message = format!("{} has no property `{name}` to exclude", context.describe(class.any()));
        context
            .problem(&rules::WRONG_ARGUMENTS, Some(at), message)
            .help(help.unwrap_or_else(|| "remove the name".into()));
        return;
    }
}

/// Checks the code in the contracts and defaults of a class and of the arguments of its methods.
pub(super) fn code<'a>(view: &View<'a>, context: &mut Context<'a>, class: Id<Class>) {
    let Some(own) = context.program.raw_as(class) else { return };
    for (_, property) in own.properties.iter() {
        let Some(property) = context.program.raw_as::<Property>(property) else { continue };
        let this = if property.is_static() { This::Type } else { This::Object };
        code_of(view, context, &property.contract, Dollar::Value, this);
        code_of(view, context, &property.default, Dollar::This, this);
    }
    for (_, method) in own_methods(context, class) {
        let this = if is_static(method) { This::Type } else { This::Object };
        for (_, argument) in &method.arguments {
            let Some(argument) = context.program.raw_as::<Parameter>(*argument) else { continue };
            code_of(view, context, &argument.contract, Dollar::Value, this);
            code_of(view, context, &argument.default, Dollar::This, this);
        }
    }
}

fn code_of<'a>(view: &View<'a>, context: &mut Context<'a>, code: &'a Code, dollar: Dollar, this: This) {
    let (Some(template), Some(position)) = (code.template(), code.position()) else { return };
    let Some(unit) = context.program.unit(position.unit) else { return };
    each_expression(template, &mut |at, expression| {
        let named = code.types().iter().find(|named| (at.start..at.end).contains(&named.span.start));
        let is_object = dollar == Dollar::Value && is_chain_of_class(expression.root());
        let value = named.filter(|_| is_object).and_then(|named| context.target(named.class));
        let (mut variables, classes, loggers) = (always_set(), HashMap::default(), HashSet::default());
        named_by_functions(expression.root(), &mut variables);
        let (variables, sorted) = (Some(variables), OnceCell::new());
        let scalar = checked_scalar(expression.root());
        let types = code.types();
        let in_contract = dollar == Dollar::Value;
        let expressions =
            Expressions { view, unit, types, variables, sorted, classes, loggers, value, scalar, this, in_contract };
        expressions.one(context, (at, expression), dollar);
    });
}

/// Returns the kind of the value of the first `check(…)` in a chain of contracts, if it is a scalar.
fn checked_scalar(link: &Expr) -> Option<&'static str> {
    let Kind::Method { receiver, name, .. } = &link.kind else { return None };
    let own = || kind_of(receiver).filter(|kind| *kind != AN_OBJECT && &**name == "check" && !has_check(receiver));
    checked_scalar(receiver).or_else(own)
}

/// Returns whether there is a `check(…)` in a chain of contracts.
fn has_check(link: &Expr) -> bool {
    matches!(&link.kind, Kind::Method { receiver, name, .. } if &**name == "check" || has_check(receiver))
}

/// Returns whether a contract begins with `$.class(…)`.
fn is_chain_of_class(link: &Expr) -> bool {
    match &link.kind {
        Kind::Method { receiver, name, .. } if &**name == "class" => {
            matches!(receiver.kind, Kind::Variable(Name::Position(1)))
        }
        Kind::Method { receiver, .. } => is_chain_of_class(receiver),
        _ => false,
    }
}

/// Returns whether a path of names and indices ends in the data of a contract, rather than in an object.
pub(super) fn is_data(contract: &Template, steps: usize) -> bool {
    match (&contract.content, steps) {
        (Content::List(_) | Content::Map(_), 0 | 1) => true,
        (Content::List(items), _) => !items.is_empty() && items.iter().all(|item| is_data(item, steps - 1)),
        (Content::Map(entries), _) => !entries.is_empty() && entries.iter().all(|(_, item)| is_data(item, steps - 1)),
        (Content::Yaql(_), _) => kind(contract).is_some_and(|kind| kind != AN_OBJECT),
        _ => true,
    }
}

/// Returns whether an expression is the value of a contract, with or without other contracts applied to it.
fn is_value(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Variable(Name::Position(1)) => true,
        Kind::Method { receiver, .. } => is_value(receiver),
        _ => false,
    }
}

/// Returns the condition of a contract that no number fulfills, because its bounds exclude each other.
fn impossible(expr: &Expr) -> Option<(&Range<u32>, String)> {
    let Kind::Method { receiver, name, arguments, .. } = &expr.kind else { return None };
    let own = match arguments.first() {
        Some(Argument::Positional(condition)) if &**name == "check" => {
            let mut bounds = (None, None);
            bounds_of(condition, &mut bounds);
            match bounds {
                (Some((least, is_open)), Some((most, is_also_open)))
                    if least > most || least == most && (is_open || is_also_open) =>
                {
                    let (more, less) = (
                        if is_open { "more than" } else { "at least" },
                        if is_also_open { "less than" } else { "at most" },
                    );
                    Some((&condition.span, format!("no number is {more} {least} and {less} {most}")))
                }
                _ => None,
            }
        }
        _ => None,
    };
    own.or_else(|| impossible(receiver))
}

/// A bound and whether it excludes the number itself.
type Bound = Option<(i64, bool)>;

/// Finds the least and the greatest number that a condition allows, as far as it compares `$` with integers.
fn bounds_of(expr: &Expr, (least, most): &mut (Bound, Bound)) {
    let Kind::Binary(operator, left, right) = &expr.kind else { return };
    if *operator == Operator::And {
        let mut bounds = (*least, *most);
        bounds_of(left, &mut bounds);
        bounds_of(right, &mut bounds);
        (*least, *most) = bounds;
        return;
    }
    let is_value = |side: &Expr| matches!(&side.kind, Kind::Variable(Name::Position(1)));
    let (number, is_flipped) = match (is_value(left), number(left), is_value(right), number(right)) {
        (true, _, _, Some(number)) => (number, false),
        (_, Some(number), true, _) => (number, true),
        _ => return,
    };
    let (is_least, is_open) = match operator {
        Operator::Greater => (!is_flipped, true),
        Operator::GreaterOrEqual => (!is_flipped, false),
        Operator::Less => (is_flipped, true),
        Operator::LessOrEqual => (is_flipped, false),
        _ => return,
    };
    let bound = if is_least { least } else { most };
    let is_narrower = bound.is_none_or(|(other, _)| if is_least { number > other } else { number < other });
    if is_narrower || bound.is_some_and(|(other, _)| other == number) && is_open {
        *bound = Some((number, is_open));
    }
}

fn number(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        Kind::Constant(constant) => Value::from(constant).as_i64(),
        _ => None,
    }
}

thread_local! {
    /// The runtime for contracts that name no classes.
    static RUNTIME: Option<Rc<Runtime>> = Runtime::builder().build().ok();
}

/// Returns why a constant text violates a contract, if it can be decided without objects and classes.
pub(super) fn broken_by_text(contract: &Template, expr: &Expr) -> Option<String> {
    let text = expr.as_text()?.clone();
    broken(contract, &Template { content: Content::String(text), span: contract.span.clone() })
}

/// Returns why a default violates its contract, if it can be decided without objects and classes.
fn broken(contract: &Template, default: &Template) -> Option<String> {
    let mut is_plain = true;
    each_expression(default, &mut |_, _| is_plain = false);
    each_expression(contract, &mut |_, expression| is_plain &= needs_nothing(expression.root()));
    if !is_plain {
        return None;
    }
    let runtime = RUNTIME.with(Clone::clone)?;
    let class = runtime.find_class(0, "io.murano.Object").ok()?;
    let scope = Scope::new(Mode::Transform);
    let result = contract::apply(&runtime, &class, &type_value(&class), contract, default.raw_value(), scope);
    let error = result.err()?;
    let is_violation = failure(&error).is_some_and(|failure| failure.kind == Failure::ContractViolation);
    is_violation.then(|| error.message().to_owned())
}

/// Returns whether a contract names a default class for values: `$.class(One, Other)`.
fn names_default_class(link: &Expr) -> bool {
    match &link.kind {
        Kind::Method { name, arguments, .. } if &**name == "class" => arguments.len() > 1,
        Kind::Method { receiver, .. } => names_default_class(receiver),
        _ => false,
    }
}

/// The maximum nesting of objects in a default.
const OBJECTS: usize = 16;

/// Returns why a default, or an item in it, is no object, although its contract wants one.
fn not_an_object(contract: &Template, default: &Template) -> Option<String> {
    match (&contract.content, &default.content) {
        (Content::Yaql(expression), content) if is_chain_of_class(expression.root()) => match content {
            Content::Null => is_demanded(Some(contract)).then(|| "null value violates notNull() contract".to_owned()),
            Content::List(_) | Content::Integer(_) | Content::Float(_) | Content::Boolean(_) => {
                Some("it is not an object".to_owned())
            }
            _ => None,
        },
        (Content::List(contracts), Content::List(items)) => {
            let (contract, bounds) = contracts.split_first()?;
            let is_bound = |bound: &Template| matches!(bound.content, Content::Integer(_));
            let reason = || items.iter().find_map(|item| not_an_object(contract, item));
            bounds.iter().all(is_bound).then(reason)?.map(|reason| format!("in its list, {reason}"))
        }
        (Content::Map(contracts), Content::Map(entries)) => entries.iter().find_map(|(key, value)| {
            let name = key.as_str()?;
            let (_, contract) = contracts.iter().find(|(known, _)| known.as_str() == Some(name))?;
            not_an_object(contract, value).map(|reason| format!("at `{name}`, {reason}"))
        }),
        _ => None,
    }
}

/// Returns why the default of an object violates the contracts of its class, if it is clear without running code.
fn broken_object(context: &Context<'_>, contract: &Code, default: &Template, depth: usize) -> Option<String> {
    let (class, declared, _) = object_of(context, contract, default, depth)?;
    declared.properties.iter().find_map(|(symbol, id)| {
        let name = context.text(symbol);
        let property = context.get(id)?;
        let template = property.contract.template()?;
        let is_input = property.is_input();
        let given = default.get(name).filter(|_| is_input);
        let reason = match given {
            Some(value) => {
                let simple = broken(template, value).or_else(|| not_an_object(template, value));
                simple.or_else(|| broken_object(context, &property.contract, value, depth - 1))
            }
            None if is_input && !property.default.is_given() => {
                is_demanded(Some(template)).then(|| "null value violates notNull() contract".to_owned())
            }
            None => None,
        };
        reason.map(|reason| format!("[{}.{name}] {reason}", context.program.name(class.any())))
    })
}

/// Returns the keys of the default of an object that its class has no property for, or does not read, with the class.
fn ignored<'t>(
    context: &Context<'_>,
    contract: &Code,
    default: &'t Template,
    depth: usize,
) -> Vec<(&'t Template, Id<Class>)> {
    let Some((class, declared, entries)) = object_of(context, contract, default, depth) else { return Vec::new() };
    let mut found = Vec::new();
    for (key, value) in entries {
        let name = key.as_str().and_then(|name| context.program.interner.get(name));
        match name.and_then(|name| declared.properties.get(name)).map(|id| context.get(id)) {
            None => found.push((key, class)),
            Some(Some(property)) => {
                let is_unread =
                    |usage| matches!(usage, PropertyUsage::Runtime | PropertyUsage::Config | PropertyUsage::Static);
                found.extend(property.usage.filter(|usage| is_unread(usage.value)).map(|_| (key, class)));
                found.extend(ignored(context, &property.contract, value, depth - 1));
            }
            Some(None) => {}
        }
    }
    found
}

/// The entries of a map in a template.
type Entries<'t> = &'t [(Template, Template)];

/// Returns the class of an object that a default describes, and its entries; `None` if the entries may belong to a
/// different class or be arguments of `.init`.
fn object_of<'c, 't>(
    context: &'c Context<'_>,
    contract: &Code,
    default: &'t Template,
    depth: usize,
) -> Option<(Id<Class>, &'c Class, Entries<'t>)> {
    let entries = default.as_map()?;
    if depth == 0 || names_default_class(contract.template()?.as_yaql()?.root()) {
        return None;
    }
    let class = context.target(wanted(contract)?).filter(|class| context.is_complete(class.any()))?;
    let declared = context.get(class)?;
    let has_init = context.program.interner.get(".init").is_some_and(|init| declared.methods.get(init).is_some());
    let is_plain = |(key, _): &(Template, Template)| {
        key.as_yaql().is_none() && key.as_str().is_some_and(|key| key != "?" && !key.contains(['.', ':']))
    };
    (!has_init && entries.iter().all(is_plain)).then_some((class, declared, entries))
}

/// Returns whether an expression needs neither objects nor classes nor anything from outside.
fn needs_nothing(expr: &Expr) -> bool {
    let is_pure = match &expr.kind {
        Kind::Variable(Name::Named(_)) => false,
        Kind::Call { name, .. } => Functions::is_pure(name),
        Kind::Unary(Operator::Colon, _) | Kind::Binary(Operator::Colon | Operator::Is, ..) => false,
        Kind::Method { name, .. } => !matches!(&**name, "class" | "template" | "owned" | "notOwned"),
        _ => true,
    };
    is_pure && expr.children().into_iter().all(needs_nothing)
}

/// Returns the kind of the values of a contract, if it is obvious.
fn kind(contract: &Template) -> Option<&'static str> {
    match &contract.content {
        Content::Yaql(expression) => kind_of(expression.root()),
        Content::List(_) => Some("a list"),
        Content::Map(_) => Some("a map"),
        _ => None,
    }
}

const AN_OBJECT: &str = "an object";

/// Returns the kind of the values of a chain of contracts, if it is obvious.
fn kind_of(expr: &Expr) -> Option<&'static str> {
    let Kind::Method { receiver, name, .. } = &expr.kind else { return None };
    match &**name {
        "int" => Some("an integer"),
        "string" => Some("a string"),
        "bool" => Some("a boolean"),
        "class" => Some(AN_OBJECT),
        "notNull" | "check" | "owned" | "notOwned" => kind_of(receiver),
        _ => None,
    }
}

/// Returns the kind of the values of a contract, such as `a string`, if they are scalars.
pub(super) fn scalar(contract: &Template) -> Option<&'static str> {
    contract.as_yaql().and_then(|expression| kind_of(expression.root())).filter(|kind| *kind != AN_OBJECT)
}

/// Checks that the contract of a redeclared property is compatible with that of the parent class. A value must fulfill
/// both, but only the contract of the class itself converts it.
pub(super) fn redeclared(class: &Class, context: &mut Context<'_>, id: Id<Class>) {
    let Some(own) = context.program.raw_as(id) else { return };
    let parents: Vec<_> = class.extends.iter().filter_map(|parent| context.get(context.target(*parent)?)).collect();
    for (name, property) in own.properties.iter() {
        let inherited = parents.iter().find_map(|parent| parent.properties.get(name)).and_then(|id| context.get(id));
        let (Some(property), Some(inherited)) = (context.program.raw_as::<Property>(property), inherited) else {
            continue;
        };
        let kinds = |property: &Property| property.contract.template().and_then(kind);
        let (Some(mine), Some(theirs)) = (kinds(property), kinds(inherited)) else { continue };
        if mine != theirs {
            let place = |property: &Property| property.contract.position().and_then(|position| context.span(position));
            let (at, related) = (place(property), place(inherited));
            let message =
                format!("property `{}` is {mine} here, but {theirs} where it is first declared", context.text(name));
            context
                .problem(&rules::INCOMPATIBLE_CONTRACTS, at, message)
                .related(related, "inherited contract")
                .help("keep the type of the inherited property, or rename this property");
        }
    }
}
