//! Actions that an untrusted template, configuration, archive or server can't cause: see `docs/security.md`.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use super::*;

/// A text that moves the cursor, hides and reverses other text, and gives commands on separate lines.
const HOSTILE: &str =
    "a\u{1b}]0;owned\u{7}\u{1b}[31m\u{9b}8m\r\u{202e}\u{2066}\u{200b}\u{feff}\n::error::owned\n  ::add-mask::owned\n";

/// Returns the text in double quotes, for YAML and JSON.
fn quoted() -> String {
    serde_json::to_string(HOSTILE).unwrap()
}

/// Asserts that the output of a run contains nothing harmful.
fn assert_harmless(run: &Run, arguments: &str) {
    for (stream, text) in [("output", &run.out), ("errors", &run.err)] {
        for line in text.lines() {
            let is_harmful = |character: char| {
                matches!(character, '\0'..='\x08' | '\x0b'..='\x1f' | '\x7f'..='\u{9f}' | '\u{200b}' | '\u{feff}')
                    || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            };
            assert!(!line.contains(is_harmful), "{arguments}: {stream}: {line:?}");
            let command = line.trim_start();
            let is_ours = arguments.contains("--format github") && line.starts_with("::") && line.contains(" file=");
            assert!(!command.starts_with("::") || is_ours, "{arguments}: {stream}: {line:?}");
        }
        // The text is shown, and in one line.
        assert!(!text.lines().any(|line| line.trim() == "owned"), "{arguments}: {stream}");
    }
}

/// Returns a template with the text in every field that accepts one.
fn template() -> String {
    let text = quoted();
    format!(
        "tosca_definitions_version: tosca_2_0
description: {text}
metadata: {{ {text}: {text} }}
dsl_definitions: {{ {text}: &anchor {{ {text}: {text} }} }}
node_types:
  {text}: {{ description: {text}, properties: {{ {text}: {{ type: string, default: {text} }} }} }}
  T:
    derived_from: {text}
    metadata: {{ a: {text} }}
    interfaces: {{ {text}: {{ type: I }} }}
interface_types: {{ I: {{ operations: {{ create: {{}} }} }} }}
service_template:
  description: {text}
  inputs: {{ {text}: {{ type: string, default: {text}, description: {text} }}, other: {{ type: string, default: {text} }} }}
  node_templates:
    {text}:
      type: {text}
      description: {text}
      properties: {{ {text}: {text} }}
    second:
      type: T
      metadata: {{ a: {text} }}
      interfaces: {{ {text}: {{ operations: {{ create: {{ implementation: {text}, inputs: {{ {text}: {text} }} }} }} }} }}
  outputs: {{ {text}: {{ value: {text} }} }}
  groups: {{}}
  workflows: {{ {text}: {{ steps: {{ {text}: {{ target: second, activities: [ {{ set_state: {text} }} ] }} }} }} }}
"
    )
}

