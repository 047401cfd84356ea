//! The built-in units of TOSCA: built-in types, and the normative types of each version.
//!
//! They are written in TOSCA and processed like any other source. Only the standard can give several names to one type:
//! `tosca.nodes.Compute`, `tosca:Compute`, `Compute`.

use crate::entity::{
    BuiltInProfile, Entity as _, ImplicitUnit, Kind, LanguageVersion, NameAlias, Precedence, PublishedFile, Section,
};
use crate::grammar::definition::InterfaceDefinition;
use crate::grammar::section::{
    ARTIFACT_TYPES, CAPABILITY_TYPES, DATA_TYPES, GROUP_TYPES, INTERFACE_TYPES, NODE_TYPES, POLICY_TYPES,
    RELATIONSHIP_TYPES,
};
use crate::grammar::template::InterfaceAssignment;
use crate::grammar::version;

/// Describes a file of ETSI GS NFV-SOL 001.
macro_rules! sol001 {
    ($version:literal, $folder:literal, $part:literal) => {
        BuiltInProfile {
            names: &[],
            address: concat!("builtin:/etsi/sol001/", $version, "/etsi_nfv_sol001_", $part, "_types.yaml"),
            text: include_str!(concat!("../normative/etsi_nfv_sol001_", $folder, "/", $part, ".yaml")),
            packed: include_bytes!(concat!("../normative/etsi_nfv_sol001_", $folder, "/", $part, ".packed")),
            published: Some(PublishedFile {
                site: "https://forge.etsi.org/",
                name: concat!("etsi_nfv_sol001_", $part, "_types.yaml"),
                version: $version,
            }),
        }
    };
}

/// Describes a file of the NFV profile, whose types authors may hide.
macro_rules! nfv_1_0 {
    ($part:literal) => {
        ImplicitUnit {
            name: concat!("builtin:/tosca/nfv/1.0/", $part, ".yaml"),
            text: include_str!(concat!("../normative/nfv_1_0/", $part, ".yaml")),
            packed: include_bytes!(concat!("../normative/nfv_1_0/", $part, ".packed")),
            precedence: Precedence::Shadowed,
            aliases,
        }
    };
}

/// The profiles that can be imported by name anywhere, and copies of published type libraries.
pub(super) static PROFILES: &[BuiltInProfile] = &[
    BuiltInProfile {
        names: &["org.oasis-open.simple:2.0", "org.oasis-open.tosca.simple:2.0"],
        address: "builtin:/tosca/simple/2.0/profile.yaml",
        text: include_str!("../normative/simple_2_0/profile.yaml"),
        packed: include_bytes!("../normative/simple_2_0/profile.packed"),
        published: None,
    },
    sol001!("2.6.1", "2_6_1", "common"),
    sol001!("2.6.1", "2_6_1", "vnfd"),
    sol001!("2.7.1", "2_7_1", "common"),
    sol001!("2.7.1", "2_7_1", "vnfd"),
    sol001!("3.3.1", "3_3_1", "common"),
    sol001!("3.3.1", "3_3_1", "vnfd"),
    sol001!("3.3.1", "3_3_1", "nsd"),
    sol001!("3.3.1", "3_3_1", "pnfd"),
];

/// The index of [`NFV_1_0`] in [`EXTENSIONS`].
pub(super) const NFV: usize = 0;

/// The profiles that a version word can add to the normative types of 1.x.
pub(super) static EXTENSIONS: &[&[ImplicitUnit]] = &[NFV_1_0];

/// The TOSCA Simple Profile for NFV 1.0, and its counterpart for edge applications.
static NFV_1_0: &[ImplicitUnit] = &[nfv_1_0!("nfv"), nfv_1_0!("mec")];

/// Returns the units that every file of the given version imports implicitly.
pub(super) fn implicit(version: LanguageVersion) -> &'static [ImplicitUnit] {
    match version {
        version::V1_0 => V1_0,
        version::V1_1 => V1_1,
        version::V1_2 => V1_2,
        version::V1_3 => V1_3,
        version::V2_0 => V2_0,
        _ => &[],
    }
}

/// Returns the actual name of an interface that is named by its type. Before 2.0, this is allowed for the interfaces
/// that all nodes and relationships have.
pub(super) fn member_name(kind: Kind, version: LanguageVersion, name: &str) -> Option<&'static str> {
    let is_interface = matches!(kind, InterfaceDefinition::KIND | InterfaceAssignment::KIND);
    if is_interface && version < version::V2_0 { interface_of_type(name) } else { None }
}

/// Returns the name of the interface of a normative type.
pub(super) fn interface_of_type(name: &str) -> Option<&'static str> {
    match name {
        "tosca.interfaces.node.lifecycle.Standard" | "tosca:Standard" => Some("Standard"),
        "tosca.interfaces.relationship.Configure" | "tosca:Configure" => Some("Configure"),
        _ => None,
    }
}

