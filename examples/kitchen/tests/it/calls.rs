//! Function calls in values.

use kitchen::{KITCHEN, RECIPES, Recipe, STUFFS, Stuff};
use tosca_parse::phase::namespace::ReferenceResolver as _;

use crate::{check, check_in, find};

#[test]
fn names_in_calls_are_looked_up() {
    let text = "\
kitchen: 2
stuffs: { salt: { most: 7 } }
recipes:
  bread: { minutes: 40, ingredients: { salt: salt } }
  toast: { minutes: { $minutes_of: bread }, ingredients: { salt: salt } }
  other: { minutes: { $sum: [ 3, { $minutes_of: braed } ] }, ingredients: { salt: salt } } # error[unknown-name] there is no recipe `braed`
  wrong: { minutes: { $minutes_of: salt }, ingredients: { salt: salt } } # error[unknown-name] there is no recipe `salt`
dishes:
  toast: { recipe: toast, ingredients: { salt: { $most_of: sallt } } } # error[unknown-name] there is no stuff `sallt`
";
    let outcome = check(text);
    let helps: Vec<_> = outcome.diagnostics.iter().map(|problem| problem.help[0].as_str()).collect();
    assert_eq!(helps, ["did you mean `bread`?", "`salt` is a stuff; name a recipe here", "did you mean `salt`?"]);
}

#[test]
fn names_in_calls_are_references() {
    let text = "\
kitchen: 2
stuffs: { salt: {} }
recipes:
  bread: { minutes: 40, ingredients: { salt: salt } }
  toast: { minutes: { $minutes_of: bread }, ingredients: { salt: { stuff: salt, spoons: { $most_of: salt } } } }
";
    let outcome = check(text);
    let unit = outcome.program.unit(outcome.entry().unwrap()).unwrap();
    let named = |id| unit.references().filter(|(reference, ..)| outcome.program.target(*reference) == Some(id)).count();
    assert_eq!(named(find::<Recipe>(&outcome, RECIPES, "bread").any()), 1);
    assert_eq!(named(find::<Stuff>(&outcome, STUFFS, "salt").any()), 3);
}

#[test]
fn names_in_calls_have_prefixes() {
    let text = "\
kitchen: 2
imports: [ { book: pantry.yaml, prefix: p } ]
recipes:
  toast:
    minutes: { $minutes_of: \"p:brine\" }
    ingredients: { salt: { stuff: \"p:salt\", spoons: { $most_of: salt } } } # error[unknown-name] there is no stuff `salt`
";
    let pantry = "kitchen: 2\nstuffs: { salt: {} }\nrecipes: { brine: { ingredients: { salt: salt } } }\n";
    let outcome = check_in(&KITCHEN, text, &[("pantry.yaml", pantry)]);
    assert_eq!(outcome.diagnostics[0].help[0], "did you mean `p:salt`?");
}

#[test]
fn wrong_calls_are_reported() {
    let text = "\
kitchen: 2
stuffs: { salt: {} }
recipes:
  bread: { minutes: { $minutes_of: [] }, ingredients: { salt: salt } } # error[wrong-arguments] `$minutes_of` can't take 0 arguments
  toast: { minutes: { $minutes_of: [ bread, toast ] }, ingredients: { salt: salt } } # error[wrong-arguments] `$minutes_of` can't take 2 arguments
  other: { minutes: { $minutes_of: 3 }, ingredients: { salt: salt } } # error[wrong-arguments] must be a name (a string), not an integer
  wrong: { minutes: { $minuets_of: bread }, ingredients: { salt: salt } } # error[unknown-function] there is no function `minuets_of`
  plain: { minutes: { $$minutes_of: bread, a: $$b }, ingredients: { salt: salt } }
  empty: { minutes: $minutes_of, ingredients: { salt: salt } } # error[wrong-arguments] `$minutes_of` can't take 0 arguments
";
    let outcome = check(text);
    assert_eq!(outcome.diagnostics[0].help, ["it takes the name of a recipe"]);
    assert_eq!(outcome.diagnostics[3].help, ["did you mean `$minutes_of`?"]);
}

#[test]
fn computed_values_are_judged() {
    let text = "\
kitchen: 2
stuffs: { salt: { most: 7 }, oil: { most: 3 } }
recipes:
  sauce: { ingredients: { oil: { stuff: oil, grams: 3 } } }
  salad: { ingredients: { salt: { stuff: salt, grams: 5 } }, sides: { dip: sauce } }
dishes:
  good: { recipe: salad, ingredients: { salt: { $most_of: oil } }, sides: { dip: { ingredients: { oil: 3 } } } }
  wrong:
    recipe: salad
    ingredients: { salt: { $most_of: salt } } # error[wrong-type] too much `salt`
    sides: { dip: { ingredients: { oil: { $sum: [ 2, { $most_of: oil } ] } } } } # error[wrong-type] too much `oil`
";
    check(text);
}

#[test]
fn earlier_versions_have_no_functions() {
    let text = "\
kitchen: 1
stuffs: { salt: {} }
recipes: { bread: { time: { $minutes_of: nobody }, ingredients: { salt: salt } } }
";
    check(text);
}
