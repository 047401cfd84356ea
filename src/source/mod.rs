//! Where text comes from.
//!
//! Everything above works with offsets into texts and with the numbers of sources, because both are small and cheap
//! to copy. What an author needs to see instead, a name, a line and a column, is kept here in one place, and is worked
//! out only for what is really shown.

mod text;

pub use text::{Position, Source, Sources};
