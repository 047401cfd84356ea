//! Cached checks of scalars and clauses.
//!
//! Templates repeat ports, sizes, versions, and names of distributions. The validity of such a scalar follows from its
//! text and the schema, unless clauses in the schema depend on the service or the program defines functions, which may
//! change the meaning of clauses.
//!
//! Files that only define types repeat clauses: for example, hundreds of sizes must not be negative. In the key of a
//! check, the text of a clause identifies the clause.
//!
//! Without this cache, `wide` of `benches/counts` takes 14 % more instructions, `types` 8 %, and `imports` 6 %
//! (2026-11-25).

use std::sync::RwLock;

use rustc_hash::FxHashMap;

use crate::ard::{Kind, Node, NodeId};
use crate::data::call::{self, Call, Shape, function};
use crate::data::checks;
use crate::data::clause::constraint;
use crate::data::evaluation::{self, Evaluator, LIGHT};
use crate::data::schema::Schema;
use crate::data::typed::kind::DataKind;
use crate::entity::{AnyId, Clauses, Entity as _, Field as _, Id, LanguageVersion, NodeRef, Value};
use crate::grammar::definition::FunctionDefinition;
use crate::grammar::types::DataType;
use crate::grammar::version::V2_0;
use crate::phase::{Check, Context};
use crate::symbol::Symbol;

/// The maximum length of a scalar in a key, in bytes. Longer ones rarely recur.
const MAX_SCALAR: usize = 64;

/// The maximum length of a clause in a key, in bytes.
const MAX_CLAUSE: usize = 256;

/// Returns the key for all scalars of a kind; `None` if the value is not a scalar or if its type is unknown. `at` is
/// the entity with the value.
pub(super) fn of_scalar(
    context: &Context<'_>,
    node: Node<'_>,
    schema: &Schema<'_>,
    version: LanguageVersion,
    at: AnyId,
) -> Option<Check> {
    let kind = node.kind();
    let data_type = schema.data_type.filter(|_| !matches!(kind, Kind::Map | Kind::List))?;
    let mut check = Check { kind: Some(kind), ..Check::new(checks::SCALAR, version, data_type.any()) };
    if let Some((clauses, definition)) = schema.validation.filter(|clauses| clauses.is_set()).zip(schema.definition) {
        // A definition is compared with its default only once, but many definitions have the same clause.
        let single = clauses.single().filter(|_| definition == at);
        check.texts[0] = single.and_then(|Value(clause)| written(context, clause));
        check.entities[1] = check.texts[0].is_none().then_some(definition);
    }
    Some(check)
}

/// Returns the key for a certain scalar, if its text has occurred before. `check` is the key for all scalars of its
/// kind.
pub(super) fn of_text(context: &Context<'_>, check: Check, text: &str) -> Option<Check> {
    let text = Some(text).filter(|text| text.len() <= MAX_SCALAR)?;
    Some(Check { texts: [check.texts[0], Some(context.program.interner.get(text)?)], ..check })
}

/// Caches that a scalar is valid wherever it is written.
pub(super) fn remember(context: &mut Context<'_>, check: Check, schema: &Schema<'_>, text: &str) {
    let of_type = schema.data_type.and_then(|id| context.get(id));
    let of_number = of_type.and_then(|of_type| context.get(context.target_of(of_type.data_type)?));
    let of_types = of_type.into_iter().chain(of_number).map(|data_type| &data_type.validation);
    let has_clauses = schema.validation.into_iter().chain(of_types).flat_map(Clauses::iter).next().is_some();
    if !has_clauses && check.kind == Some(Kind::String) && schema.kind(context) == Some(DataKind::String) {
        context.remember(check);
    } else if text.len() <= MAX_SCALAR {
        let text = context.intern(text);
        context.remember(Check { texts: [check.texts[0], Some(text)], ..check });
    }
}

/// Returns the key for a clause of a definition, if its validity follows from its data and the type.
pub(crate) fn of_clause(
    context: &Context<'_>,
    schema: &Schema<'_>,
    clause: NodeRef,
    version: LanguageVersion,
) -> Option<Check> {
    let data_type = schema.data_type.filter(|_| schema.key_schema.is_none() && schema.entry_schema.is_none())?;
    let texts = [Some(written(context, clause)?), None];
    Some(Check { texts, ..Check::new(checks::CLAUSE, version, data_type.any()) })
}

/// Caches that a clause is valid, unless its validity depends on its place.
pub(crate) fn remember_clause(context: &mut Context<'_>, check: Check, clause: NodeRef) {
    if !context.program.has_any(FunctionDefinition::KIND) && !looks_around(context, clause) {
        context.remember(check);
    }
}

