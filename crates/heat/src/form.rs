//! The form for the parameters of a template: an environment.

use serde_json::{Map, Value as Json, json};
use tosca_parse::ard::Node;
use tosca_parse::entity::{Id, InputForm, Text};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::{Context, Program};

use crate::check;
use crate::check::constraint::{number, to_number};
use crate::grammar::{Bounds, Constraint, Parameter, ParameterType, Template};

/// Returns the form for the entry.
pub(crate) fn form(program: &Program<Complete>) -> Option<InputForm> {
    let unit = program.list.first()?;
    let template = program.get(unit.root?.cast::<Template>()?)?;
    let context = &Context::new(program, 0);
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (name, id) in template.parameters.iter() {
        let parameter = program.get(id)?;
        let name = program.text(name);
        if check::default_of(parameter, context).is_none() {
            required.push(name);
        }
        properties.insert(name.to_owned(), Json::Object(schema(context, parameter)));
    }
    let is_empty = required.is_empty();
    let mut parameters = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("Parameters of {}", unit.source.name()),
        "type": "object",
        "additionalProperties": false,
    });
    if !is_empty {
        parameters["required"] = json!(required);
        schema["required"] = json!(["parameters"]);
    }
    if let Some(description) = text(context, template.description) {
        schema["description"] = json!(description);
    }
    schema["properties"] = json!({ "parameters": parameters });
    Some(InputForm { schema, file: "environment.yaml" })
}

fn text<'a>(context: &Context<'a>, text: Option<Text>) -> Option<&'a str> {
    context.node(text?.0).map(Node::text)
}

fn schema(context: &Context<'_>, parameter: &Parameter) -> Map<String, Json> {
    let ty = parameter.r#type.map(|ty| ty.value);
    let kind = match ty {
        Some(ParameterType::String) => json!({ "type": "string" }),
        Some(ParameterType::Number) => json!({ "type": "number" }),
        Some(ParameterType::Boolean) => json!({ "type": "boolean" }),
        Some(ParameterType::CommaDelimitedList) => json!({ "type": "array", "items": { "type": "string" } }),
        // A map or a list.
        Some(ParameterType::Json) | None => json!({}),
    };
    let Json::Object(mut schema) = kind else { return Map::new() };
    for (keyword, of_parameter) in [("title", parameter.label), ("description", parameter.description)] {
        schema.extend(text(context, of_parameter).map(|text| (keyword.to_owned(), json!(text))));
    }
    if parameter.hidden.is_some_and(|hidden| hidden.value) {
        schema.insert("writeOnly".to_owned(), json!(true));
    } else if let Some(default) = check::default_of(parameter, context) {
        schema.insert("default".to_owned(), default_of(ty, default));
    }
    for constraint in parameter.constraints.iter().filter_map(|id| context.get(*id)) {
        for (keyword, value) in keywords(context, constraint, ty) {
            schema.entry(keyword.to_owned()).or_insert(value);
        }
    }
    schema
}

/// Returns a default in the form of the schema.
fn default_of(ty: Option<ParameterType>, default: Node<'_>) -> Json {
    let written = || serde_json::to_value(default).unwrap_or_default();
    match ty {
        Some(ParameterType::String) if !default.text().is_empty() => json!(default.text()),
        Some(ParameterType::Number) => to_number(default).map_or_else(written, json_of),
        Some(ParameterType::CommaDelimitedList) if default.items().next().is_none() => {
            json!(default.text().split(',').filter(|item| !item.is_empty()).collect::<Vec<_>>())
        }
        Some(ParameterType::Json) => serde_json::from_str(default.text()).unwrap_or_else(|_| written()),
        _ => written(),
    }
}

/// Returns a number, as an integer if it is one.
#[expect(clippy::cast_possible_truncation, reason = "the number is whole and small")]
fn json_of(number: f64) -> Json {
    if number.fract() == 0.0 && number.abs() < 1e15 { json!(number as i64) } else { json!(number) }
}

/// Returns the keywords for a constraint. Patterns must match the whole value.
fn keywords(context: &Context<'_>, constraint: &Constraint, ty: Option<ParameterType>) -> Vec<(&'static str, Json)> {
    let bounds = |id: Option<Id<Bounds>>, names: [&'static str; 2]| {
        let bounds = id.and_then(|id| context.get(id));
        let both = bounds.map(|bounds| [number(context, bounds.min), number(context, bounds.max)]).unwrap_or_default();
        names.into_iter().zip(both).filter_map(|(name, bound)| Some((name, json_of(bound?))))
    };
    let mut keywords = Vec::new();
    let of_length =
        if ty == Some(ParameterType::String) { ["minLength", "maxLength"] } else { ["minItems", "maxItems"] };
    if ty != Some(ParameterType::Json) {
        keywords.extend(bounds(constraint.length, of_length));
    }
    keywords.extend(bounds(constraint.range, ["minimum", "maximum"]));
    let allowed = constraint.allowed_values.and_then(|value| context.node(value.0));
    if let Some(allowed) = allowed.filter(|_| ty == Some(ParameterType::String)) {
        keywords.push(("enum", json!(allowed.items().map(Node::text).collect::<Vec<_>>())));
    }
    let pattern = text(context, constraint.allowed_pattern);
    keywords.extend(pattern.map(|pattern| ("pattern", json!(format!("^(?:{pattern})$")))));
    keywords
}
