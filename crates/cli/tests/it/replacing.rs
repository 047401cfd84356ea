//! Files that the command replaces.

use super::*;

/// Returns a template with a misspelled keyname in each of many types.
fn many(count: usize) -> String {
    let types: Vec<String> = (0..count).map(|number| format!("  A{number}: {{ propertys: {{}} }}\n")).collect();
    format!("tosca_definitions_version: tosca_2_0\nnode_types:\n{}", types.concat())
}

/// Returns the names of all files in a folder except the cache, sorted.
fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != ".cache");
    names.sort();
    names
}

/// Runs the command with files of at most 512 bytes times `blocks`; larger writes fail, or kill the process.
#[cfg(unix)]
fn limited(folder: &Folder, blocks: usize, fails: bool, arguments: &str) -> std::process::Output {
    let trap = if fails { "trap '' XFSZ; " } else { "" };
    let mut command = Command::new("sh");
    command.current_dir(folder.path()).env("XDG_CONFIG_HOME", folder.path().join(".config"));
    command.arg("-c").arg(format!("{trap}ulimit -c 0; ulimit -f {blocks}; exec \"$0\" \"$@\""));
    command.arg(env!("CARGO_BIN_EXE_tosca-parse")).args(arguments.split_whitespace());
    command.output().unwrap()
}

/// Every command that replaces a file, with the name of the file.
#[cfg(unix)]
const COMMANDS: [(&str, &str); 6] = [
    ("a.yaml --add-ignore=because", "a.yaml"),
    ("a.yaml --write-baseline=a.json", "a.json"),
    ("a.yaml --format json --output-file a.json", "a.json"),
    ("old.yaml --emit json --output a.json", "a.json"),
    ("migrate old.yaml", "old.yaml"),
    ("csar create large -o a.csar", "a.csar"),
];

#[cfg(unix)]
fn with_old_files() -> Folder {
    let old: Vec<String> = (0..100).map(|number| format!("    n{number}: {{ type: tosca.nodes.Root }}\n")).collect();
    let old = old.concat();
    let old = format!("tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n{old}");
    let folder = Folder::new(&[("a.yaml", &many(100)), ("a.json", "old"), ("a.csar", "old"), ("old.yaml", &old)]);
    folder.write("large/a.yaml", "tosca_definitions_version: tosca_2_0\n");
    // Hardly compressible.
    let noise: String = (1..4000_u64).map(|n| char::from(b'!' + (n * n * n / 7 % 90) as u8)).collect();
    folder.write("large/noise.txt", &noise);
    folder
}

#[cfg(unix)]
#[test]
fn full_disk_and_kill_leave_the_old_file() {
    for (arguments, file) in COMMANDS {
        for fails in [true, false] {
            let folder = with_old_files();
            let before = std::fs::read(folder.path().join(file)).unwrap();
            let output = limited(&folder, 1, fails, arguments);
            assert!(!output.status.success(), "{arguments}");
            assert_eq!(output.status.code().is_some(), fails, "{arguments}");
            assert_eq!(std::fs::read(folder.path().join(file)).unwrap(), before, "{arguments}");
            if fails {
                assert_eq!(names(&folder), ["a.csar", "a.json", "a.yaml", "large", "old.yaml"], "{arguments}");
                let error = String::from_utf8(output.stderr).unwrap();
                assert!(error.contains("File too large"), "{arguments}: {error}");
            }
            let output = limited(&folder, 10_000, fails, arguments);
            assert!(output.status.code().is_some_and(|code| code < 2), "{arguments}: {output:?}");
            assert_ne!(std::fs::read(folder.path().join(file)).unwrap(), before, "{arguments}");
        }
    }
}

#[cfg(unix)]
#[test]
fn one_of_several_files_that_cannot_be_written_leaves_all() {
    let imports = "imports: [ b.yaml ]\n";
    let small = many(1).replace("node_types", &format!("{imports}node_types"));
    let folder = Folder::new(&[("a.yaml", &small), ("b.yaml", &many(100).replace('A', "B"))]);
    assert_eq!(limited(&folder, 2, true, "a.yaml --fix").status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(folder.path().join("a.yaml")).unwrap(), small);
    let output = limited(&folder, 10_000, true, "a.yaml --fix");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(!std::fs::read_to_string(folder.path().join("a.yaml")).unwrap().contains("propertys"));
}

