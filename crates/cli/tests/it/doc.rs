//! The command `doc`, and the pages that it writes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::OnceLock;

use pulldown_cmark::{Event, Tag};
use regex::Regex;
use tosca_parse::{Entry, Parser};
use tosca_parse_doc::{Builder, Documentation, Format, Limits, MARK};

use super::{Folder, Run};

const PROFILE: &str = include_str!("doc/profile.yaml");

/// Types with names and descriptions that must not become markup or paths.
const HOSTILE: &str = r#"
tosca_definitions_version: tosca_2_0
description: "<script>alert(1)</script> [a](javascript:alert(2)) <!-- \n\n```\nopen"
data_types:
  "<script>alert(3)</script>":
    description: "</code></pre><img src=x onerror=alert(4)>\n# heading\n[b]: javascript:alert(5)"
    properties:
      "\"><script>": { type: string, default: "</script><b>`", description: "a | b" }
      "`](javascript:alert(6))": { type: string, metadata: { "<i>": "<u>" } }
  ../../escaped: { derived_from: "<script>alert(3)</script>" }
  /etc/passwd: { derived_from: ../../escaped }
  "a\nb": { derived_from: string }
  uses: { description: "[c]: javascript:alert(8)\n[d]: <javascript:alert(9)>", properties: { p: { type: string, description: "see [c] and [d]" } } }
  a b: { derived_from: string }
  a_b: { derived_from: string }
  A_B: { derived_from: string }
  index: { derived_from: string }
  README: { derived_from: string }
  nul: { derived_from: string }
  .hidden: { derived_from: string }
  "\u202e\u0007x": { derived_from: string }
"#;

fn documented(text: &str, threads: usize, limits: Limits) -> Documentation {
    let parser = Parser::builder(&tosca_parse::TOSCA).threads(threads).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("memory:/types.yaml").unwrap(), text));
    let errors: Vec<&str> = outcome.diagnostics.iter().map(|problem| &*problem.message).collect();
    assert!(outcome.is_valid(), "{errors:?}");
    let mut builder = Builder::new("types.yaml", limits);
    builder.introduce(&outcome.program);
    builder.add(&outcome.program);
    builder.finish()
}

fn files(documentation: &Documentation, format: Format) -> BTreeMap<String, String> {
    let files = documentation.files(format);
    let all: BTreeMap<String, String> =
        files.iter().map(|file| (file.path.clone(), documentation.text(format, file))).collect();
    assert_eq!(all.len(), files.len(), "two files have the same path");
    all
}

/// Returns the documentation of a built-in profile with all kinds of types.
fn simple_profile() -> &'static Documentation {
    static MADE: OnceLock<Documentation> = OnceLock::new();
    MADE.get_or_init(|| {
        let text = "tosca_definitions_version: tosca_2_0\nimports: [ { profile: org.oasis-open.simple:2.0 } ]\n\
                    node_types: { A: { derived_from: WebApplication } }\n";
        documented(text, 1, Limits::default())
    })
}

/// Returns the file that a link of another file leads to, and the id in it; `None` for other sites.
fn target(from: &str, link: &str) -> Option<(String, String)> {
    if ["https:", "http:", "mailto:"].iter().any(|scheme| link.starts_with(scheme)) {
        return None;
    }
    let (path, id) = link.split_once('#').unwrap_or((link, ""));
    if path.is_empty() {
        return Some((from.to_owned(), id.to_owned()));
    }
    let mut segments: Vec<&str> = from.split('/').collect();
    segments.pop();
    for segment in path.split('/') {
        if segment == ".." {
            assert!(segments.pop().is_some(), "{link} in {from} leaves the folder");
        } else {
            segments.push(segment);
        }
    }
    Some((segments.join("/"), id.to_owned()))
}

/// Returns whether a file is a page, rather than a style sheet or script.
fn is_page(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "html" || extension == "md")
}

