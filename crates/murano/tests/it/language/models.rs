//! Models are compared with their classes.

use serde_json::{Value as Json, json};
use tosca_parse::Outcome;
use tosca_parse_engine as tosca_parse;
use tosca_parse_murano::language::MURANO;
use tosca_parse_murano::{PackageSource, Runtime};

use super::{all, errors, parse, shown};
use crate::cases::{Tally, folder, read};

/// Parses a model in the folder of a package that has one file of classes.
fn parse_model(text: &str, model: &Json) -> Outcome {
    let package = PackageSource::from_text("t", "1.4", &[], text).unwrap();
    let runtime = Runtime::builder().package(package).build().unwrap();
    let package = runtime.packages().iter().find(|package| package.origin.name == "t").unwrap();
    let classes: Vec<_> = package.class_names().map(|name| format!("  {name}: a.yaml\n")).collect();
    let manifest = format!("Format: 1.4\nType: Library\nFullName: t\nClasses:\n{}", classes.concat());
    let model = model.to_string();
    parse(&[("p/manifest.yaml", &manifest), ("p/Classes/a.yaml", text), ("p/model.json", &model)], "p/model.json")
}

const SHOPS: &str = "Namespaces: { =: t }
Name: Shop
Properties:
  size: { Contract: $.int().notNull() }
  prices: { Contract: { $.string(): [ $.int().notNull() ] } }
  next: { Contract: $.class(Shop) }
";

#[test]
fn a_model_is_compared_with_its_classes() {
    let shop = |id: &str, rest: Json| {
        let mut object = json!({ "?": { "type": "t.Shop", "id": id }, "size": 1 });
        object.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        object
    };
    let found = |model: Json| all(&parse_model(SHOPS, &model));
    assert_eq!(found(shop("a", json!({ "next": shop("b", json!({ "next": "a" })) }))), [""; 0]);
    let deep = shop("a", json!({ "next": shop("b", json!({ "prices": { "tea": [1, "x"] } })) }));
    let [problem] = &found(deep)[..] else { panic!() };
    assert!(problem.starts_with("M5001 `\"x\"`: ") && problem.contains("int"), "{problem}");
    let problem = &found(shop("a", json!({ "next": "nobody" })))[0];
    assert!(problem.starts_with("M5002 `\"nobody\"`: "), "{problem}");
    let lacking = found(json!({ "?": { "type": "t.Shop", "id": "a" } }));
    assert!(lacking.len() == 1 && lacking[0].starts_with("M5001 `\"?\"`: "), "{lacking:?}");
    let unknown = found(json!({ "?": { "type": "t.Shopp", "id": "a" }, "siez": 1 }));
    assert_eq!(unknown, ["T2001 `\"t.Shopp\"`: there is no class `t.Shopp`"]);
    let ignored = found(json!({ "Objects": shop("a", json!({ "siez": 1 })) }));
    assert_eq!(ignored, ["M5004 `\"siez\"`: class `t.Shop` has no property `siez`: the value is ignored"]);
}

