//! Builds a document from events.
//!
//! The events come in source order, so every node is pushed once and completed after its last child. Checks of a whole
//! map (duplicate keys, merges) run when the map is complete.

mod alias;
pub(super) mod keys;
mod merge;
mod place;
mod tag;

use std::ops::{ControlFlow, Range};

use self::alias::Anchors;
use self::keys::{KeyTable, OpenKey};
use super::document::{Document, Kind, NodeId, Style};
use super::event::{Content, Event, Properties, Sink, Stop, SyntaxError};
use super::granit::MAX_COMMENTS;
use super::node_store::{NO_KEY, NewNode, Nodes, flag};
use super::{Documents, Limits, Options, syntax_hint};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules;
use crate::symbol::Interner;

/// A builder for a document, which receives the events of the library.
pub(super) struct Builder<'a> {
    document: Document,
    /// The text of the document.
    text: &'a str,
    options: &'a Options,
    diagnostics: Vec<Diagnostic>,
    /// The open maps and lists, innermost last.
    frames: Vec<Frame>,
    keys: KeyTable<'a>,
    /// The keys read so far in the open maps, those of the innermost map last.
    open_keys: Vec<OpenKey>,
    anchors: Anchors<'a>,
    /// The [`weight`] of all nodes, with aliases expanded.
    weight: u64,
    /// The weight that aliases and merges have added.
    added: u64,
    /// The remaining weight that may be written to compare keys other than strings.
    written_left: u64,
    /// Whether an excessive expansion has been reported.
    expansion_reported: bool,
    /// The end of the last token with a known position.
    cursor: u32,
    /// Whether a document has begun.
    started: bool,
}

/// An open map or list.
struct Frame {
    node: NodeId,
    /// The kind of the next node.
    turn: Turn,
    /// The last key.
    key: NodeId,
    /// The index of the map's first key in [`Builder::open_keys`].
    first_key: usize,
    merges: u32,
    /// The end of the last child so far.
    end: u32,
    /// The nesting depth of maps and lists, including this one, with aliases expanded.
    height: u32,
    /// [`Builder::weight`] before this map or list.
    weight_before: u64,
    /// The index of the map's or list's anchor, if it has one.
    anchor: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Item,
    Key,
    Value,
}

impl<'a> Builder<'a> {
    /// Creates a builder for an empty document.
    pub(super) fn new(mut document: Document, text: &'a str, interner: &'a Interner, options: &'a Options) -> Self {
        document.schema = options.dialect.schema;
        let mut builder = Self {
            document,
            text,
            options,
            diagnostics: Vec::new(),
            frames: Vec::new(),
            keys: KeyTable::new(interner),
            open_keys: Vec::new(),
            anchors: Anchors::new(),
            weight: 0,
            added: 0,
            // Without aliases, this is enough for keys that are nested four levels deep.
            written_left: options.limits.expansion.saturating_add(4 * text.len() as u64),
            expansion_reported: false,
            cursor: 0,
            started: false,
        };
        if builder.reads_all() {
            builder.open_documents();
        }
        builder
    }

    /// Returns whether all YAML documents in the source are read, not only the first.
    fn reads_all(&self) -> bool {
        self.options.dialect.documents == Documents::All
    }

    /// Opens the list that holds all documents.
    fn open_documents(&mut self) {
        let node = self.push(NewNode::collection(Kind::List, Style::Block, 0), None);
        self.frames.push(Frame {
            node,
            weight_before: 0,
            turn: Turn::Item,
            key: node,
            first_key: 0,
            merges: 0,
            end: 0,
            height: 1,
            anchor: None,
        });
    }

    /// Completes the list that holds all documents; removes the list if there are no documents.
    fn close_documents(&mut self) {
        if self.frames.last().is_some_and(|frame| frame.node == NodeId::new(0) && self.document.nodes.len() == 1) {
            self.frames.clear();
            self.document.nodes = Nodes::default();
        }
        self.close(None);
    }

    /// Returns an empty document for a source that is too large, and the problem.
    pub(super) fn refuse_size(mut self) -> (Document, Vec<Diagnostic>) {
        let allowed = self.options.limits.bytes.min(Limits::MAX_BYTES);
        let message = format!("the source has {} bytes, which is more than the {allowed} allowed", self.text.len());
        self.diagnostics.push(Diagnostic::new(&rules::SOURCE_TOO_LARGE, self.document.span(0..0), message));
        self.document.complete = false;
        self.finish(Ok(()))
    }

