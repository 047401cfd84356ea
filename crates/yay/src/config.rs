//! The entry point: adds layers and returns values.

use std::cell::RefCell;
use std::rc::Rc;

use crate::data::Data;
use crate::diagram::{Diagram, Stage};
use crate::error::{Error, Result};
use crate::graph::{Environment, Graph};
use crate::limits::Limits;
use crate::native::Class;
use crate::node::{Node, Root};
use crate::open::{LoadedDocument, OpenError, Opener};
use crate::source::{Source, Sources, Span};
use crate::warning::Warning;

/// A configuration: documents and data in layers. Later layers override earlier ones.
///
/// Nothing is evaluated until a [`Node`] returns its value.
pub struct Config<'o> {
    graph: Rc<RefCell<Graph<'o>>>,
    /// The error for documents that could not be read. Such a configuration has no values.
    failed: Rc<RefCell<Option<Error>>>,
}

impl<'o> Config<'o> {
    /// Creates a configuration without layers. The opener finds and reads its documents.
    pub fn new(opener: impl Opener + 'o) -> Self {
        Config::with_limits(opener, Limits::default())
    }

    /// Creates a configuration with custom limits.
    pub fn with_limits(opener: impl Opener + 'o, limits: Limits) -> Self {
        let graph = Graph::new(Box::new(opener), limits);
        Config { graph: Rc::new(RefCell::new(graph)), failed: Rc::default() }
    }

    /// Adds a search folder for included documents: an address that ends with a slash.
    pub fn search(&mut self, folder: &str) -> &mut Self {
        self.graph.borrow_mut().search.push(folder.to_owned());
        self
    }

    /// Lets the key `yay.searchpath` in documents name search folders as well.
    pub fn search_in_document(&mut self) -> &mut Self {
        self.graph.borrow_mut().searchpath_key = true;
        self
    }

    /// Registers a class that documents can instantiate with `new` or `create`.
    pub fn class(&mut self, name: &str, class: impl Class + 'static) -> &mut Self {
        let mut graph = self.graph.borrow_mut();
        let name = graph.loaded.names.number(name);
        graph.classes.push((name, Rc::new(class)));
        drop(graph);
        self
    }

    /// Adds the given text as the newest layer.
    pub fn load(&mut self, name: &str, text: &str) -> &mut Self {
        self.load_labeled(name, text, &[])
    }

    /// Adds the given text as the newest layer, with labels for all its values. Values with the label `secret` are
    /// never shown.
    pub fn load_labeled(&mut self, name: &str, text: &str, labels: &[String]) -> &mut Self {
        let opened = LoadedDocument { name: name.to_owned(), labels: labels.to_vec(), ..LoadedDocument::default() };
        self.add(&opened, text);
        self
    }

    /// Adds, as the newest layer, a document that the host has opened.
    pub fn load_document(&mut self, opened: &LoadedDocument) -> &mut Self {
        match std::str::from_utf8(&opened.text) {
            Ok(text) => self.add(opened, text),
            Err(_) => self.fail(Config::unreadable(&format!("`{}` is not UTF-8 text", opened.name))),
        }
        self
    }

    /// Opens a document by its address and adds it as the newest layer.
    pub fn load_address(&mut self, address: &str) -> &mut Self {
        let opened = {
            let mut graph = self.graph.borrow_mut();
            let located = graph.loaded.opener.locate(address, "").unwrap_or_else(|| address.to_owned());
            graph.loaded.opener.open(&located)
        };
        match opened {
            Ok(opened) => self.load_document(&opened),
            Err(error) => {
                let message = match error {
                    OpenError::Missing => format!("there is no document `{address}`"),
                    OpenError::Failed(message) | OpenError::Refused(message) => message,
                };
                self.fail(Config::unreadable(&message));
                self
            }
        }
    }

    fn unreadable(message: &str) -> Error {
        Error::new(crate::error::Category::NotFound, Span::NOWHERE, message)
    }

    fn add(&mut self, opened: &LoadedDocument, text: &str) {
        let mut graph = self.graph.borrow_mut();
        let address = Some(&*opened.address).filter(|address| !address.is_empty());
        let mut source = Source::new(&opened.name, address, text);
        source.labels = graph.label_bits(&opened.labels);
        source.remote = opened.remote;
        let added = graph.add_document(source);
        match added {
            Ok(document) => graph.add_layer(document),
            Err(error) => {
                drop(graph);
                self.fail(error);
            }
        }
    }

    fn fail(&mut self, error: Error) {
        let mut failed = self.failed.borrow_mut();
        *failed = Some(match failed.take() {
            Some(earlier) => earlier.with([error]),
            None => error,
        });
    }

