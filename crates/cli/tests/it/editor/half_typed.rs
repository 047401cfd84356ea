//! Half-typed files: every request is answered at every end of an unfinished text.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::client::modern;
use super::desk::Desk;

const TOSCA: &str = "tosca_definitions_version: tosca_2_0
dsl_definitions: { common: &common { owner: ada } }
node_types:
  Server:
    properties:
      port: { type: integer, default: 80 }
      owner:
        type: string
        validation: { $equal: [ $value, ada ] }
    requirements:
      - host: { capability: tosca.capabilities.Compute, count_range: [ 0, 1 ] }
service_template:
  inputs:
    port: { type: integer }
  node_templates:
    web:
      type: Server
      properties:
        <<: *common
        port: { $get_input: port }
      requirements:
        - host: web
  outputs:
    url: { value: { $concat: [ http://, { $get_property: [ web, port ] } ] } }
";

const HEAT: &str = "heat_template_version: 2021-04-16
parameters:
  flavor: { type: string, constraints: [ { length: { min: 1 } } ] }
resources:
  server:
    type: OS::Nova::Server
    properties:
      flavor: { get_param: flavor }
      networks: [ { network: private } ]
outputs:
  name: { value: { get_attr: [ server, name ] } }
";

const MURANO: &str = "Namespaces: { =: com.example, std: io.murano }
Name: Shop
Extends: std:Application
Properties:
  port:
    Contract: $.int().notNull()
Methods:
  deploy:
    Arguments:
      - name: { Contract: $.string() }
    Body:
      - $this.port: $.port + 1
      - If: $.port > 80
        Then:
          - $log.info('{a}', a => $.port)
";

/// Requests at a position.
const REQUESTS: &[&str] = &[
    "completion",
    "signatureHelp",
    "hover",
    "definition",
    "documentHighlight",
    "linkedEditingRange",
    "documentSymbol",
    "foldingRange",
    "selectionRange",
    "onTypeFormatting",
    "semanticTokens/full",
    "codeAction",
];

/// Returns the ends of an unfinished text: at each line, and around some marks.
fn ends(text: &str) -> BTreeSet<usize> {
    let around = |mark: &'static str| text.match_indices(mark).flat_map(|(at, mark)| [at, at + mark.len()]);
    ["\n", ":", "- ", "{ ", "$"].into_iter().flat_map(around).chain([0]).collect()
}

#[test]
fn requests_are_answered_in_half_typed_files() {
    for (file, text) in [("a.yaml", TOSCA), ("b.yaml", HEAT), ("c.yaml", MURANO)] {
        let mut desk = Desk::new(&modern(), &[]);
        desk.open(file, text);
        let mut proposals = 0;
        for end in ends(text) {
            desk.replace(file, &text[..end]);
            let start = text[..end].rfind('\n').map_or(0, |at| at + 1);
            let line = text[..end].matches('\n').count();
            let at = json!({ "line": line, "character": end - start });
            for request in REQUESTS {
                let params = json!({
                    "textDocument": { "uri": desk.uri(file) },
                    "position": at,
                    "positions": [ at ],
                    "range": { "start": at, "end": at },
                    "context": { "diagnostics": [] },
                    "ch": "\n",
                    "options": { "tabSize": 2, "insertSpaces": true },
                });
                let answer = desk.ask(&format!("textDocument/{request}"), params);
                let answer = answer.unwrap_or_else(|reason| panic!("{request} in {file} at {line}: {reason}"));
                if *request == "completion" {
                    proposals += answer["items"].as_array().map_or(0, Vec::len);
                }
                if *request == "selectionRange" && answer != Value::Null {
                    assert_eq!(answer.as_array().map(Vec::len), Some(1), "{file} {line}");
                }
            }
        }
        assert!(proposals > 0, "{file}: nothing is proposed");
    }
}
