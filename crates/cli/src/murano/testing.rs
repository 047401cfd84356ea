//! Runs the tests of packages.

use std::io;
use std::path::Path;
use std::rc::Rc;

use tosca_parse::diagnostic::render::xml;
use tosca_parse::murano::{Runtime, Test, category};
use tosca_parse::yaql::Error;

use super::super::ExitStatus;
use super::super::args::TestFormat;
use super::super::streams::Streams;
use super::super::validate::misused;
use super::failures::Failures;
use super::{Host, packages, refused};

/// Runs all tests of a package or those with the given names.
pub(super) fn run(
    package: &Path,
    wanted: &[String],
    format: TestFormat,
    host: &Host<'_>,
    streams: &mut Streams,
) -> io::Result<ExitStatus> {
    let (runtime, tests) = match find(package, host) {
        Ok(found) => found,
        Err(error) => return refused(streams, &error),
    };
    let is_wanted = |test: &&Test| wanted.is_empty() || wanted.iter().any(|name| names(test, name));
    let tests: Vec<&Test> = tests.iter().filter(is_wanted).collect();
    if tests.is_empty() {
        let message = match wanted {
            [] => {
                "there are no tests: no class extends `io.murano.test.TestFixture` and has a method `test…`".to_owned()
            }
            _ => format!("no test has the name {}", wanted.join(", ")),
        };
        return misused(streams, &message);
    }
    let results: Vec<(&Test, Option<Error>)> =
        tests.into_iter().map(|test| (test, runtime.run_test(test).err())).collect();
    match format {
        TestFormat::Text => text(&results, streams),
        TestFormat::Junit => junit(&package.to_string_lossy(), &results, streams),
    }
}

fn find(package: &Path, host: &Host<'_>) -> Result<(Rc<Runtime>, Vec<Test>), Error> {
    let own = packages(package)?;
    let names: Vec<String> = own.iter().map(|package| package.name().to_owned()).collect();
    let runtime = host.runtime_with(own)?;
    let mut tests = Vec::new();
    for name in names {
        tests.extend(runtime.tests(&name)?);
    }
    Ok((runtime, tests))
}

/// Returns whether a name selects a test: its class, with or without the namespace, its method, or both.
fn names(test: &Test, name: &str) -> bool {
    let short = test.class.rsplit('.').next().unwrap_or_default();
    let whole = |class: &str| format!("{class}.{}", test.method);
    [&*test.class, short, &*test.method].contains(&name) || name == whole(&test.class) || name == whole(short)
}

fn verdict(results: &[(&Test, Option<Error>)]) -> ExitStatus {
    if results.iter().all(|(_, error)| error.is_none()) { ExitStatus::Valid } else { ExitStatus::Invalid }
}

fn text(results: &[(&Test, Option<Error>)], streams: &mut Streams) -> io::Result<ExitStatus> {
    for (test, error) in results {
        let outcome = if error.is_none() { "ok" } else { "FAILED" };
        writeln!(streams.rendered_out(), "{}.{} ... {outcome}", test.class, test.method)?;
        if let Some(error) = error {
            let mut failures = Failures::default();
            failures.add(error, None);
            failures.write(true, streams)?;
        }
    }
    let failed = results.iter().filter(|(_, error)| error.is_some()).count();
    let tests = if results.len() == 1 { "1 test".to_owned() } else { format!("{} tests", results.len()) };
    writeln!(streams.out(), "{tests}, {failed} failed")?;
    Ok(verdict(results))
}

fn junit(name: &str, results: &[(&Test, Option<Error>)], streams: &mut Streams) -> io::Result<ExitStatus> {
    let is_failure = |error: &Error| category(error) == "Assertion";
    let failures = results.iter().filter(|(_, error)| error.as_ref().is_some_and(is_failure)).count();
    let errors = results.iter().filter(|(_, error)| error.as_ref().is_some_and(|error| !is_failure(error))).count();
    let out = &mut streams.rendered_out();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\">",
        xml(name),
        results.len()
    )?;
    for (test, error) in results {
        write!(out, "  <testcase classname=\"{}\" name=\"{}\"", xml(&test.class), xml(&test.method))?;
        match error {
            None => writeln!(out, "/>")?,
            Some(error) => {
                let element = if is_failure(error) { "failure" } else { "error" };
                let (category, message) = (xml(category(error)), error.to_string());
                let message = xml(&message);
                writeln!(out, ">\n    <{element} type=\"{category}\" message=\"{message}\"/>\n  </testcase>")?;
            }
        }
    }
    writeln!(out, "</testsuite>")?;
    Ok(verdict(results))
}
