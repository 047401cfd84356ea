//! The order of keynames.
//!
//! It works on a formatted text, in which each entry of a block map begins a line, except for the first one after a
//! dash. An entry moves with its comments. Blank lines move too, except that an entry that becomes the first of its map
//! leaves the blank lines before it to the entry that was first. An `ignore` comment applies to the next line of
//! content, so it always stays above that line.

use std::cmp::Reverse;
use std::ops::Range;

use foldhash::HashMap;
use rustc_hash::FxHashMap;
use tosca_parse_engine::ard::{self, Document, Node};
use tosca_parse_engine::diagnostic::{COMMENT_MARK, Level, Rule, SourceId};
use tosca_parse_engine::entity::keyname_maps::maps_of_keynames;
use tosca_parse_engine::entity::{EntityDescription, Language, LanguageVersion, Quirks, Recognition};
use tosca_parse_engine::position_context::field_of_key;
use tosca_parse_engine::rules;
use tosca_parse_engine::symbol::Interner;

use super::Options;
use super::lex::{self, Kind, column, line_end, line_start};
use super::same;
use super::switch::Switches;
use super::walk::{Entry, Map, Token};

/// Returns the text of a formatted document with its keynames in order, and the new order of the entries in each
/// changed map, by the index of the map's node; `None` if all keynames are in order.
pub(crate) fn ordered(
    document: &Document,
    (tokens, maps): (&[Token], &[Map]),
    language: &Language,
    options: &Options,
) -> Option<(String, FxHashMap<usize, Vec<usize>>)> {
    let text = document.text();
    // If there are several documents, they are not read as entities.
    if document.root().is_none_or(|all| all.len() != 1) {
        return None;
    }
    let (entities, version) = entities(text, language, options)?;
    let nodes: Vec<Node<'_>> = document.nodes().collect();
    let sorter = Sorter {
        text,
        nodes: &nodes,
        labels: labels(text, tokens),
        switches: Switches::new(document),
        comments: document.comments(),
    };
    let (mut moves, mut orders) = (Vec::new(), FxHashMap::default());
    for map in maps {
        let span = nodes[map.node].span();
        let Some(entity) = entities.get(&(span.start, span.end)) else { continue };
        let Some(order) = sorter.order(map, entity, version) else { continue };
        if let Some(new) = sorter.movement(map, &order) {
            moves.push(new);
            orders.insert(map.node, order);
        }
    }
    if moves.is_empty() {
        return None;
    }
    moves.sort_by_key(|new| (new.place.start, Reverse(new.place.end)));
    let mut ordered = String::with_capacity(text.len());
    write(text, &moves, 0..text.len(), &mut ordered);
    Some((ordered, orders))
}

/// Returns whether two documents have the same nodes, up to the order of entries, and the same comments.
pub(crate) fn is_same(one: &Document, other: &Document, orders: &FxHashMap<usize, Vec<usize>>) -> bool {
    let nodes: Vec<Node<'_>> = one.nodes().collect();
    let mut expected = Vec::with_capacity(nodes.len());
    let mut open = vec![0];
    while let Some(index) = open.pop() {
        let Some(node) = nodes.get(index) else { continue };
        expected.push(*node);
        let children = children(&nodes, index);
        match orders.get(&index) {
            Some(order) => {
                let pairs = order.iter().rev().filter_map(|entry| children.get(2 * entry..2 * entry + 2));
                open.extend(pairs.flat_map(|pair| pair.iter().rev()));
            }
            None => open.extend(children.iter().rev()),
        }
    }
    let comments = |document| {
        let mut comments: Vec<&str> = same::comments(document).collect();
        comments.sort_unstable();
        comments
    };
    expected.len() == nodes.len()
        && nodes.len() == other.len()
        && expected.into_iter().zip(other.nodes()).all(|(one, other)| same::is_same_node(one, other))
        && comments(one) == comments(other)
}

