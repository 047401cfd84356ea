//! Templates of TOSCA 1.0, one rule each, derived from the tests of another implementation, which has its own
//! interpretation of the standard.

use super::manifest::Suite;

#[test]
fn verdicts_are_those_of_the_suite() {
    Suite { name: "aria", cases: 966, differences: DIFFERENCES, reasons: &[] }.check();
}

const NUMBERS_IN_METADATA: &str = "metadata is text or numbers: the committee's own files give `template_version: 1.0`, and `0.123` is a version, too";

const UNDECLARED_INPUT: &str = "templates of 1.x hold definitions of interfaces, not only assignments, so they may add \
                                inputs that the type does not have; real templates do so for the operations of \
                                `Standard`, none of which declares an input";

const IMPLEMENTED_INTERFACE_TYPE: &str = "an interface type can't have implementations, for which the committee's suite \
                                          calls 3.6.4-interface-type-04-implemented-operation invalid";

const EQUAL_BOUNDS: &str =
    "a range of one number is a range; `[ 1, 1 ]` is the default of `occurrences` (decision B 3)";

const DIFFERENCES: &[(&str, &str)] = &[
    (
        "imports/import_namespace-001.yaml",
        "a keyname without a value is an error in every other file of this suite; and a prefix is separated by a colon, \
         not by a dot",
    ),
    ("metadata/metadata_non_normative_fields_syntax_type-003.yaml", NUMBERS_IN_METADATA),
    ("metadata/metadata_non_normative_fields_syntax_type-004.yaml", NUMBERS_IN_METADATA),
    ("metadata/metadata_normative_fields_syntax_type-016.yaml", NUMBERS_IN_METADATA),
    ("templates/common/template_interface/template_interface_input_missing-001.yaml", UNDECLARED_INPUT),
    ("templates/common/template_interface/template_interface_input_missing-002.yaml", UNDECLARED_INPUT),
    ("templates/common/template_interface/template_interface_input_missing-003.yaml", UNDECLARED_INPUT),
    ("templates/common/template_interface/template_interface_input_missing-004.yaml", UNDECLARED_INPUT),
    ("templates/common/template_interface/template_interface_input_missing-005.yaml", UNDECLARED_INPUT),
    ("templates/common/template_interface/template_interface_input_missing-006.yaml", UNDECLARED_INPUT),
    ("templates/common/template_interface/template_interface_operation_input_missing-001.yaml", UNDECLARED_INPUT),
    ("templates/common/template_interface/template_interface_operation_input_missing-002.yaml", UNDECLARED_INPUT),
    ("templates/common/template_interface/template_interface_operation_input_missing-003.yaml", UNDECLARED_INPUT),
    ("templates/common/template_interface/template_interface_operation_input_missing-004.yaml", UNDECLARED_INPUT),
    ("templates/common/template_interface/template_interface_operation_input_missing-005.yaml", UNDECLARED_INPUT),
    ("templates/common/template_interface/template_interface_operation_input_missing-006.yaml", UNDECLARED_INPUT),
    (
        "templates/node_template/node_template_node_filter_constraints/node_template_node_filter_constraints_syntax_type-018.yaml",
        "a bare value in a filter means that the property is equal to it, and of what type the property is can't be \
         known, as the node type has no such capability, which is warned about",
    ),
    (
        "templates/node_template/node_template_node_filter_constraints/node_template_node_filter_constraints_with_value-017.yaml",
        "`greater_than` is for values that are in an order, which those of a complex type are not",
    ),
    (
        "templates/node_template/node_template_requirements/node_template_requirement_capability_unknown-001.yaml",
        "the name is that of a capability of a node that is still to be found, so it need not exist in the file",
    ),
    (
        "types/common/type_interfaces/type_interface_operation_syntax_type-016.yaml",
        "an operation of which nothing is said may have no body, as the suite has it itself in interface types",
    ),
    (
        "types/common/type_parameters/type_parameter_syntax_empty-023.yaml",
        "the inputs of a topology are parameters, the type of which is optional",
    ),
    (
        "types/data_type/data_type_constraints_not_derived_from_primitive-001.yaml",
        "an empty list of constraints demands nothing of the values of any type",
    ),
    ("types/interface_type/interface_type_operation_dependencies_syntax_empty-001.yaml", IMPLEMENTED_INTERFACE_TYPE),
    ("types/interface_type/interface_type_operation_implementation_primary-001.yaml", IMPLEMENTED_INTERFACE_TYPE),
    ("types/interface_type/interface_type_unicode-001.yaml", IMPLEMENTED_INTERFACE_TYPE),
    ("types/node_type/node_type_capabilities/node_type_capability_occurrences_bad-010.yaml", EQUAL_BOUNDS),
    ("types/node_type/node_type_requirements/node_type_requirement_occurrences_bad-010.yaml", EQUAL_BOUNDS),
    (
        "types/node_type/node_type_requirements/node_type_requirement_node_override-001.yaml",
        "a derived type can only narrow the node type of a requirement, or its nodes could not stand for those of its \
         parent",
    ),
];
