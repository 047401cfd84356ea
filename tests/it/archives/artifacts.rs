//! Files that artifacts and implementations refer to.

use super::*;

const TEMPLATE: &str = "\
tosca_definitions_version: tosca_2_0
artifact_types: { File: {} }
interface_types:
  Life: { operations: { create: {}, start: {} } }
node_types:
  Server:
    interfaces: { life: { type: Life, operations: { start: ../scripts/start.sh } } }
    artifacts:
      named.sh: { type: File, file: ../scripts/create.sh }
service_template:
  node_templates:
    web:
      type: Server
      artifacts: { data: { type: File, file: FILE } }
      interfaces: { life: { operations: { create: CREATE } } }
";
const META: &str = "CSAR-Version: 2.0\nCreated-By: Ada\nEntry-Definitions: in/a.yaml\n";

fn template(file: &str, create: &str) -> String {
    TEMPLATE.replace("FILE", file).replace("CREATE", create)
}

fn parse_files(file: &str, create: &str) -> Outcome {
    let template = template(file, create);
    let files = [
        ("TOSCA.meta", META),
        ("in/a.yaml", &template),
        ("scripts/create.sh", ""),
        ("scripts/start.sh", ""),
        ("a b.sh", ""),
        ("data/x/y.bin", ""),
        ("data/inner.zip", ""),
    ];
    parse("a.csar", zip(&files))
}

#[test]
fn referenced_files_should_exist() {
    for (file, create) in [
        ("../scripts/create.sh", "../scripts/start.sh"),
        ("../scripts/../scripts/create.sh", "/scripts/start.sh"),
        // A folder, and an archive in the archive.
        ("../data/x", "../data"),
        (
            "../data/inner.zip",
            "{ implementation: { primary: ../scripts/create.sh, dependencies: [ ../scripts/start.sh ] } }",
        ),
        ("\"../a%20b.sh\"", "\"../scripts/./create.sh\""),
        // These are not files of the archive.
        ("https://example.com/image.iso", "named.sh"),
        ("\"nginx:1.27\"", "data"),
        ("registry.example.com/nginx", "create"),
        ("1.27", "ansible.builtin.command"),
        ("{ $get_input: x }", "echo done; exit.sh"),
    ] {
        let outcome = parse_files(file, create);
        assert!(!codes(&outcome).contains(&"T5702"), "{file}, {create}: {}", lines(&outcome));
    }
    for (file, create, expected) in [
        ("absent.sh", "named.sh", "14:46"),
        ("../scripts/Create.sh", "named.sh", "14:46"),
        ("../data/x/z", "named.sh", "14:46"),
        ("/absent.sh", "named.sh", "14:46"),
        ("../scripts/create.sh", "other.sh", "15:51"),
        (
            "../scripts/create.sh",
            "{ implementation: { primary: named.sh, dependencies: [ ../scripts/stop.sh ] } }",
            "15:106",
        ),
    ] {
        let outcome = parse_files(file, create);
        let expected = format!("memory:/a.csar!/in/a.yaml:{expected}: warning[T5702]: there is no file `");
        assert!(outcome.diagnostics.len() == 1 && lines(&outcome).starts_with(&expected), "{}", lines(&outcome));
    }
    let outcome = parse_files("scripts/create.sh", "named.sh");
    let help = "paths are relative to the file that contains them: write `../scripts/create.sh`";
    assert_eq!(outcome.diagnostics[0].help, [help]);
    // A file in a repository is not in the archive.
    let elsewhere = template("x, repository: store", "named.sh")
        .replace("node_types:", "repositories: { store: https://example.com/ }\nnode_types:")
        .replace("file: x", "file: absent.sh");
    let files = [("in/a.yaml", &*elsewhere), ("TOSCA.meta", META), ("scripts/create.sh", ""), ("scripts/start.sh", "")];
    assert_eq!(lines(&parse("a.csar", zip(&files))), "");
}

#[test]
fn types_of_the_archive_are_checked_too() {
    let types = "tosca_definitions_version: tosca_2_0\ninterface_types: { Life: { operations: { start: {} } } }\n\
                 node_types:\n  Server: { interfaces: { life: { type: Life, operations: { start: ../b.sh } } } }\n";
    let missing = [("service.yaml", SERVICE), ("types/x.yaml", types)];
    let outcome = parse("a.tar.gz", gzip(&tar(&missing)));
    assert!(
        lines(&outcome).starts_with("memory:/a.tar.gz!/types/x.yaml:4:68: warning[T5702]: "),
        "{}",
        lines(&outcome)
    );
    let there = [("service.yaml", SERVICE), ("types/x.yaml", types), ("b.sh", "")];
    assert_eq!(lines(&parse("a.tar.gz", gzip(&tar(&there)))), "");
}

#[test]
fn folders_are_archives_if_they_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("shop/in/a.yaml", &template("absent.sh", "named.sh"));
    write("shop/scripts/create.sh", "");
    write("shop/scripts/start.sh", "");
    let parse = |name: &str| {
        let parser = Parser::builder(&TOSCA).directory(folder.path()).offline(true).build().unwrap();
        parser.parse(name).unwrap()
    };
    // There may be further files, even before 2.0; paths from the root are not checked, and other files are found next
    // to the file or next to the template.
    let outcome = parse("shop/in/a.yaml");
    let absent = "shop/in/a.yaml:14:46: warning[T5702]: there is no file `absent.sh` here\n";
    assert!(lines(&outcome).starts_with(absent), "{}", lines(&outcome));
    write("shop/TOSCA.meta", META);
    let outcome = parse("shop");
    assert!(lines(&outcome).starts_with("shop/in/a.yaml:14:46: warning[T5702]: "), "{}", lines(&outcome));
    write("shop/in/absent.sh", "");
    assert_eq!(lines(&parse("shop")), "");
}

#[test]
fn before_2_0_files_are_mandatory() {
    let template = "\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    web:
      type: tosca.nodes.SoftwareComponent
      interfaces:
        Standard:
          operations: { create: scripts/create.sh, start: ../scripts/start.sh, stop: /usr/bin/stop.sh }
      requirements: [ host: server ]
    server: { type: tosca.nodes.Compute }
";
    let meta = "TOSCA-Meta-File-Version: 1.1\nCSAR-Version: 1.1\nEntry-Definitions: in/a.yaml\n";
    let mut files = vec![("TOSCA.meta", meta), ("in/a.yaml", template), ("scripts/start.sh", "")];
    let outcome = parse("a.csar", zip(&files));
    assert!(lines(&outcome).starts_with("memory:/a.csar!/in/a.yaml:8:33: error[T5701]: "), "{}", lines(&outcome));
    assert!(outcome.diagnostics.len() == 1 && !outcome.is_valid());
    files.push(("in/scripts/create.sh", ""));
    assert_eq!(lines(&parse("a.csar", zip(&files))), "");
}