    /// Returns the document after the whole source has been read or reading has stopped.
    pub(super) fn finish(mut self, read: Result<(), Stop>) -> (Document, Vec<Diagnostic>) {
        match read {
            Ok(()) => {}
            Err(Stop::Syntax(error)) => self.syntax_error(error),
            Err(Stop::TooDeep(place)) => self.too_deep(place),
            Err(Stop::TooManyComments(place)) => self.too_many_comments(place),
        }
        self.complete()
    }

    /// Returns the document for a source of which only the beginning is available.
    pub(super) fn finish_beginning(mut self, read: Result<(), Stop>) -> (Document, Vec<Diagnostic>) {
        match read {
            Ok(()) => {
                self.document.complete = false;
                // The value of the last key may be in the missing rest.
                let nodes = &mut self.document.nodes;
                if let Some(last) = nodes.last()
                    && nodes.kind(last) == Kind::Null
                    && nodes.range(last).is_empty()
                {
                    nodes.mark(last, flag::SUBSTITUTE);
                }
            }
            Err(Stop::Syntax(error)) if self.text[error.place.start as usize..].contains(['\n', '\r']) => {
                self.syntax_error(error);
            }
            Err(Stop::Syntax(_)) => self.cut(),
            Err(Stop::TooDeep(place)) => self.too_deep(place),
            Err(Stop::TooManyComments(place)) => self.too_many_comments(place),
        }
        self.complete()
    }

    fn complete(mut self) -> (Document, Vec<Diagnostic>) {
        if self.reads_all() {
            self.close_documents();
        }
        self.document.keys = self.keys.into_symbols();
        self.document.added = self.added;
        self.document.shrink_to_fit();
        // Problems found when a map is complete come after those found inside it.
        self.diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
        let mut comments = std::mem::take(&mut self.document.comments);
        comments.iter_mut().for_each(|comment| *comment = self.document.place(comment.clone()));
        comments.sort_by_key(|comment| comment.start);
        self.document.comments = comments;
        (self.document, self.diagnostics)
    }

    fn scalar(&mut self, text: &str, style: Style, place: Range<u32>, properties: Option<&Properties<'a>>) {
        if self.reads_all() && self.frames.len() == 1 && text.is_empty() && style == Style::Plain {
            // An empty document.
            return;
        }
        let place = match style {
            Style::Plain if text.is_empty() => self.place_of_missing(&place, properties),
            Style::Literal | Style::Folded => self.place_of_block_scalar(&place, properties),
            _ => place,
        };
        let mut flags = property_flags(properties);
        let kind = self.scalar_kind(text, style, &place, properties);
        if text.is_empty() && kind == Kind::Null && self.is_refused(properties) {
            // The author probably meant the tag as text.
            flags |= flag::SUBSTITUTE;
        }
        let mut key = NO_KEY;
        if self.turn() == Some(Turn::Key) {
            key = self.keys.number(text);
            if style == Style::Plain && text == "<<" && flags & flag::TAG == 0 {
                flags |= flag::MERGE;
            }
        }
        let end = place.end;
        let mut node = NewNode::scalar(kind, style, (place.start, end), key).marked(flags);
        if !self.is_verbatim(text, style, &place) {
            node = node.unescaped(self.document.unescaped.push(text));
        }
        let node = self.push(node, properties);
        if let Some(anchor) = self.anchors.declare(properties, node) {
            self.anchors.complete(anchor, weight(text), 0);
        }
        self.weight += weight(text);
        self.cursor = end;
        self.child(node, end, 0);
    }

    /// Returns whether the value of a scalar occurs verbatim in the source, at the position where [`super::Node::text`]
    /// expects it.
    fn is_verbatim(&self, text: &str, style: Style, place: &Range<u32>) -> bool {
        let range = place.start as usize..place.end as usize;
        let range = match style {
            Style::Plain => range,
            Style::SingleQuoted | Style::DoubleQuoted if range.len() >= 2 => range.start + 1..range.end - 1,
            _ => return false,
        };
        self.text.get(range) == Some(text)
    }

