//! The values of documents. The stanzas of a body determine its type, starting with the last one.

use super::decide::Layer;
use super::list::Pending;
use super::taint::Skip;
use super::view::{How, Older};
use super::{
    BlockRef, Choice, Definition, Graph, GroupId, KnownEntry, ScopeId, ThunkId, ThunkKind, ValueRef, ViewId, Written,
};
use crate::error::{Category, Error, Result};
use crate::evaluate::to_text;
use crate::name::Name;
use crate::source::Span;
use crate::syntax::{Ending, Part, Plain, StanzaKind, ValueKind};
use crate::value::{Kind, SECRET, SHAPE, Text, Value};

/// The type of a block.
pub(super) enum Body {
    Map,
    List,
    Value(ThunkId),
    /// Nothing is defined, so the older layer shows through.
    Nothing,
}

impl Graph<'_> {
    /// Returns a value of the document. `older` locates the definitions before it.
    pub(crate) fn value(
        &mut self,
        value: ValueRef,
        scope: ScopeId,
        older: Option<(ViewId, Name, usize)>,
    ) -> Result<Value> {
        let tree = self.tree(value.tree);
        let node = tree.value(value.value);
        let labels = self.labels_at(node.span.source);
        let kind = match &node.kind {
            ValueKind::Empty => Kind::Text(Text { absent: true, ..Text::from("") }),
            ValueKind::Plain(plain, text) => plain_kind(*plain, text),
            ValueKind::Text(text) => Kind::Text(Text { plain: text.clone(), safe: None, absent: false }),
            ValueKind::EmptyMap => {
                let older = self.older_of(older);
                Kind::Map(self.add_view(node.span, older).id)
            }
            ValueKind::EmptyList => Kind::List(self.known_list(node.span, Vec::new())),
            ValueKind::Template(expr) => {
                let value = self.eval(super::ExprRef { tree: value.tree, expr: *expr }, scope)?;
                return Ok(value.labeled(labels));
            }
            ValueKind::Parts(parts, ending) => return self.joined(value.tree, parts, *ending, scope, node.span),
            ValueKind::Body(block) => {
                return self.block_value(BlockRef { tree: value.tree, block: *block }, scope, older);
            }
        };
        Ok(Value::new(kind, node.span, labels))
    }

    fn joined(&mut self, tree: u32, parts: &[Part], ending: Ending, scope: ScopeId, at: Span) -> Result<Value> {
        let own = self.labels_at(at.source);
        let mut plain = String::new();
        // The text to display, once the string contains a secret.
        let mut safe: Option<String> = None;
        let mut labels = own;
        for part in parts {
            match part {
                Part::Text(text) => {
                    plain.push_str(text);
                    safe.iter_mut().for_each(|safe| safe.push_str(text));
                }
                Part::Expr(expr) => {
                    let expr = super::ExprRef { tree, expr: *expr };
                    let value = self.eval(expr, scope)?;
                    let span = self.expr_span(expr);
                    if value.is_secret() && safe.is_none() {
                        safe = Some(plain.clone());
                    }
                    if let Some(safe) = &mut safe {
                        safe.push_str(&value.safe_text().unwrap_or_default());
                    }
                    plain.push_str(&to_text(&value, span)?);
                    labels |= value.labels;
                }
            }
            self.check_length(plain.len(), at)?;
        }
        if ending == Ending::Trimmed {
            plain.truncate(plain.trim_end_matches(' ').len());
            safe.iter_mut().for_each(|safe| safe.truncate(safe.trim_end_matches(' ').len()));
        }
        let safe = safe.filter(|_| own & SECRET == 0).map(Into::into);
        self.make_text(plain.len(), at)?;
        Ok(Value::new(Kind::Text(Text { plain: plain.into(), safe, absent: false }), at, labels))
    }

    /// Checks whether a string may have the given number of bytes.
    pub(crate) fn check_length(&self, length: usize, at: Span) -> Result<()> {
        if length <= self.limits.text {
            // There are two copies for a moment.
            return self.check_room(length, 2, at);
        }
        let message = format!("a string can't have more than {} bytes", self.limits.text);
        Err(Error::new(Category::Limit, at, message))
    }

    /// Charges for a string of the given number of bytes.
    pub(crate) fn make_text(&self, length: usize, at: Span) -> Result<()> {
        self.check_length(length, at)?;
        self.look_through(length / 8, at)?;
        self.budget.bytes(length as u64).map_err(|exceeded| Error::exceeded(&exceeded, at))
    }

    /// Returns the value of a block.
    pub(crate) fn block_value(
        &mut self,
        block: BlockRef,
        scope: ScopeId,
        older: Option<(ViewId, Name, usize)>,
    ) -> Result<Value> {
        let tree = self.tree(block.tree);
        let syntax = tree.block(block.block);
        if syntax.shape.mapping == Some(false) {
            let group = self.add_group(block, scope, None);
            return Ok(self.list_value(group, syntax.span));
        }
        let older_layers = self.older_of(older);
        let (view, group) = self.view_of(block, scope, older_layers);
        if syntax.shape.mapping == Some(true) {
            return Ok(self.map_value(view));
        }
        match self.body(group, Skip::All)? {
            Body::Map => Ok(self.map_value(view)),
            Body::List => Ok(self.list_value(group, syntax.span)),
            Body::Value(thunk) => self.force(thunk),
            Body::Nothing => self.shining_through(older, syntax.shape.list_inside, syntax.span, view),
        }
    }

    fn shining_through(
        &mut self,
        older: Option<(ViewId, Name, usize)>,
        list: bool,
        at: Span,
        view: ViewId,
    ) -> Result<Value> {
        if let Some((parent, key, n)) = older
            && let Some(definition) = self.definition(parent, key, n)?
        {
            return self.nested(at, |graph| graph.defined(parent, key, definition, n));
        }
        if list {
            let list = self.known_list(at, Vec::new());
            return Ok(Value::new(Kind::List(list), at, self.labels_at(at.source)));
        }
        Ok(self.map_value(view))
    }

    fn list_value(&mut self, group: GroupId, at: Span) -> Value {
        let list = self.add_list(at, vec![Pending::Block(group, 0)]);
        Value::new(Kind::List(list), at, self.labels_at(at.source))
    }

    /// Returns the value of a key by its n-th newest definition.
    pub(crate) fn defined(&mut self, view: ViewId, key: Name, definition: Definition, n: usize) -> Result<Value> {
        match definition {
            Definition::Thunk { thunk, .. } => self.force(thunk),
            Definition::Written(written) => self.written(view, key, written, n),
        }
    }

    fn written(&mut self, view: ViewId, key: Name, written: Written, n: usize) -> Result<Value> {
        let (value, scope) = self.written_value(written);
        match written.how {
            How::Entry => self.value(value, scope, Some((view, key, n + 1))),
            How::New(stanza) => {
                let made = self.add_view(self.value_span(value), Older::Key(view, key, n + 1));
                for layer in self.instance(written.group, stanza, Some(made.id))? {
                    let layer = self.whole(layer);
                    self.push_layer(made, layer);
                }
                Ok(self.map_value(made.id))
            }
            How::Extend => self.extended(view, key, Definition::Written(written), n),
        }
    }

    /// Evaluates `extend`: the older list and further items.
    fn extended(&mut self, view: ViewId, key: Name, newest: Definition, n: usize) -> Result<Value> {
        let mut values = Vec::new();
        let mut next = Some(newest);
        let mut at = n;
        while let Some(definition) = next {
            let extension = definition.extension();
            let value = match extension {
                Some(written) => {
                    let (value, scope) = self.written_value(written);
                    self.value(value, scope, None)?
                }
                None => self.defined(view, key, definition, at)?,
            };
            values.push((value, definition));
            at += 1;
            next = if extension.is_some() { self.definition(view, key, at)? } else { None };
        }
        values.reverse();
        self.concatenated(values, (view, key, at - 1))
    }

    fn concatenated(&mut self, values: Vec<(Value, Definition)>, oldest: (ViewId, Name, usize)) -> Result<Value> {
        let maps = values.iter().filter(|(value, _)| matches!(value.kind, Kind::Map(_))).count();
        let labels = values.iter().fold(0, |labels, (value, _)| labels | value.labels) & !SHAPE;
        if maps == values.len() && maps > 1 {
            return self.merged(values, oldest);
        }
        let single = values.len() == 1;
        let at = values.last().map_or(self.views[self.root.at()].at, |(value, _)| value.at);
        let mut pending = Vec::new();
        for (value, definition) in &values {
            match value.kind {
                Kind::List(list) => pending.push(Pending::Items(self.list_of(value, list), 0)),
                Kind::Map(map) if single => {
                    let keys = self.key_list(map, value, false)?;
                    pending.push(Pending::Items(keys, 0));
                }
                _ => {
                    let message = format!("`extend` needs a list, not {}", value.what());
                    return Err(Error::new(Category::Type, value.at, message).used(self.definition_span(*definition)));
                }
            }
        }
        pending.reverse();
        let list = self.add_list(at, pending);
        Ok(Value::new(Kind::List(list), at, labels))
    }

    /// Merges mappings: by their layers if they have any, otherwise key by key.
    fn merged(&mut self, values: Vec<(Value, Definition)>, older: (ViewId, Name, usize)) -> Result<Value> {
        let labels = values.iter().fold(0, |labels, (value, _)| labels | value.labels) & !SHAPE;
        let at = values.last().map_or(self.views[self.root.at()].at, |(value, _)| value.at);
        let extensions = values.iter().filter_map(|(_, definition)| definition.extension());
        let blocks: Option<Vec<_>> = extensions.map(|written| self.extension_block(written)).collect();
        let Some(blocks) = blocks else { return self.merged_keys(values, at, labels) };
        let (parent, key, n) = older;
        let view = self.add_view(at, Older::Key(parent, key, n));
        for (block, scope) in blocks {
            let group = self.add_group(block, scope, Some(view.id));
            let layer = self.layer_of(group);
            self.push_layer(view, layer);
        }
        Ok(self.map_value(view.id).labeled(labels))
    }

    /// Returns the block of an `extend`.
    fn extension_block(&self, written: Written) -> Option<(BlockRef, ScopeId)> {
        let (value, scope) = self.written_value(written);
        match self.loaded.trees[value.tree as usize].value(value.value).kind {
            ValueKind::Body(block) => Some((BlockRef { tree: value.tree, block }, scope)),
            _ => None,
        }
    }

    fn merged_keys(&mut self, values: Vec<(Value, Definition)>, at: Span, labels: u64) -> Result<Value> {
        let mut entries = Vec::new();
        for (value, _) in values {
            let Kind::Map(map) = value.kind else { continue };
            let map = self.mapping_of(&value, map)?;
            for key in self.keys(map)?.iter() {
                if let Some(thunk) = self.member(map, *key)? {
                    entries.push(KnownEntry { key: *key, thunk, secret: self.is_secret_key(map, *key)? });
                }
            }
        }
        let view = self.known_view(at, entries);
        Ok(Value::new(Kind::Map(view), at, labels))
    }

    /// Determines the type of a block, backwards from its last stanza.
    pub(super) fn body(&mut self, group: GroupId, what: Skip) -> Result<Body> {
        let block = self.group(group).block;
        let tree = self.tree(block.tree);
        let syntax = tree.block(block.block);
        if let Some(mapping) = syntax.shape.mapping {
            return Ok(if mapping { Body::Map } else { Body::List });
        }
        for (at, stanza) in syntax.stanzas.iter().enumerate().rev() {
            let decided = match stanza.kind {
                StanzaKind::New { .. } => return Ok(Body::Map),
                StanzaKind::If(_) | StanzaKind::Include(_) | StanzaKind::Select { .. } | StanzaKind::Call { .. } => {
                    self.decide(group, at as u32, what)?
                }
                _ => None,
            };
            let Some(choice) = decided else { continue };
            match self.chosen_body(&choice, what)? {
                Body::Nothing => {}
                body => return Ok(body),
            }
        }
        Ok(Body::Nothing)
    }

    fn chosen_body(&mut self, choice: &Choice, what: Skip) -> Result<Body> {
        match choice {
            Choice::Value(thunk) => Ok(Body::Value(*thunk)),
            Choice::Layers(layers) => {
                for layer in layers.iter().rev() {
                    match layer {
                        Layer::Native(_) => return Ok(Body::Map),
                        Layer::Group(group, _) => match self.body(*group, what)? {
                            Body::Nothing => {}
                            body => return Ok(body),
                        },
                    }
                }
                Ok(Body::Nothing)
            }
        }
    }
}

fn plain_kind(plain: Plain, text: &std::rc::Rc<str>) -> Kind {
    match plain {
        Plain::Null => Kind::Null,
        Plain::Bool(truth) => Kind::Bool(truth, Some(text.clone())),
        Plain::Int(number) => Kind::Int(number, Some(text.clone())),
        Plain::Float(number) => Kind::Float(number, Some(text.clone())),
        Plain::Text => Kind::Text(Text { plain: text.clone(), safe: None, absent: false }),
    }
}

impl ThunkKind {
    /// Returns an item of a list in the document.
    pub(super) fn item(tree: u32, value: crate::syntax::ValueId, scope: ScopeId) -> Self {
        ThunkKind::Value(ValueRef { tree, value }, scope)
    }
}
