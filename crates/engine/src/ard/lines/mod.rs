//! Reads YAML line by line, as long as it is written in the way that nearly all templates are.
//!
//! A library that knows all of YAML goes through a text character by character, asks at each of them what it may mean,
//! and makes a token and an event of what it finds. Templates use a small part of YAML: maps and lists by indentation,
//! words, quoted texts, blocks of text, brackets. What that part means is seen from the beginning of a line and a few
//! characters, and can be written into a [`Document`] at once.
//!
//! So a text is first read here. At the first thing that is not known here, which includes everything that is wrong,
//! the text is handed to the library as a whole: [`read`] returns nothing, and nobody can tell the difference but by the
//! time that it takes. Therefore nothing here reports a problem, and whatever is read here is read in the same way by
//! the library: the same nodes, places and comments. Tests and a fuzz target compare both.
//!
//! If all documents of a text are wanted, a text with one document is read here as well: 75 files of 189 KB in total take
//! 1.4 ms instead of 3.2 ms (November 2026).
//!
//! - [`block`] goes through the lines: maps and lists by indentation.
//! - [`pieces`] lets several threads read parts of a long text.
//! - [`flow`] reads what stands in brackets.
//! - [`token`] finds where texts end; [`fold`] joins those of several lines, [`quoted`] and [`literal`] are about
//!   particular styles.
//! - [`tree`] writes the nodes.
//!
//! Measured 2026-11-25: a whole parse of 100 000 node templates (41 MB, one thread) takes 0.53 s of CPU time, against
//! 1.37 s if an anchor hands the text to the library.

mod alphabet;
mod block;
mod flow;
mod fold;
mod literal;
mod pieces;
mod quoted;
mod token;
mod tree;

use self::block::Next;
use self::tree::Tree;
use super::document::Document;
use super::{Documents, Limits, Options};
use crate::symbol::Interner;

/// Reads a text; nothing if there is anything in it that only the library knows.
///
/// The given document is an empty one.
pub(super) fn read(document: Document, text: &str, interner: &Interner, options: &Options) -> Option<Document> {
    read_in_pieces(document, text, interner, options, pieces::length(text))
}

/// As [`read`], in pieces of about the given length.
pub(super) fn read_in_pieces(
    mut document: Document,
    text: &str,
    interner: &Interner,
    options: &Options,
    length: usize,
) -> Option<Document> {
    if !alphabet::is_known(text.as_bytes()) {
        return None;
    }
    document.schema = options.dialect.schema;
    let depth = options.limits.depth.min(Limits::MAX_DEPTH) as usize;
    let mut tree = Tree::new(document, text.len(), interner, depth);
    let reads_all = options.dialect.documents == Documents::All;
    if reads_all {
        tree.open_documents();
    }
    let lines =
        Lines { text, bytes: text.as_bytes(), tree, next: Next::Value { after: 0 }, floor: 0, until: text.len() };
    let cuts = pieces::cuts(text, length);
    let mut lines = if cuts.is_empty() { lines.whole() } else { pieces::read(lines, &cuts) }.ok()?;
    lines.end().ok()?;
    if reads_all {
        lines.tree.close_documents().ok()?;
    }
    Some(lines.tree.finish())
}

/// A text that is being read.
struct Lines<'a> {
    text: &'a str,
    bytes: &'a [u8],
    tree: Tree<'a>,
    /// What the next line is expected to bring.
    next: Next,
    /// Lines that begin further to the left are not read here.
    floor: u32,
    /// Lines from here on are not read here.
    until: usize,
}

/// Something that only the library knows, or that is wrong.
#[derive(Clone, Copy, Debug)]
struct Unknown;

type Known<T> = Result<T, Unknown>;
