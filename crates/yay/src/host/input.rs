//! Values for inputs, as they are given in YAML.

use tosca_parse_engine::ard::{self, Kind, Node, Options};
use tosca_parse_engine::diagnostic::SourceId;
use tosca_parse_engine::symbol::Interner;

use crate::data::Data;

/// Parses input values in YAML. There are none if the source is invalid, which is reported elsewhere.
pub fn inputs(text: &str) -> Vec<(String, Data)> {
    let interner = Interner::new();
    let (document, _) = ard::read(SourceId(0), text.into(), &interner, &Options::default());
    let root = document.root().filter(|root| root.kind() == Kind::Map && document.is_complete());
    let entries = root.into_iter().flat_map(Node::entries);
    entries.map(|entry| (entry.key.text().to_owned(), data(entry.value))).collect()
}

/// Converts raw data to values. The reader limits its depth.
fn data(node: Node<'_>) -> Data {
    match node.kind() {
        Kind::Null => Data::Null,
        Kind::Map => Data::Map(node.entries().map(|entry| (entry.key.text().to_owned(), data(entry.value))).collect()),
        Kind::List => Data::List(node.items().map(data).collect()),
        Kind::Boolean => Data::Bool(node.text().eq_ignore_ascii_case("true")),
        Kind::Integer => {
            let number = node.as_integer().and_then(|number| i64::try_from(number).ok());
            number.map_or_else(|| node.text().into(), Data::Int)
        }
        Kind::Float => node.text().parse().map_or_else(|_| node.text().into(), Data::Float),
        Kind::String => node.text().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_keep_their_kinds() {
        let found = inputs("size: 5\nname: web\non: true\nlist: [1, {a: 2.5}]\nnone:\n");
        let list = Data::List(vec![Data::Int(1), Data::Map(vec![("a".to_owned(), Data::Float(2.5))])]);
        let wanted = [
            ("size", Data::Int(5)),
            ("name", "web".into()),
            ("on", Data::Bool(true)),
            ("list", list),
            ("none", Data::Null),
        ];
        assert_eq!(found, wanted.map(|(name, value)| (name.to_owned(), value)));
        assert!(inputs("- 1\n").is_empty());
    }
}
