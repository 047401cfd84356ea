//! Sources: addresses, providers, archives.
//!
//! A source is text at an [`Address`]. The possible addresses for an import come from [`candidates`] or, for a profile
//! that is imported by name, from a [`Catalogue`]. A [`Provider`] reads the source at an address: there are providers
//! for files ([`FileProvider`]), for sources in memory ([`MemoryProvider`]), for the web and for object stores. Another
//! one serves files in archives and reads the archives from other providers.
//!
//! All addresses and sources are untrusted: a template may import any path and any URL. So no read can block on a pipe,
//! exceed a limit or wait forever, and no message repeats a password.

mod address;
#[cfg(feature = "archive")]
pub mod archive;
mod behalf;
mod candidates;
mod catalogue;
mod files;
mod finder;
#[cfg(any(feature = "archive", feature = "http"))]
mod gunzip;
#[cfg(feature = "http")]
mod http;
mod import_limits;
mod import_paths;
mod input_values;
mod mapped;
mod memory;
mod names;
#[cfg(feature = "object-store")]
mod object;
pub mod observe;
mod options;
mod panic_guard;
mod provider;
mod reference;
pub mod regular;
pub mod replace;
mod searches;

pub use address::{ARCHIVE, Address, AddressError, BUILTIN, FILE, MEMORY, OBJECT_STORES};
#[cfg(feature = "archive")]
pub use archive::{ArchiveLimits, Archives};
pub use behalf::{check_bucket, network_source, on_behalf_of};
pub use candidates::{ImportTarget, ResolveError, candidates};
pub use catalogue::{Catalogue, CatalogueProblem, ProfileHeader};
pub use files::FileProvider;
pub use finder::{Finder, FinderContext, NameQuery, NullFinder};
#[cfg(feature = "http")]
pub use http::{HttpOptions, HttpProvider};
pub use import_limits::ImportLimits;
pub(crate) use import_paths::{ImportPaths, release};
pub use input_values::InputValues;
pub use mapped::MappedProvider;
pub use memory::MemoryProvider;
pub use names::{escape_control_chars, is_yaml_name};
#[cfg(feature = "object-store")]
pub use object::{ObjectStoreOptions, ObjectStoreProvider, Variables};
pub use options::OptionValues;
pub(crate) use panic_guard::Guarded;
pub use provider::{FetchedSource, Provider, ReadError, SourceProblem, SourceRange, Stamp, list_directory};
pub use searches::{Search, SearchPaths, Searches};

pub use crate::text::{LineColumn, SharedText, Source, Sources};
