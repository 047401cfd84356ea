//! The language server from the editor's side: requests and answers.

#![allow(clippy::needless_pass_by_value, reason = "`json!` makes values")]

mod actions;
mod asks;
mod client;
mod complete;
mod frame;
mod growth;
mod navigation;
mod tokens;
