//! Applying fixes.

use super::*;

const WRONG: &str = "\
# A site.
tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]   # what there is
service_template:
  node_tempaltes:   # a slip
    web: { type: Websit, properties: { port: \"80\" } }
";

#[test]
fn changes_are_made_and_the_rest_stays() {
    let folder = folder();
    folder.write("wrong.yaml", WRONG);
    let read = || std::fs::read_to_string(folder.path().join("wrong.yaml")).unwrap();
    let run = folder.run("--diff wrong.yaml");
    assert_eq!((run.code, read()), (1, WRONG.to_owned()));
    insta::assert_snapshot!(run.all());
    assert_eq!(folder.run("--fix --diff wrong.yaml").all(), run.all());
    let run = folder.run("--fix wrong.yaml --format concise");
    assert_eq!(run.code, 1, "{}", run.err);
    assert_eq!(read(), WRONG.replace("tempaltes", "templates"));
    let run = folder.run("--unsafe-fixes wrong.yaml");
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(read(), WRONG.replace("tempaltes", "templates").replace("Websit", "Website").replace("\"80\"", "80"));
    let run = folder.run("--diff --unsafe-fixes wrong.yaml");
    assert!(run.code == 0 && run.is_quiet(), "{}", run.all());
}

#[test]
fn byte_order_mark_stays_and_has_no_position() {
    let folder = folder();
    let text = format!("\u{feff}{WRONG}");
    folder.write("wrong.yaml", &text);
    let read = || std::fs::read_to_string(folder.path().join("wrong.yaml")).unwrap();
    let run = folder.run("--fix wrong.yaml --format concise");
    assert!(run.err.contains("1 change made in 1 file"), "{}", run.all());
    let text = text.replace("tempaltes", "templates");
    assert_eq!(read(), text);
    let run = folder.run("--add-ignore=later wrong.yaml");
    assert!(run.code == 0 && read().starts_with(&text[..60]) && read().contains("ignore["), "{}", run.all());
    folder.write("wrong.yaml", &text);
    assert_eq!(folder.run("--unsafe-fixes wrong.yaml").code, 0);
    assert_eq!(read(), text.replace("Websit", "Website").replace("\"80\"", "80"));
    // A change on the first line.
    let text = "\u{feff}{ tosca_definitions_version: tosca_2_0, descripton: a }\n";
    folder.write("wrong.yaml", text);
    let run = folder.run("--fix wrong.yaml");
    assert_eq!((run.code, read()), (0, text.replace("descripton", "description")), "{}", run.all());
    let run = folder.run_with_input("--fix -", text.as_bytes());
    assert_eq!(run.out, text.replace("descripton", "description"), "{}", run.err);
}

#[test]
fn other_encodings_are_not_changed() {
    let folder = folder();
    let text = WRONG.replace("Websit", "Website").replace("\"80\"", "80");
    let bytes: Vec<u8> = std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    std::fs::write(folder.path().join("wrong.yaml"), &bytes).unwrap();
    let run = folder.run("--fix wrong.yaml");
    assert!(run.code == 1 && run.err.contains("wrong.yaml: not changed, because it is not UTF-8"), "{}", run.all());
    assert_eq!(std::fs::read(folder.path().join("wrong.yaml")).unwrap(), bytes);
}

#[test]
fn what_one_problem_names_is_changed_as_a_whole_or_not_at_all() {
    // The profile contains a second type with the name, so no part of the change is applied: neither import nor name.
    let types = "tosca_definitions_version: tosca_2_0\nnode_types: { SoftwareComponent: {} }\n";
    let service = "\
tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  node_tempaltes:
    web: { type: SoftwareComponent, decsription: { a: b } }
    host: { type: tosca.nodes.Compute, descripton: text }
";
    let folder = Folder::new(&[("types.yaml", types), ("service.yaml", service)]);
    let run = folder.run("--unsafe-fixes service.yaml --format concise");
    let changed = std::fs::read_to_string(folder.path().join("service.yaml")).unwrap();
    let expected = service.replace("tempaltes", "templates").replace("decsription", "description");
    assert_eq!(changed, expected.replace("descripton", "description"), "{}", run.all());
}

#[test]
fn what_is_written_in_another_syntax_is_not_put_in_brackets() {
    let base = format!(
        "{}tosca_definitions_version: tosca_2_0\nimports:\n  - profile: org.oasis-open.simple:2.0\n",
        "# A long way down.\n".repeat(400)
    );
    let service = "\
include \"base.yay\"
node_types:
  Server:
    properties:
      port: integer
group_types:
  Servers:
    members: Server
service_template:
  node_templates:
    a:
      type: tosca.nodes.Compute
      descripton: text
";
    let folder = Folder::new(&[("base.yay", &base), ("service.yay", service)]);
    let run = folder.run("--unsafe-fixes service.yay");
    assert_eq!(run.code, 1, "{}", run.all());
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let expected = service.replace("tosca.nodes.Compute", "Compute").replace("descripton", "description");
    assert_eq!((read("service.yay"), read("base.yay")), (expected, base), "{}", run.all());
}

#[test]
fn what_is_imported_is_changed_too_but_nothing_in_archives() {
    let folder = folder();
    folder.write("types.yaml", &TYPES.1.replace("properties:", "porperties:"));
    assert_eq!(folder.run("--fix valid.yaml").code, 0);
    assert_eq!(std::fs::read_to_string(folder.path().join("types.yaml")).unwrap(), TYPES.1);
    folder.write("shop/service.yaml", "tosca_definitions_version: tosca_2_0\nnode_tpyes: {}\n");
    assert_eq!(folder.run("csar create shop").code, 0);
    let before = std::fs::read(folder.path().join("shop.csar")).unwrap();
    assert_eq!(folder.run("--fix shop.csar").code, 1);
    assert_eq!(std::fs::read(folder.path().join("shop.csar")).unwrap(), before);
}

#[test]
fn lines_are_exempted() {
    let text = "\
tosca_definitions_version: tosca_2_0
node_types:
  A: { derived_from: B }
  C: { derived_from: D, valid_target_types: [] } # tosca-parse: ignore[T1201] known
  E:
    derived_from: >-
      more
      words
service_template: { node_templates: { a: { type: \"B
      C\" } } }
";
    let folder = Folder::new(&[("a.yaml", text)]);
    let read = || std::fs::read_to_string(folder.path().join("a.yaml")).unwrap();
    let run = folder.run("a.yaml --add-ignore --diff");
    assert_eq!((run.code, read()), (1, text.to_owned()));
    let run = folder.run("a.yaml --add-ignore=later\u{1b}c");
    assert_eq!((run.code, read()), (2, text.to_owned()));
    let run = folder.run("a.yaml --add-ignore=later");
    assert_eq!(run.code, 0, "{}", run.all());
    insta::assert_snapshot!(read());
    let run = folder.run("a.yaml --add-ignore=later --diff");
    assert!(run.code == 0 && run.is_quiet(), "{}", run.all());
}

#[test]
fn comments_have_the_line_ends_of_their_files() {
    let text = "tosca_definitions_version: tosca_2_0\nnode_types:\n  A:\n    derived_from: \"B\n      C\"\n";
    for line_break in ["\r\n", "\r"] {
        let folder = Folder::new(&[("a.yaml", &text.replace('\n', line_break))]);
        assert_eq!(folder.run("a.yaml --add-ignore").code, 0);
        let comment = "    # tosca-parse: ignore[T2001]\n    derived_from";
        let expected = text.replace("    derived_from", comment).replace('\n', line_break);
        assert_eq!(std::fs::read_to_string(folder.path().join("a.yaml")).unwrap(), expected);
    }
}

#[test]
fn json_has_no_comments() {
    let text = "{\"tosca_definitions_version\": \"tosca_2_0\",\n\"node_types\": {\"A\": {\"derived_from\": \"B\"}}}\n";
    let folder = Folder::new(&[("a.json", text)]);
    let run = folder.run("a.json --add-ignore --diff");
    assert!(run.code == 0 && run.is_quiet(), "{}", run.all());
}

#[test]
fn fixes_beyond_the_limit_are_announced() {
    // For each reading of a file, similar names are searched for a hundred unknown names.
    let template = |count| {
        let types: Vec<String> = (0..count).map(|number| format!("  Type{number}: {{}}")).collect();
        let nodes: Vec<String> = (0..count).map(|number| format!("    n{number}: {{ type: Tipe{number} }}")).collect();
        format!(
            "tosca_definitions_version: tosca_2_0\nnode_types:\n{}\nservice_template:\n  node_templates:\n{}\n",
            types.join("\n"),
            nodes.join("\n")
        )
    };
    let folder = Folder::new(&[("few.yaml", &template(110)), ("many.yaml", &template(510))]);
    let run = folder.run("--diff --unsafe-fixes few.yaml");
    assert_eq!(run.err, "110 changes possible in 1 file\n");
    let run = folder.run("--diff --unsafe-fixes many.yaml");
    assert!(run.err.ends_with("\nmore changes are possible: run the command again\n"), "{}", run.err);
}

#[test]
fn fixes_that_can_not_be_applied_are_not_offered() {
    let text = "tosca_definitions_version: tosca_2_0\ndescripton: x\n";
    let folder = Folder::new(&[]);
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(folder.path().join("wide.yaml"), [vec![0xff, 0xfe], wide].concat()).unwrap();
    let shown = |arguments: &str| String::from_utf8(folder.command(arguments).output().unwrap().stdout).unwrap();
    assert!(shown("--no-config wide.yaml").contains("1 fixable with `--fix`"));
    let after = shown("--no-config --fix wide.yaml");
    assert!(after.contains("T1201") && !after.contains("fixable"), "{after}");
}
