//! The functions: the versions that have them, their arguments, the shapes of their results, and the checks of arguments.

use std::sync::LazyLock;

use tosca_parse::ard::Node;
use tosca_parse::entity::{self, FunctionCall, Functions, LanguageVersion, Lookup, Parameter};
use tosca_parse::phase::Unit;

use crate::check::arguments as check;
use crate::check::value::{Checker, PSEUDO_PARAMETERS};
use crate::grammar::{JUNO, KILO, LIBERTY, MITAKA, NEWTON, OCATA, PIKE};
use crate::shape::Shapes;
use crate::{CONDITIONS, PARAMETERS, RESOURCES, VERSIONS};

/// A function.
pub(crate) struct Function {
    /// The name and the arguments.
    pub(crate) signature: entity::Function,
    /// The first version that has the function.
    pub(crate) since: LanguageVersion,
    /// The first version without the function, and the replacement for the function.
    pub(crate) removed: Option<(LanguageVersion, &'static str)>,
    /// The first version in which conditions can use the function.
    pub(crate) condition_since: Option<LanguageVersion>,
    /// Whether only conditions can use it.
    pub(crate) condition_only: bool,
    /// The shapes of the result.
    pub(crate) result: Shapes,
    /// Checks the arguments.
    pub(crate) check: fn(&mut Checker<'_, '_>, &'static Function, Node<'_>),
}

impl Function {
    pub(crate) fn name(&self) -> &'static str {
        self.signature.name
    }

    /// Returns the help for wrong arguments.
    pub(crate) fn help(&self) -> String {
        format!("write {}", self.signature.usage)
    }
}

const FIRST: LanguageVersion = LanguageVersion(0);

type Check = fn(&mut Checker<'_, '_>, &'static Function, Node<'_>);

const ONE: &[Parameter] = &[Parameter::Value];
const PARAMETER: &[Parameter] = &[Parameter::Name(Lookup { known: &PSEUDO_PARAMETERS, ..Lookup::of(&[PARAMETERS]) })];
const RESOURCE: &[Parameter] = &[Parameter::Name(Lookup::of(&[RESOURCES]))];

/// The name of a condition, or a function that returns one.
pub(crate) const CONDITION: Parameter =
    Parameter::Other { functions: of_conditions, name: Some(Lookup::of(&[CONDITIONS])) };
/// A function that returns a condition.
pub(crate) const ONLY_FUNCTION: Parameter = Parameter::Other { functions: of_conditions, name: None };

/// Returns a function with a single argument.
const fn function(
    name: &'static str,
    usage: &'static str,
    since: LanguageVersion,
    result: Shapes,
    check: Check,
) -> Function {
    let signature = entity::Function { name, usage, parameters: ONE, required: 1, rest: None };
    Function { signature, since, removed: None, condition_since: None, condition_only: false, result, check }
}

/// Returns a function of `CloudFormation`, which was removed in the given version.
const fn removed(
    (name, usage): (&'static str, &'static str),
    version: LanguageVersion,
    instead: &'static str,
    check: Check,
) -> Function {
    let removed = Some((version, instead));
    Function { removed, ..function(name, usage, FIRST, Shapes::ANY, check) }
}

impl Function {
    /// Returns the function with the given kinds of arguments.
    const fn with(mut self, parameters: &'static [Parameter], rest: Option<Parameter>) -> Self {
        self.signature.parameters = parameters;
        self.signature.rest = rest;
        self
    }

    /// Returns the function with a list of values as its arguments.
    const fn of_list(self) -> Self {
        self.with(&[], Some(Parameter::Value))
    }

    /// Returns the function, made available in conditions as well since the given version.
    const fn in_conditions(mut self, since: LanguageVersion) -> Self {
        self.condition_since = Some(since);
        self
    }

    /// Returns the function, made available only in conditions.
    const fn only_in_conditions(mut self) -> Self {
        self.condition_only = true;
        self.in_conditions(NEWTON)
    }
}

const TEXT: Shapes = Shapes::STRING.or(Shapes::NULL);
const VALUE: Option<Parameter> = Some(Parameter::Value);
const REPLACE: &str = "`{ template: …, params: { … } }`";

