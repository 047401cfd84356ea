//! Short names of types.

use rustc_hash::FxHashMap;

use crate::text::{line, short};

/// The short names of types whose last name segment is unique in the diagram.
#[derive(Debug, Default)]
pub struct ShortNames<'a> {
    /// The full names by short name; `None` if several types share the short name.
    by_short: FxHashMap<&'a str, Option<&'a str>>,
}

impl<'a> ShortNames<'a> {
    /// Adds a type by its full name.
    pub fn add(&mut self, full: &'a str) {
        let known = self.by_short.entry(short(full)).or_insert(Some(full));
        if *known != Some(full) {
            *known = None;
        }
    }

    /// Returns the short name of an added type if it is unique, else the full name.
    pub fn short(&self, full: &str) -> String {
        let short = short(full);
        line(if self.by_short.get(short) == Some(&Some(full)) { short } else { full })
    }
}
