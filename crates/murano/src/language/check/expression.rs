//! Expressions: whether there is what they name.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use tosca_parse::diagnostic::Span;
use tosca_parse::entity::Id;
use tosca_parse::phase::{Context, Explain as _, Unit};
use tosca_parse_yaql::{Argument, Expr, Expression, Kind, Name, Operator};

use super::super::class::Class;
use super::super::code::{TypeUse, each_expression, part_of};
use super::super::rules;
use super::call::{self, Place};
use super::chain::{self, Member, Origins};
use super::functions::Functions;
use super::view::{View, is_native, is_this};
use crate::template::Template;

/// What expressions of a method, or of a contract or default, see.
pub(super) struct Expressions<'v, 'a> {
    pub(super) view: &'v View<'a>,
    pub(super) unit: &'a Unit,
    /// The classes that they name, in the order of the text.
    pub(super) types: &'a [TypeUse],
    /// The variables that are set; none if that can't be told.
    pub(super) variables: Option<FxHashSet<String>>,
    /// The names of these in their order, once somebody has asked.
    pub(super) sorted: OnceCell<Vec<String>>,
    /// The classes of arguments that have objects.
    pub(super) classes: FxHashMap<String, Id<Class>>,
    /// Whether `$this` is an object of the class.
    pub(super) is_of_object: bool,
}

/// An expression that is being checked.
struct Site<'e> {
    at: &'e Range<u32>,
    expression: &'e Expression,
    functions: Rc<Functions>,
}

