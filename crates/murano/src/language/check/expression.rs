//! Expressions: checks the names in them.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use foldhash::{HashMap, HashSet};
use tosca_parse::diagnostic::{Help, Span};
use tosca_parse::entity::Id;
use tosca_parse::phase::{Context, DiagnosticExt as _, Unit};
use tosca_parse_yaql::{Argument, Expr, Expression, Kind, Name, Operator, Pattern};

use super::super::class::Class;
use super::super::code::{TypeUse, each_expression, part_of};
use super::super::heritage::Heritage;
use super::super::rules;
use super::call::{self, Place};
use super::chain::{self, Member, Origins};
use super::convert;
use super::format;
use super::functions::Functions;
use super::statics;
use super::view::{View, is_this};
use crate::reflect::LOGGER;
use crate::runtime::CORE;
use crate::template::Template;

/// The meaning of `$`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dollar {
    /// The object or type whose code it is.
    This,
    /// The value that a contract checks.
    Value,
    /// A value that a function has set.
    Other,
}

/// The meaning of `$this`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum This {
    /// An object of the class.
    Object,
    /// The class itself.
    Type,
}

/// The names that expressions in a method, a contract or a default can use.
pub(super) struct Expressions<'v, 'a> {
    pub(super) view: &'v View<'a>,
    pub(super) unit: &'a Unit,
    /// The classes that they name, in source order.
    pub(super) types: &'a [TypeUse],
    /// The variables that are set; `None` if they are unknown.
    pub(super) variables: Option<HashSet<String>>,
    /// The names of the variables, sorted, computed on first use.
    pub(super) sorted: OnceCell<Vec<String>>,
    /// The classes of arguments whose values are objects.
    pub(super) classes: HashMap<String, Id<Class>>,
    /// The variables that are loggers.
    pub(super) loggers: HashSet<String>,
    /// The class of the value that a contract checks.
    pub(super) value: Option<Id<Class>>,
    /// The kind of this value, if it is a scalar.
    pub(super) scalar: Option<&'static str>,
    pub(super) this: This,
    /// Whether contract functions can be called.
    pub(super) in_contract: bool,
}

/// The functions that users expect to be methods, and whose names hardly any method of a class has.
const CONVERSIONS: [&str; 13] = [
    "bool",
    "float",
    "int",
    "isBoolean",
    "isDict",
    "isInteger",
    "isList",
    "isNumber",
    "isRegex",
    "isSet",
    "isString",
    "max",
    "str",
];

/// An expression that is being checked.
struct Site<'e> {
    at: &'e Range<u32>,
    expression: &'e Expression,
    functions: Rc<Functions>,
}

