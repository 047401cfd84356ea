//! Where sources come from.
//!
//! A source is a text at an [`Address`]. What addresses an import may mean is decided in [`candidates`] and, for
//! profiles that are imported by name, by a [`Catalogue`]; a [`Provider`] reads what is there: [`Files`], the
//! [`Memory`] of an embedding program, or the web. Archives are one more provider, which reads from the others.
//!
//! Everything here takes text from strangers: a template may import any path and any URL. So no read can hang on a
//! pipe, grow beyond a limit or wait without end, and no message repeats a password.

mod address;
#[cfg(feature = "archive")]
pub mod archive;
mod catalogue;
mod files;
#[cfg(feature = "http")]
mod http;
mod mapped;
mod memory;
mod names;
mod provider;
mod reference;
mod resolve;
mod text;

pub use address::{ARCHIVE, Address, AddressError, BUILTIN, FILE, MEMORY};
#[cfg(feature = "archive")]
pub use archive::{ArchiveLimits, Archives};
pub use catalogue::{Catalogue, CatalogueProblem};
pub use files::Files;
#[cfg(feature = "http")]
pub use http::{Http, HttpOptions};
pub use mapped::Mapped;
pub use memory::Memory;
pub use provider::{Fetched, Finding, Place, Provider, ReadError};
pub use resolve::{ImportTarget, ResolveError, candidates};
pub use text::{Position, Source, Sources};
