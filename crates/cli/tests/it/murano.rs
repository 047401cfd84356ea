//! `tosca-parse murano`

use insta::assert_snapshot;

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
    assert!(run.out.contains("error[M1103]") && !run.out.contains("M6001"), "{}", run.out);
    assert!(run.out.contains("--> t/Classes/Counter.yaml:2:22\n"), "{}", run.out);
    // Mistakes that Murano only finds when it runs the code.
    let template = "Namespaces: {=: t}\nName: Counter\nProperties:\n  a:\n    Contract: $.template(Counter, \
                    excludeProperties => [a.b])\n";
    folder.write("t/Classes/Counter.yaml", template);
    let run = folder.run("murano check t");
    assert_eq!(run.code, 0, "{}", run.all());
    assert!(run.out.contains("`a.b` lacks quotes") && run.out.contains("Counter.yaml:5:"), "{}", run.all());
    // Names of classes in other packages.
    let other = "Name: u.B\nExtends: t.Counter\nMethods:\n  m: {Body: [$.a, $.b]}\n";
    folder.write("u/manifest.yaml", "FullName: u\nRequire: {t: }\nType: Library\nClasses: {u.B: B.yaml}\n");
    folder.write("u/Classes/B.yaml", other);
    let run = folder.run("murano check u t");
    assert!(run.code == 0 && run.out.contains("has no property `b`") && !run.out.contains("`a`,"), "{}", run.all());
}

#[test]
fn classes_of_other_packages_are_found_in_the_package_path() {
    let folder = folder();
    folder.write("u/manifest.yaml", "FullName: u\nRequire: {t: }\nType: Library\nClasses: {u.B: B.yaml}\n");
    folder.write("u/Classes/B.yaml", "Name: u.B\nExtends: t.Counter\n");
    let run = folder.run("murano check u");
    assert!(run.code == 1 && run.all().contains("t.Counter"), "{}", run.all());
    let run = folder.run("murano check u --package-path t");
    assert_eq!((run.code, &*run.out, &*run.err), (0, "", "1 package, 1 class\n"));
    folder.write("file.yaml", "Name: f.C\nExtends: t.Counter\nMethods: {m: {Body: [$.count, $.b]}}\n");
    let run = folder.run("murano check file.yaml --package-path t");
    assert!(run.code == 0 && run.out.contains("`b`") && !run.out.contains("`count`,"), "{}", run.all());
}

#[test]
fn static_errors_do_not_hide_loading_errors() {
    let folder = folder();
    let manifest = "FullName: u\nType: Library\nClasses: {u.A: A.yaml, u.B: B.yaml, u.C: C.yaml}\n";
    folder.write("u/manifest.yaml", manifest);
    folder.write("u/Classes/A.yaml", "Name: u.A\nMethods: {m: {Body: [Foo: 1]}}\n");
    folder.write("u/Classes/B.yaml", "Name: u.B\nMeta: {io.murano.metadata.Title: {text: [1]}}\n");
    folder.write("u/Classes/C.yaml", "Name: u.C\nExtends: u.A\n");
    let run = folder.run("murano check u");
    assert!(run.code == 1 && run.out.contains("error[M1103]"), "{}", run.all());
    assert!(run.out.contains("error[M6001]: [io.murano.metadata.Title.text]"), "{}", run.all());
    assert!(!run.out.contains("C.yaml"), "the class fails because of another one: {}", run.all());
}