#[cfg(unix)]
#[test]
fn links_in_the_way_are_not_written_through() {
    let folder = with_old_files();
    let outside = Folder::new(&[("victim", "precious")]);
    let victim = outside.path().join("victim");
    for name in ["b.csar.part", ".b.csar.part", "b.csar", "b.json"] {
        std::os::unix::fs::symlink(&victim, folder.path().join(name)).unwrap();
    }
    assert_eq!(folder.run("csar create large -o b.csar").code, 0);
    let reports = ["a.yaml --format json --output-file b.json", "old.yaml --emit json --output b.json"];
    for arguments in reports.into_iter().chain(["a.yaml --write-baseline=b.json", "graph old.yaml -o b.json"]) {
        let run = folder.run(arguments);
        assert_eq!(run.code, 1, "{arguments}: {}", run.err);
        assert!(run.err.contains("b.json: a link to "), "{arguments}: {}", run.err);
    }
    assert_eq!(std::fs::read_to_string(victim).unwrap(), "precious");
}

#[test]
fn outputs_replace_no_inputs() {
    let header = "tosca_definitions_version: tosca_2_0\n";
    let (library, service) = (
        format!("{header}node_types: {{ N: {{}} }}\n"),
        format!("{header}imports: [ lib.yaml ]\nservice_template: {{ node_templates: {{ n: {{ type: N }} }} }}\n"),
    );
    let folder = Folder::new(&[("service.yaml", &service), ("lib.yaml", &library), ("other.yaml", "a: 1\n")]);
    assert_eq!(folder.run("csar create service.yaml -o a.csar").code, 0);
    let archive = std::fs::read(folder.path().join("a.csar")).unwrap();
    for command in [
        "service.yaml --write-baseline=",
        "service.yaml --format json --output-file ",
        "service.yaml --emit json --output ",
        "graph service.yaml -o ",
        "plan service.yaml -o ",
        "form service.yaml -o ",
    ] {
        for input in ["lib.yaml", "service.yaml", "a.csar"] {
            let run = folder.run(&format!("{command}{input}"));
            let is_refused = ["a template, which the output would replace", "is an input"];
            assert!(
                run.code != 0 && is_refused.iter().any(|text| run.err.contains(text)),
                "{command}{input}: {}",
                run.all()
            );
        }
        for _ in 0..2 {
            let run = folder.run(&format!("{command}other.yaml"));
            assert_eq!(run.code, 0, "{command}: {}", run.all());
        }
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("lib.yaml")).unwrap(), library);
    assert_eq!(std::fs::read_to_string(folder.path().join("service.yaml")).unwrap(), service);
    assert_eq!(std::fs::read(folder.path().join("a.csar")).unwrap(), archive);
}

#[cfg(unix)]
#[test]
fn linked_folders_lead_nowhere_else() {
    let folder = with_old_files();
    let outside = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("inside")).unwrap();
    folder.write("types.yaml", "tosca_definitions_version: tosca_2_0\nnode_types: { N: {} }\n");
    std::os::unix::fs::symlink(outside.path(), folder.path().join("d")).unwrap();
    std::os::unix::fs::symlink("inside", folder.path().join("e")).unwrap();
    for command in [
        "old.yaml --emit json --output d/o.json",
        "old.yaml --format json --output-file d/o.json",
        "old.yaml --write-baseline=d/b.json",
        "graph old.yaml -o d/o.svg",
        "plan old.yaml -o d/plan.txt",
        "migrate old.yaml --output d/new.yaml",
        "doc types.yaml -o d",
        "doc types.yaml -o d/doc",
        "index old.yaml -o d/index",
        "csar create large -o d/b.csar",
        "new d/service.yaml",
    ] {
        let run = folder.run(command);
        assert!(run.code != 0 && run.err.contains("d is a link to "), "{command}: {}", run.all());
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0, "{command}");
        let run = folder.run(&command.replace(" d", " e").replace("=d", "=e"));
        assert!(!run.err.contains("is a link to"), "{command}: {}", run.all());
    }
    assert_eq!(folder.run("csar create large -o b.csar").code, 0);
    let run = folder.run("csar extract b.csar d/x");
    assert!(run.code != 0 && run.err.contains("d is a link to "), "{}", run.all());
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    assert!(std::fs::read_dir(folder.path().join("inside")).unwrap().count() > 5);
}

