//! Values with a string notation, and their spelling before 2.0.

use crate::ard::{Kind, Node, Style};
use crate::entity::LanguageVersion;
use crate::grammar::version::V2_0;
use crate::value::Timestamp;

/// Parses a timestamp. Before 2.0, the formats of YAML 1.1 are also accepted.
pub(crate) fn timestamp(text: &str, version: LanguageVersion) -> Option<Timestamp> {
    if version < V2_0 { Timestamp::parse_yaml(text) } else { Timestamp::parse(text) }
}

/// Decodes Base64 (RFC 2045: line breaks are ignored).
pub(crate) fn decode_base64(text: &str) -> Option<Vec<u8>> {
    use base64::Engine;
    let text: String = text.chars().filter(|letter| !matches!(letter, '\r' | '\n' | ' ' | '\t')).collect();
    base64::engine::general_purpose::STANDARD.decode(text).ok()
}

/// Parses an unquoted boolean in the spelling of YAML 1.1, which was the YAML of versions before 2.0.
pub(crate) fn boolean_1_1(node: Node<'_>, version: LanguageVersion) -> Option<bool> {
    if version >= V2_0 || node.kind() != Kind::String || node.style() != Style::Plain {
        return None;
    }
    match node.text().to_ascii_lowercase().as_str() {
        "yes" | "on" => Some(true),
        "no" | "off" => Some(false),
        _ => None,
    }
}
