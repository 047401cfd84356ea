//! Files that templates name: links, completion, and the edits when files move.

use serde_json::{Value, json};

use super::client::range;
use super::desk::Desk;

fn desk(files: &[(&str, &str)]) -> Desk {
    Desk::new(&json!({ "workspace": { "workspaceEdit": { "documentChanges": true } } }), files)
}

/// Returns the edits for moved files, one line each: the file, the range and the new text.
fn moved(desk: &mut Desk, files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<Value> =
        files.iter().map(|(old, new)| json!({ "oldUri": desk.uri(old), "newUri": desk.uri(new) })).collect();
    let answer = desk.ask("workspace/willRenameFiles", json!({ "files": files })).unwrap();
    let changes = answer["documentChanges"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let lines = changes.iter().flat_map(|change| {
        let file = desk.name(change["textDocument"]["uri"].as_str().unwrap());
        let edits = change["edits"].as_array().unwrap().iter();
        edits.map(move |edit| format!("{file} {} {}", range(&edit["range"]), edit["newText"].as_str().unwrap()))
    });
    lines.collect()
}

/// Returns the links of a file, one line each: the range and the target.
fn links(desk: &mut Desk, file: &str) -> Vec<String> {
    let uri = desk.uri(file);
    let answer = desk.ask("textDocument/documentLink", json!({ "textDocument": { "uri": uri } })).unwrap();
    let link = |link: &Value| format!("{} {}", range(&link["range"]), desk.name(link["target"].as_str().unwrap()));
    answer.as_array().unwrap().iter().map(link).collect()
}

const SERVICE: &str = r#"tosca_definitions_version: tosca_2_0
imports: [ lib/types.yaml ]
service_template:
  node_templates:
    web:
      type: Server
      artifacts:
        image: { type: File, file: images/web }
        remote: { type: File, file: 'https://example.com/a.sh' }
      interfaces:
        Standard:
          operations:
            create: scripts/create.sh
            start: image
            stop: { implementation: { primary: "scripts/stop.sh", dependencies: [ scripts/create.sh ] } }
"#;

const TYPES: &str = "tosca_definitions_version: tosca_2_0
artifact_types: { File: {} }
interface_types: { Standard: { operations: { create: {}, start: {}, stop: {} } } }
node_types:
  Server:
    interfaces: { Standard: { type: Standard } }
    artifacts: { setup: { type: File, file: ../scripts/create.sh } }
";

fn service() -> Desk {
    desk(&[
        ("service.yaml", SERVICE),
        ("lib/types.yaml", TYPES),
        ("images/web", ""),
        ("scripts/create.sh", ""),
        ("scripts/stop.sh", ""),
    ])
}

#[test]
fn artifacts_and_implementations_are_links() {
    let mut desk = service();
    desk.open("service.yaml", SERVICE);
    assert_eq!(
        links(&mut desk, "service.yaml"),
        [
            "1:11-1:25 lib/types.yaml",
            "7:35-7:45 images/web",
            "12:20-12:37 scripts/create.sh",
            "14:47-14:64 scripts/stop.sh",
            "14:82-14:99 scripts/create.sh",
        ]
    );
    let at =
        json!({ "textDocument": { "uri": desk.uri("service.yaml") }, "position": { "line": 12, "character": 30 } });
    let found = desk.ask("textDocument/definition", at).unwrap();
    assert_eq!(desk.name(found[0]["uri"].as_str().unwrap()), "scripts/create.sh");
}

#[test]
fn artifacts_and_implementations_follow_moved_files() {
    let mut desk = service();
    assert_eq!(
        moved(&mut desk, &[("scripts/create.sh", "new scripts/a: b.sh")]),
        [
            "lib/types.yaml 6:44-6:64 \"../new scripts/a: b.sh\"",
            "service.yaml 12:20-12:37 \"new scripts/a: b.sh\"",
            "service.yaml 14:82-14:99 \"new scripts/a: b.sh\"",
        ]
    );
    assert_eq!(
        moved(&mut desk, &[("scripts/", "tools/"), ("images/web", "web.img")]),
        [
            "lib/types.yaml 6:44-6:64 ../tools/create.sh",
            "service.yaml 7:35-7:45 web.img",
            "service.yaml 12:20-12:37 tools/create.sh",
            "service.yaml 14:47-14:64 \"tools/stop.sh\"",
            "service.yaml 14:82-14:99 tools/create.sh",
        ]
    );
    // The moved file names files that stay.
    assert_eq!(
        moved(&mut desk, &[("service.yaml", "far/away/service.yaml")]),
        [
            "service.yaml 1:11-1:25 ../../lib/types.yaml",
            "service.yaml 7:35-7:45 ../../images/web",
            "service.yaml 12:20-12:37 ../../scripts/create.sh",
            "service.yaml 14:47-14:64 \"../../scripts/stop.sh\"",
            "service.yaml 14:82-14:99 ../../scripts/create.sh",
        ]
    );
    assert_eq!(moved(&mut desk, &[("", "elsewhere/")]), [""; 0], "all files stay together");
    assert_eq!(moved(&mut desk, &[("unrelated.sh", "other.sh")]), [""; 0]);
}

#[test]
fn references_follow_moved_folders() {
    let head = "tosca_definitions_version: tosca_2_0\n";
    let mut desk = desk(&[
        ("old/a.yaml", &format!("{head}imports: [ b.yaml, deep/c.yaml, ../base.yaml ]\n")),
        ("old/b.yaml", head),
        ("old/deep/c.yaml", &format!("{head}imports: [ ../b.yaml, ../../base.yaml ]\n")),
        ("base.yaml", head),
        ("user.yaml", &format!("{head}imports: [ ./old/deep/c.yaml ]\n")),
    ]);
    let expected = ["user.yaml 1:11-1:28 ./new/deep/c.yaml"];
    assert_eq!(moved(&mut desk, &[("old", "new")]), expected);
    assert_eq!(moved(&mut desk, &[("old/", "new/")]), expected);
    assert_eq!(
        moved(&mut desk, &[("old", "far/new")]),
        [
            "old/a.yaml 1:32-1:44 ../../base.yaml",
            "old/deep/c.yaml 1:22-1:37 ../../../base.yaml",
            "user.yaml 1:11-1:28 ./far/new/deep/c.yaml",
        ]
    );
}

#[test]
fn encoded_paths_and_paths_from_the_root_follow_moved_files() {
    let head = "tosca_definitions_version: tosca_2_0\n";
    let imports = "imports: [ a%20b.yaml, 'file:a%20b.yaml', c%2Bd.yaml, /lib/e.yaml, ../../lib/e.yaml ]\n";
    let mut desk = desk(&[
        ("a b.yaml", head),
        ("c%2Bd.yaml", head),
        ("lib/e.yaml", head),
        ("user.yaml", &format!("{head}{imports}")),
    ]);
    desk.open("user.yaml", &format!("{head}{imports}"));
    // The command reads the same files.
    assert_eq!(desk.codes("user.yaml"), [""; 0]);
    assert_eq!(
        links(&mut desk, "user.yaml"),
        [
            "1:11-1:21 a%20b.yaml",
            "1:23-1:40 a%20b.yaml",
            "1:42-1:52 c%252Bd.yaml",
            "1:54-1:65 lib/e.yaml",
            "1:67-1:83 lib/e.yaml",
        ]
    );
    assert_eq!(
        moved(&mut desk, &[("a%20b.yaml", "x/ä c.yaml"), ("c%252Bd.yaml", "x/%2B e.yaml"), ("lib", "l")]),
        [
            "user.yaml 1:11-1:21 x/%C3%A4%20c.yaml",
            "user.yaml 1:23-1:40 'file:x/%C3%A4%20c.yaml'",
            "user.yaml 1:42-1:52 x/+ e.yaml",
            "user.yaml 1:54-1:65 /l/e.yaml",
            "user.yaml 1:67-1:83 l/e.yaml",
        ]
    );
}

#[test]
fn imports_from_repositories_follow_moved_files() {
    let text = "tosca_definitions_version: tosca_2_0
repositories: { local: { url: shared/ } }
imports: [ { url: types.yaml, repository: local } ]
";
    let mut desk = desk(&[("user.yaml", text), ("shared/types.yaml", "tosca_definitions_version: tosca_2_0\n")]);
    assert_eq!(moved(&mut desk, &[("shared", "common")]), ["user.yaml 1:30-1:37 common/"]);
    assert_eq!(moved(&mut desk, &[("shared/types.yaml", "shared/x/t.yaml")]), ["user.yaml 2:18-2:28 x/t.yaml"]);
    assert_eq!(moved(&mut desk, &[("user.yaml", "a/user.yaml")]), ["user.yaml 1:30-1:37 ../shared/"]);
}

#[test]
fn urls_of_repositories_remain_urls() {
    let text = "tosca_definitions_version: tosca_2_0
repositories: { local: shared/, other: 'b%20b/' }
imports: [ { url: types.yaml, repository: local }, { url: types.yaml, repository: other } ]
";
    let types = "tosca_definitions_version: tosca_2_0\n";
    let mut desk = desk(&[("user.yaml", text), ("shared/types.yaml", types), ("b b/types.yaml", types)]);
    desk.open("user.yaml", text);
    assert_eq!(desk.codes("user.yaml"), [""; 0]);
    assert_eq!(
        moved(&mut desk, &[("shared", "our%20types"), ("b%20b", "b%20c")]),
        ["user.yaml 1:23-1:30 our%20types/", "user.yaml 1:39-1:47 'b%20c/'"]
    );
    // The path of the import is not a URL.
    assert_eq!(moved(&mut desk, &[("shared/types.yaml", "shared/a%20b.yaml")]), ["user.yaml 2:18-2:28 a b.yaml"]);
}

#[test]
fn environments_follow_moved_templates() {
    let environment = "resource_registry:
  base_url: templates
  My::One: one.yaml
  resources: { web: { My::Two: \"deep/two.yaml\" } }
";
    let template = "heat_template_version: 2021-04-16\n";
    let mut desk = desk(&[
        ("environment.yaml", environment),
        ("templates/one.yaml", template),
        ("templates/deep/two.yaml", template),
    ]);
    desk.open("environment.yaml", environment);
    assert_eq!(desk.codes("environment.yaml"), [""; 0]);
    let links = links(&mut desk, "environment.yaml");
    assert_eq!(links, ["2:11-2:19 templates/one.yaml", "3:31-3:46 templates/deep/two.yaml"]);
    assert_eq!(
        moved(&mut desk, &[("templates/deep/two.yaml", "templates/2.yaml"), ("templates/one.yaml", "1.yaml")]),
        ["environment.yaml 2:11-2:19 ../1.yaml", "environment.yaml 3:31-3:46 \"2.yaml\""]
    );
    assert_eq!(
        moved(&mut desk, &[("templates", "stacks")]),
        ["environment.yaml 2:11-2:19 ../stacks/one.yaml", "environment.yaml 3:31-3:46 \"../stacks/deep/two.yaml\""]
    );
    assert_eq!(
        moved(&mut desk, &[("environment.yaml", "env/live.yaml")]),
        [
            "environment.yaml 2:11-2:19 ../../templates/one.yaml",
            "environment.yaml 3:31-3:46 \"../../templates/deep/two.yaml\"",
        ]
    );
}

#[test]
fn manifests_follow_moved_classes() {
    let manifest = "Format: 1.4\nType: Library\nFullName: com.example\nClasses:\n  com.example.One: One.yaml\n  com.example.Two: deep/Two.yaml\n";
    let class = |name: &str| format!("Namespaces:\n  =: com.example\nName: {name}\n");
    let mut desk = desk(&[
        ("package/manifest.yaml", manifest),
        ("package/Classes/One.yaml", &class("One")),
        ("package/Classes/deep/Two.yaml", &class("Two")),
    ]);
    desk.open("package/manifest.yaml", manifest);
    assert_eq!(desk.codes("package/manifest.yaml"), [""; 0]);
    assert_eq!(
        moved(&mut desk, &[("package/Classes/One.yaml", "package/Classes/deep/1.yaml")]),
        ["package/manifest.yaml 4:19-4:27 deep/1.yaml"]
    );
    assert_eq!(
        moved(&mut desk, &[("package/Classes/deep", "package/more")]),
        ["package/manifest.yaml 5:19-5:32 ../more/Two.yaml"]
    );
    assert_eq!(moved(&mut desk, &[("package", "library")]), [""; 0]);
}

#[test]
fn unusual_moves() {
    let head = "tosca_definitions_version: tosca_2_0\n";
    let mut desk = desk(&[
        ("ws/a.yaml", &format!("{head}imports: [ b.yaml ]\n")),
        ("ws/b.yaml", &format!("{head}imports: [ c.yaml ]\n")),
        ("ws/c.yaml", head),
    ]);
    // Out of the folder.
    assert_eq!(
        moved(&mut desk, &[("ws/b.yaml", "b.yaml")]),
        ["ws/a.yaml 1:11-1:17 ../b.yaml", "ws/b.yaml 1:11-1:17 ws/c.yaml"]
    );
    // A file that replaces another one: the references to both are now references to the same file.
    assert_eq!(moved(&mut desk, &[("ws/c.yaml", "ws/a.yaml")]), ["ws/b.yaml 1:11-1:17 a.yaml"]);
    assert_eq!(moved(&mut desk, &[("ws/c.yaml", "ws/b.yaml")]), [""; 0], "the importer is gone");
    assert_eq!(moved(&mut desk, &[("ws/a.yaml", "ws/b.yaml")]), [""; 0], "the import is gone");
    // The unsaved text counts, and the edit has its version.
    let text = format!("{head}# new\nimports: [ b.yaml, c.yaml ]\n");
    desk.open("ws/a.yaml", &text);
    desk.replace("ws/a.yaml", &text.replace("new", "newer"));
    assert_eq!(
        moved(&mut desk, &[("ws/a.yaml", "a.yaml")]),
        ["ws/a.yaml 2:11-2:17 ws/b.yaml", "ws/a.yaml 2:19-2:25 ws/c.yaml"]
    );
    let files = [json!({ "oldUri": desk.uri("ws/a.yaml"), "newUri": desk.uri("a.yaml") })];
    let answer = desk.ask("workspace/willRenameFiles", json!({ "files": files })).unwrap();
    assert!(answer["documentChanges"][0]["textDocument"]["version"].is_number(), "{answer}");
}

#[test]
fn files_of_heat_are_links_and_follow() {
    let main = "heat_template_version: 2021-04-16
resources:
  one: { type: nested/inner.yaml }
  two: { type: OS::Heat::ResourceGroup, properties: { resource_def: { type: nested/inner.yaml } } }
outputs:
  script: { value: { get_file: scripts/boot.sh } }
  text: { value: { str_replace: { template: { get_file: './scripts/boot.sh' }, params: {} } } }
";
    let inner = "heat_template_version: 2021-04-16\noutputs: { a: { value: { get_file: ../scripts/boot.sh } } }\n";
    let environment = "resource_registry: { My::Type: nested/inner.yaml }\n";
    let mut desk = desk(&[
        ("scripts/boot.sh", ""),
        ("nested/inner.yaml", inner),
        ("main.yaml", main),
        ("environment.yaml", environment),
    ]);
    desk.open("main.yaml", main);
    desk.open("nested/inner.yaml", inner);
    assert_eq!((desk.codes("main.yaml"), desk.codes("nested/inner.yaml")), (vec![], vec![]));
    assert_eq!(
        links(&mut desk, "main.yaml"),
        [
            "2:15-2:32 nested/inner.yaml",
            "3:76-3:93 nested/inner.yaml",
            "5:31-5:46 scripts/boot.sh",
            "6:56-6:75 scripts/boot.sh",
        ]
    );
    assert_eq!(
        moved(&mut desk, &[("scripts/boot.sh", "boot.sh")]),
        ["main.yaml 5:31-5:46 boot.sh", "main.yaml 6:56-6:75 './boot.sh'", "nested/inner.yaml 1:35-1:53 ../boot.sh",]
    );
    assert_eq!(
        moved(&mut desk, &[("nested", "deep/er")]),
        [
            "environment.yaml 0:31-0:48 deep/er/inner.yaml",
            "main.yaml 2:15-2:32 deep/er/inner.yaml",
            "main.yaml 3:76-3:93 deep/er/inner.yaml",
            "nested/inner.yaml 1:35-1:53 ../../scripts/boot.sh",
        ]
    );
}

#[test]
fn manifests_follow_moved_forms_and_logos() {
    let manifest = "Format: 1.4\nType: Library\nFullName: com.example\nUI: form.yaml\nLogo: logo.png\n";
    let mut desk = desk(&[
        ("package/manifest.yaml", manifest),
        ("package/UI/form.yaml", "Version: 2\nApplication: {}\nForms: []\n"),
        ("package/form.yaml", "Version: 2\nApplication: {}\nForms: []\n"),
        ("package/logo.png", ""),
    ]);
    desk.open("package/manifest.yaml", manifest);
    assert_eq!(desk.codes("package/manifest.yaml"), [""; 0]);
    let links = links(&mut desk, "package/manifest.yaml");
    assert_eq!(links, ["3:4-3:13 package/UI/form.yaml", "4:6-4:14 package/logo.png"]);
    assert_eq!(
        moved(&mut desk, &[("package/UI/form.yaml", "package/UI/main.yaml"), ("package/logo.png", "package/a/b.png")]),
        ["package/manifest.yaml 3:4-3:13 main.yaml", "package/manifest.yaml 4:6-4:14 a/b.png"]
    );
    assert_eq!(
        moved(&mut desk, &[("package/UI/form.yaml", "package/form.yaml")]),
        ["package/manifest.yaml 3:4-3:13 ../form.yaml"]
    );
    // A folder moves with all its files.
    let files = json!([{ "oldUri": desk.uri("package"), "newUri": desk.uri("other") }]);
    assert_eq!(desk.ask("workspace/willRenameFiles", json!({ "files": files })).unwrap()["documentChanges"], json!([]));
}

#[test]
fn paths_are_completed() {
    let mut desk = service();
    let mut proposals = |file: &str, text: &str| {
        let (line, before) = text.split('|').next().map(|before| (before.matches('\n').count(), before)).unwrap();
        let character = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
        desk.open(file, &text.replace('|', ""));
        let at = json!({ "line": line, "character": character });
        let uri = desk.uri(file);
        let answer =
            desk.ask("textDocument/completion", json!({ "textDocument": { "uri": uri }, "position": at })).unwrap();
        let mut labels: Vec<String> =
            answer["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect();
        labels.retain(|label| ["scripts/", "service.yaml", "scripts/create.sh", "scripts/stop.sh"].contains(&&**label));
        labels.sort();
        desk.close(file);
        labels.join(" ")
    };
    let all = "scripts/create.sh scripts/stop.sh";
    let with = |old: &str, new: &str| SERVICE.replacen(old, new, 1);
    assert_eq!(proposals("a.yaml", &with("create: scripts/create.sh", "create: scripts/|")), all);
    assert_eq!(proposals("a.yaml", &with("file: images/web }", "file: scripts/| }")), all);
    assert_eq!(proposals("a.yaml", &with("primary: \"scripts/stop.sh\"", "primary: |")), "scripts/ service.yaml");
    assert_eq!(proposals("a.yaml", &with("[ lib/types.yaml ]", "[ s| ]")), "scripts/ service.yaml");
    assert_eq!(proposals("a.yaml", &with("[ lib/types.yaml ]", "[ scripts/| ]")), "", "no templates");
    let heat = "heat_template_version: 2021-04-16\noutputs: { a: { value: { get_file: scripts/| } } }\n";
    assert_eq!(proposals("a.yaml", heat), all);
}

#[test]
fn types_are_completed_in_environments() {
    let mut desk = desk(&[]);
    for text in ["resource_registry:\n  My::Type: OS::Heat::Val|\n", "resource_registry:\n  My::Type: |\n"] {
        let at = json!({ "line": 1, "character": text.lines().nth(1).unwrap().find('|').unwrap() });
        desk.open("environment.yaml", &text.replace('|', ""));
        let document = json!({ "uri": desk.uri("environment.yaml") });
        let answer = desk.ask("textDocument/completion", json!({ "textDocument": document, "position": at })).unwrap();
        let items = answer["items"].as_array().unwrap();
        let labels: Vec<&str> = items.iter().map(|item| item["label"].as_str().unwrap()).collect();
        assert!(labels.contains(&"OS::Heat::Value") && !labels.contains(&"OS::Heat::*"), "{text} {labels:?}");
        desk.close("environment.yaml");
    }
}

#[test]
fn scripts_of_cloudify_are_links_and_follow() {
    let main = "tosca_definitions_version: cloudify_dsl_1_3
plugins: { script: { executor: host_agent, install: false } }
node_types:
  A: { interfaces: { life: { start: { implementation: scripts/a.sh }, stop: scripts/a.sh } } }
workflows: { again: scripts/a.sh }
";
    let mut desk = desk(&[("scripts/a.sh", ""), ("main.yaml", main)]);
    desk.open("main.yaml", main);
    assert_eq!(desk.codes("main.yaml"), [""; 0]);
    assert_eq!(links(&mut desk, "main.yaml").len(), 3);
    assert_eq!(
        moved(&mut desk, &[("scripts", "bin")]),
        ["main.yaml 3:54-3:66 bin/a.sh", "main.yaml 3:76-3:88 bin/a.sh", "main.yaml 4:20-4:32 bin/a.sh"]
    );
}
