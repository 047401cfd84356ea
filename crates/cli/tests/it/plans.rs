//! Evaluated values, plans, and differences.

use super::*;

const OLD: (&str, &str) = (
    "old.yaml",
    "\
tosca_definitions_version: tosca_2_0
capability_types: { Host: {} }
relationship_types: { HostedOn: {} }
interface_types: { Standard: { operations: { create: {}, delete: {} } } }
node_types:
  Server: { capabilities: { host: Host } }
  Shop:
    properties: { url: { type: string }, password: { type: string, default: hush } }
    requirements: [ host: { capability: Host, relationship: HostedOn, count_range: [ 1, 1 ] } ]
    interfaces:
      standard:
        type: Standard
        operations:
          create:
            implementation: create.sh
            inputs: { password: { type: string, default: { $get_property: [ SELF, password ] } } }
service_template:
  inputs: { name: { type: string, default: shop } }
  node_templates:
    shop: { type: Shop, properties: { url: { $concat: [ 'http://', { $get_input: name } ] } } }
    server: { type: Server }
  outputs: { first: { value: { $token: [ { $get_property: [ shop, url ] }, ':', 0 ] } } }
",
);

fn folder() -> Folder {
    let new = OLD.1.replace("server: { type: Server }", "server: { type: Server, directives: [ select ] }");
    Folder::new(&[
        OLD,
        ("create.sh", ""),
        ("new.yaml", &new.replace("    shop:", "    other: { type: Server }\n    shop:")),
        TYPES,
        INVALID,
    ])
}

#[test]
fn values_are_computed_if_that_is_wanted() {
    let folder = folder();
    let value = |arguments: &str| {
        let run = folder.run(arguments);
        assert_eq!((run.code, &*run.err), (0, ""), "{arguments}");
        let model: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        model["nodes"]["shop"]["properties"]["url"]["value"].clone()
    };
    assert_eq!(value("old.yaml --emit json --evaluate"), "http://shop");
    assert_eq!(value("old.yaml --emit json --evaluate --input name=other"), "http://other");
    assert!(value("old.yaml --emit json")["$call"].is_object());
    assert_eq!(folder.run("old.yaml --evaluate").code, 2);
}

#[test]
fn what_cannot_be_computed_is_told_where_it_is_written() {
    let text = OLD.1.replace("':', 0", "':', 7");
    let folder = Folder::new(&[("wrong.yaml", &*text), ("create.sh", "")]);
    let run = folder.run("wrong.yaml --emit json --evaluate --format concise");
    assert_eq!((run.code, &*run.out), (1, ""));
    assert!(run.err.starts_with("wrong.yaml:22:14: error[T6101]: `token` has no result for"), "{}", run.err);
    assert_eq!(folder.run("wrong.yaml").code, 0);
}

