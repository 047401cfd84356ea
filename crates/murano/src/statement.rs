//! The statements of methods.

use std::ops::Range;

use tosca_parse_yaql::{Error, Expression, Result};

use crate::error::{Kind, fail};
use crate::template::{Content, Template};

/// Statements one after the other.
pub type Block = Vec<Statement>;

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The content.
    pub kind: StatementKind,
    /// The position, in bytes of the file.
    pub span: Range<u32>,
}

/// A kind of statement with its parts.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// An expression whose value is dropped.
    Expression(Template),
    /// `target: value`
    Assign(Expression, Template),
    /// `Return`
    Return(Template),
    /// `If`, `Then`, `Else`
    If(Template, Block, Block),
    /// `While`, `Do`
    While(Template, Block),
    /// `For`, `In`, `Do`
    For(String, Template, Block),
    /// `Repeat`, `Do`
    Repeat(Template, Block),
    /// `Break`
    Break,
    /// `Continue`
    Continue,
    /// `Match`, `Value`, `Default`
    Match(Vec<(Template, Block)>, Template, Block),
    /// `Switch`, `Default`
    Switch(Vec<(Template, Block)>, Block),
    /// `Do`
    Do(Block),
    /// `Parallel`
    Parallel(Block),
    /// `Try`, `Catch`, `Else`, `Finally`
    Try(Box<Try>),
    /// `Throw`, `Message`, `Extra`, `Cause`
    Throw(Box<Throw>),
    /// `Rethrow`
    Rethrow,
}

/// The parts of a `Try`.
#[derive(Clone, Debug)]
pub struct Try {
    /// The statements that may fail.
    pub block: Block,
    /// The handlers of exceptions.
    pub catches: Vec<Catch>,
    /// The statements that run if there was no exception.
    pub otherwise: Block,
    /// The statements that run in any case.
    pub finally: Block,
}

/// A part of a `Try` that handles exceptions.
#[derive(Clone, Debug)]
pub struct Catch {
    /// The names of the handled exceptions; `None` for all exceptions.
    pub with: Option<Vec<String>>,
    /// The variable for the exception.
    pub name: Option<String>,
    /// The statements.
    pub block: Block,
}

/// The parts of a `Throw`.
#[derive(Clone, Debug)]
pub struct Throw {
    /// The names of the exception.
    pub names: Template,
    /// The message, of any type.
    pub message: Option<Template>,
    /// Additional data.
    pub extra: Option<Template>,
    /// The exception that caused this one.
    pub cause: Option<Template>,
}

/// Parses statements: a list of them or a single one.
///
/// # Errors
///
/// Returns [`Kind::MplSyntax`] for malformed statements and [`Kind::DslSyntax`] for parts of the wrong kind.
pub(crate) fn block(template: &Template) -> Result<Block> {
    let mut faults = Vec::new();
    let block = sound(template, &mut faults);
    faults.into_iter().next().map_or(Ok(block), Err)
}

/// Returns the valid statements. Errors in the others are added to a list, with positions in the file.
pub(crate) fn sound(template: &Template, faults: &mut Vec<Error>) -> Block {
    match &template.content {
        Content::Null => Vec::new(),
        Content::List(items) => items.iter().filter_map(|item| statement(item, faults)).collect(),
        _ => statement(template, faults).into_iter().collect(),
    }
}

fn no_statement(template: &Template) -> Error {
    let message = format!("Syntax is incorrect in expression: {}", template.raw_value().to_python());
    fail(Kind::MplSyntax, message)
}

fn statement(template: &Template, faults: &mut Vec<Error>) -> Option<Statement> {
    let kind = match &template.content {
        Content::Yaql(_) => Ok(StatementKind::Expression(template.clone())),
        Content::Map(entries) => match entries.as_slice() {
            [(Template { content: Content::Yaql(target), .. }, value)] => {
                Ok(StatementKind::Assign(target.clone(), value.clone()))
            }
            _ => Parts::new(template, entries).and_then(|parts| parts.statement(faults)),
        },
        _ => Err(no_statement(template)),
    };
    let kind = kind.map_err(|fault| faults.push(fault.at(&template.span))).ok()?;
    Some(Statement { kind, span: template.span.clone() })
}

