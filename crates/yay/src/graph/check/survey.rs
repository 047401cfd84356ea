//! The names in all documents: their uses and scopes, calls and definitions.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::decide::Decision;
use crate::graph::{BlockRef, Document, Graph};
use crate::name::Name;
use crate::source::Span;
use crate::syntax::{
    Block, BlockId, Comprehension, ExprId, ExprKind, Literal, Part, StanzaKind, Targets, Tree, ValueId, ValueKind,
};

/// The scopes, names, calls and bodies of all documents, as their text shows them.
#[derive(Default)]
pub(super) struct Survey {
    pub(super) scopes: Vec<StaticScope>,
    pub(super) uses: Vec<Use>,
    pub(super) calls: Vec<Call>,
    pub(super) bodies: Vec<Body>,
    /// The bodies that a name may stand for.
    pub(super) by_name: FxHashMap<Name, Vec<u32>>,
    /// Names that are bound in any scope.
    pub(super) bound: FxHashSet<Name>,
    /// Names that `set` binds.
    pub(super) set: FxHashSet<Name>,
    /// Names that are bound at the root of a document.
    pub(super) exported: FxHashSet<Name>,
    /// Keys that a branch at the root of a document may define.
    pub(super) root_keys: FxHashSet<Name>,
    /// Whether there may be other keys at the root.
    pub(super) is_root_open: bool,
}

/// A scope as the source shows it.
pub(super) struct StaticScope {
    pub(super) parent: Option<u32>,
    pub(super) kind: StaticKind,
}

pub(super) enum StaticKind {
    Block {
        block: BlockRef,
        /// Whether it includes documents that were not read.
        is_open: bool,
    },
    Names(Vec<Name>),
    /// The body of a macro or a prototype, whose names are looked up where it is used.
    Body(u32),
    /// The root of an included document, whose names are looked up where it is included.
    Included,
}

/// A name in an expression.
pub(super) struct Use {
    pub(super) name: Name,
    pub(super) at: Span,
    pub(super) scope: u32,
    /// The innermost macro or prototype that contains it.
    pub(super) body: Option<u32>,
    /// Whether it is called or instantiated.
    pub(super) is_callee: bool,
    /// Whether it may be missing, because `else` follows it.
    pub(super) is_optional: bool,
    /// Whether it was evaluated.
    pub(super) is_evaluated: bool,
}

/// A macro call by name.
pub(super) struct Call {
    pub(super) name: Name,
    pub(super) arguments: Vec<(Name, Span)>,
    /// Whether there may be other arguments.
    pub(super) is_open: bool,
    /// The scope of the arguments, if they are a block.
    pub(super) scope: Option<u32>,
}

/// A macro or a prototype.
pub(super) struct Body {
    pub(super) name: Name,
    pub(super) is_macro: bool,
    pub(super) at: Span,
    pub(super) block: BlockRef,
    /// Whether it may use names that are not in its text.
    pub(super) is_opaque: bool,
}

/// A part of a document that is still to be visited.
#[derive(Clone, Copy)]
enum Piece {
    Block(BlockId),
    Value(ValueId),
    Expr(ExprId),
}

/// The surroundings of a part of a document.
#[derive(Clone, Copy)]
struct Site {
    scope: u32,
    body: Option<u32>,
    is_optional: bool,
    is_callee: bool,
}

/// Visits a document. Parts wait in a list, so that deep nesting can't overflow the stack.
struct Visitor<'a> {
    survey: &'a mut Survey,
    included: &'a FxHashSet<(BlockRef, u32)>,
    tree: &'a Tree,
    number: u32,
    waiting: Vec<(Piece, Site)>,
}

