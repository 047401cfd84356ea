#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::table::{File, Import, Problem, Substitution, Template, Type, Use};
use crate::{Cell, Query};

fn file(file: &str, profile: Option<&str>) -> File {
    File {
        file: file.to_owned(),
        language: "TOSCA".to_owned(),
        version: "2.0".to_owned(),
        profile: profile.map(str::to_owned),
        is_built_in: false,
    }
}

fn template(file: &str, errors: u32) -> Template {
    Template { file: file.to_owned(), is_service: true, errors, warnings: 1 }
}

fn node_type(file: &str, name: &str) -> Type {
    Type { file: file.to_owned(), line: 3, kind: "node type".to_owned(), name: name.to_owned() }
}

fn usage(file: &str, user: (&str, &str), of: (&str, &str)) -> Use {
    Use {
        file: file.to_owned(),
        line: 5,
        user_kind: user.0.to_owned(),
        user: user.1.to_owned(),
        member: String::new(),
        keyname: if user.0 == "node type" { "derived_from" } else { "type" }.to_owned(),
        is_derivation: user.0 == "node type",
        is_substituted: user.1 == "any",
        type_file: of.0.to_owned(),
        type_kind: "node type".to_owned(),
        type_name: of.1.to_owned(),
    }
}

fn import(file: &str, imported: &str) -> Import {
    let target = Some(imported.to_owned());
    Import { file: file.to_owned(), line: 2, imported: Some(imported.to_owned()), target, prefix: None }
}

/// Types: `Sql` is derived from `Database`, `Store` is not. `a` uses `Database`, `b` uses `Sql`, and `d` a `Store`,
/// which `c` replaces with a `Sql`; `e` imports the types without using them, and `f` imports nothing.
fn written(folder: &TempDir, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    let mut writer = Writer::create(&path).unwrap();
    writer.add(&[file("types", Some("shop")), file("a", None), file("f", None)]).unwrap();
    writer.add(&["a", "b", "c", "d", "e", "f"].map(|name| template(name, u32::from(name == "a")))).unwrap();
    writer.add(&["Database", "Sql", "Store"].map(|name| node_type("types", name))).unwrap();
    let node = |name| ("node template", name);
    writer
        .add(&[
            usage("types", ("node type", "Sql"), ("types", "Database")),
            usage("a", node("db"), ("types", "Database")),
            usage("b", node("db"), ("types", "Sql")),
            usage("c", node("db"), ("types", "Sql")),
            usage("d", node("any"), ("types", "Store")),
            usage("f", node("store"), ("types", "Store")),
        ])
        .unwrap();
    let service =
        Substitution { file: "c".to_owned(), line: 4, type_file: "types".to_owned(), type_name: "Store".to_owned() };
    writer.add(&[service]).unwrap();
    writer.add(&[import("a", "types"), import("e", "middle"), import("middle", "types")]).unwrap();
    let problem = Problem {
        template: "a".to_owned(),
        code: "T2001".to_owned(),
        name: "unknown-name".to_owned(),
        severity: "error".to_owned(),
        message: "unknown node type `X`".to_owned(),
        file: "a".to_owned(),
        line: 7,
        column: 9,
    };
    writer.add(&[problem]).unwrap();
    assert_eq!(writer.rows(), 3 + 6 + 3 + 6 + 1 + 3 + 1);
    writer.finish().unwrap();
    path
}

