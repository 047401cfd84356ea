//! What must be true of values, in one form for all versions: that of TOSCA 2.0, where conditions are calls.
//!
//! Before 2.0, definitions have lists of constraint clauses (1.3, 3.6.3). Programs that use the model need not know that.

use super::super::{Call, Value};
use super::Builder;
use crate::ard::Node;
use crate::entity::Clauses;
use crate::grammar::tosca::data::{Constraint, DataKind, constraints, is_unbounded};
use crate::grammar::tosca::version::V2_0;

impl<'a> Builder<'a> {
    /// What must be true of a value, which the function `value` stands for.
    pub(super) fn validation(&self, clauses: &Clauses, kind: Option<DataKind>) -> Vec<Value> {
        let calls = clauses.items.iter().filter_map(|clause| {
            let node = self.data(Some(clause.0))?;
            let unit = self.context.program.unit(clause.0.unit);
            let is_simple = unit.is_some_and(|unit| unit.version < V2_0);
            Some(if is_simple { self.constraints(node, kind) } else { vec![self.value(node)] })
        });
        calls.flatten().collect()
    }

    fn constraints(&self, node: Node<'a>, kind: Option<DataKind>) -> Vec<Value> {
        let clauses = constraints(&self.context, node).filter_map(Result::ok);
        clauses.flat_map(|clause| self.constraint(clause, kind)).collect()
    }

    fn constraint(&self, clause: Constraint<'a>, kind: Option<DataKind>) -> Vec<Value> {
        let value = || call("value", []);
        let length = || call("length", [value()]);
        let operand = self.value(clause.operand);
        let condition = match clause.operator.name {
            // Of a range, both ends are meant, which no function of 2.0 compares.
            "in_range" if kind != Some(DataKind::Range) => {
                let bounds = ["greater_or_equal", "less_or_equal"].into_iter().zip(clause.operand.items());
                let bounds = bounds.filter(|(_, bound)| !is_unbounded(*bound));
                return bounds.map(|(name, bound)| call(name, [value(), self.value(bound)])).collect();
            }
            "length" => call("equal", [length(), operand]),
            "min_length" => call("greater_or_equal", [length(), operand]),
            "max_length" => call("less_or_equal", [length(), operand]),
            "pattern" => call("matches", [value(), operand]),
            name => call(name, [value(), operand]),
        };
        vec![condition]
    }
}

fn call(name: &str, arguments: impl IntoIterator<Item = Value>) -> Value {
    Value::Call(Box::new(Call { name: name.into(), origin: None, arguments: arguments.into_iter().collect() }))
}
