//! The syntax of addresses: schemes, names and encodings.
//!
//! This module contains everything that is common to all kinds of [`Address`](super::Address) and is independent of the
//! file system.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};
use url::Url;

use crate::diagnostic::is_secret_parameter;

/// All characters except those that RFC 3986 allows unencoded in a path segment.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// Returns the scheme at the start of `text`, without its colon. A single letter is not a scheme but a Windows drive.
pub(super) fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once(':')?;
    let mut bytes = scheme.bytes();
    let valid = scheme.len() > 1
        && bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    valid.then_some(scheme)
}

/// Returns whether a name ends with one of the given extensions, in upper or lower case.
pub(super) fn has_ending(name: &str, endings: &[&str]) -> bool {
    let name = name.as_bytes();
    endings.iter().any(|ending| {
        name.len() > ending.len() && name[name.len() - ending.len()..].eq_ignore_ascii_case(ending.as_bytes())
    })
}

/// Returns whether a file is in YAML or JSON, judging by its name. Problems in other files must not show their content,
/// because a template may refer to any file on the system: pass a name with links resolved.
pub fn is_yaml_name(name: &str) -> bool {
    has_ending(name, &[".yaml", ".yml", ".json"])
}

/// Returns whether a name has the extension of a supported archive format.
#[cfg(feature = "archive")]
pub(super) fn is_archive(name: &str) -> bool {
    has_ending(name, &[".zip", ".tar", ".tar.gz", ".tgz"])
}

/// Splits an argument such as `service.zip!/types.yaml` into an archive and a path in the archive; returns `None` if it
/// does not have this form. Languages define the extensions of archives, so any extension counts, but there must be
/// one.
pub(super) fn in_archive(argument: &str) -> Option<(&str, &str)> {
    let has_any_ending = |name: &str| {
        last_name(name).rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && !ending.is_empty())
    };
    argument
        .match_indices("!/")
        .map(|(at, _)| (&argument[..at], &argument[at + 2..]))
        .find(|(name, _)| has_any_ending(name))
}

/// Decodes percent-encoded names.
pub(super) fn decoded(text: &str) -> Vec<u8> {
    Cow::from(percent_decode_str(text)).into_owned()
}

/// Encodes a name for use in a URL.
pub(super) fn encoded(name: &[u8]) -> Cow<'_, str> {
    percent_encode(name, ENCODED).into()
}

/// Returns the canonical, encoded form of a path that consists of literal names: absolute, without `.`, `..` and empty
/// names. `..` can't lead above the first `fixed` names. The path of a directory keeps its trailing slash.
pub(super) fn canonical_path(path: &[u8], fixed: usize) -> String {
    let mut names: Vec<&[u8]> = Vec::new();
    let mut directory = true;
    for name in path.split(|byte| *byte == b'/') {
        directory = true;
        match name {
            b"" | b"." => {}
            b".." => names.truncate(names.len().saturating_sub(1).max(fixed)),
            _ => {
                directory = false;
                names.push(name);
            }
        }
    }
    let mut canonical = String::with_capacity(path.len() + 1);
    for name in names {
        canonical.push('/');
        canonical.extend(percent_encode(name, ENCODED));
    }
    if directory {
        canonical.push('/');
    }
    canonical
}

/// Returns the path up to and including the last slash.
pub(super) fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..=slash])
}

/// Returns the last segment of an encoded path, decoded.
pub(super) fn last_name(path: &str) -> Box<str> {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    percent_decode_str(name).decode_utf8_lossy().into()
}

/// Returns whether a path can only refer to a directory, judging by its end.
pub(super) fn is_directory(path: &str) -> bool {
    let separators: &[char] = if cfg!(windows) { &['/', '\\'] } else { &['/'] };
    matches!(path.rsplit(separators).next(), Some("" | "." | ".."))
}

/// Converts a path to a URL reference that can't lead to a different host.
///
/// By the URL standard, control characters are dropped and a backslash is read as a slash, so that a path could become
/// a reference to a different host (`/\example.com`). Such characters are encoded or removed before the URL library
/// parses the path.
pub(super) fn url_reference(path: &str) -> String {
    let path = path.split_once('#').map_or(path, |(path, _)| path);
    let (path, query) = path.split_at(path.find('?').unwrap_or(path.len()));
    let path = path.trim().replace('\\', "/");
    let names = path.trim_start_matches('/');
    let mut reference = String::with_capacity(path.len() + query.len() + 2);
    // After `./`, a first name with a colon is not taken for a scheme.
    reference.push_str(match (path.len() > names.len(), names.is_empty()) {
        (true, _) => "/",
        (false, false) => "./",
        (false, true) => "",
    });
    for part in [names, query.trim_end()] {
        for (at, char) in part.char_indices() {
            let escape = part.as_bytes().get(at + 1..at + 3);
            if char.is_ascii_control() {
                reference.extend(percent_encode(&[char as u8], ENCODED));
            } else if char == '%' && !escape.is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) {
                reference.push_str("%25");
            } else {
                reference.push(char);
            }
        }
    }
    reference
}

