//! Valid service templates of any size, which all tools that support their version can read.
//!
//! So the files in TOSCA 2.0 contain no `validation`, no units and no values of type `version`, which Puccini 0.21
//! rejects. Imports have no namespaces, and definitions of requirements name a node type, for tosca-parser.

use std::fmt::Write;

/// A version of TOSCA, and how it differs from the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) name: &'static str,
    identifier: &'static str,
    service: &'static str,
    /// The keyname for the number of targets of a requirement.
    count: &'static str,
    function_prefix: &'static str,
    has_normative_types: bool,
}

pub(crate) const VERSIONS: &[Version] = &[
    Version {
        name: "1.3",
        identifier: "tosca_simple_yaml_1_3",
        service: "topology_template",
        count: "occurrences",
        function_prefix: "",
        has_normative_types: true,
    },
    Version {
        name: "2.0",
        identifier: "tosca_2_0",
        service: "service_template",
        count: "count_range",
        function_prefix: "$",
        has_normative_types: false,
    },
];

impl Version {
    fn header(self) -> String {
        format!("tosca_definitions_version: {}\n", self.identifier)
    }

    /// Returns the line that derives a type from the root of its kind, such as `nodes`; empty if there is no root.
    fn root(self, kind: &str) -> String {
        if self.has_normative_types { format!("    derived_from: tosca.{kind}.Root\n") } else { String::new() }
    }

    /// Returns a line that limits an integer, if constraints can be used.
    fn range(self, indentation: usize, most: usize) -> String {
        let space = " ".repeat(indentation);
        if self.has_normative_types {
            format!("{space}constraints: [ in_range: [ 0, {most} ] ]\n")
        } else {
            String::new()
        }
    }
}

/// The files of a template: paths and contents, the entry first.
type Files = Vec<(String, String)>;

/// A generated template.
pub(crate) struct Template {
    pub(crate) files: Files,
    /// The number of its node templates.
    pub(crate) nodes: usize,
    /// The number of relationships between them once all requirements are fulfilled.
    pub(crate) relationships: usize,
}

/// A kind of template.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    /// A description of the content; `size` is the number of the things that it names first.
    pub(crate) description: &'static str,
    /// The sizes for the comparison.
    pub(crate) sizes: &'static [usize],
    make: fn(Version, usize) -> Template,
}

impl Shape {
    pub(crate) fn make(&self, version: Version, size: usize) -> Template {
        (self.make)(version, size)
    }
}

/// The sizes of most shapes.
const SIZES: &[usize] = &[10, 100, 1_000, 10_000, 100_000];

pub(crate) const SHAPES: &[Shape] = &[
    Shape {
        name: "wide",
        description: "node templates of five types, with properties, capabilities, operations and requirements",
        sizes: SIZES,
        make: wide,
    },
    Shape {
        name: "types",
        description: "node types in chains of ten, with members of all kinds; one node template per chain",
        sizes: SIZES,
        make: types,
    },
    Shape {
        name: "imports",
        description: "node types in imported files of ten; one node template per file",
        sizes: SIZES,
        make: imports,
    },
    Shape {
        name: "requires",
        description: "small node templates, each with a requirement for a node of a type, which is not named",
        sizes: SIZES,
        make: requires,
    },
    Shape {
        name: "diamond",
        description: "layers of two files that both import both files of the layer below; one node template",
        sizes: &[5, 10, 20, 100, 1_000],
        make: diamond,
    },
];

/// Returns the shape with a name.
pub(crate) fn shape(name: &str) -> Option<&'static Shape> {
    SHAPES.iter().find(|shape| shape.name == name)
}

/// Returns the version with a name.
pub(crate) fn version(name: &str) -> Option<Version> {
    VERSIONS.iter().copied().find(|version| version.name == name)
}

fn import(path: &str) -> String {
    format!("- {path}\n")
}

fn entry(text: String, nodes: usize, relationships: usize) -> Template {
    Template { files: vec![("service.yaml".to_owned(), text)], nodes, relationships }
}

/// Text that grows.
macro_rules! add {
    ($text:expr, $($format:tt)*) => { write!($text, $($format)*).expect("writing to a string does not fail") };
}

/// The number of node templates in a group.
const GROUP: usize = 5;

fn wide(version: Version, size: usize) -> Template {
    let types = if version.has_normative_types {
        include_str!("../../../../benches/compare/wide-1.3.yaml")
    } else {
        include_str!("../../../../benches/compare/wide-2.0.yaml")
    };
    let groups = size.div_ceil(GROUP);
    let mut text = types.to_owned();
    (0..groups).for_each(|group| add_group(&mut text, version, group, groups));
    let mut template = entry(text, groups * GROUP, groups * 6);
    for script in ["create", "configure", "backup"] {
        template.files.push((format!("scripts/{script}.sh"), "#!/bin/sh\n".to_owned()));
    }
    template
}

