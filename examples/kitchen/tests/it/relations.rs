//! Keynames that exclude or need each other.

use crate::check_in;
use kitchen::KITCHEN;

#[test]
fn written_keynames_exclude_and_need_each_other() {
    let text = "\
kitchen: 2
stuffs:
  flour: { shelf: left, row: 2 }
  salt: { row: 2 } # error[row-without-shelf] stuff `salt` has `row` without `shelf`
  sugar: { row: 2, shlef: left } # error[unknown-keyname]
recipes:
  bread:
    ingredients: { flour: flour }
    steps:
      knead: Knead it.
      rest: { video: v }
      bake: { text: t, video: v } # error[text-xor-video] step `bake` can't have both `text` and `video`
      eat: {} # error[text-xor-video] step `eat` needs `text` or `video`
      clean: { vidoe: v } # error[unknown-keyname]
";
    check_in(&KITCHEN, text, &[]);
}

#[test]
fn inherited_keynames_count_where_one_is_given() {
    let text = "\
kitchen: 2
stuffs: { salt: {} }
recipes:
  soup:
    ingredients:
      salt: { stuff: salt, grams: 5 }
      more: { stuff: salt, grams: 5, spoons: 1 } # error[two-amounts] ingredient `more` can't have both `spoons` and `grams`
  stew:
    like: [ soup ]
    ingredients:
      salt: { spoons: 1 } # error[two-amounts] ingredient `salt` can't have both `spoons` and `grams`
      more: { optional: true }
";
    check_in(&KITCHEN, text, &[]);
}

#[test]
fn schemas_have_the_relations() {
    let schema = tosca_parse::reference_docs::json_schema(&KITCHEN, kitchen::V2);
    let definitions = &schema["$defs"];
    assert_eq!(definitions["Stuff"]["dependentRequired"]["row"][0], "shelf", "{}", definitions["Stuff"]);
    let step = definitions["Step"].to_string();
    assert!(step.contains(r#""oneOf":[{"required":["text"]},{"required":["video"]}]"#), "{step}");
}
