//! Templates of another implementation with a comment `# ERROR: …` wherever a checker must report an error.
//!
//! The files are not part of this repository. The environment variable `TOSCA_PARSE_SHARED` names a folder that
//! contains them as `conformance/simple-1.x/cloudnet/tests`; without the variable, this test is skipped with a
//! message.
//!
//! The test counts the announced lines with a problem, and the other lines with a problem. If that implementation
//! interprets the standard differently, both numbers reflect a difference of opinion, not a mistake: `ELSEWHERE` lists
//! the reasons for problems that are not announced.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use tosca_parse::diagnostic::{Levels, Override};
use tosca_parse::source::Address;
use tosca_parse::{Entry, Outcome, Parser, TOSCA, rules};

const FILES: &[&str] =
    &["syntax_checking-1.2.yaml", "syntax_checking-1.3.yaml", "type_checking-1.3.yaml", "type_checking.yaml"];

/// The minimum percentage of announced lines with a problem.
const ANNOUNCED: usize = 85;

/// The maximum percentage of other lines with a problem.
const OTHERS: usize = 5;

/// The rules of problems on lines that have no comment, and the reasons why they are reported.
const ELSEWHERE: &[(&str, &str)] = &[
    ("no-parent", "the first type of each kind that is derived from nothing is warned about"),
    (
        "tolerated-keyname",
        "a definition of an interface has no operation called `type`; artifacts have no `properties` before 1.3, which \
         is put up with",
    ),
    (
        "missing-keyname",
        "that an artifact lacks the mandatory `file` is not what the place is about; what a whole entry lacks is \
         reported where the entry begins, not where the comment stands",
    ),
    ("unknown-name", "the comment stands at `entry_schema`, the wrong name one line below"),
    ("tolerated-name", "`scalar-unit.bitrate` came with 1.3, but the file says that it is written in 1.2"),
    ("node-lacks-capability", "reported at the capability of the requirement, while the comment is about the node"),
    ("invalid-constraint", "strings are in an order since 1.3, but the file says that it is written in 1.2"),
    ("undeclared", "a template assigns to an interface, so its keys are operations; `type` is none"),
    (
        "missing-value",
        "a relationship lacks a value: reported at the requirement, while the comment stands within it; and inputs of \
         a workflow are given where it is run, not taken from a workflow around it",
    ),
    ("inline-loop", "a workflow that inlines itself never ends, which the file is not about"),
    (
        "unknown-workflow",
        "the workflows of a service are those that it has; `deploy` and `undeploy` can be delegated to",
    ),
];

#[test]
fn lines_with_a_comment_get_a_problem_and_others_do_not() {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("skipped: TOSCA_PARSE_SHARED does not name the folder that holds the templates with comments");
        return;
    };
    let folder = PathBuf::from(shared).join("conformance/simple-1.x/cloudnet/tests");
    let mut count = Count::default();
    for file in FILES {
        count.add(&folder, file);
    }
    let Count { announced, found, others, found_elsewhere, rules, missed } = count;
    assert!(announced > 780, "only {announced} lines with a comment");
    eprintln!("{found} of {announced} announced lines and {found_elsewhere} of {others} other lines get a problem");
    assert!(found * 100 >= announced * ANNOUNCED, "{found} of {announced}; not these:\n{}", missed.join("\n"));
    assert!(found_elsewhere * 100 <= others * OTHERS, "{found_elsewhere} of {others} other lines: {rules:?}");
    let explained: BTreeSet<&str> = ELSEWHERE.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(rules.keys().copied().collect::<BTreeSet<_>>(), explained, "problems on lines without a comment");
}

#[derive(Default)]
struct Count {
    announced: usize,
    found: usize,
    others: usize,
    found_elsewhere: usize,
    /// The rules of problems on other lines, with the number of occurrences.
    rules: BTreeMap<&'static str, usize>,
    missed: Vec<String>,
}

impl Count {
    fn add(&mut self, folder: &Path, file: &str) {
        let path = folder.join(file);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut levels = Levels::new();
        levels.set(&rules::ABSENT_FILE, Override::Allow);
        let parser = Parser::builder(&TOSCA).directory(folder).offline(true).levels(levels).build().unwrap();
        let mut problems = problems(&parser.parse(path.to_str().unwrap()).unwrap());
        // Some imports are announced as missing. The missing files may declare names that are announced as unknown, so
        // those are only reported in a file without missing imports.
        let address = Address::parse("memory:entry.yaml").unwrap();
        for (line, rules) in self::problems(&parser.parse_entry(Entry::text(address, without_imports(&text)))) {
            problems.entry(line).or_default().extend(rules);
        }

        let lines: Vec<&str> = text.lines().collect();
        let is_content = |line: &&usize| !lines[**line].trim().is_empty() && !lines[**line].trim().starts_with('#');
        let numbers: Vec<usize> = (0..lines.len()).collect();
        let mut announced = BTreeSet::new();
        for (number, line) in lines.iter().enumerate().filter(|(_, line)| line.contains("# ERROR")) {
            let about = about(&lines, number);
            announced.insert(about);
            self.announced += 1;
            if problems.contains_key(&about) {
                self.found += 1;
            } else {
                self.missed.push(format!("{file}:{}: {}", number + 1, line.trim()));
            }
        }
        for line in numbers.iter().filter(is_content).filter(|line| !announced.contains(line)) {
            self.others += 1;
            let rules = problems.get(line).cloned().unwrap_or_default();
            self.found_elsewhere += usize::from(!rules.is_empty());
            for rule in rules {
                *self.rules.entry(rule).or_default() += 1;
            }
        }
    }
}

/// Returns the line that a comment applies to: its own line if that contains anything else, otherwise the next line
/// with content. If the map that contains the comment ends there, the comment is about something that is missing in
/// the map, so it applies to the previous line.
fn about(lines: &[&str], number: usize) -> usize {
    let is_content = |line: &str| !line.trim().is_empty() && !line.trim().starts_with('#');
    let indent = |line: &str| line.len() - line.trim_start().len();
    if !lines[number].trim_start_matches(['-', ' ']).starts_with('#') {
        return number;
    }
    let next = (number + 1..lines.len()).find(|next| is_content(lines[*next]));
    let within = next.filter(|next| indent(lines[*next]) >= indent(lines[number]) && lines[*next].trim() != "}");
    within.or_else(|| (0..number).rev().find(|line| is_content(lines[*line]))).unwrap_or(number)
}

/// Comments out the imports of a text, so that line numbers stay the same.
fn without_imports(text: &str) -> String {
    let mut is_import = false;
    let mut out = String::with_capacity(text.len() + 64);
    for line in text.lines() {
        is_import = line.starts_with("imports:") || is_import && line.starts_with(' ');
        out.push_str(if is_import { "# " } else { "" });
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Returns the rules of the problems on each line of the entry, counted from 0.
fn problems(outcome: &Outcome) -> BTreeMap<usize, BTreeSet<&'static str>> {
    let entry = outcome.program.list[0].id;
    let mut lines: BTreeMap<usize, BTreeSet<&'static str>> = BTreeMap::new();
    for diagnostic in outcome.diagnostics.iter().filter(|diagnostic| diagnostic.span.source == entry) {
        let source = outcome.sources.get(entry).unwrap();
        let line = source.line_column(diagnostic.span.start).line - 1;
        lines.entry(usize::try_from(line).unwrap()).or_default().insert(diagnostic.rule.name);
    }
    lines
}
