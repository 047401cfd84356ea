#![allow(clippy::unwrap_used, clippy::format_push_string, clippy::format_collect)]

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Request, StatusCode, header};
use serde_json::{Value as Json, json};
use tosca_parse::source::MemoryProvider;
use tosca_parse::{Parser, TOSCA};
use tower::ServiceExt as _;

use super::{Limits, Settings, description, routes};

const SERVICE: &str = "\
tosca_definitions_version: tosca_2_0
node_types:
  Server: { properties: { size: { type: integer } } }
service_template:
  inputs: { size: { type: integer } }
  node_templates:
    web: { type: Server, properties: { size: { $get_input: size } } }
";

const IMPORTING: &str = "\
tosca_definitions_version: tosca_2_0
imports: [ types/server.yaml ]
service_template:
  node_templates:
    web: { type: Server }
";

const TYPES: &str = "tosca_definitions_version: tosca_2_0\nnode_types: { Server: {} }\n";

fn service(settings: Settings) -> Router {
    let files = MemoryProvider::new();
    let parser = Parser::builder(&TOSCA).offline(true).sandbox(true).provider(Arc::new(files.clone()));
    routes::router(parser.build().unwrap(), files, settings)
}

fn limited(change: impl FnOnce(&mut Limits)) -> Router {
    let mut settings = Settings::default();
    change(&mut settings.limits);
    service(settings)
}

/// Sends a request and returns the status and the JSON body of the answer.
fn send(router: &Router, request: Request<Body>) -> (u16, Json) {
    let (status, body) = received(router, request);
    (status, serde_json::from_slice(&body).unwrap())
}

fn received(router: &Router, request: Request<Body>) -> (u16, Bytes) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let outcome = runtime.block_on(async {
        let answer = router.clone().oneshot(request).await.unwrap();
        (answer.status().as_u16(), to_bytes(answer.into_body(), usize::MAX).await.unwrap())
    });
    runtime.shutdown_background();
    outcome
}

fn post(uri: &str, body: impl Into<Body>) -> Request<Body> {
    Request::post(uri).body(body.into()).unwrap()
}

fn form(uri: &str, parts: &[(&str, Option<&str>, &str)]) -> Request<Body> {
    let mut body = String::new();
    for (field, file, text) in parts {
        let file = file.map(|file| format!("; filename=\"{file}\"")).unwrap_or_default();
        body += &format!("--limit\r\nContent-Disposition: form-data; name=\"{field}\"{file}\r\n\r\n{text}\r\n");
    }
    body += "--limit--\r\n";
    Request::post(uri).header(header::CONTENT_TYPE, "multipart/form-data; boundary=limit").body(body.into()).unwrap()
}

#[test]
fn a_text_is_validated() {
    let router = service(Settings::default());
    let (status, answer) = send(&router, post("/validate", SERVICE));
    assert_eq!((status, &answer["valid"], &answer["problems"]["diagnostics"]), (200, &json!(true), &json!([])));
    let (status, answer) =
        send(&router, post("/validate?name=a.yaml", SERVICE.replace("type: Server", "type: Serber")));
    let problem = &answer["problems"]["diagnostics"][0];
    assert_eq!((status, &answer["valid"]), (200, &json!(false)));
    assert_eq!(
        (&problem["file"], &problem["code"], &problem["start"]["line"]),
        (&json!("a.yaml"), &json!("T2001"), &json!(7))
    );
    assert!(!answer.to_string().contains("memory:"), "{answer}");
}

#[test]
fn the_files_of_a_form_import_each_other() {
    let router = service(Settings::default());
    let files = [("file", Some("types/server.yaml"), TYPES), ("entry", Some("service.yaml"), IMPORTING)];
    let (status, answer) = send(&router, form("/validate", &files));
    assert_eq!((status, &answer["valid"]), (200, &json!(true)), "{answer}");
    // The files of the former request are gone, and no file of the computer can be imported.
    for import in ["types/server.yaml", "/etc/hostname", "file:///etc/hostname", "https://example.com/a.yaml"] {
        let text = IMPORTING.replace("types/server.yaml", import);
        let (status, answer) = send(&router, post("/validate", text));
        assert_eq!((status, &answer["valid"]), (200, &json!(false)), "{import}");
    }
}

#[test]
fn an_archive_is_validated() {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in [("types/server.yaml", TYPES), ("service.yaml", IMPORTING)] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    let router = service(Settings::default());
    let (status, answer) = send(&router, post("/model", archive.finish().unwrap().into_inner()));
    assert_eq!(
        (status, &answer["valid"], &answer["model"]["nodes"]["web"]["types"][0]["name"]),
        (200, &json!(true), &json!("Server")),
        "{answer}"
    );
}

