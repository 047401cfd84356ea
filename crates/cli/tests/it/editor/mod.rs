//! The language server from the editor's side: requests and answers.

#![allow(clippy::needless_pass_by_value, reason = "`json!` makes values")]

mod actions;
mod asks;
mod calls;
mod client;
mod complete;
mod desk;
mod frame;
mod growth;
mod half_typed;
mod lenses;
mod linked;
mod local;
mod looked_for;
mod moves;
mod navigation;
mod preserved;
mod refactor;
mod renames;
mod tokens;
mod trials;
mod unusual;
mod workspace;
