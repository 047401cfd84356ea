//! Values with a grammar that is independent of the language: versions, timestamps, exact numbers.

mod number;
mod timestamp;
mod version;

pub use number::{Number, parse_number};
pub use timestamp::{Timestamp, TimestampForm};
pub use version::Version;
