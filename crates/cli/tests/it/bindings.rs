//! The packages for Python and JavaScript agree with the command. Their own tests read the same files.

use std::collections::BTreeSet;
use std::path::PathBuf;

use tosca_parse::murano;
use tosca_parse::yaql::ErrorKind;
use tosca_parse::yay::Category;

use super::{Folder, root};

fn bindings() -> PathBuf {
    root().join("bindings")
}

#[test]
fn the_command_finds_the_problems_that_the_bindings_find() {
    let cases = std::fs::read_to_string(bindings().join("yay-checks.json")).unwrap();
    let cases: Vec<serde_json::Value> = serde_json::from_str(&cases).unwrap();
    for case in cases {
        let folder = Folder::new(&[("a.yay", case["text"].as_str().unwrap())]);
        let shown = folder.run("yay check a.yay").err;
        let heads = shown.lines().filter_map(|line| line.split_once(": ")?.0.strip_suffix(']'));
        let places = shown.lines().filter_map(|line| line.trim_start().strip_prefix("--> a.yay:")?.split(':').next());
        let found: Vec<String> =
            heads.zip(places).map(|(head, line)| format!("{} {line}", head.replace('[', " "))).collect();
        let expected: Vec<&str> =
            case["problems"].as_array().unwrap().iter().map(|problem| problem.as_str().unwrap()).collect();
        assert_eq!(found, expected, "{case}\n{shown}");
    }
}

/// Returns the strings in double quotes between a name and the end of its definition.
fn quoted<'t>(text: &'t str, start: &str, end: &str) -> BTreeSet<&'t str> {
    let (_, rest) = text.split_once(start).unwrap();
    rest.split(end).next().unwrap().split('"').skip(1).step_by(2).collect()
}

#[test]
fn the_bindings_name_all_kinds_of_errors() {
    // Only MuranoPL is a host of expressions.
    let yaql = ErrorKind::ALL.iter().filter(|kind| **kind != ErrorKind::Host).map(|kind| kind.as_str());
    let kinds: [(&str, &str, BTreeSet<&str>); 3] = [
        ("YaqlErrorKind", "murano.d.ts", yaql.collect()),
        ("MuranoErrorKind", "murano.d.ts", murano::categories().collect()),
        ("YayErrorKind", "templates.d.ts", Category::ALL.iter().map(|kind| kind.name()).collect()),
    ];
    let python = std::fs::read_to_string(bindings().join("python/tosca_parse/errors.py")).unwrap();
    for (name, file, kinds) in kinds {
        let types = std::fs::read_to_string(bindings().join("web/src").join(file)).unwrap();
        assert_eq!(quoted(&types, &format!("export type {name} ="), ";"), kinds, "{name}");
        assert_eq!(quoted(&python, &format!("{name}: TypeAlias ="), "]"), kinds, "{name}");
    }
}
