//! Namespaces: sections, prefixes, shadowing.

use super::{check, check_in};
use kitchen::KITCHEN;

const PANTRY: (&str, &str) = (
    "pantry.yaml",
    "kitchen: 2
stuffs: { Salt: {}, Sugar: {} }
recipes: { Brine: { ingredients: { salt: Salt } } }
dishes: { brine: { recipe: Brine, ingredients: { salt: 1 } } }
",
);

#[test]
fn sections_are_apart() {
    let outcome = check(
        "kitchen: 2
stuffs: { Tea: {} }
recipes:
  Tea: { ingredients: { tea: Tea } }
  Cup: { ingredients: { tea: Tae } }    # error[unknown-name] there is no stuff `Tae`
dishes:
  tea: { recipe: Tea, ingredients: { tea: 3 } }
  cup: { recipe: tea }                  # error[unknown-name] there is no recipe `tea`
",
    );
    let unknown = &outcome.diagnostics[0];
    assert_eq!(unknown.help, ["did you mean `Tea`?"]);
    // The problem points to an entity that has the name, but can't be used here.
    assert_eq!(outcome.diagnostics[1].related[0].message, "this is a dish");
}

#[test]
fn local_sections_stay_where_they_are() {
    check_in(
        &KITCHEN,
        "kitchen: 2
imports: [ pantry.yaml ]
dishes:
  more: { same_as: brine }              # error[unknown-name] there is no dish `brine`
",
        &[PANTRY],
    );
    let text = "kitchen: 2\nimports: [ pantry.yaml ]\ndishes: { brine: { recipe: Brine, ingredients: { salt: 2 } } }\n";
    check_in(&KITCHEN, text, &[PANTRY]);
}

#[test]
fn names_of_a_section_that_shadows_may_be_declared_again() {
    check_in(
        &KITCHEN,
        "kitchen: 2
imports: [ pantry.yaml ]
stuffs: { Salt: {} }                            # error[name-taken] stuff `Salt`
recipes:
  Brine: { ingredients: { sugar: Sugar } }      # warning[shadowed-name] recipe `Brine`
",
        &[PANTRY],
    );
}

#[test]
fn prefixes_keep_names_apart() {
    check_in(
        &KITCHEN,
        "kitchen: 2
imports: [ { book: pantry.yaml, prefix: p } ]
stuffs: { Salt: { like: [ p:Salt ] } }
recipes:
  Brine: { like: [ p:Brine ] }
  Broth: { like: [ p:Broth ] }                  # error[unknown-name] there is no recipe `p:Broth`
  Bread: { ingredients: { sugar: Sugar } }      # error[unknown-name] there is no stuff `Sugar`
",
        &[PANTRY],
    );
}

#[test]
fn imports_that_are_missing_hide_only_names_that_they_could_have() {
    let text = "\
kitchen: 2
imports: [ missing.yaml ] # error[not-found] can't read
stuffs: { salt: {} }
recipes: { bread: { ingredients: { salt: slat } } }
dishes:
  breakfast: { recipe: braed }
  supper: { same_as: breakfsat } # error[unknown-name] there is no dish `breakfsat`
";
    check_in(&KITCHEN, text, &[]);
}
