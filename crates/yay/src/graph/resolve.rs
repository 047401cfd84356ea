//! Emits the content of a value piece by piece and resolves it as a whole.

use std::rc::Rc;

use super::body::Body;
use super::list::Pending;
use super::taint::Skip;
use super::{Graph, ScopeId, ThunkId, ViewId};
use crate::data::Data;
use crate::error::{Category, Error, Result, Step};
use crate::name::Name;
use crate::sink::{DataSink, Nothing, Origin, Scalar, ScalarKind, Sink};
use crate::source::Span;
use crate::value::{Kind, MASK, SECRET, Value};

/// The maximum depth of data.
const DEEPEST: usize = 1_000;

/// The size of a value in the result without its text, in bytes. Shared values count each time.
const NODE: usize = 96;

/// A sink for a value, with the errors that are collected on the way.
pub(crate) struct Emitter<'a> {
    pub(crate) sink: &'a mut dyn Sink,
    pub(crate) errors: Vec<Error>,
    /// The number of sources that the sink knows.
    sources: u32,
    /// The provenance of the last value and the scope of its last step.
    steps: (Option<ScopeId>, Rc<[Step]>),
    nothing_done: Rc<[Step]>,
}

impl<'a> Emitter<'a> {
    pub(crate) fn new(sink: &'a mut dyn Sink) -> Self {
        let nothing_done: Rc<[Step]> = Rc::from([]);
        Emitter { sink, errors: Vec::new(), sources: 0, steps: (None, nothing_done.clone()), nothing_done }
    }

    /// Returns the value of a result, or records its error. The same mistake is recorded once, no matter how many
    /// values depend on it.
    fn noted<T>(&mut self, result: Result<T>) -> Option<T> {
        const RECENT: usize = 100;
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                let same = |known: &Error| known.category() == error.category() && known.places() == error.places();
                if !self.errors.iter().rev().take(RECENT).any(same) {
                    self.errors.push(error);
                }
                None
            }
        }
    }
}

