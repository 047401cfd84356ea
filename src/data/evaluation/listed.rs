//! Lists of valid values, which are converted once per program, and hashed if possible.
//!
//! There may be as many values as list items. Each value would otherwise be compared with each item: 8 000 values and a
//! list of 8 000 strings (142 kB) take 9 s without this module (2026-11-29).

use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

use super::{Evaluator, MAX_EFFORT};
use crate::ard::{Kind, Node, NodeId};
use crate::data::call::{Shape, shape};
use crate::data::schema::Schema;
use crate::data::typed::datum::Datum;
use crate::data::typed::lookup::ValueTable;
use crate::entity::Id;
use crate::grammar::types::DataType;
use crate::phase::Context;

/// Lists that are not longer are searched without a table.
const A_FEW: usize = 8;

/// The maximum [weight] of conditions that do not count toward the limit: nearly all.
pub(crate) const LIGHT: usize = 32;

/// The tables by list, and by the type of the values if it matters; `None` for lists without a table.
type Tables = RwLock<FxHashMap<(NodeId, Option<Id<DataType>>), Option<Arc<ValueTable>>>>;

impl<'a> Evaluator<'_, 'a> {
    /// Returns the table of a list of literals; `None` if the list must be searched. `model` is the schema of the items.
    pub(crate) fn table(&mut self, list: Node<'a>, model: &Schema<'a>) -> Option<Arc<ValueTable>> {
        const TABLES: &str = "lists of valid values";
        if list.kind() != Kind::List || list.items().nth(A_FEW).is_none() {
            return None;
        }
        let (owner, data_type) = model.owner_of_clauses(self.context, list.span().source)?;
        let tables = self.context.program.table(TABLES, owner, Tables::default);
        let key = (list.id(), data_type);
        let known = tables.read().ok()?.get(&key).cloned();
        known.unwrap_or_else(|| {
            let table = self.tabulated(list, model).map(Arc::new);
            if let Ok(mut tables) = tables.write() {
                tables.insert(key, table.clone());
            }
            table
        })
    }

    /// Returns the [weight] of a clause.
    pub(crate) fn weight(&mut self, clause: Node<'a>) -> usize {
        let Shape::Call(call) = shape(self.context, clause) else { return weight(clause) };
        let arguments = call.arguments();
        if let ("valid_values", [subject, list]) = (call.name, &arguments[..])
            && let Some(model) = self.model(&arguments)
        {
            return self.weight(*subject) + self.weight_of_list(*list, &model);
        }
        1 + arguments.into_iter().map(|argument| self.weight(argument)).sum::<usize>()
    }

    /// Returns the [weight] of a list of valid values. `model` is the schema of the items.
    pub(crate) fn weight_of_list(&mut self, list: Node<'a>, model: &Schema<'a>) -> usize {
        const CONVERTED: usize = 8;
        match self.table(list, model).as_deref() {
            Some(ValueTable::Hashed(..)) => 1,
            Some(ValueTable::Listed(_)) => 1 + weight(list) / CONVERTED,
            None => weight(list),
        }
    }

    fn tabulated(&mut self, list: Node<'a>, model: &Schema<'a>) -> Option<ValueTable> {
        if !list.items().all(|item| is_constant(self.context, item)) {
            return None;
        }
        // The table is not part of the value under validation.
        let effort = self.effort;
        let items: Vec<Datum> = list
            .items()
            .map(|item| {
                self.effort = MAX_EFFORT;
                self.evaluate(item, Some(model))
            })
            .collect();
        self.effort = effort;
        Some(ValueTable::new(items))
    }
}

/// Returns whether an item has the same value everywhere. Maps may be calls, or get defaults.
fn is_constant<'a>(context: &Context<'a>, item: Node<'a>) -> bool {
    let is_literal = item.kind() != Kind::Map && matches!(shape(context, item), Shape::Literal);
    is_literal && item.items().all(|item| is_constant(context, item))
}

/// Returns the weight of a part of a clause: the approximate time for comparing a value with it.
pub(crate) fn weight(node: Node<'_>) -> usize {
    const BYTES: u32 = 16;
    let span = node.span();
    1 + ((span.end - span.start) / BYTES) as usize
}
