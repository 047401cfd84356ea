//! Reports for other tools, and exit codes.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::*;

#[test]
fn sarif_has_the_shape_that_its_readers_want() {
    let folder = folder();
    let run = folder.run("invalid.yaml doubtful.yaml --format sarif");
    assert_eq!((run.code, &*run.err), (1, ""));
    let log: Value = serde_json::from_str(&run.out).unwrap();
    let text = json!({ "type": "object", "required": ["text"], "properties": { "text": { "type": "string", "minLength": 1 } } });
    let number = json!({ "type": "integer", "minimum": 1 });
    let location = json!({
        "type": "object",
        "required": ["physicalLocation"],
        "properties": { "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation", "region"],
            "additionalProperties": false,
            "properties": {
                "artifactLocation": { "type": "object", "required": ["uri"], "properties": {
                    "uri": { "type": "string", "pattern": "^[^/\\\\: ]" },
                } },
                "region": { "type": "object", "required": ["startLine"], "additionalProperties": false, "properties": {
                    "startLine": number, "startColumn": number, "endLine": number, "endColumn": number,
                } },
            },
        }, "message": text, "id": { "type": "integer", "minimum": 0 } },
        "additionalProperties": false,
    });
    let level = json!({ "enum": ["none", "note", "warning", "error"] });
    let schema = json!({
        "type": "object",
        "required": ["version", "runs"],
        "properties": {
            "version": { "const": "2.1.0" },
            "$schema": { "type": "string", "pattern": "^https://.*sarif-schema-2.1.0.json$" },
            "runs": { "type": "array", "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "columnKind": { "enum": ["utf16CodeUnits", "unicodeCodePoints"] },
                    "tool": { "type": "object", "required": ["driver"], "properties": { "driver": {
                        "type": "object",
                        "required": ["name", "rules"],
                        "properties": { "rules": { "type": "array", "uniqueItems": true, "items": {
                            "type": "object",
                            "required": ["id"],
                            "properties": {
                                "shortDescription": text, "help": text,
                                "helpUri": { "type": "string", "pattern": "^https://" },
                                "defaultConfiguration": { "type": "object", "properties": { "level": level } },
                            },
                        } } },
                    } } },
                    "results": { "type": "array", "items": {
                        "type": "object",
                        "required": ["message", "ruleId", "locations"],
                        "properties": {
                            "message": text,
                            "level": level,
                            "ruleIndex": { "type": "integer", "minimum": 0 },
                            "locations": { "type": "array", "items": location },
                            "relatedLocations": { "type": "array", "uniqueItems": true, "items": location },
                            "partialFingerprints": {
                                "type": "object", "minProperties": 1, "additionalProperties": { "type": "string" },
                            },
                        },
                    } },
                },
            } },
        },
    });
    let validator = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> = validator.iter_errors(&log).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let run = &log["runs"][0];
    let rules = &run["tool"]["driver"]["rules"];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
    }
    // The documentation page of a rule exists.
    let page = std::fs::read_to_string(root().join("docs/rules.md")).unwrap();
    let (_, name) = rules[0]["helpUri"].as_str().unwrap().rsplit_once("/rules/").unwrap();
    let code = name.strip_suffix(".html").unwrap();
    // The site has a page for each of these headings.
    assert!(page.contains(&format!("\n## {code} ")), "{code}");
}

#[test]
fn other_reports_are_what_their_readers_want() {
    let folder = folder();
    let run = folder.run("valid.yaml invalid.yaml --format junit");
    let tree = roxmltree::Document::parse(&run.out).unwrap();
    let names = tree.descendants().filter(|node| node.has_tag_name("testsuite"));
    assert!(names.filter_map(|suite| suite.attribute("name")).eq(["valid.yaml", "types.yaml", "invalid.yaml"]));
    assert_eq!(tree.root_element().attribute("failures"), Some("1"));
    assert_eq!(folder.run("invalid.yaml --format jsonl").out.lines().count(), 1);
    assert_snapshot!(folder.run("invalid.yaml doubtful.yaml --format github").all());
    assert_snapshot!(folder.run("invalid.yaml doubtful.yaml --format gitlab").all());
    assert_snapshot!(folder.run("invalid.yaml doubtful.yaml --statistics").all());
}

