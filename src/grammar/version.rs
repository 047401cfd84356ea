//! The versions of TOSCA and their identifiers.

use crate::entity::{LanguageVersion, VersionDescription, values_on_lines};

/// TOSCA Simple Profile in YAML 1.0.
pub const V1_0: LanguageVersion = LanguageVersion(0);
/// TOSCA Simple Profile in YAML 1.1.
pub const V1_1: LanguageVersion = LanguageVersion(1);
/// TOSCA Simple Profile in YAML 1.2.
pub const V1_2: LanguageVersion = LanguageVersion(2);
/// TOSCA Simple Profile in YAML 1.3.
pub const V1_3: LanguageVersion = LanguageVersion(3);
/// TOSCA 2.0.
pub const V2_0: LanguageVersion = LanguageVersion(4);

pub(crate) static VERSIONS: &[VersionDescription] = &[
    VersionDescription { title: "TOSCA 1.0", word: "tosca_simple_yaml_1_0" },
    VersionDescription { title: "TOSCA 1.1", word: "tosca_simple_yaml_1_1" },
    VersionDescription { title: "TOSCA 1.2", word: "tosca_simple_yaml_1_2" },
    VersionDescription { title: "TOSCA 1.3", word: "tosca_simple_yaml_1_3" },
    VersionDescription { title: "TOSCA 2.0", word: "tosca_2_0" },
];

/// The keyname that declares the version.
pub(crate) const KEYNAME: &str = "tosca_definitions_version";

/// Returns whether a source declares a version of TOSCA, rather than of the Cloudify DSL, which has the same keyname.
pub(crate) fn claims(text: &str) -> bool {
    // The first line is usually enough. Sources of many megabytes are imported again with each keystroke.
    text.contains(KEYNAME) && values_on_lines(text, KEYNAME).next().is_none_or(|word| !word.starts_with("cloudify_dsl"))
}

/// The identifiers of versions (2.0, 6.2). The older versions can also be given as the URI of their namespace.
pub(crate) const WORDS: &[(&str, LanguageVersion)] = &[
    ("tosca_2_0", V2_0),
    ("tosca_simple_yaml_1_3", V1_3),
    ("tosca_simple_yaml_1_2", V1_2),
    ("tosca_simple_yaml_1_1", V1_1),
    ("tosca_simple_yaml_1_0", V1_0),
    ("http://docs.oasis-open.org/tosca/ns/simple/yaml/1.3", V1_3),
    ("http://docs.oasis-open.org/tosca/ns/simple/yaml/1.2", V1_2),
    ("http://docs.oasis-open.org/tosca/ns/simple/yaml/1.1", V1_1),
    ("http://docs.oasis-open.org/tosca/ns/simple/yaml/1.0", V1_0),
    (PROFILES[0], V1_2),
    (PROFILES[1], V1_2),
];

/// The identifier of the NFV profile, which is based on 1.2.
pub(crate) const NFV_PROFILE: &str = PROFILES[0];

/// The identifiers of the NFV profile: that of the standard, and that of descriptors for `OpenStack`.
pub(crate) const PROFILES: [&str; 2] = ["tosca_simple_profile_for_nfv_1_0", "tosca_simple_profile_for_nfv_1_0_0"];

/// The common prefix of the identifiers of profiles; a field such as `nfv` follows.
pub(crate) const PROFILE: &str = "tosca_simple_profile_for_";

/// Returns the identifiers of versions, without the URIs of namespaces.
pub fn words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|(word, _)| *word).filter(|word| !word.contains(':'))
}

/// Returns the version with the given identifier.
pub fn of_word(word: &str) -> Option<LanguageVersion> {
    WORDS.iter().find(|(known, _)| *known == word).map(|(_, version)| *version)
}

/// Returns the identifier of the given version.
pub fn word(version: LanguageVersion) -> &'static str {
    WORDS.iter().find(|(_, known)| *known == version).map_or("tosca_2_0", |(word, _)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_declaration_counts() {
        let nested =
            "tosca_definitions_version: tosca_2_0\ndescription: |\n  tosca_definitions_version: cloudify_dsl_1_3\n";
        assert!(claims(nested));
        assert!(!claims("tosca_definitions_version: cloudify_dsl_1_3\n") && !claims("node_types: {}\n"));
    }
}
