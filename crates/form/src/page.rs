//! The page of a form: one HTML file that loads no other files.

use std::fmt::Write as _;

use serde_json::Value;

/// Returns a page with a form for the values that a JSON Schema describes.
///
/// The page supports the keywords that this project writes, shows the limits of each value, checks the values that are
/// filled in, and saves them as YAML under the given file name.
pub fn page(schema: &Value, file: &str) -> String {
    let title = schema.get("title").and_then(Value::as_str).unwrap_or("Form");
    // The data must contain neither the end tag of its script element nor `##`, which begins workflow commands.
    let data = ascii(&schema.to_string(), |out, character| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    });
    let data = data.replace('<', "\\u003c").replace("##", "#\\u0023");
    include_str!("form.html")
        .replace("/* style */", include_str!("form.css"))
        .replace("/* script */", include_str!("form.js"))
        .replace("{title}", &escaped(title))
        .replace("{file}", &escaped(file))
        .replace("{schema}", &data)
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let text = text.replace("##", "#&#35;");
    ascii(&text, |out, character| {
        let _ = write!(out, "&#{};", u32::from(character));
    })
}

/// Escapes characters that may not be printable. The page may be shown on a terminal.
fn ascii(text: &str, escape: impl Fn(&mut String, char)) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, ' '..='~') {
            out.push(character);
        } else {
            escape(&mut out, character);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pages_are_printable() {
        let title = "größe \u{202e}\u{9b}\u{e0001}##[a]</script>";
        let page = page(&json!({ "title": title, "default": "a\nb" }), "\u{202e}.yaml");
        // The script contains two symbols.
        assert!(page.chars().all(|character| matches!(character, '\n' | ' '..='~' | '…' | '−')), "{page}");
        assert!(!page.contains("##[") && page.matches("</script>").count() == 2, "{page}");
        assert!(
            page.contains(r#""title":"gr\u00f6\u00dfe \u202e\u009b\udb40\udc01#\u0023[a]\u003c/script>""#),
            "{page}"
        );
        assert!(page.contains("<title>gr&#246;&#223;e &#8238;&#155;&#917505;#&#35;[a]&lt;/script&gt;"), "{page}");
    }
}