/// The keywords of each statement: the first keyword, the required ones and the optional ones.
const FORMS: &[(&str, &[&str], &[&str])] = &[
    ("Return", &[], &[]),
    ("If", &["Then"], &["Else"]),
    ("While", &["Do"], &[]),
    ("For", &["In", "Do"], &[]),
    ("Repeat", &["Do"], &[]),
    ("Break", &[], &[]),
    ("Continue", &[], &[]),
    ("Match", &["Value"], &["Default"]),
    ("Switch", &[], &["Default"]),
    ("Parallel", &[], &["Limit"]),
    ("Try", &[], &["Catch", "Else", "Finally"]),
    ("Throw", &[], &["Message", "Extra", "Cause"]),
    ("Rethrow", &[], &[]),
    ("Do", &[], &[]),
];

/// An error in the keywords of a malformed statement.
pub(crate) enum KeywordError<'t> {
    /// There is no such keyword.
    Unknown(&'t Template, &'t str),
    /// A keyword of a statement is missing.
    Lacking(&'static str, &'static str),
    /// A keyword belongs to a different statement.
    Foreign(&'t Template, &'static str),
    /// A loop has a condition that is not an expression.
    Fixed(&'t Template),
}

/// Returns all keywords.
pub(crate) fn keywords() -> impl Iterator<Item = &'static str> {
    FORMS.iter().flat_map(|(keyword, needed, allowed)| std::iter::once(keyword).chain(*needed).chain(*allowed)).copied()
}

/// Returns the error in the keywords of a malformed statement, if it is known.
pub(crate) fn keyword_error(template: &Template) -> Option<KeywordError<'_>> {
    let entries = template.as_map()?;
    let keys = entries.iter().map(|(key, _)| Some((key, key.as_str()?))).collect::<Option<Vec<_>>>()?;
    if let Some((key, word)) = keys.iter().find(|(_, word)| !keywords().any(|known| known == *word)) {
        return Some(KeywordError::Unknown(key, word));
    }
    let has = |wanted: &str| keys.iter().any(|(_, word)| *word == wanted);
    let (keyword, needed, allowed) = FORMS.iter().find(|(keyword, ..)| has(keyword))?;
    if let Some(lacking) = needed.iter().find(|needed| !has(needed)) {
        return Some(KeywordError::Lacking(keyword, lacking));
    }
    let is_own = |word: &str| word == *keyword || needed.contains(&word) || allowed.contains(&word);
    if let Some((key, _)) = keys.iter().find(|(_, word)| !is_own(word)) {
        return Some(KeywordError::Foreign(key, keyword));
    }
    let condition = template.get("While").filter(|_| *keyword == "While");
    condition.filter(|condition| condition.as_yaql().is_none()).map(KeywordError::Fixed)
}

struct Parts<'t> {
    template: &'t Template,
    keyword: &'static str,
    entries: &'t [(Template, Template)],
}

impl<'t> Parts<'t> {
    fn new(template: &'t Template, entries: &'t [(Template, Template)]) -> Result<Self> {
        let keys = entries.iter().map(|(key, _)| key.as_str()).collect::<Option<Vec<_>>>();
        let keys = keys.ok_or_else(|| no_statement(template))?;
        let fits = |(keyword, needed, allowed): &&(&str, &[&str], &[&str])| {
            keys.contains(keyword)
                && needed.iter().all(|key| keys.contains(key))
                && keys.iter().all(|key| key == keyword || needed.contains(key) || allowed.contains(key))
        };
        let form = FORMS.iter().find(fits).ok_or_else(|| no_statement(template))?;
        Ok(Self { template, keyword: form.0, entries })
    }

