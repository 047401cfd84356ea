//! Exit codes, wrong usage, streams, and the origin of files.

use std::process::Stdio;

use insta::assert_snapshot;

use super::*;

#[test]
fn a_valid_service_is_summed_up() {
    let run = folder().run("valid.yaml");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert_snapshot!(run.out);
}

#[test]
fn problems_are_exit_code_1() {
    let folder = folder();
    for arguments in ["invalid.yaml", ".", "valid.yaml invalid.yaml", "--quiet invalid.yaml missing.yaml"] {
        assert_eq!(folder.run(arguments).code, 1, "{arguments}");
    }
}

#[test]
fn wrong_use_is_exit_code_2() {
    let folder = folder();
    let wrong = [
        "",
        "--no-such-option valid.yaml",
        "--format concise",
        "--format prose valid.yaml",
        "--emit toml valid.yaml",
        "--stop-after lunch valid.yaml",
        "--color sometimes valid.yaml",
        "--jobs 0 valid.yaml",
        "--input port valid.yaml",
        "--input =80 valid.yaml",
        "--allow no-such-rule valid.yaml",
        "--positions valid.yaml",
        "--emit json --dump valid.yaml",
        "--emit json --stop-after read valid.yaml",
        "http://",
        "- -",
        "explain",
        "explain no-such-rule",
        "completions",
        "completions no-such-shell",
        "man more",
    ];
    for arguments in wrong {
        let run = folder.run(arguments);
        assert_eq!((run.code, &*run.out), (2, ""), "{arguments}");
        assert!(!run.err.is_empty(), "{arguments}: nothing says what is wrong");
    }
    assert_snapshot!(folder.run("--input port valid.yaml").err);
}

#[test]
fn help_and_version_are_no_errors() {
    let folder = folder();
    for arguments in ["--help", "-h", "explain --help", "validate --help"] {
        let run = folder.run(arguments);
        assert_eq!((run.code, &*run.err), (0, ""), "{arguments}");
        assert!(run.out.contains("Usage: tosca-parse"), "{arguments}");
    }
    assert_eq!(folder.run("--version").out, format!("tosca-parse {}\n", env!("CARGO_PKG_VERSION")));
    assert_snapshot!(folder.run("--help").out);
}

#[test]
fn the_standard_input_is_a_file() {
    let folder = folder();
    let run = folder.run_with_input("-", VALID.1.as_bytes());
    assert_eq!((run.code, &*run.err), (0, ""));
    assert!(run.out.starts_with("stdin.yaml: valid TOSCA 2.0 service"), "{}", run.out);
    let run = folder.run_with_input("- --format concise", INVALID.1.as_bytes());
    assert_eq!((run.code, &*run.out), (1, "stdin.yaml:5:18: error[T2001]: there is no node type `Websit`\n"));
    // Imports are resolved relative to the declared name of standard input.
    let run = folder.run_with_input("- --stdin-name elsewhere/service.yaml --format concise", VALID.1.as_bytes());
    assert_eq!((run.code, &*run.err), (1, ""));
    assert!(run.out.starts_with("elsewhere/service.yaml:2:12: error[T1001]: "), "{}", run.out);
    assert_eq!(folder.run_with_input("-", b"").code, 1);
}

#[test]
fn several_files_are_one_run() {
    let folder = folder();
    folder.write(
        "types-broken.yaml",
        "tosca_definitions_version: tosca_2_0\nnode_types: { Server: { derived_from: Nobody } }\n",
    );
    for name in ["one", "two"] {
        let text = "tosca_definitions_version: tosca_2_0\nimports: [ types-broken.yaml ]\n\
                    service_template: { node_templates: { server: { type: Server } } }\n";
        folder.write(&[name, ".yaml"].concat(), text);
    }
    // A problem in a shared import is counted once.
    assert_snapshot!(folder.run("valid.yaml one.yaml two.yaml types.yaml").all());
}

#[test]
fn what_people_try_first_is_understood() {
    let folder = folder();
    let version = folder.run("--version").out;
    assert_eq!(folder.run("version").out, version);
    assert_eq!(folder.run("help graph").out, folder.run("graph --help").out);
    assert!(folder.run("help").out.contains("Usage: tosca-parse"));
    assert_eq!(folder.run("--quiet validate valid.yaml").code, 0);
    assert_eq!(
        folder.run("--format mermaid graph valid.yaml").out,
        folder.run("graph valid.yaml --format mermaid").out
    );
    // Commands with other output show problems too, except with `--quiet`.
    for command in ["graph", "plan", "form"] {
        assert!(folder.run(&format!("{command} doubtful.yaml")).err.contains("warning["), "{command}");
        let run = folder.run(&format!("--quiet {command} doubtful.yaml"));
        assert!(run.code == 0 && run.err.is_empty() && !run.out.is_empty(), "{command}: {}", run.all());
    }
    let run = folder.run("--strict graph valid.yaml");
    assert!(run.code == 2 && run.err.contains("tip: `--strict` is an option of `validate`"), "{}", run.err);
    let run = folder.run("grpah valid.yaml");
    assert_eq!(run.code, 2);
    assert_eq!(run.err, "error: there is no file and no command `grpah`; did you mean `graph`?\n");
}