#[cfg(unix)]
#[test]
fn links_and_modes_of_changed_files_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new(&[("real/a.yaml", &many(1))]);
    let (real, link) = (folder.path().join("real/a.yaml"), folder.path().join("a.yaml"));
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("real/a.yaml", &link).unwrap();
    assert_eq!(folder.run("a.yaml --fix").code, 0);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(std::fs::read_to_string(&real).unwrap().contains("properties"));
    assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn damaged_entry_leaves_the_extracted_file() {
    let folder = Folder::new(&[("shop/a.yaml", "tosca_definitions_version: tosca_2_0\n"), ("shop/x.txt", "text")]);
    assert_eq!(folder.run("csar create shop").code, 0);
    let archive = folder.path().join("shop.csar");
    let mut bytes = std::fs::read(&archive).unwrap();
    // The checksums of both headers of the entry.
    for at in (0..bytes.len() - 5).rev().filter(|at| bytes[*at..].starts_with(b"x.txt")).collect::<Vec<_>>() {
        let before = if bytes[at - 46..].starts_with(b"PK\x01\x02") { 30 } else { 16 };
        bytes[at - before] ^= 1;
    }
    std::fs::write(&archive, bytes).unwrap();
    folder.write("o/x.txt", "before");
    let run = folder.run("csar extract shop.csar o --force");
    assert_eq!(run.code, 1, "{}", run.err);
    assert_eq!(std::fs::read_to_string(folder.path().join("o/x.txt")).unwrap(), "before", "{}", run.err);
}