    /// Adds data as the newest layer.
    pub fn add_data(&mut self, data: &Data) -> &mut Self {
        self.graph.borrow_mut().add_data(data);
        self
    }

    /// Gives a value to a name. Expressions can use the name like one that the documents bind, or like a key at their
    /// top level. The value is not part of the result.
    pub fn input(&mut self, name: &str, value: &Data) -> &mut Self {
        self.graph.borrow_mut().add_input(name, value);
        self
    }

    /// Gives a value to a name that neither the documents nor the classes of the host define.
    pub fn builtin(&mut self, name: &str, value: &Data) -> &mut Self {
        self.graph.borrow_mut().add_builtin(name, value);
        self
    }

    /// Lets documents read environment variables as `env.NAME`. Their values are secrets, and documents from the network
    /// can't read them.
    pub fn environment(&mut self, variable: impl Fn(&str) -> Option<String> + 'o) -> &mut Self {
        self.graph.borrow_mut().set_environment(Environment::Given(Box::new(variable)));
        self
    }

    /// Makes reading an environment variable an error. By default, `env` is a name like any other.
    pub fn refuse_environment(&mut self) -> &mut Self {
        self.graph.borrow_mut().set_environment(Environment::Refused);
        self
    }

    /// Returns the inputs whose names occur in the documents read so far.
    pub fn used_inputs(&self) -> Vec<Rc<str>> {
        self.graph.borrow().used_inputs()
    }

    /// Returns the effort of all evaluations so far, in steps. Creating 64 bytes takes as long as one step.
    pub(crate) fn steps_taken(&self) -> u64 {
        let budget = self.graph.borrow().budget.clone();
        budget.steps_taken() + budget.bytes_made() / 64
    }

    /// Returns the root value, evaluated lazily.
    pub fn root(&self) -> Node<'o> {
        Node::new(self.graph.clone(), self.failed.clone(), Root::Whole)
    }

    /// Returns an expression in the scope of the root value, evaluated lazily.
    pub fn expression(&self, text: &str) -> Node<'o> {
        Node::new(self.graph.clone(), self.failed.clone(), Root::Expression(text.into()))
    }

    /// Returns the root value, fully evaluated.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating anything fails; [`Error::each`] returns all errors that were found.
    pub fn resolve(&self) -> Result<Data> {
        self.root().resolve()
    }

    /// Returns the structure of the configuration, as boxes and arrows. Secrets are masked.
    ///
    /// # Errors
    ///
    /// Returns an error for each document that could not be read. [`Stage::Folded`] evaluates everything and returns
    /// all errors, except those about unknown names.
    pub fn diagram(&self, stage: Stage) -> Result<Diagram> {
        if let Some(error) = &*self.failed.borrow() {
            return Err(error.clone());
        }
        match stage {
            Stage::Folded => self.graph.borrow_mut().draw_folded(),
            _ => Ok(self.graph.borrow().draw(stage)),
        }
    }

    /// Returns all layers as one document in which everything known is computed. Anything that depends on undefined
    /// names remains an expression. If `masked` is true, secrets are written as `*****`.
    ///
    /// # Errors
    /// Returns all errors, except those about unknown names.
    pub fn fold(&self, masked: bool) -> Result<String> {
        if let Some(error) = &*self.failed.borrow() {
            return Err(error.clone());
        }
        self.graph.borrow_mut().fold(masked)
    }

    /// Returns the content of a `configure` section from all layers, which is not part of the result.
    ///
    /// # Errors
    ///
    /// Returns every error that was found.
    pub fn settings(&self, section: &str) -> Result<Data> {
        Node::new(self.graph.clone(), self.failed.clone(), Root::Settings(section.into())).resolve()
    }

    /// Returns the sources read so far, for displaying positions.
    pub fn sources(&self) -> Sources {
        self.graph.borrow().loaded.sources.clone()
    }

    /// Returns warnings about tolerated syntax that should be corrected.
    pub fn warnings(&self) -> Vec<(Span, String)> {
        self.graph.borrow().loaded.warnings.clone()
    }

    /// Checks what evaluation does not find: unknown names in expressions that were not evaluated, arguments that
    /// macros don't use, keys that are given twice, and keys whose types change. Resolve the configuration first.
    pub fn check(&self) -> Vec<Warning> {
        match &*self.failed.borrow() {
            Some(_) => Vec::new(),
            None => self.graph.borrow_mut().check(),
        }
    }

    /// Describes an error with its positions.
    pub fn describe(&self, error: &Error) -> String {
        error.describe(&self.graph.borrow().loaded.sources)
    }
}
