//! What classes consist of: properties, methods, and arguments of these.

use tosca_parse::Entity;
use tosca_parse::ard::Node;
use tosca_parse::entity::{Given, Local, Scalar, Sequence};
use tosca_parse::phase::read::Reader;
use tosca_parse::symbol::Symbol;
use tosca_parse_yaql::{Expr, Kind};

use super::attachment::Attachments;
use super::code::{Code, each_expression};
use super::{CLASSES, check, rules};
use crate::class::{ArgumentUsage, MethodUsage, PropertyUsage};

/// What objects of a class have.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "property", after_inheritance = check::property)]
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
#[entity(title = "method", after_read = check_method, after_inheritance = check::method)]
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
#[entity(title = "argument", after_inheritance = check::argument)]
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

fn check_method(method: &Method, reader: &mut Reader<'_>, id: Local) {
    let name = reader.header(id).map_or("", |header| reader.interner().text(header.name)).to_owned();
    if let (Some(usage), Some(scope)) = (method.usage, method.scope)
        && (usage.value, scope.value) == (MethodUsage::Action, Scope::Session)
    {
        let node = reader.document().node(scope.position.node);
        let message = format!("method `{name}` is an action, which users call, but has the scope `Session`");
        reader
            .problem(&rules::INVALID_DECLARATION, node, message)
            .related_node(usage.position.node, "it is an action")
            .help("leave one of them out");
    }
    let mut last = ArgumentUsage::Standard;
    for (argument, id) in &method.arguments.items {
        let usage = reader.entity_of(*id).and_then(|argument| argument.usage).map(|usage| usage.value);
        let usage = usage.unwrap_or(ArgumentUsage::Standard);
        if rank(usage) < rank(last) || usage == last && usage != ArgumentUsage::Standard {
            let argument = reader.interner().text(*argument).to_owned();
            let Some(key) = reader.header(id.any().local()).map(|header| header.key) else { continue };
            let node = reader.document().node(key);
            let message =
                format!("argument `{argument}` of method `{name}` stands after one that takes all that are left");
            reader
                .problem(&rules::INVALID_DECLARATION, node, message)
                .help("write single arguments first, then one `VarArgs`, then one `KwArgs`");
        }
        last = usage;
    }
}

fn rank(usage: ArgumentUsage) -> u8 {
    match usage {
        ArgumentUsage::Standard => 0,
        ArgumentUsage::VarArgs => 1,
        ArgumentUsage::KwArgs => 2,
    }
}
