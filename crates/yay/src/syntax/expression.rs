//! Expressions: Python's grammar and `x else y`.

use super::block::Parser;
use super::token::{Mode, Spanned, Token, tokens};
use super::tree::{Binary, Comparison, ExprId, ExprKind, Target, Targets, Unary};
use crate::error::{Category, Error, Result};
use crate::source::Span;

/// Words that can't be names.
const RESERVED: &[&str] = &[
    "and",
    "as",
    "call",
    "elif",
    "else",
    "extend",
    "for",
    "if",
    "in",
    "include",
    "is",
    "lambda",
    "macro",
    "new",
    "not",
    "or",
    "prototype",
    "search",
    "select",
    "set",
];

pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// The tokens of a directive or a template, and the number of tokens read.
pub(super) struct Tokens {
    list: Vec<Spanned>,
    at: usize,
}

impl Tokens {
    pub(super) fn peek(&self) -> &Token {
        &self.list[self.at].token
    }

    pub(super) fn peek_second(&self) -> Option<&Token> {
        self.list.get(self.at + 1).map(|next| &next.token)
    }

    pub(super) fn span(&self) -> Span {
        self.list[self.at].span
    }

    pub(super) fn last_span(&self) -> Span {
        self.list[self.at.saturating_sub(1)].span
    }

    pub(super) fn next(&mut self) -> Spanned {
        let token = self.list[self.at].clone();
        self.at = (self.at + 1).min(self.list.len() - 1);
        token
    }

    pub(super) fn is_op(&self, operator: &str) -> bool {
        matches!(self.peek(), Token::Op(found) if *found == operator)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if found == word)
    }

    /// Returns whether a reserved word is a key here, because a part of its value is selected after it.
    pub(super) fn is_key(&self) -> bool {
        match self.peek() {
            Token::Word(word) if matches!(word.as_str(), "and" | "as" | "in" | "is" | "or") => {
                matches!(self.peek_second(), Some(Token::Op("." | "[")))
            }
            Token::Word(_) => matches!(self.peek_second(), Some(Token::Op("."))),
            _ => false,
        }
    }

    pub(super) fn eat(&mut self, operator: &str) -> bool {
        let found = self.is_op(operator);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn expect(&mut self, operator: &str) -> Result<Span> {
        let span = self.span();
        if self.eat(operator) { Ok(span) } else { Err(self.unexpected(&format!("`{operator}`"))) }
    }

    pub(super) fn unexpected(&self, wanted: &str) -> Error {
        let found = match self.peek() {
            Token::Int(number) => format!("`{number}`"),
            Token::Float(number) => format!("`{number}`"),
            Token::Text(_) => "text".to_owned(),
            Token::Word(word) => format!("`{word}`"),
            Token::Op(operator) => format!("`{operator}`"),
            Token::End => "the end".to_owned(),
        };
        Error::new(Category::Syntax, self.span(), format!("{wanted} is expected here, not {found}"))
    }

    pub(super) fn expect_end(&self) -> Result<()> {
        if *self.peek() == Token::End { Ok(()) } else { Err(self.unexpected("the end")) }
    }
}

