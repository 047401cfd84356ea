//! Sources that can't or should not be read: special files, servers that do not answer, and loops.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::{HEAD, check, codes, parse_at, parse_files, soon};
use tosca_parse::diagnostic::Severity;
use tosca_parse::source::{Address, MemoryProvider};
use tosca_parse::{Outcome, Parser, TOSCA};

/// Parses a template with an import in a folder.
fn import(folder: &Path, what: &str) -> Outcome {
    fs::write(folder.join("service.yaml"), format!("{HEAD}imports:\n  - \"{what}\"\nnode_types: [ wrong ]\n")).unwrap();
    let folder = folder.to_owned();
    soon("import", move || parse_at(&folder, "service.yaml"))
}

#[test]
fn nothing() {
    let folder = tempfile::tempdir().unwrap();
    for argument in ["missing.yaml", "missing/service.yaml", "a\nb", "."] {
        let outcome = parse_at(folder.path(), argument);
        assert_eq!(codes(&outcome).len(), 1, "{argument}: {:?}", outcome.diagnostics);
        assert!(!outcome.is_valid(), "{argument}");
    }
    assert_eq!(codes(&parse_at(folder.path(), "missing.yaml")), ["T1001"]);
}

#[test]
fn missing_imports_hide_no_other_problem() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("types")).unwrap();
    for (what, code) in [
        ("missing.yaml", "T1001"),
        ("types", "T1002"),
        ("types/", "T1002"),
        ("service.yaml/types.yaml", "T1001"),
        ("../../../../../../../../missing.yaml", "T1001"),
        ("unknown-scheme://host/types.yaml", "T1002"),
        ("http://", "T1401"),
        ("a\\0b.yaml", "T1002"),
    ] {
        let outcome = import(folder.path(), what);
        let mut found = codes(&outcome);
        found.retain(|code| *code != "T1205");
        assert_eq!((found, codes(&outcome).len()), (vec![code], 2), "{what}: {:?}", outcome.diagnostics);
    }
}

#[test]
fn a_directory() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("types")).unwrap();
    assert_eq!(codes(&parse_at(folder.path(), "types")), ["T1002"]);
}

#[cfg(unix)]
#[test]
fn devices() {
    let folder = tempfile::tempdir().unwrap();
    for device in ["/dev/zero", "/dev/null", "/dev/random", "/dev/tty"] {
        let path = folder.path().to_owned();
        let outcome = soon(device, move || parse_at(&path, device));
        assert_eq!(codes(&outcome), ["T1002"], "{device}");
        assert!(outcome.diagnostics[0].message.contains("device"), "{}", outcome.diagnostics[0].message);
        // A path would be relative to the folder of the template.
        assert_eq!(codes(&import(folder.path(), device)), ["T1001", "T1205"], "{device}");
        assert_eq!(codes(&import(folder.path(), &format!("file://{device}"))), ["T1002", "T1205"], "{device}");
    }
}

#[cfg(unix)]
#[test]
fn links_without_a_target() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("loop.yaml", folder.path().join("loop.yaml")).unwrap();
    std::os::unix::fs::symlink("missing.yaml", folder.path().join("broken.yaml")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero.yaml")).unwrap();
    assert_eq!(codes(&import(folder.path(), "loop.yaml")), ["T1002", "T1205"]);
    assert_eq!(codes(&import(folder.path(), "broken.yaml")), ["T1001", "T1205"]);
    assert_eq!(codes(&import(folder.path(), "zero.yaml")), ["T1002", "T1205"]);
}

