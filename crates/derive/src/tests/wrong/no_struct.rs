//! Only structs with named fields can be entities.

/// An enum.
#[derive(Entity)]
#[entity(title = "choice")]
enum Choice {
    One,
}

/// A tuple struct.
#[derive(Entity)]
#[entity(title = "pair")]
struct Pair(u32, u32);

/// With a generic parameter.
#[derive(Entity)]
#[entity(title = "box")]
struct Box<T> {
    /// The content.
    content: T,
}
