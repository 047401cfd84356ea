//! Attached metadata: names of meta classes, with the values of their properties.

use std::ops::Deref;

use tosca_parse::ard::{Kind as NodeKind, Node};
use tosca_parse::entity::{Field, FieldDescription, Form, NodeRef, Reference, Shape, Shaped, downcast};
use tosca_parse::phase::read::Reader;

use super::class::Class;
use super::rules;

/// A piece of metadata.
#[derive(Clone, Copy, Debug)]
pub struct Attachment {
    /// Its meta class.
    pub class: Reference<Class>,
    /// The values of its properties, if any.
    pub properties: Option<NodeRef>,
}

/// Attached metadata: `Name`, `Name: { property: value }`, or a list of these.
#[derive(Clone, Debug, Default)]
pub struct Attachments(Vec<Attachment>);

impl Deref for Attachments {
    type Target = [Attachment];

    fn deref(&self) -> &[Attachment] {
        &self.0
    }
}

impl Attachments {
    fn add(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        let entry = node.entries().next();
        if node.kind() == NodeKind::Map && node.len() != 1 {
            let message = "metadata must be a name, or a map with one entry: `Name: { property: value }`";
            reader.problem(&rules::INVALID_DECLARATION, node, message).help("put a dash before each name");
            return;
        }
        let properties = entry.map(|entry| entry.value).filter(|value| value.kind() == NodeKind::Map);
        let properties = properties.map(|properties| reader.position(properties));
        let name = entry.map_or(node, |entry| entry.key);
        self.0.extend(reader.reference(name, field).map(|class| Attachment { class, properties }));
    }
}

impl Shaped for Attachments {
    const SHAPE: Shape = Shape::References;
    const ALSO: Option<Form> = Some(Form::Any);
}

impl Field for Attachments {
    fn is_set(&self) -> bool {
        !self.is_empty()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        if node.kind() == NodeKind::List {
            node.items().for_each(|item| self.add(reader, item, field));
        } else {
            self.add(reader, node, field);
        }
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            self.clone_from(other);
        }
    }

    fn visit_references(&self, visit: &mut dyn FnMut(Reference<()>)) {
        self.iter().for_each(|item| visit(item.class.erased()));
    }
}
