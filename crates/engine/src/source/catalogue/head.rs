//! Finds the name of a profile at the beginning of its file.
//!
//! Parsing every file in a folder as YAML would take too long, and a file with a syntax error in its first lines would
//! have no name, so that the author would see an unknown profile instead of the error. So the lines with keys of the
//! outermost map are found first, and only one key and its value are parsed as YAML at each of these lines.

use granit_parser::{Event, Parser, ScalarStyle};

use super::ProfileHeader;

/// The declarations at the beginning of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ProfileHead {
    /// The names of the profile. There is more than one only if the file is invalid.
    pub(super) names: Vec<String>,
    /// Whether the file declares its language version.
    pub(super) has_version: bool,
}

impl ProfileHead {
    /// Reads the beginning of a file. A file that contains a NUL character has no names.
    pub(super) fn of(labels: &ProfileHeader, head: &[u8]) -> Self {
        let mut found = Self::default();
        if head.contains(&0) {
            return found;
        }
        let text = String::from_utf8_lossy(head);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let Some((start, indentation)) = first_content(text) else {
            return found;
        };
        let text = &text[start..];
        if text[indentation..].starts_with('{') {
            found.read(labels, text, usize::MAX);
            return found;
        }
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            if offset > 0 && (line.starts_with("---") || line.starts_with("...")) {
                break;
            }
            let content = line.trim_start_matches(' ');
            if line.len() - content.len() == indentation {
                match key_of_interest(labels, content) {
                    Some(key) if key == labels.version => found.has_version = true,
                    Some(_) => found.read(labels, &text[offset..], 1),
                    None => {}
                }
            }
            offset += line.len();
        }
        found
    }

    /// Reads the first `limit` keys of the outermost map.
    fn read(&mut self, labels: &ProfileHeader, text: &str, limit: usize) {
        let mut depth = 0_usize;
        let mut key: Option<String> = None;
        let mut keys = 0;
        for event in Parser::new_from_str(text) {
            // `node` is a key or a value in the outermost map: its text, if it is a scalar other than null. The parser
            // emits `~` for a missing value.
            let node = match event {
                Ok((Event::MappingStart(..) | Event::SequenceStart(..), _)) => {
                    depth += 1;
                    if depth != 2 {
                        continue;
                    }
                    None
                }
                Ok((Event::MappingEnd | Event::SequenceEnd, _)) => {
                    depth = depth.saturating_sub(1);
                    continue;
                }
                Ok((Event::Scalar(text, ScalarStyle::Plain, ..), _)) if depth == 1 => {
                    Some(text).filter(|text| *text != "~")
                }
                Ok((Event::Scalar(text, ..), _)) if depth == 1 => Some(text),
                Ok((Event::Alias(_), _)) if depth == 1 => None,
                Ok((Event::DocumentEnd, _)) | Err(_) => return,
                Ok(_) => continue,
            };
            let text = node.map(String::from).unwrap_or_default();
            let Some(key) = key.take() else {
                key = Some(text);
                continue;
            };
            if key == labels.version {
                self.has_version = true;
            } else if labels.names.contains(&&*key) && !text.is_empty() {
                self.names.push(text);
            }
            keys += 1;
            if keys == limit {
                return;
            }
        }
    }
}

/// Returns the start and the indentation of the first line with content.
fn first_content(text: &str) -> Option<(usize, usize)> {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_start_matches(' ');
        let marker = line.starts_with('%') || line.starts_with("---");
        if !marker && !content.starts_with('#') && !content.trim().is_empty() {
            return Some((offset, line.len() - content.len()));
        }
        offset += line.len();
    }
    None
}

/// Returns the key at the start of a line, if it is one of the keys in `labels`.
fn key_of_interest(labels: &ProfileHeader, line: &str) -> Option<&'static str> {
    let (quote, line) = match line.as_bytes().first()? {
        b'"' => ("\"", &line[1..]),
        b'\'' => ("'", &line[1..]),
        _ => ("", line),
    };
    let key = labels.names.iter().copied().chain([labels.version]).find(|key| line.starts_with(key))?;
    let rest = line[key.len()..].strip_prefix(quote)?.trim_start_matches([' ', '\t']).strip_prefix(':')?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::super::tests::LABELS;
    use super::*;

    fn names(text: &str) -> Vec<String> {
        ProfileHead::of(&LABELS, text.as_bytes()).names
    }

    #[test]
    fn the_name_is_a_value_of_the_outermost_map() {
        for text in [
            "profile: org.base:v1",
            "language_version: 2\nprofile: org.base:v1\nnode_types: {}\n",
            "\u{feff}# comment\n\n---\n# comment\nprofile:   org.base:v1   # comment\n",
            "%YAML 1.2\n---\nprofile: org.base:v1\n",
            "profile: 'org.base:v1' # comment\r\nimports: []\r\n",
            "\"profile\": \"org.base\\u003Av1\"\n",
            "'namespace' : org.base:v1\n",
            "profile:\n  # comment\n  org.base:v1\nimports: []\n",
            "profile: >-\n  org.base:v1\n",
            "profile: &name !!str org.base:v1\n",
            "description: |\n  profile: wrong\n  namespace: wrong\nprofile: org.base:v1\n",
            "description: >\n profile: wrong\n\nnamespace: org.base:v1\nimports:\n- profile: wrong\n",
            "node_types:\n  profile: {profile: wrong}\n  namespace: wrong\nprofile: org.base:v1\n",
            "  profile: org.base:v1\n  imports:\n    profile: wrong\n",
            "{language_version: 2, profile: org.base:v1}",
            "{\n\"imports\": [{\"profile\": \"wrong\"}, [profile, wrong]],\n\"profile\": \"org.base:v1\"\n}\n",
            "broken: [\nprofile: org.base:v1\n",
            "profile: org.base:v1\n---\nprofile: wrong\n",
        ] {
            assert_eq!(names(text), ["org.base:v1"], "{text}");
        }
    }

    #[test]
    fn other_texts_have_no_name() {
        for text in [
            "",
            "# profile: x",
            "profile",
            "profile:",
            "profile:x",
            "profile: ''",
            "profile: # comment\n",
            "profile: *undefined",
            "profile: {a: b}",
            "profile: [a]",
            "profiles: x",
            "'profile: x",
            "- profile: x",
            "service_template:\n  profile: x\n",
            "{imports: {profile: x}",
            "metadata:\n  namespace: default\n",
            "profile: x\nbinary: \0",
            " a: b\né: c\n",
        ] {
            assert_eq!(names(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_version_is_noticed() {
        let has_version = |text: &str| ProfileHead::of(&LABELS, text.as_bytes()).has_version;
        assert!(has_version("language_version: 2\n"));
        assert!(has_version("{\"language_version\": 2_0}"));
        assert!(!has_version("namespace: default\nmetadata:\n  language_version: 2\n"));
    }

    #[test]
    fn several_names_are_all_found() {
        assert_eq!(names("profile: a\nnamespace: b\n"), ["a", "b"]);
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(2000))]

        #[test]
        fn no_head_is_too_strange(head in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
            let head = ProfileHead::of(&LABELS, &head);
            proptest::prop_assert!(head.names.iter().all(|name| !name.is_empty()));
        }

        #[test]
        fn no_yaml_is_too_strange(head in "([a{}:,\\[\\]&*!|>%'\" \n-]|profile: |\"profile\" :|\n---\n){0,30}") {
            let head = ProfileHead::of(&LABELS, head.as_bytes());
            proptest::prop_assert!(head.names.iter().all(|name| !name.is_empty()));
        }
    }
}
