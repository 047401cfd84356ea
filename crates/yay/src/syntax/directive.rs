//! Directives: lines that begin with a reserved word.

use super::block::{Parser, Stanzas};
use super::expression::{Tokens, is_reserved};
use super::line::Line;
use super::token::{Mode, Token};
use super::tree::{BlockId, Branch, ExprId, ExprKind, StanzaKind, ValueKind};
use crate::error::{Category, Error, Result};
use crate::name::Name;
use crate::source::Span;

/// The words that may follow `%`.
const DIRECTIVES: &[&str] = &[
    "call",
    "configure",
    "create",
    "elif",
    "else",
    "extend",
    "for",
    "if",
    "import",
    "include",
    "let",
    "macro",
    "new",
    "prototype",
    "search",
    "select",
    "set",
];

impl<'a> Parser<'a> {
    /// Returns the start of the directive after `%`, if the line has one.
    pub(super) fn percent(&self, line: Line) -> Option<u32> {
        let after = self.content(line).strip_prefix('%')?;
        let word = after.trim_start_matches([' ', '\t']);
        let length = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(word.len());
        DIRECTIVES.contains(&&word[..length]).then(|| line.end - word.len() as u32)
    }

    /// Returns the directive word of a line and the start of its operand.
    pub(super) fn branch_word(&self, line: Line) -> (&'a str, u32) {
        let start = self.percent(line).unwrap_or(line.content);
        let text = &self.text[start as usize..line.end as usize];
        let length = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        (&text[..length], start + length as u32)
    }

    pub(super) fn directive(&mut self, start: u32, line: Line, stanzas: &mut Stanzas) -> Result<()> {
        let (word, operand) = self.branch_word(line);
        let span = self.span(start, line.end);
        let kind = match word {
            "set" | "let" => self.assignment(operand)?,
            "include" | "import" => StanzaKind::Include(self.operand(operand, line)?),
            "search" => StanzaKind::Search(self.operand(operand, line)?),
            "if" => self.conditional(operand, line)?,
            "for" => self.repetition(operand, line)?,
            "select" => self.selection(operand, line)?,
            "macro" | "prototype" => self.definition(word, operand, line)?,
            "call" => self.invocation(operand, line)?,
            "new" | "create" => self.instance(operand, line)?,
            "configure" => self.configuration(operand, line)?,
            "extend" => self.extension(operand, line)?,
            "elif" | "else" => {
                return Err(self.fail(start, operand, format!("there is no `if` that this `{word}` belongs to")));
            }
            _ => {
                return Err(self
                    .fail(operand, operand, format!("`{word}` can't begin a line"))
                    .help(format!("write `- {word}: …`, or use `{word}` in an expression")));
            }
        };
        stanzas.push(span, kind);
        Ok(())
    }

    /// Returns the tokens of a directive and moves to the line after them.
    fn command(&mut self, operand: u32) -> Result<Tokens> {
        let (tokens, end) = self.tokens(operand, Mode::Command)?;
        self.line = self.lines.partition_point(|line| line.start <= end);
        Ok(tokens)
    }

    fn operand(&mut self, start: u32, line: Line) -> Result<ExprId> {
        let start = self.skip_blanks(start, line.end);
        if self.text[start as usize..line.end as usize].contains("{{") {
            self.line += 1;
            return self.template_operand(start, line.end);
        }
        let mut tokens = self.command(start)?;
        let expr = self.expression_list(&mut tokens)?;
        tokens.expect_end()?;
        Ok(expr)
    }

    fn assignment(&mut self, operand: u32) -> Result<StanzaKind> {
        let mut tokens = self.command(operand)?;
        let targets = self.targets(&mut tokens)?;
        tokens.expect("=").map_err(|error| error.help("write `set name = expression`"))?;
        let value = self.expression_list(&mut tokens)?;
        tokens.expect_end()?;
        if targets.names().is_empty() {
            self.warn(targets.span, "only names can be set; this sets nothing");
        }
        Ok(StanzaKind::Set { targets, value })
    }

