//! Agreement of schemas with contracts.

use serde_json::{Value as Json, json};
use tosca_parse_murano::{PackageSource, Runtime, Style, TypeName};
use tosca_parse_yaql::Value;

/// Returns the schema of a class in a package, or of one of its methods.
fn schema(text: &str, class: &str, method: &str) -> Json {
    let package = PackageSource::from_text("t", "1.4", &[], text).unwrap();
    let runtime = Runtime::builder().package(package).build().unwrap();
    let class = runtime.find_type(&TypeName::parse(class).unwrap()).unwrap();
    runtime.schemas(&class, &[method.to_owned()], Style::Correct).unwrap()[method].take()
}

#[test]
fn conditions_become_keywords() {
    for (contract, expected) in [
        ("$.string().check(len($) = 3)", json!({ "type": "string", "minLength": 3, "maxLength": 3 })),
        ("$.int().check($ != 3)", json!({ "type": ["integer", "null"], "not": { "enum": [3] } })),
        ("$.string().check($ = a or $ = b)", json!({ "type": "string", "enum": ["a", "b"] })),
        ("$.string().check($ = null or $ in [a, b])", json!({ "type": ["string", "null"], "enum": [null, "a", "b"] })),
        ("$.string().check($ in [a, b] or $ in [b, c] or $ = a)", json!({ "type": "string", "enum": ["a", "b", "c"] })),
        (
            "$.int().check($ > 1 and $ > 2 and $ <= 9)",
            json!({
                "type": "integer", "minimum": 2, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false,
            }),
        ),
        (
            "$.string().notNull().check($.matches('(?P<x>a)'), 'letters')",
            json!({
                "type": "string", "pattern": "(a)", "errorMessage": "letters",
            }),
        ),
        ("$.string().notNull().check($.matches('(?i)a'))", json!({ "type": "string" })),
        ("$.string().notNull().check($ =~ '^[a-z]+$')", json!({ "type": "string", "pattern": r"^[a-z]+\n?$" })),
        (
            "$.int().notNull().check(not ($ < 2 or not not ($ > 9)))",
            json!({
                "type": "integer", "minimum": 2, "exclusiveMinimum": false, "maximum": 9, "exclusiveMaximum": false,
            }),
        ),
        ("$.string().check(not len($) = 2)", json!({ "type": "string", "not": { "minLength": 2, "maxLength": 2 } })),
        ("$.string().check(not len($))", json!({ "type": "string", "minLength": 0, "maxLength": 0 })),
        ("$.string().check(len($) in [2, 3, 4])", json!({ "type": "string", "minLength": 2, "maxLength": 4 })),
        (
            "$.string().check(len($) in [2, 4])",
            json!({ "type": "string", "anyOf": [{ "minLength": 2, "maxLength": 2 }, { "minLength": 4, "maxLength": 4 }] }),
        ),
        ("$.bool().check($ = 1)", json!({ "type": "boolean", "enum": [true] })),
        ("$.bool().notNull().check($ != 0)", json!({ "type": "boolean", "enum": [true] })),
        ("$.bool().check($ != 1)", json!({ "type": ["boolean", "null"], "enum": [false, null] })),
        ("$.int().check($ in [true, 5])", json!({ "type": "integer", "enum": [1, 5] })),
        ("$.bool().notNull().check($ > 0)", json!({ "type": "boolean", "not": {} })),
    ] {
        let text = format!("Namespaces: {{=: t}}\nName: A\nProperties:\n  p: {{ Contract: !yaql {contract:?} }}\n");
        let mut schema = schema(&text, "t.A", "");
        let mut field = schema["properties"]["p"].take();
        field.as_object_mut().unwrap().remove("title");
        assert_eq!(field, expected, "{contract}");
    }
}

#[test]
fn secrets_have_no_defaults() {
    let text = "Name: t.A
Properties:
  password: {Contract: $.string().notNull(), Default: s3cret}
  apiToken: {Contract: $.string(), Default: s3cret}
  tokens: {Contract: $.int(), Default: 3}
  word: {Contract: $.string(), Default: open}
";
    let fields = schema(text, "t.A", "")["properties"].take();
    assert!(!fields.to_string().contains("s3cret"), "{fields}");
    for (name, is_secret) in [("password", true), ("apiToken", true), ("tokens", false), ("word", false)] {
        let field = &fields[name];
        assert_eq!((field["format"] == "password", field.get("default").is_none()), (is_secret, is_secret), "{field}");
    }
}

