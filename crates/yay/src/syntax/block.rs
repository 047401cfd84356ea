//! Stanzas by their indentation: keys, items, and lines with a leading keyword.

use super::expression::is_reserved;
use super::line::{Line, lines};
use super::token::Mode;
use super::tree::{BlockId, Entries, Entry, ExprId, Stanza, StanzaKind, Tree, ValueId, ValueKind};
use crate::error::{Category, Error, Result};
use crate::limits::Limits;
use crate::name::Names;
use crate::source::{SourceId, Span};

/// Words that are keys if immediately followed by a colon.
const OPERATOR_WORDS: &[&str] = &["and", "as", "in", "is", "lambda", "not", "or"];
/// Directives whose words can also be keys.
const SOFT_DIRECTIVES: &[&str] = &["configure", "create", "import", "let"];

/// The syntax of a source.
pub(crate) struct Parsed {
    pub(crate) tree: Tree,
    pub(crate) errors: Vec<Error>,
    /// Mistakes that don't prevent parsing.
    pub(crate) warnings: Vec<(Span, String)>,
}

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) source: SourceId,
    pub(super) names: &'a mut Names,
    pub(super) limits: &'a Limits,
    pub(super) lines: Vec<Line>,
    /// The line that is read next.
    pub(super) line: usize,
    pub(super) tree: Tree,
    pub(super) errors: Vec<Error>,
    pub(super) warnings: Vec<(Span, String)>,
    pub(super) depth: usize,
    /// The columns to which lines may return.
    levels: Vec<u32>,
}

pub(crate) fn parse(text: &str, source: SourceId, names: &mut Names, limits: &Limits) -> Parsed {
    let mut parser = Parser::new(text, source, names, limits);
    let level = parser.next_line().map_or(0, |line| line.indent);
    parser.tree.root = parser.block(level, false);
    Parsed { tree: parser.tree, errors: parser.errors, warnings: parser.warnings }
}

/// Parses source text that is a single expression.
pub(crate) fn parse_expression(
    text: &str,
    source: SourceId,
    names: &mut Names,
    limits: &Limits,
) -> Result<(Tree, ExprId)> {
    let mut parser = Parser::new(text, source, names, limits);
    let (mut tokens, _) = parser.tokens(0, Mode::Command)?;
    let expr = parser.expression_list(&mut tokens)?;
    tokens.expect_end()?;
    let root = parser.span(0, 0);
    parser.tree.root = parser.tree.add_block(root, Vec::new());
    Ok((parser.tree, expr))
}

