//! Names of types and their namespaces.

use indexmap::IndexMap;
use tosca_parse_yaql::{Error, ErrorKind, Result};

use crate::error::value_error;

/// The namespaces of a class, by prefix. The key `=` is for names without a prefix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Namespaces(IndexMap<String, String>);

impl Namespaces {
    /// Creates namespaces from prefixes and their meanings.
    ///
    /// # Errors
    ///
    /// Returns a value error for an invalid prefix or namespace.
    pub fn new(entries: impl IntoIterator<Item = (String, String)>) -> Result<Self> {
        let mut namespaces = IndexMap::new();
        for (prefix, namespace) in entries {
            if prefix != "=" && !is_identifier(&prefix) {
                return Err(value_error(format!("Invalid namespace prefix \"{prefix}\"")));
            }
            if !namespace.is_empty() && !is_dotted(&namespace) {
                return Err(value_error(format!("Invalid namespace \"{namespace}\"")));
            }
            namespaces.insert(prefix, namespace);
        }
        Ok(Self(namespaces))
    }

    /// Returns the qualified name of a type.
    ///
    /// # Errors
    ///
    /// Returns a value error for a malformed type name, and a key error for unknown prefixes.
    pub fn resolve(&self, name: &str) -> Result<String> {
        resolve(name, |prefix| self.0.get(prefix).map(String::as_str))
    }
}

/// Returns the qualified name of a type, where prefixes stand for namespaces.
///
/// # Errors
///
/// Returns a value error for a malformed type name, and a key error for unknown prefixes.
pub(crate) fn resolve<'n>(name: &str, namespace: impl Fn(&str) -> Option<&'n str>) -> Result<String> {
    let (prefix, local) = match name.split_once(':') {
        Some((prefix, local)) => (Some(prefix), local),
        None => (None, name),
    };
    if !is_dotted(local) || prefix.is_some_and(|prefix| !prefix.is_empty() && !is_identifier(prefix)) {
        return Err(value_error(format!("Invalid type name \"{name}\"")));
    }
    match prefix {
        None if local.contains('.') => Ok(local.to_owned()),
        None | Some("") => Ok(join(namespace("=").unwrap_or_default(), local)),
        Some(prefix) => match namespace(prefix) {
            Some(namespace) => Ok(join(namespace, local)),
            None => Err(Error::new(ErrorKind::Key, format!("'Unknown namespace prefix {prefix}'"))),
        },
    }
}

fn join(namespace: &str, name: &str) -> String {
    if namespace.is_empty() { name.to_owned() } else { format!("{namespace}.{name}") }
}

fn is_identifier(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|character| character.is_alphanumeric() || character == '_')
}

fn is_dotted(text: &str) -> bool {
    text.split('.').all(is_identifier)
}

/// The type in the header of an object: `name[/version][@package]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeName {
    /// The name of the class.
    pub name: String,
    /// The accepted versions.
    pub version: Option<String>,
    /// The package to look in.
    pub package: Option<String>,
}

impl TypeName {
    /// Returns whether a key can be the type of an object of the form `{type: {…}, id: …}`: it has a prefix.
    pub(crate) fn is_prefixed(key: &str) -> bool {
        key.contains(':') && Self::parse(key).is_some_and(|ty| !ty.name.ends_with(':'))
    }

    /// Parses the type in a header; `None` if the text is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let (rest, package) = match text.split_once('@') {
            Some((rest, package)) => (rest, Some(package)),
            None => (text, None),
        };
        let (name, version) = match rest.split_once('/') {
            Some((name, version)) => (name, Some(version)),
            None => (rest, None),
        };
        let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "._:".contains(c));
        let well_formed =
            is_name(name) && version.is_none_or(|version| !version.trim().is_empty()) && package.is_none_or(is_name);
        let owned = |text: &str| text.to_owned();
        well_formed.then(|| Self { name: owned(name), version: version.map(owned), package: package.map(owned) })
    }
}
