//! Conditions on values, as calls in the form of TOSCA 2.0 for all versions.
//!
//! Before 2.0, definitions have lists of constraint clauses (1.3, 3.6.3), which do not occur in the model.

use super::super::{Call, Value};
use super::builder::Builder;
use crate::ard::Node;
use crate::data::{Argument, Condition, ConditionSubject as Subject, Constraint, DataKind, Operand, constraints};
use crate::entity::Clauses;
use crate::grammar::version::V2_0;

impl<'a> Builder<'a> {
    /// Returns the conditions that a value must fulfill. The function `value` returns the value.
    pub(super) fn validation(&self, clauses: &Clauses, kind: Option<DataKind>) -> Vec<Value> {
        let calls = clauses.iter().filter_map(|clause| {
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
        // 2.0 has no ranges and so no function that compares with their bounds.
        let is_of_range = kind == Some(DataKind::Range) && clause.operator.operand == Operand::Bounds;
        if is_of_range || !clause.has_conditions() {
            return vec![call(clause.operator.name, [value(), self.value(clause.operand)])];
        }
        let conditions = clause.conditions(false).map(|Condition { function, subject, argument }| {
            let subject = if subject == Subject::Length { call("length", [value()]) } else { value() };
            let argument = match argument {
                Argument::Node(node) => self.value(node),
                Argument::Pattern(pattern) => Value::from(&*pattern),
            };
            call(function, [subject, argument])
        });
        conditions.collect()
    }
}

fn call(name: &str, arguments: impl IntoIterator<Item = Value>) -> Value {
    Value::Call(Box::new(Call { name: name.into(), origin: None, arguments: arguments.into_iter().collect() }))
}