/// The first word of a line or of an item.
pub(super) struct Word {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The byte after the colon, if the word is a key.
    pub(super) colon: Option<u32>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, source: SourceId, names: &'a mut Names, limits: &'a Limits) -> Self {
        Parser {
            text,
            source,
            names,
            limits,
            lines: lines(text),
            line: 0,
            tree: Tree::empty(),
            errors: Vec::new(),
            warnings: Vec::new(),
            depth: 0,
            levels: Vec::new(),
        }
    }

    pub(super) fn warn(&mut self, at: Span, message: &str) {
        self.warnings.push((at, message.to_owned()));
    }

    pub(super) fn too_deep(&self, at: Span) -> Error {
        let message = format!("syntax can't be nested more than {} levels deep", self.limits.syntax_depth);
        Error::new(Category::Limit, at, message)
    }

    pub(super) fn deeper(&mut self, at: Span) -> Result<()> {
        self.depth += 1;
        if self.depth > self.limits.syntax_depth {
            self.depth -= 1;
            return Err(self.too_deep(at));
        }
        Ok(())
    }

    pub(super) fn fail(&self, start: u32, end: u32, message: impl Into<String>) -> Error {
        Error::new(Category::Syntax, self.span(start, end), message)
    }

    /// Returns the next line with content; those before it are skipped.
    pub(super) fn next_line(&mut self) -> Option<Line> {
        while let Some(line) = self.lines.get(self.line) {
            if line.counts() {
                return Some(*line);
            }
            self.line += 1;
        }
        None
    }

    pub(super) fn content(&self, line: Line) -> &'a str {
        &self.text[line.content as usize..line.end as usize]
    }

    /// Parses the stanzas at one level.
    pub(super) fn block(&mut self, level: u32, bare: bool) -> BlockId {
        self.levels.push(level);
        let start = self.next_line().map_or(self.text.len() as u32, |line| line.content);
        let mut stanzas = Stanzas { list: Vec::new(), bare: false };
        while let Some(line) = self.next_line() {
            if line.tab {
                self.errors.push(
                    self.fail(line.start, line.content, "a tab can't be used to indent").help("indent with spaces"),
                );
                self.line += 1;
                continue;
            }
            if line.indent < level {
                if self.levels.contains(&line.indent) {
                    break;
                }
                let message = "the indentation of this line matches no line before it";
                self.errors.push(self.fail(line.start, line.content, message));
                self.recover(level);
                continue;
            }
            if line.indent > level {
                let error = self.stray(line);
                self.errors.push(error);
                self.recover(level);
                continue;
            }
            if let Err(error) = self.stanza(line, level, bare, &mut stanzas) {
                self.errors.push(error);
                self.recover(level);
            }
        }
        self.levels.pop();
        let end = stanzas.list.last().map_or(start, |last| last.span.end.max(start));
        self.tree.add_block(self.span(start, end), stanzas.list)
    }

    /// Returns the error for a line that is indented deeper than those around it.
    fn stray(&self, line: Line) -> Error {
        let error = self.fail(line.start, line.content, "this line is indented deeper, but belongs to nothing");
        let before = self.lines[..self.line].iter().rev().find(|line| line.counts());
        let head = before.and_then(|line| self.content(*line).rsplit([' ', '\t']).next()).unwrap_or_default();
        if head.starts_with(['|', '>']) {
            return error.help(format!("`{head}` does not begin a block of text; write `>`, `|`, `|+` or `|-`"));
        }
        error.help("indent lines only below a key without a value, or below a directive that ends with a colon")
    }

    /// Continues after an error with the next line at the level.
    fn recover(&mut self, level: u32) {
        self.line = (self.line + 1).min(self.lines.len());
        while let Some(line) = self.next_line() {
            let continues = line.indent == level && matches!(self.branch_word(line).0, "elif" | "else");
            if line.indent <= level && !continues {
                return;
            }
            self.line += 1;
        }
    }

    fn stanza(&mut self, line: Line, level: u32, bare: bool, stanzas: &mut Stanzas) -> Result<()> {
        let content = self.content(line);
        if is_item(content) {
            let start = self.line;
            let item = self.item(line).inspect_err(|_| self.line = self.line.max(start + 1) - 1)?;
            return stanzas.item(item, self.span(line.content, line.end));
        }
        if let Some(at) = self.percent(line) {
            return self.directive(at, line, stanzas);
        }
        let word = self.word(line.content, line.end);
        let text = &self.text[word.start as usize..word.end as usize];
        let key = word.colon.is_some();
        if key && text != "else" && is_reserved(text) && !OPERATOR_WORDS.contains(&text) {
            let message = format!("`{text}` can't be a key here: it begins a directive");
            return Err(self
                .fail(word.start, word.end, message)
                .help(format!("rename the key, or write `- {text}: …` if the line is an item of a list")));
        }
        if !key && (is_reserved(text) || SOFT_DIRECTIVES.contains(&text)) || text == "else" {
            return self.directive(line.content, line, stanzas);
        }
        if key {
            let entry = self.entry(&word, line, level)?;
            return stanzas.entry(entry, self);
        }
        if !bare || computed_key(content).is_some() {
            return Err(self.no_key(line, &word));
        }
        self.bare(line, stanzas)
    }

    /// Returns the error for a line without meaning, with help about what its author may have meant.
    fn no_key(&self, line: Line, word: &Word) -> Error {
        let content = self.content(line);
        if let Some(length) = computed_key(content) {
            let end = line.content + length as u32;
            return self.fail(line.content, end, "a key can't contain a template").help(
                "create the whole mapping with an expression: \
                     `name: {{ {\"web\" + i: value for i in range(3)} }}`",
            );
        }
        if content.starts_with("{%") {
            let message = "a directive must be on its own line, without braces";
            return self.fail(line.content, line.content + 2, message).help("indent its content below it");
        }
        if self.text[word.end as usize..line.end as usize].trim_start().starts_with('=') {
            let message = "this is neither a key nor a directive";
            return self
                .fail(word.end, (word.end + 1).min(line.end), message)
                .help("write `set name = expression` to give a name to a value");
        }
        let blank = |text: &str| text.is_empty() || text.starts_with([' ', '\t']);
        let colon = content.match_indices(':').find(|(at, _)| blank(&content[at + 1..])).map(|(at, _)| at);
        let (message, help) = match (colon, content.split_once(':')) {
            (Some(at), _) => {
                let message = format!("`{}` can't be a key: keys can't contain spaces", content[..at].trim_end());
                (message, "begin the line with one word and a colon, or with a directive")
            }
            (None, Some(_)) => {
                ("this is neither a key nor a directive".to_owned(), "write a space after the colon of a key")
            }
            (None, None) => {
                ("this is neither a key nor a directive".to_owned(), "write a colon and a space after a key")
            }
        };
        self.fail(word.end, (word.end + 1).min(line.end), message).help(help)
    }

    /// Returns the first word at or after a byte.
    pub(super) fn word(&self, start: u32, end: u32) -> Word {
        let text = &self.text[start as usize..end as usize];
        let bytes = text.as_bytes();
        let colon_at =
            |at: usize| bytes[at] == b':' && bytes.get(at + 1).is_none_or(|next| matches!(next, b' ' | b'\t'));
        let length =
            (0..bytes.len()).find(|at| matches!(bytes[*at], b' ' | b'\t') || colon_at(*at)).unwrap_or(bytes.len());
        let word_end = start + length as u32;
        let next = self.skip_blanks(word_end, end);
        let found = length > 0 && next < end && colon_at((next - start) as usize);
        Word { start, end: word_end, colon: found.then_some(next + 1) }
    }

    pub(super) fn key(&mut self, word: &Word) -> (crate::name::Name, Span) {
        let name = self.names.number(&self.text[word.start as usize..word.end as usize]);
        (name, self.span(word.start, word.end))
    }

    fn entry(&mut self, word: &Word, line: Line, level: u32) -> Result<Entry> {
        let (key, key_span) = self.key(word);
        let colon = word.colon.unwrap_or(word.end);
        let value = match self.scalar(colon, line, [level, level])? {
            Some(value) => value,
            None => self.nested(level, level, key_span)?,
        };
        Ok(self.tree.add_entry(key, key_span, value))
    }

    /// Returns the value of a key on the lines after it, or an empty value.
    pub(super) fn nested(&mut self, level: u32, list_level: u32, key: Span) -> Result<ValueId> {
        let Some(next) = self.next_line() else { return Ok(self.tree.add_value(key, ValueKind::Empty)) };
        let body = if next.indent > level {
            self.body_at(next.indent, true, key)?
        } else if next.indent == list_level && is_item(self.content(next)) {
            self.list_at_key(next)?
        } else {
            return Ok(self.tree.add_value(key, ValueKind::Empty));
        };
        let span = self.tree.block(body).span;
        Ok(self.tree.add_value(span, ValueKind::Body(body)))
    }

    /// Returns a list in the column of its key.
    fn list_at_key(&mut self, first: Line) -> Result<BlockId> {
        let mut stanzas = Stanzas { list: Vec::new(), bare: false };
        while let Some(line) = self.next_line().filter(|line| line.indent == first.indent) {
            if !is_item(self.content(line)) {
                break;
            }
            let item = self.item(line)?;
            stanzas.item(item, self.span(line.content, line.end))?;
        }
        let end = stanzas.list.last().map_or(first.end, |last| last.span.end);
        Ok(self.tree.add_block(self.span(first.content, end), stanzas.list))
    }

    pub(super) fn body_at(&mut self, level: u32, bare: bool, at: Span) -> Result<BlockId> {
        self.deeper(at)?;
        let block = self.block(level, bare);
        self.depth -= 1;
        Ok(block)
    }

    /// Parses `- value`, or `- key: value` with more keys on the lines after it.
    fn item(&mut self, line: Line) -> Result<ValueId> {
        let start = self.skip_blanks(line.content + 1, line.end);
        let text = &self.text[start as usize..line.end as usize];
        if text.is_empty() || text.starts_with('#') {
            return Err(self.fail(line.content, line.content + 1, "an item needs a value"));
        }
        let word = self.word(start, line.end);
        let first = &self.text[word.start as usize..word.end as usize];
        if word.colon.is_some() && !first.contains("{{") && !text.starts_with('"') {
            return self.item_mapping(&word, line);
        }
        match self.scalar(start, line, [line.indent, line.indent])? {
            Some(value) => Ok(value),
            None => Err(self.fail(line.content, line.content + 1, "an item needs a value")),
        }
    }

    fn item_mapping(&mut self, word: &Word, line: Line) -> Result<ValueId> {
        let (key, key_span) = self.key(word);
        let column = word.start - line.start;
        let given = self.scalar(word.colon.unwrap_or(word.end), line, [line.indent, column])?;
        self.levels.push(column);
        let value = match given {
            Some(value) => Ok(value),
            None => self.nested(line.indent, u32::MAX, key_span),
        };
        self.levels.pop();
        let value = value?;
        let entry = self.tree.add_entry(key, key_span, value);
        let more = self.next_line().filter(|next| match given {
            Some(_) => next.indent > line.indent,
            None => next.indent == column && column > line.indent,
        });
        let mut list = vec![Stanza { span: key_span, kind: StanzaKind::Map(Entries::new(vec![entry])) }];
        if let Some(next) = more {
            let rest = self.body_at(next.indent, false, key_span)?;
            merge(&mut list, std::mem::take(&mut self.tree.blocks[rest.0 as usize].stanzas));
        }
        let end = list.last().map_or(key_span.end, |last| last.span.end);
        let span = self.span(key_span.start, end);
        let block = self.tree.add_block(span, list);
        Ok(self.tree.add_value(span, ValueKind::Body(block)))
    }

    /// Parses a line that is nothing but a value, in a body of such lines.
    fn bare(&mut self, line: Line, stanzas: &mut Stanzas) -> Result<()> {
        if stanzas.list.iter().any(|stanza| matches!(stanza.kind, StanzaKind::Map(_) | StanzaKind::List(_)))
            && !stanzas.bare
        {
            return Err(self
                .fail(line.content, line.end, "this is neither an item nor a key")
                .help("begin the line with `- `"));
        }
        let Some(value) = self.scalar(line.content, line, [line.indent, line.indent])? else { return Ok(()) };
        stanzas.push_item(value, self.span(line.content, line.end));
        stanzas.bare = true;
        Ok(())
    }
}

