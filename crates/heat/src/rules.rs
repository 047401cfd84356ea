//! The rules of templates besides those of the engine. The first digit of a code is the phase.

tosca_parse::rule_table! {
    explained in "rules";
    ONE_CONSTRAINT = "H1001" "one-constraint" Error, "a constraint has no keyname that constrains the value, or several";
    NO_BOUNDS = "H1002" "no-bounds" Error, "a range or length has neither `min` nor `max`";
    INVALID_CONSTRAINT = "H1003" "invalid-parameter-constraint" Error, "a constraint doesn't fit the type of its parameter, or no value can fulfill it";
    INVALID_FUNCTION = "H1004" "invalid-function" Error, "the arguments of a function are invalid";
    REMOVED_FUNCTION = "H1005" "removed-function" Error, "a function was removed in this version or before";
    INVALID_CONDITION = "H1006" "invalid-condition" Error, "a condition is neither a boolean nor a function that returns one";
    MISUSED_NAME = "H1007" "misused-name" Error, "a name is not allowed, or means two things";
    INVALID_POLICY = "H1008" "invalid-policy" Error, "a deletion or update policy is not one of the resource type";
    UNKNOWN_PARAMETER = "H2001" "unknown-parameter" Error, "a function names an unknown parameter";
    UNKNOWN_RESOURCE = "H2002" "unknown-resource" Error, "a function names an unknown resource";
    UNKNOWN_CONDITION = "H2003" "unknown-condition" Error, "a condition names an unknown condition";
    UNKNOWN_ATTRIBUTE = "H2004" "unknown-attribute" Error, "a resource doesn't have an attribute";
    UNKNOWN_RESOURCE_TYPE = "H2005" "unknown-resource-type" Error, "there is no resource type of a name";
    DEPENDENCY_CYCLE = "H3001" "dependency-cycle" Error, "resources or conditions depend on each other in a loop";
    INVALID_DEFAULT = "H4001" "invalid-default" Error, "the default of a parameter violates its type or a constraint";
    UNKNOWN_PROPERTY = "H5001" "unknown-resource-property" Error, "a resource type doesn't have a property";
    MISSING_PROPERTY = "H5002" "missing-property" Error, "a resource lacks a required property";
    INVALID_PROPERTY = "H5003" "invalid-property" Error, "the value of a property has the wrong type or violates a constraint";
    CONFLICTING_PROPERTIES = "H5004" "conflicting-properties" Error, "two properties of a resource exclude each other";
    UNKNOWN_FILE = "H6001" "unknown-file" Error, "a file that `get_file` names does not exist";
}