/// Returns the first two columns of a result.
fn answer(index: &Index, name: &str, argument: Option<&str>) -> Vec<String> {
    let answer = Query::named(name).unwrap().run(index, argument).unwrap();
    let shown = |cell: &Cell| match cell {
        Cell::Null => "-".to_owned(),
        Cell::Text(text) => text.clone(),
        Cell::Integer(number) => number.to_string(),
    };
    answer.rows.iter().map(|row| row.iter().take(2).map(shown).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn queries_find_direct_and_indirect_uses() {
    let folder = TempDir::new().unwrap();
    let index = Index::open(&written(&folder, "index")).unwrap();
    let all = ["a direct", "b type", "c type", "d substitution", "e import"];
    assert_eq!(answer(&index, "dependents", Some("Database")), all);
    assert_eq!(answer(&index, "dependents", Some("shop:Database")), all);
    assert_eq!(answer(&index, "dependents", Some("other:Database")), [""; 0]);
    let of_store = ["a import", "d direct", "e import", "f direct"];
    assert_eq!(answer(&index, "dependents", Some("Store")), of_store);
    assert_eq!(answer(&index, "users", Some("Database")), ["a 5", "types 5"]);
    assert_eq!(answer(&index, "importers", Some("shop")), ["a direct", "e indirect", "middle direct"]);
    assert_eq!(answer(&index, "substitutions", Some("Store")), ["c 4"]);
    assert_eq!(answer(&index, "substitutions", Some("Sql")), [""; 0]);
    assert_eq!(answer(&index, "types", None), ["types 3"; 3]);
    assert_eq!(answer(&index, "types", Some("atab")), ["types 3"]);
    assert_eq!(answer(&index, "invalid", None), ["a 1"]);
    assert_eq!(answer(&index, "problems", None), ["T2001 unknown-name"]);
    assert_eq!(answer(&index, "profiles", None), ["shop types"]);
    assert_eq!(answer(&index, "unused", None), [""; 0]);
    assert_eq!(answer(&index, "versions", None), ["TOSCA 2.0"]);
}

#[test]
fn all_queries_run_and_are_sorted() {
    let folder = TempDir::new().unwrap();
    let index = Index::open(&written(&folder, "index")).unwrap();
    assert!(crate::QUERIES.is_sorted_by_key(|query| query.name));
    for query in crate::QUERIES {
        assert!(query.run(&index, Some("'; DROP TABLE files; --")).is_ok(), "{}", query.name);
        assert!(!query.run(&index, None).unwrap().columns.is_empty(), "{}", query.name);
    }
}

#[test]
fn equal_rows_result_in_equal_bytes() {
    let folder = TempDir::new().unwrap();
    let (first, second) = (written(&folder, "a"), written(&folder, "b"));
    assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap());
    let index = Index::open(&first).unwrap();
    let files: Vec<_> = TABLES.iter().map(|table| index.write_parquet(table, Vec::new()).unwrap()).collect();
    let again: Vec<_> = TABLES.iter().map(|table| index.write_parquet(table, Vec::new()).unwrap()).collect();
    assert_eq!(files, again);
    assert!(files.iter().all(|file| file.starts_with(b"PAR1") && file.ends_with(b"PAR1")));
}

#[test]
fn other_files_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("other");
    assert!(matches!(Index::open(&path), Err(Error::Io(_))), "no file");
    assert!(matches!(Index::open(folder.path()), Err(Error::NotAnIndex)), "a folder");
    fs::write(&path, "text").unwrap();
    assert!(matches!(Index::open(&path), Err(Error::NotAnIndex)), "a text");
    let index = written(&folder, "index");
    let changed = |sql: &str| {
        let path = folder.path().join("changed");
        fs::copy(&index, &path).unwrap();
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        Index::open(&path)
    };
    assert!(changed("DELETE FROM uses").is_ok());
    assert!(matches!(changed("PRAGMA user_version = 9"), Err(Error::OtherVersion { found: 9 })));
    assert!(matches!(changed("PRAGMA application_id = 1"), Err(Error::NotAnIndex)));
    for sql in [
        "DROP TABLE uses",
        "CREATE TABLE more (more TEXT)",
        "DROP TABLE files; CREATE VIEW files AS SELECT * FROM types",
        "CREATE TRIGGER more AFTER INSERT ON files BEGIN DELETE FROM types; END",
    ] {
        assert!(matches!(changed(sql), Err(Error::NotAnIndex)), "{sql}");
    }
    let bytes = fs::read(&index).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let run = |index: Index| Query::named("types").unwrap().run(&index, None);
    assert!(Index::open(&path).and_then(run).is_err(), "half an index");
}

#[test]
fn an_index_is_read_without_other_files() {
    let folder = TempDir::new().unwrap();
    let path = written(&folder, "an index?#%.sqlite");
    fs::write(folder.path().join("an index?#%.sqlite-journal"), "hot").unwrap();
    let index = Index::open(&path).unwrap();
    assert_eq!(answer(&index, "versions", None), ["TOSCA 2.0"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn repeated_rows_do_not_multiply() {
    let folder = TempDir::new().unwrap();
    let repeated = |number: usize| {
        let path = folder.path().join(number.to_string());
        let mut writer = Writer::create(&path).unwrap();
        writer.add(&vec![file("types", Some("shop")); number]).unwrap();
        writer.add(&vec![node_type("types", "Sql"); number]).unwrap();
        writer.finish().unwrap();
        Index::open(&path).unwrap()
    };
    let index = repeated(3_000);
    assert_eq!(answer(&index, "types", None).len(), 3_000);
    assert_eq!(answer(&index, "unused", None).len(), 3_000);
    assert_eq!(answer(&index, "users", Some("shop:Sql")), [""; 0]);
}

#[test]
fn queries_have_limits() {
    let folder = TempDir::new().unwrap();
    let with_imports = |number: usize| {
        let path = folder.path().join(number.to_string());
        let mut writer = Writer::create(&path).unwrap();
        writer.add(&vec![file("types", Some("shop")); number]).unwrap();
        writer.add(&vec![import("a", "types"); number]).unwrap();
        writer.finish().unwrap();
        let index = Index::open(&path).unwrap();
        Query::named("profiles").unwrap().run(&index, None)
    };
    assert_eq!(with_imports(100).unwrap().rows.len(), 100);
    assert!(matches!(with_imports(6_000), Err(Error::TooCostly)));
}

#[test]
fn dependents_of_many_substituted_nodes_are_found() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("index");
    let mut writer = Writer::create(&path).unwrap();
    let names: Vec<String> = (0..300).map(|number| format!("s{number}")).collect();
    let type_of = |number: usize| format!("T{}", number % 100);
    for (number, name) in names.iter().enumerate() {
        writer.add(&[template(name, 0)]).unwrap();
        let of = |index: usize| (0..10).map(move |step| type_of(7 * index + 13 * step));
        let uses = of(number).map(|of| usage(name, ("node template", "any"), ("types", &of)));
        writer.add(&uses.collect::<Vec<_>>()).unwrap();
        let (type_file, type_name) = ("types".to_owned(), type_of(number));
        writer.add(&[Substitution { file: name.clone(), line: 4, type_file, type_name }]).unwrap();
    }
    writer.add(&(0..100).map(|number| node_type("types", &type_of(number))).collect::<Vec<_>>()).unwrap();
    writer.finish().unwrap();
    let index = Index::open(&path).unwrap();
    assert_eq!(answer(&index, "dependents", Some("T3")).len(), 300);
}
