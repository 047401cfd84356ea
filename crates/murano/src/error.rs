//! Errors in packages and methods, in addition to those in expressions.

use std::rc::Rc;

use tosca_parse_yaql::{Error, ErrorKind, Value};

macro_rules! failures {
    ($($(#[$doc:meta])* $name:ident = $category:literal, $class:literal;)+) => {
        /// Kinds of problems.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $name,)+
        }

        impl Kind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// Returns the name of the kind.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $category,)+
                }
            }

            /// Returns the name by which `Catch` can handle the error.
            fn exception(self) -> &'static str {
                match self {
                    $(Self::$name => $class,)+
                }
            }
        }
    };
}

failures! {
    /// A malformed statement.
    MplSyntax = "MplSyntax", "murano.dsl.exceptions.DslSyntaxError";
    /// A declaration or statement with a part of the wrong kind.
    DslSyntax = "DslSyntax", "murano.dsl.exceptions.DslSyntaxError";
    /// An invalid contract.
    ContractSyntax = "ContractSyntax", "murano.dsl.exceptions.ContractSyntaxError";
    /// A file that is not valid YAML.
    Yaml = "Yaml", "yaml.error.YAMLError";
    /// An unknown class: neither the package nor a required one has it.
    NoClass = "NoClass", "murano.dsl.exceptions.NoClassFound";
    /// An unknown package or an unknown version of it.
    NoPackage = "NoPackage", "murano.dsl.exceptions.NoPackageFound";
    /// No package has the class.
    NoPackageForClass = "NoPackageForClass", "murano.dsl.exceptions.NoPackageForClassFound";
    /// A class has no such method.
    NoMethod = "NoMethod", "murano.dsl.exceptions.NoMethodFound";
    /// A class has no such property.
    NoProperty = "NoProperty", "murano.dsl.exceptions.NoPropertyFound";
    /// Several ancestors have the method, and none of them overrides the others.
    AmbiguousMethod = "AmbiguousMethod", "murano.dsl.exceptions.AmbiguousMethodName";
    /// Several ancestors have the property, and none of them overrides the others.
    AmbiguousProperty = "AmbiguousProperty", "murano.dsl.exceptions.AmbiguousPropertyNameError";
    /// Several classes of a file have no name.
    AmbiguousClass = "AmbiguousClass", "murano.dsl.exceptions.AmbiguousClassName";
    /// A value that a contract does not allow.
    ContractViolation = "ContractViolation", "murano.dsl.exceptions.ContractViolationException";
    /// A property that the code must not write at this point.
    NoWriteAccess = "NoWriteAccess", "murano.dsl.exceptions.NoWriteAccessError";
    /// A private property of a different class is read.
    PropertyRead = "PropertyRead", "murano.dsl.exceptions.PropertyReadError";
    /// A private property of a different class is written.
    PropertyWrite = "PropertyWrite", "murano.dsl.exceptions.PropertyWriteError";
    /// A property is read before it is written.
    UninitializedProperty = "UninitializedProperty", "murano.dsl.exceptions.UninitializedPropertyAccessError";
    /// A method that is not public is called from outside.
    MethodNotExposed = "MethodNotExposed", "murano.dsl.exceptions.MethodNotExposed";
    /// An unknown object id.
    NoObject = "NoObject", "murano.dsl.exceptions.NoObjectFoundError";
    /// Properties whose values depend on each other.
    CircularDependency = "CircularDependency", "murano.dsl.exceptions.CircularExpressionDependenciesError";
    /// An object is used after its destruction.
    ObjectDestroyed = "ObjectDestroyed", "murano.dsl.exceptions.ObjectDestroyedError";
    /// A class that extends a meta class.
    InvalidInheritance = "InvalidInheritance", "murano.dsl.exceptions.InvalidInheritanceError";
    /// `Break` or `Continue` outside of a loop.
    InvalidOperation = "InvalidOperation", "murano.dsl.exceptions.DslInvalidOperationError";
    /// A value is assigned to an invalid target.
    InvalidAssignmentTarget = "InvalidAssignmentTarget", "murano.dsl.exceptions.InvalidLhsTargetError";
    /// An exception that `Throw` threw.
    Thrown = "Thrown", "";
}

/// The payload of a host error in expressions.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its kind.
    pub kind: Kind,
    /// The position in a value where a contract is violated, such as `['ports'][0]`.
    pub path: String,
    /// Whether the message already names the property or argument that it is about.
    pub placed: bool,
    /// The thrown exception.
    pub thrown: Option<Thrown>,
}

/// An exception that `Throw` threw.
#[derive(Clone, Debug)]
pub struct Thrown {
    /// Its names, qualified.
    pub names: Vec<String>,
    /// The message, of any type.
    pub message: Value,
    /// Additional data.
    pub extra: Value,
    /// The exception that led to it.
    pub cause: Value,
}

/// Creates an error of the given kind.
pub(crate) fn fail(kind: Kind, message: impl Into<String>) -> Error {
    let failure = Failure { kind, path: String::new(), placed: false, thrown: None };
    Error::host(message, Rc::new(failure))
}

pub(crate) fn thrown(thrown: Thrown) -> Error {
    let message = thrown.message.to_python();
    let failure = Failure { kind: Kind::Thrown, path: String::new(), placed: true, thrown: Some(thrown) };
    Error::host(message, Rc::new(failure))
}

pub(crate) fn violation(message: impl Into<String>) -> Error {
    fail(Kind::ContractViolation, message)
}

pub(crate) fn value_error(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Value, message)
}

/// Returns the payload of an error from this crate.
pub fn failure(error: &Error) -> Option<&Failure> {
    error.payload()?.downcast_ref()
}

