//! Diagrams.

use std::fmt::Write as _;

use insta::assert_snapshot;

use super::languages::BLUEPRINT;
use super::*;

/// A service with everything that a diagram can show.
const TOPOLOGY: (&str, &str) = (
    "topology.yaml",
    "\
tosca_definitions_version: tosca_2_0
capability_types:
  Host: {}
  Endpoint: { properties: { port: { type: integer, required: false } } }
relationship_types: { RunsOn: {}, TalksTo: {} }
group_types: { Zone: {} }
node_types:
  Server:
    properties: { size: { type: string, default: small } }
    capabilities: { host: Host }
  Program:
    properties:
      title: { type: string, required: false }
      password: { type: string, required: false }
    capabilities: { endpoint: Endpoint }
    requirements:
    - host: { capability: Host, relationship: RunsOn, count_range: [ 1, 1 ] }
    - peer: { capability: Endpoint, relationship: TalksTo, count_range: [ 0, UNBOUNDED ] }
service_template:
  node_templates:
    front:
      type: Program
      properties: { title: \"<&> \\\"all\\\" #1\", password: secret }
      capabilities: { endpoint: { properties: { port: 80 } } }
      requirements: [ host: big, peer: back, peer: back, peer: other ]
    back:
      type: Program
      count: 3
      requirements: [ host: { node: Server }, peer: front ]
    other: { type: Program, directives: [ select ] }
    big: { type: Server, properties: { size: large } }
    spare: { type: Server }
    rusty: { type: Server }
  groups:
    inside: { type: Zone, members: [ back, big ] }
    outside: { type: Zone, members: [ front, big ] }
",
);

fn topology() -> Folder {
    Folder::new(&[TOPOLOGY, VALID, TYPES, INVALID])
}

#[test]
fn diagrams_have_three_formats() {
    let folder = topology();
    for format in ["svg", "dot", "mermaid"] {
        let run = folder.run(&["graph topology.yaml --format ", format].concat());
        assert_eq!((run.code, &*run.err), (0, ""), "{format}");
        assert_snapshot!(format!("picture.{format}"), run.out);
        assert!(!run.out.contains("secret"), "{format} tells a secret");
        assert_eq!(folder.run(&["graph topology.yaml --format ", format].concat()).out, run.out);
    }
    assert_eq!(folder.run("graph topology.yaml").out, folder.run("graph --format svg topology.yaml").out);
    let run = folder.run("graph topology.yaml -o made.svg");
    assert!(run.code == 0 && run.is_quiet());
    let made = std::fs::read_to_string(folder.path().join("made.svg")).unwrap();
    assert_eq!(made, folder.run("graph topology.yaml").out);
    let none = folder.run("graph topology.yaml --format mermaid --properties 0").out;
    assert!(!none.contains("title") && !none.contains("port"), "{none}");
}

#[test]
fn much_becomes_little() {
    let folder = topology();
    let types = folder.run("graph topology.yaml --format mermaid --collapse types").out;
    let groups = folder.run("graph topology.yaml --format mermaid --collapse groups").out;
    let both = folder.run("graph topology.yaml --format mermaid --collapse groups,types").out;
    assert_snapshot!(format!("--- types ---\n{types}--- groups ---\n{groups}--- both ---\n{both}"));
}

#[test]
fn problems_keep_nobody_from_seeing_what_there_is() {
    let folder = topology();
    let run = folder.run("graph invalid.yaml --format mermaid");
    assert_eq!(run.code, 0);
    assert!(run.out.contains("<b>web</b>"), "{}", run.out);
    assert!(run.err.contains("T2001") && run.err.contains("not valid"), "{}", run.err);
    let run = folder.run("graph types.yaml");
    assert_eq!((run.code, &*run.out), (1, ""));
    assert_eq!(run.err, "types.yaml has no service template, so there is nothing to draw\n");
    let run = folder.run("graph topology.yaml -o missing/made.svg");
    assert_eq!((run.code, &*run.out), (1, ""));
    assert!(run.err.contains("missing/made.svg"), "{}", run.err);
    assert_eq!(folder.run("graph missing.yaml").code, 3);
    assert_eq!(folder.run("graph").code, 2);
    assert_eq!(folder.run("graph topology.yaml --collapse all").code, 2);
}

/// Returns a service with `nodes` nodes: programs on servers, connected to each other.
fn large(nodes: usize) -> String {
    let (head, _) = TOPOLOGY.1.split_once("service_template:").unwrap();
    let mut text = format!("{head}service_template:\n  node_templates:\n");
    let servers = nodes / 8;
    for index in 0..servers {
        writeln!(text, "    server_{index}: {{ type: Server, properties: {{ size: large }} }}").unwrap();
    }
    for index in servers..nodes {
        let host = index % servers;
        write!(text, "    program_{index}: {{ type: Program, requirements: [ host: server_{host}").unwrap();
        for other in [index * 7 / 11, index * 2 / 3].into_iter().filter(|other| *other >= servers && *other < index) {
            write!(text, ", peer: program_{other}").unwrap();
        }
        text.push_str(" ] }\n");
    }
    text.push_str("  groups:\n");
    for zone in 0..4 {
        let members: Vec<String> =
            (zone * servers / 4..(zone + 1) * servers / 4).map(|it| format!("server_{it}")).collect();
        writeln!(text, "    zone_{zone}: {{ type: Zone, members: [ {} ] }}", members.join(", ")).unwrap();
    }
    text
}

#[test]
fn large_services_are_drawn() {
    let folder = topology();
    folder.write("large.yaml", &large(200));
    let run = folder.run("graph large.yaml");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert_eq!(run.out.matches("class=\"name\"").count(), 200);

    folder.write("too-large.yaml", &large(1100));
    let run = folder.run("graph too-large.yaml");
    assert_eq!((run.code, &*run.out), (1, ""));
    assert!(run.err.contains("--collapse types"), "{}", run.err);
    let run = folder.run("graph too-large.yaml --collapse types");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert_eq!(folder.run("graph too-large.yaml --format dot").code, 0);
}

/// The diagrams in the documentation.
#[test]
fn shipped_pictures_are_up_to_date() {
    let root = root();
    for (name, arguments) in [("shop", ""), ("platform", ""), ("cluster", "--input image=worker:2")] {
        let run = drawn(&root.join("examples/templates"), &format!("{name}.yaml {arguments}"));
        assert_eq!(&*run.err, "", "{name}");
        assert_shipped(name, &run);
    }
}

/// Diagrams of examples of the technical committee, which are not part of the project. Two of them use missing profiles
/// and are drawn nevertheless.
#[test]
fn shipped_pictures_of_others_are_up_to_date() {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("skipped: TOSCA_PARSE_SHARED does not name the folder with the examples");
        return;
    };
    let examples = Path::new(&shared).join("conformance/oasis-examples");
    for (name, folder, file) in [
        ("online-boutique", "online_boutique", "main.yaml"),
        ("microservice", "substitutions/microservice", "main.yaml"),
        (
            "telephony-network",
            "1.3/turandot/telephony-network-service/telephony-network-service",
            "telephony-network-service.yaml",
        ),
    ] {
        assert_shipped(name, &drawn(&examples.join(folder), file));
    }
}