impl<'a> Expressions<'_, 'a> {
    /// Checks all expressions in a template.
    pub(super) fn of(&self, context: &mut Context<'a>, template: &Template, dollar: Dollar) {
        each_expression(template, &mut |at, expression| self.one(context, (at, expression), dollar));
    }

    /// Checks an expression.
    pub(super) fn one(&self, context: &mut Context<'a>, (at, expression): (&Range<u32>, &Expression), dollar: Dollar) {
        let site = Site { at, expression, functions: Functions::all() };
        self.check(context, &site, expression.root(), dollar);
    }

    /// Checks the indices in the target of an assignment.
    pub(super) fn indices(
        &self,
        context: &mut Context<'a>,
        (at, expression): (&Range<u32>, &Expression),
        target: &Expr,
    ) {
        if let Kind::Index { collection, arguments } = &target.kind {
            let site = Site { at, expression, functions: Functions::all() };
            arguments.iter().flat_map(Argument::parts).for_each(|part| self.check(context, &site, part, Dollar::This));
            self.indices(context, (at, expression), collection);
        } else if let Kind::Attribute { receiver, .. } = &target.kind {
            self.indices(context, (at, expression), receiver);
        }
    }

    /// Returns the position of a part of an expression.
    pub(super) fn place(&self, at: &Range<u32>, expression: &Expression, part: &Range<u32>) -> Span {
        part_of(self.unit.document.text(), self.unit.id, at, expression, part)
    }

    /// Calls a function with the starting points of chains in an expression.
    fn with_origins<T>(
        &self,
        context: &Context<'a>,
        (at, expression): (&Range<u32>, &Expression),
        use_origins: impl FnOnce(&Origins<'_>) -> T,
    ) -> T {
        use_origins(&Origins {
            named: &|class| self.class_of(context, class, self.place(at, expression, &class.span)),
            may_be_own: &|name| self.may_be_own(context, name),
            this: (self.this == This::Object).then_some(self.view.id),
            variables: &self.classes,
            loggers: &self.loggers,
            value: self.value,
            scalar: self.scalar,
        })
    }

    /// Returns the class of the object that a part of an expression results in, as far as it is known.
    pub(super) fn class_of_value(
        &self,
        context: &Context<'a>,
        whole: (&Range<u32>, &Expression),
        part: &Expr,
        dollar: Dollar,
    ) -> Option<Id<Class>> {
        self.with_origins(context, whole, |origins| chain::class_of(context, origins, part, dollar))
    }

    /// Returns whether a part of an expression is a logger.
    pub(super) fn is_logger(&self, context: &Context<'a>, whole: (&Range<u32>, &Expression), part: &Expr) -> bool {
        self.with_origins(context, whole, |origins| chain::is_logger(origins, part))
    }

    fn check(&self, context: &mut Context<'a>, site: &Site<'_>, expr: &Expr, dollar: Dollar) {
        let place = |part: &Range<u32>| self.place(site.at, site.expression, part);
        let is_own = |receiver: &Expr, this: This| self.this == this && is_this(receiver, dollar == Dollar::This);
        let whole = (site.at, site.expression);
        let scalar = |context: &Context<'a>, part: &Expr| {
            self.with_origins(context, whole, |origins| chain::scalar_of(context, origins, part, dollar))
        };
        let mut within = dollar;
        match &expr.kind {
            Kind::Variable(Name::Named(name)) => self.variable(context, name, place(&expr.span)),
            Kind::Binary(operator, left, right) if left.as_text().is_some() && right.as_text().is_some() => {
                if let Some(message) = failing_with_strings(*operator) {
                    let help = "put it in quotes if it is meant as text";
                    context.problem(&rules::WRONG_ARGUMENTS, Some(place(&expr.span)), message).help(help);
                }
            }
            Kind::Binary(Operator::Matches | Operator::MatchesNot, _, pattern) => {
                self.pattern(context, site, pattern);
            }
            Kind::Attribute { receiver, name, name_span, .. } => {
                let at = place(name_span);
                if is_own(receiver, This::Object) {
                    self.property(context, name, at);
                } else if is_own(receiver, This::Type) {
                    statics::property(context, self.view.id, name, at);
                } else if let Some(class) = self.class_of(context, receiver, place(&receiver.span)) {
                    statics::property(context, class, name, at);
                } else if let Some(class) = self.class_of_value(context, whole, receiver, dollar) {
                    chain::check(context, self.view, class, &Member { name, at, is_method: false });
                } else if let Some(scalar) = scalar(context, receiver) {
                    let help = if site.functions.has_method(name) {
                        Help::write(format!("{name}()"))
                    } else {
                        "only objects and dictionaries have properties".into()
                    };
                    let message = format!("{scalar} has no property `{name}`");
                    context.problem(&rules::UNKNOWN_PROPERTY, Some(at), message).help(help);
                }
            }
            Kind::Method { receiver, name, name_span, arguments, .. } => {
                // The checked value stays `$`.
                let is_check = dollar == Dollar::Value && &**name == "check";
                if site.functions.is_lazy(name) && !is_check {
                    within = Dollar::Other;
                }
                self.check(context, site, receiver, dollar);
                let at = place(name_span);
                if is_own(receiver, This::Object) {
                    self.method(context, site, expr, (name, at), arguments);
                } else if is_own(receiver, This::Type) {
                    if !self.view.has_extension(context, name) {
                        of_class(context, self.view.id, (name, at), (arguments, &place), site);
                    }
                } else if let Some(class) = self.class_of(context, receiver, place(&receiver.span)) {
                    of_class(context, class, (name, at), (arguments, &place), site);
                } else if let Some(class) = self.class_of_value(context, whole, receiver, dollar)
                    && !site.functions.has_method(name)
                    && !self.view.has_native(context, name)
                {
                    chain::check(context, self.view, class, &Member { name, at, is_method: true });
                } else if self.is_logger(context, whole, receiver) {
                    let is_known = LOGGER.contains(&&**name) || self.view.has_extension(context, name);
                    if !is_known && !self.has_method(context, &site.functions, name) {
                        let help = context.did_you_mean(name, LOGGER, "its methods are");
                        let message = format!("a logger has no method `{name}`");
                        context.problem(&rules::UNKNOWN_METHOD, Some(at), message).help_if(help);
                    }
                } else if let Some(scalar) = scalar(context, receiver)
                    && !self.has_method(context, &site.functions, name)
                    && !self.view.has_extension(context, name)
                {
                    let message = format!("{scalar} has no method `{name}`");
                    let function = convert::to_function(&site.functions, site.expression, expr);
                    let at = if function.is_some() { place(&expr.span) } else { at };
                    let near = || context.suggestions().nearest(name, site.functions.methods_of(scalar));
                    let help = function.or_else(|| near().map(Help::did_you_mean));
                    let help = help.unwrap_or_else(|| "correct the name".into());
                    context.problem(&rules::UNKNOWN_METHOD, Some(at), message).help(help);
                } else if CONVERSIONS.contains(&&**name)
                    && !self.has_method(context, &site.functions, name)
                    && !self.may_be_own(context, name)
                    && let Some(help) = convert::to_function(&site.functions, site.expression, expr)
                {
                    let message = format!("`{name}` is a function, not a method");
                    context.problem(&rules::UNKNOWN_METHOD, Some(place(&expr.span)), message).help(help);
                }
                let is_contract = dollar == Dollar::Value && crate::contract::is_contract(name);
                if !is_contract && !self.may_be_own(context, name) {
                    // A regular expression can be the receiver, too, but not a constant.
                    if let ("matches", [Argument::Positional(pattern)]) = (&**name, arguments.as_slice())
                        && !matches!(&receiver.kind, Kind::Call { name, .. } if &**name == "regex")
                    {
                        self.pattern(context, site, pattern);
                    }
                    call::function(context, &site.functions, (name, at, true), (arguments, &place));
                }
                self.arguments(context, site, arguments, within);
                return;
            }
            Kind::Call { name, arguments } => {
                if site.functions.is_lazy(name) {
                    within = Dollar::Other;
                }
                let at = place(&(expr.span.start..expr.span.start + name.len() as u32));
                let is_known = self.function(context, site, expr, name, at);
                if let ("regex", Some(Argument::Positional(pattern))) = (&**name, arguments.first()) {
                    self.pattern(context, site, pattern);
                }
                let is_defined = self.variables.as_ref().is_none_or(|variables| variables.contains(&**name));
                if &**name == "new"
                    && let Some(Argument::Positional(class)) = arguments.first()
                    && let Some(class) = self.class_of(context, class, place(&class.span))
                {
                    call::new(context, class, (arguments, &place));
                } else if is_known && !is_defined {
                    call::function(context, &site.functions, (name, at, false), (arguments, &place));
                }
                // The arguments are evaluated in the context of the method that the mock replaces.
                if &**name != "withOriginal" {
                    self.arguments(context, site, arguments, within);
                }
                return;
            }
            // On the right side, `$` is the value of the left side.
            Kind::Binary(Operator::Arrow, left, right) => {
                self.check(context, site, left, dollar);
                self.check(context, site, right, Dollar::Other);
                return;
            }
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.check(context, site, child, within));
    }

    /// Reports a constant that is not a regular expression.
    fn pattern(&self, context: &mut Context<'a>, site: &Site<'_>, pattern: &Expr) {
        let Some(error) = pattern.as_text().and_then(|text| Pattern::check(text).err()) else { return };
        let at = self.place(site.at, site.expression, &pattern.span);
        let help = "write it as Python's module `re` reads it";
        context.problem(&rules::WRONG_ARGUMENTS, Some(at), error.message().to_owned()).help(help);
    }

    fn arguments(&self, context: &mut Context<'a>, site: &Site<'_>, arguments: &[Argument], dollar: Dollar) {
        arguments.iter().flat_map(Argument::parts).for_each(|part| self.check(context, site, part, dollar));
    }

    fn variable(&self, context: &mut Context<'a>, name: &str, at: Span) {
        let Some(variables) = self.variables.as_ref().filter(|variables| !variables.contains(name)) else { return };
        // Variables with this prefix belong to the host.
        if name.starts_with('_') {
            return;
        }
        let known = self.sorted.get_or_init(|| {
            let mut known: Vec<String> = variables.iter().cloned().collect();
            known.sort_unstable();
            known
        });
        let near = context.suggestions().nearest(name, known).map(|near| Help::did_you_mean(format!("${near}")));
        let message = format!("nothing sets the variable `${name}`, so it is null");
        let help = near.unwrap_or_else(|| "correct the name, or set the variable first".into());
        context.problem(&rules::UNKNOWN_VARIABLE, Some(at), message).help(help);
    }

    fn property(&self, context: &mut Context<'a>, name: &str, at: Span) {
        let view = self.view;
        if !view.is_whole || view.written.contains(name) || view.property(context, name).is_some() {
            return;
        }
        let suggestions = context.suggestions();
        // The names of all properties are only needed for a suggestion.
        let known = if suggestions.is_spent() { &[] } else { view.property_names(context) };
        let near = suggestions.nearest(name, known).map(Help::did_you_mean);
        let message = format!("{} has no property `{name}`, and nothing sets it", context.describe(view.id.any()));
        let help = near.unwrap_or_else(|| "correct the name, or declare the property".into());
        context.problem(&rules::UNKNOWN_PROPERTY, Some(at), message).help(help);
    }

    fn method(
        &self,
        context: &mut Context<'a>,
        site: &Site<'_>,
        expr: &Expr,
        (name, at): (&str, Span),
        arguments: &[Argument],
    ) {
        let view = self.view;
        if let Some(method) = view.method(context, name) {
            let place = |part: &Range<u32>| self.place(site.at, site.expression, part);
            call::check(context, (name, method), at, (arguments, &place));
            return;
        }
        let is_old = site.functions.has_method(name) && !site.functions.is_current(name, true);
        let is_known = !view.is_whole
            || site.functions.is_current(name, true)
            || is_old && !format::is_current(context, self.unit.id)
            || view.has_native(context, name)
            || view.has_extension(context, name);
        if is_known {
            return;
        }
        match convert::to_function(&site.functions, site.expression, expr) {
            Some(help) => {
                let message = format!("`{name}` is a function, not a method");
                let at = self.place(site.at, site.expression, &expr.span);
                context.problem(&rules::UNKNOWN_METHOD, Some(at), message).help(help);
            }
            None => unknown_method(context, view.id, name, at),
        }
    }

    /// Returns whether a method that is also a function of the library may be one of an object.
    fn may_be_own(&self, context: &Context<'a>, name: &str) -> bool {
        /// The methods that native classes don't declare.
        const NATIVE: [&str; 2] = ["call", "delete"];
        NATIVE.contains(&name) || self.view.has_extension(context, name) || self.view.is_elsewhere(context, name)
    }

    /// Returns whether a method is one of the library, as far as is known.
    fn has_method(&self, context: &Context<'a>, functions: &Functions, name: &str) -> bool {
        if !functions.has_method(name) {
            return false;
        }
        let is_current = functions.is_current(name, true) && (self.in_contract || !crate::contract::is_contract(name));
        is_current || !format::is_current(context, self.unit.id)
    }

    /// Reports an unknown function. Returns whether it is known.
    fn function(&self, context: &mut Context<'a>, site: &Site<'_>, expr: &Expr, name: &str, at: Span) -> bool {
        if name == "config" && !is_of_core(context.program.name(self.view.id.any())) {
            let message = "there is no function `config` outside the core library";
            let help = "declare a property with the usage `Config`";
            context.problem(&rules::UNKNOWN_METHOD, Some(at), message).help(help);
            return false;
        }
        let is_defined = self.variables.as_ref().is_none_or(|variables| variables.contains(name));
        if site.functions.is_current(name, false) || is_defined && self.variables.is_some() {
            return true;
        }
        let is_old = site.functions.has_function(name);
        if is_old && !format::is_current(context, self.unit.id) {
            return true;
        }
        let method = convert::to_method(&site.functions, site.expression, expr);
        let at = if method.is_some() { self.place(site.at, site.expression, &expr.span) } else { at };
        let near = || context.suggestions().nearest(name, site.functions.names());
        let is_own = self.view.method(context, name).is_some();
        let own = || is_own.then(|| format!("call it as a method: `$.{name}(…)`").into());
        let help = method.or_else(|| near().map(Help::did_you_mean)).or_else(own);
        let help = help.unwrap_or_else(|| "correct the name".into());
        let message = if is_old {
            format!("`{name}` is a function only in the formats 1.0 and 1.1")
        } else {
            format!("there is no function `{name}`")
        };
        context.problem(&rules::UNKNOWN_METHOD, Some(at), message).help(help);
        false
    }

    /// Returns the class that an expression names with a prefix.
    fn class_of(&self, context: &Context<'a>, receiver: &Expr, at: Span) -> Option<Id<Class>> {
        let is_name = matches!(receiver.kind, Kind::Binary(Operator::Colon, ..) | Kind::Unary(Operator::Colon, _))
            || receiver.as_text().is_some();
        let place = |named: &TypeUse| named.span.start.cmp(&at.start);
        let number = self.types.binary_search_by(place).ok().filter(|_| is_name)?;
        context.target(self.types[number].class).filter(|_| !self.types[number].lacks_quotes)
    }
}

