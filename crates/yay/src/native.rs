//! Classes of the host, which `new` and `create` instantiate when no prototype has the name.

use crate::data::Data;
use crate::error::{Category, Error, Result};
use crate::graph::{Graph, ViewId};
use crate::source::Span;
use crate::value::SECRET;

/// A class of the host.
pub trait Class {
    /// Returns the members of an instance besides its parameters. Called once, when a key is needed that is not a
    /// parameter. Parameters are evaluated on demand.
    ///
    /// # Errors
    ///
    /// Returns the errors of parameters, or [`Params::fail`].
    fn members(&self, params: &mut Params<'_, '_>) -> Result<Data>;
}

/// The parameters of an instance.
pub struct Params<'a, 'o> {
    pub(crate) graph: &'a mut Graph<'o>,
    pub(crate) view: ViewId,
    pub(crate) at: Span,
    /// Whether the class has read a secret.
    pub(crate) is_secret: bool,
}

impl Params<'_, '_> {
    /// Returns the names of the parameters.
    ///
    /// # Errors
    ///
    /// Returns an error if the layers of the parameters can't be determined.
    pub fn names(&mut self) -> Result<Vec<String>> {
        let keys = self.graph.keys(self.view)?;
        let decided_by_secret = self.graph.view_labels(self.view) & SECRET != 0;
        self.is_secret |= decided_by_secret || !self.graph.secret_keys(self.view, self.at)?.is_empty();
        Ok(keys.iter().map(|key| self.graph.text_of(*key).to_string()).collect())
    }

    /// Returns a parameter, fully evaluated.
    ///
    /// # Errors
    ///
    /// Returns an error if evaluating it fails.
    pub fn get(&mut self, name: &str) -> Result<Option<Data>> {
        let key = self.graph.loaded.names.number(name);
        let Some(thunk) = self.graph.member(self.view, key)? else { return Ok(None) };
        let value = self.graph.force(thunk)?;
        let (data, is_secret) = self.graph.data_and_secrecy(&value, false)?;
        self.is_secret |= is_secret;
        Ok(Some(data))
    }

    /// Creates an error of the class itself, at the position of the instance.
    pub fn fail(&self, message: &str) -> Error {
        Error::new(Category::Type, self.at, message)
    }
}
