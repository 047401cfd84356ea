//! What reads sources.

use std::io::{self, Read};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::Address;
use crate::diagnostic::Rule;
use crate::rules;
use crate::text::SharedText;

/// A place that sources are read from.
///
/// All methods may be called from many threads at once.
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
    /// Whether this provider is the one to ask for the address, even if there is nothing at it.
    fn serves(&self, address: &Address) -> bool;

    /// Whether reading may take so long that it should not block a thread that others could compute on.
    fn is_slow(&self, address: &Address) -> bool {
        let _ = address;
        false
    }

    /// The one address of a source that has several, as links and `..` give them. Two sources are the same if their
    /// identities are equal.
    fn identity(&self, address: &Address) -> Address {
        address.clone()
    }

    /// The same for what is directly in a directory whose identity is known, if that makes it easier to tell.
    fn identity_in(&self, directory: &Address, address: &Address) -> Option<Address> {
        let _ = (directory, address);
        None
    }

    /// Reads a whole source of at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// There is nothing at the address, or it cannot be read.
    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError>;

    /// Reads what a source address stands for, which may be a source at another address: that of an archive stands for
    /// the template in it.
    ///
    /// # Errors
    ///
    /// As for [`read`](Self::read).
    fn fetch(&self, address: &Address, limit: u64) -> Result<Fetched, ReadError> {
        let stamp = self.stamp(address);
        Ok(Fetched { stamp, ..Fetched::new(address.clone(), self.read(address, limit)?) })
    }

    /// The further sources that belong to what is at an address and stand for themselves, such as the other templates
    /// of an archive. What is slow to read has to be fetched before.
    fn further(&self, address: &Address) -> Vec<Address> {
        let _ = address;
        Vec::new()
    }

    /// Reads everything that belongs to what is at an address, such as all files of an archive, whether it is used or
    /// not; and says what is wrong with it. What is slow to read has to be fetched before.
    ///
    /// The function is told how much has been read, of how much.
    fn verify(&self, address: &Address, progress: &mut dyn FnMut(usize, usize)) -> Vec<Finding> {
        let _ = (address, progress);
        Vec::new()
    }

    /// The file of the file system in which the source is, if it may as well be read there, piece by piece.
    fn file(&self, address: &Address) -> Option<PathBuf> {
        let _ = address;
        None
    }

    /// What a source looks like from outside, so that one which has been read needs no reading again as long as it
    /// looks the same. Nothing if only reading tells whether it has changed. It is asked for when the source has been read
    /// before; what it looked like the first time is told with it ([`Fetched::stamp`]).
    fn stamp(&self, address: &Address) -> Option<Stamp> {
        let _ = address;
        None
    }

    /// Whether there is a source at the address, for the choice between several candidates.
    ///
    /// Cheap for providers that are not slow. Of a slow one it is better to read the candidates in turn, until one
    /// does not fail with [`ReadError::NotFound`].
    fn exists(&self, address: &Address) -> bool;

    /// The address of a profile that is imported by its name, if this provider has profiles.
    fn profile(&self, name: &str) -> Option<Address> {
        let _ = name;
        None
    }
}

/// What a source looks like from outside: see [`Provider::stamp`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// How long it is.
    pub bytes: u64,
    /// What else there is to tell it from another one: which file it is, on which device.
    pub identity: (u64, u64),
    /// When its contents, and what is known of it, were last changed.
    pub changed: (SystemTime, SystemTime),
}

impl Stamp {
    /// How exact the clocks of file systems may be thought to be.
    const EXACT: Duration = Duration::from_secs(2);

    /// Whether a change after the given time would make another stamp: one within the same tick of a clock would not.
    pub fn is_settled(&self, time: SystemTime) -> bool {
        let (contents, rest) = self.changed;
        [contents, rest].into_iter().all(|at| time.duration_since(at).is_ok_and(|since| since > Self::EXACT))
    }
}

/// A source that has been read.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// Where it stands: what it imports is relative to this.
    pub address: Address,
    /// All of it.
    pub bytes: Vec<u8>,
    /// The directory that nothing which it imports by path may leave, if there is one: the root of an archive.
    pub root: Option<Address>,
    /// What is wrong besides, without keeping the source from being read.
    pub findings: Vec<Finding>,
    /// The path without links of the file that has been read, or of the archive, if the provider can tell. A link may lead elsewhere when
    /// it is followed than when somebody looked where it leads, so this is what a sandbox counts on.
    pub real: Option<PathBuf>,
    /// What it looked like before it was read, if the provider has learnt that on the way. See [`Provider::stamp`].
    pub stamp: Option<Stamp>,
}

impl Fetched {
    /// What has been read from an address, with nothing wrong.
    pub fn new(address: Address, bytes: Vec<u8>) -> Self {
        Self { address, bytes, root: None, findings: Vec::new(), real: None, stamp: None }
    }
}

