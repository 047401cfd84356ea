//! The examples in the explanations of rules: wrong examples are reported by their rule and no other, right examples
//! are not reported at all.
//!
//! Every example is a separate template and is parsed from files in a folder, as by a user. The output for wrong
//! examples is kept in snapshots, so that all consequences of changing a message are visible.

use std::collections::BTreeSet;
use std::path::Path;

use insta::assert_snapshot;
use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::diagnostic::{Example, ExampleKind, Level, Levels, Override, Rule, RuleDocs, Severity};
use tosca_parse::normal::{Options, Service};
use tosca_parse::resolve::resolve_entry;
use tosca_parse::rules::{self, ALL};
use tosca_parse::{Entry, LANGUAGES, Outcome, Parser, TOSCA};

/// Rules that can't be shown in Markdown, with a test for each, and the reason.
const PROVED_ELSEWHERE: &[(&str, &str, &str)] = &[
    ("T1003", "tests/it/bad_input.rs: bytes_that_are_not_text", "bytes that are no text can't stand in a text"),
    ("T1004", "tests/it/bad_input.rs: a_source_that_is_too_large", "the limit is higher than any example should be"),
    ("T1405", "tests/it/archives/files.rs: imports_never_leave_a_sandbox", "an example has no sandbox"),
    ("T1406", "tests/it/resource_limits.rs: imports_without_end", "what is imported is more than examples should be"),
    (
        "T1407",
        "tests/it/normative/published.rs: the_entry_determines_the_version_of_its_imports",
        "an example imports no published files",
    ),
    ("T1501", "tests/it/archives/hostile.rs: an_archive_that_is_cut_off", ARCHIVE),
    ("T1502", "tests/it/archives/hostile.rs: a_wrong_checksum", ARCHIVE),
    ("T1503", "tests/it/archives/hostile.rs: a_file_that_is_encrypted", ARCHIVE),
    ("T1504", "tests/it/archives/hostile.rs: names_that_leave_the_archive", ARCHIVE),
    ("T1505", "tests/it/archives/hostile.rs: names_that_are_absolute", ARCHIVE),
    ("T1506", "tests/it/archives/hostile.rs: links_and_devices", ARCHIVE),
    ("T1507", "tests/it/archives/hostile.rs: the_same_name_twice", ARCHIVE),
    ("T1508", "tests/it/archives/hostile.rs: too_many_and_too_deep", ARCHIVE),
    ("T1509", "tests/it/archives/hostile.rs: bombs", ARCHIVE),
    ("T1510", "tests/it/archives/hostile.rs: a_method_that_is_not_known", ARCHIVE),
    ("T1511", "tests/it/archives/hostile.rs: names_that_conflict", ARCHIVE),
    ("T1512", "tests/it/archives/hostile.rs: names_that_windows_does_not_accept", ARCHIVE),
    ("T1521", "tests/it/archives/meta.rs: problems_in_it_have_positions", ARCHIVE),
    ("T1522", "tests/it/archives/meta.rs: problems_in_it_have_positions", ARCHIVE),
    ("T1523", "tests/it/archives/meta.rs: problems_in_it_have_positions", ARCHIVE),
    ("T1524", "tests/it/archives/meta.rs: there_must_be_one_template", ARCHIVE),
    ("T1525", "tests/it/archives/meta.rs: there_must_be_one_template", ARCHIVE),
    ("T1526", "tests/it/archives/meta.rs: problems_in_it_have_positions", ARCHIVE),
    ("T1527", "tests/it/archives/meta.rs: problems_in_it_have_positions", ARCHIVE),
    ("T1528", "tests/it/archives/meta.rs: without_it_a_template_must_name_itself", ARCHIVE),
    ("T5701", "tests/it/archives/artifacts.rs: before_2_0_files_are_mandatory", ARCHIVE),
    ("T5702", "tests/it/archives/artifacts.rs: referenced_files_should_exist", ARCHIVE),
    (
        "T3003",
        "crates/murano/tests/it/language/ancestors.rs: further_parents_of_many_types_have_a_limit",
        "types of TOSCA have one parent",
    ),
    ("T4136", "tests/it/resource_limits.rs: units_of_a_scalar_type", "an example would have a thousand units"),
    ("T4135", "tests/it/resource_limits.rs: defaults_that_double", "an example would have too many types"),
    (
        "T5803",
        "tests/it/resource_limits.rs: values_and_triggers_that_are_checked_for_every_template",
        "an example would have too many nodes",
    ),
    (
        "T5802",
        "tests/it/resource_limits.rs: nodes_that_inherit_very_much_of_their_type",
        "an example would have too many nodes",
    ),
    ("H2001", "crates/heat/tests/it/environments.rs: parameters_get_their_values_from_environments", ENVIRONMENT),
    ("H4002", "crates/heat/tests/it/environments.rs: parameters_get_their_values_from_environments", ENVIRONMENT),
    ("H4003", "crates/heat/tests/it/environments.rs: parameters_get_their_values_from_environments", ENVIRONMENT),
    ("H4004", "crates/heat/tests/it/environments.rs: values_are_merged_by_strategies", ENVIRONMENT),
    ("H4005", "crates/heat/tests/it/environments.rs: templates_in_place_of_types_fit_them", ENVIRONMENT),
    ("C2001", "crates/cloudify/tests/it/language.rs: declarations_of_several_files_are_compared", FILES),
    ("C2002", "crates/cloudify/tests/it/language.rs: some_sections_are_in_one_file", FILES),
    ("C2005", "crates/cloudify/tests/it/language.rs: namespaces_are_bounded", FILES),
    ("C5010", "crates/cloudify/tests/it/language.rs: large_plans_are_reported", "an example would have too many nodes"),
    ("H6001", "crates/heat/tests/it/language.rs: absent_files_are_reported", "an example would need a folder"),
    (
        "M3002",
        "crates/cli/tests/it/packages.rs: versions_that_nothing_unifies_are_told",
        "an example would be five packages",
    ),
    ("M6001", "crates/cli/tests/it/murano.rs: what_fails_is_told_where_it_is", "an example is validated, not run"),
    ("T5801", "tests/it/resource_limits.rs: problems_without_end", "an example would have a thousand problems"),
    ("T8001", "tests/it/migrate.rs: features_without_counterpart_are_kept_as_metadata", MIGRATION),
    ("T8002", "crates/cli/tests/it/migrate.rs: what_is_no_file_is_told", MIGRATION),
    ("X1001", "crates/cli/tests/it/testing.rs: examples_of_rules_are_right_and_wrong", TEST),
    ("X1002", "crates/cli/tests/it/testing.rs: examples_of_rules_are_right_and_wrong", TEST),
    ("X1003", "crates/cli/tests/it/testing.rs: examples_of_rules_are_right_and_wrong", TEST),
    ("X1004", "crates/cli/tests/it/testing.rs: cases_are_limited", "an example would have ten thousand cases"),
    ("Y1001", "tests/it/yay.rs: every_kind_of_problem", YAY),
    ("Y1002", "tests/it/yay.rs: every_kind_of_problem", YAY),
    ("Y1003", "tests/it/yay.rs: every_kind_of_problem", YAY),
    ("Y1004", "tests/it/yay.rs: every_kind_of_problem", YAY),
    ("Y1005", "crates/yay/tests/yay/host.rs: environment_is_refused_where_it_must_be", YAY),
    ("Y2001", "tests/it/yay.rs: every_kind_of_problem", YAY),
    ("Y2002", "crates/yay/tests/yay/checks.rs: rule_pages_have_a_wrong_and_a_right_example", YAY),
    ("Y2003", "crates/yay/tests/yay/checks.rs: rule_pages_have_a_wrong_and_a_right_example", YAY),
    ("Y2004", "crates/yay/tests/yay/checks.rs: rule_pages_have_a_wrong_and_a_right_example", YAY),
    ("Y3001", "tests/it/yay.rs: every_kind_of_problem", YAY),
    ("Y3002", "tests/it/yay.rs: every_kind_of_problem", YAY),
    ("Y3003", "crates/yay/tests/yay/checks.rs: rule_pages_have_a_wrong_and_a_right_example", YAY),
    ("Y4001", "tests/it/yay.rs: every_kind_of_problem", YAY),
    ("Y4002", "tests/it/yay.rs: every_kind_of_problem", YAY),
];

