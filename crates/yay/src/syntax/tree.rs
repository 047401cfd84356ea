//! The syntax of a file.

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::name::Name;
use crate::source::Span;

/// An expression in the list of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ExprId(pub(crate) u32);
/// A value in the list of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ValueId(pub(crate) u32);
/// A list of stanzas in the list of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BlockId(pub(crate) u32);

/// The syntax tree of a file.
pub(crate) struct Tree {
    pub(crate) exprs: Vec<Expr>,
    pub(crate) values: Vec<Value>,
    pub(crate) blocks: Vec<Block>,
    /// The ranges of expressions in parentheses, with the outermost parentheses.
    pub(crate) parenthesized: FxHashMap<ExprId, Span>,
    pub(crate) root: BlockId,
}

impl Tree {
    pub(crate) fn empty() -> Self {
        Tree {
            exprs: Vec::new(),
            values: Vec::new(),
            blocks: Vec::new(),
            parenthesized: FxHashMap::default(),
            root: BlockId(0),
        }
    }

    pub(crate) fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// Returns the range of an expression with the parentheses around its first and last operands.
    pub(crate) fn whole_span(&self, id: ExprId) -> Span {
        let span = self.expr(id).span;
        let operand = |id: ExprId, is_at: &dyn Fn(Span) -> bool| {
            self.expr(id).kind.operands().into_iter().find(|operand| is_at(self.expr(*operand).span))
        };
        let outermost = |is_at: &dyn Fn(Span) -> bool| {
            let mut operands = std::iter::successors(operand(id, is_at), |inner| operand(*inner, is_at));
            operands.find_map(|operand| self.parenthesized.get(&operand))
        };
        let start = outermost(&|inner| inner.start == span.start).map_or(span.start, |outer| outer.start);
        let end = outermost(&|inner| inner.end == span.end).map_or(span.end, |outer| outer.end);
        Span { start, end, ..span }
    }

    pub(crate) fn value(&self, id: ValueId) -> &Value {
        &self.values[id.0 as usize]
    }

    pub(crate) fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    pub(crate) fn add_expr(&mut self, span: Span, kind: ExprKind) -> ExprId {
        self.exprs.push(Expr { span, kind, evaluated: Cell::new(false) });
        ExprId(self.exprs.len() as u32 - 1)
    }

    pub(crate) fn add_value(&mut self, span: Span, kind: ValueKind) -> ValueId {
        self.values.push(Value { span, key: None, kind });
        ValueId(self.values.len() as u32 - 1)
    }

    pub(crate) fn add_entry(&mut self, key: Name, at: Span, value: ValueId) -> Entry {
        self.values[value.0 as usize].key = Some(at);
        Entry { key, value }
    }

    pub(crate) fn add_block(&mut self, span: Span, stanzas: Vec<Stanza>) -> BlockId {
        let block = Block::new(span, stanzas, self);
        self.blocks.push(block);
        BlockId(self.blocks.len() as u32 - 1)
    }
}

pub(crate) struct Expr {
    pub(crate) span: Span,
    pub(crate) kind: ExprKind,
    evaluated: Cell<bool>,
}

impl Expr {
    /// Records that the expression is evaluated.
    pub(crate) fn evaluate(&self) {
        self.evaluated.set(true);
    }

    /// Returns whether the expression was evaluated in any scope.
    pub(crate) fn is_evaluated(&self) -> bool {
        self.evaluated.get()
    }
}

