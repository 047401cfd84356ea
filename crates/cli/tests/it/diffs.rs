//! Differences that the command shows, applied by `git apply` and `patch`.

use std::path::Path;
use std::process::{Command, Stdio};

use super::Folder;

/// The names of the files: with spaces, with letters that are not ASCII, and with characters that need escapes.
const NAMES: [&str; 4] = ["a.yaml", "my service (1).yaml", "größe 日本.yaml", "a\"b\\.yaml"];

/// Returns a text with other line breaks, a byte order mark, without a final line break, and with other letters.
fn variants(text: &str) -> Vec<String> {
    let crlf = text.replace('\n', "\r\n");
    let foreign = text.replacen('\n', "\n# größe\t日本 😀\n", 1);
    let mut variants = vec![text.to_owned(), crlf.clone(), foreign];
    variants.extend([text.trim_end(), crlf.trim_end()].map(str::to_owned));
    variants.extend([text, &*crlf].map(|text| format!("\u{feff}{text}")));
    variants
}

/// Returns whether a program is installed.
fn has(program: &str) -> bool {
    let run = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let has = run.is_ok_and(|status| status.success());
    if !has {
        eprintln!("skipped: there is no {program}");
    }
    has
}

fn apply(folder: &Path, program: &str, arguments: &[&str]) {
    let mut command = Command::new(program);
    command.current_dir(folder).args(arguments).stdin(std::fs::File::open(folder.join("the.diff")).unwrap());
    // The folder is not part of a repository.
    let run = command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap()).output().unwrap();
    let shown = std::fs::read_to_string(folder.join("the.diff")).unwrap();
    let message = String::from_utf8_lossy(&run.stderr).into_owned() + &String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{program} {arguments:?}: {message}\n{shown:?}");
}

/// Asserts that the shown differences lead to the files that the command would write.
fn assert_applies(show: &[&str], write: &[&str], text: &str) {
    let [git, patch] = ["git", "patch"].map(has);
    for name in NAMES {
        for text in variants(text) {
            let folder = || Folder::new(&[(name, &text)]);
            let read = |folder: &Folder| std::fs::read_to_string(folder.path().join(name)).unwrap();
            let written = folder();
            written.command("").args(write).arg(name).output().unwrap();
            let expected = read(&written);
            assert_ne!(expected, text, "{write:?} {name}");
            let shown = folder();
            let run = shown.command("").args(show).arg(name).output().unwrap();
            assert_eq!(read(&shown), text, "only shown");
            if git {
                let folder = folder();
                std::fs::write(folder.path().join("the.diff"), &run.stdout).unwrap();
                apply(folder.path(), "git", &["apply", "-p0", "-"]);
                assert_eq!(read(&folder), expected, "git: {show:?} {name}");
            }
            if patch {
                let folder = folder();
                std::fs::write(folder.path().join("the.diff"), &run.stdout).unwrap();
                apply(folder.path(), "patch", &["-p0", "--binary"]);
                assert_eq!(read(&folder), expected, "patch: {show:?} {name}");
            }
        }
    }
}

#[test]
fn formatted_files_are_patched() {
    let text = "tosca_definitions_version: tosca_2_0\nnode_types:\n    Shop :   {}   # one\n";
    assert_applies(&["fmt", "--diff"], &["fmt"], text);
}

#[test]
fn fixed_files_are_patched() {
    let text = "tosca_definitions_version: tosca_2_0\ndescribtion: a\nnode_types:\n  A: { derivd_from: B }\n  B: {}\n";
    assert_applies(&["--fix", "--diff"], &["--fix"], text);
}

#[test]
fn migrated_files_are_patched() {
    let text =
        "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  inputs:\n    a: { type: string }\n";
    assert_applies(&["migrate", "--diff"], &["migrate"], text);
}

#[test]
fn diffs_of_files_with_unusual_line_breaks_are_marked() {
    let text = "tosca_definitions_version:   tosca_2_0\n# a\rdescription: b\n";
    for (text, is_marked) in [(text.to_owned(), true), (text.replace('\r', "\r\n"), false)] {
        let folder = Folder::new(&[("a.yaml", &text)]);
        let run = folder.command("fmt --diff").arg("a.yaml").output().unwrap();
        let warned = String::from_utf8(run.stderr).unwrap();
        assert!(String::from_utf8(run.stdout).unwrap().contains("+tosca_definitions_version: tosca_2_0"), "{warned}");
        assert_eq!(
            warned.contains("warning: a.yaml: the file has line breaks that are not LF or CRLF"),
            is_marked,
            "{warned}"
        );
    }
}
