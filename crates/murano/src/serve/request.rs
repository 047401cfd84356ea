//! Parses the path and query of a request.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::Answer;
use crate::name::TypeName;
use crate::version::Requirement;

/// The resources of the service.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Route {
    /// Whether the service runs.
    Health,
    /// The description of the service.
    OpenApi,
    /// Answers that depend on the packages.
    Packages(SchemaRequest),
}

/// A question that depends on the packages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum SchemaRequest {
    /// The classes that have schemas.
    List,
    /// Schemas of a class.
    Schemas(Request),
}

impl Route {
    pub(super) fn parse(path: &str, query: &str) -> Result<Self, Answer> {
        match path {
            "/healthz" => Ok(Self::Health),
            "/openapi.json" => Ok(Self::OpenApi),
            "/schemas" => Ok(Self::Packages(SchemaRequest::List)),
            _ => Request::parse(path, query).map(SchemaRequest::Schemas).map(Self::Packages),
        }
    }
}

impl SchemaRequest {
    /// Returns the estimated size, in bytes.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::List => size_of::<Self>(),
            Self::Schemas(request) => request.length(),
        }
    }
}

/// A request for schemas.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Request {
    pub(super) class: String,
    pub(super) version: Option<String>,
    pub(super) package: Option<String>,
    /// The methods; none for the class and all of its builders.
    pub(super) methods: Vec<String>,
}

impl Request {
    /// Reads `/schemas/{class}` or `/schemas/{class}/{methods}`, where methods are separated by commas.
    pub(super) fn parse(path: &str, query: &str) -> Result<Self, Answer> {
        let nothing = || Answer::error(404, "no such resource; request `/schemas/{class}`");
        let rest = path.strip_prefix("/schemas/").ok_or_else(nothing)?;
        let segments: Vec<Cow<'_, str>> = rest.split('/').map(decoded).collect::<Result<_, _>>()?;
        let (class, methods) = match &segments[..] {
            [class] => (class, None),
            [class, methods] => (class, Some(methods)),
            _ => return Err(nothing()),
        };
        let invalid = || Answer::error(400, format!("`{class}` is not a valid class name"));
        if TypeName::parse(class).is_none_or(|name| name.name != **class) {
            return Err(invalid());
        }
        // The empty name stands for the class itself.
        let methods =
            methods.into_iter().flat_map(|names| names.split(',')).map(|name| name.trim().to_owned()).collect();
        let mut request = Self { class: class.to_string(), version: None, package: None, methods };
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "classVersion" => request.version = Some(value.into_owned()),
                "packageName" => request.package = Some(value.into_owned()),
                _ => {}
            }
        }
        request.check()
    }

    /// Checks the values of a request; empty ones count as missing.
    fn check(mut self) -> Result<Self, Answer> {
        self.version = self.version.filter(|version| !version.trim().is_empty());
        self.package = self.package.filter(|package| !package.is_empty());
        if let Some(version) = &self.version
            && Requirement::parse(version).is_err()
        {
            return Err(Answer::error(400, format!("`{version}` is not a version requirement")));
        }
        if let Some(package) = &self.package
            && TypeName::parse(package).is_none_or(|name| name.name != *package)
        {
            return Err(Answer::error(400, format!("`{package}` is not a valid package name")));
        }
        Ok(self)
    }

    /// Returns the estimated size, in bytes.
    pub(super) fn length(&self) -> usize {
        const PARTS: usize = 128;
        let methods: usize = self.methods.iter().map(|method| method.len() + size_of::<String>()).sum();
        let options = [&self.version, &self.package].into_iter().flatten().map(String::len).sum::<usize>();
        PARTS + self.class.len() + options + methods
    }
}

fn decoded(segment: &str) -> Result<Cow<'_, str>, Answer> {
    percent_decode_str(segment).decode_utf8().map_err(|_| Answer::error(400, "the path is not valid UTF-8"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn status(path: &str, query: &str) -> u16 {
        Request::parse(path, query).unwrap_err().status
    }

    #[test]
    fn paths_name_classes_and_methods() {
        let request = Request::parse("/schemas/t.A/one,%20two", "classVersion=%3D0&packageName=a.b&x=1").unwrap();
        assert_eq!((&*request.class, &request.methods[..]), ("t.A", &["one".to_owned(), "two".to_owned()][..]));
        assert_eq!((request.version.as_deref(), request.package.as_deref()), (Some("=0"), Some("a.b")));
        for (path, methods) in [("/schemas/t.A/", &[""][..]), ("/schemas/t.A/,b", &["", "b"]), ("/schemas/t.A", &[])] {
            assert_eq!(Request::parse(path, "").unwrap().methods, methods, "{path}");
        }
        let request = Request::parse("/schemas/t%2eA", "classVersion=&packageName=").unwrap();
        assert_eq!(request, Request { class: "t.A".into(), version: None, package: None, methods: Vec::new() });
    }

    #[test]
    fn malformed_requests_are_refused() {
        for path in ["/", "/schemas", "/schema/x", "/schemas/a/b/c"] {
            assert_eq!(status(path, ""), 404, "{path}");
        }
        for path in ["/schemas/", "/schemas/a%20b", "/schemas/a@b", "/schemas/a%2Fb", "/schemas/%ff"] {
            assert_eq!(status(path, ""), 400, "{path}");
        }
        assert_eq!(status("/schemas/a", "classVersion=new"), 400);
        assert_eq!(status("/schemas/a", "packageName=a/b"), 400);
    }
}
