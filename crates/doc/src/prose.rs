//! Descriptions of authors, which are Markdown, without anything that could affect the rest of a page.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Parser, Tag, TagEnd};
use tosca_parse::diagnostic::markdown::code;
use tosca_parse::diagnostic::render::{printable, xml};

/// The maximum length of a description, in bytes.
pub(crate) const LONGEST: usize = 64 << 10;

/// The maximum length of a summary, in characters.
const SUMMARY: usize = 160;

/// The maximum length of the part of a description that is read for its summary, in bytes.
const LONGEST_START: usize = 1 << 10;

/// The maximum length of a name, in bytes, because a page repeats the names of others.
const LONGEST_NAME: usize = 500;

/// The maximum nesting of elements in a description. Elements below are omitted, and their text is kept.
const DEPTH: usize = 12;

/// Returns the beginning of a text, with at most the given number of bytes.
pub(crate) fn cut(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    &text[..end]
}

/// Returns a text as one line of printable characters.
pub(crate) fn line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    printable(&words.join(" ")).into_owned()
}

/// Returns a name as one line of limited length.
pub(crate) fn short_name(name: &str) -> String {
    let start = cut(name, LONGEST_NAME);
    let end = if start.len() < name.len() { "…" } else { "" };
    line(start) + end
}

/// Returns the first sentence of a description, without markup.
pub(crate) fn summary(description: &str) -> String {
    let mut text = String::new();
    for event in Parser::new(cut(description.trim_start(), LONGEST_START)) {
        match event {
            Event::Text(part) | Event::Code(part) | Event::Html(part) | Event::InlineHtml(part) => text.push_str(&part),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::CodeBlock) => break,
            _ => {}
        }
    }
    let text = line(&text);
    let sentence = text.find(". ").map_or(text.as_str(), |end| &text[..end]);
    let sentence = sentence.strip_suffix('.').unwrap_or(sentence);
    match sentence.char_indices().nth(SUMMARY) {
        Some((end, _)) => format!("{}…", sentence[..end].trim_end()),
        None => sentence.to_owned(),
    }
}

/// Returns whether a link may be kept: it leads to another site, and runs nothing.
fn is_harmless(target: &str) -> bool {
    let has = |scheme: &str| target.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    has("https://") || has("http://") || has("mailto:")
}

/// Returns a description as HTML. Its own HTML is shown as text, and images as their descriptions.
pub(crate) fn html(description: &str) -> String {
    let mut html = Html::default();
    for event in Parser::new(cut(description, LONGEST)) {
        match event {
            Event::Start(tag) => html.start(&tag),
            Event::End(tag) => html.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => html.text(&text),
            Event::Code(text) => {
                let _ = write!(html.out, "<code>{}</code>", xml(&text));
            }
            Event::SoftBreak => html.out.push('\n'),
            Event::HardBreak => html.out.push_str("<br>\n"),
            Event::Rule => html.out.push_str("<hr>\n"),
            _ => {}
        }
    }
    html.out
}

#[derive(Default)]
struct Html {
    out: String,
    /// The end tags of the open elements; empty for an omitted one.
    open: Vec<&'static str>,
}

impl Html {
    fn start(&mut self, tag: &Tag<'_>) {
        let (start, end): (Cow<'_, str>, _) = match tag {
            _ if self.open.len() >= DEPTH => ("".into(), ""),
            Tag::Paragraph => ("<p>".into(), "</p>\n"),
            // The outline of the page is not the author's.
            Tag::Heading { .. } => ("<p><strong>".into(), "</strong></p>\n"),
            Tag::BlockQuote(_) => ("<blockquote>\n".into(), "</blockquote>\n"),
            Tag::CodeBlock(_) => ("<pre><code>".into(), "</code></pre>\n"),
            Tag::List(None) => ("<ul>\n".into(), "</ul>\n"),
            Tag::List(Some(1)) => ("<ol>\n".into(), "</ol>\n"),
            Tag::List(Some(first)) => (format!("<ol start=\"{first}\">\n").into(), "</ol>\n"),
            Tag::Item => ("<li>".into(), "</li>\n"),
            Tag::Emphasis => ("<em>".into(), "</em>"),
            Tag::Strong => ("<strong>".into(), "</strong>"),
            Tag::Link { dest_url, .. } if is_harmless(dest_url) => {
                (format!("<a href=\"{}\" rel=\"noopener noreferrer\">", xml(dest_url)).into(), "</a>")
            }
            Tag::HtmlBlock => ("<p>".into(), "</p>\n"),
            _ => ("".into(), ""),
        };
        self.out.push_str(&start);
        self.open.push(end);
    }

