//! Data with expressions in it: what files of classes consist of.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use tosca_parse_engine::ard::{self, Dialect, Kind as NodeKind, Limits, Node, Options, Style, Tags};
use tosca_parse_engine::diagnostic::SourceId;
use tosca_parse_engine::rules::YAML_SYNTAX;
use tosca_parse_engine::symbol::Interner;
use yaql::{Context, Error, Expression, Integer, Result, Syntax, Value};

use crate::failure::{Kind, fail};
use crate::place::within;
use crate::trace;

/// A value with expressions in it, and where it is in its file.
#[derive(Clone, Debug)]
pub struct Template {
    /// What it is.
    pub content: Content,
    /// Where it is, in bytes of the file.
    pub span: Range<u32>,
}

/// What a template is.
#[derive(Clone, Debug)]
pub enum Content {
    /// Nothing.
    Null,
    /// A boolean.
    Boolean(bool),
    /// A whole number.
    Integer(Integer),
    /// A number with a point.
    Float(f64),
    /// Text.
    String(Arc<str>),
    /// An expression.
    Yaql(Expression),
    /// A list.
    List(Vec<Template>),
    /// Entries in order.
    Map(Vec<(Template, Template)>),
}

impl Template {
    /// What a node of a document is. What is wrong with expressions whose tags say that they are some is added to a
    /// list, with places in the file.
    pub(crate) fn of(node: Node<'_>, faults: &mut Vec<Error>) -> Self {
        self::node(node, 0, faults)
    }

    /// Its parts by their places, the outermost of each.
    pub(crate) fn parts(&self) -> FxHashMap<Range<u32>, &Self> {
        let mut parts = FxHashMap::default();
        let mut open = vec![self];
        while let Some(part) = open.pop() {
            parts.entry(part.span.clone()).or_insert(part);
            match &part.content {
                Content::List(items) => open.extend(items.iter().rev()),
                Content::Map(entries) => open.extend(entries.iter().rev().flat_map(|(key, value)| [value, key])),
                _ => {}
            }
        }
        parts
    }

    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.content {
            Content::String(text) => Some(text),
            _ => None,
        }
    }

    /// The text, or that of an expression: what stands where no expression is expected.
    pub fn raw_text(&self) -> Option<&str> {
        match &self.content {
            Content::String(text) => Some(text),
            Content::Yaql(expression) => Some(expression.text()),
            _ => None,
        }
    }

    /// The expression, if it is one.
    pub fn as_yaql(&self) -> Option<&Expression> {
        match &self.content {
            Content::Yaql(expression) => Some(expression),
            _ => None,
        }
    }

    /// The entries, if it is a map.
    pub fn as_map(&self) -> Option<&[(Self, Self)]> {
        match &self.content {
            Content::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_map()?.iter().find(|(other, _)| other.as_str() == Some(key)).map(|(_, value)| value)
    }

    /// Whether it is nothing.
    pub fn is_null(&self) -> bool {
        matches!(self.content, Content::Null)
    }

    /// The value, with all expressions in it evaluated.
    ///
    /// # Errors
    ///
    /// What the evaluation fails with.
    pub fn evaluate(&self, context: &Context) -> Result<Value> {
        let value = match &self.content {
            Content::Null => Value::Null,
            Content::Boolean(truth) => Value::Boolean(*truth),
            Content::Integer(number) => Value::Integer(number.clone()),
            Content::Float(number) => Value::Float(*number),
            Content::String(text) => Value::String(text.clone()),
            Content::Yaql(expression) => {
                let value = context.evaluate(expression.root());
                return value.map_err(|error| trace::at(context, &self.span, Some(expression), error));
            }
            Content::List(items) => {
                Value::list(items.iter().map(|item| item.evaluate(context)).collect::<Result<_>>()?)
            }
            Content::Map(entries) => {
                let entry = |(key, value): &(Self, Self)| Ok((key.evaluate(context)?, value.evaluate(context)?));
                Value::dict(entries.iter().map(entry).collect::<Result<Vec<_>>>()?)
            }
        };
        let checked = context.machine().check_value(&value);
        checked.map(|()| value).map_err(|error| trace::at(context, &self.span, None, error))
    }

    /// The value, with expressions as the text that they were written as.
    pub fn raw_value(&self) -> Value {
        match &self.content {
            Content::Yaql(expression) => Value::String(expression.text().clone()),
            Content::List(items) => Value::list(items.iter().map(Self::raw_value).collect()),
            Content::Map(entries) => {
                Value::dict(entries.iter().map(|(key, value)| (key.raw_value(), value.raw_value())))
            }
            Content::Null => Value::Null,
            Content::Boolean(truth) => Value::Boolean(*truth),
            Content::Integer(number) => Value::Integer(number.clone()),
            Content::Float(number) => Value::Float(*number),
            Content::String(text) => Value::String(text.clone()),
        }
    }
}

