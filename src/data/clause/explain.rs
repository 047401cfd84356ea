//! Explanations of why a validation clause or condition of 2.0 does not hold.

use crate::ard::{Kind, Node};
use crate::data::call::function;
use crate::data::call::function::Function;
use crate::data::call::{Call, Shape, shape};
use crate::data::evaluation::Evaluator;
use crate::data::typed::datum::Datum;
use crate::diagnostic::suggest::or_list;

/// Returns the part of a clause that does not hold, with computed arguments; for a conjunction, the first such part.
pub(crate) fn explain<'a>(evaluator: &mut Evaluator<'_, 'a>, clause: Node<'a>) -> Option<String> {
    let Shape::Call(call) = shape(evaluator.context, clause) else { return None };
    if call.name == "and" {
        let mut parts = call.arguments().into_iter();
        let failing = parts.find(|part| evaluator.evaluate(*part, None) == Datum::Boolean(false));
        return failing.and_then(|part| explain(evaluator, part));
    }
    if let Some(values) = allowed(evaluator, call) {
        return Some(format!("it must be one of {values}"));
    }
    Some(format!("`{}` is not true", with_sides(evaluator, call)))
}

/// Returns the values that a clause allows for the value under validation.
fn allowed<'a>(evaluator: &Evaluator<'_, 'a>, call: Call<'a>) -> Option<String> {
    let [subject, values] = call.arguments()[..] else { return None };
    let is_value = matches!(shape(evaluator.context, subject), Shape::Call(part) if part.name == "value" && part.arguments().is_empty());
    let items: Vec<&str> = values.items().map(Node::text).collect();
    let are_known = values.items().all(|item| !matches!(item.kind(), Kind::Map | Kind::List));
    let are_literal = values.items().all(|item| matches!(shape(evaluator.context, item), Shape::Literal));
    (call.name == "valid_values" && is_value && are_known && are_literal && !items.is_empty()).then(|| or_list(&items))
}

/// Formats a call with computed arguments, except arguments that are comparisons themselves.
fn with_sides<'a>(evaluator: &mut Evaluator<'_, 'a>, call: Call<'a>) -> String {
    let arguments = call.arguments();
    let is_logic = function::find(call.name).is_some_and(Function::is_logic);
    let model = evaluator.model(&arguments);
    let sides: Vec<String> = arguments
        .iter()
        .map(|argument| match shape(evaluator.context, *argument) {
            Shape::Call(part) if is_logic && part.name != "value" => with_sides(evaluator, part),
            _ => match evaluator.evaluate(*argument, None) {
                Datum::Unknown => "…".to_owned(),
                _ if model.is_some() && argument.kind() != Kind::List => {
                    evaluator.evaluate(*argument, model.as_ref()).to_string()
                }
                datum => datum.to_string(),
            },
        })
        .collect();
    format!("${}: [ {} ]", call.name, sides.join(", "))
}
