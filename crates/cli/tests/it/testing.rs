//! Tests of the command `test`.

use insta::assert_snapshot;

use super::Folder;

const SERVICE: &str = "\
tosca_definitions_version: tosca_2_0
capability_types: { Host: {} }
relationship_types: { HostedOn: {} }
interface_types:
  Lifecycle: { operations: { create: {}, configure: {}, start: {} } }
node_types:
  Server:
    capabilities: { host: Host }
    interfaces:
      Standard: { type: Lifecycle, operations: { create: create.sh, start: start.sh } }
  Shop:
    properties:
      port: { type: integer }
      password: { type: string, default: abc }
    attributes: { visitors: { type: integer } }
    requirements: [ host: { capability: Host, relationship: HostedOn } ]
service_template:
  inputs:
    port: { type: integer, default: 80, validation: { $less_or_equal: [ $value, 65535 ] } }
    host: { type: string, default: localhost }
  node_templates:
    server: { type: Server }
    cache: { type: Server }
    shop:
      type: Shop
      properties: { port: { $get_input: port } }
      requirements: [ host: server ]
  outputs:
    address: { value: { $concat: [ \"http://\", { $get_input: host } ] } }
    visitors: { value: { $get_attribute: [ shop, visitors ] } }
";

fn service(tests: &str) -> Folder {
    let scripts = [("create.sh", ""), ("start.sh", "")];
    Folder::new(&[&[("service.yaml", SERVICE), ("service_test.yaml", tests)], &scripts[..]].concat())
}

/// Returns the lines about each case of a test file; the content of each is a flow map.
fn cases(contents: &[&str]) -> Vec<Vec<String>> {
    let cases: Vec<String> = contents.iter().zip(10..).map(|(case, number)| format!("  c{number}: {case}\n")).collect();
    let run = service(&format!("cases:\n{}", cases.concat())).run("test");
    assert!(run.err.is_empty() && run.code == i32::from(run.out.contains("FAILED")), "{}", run.all());
    let (out, _) = run.out.trim_end().rsplit_once('\n').unwrap();
    let mut found: Vec<Vec<String>> = Vec::new();
    for line in out.lines() {
        match found.last_mut().filter(|_| line.starts_with(' ')) {
            Some(case) => case.push(line.to_owned()),
            None => found.push(vec![line.to_owned()]),
        }
    }
    assert_eq!(found.len(), contents.len(), "{out}");
    found
}

#[track_caller]
fn assert_pass(contents: &[&str]) {
    for (case, content) in cases(contents).into_iter().zip(contents) {
        assert!(case.len() == 1 && case[0].ends_with(" ... ok"), "{content}: {case:?}");
    }
}

/// Asserts that one expectation of each case fails, at the column of a text, with an actual value.
#[track_caller]
fn assert_fail(expected: &[(&str, &str, &str)]) {
    let contents: Vec<&str> = expected.iter().map(|(content, ..)| *content).collect();
    for ((case, (content, at, actual)), line) in cases(&contents).into_iter().zip(expected).zip(2..) {
        let [first, subject, _, found] = &case[..] else { panic!("{content}: {case:?}") };
        assert!(first.ends_with(" ... FAILED"));
        let column = if at.is_empty() { 3 } else { "  c10: ".len() + content.find(at).unwrap() + 1 };
        assert!(subject.starts_with(&format!("  service_test.yaml:{line}:{column}: ")), "{content}: {case:?}");
        assert_eq!(*found, format!("    actual:   {actual}"));
    }
}

#[test]
fn problems_are_compared() {
    assert_pass(&[
        "{}",
        "{ inputs: { port: 70000 }, problems: [ T5108 ] }",
        "{ inputs: { port: 70000 }, problems: [ { code: T5108, line: 4, file: service_test.yaml } ] }",
        "{ inputs: { port: 70000, x: 1 }, problems: [ unknown-input, { code: T5108, message: \"70000\" } ] }",
        // A precise expectation is compared first.
        "{ inputs: { x: 1, y: 1 }, problems: [ T5211, { code: T5211, message: \"`x`\" } ] }",
    ]);
    let actual = |line: u32| {
        format!(
            "T5108: parameter `port` is not valid: 70000 does not fulfill a validation clause, at \
             service_test.yaml:{line}:26"
        )
    };
    assert_fail(&[
        ("{ inputs: { port: 70000 } }", "", &actual(2)),
        ("{ inputs: { port: 70000 }, problems: [] }", "", &actual(3)),
        ("{ inputs: { port: 70000 }, problems: [ { code: T5108, line: 9 } ] }", "T5108", &actual(4)),
        ("{ problems: [ T5108 ] }", "T5108", "no such T5108"),
        ("{ inputs: { x: 1 }, problems: [ T5211, T5211 ] }", "T5211 ] }", "no such T5211"),
    ]);
}

#[test]
fn warnings_are_problems_if_problems_are_listed() {
    let service = "tosca_definitions_version: tosca_2_0\nnode_types:\n  A: { properties: { a: { type: integer, required: \
                   False } } }\n";
    let folder =
        Folder::new(&[("a.yaml", service), ("a_test.yaml", "cases:\n  a: {}\n  b: { problems: [ T1210 ] }\n")]);
    assert_eq!(folder.run("test").code, 0, "{}", folder.run("test").all());
    folder.write("a_test.yaml", "cases: { a: { problems: [] } }\n");
    assert_eq!(folder.run("test").code, 1);
    // The levels in the configuration apply.
    folder.write("tosca-parse.yaml", "rules: { T1210: allow }\n");
    assert_eq!(folder.run("test").code, 0, "{}", folder.run("test").all());
}

#[test]
fn outputs_are_compared() {
    assert_pass(&[
        "{ outputs: { address: \"http://localhost\" } }",
        "{ inputs: { host: a.b }, outputs: { address: \"http://a.b\" } }",
        "{ attributes: { shop: { visitors: 3 } }, outputs: { visitors: 3.0 } }",
    ]);
    assert_fail(&[
        ("{ outputs: { address: x } }", "address", "\"http://localhost\", at service.yaml:29:5"),
        ("{ outputs: { adress: x } }", "adress", "there is no such output"),
    ]);
}

#[test]
fn parts_of_the_model_are_compared() {
    assert_pass(&[
        "{ model: { /nodes/shop/properties/port/value: 80, /nodes/shop/requirements/host/target/node: server } }",
        "{ model: { /nodes/shop/properties: { port: { value: 80 } }, /nodes/other: null } }",
    ]);
    let path = "/nodes/shop/properties";
    assert_fail(&[
        ("{ model: { /nodes/shop/properties/port/value: 81 } }", path, "80, at service.yaml:26:27"),
        ("{ model: { /nodes/other: {} } }", "/nodes/other", "nothing"),
        ("{ model: { /nodes/shop/properties/password/value: xyz } }", path, "a secret value, at service.yaml:14:7"),
    ]);
}

#[test]
fn plans_are_compared() {
    assert_pass(&[
        "{ plan: [ [ cache, server ], [ shop ] ] }",
        "{ plan: { stages: [ [ server, cache ], [ shop ] ], order: [ server, shop ] } }",
        "{ plan: { operations: { server: [ create, start ], shop: [] } } }",
    ]);
    assert_fail(&[
        ("{ plan: [ [ server ], [ shop ] ] }", "[ [", "[ [ cache, server ], [ shop ] ]"),
        ("{ plan: { order: [ cache, server ] } }", "server", "`server` is in stage 1, `cache` in stage 1"),
        ("{ plan: { order: [ server, web ] } }", "web", "it is not deployed"),
        ("{ plan: { operations: { server: [ start ] } } }", "server", "[ create, start ], at service.yaml:22:5"),
    ]);
}

#[test]
fn results_of_invalid_templates_are_not_compared() {
    assert_fail(&[
        ("{ inputs: { x: 1 }, problems: [ T5211 ], outputs: { address: x } }", "address", "the template has errors"),
        (
            "{ inputs: { x: 1 }, outputs: { address: x } }",
            "",
            "T5211: the service has no input `x`, at service_test.yaml:3:20",
        ),
    ]);
}

#[test]
fn requirements_are_resolved_on_request() {
    let service =
        SERVICE.replace("host: server ]", "host: { node: Server } ]").replace("    cache: { type: Server }\n", "");
    let tests = |content: &str| format!("cases:\n  it: {content}\n");
    let folder = service_with(
        &service,
        &tests("{ resolve: true, model: { /nodes/shop/requirements/host/target/node: server } }"),
    );
    assert_eq!(folder.run("test").code, 0, "{}", folder.run("test").all());
    folder.write("service_test.yaml", &tests("{ model: { /nodes/shop/requirements/host/target: null } }"));
    assert_eq!(folder.run("test").code, 0, "{}", folder.run("test").all());
    folder.write("service_test.yaml", &tests("{ plan: [ [ server ], [ shop ] ] }"));
    assert_eq!(folder.run("test").code, 0, "{}", folder.run("test").all());
}

fn service_with(service: &str, tests: &str) -> Folder {
    let folder = super::testing::service(tests);
    folder.write("service.yaml", service);
    folder
}

#[test]
fn inputs_keep_their_positions() {
    let folder = service("cases:\n  it:\n    inputs:\n      # too large\n      port: 70000\n    problems: []\n");
    let run = folder.run("test");
    assert!(run.out.contains(", at service_test.yaml:5:13\n"), "{}", run.all());
    // Aliases have their anchors elsewhere.
    folder.write(
        "service_test.yaml",
        "cases:\n  a: { inputs: &i { host: a.b } }\n  b:\n    inputs: *i\n    outputs: { address: x }\n",
    );
    let run = folder.run("test");
    assert!(run.out.contains("actual:   \"http://a.b\", at"), "{}", run.all());
}

/// A test file may be untrusted, and can name any file.
#[test]
fn files_that_are_no_templates_are_not_quoted() {
    let folder = service("template: notes.txt\ncases: { it: {} }\n");
    let text = "a: *hunter2\n";
    folder.write("notes.txt", text);
    let run = folder.run("test");
    assert!(run.out.contains("T1103: the alias `…`") && !run.all().contains("hunter2"), "{}", run.all());
    folder.write("notes.yaml", text);
    folder.write("notes_test.yaml", "cases: { it: {} }\n");
    let run = folder.run("test notes_test.yaml");
    assert!(run.out.contains("T1103: the alias `*hunter2`"), "{}", run.all());
}

#[test]
fn cases_are_limited() {
    let cases = |count: usize| (0..count).fold(String::new(), |text, number| text + &format!("  c{number}: {{}}\n"));
    let folder = service(&format!("cases:\n{}", cases(10_002)));
    let run = folder.run("test");
    assert!(run.out.contains("error[X1004]") && run.out.contains("service_test.yaml:10002:3"), "{}", run.all());
    folder.write("service_test.yaml", &format!("cases:\n{}", cases(10_000)));
    assert!(!folder.run("test --filter c9999").out.contains("X1004"));
}

#[test]
fn sandboxed_tests_stay_in_their_folder() {
    let folder = service("template: a/../service.yaml\ncases: { it: { template: sub/none.yaml } }\n");
    let run = |options: &str| folder.run(&format!("test --sandbox {options}"));
    assert!(run("").all().contains("there is no template `sub/none.yaml`"), "{}", run("").all());
    folder.write("service_test.yaml", "cases: { it: {} }\n");
    assert_eq!(run("").code, 0, "{}", run("").all());
    std::fs::create_dir(folder.path().join("inner")).unwrap();
    folder.write("inner/a_test.yaml", "template: ../service.yaml\ncases: { it: {} }\n");
    let outside = "`../service.yaml` is outside the folder of the test file";
    assert!(run("inner").all().contains(outside), "{}", run("inner").all());
    assert_eq!(folder.run("test inner").code, 0, "{}", folder.run("test inner").all());
    folder.write("inner/b.yaml", "tosca_definitions_version: tosca_2_0\nimports: [ ../service.yaml ]\n");
    folder.write("inner/b_test.yaml", "cases: { it: { problems: [ T1405 ] } }\n");
    assert_eq!(run("inner/b_test.yaml").code, 0, "{}", run("inner/b_test.yaml").all());
}

const TESTS: &str = "\
cases:
  passes: {}
  fails: { outputs: { address: 1, visitors: \"<&>\" } }
";

const WRONG: &str = "\
template: service.yaml
cases:
  typo: { input: {} }
  rule: { problems: [ T9999 ] }
  path: { model: { nodes: 1 } }
  template: { template: none.yaml }
";

#[test]
fn reports_show_failures_and_mistakes() {
    let folder = service(TESTS);
    folder.write("wrong_test.yaml", WRONG);
    let run = folder.run("test");
    assert_eq!(run.code, 1);
    assert_snapshot!("text", run.all());
    let run = folder.run("test --format junit");
    assert_eq!(run.code, 1);
    assert_snapshot!("junit", run.out);
    let report = roxmltree::Document::parse(&run.out).unwrap();
    let count = |name: &str| report.descendants().filter(|node| node.has_tag_name(name)).count();
    assert_eq!((count("testsuite"), count("testcase"), count("failure"), count("error")), (2, 3, 1, 1));
    let written = folder.run("test --format junit --output out.xml");
    assert!(written.code == 1 && written.out.is_empty(), "{}", written.all());
    assert_eq!(std::fs::read_to_string(folder.path().join("out.xml")).unwrap(), run.out);
}

#[test]
fn many_failures_and_mistakes_are_limited() {
    let many = |text: &str| text.repeat(30);
    let out = cases(&[&format!("{{ problems: [ {} ] }}", many("T5211, "))])[0].join("\n");
    assert_eq!(out.matches("no such T5211").count(), 20);
    assert!(out.ends_with("actual:   10 more are not met"), "{out}");
    let folder = service(&format!("cases: {{ a: {{ problems: [ {} ] }} }}\n", "T9999, ".repeat(2000)));
    let run = folder.run("test");
    assert!(run.code == 1 && run.out.contains("\n1001 errors in 1 file\n"), "{}", run.all());
}

#[test]
fn comparisons_of_problems_are_limited() {
    let run = |number: usize, message: &str| {
        let keynames: Vec<String> = (0..number).map(|number| format!("x{number}: 1\n")).collect();
        let problem = |number: usize| format!("{{ code: T1201, message: \"`{message}{number}`\" }}, ");
        let (keynames, problems) = (keynames.concat(), (0..number).rev().map(problem).collect::<String>());
        let folder = Folder::new(&[
            ("a.yaml", &format!("tosca_definitions_version: tosca_2_0\n{keynames}")),
            ("a_test.yaml", &format!("cases: {{ a: {{ problems: [ {problems} ] }} }}\n")),
        ]);
        folder.run("test")
    };
    let few = run(300, "x");
    assert_eq!(few.code, 0, "{}", few.all());
    let many = run(1200, "y").out;
    assert!(many.contains("actual:   1001 problems, too many to compare; list fewer"), "{many}");
}

#[test]
fn order_of_reports_does_not_depend_on_threads() {
    let folder = service(TESTS);
    for number in 0..12 {
        folder.write(&format!("f{number}/more_test.yaml"), &format!("template: ../service.yaml\n{TESTS}"));
    }
    let one = folder.run("test --jobs 1");
    assert!(one.out.ends_with("\n26 cases, 13 failed\n"), "{}", one.all());
    assert_eq!(folder.run("test --jobs 3").out, one.out);
}

#[test]
fn files_and_cases_are_selected() {
    let folder = service(TESTS);
    folder.write("old/service_test.yml", "template: ../service.yaml\ncases: { old: {} }\n");
    folder.write(".hidden/a_test.yaml", "cases: {}\n");
    assert!(folder.run("test --filter pass").out.ends_with(": passes ... ok\n1 case, 0 failed\n"));
    assert!(folder.run("test old").out.ends_with("old/service_test.yml: old ... ok\n1 case, 0 failed\n"));
    assert!(folder.run("test . old service_test.yaml").out.ends_with("\n3 cases, 1 failed\n"));
    folder.write("tosca-parse.yaml", "exclude: [ service_test.yaml ]\n");
    assert!(folder.run("test").out.ends_with("\n1 case, 0 failed\n"));
    // Test files are not templates.
    assert!(folder.run(". --format concise").is_quiet(), "{}", folder.run(". --format concise").all());
}

#[test]
fn wrong_arguments_are_usage_errors() {
    let folder = service(TESTS);
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    for wrong in ["test service.yaml", "test empty", "test --filter nothing", "test --jobs 0"] {
        let run = folder.run(wrong);
        assert!(run.code == 2 && run.out.is_empty() && !run.err.is_empty(), "{wrong}: {}", run.all());
    }
    folder.write("tosca-parse.yaml", "exclude: 1\n");
    assert_eq!(folder.run("test").code, 2);
}

#[test]
fn large_test_files_are_refused() {
    let folder = service(&format!("cases: {{}} # {}\n", "x".repeat(1 << 20)));
    let run = folder.run("test");
    assert!(run.code == 1 && run.out.contains("error[T1004]"), "{}", run.all());
    // A file of 80 kB is read completely.
    let cases: Vec<String> =
        (0..2000).map(|number| format!("  c{number}: {{ inputs: {{ x: 1 }}, problems: [ T5211 ] }}\n")).collect();
    let many = cases.concat();
    folder.write("service_test.yaml", &format!("cases:\n{many}"));
    assert!(folder.run("test --filter c1999").out.ends_with("1 case, 0 failed\n"));
}

#[test]
fn other_languages_have_problems_plans_and_models() {
    let template = "heat_template_version: 2018-08-31\nparameters:\n  name: { type: string, default: a }\nresources:\n  net: { type: \
                    OS::Neutron::Net }\n  subnet: { type: OS::Neutron::Subnet, properties: { network: { get_resource: net }, cidr: 10.0.0.0/24 } }\n";
    let tests = "cases:\n  a: { plan: [ [ net ], [ subnet ] ] }\n  b: { inputs: { other: 1 }, problems: [ H9999 ] }\n";
    let folder = Folder::new(&[("stack.yaml", template), ("stack_test.yaml", tests)]);
    let run = folder.run("test");
    assert!(run.code == 1 && run.out.contains("error[X1002]"), "{}", run.all());
    folder.write("stack_test.yaml", "cases:\n  a: { plan: [ [ net ], [ subnet ] ] }\n  b: { outputs: { a: 1 } }\n");
    let run = folder.run("test");
    assert!(run.out.contains("a ... ok\n") && run.out.contains("there is none; use `model`"), "{}", run.all());
}

#[test]
fn examples_of_rules_are_right_and_wrong() {
    for code in ["X1001", "X1002", "X1003"] {
        let page = &tosca_parse::rules::find(code).unwrap().text;
        let example = |number: usize| page.split("```yaml\n").nth(number).unwrap().split("```").next().unwrap();
        let folder = Folder::new(&[("templates/shop.yaml", SERVICE)]);
        if code != "X1001" {
            folder.write("shop.yaml", SERVICE);
        }
        for (number, is_reported) in [(1, true), (2, false)] {
            folder.write("shop_test.yaml", example(number));
            let run = folder.run("test");
            assert_eq!(run.out.contains(&format!("error[{code}]")), is_reported, "{}", run.all());
            assert_eq!(run.out.contains("error["), is_reported, "{}", run.all());
        }
        assert!(folder.run(&format!("explain {code}")).out.contains(code));
    }
}

/// Each case reads its template.
#[test]
fn the_templates_of_all_cases_have_a_limit() {
    let template = format!("tosca_definitions_version: tosca_2_0\n# {}\n", "x".repeat(51_200));
    let case = |number: usize| format!("  c{number}: {{}}\n");
    let cases: String = (0..20).map(case).collect();
    let tests = format!("template: service.yaml\ncases:\n{cases}");
    let folder = Folder::new(&[("service.yaml", &template), ("a_test.yaml", &tests), ("b_test.yaml", &tests)]);
    let run = folder.run("test");
    assert!(run.code == 0 && run.out.ends_with("40 cases, 0 failed\n"), "{}", run.all());
    // A template counts as 201, and 15 do not count because of the size of a test file.
    let run = folder.run("test --limit import-total=1000 --jobs 1");
    let expected = "  a_test.yaml:9:3: case\n    expected: templates and imports within the limit\n    actual:   14 cases \
                    not run, because those before exceed it (`--limit import-total=1000`)\n";
    assert!(run.code == 1 && run.out.contains(&format!("a_test.yaml: c6 ... FAILED\n{expected}")), "{}", run.all());
    assert!(run.out.contains("b_test.yaml: c0 ... FAILED\n"), "{}", run.out);
    assert!(run.out.contains("    actual:   20 cases not run, "), "{}", run.out);
    assert!(run.out.ends_with("8 cases, 2 failed\n"), "{}", run.out);
    assert_eq!(folder.run("test --limit import-total=1000 --jobs 3").out, run.out);
}
