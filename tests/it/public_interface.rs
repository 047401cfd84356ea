//! A client of the library that only uses the public interface: how a parser is created, its inputs, its results, and
//! further guarantees.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tosca_parse::ard::Limits;
use tosca_parse::diagnostic::render::{Concise, Document, Terminal};
use tosca_parse::diagnostic::{Diagnostic, Explanation, Levels, Override, Severity, Summary};
use tosca_parse::normal::{Options, Service, State, Value};
use tosca_parse::source::{Address, LineColumn, MemoryProvider, Provider, ReadError};
use tosca_parse::{Entry, Outcome, Parser, ParserBuilder, Phase, Progress, Stage, TOSCA, rules};

const TYPES: &str = "\
tosca_definitions_version: tosca_2_0
profile: org.example.web:1.0
node_types:
  Server:
    properties:
      size: { type: string, default: small }
      port: { type: integer, validation: { $less_than: [ $value, 65536 ] } }
";

const SERVICE: &str = "\
tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  inputs:
    port: { type: integer, default: 80 }
  node_templates:
    web: { type: Server, properties: { port: { $get_input: port } } }
";

/// Returns the service with a part replaced.
fn service(part: &str, by: &str) -> String {
    assert_eq!(SERVICE.matches(part).count(), 1, "`{part}` must be there once");
    SERVICE.replace(part, by)
}

/// Returns a folder with the service and its types, and a builder for parsers that work in it.
fn folder() -> (tempfile::TempDir, ParserBuilder) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("types.yaml"), TYPES).unwrap();
    std::fs::write(folder.path().join("service.yaml"), SERVICE).unwrap();
    let builder = Parser::builder(&TOSCA).directory(folder.path());
    (folder, builder)
}

/// Returns the only problem of an outcome.
fn only(outcome: &Outcome) -> &Diagnostic {
    let [problem] = &outcome.diagnostics[..] else {
        panic!("not exactly one problem:\n{}", Terminal::new(&outcome.diagnostics, &outcome.sources))
    };
    problem
}

fn port(service: &Service) -> Option<&Value> {
    service.nodes["web"].properties["port"].value.as_ref()
}

/// Constraints are checked with the values of given inputs in all versions, and with the defaults of the others.
#[test]
fn given_inputs_must_fulfill_constraints() {
    let template = |version: &str, of_root: &str, clause: &str, service: &str, dollar: &str| {
        format!(
            "tosca_definitions_version: {version}
node_types:
  A: {{ {of_root}properties: {{ p: {{ type: integer, {clause} }}, q: {{ type: integer, {clause} }} }} }}
{service}:
  inputs: {{ given: {{ type: integer }}, other: {{ type: integer, default: 9 }} }}
  node_templates:
    a: {{ type: A, properties: {{ p: {{ {dollar}get_input: given }}, q: {{ {dollar}get_input: other }} }} }}
"
        )
    };
    let simple = |version| {
        let clause = "constraints: [ less_than: 5 ]";
        template(version, "derived_from: tosca.nodes.Root, ", clause, "topology_template", "")
    };
    let clause = "validation: { $less_than: [ $value, 5 ] }";
    let parser = Parser::builder(&TOSCA).build().unwrap();
    for text in [
        simple("tosca_simple_yaml_1_0"),
        simple("tosca_simple_yaml_1_3"),
        template("tosca_2_0", "", clause, "service_template", "$"),
    ] {
        let entry = || Entry::text(parser.address("memory:a.yaml").unwrap(), &*text);
        let failures = |entry| {
            let outcome = parser.parse_entry(entry);
            let names = outcome.diagnostics.iter().map(|problem| problem.rule.name);
            assert!(names.clone().all(|name| name == "validation-failed"), "{:?}", outcome.diagnostics);
            names.count()
        };
        assert_eq!(failures(entry()), 0, "no inputs are given: {text}");
        assert_eq!(failures(entry().inputs("inputs", "{ given: 4, other: 4 }")), 0, "{text}");
        assert_eq!(failures(entry().inputs("inputs", "given: 4")), 1, "{text}");
        assert_eq!(failures(entry().inputs("inputs", "given: 5")), 2, "{text}");
    }
}

