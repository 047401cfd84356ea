//! Bodies: finds statements that would fail.

use std::cell::OnceCell;

use foldhash::{HashMap, HashSet};
use tosca_parse::diagnostic::Span;
use tosca_parse::entity::Id;
use tosca_parse::phase::{Context, DiagnosticExt as _};
use tosca_parse::symbol::Symbol;
use tosca_parse_yaql::{Argument as Actual, Expr, Expression, Kind, Name};

use super::super::class::Class;
use super::super::code::each_expression;
use super::super::member::{Argument, Method, Property};
use super::super::rules;
use super::chain::wanted;
use super::contract;
use super::expression::{Dollar, Expressions, This};
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
    let arguments = method.arguments.iter().map(|(name, _)| context.text(*name).to_owned());
    let variables = Some(set.into_iter().chain(arguments).collect());
    let types = method.body.types();
    let this = if is_of_type { This::Type } else { This::Object };
    let mut expressions = Expressions {
        view,
        unit,
        types,
        variables,
        sorted: OnceCell::new(),
        classes,
        loggers: HashSet::default(),
        value: None,
        scalar: None,
        this,
        in_contract: false,
    };
    let once = assigned_once(context, method);
    body.each_entry(&mut |key, value| {
        let (Some(target), Some(source)) = (key.as_yaql(), value.as_yaql()) else { return };
        if let Kind::Variable(Name::Named(variable)) = &target.root().kind
            && once.contains(&**variable)
        {
            let whole = (&value.span, source);
            if let Some(class) = expressions.class_of_value(context, whole, source.root(), Dollar::This) {
                expressions.classes.insert(variable.as_ref().to_owned(), class);
            } else if expressions.is_logger(context, whole, source.root()) {
                expressions.loggers.insert(variable.as_ref().to_owned());
            }
        }
    });
    Body { expressions, method: name }.block(context, body, Enclosing::default());
}

/// Returns the variables that always exist.
pub(super) fn always_set() -> HashSet<String> {
    ["this", "context", "exception"].map(str::to_owned).into_iter().collect()
}

/// Returns the variables that a body sets, in any way, and those that always exist.
fn variables(method: &Method) -> HashSet<String> {
    let mut variables = always_set();
    each_target(method.body.template(), &mut |target| {
        if let Kind::Variable(Name::Named(name)) = &root(target).kind {
            variables.insert(name.as_ref().to_owned());
        }
    });
    if let Some(body) = method.body.template() {
        // The variables of loops (`For`) and exceptions (`As`).
        body.each_entry(&mut |key, value| {
            let name = value.raw_text().filter(|_| matches!(key.as_str(), Some("For" | "As")));
            variables.extend(name.map(str::to_owned));
        });
        each_expression(body, &mut |_, expression| named_by_functions(expression.root(), &mut variables));
    }
    variables
}

/// Returns the variables that a body sets by a single assignment, and in no other way.
fn assigned_once(context: &Context<'_>, method: &Method) -> HashSet<String> {
    let mut others = always_set();
    others.extend(method.arguments.iter().map(|(name, _)| context.text(*name).to_owned()));
    let mut once = HashSet::default();
    let Some(body) = method.body.template() else { return once };
    each_target(Some(body), &mut |target| {
        if let Kind::Variable(Name::Named(name)) = &target.kind
            && !once.insert(name.as_ref().to_owned())
        {
            others.insert(name.as_ref().to_owned());
        }
    });
    body.each_entry(&mut |key, value| {
        let name = value.raw_text().filter(|_| matches!(key.as_str(), Some("For" | "As")));
        others.extend(name.map(str::to_owned));
    });
    each_expression(body, &mut |_, expression| named_by_functions(expression.root(), &mut others));
    once.retain(|name| !others.contains(name));
    once
}

