//! Checks that mistakes in indentation and colons do not hide problems after them.

use std::fmt::Write as _;

use super::parse;

/// The template into which the mistakes are inserted, followed by three further mistakes.
const TEMPLATE: &str = "tosca_definitions_version: tosca_simple_yaml_1_3
description: A shop and where it runs
metadata:
  template_name: shop
  template_author: somebody
data_types:
  Address:
    derived_from: tosca.datatypes.Root
    properties:
      street: { type: string }
      number:
        type: integer
        required: false
node_types:
  Shop:
    derived_from: tosca.nodes.SoftwareComponent
    description: Sells things
    properties:
      port:
        type: integer
        default: 80
      address:
        type: Address
      tags: { type: list, entry_schema: string, required: false }
    requirements:
      - store:
          capability: tosca.capabilities.Node
          occurrences: [ 0, 1 ]
topology_template:
  inputs:
    cores:
      type: integer
      default: 2
    image: { type: string, default: 'debian:12' }
  node_templates:
    server:
      type: tosca.nodes.Compute
      capabilities:
        host:
          properties:
            num_cpus: { get_input: cores }
            mem_size: 4 GB
        os:
          properties:
            type: linux
    shop:
      type: Shop
      properties:
        port: 8080
        address: { street: Main Street, number: 7 }
        tags: [ small, new ]
      requirements:
        - host: server
    wrong_type:
      type: Shopp
    wrong_keyname:
      type: tosca.nodes.Compute
      propertys: {}
    wrong_value:
      type: Shop
      properties:
        port: many
        address: { street: Side Street }
      requirements: [ host: server ]
";

/// The further mistakes: their codes and the underlined text.
const LATER: &[(&str, &str)] = &[("T2001", "Shopp"), ("T1201", "propertys"), ("T5101", "many")];

/// The mistakes: the correct text, and what the author wrote instead.
const SLIPS: &[(&str, &str)] = &[
    // Too much indentation, by one space or by more.
    ("  template_author: somebody", "   template_author: somebody"),
    ("    description: Sells things", "     description: Sells things"),
    ("        default: 80", "         default: 80"),
    ("      default: 2\n", "       default: 2\n"),
    ("            mem_size: 4 GB", "              mem_size: 4 GB"),
    ("        port: 8080", "         port: 8080"),
    ("        tags: [ small, new ]", "            tags: [ small, new ]"),
    ("        required: false\n", "          required: false\n"),
    ("    properties:\n      port:", "     properties:\n      port:"),
    (
        "      type: Shop\n      properties:\n        port: 8080",
        "      type: Shop\n       properties:\n        port: 8080",
    ),
    // Too little indentation.
    ("  template_author: somebody", " template_author: somebody"),
    ("    description: Sells things", "   description: Sells things"),
    ("        default: 80", "       default: 80"),
    ("        type: integer\n        required: false", "       type: integer\n        required: false"),
    ("            mem_size: 4 GB", "           mem_size: 4 GB"),
    ("        address: { street: Main Street, number: 7 }", "       address: { street: Main Street, number: 7 }"),
    ("    image: {", "   image: {"),
    ("      address:\n", "     address:\n"),
    ("        - host: server\n    wrong_type", "     - host: server\n    wrong_type"),
    // A missing colon.
    ("metadata:\n", "metadata\n"),
    ("    properties:\n      port:", "    properties\n      port:"),
    ("      port:\n", "      port\n"),
    ("        default: 80", "        default 80"),
    ("    description: Sells things", "    description Sells things"),
    ("    server:\n", "    server\n"),
    ("      type: tosca.nodes.Compute\n      capabilities", "      type tosca.nodes.Compute\n      capabilities"),
    ("        host:\n", "        host\n"),
    ("      requirements:\n        - host", "      requirements\n        - host"),
    // A missing space after the colon.
    ("        default: 80", "        default:80"),
    ("  template_name: shop", "  template_name:shop"),
    ("            type: linux", "            type:linux"),
    (
        "      type: Shop\n      properties:\n        port: 8080",
        "      type:Shop\n      properties:\n        port: 8080",
    ),
    // Tabs and no-break spaces.
    ("    description: Sells things", "\tdescription: Sells things"),
    ("        port: 8080", "      \tport: 8080"),
    ("            mem_size: 4 GB", "\t\t\tmem_size: 4 GB"),
    ("      default: 2\n", "      \u{a0}default: 2\n"),
    ("        port: 8080", "        port:\u{a0}8080"),
    // Surplus or missing colons, quotes and brackets.
    ("description: A shop and where it runs", "description: A shop: and where it runs"),
    ("        address: { street: Main Street, number: 7 }", "        address: { street: Main Street, number: 7"),
    ("default: 'debian:12' }", "default: 'debian:12 }"),
];