#[test]
fn a_file_is_parsed() {
    let (folder, builder) = folder();
    let outcome = builder.build().unwrap().parse("service.yaml").unwrap();
    // The outcome is self-contained; the file may be deleted.
    drop(folder);

    assert!(outcome.is_valid());
    assert_eq!(outcome.diagnostics, []);
    assert_eq!(outcome.summary(), Summary::default());
    let names: Vec<&str> = outcome.sources.iter().map(|source| source.name()).collect();
    assert_eq!(names[..2], ["service.yaml", "types.yaml"]);
    assert_eq!(outcome.sources.get(outcome.entry().unwrap()).unwrap().name(), "service.yaml");
    let phases: Vec<Phase> = outcome.times.iter().map(|time| time.phase).collect();
    assert_eq!(phases, Phase::ALL);

    let service = Service::of(&outcome.program).unwrap();
    let size = &service.nodes["web"].properties["size"];
    assert_eq!((size.value.as_ref().unwrap().as_str(), size.state), (Some("small"), State::Default));
    let Some(Value::Call(call)) = port(&service) else { panic!("the value is a call") };
    assert_eq!((&*call.name, &call.arguments[..]), ("get_input", &["port".into()][..]));
}

#[test]
fn a_text_is_parsed_as_if_it_were_at_an_address() {
    let (_folder, builder) = folder();
    let parser = builder.build().unwrap();
    // There is no such file, but its imports are searched in its folder.
    let address = parser.address("not-saved-yet.yaml").unwrap();
    let outcome = parser.parse_entry(Entry::text(address, service("type: Server", "type: Sever")));
    let problem = only(&outcome);
    assert_eq!(problem.rule.name, "unknown-name");
    let source = outcome.sources.get(problem.span.source).unwrap();
    assert_eq!(source.name(), "not-saved-yet.yaml");
    assert_eq!(source.line_column(problem.span.start), LineColumn { line: 7, column: 18 });

    // Bytes are also accepted, and their encoding is detected.
    let bytes: Vec<u8> = SERVICE.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").unwrap(), bytes));
    assert_eq!(outcome.diagnostics, []);
}

