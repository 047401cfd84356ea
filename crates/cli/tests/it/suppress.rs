//! Ignore comments.

use super::*;

/// Validates a file of types, and returns the reported problems by line and code.
fn found(text: &str) -> Vec<String> {
    let folder = Folder::new(&[("types.yaml", &format!("tosca_definitions_version: tosca_2_0\n{text}"))]);
    let run = folder.run("types.yaml --format concise");
    let lines = run.out.lines().map(|line| {
        let mut parts = line.split(':');
        let (line, code) = (parts.nth(1).unwrap(), line.split(['[', ']']).nth(1).unwrap());
        format!("{line} {code}")
    });
    lines.collect()
}

#[test]
fn problems_are_ignored_on_the_line_and_below() {
    let wrong = "node_types: { A: { derived_from: B } }";
    assert_eq!(found(wrong), ["2 T2001"]);
    assert_eq!(found(&format!("{wrong} # tosca-parse: ignore[T2001] later")), [""; 0]);
    assert_eq!(found(&format!("{wrong} # a note # tosca-parse: ignore[unknown-name]")), [""; 0]);
    assert_eq!(found(&format!("# tosca-parse: ignore[T2001, T1201]\n\n# a note\n{wrong}")), ["2 T1601"]);
    let two = "# tosca-parse: ignore[T2001]\n# tosca-parse: ignore[T5213]\n";
    assert_eq!(found(&format!("{two}{wrong}")), ["3 T1601"]);
    assert_eq!(found(&format!("{wrong}\n# tosca-parse: ignore[T2001]\n")), ["2 T2001", "3 T1601"]);
    // A block scalar contains no comments.
    let text = "description: |\n  # tosca-parse: ignore[T2001]\n";
    assert_eq!(found(&format!("{text}{wrong}")), ["4 T2001"]);
}

#[test]
fn problems_of_a_whole_file_are_ignored() {
    let text = "tosca_definitions_version: tosca_2_0\nnode_types: { A: { derived_from: B }, C: { derived_from: D } }\n";
    let folder = Folder::new(&[("types.yaml", &format!("# tosca-parse: file-ignore[T2001] a draft\n{text}"))]);
    let run = folder.run("types.yaml --format concise");
    assert!(run.code == 0 && run.is_quiet(), "{}", run.out);
    let late = "# tosca-parse: file-ignore[T2001]\nnode_types: { A: { derived_from: B } }";
    assert_eq!(found(late), ["2 T1602", "3 T2001"]);
}

#[test]
fn comments_that_are_not_understood_are_reported() {
    for text in ["ignore", "ignore[T9999]", "ignore T2001", "ignroe[T2001]", "", "ignore[]"] {
        assert_eq!(found(&format!("node_types: {{}} # tosca-parse: {text}")), ["2 T1602"], "{text}");
    }
    let folder =
        Folder::new(&[("a.yaml", "# tosca-parse: ignore[unkown-name]\ntosca_definitions_version: tosca_2_0\n")]);
    let run = folder.run("a.yaml");
    assert!(run.out.contains("did you mean `unknown-name` (T2001)?"), "{}", run.out);
    assert_eq!(folder.run("a.yaml --allow T1602 --fail-on warning").code, 0);
}

#[test]
fn comments_of_others_are_not_looked_at() {
    let folder = folder();
    folder.write("types.yaml", &format!("{} # tosca-parse: ignore[T2001]\n", TYPES.1.trim_end()));
    assert!(folder.run("valid.yaml --fail-on warning").code == 0);
    assert_eq!(folder.run("types.yaml --fail-on warning").code, 1);
    // If not all phases run, it is unknown whether the comment is unused.
    assert_eq!(folder.run("types.yaml --fail-on warning --stop-after read").code, 0);
}
