//! The entry of a program.

use std::fmt;
use std::sync::Arc;

use crate::source::observe::Observer;
use crate::source::{Address, InputValues, OptionValues};

/// The entry of a program, its inputs and its options.
#[derive(Clone, Debug)]
pub struct Entry {
    pub(super) address: Address,
    pub(super) text: Option<Vec<u8>>,
    pub(super) inputs: Vec<Inputs>,
    pub(super) options: OptionValues,
    pub(super) verifies: bool,
    pub(super) is_named: bool,
    pub(super) watcher: Option<Watcher>,
    pub(super) observer: Option<Arc<Observer>>,
}

/// A function that is called to report progress while an archive is read.
#[derive(Clone)]
pub(super) struct Watcher(pub(super) Arc<dyn Fn(usize, usize) + Send + Sync>);

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}

/// Where the values of inputs come from.
#[derive(Clone, Debug)]
pub(super) enum Inputs {
    Values(InputValues),
    At(Address),
}

impl Entry {
    /// Creates an entry that is read from the given address.
    pub fn at(address: Address) -> Self {
        Self {
            address,
            text: None,
            inputs: Vec::new(),
            options: OptionValues::default(),
            verifies: false,
            is_named: true,
            watcher: None,
            observer: None,
        }
    }

    /// Creates an entry with the given text, as if it were at the given address.
    pub fn text(address: Address, text: impl Into<Vec<u8>>) -> Self {
        Self { text: Some(text.into()), ..Self::at(address) }
    }

    /// Adds values for the inputs of the service: YAML text with a map of names to values. `name` is its name in
    /// problems. Later values take precedence.
    #[must_use]
    pub fn inputs(self, name: impl Into<Arc<str>>, text: impl Into<Vec<u8>>) -> Self {
        self.input_values(InputValues::new(name, text.into()))
    }

    /// Adds values for the inputs of the service, which other entries may share. Later values take precedence.
    #[must_use]
    pub fn input_values(mut self, values: InputValues) -> Self {
        self.inputs.push(Inputs::Values(values));
        self
    }

    /// Adds values for the inputs from the source at an address.
    #[must_use]
    pub fn inputs_at(mut self, address: Address) -> Self {
        self.inputs.push(Inputs::At(address));
        self
    }

    /// Sets an [option](crate::entity::LanguageOption) of the language. Options that the language does not have are
    /// ignored.
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, value: Address) -> Self {
        self.options.add(name, value);
        self
    }

    /// Sets whether to read everything that belongs to the entry, even if it is not used, such as every file in an
    /// archive. False by default.
    #[must_use]
    pub fn verify(mut self, verify: bool) -> Self {
        self.verifies = verify;
        self
    }

    /// Sets whether the user has explicitly named the entry. Otherwise, problems quote it only if its name or content
    /// shows that it is a template, as for imports. True by default.
    #[must_use]
    pub fn named(mut self, named: bool) -> Self {
        self.is_named = named;
        self
    }

    /// Calls `watcher` while everything that belongs to the entry is read, with the number of files read so far and the
    /// total number of files.
    #[must_use]
    pub fn watch(mut self, watcher: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        self.watcher = Some(Watcher(Arc::new(watcher)));
        self
    }

    /// Records the files on which the result depends.
    #[must_use]
    pub fn observe(mut self, observer: Arc<Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Returns the address of the entry.
    pub fn address(&self) -> &Address {
        &self.address
    }
}