    /// Parses the colon at the end of a directive and the body after it.
    fn body(&mut self, tokens: &mut Tokens, line: Line, bare: bool) -> Result<BlockId> {
        let colon = tokens.span();
        let missing = *tokens.peek() == Token::End;
        if !missing {
            tokens.expect(":").map_err(|error| match tokens.peek() {
                Token::Op("=") => error.help("write `==` to compare values"),
                Token::Op("{") => error.help("end the directive with a colon and indent its body"),
                _ => error,
            })?;
            tokens.expect_end()?;
        }
        let next = self.next_line();
        let Some(next) = next.filter(|next| next.indent > line.indent) else {
            if missing {
                return Err(tokens.unexpected("`:`"));
            }
            let at = next.map_or(self.span(self.text.len() as u32, self.text.len() as u32), |next| {
                self.span(next.content, next.end)
            });
            return Err(Error::new(Category::Syntax, at, "a body that is indented deeper is expected here").used(colon));
        };
        if missing {
            self.warn(Span { end: colon.start, ..colon }, "the colon at the end of the directive is missing");
        }
        self.body_at(next.indent, bare, colon)
    }

    fn conditional(&mut self, operand: u32, line: Line) -> Result<StanzaKind> {
        let mut branches = vec![self.branch(operand, line, true)?];
        while let Some(next) = self.next_line().filter(|next| next.indent == line.indent) {
            let (word @ ("elif" | "else"), operand) = self.branch_word(next) else { break };
            branches.push(self.branch(operand, next, word == "elif")?);
            if word == "else" {
                break;
            }
        }
        Ok(StanzaKind::If(branches))
    }

    fn branch(&mut self, operand: u32, line: Line, conditional: bool) -> Result<Branch> {
        let mut tokens = self.command(operand)?;
        let condition = if conditional { Some(self.expression_list(&mut tokens)?) } else { None };
        Ok(Branch { condition, body: self.body(&mut tokens, line, true)? })
    }

    fn repetition(&mut self, operand: u32, line: Line) -> Result<StanzaKind> {
        let mut tokens = self.command(operand)?;
        let targets = self.targets(&mut tokens)?;
        if !tokens.eat_word("in") {
            return Err(tokens.unexpected("`in`"));
        }
        let (iterable, condition) = self.iterable(&mut tokens)?;
        let body = self.body(&mut tokens, line, true)?;
        Ok(StanzaKind::For { targets, iterable, condition, body, layers: false })
    }

    /// Returns the list of a loop and its condition. `a if b else c` is not a condition.
    fn iterable(&mut self, tokens: &mut Tokens) -> Result<(ExprId, Option<ExprId>)> {
        if tokens.is_word("lambda") {
            return Ok((self.expression_list(tokens)?, None));
        }
        let first = self.disjunction(tokens)?;
        if tokens.is_op(",") {
            return Ok((self.rest_of_tuple(tokens, first)?, None));
        }
        if tokens.is_word("else") {
            let first = self.choice_after(tokens, first)?;
            let condition = if tokens.eat_word("if") { Some(self.expression(tokens)?) } else { None };
            return Ok((first, condition));
        }
        if !tokens.eat_word("if") {
            return Ok((first, None));
        }
        let condition = self.disjunction(tokens)?;
        if !tokens.eat_word("else") {
            return Ok((first, Some(condition)));
        }
        let otherwise = self.expression(tokens)?;
        let span = Span { end: self.tree.expr(otherwise).span.end, ..self.tree.expr(first).span };
        let kind = ExprKind::Conditional { condition, then: first, otherwise };
        Ok((self.tree.add_expr(span, kind), None))
    }

