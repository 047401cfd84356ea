//! What a template says of itself, as far as archives have to know.
//!
//! Archives are below all that reads templates; and a template with an error must not lose its name.

use std::collections::BTreeSet;

use granit_parser::{Event, Parser};

/// The entries of metadata that take the place of a `TOSCA.meta`.
pub(super) const MANDATORY: [&str; 2] = ["template_name", "template_version"];

/// The version of a template, and what its metadata has.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) version: String,
    /// The keys of metadata that have a value.
    pub(super) metadata: BTreeSet<String>,
}

impl Head {
    /// Reads a text up to its first error.
    pub(super) fn of(text: &str) -> Self {
        let mut head = Self::default();
        let mut depth = 0_usize;
        // The latest keys of the outermost map and of one in it, until their values have come.
        let mut keys: [Option<String>; 2] = [None, None];
        let mut section = String::new();
        for event in Parser::new_from_str(text.strip_prefix('\u{feff}').unwrap_or(text)) {
            let scalar = match event {
                Ok((Event::MappingStart(..) | Event::SequenceStart(..), _)) => {
                    if depth == 1 {
                        section = keys[0].take().unwrap_or_default();
                    } else if depth == 2 {
                        keys[1] = None;
                    }
                    depth += 1;
                    continue;
                }
                Ok((Event::MappingEnd | Event::SequenceEnd, _)) => {
                    depth = depth.saturating_sub(1);
                    continue;
                }
                Ok((Event::Scalar(text, ..), _)) => String::from(text),
                Ok((Event::Alias(_), _)) => String::new(),
                Ok((Event::DocumentEnd, _)) | Err(_) => return head,
                Ok(_) => continue,
            };
            let Some(key) = depth.checked_sub(1).and_then(|level| keys.get_mut(level)) else { continue };
            match (key.take(), depth) {
                (None, _) => *key = Some(scalar),
                (Some(key), 1) if key == "tosca_definitions_version" => {
                    head.version = scalar
                        .rsplit_once("/yaml/1.")
                        .map_or(scalar.clone(), |(_, minor)| format!("tosca_simple_yaml_1_{minor}"));
                }
                (Some(key), 2) if section == "metadata" && !matches!(&*scalar, "" | "~" | "null") => {
                    head.metadata.insert(key);
                }
                _ => {}
            }
        }
        head
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<String> {
        Head::of(text).metadata.into_iter().collect()
    }

    #[test]
    fn version_and_metadata_are_found() {
        let text = "\u{feff}# x\ntosca_definitions_version: tosca_simple_yaml_1_2\nimports: [ a: { metadata: b } ]\n\
                    metadata: { template_name: a, template_author: , x: { y: z }, template_version: 1.0 }\n";
        assert_eq!(Head::of(text).version, "tosca_simple_yaml_1_2");
        assert_eq!(keys(text), ["template_name", "template_version"]);
        let long = "tosca_definitions_version: http://docs.oasis-open.org/tosca/ns/simple/yaml/1.1\n";
        assert_eq!(Head::of(long).version, "tosca_simple_yaml_1_1");
    }

    #[test]
    fn what_is_elsewhere_is_not_taken_for_it() {
        for text in [
            "",
            "a",
            "- metadata: { template_name: a }",
            "node_types: { metadata: { template_name: a } }",
            "metadata: template_name",
            "metadata: [ template_name, a ]\nx: { template_name: a }",
            "metadata: { template_name: ~, template_version: { a: b } }",
        ] {
            assert!(Head::of(text).version.is_empty(), "{text}");
        }
        assert_eq!(keys("metadata: { a: { template_name: b }, template_version: 1 }\n}"), ["template_version"]);
        assert_eq!(keys("metadata: { a: [ b, c ], template_version: 1 }"), ["template_version"]);
    }
}
