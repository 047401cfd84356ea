//! Models: the content of a program in any language, as data for other programs.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value as Json;

use crate::budget;

/// The limits on models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelLimits {
    /// The maximum number of values that the templates of a model get from their types.
    pub values: usize,
    /// The limits of an evaluation that creates the model.
    pub evaluation: budget::Limits,
}

impl Default for ModelLimits {
    /// Returns the default limits: 4 000 000 values, enough for 2000 nodes of types with 1000 properties, and the default
    /// limits of evaluations.
    fn default() -> Self {
        Self { values: 4_000_000, evaluation: budget::Limits::default() }
    }
}

/// The model of a program's entry: a map of parts.
///
/// A model can be much larger than its source, because templates repeat the values of their types. So a part can
/// build its entries one at a time, while they are written or compared:
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::entity::Model;
///
/// let names = vec!["a".to_owned(), "b".to_owned()];
/// let model = Model::default().data("version", 1.into()).entries("nodes", names, |index, visit| visit(&[index; 2]));
/// assert_eq!(serde_json::to_string(&model)?, r#"{"version":1,"nodes":{"a":[0,0],"b":[1,1]}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Model<'p> {
    parts: Vec<(String, ModelPart<'p>)>,
}

/// A part of a [`Model`].
pub enum ModelPart<'p> {
    /// Data in memory.
    Data(Json),
    /// A map with entries that are built on request.
    Entries(ModelEntries<'p>),
}

/// A function that gets an entry of a [`Model`].
pub type VisitEntry<'v> = &'v mut dyn FnMut(&dyn erased_serde::Serialize);

/// A map in a [`Model`], with entries that are built on request.
pub struct ModelEntries<'p> {
    names: Vec<String>,
    entry: Box<dyn Fn(usize, VisitEntry<'_>) + 'p>,
}

impl<'p> Model<'p> {
    /// Adds a part that is in memory.
    #[must_use]
    pub fn data(mut self, name: &str, data: Json) -> Self {
        self.parts.push((name.to_owned(), ModelPart::Data(data)));
        self
    }

    /// Adds a part of named entries. The function builds the entry with the given index, and passes it on.
    #[must_use]
    pub fn entries(mut self, name: &str, names: Vec<String>, entry: impl Fn(usize, VisitEntry<'_>) + 'p) -> Self {
        self.parts.push((name.to_owned(), ModelPart::Entries(ModelEntries { names, entry: Box::new(entry) })));
        self
    }

    /// Returns the parts with their names, in order.
    pub fn parts(&self) -> impl Iterator<Item = (&str, &ModelPart<'p>)> {
        self.parts.iter().map(|(name, part)| (name.as_str(), part))
    }

    /// Returns the part with the given name.
    pub fn part(&self, name: &str) -> Option<&ModelPart<'p>> {
        self.parts().find(|(other, _)| *other == name).map(|(_, part)| part)
    }
}

/// The members of an object are the parts. Other data has none.
impl From<Json> for Model<'_> {
    fn from(data: Json) -> Self {
        let members = if let Json::Object(members) = data { members } else { serde_json::Map::new() };
        Self { parts: members.into_iter().map(|(name, data)| (name, ModelPart::Data(data))).collect() }
    }
}

impl ModelPart<'_> {
    /// Returns the whole part as data.
    pub fn to_data(&self) -> Json {
        match self {
            Self::Data(data) => data.clone(),
            Self::Entries(entries) => {
                Json::Object(entries.names.iter().cloned().zip((0..).map(|index| entries.data(index))).collect())
            }
        }
    }
}

impl ModelEntries<'_> {
    /// Returns the names of the entries.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Builds the entry with the given index.
    pub fn data(&self, index: usize) -> Json {
        let mut data = Json::Null;
        (self.entry)(index, &mut |entry| data = serde_json::to_value(entry).unwrap_or_default());
        data
    }
}

impl Serialize for Model<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.parts())
    }
}

impl Serialize for ModelPart<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Data(data) => data.serialize(serializer),
            Self::Entries(ModelEntries { names, entry }) => {
                let mut map = serializer.serialize_map(Some(names.len()))?;
                for (index, name) in names.iter().enumerate() {
                    let mut written = Ok(());
                    entry(index, &mut |entry| written = map.serialize_entry(name, entry));
                    written?;
                }
                map.end()
            }
        }
    }
}

impl fmt::Debug for ModelPart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Data(data) => f.debug_tuple("Data").field(data).finish(),
            Self::Entries(entries) => f.debug_tuple("Entries").field(entries).finish(),
        }
    }
}

impl fmt::Debug for ModelEntries<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelEntries").field("names", &self.names).finish_non_exhaustive()
    }
}
