//! A language server: what editors show of templates while they are written.
//!
//! It knows no language. Everything that it says comes from the descriptions of entities, from their doc comments, and
//! from programs that the engine has completed; so a language that is described to the engine has an editor. What a
//! command knows besides, its [`Host`] says: how a file is read, what its configuration is, what a picture of it is.
//!
//! # How it works
//!
//! Texts that are open lie in an [`Overlay`], a provider that parsers ask before the file system. Every open text is
//! the entry of a program of its own. It is parsed anew when it, or anything that it imports, changes; one at a time,
//! on a thread of its own, after a pause that is shorter the faster it goes. Requests are answered from the program of
//! the text as it is now, and wait for it if need be, but for completion: that looks at the text as it is now with what
//! the latest program knows, since the text is unfinished anyway.
//!
//! **Nothing stale is told**: what has been made of a text that has changed meanwhile is thrown away.

// The macros of the engine write absolute paths by the name that its users know it by.
extern crate tosca_parse_engine as tosca_parse;

mod actions;
mod answers;
mod around;
mod completion;
mod diagnostics;
mod documents;
mod format;
mod host;
mod hover;
mod links;
mod outline;
mod overlay;
mod parsed;
mod place;
mod protocol;
mod references;
mod server;
mod thing;
mod tokens;
mod transport;
mod work;

pub use host::Host;
pub use overlay::Overlay;
pub use server::{Failure, run};
pub use transport::{Threads, stdio};

/// The messages, for those who talk to a server within one program.
pub use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
