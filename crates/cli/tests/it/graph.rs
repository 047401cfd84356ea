//! Diagrams.

use std::fmt::Write as _;

use insta::assert_snapshot;

use super::languages::BLUEPRINT;
use super::*;

/// A service with everything that a diagram can show.
const TOPOLOGY: (&str, &str) = (
    "topology.yaml",
    "\
tosca_definitions_version: tosca_2_0
capability_types:
  Host: {}
  Endpoint: { properties: { port: { type: integer, required: false } } }
relationship_types: { RunsOn: {}, TalksTo: {} }
group_types: { Zone: {} }
node_types:
  Server:
    properties: { size: { type: string, default: small } }
    capabilities: { host: Host }
  Program:
    properties:
      title: { type: string, required: false }
      password: { type: string, required: false }
    capabilities: { endpoint: Endpoint }
    requirements:
    - host: { capability: Host, relationship: RunsOn, count_range: [ 1, 1 ] }
    - peer: { capability: Endpoint, relationship: TalksTo, count_range: [ 0, UNBOUNDED ] }
service_template:
  node_templates:
    front:
      type: Program
      properties: { title: \"<&> \\\"all\\\" #1\", password: secret }
      capabilities: { endpoint: { properties: { port: 80 } } }
      requirements: [ host: big, peer: back, peer: back, peer: other ]
    back:
      type: Program
      count: 3
      requirements: [ host: { node: Server }, peer: front ]
    other: { type: Program, directives: [ select ] }
    big: { type: Server, properties: { size: large } }
    spare: { type: Server }
    rusty: { type: Server }
  groups:
    inside: { type: Zone, members: [ back, big ] }
    outside: { type: Zone, members: [ front, big ] }
",
);

fn topology() -> Folder {
    Folder::new(&[TOPOLOGY, VALID, TYPES, INVALID])
}

#[test]
fn diagrams_have_many_formats() {
    let folder = topology();
    for format in ["svg", "dot", "mermaid", "d2", "plantuml", "graphml"] {
        let run = folder.run(&["graph topology.yaml --format ", format].concat());
        assert_eq!((run.code, &*run.err), (0, ""), "{format}");
        assert_snapshot!(format!("picture.{format}"), run.out);
        assert!(!run.out.contains("secret"), "{format} tells a secret");
        assert_eq!(folder.run(&["graph topology.yaml --format ", format].concat()).out, run.out);
    }
    assert_eq!(folder.run("graph topology.yaml").out, folder.run("graph --format svg topology.yaml").out);
    let run = folder.run("graph topology.yaml -o made.svg");
    assert!(run.code == 0 && run.is_quiet());
    let made = std::fs::read_to_string(folder.path().join("made.svg")).unwrap();
    assert_eq!(made, folder.run("graph topology.yaml").out);
    let none = folder.run("graph topology.yaml --format mermaid --properties 0").out;
    assert!(!none.contains("title") && !none.contains("port"), "{none}");
}

#[test]
fn nodes_are_drawn_in_their_hosts() {
    let folder = topology();
    let nested = folder.run("graph topology.yaml --nest --format mermaid").out;
    assert!(nested.contains("subgraph n3[") && !nested.contains("RunsOn"), "{nested}");
    let same = folder.run("graph topology.yaml --nest=RunsOn --format mermaid").out;
    assert_eq!(nested, same);
    let other = folder.run("graph topology.yaml --nest=HostedOn --format mermaid").out;
    assert!(!other.contains("subgraph n3[") && other.contains("RunsOn"), "{other}");
    assert!(folder.run("graph topology.yaml --nest").out.contains("class=\"host\""));
}

#[test]
fn parts_of_a_service_are_drawn() {
    let folder = topology();
    let drawn = |arguments: &str| {
        let run = folder.run(&format!("graph topology.yaml --format graphml {arguments}"));
        assert_eq!((run.code, &*run.err), (0, ""), "{arguments}");
        let document = roxmltree::Document::parse(&run.out).unwrap();
        let edges = document.descendants().filter(|node| node.has_tag_name("edge")).count();
        let mut names: Vec<String> = document
            .descendants()
            .filter(|node| node.attribute("id").is_some_and(|id| id.starts_with('n')))
            .filter_map(|node| node.children().find(|child| child.attribute("key") == Some("node-label")))
            .filter_map(|name| name.text().map(str::to_owned))
            .collect();
        names.sort();
        (names.join(" "), edges)
    };
    assert_eq!(drawn("--type Server"), ("big rusty spare".to_owned(), 0));
    assert_eq!(drawn("--hide-type Ser*"), ("back front other".to_owned(), 3));
    assert_eq!(drawn("--relationship RunsOn").1, 1);
    assert_eq!(drawn("--hide-relationship host").1, 3);
    assert_eq!(drawn("--focus other"), ("front other".to_owned(), 1));
    assert_eq!(drawn("--focus other --depth 0"), ("other".to_owned(), 0));
    assert_eq!(drawn("--focus other --focus spare --depth 2").0, "back big front other spare");
    let unknown = folder.run("graph topology.yaml --focus otter");
    assert_eq!((unknown.code, &*unknown.err), (2, "error: the diagram has no node `otter`\n"));
    assert_eq!(folder.run("graph topology.yaml --depth 2").code, 2);
}

#[test]
fn diagrams_have_directions_legends_links_and_themes() {
    let folder = topology();
    let right = folder.run("graph topology.yaml --direction right --format dot").out;
    assert!(right.contains("rankdir=LR"), "{right}");
    assert_eq!(folder.run("graph topology.yaml --direction sideways").code, 2);
    let legend = folder.run("graph topology.yaml --legend").out;
    assert_eq!(legend.matches("peer: TalksTo<").count(), 1);
    let links = folder.run("graph topology.yaml --links https://example.org/{file}#L{line}").out;
    assert!(links.contains("<a href=\"https://example.org/topology.yaml#L21\">"), "{links}");
    let dark = folder.run("graph topology.yaml --theme dark").out;
    assert!(dark.contains(".ground{fill:#0f172a}") && !dark.contains("@media"));
}

#[test]
fn problems_are_marked_at_their_nodes() {
    let folder = topology();
    let marked = folder.run("graph invalid.yaml").out;
    assert!(marked.contains("with-error") && marked.contains("T2001"), "{marked}");
    let page = folder.run("graph invalid.yaml --format html").out;
    assert!(page.contains("\"problems\":[[\"error\",\"T2001"), "{page}");
    assert!(!folder.run("graph topology.yaml").out.contains(" mark with-"));
}

#[test]
fn types_imports_and_plans_are_drawn() {
    let folder = topology();
    let types = folder.run("graph types.yaml --show types --format mermaid");
    assert_eq!((types.code, &*types.err), (0, ""));
    assert!(types.out.starts_with("flowchart BT\n") && types.out.contains("<i>node type</i>"), "{}", types.out);
    let derived = "tosca_definitions_version: tosca_2_0\nnode_types: { Base: {}, Web: { derived_from: Base } }\n";
    folder.write("derived.yaml", derived);
    let derived = folder.run("graph derived.yaml --show types --format mermaid").out;
    assert!(derived.contains("  n1 --> n0\n"), "{derived}");

    let importing = "tosca_definitions_version: tosca_2_0\nimports: [ { url: types.yaml, namespace: my } ]\n";
    folder.write("importing.yaml", importing);
    let imports = folder.run("graph importing.yaml --show imports --format mermaid").out;
    assert!(imports.contains("<b>importing.yaml</b>") && imports.contains("  n0 -->|\"my\"| n1\n"), "{imports}");

    let plan = folder.run("graph topology.yaml --show plan --format mermaid --hide-type Nothing");
    assert!(plan.out.starts_with("flowchart LR\n") && plan.out.contains("stage 1"), "{}{}", plan.out, plan.err);
    let none = folder.run("graph types.yaml --show plan");
    assert_eq!((none.code, &*none.out), (1, ""));
}

#[test]
fn substitutions_connect_services() {
    let types = "\
tosca_definitions_version: tosca_2_0
node_types: { Database: {}, Postgres: { derived_from: Database }, Queue: {}, Server: {} }
";
    let shop = "\
tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  node_templates:
    store: { type: Database, directives: [ substitute ] }
    jobs: { type: Queue, directives: [ substitute ] }
";
    let database = "\
tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  substitution_mappings: { node_type: Postgres }
  node_templates: { vault: { type: Server } }
";
    let folder = Folder::new(&[("types.yaml", types), ("shop.yaml", shop), ("database.yaml", database)]);
    let run = folder.run("graph shop.yaml database.yaml --show substitutions --format mermaid");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("<i>substitutes Postgres</i>"), "{}", run.out);
    assert!(run.out.contains("  n0 -->|\"store<br/><i>Database</i>\"| n1\n"), "{}", run.out);
    // No service substitutes the queue.
    assert!(run.out.contains("jobs"), "{}", run.out);
    let several = folder.run("graph shop.yaml database.yaml");
    assert_eq!(several.code, 2);
    assert!(several.err.contains("--show substitutions"), "{}", several.err);
}