/// Violations in maps and lists are at the part of the value that is wrong, and name the part of the contract.
#[test]
fn violations_in_maps_name_the_key() {
    let classes = "Namespaces: { =: t }
Name: Net
Properties:
  networks:
    Contract:
      useEnvironmentNetwork: $.bool().notNull()
      useFlatNetwork: $.bool().notNull()
      custom:
        - name: $.string().notNull()
          size: $.int()
      limits: { $.int(): $.int() }
      $.string().check(len($) > 2): $.string()
";
    let judge = |networks: Json| {
        let outcome = parse_model(classes, &json!({ "?": { "type": "t.Net", "id": "a" }, "networks": networks }));
        let [problem] = &outcome.diagnostics[..] else { panic!("{:?}", all(&outcome)) };
        let related = problem.related.iter().map(|related| {
            let text = outcome.sources.get(related.span.source).unwrap().text();
            text[related.span.start as usize..related.span.end as usize].to_owned()
        });
        let related: Vec<String> = related.collect();
        let help: Vec<String> = problem.help.iter().map(ToString::to_string).collect();
        let place = shown(problem, &outcome).split(": ").next().unwrap().to_owned();
        (place, related.join("; "), help.join("; "))
    };
    let with = |key: &str, value: Json| {
        let mut networks = json!({ "useEnvironmentNetwork": true, "useFlatNetwork": false });
        networks[key] = value;
        judge(networks)
    };
    for ((place, related, help), (at, contract, advice)) in [
        (
            judge(json!({ "useEnvironmentNetwork": true })),
            ("\"networks\"", "useFlatNetwork", "add the key `useFlatNetwork`: its contract takes a boolean, not null"),
        ),
        (
            with("custom", json!([{ "name": "a" }, { "size": 1 }])),
            ("\"custom\"", "name", "add the key `name`: its contract takes a string, not null"),
        ),
        (with("custom", json!([{ "name": "a", "size": "big" }])), ("\"big\"", "size", "the contract takes an integer")),
        (with("limits", json!({ "1": "x" })), ("\"x\"", "$.int()", "the contract takes an integer")),
        (with("limits", json!({ "y": 1 })), ("\"y\"", "$.int()", "the contract takes an integer")),
        (
            with("ab", json!("c")),
            ("\"ab\"", "$.string().check(len($) > 2)", "the contract takes a string that fulfills `len($) > 2`"),
        ),
    ] {
        assert_eq!((place, &*related, &*help), (format!("M5001 `{at}`"), contract, advice));
    }
}

/// A version that no package has is a problem of the header.
#[test]
fn versions_in_headers_are_compared_with_packages() {
    let found = |ty: &str| {
        let outcome = parse_model(
            SHOPS,
            &json!({ "?": { "type": "t.Shop", "id": "a" }, "size": 1, "next":
            { "?": { "type": ty, "id": "b" }, "size": 2 } }),
        );
        let root = parse_model(SHOPS, &json!({ "?": { "type": ty, "id": "a" }, "size": 1 }));
        assert_eq!(all(&outcome), all(&root));
        all(&root)
    };
    assert_eq!(found("t.Shop/0.0.0"), [""; 0]);
    assert_eq!(
        found("t.Shop/99"),
        ["M5003 `\"t.Shop/99\"`: package for class \"t.Shop\" is not found in version 99; there is 0.0.0"]
    );
    assert_eq!(
        found("t.Shop/99@t"),
        ["M5003 `\"t.Shop/99@t\"`: package \"t\" is not found in version 99; there is 0.0.0"]
    );
    assert_eq!(found("t.Shop/zz"), ["M5003 `\"t.Shop/zz\"`: invalid version or requirement on versions: 'zz'"]);
}

/// Numbers with exponents are numbers in JSON, but text in YAML.
#[test]
fn numbers_that_are_no_integers_are_explained() {
    let found = |file: &str, size: &str| {
        let manifest = "Format: 1.4\nType: Library\nFullName: t\nClasses: { t.Shop: a.yaml }\n";
        let model = format!("{{\"?\": {{\"type\": \"t.Shop\", \"id\": \"a\"}}, \"size\": {size}}}");
        // A comment is not JSON.
        let model = if file.ends_with("yaml") { format!("# A model\n{model}") } else { model };
        all(&parse(&[("manifest.yaml", manifest), ("Classes/a.yaml", SHOPS), (file, &model)], file))
    };
    for (file, size) in [("model.json", "1e400"), ("model.yaml", "1e300"), ("model.yaml", "'1.5'")] {
        let found = found(file, size);
        assert!(found.len() == 1 && found[0].contains("it is too large or not an integer"), "{found:?}");
    }
    for size in ["1e3", "1e300", "1.5"] {
        assert_eq!(found("model.json", size), [""; 0], "{size}");
    }
    let word = &found("model.json", "\"1e3x\"")[0];
    assert!(word.ends_with("violates int() contract"), "{word}");
}

