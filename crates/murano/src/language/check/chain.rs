//! Chains of properties: `$.owner.name` refers to a property of the class that the contract of `owner` names.

use tosca_parse::diagnostic::{Help, Span};
use tosca_parse::entity::{Entity as _, Id};
use tosca_parse::phase::{Context, DiagnosticExt as _};
use tosca_parse::symbol::Symbol;
use tosca_parse_yaql::{Argument, Expr, Kind, Name};

use foldhash::{HashMap, HashSet};
use rustc_hash::FxHashSet;

use super::super::class::Class;
use super::super::code::Code;
use super::super::heritage::Heritage;
use super::super::member::Property;
use super::super::rules;
use super::contract;
use super::expression::Dollar;
use super::view::{View, is_this};
use crate::template::Content;

/// The maximum number of classes in which unknown members are searched for.
const MAX_CLASSES: u32 = 500;

/// The starting points of chains of properties.
pub(super) struct Origins<'o> {
    /// Returns the class that an argument of a function names.
    pub(super) named: &'o dyn Fn(&Expr) -> Option<Id<Class>>,
    /// Returns whether a method of the library may be one of a class instead.
    pub(super) may_be_own: &'o dyn Fn(&str) -> bool,
    /// The class of `$this`, if that is an object.
    pub(super) this: Option<Id<Class>>,
    /// The classes of variables.
    pub(super) variables: &'o HashMap<String, Id<Class>>,
    /// The variables that are loggers.
    pub(super) loggers: &'o HashSet<String>,
    /// The class of the value that a contract checks.
    pub(super) value: Option<Id<Class>>,
    /// The kind of this value, if it is a scalar.
    pub(super) scalar: Option<&'static str>,
}

/// Returns the class of the object at the end of a chain of properties, according to the contracts.
pub(super) fn class_of(context: &Context<'_>, origins: &Origins<'_>, expr: &Expr, dollar: Dollar) -> Option<Id<Class>> {
    match &expr.kind {
        Kind::Variable(Name::Named(name)) => origins.variables.get(&**name).copied(),
        Kind::Variable(Name::Position(1)) if dollar == Dollar::Value => origins.value,
        Kind::Call { name, arguments } => match (&**name, arguments.as_slice()) {
            ("new", [Argument::Positional(class), ..]) | ("cast" | "find", [_, Argument::Positional(class), ..]) => {
                (origins.named)(class)
            }
            ("require", [Argument::Positional(value)]) => class_of(context, origins, value, dollar),
            _ => None,
        },
        Kind::Method { name, .. } if (origins.may_be_own)(name) => None,
        Kind::Method { receiver, name, arguments, .. } => match (&**name, arguments.as_slice()) {
            ("cast" | "find", [Argument::Positional(class), ..]) => (origins.named)(class),
            ("require", []) => class_of(context, origins, receiver, dollar),
            _ => None,
        },
        _ => context.target(wanted(&property_of(context, origins, expr, dollar)?.contract)?),
    }
}

/// Returns the property at the end of a chain of properties.
fn property_of<'c>(
    context: &'c Context<'_>,
    origins: &Origins<'_>,
    expr: &Expr,
    dollar: Dollar,
) -> Option<&'c Property> {
    let Kind::Attribute { receiver, name, .. } = &expr.kind else { return None };
    let class = match origins.this.filter(|_| is_this(receiver, dollar == Dollar::This)) {
        Some(class) => class,
        None => class_of(context, origins, receiver, dollar)?,
    };
    let symbol = context.program.interner.get(name)?;
    context.get(context.get(class)?.properties.get(symbol)?)
}

/// Returns whether an expression is a logger.
pub(super) fn is_logger(origins: &Origins<'_>, expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Variable(Name::Named(name)) => origins.loggers.contains(&**name),
        Kind::Call { name, .. } => &**name == "logger",
        _ => false,
    }
}

/// Returns the kind of the values of an expression, such as `a string`, if they are scalars, which have no members.
pub(super) fn scalar_of(
    context: &Context<'_>,
    origins: &Origins<'_>,
    expr: &Expr,
    dollar: Dollar,
) -> Option<&'static str> {
    match &expr.kind {
        Kind::Variable(Name::Position(1)) if dollar == Dollar::Value => origins.scalar,
        _ => contract::scalar(property_of(context, origins, expr, dollar)?.contract.template()?),
    }
}

/// Returns the class that a contract requires: `$.class(…)`, with or without conditions.
pub(super) fn wanted(contract: &Code) -> Option<tosca_parse::entity::Reference<Class>> {
    let Content::Yaql(expression) = &contract.template()?.content else { return None };
    let mut link = expression.root();
    loop {
        match &link.kind {
            Kind::Method { receiver, name, .. }
                if &**name == "class" && !matches!(receiver.kind, Kind::Method { .. }) =>
            {
                return contract.types().first().map(|named| named.class);
            }
            Kind::Method { receiver, .. } => link = receiver,
            _ => return None,
        }
    }
}

/// A member of a different object.
pub(super) struct Member<'m> {
    pub(super) name: &'m str,
    pub(super) at: Span,
    pub(super) is_method: bool,
}

/// Reports a member that objects of a class can't have: neither the class nor any other known class has such a member.
/// Other classes count, because the object may belong to a descendant.
pub(super) fn check(context: &mut Context<'_>, view: &View<'_>, class: Id<Class>, member: &Member<'_>) {
    let Some(declared) = context.get(class) else { return };
    let is_whole = context.is_complete(class.any()) && !context.program.is_open(class.unit);
    let is_private = view.assigned.contains(member.name);
    if !is_whole || is_private || Heritage::of(context, class).is_native || view.is_elsewhere(context, member.name) {
        return;
    }
    let properties = declared.properties.iter().map(|(name, _)| name).filter(|_| !member.is_method);
    let methods = declared.methods.iter().map(|(name, _)| name).filter(|_| member.is_method);
    let known = properties.chain(methods).map(|name| context.text(name));
    let near = context.suggestions().nearest(member.name, known).map(Help::did_you_mean);
    let (rule, what) =
        if member.is_method { (&rules::UNKNOWN_METHOD, "method") } else { (&rules::UNKNOWN_PROPERTY, "property") };
    let message = format!(
        "{} has no {what} `{}`, nor does any class that descends from it",
        context.describe(class.any()),
        member.name
    );
    let help = near.unwrap_or_else(|| format!("correct the name, or declare the {what}").into());
    context.problem(rule, Some(member.at), message).help(help);
}

/// Returns the names of the members of all classes; `None` if there are too many classes.
pub(super) fn all_members(context: &Context<'_>) -> Option<FxHashSet<Symbol>> {
    let units = &context.program.list;
    if units.iter().map(|unit| unit.arenas.count(Class::KIND)).sum::<u32>() > MAX_CLASSES {
        return None;
    }
    let classes = units.iter().flat_map(|unit| (0..).map_while(|index| unit.arenas.get::<Class>(index)));
    let names = classes.flat_map(|class| {
        class.properties.iter().map(|(name, _)| name).chain(class.methods.iter().map(|(name, _)| name))
    });
    Some(names.collect())
}