impl Graph<'_> {
    /// Returns the root value: a mapping or a list.
    pub(crate) fn whole_value(&mut self) -> Result<Value> {
        if !self.root_is_list()? {
            return Ok(self.map_value(self.root));
        }
        let at = self.views[self.root.at()].at;
        let pending = self.roots.iter().rev().map(|root| Pending::Block(*root, 0)).collect();
        let list = self.add_list(at, pending);
        Ok(Value::new(Kind::List(list), at, self.labels_at(at.source)))
    }

    /// Returns whether the newest document with any content is a list.
    pub(super) fn root_is_list(&mut self) -> Result<bool> {
        for at in (0..self.roots.len()).rev() {
            let root = self.roots[at];
            let block = self.group(root).block;
            let shape = self.loaded.trees[block.tree as usize].block(block.block).shape;
            if let Some(mapping) = shape.mapping {
                return Ok(!mapping);
            }
            match self.body(root, Skip::All)? {
                Body::List => return Ok(true),
                Body::Map | Body::Value(_) => return Ok(false),
                Body::Nothing => {}
            }
        }
        Ok(false)
    }

    /// Returns a value with everything in it.
    pub(crate) fn data_of(&mut self, value: &Value, masked: bool) -> Result<Data> {
        self.data_and_secrecy(value, masked).map(|(data, _)| data)
    }

    /// Returns a value with everything in it, and whether there is a secret in it.
    pub(crate) fn data_and_secrecy(&mut self, value: &Value, masked: bool) -> Result<(Data, bool)> {
        let mut sink = DataSink { masked, ..DataSink::default() };
        let mut emitter = Emitter::new(&mut sink);
        self.emit(value, &mut emitter);
        let errors = std::mem::take(&mut emitter.errors);
        match (Error::all(errors), sink.made) {
            (None, Some(data)) => Ok((data, sink.is_secret)),
            (Some(error), _) => Err(error),
            (None, None) => Err(Error::new(Category::Type, value.at, format!("{} is not data", value.what()))),
        }
    }

    /// Emits a value with all its content. Continues after errors, so that all of them are found.
    pub(crate) fn emit(&mut self, value: &Value, emitter: &mut Emitter<'_>) {
        let origin = Origin { stands: value.at, written: value.at, steps: Rc::from([]), secret: value.is_secret() };
        self.emit_value(value, &origin, 0, emitter);
    }

    fn emit_value(&mut self, value: &Value, origin: &Origin, depth: usize, emitter: &mut Emitter<'_>) {
        if emitter.sink.hides_secrets() && self.is_hidden(value, emitter) {
            return self.emit_hidden(value, origin, depth, emitter);
        }
        match &value.kind {
            Kind::List(list) => self.inside(list.0 | 1 << 31, value.at, depth, emitter, |graph, emitter| {
                let list = graph.list_of(value, *list);
                let Some(items) = emitter.noted(graph.items(list)) else { return };
                graph.emit_sources(emitter);
                emitter.sink.begin_list(origin);
                for item in items {
                    graph.emit_thunk(item, None, depth, emitter);
                    if graph.budget.check().is_err() {
                        break;
                    }
                }
                emitter.sink.end_list();
            }),
            Kind::Map(view) => {
                self.inside(view.0, value.at, depth, emitter, |graph, emitter| {
                    let Some(view) = emitter.noted(graph.mapping_of(value, *view)) else { return };
                    graph.emit_map(view, origin, depth, emitter);
                });
            }
            Kind::Macro(_) | Kind::Prototype(_) | Kind::Class(_) | Kind::Function(_) => {
                let error = Error::new(Category::Type, value.at, format!("{} is not data", value.what()));
                emitter.noted::<()>(Err(error.used(origin.stands)));
            }
            _ => {
                let text = value.as_text().unwrap_or_default();
                if emitter.noted(self.make_text(text.len() + NODE, value.at)).is_none() {
                    return;
                }
                let safe = if value.is_secret() { value.safe_text() } else { None };
                let scalar = Scalar { kind: scalar_kind(&value.kind), text: &text, safe: safe.as_deref() };
                self.emit_sources(emitter);
                emitter.sink.scalar(&scalar, origin);
            }
        }
    }

    /// Returns whether the items or keys of a value are secret, and their number.
    fn is_hidden(&mut self, value: &Value, emitter: &mut Emitter<'_>) -> bool {
        if value.shape() != 0 {
            return matches!(value.kind, Kind::List(_) | Kind::Map(_));
        }
        match value.kind {
            Kind::List(list) if self.loaded.has_secrets => {
                emitter.noted(self.items(list)).is_some() && self.list_labels(list) & SECRET != 0
            }
            Kind::Map(view) if self.loaded.has_secrets => {
                emitter.noted(self.keys(view)).is_some() && self.view_labels(view) & SECRET != 0
            }
            _ => false,
        }
    }

    /// Emits `*****` in place of a value and collects the errors in it.
    fn emit_hidden(&mut self, value: &Value, origin: &Origin, depth: usize, emitter: &mut Emitter<'_>) {
        let mut nothing = Nothing;
        let mut hidden = Emitter::new(&mut nothing);
        hidden.errors = std::mem::take(&mut emitter.errors);
        self.emit_value(value, origin, depth, &mut hidden);
        emitter.errors = hidden.errors;
        self.emit_sources(emitter);
        emitter.sink.scalar(&Scalar { kind: ScalarKind::Text, text: MASK, safe: Some(MASK) }, origin);
    }

    fn emit_map(&mut self, view: ViewId, origin: &Origin, depth: usize, emitter: &mut Emitter<'_>) {
        let Some(keys) = emitter.noted(self.keys(view)) else { return };
        let at = self.views[view.at()].at;
        let Some(secret) = emitter.noted(self.secret_keys(view, at)) else { return };
        self.emit_sources(emitter);
        emitter.sink.begin_map(origin);
        let mut hidden = 0;
        for key in keys.iter() {
            let safe = secret.contains(key).then(|| {
                hidden += 1;
                if hidden == 1 { MASK.to_owned() } else { format!("{MASK} {hidden}") }
            });
            if let Some(member) = emitter.noted(self.member(view, *key)).flatten() {
                self.emit_thunk(member, Some((*key, safe.as_deref())), depth, emitter);
            }
            if self.budget.check().is_err() {
                break;
            }
        }
        emitter.sink.end_map();
    }

    /// Emits a value with its key. If the key is secret, also emits the text to show instead.
    fn emit_thunk(
        &mut self,
        thunk: ThunkId,
        key: Option<(Name, Option<&str>)>,
        depth: usize,
        emitter: &mut Emitter<'_>,
    ) {
        let Some(value) = emitter.noted(self.force(thunk)) else { return };
        let stands = self.thunk_span(thunk);
        let steps = self.steps(self.thunk_scope(thunk), emitter);
        let origin = Origin { stands, written: value.at, steps, secret: value.is_secret() };
        if let Some((key, safe)) = key {
            self.emit_sources(emitter);
            let (text, at) = (self.loaded.names.text(key), self.key_span(thunk).unwrap_or(stands));
            match safe {
                Some(safe) => emitter.sink.secret_key(text, safe, at),
                None => emitter.sink.key(text, at),
            }
        }
        self.emit_value(&value, &origin, depth + 1, emitter);
    }

    /// Emits the sources that were read since the last time.
    fn emit_sources(&self, emitter: &mut Emitter<'_>) {
        for id in self.loaded.sources.ids_from(emitter.sources) {
            emitter.sink.source(id, self.loaded.sources.get(id));
            emitter.sources += 1;
        }
    }

    fn steps(&self, scope: Option<ScopeId>, emitter: &mut Emitter<'_>) -> Rc<[Step]> {
        let Some(stepped) = scope.and_then(|scope| self.scopes[scope.at()].stepped) else {
            return emitter.nothing_done.clone();
        };
        if emitter.steps.0 != Some(stepped) {
            emitter.steps = (Some(stepped), self.trail(stepped).into());
        }
        emitter.steps.1.clone()
    }

    /// Emits the content of a mapping or a list, unless it contains itself.
    fn inside(
        &mut self,
        id: u32,
        at: Span,
        depth: usize,
        emitter: &mut Emitter<'_>,
        run: impl FnOnce(&mut Self, &mut Emitter<'_>),
    ) {
        if depth > DEEPEST {
            let message = format!("data can't be nested more than {DEEPEST} levels deep");
            emitter.noted::<()>(Err(Error::new(Category::Limit, at, message)));
        } else if !self.resolving.insert(id) {
            emitter.noted::<()>(Err(Error::new(Category::Cycle, at, "this value contains itself")));
        } else {
            let result = self.make_text(NODE, at).and_then(|()| {
                self.nested(at, |graph| {
                    run(graph, emitter);
                    Ok(())
                })
            });
            self.resolving.remove(&id);
            emitter.noted(result);
        }
    }
}

fn scalar_kind(kind: &Kind) -> ScalarKind {
    match kind {
        Kind::Bool(truth, _) => ScalarKind::Bool(*truth),
        Kind::Int(number, _) => ScalarKind::Int(*number),
        Kind::Float(number, _) => ScalarKind::Float(*number),
        Kind::Text(text) if text.absent => ScalarKind::Absent,
        Kind::Text(_) => ScalarKind::Text,
        _ => ScalarKind::Null,
    }
}
