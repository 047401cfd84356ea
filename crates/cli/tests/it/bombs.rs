//! Input that would exhaust memory without limits.

use std::fmt::Write as _;
use std::process::Command;

use super::Folder;

/// Aliases and brackets that expand to far more than the memory limit of the process.
#[test]
fn bombs_do_not_fill_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("service.yaml");
    let mut bomb =
        format!("tosca_definitions_version: tosca_2_0\ndsl_definitions:\n  l0: &l0 {{ a: {} }}\n", "x".repeat(1000));
    for number in 1..30 {
        let items: Vec<String> = (0..10).map(|key| format!("k{key}: *l{}", number - 1)).collect();
        writeln!(bomb, "  l{number}: &l{number} {{ {} }}", items.join(", ")).unwrap();
    }
    bomb += "metadata: *l29\nnode_types: *l29\n";
    for text in [bomb, format!("tosca_definitions_version: tosca_2_0\nmetadata: {}", "[".repeat(1_000_000))] {
        std::fs::write(&path, text).unwrap();
        // In KiB: little more than a process with a few threads reserves.
        let limited = "ulimit -v 1000000; exec \"$0\" --format concise \"$1\"";
        let output = Command::new("sh")
            .args(["-c", limited, env!("CARGO_BIN_EXE_tosca-parse")])
            .arg(&path)
            .env("RAYON_NUM_THREADS", "2")
            .env("XDG_CONFIG_HOME", folder.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Each file of a chain imports all files after it, so their imports grow with the square of their number.
#[test]
fn a_run_has_a_limit_on_its_imports() {
    let text = |number: usize| {
        let import = if number == 119 { String::new() } else { format!("imports: [ f{:03}.yaml ]\n", number + 1) };
        format!("tosca_definitions_version: tosca_2_0\n{import}descripton: x\nnode_types: {{ N{number}: {{}} }}\n")
    };
    let files: Vec<(String, String)> = (0..120).map(|number| (format!("c/f{number:03}.yaml"), text(number))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let folder = Folder::new(&files);

    // Each file has 97 to 99 bytes, so 6 of its imports don't count. Its problem counts as an import, as do four problems
    // in other files, and 16 imports that these name. All this exceeds 6000 after 52 files.
    let run = folder.run("c --format concise --limit import-total=6000 --jobs 1");
    let unread: Vec<&str> = run.out.lines().filter(|line| line.contains("[T1406]")).collect();
    assert!(run.code == 1 && unread.len() == 68, "{}", run.all());
    let first = "c/f052.yaml:1:1: error[T1406]: not checked, because the imports of the files before, and what counts as \
                 imports, exceed the limit (6000 in all)";
    assert!(unread[0].starts_with(first), "{}", unread[0]);
    for jobs in ["--jobs 2", "--jobs 3"] {
        let other = folder.run(&format!("c --format concise --limit import-total=6000 {jobs}"));
        assert_eq!((other.code, &other.out), (run.code, &run.out), "{jobs}");
    }
    let run = folder.run("index c -o index --limit import-total=6000");
    let text = "warning: 68 templates are omitted; raise the limit with `--limit import-total=…`";
    assert!(run.code == 1 && run.err.contains(text), "{}", run.all());
    for (command, done) in [("doc c -o doc", "documented"), ("graph c --show substitutions", "drawn")] {
        let run = folder.run(&format!("{command} --limit import-total=6000"));
        let text = format!("error: 68 files are not {done}, because the imports of the files before");
        assert!(run.code == 1 && run.err.contains(&text), "{}", run.all());
    }
    // The first file is read again, because it is the first to show what has to be changed.
    let run = folder.run("c --diff --limit import-total=6000");
    let text = "warning: 48 files are not changed, because the imports of the files before, and what counts as imports, exceed";
    assert!(run.code == 1 && run.err.starts_with(text), "{}", run.all());

    let run = folder.run("migrate c --diff --limit import-total=10");
    assert!(run.code == 2 && run.err.contains("what counts as imports, exceed the limit (10 in all)"), "{}", run.all());
    let run = folder.run("migrate c --diff");
    assert!(run.code != 2 && !run.err.contains("in all"), "{}", run.all());

    let run = folder.run("c --format concise");
    assert!(run.code == 1 && !run.out.contains("[T1406]"), "{}", run.all());
    assert_eq!(folder.run("index c").code, 0);
}

/// An archive can have many templates, which import each other in the same way.
#[test]
fn an_archive_has_a_limit_on_its_imports() {
    let names: Vec<String> = (0..12).map(|number| format!("f{number:02}.yaml")).collect();
    let text = |number: usize| {
        let import = names.get(number + 1).map(|name| format!("imports: [ {name} ]\n")).unwrap_or_default();
        format!("tosca_definitions_version: tosca_2_0\n{import}node_types: {{ N{number}: {{}} }}\n")
    };
    let meta = format!(
        "CSAR-Version: 2.0\nCreated-By: Ada\nEntry-Definitions: {}\nOther-Definitions: {}\n",
        names[0],
        names[1..].join(" ")
    );
    let files: Vec<(String, String)> =
        names.iter().enumerate().map(|(number, name)| (format!("a/{name}"), text(number))).collect();
    let mut files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    files.push(("a/TOSCA.meta", &meta));
    let folder = Folder::new(&files);
    assert_eq!(folder.run("csar create a").code, 0);

    // Each template has 80 to 95 bytes, so 5 of its imports don't count. The first 4 templates have 18 others.
    let run = folder.run("a.csar --format concise --limit import-total=17");
    let unread: Vec<&str> = run.out.lines().filter(|line| line.contains("[T1406]")).collect();
    assert!(run.code == 1 && unread.len() == 8 && unread[0].starts_with("a.csar!/f04.yaml:1:1: "), "{}", run.all());
    let run = folder.run("index a.csar -o index --limit import-total=17");
    assert!(run.code == 1 && run.err.contains("warning: 8 templates are omitted; "), "{}", run.all());
    let run = folder.run("a.csar --format concise");
    assert!(run.code == 0 && !run.out.contains("[T1406]"), "{}", run.all());
}

/// Everything that is done again for each file counts, even if it adds no source.
#[test]
fn repeated_work_counts_like_imports() {
    let version = "tosca_definitions_version: tosca_2_0\n";
    let repeat = |item: fn(usize) -> String| (0..400).map(item).collect::<Vec<_>>().concat();
    // 400 missing sources, each with a problem and the name of a file.
    let missing = format!("imports: [ {} ]\n", repeat(|number| format!("m{number}, ")));
    // One source, another 399 imports, and the names of files.
    let again = format!("imports: [ {} ]\n", repeat(|_| "b.yaml, ".to_owned()));
    let problems = format!("node_types:\n{}", repeat(|number| format!("  T{number}: {{ descripton: x }}\n")));
    let artifacts = repeat(|number| format!("      a{number}: {{ type: A, file: b.yaml }}\n"));
    let named = format!("artifact_types: {{ A: {{}} }}\nnode_types:\n  T:\n    artifacts:\n{artifacts}");
    let names = format!("node_types:\n{}", repeat(|number| format!("  T{number}: {{}}\n")));
    let misspelled = "service_template: { node_templates: { n: { type: Z } } }\n";
    let members = repeat(|number| format!("p{number}: {{ type: string, required: false }}, "));
    let members = format!("node_types: {{ T: {{ properties: {{ {members} }} }} }}\n");
    let misspelled_member = "service_template: { node_templates: { n: { type: T, properties: { z: a } } } }\n";
    let derived = "node_types: { U: { derived_from: T } }\n";
    let template = "service_template: { node_templates: { n: { type: T } } }\n";
    let calls = repeat(|number| format!("p{number}: {{ type: string, default: {{ $get_property: [ SELF, q ] }} }}, "));
    let calls = format!("node_types: {{ T: {{ properties: {{ {calls} q: {{ type: string, default: a }} }} }} }}\n");
    let numbers = (0..2_000).map(|number| number.to_string()).collect::<Vec<_>>().join(", ");
    let condition = format!("validation: {{ $equal: [ $value, [ {numbers} ] ] }}");
    let condition = format!(
        "node_types: {{ T: {{ properties: {{ p: {{ type: list, entry_schema: integer, {condition} }} }} }} }}\n"
    );
    let assigned = "service_template: { node_templates: { n: { type: T, properties: { p: [ 1 ] } } } }\n";
    let cases = [
        (missing, "", 400 + 100 + 25),
        (again, "", 1 + 199 + 25),
        (problems, "", 100),
        (named, "", 25),
        // A problem for which 400 names are compared.
        (names, misspelled, 1 + 13),
        // A problem for which 400 names are compared, and a type with 400 members.
        (members.clone(), misspelled_member, 1 + 13 + 33),
        // A type with 400 inherited members.
        (members, derived, 33),
        // A type with 401 members, and 1602 nodes of values that are searched for loops.
        (calls, template, 33 + 80),
        // A problem, and a large condition that is evaluated and explained.
        (condition, assigned, 1 + 113),
    ];
    for (body, rest, cost) in cases {
        let (shared, user) = (format!("{version}{body}"), format!("{version}imports: [ ../a.yaml ]\n{rest}"));
        let users: Vec<String> = (0..5).map(|number| format!("c/f{number}.yaml")).collect();
        let mut files = vec![("a.yaml", &*shared), ("b.yaml", version)];
        files.extend(users.iter().map(|name| (&**name, &*user)));
        let folder = Folder::new(&files);
        // `a.yaml` is an import, too.
        let each = 1 + cost - user.len() / 16;
        let unread = |limit: usize| {
            let run = folder.run(&format!("c --format concise --limit import-total={limit}"));
            run.out.lines().filter(|line| line.contains("not checked")).count()
        };
        assert_eq!((unread(2 * each), unread(2 * each - 1), unread(30_000)), (2, 3, 0), "{}", &body[..40]);
    }
}

#[test]
fn results_of_functions_have_a_limit_that_can_be_raised() {
    let text = "x".repeat(100_000);
    let outputs: Vec<String> =
        (0..8).map(|number| format!("    o{number}: {{ value: {{ $get_input: a }} }}\n")).collect();
    let outputs = outputs.concat();
    let template = format!(
        "tosca_definitions_version: tosca_2_0\nservice_template:\n  inputs: {{ a: {{ type: string, default: {text} }} }}\n  \
         node_templates: {{}}\n  outputs:\n{outputs}"
    );
    let folder = Folder::new(&[("s.yaml", &template)]);
    let run = folder.run("s.yaml --emit json --evaluate --limit eval-bytes=1M");
    assert!(run.code == 1 && run.err.contains("`--limit eval-bytes=…`"), "{}", &run.err[..run.err.len().min(1000)]);
    assert_eq!(run.err.matches("T6101").count(), 5, "384 KiB are enough for three outputs");
    assert_eq!(folder.run("s.yaml --emit json --evaluate --limit eval-bytes=4M").code, 0);
}

/// Results for the files of a loop, and for those that a blueprint of Cloudify imports, can't be shared.
#[test]
fn text_that_is_compiled_again_counts_like_imports() {
    let description = "x".repeat(2560);
    let mut texts: Vec<(String, String)> = Vec::new();
    for number in 0..40 {
        let next = (number + 1) % 40;
        let text = format!("tosca_definitions_version: tosca_2_0\nimports: [ f{next:02}.yaml ]\n# {description}\n");
        texts.push((format!("loop/f{number:02}.yaml"), text));
        let text = "tosca_definitions_version: cloudify_dsl_1_3\nimports: [ ../types.yaml ]\n".to_owned();
        texts.push((format!("cloudify/f{number:02}.yaml"), text));
    }
    let nodes = (0..20).map(|number| format!("  n{number}: {{ type: T }}\n")).collect::<Vec<_>>().concat();
    let types = format!("node_types: {{ T: {{}} }}\nnode_templates:\n{nodes}# {description}\n");
    texts.push(("types.yaml".to_owned(), types));
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (&**name, &**text)).collect();
    let folder = Folder::new(&texts);
    // In the loop, the text of the other files counts as more than the 165 imports that the size of a file allows.
    for (name, limit) in [("loop", 0), ("cloudify", 11)] {
        let run = folder.run(&format!("{name} --format concise --limit import-total={limit}"));
        assert_eq!(run.out.lines().filter(|line| line.contains("not checked")).count(), 39, "{name}: {}", run.all());
    }
}

/// The effort of evaluations, and what documents in Yay include, count for each file.
#[test]
fn evaluations_count_like_imports() {
    let version = "tosca_definitions_version: tosca_2_0\n";
    let steps = format!("{version}description: {{{{ str(sum([1 for i in range(20000)])) }}}}\n");
    let bytes = format!("{version}description: {{{{ str(len(\"x\" * 1000000)) }}}}\n");
    let include = format!("include \"../shared.yay\"\n{version}");
    let includes = format!("include \"../d/*.yay\"\n{version}");
    let shared = format!("# {}\n", "x".repeat(10_000));
    let empty: Vec<String> = (0..150).map(|number| format!("d/{number}.yay")).collect();
    for text in [steps, bytes, include, includes] {
        let names: Vec<String> = (0..3).map(|number| format!("c/f{number}.yay")).collect();
        let mut files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, &*text)).collect();
        files.push(("shared.yay", &shared));
        files.extend(empty.iter().map(|name| (&**name, "#\n")));
        let folder = Folder::new(&files);
        let run = folder.run("c --format concise --limit import-total=100");
        assert_eq!(run.out.lines().filter(|line| line.contains("not checked")).count(), 2, "{text}{}", run.all());
        let run = folder.run("c --format concise");
        assert_eq!(run.code, 0, "{text}{}", run.all());
    }
}

