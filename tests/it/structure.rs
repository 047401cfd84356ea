//! What must stay true of the structure of the project, as far as a look at its files tells.

use std::path::{Path, PathBuf};

/// The files of a folder, and of those in it, that are text; sorted by path.
fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    files.filter_map(|path| std::fs::read_to_string(&path).ok().map(|text| (path, text))).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The lines in which a text has one of some words, in upper or lower case, but for names of crates.
fn lines_with(words: &[&str], text: &str) -> Vec<usize> {
    let has_word = |line: &str| {
        let line = line.to_lowercase().replace("tosca-parse", "").replace("tosca_parse", "");
        words.iter().any(|word| line.contains(word))
    };
    text.lines().zip(1..).filter(|(line, _)| has_word(line)).map(|(_, number)| number).collect()
}

#[test]
fn the_engine_has_never_heard_of_a_language() {
    let files = texts(&root().join("crates/engine"));
    assert!(files.len() > 100, "only {} files", files.len());
    let mut found = Vec::new();
    for (path, text) in files {
        let path = path.strip_prefix(root()).unwrap().display();
        found.extend(lines_with(&["tosca", "csar", "etsi", "onap"], &text).iter().map(|line| format!("{path}:{line}")));
    }
    assert!(found.is_empty(), "the engine names a language, or who uses one:\n{}", found.join("\n"));
}

#[test]
fn words_are_found_whatever_their_case() {
    let text = "use tosca_parse::x;\nTosca_parse is for Tosca\na.CSAR\n";
    assert_eq!(lines_with(&["tosca", "csar"], text), [2, 3]);
}

/// The parts of the engine, lowest first. Those of one line may use each other.
const PARTS: &[&[&str]] = &[
    &["threads"],
    &["shared_map"],
    &["symbol"],
    &["text"],
    &["json_schema"],
    &["diagnostic"],
    &["rules"],
    &["ard"],
    &["source"],
    &["syntax"],
    // Field types know how they are read and inherited.
    &["entity", "phase"],
    &["handbook"],
    &["session"],
    &["loader"],
    &["parser"],
];

/// Where a part is in the list.
fn rank(part: &str) -> Option<usize> {
    PARTS.iter().position(|parts| parts.contains(&part))
}

/// The parts of the crate that a text names, with the lines in which it does; comments and tests at its end count not.
fn named(text: &str) -> Vec<(usize, &str)> {
    let lines = text.lines().zip(1..).take_while(|(line, _)| *line != "#[cfg(test)]" && *line != "mod tests {");
    let code = lines.map(|(line, number)| (line.split("//").next().unwrap_or_default(), number));
    code.flat_map(|(line, number)| {
        let names = line.match_indices("crate::").filter(|(at, _)| !line[..*at].ends_with('$'));
        names.map(move |(at, found)| (number, word(&line[at + found.len()..])))
    })
    .collect()
}

fn word(text: &str) -> &str {
    text.split(|char: char| !char.is_alphanumeric() && char != '_').next().unwrap_or_default()
}

#[test]
fn no_part_of_the_engine_uses_a_higher_one() {
    let folder = root().join("crates/engine/src");
    let mut found = Vec::new();
    for (path, text) in texts(&folder) {
        let path = path.strip_prefix(&folder).unwrap();
        let part = path.components().next().unwrap().as_os_str().to_str().unwrap();
        let part = part.strip_suffix(".rs").unwrap_or(part);
        if part == "lib" || path.extension().is_none_or(|extension| extension != "rs") || path.ends_with("tests.rs") {
            continue;
        }
        let own = rank(part).unwrap_or_else(|| panic!("`{part}` is not in the list of parts"));
        let is_higher = |name: &str| rank(name).is_some_and(|other| other > own);
        let higher = named(&text).into_iter().filter(|(_, name)| is_higher(name));
        found.extend(
            higher.map(|(line, name)| format!("crates/engine/src/{}:{line}: {part} uses {name}", path.display())),
        );
    }
    assert!(found.is_empty(), "what is lower must not use what is higher:\n{}", found.join("\n"));
}

#[test]
fn parts_are_found_in_code_alone() {
    let text = "use crate::ard::Node; // crate::x\n/// crate::y\n$crate::z!();\nf(crate::rules::A);\n#[cfg(test)]\nuse crate::w;";
    assert_eq!(named(text), [(1, "ard"), (4, "rules")]);
}

#[test]
fn all_packages_have_the_version_of_the_manifest() {
    let version = env!("CARGO_PKG_VERSION");
    let cargo = format!("\nversion = \"{version}\"\n");
    let npm = format!("\n  \"version\": \"{version}\",\n");
    for (file, line) in [
        ("Cargo.toml", &cargo),
        ("bindings/python/Cargo.toml", &cargo),
        ("bindings/web/Cargo.toml", &cargo),
        ("bindings/web/package.json", &npm),
        ("editors/vscode/package.json", &npm),
    ] {
        let text = std::fs::read_to_string(root().join(file)).unwrap().replace("\r\n", "\n");
        assert!(text.contains(&**line), "{file} has another version than {version}");
    }
}

/// `url` takes either of two implementations of international host names, by the version of a crate that is chosen in
/// the lock file alone. `cargo update` would choose the one that is four times as many packages; this takes it back:
/// `cargo update -p idna_adapter --precise 1.1.0`, here, in `bindings/python` and in `bindings/web`.
#[test]
fn host_names_need_few_packages() {
    for lock in ["Cargo.lock", "bindings/python/Cargo.lock", "bindings/web/Cargo.lock"] {
        let text = std::fs::read_to_string(root().join(lock)).unwrap();
        assert!(text.contains("name = \"idna_adapter\""), "{lock}");
        assert!(!text.contains("name = \"icu_"), "{lock}");
    }
}
