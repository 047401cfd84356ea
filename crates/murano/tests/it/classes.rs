//! Loading of classes: an error in one class does not affect the others in its file.

use tosca_parse_murano::{Access, Arguments, PackageSource, Runtime, TypeName, category, steps};
use tosca_parse_yaql::Value;

/// Loads a class of the package `t`.
fn load(text: &str, class: &str) -> Result<String, (&'static str, String, String)> {
    let package = PackageSource::from_text("t", "1.4", &[], text).unwrap();
    let runtime = Runtime::builder().package(package).build().unwrap();
    let loaded = runtime.find_type(&TypeName::parse(class).unwrap());
    loaded.map(|class| class.name.clone()).map_err(|error| {
        let place = steps(&error).first().map(|step| {
            let text = step.file.text();
            text[step.span.start as usize..step.span.end as usize].to_owned()
        });
        (category(&error), error.message().to_owned(), place.unwrap_or_default())
    })
}

#[test]
fn errors_concern_one_class() {
    for (wrong, kind, message, place) in [
        ("Usage: Mata", "Value", "`Mata` is not a usage of a class; did you mean `Meta`?", "Mata"),
        ("Extends: x:Y", "Key", "no namespace has the prefix `x`; add `x: …` to `Namespaces`", "x:Y"),
        (
            "Properties: {p: {Contract: $, Usage: Out}, q: {Contract: $, Usage: Inn}}",
            "DslSyntax",
            "`Inn` is not a usage of a property; did you mean `In`?",
            "Inn",
        ),
        ("Properties: {p: {Usage: Out}}", "DslSyntax", "property `p` lacks the mandatory keyname `Contract`", "p"),
        ("Methods: {m: {Body: [ !yaql '1 +' ]}}", "YaqlGrammar", "invalid expression: Parse error", ""),
        ("Methods: {m: {Body: [ {If: true} ]}}", "MplSyntax", "Syntax is incorrect in expression", "{If: true}"),
    ] {
        let text =
            format!("Namespaces: {{=: t}}\nName: Right\n---\nName: Wrong\n{wrong}\n---\nName: Child\nExtends: Wrong\n");
        assert_eq!(load(&text, "t.Right").as_deref(), Ok("t.Right"), "{wrong}");
        let error = load(&text, "t.Wrong").unwrap_err();
        assert!(error.0 == kind && error.1.starts_with(message) && error.2.contains(place), "{wrong}: {error:?}");
        assert_eq!(load(&text, "t.Child").unwrap_err(), error, "{wrong}");
    }
}

#[test]
fn errors_in_namespaces_concern_all_classes() {
    let text = "Namespaces: {=: t}\nName: A\n---\nNamespaces: {=: 'no namespace'}\nName: B\n";
    let error = load(text, "t.A").unwrap_err();
    assert!(error.0 == "Value" && error.1.starts_with("`no namespace` is not a namespace"), "{error:?}");
}

#[test]
fn repeated_keys_are_refused_if_they_are_names() {
    let text = "Name: t.A\nUsage: Class\nUsage: Class\nProperties:\n  p: {Contract: $, Default: {a: 1, a: 2}}\n";
    assert_eq!(load(text, "t.A").as_deref(), Ok("t.A"));
    let error = load(&format!("{text}  p: {{Contract: $.int()}}\n"), "t.A").unwrap_err();
    assert!(error.1.starts_with("the key `p` occurs more than once"), "{error:?}");
}

/// Searching for the path to every problem in the file, for every class, would take minutes.
#[test]
fn repeated_keys_in_many_classes() {
    let class = |number: usize| format!("Namespaces: {{=: t}}\nName: C{number}\nXy: 1\nXy: 2\n");
    let text = (0..3000).map(class).collect::<Vec<_>>().join("---\n");
    let package = PackageSource::from_text("t", "1.4", &[], &text).unwrap();
    let runtime = Runtime::builder().package(package).build().unwrap();
    for number in 0..3000 {
        let name = format!("t.C{number}");
        assert_eq!(runtime.find_type(&TypeName::parse(&name).unwrap()).unwrap().name, name);
    }
}

