//! The commands `index` and `query`, and tables of problems.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::*;

const CATALOG: &[(&str, &str)] = &[
    (
        "c/types.yaml",
        "\
tosca_definitions_version: tosca_2_0
profile: shop
capability_types:
  Endpoint: {}
node_types:
  Database:
    capabilities: { endpoint: { type: Endpoint } }
  Sql: { derived_from: Database }
  Store: {}
  App:
    requirements:
    - db: { capability: Endpoint, node: Database }
",
    ),
    (
        "c/a.yaml",
        "tosca_definitions_version: tosca_2_0\nimports: [ types.yaml ]\nservice_template: { node_templates: { db: { type: Database } } }\n",
    ),
    (
        "c/b.yaml",
        "tosca_definitions_version: tosca_2_0\nimports: [ { url: types.yaml, namespace: s } ]\nservice_template: { node_templates: { db: { type: s:Sql } } }\n",
    ),
    (
        "c/store.yaml",
        "\
tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  substitution_mappings: { node_type: Store }
  node_templates: { app: { type: App, requirements: [ db: { node: $node_type } ] } }
",
    ),
    (
        "c/shop.yaml",
        "tosca_definitions_version: tosca_2_0\nimports: [ types.yaml, missing.yaml ]\nservice_template: { node_templates: { s: { type: Store, directives: [ substitute ] } } }\n",
    ),
    (
        "c/other.yaml",
        "tosca_definitions_version: tosca_2_0\nimports: [ types.yaml ]\nservice_template: { node_templates: { s: { type: Store } } }\n",
    ),
    (
        "c/old.yaml",
        "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template: { node_templates: { c: { type: tosca.nodes.Compute, directives: [ substitutable ] } } }\n",
    ),
    ("c/free.yaml", "tosca_definitions_version: tosca_2_0\nservice_template: { node_templates: {} }\n"),
    ("c/heat.yaml", "heat_template_version: 2018-08-31\nresources: { r: { type: OS::Heat::None } }\n"),
];

/// Returns a folder with an index of the catalog.
fn indexed() -> Folder {
    let folder = Folder::new(CATALOG);
    let run = folder.run("index c");
    assert!(run.code == 0 && run.err.is_empty() && run.out.starts_with("wrote 9 templates, "), "{}", run.all());
    folder
}

/// Returns the files in a folder with their contents.
fn files(folder: &Folder, name: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder.path().join(name)).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn queries_answer_from_the_index() {
    let folder = indexed();
    // The templates are not needed any more.
    std::fs::remove_dir_all(folder.path().join("c")).unwrap();
    let mut all = String::new();
    for query in [
        "",
        "dependents shop:Database",
        "dependents Endpoint",
        "dependents tosca.nodes.Compute",
        "users Database",
        "importers shop",
        "importers c/missing.yaml",
        "invalid",
        "problems",
        "profiles",
        "substitutions",
        "substitutions Store",
        "types",
        "types Data",
        "unused",
        "versions",
        "dependents Databse",
        "importers c/type.yaml",
        "dependents",
        "versions 2",
        "dependent Database",
    ] {
        let run = folder.run(&format!("query index {query}"));
        let _ = write!(all, "$ query index {query}\n{}{}({})\n\n", run.out, run.err, run.code);
    }
    insta::assert_snapshot!(all);
    assert_eq!(folder.run("query").out, folder.run("query index").out);
    let json = folder.run("query index substitutions --format json").out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let row =
        serde_json::json!({ "service": "c/store.yaml", "line": 4, "type": "Store", "declared_in": "c/types.yaml" });
    assert_eq!(json, serde_json::json!([row]));
    let json: serde_json::Value = serde_json::from_str(&folder.run("query --format json").out).unwrap();
    assert_eq!(json[0]["argument"], "TYPE");
}

