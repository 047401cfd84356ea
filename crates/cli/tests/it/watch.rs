//! Validating again after changes.

use std::io::{BufRead, BufReader};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::*;

/// A watching command, and the lines of both of its streams.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn new(folder: &Folder, arguments: &str) -> Self {
        // Both streams in one pipe, as on a terminal.
        let (output, input) = std::io::pipe().unwrap();
        let child = folder.command(arguments).stdout(input.try_clone().unwrap()).stderr(input).spawn().unwrap();
        let (sender, lines) = channel();
        thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Self { child, lines }
    }

    /// Waits for a line with this start, and returns the output before it.
    fn until(&self, start: &str) -> String {
        let mut before = String::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60));
            let line = line.unwrap_or_else(|_| panic!("there is no `{start}` after {before}"));
            before.push_str(&line);
            if line.starts_with(start) {
                return before;
            }
            before.push('\n');
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const TYPES: &str = "tosca_definitions_version: tosca_2_0\nnode_types: { Server: {} }\n";
const SERVICE: &str = "\
tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template: { node_templates: { web: { type: Server } } }
";

#[test]
fn what_changes_is_validated_again() {
    let folder = Folder::new(&[("service.yaml", SERVICE)]);
    let watching = Watching::new(&folder, "service.yaml --watch --format concise");
    let first = watching.until("watching 1 file;");
    assert!(first.contains("service.yaml:2:12: error[T1001]"), "{first}");
    // The missing file has been created.
    folder.write("types.yaml", TYPES);
    let second = watching.until("watching 2 files;");
    assert!(!second.contains("error"), "{second}");
    folder.write("types.yaml", &TYPES.replace("Server", "Serving"));
    let third = watching.until("watching");
    assert!(third.contains("service.yaml:3:52: error[T2001]"), "{third}");
}

#[test]
fn a_configuration_is_read_again_whatever_it_said() {
    let folder = Folder::new(&[("service.yaml", SERVICE), ("tosca-parse.yaml", "rules: { T1001: allow }\n")]);
    let watching = Watching::new(&folder, "service.yaml --watch --format concise");
    let first = watching.until("watching 2 files;");
    assert!(!first.contains("T1001"), "{first}");
    folder.write("tosca-parse.yaml", "rulez: { T1001: allow }\n");
    watching.until("error: ");
    folder.write("tosca-parse.yaml", "rules: { T1001: warning }\n");
    watching.until("service.yaml:2:12: warning[T1001]");
}

#[test]
fn only_files_are_watched() {
    let folder = Folder::new(&[("service.yaml", SERVICE)]);
    let run = folder.run("- --watch");
    assert!(run.code == 2 && run.err.contains("standard input"), "{}", run.all());
    assert_eq!(folder.run("service.yaml --watch --fix").code, 2);
}
