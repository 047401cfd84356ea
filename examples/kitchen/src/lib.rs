//! A small language for recipes that uses only the public interface of `tosca-parse`: a template for custom languages.
//!
//! 1. The syntax is described by structs, one per concept; [`Book`] is a whole source. The annotations of a field
//!    define its keyname, its references, and its inheritance.
//! 2. [`kinds!`](tosca_parse::kinds) numbers the structs, [`sections!`](tosca_parse::sections) the sections of names.
//! 3. A [`Language`] connects the parts; most of its fields have defaults.
//! 4. The module `check` contains the checks that annotations can't express, with a small function per entity: a
//!    [`Recipe`] is checked, an [`Ingredient`] judges its amount, a [`Dish`] is rendered. No other module uses it.
//! 5. The functions that values can call are a table in `functions`. Names in their arguments are looked up, completed
//!    and renamed by the engine; only `check` knows what the functions compute.
//! 6. Users can set options, which are listed in [`Language`]: a book whose names all books can use, and a folder.
//!
//! The binary `kitchen` is the command for this language, with TOSCA as a second language.
//!
//! The language has two features that TOSCA lacks: types with several parents, and types that depend on each other.
//!
//! ```
//! use kitchen::KITCHEN;
//! use tosca_parse::{Entry, Parser};
//!
//! let parser = Parser::builder(&KITCHEN).build()?;
//! let book = "
//! kitchen: 2
//! stuffs: { flour: {}, salt: { most: 10 } }
//! recipes: { bread: { ingredients: { flour: flour, salt: salt } } }
//! dishes: { breakfast: { recipe: bred } }
//! ";
//! let outcome = parser.parse_entry(Entry::text(parser.address("book.yaml")?, book));
//! assert_eq!(outcome.diagnostics[0].message, "there is no recipe `bred`");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod functions;
pub mod grammar;

use tosca_parse::ard::Document;
use tosca_parse::diagnostic::{Diagnostic, Help, RuleDocs};
use tosca_parse::entity::{
    DetectedSource, Language, LanguageOption, Leniency, OptionValue, Recognition, VersionDescription, Versions,
};
use tosca_parse::phase::inheritance::{ConflictResolution, MemberConflict, first_parent, most_derived};
use tosca_parse::rules;

pub use grammar::*;

/// The most derived of several parents wins.
pub static KITCHEN: Language = language("kitchen", most_derived);

/// The parent that is named first wins.
pub static HASTY_KITCHEN: Language = language("hasty kitchen", first_parent);

/// No parent wins.
pub static PEDANTIC_KITCHEN: Language = language("pedantic kitchen", nobody);

/// The rules of the language, in addition to those of the engine.
pub mod problem {
    tosca_parse::rule_table! {
        explained in "rules";
        ROW_WITHOUT_SHELF = "K1001" "row-without-shelf" Error, "a stuff has a row but no shelf";
        TEXT_XOR_VIDEO = "K1002" "text-xor-video" Error, "a step has both or neither of `text` and `video`";
        DISPUTED = "K4001" "disputed" Error, "several parents disagree about a value, and none of them wins";
        NO_INGREDIENTS = "K4002" "no-ingredients" Error, "a recipe has no ingredients";
        TWO_AMOUNTS = "K4003" "two-amounts" Error, "an ingredient has an amount in grams and in spoons";
        UNKNOWN_FUNCTION = "K4004" "unknown-function" Error, "a value calls a function that does not exist";
        WRONG_ARGUMENTS = "K4005" "wrong-arguments" Error, "a function can't take its arguments";
    }
}

/// The options that users can set.
static OPTIONS: &[LanguageOption] = &[
    LanguageOption {
        name: "pantry",
        short: Some('p'),
        value: OptionValue::Source,
        repeated: true,
        help: "Let all books use the names of a book",
    },
    LanguageOption {
        name: "shelf",
        short: None,
        value: OptionValue::Folder,
        repeated: false,
        help: "Let books import from a folder, even in a sandbox",
    },
];

/// The rules with their explanations.
static RULES: &[&[RuleDocs]] = &[problem::EXPLAINED];

/// Returns a language in which `resolve_conflict` resolves conflicts between parents.
pub const fn language(name: &'static str, resolve_conflict: fn(&MemberConflict<'_>) -> ConflictResolution) -> Language {
    Language {
        versions: &[
            VersionDescription { title: "kitchen 1", word: "1" },
            VersionDescription { title: "kitchen 2", word: "2" },
        ],
        sections: SECTIONS,
        leniency: Leniency {
            null_is_empty: Versions { since: V1, until: V1 },
            accept_newer_keynames: Versions { since: V1, until: V1 },
            yaml_1_1_booleans: Versions { since: V1, until: V1 },
            timestamp_tags: Versions { since: V1, until: V1 },
            ..Leniency::NONE
        },
        claims: |_, text| text.lines().any(|line| line.starts_with("kitchen:")),
        detect,
        functions: |version| (version >= V2).then_some(&functions::FUNCTIONS),
        options: OPTIONS,
        resolve_conflict,
        rules: RULES,
        ..Language::new(name, KINDS)
    }
}

fn nobody(_: &MemberConflict<'_>) -> ConflictResolution {
    ConflictResolution::Unresolved(&problem::DISPUTED)
}

fn detect(document: &Document, _: Recognition<'_>) -> DetectedSource {
    let version = document.root().and_then(|root| root.find("kitchen"));
    match version.map(|entry| (entry.value.text(), entry.value.span())) {
        Some(("1", _)) => DetectedSource::version(V1),
        Some(("2", _)) => DetectedSource::version(V2),
        Some((text, span)) => {
            let message = format!("there is no kitchen `{text}`");
            let problem = Diagnostic::new(&rules::UNKNOWN_VERSION, span, message).with_help(Help::write("2"));
            DetectedSource::version(V2).with([problem])
        }
        None => DetectedSource::version(V2),
    }
}
