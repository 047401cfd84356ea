//! Baselines: known problems are not reported again.

use super::*;

const WRONG: &str = "\
tosca_definitions_version: tosca_2_0
service_template:
  node_templates:
    web: { type: Server }
    db: { type: Database }
";

/// Creates a folder with a baseline of two problems.
fn with_baseline() -> Folder {
    let folder = Folder::new(&[("a.yaml", WRONG)]);
    let run = folder.run("a.yaml --write-baseline");
    assert_eq!((run.code, &*run.err), (0, "2 problems written to tosca-parse-baseline.json\n"));
    assert_eq!(run.out, "");
    folder
}

const WITH: &str = "--baseline tosca-parse-baseline.json --format concise";

#[test]
fn what_is_known_is_not_reported_wherever_it_has_moved_to() {
    let folder = with_baseline();
    assert!(folder.run(&format!("a.yaml {WITH}")).is_quiet());
    folder.write("a.yaml", &WRONG.replace("service_template:", "# a note\ndescription: more\n\nservice_template:"));
    let run = folder.run(&format!("a.yaml {WITH}"));
    assert!(run.code == 0 && run.is_quiet(), "{}", run.all());
}

#[test]
fn what_is_new_is_reported() {
    let folder = with_baseline();
    folder.write("a.yaml", &format!("{WRONG}    cache: {{ type: Cache }}\n"));
    let run = folder.run(&format!("a.yaml {WITH}"));
    assert_eq!((run.code, &*run.out), (1, "a.yaml:6:20: error[T2001]: there is no node type `Cache`\n"));
    // Another occurrence at the same path.
    folder.write("b.yaml", "tosca_definitions_version: tosca_2_0\nnode_types: { A: { valid_target_types: [ B ] } }\n");
    folder.run("b.yaml --write-baseline=b.json");
    folder.write("b.yaml", "tosca_definitions_version: tosca_2_0\nnode_types: { A: { derived_from: B } }\n");
    assert_eq!(folder.run("b.yaml --baseline b.json").code, 1);
}

#[test]
fn what_is_settled_is_reported_and_removed() {
    let folder = with_baseline();
    folder.write("a.yaml", &WRONG.replace("    db: { type: Database }\n", ""));
    let run = folder.run(&format!("a.yaml {WITH}"));
    assert_eq!(run.code, 0);
    insta::assert_snapshot!(run.err);
    let run = folder.run(&format!("a.yaml {WITH} --prune-baseline"));
    assert_eq!((run.code, &*run.err), (0, "tosca-parse-baseline.json: 1 entry removed\n"));
    let text = std::fs::read_to_string(folder.path().join("tosca-parse-baseline.json")).unwrap();
    assert!(text.contains("/web/type") && !text.contains("/db/type"), "{text}");
    // Nothing is known about files that are not read.
    folder.write("b.yaml", WRONG);
    assert_eq!(folder.run(&format!("b.yaml {WITH}")).err, "");
    std::fs::remove_file(folder.path().join("a.yaml")).unwrap();
    assert!(folder.run(&format!("b.yaml {WITH}")).err.contains("a.yaml: T2001"));
}

#[test]
fn sources_that_files_share_count_once() {
    let service = "tosca_definitions_version: tosca_2_0\nimports: [ types.yaml ]\n";
    let types = "tosca_definitions_version: tosca_2_0\nnode_types: { A: { derived_from: B } }\n";
    let folder = Folder::new(&[("a.yaml", service), ("b.yaml", service), ("types.yaml", types)]);
    assert_eq!(folder.run("a.yaml b.yaml --write-baseline").err, "1 problem written to tosca-parse-baseline.json\n");
    let run = folder.run(&format!("a.yaml b.yaml types.yaml {WITH}"));
    assert!(run.code == 0 && run.out.is_empty(), "{}", run.all());
}

#[test]
fn a_configuration_names_the_baseline() {
    let folder = with_baseline();
    folder.write("tosca-parse.yaml", "baseline: tosca-parse-baseline.json\n");
    assert_eq!(folder.run("a.yaml").code, 0);
    assert_eq!(folder.run("a.yaml --no-config").code, 1);
    assert!(folder.run("config show a.yaml").out.contains("baseline: tosca-parse-baseline.json"));
    folder.write("tosca-parse-baseline.json", "[]");
    let run = folder.run("a.yaml");
    assert!(run.code == 2 && run.err.contains("can't be read"), "{}", run.err);
    let run = folder.run("a.yaml --baseline none.json");
    assert!(run.code == 2 && run.err.contains("--write-baseline=none.json"), "{}", run.err);
}
