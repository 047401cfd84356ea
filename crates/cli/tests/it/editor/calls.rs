//! Call hierarchies, and names of interfaces.

use serde_json::{Value, json};

use super::asks::{at, renamed};
use super::client::{Editor, modern, range};

const TYPES: &str = "tosca_definitions_version: tosca_2_0
interface_types:
  Manage: { operations: { create: {}, check: {} } }
node_types:
  Base: { interfaces: { Life: { type: Manage, operations: { create: a.sh } } } }
  Server: { derived_from: Base, interfaces: { Life: { operations: { create: b.sh } } } }
";

const SERVICE: &str = "tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  node_templates:
    web: { type: Server, interfaces: { Life: { operations: { create: c.sh } } } }
  workflows:
    deploy:
      steps:
        first:
          target: web
          activities: [ call_operation: Life.create, inline: check ]
        second:
          target: web
          activities: [ call_operation: 'Life.create' ]
    check:
      steps:
        only: { target: web, activities: [ call_operation: { operation: Life.check } ] }
";

fn editor() -> Editor {
    let mut editor = Editor::new(&modern());
    editor.open("types.yaml", TYPES);
    editor.open("service.yaml", SERVICE);
    editor
}

/// Returns the item at the nth occurrence of a word.
fn item(editor: &mut Editor, (file, text): (&str, &str), word: &str, number: usize) -> Value {
    let params = at(editor, file, text, word, number);
    editor.ask("textDocument/prepareCallHierarchy", params)[0].clone()
}

/// Returns the calls to or from an item: the other item, and the ranges of the calls.
fn calls(editor: &mut Editor, direction: &str, item: &Value) -> Vec<String> {
    let answer = editor.ask(&format!("callHierarchy/{direction}Calls"), json!({ "item": item }));
    let other = if direction == "incoming" { "from" } else { "to" };
    let calls = answer.as_array().into_iter().flatten().map(|call| {
        let ranges: Vec<String> = call["fromRanges"].as_array().unwrap().iter().map(range).collect();
        format!(
            "{} ({}) {}",
            call[other]["name"].as_str().unwrap(),
            call[other]["detail"].as_str().unwrap(),
            ranges.join(" ")
        )
    });
    calls.collect()
}

#[test]
fn workflows_call_operations_and_workflows() {
    let mut editor = editor();
    let deploy = item(&mut editor, ("service.yaml", SERVICE), "deploy", 0);
    assert_eq!(deploy["detail"], "workflow");
    let create = "create (operation definition of Server.Life) 10:40-10:51 13:40-13:53";
    assert_eq!(calls(&mut editor, "outgoing", &deploy), [create, "check (workflow) 10:61-10:66"]);
    assert_eq!(calls(&mut editor, "incoming", &deploy), [""; 0]);
    let check = item(&mut editor, ("service.yaml", SERVICE), "check:", 0);
    assert_eq!(calls(&mut editor, "incoming", &check), ["deploy (workflow) 10:61-10:66"]);
    // The operation is that of the template, of its type, and of the parent of the type.
    let caller = ["deploy (workflow) 10:45-10:51 13:46-13:52"];
    for (file, text, number) in [("service.yaml", SERVICE, 0), ("types.yaml", TYPES, 2), ("types.yaml", TYPES, 1)] {
        let create = item(&mut editor, (file, text), "create", number);
        assert_eq!(calls(&mut editor, "incoming", &create), caller, "{file} {number}");
        assert_eq!(calls(&mut editor, "outgoing", &create), [""; 0]);
    }
    // The item is found after a change, unless it is gone.
    editor.replace("service.yaml", &SERVICE.replace("  workflows:", "\n  workflows:"));
    assert_eq!(calls(&mut editor, "incoming", &check), ["deploy (workflow) 11:61-11:66"]);
    editor.replace("service.yaml", &SERVICE.replace("    check:", "    test:"));
    assert_eq!(calls(&mut editor, "incoming", &check), [""; 0]);
    // Names of other entities are not called, and broken text has the calls that can be read.
    assert!(item(&mut editor, ("service.yaml", SERVICE), "web", 0).is_null());
    editor.replace("service.yaml", &SERVICE.replace("    check:", "    check: [\n    x:"));
    assert!(!calls(&mut editor, "outgoing", &deploy).is_empty());
}

