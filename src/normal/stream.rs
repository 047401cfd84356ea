//! Models that are serialized node by node, without being in memory as a whole.
//!
//! A model takes several times as much memory as its source, nearly all of it for its nodes. To write a model, only one
//! node at a time is needed. Nodes are built on the thread that serializes them: building a thousand at a time on two
//! threads doubled the CPU time of an overview of 50 000 nodes (0.70 s instead of 0.37 s, parsing included; shape
//! `wide`, 2026-11-25).

use std::io::Write;

use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

use super::build::{Builder, Mentioned};
use super::json::{Fragments, With};
use super::{Name, Node, Options, Service};
use crate::diagnostic::Secrets;
use crate::phase::Program;
use crate::phase::inheritance::Complete;

/// A [`Service`] that is built while it is serialized, in the same format.
pub struct ServiceStream<'a> {
    builder: Builder<'a>,
    frame: Service,
    /// The secrets that are replaced.
    secrets: Secrets<'a>,
}

impl<'a> ServiceStream<'a> {
    pub(super) fn new(program: &'a Program<Complete>, options: Options<'a>) -> Option<Self> {
        let builder = Builder::new(program, options)?;
        Some(Self { frame: builder.frame(), builder, secrets: Secrets::default() })
    }

    /// Replaces secrets, like [`Service::masked`].
    #[must_use]
    pub fn masked(self, secrets: Secrets<'a>) -> Self {
        Self { frame: self.frame.masked(&secrets), secrets, ..self }
    }

    /// Returns the model without its nodes, and without the functions and data types that the nodes mention.
    pub fn service(&self) -> &Service {
        &self.frame
    }

    /// Returns the number of nodes.
    pub fn node_count(&self) -> usize {
        self.builder.node_count()
    }

    /// Calls a function with each node, in order, and drops the node afterward.
    pub fn each_node(&self, mut call: impl FnMut(&Name, &Node)) {
        self.nodes().for_each(|(name, node)| call(&name, &node));
    }

    /// Writes the model as compact JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` can't be written.
    pub fn write_json(&self, out: impl Write) -> serde_json::Result<()> {
        Whole(self, Some(&Fragments::default())).serialize(&mut serde_json::Serializer::new(out))
    }

    fn nodes(&self) -> impl Iterator<Item = (Name, Node)> {
        self.builder.nodes().map(|(name, mut node)| {
            node.mask(&self.secrets);
            (name, node)
        })
    }
}

impl Service {
    /// Builds a model like [`with`](Self::with), for serialization only: each node is built while it is written and
    /// then dropped.
    pub fn stream<'a>(program: &'a Program<Complete>, options: Options<'a>) -> Option<ServiceStream<'a>> {
        ServiceStream::new(program, options)
    }
}

impl std::fmt::Debug for ServiceStream<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServiceStream").field("file", &self.frame.file).finish_non_exhaustive()
    }
}

/// A model that is serialized with the fragments of shared parts, if there are any.
struct Whole<'s, 'a>(&'s ServiceStream<'a>, Option<&'s Fragments>);

impl Serialize for ServiceStream<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Whole(self, None).serialize(serializer)
    }
}

impl Serialize for Whole<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(stream, fragments) = self;
        let Service {
            model,
            language,
            file,
            description,
            metadata,
            inputs,
            outputs,
            nodes: _,
            relationships,
            groups,
            policies,
            workflows,
            substitution,
            functions: _,
            data_types: _,
        } = &stream.frame;
        let mut service = serializer.serialize_struct("Service", 15)?;
        service.serialize_field("model", model)?;
        service.serialize_field("language", language)?;
        service.serialize_field("file", file)?;
        macro_rules! unless_empty {
            ($($field:ident: $is_empty:expr),* $(,)?) => {
                $(if !$is_empty {
                    service.serialize_field(stringify!($field), $field)?;
                })*
            };
        }
        unless_empty!(
            description: description.is_none(),
            metadata: metadata.is_empty(),
            inputs: inputs.is_empty(),
            outputs: outputs.is_empty(),
        );
        if stream.node_count() > 0 {
            service.serialize_field("nodes", &Nodes(stream, *fragments))?;
        }
        unless_empty!(
            relationships: relationships.is_empty(),
            groups: groups.is_empty(),
            policies: policies.is_empty(),
            workflows: workflows.is_empty(),
            substitution: substitution.is_none(),
        );
        // Nodes mention functions and data types too, so these come last.
        let Mentioned { functions, data_types } = &stream.builder.mentioned();
        unless_empty!(functions: functions.is_empty(), data_types: data_types.is_empty());
        service.end()
    }
}

/// The nodes of a model.
struct Nodes<'s, 'a>(&'s ServiceStream<'a>, Option<&'s Fragments>);

impl Serialize for Nodes<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut nodes = serializer.serialize_map(Some(self.0.node_count()))?;
        for (name, node) in self.0.nodes() {
            match self.1 {
                Some(fragments) => nodes.serialize_entry(&name, &With(&node, fragments))?,
                None => nodes.serialize_entry(&name, &node)?,
            }
        }
        nodes.end()
    }
}