/// Returns the classes of arguments that the body does not assign again.
fn classes(context: &Context<'_>, method: &Method, set: &HashSet<String>) -> HashMap<String, Id<Class>> {
    let of_argument = |(name, id): &(Symbol, Id<Argument>)| {
        let name = context.text(*name).to_owned();
        let argument = context.get(*id).filter(|_| !set.contains(&name))?;
        let is_single = argument.usage.is_none_or(|usage| usage.value == ArgumentUsage::Standard);
        Some((name, context.target(wanted(&argument.contract).filter(|_| is_single)?)?))
    };
    method.arguments.iter().filter_map(of_argument).collect()
}

/// Returns the variable that an assignment changes: `$a` for `$a.b[0]`.
fn root(target: &Expr) -> &Expr {
    match &target.kind {
        Kind::Attribute { receiver: inner, .. } | Kind::Index { collection: inner, .. } => root(inner),
        _ => target,
    }
}

/// Adds the variables and functions that functions define for their arguments: `let(x => 1)`, `.as($ => x)`,
/// `.unpack(x, y)`, `def(f, …)`.
pub(super) fn named_by_functions(expr: &Expr, variables: &mut HashSet<String>) {
    if let Kind::Call { name, arguments } | Kind::Method { name, arguments, .. } = &expr.kind {
        let names = arguments
            .iter()
            .filter(|argument| matches!(argument, Actual::Mapping(..)) || ["unpack", "def"].contains(&&**name));
        let names = names.flat_map(Actual::parts).filter_map(|part| part.as_text());
        variables.extend(names.map(|name| name.as_ref().to_owned()));
    }
    expr.children().into_iter().for_each(|child| named_by_functions(child, variables));
}

/// The statements around a block.
#[derive(Clone, Copy, Debug, Default)]
struct Enclosing {
    is_loop: bool,
    is_handler: bool,
}

struct Body<'v, 'a> {
    expressions: Expressions<'v, 'a>,
    method: &'v str,
}

