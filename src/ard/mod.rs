//! Agnostic raw data: YAML as a flat tree of maps, lists and scalars that remember where they stand.
//!
//! Every language that is written in YAML starts with the same work: decode the bytes, split the text, type the scalars,
//! resolve anchors and merges, find duplicate keys, and survive hostile input. This module does that work once, for any
//! language, and reports what is wrong in terms of the text. What the keys mean is left to whoever reads the
//! [`Document`].
//!
//! The YAML is that of version 1.2 with its core schema, of which JSON is a part, and the `<<` merge key of older
//! versions, which authors expect to work.
//!
//! - [`decode`] makes text of bytes: UTF-8, UTF-16 or UTF-32.
//! - [`read`] makes a [`Document`] of text, and a list of problems. There is always a document: what stands before a
//!   syntax error is kept.
//!   [`read_beginning`] does so with what could be decoded of a broken text.
//! - [`Node`] is how one looks at a document. Aliases and merges are resolved by looking, never by copying.
//!
//! Whatever the input, reading takes time and memory in proportion to it: nesting, and what aliases expand to, are
//! bounded by [`Limits`]. Only serializing a node, and writing down a list or map that is used as a key, go through
//! nested nodes by recursion; [`Limits::MAX_DEPTH`] bounds it.

mod builder;
mod decode;
mod document;
mod event;
mod gap;
mod granit;
mod label;
mod node;
mod quote;
mod remedy;
mod scalar;
mod serialize;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use self::decode::decode;
pub use self::document::{Document, Kind, NodeId, Style};
pub use self::node::{Entries, Entry, Items, Node};
use crate::diagnostic::{Diagnostic, SourceId};
use crate::symbol::Interner;

/// How a text is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What is refused because of its size.
    pub limits: Limits,
    /// Which tags are allowed.
    pub tags: Tags,
}

/// What is refused because of its size, so that a small or hostile source cannot exhaust the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many maps and lists may be nested in one another, counted through aliases; at most [`Limits::MAX_DEPTH`].
    pub depth: u32,
    /// How many nodes aliases and merges may add to the tree, all together. A long text counts as one more node for
    /// every hundred bytes.
    pub expansion: u64,
    /// How many bytes a text may have; at most [`Limits::MAX_BYTES`].
    pub bytes: u64,
    /// How many problems are reported; further ones are left out, other than those that end the reading.
    pub problems: usize,
}

impl Limits {
    /// The largest depth that can be asked for. It keeps what goes through nested nodes by recursion, as serializing
    /// does, within the stack of a thread.
    pub const MAX_DEPTH: u32 = 500;

    /// The largest size of a text that can be asked for: 1 GiB. It keeps all positions within 32 bits.
    pub const MAX_BYTES: u64 = 1 << 30;
}

impl Default for Limits {
    /// 200 levels, ten million nodes by aliases, 256 MiB, ten thousand problems.
    fn default() -> Self {
        Self { depth: 200, expansion: 10_000_000, bytes: 1 << 28, problems: 10_000 }
    }
}

/// Which tags are allowed on nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tags {
    /// Those of YAML's core schema: `!!null`, `!!bool`, `!!int`, `!!float`, `!!str`, `!!seq`, `!!map`, and `!`.
    #[default]
    Core,
    /// Any. A node with another tag has the kind that it would have without it.
    Any,
}

/// Reads the first YAML document of a text.
///
/// Returns the document and all problems, in the order of the text. There is a document in any case; see
/// [`Document::is_complete`].
pub fn read(source: SourceId, text: Arc<str>, interner: &Interner, options: &Options) -> (Document, Vec<Diagnostic>) {
    let shared = Arc::clone(&text);
    let mut builder = builder::Builder::new(Document::new(source, text), &shared, interner, options);
    if shared.len() as u64 > options.limits.bytes.min(Limits::MAX_BYTES) {
        return builder.refuse_size();
    }
    let depth = options.limits.depth.min(Limits::MAX_DEPTH);
    let result = granit::read(&shared, depth, &mut builder);
    builder.finish(result)
}

/// Reads a text of which only the beginning is there, since [`decode`] could not make text of the rest.
///
/// The document is not complete. What the missing part may have mended is not reported, and the last line, in which the
/// text breaks off, is not read.
pub fn read_beginning(
    source: SourceId,
    text: Arc<str>,
    interner: &Interner,
    options: &Options,
) -> (Document, Vec<Diagnostic>) {
    let shared = Arc::clone(&text);
    let mut builder = builder::Builder::new(Document::new(source, text), &shared, interner, options);
    let depth = options.limits.depth.min(Limits::MAX_DEPTH);
    let whole_lines = shared.rfind(['\n', '\r']).map_or(0, |last| last + 1);
    let result = granit::read(&shared[..whole_lines], depth, &mut builder);
    builder.finish_beginning(result)
}
