//! How functions are called.

use std::sync::Arc;

use crate::context::Context;
use crate::integer::Integer;
use crate::value::{Value, View};

/// The signature of a function.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its name.
    pub name: Arc<str>,
    /// Whether it is called as a function, a method, or both.
    pub shape: Shape,
    /// Its parameters by position.
    pub parameters: Vec<Parameter>,
    /// The type of further arguments by position: `*name: Type`.
    pub rest: Option<Type>,
    /// The type of further arguments by name: `**name: Type`.
    pub named: Option<Type>,
}

/// The ways in which a function may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `f(x)`
    Function,
    /// `x.f()`
    Method,
    /// Both.
    Extension,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Arc<str>,
    /// The type of its arguments.
    pub ty: Type,
    /// Whether it accepts null too.
    pub nullable: bool,
    /// The default; `None` if an argument is required.
    pub default: Option<Default>,
}

/// The default of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Default {
    /// Nothing, which differs from null.
    Absent,
    /// `null`
    Null,
    /// `true` or `false`
    Boolean(bool),
    /// A whole number.
    Integer(Integer),
    /// A string.
    String(Arc<str>),
}

impl Default {
    pub(crate) fn value(&self) -> Option<Value> {
        Some(match self {
            Self::Absent => return None,
            Self::Null => Value::Null,
            Self::Boolean(truth) => Value::Boolean(*truth),
            Self::Integer(number) => Value::Integer(number.clone()),
            Self::String(text) => Value::String(text.clone()),
        })
    }
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Anything.
    Any,
    /// A string.
    String,
    /// A whole number or a boolean.
    Int,
    /// A whole number.
    Integer,
    /// A number, but not a boolean.
    Number,
    /// A boolean.
    Boolean,
    /// A collection, but not a dictionary or text.
    Iterable,
    /// A collection whose items are computed during iteration.
    Iterator,
    /// A list.
    Sequence,
    /// A dictionary.
    Dict,
    /// A set.
    Set,
    /// A regular expression.
    Pattern,
    /// A point in time.
    Timestamp,
    /// A length of time.
    Span,
    /// The result of `orderBy`.
    Ordering,
    /// A context.
    Context,
    /// An object of the host.
    Object,
    /// An expression, which is not evaluated beforehand.
    Lambda,
    /// `key => value`, with both sides unevaluated.
    Mapping,
}

impl Type {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "any" => Self::Any,
            "String" => Self::String,
            "int" => Self::Int,
            "Integer" => Self::Integer,
            "Number" => Self::Number,
            "bool" => Self::Boolean,
            "Iterable" => Self::Iterable,
            "Iterator" => Self::Iterator,
            "Sequence" => Self::Sequence,
            "dict" => Self::Dict,
            "set" => Self::Set,
            "Pattern" => Self::Pattern,
            "DateTime" => Self::Timestamp,
            "timedelta" => Self::Span,
            "OrderingIterable" => Self::Ordering,
            "Context" => Self::Context,
            "Object" => Self::Object,
            "Lambda" => Self::Lambda,
            "MappingRule" => Self::Mapping,
            _ => return None,
        })
    }

    /// Returns whether arguments are not evaluated beforehand.
    pub fn is_lazy(self) -> bool {
        matches!(self, Self::Lambda | Self::Mapping)
    }

    /// Returns whether the type accepts the value.
    pub fn accepts(self, value: &Value, context: &Context) -> bool {
        match self {
            Self::Any => true,
            Self::String => matches!(value, Value::String(_)),
            Self::Int => matches!(value, Value::Integer(_) | Value::Boolean(_)),
            Self::Integer => matches!(value, Value::Integer(_)),
            Self::Number => matches!(value, Value::Integer(_) | Value::Float(_)),
            Self::Boolean => matches!(value, Value::Boolean(_)),
            Self::Iterable => match value {
                Value::List(_) | Value::Set(_) | Value::View(..) | Value::Iterator(_) => true,
                Value::Dict(_) => context.is_legacy(),
                _ => false,
            },
            Self::Iterator => matches!(value, Value::Iterator(_)),
            Self::Sequence => matches!(value, Value::List(_)),
            Self::Dict => matches!(value, Value::Dict(_)),
            Self::Set => matches!(value, Value::Set(_) | Value::View(View::Keys | View::Items, _)),
            Self::Pattern => matches!(value, Value::Pattern(_)),
            Self::Timestamp => matches!(value, Value::Timestamp(_)),
            Self::Span => matches!(value, Value::Span(_)),
            Self::Ordering => matches!(value, Value::Iterator(items) if items.ordering.is_some()),
            Self::Context => matches!(value, Value::Context(_)),
            Self::Object => matches!(value, Value::Object(_)),
            Self::Lambda | Self::Mapping => false,
        }
    }

    /// Returns whether every value of the type also has the other type.
    pub(crate) fn is_within(self, other: Self) -> bool {
        self == other
            || other == Self::Any
            || matches!(
                (self, other),
                (Self::Sequence | Self::Iterator | Self::Set | Self::Ordering, Self::Iterable)
                    | (Self::Ordering, Self::Iterator)
                    | (Self::Integer, Self::Int | Self::Number)
                    | (Self::Boolean, Self::Int)
            )
    }
}

impl Parameter {
    pub(crate) fn accepts(&self, value: &Value, context: &Context) -> bool {
        (value.is_null() && self.nullable) || self.ty.accepts(value, context)
    }
}

impl Signature {
    /// Returns whether `key => value` is an ordinary argument rather than a named one.
    pub(crate) fn takes_mappings(&self) -> bool {
        self.rest == Some(Type::Mapping) || self.parameters.iter().any(|parameter| parameter.ty == Type::Mapping)
    }

    /// # Panics
    ///
    /// Panics if the signature is malformed: signatures are part of programs.
    pub(crate) fn parse(text: &str) -> Self {
        Self::try_parse(text).unwrap_or_else(|| panic!("`{text}` is not a signature"))
    }

    fn try_parse(text: &str) -> Option<Self> {
        let (shape, text) = match (text.strip_prefix('.'), text.strip_prefix('±')) {
            (Some(rest), _) => (Shape::Method, rest),
            (_, Some(rest)) => (Shape::Extension, rest),
            _ => (Shape::Function, text),
        };
        let (name, parameters) = text.strip_suffix(')')?.split_once('(')?;
        let mut signature = Self { name: name.into(), shape, parameters: Vec::new(), rest: None, named: None };
        for parameter in parameters.split(", ").filter(|parameter| !parameter.is_empty()) {
            let (name, rest) = parameter.split_once(": ")?;
            let (ty, default) = rest.split_once('=').map_or((rest, None), |(ty, default)| (ty, Some(default)));
            let (ty, nullable) = ty.strip_suffix('?').map_or((ty, false), |ty| (ty, true));
            let ty = Type::named(ty)?;
            if name.starts_with("**") {
                signature.named = Some(ty);
            } else if name.starts_with('*') {
                signature.rest = Some(ty);
            } else {
                let default = default.map(default_value);
                signature.parameters.push(Parameter { name: name.into(), ty, nullable, default });
            }
        }
        Some(signature)
    }
}

fn default_value(text: &str) -> Default {
    match text {
        "∅" => Default::Absent,
        "null" => Default::Null,
        "true" => Default::Boolean(true),
        "false" => Default::Boolean(false),
        _ => match Integer::parse(text) {
            Some(number) => Default::Integer(number),
            None => Default::String(text.trim_matches('"').into()),
        },
    }
}
