//! Text in XML.

use super::printable::sanitize;

/// Escapes untrusted text for use in an XML attribute or element. Each line is also passed through [`sanitize`].
pub fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            // XML parsers turn an unescaped line break in an attribute into a space.
            escaped.push_str("&#10;");
        }
        push(&mut escaped, &sanitize(line));
    }
    escaped
}

fn push(escaped: &mut String, line: &str) {
    for character in line.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // These two noncharacters are not allowed in XML, not even escaped.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_can_be_in_xml() {
        assert_eq!(xml("größe 漢字"), "größe 漢字");
        assert_eq!(xml(r#"<a b='c' d="e">&"#), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;");
        assert_eq!(xml("a\nb\r\n\u{1b}[31m\u{ffff}"), "a&#10;b␍&#10;␛[31m\u{fffd}");
        assert_eq!(xml("a\n::error::b ##[add-mask]"), "a&#10;∷error::b #＃[add-mask]");
    }
}
