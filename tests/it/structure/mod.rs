//! Invariants of the structure of the project, as far as they can be checked in its files.

mod checks;
mod modules;

use std::path::{Path, PathBuf};

use modules::Package;

/// Returns the text files of a folder, recursively, sorted by path.
fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    files.filter_map(|path| std::fs::read_to_string(&path).ok().map(|text| (path, text))).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the numbers of the lines that contain one of the given words, ignoring case and the names of crates.
fn lines_with(words: &[&str], text: &str) -> Vec<usize> {
    let has_word = |line: &str| {
        let line = line.to_lowercase().replace("tosca-parse", "").replace("tosca_parse", "");
        words.iter().any(|word| line.contains(word))
    };
    text.lines().zip(1..).filter(|(line, _)| has_word(line)).map(|(_, number)| number).collect()
}

#[test]
fn the_engine_does_not_mention_languages() {
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
fn only_the_allocator_of_the_command_has_unsafe_code() {
    let folders =
        ["bindings/python/src", "bindings/web/src", "crates", "src"].map(|folder| texts(&root().join(folder)));
    let allows = |(_, text): &&(PathBuf, String)| text.contains("unsafe_code");
    let found = folders.iter().flatten().filter(allows).map(|(path, _)| path.strip_prefix(root()).unwrap());
    assert_eq!(found.collect::<Vec<_>>(), [Path::new("crates/cli/src/main.rs")]);
}

#[test]
fn words_are_found_whatever_their_case() {
    let text = "use tosca_parse::x;\nTosca_parse is for Tosca\na.CSAR\n";
    assert_eq!(lines_with(&["tosca", "csar"], text), [2, 3]);
}

/// The parts of the engine, lowest first. Parts on one line may use each other.
const ENGINE: &[&[&str]] = &[
    &["memory"],
    &["parallel"],
    &["shared_map"],
    &["symbol"],
    &["text"],
    &["json_schema"],
    &["diagnostic"],
    &["rules"],
    &["ard"],
    &["source"],
    &["syntax"],
    // Types of fields define how they are read and inherited.
    &["entity", "phase"],
    &["reference_docs"],
    &["session"],
    &["loader"],
    &["parser"],
];

/// The parts of TOSCA, lowest first.
const TOSCA: &[&[&str]] = &[
    &["value"],
    &["rules"],
    &["grammar"],
    &["spec"],
    &["normative"],
    &["data"],
    &["relationships"],
    &["member_limit"],
    &["named_file"],
    &["check"],
    &["archive", "completion", "lint", "migrate", "recognize", "resolve"],
    &["tosca"],
    &["normal"],
    &["custom_rule", "form", "graph"],
];

/// The parts of `data`, lowest first. Parts on one line don't use each other.
const DATA: &[&[&str]] = &[
    &["checks", "room"],
    &["typed"],
    &["schema"],
    &["call"],
    &["capability"],
    &["path"],
    &["evaluation"],
    &["clause"],
    &["judge"],
    &["filter", "value_loops", "simple", "v2_0"],
];

/// Asserts that no part of a package, or of one of its modules, uses a higher one.
fn assert_order(package: &Package, parent: &[&str], parts: &[&[&str]]) {
    let rank = |part: &str| {
        let rank = parts.iter().position(|parts| parts.contains(&part));
        rank.unwrap_or_else(|| panic!("`{part}` is not in the list of parts"))
    };
    let is_within = |module: &[String]| module.len() > parent.len() && module.iter().zip(parent).all(|(a, b)| a == b);
    let part = |module: &[String]| is_within(module).then(|| module[parent.len()].clone());
    let mut found = Vec::new();
    for (from, to) in package.edges() {
        if let (Some(lower), Some(upper)) = (part(from), part(to))
            && rank(&lower) < rank(&upper)
        {
            found.push(format!("{} uses {}", from.join("::"), to.join("::")));
        }
    }
    assert!(found.is_empty(), "a lower part must not use a higher one:\n{}", found.join("\n"));
}

#[test]
fn parts_do_not_use_higher_ones() {
    assert_order(&Package::read("crates/engine/src"), &[], ENGINE);
    let tosca = Package::read("src");
    assert_order(&tosca, &[], TOSCA);
    assert_order(&tosca, &["data"], DATA);
}

#[test]
fn other_parts_do_not_use_the_checks() {
    let tosca = Package::read("src");
    let is_check = |module: &[String]| module.first().is_some_and(|part| part == "check");
    let users = tosca.edges().into_iter().filter(|(from, to)| is_check(to) && !is_check(from));
    let users: Vec<String> = users.map(|(from, _)| from.join("::")).collect();
    assert!(users.is_empty(), "these modules use checks: {}", users.join(", "));
}

#[test]
fn cycles_are_small_and_only_in_the_grammar() {
    let tosca = Package::read("src");
    let is_fine = |cycle: &Vec<&[String]>| cycle.len() <= 8 && cycle.iter().all(|module| module[0] == "grammar");
    let names = |cycle: Vec<&[String]>| cycle.iter().map(|module| module.join("::")).collect::<Vec<_>>().join(", ");
    let found: Vec<String> = tosca.cycles().into_iter().filter(|cycle| !is_fine(cycle)).map(names).collect();
    assert!(found.is_empty(), "these files use each other in a circle:\n{}", found.join("\n"));
}

/// Returns whether an attribute derives `Entity` or `Enumerated`.
fn describes(attribute: &syn::Attribute) -> bool {
    let Ok(list) = attribute.meta.require_list() else { return false };
    list.path.is_ident("derive") && ["Entity", "Enumerated"].iter().any(|name| list.tokens.to_string().contains(name))
}

/// Checks that entities and enums are non-exhaustive, because a new keyname or value must not break users of a
/// language.
#[test]
fn public_entities_and_words_can_grow() {
    let (mut described, mut open) = (0, Vec::new());
    for folder in ["src", "crates/cloudify/src", "crates/heat/src", "crates/murano/src"] {
        for (path, text) in texts(&root().join(folder)).iter().filter(|(path, _)| modules::is_source(path)) {
            for item in syn::parse_file(text).unwrap().items {
                let (attrs, vis, name) = match &item {
                    syn::Item::Struct(item) => (&item.attrs, &item.vis, &item.ident),
                    syn::Item::Enum(item) => (&item.attrs, &item.vis, &item.ident),
                    _ => continue,
                };
                if matches!(vis, syn::Visibility::Public(_)) && attrs.iter().any(describes) {
                    described += 1;
                    let is_open = !attrs.iter().any(|attr| attr.path().is_ident("non_exhaustive"));
                    open.extend(is_open.then(|| format!("{}: {name}", path.strip_prefix(root()).unwrap().display())));
                }
            }
        }
    }
    assert!(described > 100, "only {described}");
    assert!(open.is_empty(), "these are not `#[non_exhaustive]`:\n{}", open.join("\n"));
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

/// Checks that the lock files choose the smaller of the two implementations of international host names for `url`.
/// `cargo update` chooses the other one, with four times as many packages. To revert that, run
/// `cargo update -p idna_adapter --precise 1.1.0` here, in `bindings/python` and in `bindings/web`.
#[test]
fn host_names_need_few_packages() {
    for lock in ["Cargo.lock", "bindings/python/Cargo.lock", "bindings/web/Cargo.lock"] {
        let text = std::fs::read_to_string(root().join(lock)).unwrap();
        assert!(text.contains("name = \"idna_adapter\""), "{lock}");
        assert!(!text.contains("name = \"icu_"), "{lock}");
    }
}
