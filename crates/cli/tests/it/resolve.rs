//! `tosca-parse resolve`.

use insta::assert_snapshot;
use tosca_parse::normal::Service;

use super::*;

const TYPES: &str = "
tosca_definitions_version: tosca_2_0
capability_types: { Host: {} }
relationship_types: { HostedOn: {} }
node_types:
  Server: { capabilities: { host: Host } }
  Shop: { requirements: [ host: { capability: Host, relationship: HostedOn, count_range: [ 1, 1 ] } ] }
service_template:
  node_templates:
    shop: { type: Shop }
";

fn folder_with(nodes: &str) -> Folder {
    let folder = folder();
    folder.write("service.yaml", &[TYPES.trim_start(), nodes].concat());
    folder
}

#[test]
fn what_is_connected_is_shown() {
    let run = folder_with("    server: { type: Server }\n").run("resolve service.yaml");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert_snapshot!(run.out);
}

#[test]
fn what_is_ambiguous_is_shown_and_reported() {
    let run = folder_with("    one: { type: Server }\n    two: { type: Server }\n").run("resolve service.yaml");
    assert_eq!(run.code, 0);
    assert_snapshot!(format!("{}\n{}", run.out, run.err));
}

#[test]
fn what_is_impossible_is_shown_and_is_an_error() {
    let folder = folder_with("");
    let run = folder.run("resolve service.yaml");
    assert_eq!(run.code, 1);
    assert_snapshot!(format!("{}\n{}", run.out, run.err));
    let run = folder.run("resolve service.yaml --emit json");
    assert_eq!((run.code, &*run.out), (1, ""));
    assert_eq!(folder.run("resolve --allow unfulfilled-requirement service.yaml").code, 0);
    assert_eq!(folder.run("service.yaml").code, 0);
}

#[test]
fn models_are_written_resolved() {
    let folder = folder_with("    server: { type: Server }\n");
    let target = |arguments: &str| {
        let run = folder.run(arguments);
        assert_eq!((run.code, &*run.err), (0, ""), "{arguments}");
        let service: Service = serde_yaml::from_str(&run.out).unwrap();
        let requirement = &service.nodes["shop"].requirements[0];
        requirement.target.as_ref().map(|target| format!("{}.{}", target.node, target.capability.as_deref().unwrap()))
    };
    assert_eq!(target("service.yaml --emit json"), None);
    assert_eq!(target("resolve service.yaml --emit json"), Some("server.host".to_owned()));
    assert_eq!(target("resolve service.yaml --emit yaml"), Some("server.host".to_owned()));
}

#[test]
fn nothing_open_is_said_so() {
    let folder = folder_with("    server: { type: Server }\n");
    let text = std::fs::read_to_string(folder.path().join("service.yaml")).unwrap();
    folder.write("service.yaml", &text.replace("{ type: Shop }", "{ type: Shop, requirements: [ host: server ] }"));
    let run = folder.run("resolve service.yaml");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert!(run.out.contains("name the nodes"), "{}", run.out);
}

#[test]
fn all_phases_are_needed() {
    let run = folder().run("resolve valid.yaml --dump");
    assert_eq!((run.code, &*run.out), (2, ""));
    assert!(run.err.contains("neither"), "{}", run.err);
}

#[test]
fn nothing_is_praised_beside_errors() {
    let wrong = "tosca_definitions_version: tosca_2_0
capability_types: { C: {} }
relationship_types: { R: {} }
node_types:
  S: { capabilities: { c: C } }
  N: { properties: { p: { type: integer } }, requirements: [ { r: { capability: C, relationship: R } } ] }
service_template:
  node_templates:
    a: { type: N, properties: { p: x } }
    b: { type: S }
";
    let folder = Folder::new(&[("wrong.yaml", wrong), ("right.yaml", &wrong.replace("p: x", "p: 1"))]);
    let run = folder.run("resolve wrong.yaml");
    assert!(run.code == 1 && run.out.contains("T5101") && !run.all().contains("All requirements"), "{}", run.all());
    let run = folder.run("resolve right.yaml");
    assert!(run.code == 0 && run.all().contains("All requirements"), "{}", run.all());
}
