//! The server, as an editor sees it: requests and answers.

#![allow(clippy::unwrap_used)]
#![allow(clippy::needless_pass_by_value)] // `json!` makes values.

mod asks;
mod complete;
mod editor;
mod frame;