/// If a file exceeds another limit on imports, it has imported as much as is allowed.
#[test]
fn too_many_imports_count_for_each_file() {
    let text = |number: usize| {
        let import = if number == 29 { String::new() } else { format!("imports: [ f{:02}.yaml ]\n", number + 1) };
        format!("tosca_definitions_version: tosca_2_0\n{import}")
    };
    let files: Vec<(String, String)> = (0..30).map(|number| (format!("f{number:02}.yaml"), text(number))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let folder = Folder::new(&files);
    // Of the 20 imports of each file, 3 don't count.
    for jobs in [1, 2] {
        let limits = "--limit import-sources=20 --limit import-total=84";
        let run = folder.run(&format!(". --format concise {limits} --jobs {jobs}"));
        let unread = run.out.lines().filter(|line| line.contains("not checked")).count();
        assert_eq!((run.code, unread), (1, 25), "{}", run.all());
    }
}

/// The model of each file contains the values that it takes from imported types.
#[test]
fn models_count_like_imports() {
    let version = "tosca_definitions_version: tosca_2_0\n";
    let default = "a".repeat(2000);
    let properties = (0..20).map(|number| format!("p{number}: {{ type: string, default: {default} }}, "));
    let properties = properties.collect::<Vec<_>>().concat();
    let types = format!("{version}node_types: {{ T: {{ properties: {{ {properties} }} }} }}\n");
    let user =
        format!("{version}imports: [ ../a.yaml ]\nservice_template: {{ node_templates: {{ n: {{ type: T }} }} }}\n");
    let folder = Folder::new(&[("a.yaml", &types), ("c/f0.yaml", &user), ("c/f1.yaml", &user), ("c/f2.yaml", &user)]);
    for options in ["--emit json", "--emit jsonl", "--emit yaml", "--emit clout", "--dump"] {
        let run = folder.run(&format!("c --format concise --limit import-total=5 {options}"));
        let unread = run.err.lines().filter(|line| line.contains("[T1406]")).count();
        assert_eq!((run.code, unread), (1, 2), "{options}: {}", run.err);
        assert!(folder.run(&format!("c --format concise {options}")).code == 0, "{options}");
    }
    assert_eq!(folder.run("c --format concise --limit import-total=5").code, 0);
}

/// The values of a configuration are checked for each file.
#[test]
fn values_for_inputs_count_like_imports() {
    let config = format!("inputs:\n  a: [ {} ]\n", vec!["1"; 10_000].join(", "));
    let text = "tosca_definitions_version: tosca_2_0\nservice_template:\n  \
                inputs: { a: { type: list, entry_schema: integer } }\n  node_templates: {}\n";
    let files: Vec<(String, String)> = (0..5).map(|number| (format!("f{number}.yaml"), text.to_owned())).collect();
    let mut files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    files.push(("tosca-parse.yaml", &config));
    let folder = Folder::new(&files);
    assert_eq!(folder.run(". --format concise").code, 0);
    // 10 000 values count as 412 imports. The size of a file allows 8, which do not count.
    let run = folder.run(". --format concise --limit import-total=800");
    let unread: Vec<&str> = run.out.lines().filter(|line| line.contains("[T1406]")).collect();
    assert!(run.code == 1 && unread.len() == 3 && unread[0].starts_with("f2.yaml:1:1: "), "{}", run.all());
}

/// Each configuration has its own parser.
#[test]
fn a_run_has_a_limit_on_its_configurations() {
    let names = |file: &str| (0..=250).map(|number| format!("{number}/{file}")).collect::<Vec<_>>();
    let (configs, services) = (names("tosca-parse.yaml"), names("service.yaml"));
    let configs = configs.iter().map(|name| (&**name, "strict: true\n"));
    let services = services.iter().map(|name| (&**name, "tosca_definitions_version: tosca_2_0\n"));
    let folder = Folder::new(&configs.chain(services).collect::<Vec<_>>());
    let run = folder.run(".");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("the files have more than 250 different configurations or sets of quirks"), "{}", run.err);
    std::fs::remove_file(folder.path().join("0/tosca-parse.yaml")).unwrap();
    std::fs::remove_file(folder.path().join("1/tosca-parse.yaml")).unwrap();
    assert_eq!(folder.run(".").code, 0);
}