/// A problem does not hide others, and its consequences are not reported.
#[test]
fn all_problems_of_a_model_are_reported() {
    let classes = "Namespaces: { =: t }
Name: Shop
Properties:
  size: { Contract: $.int().notNull() }
  twice: { Contract: $.int(), Default: $.size * 2 }
  word: { Contract: $.string().check(len($) > 2) }
  next: { Contract: $.class(Shop) }
Methods:
  .init:
    Body: [ { Throw: Never, Message: never } ]
";
    let next = json!({ "?": { "type": "t.Shop", "id": "b" }, "word": "a", "next": "nobody" });
    let model = json!({ "?": { "type": "t.Shop", "id": "a" }, "size": "x", "word": "b", "next": next });
    let outcome = parse_model(classes, &model);
    let found: Vec<_> = outcome.diagnostics.iter().map(|problem| shown(problem, &outcome)).collect();
    let places: Vec<_> = found.iter().map(|problem| problem.split(": ").next().unwrap()).collect();
    // A missing `size` is reported at the header.
    assert_eq!(
        places,
        ["M5001 `\"x\"`", "M5001 `\"b\"`", "M5001 `\"?\"`", "M5001 `\"a\"`", "M5002 `\"nobody\"`",],
        "{found:#?}"
    );
    assert!(outcome.diagnostics.iter().all(|problem| problem.related.len() == 1), "{:#?}", outcome.diagnostics);
    // If everything is right, initialization begins.
    let right = json!({ "?": { "type": "t.Shop", "id": "a" }, "size": 1, "word": "abc" });
    let found = all(&parse_model(classes, &right));
    assert!(found.len() == 1 && found[0].contains("never"), "{found:?}");
}

/// Properties that the host configures are not missing from models.
#[test]
fn configured_properties_may_be_missing() {
    let classes = |usage: &str| {
        format!(
            "Namespaces: {{ =: t }}
Name: Shop
Properties:
  region: {{ Contract: $.string().notNull(), Usage: {usage} }}
  where: {{ Contract: $.string(), Default: $.region.toUpper() }}
Methods:
  .init:
    Body: [ {{ $x: $.region.toUpper() }} ]
"
        )
    };
    let model = json!({ "?": { "type": "t.Shop", "id": "a" } });
    assert_eq!(all(&parse_model(&classes("Config"), &model)), [""; 0]);
    let found = all(&parse_model(&classes("In"), &model));
    assert!(found.len() == 1 && found[0].starts_with("M5001"), "{found:?}");
}

/// Models that the reference can't load are errors; all others are valid.
#[test]
fn models_are_judged_as_by_the_reference() {
    let Some(folder) = folder() else { return };
    let shared: Json = serde_json::from_slice(&std::fs::read(folder.join("shared.json")).unwrap()).unwrap();
    let mut tally = Tally::new("model, on the engine");
    for case in read(&folder, "public/model.json") {
        let needs_more = |key: &str| case.get(key).is_some_and(|value| !value.is_null());
        if ["configs", "calls_before"].into_iter().any(needs_more) {
            continue;
        }
        let model = json!({ "Objects": case["model"], "Attributes": case["attributes"] });
        let outcome = parse_model(shared["model_text"].as_str().unwrap(), &model);
        let (errors, is_loaded) = (errors(&outcome), case["expected"].get("ok").is_some());
        let id = case["id"].as_str().unwrap();
        // In the reference, the second object with an ID replaces the first one.
        let agrees = errors.is_empty() == is_loaded || id == "model-28" && errors[0].starts_with("M5005 ");
        tally.add(id, if agrees { Ok(()) } else { Err(format!("{errors:?} instead of {}", case["expected"])) });
    }
    tally.finish(1.0);
}

