//! Distinction of function calls from other data (2.0, 10.1). In 1.x, calls have reserved keys.

pub(super) mod function;
pub(super) mod literal;
pub(super) mod own;
pub(super) mod result_type;
pub(super) mod text;

use crate::ard::{Kind, Node};
use crate::entity::LanguageVersion;
use crate::grammar::version::V2_0;
use crate::phase::Context;

/// A function call.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The name, without `$` and without the suffix that makes keys unique.
    pub name: &'a str,
    /// The node with the name.
    pub name_node: Node<'a>,
    /// The arguments; `None` if there are none.
    pub arguments: Option<Node<'a>>,
    /// The whole call.
    pub node: Node<'a>,
}

/// The shape of a node: a call, a malformed call or a literal.
#[derive(Clone, Copy, Debug)]
pub enum Shape<'a> {
    /// A call.
    Call(Call<'a>),
    /// A map with several keys, one of which looks like a call. The value is that key.
    Malformed(Node<'a>),
    /// Something else.
    Literal,
}

impl<'a> Call<'a> {
    /// Returns the name as written in templates: since 2.0, with a dollar sign.
    pub(crate) fn written_name(self) -> &'a str {
        let text = self.name_node.text();
        let sign = usize::from(text.starts_with('$'));
        &text[..sign + self.name.len()]
    }

    /// Returns the shape of a node in the given version of the language.
    pub fn shape(node: Node<'a>, version: LanguageVersion) -> Shape<'a> {
        if version >= V2_0 { Self::shape_2_0(node) } else { Self::shape_1_x(node) }
    }

    fn shape_2_0(node: Node<'a>) -> Shape<'a> {
        match node.kind() {
            Kind::String => match call_name(node.text()) {
                Some(name) => Shape::Call(Self { name, name_node: node, arguments: None, node }),
                None => Shape::Literal,
            },
            Kind::Map => {
                let mut entries = node.entries();
                let Some(first) = entries.next() else { return Shape::Literal };
                if entries.next().is_none() {
                    return match call_name(first.key.text()).filter(|_| first.key.kind() == Kind::String) {
                        Some(name) => {
                            Shape::Call(Self { name, name_node: first.key, arguments: Some(first.value), node })
                        }
                        None => Shape::Literal,
                    };
                }
                let call = |entry: &crate::ard::Entry<'a>| {
                    entry.key.kind() == Kind::String && call_name(entry.key.text()).is_some()
                };
                node.entries().find(call).map_or(Shape::Literal, |entry| Shape::Malformed(entry.key))
            }
            _ => Shape::Literal,
        }
    }

    /// Returns the shape of a node in 1.x, where a map with one entry whose key is a function name is a call.
    fn shape_1_x(node: Node<'a>) -> Shape<'a> {
        if node.kind() != Kind::Map {
            return Shape::Literal;
        }
        let mut entries = node.entries();
        match (entries.next(), entries.next()) {
            // A credential may consist of a `token` only.
            (Some(first), None) if first.key.text() == "token" && first.value.kind() != Kind::List => Shape::Literal,
            (Some(first), None) if function::is_reserved_in_1_x(first.key.text()) => {
                Shape::Call(Self { name: first.key.text(), name_node: first.key, arguments: Some(first.value), node })
            }
            _ => Shape::Literal,
        }
    }

    /// Returns the arguments: the items of a list, or the only argument if it is not a list.
    pub fn arguments(self) -> Vec<Node<'a>> {
        match self.arguments {
            None => Vec::new(),
            Some(node) if node.kind() == Kind::List => node.items().collect(),
            Some(node) => vec![node],
        }
    }
}

/// Returns the version in which a node is written.
pub(crate) fn version(context: &Context<'_>, node: Node<'_>) -> LanguageVersion {
    context.program.unit(node.document().source()).map_or(LanguageVersion::LAST, |unit| unit.version)
}

/// Returns the shape of a node of a program. Data from outside, such as given inputs, contains no calls.
pub(crate) fn shape<'a>(context: &Context<'a>, node: Node<'a>) -> Shape<'a> {
    match context.program.unit(node.document().source()) {
        Some(unit) if !unit.is_data => Call::shape(node, unit.version),
        _ => Shape::Literal,
    }
}

/// The maximum number of nodes of a value that are searched for calls.
const MAX_SEARCHED_NODES: usize = 10_000;

/// Returns the number of nodes of a value that is or contains a call; `None` for other values. Calls beyond the first
/// 10 000 nodes are not found.
pub(crate) fn size_with_calls<'a>(context: &Context<'a>, node: Node<'a>) -> Option<usize> {
    nodes(node).any(|node| matches!(shape(context, node), Shape::Call(_))).then(|| size(node))
}

/// Returns whether a value contains a call with a path that may lead to another entity, such as the target of a
/// requirement.
pub(crate) fn leads_elsewhere<'a>(context: &Context<'a>, node: Node<'a>) -> bool {
    nodes(node).any(|node| match shape(context, node) {
        Shape::Call(call) if matches!(call.name, "get_property" | "get_attribute") => {
            let path = call.arguments();
            path.len() > 2 || path.first().is_some_and(|first| first.text() != "SELF")
        }
        _ => false,
    })
}

/// Returns whether a value contains a call to `$value`, which is the value under validation.
pub(crate) fn reads_value<'a>(context: &Context<'a>, node: Node<'a>) -> bool {
    nodes(node).any(|node| matches!(shape(context, node), Shape::Call(call) if call.name == "value"))
}

/// Returns the number of nodes of a value, up to 10 000.
pub(crate) fn size(node: Node<'_>) -> usize {
    nodes(node).count()
}

fn nodes(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut waiting = vec![node];
    let next = move || {
        let node = waiting.pop()?;
        waiting.extend(node.entries().map(|entry| entry.value).chain(node.items()));
        Some(node)
    };
    std::iter::from_fn(next).take(MAX_SEARCHED_NODES)
}

/// Returns whether a node is a literal name, rather than a call that returns one.
pub(crate) fn is_literal_name<'a>(context: &Context<'a>, node: Node<'a>) -> bool {
    node.kind() == Kind::String && matches!(shape(context, node), Shape::Literal)
}

/// Returns the function name in a string: `$name`, or `$name$1`. `$$name` is a string that starts with a dollar sign.
fn call_name(text: &str) -> Option<&str> {
    let name = text.strip_prefix('$').filter(|name| !name.starts_with('$'))?;
    let end = name.bytes().position(|byte| byte == b'$').unwrap_or(name.len());
    Some(&name[..end])
}

/// Returns the given number of arguments, as text.
pub(crate) fn count(arguments: usize) -> String {
    match arguments {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        more => format!("{more} arguments"),
    }
}

/// Returns the value of a string. In 2.0, a literal dollar sign at the start is written twice.
pub(crate) fn unescape(text: &str, version: LanguageVersion) -> &str {
    if version >= V2_0 && text.starts_with("$$") { &text[1..] } else { text }
}

/// Returns whether a string could be the name of a function, so that a dollar sign before it is intended.
pub(crate) fn is_function_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | ':' | '.'))
}