    fn end(&mut self, _: TagEnd) {
        self.out.push_str(self.open.pop().unwrap_or_default());
    }

    fn text(&mut self, text: &str) {
        // A line break in text needs no reference, and pages are easier to read without it.
        self.out.push_str(&xml(text).replace("&#10;", "\n"));
    }
}

/// Returns a description as Markdown that does not affect the text around it, and contains no HTML and no link to
/// anything but another site. Where that is not possible, all its markup is text.
pub(crate) fn markdown(description: &str) -> String {
    let text = printable_lines(cut(description.trim(), LONGEST));
    let defused = defuse(&text);
    if is_self_contained(&defused) { defused } else { escape(&text) }
}

/// Returns a text whose lines are printable.
fn printable_lines(text: &str) -> String {
    text.lines().map(|line| printable(&line.replace('\t', "    ")).into_owned()).collect::<Vec<_>>().join("\n")
}

/// Makes HTML, headings, unsafe links and definitions of links text.
fn defuse(text: &str) -> String {
    let parser = Parser::new(text);
    // The positions at which something is inserted. A definition would apply to the descriptions around it, too.
    let mut inserted: Vec<(usize, &str)> =
        parser.reference_definitions().iter().map(|(_, definition)| (definition.span.start, "\\")).collect();
    let signs = |range: Range<usize>, signs: &'static [char]| {
        let base = range.start;
        text[range].match_indices(signs).map(move |(at, _)| (base + at, "\\")).collect::<Vec<_>>()
    };
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Html(_) | Event::InlineHtml(_) => inserted.extend(signs(range, &['<'])),
            Event::Start(Tag::Heading { .. }) => inserted.push((range.start, "\\")),
            Event::Start(Tag::Link { dest_url, link_type, .. }) if !is_harmless_link(&dest_url, link_type) => {
                inserted.extend(signs(range, &['[', ']', '<']));
            }
            Event::Start(Tag::Image { .. }) => inserted.extend(signs(range, &['[', ']', '<'])),
            _ => {}
        }
    }
    inserted.sort_unstable();
    inserted.dedup();
    let mut made = String::with_capacity(text.len() + inserted.len());
    let mut last = 0;
    for (at, sign) in inserted {
        made.push_str(&text[last..at]);
        made.push_str(sign);
        last = at;
    }
    made + &text[last..]
}

fn is_harmless_link(target: &CowStr<'_>, link_type: LinkType) -> bool {
    is_harmless(target) || link_type == LinkType::Email
}

/// Returns whether a text has no effect after its end, and nothing that [`defuse`] removes.
fn is_self_contained(text: &str) -> bool {
    let followed = format!("{text}\n\nend");
    let parser = Parser::new(&followed);
    if parser.reference_definitions().iter().next().is_some() {
        return false;
    }
    let mut depth = 0;
    let mut last_top = None;
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Html(_) | Event::InlineHtml(_) => return false,
            Event::Start(Tag::Heading { .. } | Tag::Image { .. }) => return false,
            Event::Start(Tag::Link { dest_url, link_type, .. }) if !is_harmless_link(&dest_url, link_type) => {
                return false;
            }
            Event::Start(tag) => {
                if depth == 0 {
                    last_top = Some((matches!(tag, Tag::Paragraph), range.start));
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    last_top == Some((true, text.len() + 2))
}

/// Returns a text in which nothing is markup.
pub(crate) fn escape(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            made.push('\n');
        }
        let line = line.trim();
        // Signs that begin a block: a list, a heading, a rule, a table.
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        for (at, letter) in line.char_indices() {
            let is_markup = "\\`*_[]<>&|~$".contains(letter)
                || at == 0 && "#+-=:".contains(letter)
                || digits > 0 && at == digits && ".)".contains(letter);
            if is_markup {
                made.push('\\');
            }
            made.push(letter);
        }
    }
    made
}

