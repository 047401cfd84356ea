//! The command, run as a user runs it: arguments, exit codes, and output.

#![allow(clippy::unwrap_used)]
#![allow(clippy::print_stdout, reason = "skipped tests are reported")]
#![allow(clippy::print_stderr, reason = "skipped tests are reported")]

mod archives;
mod baseline;
mod bindings;
#[cfg(target_os = "linux")]
mod bombs;
mod completion;
mod config;
mod custom_rules;
mod diffs;
mod doc;
mod doc_examples;
mod editor;
mod fixes;
mod fmt;
mod graph;
#[cfg(feature = "tables")]
mod index;
mod languages;
mod migrate;
mod models;
mod murano;
mod neovim;
mod new;
mod packages;
mod phases;
mod plans;
mod problems;
mod project;
mod readme;
mod reference;
mod replacing;
mod reports;
mod resolve;
mod result_cache;
mod security;
mod serve;
mod server;
mod suppress;
mod testing;
mod usage;
mod watch;
mod yaql;
mod yay;
mod yay_templates;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the folder of the workspace.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A temporary folder in which the command runs.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Returns the command with arguments, which are separated by spaces.
    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tosca-parse"));
        command.current_dir(self.path()).args(arguments.split_whitespace()).env_remove("NO_COLOR");
        // The configuration of the user who runs the tests must not be read.
        command.env("XDG_CONFIG_HOME", self.path().join(".config")).env("XDG_CACHE_HOME", self.path().join(".cache"));
        command
    }

    /// Runs the command to its end.
    fn run(&self, arguments: &str) -> Run {
        Run::of(&mut self.command(arguments))
    }

    /// Runs the command with a text on standard input.
    fn run_with_input(&self, arguments: &str, input: &[u8]) -> Run {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The command may exit without reading all of it.
        let _ = child.stdin.take().unwrap().write_all(input);
        Run::from(child.wait_with_output().unwrap())
    }
}

/// The result of a run.
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    fn of(command: &mut Command) -> Self {
        Self::from(command.stdin(Stdio::null()).output().unwrap())
    }

    fn from(output: std::process::Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Returns the whole result, for a snapshot.
    fn all(&self) -> String {
        format!("exit code: {}\n--- standard output ---\n{}--- standard error ---\n{}", self.code, self.out, self.err)
    }

    fn is_quiet(&self) -> bool {
        self.out.is_empty() && self.err.is_empty()
    }
}

/// A valid service.
const VALID: (&str, &str) = (
    "valid.yaml",
    "\
tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  description: A site on the web.
  inputs:
    port: { type: integer, default: 80 }
    owner: { type: string, required: false }
  node_templates:
    web:
      type: Website
      properties: { port: { $get_input: port } }
  outputs:
    where: { value: { $get_attribute: [ web, address ] } }
",
);

/// The types of the services.
const TYPES: (&str, &str) = (
    "types.yaml",
    "\
tosca_definitions_version: tosca_2_0
capability_types:
  Host: {}
relationship_types:
  HostedOn: {}
node_types:
  Site:
    properties:
      title: { type: string, default: untitled }
    attributes:
      address: { type: string }
  Website:
    derived_from: Site
    properties:
      port: { type: integer, validation: { $less_than: [ $value, 65536 ] } }
    requirements:
    - host: { capability: Host, relationship: HostedOn, count_range: [ 1, 1 ] }
",
);

/// A service with an error.
const INVALID: (&str, &str) = (
    "invalid.yaml",
    "\
tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  node_templates:
    web: { type: Websit, properties: { port: 80 } }
",
);

/// A valid service with a warning about a deviation from the standard.
const DOUBTFUL: (&str, &str) = (
    "doubtful.yaml",
    "\
tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
node_types:
  Site: {}
service_template:
  node_templates:
    site: { type: Site }
",
);

fn folder() -> Folder {
    Folder::new(&[VALID, TYPES, INVALID, DOUBTFUL])
}
