//! Lists of valid values, which are converted and hashed once per program.
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

/// Lists that are not longer are searched without a table.
const A_FEW: usize = 16;

/// The tables by list and type of the values; `None` for lists without a table.
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

    /// Returns the [weight] of a clause without the lists that have tables.
    pub(crate) fn weight(&mut self, clause: Node<'a>) -> usize {
        let Shape::Call(call) = shape(self.context, clause) else { return weight(clause) };
        let arguments = call.arguments();
        if let ("valid_values", [subject, list]) = (call.name, &arguments[..])
            && let Some(model) = self.model(&arguments)
            && self.table(*list, &model).is_some()
        {
            return 1 + self.weight(*subject);
        }
        1 + arguments.into_iter().map(|argument| self.weight(argument)).sum::<usize>()
    }

    fn tabulated(&mut self, list: Node<'a>, model: &Schema<'a>) -> Option<ValueTable> {
        let is_scalar = |item: Node<'a>| !matches!(item.kind(), Kind::List | Kind::Map);
        let context = self.context;
        if !list.items().all(|item| is_scalar(item) && matches!(shape(context, item), Shape::Literal)) {
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
        ValueTable::new(items)
    }
}

/// Returns the weight of a part of a clause: the approximate time for comparing a value with it.
pub(crate) fn weight(node: Node<'_>) -> usize {
    const BYTES: u32 = 16;
    let span = node.span();
    1 + ((span.end - span.start) / BYTES) as usize
}
