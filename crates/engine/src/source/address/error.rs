//! Errors of addresses.

/// The reason why a text is not an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddressError {
    /// The text is empty.
    #[error("the address is empty")]
    Empty,
    /// The text has no scheme, or is a `file` URL with a relative path, where an absolute URL is expected.
    #[error("`{text}` is not an absolute URL")]
    Relative {
        /// The text, without credentials.
        text: String,
    },
    /// The text violates the URL syntax.
    #[error("`{text}` is not a valid URL: {reason}")]
    Invalid {
        /// The text, without credentials.
        text: String,
        /// The violated rule.
        reason: String,
    },
    /// A `file` URL names another computer.
    #[error("`{text}` names a file of the host `{host}`, which cannot be read from here")]
    Host {
        /// The URL.
        text: String,
        /// The host.
        host: String,
    },
    /// A reference can't be resolved against a URL without a path, such as `urn:example:x`.
    #[error("nothing can be relative to `{base}`, which has no path")]
    NoPath {
        /// The URL, without credentials.
        base: String,
    },
}

impl AddressError {
    /// Returns help for the author.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Host { text, host } => {
                let path = text.split_once("://").map_or(host.as_str(), |(_, path)| path);
                Some(format!("write `file:{path}` for a relative path, or `file:///{path}` for an absolute one"))
            }
            _ => None,
        }
    }
}
