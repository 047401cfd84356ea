//! Custom rules that a project declares in its configuration.

use super::*;

const CONFIG: &str = "\
custom_rules:
  node-has-owner:
    kind: node template
    type: Server
    condition: { $has_key: [ { $value: [ metadata ] }, owner ] }
    message: \"`{name}` does not say who owns it\"
    help: 'add `metadata: { owner: … }`'
    level: deny
  no-password:
    path: \"**/properties/{password,passwd}\"
    condition: false
    message: \"`{name}` should not be called so\"
  small-letters:
    kind: input
    condition: false
    message: never looked for
    level: allow
  input-name:
    kind: parameter definition
    path: \"service_template/inputs/*\"
    condition: { $matches: [ { $value: [ name ] }, '^[a-z]+(_[a-z]+)*$' ] }
    message: \"`{name}` is not in small letters\"
  few-cores:
    kind: node template
    condition: { $or: [ { $not: { $has_key: [ { $value: [ properties ] }, cores ] } }, { $less_than: [ { $value: [ properties, cores ] }, 9 ] } ] }
    message: \"`{name}` has too many cores\"
";

const SERVICE: &str = "\
tosca_definitions_version: tosca_2_0
node_types:
  Server: { properties: { cores: { type: integer, default: 1 }, password: { type: string, required: false } } }
  Large: { derived_from: Server }
  Other: {}
service_template:
  inputs:
    cores: { type: integer }
    maxCores: { type: integer }
  node_templates:
    one: { type: Server, metadata: { owner: me } }
    two: { type: Server, properties: { cores: 16 } }
    three: { type: Large, properties: { cores: { $get_input: cores } }, metadata: {} }
    # tosca-parse: ignore[node-has-owner] nobody's
    four: { type: Server }
    other: { type: Other }
";

fn project(config: &str) -> Folder {
    Folder::new(&[("tosca-parse.yaml", config), ("service.yaml", SERVICE)])
}

#[test]
fn what_does_not_fulfil_a_condition_is_reported() {
    // There is no kind `input`, although inputs are called so elsewhere.
    let folder = project(&CONFIG.replace("kind: input\n", "kind: parameter definition\n"));
    let run = folder.run("service.yaml --format concise");
    assert_eq!(run.code, 1);
    insta::assert_snapshot!(run.out);
    let run = folder.run("service.yaml --format sarif");
    assert!(run.out.contains("\"ruleId\": \"node-has-owner\"") && !run.out.contains("helpUri"), "{}", run.out);
    // They have no codes, and their names are not repeated.
    assert!(folder.run("service.yaml --format github").out.contains(",title=no-password::"));
    assert!(folder.run("service.yaml --format junit").out.contains("\"no-password at "));
    assert!(folder.run("service.yaml --statistics").out.contains("1  no-password  "));
    assert_eq!(folder.run("service.yaml --no-config").code, 0);
}

/// The rules of a project apply to all of its files, and to no others.
#[test]
fn imported_files_of_the_project_are_looked_at() {
    let types = "tosca_definitions_version: tosca_2_0\nnode_types: { Server: {} }\n";
    let entry = "tosca_definitions_version: tosca_2_0\nimports: [ lib/a.yaml ]\n";
    let config = "custom_rules: { named: { path: node_types/*, condition: false, message: '`{name}`' } }\n";
    let folder = Folder::new(&[("tosca-parse.yaml", config), ("entry.yaml", entry), ("lib/a.yaml", types)]);
    let told = "lib/a.yaml:2:15: warning[named]: `Server`\n";
    assert_eq!(folder.run("entry.yaml --format concise").out, told);
    assert_eq!(folder.run(". --format concise").out, told);
    assert_eq!(folder.run("entry.yaml --format concise --deny named").code, 1);
    // Excluded files don't belong to the project; files imported by another name may.
    folder.write("tosca-parse.yaml", &format!("exclude: [ lib ]\n{config}"));
    assert_eq!(folder.run("entry.yaml --format concise").out, "");
    folder.write("tosca-parse.yaml", &format!("profile_paths: [ lib ]\n{config}"));
    folder.write("entry.yaml", &entry.replace("lib/a.yaml", "{ profile: a }"));
    folder.write("lib/a.yaml", &types.replace("node_types", "profile: a\nnode_types"));
    assert_eq!(folder.run("entry.yaml --format concise").out, told.replace("2:15", "3:15"));
    let ignore = "  # tosca-parse: ignore[named]\n";
    folder.write("lib/a.yaml", &types.replace("node_types: ", &format!("profile: a\n{ignore}node_types: ")));
    assert_eq!(folder.run(". --format concise").out, "");
    // A folder with its own configuration is another project.
    folder.write("lib/a.yaml", &types.replace("node_types", "profile: a\nnode_types"));
    folder.write("lib/tosca-parse.yaml", "{}\n");
    assert_eq!(folder.run("entry.yaml --format concise").out, "");
}