#[test]
fn hostile_text_of_templates_is_harmless_everywhere() {
    let folder = Folder::new(&[
        ("a.yaml", &template()),
        ("other.yaml", &template().replace("second:", "third:").replace("target: second", "target: third")),
    ]);
    // All kinds of problems: unknown names, keynames and values, even in a file name.
    let wrong = template().replace("type: T\n", &format!("type: {}\n", quoted().replace('a', "b")))
        + &format!("{}: 1\n", quoted());
    folder.write("b.yaml", &wrong);
    folder
        .write("c.yaml", &format!("tosca_definitions_version: {0}\nimports: [ {0}, {{ profile: {0} }} ]\n", quoted()));
    #[cfg(unix)]
    folder.write("::error::d\u{1b}[31m\u{202e}.yaml", &wrong);
    folder.write(
        "loop.yaml",
        &format!(
            "tosca_definitions_version: tosca_2_0
capability_types: {{ C: {{}} }}
relationship_types: {{ R: {{}} }}
node_types:
  T: {{ capabilities: {{ c: C }}, requirements: [ r: {{ capability: C, relationship: R, node: T }} ] }}
service_template:
  node_templates:
    {0}: {{ type: T, requirements: [ r: second ] }}
    second: {{ type: T, requirements: [ r: {0} ] }}
",
            quoted()
        ),
    );
    let formats = ["full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit"];
    for format in formats {
        let arguments = format!(". --format {format} --warn lints");
        assert_harmless(&folder.run(&arguments), &arguments);
    }
    for arguments in [
        "a.yaml",
        "a.yaml --emit json",
        "a.yaml --emit json --pretty",
        "a.yaml --emit yaml",
        "a.yaml --evaluate --emit yaml",
        "a.yaml --dump",
        "a.yaml --dump --stop-after read",
        "a.yaml --dump --stop-after namespaces",
        "a.yaml --dump --stop-after hierarchies",
        "a.yaml --dump --stop-after inheritance",
        "a.yaml --verbose",
        "b.yaml --statistics",
        "resolve a.yaml",
        "plan a.yaml",
        "plan loop.yaml",
        "graph loop.yaml --show plan",
        "graph a.yaml --show types",
        "graph a.yaml --show imports",
        "graph a.yaml --format html",
        "graph a.yaml --format d2 --nest --legend",
        "graph a.yaml --format plantuml",
        "graph a.yaml --format graphml",
        "plan a.yaml --format json",
        "plan a.yaml --format dot",
        "plan a.yaml --format mermaid",
        "plan a.yaml --format svg",
        "plan a.yaml --from other.yaml",
        "diff a.yaml other.yaml",
        "diff a.yaml other.yaml --format json",
        "diff a.yaml b.yaml",
        "graph a.yaml",
        "graph a.yaml --properties 9",
        "graph a.yaml --format mermaid",
        "graph a.yaml --format svg",
        "form a.yaml",
        "form a.yaml --format json",
        "b.yaml --diff --unsafe-fixes",
        "b.yaml --add-ignore --diff",
        "migrate a.yaml --diff",
        "b.yaml --write-baseline",
        "b.yaml --baseline=tosca-parse-baseline.json",
        "a.yaml --baseline=tosca-parse-baseline.json",
        "profiles",
        "csar create . --entry a.yaml -o x.csar",
        "csar list x.csar",
        "csar check x.csar",
        "csar extract x.csar out",
    ] {
        let run = folder.run(arguments);
        assert!(run.code < 2 || arguments.contains("--emit yaml"), "{arguments}: {}", run.err);
        assert_harmless(&run, arguments);
    }
}

#[test]
fn hostile_text_of_configurations_is_harmless_everywhere() {
    let text = quoted();
    let own = format!(
        "custom_rules: {{ a-b: {{ kind: node template, condition: {{ $equal: [ {text}, {text} ] }}, message: {text}, help: {text} }} }}\n"
    );
    for configuration in [
        format!("{text}: 1\n"),
        format!("rules: {{ {text}: allow }}\n"),
        format!("rules: {{ unknown-name: {text} }}\n"),
        format!("quirks: [ {text} ]\n"),
        format!("functions: [ {text} ]\n"),
        format!("limits: {{ {text}: 1 }}\n"),
        format!("limits: {{ archive-ratio: {text} }}\n"),
        format!("map_url: {{ {text}: {text} }}\n"),
        format!("map_url: {{ \"http://a/{}: . }}\n", &text[1..]),
        format!("profile_paths: [ {text} ]\nimport_paths: [ {text} ]\n"),
        format!("profile_paths: [ /{} ]\n", "a"),
        format!("exclude: [ {text} ]\n"),
        format!("exclude: [ \"[{} ]\n", &text[1..]),
        format!("baseline: {text}\n"),
        format!("inputs: {{ {text}: {text} }}\n"),
        format!("custom_rules: {{ {text}: {{ kind: {text}, condition: false, message: {text} }} }}\n"),
        format!("custom_rules: {{ a-b: {{ kind: {text}, condition: false, message: {text} }} }}\n"),
        format!(
            "custom_rules: {{ a-b: {{ kind: node template, type: {text}, path: {text}, condition: false, message: {text}, help: {text} }} }}\n"
        ),
        own.clone(),
        format!("a: *{text}\n"),
        HOSTILE.to_owned(),
    ] {
        let folder = Folder::new(&[VALID, TYPES, INVALID, ("tosca-parse.yaml", &configuration)]);
        for arguments in [
            "valid.yaml",
            "invalid.yaml --format github",
            "valid.yaml --sandbox",
            "config show",
            "rules",
            "explain a-b",
            "profiles",
            "plan valid.yaml",
            "csar list valid.yaml",
        ] {
            assert_harmless(&folder.run(arguments), &format!("{configuration:?}: {arguments}"));
        }
    }
}

