//! Reads values of the language from data, with integers of any size.

use tosca_parse::ard::{Kind, Node};
use tosca_parse::yaql::{Error, ErrorKind, Integer, Value};

use tosca_parse_config::Data;

/// Reads a value in YAML or JSON.
///
/// # Errors
///
/// Returns the first problem, with its position after the name.
pub(in super::super) fn read(name: &str, text: &str) -> Result<Value, Error> {
    let data = Data::read(name, text, Data::ALIASES).map_err(|error| Error::new(ErrorKind::Value, error))?;
    Ok(data.root().map_or(Value::Null, value))
}

fn value(node: Node<'_>) -> Value {
    match node.kind() {
        Kind::Null => Value::Null,
        Kind::Boolean => Value::Boolean(node.as_bool().unwrap_or_default()),
        Kind::Integer => match node.as_integer().map(Integer::from).or_else(|| Integer::parse(node.text())) {
            Some(number) => Value::Integer(number),
            None => Value::Float(node.text().parse().unwrap_or(f64::NAN)),
        },
        Kind::Float => Value::Float(node.as_float().unwrap_or(f64::NAN)),
        Kind::String => Value::from(node.text()),
        Kind::List => Value::list(node.items().map(value).collect()),
        Kind::Map => {
            let entries = node.entries().filter(|entry| !entry.duplicate);
            Value::dict(entries.map(|entry| (Value::from(entry.key.text()), value(entry.value))).collect::<Vec<_>>())
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn integers_of_any_size_stay_integers() {
        for text in ["-3", "18446744073709551616", "-100000000000000000000000000000000000000000", "0x10"] {
            assert!(matches!(read("x", text).unwrap(), Value::Integer(_)), "{text}");
        }
        let value = read("x", "{a: [1, 1.5, yes, null], 2: b}").unwrap();
        assert_eq!(value.repr(), "{'a': (1, 1.5, 'yes', None), '2': 'b'}");
        assert!(read("x", "a: [").unwrap_err().to_string().starts_with("x:1:"));
    }
}