#[test]
fn built_in_profiles_can_be_looked_at() {
    let folder = folder();
    let by_name = folder.run("profiles show org.oasis-open.simple:2.0").out;
    assert!(by_name.contains("tosca_definitions_version: tosca_2_0"), "{by_name}");
    assert_eq!(folder.run("profiles show builtin:/tosca/simple/2.0/profile.yaml").out, by_name);
    let implicit = folder.run("profiles show builtin:/tosca/simple/1.3/profile.yaml").out;
    assert!(implicit.contains("tosca.nodes.Compute:"), "{implicit}");
    folder.write("lib/sites.yaml", "tosca_definitions_version: tosca_2_0\nprofile: org.example.sites:1.0\n");
    let own = folder.run("profiles show --profile-path lib org.example.sites:1.0").out;
    assert!(own.ends_with("profile: org.example.sites:1.0\n"), "{own}");
    let run = folder.run("profiles show org.oasis-open.simpel:2.0");
    assert!(run.code == 2 && run.err.contains("did you mean `org.oasis-open.simple:2.0`?"), "{}", run.err);
}

#[test]
fn files_may_be_named_like_commands() {
    let folder = folder();
    folder.write("rules", VALID.1);
    for arguments in ["./rules", "-- rules", "validate rules"] {
        let run = folder.run(arguments);
        assert!(run.out.starts_with("rules: valid"), "{arguments}: {}", run.all());
    }
}

#[test]
fn profiles_are_found_by_name() {
    let folder = folder();
    folder.write("lib/sites.yaml", &TYPES.1.replace("node_types", "profile: org.example.sites:1.0\nnode_types"));
    folder.write("service.yaml", &VALID.1.replace("types.yaml", "{ profile: org.example.sites:1.0 }"));
    let run = folder.run("service.yaml --format concise");
    assert_eq!(run.code, 1);
    assert!(run.out.contains("org.example.sites:1.0"), "{}", run.out);
    for arguments in ["--profile-path lib service.yaml", "service.yaml --profile-path lib/sites.yaml"] {
        let run = folder.run(arguments);
        assert_eq!((run.code, &*run.err), (0, ""), "{arguments}");
    }
}

#[test]
fn the_network_can_be_forbidden() {
    let run = folder().run("--offline --format concise https://localhost:1/service.yaml");
    assert_eq!(run.code, 3);
    assert!(run.out.starts_with("https://localhost:1/service.yaml:1:1: error[T1002]: "), "{}", run.out);
}

#[test]
fn threads_change_nothing() {
    let folder = folder();
    let expected = folder.run("valid.yaml invalid.yaml doubtful.yaml").all();
    for jobs in ["1", "2", "7"] {
        let run = folder.run(&format!("--jobs {jobs} valid.yaml invalid.yaml doubtful.yaml"));
        assert_eq!(run.all(), expected);
    }
}

