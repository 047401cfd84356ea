//! Hierarchies of types with several parents.

use tosca_parse::entity::AnyId;

use super::{check, check_in, find};
use kitchen::{KITCHEN, STUFFS, Stuff};

#[test]
fn a_type_is_derived_from_all_its_parents() {
    let outcome = check(
        "kitchen: 2
stuffs:
  Thing: {}
  Sweet: { like: [ Thing ] }
  Fruit: { like: [ Thing ] }
  Berry: { like: [ Sweet, Fruit ] }
  Jam: { like: [ Berry ] }
  Stone: {}
",
    );
    let id = |name| find::<Stuff>(&outcome, STUFFS, name).any();
    let program = &outcome.program;
    for base in ["Thing", "Sweet", "Fruit", "Berry", "Jam"] {
        assert!(program.is_a(id("Jam"), id(base)), "{base}");
        assert_eq!(program.is_a(id(base), id("Jam")), base == "Jam");
    }
    assert!(!program.is_a(id("Jam"), id("Stone")) && !program.may_be_a(id("Jam"), id("Stone")));
    assert!(!program.is_a(id("Sweet"), id("Fruit")));
    let lineage = program.lineage(id("Berry")).unwrap();
    assert_eq!(lineage.parents(), [id("Sweet"), id("Fruit")]);
    assert_eq!(lineage.root, id("Thing"));
    let ancestry: Vec<AnyId> = program.ancestry(id("Jam")).collect();
    assert_eq!(ancestry, [id("Jam"), id("Berry"), id("Sweet"), id("Thing")]);
}

#[test]
fn every_loop_is_reported_once_with_its_chain() {
    let outcome = check(
        "kitchen: 2
stuffs:
  A: { like: [ B, D ] }         # error[derivation-loop] stuff `A` is derived from itself: `A` → `B` → `A`
  B: { like: [ C, A ] }
  C: { like: [ B ] }            # error[derivation-loop] stuff `C` is derived from itself: `C` → `B` → `C`
  D: {}
  Self: { like: [ D, Self ] }   # error[derivation-loop] stuff `Self` is derived from itself
  Below: { like: [ D, C ] }
  Deep: { like: [ Below ] }
  Fine: { like: [ D ] }
",
    );
    let id = |name| find::<Stuff>(&outcome, STUFFS, name).any();
    let program = &outcome.program;
    assert_eq!(program.lineage(id("Deep")).unwrap().cycle, Some(id("C")));
    let sound = ["A", "B", "C", "D", "Self", "Below", "Deep", "Fine"].map(|name| program.is_acyclic(id(name)));
    assert_eq!(sound, [false, false, false, true, false, false, false, true]);
}

#[test]
fn what_is_derived_from_something_unknown_may_be_anything() {
    let outcome = check(
        "kitchen: 2
stuffs:
  Thing: {}
  Odd: { like: [ Thing, Unheard ] }     # error[unknown-name] there is no stuff `Unheard`
  Odder: { like: [ Odd ] }
  Plain: { like: [ Thing ] }
  Other: {}
",
    );
    let id = |name| find::<Stuff>(&outcome, STUFFS, name).any();
    let program = &outcome.program;
    assert!(program.is_a(id("Odder"), id("Thing")) && !program.is_a(id("Odder"), id("Other")));
    assert!(program.may_be_a(id("Odder"), id("Other")) && !program.may_be_a(id("Plain"), id("Other")));
    assert!(!program.is_known(id("Odder")) && program.is_acyclic(id("Odder")) && program.is_known(id("Plain")));
}

#[test]
fn hierarchies_go_through_imports() {
    let others = [
        ("a.yaml", "kitchen: 2\nimports: [ base.yaml ]\nstuffs: { A: { like: [ Base ] } }\n"),
        ("b.yaml", "kitchen: 2\nimports: [ base.yaml ]\nstuffs: { B: { like: [ Base ] } }\n"),
        ("base.yaml", "kitchen: 2\nstuffs: { Base: {} }\n"),
    ];
    let text = "kitchen: 2\nimports: [ a.yaml, b.yaml ]\nstuffs: { Both: { like: [ A, B ] } }\n";
    let outcome = check_in(&KITCHEN, text, &others);
    let id = |name| find::<Stuff>(&outcome, STUFFS, name).any();
    assert!(["A", "B", "Base"].iter().all(|base| outcome.program.is_a(id("Both"), id(base))));
    assert_eq!(outcome.program.list.len(), 4);
}