pub(crate) fn is(error: &Error, kind: Kind) -> bool {
    failure(error).is_some_and(|failure| failure.kind == kind)
}

/// Adds an enclosing step to the path of a contract violation.
pub(crate) fn within(error: Error, step: &str) -> Error {
    match failure(&error) {
        Some(failure) if failure.kind == Kind::ContractViolation && !failure.placed => {
            let path = format!("{step}{}", failure.path);
            let (message, failure) = (error.message().to_owned(), Failure { path, ..failure.clone() });
            error.retold(message, Rc::new(failure))
        }
        _ => error,
    }
}

/// Returns the steps of a path such as `['ports'][0]`: `'ports'` and `0`.
pub(crate) fn steps(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = path;
    std::iter::from_fn(move || {
        let inner = rest.strip_prefix('[')?;
        let quote = inner.chars().next().filter(|character| matches!(character, '\'' | '"'));
        let end = match quote {
            Some(quote) => inner.find(&format!("{quote}]"))? + 1,
            None => inner.find(']')?,
        };
        rest = &inner[end + 1..];
        Some(&inner[..end])
    })
}

/// Adds the position of the contract to a contract violation.
pub(crate) fn place(error: Error, open: &str, close: &str) -> Error {
    match failure(&error) {
        Some(failure) if failure.kind == Kind::ContractViolation && !failure.placed => {
            let message = format!("[{open}{}{close}] {}", failure.path, error.message());
            let failure = Failure { placed: true, ..failure.clone() };
            error.retold(message, Rc::new(failure))
        }
        _ => error,
    }
}

/// Returns the name of the error's kind, for errors from this crate and from expressions.
pub fn category(error: &Error) -> &'static str {
    match failure(error) {
        Some(failure) => failure.kind.as_str(),
        None => category_of(error.kind()),
    }
}

/// Returns the names of all kinds of errors, for errors from this crate and from expressions.
pub fn categories() -> impl Iterator<Item = &'static str> {
    let own = Kind::ALL.iter().map(|kind| kind.as_str());
    own.chain(ErrorKind::ALL.iter().map(|kind| category_of(*kind)))
}

fn category_of(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Lexical => "YaqlLexical",
        ErrorKind::Grammar => "YaqlGrammar",
        ErrorKind::NoFunction => "YaqlNoFunction",
        ErrorKind::NoMethod => "YaqlNoMethod",
        ErrorKind::NoMatchingFunction => "YaqlNoMatchingFunction",
        ErrorKind::NoMatchingMethod => "YaqlNoMatchingMethod",
        ErrorKind::AmbiguousFunction => "YaqlAmbiguousFunction",
        ErrorKind::AmbiguousMethod => "YaqlAmbiguousMethod",
        ErrorKind::MappingTranslation => "YaqlMappingTranslation",
        ErrorKind::CollectionTooLarge => "YaqlCollectionTooLarge",
        ErrorKind::MemoryQuota => "YaqlMemoryQuota",
        ErrorKind::Steps => "Steps",
        ErrorKind::Bytes => "Bytes",
        ErrorKind::Time => "Time",
        ErrorKind::Depth => "Depth",
        ErrorKind::Value => "Value",
        ErrorKind::Type => "Type",
        ErrorKind::Key => "Key",
        ErrorKind::Index => "Index",
        ErrorKind::ZeroDivision => "ZeroDivision",
        ErrorKind::Attribute => "Attribute",
        ErrorKind::Regex => "Regex",
        ErrorKind::EmptyCollection => "EmptyCollection",
        ErrorKind::Assertion => "Assertion",
        _ => "Runtime",
    }
}

/// Returns the names by which `Catch` finds an error. A reached limit can't be caught.
pub(crate) fn exception_names(error: &Error) -> Vec<String> {
    let name = match error.kind() {
        ErrorKind::Host => {
            let Some(failure) = failure(error) else { return Vec::new() };
            if let Some(thrown) = &failure.thrown {
                return thrown.names.clone();
            }
            failure.kind.exception()
        }
        ErrorKind::Steps | ErrorKind::Bytes | ErrorKind::Time | ErrorKind::Depth => return Vec::new(),
        ErrorKind::Lexical => "yaql.language.exceptions.YaqlLexicalException",
        ErrorKind::Grammar => "yaql.language.exceptions.YaqlGrammarException",
        ErrorKind::NoFunction => "yaql.language.exceptions.NoFunctionRegisteredException",
        ErrorKind::NoMethod => "yaql.language.exceptions.NoMethodRegisteredException",
        ErrorKind::NoMatchingFunction => "yaql.language.exceptions.NoMatchingFunctionException",
        ErrorKind::NoMatchingMethod => "yaql.language.exceptions.NoMatchingMethodException",
        ErrorKind::AmbiguousFunction => "yaql.language.exceptions.AmbiguousFunctionException",
        ErrorKind::AmbiguousMethod => "yaql.language.exceptions.AmbiguousMethodException",
        ErrorKind::MappingTranslation => "yaql.language.exceptions.MappingTranslationException",
        ErrorKind::CollectionTooLarge => "yaql.language.exceptions.CollectionTooLargeException",
        ErrorKind::MemoryQuota => "yaql.language.exceptions.MemoryQuotaExceededException",
        ErrorKind::Type => "TypeError",
        ErrorKind::Key => "KeyError",
        ErrorKind::Index => "IndexError",
        ErrorKind::ZeroDivision => "ZeroDivisionError",
        ErrorKind::Attribute => "AttributeError",
        ErrorKind::Regex => "re.error",
        ErrorKind::EmptyCollection => "StopIteration",
        ErrorKind::Assertion => "AssertionError",
        ErrorKind::Value => "ValueError",
        _ => "RuntimeError",
    };
    vec![name.to_owned()]
}
