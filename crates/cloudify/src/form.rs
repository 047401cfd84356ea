//! The form for the inputs of a blueprint.

use indexmap::IndexSet;
use serde_json::{Map, Value as Json, json};
use tosca_parse::ard::{Kind, Node};
use tosca_parse::entity::{Children, Id, InputForm, Reference};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::{Context, Program};

use crate::check::blueprint::copies;
use crate::check::value::{Type, type_of};
use crate::check::{node_of, text_of, value_of};
use crate::function::has_call;
use crate::grammar::{Constraint, DataType};
use crate::plan::full_name;

/// Returns the form for the inputs of the entry, with those of the files that it imports. Hidden inputs are omitted.
pub(crate) fn form(program: &Program<Complete>) -> Option<InputForm> {
    let mut context = Context::new(program, 0);
    let copies = copies(&mut context);
    let entry = copies.first()?;
    let mut form = Form { context: &context, types: IndexSet::new() };
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for copy in &copies {
        for (name, id) in copy.blueprint.inputs.iter() {
            let name = full_name(&copy.namespace, context.text(name));
            let Some(input) = context.get(id).filter(|_| !properties.contains_key(&name)) else { continue };
            if input.hidden.is_some_and(|hidden| hidden.value) {
                continue;
            }
            if input.default.is_none() && input.required.is_none_or(|required| required.value) {
                required.push(name.clone());
            }
            let mut schema = form.of_type(input.r#type);
            if let Some(item_type) = input.item_type {
                let mut items = form.of_type(Some(item_type));
                form.constrain(&mut items, &input.constraints);
                schema.insert("items".to_owned(), Json::Object(items));
            } else {
                form.constrain(&mut schema, &input.constraints);
            }
            for (keyword, text) in [("title", input.display_label), ("description", input.description)] {
                schema.extend(text_of(&context, text).map(|text| (keyword.to_owned(), json!(text.text()))));
            }
            schema.extend(default_of(value_of(&context, input.default)));
            properties.insert(name, Json::Object(schema));
        }
    }
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("Inputs of {}", program.list.first()?.source.name().rsplit(['/', '\\']).next()?),
        "type": "object",
        "properties": properties,
    });
    if let Some(description) = text_of(&context, entry.blueprint.description) {
        schema["description"] = json!(description.text());
    }
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    let types = form.definitions();
    if !types.is_empty() {
        schema["$defs"] = Json::Object(types);
    }
    Some(InputForm { schema, file: "inputs.yaml" })
}

struct Form<'c, 'a> {
    context: &'c Context<'a>,
    /// The data types of inputs and of their fields, in the order of use. Their definitions are named by number.
    types: IndexSet<Id<DataType>>,
}

impl Form<'_, '_> {
    fn of_type(&mut self, reference: Option<Reference<DataType>>) -> Map<String, Json> {
        let (keyword, value) = match type_of(self.context, reference) {
            Type::Any | Type::Unknown => return Map::new(),
            Type::Data(id) => ("$ref", format!("#/$defs/{}", self.types.insert_full(id).0)),
            Type::Primitive(name) => {
                let kind = match name {
                    "integer" | "boolean" => name,
                    "float" => "number",
                    "list" => "array",
                    "dict" => "object",
                    // The others are strings or names of objects of the manager.
                    _ => "string",
                };
                ("type", kind.to_owned())
            }
        };
        Map::from_iter([(keyword.to_owned(), json!(value))])
    }

    /// Returns the definitions of data types.
    fn definitions(&mut self) -> Map<String, Json> {
        let mut definitions = Map::new();
        while let Some(id) = self.types.get_index(definitions.len()) {
            let (id, number) = (*id, definitions.len());
            let (mut fields, mut required) = (Map::new(), Vec::new());
            let of_type = self.context.get(id);
            for (name, id) in of_type.into_iter().flat_map(|of_type| of_type.properties.iter()) {
                let Some(field) = self.context.get(id) else { continue };
                let mut schema = self.of_type(field.r#type);
                let description = text_of(self.context, field.description);
                schema.extend(description.map(|text| ("description".to_owned(), json!(text.text()))));
                schema.extend(default_of(value_of(self.context, field.default)));
                // A data type may have defaults for all of its fields.
                let is_data = matches!(type_of(self.context, field.r#type), Type::Data(_));
                if field.default.is_none() && !is_data && field.required.is_none_or(|required| required.value) {
                    required.push(self.context.text(name));
                }
                fields.insert(self.context.text(name).to_owned(), Json::Object(schema));
            }
            let name = self.context.program.name(id.any());
            let mut definition = json!({ "title": name, "type": "object", "properties": fields });
            if !required.is_empty() {
                definition["required"] = json!(required);
            }
            definitions.insert(number.to_string(), definition);
        }
        definitions
    }

    /// Adds the keywords for constraints. Patterns must match the beginning of the value.
    fn constrain(&self, schema: &mut Map<String, Json>, constraints: &Children<Constraint>) {
        let lengths = match schema.get("type").and_then(Json::as_str) {
            Some("array") => ["minItems", "maxItems"],
            Some("object") => ["minProperties", "maxProperties"],
            _ => ["minLength", "maxLength"],
        };
        let [min_length, max_length] = lengths;
        for constraint in constraints.iter().filter_map(|id| node_of(self.context, id.any())) {
            for entry in constraint.entries().filter(|entry| !has_call(entry.value)) {
                let (argument, mut ends) = (entry.value, entry.value.items());
                let pairs = match entry.key.text() {
                    "equal" => vec![("const", Some(argument))],
                    "greater_than" => vec![("exclusiveMinimum", Some(argument))],
                    "greater_or_equal" => vec![("minimum", Some(argument))],
                    "less_than" => vec![("exclusiveMaximum", Some(argument))],
                    "less_or_equal" => vec![("maximum", Some(argument))],
                    "in_range" => vec![("minimum", ends.next()), ("maximum", ends.next())],
                    "valid_values" => vec![("enum", Some(argument))],
                    "length" => vec![(min_length, Some(argument)), (max_length, Some(argument))],
                    "min_length" => vec![(min_length, Some(argument))],
                    "max_length" => vec![(max_length, Some(argument))],
                    "pattern" => {
                        let pattern = json!(format!("^(?:{})", argument.text()));
                        schema.entry("pattern").or_insert(pattern);
                        continue;
                    }
                    _ => continue,
                };
                for (keyword, value) in pairs {
                    let value = value.and_then(|value| serde_json::to_value(value).ok());
                    if let Some(value) = value {
                        schema.entry(keyword).or_insert(value);
                    }
                }
            }
        }
    }
}

/// Returns the keyword for a default, unless it calls functions.
fn default_of(default: Option<Node<'_>>) -> Option<(String, Json)> {
    let default = default.filter(|default| !has_call(*default) && default.kind() != Kind::Null)?;
    Some(("default".to_owned(), serde_json::to_value(default).ok()?))
}
