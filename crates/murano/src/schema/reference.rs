//! The keywords that Murano's own generator writes for the conditions of `check`, with its mistakes.

use serde_json::{Map, Value as Json};
use tosca_parse_yaql::{Argument, Expr, Kind, Name, Node, Operator, Result, Value};

use super::{Maker, to_json};

impl Maker<'_> {
    /// Adds the keywords of a condition to a schema, if Murano translates it.
    pub(super) fn check_as_murano(&self, predicate: &Expr, schema: &mut Map<String, Json>) -> Result<()> {
        match &predicate.kind {
            Kind::Binary(Operator::And, left, right) => {
                for side in [left, right] {
                    if self.is_seen(side) {
                        self.check_as_murano(side, schema)?;
                    }
                }
                Ok(())
            }
            Kind::Binary(operator, left, right) => self.compare(*operator, left, right, schema),
            Kind::Method { receiver, name, arguments, .. } if is_data(receiver) && **name == *"matches" => {
                match arguments.as_slice() {
                    [Argument::Positional(pattern)] => self.pattern(pattern, schema),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Returns whether Murano takes a side of a condition into account: it uses only the last of several conditions,
    /// and none in parentheses.
    fn is_seen(&self, side: &Node) -> bool {
        let text = self.text.borrow();
        let before = text[..side.span.start as usize].trim_end();
        let after = text[side.span.end as usize..].trim_start();
        let in_parentheses = before.ends_with('(') && after.starts_with(')');
        !(in_parentheses || matches!(side.kind, Kind::Binary(Operator::And, ..)))
    }

    fn compare(&self, operator: Operator, left: &Expr, right: &Expr, schema: &mut Map<String, Json>) -> Result<()> {
        if is_data(left) {
            return match operator {
                Operator::In => {
                    if let Some(Value::List(values)) = self.constant(right)? {
                        schema.insert("enum".into(), to_json(&Value::list(values.to_vec())));
                    }
                    Ok(())
                }
                _ => self.bound(operator, right, false, schema),
            };
        }
        if is_data(right) {
            return self.bound(flipped(operator), left, true, schema);
        }
        Ok(())
    }

    fn bound(&self, operator: Operator, value: &Expr, flipped: bool, schema: &mut Map<String, Json>) -> Result<()> {
        let (key, exclusive_key, exclusive) = match operator {
            Operator::Greater => ("minimum", "exclusiveMinimum", true),
            Operator::GreaterOrEqual => ("minimum", "exclusiveMinimum", false),
            Operator::Less => ("maximum", "exclusiveMaximum", true),
            Operator::LessOrEqual => ("maximum", "exclusiveMaximum", false),
            _ => return Ok(()),
        };
        let Some(value @ (Value::Integer(_) | Value::Float(_))) = self.constant(value)? else { return Ok(()) };
        // Murano reverses the comparison if the limit is on the left.
        schema.insert(key.into(), to_json(&value));
        schema.insert(exclusive_key.into(), (exclusive != flipped).into());
        Ok(())
    }

    fn pattern(&self, pattern: &Expr, schema: &mut Map<String, Json>) -> Result<()> {
        if let Some(Value::String(pattern)) = self.constant(pattern)? {
            schema.insert("pattern".into(), pattern.as_ref().into());
        }
        Ok(())
    }
}

pub(super) fn is_data(node: &Node) -> bool {
    matches!(&node.kind, Kind::Variable(Name::Position(1)))
}

pub(super) fn flipped(operator: Operator) -> Operator {
    match operator {
        Operator::Greater => Operator::Less,
        Operator::GreaterOrEqual => Operator::LessOrEqual,
        Operator::Less => Operator::Greater,
        Operator::LessOrEqual => Operator::GreaterOrEqual,
        _ => Operator::Not,
    }
}