#[test]
fn plans_are_written_in_all_forms() {
    let folder = folder();
    let text = folder.run("plan old.yaml").out;
    let shop = text.find("+ shop (Shop)").unwrap();
    // The requirement is open in the template and has been resolved.
    assert!(text.find("+ server (Server)").unwrap() < shop, "{text}");
    assert!(text.contains("standard.create: create.sh password=•••") && !text.contains("hush"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&folder.run("plan old.yaml --format json").out).unwrap();
    assert_eq!(json["deployment"][1]["steps"][0]["operations"][0]["inputs"]["password"], "hush");
    for (format, sign) in [("dot", "digraph"), ("mermaid", "flowchart"), ("svg", "<svg ")] {
        let run = folder.run(&["plan old.yaml --format ", format].concat());
        assert!(run.code == 0 && run.out.contains(sign) && run.out.contains("stage 2"), "{format}: {}", run.out);
        assert!(!run.out.contains("hush"), "{format} tells a secret");
    }
}

#[test]
fn what_a_changed_template_asks_for_is_written() {
    let folder = folder();
    let plan = folder.run("plan new.yaml --from old.yaml").out;
    for sign in ["+ other (Server)", "± server (Server) [select]", "± shop (Shop)", "Removal"] {
        assert!(plan.contains(sign), "{sign}: {plan}");
    }
    assert!(!plan.contains("Undeployment"), "{plan}");
    let diff = folder.run("diff old.yaml new.yaml").out;
    assert!(diff.lines().any(|line| line.starts_with("+ node `other`  (new.yaml:")), "{diff}");
    assert!(diff.lines().any(|line| line.starts_with("+ node `server`, directives: [\"select\"]")), "{diff}");
    assert!(folder.run("diff old.yaml old.yaml").is_quiet());
    folder.write("stack.yaml", "heat_template_version: 2018-08-31\nresources: { a: { type: OS::Heat::None } }\n");
    for (files, code) in
        [("old.yaml old.yaml", 0), ("old.yaml new.yaml", 1), ("old.yaml invalid.yaml", 2), ("old.yaml stack.yaml", 2)]
    {
        assert_eq!(folder.run(&format!("diff {files} --exit-code")).code, code, "{files}");
        let (old, new) = files.split_once(' ').unwrap();
        let plan = folder.run(&format!("plan {new} --from {old} --exit-code"));
        assert_eq!(plan.code, code, "{files}: {}", plan.err);
        let plain = folder.run(&format!("plan {new} --from {old}"));
        assert_eq!((plain.code, &plain.out), (i32::from(code == 2), &plan.out), "{files}");
    }
    assert_eq!(folder.run("plan old.yaml --exit-code").code, 2);
    let json: serde_json::Value =
        serde_json::from_str(&folder.run("diff old.yaml new.yaml --format json").out).unwrap();
    assert!(json.as_array().unwrap().iter().any(|difference| difference["at"] == "/nodes/other"));
    assert!(folder.run("diff old.yaml new.yaml --format mermaid").out.contains("± shop"));
}

#[test]
fn there_must_be_something_to_plan() {
    let folder = folder();
    let run = folder.run("plan types.yaml");
    assert_eq!((run.code, &*run.out), (1, ""));
    assert_eq!(run.err, "types.yaml has no service template, so there is nothing to plan\n");
    let run = folder.run("plan invalid.yaml");
    assert!(run.code == 1 && run.out.is_empty() && run.err.contains("T2001"), "{}", run.err);
    assert_eq!(folder.run("diff old.yaml").code, 2);
    assert_eq!(folder.run("plan old.yaml -o missing/plan.txt").code, 1);
}

#[test]
fn attributes_are_given_after_deployment() {
    let text = "\
tosca_definitions_version: tosca_2_0
node_types:
  Server:
    attributes: { address: { type: string }, port: { type: integer } }
service_template:
  node_templates: { server: { type: Server } }
  outputs:
    url: { value: { $concat: [ 'http://', { $get_attribute: [ server, address ] } ] } }
    port: { value: { $get_attribute: [ server, port ] } }
";
    let bomb = (1..30).fold("a0: &a0 { b: c }\n".to_owned(), |text, number| {
        format!("{text}a{number}: &a{number} {{ b: *a{0}, c: *a{0} }}\n", number - 1)
    });
    let folder = Folder::new(&[
        ("a.yaml", text),
        ("good.yaml", "server: { address: here }\n"),
        ("type.yaml", "server: { port: none }\n"),
        ("name.json", "{ \"server\": { \"adress\": \"here\" }, \"client\": { \"address\": \"here\" } }\n"),
        ("list.yaml", "- server\n"),
        ("twice.yaml", "server: { address: here }\nserver: { port: 1 }\n"),
        ("inner.yaml", "server: { address: here, address: there }\n"),
        ("bomb.yaml", &bomb),
    ]);
    let run = folder.run("a.yaml --emit json --evaluate --attributes good.yaml");
    let model: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(model["outputs"]["url"]["value"], "http://here", "{}", run.err);
    assert_eq!(model["nodes"]["server"]["attributes"]["address"]["value"], "here");
    // The other attribute is unknown.
    assert!(model["outputs"]["port"]["value"]["$call"].is_object(), "{}", run.out);
    let run = folder.run("a.yaml --emit json --evaluate --attributes type.yaml");
    assert!(run.code == 1 && run.err.contains("write an integer"), "{}", run.err);
    let run = folder.run("a.yaml --emit json --evaluate --attributes name.json");
    assert!(run.code == 1 && run.err.contains("no attribute `adress`"), "{}", run.err);
    assert!(run.err.contains("no node template `client`"), "{}", run.err);
    assert_eq!(folder.run("a.yaml --evaluate --attributes list.yaml").code, 2);
    for (file, place, key) in [("twice.yaml", "2:1", "server"), ("inner.yaml", "1:26", "address")] {
        let run = folder.run(&format!("a.yaml --emit json --evaluate --attributes {file}"));
        assert!(run.code == 2 && run.err.contains(&format!("{file}:{place}: ")), "{}", run.err);
        assert!(run.err.contains(&format!("key `{key}`")), "{}", run.err);
    }
    let run = folder.run("a.yaml --evaluate --attributes bomb.yaml");
    assert!(run.code == 2 && run.err.contains("aliases"), "{}", run.err);
}