#[cfg(feature = "images")]
#[test]
fn images_have_a_font_of_the_command() {
    let folder = topology();
    let read = |file: &str| std::fs::read(folder.path().join(file)).unwrap();
    for file in ["made.png", "again.png", "made.pdf"] {
        let run = folder.run(&format!("graph topology.yaml --nest --format {} -o {file}", &file[file.len() - 3..]));
        assert_eq!((run.code, &*run.err), (0, ""), "{file}");
    }
    let (png, pdf) = (read("made.png"), read("made.pdf"));
    assert!(png.starts_with(b"\x89PNG\r\n") && png.len() > 10_000, "{}", png.len());
    assert!(png == read("again.png"));
    assert!(pdf.starts_with(b"%PDF-1.") && String::from_utf8_lossy(&pdf).contains("+NotoSans-Bold"));
}

#[test]
fn much_becomes_little() {
    let folder = topology();
    let types = folder.run("graph topology.yaml --format mermaid --collapse types").out;
    let groups = folder.run("graph topology.yaml --format mermaid --collapse groups").out;
    let both = folder.run("graph topology.yaml --format mermaid --collapse groups,types").out;
    assert_snapshot!(format!("--- types ---\n{types}--- groups ---\n{groups}--- both ---\n{both}"));
}

#[test]
fn problems_keep_nobody_from_seeing_what_there_is() {
    let folder = topology();
    let run = folder.run("graph invalid.yaml --format mermaid");
    assert_eq!(run.code, 0);
    assert!(run.out.contains("<b>web</b>"), "{}", run.out);
    assert!(run.err.contains("T2001") && run.err.contains("not valid"), "{}", run.err);
    let run = folder.run("graph types.yaml");
    assert_eq!((run.code, &*run.out), (1, ""));
    assert_eq!(run.err, "types.yaml has no service template, so there is nothing to draw\n");
    let run = folder.run("graph topology.yaml -o missing/made.svg");
    assert_eq!((run.code, &*run.out), (1, ""));
    assert!(run.err.contains("missing/made.svg"), "{}", run.err);
    assert_eq!(folder.run("graph missing.yaml").code, 3);
    assert_eq!(folder.run("graph").code, 2);
    assert_eq!(folder.run("graph topology.yaml --collapse all").code, 2);
}

