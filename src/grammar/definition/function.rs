//! Definitions of functions (2.0, 10.4).

use std::ops::Deref;

use super::{Implementation, SchemaDefinition};
use crate::Entity;
use crate::ard::{Kind, Node};
use crate::entity::{
    AnyId, Child, Children, Field, FieldDescription, Form, Id, List, Located, NodeRef, Shape, Shaped, Text, downcast,
};
use crate::grammar::Metadata;
use crate::phase::read::Reader;

/// A function that values can call.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "function definition", spec = "10.4")]
#[non_exhaustive]
pub struct FunctionDefinition {
    /// The signatures of the function; a call uses the first matching one.
    #[field(mandatory)]
    pub signatures: Signatures,
    /// The description of the function.
    pub description: Option<Text>,
    /// Data that the processor ignores.
    pub metadata: Metadata,
}

/// A signature of a function.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "signature", spec = "10.4")]
#[non_exhaustive]
pub struct Signature {
    /// The description of the signature.
    pub description: Option<Text>,
    /// Data that the processor ignores.
    pub metadata: Metadata,
    /// The schemas of the required arguments, in order.
    pub arguments: Children<SchemaDefinition>,
    /// The schemas of the optional arguments that follow, in order.
    pub optional_arguments: Children<SchemaDefinition>,
    /// Whether the last argument may be repeated.
    #[field(default = "false")]
    pub variadic: Option<Located<bool>>,
    /// The schema of the result; any value if omitted.
    pub result: Child<SchemaDefinition>,
    /// The implementation.
    pub implementation: Child<Implementation>,
}

/// The keyname `signatures`: a list in which an empty element keeps the refined signature (2.0, 10.4).
#[derive(Clone, Debug, Default)]
pub struct Signatures {
    items: List<Option<Id<Signature>>>,
    pub(crate) list: Option<NodeRef>,
}

/// The signatures; `None` for an empty element.
impl Deref for Signatures {
    type Target = [Option<Id<Signature>>];

    fn deref(&self) -> &Self::Target {
        &self.items
    }
}

impl Shaped for Signatures {
    const SHAPE: Shape = Shape::List(|| crate::entity::Described::description(&Signature::default()));
    const ALSO: Option<Form> = Some(Form::Null);
}

impl Field for Signatures {
    fn is_set(&self) -> bool {
        self.items.is_given()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        self.list = (node.kind() == Kind::List).then(|| reader.position(node));
        let items = reader.items(node, field).into_iter();
        let signature = |item: Node<'_>| {
            let is_empty = item.kind() == Kind::Null && !item.is_placeholder();
            (!is_empty).then(|| reader.entity::<Signature>(None, item, None))
        };
        self.items = items.map(signature).collect();
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            self.clone_from(other);
        }
    }

    fn visit_children(&self, visit: &mut dyn FnMut(AnyId)) {
        self.iter().flatten().for_each(|id| visit(id.any()));
    }
}
