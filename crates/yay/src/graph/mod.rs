//! The graph of lazy values.
//!
//! ```text
//! view (a mapping) ─▶ layers ─▶ groups (a block of stanzas in a scope) ─▶ definitions of keys
//!      │                          └▶ stanzas that must be decided first: if, select, include, call, new
//!      └▶ members: thunks (lazy values) ─▶ Value: scalar | list | view | macro | …
//! ```
//!
//! All objects are stored in lists and have numbers, so that nothing is copied or freed recursively, and results are
//! cached next to the objects.
//!
//! **Peeking.** While a stanza is being decided, lookups that return to it only use the layers before it. Their results
//! are provisional: the stanza *taints* them. Once the decision is known, the keys that were looked up past the stanza
//! are looked up in it. If it defines none of them, all results are valid. Otherwise, tainted results are forgotten,
//! and the decision is made once more with the first decision in force. If the two decisions differ, this is a paradox.

mod body;
mod check;
mod configure;
mod decide;
mod definition;
mod document;
mod draw;
mod environment;
mod fold;
mod force;
mod include;
mod index;
mod list;
mod name;
mod pattern;
mod plain;
mod resolve;
mod taint;
mod view;

use std::rc::Rc;

use foldhash::HashMap;
use rustc_hash::{FxHashMap, FxHashSet};
use tosca_parse_engine::budget::Budget;

use crate::error::{Category, Error, Result, Step};
use crate::evaluate::Pattern;
use crate::limits::Limits;
use crate::name::{Name, Names};
use crate::native::Class;
use crate::open::Opener;
use crate::source::{SourceId, Sources, Span};
use crate::suggest::Suggestions;
use crate::syntax::{BlockId, ExprId, StanzaKind, Tree, ValueId};
use crate::value::Value;

pub(crate) use decide::Choice;
pub(crate) use environment::Environment;
pub(crate) use list::Pending;
pub(crate) use name::Found;
pub(crate) use resolve::Emitter;
pub(crate) use taint::Mark;
pub(crate) use view::{Definition, KnownEntry, View, Written};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+) => {
        $($(#[$doc])* #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) struct $name(pub(crate) u32);

        impl $name {
            pub(crate) fn at(self) -> usize {
                self.0 as usize
            }
        })+
    };
}

ids! {
    /// A lazy value.
    ThunkId,
    /// A mapping.
    ViewId,
    /// A block in a scope.
    GroupId,
    /// The meaning of names.
    ScopeId,
    /// A list.
    ListId,
    /// The layers of a mapping, as far as they were read.
    LayersId,
    /// The members that a class of the host adds to a mapping.
    NativeId
}

/// A block in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BlockRef {
    pub(crate) tree: u32,
    pub(crate) block: BlockId,
}

/// An expression in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ExprRef {
    pub(crate) tree: u32,
    pub(crate) expr: ExprId,
}

/// A value in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ValueRef {
    pub(crate) tree: u32,
    pub(crate) value: ValueId,
}

pub(crate) struct Scope {
    pub(crate) parent: Option<ScopeId>,
    pub(crate) kind: ScopeKind,
    /// The step that leads here, for messages.
    pub(crate) step: Option<Step>,
    /// The innermost scope that has such a step: this one or an enclosing one.
    pub(crate) stepped: Option<ScopeId>,
    /// The number of enclosing calls, instances, includes and loops.
    pub(crate) depth: usize,
}

pub(crate) enum ScopeKind {
    /// The outermost scope; names are keys of the document.
    Document,
    Group(GroupId),
    Bound(Vec<(Name, ThunkId)>),
    /// The arguments of a call: keywords and those of a mapping.
    Arguments(Vec<(Name, ThunkId)>, Option<ViewId>),
    Instance(ViewId),
    /// An included document and the mapping that it is a layer of.
    Included {
        document: u32,
        view: Option<ViewId>,
    },
    /// While folding, a mapping whose layers are not known.
    Unknown(Error),
}

