//! Suggestions for misspelled names of functions.

use std::sync::Arc;

/// The length of the longest name that is compared.
const LONGEST: usize = 64;

/// Returns the name that is most similar to a misspelled one: up to a third of its letters differ, or only their case.
pub(crate) fn nearest<'n>(written: &str, names: impl Iterator<Item = &'n Arc<str>>) -> Option<&'n Arc<str>> {
    let length = written.chars().take(LONGEST + 1).count();
    if length > LONGEST {
        return None;
    }
    let lowercase = written.to_lowercase();
    let most = (length / 3).max(1);
    let near = names.filter(|name| name.starts_with(char::is_alphabetic)).filter_map(|name| {
        let differs_in_case = name.to_lowercase() == lowercase;
        let distance = if differs_in_case { 0 } else { strsim::osa_distance(written, name) };
        (distance <= most && distance < length).then_some((distance, name))
    });
    near.min().map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::nearest;

    #[test]
    fn similar_names_are_found() {
        let names = ["toUpper", "toLower", "where", "len", "#operator_+"].map(Arc::from);
        for (written, expected) in [
            ("toupper", Some("toUpper")),
            ("wheer", Some("where")),
            ("ln", Some("len")),
            ("x", None),
            ("select", None),
            ("", None),
        ] {
            assert_eq!(nearest(written, names.iter()).map(AsRef::as_ref), expected, "{written}");
        }
        assert_eq!(nearest(&"x".repeat(100_000), names.iter()), None);
    }
}
