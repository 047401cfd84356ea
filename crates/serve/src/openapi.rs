//! The description of the service in `OpenAPI` format.

use serde_json::{Map as JsonMap, Value as Json, json};
use tosca_parse::graph::Format;
use tosca_parse::{diagnostic, normal};

use crate::task::Task;
use crate::upload::MAX_NAME;

/// The names of files that requests may have: relative paths without `..`, and without characters that are special in
/// addresses.
const FILE_NAME: &str =
    r#"^(?!\.\.?(/|$))[^\x00-\x1f\x7f-\x9f\\:?#%"/]+(/(?!\.\.?(/|$))[^\x00-\x1f\x7f-\x9f\\:?#%"/]+)*$"#;

/// Returns the `OpenAPI` 3.1 description of the service.
#[must_use]
pub fn description() -> Json {
    let mut paths: JsonMap<String, Json> =
        Task::ALL.into_iter().map(|task| (format!("/{}", task.name()), json!({ "post": operation(task) }))).collect();
    let state = json!({ "type": "object", "properties": { "status": { "const": "ok" } }, "required": ["status"] });
    paths.insert("/healthz".to_owned(), resource("healthz", "State of the service", "application/json", &state));
    let (text, object) = (json!({ "type": "string" }), json!({ "type": "object" }));
    paths.insert("/metrics".to_owned(), resource("metrics", "Metrics", "application/openmetrics-text", &text));
    paths.insert("/openapi.json".to_owned(), resource("openapi", "This description", "application/json", &object));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "tosca-parse",
            "description": "Validates service templates and returns their models, diagrams, plans and forms.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "paths": paths,
        "components": { "schemas": components() },
    })
}

/// Returns the schemas that operations refer to. Their definitions become components too, with the name of the schema
/// in front: a step of a plan is not a step of a workflow.
fn components() -> JsonMap<String, Json> {
    let error = json!({ "type": "object", "properties": { "error": { "type": "string" } }, "required": ["error"] });
    let mut components = JsonMap::from_iter([("Error".to_owned(), error)]);
    let schemas = [
        ("Problems", diagnostic::render::json_schema()),
        ("Service", normal::json_schema()),
        ("Plan", normal::plan_json_schema()),
    ];
    for (name, mut schema) in schemas {
        refer_to_components(&mut schema, name);
        let Json::Object(mut schema) = schema else { continue };
        schema.remove("$schema");
        if let Some(Json::Object(definitions)) = schema.remove("$defs") {
            components.extend(definitions.into_iter().map(|(own, schema)| (format!("{name}{own}"), schema)));
        }
        components.insert(name.to_owned(), Json::Object(schema));
    }
    components
}

fn refer_to_components(part: &mut Json, schema: &str) {
    match part {
        Json::Object(entries) => {
            if let Some(Json::String(target)) = entries.get_mut("$ref")
                && let Some(own) = target.strip_prefix("#/$defs/")
            {
                *target = format!("#/components/schemas/{schema}{own}");
            }
            entries.values_mut().for_each(|part| refer_to_components(part, schema));
        }
        Json::Array(items) => items.iter_mut().for_each(|part| refer_to_components(part, schema)),
        _ => {}
    }
}

fn resource(id: &str, summary: &str, content: &str, schema: &Json) -> Json {
    let answer = json!({ "description": summary, "content": { content: { "schema": schema } } });
    json!({ "get": { "operationId": id, "summary": summary, "responses": { "200": answer } } })
}