#[test]
fn hostile_names_of_archive_entries_are_harmless() {
    let folder = Folder::new(&[]);
    let mut zip = zip::ZipWriter::new(std::fs::File::create(folder.path().join("a.csar")).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    for name in ["service.yaml", "::error::b\u{1b}[31m\u{202e}.txt", "c\r\n::error::c.txt"] {
        zip.start_file(name, options).unwrap();
        zip.write_all(b"tosca_definitions_version: tosca_2_0\n").unwrap();
    }
    zip.finish().unwrap();
    for arguments in
        ["csar list a.csar", "csar check a.csar", "csar extract a.csar out", "a.csar --format github", "a.csar"]
    {
        assert_harmless(&folder.run(arguments), arguments);
    }
}

#[test]
fn hostile_text_of_other_languages_is_harmless() {
    let text = quoted();
    let folder = Folder::new(&[
        ("a.yay", &format!("a: {text}\nb: {{{{ {text} }}}}\n")),
        ("b.yay", &format!("a: {{{{ {text}.x }}}}\n{text}: {{{{ y }}}}\n")),
    ]);
    folder.write("data.yaml", &format!("a: {text}\n"));
    folder.write("bad.yaml", &format!("{text}: *{text}\n"));
    for arguments in [
        "yay json a.yay",
        "yay yaml a.yay",
        "yay check b.yay",
        "yay json b.yay",
        "yaql $ data.yaml",
        "yaql $.b.c(1) data.yaml",
        "yaql $ bad.yaml",
        "yay graph a.yay",
        "murano check .",
    ] {
        assert_harmless(&folder.run(arguments), arguments);
    }
}

#[test]
fn lines_of_other_files_are_not_shown() {
    let folder = Folder::new(&[
        ("secret", "TOKEN=hunter2\0\n"),
        ("netrc", "machine: [ hunter2\n"),
        ("twice", "hunter2: 1\nhunter2: 2\n"),
    ]);
    folder.write("types", "tosca_definitions_version: tosca_2_0\nnode_typos: { hunter3: {} }\n");
    for name in ["secret", "netrc", "twice"] {
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path().join(name), folder.path().join(format!("{name}.yaml"))).unwrap();
        let imported = if cfg!(unix) { format!("{name}, {name}.yaml") } else { name.to_owned() };
        folder.write("a.yaml", &format!("tosca_definitions_version: tosca_2_0\nimports: [ {imported} ]\n"));
        for format in ["full", "concise", "json", "sarif", "github"] {
            let run = folder.run(&format!("a.yaml --format {format}"));
            assert!(run.code == 1 && !run.all().contains("hunter2"), "{name}: {}", run.all());
            assert!(run.all().contains(name), "{}", run.all());
        }
        // The user names it.
        let run = folder.run(name);
        assert!(run.all().contains("hunter2"), "{name}: {}", run.all());
    }
    folder.write("a.yaml", "tosca_definitions_version: tosca_2_0\nimports: [ types ]\n");
    let run = folder.run("a.yaml");
    assert!(run.out.contains("hunter3"), "a template by its content: {}", run.all());
}

#[test]
fn lines_of_other_files_are_not_shown_by_evaluations() {
    let folder = Folder::new(&[("secret", "hunter2\n"), ("p/manifest.yaml", PACKAGE)]);
    let mut included = vec!["secret"];
    let mut runs = Vec::new();
    #[cfg(unix)]
    {
        std::fs::create_dir(folder.path().join("p/Classes")).unwrap();
        for link in ["secret.yay", "p/Classes/A.yaml"] {
            std::os::unix::fs::symlink(folder.path().join("secret"), folder.path().join(link)).unwrap();
        }
        included.push("secret.yay");
        runs.push(folder.run("murano schema t.A --package-path p"));
        std::fs::create_dir(folder.path().join("q")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("secret"), folder.path().join("q/manifest.yaml")).unwrap();
        runs.push(folder.run("murano check q"));
    }
    for name in included {
        folder.write("a.yay", &format!("include \"{name}\"\na: 1\n"));
        runs.extend(["json", "yaml", "check", "fold"].map(|command| folder.run(&format!("yay {command} a.yay"))));
        let run = folder.run(&format!("yay check {name}"));
        assert!(run.all().contains("hunter2"), "the user names it: {}", run.all());
    }
    for run in runs {
        assert!(run.code == 1 && !run.all().contains("hunter2") && run.all().contains("error["), "{}", run.all());
    }
    folder.write("b.yay", "hunter3\n");
    folder.write("a.yay", "include \"b.yay\"\n");
    let run = folder.run("yay check a.yay");
    assert!(run.all().contains("hunter3"), "a document by its name: {}", run.all());
}

