//! What classes consist of: properties, methods, and arguments of these.

use tosca_parse::Entity;
use tosca_parse::ard::Node;
use tosca_parse::entity::{Given, Scalar, Sequence};
use tosca_parse::phase::read::Reader;
use tosca_parse::symbol::Symbol;
use tosca_parse_yaql::{Expr, Kind};

use super::attachment::Attachments;
use super::code::{Code, each_expression};
use super::{CLASSES, rules};
use crate::class::{ArgumentUsage, MethodUsage, PropertyUsage};

/// What objects of a class have.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "property")]
pub struct Property {
    /// What its values are.
    #[field(keyname = "Contract", mandatory, lookup(CLASSES, optional))]
    pub contract: Code,
    /// Who may set it, and whether it is kept.
    #[field(keyname = "Usage", default = "In")]
    pub usage: Option<Given<PropertyUsage>>,
    /// Its value if none is given.
    #[field(keyname = "Default", lookup(CLASSES, optional))]
    pub default: Code,
    /// What is attached to it.
    #[field(keyname = "Meta", lookup(CLASSES))]
    pub meta: Attachments,
}

impl Property {
    /// Whether it belongs to the class rather than to its objects.
    pub fn is_static(&self) -> bool {
        self.usage.is_some_and(|usage| usage.value == PropertyUsage::Static)
    }

    /// Whether its contract takes objects, in whatever is around them.
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

/// What objects of a class do.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "method")]
pub struct Method {
    /// What it is called on.
    #[field(keyname = "Usage", default = "Runtime")]
    pub usage: Option<Given<MethodUsage>>,
    /// Who may call it.
    #[field(keyname = "Scope", default = "Session")]
    pub scope: Option<Given<Scope>>,
    /// What it is called with.
    #[field(keyname = "Arguments", sequenced, map_too)]
    pub arguments: Sequence<Argument>,
    /// Its statements.
    #[field(keyname = "Body", lookup(CLASSES, optional))]
    pub body: Code,
    /// What is attached to it.
    #[field(keyname = "Meta", lookup(CLASSES))]
    pub meta: Attachments,
}

/// What a method is called with.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "argument")]
pub struct Argument {
    /// What its values are.
    #[field(keyname = "Contract", mandatory, lookup(CLASSES, optional))]
    pub contract: Code,
    /// Whether it takes one value, or all that are left.
    #[field(keyname = "Usage", default = "Standard")]
    pub usage: Option<Given<ArgumentUsage>>,
    /// Its value if none is given.
    #[field(keyname = "Default", lookup(CLASSES, optional))]
    pub default: Code,
    /// What is attached to it.
    #[field(keyname = "Meta", lookup(CLASSES))]
    pub meta: Attachments,
}

/// Who may call a method. Words without a meaning are put up with, as if they were `Session`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Code.
    Session,
    /// Users, too.
    Public,
    /// A word without a meaning.
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
                    .problem(&rules::UNKNOWN_SCOPE, node, format!("`{other}` is no scope of a method"))
                    .help("write `Public` or `Session`");
                Self::Other(reader.interner().intern(other))
            }
        })
    }
}