#[test]
fn problems_after_a_slip_are_found() {
    let (mut found, mut report) = (0, String::new());
    for (right, slip) in SLIPS {
        assert!(TEMPLATE.matches(right).count() >= 1, "{right}");
        let text = TEMPLATE.replacen(right, slip, 1);
        let outcome = parse(&*text);
        let place = |problem: &tosca_parse::diagnostic::Diagnostic| {
            let span = problem.span.start as usize..problem.span.end as usize;
            (problem.rule.code, text.get(span).unwrap_or_default())
        };
        let problems: Vec<_> = outcome.diagnostics.iter().map(place).collect();
        let later = LATER.iter().filter(|later| problems.contains(later)).count();
        let others: Vec<_> = problems.iter().filter(|problem| !LATER.contains(problem)).collect();
        found += usize::from(later == LATER.len());
        let help: Vec<_> = outcome.diagnostics.iter().filter(|problem| problem.rule.code == "T1101").collect();
        if later < LATER.len() || others.len() > 2 || others.is_empty() {
            let help = help.first().map(|problem| (&problem.message, &problem.help));
            writeln!(report, "{slip:?}: {later} of 3, and {others:?} {help:?}").unwrap();
        }
        assert!(others.len() <= 2, "{report}");
    }
    eprintln!("{report}");
    assert!(found >= 39, "{found} of {}:\n{report}", SLIPS.len());
    assert_eq!(SLIPS.len(), 40);
}

/// Mistakes with an obvious correction.
const CLEAR: &[(&str, &str)] = &[
    // A value before a block.
    ("    properties:\n      port:", "    properties: some\n      port:"),
    ("      requirements:\n        - host", "      requirements: host\n        - host"),
    ("    server:\n", "    server: big\n"),
    ("  inputs:\n", "  inputs: \"two\"\n"),
    // A key that is indented too far for the block below it, and one that is not indented far enough.
    ("      port:\n        type", "         port:\n        type"),
    ("        type: integer\n        default: 80", "      type: integer\n        default: 80"),
    // Another character instead of the colon.
    ("        default: 80", "        default = 80"),
    ("        port: 8080", "        port; 8080"),
];

#[test]
fn a_clear_slip_is_one_problem() {
    for (right, slip) in CLEAR {
        assert!(TEMPLATE.contains(right), "{right}");
        let outcome = parse(TEMPLATE.replacen(right, slip, 1));
        let codes: Vec<&str> = outcome.diagnostics.iter().map(|problem| problem.rule.code).collect();
        assert_eq!(codes, ["T1101", "T2001", "T1201", "T5101"], "{slip:?}");
    }
}

#[test]
fn a_key_that_is_moved_to_another_level_is_one_problem() {
    let right = "          properties:\n            num_cpus: { get_input: cores }\n            mem_size: 4 GB\n";
    let slip = "         properties:\n            num_cpus: { get_input: cores }\n          mem_size: 4 GB\n";
    assert!(TEMPLATE.contains(right));
    let outcome = parse(TEMPLATE.replacen(right, slip, 1));
    let codes: Vec<&str> = outcome.diagnostics.iter().map(|problem| problem.rule.code).collect();
    assert_eq!(codes, ["T1101", "T2001", "T1201", "T5101"], "{:?}", outcome.diagnostics);
}

#[test]
fn a_misspelled_file_of_an_import_is_one_problem() {
    for import in ["fil: types.yaml", "{ fiel: types.yaml, namespace_prefix: t }", "types: { files: types.yaml }"] {
        let text = format!("tosca_definitions_version: tosca_simple_yaml_1_3\nimports:\n- {import}\n");
        let outcome = super::parse_files(&[
            ("service.yaml", &*text),
            ("types.yaml", "tosca_definitions_version: tosca_simple_yaml_1_3\n"),
        ]);
        assert_eq!(super::codes(&outcome), ["T1201"], "{import}: {:?}", outcome.diagnostics);
        // The file is read.
        let outcome = super::parse_files(&[("service.yaml", &*text)]);
        assert_eq!(super::codes(&outcome), ["T1001", "T1201"], "{import}: {:?}", outcome.diagnostics);
    }
    let text = "tosca_definitions_version: tosca_simple_yaml_1_3\nimports:\n- { namespace_prefix: t }\n";
    assert_eq!(super::codes(&parse(text)), ["T1204"]);
}

#[test]
fn unindented_content_of_a_type_is_one_problem() {
    let text =
        "tosca_definitions_version: tosca_simple_yaml_1_3\nnode_types:\n  A:\n  derived_from: tosca.nodes.Root\n";
    assert_eq!(super::codes(&parse(text)), ["T1206"]);
    let text = "tosca_definitions_version: tosca_simple_yaml_1_3\nnode_types:\n  A: {}\n";
    assert_eq!(super::codes(&parse(text)), ["T1317"]);
}

#[test]
fn the_help_names_the_line() {
    for (right, slip, help) in [
        (
            "    properties:\n      port:",
            "    properties: some\n      port:",
            "remove `some` on line 18, or the lines below that are indented further",
        ),
        ("        port: 8080", "        port = 8080", "put `:` in place of `=` after `port` on line 49"),
        ("        default: 80", "         default: 80", "indent line 21 by 8 spaces, not by 9"),
        ("    properties:\n      port:", "    properties\n      port:", "put `:` after `properties` on line 18"),
        ("    description: Sells things", "\tdescription: Sells things", "indent line 17 with spaces, not with tabs"),
        ("        port: 8080", "        port:\u{a0}8080", "line 49 has a no-break space (U+00A0)"),
        ("        default: 80", "        default:80", "write a space after the colon of `default:80` on line 21"),
    ] {
        let outcome = parse(TEMPLATE.replacen(right, slip, 1));
        let helps: Vec<&String> = outcome.diagnostics.iter().flat_map(|problem| &problem.help).collect();
        assert!(helps.iter().any(|given| given.contains(help)), "{slip:?}: {helps:?}");
    }
}
