//! Models that are written without being there as a whole.
//!
//! A model takes up several times as much memory as the text that it is made of, and nearly all of that are its nodes.
//! Who writes it down needs a few of them at a time. As JSON, these are written by all threads.

mod json;
mod order;

use std::cmp::Reverse;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

use self::json::{Beginnings, Texts};
use super::build::{Builder, FEW, Frame, Kinds, Mentioned, NodeKind, NodeOf};
use super::{Name, Node, Options, Service};
use crate::phase::Program;
use crate::phase::inheritance::Complete;

/// How many nodes are made at a time: enough for all threads.
const HANDFUL: usize = 1024;

/// How many nodes of a kind there must be so that it is worth it to keep what they have in common.
const SEVERAL: usize = 4;

/// How many nodes of a kind there must be for each thread so that it is worth it to make it once for each of them.
const MANY: usize = 64;

/// How many bytes of what nodes have in common are kept at most, by all threads together.
const MOST: usize = 16 << 20;

/// How deep a node stands in the JSON of a model.
const DEPTH: usize = 2;

/// Where nodes stand in the JSON of a model, as long as it has none. No text has a line break within it.
const NODES: &str = "\n  \"nodes\": ";
const NO_NODES: &str = "null";

/// How a map ends that is the whole of a text.
const END: &str = "\n}";

/// A [`Service`] that is made while it is written, in the same form.
pub struct Stream<'a> {
    builder: Builder<'a>,
    frame: Frame<'a>,
}

/// What a thread makes nodes with.
struct Hand<'s, 'a> {
    builder: &'s Builder<'a>,
    /// Its own kinds, and those of all.
    kinds: [&'s Kinds; 2],
    /// What nodes of these have in common.
    texts: [&'s Texts<'s>; 2],
    /// How members begin, unless somebody has taken it.
    beginnings: Mutex<Option<Box<Beginnings>>>,
}

impl Hand<'_, '_> {
    /// Some nodes, as members of a map that is the value of a member of the model. Says whether there is more in them than
    /// printable ASCII characters.
    fn json_of(&self, nodes: &[NodeOf], are_last: bool, out: &mut Vec<u8>) -> serde_json::Result<bool> {
        out.clear();
        let named = nodes.iter().map(|node| (self.builder.name_of_node(node), self.builder.node(node, &self.kinds)));
        let beginnings = || self.beginnings.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = beginnings().take().unwrap_or_default();
        let is_mixed = json::write((&self.texts, &mut known), out, DEPTH, named)?;
        *beginnings() = Some(known);
        if are_last {
            out.truncate(out.len().saturating_sub(json::BETWEEN.len()));
        }
        Ok(is_mixed)
    }
}

impl<'a> Stream<'a> {
    pub(super) fn new(program: &'a Program<Complete>, options: Options<'a>) -> Option<Self> {
        Self::by(Builder::new(program, options))
    }

    /// A model whose nodes have only what is assigned, without what their types add. For overviews.
    #[doc(hidden)]
    pub fn outline(program: &'a Program<Complete>, options: Options<'a>) -> Option<Self> {
        let mut builder = Builder::new(program, options);
        builder.is_outline = true;
        Self::by(builder)
    }

    fn by(mut builder: Builder<'a>) -> Option<Self> {
        // Whoever asks is no thread of the pool, and what there is to find out of many nodes is for all of them.
        let frame = if builder.node_count() <= FEW { builder.frame() } else { rayon::scope(|_| builder.frame()) };
        Some(Self { frame: frame?, builder })
    }
}

impl<'a> Stream<'a> {
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
    pub fn write_json(&self, out: impl Write) -> io::Result<()> {
        self.write_changed_json(out, |_| ())
    }