/// Nested alternatives would be copied at each level.
#[test]
fn alternatives_are_one_list() {
    let text = "Name: t.A\nProperties:\n  p: {Contract: $.int().check($ > 9 or $ = 1 or $ < 0 or $ = 5)}\n";
    let schema = schema(text, "t.A", "");
    let alternatives = schema["properties"]["p"]["anyOf"].as_array().unwrap();
    assert_eq!(alternatives.len(), 4, "{schema}");
    assert!(alternatives.iter().all(|one| one.get("anyOf").is_none()), "{schema}");
}

#[test]
fn actions_and_constant_properties_have_schemas() {
    let text = "\
Namespaces: {=: t, m: io.murano.metadata}
Name: A
Properties:
  zone: {Contract: $.string().notNull(), Usage: Const}
  size: {Contract: $.int().notNull(), Default: 1, Meta: {m:Position: {index: 2, section: s}}}
  part: {Contract: $.class(A).check($.size > 2 and $.part.zone = b)}
Methods:
  scale:
    Scope: Public
    Arguments:
      - by: {Contract: $.int().notNull()}
      - why: {Contract: $.string()}
    Body: []
  build:
    Usage: Static
    Scope: Public
    Meta: m:ModelBuilder
    Arguments:
      - model: {Contract: {}}
    Body: []
  hidden: {}
";
    let class = schema(text, "t.A", "");
    assert_eq!(class["required"], json!(["zone", "part"]), "null has no size");
    assert_eq!(class["properties"]["size"]["formSection"], "s");
    // A missing size is 1.
    let context = json!({ "properties": {
        "size": { "type": "number", "minimum": 2, "exclusiveMinimum": true },
        "part": { "properties": { "zone": { "enum": ["b"] } }, "required": ["zone"] },
    }, "required": ["part"] });
    assert_eq!(class["properties"]["part"]["context"], context);
    let scale = schema(text, "t.A", "scale");
    assert_eq!((&scale["required"], &scale["properties"]["by"]["type"]), (&json!(["by"]), &json!("integer")));
    assert_eq!(schema(text, "t.A", "build")["properties"], json!({}));
    let package = PackageSource::from_text("t", "1.4", &[], text).unwrap();
    let runtime = Runtime::builder().package(package).build().unwrap();
    let class = runtime.find_type(&TypeName::parse("t.A").unwrap()).unwrap();
    let all = runtime.schemas(&class, &[], Style::Correct).unwrap();
    assert_eq!(all.as_object().unwrap().keys().collect::<Vec<_>>(), ["", "build"]);
    let error = runtime.entrance(&class, "scal").err().unwrap().to_string();
    assert!(error.contains("no action or model builder `scal`") && error.contains("did you mean `scale`?"), "{error}");
}

/// Pseudorandom numbers, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    fn condition(&mut self, atoms: &[&str], depth: usize) -> String {
        if depth == 0 || self.below(3) == 0 {
            let not = self.of(&["", "", "not ", "not not "]);
            return format!("{not}{}", self.of(atoms));
        }
        if self.below(5) == 0 {
            return format!("not {}", self.condition(atoms, depth - 1));
        }
        let operator = self.of(&["and", "or"]);
        format!("({} {operator} {})", self.condition(atoms, depth - 1), self.condition(atoms, depth - 1))
    }

    /// Returns a contract whose conditions match its type. Others would fail, and those after them would not be tried.
    fn contract(&mut self) -> String {
        const OF_NUMBERS: &[&str] = &[
            "$ > 2",
            "$ >= 3",
            "5 > $",
            "$ <= 4",
            "$ != 3",
            "$ = 4",
            "$ in list(1, 3, null)",
            "$ = true",
            "$ in list(false, 5)",
            "$",
        ];
        const OF_STRINGS: &[&str] = &[
            "len($)",
            "len($) = 3",
            "len($) < 3",
            "len($) != 2",
            "len($) in [1, 3]",
            "len($) in [true, 2, x]",
            "2 <= len($)",
            "$.matches('^[a-c]+$')",
            r"$.matches('b\\Z')",
            "$ =~ '(a$|^.b)'",
            "$ =~ '^[[:ab:]]$'",
            r"$ =~ '^[\\w-]+$'",
            "$ =~ '^[a&&b]*$'",
            "$ =~ 'b'",
            "$ !~ '^a'",
            "$ =~ 'c$'",
            "$.startsWith('a')",
            "$.startsWith(a, x)",
            "$.endsWith('c', 'x')",
            "$.endsWith(b)",
            "$ = abc",
            "$ != ab",
            "$ in [ab, abc]",
            "$ = null",
        ];
        const OF_ANY: &[&str] =
            &["$ = 3", "$ != ab", "$ in list(abc, 5, null)", "$", "$ = 1", "$ != false", "$ in list(true, ab)"];
        let types = [
            ("$", OF_ANY),
            ("$.int()", OF_NUMBERS),
            ("$.string()", OF_STRINGS),
            ("$.bool()", OF_ANY),
            ("$.int()", OF_ANY),
        ];
        let (ty, atoms) = types[self.below(types.len())];
        let mut contract = ty.to_owned();
        if self.below(2) == 0 {
            contract.push_str(".notNull()");
        }
        if self.below(4) > 0 {
            contract.extend([".check(", &self.condition(atoms, 2), ")"]);
        }
        match self.below(6) {
            0 => format!("[\"!yaql\", {contract:?}, 1, 2]"),
            _ => contract,
        }
    }
}