#[test]
fn rules_of_the_project_are_listed_and_explained() {
    let folder = project(&CONFIG.replace("kind: input\n", "kind: parameter definition\n"));
    let run = folder.run("rules");
    let own: Vec<&str> = run.out.lines().filter(|line| line.starts_with("own")).collect();
    insta::assert_snapshot!(own.join("\n"));
    let run = folder.run("explain node-has-owner");
    insta::assert_snapshot!(run.all());
    assert_eq!(folder.run("explain node-has-owners").code, 2);
    let run = folder.run("config show service.yaml");
    insta::assert_snapshot!(run.out);
}

/// Returns the rules of the problems of the service, with their levels.
fn levels(folder: &Folder, arguments: &str) -> Vec<String> {
    let run = folder.run(&format!("service.yaml --format concise {arguments}"));
    let words = run.out.lines().filter_map(|line| line.split_whitespace().nth(1));
    words.map(|word| word.trim_end_matches(':').to_owned()).collect()
}

#[test]
fn levels_are_set_by_name() {
    let config = "custom_rules:
  nodes: { kind: node template, type: Other, condition: false, message: no, level: deny }
  inputs: { path: service_template/inputs, condition: false, message: no }
  types: { path: node_types, condition: false, message: no, level: allow }
";
    let folder = project(config);
    folder.write("service.yaml", &SERVICE.replace("    # tosca-parse: ignore[node-has-owner] nobody's\n", ""));
    let all = ["warning[inputs]", "error[nodes]"];
    assert_eq!(levels(&folder, ""), all);
    assert_eq!(levels(&folder, "--warn nodes,types"), ["warning[types]", "warning[inputs]", "warning[nodes]"]);
    assert_eq!(levels(&folder, "--allow nodes --deny warnings"), ["error[inputs]"]);
    assert_eq!(levels(&folder, "--deny types --allow warnings"), ["error[types]", "error[nodes]"]);
    let rules =
        "rules: { nodes: allow, types: warn }\noverrides: [ { files: [ s*.yaml ], rules: { inputs: deny } } ]\n";
    folder.write("tosca-parse.yaml", &format!("{rules}{config}"));
    assert_eq!(levels(&folder, ""), ["warning[types]", "error[inputs]"]);
    assert_eq!(levels(&folder, "--warn inputs"), ["warning[types]", "warning[inputs]"]);
    for (arguments, message) in [
        ("service.yaml --deny node", "error: no rule is called `node`; did you mean `nodes`?\n"),
        ("service.yaml --deny unknown-nam", "did you mean `unknown-name` (T2001)?\n"),
        ("service.yaml --deny nodes --no-config", "error: no rule is called `nodes`\n"),
        ("service.yaml --warn warnings", "no rule is called `warnings`\n"),
        ("service.yaml --deny Nodes", "no rule is called `Nodes`\n"),
        ("explain nodse", "no rule is called `nodse`; did you mean `nodes`?\n"),
    ] {
        let run = folder.run(arguments);
        assert!(run.code == 2 && run.err.contains(message), "{arguments}: {}", run.err);
    }
}

#[test]
fn a_rule_need_not_be_of_every_project() {
    let config = "custom_rules: { nodes: { kind: node template, condition: false, message: no } }\n";
    let template = "tosca_definitions_version: tosca_2_0\nnode_types: { A: {} }\nservice_template: { node_templates: { a: { type: A } } }\n";
    let folder = Folder::new(&[("a/tosca-parse.yaml", config), ("a/a.yaml", template), ("b/b.yaml", template)]);
    let run = folder.run(". --deny nodes --format concise");
    assert_eq!((run.code, &*run.out), (1, "a/a.yaml:3:39: error[nodes]: no\n"), "{}", run.err);
    assert_eq!(folder.run("b --deny nodes").code, 2);
}

