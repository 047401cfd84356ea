//! The HTTP service.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use super::*;

/// A running service, which is killed at the end of a test.
struct Service {
    process: Child,
    address: String,
    log: BufReader<std::process::ChildStderr>,
}

impl Service {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tosca-parse"));
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(arguments);
        let mut process = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        log.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { process, address, log }
    }

    /// Sends a request and returns the answer with its head.
    fn send(&self, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        write!(stream, "{head} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn templates_are_validated_over_http() {
    let mut service = Service::start(&["--access-log", "--limit", "source-size=1000"]);
    let text = "tosca_definitions_version: tosca_2_0\nnode_types: { Server: { derived_from: Machine } }\n";
    let answer = service.send("POST /validate?name=types.yaml", text);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("\"valid\":false") && answer.contains("\"file\":\"types.yaml\""), "{answer}");
    let mut line = String::new();
    service.log.read_line(&mut line).unwrap();
    let entry: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(
        (&entry["method"], &entry["path"], &entry["status"]),
        (&"POST".into(), &"/validate".into(), &200.into())
    );
    assert!(answer.contains(&format!("x-request-id: {}", entry["id"].as_str().unwrap())), "{answer}");
    let answer = service.send("POST /validate", &format!("{text}# {}", " ".repeat(1000)));
    assert!(answer.contains("\"valid\":false") && answer.contains("1000 bytes"), "{answer}");
}

#[cfg(unix)]
#[test]
fn a_stopped_service_finishes_its_requests() {
    let mut service = Service::start(&[]);
    let mut stream = TcpStream::connect(&service.address).unwrap();
    write!(stream, "POST /validate HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\na: ").unwrap();
    // The service answers this request only after it has accepted the other connection.
    assert!(service.send("GET /healthz", "").starts_with("HTTP/1.1 200"));
    let id = service.process.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    std::thread::sleep(std::time::Duration::from_millis(100));
    stream.write_all(b"b").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(service.process.wait().unwrap().code(), Some(0));
}

#[test]
fn wrong_arguments_are_reported() {
    let folder = Folder::new(&[]);
    for (arguments, expected) in [
        ("serve --listen 192.0.2.1:1", "can't listen on 192.0.2.1:1"),
        ("serve --cors example.com", "expected an origin such as `https://example.com`"),
        ("serve --allow-private-network", "--online"),
        ("serve --profile-path missing", "missing"),
        ("serve --timeout -1", "unexpected argument"),
    ] {
        let run = folder.run(arguments);
        assert!(run.code > 0 && run.err.contains(expected), "{arguments}: {}", run.err);
    }
}