/// A problem that a provider finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of problem.
    pub rule: &'static Rule,
    /// One sentence, like that of a [`Diagnostic`](crate::diagnostic::Diagnostic).
    pub message: String,
    /// What can be done about it.
    pub help: Option<String>,
    /// Where it is.
    pub place: Passage,
}

/// Where a provider finds a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// What the text is of.
    pub address: Address,
    /// The text; empty if the problem has no place in a text.
    pub text: SharedText,
    /// Offsets in bytes.
    pub range: (u32, u32),
}

impl Passage {
    /// Something as a whole.
    pub fn whole(address: &Address) -> Self {
        Self { address: address.clone(), text: SharedText::default(), range: (0, 0) }
    }
}

/// Why a source cannot be read.
///
/// The messages continue a sentence that names the source, such as ``cannot read `types.yaml`: it does not exist``.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// There is nothing at the address.
    #[error("it does not exist")]
    NotFound,
    /// There is something that is not a file.
    #[error("it is {what}, not a file")]
    NotAFile {
        /// What it is, with an article: `a directory`.
        what: &'static str,
    },
    /// The file system does not let this user read it.
    #[error("there is no permission to read it")]
    Denied,
    /// The source has more bytes than allowed.
    #[error("it is larger than the limit of {}", size(*.limit))]
    TooLarge {
        /// The number of bytes allowed.
        limit: u64,
    },
    /// The file system failed.
    #[error("{0}")]
    Io(String),
    /// The network, or the server, failed before there was an answer.
    #[error("{0}")]
    Network(String),
    /// The server answered that it does not give the source.
    #[error("the server answered {code}{}", parenthesised(.reason))]
    Status {
        /// The code of HTTP.
        code: u16,
        /// What the code means, in the words of the standard; empty for codes it does not know.
        reason: &'static str,
    },
    /// It could be read, but must not be.
    #[error("{0}")]
    Refused(String),
    /// Its address is one that only this computer or its network can reach, and a source from the network names it.
    #[error("a file from the network must not lead to a private address")]
    PrivateNetwork,
    /// Something particular, perhaps with a place of its own: at least one finding, the first of which is the reason.
    #[error("{}", .0.first().map_or("it cannot be read", |finding| &finding.message))]
    Found(Vec<Finding>),
    /// Nobody serves such addresses.
    #[error("addresses that begin with `{scheme}:` cannot be read here")]
    NoProvider {
        /// The scheme of the address.
        scheme: String,
    },
}

impl ReadError {
    /// The kind of problem that this is.
    pub fn rule(&self) -> &'static Rule {
        match self {
            Self::NotFound => &rules::NOT_FOUND,
            Self::TooLarge { .. } => &rules::SOURCE_TOO_LARGE,
            Self::Found(findings) => findings.first().map_or(&rules::UNREADABLE, |finding| finding.rule),
            _ => &rules::UNREADABLE,
        }
    }

    /// What can be done about it, if that is particular.
    pub fn help(&self) -> Option<&str> {
        match self {
            Self::Found(findings) => findings.first()?.help.as_deref(),
            Self::PrivateNetwork => {
                Some("name the file yourself, or allow private addresses with `--allow-private-network`")
            }
            _ => None,
        }
    }

    /// For an address that a provider, or all of them, do not serve.
    pub fn no_provider(address: &Address) -> Self {
        Self::NoProvider { scheme: address.scheme().to_owned() }
    }
}

/// Reads at most `limit` bytes from something of `expected` bytes, which is only a hint.
pub(super) fn read_limited(reader: impl Read, limit: u64, expected: u64) -> io::Result<Result<Vec<u8>, ReadError>> {
    /// What is taken on trust in a hint; the rest is asked for when it is there.
    const TRUSTED: u64 = 128 << 20;
    let capacity = usize::try_from(expected.min(limit).min(TRUSTED)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(capacity);
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(if bytes.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(bytes) })
}

/// A number of bytes in the largest unit that gives a whole number.
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
            "the server answered 503 (Service Unavailable)"
        );
        assert_eq!(message(ReadError::Status { code: 599, reason: "" }), "the server answered 599");
        let address = Address::parse("git://host/x").unwrap();
        assert_eq!(message(ReadError::no_provider(&address)), "addresses that begin with `git:` cannot be read here");
    }

    #[test]
    fn the_limit_holds_whatever_the_hint_says() {
        for expected in [0, 3, u64::MAX] {
            assert_eq!(read_limited(&b"abc"[..], 3, expected).unwrap(), Ok(b"abc".to_vec()));
            assert_eq!(read_limited(&b"abcd"[..], 3, expected).unwrap(), Err(ReadError::TooLarge { limit: 3 }));
            assert_eq!(read_limited(&b"abc"[..], u64::MAX, expected).unwrap(), Ok(b"abc".to_vec()));
        }
        assert_eq!(read_limited(&b""[..], 0, 0).unwrap(), Ok(Vec::new()));
    }
}
