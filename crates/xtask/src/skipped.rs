//! Skipped tests.
//!
//! Rust has no result for skipped tests: such a test prints `skipped: REASON` and passes.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use crate::process::Outcome;

static SKIPPED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Records a step or a test that is skipped, with the reason.
pub(crate) fn note(name: &str, reason: &str) {
    if let Ok(mut skipped) = SKIPPED.lock() {
        skipped.push(format!("{name}: {reason}"));
    }
}

/// Prints the number of skipped tests and steps, with their names.
pub(crate) fn report() {
    let skipped = SKIPPED.lock().map(|skipped| skipped.clone()).unwrap_or_default();
    println!("\n{} skipped", skipped.len());
    skipped.iter().for_each(|line| println!("  {line}"));
}

/// Records what another run of this program reports as skipped, and returns its output without that report.
pub(crate) fn without_report(output: &str) -> String {
    let Some((before, report)) = output.rsplit_once(" skipped\n") else { return output.to_owned() };
    let (skipped, after): (Vec<&str>, Vec<&str>) = report.lines().partition(|line| line.starts_with("  "));
    skipped.iter().filter_map(|line| line.trim_start().split_once(": ")).for_each(|(name, reason)| note(name, reason));
    // The number is alone in its line.
    let before = before.rsplit_once('\n').map_or("", |(before, _)| before);
    [&[before], &*after].concat().join("\n")
}

/// A test runner that prints the package of a test program, which the program's name does not contain, and then runs
/// the test program.
const RUNNER: &str =
    r#"target."cfg(all())".runner = ["sh", "-c", "echo \"package: $CARGO_PKG_NAME\"; exec \"$@\"", "sh"]"#;

/// Runs `cargo test`, prints its output without that of passing tests, and records the skipped ones.
///
/// # Errors
///
/// Returns an error if a test fails.
pub(crate) fn run_tests(command: &mut Command) -> Outcome {
    let mut scan = Scan::default();
    let outcome = run_filtered(command.args(["--config", RUNNER, "--", "--show-output"]), |line| scan.shows(line));
    scan.skipped.iter().for_each(|(name, reason)| note(name, reason));
    outcome
}

/// Runs `pytest -rs` and records the skipped tests.
///
/// # Errors
///
/// Returns an error if a test fails.
pub(crate) fn run_pytest(command: &mut Command) -> Outcome {
    run_filtered(command, |line| {
        if let Some(skipped) = line.strip_prefix("SKIPPED ") {
            note("pytest", skipped);
        }
        true
    })
}

/// Runs a script that prints `skipped: REASON` if it does nothing.
///
/// # Errors
///
/// Returns an error if the script fails.
pub(crate) fn run_script(name: &str, command: &mut Command) -> Outcome {
    run_filtered(command, |line| {
        if let Some(reason) = line.strip_prefix("skipped: ") {
            note(name, reason);
        }
        true
    })
}

/// Runs Node.js tests and records the skipped ones.
///
/// # Errors
///
/// Returns an error if a test fails.
pub(crate) fn run_node(command: &mut Command) -> Outcome {
    // Other reporters mark skipped tests with a color or a symbol.
    command.env("NODE_OPTIONS", "--test-reporter=tap");
    run_filtered(command, |line| {
        if let Some((test, reason)) = skipped_in_tap(line) {
            note(&format!("node: {test}"), reason);
        }
        true
    })
}

/// Returns the name and the reason of a skipped test in a line of the Test Anything Protocol.
fn skipped_in_tap(line: &str) -> Option<(&str, &str)> {
    let (test, reason) = line.trim_start().strip_prefix("ok ")?.split_once(" # SKIP")?;
    Some((test.split_once(" - ").map_or(test, |(_, name)| name), reason.trim_start()))
}

/// Runs a program to its end and prints the lines of its output that a filter accepts.
fn run_filtered(command: &mut Command, mut is_shown: impl FnMut(&str) -> bool) -> Outcome {
    let mut child =
        command.stdout(Stdio::piped()).spawn().map_err(|error| format!("can't run {command:?}: {error}"))?;
    for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).split(b'\n')).map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        if is_shown(&line) {
            println!("{line}");
        }
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}

