//! Templates and archives from the network, with a local server.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::support::{check, codes};
use tosca_parse::diagnostic::render::Concise;
use tosca_parse::source::HttpOptions;
use tosca_parse::{Outcome, Parser, ParserBuilder, TOSCA};

const HEAD: &str = "tosca_definitions_version: tosca_2_0\n";

/// Serves files by their paths; the response for a missing file is 404.
fn serve(files: BTreeMap<String, Vec<u8>>) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let files = Arc::new(files);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let files = files.clone();
            thread::spawn(move || answer(stream, &files));
        }
    });
    port
}

fn answer(mut stream: TcpStream, files: &BTreeMap<String, Vec<u8>>) {
    let lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let request: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let mut words = request.first().map(String::as_str).unwrap_or_default().split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (status, body) = match files.get(path) {
        Some(body) => ("200 OK", &body[..]),
        None => ("404 Not Found", &b""[..]),
    };
    let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    // The client may have read enough already.
    let _ = stream.write_all(head.as_bytes());
    if method == "GET" {
        let _ = stream.write_all(body);
    }
}

fn parser() -> ParserBuilder {
    // Tests must not use the proxy of the user.
    let options = HttpOptions { proxy: false, timeout: Duration::from_secs(60), ..HttpOptions::default() };
    Parser::builder(&TOSCA).http(options)
}

fn lines(outcome: &Outcome) -> String {
    check(outcome);
    Concise::new(&outcome.diagnostics, &outcome.sources).to_string()
}

#[cfg(feature = "archive")]
#[test]
fn archives_are_read_from_the_network() {
    use std::io::Cursor;
    use zip::write::{SimpleFileOptions, ZipWriter};
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let service = format!(
        "{HEAD}imports: [ types/x.yaml, ../y.yaml ]\nservice_template: {{ node_templates: {{ a: {{ type: X }} }} }}\n"
    );
    for (name, text) in [
        ("TOSCA.meta", "CSAR-Version: 2.0\nEntry-Definitions: service.yaml\n"),
        ("service.yaml", &*service),
        ("types/x.yaml", &format!("{HEAD}imports: [ /y.yaml ]\nnode_types: {{ X: {{ derived_from: Y }} }}\n")),
        ("y.yaml", &format!("{HEAD}node_types: {{ Y: {{}} }}\n")),
    ] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    let files = BTreeMap::from([
        ("/service.csar".to_owned(), zip.finish().unwrap().into_inner()),
        ("/broken.csar".to_owned(), b"<html>not here</html>".to_vec()),
    ]);
    let port = serve(files);
    let parser = parser().build().unwrap();
    for _ in 0..2 {
        let outcome = parser.parse(&format!("http://127.0.0.1:{port}/service.csar")).unwrap();
        assert_eq!(lines(&outcome), "");
        let names: Vec<&str> = outcome.sources.iter().map(|source| source.name()).collect();
        assert_eq!(names[1], format!("http://127.0.0.1:{port}/service.csar!/types/x.yaml"));
    }
    let outcome = parser.parse(&format!("http://ada:secret@127.0.0.1:{port}/broken.csar")).unwrap();
    assert_eq!(
        lines(&outcome),
        format!("http://127.0.0.1:{port}/broken.csar:1:1: error[T1501]: the archive is cut off or damaged\n")
    );
    let outcome = parser.parse(&format!("http://127.0.0.1:{port}/absent.csar")).unwrap();
    assert!(lines(&outcome).contains("error[T1001]: "), "{}", lines(&outcome));
    // An import of an archive on the network continues with the imports in the archive.
    let folder = tempfile::tempdir().unwrap();
    let import = format!("{HEAD}imports: [ \"http://127.0.0.1:{port}/service.csar\" ]\n");
    std::fs::write(folder.path().join("a.yaml"), import).unwrap();
    assert_eq!(lines(&parser.parse(folder.path().join("a.yaml").to_str().unwrap()).unwrap()), "");
}

#[test]
fn five_hundred_imports_at_once() {
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut service = format!("{HEAD}imports:\n");
    for number in 0..500 {
        service.extend(["  - types/", &number.to_string(), ".yaml\n"]);
        // Every tenth file is missing.
        if number % 10 > 0 {
            let text = format!("{HEAD}node_types: {{ T{number}: {{}} }}\n");
            files.insert(format!("/types/{number}.yaml"), text.into_bytes());
        }
    }
    files.insert("/service.yaml".to_owned(), service.into_bytes());
    let port = serve(files);
    let outcome = parser().build().unwrap().parse(&format!("http://127.0.0.1:{port}/service.yaml")).unwrap();
    let shown = lines(&outcome);
    assert_eq!(shown.lines().count(), 50, "{shown}");
    assert_eq!(codes(&outcome), ["T1001"]);
    assert_eq!(outcome.sources.iter().filter(|source| source.name().contains("/types/")).count(), 450);
}

#[test]
fn mapped_addresses_need_no_network() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    let import = "imports: [ \"https://example.com/lib/x.yaml\" ]\n";
    write("service.yaml", format!("{HEAD}{import}node_types: {{ A: {{ derived_from: Y }} }}\n"));
    write("x.yaml", format!("{HEAD}imports: [ y.yaml ]\n"));
    write("y.yaml", format!("{HEAD}node_types: {{ Y: {{}} }}\n"));
    let parser = || Parser::builder(&TOSCA).directory(folder.path()).offline(true);
    let mapped = parser().map_url("https://example.com/lib", folder.path()).build().unwrap();
    assert_eq!(lines(&mapped.parse("service.yaml").unwrap()), "");
    let outcome = parser().build().unwrap().parse("service.yaml").unwrap();
    assert!(lines(&outcome).contains("T1002"), "{}", lines(&outcome));
}
