#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

#[test]
fn typos_are_recognized() {
    let keynames = ["type", "properties", "line_items", "sold_by"];
    assert_eq!(nearest("tpye", keynames), Some("type"));
    assert_eq!(nearest("propertys", keynames), Some("properties"));
    assert_eq!(nearest("line_item", keynames), Some("line_items"));
    assert_eq!(nearest("soldby", keynames), Some("sold_by"));
}

#[test]
fn other_words_are_not_suggested() {
    assert_eq!(nearest("colour", ["type", "properties"]), None);
    assert_eq!(nearest("typ", []), None);
    assert_eq!(nearest("", ["a", "type"]), None);
    assert_eq!(nearest("a", ["b"]), None, "nothing of the name would be left");
    assert_eq!(nearest("ab", ["a", "zz"]), Some("a"));
}

#[test]
fn a_common_beginning_of_qualified_names_is_not_counted() {
    let types = ["shop.types.Customer", "shop.types.Shelf", "shop:Customer"];
    assert_eq!(nearest("shop.types.Custmoer", types), Some("shop.types.Customer"));
    assert_eq!(nearest("shop.type.Shelf", types), Some("shop.types.Shelf"));
    assert_eq!(nearest("shop.types.Window", types), None);
    assert_eq!(nearest("shop.types.", types), None);
    assert_eq!(nearest("ä.x", ["ö.x", "ä.y"]), Some("ö.x"), "the last letter of `ä.y` is all of it");
}

#[test]
fn case_and_dashes_come_before_distance() {
    assert_eq!(nearest("Line-Items", ["Line-Item", "line_items"]), Some("line_items"));
    assert_eq!(nearest("A", ["a", "B"]), Some("a"));
    assert_eq!(nearest("ÄRGER", ["ärger"]), Some("ärger"));
    let long = "x".repeat(LONGEST * 2);
    assert_eq!(nearest(&long, [long.to_uppercase().as_str()]), Some(long.to_uppercase().as_str()));
    assert_eq!(nearest(&long, [long[1..].as_ref()]), None);
}

#[test]
fn ties_are_resolved_by_the_alphabet() {
    assert_eq!(nearest("port", ["sort", "pork", "fort"]), Some("fort"));
    assert_eq!(nearest("port", ["fort", "pork", "sort"]), Some("fort"));
    assert_eq!(nearest("Port", ["pOrt", "port", "PORT"]), Some("port"), "the smallest difference of case");
}

#[test]
fn the_name_itself_is_not_suggested() {
    assert_eq!(nearest("type", ["type"]), None);
    assert_eq!(nearest("type", ["type", "types"]), Some("types"));
}

#[test]
fn help_names_the_nearest_or_the_few() {
    let suggestions = Suggestions::new(100);
    let help = |name, candidates: &[&str]| suggestions.help(name, candidates, "there are");
    assert_eq!(help("tpye", &["name", "type"]).unwrap().text(), "did you mean `type`?");
    assert_eq!(help("x", &["type"]).unwrap().text(), "there are `type`");
    assert_eq!(help("x", &["type", "name", "type"]).unwrap().text(), "there are `type` and `name`");
    assert_eq!(help("x", &["long", "name", "type"]).unwrap().text(), "there are `long`, `name` and `type`");
    assert_eq!(help("x", &[]), None);
    let many: Vec<String> = (10..30).map(|number| format!("name{number}")).collect();
    assert_eq!(suggestions.help("x", &many, "there are"), None);
    assert_eq!(suggestions.search("nmae12", &many, "").0.unwrap(), "name12");
}

proptest! {
    #[test]
    fn the_bound_never_exceeds_the_distance(one in "[abcäÄ_-]{0,8}", other in "[abcäÄ_-]{0,8}") {
        let bound = Shape::of(&one).distance_at_least(&Shape::of(&other));
        prop_assert!(bound <= strsim::osa_distance(&one, &other));
    }

    #[test]
    fn shared_ends_do_not_change_the_distance(one in "[abä]{0,8}", other in "[abä]{0,8}", end in "[abä]{0,4}") {
        let (one, other) = (format!("{end}{one}{end}"), format!("{end}{other}{end}"));
        if let Some(parts) = compared(&one, &other) {
            prop_assert_eq!(strsim::osa_distance(parts.name, parts.candidate), strsim::osa_distance(&one, &other));
        }
    }

    #[test]
    fn the_order_of_candidates_does_not_matter(
        name in "[abAB_-]{0,6}",
        mut candidates in proptest::collection::vec("[abAB_-]{0,6}", 0..6),
    ) {
        let forwards = nearest(&name, candidates.iter().map(String::as_str)).map(str::to_owned);
        candidates.reverse();
        let backwards = nearest(&name, candidates.iter().map(String::as_str)).map(str::to_owned);
        prop_assert_eq!(&forwards, &backwards);
        prop_assert_ne!(forwards, Some(name));
    }
}

#[test]
fn budget_is_used_up() {
    let suggestions = Suggestions::new(3);
    assert_eq!(suggestions.nearest("tpye", ["name", "type"]), Some("type"));
    assert!(!suggestions.is_spent());
    // The budget is sufficient only for the first candidate.
    assert_eq!(suggestions.nearest("tpye", ["name", "type"]), None);
    assert!(suggestions.is_spent());
    let never = std::iter::once_with(|| -> &str { panic!("nobody looks at this") });
    assert_eq!(suggestions.help("tpye", never, "there are"), None);
}

#[test]
fn long_names_take_more_of_the_budget() {
    let spent = |name: &str, candidate: &str| {
        let suggestions = Suggestions::new(1000);
        assert_eq!(suggestions.nearest(name, [candidate]), Some(candidate));
        suggestions.spent()
    };
    assert_eq!(spent("tpye", "type"), 1);
    let [long, longer] = ["é".repeat(64), "é".repeat(120)];
    assert_eq!(spent(&format!("{long}a"), &format!("{long}b")), 3);
    assert_eq!(spent(&format!("{longer}a"), &format!("{longer}b")), 4);
}

#[test]
fn names_may_differ_in_case_after_a_shared_beginning() {
    assert_eq!(nearest("été-É", ["été_é", "été-x"]), Some("été_é"));
}
