//! The display and the selection of problems.

use insta::assert_snapshot;
use tosca_parse::diagnostic::Severity;
use tosca_parse::diagnostic::render::Document;

use super::*;

/// Parses the problems of a run from JSON.
fn document(text: &str) -> Document<'_> {
    serde_json::from_str(text).unwrap()
}

#[test]
fn problems_are_shown_with_their_lines() {
    assert_snapshot!(folder().run("invalid.yaml doubtful.yaml").all());
}

#[test]
fn problems_are_shown_in_one_line_each() {
    assert_snapshot!(folder().run("invalid.yaml doubtful.yaml --format concise").all());
}

#[test]
fn problems_are_shown_as_json() {
    let folder = folder();
    let run = folder.run("invalid.yaml doubtful.yaml --format json");
    assert_eq!((run.code, &*run.err), (1, ""));
    assert_snapshot!(run.out);
    let document = document(&run.out);
    assert_eq!(document.version, 1);
    assert_eq!((document.summary.errors, document.summary.warnings, document.summary.files), (1, 1, 2));
    assert_eq!(document.to_string(), run.out);
    // A document is written even if it is empty.
    let run = folder.run("valid.yaml --format json");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert!(self::document(&run.out).diagnostics.is_empty());
}

#[test]
fn the_json_of_problems_leaves_the_standard_output_to_what_was_asked_for() {
    let folder = folder();
    let run = folder.run("doubtful.yaml --format json --emit json");
    assert_eq!(run.code, 0);
    assert_eq!(document(&run.err).diagnostics.len(), 1);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&run.out).unwrap()["model"], 1);
    let run = folder.run("doubtful.yaml --format json --stop-after read --dump");
    assert!(run.out.starts_with("doubtful.yaml (TOSCA 2.0)\n"), "{}", run.out);
    assert!(document(&run.err).diagnostics.is_empty());
    // A file without a service has no model, which only the document reports.
    let run = folder.run("types.yaml --format json --emit json");
    assert_eq!((run.code, &*run.out), (0, ""));
    assert!(document(&run.err).diagnostics.is_empty());
}

