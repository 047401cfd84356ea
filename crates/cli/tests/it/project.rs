//! The configuration of a project.

use super::*;

/// A project that tolerates problems in its tests.
const CONFIG: &str = "\
rules: { T2003: deny }
overrides:
- { files: [ tests ], rules: { unknown-name: warn } }
- { files: [ valid.yaml ], inputs: { port: 8080 } }
- { files: [ \"tests/old/**\" ], rules: { T2003: allow } }
profile_paths: [ library ]
exclude: [ vendor ]
";

const SERVICE: &str = "\
tosca_definitions_version: tosca_2_0
imports: [ { profile: \"org.example.own:1.0\" } ]
service_template:
  node_templates:
    web: { type: Server }
";

const PROFILE: &str =
    "tosca_definitions_version: tosca_2_0\nprofile: org.example.own:1.0\nnode_types: { Server: {} }\n";

fn project() -> Folder {
    let folder = Folder::new(&[
        ("project/tosca-parse.yaml", CONFIG),
        ("project/library/own.yaml", PROFILE),
        ("project/service.yaml", SERVICE),
        ("project/vendor/broken.yaml", INVALID.1),
    ]);
    for place in ["", "tests/", "tests/old/"] {
        folder.write(&format!("project/{place}types.yaml"), TYPES.1);
        folder.write(&format!("project/{place}doubtful.yaml"), DOUBTFUL.1);
        folder.write(&format!("project/{place}invalid.yaml"), INVALID.1);
    }
    folder
}

#[test]
fn the_nearest_configuration_upwards_counts() {
    let folder = project();
    assert_eq!(folder.run("project/service.yaml --quiet").code, 0);
    assert_eq!(folder.run("project/service.yaml --quiet --no-config").code, 1);
    let run = folder.run("project/doubtful.yaml --format concise");
    assert!(run.code == 1 && run.out.contains("error[T2003]"), "{}", run.out);
    folder.write("project/nearer/.tosca-parse.yaml", "rules: { T2003: allow }\n");
    folder.write("project/nearer/types.yaml", TYPES.1);
    folder.write("project/nearer/doubtful.yaml", DOUBTFUL.1);
    let run = folder.run("project/nearer/doubtful.yaml project/doubtful.yaml --format concise");
    assert_eq!(run.out.lines().count(), 1, "{}", run.out);
    assert!(run.out.starts_with("project/doubtful.yaml:4:3: error[T2003]"), "{}", run.out);
    // The configuration also applies to other commands and to standard input.
    assert_eq!(folder.run("plan project/service.yaml").code, 0);
    assert_eq!(folder.run("plan project/service.yaml --no-config").code, 1);
    let run = folder.run_with_input("- --quiet --stdin-name project/other.yaml", SERVICE.as_bytes());
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn some_files_have_rules_and_inputs_of_their_own() {
    let folder = project();
    let codes = |arguments: &str| {
        let run = folder.run(&format!("{arguments} --format concise"));
        let codes = run.out.lines().map(|line| line.split(": ").nth(1).unwrap().to_owned());
        codes.collect::<Vec<_>>()
    };
    assert_eq!(codes("project/invalid.yaml"), ["error[T2001]"]);
    assert_eq!(codes("project/tests/invalid.yaml"), ["warning[T2001]"]);
    assert_eq!(codes("project/tests/doubtful.yaml"), ["error[T2003]"]);
    assert_eq!(codes("project/tests/old/doubtful.yaml"), [""; 0]);
    // Arguments win.
    assert_eq!(codes("project/tests/invalid.yaml --deny T2001"), ["error[T2001]"]);
    assert_eq!(codes("project/tests/old/doubtful.yaml --warn T2003"), ["warning[T2003]"]);
    folder.write("project/tests/types.yaml", TYPES.1);
    folder.write("project/tests/valid.yaml", VALID.1);
    let port = |arguments: &str| {
        let run = folder.run(&format!("{arguments} --emit json --evaluate"));
        let model: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        model["nodes"]["web"]["properties"]["port"]["value"].clone()
    };
    assert_eq!(port("project/tests/valid.yaml"), 8080);
    assert_eq!(port("project/tests/valid.yaml --input port=1"), 1);
    assert_eq!(port("project/tests/valid.yaml --no-config"), 80);
}

#[test]
fn what_is_excluded_is_not_searched() {
    let folder = project();
    let run = folder.run("project --format concise --deny T2003");
    assert!(!run.out.contains("vendor") && !run.out.contains("tosca-parse.yaml"), "{}", run.out);
    assert!(folder.run("project --format concise --no-config").out.contains("vendor"));
    assert_eq!(folder.run("project/vendor/broken.yaml").code, 1);
    let run = folder.run("--force-exclude project/vendor/broken.yaml");
    assert!(run.code == 0 && run.is_quiet(), "{}", run.err);
}

#[test]
fn a_configuration_is_no_template() {
    let folder = project();
    assert_eq!(folder.run("project/tosca-parse.yaml").code, 0);
    for (text, message) in [
        ("ruls: {}\n", "tosca-parse.yaml:1:1: unknown key `ruls`, expected one of "),
        ("strict: true\nruls: {}\n", "project/tosca-parse.yaml:2:1: unknown key `ruls`"),
        ("ruls: {}\n", "; did you mean `rules`?"),
        ("rules: { T9999: deny }\n", "no rule is called `T9999`"),
        ("rules: { T2001: alow }\n", "`alow` is not a level; did you mean `allow`?"),
        ("quirks: [ nul-sections ]\n", "there is no such quirk; did you mean `null-sections`?"),
        ("overrides:\n- rules: {}\n", "missing field `files`"),
        ("overrides:\n- { files: [ a ], inptus: {} }\n", "; did you mean `inputs`?"),
        ("exclude: [ \"a[\" ]\n", "`a[` is not a path pattern: "),
    ] {
        folder.write("project/tosca-parse.yaml", text);
        for arguments in ["project/tosca-parse.yaml", "project/service.yaml", "project", "config show project/a.yaml"] {
            let run = folder.run(arguments);
            assert_eq!((run.code, &*run.out), (2, ""), "{text}: {}", run.err);
            assert!(run.err.contains(message) && run.err.lines().count() == 1, "{text}: {}", run.err);
        }
        assert_eq!(folder.run("--no-config project/types.yaml").code, 0);
    }
}

#[test]
fn the_user_and_the_project_both_count() {
    let folder = project();
    folder.write(".config/tosca-parse/config.yaml", "strict: true\nprofile_paths: [ ~/own ]\nrules: { T2003: warn }\n");
    let mut command = folder.command("config show project/tests/old/a.yaml");
    let run = Run::of(command.env("HOME", folder.path()).env("USERPROFILE", folder.path()));
    assert_eq!((run.code, &*run.err), (0, ""));
    insta::assert_snapshot!(run.out);
    assert_eq!(folder.run("config show service.yaml --no-config").out, "# no configuration\n");
}

#[test]
fn the_schema_is_that_of_the_documentation() {
    let path = root().join("docs/config.schema.json");
    let run = Folder::new(&[]).run("schema config");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &run.out).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), run.out, "UPDATE_DOCS=1 renews it");
    let schema: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let is_valid = |text: &str| validator.is_valid(&serde_yaml::from_str(text).unwrap());
    assert!(is_valid(CONFIG) && is_valid("limits: { source-depth: 3, source-size: 1M }\nquirks: [ null-sections ]\n"));
    for wrong in ["ruls: {}", "rules: { T9999: deny }", "rules: { T2001: alow }", "quirks: [ a ]", "overrides: [ {} ]"]
    {
        assert!(!is_valid(wrong), "{wrong}");
    }
}