    /// The same. Each piece that may have more in it than printable ASCII characters is changed, by the thread that has made
    /// it.
    #[doc(hidden)]
    pub fn write_changed_json(&self, mut out: impl Write, change: impl Fn(&mut Vec<u8>) + Sync) -> io::Result<()> {
        let changed = |mut text: Vec<u8>| {
            change(&mut text);
            text
        };
        if self.frame.nodes.is_empty() {
            return out.write_all(&changed(serde_json::to_vec_pretty(self)?));
        }
        let mut tail = Vec::new();
        let mut begin = |out: &mut dyn Write| {
            let head;
            (head, tail) = self.around_nodes()?;
            out.write_all(&changed(head))?;
            out.write_all(b"{\n")
        };
        if self.frame.nodes.len() <= FEW {
            begin(&mut out)?;
            let mut text = Vec::new();
            if self.hand(&Texts::default()).json_of(&self.frame.nodes, true, &mut text)? {
                change(&mut text);
            }
            out.write_all(&text)?;
        } else {
            self.write_nodes(&mut out, begin, &change)?;
        }
        out.write_all(b"\n  }")?;
        // What nodes mention is known when all have been made.
        self.add_mentioned(&mut tail)?;
        out.write_all(&changed(tail))
    }

    /// Writes many nodes, which all threads make, and first what stands before them.
    fn write_nodes(
        &self,
        out: &mut dyn Write,
        begin: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        change: &(impl Fn(&mut Vec<u8>) + Sync),
    ) -> io::Result<()> {
        let threads = rayon::current_num_threads();
        let count = (self.frame.nodes.len() / MANY).clamp(1, threads);
        let twins: Vec<(Builder<'_>, Kinds)> =
            (1..count).into_par_iter().map(|_| self.builder.twin(&self.frame.kinds, MANY * count)).collect();
        let texts: Vec<Texts<'_>> = std::iter::once(&self.frame.kinds)
            .chain(twins.iter().map(|(_, kinds)| kinds))
            .map(|kinds| Self::shared(kinds, SEVERAL, MOST / count))
            .collect::<serde_json::Result<_>>()?;
        let mut hands = vec![self.hand(&texts[0])];
        hands.extend(twins.iter().zip(&texts[1..]).map(|((builder, own), own_texts)| Hand {
            builder,
            kinds: [own, &self.frame.kinds],
            texts: [own_texts, &texts[0]],
            beginnings: Mutex::default(),
        }));
        let hand = || &hands[rayon::current_thread_index().unwrap_or(0) % hands.len()];
        let few = self.frame.nodes.chunks(FEW);
        let last = few.len() - 1;
        order::write(out, begin, few.enumerate(), |(number, few), text| {
            if hand().json_of(few, number == last, text)? {
                change(text);
            }
            Ok(())
        })?;
        twins.iter().for_each(|(twin, _)| self.builder.note_mentioned(twin));
        Ok(())
    }

    /// What the thread that asks makes nodes with.
    fn hand<'s>(&'s self, texts: &'s Texts<'s>) -> Hand<'s, 'a> {
        let kinds = &self.frame.kinds;
        Hand { builder: &self.builder, kinds: [kinds, kinds], texts: [texts, texts], beginnings: Mutex::default() }
    }

    /// What stands before and behind the nodes, but for what these may mention.
    fn around_nodes(&self) -> serde_json::Result<(Vec<u8>, Vec<u8>)> {
        let mut text = Vec::new();
        self.serialize_around(&(), Mentioned::default, &mut serde_json::Serializer::pretty(&mut text))?;
        let mut head = String::from_utf8(text).unwrap_or_default();
        let at = head.find(NODES).map_or(head.len(), |at| at + NODES.len());
        let tail = head.split_off(at);
        Ok((head.into_bytes(), tail.strip_prefix(NO_NODES).unwrap_or(&tail).into()))
    }