/// Checks that all links lead to a file, and to an id in it.
fn assert_links(files: &BTreeMap<String, String>, links: &Regex) -> usize {
    let ids = Regex::new(" id=\"([^\"]*)\"").unwrap();
    let ids: BTreeMap<&str, Vec<&str>> = files
        .iter()
        .map(|(path, text)| (&**path, ids.captures_iter(text).map(|id| id.get(1).unwrap().as_str()).collect()))
        .collect();
    for (path, all) in &ids {
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "an id of {path} occurs twice");
    }
    let mut number = 0;
    for (path, text) in files.iter().filter(|(path, _)| is_page(path)) {
        for link in links.captures_iter(text).map(|link| link.get(1).unwrap().as_str()) {
            let Some((file, id)) = target(path, link) else { continue };
            assert!(files.contains_key(&file), "{link} in {path} leads nowhere");
            assert!(id.is_empty() || ids[&*file].contains(&&*id), "{link} in {path} leads to no id");
            number += 1;
        }
    }
    number
}

fn html_links() -> Regex {
    Regex::new("(?:href|src)=\"([^\"]*)\"").unwrap()
}

#[test]
fn all_links_have_targets() {
    let html = files(simple_profile(), Format::Html);
    assert!(assert_links(&html, &html_links()) > 1000);
    let links = Regex::new(r#"(?:\]\(|click n\d+ ")([^)"]*)"#).unwrap();
    assert!(assert_links(&files(simple_profile(), Format::Markdown), &links) > 500);
    let entry = Regex::new(r##"(?m)^\["[^"]*",\d+,"([^"#]*)"##).unwrap();
    for path in entry.captures_iter(&html["search.js"]) {
        assert!(html.contains_key(&path[1]), "{}", &path[1]);
    }
}

#[test]
fn pages_show_types() {
    let documentation = documented(PROFILE, 1, Limits::default());
    let (html, markdown) = (files(&documentation, Format::Html), files(&documentation, Format::Markdown));
    let mut shown = String::new();
    for path in
        ["README.md", "node-types/README.md", "node-types/Service.md", "node-types/Shop.md", "functions/double.md"]
    {
        let _ = write!(shown, "==> {path}\n{}", markdown[path]);
    }
    for path in ["node-types/Service.html", "search.js"] {
        let script = include_str!("../../../doc/src/search.js");
        let _ = write!(shown, "==> {path}\n{}", html[path].replace(script, "…\n"));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn texts_of_authors_are_not_markup() {
    let documentation = documented(HOSTILE, 1, Limits::default());
    let html = files(&documentation, Format::Html);
    assert_links(&html, &html_links());
    let known = [
        "!--", "!DOCTYPE", "a", "article", "body", "code", "dd", "details", "div", "dl", "dt", "form", "g", "h1", "h2",
        "h3", "head", "header", "html", "input", "label", "li", "link", "main", "meta", "nav", "p", "path", "pre",
        "rect", "script", "section", "span", "strong", "style", "summary", "svg", "text", "title", "tspan", "ul",
    ];
    let tags = Regex::new(r"</?([^\s>/]*)([^>]*)>").unwrap();
    for (path, text) in html.iter().filter(|(path, _)| is_page(path)) {
        assert_eq!(text.matches("<script").count(), 1, "{path}");
        assert!(!text.contains(['\u{202e}', '\u{7}']), "{path}");
        for tag in tags.captures_iter(text) {
            assert!(known.contains(&&tag[1]), "{path}: {}", &tag[0]);
            assert!(!tag[2].contains(" on") && !tag[2].to_lowercase().contains("javascript:"), "{path}: {}", &tag[0]);
        }
    }
    assert!(!html["search.js"].lines().take(60).any(|line| line.contains('<')), "{}", html["search.js"]);
    let markdown = files(&documentation, Format::Markdown);
    for (path, text) in &markdown {
        let mut comments = 0;
        for event in pulldown_cmark::Parser::new(text) {
            match event {
                Event::Html(html) => {
                    assert!(html.contains(MARK), "{path}: {html}");
                    comments += 1;
                }
                Event::InlineHtml(html) => panic!("{path}: {html}"),
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    assert!(dest_url.ends_with(".md") && !dest_url.contains(':'), "{path}: {dest_url}");
                }
                _ => {}
            }
        }
        assert_eq!(comments, 1);
    }
    for path in html.keys().chain(markdown.keys()) {
        let is_plain = |part: &str| {
            part.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-".contains(letter))
                && !part.starts_with('.')
                && !part.is_empty()
        };
        assert!(path.split('/').all(is_plain) && path.split('/').count() <= 2, "{path}");
    }
    let lowercase: BTreeSet<String> = html.keys().map(|path| path.to_lowercase()).collect();
    assert_eq!(lowercase.len(), html.len(), "the names of two files differ only by case");
}

#[test]
fn threads_make_no_difference() {
    let text = |threads| {
        let documentation = documented(PROFILE, threads, Limits::default());
        [files(&documentation, Format::Html), files(&documentation, Format::Markdown)]
    };
    assert_eq!(text(1), text(4));
}

#[test]
fn limits_are_kept_and_reported() {
    let some = documented(PROFILE, 1, Limits { pages: 5, ..Limits::default() });
    assert_eq!(some.pages.len(), 5);
    assert!(some.left_out.pages > 5, "{:?}", some.left_out);
    let html = files(&some, Format::Html);
    assert!(html["index.html"].contains("The limits of this documentation omit"));
    assert_links(&html, &html_links());
    let small = documented(PROFILE, 1, Limits { bytes: 1000, ..Limits::default() });
    assert!(small.left_out.members > 0);
    assert_links(&files(&small, Format::Html), &html_links());
    let mut large = "tosca_definitions_version: tosca_2_0\nnode_types:\n  N0: {}\n".to_owned();
    for number in 1..30 {
        let _ = writeln!(
            large,
            "  N{number}: {{ derived_from: N{}, properties: {{ p{number}: {{ type: string }} }} }}",
            number - 1
        );
    }
    let documentation = documented(&large, 1, Limits::default());
    let last = documentation.pages.iter().find(|page| page.name == "N29").unwrap();
    assert!(last.ancestors.len() == 20 && last.has_more_ancestors);
    assert_eq!(last.contents.sections[0].inherited.len(), 20);
    assert!(files(&documentation, Format::Html)["node-types/N29.html"].contains("Further ancestors may declare more."));
    let small = documented(&large, 1, Limits { bytes: 1000, ..Limits::default() });
    for (format, page) in [(Format::Html, "node-types/N29.html"), (Format::Markdown, "node-types/N29.md")] {
        let text = &files(&small, format)[page];
        assert!(
            text.contains("N28") && !text.contains("<code></code>") && !text.contains("[](") && !text.contains("[``](")
        );
    }
}

#[test]
fn repeated_names_have_a_limited_size() {
    let name = "n".repeat(10_000);
    let property = |number| format!("      ? {name}{number}\n      : {{ type: string, required: false }}\n");
    let capability = |number: usize| format!("      c{number}: C\n");
    let text = format!(
        "tosca_definitions_version: tosca_2_0\ncapability_types:\n  C:\n    properties:\n{}node_types:\n  N:\n    \
         capabilities:\n{}",
        (0..50).map(property).collect::<String>(),
        (0..500).map(capability).collect::<String>()
    );
    let limits = Limits { bytes: 1 << 20, ..Limits::default() };
    let documentation = documented(&text, 1, limits);
    assert!(documentation.left_out.members > 0);
    for format in [Format::Html, Format::Markdown] {
        let size: usize = files(&documentation, format).values().map(String::len).sum();
        assert!(size < 8 * limits.bytes, "{size}");
    }
}

#[test]
fn values_are_yaml_of_limited_size() {
    let text = "tosca_definitions_version: tosca_2_0\ndata_types:\n  A:\n    properties:\n      a:\n        type: map\n        \
                entry_schema: string\n        default: { one: \"1\", two: \"a b\", empty: \"\" }\n      b: { type: string, default: \"x: y\" }\n    \
                metadata:\n      long: [ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, { c: [ cccccccccccccccccccccccccccccccccc ] } ]\n      \
                huge: HUGE\n";
    let documentation = documented(&text.replace("HUGE", &"h".repeat(10_000)), 1, Limits::default());
    let page = &files(&documentation, Format::Markdown)["data-types/A.md"];
    assert!(page.contains("`default`: `{ one: \"1\", two: a b, empty: \"\" }`"), "{page}");
    assert!(page.contains("`default`: `\"x: y\"`"), "{page}");
    assert!(page.contains("  long:\n    - aaaa") && page.contains("    - { c: [ cccc"), "{page}");
    assert!(page.len() < 6000 && page.contains('…'), "{page}");
}

fn paths(folder: &Folder, below: &str) -> Vec<String> {
    let walk = walkdir::WalkDir::new(folder.path().join(below)).sort_by_file_name();
    let entries = walk.into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    let path =
        |entry: walkdir::DirEntry| entry.path().strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned();
    entries.map(path).collect()
}

const SMALL: &str = "tosca_definitions_version: tosca_2_0\nnode_types: { A: {}, B: { derived_from: A } }\n";

#[test]
fn problems_that_several_files_share_are_shown_once() {
    let user = "tosca_definitions_version: tosca_2_0\nimports: [ types.yaml ]\n";
    let user = |name: &str| format!("{user}node_types: {{ {name}: {{ derived_from: A }} }}\n");
    let folder = Folder::new(&[
        ("f/types.yaml", &SMALL.replace("A: {}", "A: { descripton: x }")),
        ("f/a.yaml", &user("C")),
        ("f/b.yaml", &user("D")),
    ]);
    for command in ["doc f", "graph f --show substitutions"] {
        let run = folder.run(command);
        assert_eq!(run.all().matches("[T1201]").count(), 1, "{}", run.all());
    }
}

#[test]
fn earlier_pages_are_replaced() {
    let folder = Folder::new(&[("types.yaml", SMALL)]);
    let run = folder.run("doc types.yaml");
    assert_eq!((run.code, &*run.out, &*run.err), (0, "wrote 6 files; start with doc/index.html\n", ""));
    let html =
        ["index.html", "node-types/A.html", "node-types/B.html", "node-types/index.html", "search.js", "style.css"];
    assert_eq!(paths(&folder, "doc"), html.map(|path| format!("doc/{path}")));
    // Other files are kept; pages of types that no longer exist are removed.
    folder.write("doc/node-types/notes.txt", "mine");
    folder.write("types.yaml", &SMALL.replace("B:", "C:"));
    let run = folder.run("doc types.yaml --format markdown");
    assert_eq!((run.code, &*run.out), (0, "wrote 4 files; start with doc/README.md\n"), "{}", run.all());
    let markdown = ["README.md", "node-types/A.md", "node-types/C.md", "node-types/README.md", "node-types/notes.txt"];
    assert_eq!(paths(&folder, "doc"), markdown.map(|path| format!("doc/{path}")));
    let text = std::fs::read_to_string(folder.path().join("doc/node-types/A.md")).unwrap();
    assert!(text.lines().next().unwrap().contains(MARK));
}

#[test]
fn files_of_others_are_never_replaced() {
    let folder = Folder::new(&[("types.yaml", SMALL), ("docs/README.md", "mine\n"), ("docs/a.txt", "")]);
    let run = folder.run("doc types.yaml --output docs");
    assert!(
        run.code == 1 && run.err.contains("docs has files that were not written by `tosca-parse doc`"),
        "{}",
        run.all()
    );
    // The folder may be shared, but a file with the name of a page is kept.
    let run = folder.run("doc types.yaml --output docs --force --format markdown");
    assert!(run.code == 1 && run.err.contains("docs/README.md was not written by `tosca-parse doc`"), "{}", run.all());
    assert_eq!(paths(&folder, "docs"), ["docs/README.md", "docs/a.txt"]);
    let run = folder.run("doc types.yaml --output docs --force");
    assert_eq!(run.code, 0, "{}", run.all());
    assert_eq!(std::fs::read_to_string(folder.path().join("docs/README.md")).unwrap(), "mine\n");
    assert_eq!(folder.run("doc types.yaml --output types.yaml").code, 1);
}

#[test]
fn documentation_in_a_folder_is_kept() {
    let folder = Folder::new(&[("types.yaml", SMALL)]);
    let all = |below: &str| [paths(&folder, &format!("{below}/html")), paths(&folder, &format!("{below}/markdown"))];
    for output in ["doc/html", "doc/markdown --format markdown"] {
        assert_eq!(folder.run(&format!("doc types.yaml -o {output}")).code, 0);
    }
    let before = all("doc");
    for output in ["doc --force", "doc --format markdown"] {
        assert_eq!(folder.run(&format!("doc types.yaml -o {output}")).code, 0);
        assert_eq!(all("doc"), before);
    }
    assert!(!folder.path().join("doc/index.html").exists());
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let folder = Folder::new(&[("types.yaml", SMALL), ("elsewhere/A.html", "mine")]);
    std::fs::create_dir(folder.path().join("doc")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", folder.path().join("doc/node-types")).unwrap();
    let run = folder.run("doc types.yaml --force");
    assert!(run.code == 1 && run.err.contains("doc/node-types is not a folder"), "{}", run.all());
    assert_eq!(paths(&folder, "elsewhere"), ["elsewhere/A.html"]);
    std::fs::remove_file(folder.path().join("doc/node-types")).unwrap();
    std::os::unix::fs::symlink("../types.yaml", folder.path().join("doc/index.html")).unwrap();
    let run = folder.run("doc types.yaml --force");
    assert!(run.code == 1 && run.err.contains("doc/index.html was not written"), "{}", run.all());
    assert_eq!(std::fs::read_to_string(folder.path().join("types.yaml")).unwrap(), SMALL);
}

#[test]
fn sources_can_be_profiles_versions_and_folders() {
    let imported = "tosca_definitions_version: tosca_2_0\nprofile: com.example:1.0\nnode_types: { Base: {} }\n";
    let first = "tosca_definitions_version: tosca_2_0\nimports: [ { profile: com.example:1.0, namespace: e } ]\n\
                 node_types: { First: { derived_from: e:Base } }\n";
    let second = "tosca_definitions_version: tosca_2_0\nimports: [ first.yaml ]\n\
                  node_types: { Second: { derived_from: First } }\n";
    let folder = Folder::new(&[("lib/profile.yaml", imported), ("a/first.yaml", first), ("a/second.yaml", second)]);
    let index = |run: &Run, path: &str| {
        assert_eq!(run.code, 0, "{}", run.all());
        std::fs::read_to_string(folder.path().join(path)).unwrap()
    };
    // The types of imported files belong to the documentation, those of profiles are only mentioned.
    let second = index(&folder.run("doc a/second.yaml --profile-path lib --format markdown"), "doc/README.md");
    assert!(
        second.contains("- [`First`]") && second.contains("- [`Second`]") && !second.contains("- [`Base`]"),
        "{second}"
    );
    assert!(paths(&folder, "doc").contains(&"doc/node-types/Base.md".to_owned()));
    let all = index(&folder.run("doc a --profile-path lib --format markdown -o all"), "all/README.md");
    assert!(all.starts_with(&format!("<!-- {MARK} -->\n\n# a\n")) && all.contains("- [`First`]"), "{all}");
    let named =
        index(&folder.run("doc com.example:1.0 --profile-path lib --format markdown -o named"), "named/README.md");
    assert!(named.contains("# com.example:1.0") && named.contains("- [`Base`]"), "{named}");
    let version = index(&folder.run("doc tosca_2_0 --format markdown -o version"), "version/README.md");
    assert!(version.contains("# tosca\\_2\\_0") && version.contains("[`string`](data-types/string.md)"), "{version}");
    let run = folder.run("doc tosca_2_1");
    assert!(
        run.code == 2 && run.err.contains("there is no file, folder or profile `tosca_2_1`; did you mean"),
        "{}",
        run.all()
    );
}

#[test]
fn invalid_files_and_files_without_types_have_no_pages() {
    let folder = Folder::new(&[
        ("wrong.yaml", "tosca_definitions_version: tosca_2_0\nnode_types: { A: { derived_from: B } }\n"),
        ("empty.yaml", "tosca_definitions_version: tosca_2_0\n"),
    ]);
    let run = folder.run("doc wrong.yaml");
    assert!(run.code == 1 && run.out.contains("error[T2001]"), "{}", run.all());
    let run = folder.run("doc empty.yaml");
    assert_eq!((run.code, &*run.err), (1, "error: empty.yaml has no types\n"));
    assert!(!folder.path().join("doc").exists());
}

#[test]
fn other_languages_have_pages() {
    let cloudify = "tosca_definitions_version: cloudify_dsl_1_5\nimports: [ cloudify/types/types.yaml ]\n\
                    node_types: { shop: { derived_from: cloudify.nodes.Root, properties: { port: { type: integer } } } }\n";
    let folder = Folder::new(&[("blueprint.yaml", cloudify)]);
    let run = folder.run("doc blueprint.yaml --format markdown");
    assert_eq!(run.code, 0, "{}", run.all());
    let page = std::fs::read_to_string(folder.path().join("doc/node-types/shop.md")).unwrap();
    assert!(page.contains("[`cloudify.nodes.Root`](../node-types/cloudify.nodes.Root.md)"), "{page}");
    assert!(page.contains("### `port`"), "{page}");
}
