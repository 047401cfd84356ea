//! Contracts, defaults and bodies: data with expressions in it, parsed as soon as it is read.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use tosca_parse::ard::Node;
use tosca_parse::diagnostic::{Help, Span};
use tosca_parse::entity::{Field, FieldDescription, NodeRef, Reference, Shape, Shaped, downcast};
use tosca_parse::phase::read::Reader;
use tosca_parse_yaql::{Argument, Expr, Expression, Kind, Operator, Result, Syntax};

use super::class::Class;
use super::suspect_text::{SuspectText, near, suspect_texts};
use super::{name, rules};
use crate::place::within;
use crate::statement::{self, Block, KeywordError};
use crate::template::{Content, Template, is_plain};

/// Data with expressions in it.
#[derive(Clone, Debug, Default)]
pub struct Code(Option<Arc<Parsed>>);

/// Code that was read and its position.
#[derive(Debug)]
struct Parsed {
    position: NodeRef,
    template: Template,
    /// The statements of a valid body.
    statements: Option<Arc<Block>>,
    types: Vec<TypeUse>,
}

/// The name of a class in an expression.
#[derive(Clone, Debug)]
pub struct TypeUse {
    /// The position.
    pub span: Span,
    /// The named class.
    pub class: Reference<Class>,
    /// Whether the name has dots, but neither quotes nor a prefix, so that it is read as properties of a string.
    pub lacks_quotes: bool,
}

impl Code {
    /// Returns the data, if any.
    pub fn template(&self) -> Option<&Template> {
        self.0.as_deref().map(|parsed| &parsed.template)
    }

    /// Returns whether there is any data, even if it is only null.
    pub fn is_given(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the statements of a body.
    pub(crate) fn statements(&self) -> Result<Arc<Block>> {
        let Some(parsed) = self.0.as_deref() else { return Ok(Arc::default()) };
        parsed.statements.clone().map_or_else(|| statement::block(&parsed.template).map(Arc::new), Ok)
    }

    /// Returns the position.
    pub fn position(&self) -> Option<NodeRef> {
        self.0.as_deref().map(|parsed| parsed.position)
    }

    /// Returns the classes that its expressions name.
    pub fn types(&self) -> &[TypeUse] {
        self.0.as_deref().map_or(&[], |parsed| &parsed.types)
    }
}

impl Shaped for Code {
    const SHAPE: Shape = Shape::Value;
    const NULLABLE: bool = true;
}

impl Field for Code {
    fn is_set(&self) -> bool {
        self.0.is_some()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        let part = |range: &Range<u32>| Span { source: node.span().source, start: range.start, end: range.end };
        let place = |fault: &tosca_parse_yaql::Error| fault.span().map_or(node.span(), |span| part(&span));
        let mut faults = Vec::new();
        let template = Template::of(node, &mut faults);
        for fault in &faults {
            reader
                .problem_at(&rules::EXPRESSION_SYNTAX, place(fault), format!("invalid expression: {fault}"))
                .help("correct the expression, or remove the tag");
        }
        let mut doubts = suspect_texts(node, &template);
        let mut statements = None;
        // Malformed expressions have been reported.
        if field.ident == "body" && faults.is_empty() {
            let sound = statement::sound(&template, &mut faults);
            statements = faults.is_empty().then(|| Arc::new(sound));
            let parts = if faults.is_empty() { FxHashMap::default() } else { template.parts() };
            let mut reported = vec![false; doubts.len()];
            for fault in &faults {
                let at = fault.span();
                let error = at.as_ref().and_then(|at| statement::keyword_error(parts.get(at)?));
                let due = at.and_then(|at| near(&doubts, &at).find(|(_, doubt)| is_due_to(doubt, &at, error.as_ref())));
                let (at, message, help) = match (due, &error) {
                    (Some((number, _)), _) if reported[number] => continue,
                    (Some((number, doubt)), _) => {
                        reported[number] = true;
                        let message = format!("string looks like an expression, but is invalid: {}", doubt.error);
                        (Some(&doubt.part), message, doubt.help(false).into())
                    }
                    (None, Some(error)) => described(reader, error),
                    (None, None) => (None, malformed(fault), STATEMENTS.into()),
                };
                let at = at.map_or_else(|| place(fault), part);
                reader.problem_at(&rules::INVALID_STATEMENT, at, message).help(help);
            }
            let mut reported = reported.into_iter();
            doubts.retain(|_| !reported.next().unwrap_or_default());
        }
        for doubt in &doubts {
            let message = format!("string looks like an expression, but is treated as text: {}", doubt.error);
            let help = doubt.help(field.ident != "contract");
            reader.problem_at(&rules::DOUBTFUL_TEXT, part(&doubt.part), message).help(help);
            if doubt.is_cut && doubt.node == node.id() {
                reader.mark_truncated(node);
            }
        }
        if field.ident == "contract" {
            literal(reader, node);
        }
        let mut types = Vec::new();
        each_expression(&template, &mut |at, expression| {
            each_type(expression.root(), &mut |named| {
                types.extend(type_use(reader, node, field, (at, expression), named));
            });
        });
        types.sort_by_key(|named: &TypeUse| named.span.start);
        *self = Self(Some(Arc::new(Parsed { position: reader.position(node), template, statements, types })));
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            self.clone_from(other);
        }
    }