pub(crate) enum ExprKind {
    Literal(Literal),
    Name(Name),
    /// A list or a tuple.
    List(Vec<ExprId>),
    /// Keys and values; a spread mapping has no key.
    Dict(Vec<(Option<ExprId>, ExprId)>),
    /// `*x` among items or arguments.
    Spread(ExprId),
    Set(Vec<ExprId>),
    Comprehension(Comprehension),
    /// Valid syntax without a value: `lambda` and text in back-quotes.
    Unsupported(&'static str),
    Attribute(ExprId, Name),
    Index(ExprId, ExprId),
    Slice(ExprId, [Option<ExprId>; 3]),
    Call {
        callee: ExprId,
        positional: Vec<ExprId>,
        keywords: Vec<(Name, ExprId)>,
        /// `**x`, a mapping of further arguments.
        spread: Option<ExprId>,
    },
    Unary(Unary, ExprId),
    Binary(Binary, ExprId, ExprId),
    /// Comparisons in a chain.
    Compare(ExprId, Vec<(Comparison, ExprId)>),
    And(ExprId, ExprId),
    Or(ExprId, ExprId),
    Conditional {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// `x else y`: y if x does not exist.
    Else(ExprId, ExprId),
    /// Text with templates, in place of an expression.
    Template(ValueId),
}

impl ExprKind {
    /// Returns the parts of an expression that are in its scope, in the order in which they are written.
    pub(crate) fn operands(&self) -> Vec<ExprId> {
        match self {
            ExprKind::List(items) | ExprKind::Set(items) => items.clone(),
            ExprKind::Dict(pairs) => {
                pairs.iter().flat_map(|(key, value)| key.iter().copied().chain([*value])).collect()
            }
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
            ExprKind::Compare(first, chain) => {
                std::iter::once(*first).chain(chain.iter().map(|(_, next)| *next)).collect()
            }
            ExprKind::Conditional { condition, then, otherwise } => vec![*then, *condition, *otherwise],
            ExprKind::Literal(_)
            | ExprKind::Name(_)
            | ExprKind::Comprehension(_)
            | ExprKind::Unsupported(_)
            | ExprKind::Template(_) => Vec::new(),
        }
    }
}

pub(crate) enum Literal {
    Int(i64),
    Float(f64),
    Text(Rc<str>),
}

pub(crate) struct Comprehension {
    pub(crate) kind: Collection,
    /// The key, for a mapping.
    pub(crate) key: Option<ExprId>,
    pub(crate) element: ExprId,
    pub(crate) clauses: Vec<Clause>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Collection {
    List,
    Set,
    Dict,
}

pub(crate) struct Clause {
    pub(crate) targets: Targets,
    pub(crate) iterable: ExprId,
    pub(crate) conditions: Vec<ExprId>,
}

/// Names that are given values.
#[derive(Clone, Debug)]
pub(crate) struct Targets {
    pub(crate) span: Span,
    pub(crate) list: Vec<Target>,
    /// Whether the value is unpacked: `a, b` but also `a,`.
    pub(crate) unpack: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Target {
    Name(Name),
    /// `*name`: the items that the others leave.
    Rest(Name),
    Tuple(Targets),
    /// An attribute or an item, which can be written but binds nothing.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Minus,
    Plus,
    Invert,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    Power,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Is,
    IsNot,
    In,
    NotIn,
}

impl Unary {
    /// Returns the operator as it is written before its operand.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Unary::Minus => "-",
            Unary::Plus => "+",
            Unary::Invert => "~",
            Unary::Not => "not ",
        }
    }
}

impl Binary {
    /// Returns the operator as it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::FloorDivide => "//",
            Binary::Modulo => "%",
            Binary::Power => "**",
            Binary::ShiftLeft => "<<",
            Binary::ShiftRight => ">>",
            Binary::And => "&",
            Binary::Or => "|",
            Binary::Xor => "^",
        }
    }
}

impl Comparison {
    /// Returns the operator as it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
            Comparison::Is => "is",
            Comparison::IsNot => "is not",
            Comparison::In => "in",
            Comparison::NotIn => "not in",
        }
    }
}

pub(crate) struct Value {
    pub(crate) span: Span,
    /// The position of its key, if it has one.
    pub(crate) key: Option<Span>,
    pub(crate) kind: ValueKind,
}

pub(crate) enum ValueKind {
    /// Nothing is written.
    Empty,
    EmptyMap,
    EmptyList,
    /// Plain text that may be a number or a truth value.
    Plain(Plain, Rc<str>),
    /// Text in quotes or in a block, which stays text.
    Text(Rc<str>),
    /// A template alone, whose value keeps its kind.
    Template(ExprId),
    /// Text with templates.
    Parts(Vec<Part>, Ending),
    Body(BlockId),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Plain {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text,
}

pub(crate) enum Part {
    Text(Rc<str>),
    Expr(ExprId),
}

/// The treatment of spaces at the end of text with templates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Kept,
    /// Spaces are removed, including those that come from a template.
    Trimmed,
}

pub(crate) struct Block {
    pub(crate) span: Span,
    pub(crate) stanzas: Vec<Stanza>,
    pub(crate) shape: Shape,
    /// The last stanza that binds a name, for each name.
    pub(crate) bindings: FxHashMap<Name, Naming>,
    /// The stanzas that include, which may bind names as well.
    pub(crate) includes: Vec<u32>,
    /// The stanzas that configure how documents are found and opened.
    pub(crate) settings: Vec<u32>,
    /// Whether its stanzas bind names or must be decided.
    pub(crate) has_directives: bool,
    /// The only stanza that determines the block: a mapping in which each key occurs once.
    pub(crate) plain: Option<u32>,
}

