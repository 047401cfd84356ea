//! Regenerating files that are made from others.

use crate::process::{Outcome, cargo, program, root, run as start, target};
use crate::{Task, chosen};

/// What can be regenerated, in an order in which nothing is made from an old file.
const TASKS: &[Task] = &[
    ("profiles", profiles),
    ("rules", || docs("-p tosca-parse --lib rules::")),
    ("reference", || docs("-p tosca-parse --test it reference:: patterns::")),
    ("model", || docs("-p tosca-parse --test it model::")),
    ("schemas", || docs("-p tosca-parse-cli --test it project:: reference::")),
    ("pages", || docs("-p tosca-parse-cli --test it pages::")),
    ("snapshots", snapshots),
    ("api", api),
    ("python", python),
];

/// Regenerates some files, or all of them.
pub(crate) fn run(names: &[&str]) -> Outcome {
    if names == ["--list"] {
        TASKS.iter().for_each(|(name, _)| println!("{name}"));
        println!("counts (only if named)");
        return Ok(());
    }
    if names == ["counts"] {
        return counts();
    }
    for (name, task) in chosen(TASKS, names)? {
        println!("== {name}");
        task()?;
    }
    Ok(())
}

/// Runs tests that write what they would compare.
fn docs(tests: &str) -> Outcome {
    start(test(tests).env("UPDATE_DOCS", "1"))
}

/// A command that runs some tests: the options of cargo, and the beginnings of the names of the tests.
fn test(tests: &str) -> std::process::Command {
    let is_name = |word: &&str| word.ends_with("::");
    let options: Vec<&str> = tests.split_whitespace().filter(|word| !is_name(word)).collect();
    let mut command = program("cargo", &format!("test --quiet {} --", options.join(" ")));
    command.args(tests.split_whitespace().filter(is_name));
    command
}

/// The documents of built-in types. The tests after it compare what was built before, so its failure means nothing.
fn profiles() -> Outcome {
    let _ = docs("-p tosca-parse --test it normative::packed::");
    start(&mut test("-p tosca-parse --test it normative::packed::"))
}

fn snapshots() -> Outcome {
    start(program("cargo", "test --quiet --workspace --lib --tests").env("INSTA_UPDATE", "always"))
}

fn api() -> Outcome {
    cargo("doc --workspace --no-deps --quiet")?;
    start(program("python3", ".ci/api.py").arg(target().join("doc")).args(["tosca_parse", "docs/api.txt", "--renew"]))
}

/// The types of the model for Python, with the packages of the tests of the binding.
fn python() -> Outcome {
    let environment = target().join("python");
    start(program("python3", "-m venv").arg(&environment))?;
    let binding = root().join("bindings/python");
    let pip = environment.join("bin/pip");
    start(
        program(pip, "install --quiet --disable-pip-version-check datamodel-code-generator==0.89.0")
            .current_dir(&binding),
    )?;
    start(program(environment.join("bin/python"), "make_model.py").current_dir(&binding))
}

/// The recorded instruction counts. A change of them is a decision, so they are only renewed if named.
fn counts() -> Outcome {
    cargo("run --package counts -- --record")?;
    cargo("run --profile counts --package counts -- --record")
}
