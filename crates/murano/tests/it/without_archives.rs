//! Packages without the feature `archive`: folders are read, zip files are not.

use std::fs;

use tosca_parse_engine::{Outcome, Parser};
use tosca_parse_murano::language::MURANO;

const CLASS: &str = "Namespaces: {=: t}\nName: Counter\nProperties:\n  count: {Contract: $.int(), Usage: InOut}\n";

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
    let parse = |file: &str, package: &str| -> Outcome {
        let parser = Parser::builder(&MURANO).profile_path(folder.join(package)).build().unwrap();
        parser.parse(folder.join(file).to_str().unwrap()).unwrap()
    };
    for file in ["t/manifest.yaml", "model.yaml"] {
        assert_eq!(parse(file, "t").diagnostics, [], "{file}");
    }
    let outcome = parse("model.yaml", "t.zip");
    assert!(outcome.diagnostics.iter().any(|problem| problem.message.contains("there is no class `t.Counter`")));
}
