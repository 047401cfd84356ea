//! What the README and the pages beside it show is what happens.

use std::path::Path;
use std::process::Command;

/// The output that a page shows after a command, and what the command writes.
fn shown_and_written(page: &str, command: &str) -> (String, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join(page)).unwrap();
    let (_, rest) = text.split_once(&format!("cargo run --release -- {command}\n")).unwrap();
    let (_, shown) = rest.split_once("```text\n").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    let mut process = Command::new(env!("CARGO_BIN_EXE_tosca-parse"));
    // Whoever runs the tests may have set up something; in this folder nobody has.
    process.env("XDG_CONFIG_HOME", root.join("tests"));
    let output = process.current_dir(root).args(command.split(' ')).output().unwrap();
    let written = [output.stdout, output.stderr].concat();
    (shown.to_owned(), String::from_utf8(written).unwrap())
}

#[test]
fn a_valid_service_is_summed_up() {
    let (shown, written) = shown_and_written("README.md", "examples/templates/shop.yaml");
    assert_eq!(written, shown);
}

#[test]
fn the_first_problem_is_shown() {
    let (shown, written) = shown_and_written("README.md", "examples/templates/broken.yaml");
    assert!(written.starts_with(&shown), "{written}");
    assert!(written.ends_with("4 errors in 1 file\n"), "{written}");
}

#[test]
fn open_requirements_are_fulfilled() {
    let (shown, written) = shown_and_written("docs/requirements.md", "resolve examples/templates/open.yaml");
    assert!(written.starts_with(&shown), "{written}");
    assert!(written.ends_with("1 warning in 1 file\n"), "{written}");
}

#[test]
fn links_between_pages_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages =
        docs.chain(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "python/README.md"].map(|page| root.join(page)));
    for page in pages.filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap();
            let is_here = !path.is_empty() && !path.contains("://") && !path.contains(' ');
            assert!(!is_here || page.parent().unwrap().join(path).exists(), "{}: {link} leads nowhere", page.display());
        }
    }
}

/// The changes that CONTRIBUTING.md shows fit the files as they are: the lines around them are there, those that are added
/// are not.
#[test]
fn changes_that_contributors_are_shown_fit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap().replace("\r\n", "\n");
    let changes: Vec<&str> = page.split("```diff ").skip(1).collect();
    assert_eq!(changes.len(), 3);
    for change in changes {
        let (file, change) = change.split_once('\n').unwrap();
        let (change, _) = change.split_once("```").unwrap();
        let text = std::fs::read_to_string(root.join(file)).unwrap().replace("\r\n", "\n");
        let kept: String =
            change.lines().filter_map(|line| line.strip_prefix(' ')).map(|line| line.to_owned() + "\n").collect();
        assert!(text.contains(&kept), "{file}: {kept}");
        let mut added = change.lines().filter_map(|line| line.strip_prefix('+'));
        assert!(added.all(|line| line.contains("#[serde") || !text.contains(line)), "{file}");
    }
}
