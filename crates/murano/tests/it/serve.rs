//! Schemas over HTTP: answers, including those to concurrent and slow clients.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use serde_json::Value as Json;
use tosca_parse_murano::{PackageProvider, PackageSource, Runtime, ServeLimits, Style, serve};
use tosca_parse_yaql::Limits;

const CLASSES: &str = "\
Namespaces: {=: t, m: io.murano.metadata}
Name: Server
Properties:
  port: {Contract: $.int().notNull().check($ > 0), Default: 80}
Methods:
  small:
    Usage: Static
    Scope: Public
    Meta: {m:ModelBuilder: }
    Arguments:
      - model: {Contract: $.class(Server)}
      - size: {Contract: $.int()}
    Body: []
---
Name: Slow
Properties:
  word: {Contract: $.string().check($ in :Slow.endless())}
Methods:
  endless:
    Usage: Static
    Body:
      - While: 1 = 1
        Do: []
---
Name: Broken
Properties:
  other: {Contract: $.class(Nowhere)}
";

/// Starts a service, which ends with the tests, and returns its address.
fn start(limits: ServeLimits) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let runtime = || {
        let package = PackageSource::from_text("t", "1.4", &[], CLASSES)?;
        Runtime::builder().package(package).limits(Limits { depth: 100, ..Limits::murano() }.with_steps(50_000)).build()
    };
    std::thread::spawn(move || serve(listener, runtime, Style::Correct, &limits));
    address
}

/// Sends the head of a request, and returns everything received until the connection is closed.
fn send(address: SocketAddr, head: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    // Even on a slow machine, only a server that hangs takes longer.
    stream.set_read_timeout(Some(Duration::from_secs(600))).unwrap();
    let mut answer = String::new();
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.read_to_string(&mut answer);
    answer
}

fn get(address: SocketAddr, path: &str) -> (u16, Json) {
    let answer = send(address, &format!("GET {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"));
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status, serde_json::from_str(body).unwrap_or_default())
}

#[test]
fn schemas_are_answered() {
    let address = start(ServeLimits::default());
    let (status, schemas) = get(address, "/schemas/t.Server");
    assert_eq!((status, &schemas[""]["properties"]["port"]["default"]), (200, &80.into()), "{schemas}");
    assert!(schemas["small"]["properties"]["size"].is_object(), "{schemas}");
    let (status, schemas) = get(address, "/schemas/t.Server/small,none?classVersion=%3D0&packageName=t");
    assert_eq!((status, schemas.as_object().map(serde_json::Map::len)), (200, Some(1)), "{schemas}");
    for path in ["/schemas/t.None", "/schemas/t.Server?packageName=none", "/schemas/t.Server?classVersion=%3E1", "/x"] {
        let (status, body) = get(address, path);
        assert!(status == 404 && body["error"].is_string(), "{path}: {status} {body}");
    }
    let (status, body) = get(address, "/schemas/t.Server/smal");
    assert!(status == 404 && body["error"].to_string().contains("did you mean `small`?"), "{status} {body}");
    assert_eq!(get(address, "/schemas/a%20b").0, 400);
    assert_eq!(get(address, "/schemas/t.Server?classVersion=x").0, 400);
    let (status, body) = get(address, "/schemas/t.Broken");
    assert!(status == 404 && body["error"].to_string().contains("Nowhere"), "{status} {body}");
}

#[test]
fn service_describes_itself() {
    let address = start(ServeLimits::default());
    assert_eq!(get(address, "/healthz"), (200, serde_json::json!({ "status": "ok" })));
    let (status, list) = get(address, "/schemas");
    let names: Vec<&str> = list["schemas"].as_array().unwrap().iter().filter_map(|one| one["class"].as_str()).collect();
    assert_eq!((status, names), (200, vec!["t.Server", "t.Slow", "t.Broken"]));
    let (status, description) = get(address, "/openapi.json");
    assert!(status == 200 && description["paths"]["/schemas/{class}/{methods}"]["get"].is_object(), "{description}");
    let (_, schemas) = get(address, "/schemas/t.Server/,small");
    assert!(schemas[""].is_object() && schemas["small"].is_object(), "{schemas}");
    let (_, schemas) = get(address, "/schemas/t.Server/");
    assert_eq!(schemas.as_object().map(serde_json::Map::len), Some(1), "{schemas}");
}

