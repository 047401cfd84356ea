//! What can be wrong with a document in Yay. The letter of the codes is that of Yay.

tosca_parse_engine::rule_table! {
    explained in "rules";
    YAY_SYNTAX = "Y1001" "yay-syntax" Error, "a text is not Yay";
    YAY_TOLERATED = "Y1002" "yay-tolerated" Warning, "something is not written as in Yay, but read";
    YAY_NOT_FOUND = "Y1003" "yay-not-found" Error, "a document that is included can't be had";
    YAY_LIMIT = "Y1004" "yay-limit" Error, "a Yay document asks for more than is allowed";
    YAY_NO_MATCHING = "Y2001" "yay-no-matching" Error, "a name, a key, an item or a case does not exist";
    YAY_WRONG_TYPE = "Y3001" "yay-wrong-type" Error, "a value is of another kind than its use needs";
    YAY_ZERO_DIVISION = "Y3002" "yay-zero-division" Error, "a number is divided by zero";
    YAY_CYCLE = "Y4001" "yay-cycle" Error, "a value needs itself";
    YAY_PARADOX = "Y4002" "yay-paradox" Error, "a decision changes what it depends on";
}
