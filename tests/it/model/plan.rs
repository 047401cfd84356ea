//! Plans: the order of deployment, the operations that are called, and the steps for a changed template.

use std::collections::BTreeMap;
use std::sync::Arc;

use insta::assert_snapshot;
use proptest::prelude::*;
use tosca_parse::normal::{Action, DifferenceKind, Map, Node, Options, Plan, Requirement, Service, Stage, Target};
use tosca_parse::{Entry, Parser, TOSCA};

const TYPES: &str = "tosca_definitions_version: tosca_2_0
interface_types:
  Standard: { operations: { create: {}, configure: {}, start: {}, stop: {}, delete: {} } }
  Configure:
    operations:
      pre_configure_source: {}
      pre_configure_target: {}
      post_configure_source: {}
      add_target: {}
      add_source: {}
      remove_target: {}
capability_types: { Host: {}, Endpoint: {} }
relationship_types:
  HostedOn: {}
  ConnectsTo:
    interfaces:
      configure:
        type: Configure
        operations:
          pre_configure_source: { implementation: connect.sh, inputs: { port: { type: integer, value: 5432 } } }
          pre_configure_target: open.sh
          add_source: { implementation: allow.sh }
          remove_target: forget.sh
node_types:
  Server:
    properties: { size: { type: string, default: small } }
    attributes: { address: { type: string } }
    capabilities: { host: Host }
    interfaces:
      standard: { type: Standard, operations: { create: boot.sh, delete: halt.sh } }
  Program:
    properties: { port: { type: integer, default: 80 } }
    capabilities: { endpoint: Endpoint }
    requirements:
    - host: { capability: Host, relationship: HostedOn }
    - database: { capability: Endpoint, relationship: ConnectsTo, count_range: [ 0, 1 ] }
    interfaces:
      standard:
        type: Standard
        inputs: { host: { type: string, default: { $get_attribute: [ SELF, RELATIONSHIP, host, TARGET, address ] } } }
        operations:
          create: { implementation: install.sh, inputs: { port: { type: integer, value: { $get_property: [ SELF, port ] } } } }
          configure: configure.sh
          start: start.sh
          stop: stop.sh
  Other: { derived_from: Program }
";

fn service(templates: &str) -> Service {
    service_at("service.yaml", templates)
}

fn service_at(file: &str, templates: &str) -> Service {
    let text = format!("{TYPES}service_template:\n  node_templates:\n{templates}");
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address(file).unwrap(), text));
    let errors: Vec<_> = outcome.diagnostics.iter().map(|problem| &problem.message).collect();
    assert!(outcome.is_valid(), "{errors:?}");
    let service = Service::with(&outcome.program, Options { positions: true, ..Options::default() }).unwrap();
    service.evaluate(&Map::new()).service
}

const SHOP: &str = "    shop: { type: Program, requirements: [ host: small, database: data ] }
    data: { type: Program, properties: { port: 5432 }, requirements: [ host: large ] }
    large: { type: Server, properties: { size: large } }
    small: { type: Server }
";

#[test]
fn plans_contain_calls_in_order() {
    assert_snapshot!(service(SHOP).plan().to_string());
}

#[test]
fn steps_for_a_changed_template() {
    let old = service(SHOP);
    let new = service(
        "    shop: { type: Program, properties: { port: 8080 }, requirements: [ host: small ] }
    data: { type: Program, properties: { port: 5432 }, requirements: [ host: huge ] }
    huge: { type: Server, properties: { size: huge } }
    small: { type: Server }
",
    );
    let plan = new.plan_from(&old);
    assert_snapshot!(plan.to_string());
    let actions: BTreeMap<&str, Action> =
        plan.deployment.iter().flat_map(|stage| &stage.steps).map(|step| (&*step.node, step.action)).collect();
    let expected = [("data", Action::Replace), ("huge", Action::Add), ("shop", Action::Change)];
    assert_eq!(actions, expected.into_iter().collect());
    let removed: Vec<&str> = names(&plan.removal).into_iter().flatten().collect();
    assert_eq!(removed, ["data", "large"]);
}