#[test]
fn what_the_user_says_is_about_the_rules_of_the_user() {
    let rule = "custom_rules: { others: { kind: node template, type: Other, condition: false, message: no } }\n";
    let folder = project("{}");
    folder.write(".config/tosca-parse/config.yaml", &format!("rules: {{ others: deny }}\n{rule}"));
    assert_eq!(levels(&folder, "--allow T1602"), ["error[others]"]);
    folder.write("tosca-parse.yaml", "rules: { others: allow }\n");
    assert_eq!(levels(&folder, "--allow T1602"), [""; 0]);
    folder.write("tosca-parse.yaml", rule);
    assert_eq!(levels(&folder, "--allow T1602"), ["warning[others]"]);
}

#[test]
fn what_is_wrong_with_a_declaration_is_told() {
    let mut told = String::new();
    for (before, after) in [
        ("kind: node template\n    type", "kind: node templet\n    type"),
        ("$has_key: [ {", "$has_kye: [ {"),
        ("$has_key: [ {", "$get_property: [ {"),
        ("node-has-owner:", "Node_has_owner:"),
        ("node-has-owner:", "unknown-name:"),
        ("node-has-owner:", "warnings:"),
        ("custom_rules:", "rules: { node-has-ovner: warn }\nown_rules:"),
        ("custom_rules:", "overrides: [ { files: [ a ],\n  rules: { beauty: warn } } ]\nown_rules:"),
        ("level: deny", "level: denied"),
        (
            "    condition: false\n    message: \"`{name}` should",
            "    condition: [ 1 ]\n    message: \"`{name}` should",
        ),
        ("    path: \"**/properties/{password,passwd}\"\n", ""),
        ("message: never", "mesage: never"),
    ] {
        let config = CONFIG.replace("kind: input\n", "kind: parameter definition\n");
        let folder = project(&config.replace(before, after));
        let run = folder.run("service.yaml");
        assert_eq!(run.code, 2, "{after}: {}", run.all());
        told.push_str(&run.err);
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_project_comes_before_the_user() {
    let folder =
        project("custom_rules: { no-other: { kind: node template, type: Other, condition: false, message: mine } }\n");
    let user = "custom_rules: { no-other: { kind: node template, condition: false, message: theirs }, no-file: { path: tosca_definitions_version, condition: false, message: nothing } }\n";
    folder.write(".config/tosca-parse/config.yaml", user);
    let run = folder.run("service.yaml --format concise --allow T1601");
    let lines: Vec<&str> = run.out.lines().collect();
    let expected = ["service.yaml:1:1: warning[no-file]: nothing", "service.yaml:16:5: warning[no-other]: mine"];
    assert_eq!(lines.len(), 3, "{}", run.out);
    assert!(expected.iter().all(|line| lines.contains(line)), "{}", run.out);
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(|number| line(number) + "\n").collect()
}

/// Each rule is compared with each value of a file.
#[test]
fn custom_rules_have_a_limit_on_their_effort() {
    let rules = |count: usize, rule: &dyn Fn(usize) -> String| {
        format!("custom_rules:\n{}", lines(count, |number| format!("  r-{number}: {}", rule(number))))
    };
    let path = |number: usize| format!("{{ path: 'node_types/N{number}', condition: false, message: '`{{name}}`' }}");
    let types = lines(1000, |number| format!("  N{number}: {{ metadata: {{ a: b }} }}"));
    let service = format!("tosca_definitions_version: tosca_2_0\nnode_types:\n{types}");
    let folder = Folder::new(&[("tosca-parse.yaml", &rules(50, &path)), ("service.yaml", &service)]);
    let run = folder.run("service.yaml --format concise --jobs 1");
    assert_eq!(run.out.lines().count(), 50, "{}", run.out);
    assert!(!run.out.contains("T5803"), "{}", run.out);

    let condition =
        |part: &str, number: usize| format!("{{ kind: node type, condition: {part}, message: 'x{number}' }}");
    let long = "x".repeat(100_000);
    let key = |number: usize| condition("{ $has_key: [ { $value: [] }, metadata ] }", number);
    let many_keys = format!("{{ $and: [ {} ] }}", vec!["{ $has_key: [ $value, metadata ] }"; 1000].join(", "));
    let and = |number: usize| condition(&many_keys, number);
    let literal = format!("{{ $not: {{ $equal: [ $value, {long} ] }} }}");
    let literal = |number: usize| condition(&literal, number);
    let message = |_: usize| format!("{{ kind: node type, condition: false, message: {long} }}");
    let configurations =
        [rules(1000, &path), rules(1000, &key), rules(1, &and), rules(1, &literal), rules(1, &message)];
    for (number, config) in configurations.iter().enumerate() {
        folder.write("tosca-parse.yaml", config);
        let run = folder.run("service.yaml --format concise --jobs 1");
        let limits = run.out.lines().filter(|line| line.contains("[T5803]: the custom rules take too long")).count();
        assert_eq!(limits, 1, "{number}");
        assert!(run.out.len() < 2_000_000, "{number}: {}", run.out.len());
        assert_eq!(folder.run("service.yaml --format concise --jobs 3").out, run.out, "{number}");
    }
}

/// A condition reads the entries of a map without copying the others.
#[test]
fn conditions_read_large_values() {
    let types = lines(3000, |number| format!("  N{number}: {{}}"));
    let service = format!("tosca_definitions_version: tosca_2_0\nnode_types:\n{types}");
    let config = "custom_rules:\n  small: { path: node_types, condition: { $less_than: [ { $length: [ $value ] }, 9 ] }, message: '`{name}` is large' }\n  named: { path: node_types, condition: { $has_key: [ { $value: [ N2999 ] }, a ] }, message: '`{name}` is wrong' }\n";
    let folder = Folder::new(&[("tosca-parse.yaml", config), ("service.yaml", &service)]);
    let run = folder.run("service.yaml --format concise");
    let expected = "service.yaml:2:1: warning[named]: `node_types` is wrong\nservice.yaml:2:1: warning[small]: `node_types` is large\n";
    assert_eq!(run.out, expected);
}

#[test]
fn regular_expressions_of_custom_rules_have_a_limit() {
    let rule = |number: usize| {
        format!(
            "  r-{number}: {{ kind: node type, condition: {{ $matches: [ {{ $value: [ name ] }}, '{number}\\w{{1,90}}' ] }}, message: x }}\n"
        )
    };
    let config = |count: usize| format!("custom_rules:\n{}", (0..count).map(rule).collect::<String>());
    let folder = project(&config(2));
    assert_ne!(folder.run("service.yaml").code, 2);
    folder.write("tosca-parse.yaml", &config(1000));
    let run = folder.run("service.yaml");
    assert!(
        run.code == 2 && run.err.contains("the regular expressions of the custom rules are too large"),
        "{}",
        run.all()
    );
}

#[test]
fn path_patterns_have_limits() {
    let nested = format!("{}a{}", "{".repeat(40), "}".repeat(40));
    let rule = |path: &str| format!("custom_rules: {{ a: {{ path: \"{path}\", condition: false, message: no }} }}\n");
    let exclude = |path: &str| format!("exclude: [ \"{path}\" ]\n");
    let long = "?".repeat(70_000);
    for (config, message) in [
        (rule(&nested), "is not a path pattern: more than 32 braces are nested"),
        (rule(&long), "`custom_rules`: the patterns are too long; at most 65536 bytes are allowed"),
        (exclude(&nested), "is not a path pattern: more than 32 braces are nested"),
        (exclude(&long), "`exclude`: the patterns are too long; at most 65536 bytes are allowed"),
    ] {
        let run = project(&config).run("service.yaml");
        assert!(run.code == 2 && run.err.contains(message), "{}", run.all());
    }
    for config in [rule("{a,{b,c}}/?"), exclude("{a,{b,c}}/?")] {
        assert_eq!(project(&config).run("service.yaml").err, "");
    }
}

#[test]
fn long_names_do_not_widen_the_list() {
    let name = "a".repeat(70_000);
    let folder = project(&format!("custom_rules:\n  ? {name}\n  : {{ path: a, condition: false, message: no }}\n"));
    let run = folder.run("rules");
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out.lines().filter(|line| line.len() > 1000).count(), 1);
}
