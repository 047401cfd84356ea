//! What the storeys know of each other, read from their imports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The storeys, lowest first. Those that share one know nothing of each other.
const STOREYS: &[&[&str]] = &[
    &["typed"],
    &["schema"],
    &["call"],
    &["path"],
    &["evaluation"],
    &["clause"],
    &["judge"],
    &["filter", "loops", "simple", "v2_0"],
    &[""],
];

/// The files by the names of their modules, `evaluation::calls`; that of this folder is empty.
fn modules() -> BTreeMap<String, PathBuf> {
    fn visit(folder: &Path, name: &str, modules: &mut BTreeMap<String, PathBuf>) {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("the entry can be read").path();
            let stem = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
            let own = if name.is_empty() { stem.clone() } else { format!("{name}::{stem}") };
            if path.is_dir() {
                visit(&path, &own, modules);
            } else if stem == "mod" {
                modules.insert(name.to_owned(), path);
            } else if stem != "tests" {
                modules.insert(own, path);
            }
        }
    }
    let mut modules = BTreeMap::new();
    visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/grammar/tosca/data"), "", &mut modules);
    modules
}

/// The paths that the imports of a text name, one for each item: `super::call::Call`. What its tests import is not looked
/// at: their `super` is the file itself.
fn imports(text: &str) -> Vec<String> {
    let text = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut paths = Vec::new();
    for statement in text.split(';') {
        let Some((_, import)) = statement.rsplit_once("use ") else { continue };
        match import.split_once('{') {
            Some((prefix, items)) => {
                let items = items.trim_end().trim_end_matches('}').split(',').map(str::trim);
                paths.extend(items.filter(|item| !item.is_empty()).map(|item| format!("{prefix}{item}")));
            }
            None => paths.push(import.trim().to_owned()),
        }
    }
    // What is named in full elsewhere is as good as imported.
    let elsewhere = text
        .lines()
        .filter(|line| !line.contains("use "))
        .flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != ':'));
    paths.extend(elsewhere.filter(|path| path.starts_with("super::")).map(str::to_owned));
    paths
}

/// The module of this house that a path leads to from a module, if it leads to one.
fn target(from: &str, path: &str, modules: &BTreeMap<String, PathBuf>) -> Option<String> {
    let mut steps: Vec<&str> = path.split("::").filter(|step| *step != "self").collect();
    let ups = steps.iter().take_while(|step| **step == "super").count();
    steps.drain(..ups);
    let own: Vec<&str> = from.split("::").filter(|step| !step.is_empty()).collect();
    let mut way: Vec<&str> = own[..own.len().checked_sub(ups)?].to_vec();
    let is_child =
        |way: &[&str]| steps.first().is_some_and(|first| modules.contains_key(&[way, &[first]].concat().join("::")));
    if ups == 0 && !is_child(&way) {
        return None;
    }
    for step in steps {
        way.push(step);
        if !modules.contains_key(&way.join("::")) {
            way.pop();
            break;
        }
    }
    Some(way.join("::")).filter(|found| found != from)
}

fn graph() -> BTreeMap<String, BTreeSet<String>> {
    let modules = modules();
    let targets = |(name, path): (&String, &PathBuf)| {
        let text = fs::read_to_string(path).expect("the file can be read");
        let targets = imports(&text).iter().filter_map(|path| target(name, path, &modules)).collect();
        (name.clone(), targets)
    };
    modules.iter().map(targets).collect()
}

fn storey(module: &str) -> (usize, &str) {
    let name = module.split("::").next().unwrap_or_default();
    let number = STOREYS.iter().position(|storey| storey.contains(&name));
    (number.unwrap_or_else(|| panic!("`{name}` is no storey")), name)
}

#[test]
fn no_storey_knows_one_above_it() {
    for (from, targets) in graph() {
        for to in targets {
            let ((upper, own), (lower, other)) = (storey(&from), storey(&to));
            assert!(lower < upper || own == other, "`{from}` imports from `{to}`");
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut graph = graph();
    assert!(graph.values().map(BTreeSet::len).sum::<usize>() > 100, "the imports are not found");
    // Files that import nothing that is left are taken away, until none is left.
    loop {
        let free: Vec<String> = graph.iter().filter(|(_, to)| to.is_empty()).map(|(name, _)| name.clone()).collect();
        if free.is_empty() {
            break;
        }
        graph.retain(|name, _| !free.contains(name));
        graph.values_mut().for_each(|to| to.retain(|name| !free.contains(name)));
    }
    assert!(graph.is_empty(), "these are in circles: {graph:#?}");
}