#[test]
fn unchanged_schemas_are_not_sent_again() {
    let address = start(ServeLimits::default());
    let ask = |tag: &str| {
        let head =
            format!("GET /schemas/t.Server HTTP/1.1\r\nHost: x\r\nIf-None-Match: {tag}\r\nConnection: close\r\n\r\n");
        send(address, &head)
    };
    let answer = ask("\"other\"");
    let tag = answer.lines().find_map(|line| line.to_lowercase().strip_prefix("etag: ").map(str::to_owned)).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let answer = ask(&format!("\"other\", W/{tag}"));
    assert!(answer.starts_with("HTTP/1.1 304") && answer.ends_with("\r\n\r\n"), "{answer}");
}

/// Packages that change with their stamp.
struct Changing(std::sync::Arc<std::sync::atomic::AtomicU64>);

impl PackageProvider for Changing {
    fn runtime(&self) -> tosca_parse_yaql::Result<std::rc::Rc<Runtime>> {
        let text = match self.stamp() {
            0 => "Name: t.Old",
            1 => return Err(tosca_parse_yaql::Error::new(tosca_parse_yaql::ErrorKind::Value, "half written")),
            2 => "Name: t.Old\nExtends: t.Missing",
            _ => "Name: t.New",
        };
        Runtime::builder().package(PackageSource::from_text("t", "1.4", &[], text)?).build()
    }

    fn stamp(&self) -> u64 {
        self.0.load(std::sync::atomic::Ordering::SeqCst)
    }
}

#[test]
fn changed_packages_are_read_again() {
    let stamp = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let (address, packages) = (listener.local_addr().unwrap(), Changing(stamp.clone()));
    std::thread::spawn(move || serve(listener, packages, Style::Correct, &ServeLimits::default()));
    assert_eq!(get(address, "/schemas/t.Old").0, 200);
    // Packages that can't be read don't replace the others.
    for invalid in [1, 2] {
        stamp.store(invalid, std::sync::atomic::Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(1100));
        assert_eq!(get(address, "/schemas/t.Old").0, 200, "{invalid}");
    }
    stamp.store(3, std::sync::atomic::Ordering::SeqCst);
    let is_new = || get(address, "/schemas/t.New").0 == 200;
    assert!((0..600).any(|_| is_new() || {
        std::thread::sleep(Duration::from_millis(100));
        false
    }));
    assert_eq!(get(address, "/schemas/t.Old").0, 404);
}

