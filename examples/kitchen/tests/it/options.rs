//! Options of a language.

use std::path::Path;

use kitchen::KITCHEN;
use tosca_parse::{Entry, Outcome, Parser, ParserBuilder};

const BOOK: &str = "kitchen: 2\ndishes: { lunch: { recipe: soup } }\n";
const PANTRY: &str =
    "kitchen: 2\nstuffs: { leek: {} }\nrecipes: { soup: { ingredients: { leek: { stuff: leek, optional: true } } } }\n";

fn parse(folder: &Path, options: &[(&str, &str)], build: impl FnOnce(ParserBuilder) -> ParserBuilder) -> Outcome {
    let parser = build(Parser::builder(&KITCHEN).directory(folder)).build().unwrap();
    parse_with(&parser, options)
}

fn parse_with(parser: &Parser, options: &[(&str, &str)]) -> Outcome {
    let address = |path: &str| parser.address(path).unwrap();
    let entry = Entry::at(address("books/book.yaml"));
    parser.parse_entry(options.iter().fold(entry, |entry, (name, value)| entry.option(*name, address(value))))
}

fn messages(outcome: &Outcome) -> Vec<String> {
    let problems = outcome.diagnostics.iter();
    problems.map(|problem| format!("{} {}", problem.rule.code, problem.message)).collect()
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn sources_of_options_are_seen_by_all_units() {
    let importing = "kitchen: 2\nimports: [ other.yaml ]\ndishes: { lunch: { recipe: soup } }\n";
    let other = "kitchen: 2\nrecipes: { stew: { like: [ soup ] } }\n";
    let folder = folder(&[("books/book.yaml", importing), ("books/other.yaml", other), ("pantry.yaml", PANTRY)]);
    let parser = Parser::builder(&KITCHEN).directory(folder.path()).build().unwrap();
    for _ in 0..2 {
        assert!(!parse_with(&parser, &[]).is_valid());
        let outcome = parse_with(&parser, &[("pantry", "pantry.yaml")]);
        assert_eq!(messages(&outcome), [""; 0]);
        assert_eq!(outcome.program.given, [1]);
    }
    // A change of the source also affects units that have not changed.
    std::fs::write(folder.path().join("pantry.yaml"), PANTRY.replace("soup", "broth")).unwrap();
    assert!(!parse_with(&parser, &[("pantry", "pantry.yaml")]).is_valid());
    assert!(!parse_with(&parser, &[("unknown", "pantry.yaml")]).is_valid());
}

#[test]
fn later_sources_win() {
    let book = "kitchen: 2\ndishes: { lunch: { recipe: soup, ingredients: { leek: 1 } } }\n";
    let other = PANTRY.replace("leek", "pea");
    let folder = folder(&[("books/book.yaml", book), ("leek.yaml", PANTRY), ("pea.yaml", &other)]);
    let found =
        |paths: [&str; 2]| messages(&parse(folder.path(), &paths.map(|path| ("pantry", path)), |builder| builder));
    assert_eq!(found(["pea.yaml", "leek.yaml"]), [""; 0]);
    assert_eq!(found(["leek.yaml", "pea.yaml"]).len(), 1);
}

#[test]
fn problems_of_sources_are_reported_there() {
    let folder = folder(&[("books/book.yaml", BOOK), ("pantry.yaml", "kitchen: 2\nstufs: {}\n")]);
    let outcome = parse(folder.path(), &[("pantry", "pantry.yaml")], |builder| builder);
    let (problem, unit) = (&outcome.diagnostics[1], &outcome.program.list[1]);
    assert_eq!((problem.rule.name, problem.span.source), ("unknown-keyname", unit.id), "{:?}", messages(&outcome));
    let absent = parse(folder.path(), &[("pantry", "none.yaml")], |builder| builder);
    assert!(messages(&absent).iter().any(|message| message.starts_with("T1001")), "{:?}", messages(&absent));
    let twice = parse(folder.path(), &[("pantry", "books/book.yaml")], |builder| builder);
    let message = "T1401 `books/book.yaml` also has another role, so it can't be given with `pantry`";
    assert!(messages(&twice).iter().any(|found| found == message), "{:?}", messages(&twice));
}

#[test]
fn options_obey_limits_and_sandboxes() {
    let importing = "kitchen: 2\nimports: [ ../shelf/other.yaml ]\n";
    let files = [("books/book.yaml", importing), ("shelf/other.yaml", PANTRY), ("pantry.yaml", importing)];
    let folder = folder(&files);
    let sandboxed =
        |options: &[(&str, &str)]| messages(&parse(folder.path(), options, |builder| builder.sandbox(true)));
    assert!(sandboxed(&[])[0].starts_with("T1405"));
    assert_eq!(sandboxed(&[("shelf", "shelf")]), [""; 0]);
    assert!(sandboxed(&[("shelf", "none"), ("pantry", "shelf/other.yaml")])[0].starts_with("T1405"));

    std::fs::write(folder.path().join("books/book.yaml"), BOOK).unwrap();
    assert_eq!(sandboxed(&[("pantry", "shelf/other.yaml")]), [""; 0]);
    // The imports of a source from an option are restricted to the folder of the entry.
    std::fs::write(folder.path().join("pantry.yaml"), "kitchen: 2\nimports: [ shelf/other.yaml ]\n").unwrap();
    assert!(sandboxed(&[("pantry", "pantry.yaml")]).iter().any(|message| message.starts_with("T1405")));

    let mut limits = tosca_parse::ImportLimits::default();
    limits.sources = 0;
    let limited = parse(folder.path(), &[("pantry", "shelf/other.yaml")], |builder| builder.import_limits(limits));
    assert!(messages(&limited).iter().any(|message| message.starts_with("T1406")), "{:?}", messages(&limited));
    let offline =
        parse(folder.path(), &[("pantry", "https://example.com/pantry.yaml")], |builder| builder.offline(true));
    assert!(!offline.is_valid(), "{:?}", messages(&offline));
}