/// The meaning of a name in a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Naming {
    /// The stanza that defines it.
    pub(crate) stanza: u32,
    pub(crate) meaning: Meaning,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meaning {
    Value(ExprId),
    /// The part of an unpacked value for one of several names.
    Part(ExprId, u32),
    Macro(BlockId),
    Prototype(BlockId),
}

/// The type of a block, as far as its text shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Whether the last stanza with a known type is a mapping or a list.
    pub(crate) mapping: Option<bool>,
    /// Whether any branch is a list.
    pub(crate) list_inside: bool,
}

impl Shape {
    pub(crate) fn is_list(self) -> bool {
        self.mapping == Some(false) || self.mapping.is_none() && self.list_inside
    }
}

impl Block {
    fn new(span: Span, stanzas: Vec<Stanza>, tree: &Tree) -> Self {
        let mut block = Block {
            span,
            stanzas,
            shape: Shape::default(),
            bindings: FxHashMap::default(),
            includes: Vec::new(),
            settings: Vec::new(),
            has_directives: false,
            plain: None,
        };
        let has_keys = block.stanzas.iter().any(|stanza| stanza.kind.entries().is_some());
        for at in 0..block.stanzas.len() {
            match &mut block.stanzas[at].kind {
                StanzaKind::Map(entries) => entries.seal(),
                StanzaKind::For { body, layers, .. } => {
                    *layers = has_keys && tree.block(*body).shape.mapping == Some(true);
                }
                _ => {}
            }
            block.note(at, tree);
        }
        block.plain = block.only_mapping();
        block.has_directives = block.stanzas.iter().any(|stanza| !stanza.kind.is_data());
        block
    }

    fn only_mapping(&self) -> Option<u32> {
        let mut plain = None;
        for (at, stanza) in self.stanzas.iter().enumerate() {
            match &stanza.kind {
                StanzaKind::Map(entries) if plain.is_none() && !entries.keys.is_empty() => plain = Some(at as u32),
                StanzaKind::Set { .. } | StanzaKind::Macro { .. } | StanzaKind::Prototype { .. } => {}
                _ => return None,
            }
        }
        plain
    }

    fn note(&mut self, at: usize, tree: &Tree) {
        let position = at as u32;
        match &self.stanzas[at].kind {
            StanzaKind::Map(_) | StanzaKind::Extend(_) | StanzaKind::NewAs { .. } => self.shape.mapping = Some(true),
            StanzaKind::List(_) | StanzaKind::For { layers: false, .. } => self.shape.mapping = Some(false),
            StanzaKind::Include(_) => self.includes.push(position),
            StanzaKind::Search(_) | StanzaKind::Configure { .. } => self.settings.push(position),
            StanzaKind::Set { targets, value } => bind(&mut self.bindings, targets, *value, position),
            StanzaKind::Macro { name, body } => {
                self.bindings.insert(*name, Naming { stanza: position, meaning: Meaning::Macro(*body) });
            }
            StanzaKind::Prototype { name, body } => {
                self.bindings.insert(*name, Naming { stanza: position, meaning: Meaning::Prototype(*body) });
            }
            StanzaKind::If(branches) => {
                self.shape.list_inside |= branches.iter().any(|branch| tree.block(branch.body).shape.is_list());
            }
            StanzaKind::Select { cases, .. } => {
                self.shape.list_inside |= cases.iter().any(|case| is_list(tree, case.value));
            }
            StanzaKind::For { .. } | StanzaKind::Call { .. } | StanzaKind::New { .. } => {}
        }
    }
}

fn is_list(tree: &Tree, value: ValueId) -> bool {
    match &tree.value(value).kind {
        ValueKind::EmptyList => true,
        ValueKind::Body(block) => tree.block(*block).shape.is_list(),
        _ => false,
    }
}

fn bind(bindings: &mut FxHashMap<Name, Naming>, targets: &Targets, value: ExprId, stanza: u32) {
    let is_whole = !targets.unpack && matches!(targets.list[..], [Target::Name(_)]);
    for (at, name) in targets.names().into_iter().enumerate() {
        let meaning = if is_whole { Meaning::Value(value) } else { Meaning::Part(value, at as u32) };
        bindings.insert(name, Naming { stanza, meaning });
    }
}