#[test]
fn models_are_evaluated_with_inputs() {
    let router = service(Settings::default());
    let size = |answer: &Json| answer["model"]["nodes"]["web"]["properties"]["size"]["value"].clone();
    let parts = [("entry", Some("service.yaml"), SERVICE), ("inputs", None, "size: 3")];
    let (_, answer) = send(&router, form("/model?evaluate=true&positions=true", &parts));
    assert_eq!(
        (size(&answer), &answer["model"]["nodes"]["web"]["source"]["file"]),
        (json!(3), &json!("service.yaml")),
        "{answer}"
    );
    let (_, answer) = send(&router, form("/model", &parts));
    assert!(size(&answer).is_object(), "{answer}");
    let (_, answer) = send(&router, form("/model", &[parts[0], ("inputs", None, "size: x")]));
    assert_eq!((&answer["valid"], &answer["model"]), (&json!(false), &Json::Null), "{answer}");
}

#[test]
fn values_are_computed_from_attributes() {
    let text = "\
tosca_definitions_version: tosca_2_0
interface_types: { Lifecycle: { operations: { start: {} } } }
node_types:
  Server:
    attributes: { port: { type: integer } }
    interfaces:
      standard:
        type: Lifecycle
        operations:
          start:
            implementation: start.sh
            inputs: { port: { type: integer, value: { $get_attribute: [ web, port ] } } }
service_template:
  node_templates: { web: { type: Server } }
  outputs: { port: { value: { $get_attribute: [ web, port ] } } }
";
    let router = service(Settings::default());
    let parts = |attributes| [("entry", Some("service.yaml"), text), ("attributes", None, attributes)];
    let (_, answer) = send(&router, form("/model?evaluate=true", &parts(r#"{"web": {"port": 80}}"#)));
    assert_eq!(answer["model"]["outputs"]["port"]["value"], 80, "{answer}");
    let (_, answer) = send(&router, form("/plan", &parts(r#"{"web": {"port": 80}}"#)));
    assert_eq!(answer["plan"]["deployment"][0]["steps"][0]["operations"][0]["inputs"]["port"], 80, "{answer}");
    let (_, answer) = send(&router, form("/model?evaluate=true", &parts(r#"{"web": {"port": "http"}}"#)));
    assert_eq!(
        (&answer["valid"], &answer["problems"]["diagnostics"][0]["code"]),
        (&json!(false), &json!("T6101")),
        "{answer}"
    );
    let (status, answer) = send(&router, form("/plan", &parts("web")));
    assert!(status == 400 && answer["error"].as_str().unwrap().starts_with("invalid attributes: "), "{answer}");
}

#[test]
fn diagrams_plans_and_forms_are_made() {
    let router = service(Settings::default());
    for (format, begin) in
        [("", "<svg"), ("?format=dot", "digraph"), ("?format=mermaid", "flowchart"), ("?format=graphml", "<?xml")]
    {
        let (status, answer) = send(&router, post(&format!("/graph{format}"), SERVICE));
        assert_eq!(status, 200);
        assert!(answer["graph"].as_str().unwrap().starts_with(begin), "{answer}");
    }
    let parts = [("entry", Some("service.yaml"), SERVICE), ("inputs", None, "size: 3")];
    let (_, answer) = send(&router, form("/plan", &parts));
    assert_eq!(answer["plan"]["deployment"][0]["steps"][0]["node"], "web", "{answer}");
    let (_, answer) = send(&router, post("/form", SERVICE));
    assert_eq!(answer["form"]["schema"]["properties"]["size"]["type"], "integer", "{answer}");
    assert!(answer["form"]["page"].as_str().unwrap().starts_with("<!"), "{answer}");
    let (_, answer) = send(&router, post("/graph", TYPES));
    assert_eq!((&answer["valid"], &answer["graph"]), (&json!(true), &Json::Null));
}

#[test]
fn files_are_migrated() {
    let old = "tosca_definitions_version: tosca_simple_yaml_1_3\nnode_types: { Server: { derived_from: tosca.nodes.Root } }\n";
    let router = service(Settings::default());
    let (status, answer) = send(&router, post("/migrate?to=2.0", old));
    assert_eq!(status, 200);
    assert!(answer["files"]["service.yaml"].as_str().unwrap().contains("tosca_2_0"), "{answer}");
    let (status, answer) = send(&router, post("/migrate?to=9", old));
    assert_eq!((status, &answer), (400, &json!({ "error": "TOSCA files can't be migrated to version `9`" })));
}

#[test]
fn wrong_requests_are_refused() {
    let router = limited(|limits| limits.body = 1000);
    let status = |request| send(&router, request).0;
    assert_eq!(status(post("/validate?nmae=a", SERVICE)), 400);
    assert_eq!(status(post("/graph?format=gif", SERVICE)), 400);
    for name in ["../a.yaml", "/a.yaml", "a//b.yaml", "a%3Fb.yaml", "a%0Ab"] {
        assert_eq!(status(post(&format!("/validate?name={name}"), SERVICE)), 400, "{name}");
    }
    assert_eq!(status(form("/validate", &[])), 400);
    assert_eq!(status(form("/validate", &[("a", Some("a.yaml"), ""), ("b", Some("a.yaml"), "")])), 400);
    let parts: Vec<String> = (0..1001).map(|number| format!("{number}.yaml")).collect();
    let parts: Vec<_> = parts.iter().map(|name| ("file", Some(&**name), "")).collect();
    assert_eq!(send(&service(Settings::default()), form("/validate", &parts)).0, 413);
    assert_eq!(status(post("/unknown", "")), 404);
    assert_eq!(status(Request::get("/validate").body(Body::empty()).unwrap()), 405);
    assert_eq!(status(post("/validate", " ".repeat(1001))), 413);
    let chunks =
        Body::from_stream(futures_util::stream::iter([Ok::<_, std::io::Error>(Bytes::from(vec![b' '; 1001]))]));
    assert_eq!(status(post("/validate", chunks)), 413);
}

#[test]
fn limits_are_reported() {
    // A body that never ends is given up.
    let router = limited(|limits| limits.reading = Duration::from_millis(10));
    let endless = Body::from_stream(futures_util::stream::pending::<Result<Bytes, std::io::Error>>());
    assert_eq!(send(&router, post("/validate", endless)).0, 408);
    let nodes = (0..6000).map(|number| format!("    n{number}: {{ type: Server, properties: {{ size: 1 }} }}\n"));
    let large = format!("{SERVICE}{}", nodes.collect::<String>());
    let router = limited(|limits| limits.time = Duration::from_millis(1));
    let (status, answer) = send(&router, post("/validate", large.clone()));
    assert_eq!((status, &answer["error"]), (503, &json!("the work took longer than 0.001 s")));
    // The only place is taken, and no request may wait.
    let router = limited(|limits| (limits.running, limits.waiting) = (1, 0));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let statuses = runtime.block_on(async {
        let large: String =
            (0..2000).map(|number| format!("    n{number}: {{ type: Server, properties: {{ size: 1 }} }}\n")).collect();
        let slow = router.clone().oneshot(post("/validate", large));
        let fast = async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            router.clone().oneshot(post("/validate", SERVICE)).await
        };
        let (slow, fast) = tokio::join!(slow, fast);
        [slow.unwrap().status(), fast.unwrap().status()]
    });
    assert_eq!(statuses, [StatusCode::OK, StatusCode::TOO_MANY_REQUESTS]);
}

#[test]
fn large_requests_and_answers_are_limited() {
    let filler = format!("# {}\n{SERVICE}", "x".repeat(3 << 20));
    let (status, answer) =
        send(&service(Settings::default()), form("/validate", &[("entry", Some("a.yaml"), &filler)]));
    assert_eq!((status, &answer["valid"]), (200, &json!(true)), "{answer}");
    let router = limited(|limits| limits.answer = 100);
    let (status, answer) = send(&router, post("/model", SERVICE));
    assert_eq!((status, &answer["error"]), (503, &json!("the answer is longer than 100 bytes")));
    let router = limited(|limits| (limits.body, limits.bodies) = (SERVICE.len(), SERVICE.len() + 1000));
    assert_eq!(send(&router, post("/validate", SERVICE)).0, 200);
    let (status, answer) = send(&router, post("/form", SERVICE));
    assert_eq!((status, &answer["error"]), (503, &json!("too many large requests; try again later")));
    // The memory of former requests and answers is free again.
    assert_eq!(send(&router, post("/validate", SERVICE)).0, 200);
}

#[test]
fn large_diagrams_are_refused() {
    let nodes: Vec<String> = (0..1001).map(|number| format!("    n{number}: {{ type: Server }}")).collect();
    let text = IMPORTING.replace("imports: [ types/server.yaml ]", "node_types: { Server: {} }");
    let text = format!("{text}{}\n", nodes.join("\n"));
    let router = service(Settings::default());
    let (status, answer) = send(&router, post("/graph", text.clone()));
    assert_eq!(status, 400);
    assert!(answer["error"].as_str().unwrap().ends_with("use a different `format`"), "{answer}");
    assert_eq!(send(&router, post("/graph?format=dot", text)).0, 200);
}

#[test]
fn files_keep_their_names() {
    let router = service(Settings::default());
    let file = |answer: &Json| answer["problems"]["diagnostics"][0]["file"].as_str().unwrap().to_owned();
    let (_, answer) = send(&router, post("/validate?name=gr%C3%B6%C3%9Fe%20(1).yaml", "a: b"));
    assert_eq!(file(&answer), "größe (1).yaml");
    let parts = [("entry", Some("ein gang.yaml"), "tosca_definitions_version: tosca_2_0\nimports: [ größe.yaml ]\n")];
    let (_, answer) = send(&router, form("/validate", &[parts[0], ("file", Some("größe.yaml"), "a: b")]));
    assert_eq!(file(&answer), "größe.yaml");
    let old = "tosca_definitions_version: tosca_simple_yaml_1_3\n";
    let (_, answer) = send(&router, post("/migrate?name=%C3%9F.yaml", old));
    assert!(answer["files"]["ß.yaml"].is_string(), "{answer}");
    // The page of a form contains no markup from a name.
    let (_, answer) = send(&router, post("/form?name=a%3C%2Fscript%3E%3Cb%3E.yaml", SERVICE));
    let page = answer["form"]["page"].as_str().unwrap();
    assert!(page.contains("script%3E%3Cb%3E.yaml") && !page.contains("<b>"), "{page}");
    // A name is checked even if it is not used.
    assert_eq!(send(&router, form("/validate?name=..", &parts)).0, 400);
    assert_eq!(send(&router, post("/validate?name=a%22b", "a: b")).0, 400);
}

#[test]
fn answers_match_the_description() {
    let router = service(Settings::default());
    let description = description();
    let (_, served) = send(&router, Request::get("/openapi.json").body(Body::empty()).unwrap());
    assert_eq!(served, description);
    for (path, operations) in description["paths"].as_object().unwrap() {
        let Some(operation) = operations.get("post") else { continue };
        let mut schema = operation["responses"]["200"]["content"]["application/json"]["schema"].clone();
        schema["components"] = description["components"].clone();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for text in [SERVICE, TYPES, "a: b"] {
            let (status, answer) = send(&router, post(path, text));
            let errors: Vec<String> = validator.iter_errors(&answer).map(|error| error.to_string()).collect();
            assert_eq!((status, errors), (200, Vec::new()), "{path}: {answer}");
        }
    }
    assert_eq!(send(&router, Request::get("/healthz").body(Body::empty()).unwrap()), (200, json!({ "status": "ok" })));
}

#[test]
fn requests_are_counted_and_identified() {
    let router = service(Settings::default());
    send(&router, post("/validate", SERVICE));
    send(&router, post("/unknown", ""));
    let (status, text) = received(&router, Request::get("/metrics").body(Body::empty()).unwrap());
    let text = String::from_utf8(text.to_vec()).unwrap();
    assert_eq!(status, 200);
    for line in [
        "tosca_parse_requests_total{task=\"validate\",status=\"200\"} 1",
        "tosca_parse_requests_total{task=\"other\",status=\"404\"} 1",
        "tosca_parse_running 1",
        "tosca_parse_duration_seconds_count 2",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}:\n{text}");
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let id = |request| {
        let answer = runtime.block_on(router.clone().oneshot(request)).unwrap();
        answer.headers()["x-request-id"].to_str().unwrap().to_owned()
    };
    let given = Request::get("/healthz").header("x-request-id", "abc").body(Body::empty()).unwrap();
    assert_eq!(id(given), "abc");
    assert_eq!(id(Request::get("/healthz").body(Body::empty()).unwrap()).len(), 16);
}

#[test]
fn only_named_origins_may_call() {
    let allowed = |settings| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let request = Request::get("/healthz").header(header::ORIGIN, "https://a.example").body(Body::empty()).unwrap();
        let answer = runtime.block_on(service(settings).oneshot(request)).unwrap();
        answer.headers().get(header::ACCESS_CONTROL_ALLOW_ORIGIN).cloned()
    };
    assert_eq!(allowed(Settings::default()), None);
    let settings = Settings { origins: vec!["https://a.example".parse().unwrap()], ..Settings::default() };
    assert_eq!(allowed(settings).unwrap(), "https://a.example");
}
