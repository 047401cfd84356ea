//! Parameters: their constraints and defaults.

use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::Help;
use tosca_parse::entity::{Checked, Checks, Id, NodeRef, Text, Value};
use tosca_parse::phase::{Context, DiagnosticExt as _};
use tosca_parse::rules::UNCHECKED_USES;

use super::constraint::{CLOUD, CUSTOM, Fault, misfit, number};
use super::{default_of, pattern};
use crate::grammar::{Bounds, Constraint, Parameter, ParameterType};
use crate::rules;
use crate::shape::Shapes;

impl Checked for Parameter {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(parameter);
}

fn parameter(parameter: &Parameter, context: &mut Context<'_>, id: Id<Parameter>) {
    let Some(ty) = parameter.r#type.map(|ty| ty.value) else { return };
    let before = context.problems();
    for id in &parameter.constraints {
        if let Some(constraint) = context.get(*id) {
            declared(constraint, ty, context);
        }
    }
    let Some(default) = default_of(parameter, context) else { return };
    if context.problems() == before
        && let Some(Fault { what, help }) = misfit(parameter, default, context)
    {
        let message = format!("the default of {} {what}", context.describe(id.any()));
        context.problem(&rules::INVALID_DEFAULT, Some(default.span()), message).help(help);
    }
}

fn invalid(context: &mut Context<'_>, at: NodeRef, message: String, help: impl Into<Help>) {
    let at = context.span(at);
    context.problem(&rules::INVALID_CONSTRAINT, at, message).help(help);
}

fn declared(constraint: &Constraint, ty: ParameterType, context: &mut Context<'_>) {
    use ParameterType::{Boolean, CommaDelimitedList, Json, Number, String};
    let mut takes = |name: &str, at: Option<NodeRef>, types: &[ParameterType]| {
        let Some(at) = at else { return };
        if !types.contains(&ty) {
            invalid(
                context,
                at,
                format!("`{name}` does not constrain parameters of this type"),
                "remove the constraint",
            );
        }
    };
    takes(
        "allowed_values",
        constraint.allowed_values.map(|value| value.0),
        &[String, Number, Boolean, CommaDelimitedList],
    );
    takes("allowed_pattern", constraint.allowed_pattern.map(|text| text.0), &[String]);
    takes(
        "custom_constraint",
        constraint.custom_constraint.map(|text| text.0),
        &[String, Number, Boolean, CommaDelimitedList],
    );
    bounds_declared("range", constraint.range, &[Number], ty, context);
    bounds_declared("length", constraint.length, &[String, CommaDelimitedList, Json], ty, context);
    if let Some(id) = constraint.modulo
        && let Some(modulo) = context.get(id)
    {
        let at = context.program.name_span(id.any());
        let (step, offset) = (number(context, modulo.step), number(context, modulo.offset));
        let fault = match (step, offset) {
            _ if ty != Number => Some("`modulo` constrains numbers only"),
            (Some(0.0), _) => Some("the step of `modulo` is zero"),
            (Some(step), Some(_)) if step.fract() != 0.0 => Some("the step of `modulo` is not whole"),
            (Some(step), Some(offset)) if offset.abs() >= step.abs() => {
                Some("the offset of `modulo` is not less than the step")
            }
            (Some(step), Some(offset)) if step * offset < 0.0 => {
                Some("the step and the offset of `modulo` have different signs")
            }
            (None, _) | (_, None) if modulo.step.is_some() && modulo.offset.is_some() => {
                Some("the step and the offset of `modulo` must be integers")
            }
            _ => None,
        };
        if let Some(fault) = fault {
            context.problem(&rules::INVALID_CONSTRAINT, at, fault).help("write `{ step: 2, offset: 0 }`, for instance");
        }
    }
    if let Some(Value(at)) = constraint.allowed_values
        && let Some(values) = context.node(at)
    {
        if values.kind() != Kind::List {
            invalid(
                context,
                at,
                format!("`allowed_values` must be a list, not {}", Shapes::of(values).title()),
                "write a list",
            );
        } else if values.is_empty() {
            invalid(context, at, "`allowed_values` allows no value".to_owned(), "add the values that are allowed");
        }
    }
    if let Some(Text(at)) = constraint.allowed_pattern
        && let Some(pattern) = context.node(at)
    {
        if pattern::is_excess(context, pattern) {
            let message = format!(
                "values are not matched against `{}`, because the patterns are too large together",
                pattern.text()
            );
            context.problem(&UNCHECKED_USES, context.span(at), message).help("use fewer or smaller patterns");
        } else if let Some(fault) = pattern::fault(pattern.text()) {
            invalid(context, at, format!("invalid pattern: {fault}"), "correct the regular expression");
        }
    }
    if let Some(Text(at)) = constraint.custom_constraint
        && let Some(name) = context.node(at).map(Node::text)
        && !CUSTOM.contains(&name)
        && !CLOUD.contains(&name)
    {
        let help = context
            .did_you_mean(name, CUSTOM.iter().chain(&CLOUD), "there are")
            .unwrap_or_else(|| "write the name of a constraint such as `nova.flavor`".into());
        invalid(context, at, format!("there is no custom constraint `{name}`"), help);
    }
}

fn bounds_declared(
    name: &str,
    id: Option<Id<Bounds>>,
    types: &[ParameterType],
    ty: ParameterType,
    context: &mut Context<'_>,
) {
    let Some((id, bounds)) = id.and_then(|id| Some((id, context.get(id)?))) else { return };
    if !types.contains(&ty) {
        let at = context.program.name_span(id.any());
        let message = format!("`{name}` does not constrain parameters of this type");
        context.problem(&rules::INVALID_CONSTRAINT, at, message).help("remove the constraint");
        return;
    }
    let (min, max) = (number(context, bounds.min), number(context, bounds.max));
    for (value, number) in [(bounds.min, min), (bounds.max, max)] {
        if let Some(Value(at)) = value
            && !number.is_some_and(|number| name == "range" || number.fract() == 0.0)
        {
            invalid(context, at, format!("a bound of `{name}` must be a number"), "write a number");
        }
    }
    if let (Some(Value(at)), Some(min), Some(max)) = (bounds.min, min, max)
        && min > max
    {
        invalid(context, at, "the minimum is greater than the maximum".to_owned(), "swap the bounds");
    }
}
