//! Refactorings and renames keep the problems and the model of any file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tosca_parse::normal::{Options, Service};
use tosca_parse::{Parser, TOSCA};

use super::asks::at;
use super::client::{Editor, modern};
use super::refactor::edited;
use crate::root;

/// One of this number of files is tried.
const FILES: usize = 24;

/// The maximum number of positions that are tried in a file.
const POSITIONS: usize = 16;

/// A name that no file has.
const NEW_NAME: &str = "renamed_9x";

/// The parts of a model that a refactoring may change: inputs, the calls that read them, and the files of types.
const OMITTED: &[&str] = &["inputs", "expression", "origin"];

/// The problems of values that aren't checked in the same way if they are the default of an input.
const HIDDEN: &[&str] = &["T1205", "T5101", "T5103", "T5108", "T5206", "T5219"];

fn omit(value: &mut Value) {
    match value {
        Value::Object(map) => {
            OMITTED.iter().for_each(|key| drop(map.remove(*key)));
            map.values_mut().for_each(omit);
        }
        Value::Array(list) => list.iter_mut().for_each(omit),
        _ => {}
    }
}

/// The problems and the model of a file.
#[derive(Clone, Debug, PartialEq)]
struct Meaning {
    problems: Vec<String>,
    model: Value,
}

impl Meaning {
    fn of(path: &Path) -> Self {
        let parser = Parser::builder(&TOSCA).offline(true).build().unwrap();
        let outcome = parser.parse(path.to_str().unwrap()).unwrap();
        let problem =
            |problem: &tosca_parse::diagnostic::Diagnostic| format!("{}: {}", problem.rule.code, problem.message);
        let mut problems: Vec<String> = outcome.diagnostics.iter().map(problem).collect();
        problems.sort();
        let service = if outcome.is_valid() { Service::evaluated(&outcome.program, Options::default()) } else { None };
        let mut model = service.map_or(Value::Null, |(service, _)| serde_json::to_value(&service).unwrap());
        omit(&mut model);
        Self { problems, model }
    }

    /// Reduces the problems to their codes, without those of values that a new input hides.
    fn keep_codes(&mut self) {
        let codes = self.problems.iter().filter_map(|problem| problem.split(':').next());
        let codes: BTreeSet<&str> = codes.filter(|code| !HIDDEN.contains(code)).collect();
        self.problems = codes.into_iter().map(str::to_owned).collect();
    }

    /// Returns the first difference from another meaning.
    fn difference(&self, other: &Self) -> String {
        if self.problems != other.problems {
            return format!("{:#?}\n{:#?}", self.problems, other.problems);
        }
        let [one, other] = [self, other].map(|of| format!("{:#}", of.model));
        let line = one.lines().zip(other.lines()).position(|(one, other)| one != other).unwrap_or(0);
        [one, other]
            .map(|of| of.lines().skip(line.saturating_sub(5)).take(8).collect::<Vec<_>>().join("\n"))
            .join("\n---\n")
    }

    /// Returns the meaning with another name.
    fn named(&self, name: &str) -> Self {
        let replace = |text: &str| text.replace(NEW_NAME, name);
        let model = serde_json::from_str(&replace(&self.model.to_string())).unwrap();
        let mut problems: Vec<String> = self.problems.iter().map(|problem| replace(problem)).collect();
        problems.sort();
        Self { problems, model }
    }
}