pub(crate) struct Group {
    pub(crate) block: BlockRef,
    /// The scope of the content of the block.
    pub(crate) scope: ScopeId,
    /// The mapping that the block is a layer of.
    pub(crate) view: Option<ViewId>,
    findings: u32,
}

/// Results about the directives of a group.
#[derive(Default)]
struct Findings {
    decided: FxHashMap<u32, decide::Decision>,
    /// By stanza: the value and its parts if several names are set.
    sets: FxHashMap<(u32, Option<u32>), ThunkId>,
    exports: name::Exports,
    run: taint::Run,
}

pub(crate) enum Thunk {
    /// A known value.
    Known(Value),
    Lazy(force::Lazy),
}

#[derive(Clone, Copy)]
pub(crate) enum ThunkKind {
    Expr(ExprRef, ScopeId),
    /// One of several names that are set together.
    Unpacked {
        whole: ThunkId,
        group: GroupId,
        stanza: u32,
        index: u32,
    },
    Value(ValueRef, ScopeId),
    Member {
        view: ViewId,
        key: Name,
        definition: Definition,
    },
    /// A value that has further labels where it is used.
    Labelled {
        thunk: ThunkId,
        labels: u64,
    },
}

/// A document that was read.
pub(crate) struct Document {
    pub(crate) tree: u32,
    pub(crate) address: Option<Rc<str>>,
}

/// Names with a meaning in the language.
pub(crate) struct Words {
    pub(crate) here: Name,
    pub(crate) own: Name,
    pub(crate) yay: Name,
    pub(crate) searchpath: Name,
    pub(crate) env: Name,
}

/// The documents that have been read and the means to read more of them. Folding takes all of it.
pub(crate) struct Loaded<'o> {
    pub(crate) sources: Sources,
    pub(crate) names: Names,
    /// The patterns that have been compiled or the reasons why they could not be compiled.
    pub(crate) patterns: HashMap<Rc<str>, std::result::Result<Rc<Pattern>, String>>,
    pub(crate) trees: Vec<Rc<Tree>>,
    pub(crate) opener: Box<dyn Opener + 'o>,
    environment: Environment<'o>,
    pub(crate) label_names: Vec<String>,
    /// Whether any document has secrets; if not, labels are not looked up.
    pub(crate) has_secrets: bool,
    pub(crate) warnings: Vec<(Span, String)>,
    documents: Vec<Document>,
    known: HashMap<String, std::result::Result<u32, Error>>,
    pub(crate) suggestions: Suggestions,
}

pub(crate) struct Graph<'o> {
    pub(crate) loaded: Loaded<'o>,
    pub(crate) words: Words,
    pub(crate) limits: Limits,
    /// The budget of all evaluations.
    pub(crate) budget: Rc<Budget>,
    pub(crate) search: Vec<String>,
    pub(crate) searchpath_key: bool,
    pub(crate) classes: Vec<(Name, Rc<dyn Class>)>,
    pub(crate) thunks: Vec<Thunk>,
    pub(crate) views: Vec<View>,
    /// The number of layers in which names have been looked up.
    layers_passed: u32,
    layers: Vec<view::Layered>,
    pub(crate) groups: Vec<Group>,
    /// The first entry is shared by all groups without directives and never changes.
    findings: Vec<Findings>,
    pub(crate) scopes: Vec<Scope>,
    lists: Vec<list::List>,
    natives: Vec<decide::Native>,
    /// Values that the host gives to names, regardless of the documents.
    pub(crate) inputs: FxHashMap<Name, ThunkId>,
    /// The values of names without another meaning.
    pub(crate) builtins: FxHashMap<Name, ThunkId>,
    /// The documents that are layers of the root value, oldest first.
    pub(crate) roots: Vec<GroupId>,
    pub(crate) root: ViewId,
    root_bindings: FxHashMap<Name, (u32, name::Binding)>,
    /// Documents of the root value that include others.
    open_roots: Vec<u32>,
    searches: Vec<(ExprRef, ScopeId)>,
    search_folders: include::SearchFolders,
    /// Whether documents are read only for their search paths.
    reading_earlier: bool,
    /// The last refusal of a document, since the start of the current lookup.
    refused: Option<Error>,
    /// The content of `configure`, by section.
    configured: Vec<(Name, BlockRef, ScopeId)>,
    /// Whether unknown names are left in place: no default applies to them, and lookups skip undecidable stanzas that
    /// can't define their keys.
    folding: bool,
    /// While folding, the expressions that need unknown names, so that each is tried once.
    unknown: FxHashSet<(ExprRef, ScopeId)>,
    /// Whether a section of `configure` is being evaluated.
    configuring: bool,
    frames: Vec<taint::Frame>,
    taint: u32,
    log: Vec<taint::Memo>,
    serial: u64,
    depth: usize,
    /// The lazy values that are being evaluated, each because the one before it needs it.
    waiting: Vec<ThunkId>,
    bytes: usize,
    resolving: FxHashSet<u32>,
}

