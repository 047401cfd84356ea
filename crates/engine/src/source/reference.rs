//! Whether an author means a URL or a path.

use super::address::{BUILTIN, FILE, MEMORY};
use super::names;

/// What the beginning of a reference says about the rest.
pub(super) enum Reference<'a> {
    /// An absolute URL.
    Url(&'a str),
    /// What follows `file:`, percent-encoded and relative.
    FilePath(&'a str),
    /// A path.
    Path(&'a str),
}

impl<'a> Reference<'a> {
    /// A scheme makes a URL if it is a known one or is followed by `//`. File names with a colon are too common to
    /// accept less, and so are names of profiles (`org.base:v1`) where an address is expected.
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

/// A text of an author for a message: without credentials, if it is a URL.
pub(super) fn shown(text: &str) -> String {
    match Reference::of(text) {
        Reference::Url(url) => names::redacted(url),
        _ => names::harmless(text.into()),
    }
}