/// The reason why problems of environments are not shown.
const ENVIRONMENT: &str = "an example would need an environment";

/// The reason why problems of test files are not shown.
const TEST: &str = "an example is a test file, not a template";

/// The reason why problems of Yay are not shown.
const YAY: &str = "examples are in YAML";

/// The reason why problems of migration are not shown.
const MIGRATION: &str = "an example is validated, not migrated";

/// The reason why problems of archives are not shown.
const FILES: &str = "an example would be several files";
const ARCHIVE: &str = "an archive can't stand in a text";

/// Wrong examples with additional problems, and the reason.
const MORE_IS_REPORTED: &[(&str, &[&str], &str)] = &[
    ("T4007", &["T3001"], "a type is incomplete only because of a loop, which is reported where it is"),
    ("T6004", &["T5311"], "that an allocation is too large is told, as a warning, before anything is resolved"),
];

/// Parses an example from files in a new folder, and resolves or evaluates it if its rule requires that.
fn parse(rule: &'static Rule, example: &Example<'_>, mut levels: Levels) -> Outcome {
    // The scripts in examples are not the subject of the tests.
    levels.set(&rules::ABSENT_FILE, Override::Allow);
    if rule.level == Level::Optional {
        levels.set(rule, Override::Warn);
    }
    let folder = tempfile::tempdir().unwrap();
    for file in &example.files {
        let path = folder.path().join(file.name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, file.text).unwrap();
    }
    let builder = Parser::builder(&TOSCA).directory(folder.path()).levels(levels).threads(1);
    let builder = LANGUAGES.iter().skip(1).fold(builder, |builder, language| builder.language(language));
    let parser = builder.build().unwrap();
    let entry = Entry::at(parser.address("service.yaml").unwrap());
    if rule.code.starts_with("T60") {
        return resolve_entry(&parser, entry).0;
    }
    let mut outcome = parser.parse_entry(entry);
    if rule.code.starts_with("T61") {
        let (_, problems) = Service::evaluated(&outcome.program, Options::default()).unwrap();
        outcome.diagnostics.extend(problems);
    }
    outcome
}