/// Returns the templates in the folders of a folder, with the folder of each.
fn templates(folder: &str) -> Vec<(PathBuf, String)> {
    let sorted = |path: &Path| {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let mut all = Vec::new();
    for folder in sorted(&root().join(folder)).into_iter().filter(|path| path.is_dir()) {
        for path in sorted(&folder).into_iter().filter(|path| path.is_file()) {
            if path.extension().is_some_and(|extension| extension == "yaml") {
                all.push((folder.clone(), std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    all
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &to) } else { std::fs::copy(&path, &to).map(drop).unwrap() }
    }
}

/// Returns the positions at which a word begins, outside comments; some of them, if there are many.
fn positions(text: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for (line, written) in text.lines().enumerate() {
        let written = written.split("# ").next().unwrap_or_default();
        let (mut before, mut character) = (' ', 0);
        for letter in written.chars() {
            if letter.is_alphanumeric() && !before.is_alphanumeric() && before != '_' {
                all.push(json!({ "line": line, "character": character }));
            }
            (before, character) = (letter, character + letter.len_utf16());
        }
    }
    let step = all.len().div_ceil(POSITIONS).max(1);
    all.into_iter().step_by(step).collect()
}

/// A file that is refactored in all ways.
struct Subject<'a> {
    editor: &'a mut Editor,
    text: &'a str,
    before: Meaning,
    /// The edits that change the meaning.
    wrong: Vec<String>,
}

impl Subject<'_> {
    /// Applies the edit of an action or rename, and returns the meaning.
    fn applied(&self, edit: &Value) -> (Meaning, String) {
        let uri = self.editor.uri("a.yaml");
        let mut text = self.text.to_owned();
        let mut created = Vec::new();
        for change in
            edit["documentChanges"].as_array().into_iter().flatten().filter(|change| change.get("kind").is_none())
        {
            let file = change["textDocument"]["uri"].as_str().unwrap();
            if file == uri {
                text = edited(&text, &change["edits"]);
            } else {
                let path = self.editor.path(&self.editor.without_folder(file));
                assert!(!path.exists(), "{file}");
                std::fs::write(&path, edited("", &change["edits"])).unwrap();
                created.push(path);
            }
        }
        if let Some(edits) = edit["changes"].get(&uri) {
            text = edited(&text, edits);
        }
        let path = self.editor.path("a.yaml");
        std::fs::write(&path, &text).unwrap();
        let after = Meaning::of(&path);
        for path in &created {
            text += "---\n";
            text += &std::fs::read_to_string(path).unwrap();
        }
        created.iter().for_each(|path| std::fs::remove_file(path).unwrap());
        (after, text)
    }

    fn refactor(&mut self, position: &Value, seen: &mut BTreeSet<String>) -> usize {
        let range = json!({ "start": position, "end": position });
        let context = json!({ "diagnostics": [], "only": ["refactor"] });
        let document = json!({ "uri": self.editor.uri("a.yaml") });
        let params = json!({ "textDocument": document, "range": range, "context": context });
        let actions = self.editor.ask("textDocument/codeAction", params);
        let mut number = 0;
        for action in actions.as_array().unwrap().iter().filter(|action| seen.insert(action["edit"].to_string())) {
            let title = action["title"].as_str().unwrap();
            let (after, text) = self.applied(&action["edit"]);
            // Messages about a wrong value name its place.
            let (mut before, mut after) = (self.before.clone(), after);
            if !before.problems.is_empty() {
                [&mut before, &mut after].into_iter().for_each(Meaning::keep_codes);
            }
            let is_same = after == before;
            if !is_same {
                self.wrong.push(format!("{title}\n{text}\n{}", before.difference(&after)));
            }
            number += 1;
        }
        number
    }

    fn rename(&mut self, position: &Value, seen: &mut BTreeSet<String>) -> usize {
        let document = json!({ "uri": self.editor.uri("a.yaml") });
        let params = json!({ "textDocument": document, "position": position });
        let id = self.editor.request("textDocument/prepareRename", params.clone());
        let Ok(answer) = self.editor.response(id).response_result else { return 0 };
        let Some(name) = answer["placeholder"].as_str() else { return 0 };
        let mut params = params;
        params["newName"] = json!(NEW_NAME);
        let id = self.editor.request("textDocument/rename", params);
        let Ok(edit) = self.editor.response(id).response_result else { return 0 };
        let is_here = edit["documentChanges"].as_array().is_some_and(|changes| changes.len() == 1);
        if !is_here || !seen.insert(edit.to_string()) {
            return 0;
        }
        let (after, text) = self.applied(&edit);
        let after = after.named(name);
        // A name may have been a problem itself.
        let is_same = after.problems.iter().all(|problem| self.before.problems.contains(problem))
            && (after.model == self.before.model || self.before.model.is_null());
        if !is_same {
            self.wrong.push(format!("rename {name}\n{text}\n{}", self.before.difference(&after)));
        }
        1
    }
}

#[test]
fn meaning_is_preserved() {
    let mut capabilities = modern();
    capabilities["workspace"]["workspaceEdit"]["resourceOperations"] = json!(["create"]);
    let all = [templates("tests/chapters"), templates("tests/simple")].concat();
    // To try more files, set the share.
    let every = std::env::var("TOSCA_PARSE_EVERY").map_or(FILES, |every| every.parse().unwrap());
    let (mut refactored, mut renamed, mut wrong) = (0, 0, Vec::new());
    for (folder, text) in all.iter().step_by(every) {
        let mut editor = Editor::new(&capabilities);
        folder.join("lib").is_dir().then(|| copy(&folder.join("lib"), &editor.path("lib")));
        std::fs::write(editor.path("a.yaml"), text).unwrap();
        let before = Meaning::of(&editor.path("a.yaml"));
        editor.open("a.yaml", text);
        let mut subject = Subject { editor: &mut editor, text, before, wrong: Vec::new() };
        let mut seen = BTreeSet::new();
        for position in positions(text) {
            refactored += subject.refactor(&position, &mut seen);
            renamed += subject.rename(&position, &mut seen);
        }
        wrong.append(&mut subject.wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refactored > 20 && renamed > 20, "{refactored} {renamed}");
}

const CAPABILITIES: &str = "tosca_definitions_version: tosca_2_0
capability_types: { Host: {} }
relationship_types: { On: {} }
node_types:
  Server: { capabilities: { one: Host, two: Host } }
  Shop:
    requirements:
      - host: { capability: one, node: Server, relationship: On }
      - other: { capability: Host, node: Server, relationship: On }
service_template:
  node_templates:
    server: { type: Server }
    shop: { type: Shop, requirements: [ { host: server }, { other: { node: server, capability: two } } ] }
";

#[test]
fn capabilities_are_renamed_in_requirements() {
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", CAPABILITIES);
    for name in ["one", "two"] {
        let mut params = at(&editor, "a.yaml", CAPABILITIES, name, 0);
        params["newName"] = json!(NEW_NAME);
        let edit = editor.ask("textDocument/rename", params);
        let text = edited(CAPABILITIES, &edit["documentChanges"][0]["edits"]);
        assert_eq!(text, CAPABILITIES.replace(name, NEW_NAME));
    }
    let position = CAPABILITIES.lines().position(|line| line.contains("capability: two")).unwrap();
    let character = CAPABILITIES.lines().nth(position).unwrap().find("two").unwrap();
    assert_eq!(editor.complete("a.yaml", position, character), ["Host", "one", "two"]);
}

#[test]
fn renames_that_cause_problems_are_refused() {
    let text = "tosca_definitions_version: tosca_2_0
dsl_definitions: { common: &common { label: x } }
node_types:
  Disk: { properties: { name: { type: string }, label: { type: string } } }
  Tape: { properties: { label: { type: string } } }
service_template:
  node_templates:
    disk: { type: Disk, properties: { name: x, <<: *common } }
    tape: { type: Tape, properties: *common }
";
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", text);
    let rename = |editor: &Editor, word: &str| {
        let mut params = at(editor, "a.yaml", text, word, 0);
        params["newName"] = json!(NEW_NAME);
        params
    };
    let params = rename(&editor, "name");
    assert_eq!(editor.ask("textDocument/rename", params)["documentChanges"][0]["edits"].as_array().unwrap().len(), 2);
    let params = rename(&editor, "label: { type");
    let reason = editor.refused("textDocument/rename", params);
    let problem = "the file would have a new problem: node type `Tape` has no property `renamed_9x`";
    assert!(reason.contains(problem), "{reason}");
}

#[test]
fn renames_that_cause_problems_in_importers_are_refused() {
    let types = "tosca_definitions_version: tosca_2_0
node_types: { Disk: { properties: { name: { type: string } } } }
";
    let user = "tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
dsl_definitions: { common: &common { name: x } }
node_types: { Tape: { properties: { name: { type: string } } } }
service_template:
  node_templates:
    disk: { type: Disk, properties: { <<: *common } }
    tape: { type: Tape, properties: *common }
";
    let mut editor = Editor::with_files(&modern(), &[("types.yaml", types), ("user.yaml", user)]);
    editor.open("types.yaml", types);
    let mut params = at(&editor, "types.yaml", types, "name:", 0);
    params["newName"] = json!(NEW_NAME);
    let reason = editor.refused("textDocument/rename", params.clone());
    let problem = "user.yaml would have a new problem: node type `Tape` has no property `renamed_9x`";
    assert!(reason.contains(problem), "{reason}");
    // The open text counts.
    let user = user.replace("    tape: { type: Tape, properties: *common }\n", "");
    editor.open("user.yaml", &user);
    assert_eq!(editor.ask("textDocument/rename", params)["documentChanges"].as_array().unwrap().len(), 2);
}

#[test]
fn keys_behind_anchors_are_renamed_where_they_are_written() {
    let text = "tosca_definitions_version: tosca_2_0
dsl_definitions:
  common: &common { label: x, size: { amount: 1 } }
  whole: &whole
    type: Disk
    properties: { name: y }
  list: &list [ { label: { type: string } } ]
data_types: { Size: { properties: { amount: { type: integer } } } }
node_types:
  Disk:
    properties:
      name: { type: string, required: false }
      label: { type: string, required: false }
      size: { type: Size, required: false }
service_template:
  node_templates:
    one: { type: Disk, properties: { name: x, <<: *common } }
    two: { type: Disk, properties: *common }
    three: *whole
    four: { <<: *whole, properties: { name: z } }
";
    let mut editor = Editor::new(&modern());
    editor.open("a.yaml", text);
    let renamed = |editor: &mut Editor, word: &str, number: usize, new_name: &str| {
        let mut params = at(editor, "a.yaml", text, word, number);
        params["newName"] = json!(new_name);
        let answer = editor.ask("textDocument/rename", params);
        edited(text, &answer["documentChanges"][0]["edits"])
    };
    // From the declaration, and from the key behind the anchor.
    let expected = text.replace("label: x", "title: x").replace("label: { type: string, ", "title: { type: string, ");
    for number in [0, 2] {
        assert_eq!(renamed(&mut editor, "label", number, "title"), expected);
    }
    let expected = text.replace("{ name:", "{ title:").replace("      name:", "      title:");
    for number in [0, 1, 3] {
        assert_eq!(renamed(&mut editor, "name: ", number, "title"), expected, "{number}");
    }
    let expected = text.replace("amount", "number");
    for number in [0, 1] {
        assert_eq!(renamed(&mut editor, "amount", number, "number"), expected, "{number}");
    }
    let expected = text.replace("Disk", "Drive");
    assert_eq!(renamed(&mut editor, "Disk", 0, "Drive"), expected);
    // The merged key would be hidden by the other one.
    let mut params = at(&editor, "a.yaml", text, "label", 0);
    params["newName"] = json!("name");
    assert!(editor.refused("textDocument/rename", params).contains("already has"));
}