/// The state while the output of tests is read.
#[derive(Default)]
struct Scan {
    /// Whether the line is part of the output of passing tests.
    is_success: bool,
    /// The package of the current tests.
    package: String,
    /// The test that the current output belongs to.
    test: String,
    skipped: Vec<(String, String)>,
}

impl Scan {
    /// Returns whether to show a line, because it is not output of a passing test.
    fn shows(&mut self, line: &str) -> bool {
        match line.trim() {
            "successes:" => self.is_success = true,
            "failures:" => self.is_success = false,
            trimmed if trimmed.starts_with("test result:") => self.is_success = false,
            trimmed if trimmed.starts_with("package: ") && !self.is_success => {
                trimmed["package: ".len()..].clone_into(&mut self.package);
                return false;
            }
            trimmed if self.is_success => {
                let name = trimmed.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----"));
                match name {
                    Some(name) => self.test = [&*self.package, name].join(" "),
                    None => {
                        let reason = trimmed.strip_prefix("skipped: ").unwrap_or_default();
                        match self.skipped.last_mut() {
                            _ if reason.is_empty() => {}
                            Some((test, reasons)) if *test == self.test => {
                                reasons.extend(["; ", reason]);
                            }
                            _ => self.skipped.push((self.test.clone(), reason.to_owned())),
                        }
                    }
                }
            }
            _ => {}
        }
        !self.is_success
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_tests_are_found_in_the_output() {
        let output = "package: cli\nrunning 2 tests\ntest a ... ok\ntest b ... ok\n\nsuccesses:\n\n---- a stdout ----\nskipped: no gpg\n\n\n\
                      successes:\n    a\n    b\n\ntest result: ok. 2 passed; 0 failed\n";
        let mut scan = Scan::default();
        let shown: Vec<&str> = output.lines().filter(|line| scan.shows(line)).collect();
        assert_eq!(
            shown,
            ["running 2 tests", "test a ... ok", "test b ... ok", "", "test result: ok. 2 passed; 0 failed"]
        );
        assert_eq!(scan.skipped, [("cli a".to_owned(), "no gpg".to_owned())]);
    }

    #[test]
    fn skipped_tests_of_node_have_a_name_and_a_reason() {
        assert_eq!(skipped_in_tap("ok 1 - one - two # SKIP no tool"), Some(("one - two", "no tool")));
        assert_eq!(skipped_in_tap("    ok 2 - another # SKIP"), Some(("another", "")));
        assert_eq!(skipped_in_tap("ok 3 - third"), None);
        assert_eq!(skipped_in_tap("not ok 4 - fourth # SKIP"), None);
    }

    #[test]
    fn a_test_that_skips_twice_is_one_test() {
        let mut scan = Scan::default();
        for line in [
            "package: p",
            "successes:",
            "---- a stdout ----",
            "skipped: one",
            "skipped: two",
            "---- b stdout ----",
            "skipped: one",
        ] {
            scan.shows(line);
        }
        let found: Vec<_> = scan.skipped.iter().map(|(test, reason)| (&**test, &**reason)).collect();
        assert_eq!(found, [("p a", "one; two"), ("p b", "one")]);
    }

    #[test]
    fn reports_of_other_runs_are_taken() {
        let output = "\n== web\n3 passed, 1 skipped\n== web: 3 s\n\n1 skipped\n  node: a: no tool\nerror: step `web`\n";
        assert_eq!(without_report(output), "\n== web\n3 passed, 1 skipped\n== web: 3 s\n\nerror: step `web`");
        assert!(SKIPPED.lock().is_ok_and(|skipped| skipped.contains(&"node: a: no tool".to_owned())));
        assert_eq!(without_report("\n== web\n"), "\n== web\n");
    }

    #[test]
    fn output_of_failing_tests_is_shown() {
        let mut scan = Scan::default();
        assert!(!scan.shows("successes:") && scan.shows("failures:") && scan.shows("---- a stdout ----"));
        assert_eq!(scan.skipped, []);
    }
}
