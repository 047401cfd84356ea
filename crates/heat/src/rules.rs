//! The rules for templates, in addition to those of the engine. The first digit of a code is the phase.

tosca_parse::rule_table! {
    explained in "rules";
    ONE_CONSTRAINT = "H1001" "one-constraint" Error, "a constraint has no keyname that constrains the value, or several";
    NO_BOUNDS = "H1002" "no-bounds" Error, "a range or length has neither `min` nor `max`";
    INVALID_CONSTRAINT = "H1003" "invalid-parameter-constraint" Error, "a constraint doesn't apply to the type of its parameter, or no value can fulfill it";
    INVALID_FUNCTION = "H1004" "invalid-function" Error, "the arguments of a function are invalid";
    REMOVED_FUNCTION = "H1005" "removed-function" Error, "a function was removed in this version or before";
    INVALID_CONDITION = "H1006" "invalid-condition" Error, "a condition is neither a boolean nor a function that returns one";
    MISUSED_NAME = "H1007" "misused-name" Error, "a name is not allowed, or means two things";
    INVALID_POLICY = "H1008" "invalid-policy" Error, "a deletion or update policy is not valid for the resource type";
    UNDECLARED_PARAMETER = "H2001" "undeclared-parameter" Error, "an environment gives a value to a parameter that the template does not declare";
    DISABLED_RESOURCE = "H2002" "disabled-resource" Error, "a function names a resource whose condition is false";
    UNKNOWN_ATTRIBUTE = "H2004" "unknown-attribute" Error, "a function reads an attribute that the resource doesn't have";
    UNKNOWN_RESOURCE_TYPE = "H2005" "unknown-resource-type" Error, "the type of a resource is unknown";
    DEPENDENCY_CYCLE = "H3001" "dependency-cycle" Error, "resources or conditions depend on each other in a loop";
    INVALID_DEFAULT = "H4001" "invalid-default" Error, "the default of a parameter violates its type or a constraint";
    INVALID_PARAMETER_VALUE = "H4002" "invalid-parameter-value" Error, "the value that an environment gives to a parameter violates its type or a constraint";
    MISSING_PARAMETER_VALUE = "H4003" "missing-parameter-value" Error, "a parameter has no value, although there is an environment";
    INVALID_MERGE = "H4004" "unmergeable-values" Error, "the values that environments give to a parameter can't be merged";
    INVALID_FACADE = "H4005" "invalid-facade" Error, "a template in place of a resource type does not have its properties and attributes";
    UNKNOWN_PROPERTY = "H5001" "unknown-resource-property" Error, "a resource sets a property that its type doesn't have";
    MISSING_PROPERTY = "H5002" "missing-property" Error, "a resource lacks a required property";
    INVALID_PROPERTY = "H5003" "invalid-property" Error, "the value of a property has the wrong type or violates a constraint";
    CONFLICTING_PROPERTIES = "H5004" "conflicting-properties" Error, "two properties of a resource exclude each other";
    UNKNOWN_FILE = "H6001" "unknown-file" Error, "a file that `get_file` names does not exist";
    DEPRECATED_TYPE = "H7001" "deprecated-resource-type" Optional, "a resource type is deprecated or hidden";
    DEPRECATED_PROPERTY = "H7002" "deprecated-resource-property" Optional, "a property of a resource type is deprecated";
    UNUSED_PARAMETER = "H7003" "unused-parameter" Optional, "no function reads a parameter";
    CONSTANT_CONDITION = "H7004" "constant-condition" Optional, "a condition has the same result for all parameters";
}