#[test]
fn who_has_read_enough_may_go() {
    let folder = folder();
    for arguments in ["rules", "valid.yaml --emit json", "man", "completions bash"] {
        let mut child = folder
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!((run.code, &*run.err), (0, ""), "{arguments}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_told() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run = Run::of(folder().command("valid.yaml").stdout(full));
    assert_eq!(run.code, 1);
    assert!(run.err.starts_with("error: can't write the output: "), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn paths_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.yaml");
    if std::fs::write(folder.path().join(name), VALID.1).is_err() {
        // Some file systems don't support such names.
        return;
    }
    let run = Run::of(folder.command("").arg(name));
    assert_eq!((run.code, &*run.err), (0, ""));
    assert!(run.out.starts_with("caf"), "{}", run.out);
}

#[test]
fn functions_of_the_orchestrator_can_be_allowed() {
    let folder = folder();
    let text = "tosca_definitions_version: tosca_2_0
service_template:
  outputs: { a: { type: string, value: { $roll: [ 6, { $length: [ dice ] } ] } } }
  node_templates: {}
";
    folder.write("service.yaml", text);
    let run = folder.run("service.yaml --format concise");
    assert_eq!((run.code, run.out.contains("T5220")), (0, true), "{}", run.out);
    for name in ["roll", "$roll"] {
        let run = folder.run(&format!("service.yaml --allow-function {name}"));
        assert_eq!((run.code, &*run.err), (0, ""), "{name}");
    }
    assert_eq!(folder.run("service.yaml --allow-function $").code, 2);
    // The values in the arguments are checked nevertheless.
    folder.write("service.yaml", &text.replace("[ dice ]", "[ 5 ]"));
    let run = folder.run("service.yaml --allow-function roll --format concise");
    assert_eq!((run.code, run.out.contains("T5205")), (1, true), "{}", run.out);
}

#[test]
fn help_fits_the_terminal() {
    let folder = folder();
    let widest = |columns: &str| {
        let run = Run::of(folder.command("fmt --help").env("COLUMNS", columns));
        run.out.lines().map(|line| line.chars().count()).max().unwrap()
    };
    assert!(widest("60") <= 60 && widest("100") > 60, "{} {}", widest("60"), widest("100"));
    let run = folder.run("");
    assert_eq!((run.code, &*run.out), (2, ""));
    assert!(run.err.starts_with("Usage: tosca-parse") && run.err.lines().count() < 12, "{}", run.err);
}

#[test]
fn the_environment_decides_on_color() {
    let folder = folder();
    let is_colored = |arguments: &str, variables: &[(&str, &str)]| {
        let mut command = folder.command(arguments);
        for name in ["NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        Run::of(command.envs(variables.iter().copied())).all().contains('\x1b')
    };
    for arguments in ["--help", "graph --no-such-option", "invalid.yaml"] {
        for forced in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
            assert!(is_colored(arguments, &[(forced, "1"), ("TERM", "dumb")]), "{arguments} {forced}");
            assert!(!is_colored(arguments, &[(forced, "0")]), "{arguments} {forced}");
            assert!(!is_colored(arguments, &[(forced, "1"), ("NO_COLOR", "1")]), "{arguments} {forced}");
        }
        assert!(!is_colored(arguments, &[]), "{arguments}");
    }
}

#[test]
fn named_files_that_cannot_be_read_are_exit_code_3() {
    let folder = folder();
    folder.write("broken.csar", "PK");
    for (arguments, code) in [
        ("missing.yaml", 3),
        ("missing.yaml valid.yaml", 3),
        ("graph missing.yaml", 3),
        ("fmt missing.yaml", 3),
        ("yay json missing.yaml", 3),
        ("yay json valid.yaml --inputs missing.yaml", 3),
        ("test missing_test.yaml", 3),
        ("test valid.yaml", 2),
        ("csar list missing.csar", 3),
        ("csar list missing.csar broken.csar", 1),
        ("csar list broken.csar missing.csar", 1),
        ("csar extract missing.csar", 3),
        ("csar extract broken.csar", 1),
        ("murano check missing", 3),
        ("murano check valid.yaml", 1),
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.code, code, "{arguments}: {}", run.all());
        assert!(!run.all().is_empty(), "{arguments}");
    }
}

#[test]
fn the_fixed_text_of_standard_input_is_written() {
    let folder = folder();
    let fixed = INVALID.1.replace("Websit,", "Website,");
    let wrong = fixed.replace("properties:", "propertis:");
    let run = folder.run_with_input("--fix -", wrong.as_bytes());
    assert_eq!((run.code, &*run.out), (0, &*fixed), "{}", run.err);
    assert_eq!(folder.run_with_input("--fix -", fixed.as_bytes()).out, fixed);
    // Problems that remain are not mixed with the text.
    let text = wrong.replace("port: 80", "port: x");
    let run = folder.run_with_input("--fix - --format concise", text.as_bytes());
    assert_eq!((run.code, run.out), (1, fixed.replace("port: 80", "port: x")));
    assert!(run.err.contains("stdin.yaml:5:"), "{}", run.err);
    let run = folder.run_with_input("--fix -", b"a: \xff\n");
    assert_eq!((run.code, &*run.out), (2, ""));
    assert!(run.err.contains("standard input is not UTF-8, so it can't be changed"), "{}", run.err);
    let run = folder.run_with_input("--fix --diff -", wrong.as_bytes());
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("--- stdin.yaml\n") && run.out.contains("Website, properties:"), "{}", run.out);
    // The file whose name standard input has is not changed.
    let run = folder.run_with_input("--fix - --stdin-name invalid.yaml", wrong.as_bytes());
    let file = std::fs::read_to_string(folder.path().join("invalid.yaml")).unwrap();
    assert_eq!((run.out, file), (fixed, INVALID.1.to_owned()));
    assert_eq!(folder.run_with_input("--fix --emit json -", INVALID.1.as_bytes()).code, 2);
}

#[test]
fn quoted_patterns_name_files() {
    let folder = folder();
    folder.write("deep/er/one.yaml", INVALID.1);
    folder.write("deep/.hidden/two.yaml", INVALID.1);
    let named = |pattern: &str| {
        let run = Run::of(folder.command("--format concise").arg(pattern));
        let mut files: Vec<&str> = run.out.lines().filter_map(|line| line.split(':').next()).collect();
        files.dedup();
        (run.code, files.join(" "))
    };
    assert_eq!(named("deep/**/*.yaml"), (1, "deep/er/one.yaml".to_owned()));
    assert_eq!(named("deep/*"), (1, "deep/er/one.yaml".to_owned()));
    assert_eq!(named("{inv,val}*.yaml"), (1, "invalid.yaml".to_owned()));
    let run = Run::of(folder.command("fmt --check").arg("deep/**/*.yaml"));
    assert_eq!(run.code, 0, "{}", run.all());
    for command in ["", "fmt --check", "graph"] {
        let run = Run::of(folder.command(command).arg("deep/*.yaml"));
        assert_eq!((run.code, &*run.err), (3, "error: no file matches the pattern `deep/*.yaml`\n"), "{command}");
    }
    let run = Run::of(folder.command("--format concise").args(["deep/*.yaml", "deep/**/*.yaml"]));
    assert_eq!((run.code, run.out.matches("deep/er/one.yaml:").count()), (1, 1), "{}", run.all());
    assert!(run.out.contains("deep/*.yaml:1:1: error[T1001]"), "{}", run.out);
    folder.write("crooked.yaml", "a:   1\n");
    let run = Run::of(folder.command("fmt --check").args(["deep/*.yaml", "crooked.yaml"]));
    assert!(run.code != 0 && run.all().contains("crooked.yaml"), "{}", run.all());
}

#[test]
fn variables_and_the_configuration_set_defaults() {
    let folder = folder();
    folder.write("doubtful.yaml", DOUBTFUL.1);
    let run = |arguments: &str, variables: &[(&str, &str)]| {
        Run::of(folder.command(arguments).envs(variables.iter().copied()))
    };
    let concise = "doubtful.yaml:";
    let format = ("TOSCA_PARSE_FORMAT", "concise");
    assert!(run("doubtful.yaml", &[format]).out.starts_with(concise));
    assert!(run("doubtful.yaml --format jsonl", &[format]).out.starts_with('{'));
    assert_eq!(run("doubtful.yaml", &[]).code, 0);
    assert_eq!(run("doubtful.yaml", &[("TOSCA_PARSE_FAIL_ON", "warning")]).code, 1);
    assert_eq!(run("doubtful.yaml --exit-zero", &[("TOSCA_PARSE_FAIL_ON", "warning")]).code, 0);
    assert_eq!(run("doubtful.yaml", &[("TOSCA_PARSE_JOBS", "1"), ("TOSCA_PARSE_FORMAT", "")]).code, 0);
    for (name, value) in [("FORMAT", "bad"), ("FAIL_ON", "never"), ("JOBS", "0")] {
        let run = run("doubtful.yaml", &[(&format!("TOSCA_PARSE_{name}"), value)]);
        assert_eq!(run.code, 2);
        assert!(run.err.starts_with(&format!("error: TOSCA_PARSE_{name}: `{value}` is not ")), "{}", run.err);
    }
    folder.write("tosca-parse.yaml", "problem_format: jsonl\nfail_on: warning\njobs: 1\n");
    let configured = run("doubtful.yaml", &[]);
    assert_eq!((configured.code, configured.out.starts_with('{')), (1, true));
    let changed = run("doubtful.yaml", &[format, ("TOSCA_PARSE_FAIL_ON", "error")]);
    assert_eq!((changed.code, changed.out.starts_with(concise)), (0, true));
    assert_eq!(run("doubtful.yaml --fail-on error --no-config", &[]).code, 0);
    let shown = run("config show doubtful.yaml", &[]).out;
    assert!(shown.contains("problem_format: jsonl") && shown.contains("fail_on: warning"), "{shown}");
    folder.write("tosca-parse.yaml", "jobs: 0\n");
    assert_eq!(run("doubtful.yaml", &[]).code, 2);
}