/// In one line of 1 500 outputs, each value fails.
#[test]
fn problems_of_an_evaluation_are_limited_and_have_positions() {
    let outputs: Vec<String> =
        (0..1500).map(|number| format!("o{number}: {{ value: {{ $sum: [ {{ $get_input: a }}, 1 ] }} }}")).collect();
    let text = format!(
        "tosca_definitions_version: tosca_2_0\nservice_template:\n  node_templates: {{}}\n  inputs:\n    \
         a: {{ type: integer, default: 9223372036854775807 }}\n  outputs: {{ {} }}\n",
        outputs.join(", ")
    );
    let folder = Folder::new(&[("service.yaml", &text)]);
    let run = folder.run("service.yaml --format concise --emit json --evaluate");
    let lines: Vec<&str> = run.err.lines().filter(|line| line.starts_with("service.yaml:6:")).collect();
    assert!(run.code == 1 && lines.len() == 1001, "{} {}", run.code, lines.len());
    assert!(lines[0].starts_with("service.yaml:6:14: error[T6101]: the result of `sum` does not fit"), "{}", lines[0]);
    let second = 14 + outputs[0].len() + ", ".len();
    assert!(lines[1].starts_with(&format!("service.yaml:6:{second}: error[T6101]")), "{}", lines[1]);
    assert!(lines[1000].contains("there are more than 1000 problems of the rule"), "{}", lines[1000]);
}

