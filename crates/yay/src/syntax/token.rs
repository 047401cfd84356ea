//! The tokens of expressions, in directives (COMMAND) and between `{{` and `}}` (TEMPLATE).

use crate::error::{Category, Error, Result};
use crate::source::{SourceId, Span};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Int(i64),
    Float(f64),
    Text(String),
    Word(String),
    Op(&'static str),
    End,
}

#[derive(Clone, Debug)]
pub(super) struct Spanned {
    pub(super) token: Token,
    pub(super) span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Up to the end of the line; a backslash joins lines.
    Command,
    /// Up to `}}`, on one line.
    Template,
}

/// The operators, longer ones first.
const OPERATORS: &[&str] = &[
    "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "<>", "+", "-", "*", "/", "%", "&", "|", "^", "~", "<", ">", "(",
    ")", "[", "]", "{", "}", ",", ":", ".", "=", ";", "@", "`",
];

pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    source: SourceId,
    mode: Mode,
    /// The brackets that are open.
    open: Vec<&'static str>,
}

/// Returns the tokens starting at a byte and the byte after the last of them.
pub(super) fn tokens(text: &str, start: u32, source: SourceId, mode: Mode) -> Result<(Vec<Spanned>, u32)> {
    let mut scanner = Scanner { text, at: start as usize, source, mode, open: Vec::new() };
    let mut list = Vec::new();
    loop {
        let token = scanner.next()?;
        let end = token.token == Token::End;
        list.push(token);
        if end {
            return Ok((list, scanner.at as u32));
        }
    }
}

/// Returns an expression as written, but on one line.
pub(crate) fn on_one_line(text: &str, start: u32, end: u32) -> String {
    let text = &text[start as usize..end as usize];
    let written = |span: Span| &text[span.start as usize..span.end as usize];
    let is_broken = |part: &str| part.contains(['\n', '\r']);
    let Some((list, _)) = is_broken(text).then(|| tokens(text, 0, SourceId(0), Mode::Command).ok()).flatten() else {
        return text.to_owned();
    };
    let (mut line, mut last) = (String::new(), 0);
    for Spanned { token, span } in list {
        let gap = &text[last..span.start as usize];
        line.push_str(if is_broken(gap) { " " } else { gap });
        match token {
            Token::Text(value) if is_broken(written(span)) => line.push_str(&quoted(&value)),
            _ => line.push_str(written(span)),
        }
        last = span.end as usize;
    }
    line
}