impl<'a> Body<'_, 'a> {
    fn block(&self, context: &mut Context<'a>, template: &Template, around: Enclosing) {
        let Content::List(items) = &template.content else {
            self.statement(context, template, around);
            return;
        };
        for item in items {
            self.statement(context, item, around);
        }
        let last = items.iter().position(leaves);
        if let Some((last, next)) = last.and_then(|last| Some((&items[last], items.get(last + 1)?))) {
            let (at, end) = (self.span(next), self.span(last));
            context
                .problem(&rules::UNREACHABLE, Some(at), "unreachable statement: the one before it leaves the block")
                .related(Some(end), "leaves the block")
                .help("remove the statement, or move it before the one that leaves the block");
        }
    }

    fn statement(&self, context: &mut Context<'a>, template: &Template, around: Enclosing) {
        match &template.content {
            Content::Map(entries) => match entries.as_slice() {
                [(Template { content: Content::Yaql(target), span }, value)] => {
                    self.target(context, (span, target));
                    self.expressions.of(context, value, Dollar::This);
                }
                _ => {
                    self.clauses(context, template);
                    let around = Enclosing { is_loop: around.is_loop || is_loop(entries), ..around };
                    entries.iter().for_each(|entry| self.part(context, entry, around));
                }
            },
            _ => self.expressions.of(context, template, Dollar::This),
        }
    }

    /// Checks a keyword of a statement and its content.
    fn part(&self, context: &mut Context<'a>, (key, value): &(Template, Template), around: Enclosing) {
        match key.as_str() {
            Some("Then" | "Else" | "Do" | "Default" | "Try" | "Finally" | "Parallel") => {
                self.block(context, value, around);
            }
            Some("Match" | "Switch") => {
                for (case, block) in value.as_map().unwrap_or_default() {
                    self.expressions.of(context, case, Dollar::This);
                    self.block(context, block, around);
                }
            }
            Some("Catch") => match &value.content {
                Content::List(handlers) => handlers.iter().for_each(|handler| self.handler(context, handler, around)),
                _ => self.handler(context, value, around),
            },
            Some("Rethrow") if !around.is_handler => {
                let at = self.span(key);
                let message = "`Rethrow` fails: there is no `Catch` around it";
                context.problem(&rules::UNREACHABLE, Some(at), message).help("move it into a `Catch` or write `Throw`");
            }
            Some("Break" | "Continue") if !around.is_loop => {
                let at = self.span(key);
                let message = format!("`{}` fails: there is no loop around it", key.as_str().unwrap_or_default());
                context.problem(&rules::UNREACHABLE, Some(at), message).help("remove the statement or write `Return:`");
            }
            Some("For" | "With" | "As") => {}
            _ => self.expressions.of(context, value, Dollar::This),
        }
    }

    fn handler(&self, context: &mut Context<'a>, handler: &Template, around: Enclosing) {
        if let Some(block) = handler.get("Do") {
            self.block(context, block, Enclosing { is_handler: true, ..around });
        }
    }

    /// Reports clauses of `Try` that are never run.
    fn clauses(&self, context: &mut Context<'a>, statement: &Template) {
        let Some(block) = statement.get("Try") else { return };
        let mut caught: Vec<(Option<&str>, &Template)> = Vec::new();
        for handler in handlers(statement) {
            let names: Vec<Option<&str>> = match handler.get("With").map(|with| &with.content) {
                None | Some(Content::Null) => vec![None],
                Some(Content::List(names)) => names.iter().map(Template::raw_text).collect(),
                Some(_) => vec![handler.get("With").and_then(Template::raw_text)],
            };
            let earlier = |name: Option<&str>| {
                caught.iter().find(|(other, _)| other.is_none() || *other == name).map(|(_, handler)| *handler)
            };
            let all: Vec<Option<&Template>> = names.iter().copied().map(earlier).collect();
            if let Some(Some(first)) = all.iter().find(|_| all.iter().all(Option::is_some)) {
                let (at, first) = (self.span(handler), self.span(first));
                context
                    .problem(
                        &rules::UNREACHABLE,
                        Some(at),
                        "unreachable handler: an earlier one catches the same exceptions",
                    )
                    .related(Some(first), "earlier handler")
                    .help("remove this handler, or move it before the earlier one");
            }
            caught.extend(names.into_iter().map(|name| (name, handler)));
        }
        if let Some(otherwise) = statement.get("Else").filter(|_| leaves(block)) {
            let at = self.span(otherwise);
            context
                .problem(&rules::UNREACHABLE, Some(at), "`Else` is never run: the block of `Try` does not end normally")
                .related(Some(self.span(block)), "block of `Try`")
                .help("remove `Else`");
        }
    }

    /// Checks the target of an assignment.
    fn target(&self, context: &mut Context<'a>, (at, target): (&std::ops::Range<u32>, &Expression)) {
        let root = root(target.root());
        let place = |part: &std::ops::Range<u32>| self.expressions.place(at, target, part);
        if is_this(root, true) && std::ptr::eq(&raw const **root, &raw const **target.root()) {
            let message = format!("`{}` is the object itself and can't be set", target.text());
            context
                .problem(&rules::INVALID_WRITE, Some(place(&root.span)), message)
                .help("set a property: `$.name: …`");
            return;
        }
        match &root.kind {
            Kind::Variable(_) | Kind::Binary(..) | Kind::Unary(..) => {}
            _ => {
                let message = "invalid assignment target: neither a variable nor a part of one";
                let help = match &root.kind {
                    Kind::Method { name, .. } if ["append", "insert"].contains(&&**name) => {
                        format!("set the list: `$list: $list.{name}(…)`")
                    }
                    _ => "set a variable: `$name: …`".to_owned(),
                };
                context.problem(&rules::INVALID_WRITE, Some(place(&root.span)), message).help(help);
                return;
            }
        }
        self.member(context, (at, target), target.root(), &place);
        self.expressions.indices(context, (at, target), target.root());
    }

    /// Checks the property that an assignment changes: the last one in the target, not those on the way to it.
    fn member(
        &self,
        context: &mut Context<'a>,
        whole: (&std::ops::Range<u32>, &Expression),
        target: &Expr,
        place: super::call::Place<'_>,
    ) {
        let Some((name, part)) = property_of(target) else { return };
        let view = self.expressions.view;
        if self.expressions.this == This::Type {
            if view.property(context, name).is_none_or(|property| !property.is_static()) {
                super::statics::property(context, view.id, name, place(part));
            }
            return;
        }
        let Some(property) = view.property(context, name) else { return };
        let is_data = property.contract.template().is_some_and(|contract| contract::is_data(contract, steps(target)));
        if is_data || steps(target) == 0 {
            self.write(context, property, name, place(part));
            return;
        }
        let Kind::Attribute { receiver, name, name_span, .. } = &target.kind else { return };
        let class = self.expressions.class_of_value(context, whole, receiver, Dollar::This);
        let Some(class) = class else { return };
        let declared = context.get(class);
        let property = context.program.interner.get(name).and_then(|name| declared?.properties.get(name));
        if let Some(property) = property.and_then(|property| context.get(property)) {
            self.write(context, property, name, place(name_span));
        }
    }

    /// Checks a property that code sets.
    fn write(&self, context: &mut Context<'a>, property: &Property, name: &str, at: Span) {
        let view = self.expressions.view;
        let usage = property.usage.map_or(PropertyUsage::In, |usage| usage.value);
        let is_fixed = matches!(usage, PropertyUsage::In | PropertyUsage::Const);
        if !is_fixed || view.is_initializing(context, self.method) {
            return;
        }
        let declared = property.usage.and_then(|usage| context.span(usage.position));
        let declared = declared.or_else(|| property.contract.position().and_then(|position| context.span(position)));
        let message = format!(
            "property `{name}` has the usage `{}`: code can set it only while the object is initialized",
            usage.as_str()
        );
        context
            .problem(&rules::INVALID_WRITE, Some(at), message)
            .related(declared, "declared here")
            .help("give the property the usage `InOut`, `Out` or `Runtime`");
    }

    fn span(&self, template: &Template) -> Span {
        Span { source: self.expressions.unit.id, start: template.span.start, end: template.span.end }
    }
}