#[test]
fn files_with_classes_are_checked() {
    let folder = folder();
    folder.write("good.yaml", "Name: a.A\nProperties:\n  n: {Contract: $.int()}\n");
    folder.write("doubtful.yaml", "Name: a.A\nProperties:\n  n: {Contract: $.class(io.murano.Objekt)}\n");
    folder.write("wrong.yaml", "Name: t.Counter\nMethods: {m: {Body: [Foo: 1]}}\n");
    let run = folder.run("murano check good.yaml");
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    assert!(run.err.contains("good.yaml: valid MuranoPL file of classes"), "{}", run.err);
    let run = folder.run("murano check doubtful.yaml t");
    assert!(run.code == 0 && run.out.contains("--> doubtful.yaml:3:25\n"), "{}", run.out);
    let run = folder.run("murano check wrong.yaml t");
    assert!(run.code == 1 && run.out.contains("--> wrong.yaml:2:22\n"), "{}", run.out);
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
    assert!(
        run.err.starts_with("error[M6001]: [t.Counter::add(by)] Value 'x' violates int() contract\n"),
        "{}",
        run.err
    );
    assert!(run.err.contains("--> t/Classes/Counter.yaml:11:24\n"), "{}", run.err);
}

/// Model errors are reported at their position in the model, whichever command loads it.
#[test]
fn models_are_refused_where_they_are_wrong() {
    let folder = folder();
    folder.write("wrong.yaml", "'?': {type: t.Counter, id: c}\ncount: none\n");
    for command in [
        "wrong.yaml --package-path t",
        "murano dump wrong.yaml --package-path t",
        "murano run wrong.yaml c.add 1 --package-path t",
    ] {
        let run = folder.run(command);
        let problems = if command.starts_with("murano") { &run.err } else { &run.out };
        let is_shown = problems.contains("error[M5001]") && problems.contains(" wrong.yaml:2:8\n");
        assert!(run.code == 1 && is_shown, "{}", run.all());
    }
    // Two objects with the same id, which are not an alias of YAML.
    let text = "Namespaces: {=: t}\nName: A\nProperties:\n  a: {Contract: $.class(A)}\n  b: {Contract: $.class(A)}\nMethods: {m: {Body: {Return: 1}}}\n";
    folder.write("u/manifest.yaml", "FullName: u\nType: Library\nClasses: {t.A: A.yaml}\n");
    folder.write("u/Classes/A.yaml", text);
    folder.write("ids.yaml", "'?': {type: t.A, id: a}\na: &x {'?': {type: t.A, id: b}}\nb: *x\n");
    let run = folder.run("murano run ids.yaml a.m --package-path u");
    assert_eq!((run.code, run.out.as_str()), (0, "1\n"), "{}", run.err);
    folder.write("ids.yaml", "'?': {type: t.A, id: a}\na: {'?': {type: t.A, id: b}}\nb: {'?': {type: t.A, id: b}}\n");
    for command in ["murano dump ids.yaml --package-path u", "murano run ids.yaml a.m --package-path u"] {
        let run = folder.run(command);
        assert!(run.code == 1 && run.err.contains("error[M5005]: two objects have the id `b`"), "{}", run.all());
    }
    // A header identifies the kind of file even if it is invalid; in a template, a question mark does not.
    for (file, text, said) in [
        ("model.json", "{ \"?\": 5 }", "error[T1205]: the header of an object must be a map, not an integer"),
        ("model.json", "{ \"?\": { \"id\": \"c\" } }", "error[M5003]: invalid object representation"),
        (
            "what.yaml",
            "tosca_definitions_version: tosca_2_0\ndescription: \"the type of '?'\"\nnode_type: {}\n",
            "error[T1201]",
        ),
    ] {
        folder.write(file, text);
        let run = folder.run(file);
        assert!(run.code == 1 && run.out.starts_with(said) && run.out.contains("\n1 error in 1 file"), "{}", run.all());
    }
    // Invalid YAML is reported once, and is not run with a guessed meaning.
    folder.write("t/Classes/Counter.yaml", &CLASSES.replace("$.count + $by", "[$.count] + [$by]"));
    for command in [
        "model.yaml --package-path t",
        "murano dump model.yaml --package-path t",
        "murano run model.yaml c.add 1 --package-path t",
    ] {
        let run = folder.run(command);
        let problems = if command.starts_with("murano") { &run.err } else { &run.out };
        let is_shown = problems.starts_with("error[T1101]") && problems.contains("\n1 error in 1 file");
        assert!(run.code == 1 && is_shown, "{}", run.all());
    }
    folder.write("t/Classes/Counter.yaml", CLASSES);
    let run = folder.run("murano schema t.Counter add --package-path t");
    assert_eq!(run.err, "error: NoMethod: class `t.Counter` has no action or model builder `add`\n");
    folder.write("t/manifest.yaml", "FullName: t\nRequire: { other: '>=x' }\nClasses: {}\n");
    let run = folder.run("murano check t");
    assert!(run.code == 1 && run.out.contains(" t/manifest.yaml:2:19\n"), "{}", run.all());
}

