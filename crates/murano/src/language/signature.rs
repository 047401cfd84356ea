//! Signatures: what calls, objects and overriding methods need to know about the parameters of a method.

use std::sync::Arc;

use foldhash::HashMap;
use tosca_parse::entity::Id;
use tosca_parse::phase::Context;
use tosca_parse::symbol::Symbol;
use tosca_parse_yaql::{Expr, Kind};

use super::member::{Argument, Method};
use crate::class::ArgumentUsage;
use crate::template::{Content, Template};

/// The parameters of a method. There may be many calls of a method with many parameters, so they are read only once.
#[derive(Default)]
pub(super) struct Signature {
    /// The parameters that take one value, in their order.
    pub(super) single: Vec<Symbol>,
    /// All parameters, with their indexes in `single`.
    indexes: HashMap<Symbol, Option<usize>>,
    /// The parameters that must be given, with their indexes in `single`.
    demanded: Vec<(usize, Symbol, Id<Argument>)>,
    /// Whether a parameter takes the remaining values without a name.
    pub(super) takes_more: bool,
    /// Whether a parameter takes the remaining values with a name.
    pub(super) takes_names: bool,
}

impl Signature {
    pub(super) fn of(context: &Context<'_>, method: Id<Method>) -> Arc<Self> {
        context.program.table("signature", method.any(), || {
            let mut signature = Self::default();
            for (name, id) in context.program.raw_as(method).into_iter().flat_map(|method| &method.arguments) {
                signature.add(*name, *id, context.program.raw_as(*id));
            }
            signature
        })
    }

    fn add(&mut self, name: Symbol, id: Id<Argument>, argument: Option<&Argument>) {
        match argument.and_then(|argument| argument.usage).map(|usage| usage.value) {
            None | Some(ArgumentUsage::Standard) => {
                let index = self.single.len();
                let refuses = |argument: &Argument| is_demanded(argument.contract.template());
                if argument.is_some_and(|argument| !argument.default.is_given() && refuses(argument)) {
                    self.demanded.push((index, name, id));
                }
                self.single.push(name);
                self.indexes.insert(name, Some(index));
                return;
            }
            Some(ArgumentUsage::VarArgs) => self.takes_more = true,
            Some(ArgumentUsage::KwArgs) => self.takes_names = true,
        }
        self.indexes.insert(name, None);
    }

    /// Returns whether there is a parameter with the given name.
    pub(super) fn has(&self, name: Symbol) -> bool {
        self.indexes.contains_key(&name)
    }

    /// Returns the index of a parameter in the list of those that take one value.
    pub(super) fn index(&self, name: Symbol) -> Option<usize> {
        self.indexes.get(&name).copied().flatten()
    }

    /// Returns the first parameter that must be given, but neither is among the first `count` nor has one of the names.
    pub(super) fn missing(&self, count: usize, is_named: impl Fn(Symbol) -> bool) -> Option<(Symbol, Id<Argument>)> {
        let later = &self.demanded[self.demanded.partition_point(|(index, ..)| *index < count)..];
        later.iter().find(|(_, name, _)| !is_named(*name)).map(|(_, name, id)| (*name, *id))
    }
}

/// Returns whether a contract refuses null.
pub(super) fn is_demanded(contract: Option<&Template>) -> bool {
    fn refuses(expr: &Expr) -> bool {
        match &expr.kind {
            Kind::Method { receiver, name, .. } => &**name == "notNull" || refuses(receiver),
            _ => false,
        }
    }
    matches!(contract.map(|contract| &contract.content), Some(Content::Yaql(expression)) if refuses(expression.root()))
}
