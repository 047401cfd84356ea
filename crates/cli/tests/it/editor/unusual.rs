//! Edits in unusual texts: each edit that is offered anywhere changes only the part that it is about.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tosca_parse::Entry;
use tosca_parse::ard::{self, Dialect, Documents, Kind, Node};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::source::Address;
use tosca_parse::symbol::Interner;

use super::client::modern;
use super::desk::Desk;

/// The problems of new entries that are to be completed.
const INCOMPLETE: &[&str] = &["T1204", "T1206", "T1317", "T5001", "T5101", "T5106", "T5303", "T5304"];

const NEW_NAME: &str = "renamed_9x";

const BLOCK: &str = "tosca_definitions_version: tosca_2_0 # 😀
description: |
  Ä text: { with } # no comment

  😀 size
data_types:
  Address: { properties: { street: { type: string }, 'n o': { type: integer, required: false } } }
capability_types: { Host: {} }
relationship_types: { On: {} }
node_types:
  Server: # é
    properties:
      size: { type: integer } # 😀 size
      \"größe\": { type: string, required: false }
      home: { type: Address, required: false }
      tags: { type: list, entry_schema: string, required: false }
    attributes: { state: { type: string } }
    capabilities: { host: Host }
    requirements: [ db: { capability: Host, relationship: On, count_range: [ 1, 1 ] } ]

  # A comment
  # of two lines
  Shop:
    derived_from: Server
    descripton: x
    interfaces: {}