impl Graph<'_> {
    pub(super) fn survey(&mut self) -> Survey {
        let mut survey = Survey::default();
        let included = self.known_includes();
        let roots: FxHashSet<u32> = self.roots.iter().map(|root| self.group(*root).block.tree).collect();
        for at in 0..self.loaded.documents.len() {
            let number = self.loaded.documents[at].tree;
            let tree = self.tree(number);
            self.note::<Use>(tree.exprs.len());
            self.note::<StaticScope>(tree.blocks.len());
            if self.look_through(tree.exprs.len() + tree.values.len(), tree.block(tree.root).span).is_err() {
                // Unless all documents are visited, no name is certain to be unknown.
                return Survey { is_root_open: true, ..Survey::default() };
            }
            let mut visitor =
                Visitor { survey: &mut survey, included: &included, tree: &tree, number, waiting: Vec::new() };
            visitor.document(!roots.contains(&number));
        }
        self.root_keys(&mut survey, &included);
        survey
    }

    /// Collects the keys that documents may define at the root, in all branches and calls.
    fn root_keys(&self, survey: &mut Survey, included: &FxHashSet<(BlockRef, u32)>) {
        let root = |document: &Document| BlockRef {
            tree: document.tree,
            block: self.loaded.trees[document.tree as usize].root,
        };
        let mut blocks: Vec<BlockRef> = self.loaded.documents.iter().map(root).collect();
        let mut seen: FxHashSet<BlockRef> = blocks.iter().copied().collect();
        while let Some(block) = blocks.pop() {
            let tree = &self.loaded.trees[block.tree as usize];
            let within = |inner| BlockRef { tree: block.tree, block: inner };
            for (stanza, at) in tree.block(block.block).stanzas.iter().zip(0..) {
                match &stanza.kind {
                    StanzaKind::If(branches) => blocks.extend(branches.iter().map(|branch| within(branch.body))),
                    StanzaKind::Select { cases, .. } => {
                        for case in cases {
                            match tree.value(case.value).kind {
                                ValueKind::Body(body) => blocks.push(within(body)),
                                ValueKind::Template(_) => survey.is_root_open = true,
                                _ => {}
                            }
                        }
                    }
                    StanzaKind::Include(_) => survey.is_root_open |= !included.contains(&(block, at)),
                    StanzaKind::Call { callee, .. } | StanzaKind::New { class: callee, .. } => {
                        if let StanzaKind::New { body, .. } = stanza.kind {
                            blocks.push(within(body));
                        }
                        match tree.expr(*callee).kind {
                            ExprKind::Name(name) if !survey.set.contains(&name) => {
                                let bodies = survey.by_name.get(&name).into_iter().flatten();
                                let bodies = bodies.map(|body| survey.bodies[*body as usize].block);
                                blocks.extend(bodies.filter(|body| seen.insert(*body)));
                                survey.is_root_open |= self.classes.iter().any(|(class, _)| *class == name);
                            }
                            _ => survey.is_root_open = true,
                        }
                    }
                    kind => {
                        let entries = kind.entries().unwrap_or_default();
                        survey.root_keys.extend(entries.iter().map(|entry| entry.key));
                    }
                }
            }
        }
    }

    /// Returns the includes whose documents are known. To collect their names, local documents are also read in
    /// branches that are not taken.
    fn known_includes(&mut self) -> FxHashSet<(BlockRef, u32)> {
        let mut included = self.decided_includes();
        let mut at = 0;
        while at < self.loaded.documents.len() {
            let number = self.loaded.documents[at].tree;
            let tree = self.tree(number);
            for (block, id) in tree.blocks.iter().zip(0..) {
                for (stanza, position) in block.stanzas.iter().zip(0..) {
                    let place = (BlockRef { tree: number, block: BlockId(id) }, position);
                    let StanzaKind::Include(expr) = stanza.kind else { continue };
                    let expr = tree.expr(expr);
                    if let ExprKind::Literal(Literal::Text(name)) = &expr.kind
                        && !included.contains(&place)
                        && self.is_beside(name, expr.span)
                    {
                        included.insert(place);
                    }
                }
            }
            at += 1;
        }
        included
    }

    /// Returns whether a name leads to a local document, next to the current one or in a search folder, and reads that
    /// document.
    fn is_beside(&mut self, name: &str, at: Span) -> bool {
        let source = self.loaded.sources.get(at.source);
        if source.remote || name.contains(':') {
            return false;
        }
        let base = source.address.as_deref().unwrap_or_default().to_owned();
        let places: Vec<String> = std::iter::once(base).chain(self.search.iter().cloned()).collect();
        let mut addresses =
            places.iter().filter_map(|place| self.loaded.opener.locate(name, place)).collect::<Vec<_>>();
        addresses.retain(|address| self.loaded.opener.is_local(address) || !address.contains("://"));
        addresses.iter().any(|address| matches!(self.open(address, false, at), Ok(Some(_))))
    }

    /// Returns the stanzas that were decided in any scope.
    fn decided_includes(&self) -> FxHashSet<(BlockRef, u32)> {
        let mut included = FxHashSet::default();
        for group in &self.groups {
            let findings = &self.findings[group.findings as usize];
            let decided = findings.decided.iter().filter(|(_, decision)| matches!(decision, Decision::Done(Ok(_), _)));
            included.extend(decided.map(|(stanza, _)| (group.block, *stanza)));
        }
        included
    }
}

