//! Errors in addresses.

/// The reason why a string is not a valid address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddressError {
    /// The string is empty.
    #[error("the address is empty")]
    Empty,
    /// An absolute URL is expected, but the string has no scheme or is a `file` URL with a relative path.
    #[error("`{text}` is not an absolute URL")]
    Relative {
        /// The string, without credentials.
        text: String,
    },
    /// The string violates the URL syntax.
    #[error("`{text}` is not a valid URL: {reason}")]
    Invalid {
        /// The string, without credentials.
        text: String,
        /// A description of the violation.
        reason: String,
    },
    /// A `file` URL names a different computer.
    #[error("`{text}` names a file on the host `{host}`, which can't be read from here")]
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
