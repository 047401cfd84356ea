//! The work on a request: parses its files and builds the result.

use std::cell::RefCell;
use std::hash::{BuildHasher as _, RandomState};

use percent_encoding::percent_decode_str;
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{SerializeMap as _, Serializer};
use serde_json::{Map as JsonMap, Value as Json, json};
use tosca_parse::diagnostic::edit::apply;
use tosca_parse::diagnostic::render::Document;
use tosca_parse::diagnostic::{Diagnostic, Edit};
use tosca_parse::form;
use tosca_parse::graph::{Format, Graph, Options as GraphOptions, Subject};
use tosca_parse::normal::{Map, Options, Plan, Service, Value};
use tosca_parse::source::{Address, MemoryProvider};
use tosca_parse::{Entry, Outcome, Parser};

use crate::upload::Upload;

/// The work that a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    /// The problems.
    Validate,
    /// The complete model.
    Model,
    /// A diagram of the topology.
    Graph,
    /// The plan of deployment and undeployment.
    Plan,
    /// A form for the inputs.
    Form,
    /// The files in a later version of their language.
    Migrate,
}

impl Task {
    pub(crate) const ALL: [Self; 6] = [Self::Validate, Self::Model, Self::Graph, Self::Plan, Self::Form, Self::Migrate];

    /// Returns the name, which is also the path.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Validate => "validate",
            Self::Model => "model",
            Self::Graph => "graph",
            Self::Plan => "plan",
            Self::Form => "form",
            Self::Migrate => "migrate",
        }
    }
}

/// The parameters in the query of a request.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parameters {
    /// The name of the file, if the body is a text or an archive.
    pub(crate) name: Option<String>,
    /// Whether the functions of the model are evaluated.
    #[serde(default)]
    pub(crate) evaluate: bool,
    /// Whether the model contains the positions of its entities.
    #[serde(default)]
    pub(crate) positions: bool,
    /// The format of the diagram.
    #[serde(default, deserialize_with = "format")]
    pub(crate) format: Format,
    /// The version to migrate to: the latest one by default.
    pub(crate) to: Option<String>,
}

fn format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Format, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

/// Parses the files of a request and returns the answer, as JSON.
///
/// # Errors
///
/// Returns an error if a parameter does not fit the files.
pub(crate) fn run(
    parser: &Parser,
    files: &MemoryProvider,
    task: Task,
    parameters: &Parameters,
    upload: Upload,
) -> Result<String, String> {
    let folder = Folder::new(files);
    let mut addresses = Vec::with_capacity(upload.files.len());
    for (name, bytes) in upload.files {
        addresses.push(folder.write(&name, bytes.into())?);
    }
    let entry = addresses.into_iter().next().ok_or("there is no file")?;
    let entry = match upload.inputs {
        Some(inputs) => Entry::at(entry).inputs("inputs", Vec::from(inputs)),
        None => Entry::at(entry),
    };
    let attributes: Option<Map<Map<Value>>> = match upload.attributes {
        Some(text) => Some(serde_json::from_slice(&text).map_err(|error| format!("invalid attributes: {error}"))?),
        None => None,
    };
    let options = Options { attributes: attributes.as_ref(), ..Options::default() };
    let mut outcome = parser.parse_entry(entry);
    let result = match task {
        Task::Validate => None,
        Task::Model => Some(("model", model(&mut outcome, parameters, options))),
        Task::Graph => Some(("graph", graph(&outcome, parameters.format)?.map(Content::Json))),
        Task::Plan => Some(("plan", plan(&mut outcome, options).map(|plan| Content::Plan(Box::new(plan))))),
        Task::Form => Some(("form", form(&outcome).map(Content::Json))),
        Task::Migrate => Some(("files", migrated(&mut outcome, &folder, parameters.to.as_deref())?.map(Content::Json))),
    };
    let answer = written(&outcome, result.as_ref()).map_err(|error| error.to_string())?;
    Ok(with_names(&answer, &folder.prefix))
}

/// The part of an answer that depends on the task.
#[derive(Serialize)]
#[serde(untagged)]
enum Content {
    Model(Box<Service>),
    Plan(Box<Plan>),
    Json(Json),
}

/// Writes an answer as JSON. Models are written without a copy as a JSON value, which would take as much time as the
/// rest of a small request.
fn written(outcome: &Outcome, result: Option<&(&str, Option<Content>)>) -> serde_json::Result<String> {
    let mut text = Vec::new();
    let mut serializer = serde_json::Serializer::new(&mut text);
    let mut answer = serializer.serialize_map(None)?;
    answer.serialize_entry("valid", &outcome.is_valid())?;
    answer.serialize_entry("problems", &Document::new(&outcome.diagnostics, &outcome.sources))?;
    if let Some((name, content)) = result {
        answer.serialize_entry(name, content)?;
    }
    answer.end()?;
    String::from_utf8(text).map_err(serde_json::Error::custom)
}