    fn open(
        &mut self,
        kind: Kind,
        style: Style,
        place: Range<u32>,
        properties: Option<&Properties<'a>>,
    ) -> ControlFlow<()> {
        if self.frames.len() as u32 >= self.depth() {
            self.too_deep(place);
            return ControlFlow::Break(());
        }
        self.check_collection_tag(kind, properties);
        let start = match (kind, style) {
            (Kind::List, Style::Block) => self.start_of_block_list(&place, properties),
            _ => place.start,
        };
        // A `-` or `?` must still be found to determine the position of the next node.
        let has_indicator = self.text[start as usize..].starts_with(['-', '?']);
        self.cursor = if style == Style::Flow && !has_indicator { place.end } else { start };
        let indicator_end = if has_indicator { start + 1 } else { self.cursor };
        let node = NewNode::collection(kind, style, start).marked(property_flags(properties));
        let node = self.push(node, properties);
        self.frames.push(Frame {
            node,
            weight_before: self.weight,
            turn: if kind == Kind::Map { Turn::Key } else { Turn::Item },
            key: node,
            first_key: self.open_keys.len(),
            merges: 0,
            end: indicator_end,
            height: 1,
            anchor: self.anchors.declare(properties, node),
        });
        self.weight += weight("");
        ControlFlow::Continue(())
    }

    /// Completes the innermost map or list. If `place` is the position of a closing bracket, the map or list ends
    /// there.
    fn close(&mut self, place: Option<Range<u32>>) {
        let Some(frame) = self.frames.pop() else { return };
        let bracket = place.filter(|place| !place.is_empty());
        let is_flow = self.document.nodes.style(frame.node) == Style::Flow;
        let end = bracket.filter(|_| is_flow).map_or(frame.end, |bracket| bracket.end);
        self.cursor = self.cursor.max(end);

        self.document.nodes.close(frame.node, end);
        if self.document.nodes.kind(frame.node) == Kind::Map {
            self.complete_map(&frame);
            self.open_keys.truncate(frame.first_key);
        }
        if let Some(anchor) = frame.anchor {
            self.anchors.complete(anchor, self.weight - frame.weight_before, frame.height);
        }
        self.child(frame.node, end, frame.height);
    }

    fn push(&mut self, node: NewNode, properties: Option<&Properties<'a>>) -> NodeId {
        let node = self.document.nodes.push(node);
        if let Some(tag) = properties.and_then(|properties| properties.tag.as_ref()) {
            self.remember_tag(node, &tag.name);
        }
        node
    }

