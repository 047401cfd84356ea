//! Rules of `MuranoPL`, in addition to those of the engine. The first digit of a code is the phase. Anything that the
//! runtime does not load is an error; code that would only fail at run time is a warning.

tosca_parse::rule_table! {
    explained in "rules";
    EXPRESSION_SYNTAX = "M1101" "expression-syntax" Error, "a scalar with an expression tag is not a valid expression";
    DOUBTFUL_TEXT = "M1102" "doubtful-text" Warning, "a string looks like an expression but can't be parsed as one";
    INVALID_STATEMENT = "M1103" "invalid-statement" Error, "a part of a method body is not a statement";
    INVALID_NAMESPACE = "M1104" "invalid-namespace" Error, "a prefix or namespace is malformed";
    INVALID_DECLARATION = "M1105" "invalid-declaration" Error, "a declaration contradicts itself or has no meaning";
    IGNORED_KEYNAME = "M1106" "ignored-keyname" Warning, "a key has no meaning and is ignored";
    UNKNOWN_SCOPE = "M1107" "unknown-scope" Warning, "the scope of a method is unknown and is read as `Session`";
    REPEATED_ARGUMENT = "M1108" "repeated-argument" Warning, "a method declares an argument twice";
    INVALID_MANIFEST = "M1201" "invalid-manifest" Error, "a name or version in a manifest is malformed";
    INVALID_NAME_OF_TYPE = "M2001" "invalid-name-of-type" Error, "the name of a class is malformed or has an unknown prefix";
    UNKNOWN_TYPE = "M2002" "unknown-type" Warning, "an expression names an unknown class";
    UNKNOWN_PACKAGE = "M2003" "unknown-package" Warning, "a required package is unknown";
    UNLISTED_CLASS = "M2004" "unlisted-class" Error, "a file lacks the class that the manifest lists for it";
    INVALID_INHERITANCE = "M3001" "invalid-inheritance" Error, "a class extends a meta class";
    VERSIONS_APART = "M3002" "versions-apart" Warning, "a class inherits from versions of the same class that can't be unified";
    AMBIGUOUS_MEMBER = "M4001" "ambiguous-member" Warning, "several ancestors declare a member, and none of them overrides the others";
    INVALID_ATTACHMENT = "M4002" "invalid-attachment" Error, "a class is attached where it can't be attached";
    INCOMPATIBLE_CONTRACTS = "M4003" "incompatible-contracts" Warning, "no value except null can fulfill all contracts of a property";
    INCOMPATIBLE_ARGUMENTS = "M4004" "incompatible-arguments" Warning, "a method can't be called in the same way as the one that it overrides";
    UNKNOWN_PROPERTY = "M4101" "unknown-property" Warning, "code reads an unknown property";
    UNKNOWN_METHOD = "M4102" "unknown-method" Warning, "code calls an unknown method or function";
    WRONG_ARGUMENTS = "M4103" "wrong-arguments" Warning, "the arguments of a call don't match the method or function";
    UNKNOWN_VARIABLE = "M4104" "unknown-variable" Warning, "code reads a variable that is never set";
    INVALID_WRITE = "M4105" "invalid-write" Warning, "an assignment has an invalid target";
    UNREACHABLE = "M4106" "unreachable" Warning, "a statement is never run or always fails";
    INVALID_CONTRACT = "M4107" "invalid-contract" Warning, "a contract fails for every value";
    BROKEN_DEFAULT = "M4108" "broken-default" Warning, "a default violates its contract";
    FORMAT_MISMATCH = "M4109" "format-mismatch" Warning, "a keyword is newer than the format of the package, or deprecated in it";
    CONTRACT_VIOLATION = "M5001" "contract-violation" Error, "a value in a model violates a contract";
    UNKNOWN_OBJECT = "M5002" "unknown-object" Error, "a model refers to an object that it does not contain";
    UNFIT_MODEL = "M5003" "unfit-model" Error, "no objects can be created from a model";
    IGNORED_PROPERTY = "M5004" "ignored-property" Warning, "an object has a value that its class ignores";
    REPEATED_ID = "M5005" "repeated-id" Error, "several objects of a model have the same id";
    FAILED_CODE = "M6001" "failed-code" Error, "code of a class fails when it runs";
}
