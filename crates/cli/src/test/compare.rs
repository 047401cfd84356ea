//! Values and paths in models.

use foldhash::HashMap;
use serde_json::Value as Json;

/// Returns whether two values are equal. Numbers are compared by value.
pub(super) fn equals(expected: &Json, actual: &Json) -> bool {
    compare(expected, actual, false)
}

/// Returns whether a value contains everything that is expected: maps may have more entries.
pub(super) fn matches(expected: &Json, actual: &Json) -> bool {
    compare(expected, actual, true)
}

fn compare(expected: &Json, actual: &Json, is_partial: bool) -> bool {
    match (expected, actual) {
        (Json::Number(expected), Json::Number(actual)) => expected == actual || expected.as_f64() == actual.as_f64(),
        (Json::Array(expected), Json::Array(actual)) => {
            expected.len() == actual.len()
                && expected.iter().zip(actual).all(|(expected, actual)| compare(expected, actual, is_partial))
        }
        (Json::Object(expected), Json::Object(actual)) => {
            let null = Json::Null;
            let mut entries = expected.iter();
            let has = |(key, expected): (&String, &Json)| match actual.get(key) {
                Some(actual) => compare(expected, actual, is_partial),
                None => is_partial && compare(expected, &null, is_partial),
            };
            (is_partial || expected.len() == actual.len()) && entries.all(has)
        }
        (expected, actual) => expected == actual,
    }
}

/// Looks up parts of a model.
pub(super) struct Model<'m> {
    root: &'m Json,
    /// For each list in which a name has been looked up, the items by name.
    named: HashMap<*const Json, HashMap<&'m str, Vec<&'m Json>>>,
}

/// A part of a model.
pub(super) struct Found<'m> {
    pub(super) value: &'m Json,
    /// The innermost element around the value that has a position.
    placed: Option<&'m Json>,
}

impl Found<'_> {
    /// Returns the position of the part, or of the innermost element around it that has one.
    pub(super) fn source(&self) -> Option<String> {
        position(self.placed?)
    }
}

impl<'m> Model<'m> {
    pub(super) fn new(root: &'m Json) -> Self {
        Self { root, named: HashMap::default() }
    }

    /// Returns the part at a JSON pointer, in which a name can replace the index of a list item.
    pub(super) fn at(&mut self, pointer: &str) -> Option<Found<'m>> {
        let (mut value, mut placed) = (self.root, None);
        for segment in pointer.split('/').skip(1) {
            let segment = segment.replace("~1", "/").replace("~0", "~");
            value = match value {
                Json::Array(items) => self.item(items, &segment)?,
                value => value.get(&segment)?,
            };
            placed = Some(value).filter(|value| position(value).is_some()).or(placed);
        }
        Some(Found { value, placed })
    }

    /// Returns the item with the given index or name. The second item with the same name is `NAME#2`.
    fn item(&mut self, items: &'m [Json], segment: &str) -> Option<&'m Json> {
        if let Ok(index) = segment.parse::<usize>() {
            return items.get(index);
        }
        let named = self.named.entry(items.as_ptr()).or_insert_with(|| {
            let mut named: HashMap<&str, Vec<&Json>> = HashMap::default();
            for item in items {
                if let Some(name) = item.get("name").and_then(Json::as_str) {
                    named.entry(name).or_default().push(item);
                }
            }
            named
        });
        if let Some(same) = named.get(segment) {
            return same.first().copied();
        }
        let (name, number) = segment.rsplit_once('#')?;
        named.get(name)?.get(number.parse::<usize>().ok()?.checked_sub(1)?).copied()
    }
}

/// Returns the position of a part, if the part has one.
fn position(part: &Json) -> Option<String> {
    let source = part.get("source")?;
    let (file, line, column) = (source.get("file")?.as_str()?, source.get("line")?, source.get("column")?);
    Some(format!("{file}:{line}:{column}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_compared_by_value_and_maps_partially() {
        assert!(equals(&json!([1, { "a": 2.0 }]), &json!([1.0, { "a": 2 }])));
        assert!(!equals(&json!(1), &json!("1")) && !equals(&json!({}), &json!({ "a": 1 })));
        assert!(matches(&json!({ "a": { "b": 1 }, "d": null }), &json!({ "a": { "b": 1, "c": 2 } })));
        assert!(!matches(&json!({ "a": 1 }), &json!({})) && !matches(&json!([1]), &json!([1, 2])));
    }

    #[test]
    fn parts_are_found_by_name_and_index() {
        let model = json!({ "list": [{ "name": "a", "v": 1 }, { "name": "b" }, { "name": "a", "v": 3 }], "x/y": 1 });
        let value = |path| Model::new(&model).at(path).map(|found| found.value.clone());
        assert_eq!(value("/list/a/v"), Some(json!(1)));
        assert_eq!(value("/list/a#2/v"), Some(json!(3)));
        assert_eq!(value("/list/1/name"), Some(json!("b")));
        assert_eq!(value("/x~1y"), Some(json!(1)));
        for missing in ["/list/c", "/list/3", "/list/a#3", "/list/a#0", "/y", "/x~1y/z"] {
            assert_eq!(value(missing), None, "{missing}");
        }
        let placed = json!({ "a": { "source": { "file": "f", "line": 1, "column": 2 }, "b": 1 } });
        assert_eq!(Model::new(&placed).at("/a/b").and_then(|found| found.source()).as_deref(), Some("f:1:2"));
    }
}