#[test]
fn inputs_are_given() {
    let (folder, builder) = folder();
    std::fs::write(folder.path().join("inputs.json"), r#"{"port": 1}"#).unwrap();
    let parser = builder.build().unwrap();
    let entry = || Entry::at(parser.address("service.yaml").unwrap());
    let input = |outcome: &Outcome| Service::of(&outcome.program).unwrap().inputs["port"].clone();

    let without = input(&parser.parse_entry(entry()));
    assert_eq!((without.value.clone(), without.state), (Some(Value::Integer(80)), State::Default));
    let from_text = input(&parser.parse_entry(entry().inputs("inputs", "port: 8080")));
    assert_eq!((from_text.value.clone(), from_text.state), (Some(Value::Integer(8080)), State::Assigned));
    let file = parser.address("inputs.json").unwrap();
    let from_file = input(&parser.parse_entry(entry().inputs_at(file.clone())));
    assert_eq!(from_file.value, Some(Value::Integer(1)));
    // Of several values for an input, the last one counts.
    let from_both = input(&parser.parse_entry(entry().inputs_at(file).inputs("inputs", "port: 2")));
    assert_eq!(from_both.value, Some(Value::Integer(2)));

    // Problems of values are reported at their positions.
    let outcome = parser.parse_entry(entry().inputs("the form", "port: many"));
    let problem = only(&outcome);
    assert_eq!(problem.rule.name, "wrong-type");
    assert_eq!(outcome.sources.get(problem.span.source).unwrap().name(), "the form");
}

#[test]
fn a_problem_says_everything() {
    let (_folder, builder) = folder();
    let parser = builder.build().unwrap();
    let address = parser.address("service.yaml").unwrap();
    let outcome = parser.parse_entry(Entry::text(address, service("{ $get_input: port }", "123456")));
    assert!(!outcome.is_valid());
    assert_eq!(outcome.summary(), Summary { errors: 1, warnings: 0, files: 1 });

    let problem = only(&outcome);
    assert_eq!((problem.rule.code, problem.severity), ("T5108", Severity::Error));
    assert!(std::ptr::eq(problem.rule, rules::parse(problem.rule.name).unwrap().rule));
    assert!(problem.message.contains("`port`") || problem.message.contains("123456"), "{}", problem.message);
    let source = outcome.sources.get(problem.span.source).unwrap();
    let (start, end) = (source.line_column(problem.span.start), source.line_column(problem.span.end));
    assert_eq!((start, end), (LineColumn { line: 7, column: 46 }, LineColumn { line: 7, column: 52 }));
    assert_eq!(&source.text()[problem.span.start as usize..problem.span.end as usize], "123456");
    assert_eq!(source.line_text(start.line).trim(), "web: { type: Server, properties: { port: 123456 } }");

    // The position of the violated clause.
    let related = &problem.related[0];
    let types = outcome.sources.get(related.span.source).unwrap();
    assert_eq!((types.name(), types.line_column(related.span.start).line), ("types.yaml", 7));
    assert!(!related.message.is_empty());

    // The same problem in all output formats, and the explanation of its rule.
    let concise = Concise::new(&outcome.diagnostics, &outcome.sources).to_string();
    assert!(concise.starts_with("service.yaml:7:46: error[T5108]: "), "{concise}");
    let terminal = Terminal::new(&outcome.diagnostics, &outcome.sources).to_string();
    assert!(terminal.contains("^^^^^^") && terminal.contains("types.yaml:7"), "{terminal}");
    let document = Document::new(&outcome.diagnostics, &outcome.sources);
    assert_eq!((document.diagnostics[0].start.line, document.diagnostics[0].start.column), (7, 46));
    let json = document.to_string();
    assert_eq!(serde_json::from_str::<Document<'_>>(&json).unwrap(), document);
    assert!(Explanation::new(rules::find(problem.rule.code).unwrap()).to_string().contains("T5108"));
}

#[test]
fn help_names_what_was_meant() {
    let (_folder, builder) = folder();
    let parser = builder.build().unwrap();
    let address = parser.address("service.yaml").unwrap();
    let outcome = parser.parse_entry(Entry::text(address, service("type: Server", "type: Sever")));
    assert!(only(&outcome).help.iter().any(|help| help.contains("`Server`")), "{:?}", only(&outcome).help);
}

#[test]
fn a_missing_file_is_a_problem_and_an_invalid_address_an_error() {
    let (_folder, builder) = folder();
    let parser = builder.build().unwrap();
    let outcome = parser.parse("elsewhere.yaml").unwrap();
    assert_eq!(only(&outcome).rule.name, "not-found");
    assert!(Service::of(&outcome.program).is_none());
    assert!(parser.parse("").is_err());
    assert!(parser.parse("http://").is_err());
}

#[test]
fn levels_determine_severities() {
    let (folder, builder) = folder();
    drop(builder);
    let parse = |levels: Levels| {
        let parser = Parser::builder(&TOSCA).directory(folder.path()).levels(levels).build().unwrap();
        let address = parser.address("service.yaml").unwrap();
        let outcome = parser.parse_entry(Entry::text(address, service("type: Server", "type: Sever")));
        outcome.diagnostics.iter().map(|problem| problem.severity).collect::<Vec<_>>()
    };
    let rule = rules::parse("unknown-name").unwrap().rule;
    assert!(std::ptr::eq(rule, rules::parse("T2001").unwrap().rule));
    assert!(rules::parse("no-such-rule").is_err());
    assert_eq!(parse(Levels::new()), [Severity::Error]);
    for (wanted, expected) in [(Override::Warn, vec![Severity::Warning]), (Override::Allow, Vec::new())] {
        let mut levels = Levels::new();
        levels.set(rule, wanted);
        assert_eq!(parse(levels), expected);
    }
}

#[test]
fn the_model_is_plain_data() {
    let (_folder, builder) = folder();
    let outcome = builder.build().unwrap().parse("service.yaml").unwrap();
    let service = Service::of(&outcome.program).unwrap();
    assert_eq!(service.model, tosca_parse::normal::VERSION);
    let json = serde_json::to_string(&service).unwrap();
    assert_eq!(serde_json::from_str::<Service>(&json).unwrap(), service);
    assert!(service.nodes["web"].source.is_none());

    let with_places = Service::with(&outcome.program, Options { positions: true, ..Options::default() });
    let place = with_places.unwrap().nodes["web"].source.clone().unwrap();
    assert_eq!((&*place.file, place.line, place.column), ("service.yaml", 7, 5));
}

#[test]
fn an_invalid_service_has_a_model_too() {
    let (_folder, builder) = folder();
    let parser = builder.build().unwrap();
    let address = parser.address("service.yaml").unwrap();
    let outcome = parser.parse_entry(Entry::text(address, service("{ $get_input: port }", "many")));
    assert!(!outcome.is_valid());
    assert_eq!(port(&Service::of(&outcome.program).unwrap()), Some(&"many".into()));
}

#[test]
fn a_parse_can_stop_after_any_phase() {
    let (_folder, builder) = folder();
    let parser = builder.build().unwrap();
    for last in Phase::ALL {
        let entry = Entry::at(parser.address("service.yaml").unwrap());
        let progress: Progress = parser.parse_until(entry, last);
        assert!(progress.is_valid());
        let phases: Vec<Phase> = progress.times.iter().map(|time| time.phase).collect();
        assert_eq!(phases, Phase::ALL.into_iter().filter(|phase| *phase <= last).collect::<Vec<_>>());
        let fits = match progress.stage {
            Stage::Read(_) => last == Phase::Read,
            Stage::Named(_) => last == Phase::Namespaces,
            Stage::Derived(_) => last == Phase::Hierarchies,
            Stage::Complete(_) => last >= Phase::Inheritance,
        };
        assert!(fits, "{last}");
    }
}

#[test]
fn texts_of_the_program_take_precedence_over_files() {
    let (_folder, builder) = folder();
    let memory = MemoryProvider::new();
    let parser = builder.provider(Arc::new(memory.clone())).build().unwrap();
    let types = parser.address("types.yaml").unwrap();
    assert!(parser.parse("service.yaml").unwrap().is_valid());
    memory.insert(types.clone(), TYPES.replace("Server", "Machine"));
    assert_eq!(only(&parser.parse("service.yaml").unwrap()).rule.name, "unknown-name");
    assert!(memory.remove(&types));
    assert!(parser.parse("service.yaml").unwrap().is_valid());
}

#[test]
fn profiles_are_found_by_name() {
    let (folder, builder) = folder();
    let text = service("[ types.yaml ]", "[ { profile: org.example.web:1.0 } ]");
    let address = Address::parse("memory:service.yaml").unwrap();
    let parse = |parser: Parser| parser.parse_entry(Entry::text(address.clone(), text.as_str()));

    assert_eq!(only(&parse(builder.build().unwrap())).rule.name, "unknown-profile");
    let parser = Parser::builder(&TOSCA).profile_path(folder.path()).build().unwrap();
    assert_eq!(parse(parser).diagnostics, []);
    let memory = MemoryProvider::new();
    memory.insert(Address::parse("memory:web.yaml").unwrap(), TYPES);
    memory.insert_profile("org.example.web:1.0", Address::parse("memory:web.yaml").unwrap());
    assert_eq!(parse(Parser::builder(&TOSCA).provider(Arc::new(memory)).build().unwrap()).diagnostics, []);
}

#[test]
fn input_that_is_too_large_is_rejected() {
    let (_folder, builder) = folder();
    let limits = Limits { bytes: 100, ..Limits::default() };
    let outcome = builder.limits(limits).build().unwrap().parse("service.yaml").unwrap();
    assert_eq!(only(&outcome).rule.name, "source-too-large");
}

/// A provider of the types that counts the requests for them.
#[derive(Default)]
struct Counting {
    texts: MemoryProvider,
    reads: AtomicUsize,
}

impl Provider for Counting {
    fn serves(&self, address: &Address) -> bool {
        self.texts.serves(address)
    }
    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.texts.read(address, limit)
    }
    fn exists(&self, address: &Address) -> bool {
        self.texts.exists(address)
    }
}

/// Returns many types, which take a long time to compile and no time to compare.
fn large_types() -> String {
    let mut text = TYPES.to_owned();
    for number in 0..2_000 {
        text += &["  Type", &number.to_string(), ": { derived_from: Server }\n"].concat();
    }
    text
}

#[test]
fn compiled_units_are_cached_between_calls() {
    let counting = Arc::new(Counting::default());
    let types = Address::parse("memory:types.yaml").unwrap();
    counting.texts.insert(types.clone(), large_types());
    let parser = Parser::builder(&TOSCA).provider(counting.clone()).threads(2).build().unwrap();
    let parse = |parser: &Parser, name: &str| {
        let outcome = parser.parse_entry(Entry::text(Address::parse(name).unwrap(), SERVICE));
        assert_eq!(outcome.diagnostics, []);
        outcome
    };
    let unit = |outcome: &Outcome| outcome.program.units.list[1].clone();

    let first = parse(&parser, "memory:one.yaml");
    assert_eq!(counting.reads.load(Ordering::Relaxed), 1);
    let again = parse(&parser, "memory:two.yaml");
    let clone = parse(&parser.clone(), "memory:three.yaml");
    assert!(Arc::ptr_eq(&unit(&first), &unit(&again)), "one text is one unit");
    assert!(Arc::ptr_eq(&unit(&first), &unit(&clone)), "clones share what they know");

    // A changed text is detected, but existing outcomes keep their data.
    counting.texts.insert(types, large_types().replace("Server:", "Server: # changed"));
    let changed = parse(&parser, "memory:one.yaml");
    assert!(!Arc::ptr_eq(&unit(&first), &unit(&changed)));
    assert!(Service::of(&first.program).is_some());
    let other = Parser::builder(&TOSCA).provider(counting).build().unwrap();
    assert!(!Arc::ptr_eq(&unit(&changed), &unit(&parse(&other, "memory:one.yaml"))), "parsers share nothing");
}

#[test]
fn parsers_and_outcomes_can_be_sent_to_other_threads() {
    fn is_shareable<T: Send + Sync + 'static>() {}
    is_shareable::<Parser>();
    is_shareable::<Outcome>();
    is_shareable::<Progress>();
    is_shareable::<Service>();
    is_shareable::<Entry>();
    // A parser is little more than a pointer.
    assert!(size_of::<Parser>() <= 64);

    let (_folder, builder) = folder();
    let parser = builder.build().unwrap();
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16)
            .map(|number| {
                let parser = parser.clone();
                scope.spawn(move || {
                    let text = service("type: Server", if number % 2 == 0 { "type: Server" } else { "type: Sever" });
                    let address = parser.address(&format!("service{number}.yaml")).unwrap();
                    parser.parse_entry(Entry::text(address, text))
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let errors: Vec<usize> = outcomes.iter().map(|outcome| outcome.summary().errors).collect();
    assert_eq!(errors, (0..16).map(|number| number % 2).collect::<Vec<_>>());
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "tosca_definitions_version: tosca_2_0\nimports:\n".to_owned();
    for number in 0..40 {
        text += &["- types", &number.to_string(), ".yaml\n"].concat();
        // Equal files would be merged.
        let types = format!(
            "tosca_definitions_version: tosca_2_0\nnode_types: {{ Server: {{ derived_from: Missing{number} }} }}\n"
        );
        std::fs::write(folder.path().join(format!("types{number}.yaml")), types).unwrap();
    }
    text += "service_template: { node_templates: { web: { type: Server } } }\n";
    std::fs::write(folder.path().join("service.yaml"), text).unwrap();
    let shown = |threads: usize| {
        let parser = Parser::builder(&TOSCA).directory(folder.path()).threads(threads).build().unwrap();
        let outcome = parser.parse("service.yaml").unwrap();
        assert!(outcome.summary().errors >= 40);
        Terminal::new(&outcome.diagnostics, &outcome.sources).to_string()
    };
    let expected = shown(1);
    for threads in [2, 4, 8] {
        assert_eq!(shown(threads), expected);
    }
}

/// Set in the process that must not print.
const CHILD: &str = "TOSCA_PARSE_TEST_CHILD";

#[test]
fn nothing_is_ever_printed() {
    const MARK: &str = "<<<>>>";
    if std::env::var_os(CHILD).is_some() {
        let (_folder, builder) = folder();
        let parser = builder.build().unwrap();
        #[allow(clippy::print_stdout, reason = "what stands between the marks is what the library prints")]
        {
            print!("{MARK}");
            for (part, by) in
                [("2_0", "2_0"), ("2_0", "3_0"), ("Server", "Sever"), ("imports: [", "imports: ["), ("{", "[")]
            {
                let address = parser.address("service.yaml").unwrap();
                let outcome = parser.parse_entry(Entry::text(address, SERVICE.replace(part, by)));
                let _ = Service::of(&outcome.program);
            }
            let _ = parser.parse("missing.yaml");
            let _ = parser.parse("https://localhost:1/missing.yaml");
            print!("{MARK}");
        }
        return;
    }
    let this = std::env::current_exe().unwrap();
    let arguments = ["--exact", "public_interface::nothing_is_ever_printed", "--nocapture", "--test-threads=1"];
    let output = Command::new(this).args(arguments).env(CHILD, "1").current_dir(Path::new(".")).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{printed}");
    assert!(printed.contains(&[MARK, MARK].concat()), "{printed}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
