//! Precompiled documents.
//!
//! The built-in profiles are ordinary files, and reading them again in each run is a considerable part of the work for
//! small templates. So the result of reading is stored next to the text: the nodes, in a few bytes each. The values of
//! scalars are not included unless they differ from the source text.
//!
//! Measured 2026-11-25: without packed profiles, parsing a template of a few lines together with the types of its
//! language takes 33 % more instructions.

use super::document::{Document, Kind, NodeId, Style};
use super::node_store::{NO_KEY, NewNode, Text, flag};
use super::scalar::Schema;
use crate::diagnostic::SourceId;
use crate::symbol::Interner;
use crate::text::SharedText;

/// The version of the format, stored in the first byte.
const FORM: u8 = 2;

/// The first byte of a node has three bits for the kind, three for the style, and these two.
mod bit {
    /// The value of the scalar follows.
    pub(super) const UNESCAPED: u8 = 1 << 6;
    /// The number of the scalar among the keys follows.
    pub(super) const KEY: u8 = 1 << 7;
}

const KINDS: [Kind; 7] = [Kind::Null, Kind::Boolean, Kind::Integer, Kind::Float, Kind::String, Kind::Map, Kind::List];

const STYLES: [Style; 7] =
    [Style::Plain, Style::SingleQuoted, Style::DoubleQuoted, Style::Literal, Style::Folded, Style::Block, Style::Flow];

/// Packs a document for storage next to its text, as [`BuiltInProfile::packed`](crate::entity::BuiltInProfile::packed).
/// Returns `None` if it contains anchors, aliases, merges or tags, which are not supported. Problems are not packed
/// either, so the document must not have any.
pub fn pack(document: &Document) -> Option<Vec<u8>> {
    let Document { text, nodes, comments, keys, schema, complete: true, assembled: false, repaired: None, .. } =
        document
    else {
        return None;
    };
    let mut bytes = vec![FORM, *schema as u8];
    bytes.extend(fingerprint(text).to_le_bytes());
    let mut out = Packer { bytes, last: 0 };
    out.number(nodes.len() as u32);
    let mut next_key = 0;
    for id in (0..nodes.len() as u32).map(NodeId::new) {
        if nodes.flags(id) & !flag::UNESCAPED != 0 {
            return None;
        }
        let is_collection = nodes.is_collection(id);
        let unescaped = if let Text::Unescaped(text) = nodes.text(id) { Some(text) } else { None };
        let key = if is_collection { NO_KEY } else { nodes.number_of_key(id) };
        let form = nodes.kind(id) as u8 | (nodes.style(id) as u8) << 3;
        let marks = [(unescaped.is_some(), bit::UNESCAPED), (key != NO_KEY, bit::KEY)];
        let first = marks.iter().filter(|(is_set, _)| *is_set).fold(form, |byte, (_, bit)| byte | bit);
        out.bytes.push(first);
        let place = nodes.range(id);
        out.place(place.start, place.end)?;
        if is_collection {
            out.number(nodes.inside(id));
        }
        if let Some(text) = unescaped {
            out.text(document.unescaped.get(text));
        }
        if key != NO_KEY {
            // Key numbers are assigned in order, so a new number needs no text: the node itself has the key's text.
            if key > next_key {
                return None;
            }
            next_key = next_key.max(key + 1);
            out.number(key);
        }
    }
    out.number(comments.len() as u32);
    out.last = 0;
    for comment in comments {
        out.place(comment.start, comment.end)?;
    }
    (next_key as usize == keys.len()).then_some(out.bytes)
}

