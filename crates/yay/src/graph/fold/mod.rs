//! Folding: a document in which known expressions are computed, and those with unknown names remain.
//!
//! Stanzas keep their order, so that the result is a document with the same meaning: known decisions are replaced by the
//! chosen bodies, and known expressions by their values.

use std::rc::Rc;

use super::decide::Layer;
use super::list::Pending;
use super::taint::Skip;
use super::view::Older;
use super::{BlockRef, Choice, ExprRef, Graph, GroupId, ScopeId, ViewId};
use crate::data::Data;
use crate::error::{Category, Error, Result};
use crate::name::Name;
use crate::picture::{Picture, Stage};
use crate::source::{Source, Span};
use crate::syntax::{Branch, Entry, ExprId, ExprKind, Part, StanzaKind, Tree, ValueId, ValueKind};
use crate::value::{Kind, MASK, SECRET, Value, float_text};

/// The result of folding an expression.
enum Rest {
    /// A value.
    Known(Value),
    /// An expression with the names that are unknown; whether it needs parentheses in another one.
    Unknown(String, bool),
}

/// The folded document as it is written.
struct Folder {
    text: String,
    /// Whether secrets are hidden.
    masked: bool,
    errors: Vec<Error>,
}

impl Folder {
    fn line(&mut self, indent: usize, text: &str) {
        self.text.push_str(&" ".repeat(indent));
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Notes errors other than unknown names.
    fn known<T>(&mut self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                if !error.is_unknown() {
                    self.errors.push(error);
                }
                None
            }
        }
    }
}

