//! What comes out depends on the templates alone: not on the number of threads, not on which thread is faster, and not
//! on what the parser has parsed before.

use std::path::{Path, PathBuf};

use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::normal::Service;
use tosca_parse::{Parser, TOSCA};

fn templates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("tests/chapters"), root.join("examples/templates")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn parser(threads: usize, remembered: u64) -> Parser {
    let root = env!("CARGO_MANIFEST_DIR");
    Parser::builder(&TOSCA).directory(root).threads(threads).remembered_bytes(remembered).build().unwrap()
}

/// All that users see of a template: its problems, what was read, and the model.
fn shown(parser: &Parser, file: &Path) -> String {
    let outcome = parser.parse(file.to_str().unwrap()).unwrap();
    let problems = Terminal::new(&outcome.diagnostics, &outcome.sources);
    let sources: Vec<&str> = outcome.sources.iter().map(|source| source.name()).collect();
    let model = serde_json::to_string(&Service::of(&outcome.program)).unwrap();
    format!("{problems}\n{sources:?}\n{model}")
}

#[test]
fn what_comes_out_depends_on_the_templates_alone() {
    let files = templates();
    assert!(files.len() > 100, "{} templates", files.len());
    let first = parser(1, 1 << 30);
    let expected: Vec<String> = files.iter().map(|file| shown(&first, file)).collect();
    assert!(
        expected.iter().any(|shown| shown.contains("error[")) && expected.iter().any(|shown| shown.contains("web"))
    );
    for (threads, remembered) in [(1, 0), (8, 0), (8, 1 << 30), (3, 64 << 10)] {
        let parser = parser(threads, remembered);
        // In the other order, so that something else has been parsed before; and again, when all is known.
        for _ in 0..2 {
            for (file, expected) in files.iter().zip(&expected).rev() {
                assert_eq!(shown(&parser, file), *expected, "{}: {threads} threads", file.display());
            }
        }
    }
}

#[test]
fn templates_parsed_at_the_same_time_do_not_disturb_each_other() {
    let files = templates();
    let first = parser(1, 1 << 30);
    let expected: Vec<String> = files.iter().map(|file| shown(&first, file)).collect();
    let shared = parser(2, 256 << 10);
    std::thread::scope(|scope| {
        for start in 0..4 {
            let (shared, files, expected) = (&shared, &files, &expected);
            scope.spawn(move || {
                for offset in 0..files.len() {
                    let index = (offset + start * files.len() / 4) % files.len();
                    assert_eq!(shown(shared, &files[index]), expected[index], "{}", files[index].display());
                }
            });
        }
    });
}
