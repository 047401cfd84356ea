//! Folding: known expressions are computed, unknown ones remain.

#![allow(clippy::unwrap_used)]

use tosca_parse_yay::{Config, Data, Limits, Memory, Stage};

fn folded(text: &str) -> String {
    let mut config = Config::new(Memory::default().with("fr.yay", "hello: Bonjour!\n"));
    config.load("main.yay", text);
    config.fold(true).unwrap_or_else(|error| config.describe(&error))
}

/// Resolves a document with values for its unknown names.
fn resolved(text: &str) -> Data {
    let mut config = Config::new(Memory::default().with("fr.yay", "hello: Bonjour!\n"));
    config.input("u", &Data::Int(3)).input("v", &Data::Text("vi".to_owned())).input("w", &Data::Bool(false));
    config.load("main.yay", text);
    config.resolve().unwrap_or_else(|error| panic!("{text}: {}", config.describe(&error)))
}

#[test]
fn unknown_names_are_left() {
    let cases = [
        ("foo: True\n\n% if foo and u:\n    bar: baz\n", "foo: True\nif u:\n  bar: baz\n"),
        ("% import {{ language }}.yay\nlanguage: fr\n", "hello: Bonjour!\nlanguage: fr\n"),
        ("a: {{ 1 + 1 }}\nb: {{ a * u + (2 * a) }}\n", "a: 2\nb: {{ (2 * u) + 4 }}\n"),
        ("a: x {{ 1 + 1 }} {{ v }}\n", "a: {{ join(\"\", [\"x 2 \", v]) }}\n"),
        ("a: {{ 0 and u }}\nb: {{ u and 0 }}\nc: {{ 1 or u }}\n", "a: 0\nb: {{ u and 0 }}\nc: 1\n"),
        ("a: {{ 1 if u and 1 else 2 }}\n", "a: {{ 1 if u else 2 }}\n"),
        ("a: {{ u - 1 - 1 }}\nb: {{ u - (1 - u) }}\n", "a: {{ u - 1 - 1 }}\nb: {{ u - (1 - u) }}\n"),
        ("a: {{ (u ** 2) ** 2 }}\nb: {{ u ** u ** 2 }}\n", "a: {{ (u ** 2) ** 2 }}\nb: {{ u ** (u ** 2) }}\n"),
        ("a: {{ w or v or u }}\nb: {{ w or (v and u) }}\n", "a: {{ w or v or u }}\nb: {{ w or (v and u) }}\n"),
        (
            "a: {{ [x for x in range(u)] }}\nb: {{ {x: 1 for x in range(u)} }}\nc: {{ sum(x for x in range(u)) }}\n",
            "a: {{ [x for x in range(u)] }}\nb: {{ {x: 1 for x in range(u)} }}\nc: {{ sum(x for x in range(u)) }}\n",
        ),
        ("a: {{ [*range(u), 1 + 1] }}\nb: {{ sum([u + 1]) }}\n", "a: {{ [*range(u), 2] }}\nb: {{ sum([u + 1]) }}\n"),
        // `x` is unknown while the condition is evaluated.
        ("if here.y else 1:\n  x: 5\ny: {{ x }}\nz: {{ u }}\n", "if here.y else 1:\n  x: 5\ny: {{ x }}\nz: {{ u }}\n"),
        ("a: {{ (u + 1)[v:(2 - 1)].x(*[1, u], k=(1 + 1)) }}\n", "a: {{ (u + 1)[v:1].x(*[1, u], k=2) }}\n"),
        // Parentheses, quotes and backslashes of what remains as written.
        (
            "a: {{ [i for i in [u] if i != \"\\\"(\"] }}\nb: {{ abs(1) + abs(2) }}\n",
            "a: {{ [i for i in [u] if i != \"\\\"(\"] }}\nb: 3\n",
        ),
        ("a: {{ [i for i in [u] if i == \"a\\tb\"] }}\n", "a: {{ [i for i in [u] if i == \"a\\tb\"] }}\n"),
        ("a: {{ u else (1 // 0) + ((2)) }}\n", "a: {{ u else ((1 // 0) + ((2))) }}\n"),
        (
            "set s = [i for i in [u] if (i) != \"\"\"x\n  y\"\"\" \\\n  or (v)]\na: {{ s }}\n",
            "set s = [i for i in [u] if (i) != \"x\\n  y\" or (v)]\na: {{ s }}\n",
        ),
        ("a: {{ u if 1 else v }}\nb: {{ [1 + 1, u] }}\n", "a: {{ u }}\nb: {{ [2, u] }}\n"),
        ("a: {{ u else 1 }}\n", "a: {{ u else 1 }}\n"),
        ("a:\n  b: 2\nc: {{ a.x else 1 }}\nd: {{ u }}\n", "a:\n  b: 2\nc: 1\nd: {{ u }}\n"),
        // `u` may be true, and change `k`.
        ("k: 1\nif u:\n  k: 2\ny: {{ k }}\n", "k: 1\nif u:\n  k: 2\ny: {{ k }}\n"),
        ("if 0:\n  a: 1\nelif u:\n  a: 2\nelif 1:\n  a: 3\nelse:\n  a: 4\n", "if u:\n  a: 2\nelse:\n  a: 3\n"),
        ("if 1:\n  a: {{ u }}\nb: 1\n", "a: {{ u }}\nb: 1\n"),
        ("a: 1\nif u:\n  b: 2\nc: {{ a }}\nd: {{ b }}\n", "a: 1\nif u:\n  b: 2\nc: 1\nd: {{ b }}\n"),
        ("a:\n  select v:\n    vi: {{ 1 + 1 }}\nb: 1\n", "a:\n  select v:\n    vi: 2\nb: 1\n"),
        ("a: 1\nselect v:\n  vi:\n    b: {{ a }}\n", "a: 1\nselect v:\n  vi:\n    b: 1\n"),
        ("a:\n  for i in range(2):\n    - {{ i }}\nb: {{ u }}\n", "a:\n  - 0\n  - 1\nb: {{ u }}\n"),
        (
            "a: 1\nfor i in range(2):\n  extend b:\n    - {{ i + u }}\n",
            "a: 1\nextend b:\n  - {{ 0 + u }}\nextend b:\n  - {{ 1 + u }}\n",
        ),
        (
            "a: 1\nfor i in range(u):\n  b: {{ i + 1 }}\nc: {{ a }}\n",
            "a: 1\nfor i in range(u):\n  b: {{ i + 1 }}\nc: 1\n",
        ),
        (
            "a:\n  for i in range(u):\n    - n: {{ i }}\n      m: |\n        text\n",
            "a:\n  for i in range(u):\n    - n: {{ i }}\n      m: |\n        text\n",
        ),
        (
            "set x = 2\nmacro m:\n  k: {{ y }}\na:\n  call m:\n    y: {{ u }}\nb: {{ u * x }}\n",
            "set x = 2\nmacro m:\n  k: {{ y }}\na:\n  call m:\n    y: {{ u }}\nb: {{ u * 2 }}\n",
        ),
        ("a:\n  - k: {{ u }}\n    j: 1\n  - if: 2\n", "a:\n  - k: {{ u }}\n    j: 1\n  - {{ {\"if\": 2} }}\n"),
        ("extend a:\n  - {{ u }}\nextend a:\n  - {{ 1 + 1 }}\n", "extend a:\n  - {{ u }}\nextend a:\n  - 2\n"),
        ("a:\n  b: {{ here.c }}\n  d: {{ u }}\na:\n  c: 1\n", "a:\n  b: 1\n  d: {{ u }}\na:\n  c: 1\n"),
    ];
    let mut wrong = Vec::new();
    for (text, wanted) in cases {
        let made = folded(text);
        if made != wanted {
            wrong.push(format!("{text}gives\n{made}instead of\n{wanted}\n"));
            continue;
        }
        // Folding keeps the meaning, and folding again changes nothing. Documents can't be compared if a default
        // applies to an unknown name, or if an expression has an error.
        let is_comparable = !text.contains(" else 1 }}") && !text.contains(".x(");
        if is_comparable && resolved(text) != resolved(&made) {
            wrong.push(format!("{text}means something else than\n{made}\n"));
        }
        if folded(&made) != made {
            wrong.push(format!("{made}folds to\n{}\n", folded(&made)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn folding_is_linear_in_depth() {
    let mut config = Config::with_limits(Memory::default(), Limits::default().with_steps(1_000));
    let negations = format!("a: {{{{ {}u }}}}\n", "not ".repeat(200));
    config.load("main.yay", &negations);
    assert_eq!(config.fold(true).unwrap_or_else(|error| config.describe(&error)), folded(&negations));
    let nested: String = (0..200).map(|level| " ".repeat(level) + "if u:\n").collect();
    assert!(folded(&format!("{nested}{}a: 1\n", " ".repeat(200))).contains("a: 1"));
}

#[test]
fn data_is_written_so_that_it_is_read_again() {
    let strange = "a: {{ ['', ' x', 'x: y', 'x #y', '5', 'true', '{{ x }}', '\\n', 'a\"b', \"'\", '- x', '#', 1.5, -2, none, True] }}\n\
                   b: {{ {'a b': 1, 'c': {'if': 2, 'd': []}} }}\nc: {{ [[1, [2]], {}, {'k': [{'x': 1, 'y': [2]}]}] }}\nd: {}\n";
    let made = folded(strange);
    assert_eq!(resolved(&made), resolved(strange), "{made}");
    assert_eq!(folded(&made), made);
}

#[test]
fn folded_diagrams_show_unknown_names() {
    let mut config = Config::new(Memory::default());
    config.load("main.yay", "foo: True\n\n% if foo and boxcat:\n    bar: baz\n");
    let diagram = config.diagram(Stage::Folded).unwrap();
    let boxes: Vec<_> = diagram.boxes.iter().map(|part| (part.kind, &*part.text)).collect();
    assert_eq!(
        boxes,
        [("Mapping", ""), ("If", ""), ("Boxed", "True"), ("Identifier", "boxcat"), ("Mapping", ""), ("Boxed", "baz")]
    );
    let named: Vec<_> = diagram.arrows.iter().map(|arrow| (arrow.from, arrow.to, &*arrow.name)).collect();
    assert!(
        named.contains(&(1, 0, "predecessor")) && named.contains(&(1, 3, "cond")) && named.contains(&(1, 4, "value"))
    );
    // Other errors are still reported.
    config.load("more.yay", "x: {{ [] + {} }}\n");
    assert_eq!(config.diagram(Stage::Folded).unwrap_err().category().name(), "TypeError");
}

#[test]
fn folded_documents_hide_secrets() {
    let mut config = Config::new(Memory::default());
    let secret = "k: topsecret\nm:\n  for x in u:\n    - topsecret\nmacro z:\n  a: topsecret\n\
                  y: topsecret {{ u }}\nif u == 'topsecret':\n  b: topsecret\nset s = u + 'topsecret'\n";
    config.load_labeled("s.yay", secret, &["secret".to_owned()]);
    config.load("main.yay", "a: {{ k + u }}\nb: {{ {k: 1} }}\nc: {{ u if k else v }}\nd: x{{ k }}{{ u }}\n");
    let text = config.fold(true).unwrap();
    assert!(!text.contains("topsecret") && text.contains("*****"), "{text}");
    let dot = config.diagram(Stage::Folded).unwrap().dot();
    assert!(!dot.contains("topsecret"), "{dot}");
    assert!(config.fold(false).unwrap().contains("topsecret"));
}

/// Folds `main.yay` and resolves the result with an input, like the document itself.
fn folded_in_folders(documents: &[(&str, &str)], expected: &str) {
    let memory = documents.iter().fold(Memory::default(), |memory, (address, text)| memory.with(address, text));
    let main = memory.clone().with("folded.yay", expected);
    let config = |memory: &Memory, address: &str| {
        let mut config = Config::new(memory.clone());
        config.load_address(address);
        config
    };
    let document = config(&memory, "main.yay");
    assert_eq!(document.fold(true).map_err(|error| document.describe(&error)).as_deref(), Ok(expected));
    for name in ["a", "b"] {
        let results = ["main.yay", "folded.yay"].map(|address| {
            let mut config = config(&main, address);
            config.input("u", &Data::Text(name.to_owned()));
            config.resolve().map_err(|error| config.describe(&error))
        });
        assert!(results[0].is_ok(), "{results:?}");
        assert_eq!(results[0], results[1]);
    }
}

#[test]
fn includes_that_remain_open_the_same_documents() {
    let (a, b) = (("sub/a.yay", "x: 1\n"), ("sub/b.yay", "x: 2\n"));
    let decoy = ("a.yay", "x: 0\n");
    let unknown = ("sub/in.yay", "y: {{ 1 + 1 }}\ninclude u + \".yay\"\n");
    folded_in_folders(
        &[a, b, decoy, unknown, ("main.yay", "z: {{ 1 + 2 }}\ninclude \"sub/in.yay\"\n")],
        "z: 3\ninclude \"sub/in.yay\"\n",
    );
    // In the folder of the folded document, the include stays where it is.
    folded_in_folders(
        &[a, b, ("in.yay", "include \"sub/\" + u + \".yay\"\n"), ("main.yay", "z: {{ 1 + 2 }}\ninclude \"in.yay\"\n")],
        "z: 3\ninclude \"sub/\" + u + \".yay\"\n",
    );
    // A document of a different folder includes one that can't be moved.
    folded_in_folders(
        &[a, b, unknown, ("other/o.yay", "include \"../sub/in.yay\"\n"), ("main.yay", "include \"other/o.yay\"\n")],
        "include \"other/o.yay\"\n",
    );
    // Parts that are written as they are.
    let macros = ("sub/in.yay", "macro m:\n  include n + \".yay\"\nw:\n  call m:\n    n: {{ u }}\n");
    folded_in_folders(&[a, b, macros, ("main.yay", "include \"sub/in.yay\"\n")], "include \"sub/in.yay\"\n");
    // Only a remaining include makes a difference to `search`.
    let search = ("sub/in.yay", "search \"deep\"\nv: {{ u }}\n");
    folded_in_folders(&[search, ("main.yay", "include \"sub/in.yay\"\n")], "search \"deep\"\nv: {{ u }}\n");
    let deep = [("sub/deep/a.yay", "x: 3\n"), ("sub/deep/b.yay", "x: 4\n")];
    folded_in_folders(
        &[deep[0], deep[1], search, ("main.yay", "include u + \".yay\"\ninclude \"sub/in.yay\"\n")],
        "include u + \".yay\"\ninclude \"sub/in.yay\"\n",
    );
    // Of several documents of one stanza, none is there twice.
    let list = ("sub/first.yay", "l:\n  - 1\n  - {{ u }}\n");
    folded_in_folders(
        &[a, b, list, unknown, ("main.yay", "include \"sub/first.yay\", \"sub/in.yay\"\n")],
        "include \"sub/first.yay\", \"sub/in.yay\"\n",
    );
}

#[test]
fn documents_of_different_folders_keep_their_includes_apart() {
    let memory = Memory::default().with("main.yay", "a: {{ u }}\n").with("sub/b.yay", "include u + \".yay\"\n");
    let mut config = Config::new(memory);
    config.load_address("main.yay").load_address("sub/b.yay");
    let error = config.fold(true).unwrap_err();
    assert!(config.describe(&error).contains("includes remain in documents of different folders"));
}

#[test]
fn text_that_remains_as_written_keeps_its_lines() {
    for body in ["one\n\n    two", "one\n      \n    two", "one  \n    two", "one\n    \n\n    two\n\n"] {
        let text = format!("macro m:\n  t: |\n    {body}\n  n: {{{{ x }}}}\na:\n  call m:\n    x: {{{{ u }}}}\n");
        let folded = folded(&text);
        assert_eq!(resolved(&folded), resolved(&text), "{folded}");
    }
}

/// Folds layers and resolves the result with an input, like the layers themselves.
fn folded_layers(layers: &[&str]) -> Result<String, String> {
    let config = || Config::new(Memory::default().with("names.yay", "set y = u - 1\nset x = 7\n"));
    let mut all = config();
    for layer in layers {
        all.load("layer.yay", layer);
    }
    let folded = all.fold(true).map_err(|error| all.describe(&error))?;
    let mut one = config();
    one.load("folded.yay", &folded);
    let [all, one] = [&mut all, &mut one].map(|config| {
        config.input("u", &Data::Int(3));
        config.resolve().map_err(|error| config.describe(&error))
    });
    assert!(all.is_ok(), "{all:?}");
    assert_eq!(all, one, "{folded}");
    Ok(folded)
}

#[test]
fn layers_can_bind_a_name_differently() {
    let later = "set x = 2 * u\nb: {{ x + u }}\nc: {{ y + u }}\n";
    for (first, expected) in [
        ("set x = u\nset y = 3\na: {{ x + u }}\n", "set y = 3\nif 1:\n  set x = u\n  set y = 3\n  a: {{ x + u }}\n"),
        ("set y = 2 + 1\nset x = u\na: {{ x + u }}\n\n\nt: |\n  1\n\n  2\n", "set y = 3\nif 1:\n"),
        ("include \"names.yay\"\nset x = u\na: {{ x + u }}\n", "set y = u - 1\nif 1:\n"),
        ("set x, y = u, 3\na:\n  b: {{ x + u }}\n", "set x, y = [u, 3]\nif 1:\n"),
    ] {
        let folded = folded_layers(&[first, later]).unwrap();
        assert!(folded.starts_with(expected), "{first}: {folded}");
    }
    let macros = "set x = u\nmacro y:\n  - {{ z }}\na: {{ x + u }}\n";
    let folded = folded_layers(&[macros, "set x = 2 * u\nd:\n  call y:\n    z: {{ x }}\n"]).unwrap();
    assert!(folded.starts_with("macro y:\n  - {{ z }}\nif 1:\n"), "{folded}");
    let error = folded_layers(&["set x = u\nset y = x + u\na: {{ x + u }}\n", later]).unwrap_err();
    assert!(error.contains("these documents can't become one: `x` has a different meaning"), "{error}");
}
