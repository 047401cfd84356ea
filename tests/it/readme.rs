//! Links between pages, and the diffs in CONTRIBUTING.md.

use std::path::Path;

#[test]
fn links_between_pages_have_targets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.chain(
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "bindings/python/README.md", "bindings/web/README.md"]
            .map(|page| root.join(page)),
    );
    for page in pages.filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        let text = std::fs::read_to_string(&page).unwrap();
        // Every other part is in a code block.
        let prose: String = text.split("```").step_by(2).collect();
        for link in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap();
            let is_here = !path.is_empty() && !path.contains("://") && !path.contains(' ');
            assert!(!is_here || page.parent().unwrap().join(path).exists(), "{}: {link} leads nowhere", page.display());
        }
    }
}

/// Checks that the diffs in CONTRIBUTING.md apply to the current files: their context lines exist, and their added
/// lines do not.
#[test]
fn diffs_for_contributors_apply() {
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
