//! Walks nodes and tokens in step and determines the column of each token that may begin a line.

use std::ops::Range;

use tosca_parse_engine::ard::{Document, Kind as NodeKind, Node, Style};

use super::lex::{self, Kind, Lexeme, column, line_end, line_start};
use super::scalar;
use super::switch::Switches;
use super::{Lists, Options};

/// A token with its layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The column, if the token is the first one of its line.
    pub(crate) indent: usize,
    /// The minimum column, if the token follows others on its line.
    pub(crate) at_least: usize,
    /// The column of further lines of a scalar.
    pub(crate) inner: usize,
    /// The column of the lines of a block scalar in the source.
    pub(crate) inner_before: usize,
    /// If the line that the token begins on is kept, the number of columns by which it moves; `None` for line breaks.
    pub(crate) kept: Option<isize>,
}

impl Token {
    pub(crate) fn is_break(&self) -> bool {
        self.kind == Kind::Break
    }
}

/// A map in a text. Aliases, and lone pairs in lists, are not included.
#[derive(Debug)]
pub(crate) struct Map {
    /// The index of its node.
    pub(crate) node: usize,
    /// Whether it is in block style, without brackets.
    pub(crate) is_block: bool,
    pub(crate) entries: Vec<Entry>,
}

/// An entry of a map.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Its range, without the comments around it.
    pub(crate) place: Range<usize>,
    /// Whether the line that it begins on is kept.
    pub(crate) is_kept: bool,
    /// Whether it begins with a question mark.
    pub(crate) is_explicit: bool,
    /// Whether it ends with a colon.
    pub(crate) has_no_value: bool,
    /// Whether it ends with a scalar that includes the blank lines after it.
    pub(crate) keeps_breaks: bool,
}

/// The reason why a text can't be formatted: unknown text between scalars.
#[derive(Debug)]
pub(crate) struct Unknown;

/// Returns all tokens in the text of a document and its maps.
pub(crate) fn tokens(
    document: &Document,
    options: &Options,
    range: Option<&Range<usize>>,
) -> Result<(Vec<Token>, Vec<Map>), Unknown> {
    let text = document.text();
    let nodes: Vec<Node<'_>> = document.nodes().collect();
    let mut walker = Walker {
        text,
        options,
        switches: Switches::new(document),
        range,
        nodes,
        next: 0,
        at: 0,
        tokens: Vec::with_capacity(text.len() / 4),
        last: None,
        closed: Vec::new(),
        line: Line::default(),
        lines: 0,
        region: None,
        in_brackets: false,
        maps: Vec::new(),
    };
    walker.documents()?;
    Ok((walker.tokens, walker.maps))
}

/// A column in the source and the column that it becomes.
#[derive(Clone, Copy, Debug)]
struct Shift {
    from: usize,
    to: usize,
}

impl Shift {
    fn delta(self) -> isize {
        self.to.cast_signed() - self.from.cast_signed()
    }
}

/// The source line that contains the last token.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    has_token: bool,
    /// The column of its first token.
    shift: Option<Shift>,
    /// If the line is kept, the number of columns by which it moves.
    kept: Option<isize>,
}

/// Lines that a comment excludes from formatting.
#[derive(Clone, Copy, Debug)]
struct Region {
    /// The number of columns by which they move, if known.
    delta: Option<isize>,
    /// The column of the comment. A line that begins further to the left ends the region.
    column: usize,
}

/// The columns for a node, depending on what it is.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The column if it begins a line.
    own: usize,
    /// The column of the dashes, if it is a list.
    list: usize,
    /// The column of a bracket that closes it.
    base: usize,
    /// The column of its further lines, if it is a scalar.
    further: usize,
    /// The column of the block map or list that it is directly in, if any.
    parent: Option<Shift>,
}

impl Slot {
    const DOCUMENT: Self = Self { own: 0, list: 0, base: 0, further: 2, parent: None };
}

/// A pair of brackets that is still open.
#[derive(Clone, Copy, Debug)]
struct Brackets {
    /// The column of the closing bracket.
    base: usize,
    /// The column of the lines between the brackets.
    content: usize,
    /// The number of the line that they begin on.
    line: usize,
}

