#![allow(clippy::unwrap_used)]

use std::path::Path;

use super::*;
use crate::diagnostic::ExampleKind;

#[test]
fn codes_and_names_are_consistent() {
    assert_eq!(generic::check(&ALL), [""; 0]);
    for list in [generic::ALL, table::ALL] {
        assert!(list.windows(2).all(|pair| pair[0].code < pair[1].code));
    }
    for RuleDocs { rule, .. } in ALL.iter() {
        // `T`: problems that the phases find in any language, and problems of TOSCA; `M`: MuranoPL; `Y`: evaluation of
        // Yay; `H`: Heat templates; `C`: Cloudify; `X`: test files.
        assert!(rule.code.starts_with(['T', 'M', 'Y', 'H', 'C', 'X']), "{}", rule.code);
        assert!((b'1'..=b'8').contains(&rule.code.as_bytes()[1]), "{}: no such phase", rule.code);
    }
}

#[test]
fn every_text_belongs_to_a_rule() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let code = path.file_stem().and_then(|stem| stem.to_str()).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            let of_engine = generic::find(generic::EXPLAINED, code).map(|known| format!("{}\n", known.text));
            let expected = of_engine.unwrap_or_default() + &text;
            assert_eq!(find(code).map(|known| &*known.text), Some(&*expected), "{code}");
        }
    }
}

#[test]
fn rules_with_a_wrong_example_have_a_right_one() {
    for explained in ALL.iter() {
        let examples = explained.examples();
        let shows = |verdict| examples.iter().any(|example| example.verdict == verdict);
        assert_eq!(shows(ExampleKind::Wrong), shows(ExampleKind::Right), "{}", explained.rule.code);
    }
}

#[test]
fn the_page_in_the_repository_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules.md");
    if std::env::var_os("UPDATE_DOCS").is_some_and(|value| value == "1") {
        std::fs::write(&path, page()).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page(), "docs/rules.md is out of date; run the tests with UPDATE_DOCS=1 and commit it");
}

#[test]
fn every_rule_is_in_a_table_and_has_a_section() {
    let page = page();
    for RuleDocs { rule, .. } in ALL.iter() {
        let section = format!("\n## {} {}\n", rule.code, rule.name);
        let row = format!("| [{}](#{}-{}) |", rule.code, rule.code.to_lowercase(), rule.name);
        assert_eq!((page.matches(&section).count(), page.matches(&row).count()), (1, 1), "{}", rule.code);
    }
}