/// Each type is shown with everything that it inherits.
#[test]
fn shown_types_are_limited() {
    let properties = lines(2000, |number| format!("      p{number}: {{ type: string }}\n"));
    let derived = lines(400, |number| format!("  T{number}: {{ derived_from: Base }}\n"));
    let text = |derived: &str| {
        let base = format!("node_types:\n  Base:\n    properties:\n{properties}");
        format!("tosca_definitions_version: tosca_2_0\n{base}{derived}")
    };
    let folder = Folder::new(&[("many.yaml", &text(&derived)), ("few.yaml", &text("  T0: { derived_from: Base }\n"))]);
    let run = folder.run("many.yaml --stop-after inheritance --dump");
    let last = run.out.lines().last().unwrap_or_default();
    assert!(last.starts_with("… and ") && last.ends_with(" more types"), "{last}");
    assert!(run.code == 0 && run.out.len() < 40 << 20, "{}", run.out.len());
    assert!(!folder.run("few.yaml --stop-after inheritance --dump").out.contains("… and "));
}

/// A node type repeats the members of its capabilities.
#[test]
fn a_shown_type_is_limited() {
    let properties = lines(700, |number| format!("      p{number}: {{ type: string }}\n"));
    let capabilities = lines(1000, |number| format!("      c{number}: Port\n"));
    let text = format!(
        "tosca_definitions_version: tosca_2_0\ncapability_types:\n  Port:\n    properties:\n{properties}\
         node_types:\n  Base:\n    capabilities:\n{capabilities}"
    );
    let run = Folder::new(&[("service.yaml", &text)]).run("service.yaml --stop-after inheritance --dump");
    assert!(run.code == 0 && run.out.len() < 40 << 20, "{}", run.out.len());
    let last = run.out.lines().last().unwrap_or_default();
    assert!(last.starts_with("… and ") && last.ends_with(" more types"), "{last}");
}

/// The members of a large type are counted before they are searched.
#[test]
fn values_of_large_types_are_complete() {
    let properties = lines(40, |number| format!("      p{number}: {{ type: string }}\n"));
    let members: Vec<String> = (0..40).map(|number| format!("p{number}: x")).collect();
    let (whole, part) = (members.join(", "), members[1..].join(", "));
    let text = format!(
        "tosca_definitions_version: tosca_2_0\ndata_types:\n  Data:\n    properties:\n{properties}node_types:\n  \
         N: {{ properties: {{ data: {{ type: list, entry_schema: Data }} }} }}\nservice_template:\n  \
         node_templates:\n    n:\n      type: N\n      properties:\n        data:\n        \
         - {{ {whole} }}\n        - {{ {part} }}\n        - {{ {part}, p00: x }}\n"
    );
    let run = Folder::new(&[("service.yaml", &text)]).run("service.yaml --format concise");
    let missing = |line: &&str| line.contains("a `Data` needs a value for `p0`");
    assert_eq!((run.code, run.out.lines().filter(missing).count()), (1, 1), "{}", run.all());
    assert!(run.out.contains("has no property `p00`"), "{}", run.all());
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect::<Vec<_>>().concat()
}
