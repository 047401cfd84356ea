//! A trial of everything that the server offers at a position: each edit is applied, and the result is compared.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tosca_parse::Entry;
use tosca_parse::ard::{self, Dialect, Documents, Kind, Node};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::source::Address;
use tosca_parse::symbol::Interner;

use super::super::desk::Desk;

/// The problems of new entries that are to be completed.
const INCOMPLETE: &[&str] = &["T1204", "T1206", "T1317", "T5001", "T5101", "T5106", "T5303", "T5304"];

pub(super) const NEW_NAME: &str = "renamed_9x";

/// The offset of a position; an error if there is no such position.
fn offset(text: &str, position: &Value) -> Result<usize, String> {
    let part = |part: &str| usize::try_from(position[part].as_u64().unwrap()).unwrap();
    let (line, character) = (part("line"), part("character"));
    let mut start = 0;
    for _ in 0..line {
        let rest = text[start..].find(['\n', '\r']).ok_or_else(|| format!("there is no line {line}"))?;
        start += rest + if text[start + rest..].starts_with("\r\n") { 2 } else { 1 };
    }
    let of_line = text[start..].split(['\n', '\r']).next().unwrap();
    let mut units = 0;
    for (at, letter) in of_line.char_indices().chain([(of_line.len(), '\n')]) {
        if units == character {
            return Ok(start + at);
        }
        units += letter.len_utf16();
    }
    Err(format!("{position} is not between two characters"))
}

/// Applies edits as an editor does.
pub(super) fn apply(text: &str, edits: &Value) -> Result<String, String> {
    let mut spans = Vec::new();
    for (number, edit) in edits.as_array().unwrap().iter().enumerate() {
        let [start, end] = ["start", "end"].map(|end| offset(text, &edit["range"][end]));
        spans.push((start?, end?, number, edit["newText"].as_str().unwrap()));
    }
    spans.sort_unstable();
    if spans.iter().any(|(start, end, ..)| start > end) || spans.windows(2).any(|pair| pair[0].1 > pair[1].0) {
        return Err(format!("overlapping edits: {edits}"));
    }
    let mut new = text.to_owned();
    spans.iter().rev().for_each(|(start, end, _, text)| new.replace_range(*start..*end, text));
    Ok(new)
}

/// The data of a text.
#[derive(Clone, Debug, PartialEq)]
enum Data {
    Null,
    Scalar(String),
    List(Vec<Data>),
    Map(Vec<(Data, Data)>),
}

impl Data {
    fn of(node: Node<'_>) -> Self {
        match node.kind() {
            Kind::Null => Self::Null,
            Kind::List => Self::List(node.items().map(Self::of).collect()),
            Kind::Map => Self::Map(node.entries().map(|entry| (Self::of(entry.key), Self::of(entry.value))).collect()),
            _ => Self::Scalar(format!("{:?} {}", node.kind(), node.text())),
        }
    }

    /// Whether nothing of other data is missing or different.
    fn contains(&self, other: &Self) -> bool {
        let is_empty = |data: &Self| match data {
            Self::Null => true,
            Self::List(list) => list.is_empty(),
            Self::Map(map) => map.is_empty(),
            Self::Scalar(_) => false,
        };
        match (self, other) {
            (_, other) if is_empty(other) => true,
            (Self::List(list), Self::List(others)) => {
                let mut list = list.iter();
                others.iter().all(|other| list.any(|one| one.contains(other)))
            }
            (Self::Map(map), Self::Map(others)) => {
                let mut map = map.iter();
                others.iter().all(|(key, value)| map.any(|(known, one)| known == key && one.contains(value)))
            }
            _ => self == other,
        }
    }
}

/// The facts about a text.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) codes: BTreeMap<String, usize>,
    pub(super) messages: Vec<String>,
    data: Option<Data>,
    comments: BTreeMap<String, usize>,
}

