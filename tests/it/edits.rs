//! Edits of problems: typos are inserted into valid files, and must be gone after the edits have been applied.

use std::path::{Path, PathBuf};

use tosca_parse::diagnostic::edit::{self, AppliedEdits};
use tosca_parse::entity::Quirk;
use tosca_parse::source::MemoryProvider;
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

/// Parts of templates, each with a typo of it.
const SLIPS: &[(&str, &str)] = &[
    ("node_templates:", "node_tempaltes:"),
    ("properties:", "porperties:"),
    ("derived_from:", "dervied_from:"),
    ("requirements:", "requirement:"),
    ("capabilities:", "capabilites:"),
    ("description:", "desription:"),
    ("$get_property:", "get_property:"),
    ("$get_input:", "get_input:"),
    ("required: false", "required: False"),
    ("type: integer", "type: interger"),
    ("type: string", "type: strng"),
    ("validation:", "validaton:"),
    // The names in other versions.
    ("count_range:", "occurrences:"),
    ("valid_source_node_types:", "valid_source_types:"),
    ("service_template:", "topology_template:"),
    ("url:", "file:"),
    ("$get_attribute:", "get_attribute:"),
    ("$concat:", "concat:"),
    ("type: Compute", "type: tosca.nodes.Compute"),
    ("derived_from: Root", "derived_from: tosca.nodes.Root"),
    ("[ select ]", "[ selectable ]"),
    ("[select]", "[selectable]"),
    ("CAPABILITY, ", ""),
    ("type: timestamp", "type: timestmp"),
    ("type: list", "type: lst"),
    ("entry_schema:", "entry_shema:"),
    ("interfaces:", "interface:"),
    ("operations:", "operation:"),
    ("relationship:", "relationshp:"),
    ("capability:", "capabilty:"),
    ("substitution_mappings:", "substitution_mapping:"),
    ("node_type:", "nodetype:"),
    ("workflows:", "workflow:"),
    ("activities:", "activites:"),
    ("$equal:", "$equals:"),
    ("$greater_or_equal:", "$greater_or_equals:"),
    ("$and:", "$adn:"),
    ("required: true", "required: True"),
    ("outputs:", "ouputs:"),
    ("inputs:", "input:"),
    ("policies:", "polices:"),
    ("groups:", "group:"),
    ("members:", "member:"),
    ("targets:", "target:"),
    ("default: true", "default: \"true\""),
    ("required: false", "required: no"),
    ("required: true", "required: \"true\""),
];

/// Returns the files in a folder that may be templates.
fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    let files = entries.map(walkdir::DirEntry::into_path);
    files.filter(|path| path.extension().is_some_and(|extension| extension == "yaml")).collect()
}

/// Returns the text with the edits of all problems of the file.
fn changed(outcome: &Outcome) -> String {
    let source = outcome.sources.iter().next().unwrap();
    let mut taken = AppliedEdits::default();
    let changes = outcome.diagnostics.iter().map(|problem| &problem.edits).filter(|edits| taken.take(edits));
    edit::apply(source.text(), changes.flatten().filter(|edit| edit.span.source == source.id()))
}

/// Inserts a typo into each valid file and applies the edits. Returns the number of inserted typos, the number of fixed
/// ones, and the failures.
fn mend(files: &[PathBuf]) -> (usize, usize, Vec<String>) {
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let (mut slips, mut mended, mut failures) = (0, 0, Vec::new());
    for path in files {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let address = parser.address(path.to_str().unwrap()).unwrap();
        let parse = |text: &str| parser.parse_entry(Entry::text(address.clone(), text));
        let outcome = parse(&text);
        if !outcome.is_valid() {
            continue;
        }
        let (before, right_text) = (outcome.diagnostics.len(), changed(&outcome));
        // One of the typos that apply, a different one for each file.
        let fitting: Vec<_> = SLIPS.iter().filter(|(right, _)| text.contains(right)).collect();
        if fitting.is_empty() {
            continue;
        }
        let number = path.to_str().unwrap().bytes().map(usize::from).sum::<usize>();
        let (right, wrong) = fitting[number % fitting.len()];
        let with_slip = text.replacen(right, wrong, 1);
        let outcome = parse(&with_slip);
        if outcome.diagnostics.len() == before {
            continue;
        }
        slips += 1;
        let after = changed(&outcome);
        if after == text || after == right_text {
            mended += 1;
        } else if after != with_slip {
            // The edits must not make anything worse.
            let left = parse(&after);
            let remarks = |outcome: &Outcome| {
                let units = outcome.program.list.iter().take(1);
                units
                    .flat_map(|unit| unit.document.tool_comments())
                    .map(|(_, text)| text.to_owned())
                    .collect::<Vec<_>>()
            };
            if remarks(&left) != remarks(&outcome) {
                failures.push(format!("{}: comments are not what they were:\n{after}", path.display()));
            }
            if left.diagnostics.len() > outcome.diagnostics.len() {
                failures.push(format!("{}: {wrong} becomes\n{after}", path.display()));
            }
        }
        if after != text && after != right_text && std::env::var_os("SHOW").is_some() {
            let problem = &outcome.diagnostics[0];
            eprintln!("NONE {wrong} [{}] {} | {:?}", problem.rule.code, problem.message, problem.help);
        }
    }
    (slips, mended, failures)
}

