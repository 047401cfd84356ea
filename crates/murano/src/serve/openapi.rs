//! The description of the service in `OpenAPI` format.

use serde_json::{Value as Json, json};

/// Returns the description.
pub(super) fn description() -> Json {
    let text = |name: &str, place: &str, description: &str| {
        json!({
            "name": name, "in": place, "required": place == "path", "description": description,
            "schema": { "type": "string" },
        })
    };
    let answer = |description: &str| json!({ "description": description, "content": { "application/json": { "schema": { "type": "object" } } } });
    let class = || {
        json!([
            text("class", "path", "Name of the class"),
            text("classVersion", "query", "Version requirement for the class, such as `>=1.2,<2`"),
            text("packageName", "query", "Name of the package of the class"),
        ])
    };
    let schemas = |summary: &str, parameters: Json| {
        json!({ "get": {
            "summary": summary, "parameters": parameters,
            "responses": {
                "200": answer("JSON Schemas by the names of methods; the empty name is that of the class"),
                "304": { "description": "The schemas have the entity tag of `If-None-Match`" },
                "400": answer("Invalid name or version"),
                "404": answer("Unknown class or package"),
                "500": answer("Invalid class"),
                "503": answer("Too many requests are waiting"),
            },
        } })
    };
    let mut of_methods = class();
    let methods = "Names of model builders and actions, separated by commas; the empty name is that of the class";
    if let Some(parameters) = of_methods.as_array_mut() {
        parameters.push(text("methods", "path", methods));
    }
    let plain = |summary: &str| json!({ "get": { "summary": summary, "responses": { "200": answer(summary) } } });
    json!({
        "openapi": "3.0.3",
        "info": { "title": "Schemas of MuranoPL classes", "version": env!("CARGO_PKG_VERSION") },
        "paths": {
            "/schemas": plain("Classes with schemas"),
            "/schemas/{class}": schemas("Schemas of a class and of its model builders", class()),
            "/schemas/{class}/{methods}": schemas("Schemas of methods of a class", of_methods),
            "/healthz": plain("State of the service"),
            "/openapi.json": plain("Description of the service"),
        },
    })
}
