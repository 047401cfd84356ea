//! Rendering: dishes are compared with their recipes.

use super::{check, check_in, parse_in};
use kitchen::KITCHEN;

const RECIPES: &str = "kitchen: 2
stuffs: { Salt: {}, Oil: {} }
recipes:
  Sauce: { ingredients: { oil: { stuff: Oil, grams: 9 } } }
  Salad:
    ingredients: { salt: { stuff: Salt, grams: 5 }, oil: { stuff: Oil, optional: true } }
    sides: { dip: Sauce }
";

#[test]
fn dishes_are_compared_with_their_recipes() {
    check(
        &(RECIPES.to_owned()
            + "dishes:
  good: { recipe: Salad, ingredients: { salt: 5 }, sides: { dip: { ingredients: { oil: 9 } } } }
  wrong:
    recipe: Salad
    ingredients:
      salt: 6                           # error[wrong-type] too much `salt`
      slat: 1                           # error[undeclared] recipe `Salad` has no ingredient `slat`
    sides:
      dip: { ingredients: { oil: 10 } } # error[wrong-type] too much `oil`
      dop: {}                           # error[undeclared] recipe `Salad` has no side `dop`
  bare: { recipe: Salad }               # error[missing-value] dish `bare` lacks `oil` # error[missing-value] dish `bare` lacks `salt`
  half: { recipe: Salad, ingredients: { salt: 1 }, sides: { dip: {} } } # error[missing-value] side assignment `dip` lacks `oil`
"),
    );
}

#[test]
fn copies_take_what_they_do_not_give() {
    check(
        &(RECIPES.to_owned()
            + "dishes:
  first: { recipe: Salad, ingredients: { salt: 5 }, sides: { dip: { ingredients: { oil: 9 } } } }
  same: { same_as: first }
  less: { same_as: first, ingredients: { oil: 1 } }
  more: { same_as: less, ingredients: { salt: 9 } }     # error[wrong-type] too much `salt`
"),
    );
}

#[test]
fn only_dishes_of_the_entry_are_rendered() {
    let other = RECIPES.to_owned() + "dishes: { bare: { recipe: Salad } }\n";
    let text = "kitchen: 2\nimports: [ other.yaml ]\ndishes:
  bare: { recipe: Sauce }               # error[missing-value] dish `bare` lacks `oil`\n";
    check_in(&KITCHEN, text, &[("other.yaml", &other)]);
    assert_eq!(parse_in(&KITCHEN, &other, &[]).diagnostics.len(), 2);
}

#[test]
fn checks_of_an_entitys_own_run_when_it_is_complete() {
    check(
        "kitchen: 2
stuffs: { Oil: {} }
recipes:
  Full: { ingredients: { oil: Oil } }
  Heir: { like: [ Full ] }
  Empty: {}                             # error[no-ingredients] recipe `Empty` has no ingredients
  Lost: { like: [ Unheard ] }           # error[unknown-name] there is no recipe `Unheard`
",
    );
}