/// Returns the indexes of the nodes in a map or list.
fn children(nodes: &[Node<'_>], index: usize) -> Vec<usize> {
    let end = index + 1 + nodes[index].written_nodes();
    let mut children = Vec::new();
    let mut child = index + 1;
    while child < end {
        children.push(child);
        child += 1 + nodes[child].written_nodes();
    }
    children
}

type Entities = FxHashMap<(u32, u32), &'static EntityDescription>;

/// Returns the entities of a text by the positions of their maps, and the version; `None` if it is not certain that the
/// text is in the language.
fn entities(text: &str, language: &Language, options: &Options) -> Option<(Entities, LanguageVersion)> {
    let settings = ard::Options { dialect: language.yaml, ..ard::Options::default() };
    let (document, problems) = ard::read(SourceId(0), text.into(), &Interner::new(), &settings);
    if !document.is_complete() || problems.iter().any(|problem| problem.rule.level == Level::Error) {
        return None;
    }
    let words = &options.versions;
    let recognition = Recognition { quirks: Quirks::default(), importer: None, option: None, words };
    let detected = (language.detect)(&document, recognition);
    // If the version is not the first key, it is still known, and ordering the keynames makes it the first key.
    let leaves_doubt = |rule: &Rule| rule.level == Level::Error && rule != &rules::VERSION_NOT_FIRST;
    let is_certain = !detected.diagnostics.iter().any(|problem| leaves_doubt(problem.rule));
    if detected.is_foreign || detected.is_unversioned || !is_certain {
        return None;
    }
    let root = language.kinds.get(usize::from(detected.root.0))?.description();
    let maps = maps_of_keynames(&document, root, detected.version).into_iter().map(|(node, entity)| {
        let span = node.span();
        ((span.start, span.end), entity)
    });
    Some((maps.collect(), detected.version))
}

/// An anchor or alias.
struct Label<'t> {
    start: usize,
    name: &'t str,
    is_anchor: bool,
}

fn labels<'t>(text: &'t str, tokens: &[Token]) -> Vec<Label<'t>> {
    let label = |token: &Token| {
        let source = &text[token.start..token.end];
        let sign = match token.kind {
            Kind::Property => '&',
            Kind::Alias => '*',
            _ => return None,
        };
        let name = source.strip_prefix(sign)?.trim_end();
        Some(Label { start: token.start, name, is_anchor: sign == '&' })
    };
    tokens.iter().filter_map(label).collect()
}

/// The reordering of a map's entries.
struct Move {
    place: Range<usize>,
    /// The replacement for the text at `place`: the ranges of its parts, each with the number of spaces to insert
    /// before it. Entries of nested maps may move within a part.
    parts: Vec<(usize, Range<usize>)>,
}

/// Appends the given range of the text with its entries moved. The moves are in the order of their positions, outer
/// ones first.
fn write(text: &str, moves: &[Move], range: Range<usize>, out: &mut String) {
    let mut at = range.start;
    let mut next = moves.partition_point(|new| new.place.start < range.start);
    while let Some(new) = moves.get(next).filter(|new| new.place.start < range.end) {
        out.push_str(&text[at..new.place.start]);
        let inner = &moves[next + 1..];
        let inner = &inner[..inner.partition_point(|inner| inner.place.start < new.place.end)];
        for (spaces, part) in &new.parts {
            out.extend(std::iter::repeat_n(' ', *spaces));
            write(text, inner, part.clone(), out);
        }
        at = new.place.end;
        next += 1 + inner.len();
    }
    out.push_str(&text[at..range.end]);
}

struct Sorter<'a> {
    text: &'a str,
    nodes: &'a [Node<'a>],
    labels: Vec<Label<'a>>,
    switches: Switches,
    comments: &'a [Range<u32>],
}

