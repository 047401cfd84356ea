//! Only structs with named fields can be entities.

use tosca_parse_derive::Entity;

/// An enum.
#[derive(Entity)]
#[entity(title = "choice")]
enum Choice {
    One,
}

/// A tuple.
#[derive(Entity)]
#[entity(title = "pair")]
struct Pair(u32, u32);

/// With a parameter.
#[derive(Entity)]
#[entity(title = "box")]
struct Box<T> {
    /// What is in it.
    content: T,
}

fn main() {}
