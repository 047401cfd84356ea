//! The interface for reading sources.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::Address;
use crate::diagnostic::{Help, Rule};
use crate::rules;
use crate::text::SharedText;

/// A provider of sources.
///
/// All methods may be called from several threads at once.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::source::{Address, Provider, ReadError};
///
/// /// Serves one text at every address of the scheme `demo`.
/// struct Demo;
///
/// impl Provider for Demo {
///     fn serves(&self, address: &Address) -> bool {
///         address.scheme() == "demo"
///     }
///     fn read(&self, _: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
///         let text = b"errands: {}";
///         if text.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(text.to_vec()) }
///     }
///     fn exists(&self, address: &Address) -> bool {
///         self.serves(address)
///     }
/// }
///
/// assert!(Demo.exists(&Address::parse("demo://any/service.yaml")?));
/// # Ok::<(), tosca_parse::source::AddressError>(())
/// ```
pub trait Provider: Send + Sync {
    /// Returns whether this provider is responsible for the address, even if there is no source at the address.
    fn serves(&self, address: &Address) -> bool;

    /// Returns whether reading may take so long that it should not block a compute thread.
    fn is_slow(&self, address: &Address) -> bool {
        let _ = address;
        false
    }

    /// Returns the canonical address of a source, which is the same for all addresses that lead to the source through
    /// links or `..`. Two sources are the same if their identities are equal.
    fn identity(&self, address: &Address) -> Address {
        address.clone()
    }

    /// Like [`identity`](Self::identity), but for an address directly in a directory whose identity is known. Returns
    /// `None` if the identity can't be determined faster in this way.
    fn identity_in(&self, directory: &Address, address: &Address) -> Option<Address> {
        let _ = (directory, address);
        None
    }

    /// Reads a whole source of at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no source at the address or it can't be read.
    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError>;

    /// Reads the source that an address refers to. The address of that source may differ: the address of an archive
    /// refers to the template in the archive.
    ///
    /// # Errors
    ///
    /// Returns an error for the same reasons as [`read`](Self::read).
    fn fetch(&self, address: &Address, limit: u64) -> Result<FetchedSource, ReadError> {
        let stamp = self.stamp(address);
        Ok(FetchedSource { stamp, ..FetchedSource::new(address.clone(), self.read(address, limit)?) })
    }

    /// Returns the addresses of additional sources that are separate entries, such as the other templates in an
    /// archive. A slow source must have been fetched before.
    fn additional_templates(&self, address: &Address) -> Vec<Address> {
        let _ = address;
        Vec::new()
    }

    /// Reads everything that belongs to an address, such as all files in an archive, even if it is not used, and
    /// returns the problems. A slow source must have been fetched before.
    ///
    /// `progress` is called with the number of files that have been read and the total number of files.
    fn verify(&self, address: &Address, progress: &mut dyn FnMut(usize, usize)) -> Vec<SourceProblem> {
        let _ = (address, progress);
        Vec::new()
    }

    /// Returns the path of the file that contains the source, if the file can also be read directly, in pieces.
    fn file(&self, address: &Address) -> Option<PathBuf> {
        let _ = address;
        None
    }

    /// Returns metadata with which a change to the source can be detected without reading it; `None` if this is not
    /// possible. Called for sources that have been read before; the first stamp comes with [`FetchedSource::stamp`].
    fn stamp(&self, address: &Address) -> Option<Stamp> {
        let _ = address;
        None
    }

    /// Returns whether there is a source at the address, for choosing among several candidates.
    ///
    /// This is cheap for providers that are not slow. With a slow provider, it is better to read the candidates in turn
    /// until one does not fail with [`ReadError::NotFound`].
    fn exists(&self, address: &Address) -> bool;

    /// Returns the names of the sources directly in a directory, in any order; `None` if the directory does not exist or
    /// can't be listed.
    fn list(&self, directory: &Address) -> Option<Vec<String>> {
        let _ = directory;
        None
    }

    /// Returns the address of the profile with the given import name, if this provider has such a profile.
    fn profile(&self, name: &str) -> Option<Address> {
        let _ = name;
        None
    }
}

/// Returns the names of the sources that any of the providers has directly in a directory, in order.
pub fn list_directory(providers: &[Arc<dyn Provider>], directory: &Address) -> Option<Vec<String>> {
    let listed: Vec<Vec<String>> = providers.iter().filter_map(|provider| provider.list(directory)).collect();
    if listed.is_empty() {
        return None;
    }
    let names: BTreeSet<String> = listed.into_iter().flatten().collect();
    Some(names.into_iter().collect())
}

/// Metadata that identifies the state of a source; see [`Provider::stamp`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The size.
    pub bytes: u64,
    /// The inode and device numbers, which identify the file.
    pub identity: (u64, u64),
    /// The times at which the content and the metadata were last changed.
    pub changed: (SystemTime, SystemTime),
}

