//! Values for the inputs of services.

use std::sync::Arc;

/// Values for the inputs of services, which any number of entries can share: a map of names to values in YAML text.
#[derive(Clone, Debug)]
pub struct InputValues {
    pub(crate) name: Arc<str>,
    pub(crate) text: Arc<[u8]>,
    pub(crate) maps: Option<Arc<[u32]>>,
}

impl InputValues {
    /// Creates values from the text of a map. `name` is its name in problems.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<[u8]>>) -> Self {
        Self { name: name.into(), text: text.into(), maps: None }
    }

    /// Returns the values in the maps that start at the given byte offsets of the same text, such as those of a
    /// configuration. Later maps take precedence. Only problems with values are reported, not those of the text as a
    /// whole.
    #[must_use]
    pub fn at(&self, maps: impl Into<Arc<[u32]>>) -> Self {
        Self { maps: Some(maps.into()), ..self.clone() }
    }
}