#[test]
fn interfaces_are_renamed_in_names_of_operations() {
    let mut editor = editor();
    // In the types, two definitions; in the service, the assignment and three calls.
    for (file, text, number) in [
        ("types.yaml", TYPES, 0),
        ("types.yaml", TYPES, 1),
        ("service.yaml", SERVICE, 0),
        ("service.yaml", SERVICE, 1),
        ("service.yaml", SERVICE, 2),
    ] {
        let edits = renamed(&mut editor, (file, text), ("Life", number), "Cycle");
        assert_eq!(edits, "service.yaml 4, types.yaml 2", "{file} {number}");
    }
    let edits = renamed(&mut editor, ("service.yaml", SERVICE), ("create,", 0), "make");
    assert_eq!(edits, "service.yaml 3, types.yaml 3");
    // An unknown operation of the interface does not hide the interface.
    let text = SERVICE.replace("Life.check", "Life.other");
    editor.replace("service.yaml", &text);
    assert_eq!(renamed(&mut editor, ("types.yaml", TYPES), ("Life", 0), "Cycle"), "service.yaml 4, types.yaml 2");
    // The part before the dot can't be replaced if it is escaped.
    editor.replace("service.yaml", &SERVICE.replace("'Life.create'", "\"Lif\\u0065.create\""));
    let reason = renamed(&mut editor, ("types.yaml", TYPES), ("Life", 0), "Cycle");
    assert!(reason.contains("with escapes"), "{reason}");
}

#[test]
fn operations_of_groups_and_triggers_are_called() {
    let text = "tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
group_types: { Pair: {} }
policy_types: { Watch: {} }
service_template:
  node_templates:
    web: { type: Server }
    other: { type: Base }
  groups: { both: { type: Pair, members: [ web, other ] } }
  policies:
    - watch:
        type: Watch
        targets: [ both ]
        triggers: { fail: { event: failed, action: [ call_operation: Life.check ] } }
  workflows:
    deploy: { steps: { first: { target: both, activities: [ call_operation: Life.check ] } } }
";
    let mut editor = Editor::new(&modern());
    editor.open("types.yaml", TYPES);
    editor.open("service.yaml", text);
    assert_eq!(renamed(&mut editor, ("types.yaml", TYPES), ("check", 0), "test"), "service.yaml 2, types.yaml 1");
    assert_eq!(renamed(&mut editor, ("types.yaml", TYPES), ("Life", 0), "Cycle"), "service.yaml 2, types.yaml 2");
    let check = item(&mut editor, ("types.yaml", TYPES), "check", 0);
    let callers = ["fail (trigger of watch) 13:74-13:79", "deploy (workflow) 15:81-15:86"];
    assert_eq!(calls(&mut editor, "incoming", &check), callers);
    assert_eq!(editor.complete("service.yaml", 15, 81), ["Life.create", "Life.check"]);
}

#[test]
fn outputs_of_operations_name_interfaces() {
    let text = "tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  Server:
    derived_from: tosca.nodes.Root
    interfaces: { Life: { type: tosca.interfaces.node.lifecycle.Standard, operations: { start: a.sh } } }
topology_template:
  node_templates:
    web: { type: Server }
  outputs:
    id: { value: { get_operation_output: [ web, Life, start, id ] } }
";
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", text);
    assert_eq!(renamed(&mut editor, ("a.yaml", text), ("Life", 0), "Cycle"), "a.yaml 2");
    assert_eq!(editor.complete("a.yaml", 9, 49), ["Life"]);
}
