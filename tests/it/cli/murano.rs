//! `tosca-parse murano`

use super::Folder;

const CLASSES: &str = "\
Namespaces: {=: t}
Name: Counter
Properties:
  count:
    Contract: $.int().notNull().check($ > 0)
    Usage: InOut
    Default: 1
Methods:
  add:
    Arguments:
      - by: {Contract: $.int().notNull()}
    Body:
      - $.count: $.count + $by
      - Return: $.count
";

fn folder() -> Folder {
    Folder::new(&[
        ("t/manifest.yaml", "Format: 1.4\nType: Library\nFullName: t\nClasses: {t.Counter: Counter.yaml}\n"),
        ("t/Classes/Counter.yaml", CLASSES),
        ("model.yaml", "'?': {type: t.Counter, id: c}\ncount: '4'\n"),
    ])
}

#[test]
fn classes_are_checked() {
    let folder = folder();
    let run = folder.run("murano check t");
    assert_eq!(run.code, 0, "{}", run.err);
    folder.write("t/Classes/Counter.yaml", "Name: t.Counter\nMethods: {m: {Body: [Foo: 1]}}\n");
    let run = folder.run("murano check t");
    assert_eq!(run.code, 1);
    assert!(run.err.contains("error: t: t.Counter: MplSyntax: "), "{}", run.err);
}

#[test]
fn methods_are_called_and_models_written() {
    let folder = folder();
    let run = folder.run("murano run model.yaml c.add 3 --package-path .");
    assert_eq!((run.code, run.out.as_str()), (0, "7\n"), "{}", run.err);
    let run = folder.run("murano dump model.yaml --package-path .");
    assert!(run.out.contains("\"type\": \"t.Counter/0.0.0@t\""), "{}{}", run.out, run.err);
    let run = folder.run("murano run model.yaml c.add x --package-path .");
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.starts_with("error: ContractViolation: [t.Counter::add(by)]"), "{}", run.err);
}

#[cfg(feature = "serve")]
#[test]
fn schemas_are_served() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};

    let folder = folder();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tosca-parse"));
    command.current_dir(folder.path()).args(["murano", "serve", "--listen", "127.0.0.1:0", "--package-path", "."]);
    let mut service = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(service.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening on http://").unwrap_or_else(|| panic!("{line}")).to_owned();
    let mut stream = std::net::TcpStream::connect(&address).unwrap();
    stream.write_all(b"GET /schemas/t.Counter HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    service.kill().unwrap();
    service.wait().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"minimum\":0"), "{answer}");
    let run = folder.run("murano serve --listen 192.0.2.1:1");
    assert!(run.code == 1 && run.err.contains("can't listen on 192.0.2.1:1"), "{}", run.err);
}

#[test]
fn schemas_are_made() {
    let run = folder().run("murano schema t.Counter --package-path t");
    assert!(
        run.out.contains("\"minimum\": 0") && run.out.contains("\"exclusiveMinimum\": true"),
        "{}{}",
        run.out,
        run.err
    );
}
