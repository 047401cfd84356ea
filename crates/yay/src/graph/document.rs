//! Adds documents as layers of the configuration.

use std::rc::Rc;

use foldhash::HashMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::view::Older;
use super::{
    BlockRef, ExprRef, Findings, Graph, Group, Loaded, Scope, ScopeId, ScopeKind, ThunkId, ThunkKind, ValueRef, ViewId,
    Words,
};
use crate::data::Data;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::name::{Name, Names};
use tosca_parse_engine::budget::Budget;

use crate::open::{Memory, Opener};
use crate::source::{Source, SourceId, Sources, Span};
use crate::suggest::Suggestions;
use crate::syntax::{
    Entries, ExprKind, Plain, Stanza, StanzaKind, Tree, ValueId, ValueKind, is_reserved, parse, parse_expression,
};
use crate::value::{SECRET, Value};

impl<'o> Graph<'o> {
    pub(crate) fn new(opener: Box<dyn Opener + 'o>, limits: Limits) -> Self {
        let mut names = Names::default();
        let words = Words {
            here: names.number("here"),
            own: names.number("self"),
            yay: names.number("yay"),
            searchpath: names.number("searchpath"),
            env: names.number("env"),
        };
        let mut sources = Sources::default();
        let nowhere = sources.add(Source::new("<data>", None, ""));
        let budget = Rc::new(Budget::new(limits.budget));
        let loaded = Loaded {
            patterns: HashMap::default(),
            sources,
            names,
            trees: Vec::new(),
            opener,
            environment: super::Environment::default(),
            label_names: vec!["secret".to_owned()],
            has_secrets: false,
            warnings: Vec::new(),
            documents: Vec::new(),
            known: HashMap::default(),
            suggestions: Suggestions::default(),
        };
        let mut graph = Graph {
            loaded,
            budget,
            words,
            limits,
            search: Vec::new(),
            searchpath_key: false,
            classes: Vec::new(),
            thunks: Vec::new(),
            layers: Vec::new(),
            views: Vec::new(),
            layers_passed: 0,
            groups: Vec::new(),
            findings: vec![Findings::default()],
            scopes: vec![Scope { parent: None, kind: ScopeKind::Document, step: None, stepped: None, depth: 0 }],
            lists: Vec::new(),
            natives: Vec::new(),
            inputs: FxHashMap::default(),
            builtins: FxHashMap::default(),
            roots: Vec::new(),
            root: ViewId(0),
            root_bindings: FxHashMap::default(),
            open_roots: Vec::new(),
            searches: Vec::new(),
            search_folders: super::include::SearchFolders::default(),
            reading_earlier: false,
            configured: Vec::new(),
            refused: None,
            configuring: false,
            folding: false,
            unknown: FxHashSet::default(),
            frames: Vec::new(),
            taint: super::taint::CLEAN,
            log: Vec::new(),
            serial: 0,
            depth: 0,
            waiting: Vec::new(),
            bytes: 0,
            resolving: FxHashSet::default(),
        };
        graph.root = graph.add_view(Span { source: nowhere, start: 0, end: 0 }, Older::Nothing).id;
        graph
    }

