//! Languages whose parts contradict each other.

use tosca_parse::Entity;
use tosca_parse::TOSCA;
use tosca_parse::diagnostic::{Explanation, Level, Rule, RuleDocs};
use tosca_parse::entity::{
    BuiltInProfile, Child, Entity as _, Kind, Language, LanguageVersion, Members, Reference, Section, Text, Values,
};
use tosca_parse::phase::inheritance::most_derived;
use tosca_parse::rules;

use kitchen::{HASTY_KITCHEN, KITCHEN, PEDANTIC_KITCHEN, language, problem};

use crate::parse_in;

const NOWHERE: Section = Section(7);
const V9: LanguageVersion = LanguageVersion(9);

/// A thing whose annotations are each correct on their own.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "thing")]
struct Thing {
    /// Members in a section that does not exist.
    #[field(section = NOWHERE)]
    things: Members<Thing>,
    /// A name that is looked up in such a section.
    #[field(lookup(NOWHERE))]
    name: Option<Reference<Thing>>,
    /// Members that don't have the field of the short form.
    #[field(members_short = "size")]
    short: Members<Thing>,
    /// Values that come from a field that no entity has.
    #[field(assigns(title = "value", from = "sizes"))]
    values: Values,
    /// A field that exists in no version.
    #[field(since = V9)]
    late: Option<Text>,
    /// A member of another language.
    other: Child<Stranger>,
}

/// A thing that no entity contains.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "orphan")]
struct Orphan {
    /// A field, because every entity needs one.
    text: Option<Text>,
}

/// A thing of another language.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "stranger")]
struct Stranger {
    /// A field, because every entity needs one.
    text: Option<Text>,
}

tosca_parse::kinds! {
    static KINDS = [Thing, Orphan];
}

tosca_parse::kinds! {
    static STRANGERS = [Stranger];
}

#[test]
fn languages_fit_together() {
    for language in [&TOSCA, &KITCHEN, &HASTY_KITCHEN, &PEDANTIC_KITCHEN] {
        assert_eq!(language.check(), [""; 0], "{language:?}");
    }
}

#[test]
fn what_does_not_fit_together_is_told() {
    let profile =
        BuiltInProfile { names: &["things"], address: "file:/things.yaml", text: "", packed: &[], published: None };
    let broken = Language {
        kinds: KINDS,
        roots: const { &[Thing::KIND] },
        profiles: Box::leak(Box::new([profile])),
        ..language("broken", most_derived)
    };
    assert_eq!(
        broken.check(),
        [
            "`things` of `Thing` names section 7, which the language does not have",
            "`name` of `Thing` names section 7, which the language does not have",
            "`short` of `Thing` has short forms for the field `size`, which its entities do not have",
            "`values` of `Thing` assigns to the field `sizes`, which no entity has",
            "`late` of `Thing` has an empty range of versions",
            "`other` of `Thing` holds `Stranger`, which is not among the kinds of the language",
            "nothing holds `Orphan`",
            "`file:/things.yaml` is not a normalized address of the scheme `builtin`",
        ]
    );
    let reordered = [KINDS[1], KINDS[0]];
    let reordered =
        Language { kinds: Box::leak(Box::new(reordered)), roots: &[Kind(9)], ..language("broken", most_derived) };
    let found = reordered.check();
    let expected = [
        "`Orphan` is listed as kind 0, but is 1",
        "`Thing` is listed as kind 1, but is 0",
        "the kind of the root is not among the kinds of the language",
    ];
    assert!(expected.iter().all(|expected| found.iter().any(|found| found == expected)), "{found:?}");
    assert_eq!(STRANGERS[0].number(), Stranger::KIND);
}

#[test]
fn rules_of_the_engine_are_explained_in_any_language() {
    let of_engine = Language::new("bare", KITCHEN.kinds).explained();
    assert!(of_engine.len() > 70, "only {} rules", of_engine.len());
    let explained = KITCHEN.explained();
    for RuleDocs { rule, .. } in &of_engine {
        let known = explained.iter().find(|known| known.rule == *rule).unwrap();
        assert!(known.text.len() > 150, "{}: hardly any text", rule.code);
        let is_tolerant = rule.level == Level::StrictError;
        assert_eq!(known.text.contains("`--strict`"), is_tolerant, "{}: what strict mode does", rule.code);
        let shown = Explanation::new(known).to_string();
        assert!(shown.starts_with(&format!("{} {} (", rule.code, rule.name)), "{shown}");
    }
    let added: Vec<&Rule> =
        explained.iter().map(|known| known.rule).filter(|rule| rule.code.starts_with('K')).collect();
    assert_eq!(added, problem::ALL);
    assert_eq!(explained.len(), of_engine.len() + added.len());
}

#[test]
fn comments_can_name_rules_of_the_engine() {
    let book = "kitchen: 2\nstuffs: {} # tosca-parse: ignore[empty-source]\ndishs: {} # tosca-parse: ignore[T1201]\n";
    let outcome = parse_in(&KITCHEN, book, &[]);
    let codes: Vec<&str> = outcome.diagnostics.iter().map(|problem| problem.rule.code).collect();
    assert_eq!(codes, [rules::UNUSED_IGNORE.code]);
}