#[cfg(unix)]
#[test]
fn a_file_with_several_paths_is_one() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("real/types")).unwrap();
    std::os::unix::fs::symlink("real", folder.path().join("way")).unwrap();
    std::os::unix::fs::symlink("types", folder.path().join("real/link")).unwrap();
    std::os::unix::fs::symlink("a.yaml", folder.path().join("real/types/c.yaml")).unwrap();
    // Files that import each other are never merged as copies, so they only count as one if their identity is known.
    for (name, imports) in [
        ("types/a.yaml", "b.yaml"),
        ("types/b.yaml", "a.yaml"),
        ("service.yaml", "types/open.yaml, types/a.yaml, link/a.yaml, ../real/types/b.yaml, types/c.yaml"),
    ] {
        fs::write(folder.path().join("real").join(name), format!("{HEAD}imports: [ {imports} ]\n")).unwrap();
    }
    // A file that is open in an editor is not a link, but its folder may be.
    let open = MemoryProvider::new();
    open.insert(Address::from_path(Path::new("way/types/open.yaml"), folder.path()), HEAD);
    let parser = Parser::builder(&TOSCA).provider(Arc::new(open)).build().unwrap();
    for entry in ["way/service.yaml", "real/service.yaml"] {
        let outcome = parser.parse(&folder.path().join(entry).display().to_string()).unwrap();
        let names = outcome.program.list.iter().filter(|unit| unit.implicit.is_none());
        let names: Vec<&str> = names.map(|unit| unit.source.name().rsplit('/').next().unwrap()).collect();
        let is_open = entry.starts_with("way");
        let expected: &[&str] = if is_open {
            &["service.yaml", "open.yaml", "a.yaml", "b.yaml"]
        } else {
            &["service.yaml", "a.yaml", "b.yaml"]
        };
        assert_eq!(names, expected, "{entry}");
        assert_eq!(codes(&outcome), if is_open { vec!["T1403"] } else { vec!["T1001", "T1403"] }, "{entry}");
    }
}

#[test]
fn a_loop_of_three_imports() {
    for version in ["tosca_2_0", "tosca_simple_yaml_1_3", "tosca_simple_yaml_1_0"] {
        let file = |imported| {
            format!("tosca_definitions_version: {version}\nimports:\n  - {imported}\nnode_types: [ wrong ]\n")
        };
        let (first, second, third) = (file("second.yaml"), file("third.yaml"), file("service.yaml"));
        let outcome = parse_files(&[("service.yaml", &first), ("second.yaml", &second), ("third.yaml", &third)]);
        let loops: Vec<_> = outcome.diagnostics.iter().filter(|problem| problem.rule.code == "T1403").collect();
        let [problem] = loops[..] else { panic!("not one loop: {:?}", outcome.diagnostics) };
        assert_eq!(problem.severity, Severity::Warning);
        let chain = "`service.yaml` → `second.yaml` → `third.yaml` → `service.yaml`";
        assert!(problem.message.contains(chain), "{}", problem.message);
        // Every file is still checked.
        let wrong = outcome.diagnostics.iter().filter(|problem| problem.rule.code == "T1205");
        assert_eq!(wrong.count(), 3);
    }
}

#[test]
fn an_import_of_itself() {
    let outcome = parse_files(&[("service.yaml", &format!("{HEAD}imports: [ service.yaml ]\n"))]);
    assert_eq!(codes(&outcome), ["T1403"]);
}

#[test]
fn a_long_chain_and_a_long_loop() {
    let folder = tempfile::tempdir().unwrap();
    let write = |number: usize, next: &str| {
        let name = if number == 0 { "service.yaml".to_owned() } else { format!("f{number}.yaml") };
        let text = format!("{HEAD}imports: [ {next} ]\nnode_types: {{ T{number}: {{}} }}\n");
        fs::write(folder.path().join(name), text).unwrap();
    };
    let length = 2_000;
    for number in 0..length {
        write(number, &format!("f{}.yaml", number + 1));
    }
    write(length, "missing.yaml");
    let path = folder.path().to_owned();
    assert_eq!(codes(&soon("chain", move || parse_at(&path, "service.yaml"))), ["T1001"]);
    write(length, "service.yaml");
    let path = folder.path().to_owned();
    assert_eq!(codes(&soon("loop", move || parse_at(&path, "service.yaml"))), ["T1403"]);
}

#[test]
fn the_same_import_many_times() {
    let imports = (0..10_000)
        .map(|number| format!("  - {{ url: types.yaml, namespace: n{number} }}\n"))
        .collect::<Vec<_>>()
        .concat();
    let service = format!("{HEAD}imports:\n{imports}");
    let types = format!("{HEAD}node_types: {{ A: {{}} }}\n");
    assert_eq!(parse_files(&[("service.yaml", &service), ("types.yaml", &types)]).diagnostics, []);
}

