//! Lazy values for the host.

use std::cell::RefCell;
use std::rc::Rc;

use crate::data::Data;
use crate::error::{Category, Error, Result};
use crate::evaluate::{Number, number, wrong};
use crate::graph::{Emitter, Graph, ThunkId};
use crate::sink::Sink;
use crate::source::{Place, Span};
use crate::value::{Kind, Value};

/// The start of a node.
#[derive(Clone)]
pub(crate) enum Root {
    Whole,
    Expression(Rc<str>),
    /// A section of `configure`.
    Settings(Rc<str>),
    Thunk(ThunkId),
}

#[derive(Clone)]
enum Link {
    Key(Rc<str>),
    Item(i64),
}

/// A lazy value: the path to it. It is evaluated by functions that return a value.
///
/// The functions that end with `_or` return their default if the value, or a part of its path, does not exist. A value
/// of the wrong type is an error.
#[derive(Clone)]
pub struct Node<'o> {
    graph: Rc<RefCell<Graph<'o>>>,
    failed: Rc<RefCell<Option<Error>>>,
    root: Root,
    links: Vec<Link>,
}

macro_rules! with_default {
    ($($(#[$doc:meta])* $name:ident, $plain:ident, $kind:ty;)+) => {
        $($(#[$doc])*
        ///
        /// # Errors
        ///
        /// Returns an error if evaluating the value fails or if its type is wrong, but not if the value is missing.
        pub fn $name(&self, default: $kind) -> Result<$kind> {
            or(self.$plain(), default)
        })+
    };
}

impl<'o> Node<'o> {
    pub(crate) fn new(graph: Rc<RefCell<Graph<'o>>>, failed: Rc<RefCell<Option<Error>>>, root: Root) -> Self {
        Node { graph, failed, root, links: Vec::new() }
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Node<'o> {
        self.link(Link::Key(key.into()))
    }

    /// Returns an item of a list; negative numbers count from the end.
    pub fn index(&self, number: i64) -> Node<'o> {
        self.link(Link::Item(number))
    }

    /// Returns whether the value is a list.
    pub fn is_list(&self) -> bool {
        self.value().is_ok_and(|value| matches!(value.kind, Kind::List(_)))
    }

    fn link(&self, link: Link) -> Node<'o> {
        let mut node = self.clone();
        node.links.push(link);
        node
    }

    fn value(&self) -> Result<Value> {
        if let Some(error) = &*self.failed.borrow() {
            return Err(error.clone());
        }
        let graph = &mut *self.graph.borrow_mut();
        let mut value = match &self.root {
            Root::Whole => graph.whole_value()?,
            Root::Expression(text) => graph.expression(text)?,
            Root::Settings(section) => graph.settings(section),
            Root::Thunk(thunk) => graph.force(*thunk)?,
        };
        for link in &self.links {
            value = follow(graph, &value, link)?;
        }
        Ok(value)
    }

    /// Returns the keys of a mapping, in the order of their first occurrence.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating the value fails, or if it is not a mapping.
    pub fn keys(&self) -> Result<Vec<String>> {
        let value = self.value()?;
        let graph = &mut *self.graph.borrow_mut();
        let Kind::Map(view) = value.kind else { return Err(wrong(&value, "a mapping", value.at)) };
        let keys = graph.keys(view)?;
        Ok(keys.iter().map(|key| graph.text_of(*key).to_string()).collect())
    }

    /// Returns the items of a list, each evaluated lazily.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating the value fails, or if it is not a list.
    pub fn items(&self) -> Result<Vec<Node<'o>>> {
        let value = self.value()?;
        let Kind::List(list) = value.kind else { return Err(wrong(&value, "a list", value.at)) };
        let graph = &mut *self.graph.borrow_mut();
        let list = graph.list_of(&value, list);
        let items = graph.items(list)?;
        Ok(items
            .into_iter()
            .map(|item| Node::new(self.graph.clone(), self.failed.clone(), Root::Thunk(item)))
            .collect())
    }

    /// Returns the value as an integer. Fractions are truncated, and text that looks like an integer is converted.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating the value fails, or if it is not an integer.
    pub fn as_int(&self) -> Result<i64> {
        let value = self.value()?;
        match number(&value) {
            Some(Number::Int(number)) => Ok(number),
            Some(Number::Float(float)) if matches!(value.kind, Kind::Float(..)) => Ok(float as i64),
            _ => Err(wrong(&value, "an integer", value.at)),
        }
    }

    /// Returns the value as a float.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating the value fails, or if it is not a number.
    pub fn as_float(&self) -> Result<f64> {
        let value = self.value()?;
        number(&value).map(Number::float).ok_or_else(|| wrong(&value, "a number", value.at))
    }

    /// Returns the value as a number: [`Data::Int`] or [`Data::Float`].
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating the value fails, or if it is not a number.
    pub fn as_number(&self) -> Result<Data> {
        let value = self.value()?;
        match number(&value) {
            Some(Number::Int(number)) => Ok(Data::Int(number)),
            Some(Number::Float(number)) => Ok(Data::Float(number)),
            None => Err(wrong(&value, "a number", value.at)),
        }
    }

    /// Returns whether a scalar is true, as in Python: zero, nothing and empty text are false.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating the value fails, or if it is not a scalar.
    pub fn as_bool(&self) -> Result<bool> {
        let value = self.value()?;
        if value.as_text().is_none() {
            return Err(wrong(&value, "a scalar", value.at));
        }
        self.graph.borrow_mut().is_true(&value)
    }

    /// Returns a scalar as text, as it was written.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating the value fails, or if it is not a scalar.
    pub fn as_string(&self) -> Result<String> {
        let value = self.value()?;
        value.as_text().map(|text| text.to_string()).ok_or_else(|| wrong(&value, "text", value.at))
    }

    /// Returns a scalar as text that is safe to show to anyone: secrets are `*****`.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating the value fails, or if it is not a scalar.
    pub fn as_safe_string(&self) -> Result<String> {
        let value = self.value()?;
        value.safe_text().map(|text| text.to_string()).ok_or_else(|| wrong(&value, "text", value.at))
    }

    /// Returns a list, fully evaluated.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating the value fails, or if it is not a list.
    pub fn as_list(&self) -> Result<Vec<Data>> {
        let value = self.value()?;
        match self.resolve_value(&value)? {
            Data::List(items) => Ok(items),
            _ => Err(wrong(&value, "a list", value.at)),
        }
    }

    /// Returns a mapping, fully evaluated.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating the value fails, or if it is not a mapping.
    pub fn as_dict(&self) -> Result<Vec<(String, Data)>> {
        let value = self.value()?;
        match self.resolve_value(&value)? {
            Data::Map(entries) => Ok(entries),
            _ => Err(wrong(&value, "a mapping", value.at)),
        }
    }

    with_default! {
        /// Returns an integer, or the default if there is no value.
        as_int_or, as_int, i64;
        /// Returns a number, or the default if there is no value.
        as_float_or, as_float, f64;
        /// Returns a number, or the default if there is no value.
        as_number_or, as_number, Data;
        /// Returns the truth of a scalar, or the default if there is no value.
        as_bool_or, as_bool, bool;
        /// Returns text, or the default if there is no value.
        as_string_or, as_string, String;
        /// Returns text that can be shown, or the default if there is no value.
        as_safe_string_or, as_safe_string, String;
        /// Returns a list, or the default if there is no value.
        as_list_or, as_list, Vec<Data>;
        /// Returns a mapping, or the default if there is no value.
        as_dict_or, as_dict, Vec<(String, Data)>;
    }

    /// Returns the value, fully evaluated.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating anything fails; [`Error::each`] returns all errors that were found.
    pub fn resolve(&self) -> Result<Data> {
        let value = self.value()?;
        self.resolve_value(&value)
    }

    /// Returns the value, fully evaluated, in a form that is safe to show to anyone: secrets are `*****`.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating anything fails; [`Error::each`] returns all errors that were found.
    pub fn resolve_safe(&self) -> Result<Data> {
        let value = self.value()?;
        self.graph.borrow_mut().data_of(&value, true)
    }

    fn resolve_value(&self, value: &Value) -> Result<Data> {
        self.graph.borrow_mut().data_of(value, false)
    }

    /// Emits the value to a sink, with all its content and its provenance. Returns all errors; their values are
    /// omitted.
    pub fn emit(&self, sink: &mut dyn Sink) -> Vec<Error> {
        let value = match self.value() {
            Ok(value) => value,
            Err(error) => return vec![error],
        };
        let mut emitter = Emitter::new(sink);
        self.graph.borrow_mut().emit(&value, &mut emitter);
        emitter.errors
    }

    /// Returns the position of the value.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating the value fails.
    pub fn anchor(&self) -> Result<Place> {
        let span = self.span()?;
        Ok(self.graph.borrow().loaded.sources.place(span))
    }

    /// Returns the position of the value, in bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating the value fails.
    pub fn span(&self) -> Result<Span> {
        if let (Root::Whole, [.., Link::Key(_)]) = (&self.root, &self.links[..]) {
            return self.own_span();
        }
        Ok(self.value()?.at)
    }

    /// Returns the position of the value of a key, which may refer to a value elsewhere.
    fn own_span(&self) -> Result<Span> {
        let mut parent = self.clone();
        let Some(Link::Key(key)) = parent.links.pop() else { return Ok(self.value()?.at) };
        let value = parent.value()?;
        let graph = &mut *self.graph.borrow_mut();
        let Kind::Map(view) = value.kind else { return Err(wrong(&value, "a mapping", value.at)) };
        let name = graph.loaded.names.number(&key);
        match graph.member(view, name)? {
            Some(thunk) => Ok(graph.thunk_span(thunk)),
            None => Err(graph.no_key(view, (name, 0), &value, value.at)),
        }
    }

    /// Returns the labels of the value.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating the value fails.
    pub fn labels(&self) -> Result<Vec<String>> {
        let value = self.value()?;
        Ok(self.graph.borrow().labels_of(value.labels))
    }
}

fn or<T>(result: Result<T>, default: T) -> Result<T> {
    match result {
        Err(error) if error.category() == Category::NoMatching => Ok(default),
        result => result,
    }
}

fn follow(graph: &mut Graph<'_>, value: &Value, link: &Link) -> Result<Value> {
    match link {
        Link::Key(key) => {
            let Kind::Map(view) = value.kind else { return Err(wrong(value, "a mapping", value.at)) };
            let name = graph.loaded.names.number(key);
            match graph.member(view, name)? {
                Some(thunk) => Ok(graph.force(thunk)?.labeled(value.shape())),
                None => Err(graph.no_key(view, (name, 0), value, value.at)),
            }
        }
        Link::Item(number) => {
            let Kind::List(list) = value.kind else { return Err(wrong(value, "a list", value.at)) };
            match graph.nth(list, *number)? {
                Some(thunk) => Ok(graph.force(thunk)?.labeled(value.shape())),
                None => Err(Error::new(Category::NoMatching, value.at, format!("the list has no item {number}"))),
            }
        }
    }
}
