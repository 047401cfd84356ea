//! Masks credentials in output.
//!
//! Sources may contain URLs with passwords and tokens, and any output that quotes such a source would leak them into
//! build logs. So all output goes through [`mask_credentials`].

use std::borrow::Cow;
use std::ops::Range;

/// Substrings of names that suggest a secret.
const PARTS: [&str; 9] =
    ["password", "passwd", "passphrase", "secret", "token", "credential", "private_key", "api_key", "access_key"];

/// Names that suggest a secret only for URL parameters, because they are too general elsewhere.
const PARAMETERS: [&str; 12] =
    ["sig", "signature", "key", "auth", "authorization", "pwd", "pass", "code", "jwt", "sas", "session", "sid"];

/// Returns whether the name of a property or an input suggests a secret.
pub fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('-', "_");
    PARTS.iter().any(|part| name.contains(part) || name.contains(&part.replace('_', "")))
}

/// Returns whether a URL parameter is a credential.
pub fn is_secret_parameter(name: &str) -> bool {
    is_secret(name)
        || PARAMETERS.iter().any(|secret| name.eq_ignore_ascii_case(secret))
        || ["signature", "-key", "_key"].iter().any(|end| name.to_ascii_lowercase().ends_with(end))
}

/// The replacement for a credential. Its length does not depend on that of the credential.
pub(crate) const MASK: &str = "*****";

/// Replaces the credentials in URLs with `*****`.
///
/// ```
/// use tosca_parse_engine::diagnostic::mask_credentials;
///
/// assert_eq!(mask_credentials("see https://ada:pw@example.com/a.yaml"), "see https://*****@example.com/a.yaml");
/// assert_eq!(mask_credentials("at /a.yaml?v=1&access_key=123"), "at /a.yaml?v=1&access_key=*****");
/// ```
pub fn mask_credentials(text: &str) -> Cow<'_, str> {
    let ranges = credential_ranges(text);
    if ranges.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut end = 0;
    for range in ranges {
        shown.extend([&text[end..range.start], MASK]);
        end = range.end;
    }
    shown.push_str(&text[end..]);
    Cow::Owned(shown)
}

/// Returns the positions of the credentials in URLs, in order and apart from each other.
pub(crate) fn credential_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges = credentials(text);
    ranges.extend(parameters(text));
    ranges.retain(|range| !range.is_empty());
    ranges.sort_unstable_by_key(|range| range.start);
    ranges.dedup_by(|next, last| {
        let overlaps = next.start <= last.end;
        if overlaps {
            last.end = last.end.max(next.end);
        }
        overlaps
    });
    ranges
}

fn ends_token(character: char) -> bool {
    character.is_whitespace() || matches!(character, '"' | '\'' | '`' | '<' | '>')
}

/// Finds user names and passwords before hosts.
fn credentials(text: &str) -> Vec<Range<usize>> {
    let found = text.match_indices("://").filter_map(|(at, sign)| {
        let start = at + sign.len();
        let token = computed_token(&text[start..]);
        let host = token.find(['/', '?', '#']).map_or(token, |end| &token[..end]);
        // A slash is not allowed in a password in a URL, but a password that contains one anyway must still be masked.
        let has_port = host.rsplit_once(':').is_none_or(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
        let end = host.rfind('@').or_else(|| token.rfind('@').filter(|_| !has_port && !host.contains('[')));
        end.map(|end| start..start + end)
    });
    found.collect()
}

/// Returns the start of a text up to the end of a token, which may contain expressions such as `{{ password }}`.
fn computed_token(text: &str) -> &str {
    let mut end = 0;
    while let Some(character) = text[end..].chars().next() {
        let line = text[end..].lines().next().unwrap_or_default();
        match line.strip_prefix("{{").and_then(|line| line.find("}}")) {
            Some(length) => end += "{{".len() + length + "}}".len(),
            None if ends_token(character) => break,
            None => end += character.len_utf8(),
        }
    }
    &text[..end]
}

/// Finds the values of parameters in queries, fragments and paths of URLs.
fn parameters(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices('=').filter_map(|(at, _)| {
        let before = &text[..at];
        let name = before.trim_end_matches(is_of_name).len();
        let is_parameter = before[..name].ends_with(['?', '&', ';', '#']);
        let is_secret = is_parameter && is_secret_parameter(&before[name..]);
        let value = token(&text[at + 1..]);
        let length = value.find(['&', ';', '#']).unwrap_or(value.len());
        (is_secret && length > 0).then(|| at + 1..at + 1 + length)
    })
}

fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.' | '%')
}

fn token(text: &str) -> &str {
    text.find(ends_token).map_or(text, |end| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_masked() {
        for (text, shown) in [
            ("http://user:pw@host/x", "http://*****@host/x"),
            ("- \"http://user@host\" # a@b", "- \"http://*****@host\" # a@b"),
            ("ftp://a:b@c@host:21/", "ftp://*****@host:21/"),
            ("http://user:p/w@host/", "http://*****@host/"),
            ("http://ä:ö@h http://b:c@d", "http://*****@h http://*****@d"),
            ("http://ada:{{ p + \"x\" }}@h/ a", "http://*****@h/ a"),
            ("http://{{ user }}:{{ p }}@h", "http://*****@h"),
            ("url?access_key=1&b=2;password=3#x", "url?access_key=*****&b=2;password=*****#x"),
            ("https://h/a;password=b/c", "https://h/a;password=*****"),
            ("?X-Amz-Signature=ab&jwt=c.d", "?X-Amz-Signature=*****&jwt=*****"),
        ] {
            assert_eq!(mask_credentials(text), shown);
        }
    }

    #[test]
    fn other_text_is_not_masked() {
        for text in [
            "http://host:80/pkg@1.0",
            "mail a@b.c",
            "password=x",
            "http://[::1]:80/a@b",
            "a: b",
            "?page=2&v=1",
            "",
            "https://host/@scope/x",
            "http://{{ host }}/a b@c",
            "http://{{ host",
            "?token=",
        ] {
            assert!(matches!(mask_credentials(text), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn secrets_are_recognized_by_name() {
        for name in ["password", "db_PASSWORD", "access-token", "privateKey", "apiKey"] {
            assert!(is_secret(name), "{name}");
        }
        for name in ["key_name", "port", "keys", "user"] {
            assert!(!is_secret(name), "{name}");
        }
        assert!(is_secret_parameter("key") && is_secret_parameter("Subscription-Key") && !is_secret_parameter("page"));
    }
}
