//! Agnostic raw data: YAML as a flat tree of maps, lists and scalars with their positions.
//!
//! Every YAML-based language begins with the same work: decoding the bytes, splitting the text into tokens, determining
//! the types of scalars, resolving anchors and merges, finding duplicate keys, and surviving hostile input. This module
//! does that work once, for any language, and reports problems with their positions in the text. The users of the
//! [`Document`] decide what the keys mean.
//!
//! The supported YAML is version 1.2 with its core schema, a superset of JSON, plus the `<<` merge key of older
//! versions, which authors expect to work.
//!
//! - [`decode`] decodes bytes: UTF-8, UTF-16 or UTF-32.
//! - [`read`] converts text to a [`Document`] and a list of problems. There is always a document: the content before a
//!   syntax error is kept, and the content after the error is read if the error can be repaired. [`read_beginning`]
//!   reads a source of which only the beginning could be decoded.
//! - [`pack`] compresses the document of a built-in source to a few bytes, so that the source need not be parsed each
//!   time.
//! - [`Node`] is a view of a node in a document. It resolves aliases and merges on access, without copying.
//!
//! For any input, reading takes time and memory in proportion to its size: [`Limits`] bounds the nesting and the
//! expansion of aliases. Only two operations recurse into nested nodes: serializing a node, and writing a list or map
//! that is used as a key. [`Limits::MAX_DEPTH`] bounds this recursion.

mod assembler;
mod builder;
mod decode;
mod document;
mod event;
mod granit;
mod indicator;
mod label;
mod layout;
mod line_reader;
mod node;
mod node_store;
mod packed;
mod path;
mod quote;
mod recover;
mod scalar;
mod serialize;
mod source_map;
mod syntax_hint;

#[cfg(test)]
mod tests;

pub use self::assembler::{Assembler, Origin};
pub use self::decode::decode;
pub(crate) use self::decode::decode_keeping;
pub use self::document::{Document, Kind, NodeId, NodeUse, ProvenanceId, ProvenanceStep, Style};
pub use self::layout::{Layout, write_scalar};
pub use self::node::{Entries, Entry, Items, Keys, Node};
pub use self::packed::pack;
pub(crate) use self::packed::unpack;
pub use self::scalar::Schema;
use crate::diagnostic::{Diagnostic, SourceId, Span};
use crate::rules;
use crate::symbol::Interner;
use crate::text::SharedText;
use recover::{Mistake, Recovery};
use source_map::SourceMap;

/// The options for reading YAML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The limits on the size of the input.
    pub limits: Limits,
    /// The YAML dialect.
    pub dialect: Dialect,
    /// Whether reading stops at the first syntax error. Otherwise the text is repaired as far as possible, which takes
    /// several readings of the whole text.
    pub stops_at_error: bool,
}

/// The YAML dialect of a language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// The schema that determines the types of scalars.
    pub schema: Schema,
    /// The allowed tags.
    pub tags: Tags,
    /// The treatment of several documents in one source.
    pub documents: Documents,
    /// The tag that makes a string in quotes an expression; `None` if the language has no such tag.
    pub expression_tag: Option<&'static str>,
}

impl Dialect {
    /// YAML 1.2 with its core schema, one document per source.
    pub const CORE: Self =
        Self { schema: Schema::Core, tags: Tags::Core, documents: Documents::First, expression_tag: None };
}

/// The treatment of several YAML documents in one source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Documents {
    /// Only the first one is read; a second one is reported.
    #[default]
    First,
    /// All documents are read. The root is a list of the documents, even if there is only one.
    All,
}

/// The limits on the size of the input, so that a small or hostile source can't exhaust the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum nesting depth of maps and lists, with aliases expanded; at most [`Limits::MAX_DEPTH`].
    pub depth: u32,
    /// The maximum number of nodes that aliases and merges may add to the tree in total. A scalar counts as one
    /// additional node for every hundred bytes.
    pub expansion: u64,
    /// The maximum size of a source, in bytes; at most [`Limits::MAX_BYTES`].
    pub bytes: u64,
    /// The maximum number of reported problems. Further problems are omitted, except for those that stop reading.
    pub problems: usize,
    /// The number of bytes that may be read to repair syntax errors, in addition to 64 for each byte of the source.
    ///
    /// Measured 2026-11-30: an error in a file of 3 KB takes up to 0.05 MB; 26 errors in a page of Markdown of 7 KB, 1 MB.
    /// 1 MB takes up to 40 ms. Without this limit, altered files of 3 KB took 16 MB, or half a second.
    pub repairs: usize,
}

impl Limits {
    /// The largest allowed depth. It keeps recursion over nested nodes, such as serialization, within a thread's stack.
    pub const MAX_DEPTH: u32 = 500;

    /// The largest allowed size of a source: 1 GiB. It keeps all positions within 32 bits.
    pub const MAX_BYTES: u64 = 1 << 30;

    /// [`Self::repairs`] for a program that needs the first syntax error, rather than all: 64 KiB.
    pub const FEW_REPAIRS: usize = 1 << 16;
}

