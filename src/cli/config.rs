//! What a user has set up once for all runs: a file in the configuration folder.
//!
//! A library user gives paths to the builder of a parser; only the command reads this. What arguments say comes before
//! what the file says.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};

use super::args::Access;
use super::limits::{Bounds, Limit};
use super::places;
#[cfg(feature = "http")]
use crate::source::HttpOptions;

/// What the arguments and the file say together.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// Where profiles are looked for after the places that arguments name.
    pub(super) profile_paths: Vec<PathBuf>,
    /// Prefixes of URLs, and the folders that are read instead.
    pub(super) map_url: Vec<(String, PathBuf)>,
    pub(super) bounds: Bounds,
}

impl Settings {
    /// The settings of a run.
    ///
    /// # Errors
    ///
    /// The file can't be read, or is not as it must be: one line for the user.
    pub(super) fn of(access: &Access) -> Result<Self, String> {
        let mut settings = Self::default();
        let path = match &access.config {
            _ if access.no_config => None,
            Some(path) => Some(path.clone()),
            None => places::config().map(|folder| folder.join("config.yaml")),
        };
        settings.map_url.clone_from(&access.map_url);
        if let Some(path) = path {
            match std::fs::read_to_string(&path) {
                Ok(text) => settings.add(&path, &text)?,
                Err(error) if error.kind() == ErrorKind::NotFound && access.config.is_none() => {}
                Err(error) => return Err(format!("can't read the configuration `{}`: {error}", path.display())),
            }
        }
        settings.bounds.set(&access.limit);
        Ok(settings)
    }

    /// How the network is to be used.
    #[cfg(feature = "http")]
    pub(super) fn http(&self, access: &Access) -> HttpOptions {
        let cache = if access.no_cache { None } else { places::cache() };
        HttpOptions { cache: cache.map(|cache| cache.join("http")), ..self.bounds.http.clone() }
    }

    fn add(&mut self, path: &Path, text: &str) -> Result<(), String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // Of a file with nothing but comments nothing is made.
        let file: Option<File> = serde_yaml::from_str(text).map_err(|error| complaint(path, &error))?;
        let file = file.unwrap_or_default();
        let folder = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = folder.parent().unwrap_or(Path::new("/"));
        let place = |path: &PathBuf| match (path.strip_prefix("~"), places::home()) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => folder.join(path),
        };
        self.profile_paths.extend(file.profile_paths.iter().flatten().map(place));
        self.map_url.extend(file.map_url.iter().flat_map(|map| &map.0).map(|(url, path)| (url.clone(), place(path))));
        self.bounds.set(file.limits.iter().flat_map(|limits| &limits.0));
        Ok(())
    }
}

/// What is wrong with the file, and where.
fn complaint(path: &Path, error: &serde_yaml::Error) -> String {
    let text = error.to_string();
    // The place stands at the beginning, as compilers and editors have it.
    let message = text.rfind(" at line ").map_or(&*text, |end| &text[..end]).replace("unknown field", "unknown key");
    match error.location() {
        Some(place) => format!("{}:{}:{}: {message}", path.display(), place.line(), place.column()),
        None => format!("{}: {message}", path.display()),
    }
}

/// The file.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    profile_paths: Option<Vec<PathBuf>>,
    map_url: Option<Mappings>,
    limits: Option<Limits>,
}

#[derive(Debug)]
struct Mappings(IndexMap<String, PathBuf>);

#[derive(Debug)]
struct Limits(Vec<Limit>);

/// A value that may be written with or without quotes.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Word {
    Number(u64),
    Text(String),
}

impl<'de> Deserialize<'de> for Mappings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |url: &str, folder: &str| {
            if !url.contains("://") {
                return Err(format!("`{url}` is not the beginning of a URL"));
            }
            Ok((url.to_owned(), PathBuf::from(folder)))
        };
        let list = deserializer.deserialize_map(Pairs { what: "a map of URLs to folders", read })?;
        Ok(Self(list.into_iter().collect()))
    }
}

impl<'de> Deserialize<'de> for Limits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pairs = Pairs { what: "a map of limits to values", read: Limit::of };
        deserializer.deserialize_map(pairs).map(Self)
    }
}

/// Reads the pairs of a map one by one, so that what is wrong with one is told with its place.
struct Pairs<F> {
    what: &'static str,
    read: F,
}

impl<'de, T, F: FnMut(&str, &str) -> Result<T, String>> Visitor<'de> for Pairs<F> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, Word>()? {
            let value = match value {
                Word::Number(number) => number.to_string(),
                Word::Text(text) => text,
            };
            list.push((self.read)(&name, &value).map_err(de::Error::custom)?);
        }
        Ok(list)
    }
}
