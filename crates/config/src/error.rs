//! Errors in configurations and in other data.

use std::fmt;

/// A position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1, in characters.
    pub column: u32,
    /// The offset in bytes.
    pub offset: u32,
}

/// An error in a file. It is shown as one line for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A configuration can't be read.
    Unreadable {
        /// The displayed name of the file.
        file: String,
        /// The reason.
        reason: String,
    },
    /// A file is invalid.
    Invalid {
        /// The displayed name of the file.
        file: String,
        /// The position; `None` if the error concerns the whole file.
        position: Option<Position>,
        /// The message.
        message: String,
    },
}

impl Error {
    /// Returns the displayed name of the file.
    pub fn file(&self) -> &str {
        match self {
            Self::Unreadable { file, .. } | Self::Invalid { file, .. } => file,
        }
    }

    /// Returns the position; `None` if the error concerns the whole file.
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::Unreadable { .. } => None,
            Self::Invalid { position, .. } => *position,
        }
    }

    /// Returns the message without the name of the file and the position.
    pub fn message(&self) -> &str {
        match self {
            Self::Unreadable { reason, .. } => reason,
            Self::Invalid { message, .. } => message,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { file, reason } => write!(f, "can't read the configuration `{file}`: {reason}"),
            Self::Invalid { file, position: Some(Position { line, column, .. }), message } => {
                write!(f, "{file}:{line}:{column}: {message}")
            }
            Self::Invalid { file, position: None, message } => write!(f, "{file}: {message}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<Error> for String {
    fn from(error: Error) -> Self {
        error.to_string()
    }
}
