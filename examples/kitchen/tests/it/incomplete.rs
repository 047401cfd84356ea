//! Incomplete types: the mistake is reported once, at its position.

use std::fmt::Write as _;

use tosca_parse::phase::inheritance::IncompleteReason;

use super::{check, check_in, find, names, recipe};
use kitchen::{KITCHEN, RECIPES, Recipe};

#[test]
fn types_that_need_each_other_are_stuck() {
    let outcome = check(
        "kitchen: 2
stuffs: { Oil: {} }
recipes:
  Egg: { ingredients: { oil: Oil }, sides: { with: Bacon } }    # error[dependency-loop] recipe `Egg` can't be completed, because it depends on itself: `Egg` → `Bacon` → `Egg`
  Bacon: { ingredients: { oil: Oil }, sides: { with: Egg } }
  Self: { sides: { with: Self } }                       # error[dependency-loop] recipe `Self` can't be completed, because it depends on itself
  Heir: { like: [ Bacon ] }                             # error[incomplete-definition] recipe `Bacon` can't be used as a parent, because it could not be completed
  User: { ingredients: { oil: Oil }, small_side: Egg }  # error[incomplete-definition] recipe `Egg` can't be used here, because it could not be completed
  Fine: { ingredients: { oil: Oil } }
dishes:
  egg: { recipe: Egg, ingredients: { anything: 1 } }
  heir: { recipe: Heir }
  fine: { recipe: Fine, ingredients: { oil: 1 } }
",
    );
    let gap = |name| outcome.program.gap(find::<Recipe>(&outcome, RECIPES, name).any());
    for name in ["Egg", "Bacon", "Self", "Heir"] {
        assert_eq!(gap(name), Some(IncompleteReason::Loop), "{name}");
    }
    assert_eq!([gap("User"), gap("Fine")], [None, None]);
    let stuck: Vec<Vec<&str>> = outcome
        .program
        .tasks()
        .stuck
        .iter()
        .map(|group| group.iter().map(|id| outcome.program.name(*id)).collect())
        .collect();
    assert_eq!(stuck.len(), 2);
    assert!(stuck.contains(&vec!["Egg", "Bacon"]) && stuck.contains(&vec!["Self"]));
}

#[test]
fn what_is_not_in_the_loop_is_completed() {
    let outcome = check(
        "kitchen: 2
stuffs: { Oil: {}, Salt: {} }
recipes:
  Base: { ingredients: { oil: Oil } }
  Egg: { like: [ Base ], sides: { with: Bacon } }       # error[dependency-loop]
  Bacon: { like: [ Base ], sides: { with: Egg } }
  Heir: { like: [ Base, Egg ], ingredients: { salt: Salt } }    # error[incomplete-definition]
  Apart: { like: [ Base ], ingredients: { salt: Salt } }
",
    );
    assert_eq!(names(&outcome, &recipe(&outcome, "Apart").ingredients), ["oil", "salt"]);
    assert_eq!(names(&outcome, &recipe(&outcome, "Heir").ingredients), ["oil", "salt"]);
}

#[test]
fn definitions_of_types_in_loops_are_reported_where_they_take_something() {
    check(
        "kitchen: 2
stuffs: { Oil: {} }
recipes:
  Hen: { like: [ Egg ] }                        # error[derivation-loop] recipe `Hen` is derived from itself
  Egg: { like: [ Hen ] }
  Chick: { like: [ Egg ] }
  Plate:
    ingredients: { oil: Oil }
    sides:
      hen: Hen                                  # error[incomplete-definition] recipe `Hen` can't be used here, because it is derived from itself
      chick: Chick                              # error[incomplete-definition] recipe `Chick` can't be used here, because one of its ancestors is derived from itself
  Other: { like: [ Plate ] }
dishes:
  hen: { recipe: Hen, ingredients: { any: 1 } }
  plate: { recipe: Plate, ingredients: { oil: 1 }, sides: { hen: { ingredients: { any: 1 } } } }
",
    );
}

#[test]
fn nothing_is_missing_where_something_is_unknown() {
    check_in(
        &KITCHEN,
        "kitchen: 2
imports: [ lost.yaml ]                          # error[not-found]
stuffs: { Oil: {} }
recipes:
  Odd: { like: [ Lost ], ingredients: { some: { grams: 3 } } }
  Plate: { ingredients: { oil: Oil }, sides: { odd: { recipe: Lost, ingredients: { any: { grams: 1 } } } } }
dishes:
  odd: { recipe: Odd, ingredients: { some: 1, other: 2 } }
  lost: { recipe: Lost, ingredients: { any: 1 } }
",
        &[],
    );
}

#[test]
fn copies_in_a_loop_are_stuck() {
    check(
        "kitchen: 2
stuffs: { Oil: {} }
recipes: { Plate: { ingredients: { oil: Oil } } }
dishes:
  self: { same_as: self }                       # error[dependency-loop] dish `self` can't be completed, because it depends on itself
  one: { recipe: Plate, same_as: two }          # error[dependency-loop] `one` → `two` → `one`
  two: { same_as: one }
  three: { same_as: two }                       # error[incomplete-definition] dish `two` can't be copied, because it could not be completed
",
    );
}

#[test]
fn long_loops_end() {
    // Deep enough that recursive functions would overflow the stack.
    let count = 20_000;
    let mut text = "kitchen: 2\nrecipes:\n".to_owned();
    for number in 0..count {
        let next = (number + 1) % count;
        writeln!(text, "  R{number}: {{ like: [ R{next} ] }}").unwrap();
        writeln!(text, "  S{number}: {{ sides: {{ with: S{next} }} }}").unwrap();
    }
    let outcome = super::parse_in(&KITCHEN, &text, &[]);
    let found: Vec<&str> = outcome.diagnostics.iter().map(|problem| problem.rule.name).collect();
    assert_eq!(found, ["derivation-loop", "dependency-loop"]);
    assert!(outcome.diagnostics.iter().all(|problem| problem.message.contains("more) →")));
}
