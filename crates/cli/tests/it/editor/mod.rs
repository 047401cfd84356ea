//! The language server, as an editor sees it: requests and answers.

#![allow(clippy::needless_pass_by_value, reason = "`json!` makes values")]

mod asks;
mod client;
mod complete;
mod frame;