impl Graph<'_> {
    pub(crate) fn tree(&self, tree: u32) -> Rc<Tree> {
        self.loaded.trees[tree as usize].clone()
    }

    pub(crate) fn group(&self, id: GroupId) -> &Group {
        &self.groups[id.at()]
    }

    fn findings(&self, id: GroupId) -> &Findings {
        &self.findings[self.groups[id.at()].findings as usize]
    }

    fn findings_mut(&mut self, id: GroupId) -> &mut Findings {
        &mut self.findings[self.groups[id.at()].findings as usize]
    }

    pub(crate) fn text_of(&self, name: Name) -> Rc<str> {
        self.loaded.names.text(name).clone()
    }

    pub(crate) fn labels_at(&self, source: SourceId) -> u64 {
        self.loaded.sources.labels(source)
    }

    /// Charges for the given number of values of a type. If that exceeds the budget, the next step fails.
    pub(crate) fn note<T>(&self, count: usize) {
        // Growing lists have extra capacity.
        let size = size_of::<T>() as u64 * 3 / 2;
        let _ = self.budget.bytes((count as u64).saturating_mul(size));
    }

    /// Checks whether the budget allows the given number of items of the given size.
    pub(crate) fn check_room(&self, count: usize, size: usize, at: Span) -> Result<()> {
        let bytes = (count as u64).saturating_mul(size as u64);
        self.budget.has_room(bytes).map_err(|exceeded| Error::exceeded(&exceeded, at))
    }

    /// Charges the steps for a number of cheap items.
    pub(crate) fn look_through(&self, count: usize, at: Span) -> Result<()> {
        const STEP: usize = 16;
        self.budget.steps((count / STEP) as u64).map_err(|exceeded| Error::exceeded(&exceeded, at))
    }

    pub(crate) fn add_thunk(&mut self, kind: ThunkKind) -> ThunkId {
        self.note::<Thunk>(1);
        self.thunks.push(Thunk::Lazy(force::Lazy::new(kind)));
        ThunkId(self.thunks.len() as u32 - 1)
    }

    /// Returns a value with further labels.
    pub(crate) fn labelled_thunk(&mut self, thunk: ThunkId, labels: u64) -> ThunkId {
        if labels == 0 { thunk } else { self.add_thunk(ThunkKind::Labelled { thunk, labels }) }
    }

    pub(crate) fn known_thunk(&mut self, value: Value) -> ThunkId {
        self.note::<Thunk>(1);
        self.thunks.push(Thunk::Known(value));
        ThunkId(self.thunks.len() as u32 - 1)
    }

    pub(crate) fn add_scope(&mut self, parent: ScopeId, kind: ScopeKind, step: Option<Step>) -> ScopeId {
        self.note::<Scope>(1);
        if let ScopeKind::Bound(names) | ScopeKind::Arguments(names, _) = &kind {
            self.note::<(Name, ThunkId)>(names.len() + 2);
        }
        let id = ScopeId(self.scopes.len() as u32);
        let around = &self.scopes[parent.at()];
        let depth = around.depth + usize::from(step.is_some());
        let stepped = if step.is_some() { Some(id) } else { around.stepped };
        self.scopes.push(Scope { parent: Some(parent), kind, step, stepped, depth });
        id
    }

    /// Adds a block, as a layer of a mapping or on its own, and records its settings.
    pub(crate) fn add_group(&mut self, block: BlockRef, outer: ScopeId, view: Option<ViewId>) -> GroupId {
        self.note::<Group>(1);
        let id = GroupId(self.groups.len() as u32);
        let tree = self.tree(block.tree);
        let syntax = tree.block(block.block);
        let view = view.filter(|_| !syntax.shape.is_list());
        let scope = self.add_scope(outer, ScopeKind::Group(id), None);
        for at in &syntax.settings {
            match syntax.stanzas[*at as usize].kind {
                StanzaKind::Search(expr) => self.searches.push((ExprRef { tree: block.tree, expr }, scope)),
                StanzaKind::Configure { section, body } => {
                    self.configured.push((section, BlockRef { tree: block.tree, block: body }, scope));
                }
                _ => {}
            }
        }
        let findings = if syntax.has_directives {
            // Findings take memory, too.
            self.note::<Findings>(2);
            self.findings.push(Findings { exports: name::Exports::new(syntax), ..Findings::default() });
            self.findings.len() as u32 - 1
        } else {
            0
        };
        self.groups.push(Group { block, scope, view, findings });
        id
    }

    /// Checks whether one more call, instance or include may be made in a scope.
    pub(crate) fn check_calls(&self, scope: ScopeId, at: Span) -> Result<()> {
        if self.scopes[scope.at()].depth < self.limits.calls {
            return Ok(());
        }
        let message = format!("calls, instances and includes are nested more than {} levels deep", self.limits.calls);
        Err(Error::new(Category::Limit, at, message).help("check whether something includes, calls or contains itself"))
    }

    /// Records an expression that needs unknown names, unless it depends on an undecided stanza and may be known later.
    pub(crate) fn note_unknown(&mut self, error: &Error, expr: ExprRef, scope: ScopeId) {
        if self.taint == taint::CLEAN && self.is_unknown(error) {
            self.note::<(ExprRef, ScopeId)>(1);
            self.unknown.insert((expr, scope));
        }
    }

    /// Runs an evaluation one level deeper, on as much stack as it needs.
    pub(crate) fn nested<T>(&mut self, at: Span, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.step(at)?;
        if self.depth >= self.limits.depth {
            let message = format!("evaluations are nested more than {} levels deep", self.limits.depth);
            return Err(Error::new(Category::Limit, at, message)
                .help("check whether something includes, calls or contains itself"));
        }
        self.depth += 1;
        let budget = self.budget.clone();
        let result = budget.deeper(|| run(self));
        self.depth -= 1;
        result.unwrap_or_else(|exceeded| Err(Error::exceeded(&exceeded, at)))
    }

    pub(crate) fn step(&mut self, at: Span) -> Result<()> {
        // Charges whose failure was ignored before fail here.
        self.budget.steps(1).and_then(|()| self.budget.bytes(0)).map_err(|exceeded| Error::exceeded(&exceeded, at))
    }

    /// Returns the loops, calls and includes around a scope, innermost first.
    pub(crate) fn trail(&self, scope: ScopeId) -> Vec<Step> {
        const LONGEST: usize = 8;
        let next = |scope: &ScopeId| self.scopes[self.scopes[scope.at()].parent?.at()].stepped;
        let chain = std::iter::successors(self.scopes[scope.at()].stepped, next);
        chain.filter_map(|scope| self.scopes[scope.at()].step.clone()).take(LONGEST).collect()
    }
}