impl Sorter<'_> {
    /// Returns the new order of the entries of a map; `None` if they are in order or must stay.
    fn order(&self, map: &Map, entity: &'static EntityDescription, version: LanguageVersion) -> Option<Vec<usize>> {
        let children = children(self.nodes, map.node);
        if children.len() != 2 * map.entries.len() {
            return None;
        }
        let keys: Vec<Node<'_>> = children.iter().step_by(2).map(|key| self.nodes[*key]).collect();
        let mut ranks = Vec::with_capacity(keys.len());
        for key in keys {
            if key.is_alias() || key.kind() != ard::Kind::String || key.text() == "<<" {
                return None;
            }
            let field = field_of_key(entity, version, key.text()).map(|(field, _)| field);
            let rank = field.and_then(|field| entity.field(field.ident)).map_or(usize::MAX, |(rank, _)| rank);
            ranks.push(rank);
        }
        if ranks.is_sorted() {
            return None;
        }
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        order.sort_by_key(|entry| ranks[*entry]);
        self.keeps_aliases(map, &order).then_some(order)
    }

    /// Returns whether each alias remains after its anchor, with no other anchor with that name in between.
    fn keeps_aliases(&self, map: &Map, order: &[usize]) -> bool {
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, entry)| places[*entry] = place);
        let first = self.labels.partition_point(|label| label.start < map.entries[0].place.start);
        // For each name, the highest new positions so far of an entry with the anchor, and of an entry with the anchor
        // or an alias.
        let mut last: HashMap<&str, (usize, usize)> = HashMap::default();
        for label in &self.labels[first..] {
            let entry = map.entries.partition_point(|entry| entry.place.end <= label.start);
            let Some(place) = places.get(entry) else { break };
            let (anchors, all) = last.entry(label.name).or_default();
            if *place < if label.is_anchor { *all } else { *anchors } {
                return false;
            }
            *all = *place.max(all);
            if label.is_anchor {
                *anchors = *place.max(anchors);
            }
        }
        true
    }

    /// Returns the entries of a map in a new order; `None` if that would change data or detach a comment.
    fn movement(&self, map: &Map, order: &[usize]) -> Option<Move> {
        let is_fixed = |entry: &Entry| entry.is_kept || entry.is_explicit || entry.keeps_breaks;
        if map.entries.iter().any(is_fixed) {
            return None;
        }
        if map.is_block {
            self.lines(&map.entries, order)
        } else {
            let span = self.nodes[map.node].span();
            self.pairs(span.start as usize..span.end as usize, &map.entries, order)
        }
    }

    /// Moves the pairs of a bracketed map. The text between the pairs stays.
    fn pairs(&self, brackets: Range<usize>, entries: &[Entry], order: &[usize]) -> Option<Move> {
        let place = entries.first()?.place.start..entries.last()?.place.end;
        let comments = self.comments_in(self.lines_of_pairs(brackets, &place));
        // Not all YAML readers accept the colon in `:,`.
        if !comments.is_empty() || entries.iter().any(|entry| entry.has_no_value) {
            return None;
        }
        let mut parts = Vec::with_capacity(2 * entries.len());
        for (at, entry) in order.iter().enumerate() {
            parts.push((0, entries[*entry].place.clone()));
            if let Some(next) = entries.get(at + 1) {
                parts.push((0, entries[at].place.end..next.place.start));
            }
        }
        Some(Move { place, parts })
    }

    /// Returns the range in which a comment would end up at a different entry if the entries of a map in brackets
    /// moved. If all entries are on one line, they stay there, so comments around them don't matter.
    fn lines_of_pairs(&self, brackets: Range<usize>, entries: &Range<usize>) -> Range<usize> {
        let has_break = |range: Range<usize>| self.text[range].contains(['\n', '\r']);
        if !has_break(entries.clone()) {
            return entries.clone();
        }
        let start = if has_break(brackets.start..entries.start) {
            brackets.start
        } else {
            self.comments_above(line_start(self.text, brackets.start), None)
        };
        let end = if has_break(entries.end..brackets.end) { brackets.end } else { line_end(self.text, brackets.end) };
        start..end
    }

    /// Returns the comments that begin in the given range.
    fn comments_in(&self, range: Range<usize>) -> &[Range<u32>] {
        let before = |at: usize| self.comments.partition_point(|comment| (comment.start as usize) < at);
        &self.comments[before(range.start)..before(range.end)]
    }

    /// Moves the lines of entries.
    fn lines(&self, entries: &[Entry], order: &[usize]) -> Option<Move> {
        let first = entries.first()?.place.start;
        let indent = column(self.text, first);
        let before = &self.text[line_start(self.text, first)..first];
        let follows_dash = before.len() != indent || before.contains(|letter| letter != ' ');
        let mut chunks: Vec<Chunk> = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            let start = line_start(self.text, entry.place.start);
            if index > 0 && self.text[start..entry.place.start].bytes().any(|byte| byte != b' ') {
                return None;
            }
            let from = match chunks.last() {
                Some(previous) => previous.end,
                None if follows_dash => first,
                None => self.comments_above(start, Some(indent)),
            };
            let key = if index == 0 && follows_dash { first } else { start };
            let body = from + blank_lines(&self.text[from..key]);
            let end = self.end(entry.place.end, indent);
            if !self.text[..end].ends_with(['\n', '\r']) || self.has_switch(from..key, entry.place.end..end) {
                return None;
            }
            chunks.push(Chunk { start: from, body, key, end });
        }
        let place = chunks.first()?.start..chunks.last()?.end;
        let new_first = *order.first()?;
        if new_first != 0 {
            let line = line_start(self.text, first);
            let is_about_item = follows_dash && self.ignores_above(line) < line;
            let mut comments = self.comments_in(chunks[0].start..first).iter();
            if is_about_item || comments.any(|comment| tool_comment(self.slice(comment)) == Some(Target::File)) {
                return None;
            }
        }
        let mut parts = Vec::with_capacity(entries.len() + 2);
        for (at, entry) in order.iter().enumerate() {
            let chunk = &chunks[*entry];
            if at == 0 && follows_dash {
                if chunk.body != chunk.key {
                    return None;
                }
                parts.push((0, entries[*entry].place.start..chunk.end));
            } else if at == 0 {
                parts.push((0, chunk.body..chunk.end));
            } else if *entry == 0 {
                let blank = &chunks[new_first];
                parts.push((0, blank.start..blank.body));
                parts.push((if follows_dash { indent } else { 0 }, chunk.start..chunk.end));
            } else {
                parts.push((0, chunk.start..chunk.end));
            }
        }
        Some(Move { place, parts })
    }

    /// Returns the beginning of the comments that belong to a line: those directly above it, in the given column if
    /// there is one, and those from an `ignore` comment on. Other comments above the outermost map are about the whole
    /// text.
    fn comments_above(&self, line: usize, column: Option<usize>) -> usize {
        let is_part =
            |above: &str| is_comment(above) && column.is_none_or(|column| column > 0 && indentation(above) == column);
        let mut start = self.ignores_above(line);
        while let Some(above) = previous_line(self.text, start).filter(|above| is_part(&self.text[*above..start])) {
            start = above;
        }
        start
    }

    /// Returns the beginning of the first `ignore` comment that applies to a line or, if there is none, of the line.
    fn ignores_above(&self, line: usize) -> usize {
        let (mut first, mut start) = (line, line);
        while let Some(above) = previous_line(self.text, start) {
            let text = &self.text[above..start];
            if is_ignore(text) {
                first = above;
            } else if !is_comment(text) && !text.trim().is_empty() {
                break;
            }
            start = above;
        }
        first
    }

    /// Returns the end of the lines of an entry, including following comments that are indented further than its key.
    fn end(&self, entry: usize, indent: usize) -> usize {
        let line = line_end(self.text, entry);
        let mut end = line + lex::break_at(&self.text[line..]);
        let mut at = end;
        while at < self.text.len() {
            let stop = line_end(self.text, at);
            let line = &self.text[at..stop];
            let is_part = is_comment(line) && indentation(line) > indent && !is_ignore(line);
            if !is_part && !line.trim().is_empty() {
                break;
            }
            at = stop + lex::break_at(&self.text[stop..]);
            if is_part {
                end = at;
            }
        }
        end
    }

    fn slice(&self, range: &Range<u32>) -> &str {
        &self.text[range.start as usize..range.end as usize]
    }

    /// Returns whether formatting is turned off or on before or after an entry.
    fn has_switch(&self, before: Range<usize>, after: Range<usize>) -> bool {
        [before, after].into_iter().any(|range| self.switches.last_in(range).is_some())
    }
}

