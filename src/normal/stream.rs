//! Models that are written without being there as a whole.
//!
//! A model takes up several times as much memory as the text that it is made of, and nearly all of that are its nodes.
//! Who writes it down needs a few of them at a time.

use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

use super::build::{Builder, Frame};
use super::{Name, Node, Options, Service};
use crate::phase::Program;
use crate::phase::inheritance::Complete;

/// How many nodes are made at a time: enough for all threads.
const HANDFUL: usize = 1024;

/// A [`Service`] that is made while it is written, in the same form.
pub struct Stream<'a> {
    builder: Builder<'a>,
    frame: Frame<'a>,
}

impl<'a> Stream<'a> {
    pub(super) fn new(program: &'a Program<Complete>, options: Options<'a>) -> Option<Self> {
        Self::by(Builder::new(program, options))
    }

    /// A model whose nodes have nothing of their types that is not assigned, for those who look at templates.
    #[cfg(feature = "cli")]
    pub(crate) fn outline(program: &'a Program<Complete>, options: Options<'a>) -> Option<Self> {
        let mut builder = Builder::new(program, options);
        builder.is_outline = true;
        Self::by(builder)
    }

    fn by(mut builder: Builder<'a>) -> Option<Self> {
        let frame = builder.frame()?;
        Some(Self { builder, frame })
    }
}

impl Stream<'_> {
    /// The model without its nodes, and without the functions and data types that these mention.
    pub fn service(&self) -> &Service {
        &self.frame.service
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.frame.nodes.len()
    }

    /// Calls a function with each node, in order. None of them is kept.
    pub fn each_node(&self, mut call: impl FnMut(&Name, &Node)) {
        let called: Result<(), std::convert::Infallible> = self.try_each_node(|name, node| {
            call(name, node);
            Ok(())
        });
        let Ok(()) = called;
    }

    fn try_each_node<E>(&self, mut call: impl FnMut(&Name, &Node) -> Result<(), E>) -> Result<(), E> {
        let Self { builder, frame } = self;
        let mut handfuls = frame.nodes.chunks(HANDFUL).map(|handful| builder.nodes(handful, &frame.kinds));
        handfuls.try_for_each(|nodes| nodes.iter().try_for_each(|(name, node)| call(name, node)))
    }
}

impl std::fmt::Debug for Stream<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").field("file", &self.frame.service.file).finish_non_exhaustive()
    }
}

impl Serialize for Stream<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
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
        } = &self.frame.service;
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
        if !self.frame.nodes.is_empty() {
            service.serialize_field("nodes", &Nodes(self))?;
        }
        unless_empty!(
            relationships: relationships.is_empty(),
            groups: groups.is_empty(),
            policies: policies.is_empty(),
            workflows: workflows.is_empty(),
            substitution: substitution.is_none(),
        );
        let (functions, data_types) = &self.builder.mentioned(self.frame.template);
        unless_empty!(functions: functions.is_empty(), data_types: data_types.is_empty());
        service.end()
    }
}

/// The nodes of a model.
struct Nodes<'s, 'a>(&'s Stream<'a>);

impl Serialize for Nodes<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut nodes = serializer.serialize_map(Some(self.0.node_count()))?;
        self.0.try_each_node(|name, node| nodes.serialize_entry(name, node))?;
        nodes.end()
    }
}