/// Returns whether the parts of a statement form a loop.
fn is_loop(entries: &[(Template, Template)]) -> bool {
    entries.iter().any(|(key, _)| matches!(key.as_str(), Some("While" | "For" | "Repeat")))
}

/// Returns the handlers of `Try`.
fn handlers(statement: &Template) -> Vec<&Template> {
    match statement.get("Catch") {
        Some(Template { content: Content::List(handlers), .. }) => handlers.iter().collect(),
        handler => handler.into_iter().filter(|handler| !handler.is_null()).collect(),
    }
}

/// Returns whether a statement or block never ends normally, so that the following code is unreachable.
fn leaves(template: &Template) -> bool {
    let Some(entries) = template.as_map() else {
        return matches!(&template.content, Content::List(items) if items.iter().any(leaves));
    };
    let is_end = |(key, _): &(Template, Template)| {
        matches!(key.as_str(), Some("Return" | "Break" | "Continue" | "Throw" | "Rethrow"))
    };
    let part = |key: &str| template.get(key).is_some_and(leaves);
    let cases = |key: &str| {
        let cases = template.get(key).and_then(Template::as_map);
        cases.is_some_and(|cases| cases.iter().all(|(_, block)| leaves(block)) && part("Default"))
    };
    let handled = || handlers(template).iter().all(|handler| handler.get("Do").is_some_and(leaves));
    entries.iter().any(is_end)
        || part("Finally")
        || part("Then") && part("Else") && template.get("If").is_some()
        || (part("Try") || template.get("Try").is_some() && part("Else")) && handled()
        || entries.len() == 1 && part("Do")
        || cases("Match")
        || cases("Switch")
}

/// Returns the number of names and indices after the property in a target: none in `$.name`, one in `$.name.x`.
fn steps(target: &Expr) -> usize {
    match &target.kind {
        Kind::Attribute { receiver, .. } if is_this(receiver, true) => 0,
        Kind::Attribute { receiver: inner, .. } | Kind::Index { collection: inner, .. } => 1 + steps(inner),
        _ => 0,
    }
}
