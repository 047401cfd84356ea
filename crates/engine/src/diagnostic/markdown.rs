//! Markdown: the subset in rule documentation, and the strings of authors within Markdown.
//!
//! In rule documentation, only fenced blocks are recognized, because they contain the examples; the lines between them
//! are returned unchanged. Blocks are slices of the text, so the examples are verbatim.

/// A block of Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Block<'a> {
    /// A line outside fenced blocks, without its line break.
    Line(&'a str),
    /// A fenced block: the words after the opening fence and the lines up to the closing fence.
    Fenced {
        /// The info string, such as `yaml wrong`.
        info: &'a str,
        /// The text, including its last line break.
        body: &'a str,
    },
}

/// Returns the blocks in Markdown text, in order. An unclosed fenced block extends to the end of the text.
pub(crate) fn blocks(text: &str) -> impl Iterator<Item = Block<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (line, after) = split_line(rest)?;
        rest = after;
        let Some((fence, info)) = opening(line) else { return Some(Block::Line(line)) };
        let body = rest;
        loop {
            let length = body.len() - rest.len();
            let Some((line, after)) = split_line(rest) else { return Some(Block::Fenced { info, body }) };
            rest = after;
            if is_closing(line, fence) {
                return Some(Block::Fenced { info, body: &body[..length] });
            }
        }
    })
}

/// Returns the first line, without its line break, and the rest; `None` at the end of the text.
fn split_line(text: &str) -> Option<(&str, &str)> {
    if text.is_empty() {
        return None;
    }
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    Some((line.strip_suffix('\r').unwrap_or(line), rest))
}

/// Returns the fence and the info string, if the line opens a fenced block.
fn opening(line: &str) -> Option<(&str, &str)> {
    let info = line.trim_start_matches('`');
    let fence = &line[..line.len() - info.len()];
    (fence.len() >= 3 && !info.contains('`')).then(|| (fence, info.trim()))
}

fn is_closing(line: &str, fence: &str) -> bool {
    let line = line.trim_end();
    line.len() >= fence.len() && line.bytes().all(|byte| byte == b'`')
}

/// Returns a string as a code span.
pub fn code(text: &str) -> String {
    if !text.contains('`') {
        return format!("`{text}`");
    }
    let fence = "`".repeat(longest_run(text) + 1);
    format!("{fence} {text} {fence}")
}

/// Returns lines of YAML as a code block.
pub fn yaml(lines: &str) -> String {
    let fence = "`".repeat(longest_run(lines).max(2) + 1);
    format!("{fence}yaml\n{lines}\n{fence}")
}

/// Returns the length of the longest run of back-quotes.
fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Block<'_>> {
        blocks(text).collect()
    }

    #[test]
    fn text_is_returned_by_line() {
        assert_eq!(all(""), []);
        assert_eq!(all("a\n\nb"), [Block::Line("a"), Block::Line(""), Block::Line("b")]);
        assert_eq!(all("a\r\n"), [Block::Line("a")]);
    }

    #[test]
    fn fenced_blocks_keep_their_text() {
        let expected = [Block::Line("a"), Block::Fenced { info: "yaml wrong", body: "b:\n  c\n" }, Block::Line("d")];
        assert_eq!(all("a\n```yaml wrong\nb:\n  c\n```\nd\n"), expected);
        assert_eq!(all("```\n```"), [Block::Fenced { info: "", body: "" }]);
    }

    #[test]
    fn longer_fences_hold_shorter_ones() {
        assert_eq!(all("````\n```\n`````\n"), [Block::Fenced { info: "", body: "```\n" }]);
    }

    #[test]
    fn other_backticks_are_text() {
        assert_eq!(all("``` a `b`"), [Block::Line("``` a `b`")]);
        assert_eq!(all("``"), [Block::Line("``")]);
    }

    #[test]
    fn an_open_block_ends_with_the_text() {
        assert_eq!(all("```yaml\na: 1"), [Block::Fenced { info: "yaml", body: "a: 1" }]);
        assert_eq!(all("```yaml"), [Block::Fenced { info: "yaml", body: "" }]);
    }

    #[test]
    fn names_with_back_quotes_are_one_code_span() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(code("```"), "```` ``` ````");
    }

    #[test]
    fn code_blocks_contain_fences() {
        assert_eq!(yaml("a: b"), "```yaml\na: b\n```");
        assert_eq!(yaml("a: |\n  ```\n  x"), "````yaml\na: |\n  ```\n  x\n````");
    }
}
