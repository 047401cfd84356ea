//! Reading: keynames, short forms, versions, imports.

use super::{check, check_in, names, parse_in, recipe};
use kitchen::{KITCHEN, V1, V2};

#[test]
fn entities_are_read_by_their_descriptions() {
    let outcome = check(
        "kitchen: 2
stuffs: { Flour: {}, Milk: { shelf: fridge } }
recipes:
  Pancake:
    minutes: 20
    ingredients: { flour: Flour, milk: { stuff: Milk, grams: 300 } }
    steps: { mix: mix it, fry: { text: fry it } }
",
    );
    let pancake = recipe(&outcome, "Pancake");
    assert_eq!(names(&outcome, &pancake.ingredients), ["flour", "milk"]);
    assert_eq!(names(&outcome, &pancake.steps), ["mix", "fry"]);
    let (_, milk) = pancake.ingredients.iter().last().unwrap();
    assert_eq!(outcome.program.get(milk).unwrap().grams.unwrap().value.0, 300);
}

#[test]
fn mistakes_are_reported_in_the_words_of_the_language() {
    check(
        "kitchen: 2
stuffs: [ Flour ]                       # error[wrong-kind] `stuffs` must be a map, not a list
recipes:
  Bread:
    ingredient: {}                      # error[unknown-keyname] `ingredient` is not a keyname of recipe `Bread`
    ingredients:
      water: { grams: much }            # error[missing-after-inheritance] ingredient `water` lacks the mandatory # error[wrong-kind] a weight must be a number of grams, not a string
    steps:
      bake: {}                          # error[text-xor-video] step `bake` needs `text` or `video`
",
    );
}

#[test]
fn keynames_belong_to_versions() {
    let text = |version: &str, keyname: &str, problem: &str| {
        format!(
            "kitchen: {version}\nstuffs: {{ Tea: {{}} }}\nrecipes:\n  Tea:\n    {keyname}: 3{problem}\n    ingredients: {{ tea: Tea }}\n"
        )
    };
    for (version, keyname, problem) in [
        ("1", "time", ""),
        ("2", "minutes", ""),
        ("2", "time", " # warning[tolerated-keyname] `time` is not a keyname in kitchen 2"),
        ("1", "minutes", " # error[unsupported-keyname] `minutes` is not a keyname of a recipe in kitchen 1"),
    ] {
        let outcome = check(&text(version, keyname, problem));
        assert_eq!(outcome.program.list[0].version, if version == "1" { V1 } else { V2 });
        assert_eq!(recipe(&outcome, "Tea").minutes.is_some(), !problem.contains("error"), "{version} {keyname}");
    }
}

#[test]
fn a_keyname_is_given_once_under_whatever_name() {
    check(
        "kitchen: 2
stuffs: { Tea: {} }
recipes:
  Tea:
    minutes: 3
    time: 4            # warning[tolerated-keyname] # error[keyname-twice] `time` means the same as `minutes`
    ingredients: { tea: Tea }
",
    );
}

#[test]
fn a_version_is_recognised_by_the_language() {
    check("kitchen: 3 # error[unknown-version] there is no kitchen `3`\n");
    let outcome = parse_in(&KITCHEN, "stuffs: {}\n", &[]);
    assert_eq!(outcome.diagnostics[0].rule.name, "missing-keyname");
    assert_eq!(outcome.diagnostics[0].message, "the book lacks the mandatory keyname `kitchen`");
}

#[test]
fn books_import_books() {
    let others = [
        ("pantry.yaml", "kitchen: 2\nimports: [ shelf.yaml ]\n"),
        ("shelf.yaml", "kitchen: 2\nstuffs: { Salt: {} }\n"),
    ];
    let outcome = check_in(
        &KITCHEN,
        "kitchen: 2
imports:
  - pantry.yaml
  - { book: shelf.yaml, prefix: shelf }
  - cellar.yaml                         # error[not-found]
recipes:
  Brine: { ingredients: { salt: Salt, more: shelf:Salt } }
",
        &others,
    );
    let read: Vec<&str> = outcome.sources.iter().map(|source| source.name()).collect();
    assert_eq!(read, ["memory:/book.yaml", "memory:/pantry.yaml", "memory:/shelf.yaml"]);
}

#[test]
fn loops_of_imports_are_warned_about() {
    let other = |version: &str| format!("kitchen: {version}\nimports: [ book.yaml ]\n");
    for version in ["1", "2"] {
        let text = format!("kitchen: {version}\nimports: [ other.yaml ]\n");
        let outcome = parse_in(&KITCHEN, &text, &[("other.yaml", &other(version)), ("book.yaml", &text)]);
        let found: Vec<String> =
            outcome.diagnostics.iter().map(|problem| format!("{}[{}]", problem.severity, problem.rule.name)).collect();
        assert_eq!(found, ["warning[import-loop]"]);
    }
}
