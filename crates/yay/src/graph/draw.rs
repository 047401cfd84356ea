//! The syntax as a diagram. Nothing is evaluated. A queue instead of recursion keeps the stack small.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use tosca_parse_engine::diagnostic::is_secret;

use super::{BlockRef, ExprRef, Graph, ValueRef};
use crate::diagram::{Diagram, Stage, brief, without_credentials};
use crate::name::Name;
use crate::syntax::{BlockId, Entry, ExprId, ExprKind, Literal, Part, StanzaKind, Targets, Tree, ValueId, ValueKind};
use crate::value::{MASK, SECRET, float_text};

/// A part with a box whose content is not drawn yet.
enum Waiting {
    Stanza(BlockRef, usize, Layer),
    Value(ValueRef),
    Expr(ExprRef),
}

/// The position of a layer in a mapping.
#[derive(Clone, Copy)]
struct Layer {
    mapping: usize,
    /// The number of stanzas before it.
    order: usize,
    /// Whether it is certain to be a layer: false if a condition decides.
    is_sure: bool,
}

/// The definitions in a mapping.
#[derive(Default)]
struct Mapping {
    keys: FxHashMap<Name, Vec<Defined>>,
    /// The key whose value the mapping is, and the layer of the mapping that contains the key.
    of: Option<(Name, Layer)>,
}

#[derive(Clone, Copy)]
struct Defined {
    order: usize,
    node: usize,
    /// The number of the mapping, if the value is a body.
    body: Option<usize>,
}

struct Drawing<'g, 'o> {
    graph: &'g Graph<'o>,
    stage: Stage,
    diagram: Diagram,
    waiting: VecDeque<(usize, Waiting)>,
    mappings: Vec<Mapping>,
    orders: usize,
    /// The older layers of stanzas.
    under: FxHashMap<usize, usize>,
    /// The boxes whose parts are secrets, because a name says so.
    hidden: FxHashSet<usize>,
}

impl Graph<'_> {
    /// Returns the syntax of all documents as a diagram.
    pub(crate) fn draw(&self, stage: Stage) -> Diagram {
        let mut drawing = Drawing {
            graph: self,
            stage,
            diagram: Diagram::default(),
            waiting: VecDeque::new(),
            mappings: vec![Mapping::default()],
            orders: 0,
            under: FxHashMap::default(),
            hidden: FxHashSet::default(),
        };
        let mut under = None;
        for root in &self.roots {
            let layer = Layer { mapping: 0, order: 0, is_sure: true };
            under = Some(drawing.block(self.group(*root).block, Some(layer), under));
        }
        while let Some((node, part)) = drawing.waiting.pop_front() {
            match part {
                Waiting::Stanza(block, at, layer) => drawing.stanza(node, block, at, layer),
                Waiting::Value(value) => drawing.inside_value(node, value),
                Waiting::Expr(expr) => drawing.inside_expr(node, expr),
            }
        }
        drawing.diagram
    }
}