/// Unpacks the document for `text`; returns `None` if it was packed for a different text or schema. Positions are not
/// validated against the text, so this must only be used for built-in files.
pub(crate) fn unpack(
    source: SourceId,
    text: &SharedText,
    packed: &[u8],
    interner: &Interner,
    schema: Schema,
) -> Option<Document> {
    let (head, rest) = packed.split_at_checked(2 + size_of::<u64>())?;
    if head[..2] != [FORM, schema as u8] || head[2..] != fingerprint(text).to_le_bytes() {
        return None;
    }
    let mut document = Document::new(source, text.clone());
    document.schema = schema;
    document.unpacked = true;
    let mut from = Unpacker { rest, last: 0 };
    let count = from.number()?;
    document.nodes.reserve((count as usize).min(packed.len()));
    // The open maps and lists, each with the index of the node after it and its end position.
    let mut open: Vec<(NodeId, u32, u32)> = Vec::new();
    for number in 0..count {
        let first = from.byte()?;
        let kind = *KINDS.get(usize::from(first & 7))?;
        let style = *STYLES.get(usize::from(first >> 3 & 7))?;
        let (start, end) = from.place()?;
        if matches!(kind, Kind::Map | Kind::List) {
            let id = document.nodes.push(NewNode::collection(kind, style, start));
            open.push((id, (number + 1).checked_add(from.number()?)?, end));
        } else {
            let is_unescaped = first & bit::UNESCAPED != 0;
            let unescaped = if is_unescaped { Some(from.text()?) } else { None };
            let key = if first & bit::KEY != 0 { from.number()? } else { NO_KEY };
            let known = document.keys.len() as u32;
            if key != NO_KEY && key > known {
                return None;
            }
            let mut node = NewNode::scalar(kind, style, (start, end), key);
            if let Some(text) = unescaped {
                node = node.unescaped(document.unescaped.push(text));
            }
            let id = document.nodes.push(node);
            if key == known {
                let symbol = interner.intern(document.node(id).text());
                document.keys.push(symbol);
            }
        }
        while let Some((id, _, end)) = open.pop_if(|(_, after, _)| *after == number + 1) {
            document.nodes.close(id, end);
        }
    }
    if !open.is_empty() {
        return None;
    }
    from.last = 0;
    for _ in 0..from.number()? {
        let (start, end) = from.place()?;
        document.comments.push(start..end);
    }
    from.rest.is_empty().then_some(document)
}

/// Returns a hash for which collisions are unlikely.
fn fingerprint(text: &str) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let (words, rest) = text.as_bytes().as_chunks();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
    words.fold(text.len() as u64, |sum, word| (sum.rotate_left(5) ^ word).wrapping_mul(FACTOR))
}

struct Packer {
    bytes: Vec<u8>,
    /// The start position of the previous node; the next one is stored relative to it.
    last: u32,
}

impl Packer {
    /// Writes a number in groups of seven bits per byte, lowest first. All bytes but the last have the eighth bit set.
    fn number(&mut self, mut number: u32) {
        while number > 0x7F {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn place(&mut self, start: u32, end: u32) -> Option<()> {
        self.number(start.checked_sub(self.last)?);
        self.number(end.checked_sub(start)?);
        self.last = start;
        Some(())
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u32);
        self.bytes.extend(text.as_bytes());
    }
}

struct Unpacker<'a> {
    rest: &'a [u8],
    last: u32,
}

impl<'a> Unpacker<'a> {
    #[inline]
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    #[inline]
    fn number(&mut self) -> Option<u32> {
        let first = self.byte()?;
        if first <= 0x7F { Some(u32::from(first)) } else { self.long_number(first) }
    }

    fn long_number(&mut self, first: u8) -> Option<u32> {
        let (mut number, mut shift, mut byte) = (u32::from(first & 0x7F), 0, first);
        while byte > 0x7F {
            byte = self.byte()?;
            shift += 7;
            number |= u32::from(byte & 0x7F).checked_shl(shift)?;
        }
        Some(number)
    }

    #[inline]
    fn place(&mut self) -> Option<(u32, u32)> {
        let start = self.last.checked_add(self.number()?)?;
        self.last = start;
        Some((start, start.checked_add(self.number()?)?))
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = self.number()? as usize;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        str::from_utf8(text).ok()
    }
}