/// Runtime errors are reported like other problems: with their position, the calls that led there, and the violated
/// contract.
#[test]
fn what_fails_is_told_where_it_is() {
    let folder = Folder::new(&[
        (
            "t/manifest.yaml",
            "Format: 1.4\nType: Library\nFullName: t\nClasses: {t.Failing: Failing.yaml, t.Part: Part.yaml}\n",
        ),
        ("t/Classes/Failing.yaml", FAILING),
        (
            "t/Classes/Part.yaml",
            "Namespaces: {=: t}\nName: Part\nProperties:\n  size: {Contract: $.int(), Default: 1 / 0}\n",
        ),
        ("model.yaml", "'?': {type: t.Failing, id: f}\n"),
    ]);
    let told = ["folded", "thrown", "write", "loop", "recurse", "rethrow", "leave", "part", "empty"].map(|method| {
        let run = folder.run(&format!("murano run model.yaml f.{method} --package-path . --limit eval-steps=500000"));
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{method}");
        format!("# {method}\n{}", run.err)
    });
    assert_snapshot!(told.join("\n"));
    // The error of a class that several others need is reported once.
    folder.write("t/Classes/Part.yaml", "Name: t.Part\nExtends: t.Nothing\n");
    let run = folder.run("murano check t");
    assert!(run.code == 1 && run.out.contains("--> t/Classes/Part.yaml:2:10\n"), "{}", run.all());
    // If a model fails because of code, the position in the code is reported too.
    folder
        .write("t/Classes/Failing.yaml", "Name: t.Failing\nMethods:\n  .init:\n    Body:\n      - $.go(1)\n  go: {}\n");
    let run = folder.run("model.yaml --package-path t");
    assert!(run.code == 1 && run.out.contains("t/Classes/Failing.yaml:5:9\n"), "{}", run.all());
    assert!(run.out.contains("------- this fails"), "{}", run.all());
}

const FAILING: &str = "\
Namespaces: {=: t, std: io.murano}
Name: Failing
Properties:
  count:
    Contract: $.int().notNull().check($ > 0)
    Usage: InOut
    Default: 1
Methods:
  folded:
    Body:
      - $half: [1, 2]
      - Return:
          whole: $.count
          half: $half.select($ +
            $ / 0).sum()
  thrown:
    Body:
      - If: $.count > 0
        Then:
          - $.throw('this')
  throw:
    Arguments:
      - what: {Contract: $.string()}
    Body:
      - Throw: Broken
        Message: format('{0} is broken', $what)
  write:
    Body:
      - $.count: $.count - 1
  loop:
    Body:
      - While: 1 = 1
        Do: []
  recurse:
    Body:
      - $.recurse()
  rethrow:
    Body:
      - Try:
          - $.throw('that')
        Catch:
          With: Broken
          Do:
            - Rethrow:
  leave:
    Body:
      - Do:
          - Break:
  part:
    Body:
      - $part: new(Part)
      - Return: $part.size
  empty:
    Body:
      - Throw: Broken
";

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

