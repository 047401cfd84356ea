//! Models that are written without being there as a whole.
//!
//! A model takes up several times as much memory as the text that it is made of, and nearly all of that are its nodes.
//! Who writes it down needs a few of them at a time. As JSON, these are written by all threads.

use std::io::{self, Write};

use rayon::prelude::*;
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

use super::build::{Builder, FEW, Frame, NodeOf};
use super::{DataType, Function, Name, Node, Options, Service};
use crate::phase::Program;
use crate::phase::inheritance::Complete;

/// How many nodes are made at a time: enough for all threads.
const HANDFUL: usize = 1024;

/// How often a thread writes a [few](FEW) of them as JSON before it waits for the others.
const TIMES: usize = 4;

/// Where nodes stand in the JSON of a model, as long as it has none. No text has a line break within it.
const NODES: &str = "\n  \"nodes\": ";
const NO_NODES: &str = "null";

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

    /// Writes the model as JSON, indented as [`serde_json::to_writer_pretty`] does it, in large pieces.
    ///
    /// # Errors
    ///
    /// What it is written to refuses it.
    pub fn write_json(&self, mut out: impl Write) -> io::Result<()> {
        if self.frame.nodes.is_empty() {
            return out.write_all(&serde_json::to_vec_pretty(self)?);
        }
        let (head, _) = self.around_nodes(Mentioned::default)?;
        out.write_all(head.as_bytes())?;
        let mut separator = "{\n";
        // Memory that has been used before needs not be cleared by the system.
        let is_little = self.frame.nodes.len() <= FEW;
        let mut texts = vec![Vec::new(); if is_little { 1 } else { TIMES * rayon::current_num_threads() }];
        for handful in self.frame.nodes.chunks(FEW * texts.len()) {
            if is_little {
                self.json_of(handful, &mut texts[0])?;
            } else {
                let pairs = handful.par_chunks(FEW).zip(&mut texts);
                pairs.try_for_each(|(few, text)| self.json_of(few, text))?;
            }
            for text in &texts[..handful.len().div_ceil(FEW)] {
                out.write_all(separator.as_bytes())?;
                out.write_all(text)?;
                separator = ",\n";
            }
        }
        out.write_all(b"\n  }")?;
        // What nodes mention is known when all have been made.
        let (_, tail) = self.around_nodes(|| self.builder.mentioned(self.frame.template))?;
        out.write_all(tail.as_bytes())
    }

    /// What stands before and behind the nodes.
    fn around_nodes(&self, mentioned: impl FnOnce() -> Mentioned) -> serde_json::Result<(String, String)> {
        let mut text = Vec::new();
        self.serialize_around(&(), mentioned, &mut serde_json::Serializer::pretty(&mut text))?;
        let mut head = String::from_utf8(text).unwrap_or_default();
        let at = head.find(NODES).map_or(head.len(), |at| at + NODES.len());
        let tail = head.split_off(at);
        Ok((head, tail.strip_prefix(NO_NODES).unwrap_or(&tail).to_owned()))
    }

    /// Some nodes, as the members of a map that is the value of a member of the model.
    fn json_of(&self, nodes: &[NodeOf], mut out: &mut Vec<u8>) -> serde_json::Result<()> {
        out.clear();
        for node in nodes {
            if !out.is_empty() {
                out.extend(b",\n");
            }
            let (name, node) = self.builder.named_node(node, &self.frame.kinds);
            out.extend(b"    ");
            serde_json::to_writer(&mut out, &name)?;
            out.extend(b": ");
            let formatter = Indented { depth: 2, has_members: false };
            node.serialize(&mut serde_json::Serializer::with_formatter(&mut out, formatter))?;
        }
        Ok(())
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

/// The functions and data types that a model mentions.
type Mentioned = (Vec<Function>, Vec<DataType>);

impl Serialize for Stream<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize_around(&Nodes(self), || self.builder.mentioned(self.frame.template), serializer)
    }
}

impl Stream<'_> {
    /// Serialises the model with something in the place of its nodes. What is mentioned is asked for when these are done.
    fn serialize_around<S: Serializer>(
        &self,
        nodes: &impl Serialize,
        mentioned: impl FnOnce() -> Mentioned,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
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
            service.serialize_field("nodes", nodes)?;
        }
        unless_empty!(
            relationships: relationships.is_empty(),
            groups: groups.is_empty(),
            policies: policies.is_empty(),
            workflows: workflows.is_empty(),
            substitution: substitution.is_none(),
        );
        let (functions, data_types) = &mentioned();
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

/// Writes JSON as [`serde_json::ser::PrettyFormatter`] does, from some depth on, and each indentation at once: it is a good
/// part of all that is written.
struct Indented {
    depth: usize,
    has_members: bool,
}

impl Indented {
    /// Writes a break, and a comma before it if something stands there.
    fn next<W: Write + ?Sized>(&self, out: &mut W, is_first: bool) -> io::Result<()> {
        const BREAK: &[u8; 66] = b",\n                                                                ";
        let start = usize::from(is_first);
        let mut left = 2 * self.depth;
        let at_once = left.min(BREAK.len() - 2);
        out.write_all(&BREAK[start..2 + at_once])?;
        left -= at_once;
        while left > 0 {
            let more = left.min(BREAK.len() - 2);
            out.write_all(&BREAK[2..2 + more])?;
            left -= more;
        }
        Ok(())
    }

    fn begin<W: Write + ?Sized>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.has_members = false;
        out.write_all(bracket)
    }

    fn end<W: Write + ?Sized>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.has_members {
            self.next(out, true)?;
        }
        out.write_all(bracket)
    }
}

impl Formatter for Indented {
    fn begin_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"]")
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_members = true;
        Ok(())
    }

    fn begin_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"}")
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_members = true;
        Ok(())
    }
}
