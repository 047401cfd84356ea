//! The syntax of inserted text: YAML, or JSON in documents that are written in it.

use std::borrow::Cow;

use serde_json::Value;
use tosca_parse::ard::{Dialect, write_scalar};
use tosca_parse::phase::Unit;
use tosca_parse::source::Address;

/// The syntax in which a document is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Syntax {
    Yaml(Dialect),
    /// YAML between brackets whose keys have double quotes, which is also JSON.
    Json,
}

impl Syntax {
    /// Returns the syntax of a text. A text whose first token is a brace before a quoted key is JSON, whatever the name
    /// of its file.
    pub(crate) fn of(file: Option<&Address>, text: &str, dialect: Dialect) -> Self {
        let is_named = file.is_some_and(|file| file.file_name().to_ascii_lowercase().ends_with(".json"));
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let is_written = || text.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"'));
        if is_named || is_written() { Self::Json } else { Self::Yaml(dialect) }
    }

    /// Returns the syntax of a unit, whose address is given.
    pub(crate) fn of_unit(file: Option<&Address>, unit: &Unit) -> Self {
        Self::of(file, unit.source.text(), unit.language.yaml)
    }

    /// Returns a string as it is written as a value.
    pub(crate) fn string(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Yaml(dialect) => write_scalar(text, dialect),
            Self::Json => Value::from(text).to_string().into(),
        }
    }

    /// Returns a keyname as it is written as a key. It never needs quotes in YAML.
    pub(crate) fn keyname(self, name: &str) -> Cow<'_, str> {
        match self {
            Self::Yaml(_) => name.into(),
            Self::Json => self.string(name),
        }
    }

    /// Returns an entry whose value may be empty, because it is to be typed.
    pub(crate) fn entry(self, key: &str, value: &str) -> String {
        match self {
            Self::Json if value.is_empty() => format!("{key}: null"),
            _ => format!("{key}: {value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Syntax;
    use tosca_parse::ard::Dialect;

    #[test]
    fn json_is_recognized_by_its_first_key() {
        for (text, is_json) in [
            ("{ \"a\": 1 }", true),
            ("\u{feff}\n{\n\"a\": 1 }", true),
            ("{ a: \"b\" }", false),
            ("\"a\": 1", false),
            ("{}", false),
            ("# { \"a\": 1 }", false),
        ] {
            let syntax = Syntax::of(None, text, Dialect::default());
            assert_eq!(matches!(syntax, Syntax::Json), is_json, "{text}");
        }
    }

    #[test]
    fn strings_get_quotes_where_the_syntax_needs_them() {
        let yaml = Syntax::Yaml(Dialect::default());
        assert_eq!([yaml.string("a"), yaml.keyname("true")], ["a", "true"]);
        assert_eq!([Syntax::Json.string("a\"b"), Syntax::Json.keyname("c")], ["\"a\\\"b\"", "\"c\""]);
        assert_eq!([yaml.entry("a", ""), Syntax::Json.entry("\"a\"", "")], ["a: ", "\"a\": null"]);
    }
}