#[test]
fn nothing_changes_if_nothing_is_different() {
    let service = service(SHOP);
    let plan = service.plan_from(&service);
    assert!(plan.removal.is_empty() && plan.deployment.is_empty());
    assert_eq!(service.diff(&service), []);
    // Positions do not matter.
    let moved = self::service(&format!("\n\n{SHOP}"));
    assert_eq!(moved.diff(&service), []);
}

/// Two versions of a template are in different files, each with its own types.
#[test]
fn another_file_is_no_difference() {
    let old = service(SHOP);
    for file in ["service-2.yaml", "new/service.yaml"] {
        let new = service_at(file, SHOP);
        assert_eq!(new.diff(&old), [], "{file}");
        let plan = new.plan_from(&old);
        assert!(plan.removal.is_empty() && plan.deployment.is_empty(), "{file}: {plan}");
        let changed = service_at(file, &SHOP.replace("5432", "3306")).plan_from(&old);
        let actions: Vec<_> =
            changed.deployment.iter().flat_map(|stage| &stage.steps).map(|step| step.action).collect();
        assert_eq!(actions, [Action::Change], "{file}");
    }
    // Names of members of the model may also be names that authors choose.
    let named = "    value: { type: Server }\n    source: { type: Server }\n    metadata: { type: Server }\n";
    assert_eq!(service_at("new/service.yaml", named).diff(&service(named)), []);
    // Removed nodes are removed with the operations that they were deployed with.
    let removal = service_at("new/service.yaml", "    small: { type: Server }\n").plan_from(&old).removal;
    let called = removal.iter().flat_map(|stage| &stage.steps).flat_map(|step| &step.operations);
    let bases: Vec<_> = called.filter_map(|called| Some(&*called.implementation.primary.as_ref()?.base)).collect();
    assert!(!bases.is_empty() && bases.iter().all(|base| *base == "service.yaml"), "{bases:?}");
}

#[test]
fn differences_have_positions() {
    let differences = service(&SHOP.replace("5432", "3306")).diff(&service(SHOP));
    let [difference, input] = &differences[..] else { panic!("{differences:#?}") };
    assert_eq!(input.at, "/nodes/data/interfaces/standard/operations/create/inputs/port/value");
    assert_eq!((&*difference.at, difference.kind), ("/nodes/data/properties/port/value", DifferenceKind::Changed));
    assert_eq!((&difference.old, &difference.new), (&Some(5432.into()), &Some(3306.into())));
    let line = TYPES.lines().count() as u32 + 4;
    assert_eq!(difference.old_source.as_ref().unwrap().line, line);
    assert_eq!(difference.new_source.as_ref().unwrap().line, line);
}

/// A node is replaced if its host is replaced.
#[test]
fn nodes_on_a_replaced_host_are_replaced() {
    let new = service(&SHOP.replace("large: { type: Server", "large: { type: Server, directives: [ select ]"));
    let plan = new.plan_from(&service(SHOP));
    let replaced = plan.deployment.iter().flat_map(|stage| &stage.steps).filter(|step| step.action == Action::Replace);
    assert_eq!(replaced.map(|step| &*step.node).collect::<Vec<_>>(), ["large", "data"]);
}

#[test]
fn plans_can_be_written_and_read() {
    let plan = service(SHOP).plan();
    let json = serde_json::to_string(&plan).unwrap();
    assert_eq!(serde_json::from_str::<Plan>(&json).unwrap(), plan);
}

fn names(stages: &[Stage]) -> Vec<Vec<&str>> {
    stages.iter().map(|stage| stage.steps.iter().map(|step| &*step.node).collect()).collect()
}

/// Returns a service of nodes with the given dependencies.
fn linked(needs: &[Vec<usize>]) -> Service {
    let requirement = |target: &usize| {
        let mut requirement = Requirement::default();
        let mut reached = Target::default();
        reached.node = format!("n{target}").into();
        requirement.name = "needs".into();
        requirement.target = Some(reached);
        requirement
    };
    let mut service = Service::default();
    service.language = "TOSCA 2.0".into();
    for (number, needed) in needs.iter().enumerate() {
        let mut node = Node::default();
        node.requirements = needed.iter().map(requirement).collect();
        service.nodes.insert(format!("n{number}").into(), node);
    }
    service
}

