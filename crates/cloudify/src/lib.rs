//! Blueprints in the Cloudify DSL, as a language of the engine.
//!
//! 1. `grammar` describes the entities of blueprints; the standard types are in `normative`.
//! 2. `version` recognizes the version. All files that a blueprint imports have its version.
//! 3. `finder` knows where plugins, blueprints and the standard types are.
//! 4. `plan` is the model of a blueprint: the content of a deployment. `topology` is its outline for diagrams, and
//!    `form` is a form for its inputs.
//! 5. `completion` has the facts that editors need.
//! 6. `function` is the table of functions; `check` has the checks that annotations can't express.

extern crate tosca_parse_engine as tosca_parse;

mod check;
mod completion;
mod finder;
mod form;
mod function;
pub mod grammar;
pub mod plan;
pub mod rules;
mod topology;
mod version;

use tosca_parse::ard::{Dialect, Schema};
use tosca_parse::entity::{BuiltInProfile, ImplicitUnit, Precedence};
use tosca_parse::entity::{Language, LanguageVersion, Leniency, Merging, Versions};
use tosca_parse::phase::migration::Renames;

use grammar::{KINDS, SECTIONS, V1_4, V1_5};

/// Blueprints in the Cloudify DSL.
pub static CLOUDIFY: Language = Language {
    versions: version::VERSIONS,
    sections: SECTIONS,
    leniency: Leniency { null_is_absent: Versions::ALL, null_is_empty: Versions::ALL, ..Leniency::NONE },
    yaml: Dialect { schema: Schema::Yaml11, ..Dialect::CORE },
    claims: |_, text| version::claims(text),
    detect: version::detect,
    finder: |library| Box::new(finder::Folders::new(library)),
    profiles: PROFILES,
    merging: Some(Merging { separator: "--", is_global: |name| name.starts_with("cloudify.") }),
    implicit,
    synonyms: SYNONYMS,
    functions: |_| Some(&function::FUNCTIONS),
    rules: &[rules::EXPLAINED],
    named_file: check::operation::named_file,
    complete_value: completion::complete_value,
    describe_member: completion::describe_member,
    topology: topology::topology,
    model: plan::plan,
    form: form::form,
    migrate: Some(|programs, to| RENAMES.migrate(&CLOUDIFY, programs, to)),
    ..Language::new("Cloudify", KINDS)
};

/// The names of types in other languages.
const SYNONYMS: &[(&str, &str)] = &[
    ("array", "list"),
    ("bool", "boolean"),
    ("dictionary", "dict"),
    ("double", "float"),
    ("int", "integer"),
    ("map", "dict"),
    ("number", "float"),
    ("object", "dict"),
    ("str", "string"),
    ("text", "string"),
];

/// Later versions have the same functions and keynames.
const RENAMES: Renames = Renames { version: version::KEYNAME, function: |_, _| None };

/// The files for imports of the standard types. The first ones are for one version each.
static PROFILES: &[BuiltInProfile] = &[
    BuiltInProfile {
        names: &["cloudify/types/types_1_3.yaml"],
        address: "builtin:/cloudify/types_1_3.yaml",
        text: include_str!("../normative/types_1_3.yaml"),
        packed: &[],
        published: None,
    },
    BuiltInProfile {
        names: &["cloudify/types/types_1_4.yaml"],
        address: "builtin:/cloudify/types_1_4.yaml",
        text: include_str!("../normative/types_1_4.yaml"),
        packed: &[],
        published: None,
    },
    BuiltInProfile {
        names: &[finder::STANDARD_TYPES],
        address: "builtin:/cloudify/types.yaml",
        text: include_str!("../normative/types.yaml"),
        packed: &[],
        published: None,
    },
];

const fn primitive(name: &'static str, text: &'static str) -> ImplicitUnit {
    ImplicitUnit { name, text, packed: &[], precedence: Precedence::Reserved, aliases: |_, _| Vec::new() }
}

static PRIMITIVE: [ImplicitUnit; 3] = [
    primitive("builtin:/cloudify/primitive_1_0.yaml", include_str!("../normative/primitive_1_0.yaml")),
    primitive("builtin:/cloudify/primitive_1_4.yaml", include_str!("../normative/primitive_1_4.yaml")),
    primitive("builtin:/cloudify/primitive_1_5.yaml", include_str!("../normative/primitive_1_5.yaml")),
];

/// Returns the primitive types of a version.
fn implicit(version: LanguageVersion) -> &'static [ImplicitUnit] {
    let count = 1 + usize::from(version >= V1_4) + usize::from(version >= V1_5);
    &PRIMITIVE[..count]
}

/// Runs the example on the page about adding a language as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/another-language.md")]
struct AnotherLanguage;