impl Graph<'_> {
    /// All documents as one, with everything computed that is known.
    pub(crate) fn fold(&mut self, masked: bool) -> Result<String> {
        self.folding = true;
        let whole = self.whole_value().and_then(|value| self.data_of(&value, masked));
        let folded = match whole {
            Ok(data) => {
                let mut folder = Folder { text: String::new(), masked, errors: Vec::new() };
                write_data(&mut folder, 0, &data);
                Ok(folder.text)
            }
            Err(error) if error.each().iter().all(|error| error.is_unknown()) => self.fold_documents(masked),
            Err(error) => Err(error),
        };
        self.folding = false;
        folded
    }

    fn fold_documents(&mut self, masked: bool) -> Result<String> {
        let mut folder = Folder { text: String::new(), masked, errors: Vec::new() };
        for root in self.roots.clone() {
            self.fold_group(&mut folder, root, 0)?;
        }
        match Error::all(std::mem::take(&mut folder.errors)) {
            Some(error) => Err(error),
            None => Ok(folder.text),
        }
    }

    /// The diagram of the folded document.
    pub(crate) fn draw_folded(&mut self) -> Result<Picture> {
        let text = self.fold(true)?;
        let mut drawn = Graph::new(Box::new(crate::open::Memory::default()), self.limits.clone());
        let document = drawn.add_document(Source::new("<folded>", None, &text))?;
        drawn.add_layer(document);
        Ok(drawn.draw(Stage::Normalized))
    }

    /// Whether an undecidable stanza can't define the key of a lookup.
    pub(super) fn cannot_define(&self, group: GroupId, stanza: u32, what: Skip) -> bool {
        let Skip::Key(key) = what else { return false };
        let block = self.group(group).block;
        let tree = &self.trees[block.tree as usize];
        !may_define(tree, &tree.block(block.block).stanzas[stanza as usize].kind, key)
    }

    /// The stanzas of a block.
    fn fold_group(&mut self, folder: &mut Folder, group: GroupId, indent: usize) -> Result<()> {
        let block = self.group(group).block;
        let tree = self.tree(block.tree);
        for at in 0..tree.block(block.block).stanzas.len() {
            self.step(tree.block(block.block).stanzas[at].span)?;
            self.fold_stanza(folder, (group, at as u32), &tree, indent)?;
        }
        Ok(())
    }

    fn fold_stanza(
        &mut self,
        folder: &mut Folder,
        (group, at): (GroupId, u32),
        tree: &Rc<Tree>,
        indent: usize,
    ) -> Result<()> {
        let block = self.group(group).block;
        let scope = self.group(group).scope;
        let stanza = &tree.block(block.block).stanzas[at as usize];
        let expr = |expr| ExprRef { tree: block.tree, expr };
        match &stanza.kind {
            StanzaKind::Map(entries) => {
                for entry in &entries.list {
                    self.fold_entry(folder, group, entry, "", indent)?;
                }
            }
            StanzaKind::List(items) => {
                for item in items {
                    self.fold_item(folder, group, *item, indent)?;
                }
            }
            StanzaKind::Extend(entry) => self.fold_entry(folder, group, entry, "extend ", indent)?,
            StanzaKind::If(branches) => self.fold_branches(folder, group, branches, indent)?,
            StanzaKind::Select { subject, cases } => match self.fold_expr(folder, expr(*subject), scope, false) {
                Rest::Known(_) => self.fold_decided(folder, (group, at), tree, indent)?,
                Rest::Unknown(text, _) => {
                    folder.line(indent, &format!("select {text}:"));
                    let view = self.group(group).view;
                    for case in cases {
                        let head = format!("{}:", self.names.text(case.key));
                        if let ValueKind::Body(body) = tree.value(case.value).kind {
                            let inner = self.add_group(BlockRef { tree: block.tree, block: body }, scope, view);
                            folder.line(indent + 2, &head);
                            self.fold_body(folder, inner, indent + 4)?;
                        } else {
                            self.fold_value(folder, group, (case.value, None), (&head, false), indent + 2)?;
                        }
                    }
                }
            },
            StanzaKind::Include(name) => match self.fold_expr(folder, expr(*name), scope, false) {
                Rest::Known(_) => self.fold_decided(folder, (group, at), tree, indent)?,
                Rest::Unknown(text, _) => folder.line(indent, &format!("include {text}")),
            },
            StanzaKind::For { .. } => {
                let list = self.add_list(stanza.span, vec![Pending::Loop(group, at)]);
                let value = Value::new(Kind::List(list), stanza.span, 0);
                self.fold_whole(folder, &value, (group, at), tree, indent);
            }
            StanzaKind::Call { .. } | StanzaKind::New { .. } => self.fold_decided(folder, (group, at), tree, indent)?,
            StanzaKind::Set { targets, value } => {
                let text = match self.fold_expr(folder, expr(*value), scope, false) {
                    Rest::Unknown(text, _) => text,
                    Rest::Known(value) => match self.literal_of(&value, folder.masked) {
                        Some(literal) => literal,
                        None => return self.fold_verbatim(folder, (group, at), tree, indent),
                    },
                };
                let names: Vec<Rc<str>> = targets.names().iter().map(|name| self.text_of(*name)).collect();
                let is_plain = targets.list.iter().all(|target| matches!(target, crate::syntax::Target::Name(_)));
                if !is_plain {
                    return self.fold_verbatim(folder, (group, at), tree, indent);
                }
                let comma = if targets.unpack && names.len() == 1 { "," } else { "" };
                folder.line(indent, &format!("set {}{comma} = {text}", names.join(", ")));
            }
            StanzaKind::NewAs { .. }
            | StanzaKind::Macro { .. }
            | StanzaKind::Prototype { .. }
            | StanzaKind::Search(_)
            | StanzaKind::Configure { .. } => self.fold_verbatim(folder, (group, at), tree, indent)?,
        }
        Ok(())
    }

    /// The branches of a condition whose conditions are not known to be false.
    fn fold_branches(&mut self, folder: &mut Folder, group: GroupId, branches: &[Branch], indent: usize) -> Result<()> {
        let (block, scope, view) = {
            let this = self.group(group);
            (this.block, this.scope, this.view)
        };
        let mut is_first = true;
        for branch in branches {
            let rest = branch.condition.map(|condition| {
                let expr = ExprRef { tree: block.tree, expr: condition };
                self.fold_expr(folder, expr, scope, true)
            });
            let body = BlockRef { tree: block.tree, block: branch.body };
            let is_known = match rest {
                Some(Rest::Known(value)) => {
                    if !self.is_true(&value)? {
                        continue;
                    }
                    true
                }
                Some(Rest::Unknown(text, _)) => {
                    folder.line(indent, &format!("{} {text}:", if is_first { "if" } else { "elif" }));
                    false
                }
                None => true,
            };
            let inner = self.add_group(body, scope, view);
            if is_known && is_first {
                return self.fold_group(folder, inner, indent);
            }
            if is_known {
                folder.line(indent, "else:");
            }
            self.fold_body(folder, inner, indent + 2)?;
            is_first = false;
            if is_known {
                break;
            }
        }
        Ok(())
    }

    /// A body, which may not be empty.
    fn fold_body(&mut self, folder: &mut Folder, group: GroupId, indent: usize) -> Result<()> {
        let before = folder.text.len();
        self.fold_group(folder, group, indent)?;
        if folder.text.len() == before {
            folder.line(indent, "if 0:");
            folder.line(indent + 2, "a: 0");
        }
        Ok(())
    }

    /// The choice of a stanza, or its source text.
    fn fold_decided(
        &mut self,
        folder: &mut Folder,
        (group, at): (GroupId, u32),
        tree: &Rc<Tree>,
        indent: usize,
    ) -> Result<()> {
        let decided = self.decide(group, at, Skip::All);
        let Some(Some(choice)) = folder.known(decided) else {
            return self.fold_verbatim(folder, (group, at), tree, indent);
        };
        let is_scoped = matches!(
            tree.block(self.group(group).block.block).stanzas[at as usize].kind,
            StanzaKind::Call { .. } | StanzaKind::New { .. }
        );
        match &*choice {
            Choice::Value(thunk) => {
                let value = self.force(*thunk);
                match folder.known(value) {
                    Some(value) => self.fold_whole(folder, &value, (group, at), tree, indent),
                    None => self.fold_verbatim(folder, (group, at), tree, indent)?,
                }
            }
            Choice::Layers(layers) if is_scoped => {
                let span = tree.block(self.group(group).block.block).span;
                let view = self.add_view(span, Older::Nothing);
                for layer in layers {
                    let layer = self.whole(*layer);
                    self.push_layer(view, layer);
                }
                let value = match layers[..] {
                    [Layer::Group(only, _)] if self.is_list_group(only) => {
                        let list = self.add_list(span, vec![Pending::Block(only, 0)]);
                        Value::new(Kind::List(list), span, 0)
                    }
                    _ => self.map_value(view.id),
                };
                self.fold_whole(folder, &value, (group, at), tree, indent);
            }
            Choice::Layers(layers) => {
                for layer in layers {
                    if let Layer::Group(inner, _) = layer {
                        self.fold_group(folder, *inner, indent)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn is_list_group(&self, group: GroupId) -> bool {
        let block = self.group(group).block;
        self.trees[block.tree as usize].block(block.block).shape.is_list()
    }

    /// A value with everything in it in the place of a stanza, or the stanza as it is written.
    fn fold_whole(
        &mut self,
        folder: &mut Folder,
        value: &Value,
        (group, at): (GroupId, u32),
        tree: &Rc<Tree>,
        indent: usize,
    ) {
        let data = self.data_of(value, folder.masked);
        let unknown_only = |error: &Error| error.each().iter().all(|error| error.is_unknown());
        match data {
            Ok(data) => write_data(folder, indent, &data),
            Err(error) if unknown_only(&error) => {
                let verbatim = self.fold_verbatim(folder, (group, at), tree, indent);
                folder.known(verbatim);
            }
            Err(error) => folder.errors.push(error),
        }
    }

    /// A stanza as it is written: its line, and those that are indented deeper.
    fn fold_verbatim(
        &mut self,
        folder: &mut Folder,
        (group, at): (GroupId, u32),
        tree: &Rc<Tree>,
        indent: usize,
    ) -> Result<()> {
        let span = tree.block(self.group(group).block.block).stanzas[at as usize].span;
        self.verbatim(folder, span, indent)
    }

    fn verbatim(&self, folder: &mut Folder, span: Span, indent: usize) -> Result<()> {
        let source = self.sources.get(span.source);
        if folder.masked && source.labels & SECRET != 0 {
            folder.line(indent, &format!("# {MASK}"));
            return Ok(());
        }
        let text = source.text.clone();
        let start = text[..span.start as usize].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let own = text[start..].len() - text[start..].trim_start_matches(' ').len();
        let mut lines = text[start..].lines();
        for line in lines.next().into_iter().chain(lines.take_while(|line| {
            let depth = line.len() - line.trim_start_matches(' ').len();
            let word = line.trim_start_matches([' ', '%']);
            line.trim().is_empty()
                || depth > own
                || depth == own && (word.starts_with("elif ") || word.starts_with("else"))
        })) {
            if !line.trim().is_empty() {
                folder.line(indent, line.get(own..).unwrap_or_default().trim_end());
            }
        }
        self.check_length(folder.text.len(), span)
    }

    fn fold_entry(
        &mut self,
        folder: &mut Folder,
        group: GroupId,
        entry: &Entry,
        before: &str,
        indent: usize,
    ) -> Result<()> {
        let head = format!("{before}{}:", self.names.text(entry.key));
        self.fold_value(folder, group, (entry.value, Some(entry.key)), (&head, false), indent)
    }

    fn fold_item(&mut self, folder: &mut Folder, group: GroupId, item: ValueId, indent: usize) -> Result<()> {
        self.fold_value(folder, group, (item, None), ("-", true), indent)
    }

    /// A value behind its key or hyphen.
    fn fold_value(
        &mut self,
        folder: &mut Folder,
        group: GroupId,
        (value, key): (ValueId, Option<Name>),
        (head, is_item): (&str, bool),
        indent: usize,
    ) -> Result<()> {
        let (block, scope) = (self.group(group).block, self.group(group).scope);
        let tree = self.tree(block.tree);
        let node = tree.value(value);
        let is_hidden = folder.masked && self.labels_at(node.span.source) & SECRET != 0;
        match &node.kind {
            ValueKind::Body(body) => {
                let body = BlockRef { tree: block.tree, block: *body };
                let inner = self.body_group(group, body, key);
                if is_item {
                    let whole = self.value(super::ValueRef { tree: block.tree, value }, scope, None);
                    let whole = whole.and_then(|whole| self.data_of(&whole, folder.masked));
                    if let Some(data) = folder.known(whole) {
                        write_value(folder, indent, (head, true), &data);
                        return Ok(());
                    }
                    return self.fold_item_body(folder, inner, node.span, indent);
                }
                folder.line(indent, head);
                self.fold_body(folder, inner, indent + 2)
            }
            ValueKind::Template(expr) => {
                let expr = ExprRef { tree: block.tree, expr: *expr };
                match self.fold_expr(folder, expr, scope, false) {
                    Rest::Unknown(text, _) => folder.line(indent, &format!("{head} {{{{ {text} }}}}")),
                    Rest::Known(value) => match self.data_of(&value, folder.masked) {
                        Ok(data) => write_value(folder, indent, (head, is_item), &data),
                        Err(_) if is_hidden => folder.line(indent, &format!("{head} \"{MASK}\"")),
                        Err(_) => {
                            let text = self.written_as(folder, expr);
                            folder.line(indent, &format!("{head} {{{{ {text} }}}}"));
                        }
                    },
                }
                Ok(())
            }
            ValueKind::Parts(parts, _) => {
                let whole = self.value(super::ValueRef { tree: block.tree, value }, scope, None);
                if let Some(value) = folder.known(whole) {
                    let data = self.data_of(&value, folder.masked)?;
                    write_value(folder, indent, (head, is_item), &data);
                    return Ok(());
                }
                let text = self.fold_parts(folder, parts, (block.tree, scope, is_hidden));
                folder.line(indent, &format!("{head} {{{{ {text} }}}}"));
                Ok(())
            }
            _ => {
                let value = self.value(super::ValueRef { tree: block.tree, value }, scope, None)?;
                let data = self.data_of(&value, folder.masked)?;
                write_value(folder, indent, (head, is_item), &data);
                Ok(())
            }
        }
    }

    /// Text with templates, some of which are unknown, as a call of `join`.
    fn fold_parts(
        &mut self,
        folder: &mut Folder,
        parts: &[Part],
        (tree, scope, is_hidden): (u32, ScopeId, bool),
    ) -> String {
        let mut terms = Vec::new();
        let mut known = String::new();
        for part in parts {
            match part {
                Part::Text(_) if is_hidden => known.push_str(MASK),
                Part::Text(text) => known.push_str(text),
                Part::Expr(expr) => match self.fold_expr(folder, ExprRef { tree, expr: *expr }, scope, false) {
                    Rest::Unknown(text, _) => {
                        if !known.is_empty() {
                            terms.push(literal(&Data::Text(std::mem::take(&mut known))));
                        }
                        terms.push(text);
                    }
                    Rest::Known(value) => {
                        let text = if folder.masked { value.safe_text() } else { value.as_text() };
                        known.push_str(&text.unwrap_or_default());
                    }
                },
            }
        }
        if !known.is_empty() {
            terms.push(literal(&Data::Text(known)));
        }
        format!("join(\"\", [{}])", terms.join(", "))
    }

    /// The group of a body under a key, with the mapping that `here` is.
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

    /// An item that is a body: its first key stands behind the hyphen.
    fn fold_item_body(&mut self, folder: &mut Folder, inner: GroupId, span: Span, indent: usize) -> Result<()> {
        let start = folder.text.len();
        self.fold_body(folder, inner, indent + 2)?;
        let begins_with_key = {
            let line = folder.text[start..].trim_start();
            let word = line.split([' ', '\n']).next().unwrap_or_default();
            word.ends_with(':') && !crate::syntax::is_reserved(word.trim_end_matches(':'))
        };
        if begins_with_key {
            folder.text.replace_range((start + indent)..=(start + indent), "-");
        } else {
            folder.text.truncate(start);
            self.verbatim(folder, span, indent)?;
        }
        Ok(())
    }

    /// Folds an expression, as a truth value or as it is.
    fn fold_expr(&mut self, folder: &mut Folder, expr: ExprRef, scope: ScopeId, truth: bool) -> Rest {
        let whole = self.eval(expr, scope).and_then(|value| match value.kind {
            Kind::List(_) | Kind::Map(_) => match self.data_of(&value, false) {
                Err(error) if error.each().iter().any(|error| error.is_unknown()) => Err(error),
                _ => Ok(value),
            },
            _ => Ok(value),
        });
        let error = match whole {
            Ok(value) => return Rest::Known(value),
            Err(error) => error,
        };
        if !error.is_unknown() {
            folder.errors.push(error);
            return Rest::Unknown(self.written_as(folder, expr), true);
        }
        let tree = self.tree(expr.tree);
        let within = |inner| ExprRef { tree: expr.tree, expr: inner };
        match &tree.expr(expr.expr).kind {
            ExprKind::Name(name) => Rest::Unknown(self.text_of(*name).to_string(), false),
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                let and = matches!(tree.expr(expr.expr).kind, ExprKind::And(..));
                self.fold_both(folder, (within(*left), within(*right)), and, scope, truth)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                match self.fold_expr(folder, within(*condition), scope, true) {
                    Rest::Known(value) => {
                        let branch = if self.is_true(&value).unwrap_or(false) { then } else { otherwise };
                        self.fold_expr(folder, within(*branch), scope, truth)
                    }
                    Rest::Unknown(..) => self.fold_operands(folder, &tree, expr, scope),
                }
            }
            ExprKind::Comprehension(_) => Rest::Unknown(self.written_as(folder, expr), false),
            _ => self.fold_operands(folder, &tree, expr, scope),
        }
    }

    /// `and` and `or`: an operand that is known decides, or says nothing.
    fn fold_both(
        &mut self,
        folder: &mut Folder,
        (left, right): (ExprRef, ExprRef),
        and: bool,
        scope: ScopeId,
        truth: bool,
    ) -> Rest {
        let first = self.fold_expr(folder, left, scope, truth);
        if let Rest::Known(value) = &first {
            // The left operand is not what the expression is, or the whole would be known.
            let is_neutral = self.is_true(value).unwrap_or(and) == and;
            return if is_neutral { self.fold_expr(folder, right, scope, truth) } else { first };
        }
        let second = self.fold_expr(folder, right, scope, truth);
        if let (true, Rest::Known(value)) = (truth, &second) {
            let is_neutral = self.is_true(value).unwrap_or(!and) == and;
            return if is_neutral { first } else { second };
        }
        let word = if and { "and" } else { "or" };
        let (first, second) = (self.operand(folder, left, first), self.operand(folder, right, second));
        Rest::Unknown(format!("{first} {word} {second}"), true)
    }

    /// The text of an expression in which the operands that are known are values.
    fn fold_operands(&mut self, folder: &mut Folder, tree: &Rc<Tree>, expr: ExprRef, scope: ScopeId) -> Rest {
        let within = |inner| ExprRef { tree: expr.tree, expr: inner };
        let kind = &tree.expr(expr.expr).kind;
        if let ExprKind::Template(value) = kind {
            let span = tree.value(*value).span;
            let is_hidden = folder.masked && self.labels_at(span.source) & SECRET != 0;
            if let ValueKind::Parts(parts, _) = &tree.value(*value).kind {
                return Rest::Unknown(self.fold_parts(folder, parts, (expr.tree, scope, is_hidden)), false);
            }
        }
        let mut parts = Vec::new();
        for inner in operands(kind) {
            let rest = self.fold_expr(folder, within(inner), scope, false);
            parts.push(self.operand(folder, within(inner), rest));
        }
        let mut next = parts.into_iter();
        let mut part = || next.next().unwrap_or_default();
        match kind {
            ExprKind::Unary(operator, _) => Rest::Unknown(format!("{}{}", operator.text(), part()), true),
            ExprKind::Binary(operator, ..) => Rest::Unknown(format!("{} {} {}", part(), operator.text(), part()), true),
            ExprKind::Else(..) => Rest::Unknown(format!("{} else {}", part(), part()), true),
            ExprKind::Conditional { .. } => Rest::Unknown(format!("{} if {} else {}", part(), part(), part()), true),
            ExprKind::Compare(_, chain) => {
                let mut made = part();
                for (operator, _) in chain {
                    made.extend([" ", operator.text(), " ", &part()]);
                }
                Rest::Unknown(made, true)
            }
            ExprKind::Attribute(_, name) => Rest::Unknown(format!("{}.{}", part(), self.names.text(*name)), false),
            ExprKind::Index(..) => Rest::Unknown(format!("{}[{}]", part(), part()), false),
            ExprKind::Slice(_, bounds) => {
                let mut made = part() + "[";
                for (n, bound) in bounds.iter().enumerate().filter(|(n, bound)| *n < 2 || bound.is_some()) {
                    made.push_str(if n > 0 { ":" } else { "" });
                    made.push_str(&bound.map(|_| part()).unwrap_or_default());
                }
                Rest::Unknown(made + "]", false)
            }
            ExprKind::Spread(_) => Rest::Unknown(format!("*{}", part()), false),
            ExprKind::List(items) => {
                Rest::Unknown(format!("[{}]", items.iter().map(|_| part()).collect::<Vec<_>>().join(", ")), false)
            }
            ExprKind::Set(items) => {
                Rest::Unknown(format!("{{{}}}", items.iter().map(|_| part()).collect::<Vec<_>>().join(", ")), false)
            }
            ExprKind::Dict(pairs) => {
                let entries = pairs.iter().map(|(key, _)| match key {
                    Some(_) => format!("{}: {}", part(), part()),
                    None => format!("**{}", part()),
                });
                Rest::Unknown(format!("{{{}}}", entries.collect::<Vec<_>>().join(", ")), false)
            }
            ExprKind::Call { positional, keywords, spread, .. } => {
                let callee = part();
                let mut arguments: Vec<String> = positional.iter().map(|_| part()).collect();
                arguments.extend(keywords.iter().map(|(name, _)| format!("{}={}", self.names.text(*name), part())));
                arguments.extend(spread.map(|_| format!("**{}", part())));
                Rest::Unknown(format!("{callee}({})", arguments.join(", ")), false)
            }
            _ => Rest::Unknown(self.written_as(folder, expr), false),
        }
    }

    /// The text of a folded operand.
    fn operand(&mut self, folder: &Folder, expr: ExprRef, rest: Rest) -> String {
        match rest {
            Rest::Unknown(text, true) => format!("({text})"),
            Rest::Unknown(text, false) => text,
            Rest::Known(value) => match self.literal_of(&value, folder.masked) {
                Some(text) if text.starts_with('-') => format!("({text})"),
                Some(text) => text,
                // A function or a macro.
                None => self.written_as(folder, expr),
            },
        }
    }

    /// A value as an expression.
    fn literal_of(&mut self, value: &Value, masked: bool) -> Option<String> {
        self.data_of(value, masked).ok().map(|data| literal(&data))
    }

    /// An expression as it is written.
    fn written_as(&self, folder: &Folder, expr: ExprRef) -> String {
        let span = self.expr_span(expr);
        let source = self.sources.get(span.source);
        if folder.masked && source.labels & SECRET != 0 {
            return literal(&Data::Text(MASK.to_owned()));
        }
        source.text[span.start as usize..span.end as usize].replace(['\n', '\r', '\\'], " ")
    }
}

/// Whether a stanza may define a key, as far as its text tells.
fn may_define(tree: &Tree, kind: &StanzaKind, key: Name) -> bool {
    let in_block = |block| {
        tree.block(block).stanzas.iter().any(|stanza: &crate::syntax::Stanza| may_define(tree, &stanza.kind, key))
    };
    match kind {
        StanzaKind::If(branches) => branches.iter().any(|branch| in_block(branch.body)),
        StanzaKind::Select { cases, .. } => cases.iter().any(|case| match tree.value(case.value).kind {
            ValueKind::Body(block) => in_block(block),
            ValueKind::EmptyMap => false,
            _ => true,
        }),
        StanzaKind::Set { .. }
        | StanzaKind::Macro { .. }
        | StanzaKind::Prototype { .. }
        | StanzaKind::Search(_)
        | StanzaKind::Configure { .. } => false,
        _ => kind.entries().is_none_or(|entries| entries.iter().any(|entry| entry.key == key)),
    }
}

/// The expressions that an expression is made of, in one scope.
pub(super) fn operands(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::List(items) | ExprKind::Set(items) => items.clone(),
        ExprKind::Dict(pairs) => pairs.iter().flat_map(|(key, value)| key.iter().copied().chain([*value])).collect(),
        ExprKind::Spread(inner) | ExprKind::Attribute(inner, _) | ExprKind::Unary(_, inner) => vec![*inner],
        ExprKind::Index(left, right)
        | ExprKind::Binary(_, left, right)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Else(left, right) => vec![*left, *right],
        ExprKind::Slice(inner, bounds) => std::iter::once(*inner).chain(bounds.iter().flatten().copied()).collect(),
        ExprKind::Call { callee, positional, keywords, spread } => {
            let keywords = keywords.iter().map(|(_, value)| *value);
            std::iter::once(*callee).chain(positional.iter().copied()).chain(keywords).chain(*spread).collect()
        }
        ExprKind::Compare(first, chain) => std::iter::once(*first).chain(chain.iter().map(|(_, next)| *next)).collect(),
        ExprKind::Conditional { condition, then, otherwise } => vec![*then, *condition, *otherwise],
        ExprKind::Literal(_)
        | ExprKind::Name(_)
        | ExprKind::Comprehension(_)
        | ExprKind::Unsupported(_)
        | ExprKind::Template(_) => Vec::new(),
    }
}

/// Data as a document, or as a part of one.
fn write_data(folder: &mut Folder, indent: usize, data: &Data) {
    match data {
        Data::Map(entries) => {
            for (key, value) in entries {
                write_value(folder, indent, (&format!("{key}:"), false), value);
            }
        }
        Data::List(items) => {
            for item in items {
                write_value(folder, indent, ("-", true), item);
            }
        }
        // A stanza can't be a scalar.
        other => folder.line(indent, &format!("# {}", literal(other))),
    }
}

/// Data behind a key or a hyphen.
fn write_value(folder: &mut Folder, indent: usize, (head, is_item): (&str, bool), data: &Data) {
    match data {
        Data::Map(entries) if entries.is_empty() => folder.line(indent, &format!("{head} {{}}")),
        Data::List(items) if items.is_empty() => folder.line(indent, &format!("{head} []")),
        Data::Map(entries) if entries.iter().all(|(key, value)| is_key(key) && can_be_lines(value)) => {
            if !is_item {
                folder.line(indent, head);
                return write_data(folder, indent + 2, data);
            }
            let start = folder.text.len();
            write_data(folder, indent + 2, data);
            folder.text.replace_range((start + indent)..=(start + indent), "-");
        }
        Data::List(items) if !is_item && items.iter().all(can_be_lines) => {
            folder.line(indent, head);
            write_data(folder, indent + 2, data);
        }
        Data::Map(_) | Data::List(_) => folder.line(indent, &format!("{head} {{{{ {} }}}}", literal(data))),
        Data::Null => folder.line(indent, &format!("{head} {{{{ none }}}}")),
        Data::Bool(truth) => folder.line(indent, &format!("{head} {truth}")),
        Data::Int(number) => folder.line(indent, &format!("{head} {number}")),
        Data::Float(number) => folder.line(indent, &format!("{head} {}", float_text(*number))),
        Data::Text(text) => {
            let plain = crate::syntax::typed(text) == crate::syntax::Plain::Text && is_plain(text);
            let text = match (plain, text.contains(['"', '\n', '\r', '\t']) || text.contains("{{")) {
                (true, _) => text.clone(),
                (false, false) => format!("\"{text}\""),
                (false, true) => format!("{{{{ {} }}}}", literal(data)),
            };
            folder.line(indent, &format!("{head} {text}"));
        }
    }
}

/// Whether data in a list or mapping can be written as lines: lists in lists can't.
fn can_be_lines(data: &Data) -> bool {
    match data {
        Data::Map(entries) => entries.iter().all(|(key, value)| is_key(key) && can_be_lines(value)),
        Data::List(items) => items.iter().all(|item| !matches!(item, Data::List(_)) && can_be_lines(item)),
        _ => true,
    }
}

fn is_key(key: &str) -> bool {
    !key.is_empty()
        && !key.starts_with(['-', '#', '%', '"'])
        && !key.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, ':' | '{' | '}'))
        && !crate::syntax::is_reserved(key)
}

