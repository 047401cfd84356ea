//! From tokens to expressions.

use std::ops::Range;
use std::sync::Arc;

use super::scan::{Bracket, Placed, Token, scan};
use super::{Argument, Constant, Expr, Expression, Kind, Node, Operator, Syntax};
use crate::error::{Error, ErrorKind, Result};

pub(super) fn parse(text: &str, syntax: Syntax) -> Result<Expr> {
    let mut parser = Parser { text, tokens: scan(text, syntax)?, at: 0, depth: 0, height: 0 };
    let root = parser.value(LOOSEST)?;
    match parser.tokens.get(parser.at) {
        None => Ok(root),
        Some(_) => Err(parser.unexpected()),
    }
}

/// The precedence of operators: lower levels bind more tightly.
type Level = u8;
const LOOSEST: Level = 11;
const COLON: Level = 0;
const POINT: Level = 1;
const INDEX: Level = 2;
const SIGN: Level = 3;
const NOT: Level = 8;

fn level(operator: Operator) -> Option<Level> {
    Some(match operator {
        Operator::Colon => COLON,
        Operator::Dot | Operator::OptionalDot => POINT,
        Operator::Matches | Operator::MatchesNot => 4,
        Operator::Times | Operator::Over | Operator::Modulo => 5,
        Operator::Plus | Operator::Minus => 6,
        Operator::Greater
        | Operator::Less
        | Operator::GreaterOrEqual
        | Operator::LessOrEqual
        | Operator::NotEqual
        | Operator::Equal
        | Operator::In
        | Operator::Is => 7,
        Operator::And => 9,
        Operator::Or => 10,
        Operator::Arrow => LOOSEST,
        Operator::Not => return None,
    })
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Placed>,
    at: usize,
    depth: u32,
    /// The depth of the last expression. A chain of operators is nested to its left.
    height: u32,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|placed| &placed.token)
    }

    fn next_is(&self, token: &Token) -> bool {
        self.peek() == Some(token)
    }

    fn span(&self) -> Range<u32> {
        self.tokens.get(self.at).map_or(self.text.len() as u32..self.text.len() as u32, |placed| placed.span.clone())
    }

    fn end_of_last(&self) -> u32 {
        self.at.checked_sub(1).map_or(0, |last| self.tokens[last].span.end)
    }

    fn unexpected(&self) -> Error {
        let span = self.span();
        let message = match self.tokens.get(self.at) {
            None => "Parse error: unexpected end of statement".to_owned(),
            Some(_) => {
                let token = &self.text[span.start as usize..span.end as usize];
                let position = self.text[..span.start as usize].chars().count();
                format!("Parse error: unexpected '{token}' at position {position} of expression '{}'", self.text)
            }
        };
        Error::new(ErrorKind::Grammar, message).at(&span)
    }

    fn expect(&mut self, token: &Token) -> Result<()> {
        if !self.next_is(token) {
            return Err(self.unexpected());
        }
        self.at += 1;
        Ok(())
    }

    /// Parses an expression whose operators bind at least as tightly as the given level.
    fn value(&mut self, loosest: Level) -> Result<Expr> {
        self.depth += 1;
        if self.depth > Expression::MAX_DEPTH {
            let message = format!("the expression is nested more than {} levels deep", Expression::MAX_DEPTH);
            return Err(Error::new(ErrorKind::Depth, message).at(&self.span()));
        }
        let start = self.span().start;
        let operand = self.operand()?;
        let value = self.operators(operand, start, loosest);
        self.depth -= 1;
        value
    }

    fn operators(&mut self, mut left: Expr, start: u32, loosest: Level) -> Result<Expr> {
        loop {
            let height = self.height;
            let kind = match self.peek() {
                Some(Token::Open(Bracket::Square)) if loosest >= INDEX => {
                    self.at += 1;
                    Kind::Index { collection: left, arguments: self.arguments(Bracket::Square)? }
                }
                Some(&Token::Operator(operator)) => match level(operator) {
                    Some(level) if level <= loosest => {
                        self.at += 1;
                        self.right_side(left, operator, level)?
                    }
                    _ => return Ok(left),
                },
                _ => return Ok(left),
            };
            left = Arc::new(Node { kind, span: start..self.end_of_last() });
            self.rise(height)?;
        }
    }

    const MAX_HEIGHT: u32 = 1000;

    /// Records that the last expression is combined with a part of the given depth.
    fn rise(&mut self, part: u32) -> Result<()> {
        self.height = self.height.max(part) + 1;
        if self.height > Self::MAX_HEIGHT {
            let message = format!("the expression has more than {} operators in a row", Self::MAX_HEIGHT);
            return Err(Error::new(ErrorKind::Depth, message).at(&self.span()));
        }
        Ok(())
    }

    fn right_side(&mut self, left: Expr, operator: Operator, level: Level) -> Result<Kind> {
        let optional = operator == Operator::OptionalDot;
        if matches!(operator, Operator::Dot | Operator::OptionalDot) {
            match (self.tokens.get(self.at), self.tokens.get(self.at + 1)) {
                (Some(Placed { token: Token::Function(name), span }), _) => {
                    let (name, name_span) = (name.clone(), span.start..span.end - 1);
                    self.at += 1;
                    let arguments = self.arguments(Bracket::Round)?;
                    return Ok(Kind::Method { receiver: left, name, name_span, arguments, optional });
                }
                (Some(Placed { token: Token::Word(name), span }), after)
                    if after.is_none_or(|after| after.token != Token::Operator(Operator::Colon)) =>
                {
                    let (name, name_span) = (name.clone(), span.clone());
                    self.at += 1;
                    return Ok(Kind::Attribute { receiver: left, name, name_span, optional });
                }
                _ => {}
            }
        }
        // All but `->` are left-associative: their right side binds more tightly.
        let right = match level {
            LOOSEST => self.value(LOOSEST)?,
            COLON => self.operand()?,
            _ => self.value(level - 1)?,
        };
        Ok(Kind::Binary(operator, left, right))
    }

    fn operand(&mut self) -> Result<Expr> {
        let span = self.span();
        let Some(token) = self.peek().cloned() else {
            return Err(self.unexpected());
        };
        let kind = match token {
            Token::Constant(constant) => self.leaf(Kind::Constant(constant)),
            Token::Word(word) => self.leaf(Kind::Word(word)),
            Token::Variable(name) => self.leaf(Kind::Variable(name)),
            Token::Function(name) => {
                self.at += 1;
                Kind::Call { name, arguments: self.arguments(Bracket::Round)? }
            }
            Token::Open(Bracket::Round) => {
                self.at += 1;
                let value = self.value(LOOSEST)?;
                self.expect(&Token::Close(Bracket::Round))?;
                return Ok(value);
            }
            Token::Open(Bracket::Square) => {
                self.at += 1;
                Kind::List(self.arguments(Bracket::Square)?)
            }
            Token::Open(Bracket::Curly) => {
                self.at += 1;
                Kind::Map(self.arguments(Bracket::Curly)?)
            }
            Token::Operator(operator @ (Operator::Plus | Operator::Minus)) => self.prefix(operator, SIGN)?,
            Token::Operator(operator @ Operator::Not) => self.prefix(operator, NOT)?,
            Token::Operator(operator @ Operator::Colon) => self.prefix(operator, COLON)?,
            Token::Operator(_) | Token::Mapping | Token::Close(_) | Token::Comma => return Err(self.unexpected()),
        };
        Ok(Arc::new(Node { kind, span: span.start..self.end_of_last() }))
    }

    fn leaf(&mut self, kind: Kind) -> Kind {
        self.at += 1;
        self.height = 0;
        kind
    }

    fn prefix(&mut self, operator: Operator, level: Level) -> Result<Kind> {
        self.at += 1;
        let operand = self.value(level)?;
        self.rise(0)?;
        Ok(Kind::Unary(operator, operand))
    }

    /// Parses arguments and the closing bracket. Adjacent commas omit an argument.
    fn arguments(&mut self, bracket: Bracket) -> Result<Vec<Argument>> {
        let close = Token::Close(bracket);
        let mut arguments = Vec::new();
        let mut height = 0;
        self.height = 0;
        if self.next_is(&close) {
            self.at += 1;
            return Ok(arguments);
        }
        let mut named = false;
        loop {
            if self.next_is(&Token::Comma) && !named {
                arguments.push(Argument::Omitted);
            } else {
                arguments.push(self.argument(named)?);
                height = self.height.max(height);
                named = matches!(arguments.last(), Some(Argument::Mapping(..)));
                if self.next_is(&close) {
                    self.at += 1;
                    self.rise(height)?;
                    return self.without_markers(arguments, bracket);
                }
            }
            self.expect(&Token::Comma)?;
        }
    }

    fn argument(&mut self, named: bool) -> Result<Argument> {
        let key = self.value(LOOSEST)?;
        if !self.next_is(&Token::Mapping) {
            return if named { Err(self.unexpected()) } else { Ok(Argument::Positional(key)) };
        }
        self.at += 1;
        let height = self.height;
        let value = self.value(LOOSEST)?;
        self.rise(height)?;
        Ok(Argument::Mapping(key, value))
    }

    /// Checks that no item is omitted in a list or map, where nothing has a default.
    fn without_markers(&self, arguments: Vec<Argument>, bracket: Bracket) -> Result<Vec<Argument>> {
        let omitted = arguments.iter().any(|argument| matches!(argument, Argument::Omitted));
        if bracket != Bracket::Round && omitted {
            let message = "Parse error: an item is missing between the commas";
            return Err(Error::new(ErrorKind::Grammar, message).at(&(self.end_of_last() - 1..self.end_of_last())));
        }
        Ok(arguments)
    }
}

impl Constant {
    /// Returns whether the expression is `null`.
    pub fn is_null(&self) -> bool {
        *self == Self::Null
    }
}