/// Replaces the addresses of files, which are of no use to the client, with their names.
fn with_names(answer: &str, prefix: &str) -> String {
    let mut parts = answer.split(prefix);
    let mut named = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|char: char| !char.is_ascii_alphanumeric() && !"%-._~!$&'()*+,;=@/".contains(char));
        let (name, rest) = part.split_at(end.unwrap_or(part.len()));
        // A name that would have to be escaped, in JSON or in a page within it, stays encoded.
        let decoded = percent_decode_str(name).decode_utf8().ok();
        let decoded = decoded.filter(|name| !name.chars().any(|char| char.is_control() || "\"\\<>&'".contains(char)));
        named.push_str(decoded.as_deref().unwrap_or(name));
        named.push_str(rest);
    }
    named
}

/// The files of one request, which are removed at the end.
struct Folder<'a> {
    files: &'a MemoryProvider,
    /// The address of the folder. It can't be guessed, so that other requests can't import the files.
    prefix: String,
    addresses: RefCell<Vec<Address>>,
}

impl<'a> Folder<'a> {
    fn new(files: &'a MemoryProvider) -> Self {
        let random = || RandomState::new().hash_one(0);
        let prefix = format!("memory:/{:016x}{:016x}/", random(), random());
        Self { files, prefix, addresses: RefCell::default() }
    }

    fn write(&self, name: &str, text: Vec<u8>) -> Result<Address, String> {
        let address = Address::parse(&format!("{}{name}", self.prefix)).map_err(|error| error.to_string())?;
        self.files.insert(address.clone(), text);
        self.addresses.borrow_mut().push(address.clone());
        Ok(address)
    }
}

impl Drop for Folder<'_> {
    fn drop(&mut self) {
        for address in self.addresses.get_mut() {
            self.files.remove(address);
        }
    }
}

/// Returns the model of a valid template; `None` if there is none.
fn model(outcome: &mut Outcome, parameters: &Parameters, options: Options<'_>) -> Option<Content> {
    if !outcome.is_valid() {
        return None;
    }
    if let Some(model) = outcome.program.language().and_then(|language| (language.model)(&outcome.program)) {
        return serde_json::to_value(model.ok()?).ok().map(Content::Json);
    }
    let options = Options { positions: parameters.positions, ..options };
    let service =
        if parameters.evaluate { evaluated(outcome, options)? } else { Service::with(&outcome.program, options)? };
    Some(Content::Model(Box::new(service.masked(&outcome.program.secrets()))))
}

/// Returns the model with evaluated functions. The problems of the evaluation are added to the outcome.
fn evaluated(outcome: &mut Outcome, options: Options<'_>) -> Option<Service> {
    let (service, problems) = Service::evaluated(&outcome.program, options)?;
    outcome.diagnostics.extend(problems);
    Some(service)
}

/// Returns a diagram, even of an invalid template; `None` if there is no topology.
///
/// # Errors
///
/// Returns an error if the topology is too large for the format.
fn graph(outcome: &Outcome, format: Format) -> Result<Option<Json>, String> {
    let Some(subject) = Subject::of(&outcome.program) else { return Ok(None) };
    let graph = Graph::of(&subject, GraphOptions::default()).masked(&outcome.program.secrets());
    let text = graph.written(format).map_err(|error| format!("{error}; use a different `format`"))?;
    Ok(Some(text.into()))
}

/// Returns the plan of a valid template; `None` if there is nothing to deploy.
fn plan(outcome: &mut Outcome, options: Options<'_>) -> Option<Plan> {
    if !outcome.is_valid() {
        return None;
    }
    let (plan, problems) = Plan::of(&outcome.program, options)?;
    outcome.diagnostics.extend(problems);
    Some(plan)
}

/// Returns the JSON Schema of the inputs and an HTML page with a form; `None` if there is no service.
fn form(outcome: &Outcome) -> Option<Json> {
    let form = form::of_entry(&outcome.program)?;
    Some(json!({ "page": form.page(), "schema": form.schema }))
}

/// Returns the changed files by name. Features without a counterpart in the later version become problems.
fn migrated(outcome: &mut Outcome, folder: &Folder<'_>, to: Option<&str>) -> Result<Option<Json>, String> {
    let Some(language) = outcome.program.language() else { return Ok(None) };
    let version = to.map_or_else(|| language.latest_version(), |to| language.version_of(to));
    let (Some(migrate), Some(version)) = (language.migrate, version) else {
        return Err(match to {
            Some(to) => format!("{} files can't be migrated to version `{to}`", language.name),
            None => format!("{} files can't be migrated", language.name),
        });
    };
    if !outcome.is_valid() {
        return Ok(None);
    }
    let migration = migrate(&[&outcome.program], version).pop().unwrap_or_default();
    let mut files = JsonMap::new();
    for source in outcome.sources.iter() {
        let edits: Vec<&Edit> = migration.edits.iter().filter(|edit| edit.span.source == source.id()).collect();
        if source.name().starts_with(&folder.prefix) && !edits.is_empty() {
            files.insert(source.name().to_owned(), apply(source.text(), edits).into());
        }
    }
    let problems: Vec<Diagnostic> = migration.problems;
    outcome.diagnostics.extend(problems);
    Ok(Some(Json::Object(files)))
}