fn codes(outcome: &Outcome) -> BTreeSet<&'static str> {
    outcome.diagnostics.iter().map(|diagnostic| diagnostic.rule.code).collect()
}

fn examples(verdict: ExampleKind) -> impl Iterator<Item = (&'static Rule, Example<'static>)> {
    ALL.iter().flat_map(move |explained| {
        explained
            .examples()
            .into_iter()
            .filter(move |example| example.verdict == verdict)
            .map(move |example| (explained.rule, example))
    })
}

#[test]
fn wrong_examples_are_reported_by_their_rule_and_no_other() {
    let mut failures = Vec::new();
    for (rule, example) in examples(ExampleKind::Wrong) {
        let outcome = parse(rule, &example, Levels::new());
        let listed = MORE_IS_REPORTED.iter().find(|(code, ..)| *code == rule.code);
        let more = listed.map_or(&[][..], |(_, codes, _)| codes);
        let expected: BTreeSet<&str> = more.iter().copied().chain([rule.code]).collect();
        if codes(&outcome) != expected {
            let shown = Terminal::new(&outcome.diagnostics, &outcome.sources);
            failures.push(format!("{}: expected {expected:?}, but:\n{shown}", rule.code));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn right_examples_are_not_reported_at_all() {
    let mut failures = Vec::new();
    for (rule, example) in examples(ExampleKind::Right) {
        let outcome = parse(rule, &example, Levels::new().strict(true));
        if !outcome.diagnostics.is_empty() {
            let shown = Terminal::new(&outcome.diagnostics, &outcome.sources);
            failures.push(format!("{}:\n{shown}", rule.code));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn problems_are_shown_as_before() {
    for explained in ALL.iter() {
        let rule = explained.rule;
        let wrong = explained.examples().into_iter().filter(|example| example.verdict == ExampleKind::Wrong);
        let shown: Vec<String> = wrong
            .map(|example| {
                let outcome = parse(rule, &example, Levels::new());
                Terminal::new(&outcome.diagnostics, &outcome.sources).to_string()
            })
            .collect();
        if !shown.is_empty() {
            assert_snapshot!(rule.code, shown.join("\n"));
        }
    }
}

#[test]
fn every_problem_has_a_sentence_and_a_remedy() {
    for (rule, example) in examples(ExampleKind::Wrong) {
        for problem in parse(rule, &example, Levels::new()).diagnostics {
            let message = &problem.message;
            let is_sentence = !message.ends_with('.') && !message.contains('\n');
            // A word that starts with a capital letter is a name, and must be in backticks.
            assert!(is_sentence && !message.starts_with(char::is_uppercase), "{}: {message}", rule.code);
            assert!(!problem.help.is_empty(), "{}: no help for: {message}", rule.code);
        }
    }
}

#[test]
fn strict_mode_turns_tolerated_deviations_into_errors() {
    for (rule, example) in examples(ExampleKind::Wrong) {
        let outcome = parse(rule, &example, Levels::new().strict(true));
        let severity = |code: &str| outcome.diagnostics.iter().find(|it| it.rule.code == code).map(|it| it.severity);
        let is_warning = matches!(rule.level, Level::Warning | Level::Optional);
        let expected = if is_warning { Severity::Warning } else { Severity::Error };
        assert_eq!(severity(rule.code), Some(expected), "{}", rule.code);
    }
    for RuleDocs { rule, text } in ALL.iter().filter(|explained| explained.rule.level == Level::StrictError) {
        assert!(text.contains("`--strict`"), "{}: its text does not say what strict mode does", rule.code);
    }
}

#[test]
fn every_rule_is_explained_and_shown() {
    for explained in ALL.iter() {
        let rule = explained.rule;
        assert!(explained.text.len() > 150, "{}: hardly any text", rule.code);
        let elsewhere = PROVED_ELSEWHERE.iter().find(|(code, ..)| *code == rule.code);
        assert_ne!(
            explained.examples().is_empty(),
            elsewhere.is_none(),
            "{}: examples, or a test elsewhere",
            rule.code
        );
    }
    for (_, test, _) in PROVED_ELSEWHERE {
        let (file, function) = test.split_once(": ").unwrap();
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
        assert!(text.contains(&format!("fn {function}()")), "there is no test {test}");
    }
    for (code, ..) in MORE_IS_REPORTED {
        assert!(rules::find(code).is_some(), "{code} is listed, but does not exist");
    }
}
