//! Members of classes: properties, methods, and their arguments.

use tosca_parse::Entity;
use tosca_parse::ard::Node;
use tosca_parse::entity::{Located, Scalar, Sequence};
use tosca_parse::phase::read::Reader;
use tosca_parse::symbol::Symbol;
use tosca_parse_yaql::{Expr, Kind};

use super::attachment::Attachments;
use super::code::{Code, each_expression};
use super::{CLASSES, rules};
use crate::class::{ArgumentUsage, MethodUsage, PropertyUsage};

/// A property of the objects of a class.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "property")]
#[non_exhaustive]
pub struct Property {
    /// The contract of its values.
    #[field(keyname = "Contract", mandatory, lookup(CLASSES, optional))]
    pub contract: Code,
    /// The code that may set it and whether it is saved.
    #[field(keyname = "Usage", default = "In")]
    pub usage: Option<Located<PropertyUsage>>,
    /// The default.
    #[field(keyname = "Default", lookup(CLASSES, optional))]
    pub default: Code,
    /// The metadata that is attached to it.
    #[field(keyname = "Meta", lookup(CLASSES))]
    pub meta: Attachments,
}

impl Property {
    /// Returns whether the property belongs to the class rather than to its objects.
    pub fn is_static(&self) -> bool {
        self.usage.is_some_and(|usage| usage.value == PropertyUsage::Static)
    }

    /// Returns whether the property takes its value from the data of an object.
    pub fn is_input(&self) -> bool {
        let is_other = |usage| matches!(usage, PropertyUsage::Runtime | PropertyUsage::Config | PropertyUsage::Static);
        !self.usage.is_some_and(|usage| is_other(usage.value))
    }

    /// Returns whether the contract of the property accepts objects, at any depth.
    pub fn takes_objects(&self) -> bool {
        fn has_class(expr: &Expr) -> bool {
            matches!(&expr.kind, Kind::Method { name, .. } if &**name == "class")
                || expr.children().into_iter().any(has_class)
        }
        let mut takes = false;
        if let Some(contract) = self.contract.template() {
            each_expression(contract, &mut |_, expression| takes |= has_class(expression.root()));
        }
        takes
    }
}

/// A method of the objects of a class.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "method")]
#[non_exhaustive]
pub struct Method {
    /// The receiver: an object, a type, or any value.
    #[field(keyname = "Usage", default = "Runtime")]
    pub usage: Option<Located<MethodUsage>>,
    /// The callers that are allowed to call the method.
    #[field(keyname = "Scope", default = "Session")]
    pub scope: Option<Located<Scope>>,
    /// The arguments.
    #[field(keyname = "Arguments", sequenced, map_too)]
    pub arguments: Sequence<Argument>,
    /// Its statements.
    #[field(keyname = "Body", lookup(CLASSES, optional))]
    pub body: Code,
    /// The metadata that is attached to it.
    #[field(keyname = "Meta", lookup(CLASSES))]
    pub meta: Attachments,
}

/// An argument of a method.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "argument")]
#[non_exhaustive]
pub struct Argument {
    /// The contract of its values.
    #[field(keyname = "Contract", mandatory, lookup(CLASSES, optional))]
    pub contract: Code,
    /// Whether it takes one value or all remaining ones.
    #[field(keyname = "Usage", default = "Standard")]
    pub usage: Option<Located<ArgumentUsage>>,
    /// The default.
    #[field(keyname = "Default", lookup(CLASSES, optional))]
    pub default: Code,
    /// The metadata that is attached to it.
    #[field(keyname = "Meta", lookup(CLASSES))]
    pub meta: Attachments,
}

/// The callers of a method. Unknown scopes are read as `Session`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Only code can call the method.
    Session,
    /// Code and users can call the method.
    Public,
    /// An unknown scope.
    Other(Symbol),
}

impl Scalar for Scope {
    const WHAT: &'static str = "a scope";

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        Some(match node.text() {
            "Public" => Self::Public,
            "Session" => Self::Session,
            other => {
                reader
                    .problem(&rules::UNKNOWN_SCOPE, node, format!("unknown method scope `{other}`"))
                    .help("write `Public` or `Session`");
                Self::Other(reader.interner().intern(other))
            }
        })
    }
}
