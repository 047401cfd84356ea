//! The public interface of the library, listed from the JSON that rustdoc writes.
//!
//! An unintended difference breaks users or promises something by accident. Derived implementations and those of auto
//! traits are not listed.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::process::{Command, ExitCode};

use crate::process::{Outcome, program, root, run, target};

const LISTING: &str = "docs/api.txt";

/// The library and the engine whose modules it exports.
const PACKAGES: &[&str] = &["tosca-parse", "tosca-parse-engine"];

/// The variable that is set if cargo runs this program in place of rustdoc.
const IS_RUSTDOC: &str = "XTASK_IS_RUSTDOC";

/// Runs rustdoc with unstable options, if cargo runs this program in place of rustdoc.
pub(crate) fn rustdoc() -> Option<ExitCode> {
    std::env::var_os(IS_RUSTDOC)?;
    // Only rustdoc may get the variable: build scripts depend on it, so cargo would rebuild everything.
    let status = Command::new("rustdoc").args(std::env::args_os().skip(1)).env("RUSTC_BOOTSTRAP", "1").status();
    Some(if status.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes the listing.
pub(crate) fn renew() -> Outcome {
    document()?;
    fs::write(root().join(LISTING), listing()?).map_err(|error| format!("can't write {LISTING}: {error}"))
}

/// Compares `listing` with the recorded listing.
///
/// # Errors
///
/// Returns an error with the differing lines.
pub(crate) fn compare(listing: &str) -> Outcome {
    let known = fs::read_to_string(root().join(LISTING)).map_err(|error| format!("can't read {LISTING}: {error}"))?;
    let (old, new): (BTreeSet<_>, BTreeSet<_>) = (known.lines().collect(), listing.lines().collect());
    if old == new {
        return Ok(());
    }
    let mut differences = String::new();
    old.difference(&new).for_each(|line| _ = writeln!(differences, "- {line}"));
    new.difference(&old).for_each(|line| _ = writeln!(differences, "+ {line}"));
    Err(format!(
        "the public interface has changed:\n{differences}\
         if that is intended, run `cargo xtask renew api` and describe the change in CHANGELOG.md"
    ))
}

/// Documents the whole workspace as JSON. As for HTML, each warning is an error.
///
/// # Errors
///
/// Returns an error if there is a warning.
pub(crate) fn document() -> Outcome {
    let mut doc = program("cargo", "doc --workspace --no-deps --locked --quiet");
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    doc.env("RUSTDOC", this).env(IS_RUSTDOC, "1");
    run(doc.env("RUSTDOCFLAGS", "-D warnings -Z unstable-options --output-format json"))
}

/// Returns the listing: one item per line, by package, with all features.
///
/// # Errors
///
/// Returns an error if the workspace is not documented, or the JSON has a version that the JSON library does not know.
pub(crate) fn listing() -> Result<String, String> {
    let mut listing = String::new();
    for package in PACKAGES {
        let json = target().join("doc").join(package.replace('-', "_")).with_extension("json");
        let api = public_api::Builder::from_rustdoc_json(json)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .omit_auto_derived_impls(true)
            .build()
            .map_err(|error| error.to_string())?;
        api.items().for_each(|item| _ = writeln!(listing, "{item}"));
    }
    Ok(listing)
}
