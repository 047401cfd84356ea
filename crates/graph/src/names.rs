//! Short names of types.

use foldhash::HashMap;

use crate::text::{line, short};

/// The short names of types whose last name segment is unique in the diagram.
#[derive(Debug, Default)]
pub struct ShortNames {
    /// The full names by short name; `None` if several types share the short name.
    by_short: HashMap<String, Option<String>>,
}

impl ShortNames {
    /// Adds a type by its full name.
    pub fn add(&mut self, full: &str) {
        match self.by_short.get_mut(short(full)) {
            Some(known) if known.as_deref() != Some(full) => *known = None,
            Some(_) => {}
            None => _ = self.by_short.insert(short(full).to_owned(), Some(full.to_owned())),
        }
    }

    /// Returns the short name of an added type if it is unique, else the full name.
    pub fn short(&self, full: &str) -> String {
        let short = short(full);
        line(if self.by_short.get(short).is_some_and(|known| known.as_deref() == Some(full)) { short } else { full })
    }
}
