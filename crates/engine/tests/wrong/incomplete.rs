//! What every entity must say.

#[path = "types/mod.rs"]
mod types;

use tosca_parse_derive::Entity;
use types::{Reference, References, Text};

/// It has no annotation.
#[derive(Entity)]
struct Untitled {
    /// A field.
    text: Option<Text>,
}

#[derive(Entity)]
#[entity(title = "undocumented")]
struct Undocumented {
    text: Option<Text>,
}

/// It has no field that phases see.
#[derive(Entity)]
#[entity(title = "empty")]
struct Empty {
    #[field(skip)]
    cache: u32,
}

/// Nobody knows where its names are looked up.
#[derive(Entity)]
#[entity(title = "lost")]
struct Lost {
    /// One name.
    one: Option<Reference<Lost>>,
    /// Several names.
    several: References<Lost>,
}

/// They are looked up nowhere.
#[derive(Entity)]
#[entity(title = "found nowhere")]
struct Nowhere {
    /// Looked up nowhere.
    #[field(lookup())]
    nowhere: Option<Reference<Lost>>,
    /// Looked up nowhere.
    #[field(lookup)]
    anywhere: Option<Reference<Lost>>,
}

fn main() {}