/// Whether plain text is an expression: it parses as one, and is no name.
pub fn is_expression(text: &str) -> bool {
    expression(text).is_some()
}

fn expression(text: &str) -> Option<Expression> {
    let plain = |character: char| character.is_whitespace() || character.is_alphanumeric() || "_.".contains(character);
    if text.chars().all(plain) { None } else { Expression::parse(text, Syntax::Murano).ok() }
}

/// Reads the documents of a file.
///
/// # Errors
///
/// [`Kind::Yaml`] if it is no YAML; what is wrong with an expression whose tag says that it is one.
pub fn read(text: &str) -> Result<Vec<Template>> {
    let mut templates = Vec::new();
    for (offset, document) in documents(text) {
        let interner = Interner::new();
        let options = Options { limits: Limits::default(), dialect: Dialect { tags: Tags::Any, ..Dialect::default() } };
        let (document, problems) = ard::read(SourceId(0), document.into(), &interner, &options);
        // What is mended to find more problems is not what anybody has written, and must not be run.
        let wrong = problems.iter().find(|problem| !document.is_complete() || problem.rule.code == YAML_SYNTAX.code);
        if let Some(problem) = wrong {
            let place = problem.span.start + offset..problem.span.end + offset;
            return Err(fail(Kind::Yaml, problem.message.clone()).at(&place));
        }
        if let Some(root) = document.root() {
            let mut faults = Vec::new();
            let template = node(root, offset, &mut faults);
            if let Some(fault) = faults.into_iter().next() {
                return Err(fault);
            }
            if !template.is_null() {
                templates.push(template);
            }
        }
    }
    Ok(templates)
}

/// The documents of a text with their offsets.
fn documents(text: &str) -> Vec<(u32, &str)> {
    let mut documents = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        let separates =
            line.strip_prefix("---").is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
        if separates {
            documents.push((start as u32, &text[start..at]));
            // What follows the dashes in their line belongs to the next document.
            start = at + 3;
        }
        at += line.len();
    }
    documents.push((start as u32, &text[start..]));
    documents
}

fn node(node: Node<'_>, offset: u32, faults: &mut Vec<Error>) -> Template {
    let span = node.span();
    let content = match node.kind() {
        NodeKind::List => Content::List(node.items().map(|item| self::node(item, offset, faults)).collect()),
        NodeKind::Map => {
            let entry = |entry: ard::Entry<'_>| {
                (self::node(entry.key, offset, faults), self::node(entry.value, offset, faults))
            };
            Content::Map(node.entries().map(entry).collect())
        }
        _ => scalar(node, offset).unwrap_or_else(|fault| {
            faults.push(fault);
            Content::String(node.text().into())
        }),
    };
    Template { content, span: span.start + offset..span.end + offset }
}

/// An expression that a tag says to be one.
fn forced(node: Node<'_>, offset: u32) -> Result<Expression> {
    Expression::parse(node.text(), Syntax::Murano).map_err(|error| {
        let place = node.written().zip(error.span()).map(|(written, part)| within(written, node.text(), &part));
        let start = node.span().start + offset;
        let place = place.map(|place| start + place.start..start + place.end);
        error.elsewhere().at(&place.unwrap_or(start..node.span().end + offset))
    })
}

