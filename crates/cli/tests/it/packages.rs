//! `MuranoPL` at the command line: packages are inputs like templates.

use std::path::Path;
use std::process::Command;

use super::root;

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

/// Creates a folder with two packages, one of which requires the other.
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

/// Runs the command, and returns its output and exit code.
pub(super) fn run(folder: &Path, arguments: &[&str]) -> (String, i32) {
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
            "shop/manifest.yaml:7:3: warning[M2003]: no matching version of package `com.example.bank` is known",
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
    assert!(code == 0 && shown.contains("\"limit\":5"), "{shown}");
    std::fs::write(folder.path().join("model.json"), model(r#", "limit": "none""#)).unwrap();
    let (shown, code) = run(folder.path(), &["model.json", "--package-path", "bank"]);
    assert!(code == 1 && shown.contains("error[M5001]") && shown.contains("Account.yaml:4:22"), "{shown}");
    let (shown, code) = run(folder.path(), &["graph", "shop", "--format", "dot", "--package-path", "bank"]);
    assert!(code == 0 && shown.contains("Shop") && shown.contains("Application"), "{shown}");
}

const TOWN: &str = "Namespaces: { =: com.example.bank }
Name: Account
Properties:
  limit: { Contract: $.int() }
  word: { Contract: $.string() }
  password: { Contract: $.string() }
  next: { Contract: $.class(Account) }
  others: { Contract: { $.string(): $.class(Account) } }
";

const TOWN_MODEL: &str = r#"{ "?": { "type": "com.example.bank.Account/1.2.0@com.example.bank", "id": "root" },
  "next": { "?": { "type": "com.example.bank.Account", "id": "branch", "name": "Branch <1>" }, "limit": 7,
    "word": "root", "password": "geheim",
    "others": { "a": { "?": { "type": "com.example.bank.Account", "id": "desk" }, "next": "root", "limit": null },
      "b": "root", "c": "nobody" } } }
"#;

#[test]
fn object_models_are_drawn() {
    let folder = packages();
    std::fs::write(folder.path().join("bank/Classes/Account.yaml"), TOWN).unwrap();
    let draw = |model: &str, arguments: &str| {
        std::fs::write(folder.path().join("model.json"), model).unwrap();
        let arguments = format!("graph model.json --package-path bank {arguments}");
        run(folder.path(), &arguments.split_whitespace().collect::<Vec<_>>())
    };
    let (shown, code) = draw(&TOWN_MODEL.replace(", \"c\": \"nobody\"", ""), "--format mermaid");
    let expected = "flowchart TB
  n0[\"<b>root</b><br/><i>Account</i>\"]
  subgraph g0[\"<b>Branch #60;1#62;</b> Account\"]
    n1[\"<b>Branch #60;1#62;</b><br/><i>Account</i><br/>limit: 7<br/>word: root<br/>password: •••\"]
    n2[\"<b>desk</b><br/><i>Account</i>\"]
  end
  n0 -->|\"next<br/><i>part</i>\"| n1
  n1 -->|\"others<br/><i>part</i>\"| n2
  n2 -->|\"next<br/><i>reference</i>\"| n0
  n1 -->|\"others<br/><i>reference</i>\"| n0
";
    assert_eq!((&*shown, code), (expected, 0));
    // An invalid model is drawn too.
    let (shown, code) = draw(TOWN_MODEL, "--format dot --collapse types");
    assert!(code == 0 && shown.contains("error[M5002]") && shown.contains("Account</b> ×2"), "{shown}");
    let (shown, code) = draw(&format!("{{ \"Objects\": {TOWN_MODEL} }}"), "");
    assert!(code == 0 && shown.contains("<svg ") && shown.contains("desk") && !shown.contains("geheim"), "{shown}");
    let (shown, code) =
        draw("{ \"Objects\": null, \"Attributes\": [ [ \"?\", \"type\", \"a\", 1 ] ] }", "--format dot");
    assert!(code == 0 && !shown.contains("label"), "{shown}");
}

/// Diagrams have limits, whatever they show.
#[test]
fn models_with_too_many_objects_are_not_laid_out() {
    let folder = packages();
    std::fs::write(folder.path().join("bank/Classes/Account.yaml"), TOWN).unwrap();
    let account = |number: usize| {
        format!(r#""{number}": {{ "?": {{ "type": "com.example.bank.Account", "id": "a{number}" }} }}"#)
    };
    let others: Vec<String> = (0..1200).map(account).collect();
    let header = r#""?": { "type": "com.example.bank.Account", "id": "root" }"#;
    std::fs::write(
        folder.path().join("model.json"),
        format!("{{ {header}, \"others\": {{ {} }} }}", others.join(", ")),
    )
    .unwrap();
    let (shown, code) = run(folder.path(), &["graph", "model.json", "--package-path", "bank"]);
    assert!(code == 1 && shown.contains("1201 boxes are too many"), "{shown}");
    let (shown, code) = run(folder.path(), &["graph", "model.json", "--package-path", "bank", "--collapse", "types"]);
    assert!(code == 0 && shown.contains("×1201"), "{shown}");
}

/// Two packages that require different versions of a third, and one with a class that descends from classes of both.
#[test]
fn versions_that_nothing_unifies_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let package = |at: &str, name: &str, version: &str, requires: &str, class: &str| {
        let path = folder.path().join(at);
        std::fs::create_dir_all(path.join("Classes")).unwrap();
        let manifest = format!(
            "Format: 1.4\nType: Library\nFullName: {name}\nVersion: {version}\nRequire: {requires}\nClasses: {{ {name}.A: A.yaml }}\n"
        );
        std::fs::write(path.join("manifest.yaml"), manifest).unwrap();
        let text = format!("Namespaces: {{ =: {name} }}\nName: A\n{class}");
        std::fs::write(path.join("Classes/A.yaml"), text).unwrap();
    };
    for version in ["1.0.0", "1.1.0", "2.0.0"] {
        let methods = format!("Methods: {{ m: {{ Body: {{ Return: '{version}' }} }} }}\n");
        package(&format!("base-{version}"), "base", version, "{}", &methods);
    }
    package(
        "app",
        "app",
        "1.0.0",
        "{ left: 1, right: 1 }",
        "Extends: [ left.A, right.A ]\nMethods: { n: { Body: [ $.m() ] } }\n",
    );
    let check = |left: &str, right: &str| {
        package("left", "left", "1.0.0", &format!("{{ base: {left} }}"), "Extends: base.A\n");
        package("right", "right", "1.0.0", &format!("{{ base: {right} }}"), "Extends: base.A\n");
        run(folder.path(), &["app", "--package-path", ".", "--format", "concise"])
    };
    for (left, right) in [("1", "1"), ("1.0", "1"), ("\">=1\"", "1")] {
        let (shown, code) = check(left, right);
        assert!(code == 0 && !shown.contains("warning"), "{left}, {right}: {shown}");
    }
    let (shown, code) = check("1", "2");
    assert_eq!(code, 0, "{shown}");
    let expected = "app/Classes/A.yaml:2:7: warning[M3002]: class `app.A` descends from `base.A` in versions 1.1.0 and \
                    2.0.0, and neither can replace the other";
    assert_eq!(shown.lines().collect::<Vec<_>>(), [expected]);
    let (shown, _) = run(folder.path(), &["app", "--package-path", "."]);
    assert!(shown.contains("package `left` requires this version"), "{shown}");
}

/// The example packages are valid, run, and build valid models.
#[test]
fn examples_run() {
    let folder = root().join("examples/murano");
    let run = |arguments: &[&str]| run(&folder, &[arguments, &["--package-path", "."]].concat());
    let (shown, code) = run(&["."]);
    assert!(code == 0 && shown.contains("3 of 3 files are valid") && !shown.contains("warning"), "{shown}");
    let (shown, code) = run(&["model.yaml"]);
    assert_eq!(
        (&*shown, code),
        ("model.yaml: valid MuranoPL object model, 7 classes including those that it uses\n", 0)
    );
    for (call, expected) in [
        (&["blog.connect"][..], "\"postgres://db.example.org/main on 5432\"\n"),
        (&["blog.publish", "Of Bees", "bees", "honey"], "\"of-bees\"\n"),
        (&["blog.summary"], "[\n  \"The first rose (some tags)\"\n]\n"),
        (&["blog.visit", "first"], "{\n  \"the-first-rose\": 1\n}\n"),
        (&["database.addUser", "bob"], "2\n"),
        (&["com.example.db.Postgres.cost"], "3\n"),
    ] {
        let (shown, code) = run(&[&["murano", "run", "model.yaml"], call].concat());
        assert_eq!((&*shown, code), (expected, 0), "{call:?}");
    }
    let other = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = other.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let arguments = file("arguments.yaml", "title: New one\n");
    let (built, code) = run(&["murano", "build", "com.example.blog.Blog", "start", &arguments]);
    assert_eq!(code, 0, "{built}");
    // The result is a model without ids.
    let (shown, code) = run(&[&file("built.json", &built)]);
    assert!(code == 0 && shown.contains("valid MuranoPL object model"), "{shown}");
    let (schema, _) = run(&["murano", "schema", "com.example.blog.Blog"]);
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    assert_eq!(schema[""]["formSections"]["site"]["title"], "The site");
    assert_eq!(schema[""]["properties"]["title"]["minLength"], 3);
    assert_eq!(schema["start"]["title"], "Start a blog");
}

/// The problems of public packages: Murano would find every error itself, and each warning is a mistake.
#[test]
fn public_packages_have_few_problems() {
    const KNOWN: [&str; 10] = [
        "HeatSWConfigInstance.yaml:49:22: warning[M2002]",
        "HeatSWConfigInstance.yaml:74:25: warning[M2002]",
        "HeatSWConfigInstance.yaml:88:31: warning[M2002]",
        "HeatSWConfigInstance.yaml:89:35: warning[M2002]",
        "HeatSWConfigInstance.yaml:92:34: warning[M2002]",
        "HeatSWConfigInstance.yaml:93:38: warning[M2002]",
        "NeutronNetwork.yaml:165:13: warning[M4104]",
        "NeutronNetwork.yaml:205:9: warning[M4104]",
        "component.yaml:323:39: warning[M4104]",
        "component.yaml:327:29: warning[M4104]",
    ];
    let shared = std::env::var_os("TOSCA_PARSE_SHARED").map(std::path::PathBuf::from);
    let Some(packages) = shared.map(|shared| shared.join("conformance/murano/packages")).filter(|path| path.is_dir())
    else {
        eprintln!("skipped: TOSCA_PARSE_SHARED does not name the folder with the packages");
        return;
    };
    let (shown, code) = run(&packages, &[".", "--format", "concise"]);
    assert_eq!(code, 0, "{shown}");
    let problems = shown.lines().filter(|line| line.contains("warning[") || line.contains("error["));
    let unknown: Vec<_> = problems.filter(|line| !KNOWN.iter().any(|known| line.contains(known))).collect();
    assert_eq!(unknown, [""; 0], "{shown}");
}

#[test]
fn a_package_may_have_a_template_where_a_class_should_be() {
    let template = "tosca_definitions_version: tosca_2_0
node_types:
  Server: { derived_from: Machine, properties: { disk: { type: Disk } } }
  Machine: { properties: { memory: { type: integer } } }
data_types:
  Disk: { properties: { size: { type: integer } } }
  Loop: { derived_from: Loop, properties: { size: { type: Disk } } }
  Below: { derived_from: Loop, properties: { loop: { type: Loop } } }
service_template:
  node_templates:
    one: { type: Server, copy: two }
    two: { type: Server, properties: { memory: 1, disk: { size: 2 } } }
";
    let folder = packages();
    std::fs::write(folder.path().join("shop/Classes/Shop.yaml"), template).unwrap();
    let (shown, code) = run(folder.path(), &["shop"]);
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("Shop.yaml` has no class `com.example.Shop`"), "{shown}");
    assert!(shown.contains("data type `Loop` is derived from itself"), "{shown}");

    let template = "tosca_definitions_version: tosca_2_0
imports: [ bank/Classes/Account.yaml, bank/manifest.yaml ]
node_types:
  Server: { derived_from: Machine }
  Machine: {}
";
    std::fs::write(folder.path().join("service.yaml"), template).unwrap();
    let (shown, code) = run(folder.path(), &["service.yaml"]);
    assert_eq!(code, 0, "{shown}");
}

#[test]
fn a_manifest_of_another_program_makes_no_package() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), "apiVersion: v1\nkind: Service\n").unwrap();
    let service = "tosca_definitions_version: tosca_2_0\nservice_template: {}\nx: 1\n";
    std::fs::write(folder.path().join("service.yaml"), service).unwrap();
    let (shown, code) = run(folder.path(), &["."]);
    assert!(code == 1 && shown.contains("service.yaml:3:1") && !shown.contains("manifest.yaml"), "{shown}");
}
