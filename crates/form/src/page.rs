//! The page of a form: one HTML file that loads no other files.

use serde_json::Value;

/// Returns a page with a form for the values that a JSON Schema describes.
///
/// The page supports the keywords that this project writes, shows the limits of each value, checks the values that are
/// filled in, and saves them as YAML under the given file name.
pub fn page(schema: &Value, file: &str) -> String {
    let title = schema.get("title").and_then(Value::as_str).unwrap_or("Form");
    // The data must not contain the end tag of its script element.
    let data = schema.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    include_str!("form.html")
        .replace("/* style */", include_str!("form.css"))
        .replace("/* script */", include_str!("form.js"))
        .replace("{title}", &escaped(title))
        .replace("{file}", &escaped(file))
        .replace("{schema}", &data)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