#[test]
fn typos_in_our_files_are_fixed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = yaml_files(&root.join("tests/chapters"));
    let (slips, mended, failures) = mend(&files);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(slips > 20 && mended * 10 >= slips * 8, "{mended} of {slips}");
}

#[test]
fn typos_in_conformance_files_are_fixed() {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("skipped: TOSCA_PARSE_SHARED does not name the folder that holds the conformance files");
        return;
    };
    let folders = ["oasis-2.0", "spec-2.0", "oasis-examples"];
    let files = folders.iter().flat_map(|folder| yaml_files(&Path::new(&shared).join("conformance").join(folder)));
    let files: Vec<PathBuf> = files.collect();
    let (slips, mended, failures) = mend(&files);
    eprintln!("{mended} of {slips} slips in {} files are mended", files.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(files.len() > 1000 && slips > 500 && mended * 10 >= slips * 9, "{mended} of {slips}");
}

#[test]
fn texts_in_memory_are_edited_there() {
    let memory = MemoryProvider::new();
    let parser = Parser::builder(&TOSCA).provider(std::sync::Arc::new(memory.clone())).build().unwrap();
    let address = parser.address("service.yaml").unwrap();
    memory.insert(address.clone(), "tosca_definitions_version: tosca_2_0\nnode_tpyes: {}\n");
    let outcome = parser.parse_entry(Entry::at(address));
    assert_eq!(changed(&outcome), "tosca_definitions_version: tosca_2_0\nnode_types: {}\n");
}

#[test]
fn a_list_of_imports_comes_after_the_first_keyname() {
    let parser = lenient();
    let changed = |text: &str| changed(&parser.parse_entry(Entry::text(parser.address("a.yaml").unwrap(), text)));
    let service = "service_template: {node_templates: {a: {type: Compute}}}";
    let profile = "{ profile: org.oasis-open.simple:2.0 }";
    for (before, after) in [
        (
            format!("{{tosca_definitions_version: tosca_2_0, {service}}}"),
            format!("{{tosca_definitions_version: tosca_2_0, imports: [ {profile} ], {service}}}"),
        ),
        (
            format!("{{tosca_definitions_version: tosca_2_0, imports: , {service}}}"),
            format!("{{tosca_definitions_version: tosca_2_0, imports: [ {profile} ] , {service}}}"),
        ),
        (
            format!("description: |\n  Long.\n\ntosca_definitions_version: tosca_2_0\n{service}\n"),
            format!(
                "description: |\n  Long.\nimports:\n- {profile}\n\ntosca_definitions_version: tosca_2_0\n{service}\n"
            ),
        ),
        (
            format!("tosca_definitions_version: tosca_2_0\r\n{service}\r\n"),
            format!("tosca_definitions_version: tosca_2_0\r\nimports:\r\n- {profile}\r\n{service}\r\n"),
        ),
    ] {
        assert_eq!(changed(&before), after);
    }
}

/// Returns a parser that accepts empty sections, whose problems would hide others, and that can import `types.yaml`.
fn lenient() -> Parser {
    let memory = MemoryProvider::new();
    let builder = Parser::builder(&TOSCA).quirk(Quirk::NULL_SECTIONS);
    let parser = builder.provider(std::sync::Arc::new(memory.clone())).build().unwrap();
    memory.insert(parser.address("types.yaml").unwrap(), "tosca_definitions_version: tosca_2_0\n");
    parser
}

/// Applies the edits of all problems to a template of 2.0.
fn mended(rest: &str) -> String {
    let parser = lenient();
    let head = "tosca_definitions_version: tosca_2_0\n";
    let text = format!("{head}{rest}");
    let outcome = parser.parse_entry(Entry::text(parser.address("a.yaml").unwrap(), text.as_str()));
    changed(&outcome).strip_prefix(head).unwrap().to_owned()
}

