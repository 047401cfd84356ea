//! The properties of a template that matter for archives.
//!
//! These are read separately, because an archive is opened before its template is parsed.

use std::collections::BTreeSet;

use crate::ard::{Kind, Options, read};
use crate::diagnostic::SourceId;
use crate::grammar::version::KEYNAME;
use crate::symbol::Interner;

/// The metadata keys that replace a `TOSCA.meta`.
pub(super) const MANDATORY: [&str; 2] = ["template_name", "template_version"];

/// The version of a template, and the keys of its metadata.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TemplateHead {
    pub(super) version: String,
    /// The metadata keys that have a value.
    pub(super) metadata: BTreeSet<String>,
}

impl TemplateHead {
    /// Reads the source of a template. Its problems are reported when the template itself is read.
    pub(super) fn of(text: &str) -> Self {
        let (document, _) = read(SourceId(0), text.into(), &Interner::new(), &Options::default());
        let Some(root) = document.root() else { return Self::default() };
        let version = root.find(KEYNAME).map(|entry| entry.value.text()).unwrap_or_default();
        let version = match version.rsplit_once("/yaml/1.") {
            Some((_, minor)) => format!("tosca_simple_yaml_1_{minor}"),
            None => version.to_owned(),
        };
        let metadata = root.find("metadata").into_iter().flat_map(|entry| entry.value.entries());
        let has_value = metadata.filter(|entry| !matches!(entry.value.kind(), Kind::Null | Kind::Map | Kind::List));
        Self { version, metadata: has_value.map(|entry| entry.key.text().to_owned()).collect() }
    }
}

/// Returns the name and the version of a template. Some processors import archives by the name and version of their
/// template.
pub(in super::super) fn release(text: &str) -> Option<(String, String)> {
    if !MANDATORY.iter().all(|key| text.contains(key)) {
        return None;
    }
    let (document, _) = read(SourceId(0), text.into(), &Interner::new(), &Options::default());
    let root = document.root()?;
    let metadata = root.find("metadata").map(|entry| entry.value);
    let value = |key: &str| {
        let entry = metadata.and_then(|metadata| metadata.find(key)).or_else(|| root.find(key))?;
        Some(entry.value.text().to_owned()).filter(|text| !text.is_empty())
    };
    Some((value(MANDATORY[0])?, value(MANDATORY[1])?))
}

/// Returns whether the beginning of a template specifies TOSCA 2.0; `None` if it does not specify a version.
pub(super) fn is_2_0(bytes: &[u8]) -> Option<bool> {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(64 << 10)]);
    let line = text.lines().find_map(|line| line.strip_prefix(KEYNAME)?.strip_prefix(':'));
    line.map(|value| value.trim_start().trim_start_matches(['"', '\'']).starts_with("tosca_2_0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<String> {
        TemplateHead::of(text).metadata.into_iter().collect()
    }

    #[test]
    fn version_and_metadata_are_found() {
        let text = "\u{feff}# x\ntosca_definitions_version: tosca_simple_yaml_1_2\nimports: [ a: { metadata: b } ]\n\
                    metadata: { template_name: a, template_author: , x: { y: z }, template_version: 1.0 }\n";
        assert_eq!(TemplateHead::of(text).version, "tosca_simple_yaml_1_2");
        assert_eq!(keys(text), ["template_name", "template_version"]);
        let long = "tosca_definitions_version: http://docs.oasis-open.org/tosca/ns/simple/yaml/1.1\n";
        assert_eq!(TemplateHead::of(long).version, "tosca_simple_yaml_1_1");
    }

    #[test]
    fn similar_keys_elsewhere_are_ignored() {
        for text in [
            "",
            "a",
            "- metadata: { template_name: a }",
            "node_types: { metadata: { template_name: a } }",
            "metadata: template_name",
            "metadata: [ template_name, a ]\nx: { template_name: a }",
            "metadata: { template_name: ~, template_version: { a: b } }",
        ] {
            assert!(TemplateHead::of(text).version.is_empty(), "{text}");
        }
        assert_eq!(keys("metadata: { a: { template_name: b }, template_version: 1 }\n}"), ["template_version"]);
        assert_eq!(keys("metadata: { a: [ b, c ], template_version: 1 }"), ["template_version"]);
    }
}
