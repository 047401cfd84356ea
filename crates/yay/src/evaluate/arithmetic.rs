//! Operators on numbers, and `+` on text and lists.

use super::convert::{Number, number, to_int, to_number, to_text};
use crate::error::{Category, Error, Result};
use crate::graph::{Graph, Pending};
use crate::source::Span;
use crate::syntax::{Binary, Unary};
use crate::value::{Kind, SECRET, Text, Value, derived};

type Operand<'a> = (&'a Value, Span);

impl Graph<'_> {
    pub(super) fn binary(
        &mut self,
        operator: Binary,
        left: Operand<'_>,
        right: Operand<'_>,
        at: Span,
    ) -> Result<Value> {
        let labels = left.0.labels | right.0.labels | self.labels_at(at.source);
        for (operand, _) in [left, right] {
            if let Kind::Text(text) = &operand.kind {
                // The text may be a number.
                self.look_through(text.plain.len() / 8, at)?;
            }
        }
        match operator {
            Binary::Add => return self.add(left, right, at, labels),
            Binary::Or => {
                if let Some(value) = self.united(left.0, right.0, at)? {
                    return Ok(value.labeled(labels));
                }
            }
            Binary::Multiply => {
                if let Some(value) = self.repeated(left, right, at)? {
                    return Ok(value.labeled(labels));
                }
            }
            Binary::Modulo => {
                if let (Kind::Text(text), None) = (&left.0.kind, number(left.0)) {
                    return Ok(self.formatted(&text.plain, left, right, at)?.labeled(labels));
                }
            }
            _ => {}
        }
        let kind = match operator {
            Binary::And | Binary::Or | Binary::Xor | Binary::ShiftLeft | Binary::ShiftRight => {
                let (a, b) = (to_int(left.0, left.1)?, to_int(right.0, right.1)?);
                Number::Int(bits(operator, a, b, at, right.0)?)
            }
            _ => {
                let (a, b) = (to_number(left.0, left.1)?, to_number(right.0, right.1)?);
                calculate(operator, a, b, at, right)?
            }
        };
        Ok(Value::new(kind.kind(), at, labels))
    }

    fn add(&mut self, left: Operand<'_>, right: Operand<'_>, at: Span, labels: u64) -> Result<Value> {
        if let (Some(a), Some(b)) = (number(left.0), number(right.0)) {
            return calculate(Binary::Add, a, b, at, right).map(|sum| Value::new(sum.kind(), at, labels));
        }
        if let (Kind::List(_), Kind::List(_)) = (&left.0.kind, &right.0.kind) {
            return Ok(self.chained(&[left.0, right.0], at).labeled(labels));
        }
        let (a, b) = (to_text(left.0, left.1)?, to_text(right.0, right.1)?);
        self.make_text(a.len() + b.len(), at)?;
        let safe = (labels & SECRET != 0 && self.labels_at(at.source) & SECRET == 0).then(|| {
            let shown = |value: &Value| value.safe_text().unwrap_or_default();
            format!("{}{}", shown(left.0), shown(right.0)).into()
        });
        let text = Text { plain: format!("{a}{b}").into(), safe, absent: false };
        Ok(Value::new(Kind::Text(text), at, labels))
    }
}

impl Graph<'_> {
    /// Returns the items of several lists as one list.
    pub(super) fn chained(&mut self, lists: &[&Value], at: Span) -> Value {
        let (mut pending, mut labels) = (Vec::with_capacity(lists.len()), 0);
        for value in lists.iter().rev() {
            let Kind::List(list) = value.kind else { continue };
            pending.push(Pending::Items(self.list_of(value, list), 0));
            labels |= value.labels;
        }
        Value::new(Kind::List(self.add_list(at, pending)), at, labels)
    }

    /// Returns the union of two sets or mappings; `None` for other operands.
    fn united(&mut self, left: &Value, right: &Value, at: Span) -> Result<Option<Value>> {
        match (&left.kind, &right.kind) {
            (Kind::List(a), Kind::List(b)) => {
                let mut items = Vec::new();
                let mut labels = 0;
                for (value, list) in [(left, *a), (right, *b)] {
                    let list = self.list_of(value, list);
                    items.extend(self.items(list)?);
                    labels |= self.list_labels(list);
                }
                self.check_count(items.len() as i128, at)?;
                Ok(Some(self.distinct(items, at)?.labeled(labels)))
            }
            (Kind::Map(_), Kind::Map(_)) => {
                let (mut entries, mut labels) = (Vec::new(), 0);
                for value in [left, right] {
                    labels |= self.add_entries(value, &mut entries)?;
                }
                let view = self.known_view(at, entries);
                Ok(Some(Value::new(Kind::Map(view), at, labels)))
            }
            _ => Ok(None),
        }
    }

    /// Repeats text or a list; `None` if neither is repeated.
    fn repeated(&mut self, left: Operand<'_>, right: Operand<'_>, at: Span) -> Result<Option<Value>> {
        let is_sequence = |value: &Value| match &value.kind {
            Kind::List(_) => true,
            Kind::Text(_) => number(value).is_none(),
            _ => false,
        };
        let (sequence, times) = match (is_sequence(left.0), is_sequence(right.0)) {
            (true, false) => (left.0, right),
            (false, true) => (right.0, left),
            _ => return Ok(None),
        };
        let times = usize::try_from(to_int(times.0, times.1)?.max(0)).unwrap_or(usize::MAX);
        match &sequence.kind {
            Kind::List(list) => {
                let list = self.list_of(sequence, *list);
                let items = self.items(list)?;
                let labels = self.list_labels(list);
                let count = items.len().saturating_mul(times);
                self.check_count(count as i128, at)?;
                let made = self.known_list(at, items.repeat(if items.is_empty() { 0 } else { times }));
                Ok(Some(Value::new(Kind::List(made), at, derived(right.0.labels | left.0.labels) | labels)))
            }
            Kind::Text(text) => {
                let length = text.plain.len().saturating_mul(times);
                self.make_text(length, at)?;
                let text = text.plain.repeat(if text.plain.is_empty() { 0 } else { times });
                Ok(Some(Value::text(&text, at, 0)))
            }
            _ => Ok(None),
        }
    }
}