    fn get(&self, key: &str) -> Option<&'t Template> {
        self.entries.iter().find(|(other, _)| other.as_str() == Some(key)).map(|(_, value)| value)
    }

    fn value(&self, key: &str) -> Result<&'t Template> {
        self.get(key).ok_or_else(|| no_statement(self.template))
    }

    fn block(&self, key: &str, faults: &mut Vec<Error>) -> Block {
        self.get(key).map_or_else(Vec::new, |template| sound(template, faults))
    }

    fn without_value(&self, statement: StatementKind) -> Result<StatementKind> {
        if !self.value(self.keyword)?.is_null() {
            return Err(fail(Kind::DslSyntax, format!("{} cannot have value", self.keyword)));
        }
        Ok(statement)
    }

    fn statement(&self, faults: &mut Vec<Error>) -> Result<StatementKind> {
        let first = self.value(self.keyword)?;
        Ok(match self.keyword {
            "Return" => StatementKind::Return(first.clone()),
            "If" => StatementKind::If(first.clone(), self.block("Then", faults), self.block("Else", faults)),
            "While" => {
                first.as_yaql().ok_or_else(|| no_statement(self.template))?;
                StatementKind::While(first.clone(), self.block("Do", faults))
            }
            "For" => {
                let name = first.as_str().ok_or_else(|| fail(Kind::DslSyntax, "For value must be of string type"))?;
                StatementKind::For(name.to_owned(), self.value("In")?.clone(), self.block("Do", faults))
            }
            "Repeat" => {
                if !matches!(first.content, Content::Integer(_) | Content::Yaql(_)) {
                    return Err(fail(Kind::DslSyntax, "Repeat value must be either int or expression"));
                }
                StatementKind::Repeat(first.clone(), self.block("Do", faults))
            }
            "Break" => self.without_value(StatementKind::Break)?,
            "Continue" => self.without_value(StatementKind::Continue)?,
            "Rethrow" => self.without_value(StatementKind::Rethrow)?,
            "Match" => StatementKind::Match(
                self.cases(first, faults)?,
                self.value("Value")?.clone(),
                self.block("Default", faults),
            ),
            "Switch" => StatementKind::Switch(self.cases(first, faults)?, self.block("Default", faults)),
            "Do" => StatementKind::Do(sound(first, faults)),
            "Parallel" => StatementKind::Parallel(sound(first, faults)),
            "Try" => StatementKind::Try(Box::new(self.attempt(first, faults)?)),
            "Throw" => StatementKind::Throw(Box::new(self.throw(first)?)),
            _ => return Err(no_statement(self.template)),
        })
    }

    fn cases(&self, cases: &Template, faults: &mut Vec<Error>) -> Result<Vec<(Template, Block)>> {
        let message = format!("{} value must be of dictionary type", self.keyword);
        let entries = cases.as_map().ok_or_else(|| fail(Kind::DslSyntax, message))?;
        Ok(entries.iter().map(|(key, value)| (key.clone(), sound(value, faults))).collect())
    }

    fn attempt(&self, first: &Template, faults: &mut Vec<Error>) -> Result<Try> {
        let catches = match self.get("Catch").map(|catch| &catch.content) {
            None | Some(Content::Null) => Vec::new(),
            Some(Content::List(items)) => items.iter().map(|item| catch(item, faults)).collect::<Result<_>>()?,
            Some(_) => vec![catch(self.value("Catch")?, faults)?],
        };
        let block = sound(first, faults);
        Ok(Try { block, catches, otherwise: self.block("Else", faults), finally: self.block("Finally", faults) })
    }

    fn throw(&self, names: &Template) -> Result<Throw> {
        let empty = match &names.content {
            Content::String(name) => name.is_empty(),
            Content::List(names) => names.is_empty(),
            Content::Yaql(_) => false,
            _ => true,
        };
        if empty {
            return Err(crate::error::value_error("Throw needs the names of the exception"));
        }
        let part = |key| self.get(key).cloned();
        Ok(Throw { names: names.clone(), message: part("Message"), extra: part("Extra"), cause: part("Cause") })
    }
}

fn catch(template: &Template, faults: &mut Vec<Error>) -> Result<Catch> {
    if template.as_map().is_none() {
        return Err(fail(Kind::DslSyntax, "Catch value must be of dictionary type"));
    }
    let with = match template.get("With") {
        None => None,
        Some(Template { content: Content::Null, .. }) => None,
        Some(Template { content: Content::List(names), .. }) => {
            Some(names.iter().filter_map(Template::raw_text).map(str::to_owned).collect())
        }
        Some(name) => Some(name.raw_text().map(str::to_owned).into_iter().collect()),
    };
    let name = template.get("As").and_then(Template::raw_text).map(str::to_owned);
    Ok(Catch { with, name, block: template.get("Do").map_or_else(Vec::new, |block| sound(block, faults)) })
}