#[test]
fn lists_grow_by_assignment_in_early_formats() {
    let run = |format: &str, statements: &[&str]| {
        let body = statements.iter().map(|statement| format!("      - {statement}\n")).collect::<Vec<_>>().concat();
        let text = format!(
            "Namespaces: {{=: t}}\nName: A\nProperties:\n  x: {{Contract: [$.int()], Usage: InOut, Default: [1, 2]}}\n\
             Methods:\n  m:\n    Usage: Action\n    Body:\n{body}      - Return: $.x\n"
        );
        let package = PackageSource::from_text("t", format, &[], &text).unwrap();
        let runtime = Runtime::builder().package(package).build().unwrap();
        let model = serde_json::json!({"?": {"type": "t.A", "id": "a"}});
        runtime.load_object(&Value::from(&model)).unwrap();
        let result = runtime.call_object("a", "m", Arguments::default(), Access::Action);
        result.map(|list| list.repr()).map_err(|error| category(&error))
    };
    let lists: [(&[&str], &str); 3] = [
        (&["$.x.append(): 3", "$.x.insert(1): 9"], "(1, 9, 2, 3)"),
        (&["$.x.insert(-1): 9", "$.x.insert(7): 8", "$.x.insert(-7): 0"], "(0, 1, 9, 2, 8)"),
        (&["$l: [[1]]", "$l[0].append(): 5", "$.x: $l[0]"], "(1, 5)"),
    ];
    for (statements, list) in lists {
        assert_eq!(run("1.0", statements).as_deref(), Ok(list), "{statements:?}");
    }
    assert_eq!(run("1.4", &["$.x.append(): 3"]), Err("YaqlNoMatchingFunction"));
    assert_eq!(run("1.0", &["$.x.append(): a"]), Err("ContractViolation"));
    assert_eq!(run("1.0", &["$.x.insert(a): 3"]), Err("Value"));
    assert_eq!(run("1.0", &["$y: 1", "$y.append(): 3"]), Err("Value"));
    assert_eq!(run("1.0", &["$.x.pop(): 3"]), Err("YaqlNoMatchingFunction"));
}

/// Loads an object of class `t.A`, and calls its method `m`.
fn called(classes: &str, model: &serde_json::Value) -> Result<Value, tosca_parse_yaql::Error> {
    let text = format!("Namespaces: {{=: t, e: io.murano.metadata.engine}}\nName: A\n{classes}");
    let package = PackageSource::from_text("t", "1.4", &[], &text).unwrap();
    let runtime = Runtime::builder().package(package).build().unwrap();
    runtime.load_object(&Value::from(model))?;
    runtime.call_object("a", "m", Arguments::default(), Access::Session)
}

#[test]
fn contracts_need_their_classes_even_for_null() {
    let model = serde_json::json!({"?": {"type": "t.A", "id": "a"}});
    for (contract, result) in [
        ("$.class(A)", Ok("null")),
        ("$.template(A)", Ok("null")),
        ("$.class(Nope)", Err("NoClass")),
        ("$.class(A, Nope)", Err("NoClass")),
        ("$.template(Nope)", Err("NoClass")),
    ] {
        let property =
            format!("Properties:\n  p:\n    Contract: {contract}\nMethods:\n  m:\n    Body:\n      Return: str($.p)\n");
        let argument = format!(
            "Methods:\n  m:\n    Arguments:\n      - p:\n          Contract: {contract}\n    Body:\n      Return: str($p)\n"
        );
        for classes in [property, argument] {
            let found = called(&classes, &model).map(|text| text.to_python()).map_err(|error| category(&error));
            assert_eq!(found.as_deref(), result.as_deref(), "{classes}");
        }
    }
}