impl<'g> Drawing<'g, '_> {
    fn tree(&self, tree: u32) -> &'g Tree {
        &self.graph.loaded.trees[tree as usize]
    }

    fn name(&self, name: Name) -> &'g str {
        self.graph.loaded.names.text(name)
    }

    /// Draws the stanzas of a block and returns the last box, which represents the block. `layer` is that of the
    /// block's owner, if the block belongs to an existing mapping.
    fn block(&mut self, block: BlockRef, layer: Option<Layer>, under: Option<usize>) -> usize {
        let mapping = layer.map_or_else(|| self.mapping(None), |layer| layer.mapping);
        let stanzas = &self.tree(block.tree).block(block.block).stanzas;
        let mut last = under;
        for (at, stanza) in stanzas.iter().enumerate() {
            let text = self.stanza_text(&stanza.kind);
            let node = self.diagram.add(stanza_kind(&stanza.kind), text);
            if let StanzaKind::Set { targets, .. } = &stanza.kind
                && targets.names().into_iter().any(|name| is_secret(self.name(name)))
            {
                self.hidden.insert(node);
            }
            if let Some(last) = last {
                self.diagram.over(node, last);
                self.under.insert(node, last);
            }
            self.orders += 1;
            let is_sure = layer.is_none_or(|layer| layer.is_sure);
            let order = if is_sure { self.orders } else { layer.map_or(0, |layer| layer.order) };
            self.waiting.push_back((node, Waiting::Stanza(block, at, Layer { mapping, order, is_sure })));
            last = Some(node);
        }
        match last {
            Some(last) if !stanzas.is_empty() => last,
            _ => self.diagram.add("Mapping", ""),
        }
    }

    fn mapping(&mut self, of: Option<(Name, Layer)>) -> usize {
        self.mappings.push(Mapping { keys: FxHashMap::default(), of });
        self.mappings.len() - 1
    }

    /// Draws a block over the layers before a stanza.
    fn body(&mut self, node: usize, tree: u32, block: BlockId, layer: Layer, name: &str) {
        let under = match self.stage {
            Stage::Initial => Some(self.diagram.add("Predecessor", "")),
            _ => self.under.get(&node).copied(),
        };
        let layer = Layer { is_sure: false, ..layer };
        let first = self.diagram.boxes.len();
        let body = self.block(BlockRef { tree, block }, Some(layer), under);
        self.hide(node, name, first);
        self.diagram.connect(node, body, name);
    }

    /// Draws a separate block.
    fn own_body(&mut self, node: usize, tree: u32, block: BlockId, name: &str) {
        let first = self.diagram.boxes.len();
        let body = self.block(BlockRef { tree, block }, None, None);
        self.hide(node, name, first);
        self.diagram.connect(node, body, name);
    }

    /// Returns whether a part of a box is a secret: the box is part of one, or the name of the part suggests it.
    fn hides(&self, node: usize, name: &str) -> bool {
        self.hidden.contains(&node) || is_secret(name)
    }

    /// Hides the new boxes, beginning with the given one, if they are a secret part of a box.
    fn hide(&mut self, node: usize, name: &str, first: usize) {
        if self.hides(node, name) {
            self.hidden.extend(first..self.diagram.boxes.len());
        }
    }

    fn stanza(&mut self, node: usize, block: BlockRef, at: usize, layer: Layer) {
        let tree = block.tree;
        match &self.tree(tree).block(block.block).stanzas[at].kind {
            StanzaKind::Map(entries) => {
                for entry in &entries.list {
                    self.entry(node, tree, entry, layer, None);
                }
            }
            StanzaKind::List(items) => {
                for (number, item) in items.iter().enumerate() {
                    self.value(node, tree, *item, &number.to_string());
                }
            }
            StanzaKind::Extend(entry) => self.entry(node, tree, entry, layer, Some("inner")),
            StanzaKind::Include(expr) | StanzaKind::Search(expr) => {
                self.expr(node, tree, *expr, "expr");
            }
            StanzaKind::Configure { body, .. } => self.own_body(node, tree, *body, "body"),
            StanzaKind::Set { value, .. } => {
                self.expr(node, tree, *value, "value");
            }
            StanzaKind::If(branches) => {
                for (number, branch) in branches.iter().enumerate() {
                    let counted =
                        |what: &str| if number == 0 { what.to_owned() } else { format!("{what} {}", number + 1) };
                    match branch.condition {
                        Some(condition) => {
                            self.expr(node, tree, condition, &counted("cond"));
                            self.body(node, tree, branch.body, layer, &counted("value"));
                        }
                        None => self.body(node, tree, branch.body, layer, "else"),
                    }
                }
            }
            StanzaKind::For { iterable, condition, body, .. } => {
                self.expr(node, tree, *iterable, "iterable");
                if let Some(condition) = condition {
                    self.expr(node, tree, *condition, "cond");
                }
                let context = self.diagram.add("Context", "");
                self.diagram.connect(node, context, "value");
                self.own_body(context, tree, *body, "body");
            }
            StanzaKind::Select { subject, cases } => {
                self.expr(node, tree, *subject, "expr");
                for case in cases {
                    let name = self.name(case.key);
                    match self.tree(tree).value(case.value).kind {
                        ValueKind::Body(block) => self.body(node, tree, block, layer, name),
                        _ => {
                            self.value(node, tree, case.value, name);
                        }
                    }
                }
            }
            StanzaKind::Macro { body, .. } | StanzaKind::Prototype { body, .. } => {
                self.own_body(node, tree, *body, "body");
            }
            StanzaKind::Call { callee, arguments } => {
                self.expr(node, tree, *callee, "callee");
                self.own_body(node, tree, *arguments, "arguments");
            }
            StanzaKind::New { class, body } => {
                self.expr(node, tree, *class, "class");
                self.body(node, tree, *body, layer, "body");
            }
            StanzaKind::NewAs { class, entry, .. } => {
                self.expr(node, tree, *class, "class");
                self.entry(node, tree, entry, layer, Some("body"));
            }
        }
    }

    /// Draws a key and its value, which is a layer over the older value of the key.
    fn entry(&mut self, node: usize, tree: u32, entry: &Entry, layer: Layer, name: Option<&str>) {
        let key = self.name(entry.key);
        if name.is_some() && is_secret(key) {
            self.hidden.insert(node);
        }
        let name = name.unwrap_or(key);
        let (value, body) = match self.tree(tree).value(entry.value).kind {
            ValueKind::Body(block) => {
                let is_list = self.tree(tree).block(block).shape.is_list();
                let under = match self.stage {
                    _ if is_list => None,
                    Stage::Initial => Some(self.diagram.add("Predecessor", "")),
                    _ => self.older(entry.key, layer).map(|older| older.node),
                };
                let mapping = self.mapping(Some((entry.key, layer)));
                let inner = Layer { mapping, order: 0, is_sure: true };
                let first = self.diagram.boxes.len();
                let value = self.block(BlockRef { tree, block }, Some(inner), under);
                self.hide(node, name, first);
                self.diagram.connect(node, value, name);
                (value, Some(mapping))
            }
            _ => (self.value(node, tree, entry.value, name), None),
        };
        if layer.is_sure {
            let defined = self.mappings[layer.mapping].keys.entry(entry.key).or_default();
            defined.push(Defined { order: layer.order, node: value, body });
        }
    }

    /// Returns the definition of a key before a layer.
    fn older(&self, key: Name, layer: Layer) -> Option<Defined> {
        const FARTHEST: usize = 16;
        let mut layer = layer;
        for _ in 0..FARTHEST {
            let mapping = &self.mappings[layer.mapping];
            let defined = mapping.keys.get(&key).map_or(&[][..], Vec::as_slice);
            let before = defined.partition_point(|defined| defined.order <= layer.order);
            if let Some(found) = before.checked_sub(1).map(|at| defined[at]) {
                return Some(found);
            }
            let (outer, of) = mapping.of?;
            let body = self.older(outer, of)?.body?;
            layer = Layer { mapping: body, order: usize::MAX, is_sure: true };
        }
        None
    }

    fn value(&mut self, node: usize, tree: u32, value: ValueId, name: &str) -> usize {
        let this = self.tree(tree).value(value);
        let (first, is_hidden) = (self.diagram.boxes.len(), self.hides(node, name));
        let to = match &this.kind {
            ValueKind::Template(expr) => return self.expr(node, tree, *expr, name),
            ValueKind::Body(block) => self.block(BlockRef { tree, block: *block }, None, None),
            ValueKind::Empty => self.diagram.add("Boxed", ""),
            ValueKind::EmptyMap => self.diagram.add("Mapping", ""),
            ValueKind::EmptyList => self.diagram.add("Sequence", ""),
            ValueKind::Plain(_, text) | ValueKind::Text(text) => self.boxed(tree, text, is_hidden),
            ValueKind::Parts(..) => {
                let to = self.diagram.add("Concatenation", "");
                self.waiting.push_back((to, Waiting::Value(ValueRef { tree, value })));
                to
            }
        };
        self.hide(node, name, first);
        self.diagram.connect(node, to, name);
        to
    }

    /// Draws a scalar. Secrets and scalars of documents with secrets are masked.
    fn boxed(&mut self, tree: u32, text: &str, is_hidden: bool) -> usize {
        let source = self.tree(tree).block(self.tree(tree).root).span.source;
        let is_secret = is_hidden || self.graph.labels_at(source) & SECRET != 0;
        self.diagram.add("Boxed", if is_secret { MASK.to_owned() } else { brief(text) })
    }

    fn inside_value(&mut self, node: usize, value: ValueRef) {
        let ValueKind::Parts(parts, _) = &self.tree(value.tree).value(value.value).kind else { return };
        let texts = parts.iter().map(|part| match part {
            Part::Text(text) => Some(&**text),
            Part::Expr(_) => None,
        });
        let shown = without_credentials(texts);
        for ((number, part), (text, is_credential)) in parts.iter().enumerate().zip(shown) {
            match part {
                Part::Text(_) => {
                    let to = self.boxed(value.tree, &text, self.hidden.contains(&node));
                    self.diagram.connect(node, to, number.to_string());
                }
                Part::Expr(expr) => {
                    let first = self.diagram.boxes.len();
                    if is_credential {
                        // The box comes first, so that its own text is masked, too.
                        self.hidden.insert(first);
                    }
                    self.expr(node, value.tree, *expr, &number.to_string());
                }
            }
        }
    }

    fn expr(&mut self, node: usize, tree: u32, expr: ExprId, name: &str) -> usize {
        let first = self.diagram.boxes.len();
        let is_hidden = self.hides(node, name) || self.hidden.contains(&first);
        let to = match &self.tree(tree).expr(expr).kind {
            ExprKind::Literal(literal) => self.boxed(tree, &literal_text(literal), is_hidden),
            ExprKind::Name(name) => self.diagram.add("Identifier", self.name(*name)),
            ExprKind::Template(value) => return self.value(node, tree, *value, name),
            kind => {
                let (what, text) = self.expr_kind(kind);
                let to = self.diagram.add(what, text);
                self.waiting.push_back((to, Waiting::Expr(ExprRef { tree, expr })));
                to
            }
        };
        self.hide(node, name, first);
        self.diagram.connect(node, to, name);
        to
    }

    fn expr_kind(&self, kind: &ExprKind) -> (&'static str, String) {
        let none = String::new;
        match kind {
            ExprKind::List(_) => ("Sequence", none()),
            ExprKind::Set(_) => ("Sequence", "each once".to_owned()),
            ExprKind::Dict(_) => ("Mapping", none()),
            ExprKind::Comprehension(this) => {
                let targets: Vec<_> = this.clauses.iter().map(|clause| self.targets(&clause.targets)).collect();
                ("For", targets.join("; "))
            }
            ExprKind::Attribute(_, name) => ("Access", format!(".{}", self.name(*name))),
            ExprKind::Index(..) => ("Access", none()),
            ExprKind::Slice(..) => ("Slice", none()),
            ExprKind::Call { .. } => ("Call", none()),
            ExprKind::Spread(_) => ("Spread", none()),
            ExprKind::Unary(operator, _) => ("Unary", format!("{operator:?}")),
            ExprKind::Binary(operator, ..) => ("Binary", format!("{operator:?}")),
            ExprKind::Compare(_, chain) => {
                let operators: Vec<_> = chain.iter().map(|(operator, _)| format!("{operator:?}")).collect();
                ("Compare", brief(&operators.join(" ")))
            }
            ExprKind::And(..) => ("And", none()),
            ExprKind::Or(..) => ("Or", none()),
            ExprKind::Conditional { .. } => ("Conditional", none()),
            ExprKind::Else(..) => ("Else", none()),
            ExprKind::Unsupported(what) => ("Unsupported", (*what).to_owned()),
            ExprKind::Literal(_) | ExprKind::Name(_) | ExprKind::Template(_) => ("Boxed", none()),
        }
    }

    fn inside_expr(&mut self, node: usize, expr: ExprRef) {
        let (graph, tree) = (self.graph, expr.tree);
        let mut add = |name: &str, expr: ExprId| {
            self.expr(node, tree, expr, name);
        };
        match &graph.loaded.trees[tree as usize].expr(expr.expr).kind {
            ExprKind::List(items) | ExprKind::Set(items) => {
                items.iter().enumerate().for_each(|(number, item)| add(&number.to_string(), *item));
            }
            ExprKind::Dict(entries) => {
                for (number, (key, value)) in entries.iter().enumerate() {
                    key.iter().for_each(|key| add(&format!("key {number}"), *key));
                    add(&format!("value {number}"), *value);
                }
            }
            ExprKind::Comprehension(this) => {
                for clause in &this.clauses {
                    add("iterable", clause.iterable);
                    clause.conditions.iter().for_each(|condition| add("cond", *condition));
                }
                this.key.iter().for_each(|key| add("key", *key));
                add("value", this.element);
            }
            ExprKind::Attribute(container, _) => add("container", *container),
            ExprKind::Index(container, key) => {
                add("container", *container);
                add("key", *key);
            }
            ExprKind::Slice(container, bounds) => {
                add("container", *container);
                for (name, bound) in ["start", "end", "step"].iter().zip(bounds) {
                    bound.iter().for_each(|bound| add(name, *bound));
                }
            }
            ExprKind::Spread(operand) => add("items", *operand),
            ExprKind::Call { callee, positional, keywords, spread } => {
                add("callee", *callee);
                positional.iter().enumerate().for_each(|(number, argument)| add(&number.to_string(), *argument));
                for (name, argument) in keywords {
                    add(graph.loaded.names.text(*name), *argument);
                }
                spread.iter().for_each(|spread| add("arguments", *spread));
            }
            ExprKind::Unary(_, operand) => add("operand", *operand),
            ExprKind::Binary(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::Else(left, right) => {
                add("left", *left);
                add("right", *right);
            }
            ExprKind::Compare(first, chain) => {
                add("0", *first);
                chain.iter().enumerate().for_each(|(number, (_, next))| add(&(number + 1).to_string(), *next));
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                add("cond", *condition);
                add("then", *then);
                add("else", *otherwise);
            }
            ExprKind::Literal(_) | ExprKind::Name(_) | ExprKind::Template(_) | ExprKind::Unsupported(_) => {}
        }
    }

    /// Returns the text in the box of a stanza.
    fn stanza_text(&self, kind: &StanzaKind) -> String {
        match kind {
            StanzaKind::Extend(entry) | StanzaKind::NewAs { entry, .. } => brief(self.name(entry.key)),
            StanzaKind::Configure { section, .. } => brief(self.name(*section)),
            StanzaKind::Set { targets, .. } | StanzaKind::For { targets, .. } => self.targets(targets),
            StanzaKind::Macro { name, .. } | StanzaKind::Prototype { name, .. } => brief(self.name(*name)),
            _ => String::new(),
        }
    }

    fn targets(&self, targets: &Targets) -> String {
        let names: Vec<&str> = targets.names().into_iter().map(|name| self.name(name)).collect();
        brief(&names.join(", "))
    }
}

fn stanza_kind(kind: &StanzaKind) -> &'static str {
    match kind {
        StanzaKind::Map(_) => "Mapping",
        StanzaKind::List(_) => "Sequence",
        StanzaKind::Extend(_) => "Extend",
        StanzaKind::Include(_) => "Include",
        StanzaKind::Search(_) => "Search",
        StanzaKind::Configure { .. } => "Configure",
        StanzaKind::Set { .. } => "Set",
        StanzaKind::If(_) => "If",
        StanzaKind::For { .. } => "For",
        StanzaKind::Select { .. } => "Select",
        StanzaKind::Macro { .. } => "Macro",
        StanzaKind::Call { .. } => "Call",
        StanzaKind::Prototype { .. } => "Prototype",
        StanzaKind::New { .. } | StanzaKind::NewAs { .. } => "New",
    }
}

fn literal_text(literal: &Literal) -> String {
    match literal {
        Literal::Int(number) => number.to_string(),
        Literal::Float(number) => float_text(*number),
        Literal::Text(text) => text.to_string(),
    }
}
