//! YAQL expressions.

use tosca_parse_library::yaql::{Dialect, Error, ErrorKind, evaluate_json};
use wasm_bindgen::prelude::*;

use crate::convert::{self, NotJson, exception, parse};

/// Returns the error that is thrown, with the kind and the position in the expression.
pub(crate) fn thrown(kind: &str, error: &Error) -> JsValue {
    let span = error.span().into_iter().flat_map(|span| [("start", span.start.into()), ("end", span.end.into())]);
    exception("EvaluationError", &error.to_string(), [("kind", kind.into())].into_iter().chain(span))
}

/// Returns a JavaScript value as JSON text.
pub(crate) fn text_of(value: &JsValue) -> Result<String, Error> {
    let text = convert::to_json(value).map_err(|reason| match reason {
        NotJson::TooDeep => Error::new(ErrorKind::Depth, reason.to_string()),
        NotJson::Other => Error::new(ErrorKind::Value, reason.to_string()),
    });
    Ok(text?.unwrap_or_else(|| "null".to_owned()))
}

/// Evaluates a YAQL expression with a value for `$`. `legacy` selects YAQL 0.2. Throws an `EvaluationError`.
#[wasm_bindgen(unchecked_return_type = "any")]
pub fn evaluate(
    expression: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "unknown")] data: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "boolean")] legacy: JsValue,
) -> Result<JsValue, JsValue> {
    let dialect = if legacy.is_truthy() { Dialect::Legacy } else { Dialect::Standard };
    let text = text_of(&data).and_then(|data| evaluate_json(expression, dialect, &data));
    Ok(parse(&text.map_err(|error| thrown(error.kind().as_str(), &error))?)?)
}
