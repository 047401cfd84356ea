//! The interface for programs that use the language, except for loading documents.

#![allow(clippy::unwrap_used)]

use std::cell::RefCell;
use std::rc::Rc;

use tosca_parse_engine::ard::Options;
use tosca_parse_engine::symbol::Interner;
use tosca_parse_yay::host::{document, load_address};
use tosca_parse_yay::{Category, Config, Data, LoadedDocument, Memory, OpenError, Opener, Stage, load};

use crate::conformance::json;

#[test]
fn builtins_are_asked_last_and_inputs_first() {
    let mut config = Config::new(Memory::default());
    config.load("main", "set size = 1\nkey: 2\na: {{ size }} {{ key }} {{ unit }} {{ len }}\n");
    for name in ["size", "key", "unit", "len"] {
        config.builtin(name, &Data::Int(7));
    }
    assert_eq!(config.root().get("a").as_string().unwrap(), "1 2 7 7");
    let mut config = Config::new(Memory::default());
    config.load(
        "main",
        "set size = 1\nkey: 2\na: {{ size }} {{ key }} {{ here.key }}\nb:\n  set size = 3\n  c: {{ size }}\n",
    );
    config.input("size", &Data::Int(7)).input("key", &Data::Int(8));
    assert_eq!(config.root().get("a").as_string().unwrap(), "7 8 2");
    // An input does not override a name that an inner body sets.
    assert_eq!(config.root().get("b").get("c").as_int().unwrap(), 3);
    assert_eq!(config.used_inputs().iter().map(|name| &**name).collect::<Vec<_>>(), ["key", "size"]);
}

/// An opener that records the addresses that are opened.
#[derive(Clone, Default)]
struct Noting(Rc<RefCell<Vec<String>>>);

impl Opener for Noting {
    fn locate(&self, name: &str, base: &str) -> Option<String> {
        if name.contains("://") { Some(name.to_owned()) } else { Memory::default().locate(name, base) }
    }

    fn is_local(&self, _address: &str) -> bool {
        false
    }

    fn open(&mut self, address: &str) -> Result<LoadedDocument, OpenError> {
        self.0.borrow_mut().push(address.to_owned());
        Ok(LoadedDocument { name: address.to_owned(), address: address.to_owned(), ..LoadedDocument::default() })
    }
}

#[test]
fn documents_say_how_others_are_opened() {
    let noting = Noting::default();
    let mut config = Config::new(noting.clone());
    let text = "configure openers:\n  models: lib/models\n  ftp: false\nconfigure basicauth:\n  zone:\n    uri: \
                https://example.com/in\n    username: ada\n    password: \"p w\"\ninclude \"models://a.yay\"\ninclude \
                \"https://example.com/in/b.yay\"\ninclude \"https://example.com/inside.yay\"\n";
    config.load("main", text);
    assert_eq!(config.resolve().unwrap(), Data::Map(Vec::new()));
    let mut opened = noting.0.borrow().clone();
    opened.sort();
    let wanted = ["https://ada:p%20w@example.com/in/b.yay", "https://example.com/inside.yay", "lib/models/a.yay"];
    assert_eq!(opened, wanted);
    config.load("more", "include \"ftp://x/y.yay\"\n");
    let error = config.resolve().unwrap_err();
    assert_eq!((error.category(), error.places().len()), (Category::NotFound, 2));
    assert_eq!(config.settings("openers").unwrap().get("models"), Some(&"lib/models".into()));
}

#[test]
fn forbidden_schemes_are_forbidden_to_openers_too() {
    let noting = Noting::default();
    for (openers, name, message) in [
        ("http: false\n  m: http://example.com/a", "m:b.yay", Some("scheme `http:`")),
        ("m: false\n  n: http://example.com/a", "m:b.yay", Some("scheme `m:`")),
        ("http: false\n  m: https://example.com/a", "m:b.yay", None),
        ("http: false\n  m: {{ 'http://x/' + 'y' }}", "http://example.com/b.yay", Some("scheme `http:`")),
    ] {
        let mut config = Config::new(noting.clone());
        config.load("main", &format!("configure openers:\n  {openers}\ninclude \"{name}\"\n"));
        let found = config.resolve().map_err(|error| config.describe(&error));
        match message {
            Some(message) => assert!(found.as_ref().is_err_and(|error| error.contains(message)), "{found:?}"),
            None => assert!(found.is_ok(), "{found:?}"),
        }
    }
    assert_eq!(*noting.0.borrow(), ["https://example.com/a/b.yay"]);
}