pub(super) fn too_large(at: Span) -> Error {
    Error::new(Category::Type, at, "the result is too large: integers have 64 bits")
}

fn bits(operator: Binary, a: i64, b: i64, at: Span, right: &Value) -> Result<i64> {
    match operator {
        Binary::And => return Ok(a & b),
        Binary::Or => return Ok(a | b),
        Binary::Xor => return Ok(a ^ b),
        _ => {}
    }
    if b < 0 {
        return Err(Error::new(Category::Type, right.at, "a number can't be shifted by a negative number").used(at));
    }
    if operator == Binary::ShiftRight {
        return Ok(a >> b.min(63));
    }
    if a == 0 {
        return Ok(0);
    }
    let factor = u32::try_from(b).ok().and_then(|by| 1i64.checked_shl(by)).filter(|factor| *factor > 0);
    factor.and_then(|factor| a.checked_mul(factor)).ok_or_else(|| too_large(at))
}

fn calculate(operator: Binary, a: Number, b: Number, at: Span, right: Operand<'_>) -> Result<Number> {
    if matches!(operator, Binary::Divide | Binary::FloorDivide | Binary::Modulo) && b.float() == 0.0 {
        return Err(Error::new(Category::ZeroDivision, right.1, "division by zero").used(right.0.at));
    }
    let (Number::Int(x), Number::Int(y)) = (a, b) else {
        let (x, y) = (a.float(), b.float());
        if operator == Binary::Power && x == 0.0 && y < 0.0 {
            return Err(Error::new(Category::ZeroDivision, right.1, "zero has no negative powers").used(right.0.at));
        }
        let made = floats(operator, x, y);
        if !made.is_finite() {
            let what = if made.is_nan() {
                "the result is not a real number"
            } else {
                "the result is too large: numbers are finite"
            };
            return Err(Error::new(Category::Type, at, what));
        }
        return Ok(Number::Float(made));
    };
    let whole = match operator {
        Binary::Add => x.checked_add(y),
        Binary::Subtract => x.checked_sub(y),
        Binary::Multiply => x.checked_mul(y),
        Binary::Divide => return Ok(Number::Float(a.float() / b.float())),
        Binary::FloorDivide => x.checked_div(y).map(|quotient| quotient - i64::from(x % y != 0 && (x < 0) != (y < 0))),
        Binary::Modulo => x.checked_rem(y).map(|rest| if rest != 0 && (rest < 0) != (y < 0) { rest + y } else { rest }),
        _ => return power(x, y, at, right),
    };
    whole.map(Number::Int).ok_or_else(|| too_large(at))
}

fn power(x: i64, y: i64, at: Span, right: Operand<'_>) -> Result<Number> {
    if y < 0 {
        if x == 0 {
            return Err(Error::new(Category::ZeroDivision, right.1, "zero has no negative powers").used(right.0.at));
        }
        return Ok(Number::Float(Number::Int(x).float().powf(Number::Int(y).float())));
    }
    let exponent = u32::try_from(y).unwrap_or(u32::MAX);
    if matches!(x, -1..=1) {
        let one = y == 0 || x == -1 && y % 2 == 0;
        return Ok(Number::Int(if one { 1 } else { x }));
    }
    x.checked_pow(exponent).map(Number::Int).ok_or_else(|| too_large(at))
}

fn floats(operator: Binary, x: f64, y: f64) -> f64 {
    match operator {
        Binary::Add => x + y,
        Binary::Subtract => x - y,
        Binary::Multiply => x * y,
        Binary::Divide => x / y,
        Binary::FloorDivide => floor_divided(x, y),
        Binary::Modulo => modulo(x, y),
        _ => x.powf(y),
    }
}

/// Returns the remainder of a division, with the sign of the divisor.
fn modulo(x: f64, y: f64) -> f64 {
    let rest = x % y;
    if rest == 0.0 {
        return 0.0_f64.copysign(y);
    }
    if (rest < 0.0) == (y < 0.0) { rest } else { rest + y }
}

/// Returns the quotient that matches the remainder: `1 // 0.1` is 9, because the float 0.1 is slightly more than a
/// tenth.
fn floor_divided(x: f64, y: f64) -> f64 {
    let quotient = (x - modulo(x, y)) / y;
    if quotient == 0.0 {
        return 0.0_f64.copysign(x / y);
    }
    let floor = quotient.floor();
    if quotient - floor > 0.5 { floor + 1.0 } else { floor }
}

pub(super) fn sign(operator: Unary, value: &Value, at: Span, user: Span) -> Result<Kind> {
    let number = match operator {
        Unary::Invert => Number::Int(!to_int(value, user)?),
        _ => to_number(value, user)?,
    };
    let negated = match (operator, number) {
        (Unary::Minus, Number::Int(number)) => Number::Int(number.checked_neg().ok_or_else(|| too_large(at))?),
        (Unary::Minus, Number::Float(number)) => Number::Float(-number),
        _ => number,
    };
    Ok(negated.kind())
}