    /// Adds a complete node as the next key, value or item of the innermost map or list.
    fn child(&mut self, node: NodeId, end: u32, height: u32) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.end = frame.end.max(end);
        match frame.turn {
            Turn::Item => {
                frame.height = frame.height.max(height + 1);
            }
            Turn::Key => {
                frame.key = node;
                frame.turn = Turn::Value;
                frame.height = frame.height.max(height + 1);
                self.open_keys.push(OpenKey::new(node, &self.document));
            }
            Turn::Value => {
                frame.turn = Turn::Key;
                if self.document.nodes.has(frame.key, flag::MERGE) {
                    frame.merges += 1;
                    // The entries of a merged map are added at the level of this map, not nested in it.
                    let levels_around = u32::from(self.document.nodes.kind(node) == Kind::List);
                    frame.height = frame.height.max(height.saturating_sub(levels_around));
                } else {
                    frame.height = frame.height.max(height + 1);
                }
            }
        }
    }

    fn turn(&self) -> Option<Turn> {
        self.frames.last().map(|frame| frame.turn)
    }

    /// Returns the maximum nesting depth of maps and lists.
    fn depth(&self) -> u32 {
        self.options.limits.depth.min(Limits::MAX_DEPTH)
    }

    fn second_document(&mut self, place: &Range<u32>) {
        let rest = &self.text[place.start as usize..];
        let shown = if rest.starts_with("---") { "---" } else { rest.lines().next().unwrap_or_default().trim_end() };
        let span = self.document.span(place.start..place.start + shown.len() as u32);
        self.diagnostics.push(
            Diagnostic::new(&rules::SEVERAL_DOCUMENTS, span, "a second YAML document starts here and is ignored")
                .with_help("put each document in a separate source"),
        );
    }

    fn syntax_error(&mut self, error: SyntaxError) {
        let at = error.place.start;
        let mut diagnostic = Diagnostic::new(&rules::YAML_SYNTAX, self.document.span(error.place), error.message);
        let mut help = syntax_hint::placeholder(self.text, at as usize).or(error.help);
        if let Some(quote) = self.unclosed_quote(at) {
            "the quote is never closed".clone_into(&mut diagnostic.message);
            diagnostic.span = self.document.span(quote..quote + 1);
        } else if let Some(quote) = self.open_quote(at) {
            diagnostic = diagnostic.with_related(self.document.span(quote..quote + 1), "the quote is opened here");
        } else if let Some(bracket) = self.open_bracket(at) {
            diagnostic = diagnostic.with_related(self.document.span(bracket..bracket + 1), "opened here");
            if self.text[bracket as usize..at as usize].contains(['\n', '\r']) {
                help.get_or_insert_with(|| "close the bracket if this line does not belong to it".into());
            }
        }
        diagnostic.help.extend(help.or_else(|| syntax_hint::remedy(self.text, at as usize)));
        self.diagnostics.push(diagnostic);
        self.cut();
    }

    fn too_deep(&mut self, place: Range<u32>) {
        let span = self.document.span(place);
        self.diagnostics.push(too_deep(span, self.depth()));
        self.cut();
    }

    fn too_many_comments(&mut self, place: Range<u32>) {
        let message = format!("more than {MAX_COMMENTS} comments follow one another");
        let problem = Diagnostic::new(&rules::SOURCE_TOO_LARGE, self.document.span(place), message);
        self.diagnostics.push(problem.with_help("remove some of them, or put them at the start of the file"));
        self.cut();
    }

    /// Ends the document here: drops a key without a value and completes open maps and lists.
    fn cut(&mut self) {
        self.document.complete = false;
        while let Some(frame) = self.frames.last_mut() {
            if frame.turn == Turn::Value {
                frame.turn = Turn::Key;
                let key = frame.key;
                self.document.truncate(key);
                self.open_keys.pop();
            }
            self.close(None);
        }
    }

    /// Reports a problem unless there are already too many. Problems that can occur only once don't use this function,
    /// so they are always reported.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < self.options.limits.problems {
            self.diagnostics.push(diagnostic);
        }
    }
}

impl<'a> Sink<'a> for Builder<'a> {
    fn take(&mut self, event: Event<'a>) -> ControlFlow<()> {
        let Event { content, place, properties } = event;
        match content {
            Content::Scalar(text, style) => self.scalar(&text, style, place, properties.as_deref()),
            Content::MapStart(style) => return self.open(Kind::Map, style, place, properties.as_deref()),
            Content::ListStart(style) => return self.open(Kind::List, style, place, properties.as_deref()),
            Content::End => self.close(Some(place)),
            Content::Alias(name) => self.alias(name, place),
            Content::Comment => self.document.comments.push(place),
            Content::DocumentStart { .. } if self.started && self.reads_all() => {
                self.anchors.clear();
                self.cursor = place.end;
            }
            Content::DocumentStart { .. } if self.started => {
                self.second_document(&place);
                return ControlFlow::Break(());
            }
            Content::DocumentStart { explicit } => {
                self.started = true;
                if explicit {
                    self.cursor = place.end;
                }
            }
            Content::DocumentEnd => {}
        }
        ControlFlow::Continue(())
    }
}

/// Returns the weight with which a node counts toward the expansion limit: one, plus one for every hundred bytes of
/// text.
fn weight(text: &str) -> u64 {
    1 + text.len() as u64 / 100
}

fn property_flags(properties: Option<&Properties<'_>>) -> u8 {
    let Some(properties) = properties else { return 0 };
    let tag = if properties.tag.is_some() { flag::TAG } else { 0 };
    let anchor = if properties.anchor.is_some() { flag::ANCHOR } else { 0 };
    tag | anchor
}

fn too_deep(span: Span, depth: u32) -> Diagnostic {
    Diagnostic::new(&rules::NESTING_TOO_DEEP, span, format!("maps and lists are nested more than {depth} levels deep"))
        .with_help("flatten the structure, or fix the program that wrote the file")
}
