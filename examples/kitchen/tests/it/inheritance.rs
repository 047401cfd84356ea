//! Inheritance from several parents: conflict resolution, and constraints of all parents.

use tosca_parse::entity::Located;

use super::{check, check_in, find, names, parse_in, recipe, symbol};
use kitchen::{Grams, HASTY_KITCHEN, Ingredient, KITCHEN, PEDANTIC_KITCHEN, STUFFS, Stuff, problem};

/// Returns the weight of an ingredient of a recipe.
fn grams(outcome: &tosca_parse::Outcome, name: &str, ingredient: &str) -> Option<u32> {
    ingredient_of(outcome, name, ingredient).grams.map(|Located { value: Grams(grams), .. }| grams)
}

fn ingredient_of<'a>(outcome: &'a tosca_parse::Outcome, name: &str, ingredient: &str) -> &'a Ingredient {
    let id = recipe(outcome, name).ingredients.get(symbol(outcome, ingredient)).unwrap();
    outcome.program.get(id).unwrap()
}

const DIAMOND: &str = "kitchen: 2
stuffs: { Salt: {}, Pepper: {}, Oil: {} }
recipes:
  Base: { ingredients: { salt: { stuff: Salt, grams: 9 } }, steps: { begin: begin }, warnings: hot }
  Left: { like: [ Base ], ingredients: { pepper: Pepper }, steps: { left: go left }, warnings: sharp }
  Right: { like: [ Base ], ingredients: { salt: { grams: 3 }, oil: Oil }, steps: { right: go right } }
  Both: { like: [ Left, Right ], ingredients: { more: Oil }, steps: { end: end } }
";

#[test]
fn members_of_all_parents_come_together() {
    let outcome = check(DIAMOND);
    let both = recipe(&outcome, "Both");
    assert_eq!(names(&outcome, &both.ingredients), ["salt", "pepper", "oil", "more"]);
    assert_eq!(names(&outcome, &both.steps), ["begin", "left", "right", "end"]);
    // Members that both parents inherit from the same recipe occur once.
    assert_eq!(both.warnings.len(), 2);
}

#[test]
fn the_language_says_whose_member_wins() {
    assert_eq!(grams(&parse_in(&KITCHEN, DIAMOND, &[]), "Both", "salt"), Some(3));
    assert_eq!(grams(&parse_in(&HASTY_KITCHEN, DIAMOND, &[]), "Both", "salt"), Some(9));
    let outcome = parse_in(&PEDANTIC_KITCHEN, DIAMOND, &[]);
    let [problem] = &outcome.diagnostics[..] else { panic!("{:?}", outcome.diagnostics) };
    assert_eq!(*problem.rule, problem::DISPUTED);
    assert_eq!(problem.message, "recipe `Both` inherits ingredient `salt` from parents that define it differently");
    assert_eq!(problem.help, ["redefine `salt`"]);
    assert_eq!(problem.related.len(), 2);
    assert_eq!(grams(&outcome, "Both", "salt"), Some(9));
}

#[test]
fn a_member_of_ones_own_settles_the_contest() {
    let text = DIAMOND.replace("more: Oil", "salt: { optional: true }");
    let outcome = check_in(&PEDANTIC_KITCHEN, &text, &[]);
    assert!(ingredient_of(&outcome, "Both", "salt").optional.unwrap().value);
    // The member is completed from the winner, or from the first candidate if none wins.
    for (language, weight) in [(&KITCHEN, 3), (&HASTY_KITCHEN, 9), (&PEDANTIC_KITCHEN, 9)] {
        assert_eq!(grams(&parse_in(language, &text, &[]), "Both", "salt"), Some(weight), "{language:?}");
    }
}