#[test]
fn what_strangers_write_neither_moves_the_cursor_nor_tells_secrets() {
    let folder = folder();
    let text = "\
tosca_definitions_version: tosca_2_0
imports: [ 'http://turing:lovelace@localhost:1/a.yaml', 'http://localhost:1/b.yaml?jwt=analytical', 'http://localhost:1/c;password=engine' ]
service_template:
  description: \"\\e[2J\\u202Edesrever\"
  inputs: { \"\\a\\e]0;title\": { type: string, default: \"\\r\\e[1A\" }, db_password: { type: string, default: hunter2 } }
";
    folder.write("stranger.yaml", text);
    let imports = text.lines().nth(1).unwrap();
    folder.write("service.yaml", &text.replace(imports, ""));
    let shown = |arguments: &str| {
        let run = folder.run(arguments);
        assert!(!run.out.is_empty() || !run.err.is_empty(), "{arguments}");
        [run.out, run.err].concat()
    };
    for arguments in ["--format full", "--format concise", "--format json", "--verbose"] {
        let shown = shown(&["--offline stranger.yaml ", arguments].concat());
        for secret in ["turing", "lovelace", "analytical", "engine"] {
            assert!(!shown.contains(secret), "{arguments}: {shown}");
        }
    }
    for arguments in [
        "service.yaml",
        "service.yaml --dump",
        "service.yaml --dump --stop-after read",
        "service.yaml --emit json",
        "service.yaml --strict --format json",
        "service.yaml --strict --format jsonl",
        "service.yaml --strict --format sarif",
        "graph service.yaml --format svg",
    ] {
        let shown = shown(arguments);
        let is_harmful = |character: char| character != '\n' && (character.is_control() || character == '\u{202e}');
        assert!(!shown.contains(is_harmful), "{arguments}: {shown:?}");
    }
    assert!(!shown("service.yaml").contains("hunter2"));
}

#[test]
fn wishes_may_be_about_several_rules_or_all_warnings() {
    let folder = folder();
    assert_eq!(folder.run("doubtful.yaml").code, 0);
    assert_eq!(folder.run("doubtful.yaml --deny warnings").code, 1);
    assert_eq!(folder.run("doubtful.yaml --deny warnings --allow T2001,shadowed-name").code, 0);
    let run = folder.run("doubtful.yaml --format concise --allow warnings");
    assert!(run.code == 0 && run.is_quiet(), "{}", run.all());
    assert_eq!(folder.run("doubtful.yaml --warn warnings").code, 2);
}

#[test]
fn strict_mode_minds_the_letter_of_the_standard() {
    let folder = folder();
    assert_eq!(folder.run("doubtful.yaml").code, 0);
    let run = folder.run("--strict doubtful.yaml");
    assert_eq!((run.code, &*run.err), (1, ""));
    assert!(run.out.starts_with("error[T2003]"), "{}", run.out);
}

#[test]
fn single_rules_are_allowed_warned_about_and_denied() {
    let folder = folder();
    let severities = |arguments: &str| -> Vec<(String, Severity)> {
        let run = folder.run(&[arguments, " --format json"].concat());
        let found: Vec<_> =
            document(&run.out).diagnostics.iter().map(|problem| (problem.name.to_string(), problem.severity)).collect();
        assert_eq!(run.code, i32::from(found.iter().any(|(_, severity)| *severity == Severity::Error)), "{arguments}");
        found
    };
    let shadowed = |severity| vec![("shadowed-name".to_owned(), severity)];
    let unknown = |severity| vec![("unknown-name".to_owned(), severity)];
    let cases = [
        ("doubtful.yaml", shadowed(Severity::Warning)),
        ("doubtful.yaml --allow shadowed-name", Vec::new()),
        ("doubtful.yaml --allow T2003", Vec::new()),
        ("doubtful.yaml --deny T2003", shadowed(Severity::Error)),
        ("doubtful.yaml --strict --warn T2003", shadowed(Severity::Warning)),
        ("invalid.yaml --warn unknown-name", unknown(Severity::Warning)),
        ("invalid.yaml --allow T2001", Vec::new()),
        // The last setting of a rule wins.
        ("doubtful.yaml --allow T2003 --deny T2003", shadowed(Severity::Error)),
        ("doubtful.yaml --deny T2003 --warn T2001 --allow shadowed-name", Vec::new()),
        ("validate doubtful.yaml --deny T2003 --allow T2003", Vec::new()),
    ];
    for (arguments, expected) in cases {
        assert_eq!(severities(arguments), expected, "{arguments}");
    }
}

#[test]
fn quirks_let_pass_what_is_not_allowed() {
    let folder = folder();
    folder.write(
        "quirky.yaml",
        "tosca_definitions_version: tosca_2_0\nnode_types:\nservice_template: { node_templates: {} }\n",
    );
    let run = folder.run("quirky.yaml");
    assert_eq!(run.code, 1);
    assert!(run.out.contains("to accept it, add `--quirk null-sections`"), "{}", run.out);
    assert_eq!(folder.run("quirky.yaml --quirk null-sections").code, 0);
    let run = folder.run("quirky.yaml --quirk null-section");
    assert!(run.code == 2 && run.err.contains("did you mean `null-sections`?"), "{}", run.err);
    assert!(folder.run("quirks").out.contains("null-sections"));
}

#[test]
fn quiet_is_errors_only() {
    let folder = folder();
    for arguments in ["--quiet valid.yaml", "-q doubtful.yaml", "-q valid.yaml doubtful.yaml types.yaml"] {
        let run = folder.run(arguments);
        assert!(run.code == 0 && run.is_quiet(), "{arguments}: {}", run.all());
    }
    let run = folder.run("-q doubtful.yaml invalid.yaml --format concise");
    assert_eq!((run.code, &*run.err), (1, ""));
    assert_eq!(run.out, "invalid.yaml:5:18: error[T2001]: there is no node type `Websit`\n");
    // Explicitly requested output is written even with `-q`.
    assert!(folder.run("-q valid.yaml --emit json").out.starts_with('{'));
}

#[test]
fn colour_is_for_terminals() {
    let folder = folder();
    let has_colour = |text: &str| text.contains('\u{1b}');
    // These streams are pipes.
    for arguments in ["invalid.yaml valid.yaml", "invalid.yaml valid.yaml --color never", "explain T2001"] {
        let run = folder.run(arguments);
        assert!(!has_colour(&run.out) && !has_colour(&run.err), "{arguments}");
    }
    let run = folder.run("invalid.yaml valid.yaml --color always");
    assert!(has_colour(&run.out) && run.err.is_empty());
    let run = folder.run("invalid.yaml valid.yaml --emit json --color always");
    assert!(!has_colour(&run.out) && has_colour(&run.err));
    for arguments in ["explain T2001 --color always", "rules --color always"] {
        assert!(has_colour(&folder.run(arguments).out), "{arguments}");
    }
    for arguments in ["--format json", "--format concise"] {
        let run = folder.run(&["invalid.yaml --color always ", arguments].concat());
        assert!(!has_colour(&run.out) && !has_colour(&run.err), "{arguments}");
    }
}

/// Returns the output of the command on a terminal, with or without `NO_COLOR`.
#[cfg(target_os = "linux")]
fn on_a_terminal(folder: &Folder, no_color: &str) -> Option<String> {
    let line = format!("{} invalid.yaml", env!("CARGO_BIN_EXE_tosca-parse"));
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]).current_dir(folder.path());
    command.env("NO_COLOR", no_color).env("TERM", "xterm").stdin(Stdio::null());
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).unwrap();
    // If no terminals are available, the program that creates them reports it.
    text.contains("T2001").then_some(text)
}