impl Facts {
    pub(super) fn of(desk: &Desk, file: &str, text: &str) -> Self {
        let address = Address::from_path(&desk.path(file), &desk.path(""));
        let outcome = desk.parser.parse_entry(Entry::text(address, text));
        let mut codes: BTreeMap<String, usize> = BTreeMap::new();
        for problem in &outcome.diagnostics {
            *codes.entry(problem.rule.code.to_owned()).or_default() += 1;
        }
        let messages = outcome.diagnostics.iter().map(|problem| format!("{} {}", problem.rule.code, problem.message));
        let dialect = outcome.program.list.first().map_or(Dialect::CORE, |unit| unit.language.yaml);
        let options =
            ard::Options { dialect: Dialect { documents: Documents::First, ..dialect }, ..ard::Options::default() };
        let (document, _) =
            ard::read(SourceId(0), text.trim_start_matches('\u{feff}').into(), &Interner::new(), &options);
        let data = document.root().filter(|_| document.is_complete() && file != "a.yay").map(Data::of);
        let mut comments: BTreeMap<String, usize> = BTreeMap::new();
        for line in text.split(['\n', '\r']) {
            if let Some((_, comment)) = line.split_once("# ") {
                *comments.entry(comment.trim_end().to_owned()).or_default() += 1;
            }
        }
        Self { codes, messages: messages.collect(), data, comments }
    }

    fn new_codes(&self, before: &Self) -> Vec<String> {
        let is_new = |(code, _): &(&String, &usize)| !before.codes.contains_key(*code);
        self.codes.iter().filter(is_new).map(|(code, _)| code.clone()).collect()
    }
}

/// The positions of the starts, middles and ends of words.
pub(super) fn positions(text: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for (line, written) in text.replace("\r\n", "\n").split(['\n', '\r']).enumerate() {
        let (mut before, mut character) = (' ', 0);
        for letter in written.chars() {
            let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
            if is_word(letter) != is_word(before) {
                all.push(json!({ "line": line, "character": character }));
            }
            (before, character) = (letter, character + letter.len_utf16());
        }
        all.push(json!({ "line": line, "character": character }));
    }
    all
}

pub(super) struct Trial<'a> {
    pub(super) desk: &'a mut Desk,
    pub(super) context: String,
    pub(super) file: &'a str,
    pub(super) text: &'a str,
    pub(super) before: Facts,
    pub(super) seen: BTreeSet<String>,
    pub(super) wrong: Vec<String>,
    pub(super) counts: BTreeMap<String, usize>,
}

pub(super) fn diff(before: &str, after: &str) -> String {
    let (one, other): (Vec<&str>, Vec<&str>) =
        (before.split(['\n', '\r']).collect(), after.split(['\n', '\r']).collect());
    let start = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let end =
        one[start..].iter().rev().zip(other[start..].iter().rev()).take_while(|(one, other)| one == other).count();
    let show = |lines: &[&str], sign: &str| {
        let lines: Vec<String> =
            lines[start..lines.len() - end].iter().map(|line| format!("{sign} {line:?}")).collect();
        lines.join("\n")
    };
    format!("{}\n{}\n", show(&one, "-"), show(&other, "+"))
}