#[test]
fn dumps_contain_ids_if_metadata_requires_them() {
    let model =
        serde_json::json!({"?": {"type": "t.A", "id": "a"}, "p": [{"?": {"type": "t.B", "id": "b"}}], "q": "b"});
    let dumped = |metadata: &str| {
        let classes = format!(
            "Properties:\n  p:\n    Contract: [$.class(B)]\n    Meta: {metadata}\n  q: {{Contract: $.class(B)}}\n\
             Methods:\n  m:\n    Body:\n      Return: dump($)\n---\nName: B\n"
        );
        let data = serde_json::to_value(called(&classes, &model).unwrap()).unwrap();
        (data["p"][0]["?"]["id"].clone(), data["q"]["?"]["id"].clone())
    };
    let b = serde_json::json!("b");
    assert_eq!(dumped("[]"), (b.clone(), serde_json::Value::Null));
    assert_eq!(dumped("{e:Serialize: {as: copy}}"), (b.clone(), serde_json::Value::Null));
    assert_eq!(dumped("{e:Serialize: {as: reference}}"), (serde_json::Value::Null, b));
}

#[test]
fn manifests_need_a_name_but_no_type() {
    let folder = std::env::temp_dir().join(format!("murano-manifests-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("Classes")).unwrap();
    std::fs::write(folder.join("Classes/A.yaml"), "Name: t.A\n").unwrap();
    let read = |text: &str| {
        std::fs::write(folder.join("manifest.yaml"), text).unwrap();
        PackageSource::from_folder(&folder).map(|package| package.name().to_owned()).map_err(|error| {
            let span = steps(&error).first().map(|step| step.span.clone());
            (category(&error), error.message().to_owned(), span)
        })
    };
    let name = "FullName: t\n";
    for right in [name.to_owned(), format!("{name}Type: Plugin\n"), format!("{name}Classes: {{t.A: A.yaml}}\n")] {
        assert_eq!(read(&right).as_deref(), Ok("t"), "{right}");
    }
    for (wrong, kind, message, span) in [
        ("Format: 1.4\n".to_owned(), "Yaml", "the manifest has no `FullName`", 0..12),
        (format!("{name}Version: x\n"), "Value", "`x` is not a version", 21..22),
        (format!("{name}Require: {{a: '>>1'}}\n"), "Value", "`>>1` is not a range of versions", 25..30),
        (format!("{name}Classes: {{t.B: B.yaml}}\n"), "Yaml", "can't read", 27..33),
        ("FullName: [\n".to_owned(), "Yaml", "", 0..0),
    ] {
        let (found, text, at) = read(&wrong).unwrap_err();
        assert!(found == kind && text.starts_with(message), "{wrong}: {found}: {text}");
        assert!(span.is_empty() || at == Some(span.clone()), "{wrong}: {at:?}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn packages_are_in_memory() {
    let files = |classes: &str| {
        let manifest = format!("Format: 1.4\nType: Library\nFullName: t\nClasses: {{ t.A: {classes} }}\n");
        let text = "Namespaces: { =: t, sys: io.murano.system }\nName: A\nMethods:\n  read:\n    Usage: Static\n    Arguments: [ { name: { Contract: $.string() } } ]\n    \
                    Body: [ { Return: new(sys:Resources).string($name) } ]\n";
        let files = [("manifest.yaml", &*manifest), ("Classes/A.yaml", text), ("Resources/a.txt", "hello")];
        files.map(|(name, text)| (name.to_owned(), text.to_owned()))
    };
    let runtime = Runtime::builder().package(PackageSource::from_files(files("A.yaml")).unwrap()).build().unwrap();
    assert_eq!((runtime.own_class_names(), runtime.check_classes().len()), (vec!["t.A".to_owned()], 0));
    let class = runtime.find_named("t.A").unwrap();
    let read = |name: &str| {
        let arguments = Arguments::new(vec![name.into()], Vec::new());
        runtime.call_class(&class, "read", arguments, Access::Session)
    };
    assert_eq!(read("a.txt").unwrap(), Value::from("hello"));
    assert!(read("../manifest.yaml").is_err() && read("b.txt").is_err());
    for inside in ["./A.yaml", "x/.././A.yaml"] {
        let runtime = Runtime::builder().package(PackageSource::from_files(files(inside)).unwrap()).build().unwrap();
        assert_eq!(runtime.check_classes().len(), 0, "{inside}");
    }
    for outside in ["../Classes/A.yaml", "/A.yaml", "x/../../Classes/A.yaml"] {
        let error = PackageSource::from_files(files(outside)).unwrap_err();
        assert!(error.to_string().contains("is not a path in the folder `Classes`"), "{error}");
    }
    let error = PackageSource::from_files(files("B.yaml")).unwrap_err();
    assert!(error.to_string().contains("the package has no file `Classes/B.yaml`"), "{error}");
    assert!(runtime.find_named("1/").is_err());
}

#[test]
fn models_have_unique_ids() {
    let text = "
Namespaces: { =: '', t: '' }
Name: A
Properties: { list: { Contract: [ $.class(A) ] }, any: { Contract: {} }, Objects: { Contract: $ } }
";
    let runtime = || {
        let package = PackageSource::from_text("t", "1.4", &[], text).unwrap();
        Runtime::builder().package(package).build().unwrap()
    };
    let object = |id: serde_json::Value| serde_json::json!({ "?": { "type": "A", "id": id } });
    let inline = |id: &str| serde_json::json!({ "t:A": {}, "id": id });
    let with = |items: [serde_json::Value; 2]| {
        let mut model = object("r".into());
        model["list"] = items.to_vec().into();
        model
    };
    let errors = |model: &serde_json::Value| {
        let value = Value::from(model);
        assert!(runtime().load_object(&value).is_ok(), "the last one counts");
        let envelope = Value::from(&serde_json::json!({ "Objects": model }));
        let errors = [runtime().load_model(&value).err(), runtime().load_model(&envelope).err()];
        errors.into_iter().map(|error| error.map(|error| error.message().to_owned())).collect::<Vec<_>>()
    };
    let mut property = with([inline("a"), inline("b")]);
    property["Objects"] = 1.into();
    property["any"] = serde_json::json!({ "x": { "id": "a" }, "y": { "id": "a" } });
    let addresses = serde_json::json!([{ "http://x": {}, "id": 1 }, { "http://y": {}, "id": 1 }]);
    let mut saved = serde_json::json!({ "Objects": with([object("a".into()), object("b".into())]) });
    saved["Objects"]["any"] = serde_json::json!({ "addresses": addresses });
    saved["ObjectsCopy"] = saved["Objects"].clone();
    assert!(runtime().load_model(&Value::from(&saved)).is_ok());
    for unique in [with([object("a".into()), object("b".into())]), with([object("a".into()), "a".into()]), property] {
        assert_eq!(errors(&unique), [None, None], "{unique}");
    }
    for (first, second, id) in [
        (object("a".into()), object("a".into()), "a"),
        (object("a".into()), object("r".into()), "r"),
        (object(1.into()), object("1".into()), "1"),
        (inline("a"), object("a".into()), "a"),
        (inline("r"), inline("b"), "r"),
    ] {
        let model = with([first, second]);
        let expected = Some(format!("two objects have the id `{id}`"));
        assert_eq!(errors(&model), vec![expected; 2], "{model}");
    }
    // A value that occurs twice is one object.
    let shared = Value::from(&object("a".into()));
    let list = Value::list(vec![shared.clone(), shared]);
    let header = Value::from(&serde_json::json!({ "type": "A", "id": "r" }));
    assert!(runtime().load_model(&Value::dict([("?".into(), header), ("list".into(), list)])).is_ok());
}

#[test]
fn json_has_a_limited_depth() {
    let deep = |depth| (0..depth).fold(serde_json::json!({}), |inner, _| serde_json::json!({ "x": inner })).to_string();
    let message = "values are nested more than 500 levels deep";
    assert_eq!(Value::read_json(&deep(600)).unwrap_err().message(), message);
    assert!(Value::read_json(&deep(499)).is_ok() && Arguments::read_json(&deep(499)).is_ok());
    assert_eq!(Arguments::read_json(&deep(501)).unwrap_err().message(), message);
    assert_eq!(Arguments::read_json(&format!("[{}]", deep(500))).unwrap_err().message(), message);
}

/// Runs on a thread with a small stack, which recursion over thousands of classes would exceed.
fn on_small_stack(work: fn()) {
    std::thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap().join().unwrap();
}

#[test]
fn chains_of_classes_have_any_length() {
    on_small_stack(|| {
        const CLASSES: usize = 3000;
        for heirs_first in [true, false] {
            let class = |i: usize| {
                let extends = if i == 0 { String::new() } else { format!("Extends: C{}\n", i - 1) };
                let m =
                    if i.is_multiple_of(100) { format!("  m: {{ Body: {{ Return: {i} }} }}\n") } else { String::new() };
                format!(
                    "Namespaces: {{ =: t }}\nName: C{i}\n{extends}Methods:\n{m}  m{i}: {{ Body: {{ Return: {i} }} }}\n"
                )
            };
            let mut classes: Vec<String> = (0..CLASSES).map(class).collect();
            if heirs_first {
                classes.reverse();
            }
            let package = PackageSource::from_text("t", "1.4", &[], &classes.join("---\n")).unwrap();
            let runtime = Runtime::builder().package(package).build().unwrap();
            assert_eq!(runtime.check_classes().len(), 0);
            let last = format!("t.C{}", CLASSES - 1);
            let object = serde_json::json!({ "?": { "type": last, "id": "o" } });
            runtime.load_model(&Value::from(&object)).unwrap();
            let call = |name: &str| runtime.call_object("o", name, Arguments::default(), Access::Session).unwrap();
            assert_eq!([call("m0"), call("m")], [Value::integer(0), Value::integer(CLASSES - 100)]);
            // The class outlives the runtime.
            let class = runtime.find_type(&TypeName::parse(&last).unwrap()).unwrap();
            drop(runtime);
            assert_eq!(class.ancestors().len(), CLASSES);
        }
    });
}

#[test]
fn problem_of_an_ancestor_is_the_problem_of_all_its_heirs() {
    let class = |i: usize| format!("Namespaces: {{ =: t }}\nName: C{i}\nExtends: C{}\n", i + 1);
    let text = (0..500).map(class).collect::<Vec<_>>().join("---\n");
    let package = PackageSource::from_text("t", "1.4", &[], &text).unwrap();
    let runtime = Runtime::builder().package(package).build().unwrap();
    let errors = runtime.check_classes();
    assert_eq!(errors.len(), 500);
    for (name, error) in errors {
        assert_eq!(error.message(), "Class \"t.C500\" is not found in io.murano/0.0.0, t/0.0.0", "{name}");
        assert_eq!(steps(&error).len(), 1, "{name}");
    }
}

/// Each class inherits the metadata of the classes above it, but checks only its own.
#[test]
fn metadata_of_chains_is_checked_once() {
    let chain = |count: usize, last: &str| {
        let mut text = "Namespaces: {=: t}\nName: M\nUsage: Meta\nCardinality: Many\nInherited: true\nProperties:\n  \
                        n: {Contract: $.int().notNull()}\n"
            .to_owned();
        for i in 0..count {
            let (parent, n) =
                if i + 1 == count { ("io.murano.Object".to_owned(), last) } else { (format!("C{}", i + 1), "1") };
            text.extend(["---\nName: C", &i.to_string(), "\nExtends: ", &parent, "\nMeta: {M: {n: ", n, "}}\n"]);
        }
        let package = PackageSource::from_text("t", "1.4", &[], &text).unwrap();
        Runtime::builder().package(package).build().unwrap()
    };
    let steps = |count| {
        let runtime = chain(count, "1");
        assert_eq!(runtime.check_classes().len(), 0);
        runtime.meter().steps()
    };
    let (few, many) = (steps(50), steps(200));
    assert!(many < few * 5, "{few} steps for 50 classes, {many} for 200");
    // Invalid metadata is inherited, too.
    assert_eq!(chain(20, "x").check_classes().len(), 20);
    let runtime = chain(3, "null");
    let errors: Vec<String> = runtime.check_classes().iter().map(|(_, error)| error.to_string()).collect();
    assert_eq!(errors.len(), 3, "{errors:?}");
    assert!(errors.iter().all(|error| error.contains("notNull")), "{errors:?}");
}

#[test]
fn invalid_metadata_can_be_replaced() {
    let text = "Namespaces: {=: t}\nName: M\nUsage: Meta\nInherited: true\nProperties:\n  n: {Contract: $.int().notNull()}\n\
                ---\nName: A\nMeta: {M: {}}\n---\nName: B\nExtends: A\n---\nName: C\nExtends: B\nMeta: {M: {n: 1}}\n\
                ---\nName: D\nExtends: C\n";
    let package = PackageSource::from_text("t", "1.4", &[], text).unwrap();
    let runtime = Runtime::builder().package(package).build().unwrap();
    let mut invalid: Vec<String> = runtime.check_classes().into_iter().map(|(name, _)| name).collect();
    invalid.sort();
    assert_eq!(invalid, ["t.A", "t.B"]);
}

#[test]
fn templates_leave_out_excluded_paths() {
    let text = "Namespaces: {=: t}
Name: Part
Properties:
  n: {Contract: $.int()}
  m: {Contract: $.int().notNull()}
  part: {Contract: $.class(Part)}
---
Name: A
Properties:
  whole:
    Contract: $.template(Part, excludeProperties => [n, 'part.m', 'part.part.n'])
Methods:
  keys:
    Body:
      - $w: $.whole
      - Return: !yaql \"[$w, $w.part, $w.part.part].select($.keys().where($ != '?').orderBy($))\"
  keysOfObject:
    Body:
      - $w: new(Part, m => 1, part => new(Part, m => 2))
      - Return: !yaql '$.convert($w).keys().orderBy($)'
  convert:
    Arguments:
      - w:
          Contract: $.template(Part, excludeProperties => [m])
    Body: [{Return: $w}]
";
    let package = PackageSource::from_text("t", "1.4", &[], text).unwrap();
    let runtime = Runtime::builder().package(package).build().unwrap();
    let model = serde_json::json!({ "Objects": {
        "?": { "type": "t.A", "id": "a" },
        "whole": {
            "?": { "type": "t.Part", "id": "1" }, "n": "excluded", "m": 1,
            "part": {
                "?": { "type": "t.Part", "id": "2" }, "n": 2, "m": "excluded",
                "part": { "?": { "type": "t.Part", "id": "3" }, "n": "excluded", "m": 3 },
            },
        },
    } });
    let error = runtime.load_model(&Value::from(&model)).err().map(|error| error.to_string());
    assert_eq!(error, None);
    let call = |name: &str| runtime.call_object("a", name, Arguments::default(), Access::Session).unwrap();
    let names = |names: &[&str]| Value::list(names.iter().copied().map(Value::from).collect());
    assert_eq!(call("keys"), Value::list(vec![names(&["m", "part"]), names(&["n", "part"]), names(&["m", "part"])]));
    assert_eq!(call("keysOfObject"), names(&["?", "n", "part"]));
}
