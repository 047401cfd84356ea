//! The table of all rules: every kind of problem that can be reported, with its stable code.
//!
//! The first digit of a code is the phase that finds the problem (6 is what `tosca-parse resolve` does after them), the
//! second groups related rules. A code is never reused and never changes its meaning. What a rule means, and a wrong and
//! a right example, stand in the Markdown file beside this one that bears its code; `tosca-parse explain CODE` and
//! `docs/rules.md` are made from them, and the tests run every example.

mod lookup;
mod page;

pub use lookup::{UnknownRule, find, parse};
pub use page::page;

use crate::diagnostic::{Level, Rule};

macro_rules! rules {
    ($($constant:ident = $code:literal $name:literal $level:ident, $summary:literal;)*) => {
        $(
            #[doc = concat!("`", $code, "`: ", $summary)]
            pub static $constant: Rule = Rule {
                code: $code,
                name: $name,
                level: Level::$level,
                summary: $summary,
                text: include_str!(concat!($code, ".md")),
            };
        )*

        /// Every rule, in the order of the codes.
        pub static ALL: &[&Rule] = &[$(&$constant),*];
    };
}

rules! {
    NOT_FOUND = "T1001" "not-found" Error, "a source does not exist";
    UNREADABLE = "T1002" "unreadable" Error, "a source exists but can't be read";
    INVALID_ENCODING = "T1003" "invalid-encoding" Error, "the bytes of a source are not text in a known encoding";
    SOURCE_TOO_LARGE = "T1004" "source-too-large" Error, "a source is larger than allowed";
    EMPTY_SOURCE = "T1005" "empty-source" Error, "a source holds nothing";
    YAML_SYNTAX = "T1101" "yaml-syntax" Error, "the text is not well-formed YAML";
    DUPLICATE_KEY = "T1102" "duplicate-key" Error, "a key occurs twice in one map";
    UNDEFINED_ALIAS = "T1103" "undefined-alias" Error, "an alias has no anchor before it";
    RECURSIVE_ALIAS = "T1104" "recursive-alias" Error, "an alias stands inside the node that it refers to";
    SEVERAL_DOCUMENTS = "T1105" "several-documents" Error, "a source holds more than one YAML document";
    REFUSED_TAG = "T1106" "refused-tag" Error, "a YAML tag is not one of the core schema";
    NESTING_TOO_DEEP = "T1107" "nesting-too-deep" Error, "maps and lists are nested too deeply";
    ALIAS_EXPANSION = "T1108" "alias-expansion" Error, "aliases expand to too many nodes";
    INVALID_MERGE = "T1109" "invalid-merge" Error, "a merge key does not hold a map or a list of maps";
    UNKNOWN_KEYNAME = "T1201" "unknown-keyname" Error, "a key is not a keyname of the entity";
    UNSUPPORTED_KEYNAME = "T1202" "unsupported-keyname" Error, "a keyname does not exist in the version of the file";
    TOLERATED_KEYNAME = "T1203" "tolerated-keyname" StrictError, "a keyname does not belong to the version of the file, but is read";
    MISSING_KEYNAME = "T1204" "missing-keyname" Error, "a mandatory keyname is missing";
    WRONG_KIND = "T1205" "wrong-kind" Error, "a map, a list or a scalar stands where something else is due";
    NULL_VALUE = "T1206" "null-value" Error, "something is given but has no value";
    INVALID_NAME = "T1207" "invalid-name" Error, "a name is empty or not a string";
    NOT_ONE_ENTRY = "T1208" "not-one-entry" Error, "a map that must have exactly one entry has none or several";
    DUPLICATE_NAME = "T1209" "duplicate-name" Error, "a list gives a name twice";
    BOOLEAN_SPELLING = "T1210" "boolean-spelling" StrictError, "a boolean is not spelt `true` or `false`";
    KEYNAME_TWICE = "T1211" "keyname-twice" Error, "a keyname is given under two of its names";
    MAP_FOR_LIST = "T1212" "map-for-list" StrictError, "a map stands where a list of maps with one entry each is due";
    MISSING_VERSION = "T1301" "missing-version" Error, "a file does not say which version it is written in";
    UNKNOWN_VERSION = "T1302" "unknown-version" Error, "the version of a file is not one that exists";
    VERSION_NOT_FIRST = "T1303" "version-not-first" Error, "the version of a file is not the first thing in it";
    PROFILE_WITH_SERVICE = "T1304" "profile-with-service" Error, "a profile has a service template";
    POINTLESS_DSL_DEFINITION = "T1305" "pointless-dsl-definition" Error, "an entry of `dsl_definitions` can't be referred to";
    URL_XOR_PROFILE = "T1306" "url-xor-profile" Error, "an import has neither or both of `url` and `profile`";
    STEPS_XOR_IMPLEMENTATION = "T1307" "steps-xor-implementation" Error, "a workflow has both steps and an implementation";
    INVALID_VERSION = "T1310" "invalid-version" Error, "a text is not a version";
    UNQUOTED_VERSION = "T1311" "unquoted-version" StrictError, "a version is a number since it is not in quotes";
    INVALID_COUNT_RANGE = "T1312" "invalid-count-range" Error, "a range of counts is not one";
    INVALID_WORD = "T1313" "invalid-word" Error, "a word is not one of those that are allowed there";
    TOLERATED_WORD = "T1314" "tolerated-word" StrictError, "a word belongs to another version";
    INVALID_URL = "T1315" "invalid-url" Error, "an address is not one";
    REPEATED_METADATA = "T1316" "repeated-metadata" StrictError, "an entry of metadata is given more than once, before TOSCA 2.0";
    NO_PARENT = "T1317" "no-parent" Warning, "a type is derived from nothing, although its kind has a normative root";
    INVALID_IMPORT = "T1401" "invalid-import" Error, "an import can't be followed";
    UNKNOWN_PROFILE = "T1402" "unknown-profile" Error, "nobody knows the profile that is imported";
    IMPORT_LOOP = "T1403" "import-loop" Error, "sources import each other in a loop";
    PROFILE_LOOP = "T1404" "profile-loop" StrictError, "sources import each other in a loop, which this version puts up with";
    IMPORT_OUTSIDE = "T1405" "import-outside" Error, "an import leaves the folder or archive that it must stay in";
    DAMAGED_ARCHIVE = "T1501" "damaged-archive" Error, "an archive is cut off, or is not one";
    WRONG_CHECKSUM = "T1502" "wrong-checksum" Error, "a file in an archive is not what was packed";
    ENCRYPTED_ENTRY = "T1503" "encrypted-entry" Error, "a file in an archive is encrypted";
    ESCAPING_ENTRY = "T1504" "escaping-entry" Error, "the name of an entry leads out of the archive";
    ABSOLUTE_ENTRY = "T1505" "absolute-entry" Error, "the name of an entry is an absolute path";
    LINKED_ENTRY = "T1506" "linked-entry" Error, "an entry of an archive is a link or a device";
    DUPLICATE_ENTRY = "T1507" "duplicate-entry" Error, "two entries of an archive have the same name";
    ARCHIVE_TOO_LARGE = "T1508" "archive-too-large" Error, "an archive holds more than allowed";
    ARCHIVE_BOMB = "T1509" "archive-bomb" Error, "an archive unpacks to far more than it is itself";
    UNSUPPORTED_ARCHIVE = "T1510" "unsupported-archive" Error, "an archive is packed in a way that is not read here";
    SIMILAR_ENTRIES = "T1511" "similar-entries" Warning, "the names of two entries differ in upper and lower case only";
    MALFORMED_META = "T1521" "malformed-meta" Error, "a line of `TOSCA.meta` is not a key and a value";
    MISSING_CSAR_VERSION = "T1522" "missing-csar-version" Error, "`TOSCA.meta` does not say its version";
    UNKNOWN_CSAR_VERSION = "T1523" "unknown-csar-version" Error, "the version in `TOSCA.meta` is not one that exists";
    TWO_METAS = "T1524" "two-metas" Error, "an archive has two files `TOSCA.meta`";
    NO_ENTRY_DEFINITIONS = "T1525" "no-entry-definitions" Error, "an archive does not say which of its files is the template";
    MISSING_DEFINITIONS = "T1526" "missing-definitions" Error, "`TOSCA.meta` names a file that is not in the archive";
    TOLERATED_CSAR_VERSION = "T1527" "tolerated-csar-version" StrictError, "`TOSCA.meta` does not follow its version to the letter";
    MISSING_META = "T1528" "missing-meta" Error, "an archive before TOSCA 2.0 has neither a `TOSCA.meta` nor what may replace it";
    UNKNOWN_NAME = "T2001" "unknown-name" Error, "a name stands for nothing";
    AMBIGUOUS_NAME = "T2002" "ambiguous-name" Error, "a name stands for different things that are imported";
    SHADOWED_NAME = "T2003" "shadowed-name" StrictError, "a declared name hides an imported one";
    NAME_TAKEN = "T2004" "name-taken" Error, "a declared name is already imported";
    RESERVED_NAME = "T2005" "reserved-name" Error, "a declared name is that of something built in";
    TOLERATED_NAME = "T2006" "tolerated-name" StrictError, "a name belongs to another version";
    SEPARATOR_IN_NAME = "T2007" "separator-in-name" StrictError, "a declared name looks like one with a prefix";
    CLASHING_NAME = "T2008" "clashing-name" StrictError, "a name stands for several things where each of them could be meant";
    EXTENDED_BUILT_IN = "T2009" "extended-built-in" StrictError, "a function has the name of a built-in one";
    DERIVATION_LOOP = "T3001" "derivation-loop" Error, "a type is derived from itself";
    UNSOUND_PARENT = "T3002" "unsound-parent" Error, "the parent of a type is derived from itself";
    CHANGED_FIXED = "T4001" "changed-fixed" Error, "something that is fixed is given another value";
    NOT_WITHIN = "T4002" "not-within" Error, "a refinement leaves the bounds of what it refines";
    NOT_NARROWER = "T4003" "not-narrower" Error, "a refinement names a type that is not derived from the refined one";
    NOTHING_TO_REFINE = "T4004" "nothing-to-refine" Error, "a refinement refines something that does not exist";
    GIVEN_AGAIN = "T4005" "given-again" Error, "something inherited is given again";
    MISSING_KEYNAME_OR_INHERITED = "T4006" "missing-after-inheritance" Error, "a mandatory keyname is neither given nor inherited";
    INCOMPLETE_DEFINITION = "T4007" "incomplete-definition" Error, "something takes from a type or template that could not be completed";
    DEPENDENCY_LOOP = "T4008" "dependency-loop" Error, "a type or template needs itself to be complete";
    EMPTY_DATA_TYPE = "T4101" "empty-data-type" Error, "a data type is derived from nothing and has no properties";
    PROPERTIES_ON_BUILT_IN = "T4102" "properties-on-built-in" Error, "a data type that is derived from a built-in type has properties";
    MISPLACED_KEYNAME = "T4103" "misplaced-keyname" Error, "a keyname is given for a type that has no use for it";
    MISSING_ENTRY_SCHEMA = "T4104" "missing-entry-schema" StrictError, "a list or map does not say what its entries are";
    COLLECTION_WITHOUT_ENTRIES = "T4105" "collection-without-entries" Error, "a data type for lists or maps does not say what the entries are";
    KEYS_NOT_STRINGS = "T4106" "keys-not-strings" Error, "the keys of a map are not strings";
    ENDLESS_DATA_TYPE = "T4107" "endless-data-type" Warning, "a value of a data type must have another one within it";
    ABSTRACT_SCALAR = "T4108" "abstract-scalar" Error, "the type `scalar` is used, which has no units";
    SCALAR_NUMBER_TYPE = "T4109" "scalar-number-type" Error, "the numbers of a scalar type are not of a type of numbers";
    SCALAR_WITHOUT_UNITS = "T4110" "scalar-without-units" Error, "a scalar type has no units";
    INVALID_UNIT = "T4111" "invalid-unit" Error, "the name of a unit is empty or has blanks in it";
    INVALID_MULTIPLIER = "T4112" "invalid-multiplier" Error, "a multiplier is not a number of the scalar's type";
    PREFIXES_WITH_UNITS = "T4113" "prefixes-with-units" Error, "a scalar type has prefixes and more than one unit";
    NO_UNIT_OF_ONE = "T4114" "no-unit-of-one" Error, "a scalar type has no unit, or no prefix, with the multiplier 1";
    NO_CANONICAL_UNIT = "T4115" "no-canonical-unit" Error, "a scalar type has several units with the multiplier 1 and names none of them";
    INVALID_CANONICAL_UNIT = "T4116" "invalid-canonical-unit" Error, "the canonical unit is not a unit with the multiplier 1";
    DEFAULT_NOT_REQUIRED = "T4117" "default-not-required" StrictError, "a property has a default but is not required";
    VALUE_XOR_MAPPING = "T4118" "value-xor-mapping" Error, "a parameter has both a value and a mapping";
    BOUND_INTERFACE_TYPE = "T4119" "bound-interface-type" Error, "an interface type has implementations or mappings";
    MISSING_RELATIONSHIP = "T4120" "missing-relationship" StrictError, "a requirement does not say what its relationship is";
    NODE_LACKS_CAPABILITY = "T4121" "node-lacks-capability" StrictError, "a requirement names a node type without the capability that it names";
    INVALID_RELATIONSHIP = "T4122" "invalid-relationship" Error, "a relationship brings types together that are not valid for each other";
    NO_SIGNATURES = "T4123" "no-signatures" Error, "a function has no signature";
    CHANGED_SIGNATURE = "T4124" "changed-signature" Error, "a service changes more of a signature than its implementation";
    CHECKSUM_WITHOUT_ALGORITHM = "T4125" "checksum-without-algorithm" Error, "a checksum is given without its algorithm";
    REFLECTED_TYPE = "T4126" "reflected-type" Error, "an attribute has the name of a property, but not its type";
    WRONG_DIRECTION = "T4127" "wrong-direction" StrictError, "a parameter that comes in has a value, or one that goes out a mapping";
    INVALID_SOURCE = "T4128" "invalid-source" StrictError, "a relationship comes from a type that a capability does not list, before TOSCA 2.0";
    BOUND_INTERFACE_TYPE_TOLERATED = "T4129" "bound-interface-type-tolerated" StrictError, "an interface type of TOSCA 1.3 has implementations";
    VALUE_FOR_DEFINITION = "T4130" "value-for-definition" StrictError, "a property is refined by a bare value, before TOSCA 2.0";
    NODE_TYPE_FOR_CAPABILITY = "T4131" "node-type-for-capability" StrictError, "a node type stands where types of capabilities are due, before TOSCA 2.0";
    INVALID_TARGET = "T4132" "invalid-target" StrictError, "a relationship ends at a type that it does not list, before TOSCA 2.0";
    INVALID_CONSTRAINT = "T4201" "invalid-constraint" Error, "a constraint clause can't be true or false of a value";
    UNDECLARED = "T5001" "undeclared" Error, "something is assigned that the type does not have";
    UNDECLARED_TOLERATED = "T5002" "undeclared-tolerated" StrictError, "something is assigned that the type does not have, which is put up with";
    WRONG_TYPE = "T5101" "wrong-type" Error, "a value is not of its type";
    INTEGER_OVERFLOW = "T5102" "integer-overflow" Error, "a number does not fit into 64 bits";
    MALFORMED_VALUE = "T5103" "malformed-value" Error, "a text does not follow the grammar of its type";
    UNKNOWN_UNIT = "T5104" "unknown-unit" Error, "a unit is not one of the scalar's type";
    DATE_ONLY = "T5105" "date-only" StrictError, "a timestamp is only a date";
    MISSING_VALUE = "T5106" "missing-value" Error, "something that is required has no value";
    FIXED_VALUE_ASSIGNED = "T5107" "fixed-value-assigned" Error, "something that has a fixed value is assigned";
    VALIDATION_FAILED = "T5108" "validation-failed" Error, "a value does not fulfil a validation clause";
    UNCERTAIN_VALUE = "T5109" "uncertain-value" Error, "something that is required is given an input that may have no value";
    FLOAT_OVERFLOW = "T5110" "float-overflow" StrictError, "a number is larger than all floats";
    UNKNOWN_FUNCTION = "T5201" "unknown-function" Error, "a function does not exist";
    MALFORMED_FUNCTION = "T5202" "malformed-function" Error, "a call of a function is not the only key of its map";
    ODD_KEY = "T5203" "odd-key" StrictError, "a key starts with a dollar sign but can't be a function";
    ARGUMENT_COUNT = "T5204" "argument-count" Error, "a function is given too few or too many arguments";
    ARGUMENT_TYPE = "T5205" "argument-type" Error, "an argument is not what the function takes";
    RESULT_TYPE = "T5206" "result-type" Error, "a function gives something else than what is wanted in its place";
    COMPARED_TYPES = "T5207" "compared-types" StrictError, "values of different types are compared";
    NO_SIGNATURE = "T5208" "no-signature" Error, "no signature of a function fits the arguments";
    NOT_A_CONDITION = "T5209" "not-a-condition" Error, "a condition is not true or false";
    VALUE_OUTSIDE_VALIDATION = "T5210" "value-outside-validation" Error, "`$value` is used where no value is validated";
    UNKNOWN_INPUT = "T5211" "unknown-input" Error, "an input does not exist";
    UNKNOWN_WORKFLOW_INPUT = "T5212" "unknown-workflow-input" StrictError, "a workflow uses an input that neither it nor the service has";
    UNRESOLVED_PATH = "T5213" "unresolved-path" Error, "a step of a path leads nowhere";
    UNRESOLVED_FILTER_PATH = "T5214" "unresolved-filter-path" StrictError, "a step of a path in a filter leads nowhere";
    MAPPED_TYPE = "T5215" "mapped-type" Error, "an attribute can't hold what is mapped to it";
    ODD_ARGUMENTS = "T5216" "odd-arguments" StrictError, "a function is given arguments that it is not meant for, which is put up with";
    NO_SUCH_INDEX = "T5217" "no-such-index" Error, "an index is used where there is nothing that could have one";
    VALUE_LOOP = "T5218" "value-loop" Error, "a value needs itself before it can be known";
    STRING_RESULT = "T5219" "string-result" StrictError, "a function gives a string where something that is written as text is wanted, before TOSCA 2.0";
    COPY_OF_COPY = "T5301" "copy-of-copy" Error, "a template copies one that is itself a copy";
    POINTLESS_FILTER = "T5302" "pointless-filter" StrictError, "a node template has a filter but does not select a node";
    WRONG_TARGET = "T5303" "wrong-target" Error, "a requirement is given a node of a wrong type";
    NO_CAPABILITY = "T5304" "no-capability" Error, "a requirement is given a node without the capability that it needs";
    WRONG_CAPABILITY = "T5305" "wrong-capability" Error, "a requirement is given a capability of a wrong type";
    WRONG_RELATIONSHIP = "T5306" "wrong-relationship" Error, "a requirement is given a relationship of a wrong type";
    REQUIREMENT_COUNT = "T5307" "requirement-count" Error, "a requirement has too few or too many relationships";
    UNKNOWN_ALLOCATION = "T5308" "unknown-allocation" StrictError, "something is allocated that the capability does not have";
    WRONG_ALLOCATION = "T5309" "wrong-allocation" Error, "something is allocated that is not an amount";
    NOT_ALLOWED_HERE = "T5401" "not-allowed-here" Error, "a member or target is not of a type that the group or policy is for";
    GROUP_IN_GROUP = "T5402" "group-in-group" StrictError, "a group is a member of a group";
    UNKNOWN_STEP = "T5501" "unknown-step" Error, "a workflow has no such step";
    STEP_LOOP = "T5502" "step-loop" Error, "the steps of a workflow follow each other in a loop";
    UNKNOWN_REQUIREMENT = "T5503" "unknown-requirement" Error, "the target of a step has no such requirement";
    UNKNOWN_OPERATION = "T5504" "unknown-operation" Error, "the target of a step has no such operation";
    UNKNOWN_WORKFLOW = "T5505" "unknown-workflow" Error, "a workflow does not exist";
    INLINE_LOOP = "T5506" "inline-loop" Warning, "a workflow is a part of itself";
    UNKNOWN_TRIGGERED_OPERATION = "T5507" "unknown-triggered-operation" StrictError, "no target of a policy has the operation that its trigger calls";
    UNKNOWN_MAPPED = "T5601" "unknown-mapped" Error, "a substitution maps something that does not exist";
    WRONG_MAPPED_TYPE = "T5602" "wrong-mapped-type" Error, "a substitution maps something to another type";
    UNMAPPED_INPUT = "T5603" "unmapped-input" Error, "an input that must have a value gets none from the substituted node";
    NOT_SELECTABLE = "T5604" "not-selectable" Error, "a requirement is mapped to a node template that is not selected";
    MAPPED_FULFILLED = "T5605" "mapped-fulfilled" Error, "a requirement is mapped to one that is fulfilled already";
    MAPPING_COUNT = "T5606" "mapping-count" StrictError, "requirements are mapped more often than they are certain to be there";
    VALUE_FOR_MAPPING = "T5607" "value-for-mapping" StrictError, "a property is mapped to a value, before TOSCA 2.0";
    MISSING_FILE = "T5701" "missing-file" Error, "an artifact names a file that is not in the archive, before TOSCA 2.0";
    ABSENT_FILE = "T5702" "absent-file" Warning, "an artifact names a file that is not in the archive";
    UNFULFILLED_REQUIREMENT = "T6001" "unfulfilled-requirement" Error, "no node of the service fits a requirement";
    AMBIGUOUS_REQUIREMENT = "T6002" "ambiguous-requirement" Warning, "several nodes of the service fit a requirement";
    UNDECIDED_REQUIREMENT = "T6003" "undecided-requirement" Warning, "whether a node fits a requirement is not known yet";
    REFUSED_TARGET = "T6004" "refused-target" Error, "a requirement names a node that can't fulfil it";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Verdict;

    #[test]
    fn codes_are_sorted_and_names_are_unique() {
        assert!(ALL.windows(2).all(|pair| pair[0].code < pair[1].code));
        let mut names: Vec<&str> = ALL.iter().map(|rule| rule.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
    }

    #[test]
    fn whoever_shows_the_wrong_shows_the_right() {
        for rule in ALL {
            let examples = rule.examples();
            let shows = |verdict| examples.iter().any(|example| example.verdict == verdict);
            assert_eq!(shows(Verdict::Wrong), shows(Verdict::Right), "{}", rule.code);
        }
    }

    #[test]
    fn codes_and_names_have_their_form() {
        for rule in ALL {
            let digits = rule.code.strip_prefix('T').unwrap_or_default();
            assert!(digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()), "{}", rule.code);
            assert!((b'1'..=b'6').contains(&digits.as_bytes()[0]), "{}: no such phase", rule.code);
            let words = rule.name.split('-');
            assert!(
                words.into_iter().all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()))
            );
            assert!(!rule.summary.ends_with('.'), "{}", rule.code);
        }
    }
}
