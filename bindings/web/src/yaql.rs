//! YAQL expressions.

use serde_json::Value as Json;
use tosca_parse_library::yaql::{Dialect, Error, evaluate_json, read_json};
use wasm_bindgen::prelude::*;

use crate::convert::{parse, to_json};

/// Returns the error that is thrown, with the kind and the position in the expression.
pub(crate) fn thrown(kind: &str, error: &Error) -> JsValue {
    let made = js_sys::Error::new(&error.to_string());
    made.set_name("EvaluationError");
    // Setting a property of a new object can't fail.
    let set = |name: &str, value: JsValue| drop(js_sys::Reflect::set(&made, &name.into(), &value));
    set("kind", kind.into());
    if let Some(span) = error.span() {
        set("start", span.start.into());
        set("end", span.end.into());
    }
    made.into()
}

/// Evaluates a YAQL expression with a value for `$`. `legacy` selects YAQL 0.2. Throws an `EvaluationError`.
#[wasm_bindgen(unchecked_return_type = "any")]
pub fn evaluate(
    expression: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "unknown")] data: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "boolean")] legacy: JsValue,
) -> Result<JsValue, JsValue> {
    let dialect = if legacy.is_truthy() { Dialect::Legacy } else { Dialect::Standard };
    let data = to_json(&data)?.map_or(Ok(Json::Null), |text| read_json(&text));
    let text = data.and_then(|data| evaluate_json(expression, dialect, &data));
    Ok(parse(&text.map_err(|error| thrown(error.kind().as_str(), &error))?)?)
}