#[test]
fn reports_go_to_files() {
    let folder = folder();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let run = folder.run("invalid.yaml --format sarif --output-file report.sarif");
    assert!(run.code == 1 && run.is_quiet());
    assert!(read("report.sarif").contains("\"T2001\""));
    // A report without problems is written too, so that no old report remains.
    let run = folder.run("valid.yaml --format concise --output-file report.sarif");
    assert!(run.code == 0 && run.is_quiet());
    assert_eq!(read("report.sarif"), "");
    let run = folder.run("doubtful.yaml --emit json --output model.json --color always --output-file report.txt");
    assert!(run.code == 0 && run.is_quiet(), "{}", run.err);
    assert!(read("model.json").starts_with('{'));
    assert!(read("report.txt").starts_with("warning[T2003]"), "{}", read("report.txt"));
    let run = folder.run("invalid.yaml --output-file none/report.txt");
    assert!(run.code == 1 && run.err.contains("none/report.txt"), "{}", run.err);
    assert_eq!(folder.run("valid.yaml --output a --output-file a").code, 2);
}

#[test]
fn problems_are_counted_by_rule() {
    let folder = folder();
    let run = folder.run("invalid.yaml doubtful.yaml --statistics --format json");
    let counts: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &counts[0]["count"], &counts[0]["code"]), (1, &json!(1), &json!("T2001")));
    assert_eq!(folder.run("invalid.yaml --statistics --format sarif").code, 2);
}

#[test]
fn the_exit_code_is_what_is_wished() {
    let folder = folder();
    for (arguments, code) in [
        ("doubtful.yaml", 0),
        ("doubtful.yaml --fail-on warning", 1),
        ("doubtful.yaml --fail-on warning --quiet", 1),
        ("doubtful.yaml --fail-on error", 0),
        ("doubtful.yaml --fail-on warning --allow warnings", 0),
        ("valid.yaml --fail-on warning", 0),
        ("invalid.yaml --exit-zero", 0),
        ("invalid.yaml --exit-zero --no-such-option", 2),
        ("invalid.yaml --exit-zero --fail-on warning", 2),
    ] {
        assert_eq!(folder.run(arguments).code, code, "{arguments}");
    }
}

#[test]
fn yaml_of_others_may_be_left_out() {
    let folder = folder();
    folder.write("compose.yaml", "services: {}\n");
    assert_eq!(folder.run("compose.yaml valid.yaml").code, 1);
    let run = folder.run("--skip-unversioned compose.yaml valid.yaml --format concise");
    assert!(run.code == 0 && run.is_quiet(), "{}{}", run.out, run.err);
    let run = folder.run("--skip-unversioned compose.yaml");
    assert!(run.code == 0 && run.is_quiet(), "{}{}", run.out, run.err);
    // A missing file is not third-party YAML.
    assert_eq!(folder.run("--skip-unversioned missing.yaml").code, 3);
}

#[test]
fn hooks_and_actions_use_the_command_as_it_is() {
    let root = root();
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    let folder = folder();
    let hooks: Value = serde_yaml::from_str(&read(".pre-commit-hooks.yaml")).unwrap();
    for hook in hooks.as_array().unwrap() {
        let arguments = hook["entry"].as_str().unwrap().strip_prefix("tosca-parse ").unwrap();
        assert_eq!(folder.run(&format!("{arguments} valid.yaml")).code, 0, "{arguments}");
        assert_eq!(folder.run(&format!("{arguments} invalid.yaml")).code, 1, "{arguments}");
    }
    let action: Value = serde_yaml::from_str(&read("action.yml")).unwrap();
    assert_eq!(action["runs"]["using"], "composite");
    let steps = action["runs"]["steps"].as_array().unwrap();
    let scripts: Vec<&str> = steps.iter().filter_map(|step| step["run"].as_str()).collect();
    assert!(scripts.contains(&"$GITHUB_ACTION_PATH/.ci/action/validate.sh"));
    assert!(read(".ci/action/validate.sh").contains("--format github"));
    for (name, input) in action["inputs"].as_object().unwrap() {
        assert!(input["description"].is_string(), "{name}");
        assert!(read("action.yml").contains(&format!("inputs.{name} ")), "nobody reads {name}");
    }
    assert!(read("Containerfile").contains("ENTRYPOINT [\"tosca-parse\"]"));
}

#[test]
fn reports_for_further_tools_name_the_place() {
    let folder = Folder::new(&[("a.yaml", "tosca_definitions_version: tosca_2_0\nmetdata: {}\n")]);
    for (format, expected) in [
        ("azure", "##vso[task.logissue type=error;sourcepath=a.yaml;linenumber=2;columnnumber=1;code=T1201]"),
        ("checkstyle", "<error line=\"2\" column=\"1\" severity=\"error\""),
        ("rdjson", "\"text\": \"metadata\""),
        ("sonarqube", "\"ruleId\": \"T1201\""),
    ] {
        let run = folder.run(&format!("a.yaml --format {format}"));
        assert!(run.code == 1 && run.out.contains(expected), "{format}: {}", run.all());
    }
}
