//! Distinguishes URLs from paths.

use super::address::{BUILTIN, FILE, MEMORY};
use super::names;

/// A reference, classified by its beginning.
pub(super) enum Reference<'a> {
    /// An absolute URL.
    Url(&'a str),
    /// A percent-encoded relative path, which was written after `file:`.
    FilePath(&'a str),
    /// A path.
    Path(&'a str),
}

impl<'a> Reference<'a> {
    /// Classifies a string. A string with a scheme is a URL only if the scheme is known or followed by `//`, because
    /// other strings with a colon are too common: file names, and names of profiles (`org.base:v1`) in place of an
    /// address.
    pub(super) fn of(text: &'a str) -> Self {
        let Some(scheme) = names::scheme(text) else {
            return Self::Path(text);
        };
        let rest = &text[scheme.len() + 1..];
        if scheme.eq_ignore_ascii_case(FILE) {
            return if rest.starts_with('/') { Self::Url(text) } else { Self::FilePath(rest) };
        }
        let known = ["http", "https", MEMORY, BUILTIN];
        if rest.starts_with("//") || known.iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
            Self::Url(text)
        } else {
            Self::Path(text)
        }
    }
}

/// Returns an author's string as shown in messages: without credentials if it is a URL.
pub(super) fn shown(text: &str) -> String {
    match Reference::of(text) {
        Reference::Url(url) => names::redacted(url),
        _ => names::escape_control_chars(text.into()),
    }
}
