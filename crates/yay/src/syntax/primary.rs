//! The innermost parts of expressions: names, literals, displays, comprehensions, and their attributes and calls.

use std::rc::Rc;

use super::block::Parser;
use super::expression::{Tokens, is_reserved};
use super::token::Token;
use super::tree::{Clause, Collection, Comprehension, ExprId, ExprKind, Literal};
use crate::error::{Category, Error, Result};
use crate::source::Span;

impl Parser<'_> {
    pub(super) fn primary(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        let mut left = self.atom(tokens)?;
        let mut links = 0;
        loop {
            left = match tokens.peek() {
                Token::Op(".") => self.attribute(tokens, left)?,
                Token::Op("[") => self.subscript(tokens, left)?,
                Token::Op("(") => self.call(tokens, left)?,
                _ => break,
            };
            links += 1;
            if self.depth + links > self.limits.syntax_depth {
                return Err(self.too_deep(tokens.span()));
            }
        }
        Ok(left)
    }

    fn add_from(&mut self, start: Span, tokens: &Tokens, kind: ExprKind) -> ExprId {
        let span = Span { end: tokens.last_span().end, ..start };
        self.tree.add_expr(span, kind)
    }

    fn attribute(&mut self, tokens: &mut Tokens, left: ExprId) -> Result<ExprId> {
        tokens.next();
        let Token::Word(word) = tokens.peek().clone() else { return Err(tokens.unexpected("a name")) };
        tokens.next();
        let name = self.names.number(&word);
        let start = self.tree.expr(left).span;
        Ok(self.add_from(start, tokens, ExprKind::Attribute(left, name)))
    }

    fn subscript(&mut self, tokens: &mut Tokens, left: ExprId) -> Result<ExprId> {
        tokens.next();
        let mut parts = [None, None, None];
        let mut colons = 0;
        while !tokens.is_op("]") {
            if tokens.eat(":") {
                colons += 1;
                if colons > 2 {
                    return Err(Error::new(Category::Syntax, tokens.last_span(), "a slice has at most two colons"));
                }
            } else if parts[colons].is_none() {
                parts[colons] = Some(self.expression_list(tokens)?);
            } else {
                return Err(tokens.unexpected("`]`"));
            }
        }
        let start = self.tree.expr(left).span;
        tokens.next();
        match (colons, parts[0]) {
            (0, Some(index)) => Ok(self.add_from(start, tokens, ExprKind::Index(left, index))),
            (0, None) => Err(Error::new(Category::Syntax, tokens.last_span(), "an index is expected before `]`")),
            _ => Ok(self.add_from(start, tokens, ExprKind::Slice(left, parts))),
        }
    }

    fn call(&mut self, tokens: &mut Tokens, callee: ExprId) -> Result<ExprId> {
        tokens.next();
        let (mut positional, mut keywords, mut spread) = (Vec::new(), Vec::new(), None);
        while !tokens.is_op(")") {
            match (tokens.peek().clone(), tokens.peek_second()) {
                (Token::Word(word), Some(Token::Op("="))) if !is_reserved(&word) => {
                    tokens.next();
                    tokens.next();
                    keywords.push((self.names.number(&word), self.expression(tokens)?));
                }
                (Token::Op("**"), _) if spread.is_none() => {
                    tokens.next();
                    spread = Some(self.expression(tokens)?);
                }
                _ => {
                    let start = tokens.span();
                    let argument = self.element(tokens)?;
                    positional.push(self.generator(tokens, start, argument)?);
                }
            }
            if !tokens.eat(",") {
                break;
            }
        }
        tokens.expect(")")?;
        let start = self.tree.expr(callee).span;
        Ok(self.add_from(start, tokens, ExprKind::Call { callee, positional, keywords, spread }))
    }

    /// Returns an argument that may be the element of a generator expression.
    fn generator(&mut self, tokens: &mut Tokens, start: Span, element: ExprId) -> Result<ExprId> {
        if tokens.is_word("for") {
            self.not_spread(element)?;
            let kind = self.comprehension(tokens, Collection::List, None, element)?;
            Ok(self.add_from(start, tokens, kind))
        } else {
            Ok(element)
        }
    }

    fn atom(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        let start = tokens.span();
        let kind = match tokens.peek().clone() {
            Token::Int(number) => ExprKind::Literal(Literal::Int(number)),
            Token::Float(number) => ExprKind::Literal(Literal::Float(number)),
            Token::Text(_) => return Ok(self.text(tokens, start)),
            Token::Word(word) if !is_reserved(&word) || tokens.is_key() => ExprKind::Name(self.names.number(&word)),
            Token::Op("(") => return self.parentheses(tokens),
            Token::Op("[") => return self.list(tokens),
            Token::Op("{") => return self.braces(tokens),
            Token::Op("`") => return self.quoted(tokens),
            _ => return Err(tokens.unexpected("an expression")),
        };
        tokens.next();
        Ok(self.tree.add_expr(start, kind))
    }

    /// Joins adjacent string literals.
    fn text(&mut self, tokens: &mut Tokens, start: Span) -> ExprId {
        let mut text = String::new();
        while let Token::Text(part) = tokens.peek() {
            text.push_str(part);
            tokens.next();
        }
        self.add_from(start, tokens, ExprKind::Literal(Literal::Text(Rc::from(text))))
    }

    fn parentheses(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        let start = tokens.next().span;
        if tokens.eat(")") {
            return Ok(self.add_from(start, tokens, ExprKind::List(Vec::new())));
        }
        let first = self.element(tokens)?;
        if !tokens.is_op(",") {
            self.not_spread(first)?;
        }
        if tokens.is_word("for") {
            let generator = self.comprehension(tokens, Collection::List, None, first)?;
            tokens.expect(")")?;
            return Ok(self.add_from(start, tokens, generator));
        }
        let inner = if tokens.is_op(",") { self.rest_of_tuple(tokens, first)? } else { first };
        tokens.expect(")")?;
        self.tree.parenthesized.insert(inner, Span { end: tokens.last_span().end, ..start });
        Ok(inner)
    }

    fn list(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        let start = tokens.next().span;
        let mut list = Vec::new();
        while !tokens.is_op("]") {
            list.push(self.element(tokens)?);
            if list.len() == 1 && tokens.is_word("for") {
                self.not_spread(list[0])?;
                let kind = self.comprehension(tokens, Collection::List, None, list[0])?;
                tokens.expect("]")?;
                return Ok(self.add_from(start, tokens, kind));
            }
            if !tokens.eat(",") {
                break;
            }
        }
        tokens.expect("]")?;
        Ok(self.add_from(start, tokens, ExprKind::List(list)))
    }

    /// Returns a mapping or a set.
    fn braces(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        let start = tokens.next().span;
        if tokens.eat("}") {
            return Ok(self.add_from(start, tokens, ExprKind::Dict(Vec::new())));
        }
        if tokens.eat("**") {
            let spread = self.expression(tokens)?;
            return self.rest_of_dict(tokens, start, vec![(None, spread)]);
        }
        let first = self.element(tokens)?;
        if tokens.is_op(":") { self.dict(tokens, start, first) } else { self.set(tokens, start, first) }
    }

    fn dict(&mut self, tokens: &mut Tokens, start: Span, first: ExprId) -> Result<ExprId> {
        self.not_spread(first)?;
        tokens.expect(":")?;
        let value = self.expression(tokens)?;
        if tokens.is_word("for") {
            let kind = self.comprehension(tokens, Collection::Dict, Some(first), value)?;
            tokens.expect("}")?;
            return Ok(self.add_from(start, tokens, kind));
        }
        self.rest_of_dict(tokens, start, vec![(Some(first), value)])
    }

    fn rest_of_dict(
        &mut self,
        tokens: &mut Tokens,
        start: Span,
        mut pairs: Vec<(Option<ExprId>, ExprId)>,
    ) -> Result<ExprId> {
        while tokens.eat(",") && !tokens.is_op("}") {
            if tokens.eat("**") {
                pairs.push((None, self.expression(tokens)?));
                continue;
            }
            let key = self.expression(tokens)?;
            tokens.expect(":")?;
            pairs.push((Some(key), self.expression(tokens)?));
        }
        tokens.expect("}")?;
        Ok(self.add_from(start, tokens, ExprKind::Dict(pairs)))
    }

    fn set(&mut self, tokens: &mut Tokens, start: Span, first: ExprId) -> Result<ExprId> {
        if start.start > 1 && self.text[..start.start as usize].ends_with("{{") {
            let message = "it is not clear which braces belong together";
            return Err(Error::new(Category::Syntax, start, message).help("write a space after `{{`"));
        }
        if tokens.is_word("for") {
            self.not_spread(first)?;
            let kind = self.comprehension(tokens, Collection::Set, None, first)?;
            tokens.expect("}")?;
            return Ok(self.add_from(start, tokens, kind));
        }
        let mut list = vec![first];
        while tokens.eat(",") && !tokens.is_op("}") {
            list.push(self.element(tokens)?);
        }
        tokens.expect("}")?;
        Ok(self.add_from(start, tokens, ExprKind::Set(list)))
    }

    fn quoted(&mut self, tokens: &mut Tokens) -> Result<ExprId> {
        let start = tokens.next().span;
        self.expression_list(tokens)?;
        tokens.expect("`")?;
        Ok(self.add_from(start, tokens, ExprKind::Unsupported("an expression in back-quotes")))
    }

    fn comprehension(
        &mut self,
        tokens: &mut Tokens,
        kind: Collection,
        key: Option<ExprId>,
        element: ExprId,
    ) -> Result<ExprKind> {
        let mut clauses = Vec::new();
        while tokens.is_word("for") {
            self.deeper(tokens.next().span)?;
            let clause = self.clause(tokens);
            self.depth -= 1;
            clauses.push(clause?);
        }
        Ok(ExprKind::Comprehension(Comprehension { kind, key, element, clauses }))
    }

    fn clause(&mut self, tokens: &mut Tokens) -> Result<Clause> {
        let targets = self.targets(tokens)?;
        if !tokens.eat_word("in") {
            return Err(tokens.unexpected("`in`"));
        }
        let iterable = self.disjunction(tokens)?;
        let mut conditions = Vec::new();
        while tokens.eat_word("if") {
            let condition = if tokens.is_word("lambda") { self.expression(tokens)? } else { self.disjunction(tokens)? };
            conditions.push(condition);
        }
        Ok(Clause { targets, iterable, conditions })
    }
}
