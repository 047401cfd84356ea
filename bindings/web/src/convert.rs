//! Conversion from and to JavaScript values, as JSON.

use serde::Serialize;
use serde_json::Value;
use wasm_bindgen::{JsError, JsValue};

/// Converts a JavaScript value to JSON text; `undefined` and `null` become `None`.
pub(crate) fn to_json(value: &JsValue) -> Result<Option<String>, JsError> {
    if value.is_undefined() || value.is_null() {
        return Ok(None);
    }
    let text = js_sys::JSON::stringify(value).ok().and_then(|text| text.as_string());
    text.map(Some).ok_or_else(|| JsError::new("the value can't be written as JSON"))
}

/// Converts a JavaScript value to data; `undefined` becomes null.
pub(crate) fn to_value(value: &JsValue) -> Result<Value, JsError> {
    Ok(match to_json(value)? {
        Some(text) => serde_json::from_str(&text)?,
        None => Value::Null,
    })
}

/// Converts a serializable value to plain JavaScript data.
pub(crate) fn from_json(value: &impl Serialize) -> Result<JsValue, JsError> {
    parse(&serde_json::to_string(value)?)
}

/// Converts JSON text to JavaScript data.
pub(crate) fn parse(text: &str) -> Result<JsValue, JsError> {
    js_sys::JSON::parse(text).map_err(|_| JsError::new("the result is not JSON"))
}
