//! Regeneration of files that are derived from others.

use std::path::PathBuf;

use crate::process::{Outcome, cargo, exists, program, root, run as start, shared, target};
use crate::{Task, api, chosen};

/// The tasks, ordered so that no file is generated from an outdated one.
const TASKS: &[Task] = &[
    ("profiles", profiles),
    ("rules", || docs("-p tosca-parse --lib rules::")),
    ("types", || docs("-p tosca-parse-heat --test it types::")),
    ("reference", reference),
    ("model", || docs("-p tosca-parse --test it model::")),
    ("schemas", || docs("-p tosca-parse-cli --test it project:: reference::")),
    ("pages", || docs("-p tosca-parse-cli --test it doc_examples::")),
    ("snapshots", snapshots),
    ("api", api::renew),
    ("python", python),
];

/// Tasks that record measurements. They only run if they are named, because changing the numbers is a decision.
const ONLY_IF_NAMED: &[Task] = &[("counts", counts), ("prose", prose)];

/// The recorded number of phrases to avoid, by pattern and folder.
pub(crate) const PROSE_BASELINE: &str = ".ci/prose.json";

/// Regenerates some files or all of them.
pub(crate) fn run(names: &[&str]) -> Outcome {
    if names == ["--list"] {
        TASKS.iter().for_each(|(name, _)| println!("{name}"));
        ONLY_IF_NAMED.iter().for_each(|(name, _)| println!("{name} (only if named)"));
        return Ok(());
    }
    let named = if names.is_empty() { &[] } else { ONLY_IF_NAMED };
    for (name, task) in chosen(&[TASKS, named].concat(), names)? {
        println!("== {name}");
        task()?;
    }
    Ok(())
}

/// Runs tests in the mode that writes the expected files.
fn docs(tests: &str) -> Outcome {
    start(test(tests).env("UPDATE_DOCS", "1"))
}

/// Returns a command that runs tests; `tests` contains options for cargo and prefixes of test names.
fn test(tests: &str) -> std::process::Command {
    let is_name = |word: &&str| word.ends_with("::");
    let options: Vec<&str> = tests.split_whitespace().filter(|word| !is_name(word)).collect();
    let mut command = program("cargo", &format!("test --quiet {} --", options.join(" ")));
    command.args(tests.split_whitespace().filter(is_name));
    command
}

/// Regenerates the precompiled documents of built-in types. The first run writes them but compares the documents that
/// were compiled into the program before, so its failure is ignored.
fn profiles() -> Outcome {
    let _ = docs("-p tosca-parse --test it normative::packed::");
    start(&mut test("-p tosca-parse --test it normative::packed::"))
}

fn reference() -> Outcome {
    docs("-p tosca-parse --test it reference:: patterns::")?;
    docs("-p tosca-parse-heat --test it reference::")?;
    docs("-p tosca-parse-cloudify --test it reference::")
}

fn snapshots() -> Outcome {
    start(program("cargo", "test --quiet --workspace --lib --tests").env("INSTA_UPDATE", "always"))
}

/// Regenerates the types of the model for Python, with the packages that the tests of the binding use.
fn python() -> Outcome {
    let environment = target().join("python");
    start(program("python3", "-m venv").arg(&environment))?;
    let binding = root().join("bindings/python");
    let project = std::fs::read_to_string(binding.join("pyproject.toml")).map_err(|error| error.to_string())?;
    let is_generator = |word: &&str| word.starts_with("datamodel-code-generator");
    let generator = project.split('"').find(is_generator).ok_or("pyproject.toml names no generator")?;
    let mut pip = program(environment.join("bin/pip"), "install --quiet --disable-pip-version-check");
    start(pip.arg(generator).current_dir(&binding))?;
    start(program(environment.join("bin/python"), "make_model.py").current_dir(&binding))
}

/// Records the instruction counts.
fn counts() -> Outcome {
    cargo("run --package counts -- --record")?;
    cargo("run --profile counts --package counts -- --record")
}

/// Records the number of phrases to avoid.
fn prose() -> Outcome {
    let check = prose_check().ok_or("there is no Python, or `TOSCA_PARSE_SHARED` has no `voice/prose_check.py`")?;
    start(program("python3", "").arg(check).args([".", "--write-baseline", PROSE_BASELINE]))
}

/// Returns the program that counts phrases to avoid, if it can run here.
pub(crate) fn prose_check() -> Option<PathBuf> {
    let check = shared()?.join("voice/prose_check.py");
    (check.is_file() && exists("python3")).then_some(check)
}
