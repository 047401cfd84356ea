//! The rules of blueprints besides those of the engine. The first digit of a code is the phase.

tosca_parse::rule_table! {
    explained in "rules";
    ONE_CONSTRAINT = "C1001" "one-input-constraint" Error, "a constraint has no keyname that constrains the value, or several";
    NOT_ASCII = "C1002" "not-ascii" Error, "a string contains characters outside of ASCII";
    INVALID_CALL = "C1003" "invalid-call" Error, "the arguments of a function are invalid";
    EARLY_FUNCTION = "C1004" "early-function" Error, "a function does not exist in the version of the blueprint";
    INVALID_LIMIT = "C1005" "invalid-limit" Error, "the argument of a constraint is invalid";
    INVALID_INPUT = "C1006" "invalid-input" Error, "the keynames of an input contradict each other";
    NO_PLUGIN_SOURCE = "C1007" "no-plugin-source" Error, "a plugin is installed, but has neither a source nor a package";
    INVALID_LABEL = "C1008" "invalid-label" Error, "the value of a label is not a string or a suitable function";
    INVALID_SCHEDULE = "C1009" "invalid-schedule" Error, "the time or a weekday of a schedule is invalid";
    EMPTY_NAMESPACE = "C1010" "empty-namespace" Error, "the namespace of an import is empty";
    DECLARED_AGAIN = "C2001" "declared-again" Error, "several files of a blueprint declare a name";
    SECTION_AGAIN = "C2002" "section-again" Error, "several files have a section that only one may have";
    NEWER_IMPORT = "C2003" "newer-import" Error, "an imported file has a later version than the blueprint";
    NAMESPACE_NOT_ALLOWED = "C2004" "namespace-not-allowed" Error, "a file with this content can't be imported with a namespace";
    TOO_MANY_NAMESPACES = "C2005" "too-many-namespaces" Error, "files are imported under too many namespaces";
    UNKNOWN_IMPLEMENTATION = "C2006" "unknown-implementation" Error, "an operation or workflow has neither a declared plugin nor a script";
    MISPLACED_WORD = "C2007" "misplaced-word" Error, "`SELF`, `SOURCE` or `TARGET` has no meaning in this place";
    UNKNOWN_NODE = "C2008" "unknown-node" Error, "a function names an unknown node template";
    RELATIONSHIP_LOOP = "C3001" "relationship-loop" Error, "relationships of node templates form a loop";
    FIELD_LOOP = "C3002" "field-loop" Error, "a data type contains itself";
    VALUE_LOOP = "C3003" "circular-value" Error, "a value depends on itself";
    GROUP_LOOP = "C3004" "group-loop" Error, "scaling groups contain each other";
    INVALID_PARENT = "C3005" "invalid-parent" Error, "a data type is derived from a primitive type";
    TOLERATED_VALUE = "C5001" "tolerated-value" StrictError, "a value is wrong, but the manager accepts it";
    VIOLATED_CONSTRAINT = "C5002" "violated-input-constraint" Error, "a default violates a constraint";
    INVALID_RELATIONSHIP = "C5003" "unsuitable-relationship" Error, "a relationship is not allowed between its nodes";
    INVALID_SCALING = "C5004" "invalid-scaling" Error, "a number of instances is invalid";
    NO_HOST = "C5005" "no-host" Error, "an operation runs on the host of a node that has none";
    MISSING_OPERATION_INPUT = "C5006" "missing-operation-input" Error, "an input of an operation has no value";
    FAILED_CALL = "C5007" "failed-call" Error, "a function fails with the defaults of the blueprint";
    INVALID_GROUP = "C5008" "invalid-group" Error, "a group or its policy is invalid";
    UNUSED_OPERATION = "C5009" "unused-operation" StrictError, "an operation of an unused type has neither a declared plugin nor a script";
    LARGE_PLAN = "C5010" "large-plan" Warning, "a blueprint has no plan, because the plan would be too large";
}