/// Returns the URL without credentials: the user name, the password, and secrets in the path and query.
pub(super) fn without_secrets(url: &Url) -> Cow<'_, str> {
    let secret_query = url.query().is_some_and(|query| query.split('&').any(is_secret));
    let path = masked_path(url.path());
    if url.username().is_empty() && url.password().is_none() && !secret_query && path.is_none() {
        return url.as_str().into();
    }
    let mut url = url.clone();
    if let Some(path) = path {
        url.set_path(&path);
    }
    // Both calls fail for URLs that can't have credentials, which is fine.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    if secret_query {
        let query: Vec<Cow<'_, str>> =
            url.query().into_iter().flat_map(|query| query.split('&')).map(mask_parameter).collect();
        let query = query.join("&");
        url.set_query(Some(&query));
    }
    String::from(url).into()
}

fn is_secret(parameter: &str) -> bool {
    let name = parameter.split('=').next().unwrap_or_default();
    is_secret_parameter(&percent_decode_str(name).decode_utf8_lossy())
}

/// Returns the path with its parameters (`;name=value`) masked; `None` if no parameter is a secret.
fn masked_path(path: &str) -> Option<String> {
    let of_segment = |segment: &str| segment.split(';').skip(1).any(is_secret);
    path.split('/').any(of_segment).then(|| {
        let segments =
            path.split('/').map(|segment| segment.split(';').map(mask_parameter).collect::<Vec<_>>().join(";"));
        segments.collect::<Vec<_>>().join("/")
    })
}

fn mask_parameter(parameter: &str) -> Cow<'_, str> {
    match parameter.split_once('=') {
        Some((name, _)) if is_secret(parameter) => format!("{name}=***").into(),
        _ => parameter.into(),
    }
}

/// Returns a string that was meant as a URL, as shown in messages. Everything that may be credentials is removed,
/// because their extent is unclear in an invalid URL.
pub(super) fn redacted(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("//").filter(|(scheme, _)| scheme.ends_with(':')) else {
        return escape_control_chars(text.into());
    };
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    let shown = match rest.split_once('?') {
        Some((path, _)) => format!("{scheme}//{path}?***"),
        None => format!("{scheme}//{rest}"),
    };
    escape_control_chars(shown.into())
}

/// Escapes all characters that would move a terminal's cursor or reverse the text after them.
pub fn escape_control_chars(text: Cow<'_, str>) -> String {
    let harmful = |char: char| {
        char.is_control() || matches!(char, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(harmful) {
        return text.into_owned();
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for char in text.chars() {
        if harmful(char) {
            shown.extend(char.escape_default());
        } else {
            shown.push(char);
        }
    }
    shown
}

/// Converts the bytes of a path to a path for the operating system. Except on Unix, names are Unicode.
#[cfg(unix)]
pub(super) fn bytes_to_path(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
pub(super) fn bytes_to_path(bytes: Vec<u8>) -> PathBuf {
    unicode(bytes).into()
}

#[cfg(not(unix))]
fn unicode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Splits an absolute path into a host, which exists only on Windows, and names, each preceded by a slash.
#[cfg(unix)]
pub(super) fn path_to_bytes(path: &Path) -> (String, Vec<u8>) {
    use std::os::unix::ffi::OsStrExt;
    (String::new(), path.as_os_str().as_bytes().to_vec())
}

#[cfg(windows)]
pub(super) fn path_to_bytes(path: &Path) -> (String, Vec<u8>) {
    use std::path::{Component, Prefix};
    let mut host = String::new();
    let mut names = String::new();
    for component in path.components() {
        let name = match component {
            Component::Prefix(prefix) => match prefix.kind() {
                Prefix::Disk(drive) | Prefix::VerbatimDisk(drive) => {
                    format!("{}:", char::from(drive.to_ascii_uppercase())).into()
                }
                Prefix::UNC(server, share) | Prefix::VerbatimUNC(server, share) => {
                    host = server.to_string_lossy().into_owned();
                    share.to_string_lossy().into_owned().into()
                }
                Prefix::DeviceNS(name) | Prefix::Verbatim(name) => name.to_string_lossy(),
            },
            Component::RootDir => continue,
            other => other.as_os_str().to_string_lossy(),
        };
        names.push('/');
        names.push_str(&name);
    }
    (host, names.into_bytes())
}

#[cfg(not(any(unix, windows)))]
pub(super) fn path_to_bytes(path: &Path) -> (String, Vec<u8>) {
    (String::new(), path.to_string_lossy().into_owned().into_bytes())
}

/// Reverses [`path_to_bytes`].
#[cfg(not(windows))]
pub(super) fn to_path(_host: &str, path: Vec<u8>) -> PathBuf {
    bytes_to_path(path)
}

#[cfg(windows)]
pub(super) fn to_path(host: &str, path: Vec<u8>) -> PathBuf {
    let path = unicode(path).replace('/', "\\");
    if !host.is_empty() {
        return format!("\\\\{}{path}", percent_decode_str(host).decode_utf8_lossy()).into();
    }
    let path = path.trim_start_matches('\\');
    // `C:` alone would be the current directory on the drive.
    if path.len() == 2 { format!("{path}\\").into() } else { path.into() }
}

/// Returns the path of a `file` URL with the drive normalized: `/c|/` and `/c:/` become `/C:/`.
pub(super) fn drive_with_colon(mut path: Vec<u8>) -> Vec<u8> {
    if cfg!(windows) && path.len() > 2 && path[1].is_ascii_alphabetic() && matches!(path[2], b':' | b'|') {
        path[1].make_ascii_uppercase();
        path[2] = b':';
    }
    path
}