/// Describes the normative types of a version of 1.x, which authors may hide, and its built-in types, which they can't
/// hide.
macro_rules! simple_profile {
    ($name:literal, $folder:literal $(, $later:expr)?) => {
        &[
            $($later,)?
            ImplicitUnit {
                name: concat!("builtin:/tosca/simple/", $name, "/profile.yaml"),
                text: include_str!(concat!("../normative/", $folder, "/profile.yaml")),
                packed: include_bytes!(concat!("../normative/", $folder, "/profile.packed")),
                precedence: Precedence::Shadowed,
                aliases,
            },
            ImplicitUnit {
                name: concat!("builtin:/tosca/simple/", $name, "/types.yaml"),
                text: include_str!(concat!("../normative/", $folder, "/types.yaml")),
                packed: include_bytes!(concat!("../normative/", $folder, "/types.packed")),
                precedence: Precedence::Reserved,
                aliases,
            },
        ]
    };
}

/// Describes the built-in types of a later version that files of earlier versions use nevertheless.
macro_rules! later_types {
    ($name:literal, $folder:literal) => {
        ImplicitUnit {
            name: concat!("builtin:/tosca/simple/", $name, "/later.yaml"),
            text: include_str!(concat!("../normative/tosca_simple_yaml_", $folder, "/later.yaml")),
            packed: include_bytes!(concat!("../normative/tosca_simple_yaml_", $folder, "/later.packed")),
            precedence: Precedence::Tolerated,
            aliases: no_aliases,
        }
    };
}

static V1_0: &[ImplicitUnit] = simple_profile!("1.0", "tosca_simple_yaml_1_0", later_types!("1.0", "1_0"));
static V1_1: &[ImplicitUnit] = simple_profile!("1.1", "tosca_simple_yaml_1_1", later_types!("1.1", "1_1"));
static V1_2: &[ImplicitUnit] = simple_profile!("1.2", "tosca_simple_yaml_1_2", later_types!("1.2", "1_2"));
static V1_3: &[ImplicitUnit] = simple_profile!("1.3", "tosca_simple_yaml_1_3");

static V2_0: &[ImplicitUnit] = &[
    ImplicitUnit {
        name: "builtin:/tosca/2.0/compatibility.yaml",
        text: include_str!("../normative/tosca_2_0/compatibility.yaml"),
        packed: include_bytes!("../normative/tosca_2_0/compatibility.packed"),
        precedence: Precedence::Tolerated,
        aliases: no_aliases,
    },
    ImplicitUnit {
        name: "builtin:/tosca/2.0/types.yaml",
        text: include_str!("../normative/tosca_2_0/types.yaml"),
        packed: include_bytes!("../normative/tosca_2_0/types.packed"),
        precedence: Precedence::Reserved,
        aliases: no_aliases,
    },
];

fn no_aliases(_: Section, _: &str) -> Vec<NameAlias> {
    Vec::new()
}

/// The prefixes of the full names of normative types.
const HEADS: &[(Section, &str)] = &[
    (DATA_TYPES, "tosca.datatypes."),
    (ARTIFACT_TYPES, "tosca.artifacts."),
    (INTERFACE_TYPES, "tosca.interfaces."),
    (CAPABILITY_TYPES, "tosca.capabilities."),
    (RELATIONSHIP_TYPES, "tosca.relationships."),
    (NODE_TYPES, "tosca.nodes."),
    (GROUP_TYPES, "tosca.groups."),
    (POLICY_TYPES, "tosca.policies."),
];

/// Returns the name of a normative type of 1.x in the profile with the same types for 2.0; `None` if it is missing
/// there.
pub(super) fn counterpart(name: &str) -> Option<&str> {
    // The name in an early version may count as a misspelling in later ones.
    let name = SLIPS.iter().find(|(_, slip, _)| *slip == name).map_or(name, |(_, _, right)| right);
    let scalar = match name {
        "scalar-unit.size" => "Size",
        "scalar-unit.time" => "Time",
        "scalar-unit.frequency" => "Frequency",
        "scalar-unit.bitrate" => "Bitrate",
        // A data type without a parent need not be derived from a root.
        "tosca.datatypes.Root" => return None,
        name => return HEADS.iter().find_map(|(_, head)| name.strip_prefix(head)).map(without_small_words),
    };
    Some(scalar)
}

/// Words that the standard sometimes omits in short names, in addition to lowercase words:
/// `tosca.nodes.Storage.BlockStorage` is `BlockStorage`, `tosca.artifacts.Implementation.Bash` is `Bash`.
const OMISSIBLE: &[(Section, &str)] = &[(NODE_TYPES, "Storage."), (ARTIFACT_TYPES, "Implementation.")];

