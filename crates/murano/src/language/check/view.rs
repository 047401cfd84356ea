//! The names that the code of a class can use: its members and the undeclared properties that its code sets.

use std::cell::OnceCell;

use foldhash::HashSet;
use rustc_hash::FxHashSet;
use tosca_parse::entity::Id;
use tosca_parse::phase::Context;
use tosca_parse::phase::hierarchy::Lineage;
use tosca_parse::symbol::Symbol;
use tosca_parse_yaql::{Expr, Kind, Name};

use super::super::ancestors;
use super::super::class::Class;
use super::super::code::each_expression;
use super::super::heritage::Heritage;
use super::super::member::{Method, Property};
use super::chain;
use crate::class::MethodUsage;
use crate::template::Template;

/// A class from the point of view of its own code.
pub(super) struct View<'a> {
    pub(super) id: Id<Class>,
    pub(super) class: &'a Class,
    /// Whether the class is complete. Otherwise, nothing is reported as missing.
    pub(super) is_whole: bool,
    /// The properties that its code sets, declared or not.
    pub(super) written: HashSet<String>,
    /// The names that its code sets on any object.
    pub(super) assigned: HashSet<String>,
    /// The names of its properties, declared or not, computed on first use.
    names: OnceCell<Vec<String>>,
    /// The methods that are called while objects are initialized, computed on first use.
    initializing: OnceCell<Option<HashSet<String>>>,
    /// The names of members of all classes, computed on first use.
    members: OnceCell<Option<FxHashSet<Symbol>>>,
}

impl<'a> View<'a> {
    /// Returns the view of a class.
    pub(super) fn of(context: &Context<'a>, id: Id<Class>) -> Option<Self> {
        let class = context.get(id)?;
        let (mut written, mut assigned) = (HashSet::default(), HashSet::default());
        for (_, method) in own_methods(context, id) {
            each_target(method.body.template(), &mut |target| {
                written.extend(property_of(target).map(|(name, _)| name.to_owned()));
                names_in(target, &mut assigned);
            });
        }
        let is_whole = context.is_complete(id.any()) && !context.program.is_open(id.unit);
        Some(Self {
            id,
            class,
            is_whole,
            written,
            assigned,
            names: OnceCell::new(),
            initializing: OnceCell::new(),
            members: OnceCell::new(),
        })
    }

