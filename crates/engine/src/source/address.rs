//! Addresses of sources.
//!
//! Units are cached, compared and reported by address, so every notation for the same location must yield the same
//! value. Authors rarely write strictly correct URLs: file names contain spaces, `#` and `%`, a Windows path looks like
//! a URL with the scheme `C`, and some URLs contain a password that no message may repeat. All of this is handled in
//! this module, without access to the file system.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use url::Url;

use super::names;
use super::reference::Reference;
pub use error::AddressError;

mod error;

/// The scheme of files.
pub const FILE: &str = "file";
/// The scheme of sources that an embedding program holds in memory; see [`MemoryProvider`](super::MemoryProvider).
pub const MEMORY: &str = "memory";
/// The scheme of built-in sources, such as the normative profiles.
pub const BUILTIN: &str = "builtin";
/// The scheme of files in archives.
pub const ARCHIVE: &str = "archive";
/// The schemes of objects in object stores: S3, Google Cloud Storage and Azure Blob Storage. The host is the bucket or
/// container, and the path is the key.
pub const OBJECT_STORES: [&str; 3] = ["s3", "gs", "az"];

/// A canonical, absolute address.
///
/// | scheme | canonical form | references in the source |
/// |---|---|---|
/// | `file` | `file:///path/types.yaml`, without `.` and `..` | paths, taken literally |
/// | `memory`, `builtin` | `memory:/path/types.yaml`, regardless of the number of slashes written | paths, taken literally |
/// | `http`, `https` | as defined by the URL standard, without the fragment | URL references |
/// | `s3`, `gs`, `az` | `s3://bucket/path/types.yaml`, without `.` and `..` | paths, taken literally |
/// | `archive` | `archive:file:///path/service.zip!/types.yaml` | paths, taken literally, that never leave the archive |
/// | any other | as defined by the URL standard | paths, taken literally |
///
/// An address is cheap to clone. Equality, order and hash are based on the whole URL with its credentials. [`Display`]
/// and [`Debug`] never show credentials, so parsing a displayed address may yield a different one.
///
/// [`Display`]: fmt::Display
/// [`Debug`]: fmt::Debug
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use std::path::Path;
/// use tosca_parse::source::Address;
///
/// let service = Address::from_path(Path::new("service.yaml"), Path::new("/home/ada/my service"));
/// assert_eq!(service.to_string(), "file:///home/ada/my%20service/service.yaml");
///
/// let types = service.join("../types #1.yaml")?;
/// assert_eq!(types.to_path().unwrap(), Path::new("/home/ada/types #1.yaml"));
/// assert_eq!(types.display_name(Some(Path::new("/home/ada"))), "types #1.yaml");
/// # Ok::<(), tosca_parse::source::AddressError>(())
/// ```
#[derive(Clone)]
pub struct Address(Arc<Inner>);

struct Inner {
    /// The whole URL, with credentials.
    text: Box<str>,
    form: Form,
    /// The decoded last segment of the path.
    file_name: Box<str>,
}

enum Form {
    /// The text from `start` on is a path of encoded names in canonical form.
    Path {
        start: usize,
    },
    Url(Box<Url>),
    /// Like `Path`, but for a path within an archive, which can't lead above the archive's root.
    Inside {
        archive: Address,
        start: usize,
    },
}

impl Address {
    /// Returns the address that a user means by `argument` in the working directory `directory`: a URL if the argument
    /// begins with a known scheme or with any scheme and `://`, otherwise a path. If the name of an archive is followed
    /// by `!/`, as in `service.zip!/types.yaml`, the rest is a path in the archive.
    ///
    /// # Errors
    ///
    /// Returns an error if the argument is empty or an invalid URL.
    pub fn from_argument(argument: &str, directory: &Path) -> Result<Self, AddressError> {
        if argument.is_empty() {
            return Err(AddressError::Empty);
        }
        if let Some((archive, path)) = names::in_archive(argument) {
            return Ok(Self::from_argument(archive, directory)?.inside(path));
        }
        match Reference::of(argument) {
            Reference::Url(url) => Self::parse(url),
            Reference::FilePath(path) => Ok(Self::from_path(&names::bytes_to_path(names::decoded(path)), directory)),
            Reference::Path(path) => Ok(Self::from_path(Path::new(path), directory)),
        }
    }

