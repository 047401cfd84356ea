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
type Tables = RwLock<FxHashMap<(NodeId, Id<DataType>), Option<Arc<ValueTable>>>>;

impl<'a> Evaluator<'_, 'a> {
    /// Returns the table of a list of literals; `None` if the list must be searched. `model` is the schema of the items.
    pub(crate) fn table(&mut self, list: Node<'a>, model: &Schema<'a>) -> Option<Arc<ValueTable>> {
        const TABLES: &str = "lists of valid values";
        let data_type = model.data_type.filter(|_| list.kind() == Kind::List && list.items().nth(A_FEW).is_some())?;
        let owner = model.declared_in(list.span().source)?;
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