#[test]
fn values_of_objects_without_a_type_can_be_ignored() {
    let classes = "
Namespaces: { =: t }
Name: A
Properties:
  k: { Contract: $.class(K).notNull() }
  l: { Contract: [ $.class(K), 0, 3 ] }
  m: { Contract: { one: $.int(), $.string(): $.class(K) } }
  o:
    Contract: $.class(K, L)
  any: { Contract: {} }
  i: { Contract: $.class(I) }
  p:
    Contract: $.class(K, versionSpec => '>=0').check(not ($ is I))
  n:
    Contract: $.class(K, null).check(not ($ is I))
---
Name: K
Properties: { v: { Contract: $.int() }, k: { Contract: $.class(K) }, r: { Contract: $, Usage: Runtime } }
---
Name: L
Extends: K
Properties: { w: { Contract: $.int() } }
---
Name: I
Methods: { .init: { Arguments: [ q: { Contract: $ } ], Body: [] } }
";
    let ignored = |key: &str, value: Json| {
        let mut model = json!({ "?": { "type": "t.A", "id": "a" }, "k": {} });
        model[key] = value;
        let outcome = parse_model(classes, &model);
        let codes: Vec<&str> = outcome.diagnostics.iter().map(|problem| problem.rule.code).collect();
        assert!(codes.iter().all(|code| *code == "M5004"), "{codes:?}");
        codes.len()
    };
    for (key, value, count) in [
        ("k", json!({ "v": 1, "k": { "v": 2 } }), 0),
        ("k", json!({ "nope": 1, "k": { "nope": 2, "r": 3 } }), 3),
        ("k", json!({ "?": { "id": "b" }, "nope": 1 }), 1),
        ("k", json!({ "?": { "type": "t.L" }, "w": 1, "nope": 1 }), 1),
        ("l", json!([{ "v": 1 }, { "nope": 1 }, { "?": { "id": "b" }, "nope": 1 }]), 2),
        ("m", json!({ "one": 1, "two": { "nope": 1 } }), 1),
        ("o", json!({ "w": 1 }), 0),
        ("p", json!({ "v": 1 }), 0),
        ("n", json!({ "v": 1 }), 0),
        ("o", json!({ "nope": 1 }), 1),
        ("any", json!({ "nope": 1 }), 0),
        ("i", json!({ "q": 1 }), 0),
        ("i", json!({ "q": 1, "nope": 1 }), 1),
    ] {
        assert_eq!(ignored(key, value.clone()), count, "{key}: {value}");
    }
}

#[test]
fn models_have_unique_ids() {
    let classes = "Namespaces: { =: t }\nName: A\nProperties:\n  n: { Contract: $.int().notNull().check($ > 0), Default: 1 }\n  r: { Contract: $, Usage: Runtime }\n  c: { Contract: $, Usage: Config }\n  k: { Contract: $.class(K) }\n  l: { Contract: [ $.class(A) ] }\n---\nName: K\n";
    let header = |class: &str, id: &str| json!({ "type": format!("t.{class}"), "id": id });
    for (model, expected) in [
        (json!({ "?": header("A", "a"), "l": [{ "?": header("A", "b") }, "b"] }), &[][..]),
        (json!({ "?": header("A", "a"), "l": [{ "?": header("A", "a") }] }), &["M5005 "]),
        (json!({ "?": header("A", "a"), "k": { "?": header("K", "a") } }), &["M5005 "]),
        (json!({ "?": header("A", "a"), "r": 1, "c": 1 }), &["M5004 "; 4]),
    ] {
        let outcome = parse_model(classes, &json!({ "Objects": model, "ObjectsCopy": model }));
        let codes: Vec<String> = outcome.diagnostics.iter().map(|problem| format!("{} ", problem.rule.code)).collect();
        assert_eq!(codes, expected, "{model}");
    }
    let outcome =
        parse_model(classes, &json!({ "Objects": { "?": header("A", "a"), "n": 0, "k": "b" }, "Attributes": [] }));
    let help: Vec<&str> =
        outcome.diagnostics.iter().flat_map(|problem| problem.help.iter()).map(AsRef::as_ref).collect();
    assert!(help.iter().any(|help| help.contains("an integer that fulfills `$ > 0`, not null")), "{help:?}");
    assert!(help.iter().any(|help| help.contains('a')), "{help:?}");
}

#[test]
fn models_are_recognized_by_headers_without_quotes() {
    for (model, is_model) in [
        ("Objects:\n  ?: { type: a.A, id: x }\n", true),
        ("?:\n  type: a.A\n  id: x\n", true),
        ("{ ?: { type: a.A, id: x } }\n", true),
        ("- ?: { type: a.A }\n", true),
        ("who?: { type: a.A, id: x }\n", false),
        ("text: what is ?:\n", false),
    ] {
        assert_eq!((MURANO.claims)("model.yaml", model), is_model, "{model}");
    }
    let class = ("a.yaml", "Namespaces: { =: a }\nName: A\n");
    let outcome = parse(&[class, ("model.yaml", "Objects:\n  ?: { type: a.A, id: x }\n")], "model.yaml");
    assert!(all(&outcome).iter().all(|problem| !problem.starts_with("T1")), "{:?}", all(&outcome));
}