    /// Runs a function on a graph with the same documents that leaves unknown names in place. Nothing is evaluated in
    /// it yet, because results with defaults for unknown names are wrong there, and its results are wrong here.
    pub(super) fn folding<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let fresh = Graph::new(Box::new(Memory::default()), self.limits.clone());
        let mut graph = Graph { folding: true, searchpath_key: self.searchpath_key, bytes: self.bytes, ..fresh };
        std::mem::swap(&mut self.loaded, &mut graph.loaded);
        graph.budget = self.budget.clone();
        graph.search.clone_from(&self.search);
        graph.classes.clone_from(&self.classes);
        let again = |graph: &mut Self, given: &FxHashMap<Name, ThunkId>| -> FxHashMap<Name, ThunkId> {
            let kinds = given.iter().filter_map(|(name, thunk)| Some((*name, *self.thunks[thunk.at()].kind()?)));
            kinds.map(|(name, kind)| (name, graph.add_thunk(kind))).collect()
        };
        graph.inputs = again(&mut graph, &self.inputs);
        graph.builtins = again(&mut graph, &self.builtins);
        for root in &self.roots {
            let Group { block, scope, .. } = self.groups[root.at()];
            let around = self.scopes[scope.at()].parent.map(|around| &self.scopes[around.at()].kind);
            match around {
                Some(ScopeKind::Included { document, .. }) => graph.add_layer(*document),
                _ => graph.add_root(block, graph.document_scope()),
            }
        }
        let result = run(&mut graph);
        self.bytes = graph.bytes;
        std::mem::swap(&mut self.loaded, &mut graph.loaded);
        result
    }

    #[expect(clippy::unused_self, reason = "a graph has one document scope")]
    pub(crate) fn document_scope(&self) -> ScopeId {
        ScopeId(0)
    }

    /// Reads a document. Its syntax errors are returned as one error that contains the others.
    pub(crate) fn add_document(&mut self, source: Source) -> Result<u32> {
        /// The factor for the size of a document in the budget, because a short document may have many values.
        const SHARE: u64 = 4;
        let (text, address) = (source.text.clone(), source.address.clone());
        let is_secret = source.labels & SECRET != 0;
        self.budget.add_input(SHARE * text.len() as u64);
        let id = self.loaded.sources.add(source);
        let parsed = parse(&text, id, &mut self.loaded.names, &self.limits);
        self.loaded.warnings.extend(parsed.warnings);
        if let Some(error) = Error::all(parsed.errors) {
            return Err(if is_secret { error.without(&|quoted| is_of(&text, quoted)) } else { error });
        }
        self.note_environment(&parsed.tree);
        let tree = self.add_tree(parsed.tree);
        Ok(self.note_document(tree, address))
    }

    fn add_tree(&mut self, tree: Tree) -> u32 {
        self.loaded.trees.push(Rc::new(tree));
        self.loaded.trees.len() as u32 - 1
    }

    /// Adds a document as the newest layer of the root value.
    pub(crate) fn add_layer(&mut self, document: u32) {
        let tree = self.loaded.documents[document as usize].tree;
        if let Some(address) = &self.loaded.documents[document as usize].address {
            self.loaded.known.insert(address.to_string(), Ok(document));
        }
        let block = BlockRef { tree, block: self.loaded.trees[tree as usize].root };
        let kind = ScopeKind::Included { document, view: Some(self.root) };
        let scope = self.add_scope(self.document_scope(), kind, None);
        self.add_root(block, scope);
    }

    /// Adds data as the newest layer of the root value.
    pub(crate) fn add_data(&mut self, data: &Data) {
        let block = self.data_block(data, SourceId(0));
        self.add_root(block, self.document_scope());
    }

    /// Adds a layer to the root value and makes lookups start at its newest document.
    fn add_root(&mut self, block: BlockRef, scope: ScopeId) {
        let group = self.add_group(block, scope, Some(self.root));
        self.roots.push(group);
        self.search_folders = super::include::SearchFolders::default();
        self.note_root(group);
        let at = self.loaded.trees[block.tree as usize].block(block.block).span;
        self.reset_view(self.root, at, Older::Documents(self.roots.len()));
    }

    /// Returns data as a block, so that it is a layer like any other.
    pub(super) fn data_block(&mut self, data: &Data, source: SourceId) -> BlockRef {
        let mut tree = Tree::empty();
        let at = Span { source, start: 0, end: 0 };
        let stanzas = self.data_stanzas(&mut tree, data, at);
        tree.root = tree.add_block(at, stanzas);
        let block = tree.root;
        BlockRef { tree: self.add_tree(tree), block }
    }

    fn data_stanzas(&mut self, tree: &mut Tree, data: &Data, at: Span) -> Vec<Stanza> {
        let kind = match data {
            Data::Map(entries) => {
                let entries = entries.iter().map(|(key, value)| {
                    let value = self.data_value(tree, value, at);
                    tree.add_entry(self.loaded.names.number(key), at, value)
                });
                StanzaKind::Map(Entries::new(entries.collect()))
            }
            Data::List(items) => StanzaKind::List(items.iter().map(|item| self.data_value(tree, item, at)).collect()),
            _ => return Vec::new(),
        };
        vec![Stanza { span: at, kind }]
    }

    fn data_value(&mut self, tree: &mut Tree, data: &Data, at: Span) -> ValueId {
        /// The number of bytes of input that each value counts as.
        const VALUE: u64 = 16;
        self.budget.add_input(VALUE);
        let kind = match data {
            Data::Null => ValueKind::Plain(Plain::Null, "None".into()),
            Data::Bool(truth) => ValueKind::Plain(Plain::Bool(*truth), if *truth { "True" } else { "False" }.into()),
            Data::Int(number) => ValueKind::Plain(Plain::Int(*number), number.to_string().into()),
            Data::Float(number) => ValueKind::Plain(Plain::Float(*number), crate::value::float_text(*number).into()),
            Data::Text(text) => ValueKind::Text(text.as_str().into()),
            Data::List(items) if items.is_empty() => ValueKind::EmptyList,
            Data::Map(entries) if entries.is_empty() => ValueKind::EmptyMap,
            Data::List(_) | Data::Map(_) => {
                let stanzas = self.data_stanzas(tree, data, at);
                ValueKind::Body(tree.add_block(at, stanzas))
            }
        };
        tree.add_value(at, kind)
    }

    /// Gives a value to a name of the root value.
    pub(crate) fn add_input(&mut self, name: &str, data: &Data) {
        let (name, thunk) = self.given(name, data);
        self.inputs.insert(name, thunk);
    }

    /// Gives a value to a name that is otherwise undefined.
    pub(crate) fn add_builtin(&mut self, name: &str, data: &Data) {
        let (name, thunk) = self.given(name, data);
        self.builtins.insert(name, thunk);
    }

    fn given(&mut self, name: &str, data: &Data) -> (Name, ThunkId) {
        let at = Span { source: SourceId(0), start: 0, end: 0 };
        let mut tree = Tree::empty();
        let value = self.data_value(&mut tree, data, at);
        let tree = self.add_tree(tree);
        let thunk = self.add_thunk(ThunkKind::Value(ValueRef { tree, value }, self.document_scope()));
        (self.loaded.names.number(name), thunk)
    }

    /// Returns the inputs whose names occur in a document.
    pub(crate) fn used_inputs(&self) -> Vec<Rc<str>> {
        if self.inputs.is_empty() {
            return Vec::new();
        }
        let names = self.loaded.trees.iter().flat_map(|tree| &tree.exprs).filter_map(|expr| match expr.kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        });
        let used: FxHashSet<Name> = names.filter(|name| self.inputs.contains_key(name)).collect();
        let mut texts: Vec<_> = used.into_iter().map(|name| self.text_of(name)).collect();
        texts.sort();
        texts
    }

    /// Evaluates an expression in the scope of the root value.
    pub(crate) fn expression(&mut self, text: &str) -> Result<Value> {
        let id = self.loaded.sources.add(Source::new("<expression>", None, text));
        let (tree, expr) = parse_expression(text, id, &mut self.loaded.names, &self.limits)?;
        self.note_environment(&tree);
        let tree = self.add_tree(tree);
        let scope = self.roots.last().map_or(self.document_scope(), |root| self.group(*root).scope);
        self.eval(ExprRef { tree, expr }, scope)
    }
}

/// Returns whether a quoted string in a message may come from the given text rather than from the language.
fn is_of(text: &str, quoted: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = quoted.split(|c| !is_part(c)).filter(|word| !word.is_empty() && !is_reserved(word));
    quoted.contains(|c: char| c.is_ascii_digit()) || words.any(|word| text.contains(word))
}