/// Returns a text as a literal.
pub(crate) fn quoted(text: &str) -> String {
    let mut made = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => made.extend(['\\', c]),
            '\n' => made.push_str("\\n"),
            '\r' => made.push_str("\\r"),
            '\t' => made.push_str("\\t"),
            _ => made.push(c),
        }
    }
    made + "\""
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn span(&self, start: usize) -> Span {
        Span { source: self.source, start: start as u32, end: self.at as u32 }
    }

    fn fail(&self, start: usize, message: impl Into<String>) -> Error {
        Error::new(Category::Syntax, self.span(start), message)
    }

    fn next(&mut self) -> Result<Spanned> {
        self.skip_blanks();
        let start = self.at;
        let Some(byte) = self.byte().filter(|byte| !matches!(byte, b'\n' | b'\r')) else {
            return self.line_end(start);
        };
        if self.mode == Mode::Template && self.open.is_empty() && self.rest().starts_with("}}") {
            self.at += 2;
            let span = Span { end: start as u32, ..self.span(start) };
            return Ok(Spanned { token: Token::End, span });
        }
        let token = match byte {
            b'0'..=b'9' => self.number(start)?,
            b'.' if self.rest().as_bytes().get(1).is_some_and(u8::is_ascii_digit) => self.number(start)?,
            b'"' | b'\'' => self.string(start, false)?,
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => self.word(start)?,
            _ => self.operator(start)?,
        };
        Ok(Spanned { token, span: self.span(start) })
    }

    fn line_end(&self, start: usize) -> Result<Spanned> {
        if self.mode == Mode::Template {
            let comment = self.text[..start].rsplit(['\n', '\r']).next().is_some_and(|line| line.contains('#'));
            let help = if comment {
                "close it with `}}` on the same line; `#` begins a comment that goes to the end of the line"
            } else {
                "close it with `}}` on the same line"
            };
            return Err(self.fail(start, "the line ends before the template is closed").help(help));
        }
        Ok(Spanned { token: Token::End, span: self.span(start) })
    }

    /// Skips white space, comments, and backslashes that join lines.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            self.at += blanks;
            let rest = self.rest();
            if rest.starts_with('#') {
                self.at += rest.find(['\n', '\r']).unwrap_or(rest.len());
            }
            match joined(self.rest()) {
                Some(length) if self.mode == Mode::Command => self.at += length,
                _ => return,
            }
        }
    }

    fn number(&mut self, start: usize) -> Result<Token> {
        let rest = &self.text[start..];
        let length = number_length(rest);
        self.at = start + length;
        let text = &rest[..length];
        if self.byte().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            let more = self.rest().find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest().len());
            self.at += more;
            return Err(self.fail(start, format!("`{}` is not a number", &self.text[start..self.at])));
        }
        self.value_of(start, text)
    }

    fn value_of(&self, start: usize, text: &str) -> Result<Token> {
        let too_large = || self.fail(start, format!("the number `{text}` is too large: integers have 64 bits"));
        let lower = text.to_ascii_lowercase().replace('_', "");
        let text = &*text.replace('_', "");
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
            if let Some(digits) = lower.strip_prefix(prefix) {
                return i64::from_str_radix(digits, radix).map(Token::Int).map_err(|_| too_large());
            }
        }
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return match text.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(Token::Float(number)),
                Ok(_) => Err(self.fail(start, format!("the number `{text}` is too large: numbers are finite"))),
                Err(_) => Err(self.fail(start, format!("`{text}` is not a number"))),
            };
        }
        if text.len() > 1 && text.starts_with('0') && text.bytes().any(|byte| byte != b'0') {
            let message = format!("`{text}` is not a number: leading zeros are not allowed here");
            return Err(self
                .fail(start, message)
                .help(format!("write `0o{}` for an octal number", text.trim_start_matches('0'))));
        }
        text.parse().map(Token::Int).map_err(|_| too_large())
    }

    fn word(&mut self, start: usize) -> Result<Token> {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let word = &rest[..length];
        let quoted = rest[length..].starts_with(['"', '\'']);
        if quoted && matches!(word.to_ascii_lowercase().as_str(), "u" | "r" | "ur" | "b" | "br") {
            let raw = word.ends_with(['r', 'R']);
            self.at += length;
            return self.string(start, raw);
        }
        let word = word.to_owned();
        self.at += length;
        Ok(Token::Word(word))
    }

    fn string(&mut self, start: usize, raw: bool) -> Result<Token> {
        let quote = &self.rest()[..1];
        let triple = quote.repeat(3);
        let delimiter = if self.rest().starts_with(&triple) { triple } else { quote.to_owned() };
        self.at += delimiter.len();
        let mut text = String::new();
        loop {
            if self.rest().starts_with(&delimiter) {
                self.at += delimiter.len();
                return Ok(Token::Text(text));
            }
            match self.rest().chars().next() {
                Some('\n' | '\r') | None
                    if !(self.mode == Mode::Command && delimiter.len() == 3 && self.byte().is_some()) =>
                {
                    return Err(self.fail(start, "the line ends before the text is closed"));
                }
                None => return Err(self.fail(start, "the text is not closed")),
                Some('\\') if !raw => self.escape(&mut text),
                Some('\\') => {
                    text.push('\\');
                    self.at += 1;
                    self.take(&mut text);
                }
                Some(_) => self.take(&mut text),
            }
        }
    }

    fn take(&mut self, text: &mut String) {
        if let Some(c) = self.rest().chars().next().filter(|c| !matches!(c, '\n' | '\r') || self.mode == Mode::Command)
        {
            text.push(c);
            self.at += c.len_utf8();
        }
    }

    fn escape(&mut self, text: &mut String) {
        self.at += 1;
        let rest = &self.text[self.at..];
        let Some(c) = rest.chars().next() else { return };
        if let Some((decoded, length)) = decode(rest) {
            text.push(decoded);
            self.at += length;
            return;
        }
        match c {
            '\n' if self.mode == Mode::Command => self.at += 1,
            '\n' | '\r' => text.push('\\'),
            _ => {
                text.push('\\');
                self.take(text);
            }
        }
    }

    fn operator(&mut self, start: usize) -> Result<Token> {
        let rest = self.rest();
        let Some(operator) = OPERATORS.iter().find(|operator| rest.starts_with(**operator)) else {
            let c = rest.chars().next().unwrap_or(' ');
            self.at += c.len_utf8();
            return Err(self.fail(start, format!("`{c}` is not part of an expression")));
        };
        self.at += operator.len();
        match *operator {
            "(" | "[" | "{" => self.open.push(operator),
            ")" | "]" | "}" => self.close(operator, start)?,
            _ => {}
        }
        Ok(Token::Op(operator))
    }

    /// Closes the bracket that was opened last.
    fn close(&mut self, bracket: &'static str, start: usize) -> Result<()> {
        match self.open.pop() {
            Some(open) if closing(open) != bracket => {
                let message = format!("`{bracket}` can't close `{open}`");
                Err(self.fail(start, message).help(format!("close `{open}` with `{}`", closing(open))))
            }
            None if self.mode == Mode::Template && bracket == "}" => {
                Err(self.fail(start, "a template is not closed by one brace").help("close it with `}}`"))
            }
            None => Err(self.fail(start, format!("`{bracket}` closes nothing"))),
            Some(_) => Ok(()),
        }
    }
}