/// Adds two servers with software on them, and an application that uses this software and the broker of the previous
/// group.
fn add_group(text: &mut String, version: Version, group: usize, groups: usize) {
    let call = format!("{}get_input", version.function_prefix);
    let (server_type, unit) =
        if version.has_normative_types { ("tosca.nodes.Compute", " GB") } else { ("bench.Server", "") };
    for server in 0..2 {
        add!(
            text,
            "    server_{group:06}_{server}:
      type: {server_type}
      capabilities:
        host:
          properties:
            num_cpus: {{ {call}: cpus }}
            mem_size: {}{unit}
            disk_size: {}{unit}
        os:
          properties:
            architecture: x86_64
            type: linux
            distribution: debian
            version: \"12.{server}\"
",
            2 + server,
            20 + group % 50,
        );
    }
    let (before, team, replicas, depth) = ((group + groups - 1) % groups, group % 7, 1 + group % 9, 1 + group % 1000);
    add!(
        text,
        "    database_{group:06}:
      type: bench.Database
      properties:
        component_version: \"2.{team}\"
        name: db{group}
        password: secret{group}
      requirements:
      - host: server_{group:06}_0
      interfaces:
        Standard:
          operations:
            create: scripts/create.sh
            configure: scripts/configure.sh
    broker_{group:06}:
      type: bench.Broker
      requirements:
      - host: server_{group:06}_1
      capabilities:
        queue:
          properties:
            depth: {depth}
            topics: [ orders, t{group}, \"topic {group}\" ]
    app_{group:06}:
      type: bench.App
      description: application {group}
      properties:
        replicas: {replicas}
        labels:
          app: app{group}
          region: {{ {call}: region }}
        tags: [ a, b{group}, c ]
        limits:
          hard: {depth}
          note: n{group}
        image: registry.example/app{group}:1
      requirements:
      - host: server_{group:06}_0
      - database: database_{group:06}
      - queue:
          node: broker_{group:06}
          relationship:
            type: bench.UsesQueue
            properties:
              weight: 0.{replicas}
      - queue: broker_{before:06}
      interfaces:
        Ops:
          operations:
            backup:
              implementation: scripts/backup.sh
              inputs:
                target: bucket{group}
"
    );
}

/// The number of types in a chain of derivations, and in an imported file.
const CHAIN: usize = 10;

fn types(version: Version, size: usize) -> Template {
    let chains = size.div_ceil(CHAIN);
    let mut text = version.header();
    for (section, kind, member) in [
        ("data_types", "datatypes", "    properties:\n      size: { type: integer, default: 1 }\n"),
        ("capability_types", "capabilities", "    properties:\n      port: { type: integer, default: 80 }\n"),
        ("relationship_types", "relationships", "    properties:\n      weight: { type: float, default: 0.5 }\n"),
        (
            "interface_types",
            "interfaces",
            "    operations:\n      run: { inputs: { mode: { type: string, default: fast } } }\n",
        ),
    ] {
        add!(text, "{section}:\n  bench.{kind}:\n{}{member}", version.root(kind));
    }
    add!(
        text,
        "node_types:\n  bench.nodes:\n{}    capabilities:\n      main: {{ type: bench.capabilities }}\n",
        version.root("nodes")
    );
    for chain in 0..chains {
        (0..CHAIN).for_each(|level| add_type(&mut text, version, chain, level));
    }
    add!(text, "{}:\n  node_templates:\n", version.service);
    for chain in 0..chains {
        let next = (chain + 1) % chains;
        add!(
            text,
            "    node{chain}:\n      type: bench.c{chain}.t{}\n      properties:\n        name0: n{chain}\n      \
             requirements:\n      - peer{}: {{ node: node{next}, capability: main }}\n",
            CHAIN - 1,
            CHAIN - 1,
        );
    }
    entry(text, chains, chains)
}

fn add_type(text: &mut String, version: Version, chain: usize, level: usize) {
    let parent = match level.checked_sub(1) {
        Some(parent) => format!("    derived_from: bench.c{chain}.t{parent}\n"),
        None => "    derived_from: bench.nodes\n".to_owned(),
    };
    let (range, count, is_required) = (version.range(8, 1000), version.count, level == 0);
    add!(
        text,
        "  bench.c{chain}.t{level}:
{parent}    description: type {level} of chain {chain}
    properties:
      name{level}:
        type: string
        required: {is_required}
      size{level}:
        type: integer
        default: {level}
{range}      data{level}:
        type: bench.datatypes
        required: false
    attributes:
      state{level}: {{ type: string }}
    capabilities:
      main:
        type: bench.capabilities
        properties:
          port: {{ type: integer, default: {level} }}
      other{level}: {{ type: bench.capabilities }}
    requirements:
    - peer{level}:
        capability: bench.capabilities
        node: bench.nodes
        relationship: bench.relationships
        {count}: [ 0, UNBOUNDED ]
    interfaces:
      Ops:
        type: bench.interfaces
        operations:
          run:
            inputs:
              extra{level}: {{ type: string, default: e{level} }}
"
    );
}

fn imports(version: Version, size: usize) -> Template {
    let libraries = size.div_ceil(CHAIN);
    let base = format!(
        "{}capability_types:
  bench.Link:
{}    properties:
      speed: {{ type: integer, default: 1 }}
relationship_types:
  bench.Uses:
{}    properties:
      cost: {{ type: integer, default: 1 }}
node_types:
  bench.Node:
{}    properties:
      id: {{ type: string }}
    capabilities:
      link: {{ type: bench.Link }}
    requirements:
    - uses:
        capability: bench.Link
        node: bench.Node
        relationship: bench.Uses
        {}: [ 0, UNBOUNDED ]
",
        version.header(),
        version.root("capabilities"),
        version.root("relationships"),
        version.root("nodes"),
        version.count,
    );
    let mut service = version.header() + "imports:\n" + &import("lib/base.yaml");
    let mut nodes = format!("{}:\n  node_templates:\n", version.service);
    let mut files = vec![("lib/base.yaml".to_owned(), base)];
    for library in 0..libraries {
        let path = format!("part{library:05}.yaml");
        let mut text = version.header() + "imports:\n" + &import("base.yaml") + "node_types:\n";
        for level in 0..CHAIN {
            let parent = match level.checked_sub(1) {
                Some(parent) => format!("bench.l{library}.t{parent}"),
                None => "bench.Node".to_owned(),
            };
            add!(
                text,
                "  bench.l{library}.t{level}:
    derived_from: {parent}
    properties:
      p{level}: {{ type: string, default: v{level} }}
      q{level}:
        type: integer
        default: {level}
{}",
                version.range(8, 100)
            );
        }
        service += &import(&format!("lib/{path}"));
        add!(
            nodes,
            "    n{library}:
      type: bench.l{library}.t{}
      properties:
        id: id{library}
        q0: {}
      requirements:
      - uses: n{}
",
            CHAIN - 1,
            library % 100,
            (library + 1) % libraries,
        );
        files.push((format!("lib/{path}"), text));
    }
    files.insert(0, ("service.yaml".to_owned(), service + &nodes));
    Template { files, nodes: libraries, relationships: libraries }
}

/// The number of types in the shape `requires`.
const TYPES: usize = 10;

fn requires(version: Version, size: usize) -> Template {
    let mut text = version.header() + "capability_types:\n";
    for index in 0..TYPES {
        add!(text, "  bench.Feature{index}:\n{}", version.root("capabilities"));
        text += "    properties:\n      speed: { type: integer, default: 1 }\n";
    }
    add!(text, "relationship_types:\n  bench.DependsOn:\n{}    description: needs\n", version.root("relationships"));
    text += "node_types:\n";
    for index in 0..TYPES {
        add!(
            text,
            "  bench.Node{index}:
{}    capabilities:
      slot: {{ type: bench.Feature{index} }}
    requirements:
    - next:
        capability: bench.Feature{}
        node: bench.Node{}
        relationship: bench.DependsOn
        {}: [ 1, 1 ]
",
            version.root("nodes"),
            (index + 1) % TYPES,
            (index + 1) % TYPES,
            version.count,
        );
    }
    add!(text, "{}:\n  node_templates:\n", version.service);
    (0..size).for_each(|node| add!(text, "    n{node}: {{ type: bench.Node{} }}\n", node % TYPES));
    entry(text, size, size)
}

fn diamond(version: Version, size: usize) -> Template {
    let layers = size.max(1);
    let mut service = version.header() + "imports:\n";
    for side in ["a", "b"] {
        service += &import(&format!("lib/l{}{side}.yaml", layers - 1));
    }
    add!(service, "{}:\n  node_templates:\n    node: {{ type: bench.l{}a }}\n", version.service, layers - 1);
    let mut files = vec![("service.yaml".to_owned(), service)];
    for layer in 0..layers {
        for side in ["a", "b"] {
            let mut text = version.header();
            let mut parent = version.root("nodes");
            if let Some(below) = layer.checked_sub(1) {
                text += "imports:\n";
                text += &import(&format!("l{below}a.yaml"));
                text += &import(&format!("l{below}b.yaml"));
                parent = format!("    derived_from: bench.l{below}{side}\n");
            }
            add!(
                text,
                "node_types:\n  bench.l{layer}{side}:\n{parent}    properties:\n      \
                 p{layer}: {{ type: string, default: x }}\n"
            );
            files.push((format!("lib/l{layer}{side}.yaml"), text));
        }
    }
    Template { files, nodes: 1, relationships: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_have_the_stated_number_of_nodes() {
        for shape in SHAPES {
            for version in VERSIONS {
                let template = shape.make(*version, 20);
                let (_, service) = &template.files[0];
                let (_, nodes) = service.split_once("  node_templates:\n").expect("there are node templates");
                let is_name = |line: &&str| line.starts_with("    ") && !line.starts_with("     ");
                assert_eq!(nodes.lines().filter(is_name).count(), template.nodes, "{} {}", shape.name, version.name);
            }
        }
    }

    #[test]
    fn templates_grow_in_proportion() {
        let length = |template: Template| template.files.iter().map(|(_, text)| text.len()).sum::<usize>();
        for shape in SHAPES {
            let [small, large] = [1_000, 4_000].map(|size| length(shape.make(VERSIONS[0], size)));
            assert!((3 * small..5 * small).contains(&large), "{}: {small}, {large}", shape.name);
        }
    }
}