#[cfg(target_os = "linux")]
#[test]
fn colour_on_a_terminal_can_be_forbidden() {
    let folder = folder();
    if let (Some(with), Some(without)) = (on_a_terminal(&folder, ""), on_a_terminal(&folder, "1")) {
        assert!(with.contains('\u{1b}'), "{with}");
        assert!(!without.contains('\u{1b}'), "{without}");
    }
}

#[test]
fn inputs_without_values_are_errors_if_that_is_wanted() {
    let text = "tosca_definitions_version: tosca_2_0
service_template:
  inputs: { port: { type: integer }, zone: { type: string, default: a }, note: { type: string, required: false } }
  node_templates: {}
";
    let folder = Folder::new(&[("a.yaml", text)]);
    assert!(folder.run("a.yaml --strict --deny warnings --quiet").is_quiet());
    let run = folder.run("a.yaml --complete --format concise");
    assert_eq!((run.code, &*run.out), (1, "a.yaml:3:13: error[T5111]: input `port` has no value\n"));
    assert_eq!(folder.run("a.yaml --complete --input port=80").code, 0);
    let run = folder.run("a.yaml --warn missing-input --format concise");
    assert_eq!((run.code, &*run.out), (0, "a.yaml:3:13: warning[T5111]: input `port` has no value\n"));
}

#[test]
fn problems_are_on_standard_output_unless_it_has_a_result() {
    let folder = folder();
    for command in ["", "validate", "resolve", "csar check", "doc", "fmt"] {
        let text = if command.starts_with("fmt") { "a: [\n" } else { INVALID.1 };
        folder.write("wrong.yaml", text);
        let run = folder.run(&format!("{command} wrong.yaml"));
        assert!(run.code == 1 && run.out.contains("error[T"), "{command}: {}", run.all());
        assert!(!run.err.contains("error["), "{command}: {}", run.all());
    }
    for command in ["--emit json", "--stop-after read --dump", "graph", "plan", "form", "diff invalid.yaml"] {
        let run = folder.run(&format!("{command} invalid.yaml"));
        let has_problem = command.contains("read") || run.err.contains("error[T2001]");
        assert!(!run.out.contains("error[") && has_problem, "{command}: {}", run.all());
    }
}

