//! Rules for Yay documents. Their codes begin with `Y`.

tosca_parse_engine::rule_table! {
    explained in "rules";
    YAY_SYNTAX = "Y1001" "yay-syntax" Error, "a source is not valid Yay";
    YAY_TOLERATED = "Y1002" "yay-tolerated" Warning, "invalid Yay syntax is accepted because its meaning is clear";
    YAY_NOT_FOUND = "Y1003" "yay-not-found" Error, "an included document can't be read";
    YAY_LIMIT = "Y1004" "yay-limit" Error, "a Yay document exceeds a limit";
    YAY_DENIED = "Y1005" "yay-denied" Error, "an environment variable is read where that is forbidden";
    YAY_NO_MATCHING = "Y2001" "yay-no-matching" Error, "a name, key, item, function or case does not exist";
    YAY_UNKNOWN_NAME = "Y2002" "yay-unknown-name" Optional, "unknown name in an expression that is not evaluated";
    YAY_UNUSED_ARGUMENT = "Y2003" "yay-unused-argument" Optional, "argument of a call that the macro doesn't use";
    YAY_DUPLICATE_KEY = "Y2004" "yay-duplicate-key" Optional, "key whose value is replaced in the same block";
    YAY_WRONG_TYPE = "Y3001" "yay-wrong-type" Error, "a value has the wrong type for its use";
    YAY_ZERO_DIVISION = "Y3002" "yay-zero-division" Error, "a number is divided by zero";
    YAY_CHANGED_TYPE = "Y3003" "yay-changed-type" Optional, "key whose type changes from one layer to the next";
    YAY_CYCLE = "Y4001" "yay-cycle" Error, "a value depends on itself";
    YAY_PARADOX = "Y4002" "yay-paradox" Error, "a decision changes the values that it depends on";
}
