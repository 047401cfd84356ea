//! Templates with the problems that are expected in them, by chapter of the standard. They are tests and examples.
//!
//! Every `.yaml` file below `tests/chapters` (TOSCA 2.0) and `tests/simple` (1.0 to 1.3) is parsed, except those in
//! folders named `lib`, which only exist to be imported. Comments contain the expectations:
//!
//! ```yaml
//! port: many   # error[wrong-type] must be an integer
//! ```
//!
//! means that a problem of the rule `wrong-type` is reported on this line, with a message that contains the given text
//! (or with any message, if no text is given). `# error[unresolved-path]{nmae}` additionally means that `nmae` is
//! underlined. Several expectations on one line are separated by ` # `. A comment line that only contains expectations
//! applies to the next line, and `# error[…]` at the top of a file to the first line. Nothing else may be reported: a
//! file without such comments has no problems.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tosca_parse::data::FUNCTIONS;
use tosca_parse::diagnostic::{Diagnostic, Levels, Override, Rule, Severity};
use tosca_parse::source::Source;
use tosca_parse::{Outcome, Parser, TOSCA, rules};

const ROOTS: &[&str] = &["tests/chapters", "tests/simple"];

/// A problem that a comment announces.
#[derive(Debug)]
struct Expectation<'a> {
    line: u32,
    severity: Severity,
    rule: &'a str,
    /// The underlined text, if it is specified.
    underlined: Option<&'a str>,
    text: &'a str,
}

#[test]
fn templates_have_the_problems_that_they_announce() {
    check_all("tests/chapters");
}

#[test]
fn templates_of_1_x_have_the_problems_that_they_announce() {
    check_all("tests/simple");
}

fn check_all(root: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
    let files = files(&root);
    assert!(files.len() > 10, "{} holds only {} templates", root.display(), files.len());
    // The scripts in templates are not the subject of the tests.
    let mut levels = Levels::new();
    levels.set(&rules::ABSENT_FILE, Override::Allow);
    let mut builder = Parser::builder(&TOSCA).directory(&root).levels(levels);
    for library in folders(&root).into_iter().filter(|folder| folder.ends_with("lib")) {
        builder = builder.profile_path(library);
    }
    let parser = builder.build().unwrap();
    let failures: String = files.iter().map(|file| check(&parser, file)).collect();
    assert!(failures.is_empty(), "\n{failures}");
}

/// Returns the differences between the announced problems of a template and the reported ones.
fn check(parser: &Parser, file: &Path) -> String {
    let outcome: Outcome = parser.parse(file.to_str().unwrap()).unwrap();
    let mut differences = String::new();
    let mut found: Vec<&Diagnostic> = outcome.diagnostics.iter().collect();
    for source in outcome.sources.iter() {
        for expectation in expectations(source.text()) {
            let index = found.iter().position(|diagnostic| fits(diagnostic, &expectation, source));
            if let Some(index) = index {
                found.remove(index);
            } else {
                let Expectation { line, severity, rule, underlined, text } = expectation;
                let underlined = underlined.map_or_else(String::new, |underlined| format!("{{{underlined}}}"));
                writeln!(differences, "{}:{line}: expected: {severity}[{rule}]{underlined} {text}", source.name())
                    .unwrap();
            }
        }
    }
    for Diagnostic { rule, severity, message, span, .. } in found {
        let source = outcome.sources.get(span.source).unwrap();
        let line = source.line_column(span.start).line;
        let underlined = &source.text()[span.start as usize..span.end as usize];
        let name = rule.name;
        writeln!(differences, "{}:{line}:    found: {severity}[{name}]{{{underlined}}} {message}", source.name())
            .unwrap();
    }
    differences
}

fn fits(diagnostic: &Diagnostic, expectation: &Expectation<'_>, source: &Source) -> bool {
    diagnostic.span.source == source.id()
        && source.line_column(diagnostic.span.start).line == expectation.line
        && diagnostic.severity == expectation.severity
        && diagnostic.rule.name == expectation.rule
        && diagnostic.message.contains(expectation.text)
        && expectation.underlined.is_none_or(|underlined| {
            &source.text()[diagnostic.span.start as usize..diagnostic.span.end as usize] == underlined
        })
}

/// Returns the problems that the comments of a text announce.
fn expectations(text: &str) -> Vec<Expectation<'_>> {
    let mut all = Vec::new();
    let mut waiting = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let Some(start) = ["# error[", "# warning["].iter().filter_map(|mark| line.find(mark)).min() else {
            all.extend(waiting.drain(..).map(|expectation| Expectation { line: number, ..expectation }));
            continue;
        };
        let here = line[start..].split(" # ").map(|part| expectation(part.trim_start_matches("# "), number));
        waiting.extend(here);
        if !line[..start].trim().is_empty() {
            all.extend(waiting.drain(..).map(|expectation| Expectation { line: number, ..expectation }));
        }
    }
    all
}

fn expectation(text: &str, line: u32) -> Expectation<'_> {
    let (kind, rest) = text.split_once('[').unwrap_or_else(|| panic!("`{text}` is not an expectation"));
    let (rule, text) = rest.split_once(']').unwrap_or_else(|| panic!("`{text}` lacks a bracket"));
    let severity = match kind {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => panic!("`{kind}` is neither `error` nor `warning`"),
    };
    let (underlined, text) = match text.strip_prefix('{').and_then(|text| text.split_once('}')) {
        Some((underlined, text)) => (Some(underlined), text),
        None => (None, text),
    };
    Expectation { line, severity, rule, underlined, text: text.trim() }
}

