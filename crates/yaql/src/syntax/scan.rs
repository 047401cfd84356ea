//! From text to tokens.

use std::ops::Range;
use std::sync::Arc;

use super::escape::{unescape, verbatim};
use super::{Constant, Name, Operator, Syntax};
use crate::error::{Error, ErrorKind, Result};
use crate::integer::Integer;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Constant(Constant),
    Word(Arc<str>),
    Variable(Name),
    /// A name that is directly followed by an opening parenthesis.
    Function(Arc<str>),
    Operator(Operator),
    Mapping,
    Open(Bracket),
    Close(Bracket),
    Comma,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    Round,
    Square,
    Curly,
}

pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) span: Range<u32>,
}

/// Returns all tokens of the expression.
pub(super) fn scan(text: &str, syntax: Syntax) -> Result<Vec<Placed>> {
    let mut scanner = Scanner { text, at: 0, syntax };
    let mut tokens = Vec::new();
    while let Some(token) = scanner.next()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    syntax: Syntax,
}

impl<'t> Scanner<'t> {
    fn next(&mut self) -> Result<Option<Placed>> {
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\r', '\n']).len();
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok(None);
        };
        let token = match first {
            '$' => self.variable(),
            '\'' | '"' | '`' => self.string(first)?,
            '0'..='9' => self.number()?,
            _ if is_word(first) => self.word()?,
            _ => self.mark()?,
        };
        Ok(Some(Placed { token, span: start as u32..self.at as u32 }))
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn take(&mut self, length: usize) -> &'t str {
        let text = &self.rest()[..length];
        self.at += length;
        text
    }

    fn illegal(&self) -> Error {
        let character = self.rest().chars().next().unwrap_or_default();
        let hint = match character {
            '%' => "; use `mod` for a remainder, and the function `format` to format a string",
            '&' => "; use `and`",
            '|' => "; use `or`",
            _ => "",
        };
        let message = format!("the character `{character}` has no meaning here{hint}");
        let end = self.at + character.len_utf8();
        Error::new(ErrorKind::Lexical, message).at(&(self.at as u32..end as u32))
    }

    fn variable(&mut self) -> Token {
        let length = word_length(&self.rest()[1..]);
        Token::Variable(Name::new(&self.take(1 + length)[1..]))
    }

    fn string(&mut self, quote: char) -> Result<Token> {
        let inner = &self.rest()[1..];
        let mut escaped = false;
        let end = inner.char_indices().find(|&(_, character)| {
            let ends = character == quote && !escaped;
            escaped = character == '\\' && !escaped;
            ends
        });
        let Some((end, _)) = end else {
            let last = if quote == '`' { "backtick".to_owned() } else { format!("`{quote}`") };
            let message = format!("the string is not closed: there is no second {last}");
            let start = self.at as u32;
            return Err(Error::new(ErrorKind::Lexical, message).at(&(start..start + 1)));
        };
        let raw = &self.take(end + 2)[1..=end];
        let plain = if quote == '`' { verbatim(raw) } else { unescape(raw) };
        Ok(Token::Constant(Constant::String(plain.into())))
    }

    /// Reads digits, with a fraction unless letters directly follow it.
    fn number(&mut self) -> Result<Token> {
        let text = self.rest();
        let whole = digits(text);
        let fraction = text[whole..].strip_prefix('.').map_or(0, digits);
        let float = whole + 1 + fraction;
        if fraction > 0 && !begins_with_word(&text[float..]) {
            let number = self.take(float).parse().map_err(|_| self.illegal())?;
            return Ok(Token::Constant(Constant::Float(number)));
        }
        if begins_with_word(&text[whole..]) {
            return Err(self.illegal());
        }
        let number = Integer::parse(self.take(whole)).ok_or_else(|| self.illegal())?;
        Ok(Token::Constant(Constant::Integer(number)))
    }

    fn word(&mut self) -> Result<Token> {
        let length = word_length(self.rest());
        if self.rest()[length..].starts_with('(') {
            let name = self.take(length + 1);
            return Ok(Token::Function(name[..length].into()));
        }
        if self.rest().starts_with("__") {
            return Err(self.illegal());
        }
        Ok(match self.take(length) {
            "true" => Token::Constant(Constant::Boolean(true)),
            "false" => Token::Constant(Constant::Boolean(false)),
            "null" => Token::Constant(Constant::Null),
            "is" if self.syntax == Syntax::Standard => Token::Word("is".into()),
            word => Operator::named(word).map_or_else(|| Token::Word(word.into()), Token::Operator),
        })
    }

    fn mark(&mut self) -> Result<Token> {
        const MARKS: [&str; 17] =
            ["=>", "->", "?.", "=~", "!~", ">=", "<=", "!=", ".", "+", "-", "*", "/", ">", "<", "=", ":"];
        let text = self.rest();
        let bracket = match text.as_bytes()[0] {
            b'(' => Some(Token::Open(Bracket::Round)),
            b')' => Some(Token::Close(Bracket::Round)),
            b'[' => Some(Token::Open(Bracket::Square)),
            b']' => Some(Token::Close(Bracket::Square)),
            b'{' => Some(Token::Open(Bracket::Curly)),
            b'}' => Some(Token::Close(Bracket::Curly)),
            b',' => Some(Token::Comma),
            _ => None,
        };
        if let Some(token) = bracket {
            self.at += 1;
            return Ok(token);
        }
        let mark =
            MARKS.into_iter().find(|mark| text.starts_with(mark) && (*mark != ":" || self.syntax == Syntax::Murano));
        let mark = self.take(mark.ok_or_else(|| self.illegal())?.len());
        Ok(Operator::named(mark).map_or(Token::Mapping, Token::Operator))
    }
}

pub(super) fn is_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

fn begins_with_word(text: &str) -> bool {
    text.starts_with(is_word)
}

fn word_length(text: &str) -> usize {
    text.find(|character| !is_word(character)).unwrap_or(text.len())
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}