#[cfg(unix)]
#[test]
fn lines_of_other_files_are_not_shown_by_tests_and_configurations() {
    let template = "tosca_definitions_version: tosca_2_0\n";
    for text in ["hunter2\n", "hunter2: 1\nhunter2: 2\n", "hunter2: [ hunter2 ]\n"] {
        let folder = Folder::new(&[("secret", text), ("a.yaml", template), ("t/b.yaml", template)]);
        let link =
            |name: &str| std::os::unix::fs::symlink(folder.path().join("secret"), folder.path().join(name)).unwrap();
        link("t/b_test.yaml");
        let run = folder.run("test t");
        assert!(run.code > 0 && run.all().contains("b_test.yaml") && !run.all().contains("hunter2"), "{}", run.all());
        let run = folder.run("a.yaml --config secret");
        assert!(run.code == 2 && run.err.contains("hunter2"), "the user names it: {}", run.all());
        link("tosca-parse.yaml");
        let run = folder.run("a.yaml");
        let message = "the file that the link leads to is not a valid configuration";
        assert!(run.code == 2 && run.err.contains(message) && !run.all().contains("hunter2"), "{}", run.all());
    }
}

#[test]
fn messages_about_attributes_and_drawings_of_yay_are_printable() {
    let folder = Folder::new(&[
        ("a.yaml", "tosca_definitions_version: tosca_2_0\n"),
        ("kind.yaml", "a: \"x\\u202e##[add-mask]y\"\n"),
        ("twice.yaml", "\"a\\u202e\": 1\n\"a\\u202e\": 2\n"),
        ("a.yay", "include \"x\u{1b}[31m\"\n"),
    ]);
    for command in
        ["a.yaml --evaluate --attributes kind.yaml", "a.yaml --evaluate --attributes twice.yaml", "yay dot a.yay"]
    {
        let run = folder.run(command);
        let all = run.all();
        assert!(!all.contains(['\u{202e}', '\u{1b}']) && !all.contains("##["), "{command}: {all:?}");
    }
    assert!(folder.run("yay dot a.yay").out.contains("x␛[31m"));
}