    /// Adds what nodes mention to what stands behind them.
    fn add_mentioned(&self, tail: &mut Vec<u8>) -> serde_json::Result<()> {
        let mentioned = self.builder.mentioned(self.frame.template);
        if mentioned.functions.is_empty() && mentioned.data_types.is_empty() {
            return Ok(());
        }
        // Both are maps: where one ended, the other goes on.
        let text = serde_json::to_vec_pretty(&mentioned)?;
        tail.truncate(tail.len().saturating_sub(END.len()));
        tail.push(b',');
        tail.extend_from_slice(text.strip_prefix(b"{").unwrap_or(&text));
        Ok(())
    }

    /// What nodes of a kind have in common, as JSON, if there are several.
    fn shared(kinds: &Kinds, several: usize, most: usize) -> serde_json::Result<Texts<'_>> {
        let mut kinds: Vec<&NodeKind> = kinds.values().filter(|kind| kind.count >= several).collect();
        kinds.sort_unstable_by_key(|kind| Reverse(kind.count));
        let (mut texts, beginnings) = (Texts::of_at_most(most), &mut Beginnings::default());
        for kind in kinds {
            texts.keep(&kind.node, DEPTH, beginnings)?;
            kind.needs.values().try_for_each(|need| {
                // It is in a list that is a member of the node, and what it asks is a member of it.
                texts.keep(&need.requirement, DEPTH + 2, beginnings)?;
                texts.keep(&need.asked, DEPTH + 3, beginnings)
            })?;
        }
        Ok(texts)
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
        let Mentioned { functions, data_types } = &mentioned();
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::path::Path;
    use std::sync::Mutex;

    use super::{Hand, MOST, Service, Stream, Texts};
    use crate::normal::Options;
    use crate::{Parser, TOSCA};

    /// The lines of nodes that are members of a map in a map, without commas at their ends.
    fn indented(service: &Service) -> String {
        let json = serde_json::to_string_pretty(&service.nodes).unwrap();
        let lines: Vec<&str> = json.lines().collect();
        lines[1..lines.len() - 1].iter().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_nodes_have_in_common_is_written_as_everything_else() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/model/templates");
        let parser = Parser::builder(&TOSCA).directory(&folder).build().unwrap();
        let (mut nodes, mut kept) = (0, 0);
        for file in std::fs::read_dir(&folder).unwrap() {
            let outcome = parser.parse(file.unwrap().path().to_str().unwrap()).unwrap();
            for positions in [false, true] {
                let options = Options { resolution: None, positions };
                let Some(stream) = Service::stream(&outcome.program, options) else { continue };
                let whole = Service::with(&outcome.program, options).unwrap();
                if whole.nodes.is_empty() {
                    continue;
                }
                let json_of = |hand: &Hand<'_, '_>| {
                    let mut text = Vec::new();
                    let is_mixed = hand.json_of(&stream.frame.nodes, true, &mut text).unwrap();
                    assert!(is_mixed || text.iter().all(|byte| matches!(byte, b'\n' | b' '..=b'~')));
                    String::from_utf8(text).unwrap()
                };
                let texts = Stream::shared(&stream.frame.kinds, 1, MOST).unwrap();
                assert_eq!(json_of(&stream.hand(&texts)), indented(&whole));
                assert_eq!(json_of(&stream.hand(&Texts::default())), indented(&whole));
                let some = Stream::shared(&stream.frame.kinds, 1, 2000).unwrap();
                assert!(some.len() <= texts.len() && some.bytes() <= 2000);
                assert_eq!(json_of(&stream.hand(&some)), indented(&whole));
                let (builder, own) = &stream.builder.twin(&stream.frame.kinds, 2);
                let own_texts = &Stream::shared(own, 2, MOST).unwrap();
                let hand = Hand {
                    builder,
                    kinds: [own, &stream.frame.kinds],
                    texts: [own_texts, &texts],
                    beginnings: Mutex::default(),
                };
                assert_eq!(json_of(&hand), indented(&whole));
                (nodes, kept) = (nodes + whole.nodes.len(), kept + texts.len());
            }
        }
        assert!(nodes > 50 && kept > nodes, "{kept} texts for {nodes} nodes");
    }
}