#[test]
fn changes_stay_inside_the_project() {
    let wrong = "tosca_definitions_version: tosca_2_0\nnode_tpyes: {}\n";
    let entry = format!("imports: [ ../outside/other.yaml, inner.yaml, link.yaml ]\n{wrong}");
    for with_configuration in [false, true] {
        let folder = Folder::new(&[("outside/other.yaml", wrong), ("outside/linked.yaml", wrong)]);
        folder.write("p/a.yaml", &entry);
        folder.write("p/inner.yaml", wrong);
        if with_configuration {
            folder.write("p/tosca-parse.yaml", "strict: false\n");
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("../outside/linked.yaml", folder.path().join("p/link.yaml")).unwrap();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        for argument in ["p/a.yaml", "p"] {
            for option in ["--diff", "--fix", "--add-ignore"] {
                let run = folder.run(&format!("{argument} {option}"));
                assert_eq!((read("outside/other.yaml"), read("outside/linked.yaml")), (wrong.into(), wrong.into()));
                let expected = "outside/other.yaml: not changed, because it is outside the project";
                assert!(run.err.contains(expected), "{}", run.err);
            }
        }
        assert!(!read("p/a.yaml").contains("tpyes") && !read("p/inner.yaml").contains("tpyes"));
        // The user names the folder.
        assert_eq!(folder.run("outside --fix").code, 0);
        assert_eq!(read("outside/other.yaml"), wrong.replace("tpyes", "types"));
    }
}

#[test]
fn migration_stays_inside_the_project() {
    let text = "tosca_definitions_version: tosca_simple_yaml_1_3\n";
    let folder = Folder::new(&[("outside/other.yaml", text)]);
    folder.write("p/a.yaml", &format!("{text}imports: [ ../outside/other.yaml ]\n"));
    let run = folder.run("migrate p/a.yaml");
    let outside = std::fs::read_to_string(folder.path().join("outside/other.yaml")).unwrap();
    assert_eq!(outside, text, "{}", run.err);
    assert!(run.err.contains("is not migrated, because it is outside the project"), "{}", run.err);
    assert!(std::fs::read_to_string(folder.path().join("p/a.yaml")).unwrap().contains("tosca_2_0"));
}

#[test]
fn thousands_of_problems_are_fixed_at_once() {
    for count in [900, 1001, 4000] {
        let unused = format!("{}  B: {{}} # tosca-parse: ignore[T2001]\n", many(count));
        let folder = Folder::new(&[("a.yaml", &many(count)), ("b.yaml", &many(count)), ("c.yaml", &unused)]);
        let run = folder.run("a.yaml --fix");
        assert!(run.code == 0 && run.err.contains(&format!("{count} changes made in 1 file")), "{}", run.err);
        let run = folder.run("c.yaml --fix");
        assert!(run.err.contains(&format!("{count} changes made in 1 file")), "{}", run.err);
        let run = folder.run("b.yaml --add-ignore");
        assert!(run.code == 0 && run.err.contains(&format!("{count} changes made in 1 file")), "{}", run.err);
        let run = folder.run("b.yaml");
        assert!(run.code == 0 && run.out.contains("valid") && !run.out.contains("T1601"), "{}", run.all());
    }
}

/// Comments that suppress more problems than are found must not hide others without a report.
#[test]
fn problems_beyond_the_ignored_ones_are_not_hidden() {
    let text = "there are more than 1000 problems of the rule `unknown-keyname` (T1201)";
    let ignored = |count: usize| many(count).replace(" }\n", " } # tosca-parse: ignore[T1201]\n");
    let another = format!("{}  B: {{ propertys: {{}} }}\n", ignored(1500));
    let whole = format!("# tosca-parse: file-ignore[T1201]\n{}", many(1500));
    let folder = Folder::new(&[("few.yaml", &ignored(1000)), ("another.yaml", &another), ("whole.yaml", &whole)]);
    let run = folder.run("another.yaml --format concise");
    assert!(
        run.out.lines().count() == 1 && run.out.contains("warning[T5801]") && run.out.contains(text),
        "{}",
        run.all()
    );
    for arguments in ["few.yaml", "whole.yaml", "another.yaml --allow unknown-keyname"] {
        let run = folder.run(&format!("{arguments} --format concise"));
        assert!(
            run.code == 0 && !run.out.contains("T5801") && !run.out.contains("T1601"),
            "{arguments}: {}",
            run.all()
        );
    }
}

#[test]
fn harmful_changes_are_left_out_among_thousands() {
    let harmful = |number: usize| number.is_multiple_of(7);
    let text = |is_fixed: bool| -> String {
        let types = (0..4000).map(|number| match (harmful(number), is_fixed) {
            // The corrected key would occur twice.
            (true, _) => format!("  A{number}: {{ properties: {{ p: {{ typ: string, type: string }} }} }}\n"),
            (false, false) => format!("  A{number}: {{ propertys: {{}} }}\n"),
            (false, true) => format!("  A{number}: {{ properties: {{}} }}\n"),
        });
        format!("tosca_definitions_version: tosca_2_0\nnode_types:\n{}", types.collect::<String>())
    };
    let folder = Folder::new(&[("a.yaml", &text(false))]);
    let run = folder.run("a.yaml --fix --quiet");
    assert!(std::fs::read_to_string(folder.path().join("a.yaml")).unwrap() == text(true), "{}", &run.err[..1000]);
}

#[test]
fn no_code_is_ignored_twice() {
    let text = "tosca_definitions_version: tosca_2_0\nnode_types:\n  A: { derived_from: B }\n  A: { derived_from: \"C\n    D\", propertys: { x: [ }\n";
    let folder = Folder::new(&[("a.yaml", text)]);
    folder.run("a.yaml --add-ignore");
    folder.run("a.yaml --add-ignore");
    let changed = std::fs::read_to_string(folder.path().join("a.yaml")).unwrap();
    for line in changed.lines() {
        let codes: Vec<&str> =
            line.split(['[', ']', ',']).map(str::trim).filter(|code| code.starts_with("T1")).collect();
        let mut distinct = codes.clone();
        distinct.dedup();
        assert_eq!(codes, distinct, "{changed}");
    }
}
