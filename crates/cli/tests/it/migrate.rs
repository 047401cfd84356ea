//! Migration of files to a later version.

use std::path::Path;

use super::*;

const SERVICE: &str = "\
tosca_definitions_version: tosca_simple_yaml_1_3   # for now
imports: [ lib/types.yaml ]
topology_template:
  node_templates:
    web: { type: Site, properties: { size: 4gb } }
";

const SITE: &str = "\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  Site:
    derived_from: tosca.nodes.Root
    properties:
      size: { type: scalar-unit.size }
      # How long it may take.
      wait: { type: scalar-unit.time, required: false, constraints: [ { less_than: 5 s } ] }
    interfaces:
      Standard:
        operations:
          create: { implementation: { primary: { file: a.sh, type: tosca.artifacts.File }, timeout: 5 } }
";

fn site() -> Folder {
    let folder = Folder::new(&[("service.yaml", SERVICE), ("lib/types.yaml", SITE), ("lib/a.sh", "")]);
    assert_eq!(folder.run("service.yaml").code, 0);
    folder
}

#[test]
fn what_is_imported_is_migrated_too() {
    let folder = site();
    let run = folder.run("migrate service.yaml --diff");
    assert_eq!(run.code, 1);
    insta::assert_snapshot!(run.all());
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!((read("service.yaml"), read("lib/types.yaml")), (SERVICE.to_owned(), SITE.to_owned()));
    let run = folder.run("migrate service.yaml --quiet");
    assert!(run.code == 0 && run.out.is_empty(), "{}", run.all());
    assert!(read("service.yaml").contains("size: 4 GB"), "{}", read("service.yaml"));
    let run = folder.run("service.yaml --fail-on warning");
    assert_eq!(run.code, 0, "{}", run.err);
    // A second migration changes nothing.
    let run = folder.run("migrate service.yaml --diff");
    assert!(run.code == 0 && run.is_quiet(), "{}", run.all());
}

#[test]
fn byte_order_mark_stays() {
    let folder = site();
    folder.write("service.yaml", &format!("\u{feff}{SERVICE}"));
    let run = folder.run("migrate service.yaml --quiet");
    let text = std::fs::read_to_string(folder.path().join("service.yaml")).unwrap();
    assert!(run.code == 0 && text.starts_with("\u{feff}tosca_definitions_version: tosca_2_0"), "{text}{}", run.all());
    assert!(text.contains("size: 4 GB"), "{text}");
}

#[test]
fn one_file_is_written_to_another() {
    let folder = site();
    let run = folder.run("migrate service.yaml --output new.yaml");
    assert!(run.code == 2 && !folder.path().join("new.yaml").exists(), "{}", run.all());
    let run = folder.run("migrate lib/types.yaml --output lib/new.yaml");
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(std::fs::read_to_string(folder.path().join("lib/types.yaml")).unwrap(), SITE);
    assert_eq!(folder.run("lib/new.yaml --fail-on warning").code, 0);
}

#[test]
fn what_is_wrong_is_not_migrated() {
    let folder = site();
    folder.write("wrong.yaml", &SERVICE.replace("Site", "Sight"));
    let run = folder.run("migrate wrong.yaml --format concise");
    assert_eq!(run.code, 1);
    insta::assert_snapshot!(run.all());
    assert_eq!(folder.run("migrate - --to tosca_2_0").code, 2);
    assert_eq!(folder.run("migrate service.yaml --to tosca_3_0").code, 2);
}

#[test]
fn what_is_no_file_is_told() {
    let folder = site();
    folder.write(
        "meta/TOSCA.meta",
        "CSAR-Version: 1.1\nCreated-By: me\nEntry-Definitions: service.yaml\nTOSCA-Meta-File-Version: 1.1\n",
    );
    folder.write(
        "pack/service.yaml",
        &SITE.replace("node_types:", "metadata: { template_name: a, template_version: 1.0 }\nnode_types:"),
    );
    folder.write("pack/a.sh", "");
    let run = folder.run("csar create pack");
    assert_eq!(run.code, 0, "{}", run.err);
    let run = folder.run("migrate pack.csar --format concise");
    assert!(run.err.contains("T8002"), "{}", run.all());
}

#[test]
fn a_folder_is_migrated_as_a_whole() {
    let folder = site();
    folder.write("other.yaml", SERVICE);
    let run = folder.run("migrate . --quiet");
    assert_eq!(run.code, 0, "{}", run.all());
    let run = folder.run(". --fail-on warning");
    assert_eq!(run.code, 0, "{}", run.all());
}

#[test]
fn most_templates_of_others_are_valid_afterwards() {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("skipped: TOSCA_PARSE_SHARED does not name the folder that holds the conformance files");
        return;
    };
    let folder = Folder::new(&[]);
    // One parser instead of the command, so that the profile is read only once.
    let parser = tosca_parse::builder().offline(true).build().unwrap();
    let walk = |name| walkdir::WalkDir::new(Path::new(&shared).join("conformance").join(name)).sort_by_file_name();
    let (mut all, mut valid) = (0, 0);
    for entry in walk("simple-1.x").into_iter().chain(walk("oasis-examples")) {
        let path = entry.unwrap().into_path();
        let is_yaml = path.extension().is_some_and(|it| it == "yaml" || it == "yml");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if !is_yaml || !text.lines().any(|line| line == "tosca_definitions_version: tosca_simple_yaml_1_3") {
            continue;
        }
        if !parser.parse(path.to_str().unwrap()).is_ok_and(|outcome| outcome.is_valid()) {
            continue;
        }
        let migrate = ["migrate", "--diff", "--format", "concise", "--offline", "--quiet", "--no-config"];
        let run = Run::of(folder.command("").args(migrate).arg(&path));
        all += 1;
        assert!(run.code < 2 && run.out.starts_with("--- "), "{}: {}", path.display(), run.all());
        // Every remaining problem has a position.
        let told = run.err.lines().filter(|line| line.contains("error"));
        let has_place = |line: &str| line.split(": ").next().is_some_and(|place| place.matches(':').count() >= 2);
        assert!(told.clone().all(has_place), "{}", run.err);
        valid += u32::from(told.count() == 0);
    }
    eprintln!("{valid} of {all} templates of 1.3 are valid in 2.0");
    assert!(all > 150 && valid * 100 >= all * 80, "{valid} of {all} are valid");
}

