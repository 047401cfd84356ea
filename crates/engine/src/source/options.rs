//! The values of language options.

use super::Address;

/// The names and values of options, in the order in which they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionValues(Vec<(String, Address)>);

impl OptionValues {
    /// Adds a value for an option.
    pub fn add(&mut self, name: impl Into<String>, value: Address) {
        self.0.push((name.into(), value));
    }

    /// Returns the values for an option, in order.
    pub fn of(&self, name: &str) -> impl Iterator<Item = &Address> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value)
    }
}