/// Returns a class that has a property with the contract, quoted so that YAML doesn't interpret it.
fn with_property(contract: &str) -> String {
    let contract = match contract.strip_prefix("[\"!yaql\", ").and_then(|rest| rest.strip_suffix(", 1, 2]")) {
        Some(item) => format!("[ !yaql {item}, 1, 2 ]"),
        None => format!("!yaql {contract:?}"),
    };
    format!("Namespaces: {{=: t}}\nName: A\nProperties:\n  p: {{ Contract: {contract} }}\n")
}

/// Murano accepts each value that a schema accepts. A schema accepts each value that Murano accepts and keeps unchanged.
#[test]
fn schemas_agree_with_contracts() {
    let mut values: Vec<Option<Json>> = vec![None];
    let given = json!([null, true, false, "abc\n", "b\n", "a]", "a&b", "é-", 0, 1, 3, 4, 5, 9, "", "a", "ab", "abc", "x", [], [1], ["abc"], [3, 4], {}, { "a": 1 }]);
    values.extend(given.as_array().into_iter().flatten().cloned().map(Some));
    let mut numbers = Numbers(7);
    for _ in 0..400 {
        let contract = numbers.contract();
        let package = PackageSource::from_text("t", "1.4", &[], &with_property(&contract)).unwrap();
        let runtime = Runtime::builder().package(package).build().unwrap();
        let class = runtime.find_type(&TypeName::parse("t.A").unwrap()).unwrap();
        let schema = runtime.schemas(&class, &[], Style::Correct).unwrap()[""].take();
        let validator = jsonschema::draft4::new(&schema).unwrap();
        for value in &values {
            runtime.meter().restart();
            let fields: serde_json::Map<_, _> = value.iter().map(|value| ("p".to_owned(), value.clone())).collect();
            let is_valid = validator.is_valid(&fields.clone().into());
            let mut model = json!({ "?": { "type": "t.A", "id": "a" } });
            model.as_object_mut().unwrap().extend(fields);
            let loaded = runtime.load_object(&Value::from(&model));
            let kept = loaded
                .as_ref()
                .ok()
                .and_then(|object| object.property("p"))
                .map(|kept| serde_json::to_value(kept).unwrap());
            let is_same = value.as_ref().is_none_or(|value| kept.as_ref() == Some(value));
            assert!(!is_valid || loaded.is_ok(), "{contract}: {value:?} fulfills {schema}, but {:?}", loaded.err());
            let is_null = value.is_none() || *value == Some(Json::Null);
            assert!(
                is_valid || loaded.is_err() || !is_same || is_null && kept != Some(Json::Null),
                "{contract}: {value:?}: {schema}"
            );
            runtime.forget();
        }
    }
}

