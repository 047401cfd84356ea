//! Dialects: what files in the field do that a language does not allow.
//!
//! Each quirk lets one thing pass that is an error otherwise, and says what kind of file needs it. None is on unless
//! it is asked for. A problem that a quirk would have let pass names the quirk in its help.

/// Something that a dialect does and the language does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quirk {
    /// A number or boolean stands where a string is due; it is the text that is written.
    NumbersAsStrings,
    /// A list of maps with one entry each, or an empty list, stands where a map is due.
    ListsAsMaps,
    /// A keyname has no value; it is as if it were not there.
    NullSections,
    /// A file has keynames that the language does not know; they are ignored.
    VendorSections,
    /// A file uses names that only the file which imports it can see; a library may be used without that file.
    SharedNames,
    /// A substitution maps requirements that the node type does not define.
    FreeMappings,
    /// An imported file has a service of its own, with problems in it.
    ImportedServices,
    /// The version of the language is not the first keyname of a file.
    LateVersion,
}

/// What a quirk is called, and who needs it.
#[derive(Debug)]
pub struct QuirkDescription {
    /// The quirk.
    pub quirk: Quirk,
    /// The name by which it is asked for.
    pub name: &'static str,
    /// What it lets pass.
    pub summary: &'static str,
    /// The kind of file that needs it.
    pub needed_by: &'static str,
}

/// Every quirk.
pub static QUIRKS: &[QuirkDescription] = &[
    QuirkDescription {
        quirk: Quirk::NumbersAsStrings,
        name: "numbers-as-strings",
        summary: "numbers and booleans where strings are due, as they are written",
        needed_by: "descriptors of network functions whose versions and identifiers are not in quotes",
    },
    QuirkDescription {
        quirk: Quirk::ListsAsMaps,
        name: "lists-as-maps",
        summary: "lists of maps with one entry each, or empty lists, where maps are due",
        needed_by: "ETSI NFV descriptors, in which operations without an implementation are empty lists",
    },
    QuirkDescription {
        quirk: Quirk::NullSections,
        name: "null-sections",
        summary: "keynames without a value, as if they were not there",
        needed_by: "templates that are filled in by programs or written from a form",
    },
    QuirkDescription {
        quirk: Quirk::VendorSections,
        name: "vendor-sections",
        summary: "unknown keynames of files, which are ignored",
        needed_by: "files of orchestrators that keep sections of their own, such as `annotation_types`",
    },
    QuirkDescription {
        quirk: Quirk::SharedNames,
        name: "shared-names",
        summary: "names in imported files that only the importing file can see, and in libraries that import nothing",
        needed_by: "ETSI NFV type libraries, of which one uses the other without importing it",
    },
    QuirkDescription {
        quirk: Quirk::FreeMappings,
        name: "free-mappings",
        summary: "mappings of requirements that the substituted node type does not define",
        needed_by: "ETSI NFV descriptors, which map virtual links that their node types do not list",
    },
    QuirkDescription {
        quirk: Quirk::ImportedServices,
        name: "imported-services",
        summary: "problems in the service of an imported file, which is not what is validated",
        needed_by: "descriptors that import whole services, as they are, for the sake of their types",
    },
    QuirkDescription {
        quirk: Quirk::LateVersion,
        name: "late-version",
        summary: "versions of the language that are not the first keyname of the file",
        needed_by: "files written by programs, which sort the keynames of a map",
    },
];

/// Quirks that belong together, by name.
pub static QUIRK_SETS: &[(&str, &[Quirk])] = &[
    (
        "etsinfv",
        &[
            Quirk::NumbersAsStrings,
            Quirk::ListsAsMaps,
            Quirk::NullSections,
            Quirk::SharedNames,
            Quirk::FreeMappings,
            Quirk::ImportedServices,
            Quirk::LateVersion,
        ],
    ),
    (
        "onap",
        &[
            Quirk::NumbersAsStrings,
            Quirk::ListsAsMaps,
            Quirk::NullSections,
            Quirk::VendorSections,
            Quirk::SharedNames,
            Quirk::FreeMappings,
            Quirk::ImportedServices,
            Quirk::LateVersion,
        ],
    ),
];

impl Quirk {
    /// The quirk of a name, or the quirks of a set; nothing if there is none of the name.
    pub fn find(name: &str) -> Option<Vec<Self>> {
        if let Some((_, quirks)) = QUIRK_SETS.iter().find(|(set, _)| *set == name) {
            return Some(quirks.to_vec());
        }
        QUIRKS.iter().find(|known| known.name == name).map(|known| vec![known.quirk])
    }

    /// The name by which it is asked for.
    pub fn name(self) -> &'static str {
        QUIRKS.iter().find(|known| known.quirk == self).map_or("", |known| known.name)
    }

    /// Help that says that the quirk lets something pass.
    pub(crate) fn help(self) -> String {
        format!("the quirk `{}` lets this pass", self.name())
    }
}

/// The quirks that are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Quirks(u32);

impl Quirks {
    /// Turns a quirk on.
    #[must_use]
    pub const fn with(self, quirk: Quirk) -> Self {
        Self(self.0 | 1 << quirk as u32)
    }

    /// Whether a quirk is on.
    pub const fn has(self, quirk: Quirk) -> bool {
        self.0 & (1 << quirk as u32) != 0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn every_quirk_has_a_name_of_its_own() {
        for (number, known) in QUIRKS.iter().enumerate() {
            assert_eq!(Quirk::find(known.name), Some(vec![known.quirk]));
            assert!(QUIRKS[..number].iter().all(|other| other.name != known.name && other.quirk != known.quirk));
            assert!(QUIRK_SETS.iter().all(|(set, _)| *set != known.name));
        }
        assert_eq!(Quirk::find("nonsense"), None);
    }

    #[test]
    fn sets_turn_several_on() {
        let quirks = Quirk::find("etsinfv").unwrap().into_iter().fold(Quirks::default(), Quirks::with);
        assert!(quirks.has(Quirk::ListsAsMaps) && !quirks.has(Quirk::VendorSections));
    }
}