impl Trial<'_> {
    /// Tries everything at a position.
    pub(super) fn all(&mut self, at: &Value) {
        self.actions(at);
        self.rename(at, NEW_NAME);
        self.linked(at);
        self.complete(at);
        self.format("textDocument/onTypeFormatting", json!({ "position": at, "ch": "\n" }), at);
        self.format("textDocument/rangeFormatting", json!({ "range": { "start": at, "end": at } }), at);
    }

    fn count(&mut self, kind: &str) {
        *self.counts.entry(kind.to_owned()).or_default() += 1;
    }

    fn fail(&mut self, title: &str, at: &Value, reason: &str, after: &str) {
        let shown = diff(self.text, after);
        self.wrong.push(format!("[{}] {title} @{}:{}: {reason}\n{shown}", self.context, at["line"], at["character"]));
    }

    /// Applies the changes to this file; returns the text, and the texts of the other files.
    fn applied(&self, edit: &Value) -> Result<(String, BTreeMap<String, String>), String> {
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        let mut apply_to = |uri: &str, edits: &Value| {
            let name = self.desk.name(uri).to_owned();
            let old = match files.get(&name) {
                Some(text) => text.clone(),
                None if name == self.file => self.text.to_owned(),
                None => std::fs::read_to_string(self.desk.path(&name)).unwrap_or_default(),
            };
            files.insert(name, apply(&old, edits)?);
            Ok::<(), String>(())
        };
        for change in edit["documentChanges"].as_array().into_iter().flatten() {
            if change.get("kind").is_none() {
                apply_to(change["textDocument"]["uri"].as_str().unwrap(), &change["edits"])?;
            }
        }
        for (uri, edits) in edit["changes"].as_object().into_iter().flatten() {
            apply_to(uri, edits)?;
        }
        let text = files.remove(self.file).unwrap_or_else(|| self.text.to_owned());
        Ok((text, files))
    }

    fn actions(&mut self, at: &Value) {
        let params = json!({
            "textDocument": { "uri": self.desk.uri(self.file) },
            "range": { "start": at, "end": at },
            "context": { "diagnostics": [] },
        });
        let actions = self.desk.ask("textDocument/codeAction", params).unwrap();
        for action in actions.as_array().into_iter().flatten() {
            let title = action["title"].as_str().unwrap();
            if !self.seen.insert(format!("{title} {}", action["edit"])) {
                continue;
            }
            let kind = title.split(' ').next().unwrap().to_owned();
            self.count(&kind);
            let (after, others) = match self.applied(&action["edit"]) {
                Ok(after) => after,
                Err(reason) => {
                    self.fail(title, at, &reason, self.text);
                    continue;
                }
            };
            for (name, text) in &others {
                if self.text.contains("\r\n") && text.replace("\r\n", "").contains('\n') {
                    self.fail(title, at, "line ends of the new file differ", text);
                }
                std::fs::write(self.desk.path(name), text).unwrap();
            }
            let facts = Facts::of(self.desk, self.file, &after);
            for name in others.keys() {
                std::fs::remove_file(self.desk.path(name)).unwrap();
            }
            self.check(title, at, &facts, &after);
        }
    }

    fn check(&mut self, title: &str, at: &Value, facts: &Facts, after: &str) {
        let before = self.before.clone();
        let mut reasons = Vec::new();
        let is_broken = facts.data.is_none() && before.data.is_some();
        if is_broken {
            reasons.push(format!("the text is broken: {:?}", facts.messages));
        }
        let mut new = facts.new_codes(&before);
        if title.starts_with("Add required") || title.starts_with("Create ") {
            new.retain(|code| !INCOMPLETE.contains(&&**code));
        }
        if title.starts_with("Import ") {
            // Unknown names are not reported while the list of imports has no value.
            new.retain(|code| code != "T2001");
        }
        if !new.is_empty() {
            let messages =
                facts.messages.iter().filter(|message| new.iter().any(|code| message.starts_with(code.as_str())));
            reasons.push(format!("new problems: {:?}", messages.collect::<Vec<_>>()));
        }
        if self.text.contains("\r\n") && after.replace("\r\n", "").contains('\n') {
            reasons.push("line ends differ".to_owned());
        }
        if self.text.contains('\r') && !self.text.contains('\n') && after.contains('\n') {
            reasons.push("line ends differ".to_owned());
        }
        if self.text.starts_with('\u{feff}') != after.starts_with('\u{feff}') {
            reasons.push("the BOM is lost".to_owned());
        }
        if !title.starts_with("Move ")
            && before
                .comments
                .iter()
                .any(|(comment, count)| !title.starts_with("Ignore") && facts.comments.get(comment) != Some(count))
        {
            reasons.push("comments differ".to_owned());
        }
        let adds = ["Add required", "Create ", "Import ", "Ignore "].iter().any(|start| title.starts_with(start));
        if let (true, Some(new), Some(old)) = (adds, &facts.data, &before.data)
            && !new.contains(old)
        {
            reasons.push("data are lost".to_owned());
        }
        if title.starts_with("Ignore") && facts.data != before.data {
            reasons.push("data differ".to_owned());
        }
        if !reasons.is_empty() {
            self.fail(title, at, &reasons.join("; "), after);
        }
    }

    fn rename(&mut self, at: &Value, new_name: &str) {
        let document = json!({ "uri": self.desk.uri(self.file) });
        let params = json!({ "textDocument": document, "position": at });
        let Ok(answer) = self.desk.ask("textDocument/prepareRename", params.clone()) else { return };
        let Some(name) = answer["placeholder"].as_str() else { return };
        let mut params = params;
        params["newName"] = json!(new_name);
        let Ok(edit) = self.desk.ask("textDocument/rename", params) else {
            self.count("refused");
            return;
        };
        if !self.seen.insert(format!("rename {edit}")) {
            return;
        }
        self.count("rename");
        let title = format!("rename {name} to {new_name}");
        let (after, others) = match self.applied(&edit) {
            Ok(after) => after,
            Err(reason) => return self.fail(&title, at, &reason, self.text),
        };
        if !others.is_empty() {
            self.count("renames in several files");
            return;
        }
        if after.replace(new_name, name) != *self.text {
            self.fail(&title, at, "more than the name has changed", &after);
        }
        let facts = Facts::of(self.desk, self.file, &after);
        let codes = &facts.codes;
        if *codes != self.before.codes {
            let reason = format!("{:?} {:?}", self.before.messages, facts.messages);
            self.fail(&title, at, &reason, &after);
        }
    }

    fn linked(&mut self, at: &Value) {
        let document = json!({ "uri": self.desk.uri(self.file) });
        let params = json!({ "textDocument": document, "position": at });
        let answer = self.desk.ask("textDocument/linkedEditingRange", params).unwrap();
        let Some(ranges) = answer["ranges"].as_array() else { return };
        let edits: Vec<Value> = ranges.iter().map(|range| json!({ "range": range, "newText": NEW_NAME })).collect();
        if !self.seen.insert(format!("linked {answer}")) {
            return;
        }
        self.count("linked");
        match apply(self.text, &json!(edits)) {
            Ok(after) => {
                let facts = Facts::of(self.desk, self.file, &after);
                if facts.codes != self.before.codes {
                    self.fail("linked", at, &format!("{:?}", facts.messages), &after);
                }
            }
            Err(reason) => self.fail("linked", at, &reason, self.text),
        }
    }

    pub(super) fn format(&mut self, method: &str, params: Value, at: &Value) {
        let mut params = params;
        params["textDocument"] = json!({ "uri": self.desk.uri(self.file) });
        params["options"] = json!({ "tabSize": 2, "insertSpaces": true });
        let edits = self.desk.ask(method, params).unwrap();
        if edits.as_array().is_none_or(Vec::is_empty) || !self.seen.insert(format!("{method} {edits}")) {
            return;
        }
        self.count("format");
        match apply(self.text, &edits) {
            Ok(after) => {
                let facts = Facts::of(self.desk, self.file, &after);
                let is_same = facts.data == self.before.data && facts.comments == self.before.comments;
                if !is_same || facts.codes != self.before.codes {
                    self.fail(method, at, &format!("{:?}", facts.messages), &after);
                }
                if self.text.contains("\r\n") && after.replace("\r\n", "").contains('\n') {
                    self.fail(method, at, "line ends differ", &after);
                }
            }
            Err(reason) => self.fail(method, at, &reason, self.text),
        }
    }

    fn complete(&mut self, at: &Value) {
        let params = json!({ "textDocument": { "uri": self.desk.uri(self.file) }, "position": at });
        let list = self.desk.ask("textDocument/completion", params).unwrap();
        let items = list["items"].as_array().cloned().unwrap_or_default();
        let is_snippet = |item: &&Value| item["insertTextFormat"] == json!(2);
        // A new entry before another one is not finished without a comma.
        let is_new = |item: &&Value| item["textEdit"]["range"]["start"] == item["textEdit"]["range"]["end"];
        let items: Vec<Value> = items.iter().filter(|item| !is_new(item)).cloned().collect();
        let chosen = items.iter().take(2).chain(items.iter().filter(is_snippet).take(1));
        let chosen = chosen.chain(items.iter().filter(|item| item.get("additionalTextEdits").is_some()).take(1));
        for item in chosen {
            if !self.seen.insert(format!("complete {}", item["textEdit"])) {
                continue;
            }
            self.count("complete");
            let mut edits = vec![item["textEdit"].clone()];
            edits.extend(item["additionalTextEdits"].as_array().into_iter().flatten().cloned());
            let mut text = edits[0]["newText"].as_str().unwrap().to_owned();
            if is_snippet(&item) {
                while let Some(start) = text.find("${") {
                    let end = start + text[start..].find('}').unwrap();
                    let inner = text[start + 2..end].trim_start_matches(|letter: char| letter.is_ascii_digit());
                    let inner = inner.trim_start_matches([':', '|']).split([',', '|']).next().unwrap().to_owned();
                    text.replace_range(start..=end, &inner);
                }
            }
            if self.text.contains("\r\n") {
                text = text.replace('\n', "\r\n");
            }
            edits[0]["newText"] = json!(text);
            let title = format!("complete {}", item["label"]);
            match apply(self.text, &json!(edits)) {
                Ok(after) => {
                    let facts = Facts::of(self.desk, self.file, &after);
                    if facts.data.is_none() && self.before.data.is_some() {
                        self.fail(&title, at, &format!("broken: {:?}", facts.messages), &after);
                    }
                    if facts.comments != self.before.comments {
                        self.fail(&title, at, "comments differ", &after);
                    }
                }
                Err(reason) => self.fail(&title, at, &reason, self.text),
            }
        }
    }
}