impl Default for Limits {
    /// Returns the default limits: 200 levels, 400 000 nodes added by aliases and merges, 256 MiB, 10 000 problems, and 2
    /// MiB for repairs.
    fn default() -> Self {
        Self { depth: 200, expansion: 400_000, bytes: 1 << 28, problems: 10_000, repairs: 2 << 20 }
    }
}

/// The tags that are allowed on nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tags {
    /// The tags of YAML's core schema: `!!null`, `!!bool`, `!!int`, `!!float`, `!!str`, `!!seq`, `!!map`, and `!`.
    #[default]
    Core,
    /// The tags of YAML's core schema and the given ones, with `tag:yaml.org,2002:` for `!!`. A tag outside the core
    /// schema does not affect the kind of its node.
    Also(&'static [&'static str]),
    /// Any tag. A tag outside the core schema does not affect the kind of its node.
    Any,
}

/// Counts the problems in texts that the author may have intended in place of invalid YAML.
pub(crate) trait ProblemCounter {
    /// Returns the number of problems in a document, which may be an excerpt.
    fn problems(&self, document: Document) -> usize;
}

/// Reads the first YAML document in a source, or all documents, depending on the [`Dialect`].
///
/// Returns the document and all problems, in source order. There is always a document, but it may be incomplete; see
/// [`Document::is_complete`].
pub fn read(source: SourceId, text: SharedText, interner: &Interner, options: &Options) -> (Document, Vec<Diagnostic>) {
    read_with_counter(source, text, (interner, options), None)
}

/// Like [`read`]. The counter decides between the possible repairs of a syntax error.
pub(crate) fn read_with_counter(
    source: SourceId,
    text: SharedText,
    (interner, options): (&Interner, &Options),
    counter: Option<&dyn ProblemCounter>,
) -> (Document, Vec<Diagnostic>) {
    if text.len() as u64 <= options.limits.bytes.min(Limits::MAX_BYTES) {
        let document = Document::new(source, text.clone());
        if let Some(document) = line_reader::read(document, &text, interner, options) {
            return (document, Vec::new());
        }
    }
    read_fully(source, text, (interner, options), counter)
}

/// Like [`read`], but always uses the library that supports all of YAML, which is slower. For comparisons.
#[doc(hidden)]
pub fn read_by_library(
    source: SourceId,
    text: SharedText,
    interner: &Interner,
    options: &Options,
) -> (Document, Vec<Diagnostic>) {
    read_fully(source, text, (interner, options), None)
}

fn read_fully(
    source: SourceId,
    text: SharedText,
    (interner, options): (&Interner, &Options),
    counter: Option<&dyn ProblemCounter>,
) -> (Document, Vec<Diagnostic>) {
    let shared = text.clone();
    let mut builder = builder::Builder::new(Document::new(source, text), &shared, interner, options);
    if shared.len() as u64 > options.limits.bytes.min(Limits::MAX_BYTES) {
        return builder.refuse_size();
    }
    let depth = options.limits.depth.min(Limits::MAX_DEPTH);
    let result = granit::read(&shared, depth, &mut builder);
    match &result {
        Err(event::Stop::Syntax(error)) if !options.stops_at_error => {
            let at = error.place.start;
            let (document, problems) = builder.finish(result);
            read_on((document, problems), at, &shared, (interner, options), counter)
        }
        _ => {
            let (document, problems) = builder.finish(result);
            let second = problems.iter().find(|problem| problem.rule.code == rules::SEVERAL_DOCUMENTS.code);
            let second = second.filter(|_| document.root().is_some_and(|root| root.kind() == Kind::Map));
            let joined = second.and_then(|second| read_past_marker(second.span, &shared, (interner, options)));
            joined.unwrap_or((document, problems))
        }
    }
}

/// Reads on after a `---` that interrupts a map, because the next line is indented or an item. Returns `None` if the
/// marker does begin a document.
fn read_past_marker(
    marker: Span,
    original: &SharedText,
    (interner, options): (&Interner, &Options),
) -> Option<(Document, Vec<Diagnostic>)> {
    const MARKER: &str = "---";
    let (before, rest) = original.split_at_checked(marker.start as usize)?;
    let rest = rest.strip_prefix(MARKER)?;
    let next = rest.lines().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))?;
    if !next.starts_with([' ', '-']) || next.starts_with(MARKER) || !rest.lines().next()?.trim().is_empty() {
        return None;
    }
    let text = SharedText::from(format!("{before}{}{rest}", " ".repeat(MARKER.len())));
    let repaired = SourceMap::new(original.clone(), &text, &source_map::starts(original), Vec::new());
    let document = Document::recovered(marker.source, repaired, text.clone());
    let mut builder = builder::Builder::new(document, &text, interner, options);
    granit::read(&text, options.limits.depth.min(Limits::MAX_DEPTH), &mut builder).ok()?;
    let (document, mut problems) = builder.finish(Ok(()));
    let message = "`---` ends the document, although its content continues below";
    problems.push(Diagnostic::new(&rules::SEVERAL_DOCUMENTS, marker, message).with_help("remove the line with `---`"));
    problems.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
    Some((document, problems))
}

