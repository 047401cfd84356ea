//! Values with a meaning of their own, whatever the language they occur in: versions, instants, exact numbers.

mod number;
mod timestamp;
mod version;

pub use number::{Number, parse_number};
pub use timestamp::{Timestamp, TimestampForm};
pub use version::Version;
