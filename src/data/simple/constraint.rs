//! Checks that constraint clauses suit the values that they apply to.

use crate::ard::{Kind, Node};
use crate::data::clause::constraint::{Clause, ClauseError, Operand, Operator, SLIP, clause, is_unbounded, operators};
use crate::data::judge::Judge;
use crate::data::schema::Schema;
use crate::data::typed::kind::DataKind;
use crate::data::typed::pattern;
use crate::data::typed::pattern::Fault;
use crate::diagnostic::Help;
use crate::diagnostic::suggest::{and_list, nearest};
use crate::phase::DiagnosticExt;
use crate::phase::read::with_article;
use crate::rules;

/// Checks that clauses suit the values of a schema.
pub(crate) fn check<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, schema: &Schema<'a>) {
    if node.kind() != Kind::List {
        let message = format!("constraints must be a list, not {}", with_article(node));
        judge.problem(&rules::WRONG_KIND, node, message).help("start each clause with `- `");
        return;
    }
    node.items().for_each(|item| check_one(judge, item, schema));
}

/// Checks a single clause.
pub(crate) fn check_one<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, schema: &Schema<'a>) {
    match clause(judge.context, node) {
        Ok(clause) => {
            if let Some(entry) = node.find(SLIP) {
                let message = format!("the operator is called `equal`, not `{SLIP}`");
                judge.problem(&rules::TOLERATED_WORD, entry.key, message).help(Help::write("equal"));
            }
            check_clause(judge, &clause, schema);
        }
        Err(fault) => report(judge, fault),
    }
}

fn report<'a>(judge: &mut Judge<'_, 'a>, fault: ClauseError<'a>) {
    let (node, message, help) = match fault {
        ClauseError::NotOneEntry(node) => {
            let found = match node.kind() {
                Kind::Map => format!("but has {}", node.len()),
                _ => format!("not {}", with_article(node)),
            };
            let message = format!("a constraint clause must be a map with one entry, {found}");
            (node, message, "write `- greater_than: 5`, for example".into())
        }
        ClauseError::UnknownOperator(key) => {
            let names = operators(judge.version(key)).map(|operator| operator.name);
            let help = match nearest(key.text(), names.clone()) {
                Some(near) => Help::did_you_mean(near),
                None => format!("the operators are {}", and_list(&names.collect::<Vec<_>>())).into(),
            };
            (key, format!("`{}` is not an operator of constraint clauses", key.text()), help)
        }
    };
    judge.problem(&rules::INVALID_CONSTRAINT, node, message).help(help);
}

fn check_clause<'a>(judge: &mut Judge<'_, 'a>, clause: &Clause<'a>, schema: &Schema<'a>) {
    // If the type of the value is unknown, only the general requirements of the operator for its operand are checked.
    let kind = schema.data_type.map(|data_type| DataKind::of(judge.context, data_type));
    let Operator { name, operand, .. } = *clause.operator;
    if kind.is_some_and(|kind| !operand.accepts(kind, judge.version(clause.node))) {
        let message = format!("`{name}` does not apply to values of type `{}`", schema.type_name(judge.context));
        let help = format!("remove the clause, or use `{name}` with a value that it applies to");
        judge.problem(&rules::INVALID_CONSTRAINT, clause.node, message).help(help);
        return;
    }
    // The operand must have the type of the value, but need not fulfill the conditions on the value.
    let value = Schema { validation: None, ..*schema };
    let node = clause.operand;
    match operand {
        Operand::Value | Operand::Ordered => judge.check_bound(node, &value),
        Operand::Values => {
            if expect_list(judge, node, name, "a list of values") {
                node.items().for_each(|item| judge.check_bound(item, &value));
            }
        }
        Operand::Bounds => check_bounds(judge, node, kind, &value),
        Operand::Length => {
            if node.as_integer().is_none_or(|length| length < 0) {
                let message = format!("`{name}` needs a non-negative integer");
                judge.problem(&rules::INVALID_CONSTRAINT, node, message).help("write `0` or a larger whole number");
            }
        }
        Operand::Pattern => check_pattern(judge, node),
        Operand::Schema => {
            if node.kind() != Kind::String {
                judge
                    .problem(&rules::INVALID_CONSTRAINT, node, "`schema` needs a string")
                    .help("write the schema as a block scalar: `schema: |`");
            }
        }
    }
}