struct Walker<'a> {
    text: &'a str,
    options: &'a Options,
    switches: Switches,
    range: Option<&'a Range<usize>>,
    nodes: Vec<Node<'a>>,
    /// The number of the next node.
    next: usize,
    /// The offset after the last token.
    at: usize,
    tokens: Vec<Token>,
    /// The kind of the last token that is neither a comment nor a line break.
    last: Option<Kind>,
    /// The maps and lists that have ended since the last token that is not a comment.
    closed: Vec<Shift>,
    line: Line,
    /// The number of lines before the current one.
    lines: usize,
    region: Option<Region>,
    in_brackets: bool,
    maps: Vec<Map>,
}

impl Walker<'_> {
    fn documents(&mut self) -> Result<(), Unknown> {
        let count = self.nodes.len();
        // The first node is the list of all documents.
        self.next = 1;
        while self.next < count {
            self.node(Slot::DOCUMENT)?;
        }
        self.gap(self.text.len(), 0)
    }

    fn node(&mut self, slot: Slot) -> Result<(), Unknown> {
        let node = self.nodes[self.next];
        match (node.kind(), node.style()) {
            _ if node.is_alias() => self.leaf(node, slot),
            (NodeKind::List, Style::Block) => self.block_list(node, slot),
            (NodeKind::Map, Style::Block) => self.block_map(node, slot),
            (NodeKind::List | NodeKind::Map, _) => self.brackets(node, slot, None),
            _ => self.leaf(node, slot),
        }
    }

    fn end_of(&self, node: Node<'_>) -> usize {
        self.next + 1 + node.written_nodes()
    }

    fn block_list(&mut self, node: Node<'_>, slot: Slot) -> Result<(), Unknown> {
        let end = self.end_of(node);
        self.next += 1;
        let start = node.span().start as usize;
        let shift = self.shift(start, node, slot.list);
        let before = self.tokens.len();
        self.gap(start, shift.to)?;
        if slot.list < slot.own {
            // Properties must be further to the right than the key.
            let properties = self.tokens[before..].iter_mut().filter(|token| token.kind == Kind::Property);
            properties.for_each(|token| token.indent = slot.own);
        }
        while self.next < end {
            let dash = self.find(Kind::Dash)?;
            self.gap(dash.start, shift.to)?;
            self.push(dash, shift.to, shift.to);
            self.drop_break();
            let column = shift.to + 2;
            self.node(Slot { own: column, list: column, base: column, further: column, parent: Some(shift) })?;
        }
        self.closed.push(shift);
        Ok(())
    }

    fn block_map(&mut self, node: Node<'_>, slot: Slot) -> Result<(), Unknown> {
        let end = self.end_of(node);
        let mut map = Map { node: self.next, is_block: true, entries: Vec::new() };
        self.next += 1;
        let start = self.start_of_map(node);
        let shift = self.shift(start, node, slot.own);
        let column = shift.to;
        self.gap(start, column)?;
        let inside = column + self.options.indent();
        let inner = Slot { own: inside, list: inside, base: column, further: inside, parent: Some(shift) };
        let mut is_first = true;
        while self.next < end {
            let first = self.tokens.len();
            let question = self.peek().filter(|token| token.kind == Kind::Question && self.is_before_key(token.start));
            let inner = match question {
                Some(question) => {
                    self.gap(question.start, column)?;
                    self.push(question, column, column);
                    let inner =
                        Slot { own: column + 2, list: column + 2, base: column + 2, further: column + 2, ..inner };
                    self.node(inner)?;
                    inner
                }
                None => {
                    let least = if is_first { column } else { 0 };
                    self.key(Slot { own: column, base: column, ..inner }, least)?;
                    let list = if self.options.lists == Lists::Flush { column } else { inside };
                    Slot { list, ..inner }
                }
            };
            is_first = false;
            self.value(column, inner)?;
            map.entries.extend(self.entry(first));
        }
        self.maps.push(map);
        self.closed.push(shift);
        Ok(())
    }

    /// Adds the key of a map, which may have a minimum column.
    fn key(&mut self, slot: Slot, least: usize) -> Result<(), Unknown> {
        let first = self.tokens.len();
        self.node(slot)?;
        let token = self.tokens[first..].iter_mut().find(|token| !matches!(token.kind, Kind::Break | Kind::Comment));
        if let Some(token) = token {
            token.at_least = least;
        }
        Ok(())
    }

    /// Adds the colon and the value after a key.
    fn value(&mut self, column: usize, slot: Slot) -> Result<(), Unknown> {
        let value = self.nodes.get(self.next).ok_or(Unknown)?;
        let start = value.span().start as usize;
        let colon = self.peek().filter(|token| token.kind == Kind::Colon && token.start < start);
        if let Some(colon) = colon {
            self.gap(colon.start, column)?;
            self.push(colon, column, 0);
        }
        self.node(slot)
    }

    /// Returns whether a question mark belongs to the next key.
    fn is_before_key(&self, question: usize) -> bool {
        self.nodes.get(self.next).is_some_and(|key| question <= key.span().start as usize)
    }

    /// Adds a map or list in brackets, or a pair in a list, which has no brackets. `around` are the enclosing brackets.
    fn brackets(&mut self, node: Node<'_>, slot: Slot, around: Option<Brackets>) -> Result<(), Unknown> {
        let end = self.end_of(node);
        let start = node.span().start as usize;
        let mut map = Map { node: self.next, is_block: false, entries: Vec::new() };
        self.next += 1;
        if self.is_pair(node, end) {
            let around = around.ok_or(Unknown)?;
            return self.pair(around);
        }
        self.gap(start, slot.own)?;
        let line = self.lines;
        let is_first = !self.line.has_token;
        let open = Lexeme { kind: Kind::Open, start, end: start + 1 };
        self.push(open, slot.own, 0);
        let base = match around {
            Some(around) if around.line == line => around.base,
            Some(_) => self.line.shift.map_or(slot.own, |shift| shift.to),
            None if is_first => slot.own,
            None => slot.base,
        };
        let brackets = Brackets { base, content: base + self.options.indent(), line };
        let was_in_brackets = std::mem::replace(&mut self.in_brackets, true);
        while self.next < end {
            let first = self.tokens.len();
            match node.kind() {
                NodeKind::Map => {
                    self.pair(brackets)?;
                    map.entries.extend(self.entry(first));
                }
                _ => self.item(brackets)?,
            }
            self.comma(brackets)?;
        }
        let close = self.find(Kind::Close)?;
        self.gap(close.start, brackets.content)?;
        self.push(close, base, 0);
        self.in_brackets = was_in_brackets;
        if node.kind() == NodeKind::Map {
            self.maps.push(map);
        }
        Ok(())
    }

    /// Returns the entry of a map whose tokens begin at the given index.
    fn entry(&self, first: usize) -> Option<Entry> {
        let is_part = |token: &&Token| !matches!(token.kind, Kind::Break | Kind::Comment);
        let skipped = self.tokens[first..].iter().position(|token| is_part(&token))?;
        let start = self.tokens[first + skipped];
        let end = self.tokens[first + skipped..].iter().rfind(is_part)?;
        let header = self.text[end.start..end.end].lines().next().unwrap_or_default();
        Some(Entry {
            place: start.start..end.end,
            is_kept: start.kept.is_some(),
            is_explicit: start.kind == Kind::Question,
            has_no_value: end.kind == Kind::Colon,
            keeps_breaks: end.kind == Kind::Block
                && header.split(['#', ' ', '\t']).next().unwrap_or_default().contains('+'),
        })
    }

    /// Returns whether a map in brackets is a pair in a list, without brackets of its own.
    fn is_pair(&self, node: Node<'_>, end: usize) -> bool {
        let start = node.span().start;
        let has_bracket = self.text[start as usize..].starts_with('{');
        let key_begins_there = self.next < end && self.nodes[self.next].span().start == start;
        node.kind() == NodeKind::Map && (!has_bracket || key_begins_there)
    }

    fn pair(&mut self, brackets: Brackets) -> Result<(), Unknown> {
        let question = self.peek().filter(|token| token.kind == Kind::Question && self.is_before_key(token.start));
        if let Some(question) = question {
            self.gap(question.start, brackets.content)?;
            self.push(question, brackets.content, 0);
        }
        self.item(brackets)?;
        let value = self.nodes.get(self.next).ok_or(Unknown)?;
        let start = value.span().start as usize;
        let colon = self.peek().filter(|token| token.kind == Kind::Colon && token.start < start);
        if let Some(colon) = colon {
            self.gap(colon.start, brackets.content)?;
            self.push(colon, brackets.content, 0);
        }
        self.item(brackets)
    }

    /// Adds a node in brackets.
    fn item(&mut self, brackets: Brackets) -> Result<(), Unknown> {
        let node = *self.nodes.get(self.next).ok_or(Unknown)?;
        let content = brackets.content;
        let further = content + self.options.indent();
        let slot = Slot { own: content, list: content, base: content, further, parent: None };
        if matches!(node.kind(), NodeKind::Map | NodeKind::List) && !node.is_alias() {
            self.brackets(node, slot, Some(brackets))
        } else {
            self.leaf(node, slot)
        }
    }

    fn comma(&mut self, brackets: Brackets) -> Result<(), Unknown> {
        if let Some(comma) = self.peek().filter(|token| token.kind == Kind::Comma) {
            self.gap(comma.start, brackets.content)?;
            self.push(comma, brackets.content, 0);
        }
        Ok(())
    }

    /// Adds a scalar or an alias.
    fn leaf(&mut self, node: Node<'_>, slot: Slot) -> Result<(), Unknown> {
        self.next += 1;
        let span = node.span();
        let (start, end) = (span.start as usize, span.end as usize);
        if !node.is_alias() && matches!(node.style(), Style::Literal | Style::Folded) {
            let start = self.sign_of_block(start);
            self.gap(start, slot.own)?;
            self.block_scalar(start, slot);
            return Ok(());
        }
        self.gap(start, slot.own)?;
        if start == end {
            return Ok(());
        }
        let kind = if node.is_alias() { Kind::Alias } else { Kind::Scalar };
        self.push(Lexeme { kind, start, end }, slot.own, 0);
        if let Some(token) = self.tokens.last_mut() {
            token.inner = slot.further;
        }
        Ok(())
    }

    /// Adds a literal or folded scalar, whose end the nodes don't record.
    fn block_scalar(&mut self, start: usize, slot: Slot) {
        let block = scalar::Block::read(self.text, start, slot.parent.map(|parent| parent.from));
        self.push(Lexeme { kind: Kind::Block, start, end: block.end }, slot.own, 0);
        let inner = slot.parent.map_or(0, |parent| parent.to) + self.options.indent();
        if let Some(token) = self.tokens.last_mut() {
            (token.inner, token.inner_before) = (inner, block.column);
        }
    }

    /// Returns the offset of the `|` or `>` of a block scalar. After the end of a document, the node may begin with the
    /// text of the scalar instead.
    fn sign_of_block(&self, start: usize) -> usize {
        let mut at = self.at;
        while let Some(token) = lex::next(self.text, at, self.in_brackets).filter(|token| token.end <= start) {
            at = token.end;
        }
        let sign = at + self.text[at..].bytes().take_while(|byte| lex::is_blank(*byte)).count();
        if self.text[sign..].starts_with(['|', '>']) { sign } else { start }
    }

    /// Returns the offset of the first token of a block map: its first key, or a token before that key on the same
    /// line.
    fn start_of_map(&self, node: Node<'_>) -> usize {
        let until = node.span().start as usize;
        let (mut at, mut first) = (self.at, None);
        while let Some(token) = lex::next(self.text, at, false).filter(|token| token.start < until) {
            match token.kind {
                Kind::Break => first = None,
                Kind::Comment => {}
                _ => first = first.or(Some(token.start)),
            }
            at = token.end;
        }
        first.unwrap_or(until)
    }

    /// Returns the column of the first token of a map or list.
    fn shift(&self, first: usize, node: Node<'_>, free: usize) -> Shift {
        let from = column(self.text, first);
        let to = match self.kept(first) {
            Some(delta) => from.saturating_add_signed(delta),
            None if self.is_cut(first, node) => from,
            None => free,
        };
        Shift { from, to }
    }

    /// Returns whether a map or list begins before the end of the range to format, but ends after it.
    fn is_cut(&self, first: usize, node: Node<'_>) -> bool {
        self.range.is_some_and(|range| first < range.end && node.span().end as usize > range.end)
    }

    /// Returns the number of columns by which the line of the next token moves, if the line is kept.
    fn kept(&self, token: usize) -> Option<isize> {
        if self.range.is_some_and(|range| !range.contains(&token)) {
            return Some(0);
        }
        match self.switches.last_in(self.at..token) {
            Some(true) => return None,
            Some(false) => {}
            None => {
                if let Some(region) = self.region.filter(|region| !self.is_left_of(token, region.column)) {
                    return region.delta;
                }
            }
        }
        let line = line_start(self.text, token);
        let shift = self.line.shift.filter(|_| line <= self.at && self.switches.skips(line))?;
        Some(shift.delta())
    }

    /// Returns whether a token begins a line, left of a column.
    fn is_left_of(&self, token: usize, column: usize) -> bool {
        let start = line_start(self.text, token);
        start >= self.at && token - start < column
    }

    /// Returns the first token between two offsets.
    fn lex(&self, at: usize, until: usize) -> Result<Option<Lexeme>, Unknown> {
        let is_end = |text: &str| text.bytes().all(lex::is_blank);
        if self.text.get(at..until).is_none_or(is_end) {
            return Ok(None);
        }
        lex::next(self.text, at, self.in_brackets).map(Some).ok_or(Unknown)
    }

    /// Returns the next token that is neither a comment nor a line break. If a scalar is next, the beginning of its
    /// text may be taken for such a token.
    fn peek(&self) -> Option<Lexeme> {
        let mut at = self.at;
        while let Some(token) = lex::next(self.text, at, self.in_brackets) {
            if !matches!(token.kind, Kind::Break | Kind::Comment) {
                return Some(token);
            }
            at = token.end;
        }
        None
    }

    /// Returns the next token of the given kind, which must exist, possibly after comments, tags, anchors and commas.
    fn find(&self, kind: Kind) -> Result<Lexeme, Unknown> {
        let mut at = self.at;
        while let Some(token) = self.lex(at, self.text.len())? {
            match token.kind {
                found if found == kind => return Ok(token),
                Kind::Break | Kind::Comment | Kind::Property | Kind::Comma => at = token.end,
                _ => break,
            }
        }
        Err(Unknown)
    }

    /// Adds the tokens up to the given offset. A token that begins a line is put in the given column.
    fn gap(&mut self, until: usize, indent: usize) -> Result<(), Unknown> {
        if until < self.at {
            return Err(Unknown);
        }
        let mut gap = Vec::new();
        let mut at = self.at;
        while let Some(token) = self.lex(at, until)? {
            gap.push(token);
            at = token.end;
        }
        let mut run: Option<Shift> = None;
        // The token that follows a run of comments, once it is known.
        let mut next = 0;
        for (index, token) in gap.iter().enumerate() {
            match token.kind {
                Kind::Break => self.line_break(*token),
                Kind::Comment if self.line.has_token => self.push(*token, indent, 0),
                Kind::Comment => {
                    if next <= index {
                        let is_other = |token: &Lexeme| !matches!(token.kind, Kind::Break | Kind::Comment);
                        next = gap[index..].iter().position(is_other).map_or(gap.len(), |skipped| index + skipped);
                    }
                    let follower = gap.get(next);
                    let follower = follower.map(|next| next.start).or((until < self.text.len()).then_some(until));
                    let follower = follower.map(|start| Shift { from: column(self.text, start), to: indent });
                    let from = column(self.text, token.start);
                    let to = self.column_of_comment(from, follower, run);
                    run = run.or(Some(Shift { from, to }));
                    self.push(*token, to, 0);
                    self.switch(*token, from, follower);
                }
                Kind::Marker | Kind::Directive => self.push(*token, 0, 0),
                _ => self.push(*token, indent, 0),
            }
        }
        Ok(())
    }

    /// Returns the column of a comment on its own line; `run` has the columns of the first comment in the same run.
    fn column_of_comment(&self, from: usize, follower: Option<Shift>, run: Option<Shift>) -> usize {
        let end = follower.is_none().then_some(Shift { from: 0, to: 0 });
        // Of two candidates in the same column, the outer one counts.
        let mut candidates = follower.into_iter().chain(end).chain(self.closed.iter().rev().copied());
        if let Some(exact) = candidates.clone().find(|candidate| candidate.from == from) {
            return exact.to;
        }
        if let Some(first) = run.filter(|first| first.from < from) {
            return first.to + (from - first.from);
        }
        let left = candidates.clone().filter(|candidate| candidate.from < from).max_by_key(|candidate| candidate.from);
        let has_no_value = || matches!(self.last, Some(Kind::Colon | Kind::Dash));
        match left {
            Some(left) if has_no_value() => left.to + self.options.indent(),
            Some(left) => left.to,
            None => candidates.next().map_or(0, |candidate| candidate.to),
        }
    }

    /// Begins or ends an unformatted region if the comment is a switch.
    fn switch(&mut self, comment: Lexeme, from: usize, follower: Option<Shift>) {
        match self.switches.last_in(comment.start..comment.end) {
            Some(true) => {
                let delta = follower.map(Shift::delta);
                let is_over = follower.is_none_or(|follower| follower.from < from);
                self.region = (!is_over).then_some(Region { delta, column: from });
            }
            Some(false) => self.region = None,
            None => {}
        }
    }

    /// Adds a line break.
    fn line_break(&mut self, token: Lexeme) {
        self.add(token, 0, 0, None);
        self.line = Line::default();
        self.lines += 1;
    }

    /// Adds a token. If it begins a line, it is put in the given column; if not, it may have a minimum column.
    fn push(&mut self, token: Lexeme, indent: usize, at_least: usize) {
        if !self.line.has_token {
            let from = column(self.text, token.start);
            if self.region.is_some_and(|region| token.kind != Kind::Comment && from < region.column) {
                self.region = None;
            }
            let is_outside = self.range.is_some_and(|range| !range.contains(&token.start));
            let is_switch = token.kind == Kind::Comment && self.switches.last_in(token.start..token.end).is_some();
            let skips = || self.switches.skips(line_start(self.text, token.start));
            let kept = if is_outside {
                Some(0)
            } else if let Some(region) = self.region.filter(|_| !is_switch) {
                region.delta
            } else {
                skips().then_some(Shift { from, to: indent }.delta())
            };
            let to = kept.map_or(indent, |delta| from.saturating_add_signed(delta));
            self.line = Line { has_token: true, shift: Some(Shift { from, to }), kept };
        }
        if token.kind != Kind::Comment {
            self.closed.clear();
            self.last = Some(token.kind);
        }
        self.add(token, indent, at_least, self.line.kept);
    }

    fn add(&mut self, Lexeme { kind, start, end }: Lexeme, indent: usize, at_least: usize, kept: Option<isize>) {
        self.tokens.push(Token { kind, start, end, indent, at_least, inner: 0, inner_before: 0, kept });
        self.at = end;
    }

    /// Omits the line break after a dash if the next token can be on the line of the dash.
    fn drop_break(&mut self) {
        let Some(line_break) = lex::next(self.text, self.at, false).filter(|token| token.kind == Kind::Break) else {
            return;
        };
        let end = line_end(self.text, line_break.end);
        let line = self.text[line_break.end..end].trim_start_matches([' ', '\t']);
        let Some(node) = self.nodes.get(self.next) else { return };
        let span = node.span();
        let has_value = span.start < span.end && (span.start as usize) < end;
        let begins_line = !line.is_empty() && !line.starts_with('#');
        let is_kept = self.region.is_some()
            || self.range.is_some_and(|range| !range.contains(&line_break.end) || !range.contains(&self.at))
            || [self.at, line_break.end].iter().any(|at| self.switches.skips(line_start(self.text, *at)));
        if has_value && begins_line && !is_kept {
            self.at = line_break.end;
        }
    }
}
