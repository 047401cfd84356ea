//! The command without the feature for archives. It needs another build than all other tests, so it is a program of its
//! own that only `.ci/run` asks for.
#![cfg(not(feature = "archive"))]

use std::fs;
use std::path::Path;
use std::process::Command;

const CLASS: &str = "Namespaces: {=: t}\nName: Counter\nProperties:\n  count: {Contract: $.int(), Usage: InOut}\n";

/// Whether the command finds its input valid, and all that it writes.
fn run(folder: &Path, arguments: &str) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tosca-parse"));
    let output = command.args(arguments.split(' ')).current_dir(folder).output().unwrap();
    (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[test]
fn packages_are_folders() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir_all(folder.join("t/Classes")).unwrap();
    let manifest = "Format: 1.4\nType: Library\nFullName: t\nClasses: {t.Counter: Counter.yaml}\n";
    fs::write(folder.join("t/manifest.yaml"), manifest).unwrap();
    fs::write(folder.join("t/Classes/Counter.yaml"), CLASS).unwrap();
    fs::write(folder.join("model.yaml"), "'?': {type: t.Counter, id: c}\ncount: '4'\n").unwrap();
    fs::write(folder.join("t.zip"), b"PK\x03\x04").unwrap();
    for valid in ["t", "model.yaml --package-path t", "murano dump model.yaml --package-path t"] {
        let (is_valid, said) = run(folder, valid);
        assert!(is_valid, "{valid}: {said}");
    }
    let (is_valid, said) = run(folder, "t.zip");
    assert!(!is_valid && said.contains("t.zip"), "{said}");
    // A path with nothing in it that can be read has no classes.
    let (is_valid, said) = run(folder, "model.yaml --package-path t.zip --format concise");
    assert!(!is_valid && said.contains("there is no class `t.Counter`"), "{said}");
    let (is_valid, said) = run(folder, "murano dump model.yaml --package-path t.zip");
    assert!(!is_valid && said.contains("can't read `t.zip`"), "{said}");
}