fn drawn(folder: &Path, arguments: &str) -> Run {
    let mut command = self::folder().command(&format!("graph {arguments}"));
    let run = Run::of(command.current_dir(folder));
    assert_eq!(run.code, 0, "{arguments}: {}", run.err);
    run
}

fn assert_shipped(name: &str, run: &Run) {
    let root = root();
    let page = std::fs::read_to_string(root.join("docs/diagrams.md")).unwrap();
    let path = root.join(format!("examples/pictures/{name}.svg"));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &run.out).unwrap();
    }
    let shipped = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(shipped == run.out, "{name}.svg is out of date: UPDATE_DOCS=1 cargo test renews it");
    assert!(page.contains(&format!("(../examples/pictures/{name}.svg)")), "docs/diagrams.md does not show {name}.svg");
}

#[test]
fn other_languages_are_drawn() {
    let stack = "\
heat_template_version: 2021-04-16
resources:
  first: { type: OS::Heat::RandomString, properties: { length: 4 } }
  second: { type: OS::Heat::Value, properties: { value: { get_attr: [ first, value ] } } }
";
    let folder = Folder::new(&[("stack.yaml", stack)]);
    let run = folder.run("graph stack.yaml --format mermaid");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("<b>first</b>") && run.out.contains("<b>second</b>"), "{}", run.out);
    assert!(run.out.contains("properties"), "{}", run.out);
    let folder = Folder::new(&[("blueprint.yaml", BLUEPRINT)]);
    let run = folder.run("graph blueprint.yaml --format mermaid");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("<b>web</b>") && run.out.contains("contained_in"), "{}", run.out);
}
