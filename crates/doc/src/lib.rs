//! Documentation of types: a page for each, as HTML or Markdown.
//!
//! The crate has no knowledge of any language. A page is built from the description of an entity: its keynames with
//! their values, its members, and the members that its ancestors declare. So it shows everything that a language
//! describes to the engine.
//!
//! ```text
//! Program<Complete> ─▶ Builder ─▶ Documentation ─▶ File, File, … ─▶ a folder
//!    (one or more)     (collect)   (pages as data)  (html, markdown)   (the caller writes it)
//! ```
//!
//! [`Builder::add`] collects the types of a program that are to be documented, and all types that their pages mention,
//! so every link has a target. [`Builder::finish`] adds the links back: derived types, and where a type is used.
//! [`Documentation::files`] writes one page at a time.
//!
//! **Invariants**
//!
//! - Descriptions and values never become markup, and names never become paths: `paths` chooses the names of files.
//! - The work for a page does not depend on the length of its ancestry: the numbers of ancestors, inherited members and
//!   users of a page are limited, and [`Limits`] bounds the number of pages and their total size. A page says what it
//!   omits.
//! - The result depends only on the programs, not on threads.

// The engine's macros write absolute paths with the name under which users know the engine.
extern crate tosca_parse_engine as tosca_parse;

mod collect;
mod diagram;
mod html;
mod markdown;
mod model;
mod paths;
mod prose;
mod yaml;

pub use collect::Builder;
pub use model::{
    Brief, Contents, Documentation, Fact, FactValue, File, Format, Inherited, KindOfPage, LeftOut, Limits, Link,
    Member, Page, Section, Usage,
};
pub use paths::MARK;
