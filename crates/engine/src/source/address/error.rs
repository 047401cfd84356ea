//! What can be wrong with an address.

/// Why a text is not an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddressError {
    /// There is no text.
    #[error("the address is empty")]
    Empty,
    /// The text has no scheme, or is a `file` URL with a relative path, where an absolute URL is needed.
    #[error("`{text}` is not an absolute URL")]
    Relative {
        /// The text, without credentials.
        text: String,
    },
    /// The text breaks the rules for URLs.
    #[error("`{text}` is not a valid URL: {reason}")]
    Invalid {
        /// The text, without credentials.
        text: String,
        /// Which rule.
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
    /// A reference is to be resolved against a URL without a path, such as `urn:example:x`.
    #[error("nothing can be relative to `{base}`, which has no path")]
    NoPath {
        /// The URL, without credentials.
        base: String,
    },
}

impl AddressError {
    /// What the author can do about it.
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