impl Parser<'_> {
    pub(super) fn tokens(&self, start: u32, mode: Mode) -> Result<(Tokens, u32)> {
        let (list, end) = tokens(self.text, start, self.source, mode)?;
        Ok((Tokens { list, at: 0 }, end))
    }

    fn join(&mut self, left: ExprId, right: ExprId, kind: ExprKind) -> ExprId {
        let span = Span { end: self.tree.expr(right).span.end, ..self.tree.expr(left).span };
        self.tree.add_expr(span, kind)
    }

    /// Parses one expression, or several with commas, which are a list.
    pub(super) fn expression_list(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        let first = self.element(tokens)?;
        if !tokens.is_op(",") && !self.is_spread(first) {
            return Ok(first);
        }
        self.rest_of_tuple(tokens, first)
    }

    /// Parses an item, or `*` and a list whose items are spread.
    pub(super) fn element(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        if !tokens.is_op("*") {
            return self.expression(tokens);
        }
        let start = tokens.next().span;
        self.deeper(start)?;
        let operand = self.binary(tokens, 0);
        self.depth -= 1;
        let operand = operand?;
        let span = Span { end: self.tree.expr(operand).span.end, ..start };
        Ok(self.tree.add_expr(span, ExprKind::Spread(operand)))
    }

    fn is_spread(&self, expr: ExprId) -> bool {
        matches!(self.tree.expr(expr).kind, ExprKind::Spread(_))
    }

    /// Rejects `*x` where it can't be spread.
    pub(super) fn not_spread(&self, expr: ExprId) -> Result<()> {
        if !self.is_spread(expr) {
            return Ok(());
        }
        let message = "`*` is only allowed before an item of a list or an argument";
        Err(Error::new(Category::Syntax, self.tree.expr(expr).span, message))
    }

    pub(super) fn rest_of_tuple(&mut self, tokens: &mut Tokens, first: ExprId) -> Result<ExprId> {
        let mut list = vec![first];
        while tokens.eat(",") {
            if ends_list(tokens) {
                break;
            }
            list.push(self.element(tokens)?);
        }
        let span = Span { end: tokens.last_span().end, ..self.tree.expr(first).span };
        Ok(self.tree.add_expr(span, ExprKind::List(list)))
    }

    pub(super) fn expression(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        self.deeper(tokens.span())?;
        let result = self.choice(tokens);
        self.depth -= 1;
        result
    }

    fn choice(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        if tokens.is_word("lambda") && !tokens.is_key() {
            return self.lambda(tokens);
        }
        let first = self.disjunction(tokens)?;
        self.choice_after(tokens, first)
    }

    /// Parses `… if … else …` and `… else …` after their first operand.
    pub(super) fn choice_after(&mut self, tokens: &mut Tokens, first: ExprId) -> Result<ExprId> {
        if tokens.eat_word("if") {
            let condition = self.disjunction(tokens)?;
            if !tokens.eat_word("else") {
                return Err(tokens.unexpected("`else`"));
            }
            let otherwise = self.expression(tokens)?;
            return Ok(self.join(first, otherwise, ExprKind::Conditional { condition, then: first, otherwise }));
        }
        if tokens.eat_word("else") {
            let otherwise = self.expression(tokens)?;
            return Ok(self.join(first, otherwise, ExprKind::Else(first, otherwise)));
        }
        Ok(first)
    }

    fn lambda(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        let start = tokens.next().span;
        while !tokens.is_op(":") {
            self.lambda_parameter(tokens)?;
            if !tokens.eat(",") {
                break;
            }
        }
        tokens.expect(":")?;
        let body = self.expression(tokens)?;
        let span = Span { end: self.tree.expr(body).span.end, ..start };
        Ok(self.tree.add_expr(span, ExprKind::Unsupported("a lambda")))
    }

    fn lambda_parameter(&mut self, tokens: &mut Tokens) -> Result<()> {
        if !tokens.eat("**") {
            tokens.eat("*");
        }
        self.target(tokens)?;
        if tokens.eat("=") {
            self.expression(tokens)?;
        }
        Ok(())
    }

    pub(super) fn disjunction(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        let mut left = self.conjunction(tokens)?;
        while tokens.eat_word("or") {
            let right = self.conjunction(tokens)?;
            left = self.join(left, right, ExprKind::Or(left, right));
        }
        Ok(left)
    }

    fn conjunction(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        let mut left = self.negation(tokens)?;
        while tokens.eat_word("and") {
            let right = self.negation(tokens)?;
            left = self.join(left, right, ExprKind::And(left, right));
        }
        Ok(left)
    }

    fn negation(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        if !tokens.is_word("not") || tokens.is_key() {
            return self.comparison(tokens);
        }
        let start = tokens.next().span;
        self.deeper(start)?;
        let operand = self.negation(tokens);
        self.depth -= 1;
        let operand = operand?;
        let span = Span { end: self.tree.expr(operand).span.end, ..start };
        Ok(self.tree.add_expr(span, ExprKind::Unary(Unary::Not, operand)))
    }

    fn comparison(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        let first = self.binary(tokens, 0)?;
        let mut chain = Vec::new();
        while let Some(operator) = comparison_operator(tokens) {
            chain.push((operator, self.binary(tokens, 0)?));
        }
        match chain.last() {
            None => Ok(first),
            Some((_, last)) => Ok(self.join(first, *last, ExprKind::Compare(first, chain))),
        }
    }

    fn binary(&mut self, tokens: &mut Tokens, level: usize) -> Result<ExprId> {
        let Some(operators) = LEVELS.get(level) else { return self.unary(tokens) };
        let mut left = self.binary(tokens, level + 1)?;
        while let Some((_, operator)) = operators.iter().find(|(text, _)| tokens.is_op(text)) {
            tokens.next();
            let right = self.binary(tokens, level + 1)?;
            left = self.join(left, right, ExprKind::Binary(*operator, left, right));
        }
        Ok(left)
    }

    fn unary(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        let operator = match tokens.peek() {
            Token::Op("-") => Unary::Minus,
            Token::Op("+") => Unary::Plus,
            Token::Op("~") => Unary::Invert,
            _ => return self.power(tokens),
        };
        let start = tokens.next().span;
        self.deeper(start)?;
        let operand = self.unary(tokens);
        self.depth -= 1;
        let operand = operand?;
        let span = Span { end: self.tree.expr(operand).span.end, ..start };
        Ok(self.tree.add_expr(span, ExprKind::Unary(operator, operand)))
    }

    fn power(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        let base = self.primary(tokens)?;
        if !tokens.is_op("**") {
            return Ok(base);
        }
        self.deeper(tokens.next().span)?;
        let exponent = self.unary(tokens);
        self.depth -= 1;
        let exponent = exponent?;
        Ok(self.join(base, exponent, ExprKind::Binary(Binary::Power, base, exponent)))
    }

    /// Parses names that are given values: in `set`, `for` and comprehensions.
    pub(super) fn targets(&mut self, tokens: &mut Tokens) -> Result<Targets> {
        let start = tokens.span();
        let mut list = vec![self.target(tokens)?];
        let mut unpack = false;
        while tokens.eat(",") {
            unpack = true;
            if !matches!(tokens.peek(), Token::Word(word) if !is_reserved(word))
                && !tokens.is_op("(")
                && !tokens.is_op("*")
            {
                break;
            }
            list.push(self.target(tokens)?);
        }
        let span = Span { end: tokens.last_span().end, ..start };
        let rests = list.iter().filter(|target| matches!(target, Target::Rest(_))).count();
        if rests > 1 || rests == 1 && !unpack {
            let message = if unpack {
                "only one name can take the rest"
            } else {
                "a name with `*` must follow or precede other names"
            };
            return Err(Error::new(Category::Syntax, span, message));
        }
        Ok(Targets { span, list, unpack })
    }

    pub(super) fn target(&mut self, tokens: &mut Tokens) -> Result<Target> {
        if tokens.is_op("(") {
            self.deeper(tokens.next().span)?;
            let targets = self.targets(tokens);
            self.depth -= 1;
            tokens.expect(")")?;
            return Ok(Target::Tuple(targets?));
        }
        if tokens.eat("*") {
            return match tokens.peek().clone() {
                Token::Word(word) if !is_reserved(&word) => {
                    tokens.next();
                    Ok(Target::Rest(self.names.number(&word)))
                }
                _ => Err(tokens.unexpected("a name")),
            };
        }
        let plain = !matches!(tokens.peek_second(), Some(Token::Op("." | "[")));
        match tokens.peek().clone() {
            Token::Word(word) if !is_reserved(&word) && plain => {
                tokens.next();
                Ok(Target::Name(self.names.number(&word)))
            }
            Token::Word(word) if !is_reserved(&word) => self.primary(tokens).map(|_| Target::Other),
            _ => Err(tokens.unexpected("a name")),
        }
    }
}