/// Returns whether a class is in a namespace of the core library: the namespace of the library itself or of one of its
/// parts.
fn is_of_core(class: &str) -> bool {
    const PARTS: [&str; 5] = ["configuration", "metadata", "resources", "system", "test"];
    let Some(name) = class.strip_prefix(CORE).and_then(|name| name.strip_prefix('.')) else { return false };
    name.split_once('.').is_none_or(|(part, _)| PARTS.contains(&part))
}

/// Returns the message about an operator that fails if both operands are strings, as in `us-east` without quotes.
fn failing_with_strings(operator: Operator) -> Option<&'static str> {
    match operator {
        Operator::Minus => Some("can't subtract a string from a string"),
        Operator::Times => Some("can't multiply a string by a string"),
        Operator::Over => Some("can't divide a string by a string"),
        Operator::Modulo => Some("can't take the remainder of a string divided by a string"),
        _ => None,
    }
}

/// Checks a method call on a class.
fn of_class(
    context: &mut Context<'_>,
    class: Id<Class>,
    (name, at): (&str, Span),
    (arguments, place): (&[Argument], Place<'_>),
    site: &Site<'_>,
) {
    let Some(declared) = context.get(class) else { return };
    let method = context.program.interner.get(name).and_then(|name| declared.methods.get(name));
    match method {
        Some(method)
            if !context.get(method).is_none_or(statics::is_static) && !Heritage::of(context, class).is_native =>
        {
            let message =
                format!("method `{name}` needs an object, but is called on {}", context.describe(class.any()));
            let declared = context.program.name_span(method.any());
            context
                .problem(&rules::UNKNOWN_METHOD, Some(at), message)
                .related(declared, "declared here")
                .help("call the method on an object, or give the method the usage `Static`");
        }
        Some(method) => call::check(context, (name, method), at, (arguments, place)),
        None if !context.is_complete(class.any())
            || site.functions.has_method(name)
            || Heritage::of(context, class).is_native => {}
        None => unknown_method(context, class, name, at),
    }
}

fn unknown_method(context: &mut Context<'_>, class: Id<Class>, name: &str, at: Span) {
    let methods = context.get(class).into_iter().flat_map(|class| class.methods.iter());
    let known = methods.map(|(name, _)| context.text(name));
    let near = context.suggestions().nearest(name, known).map(Help::did_you_mean);
    let message = format!("{} has no method `{name}`", context.describe(class.any()));
    let help = near.unwrap_or_else(|| "correct the name, or declare the method, even without a body".into());
    context.problem(&rules::UNKNOWN_METHOD, Some(at), message).help(help);
}