fn expect_list(judge: &mut Judge<'_, '_>, node: Node<'_>, name: &str, what: &str) -> bool {
    let is_list = node.kind() == Kind::List;
    if !is_list {
        let message = format!("`{name}` needs {what}, not {}", with_article(node));
        judge.problem(&rules::INVALID_CONSTRAINT, node, message).help("put the values in brackets: `[ … ]`");
    }
    is_list
}

fn check_bounds<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, kind: Option<DataKind>, value: &Schema<'a>) {
    if !expect_list(judge, node, "in_range", "a list of two bounds") {
        return;
    }
    if node.len() != 2 {
        let message = format!("`in_range` needs two bounds, not {}", node.len());
        judge.problem(&rules::INVALID_CONSTRAINT, node, message).help("write `[ 1, UNBOUNDED ]`, for example");
        return;
    }
    check_order(judge, node, value);
    for (index, bound) in node.items().enumerate() {
        if index == 1 && is_unbounded(bound) {
            continue;
        }
        if bound.kind() == Kind::String && bound.text().eq_ignore_ascii_case("unbounded") {
            let message = format!("the bound must be a number or `UNBOUNDED`, not `{}`", bound.text());
            judge.problem(&rules::WRONG_TYPE, bound, message).help(Help::write("UNBOUNDED"));
            continue;
        }
        if kind == Some(DataKind::Range) {
            // The bounds of a range are integers.
            if bound.as_integer().is_none() {
                judge
                    .problem(&rules::INVALID_CONSTRAINT, bound, "the bounds of a range must be integers")
                    .help("write a whole number");
            }
        } else {
            judge.check_bound(bound, value);
        }
    }
}

/// Reports reversed bounds, which exclude all values.
fn check_order<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, value: &Schema<'a>) {
    let mut bounds = node.items();
    let (Some(lower), Some(upper)) = (bounds.next(), bounds.next()) else { return };
    let is_range = value.kind(judge.context) == Some(DataKind::Range);
    let is_reversed = if is_range {
        lower.as_integer().zip(upper.as_integer()).is_some_and(|(lower, upper)| lower > upper)
    } else {
        let (lower, upper) = (judge.evaluator().understand(lower, value), judge.evaluator().understand(upper, value));
        lower.compare(&upper).is_some_and(std::cmp::Ordering::is_gt)
    };
    if is_reversed {
        let message = format!("no value is between {} and {}", lower.text(), upper.text());
        judge.problem(&rules::INVALID_CONSTRAINT, node, message).help("write the lower bound first");
    }
}

fn check_pattern(judge: &mut Judge<'_, '_>, node: Node<'_>) {
    if node.kind() != Kind::String {
        judge
            .problem(&rules::INVALID_CONSTRAINT, node, "`pattern` needs a regular expression")
            .help("put the expression in quotes");
        return;
    }
    // The pattern is checked as written, before it is changed to match the whole string.
    match pattern::fault(judge.context.program, node, &pattern::whole(node.text())) {
        None => {}
        Some(Fault::Unused(reason)) => judge.unused_pattern(node, &reason),
        Some(Fault::Wrong(reason)) => {
            let message = format!("`{}` is not a supported regular expression: {reason}", node.text());
            judge
                .problem(&rules::INVALID_CONSTRAINT, node, message)
                .help("correct the expression, or escape literal characters with `\\`");
        }
    }
}

/// Checks a clause, a list of clauses, or a value that the property must equal.
pub(crate) fn check_clauses<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, schema: &Schema<'a>) {
    match node.kind() {
        Kind::Null => wrong_kind(judge, node, "the filter of a property", "a constraint clause"),
        Kind::Map => check_one(judge, node, schema),
        Kind::List if node.is_empty() => {
            wrong_kind(judge, node, "the filter of a property", "a constraint clause");
        }
        Kind::List => node.items().for_each(|item| match item.kind() {
            Kind::Map => check_one(judge, item, schema),
            _ => wrong_kind(judge, item, "an item in the filter of a property", "a constraint clause"),
        }),
        _ => judge.check_bound(node, schema),
    }
}

fn wrong_kind(judge: &mut Judge<'_, '_>, node: Node<'_>, what: &str, expected: &str) {
    let message = format!("{what} must be {expected}, not {}", with_article(node));
    judge.problem(&rules::WRONG_KIND, node, message).help("write `- greater_or_equal: 1`, for example");
}
