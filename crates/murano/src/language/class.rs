//! Class files and classes.

use tosca_parse::ard::{Kind as NodeKind, Node};
use tosca_parse::entity::{Children, Described as _, Located, Members, References, Scalar, Text};
use tosca_parse::phase::read::Reader;
use tosca_parse::{Entity, Enumerated};

use super::attachment::Attachments;
use super::member::{Method, Property};
use super::name::Prefixes;
use super::{CLASSES, rules};
use crate::class::ClassUsage;

/// A file with classes, each of which is a YAML document.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "file of classes")]
#[non_exhaustive]
pub struct ClassFile {
    /// The classes.
    #[field(short(list))]
    pub classes: Children<Class>,
}

/// A class: the properties and methods of objects, or metadata for declarations.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "class")]
#[non_exhaustive]
pub struct Class {
    /// The namespaces of names in this document and in those that follow.
    #[field(keyname = "Namespaces", early)]
    pub namespaces: Option<Located<Prefixes>>,
    /// The name of the class.
    #[field(keyname = "Name")]
    pub name: Option<Text>,
    /// The purpose of the class.
    #[field(keyname = "Usage", default = "Class")]
    pub usage: Option<Located<ClassUsage>>,
    /// The classes that it inherits properties and methods from; `io.murano.Object` if none are given.
    #[field(keyname = "Extends", parent, lookup(CLASSES), one_too)]
    pub extends: References<Class>,
    /// The classes whose extension methods it uses.
    #[field(keyname = "Import", lookup(CLASSES), one_too)]
    pub imports: References<Class>,
    /// The properties of its objects.
    #[field(keyname = "Properties", inherit = replace)]
    pub properties: Members<Property>,
    /// The methods of its objects.
    #[field(keyname("Methods"), keyname("Workflow"), inherit = replace)]
    pub methods: Members<Method>,
    /// The metadata that is attached to it.
    #[field(keyname = "Meta", lookup(CLASSES))]
    pub meta: Attachments,
    /// The number of times that a meta class can be attached to one declaration.
    #[field(keyname = "Cardinality", default = "One")]
    pub cardinality: Option<Located<Cardinality>>,
    /// The declarations that a meta class can be attached to.
    #[field(keyname = "Applies", default = "All")]
    pub applies: Option<Located<Targets>>,
    /// Whether descendants of a declaration inherit the meta class that is attached to it.
    #[field(keyname = "Inherited", default = "false")]
    pub inherited: Option<Located<bool>>,
}

impl Class {
    /// Returns whether the class is a meta class, which has no objects.
    pub fn is_meta(&self) -> bool {
        self.usage.is_some_and(|usage| usage.value == ClassUsage::Meta)
    }

    /// Returns whether the meta class can be attached several times to one declaration.
    pub fn is_many(&self) -> bool {
        self.cardinality.is_some_and(|cardinality| cardinality.value == Cardinality::Many)
    }

    /// Returns the kinds of declarations that the meta class can be attached to.
    pub fn targets(&self) -> Targets {
        self.applies.map_or(Targets::ALL, |applies| applies.value)
    }

    /// Returns whether descendants of a declaration inherit the meta class.
    pub fn is_handed_on(&self) -> bool {
        self.inherited.is_some_and(|inherited| inherited.value)
    }

    /// Returns whether the document declares a class: it may contain only namespaces for the documents that follow.
    pub fn is_declared(&self) -> bool {
        self.description()
            .fields
            .iter()
            .enumerate()
            .any(|(index, field)| field.ident != "namespaces" && self.field(index).is_set())
    }
}

/// The number of times that a meta class can be attached to one declaration.
#[derive(Enumerated, Clone, Copy, Debug, PartialEq, Eq)]
#[enumerated(title = "cardinality")]
#[non_exhaustive]
pub enum Cardinality {
    /// Once.
    #[value(name = "One")]
    One,
    /// Any number of times.
    #[value(name = "Many")]
    Many,
}

/// The declarations that a meta class can be attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Targets(u8);

impl Targets {
    /// The declarations that metadata applies to, in the words of the language.
    pub const NAMES: [&'static str; 5] = ["Package", "Type", "Property", "Method", "Argument"];

    /// Everything.
    pub const ALL: Self = Self(0b1_1111);

    /// Returns whether the given kind of declaration, one of the [`NAMES`](Self::NAMES), is among them.
    pub fn has(self, name: &str) -> bool {
        Self::of(name).is_some_and(|target| self.0 & target.0 != 0)
    }

    fn of(name: &str) -> Option<Self> {
        match Self::NAMES.iter().position(|known| *known == name) {
            Some(place) => Some(Self(1 << place)),
            None => (name == "All").then_some(Self::ALL),
        }
    }
}

impl Scalar for Targets {
    const WHAT: &'static str = "a list of kinds of declarations";

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        let nodes: Vec<Node<'_>> = if node.kind() == NodeKind::List { node.items().collect() } else { vec![node] };
        let mut targets = Self(0);
        for node in nodes {
            match Self::of(node.text()) {
                Some(target) => targets.0 |= target.0,
                None => {
                    let known = Self::NAMES.into_iter().chain(["All"]);
                    let help = reader.suggestions().help(node.text(), known, "it can be attached to");
                    let message = format!("nothing can be attached to `{}`", node.text());
                    let problem = reader.problem(&rules::INVALID_DECLARATION, node, message);
                    if let Some(help) = help {
                        problem.help(help);
                    }
                }
            }
        }
        Some(if targets.0 == 0 { Self::ALL } else { targets })
    }
}