    /// Returns the address of a path. A relative path starts at `directory`, which should be absolute.
    ///
    /// `.` and `..` are resolved by name only, ignoring symbolic links. A trailing slash is dropped; see
    /// [`Address::as_directory`].
    pub fn from_path(path: &Path, directory: &Path) -> Self {
        let (host, path) = names::path_to_bytes(&directory.join(path));
        let address = Self::of_file(&host, &path);
        match address.path().strip_suffix('/') {
            Some(path) if !path.is_empty() => address.with_path(path),
            _ => address,
        }
    }

    /// Parses an absolute URL.
    ///
    /// A `file` URL has neither a query nor a fragment: `#` and `?` belong to the path.
    ///
    /// # Errors
    ///
    /// Returns an error if `url` has no scheme or is invalid.
    pub fn parse(url: &str) -> Result<Self, AddressError> {
        let Some(scheme) = names::scheme(url) else {
            return Err(AddressError::Relative { text: names::redacted(url) });
        };
        let rest = &url[scheme.len() + 1..];
        if scheme.eq_ignore_ascii_case(FILE) {
            return Self::parse_file(url, rest);
        }
        for local in [MEMORY, BUILTIN] {
            if scheme.eq_ignore_ascii_case(local) {
                return Ok(Self::of_names(local, &names::decoded(rest)));
            }
        }
        if scheme.eq_ignore_ascii_case(ARCHIVE) {
            return Self::parse_inside(url, rest);
        }
        let mut parsed = Url::parse(url)
            .map_err(|error| AddressError::Invalid { text: names::redacted(url), reason: error.to_string() })?;
        if OBJECT_STORES.contains(&parsed.scheme()) {
            let path = names::canonical_path(&names::decoded(parsed.path()), 0);
            parsed.set_path(&path);
        }
        Ok(Self::of_url(parsed))
    }

    fn parse_inside(url: &str, rest: &str) -> Result<Self, AddressError> {
        let invalid = |reason: &str| AddressError::Invalid { text: names::redacted(url), reason: reason.to_owned() };
        let (archive, path) = rest.split_once("!/").ok_or_else(|| invalid("it names no file in the archive"))?;
        let archive = Self::parse(archive)?;
        if archive.archive().is_some() {
            return Err(invalid("nested archives are not supported"));
        }
        Ok(archive.inside_bytes(&names::decoded(path)))
    }

    /// Returns the address of a file in the archive at this address, given the literal path from the root of the
    /// archive.
    #[must_use]
    pub fn inside(&self, path: &str) -> Self {
        self.inside_bytes(path.as_bytes())
    }

    fn inside_bytes(&self, path: &[u8]) -> Self {
        // Exclamation marks in the archive's address are escaped, so the first unescaped one ends the address.
        let mut text = format!("{ARCHIVE}:{}!", self.0.text.replace('!', "%21"));
        let start = text.len();
        text.push_str(&names::canonical_path(path, 0));
        Self::of_inside(text, self.clone(), start)
    }

    /// Returns the address of the archive that contains this address, if there is one.
    pub fn archive(&self) -> Option<&Self> {
        match &self.0.form {
            Form::Inside { archive, .. } => Some(archive),
            Form::Path { .. } | Form::Url(_) => None,
        }
    }

    /// Returns the decoded path within the archive that contains this address, without a leading slash.
    pub fn path_in_archive(&self) -> Option<String> {
        self.archive()?;
        Some(percent_decode_str(self.path().trim_start_matches('/')).decode_utf8_lossy().into_owned())
    }

