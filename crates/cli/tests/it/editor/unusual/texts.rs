//! The texts, and the contexts in which they are tried.

/// The texts, by file.
pub(super) const FILES: &[(&str, &str)] = &[
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

pub(super) const INDENTED: &str = "  tosca_definitions_version: tosca_2_0
  imports:
  service_template:
    inputs:
    node_templates:
      web: { type: Sever }
      x: { type: App, properties: { size: { $get_input: n } } }
";

/// Returns a text in all contexts.
pub(super) fn contexts(text: &str) -> Vec<(&'static str, String)> {
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