#[test]
fn malformed_requests_are_refused() {
    let address = start(ServeLimits::default());
    let begin = |answer: String| answer.lines().next().unwrap_or_default().to_owned();
    let post =
        send(address, "POST /schemas/t.Server HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    assert!(post.starts_with("HTTP/1.1 405") && post.to_lowercase().contains("allow: get, head"), "{post}");
    assert!(begin(send(address, "nonsense\r\n\r\n")).contains("400"));
    let long = format!("GET /schemas/{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(100_000));
    let answer = begin(send(address, &long));
    assert!(answer.is_empty() || answer.contains("414") || answer.contains("431"), "{answer}");
    assert_eq!(get(address, "/schemas/t.Server").0, 200);
}

/// Paths lead only to classes, whatever they contain, and can't add a header to the answer.
#[test]
fn paths_lead_to_classes_alone() {
    let address = start(ServeLimits::default());
    for (path, expected) in [
        ("/schemas/../schemas/t.Server", 404),
        ("/schemas/..%2f..%2fetc%2fpasswd", 400),
        ("/schemas/%2e%2e/t.Server", 404),
        ("/schemas/..", 404),
        ("/schemas/t.Server%00", 400),
        ("/schemas/t.Server%0d%0aX-Evil:%201", 400),
        ("/schemas/%3Cscript%3E", 400),
        ("/schemas/t.Server/", 200),
        ("/schemas//t.Server", 400),
        ("/schemas/t%252eServer", 400),
        ("/schemas/t.Server?classVersion=%00", 400),
        ("/schemas/t.Server?packageName=..%2f..", 400),
        ("/schemas/t.Server?classVersion=%3D0&classVersion=%3D1", 404),
        ("/", 404),
        ("*", 404),
    ] {
        let (status, body) = get(address, path);
        assert_eq!(status, expected, "{path}: {body}");
        assert!(status == 200 || body["error"].is_string(), "{path}: {body}");
    }
    let answer =
        send(address, "GET /schemas/t.Server%0d%0aX-Evil:%201 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert!(!answer.lines().any(|line| line.starts_with("X-Evil")), "{answer}");
}

#[test]
fn methods_and_connections_are_those_of_http() {
    let address = start(ServeLimits::default());
    let end = "Host: x\r\nConnection: close\r\n\r\n";
    let head = send(address, &format!("HEAD /schemas/t.Server HTTP/1.1\r\n{end}"));
    assert!(head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"), "{head}");
    for method in ["OPTIONS", "PUT", "DELETE", "TRACE", "CONNECT", "PATCH", "FOO"] {
        let path = if method == "CONNECT" { "host:80" } else { "/schemas/t.Server" };
        let answer = send(address, &format!("{method} {path} HTTP/1.1\r\n{end}"));
        assert!(answer.starts_with("HTTP/1.1 405") && !answer.contains("X-Secret"), "{method}: {answer}");
    }
    // Requests on one connection are answered in order, even if they are sent at once.
    let one = "GET /schemas/t.Server HTTP/1.1\r\nHost: x\r\n\r\n";
    let several = send(address, &format!("{}GET /x HTTP/1.1\r\n{end}", one.repeat(20)));
    assert_eq!(several.matches("HTTP/1.1 200").count(), 20, "{several}");
    assert_eq!(several.matches("HTTP/1.1 404").count(), 1, "{several}");
    // A body is not read as a request, and a message with two lengths is answered at most once.
    let hidden = format!("GET /schemas/t.Server HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{one}", one.len());
    let answer = send(address, &format!("{hidden}GET /x HTTP/1.1\r\n{end}"));
    assert_eq!(answer.matches("HTTP/1.1 200").count(), 1, "{answer}");
    let smuggled =
        "GET /schemas/t.Server HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    let answer = send(address, &format!("{smuggled}GET /x HTTP/1.1\r\n{end}"));
    assert!(answer.matches("HTTP/1.1 200").count() <= 1, "{answer}");
    let headers = "X-Other: y\r\n".repeat(5000);
    let answer = send(address, &format!("GET /schemas/t.Server HTTP/1.1\r\n{headers}{end}"));
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431") || answer.starts_with("HTTP/1.1 400"), "{answer}");
    assert_eq!(get(address, "/schemas/t.Server").0, 200);
}

/// Connections beyond the limit wait, and are answered in the end.
#[test]
fn many_connections_wait_for_a_place() {
    let head = Duration::from_millis(300);
    let address = start(ServeLimits { connections: 8, head, ..ServeLimits::default() });
    let ask = move || get(address, "/schemas/t.Server").0;
    let silent: Vec<_> = (0..40).map(|_| TcpStream::connect(address).unwrap()).collect();
    let threads: Vec<_> = (0..20).map(|_| std::thread::spawn(ask)).collect();
    let statuses: Vec<u16> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert_eq!(statuses, [200; 20]);
    drop(silent);
}

#[test]
fn endless_evaluations_are_answered() {
    let address = start(ServeLimits::default());
    let (status, schemas) = get(address, "/schemas/t.Slow");
    assert_eq!((status, schemas[""]["properties"]["word"].get("enum")), (200, None), "{schemas}");
    // Each request has its own limits.
    assert_eq!(get(address, "/schemas/t.Server").0, 200);
}

#[test]
fn many_are_answered_at_the_same_time() {
    let address = start(ServeLimits { waiting: 4, remembered: 100_000, ..ServeLimits::default() });
    let ask = move |number: usize| {
        (0..20).map(|turn| get(address, &format!("/schemas/t.Server/small,m{number}x{turn}")).0).collect::<Vec<_>>()
    };
    let threads: Vec<_> = (0..32).map(|number| std::thread::spawn(move || ask(number))).collect();
    let statuses: Vec<u16> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    // Clients beyond the limit receive an error.
    assert!(statuses.iter().all(|status| matches!(status, 200 | 503)), "{statuses:?}");
    assert!(statuses.contains(&200));
    assert_eq!(get(address, "/schemas/t.Server").0, 200);
}

#[test]
fn slow_clients_are_disconnected() {
    let head = Duration::from_millis(200);
    let address = start(ServeLimits { connections: 4, head, connection: 10 * head, ..ServeLimits::default() });
    // More connections than allowed: some send nothing, some send part of a request, some stay connected.
    let idle: Vec<TcpStream> = (0..12)
        .map(|number| {
            let mut stream = TcpStream::connect(address).unwrap();
            let said = ["", "GET /schemas/t.Ser", "GET /schemas/t.Server HTTP/1.1\r\nHost: x\r\n\r\n"][number % 3];
            let _ = stream.write_all(said.as_bytes());
            stream
        })
        .collect();
    assert_eq!(get(address, "/schemas/t.Server").0, 200);
    drop(idle);
}
