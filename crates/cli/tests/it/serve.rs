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

#[test]
fn refused_bodies_are_answered() {
    let service = Service::start(&["--max-body", "1000"]);
    let long = " ".repeat(8_000_000);
    // `send` reads the answer after it has sent the whole body.
    for path in ["/validate", "/validate?name=..", "/model?positions=maybe"] {
        let answer = service.send(&format!("POST {path}"), &long);
        assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("longer than 1000 bytes"), "{answer}");
    }
    let answer = service.send("POST /model?positions=maybe", " ");
    assert!(answer.contains("{\"error\":\"invalid query: positions: "), "{answer}");

    // A client that waits before it sends the body gets the answer at once.
    let mut stream = TcpStream::connect(&service.address).unwrap();
    write!(stream, "POST /validate HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\nExpect: 100-continue\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
}

#[cfg(unix)]
#[test]
fn a_stopped_service_finishes_its_requests() {
    let mut service = Service::start(&[]);
    let mut stream = TcpStream::connect(&service.address).unwrap();
    write!(stream, "POST /validate HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n").unwrap();
    // The service asks for the content when it has begun to work on the request.
    let mut asks = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    stream.read_exact(&mut asks).unwrap();
    assert_eq!(asks, *b"HTTP/1.1 100 Continue\r\n\r\n");
    write!(stream, "a: ").unwrap();
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

/// A run of the example orchestrator, which uses the service.
#[cfg(unix)]
mod orchestrator {
    use super::*;

    const FILES: [(&str, &str); 6] = {
        macro_rules! file {
            ($name:literal) => {
                ($name, include_str!(concat!("../../../../examples/orchestrator/", $name)))
            };
        }
        [
            file!("deploy.sh"),
            file!("shop.yaml"),
            file!("scripts/server.py"),
            file!("scripts/database.py"),
            file!("scripts/application.py"),
            file!("scripts/balancer.py"),
        ]
    };

    /// Returns whether all tools are there that the example needs; otherwise, the test is reported as skipped.
    fn has_tools() -> bool {
        let is_missing = |tool: &&str| Command::new(tool).arg("--version").output().is_err();
        let missing = ["curl", "jq", "python3"].into_iter().find(is_missing);
        if let Some(tool) = missing {
            println!("skipped: there is no {tool}");
        }
        missing.is_none()
    }

    fn start(folder: &Folder, service: &Service, inputs: &str) -> Child {
        let mut command = Command::new("sh");
        command.args(["deploy.sh", "shop.yaml", inputs]).current_dir(folder.path());
        command.env("TOSCA_PARSE_URL", format!("http://{}", service.address)).env("PYTHONDONTWRITEBYTECODE", "1");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn is_running(process: &str) -> bool {
        Command::new("kill").args(["-0", process]).stderr(Stdio::null()).status().unwrap().success()
    }

    fn get(url: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(url.strip_prefix("http://").unwrap())?;
        stream.write_all(b"GET / HTTP/1.0\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    /// Returns the nodes whose processes have ended, and the processes.
    fn ended(log: &str) -> Vec<(&str, &str)> {
        let lines = log.lines().filter_map(|line| line.split_once(": process "));
        lines.filter_map(|(node, rest)| Some((node, rest.split_once(" ended")?.0))).collect()
    }

    #[test]
    fn the_shop_is_deployed() {
        if !has_tools() {
            return;
        }
        let (folder, service) = (Folder::new(&FILES), Service::start(&[]));
        let mut run = start(&folder, &service, r#"{"title": "Fruit", "products": ["fig", "plum"]}"#);
        let mut line = String::new();
        BufReader::new(run.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let Ok(outputs) = serde_json::from_str::<serde_json::Value>(&line) else {
            panic!("{}", Run::from(run.wait_with_output().unwrap()).err);
        };
        let backends = outputs["backends"].as_array().unwrap();
        let urls: Vec<&str> = backends.iter().chain([&outputs["url"]]).map(|url| url.as_str().unwrap()).collect();
        assert_eq!(urls.len(), 3);
        // The applications answer with the products of the database, and the load balancer with their answers.
        for url in &urls {
            let answer = get(url).unwrap();
            assert!(answer.ends_with("\r\n\r\nFruit: fig, plum\n"), "{url}: {answer}");
        }
        let processes: Vec<String> = ["balancer", "web_1", "web_2", "database"]
            .iter()
            .map(|node| outputs["processes"][node].to_string())
            .inspect(|process| assert!(is_running(process), "{process}"))
            .collect();
        drop(run.stdin.take());
        let run = Run::from(run.wait_with_output().unwrap());
        assert_eq!(run.code, 0, "{}", run.err);
        let started = format!("balancer: standard.start({{\"backends\":{}}})\n", outputs["backends"]);
        assert!(run.err.contains(&started), "{}", run.err);
        let expected: Vec<(&str, &str)> =
            ["balancer", "web_1", "web_2", "database"].into_iter().zip(processes.iter().map(String::as_str)).collect();
        assert_eq!(ended(&run.err), expected);
        assert!(!processes.iter().any(|process| is_running(process)) && !urls.iter().any(|url| get(url).is_ok()));
    }

    #[test]
    fn failed_operations_leave_no_process() {
        if !has_tools() {
            return;
        }
        let (folder, service) = (Folder::new(&FILES), Service::start(&[]));
        let run = Run::from(start(&folder, &service, r#"{"title": 5}"#).wait_with_output().unwrap());
        assert!(run.code == 1 && run.out.is_empty(), "{}", run.err);
        assert!(run.err.contains("T5101") && !run.err.contains("standard.start"), "{}", run.err);
        folder.write("scripts/application.py", "raise SystemExit(3)");
        let run = Run::from(start(&folder, &service, "{}").wait_with_output().unwrap());
        assert!(run.code == 1 && run.out.is_empty(), "{}", run.err);
        assert!(run.err.contains("error: `web_1`: ./scripts/application.py failed\n"), "{}", run.err);
        let ended = ended(&run.err);
        assert_eq!(ended.iter().map(|(node, _)| *node).collect::<Vec<_>>(), ["web_1", "database"]);
        assert!(!ended.iter().any(|(_, process)| is_running(process)));
    }

    #[test]
    fn the_requests_of_the_page_are_answered() {
        if !has_tools() {
            return;
        }
        let service = Service::start(&[]);
        let page = std::fs::read_to_string(root().join("docs/embedding.md")).unwrap();
        let mut checked = 0;
        for block in page.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            let (end, _) = block.match_indices('\n').find(|(at, _)| !block[..*at].ends_with('\\')).unwrap();
            let command = block[..end].strip_prefix("$ ").unwrap().replace("localhost:8080", &service.address);
            let shown = &block[end + 1..];
            let run = Run::of(Command::new("sh").args(["-c", &command]).current_dir(root()));
            assert_eq!((&*run.out, &*run.err), (shown, ""), "{command}");
            checked += 1;
        }
        assert_eq!(checked, 2);
    }
}