    /// Returns a property, if it is declared.
    pub(super) fn property(&self, context: &Context<'a>, name: &str) -> Option<&'a Property> {
        context.get(self.class.properties.get(context.program.interner.get(name)?)?)
    }

    /// Returns the names of all properties, in their order.
    pub(super) fn property_names(&self, context: &Context<'a>) -> &[String] {
        self.names.get_or_init(|| {
            let declared = self.class.properties.iter().map(|(name, _)| context.text(name).to_owned());
            let mut names: Vec<String> = declared.chain(self.written.iter().cloned()).collect();
            names.sort_unstable();
            names
        })
    }

    /// Returns a method, if it is declared.
    pub(super) fn method(&self, context: &Context<'a>, name: &str) -> Option<Id<Method>> {
        self.class.methods.get(context.program.interner.get(name)?)
    }

    /// Returns whether objects have a native method that no class declares.
    pub(super) fn has_native(&self, context: &Context<'a>, name: &str) -> bool {
        matches!(name, "getAttr" | "setAttr") || Heritage::of(context, self.id).is_native
    }

    /// Returns whether a class whose extension methods are visible has one with the given name.
    pub(super) fn has_extension(&self, context: &Context<'a>, name: &str) -> bool {
        let imports = self.class.imports.iter().filter_map(|import| context.target(*import));
        let Some(name) = context.program.interner.get(name) else { return false };
        imports.chain([self.id]).any(|class| {
            let method = context.get(class).and_then(|class| context.get(class.methods.get(name)?));
            method.and_then(|method| method.usage).is_some_and(|usage| usage.value == MethodUsage::Extension)
        })
    }

    /// Returns whether any class has a member with the given name or may have one.
    pub(super) fn is_elsewhere(&self, context: &Context<'a>, name: &str) -> bool {
        let members = self.members.get_or_init(|| chain::all_members(context));
        members.as_ref().is_none_or(|all| context.program.interner.get(name).is_some_and(|name| all.contains(&name)))
    }

    /// Returns whether a method is called while an object is initialized, as far as the code shows.
    pub(super) fn is_initializing(&self, context: &mut Context<'a>, method: &str) -> bool {
        let called = self.initializing.get_or_init(|| self.find_initializing(context));
        called.as_ref().is_none_or(|called| called.contains(method))
    }

    /// Returns the methods that are called while objects are initialized; `None` if there are too many ancestors, which is
    /// reported.
    fn find_initializing(&self, context: &mut Context<'a>) -> Option<HashSet<String>> {
        let count = context.program.lineage(self.id.any()).map_or(0, Lineage::ancestor_count);
        let (mut called, mut next) = (HashSet::default(), vec![".init".to_owned()]);
        let mut classes = None;
        while let Some(name) = next.pop() {
            if called.contains(&name) {
                continue;
            }
            if !context.has_room_for_ancestors(count, self.id.any()) {
                return None;
            }
            let program = context.program;
            let classes: &Vec<_> = classes.get_or_insert_with(|| {
                let ids = std::iter::once(self.id.any()).chain(ancestors(program, self.id.any()));
                ids.filter_map(|id| program.raw_as(id.cast::<Class>()?)).collect()
            });
            if let Some(symbol) = program.interner.get(&name) {
                let methods = classes.iter().filter_map(|class| program.raw_as(class.methods.get(symbol)?));
                methods.for_each(|method| called_on_this(method.body.template(), &mut next));
            }
            called.insert(name);
        }
        Some(called)
    }
}

/// Returns the methods that a class declares itself, with their names.
pub(super) fn own_methods<'a>(
    context: &Context<'a>,
    id: Id<Class>,
) -> impl Iterator<Item = (&'a str, &'a Method)> + use<'a> {
    let program = context.program;
    let methods = program.raw_as(id).into_iter().flat_map(|class| class.methods.iter());
    methods.filter_map(move |(name, id)| Some((program.text(name), program.raw_as(id)?)))
}

/// Returns whether an expression is the object whose code it is in. `$` is this object, unless a function has given `$`
/// a different meaning.
pub(super) fn is_this(expr: &Expr, is_dollar: bool) -> bool {
    match &expr.kind {
        Kind::Variable(Name::Position(1)) => is_dollar,
        Kind::Variable(Name::Named(name)) => &**name == "this",
        _ => false,
    }
}

/// Returns the property of `$this` that a target belongs to, and its position in the expression.
pub(super) fn property_of(target: &Expr) -> Option<(&str, &std::ops::Range<u32>)> {
    match &target.kind {
        Kind::Attribute { receiver, name, name_span, .. } if is_this(receiver, true) => Some((name, name_span)),
        Kind::Attribute { receiver: inner, .. } | Kind::Index { collection: inner, .. } => property_of(inner),
        _ => None,
    }
}

/// Adds the names of all properties in a target.
fn names_in(target: &Expr, names: &mut HashSet<String>) {
    match &target.kind {
        Kind::Attribute { receiver, name, .. } => {
            names.insert(name.as_ref().to_owned());
            names_in(receiver, names);
        }
        Kind::Index { collection, .. } => names_in(collection, names),
        _ => {}
    }
}

/// Calls a function with every target of an assignment in a body.
pub(super) fn each_target<'t>(body: Option<&'t Template>, visit: &mut dyn FnMut(&'t Expr)) {
    if let Some(body) = body {
        body.each_entry(&mut |key, _| key.as_yaql().into_iter().for_each(|target| visit(target.root())));
    }
}

/// Adds the names of the methods that a body calls on its own object.
fn called_on_this(body: Option<&Template>, names: &mut Vec<String>) {
    fn visit(expr: &Expr, names: &mut Vec<String>) {
        if let Kind::Method { receiver, name, .. } = &expr.kind
            && is_this(receiver, true)
        {
            names.push(name.as_ref().to_owned());
        }
        expr.children().into_iter().for_each(|child| visit(child, names));
    }
    if let Some(body) = body {
        each_expression(body, &mut |_, expression| visit(expression.root(), names));
    }
}