    fn parse_file(url: &str, rest: &str) -> Result<Self, AddressError> {
        let (host, path) = match rest.strip_prefix("//") {
            Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
            None => ("", rest),
        };
        if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") && !cfg!(windows) {
            let host = host.rsplit('@').next().unwrap_or_default();
            return Err(AddressError::Host {
                text: names::redacted(url),
                host: names::escape_control_chars(host.into()),
            });
        }
        if !path.starts_with('/') {
            return Err(AddressError::Relative { text: names::redacted(url) });
        }
        let host = if host.eq_ignore_ascii_case("localhost") { "" } else { host };
        let path = names::decoded(path);
        let path = names::drive_with_colon(path);
        Ok(Self::of_file(host, &path))
    }

    /// Resolves a reference in the source at this address.
    ///
    /// A reference with a scheme is absolute, except for `file:` without a slash, which is relative and
    /// percent-encoded. Any other reference is a path. For `http` and `https`, the path is interpreted as in RFC 3986,
    /// may have a query, and is percent-encoded where needed. For other schemes, the path is literal: spaces, `#`, `?`
    /// and `%` have no special meaning. A path can't leave the file system or host, even if it begins with two slashes.
    ///
    /// # Errors
    ///
    /// Returns an error if the reference has a scheme but is an invalid URL or if this address has no path.
    pub fn join(&self, reference: &str) -> Result<Self, AddressError> {
        match Reference::of(reference) {
            Reference::Url(url) => Self::parse(url),
            Reference::FilePath(path) => self.join_encoded(path),
            Reference::Path(path) => self.join_path(path),
        }
    }

    /// Like [`Address::join`], but for a path with percent-encoded names, regardless of the scheme of this address.
    pub(super) fn join_encoded(&self, path: &str) -> Result<Self, AddressError> {
        if self.is_http() {
            return self.join_path(path);
        }
        if cfg!(windows) && self.scheme() == FILE {
            let decoded = names::bytes_to_path(names::decoded(path));
            return Ok(self.join_file(&decoded, names::is_directory(path)));
        }
        self.join_names(&names::decoded(path))
    }

    /// Like [`Address::join`], but the reference is treated as a path even if it looks like a URL.
    pub(super) fn join_path(&self, path: &str) -> Result<Self, AddressError> {
        if path.is_empty() {
            return Ok(self.clone());
        }
        match &self.0.form {
            Form::Path { .. } if cfg!(windows) && self.scheme() == FILE => {
                Ok(self.join_file(Path::new(path), names::is_directory(path)))
            }
            Form::Url(url) if self.is_http() => {
                let invalid = |reason: String| AddressError::Invalid { text: names::redacted(path), reason };
                let joined = url.join(&names::url_reference(path)).map_err(|error| invalid(error.to_string()))?;
                // Everything that could lead to a different host has been removed from the reference; this check makes
                // sure of it.
                if joined.origin() != url.origin() {
                    return Err(invalid("the path leads to a different host".to_owned()));
                }
                Ok(Self::of_url(joined))
            }
            _ => self.join_names(path.as_bytes()),
        }
    }

    fn join_file(&self, path: &Path, directory: bool) -> Self {
        let base = self.directory().to_path().unwrap_or_default();
        let joined = Self::from_path(path, &base);
        if directory { joined.as_directory() } else { joined }
    }

    /// Joins a path that consists only of names, as all paths do except for those of files on Windows.
    fn join_names(&self, path: &[u8]) -> Result<Self, AddressError> {
        let mut whole =
            if path.first() == Some(&b'/') { Vec::new() } else { names::decoded(names::parent(self.path())) };
        whole.extend_from_slice(path);
        match &self.0.form {
            Form::Path { .. } | Form::Inside { .. } => Ok(self.with_path(&names::canonical_path(&whole, 0))),
            Form::Url(url) if url.cannot_be_a_base() => Err(AddressError::NoPath { base: self.to_string() }),
            Form::Url(url) => {
                let mut url = url.clone();
                url.set_query(None);
                url.set_fragment(None);
                url.set_path(&names::canonical_path(&whole, 0));
                Ok(Self::of_url(*url))
            }
        }
    }

    /// Returns the directory that contains this address: everything up to the last slash.
    ///
    /// A directory (an address that ends with a slash) and an address without a path are returned unchanged.
    #[must_use]
    pub fn directory(&self) -> Self {
        self.with_path(names::parent(self.path()))
    }

    /// Returns this address as a directory, with a trailing slash, so that [`Address::join`] continues below it.
    #[must_use]
    pub fn as_directory(&self) -> Self {
        if self.path().ends_with('/') {
            return self.with_path(self.path());
        }
        self.with_path(&format!("{}/", self.path()))
    }

    /// Returns the root directory of the file system or host.
    #[must_use]
    pub(crate) fn top(&self) -> Self {
        self.with_path("/")
    }

    /// Returns this address with the given path, which must be canonical and encoded, and without query and fragment.
    fn with_path(&self, path: &str) -> Self {
        match &self.0.form {
            Form::Path { .. } | Form::Inside { .. } if path == self.path() => self.clone(),
            Form::Path { start } => Self::of_text(format!("{}{path}", &self.0.text[..*start]), *start),
            Form::Inside { archive, start } => {
                Self::of_inside(format!("{}{path}", &self.0.text[..*start]), archive.clone(), *start)
            }
            Form::Url(url) if url.cannot_be_a_base() => self.clone(),
            Form::Url(url) => {
                let mut url = url.clone();
                url.set_query(None);
                url.set_fragment(None);
                url.set_path(path);
                Self::of_url(*url)
            }
        }
    }

    /// Returns the scheme, in lower case: `file`, `https`, …
    pub fn scheme(&self) -> &str {
        match &self.0.form {
            Form::Url(url) => url.scheme(),
            // Faster than a search for a character in such a short text.
            Form::Path { .. } | Form::Inside { .. } => {
                let end = self.0.text.bytes().position(|byte| byte == b':');
                end.map_or("", |end| &self.0.text[..end])
            }
        }
    }

    /// Returns the URL of the bucket that contains the object, or the archive in which the source is: `s3://bucket`.
    pub fn bucket(&self) -> Option<String> {
        let url = self.archive().unwrap_or(self).url().filter(|url| OBJECT_STORES.contains(&url.scheme()))?;
        Some(format!("{}://{}", url.scheme(), url.host_str()?))
    }

    /// Returns whether the address is that of a directory: whether its path ends with a slash.
    pub fn is_directory(&self) -> bool {
        self.path().ends_with('/')
    }

    /// Returns whether the source is on the network: on a web server or in an object store.
    pub fn is_remote(&self) -> bool {
        self.is_http() || self.is_object()
    }

    /// Returns whether the scheme is `http` or `https`.
    pub fn is_http(&self) -> bool {
        self.url().is_some_and(|url| matches!(url.scheme(), "http" | "https"))
    }

    /// Returns whether the scheme is that of an object store.
    pub fn is_object(&self) -> bool {
        self.url().is_some_and(|url| OBJECT_STORES.contains(&url.scheme()))
    }

    /// Returns whether the address is in the file system, possibly in an archive.
    pub(super) fn is_local(&self) -> bool {
        self.scheme() == FILE || self.archive().is_some_and(Self::is_local)
    }

    /// Returns the path in the file system; `None` unless the scheme is `file`.
    pub fn to_path(&self) -> Option<PathBuf> {
        match self.0.form {
            Form::Path { start } if self.scheme() == FILE => {
                let host = self.0.text[..start].trim_start_matches("file://");
                Some(names::to_path(host, names::decoded(self.path())))
            }
            _ => None,
        }
    }

    /// Returns the URL to request, with credentials; `None` for `file`, `memory`, `builtin` and files in archives.
    /// Never show this URL.
    pub fn url(&self) -> Option<&Url> {
        match &self.0.form {
            Form::Path { .. } | Form::Inside { .. } => None,
            Form::Url(url) => Some(url),
        }
    }

    /// Returns the decoded last segment of the path; for a directory, its name. Empty if there is no path.
    pub fn file_name(&self) -> &str {
        &self.0.file_name
    }

    /// Returns the address in the form that authors know: for files, the path, which is relative if it is below
    /// `directory`; for other schemes, the URL without credentials. A file in an archive is shown after the name of the
    /// archive, as in `service.zip!/types.yaml`.
    ///
    /// Characters that would disturb a terminal are escaped.
    pub fn display_name(&self, directory: Option<&Path>) -> String {
        if let Some(archive) = self.archive() {
            let path = percent_decode_str(self.path()).decode_utf8_lossy();
            return format!("{}!{}", archive.display_name(directory), names::escape_control_chars(path));
        }
        let Some(path) = self.to_path() else {
            return self.to_string();
        };
        let directory = directory.and_then(|path| {
            let is_plain =
                cfg!(unix) && path.is_absolute() && !path.components().any(|part| part == Component::ParentDir);
            if is_plain {
                return Some(Cow::Borrowed(path));
            }
            Self::from_path(path, Path::new("/")).to_path().map(Cow::Owned)
        });
        let shown = match directory.as_deref().and_then(|directory| path.strip_prefix(directory).ok()) {
            Some(relative) if relative.as_os_str().is_empty() => Path::new("."),
            Some(relative) => relative,
            None => &path,
        };
        names::escape_control_chars(shown.to_string_lossy())
    }

    /// Returns the number of directories between the directory `root` and this address; `None` if the address is not
    /// below `root`.
    pub(super) fn depth_below(&self, root: &Self) -> Option<usize> {
        if !self.same_origin(root) {
            return None;
        }
        let below = self.path().strip_prefix(root.path())?;
        Some(names::parent(below).split('/').filter(|name| !name.is_empty()).count())
    }

    /// Returns whether this address is the given directory or below it.
    pub(crate) fn is_below(&self, directory: &Self) -> bool {
        self.depth_below(&directory.as_directory()).is_some()
    }

    /// Returns whether both addresses are in the same file system, on the same host or in the same archive.
    pub(super) fn same_origin(&self, other: &Self) -> bool {
        match (&self.0.form, &other.0.form) {
            (Form::Path { start }, Form::Path { start: other_start })
            | (Form::Inside { start, .. }, Form::Inside { start: other_start, .. }) => {
                self.0.text[..*start] == other.0.text[..*other_start]
            }
            (Form::Url(url), Form::Url(other)) => {
                url.scheme() == other.scheme()
                    && url.host() == other.host()
                    && url.port_or_known_default() == other.port_or_known_default()
            }
            _ => false,
        }
    }

    /// Returns the encoded path.
    fn path(&self) -> &str {
        match &self.0.form {
            Form::Path { start } | Form::Inside { start, .. } => &self.0.text[*start..],
            Form::Url(url) => url.path(),
        }
    }

    fn of_file(host: &str, path: &[u8]) -> Self {
        let mut text = format!("{FILE}://{}", names::encoded(host.as_bytes()));
        let start = text.len();
        // On Windows, the first segment is a drive or a network share, and `..` can't lead above it.
        text.push_str(&names::canonical_path(path, usize::from(cfg!(windows))));
        Self::of_text(text, start)
    }

    fn of_names(scheme: &str, path: &[u8]) -> Self {
        let mut text = format!("{scheme}:");
        let start = text.len();
        text.push_str(&names::canonical_path(path, 0));
        Self::of_text(text, start)
    }

    fn of_text(text: String, start: usize) -> Self {
        let file_name = names::last_name(&text[start..]);
        Self(Arc::new(Inner { text: text.into(), form: Form::Path { start }, file_name }))
    }

    fn of_inside(text: String, archive: Self, start: usize) -> Self {
        let file_name = names::last_name(&text[start..]);
        Self(Arc::new(Inner { text: text.into(), form: Form::Inside { archive, start }, file_name }))
    }

    fn of_url(mut url: Url) -> Self {
        if matches!(url.scheme(), "http" | "https") {
            url.set_fragment(None);
        }
        let file_name = names::last_name(url.path());
        Self(Arc::new(Inner { text: url.as_str().into(), form: Form::Url(Box::new(url)), file_name }))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.form {
            Form::Path { .. } => f.write_str(&self.0.text),
            Form::Inside { archive, start } => {
                let archive = archive.to_string().replace('!', "%21");
                write!(f, "{ARCHIVE}:{archive}!{}", &self.0.text[*start..])
            }
            Form::Url(url) => f.write_str(&names::without_secrets(url)),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

impl PartialEq for Address {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.text == other.0.text
    }
}

impl Eq for Address {}

impl Hash for Address {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.text.hash(state);
    }
}

impl PartialOrd for Address {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Address {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.text.cmp(&other.0.text)
    }
}

#[cfg(test)]
pub(super) mod tests;