/// Reads on after a syntax error at the given offset, by repairing the text as far as possible.
fn read_on(
    (mut document, mut problems): (Document, Vec<Diagnostic>),
    at: u32,
    original: &SharedText,
    (interner, options): (&Interner, &Options),
    counter: Option<&dyn ProblemCounter>,
) -> (Document, Vec<Diagnostic>) {
    let source = document.source();
    let depth = options.limits.depth.min(Limits::MAX_DEPTH);
    let read = |document: Document, text: &str| {
        let mut builder = builder::Builder::new(document, text, interner, options);
        let result = granit::read(text, depth, &mut builder);
        let at = match &result {
            Err(event::Stop::Syntax(error)) => Some(error.place.start),
            _ => None,
        };
        (builder.finish(result), at)
    };
    let rate = |text: &str| {
        counter.map_or(0, |counter| {
            let text = SharedText::from(text);
            let ((document, problems), _) = read(Document::new(source, text.clone()), &text);
            problems.len() + counter.problems(document)
        })
    };
    let mut recovery = Recovery::new(depth, options.limits.repairs, original, &rate);
    let mut text = original.clone();
    let mut errors = Vec::new();
    let (mut is_shortened, mut at) = (false, Some(at));
    while let Some(recovered) = at.and_then(|at| recovery.repair(&text, at as usize)) {
        is_shortened |= recovered.is_shortened;
        let error = syntax_error(problems).filter(|error| !recovered.is_consequence && is_new(error, &errors));
        errors.extend(error.map(|error| about(error, recovered.mistake, recovered.help)));
        text = recovered.text.into();
        // Only one document of a large source is kept.
        drop(document);
        let repaired = recovery.source_map(original, &text);
        ((document, problems), at) = read(Document::recovered(source, repaired, text.clone()), &text);
    }
    document.complete &= !is_shortened;
    document.repair_bytes = recovery.bytes_read();
    problems.retain(|problem| is_new(problem, &errors));
    if let Some(tag) = options.dialect.expression_tag {
        errors.iter_mut().for_each(|error| suggest_tag(error, tag));
    }
    problems.extend(errors);
    problems.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
    if at.is_some() && recovery.is_exhausted() {
        let last = problems.iter_mut().rfind(|problem| problem.rule.code == rules::YAML_SYNTAX.code);
        let help = "correct the errors up to here first: the rest of the source is not read";
        last.into_iter().for_each(|error| error.add_help(help.into()));
    }
    (document, problems)
}

/// Returns a syntax error with the help for its repair. If the mistake is on a different line than the error, the
/// problem is reported there.
fn about(mut error: Diagnostic, mistake: Option<Mistake>, help: Option<String>) -> Diagnostic {
    if let Some(Mistake { place, message }) = mistake {
        let span = Span { source: error.span.source, start: place.start, end: place.end };
        error.related.clear();
        error.help.clear();
        let noticed = std::mem::replace(&mut error.span, span);
        error.message = message;
        if error.span.start != noticed.start {
            error = error.with_related(noticed, "noticed here");
        }
    }
    with_help(error, help)
}

/// Adds that an expression needs a tag if the help of an error is about quotes, which make it a string.
fn suggest_tag(error: &mut Diagnostic, tag: &str) {
    const WHOLE: &str = " in quotes: `";
    let whole = error.help.iter().find_map(|help| help.split_once(WHOLE)?.1.strip_suffix('`'));
    if whole.is_some() || error.help.iter().any(|help| help.contains(" quotes")) {
        let help = format!("write `{tag} {}` if it is an expression", whole.unwrap_or("\"…\""));
        error.help.push(help);
    }
}

/// Returns the syntax error at which reading stopped.
fn syntax_error(problems: Vec<Diagnostic>) -> Option<Diagnostic> {
    problems.into_iter().find(|problem| problem.rule.code == rules::YAML_SYNTAX.code)
}

/// Returns whether a problem has not been reported yet. The check is necessary because a repair may fail to remove the
/// error.
fn is_new(problem: &Diagnostic, errors: &[Diagnostic]) -> bool {
    errors.iter().all(|error| error.rule.code != problem.rule.code || error.span != problem.span)
}

/// Puts the help for a repair before the other help of an error. Other help that begins with the same verb is removed,
/// because it gives the same advice less precisely, unless it is about a placeholder.
fn with_help(mut error: Diagnostic, help: Option<String>) -> Diagnostic {
    if let Some(help) = help {
        let verb = |help: &str| help.split(' ').next().map(str::to_owned);
        error.help.retain(|guess| verb(guess) != verb(&help) || guess.contains("{{"));
        error.help.insert(0, help);
    }
    error
}

/// Reads the beginning of a source whose rest [`decode`] could not decode.
///
/// The document is incomplete. The truncated last line is not read, and problems that the missing text may have
/// resolved are not reported.
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
