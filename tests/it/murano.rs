//! `MuranoPL` at the command line: packages are inputs like templates.

use std::path::Path;
use std::process::Command;

const MANIFEST: &str = "Format: 1.4
Type: Application
FullName: com.example.Shop
Classes:
  com.example.Shop: Shop.yaml
Require:
  com.example.bank: 1
";

const SHOP: &str = "Namespaces: { =: com.example, std: io.murano, bank: com.example.bank }
Name: Shop
Extends: std:Application
Properties:
  account: { Contract: $.class(bank:Account).notNull() }
";

const BANK: &str = "Format: 1.4
Type: Library
FullName: com.example.bank
Version: 1.2.0
Classes: { com.example.bank.Account: Account.yaml }
";

/// A folder with two packages, one of which requires the other.
fn packages() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("shop/manifest.yaml", MANIFEST);
    write("shop/Classes/Shop.yaml", SHOP);
    write("bank/manifest.yaml", BANK);
    write("bank/Classes/Account.yaml", "Namespaces: { =: com.example.bank }\nName: Account\n");
    folder
}

/// What the command says, and its exit code.
fn run(folder: &Path, arguments: &[&str]) -> (String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tosca-parse"));
    let output = command.current_dir(folder).args(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (text, output.status.code().unwrap())
}

#[test]
fn a_folder_of_packages_has_what_they_require() {
    let folder = packages();
    let (shown, code) = run(folder.path(), &["."]);
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("2 of 2 files are valid") && !shown.contains("warning"), "{shown}");
}

#[test]
fn a_package_finds_others_where_it_is_told() {
    let folder = packages();
    let (shown, code) = run(folder.path(), &["shop", "--format", "concise"]);
    assert_eq!(code, 0, "{shown}");
    assert_eq!(
        shown.lines().collect::<Vec<_>>(),
        [
            "shop/manifest.yaml:7:3: warning[M2003]: no package `com.example.bank` of such a version is known",
            "shop/Classes/Shop.yaml:5:32: warning[M2002]: there is no class `com.example.bank.Account`",
        ]
    );
    let (shown, code) = run(folder.path(), &["shop", "--package-path", "."]);
    assert!(code == 0 && shown.contains("valid MuranoPL package com.example.Shop, 2 classes"), "{shown}");
    let (shown, _) = run(folder.path(), &["shop/Classes/Shop.yaml", "--package-path", "bank"]);
    assert!(shown.contains("valid MuranoPL file of classes"), "{shown}");
}

#[test]
fn levels_are_those_of_all_rules() {
    let folder = packages();
    let (shown, code) = run(folder.path(), &["shop", "--deny", "unknown-type"]);
    assert!(code == 1 && shown.contains("error[M2002]"), "{shown}");
    let (shown, _) = run(folder.path(), &["explain", "M2002"]);
    assert!(shown.contains("unknown-type"), "{shown}");
}

#[cfg(feature = "archive")]
#[test]
fn a_package_may_be_a_zip_file() {
    let folder = packages();
    std::fs::write(folder.path().join("shop/Classes/Shop.yaml"), SHOP.replace("bank:Account", "bnk:Account")).unwrap();
    let file = std::fs::File::create(folder.path().join("shop.zip")).unwrap();
    let mut zip = zip::ZipWriter::new(file);
    for path in ["manifest.yaml", "Classes/Shop.yaml"] {
        zip.start_file(path, zip::write::SimpleFileOptions::default()).unwrap();
        let text = std::fs::read(folder.path().join("shop").join(path)).unwrap();
        std::io::Write::write_all(&mut zip, &text).unwrap();
    }
    zip.finish().unwrap();
    let (shown, code) = run(folder.path(), &["shop.zip", "--package-path", "bank", "--format", "concise"]);
    assert!(
        code == 0 && shown.contains("Shop.yaml:5:32: warning[M2002]: no namespace has the prefix `bnk`"),
        "{shown}"
    );
}

#[test]
fn a_model_is_written_in_full_and_classes_are_drawn() {
    let folder = packages();
    let class =
        "Namespaces: { =: com.example.bank }\nName: Account\nProperties:\n  limit: { Contract: $.int(), Default: 5 }\n";
    std::fs::write(folder.path().join("bank/Classes/Account.yaml"), class).unwrap();
    let model = |limit: &str| format!(r#"{{ "?": {{ "type": "com.example.bank.Account", "id": "a" }}{limit} }}"#);
    std::fs::write(folder.path().join("model.json"), model("")).unwrap();
    let (shown, code) = run(folder.path(), &["model.json", "--package-path", "bank", "--emit", "json"]);
    assert!(code == 0 && shown.contains("\"limit\": 5"), "{shown}");
    std::fs::write(folder.path().join("model.json"), model(r#", "limit": "none""#)).unwrap();
    let (shown, code) = run(folder.path(), &["model.json", "--package-path", "bank"]);
    assert!(code == 1 && shown.contains("error[M5001]") && shown.contains("Account.yaml:4:22"), "{shown}");
    let (shown, code) = run(folder.path(), &["graph", "shop", "--format", "dot", "--package-path", "bank"]);
    assert!(code == 0 && shown.contains("Shop") && shown.contains("Application"), "{shown}");
}