/// All functions.
static FUNCTIONS: &[Function] = &[
    function("get_attr", "a list of the resource, the attribute and a path", FIRST, Shapes::ANY, check::get_attr)
        .with(RESOURCE, VALUE),
    function("get_file", "the path of a file", FIRST, Shapes::STRING, check::get_file).with(&[Parameter::File], None),
    function(
        "get_param",
        "the name of a parameter, or a list of the name and a path",
        FIRST,
        Shapes::ANY,
        check::get_param,
    )
    .with(PARAMETER, VALUE)
    .in_conditions(NEWTON),
    function("get_resource", "the name of a resource", FIRST, Shapes::STRING, check::get_resource).with(RESOURCE, None),
    function("list_join", "a list of the delimiter and a list", FIRST, TEXT, check::list_join).of_list(),
    function(
        "resource_facade",
        "`metadata`, `deletion_policy` or `update_policy`",
        FIRST,
        Shapes::ANY,
        check::resource_facade,
    ),
    function("str_replace", REPLACE, FIRST, TEXT, check::str_replace),
    function("digest", "a list of the algorithm and a string", KILO, Shapes::STRING, check::digest).of_list(),
    function("repeat", "`{ for_each: { … }, template: … }`", KILO, Shapes::LIST, check::repeat),
    function(
        "str_split",
        "a list of the delimiter, a string and perhaps an index",
        LIBERTY,
        Shapes::LIST.or(TEXT),
        check::str_split,
    )
    .of_list(),
    function("map_merge", "a list of maps", MITAKA, Shapes::MAP, check::map_merge).of_list(),
    function("if", "a list of the condition and the values", NEWTON, Shapes::ANY, check::choice)
        .with(&[CONDITION], VALUE),
    function(
        "map_replace",
        "a list of a map and `{ keys: { … }, values: { … } }`",
        NEWTON,
        Shapes::MAP,
        check::map_replace,
    )
    .of_list(),
    function("yaql", "`{ expression: …, data: { … } }`", NEWTON, Shapes::ANY, check::yaql).in_conditions(PIKE),
    function("filter", "a list of the values and the list", OCATA, Shapes::LIST.or(Shapes::NULL), check::filter)
        .of_list(),
    function("str_replace_strict", REPLACE, OCATA, TEXT, check::str_replace),
    function("contains", "a list of the value and the list", PIKE, Shapes::BOOLEAN, check::contains)
        .of_list()
        .in_conditions(PIKE),
    function("list_concat", "a list of lists", PIKE, Shapes::LIST, check::list_concat).of_list(),
    function("list_concat_unique", "a list of lists", PIKE, Shapes::LIST, check::list_concat).of_list(),
    function("make_url", "`{ scheme: …, host: …, path: … }`", PIKE, Shapes::STRING, check::make_url),
    function("str_replace_vstrict", REPLACE, PIKE, TEXT, check::str_replace),
    function("equals", "a list of two values", NEWTON, Shapes::BOOLEAN, check::equals).of_list().only_in_conditions(),
    function("not", "a condition", NEWTON, Shapes::BOOLEAN, check::not).with(&[CONDITION], None).only_in_conditions(),
    function("and", "a list of two or more conditions", NEWTON, Shapes::BOOLEAN, check::several)
        .with(&[], Some(CONDITION))
        .only_in_conditions(),
    function("or", "a list of two or more conditions", NEWTON, Shapes::BOOLEAN, check::several)
        .with(&[], Some(CONDITION))
        .only_in_conditions(),
    removed(
        ("Fn::Select", "a list of the index or key and the list or map"),
        LIBERTY,
        "`get_param` or `get_attr` with a path",
        check::select,
    ),
    removed(("Fn::Base64", "a string"), JUNO, "the string itself", check::text),
    removed(("Fn::GetAZs", "the name of a region"), JUNO, "a parameter", check::text),
    removed(("Fn::Join", "a list of the delimiter and a list"), JUNO, "`list_join`", check::list_join),
    removed(
        ("Fn::MemberListToMap", "a list of the key of names, the key of values and a list"),
        JUNO,
        "a parameter of type `json`",
        check::members_to_map,
    ),
    removed(("Fn::Replace", "a list of a map and a string"), JUNO, "`str_replace`", check::replace),
    removed(
        ("Fn::ResourceFacade", "`Metadata`, `DeletionPolicy` or `UpdatePolicy`"),
        JUNO,
        "`resource_facade`",
        check::resource_facade,
    ),
    removed(("Fn::Split", "a list of the delimiter and a string"), JUNO, "`str_split`", check::split),
    removed(("Ref", "the name of a resource or parameter"), JUNO, "`get_resource` or `get_param`", check::reference),
];

/// The functions that a version has in values and in conditions.
struct OfVersion {
    values: Functions,
    conditions: Functions,
}

static VERSIONED: LazyLock<Vec<OfVersion>> = LazyLock::new(|| {
    let table = |has: &dyn Fn(&Function) -> bool| {
        let list: Vec<_> = FUNCTIONS.iter().filter(|function| has(function)).map(|known| known.signature).collect();
        // There are two lists for each version, which live as long as the process.
        Functions { prefix: "", list: Box::leak(list.into_boxed_slice()), unknown: None, wrong_arguments: None }
    };
    let of_version = |number: usize| {
        let exists = move |function: &Function| usize::from(function.since.0) <= number;
        OfVersion {
            values: table(&|function| exists(function) && !function.condition_only),
            conditions: table(&|function| exists(function)),
        }
    };
    (0..VERSIONS.len()).map(of_version).collect()
});

/// Returns the functions that values can call in a version.
pub(crate) fn of_values(version: LanguageVersion) -> Option<&'static Functions> {
    VERSIONED.get(usize::from(version.0)).map(|functions| &functions.values)
}

/// Returns the functions that are known in conditions in a version.
pub(crate) fn of_conditions(version: LanguageVersion) -> Option<&'static Functions> {
    VERSIONED.get(usize::from(version.0)).map(|functions| &functions.conditions)
}

/// Returns the function that replaces a removed function with the same arguments.
pub(crate) fn replacement(unit: &Unit, call: FunctionCall<'_>) -> Option<&'static str> {
    let is_parameter = |name: &str| {
        let parameters = unit.document.root().and_then(|root| root.find("parameters"));
        PSEUDO_PARAMETERS.contains(&name) || parameters.is_some_and(|entry| entry.value.find(name).is_some())
    };
    match call.name {
        "Fn::Join" => Some("list_join"),
        "Fn::Split" => Some("str_split"),
        "Ref" if is_parameter(call.given()?.text()) => Some("get_param"),
        "Ref" => Some("get_resource"),
        _ => None,
    }
}

/// Returns the function that a node calls, with the node of its arguments.
pub(crate) fn call(
    node: Node<'_>,
    version: LanguageVersion,
    is_condition: bool,
) -> Option<(&'static Function, Node<'_>)> {
    let functions = if is_condition { of_conditions(version) } else { of_values(version) };
    let called = functions?.call(node)?;
    let function = FUNCTIONS.iter().find(|function| function.name() == called.name)?;
    Some((function, called.given()?))
}