    fn visit_references(&self, visit: &mut dyn FnMut(Reference<()>)) {
        self.types().iter().for_each(|item| visit(item.class.erased()));
    }
}

/// The forms of statements.
const STATEMENTS: &str = "write an expression, `$target: value`, or all keywords of one statement, and no others";

/// Returns the position, message and help for wrong keywords of a statement.
fn described<'t>(reader: &Reader<'_>, error: &KeywordError<'t>) -> (Option<&'t Range<u32>>, String, Help) {
    match error {
        KeywordError::Unknown(key, word) => {
            let near = reader.suggestions().nearest(word, statement::keywords());
            let help = near.map_or_else(|| STATEMENTS.into(), Help::did_you_mean);
            (Some(&key.span), format!("unknown keyword `{word}` of a statement"), help)
        }
        KeywordError::Lacking(keyword, lacking) => {
            (None, format!("the statement has `{keyword}`, but not `{lacking}`"), format!("add `{lacking}: …`").into())
        }
        KeywordError::Foreign(key, keyword) => {
            let word = key.as_str().unwrap_or_default();
            let help = "remove the keyword, or make it a separate statement";
            (Some(&key.span), format!("`{word}` does not belong to `{keyword}`"), help.into())
        }
        KeywordError::Fixed(condition) => {
            let help = "write an expression, such as `$done = false`, or `1 = 1` if it is always true";
            (Some(&condition.span), "the condition of `While` must be an expression".to_owned(), help.into())
        }
    }
}

/// Returns the error in a statement, without the statement itself, which is shown anyway.
fn malformed(fault: &tosca_parse_yaql::Error) -> String {
    let message = fault.message();
    if message.starts_with("Syntax is incorrect") {
        return "invalid statement: neither an expression nor a map with the keywords of a statement".to_owned();
    }
    format!("the statement is malformed: {message}")
}

/// Returns whether a statement is malformed because a string in it is not an expression.
fn is_due_to(doubt: &SuspectText, at: &Range<u32>, error: Option<&KeywordError<'_>>) -> bool {
    let key = match error {
        Some(KeywordError::Unknown(key, _) | KeywordError::Foreign(key, _)) => Some(&key.span),
        _ => None,
    };
    let is_around = at.start <= doubt.span.start && doubt.span.end <= at.end;
    doubt.covers(at) || is_around && (error.is_none() || key.is_some_and(|key| doubt.covers(key)))
}

/// Reports quoted strings instead of contracts: they are not expressions.
fn literal(reader: &mut Reader<'_>, node: Node<'_>) {
    node.entries().for_each(|entry| literal(reader, entry.value));
    node.items().for_each(|item| literal(reader, item));
    let text = node.text();
    let is_quoted = !is_plain(node) && node.tag().is_none();
    if is_quoted && text.starts_with('$') && Expression::parse(text, Syntax::Murano).is_ok() {
        reader
            .problem(&rules::DOUBTFUL_TEXT, node, "contract is quoted, so it is treated as text")
            .help("remove the quotes, or write `!yaql` before them");
    }
}

/// Calls a function with every expression in an evaluated template and its position in the file.
pub(super) fn each_expression<'t>(template: &'t Template, visit: &mut dyn FnMut(&'t Range<u32>, &'t Expression)) {
    match &template.content {
        Content::Yaql(expression) => visit(&template.span, expression),
        Content::List(items) => items.iter().for_each(|item| each_expression(item, visit)),
        // Names of exceptions are compared, rather than looked up.
        Content::Map(entries) => {
            entries.iter().filter(|(key, _)| key.as_str() != Some("With")).for_each(|(key, value)| {
                each_expression(key, visit);
                each_expression(value, visit);
            });
        }
        _ => {}
    }
}