/// Options that concern services only are rejected for classes and models; the others work as for templates.
#[test]
fn other_commands_have_an_answer() {
    let folder = folder();
    folder.write("model.json", r#"{ "?": { "type": "t.Counter", "id": "c" }, "count": 4 }"#);
    for file in ["t", "model.json", "t/Classes/Counter.yaml"] {
        let run = |command: &str| folder.run(&format!("{command} --package-path t"));
        for (command, said) in [("plan", "nothing to plan"), ("form", "nothing to ask for")] {
            let run = run(&format!("{command} {file}"));
            assert!(run.code == 1 && run.out.is_empty() && run.err.contains(said), "{command} {file}: {}", run.err);
        }
        let diff = run(&format!("diff {file} {file}"));
        assert!(diff.code == 1 && diff.err.contains("no service template"), "{}", diff.err);
        for command in ["resolve", "validate", "csar check"] {
            let run = run(&format!("{command} {file}"));
            assert!(run.code == 0 && run.out.contains("valid MuranoPL"), "{command} {file}: {}{}", run.out, run.err);
        }
        for phase in ["read", "namespaces", "hierarchies", "inheritance"] {
            let run = run(&format!("{file} --stop-after {phase} --dump"));
            let shown = if phase == "read" { "(MuranoPL)" } else { "t.Counter" };
            assert!(run.code == 0 && run.out.contains(shown), "{phase} {file}: {}{}", run.out, run.err);
        }
        let model = run(&format!("{file} --emit json --evaluate"));
        let said = if file == "model.json" { "\"count\":4" } else { "there is no model to write" };
        assert!(model.code == 0 && [model.out, model.err].concat().contains(said), "{file}");
        assert_eq!(run(&format!("{file} --fix")).code, 0);
    }
    let form = folder.run("form t");
    assert!(form.err.contains("help: `tosca-parse murano schema CLASS`"), "{}", form.err);
    let rules = folder.run("rules");
    assert!(rules.out.contains("M5001") && rules.out.contains("broken-default"), "{}", rules.out);
}

#[test]
fn slips_are_mended() {
    let folder = folder();
    folder.write("t/Classes/Counter.yaml", &CLASSES.replace("Return:", "Retrun:"));
    let run = folder.run("t --unsafe-fixes");
    assert_eq!(run.code, 0, "{}", run.err);
    let mended = std::fs::read_to_string(folder.path().join("t/Classes/Counter.yaml")).unwrap();
    assert_eq!(mended, CLASSES);
}

#[test]
fn builders_are_run() {
    let class = "\
Namespaces: {=: t, m: io.murano.metadata}
Name: Counter
Properties:
  count: {Contract: $.int().notNull()}
Methods:
  of:
    Usage: Static
    Scope: Public
    Meta: {m:ModelBuilder: }
    Arguments:
      - model:
          Contract: $.template(Counter, excludeProperties => [count])
      - count: {Contract: $.int().notNull()}
    Body:
      - $model.count: $count
      - Return: $model
";
    let folder = folder();
    folder.write("t/Classes/Counter.yaml", class);
    folder.write("arguments.yaml", "count: 5\n");
    let run = folder.run("murano build t.Counter of arguments.yaml --package-path t");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("\"count\": 5") && run.out.contains("\"type\": \"t.Counter/0.0.0@t\""), "{}", run.out);
    folder.write("made.json", &run.out);
    assert_eq!(folder.run("made.json --package-path t").code, 0);
    let run = folder.run("murano build t.Counter of --package-path t");
    assert!(run.code == 1 && run.err.contains("ContractViolation"), "{}", run.err);
    let run = folder.run("murano build t.Counter no --package-path t");
    assert!(run.code == 1 && run.err.contains("has no action or model builder `no`"), "{}", run.err);
    let run = folder.run("murano schema t.Counter of --format html --package-path t");
    assert!(run.code == 0 && run.out.contains("Save arguments.yaml"), "{}", run.err);
}

#[test]
fn classes_are_configured() {
    let folder = folder();
    folder.write("t/Classes/Counter.yaml", &CLASSES.replace("Usage: InOut\n    Default: 1", "Usage: Config"));
    folder.write("model.yaml", "'?': {type: t.Counter, id: c}\n");
    folder.write("config.yaml", "t.Counter: {count: 40}\n");
    // Missing values can be detected only with a configuration.
    let run = folder.run("model.yaml --package-path t");
    assert_eq!(run.code, 0, "{}", run.err);
    let run = folder.run("murano dump model.yaml --package-path t");
    assert!(run.code == 1 && run.err.contains("ContractViolation"), "{}", run.err);
    let run = folder.run("murano run model.yaml c.add 2 --package-path t --class-config config.yaml");
    assert_eq!((run.code, &*run.out), (0, "42\n"), "{}", run.err);
    folder.write("config.yaml", "- 1\n");
    let run = folder.run("murano dump model.yaml --package-path t --class-config config.yaml");
    assert!(run.code == 1 && run.err.contains("`config.yaml` is not a map of classes"), "{}", run.err);
}

