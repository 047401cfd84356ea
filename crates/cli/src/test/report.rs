//! Reports of test runs.

use std::fmt::Write as _;
use std::io;

use tosca_parse::diagnostic::render::{Terminal, sanitize, xml};
use tosca_parse::diagnostic::{Color, Severity};

use super::super::ExitStatus;
use super::super::args::TestFormat;
use super::super::streams::{Streams, is_colored};
use super::load::{Position, TestFile};
use super::run::Failure;

/// A test file and the failures of its cases.
pub(super) struct Tested {
    pub(super) file: TestFile,
    /// The failures of each case that was run, in order.
    pub(super) failures: Vec<Vec<Failure>>,
}

impl Tested {
    fn failed(&self) -> usize {
        self.failures.iter().filter(|failures| !failures.is_empty()).count()
    }

    fn cases(&self) -> impl Iterator<Item = (&str, Position, &[Failure])> {
        let cases = self.file.cases.iter().zip(&self.failures);
        cases.map(|(case, failures)| (&*case.name, case.at, &failures[..]))
    }

    /// Returns the failures of a case as text.
    fn details(&self, failures: &[Failure]) -> String {
        let mut text = String::new();
        for Failure { at: (line, column), subject, expected, actual } in failures {
            let name = &self.file.name;
            let lines = [
                format!("{name}:{line}:{column}: {subject}"),
                format!("  expected: {expected}"),
                format!("  actual:   {actual}"),
            ];
            for line in lines {
                // Names and values may contain line breaks.
                let _ = writeln!(text, "{}", sanitize(&line));
            }
        }
        text
    }
}

/// A report that is written file by file.
pub(super) struct Report {
    format: TestFormat,
    color: Color,
    cases: usize,
    failed: usize,
    invalid: usize,
    /// The suites in a `JUnit` report. They are written last, because the report begins with their totals.
    suites: String,
}

impl Report {
    pub(super) fn new(format: TestFormat, color: Color) -> Self {
        Self { format, color, cases: 0, failed: 0, invalid: 0, suites: String::new() }
    }

    pub(super) fn add(&mut self, tested: &Tested, streams: &mut Streams) -> io::Result<()> {
        self.cases += tested.failures.len();
        self.failed += tested.failed();
        self.invalid += usize::from(tested.file.is_invalid());
        let problems = Terminal::new(&tested.file.problems, &tested.file.sources);
        if !tested.file.problems.is_empty() {
            let is_taken = self.format == TestFormat::Junit;
            write!(streams.report(is_taken), "{}", problems.color(is_colored(self.color, is_taken)))?;
        }
        match self.format {
            TestFormat::Text => text(tested, streams),
            TestFormat::Junit => {
                suite(tested, &mut self.suites);
                Ok(())
            }
        }
    }

    pub(super) fn finish(self, streams: &mut Streams) -> io::Result<ExitStatus> {
        let Self { cases, failed, invalid, suites, .. } = self;
        match self.format {
            TestFormat::Text => {
                let plural = |count: usize, name: &str| format!("{count} {name}{}", if count == 1 { "" } else { "s" });
                let invalid =
                    if invalid == 0 { String::new() } else { format!(", {} invalid", plural(invalid, "file")) };
                writeln!(streams.out(), "{}, {failed} failed{invalid}", plural(cases, "case"))?;
            }
            TestFormat::Junit => {
                let (out, tests) = (streams.rendered_out(), cases + invalid);
                writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
                writeln!(
                    out,
                    r#"<testsuites name="tosca-parse" tests="{tests}" failures="{failed}" errors="{invalid}">"#
                )?;
                writeln!(out, "{suites}</testsuites>")?;
            }
        }
        Ok(if failed + invalid > 0 { ExitStatus::Invalid } else { ExitStatus::Valid })
    }
}

fn text(tested: &Tested, streams: &mut Streams) -> io::Result<()> {
    for (name, _, failures) in tested.cases() {
        let verdict = if failures.is_empty() { "ok" } else { "FAILED" };
        writeln!(streams.out(), "{}: {} ... {verdict}", sanitize(&tested.file.name), sanitize(name))?;
        for line in tested.details(failures).lines() {
            writeln!(streams.out(), "  {line}")?;
        }
    }
    Ok(())
}

/// Writes a file as a suite of a `JUnit` report.
fn suite(tested: &Tested, out: &mut String) {
    let name = xml(&tested.file.name);
    let (invalid, failed) = (usize::from(tested.file.is_invalid()), tested.failed());
    let tests = tested.failures.len() + invalid;
    let _ = writeln!(
        out,
        r#"  <testsuite name="{name}" tests="{tests}" failures="{failed}" errors="{invalid}" skipped="0">"#
    );
    for (case, (line, _), failures) in tested.cases() {
        let _ = write!(out, r#"    <testcase name="{}" classname="{name}" file="{name}" line="{line}""#, xml(case));
        let Some(first) = failures.first() else {
            out.push_str("/>\n");
            continue;
        };
        let message = xml(&first.subject);
        let details = xml(tested.details(failures).trim_end());
        let _ = writeln!(out, ">\n      <failure type=\"expectation\" message=\"{message}\">{details}</failure>");
        out.push_str("    </testcase>\n");
    }
    if let Some(error) = tested.file.problems.iter().find(|problem| problem.severity == Severity::Error) {
        let place = tested.file.sources.get(error.span.source).map(|source| source.line_column(error.span.start));
        let line = place.map_or(1, |place| place.line);
        let (rule, message) = (error.rule.name, xml(&error.message));
        let _ = writeln!(
            out,
            "    <testcase name=\"valid\" classname=\"{name}\" file=\"{name}\" line=\"{line}\">\n      \
             <error type=\"{rule}\" message=\"{message}\"/>\n    </testcase>"
        );
    }
    out.push_str("  </testsuite>\n");
}
