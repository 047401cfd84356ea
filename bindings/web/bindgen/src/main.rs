//! Writes the JavaScript and the types for a WebAssembly module: `bindgen MODULE FOLDER`.
//!
//! It uses the library behind the command `wasm-bindgen`, so that no matching version of the command needs to be
//! installed.

use std::env;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = env::args_os().skip(1);
    let module = arguments.next().context("which module?")?;
    let folder = arguments.next().context("to which folder?")?;
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .reset_state_function(true)
        .generate(folder)
}