/// Returns a service with `nodes` nodes: programs on servers, connected to each other.
fn large(nodes: usize) -> String {
    let (head, _) = TOPOLOGY.1.split_once("service_template:").unwrap();
    let mut text = format!("{head}service_template:\n  node_templates:\n");
    let servers = nodes / 8;
    for index in 0..servers {
        writeln!(text, "    server_{index}: {{ type: Server, properties: {{ size: large }} }}").unwrap();
    }
    for index in servers..nodes {
        let host = index % servers;
        write!(text, "    program_{index}: {{ type: Program, requirements: [ host: server_{host}").unwrap();
        for other in [index * 7 / 11, index * 2 / 3].into_iter().filter(|other| *other >= servers && *other < index) {
            write!(text, ", peer: program_{other}").unwrap();
        }
        text.push_str(" ] }\n");
    }
    text.push_str("  groups:\n");
    for zone in 0..4 {
        let members: Vec<String> =
            (zone * servers / 4..(zone + 1) * servers / 4).map(|it| format!("server_{it}")).collect();
        writeln!(text, "    zone_{zone}: {{ type: Zone, members: [ {} ] }}", members.join(", ")).unwrap();
    }
    text
}

#[test]
fn large_services_are_drawn() {
    let folder = topology();
    folder.write("large.yaml", &large(200));
    let run = folder.run("graph large.yaml");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert_eq!(run.out.matches("class=\"name\"").count(), 200);

    folder.write("too-large.yaml", &large(1100));
    let run = folder.run("graph too-large.yaml");
    assert_eq!((run.code, &*run.out), (1, ""));
    assert!(run.err.contains("--collapse types"), "{}", run.err);
    let run = folder.run("graph too-large.yaml --collapse types");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert_eq!(folder.run("graph too-large.yaml --format dot").code, 0);
}

/// The diagrams in the documentation.
#[test]
fn shipped_pictures_are_up_to_date() {
    let root = root();
    for (name, arguments) in [("shop", ""), ("platform", ""), ("cluster", "--input image=worker:2")] {
        let run = drawn(&root.join("examples/templates"), &format!("{name}.yaml {arguments}"));
        assert_eq!(&*run.err, "", "{name}");
        assert_shipped("diagrams", &format!("{name}.svg"), &run);
    }
}