#[cfg(feature = "http")]
mod network {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread;
    use std::time::Duration;

    use super::super::PATIENCE;
    use super::*;
    use tosca_parse::source::{HttpOptions, ImportLimits};

    /// Starts a server that always gives the same answer, or none, and returns its URL.
    fn server(answer: Option<&'static str>) -> String {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            let mut silent = Vec::new();
            for mut stream in listener.incoming().flatten() {
                match answer {
                    Some(answer) => {
                        let _ = stream.read(&mut [0; 4096]);
                        let _ = stream.write_all(answer.as_bytes());
                    }
                    // The connection stays open without an answer.
                    None => silent.push(stream),
                }
            }
        });
        format!("http://127.0.0.1:{port}")
    }

    /// Parses a template with an import by URL, and with a further problem.
    fn import(url: &str) -> Outcome {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("{HEAD}imports: [ '{url}/types.yaml' ]\nnode_types: [ wrong ]\n");
        fs::write(folder.path().join("service.yaml"), text).unwrap();
        soon("network", move || {
            let options = HttpOptions { timeout: Duration::from_millis(500), proxy: false, ..HttpOptions::default() };
            let parser = Parser::builder(&TOSCA).directory(folder.path()).http(options).build().unwrap();
            let outcome = parser.parse("service.yaml").unwrap();
            check(&outcome);
            outcome
        })
    }

    #[test]
    fn a_url_without_a_server() {
        let unused = {
            let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
            listener.local_addr().unwrap().port()
        };
        assert_eq!(codes(&import(&format!("http://127.0.0.1:{unused}"))), ["T1002", "T1205"]);
        assert_eq!(codes(&import("http://host.invalid")), ["T1002", "T1205"]);
    }

    #[test]
    fn a_server_without_the_file() {
        let url = server(Some("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
        assert_eq!(codes(&import(&url)), ["T1001", "T1205"]);
    }

    #[test]
    fn servers_with_other_answers() {
        for answer in [
            "HTTP/1.1 500 Sorry\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: /types.yaml\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nConnection: close\r\n\r\ntosca",
            "this is not HTTP",
            "",
        ] {
            assert_eq!(codes(&import(&server(Some(answer)))), ["T1002", "T1205"], "{answer}");
        }
    }

    #[test]
    fn a_server_that_never_answers() {
        assert_eq!(codes(&import(&server(None))), ["T1002", "T1205"]);
    }

    #[test]
    fn a_server_that_sends_unexpected_data() {
        let page = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<!DOCTYPE html><html><body>Sign in</body></html>\n";
        let outcome = import(&server(Some(page)));
        assert!(codes(&outcome).contains(&"T1205") && !outcome.is_valid(), "{:?}", outcome.diagnostics);
    }

    /// The server only answers when several requests wait, so sequential requests would time out.
    #[test]
    fn requests_are_sent_in_parallel() {
        const TOGETHER: usize = 5;
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let url = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
        thread::spawn(move || {
            let mut waiting = Vec::new();
            for stream in listener.incoming().flatten() {
                waiting.push(stream);
                if waiting.len() == TOGETHER {
                    for mut stream in waiting.drain(..) {
                        let _ = stream.read(&mut [0; 4096]);
                        let _ = stream
                            .write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                    }
                }
            }
        });
        let folder = tempfile::tempdir().unwrap();
        let imports: Vec<String> = (0..10 * TOGETHER).map(|number| format!("  - {url}/{number}.yaml\n")).collect();
        let imports = imports.concat();
        fs::write(folder.path().join("service.yaml"), format!("{HEAD}imports:\n{imports}")).unwrap();
        let outcome = soon("many", move || {
            let options = HttpOptions { timeout: PATIENCE, proxy: false, ..HttpOptions::default() };
            let mut limits = ImportLimits::default();
            limits.time = PATIENCE;
            let parser = Parser::builder(&TOSCA).directory(folder.path()).http(options).import_limits(limits);
            parser.build().unwrap().parse("service.yaml").unwrap()
        });
        assert_eq!((codes(&outcome), outcome.diagnostics.len()), (vec!["T1001"], 10 * TOGETHER));
    }
}
