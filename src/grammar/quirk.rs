//! The quirks of TOSCA: common deviations in descriptors of network functions and in files of orchestrators.

use crate::entity::{Quirk, QuirkDescription, QuirkSet};

/// The TOSCA version is not the first keyname of a file.
pub const LATE_VERSION: Quirk = Quirk::of_language(0, "late-version");
/// The TOSCA version has an additional patch number.
pub const PATCH_VERSIONS: Quirk = Quirk::of_language(1, "patch-versions");
/// A substitution maps requirements that the node type does not define.
pub const FREE_MAPPINGS: Quirk = Quirk::of_language(2, "free-mappings");
/// Mandatory properties of a capability have no values.
pub const UNASSIGNED_CAPABILITIES: Quirk = Quirk::of_language(3, "unassigned-capabilities");
/// A group has no value for the mandatory property `description`.
pub const GROUP_DESCRIPTIONS: Quirk = Quirk::of_language(4, "group-descriptions");

/// Common deviations of TOSCA files.
pub(crate) static QUIRKS: &[QuirkDescription] = &[
    QuirkDescription {
        quirk: Quirk::NUMBERS_AS_STRINGS,
        summary: "numbers and booleans in place of strings, read as they are written",
        needed_by: "descriptors of network functions whose versions and identifiers are not in quotes",
    },
    QuirkDescription {
        quirk: Quirk::LISTS_AS_MAPS,
        summary: "lists of maps with one entry each, or empty lists, where maps are expected",
        needed_by: "ETSI NFV descriptors, which write operations without an implementation as empty lists",
    },
    QuirkDescription {
        quirk: Quirk::NULL_SECTIONS,
        summary: "keynames without a value, as if they were not there",
        needed_by: "templates that are filled in by programs or written from a form",
    },
    QuirkDescription {
        quirk: Quirk::VENDOR_SECTIONS,
        summary: "unknown keynames of files, which are ignored",
        needed_by: "files of orchestrators with additional sections, such as `annotation_types`",
    },
    QuirkDescription {
        quirk: Quirk::SHARED_NAMES,
        summary: "names in imported files that only the importing file can see, and in libraries that import nothing",
        needed_by: "ETSI NFV type libraries, one of which uses the other without importing it",
    },
    QuirkDescription {
        quirk: FREE_MAPPINGS,
        summary: "mappings of requirements that the substituted node type does not define",
        needed_by: "ETSI NFV descriptors, which map virtual links that their node types do not list",
    },
    QuirkDescription {
        quirk: Quirk::IMPORTED_SERVICES,
        summary: "problems in the services of imported files",
        needed_by: "descriptors that import complete services for their types",
    },
    QuirkDescription {
        quirk: LATE_VERSION,
        summary: "versions of the language that are not the first keyname of the file",
        needed_by: "files written by programs, which sort the keynames of a map",
    },
    QuirkDescription {
        quirk: PATCH_VERSIONS,
        summary: "versions of the language with a third number, such as `tosca_simple_yaml_1_1_0`",
        needed_by: "files of ONAP SDC, which writes `1_0_0` and `1_1_0`",
    },
    QuirkDescription {
        quirk: Quirk::DECLARED_BUILT_INS,
        summary: "definitions of built-in types, which are ignored in favor of the built-in ones",
        needed_by: "the normative files of ONAP SDC, which define `string` and all other types",
    },
    QuirkDescription {
        quirk: Quirk::WIDER_LISTS,
        summary: "lists of types, such as `valid_target_types`, that are not narrower than those of the parent",
        needed_by: "ETSI NFV type libraries up to 2.5.1, whose relationships target their own capabilities",
    },
    QuirkDescription {
        quirk: UNASSIGNED_CAPABILITIES,
        summary: "mandatory properties of capabilities to which no value is assigned",
        needed_by: "ETSI NFV descriptors, whose virtual machines get their size from elsewhere",
    },
    QuirkDescription {
        quirk: GROUP_DESCRIPTIONS,
        summary: "groups without a value for their mandatory property `description`",
        needed_by: "ETSI NFV descriptors with placement groups",
    },
    QuirkDescription {
        quirk: Quirk::UNPREFIXED_NAMES,
        summary: "imported names with a prefix, used without it",
        needed_by: "templates for processors that ignore the prefixes of imports",
    },
    QuirkDescription {
        quirk: Quirk::NULL_DEFAULTS,
        summary: "defaults that are null, as if there were none",
        needed_by: "files written by programs, which write `default: null` or `default:`",
    },
    QuirkDescription {
        quirk: Quirk::VENDOR_KEYNAMES,
        summary: "`type_version`, `version` and `name` in policies, `typeVersion` and `annotations`, which are ignored",
        needed_by: "policies of ONAP, and types and services of ONAP SDC",
    },
    QuirkDescription {
        quirk: Quirk::COMPUTED_STRINGS,
        summary: "artifact files that are computed by a function, so that their names are unknown",
        needed_by: "templates for IM and INDIGO-DataCloud, which get image names from inputs",
    },
];

