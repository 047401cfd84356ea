//! Tests of the example programs. Their code is compiled into this test, so that the tested code is what readers copy.

use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use tosca_parse::normal::Service;
use tosca_parse::{Parser, TOSCA};

#[path = "../../examples/custom_provider.rs"]
#[allow(dead_code, reason = "`main` is not run here")]
mod custom_provider;
#[path = "../../examples/read_model.rs"]
#[allow(dead_code, reason = "`main` is not run here")]
mod read_model;
#[cfg(feature = "yay")]
#[path = "../../examples/read_yay.rs"]
#[allow(dead_code, reason = "`main` is not run here")]
mod read_yay;
#[path = "../../examples/validate_many.rs"]
#[allow(dead_code, reason = "`main` is not run here")]
mod validate_many;

/// Returns the folder with the service templates of the examples.
fn templates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/templates")
}

#[test]
fn all_templates_of_a_folder_are_validated() {
    assert_snapshot!(validate_many::report(&templates()).unwrap());
}

#[test]
fn problems_are_reported_for_each_file() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..300 {
        let node_type = if number % 100 == 7 { "Sever" } else { "Server" };
        let text = format!(
            "tosca_definitions_version: tosca_2_0\nimports: [ lib/types.yaml ]\n\
             service_template: {{ node_templates: {{ web: {{ type: {node_type} }} }} }}\n"
        );
        std::fs::write(folder.path().join(format!("{number:03}.yaml")), text).unwrap();
    }
    std::fs::create_dir(folder.path().join("lib")).unwrap();
    let types = "tosca_definitions_version: tosca_2_0\nnode_types: { Server: {} }\n";
    std::fs::write(folder.path().join("lib/types.yaml"), types).unwrap();
    let report = validate_many::report(folder.path()).unwrap();
    assert_eq!(report.lines().filter(|line| line.ends_with(": valid")).count(), 297);
    let others: Vec<&str> = report.lines().filter(|line| !line.ends_with(": valid")).collect();
    assert_snapshot!(others.join("\n"));
}

#[test]
fn templates_are_provided_by_the_program() {
    assert_snapshot!(custom_provider::report(custom_provider::Registry::new()).unwrap());
}

#[test]
fn a_model_is_traversed() {
    let parser = Parser::builder(&TOSCA).directory(templates()).build().unwrap();
    let outcome = parser.parse("shop.yaml").unwrap();
    assert!(outcome.is_valid());
    assert_snapshot!(read_model::describe(&Service::of(&outcome.program).unwrap()).unwrap());
}

#[cfg(feature = "yay")]
#[test]
fn a_configuration_in_yay_is_read() {
    let layer = |name: &str| format!("{}/examples/yay/{name}", env!("CARGO_MANIFEST_DIR"));
    assert_snapshot!(read_yay::describe(&read_yay::read(&[layer("site.yay"), layer("production.yay")])).unwrap());
}

/// A mistake in the definition of every server shows the line, the macro call, and the include.
#[cfg(feature = "yay")]
#[test]
fn a_cluster_in_yay_is_created_by_a_loop() {
    use std::sync::Arc;
    use tosca_parse::diagnostic::render::Terminal;
    use tosca_parse::yay::host::{Yay, inputs};

    let folder = tempfile::tempdir().unwrap();
    for file in ["cluster.yay", "server.yay"] {
        let text = std::fs::read_to_string(templates().join("../yay").join(file)).unwrap();
        std::fs::write(folder.path().join(file), text).unwrap();
    }
    let run = |size: &str| {
        let syntax = inputs(size).into_iter().fold(Yay::default(), |syntax, (name, value)| syntax.input(name, value));
        let parser = Parser::builder(&TOSCA).syntax(Arc::new(syntax)).directory(folder.path()).build().unwrap();
        parser.parse("cluster.yay").unwrap()
    };
    for (size, count) in [("", 3), ("size: 50", 50)] {
        let outcome = run(size);
        assert!(outcome.is_valid(), "{}", Terminal::new(&outcome.diagnostics, &outcome.sources));
        assert_eq!(Service::of(&outcome.program).unwrap().nodes.len(), count);
    }
    let text = std::fs::read_to_string(folder.path().join("server.yay")).unwrap();
    std::fs::write(folder.path().join("server.yay"), text.replace("set base = 8000", "set base = \"port \"")).unwrap();
    let outcome = run("size: 50");
    assert_snapshot!(Terminal::new(&outcome.diagnostics, &outcome.sources).to_string());
}