fn scalar(node: Node<'_>, offset: u32) -> Result<Content> {
    let text = node.text();
    match node.tag() {
        Some("!yaql") => return forced(node, offset).map(Content::Yaql),
        Some("tag:yaml.org,2002:str" | "!") => return Ok(Content::String(text.into())),
        _ => {}
    }
    if !is_plain(node) {
        return Ok(Content::String(text.into()));
    }
    Ok(plain(text))
}

/// Whether a scalar is written without quotes; they may be there only since it would be no YAML without, which has been
/// reported.
pub(crate) fn is_plain(node: Node<'_>) -> bool {
    node.style() == Style::Plain
        || node.style() == Style::SingleQuoted && node.written().is_some_and(|written| !written.starts_with('\''))
}

/// A plain scalar, as YAML 1.1 has it, or else an expression, or else text.
fn plain(text: &str) -> Content {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Content::Null,
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => return Content::Boolean(true),
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => return Content::Boolean(false),
        _ => {}
    }
    if let Some(number) = integer(text) {
        return Content::Integer(number);
    }
    if let Some(number) = float(text) {
        return Content::Float(number);
    }
    if is_date(text) {
        return Content::String(text.into());
    }
    expression(text).map_or_else(|| Content::String(text.into()), Content::Yaql)
}

/// A date, with or without a time.
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 10
        && bytes[..10]
            .iter()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { *byte == b'-' } else { byte.is_ascii_digit() })
        && (bytes.len() == 10 || matches!(bytes[10], b'T' | b't' | b' '))
}

/// A whole number of YAML 1.1: decimal, octal with a 0 in front, hexadecimal, binary, or in base 60.
fn integer(text: &str) -> Option<Integer> {
    let (negative, digits) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let plain = digits.replace('_', "");
    let radix = |digits: &str, radix| i64::from_str_radix(digits, radix).ok().map(Integer::from);
    let number = if let Some(hexadecimal) = plain.strip_prefix("0x") {
        radix(hexadecimal, 16)?
    } else if let Some(binary) = plain.strip_prefix("0b") {
        radix(binary, 2)?
    } else if plain.contains(':') {
        let parts = plain.split(':').map(|part| part.parse::<i64>().ok()).collect::<Option<Vec<_>>>()?;
        if parts.iter().skip(1).any(|part| *part > 59) {
            return None;
        }
        Integer::from(parts.into_iter().try_fold(0_i64, |total, part| total.checked_mul(60)?.checked_add(part))?)
    } else if plain.len() > 1 && plain.starts_with('0') {
        radix(&plain, 8)?
    } else {
        Integer::parse(&plain)?
    };
    if negative { Integer::parse(&format!("-{number}")) } else { Some(number) }
}

/// A number of YAML 1.1 with a point.
fn float(text: &str) -> Option<f64> {
    let (sign, digits) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (if text.starts_with('-') { -1.0 } else { 1.0 }, rest),
        None => (1.0, text),
    };
    match digits {
        ".inf" | ".Inf" | ".INF" => return Some(sign * f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" => return Some(f64::NAN),
        _ => {}
    }
    let (mantissa, exponent) = digits.split_once(['e', 'E']).map_or((digits, None), |(m, e)| (m, Some(e)));
    let is_number = |character: char| character.is_ascii_digit() || "._".contains(character);
    let signed = exponent.is_none_or(|exponent| {
        exponent.strip_prefix(['+', '-']).is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    });
    let well_formed = mantissa.contains('.')
        && mantissa.matches('.').count() == 1
        && mantissa.chars().all(is_number)
        && mantissa.contains(|character: char| character.is_ascii_digit())
        && signed;
    if !well_formed {
        return None;
    }
    digits.replace('_', "").parse::<f64>().ok().map(|number| sign * number)
}
