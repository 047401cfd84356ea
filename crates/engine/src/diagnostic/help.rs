//! Help for authors and the fix that it describes.

use std::borrow::Cow;
use std::fmt::{self, Display};

/// A suggestion for the author. If it names the exact text to write, a program can make the change: it replaces the
/// text at the position of the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    pub(super) text: String,
    pub(super) fix: Option<Box<Fix>>,
}

/// The replacement that help describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fix {
    /// A name that replaces the one in the message.
    Name(Box<str>),
    /// The text to write.
    Text(Box<str>),
    /// The text including quotes.
    Quoted(Box<str>),
    /// The text without quotes.
    Unquoted,
}

impl Help {
    /// Returns help that names the likely intention: ``did you mean `name`?``
    pub fn did_you_mean(name: impl Display) -> Self {
        Self::exact("did you mean `", &name, "`?", Fix::Name)
    }

    /// Returns help with the name that an entity has in this language or namespace: ``here it is called `name` ``.
    pub fn called(name: impl Display) -> Self {
        Self::exact("here it is called `", &name, "`", Fix::Name)
    }

    /// Returns help with the text to write: ``write `text` ``.
    pub fn write(text: impl Display) -> Self {
        Self::exact("write `", &text, "`", Fix::Text)
    }

    /// Returns help for a value that must be a string: ``put it in quotes: `"text"` ``.
    pub fn quote(text: impl Display) -> Self {
        Self::exact("put it in quotes: `", &format_args!("\"{text}\""), "`", Fix::Quoted)
    }

    /// Returns help for a quoted string that must be a different kind of scalar: `leave the quotes out`.
    pub fn unquote() -> Self {
        Self { text: "leave the quotes out".to_owned(), fix: Some(Box::new(Fix::Unquoted)) }
    }

    /// Returns help that contains text to write. The help has a fix unless the text is abbreviated or has several
    /// lines.
    fn exact(before: &str, text: &dyn Display, after: &str, fix: fn(Box<str>) -> Fix) -> Self {
        let inner = text.to_string();
        let is_exact = !inner.is_empty() && !inner.contains(['`', '…', '\n']);
        Self { text: format!("{before}{inner}{after}"), fix: is_exact.then(|| Box::new(fix(inner.into()))) }
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Display for Help {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<String> for Help {
    fn from(text: String) -> Self {
        Self { text, fix: None }
    }
}

impl From<&str> for Help {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Cow<'_, str>> for Help {
    fn from(text: Cow<'_, str>) -> Self {
        text.into_owned().into()
    }
}