#[test]
fn profiles_are_imported_where_their_types_are_named() {
    let service = |name: &str| format!("service_template:\n  node_templates:\n    a: {{ type: {name} }}\n");
    let profile = "{ profile: org.oasis-open.simple:2.0 }";
    let expected = format!("imports:\n- {profile}\n{}", service("Compute"));
    assert_eq!(mended(&service("Compute")), expected);
    assert_eq!(mended(&service("tosca.nodes.Compute")), expected);
    assert_eq!(mended(&service("\"tosca.nodes.Compute\"")), expected.replace("Compute", "\"Compute\""));
    // Existing lists are extended.
    for (before, after) in [
        ("imports: [] # none\n", format!("imports: [ {profile} ] # none\n")),
        ("imports:\n  - types.yaml # one\n", format!("imports:\n  - types.yaml # one\n  - {profile}\n")),
        ("imports: # none\ndescription: text\n", format!("imports: # none\n- {profile}\ndescription: text\n")),
        ("\"imports\" :\n", format!("\"imports\" :\n- {profile}\n")),
        ("imports: ~\n", format!("imports: [ {profile} ]\n")),
        ("imports: [ # none\n  ]\n", format!("imports: [ {profile}  # none\n  ]\n")),
        ("imports: [] \r\n", format!("imports: [ {profile} ] \r\n")),
        ("imports:\r\n- types.yaml\r\n", format!("imports:\r\n- types.yaml\r\n- {profile}\r\n")),
    ] {
        assert_eq!(mended(&format!("{before}{}", service("Compute"))), format!("{after}{}", service("Compute")));
    }
    // The list behind an alias is also used elsewhere.
    let shared = format!("metadata: {{ a: &a [] }}\nimports: *a\n{}", service("Compute"));
    assert_eq!(mended(&shared), shared);
    // If several types are missing, one import provides them all.
    let two = "service_template:\n  node_templates: { a: { type: Compute }, b: { type: Network } }\n";
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let text = format!("tosca_definitions_version: tosca_2_0\n{two}");
    let outcome = parser.parse_entry(Entry::text(parser.address("a.yaml").unwrap(), text.as_str()));
    let edits: std::collections::BTreeSet<_> = outcome.diagnostics.iter().flat_map(|it| it.edits.clone()).collect();
    assert_eq!(edit::apply(&text, &edits).matches("profile:").count(), 1);
}

#[test]
fn paths_get_a_step_into_a_capability() {
    let types = "\
capability_types: { Db: { properties: { port: { type: integer, default: 1 } } } }
node_types: { Database: { capabilities: { sql: Db } } }
service_template:
  node_templates: { db: { type: Database } }
  outputs:
    port:
      value: ";
    let flow = |path: &str| format!("{types}{{ $get_property: {path} }}\n");
    assert_eq!(mended(&flow("[ db, sql, port ]")), flow("[ db, CAPABILITY, sql, port ]"));
    let block = |step: &str| {
        format!("{types}\n        $get_property:\n        - db\n{step}        - sql # here\n        - port\n")
    };
    assert_eq!(mended(&block("")), block("        - CAPABILITY\n"));
}

#[test]
fn functions_of_other_versions_get_their_sign() {
    let service = |call: &str| {
        format!(
            "node_types: {{ A: {{ properties: {{ p: {{ type: integer }} }} }} }}\nservice_template:\n  inputs: {{ i: {{ type: integer }} }}\n  node_templates: {{ a: {{ type: A, properties: {{ p: {{ {call}: i }} }} }} }}\n"
        )
    };
    assert_eq!(mended(&service("get_input")), service("$get_input"));
    assert_eq!(mended(&service("\"get_input\"")), service("\"$get_input\""));
}

#[test]
fn clauses_are_not_only_renamed() {
    // The value of `validation` has a different form.
    let text = "data_types: { A: { derived_from: string, constraints: [ { length: 2 } ] } }\n";
    assert_eq!(mended(text), text);
    let text = "node_types: { A: { capabilities: { a: { type: B, valid_source_types: [ A ] } } } }\ncapability_types: { B: {} }\n";
    assert_eq!(mended(text), text.replace("source_types", "source_node_types"));
}

#[test]
fn short_forms_and_long_ones() {
    for (before, after) in [
        (
            "node_types: { A: { properties: { port: integer } } }\n",
            "node_types: { A: { properties: { port: { type: integer } } } }\n",
        ),
        (
            "node_types: { A: {} }\ngroup_types: { G: { members: A } }\n",
            "node_types: { A: {} }\ngroup_types: { G: { members: [ A ] } }\n",
        ),
        (
            "policy_types: { P: {} }\nservice_template: { node_templates: {}, policies: { p: { type: P } } }\n",
            "policy_types: { P: {} }\nservice_template: { node_templates: {}, policies: [ p: { type: P } ] }\n",
        ),
        (
            "policy_types: { P: {} }\nservice_template:\n  node_templates: {}\n  policies:\n    # one\n    p:\n      type: P # of course\n\n      description: |\n        Long.\n    q: { type: P }\n",
            "policy_types: { P: {} }\nservice_template:\n  node_templates: {}\n  policies:\n    # one\n    - p:\n        type: P # of course\n\n        description: |\n          Long.\n    - q: { type: P }\n",
        ),
    ] {
        assert_eq!(mended(before), after);
        assert_eq!(mended(after), after);
    }
}
