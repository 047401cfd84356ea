//! Suggestions for text that is not valid YAML.
//!
//! A YAML reader notices a mistake only where the text becomes invalid, often a line later, and knows only which tokens
//! it expected. Common mistakes can be recognized from the surrounding lines.

use super::quote::ticked;

/// Returns help if the error is caused by a `{{ placeholder }}` that another program should have replaced.
pub(super) fn placeholder(text: &str, at: usize) -> Option<String> {
    let start = line_start(text, at);
    let line = first_line(&text[start..]);
    let is_placeholder = line[..at - start].contains("{{") || line[at - start..].starts_with("{{");
    is_placeholder.then(|| "replace `{{ … }}` before the file is read as YAML, or put the placeholder in quotes".into())
}

/// Returns help for a syntax error at the given offset.
pub(super) fn remedy(text: &str, at: usize) -> Option<String> {
    let start = line_start(text, at);
    let line = first_line(&text[start..]);
    let before = &text[start..at];
    let previous = text[..start].lines().rev().find(|line| !is_blank(line)).unwrap_or_default();

    if indentation(line).contains('\t') {
        return Some("indent with spaces, not with tabs".into());
    }
    let is_at_colon = line[at - start..].starts_with(':');
    // A key without a space after its colon is read as a scalar that extends to the next colon or the end of the line.
    let own_pair = if is_at_colon || is_blank(before) { glued_pair(line) } else { None };
    let pair = own_pair.or_else(|| if is_at_colon { glued_pair(previous) } else { None });
    if let Some(pair) = pair {
        return Some(format!("write a space after the colon of {}", ticked(pair)));
    }
    if let Some(opening) =
        value(before).and_then(|value| value.chars().next()).filter(|first| "{[&*!|>%@`".contains(*first))
    {
        return Some(format!("put the value in quotes if it should begin with `{opening}`"));
    }
    if is_at_colon {
        return if value(before).is_some() {
            Some("put the value in quotes if it should contain `: `".into())
        } else if value(previous).is_some() {
            Some("indent the key like the one above, or remove the value above if this is a map in its place".into())
        } else {
            None
        };
    }
    if !is_blank(before) {
        return None;
    }
    Some(if value(line).is_some() || without_comment(line).ends_with(':') {
        "indent the line like those that it belongs to".into()
    } else {
        "put `:` after a key; indent the line if it continues the one above".into()
    })
}

const LINE_ENDS: [char; 2] = ['\n', '\r'];

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(LINE_ENDS).map_or(0, |end| end + 1)
}

fn first_line(text: &str) -> &str {
    text.split(LINE_ENDS).next().unwrap_or_default()
}

fn is_blank(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

fn without_comment(line: &str) -> &str {
    line.split_once(" #").map_or(line, |(before, _)| before).trim_end()
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Returns the text after the first key or dash on a line.
fn value(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let value = match line.split_once(": ") {
        Some((_, value)) => value,
        None => line.strip_prefix("- ")?,
    };
    let value = value.trim_start();
    (!value.is_empty() && !value.starts_with('#')).then_some(value)
}

/// Returns the `key:value` at the start of a line, if the space after the colon is missing.
fn glued_pair(line: &str) -> Option<&str> {
    let line = line.trim_start_matches([' ', '-']);
    let colon = line.find(|character: char| !(character.is_alphanumeric() || "_.-".contains(character)))?;
    let after = line[colon..].strip_prefix(':')?;
    let value = after.split_whitespace().next()?;
    let is_glued =
        line.starts_with(char::is_alphabetic) && after.starts_with(value) && !value.starts_with(['/', '\\', ':']);
    is_glued.then(|| &line[..colon + 1 + value.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the help for a syntax error at the mark `^`.
    fn at_mark(text: &str) -> String {
        let at = text.find('^').expect("the text has a mark");
        remedy(&text.replace('^', ""), at).unwrap_or_default()
    }

    #[test]
    fn tabs_in_the_indentation() {
        assert!(at_mark("a:\n  b: 1\n\t^c: 2").contains("tabs"));
        assert!(!at_mark("a:\n  b:\t1\n ^c: 2").contains("tabs"));
    }

    #[test]
    fn a_colon_without_a_space() {
        assert_eq!(at_mark("a: 1\n^port:80\n"), "write a space after the colon of `port:80`");
        assert_eq!(at_mark("port:80 # x\nhost^: a"), "write a space after the colon of `port:80`");
        assert_eq!(at_mark("- port:80\n  host^: a"), "write a space after the colon of `port:80`");
        assert!(!at_mark("http://example.com\nhost^: a").contains("blank after"));
        assert!(!at_mark("image: nginx:1.2\nhost^: a").contains("blank after"));
        assert!(!at_mark("10:30\nhost^: a").contains("blank after"));
        assert!(!at_mark("- prefix:Name ^]").contains("blank after"));
    }

    #[test]
    fn values_that_need_quotes() {
        assert_eq!(at_mark("path: {name}^/bin"), "put the value in quotes if it should begin with `{`");
        assert_eq!(at_mark("text: one^: two"), "put the value in quotes if it should contain `: `");
        assert_eq!(at_mark("- [a]^ b"), "put the value in quotes if it should begin with `[`");
    }

    #[test]
    fn indentation_that_fits_nothing() {
        assert!(at_mark("a: 1\n  b^: 2").contains("remove the value above"));
        assert!(at_mark("a:\n    b: 1\n  ^c: 2").contains("like those"));
        assert!(at_mark("a:\n    b:\n  ^c: # x: y\n").contains("like those"));
        assert!(at_mark("a: 1\n^b\nc: 2").contains("put `:`"));
    }

    #[test]
    fn placeholders_of_other_templates() {
        assert!(placeholder("a: {{ b }}-c", 10).is_some());
        assert!(placeholder("a: {{- b }}", 3).is_some());
        assert_eq!(placeholder("a: {b: {c: d}} e", 15), None);
        assert_eq!(placeholder("a: {{ b }}\n  c", 13), None);
    }

    #[test]
    fn unknown_mistakes_have_no_help() {
        assert_eq!(at_mark("\"a\" ^b"), "");
        assert_eq!(at_mark("^"), "put `:` after a key; indent the line if it continues the one above");
    }
}