/// Full names that the standard itself uses instead of the defined ones, by mistake or from an older version. Decision
/// B 11.
const SLIPS: &[(Section, &str, &str)] = &[
    (NODE_TYPES, "tosca.nodes.BlockStorage", "tosca.nodes.Storage.BlockStorage"),
    (NODE_TYPES, "tosca.nodes.ObjectStorage", "tosca.nodes.Storage.ObjectStorage"),
    (CAPABILITY_TYPES, "tosca.capabilities.EndPoint", "tosca.capabilities.Endpoint"),
    (CAPABILITY_TYPES, "tosca.capabilities.EndPoint.Public", "tosca.capabilities.Endpoint.Public"),
    (CAPABILITY_TYPES, "tosca.capabilities.EndPoint.Admin", "tosca.capabilities.Endpoint.Admin"),
    (CAPABILITY_TYPES, "tosca.capabilities.EndPoint.Database", "tosca.capabilities.Endpoint.Database"),
];

/// The common root type. The standard derives types from it without ever defining it. Decision B 11.
pub(super) const ENTITY_ROOT: &str = "tosca.entity.Root";

/// Returns the other names of a type of 1.x, given its full name. Decision B 16.
fn aliases(section: Section, name: &str) -> Vec<NameAlias> {
    let Some((_, head)) = HEADS.iter().find(|(of, _)| *of == section) else { return Vec::new() };
    let qualified = |name: &str| ["tosca:", name].concat();
    let mut names = Vec::with_capacity(4);
    let mut add = |name: String, is_tolerated| names.push(NameAlias { name, is_tolerated });
    let Some(long) = name.strip_prefix(head) else {
        add(qualified(name), false);
        return names;
    };
    let short = without_small_words(long);
    let omissible = OMISSIBLE.iter().find_map(|(of, head)| short.strip_prefix(head).filter(|_| *of == section));
    let mut previous = "";
    for short in [long, short, omissible.unwrap_or(short)] {
        if short != previous {
            add(short.to_owned(), false);
            add(qualified(short), false);
        }
        previous = short;
    }
    for (_, slip, _) in SLIPS.iter().filter(|(of, _, right)| *of == section && *right == name) {
        add((*slip).to_owned(), true);
    }
    if long == "Root" {
        add(ENTITY_ROOT.to_owned(), true);
    }
    names
}

/// Removes the lowercase words at the start of a dotted name, but never its last word.
fn without_small_words(name: &str) -> &str {
    let mut rest = name;
    while let Some((word, after)) = rest.split_once('.') {
        if !word.starts_with(|first: char| first.is_ascii_lowercase()) {
            break;
        }
        rest = after;
    }
    rest
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn names(section: Section, name: &str) -> Vec<String> {
        let mark = |name: NameAlias| if name.is_tolerated { format!("({})", name.name) } else { name.name };
        aliases(section, name).into_iter().map(mark).collect()
    }

    #[test]
    fn the_profile_of_2_0_has_the_types_of_1_x() {
        let declares = |name: &str| PROFILES[0].text.contains(&format!("\n  {name}:\n"));
        for unit in [V1_0, V1_1, V1_2, V1_3].into_iter().flatten() {
            for line in unit.text.lines().filter(|line| line.starts_with("  ") && line.ends_with(':')) {
                let name = line.trim().trim_end_matches(':').trim_matches('"');
                if let Some(name) = counterpart(name).filter(|_| !line.starts_with("   ")) {
                    assert!(declares(name), "{}: {name}", unit.name);
                }
            }
        }
        assert_eq!(counterpart("tosca.nodes.network.Port"), Some("Port"));
        assert_eq!(counterpart("string"), None);
    }

    #[test]
    fn types_have_short_names_and_qualified_ones() {
        assert_eq!(names(NODE_TYPES, "tosca.nodes.Compute"), ["Compute", "tosca:Compute"]);
        assert_eq!(
            names(CAPABILITY_TYPES, "tosca.capabilities.network.Linkable"),
            ["network.Linkable", "tosca:network.Linkable", "Linkable", "tosca:Linkable"]
        );
        assert_eq!(
            names(NODE_TYPES, "tosca.nodes.Container.Runtime"),
            ["Container.Runtime", "tosca:Container.Runtime"]
        );
        assert_eq!(names(DATA_TYPES, "scalar-unit.size"), ["tosca:scalar-unit.size"]);
        assert_eq!(names(ARTIFACT_TYPES, "tosca.artifacts.template"), ["template", "tosca:template"]);
        assert_eq!(
            names(ARTIFACT_TYPES, "tosca.artifacts.Implementation.Bash"),
            ["Implementation.Bash", "tosca:Implementation.Bash", "Bash", "tosca:Bash"]
        );
        assert_eq!(names(NODE_TYPES, "tosca.capabilities.Compute"), ["tosca:tosca.capabilities.Compute"]);
    }

    #[test]
    fn typos_of_the_standard_are_tolerated() {
        assert_eq!(names(POLICY_TYPES, "tosca.policies.Root"), ["Root", "tosca:Root", "(tosca.entity.Root)"]);
        assert_eq!(
            names(NODE_TYPES, "tosca.nodes.Storage.BlockStorage"),
            [
                "Storage.BlockStorage",
                "tosca:Storage.BlockStorage",
                "BlockStorage",
                "tosca:BlockStorage",
                "(tosca.nodes.BlockStorage)"
            ]
        );
    }
}