#[test]
fn the_contract_of_every_parent_holds() {
    check(
        "kitchen: 2
stuffs:
  Cold: { shelf: fridge, most: 50 }
  Dry: { shelf: board, most: 20, note: dry }
  Stale: { like: [ Cold, Dry ], shelf: fridge }         # error[changed-fixed] `shelf` of stuff `Stale` is fixed
  Heavy: { like: [ Cold, Dry ], most: 30 }              # error[not-within] `most` of stuff `Heavy` must stay within the inherited one: 30 is more than 20
  Light: { like: [ Cold, Dry ], most: 20 }
recipes:
  Sour: { ingredients: { base: { stuff: Cold, grams: 9 } }, steps: { stir: stir } }
  Sweet: { ingredients: { base: { stuff: Dry, grams: 5 } } }
  Both:
    like: [ Sour, Sweet ]
    ingredients:
      base: { stuff: Cold, grams: 7 }                   # error[not-narrower] `stuff` of ingredient `base` must be `Dry` # error[not-within] 7 is more than 5
    steps: { stir: again }                              # error[given-again] step `stir` is inherited by recipe `Both`
",
    );
}

#[test]
fn values_come_from_the_first_parent_that_has_them() {
    let outcome = check(
        "kitchen: 2
stuffs:
  Plain: {}
  Noted: { note: first }
  Other: { note: second }
  All: { like: [ Plain, Noted, Other ] }
  Own: { like: [ Noted, Other ], note: third }
",
    );
    for (name, note) in [("All", "first"), ("Own", "third")] {
        let stuff = outcome.program.get(find::<Stuff>(&outcome, STUFFS, name)).unwrap();
        assert_eq!(outcome.program.node(stuff.note.unwrap().0).unwrap().text(), note);
    }
}

#[test]
fn definitions_are_completed_from_their_types() {
    let outcome = check(
        "kitchen: 2
stuffs: { Salt: {}, Sea: { like: [ Salt ] } }
recipes:
  Sauce: { ingredients: { salt: { stuff: Salt, grams: 5 } } }
  Gravy: { like: [ Sauce ] }
  Roast:
    ingredients: { salt: Salt }
    sides: { dip: { recipe: Sauce, ingredients: { salt: { stuff: Sea, grams: 2 } } } }
    small_side: Gravy
  Steak:
    like: [ Roast ]
    sides: { dip: Gravy }
    small_side: { ingredients: { pepper: { grams: 1 } } }       # error[nothing-to-refine] recipe `Gravy` has no ingredient `pepper` to refine
  Fish:
    like: [ Roast ]
    sides: { dip: Roast }                                       # error[not-narrower] `recipe` of side `dip` must be `Sauce`
",
    );
    let dip = recipe(&outcome, "Steak").sides.get(symbol(&outcome, "dip")).unwrap();
    let salt = outcome.program.get(dip).unwrap().ingredients.get(symbol(&outcome, "salt")).unwrap();
    assert_eq!(outcome.program.get(salt).unwrap().grams.unwrap().value.0, 2);
}

#[test]
fn many_members_of_many_parents_are_as_few() {
    // Too many for lists, so that shared members are merged.
    let own = |prefix: &str| (0..50).map(|number| format!("{prefix}{number}: Salt")).collect::<Vec<_>>().join(", ");
    let text = format!(
        "kitchen: 2\nstuffs: {{ Salt: {{}} }}\nrecipes:
  Base: {{ ingredients: {{ {} }} }}
  Left: {{ like: [ Base ], ingredients: {{ {} }} }}
  Right: {{ like: [ Base ], ingredients: {{ b7: {{ grams: 1 }}, {} }} }}
  Both: {{ like: [ Left, Right ], ingredients: {{ l3: {{ grams: 2 }} }} }}\n",
        own("b"),
        own("l"),
        own("r")
    );
    let outcome = check(&text);
    let both = recipe(&outcome, "Both");
    assert_eq!(both.ingredients.len(), 150);
    assert_eq!(names(&outcome, &both.ingredients)[..2], ["b0", "b1"]);
    assert_eq!([grams(&outcome, "Both", "b7"), grams(&outcome, "Both", "l3")], [Some(1), Some(2)]);
    assert!(ingredient_of(&outcome, "Both", "l3").stuff.is_some());
    assert_eq!(grams(&parse_in(&HASTY_KITCHEN, &text, &[]), "Both", "b7"), None);
}
