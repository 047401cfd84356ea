//! Folding of stanzas and of their values.

use super::expression::{Rest, has_notation};
use super::write::{Head, literal, write_data, write_value};
use super::{Folder, is_unknown_only};
use crate::data::Data;
use crate::error::Result;
use crate::graph::decide::Layer;
use crate::graph::list::Pending;
use crate::graph::taint::Skip;
use crate::graph::view::Older;
use crate::graph::{BlockRef, Choice, Definition, ExprRef, Graph, GroupId, ScopeKind, ValueRef};
use crate::name::Name;
use crate::source::Span;
use crate::syntax::{Branch, Entry, ExprId, StanzaKind, Target, Targets, ValueId, ValueKind};
use crate::value::{Kind, MASK, SECRET, Value};

/// A stanza of a group, by its number.
pub(super) type StanzaRef = (GroupId, u32);

impl Graph<'_> {
    /// Folds the stanzas of a block.
    pub(super) fn fold_group(&mut self, folder: &mut Folder, group: GroupId) -> Result<()> {
        let block = self.group(group).block;
        let tree = self.tree(block.tree);
        for (at, stanza) in tree.block(block.block).stanzas.iter().enumerate() {
            self.nested(stanza.span, |graph| graph.fold_stanza(folder, (group, at as u32), &stanza.kind))?;
        }
        Ok(())
    }

    pub(super) fn fold_stanza(&mut self, folder: &mut Folder, stanza: StanzaRef, kind: &StanzaKind) -> Result<()> {
        let group = stanza.0;
        match kind {
            StanzaKind::Map(entries) => {
                for entry in &entries.list {
                    self.fold_entry(folder, group, entry, "")?;
                }
                Ok(())
            }
            StanzaKind::List(items) => {
                for item in items {
                    self.fold_value(folder, group, (*item, None), Head::ITEM)?;
                }
                Ok(())
            }
            StanzaKind::Extend(entry) => self.fold_entry(folder, group, entry, "extend "),
            StanzaKind::If(branches) => self.fold_branches(folder, group, branches),
            StanzaKind::Select { subject, cases } => match self.fold_in(folder, group, *subject) {
                Rest::Known(_) => self.fold_decided(folder, stanza),
                Rest::Unknown(text, _) => self.fold_cases(folder, group, &text, cases),
            },
            StanzaKind::Include(name) => match self.fold_in(folder, group, *name) {
                Rest::Known(_) => self.fold_decided(folder, stanza),
                Rest::Unknown(text, _) => {
                    self.note_lookups(folder, self.group(group).block.tree, self.stanza_span(group, stanza.1));
                    folder.line(&format!("include {text}"));
                    Ok(())
                }
            },
            StanzaKind::For { body, layers: true, .. } => {
                let tree = self.tree(self.group(group).block.tree);
                // The names of a loop have no meaning outside of it.
                if tree.block(*body).has_directives {
                    return self.fold_verbatim(folder, stanza);
                }
                let start = (folder.text.len(), folder.errors.len());
                let outer = std::mem::replace(&mut folder.as_written, false);
                self.fold_decided(folder, stanza)?;
                if std::mem::replace(&mut folder.as_written, outer) {
                    folder.text.truncate(start.0);
                    folder.errors.truncate(start.1);
                    return self.fold_verbatim(folder, stanza);
                }
                Ok(())
            }
            StanzaKind::For { .. } => {
                let at = self.stanza_span(group, stanza.1);
                let list = self.add_list(at, vec![Pending::Loop(group, stanza.1)]);
                self.fold_whole(folder, &Value::new(Kind::List(list), at, 0), stanza)
            }
            StanzaKind::Call { .. } | StanzaKind::New { .. } => self.fold_decided(folder, stanza),
            StanzaKind::Set { targets, value } => self.fold_set(folder, stanza, targets, *value),
            StanzaKind::NewAs { .. }
            | StanzaKind::Macro { .. }
            | StanzaKind::Prototype { .. }
            | StanzaKind::Search(_)
            | StanzaKind::Configure { .. } => self.fold_verbatim(folder, stanza),
        }
    }

    /// Folds an expression of a stanza.
    fn fold_in(&mut self, folder: &mut Folder, group: GroupId, expr: ExprId) -> Rest {
        let expr = ExprRef { tree: self.group(group).block.tree, expr };
        self.fold_expr(folder, expr, self.group(group).scope, false)
    }

    fn fold_set(&mut self, folder: &mut Folder, stanza: StanzaRef, targets: &Targets, value: ExprId) -> Result<()> {
        let is_plain = targets.list.iter().all(|target| matches!(target, Target::Name(_)));
        let expr = ExprRef { tree: self.group(stanza.0).block.tree, expr: value };
        let text = match folder.in_doubt(|folder| self.fold_in(folder, stanza.0, value)) {
            Rest::Unknown(text, _) => Some(text),
            Rest::Known(value) if has_notation(&value) => Some(self.written_as(folder, expr)),
            Rest::Known(value) => self.literal_of(&value, folder.masked),
        };
        let Some(text) = text.filter(|_| is_plain) else { return self.fold_verbatim(folder, stanza) };
        let names: Vec<_> = targets.names().iter().map(|name| self.text_of(*name)).collect();
        let comma = if targets.unpack && names.len() == 1 { "," } else { "" };
        folder.line(&format!("set {}{comma} = {text}", names.join(", ")));
        Ok(())
    }

    /// Folds a selection with an unknown subject.
    fn fold_cases(&mut self, folder: &mut Folder, group: GroupId, subject: &str, cases: &[Entry]) -> Result<()> {
        let tree = self.tree(self.group(group).block.tree);
        folder.line(&format!("select {subject}:"));
        folder.in_doubt(|folder| {
            folder.deeper(|folder| {
                for case in cases {
                    let head = format!("{}:", self.loaded.names.text(case.key));
                    if let ValueKind::Body(body) = tree.value(case.value).kind {
                        let inner = self.inner_group(group, body);
                        folder.line(&head);
                        self.fold_body(folder, inner)?;
                    } else {
                        self.fold_value(folder, group, (case.value, None), Head::case(&head))?;
                    }
                }
                Ok(())
            })
        })
    }

    /// Folds the branches of an `if` stanza, except those whose condition is known to be false.
    fn fold_branches(&mut self, folder: &mut Folder, group: GroupId, branches: &[Branch]) -> Result<()> {
        folder.in_doubt_if(false, |folder| self.fold_conditions(folder, group, branches))
    }

    fn fold_conditions(&mut self, folder: &mut Folder, group: GroupId, branches: &[Branch]) -> Result<()> {
        let (tree, scope) = (self.group(group).block.tree, self.group(group).scope);
        let mut word = "if";
        for branch in branches {
            let rest = branch.condition.map(|expr| self.fold_expr(folder, ExprRef { tree, expr }, scope, true));
            let inner = self.inner_group(group, branch.body);
            match rest {
                Some(Rest::Known(value)) if !self.is_true(&value)? => continue,
                Some(Rest::Unknown(text, _)) => folder.line(&format!("{word} {text}:")),
                _ if word == "if" => return self.fold_in_place(folder, inner),
                _ => {
                    folder.line("else:");
                    return self.fold_body(folder, inner);
                }
            }
            folder.doubts += 1;
            self.fold_body(folder, inner)?;
            word = "elif";
        }
        Ok(())
    }

    /// Folds a body in place of its stanza, so that the names that it binds have no meaning outside of it.
    fn fold_in_place(&mut self, folder: &mut Folder, inner: GroupId) -> Result<()> {
        let block = self.group(inner).block;
        let tree = self.tree(block.tree);
        let syntax = tree.block(block.block);
        if syntax.bindings.is_empty() && syntax.includes.is_empty() {
            return self.fold_group(folder, inner);
        }
        folder.line("if 1:");
        self.fold_body(folder, inner)
    }

    /// Returns a body as a group with the scope and the mapping of the block around it.
    fn inner_group(&mut self, group: GroupId, block: crate::syntax::BlockId) -> GroupId {
        let around = self.group(group);
        let (tree, scope, view) = (around.block.tree, around.scope, around.view);
        self.add_group(BlockRef { tree, block }, scope, view)
    }

    /// Folds a body, which may not be empty.
    fn fold_body(&mut self, folder: &mut Folder, group: GroupId) -> Result<()> {
        folder.deeper(|folder| {
            let before = folder.text.len();
            self.fold_group(folder, group)?;
            if folder.text.len() == before {
                folder.line("if 0:");
                folder.line(if self.is_list_group(group) { "  - 0" } else { "  a: 0" });
            }
            Ok(())
        })
    }

    /// Writes the choice of a stanza or the stanza as written.
    fn fold_decided(&mut self, folder: &mut Folder, stanza: StanzaRef) -> Result<()> {
        let decided = self.decide(stanza.0, stanza.1, Skip::All);
        let Some(Some(choice)) = folder.known(decided) else { return self.fold_verbatim(folder, stanza) };
        let block = self.group(stanza.0).block;
        let tree = self.tree(block.tree);
        let kind = &tree.block(block.block).stanzas[stanza.1 as usize].kind;
        match &*choice {
            Choice::Value(thunk) => {
                let value = self.force(*thunk);
                match folder.known(value) {
                    // A mapping as a value replaces what is under it.
                    Some(Value { kind: Kind::Map(_), .. }) | None => self.fold_verbatim(folder, stanza),
                    Some(value) => self.fold_whole(folder, &value, stanza),
                }
            }
            Choice::Layers(layers) if matches!(kind, StanzaKind::Call { .. } | StanzaKind::New { .. }) => {
                let value = self.scoped_value(layers, tree.block(block.block).span);
                match self.is_only_layer(stanza.0, &value) {
                    Ok(true) => self.fold_whole(folder, &value, stanza),
                    Ok(false) => self.fold_verbatim(folder, stanza),
                    Err(error) => {
                        folder.record(error);
                        self.fold_verbatim(folder, stanza)
                    }
                }
            }
            Choice::Layers(layers) => {
                let start = (folder.text.len(), folder.errors.len());
                for layer in layers {
                    let Layer::Group(inner, _) = layer else { continue };
                    if matches!(kind, StanzaKind::Include(_)) {
                        if !self.fold_included(folder, stanza.0, *inner)? {
                            folder.text.truncate(start.0);
                            folder.errors.truncate(start.1);
                            return self.fold_verbatim(folder, stanza);
                        }
                    } else {
                        self.fold_in_place(folder, *inner)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Folds an included document in place of its stanza. Returns false if a name in the text has a different meaning
    /// there, or if the text depends on the folder of the document.
    fn fold_included(&mut self, folder: &mut Folder, outer: GroupId, inner: GroupId) -> Result<bool> {
        let names = std::mem::take(&mut folder.names);
        let moved = std::mem::replace(&mut folder.lookups.moved, false);
        self.fold_group(folder, inner)?;
        let mut is_same = !std::mem::replace(&mut folder.lookups.moved, moved);
        for name in self.bound_names(inner) {
            if folder.names.contains(&name) {
                is_same &= match (self.in_group(outer, name), self.in_group(inner, name)) {
                    (Ok(around), Ok(own)) => around == own,
                    _ => false,
                };
            }
        }
        folder.names.extend(names);
        Ok(is_same)
    }

    /// Returns whether no other layer of a mapping has a key of a value. If one has it, the layers may have to be
    /// merged.
    fn is_only_layer(&mut self, group: GroupId, value: &Value) -> Result<bool> {
        let (Some(view), Kind::Map(own)) = (self.group(group).view, &value.kind) else { return Ok(true) };
        for key in self.keys(*own)?.iter() {
            if self.definition(view, *key, 1)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the layers of a call or an instance as a separate value, because their names have no meaning outside of
    /// them.
    fn scoped_value(&mut self, layers: &[Layer], at: Span) -> Value {
        if let [Layer::Group(only, _)] = layers
            && self.is_list_group(*only)
        {
            let list = self.add_list(at, vec![Pending::Block(*only, 0)]);
            return Value::new(Kind::List(list), at, 0);
        }
        let view = self.add_view(at, Older::Nothing);
        for layer in layers {
            let layer = self.whole(*layer);
            self.push_layer(view, layer);
        }
        self.map_value(view.id)
    }

    fn is_list_group(&self, group: GroupId) -> bool {
        let block = self.group(group).block;
        self.loaded.trees[block.tree as usize].block(block.block).shape.is_list()
    }

    /// Writes a value with all its content in place of a stanza, or the stanza as written.
    fn fold_whole(&mut self, folder: &mut Folder, value: &Value, stanza: StanzaRef) -> Result<()> {
        match self.data_of(value, folder.masked) {
            Ok(data) => write_data(folder, &data),
            Err(error) if is_unknown_only(&error) => return self.fold_verbatim(folder, stanza),
            Err(error) => {
                folder.record(error);
                return self.fold_verbatim(folder, stanza);
            }
        }
        Ok(())
    }

    fn fold_verbatim(&mut self, folder: &mut Folder, (group, at): StanzaRef) -> Result<()> {
        self.verbatim(folder, self.group(group).block.tree, self.stanza_span(group, at))
    }

    /// Writes a stanza or an item as in its source: its line and those that are indented deeper.
    fn verbatim(&self, folder: &mut Folder, tree: u32, span: Span) -> Result<()> {
        let source = self.loaded.sources.get(span.source);
        let start = source.text[..span.start as usize].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let text = &source.text[start..];
        let depth = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let own = depth(text);
        let continues = |line: &&str| {
            let word = line.trim_start_matches([' ', '%']);
            let is_branch = word.starts_with("elif ") || word.starts_with("else");
            line.trim().is_empty() || depth(line) > own || depth(line) == own && is_branch
        };
        let mut rest = text.split_inclusive('\n');
        let lines: Vec<&str> = rest.next().into_iter().chain(rest.take_while(continues)).collect();
        let end = start + lines.iter().map(|line| line.len()).sum::<usize>();
        let whole = Span { end: end as u32, ..span };
        self.note_written(folder, tree, whole);
        self.note_lookups(folder, tree, whole);
        if folder.masked && source.labels & SECRET != 0 {
            folder.line(&format!("# {MASK}"));
            return Ok(());
        }
        let last = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
        for line in &lines[..last] {
            match line.trim_end_matches(['\n', '\r']).get(own..).unwrap_or_default() {
                // Empty lines count in block scalars.
                "" => folder.text.push('\n'),
                line => folder.line(line),
            }
        }
        self.check_length(folder.text.len(), span)
    }

    fn fold_entry(&mut self, folder: &mut Folder, group: GroupId, entry: &Entry, before: &str) -> Result<()> {
        let text = format!("{before}{}:", self.loaded.names.text(entry.key));
        let head = Head { merges: !before.is_empty() || self.has_older(group, entry.key), ..Head::key(&text) };
        let is_newest = self.is_newest(group, entry);
        folder.in_doubt_if(!is_newest, |folder| self.fold_value(folder, group, (entry.value, Some(entry.key)), head))
    }

    /// Returns whether a key may have several definitions.
    fn has_older(&mut self, group: GroupId, key: Name) -> bool {
        self.group(group).view.is_none_or(|view| !matches!(self.definition(view, key, 1), Ok(None)))
    }

    /// Returns whether a value is the newest definition of its key, so that it is certain to be evaluated.
    fn is_newest(&mut self, group: GroupId, entry: &Entry) -> bool {
        let (tree, view) = (self.group(group).block.tree, self.group(group).view);
        let newest = view.map(|view| self.definition(view, entry.key, 0));
        match newest {
            Some(Ok(Some(Definition::Written(newest)))) => {
                newest.value == entry.value && self.group(newest.group).block.tree == tree
            }
            _ => false,
        }
    }

    /// Folds a value with the key or hyphen before it.
    fn fold_value(
        &mut self,
        folder: &mut Folder,
        group: GroupId,
        (value, key): (ValueId, Option<Name>),
        head: Head<'_>,
    ) -> Result<()> {
        let (block, scope) = (self.group(group).block, self.group(group).scope);
        let tree = self.tree(block.tree);
        let node = tree.value(value);
        let is_hidden = folder.masked && self.labels_at(node.span.source) & SECRET != 0;
        let whole = ValueRef { tree: block.tree, value };
        match &node.kind {
            ValueKind::Body(body) => {
                let inner = self.body_group(group, BlockRef { tree: block.tree, block: *body }, key);
                if !head.is_item {
                    folder.line(head.text);
                    return self.fold_body(folder, inner);
                }
                let data = self.value(whole, scope, None).and_then(|whole| self.data_of(&whole, folder.masked));
                // Its entries are folded below, and have the same errors.
                match folder.in_doubt(|folder| folder.known(data)) {
                    Some(data) => write_value(folder, head, &data),
                    None => return self.fold_item_body(folder, inner, node.span),
                }
            }
            ValueKind::Template(expr) => {
                let text = match self.fold_in(folder, group, *expr) {
                    Rest::Unknown(text, _) => text,
                    Rest::Known(value) if !is_hidden && has_notation(&value) && !value.is_secret() => {
                        folder.line(&format!("{} {}", head.text, value.as_text().unwrap_or_default()));
                        return Ok(());
                    }
                    Rest::Known(value) => match self.data_of(&value, folder.masked) {
                        Ok(data @ Data::Map(_)) if head.merges => literal(&data),
                        Ok(data) => {
                            write_value(folder, head, &data);
                            return Ok(());
                        }
                        Err(_) if is_hidden => literal(&Data::Text(MASK.to_owned())),
                        Err(_) => self.written_as(folder, ExprRef { tree: block.tree, expr: *expr }),
                    },
                };
                folder.line(&format!("{} {{{{ {text} }}}}", head.text));
            }
            ValueKind::Parts(parts, _) => {
                let value = self.value(whole, scope, None);
                if let Some(value) = folder.known(value) {
                    let data = self.data_of(&value, folder.masked)?;
                    write_value(folder, head, &data);
                } else {
                    let text = self.fold_parts(folder, parts, (block.tree, scope, is_hidden));
                    folder.line(&format!("{} {{{{ {text} }}}}", head.text));
                }
            }
            ValueKind::Plain(_, text) if !is_hidden => folder.line(&format!("{} {text}", head.text)),
            ValueKind::Empty if !head.is_item => folder.line(head.text),
            _ => {
                let value = self.value(whole, scope, None)?;
                let data = self.data_of(&value, folder.masked)?;
                write_value(folder, head, &data);
            }
        }
        Ok(())
    }

    /// Returns the group of a body under a key, with the mapping that `here` refers to in it.
    fn body_group(&mut self, group: GroupId, body: BlockRef, key: Option<Name>) -> GroupId {
        let scope = self.group(group).scope;
        match key.map(|key| self.value_of(group, key)) {
            Some(Ok(Some(Value { kind: Kind::Map(view), .. }))) => self.add_group(body, scope, Some(view)),
            Some(Err(error)) => {
                let scope = self.add_scope(scope, ScopeKind::Unknown(error), None);
                self.add_group(body, scope, None)
            }
            _ => self.view_of(body, scope, Older::Nothing).1,
        }
    }

    /// Returns the value of a key in the mapping that a block is a layer of.
    fn value_of(&mut self, group: GroupId, key: Name) -> Result<Option<Value>> {
        let Some(view) = self.group(group).view else {
            // The error is that of an unknown mapping.
            let (scope, at) = (self.group(group).scope, self.views[self.root.at()].at);
            return self.find(scope, self.words.here, at).map(|_| None);
        };
        self.member(view, key)?.map(|thunk| self.force(thunk)).transpose()
    }

    /// Folds an item that is a body, whose first key is on the line of the hyphen.
    fn fold_item_body(&mut self, folder: &mut Folder, inner: GroupId, span: Span) -> Result<()> {
        let start = folder.text.len();
        self.fold_body(folder, inner)?;
        let line = folder.text[start..].trim_start();
        let word = line.split([' ', '\n']).next().unwrap_or_default();
        let begins_with_key = word.ends_with(':') && !crate::syntax::is_reserved(word.trim_end_matches(':'));
        if begins_with_key {
            folder.put_hyphen(start);
            return Ok(());
        }
        folder.text.truncate(start);
        self.verbatim(folder, self.group(inner).block.tree, span)
    }
}
