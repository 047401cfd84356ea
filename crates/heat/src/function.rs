//! The functions: the versions that have them, the shapes of their results, and the checks of their arguments.

use tosca_parse::entity::LanguageVersion;

use crate::check::arguments as check;
use crate::check::value::Checker;
use crate::grammar::{JUNO, KILO, LIBERTY, MITAKA, NEWTON, OCATA, PIKE};
use crate::shape::Shapes;
use tosca_parse::ard::Node;

/// A function.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    /// The first version that has the function.
    pub(crate) since: LanguageVersion,
    /// The first version without the function.
    pub(crate) removed: Option<LanguageVersion>,
    /// The first version in which conditions can use the function.
    pub(crate) condition_since: Option<LanguageVersion>,
    /// Whether only conditions can use it.
    pub(crate) condition_only: bool,
    /// The shapes of the result.
    pub(crate) result: Shapes,
    /// The function that replaces a removed one.
    pub(crate) instead: &'static str,
    /// Checks the arguments.
    pub(crate) check: fn(&mut Checker<'_, '_>, &'static Function, Node<'_>),
}

const FIRST: LanguageVersion = LanguageVersion(0);

type Check = fn(&mut Checker<'_, '_>, &'static Function, Node<'_>);

const fn function(name: &'static str, since: LanguageVersion, result: Shapes, check: Check) -> Function {
    Function { name, since, removed: None, condition_since: None, condition_only: false, result, instead: "", check }
}

const fn shared(
    name: &'static str,
    since: LanguageVersion,
    condition_since: LanguageVersion,
    result: Shapes,
    check: Check,
) -> Function {
    Function { condition_since: Some(condition_since), ..function(name, since, result, check) }
}

const fn condition(name: &'static str, check: Check) -> Function {
    Function { condition_only: true, ..shared(name, NEWTON, NEWTON, Shapes::BOOLEAN, check) }
}

const fn removed(name: &'static str, removed: LanguageVersion, instead: &'static str) -> Function {
    Function { removed: Some(removed), instead, ..function(name, FIRST, Shapes::ANY, check::anything) }
}

const TEXT: Shapes = Shapes::STRING.or(Shapes::NULL);

/// All functions.
pub(crate) static FUNCTIONS: &[Function] = &[
    function("get_attr", FIRST, Shapes::ANY, check::get_attr),
    function("get_file", FIRST, Shapes::STRING, check::get_file),
    shared("get_param", FIRST, NEWTON, Shapes::ANY, check::get_param),
    function("get_resource", FIRST, Shapes::STRING, check::get_resource),
    function("list_join", FIRST, TEXT, check::list_join),
    function("resource_facade", FIRST, Shapes::ANY, check::resource_facade),
    function("str_replace", FIRST, TEXT, check::str_replace),
    function("digest", KILO, Shapes::STRING, check::digest),
    function("repeat", KILO, Shapes::LIST, check::repeat),
    function("str_split", LIBERTY, Shapes::LIST.or(TEXT), check::str_split),
    function("map_merge", MITAKA, Shapes::MAP, check::map_merge),
    function("if", NEWTON, Shapes::ANY, check::choice),
    function("map_replace", NEWTON, Shapes::MAP, check::map_replace),
    shared("yaql", NEWTON, PIKE, Shapes::ANY, check::yaql),
    function("filter", OCATA, Shapes::LIST.or(Shapes::NULL), check::filter),
    function("str_replace_strict", OCATA, TEXT, check::str_replace),
    shared("contains", PIKE, PIKE, Shapes::BOOLEAN, check::contains),
    function("list_concat", PIKE, Shapes::LIST, check::list_concat),
    function("list_concat_unique", PIKE, Shapes::LIST, check::list_concat),
    function("make_url", PIKE, Shapes::STRING, check::make_url),
    function("str_replace_vstrict", PIKE, TEXT, check::str_replace),
    condition("equals", check::equals),
    condition("not", check::not),
    condition("and", check::several),
    condition("or", check::several),
    removed("Fn::Select", LIBERTY, "`get_param` or `get_attr` with a path"),
    removed("Fn::Base64", JUNO, "the string itself"),
    removed("Fn::GetAZs", JUNO, "a parameter"),
    removed("Fn::Join", JUNO, "`list_join`"),
    removed("Fn::MemberListToMap", JUNO, "a parameter of type `json`"),
    removed("Fn::Replace", JUNO, "`str_replace`"),
    removed("Fn::ResourceFacade", JUNO, "`resource_facade`"),
    removed("Fn::Split", JUNO, "`str_split`"),
    removed("Ref", JUNO, "`get_resource` or `get_param`"),
];

/// The function that a node calls: a map with one key, which is the name of a function of the version.
pub(crate) fn call(node: Node<'_>, version: LanguageVersion) -> Option<(&'static Function, Node<'_>)> {
    if node.kind() != tosca_parse::ard::Kind::Map || node.len() != 1 {
        return None;
    }
    let entry = node.entries().next()?;
    let name = entry.key.text();
    let function = FUNCTIONS.iter().find(|function| function.name == name && function.since <= version)?;
    Some((function, entry.value))
}