/// The diagrams in the gallery.
#[test]
fn gallery_is_up_to_date() {
    let root = root();
    let generated = Folder::new(&[("pairs.yaml", &pairs(|_| None)), ("ring.yaml", &pairs(|it| Some((it + 1) % 60)))]);
    let templates = root.join("examples/templates");
    for (name, folder, arguments) in [
        ("nested.svg", &*templates, "platform.yaml --nest=RunsOn --legend"),
        ("right.svg", &templates, "platform.yaml --direction right"),
        ("focus.svg", &templates, "platform.yaml --focus loans --depth 1"),
        ("problems.svg", &templates, "broken.yaml"),
        ("pairs.svg", generated.path(), "pairs.yaml --nest"),
        ("ring.svg", generated.path(), "ring.yaml --nest"),
        ("types.svg", &templates, "shop-types.yaml --show types"),
        ("imports.svg", &templates, "shop.yaml --show imports"),
        ("substitutions.svg", &root.join("examples/gallery"), "--show substitutions shop.yaml postgres.yaml mail.yaml"),
        ("plan.svg", &templates, "platform.yaml --show plan"),
        ("page.html", &templates, "platform.yaml --nest=RunsOn --format html"),
    ] {
        let run = drawn(folder, arguments);
        let page = std::fs::read_to_string(root.join("docs/gallery.md")).unwrap();
        assert!(page.contains(&format!("graph {arguments}`")), "docs/gallery.md does not have `{arguments}`");
        assert_shipped("gallery", &format!("gallery-{name}"), &run);
    }
}

/// Returns a service with 60 servers, an application on each, and the applications that these need.
fn pairs(peer: fn(usize) -> Option<usize>) -> String {
    let mut text = "\
tosca_definitions_version: tosca_2_0
capability_types: { Host: {}, Endpoint: {} }
relationship_types: { HostedOn: {}, ConnectsTo: {} }
node_types:
  Server: { properties: { cores: { type: integer } }, capabilities: { host: Host } }
  Application:
    properties: { image: { type: string } }
    capabilities: { endpoint: Endpoint }
    requirements:
    - host: { capability: Host, relationship: HostedOn, count_range: [ 1, 1 ] }
    - peer: { capability: Endpoint, relationship: ConnectsTo, count_range: [ 0, UNBOUNDED ] }
service_template:
  node_templates:
"
    .to_owned();
    for index in 0..60 {
        let cores = index % 8 + 1;
        writeln!(text, "    server_{index}: {{ type: Server, properties: {{ cores: {cores} }} }}").unwrap();
        let peer = peer(index).map(|peer| format!(", peer: application_{peer}")).unwrap_or_default();
        writeln!(
            text,
            "    application_{index}: {{ type: Application, properties: {{ image: \"shop:{index}\" }}, requirements: [ host: server_{index}{peer} ] }}"
        )
        .unwrap();
    }
    text
}

/// Diagrams of examples of the technical committee, which are not part of the project. Two of them use missing profiles
/// and are drawn nevertheless.
#[test]
fn shipped_pictures_of_others_are_up_to_date() {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("skipped: TOSCA_PARSE_SHARED does not name the folder with the examples");
        return;
    };
    let examples = Path::new(&shared).join("conformance/oasis-examples");
    for (name, folder, file) in [
        ("online-boutique", "online_boutique", "main.yaml"),
        ("microservice", "substitutions/microservice", "main.yaml"),
        (
            "telephony-network",
            "1.3/turandot/telephony-network-service/telephony-network-service",
            "telephony-network-service.yaml",
        ),
    ] {
        assert_shipped("diagrams", &format!("{name}.svg"), &drawn(&examples.join(folder), file));
    }
}

fn drawn(folder: &Path, arguments: &str) -> Run {
    let mut command = self::folder().command(&format!("graph {arguments}"));
    let run = Run::of(command.current_dir(folder));
    assert_eq!(run.code, 0, "{arguments}: {}", run.err);
    run
}

/// Compares a diagram with the one that a page of the documentation shows.
fn assert_shipped(page: &str, name: &str, run: &Run) {
    let root = root();
    let text = std::fs::read_to_string(root.join(format!("docs/{page}.md"))).unwrap();
    let path = root.join(format!("examples/pictures/{name}"));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &run.out).unwrap();
    }
    let shipped = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(shipped == run.out, "{name} is out of date: UPDATE_DOCS=1 cargo test renews it");
    assert!(text.contains(&format!("(../examples/pictures/{name})")), "docs/{page}.md does not show {name}");
}

#[test]
fn other_languages_are_drawn() {
    let stack = "\
heat_template_version: 2021-04-16
resources:
  first: { type: OS::Heat::RandomString, properties: { length: 4 } }
  second: { type: OS::Heat::Value, properties: { value: { get_attr: [ first, value ] } } }
";
    let folder = Folder::new(&[("stack.yaml", stack)]);
    let run = folder.run("graph stack.yaml --format mermaid");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("<b>first</b>") && run.out.contains("<b>second</b>"), "{}", run.out);
    assert!(run.out.contains("properties"), "{}", run.out);
    let folder = Folder::new(&[("blueprint.yaml", BLUEPRINT)]);
    let run = folder.run("graph blueprint.yaml --format mermaid");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("<b>web</b>") && run.out.contains("contained_in"), "{}", run.out);
}
