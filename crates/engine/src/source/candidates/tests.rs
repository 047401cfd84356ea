#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::super::FILE;
use super::super::address::tests::strange_text;
use super::*;

const ROOT: &str = "file:///project/";
const SERVICE: &str = "file:///project/service.yaml";
const TYPES: &str = "file:///project/types/nodes.yaml";

fn parse(url: &str) -> Address {
    Address::parse(url).unwrap()
}

fn resolve(importer: &str, target: &str, repository: Option<&str>) -> Result<Vec<String>, ResolveError> {
    let root = if importer.starts_with("memory") { "memory:project/" } else { ROOT };
    let found = candidates(&parse(importer), &parse(root), target, repository)?;
    Ok(found.iter().map(ToString::to_string).collect())
}

#[track_caller]
fn assert_found(importer: &str, target: &str, expected: &[&str]) {
    assert_eq!(resolve(importer, target, None).unwrap(), expected, "{target} in {importer}");
}

#[test]
fn urls_are_absolute() {
    assert_found(SERVICE, "https://host/a.yaml", &["https://host/a.yaml"]);
    assert_found(SERVICE, "file:///a.yaml", &["file:///a.yaml"]);
    assert_found(SERVICE, "demo://host/a.yaml", &["demo://host/a.yaml"]);
    assert_found("https://host/a", "builtin:simple.yaml", &["builtin:/simple.yaml"]);
}

#[test]
fn paths_start_at_the_importer() {
    assert_found(SERVICE, "types/a.yaml", &["file:///project/types/a.yaml"]);
    assert_found(TYPES, "a.yaml", &["file:///project/types/a.yaml"]);
    assert_found(TYPES, "../a.yaml", &["file:///project/a.yaml"]);
    assert_found(TYPES, "./../types/./a.yaml", &["file:///project/types/a.yaml"]);
    assert_found(SERVICE, "io.k8s.api.core:v1", &["file:///project/io.k8s.api.core:v1"]);
    assert_found("https://host/x/y.yaml", "a.yaml", &["https://host/x/a.yaml"]);
    assert_found("memory:project/x/y.yaml", "../a.yaml", &["memory:/project/a.yaml"]);
}

#[test]
fn file_urls_without_a_slash_are_relative() {
    assert_found(SERVICE, "file:types/a.yaml", &["file:///project/types/a.yaml"]);
    assert_found(TYPES, "file:../a.yaml", &["file:///project/a.yaml"]);
    assert_found("https://host/x/y.yaml", "file:a.yaml", &["https://host/x/a.yaml"]);
}

#[test]
fn paths_above_the_root_have_a_second_candidate() {
    assert_found(SERVICE, "../types/a.yaml", &["file:///types/a.yaml", "file:///project/types/a.yaml"]);
    assert_found(SERVICE, "file:../types/a.yaml", &["file:///types/a.yaml", "file:///project/types/a.yaml"]);
    assert_found(TYPES, "../../a.yaml", &["file:///a.yaml", "file:///project/a.yaml"]);
    assert_found(TYPES, "x/../../../a.yaml", &["file:///a.yaml", "file:///project/a.yaml"]);
    // The path leads out of the root and back in.
    assert_found(SERVICE, "../project/a.yaml", &["file:///project/a.yaml", "file:///project/project/a.yaml"]);
    assert_found(SERVICE, "../http://a", &["file:///http:/a", "file:///project/http:/a"]);
    // For a file outside the root, `..` is not limited.
    assert_found("file:///lib/x.yaml", "../../a.yaml", &["file:///a.yaml"]);
    assert_found("file:///project2/x.yaml", "../a.yaml", &["file:///a.yaml"]);
    assert_found("https://host/x.yaml", "../../a.yaml", &["https://host/a.yaml"]);
}

#[test]
fn the_root_may_be_remote() {
    let root = parse("https://user:pw@host/raw/master/");
    let found = |importer: &str, target: &str| -> Vec<String> {
        let found = candidates(&parse(importer), &root, target, None).unwrap();
        found.iter().map(ToString::to_string).collect()
    };
    let service = "https://host/raw/master/service.yaml";
    assert_eq!(
        found(service, "../a.yaml?x=/.."),
        ["https://host/raw/a.yaml?x=/..", "https://host/raw/master/a.yaml?x=/.."]
    );
    assert_eq!(found(service, "/a.yaml"), ["https://host/raw/master/a.yaml", "https://host/a.yaml"]);
    assert_eq!(found(service, "//evil/a.yaml"), ["https://host/raw/master/evil/a.yaml", "https://host/evil/a.yaml"]);
    assert_eq!(found(service, "\\\\evil/a.yaml"), ["https://host/evil/a.yaml"]);
    assert_eq!(found("https://other/a/b.yaml", "/c.yaml"), ["https://other/c.yaml"]);
    assert_eq!(found("http://host/raw/master/b.yaml", "/c.yaml"), ["http://host/c.yaml"]);
}

#[test]
fn a_slash_starts_at_the_root() {
    assert_found(TYPES, "/a.yaml", &["file:///project/a.yaml", "file:///a.yaml"]);
    assert_found(TYPES, "//x/../a.yaml", &["file:///project/a.yaml", "file:///a.yaml"]);
    assert_found(TYPES, "/../a.yaml", &["file:///project/a.yaml", "file:///a.yaml"]);
    assert_found(TYPES, "/project/a.yaml", &["file:///project/project/a.yaml", "file:///project/a.yaml"]);
    assert_found("file:///lib/x.yaml", "/a.yaml", &["file:///project/a.yaml", "file:///a.yaml"]);
    assert_found("memory:project/x.yaml", "/a.yaml", &["memory:/project/a.yaml", "memory:/a.yaml"]);
    assert_found("https://host/x/y.yaml", "/a.yaml", &["https://host/a.yaml"]);
    assert_eq!(
        candidates(&parse("file:///x.yaml"), &parse("file:///"), "/a.yaml", None).unwrap(),
        [parse("file:///a.yaml")],
        "no address twice"
    );
}

