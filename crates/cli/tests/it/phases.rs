//! Stopping after a phase, showing its result, and timing it.

use insta::assert_snapshot;
use tosca_parse::Phase;

use super::*;

/// Returns a dump without the built-in files of the language.
fn dump(phase: Phase) -> String {
    let run = folder().run(&format!("valid.yaml --stop-after {phase} --dump"));
    assert_eq!((run.code, &*run.err), (0, ""), "{phase}");
    let is_own = |paragraph: &&str| !paragraph.lines().next().unwrap_or_default().contains("builtin:");
    let paragraphs =
        run.out.split("\n\n").filter(is_own).map(|paragraph| {
            paragraph.lines().filter(|line| !line.contains("builtin:")).collect::<Vec<_>>().join("\n")
        });
    paragraphs.filter(|paragraph| paragraph != "data type").collect::<Vec<_>>().join("\n\n")
}

#[test]
fn units_are_shown() {
    assert_snapshot!(dump(Phase::Read));
}

#[test]
fn name_spaces_are_shown() {
    assert_snapshot!(dump(Phase::Namespaces));
}

#[test]
fn hierarchies_are_shown_as_trees() {
    assert_snapshot!(dump(Phase::Hierarchies));
}

#[test]
fn tasks_and_completed_types_are_shown() {
    assert_snapshot!(dump(Phase::Inheritance));
}

#[test]
fn templates_of_1_x_are_shown_too() {
    let folder = Folder::new(&[("simple.yaml", SIMPLE), ("simple-types.yaml", SIMPLE_TYPES)]);
    let dump = |phase: Phase| {
        let run = folder.run(&format!("simple.yaml --stop-after {phase} --dump"));
        assert_eq!((run.code, &*run.err), (0, ""), "{phase}");
        run.out
    };
    let names = dump(Phase::Namespaces);
    // The many names of normative types are shown elsewhere.
    assert!(names.contains("tosca.nodes.Compute  ") && names.contains("tosca:Compute  "), "{names}");
    let own: Vec<&str> = names.split("\n\n").filter(|paragraph| !paragraph.starts_with("builtin:")).collect();
    assert_snapshot!(own.join("\n\n"));
    assert!(dump(Phase::Read).contains("simple.yaml (TOSCA 1.3"));
    assert!(dump(Phase::Hierarchies).contains("Shop"));
    assert!(dump(Phase::Inheritance).contains("Shop"));
}

const SIMPLE: &str = "\
tosca_definitions_version: tosca_simple_yaml_1_3
imports:
  - { file: simple-types.yaml, namespace_prefix: own }
node_types:
  Shop: { derived_from: tosca.nodes.WebApplication }
topology_template:
  inputs:
    port: { type: integer, default: 80 }
  node_templates:
    shop: { type: Shop }
    server: { type: 'own:Server' }
";

const SIMPLE_TYPES: &str = "\
tosca_definitions_version: tosca_simple_yaml_1_2
node_types:
  Server: { derived_from: Compute }
";

#[test]
fn the_rendered_service_is_shown() {
    let folder = folder();
    let expected = folder.run("valid.yaml --emit yaml").out;
    for arguments in ["valid.yaml --stop-after rendering --dump", "valid.yaml --dump"] {
        assert_eq!(folder.run(arguments).out, expected, "{arguments}");
    }
}

#[test]
fn dumps_are_the_same_for_any_number_of_threads() {
    let folder = folder();
    for phase in Phase::ALL {
        let run = |jobs: u8| folder.run(&format!("valid.yaml --stop-after {phase} --dump --jobs {jobs}")).out;
        assert_eq!(run(1), run(5), "{phase}");
    }
}

#[test]
fn later_phases_are_left_out() {
    let folder = folder();
    // Names are looked up in the second phase.
    for phase in Phase::ALL {
        let run = folder.run(&format!("invalid.yaml --stop-after {phase}"));
        assert_eq!(
            (run.code, run.out.contains("T2001")),
            (i32::from(phase > Phase::Read), phase > Phase::Read),
            "{phase}"
        );
    }
    // A dump of an invalid file is shown with its problems.
    let run = folder.run("invalid.yaml --stop-after namespaces --dump");
    assert!(run.code == 1 && run.out.contains("node template") && run.err.contains("T2001"), "{}", run.all());
}

#[test]
fn times_are_told_for_each_phase() {
    let folder = folder();
    for last in Phase::ALL {
        let run = folder.run(&format!("valid.yaml -v --stop-after {last}"));
        assert_eq!((run.code, &*run.out), (0, ""));
        let mut lines = run.err.lines();
        let title = lines.next().unwrap();
        assert!(title.starts_with("valid.yaml: ") && title.contains(" of text, "), "{title}");
        let phases: Vec<&str> = lines.clone().map(|line| line.split_whitespace().next().unwrap()).collect();
        let expected: Vec<&str> = Phase::ALL.iter().filter(|phase| **phase <= last).map(|phase| phase.name()).collect();
        assert_eq!(phases, expected);
        for line in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            assert!(words[1].parse::<f64>().unwrap() >= 0.0 && words[2] == "ms", "{line}");
        }
    }
    // Each file has separate times.
    let run = folder.run("--verbose --quiet valid.yaml doubtful.yaml");
    assert_eq!(run.err.lines().filter(|line| line.contains(" of text, ")).count(), 2);
}
