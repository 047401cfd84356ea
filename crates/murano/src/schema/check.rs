//! What the conditions of `check` say in terms of JSON Schema.

use serde_json::{Map, Value as Json, json};
use tosca_parse_yaql::{Argument, Expr, Kind, Name, Node, Operator, Result, Value};

use super::{Maker, Style, to_json};

impl Maker<'_> {
    /// Adds what a condition says to a schema; nothing if a schema can't say it.
    pub(super) fn check(&self, predicate: &Expr, schema: &mut Map<String, Json>) -> Result<()> {
        match &predicate.kind {
            Kind::Binary(Operator::And, left, right) => {
                for side in [left, right] {
                    if self.is_seen(side) {
                        self.check(side, schema)?;
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

    /// Murano sees only the last of several conditions, and none in parentheses.
    fn is_seen(&self, side: &Node) -> bool {
        let text = self.text.borrow();
        let before = text[..side.span.start as usize].trim_end();
        let after = text[side.span.end as usize..].trim_start();
        let in_parentheses = before.ends_with('(') && after.starts_with(')');
        self.style == Style::Correct || !(in_parentheses || matches!(side.kind, Kind::Binary(Operator::And, ..)))
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
                Operator::Matches if self.style == Style::Correct => self.pattern(right, schema),
                Operator::Equal if self.style == Style::Correct => {
                    if let Some(value) = self.constant(right)? {
                        schema.insert("enum".into(), json!([to_json(&value)]));
                    }
                    Ok(())
                }
                _ => self.bound(operator, right, false, schema),
            };
        }
        if is_data(right) {
            return self.bound(flipped(operator), left, true, schema);
        }
        if self.style == Style::Correct && is_length(left) {
            return self.length(operator, right, schema);
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
        // Murano has it the wrong way round if the bound is on the left.
        let inverted = flipped && self.style == Style::Reference;
        schema.insert(key.into(), to_json(&value));
        schema.insert(exclusive_key.into(), (exclusive != inverted).into());
        Ok(())
    }

    fn length(&self, operator: Operator, bound: &Expr, schema: &mut Map<String, Json>) -> Result<()> {
        let Some(bound) = self.constant(bound)?.and_then(|value| value.as_i64()) else { return Ok(()) };
        let (key, bound) = match operator {
            Operator::Greater => ("minLength", bound + 1),
            Operator::GreaterOrEqual => ("minLength", bound),
            Operator::Less => ("maxLength", bound - 1),
            Operator::LessOrEqual => ("maxLength", bound),
            _ => return Ok(()),
        };
        schema.insert(key.into(), bound.max(0).into());
        Ok(())
    }

    fn pattern(&self, pattern: &Expr, schema: &mut Map<String, Json>) -> Result<()> {
        if let Some(Value::String(pattern)) = self.constant(pattern)? {
            schema.insert("pattern".into(), pattern.as_ref().into());
        }
        Ok(())
    }
}

fn is_data(node: &Node) -> bool {
    matches!(&node.kind, Kind::Variable(Name::Position(1)))
}

/// `len($)` or `$.len()`
fn is_length(node: &Node) -> bool {
    match &node.kind {
        Kind::Call { name, arguments } => {
            **name == *"len" && matches!(arguments.as_slice(), [Argument::Positional(value)] if is_data(value))
        }
        Kind::Method { receiver, name, arguments, .. } => **name == *"len" && arguments.is_empty() && is_data(receiver),
        _ => false,
    }
}

fn flipped(operator: Operator) -> Operator {
    match operator {
        Operator::Greater => Operator::Less,
        Operator::GreaterOrEqual => Operator::LessOrEqual,
        Operator::Less => Operator::Greater,
        Operator::LessOrEqual => Operator::GreaterOrEqual,
        _ => Operator::Not,
    }
}
