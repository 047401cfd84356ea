//! Embedding of authors' text in Markdown.

pub(crate) use tosca_parse::diagnostic::markdown::{code, yaml};

/// Returns a string unchanged, or as a code span if Markdown would read some of it as markup.
pub(crate) fn text(text: &str) -> String {
    if text.contains(['`', '*', '[', ']', '<', '>', '&', '~', '\\']) { code(text) } else { text.to_owned() }
}

/// Returns a title that ends with a name in back-quotes, with the name as a code span.
pub(crate) fn title(title: &str, name: &str) -> String {
    let plain = title.strip_suffix('`').and_then(|title| title.strip_suffix(name)?.strip_suffix('`'));
    plain.filter(|_| name.contains('`')).map_or_else(|| title.to_owned(), |plain| format!("{plain}{}", code(name)))
}

/// Returns a Markdown description in a form that can't affect the text after it: a code block that is still open is
/// closed, and the start of an HTML block that does not end with a blank line is escaped.
pub(crate) fn closed(text: &str) -> String {
    let mut open: Option<&str> = None;
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let content = line.trim_start();
        let is_indented = line.len() - content.len() > 3;
        let rest = content.trim_start_matches(|letter| content.starts_with(letter) && "`~".contains(letter));
        let (fence, info) = content.split_at(content.len() - rest.len());
        match open {
            Some(opening) if !is_indented && fence.starts_with(opening) && info.trim().is_empty() => open = None,
            Some(_) => {}
            None if !is_indented && fence.len() >= 3 && !(fence.starts_with('`') && info.contains('`')) => {
                open = Some(fence);
            }
            None if !is_indented && opens_html(content) => {
                lines.push(line.replacen('<', "\\<", 1));
                continue;
            }
            None => {}
        }
        lines.push(line.to_owned());
    }
    lines.extend(open.map(str::to_owned));
    lines.join("\n")
}

/// Returns whether a line begins an HTML block that does not end with a blank line.
fn opens_html(line: &str) -> bool {
    let Some(tag) = line.strip_prefix('<') else { return false };
    let is = |name: &&str| tag.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    tag.starts_with(['!', '?']) || ["script", "pre", "style", "textarea"].iter().any(is)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_markup_are_code_spans() {
        assert_eq!((text("a b.yaml"), text("a[1].yaml")), ("a b.yaml".to_owned(), "`a[1].yaml`".to_owned()));
        assert_eq!(title("node type `a`", "a"), "node type `a`");
        assert_eq!(title("node type `a`b`", "a`b"), "node type `` a`b ``");
        assert_eq!(title("the entity", ""), "the entity");
    }

    #[test]
    fn descriptions_end_their_blocks() {
        for whole in ["a\n\nb", "```\na\n```\nb", "~~~ x\n```\n~~~~", "`a`", "```a```", "    ```\n    a", "a <b>"] {
            assert_eq!(closed(whole), whole);
        }
        assert_eq!(closed("a\n```yaml\nb"), "a\n```yaml\nb\n```");
        assert_eq!(closed("````\n```\n```"), "````\n```\n```\n````");
        assert_eq!(closed("~~~\n``` x"), "~~~\n``` x\n~~~");
        assert_eq!(closed("<!-- a\n<PRE>"), "\\<!-- a\n\\<PRE>");
    }
}
