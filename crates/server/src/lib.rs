//! A language server for templates.
//!
//! The server has no knowledge of any language. It relies on the descriptions of entities, their doc comments, and the
//! programs that the engine has completed, so every language that is described to the engine has editor support. The
//! [`Host`] supplies the rest: how a file is read, its configuration, and its diagram.
//!
//! # How it works
//!
//! Open documents are in an [`Overlay`], a provider that parsers ask before the file system. Every open document, and
//! every template in a folder of the workspace, is the entry of a separate program. The program is parsed again when
//! the document or one of its imports changes, on a background thread, after a pause that is shorter for faster parses.
//! Files that no request waits for are parsed in parallel while no open document has to be parsed. Requests are
//! answered from the up-to-date program and wait for it if necessary. The exception is completion, which combines the
//! current text with the latest program, because the text is unfinished anyway.
//!
//! The programs of open documents are kept. For other files, the server keeps a `Record`: the problems, the declared
//! names, and the hashes of all words. A search for a name parses the files whose records contain its hash. A rename is
//! tried on a separate thread before it is answered: the edited files and their importers must not have new problems.
//!
//! **Invariants**
//!
//! - No stale answers: if a text changes during a parse, the result is discarded, and searches and trials start again.
//! - Memory does not grow with the number of programs: the names and words in records are limited to 256 MiB, and files
//!   beyond this limit are parsed by every search.
//! - Work does not grow with the square of the number of files: if the imports of all entries exceed a limit, further files
//!   are reported and left out, unless they are open.

// The engine's macros write absolute paths with the name under which users know the engine.
extern crate tosca_parse_engine as tosca_parse;

mod calls;
mod code_actions;
mod code_lens;
mod completion;
mod diagnostics;
mod document_links;
mod document_symbols;
mod documents;
mod enclosing;
mod file_references;
mod files;
mod format;
mod handlers;
mod hierarchy;
mod host;
mod hover;
mod index;
mod markdown;
mod moves;
mod overlay;
mod parsed;
mod place;
mod protocol;
mod references;
mod rename;
mod selection;
mod semantic_tokens;
mod server;
mod signature;
mod symbol_at;
mod syntax;
mod transport;
mod trial;
mod untitled;
mod worker;

pub use host::{Configuration, Host};
pub use overlay::Overlay;
pub use server::{Failure, LocalServer, run};
pub use transport::{Threads, stdio};

/// The message types, for clients in the same process.
pub use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
