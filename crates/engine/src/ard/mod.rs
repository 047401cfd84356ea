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
//!   syntax error is kept, and what follows it is read if it can be told how the error is to be mended.
//!   [`read_beginning`] does so with what could be decoded of a broken text.
//! - [`pack`] makes a few bytes of the document of a text that comes with a language, so that it need not be read each time.
//! - [`Node`] is how one looks at a document. Aliases and merges are resolved by looking, never by copying.
//!
//! Whatever the input, reading takes time and memory in proportion to it: nesting, and what aliases expand to, are
//! bounded by [`Limits`]. Only serializing a node, and writing down a list or map that is used as a key, go through
//! nested nodes by recursion; [`Limits::MAX_DEPTH`] bounds it.

mod assembler;
mod builder;
mod decode;
mod document;
mod event;
mod gap;
mod granit;
mod label;
mod layout;
mod lines;
mod node;
mod packed;
mod path;
mod quote;
mod recover;
mod remedy;
mod repaired;
mod scalar;
mod serialize;
mod stored;

#[cfg(test)]
mod tests;

pub use self::assembler::{Assembler, Origin};
pub use self::decode::decode;
pub(crate) use self::decode::decode_keeping;
pub use self::document::{Document, Kind, NodeId, Stop, Style, Use, WayId};
pub use self::layout::Layout;
pub use self::node::{Entries, Entry, Items, Keys, Node};
pub use self::packed::pack;
pub(crate) use self::packed::unpack;
pub use self::scalar::Schema;
use crate::diagnostic::{Diagnostic, SourceId};
use crate::rules;
use crate::symbol::Interner;
use crate::text::SharedText;
use recover::Recovery;

/// How a text is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What is refused because of its size.
    pub limits: Limits,
    /// What is YAML here.
    pub dialect: Dialect,
}

/// What is YAML, for a language that is written in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// How scalars are typed.
    pub schema: Schema,
    /// Which tags are allowed.
    pub tags: Tags,
    /// What becomes of several documents in one source.
    pub documents: Documents,
}

impl Dialect {
    /// YAML 1.2 with its core schema, one document in a source.
    pub const CORE: Self = Self { schema: Schema::Core, tags: Tags::Core, documents: Documents::First };
}

/// What becomes of several YAML documents in one source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Documents {
    /// The first one is read, and a second one is reported.
    #[default]
    First,
    /// All of them are read: the outermost node is a list of them, even if there is only one.
    All,
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
    /// 200 levels, 400 000 nodes by aliases, 256 MiB, ten thousand problems.
    fn default() -> Self {
        Self { depth: 200, expansion: 400_000, bytes: 1 << 28, problems: 10_000 }
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
pub fn read(source: SourceId, text: SharedText, interner: &Interner, options: &Options) -> (Document, Vec<Diagnostic>) {
    if text.len() as u64 <= options.limits.bytes.min(Limits::MAX_BYTES) {
        let document = Document::new(source, text.clone());
        if let Some(document) = lines::read(document, &text, interner, options) {
            return (document, Vec::new());
        }
    }
    read_by_library(source, text, interner, options)
}

/// As [`read`], but slowly: by the library that knows all of YAML, from the first character on. For comparisons.
#[doc(hidden)]
pub fn read_by_library(
    source: SourceId,
    text: SharedText,
    interner: &Interner,
    options: &Options,
) -> (Document, Vec<Diagnostic>) {
    let shared = text.clone();
    let mut builder = builder::Builder::new(Document::new(source, text), &shared, interner, options);
    if shared.len() as u64 > options.limits.bytes.min(Limits::MAX_BYTES) {
        return builder.refuse_size();
    }
    let depth = options.limits.depth.min(Limits::MAX_DEPTH);
    let result = granit::read(&shared, depth, &mut builder);
    match &result {
        Err(event::Stop::Syntax(error)) => {
            let at = error.place.start;
            let (document, problems) = builder.finish(result);
            read_on((document, problems), at, &shared, interner, options)
        }
        _ => builder.finish(result),
    }
}

/// Reads what follows a syntax error, at an offset, in a text that is mended as far as that can be done.
fn read_on(
    (mut document, mut problems): (Document, Vec<Diagnostic>),
    at: u32,
    original: &SharedText,
    interner: &Interner,
    options: &Options,
) -> (Document, Vec<Diagnostic>) {
    let depth = options.limits.depth.min(Limits::MAX_DEPTH);
    let mut recovery = Recovery::new(depth);
    let mut text = original.clone();
    let mut errors = Vec::new();
    let (mut is_shortened, mut at) = (false, Some(at));
    while let Some(mended) = at.and_then(|at| recovery.mend(&text, at as usize)) {
        is_shortened |= mended.is_shortened;
        let error = syntax_error(problems).filter(|error| !mended.is_consequence && is_new(error, &errors));
        errors.extend(error.map(|error| with_help(error, mended.help)));
        text = mended.text.into();
        let shared = text.clone();
        let beginning = Document::mended(document.source(), original.clone(), text.clone());
        let mut builder = builder::Builder::new(beginning, &shared, interner, options);
        let result = granit::read(&shared, depth, &mut builder);
        at = match &result {
            Err(event::Stop::Syntax(error)) => Some(error.place.start),
            _ => None,
        };
        (document, problems) = builder.finish(result);
    }
    document.complete &= !is_shortened;
    problems.retain(|problem| is_new(problem, &errors));
    problems.extend(errors);
    problems.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
    (document, problems)
}

/// The error at which reading ended.
fn syntax_error(problems: Vec<Diagnostic>) -> Option<Diagnostic> {
    problems.into_iter().find(|problem| problem.rule.code == rules::YAML_SYNTAX.code)
}

/// Whether an error has not been reported: what mends one may only move where the text breaks.
fn is_new(problem: &Diagnostic, errors: &[Diagnostic]) -> bool {
    errors.iter().all(|error| error.rule.code != problem.rule.code || error.span != problem.span)
}

/// An error with what mends it, before what may be a guess. Two that begin with the same verb are the same remedy, of
/// which the first one names the line.
fn with_help(mut error: Diagnostic, help: Option<String>) -> Diagnostic {
    if let Some(help) = help {
        let verb = |help: &str| help.split(' ').next().map(str::to_owned);
        error.help.retain(|guess| verb(guess) != verb(&help) || guess.contains("{{"));
        error.help.insert(0, help);
    }
    error
}

/// Reads a text of which only the beginning is there, since [`decode`] could not make text of the rest.
///
/// The document is not complete. What the missing part may have mended is not reported, and the last line, in which the
/// text breaks off, is not read.
pub fn read_beginning(
    source: SourceId,
    text: SharedText,
    interner: &Interner,
    options: &Options,
) -> (Document, Vec<Diagnostic>) {
    let shared = text.clone();
    let mut builder = builder::Builder::new(Document::new(source, text), &shared, interner, options);
    let depth = options.limits.depth.min(Limits::MAX_DEPTH);
    let whole_lines = shared.rfind(['\n', '\r']).map_or(0, |last| last + 1);
    let result = granit::read(&shared[..whole_lines], depth, &mut builder);
    builder.finish_beginning(result)
}