/// Returns the index of the stage of each node.
fn levels(stages: &[Stage]) -> BTreeMap<String, usize> {
    let numbered = names(stages).into_iter().enumerate();
    numbered.flat_map(|(level, names)| names.into_iter().map(move |name| (name.to_owned(), level))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Checks that dependencies come first, and that no stage could be omitted: each node of a stage except the first
    /// needs one of the previous stage.
    #[test]
    fn stages_are_in_order_and_minimal(
        links in prop::collection::vec((0_usize..60, 0_usize..60), 0..200),
        upwards in any::<bool>(),
    ) {
        let mut needs = vec![Vec::new(); 60];
        // Without links that lead back, there are no loops.
        links.iter().filter(|(a, b)| a != b).for_each(|(a, b)| {
            let (node, needed) = if upwards { (a.max(b), a.min(b)) } else { (a.min(b), a.max(b)) };
            needs[*node].push(*needed);
        });
        let plan = linked(&needs).plan();
        prop_assert!(plan.loops.is_empty());
        let (up, down) = (levels(&plan.deployment), levels(&plan.undeployment));
        prop_assert_eq!(up.len(), 60);
        prop_assert_eq!(down.len(), 60);
        for (node, needed) in needs.iter().enumerate() {
            let own = up[&format!("n{node}")];
            let before = needed.iter().map(|needed| up[&format!("n{needed}")] + 1).max().unwrap_or(0);
            prop_assert_eq!(own, before);
            for needed in needed {
                let (own, last) = (down[&format!("n{node}")], down[&format!("n{needed}")]);
                prop_assert!(own < last);
            }
        }
        prop_assert_eq!(plan.deployment.len(), plan.undeployment.len());
    }

    /// Checks that even with loops, every node is deployed, and that nodes that need each other are reported.
    #[test]
    fn loops_are_reported(links in prop::collection::vec((0_usize..20, 0_usize..20), 0..60)) {
        let mut needs = vec![Vec::new(); 20];
        links.iter().for_each(|(node, needed)| needs[*node].push(*needed));
        let plan = linked(&needs).plan();
        let level = levels(&plan.deployment);
        prop_assert_eq!(level.len(), 20);
        let is_looped = |a: usize, b: usize| {
            let holds = |names: &Vec<_>, node: usize| names.iter().any(|name: &Arc<str>| **name == *format!("n{node}"));
            plan.loops.iter().any(|names| holds(names, a) && holds(names, b))
        };
        for (node, needed) in links.iter().filter(|(a, b)| a != b) {
            let (own, before) = (level[&format!("n{node}")], level[&format!("n{needed}")]);
            prop_assert!(before < own || is_looped(*node, *needed));
        }
    }
}

/// Ten thousand nodes, in chains and next to each other.
#[test]
fn large_services_are_planned() {
    const NODES: usize = 10_000;
    let needs: Vec<Vec<usize>> =
        (0..NODES).map(|node| if node < 100 { Vec::new() } else { vec![node - 100, node % 100] }).collect();
    let service = linked(&needs);
    assert_eq!(service.plan().deployment.len(), NODES / 100);
    let chain = linked(&(0..NODES).map(|node| node.checked_sub(1).into_iter().collect()).collect::<Vec<_>>());
    assert_eq!(chain.plan().deployment.len(), NODES);
}

/// A node whose attributes are needed comes first, even if there is no relationship to it.
#[test]
fn nodes_wait_for_attributes() {
    let late = "    late:
      type: Program
      requirements: [ host: small ]
      interfaces: { standard: { inputs: { host: { $get_attribute: [ large, address ] } } } }
";
    let plan = service(&format!("{SHOP}{late}")).plan();
    let late = plan.deployment.iter().flat_map(|stage| &stage.steps).find(|step| &*step.node == "late").unwrap();
    assert_eq!(late.after.iter().map(|name| &**name).collect::<Vec<_>>(), ["large", "small"]);
}