impl Targets {
    /// Returns all names, in the order in which they are written.
    pub(crate) fn names(&self) -> Vec<Name> {
        let mut names = Vec::new();
        for target in &self.list {
            match target {
                Target::Name(name) | Target::Rest(name) => names.push(*name),
                Target::Tuple(targets) => names.extend(targets.names()),
                Target::Other => {}
            }
        }
        names
    }
}

pub(crate) struct Stanza {
    pub(crate) span: Span,
    pub(crate) kind: StanzaKind,
}

impl StanzaKind {
    /// Returns the keys that it defines, if it defines keys.
    pub(crate) fn entries(&self) -> Option<&[Entry]> {
        match self {
            StanzaKind::Map(entries) => Some(&entries.list),
            StanzaKind::Extend(entry) | StanzaKind::NewAs { entry, .. } => Some(std::slice::from_ref(entry)),
            _ => None,
        }
    }

    /// Returns whether the stanza is data or produces data without a decision.
    fn is_data(&self) -> bool {
        use StanzaKind::{Extend, For, List, Map};
        matches!(self, Map(_) | List(_) | Extend(_) | For { layers: false, .. })
    }
}

pub(crate) enum StanzaKind {
    Map(Entries),
    List(Vec<ValueId>),
    Extend(Entry),
    Include(ExprId),
    Search(ExprId),
    Configure {
        section: Name,
        body: BlockId,
    },
    Set {
        targets: Targets,
        value: ExprId,
    },
    If(Vec<Branch>),
    For {
        targets: Targets,
        iterable: ExprId,
        condition: Option<ExprId>,
        body: BlockId,
        /// Whether the turns are layers of a mapping rather than items of a list: there are keys next to the loop and
        /// in its body.
        layers: bool,
    },
    Select {
        subject: ExprId,
        cases: Vec<Entry>,
    },
    Macro {
        name: Name,
        body: BlockId,
    },
    Call {
        callee: ExprId,
        arguments: BlockId,
    },
    Prototype {
        name: Name,
        body: BlockId,
    },
    New {
        class: ExprId,
        body: BlockId,
    },
    NewAs {
        class: ExprId,
        entry: Entry,
        body: BlockId,
    },
}

/// The keys of a mapping; the same key may be there several times, as layers.
pub(crate) struct Entries {
    pub(crate) list: Vec<Entry>,
    /// The positions of the entries of a key, if there are many keys.
    index: FxHashMap<Name, Vec<u32>>,
    /// All keys, if none occurs twice; empty otherwise.
    pub(crate) keys: Rc<[Name]>,
}

/// The number of entries at which an index pays off.
const INDEXED: usize = 9;

impl Entries {
    pub(crate) fn new(list: Vec<Entry>) -> Self {
        Entries { list, index: FxHashMap::default(), keys: Rc::from([]) }
    }

    pub(crate) fn append(&mut self, more: Entries) {
        self.list.extend(more.list);
    }

    /// Finishes adding entries.
    fn seal(&mut self) {
        self.index.clear();
        if self.list.len() >= INDEXED {
            for (at, entry) in self.list.iter().enumerate() {
                self.index.entry(entry.key).or_default().push(at as u32);
            }
        }
        let is_first = |(at, entry): (usize, &Entry)| self.position(entry.key) == Some(at as u32);
        if self.list.iter().enumerate().all(is_first) {
            self.keys = self.list.iter().map(|entry| entry.key).collect();
        }
    }

    /// Returns the first entry of a key.
    pub(crate) fn position(&self, key: Name) -> Option<u32> {
        if self.list.len() >= INDEXED {
            return self.index.get(&key).map(|found| found[0]);
        }
        self.list.iter().position(|entry| entry.key == key).map(|at| at as u32)
    }

    /// Returns the entries of a key, the last one first.
    pub(crate) fn find(&self, key: Name) -> Vec<u32> {
        if self.list.len() >= INDEXED {
            return self.index.get(&key).map(|found| found.iter().rev().copied().collect()).unwrap_or_default();
        }
        let found = self.list.iter().enumerate().rev().filter(|(_, entry)| entry.key == key);
        found.map(|(at, _)| at as u32).collect()
    }
}

pub(crate) struct Entry {
    pub(crate) key: Name,
    pub(crate) value: ValueId,
}

pub(crate) struct Branch {
    /// `None` for `else`.
    pub(crate) condition: Option<ExprId>,
    pub(crate) body: BlockId,
}