/// Returns the position of a part of an expression.
pub(super) fn part_of(
    text: &str,
    source: tosca_parse::diagnostic::SourceId,
    at: &Range<u32>,
    expression: &Expression,
    part: &Range<u32>,
) -> Span {
    let written = text.get(at.start as usize..at.end as usize).unwrap_or_default();
    let part = within(written, expression.text(), part);
    Span { source, start: at.start + part.start, end: at.start + part.end }
}

/// Records a class that an expression names, or reports that its name is malformed.
fn type_use(
    reader: &mut Reader<'_>,
    node: Node<'_>,
    field: &'static FieldDescription,
    (at, expression): (&Range<u32>, &Expression),
    named: &NamedType<'_>,
) -> Option<TypeUse> {
    let span = part_of(reader.document().text(), reader.unit(), at, expression, &named.span);
    match name::qualified(reader, &named.name) {
        Ok(name) => {
            let class = reader.reference_within(&name, node, field)?;
            Some(TypeUse { span, class, lacks_quotes: named.lacks_quotes })
        }
        Err(_) => {
            let (message, help) = name::unqualified(reader, &named.name);
            reader.problem_at(&rules::UNKNOWN_TYPE, span, message).help(help);
            None
        }
    }
}

/// The arguments of functions that are names of classes.
const TYPE_ARGUMENTS: [(&str, &[usize]); 5] =
    [("class", &[0, 1]), ("template", &[0, 1]), ("find", &[0]), ("new", &[0]), ("cast", &[1])];

/// The name of a class in an expression.
struct NamedType<'e> {
    span: Range<u32>,
    name: Cow<'e, str>,
    lacks_quotes: bool,
}

/// Calls a function with every class name in an expression.
fn each_type(expr: &Expr, visit: &mut dyn FnMut(&NamedType<'_>)) {
    let prefixed = |span: Range<u32>, name: String| NamedType { span, name: name.into(), lacks_quotes: false };
    match &expr.kind {
        Kind::Binary(Operator::Colon, prefix, name) => {
            if let (Some(space), Some(local)) = (prefix.as_text(), name.as_text()) {
                visit(&prefixed(prefix.span.start..name.span.end, format!("{space}:{local}")));
                return;
            }
        }
        Kind::Unary(Operator::Colon, name) => {
            if let Some(local) = name.as_text() {
                visit(&prefixed(expr.span.clone(), format!(":{local}")));
                return;
            }
        }
        Kind::Binary(Operator::Is, _, name) => named(name, visit),
        Kind::Method { name, arguments, .. } | Kind::Call { name, arguments } => {
            let places =
                TYPE_ARGUMENTS.iter().find(|(known, _)| *known == &**name).map_or(&[][..], |(_, places)| places);
            // When called as a method, `cast` takes the type as its first argument.
            let skipped = usize::from(&**name == "cast" && matches!(expr.kind, Kind::Method { .. }));
            for place in places.iter().filter_map(|place| place.checked_sub(skipped)) {
                if let Some(Argument::Positional(argument)) = arguments.get(place) {
                    named(argument, visit);
                }
            }
        }
        _ => {}
    }
    expr.children().into_iter().for_each(|child| each_type(child, visit));
}

/// Calls a function with the class name in a string, or in words between dots.
fn named(expr: &Expr, visit: &mut dyn FnMut(&NamedType<'_>)) {
    let span = expr.span.clone();
    if let Some(name) = expr.as_text() {
        visit(&NamedType { span, name: (&**name).into(), lacks_quotes: false });
    } else if let Some(name) = dotted(expr) {
        visit(&NamedType { span, name: name.into(), lacks_quotes: true });
    }
}

/// Returns the text of words between dots.
pub(super) fn dotted(expr: &Expr) -> Option<String> {
    let Kind::Attribute { receiver, name, optional: false, .. } = &expr.kind else { return None };
    let first = match &receiver.kind {
        Kind::Word(word) => word.as_ref().to_owned(),
        _ => dotted(receiver)?,
    };
    Some(format!("{first}.{name}"))
}