const PACKAGE: &str = "Format: 1.4\nType: Library\nFullName: t\nClasses: { t.A: A.yaml }\n";

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_read() {
    let folder = Folder::new(&[("p/manifest.yaml", PACKAGE), ("m.json", "{ \"?\": { type: t.A, id: a } }\n")]);
    folder.write("a.yaml", "tosca_definitions_version: tosca_2_0\n");
    folder.write("p/Classes/A.yaml", "Name: t.A\n");
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero")).unwrap();
    let pipe = |path: &str| {
        let path = folder.path().join(path);
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    pipe("pipe");
    for named in ["pipe", "zero"] {
        for arguments in [
            format!("yaql $ {named}"),
            format!("a.yaml --evaluate --attributes {named}"),
            format!("murano run {named} a.m --package-path p"),
        ] {
            let run = folder.run(&arguments);
            assert!(run.code > 0 && run.err.contains("not a file"), "{arguments}: {}", run.all());
        }
    }
    let path = folder.path().join("p/Classes/A.yaml");
    for class in ["pipe", "zero"] {
        std::fs::remove_file(&path).unwrap();
        match class {
            "pipe" => pipe("p/Classes/A.yaml"),
            _ => std::os::unix::fs::symlink("/dev/zero", &path).unwrap(),
        }
        for command in ["murano run m.json a.m", "murano dump m.json", "murano schema t.A"] {
            let run = folder.run(&format!("{command} --package-path p"));
            assert!(run.code > 0 && run.all().contains("not a file"), "{class}: {command}: {}", run.all());
        }
    }
}

#[test]
fn configurations_of_projects_only_narrow() {
    let folder = Folder::new(&[("outside/secret", "hunter2: 1\n"), ("p/lib/types.yaml", TYPES.1)]);
    folder.write("outside/types.yaml", TYPES.1);
    folder.write("p/a.yaml", &VALID.1.replace("types.yaml", "any/types.yaml"));
    let outside = folder.path().join("outside");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&outside, folder.path().join("p/link")).unwrap();
    for (path, is_inside) in [
        ("lib", true),
        ("./lib", true),
        ("../outside", false),
        ("~/outside", false),
        (outside.to_str().unwrap(), false),
        ("lib/../../outside", false),
        ("link", false),
    ] {
        folder.write("p/tosca-parse.yaml", &format!("import_paths: [ {path} ]\n"));
        let mut command = folder.command("p/a.yaml --sandbox");
        let run = Run::of(command.env("HOME", folder.path()));
        assert_eq!(run.code == 0, is_inside, "{path}: {}", run.all());
        assert_eq!(
            run.err.contains("is ignored, because it is outside the project"),
            !is_inside,
            "{path}: {}",
            run.err
        );
        // Without a sandbox, a template may import it by its path anyway.
        let mut command = folder.command("p/a.yaml");
        let run = Run::of(command.env("HOME", folder.path()));
        assert_eq!(run.code, 0, "{path}: {}", run.all());
    }
    let settings = "profile_paths: [ /etc ]\nmap_url: { 'http://a/': /etc }\nbaseline: /etc/hosts\n";
    folder.write("p/tosca-parse.yaml", settings);
    folder.write("p/a.yaml", "tosca_definitions_version: tosca_2_0\n");
    let run = folder.run("p/a.yaml --sandbox");
    for key in ["profile_paths", "map_url", "baseline"] {
        assert!(run.code == 0 && run.err.contains(&format!("{key}: `/etc")), "{}", run.all());
    }
    // The user's configuration may.
    folder.write("user.yaml", &format!("import_paths: [ {} ]\nlimits: {{ archive-ratio: 1000 }}\n", outside.display()));
    folder.write("p/tosca-parse.yaml", "limits: { archive-ratio: 900, source-size: 1G, http-time: 3600s }\n");
    folder.write("p/a.yaml", &VALID.1.replace("types.yaml", "any/types.yaml"));
    let run = folder.run("p/a.yaml --sandbox --config user.yaml");
    assert_eq!(run.code, 0, "{}", run.all());
    assert!(!run.err.contains("archive-ratio") && run.err.contains("limits: source-size: ignored"), "{}", run.err);
    assert!(run.err.contains("limits: http-time: ignored"), "{}", run.err);
}

#[test]
fn baselines_outside_of_a_project_are_not_changed() {
    let known =
        "{\n  \"problems\": [\n    {\"file\":\"gone.yaml\",\"rule\":\"T2001\",\"at\":\"x\",\"count\":1}\n  ]\n}\n";
    let folder = Folder::new(&[("outside.json", known), ("p/tosca-parse.yaml", "baseline: ../outside.json\n")]);
    folder.write("p/a.yaml", "tosca_definitions_version: tosca_2_0\n");
    let mut command = folder.command("a.yaml --prune-baseline");
    let run = Run::of(command.current_dir(folder.path().join("p")));
    assert!(run.code == 2 && run.err.contains("is outside the project"), "{}", run.all());
    assert_eq!(std::fs::read_to_string(folder.path().join("outside.json")).unwrap(), known);
}

/// Starts a local server that answers every request with a text, and returns its port.
fn server(text: impl Fn(&str) -> String + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            let first = lines.next().unwrap_or_default();
            lines.by_ref().take_while(|line| !line.is_empty()).for_each(drop);
            let text = text(first.split(' ').nth(1).unwrap_or_default());
            let _ =
                write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{text}", text.len());
        }
    });
    port
}