impl<'a> Expressions<'_, 'a> {
    /// Checks all expressions in a template. `is_dollar` says whether `$` is the object.
    pub(super) fn of(&self, context: &mut Context<'a>, template: &Template, is_dollar: bool) {
        each_expression(template, &mut |at, expression| {
            let site = Site { at, expression, functions: Functions::all() };
            self.check(context, &site, expression.root(), is_dollar);
        });
    }

    /// Checks what stands in brackets in the target of an assignment.
    pub(super) fn indices(
        &self,
        context: &mut Context<'a>,
        (at, expression): (&Range<u32>, &Expression),
        target: &Expr,
    ) {
        if let Kind::Index { collection, arguments } = &target.kind {
            let site = Site { at, expression, functions: Functions::all() };
            arguments.iter().flat_map(Argument::parts).for_each(|part| self.check(context, &site, part, true));
            self.indices(context, (at, expression), collection);
        } else if let Kind::Attribute { receiver, .. } = &target.kind {
            self.indices(context, (at, expression), receiver);
        }
    }

    /// The place of a part of an expression.
    pub(super) fn place(&self, at: &Range<u32>, expression: &Expression, part: &Range<u32>) -> Span {
        part_of(self.unit.document.text(), self.unit.id, at, expression, part)
    }

    fn origins(&self) -> Origins<'_> {
        Origins { this: self.is_of_object.then_some(self.view.id), variables: &self.classes }
    }

    fn check(&self, context: &mut Context<'a>, site: &Site<'_>, expr: &Expr, is_dollar: bool) {
        let place = |part: &Range<u32>| self.place(site.at, site.expression, part);
        let is_own = |receiver: &Expr| self.is_of_object && is_this(receiver, is_dollar);
        let mut is_dollar_within = is_dollar;
        match &expr.kind {
            Kind::Variable(Name::Named(name)) => self.variable(context, name, place(&expr.span)),
            Kind::Attribute { receiver, name, name_span, .. } if is_own(receiver) => {
                self.property(context, name, place(name_span));
            }
            Kind::Attribute { receiver, name, name_span, .. } => {
                if let Some(class) = chain::class_of(context, &self.origins(), receiver, is_dollar) {
                    let member = Member { name, at: place(name_span), is_method: false };
                    chain::check(context, self.view, class, &member);
                }
            }
            Kind::Method { receiver, name, name_span, arguments, .. } => {
                is_dollar_within &= !site.functions.is_lazy(name);
                self.check(context, site, receiver, is_dollar);
                let at = place(name_span);
                if is_own(receiver) {
                    self.method(context, site, (name, at), arguments);
                } else if let Some(class) = self.class_of(context, receiver, place(&receiver.span)) {
                    of_class(context, class, (name, at), (arguments, &place), site);
                } else if let Some(class) = chain::class_of(context, &self.origins(), receiver, is_dollar)
                    && !site.functions.has_method(name)
                    && !self.view.has_native(context, name)
                {
                    chain::check(context, self.view, class, &Member { name, at, is_method: true });
                }
                self.arguments(context, site, arguments, is_dollar_within);
                return;
            }
            Kind::Call { name, arguments } => {
                is_dollar_within &= !site.functions.is_lazy(name);
                self.function(context, site, name, place(&(expr.span.start..expr.span.start + name.len() as u32)));
                self.arguments(context, site, arguments, is_dollar_within);
                return;
            }
            // To its right, `$` is what is to its left.
            Kind::Binary(Operator::Arrow, left, right) => {
                self.check(context, site, left, is_dollar);
                self.check(context, site, right, false);
                return;
            }
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.check(context, site, child, is_dollar_within));
    }

    fn arguments(&self, context: &mut Context<'a>, site: &Site<'_>, arguments: &[Argument], is_dollar: bool) {
        arguments.iter().flat_map(Argument::parts).for_each(|part| self.check(context, site, part, is_dollar));
    }

    fn variable(&self, context: &mut Context<'a>, name: &str, at: Span) {
        let Some(variables) = self.variables.as_ref().filter(|variables| !variables.contains(name)) else { return };
        // What begins so is the host's.
        if name.starts_with('_') {
            return;
        }
        let known = self.sorted.get_or_init(|| {
            let mut known: Vec<String> = variables.iter().cloned().collect();
            known.sort_unstable();
            known
        });
        let near = context.suggestions().nearest(name, known).map(|near| format!("did you mean `${near}`?"));
        let message = format!("nothing sets the variable `${name}`, so it is null");
        let help = near.unwrap_or_else(|| "correct the name, or set it before".to_owned());
        context.problem(&rules::UNKNOWN_VARIABLE, Some(at), message).help(help);
    }

    fn property(&self, context: &mut Context<'a>, name: &str, at: Span) {
        let view = self.view;
        if !view.is_whole || view.written.contains(name) || view.property(context, name).is_some() {
            return;
        }
        let known = view.property_names(context);
        let near = context.suggestions().nearest(name, known).map(|near| format!("did you mean `{near}`?"));
        let message = format!("{} has no property `{name}`, and nothing sets it", context.describe(view.id.any()));
        let help = near.unwrap_or_else(|| "correct the name, or declare the property".to_owned());
        context.problem(&rules::UNKNOWN_PROPERTY, Some(at), message).help(help);
    }

    fn method(&self, context: &mut Context<'a>, site: &Site<'_>, (name, at): (&str, Span), arguments: &[Argument]) {
        let view = self.view;
        if let Some(method) = view.method(context, name) {
            let place = |part: &Range<u32>| self.place(site.at, site.expression, part);
            call::check(context, (name, method), at, (arguments, &place));
            return;
        }
        let is_known = !view.is_whole
            || site.functions.has_method(name)
            || view.has_native(context, name)
            || view.has_extension(context, name);
        if !is_known {
            unknown_method(context, view.id, name, at);
        }
    }

    fn function(&self, context: &mut Context<'a>, site: &Site<'_>, name: &str, at: Span) {
        let is_defined = self.variables.as_ref().is_none_or(|variables| variables.contains(name));
        if site.functions.has_function(name) || is_defined && self.variables.is_some() {
            return;
        }
        let near = context.suggestions().nearest(name, site.functions.names(false));
        let is_method = self.view.method(context, name).is_some() || site.functions.has_method(name);
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if is_method => format!("call it on what it is a method of: `$.{name}(…)`"),
            None => "correct the name".to_owned(),
        };
        context.problem(&rules::UNKNOWN_METHOD, Some(at), format!("there is no function `{name}`")).help(help);
    }

    /// The class that an expression names with a prefix.
    fn class_of(&self, context: &Context<'a>, receiver: &Expr, at: Span) -> Option<Id<Class>> {
        let is_name = matches!(receiver.kind, Kind::Binary(Operator::Colon, ..) | Kind::Unary(Operator::Colon, _));
        let place = |named: &TypeUse| named.span.start.cmp(&at.start);
        let number = self.types.binary_search_by(place).ok().filter(|_| is_name)?;
        context.target(self.types[number].class)
    }
}

/// Checks a call of a method on a class.
fn of_class(
    context: &mut Context<'_>,
    class: Id<Class>,
    (name, at): (&str, Span),
    (arguments, place): (&[Argument], Place<'_>),
    site: &Site<'_>,
) {
    let Some(declared) = context.get(class) else { return };
    let method = context.program.interner.get(name).and_then(|name| declared.methods.get(name));
    match method.and_then(|method| context.get(method)) {
        Some(method) => call::check(context, (name, method), at, (arguments, place)),
        None if !context.is_complete(class.any()) || site.functions.has_method(name) || is_native(context, class) => {}
        None => unknown_method(context, class, name, at),
    }
}

fn unknown_method(context: &mut Context<'_>, class: Id<Class>, name: &str, at: Span) {
    let methods = context.get(class).into_iter().flat_map(|class| class.methods.iter());
    let known = methods.map(|(name, _)| context.text(name));
    let near = context.suggestions().nearest(name, known).map(|near| format!("did you mean `{near}`?"));
    let message = format!("{} has no method `{name}`", context.describe(class.any()));
    let help = near.unwrap_or_else(|| "correct the name, or declare the method, if only without a body".to_owned());
    context.problem(&rules::UNKNOWN_METHOD, Some(at), message).help(help);
}
