//! Why a validation clause or condition of 2.0 does not hold.

use crate::ard::{Kind, Node};
use crate::data::call::function;
use crate::data::call::function::Function;
use crate::data::call::{Call, Shape, shape};
use crate::data::evaluation::Evaluator;
use crate::data::typed::datum::Datum;

/// What of a clause does not hold, with its computed sides: of a conjunction, the first part that does not.
pub(crate) fn explain<'a>(evaluator: &mut Evaluator<'_, 'a>, clause: Node<'a>) -> Option<String> {
    let Shape::Call(call) = shape(evaluator.context, clause) else { return None };
    if call.name == "and" {
        let mut parts = call.arguments().into_iter();
        let failing = parts.find(|part| evaluator.evaluate(*part, None) == Datum::Boolean(false));
        return failing.and_then(|part| explain(evaluator, part));
    }
    Some(format!("`{}` is not true", with_sides(evaluator, call)))
}

/// A call with its arguments computed, but for those that are comparisons themselves.
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