/// Migrates a file of 1.3, and validates the result.
fn migrated(rest: &str) -> (Run, String, i32) {
    let text = format!("tosca_definitions_version: tosca_simple_yaml_1_3\n{rest}");
    let folder = Folder::new(&[("service.yaml", &*text)]);
    assert_eq!(folder.run("service.yaml").code, 0);
    let run = folder.run("migrate service.yaml -o new.yaml --format concise");
    let text = std::fs::read_to_string(folder.path().join("new.yaml")).unwrap();
    let code = folder.run("new.yaml").code;
    (run, text, code)
}

#[test]
fn parent_without_an_entity_is_dropped() {
    let types = "\
node_types:
  tosca.nodes.Root: { derived_from: tosca.entity.Root, attributes: { state: { type: string } } }
  my.Node: { derived_from: tosca.nodes.Root }
relationship_types:
  tosca.relationships.Root:
    derived_from: tosca.entity.Root
topology_template: { node_templates: { n: { type: my.Node } } }
";
    let (run, text, code) = migrated(types);
    assert_eq!((run.code, code), (0, 0), "{}", run.err);
    assert!(!text.contains("entity.Root") && text.contains("  tosca.nodes.Root: { attributes: {"), "{text}");
}

#[test]
fn mapped_attribute_gets_an_output() {
    let substitution = "\
node_types:
  Outer: { derived_from: tosca.nodes.Root, attributes: { a: { type: string }, b: { type: string }, c: { type: string } } }
topology_template:
  node_templates: { inner: { type: Outer } }
  substitution_mappings:
    node_type: Outer
    attributes: { a: [ inner, a ], b: { mapping: [ inner, b ] }, c: [ c ] }
  outputs:
    a: { value: 1 }
    c: { value: { get_attribute: [ inner, c ] } }
";
    let (run, text, code) = migrated(substitution);
    assert_eq!((run.code, code), (0, 0), "{}\n{text}", run.err);
    assert!(text.contains("attributes: { a: a_2, b: b, c: c }"), "{text}");
    assert!(text.contains("a_2: { value: { $get_attribute: [ inner, a ] } }"), "{text}");
}

#[test]
fn invalid_file_is_reported_once() {
    let relationship = "\
capability_types: { Image: { derived_from: tosca.capabilities.OperatingSystem } }
node_types:
  Vm:
    derived_from: tosca.nodes.Root
    requirements:
    - image: { capability: Image, relationship: tosca.relationships.DependsOn }
    - copy: { capability: Image, relationship: tosca.relationships.DependsOn }
";
    let (run, _, code) = migrated(relationship);
    assert_eq!((run.code, code), (1, 1));
    assert_eq!(run.err.matches("T8001").count(), 1, "{}", run.all());
    assert!(run.err.contains("2 errors in the later version"), "{}", run.all());
}

#[test]
fn files_in_any_language_are_migrated() {
    let folder = Folder::new(&[
        ("stack.yaml", "heat_template_version: 2013-05-23\nresources: { a: { type: lib/nested.yaml } }\n"),
        ("lib/nested.yaml", "heat_template_version: pike\nresources: { a: { type: 'OS::Quantum::Net' } }\n"),
        ("blueprint.yaml", "tosca_definitions_version: cloudify_dsl_1_0\nimports: [ inputs.yaml ]\n"),
        ("inputs.yaml", "tosca_definitions_version: cloudify_dsl_1_0\ninputs: { a: {} }\n"),
    ]);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    // A version of one language is no version of the others.
    let run = folder.run("migrate stack.yaml blueprint.yaml --to cloudify_dsl_1_3 --format concise");
    assert_eq!(run.code, 0, "{}", run.all());
    let reason = "`stack.yaml` is not migrated, because `cloudify_dsl_1_3` is not a version of Heat";
    assert!(run.err.contains(&format!("stack.yaml:1:1: warning[T8002]: {reason}")), "{}", run.err);
    assert!(read("stack.yaml").contains("2013-05-23") && read("inputs.yaml").contains("cloudify_dsl_1_3"));
    let run = folder.run("migrate . --quiet");
    assert_eq!(run.code, 0, "{}", run.all());
    assert!(read("stack.yaml").contains("2021-04-16") && read("blueprint.yaml").contains("cloudify_dsl_1_5"));
    assert_eq!(
        read("lib/nested.yaml"),
        "heat_template_version: 2021-04-16\nresources: { a: { type: 'OS::Neutron::Net' } }\n"
    );
    let run = folder.run("migrate . --diff");
    assert!(run.code == 0 && run.is_quiet(), "{}", run.all());
}