fn ends_list(tokens: &Tokens) -> bool {
    match tokens.peek() {
        Token::End => true,
        Token::Op(operator) => matches!(*operator, ")" | "]" | "}" | ":" | "="),
        Token::Word(word) => matches!(word.as_str(), "as" | "for" | "if" | "in"),
        _ => false,
    }
}

/// The operators, from the weakest to the strongest binding.
const LEVELS: &[&[(&str, Binary)]] = &[
    &[("|", Binary::Or)],
    &[("^", Binary::Xor)],
    &[("&", Binary::And)],
    &[("<<", Binary::ShiftLeft), (">>", Binary::ShiftRight)],
    &[("+", Binary::Add), ("-", Binary::Subtract)],
    &[("*", Binary::Multiply), ("//", Binary::FloorDivide), ("/", Binary::Divide), ("%", Binary::Modulo)],
];

fn comparison_operator(tokens: &mut Tokens) -> Option<Comparison> {
    let operator = match tokens.peek() {
        Token::Op("==") => Comparison::Equal,
        Token::Op("!=" | "<>") => Comparison::NotEqual,
        Token::Op("<") => Comparison::Less,
        Token::Op("<=") => Comparison::LessEqual,
        Token::Op(">") => Comparison::Greater,
        Token::Op(">=") => Comparison::GreaterEqual,
        Token::Word(word) if word == "in" => Comparison::In,
        Token::Word(word) if word == "is" => Comparison::Is,
        Token::Word(word)
            if word == "not" && matches!(tokens.peek_second(), Some(Token::Word(next)) if next == "in") =>
        {
            tokens.next();
            Comparison::NotIn
        }
        _ => return None,
    };
    tokens.next();
    if operator == Comparison::Is && tokens.eat_word("not") {
        return Some(Comparison::IsNot);
    }
    Some(operator)
}
