//! Bodies: whether what they do could work, statement by statement.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};
use tosca_parse::diagnostic::Span;
use tosca_parse::entity::Id;
use tosca_parse::phase::{Context, Explain as _};
use tosca_parse::symbol::Symbol;
use tosca_parse_yaql::{Argument as Actual, Expr, Expression, Kind, Name};

use super::super::class::Class;
use super::super::code::each_expression;
use super::super::member::{Argument, Method};
use super::super::rules;
use super::chain::wanted;
use super::expression::Expressions;
use super::view::{View, each_target, is_this, property_of};
use crate::class::{ArgumentUsage, MethodUsage, PropertyUsage};
use crate::template::{Content, Template};

/// Checks the body of a method.
pub(super) fn check<'a>(view: &View<'a>, context: &mut Context<'a>, (name, method): (&str, &'a Method)) {
    let (Some(body), Some(position)) = (method.body.template(), method.body.position()) else { return };
    let Some(unit) = context.program.unit(position.unit) else { return };
    let is_of_type =
        matches!(method.usage.map(|usage| usage.value), Some(MethodUsage::Static | MethodUsage::Extension));
    let set = variables(method);
    let classes = classes(context, method, &set);
    let arguments = method.arguments.items.iter().map(|(name, _)| context.text(*name).to_owned());
    let variables = Some(set.into_iter().chain(arguments).collect());
    let types = method.body.types();
    let expressions =
        Expressions { view, unit, types, variables, sorted: OnceCell::new(), classes, is_of_object: !is_of_type };
    Body { expressions, method: name }.block(context, body, false);
}

/// The variables that a body sets, in whatever way, and those that are always there.
fn variables(method: &Method) -> FxHashSet<String> {
    let mut variables: FxHashSet<String> = ["this", "context", "exception"].map(str::to_owned).into_iter().collect();
    each_target(method.body.template(), &mut |target| {
        if let Kind::Variable(Name::Named(name)) = &root(target).kind {
            variables.insert(name.as_ref().to_owned());
        }
    });
    if let Some(body) = method.body.template() {
        // Those of loops and of exceptions.
        body.each_entry(&mut |key, value| {
            let name = value.raw_text().filter(|_| matches!(key.as_str(), Some("For" | "As")));
            variables.extend(name.map(str::to_owned));
        });
        each_expression(body, &mut |_, expression| named_by_functions(expression.root(), &mut variables));
    }
    variables
}

/// The classes of the objects that arguments are, unless the body sets these anew.
fn classes(context: &Context<'_>, method: &Method, set: &FxHashSet<String>) -> FxHashMap<String, Id<Class>> {
    let of_argument = |(name, id): &(Symbol, Id<Argument>)| {
        let name = context.text(*name).to_owned();
        let argument = context.get(*id).filter(|_| !set.contains(&name))?;
        let is_single = argument.usage.is_none_or(|usage| usage.value == ArgumentUsage::Standard);
        Some((name, context.target(wanted(&argument.contract).filter(|_| is_single)?)?))
    };
    method.arguments.items.iter().filter_map(of_argument).collect()
}

/// What an assignment changes: of `$a.b[0]`, that is `$a`.
fn root(target: &Expr) -> &Expr {
    match &target.kind {
        Kind::Attribute { receiver: inner, .. } | Kind::Index { collection: inner, .. } => root(inner),
        _ => target,
    }
}

/// Adds the variables that functions set for what they evaluate: `let(x => 1)`, `.as($ => x)`, `.unpack(x, y)`.
fn named_by_functions(expr: &Expr, variables: &mut FxHashSet<String>) {
    if let Kind::Call { name, arguments } | Kind::Method { name, arguments, .. } = &expr.kind {
        let names = arguments.iter().filter(|argument| matches!(argument, Actual::Mapping(..)) || &**name == "unpack");
        let names = names.flat_map(Actual::parts).filter_map(|part| part.as_text());
        variables.extend(names.map(|name| name.as_ref().to_owned()));
    }
    expr.children().into_iter().for_each(|child| named_by_functions(child, variables));
}

struct Body<'v, 'a> {
    expressions: Expressions<'v, 'a>,
    method: &'v str,
}