#[test]
fn documents_from_the_network_do_not_lead_into_a_private_one() {
    let header = "tosca_definitions_version: tosca_2_0\n";
    let secret = server(move |_| header.to_owned());
    let entry = server(move |path| match path {
        "/a.yaml" => format!("{header}imports: [ b.yaml ]\n"),
        "/b.yaml" => header.to_owned(),
        "/archive.yaml" => format!("{header}imports: [ 'http://127.0.0.1:{secret}/a.csar' ]\n"),
        "/name.yaml" => format!("{header}imports: [ 'http://localhost:{secret}/s.yaml' ]\n"),
        "/number.yaml" => format!("{header}imports: [ 'http://2130706433:{secret}/s.yaml' ]\n"),
        _ => format!("{header}imports: [ 'http://127.0.0.1:{secret}/s.yaml' ]\n"),
    });
    let folder = Folder::new(&[]);
    let local = format!("{header}imports: [ 'http://127.0.0.1:{entry}/a.yaml', 'http://127.0.0.1:{secret}/s.yaml' ]\n");
    folder.write("local.yaml", &local);
    let run = |arguments: &str| {
        let mut command = folder.command(arguments);
        Run::of(command.env("NO_PROXY", "*").env("no_proxy", "*"))
    };
    // A local document, and documents of the same server.
    assert_eq!(run("local.yaml").code, 0, "{}", run("local.yaml").err);
    let url = |path: &str| format!("http://127.0.0.1:{entry}/{path}");
    assert_eq!(run(&url("a.yaml")).code, 0);
    for path in ["other.yaml", "archive.yaml", "name.yaml", "number.yaml"] {
        let refused = run(&url(path));
        assert!(refused.code == 1 && refused.out.contains("private address"), "{path}: {}", refused.all());
        let allowed = run(&format!("{} --allow-private-network", url(path)));
        assert!(!allowed.out.contains("private address"), "{path}: {}", allowed.all());
    }
    // A local document also names it, in either order.
    for imports in [["other.yaml", "s"], ["s", "other.yaml"]] {
        let imports = imports.map(|name| match name {
            "s" => format!("'http://127.0.0.1:{secret}/s.yaml'"),
            name => format!("'{}'", url(name)),
        });
        folder.write("both.yaml", &format!("{header}imports: [ {} ]\n", imports.join(", ")));
        for _ in 0..5 {
            assert_eq!(run("both.yaml").code, 0, "{}", run("both.yaml").err);
        }
    }
}

#[test]
fn sandboxed_documents_from_the_network_include_nothing() {
    let port = server(|path| match path {
        "/a.yay" => "include \"b.yay\"\n".to_owned(),
        _ => "x: 1\n".to_owned(),
    });
    let folder = Folder::new(&[]);
    let run = |arguments: &str| {
        let mut command = folder.command(arguments);
        Run::of(command.env("NO_PROXY", "*").env("no_proxy", "*"))
    };
    let url = format!("http://127.0.0.1:{port}");
    assert_eq!(run(&format!("yay get x {url}/a.yay")).out, "1\n");
    assert_eq!(run(&format!("yay get x --sandbox {url}/b.yay")).out, "1\n");
    for arguments in ["", &format!("--search {url}")] {
        let refused = run(&format!("yay get x --sandbox {url}/a.yay {arguments}"));
        assert!(refused.code == 1 && refused.err.contains("Y1003"), "{arguments}: {}", refused.all());
    }
}

#[cfg(unix)]
#[test]
fn actions_read_every_line() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new(&[("arguments.sh", "#!/usr/bin/env bash\nprintf '%s\\n' \"$@\"\n")]);
    let program = folder.path().join("arguments.sh");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    for (files, expected) in
        [("a.yaml\r\nb.yaml\n\n c.yaml d.yaml\n", "a.yaml\nb.yaml\nc.yaml\nd.yaml\n"), (".", ".\n")]
    {
        let mut command = Command::new("bash");
        command
            .arg(root().join(".ci/action/validate.sh"))
            .env("TOSCA_PARSE", &program)
            .env("GITHUB_OUTPUT", folder.path().join("output"))
            .env("SARIF", "")
            .env("FILES", files)
            .env("ARGUMENTS", "--strict\n--quiet");
        let Ok(output) = command.current_dir(folder.path()).output() else { return };
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text, format!("validate\n--format\ngithub\n--strict\n--quiet\n--\n{expected}"));
        assert!(output.status.success());
    }
}

#[test]
fn workflows_pin_actions_and_permissions() {
    for name in ["ci.yml", "release.yml"] {
        let text = std::fs::read_to_string(root().join(".github/workflows").join(name)).unwrap();
        for line in text.lines().filter(|line| line.contains("uses:")) {
            let (_, version) = line.split_once('@').unwrap();
            let hash = version.split(' ').next().unwrap();
            assert!(hash.len() == 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}: {line}");
        }
        let workflow: serde_json::Value = serde_yaml::from_str(&text).unwrap();
        let all = &workflow["permissions"];
        assert!(*all == serde_json::json!({}) || *all == serde_json::json!({ "contents": "read" }), "{name}: {all}");
        assert!(!text.contains("env:\n      GH_TOKEN"), "{name}: a whole job has the token");
    }
}
