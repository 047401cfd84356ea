//! Yay in the engine: documents through its providers, problems as its diagnostics, values as its raw data.

mod assemble;
mod gpg;
mod input;
mod opener;
mod problem;
pub mod rules;
mod template;

pub use input::inputs;
pub use opener::{Provided, load_address};
pub use problem::{Numbers, Report, diagnostics, shown, warnings};
pub use template::{Converted, Yay, document};