/// Stanzas of a block as they are read.
pub(super) struct Stanzas {
    pub(super) list: Vec<Stanza>,
    /// Whether the items are lines without hyphens.
    bare: bool,
}

impl Stanzas {
    pub(super) fn push(&mut self, span: Span, kind: StanzaKind) {
        self.list.push(Stanza { span, kind });
    }

    fn not_bare(&self, at: Span) -> Result<()> {
        if !self.bare {
            return Ok(());
        }
        let message = "lines without hyphens can't be mixed with items or keys";
        Err(Error::new(Category::Syntax, at, message).help("begin each item with `- `"))
    }

    fn item(&mut self, value: ValueId, span: Span) -> Result<()> {
        self.not_bare(span)?;
        self.push_item(value, span);
        Ok(())
    }

    fn push_item(&mut self, value: ValueId, span: Span) {
        if let Some(Stanza { span: all, kind: StanzaKind::List(items) }) = self.list.last_mut() {
            items.push(value);
            all.end = span.end;
            return;
        }
        self.push(span, StanzaKind::List(vec![value]));
    }

    fn entry(&mut self, entry: Entry, parser: &Parser<'_>) -> Result<()> {
        let value = parser.tree.value(entry.value);
        let key = value.key.unwrap_or(value.span);
        self.not_bare(key)?;
        let span = Span { end: value.span.end.max(key.end), ..key };
        merge(&mut self.list, vec![Stanza { span, kind: StanzaKind::Map(Entries::new(vec![entry])) }]);
        Ok(())
    }
}

/// Appends stanzas; keys that follow keys are one stanza.
fn merge(list: &mut Vec<Stanza>, more: Vec<Stanza>) {
    let mut more = more.into_iter();
    if let Some(first) = more.next() {
        match (list.last_mut(), first) {
            (
                Some(Stanza { span, kind: StanzaKind::Map(old) }),
                Stanza { span: new_span, kind: StanzaKind::Map(new) },
            ) => {
                span.end = new_span.end;
                old.append(new);
            }
            (_, first) => list.push(first),
        }
    }
    list.extend(more);
}

/// Returns the length of a key that contains a template.
fn computed_key(content: &str) -> Option<usize> {
    let (before, after) = content.split_once("{{")?;
    let end = content.len() - after.len() + after.find("}}")? + 2;
    let rest = &content[end..];
    let length = rest.find([' ', '\t']).unwrap_or(rest.len());
    let is_key = !before.contains([' ', '\t', '"']) && rest[..length].ends_with(':');
    is_key.then_some(end + length - 1)
}

pub(super) fn is_item(content: &str) -> bool {
    let mut bytes = content.bytes();
    bytes.next() == Some(b'-') && bytes.next().is_none_or(|next| matches!(next, b' ' | b'\t'))
}
