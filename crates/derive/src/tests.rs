//! Tests of the generated code, of the errors in annotations, and of the documentation of options.

#![allow(clippy::unwrap_used)]

use insta::assert_snapshot;
use quote::ToTokens;
use syn::{DeriveInput, Item};

use crate::attr::{ENTITY_OPTIONS, FIELD_OPTIONS, INHERIT_RULES};

/// Expands a struct and formats the result.
fn expanded(text: &str) -> String {
    let input: DeriveInput = syn::parse_str(text).unwrap();
    prettyplease::unparse(&syn::parse2(crate::derive(&input).unwrap()).unwrap())
}

#[test]
fn a_plain_entity() {
    assert_snapshot!(expanded(
        r#"
        /// A place from which files are fetched.
        ///
        /// There may be several.
        #[entity(title = "repository")]
        pub struct Repository {
            /// The address.
            pub url: Option<Text>,
            /// The kind of place.
            pub r#type: Option<Text>,
        }
        "#
    ));
}

#[test]
fn a_type() {
    assert_snapshot!(expanded(
        r#"
        /// A kind of component.
        #[entity(title = "node type", spec = "7.1")]
        struct NodeType {
            /// The parent.
            #[field(parent, lookup(NODE_TYPES))]
            derived_from: Option<Reference<NodeType>>,
            /// The version.
            #[field(early, since = V1, until = V2, tolerated, inherit = overwrite)]
            version: Option<Located<VersionText>>,
            /// The properties.
            #[field(
                keyname("attributes", until = V1, tolerated = V2),
                keyname("properties", since = V2, tolerated),
                section = PROPERTIES,
                inherit = refine,
                closed(since = V2)
            )]
            properties: Members<PropertyDefinition>,
            /// All other keys.
            #[field(keyname = "others", sequenced, mandatory(since = V2, inheritable), members_short = "value", map_too(until = V1))]
            others: Sequence<Other>,
            #[field(skip)]
            cache: u32,
        }
        "#
    ));
}

#[test]
fn a_template() {
    assert_snapshot!(expanded(
        r#"
        /// A component.
        #[entity(title = "node template")]
        struct NodeTemplate {
            /// The type.
            #[field(definition, lookup(NODE_TYPES, GROUP_TYPES, optional), mandatory, short(scalar))]
            r#type: Option<Reference<NodeType>>,
            /// The properties.
            #[field(assigns(title = "property", undeclared = warning, from = "attributes", also = "properties"))]
            properties: Values,
            /// The capabilities.
            #[field(assigns, short(list, map), default = "none", since = LanguageVersion(7), until = versions::LATEST)]
            capabilities: Members<CapabilityAssignment>,
            /// The template that it copies.
            #[field(copy, lookup(NODE_TEMPLATES))]
            copy: Option<Reference<NodeTemplate>>,
        }
        "#
    ));
}

#[test]
fn possible_aliases_are_left_to_the_compiler() {
    assert_snapshot!(expanded(
        r#"
        /// A component.
        #[entity(title = "component")]
        struct Component {
            /// The properties, whatever their type.
            #[field(section = PROPERTIES, inherit = refine)]
            properties: Properties,
        }
        "#
    ));
}

#[test]
fn enumerated() {
    let text = r#"
        /// The stability of a feature.
        #[enumerated(title = "status", any_case)]
        enum Status {
            /// Can be relied on.
            Supported,
            /// Can't be relied on yet.
            #[value(since = V2, name = "in-trial")]
            NotYet,
        }
        "#;
    let input: DeriveInput = syn::parse_str(text).unwrap();
    assert_snapshot!(prettyplease::unparse(&syn::parse2(crate::enumerated::derive(&input).unwrap()).unwrap()));
}

/// Expands every item of a file and formats the errors, each with its position and the source text there.
fn errors(text: &str) -> String {
    let mut lines = Vec::new();
    for item in syn::parse_file(text).unwrap().items {
        let (input, is_enumerated) = input(item);
        let expanded = if is_enumerated { crate::enumerated::derive(&input) } else { crate::derive(&input) };
        for error in expanded.unwrap_err() {
            let (begin, marked) = (error.span().start(), error.span().source_text().unwrap());
            lines.push(format!("{}:{} {marked}: {error}\n", begin.line, begin.column + 1));
        }
    }
    lines.concat()
}

/// Returns an item without its attribute `derive`, as the macro gets it, and whether it derives `Enumerated`.
fn input(item: Item) -> (DeriveInput, bool) {
    let mut input: DeriveInput = match item {
        Item::Struct(item) => item.into(),
        Item::Enum(item) => item.into(),
        _ => panic!("the file contains other items"),
    };
    let derive = input.attrs.extract_if(.., |attribute| attribute.path().is_ident("derive")).next().unwrap();
    (input, derive.to_token_stream().to_string().contains("Enumerated"))
}

#[test]
fn wrong_annotations_are_errors_at_the_right_place() {
    assert_snapshot!("wrong_enumerated", errors(include_str!("tests/wrong/enumerated.rs")));
    assert_snapshot!("wrong_incomplete", errors(include_str!("tests/wrong/incomplete.rs")));
    assert_snapshot!("wrong_no_struct", errors(include_str!("tests/wrong/no_struct.rs")));
    assert_snapshot!("wrong_together", errors(include_str!("tests/wrong/together.rs")));
    assert_snapshot!("wrong_types", errors(include_str!("tests/wrong/types.rs")));
    assert_snapshot!("wrong_unknown", errors(include_str!("tests/wrong/unknown.rs")));
}

#[test]
fn every_option_of_enums_is_explained() {
    let text = include_str!("enumerated.md");
    for option in crate::enumerated::ENUM_OPTIONS.iter().chain(crate::enumerated::VALUE_OPTIONS) {
        assert!(text.contains(&format!("`{option}`")) || text.contains(&format!("`{option} = ")), "`{option}`");
    }
}

#[test]
fn every_option_is_explained() {
    let text = include_str!("annotations.md");
    let (of_entity, of_field) = text.split_once("# `#[field(…)]`").unwrap();
    for (part, options) in [(of_entity, ENTITY_OPTIONS), (of_field, FIELD_OPTIONS)] {
        for option in options {
            // Options are documented in the first column of a table.
            let is_explained = part.lines().filter_map(|line| line.strip_prefix('|')).any(|row| {
                let column = row.split('|').next().unwrap_or_default();
                let names = column.split('`').skip(1).step_by(2);
                names.map(|name| name.split([' ', '(']).next().unwrap_or_default()).any(|name| name == *option)
            });
            assert!(is_explained, "`{option}`");
        }
    }
    for rule in INHERIT_RULES {
        assert!(of_field.contains(&format!("| `inherit = {rule}` |")), "`{rule}`");
    }
}

#[test]
fn every_option_has_an_example() {
    let text = include_str!("annotations.md");
    let examples: String = text.split("```").skip(1).step_by(2).collect();
    let annotations = examples.split("#[").filter(|text| text.starts_with("field(") || text.starts_with("entity("));
    let annotations: Vec<&str> = annotations.filter_map(|text| Some(text.split_once(")]")?.0)).collect();
    let is_used = |option: &str| {
        let words = |line: &str| -> Vec<String> {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            line.split(|letter| !is_part(letter)).map(str::to_owned).collect()
        };
        annotations.iter().any(|line| words(line).iter().any(|word| word == option))
    };
    for option in ENTITY_OPTIONS.iter().chain(FIELD_OPTIONS).chain(INHERIT_RULES) {
        assert!(is_used(option), "`{option}`");
    }
}