service_template:
  inputs:
    n: &anchor { type: integer, default: 1 } # why
    m: *anchor
  node_templates:
    \"wéb\": { type: Server, properties: { \"größe\": '😀', size: { $get_input: n }, home: { street: 😀 x } }, requirements: [ { db: shop } ] }
    shop:

      type: Shop # é
      properties: &p

        size: 3   # size
        größe: \"a\\tb 😀\"
        color: red
        tags:
          - a # one
          # between
          - { $get_property: [ \"wéb\", größe ] }
          - { $concat: [ { $get_input: unknown }, \"wéb\" ] }
      requirements:
      - db: computer # there is none
      - db: \"wéb\"
    third: { \"type\": 'Shop' }
    fourth:
      type: Server
      properties: { <<: *p }
    fifth:
      type: Sever
  outputs:
    o: { value: { $get_attribute: [ shop, 'state' ] } }
";

const FLOW: &str = "{
  tosca_definitions_version: tosca_2_0, # 😀
  \"node_types\": {
    \"Server\": { \"properties\": { \"size\": { \"type\": \"integer\" }, é: { type: string } } }, # é
    Shop: { derived_from: Server, descripton: x, lable: y },
  },
  service_template: { inputs: { n: { type: integer } },
    node_templates: {
      '😀': { type: Server, properties: { size: 1, } }, \"web\":{\"type\":\"Server\",\"properties\":{\"size\":{\"$get_input\":\"n\"},\"é\":\"😀\"}},
      a: { type: Shop, # why
        properties: { size: { $get_property: [ web, size ] }, é: { $get_input: m } } }, b: { type: Sever }, c: { type: Shop, properties }
    }
  }
}
";

const OLD: &str = "--- # old
tosca_definitions_version: tosca_simple_yaml_1_3
imports:
  - other.yaml
node_types:
  my.Server:
    derived_from: tosca.nodes.Root
    properties:
      size: { type: integer, default: 1 }
    artifacts: { boot: { file: boot.sh, type: tosca.artifacts.File } }
    interfaces:
      Standard: { operations: { create: boot.sh, start: { implementation: 'boot.sh' } } }
topology_template:
  inputs: {}
  node_templates:
    one: { type: my.Server, properties: { size: 2 } } # 😀
    two:
      type: my.Server
      capabilities: { feature: {} }
      requirements:
        - dependency: one
        - dependency: { node: one, relationship: tosca.relationships.DependsOn }
      interfaces: { Standard: { create: a.sh } }
    three: { type: my.Server, properties: { size: { get_property: [ one, size ] } }, requirements: [ dependency: twi ] }
    four: { type: other.Disk, properties: { size: { get_input: sizes } } }
  groups: { g: { type: tosca.groups.Root, members: [ one, \"two\" ] } }
  policies: [ p: { type: tosca.policies.Scaling, targets: [ one, g ] } ]
  outputs: { x: { value: { get_attribute: [ two, 'tosca_id' ] } }, y: { value: { concat: [ 'one', { get_property: [ one, size ] } ] } } }
...
";

const HEAT: &str = "heat_template_version: 2021-04-16
description: >-
  server 😀
parameters:
  key: { type: string, default: é } # 😀 key
  \"sïze\":
    type: number
conditions: { big: { equals: [ { get_param: key }, 'server' ] } }
resources:
  server:
    type: OS::Nova::Server
    condition: big
    properties: { flavor: { get_param: key }, name: { str_replace: { template: 'server $x', params: { $x: { get_param: \"sïze\" } } } } }
    depends_on: [ volume ]
  volume:
    type: OS::Cinder::Volume
    properties:
      size: { get_param: unknown } # é
      nme: x
  'two':
    type: OS::Heat::Value
    properties: { value: { get_attr: [ server, first_address ] } }
outputs:
  a: { value: { get_resource: server } }
  b: { value: { get_attr: [ \"server\", addresses ] } }
";

const CLOUDIFY: &str = "tosca_definitions_version: cloudify_dsl_1_3
plugins: { script: { executor: central_deployment_agent, package_name: x } }
inputs:
  sïze: { type: integer, default: 1 } # 😀
node_types:
  Server:
    properties: { size: { type: integer }, name: { default: 'é', type: string } }
    interfaces: { life: { create: { implementation: script.a.b } } }
relationships: { On: {} }
node_templates:
  web: { type: Server, properties: { size: { get_input: sïze }, nme: '😀' } } # é
  db:
    type: Server
    properties:
      size: { get_property: [ web, size ] }
    relationships:
    - type: On
      target: web
    - { type: On, target: wob }
outputs: { o: { value: { concat: [ { get_attribute: [ \"web\", x ] }, web ] } } }
";

const MURANO: &str = "Namespaces:
  =: io.example
  std: io.murano
Name: Server # 😀
Extends: std:Application
Properties:
  'näme': { Contract: $.string().notNull() } # é
  size:
    Contract: $.int()
    Default: 1
  other: { Contract: $.class(Server) }
Methods:
  deploy:
    Arguments:
    - count: { Contract: $.int() }
    Body:
      - $x: '😀'
      - $.helper($count, $this.size) # é
      - If: $x = 1
        Then: [ $.helper($x, 2), Retrn: $x ]
  helper: { Arguments: [ a: { Contract: $.int() }, b: { Contract: $.int() } ], Body: [ Return: $a + $b ] }
";

const YAY: &str = "# 😀
set base = 8000

macro server:
  type: Server
  properties: { port: {{ base + number }} }
tosca_definitions_version: tosca_2_0
node_types: { Server: { properties: { port: { type: integer } } } }
service_template:
  node_templates:
    é: { type: Server, properties: { port: {{ base }} } }
    b:
      type: Sever
";

const SCALARS: &str = "tosca_definitions_version: tosca_2_0
description: one
  two # three
node_types:
  Base: &base { properties: { size: { type: integer } } }
  Copy: *base
  Server:
    <<: *base
    derived_from: >-
      Sever
  Other: { derived_from: \"Ser\\
    vre\" }
  Third:
    derived_from: Ba
      se
    properties: {} # none
service_template:
  node_templates:
    a: &a
      type: Base
      properties: &p { size: \"1
        2\" }
    b: *a
    c: { <<: *a, metadata: { a: b } }
    d:
      <<: *a
      properties:
        <<: *p
        nme: 1
    e: { type: Base, properties: *p }
    &f f: { type: &t Base, properties: { size: &n 3 } }
    g: { type: *t, properties: { size: *n } }
    ? h
    : type: Base
    i: !!map
      type: Base
      properties: !!map {}
    j:
      type: Third
      properties: {} # none
";

const LINE: &str = "{tosca_definitions_version: tosca_2_0, node_types: {A: {properties: {x: {type: integer}}}, B: {derived_from: Sev}}, service_template: {node_templates: {'😀': {type: A}, b: {type: A, properties: {x: {$get_input: n}}}}}, imports: []}";

const SPARSE: &str = "tosca_definitions_version: tosca_2_0
imports:
service_template:
  node_templates:
    web: { type: Sever }
    app: { type: Shop }
    x: { type: App, properties: { size: { $get_input: n } } }
";

const INDENTED: &str = "  tosca_definitions_version: tosca_2_0
  imports:
  service_template:
    inputs:
    node_templates:
      web: { type: Sever }
      x: { type: App, properties: { size: { $get_input: n } } }
";

/// A text in a context.
fn contexts(text: &str) -> Vec<(&'static str, String)> {
    let tabs = |text: &str| {
        let line = |line: &str| match line.find(" #") {
            Some(at) if !line.trim_start().starts_with('#') => format!("{}\t{}", &line[..at], &line[at + 1..]),
            _ => line.replacen(": {", ":\t{", 1).replacen(": [", ":\t[", 1),
        };
        text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
    };
    vec![
        ("plain", text.to_owned()),
        ("CRLF", text.replace('\n', "\r\n")),
        ("CR", text.replace('\n', "\r")),
        ("BOM", format!("\u{feff}{text}")),
        ("BOM and CRLF", format!("\u{feff}{}", text.replace('\n', "\r\n"))),
        ("tabs", tabs(text)),
        ("no line break at the end", text.trim_end().to_owned()),
        ("documents", format!("---\n{text}...\n")),
        ("comments", format!("# é 😀\n\n{}\n# end", text.replace("\n\n", "\n\n\n"))),
        ("an error", format!("{text}x: [ y\n")),
    ]
}

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
fn apply(text: &str, edits: &Value) -> Result<String, String> {
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
struct Facts {
    codes: BTreeMap<String, usize>,
    messages: Vec<String>,
    data: Option<Data>,
    comments: BTreeMap<String, usize>,
}

impl Facts {
    fn of(desk: &Desk, file: &str, text: &str) -> Self {
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
fn positions(text: &str) -> Vec<Value> {
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

struct Trial<'a> {
    desk: &'a mut Desk,
    context: String,
    file: &'a str,
    text: &'a str,
    before: Facts,
    seen: BTreeSet<String>,
    wrong: Vec<String>,
    counts: BTreeMap<String, usize>,
}

fn diff(before: &str, after: &str) -> String {
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
    fn all(&mut self, at: &Value) {
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

    fn format(&mut self, method: &str, params: Value, at: &Value) {
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

/// One of this number of positions is tried in each text.
const STEP: usize = 41;

/// One of this number of texts is tried.
const TEXTS: usize = 4;

/// The types that code actions import.
const OTHER: &str = "tosca_definitions_version: tosca_simple_yaml_1_3
node_types: { other.Disk: { derived_from: tosca.nodes.Root, properties: { size: { type: integer } } } }
";

const SEVER: &str = "tosca_definitions_version: tosca_2_0
node_types: { Sever: {} }
";

const FILES: &[(&str, &str)] = &[
    ("scalars.yaml", SCALARS),
    ("line.yaml", LINE),
    ("sparse.yaml", SPARSE),
    ("indented.yaml", INDENTED),
    ("block.yaml", BLOCK),
    ("flow.yaml", FLOW),
    ("old.yaml", OLD),
    ("heat.yaml", HEAT),
    ("blueprint.yaml", CLOUDIFY),
    ("Class.yaml", MURANO),
    ("a.yay", YAY),
];

/// Returns the capabilities of an editor that creates files.
fn creating() -> Value {
    let mut capabilities = modern();
    capabilities["workspace"]["workspaceEdit"]["resourceOperations"] = json!(["create"]);
    capabilities
}

/// Returns how many of the positions and names are tried: one of this number.
fn step(default: usize) -> usize {
    std::env::var("TOSCA_PARSE_EVERY").map_or(default, |every| every.parse().unwrap())
}

#[test]
fn edits_change_only_their_subject() {
    let mut desk = Desk::new(&creating(), &[("other.yaml", OTHER), ("types.yaml", SEVER), ("boot.sh", "")]);
    let (mut counts, mut wrong) = (BTreeMap::<String, usize>::new(), Vec::new());
    let step = step(STEP);
    let texts = FILES.iter().flat_map(|(file, text)| contexts(text).into_iter().map(move |context| (*file, context)));
    let texts = texts.enumerate().step_by(if step < STEP { 1 } else { TEXTS });
    for (number, (file, (context, text))) in texts {
        desk.open(file, &text);
        let before = Facts::of(&desk, file, &text);
        let mut trial = Trial {
            desk: &mut desk,
            context: format!("{file}, {context}"),
            file,
            text: &text,
            before,
            seen: BTreeSet::new(),
            wrong: Vec::new(),
            counts: BTreeMap::new(),
        };
        trial.format("textDocument/formatting", json!({}), &json!({ "line": 0, "character": 0 }));
        // Each text begins at another position.
        for at in positions(&text).into_iter().skip(number * 7 % step).step_by(step) {
            trial.all(&at);
        }
        wrong.append(&mut trial.wrong);
        for (kind, count) in trial.counts {
            *counts.entry(kind).or_default() += count;
        }
        desk.close(file);
    }
    assert!(wrong.is_empty(), "{}\n{} are wrong", wrong.join("\n"), wrong.len());
    for kind in ["Create", "Ignore", "Write", "complete", "format", "linked", "rename"] {
        assert!(counts.get(kind).is_some_and(|count| *count > 1), "{kind}: {counts:?}");
    }
}

const TYPES: &str = "tosca_definitions_version: tosca_2_0
data_types: { Address: { properties: { street: { type: string } } } }
capability_types: { Host: {} }
relationship_types: { On: {} }
interface_types: { Life: { operations: { start: {} } } }
node_types:
  Server: # 😀
    properties: { size: { type: integer, default: 1 }, home: { type: Address, required: false } }
    attributes: { state: { type: string } }
    capabilities: { host: { type: Host } }
    requirements: [ db: { capability: Host, relationship: On, count_range: [ 0, 2 ] } ]
    interfaces: { Life: { type: Life } }
  my.Disk:
    derived_from: Server
    properties: { size: { type: integer }, extra: { type: string, required: false } }
";

const USER: &str = "\u{feff}tosca_definitions_version: tosca_2_0\r
imports:\r
- types.yaml\r
- { url: types.yaml, namespace: p }\r
node_types:\r
  Shop: { derived_from: p:my.Disk, properties: { '😀 x': { type: string, default: a }, other: { type: \"p:Address\", required: false } } }\r
service_template:\r
  inputs: { n: { type: integer, default: 2 }, size: { type: integer, default: 3 } }\r
  node_templates:\r
    web: { type: Server, properties: { size: { $get_input: n }, home: { street: 'é' } }, interfaces: { Life: { operations: { start: a.sh } } } }\r
    '😀': { type: \"p:Server\", requirements: [ { db: web }, db: { node: web, capability: host } ] }\r
    shop: { type: Shop, properties: { size: { $get_property: [ web, size ] }, extra: { $get_property: [ SELF, '😀 x' ] } }, requirements: [ db: [ \"😀\", host ] ] }\r
    dup: { type: Server, properties: { size: { $get_property: [ \"web\", CAPABILITY, host ] } } }\r
  groups: {}\r
  outputs: { o: { value: { $get_attribute: [ 'web', state ] } }, web: { value: { $concat: [ web, { $get_input: [ size ] } ] } } }\r
";

const THIRD: &str = "tosca_definitions_version: tosca_2_0
imports: [ { url: a.yaml, namespace: q } ]
node_types: { Server: { derived_from: q:Shop }, Web: { derived_from: 'q:p:Server' } }
service_template: { node_templates: { web: { type: Server, properties: { size: 1 } } } }
";

const NAMES: &[&str] = &[NEW_NAME, "Server", "size", "web", "state", "SELF", "host", "my.Disk", "extra", "integer"];

#[test]
fn renames_in_several_files_cause_no_problems() {
    let files = [("types.yaml", TYPES), ("a.yaml", USER), ("b.yaml", THIRD)];
    let mut desk = Desk::new(&modern(), &files);
    for (file, text) in files {
        desk.open(file, text);
    }
    let facts = |desk: &Desk, texts: &BTreeMap<String, String>| -> Vec<Facts> {
        texts.iter().for_each(|(name, text)| std::fs::write(desk.path(name), text).unwrap());
        texts.iter().map(|(name, text)| Facts::of(desk, name, text)).collect()
    };
    let original = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let original: BTreeMap<String, String> = original.into_iter().collect();
    let before = facts(&desk, &original);
    let (mut seen, mut several, mut refused) = (BTreeSet::new(), 0, 0);
    let places = files.iter().flat_map(|(file, text)| positions(text).into_iter().map(|at| (*file, at)));
    let names = places.flat_map(|(file, at)| NAMES.iter().map(move |name| (file, at.clone(), *name)));
    for (file, at, new_name) in names.step_by(step(61)) {
        let params = json!({ "textDocument": { "uri": desk.uri(file) }, "position": at, "newName": new_name });
        let Ok(edit) = desk.ask("textDocument/rename", params) else {
            refused += 1;
            continue;
        };
        let changes = edit["documentChanges"].as_array().unwrap();
        if !seen.insert(edit.to_string()) {
            continue;
        }
        several += usize::from(changes.len() > 1);
        let mut texts = original.clone();
        for change in changes {
            let name = desk.name(change["textDocument"]["uri"].as_str().unwrap()).to_owned();
            let text = apply(&texts[&name], &change["edits"]).unwrap();
            texts.insert(name, text);
        }
        for (after, before) in facts(&desk, &texts).iter().zip(&before) {
            let shown = texts.iter().map(|(name, text)| diff(&original[name], text)).collect::<String>();
            assert_eq!(after.codes, before.codes, "{file} {at} {new_name}: {:?}\n{shown}", after.messages);
        }
    }
    assert!(several > 5 && refused > 5, "{several} {refused}");
}

/// Returns the actions at the first occurrence of a word in a document, by title.
fn actions(desk: &mut Desk, file: &str, text: &str, word: &str) -> BTreeMap<String, Value> {
    let before = &text[..text.find(word).unwrap()];
    let line = before.matches('\n').count();
    let at = json!({ "line": line, "character": before.rsplit('\n').next().unwrap().encode_utf16().count() });
    let document = json!({ "uri": desk.uri(file) });
    let context = json!({ "diagnostics": [] });
    let params = json!({ "textDocument": document, "range": { "start": at, "end": at }, "context": context });
    let actions = desk.ask("textDocument/codeAction", params).unwrap();
    let actions = actions.as_array().unwrap().iter();
    actions.map(|action| (action["title"].as_str().unwrap().to_owned(), action["edit"].clone())).collect()
}

#[test]
fn only_files_that_can_be_edited_are_changed() {
    let elsewhere = tempfile::TempDir::new().unwrap();
    let types = "tosca_definitions_version: tosca_2_0\nnode_types: { Server: {} }\n";
    std::fs::write(elsewhere.path().join("types.yaml"), types).unwrap();
    let text = |path: &str| {
        let template = "service_template: { node_templates: { a: { type: Server, properties: { size: 1 } } } }";
        format!("tosca_definitions_version: tosca_2_0\nimports: [ \"{path}\" ]\n{template}\n")
    };
    let title = "Create property definition `size` in node type `Server`";
    let mut desk = Desk::new(&modern(), &[("my types@1.yaml", types)]);
    let outside = text(&elsewhere.path().join("types.yaml").display().to_string());
    desk.open("a.yaml", &outside);
    assert!(!actions(&mut desk, "a.yaml", &outside, "size").contains_key(title));
    // The document of another file has the URI that the editor has sent.
    let inside = text("my types@1.yaml");
    desk.open("b.yaml", &inside);
    let plain = desk.uri("my%20types@1.yaml");
    let sent = desk.uri("my%20types%401.yaml");
    let uris = |desk: &mut Desk| {
        let changes = actions(desk, "b.yaml", &inside, "size")[title]["changes"].clone();
        changes.as_object().unwrap().keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(uris(&mut desk), [plain]);
    desk.open("my%20types%401.yaml", types);
    assert_eq!(uris(&mut desk), [sent]);
}

#[test]
fn a_moved_type_keeps_its_line_ends_and_replaces_no_document() {
    let text = "tosca_definitions_version: tosca_2_0\r\nnode_types:\r\n  A: {}\r\n  B:\r\n    description: b\r\n";
    let mut desk = Desk::new(&creating(), &[]);
    desk.open("a.yaml", text);
    desk.open("b.yaml", "tosca_definitions_version: tosca_2_0\n");
    let found = actions(&mut desk, "a.yaml", text, "B:");
    let changes = found["Move `B` to `b_2.yaml`"]["documentChanges"].as_array().unwrap().clone();
    let new = "tosca_definitions_version: tosca_2_0\r\n\r\nnode_types:\r\n  B:\r\n    description: b\r\n";
    assert_eq!(changes[1]["edits"][0]["newText"], new);
}

#[test]
fn comments_are_not_added_within_scalars_and_json() {
    let is_offered = |file: &str, text: &str| {
        let mut desk = Desk::new(&modern(), &[]);
        desk.open(file, text);
        actions(&mut desk, file, text, "lable").contains_key("Ignore T1201 on this line")
    };
    let head = "tosca_definitions_version: tosca_2_0\nnode_types:\n";
    for (end, expected) in [
        ("  A: { lable: \"x\" }\n", true),
        ("  A: { lable: \"x\n      y\" }\n", false),
        ("  A:\n    lable: x\n      y\n", false),
        ("  A:\n    lable: |-\n      y\n", false),
        ("  A:\n    lable: 'x'\n", true),
    ] {
        assert_eq!(is_offered("a.yaml", &format!("{head}{end}")), expected, "{end}");
    }
    let json = "{\n\"tosca_definitions_version\": \"tosca_2_0\",\n\"node_types\": { \"A\": { \"lable\": 1 } }\n}\n";
    assert!(is_offered("a.yaml", json) && !is_offered("a.json", json));
}

#[test]
fn imports_on_the_line_of_the_cursor_are_extended() {
    let text = "{tosca_definitions_version: tosca_2_0, node_types: {B: {derived_from: Sev}}, imports: [a.yaml]}";
    let mut desk = Desk::new(&modern(), &[("types.yaml", SEVER)]);
    desk.open("b.yaml", text);
    let document = json!({ "uri": desk.uri("b.yaml") });
    let at = json!({ "line": 0, "character": text.find("Sev").unwrap() + 3 });
    let list = desk.ask("textDocument/completion", json!({ "textDocument": document, "position": at })).unwrap();
    let item = list["items"].as_array().unwrap().iter().find(|item| item["label"] == "Sever").unwrap().clone();
    let edits = json!([item["textEdit"], item["additionalTextEdits"][0]]);
    assert_eq!(apply(text, &edits).unwrap(), text.replace("Sev", "Sever").replace("a.yaml", "a.yaml, types.yaml"));
}

/// Returns the texts after a rename at the first occurrence of a word, or the reason why it is refused.
fn renamed(word: &str, new_name: &str) -> Result<BTreeMap<String, String>, String> {
    let files = BTreeMap::from([("types.yaml", TYPES), ("a.yaml", USER), ("b.yaml", THIRD)]);
    let mut desk = Desk::new(&modern(), &files.clone().into_iter().collect::<Vec<_>>());
    desk.open("types.yaml", TYPES);
    let before = &TYPES[..TYPES.find(word).unwrap()];
    let character = before.rsplit('\n').next().unwrap().encode_utf16().count();
    let at = json!({ "line": before.matches('\n').count(), "character": character });
    let document = json!({ "uri": desk.uri("types.yaml") });
    let params = json!({ "textDocument": document, "position": at, "newName": new_name });
    let edit = desk.ask("textDocument/rename", params)?;
    let changes = edit["documentChanges"].as_array().unwrap().iter();
    let changed = changes.map(|change| {
        let name = desk.name(change["textDocument"]["uri"].as_str().unwrap());
        (name.to_owned(), apply(files[name], &change["edits"]).unwrap())
    });
    Ok(changed.collect())
}

#[test]
fn keys_of_values_are_renamed_with_the_properties_of_their_types() {
    let changed = renamed("street", NEW_NAME).unwrap();
    assert_eq!(changed.keys().collect::<Vec<_>>(), ["a.yaml", "types.yaml"]);
    assert_eq!(changed["a.yaml"], USER.replace("street", NEW_NAME));
}

#[test]
fn keys_of_values_in_blueprints_are_renamed() {
    let types = "tosca_definitions_version: cloudify_dsl_1_3
data_types:
  Street: { properties: { name: { type: string } } }
  Address: { properties: { street: { type: Street } } }
node_types: { Shop: { properties: { home: { type: Address } } } }
";
    let text = "tosca_definitions_version: cloudify_dsl_1_3
imports: [ types.yaml ]
node_templates:
  a: { type: Shop, properties: { home: { street: { name: x } } } }
outputs: { o: { value: { get_property: [ a, home, street, name ] } } }
";
    let mut desk = Desk::new(&modern(), &[("types.yaml", types), ("a.yaml", text)]);
    desk.open("types.yaml", types);
    for (word, line) in [("street", 3), ("name", 2)] {
        let at = json!({ "line": line, "character": types.lines().nth(line).unwrap().find(word).unwrap() });
        let document = json!({ "uri": desk.uri("types.yaml") });
        let params = json!({ "textDocument": document, "position": at, "newName": NEW_NAME });
        let edit = desk.ask("textDocument/rename", params).unwrap();
        let changed = apply(text, &edit["documentChanges"][0]["edits"]).unwrap();
        assert_eq!(changed, text.replace(word, NEW_NAME));
    }
}

#[test]
fn renames_that_cause_problems_in_another_file_are_refused() {
    let reason = renamed("size", "state").unwrap_err();
    assert!(reason.contains("would have a new problem: attribute `state` has type `string`"), "{reason}");
    assert_eq!(renamed("state", "condition").unwrap().len(), 2);
}

#[test]
fn names_are_imported_into_an_empty_list_with_indentation() {
    let mut desk = Desk::new(&modern(), &[("types.yaml", SEVER)]);
    desk.open("a.yaml", INDENTED);
    let found = actions(&mut desk, "a.yaml", INDENTED, "Sever");
    let edits = &found["Import `types.yaml`"]["changes"][desk.uri("a.yaml")];
    assert_eq!(apply(INDENTED, edits).unwrap(), INDENTED.replace("imports:\n", "imports:\n  - types.yaml\n"));
}

#[test]
fn nothing_is_proposed_within_scalars_of_several_lines() {
    let mut desk = Desk::new(&modern(), &[]);
    let mut propose = |text: &str| {
        let text = format!("tosca_definitions_version: tosca_2_0\nnode_types:\n  Ser: {{}}\n  A: {text}\n");
        let (before, after) = text.split_once('|').unwrap();
        desk.open("a.yaml", &format!("{before}{after}"));
        let at = json!({ "line": before.matches('\n').count(), "character": before.len() - before.rfind('\n').unwrap() - 1 });
        let document = json!({ "uri": desk.uri("a.yaml") });
        let list = desk.ask("textDocument/completion", json!({ "textDocument": document, "position": at })).unwrap();
        list["items"].as_array().unwrap().len()
    };
    for text in
        ["{ derived_from: \"Se|r\\\n    ver\" }", "{ derived_from: \"x\n    Se|r\" }", "{ derived_from: x\n    Se|r }"]
    {
        assert_eq!(propose(text), 0, "{text}");
    }
    for text in ["{ derived_from: \"Se|", "{ derived_from: \"Se|r\" }"] {
        assert_eq!(propose(text), 1, "{text}");
    }
}
