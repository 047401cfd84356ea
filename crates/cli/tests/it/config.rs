//! The user's configuration, and limits.

use super::*;

const TYPES: &str = "tosca_definitions_version: tosca_2_0\nprofile: org.example.own:1.0\nnode_types: { Server: {} }\n";
const SERVICE: &str = "\
tosca_definitions_version: tosca_2_0
imports: [ { profile: \"org.example.own:1.0\" } ]
service_template:
  node_templates:
    web: { type: Server }
";

fn configured(config: &str) -> Folder {
    let folder = Folder::new(&[("service.yaml", SERVICE), ("library/own.yaml", TYPES)]);
    folder.write(".config/tosca-parse/config.yaml", config);
    folder
}

#[test]
fn profiles_are_looked_for_where_the_user_has_said() {
    let folder = configured("# mine\nprofile_paths:\n- ../../library\n");
    let run = folder.run("--quiet service.yaml");
    assert_eq!((run.code, &*run.err), (0, ""));
    let run = folder.run("profiles");
    assert!(run.out.contains("org.example.own:1.0  "), "{}", run.out);
    // The user's configuration can be disabled or replaced.
    for arguments in ["--no-config --quiet service.yaml", "--quiet --config none.yaml service.yaml"] {
        folder.write("none.yaml", "profile_paths:\n");
        let run = folder.run(arguments);
        assert!(run.code == 1 && run.out.contains("T1402"), "{arguments}: {}", run.out);
    }
    assert!(!folder.run("profiles --no-config").out.contains("org.example.own"));
    folder.write("other/c.yaml", "profile_paths: [ ../library ]\n");
    assert_eq!(folder.run("--quiet --config other/c.yaml service.yaml").code, 0);
    assert_eq!(folder.run("validate --config other/c.yaml service.yaml").code, 0);
    assert_eq!(folder.run("graph --config other/c.yaml service.yaml").code, 0);
    // A missing folder is wrong usage if an argument names it; a configuration may be meant for several computers.
    let run = folder.run("service.yaml --profile-path absent");
    assert_eq!((run.code, &*run.out), (2, ""));
    assert_eq!(run.err, "error: the profile path `absent` does not exist\n");
    folder.write("absent.yaml", "profile_paths: [ absent, library ]\n");
    assert_eq!(folder.run("--quiet --config absent.yaml service.yaml").code, 0);
    let run = folder.run("profiles --config absent.yaml");
    assert!(run.code == 1 && run.err.contains("absent"), "{}", run.err);
    // Arguments come first.
    folder.write("first/own.yaml", &TYPES.replace("Server", "Other"));
    assert_eq!(folder.run("--quiet --profile-path first service.yaml").code, 1);
}

/// Searches of earlier configurations leave nothing for the last one.
#[test]
fn configurations_share_the_limit_of_searches() {
    let folder = Folder::new(&[]);
    for project in ["a", "b"] {
        folder.write(&format!("{project}/tosca-parse.yaml"), "profile_paths: [ library ]\n");
        folder.write(&format!("{project}/service.yaml"), SERVICE);
        folder.write(&format!("{project}/library/own.yaml"), TYPES);
    }
    let run = folder.run("--quiet a/service.yaml b/service.yaml");
    assert_eq!((run.code, &*run.out), (0, ""));
    let file = |number: usize| format!("a/library/z{number}");
    (0..10_000).for_each(|number| folder.write(&file(number), ""));
    let run = folder.run("a/service.yaml b/service.yaml --jobs 1");
    assert!(run.out.contains("--> b/service.yaml") && !run.out.contains("--> a/service.yaml"), "{}", run.out);
    assert!(run.out.contains("there are too many files to search all of them"), "{}", run.out);
    assert_eq!(folder.run("--quiet b/service.yaml").code, 0);
}

#[test]
fn a_path_may_begin_at_home() {
    let folder = configured("profile_paths: [ ~/library ]\n");
    let mut command = folder.command("--quiet service.yaml");
    let run = Run::of(command.env("HOME", folder.path()).env("USERPROFILE", folder.path()));
    assert_eq!((run.code, &*run.err), (0, ""));
    // The configuration itself is found in the default folder.
    folder.write("home/.config/tosca-parse/config.yaml", "profile_paths: [ ../../../library ]\n");
    if cfg!(target_os = "linux") {
        let mut command = folder.command("--quiet service.yaml");
        let run = Run::of(command.env("HOME", folder.path().join("home")).env_remove("XDG_CONFIG_HOME"));
        assert_eq!((run.code, &*run.err), (0, ""));
    }
}

#[test]
fn urls_and_limits_may_be_set_too() {
    let folder = configured("map_url: { \"https://example.com/lib\": ../../library }\nlimits: { source-depth: 3 }\n");
    folder.write(
        "a.yaml",
        &SERVICE.replace("{ profile: \"org.example.own:1.0\" }", "\"https://example.com/lib/own.yaml\""),
    );
    let run = folder.run("--quiet --format concise --offline a.yaml");
    assert!(run.code == 1 && run.out.contains("T1107") && !run.out.contains("T1002"), "{}", run.out);
    let run = folder.run("--quiet --offline --limit source-depth=10 a.yaml");
    assert_eq!((run.code, &*run.err), (0, ""), "what arguments say comes first");
}

#[test]
fn a_file_that_is_wrong_is_wrong_use() {
    for (config, expected) in [
        ("profile_path: [ a ]\n", "config.yaml:1:1: unknown key `profile_path`, expected one of "),
        ("profile_paths: a\n", "config.yaml:1:16: profile_paths: invalid type"),
        ("map_url: { a: b }\n", "config.yaml:1:"),
        ("\nlimits:\n  archive-entrys: 5\n", "there is no limit `archive-entrys`; did you mean `archive-entries`?"),
        ("limits: { archive-size: much }\n", "`much` is not a number of bytes"),
        ("limits: [ a ]\n", "expected a map of limits to values"),
        ("jobs: 0\n", "expected a number of threads from 1 to 65535"),
        ("jobs: -1\n", "expected a number of threads from 1 to 65535"),
        ("jobs: many\n", "expected a number of threads from 1 to 65535"),
        ("profile_paths: [\n", "config.yaml:1:16: `[` is never closed"),
        ("- a\n", "config.yaml:1:1: "),
    ] {
        let folder = configured(config);
        for arguments in ["service.yaml", "profiles", "csar list a.csar", "csar extract a.csar", "graph service.yaml"] {
            let run = folder.run(arguments);
            assert_eq!((run.code, &*run.out), (2, ""), "{config}: {}", run.err);
            assert!(run.err.starts_with("error: ") && run.err.contains(expected), "{config}: {}", run.err);
            assert_eq!(run.err.lines().count(), 1, "{}", run.err);
        }
        assert_eq!(folder.run("--no-config service.yaml").code, 1);
    }
    let folder = configured("");
    assert_eq!(folder.run("service.yaml").code, 1, "an empty file says nothing");
    let run = folder.run("--config absent.yaml service.yaml");
    assert_eq!((run.code, &*run.out), (2, ""));
    assert!(run.err.contains("can't read the configuration `absent.yaml`: "), "{}", run.err);
    assert_eq!(folder.run("--config a.yaml --no-config service.yaml").code, 2);
    std::fs::write(folder.path().join("binary.yaml"), b"a: \xff\n").unwrap();
    assert_eq!(folder.run("--config binary.yaml service.yaml").code, 2);
}

#[test]
fn limits_are_listed_and_set() {
    let folder = Folder::new(&[("shop/a.yaml", TYPES), ("shop/b/c.txt", "text"), ("shop/b/d.txt", "text")]);
    let run = folder.run("limits");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert!(run.out.contains("archive-entries    100000  "), "{}", run.out);
    let page = std::fs::read_to_string(root().join("docs/cli.md")).unwrap();
    for line in run.out.lines() {
        let mut words = line.split_whitespace();
        let (name, default) = (words.next().unwrap(), words.next().unwrap());
        assert!(page.contains(&format!("| `{name}` | {default} |")), "docs/cli.md does not list {name}, {default}");
    }
    folder.run("csar create shop");
    for (limit, code) in [
        ("archive-entries=2", "T1508"),
        ("archive-depth=1", "T1508"),
        ("archive-total=100", "T1508"),
        ("source-size=20", "T1004"),
    ] {
        let run = folder.run(&format!("csar check --quiet --format concise shop.csar --limit {limit}"));
        assert!(run.code == 1 && run.out.contains(code), "{limit}: {}", run.out);
    }
    for command in ["csar list shop.csar", "csar extract shop.csar out"] {
        let run = folder.run(&format!("{command} --limit archive-entries=2"));
        assert!(run.code == 1 && run.err.contains("more than 2 entries"), "{}", run.err);
    }
    assert_eq!(folder.run("csar check shop.csar --limit archive-entries=2 --limit archive-entries=9").code, 0);
    for (limit, message) in [
        ("archive-entrys=5", "did you mean `archive-entries`?"),
        ("colour=5", "`tosca-parse limits` lists them"),
        ("archive-size=5X", "`5X` is not a number of bytes"),
        ("archive-size", "it must be `NAME=VALUE`"),
        ("source-depth=501", "`source-depth` can't be more than 500"),
        ("archive-entries=0", "`archive-entries` can't be less than 1"),
    ] {
        let run = folder.run(&format!("shop.csar --limit {limit}"));
        assert_eq!(run.code, 2, "{limit}");
        assert!(run.err.contains(message), "{limit}: {}", run.err);
    }
}

#[test]
fn versions_of_vendors_are_declared() {
    let text = "tosca_definitions_version: alien_dsl_2_0_0\ntopology_template: { node_templates: {} }\n";
    let configuration = "versions: { alien_dsl_2_0_0: tosca_simple_yaml_1_3 }\n";
    let folder = Folder::new(&[("a.yaml", text), ("b/a.yaml", text), ("b/tosca-parse.yaml", configuration)]);
    let run = folder.run("a.yaml");
    assert!(run.code == 1 && run.out.contains("--read-version tosca_simple_yaml_1_3"), "{}", run.out);
    assert_eq!(folder.run("b/a.yaml").code, 0);
    assert_eq!(folder.run("a.yaml --read-version tosca_simple_yaml_1_2").code, 0);
    assert_eq!(folder.run("a.yaml --read-version alien_dsl_2_0_0=tosca_simple_yaml_1_2").code, 0);
    assert_eq!(folder.run("a.yaml --read-version other=tosca_simple_yaml_1_2").code, 1);
    // The command line wins.
    let run = folder.run("b/a.yaml --read-version tosca_2_0");
    assert!(run.code == 1 && !run.out.contains("T1302"), "{}", run.out);
    let nearest = [
        ("tosca_simple_yaml_1_4", "tosca_simple_yaml_1_3"),
        ("tosca_simple_yaml_0_9", "tosca_simple_yaml_1_0"),
        ("tosca_simple_yml_1_2", "tosca_simple_yaml_1_2"),
        ("tosca_2_1", "tosca_2_0"),
    ];
    for (word, near) in nearest {
        let run = folder.run(&format!("a.yaml --read-version {word}"));
        assert!(run.code == 2 && run.err.contains(&format!("did you mean `{near}`?")), "{}", run.err);
    }
}

/// The values are read from the text of the configuration, so they keep their notation, and problems their position.
#[test]
fn inputs_have_their_positions_in_the_configuration() {
    let service = "tosca_definitions_version: tosca_2_0\nservice_template:\n  inputs: { size: { type: integer }, v: { type: string } }\n  node_templates: {}\n";
    let config = "# Größe\ninputs: &values\n  v: 1.10\n  size: 3\noverrides:\n- files: [ b.yaml ]\n  inputs: { size: wrong }\n- files: [ c.yaml ]\n  inputs: *values\n";
    let folder =
        Folder::new(&[("tosca-parse.yaml", config), ("a.yaml", service), ("b.yaml", service), ("c.yaml", service)]);
    let float = "tosca-parse.yaml:3:6: error[T5101]: parameter `v` must be a string, not a float";
    let run = folder.run("a.yaml --format concise");
    assert!(run.out.starts_with(float), "{}", run.out);
    let string = "tosca-parse.yaml:7:19: error[T5101]: parameter `size` must be an integer, not a string";
    let run = folder.run("b.yaml --format concise");
    let lines: Vec<&str> = run.out.lines().filter(|line| line.contains("T5101")).collect();
    assert!(lines.len() == 2 && lines[0].starts_with(float) && lines[1].starts_with(string), "{}", run.out);
    let run = folder.run("c.yaml --format concise");
    let lines: Vec<&str> = run.out.lines().filter(|line| line.contains("T5101")).collect();
    assert!(lines.len() == 1 && lines[0].starts_with(float), "{}", run.out);
}
