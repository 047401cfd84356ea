//! What can be wrong with a document in Yay. The letter of the codes is that of Yay.

tosca_parse_engine::rule_table! {
    explained in "rules";
    YAY_SYNTAX = "Y1001" "yay-syntax" Error, "a source is not valid Yay";
    YAY_TOLERATED = "Y1002" "yay-tolerated" Warning, "invalid Yay syntax is accepted because its meaning is clear";
    YAY_NOT_FOUND = "Y1003" "yay-not-found" Error, "an included document can't be read";
    YAY_LIMIT = "Y1004" "yay-limit" Error, "a Yay document exceeds a limit";
    YAY_NO_MATCHING = "Y2001" "yay-no-matching" Error, "a name, key, item, function or case does not exist";
    YAY_WRONG_TYPE = "Y3001" "yay-wrong-type" Error, "a value has the wrong type for its use";
    YAY_ZERO_DIVISION = "Y3002" "yay-zero-division" Error, "a number is divided by zero";
    YAY_CYCLE = "Y4001" "yay-cycle" Error, "a value depends on itself";
    YAY_PARADOX = "Y4002" "yay-paradox" Error, "a decision changes the values that it depends on";
}
