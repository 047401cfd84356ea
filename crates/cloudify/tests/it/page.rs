//! The page about adding a language.

use std::path::Path;

/// The languages that are features of the package.
const LANGUAGES: [&str; 3] = ["cloudify", "heat", "murano"];

#[test]
fn languages_are_in_all_places() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let page = read("docs/another-language.md");
    let (_, table) = page.split_once("| File | Entry |").unwrap();
    let rows = table.lines().filter_map(|row| row.strip_prefix("| `")?.split_once('`'));
    let files: Vec<&str> = rows.map(|(file, _)| file).collect();
    assert!(files.len() > 4, "{files:?}");
    for file in files {
        let text = read(file).to_lowercase();
        for language in LANGUAGES {
            assert!(text.contains(language), "{file} has no entry of {language}");
        }
    }
}