impl Stamp {
    /// The assumed precision of file system clocks.
    const EXACT: Duration = Duration::from_secs(2);

    /// Returns whether any change after the given time would change the stamp. A change within the same clock tick as
    /// the previous one would not.
    pub fn is_settled(&self, time: SystemTime) -> bool {
        let (contents, rest) = self.changed;
        [contents, rest].into_iter().all(|at| time.duration_since(at).is_ok_and(|since| since > Self::EXACT))
    }
}

/// A source that has been read.
#[derive(Clone, Debug)]
pub struct FetchedSource {
    /// The address of the source, to which its imports are relative.
    pub address: Address,
    /// The content.
    pub bytes: Vec<u8>,
    /// The directory that the source's imports by path must not leave, if there is one, such as the root of an archive.
    pub root: Option<Address>,
    /// Problems that don't prevent reading.
    pub findings: Vec<SourceProblem>,
    /// The path, with links resolved, of the file or archive that has been read, if it is known. A link may change
    /// between a check and the read, so a sandbox relies on this path.
    pub real: Option<PathBuf>,
    /// The stamp that the source had before the read, if the provider supports stamps. See [`Provider::stamp`].
    pub stamp: Option<Stamp>,
}

impl FetchedSource {
    /// Creates a source that was read from an address without problems.
    pub fn new(address: Address, bytes: Vec<u8>) -> Self {
        Self { address, bytes, root: None, findings: Vec::new(), real: None, stamp: None }
    }
}

/// A problem that a provider finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceProblem {
    /// The kind of problem.
    pub rule: &'static Rule,
    /// The message: one sentence, as in a [`Diagnostic`](crate::diagnostic::Diagnostic).
    pub message: String,
    /// A suggestion for a fix.
    pub help: Option<Help>,
    /// The position.
    pub place: SourceRange,
}

/// The position of a problem that a provider finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRange {
    /// The address of the source.
    pub address: Address,
    /// The text of the source; empty if the problem has no position in the text.
    pub text: SharedText,
    /// The range, in bytes.
    pub range: (u32, u32),
}

impl SourceRange {
    /// Creates a position that refers to a source as a whole.
    pub fn whole(address: &Address) -> Self {
        Self { address: address.clone(), text: SharedText::default(), range: (0, 0) }
    }
}

/// The reason why a source can't be read.
///
/// The message continues a sentence that names the source, such as ``can't read `types.yaml`: it does not exist``.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// There is no source at the address.
    #[error("it does not exist")]
    NotFound,
    /// There is something other than a file at the address.
    #[error("it is {what}, not a file")]
    NotAFile {
        /// A description with an article: `a directory`.
        what: &'static str,
    },
    /// The user lacks the permission to read the source.
    #[error("you have no permission to read it")]
    Denied,
    /// The source is larger than allowed.
    #[error("it is larger than the limit of {}", size(*.limit))]
    TooLarge {
        /// The number of bytes allowed.
        limit: u64,
    },
    /// A failure of the file system.
    #[error("{0}")]
    Io(String),
    /// The network or the server failed before there was a response.
    #[error("{0}")]
    Network(String),
    /// The server responded with an error status.
    #[error("the server responded with {code}{}", parenthesised(.reason))]
    Status {
        /// The HTTP status code.
        code: u16,
        /// The standard's text for the code; empty for unknown codes.
        reason: &'static str,
    },
    /// Reading the source is not allowed.
    #[error("{0}")]
    Refused(String),
    /// A remote source refers to an address that only this computer or its network can reach.
    #[error("a remote file must not refer to a private address")]
    PrivateNetwork,
    /// A remote source refers to a bucket that the user has not named.
    #[error("a remote file must not refer to `{bucket}`, a bucket that you have not named")]
    OtherBucket {
        /// The bucket: `s3://types`.
        bucket: String,
    },
    /// An object store responded with an error status.
    #[error("{service} responded with {status}{}", parenthesised(.code))]
    Service {
        /// The name of the service.
        service: &'static str,
        /// The HTTP status code.
        status: u16,
        /// The service's code for the error, such as `AccessDenied`; empty if there is none.
        code: String,
    },
    /// A folder has more objects than allowed.
    #[error("it has more than {limit} object{}", if *.limit == 1 { "" } else { "s" })]
    TooManyObjects {
        /// The number of objects allowed.
        limit: usize,
    },
    /// Specific problems, possibly with positions. There is at least one, and the first one is the reason.
    #[error("{}", .0.first().map_or("it can't be read", |finding| &finding.message))]
    Found(Vec<SourceProblem>),
    /// No provider serves addresses with this scheme.
    #[error("addresses that begin with `{scheme}:` can't be read here")]
    NoProvider {
        /// The scheme of the address.
        scheme: String,
    },
}