/// Returns the closing bracket of a bracket.
fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// Returns the length of a backslash with the line break after it.
fn joined(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('\\')?;
    ["\r\n", "\n", "\r"].iter().find(|end| after.starts_with(**end)).map(|end| 1 + end.len())
}

fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    // A single underscore may separate digits.
    let run = |from: usize, radix: u32, mut is_after_digit: bool| {
        let is_digit = |at: usize| bytes.get(at).is_some_and(|byte| char::from(*byte).is_digit(radix));
        let mut at = from;
        while is_digit(at) || is_after_digit && bytes.get(at) == Some(&b'_') && is_digit(at + 1) {
            is_after_digit = is_digit(at);
            at += 1;
        }
        at - from
    };
    let digits = |from: usize| run(from, 10, false);
    if bytes[0] == b'0' && bytes.get(1).is_some_and(|byte| matches!(byte | 0x20, b'x' | b'o' | b'b')) {
        let radix = match bytes[1] | 0x20 {
            b'x' => 16,
            b'o' => 8,
            _ => 2,
        };
        let more = run(2, radix, true);
        return if more == 0 { 1 } else { 2 + more };
    }
    let mut at = digits(0);
    if bytes.get(at) == Some(&b'.') {
        at += 1 + digits(at + 1);
    }
    if bytes.get(at).is_some_and(|byte| matches!(byte, b'e' | b'E')) {
        let sign = usize::from(bytes.get(at + 1).is_some_and(|byte| matches!(byte, b'+' | b'-')));
        let exponent = if at + 1 + sign <= bytes.len() { digits(at + 1 + sign) } else { 0 };
        if exponent > 0 {
            at += 1 + sign + exponent;
        }
    }
    at
}

/// Returns the character of an escape sequence and the length after the backslash.
fn decode(rest: &str) -> Option<(char, usize)> {
    let simple = match rest.chars().next()? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        '\\' => '\\',
        '\'' => '\'',
        '"' => '"',
        'x' => return coded(rest, 2),
        'u' => return coded(rest, 4),
        'U' => return coded(rest, 8),
        '0'..='7' => {
            let length = rest.bytes().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
            let code = u32::from_str_radix(&rest[..length], 8).ok()?;
            return Some((char::from_u32(code)?, length));
        }
        _ => return None,
    };
    Some((simple, 1))
}

fn coded(rest: &str, digits: usize) -> Option<(char, usize)> {
    let text = rest.get(1..=digits)?;
    let code = u32::from_str_radix(text, 16).ok()?;
    Some((char::from_u32(code)?, digits + 1))
}