/// Sets of quirks, by name.
pub(crate) static SETS: &[QuirkSet] = &[
    QuirkSet {
        name: "etsinfv",
        quirks: &[
            Quirk::NUMBERS_AS_STRINGS,
            Quirk::LISTS_AS_MAPS,
            Quirk::NULL_SECTIONS,
            Quirk::SHARED_NAMES,
            FREE_MAPPINGS,
            Quirk::IMPORTED_SERVICES,
            LATE_VERSION,
            Quirk::WIDER_LISTS,
            UNASSIGNED_CAPABILITIES,
            GROUP_DESCRIPTIONS,
            Quirk::NULL_DEFAULTS,
        ],
        marks: &["tosca.nodes.nfv.", "etsi_nfv_sol001_"],
    },
    QuirkSet {
        name: "onap",
        quirks: &[
            Quirk::NUMBERS_AS_STRINGS,
            Quirk::LISTS_AS_MAPS,
            Quirk::NULL_SECTIONS,
            Quirk::VENDOR_SECTIONS,
            Quirk::SHARED_NAMES,
            FREE_MAPPINGS,
            Quirk::IMPORTED_SERVICES,
            LATE_VERSION,
            PATCH_VERSIONS,
            Quirk::DECLARED_BUILT_INS,
            Quirk::WIDER_LISTS,
            UNASSIGNED_CAPABILITIES,
            GROUP_DESCRIPTIONS,
            Quirk::NULL_DEFAULTS,
            Quirk::VENDOR_KEYNAMES,
        ],
        marks: &["org.openecomp.", "onap.policies."],
    },
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::TOSCA;
    use crate::entity::Quirks;

    #[test]
    fn quirk_names_are_unique() {
        for (number, known) in QUIRKS.iter().enumerate() {
            assert_eq!(TOSCA.quirks_of(known.quirk.name()), Some(vec![known.quirk]));
            assert!(QUIRKS[..number].iter().all(|other| other.quirk.name() != known.quirk.name()));
            let before = QUIRKS[..number].iter().fold(Quirks::default(), |quirks, other| quirks.with(other.quirk));
            assert!(!before.has(known.quirk), "{} has the number of another quirk", known.quirk.name());
            assert!(SETS.iter().all(|set| set.name != known.quirk.name()));
        }
        assert_eq!(TOSCA.quirks_of("nonsense"), None);
    }

    #[test]
    fn sets_enable_several_quirks() {
        let quirks = TOSCA.quirks_of("etsinfv").unwrap().into_iter().fold(Quirks::default(), Quirks::with);
        assert!(quirks.has(Quirk::LISTS_AS_MAPS) && !quirks.has(Quirk::VENDOR_SECTIONS));
    }
}
