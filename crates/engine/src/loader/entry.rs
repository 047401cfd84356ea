//! Where a program starts.

use std::fmt;
use std::sync::Arc;

use crate::source::{Address, OptionValues};

/// Where a program starts, and what is given to it.
#[derive(Clone, Debug)]
pub struct Entry {
    pub(super) address: Address,
    pub(super) text: Option<Vec<u8>>,
    pub(super) inputs: Vec<Inputs>,
    pub(super) options: OptionValues,
    pub(super) verifies: bool,
    pub(super) watcher: Option<Watcher>,
}

/// Somebody who wants to know how far the reading of an archive has got.
#[derive(Clone)]
pub(super) struct Watcher(pub(super) Arc<dyn Fn(usize, usize) + Send + Sync>);

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}

/// Values for inputs.
#[derive(Clone, Debug)]
pub(super) enum Inputs {
    Text(String, Vec<u8>),
    At(Address),
}

impl Entry {
    /// The source at an address.
    pub fn at(address: Address) -> Self {
        Self {
            address,
            text: None,
            inputs: Vec::new(),
            options: OptionValues::default(),
            verifies: false,
            watcher: None,
        }
    }

    /// A text, as if it stood at an address.
    pub fn text(address: Address, text: impl Into<Vec<u8>>) -> Self {
        Self { text: Some(text.into()), ..Self::at(address) }
    }

    /// Gives values to the inputs of the service: a text in YAML that is a map of names to values, and the name that
    /// it goes by in problems. Of several texts, later ones win.
    #[must_use]
    pub fn inputs(mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        self.inputs.push(Inputs::Text(name.into(), text.into()));
        self
    }

    /// The same, from the source at an address.
    #[must_use]
    pub fn inputs_at(mut self, address: Address) -> Self {
        self.inputs.push(Inputs::At(address));
        self
    }

    /// Gives a value to an [option](crate::entity::LanguageOption) of its language. Options that the language doesn't have
    /// are ignored.
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, value: Address) -> Self {
        self.options.add(name, value);
        self
    }

    /// Whether to read all that belongs to the entry, used or not: every file of an archive. False by default.
    #[must_use]
    pub fn verify(mut self, verify: bool) -> Self {
        self.verifies = verify;
        self
    }

    /// Calls a function while all that belongs to the entry is read: with how many files have been read, and how many
    /// there are.
    #[must_use]
    pub fn watch(mut self, watcher: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        self.watcher = Some(Watcher(Arc::new(watcher)));
        self
    }

    /// Where it is.
    pub fn address(&self) -> &Address {
        &self.address
    }
}
