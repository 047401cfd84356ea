//! Execution of programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The result of a task; the error is one line.
pub(crate) type Outcome = Result<(), String>;

/// Returns the folder of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("."))
}

/// Returns the folder of build products.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// Returns a command that runs in the project root, with debug information and incremental compilation turned off:
/// xtask needs neither, and together they take up most of the disk space.
pub(crate) fn program(name: impl AsRef<std::ffi::OsStr>, arguments: &str) -> Command {
    let mut command = Command::new(name);
    command.args(arguments.split_whitespace()).current_dir(root()).stdin(Stdio::null());
    command.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "none").env("CARGO_TARGET_DIR", target());
    if let Some(shared) = shared() {
        command.env("TOSCA_PARSE_SHARED", shared);
    }
    command
}

/// Returns the folder of test material that is not part of the project, if there is one.
pub(crate) fn shared() -> Option<PathBuf> {
    let beside =
        || root().parent().map(|folder| folder.join("shared")).filter(|shared| shared.join("conformance").is_dir());
    std::env::var_os("TOSCA_PARSE_SHARED").filter(|shared| !shared.is_empty()).map(PathBuf::from).or_else(beside)
}

/// Runs cargo.
pub(crate) fn cargo(arguments: &str) -> Outcome {
    run(&mut program("cargo", arguments))
}

/// Runs a program to its end.
///
/// # Errors
///
/// Returns an error if the program can't be started or fails.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|error| format!("can't run {command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}

/// Returns the standard output of a program that succeeds.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|error| format!("can't run {command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{command:?}: {error}"))
}

/// Returns whether a program can be started.
pub(crate) fn exists(name: &str) -> bool {
    Command::new(name)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok()
}

/// Runs a program without output and returns whether it succeeds.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