    fn selection(&mut self, operand: u32, line: Line) -> Result<StanzaKind> {
        let mut tokens = self.command(operand)?;
        let subject = self.expression_list(&mut tokens)?;
        let body = self.body(&mut tokens, line, false)?;
        let stanzas = std::mem::take(&mut self.tree.blocks[body.0 as usize].stanzas);
        let mut cases = Vec::new();
        for stanza in stanzas {
            match stanza.kind {
                StanzaKind::Map(entries) => cases.extend(entries.list),
                _ => return Err(Error::new(Category::Syntax, stanza.span, "a selection can contain only cases")),
            }
        }
        Ok(StanzaKind::Select { subject, cases })
    }

    fn name(&mut self, tokens: &mut Tokens) -> Result<Name> {
        match tokens.peek().clone() {
            Token::Word(word) if !is_reserved(&word) => {
                tokens.next();
                Ok(self.names.number(&word))
            }
            _ => Err(tokens.unexpected("a name")),
        }
    }

    fn definition(&mut self, word: &str, operand: u32, line: Line) -> Result<StanzaKind> {
        let mut tokens = self.command(operand)?;
        let name = self.name(&mut tokens)?;
        if tokens.is_op("(") {
            let error = tokens.unexpected("`:`");
            return Err(error.help(format!(
                "a {word} has no parameter list: names in its body get their values where the {word} is used"
            )));
        }
        let body = self.body(&mut tokens, line, false)?;
        Ok(if word == "macro" { StanzaKind::Macro { name, body } } else { StanzaKind::Prototype { name, body } })
    }

    fn invocation(&mut self, operand: u32, line: Line) -> Result<StanzaKind> {
        let mut tokens = self.command(operand)?;
        let callee = self.expression_list(&mut tokens)?;
        let arguments = self
            .body(&mut tokens, line, false)
            .map_err(|error| error.help("to call a macro without arguments, use an expression: `{{ name() }}`"))?;
        Ok(StanzaKind::Call { callee, arguments })
    }

    fn instance(&mut self, operand: u32, line: Line) -> Result<StanzaKind> {
        let mut tokens = self.command(operand)?;
        let class = self.expression_list(&mut tokens)?;
        if !tokens.eat_word("as") {
            let body = self.body(&mut tokens, line, false)?;
            return Ok(StanzaKind::New { class, body });
        }
        let key_span = tokens.span();
        let key = self.name(&mut tokens)?;
        let body = self.body(&mut tokens, line, false)?;
        let value = self.tree.add_value(self.tree.block(body).span, ValueKind::Body(body));
        let entry = self.tree.add_entry(key, key_span, value);
        Ok(StanzaKind::NewAs { class, entry, body })
    }

    fn configuration(&mut self, operand: u32, line: Line) -> Result<StanzaKind> {
        let mut tokens = self.command(operand)?;
        let span = tokens.span();
        let section = self.name(&mut tokens)?;
        let body = self.body(&mut tokens, line, false)?;
        if !matches!(&**self.names.text(section), "openers" | "basicauth") {
            self.warn(span, "unknown section of `configure`");
        }
        Ok(StanzaKind::Configure { section, body })
    }

    /// Parses `extend key: …`; the key is a word, not an expression.
    fn extension(&mut self, operand: u32, line: Line) -> Result<StanzaKind> {
        let start = self.skip_blanks(operand, line.end);
        let word = self.word(start, line.end);
        let text = &self.text[word.start as usize..word.end as usize];
        let Some(colon) = word.colon else {
            return Err(self.fail(word.end, line.end, "`extend` needs a key with a colon"));
        };
        if is_reserved(text) || text.is_empty() {
            return Err(self.fail(word.start, word.end, format!("`{text}` can't be a key here")));
        }
        let (key, key_span) = self.key(&word);
        let value = match self.scalar(colon, line, [line.indent, line.indent])? {
            Some(value) => value,
            None => self.nested(line.indent, line.indent, key_span)?,
        };
        if matches!(self.tree.value(value).kind, ValueKind::Empty) {
            return Err(self.fail(key_span.start, key_span.end, "there is nothing here to extend the key with"));
        }
        Ok(StanzaKind::Extend(self.tree.add_entry(key, key_span, value)))
    }
}