#[test]
fn files_start_with_a_comment() {
    for file in ROOTS.iter().flat_map(|root| files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(root))) {
        let text = std::fs::read_to_string(&file).unwrap();
        let first = text.lines().find(|line| !line.is_empty() && !line.starts_with("# error["));
        let is_comment = first.is_some_and(|line| line.starts_with("# "));
        assert!(is_comment || text.is_empty(), "{} does not start with a comment", file.display());
    }
}

/// Checks that rules that no template announces are listed.
#[test]
fn every_rule_of_the_language_is_announced_somewhere() {
    let roots = ROOTS.iter().map(|root| Path::new(env!("CARGO_MANIFEST_DIR")).join(root));
    let folders: Vec<PathBuf> = roots.flat_map(|root| folders(&root)).collect();
    let files: Vec<PathBuf> = folders.iter().flat_map(|folder| templates(folder)).collect();
    let texts: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let announced: BTreeSet<&str> = texts.iter().flat_map(|text| expectations(text)).map(|found| found.rule).collect();
    // Archives, Yay and test files are not part of the language.
    let is_of_others = |rule: &Rule| rule.code.starts_with("T15") || !rule.code.starts_with('T');
    // Lints must be enabled (tests/it/rules.rs and tests/it/lints.rs), and so must migrations.
    let is_lint = |rule: &Rule| rule.code.starts_with("T7") || rule.code.starts_with("T8");
    // Problems of a source, its YAML, or an archive, are not part of the language.
    let is_elsewhere = |rule: &Rule| ELSEWHERE.iter().any(|(name, _)| *name == rule.name);
    let of_language = rules::ALL
        .iter()
        .map(|explained| explained.rule)
        .filter(|rule| rule.code >= "T12" && !is_of_others(rule) && !is_lint(rule) && !is_elsewhere(rule));
    let missing: Vec<&str> = of_language.map(|rule| rule.name).filter(|name| !announced.contains(name)).collect();
    assert!(missing.is_empty(), "no template shows these rules: {missing:?}");
    for (name, reason) in ELSEWHERE {
        assert!(!announced.contains(name), "a template shows {name} in spite of this: {reason}");
        assert!(rules::find(name).is_some(), "there is no rule {name}");
    }
}

/// Checks that every function is called with wrong arguments somewhere.
#[test]
fn every_function_is_called_wrongly_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/chapters");
    let files: Vec<PathBuf> = folders(&root).iter().flat_map(|folder| templates(folder)).collect();
    let texts: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let wrong: Vec<&str> = texts
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| line.contains("# error[argument-") || line.contains("# error[value-outside"))
        .collect();
    assert_eq!(FUNCTIONS.len(), 42, "functions of TOSCA 2.0");
    let is_called = |name: &str| {
        wrong.iter().any(|line| line.contains(&format!("${name}:")) || line.contains(&format!("${name} ")))
    };
    let missing: Vec<&str> = FUNCTIONS.iter().map(|function| function.name).filter(|name| !is_called(name)).collect();
    assert!(missing.is_empty(), "no template gives wrong arguments to {missing:?}");
}

/// Rules that a single template can't break when it is read, with the reason. Their examples are in the explanations
/// of the rules.
const ELSEWHERE: &[(&str, &str)] = &[
    ("too-many-imports", "there must be more than one would write down: tests/it/resource_limits.rs"),
    ("too-many-problems", "there must be more than one would write down: tests/it/resource_limits.rs"),
    ("large-default", "there must be more than one would write down: tests/it/resource_limits.rs"),
    ("large-service", "there must be more than one would write down: tests/it/resource_limits.rs"),
    ("unchecked-uses", "there must be more than one would write down: tests/it/resource_limits.rs"),
    ("large-parents", "types of TOSCA have one parent: crates/murano/tests/it/language/ancestors.rs"),
    ("replaced-import", "an import must fail: tests/it/normative/published.rs"),
    ("unused-ignore", "comments that exempt are no matter of the language"),
    ("invalid-ignore", "comments that exempt are no matter of the language"),
    ("not-computable", "it is found when a model is evaluated: tests/it/model"),
    ("import-outside", "there must be a folder or an archive that imports can't leave: tests/archives"),
    ("missing-file", "there must be an archive: tests/archives"),
    ("too-many-units", "a template would have a thousand units: tests/it/resource_limits.rs"),
    ("absent-file", "what a template names besides is allowed to be missing here: tests/mistakes"),
    ("missing-input", "it must be asked for: tests/rules"),
    ("unfulfilled-requirement", "it is found when requirements are resolved: tests/resolve"),
    ("ambiguous-requirement", "it is found when requirements are resolved: tests/resolve"),
    ("undecided-requirement", "it is found when requirements are resolved: tests/resolve"),
    ("refused-target", "it is found when requirements are resolved: tests/resolve"),
];

fn files(root: &Path) -> Vec<PathBuf> {
    let folders = folders(root).into_iter().filter(|folder| !folder.components().any(|part| part.as_os_str() == "lib"));
    let mut files: Vec<PathBuf> = folders.flat_map(|folder| templates(&folder)).collect();
    files.sort();
    files
}

/// Returns the templates in a folder.
fn templates(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "yaml")).collect()
}

/// Returns a folder and all folders below it.
fn folders(root: &Path) -> Vec<PathBuf> {
    let mut folders = vec![root.to_owned()];
    let mut next = 0;
    while next < folders.len() {
        let entries = std::fs::read_dir(&folders[next]).unwrap().map(|entry| entry.unwrap().path());
        folders.extend(entries.filter(|path| path.is_dir()).collect::<Vec<_>>());
        next += 1;
    }
    folders
}