#[test]
fn runs_over_folders_are_short() {
    let folder = Folder::new(&[("all/types.yaml", TYPES.1)]);
    let wrong =
        "tosca_definitions_version: tosca_2_0\nimports: [ types.yaml ]\nnode_types: { A: { derived_from: Sit } }\n";
    for number in 0..5 {
        folder.write(&format!("all/{number}.yaml"), wrong);
    }
    let shown = |arguments: &str| {
        let run = folder.run(arguments);
        assert!(run.err.is_empty(), "{}", run.all());
        (run.out.matches("there is no node type `Sit`").count(), run.out)
    };
    let (number, out) = shown("all");
    assert!(number == 3 && out.contains("\n2 more problems like this; `--max-same 0` shows them\n"), "{out}");
    assert!(
        !out.contains("types.yaml\n") && out.contains("invalid  all/4.yaml (1 error)\n1 of 6 files is valid\n"),
        "{out}"
    );
    assert!(out.ends_with("5 errors in 5 files, 5 fixable with `--unsafe-fixes`\n"), "{out}");
    assert_eq!([shown("all --max-same 0").0, shown("all --max-same 1").0, shown("all --format concise").0], [5, 1, 5]);
    let files = "all/0.yaml all/1.yaml all/2.yaml all/3.yaml";
    assert_eq!([shown(files).0, shown(&format!("{files} --max-same 2")).0], [4, 2]);
    for arguments in ["--format json", "--statistics"] {
        assert_eq!(folder.run(&format!("all --max-same 2 {arguments}")).code, 2);
    }
}

#[test]
fn unavailable_files_have_their_own_exit_code() {
    let folder = folder();
    folder.write("remote.yaml", "tosca_definitions_version: tosca_2_0\nimports: [ 'https://example.com/a.yaml' ]\n");
    folder.write("local.yaml", "tosca_definitions_version: tosca_2_0\nimports: [ missing.yaml ]\n");
    for (arguments, code) in [
        ("missing.yaml", 3),
        ("valid.yaml missing.yaml --format json", 3),
        ("doubtful.yaml missing.yaml", 3),
        ("doubtful.yaml missing.yaml --fail-on warning", 1),
        ("missing.yaml --exit-zero", 0),
        ("missing.yaml --allow not-found", 0),
        ("invalid.yaml missing.yaml", 1),
        ("--offline remote.yaml", 3),
        ("--offline remote.yaml local.yaml", 1),
        ("local.yaml", 1),
        ("valid.yaml --inputs missing.yaml", 3),
        ("--emit json missing.yaml", 3),
        ("resolve missing.yaml", 3),
        ("graph missing.yaml", 3),
        ("plan missing.yaml", 3),
        ("form missing.yaml", 3),
        ("doc missing.yaml", 3),
        ("migrate missing.yaml --to tosca_2_0", 3),
        ("fmt missing.yaml", 3),
        ("diff missing.yaml valid.yaml", 3),
        ("diff missing.yaml valid.yaml --exit-code", 2),
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.code, code, "{arguments}: {}", run.all());
    }
}

#[test]
fn outputs_never_replace_inputs() {
    const TEXT: &str = "tosca_definitions_version: tosca_2_0\nservice_template: { node_templates: {} }\n";
    let folder = Folder::new(&[("a.yaml", TEXT), ("b.yaml", TEXT)]);
    std::fs::create_dir(folder.path().join("c")).unwrap();
    for arguments in [
        "a.yaml --emit json -o a.yaml",
        ". --format json -o c/../b.yaml",
        "graph a.yaml -o a.yaml",
        "plan a.yaml -o ./a.yaml",
        "plan a.yaml --from b.yaml -o b.yaml",
        "diff a.yaml b.yaml -o b.yaml",
        "form a.yaml -o a.yaml",
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.code, 2, "{arguments}: {}", run.all());
        assert!(run.err.contains("is an input, so the output would replace it"), "{arguments}: {}", run.err);
        let content = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(["a.yaml", "b.yaml"].iter().all(|name| content(name) == TEXT), "{arguments}");
    }
    assert_eq!(folder.run("diff a.yaml b.yaml -o c.txt").code, 0);
}

/// Both importers read the file at the same time.
#[test]
fn a_file_without_a_version_is_read_in_the_language_of_each_importer() {
    let folder = Folder::new(&[
        ("blueprint.yaml", "tosca_definitions_version: cloudify_dsl_1_3\nimports: [ x.yaml ]\n"),
        ("service.yaml", "tosca_definitions_version: tosca_simple_yaml_1_3\nimports: [ x.yaml ]\n"),
        ("x.yaml", "x\n"),
    ]);
    let first = folder.run("blueprint.yaml service.yaml --format concise --jobs 1").all();
    assert!(first.contains("a blueprint must be a map") || first.contains("the blueprint must be a map"), "{first}");
    for _ in 0..20 {
        assert_eq!(folder.run("blueprint.yaml service.yaml --format concise --jobs 2").all(), first);
    }
}
