//! `format` of strings: `{}`, `{0}` and `{name}`, with specifications as in Python, without access to attributes.

mod spec;

use super::Table;
use crate::error::{Result, index_error, key_error, value_error};
use crate::function::Call;
use crate::value::Value;

pub(super) const TABLE: Table = &[("±format(string: String, *args: any, **kwargs: any)", |call| {
    let arguments = Arguments { positional: call.rest_values(), next: 0, call };
    arguments.fill(&call.text(0), 0).map(|(text, _)| text.into())
})];

struct Arguments<'c> {
    positional: Vec<Value>,
    next: usize,
    call: &'c Call<'c>,
}

impl Arguments<'_> {
    /// Returns the template with its fields filled in. A specification may contain fields, too.
    fn fill(mut self, template: &str, depth: u32) -> Result<(String, Self)> {
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find(['{', '}']) {
            text.push_str(&rest[..at]);
            let (mark, after) = rest[at..].split_at(1);
            rest = match after.strip_prefix(mark) {
                Some(after) => {
                    text.push_str(mark);
                    after
                }
                None if mark == "}" => return Err(value_error("Single '}' encountered in format string")),
                None => {
                    let end = field_end(after).ok_or_else(|| value_error("expected '}' before end of string"))?;
                    let (filled, arguments) = self.field(&after[..end], depth)?;
                    self = arguments;
                    text.push_str(&filled);
                    self.call.context.meter().fits(text.len() as u64)?;
                    &after[end + 1..]
                }
            };
        }
        text.push_str(rest);
        Ok((text, self))
    }

    fn field(mut self, field: &str, depth: u32) -> Result<(String, Self)> {
        if depth > 1 {
            return Err(value_error("Max string recursion exceeded"));
        }
        let (field, specification) = field.split_once(':').unwrap_or((field, ""));
        let (name, conversion) = field.split_once('!').map_or((field, None), |(name, by)| (name, Some(by)));
        let value = self.named(name)?.finalize(self.call.context)?;
        self.call.context.meter().look_through(value.weight())?;
        let value = match conversion {
            None => value,
            Some("s") => value.to_python().into(),
            Some("r" | "a") => value.repr().into(),
            Some(other) => return Err(value_error(format!("Unknown conversion specifier '{other}'"))),
        };
        let (specification, arguments) = self.fill(specification, depth + 1)?;
        let memory = |bytes: usize| arguments.call.context.meter().check_memory(bytes as u64);
        Ok((spec::format(&value, &specification, memory)?, arguments))
    }

    fn named(&mut self, name: &str) -> Result<Value> {
        if name.contains(['.', '[']) {
            return Err(value_error("attributes and items are not accessible in format strings"));
        }
        let index = if name.is_empty() {
            self.next += 1;
            Some(self.next - 1)
        } else {
            name.parse().ok()
        };
        match index {
            Some(index) => self.positional.get(index).cloned().ok_or_else(|| {
                index_error(format!("Replacement index {index} out of range for positional args tuple"))
            }),
            None => {
                self.call.context.meter().spend(self.call.named.len() as u64)?;
                let found = self.call.named.iter().find(|(other, _)| **other == *name);
                found.map(|(_, value)| value.clone()).ok_or_else(|| key_error(Value::from(name).shown_repr()))
            }
        }
    }
}

/// Returns the position of the closing brace of a field, past nested fields.
fn field_end(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}
