//! Folding of stanzas and of their values.

use super::expression::Rest;
use super::write::{Head, literal, write_data, write_value};
use super::{Folder, is_unknown_only};
use crate::error::Result;
use crate::graph::decide::Layer;
use crate::graph::list::Pending;
use crate::graph::taint::Skip;
use crate::graph::view::Older;
use crate::graph::{BlockRef, Choice, ExprRef, Graph, GroupId, ValueRef, ViewId};
use crate::name::Name;
use crate::source::Span;
use crate::syntax::{Branch, Entry, ExprId, StanzaKind, Target, Targets, ValueId, ValueKind};
use crate::value::{Kind, MASK, SECRET, Value};

/// A stanza of a group, by its number.
type StanzaRef = (GroupId, u32);

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

    fn fold_stanza(&mut self, folder: &mut Folder, stanza: StanzaRef, kind: &StanzaKind) -> Result<()> {
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
                    folder.line(&format!("include {text}"));
                    Ok(())
                }
            },
            StanzaKind::For { body, layers: true, .. } => {
                let tree = self.tree(self.group(group).block.tree);
                // The names in a body have no meaning outside of it.
                if tree.block(*body).has_directives {
                    self.fold_verbatim(folder, stanza)
                } else {
                    self.fold_decided(folder, stanza)
                }
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
        let text = match self.fold_in(folder, stanza.0, value) {
            Rest::Unknown(text, _) => Some(text),
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
        folder.deeper(|folder| {
            for case in cases {
                let head = format!("{}:", self.names.text(case.key));
                if let ValueKind::Body(body) = tree.value(case.value).kind {
                    let inner = self.inner_group(group, body);
                    folder.line(&head);
                    self.fold_body(folder, inner)?;
                } else {
                    self.fold_value(folder, group, (case.value, None), Head::key(&head))?;
                }
            }
            Ok(())
        })
    }

    /// Folds the branches of an `if` stanza, except those whose condition is known to be false.
    fn fold_branches(&mut self, folder: &mut Folder, group: GroupId, branches: &[Branch]) -> Result<()> {
        let (tree, scope) = (self.group(group).block.tree, self.group(group).scope);
        let mut word = "if";
        for branch in branches {
            let rest = branch.condition.map(|expr| self.fold_expr(folder, ExprRef { tree, expr }, scope, true));
            let inner = self.inner_group(group, branch.body);
            match rest {
                Some(Rest::Known(value)) if !self.is_true(&value)? => continue,
                Some(Rest::Unknown(text, _)) => folder.line(&format!("{word} {text}:")),
                _ if word == "if" => return self.fold_group(folder, inner),
                _ => {
                    folder.line("else:");
                    return self.fold_body(folder, inner);
                }
            }
            self.fold_body(folder, inner)?;
            word = "elif";
        }
        Ok(())
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
                folder.line("  a: 0");
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
        let is_scoped = matches!(
            tree.block(block.block).stanzas[stanza.1 as usize].kind,
            StanzaKind::Call { .. } | StanzaKind::New { .. }
        );
        match &*choice {
            Choice::Value(thunk) => {
                let value = self.force(*thunk);
                match folder.known(value) {
                    Some(value) => self.fold_whole(folder, &value, stanza),
                    None => self.fold_verbatim(folder, stanza),
                }
            }
            Choice::Layers(layers) if is_scoped => {
                let value = self.scoped_value(layers, tree.block(block.block).span);
                self.fold_whole(folder, &value, stanza)
            }
            Choice::Layers(layers) => {
                for layer in layers {
                    if let Layer::Group(inner, _) = layer {
                        self.fold_group(folder, *inner)?;
                    }
                }
                Ok(())
            }
        }
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
        self.trees[block.tree as usize].block(block.block).shape.is_list()
    }

    /// Writes a value with all its content in place of a stanza, or the stanza as written.
    fn fold_whole(&mut self, folder: &mut Folder, value: &Value, stanza: StanzaRef) -> Result<()> {
        match self.data_of(value, folder.masked) {
            Ok(data) => write_data(folder, &data),
            Err(error) if is_unknown_only(&error) => return self.fold_verbatim(folder, stanza),
            Err(error) => folder.errors.push(error),
        }
        Ok(())
    }

    fn fold_verbatim(&mut self, folder: &mut Folder, (group, at): StanzaRef) -> Result<()> {
        self.verbatim(folder, self.stanza_span(group, at))
    }

    /// Writes a stanza or an item as in its source: its line and those that are indented deeper.
    fn verbatim(&self, folder: &mut Folder, span: Span) -> Result<()> {
        let source = self.sources.get(span.source);
        if folder.masked && source.labels & SECRET != 0 {
            folder.line(&format!("# {MASK}"));
            return Ok(());
        }
        let start = source.text[..span.start as usize].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let text = &source.text[start..];
        let depth = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let own = depth(text);
        let continues = |line: &&str| {
            let word = line.trim_start_matches([' ', '%']);
            let is_branch = word.starts_with("elif ") || word.starts_with("else");
            line.trim().is_empty() || depth(line) > own || depth(line) == own && is_branch
        };
        let mut lines = text.lines();
        for line in lines.next().into_iter().chain(lines.take_while(continues)) {
            if !line.trim().is_empty() {
                folder.line(line.get(own..).unwrap_or_default().trim_end());
            }
        }
        self.check_length(folder.text.len(), span)
    }

    fn fold_entry(&mut self, folder: &mut Folder, group: GroupId, entry: &Entry, before: &str) -> Result<()> {
        let text = format!("{before}{}:", self.names.text(entry.key));
        self.fold_value(folder, group, (entry.value, Some(entry.key)), Head::key(&text))
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
                match folder.known(data) {
                    Some(data) => write_value(folder, head, &data),
                    None => return self.fold_item_body(folder, inner, node.span),
                }
            }
            ValueKind::Template(expr) => {
                let text = match self.fold_in(folder, group, *expr) {
                    Rest::Unknown(text, _) => text,
                    Rest::Known(value) => match self.data_of(&value, folder.masked) {
                        Ok(data) => {
                            write_value(folder, head, &data);
                            return Ok(());
                        }
                        Err(_) if is_hidden => literal(&crate::data::Data::Text(MASK.to_owned())),
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
        let view: Option<ViewId> = key.and_then(|key| {
            let thunk = self.member(self.group(group).view?, key).ok()??;
            match self.force(thunk).ok()?.kind {
                Kind::Map(view) => Some(view),
                _ => None,
            }
        });
        match view {
            Some(view) => self.add_group(body, scope, Some(view)),
            None => self.view_of(body, scope, Older::Nothing).1,
        }
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
        self.verbatim(folder, span)
    }
}