fn operation(task: Task) -> Json {
    let (summary, result, parameters) = match task {
        Task::Validate => ("Problems of a template", None, json!([])),
        Task::Model => (
            "Model of a valid template",
            Some((
                "model",
                json!({ "anyOf": [{ "$ref": "#/components/schemas/Service" }, { "type": ["object", "array", "null"] }] }),
            )),
            json!([
                parameter(
                    "evaluate",
                    "Whether the functions of the model are evaluated",
                    &json!({ "type": "boolean" })
                ),
                parameter(
                    "positions",
                    "Whether the model contains the positions of its entities",
                    &json!({ "type": "boolean" })
                ),
            ]),
        ),
        Task::Graph => (
            "Diagram of the topology, even of an invalid template",
            Some(("graph", json!({ "type": ["string", "null"] }))),
            json!([parameter("format", "Format of the diagram", &json!({ "enum": format_names(), "default": "svg" }))]),
        ),
        Task::Plan => (
            "Plan to deploy and undeploy a valid template",
            Some(("plan", json!({ "anyOf": [{ "$ref": "#/components/schemas/Plan" }, { "type": "null" }] }))),
            json!([]),
        ),
        Task::Form => (
            "Form for the inputs: a JSON Schema and an HTML page",
            Some((
                "form",
                json!({
                    "type": ["object", "null"],
                    "properties": { "schema": { "type": "object" }, "page": { "type": "string" } },
                    "required": ["schema", "page"],
                }),
            )),
            json!([]),
        ),
        Task::Migrate => (
            "Changed files of a valid template in a later version of its language",
            Some(("files", json!({ "type": ["object", "null"], "additionalProperties": { "type": "string" } }))),
            json!([parameter(
                "to",
                "Version, such as `tosca_2_0` or `1.3`; the latest by default",
                &json!({ "type": "string", "minLength": 1 })
            )]),
        ),
    };
    let mut properties =
        json!({ "valid": { "type": "boolean" }, "problems": { "$ref": "#/components/schemas/Problems" } });
    let mut required = vec!["valid", "problems"];
    if let Some((name, schema)) = result {
        properties[name] = schema;
        required.push(name);
    }
    let file_name = json!({ "type": "string", "pattern": FILE_NAME, "maxLength": MAX_NAME });
    let mut all = vec![parameter("name", "Name of the file, if the body is a text or an archive", &file_name)];
    all.extend(parameters.as_array().into_iter().flatten().cloned());
    let answer = json!({ "type": "object", "properties": properties, "required": required });
    let failed = |description: &str| {
        let schema = json!({ "$ref": "#/components/schemas/Error" });
        json!({ "description": description, "content": { "application/json": { "schema": schema } } })
    };
    json!({
        "operationId": task.name(),
        "summary": summary,
        "parameters": all,
        // An empty body is an empty template.
        "requestBody": { "required": false, "content": {
            // Any YAML, and even another text, is answered with its problems.
            "application/yaml": { "schema": {} },
            "application/zip": { "schema": { "type": "string", "format": "binary" } },
            "multipart/form-data": { "schema": {
                "type": "object",
                "properties": {
                    "entry": { "type": "string", "format": "binary", "description": "Entry file" },
                    "inputs": { "type": "string", "description": "Values for inputs, as YAML or JSON" },
                    "attributes": {
                        "type": "object",
                        "description": "For evaluation and plans: values of attributes by node and name",
                        "additionalProperties": { "type": "object" },
                    },
                },
                "additionalProperties": { "type": "string", "format": "binary" },
                "propertyNames": file_name,
                "required": ["entry"],
            } },
        } },
        "responses": {
            "200": { "description": summary, "content": { "application/json": { "schema": answer } } },
            "400": failed("Malformed request, or a result that the files do not allow"),
            "408": failed("The body was sent too slowly"),
            "413": failed("The body is too long, or there are too many files"),
            "429": failed("Too many requests are waiting"),
            "500": failed("The request can't be answered"),
            "503": failed("The work or the others take too long, the answer is too long, or too many large requests are in memory"),
        },
    })
}

fn parameter(name: &str, description: &str, schema: &Json) -> Json {
    json!({ "name": name, "in": "query", "description": description, "schema": schema })
}

/// Returns the names of the formats of diagrams.
fn format_names() -> Vec<&'static str> {
    Format::NAMES.iter().map(|(name, _)| *name).collect()
}