impl<'a> Body<'_, 'a> {
    fn block(&self, context: &mut Context<'a>, template: &Template, in_loop: bool) {
        let Content::List(items) = &template.content else {
            self.statement(context, template, in_loop);
            return;
        };
        for item in items {
            self.statement(context, item, in_loop);
        }
        let last = items.iter().position(is_last);
        if let Some((last, next)) = last.and_then(|last| Some((&items[last], items.get(last + 1)?))) {
            let (at, end) = (self.span(next), self.span(last));
            context
                .problem(&rules::UNREACHABLE, Some(at), "this is never run: the statement before it leaves the block")
                .related(Some(end), "it ends here")
                .help("remove it, or put it before that statement");
        }
    }

    fn statement(&self, context: &mut Context<'a>, template: &Template, in_loop: bool) {
        match &template.content {
            Content::Map(entries) => match entries.as_slice() {
                [(Template { content: Content::Yaql(target), span }, value)] => {
                    self.target(context, (span, target));
                    self.expressions.of(context, value, true);
                }
                _ => entries.iter().for_each(|entry| self.part(context, entry, in_loop || is_loop(entries))),
            },
            _ => self.expressions.of(context, template, true),
        }
    }

    /// A keyword of a statement with what belongs to it.
    fn part(&self, context: &mut Context<'a>, (key, value): &(Template, Template), in_loop: bool) {
        match key.as_str() {
            Some("Then" | "Else" | "Do" | "Default" | "Try" | "Finally" | "Parallel") => {
                self.block(context, value, in_loop);
            }
            Some("Match" | "Switch") => {
                for (case, block) in value.as_map().unwrap_or_default() {
                    self.expressions.of(context, case, true);
                    self.block(context, block, in_loop);
                }
            }
            Some("Catch") => match &value.content {
                Content::List(handlers) => handlers.iter().for_each(|handler| self.handler(context, handler, in_loop)),
                _ => self.handler(context, value, in_loop),
            },
            Some("Break" | "Continue") if !in_loop => {
                let at = self.span(key);
                let message =
                    format!("`{}` is of no use here: there is no loop around it", key.as_str().unwrap_or_default());
                context.problem(&rules::UNREACHABLE, Some(at), message).help("leave it out, or write `Return:`");
            }
            Some("For" | "With" | "As") => {}
            _ => self.expressions.of(context, value, true),
        }
    }

    fn handler(&self, context: &mut Context<'a>, handler: &Template, in_loop: bool) {
        if let Some(block) = handler.get("Do") {
            self.block(context, block, in_loop);
        }
    }

    /// What is assigned to.
    fn target(&self, context: &mut Context<'a>, (at, target): (&std::ops::Range<u32>, &Expression)) {
        let root = root(target.root());
        let place = |part| self.expressions.place(at, target, part);
        if is_this(root, true) && std::ptr::eq(&raw const **root, &raw const **target.root()) {
            let message = format!("`{}` is the object itself, and can't be set", target.text());
            context
                .problem(&rules::INVALID_WRITE, Some(place(&root.span)), message)
                .help("set a property: `$.name: …`");
            return;
        }
        match &root.kind {
            Kind::Variable(_) | Kind::Binary(..) | Kind::Unary(..) => {}
            _ => {
                let message = "this can't be set: it is neither a variable nor a part of one";
                context
                    .problem(&rules::INVALID_WRITE, Some(place(&root.span)), message)
                    .help("set a variable: `$name: …`");
                return;
            }
        }
        if let Some((name, part)) = property_of(target.root()).filter(|_| self.expressions.is_of_object) {
            self.write(context, name, place(part));
        }
        self.expressions.indices(context, (at, target), target.root());
    }

    /// A property that is set.
    fn write(&self, context: &mut Context<'a>, name: &str, at: Span) {
        let view = self.expressions.view;
        let Some(property) = view.property(context, name) else { return };
        let usage = property.usage.map_or(PropertyUsage::In, |usage| usage.value);
        let is_fixed = matches!(usage, PropertyUsage::In | PropertyUsage::Const);
        if !is_fixed || view.is_initialising(context, self.method) {
            return;
        }
        let declared = property.usage.and_then(|usage| context.span(usage.position));
        let declared = declared.or_else(|| property.contract.position().and_then(|position| context.span(position)));
        let message = format!(
            "property `{name}` has the usage `{}`: code sets it only while the object is initialised",
            usage.as_str()
        );
        context
            .problem(&rules::INVALID_WRITE, Some(at), message)
            .related(declared, "it is declared here")
            .help("give it the usage `InOut`, `Out` or `Runtime`");
    }

    fn span(&self, template: &Template) -> Span {
        Span { source: self.expressions.unit.id, start: template.span.start, end: template.span.end }
    }
}

/// Whether the parts of a statement make a loop.
fn is_loop(entries: &[(Template, Template)]) -> bool {
    entries.iter().any(|(key, _)| matches!(key.as_str(), Some("While" | "For" | "Repeat")))
}

/// Whether what follows a statement in its block is never run.
fn is_last(statement: &Template) -> bool {
    let is_end = |(key, _): &(Template, Template)| {
        matches!(key.as_str(), Some("Return" | "Break" | "Continue" | "Throw" | "Rethrow"))
    };
    statement.as_map().is_some_and(|entries| entries.iter().any(is_end))
}
