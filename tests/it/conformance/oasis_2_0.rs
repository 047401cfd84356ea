//! The test suite of the technical committee for TOSCA 2.0, as far as it is public.

use super::manifest::Suite;

#[test]
fn verdicts_are_those_of_the_suite_and_for_its_reasons() {
    Suite { name: "oasis-2.0", cases: 250, differences: DIFFERENCES, reasons: REASONS }.check();
}

/// The files whose verdict is not followed. The decisions are in `docs/decisions.md`.
const DIFFERENCES: &[(&str, &str)] = &[
    (
        "description/s5.yaml",
        "YAML 1.2 wants the further lines of a quoted text indented more than the map that it stands in, and the YAML \
         project's own suite has the very same text as an invalid one (QB6E)",
    ),
    (
        "node-filter-definition/node-filter-select.yaml",
        "it is a profile with a service template, which must not be, and for which the suite itself calls \
         profiles/profile-invalid-service-template invalid (decision A 9)",
    ),
    (
        "node-template/node-template-filter.yaml",
        "its `node_filter` is indented so that it is a node template without the mandatory `type`, and an operation has \
         no value (decision A 36b)",
    ),
    (
        "profiles/profiles-profile-tree.yaml",
        "it assigns properties that the type does not have: a type whose name looks like that of an imported one is not \
         derived from it (decisions A 48 and A 49)",
    ),
    (
        "schema-definition/schema-definition-map-bad-entry-schema-inv.yaml",
        "the entries of a map may be of any type, integers too; it is its keys that must be strings (decision A 46)",
    ),
    (
        "time/s70.yaml",
        "it has prefixes and more than one unit, which must not be, and for which the suite itself calls \
         scalar/scalar-invalid-prefixes-with-multiple-units invalid (decision A 1)",
    ),
];

