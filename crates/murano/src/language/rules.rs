//! What can be wrong in `MuranoPL` besides what the engine finds in any language. The first digit of a code is the
//! phase. What the runtime does not load is an error; what would only fail where it is run is a warning.

tosca_parse::rule_table! {
    explained in "rules";
    EXPRESSION_SYNTAX = "M1101" "expression-syntax" Error, "what a tag says to be an expression is none";
    DOUBTFUL_TEXT = "M1102" "doubtful-text" Warning, "a text looks like an expression, but is none";
    INVALID_STATEMENT = "M1103" "invalid-statement" Error, "a part of a body is no statement";
    INVALID_NAMESPACE = "M1104" "invalid-namespace" Error, "a prefix or a namespace is not written as one";
    INVALID_DECLARATION = "M1105" "invalid-declaration" Error, "a declaration contradicts itself, or says what has no meaning";
    IGNORED_KEYNAME = "M1106" "ignored-keyname" Warning, "a key has no meaning, and is ignored";
    UNKNOWN_SCOPE = "M1107" "unknown-scope" Warning, "a scope has no meaning, and is taken for `Session`";
    INVALID_MANIFEST = "M1201" "invalid-manifest" Error, "a name or version of a manifest is not written as one";
    INVALID_NAME_OF_TYPE = "M2001" "invalid-name-of-type" Error, "a name of a class is malformed, or has an unknown prefix";
    UNKNOWN_TYPE = "M2002" "unknown-type" Warning, "an expression names a class that does not exist";
    UNKNOWN_PACKAGE = "M2003" "unknown-package" Warning, "a package that is required is not known";
    UNLISTED_CLASS = "M2004" "unlisted-class" Error, "a file does not have the class that the manifest says it has";
    INVALID_INHERITANCE = "M3001" "invalid-inheritance" Error, "a class extends a meta class";
    VERSIONS_APART = "M3002" "versions-apart" Warning, "a class descends from another one in versions that can't be unified";
    AMBIGUOUS_MEMBER = "M4001" "ambiguous-member" Warning, "several ancestors have a member, and none of them overrides the others";
    INVALID_ATTACHMENT = "M4002" "invalid-attachment" Error, "something is attached that can't be attached there";
    INCOMPATIBLE_CONTRACTS = "M4003" "incompatible-contracts" Warning, "no value fulfils all contracts of a property";
    INCOMPATIBLE_ARGUMENTS = "M4004" "incompatible-arguments" Warning, "a method can't be called as the one that it overrides";
    UNKNOWN_PROPERTY = "M4101" "unknown-property" Warning, "code reads a property that there is not";
    UNKNOWN_METHOD = "M4102" "unknown-method" Warning, "code calls a method or function that there is not";
    WRONG_ARGUMENTS = "M4103" "wrong-arguments" Warning, "a method is called with other arguments than it takes";
    UNKNOWN_VARIABLE = "M4104" "unknown-variable" Warning, "code reads a variable that nothing sets";
    INVALID_WRITE = "M4105" "invalid-write" Warning, "code sets what can't be set there";
    UNREACHABLE = "M4106" "unreachable" Warning, "a statement is never run, or is of no use where it stands";
    INVALID_CONTRACT = "M4107" "invalid-contract" Warning, "a contract can't be applied to any value";
    BROKEN_DEFAULT = "M4108" "broken-default" Warning, "a default breaks its contract";
    CONTRACT_VIOLATION = "M5001" "contract-violation" Error, "a value of a model breaks a contract";
    UNKNOWN_OBJECT = "M5002" "unknown-object" Error, "a model refers to an object that it does not have";
    UNFIT_MODEL = "M5003" "unfit-model" Error, "no objects can be made of a model";
    IGNORED_PROPERTY = "M5004" "ignored-property" Warning, "an object is given a property that its class does not have";
    FAILED_CODE = "M6001" "failed-code" Error, "code of a class fails where it is run";
}