impl Visitor<'_> {
    fn document(&mut self, is_included: bool) {
        let root = self.tree.block(self.tree.root);
        self.survey.exported.extend(root.bindings.keys());
        let kind = if is_included { StaticKind::Included } else { StaticKind::Names(Vec::new()) };
        let scope = self.scope(None, kind);
        let site = Site { scope, body: None, is_optional: false, is_callee: false };
        self.waiting.push((Piece::Block(self.tree.root), site));
        while let Some((piece, site)) = self.waiting.pop() {
            match piece {
                Piece::Block(block) => self.block(block, site),
                Piece::Value(value) => self.value(value, site),
                Piece::Expr(expr) => self.expr(expr, site),
            }
        }
    }

    fn is_read(&self, block: BlockId, stanza: u32) -> bool {
        self.included.contains(&(BlockRef { tree: self.number, block }, stanza))
    }

    fn scope(&mut self, parent: Option<u32>, kind: StaticKind) -> u32 {
        self.survey.scopes.push(StaticScope { parent, kind });
        self.survey.scopes.len() as u32 - 1
    }

    fn names(&mut self, parent: u32, targets: &Targets) -> u32 {
        let names = targets.names();
        self.survey.bound.extend(&names);
        self.scope(Some(parent), StaticKind::Names(names))
    }

    fn wait(&mut self, expr: ExprId, site: Site) {
        self.waiting.push((Piece::Expr(expr), site));
    }

    fn block(&mut self, id: BlockId, site: Site) {
        let scope = self.block_scope(id, site);
        self.stanzas(self.tree.block(id), Site { scope, ..site });
    }

    fn block_scope(&mut self, id: BlockId, site: Site) -> u32 {
        let block = self.tree.block(id);
        let is_open = block.includes.iter().any(|stanza| !self.is_read(id, *stanza));
        self.survey.bound.extend(block.bindings.keys());
        if let Some(body) = site.body {
            self.survey.bodies[body as usize].is_opaque |= !block.includes.is_empty();
        }
        let block = BlockRef { tree: self.number, block: id };
        self.scope(Some(site.scope), StaticKind::Block { block, is_open })
    }

    fn stanzas(&mut self, block: &Block, site: Site) {
        let callee = Site { is_callee: true, ..site };
        for stanza in &block.stanzas {
            match &stanza.kind {
                StanzaKind::Map(entries) => self.values(entries.list.iter().map(|entry| entry.value), site),
                StanzaKind::List(items) => self.values(items.iter().copied(), site),
                StanzaKind::Extend(entry) => self.values([entry.value].into_iter(), site),
                StanzaKind::Include(expr) | StanzaKind::Search(expr) => self.wait(*expr, site),
                StanzaKind::Set { targets, value } => {
                    self.survey.set.extend(targets.names());
                    self.wait(*value, site);
                }
                StanzaKind::Configure { body, .. } => self.waiting.push((Piece::Block(*body), site)),
                StanzaKind::If(branches) => {
                    for branch in branches {
                        branch.condition.iter().for_each(|condition| self.wait(*condition, site));
                        self.waiting.push((Piece::Block(branch.body), site));
                    }
                }
                StanzaKind::Select { subject, cases } => {
                    self.wait(*subject, site);
                    self.values(cases.iter().map(|case| case.value), site);
                }
                StanzaKind::For { targets, iterable, condition, body, .. } => {
                    self.wait(*iterable, site);
                    let inner = Site { scope: self.names(site.scope, targets), ..site };
                    condition.iter().for_each(|condition| self.wait(*condition, inner));
                    self.waiting.push((Piece::Block(*body), inner));
                }
                StanzaKind::Macro { name, body } => self.body(*name, *body, stanza.span, true, site),
                StanzaKind::Prototype { name, body } => self.body(*name, *body, stanza.span, false, site),
                StanzaKind::Call { callee: called, arguments } => {
                    self.wait(*called, callee);
                    self.call(*called, *arguments, site);
                }
                StanzaKind::New { class, body } | StanzaKind::NewAs { class, body, .. } => {
                    self.wait(*class, callee);
                    self.waiting.push((Piece::Block(*body), site));
                }
            }
        }
    }

    fn values(&mut self, values: impl Iterator<Item = ValueId>, site: Site) {
        self.waiting.extend(values.map(|value| (Piece::Value(value), site)));
    }

    fn body(&mut self, name: Name, block: BlockId, at: Span, is_macro: bool, site: Site) {
        let body = self.survey.bodies.len() as u32;
        let inner = BlockRef { tree: self.number, block };
        self.survey.bodies.push(Body { name, is_macro, at, block: inner, is_opaque: false });
        self.survey.by_name.entry(name).or_default().push(body);
        let scope = self.scope(Some(site.scope), StaticKind::Body(body));
        self.waiting.push((Piece::Block(block), Site { scope, body: Some(body), ..site }));
    }

    /// Visits a call whose arguments are a block.
    fn call(&mut self, callee: ExprId, arguments: BlockId, site: Site) {
        let block = self.tree.block(arguments);
        let scope = self.block_scope(arguments, site);
        let mut named = Vec::new();
        let mut is_open = false;
        for stanza in &block.stanzas {
            is_open |= stanza.kind.entries().is_none();
            for entry in stanza.kind.entries().unwrap_or_default() {
                let value = self.tree.value(entry.value);
                named.push((entry.key, value.key.unwrap_or(value.span)));
            }
        }
        self.stanzas(block, Site { scope, ..site });
        self.note_call(callee, named, is_open, Some(scope), site);
    }

    fn note_call(
        &mut self,
        callee: ExprId,
        arguments: Vec<(Name, Span)>,
        is_open: bool,
        scope: Option<u32>,
        site: Site,
    ) {
        self.survey.bound.extend(arguments.iter().map(|(name, _)| *name));
        if let ExprKind::Name(name) = self.tree.expr(callee).kind {
            self.survey.calls.push(Call { name, arguments, is_open, scope });
        } else if let Some(body) = site.body {
            self.survey.bodies[body as usize].is_opaque = true;
        }
    }

    fn value(&mut self, value: ValueId, site: Site) {
        match &self.tree.value(value).kind {
            ValueKind::Body(block) => self.waiting.push((Piece::Block(*block), site)),
            ValueKind::Template(expr) => self.wait(*expr, site),
            ValueKind::Parts(parts, _) => {
                for part in parts {
                    if let Part::Expr(expr) = part {
                        self.wait(*expr, site);
                    }
                }
            }
            _ => {}
        }
    }

    fn expr(&mut self, id: ExprId, site: Site) {
        let expr = self.tree.expr(id);
        let inner = Site { is_callee: false, ..site };
        match &expr.kind {
            ExprKind::Name(name) => self.survey.uses.push(Use {
                name: *name,
                at: expr.span,
                scope: site.scope,
                body: site.body,
                is_callee: site.is_callee,
                is_optional: site.is_optional,
                is_evaluated: expr.is_evaluated(),
            }),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension, inner),
            ExprKind::Template(value) => self.value(*value, inner),
            ExprKind::Else(left, right) => {
                self.wait(*left, Site { is_optional: true, ..inner });
                self.wait(*right, inner);
            }
            ExprKind::Call { callee, keywords, spread, .. } => {
                let named = keywords.iter().map(|(name, value)| (*name, self.tree.expr(*value).span)).collect();
                self.note_call(*callee, named, spread.is_some(), None, site);
                for operand in expr.kind.operands() {
                    self.wait(operand, Site { is_callee: operand == *callee, ..inner });
                }
            }
            kind => kind.operands().into_iter().for_each(|operand| self.wait(operand, inner)),
        }
    }

    fn comprehension(&mut self, comprehension: &Comprehension, mut site: Site) {
        for clause in &comprehension.clauses {
            self.wait(clause.iterable, site);
            site.scope = self.names(site.scope, &clause.targets);
            clause.conditions.iter().for_each(|condition| self.wait(*condition, site));
        }
        self.wait(comprehension.element, site);
        comprehension.key.iter().for_each(|key| self.wait(*key, site));
    }
}