/// Package archives are handled like other archives; options for services have no effect.
#[test]
fn packages_are_archives() {
    let folder = folder();
    folder.write("model.json", r#"{ "?": { "type": "t.Counter", "id": "c" }, "count": 4 }"#);
    let packed = folder.run("csar create t --output t.zip");
    assert!(packed.code == 0, "{}{}", packed.out, packed.err);
    let listed = folder.run("csar list t.zip");
    assert!(listed.code == 0 && listed.err.is_empty(), "{}", listed.err);
    let names: Vec<_> = listed.out.lines().map(|line| line.trim_start().split_once("  ").unwrap().1).collect();
    assert_eq!(names, ["Classes/Counter.yaml", "TOSCA.meta", "manifest.yaml  (entry)"]);
    let checked = folder.run("csar check t.zip");
    assert!(checked.code == 0 && checked.out.contains("valid MuranoPL package t, 1 class"), "{}", checked.err);
    let taken = folder.run("csar extract t.zip out");
    assert_eq!(taken.code, 0, "{}", taken.err);
    assert_eq!(std::fs::read_to_string(folder.path().join("out/Classes/Counter.yaml")).unwrap(), CLASSES);
    let run = folder.run("murano run model.json c.add 2 --package-path t.zip");
    assert_eq!((run.code, run.out.as_str()), (0, "6\n"), "{}", run.err);
    std::fs::write(folder.path().join("empty.zip"), b"PK").unwrap();
    let run = folder.run("murano run model.json c.add 2 --package-path empty.zip");
    assert!(run.code == 1 && run.err.contains("can't read `empty.zip`"), "{}", run.err);
    let run = folder.run("model.json --package-path t.zip");
    assert!(run.code == 0 && run.out.contains("valid MuranoPL object model, 1 class"), "{}", run.err);
}

/// Objects, classes and methods are distinguished by their names; an unknown name gets a suggestion.
#[test]
fn calls_name_what_there_is() {
    let folder = folder();
    let classes = CLASSES.replace("Methods:", "Methods:\n  twice:\n    Usage: Static\n    Arguments: [ of: { Contract: $.int() } ]\n    Body: { Return: $of * 2 }");
    folder.write("t/Classes/Counter.yaml", &classes);
    let run = |call: &str| folder.run(&format!("murano run model.yaml {call} --package-path ."));
    assert_eq!(run("t.Counter.twice 4").out, "8\n");
    assert_eq!(run("c.twice 4").out, "8\n");
    for (call, expected) in [
        ("cc.add 1", "error: NoObject: Object \"cc\" is not found; did you mean `c`?\n"),
        ("c.ad 1", "error: NoMethod: Method \"ad\" is not found; did you mean `add`?\n"),
        ("t.Counter.twise 1", "error: NoMethod: Method \"twise\" is not found; did you mean `twice`?\n"),
    ] {
        let run = run(call);
        assert_eq!((run.code, run.err.as_str()), (1, expected), "{call}");
    }
    let run = folder.run("murano schema t.Conter --package-path .");
    assert!(run.code == 1 && run.err.ends_with("; did you mean `t.Counter`?\n"), "{}", run.err);
}

/// `--complete` requires inputs to have values; classes and models have no inputs.
#[test]
fn completeness_is_of_services() {
    let folder = folder();
    folder.write("model.json", r#"{ "?": { "type": "t.Counter", "id": "c" } }"#);
    for file in ["t", "t/Classes/Counter.yaml", "model.json"] {
        let run = folder.run(&format!("{file} --complete --package-path t"));
        assert!(run.code == 0 && run.err.is_empty() && run.out.contains("valid MuranoPL"), "{file}: {}", run.err);
    }
    folder.write("model.json", r#"{ "?": { "type": "t.Counter", "id": "c" }, "count": 0 }"#);
    let run = folder.run("model.json --complete --package-path t --format concise");
    assert!(run.code == 1 && run.out.contains("error[M5001]"), "{}{}", run.out, run.err);
}

/// Arguments and results are numbers of any size and sign.
#[test]
fn numbers_keep_their_value() {
    let folder = Folder::new(&[
        ("t/manifest.yaml", "Format: 1.4\nType: Library\nFullName: t\nClasses: {t.A: A.yaml}\n"),
        (
            "t/Classes/A.yaml",
            "Namespaces: {=: t}\nName: A\nProperties: {n: {Contract: $.int()}}\nMethods:\n  echo:\n    Arguments: [x: {Contract: $.int()}]\n    Body: {Return: $x}\n",
        ),
        ("model.json", "{\"?\": {\"type\": \"t.A\", \"id\": \"a\"}, \"n\": 18446744073709551616}"),
    ]);
    for number in ["-3", "100000000000000000000", "-18446744073709551617"] {
        let run = folder.run(&format!("murano run model.json a.echo {number} --package-path t"));
        assert_eq!((run.code, run.out), (0, format!("{number}\n")), "{}", run.err);
    }
    for command in ["murano dump model.json --package-path t", "model.json --emit json --package-path t"] {
        let run = folder.run(command);
        assert!(run.code == 0 && run.out.contains("18446744073709551616"), "{command}: {}{}", run.out, run.err);
    }
}

#[test]
fn deployments_are_recorded() {
    let examples = super::root().join("examples/murano");
    let run = |record: &str| {
        let call = ["murano", "run", "environment.yaml", "environment.deploy", record, "--package-path", "."];
        super::packages::run(&examples, &call)
    };
    let ((plan, code), (diagram, _)) = (run("--record"), run("--record=mermaid"));
    assert_eq!(code, 0, "{plan}");
    assert_snapshot!("plan_of_the_example", plan);
    assert_snapshot!("diagram_of_the_example", diagram);
}

#[test]
fn tests_of_packages_are_reported() {
    let classes = "\
Namespaces: {=: t, test: io.murano.test, sys: io.murano.system}
Name: ATest
Extends: test:TestFixture
Methods:
  testRight:
    Body:
      - inject(sys:HeatStack, output, {a => 1})
      - $.assertEqual({a => 1}, new(sys:HeatStack).output())
  testWrong:
    Body:
      - $.assertEqual(1, 2, 'not <one>')
";
    let folder = Folder::new(&[
        ("t/manifest.yaml", "Format: 1.4\nType: Library\nFullName: t\nClasses: {t.ATest: A.yaml}\n"),
        ("t/Classes/A.yaml", classes),
    ]);
    let run = folder.run("murano test t");
    assert_eq!(
        (run.code, run.out.as_str()),
        (1, "t.ATest.testRight ... ok\nt.ATest.testWrong ... FAILED\n2 tests, 1 failed\n")
    );
    assert!(run.err.contains("not <one>"), "{}", run.err);
    for name in ["testRight", "ATest.testRight", "t.ATest.testRight"] {
        let run = folder.run(&format!("murano test t {name}"));
        assert_eq!((run.code, run.out.as_str()), (0, "t.ATest.testRight ... ok\n1 test, 0 failed\n"), "{}", run.err);
    }
    let run = folder.run("murano test t --format junit");
    assert!(run.code == 1 && run.out.contains("tests=\"2\" failures=\"1\" errors=\"0\""), "{}", run.out);
    assert!(run.out.contains("<failure type=\"Assertion\" message=\"not &lt;one&gt;\"/>"), "{}", run.out);
    assert_eq!(folder.run("murano test t nothing").code, 2);
}