#[test]
fn encoded_names_are_tried_both_ways() {
    assert_found(SERVICE, "a%20b.yaml", &["file:///project/a%2520b.yaml", "file:///project/a%20b.yaml"]);
    assert_found(SERVICE, "file:a%20b.yaml", &["file:///project/a%20b.yaml", "file:///project/a%2520b.yaml"]);
    assert_found(SERVICE, "a b#c?.yaml", &["file:///project/a%20b%23c%3F.yaml"]);
    assert_found(SERVICE, "100%.yaml", &["file:///project/100%25.yaml"]);
    assert_found(SERVICE, "file:100%.yaml", &["file:///project/100%25.yaml"]);
    assert_found("https://host/x", "a%20b.yaml", &["https://host/a%20b.yaml"]);
    assert_found(
        SERVICE,
        "/a%20b",
        &["file:///project/a%2520b", "file:///project/a%20b", "file:///a%2520b", "file:///a%20b"],
    );
}

#[test]
fn repositories_are_directories() {
    let found = |target: &str, repository: &str| resolve(TYPES, target, Some(repository)).unwrap();
    assert_eq!(found("tests/x.yaml", "https://host/raw/master"), ["https://host/raw/master/tests/x.yaml"]);
    assert_eq!(found("tests/x.yaml", "https://host/raw/master/"), ["https://host/raw/master/tests/x.yaml"]);
    assert_eq!(found("/tests/x.yaml", "https://host/raw?q=1"), ["https://host/raw/tests/x.yaml"]);
    assert_eq!(found("../x.yaml", "https://host/a/b"), ["https://host/a/x.yaml", "https://host/a/b/x.yaml"]);
    assert_eq!(found("x.yaml", "lib"), ["file:///project/types/lib/x.yaml"]);
    assert_eq!(found("x.yaml", "../lib/"), ["file:///project/lib/x.yaml"]);
    assert_eq!(found("x.yaml", "file:../lib"), ["file:///project/lib/x.yaml"]);
    assert_eq!(found("x.yaml", "file:///lib"), ["file:///lib/x.yaml"]);
    assert_eq!(found("x.yaml", "/lib"), ["file:///project/lib/x.yaml", "file:///lib/x.yaml"]);
    assert_eq!(found("a:b", "https://host/r"), ["https://host/r/a:b"]);
    assert_eq!(found("x.yaml", "git@host:a/b"), ["file:///project/types/git@host:a/b/x.yaml"]);
}

#[test]
fn unresolvable_references_are_reported() {
    let message = |importer: &str, target: &str, repository: Option<&str>| {
        let error = resolve(importer, target, repository).unwrap_err();
        (error.to_string(), error.help().is_some())
    };
    let cases = [
        ((SERVICE, "", None), "the URL of the import is empty", false),
        ((SERVICE, "", Some("lib")), "the URL of the import is empty", false),
        ((SERVICE, "a.yaml", Some("")), "the URL of the repository is empty", false),
        (
            (SERVICE, "https://u:p@host/a.yaml", Some("lib")),
            "`https://host/a.yaml` has a scheme, so it can't be in a repository",
            true,
        ),
        ((SERVICE, "file:a.yaml", Some("lib")), "`file:a.yaml` has a scheme, so it can't be in a repository", true),
        (
            (SERVICE, "a.yaml", Some("https://")),
            "invalid repository URL: `https://` is not a valid URL: empty host",
            false,
        ),
        ((SERVICE, "https://", None), "`https://` is not a valid URL: empty host", false),
        (
            ("https://host/a.yaml", "file:///etc/passwd", None),
            "`file:///etc/passwd` is a local file, which a remote file or a file in an archive must not import",
            false,
        ),
        (
            ("https://host/a.yaml", "b.yaml", Some("file:///etc")),
            "invalid repository URL: `file:///etc` is a local file, which a remote file or a file in an archive must not import",
            false,
        ),
        (("urn:x", "b.yaml", None), "nothing can be relative to `urn:x`, which has no path", false),
    ];
    for ((importer, target, repository), text, has_help) in cases {
        assert_eq!(message(importer, target, repository), (text.to_owned(), has_help));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn candidates_are_distinct_and_stay_on_their_host(target in strange_text(), repository in strange_text()) {
        let repository = (repository.len() % 2 == 0).then_some(repository);
        for (importer, root) in [
            (SERVICE, ROOT),
            (TYPES, ROOT),
            ("https://host/a/b.yaml", ROOT),
            ("https://host/a/b.yaml", "https://host/a/"),
            ("memory:a/b.yaml", "memory:a/"),
            ("urn:x", ROOT),
        ] {
            let (importer, root) = (parse(importer), parse(root));
            let Ok(found) = candidates(&importer, &root, &target, repository.as_deref()) else { continue };
            prop_assert!(!found.is_empty());
            for (at, address) in found.iter().enumerate() {
                prop_assert!(!found[..at].contains(address));
                prop_assert!(address.same_origin(&found[0]));
                if matches!(Reference::of(&target), Reference::Path(_)) && repository.is_none() {
                    prop_assert!(address.same_origin(&importer));
                }
                prop_assert!(!importer.is_remote() || address.scheme() != FILE);
            }
        }
    }
}
