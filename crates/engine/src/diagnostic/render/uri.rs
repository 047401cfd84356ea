//! Converts names of sources to URI references for reports.

use std::borrow::Cow;
use std::fmt::Write;

/// Returns the name of a source as a relative or absolute URI reference.
///
/// A path stays relative, because report viewers look it up in their copy of the project. Characters that are not
/// allowed in URIs are encoded; URLs and addresses of archive entries are unchanged.
pub(super) fn reference(name: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte);
    if name.bytes().all(is_plain) {
        return Cow::Borrowed(name);
    }
    let is_url = name.contains("://");
    let mut uri = String::with_capacity(name.len() + 16);
    if std::path::Path::new(name).is_absolute() && !is_url {
        uri.push_str("file://");
    }
    for byte in name.bytes() {
        match byte {
            b'\\' if !is_url => uri.push('/'),
            b':' | b'%' | b'?' | b'#' if is_url => uri.push(char::from(byte)),
            byte if is_plain(byte) => uri.push(char::from(byte)),
            byte => {
                // Writing to a string does not fail.
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    Cow::Owned(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_urls_become_references() {
        for (name, uri) in [
            ("lib/base.yaml", "lib/base.yaml"),
            ("a b/größe#1.yaml", "a%20b/gr%C3%B6%C3%9Fe%231.yaml"),
            ("c:d.yaml", "c%3Ad.yaml"),
            ("https://example.com/a?b=%20#c", "https://example.com/a?b=%20#c"),
            ("archive:file:///a.zip!/b.yaml", "archive:file:///a.zip!/b.yaml"),
            ("<unknown>", "%3Cunknown%3E"),
        ] {
            assert_eq!(reference(name), uri);
        }
    }
}