impl ReadError {
    /// Returns the rule for this error.
    pub fn rule(&self) -> &'static Rule {
        match self {
            Self::NotFound => &rules::NOT_FOUND,
            Self::TooLarge { .. } => &rules::SOURCE_TOO_LARGE,
            Self::Found(findings) => findings.first().map_or(&rules::UNREADABLE, |finding| finding.rule),
            _ => &rules::UNREADABLE,
        }
    }

    /// Returns whether the source could not be read at all, rather than having a wrong content, size or address.
    pub(crate) fn is_failure(&self) -> bool {
        !matches!(self, Self::TooLarge { .. } | Self::Found(_)) && !self.depends_on_importer()
    }

    /// Returns whether the source may be readable for a different importer.
    pub(crate) fn depends_on_importer(&self) -> bool {
        matches!(self, Self::PrivateNetwork | Self::OtherBucket { .. })
    }

    /// Returns a suggestion for a fix, if there is a specific one.
    pub fn help(&self) -> Option<&str> {
        match self {
            Self::Found(findings) => Some(findings.first()?.help.as_ref()?.text()),
            Self::PrivateNetwork => {
                Some("name the file yourself, or allow private addresses with `--allow-private-network`")
            }
            Self::OtherBucket { .. } => Some("if the bucket is meant, allow it with `--allow-bucket`"),
            Self::Service { status: 401 | 403, .. } => {
                Some("set the service's environment variables to credentials that may read it")
            }
            Self::Service { status: 301 | 307, .. } => {
                Some("set the region of the bucket: the environment variable `AWS_REGION`")
            }
            _ => None,
        }
    }

    /// Returns the error for an address that the called provider does not serve, or no provider at all.
    pub fn no_provider(address: &Address) -> Self {
        Self::NoProvider { scheme: address.scheme().to_owned() }
    }
}

/// Reads at most `limit` bytes. `expected` is only a hint about the size.
pub(super) fn read_limited(reader: impl Read, limit: u64, expected: u64) -> io::Result<Result<Vec<u8>, ReadError>> {
    /// The maximum capacity to reserve because of a hint, in bytes.
    const TRUSTED: u64 = 128 << 20;
    let capacity = usize::try_from(expected.min(limit).min(TRUSTED)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(capacity);
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(if bytes.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(bytes) })
}

/// Formats a size in the largest unit that yields an integer.
fn size(bytes: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let fitting = units.iter().find(|(_, shift)| bytes >> shift > 0 && bytes.trailing_zeros() >= *shift);
    match (fitting, bytes) {
        (Some((unit, shift)), _) => format!("{} {unit}", bytes >> shift),
        (None, 1) => "1 byte".to_owned(),
        (None, _) => format!("{bytes} bytes"),
    }
}

fn parenthesised(reason: &str) -> String {
    if reason.is_empty() { String::new() } else { format!(" ({reason})") }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn messages_continue_a_sentence() {
        let message = |error: ReadError| error.to_string();
        assert_eq!(message(ReadError::NotFound), "it does not exist");
        assert_eq!(message(ReadError::NotAFile { what: "a directory" }), "it is a directory, not a file");
        assert_eq!(message(ReadError::TooLarge { limit: 64 << 20 }), "it is larger than the limit of 64 MiB");
        assert_eq!(message(ReadError::TooLarge { limit: 1500 }), "it is larger than the limit of 1500 bytes");
        assert_eq!(message(ReadError::TooLarge { limit: 1 }), "it is larger than the limit of 1 byte");
        assert_eq!(message(ReadError::TooLarge { limit: 0 }), "it is larger than the limit of 0 bytes");
        assert_eq!(
            message(ReadError::Status { code: 503, reason: "Service Unavailable" }),
            "the server responded with 503 (Service Unavailable)"
        );
        assert_eq!(message(ReadError::Status { code: 599, reason: "" }), "the server responded with 599");
        let address = Address::parse("git://host/x").unwrap();
        assert_eq!(message(ReadError::no_provider(&address)), "addresses that begin with `git:` can't be read here");
    }

    #[test]
    fn the_limit_applies_to_any_size_hint() {
        for expected in [0, 3, u64::MAX] {
            assert_eq!(read_limited(&b"abc"[..], 3, expected).unwrap(), Ok(b"abc".to_vec()));
            assert_eq!(read_limited(&b"abcd"[..], 3, expected).unwrap(), Err(ReadError::TooLarge { limit: 3 }));
            assert_eq!(read_limited(&b"abc"[..], u64::MAX, expected).unwrap(), Ok(b"abc".to_vec()));
        }
        assert_eq!(read_limited(&b""[..], 0, 0).unwrap(), Ok(Vec::new()));
    }
}
