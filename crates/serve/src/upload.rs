//! The files of a request, from its body.

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest as _, Multipart, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;

use crate::routes::Failure;

/// The maximum number of files in a request.
const FILES: usize = 1000;

/// The maximum length of the name of a file, in characters.
pub(crate) const MAX_NAME: usize = 1000;

/// The name of a text whose request does not name it.
const NAME: &str = "service.yaml";

/// The files of a request.
#[derive(Debug, Default)]
pub(crate) struct Upload {
    /// The names of the files, with slashes between folders, and their contents. The first one is the entry.
    pub(crate) files: Vec<(String, Bytes)>,
    /// Values for the inputs of the service, as YAML or JSON.
    pub(crate) inputs: Option<Bytes>,
    /// After deployment, the values of attributes by node and name, as JSON.
    pub(crate) attributes: Option<Bytes>,
}

impl Upload {
    /// Reads the files from a body: a form with several parts, an archive, or else a text.
    pub(crate) async fn read(content_type: Option<&str>, name: Option<String>, body: Bytes) -> Result<Self, Failure> {
        let name = name.as_deref().map(checked).transpose()?;
        let (kind, _) =
            content_type.unwrap_or_default().split_once(';').unwrap_or((content_type.unwrap_or_default(), ""));
        if kind.trim().eq_ignore_ascii_case("multipart/form-data") {
            return Self::of_parts(content_type.unwrap_or_default(), body).await;
        }
        let default = if body.starts_with(b"PK\x03\x04") { "service.csar" } else { NAME };
        Ok(Self { files: vec![(name.unwrap_or_else(|| default.to_owned()), body)], ..Self::default() })
    }

    /// Reads the parts of a form: the part `entry` or else the first file is the entry, the parts `inputs`
    /// and `attributes` contain values, and all other parts are files.
    async fn of_parts(content_type: &str, body: Bytes) -> Result<Self, Failure> {
        let malformed = |error: &dyn std::fmt::Display| Failure::new(StatusCode::BAD_REQUEST, error);
        let request = Request::builder().header(CONTENT_TYPE, content_type).body(Body::from(body));
        let mut request = request.map_err(|error| malformed(&error))?;
        // The length of the body has been checked.
        DefaultBodyLimit::disable().apply(&mut request);
        let mut parts = Multipart::from_request(request, &()).await.map_err(|error| malformed(&error))?;
        let mut upload = Self::default();
        while let Some(part) = parts.next_field().await.map_err(|error| malformed(&error.body_text()))? {
            let (field, file) = (part.name().unwrap_or_default().to_owned(), part.file_name().map(str::to_owned));
            let bytes = part.bytes().await.map_err(|error| malformed(&error.body_text()))?;
            let values = match &*field {
                "inputs" => Some(&mut upload.inputs),
                "attributes" => Some(&mut upload.attributes),
                _ => None,
            };
            if let Some(values) = values {
                *values = Some(bytes);
                continue;
            }
            let name = checked(&file.unwrap_or_else(|| field.clone()))?;
            if upload.files.iter().any(|(known, _)| *known == name) {
                return Err(malformed(&format!("there are two files with the name `{name}`")));
            }
            if upload.files.len() == FILES {
                return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, format!("there are more than {FILES} files")));
            }
            let place = if field == "entry" { 0 } else { upload.files.len() };
            upload.files.insert(place, (name, bytes));
        }
        if upload.files.is_empty() {
            return Err(malformed(&"the form contains no file"));
        }
        Ok(upload)
    }
}

/// Returns the name of a file, if it is the path of a file below the folder of the request.
fn checked(name: &str) -> Result<String, Failure> {
    let is_valid = |part: &str| {
        !matches!(part, "" | "." | "..") && !part.chars().any(|char| char.is_control() || "\\:?#%\"".contains(char))
    };
    if name.chars().count() <= MAX_NAME && name.split('/').all(is_valid) {
        return Ok(name.to_owned());
    }
    Err(Failure::new(StatusCode::BAD_REQUEST, "the name of a file must be a relative path without `..`"))
}