/// Returns a clause as it is written, if its data follows from this text alone.
fn written(context: &Context<'_>, clause: NodeRef) -> Option<Symbol> {
    let node = context.node(clause).filter(|node| node.tag().is_none())?;
    let text = node.written().filter(|text| text.len() <= MAX_CLAUSE)?;
    let (mut has_lines, mut has_blocks) = (false, false);
    for byte in text.bytes() {
        match byte {
            // The data of aliases, anchors and tags depends on the rest of the source.
            b'*' | b'&' | b'!' => return None,
            b'\n' | b'\r' => has_lines = true,
            b'|' | b'>' => has_blocks = true,
            _ => {}
        }
    }
    if !has_lines {
        return Some(context.intern(text));
    }
    // The data of several lines depends on the column of the first one, that of a block scalar also on its parent.
    let before = &context.program.unit(clause.unit)?.document.text()[..node.span().start as usize];
    let column = before.bytes().rev().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count();
    (!has_blocks).then(|| context.intern(&format!("{text}\n{column}")))
}

impl Schema<'_> {
    /// Returns whether a clause of the definition reads values other than the one under validation.
    ///
    /// The result is cached for each definition, because all templates need it.
    pub(crate) fn reads_others(&self, context: &Context<'_>) -> bool {
        const NOTE: &str = "reads other values";
        let Some(clauses) = self.validation.filter(|clauses| clauses.is_set()) else { return false };
        if let Some(known) = self.definition.and_then(|definition| context.program.noted(NOTE, definition)) {
            return known != 0;
        }
        let reads_others = clauses.iter().any(|clause| looks_around(context, clause.0));
        if let Some(definition) = self.definition {
            context.program.note(NOTE, definition, usize::from(reads_others));
        }
        reads_others
    }
}

/// Long clauses by position, and by the type of the values if it matters.
type LongClauses = RwLock<FxHashMap<(NodeId, Option<Id<DataType>>), LongClause>>;

/// Properties of a long clause, which are stored because there may be as many values.
#[derive(Clone, Copy)]
pub(super) struct LongClause {
    /// Whether it calls a function whose result depends on the place.
    pub(super) looks_around: bool,
    /// See [`Evaluator::weight`].
    pub(super) weight: usize,
}

/// Returns the properties of a clause of the schema of the value under validation; `None` if the clause is short, or far
/// from the schema.
pub(super) fn long_clause<'a>(
    evaluator: &mut Evaluator<'_, 'a>,
    schema: &Schema<'a>,
    position: NodeRef,
    clause: Node<'a>,
) -> Option<LongClause> {
    const TABLE: &str = "long clauses";
    if evaluation::weight(clause) <= LIGHT {
        return None;
    }
    let (owner, data_type) = schema.owner_of_clauses(evaluator.context, position.unit)?;
    let clauses = evaluator.context.program.table(TABLE, owner, LongClauses::default);
    let key = (position.node, data_type);
    let known = clauses.read().ok().and_then(|clauses| clauses.get(&key).copied());
    known.or_else(|| {
        let looks_around = looks_around(evaluator.context, position);
        let weight = if call::version(evaluator.context, clause) < V2_0 {
            constraint::weight(evaluator, clause, schema)
        } else {
            evaluator.weight(clause)
        };
        let long = LongClause { looks_around, weight };
        clauses.write().ok()?.insert(key, long);
        Some(long)
    })
}

/// Returns whether a clause calls a function whose result depends on the place.
pub(super) fn looks_around(context: &Context<'_>, clause: NodeRef) -> bool {
    let Some(unit) = context.program.unit(clause.unit) else { return true };
    within(unit.document.node(clause.node), unit.version)
}

/// Returns whether a value contains a call whose result depends on the place.
pub(super) fn is_about_others(context: &Context<'_>, node: Node<'_>) -> bool {
    within(node, call::version(context, node))
}

fn within(node: Node<'_>, version: LanguageVersion) -> bool {
    match Call::shape(node, version) {
        Shape::Call(call) => {
            let is_known = call.name == "value"
                || function::find(call.name).is_some_and(|function| !function.is_about_the_graph());
            !is_known || call.arguments.is_some_and(|arguments| within(arguments, version))
        }
        Shape::Malformed(_) => true,
        Shape::Literal => {
            node.items().any(|item| within(item, version))
                || node.entries().any(|entry| within(entry.key, version) || within(entry.value, version))
        }
    }
}