#[test]
fn diagrams_hide_users_and_passwords_of_addresses() {
    let mut config = Config::new(Memory::default());
    config.load("main", "a: 1\nif a:\n  b: 2\nelse:\n  include \"http://ada:hunter2@example.com/a.yay\"\n");
    let drawn = config.diagram(Stage::Initial).unwrap().dot();
    assert!(!drawn.contains("ada") && !drawn.contains("hunter2") && drawn.contains("*****@example.com"), "{drawn}");
}

#[test]
fn diagrams_hide_values_with_secret_names() {
    let mut config = Config::new(Memory::default());
    let text = "\
set password = \"s3cr3tpw\"
set apiToken = [\"s3cr3tpw\", \"a\" + \"s3cr3tpw\"]
configure basicauth:
  zone:
    uri: http://example.com
    user: ada
    password: s3cr3tpw
db:
  password:
    if shown:
      first: s3cr3tpw
    second:
      - s3cr3tpw
  port: 8080
extend secrets:
  - s3cr3tpw
include \"http://ada9user:{{ password }}@example.com/a.yay\"
include \"http://{{ name }}:s3cr3tpw@example.com/b.yay\"
include \"http://{{ 's3cr3tpw' }}@example.com/c.yay\"
";
    config.load("main", text);
    for stage in [Stage::Initial, Stage::Normalized] {
        let drawn = config.diagram(stage).unwrap().dot();
        assert!(!drawn.contains("s3cr3tpw") && !drawn.contains("ada9user"), "{drawn}");
        assert!(drawn.contains("8080") && drawn.contains("/b.yay") && drawn.contains("password"), "{drawn}");
    }
    let mut config = Config::new(Memory::default());
    config.load("main", "db:\n  password: s3cr3tpw\n  tokens:\n    - a: s3cr3tpw\n  port: 8080\n");
    let drawn = config.diagram(Stage::Folded).unwrap().dot();
    assert!(!drawn.contains("s3cr3tpw") && drawn.contains("8080"), "{drawn}");
}

#[test]
fn diagrams_show_older_layers() {
    let mut config = Config::new(Memory::default());
    config.load("main", "a:\n  b: 1\na:\n  c: {{ here.b else 2 }}\n");
    let diagram = |stage| config.diagram(stage).unwrap();
    let kinds = |stage| diagram(stage).boxes.iter().map(|this| this.kind).collect::<Vec<_>>();
    assert_eq!(kinds(Stage::Folded), ["Mapping", "Mapping", "Boxed", "Boxed"]);
    assert_eq!(kinds(Stage::Initial).iter().filter(|kind| **kind == "Predecessor").count(), 2);
    let normalized = diagram(Stage::Normalized);
    let under: Vec<_> =
        normalized.arrows.iter().filter(|arrow| arrow.is_predecessor).map(|arrow| (arrow.from, arrow.to)).collect();
    assert_eq!(under.len(), 1);
    assert!(diagram(Stage::Initial).dot().contains("style=dotted"));
    // The body that a decision chooses is a layer over the values before the decision, and so are its keys.
    let text = "a:\n  b: 1\nif x:\n  a:\n    c: 2\nselect y:\n  z:\n    a:\n      d: 3\n";
    let mut config = Config::new(Memory::default().with("one", "a: 1\n"));
    config.load("main", text);
    let diagram = config.diagram(Stage::Normalized).unwrap();
    let named = |to: usize| diagram.arrows.iter().find(|arrow| arrow.to == to && !arrow.is_predecessor);
    let over: Vec<_> = diagram.arrows.iter().filter(|arrow| arrow.is_predecessor).collect();
    let keys: Vec<_> =
        over.iter().filter_map(|arrow| Some((&*named(arrow.from)?.name, &*named(arrow.to)?.name))).collect();
    assert_eq!(keys, [("a", "a"), ("a", "a")]);
    let bodies: Vec<_> =
        over.iter().filter_map(|arrow| Some((&*named(arrow.from)?.name, diagram.boxes[arrow.to].kind))).collect();
    assert!(bodies.contains(&("value", "Mapping")) && bodies.contains(&("z", "If")), "{bodies:?}");
    config.load("over", "a:\n  e: 1\ninclude \"one\"\na:\n  f: 2\n");
    let kinds = |stage| config.diagram(stage).unwrap().boxes.iter().filter(|this| this.kind == "Predecessor").count();
    assert_eq!((kinds(Stage::Initial), kinds(Stage::Normalized)), (7, 0));
    // Even very long expressions are drawn.
    config.load("long", &format!("z: {{{{ 1{} }}}}\n", " + 1".repeat(100_000)));
    assert!(config.diagram(Stage::Normalized).unwrap().boxes.len() > 200_000);
}

#[test]
fn raw_data_knows_where_it_comes_from() {
    let mut config = Config::new(Memory::default().with("one", "k: {{ v }}\n"));
    config.load("main", "set v = 5\na:\n  include \"one\"\nb: {{ nope }}\n");
    let interner = Interner::new();
    let converted = document(&config, &interner, &Options::default());
    assert_eq!(converted.diagnostics.len(), 1);
    let root = converted.document.root().unwrap();
    let value = root.find("a").unwrap().value.find("k").unwrap().value;
    assert_eq!(value.as_integer(), Some(5));
    let name =
        |span: tosca_parse_engine::diagnostic::Span| converted.sources.get(span.source).unwrap().name().to_owned();
    assert_eq!((name(value.span()), value.used().map(name)), ("main".to_owned(), Some("one".to_owned())));
}

#[test]
fn texts_and_files_become_data() {
    assert_eq!(load("a: {{ 1 + 1 }}\n").unwrap().get("a"), Some(&Data::Int(2)));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/yay/cluster.yay");
    assert!(load_address(path).unwrap().get("service_template").is_some());
    let error = load_address("/nowhere/there.yay").unwrap_err();
    assert!(error.contains("there is no document"), "{error}");
}

#[test]
fn patterns_include_all_documents_of_a_folder() {
    let memory = Memory::default()
        .with("conf.d/20-b.yay", "b: 1\nlast: b\n")
        .with("conf.d/10-a.yay", "a: 1\nlast: a\n")
        .with("conf.d/.hidden.yay", "hidden: 1\n")
        .with("conf.d/readme", "a b\n")
        .with("conf.d/deep/c.yay", "c: 1\n")
        .with("main.yay", "include \"*.yay\"\nmain: 1\n")
        .with("side.yay", "side: 1\n");
    let resolved = |text: &str| {
        let mut config = Config::new(memory.clone());
        config.load("text", text);
        config.resolve().map(|data| json(&data).to_string()).map_err(|error| error.message().to_owned())
    };
    assert_eq!(resolved("include \"conf.d/*.yay\"\n").unwrap(), r#"{"a":1,"last":"b","b":1}"#);
    assert_eq!(resolved("set n = 10\ninclude \"conf.d/\" + str(n) + \"*\"\n").unwrap(), r#"{"a":1,"last":"a"}"#);
    assert_eq!(resolved("include \"conf.d/*.yml\"\na: 2\n").unwrap(), r#"{"a":2}"#);
    // A pattern doesn't include the document that contains it.
    assert_eq!(resolved("include \"main.yay\"\n").unwrap(), r#"{"side":1,"main":1}"#);
    assert_eq!(resolved("include \"none/*.yay\"\n").unwrap_err(), "there is no document `none/*.yay` to include");
    assert_eq!(resolved("include \"*/a.yay\"\n").unwrap_err(), "there is no document `*/a.yay` to include");
}

#[test]
fn environment_variables_are_secrets() {
    let variables = |name: &str| (name == "TOKEN").then(|| "topsecret".to_owned());
    let shown = |text: &str, input: bool| {
        let mut config = Config::new(Memory::default());
        config.environment(variables);
        if input {
            config.input("env", &Data::Map(vec![("TOKEN".to_owned(), "given".into())]));
        }
        config.load("text", text);
        config.root().get("x").resolve_safe().map(|data| json(&data).to_string()).map_err(|error| error.to_string())
    };
    assert_eq!(shown("x: {{ env.TOKEN }}\n", false).unwrap(), r#""*****""#);
    assert_eq!(shown("x: a {{ env['TO' + 'KEN'] }}\n", false).unwrap(), r#""a *****""#);
    assert_eq!(shown("x: {{ env.TOKEN == 'topsecret' }}\n", false).unwrap(), r#""*****""#);
    assert_eq!(shown("x: {{ len({env.TOKEN: 1}) }}\n", false).unwrap(), r#""*****""#);
    assert_eq!(shown("x: {{ env.NONE else 1 }}\n", false).unwrap(), "1");
    assert_eq!(shown("x: {{ env.NONE }}\n", false).unwrap_err(), "NoMatching: there is no environment variable `NONE`");
    assert_eq!(
        shown("x: {{ env[env.TOKEN] }}\n", false).unwrap_err(),
        "NoMatching: there is no environment variable `*****`"
    );
    assert!(shown("x: {{ env }}\n", false).unwrap_err().starts_with("TypeError"));
    // Variables and inputs named `env` take precedence.
    assert_eq!(shown("set env = {'TOKEN': 1}\nx: {{ env.TOKEN }}\n", false).unwrap(), "1");
    assert_eq!(shown("x: {{ env.TOKEN }}\n", true).unwrap(), r#""given""#);
}

#[test]
fn environment_is_refused_where_it_must_be() {
    let refused = |config: &mut Config<'_>, text: &str| {
        config.load("text", text);
        config.resolve().map_err(|error| error.category())
    };
    let mut config = Config::new(Memory::default());
    assert!(
        refused(config.refuse_environment(), "x: {{ env.HOME else 1 }}\n")
            .is_err_and(|found| found == Category::Denied)
    );
    let mut config = Config::new(Network);
    config.environment(|_| Some("topsecret".to_owned()));
    assert!(refused(&mut config, "include \"far.yay\"\n").is_err_and(|found| found == Category::Denied));
    let mut config = Config::new(Memory::default());
    assert!(refused(&mut config, "x: {{ env.HOME else 1 }}\n").is_ok());
    assert!(refused(&mut config, "x: {{ env.HOME }}\n").is_err_and(|found| found == Category::NoMatching));
}

/// An opener with one document, from the network.
struct Network;

impl Opener for Network {
    fn locate(&self, name: &str, _base: &str) -> Option<String> {
        Some(name.to_owned())
    }

    fn is_local(&self, _address: &str) -> bool {
        false
    }

    fn open(&mut self, address: &str) -> Result<LoadedDocument, OpenError> {
        let text = b"x: {{ env.HOME else 1 }}\n".to_vec();
        Ok(LoadedDocument {
            name: address.to_owned(),
            address: address.to_owned(),
            text,
            labels: Vec::new(),
            remote: true,
            hidden: false,
        })
    }
}

/// An opener with one document, which is not meant for Yay.
struct Foreign;

impl Opener for Foreign {
    fn locate(&self, name: &str, _base: &str) -> Option<String> {
        Some(name.to_owned())
    }

    fn is_local(&self, _address: &str) -> bool {
        true
    }

    fn open(&mut self, address: &str) -> Result<LoadedDocument, OpenError> {
        Ok(LoadedDocument {
            name: address.to_owned(),
            address: address.to_owned(),
            text: b"x: {{ hunter2 }}\n".to_vec(),
            labels: Vec::new(),
            remote: false,
            hidden: true,
        })
    }
}

#[test]
fn errors_do_not_quote_documents_that_are_hidden() {
    let mut config = Config::new(Foreign);
    config.load("main", "include \"shadow\"\n");
    let error = config.describe(&config.resolve().unwrap_err());
    assert!(error.contains("shadow:1:") && error.contains("`…`") && !error.contains("hunter2"), "{error}");
    let mut own = Config::new(Foreign);
    own.load("main", "x: {{ hunter2 }}\n");
    let error = own.describe(&own.resolve().unwrap_err());
    assert!(error.contains("`hunter2`"), "{error}");
}
