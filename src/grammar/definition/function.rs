//! Definitions of functions (2.0, 10.4).

use super::{Implementation, SchemaDefinition};
use crate::Entity;
use crate::ard::{Kind, Node};
use crate::entity::{
    AnyId, Child, Children, Field, FieldDescription, Form, Given, Id, List, Position, Shape, Shaped, Text, downcast,
};
use crate::grammar::Metadata;
use crate::phase::read::Reader;

/// A function that values can be computed with.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "function definition", spec = "10.4")]
pub struct FunctionDefinition {
    /// The forms in which the function can be called; the first that fits is used.
    #[field(mandatory)]
    pub signatures: Signatures,
    /// What the function computes.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    pub metadata: Metadata,
}

/// A form in which a function can be called.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "signature", spec = "10.4")]
pub struct Signature {
    /// What this form of the function is for.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    pub metadata: Metadata,
    /// What must be given, in order.
    pub arguments: Children<SchemaDefinition>,
    /// What may be given after that, in order.
    pub optional_arguments: Children<SchemaDefinition>,
    /// Whether the last argument may be repeated.
    #[field(default = "false")]
    pub variadic: Option<Given<bool>>,
    /// What the function gives back; anything if it is not given.
    pub result: Child<SchemaDefinition>,
    /// What computes it.
    pub implementation: Child<Implementation>,
}

/// The keyname `signatures`: a list in which an empty element leaves a signature as it is (2.0, 10.4).
#[derive(Clone, Debug, Default)]
pub struct Signatures {
    /// The signatures; nothing where an element is empty.
    pub items: List<Option<Id<Signature>>>,
    pub(crate) list: Option<Position>,
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
            let is_empty = item.kind() == Kind::Null && !item.is_substitute();
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
        self.items.iter().flatten().for_each(|id| visit(id.any()));
    }
}