/// An entry with the lines that move with it.
struct Chunk {
    start: usize,
    /// Its beginning without the blank lines before it.
    body: usize,
    /// The beginning of the line of its key.
    key: usize,
    end: usize,
}

/// Returns the beginning of the line before the one that begins at `line`.
fn previous_line(text: &str, line: usize) -> Option<usize> {
    let before = text[..line].strip_suffix('\n').or_else(|| text[..line].strip_suffix('\r'))?;
    let before = before.strip_suffix('\r').filter(|_| text[..line].ends_with("\r\n")).unwrap_or(before);
    Some(line_start(before, before.len()))
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Returns whether a line is only a comment.
fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// Returns whether a line is only a comment that applies to the next line of content.
fn is_ignore(line: &str) -> bool {
    is_comment(line) && tool_comment(line) == Some(Target::Line)
}

/// The scope of a comment that suppresses problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Line,
    File,
}

/// Returns the scope of a comment; `None` if it suppresses no problems.
fn tool_comment(comment: &str) -> Option<Target> {
    let (_, word) = comment.split_once(COMMENT_MARK)?;
    let is_file = word.trim_start().starts_with("file-");
    Some(if is_file { Target::File } else { Target::Line })
}

/// Returns the length of the blank lines at the start of `text`.
fn blank_lines(text: &str) -> usize {
    let blank = lex::lines(text).take_while(|(line, line_break)| line.trim().is_empty() && !line_break.is_empty());
    blank.map(|(line, line_break)| line.len() + line_break.len()).sum()
}