/// Returns a name as a code span.
pub(crate) fn name(text: &str) -> String {
    let text = line(text);
    if text.is_empty() { "` `".to_owned() } else { code(&text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_html_without_their_own_html() {
        assert_eq!(html("a *b* `<c>`\n\n- d"), "<p>a <em>b</em> <code>&lt;c&gt;</code></p>\n<ul>\n<li>d</li>\n</ul>\n");
        assert_eq!(html("# a"), "<p><strong>a</strong></p>\n");
        assert_eq!(
            html("[a](https://example.org/?x=1&y=\"2\")"),
            "<p><a href=\"https://example.org/?x=1&amp;y=&quot;2&quot;\" rel=\"noopener noreferrer\">a</a></p>\n"
        );
    }

    #[test]
    fn descriptions_run_nothing() {
        for text in [
            "<script>alert(1)</script>",
            "a <img src=x onerror=alert(1)> b",
            "<!-- a",
            "[a](javascript:alert(1))",
            "[ [a](JavaScript:x)](y)",
            "<javascript:alert(1)>",
            "![a](x\" onload=\"alert(1))",
            "[a]: javascript:x\n\n[a]",
            "[a]: javascript:x\n[a]: javascript:y",
            "[a]: <javascript:x>\n  'title'",
            "```\n</code></pre><script>",
            "a\n===\n<style>",
            "[a](../../x)",
            "<details>\n\n<b>",
            "&lt;script&gt; &#60;script>",
        ] {
            let html = html(text);
            let tags: Vec<&str> =
                html.split('<').skip(1).map(|tag| tag.split(['>', ' ']).next().unwrap_or_default()).collect();
            let known = ["p", "/p", "pre", "/pre", "code", "/code", "strong", "/strong", "hr", "br"];
            assert!(tags.iter().all(|tag| known.contains(tag)), "{text}: {html}");
            let markdown = markdown(text);
            assert!(is_self_contained(&markdown), "{text}: {markdown}");
        }
    }

    #[test]
    fn harmless_markdown_is_kept() {
        for text in ["a *b* `<c>`", "- a\n- b", "```yaml\na: <b>\n```", "[a](https://example.org)", "1 < 2"] {
            assert_eq!(markdown(text), text);
        }
        assert_eq!(markdown("# a"), "\\# a");
        assert_eq!(markdown("a <b> c"), "a \\<b> c");
        assert_eq!(markdown("[a](b)"), "\\[a\\](b)");
        assert_eq!(markdown("*a*\n\n[b]: https://example.org"), "*a*\n\n\\[b]: https://example.org");
        assert_eq!(markdown("```\na *b*"), "\\`\\`\\`\na \\*b\\*");
    }

    #[test]
    fn escaped_text_has_no_markup() {
        for text in
            ["1. a", "# a", "- a", "*a* _b_ [c](d) <e> `f` | g", "a\n---", "&lt;", "a\n  b\n    c", "+ a", "~~~"]
        {
            let events: Vec<Event<'_>> = Parser::new(&escape(text)).map(Event::into_static).collect();
            let is_text = |event: &Event<'_>| {
                matches!(
                    event,
                    Event::Text(_) | Event::SoftBreak | Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph)
                )
            };
            assert!(events.iter().all(is_text), "{text}: {events:?}");
        }
    }

    #[test]
    fn summaries_are_one_sentence() {
        assert_eq!(summary("A *server*\nwith `ports`. It has more."), "A server with ports");
        assert_eq!(summary("- a\n- b"), "a");
        assert_eq!(summary(""), "");
        assert_eq!(summary(&format!("A server. {}", "a".repeat(1 << 20))), "A server");
        assert_eq!(summary(&"é".repeat(500)).chars().count(), SUMMARY + 1);
    }

    #[test]
    fn nesting_is_limited() {
        let html = html(&format!("{}a", "> ".repeat(5000)));
        assert_eq!(html.matches("<blockquote>").count(), DEPTH);
        assert!(html.contains('a'));
    }

    #[test]
    fn names_are_lines_of_limited_length() {
        assert_eq!(short_name("a\n b"), "a b");
        assert_eq!(short_name(&"é".repeat(500)), format!("{}…", "é".repeat(LONGEST_NAME / 2)));
    }

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!([cut("aé", 1), cut("aé", 2), cut("aé", 3), cut("é", 0)], ["a", "a", "aé", ""]);
    }
}