/// The errors of invalid files, by their comments and their names.
const REASONS: &[(&str, &str, u32)] = &[
    ("artifact-type/artifact-type-invalid-empty-derived-from.yaml", "T1207", 6),
    ("artifact-type/artifact-type-invalid-metadata.yaml", "T1205", 10),
    ("artifact-type/artifact-type-unknown-parent-type-inv.yaml", "T2001", 19),
    ("artifact-types/invalid_derived_from.yaml", "T1205", 5),
    ("attribute-definition/attributes-default-type-mismatch-inv.yaml", "T5101", 19),
    ("boolean/boolean-0-inv.yaml", "T5101", 15),
    ("boolean/boolean-false-inv.yaml", "T5101", 15),
    ("bytes/bytes-nil-inv.yaml", "T5101", 14),
    ("call-operation-activity-definition/call-operation-input-type-mismatch-inv.yaml", "T5206", 43),
    ("call-operation-activity-definition/call-operation-required-operation-input-missing-inv.yaml", "T5106", 38),
    ("call-operation-activity-definition/call-operation-undefined-operation-input-inv.yaml", "T5001", 44),
    ("capability-type/capability-type-attrs-as-list-inv.yaml", "T1205", 17),
    ("capability-type/capability-type-valid-nodes-as-map-inv.yaml", "T1205", 20),
    ("capability-types/capability-invalid-integer.yaml", "T1205", 3),
    ("capability-types/capability_types-unknown-source-type-inv.yaml", "T2001", 25),
    ("data-type/data_type-complex_type_complex_property_unknown-inv.yaml", "T2001", 28),
    ("data-type/data_type-complex_type_derived_unknown-inv.yaml", "T2001", 19),
    ("data-type/data_type-extend_native_add_properties-inv.yaml", "T4102", 20),
    ("data-types/data-types-invalid-list.yaml", "T1205", 3),
    ("description/description-invalid.yaml", "T1205", 18),
    ("dsl-definitions/__pycache__/invalid_dsl_definitions.yaml", "T1205", 5),
    ("dsl-definitions/dsl_definitions-invalid-at-no-name.yaml", "T1305", 5),
    ("dsl-definitions/dsl_definitions-invalid-empty-key.yaml", "T1305", 5),
    ("dsl-definitions/dsl_definitions-invalid-value-type.yaml", "T2001", 28),
    ("examples/import-examples-disordered-inv.yaml", "T2001", 4),
    ("function-definitions/functions-invalid-empty.yaml", "T1206", 3),
    ("function-definitions/functions-invalid-list.yaml", "T1205", 4),
    ("group-definitions/group-definitions-empty-inv.yaml", "T1206", 26),
    ("group-definitions/group-definitions-list-inv.yaml", "T1205", 28),
    ("group-types/group-types-invalid-list.yaml", "T1205", 7),
    ("group-types/group-types-invalid-not-string.yaml", "T1207", 7),
    ("group-types/group-types-invalid-null.yaml", "T1207", 7),
    ("import-definitions/imports-invalid-empty.yaml", "T1206", 25),
    ("import-definitions/imports-invalid-no-file.yaml", "T1306", 18),
    ("integer/integer-inv.yaml", "T5101", 16),
    ("interface-type/interface-type-implemented-operation-inv.yaml", "T4119", 29),
    ("interface-types/interface-types-invalid-empty.yaml", "T1005", 1),
    ("interface-types/interface-types-invalid-null.yaml", "T1207", 3),
    ("metadata/invalid_metadata_missing_value.yaml", "T1206", 6),
    ("node-templates/node-templates-empty-inv.yaml", "T1206", 22),
    ("node-templates/node-templates-listed-inv.yaml", "T1205", 17),
    ("node-type/attributes_as_list_multi-inv.yaml", "T1205", 22),
    ("node-type/properties_as_list-inv.yaml", "T1205", 17),
    ("node-type/properties_as_list_multi-inv.yaml", "T1205", 17),
    ("node-type/requirements_as_map_multi-inv.yaml", "T1205", 26),
    ("node-types/node-types-invalid-empty.yaml", "T1206", 6),
    ("node-types/node-types-invalid-null.yaml", "T1207", 7),
    ("output-parameters/output-parameters-empty-inv.yaml", "T1206", 13),
    ("output-parameters/output-parameters-listed-inv.yaml", "T1205", 15),
    ("policy-definitions/policy-defintions-empty-inv.yaml", "T1206", 21),
    ("policy-types/policy-types-invalid-empty.yaml", "T1206", 6),
    ("policy-types/policy-types-invalid-not-string.yaml", "T1207", 7),
    ("policy-types/policy-types-invalid-null.yaml", "T1207", 7),
    ("property-assignment/property-assignment-required-no-default-inv.yaml", "T5106", 20),
    ("property-assignment/property-assignment-type-mismatch-inv.yaml", "T5101", 24),
    ("property-definition/property-definition-refine-value-inv.yaml", "T4001", 15),
    ("relationship-templates/relationship-templates-listed-inv.yaml", "T1205", 21),
    ("relationship-types/relationship-types-invalid-list.yaml", "T1205", 4),
    ("relationship-types/relationship-types-invalid-nonstring.yaml", "T1207", 4),
    ("repository-definitions/repositories-invalid-list.yaml", "T1205", 20),
    ("requirement-count/requirement-count-under-inv.yaml", "T5307", 33),
    ("requirement-definition/requirement-definition-float-count-inv.yaml", "T1312", 51),
    ("scalar/scalar-derive-incompat-inv.yaml", "T4001", 31),
    ("scalar/scalar-invalid-canonical-prefix-not-found.yaml", "T4116", 22),
    ("scalar/scalar-invalid-canonical-unit-multiplier-not-one.yaml", "T4116", 21),
    ("scalar/scalar-invalid-canonical-unit-not-found.yaml", "T4116", 21),
    ("scalar/scalar-invalid-data-type.yaml", "T4109", 10),
    ("scalar/scalar-invalid-datatype-value.yaml", "T5108", 34),
    ("scalar/scalar-invalid-entry-schema.yaml", "T4108", 13),
    ("scalar/scalar-invalid-incompatible-unit.yaml", "T5103", 31),
    ("scalar/scalar-invalid-multiplier-for-datatype.yaml", "T5108", 20),
    ("scalar/scalar-invalid-no-canonical-unit.yaml", "T4115", 11),
    ("scalar/scalar-invalid-parent-type.yaml", "T4103", 11),
    ("scalar/scalar-invalid-prefixes-for-datatype.yaml", "T5108", 19),
    ("scalar/scalar-invalid-prefixes-with-multiple-units.yaml", "T4113", 13),
    ("scalar/scalar-invalid-properties-not-allowed.yaml", "T4102", 10),
    ("scalar/scalar-invalid-units-missing.yaml", "T4110", 8),
    ("scalar/scalar-invalid-validation-not-satisfied.yaml", "T5108", 32),
    ("scalar/scalar-invalid-value.yaml", "T5101", 31),
    ("schema-definition/schema-definition-bad-entry-schema-inv.yaml", "T2001", 11),
    ("schema-definition/schema-definition-map-keys-mixed-inv.yaml", "T4106", 9),
    ("schema-definition/schema-definition-map-mixed-inv.yaml", "T5101", 18),
    ("string/string-empty-inv.yaml", "T5101", 15),
    ("string/string-inv.yaml", "T5101", 14),
    ("substitution-mappings/substitution-mappings-list-inv.yaml", "T1205", 61),
    ("tosca-definitions-version/tosca_definitions_version-missing-inv.yaml", "T1301", 1),
    ("tosca-definitions-version/tosca_definitions_version-not-first-line-inv.yaml", "T1303", 4),
    ("version/invalid_version_non_string.yaml", "T1302", 1),
    ("workflow-definitions/workflow-definitions-empty-inv.yaml", "T1206", 22),
];