/// Whether text can stand without quotes.
fn is_plain(text: &str) -> bool {
    let ends = |c: char| c == ' ' || c == '\t';
    !text.is_empty()
        && !text.starts_with(['"', '#', '{', '[', '>', '|'])
        && !text.starts_with(ends)
        && !text.ends_with(ends)
        && !text.ends_with(':')
        && !text.contains(['\n', '\r'])
        && ![": ", ":\t", " #", "\t#", "{{"].iter().any(|part| text.contains(part))
}

/// Data as an expression.
fn literal(data: &Data) -> String {
    match data {
        Data::Null => "none".to_owned(),
        Data::Bool(truth) => truth.to_string(),
        Data::Int(i64::MIN) => "(-9223372036854775807 - 1)".to_owned(),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => float_text(*number),
        Data::Text(text) => {
            let mut made = String::from('"');
            for c in text.chars() {
                match c {
                    '"' | '\\' => made.extend(['\\', c]),
                    '\n' => made.push_str("\\n"),
                    '\r' => made.push_str("\\r"),
                    '\t' => made.push_str("\\t"),
                    _ => made.push(c),
                }
            }
            made + "\""
        }
        Data::List(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Data::Map(entries) => {
            let entry =
                |(key, value): &(String, Data)| format!("{}: {}", literal(&Data::Text(key.clone())), literal(value));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

impl Error {
    /// Whether it is about a name that nothing gives a meaning.
    pub(crate) fn is_unknown(&self) -> bool {
        self.category() == Category::NoMatching && self.has_unknown_name()
    }
}