/// A contract for nested values.
enum Nested {
    /// An expression, as text.
    One(String),
    /// A constant.
    Constant(Json),
    /// A list of items with bounds.
    List(Vec<Nested>, Vec<i64>),
    /// A map with names and, possibly, a contract for other keys and their values.
    Map(Vec<(&'static str, Nested)>, Option<(String, Box<Nested>)>),
}

impl Nested {
    fn random(numbers: &mut Numbers, depth: usize) -> Self {
        let nested = |numbers: &mut Numbers| Self::random(numbers, depth.saturating_sub(1));
        match numbers.below(if depth == 0 { 6 } else { 10 }) {
            0..5 => Self::One(numbers.chain()),
            5 => Self::Constant(
                [json!(1), json!(true), json!(0), json!("ab"), json!(1.0), json!(2.5), json!("1")][numbers.below(7)]
                    .clone(),
            ),
            6 | 7 => {
                let bounds = [&[][..], &[1], &[1, 2], &[-1, 2], &[2, 1], &[0]][numbers.below(6)];
                let items = (0..=numbers.below(2)).map(|_| nested(numbers)).collect();
                Self::List(items, bounds.to_vec())
            }
            _ => {
                const KEYS: &[&str] = &[
                    "$.string()",
                    "$.string().notNull()",
                    "$.int()",
                    "$.int().check($ in [1, 12])",
                    "$.string().check($.startsWith(a))",
                    "$.string().check(len($) > 1 and $ != ab)",
                    "$.string().check(not ($ in [a, ab]))",
                    "$.string().check($ =~ 'b' or $ = '1')",
                    "$.string().check($ = a or len($) = 3)",
                    "$",
                ];
                let names =
                    ["a", "ab"].into_iter().take(numbers.below(3)).map(|name| (name, nested(numbers))).collect();
                let others = (numbers.below(3) > 0).then(|| (numbers.of(KEYS).to_owned(), Box::new(nested(numbers))));
                Self::Map(names, others)
            }
        }
    }

    fn yaml(&self) -> String {
        let list = |parts: Vec<String>| format!("[{}]", parts.join(", "));
        match self {
            Self::One(text) => format!("!yaql {text:?}"),
            Self::Constant(value) => value.to_string(),
            Self::List(items, bounds) => {
                list(items.iter().map(Self::yaml).chain(bounds.iter().map(ToString::to_string)).collect())
            }
            Self::Map(names, others) => {
                let names = names.iter().map(|(name, contract)| format!("{name}: {}", contract.yaml()));
                let others = others.iter().map(|(key, contract)| format!("? !yaql {key:?} : {}", contract.yaml()));
                format!("{{{}}}", names.chain(others).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Returns a value of the kind that the contract describes, which may violate its conditions.
    fn value(&self, numbers: &mut Numbers) -> Json {
        const KEYS: &[&str] = &["a", "ab", "abc", "b", "1", "12", "a1", "", "01"];
        match self {
            _ if numbers.below(12) == 0 => Json::Null,
            Self::Constant(value) if numbers.below(2) == 0 => value.clone(),
            Self::One(_) | Self::Constant(_) => values()[numbers.below(values().len())].clone(),
            Self::List(items, _) => {
                (0..numbers.below(4)).map(|index| items[index.min(items.len() - 1)].value(numbers)).collect()
            }
            Self::Map(names, others) => {
                let mut map = serde_json::Map::new();
                for (name, contract) in names {
                    if numbers.below(5) > 0 {
                        map.insert((*name).to_owned(), contract.value(numbers));
                    }
                }
                for _ in 0..numbers.below(3) {
                    let value = others.as_ref().map_or(json!(1), |(_, contract)| contract.value(numbers));
                    map.entry(numbers.of(KEYS)).or_insert(value);
                }
                map.into()
            }
        }
    }
}

fn values() -> Vec<Json> {
    let all = json!([
        null, true, false, 0, 1, 2, 3, 4, 5, 6, 12, -3, 2.5, "", "a", "ab", "abc", "1", "3", "12", "03", "x", "True", "a,b",
        "a\n", [], [1], ["a", "ab"], [3, 4, 5], {}, { "a": 1 }, { "a": "a", "b": 3 },
    ]);
    all.as_array().unwrap().clone()
}

impl Numbers {
    /// Returns a chain of contracts, whose conditions match the type of their value.
    fn chain(&mut self) -> String {
        const OF_INTEGERS: &[&str] = &[
            "$ > 2",
            "$ >= 3 and $ < 12",
            "$ mod 3 = 0",
            "$ mod 2 != 0",
            "$ in range(2, 5)",
            "isInteger($)",
            "not isString($)",
            "1 = 2 or $ < 4",
            "$ = coalesce($, 3)",
            "$ in [1, 2].append($)",
            "true",
            "not false",
            "false",
            "$ in []",
            "$ in set(1, 3, 12)",
        ];
        const OF_STRINGS: &[&str] = &[
            "'a' in $",
            "3 in $",
            "not (null in $)",
            "not (b in $)",
            "len($) > 1",
            "$ in list(ab, '3', '12')",
            "$ != ab",
            "isString($)",
            "$ =~ '^[a-z]+$'",
            "$ = a and $ = b",
            "$.len() < 3",
            "not $.endsWith(b)",
            "$.matches('1')",
        ];
        const OF_BOOLEANS: &[&str] = &["$", "not $", "$ = true", "$ != true", "isBoolean($)", "$ in [true, 5]"];
        const OF_ANY: &[&str] = &[
            "isString($)",
            "isInteger($) or isList($)",
            "isNumber($)",
            "isBoolean($) and $",
            "isDict($) or isString($)",
            "$ = 3",
            "$ != a",
            "$ in [1, a, null]",
            "not isDict($)",
            "isList($) and len($) > 1",
            "len($) > 1",
            "$ > 2",
            "4 >= $",
            "$ mod 2 = 0",
            "'a' in $",
            "3 in $",
            "not (null in $)",
            "$ =~ 'b'",
            "$.startsWith(a)",
        ];
        let mut chain = "$".to_owned();
        let mut atoms = OF_ANY;
        let single = ["", ".int()", ".string()", ".bool()", ".int()", ".string()"][self.below(6)];
        let conversions: Vec<&str> = match self.below(4) {
            0 => (0..2).map(|_| [".int()", ".string()", ".bool()"][self.below(3)]).collect(),
            _ => vec![single],
        };
        let last = conversions.len() - 1;
        for (index, conversion) in conversions.into_iter().enumerate() {
            if self.below(4) == 0 {
                chain += ".notNull()";
            }
            chain += conversion;
            atoms = match conversion {
                ".int()" => OF_INTEGERS,
                ".string()" => OF_STRINGS,
                ".bool()" => OF_BOOLEANS,
                _ => atoms,
            };
            for _ in 0..self.below(3) {
                if index == last {
                    chain.extend([".check(", &self.condition(atoms, 1), ")"]);
                }
            }
        }
        if self.below(4) == 0 {
            chain += ".notNull()";
        }
        chain
    }
}

/// The same for nested contracts, and for contracts that a derived class redefines.
#[test]
fn schemas_agree_with_nested_contracts() {
    let seed = std::env::var("SCHEMA_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(5);
    let rounds = if seed == 5 { 150 } else { 3000 };
    let mut numbers = Numbers(seed);
    let (mut valid, mut refused) = (0, 0);
    for round in 0..rounds {
        let contract = Nested::random(&mut numbers, 2);
        // Only the nearest contract converts values.
        let depth = usize::from(numbers.below(3) > 0);
        let inherited = (round % 3 == 0).then(|| Nested::random(&mut numbers, depth));
        let mut text = format!(
            "Namespaces: {{=: t}}\nName: A\nExtends: P\nProperties:\n  p: {{Contract: {}}}\n---\nName: P\n",
            contract.yaml()
        );
        if let Some(inherited) = &inherited {
            text.extend(["Properties:\n  p: {Contract: ", &inherited.yaml(), "}\n"]);
        }
        let package = PackageSource::from_text("t", "1.4", &[], &text).unwrap();
        let runtime = Runtime::builder().package(package).build().unwrap();
        let class = runtime.find_type(&TypeName::parse("t.A").unwrap()).unwrap();
        let schema = runtime.schemas(&class, &[], Style::Correct).unwrap()[""].take();
        let validator = jsonschema::draft4::new(&schema).unwrap();
        assert!(jsonschema::draft4::meta::is_valid(&schema), "{text}: {schema}");
        let source = |index: usize| inherited.as_ref().filter(|_| index.is_multiple_of(2)).unwrap_or(&contract);
        let mut tried: Vec<Json> = (0..40).map(|index| source(index).value(&mut numbers)).collect();
        tried.extend(values());
        let missing = json!({ "?": { "type": "t.A", "id": "a" } });
        let loaded = runtime.load_object(&Value::from(&missing));
        assert!(
            !validator.is_valid(&json!({})) || loaded.is_ok(),
            "{text}nothing fulfills {schema}, but {:?}",
            loaded.err()
        );
        runtime.forget();
        for value in &tried {
            runtime.meter().restart();
            let is_valid = validator.is_valid(&json!({ "p": value }));
            let model = json!({ "?": { "type": "t.A", "id": "a" }, "p": value });
            let loaded = runtime.load_object(&Value::from(&model));
            let kept = loaded.as_ref().ok().and_then(|object| object.property("p"));
            let kept = kept.and_then(|kept| serde_json::to_value(kept).ok());
            // These conditions have no keyword.
            let is_omitted = ["append", "coalesce"].iter().any(|function| text.contains(function));
            assert!(
                !is_valid || loaded.is_ok() || is_omitted,
                "{text}{value:?} fulfills {schema}, but {:?}",
                loaded.err()
            );
            let is_same = kept.as_ref() == Some(value);
            assert!(is_valid || loaded.is_err() || !is_same, "{text}{value}: {schema}");
            (valid, refused) = (valid + u32::from(is_valid), refused + u32::from(loaded.is_err()));
            runtime.forget();
        }
    }
    assert!(valid > 800 && refused > 800, "{valid} {refused}");
}

/// An operand of `and` and `or` that fails violates the contract, unless an earlier one decides.
#[test]
fn failing_conditions_are_refused() {
    for (condition, accepted, refused) in [
        ("($ = 3 and len($) > 1) or $ = true", json!([true, 1]), json!([3, 3.0, 4, "ab"])),
        ("$ = 3 or len($) = 1 or $ = 4", json!([3, "a", [1]]), json!([4, true])),
        ("not ($ > 2 and isString($))", json!([1, 3]), json!(["a", true, []])),
        ("isString($) or $ < 3 or $ = [a]", json!(["a", 2]), json!([3, ["a"], true])),
        ("$ < b or $ = 3", json!(["a"]), json!([3, true])),
        ("isList($) or 'a' in $", json!([[], "ab"]), json!([3, "b", {}])),
        ("len($) > 1 or $.unknown", json!(["ab", [1, 2]]), json!([3])),
    ] {
        let text = with_property(&format!("$.check({condition})"));
        let package = PackageSource::from_text("t", "1.4", &[], &text).unwrap();
        let runtime = Runtime::builder().package(package).build().unwrap();
        let class = runtime.find_type(&TypeName::parse("t.A").unwrap()).unwrap();
        let schema = runtime.schemas(&class, &[], Style::Correct).unwrap()[""].take();
        for (values, is_expected) in [(&accepted, true), (&refused, false)] {
            for value in values.as_array().unwrap() {
                let is_valid = jsonschema::draft4::is_valid(&schema, &json!({ "p": value }));
                assert_eq!(is_valid, is_expected, "{condition}: {value}: {schema}");
                let model = json!({ "?": { "type": "t.A", "id": "a" }, "p": value });
                assert_eq!(runtime.load_object(&Value::from(&model)).is_ok(), is_expected, "{condition}: {value}");
                runtime.forget();
            }
        }
    }
    // Requirements that the type of the value fulfills are left out.
    let typed = schema(&with_property("$.string().check($ = a and len($) > 1 or $ = b)"), "t.A", "");
    assert_eq!(typed["properties"]["p"].get("allOf"), None, "{typed}");
}

/// The nearest contract adds the keys that it names, and its parent's contract for other keys applies to them.
#[test]
fn added_keys_fulfill_inherited_contracts() {
    for (contract, inherited, accepted, refused) in [
        // A missing key becomes null.
        ("{a: $.int()}", "{$.string(): $.notNull()}", json!([{ "a": 1 }]), json!([{}, { "a": null }])),
        ("{a: $.int()}", "{$.string(): $}", json!([{ "a": 1 }, {}]), json!([])),
        // The key itself is refused, with any value.
        ("{a: $}", "{$.string().check($ != a): $}", json!([]), json!([{}, { "a": 1 }])),
        ("{b: $}", "{$.string().check($ != a): $}", json!([{}, { "b": 1 }]), json!([])),
        // The missing map becomes a map with null.
        ("{a: {b: $}}", "{$.string(): {$.string(): $.notNull()}}", json!([{ "a": { "b": 1 } }]), json!([{}])),
        ("{a: {b: $}}", "{a: $.string()}", json!([]), json!([{}])),
        ("{a: {b: $}}", "{a: {b: $}}", json!([{}]), json!([])),
        // Items of lists have the contracts at their places.
        ("[$, {a: $}]", "[$, {$.string(): $.notNull()}]", json!([[1], [1, { "a": 1 }]]), json!([[1, {}]])),
        ("[$, {a: $}]", "[{$.string(): $.notNull()}]", json!([[{ "b": 1 }, { "a": 1 }]]), json!([[{}, {}]])),
        // Keys that are integers are not text.
        ("{$.int(): $}", "{$.string(): $}", json!([{}]), json!([{ "1": 1 }])),
        ("{$.int(): $}", "{$.int().check($ > 0): $}", json!([{ "1": 1 }]), json!([])),
        ("{$.string(): $}", "{$.int(): $}", json!([{}]), json!([{ "1": 1 }])),
    ] {
        let text = format!(
            "Namespaces: {{=: t}}\nName: A\nExtends: P\nProperties:\n  p: {{Contract: {contract}}}\n---\nName: P\n\
             Properties:\n  p: {{Contract: {inherited}}}\n"
        );
        let package = PackageSource::from_text("t", "1.4", &[], &text).unwrap();
        let runtime = Runtime::builder().package(package).build().unwrap();
        let class = runtime.find_type(&TypeName::parse("t.A").unwrap()).unwrap();
        let schema = runtime.schemas(&class, &[], Style::Correct).unwrap()[""].take();
        for (values, is_expected) in [(&accepted, true), (&refused, false)] {
            for value in values.as_array().unwrap() {
                let is_valid = jsonschema::draft4::is_valid(&schema, &json!({ "p": value }));
                assert_eq!(is_valid, is_expected, "{contract}, {inherited}: {value}: {schema}");
                let model = json!({ "?": { "type": "t.A", "id": "a" }, "p": value });
                let is_loaded = runtime.load_object(&Value::from(&model)).is_ok();
                assert_eq!(is_loaded, is_expected, "{contract}, {inherited}: {value}");
                runtime.forget();
            }
        }
    }
}

/// `context` describes the members of objects that a contract accepts.
#[test]
fn contexts_agree_with_contracts() {
    const CLASSES: &str = "
Namespaces: {=: t}
Name: B
Properties:
  n: { Contract: $.int() }
  d: { Contract: $.int(), Default: 3 }
  s: { Contract: $.string() }
  c: { Contract: $.class(B) }
";
    const ATOMS: &[&str] = &[
        "$.n > 2",
        "$.n < 4",
        "$.d > 2",
        "$.d != 3",
        "$.s = abc",
        "$.s != abc",
        "$.s.startsWith('a.')",
        "$.s !~ '^a'",
        "len($.s) >= 2",
        "$.c.n = 3",
        "$.c.d > 2",
        "$.c.s = null",
        "$.c",
        "$.d = true",
        "len($.s) != 3",
        "len($.s) in [2, 3]",
    ];
    let mut objects = Vec::new();
    let scalars = json!([
        {}, { "n": 3 }, { "n": 1, "d": 5 }, { "n": null, "s": "abc" }, { "n": 3, "d": 2, "s": "a.b" }, { "s": "a+" },
    ]);
    for outer in scalars.as_array().unwrap() {
        objects.push(outer.clone());
        for inner in scalars.as_array().unwrap() {
            let mut object = outer.clone();
            let mut inner = inner.clone();
            inner.as_object_mut().unwrap().insert("?".into(), json!({ "type": "t.B", "id": "c" }));
            object.as_object_mut().unwrap().insert("c".into(), inner);
            objects.push(object);
        }
    }
    let mut numbers = Numbers(11);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..60 {
        let condition = numbers.condition(ATOMS, 2);
        let class =
            format!("---\nName: A\nProperties:\n  p: {{ Contract: !yaql \"$.class(B).check({condition})\" }}\n");
        let package = PackageSource::from_text("t", "1.4", &[], &format!("{CLASSES}{class}")).unwrap();
        let runtime = Runtime::builder().package(package).build().unwrap();
        let class = runtime.find_type(&TypeName::parse("t.A").unwrap()).unwrap();
        let schema = runtime.schemas(&class, &[], Style::Correct).unwrap()[""].take();
        let context = &schema["properties"]["p"]["context"];
        let context = if context.is_null() { &json!({}) } else { context };
        let validator = jsonschema::draft4::new(context).unwrap();
        for object in &objects {
            runtime.meter().restart();
            let is_valid = validator.is_valid(object);
            let mut object = object.clone();
            object.as_object_mut().unwrap().insert("?".into(), json!({ "type": "t.B", "id": "b" }));
            let model = json!({ "?": { "type": "t.A", "id": "a" }, "p": object });
            let is_loaded = runtime.load_object(&Value::from(&model)).is_ok();
            assert!(is_valid || !is_loaded, "{condition}: {object} does not fulfill {context}");
            accepted += u32::from(is_loaded);
            refused += u32::from(!is_valid);
            runtime.forget();
        }
    }
    assert!(accepted > 100 && refused > 300, "{accepted} {refused}");
}

#[test]
fn alternatives_and_negations_reach_contexts() {
    let context = |condition: &str| {
        let text = format!(
            "Namespaces: {{=: t}}\nName: B\nProperties:\n  n: {{Contract: $.int()}}\n  s: {{Contract: $.string()}}\n\
             ---\nName: A\nProperties:\n  p: {{Contract: !yaql \"$.class(B).check({condition})\"}}\n"
        );
        schema(&text, "t.A", "")["properties"]["p"]["context"].take()
    };
    let n = json!({ "n": { "type": "number", "minimum": 3, "exclusiveMinimum": false } });
    let s = json!({ "s": { "not": { "enum": ["b"] } } });
    assert_eq!(
        context("not ($.n < 3 and $.s = b)"),
        json!({ "anyOf": [{ "properties": n, "required": ["n"] }, { "properties": s }] })
    );
    assert_eq!(context("not ($.n < 3 or $.s = b)")["properties"], json!({ "n": n["n"], "s": s["s"] }));
    assert_eq!(context("not ($.n < 3 and $.other())"), Json::Null, "the other alternative may hold");
}

/// An object may be of a descendant of the class that a contract names.
#[test]
fn contexts_accept_defaults_of_descendants() {
    let required = |descendant: &str| {
        let text = format!(
            "Namespaces: {{=: t}}\nName: B\nProperties:\n  n: {{Contract: $.int()}}\n---\nName: C\nExtends: B\n{descendant}\
             ---\nName: A\nProperties:\n  p: {{Contract: $.class(B).check($.n > 2)}}\n"
        );
        schema(&text, "t.A", "")["properties"]["p"]["context"]["required"].take()
    };
    assert_eq!(required(""), json!(["n"]));
    assert_eq!(required("Properties:\n  n: {Contract: $.int(), Default: 3}\n"), Json::Null);
    assert_eq!(required("Properties:\n  m: {Contract: $.int(), Default: 3}\n"), json!(["n"]));
}

/// Mandatory members of conditions depend on descendants, which are looked up, not searched for.
#[test]
fn conditions_cost_the_descendants_of_their_classes() {
    let steps = |others: usize, conditions: usize| {
        let mut text = "Namespaces: {=: t}\nName: B\nProperties:\n".to_owned();
        text.extend((0..20).map(|index| format!("  n{index}: {{ Contract: $.int() }}\n")));
        text += "---\nName: D\nExtends: B\nProperties:\n  n1: { Contract: $.int(), Default: 1 }\n";
        text.extend((0..others).map(|index| format!("---\nName: X{index}\n")));
        text += "---\nName: A\nProperties:\n";
        let condition = |index| format!("  p{index}: {{ Contract: $.class(B).check($.n{} > 2) }}\n", index % 20);
        text.extend((0..conditions).map(condition));
        let package = PackageSource::from_text("t", "1.4", &[], &text).unwrap();
        let runtime = Runtime::builder().package(package).build().unwrap();
        let class = runtime.find_type(&TypeName::parse("t.A").unwrap()).unwrap();
        let schema = runtime.schemas(&class, &[], Style::Correct).unwrap()[""].take();
        let required = |index: usize| schema["properties"][format!("p{index}")]["context"].get("required").cloned();
        assert_eq!((required(0), required(1)), (Some(json!(["n0"])), None), "a `D` needs no `n1`");
        runtime.meter().steps()
    };
    // The first one also makes the index.
    let costs = [(0, 20), (0, 100), (500, 20), (500, 100)].map(|(others, conditions)| steps(others, conditions));
    let [few, many, few_of_many, many_of_many] = costs;
    assert!(many_of_many - few_of_many <= many - few + 100, "{costs:?}");
    assert!(few_of_many < few + 1000, "{costs:?}");
}