#[test]
fn threads_and_earlier_indexes_make_no_difference() {
    let folder = indexed();
    let expected = files(&folder, "index");
    assert_eq!(expected.len(), 8, "SQLite and seven tables");
    let parquet = expected.iter().filter(|(name, _)| name.ends_with(".parquet"));
    assert!(parquet.into_iter().all(|(_, bytes)| bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1")));
    for arguments in ["index c -o other --jobs 1", "index c -o other --jobs 4", "index c"] {
        assert_eq!(folder.run(arguments).code, 0);
    }
    assert!(files(&folder, "other") == expected && files(&folder, "index") == expected);
    assert_eq!(folder.run("index c -o one.sqlite").code, 0);
    assert_eq!(std::fs::read(folder.path().join("one.sqlite")).unwrap(), expected["index.sqlite"]);
    // Another index is replaced as a whole.
    std::fs::remove_file(folder.path().join("c/old.yaml")).unwrap();
    assert_eq!(folder.run("index c").code, 0);
    assert!(!folder.run("query index versions").out.contains("1.3"));
    assert_eq!(files(&folder, "index").len(), 8);
}

#[test]
fn only_indexes_are_replaced() {
    let folder = Folder::new(CATALOG);
    folder.write("notes.db", "notes");
    for output in ["notes.db", "c", "c/a.yaml"] {
        let run = folder.run(&format!("index c -o {output}"));
        assert!(run.code == 2 && run.out.is_empty(), "{output}: {}", run.all());
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("notes.db")).unwrap(), "notes");
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    assert_eq!(folder.run("index c -o empty").code, 0);
    assert_eq!(folder.run("query empty versions").code, 0);
    for other in ["c", "notes.db", "missing", "c/a.yaml"] {
        let run = folder.run(&format!("query {other} versions"));
        assert!(run.code == 1 && run.err.starts_with(&format!("error: {other}: ")), "{}", run.all());
    }
    #[cfg(unix)]
    {
        let outside = tempfile::tempdir().unwrap();
        let target = outside.path().join("target.sqlite");
        std::fs::copy(folder.path().join("empty/index.sqlite"), &target).unwrap();
        let before = std::fs::read(&target).unwrap();
        std::fs::create_dir(folder.path().join("linked")).unwrap();
        std::os::unix::fs::symlink(&target, folder.path().join("linked/index.sqlite")).unwrap();
        std::fs::remove_file(folder.path().join("c/old.yaml")).unwrap();
        assert_eq!(folder.run("index c -o linked").code, 1);
        assert!(std::fs::read(&target).unwrap() == before && files(&folder, "linked").len() == 1);
    }
}

#[test]
fn large_indexes_are_bounded() {
    let folder = Folder::new(CATALOG);
    let run = folder.run("index c --limit index-rows=300 --jobs 1");
    let text = "warning: 1 template is omitted; raise the limit with `--limit index-rows=…`";
    assert!(run.code == 1 && run.err.contains(text) && !run.err.contains("index-strings"), "{}", run.all());
    assert!(folder.run("query index types").out.lines().count() > 1);

    let run = folder.run("index c --limit index-strings=1KiB --jobs 1");
    let text = "omitted; raise the limit with `--limit index-strings=…`";
    assert!(run.code == 1 && run.err.contains(text) && !run.err.contains("index-rows"), "{}", run.all());
    assert_eq!(folder.run("index c --limit index-strings=1MiB --jobs 1").code, 0);
}

#[test]
fn imports_of_omitted_templates_are_kept() {
    let mut big = CATALOG[1].1.replace(" } }\n", "");
    (0..2000).for_each(|number| write!(big, ", n{number}: {{ type: Database }}").unwrap());
    big.push_str(" } }\n");
    let folder = Folder::new(&[CATALOG[0], ("c/a.yaml", &big), CATALOG[2]]);
    for jobs in ["--jobs 1", "--jobs 2"] {
        let run = folder.run(&format!("index c --limit index-rows=1500 {jobs}"));
        assert!(run.code == 1 && run.err.starts_with("warning: 1 template is omitted; "), "{}", run.all());
        assert!(folder.run("query index types").out.contains("Database"));
        assert!(folder.run("query index users Sql").out.contains("c/b.yaml"));
    }
}

#[test]
fn names_are_data() {
    let name = "\\u001b[2J'; DROP TABLE types; --\\n##[error]";
    let text = format!(
        "tosca_definitions_version: tosca_2_0\nnode_types: {{ \"{name}\": {{}}, {}: {{}} }}\n\
         service_template: {{ node_templates: {{ n: {{ type: \"{name}\" }} }} }}\n",
        "x".repeat(5000)
    );
    let folder = Folder::new(&[("c/hostile.yaml", &text)]);
    assert_eq!(folder.run("index c").code, 0);
    let run = folder.run("query index types");
    assert!(run.code == 0 && run.out.contains("DROP TABLE") && !run.out.contains('\u{1b}'), "{}", run.all());
    assert!(run.out.contains(&format!("{}…", "x".repeat(4096))));
    let json: serde_json::Value = serde_json::from_str(&folder.run("query index types --format json").out).unwrap();
    assert_eq!(json[0]["name"], "\u{1b}[2J'; DROP TABLE types; --\n##[error]");
    let mut command = folder.command("query index users");
    let users = Run::of(command.arg(json[0]["name"].as_str().unwrap()));
    assert!(users.code == 0 && users.out.contains("c/hostile.yaml"), "{}", users.all());
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_not_followed() {
    let folder = Folder::new(&[CATALOG[0], ("d/far.yaml", CATALOG[7].1)]);
    std::os::unix::fs::symlink(folder.path().join("d"), folder.path().join("c/d")).unwrap();
    std::os::unix::fs::symlink(folder.path(), folder.path().join("c/loop")).unwrap();
    let run = folder.run("index c");
    assert!(run.code == 0 && run.out.starts_with("wrote 1 template, "), "{}", run.all());
}

#[test]
fn problems_are_written_as_a_table() {
    let folder = Folder::new(CATALOG);
    let run = folder.run("c --format parquet -o problems.parquet");
    assert!(run.code == 1 && run.is_quiet(), "{}", run.all());
    let table = std::fs::read(folder.path().join("problems.parquet")).unwrap();
    assert!(table.starts_with(b"PAR1") && table.ends_with(b"PAR1"));
    let again = |arguments: &str| {
        folder.run(arguments);
        std::fs::read(folder.path().join("again.parquet")).unwrap()
    };
    assert!(again("c --format parquet --output-file again.parquet --jobs 1") == table);
    // The results of the second run are from the cache.
    for _ in 0..2 {
        assert!(again("c --format parquet -o again.parquet --cache-results .results") == table);
    }
    let piped = folder.command("c --format parquet").stdin(Stdio::null()).output().unwrap();
    assert!(piped.stdout == table, "standard output");
    let both = folder.run("c/free.yaml --format parquet --emit json -o model.json --output-file again.parquet");
    assert!(both.code == 0 && both.is_quiet(), "{}", both.all());
    assert!(std::fs::read_to_string(folder.path().join("model.json")).unwrap().starts_with('{'));
    for arguments in [
        "c --format parquet --emit json",
        "c --format parquet --emit json -o model.json",
        "c --format parquet --watch",
        "c --format parquet --statistics -o again.parquet",
    ] {
        let run = folder.run(arguments);
        assert!(run.code == 2 && run.err.starts_with("error: "), "{arguments}: {}", run.all());
    }
    assert!(folder.run("fmt c --format parquet").err.contains("possible values"));
}
