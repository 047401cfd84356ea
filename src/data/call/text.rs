//! Strings that were meant as function calls: in quotes, with parentheses, or in the placeholders of other tools.

use super::function::{FUNCTIONS, SIMPLE};
use super::is_function_name;
use crate::ard::{Kind, Node, Style};
use crate::entity::LanguageVersion;
use crate::grammar::version::V2_0;

/// The maximum length of a string that is searched for a call.
const LONGEST: usize = 200;

/// Returns the call to write in place of a string: `{ $get_input: port }` for `$get_input port`, `$get_input(port)`,
/// `"{ $get_input: port }"` or `${port}`.
pub(crate) fn meant(node: Node<'_>, version: LanguageVersion) -> Option<String> {
    let text = node.text().trim();
    if node.kind() != Kind::String || text.len() > LONGEST || text.contains('\n') {
        return None;
    }
    if let Some(input) = placeholder(text) {
        return Some(written("get_input", input, version));
    }
    let inner = match text.strip_prefix('{') {
        Some(map) => map.strip_suffix('}')?.trim(),
        None => text,
    };
    let is_map = inner.len() < text.len();
    let end = inner.find(|sign: char| sign == ':' || sign == '(' || sign.is_whitespace())?;
    let (name, rest) = inner.split_at(end);
    let known = known(name, version)?;
    // Other names may be keys of an ordinary map.
    let is_distinct = name.starts_with('$') || name.contains('_') || name == "concat";
    if !is_distinct {
        return None;
    }
    let arguments = match (rest.strip_prefix(':'), rest.strip_prefix('(')) {
        (Some(arguments), _) => arguments,
        (None, Some(arguments)) if !is_map => arguments.strip_suffix(')')?,
        (None, None) if !is_map => rest,
        _ => return None,
    };
    let arguments = arguments.trim();
    let is_list = arguments.starts_with('[') && arguments.ends_with(']');
    let is_plain = !arguments.is_empty() && !arguments.contains(['[', ']', '{', '}', '"', '\'', '#', '`']);
    match arguments.contains(',') {
        _ if is_list && !arguments.contains('`') => Some(written(known, arguments, version)),
        true if is_plain => Some(written(known, &format!("[ {arguments} ]"), version)),
        false if is_plain && !arguments.contains(char::is_whitespace) => Some(written(known, arguments, version)),
        _ => None,
    }
}

/// Returns the call to write in place of a quoted string that consists of a call.
pub(crate) fn quoted(node: Node<'_>, version: LanguageVersion) -> Option<String> {
    if !matches!(node.style(), Style::SingleQuoted | Style::DoubleQuoted) || !node.text().trim_start().starts_with('{')
    {
        return None;
    }
    let is_placeholder = placeholder(node.text().trim()).is_some();
    if is_placeholder { None } else { meant(node, version) }
}

/// Returns the name in a placeholder of a shell or a template engine: `${name}`, `{{ name }}`.
pub(crate) fn placeholder(text: &str) -> Option<&str> {
    let shell = || text.strip_prefix("${")?.strip_suffix('}');
    let template = || text.strip_prefix("{{")?.strip_suffix("}}");
    let name = shell().or_else(template)?.trim();
    (is_function_name(name) && !name.contains(':')).then_some(name)
}

/// Returns the name of a built-in function of a version, with or without the dollar sign.
fn known(name: &str, version: LanguageVersion) -> Option<&'static str> {
    let name = name.trim_start_matches('$');
    if version >= V2_0 {
        return FUNCTIONS.iter().map(|function| function.name).find(|known| *known == name);
    }
    SIMPLE.iter().copied().find(|known| *known == name)
}

fn written(name: &str, arguments: &str, version: LanguageVersion) -> String {
    let sign = if version >= V2_0 { "$" } else { "" };
    format!("{{ {sign}{name}: {arguments} }}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::ard::{self, Options};
    use crate::diagnostic::SourceId;
    use crate::grammar::version::V1_3;
    use crate::symbol::Interner;

    fn of(text: &str, version: LanguageVersion) -> Option<String> {
        let text = format!("a: {text}\n");
        let (document, _) = ard::read(SourceId(0), text.as_str().into(), &Interner::new(), &Options::default());
        meant(document.root().unwrap().entries().next().unwrap().value, version)
    }

    #[test]
    fn calls_in_other_notations_are_recognized() {
        for (text, expected) in [
            ("$get_input p", Some("{ $get_input: p }")),
            ("$get_input(p)", Some("{ $get_input: p }")),
            ("\"{ $get_input: p }\"", Some("{ $get_input: p }")),
            ("'{ get_property: [ SELF, port ] }'", Some("{ $get_property: [ SELF, port ] }")),
            ("\"$concat(a, b)\"", Some("{ $concat: [ a, b ] }")),
            ("${p}", Some("{ $get_input: p }")),
            ("'{{ p }}'", Some("{ $get_input: p }")),
            ("get_input", None),
            ("not here", None),
            ("'{ not: here }'", None),
            ("'{ some: thing }'", None),
            ("value of p", None),
            ("\"${HOME}/bin\"", None),
        ] {
            assert_eq!(of(text, V2_0).as_deref(), expected, "{text}");
        }
        assert_eq!(of("\"{ $get_input: p }\"", V1_3).as_deref(), Some("{ get_input: p }"));
        assert_eq!(of("\"{ not: p }\"", V1_3), None);
    }
}
