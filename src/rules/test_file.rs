//! The rules for test files, which the command reads. Their codes begin with `X`.

crate::rule_table! {
    explained in "test_file";
    NO_TESTED_TEMPLATE = "X1001" "no-tested-template" Error, "the template of a test does not exist";
    UNKNOWN_EXPECTED_RULE = "X1002" "unknown-expected-rule" Error, "an expected problem has the code of no rule";
    INVALID_MODEL_PATH = "X1003" "invalid-model-path" Error, "the path of an expected value is not a JSON pointer";
    TOO_MANY_CASES = "X1004" "too-many-cases" Error, "a test file has more than 10000 cases";
}
